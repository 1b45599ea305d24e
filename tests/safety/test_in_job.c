// SPDX-License-Identifier: MIT
//
// What a job may do with its containers while it runs, on whatever thread.
//
// Bodies do not EXPECT: on main that would jump out of the job. They note their answers in a global
// and main looks at them afterwards.

#include "safety_test.h"

static caught_reports caught;
static oxi_atomic_u32 answers; // one bit for each question that was answered with true
static Box global_box, kept_copy;

static void note_answer(int bit, bool answer) {
    atomic_fetch_or(&answers, (uint32_t)answer << bit);
}

static void begin_in_job(int workers) {
    start_workers_of_test(workers);
    catch_reports(&caught);
    atomic_store(&answers, 0);
}

static void end_in_job(void) {
    ox_jobs_stop();
    EXPECT_EQ(caught.all.count, 0);
    expect_nothing_kept();
}

// Read-only, writers, undeclared.

OX_JOB(WriteReadOnly, { OX_READ_ONLY Box box; }) {
    note_answer(0, read_box(job->box));
    note_answer(1, write_box(job->box));
}

TEST_CHECKED(in_job, writing_a_read_only_field_is_reported) {
    begin_in_job(1);
    Box box = make_box(.name = "crate");
    ox_complete(ox_schedule(WriteReadOnly, OX_NO_JOB, {box}));
    EXPECT_EQ(atomic_load(&answers), 1);
    EXPECT_HAS(caught.all.text, "box 'crate' (created tests/safety/test_in_job.c:");
    EXPECT_HAS(caught.all.text, "WriteReadOnly");
    EXPECT_CAUGHT(&caught, OX_REPORT_READ_ONLY_WRITTEN);
    EXPECT(dispose_box(box));
    end_in_job();
}

OX_JOB(ResizeReadOnly, { OX_READ_ONLY Box box; }) {
    note_answer(0, resize_box(job->box));
}

TEST_CHECKED(in_job, resizing_a_read_only_field_is_reported) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_complete(ox_schedule(ResizeReadOnly, OX_NO_JOB, {box}));
    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_READ_ONLY_WRITTEN);
    EXPECT(dispose_box(box));
    end_in_job();
}

OX_JOB(UseGlobal, { int unused; }) {
    note_answer(0, read_box(global_box));
    note_answer(1, write_box(global_box));
    note_answer(2, resize_box(global_box));
    note_answer(3, dispose_box(global_box));
}

TEST_CHECKED(in_job, container_that_is_not_in_the_struct_is_reported) {
    begin_in_job(1);
    global_box = make_box(.name = "crate");
    ox_complete(ox_schedule(UseGlobal, OX_NO_JOB, {0}));
    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_EQ(caught.all.count, 4);
    EXPECT_STR(caught.job, "UseGlobal");
    EXPECT_STR(caught.container, "crate");
    caught.all.count = 1;
    EXPECT_CAUGHT(&caught, OX_REPORT_NOT_DECLARED);
    EXPECT(dispose_box(global_box));
    end_in_job();
}

OX_JOB(UseBoth, { Box box; }) {
    note_answer(0, write_box(job->box));
    note_answer(1, write_box(global_box));
}

TEST_CHECKED(in_job, container_is_used_through_the_field_and_not_beside_it) {
    begin_in_job(0);
    global_box = make_box(0);
    ox_complete(ox_schedule(UseBoth, OX_NO_JOB, {global_box}));
    EXPECT_EQ(atomic_load(&answers), 1);
    EXPECT_CAUGHT(&caught, OX_REPORT_NOT_DECLARED);
    EXPECT(dispose_box(global_box));
    end_in_job();
}

OX_JOB(ReadWriter, { Box box; }) {
    note_answer(0, write_box(job->box));
    note_answer(1, read_box(job->box));
}

TEST_CHECKED(in_job, reading_a_writer_is_reported) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_complete(ox_schedule(ReadWriter, OX_NO_JOB, {writer_of(box)}));
    EXPECT_EQ(atomic_load(&answers), 1);
    EXPECT_CAUGHT(&caught, OX_REPORT_WRITER_READ);
    EXPECT(!read_box(writer_of(box)));
    EXPECT_CAUGHT(&caught, OX_REPORT_WRITER_READ);
    EXPECT(read_box(box) && dispose_box(box));
    end_in_job();
}

// Copies.

OX_JOB(KeepCopy, { Box box; }) {
    kept_copy = job->box;
    note_answer(0, write_box(job->box));
}
OX_JOB(UseKeptCopy, { Box box; }) {
    note_answer(1, read_box(kept_copy));
    note_answer(2, write_box(job->box));
}

TEST_CHECKED(in_job, copy_that_left_its_job_is_reported_on_main) {
    begin_in_job(0);
    Box box = make_box(.name = "crate");
    ox_complete(ox_schedule(KeepCopy, OX_NO_JOB, {box}));
    EXPECT(!read_box(kept_copy));
    EXPECT_CAUGHT(&caught, OX_REPORT_COPY_ESCAPED);
    EXPECT(!write_box(kept_copy));
    EXPECT_CAUGHT(&caught, OX_REPORT_COPY_ESCAPED);
    EXPECT(!dispose_box(kept_copy));
    EXPECT_STR(caught.container, "crate");
    EXPECT_CAUGHT(&caught, OX_REPORT_COPY_ESCAPED);
    EXPECT_EQ(ox_schedule(KeepCopy, OX_NO_JOB, {kept_copy}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_COPY_ESCAPED);
    EXPECT(write_box(box) && dispose_box(box));
    EXPECT(!read_box(kept_copy));
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    end_in_job();
}

TEST_CHECKED(in_job, copy_that_left_its_job_is_reported_in_another) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_job first = ox_schedule(KeepCopy, OX_NO_JOB, {box});
    ox_complete(ox_schedule(UseKeptCopy, first, {box}));
    EXPECT_EQ(atomic_load(&answers), 1 | 4);
    EXPECT_CAUGHT(&caught, OX_REPORT_COPY_ESCAPED);
    EXPECT(dispose_box(box));
    end_in_job();
}

OX_JOB(DisposeField, { Box box; }) {
    note_answer(0, dispose_box(job->box));
    note_answer(1, dispose_box_after(job->box, OX_NO_JOB));
    note_answer(2, write_box(job->box));
}

TEST_CHECKED(in_job, disposing_a_container_of_the_struct_is_reported) {
    begin_in_job(0);
    Box box = make_box(.name = "crate");
    ox_complete(ox_schedule(DisposeField, OX_NO_JOB, {box}));
    EXPECT_EQ(atomic_load(&answers), 4);
    EXPECT_EQ(caught.all.count, 2);
    EXPECT_HAS(caught.all.text, "job 'DisposeField' disposes box 'crate'");
    caught.all.count = 1;
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED_IN_JOB);
    EXPECT(dispose_box(box));
    end_in_job();
}

// Main goes on while a job is outstanding: what it schedules and disposes after the job does not
// reach into the job.

OX_JOB(UseAndView, { Box box; }) {
    Box view = job->box;
    note_answer(0, write_box(job->box) && read_box(job->box));
    note_answer(1, ox_access_create_view(job->box.access, &view.access));
    note_answer(2, write_box(view) && read_box(view));
}

TEST_CHECKED(in_job, container_that_is_disposed_after_the_job_is_usable_in_it) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_job job = ox_schedule(UseAndView, OX_NO_JOB, {box});
    EXPECT(dispose_box_after(box, job));
    EXPECT_EQ(ox_safety_get_usage().container_count, 0);
    Box many[600];
    for (int k = 0; k < 600; k++) {
        many[k] = make_box(0); // the node must not serve one of these yet
    }
    ox_complete(job);
    EXPECT_EQ(atomic_load(&answers), 7);
    for (int k = 0; k < 600; k++) {
        EXPECT(dispose_box(many[k]));
    }
    end_in_job();
}

OX_JOB(UseView, { Box box; }) {
    note_answer(0, write_box(job->box) && read_box(job->box));
}

TEST_CHECKED(in_job, view_in_a_job_outlives_a_writer_that_is_scheduled_after_it) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_job first = ox_schedule(UseView, OX_NO_JOB, {view_of(box)});
    ox_job second = ox_schedule(UseAndView, first, {box});
    ox_complete(second);
    EXPECT_EQ(atomic_load(&answers), 7);
    EXPECT(dispose_box(box));
    end_in_job();
}

static oxi_atomic_u32 reached;

OX_JOB(ViewAcrossSchedule, { Box box; }) {
    Box view = job->box;
    note_answer(0, ox_access_create_view(job->box.access, &view.access));
    atomic_store(&reached, 1);
    while (atomic_load(&reached) == 1) {
        oxi_thread_yield();
    }
    note_answer(1, write_box(view));
}

TEST_CHECKED(in_job, view_made_in_a_job_outlives_what_main_schedules_meanwhile) {
    begin_in_job(1);
    watch_for_hang("a job that waits for main");
    atomic_store(&reached, 0);
    Box box = make_box(0);
    ox_job first = ox_schedule(ViewAcrossSchedule, OX_NO_JOB, {box});
    ox_jobs_kick();
    wait_for_value(&reached, 1, "the job");
    ox_job second = ox_schedule(UseView, first, {box});
    EXPECT(dispose_box_after(box, second));
    atomic_store(&reached, 2);
    ox_complete(second);
    end_watch();
    EXPECT_EQ(atomic_load(&answers), 3);
    end_in_job();
}

OX_JOB(ResizeUnderView, { Box box; }) {
    Box view = job->box;
    note_answer(0, ox_access_create_view(job->box.access, &view.access));
    note_answer(1, resize_box(job->box));
    note_answer(2, read_box(view));
    note_answer(3, read_box(job->box));
}

TEST_CHECKED(in_job, resizing_ends_views_made_in_the_job) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_complete(ox_schedule(ResizeUnderView, OX_NO_JOB, {box}));
    EXPECT_EQ(atomic_load(&answers), 1 | 2 | 8);
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);
    EXPECT(dispose_box(box));
    end_in_job();
}

// Batches. Each of these touches one index beside its own; how many were refused depends on the
// batches alone, not on who ran them.

typedef enum touch_how { TOUCH_READ, TOUCH_WRITE, TOUCH_HOWS } touch_how;

static oxi_atomic_u32 refused;

static void touch_in_batch(Box box, int how, int64_t index) {
    bool is_fine = how == TOUCH_READ ? read_box(box) : write_box(box);
    atomic_fetch_add(&refused, !(is_fine && touch_box(box, index)));
}

OX_PARALLEL_JOB(TouchNext, {
    Box box;
    int how;
}) {
    touch_in_batch(job->box, job->how, i);
    touch_in_batch(job->box, job->how, (i + 1) % BOX_LENGTH);
}
OX_RANGE_JOB(TouchAround, {
    Box box;
    int how;
}) {
    touch_in_batch(job->box, job->how, begin);
    touch_in_batch(job->box, job->how, end - 1);
    touch_in_batch(job->box, job->how, end % BOX_LENGTH);
    touch_in_batch(job->box, job->how, begin == 0 ? 0 : begin - 1);
}
OX_PARALLEL_JOB(TouchNextUnrestricted, {
    OX_UNRESTRICTED Box box;
    int how;
}) {
    touch_in_batch(job->box, job->how, (i + 1) % BOX_LENGTH);
}
OX_PARALLEL_JOB(TouchNextReadOnly, { OX_READ_ONLY Box box; }) {
    touch_in_batch(job->box, TOUCH_READ, (i + 1) % BOX_LENGTH);
}

static void count_outside(const ox_report *report, void *context) {
    uint32_t *count = context;
    uint64_t begin = ox_report_find(report, "begin")->number;
    uint64_t last = ox_report_find(report, "last")->number;
    int64_t index = ox_report_find(report, "index")->integer;
    bool is_right = report->id == OX_REPORT_OUTSIDE_BATCH && begin <= last && index >= 0 &&
                    ((uint64_t)index < begin || (uint64_t)index > last);
    *count += is_right ? 1 : 1000000;
}

static uint32_t count_refused(ox_job job) {
    uint32_t outside = 0;
    ox_report_set_handler((ox_report_handler){count_outside, &outside});
    ox_jobs_kick();
    ox_complete(job);
    ox_report_set_handler((ox_report_handler){0});
    EXPECT_EQ(atomic_load(&refused), outside);
    return atomic_exchange(&refused, 0);
}

TEST_CHECKED(in_job, indices_outside_of_the_batch_are_reported_for_any_number_of_workers) {
    static const int batches[] = {1, 2, 3, 5, 7, 16, 63, 64, 100};
    for (int workers = 0; workers <= 3; workers++) {
        start_workers_of_test(workers);
        Box box = make_box(0);
        for (int k = 0; k < 9; k++) {
            // The last index of a batch leaves it, unless one batch is all.
            uint32_t expected = batches[k] >= BOX_LENGTH
                                    ? 0
                                    : (uint32_t)((BOX_LENGTH + batches[k] - 1) / batches[k]);
            for (int how = 0; how < TOUCH_HOWS; how++) {
                ox_job job =
                    ox_schedule_for(TouchNext, BOX_LENGTH, batches[k], OX_NO_JOB, {box, how});
                EXPECT_EQ(count_refused(job), expected);
                // By range: one at each end, and none before the first.
                job = ox_schedule_for(TouchAround, BOX_LENGTH, batches[k], OX_NO_JOB, {box, how});
                EXPECT_EQ(count_refused(job), expected > 0 ? expected * 2 - 1 : 0);
            }
        }
        EXPECT(dispose_box(box));
        ox_jobs_stop();
    }
    expect_nothing_kept();
}

TEST_CHECKED(in_job, batches_run_in_place_are_limited_too) {
    begin_in_job(0);
    Box box = make_box(.name = "crate");
    ox_run_for(TouchNext, 4, 2, {box, TOUCH_WRITE});
    EXPECT_EQ(caught.all.count, 2);
    EXPECT_EQ(caught.begin, 2);
    EXPECT_EQ(caught.last, 3);
    EXPECT_EQ(caught.index, 4);
    EXPECT_STR(caught.container, "crate");
    EXPECT_STR(caught.job, "TouchNext");
    caught.all.count = 1;
    EXPECT_CAUGHT(&caught, OX_REPORT_OUTSIDE_BATCH);
    atomic_store(&refused, 0);
    EXPECT(dispose_box(box));
    end_in_job();
}

TEST_CHECKED(in_job, unrestricted_and_read_only_fields_reach_every_index) {
    begin_in_job(2);
    Box box = make_box(0);
    ox_complete(
        ox_schedule_for(TouchNextUnrestricted, BOX_LENGTH, 5, OX_NO_JOB, {box, TOUCH_WRITE}));
    ox_complete(ox_schedule_for(TouchNextReadOnly, BOX_LENGTH, 5, OX_NO_JOB, {box}));
    EXPECT_EQ(atomic_load(&refused), 0);
    EXPECT(dispose_box(box));
    end_in_job();
}

TEST_CHECKED(in_job, unrestricted_lifts_the_limit_of_batches_and_no_other) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_job first = ox_schedule_for(TouchNextUnrestricted, 4, 1, OX_NO_JOB, {box, TOUCH_WRITE});
    EXPECT_EQ(ox_schedule_for(TouchNextUnrestricted, 4, 1, OX_NO_JOB, {box, TOUCH_READ}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(!read_box(box));
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    ox_complete(first);
    EXPECT(dispose_box(box));
    end_in_job();
}

OX_PARALLEL_JOB(ResizeEach, { Box box; }) {
    note_answer(i, resize_box(job->box));
}

TEST_CHECKED(in_job, resizing_in_a_parallel_job_is_reported) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_complete(ox_schedule_for(ResizeEach, 1, 1, OX_NO_JOB, {box}));
    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_OUTSIDE_BATCH);
    EXPECT(dispose_box(box));
    end_in_job();
}

OX_PARALLEL_JOB(WholeEach, { Box box; }) {
}
OX_PARALLEL_JOB(WholeEachReadOnly, { OX_READ_ONLY Box box; }) {
}
OX_PARALLEL_JOB(WholeEachUnrestricted, { OX_UNRESTRICTED Box box; }) {
}

TEST_CHECKED(in_job, whole_container_cannot_be_divided) {
    begin_in_job(0);
    Box box = make_box(.name = "crate", .is_whole = true);
    EXPECT_EQ(ox_schedule_for(WholeEach, 4, 1, OX_NO_JOB, {box}).value, 0);
    EXPECT_STR(caught.field, "box");
    EXPECT_STR(caught.container, "crate");
    EXPECT_CAUGHT(&caught, OX_REPORT_NOT_DIVISIBLE);
    ox_run_for(WholeEach, 4, 1, {box});
    EXPECT_CAUGHT(&caught, OX_REPORT_NOT_DIVISIBLE);

    ox_job last = ox_schedule_for(WholeEachReadOnly, 4, 1, OX_NO_JOB, {box});
    last = ox_schedule_for(WholeEach, 4, 1, last, {writer_of(box)});
    last = ox_schedule_for(WholeEachUnrestricted, 4, 1, last, {box});
    ox_complete(last);
    EXPECT(dispose_box(box));
    end_in_job();
}

// Created in a job.

OX_JOB(CreateInJob, { int unused; }) {
    Box view;
    global_box = make_box(.name = "inner");
    note_answer(0, read_box(global_box) && write_box(global_box) && resize_box(global_box));
    view = global_box;
    note_answer(1, ox_access_create_view(global_box.access, &view.access) && write_box(view));
    Box brief = make_box(0);
    note_answer(2, dispose_box(brief));
    note_answer(3, read_box(brief));
}

TEST_CHECKED(in_job, container_made_in_a_job_is_used_there_and_later_on_main) {
    begin_in_job(1);
    ox_job job = ox_schedule(CreateInJob, OX_NO_JOB, {0});
    ox_complete(job);
    EXPECT_EQ(atomic_load(&answers), 7);
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    EXPECT(read_box(global_box) && write_box(global_box) && resize_box(global_box));
    EXPECT_EQ(ox_safety_get_usage().container_count, 1);

    // It goes into a job like any other, and is told from one that is not in the struct.
    ox_complete(ox_schedule(KeepCopy, OX_NO_JOB, {global_box}));
    ox_complete(ox_schedule(UseBoth, OX_NO_JOB, {global_box}));
    EXPECT_CAUGHT(&caught, OX_REPORT_NOT_DECLARED);
    ox_job writer = ox_schedule(UseView, OX_NO_JOB, {view_of(global_box)});
    EXPECT(!read_box(global_box));
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    ox_complete(writer);
    EXPECT(dispose_box(global_box));
    end_in_job();
}

OX_JOB(ViewOfTheDead, { int unused; }) {
    Box brief = make_box(0), view = brief;
    note_answer(0, ox_access_create_view(brief.access, &view.access) && dispose_box(brief));
    note_answer(1, write_box(view));
}

TEST_CHECKED(in_job, view_of_what_the_job_disposed_is_dead) {
    begin_in_job(0);
    ox_complete(ox_schedule(ViewOfTheDead, OX_NO_JOB, {0}));
    EXPECT_EQ(atomic_load(&answers), 1);
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    end_in_job();
}

// A view that main makes of it ends as others do.
TEST_CHECKED(in_job, view_of_a_container_made_in_a_job_ends_when_a_writer_is_scheduled) {
    begin_in_job(0);
    ox_complete(ox_schedule(CreateInJob, OX_NO_JOB, {0}));
    caught.all.count = 0;
    Box view = view_of(global_box);
    ox_complete(ox_schedule(UseView, OX_NO_JOB, {global_box}));
    EXPECT(!read_box(view));
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);
    EXPECT(dispose_box(global_box));
    end_in_job();
}

// Calls that belong to main.

OX_JOB(ScheduleInJob, { OX_NO_SAFETY Box box; }) {
    note_answer(0, ox_schedule(UseView, OX_NO_JOB, {job->box}).value != 0);
    ox_complete(OX_NO_JOB);
}

TEST_CHECKED(in_job, scheduling_and_completing_inside_of_a_job_is_reported) {
    begin_in_job(0);
    Box box = make_box(0);
    ox_complete(ox_schedule(ScheduleInJob, OX_NO_JOB, {box}));
    EXPECT_EQ(caught.all.count, 2);
    caught.all.count = 1;
    EXPECT_CAUGHT(&caught, OX_REPORT_INSIDE_JOB);
    ox_job elsewhere = ox_schedule_background(ScheduleInJob, OX_NO_JOB, {box});
    ox_jobs_kick();
    while (!ox_job_is_complete(elsewhere)) {
        oxi_thread_yield();
    }
    ox_complete(elsewhere);
    EXPECT_EQ(caught.all.count, 2);
    caught.all.count = 1;
    EXPECT_CAUGHT(&caught, OX_REPORT_NOT_MAIN);
    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT(dispose_box(box));
    end_in_job();
}

// Aliases.

OX_JOB(AliasWW, {
    Box first;
    Box second;
}) {
}
OX_JOB(AliasWR, {
    Box first;
    OX_READ_ONLY Box second;
}) {
}
OX_JOB(AliasRW, {
    OX_READ_ONLY Box first;
    Box second;
}) {
}
OX_JOB(AliasRR, {
    OX_READ_ONLY Box first;
    OX_READ_ONLY Box second;
}) {
    note_answer(0, read_box(job->first) && read_box(job->second));
}

TEST_CHECKED(in_job, container_that_stands_twice_and_is_written_is_reported) {
    begin_in_job(0);
    Box box = make_box(0), view = view_of(box);
    EXPECT_EQ(ox_schedule(AliasWW, OX_NO_JOB, {box, box}).value, 0);
    EXPECT_HAS(caught.all.text, "fields 'first' and 'second' of job 'AliasWW' are the same box");
    EXPECT_CAUGHT(&caught, OX_REPORT_ALIASED);
    EXPECT_EQ(ox_schedule(AliasWR, OX_NO_JOB, {box, box}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_ALIASED);
    EXPECT_EQ(ox_schedule(AliasRW, OX_NO_JOB, {box, box}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_ALIASED);
    EXPECT_EQ(ox_schedule(AliasRW, OX_NO_JOB, {view, box}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_ALIASED);
    EXPECT_EQ(ox_schedule(AliasWW, OX_NO_JOB, {writer_of(box), view}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_ALIASED);
    EXPECT_EQ(ox_safety_get_usage().job_count, 0);
    EXPECT(write_box(view)); // nobody was scheduled: it has not ended

    ox_job job = ox_schedule(AliasRR, OX_NO_JOB, {box, view});
    EXPECT(job.value != 0);
    ox_access_info info;
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_EQ(info.reader_count, 1);
    ox_complete(job);
    EXPECT_EQ(atomic_load(&answers), 1);
    EXPECT(dispose_box(box));
    end_in_job();
}

// Every level agrees on a job that does nothing wrong.
TEST(in_job, right_use_is_not_reported) {
    begin_in_job(2);
    Box box = make_box(0);
    ox_job first = ox_schedule_for(TouchNextUnrestricted, 64, 4, OX_NO_JOB, {box, TOUCH_WRITE});
    ox_complete(ox_schedule(UseAndView, first, {box}));
    EXPECT_EQ(atomic_load(&answers), 7);
    EXPECT_EQ(atomic_load(&refused), 0);
    EXPECT(dispose_box(box));
    end_in_job();
}
