// SPDX-License-Identifier: MIT
//
// The life of the job system: start, stop, def, workers that take part, profilers, and room that is
// used again.

#include "jobs_test.h"

#include "base/heap.h"
#include "jobs/gate.h"
#include "jobs/loop.h"
#include "oxbow/memory.h"

#include <string.h>

OX_JOB(Count, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

OX_PARALLEL_JOB(Mark, { OX_NO_SAFETY oxi_atomic_u32 *marks; }) {
    atomic_fetch_add(&job->marks[i], 1);
}

static ox_job combine_counts(int count, oxi_atomic_u32 *sum) {
    static ox_job jobs[1000];
    for (int k = 0; k < count; k++) {
        jobs[k] = ox_schedule(Count, OX_NO_JOB, {.count = sum});
    }
    return ox_combine_at(jobs, count, OX_HERE);
}

static ox_job schedule_count_chain(int length, oxi_atomic_u32 *count) {
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < length; k++) {
        last = ox_schedule(Count, last, {.count = count});
    }
    return last;
}

// Where a job runs.

OX_JOB(NoteWorker, { OX_NO_SAFETY oxi_atomic_u32 *by_worker; }) {
    atomic_fetch_add(&job->by_worker[ox_worker_index()], 1);
}

OX_PARALLEL_JOB(NoteRangeWorker, { OX_NO_SAFETY oxi_atomic_u32 *by_worker; }) {
    atomic_fetch_add(&job->by_worker[ox_worker_index()], 1);
}

TEST(jobs_life, know_their_worker) {
    oxi_atomic_u32 by_worker[64] = {0};
    start_workers_of_test(3);
    EXPECT_EQ(ox_worker_count(), 3);
    EXPECT_EQ(ox_worker_index(), 0);

    for (int k = 0; k < 100; k++) {
        ox_schedule(NoteWorker, OX_NO_JOB, {.by_worker = by_worker});
    }
    ox_schedule_for(NoteRangeWorker, 100, 1, OX_NO_JOB, {.by_worker = by_worker});
    ox_jobs_kick();
    while (by_worker[1] + by_worker[2] + by_worker[3] < 200) {
        sleep_us(100);
    }

    EXPECT_EQ(by_worker[0], 0);
    EXPECT_EQ(ox_worker_index(), 0);
    ox_jobs_stop();
}

TEST(jobs_life, run_on_main_without_workers) {
    oxi_atomic_u32 by_worker[64] = {0};
    start_workers_of_test(0);
    EXPECT_EQ(ox_worker_count(), 0);

    ox_job a = ox_schedule(NoteWorker, OX_NO_JOB, {.by_worker = by_worker});
    ox_jobs_kick();
    ox_complete(ox_schedule_for(NoteRangeWorker, 10, 3, a, {.by_worker = by_worker}));

    EXPECT_EQ(by_worker[0], 11);
    ox_jobs_stop();
    EXPECT_EQ(ox_worker_count(), 0);
}

static void note_index(void *context) {
    *(int *)context = ox_worker_index();
}

TEST(jobs_life, other_threads_have_worker_index_0) {
    start_workers_of_test(2);
    int index = -1;
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, note_index, &index, "other"));
    oxi_thread_join(&thread);
    EXPECT_EQ(index, 0);
    ox_jobs_stop();
}

OX_JOB(UseTemp, { OX_NO_SAFETY oxi_atomic_u32 *good; }) {
    unsigned char *block = ox_memory_alloc(OX_TEMP, 1000, 16);
    memset(block, 3, 1000);
    atomic_fetch_add(job->good, block[999] == 3);
}

TEST(jobs_life, have_their_temp_memory_rewound) {
    oxi_atomic_u32 good = 0;
    start_workers_of_test(0);
    ox_run(UseTemp, {.good = &good});
    unsigned char *before = ox_memory_alloc(OX_TEMP, 16, 16);

    for (int k = 0; k < 100; k++) {
        ox_complete(ox_schedule(UseTemp, OX_NO_JOB, {.good = &good}));
    }
    unsigned char *after = ox_memory_alloc(OX_TEMP, 16, 16);

    EXPECT_EQ(good, 101);
    EXPECT(after - before < 1000);
    ox_jobs_stop();
    ox_frame_end();
}

TEST(jobs_life, use_temp_memory_on_workers) {
    oxi_atomic_u32 good = 0;
    start_workers_of_test(2);
    for (int k = 0; k < 1000; k++) {
        ox_schedule(UseTemp, OX_NO_JOB, {.good = &good});
    }
    ox_jobs_kick();
    wait_for_value(&good, 1000, "jobs with temp memory");
    ox_jobs_stop();
}

// Profilers.

typedef struct profile {
    oxi_atomic_u32 begins, ends, wrong;
} profile;

static _Thread_local int profile_depth;

static void note_begin(const char *name, void *context) {
    profile *seen = context;
    atomic_fetch_add(&seen->begins, 1);
    atomic_fetch_add(&seen->wrong, profile_depth++ != 0 || strcmp(name, "Count") != 0);
}

static void note_end(const char *name, void *context) {
    profile *seen = context;
    atomic_fetch_add(&seen->ends, 1);
    atomic_fetch_add(&seen->wrong, --profile_depth != 0 || strcmp(name, "Count") != 0);
}

TEST(jobs_life, tell_a_profiler_of_each) {
    profile seen = {0};
    oxi_atomic_u32 n = 0;
    EXPECT(ox_jobs_start(&(ox_jobs_def){
        .worker_count = 2, .on_begin = note_begin, .on_end = note_end, .profile_context = &seen}));

    ox_complete(combine_counts(100, &n));
    ox_complete(schedule_count_chain(100, &n));
    ox_run(Count, {.count = &n});
    ox_jobs_stop();

    EXPECT_EQ(seen.begins, 201);
    EXPECT_EQ(seen.ends, 201);
    EXPECT_EQ(seen.wrong, 0);
}

static void count_profile(const char *name, void *context) {
    atomic_fetch_add((oxi_atomic_u32 *)context, strcmp(name, "Mark") == 0);
}

TEST(jobs_life, tell_a_profiler_of_parallel_ones_too) {
    oxi_atomic_u32 begins = 0, marks[10] = {0};
    EXPECT(ox_jobs_start(
        &(ox_jobs_def){.worker_count = 1, .on_begin = count_profile, .profile_context = &begins}));

    ox_complete(ox_schedule_for(Mark, 10, 1, OX_NO_JOB, {.marks = marks}));
    EXPECT(begins >= 1);
    uint32_t before = begins;
    ox_run_for(Mark, 10, 1, {.marks = marks});

    EXPECT(begins > before);
    ox_jobs_stop();
}

OX_JOB(Small, { int unused; }) {
}

static void count_small(const char *name, void *context) {
    atomic_fetch_add((oxi_atomic_u32 *)context, strcmp(name, "Small") == 0);
}

static uint32_t count_profiled(ox_jobs_def def) {
    oxi_atomic_u32 told = 0;
    def.worker_count = OX_NO_WORKERS;
    def.profile_context = &told;
    EXPECT(ox_jobs_start(&def));
    for (int k = 0; k < 100; k++) {
        ox_complete(ox_schedule(Small, OX_NO_JOB, {0}));
    }
    ox_jobs_stop();
    return told;
}

TEST(jobs_life, tell_a_profiler_that_wants_only_their_begin_or_only_their_end) {
    EXPECT_EQ(count_profiled((ox_jobs_def){.on_begin = count_small}), 100);
    EXPECT_EQ(count_profiled((ox_jobs_def){.on_end = count_small}), 100);
}

// Who looks on at the jobs of users.

static int watched_count;

static bool watch_begin(const oxi_job_request *request) {
    return request != NULL;
}

static void watch_copy(void *copy, const oxi_job_request *request) {
    EXPECT(memcmp(copy, request->data, request->type->type.size) == 0);
}

static void watch_scheduled(ox_job job, const oxi_job_request *request, int count) {
    EXPECT(job.value == 0 && request != NULL);
    watched_count = count;
}

TEST(jobs_life, run_in_place_tell_a_watch_of_their_indices) {
    static const oxi_plain_watch watch = {watch_begin, watch_copy, watch_scheduled};
    oxi_atomic_u32 n = 0, marks[10] = {0};
    start_workers_of_test(0);
    oxi_jobs_set_plain_watch(&watch);

    ox_run(Count, {.count = &n});
    int single_count = watched_count;
    ox_run_for(Mark, 10, 3, {.marks = marks});

    oxi_jobs_set_plain_watch(NULL);
    EXPECT_EQ(single_count, 1);
    EXPECT_EQ(watched_count, 10);
    ox_jobs_stop();
}

// Active workers.

TEST(jobs_life, set_active_while_they_run) {
    oxi_atomic_u32 n = 0;
    uint64_t rounds = test_scaled(300);
    start_workers_of_test(4);
    watch_for_hang("set_active while jobs run");
    shake_schedules(test_seed(77));
    for (uint64_t k = 0; k < rounds; k++) {
        ox_job last = combine_counts(40, &n);
        ox_job chain = schedule_count_chain(5, &n);
        ox_jobs_kick();
        ox_jobs_set_active_workers((int)(k * 7 % 6));
        ox_complete(last);
        ox_jobs_set_active_workers((int)(k * 5 % 5));
        ox_complete(chain);
    }
    oxi_yield_set_hook(NULL, NULL);
    ox_jobs_set_active_workers(4);

    EXPECT_EQ(n, rounds * 45);
    wait_until_parked();
    combine_counts(100, &n);
    ox_jobs_kick();
    wait_for_value(&n, (uint32_t)rounds * 45 + 100, "jobs after set_active");
    end_watch();
    ox_jobs_stop();
}

static double cpu_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

OX_JOB(Sleep, { OX_NO_SAFETY oxi_atomic_u32 *begun; }) {
    atomic_fetch_add(job->begun, 1);
    sleep_us(20000);
}

TEST(jobs_life, set_active_to_none_leaves_them_to_main_and_the_workers_asleep) {
    oxi_atomic_u32 n = 0, begun = 0;
    start_workers_of_test(2);
    for (int k = 0; k < 6; k++) {
        ox_schedule(Sleep, OX_NO_JOB, {.begun = &begun});
    }
    ox_job last = combine_counts(50, &n);
    ox_jobs_kick();
    wait_for_value(&begun, 2, "both workers busy");

    ox_jobs_set_active_workers(0);
    sleep_us(60000);
    uint32_t begun_before = begun, n_before = n;
    double cpu = cpu_seconds();
    sleep_us(300000);

    EXPECT(cpu_seconds() - cpu < 0.1);
    EXPECT_EQ(begun, begun_before);
    EXPECT_EQ(n, n_before);
    ox_complete(last);
    EXPECT_EQ(n, 50);
    ox_jobs_set_active_workers(2);
    wait_for_value(&begun, 6, "jobs after set_active(2)");
    ox_jobs_stop();
}

OX_JOB(WaitForGate, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    OX_NO_SAFETY oxi_atomic_u32 *gate;
}) {
    atomic_fetch_add(job->begun, 1);
    while (atomic_load(job->gate) == 0) {
        sleep_us(100);
    }
}

// The worker takes several jobs that are said to be tiny at once, and runs the first of them.
TEST(jobs_life, set_active_to_none_gives_back_what_a_worker_took) {
    oxi_atomic_u32 begun = 0, gate = 0;
    start_workers_of_test(1);
    ox_job_type_of(WaitForGate)->oxi_average_ns = 1;
    for (int k = 0; k < 20; k++) {
        ox_schedule(WaitForGate, OX_NO_JOB, {.begun = &begun, .gate = &gate});
    }
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the first job");

    ox_jobs_set_active_workers(0);
    atomic_store(&gate, 1);
    wait_for_value(&oxi_jobs.runners[1].wake, 2, "the worker that sleeps"); // as inactive
    EXPECT_EQ(begun, 1);
    ox_jobs_set_active_workers(1);

    wait_for_value(&begun, 20, "jobs after set_active(1)");
    ox_jobs_stop();
}

TEST(jobs_life, set_active_to_more_than_there_are_means_all) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(2);
    ox_jobs_set_active_workers(0);
    ox_jobs_set_active_workers(100);
    ox_jobs_set_active_workers(INT32_MAX);
    combine_counts(50, &n);
    ox_jobs_kick();
    wait_for_value(&n, 50, "jobs");
    ox_jobs_stop();
}

TEST(jobs_life, set_active_to_a_negative_number_is_reported_and_changes_nothing) {
    oxi_atomic_u32 n = 0;
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers_of_test(2);

    ox_jobs_set_active_workers(-5);

    EXPECT_HAS(reports.text, "'ox_jobs_set_active_workers' with count -5");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    combine_counts(50, &n);
    ox_jobs_kick();
    wait_for_value(&n, 50, "jobs"); // the workers run them
    ox_jobs_stop();
}

// Start and stop.

TEST(jobs_life, have_a_def_with_defaults_filled_in) {
    EXPECT(ox_jobs_start(NULL));
    ox_jobs_def def = ox_jobs_get_def();
    int spare = (int)oxi_core_count() - 1;

    EXPECT_EQ(def.worker_count, spare < OX_MAX_WORKERS ? spare : OX_MAX_WORKERS);
    EXPECT_EQ(def.background_count, 1);
    EXPECT_EQ(def.spin_us, 20);
    EXPECT_STR(def.thread_name, "oxbow");
    EXPECT_EQ(ox_worker_count(), def.worker_count);
    ox_jobs_stop();
    EXPECT_EQ(ox_jobs_get_def().spin_us, 0);
    EXPECT_EQ(ox_jobs_get_def().thread_name, NULL);
}

TEST(jobs_life, have_the_def_that_was_given) {
    char name[32] = "a very long name";
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = 1000,
                                        .background_count = 1000,
                                        .spin_us = OX_NO_SPIN,
                                        .thread_name = name}));
    name[0] = 'b';
    ox_jobs_def def = ox_jobs_get_def();

    EXPECT_EQ(def.worker_count, OX_MAX_WORKERS);
    EXPECT_EQ(def.background_count, OX_MAX_BACKGROUND);
    EXPECT_EQ(def.spin_us, 0);
    EXPECT_STR(def.thread_name, "a very lon");
    ox_jobs_stop();
}

TEST(jobs_life, have_names_that_are_cut_between_characters) {
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = 1, .thread_name = "a thread \xc3\xa9"}));
    ox_jobs_def def = ox_jobs_get_def();
    EXPECT_STR(def.thread_name, "a thread ");
    ox_jobs_stop();

    EXPECT(ox_jobs_start(&def)); // whose name is the library's own copy
    EXPECT_STR(ox_jobs_get_def().thread_name, "a thread ");
    ox_jobs_stop();
}

TEST(jobs_life, reserved_cores_leave_fewer_workers) {
    EXPECT(ox_jobs_start(&(ox_jobs_def){.reserved_cores = INT32_MAX}));
    EXPECT_EQ(ox_worker_count(), 0);
    ox_jobs_stop();
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = 2, .reserved_cores = 100}));
    EXPECT_EQ(ox_worker_count(), 2);
    ox_jobs_stop();
}

// As many threads as there can be: each has an index of its own, below OX_MAX_THREADS.

OX_JOB(MeetOthers, {
    OX_NO_SAFETY oxi_atomic_u32 *by_thread;
    OX_NO_SAFETY oxi_atomic_u32 *met;
    uint32_t expected;
}) {
    atomic_fetch_add(&job->by_thread[ox_worker_index()], 1);
    atomic_fetch_add(job->met, 1);
    wait_for_value(job->met, job->expected, "all threads meet");
}

TEST(jobs_life, have_an_index_for_each_thread_below_the_constant) {
    EXPECT_EQ(OX_MAX_THREADS, 1 + OX_MAX_WORKERS + OX_MAX_BACKGROUND);
    static oxi_atomic_u32 by_thread[OX_MAX_THREADS], met;
    EXPECT(ox_jobs_start(
        &(ox_jobs_def){.worker_count = OX_MAX_WORKERS, .background_count = OX_MAX_BACKGROUND}));
    memset(by_thread, 0, sizeof by_thread);
    atomic_store(&met, 0);
    uint32_t all = 1 + (uint32_t)ox_worker_count() + OX_MAX_BACKGROUND;
    MeetOthers value = {by_thread, &met, all};
    ox_job jobs[OX_MAX_THREADS];
    for (uint32_t k = 0; k < all; k++) {
        jobs[k] = k < OX_MAX_BACKGROUND ? ox_schedule_background(MeetOthers, OX_NO_JOB, value)
                                        : ox_schedule(MeetOthers, OX_NO_JOB, value);
    }
    ox_jobs_kick();

    ox_complete_at(jobs, (int)all, OX_HERE);

    for (uint32_t k = 0; k < all; k++) {
        EXPECT_EQ(atomic_load(&by_thread[k]), 1);
    }
    ox_jobs_stop();
}

TEST(jobs_life, know_the_size_of_a_cache_line) {
    typedef struct line {
        _Alignas(OX_CACHE_LINE) int number;
    } line;
    EXPECT_EQ(sizeof(line), 64);
    EXPECT_EQ(OX_CACHE_LINE, 64);
}

TEST(jobs_life, start_and_stop_a_thousand_times) {
    oxi_atomic_u32 n = 0;
    uint64_t rounds = test_scaled(1000);
    for (uint64_t k = 0; k < rounds; k++) {
        start_workers_of_test((int)(k % 4));
        ox_job job = ox_schedule(Count, OX_NO_JOB, {.count = &n});
        if (k % 3 == 0) {
            ox_jobs_kick();
        }
        ox_complete(job);
        ox_jobs_stop();
    }
    EXPECT_EQ(n, rounds);
}

TEST(jobs_life, stop_when_not_started_does_nothing) {
    ox_jobs_stop();
    ox_jobs_stop();
}

TEST(jobs_life, of_a_stopped_system_count_as_complete) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(1);
    ox_job old[10];
    for (int k = 0; k < 10; k++) {
        old[k] = ox_schedule(Count, OX_NO_JOB, {.count = &n});
        ox_complete(old[k]);
    }
    ox_jobs_stop();
    EXPECT(ox_job_is_complete(old[9]));

    start_workers_of_test(1);
    ox_job next = ox_schedule(Count, old[3], {.count = &n});
    for (int k = 0; k < 10; k++) {
        EXPECT(ox_job_is_complete(old[k]));
        EXPECT_NE(old[k].value, next.value);
    }
    ox_complete(ox_combine(old[0], old[1], next));
    ox_complete_at(old, 10, OX_HERE);
    EXPECT_EQ(n, 11);
    ox_jobs_stop();
}

// Room that is used again.

TEST(jobs_life, use_the_same_slots_again) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(2);
    for (int k = 0; k < 2000; k++) {
        ox_complete(combine_counts(20, &n));
    }
    EXPECT(atomic_load(&oxi_jobs.slot_count) < 1000);
    EXPECT_EQ(n, 40000);
    ox_jobs_stop();
}

static uint64_t ring_size(oxi_ring *ring) {
    return ((oxi_ring_array *)atomic_load(&ring->array))->mask + 1;
}

TEST(jobs_life, completed_in_many_rounds_do_not_pile_up_in_queues) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(0);
    for (int k = 0; k < 2000; k++) {
        ox_complete(combine_counts(20, &n));
    }
    EXPECT_EQ(ring_size(&oxi_jobs.urgent), OXI_RING_SIZE);
    EXPECT_EQ(n, 40000);
    ox_jobs_stop();
}

TEST(jobs_life, kicked_in_many_rounds_do_not_pile_up_in_queues) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(2);
    ox_jobs_set_active_workers(0);
    for (int k = 0; k < 2000; k++) {
        ox_job all = combine_counts(20, &n);
        ox_jobs_kick();
        ox_complete(all);
    }
    EXPECT_EQ(ring_size(&oxi_jobs.urgent), OXI_RING_SIZE);
    EXPECT_EQ(ring_size(&oxi_jobs.runners[0].ring), OXI_RING_SIZE);
    EXPECT_EQ(n, 40000);
    ox_jobs_stop();
}

OX_PARALLEL_JOB(CountLarge, {
    OX_NO_SAFETY oxi_atomic_u32 *count;
    char filler[20000];
}) {
    atomic_fetch_add(job->count, 1);
}

TEST(jobs_life, large_structs_of_parallel_ones_are_freed) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(0);
    ox_complete(ox_schedule_for(CountLarge, 4, 1, OX_NO_JOB, {.count = &n}));
    uint64_t blocks = oxi_heap_get_blocks();

    for (int k = 0; k < 10; k++) {
        ox_complete(ox_schedule_for(CountLarge, 4, 1, OX_NO_JOB, {.count = &n}));
    }

    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    EXPECT_EQ(n, 44);
    ox_jobs_stop();
}

// The slot of the first waits in the worker's chain, so the second has another one with the same
// version; and it gets the loop of the first.
TEST(jobs_life, done_parallel_job_has_no_work_when_its_loop_is_used_again) {
    oxi_atomic_u32 marks[10] = {0};
    start_workers_of_test(1);
    ox_job done = ox_schedule_for(Mark, 10, 1, OX_NO_JOB, {.marks = marks});
    ox_jobs_kick();
    wait_for_value(&marks[9], 1, "the parallel job");
    wait_until_parked();

    ox_job loop = ox_schedule_for(Mark, 10, 1, OX_NO_JOB, {.marks = marks});

    EXPECT_EQ(oxi_job_version(loop), oxi_job_version(done));
    EXPECT_EQ(atomic_load(&oxi_slot_of(loop)->loop), atomic_load(&oxi_slot_of(done)->loop));
    EXPECT(oxi_loop_has_work(loop));
    EXPECT(!oxi_loop_has_work(done));
    ox_complete(loop);
    ox_jobs_stop();
}

static oxi_loop *guest_loop;

OX_PARALLEL_JOB(JoinAgain, { OX_NO_SAFETY ox_job *self; }) {
    EXPECT_EQ(i, 0);
    guest_loop = oxi_loop_join(*job->self);
}

TEST(jobs_life, a_runner_that_finds_no_index_left_does_not_end_a_parallel_job_again) {
    oxi_atomic_u32 n = 0;
    ox_job done, next = OX_NO_JOB;
    start_workers_of_test(0);
    done = ox_schedule_for(JoinAgain, 1, 1, OX_NO_JOB, {.self = &done});
    ox_complete(done);
    EXPECT(guest_loop != NULL);

    oxi_loop_run(&oxi_jobs.runners[0], guest_loop, &next);

    ox_job again = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    EXPECT_EQ(oxi_job_index(again), oxi_job_index(done));
    EXPECT_EQ(oxi_job_version(again), oxi_job_version(done) + 1);
    ox_complete(again);
    ox_jobs_stop();
}

// Versions at their end.

TEST(jobs_life, versions_wrap_around) {
    oxi_atomic_u32 n = 0;
    oxi_jobs.first_version = OXI_VERSION_MASK - 3;
    start_workers_of_test(2);
    ox_job old[64];
    for (uint32_t k = 0; k < 64; k++) {
        oxi_atomic_u32 marks[20] = {0};
        old[k] = ox_schedule(Count, OX_NO_JOB, {.count = &n});
        ox_job loop = ox_schedule_for(Mark, 20, 3, old[k], {.marks = marks});
        ox_job all = ox_combine(loop, ox_schedule(Count, loop, {.count = &n}));
        EXPECT(!ox_job_is_complete(all));
        if (k % 2 == 0) {
            ox_jobs_kick();
        }
        ox_complete(all);
        EXPECT_EQ(marks[19], 1);
        for (uint32_t j = 0; j <= k; j++) {
            EXPECT(ox_job_is_complete(old[j]));
        }
    }
    EXPECT_EQ(n, 128);
    ox_jobs_stop();
    oxi_jobs.first_version = 1;
}

TEST(jobs_life, use_slots_again_that_workers_gave_back) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(1);
    for (uint32_t k = 1; k <= 1000; k++) {
        combine_counts(20, &n);
        ox_jobs_kick();
        wait_for_value(&n, 30 * k - 10, "jobs that a worker runs"); // main helps with none
        ox_complete(combine_counts(10, &n));                        // main gives back slots, too
    }
    EXPECT(atomic_load(&oxi_jobs.slot_count) < 500);
    ox_jobs_stop();
}

TEST(jobs_life, combinations_of_done_jobs_use_the_same_slot_again) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(1);
    ox_job first = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    ox_job second = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    ox_complete(first, second);
    ox_complete(ox_combine(first, second));
    uint32_t slots = atomic_load(&oxi_jobs.slot_count);

    for (int k = 0; k < 10; k++) {
        EXPECT(ox_job_is_complete(ox_combine(first, second)));
    }

    EXPECT_EQ(atomic_load(&oxi_jobs.slot_count), slots);
    ox_jobs_stop();
}

// Each runner has a slice to begin with.
TEST(jobs_life, parallel_ones_are_cut_into_slices_of_the_same_size) {
    enum { COUNT = 10, SLICES = 4 };
    oxi_atomic_u32 marks[COUNT] = {0};
    start_workers_of_test(SLICES - 1);

    ox_job job = ox_schedule_for(Mark, COUNT, 1, OX_NO_JOB, {.marks = marks});

    const oxi_loop *loop = atomic_load(&oxi_slot_of(job)->loop);
    uint32_t end = 0;
    for (int k = 0; k < SLICES; k++) {
        uint64_t range = atomic_load(&loop->slices[k].range);
        EXPECT_EQ((uint32_t)range, end);
        end = (uint32_t)(range >> 32);
        uint32_t size = end - (uint32_t)range;
        EXPECT(size == COUNT / SLICES || size == COUNT / SLICES + 1);
    }
    EXPECT_EQ(end, COUNT);
    ox_complete(job);
    ox_jobs_stop();
}

OX_JOB(NoteOrder, { OX_NO_SAFETY uint32_t *order; }) {
    *job->order = oxi_this_run.order;
}

TEST(jobs_life, no_job_is_taken_for_main_when_the_count_of_jobs_begins_anew) {
    uint32_t orders[4];
    start_workers_of_test(0);
    oxi_jobs.next_order = UINT32_MAX - 2;

    for (int k = 0; k < 4; k++) {
        ox_complete(ox_schedule(NoteOrder, OX_NO_JOB, {.order = &orders[k]}));
    }

    EXPECT(orders[0] == UINT32_MAX - 1 && orders[1] == UINT32_MAX);
    EXPECT(orders[2] == 1 && orders[3] == 2);
    EXPECT_EQ(oxi_this_run.order, 0);
    ox_jobs_stop();
}
