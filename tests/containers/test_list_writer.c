// SPDX-License-Identifier: MIT

#include "containers_test.h"

#include "base/atomics.h"
#include "base/platform.h"
#include "base/substitute.h"
#include "jobs/state.h"

static const int worker_counts[] = {0, 1, 2, 5, 16};
enum { WORKER_COUNTS = sizeof worker_counts / sizeof *worker_counts };

// Without padding: compared byte by byte.
typedef struct Mark {
    int32_t index, ordinal, id;
} Mark;

// How many values index i writes, and which: some write none.
static int writes_of(int i, int salt) {
    return (int)((uint32_t)(i * 7 + salt) * 2654435761u >> 29) % 4;
}

static Mark value_of(int i, int k, int salt) {
    return (Mark){.index = i, .ordinal = k, .id = salt};
}

OX_PARALLEL_JOB(WriteSome, {
    int salt;
    ox_list_writer out;
}) {
    for (int k = 0; k < writes_of(i, job->salt); k++) {
        ox_list_write(OX_AS(job->out, Mark), value_of(i, k, job->salt));
    }
}

OX_JOB(WriteOnce, {
    int id;
    ox_list_writer out;
}) {
    ox_list_write(OX_AS(job->out, Mark), {.id = job->id});
}

// What the job above writes when one thread runs it from 0 on.
static int write_in_sequence(Mark *to, int count, int salt) {
    int written = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < writes_of(i, salt); k++) {
            to[written++] = value_of(i, k, salt);
        }
    }
    return written;
}

static void expect_marks(ox_list list, const Mark *expected, int count) {
    EXPECT_EQ(ox_list_count(list), count);
    EXPECT(memcmp(ox_list_get_data(OX_AS(list, Mark)), expected,
                  (size_t)count * sizeof *expected) == 0);
}

enum { MOST_WRITES = 12000 };

// One round: some elements, then two jobs one after the other, then more elements.
static void compare_round(oxi_random *random, Mark *expected) {
    int first = (int)random_between(random, 0, 2000), second = (int)random_between(random, 0, 2000);
    int batch = (int)random_between(random, 1, 300);
    ox_list list = ox_list_create_untyped(Mark, MOST_WRITES + 2, OX_PERSISTENT);
    ox_list_push(OX_AS(list, Mark), {.id = -1});
    ox_list_writer writer = ox_list_writer_of(list);

    ox_job a = ox_schedule_for(WriteSome, first, batch, OX_NO_JOB, {1, writer});
    ox_job b = ox_schedule_for(WriteSome, second, batch / 2 + 1, a, {2, writer});
    ox_complete(b);
    ox_list_push(OX_AS(list, Mark), {.id = -2});

    expected[0] = (Mark){.id = -1};
    int count = 1 + write_in_sequence(expected + 1, first, 1);
    count += write_in_sequence(expected + count, second, 2);
    expected[count++] = (Mark){.id = -2};
    expect_marks(list, expected, count);
    ox_dispose(&list);
}

TEST(list_writer, lists_are_the_same_bytes_in_index_order_for_any_workers) {
    static Mark expected[MOST_WRITES + 2];
    uint64_t rounds = test_scaled(200) / SANITIZED + 1;
    for (int k = 0; k < WORKER_COUNTS; k++) {
        start_workers(worker_counts[k]);
        oxi_random random = oxi_random_seed(test_seed(74));
        for (uint64_t round = 0; round < rounds; round++) {
            compare_round(&random, expected);
        }
        ox_jobs_stop();
    }
}

OX_PARALLEL_JOB(WriteIndex, {
    ox_list_writer out;
    OX_NO_SAFETY oxi_atomic_u32 *taken;
}) {
    if (ox_list_write(OX_AS(job->out, int), i)) {
        oxi_add_relaxed(job->taken, 1);
    }
}

// Lets 500 indices write to a list with one element and room for `room` more.
static void overflow_list(int room, collected_reports *reports) {
    oxi_atomic_u32 taken = 0;
    ox_list list = ox_list_create_untyped(int, room + 1, OX_PERSISTENT);
    ox_list_push(OX_AS(list, int), -1);
    ox_list_writer writer = ox_list_writer_of(list);
    reports->count = 0;

    ox_complete(ox_schedule_for(WriteIndex, 500, 3, OX_NO_JOB, {writer, &taken}));

    EXPECT_EQ(oxi_load_relaxed(&taken), room);
    EXPECT_EQ(reports->count, 500 - room);
    EXPECT_EQ(reports->last, OX_REPORT_FULL);
    EXPECT_EQ(ox_list_count(list), room + 1);
    EXPECT_EQ(ox_list_capacity(list), room + 1);
    for (int k = 0; k < room; k++) {
        EXPECT(ox_list_read(OX_AS(list, int), k) < ox_list_read(OX_AS(list, int), k + 1));
    }
    ox_dispose(&list);
}

TEST(list_writer, exactly_as_many_as_there_is_room_for_are_taken) {
    collected_reports reports = {0};
    collect_reports(&reports);
    for (int k = 0; k < WORKER_COUNTS; k++) {
        start_workers(worker_counts[k]);
        for (int room = 0; room < 500; room += 73) {
            overflow_list(room, &reports);
        }
        ox_jobs_stop();
    }
}

TEST(list_writer, one_writer_serves_many_jobs_in_schedule_order) {
    start_workers(3);
    ox_list list = ox_list_create_untyped(Mark, 100, OX_PERSISTENT);
    ox_list_writer writer = ox_list_writer_of(list);
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < 100; k++) {
        last = ox_schedule(WriteOnce, last, {k, writer});
    }
    ox_complete(last);

    EXPECT_EQ(ox_list_count(list), 100);
    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_list_read(OX_AS(list, Mark), k).id, k);
    }
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(list_writer, it_goes_on_after_the_list_was_used) {
    start_workers(1);
    ox_list list = ox_list_create_untyped(Mark, 100, OX_PERSISTENT);
    ox_list_writer writer = ox_list_writer_of(list);
    for (int round = 0; round < 50; round++) {
        ox_complete(ox_schedule(WriteOnce, OX_NO_JOB, {round, writer}));
        EXPECT_EQ(ox_list_count(list), round + 1);
        EXPECT_EQ(ox_list_read(OX_AS(list, Mark), round).id, round);
    }
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(list_writer, it_may_be_made_while_a_job_writes) {
    start_workers(1);
    ox_list list = ox_list_create_untyped(Mark, 100, OX_PERSISTENT);
    ox_job first = ox_schedule(WriteOnce, OX_NO_JOB, {1, ox_list_writer_of(list)});
    ox_job second = ox_schedule(WriteOnce, first, {2, ox_list_writer_of(list)});
    ox_complete(second);

    EXPECT_EQ(ox_list_peek(OX_AS(list, Mark)).id, 2);
    ox_dispose(&list);
    ox_jobs_stop();
}

// Each use of a list takes over what is pending: two elements stand there, a third is written.

static ox_list make_pending(void) {
    ox_list list = ox_list_create_untyped(Mark, 10, OX_PERSISTENT);
    ox_list_push(OX_AS(list, Mark), {.id = 1});
    ox_list_push(OX_AS(list, Mark), {.id = 2});
    ox_complete(ox_schedule(WriteOnce, OX_NO_JOB, {3, ox_list_writer_of(list)}));
    return list;
}

typedef enum FirstUse {
    USE_COUNT,
    USE_CAPACITY,
    USE_GET,
    USE_EDIT,
    USE_SET,
    USE_DATA,
    USE_LAST,
    USE_PUSH,
    USE_PUSH_MANY,
    USE_INSERT,
    USE_REMOVE,
    USE_REMOVE_SWAP,
    USE_POP,
    USE_TRY_POP,
    USE_RESIZE,
    USE_RESERVE,
    USE_SET_CAPACITY,
    USE_TRIM,
    USE_VIEW,
    USE_COPY,
    USE_WRITER,
    USE_SETTLE,
    USES,
} FirstUse;

// Does one thing. @return what the count must be afterwards, or -1 when it went wrong.
// long: one line for each call
static int use_pending(ox_list list, FirstUse use) {
    Mark body = {.id = 4};
    ox_array copy;
    switch (use) {
    case USE_COUNT:
        return ox_list_count(list);
    case USE_CAPACITY:
        return ox_list_capacity(list) == 10 ? 3 : -1;
    case USE_GET:
        return ox_list_read(OX_AS(list, Mark), 2).id;
    case USE_EDIT:
        return ox_list_edit(OX_AS(list, Mark), 2)->id;
    case USE_SET:
        ox_list_set(OX_AS(list, Mark), 2, body);
        return ox_list_read(OX_AS(list, Mark), 2).id - 1;
    case USE_DATA:
        return ox_list_get_data(OX_AS(list, Mark))[2].id;
    case USE_LAST:
        return ox_list_peek(OX_AS(list, Mark)).id;
    case USE_PUSH:
        return ox_list_push(OX_AS(list, Mark), body) ? 4 : -1;
    case USE_PUSH_MANY:
        return ox_list_push_many(OX_AS(list, Mark), &body, 1) ? 4 : -1;
    case USE_INSERT:
        return ox_list_insert(OX_AS(list, Mark), 3, body) ? 4 : -1;
    case USE_REMOVE:
        return ox_list_remove(list, 2) ? 2 : -1;
    case USE_REMOVE_SWAP:
        return ox_list_remove_swap(list, 2) ? 2 : -1;
    case USE_POP:
        return ox_list_pop(OX_AS(list, Mark)).id == 3 ? 2 : -1;
    case USE_TRY_POP:
        return ox_list_try_pop(OX_AS(list, Mark), &body) && body.id == 3 ? 2 : -1;
    case USE_RESIZE:
        return ox_list_resize(OX_AS(list, Mark), 4) ? 4 : -1;
    case USE_RESERVE:
        return ox_list_reserve(list, 100) ? 3 : -1;
    case USE_SET_CAPACITY:
        return ox_list_set_capacity(list, 3) ? 3 : -1;
    case USE_TRIM:
        return ox_list_trim(list) && ox_list_capacity(list) == 3 ? 3 : -1;
    case USE_VIEW:
        return ox_array_read(OX_AS(ox_list_as_array(list), Mark), 2).id;
    case USE_COPY:
        copy = ox_list_to_array(list, OX_TEMP);
        return ox_array_read(OX_AS(copy, Mark), 2).id;
    case USE_WRITER:
        return ox_list_write(OX_AS(ox_list_writer_of(list), Mark), body) ? 4 : -1;
    case USE_SETTLE:
        return ox_list_merge(list) ? 3 : -1;
    case USES:
        break;
    }
    return -1;
}

TEST(list_writer, every_use_of_the_list_takes_over_what_is_pending) {
    start_workers(1);
    for (int use = 0; use < USES; use++) {
        ox_list list = make_pending();
        int expected = use_pending(list, (FirstUse)use);
        if (ox_list_count(list) != expected) {
            test_fail(__FILE__, __LINE__, "use %d: %d elements, not %d", use, ox_list_count(list),
                      expected);
        }
        EXPECT_EQ(ox_list_read(OX_AS(list, Mark), 1).id, 2);
        ox_dispose(&list);
    }
    ox_jobs_stop();
}

TEST(list_writer, a_list_is_cleared_or_disposed_with_something_pending) {
    start_workers(1);
    uint64_t blocks = count_blocks();
    ox_list list = make_pending();
    EXPECT(ox_list_clear(list));
    EXPECT_EQ(ox_list_count(list), 0);
    ox_dispose(&list);

    list = make_pending();
    ox_dispose(&list);
    list = make_pending();
    ox_complete(ox_dispose_after(&list, OX_NO_JOB));

    EXPECT_EQ(count_blocks(), blocks);
    ox_jobs_stop();
}

OX_JOB(SumIds, {
    OX_READ_ONLY ox_list list;
    ox_array sum;
}) {
    for (int k = 0; k < ox_list_count(job->list); k++) {
        *ox_array_edit(OX_AS(job->sum, int), 0) += ox_list_read(OX_AS(job->list, Mark), k).id;
    }
}

TEST(list_writer, jobs_that_read_the_list_together_take_it_over_once) {
    start_workers(3);
    uint64_t rounds = test_scaled(300) / SANITIZED + 1;
    for (uint64_t round = 0; round < rounds; round++) {
        ox_list list = ox_list_create_untyped(Mark, 100, OX_PERSISTENT);
        ox_list_writer writer = ox_list_writer_of(list);
        ox_array sums[4];
        ox_job readers[4], written = ox_schedule(WriteOnce, OX_NO_JOB, {7, writer});
        written = ox_schedule(WriteOnce, written, {5, writer});
        for (int k = 0; k < 4; k++) {
            sums[k] = ox_array_create_untyped(int, 1, OX_TEMP_JOB);
            readers[k] = ox_schedule(SumIds, written, {list, sums[k]});
        }
        ox_job settled = ox_list_merge_after(list, written);
        ox_jobs_kick();
        ox_complete_at(readers, 4, OX_HERE);
        ox_complete(settled);
        for (int k = 0; k < 4; k++) {
            EXPECT_EQ(ox_array_read(OX_AS(sums[k], int), 0), 12);
            ox_dispose(&sums[k]);
        }
        ox_dispose(&list);
    }
    ox_jobs_stop();
}

TEST(list_writer, a_job_settles_it_so_that_nobody_waits) {
    start_workers(1);
    ox_list list = ox_list_create_untyped(Mark, 10, OX_PERSISTENT);
    ox_job written = ox_schedule(WriteOnce, OX_NO_JOB, {7, ox_list_writer_of(list)});

    ox_job settled = ox_list_merge_after(list, written);
    ox_complete(settled);

    EXPECT_EQ(list.state->count, 1);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(list_writer, on_main_it_acts_at_once) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = ox_list_create_untyped(int, 2, OX_PERSISTENT);
    ox_list_writer writer = ox_list_writer_of(list);

    EXPECT(ox_list_write(OX_AS(writer, int), 1));
    EXPECT_EQ(ox_list_count(list), 1);
    EXPECT(ox_list_write(OX_AS(writer, int), 2));
    EXPECT(!ox_list_write(OX_AS(writer, int), 3));
    EXPECT_REPORT(&reports, OX_REPORT_FULL);

    EXPECT_EQ(ox_list_capacity(list), 2);
    EXPECT_EQ(ox_list_peek(OX_AS(list, int)), 2);
    ox_dispose(&list);
}

static void write_as_stranger(void *context) {
    ox_list_writer *writer = context;
    EXPECT(!ox_list_write(OX_AS(*writer, int), 1));
}

TEST(list_writer, a_thread_that_runs_no_job_is_told) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(1);
    ox_list list = ox_list_create_untyped(int, 2, OX_PERSISTENT);
    ox_list_writer writer = ox_list_writer_of(list);
    oxi_thread thread;

    EXPECT(oxi_thread_start(&thread, write_as_stranger, &writer, "stranger"));
    oxi_thread_join(&thread);

    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_JOB);
    EXPECT_EQ(ox_list_count(list), 0);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(list_writer, another_type_and_no_list_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = ox_list_create_untyped(int, 2, OX_PERSISTENT);

    EXPECT(!ox_list_write(OX_AS(ox_list_writer_of(list), float), 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_list_write(OX_AS((ox_list_writer){0}, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&list);
}

OX_JOB(ReadThroughWriter, { ox_list_writer out; }) {
    ox_list list = {.state = job->out.state, .access = job->out.access};
    (void)ox_list_count(list);
}

TEST_CHECKED(list_writer, a_writer_may_not_be_read) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = ox_list_create_untyped(int, 2, OX_PERSISTENT);

    ox_complete(ox_schedule(ReadThroughWriter, OX_NO_JOB, {ox_list_writer_of(list)}));

    EXPECT_REPORT(&reports, OX_REPORT_WRITER_READ);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST_CHECKED(list_writer, main_may_not_use_the_list_while_a_job_writes) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = ox_list_create_untyped(Mark, 2, OX_PERSISTENT);
    ox_list_writer writer = ox_list_writer_of(list);
    ox_job job = ox_schedule(WriteOnce, OX_NO_JOB, {1, writer});

    EXPECT_EQ(ox_list_count(list), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT(!ox_list_write(OX_AS(writer, Mark), {.id = 1}));
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT_EQ(ox_list_merge_after(list, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);

    ox_complete(job);
    EXPECT_EQ(ox_list_count(list), 1);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(list_writer, nothing_is_lost_when_memory_ends_while_settling) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_list list = make_pending();

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!ox_list_merge(list));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT_EQ(ox_list_count(list), 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(!ox_list_push(OX_AS(list, Mark), {.id = 4}));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT_EQ(ox_list_read(OX_AS(list, Mark), 0).id, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(ox_list_count(list), 3);
    EXPECT_EQ(ox_list_read(OX_AS(list, Mark), 2).id, 3);
    ox_dispose(&list);
    ox_jobs_stop();
}

OX_JOB(FailThenWrite, {
    ox_list_writer out;
    OX_NO_SAFETY int *taken;
}) {
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!ox_list_write(OX_AS(job->out, int), -1));
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    for (int k = 0; k < 5; k++) {
        *job->taken += ox_list_write(OX_AS(job->out, int), k);
    }
}

TEST(list_writer, a_write_that_finds_no_memory_takes_no_room) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_list list = ox_list_create_untyped(int, 3, OX_PERSISTENT);
    int taken = 0;

    ox_complete(ox_schedule(FailThenWrite, OX_NO_JOB, {ox_list_writer_of(list), &taken}));

    EXPECT_EQ(taken, 3);
    EXPECT_EQ(reports.count, 3); // one of memory, two of a list that is full
    EXPECT_EQ(ox_list_count(list), 3);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 0), 0);
    ox_dispose(&list);
    ox_jobs_stop();
}

// The first write gets no memory at all, the others some, and so they fetch places.
OX_JOB(OnlyFail, { ox_list_writer out; }) {
    for (int k = 0; k < 3; k++) {
        oxi_fault_plan(OXI_FAULT_FROM, k > 0);
        EXPECT(!ox_list_write(OX_AS(job->out, int), -1));
        oxi_fault_plan(OXI_FAULT_NONE, 0);
    }
}

TEST(list_writer, places_that_nobody_used_do_not_outlive_a_change_of_the_list) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_list list = ox_list_create_untyped(int, 200, OX_PERSISTENT);
    ox_list_writer writer = ox_list_writer_of(list);
    ox_complete(ox_schedule(OnlyFail, OX_NO_JOB, {writer}));
    EXPECT_EQ(reports.last, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(ox_list_resize(OX_AS(list, int), 199));

    oxi_atomic_u32 taken = 0;
    ox_complete(ox_schedule_for(WriteIndex, 50, 10, OX_NO_JOB, {writer, &taken}));

    EXPECT_EQ(oxi_load_relaxed(&taken), 1);
    EXPECT_EQ(ox_list_count(list), 200);
    ox_dispose(&list);
    ox_jobs_stop();
}

OX_PARALLEL_JOB(MakeWriter, { OX_READ_ONLY ox_list list; }) {
    EXPECT(ox_list_writer_of(job->list).state == NULL);
}

TEST_CHECKED(list_writer, a_job_that_shares_the_list_cannot_make_one) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_list list = ox_list_create_untyped(int, 10, OX_PERSISTENT);

    ox_complete(ox_schedule_for(MakeWriter, 1, 1, OX_NO_JOB, {list}));

    EXPECT_REPORT(&reports, OX_REPORT_READ_ONLY_WRITTEN);
    ox_dispose(&list);
    ox_jobs_stop();
}

static void write_and_settle(void) {
    ox_jobs_def def = {.worker_count = OX_NO_WORKERS};
    if (!ox_jobs_start(&def)) {
        return;
    }
    ox_list list = ox_list_create_untyped(int, 100, OX_PERSISTENT);
    if (ox_list_is_created(list)) {
        ox_list_writer writer = ox_list_writer_of(list);
        oxi_atomic_u32 taken = 0;
        if (writer.state != NULL) {
            ox_complete(ox_schedule_for(WriteIndex, 50, 10, OX_NO_JOB, {writer, &taken}));
            ox_complete(ox_list_merge_after(list, OX_NO_JOB));
        }
        if (ox_list_merge(list)) {
            EXPECT_EQ(ox_list_count(list), oxi_load_relaxed(&taken));
        }
        ox_dispose(&list);
    }
    ox_jobs_stop();
}

TEST(list_writer, every_allocation_may_fail) {
    ox_jobs_stop(); // a test that failed before may have left it running
    test_fault_sweep("list_writer", write_and_settle);
}
