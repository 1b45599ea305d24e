// SPDX-License-Identifier: MIT
//
// Parallel writers of a container that a user writes: a tally, which threads add to side by side.

#include "safety_test.h"

static caught_reports caught;

// What one thread added, on a line of its own.
typedef struct tally_part {
    _Alignas(OX_CACHE_LINE) int64_t sum;
} tally_part;

typedef struct tally_state {
    int64_t sum;
    tally_part parts[OX_MAX_THREADS];
} tally_state;

typedef struct Tally {
    tally_state *state;
    ox_access access;
} Tally;
OX_CONTAINER(Tally, access);

typedef struct TallyWriter {
    tally_state *state;
    ox_access access;
} TallyWriter;
OX_CONTAINER(TallyWriter, access);

static tally_state shared_state;

static Tally make_tally(void) {
    Tally tally = {.state = &shared_state};
    shared_state = (tally_state){0};
    EXPECT(ox_access_create(&tally.access, &(ox_access_def){.kind = "tally", .is_whole = true}));
    return tally;
}

static TallyWriter writer_of_tally(Tally tally) {
    TallyWriter writer = {.state = tally.state};
    EXPECT(ox_access_create_writer(tally.access, &writer.access));
    return writer;
}

static bool add_to_tally(TallyWriter writer, int64_t number) {
    if (!ox_access_may_write(writer.access)) {
        return false;
    }
    writer.state->parts[ox_worker_index()].sum += number;
    return true;
}

// Takes over what threads added.
static int64_t sum_of_tally(Tally tally) {
    if (!ox_access_may_write(tally.access)) {
        return -1;
    }
    for (int k = 0; k < OX_MAX_THREADS; k++) {
        tally.state->sum += tally.state->parts[k].sum;
        tally.state->parts[k].sum = 0;
    }
    return tally.state->sum;
}

static bool dispose_tally(Tally tally) {
    if (!ox_access_may_dispose(tally.access, OX_NO_JOB)) {
        return false;
    }
    ox_access_destroy(tally.access);
    return true;
}

OX_PARALLEL_JOB(AddIndices, { TallyWriter tally; }) {
    add_to_tally(job->tally, i);
}

OX_JOB(AddOnce, {
    TallyWriter tally;
    int number;
}) {
    add_to_tally(job->tally, job->number);
}

OX_JOB(ReadTally, { OX_READ_ONLY Tally tally; }) {
}

OX_PARALLEL_JOB(AddWhole, { Tally tally; }) {
}

static void begin_writers(int workers) {
    start_workers_of_test(workers);
    catch_reports(&caught);
}

static void end_writers(Tally tally) {
    EXPECT(dispose_tally(tally));
    ox_jobs_stop();
    EXPECT_EQ(caught.all.count, 0);
    expect_nothing_kept();
}

TEST(parallel_writers, all_threads_of_a_job_write_at_the_same_time) {
    static const int workers[] = {0, 1, 2, 4, 16};
    enum { INDICES = 20000 };
    for (int k = 0; k < 5; k++) {
        begin_writers(workers[k]);
        Tally tally = make_tally();
        TallyWriter writer = writer_of_tally(tally);
        ox_job added = ox_schedule_for(AddIndices, INDICES, 16, OX_NO_JOB, {writer});
        ox_complete(ox_schedule_background(AddOnce, added, {writer, 7}));
        EXPECT_EQ(sum_of_tally(tally), (int64_t)INDICES * (INDICES - 1) / 2 + 7);
        end_writers(tally);
    }
}

TEST_CHECKED(parallel_writers,
             a_container_without_indices_is_written_by_no_parallel_job_otherwise) {
    begin_writers(0);
    Tally tally = make_tally();
    EXPECT_EQ(ox_schedule_for(AddWhole, 10, 1, OX_NO_JOB, {tally}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_NOT_DIVISIBLE);
    end_writers(tally);
}

TEST_CHECKED(parallel_writers, two_jobs_with_writers_of_one_container_race) {
    begin_writers(0);
    Tally tally = make_tally();
    TallyWriter writer = writer_of_tally(tally);
    ox_job first = ox_schedule_for(AddIndices, 10, 1, OX_NO_JOB, {writer});
    EXPECT_EQ(ox_schedule(AddOnce, OX_NO_JOB, {writer, 1}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_TWO_JOBS_RACE);
    EXPECT_EQ(ox_schedule(ReadTally, OX_NO_JOB, {tally}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_TWO_JOBS_RACE);
    ox_complete(ox_schedule(AddOnce, first, {writer, 1}));
    EXPECT_EQ(sum_of_tally(tally), 46);
    end_writers(tally);
}

TEST_CHECKED(parallel_writers, main_waits_before_it_looks) {
    begin_writers(0);
    Tally tally = make_tally();
    ox_job job = ox_schedule_for(AddIndices, 10, 1, OX_NO_JOB, {writer_of_tally(tally)});
    EXPECT_EQ(sum_of_tally(tally), -1);
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    EXPECT(!dispose_tally(tally));
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    ox_complete(job);
    EXPECT_EQ(sum_of_tally(tally), 45);
    end_writers(tally);
}

TEST_CHECKED(parallel_writers, are_made_on_main_while_jobs_use_the_container) {
    begin_writers(0);
    Tally tally = make_tally();
    ox_job job = ox_schedule_for(AddIndices, 10, 1, OX_NO_JOB, {writer_of_tally(tally)});
    TallyWriter writer = writer_of_tally(tally);
    ox_complete(ox_schedule(AddOnce, job, {writer, 5}));
    EXPECT_EQ(sum_of_tally(tally), 50);
    end_writers(tally);
}

TEST_CHECKED(parallel_writers, are_not_read) {
    begin_writers(0);
    Tally tally = make_tally();
    TallyWriter writer = writer_of_tally(tally);
    EXPECT(!ox_access_may_read(writer.access));
    EXPECT_CAUGHT(&caught, OX_REPORT_WRITER_READ);
    EXPECT(add_to_tally(writer, 3)); // main may write, while no job does
    EXPECT_EQ(sum_of_tally(tally), 3);
    end_writers(tally);
}

TEST_CHECKED(parallel_writers, are_not_made_of_the_dead_or_of_what_is_only_read) {
    begin_writers(0);
    Tally tally = make_tally();
    ox_access read_only = tally.access, writer;
    read_only.flags |= OX_ACCESS_READ_ONLY;
    EXPECT(!ox_access_create_writer(read_only, &writer));
    EXPECT_CAUGHT(&caught, OX_REPORT_READ_ONLY_WRITTEN);
    ox_access gone;
    EXPECT(ox_access_create(&gone, NULL));
    ox_access_destroy(gone);
    EXPECT(!ox_access_create_writer(gone, &writer));
    EXPECT_HAS(caught.all.text, "a writer of it is made");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    EXPECT(ox_access_create_writer((ox_access){0}, &writer)); // not watched
    EXPECT_EQ(writer.flags, OX_ACCESS_WRITE_ONLY);
    end_writers(tally);
}
