// SPDX-License-Identifier: MIT
//
// Two threads, each held on a core of its own, pass a word to and fro.

#include "bench_probe.h"

#include "bench.h"
#include "bench_samples.h"

#include "base/platform.h"

#include <stddef.h>

enum { GROUPS = 100, TRIPS = 20, FAR_NS = 100 };

static oxi_atomic_u32 ball;

static void wait_for_ball(uint32_t value) {
    while (oxi_load_acquire(&ball) != value) {
    }
}

static void play(int core, uint32_t own, uint32_t other, double *ns) {
    bench_hold_core(core);
    for (int group = 0; group < GROUPS; group++) {
        uint64_t begin = oxi_clock_now();
        for (int trip = 0; trip < TRIPS; trip++) {
            wait_for_ball(own);
            oxi_store_release(&ball, other);
        }
        ns[group] = (double)(oxi_clock_now() - begin) / (TRIPS * 2);
    }
}

static void play_second(void *context) {
    double unused[GROUPS];
    bench_keep(context);
    play(1, 1, 0, unused);
}

double bench_probe_cores(void) {
    double ns[GROUPS];
    oxi_thread second;
    oxi_store_relaxed(&ball, 0);
    bench_hold_core(-1); // finds out which cores there are
    if (oxi_core_count() < 2 || !oxi_thread_start(&second, play_second, NULL, "probe")) {
        return 0;
    }
    play(0, 0, 1, ns);
    oxi_thread_join(&second);
    bench_hold_core(-1);
    return bench_median(ns, GROUPS);
}

bool bench_is_near(double ns) {
    return ns < FAR_NS;
}
