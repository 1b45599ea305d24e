// SPDX-License-Identifier: MIT
//
// Writing to queues from jobs: what is read is what one thread would have written.

#include "test.h"

#include "jobs/jobs_test.h"
#include "oxbow/containers.h"

#include <string.h>

typedef struct found {
    uint32_t job;
    uint32_t index;
    uint32_t ordinal;
} found;

// How many values an index writes, 0 to 7, the same for every partition.
static uint32_t count_of_index(uint32_t job, uint32_t index) {
    uint32_t mixed = (job + 1) * 2654435761u ^ (index + 7) * 2246822519u;
    return (mixed ^ mixed >> 15) & 7;
}

OX_PARALLEL_JOB(WriteFound, {
    ox_queue_writer out;
    uint32_t number;
}) {
    for (uint32_t k = 0; k < count_of_index(job->number, (uint32_t)i); k++) {
        ox_queue_write(OX_AS(job->out, found), {job->number, (uint32_t)i, k});
    }
}

OX_JOB(WriteSome, {
    ox_queue_writer out;
    uint32_t number;
}) {
    for (uint32_t k = 0; k < 5; k++) {
        ox_queue_write(OX_AS(job->out, found), {job->number, UINT32_MAX, k});
    }
}

static void expect_found(found value, uint32_t job, uint32_t index, uint32_t ordinal) {
    EXPECT(value.job == job && value.index == index && value.ordinal == ordinal);
}

static void expect_job(ox_queue queue, uint32_t job, int count) {
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        for (uint32_t k = 0; k < count_of_index(job, i); k++) {
            expect_found(ox_queue_pop(OX_AS(queue, found)), job, i, k);
        }
    }
}

OX_JOB(WriteOne, { ox_queue_writer out; }) {
    ox_queue_write(OX_AS(job->out, found), {7, 8, 9});
}

TEST(queue_writer, one_value_that_a_job_wrote_is_read) {
    start_workers_of_test(0);
    ox_queue queue = ox_queue_create_untyped(found, 0, OX_PERSISTENT);

    ox_complete(ox_schedule(WriteOne, OX_NO_JOB, {ox_queue_writer_of(queue)}));

    expect_found(ox_queue_pop(OX_AS(queue, found)), 7, 8, 9);
    ox_dispose(&queue);
    ox_jobs_stop();
}

TEST(queue_writer, what_jobs_wrote_is_in_index_order_when_read) {
    static const int workers[] = {0, 1, 2, 5, 16};
    for (int w = 0; w < 5; w++) {
        start_workers_of_test(workers[w]);
        ox_queue queue = ox_queue_create_untyped(found, 0, OX_PERSISTENT);

        ox_complete(
            ox_schedule_for(WriteFound, 5000, 7, OX_NO_JOB, {ox_queue_writer_of(queue), 3}));

        expect_job(queue, 3, 5000);
        EXPECT(ox_queue_is_empty(queue));
        ox_dispose(&queue);
        ox_jobs_stop();
    }
}

// A number of rounds of jobs, main's own values and pops between them, the same for every number of
// workers.
typedef struct round_plan {
    int counts[4];
    int batches[4];
    int job_count;
    bool settles;
} round_plan;

static round_plan plan_round(oxi_random *random) {
    round_plan plan = {.job_count = (int)oxi_random_range(random, 1, 4),
                       .settles = oxi_random_bool(random)};
    for (int k = 0; k < plan.job_count; k++) {
        plan.counts[k] = (int)oxi_random_below(random, k == 0 ? 3000 : 200);
        plan.batches[k] = (int)oxi_random_range(random, 1, 130);
    }
    return plan;
}

static void run_round(ox_queue queue, const round_plan *plan) {
    ox_queue_writer writer = ox_queue_writer_of(queue);
    ox_job last = OX_NO_JOB;
    ox_queue_push(OX_AS(queue, found), {1000, 0, 0});
    for (int k = 0; k < plan->job_count; k++) {
        last = ox_schedule_for(WriteFound, plan->counts[k], plan->batches[k], last,
                               {writer, (uint32_t)k});
    }
    last = ox_schedule(WriteSome, last, {writer, 77});
    if (plan->settles) {
        last = ox_queue_merge_after(queue, last);
    }
    ox_complete(last);
    ox_queue_write(OX_AS(writer, found), {1001, 0, 0}); // on main: behind what jobs wrote
}

static void expect_round(ox_queue queue, const round_plan *plan) {
    expect_found(ox_queue_pop(OX_AS(queue, found)), 1000, 0, 0);
    for (int k = 0; k < plan->job_count; k++) {
        expect_job(queue, (uint32_t)k, plan->counts[k]);
    }
    for (uint32_t k = 0; k < 5; k++) {
        expect_found(ox_queue_pop(OX_AS(queue, found)), 77, UINT32_MAX, k);
    }
    expect_found(ox_queue_pop(OX_AS(queue, found)), 1001, 0, 0);
}

TEST(queue_writer, any_number_of_workers_gives_what_one_thread_gives) {
    static const int workers[] = {0, 1, 2, 5, 16};
    shake_schedules(test_seed(8));
    for (int w = 0; w < 5; w++) {
        oxi_random random = oxi_random_seed(test_seed(11));
        start_workers_of_test(workers[w]);
        ox_queue queue = ox_queue_create_untyped(found, 0, OX_PERSISTENT);
        for (uint64_t k = 0; k < test_scaled(30 / SLOWNESS + 1); k++) {
            round_plan first = plan_round(&random), second = plan_round(&random);
            run_round(queue, &first);
            run_round(queue, &second);
            expect_round(queue, &first);
            expect_round(queue, &second);
            EXPECT(ox_queue_is_empty(queue));
        }
        ox_dispose(&queue);
        ox_jobs_stop();
    }
}

TEST(queue_writer, counting_sees_what_is_pending) {
    start_workers_of_test(2);
    ox_queue queue = ox_queue_create_untyped(found, 0, OX_PERSISTENT);
    ox_queue_push(OX_AS(queue, found), {0});

    ox_complete(ox_schedule(WriteSome, OX_NO_JOB, {ox_queue_writer_of(queue), 1}));

    EXPECT_EQ(ox_queue_count(queue), 6);
    EXPECT(!ox_queue_is_empty(queue));
    EXPECT_EQ(ox_queue_read(OX_AS(queue, found), 5).ordinal, 4);
    EXPECT_EQ(ox_queue_count(queue), 6);
    ox_dispose(&queue);
    ox_jobs_stop();
}

// Each way to look at a queue, first after a job wrote to it.
typedef enum first_use {
    USE_POP,
    USE_TRY_POP,
    USE_PEEK,
    USE_GET,
    USE_ARRAY,
    USE_PUSH,
    USE_PUSH_MANY,
    USE_RESERVE,
    USE_CLEAR,
    USE_COUNT
} first_use;

static void use_queue(ox_queue queue, first_use use) {
    found value = {0};
    if (use == USE_POP) {
        expect_found(ox_queue_pop(OX_AS(queue, found)), 1, UINT32_MAX, 0);
    } else if (use == USE_TRY_POP) {
        EXPECT(ox_queue_try_pop(OX_AS(queue, found), &value));
        expect_found(value, 1, UINT32_MAX, 0);
    } else if (use == USE_PEEK) {
        expect_found(ox_queue_peek(OX_AS(queue, found)), 1, UINT32_MAX, 0);
    } else if (use == USE_GET) {
        expect_found(ox_queue_read(OX_AS(queue, found), 4), 1, UINT32_MAX, 4);
    } else if (use == USE_ARRAY) {
        ox_array array = ox_queue_to_array(queue, OX_PERSISTENT);
        EXPECT_EQ(array.count, 5);
        expect_found(ox_array_read(OX_AS(array, found), 3), 1, UINT32_MAX, 3);
        ox_dispose(&array);
    } else if (use == USE_PUSH || use == USE_PUSH_MANY) {
        EXPECT(use == USE_PUSH ? ox_queue_push(OX_AS(queue, found), value)
                               : ox_queue_push_many(OX_AS(queue, found), &value, 1));
        expect_found(ox_queue_read(OX_AS(queue, found), 5), 0, 0, 0);
        expect_found(ox_queue_read(OX_AS(queue, found), 0), 1, UINT32_MAX, 0);
    } else if (use == USE_RESERVE) {
        EXPECT(ox_queue_reserve(queue, 64));
    } else if (use == USE_CLEAR) {
        ox_queue_clear(queue);
    }
}

TEST(queue_writer, every_use_sees_what_jobs_wrote) {
    static const int32_t counts[] = {4, 4, 5, 5, 5, 6, 6, 5, 0, 5};
    start_workers_of_test(1);
    for (int use = USE_POP; use <= USE_COUNT; use++) {
        ox_queue queue = ox_queue_create_untyped(found, 8, OX_TEMP_JOB);
        ox_complete(ox_schedule(WriteSome, OX_NO_JOB, {ox_queue_writer_of(queue), 1}));

        use_queue(queue, (first_use)use);

        EXPECT_EQ(ox_queue_count(queue), counts[use]);
        ox_dispose(&queue);
    }
    ox_jobs_stop();
}

OX_PARALLEL_JOB(ReadFound, {
    OX_READ_ONLY ox_queue in;
    OX_NO_SAFETY oxi_atomic_u32 *wrong;
}) {
    uint32_t index = (uint32_t)i;
    bool right = ox_queue_count(job->in) == 2000;
    right = right && ox_queue_read(OX_AS(job->in, uint32_t), i) == index * 3;
    right = right && ox_queue_peek(OX_AS(job->in, uint32_t)) == 0;
    if (!right) {
        atomic_fetch_add(job->wrong, 1);
    }
}

OX_PARALLEL_JOB(WriteTriple, { ox_queue_writer out; }) {
    ox_queue_write(OX_AS(job->out, uint32_t), (uint32_t)i * 3);
}

TEST(queue_writer, many_readers_may_come_at_once_to_what_is_pending) {
    start_workers_of_test(5);
    shake_schedules(test_seed(9));
    for (int round = 0; round < 40; round++) {
        oxi_atomic_u32 wrong = 0;
        ox_queue queue = ox_queue_create_untyped(uint32_t, 0, OX_PERSISTENT);

        ox_job written =
            ox_schedule_for(WriteTriple, 2000, 8, OX_NO_JOB, {ox_queue_writer_of(queue)});
        ox_complete(ox_schedule_for(ReadFound, 2000, 8, written, {queue, &wrong}));

        EXPECT_EQ(atomic_load(&wrong), 0);
        ox_dispose(&queue);
    }
    ox_jobs_stop();
}

TEST(queue_writer, a_queue_can_be_disposed_after_the_job_that_writes) {
    start_workers_of_test(2);
    ox_queue queue = ox_queue_create_untyped(found, 0, OX_TEMP_JOB);

    ox_job written = ox_schedule_for(WriteFound, 500, 8, OX_NO_JOB, {ox_queue_writer_of(queue), 1});
    ox_job disposed = ox_dispose_after(&queue, written);

    EXPECT(!ox_queue_is_created(queue));
    EXPECT(disposed.value != 0);
    ox_complete(disposed);
    ox_jobs_stop();
    EXPECT_EQ(ox_memory_get_usage(OX_TEMP_JOB).block_count, 0);
}

static void write_as_stranger(void *context) {
    ox_queue_write(OX_AS(*(ox_queue_writer *)context, int), 1);
}

TEST(queue_writer, a_thread_without_a_job_may_not_write) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    ox_queue_writer writer = ox_queue_writer_of(queue);
    oxi_thread thread;

    EXPECT(oxi_thread_start(&thread, write_as_stranger, &writer, "stranger"));
    oxi_thread_join(&thread);

    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_JOB);
    EXPECT(ox_queue_is_empty(queue));
    ox_dispose(&queue);
    ox_jobs_stop();
}

TEST(queue_writer, wrong_input_is_a_report_and_has_no_effect) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    ox_queue_writer writer = ox_queue_writer_of(queue);

    EXPECT(!ox_queue_write(OX_AS(writer, float), 1));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_queue_write(OX_AS((ox_queue_writer){0}, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(ox_queue_writer_of((ox_queue){0}).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_queue_merge_after((ox_queue){0}, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);

    EXPECT(ox_queue_is_empty(queue));
    ox_dispose(&queue);
}

TEST_CHECKED(queue_writer, main_leaves_a_queue_alone_while_a_job_writes) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(found, 0, OX_PERSISTENT);
    ox_queue_writer writer = ox_queue_writer_of(queue);
    ox_job job = ox_schedule(WriteSome, OX_NO_JOB, {writer, 1});

    EXPECT_EQ(ox_queue_count(queue), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT(!ox_queue_write(OX_AS(writer, found), {0}));
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_dispose(&queue);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT_EQ(ox_queue_merge_after(queue, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(ox_queue_writer_of(queue).state != NULL); // for a job that comes after

    ox_complete(job);
    EXPECT_EQ(ox_queue_count(queue), 5);
    ox_dispose(&queue);
    ox_jobs_stop();
    EXPECT_EQ(reports.count, 0);
}

OX_PARALLEL_JOB(PushPlainly, { ox_queue queue; }) {
    ox_queue_push(OX_AS(job->queue, int), i);
}

TEST_CHECKED(queue_writer, a_parallel_job_cannot_push_without_one) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);

    ox_complete(ox_schedule_for(PushPlainly, 1, 1, OX_NO_JOB, {queue}));

    EXPECT_REPORT(&reports, OX_REPORT_NOT_DIVISIBLE);
    EXPECT(ox_queue_is_empty(queue));
    ox_dispose(&queue);
    ox_jobs_stop();
}

TEST_CHECKED(queue_writer, temp_memory_cannot_be_disposed_by_a_job) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_TEMP);
    ox_queue other = ox_queue_create_untyped(found, 0, OX_PERSISTENT);
    ox_job job = ox_schedule(WriteSome, OX_NO_JOB, {ox_queue_writer_of(other), 1});

    EXPECT_EQ(ox_dispose_after(&queue, job).value, 0);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_IN_JOB);
    EXPECT(ox_queue_push(OX_AS(queue, int), 1));
    ox_dispose(&queue);
    ox_complete(ox_dispose_after(&other, job));
    ox_jobs_stop();
}

// What was written before a refusal is there, in order, whatever failed.
static void write_through_refusals(void) {
    ox_queue queue = ox_queue_create_untyped(found, 0, OX_PERSISTENT);
    if (!ox_queue_is_created(queue)) {
        return;
    }
    ox_queue_writer writer = ox_queue_writer_of(queue);
    ox_complete(ox_schedule_for(WriteFound, 300, 20, OX_NO_JOB, {writer, 1}));
    int32_t count = ox_queue_count(queue);
    ox_complete(ox_queue_merge_after(queue, OX_NO_JOB));
    EXPECT_EQ(ox_queue_count(queue), count);
    found last = {0}, value;
    int32_t read = 0;
    for (; ox_queue_try_pop(OX_AS(queue, found), &value); read++) {
        EXPECT(value.index > last.index || read == 0 ||
               (value.index == last.index && value.ordinal > last.ordinal));
        last = value;
    }
    EXPECT_EQ(read + ox_queue_count(queue), count); // what could not be settled stays
    ox_complete(ox_dispose_after(&queue, OX_NO_JOB));
    if (ox_queue_is_created(queue)) {
        ox_dispose(&queue);
    }
}

TEST(queue_writer, nothing_is_lost_when_memory_runs_out) {
    start_workers_of_test(0);
    test_fault_sweep("queue writer", write_through_refusals);
    ox_jobs_stop();
}

static void ignore_report(const ox_report *report, void *context) {
    (void)report;
    (void)context;
}

// Workers make memory of their own when they first take part, so no blocks are counted here.
TEST(queue_writer, nothing_is_lost_when_workers_run_out_of_memory) {
    start_workers_of_test(4);
    ox_report_set_handler((ox_report_handler){ignore_report, NULL});
    for (uint64_t k = 0; k < 60; k++) {
        oxi_fault_plan(k % 2 == 0 ? OXI_FAULT_ONE : OXI_FAULT_FROM, k / 2);
        write_through_refusals();
    }
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    ox_jobs_stop();
}
