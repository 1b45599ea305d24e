// SPDX-License-Identifier: MIT
//
// Random systems: the same world for any number of workers, jobs that conflict never at the same
// time, and each wait for a reason that a naive registry has too.

#include "random_systems.h"

#include "oxbow/trace.h"

enum { SEEDS = 2000, MOST_CAUSES = 256, MOST_NOTED = 512, DWELL_US = 20 };

// The same world.

// In one of forty worlds jobs take long enough for workers to come in.
static uint64_t run_seed(uint64_t seed, bool is_serial) {
    random_begin(seed, is_serial);
    random_run.dwell_us = !is_serial && seed % 40 == 0 ? DWELL_US : 0;
    random_frames();
    return random_end();
}

TEST(systems_random, worlds_are_the_same_for_any_number_of_workers) {
    static const int workers[] = {0, 1, 2, 4, 16};
    static uint64_t expected[SEEDS];
    uint64_t first = test_seed(70), count = test_scaled(SEEDS / SLOWNESS);
    count = count < SEEDS ? count : SEEDS;
    for (uint64_t k = 0; k < count; k++) {
        expected[k] = run_seed(first + k, true);
    }
    for (int n = 0; n < 5; n++) {
        start_workers_of_test(workers[n]);
        watch_for_hang("random systems");
        for (uint64_t k = 0; k < count; k++) {
            if (run_seed(first + k, false) != expected[k]) {
                test_fail(__FILE__, __LINE__, "seed %llu with %d workers",
                          (unsigned long long)(first + k), workers[n]);
            }
        }
        end_watch();
        ox_jobs_stop();
    }
    printf("%llu seeds: the same world on main alone, and with 0, 1, 2, 4 and 16 workers\n",
           (unsigned long long)count);
}

// Jobs at the same time.

// Pairs of jobs on different threads.
static struct {
    uint64_t all;     // two different jobs
    uint64_t at_once; // of these, at the same time
} pairs;

static void expect_apart(const ox_trace_event *a, const ox_trace_event *b) {
    const random_job *first = a->kind == OX_TRACE_JOB ? random_find_job(a->name) : NULL;
    const random_job *second = b->kind == OX_TRACE_JOB ? random_find_job(b->name) : NULL;
    if (first == NULL || second == NULL || a->job.value == b->job.value) {
        return;
    }
    pairs.all++;
    if (a->begin_ns >= b->end_ns || b->begin_ns >= a->end_ns) {
        return;
    }
    pairs.at_once++;
    if (random_jobs_conflict(first, second)) {
        test_fail(__FILE__, __LINE__, "seed %llu: %s and %s at the same time",
                  (unsigned long long)random_run.seed, a->name, b->name);
    }
}

static void expect_threads_apart(int t, int u) {
    int a_count, b_count;
    const ox_trace_event *a = ox_trace_get_events(t, &a_count);
    const ox_trace_event *b = ox_trace_get_events(u, &b_count);
    for (int k = 0; k < a_count; k++) {
        for (int n = 0; n < b_count; n++) {
            expect_apart(&a[k], &b[n]);
        }
    }
}

static void expect_no_overlap(void) {
    for (int t = 0; t < ox_trace_get_thread_count(); t++) {
        for (int u = t + 1; u < ox_trace_get_thread_count(); u++) {
            expect_threads_apart(t, u);
        }
    }
}

TEST(systems_random, jobs_that_conflict_never_run_at_the_same_time) {
    uint64_t first = test_seed(71), count = test_scaled(200 / SLOWNESS);
    pairs.all = pairs.at_once = 0;
    start_workers_of_test(4);
    watch_for_hang("random systems, traced");
    for (uint64_t k = 0; k < count; k++) {
        random_begin(first + k, false);
        random_run.dwell_us = DWELL_US;
        EXPECT(ox_trace_begin(4096));
        random_frames();
        ox_world_hash(random_run.world); // completes all
        ox_trace_end();
        EXPECT_EQ(ox_trace_get_dropped(), 0);
        expect_no_overlap();
        ox_trace_clear();
        random_end();
    }
    end_watch();
    ox_jobs_stop();
    EXPECT(count < 10 || pairs.at_once > count);
    printf("%llu seeds: %llu pairs of jobs on different threads, %llu at the same time, none of "
           "these in conflict\n",
           (unsigned long long)count, (unsigned long long)pairs.all,
           (unsigned long long)pairs.at_once);
}

// Reasons. A naive registry keeps every job and every returned handle, and looks through all of
// them. Whether a job was completed is for the library to say: what a wait covers is tested
// elsewhere.

typedef struct noted_access {
    ox_job job;
    uint32_t component;
    bool writes;
    bool is_declared;
    bool covers; // it waits for all that came before it
} noted_access;

typedef struct seen_cause {
    ox_job before;
    oxi_wait_cause cause;
} seen_cause;

static struct {
    noted_access noted[MOST_NOTED];
    uint32_t noted_count;
    seen_cause causes[MOST_CAUSES];
    uint32_t cause_count;
    ox_job input; // of the system that updates
    bool has_auto, has_handles;
    uint64_t waits, inputs, autos;
} oracle;

static void note_access(noted_access access) {
    EXPECT(oracle.noted_count < MOST_NOTED);
    oracle.noted[oracle.noted_count++] = access;
}

static void forget_completed(void) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < oracle.noted_count; k++) {
        if (!oxi_job_is_settled(oracle.noted[k].job)) {
            oracle.noted[kept++] = oracle.noted[k];
        }
    }
    oracle.noted_count = kept;
}

// Takes a cause off the list of those that the library gave.
static void expect_cause(const noted_access *before, bool after_writes) {
    for (uint32_t k = 0; k < oracle.cause_count; k++) {
        const seen_cause *seen = &oracle.causes[k];
        if (seen->cause.component == before->component &&
            seen->cause.after_writes == after_writes &&
            seen->cause.before_writes == before->writes &&
            seen->cause.is_declared == before->is_declared &&
            seen->before.value == before->job.value) {
            oracle.causes[k] = oracle.causes[--oracle.cause_count];
            oracle.waits++;
            return;
        }
    }
    test_fail(__FILE__, __LINE__, "seed %llu: a wait is missing (component %u, %s after %s, %s)",
              (unsigned long long)random_run.seed, before->component,
              after_writes ? "write" : "read", before->writes ? "write" : "read",
              before->is_declared ? "declared" : "exact");
}

// What an access has to wait for in one table: the last writer that covers those before it, the
// writers behind it, and for a writer the readers.
static void expect_waits(uint32_t component, bool writes, bool is_declared) {
    uint32_t first = 0;
    for (uint32_t k = 0; k < oracle.noted_count; k++) {
        const noted_access *one = &oracle.noted[k];
        bool is_here = one->component == component && one->is_declared == is_declared;
        first = is_here && one->writes && one->covers ? k : first;
    }
    for (uint32_t k = first; k < oracle.noted_count; k++) {
        const noted_access *one = &oracle.noted[k];
        bool is_here = one->component == component && one->is_declared == is_declared;
        if (is_here && (one->writes || writes)) {
            expect_cause(one, writes);
        }
    }
}

static void expect_no_more(const char *who) {
    if (oracle.cause_count > 0) {
        test_fail(__FILE__, __LINE__, "seed %llu: %s waits for %u things without a reason",
                  (unsigned long long)random_run.seed, who, oracle.cause_count);
    }
}

static void watch_waits(void *context, ox_job before, oxi_wait_cause cause) {
    (void)context;
    EXPECT(oracle.cause_count < MOST_CAUSES);
    oracle.causes[oracle.cause_count++] = (seen_cause){before, cause};
}

static bool is_known(uint32_t component) {
    return random_run.world->store.local_of[component] != 0;
}

static void watch_scheduled(void *context, const ox_system *scope, ox_job job,
                            const ox_job_type *type, int count, ox_job after, ox_site site) {
    (void)context, (void)scope, (void)count, (void)site;
    const random_job *made = random_find_job(type->type.name);
    bool is_auto = after.value == OX_AUTO.value;
    forget_completed();
    for (uint32_t k = 0; is_auto && k < made->data.term_count; k++) {
        expect_waits(made->terms[k].id, made->terms[k].kind == OX_TERM_WRITE, false);
    }
    expect_no_more(made->name);
    for (uint32_t k = 0; !made->is_plain && k < made->data.term_count; k++) {
        if (is_known(made->terms[k].id)) {
            bool writes = made->terms[k].kind == OX_TERM_WRITE;
            note_access((noted_access){job, made->terms[k].id, writes, false, true});
        }
    }
    oracle.autos += is_auto;
    oracle.has_auto |= is_auto;
    oracle.has_handles |= !is_auto;
}

static void watch_synced(void *context, const ox_sync *sync, uint64_t begin_ns) {
    (void)context, (void)sync, (void)begin_ns;
}

static void watch_awaits(void *context, ox_job job) {
    (void)context, (void)job;
}

static void check_input(random_world *run, random_system *one, ox_job after) {
    (void)run;
    const oxi_scope *scope = random_scope_of(one);
    forget_completed();
    for (size_t k = 0; k < scope->uses.count; k++) {
        expect_waits(scope->uses.items[k].component, scope->uses.items[k].writes, false);
        expect_waits(scope->uses.items[k].component, scope->uses.items[k].writes, true);
    }
    expect_no_more(one->name);
    oracle.input = after;
    oracle.has_auto = oracle.has_handles = false;
    oracle.inputs++;
}

static void note_return(random_world *run, random_system *one, ox_job returned) {
    (void)run;
    const oxi_scope *scope = random_scope_of(one);
    bool covers = oracle.has_handles || !oracle.has_auto || returned.value == oracle.input.value;
    forget_completed();
    for (size_t k = 0;
         returned.value != 0 && !oxi_job_is_settled(returned) && k < scope->uses.count; k++) {
        const oxi_type_use *use = &scope->uses.items[k];
        note_access((noted_access){returned, use->component, use->writes, true, covers});
        if (one->kind == WITH_PLAIN) { // only the handle tells what its jobs do
            note_access((noted_access){returned, use->component, use->writes, false, false});
        }
    }
}

TEST_CHECKED(systems_random, each_wait_has_the_reason_that_a_naive_registry_has) {
    static const oxi_world_watch watch = {.waits = watch_waits,
                                          .scheduled = watch_scheduled,
                                          .synced = watch_synced,
                                          .awaits = watch_awaits};
    uint64_t first = test_seed(72), count = test_scaled(2000 / SLOWNESS);
    start_workers_of_test(2);
    watch_for_hang("random systems with reasons");
    memset(&oracle, 0, sizeof oracle);
    random_without_bare = true;
    for (uint64_t k = 0; k < count; k++) {
        random_begin(first + k, false);
        random_run.on_input = check_input;
        random_run.on_return = note_return;
        random_run.world->watch = &watch;
        oracle.noted_count = oracle.cause_count = 0;
        random_frames();
        random_run.world->watch = NULL;
        random_end();
    }
    end_watch();
    ox_jobs_stop();
    random_without_bare = false;
    EXPECT(oracle.waits > count && oracle.autos > count / 2 && oracle.inputs > count);
    printf("%llu waits of %llu inputs and %llu jobs with OX_AUTO\n",
           (unsigned long long)oracle.waits, (unsigned long long)oracle.inputs,
           (unsigned long long)oracle.autos);
}
