// SPDX-License-Identifier: MIT
//
// The work of the rows of jobs with no scheduler: calls through a pointer and loops on one thread,
// and for single jobs one more thread with one place for a job, which looks for 50 us and then
// sleeps on a futex.

#include "jobs_work.h"

#include "base/platform.h"
#include "bench.h"
#include "bench_samples.h"

enum { LOOK_NS = 50000, PLACES = 64 };
enum { MAIL_NONE, MAIL_SLEEPS, MAIL_HERE, MAIL_QUIT };

static struct {
    oxi_atomic_u32 state; // one of MAIL_*
    bench_call *call;
    void *argument;
    oxi_thread thread;
} mail;

static struct {
    bench_call *call;
    void *argument;
} places[PLACES], awaited_place;
static int place_count;

static void do_nothing(void *argument) {
    bench_keep(argument);
}

static bench_call *volatile empty_call = do_nothing;

static void call_empty(int count) {
    bench_call *call = empty_call;
    for (int k = 0; k < count; k++) {
        call(&mail);
    }
}

static void run_hot(void) {
    call_empty(BENCH_HOT);
}

static void run_empty(void) {
    call_empty(BENCH_EMPTY);
}

static void run_light(void) {
    for (int k = 0; k < BENCH_LIGHT; k++) {
        bench_floats[k] = bench_light(bench_floats[k]);
    }
}

static void run_heavy(void) {
    for (int k = 0; k < BENCH_HEAVY; k++) {
        bench_floats[k] = bench_heavy(bench_floats[k]);
    }
}

static void run_chain(void) {
    call_empty(BENCH_CHAIN);
}

static void run_diamonds(void) {
    call_empty(BENCH_DIAMONDS * 4);
}

static void run_dag(void) {
    for (int k = 0; k < BENCH_NODES; k++) {
        bench_work(1);
    }
}

static void wait_for_mail(void) {
    uint64_t begin = oxi_clock_now();
    while (oxi_load_acquire(&mail.state) == MAIL_NONE) {
        uint32_t none = MAIL_NONE;
        if (oxi_clock_now() - begin > LOOK_NS) {
            oxi_swap_acq_rel(&mail.state, &none, MAIL_SLEEPS);
        }
    }
    while (oxi_load_acquire(&mail.state) == MAIL_SLEEPS) {
        oxi_futex_wait(&mail.state, MAIL_SLEEPS, OXI_WAIT_FOREVER);
    }
}

static void read_mail(void *context) {
    bench_keep(context);
    bench_hold_core(1);
    for (;;) {
        wait_for_mail();
        if (oxi_load_acquire(&mail.state) == MAIL_QUIT) {
            return;
        }
        mail.call(mail.argument);
        oxi_store_release(&mail.state, MAIL_NONE);
    }
}

static void send_mail(uint32_t state) {
    if (oxi_exchange_acq_rel(&mail.state, state) == MAIL_SLEEPS) {
        oxi_futex_wake(&mail.state, 1);
    }
}

static void drain(void) {
    while (oxi_load_acquire(&mail.state) == MAIL_HERE) {
        oxi_cpu_relax();
    }
    for (; place_count > 0; place_count--) {
        places[place_count - 1].call(places[place_count - 1].argument);
    }
}

static void run_session(void (*body)(void)) {
    oxi_store_relaxed(&mail.state, MAIL_NONE);
    if (!oxi_thread_start(&mail.thread, read_mail, NULL, "bare")) {
        return;
    }
    body();
    drain();
    send_mail(MAIL_QUIT);
    oxi_thread_join(&mail.thread);
}

static void queue(bench_call *call, void *argument) {
    if (place_count < PLACES) {
        places[place_count].call = call;
        places[place_count++].argument = argument;
    }
}

// The last one that was queued goes to the other thread.
static void show(void) {
    if (place_count > 0) {
        mail.call = places[--place_count].call;
        mail.argument = places[place_count].argument;
        send_mail(MAIL_HERE);
    }
}

static void queue_awaited(bench_call *call, void *argument) {
    awaited_place.call = call;
    awaited_place.argument = argument;
}

static void wait_awaited(void) {
    awaited_place.call(awaited_place.argument);
}

const bench_runner bench_bare = {
    .name = "bare",
    .loads = {run_hot, run_empty, run_light, run_light, run_heavy, run_chain, run_diamonds,
              run_diamonds, run_dag},
    .session = run_session,
    .queue = queue,
    .queue_awaited = queue_awaited,
    .show = show,
    .wait_awaited = wait_awaited,
    .drain = drain,
};
