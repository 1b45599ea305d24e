// SPDX-License-Identifier: MIT
//
// Kicking and completing, main's side of the scheduler.
//
// Jobs that were scheduled and not kicked are on a list in the order of scheduling. A kick shows
// all of them. A wait shows only the awaited job and what it depends on: they are found by walking
// predecessors, and each job that is shown is marked as kicked, so the walk visits it once.
//
// A publication shows all of them too, but wakes nobody for what takes less time than a wake-up.
// Workers that are awake find it. What they do not take is in main's ring, counted in `unwoken_ns`,
// and a worker is woken for it at last: when there is enough of it, when the room above says so, or
// before main is busy with something else or sleeps. So main never sleeps on work that no worker
// was told of.
//
// While it waits, main runs in this order: the awaited job, or what it depends on when that is
// ready; batches of awaited parallel jobs; other kicked jobs that are known to be short. Then it
// spins for a while, and sleeps.

#include "jobs/complete.h"

#include "base/check.h"
#include "base/list.h"
#include "jobs/background.h"
#include "jobs/graph.h"
#include "jobs/loop.h"
#include "jobs/parking.h"
#include "jobs/runner.h"
#include "jobs/timing.h"
#include "jobs/trace.h"

enum {
    FIRST_UNKICKED = 1024,
    WALK_VISITS = 64,
    FEWEST = 1 << 30,
    OTHERS_AT_ONCE = 8,
    MOST_LOOKS = 1024
};

static struct {
    OXI_LIST(ox_job) jobs;  // scheduled, not kicked; some of them kicked or done meanwhile
    OXI_LIST(ox_job) stack; // of the walk; large enough for the jobs, so a walk cannot fail
    size_t shown;           // combinations, and jobs that walks have kicked: at most so many
                            // entries are stale
} unkicked;

static uint64_t word_of(ox_job job) {
    return oxi_load_acquire(&oxi_slot_of(job)->word);
}

static bool is_unkicked(ox_job job) {
    return job.value != 0 && !oxi_job_is_done(job) && (word_of(job) & OXI_JOB_KICKED) == 0;
}

static void drop_stale_jobs(void) {
    size_t kept = 0, combinations = 0;
    for (size_t k = 0; k < unkicked.jobs.count; k++) {
        if (is_unkicked(unkicked.jobs.items[k])) {
            combinations += oxi_slot_of(unkicked.jobs.items[k])->type == NULL;
            unkicked.jobs.items[kept++] = unkicked.jobs.items[k];
        }
    }
    unkicked.jobs.count = kept;
    unkicked.shown = combinations;
}

// Makes room for more jobs, and for the walk over them: it holds each predecessor of an unkicked
// job at most once, and a combination has eight.
static bool make_unkicked_room(void) {
    if (unkicked.shown >= unkicked.jobs.count / 2) {
        drop_stale_jobs();
    }
    size_t room = unkicked.jobs.count * 2 + FIRST_UNKICKED;
    return oxi_list_reserve(&unkicked.stack, (room + 1) * OXI_EDGES) &&
           oxi_list_reserve(&unkicked.jobs, room);
}

bool oxi_unkicked_add(ox_job job) {
    if (unkicked.jobs.count == unkicked.jobs.capacity && !make_unkicked_room()) {
        return false;
    }
    unkicked.jobs.items[unkicked.jobs.count++] = job;
    // A combination may end, and its slot be used again, without a kick: its entry may be stale.
    unkicked.shown += oxi_slot_of(job)->type == NULL;
    return true;
}

void oxi_unkicked_free(void) {
    oxi_list_free(&unkicked.jobs);
    oxi_list_free(&unkicked.stack);
    unkicked.shown = 0;
    oxi_jobs.unwoken_ns = 0;
}

// Marks a job as kicked, with more flags. Returns its word; READY in it means that it is up to main
// to queue or run the job.
static uint64_t kick_job(oxi_slot *slot, uint64_t flags) {
    oxi_trace_kicked(slot);
    uint64_t word = oxi_load_acquire(&slot->word);
    if ((word & OXI_JOB_READY) != 0) {
        // Ready and not kicked: nobody but main knows the job.
        oxi_store_relaxed(&slot->word, word | OXI_JOB_KICKED | flags);
        return word;
    }
    return oxi_or_acq_rel(&slot->word, OXI_JOB_KICKED | flags);
}

static bool has_onlookers(void) {
    return oxi_jobs.worker_count > 0 || oxi_background_is_used();
}

// Kicks all that is on the list, and queues what is ready. Not published yet.
static void kick_list(oxi_runner *main) {
    for (size_t k = 0; k < unkicked.jobs.count; k++) {
        ox_job job = unkicked.jobs.items[k];
        if (k + OXI_PREFETCHED < unkicked.jobs.count) {
            oxi_slot_prefetch(unkicked.jobs.items[k + OXI_PREFETCHED]);
        }
        if (is_unkicked(job)) { // a walk may have shown it; a combination may be done
            uint64_t word = kick_job(oxi_slot_of(job), 0);
            if ((word & OXI_JOB_READY) != 0) {
                oxi_job_enqueue(main, job, word);
            }
        }
    }
    unkicked.jobs.count = 0;
    unkicked.shown = 0;
}

void oxi_jobs_kick_all(void) {
    oxi_runner *main = &oxi_jobs.runners[0];
    if (has_onlookers()) {
        kick_list(main);
        oxi_job_publish(main);
        oxi_jobs_wake(); // for what was published before
    }
}

// How long an unkicked job will take workers. One that was never timed, or has no count yet, is
// taken for a long one.
static uint64_t likely_ns(const oxi_slot *slot) {
    uint64_t word = oxi_load_relaxed(&slot->word);
    if (slot->type == NULL || (word & OXI_JOB_BACKGROUND) != 0) {
        return 0;
    }
    uint64_t average = oxi_average_of(slot->type);
    if (average == 0 || (word & OXI_JOB_LATE) != 0) {
        return OXI_WAKE_NS + 1;
    }
    const oxi_loop *loop = oxi_load_relaxed(&slot->loop);
    return (word & OXI_JOB_LOOP) != 0 ? average * loop->count : average;
}

// Adds up what is on the list, while it is there: once it is kicked, a job may be run, and its slot
// be used again, at any moment.
static void count_unwoken(void) {
    for (size_t k = 0; k < unkicked.jobs.count && oxi_jobs.unwoken_ns <= OXI_WAKE_NS; k++) {
        ox_job job = unkicked.jobs.items[k];
        uint64_t ns = is_unkicked(job) ? likely_ns(oxi_slot_of(job)) : 0;
        if (ns > 0) {
            oxi_jobs.unwoken_only = oxi_jobs.unwoken_ns == 0 ? job : OX_NO_JOB;
            oxi_jobs.unwoken_ns += ns;
        }
    }
}

void oxi_jobs_publish(void) {
    if (unkicked.jobs.count == 0 || !has_onlookers()) {
        return;
    }
    count_unwoken();
    kick_list(&oxi_jobs.runners[0]);
    oxi_job_show(&oxi_jobs.runners[0]);
    if (oxi_jobs.unwoken_ns > OXI_WAKE_NS) {
        oxi_jobs_wake();
    }
}

// Walking predecessors.

static void push_walk(ox_job job) {
    if (is_unkicked(job)) {
        bool pushed = oxi_list_push(&unkicked.stack, job); // unfailed: room was made before
        OXI_ASSERT(pushed);
        (void)pushed;
    }
}

static void push_predecessors(oxi_slot *slot) {
    if (slot->type != NULL) {
        push_walk(slot->after);
        return;
    }
    for (uint32_t k = 0; k < slot->parts.count; k++) {
        push_walk(slot->parts.jobs[k]);
    }
}

// Shows an awaited job and what it depends on. The first job that can run at once is put into
// `*first`, if that is empty; others that can are queued.
static void show_awaited(ox_job job, ox_job *first) {
    oxi_list_clear(&unkicked.stack);
    push_walk(job);
    while (unkicked.stack.count > 0) {
        ox_job visited = oxi_list_pop(&unkicked.stack);
        if (!is_unkicked(visited)) {
            continue;
        }
        oxi_slot *slot = oxi_slot_of(visited);
        uint64_t word = kick_job(slot, OXI_JOB_AWAITED);
        unkicked.shown++;
        if ((word & OXI_JOB_READY) == 0) {
            push_predecessors(slot);
        } else if (first->value == 0 && (word & OXI_JOB_BACKGROUND) == 0) {
            *first = visited;
        } else {
            oxi_job_enqueue(&oxi_jobs.runners[0], visited, word | OXI_JOB_AWAITED);
        }
    }
}

// True when main could run something of this job: it is ready, and nobody has it, or all of it.
static bool is_open(ox_job job, bool background_too) {
    uint64_t word = word_of(job);
    uint64_t refused = OXI_JOB_CLAIMED | (background_too ? 0 : OXI_JOB_BACKGROUND);
    if (word >> OXI_FLAG_BITS != oxi_job_version(job) || (word & OXI_JOB_READY) == 0 ||
        (word & refused) != 0) {
        return false;
    }
    return (word & OXI_JOB_LOOP) == 0 || oxi_loop_has_work(job);
}

// Main waiting for one job of several.
typedef struct awaited_walk {
    ox_job job;
    const ox_job *others; // all that it waits for
    int other_count;
    int cursor;                // the one of them that was looked at last
    bool is_linked;            // main's edge is in the list of the job
    int depth;                 // of the stack; 0: the next look begins at the job
    ox_job stack[WALK_VISITS]; // what to look at, from a look that did not come to its end
} awaited_walk;

// A new look: at the job first, then at a few of the others in turn.
static void begin_look(awaited_walk *walk) {
    walk->depth = 0;
    for (int k = 0; k < OTHERS_AT_ONCE && k < walk->other_count; k++) {
        walk->cursor = (walk->cursor + 1) % walk->other_count;
        walk->stack[walk->depth++] = walk->others[walk->cursor];
    }
    walk->stack[walk->depth++] = walk->job;
}

// Looks through what main waits for, and what that depends on, for something to run: a bounded
// number of steps, from where the last look stopped.
static ox_job find_awaited(awaited_walk *walk) {
    if (walk->depth == 0 || is_open(walk->job, true)) {
        begin_look(walk);
    }
    for (int visits = 0; walk->depth > 0 && visits < WALK_VISITS; visits++) {
        ox_job visited = walk->stack[--walk->depth];
        if (visited.value == 0 || oxi_job_is_done(visited)) {
            continue;
        }
        if (is_open(visited, visited.value == walk->job.value)) {
            return visited;
        }
        const oxi_slot *slot = oxi_slot_of(visited);
        bool combines = slot->type == NULL;
        uint32_t count = combines ? slot->parts.count : 1;
        for (uint32_t k = 0; k < count && walk->depth < WALK_VISITS; k++) {
            walk->stack[walk->depth++] = combines ? slot->parts.jobs[k] : slot->after;
        }
    }
    return OX_NO_JOB;
}

// The job at the front of a ring, if main may run it while it waits for another: it is known to be
// short, or nobody else would run it. Stale entries are dropped.
static ox_job find_front(oxi_ring *ring, bool alone) {
    uint64_t entry;
    for (ox_job job = {oxi_ring_peek(ring)}; job.value != 0; job.value = oxi_ring_peek(ring)) {
        const oxi_slot *slot = oxi_slot_of(job);
        if (is_open(job, false)) {
            // Only main writes `type`, so it may read it here.
            bool is_loop = (word_of(job) & (OXI_JOB_LOOP | OXI_JOB_LATE)) != 0;
            bool is_short = !is_loop && oxi_is_shorter(slot->type, OXI_SHORT_JOB_NS);
            return alone || is_short ? job : OX_NO_JOB;
        }
        if (oxi_ring_take(ring, FEWEST, &entry) == 0) {
            return OX_NO_JOB;
        }
        if (entry != job.value && is_open((ox_job){entry}, false)) {
            // Another was in front by then, and is in main's hands now: it must not get lost.
            oxi_job_enqueue(&oxi_jobs.runners[0], (ox_job){entry}, 0);
            oxi_job_publish(&oxi_jobs.runners[0]);
        }
    }
    return OX_NO_JOB;
}

// True when main's ring has something to run. Drops stale entries: nobody else may be awake for it.
static bool has_open_entries(void) {
    return find_front(&oxi_jobs.runners[0].ring, true).value != 0;
}

void oxi_jobs_wake(void) {
    if (oxi_jobs.unwoken_ns == 0) {
        return;
    }
    oxi_jobs.unwoken_ns = 0;
    // What is not in the ring was run, or waits for a job that somebody runs, who wakes for it.
    if (has_open_entries()) {
        oxi_wake_for_work();
    }
}

// A job that is in no queue because memory was at its end: looks at all jobs there are.
static ox_job find_unqueued(void) {
    // acquire: pairs with the release that noted it, so that job is seen as ready.
    if (oxi_exchange_acquire(&oxi_jobs.unqueued, 0) == 0) {
        return OX_NO_JOB;
    }
    for (uint32_t k = 1; k < oxi_load_relaxed(&oxi_jobs.slot_count); k++) {
        uint64_t word = oxi_load_acquire(&oxi_jobs.slots[k].word);
        ox_job job = oxi_job_of(&oxi_jobs.slots[k], word);
        if ((word & OXI_JOB_KICKED) != 0 && !oxi_job_is_done(job) && is_open(job, false)) {
            oxi_store_relaxed(&oxi_jobs.unqueued, 1); // there may be more
            return job;
        }
    }
    return OX_NO_JOB;
}

static ox_job find_other(void) {
    bool alone = oxi_load_relaxed(&oxi_jobs.active) == 0;
    ox_job job = find_front(&oxi_jobs.urgent, true);
    for (uint32_t k = 0; k < oxi_jobs.runner_count && job.value == 0; k++) {
        job = find_front(&oxi_jobs.runners[k].ring, alone);
    }
    if (job.value == 0 && oxi_load_relaxed(&oxi_jobs.unqueued) != 0) {
        job = find_unqueued();
    }
    return job;
}

static ox_job find_help(awaited_walk *walk) {
    ox_job found = find_awaited(walk);
    return found.value != 0 ? found : find_other();
}

// Sleeps until the job is done or there is something to help with. Main's idle bit is set while it
// looks for the last time, and not while it runs what it found.
static ox_job sleep_until_useful(awaited_walk *walk) {
    oxi_runner *main = &oxi_jobs.runners[0];
    oxi_jobs_wake(); // main refuses some work, and its look for the rest is bounded
    oxi_park_announce(main);
    walk->is_linked = walk->is_linked || oxi_job_link_waiter(walk->job);
    walk->depth = 0;
    ox_job found = find_help(walk);
    oxi_park_main(main, found.value == 0 && !oxi_job_is_done(walk->job));
    return found;
}

// Waits for one job that is shown.
static void wait_for_job(ox_job job, const ox_job *others, int other_count) {
    oxi_runner *main = &oxi_jobs.runners[0];
    ox_job found = OX_NO_JOB;
    uint64_t idle_since = 0;
    int looks = 0;
    awaited_walk walk; // its stack needs no value
    walk.job = job;
    walk.others = others;
    walk.other_count = other_count;
    walk.cursor = 0;
    walk.is_linked = false;
    walk.depth = 0;
    while (!oxi_job_is_done(job)) {
        if (found.value == 0 && main->taken_count > 0) {
            found.value = main->taken[--main->taken_count];
        }
        found = found.value != 0 ? found : find_help(&walk);
        if (found.value != 0) {
            oxi_run_entry(main, found);
            found = OX_NO_JOB;
            idle_since = 0;
            looks = 0;
            continue;
        }
        if (walk.depth > 0 && looks++ < MOST_LOOKS) {
            continue; // there is more to look at
        }
        uint64_t now = oxi_clock_now();
        idle_since = idle_since == 0 ? now : idle_since;
        if (now - idle_since < oxi_jobs.spin_ns) {
            oxi_cpu_relax();
            continue;
        }
        found = sleep_until_useful(&walk);
        idle_since = 0;
        looks = 0;
    }
}

// The common case: one job that was scheduled last, is ready, and is known to main alone. Nothing
// is shown to anybody.
static bool run_last_scheduled(ox_job job) {
    size_t last = unkicked.jobs.count;
    if (last == 0 || unkicked.jobs.items[last - 1].value != job.value) {
        return false;
    }
    oxi_slot *slot = oxi_slot_of(job);
    // acquire: pairs with the release of the runner that made it ready.
    uint64_t word = oxi_load_acquire(&slot->word);
    if (word != (oxi_job_version(job) << OXI_FLAG_BITS | OXI_JOB_READY)) {
        return false;
    }
    unkicked.jobs.count--;
    oxi_trace_kicked(slot);
    oxi_store_relaxed(&slot->word, word | OXI_JOB_KICKED | OXI_JOB_CLAIMED | OXI_JOB_AWAITED);
    oxi_run_claimed(&oxi_jobs.runners[0], job);
    return true;
}

// Without workers nobody but main takes entries out of the queues: drops those of jobs that are
// done, so that they do not pile up.
static void drop_done_entries(void) {
    if (oxi_load_relaxed(&oxi_jobs.active) == 0) {
        find_front(&oxi_jobs.urgent, true);
        for (uint32_t k = 0; k < oxi_jobs.runner_count; k++) {
            find_front(&oxi_jobs.runners[k].ring, true);
        }
    }
}

// Main is about to be busy: wakes a worker for what was published beside. Not for one job that main
// is going to run itself, nor for so little that main is faster alone.
static void wake_for_rest(const ox_job *jobs, int count) {
    if (count == 1 && jobs[0].value == oxi_jobs.unwoken_only.value) {
        return;
    }
    for (int k = 0; k < count; k++) {
        if (!oxi_job_is_done(jobs[k])) {
            oxi_jobs_wake();
            return;
        }
    }
}

// Forgets what was published and is done: main was its only runner, perhaps.
static void forget_unwoken(void) {
    if (oxi_jobs.unwoken_ns > 0 && !has_open_entries()) {
        oxi_jobs.unwoken_ns = 0;
    }
}

void oxi_jobs_wait_all(const ox_job *jobs, int count) {
    if (oxi_jobs.unwoken_ns >= OXI_ALONE_NS) {
        wake_for_rest(jobs, count);
    }
    if (count == 1 && run_last_scheduled(jobs[0])) {
        return;
    }
    ox_job first = OX_NO_JOB;
    for (int k = 0; k < count && unkicked.jobs.count > 0; k++) {
        show_awaited(jobs[k], &first);
    }
    oxi_job_publish(&oxi_jobs.runners[0]);
    if (first.value != 0) {
        oxi_run_entry(&oxi_jobs.runners[0], first); // it is in no queue
    }
    // From the last to the first: workers take the first ones from the queue meanwhile.
    for (int k = count - 1; k >= 0; k--) {
        if (k >= OXI_PREFETCHED) {
            oxi_slot_prefetch(jobs[k - OXI_PREFETCHED]);
        }
        wait_for_job(jobs[k], jobs, k);
    }
    oxi_jobs.runners[0].taken_count = 0; // what main waited for is done: these are stale
    drop_done_entries();
    forget_unwoken();
}
