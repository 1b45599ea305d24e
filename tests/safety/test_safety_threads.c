// SPDX-License-Identifier: MIT
//
// Accesses on threads that the job system does not know: they create, name, ask and end their own
// while main schedules, and are told of jobs that hold a container.

#include "safety_test.h"

enum { THREADS = 8, ROUNDS = 2000 };

static caught_reports caught;
static oxi_atomic_u32 wrong_answers;

OX_JOB(Writes, { Box box; }) {
    atomic_fetch_add(&wrong_answers, !(write_box(job->box) && read_box(job->box)));
}
OX_JOB(Reads, { OX_READ_ONLY Box box; }) {
    atomic_fetch_add(&wrong_answers, !read_box(job->box));
}
OX_PARALLEL_JOB(WritesEach, { Box box; }) {
    atomic_fetch_add(&wrong_answers, !(write_box(job->box) && touch_box(job->box, i)));
}

static void begin_threads(void) {
    start_workers_of_test(2);
    catch_reports(&caught);
    atomic_store(&wrong_answers, 0);
}

static void end_threads(void) {
    ox_jobs_stop();
    EXPECT_EQ(atomic_load(&wrong_answers), 0);
    EXPECT_EQ(caught.all.count, 0);
    expect_nothing_kept();
}

static void run_on_threads(oxi_thread_fn *function, void *context, oxi_thread *threads, int count) {
    for (int k = 0; k < count; k++) {
        EXPECT(oxi_thread_start(&threads[k], function, context, "foreign"));
    }
}

static void join_threads(oxi_thread *threads, int count) {
    for (int k = 0; k < count; k++) {
        oxi_thread_join(&threads[k]);
    }
}

static void use_own_containers(void *context) {
    (void)context;
    Box kept[4] = {{0}};
    for (int k = 0; k < ROUNDS; k++) {
        Box *box = &kept[k % 4];
        if (k >= 4) {
            EXPECT(dispose_box(*box));
        }
        *box = make_box(.name = "own");
        Box view = view_of(*box);
        ox_access_set_name(box->access, "renamed");
        EXPECT(read_box(*box) && write_box(view) && touch_box(*box, 3) && resize_box(*box));
        ox_access_info info;
        if (ox_get_safety_level() > 0) {
            EXPECT(ox_access_get_info(box->access, &info));
            EXPECT_STR(info.name, "renamed");
        }
    }
    for (int k = 0; k < 4; k++) {
        EXPECT(dispose_box(kept[k]));
    }
}

static void schedule_meanwhile(void) {
    Box boxes[8];
    for (int k = 0; k < 8; k++) {
        boxes[k] = make_box(0);
    }
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < ROUNDS; k++) {
        Box own = make_box(0);
        ox_job first = ox_schedule(Writes, last, {own});
        ox_job reader = ox_schedule(Reads, first, {boxes[k % 8]});
        last = ox_schedule_for(WritesEach, 16, 4, reader, {boxes[(k + 1) % 8]});
        EXPECT(dispose_box_after(own, last));
        ox_jobs_kick();
        if (k % 64 == 0) {
            ox_complete(last);
        }
    }
    ox_complete(last);
    for (int k = 0; k < 8; k++) {
        EXPECT(dispose_box(boxes[k]));
    }
}

TEST(safety_threads, foreign_threads_use_their_own_while_main_schedules) {
    oxi_thread threads[THREADS];
    begin_threads();
    run_on_threads(use_own_containers, NULL, threads, THREADS);
    schedule_meanwhile();
    join_threads(threads, THREADS);
    end_threads();
}

// One container that a job holds, asked about by many.

static void ask_about(void *context) {
    Box *box = context;
    EXPECT(!write_box(*box));
    EXPECT(!read_box(*box));
    EXPECT(!dispose_box(*box));
    Box view;
    EXPECT(!ox_access_create_view(box->access, &view.access));
    ox_access_info info;
    EXPECT(ox_access_get_info(box->access, &info));
    EXPECT_EQ(info.writer, NULL); // told on main only
}

TEST_CHECKED(safety_threads, foreign_thread_is_told_of_a_job_that_holds_a_container) {
    oxi_thread threads[THREADS];
    begin_threads();
    Box box = make_box(.name = "crate");
    ox_job job = ox_schedule(Writes, OX_NO_JOB, {box});
    run_on_threads(ask_about, &box, threads, THREADS);
    join_threads(threads, THREADS);
    EXPECT_EQ(caught.all.count, THREADS * 4);
    EXPECT_EQ(caught.all.last, OX_REPORT_JOB_HOLDS);
    EXPECT_STR(caught.other, "a job");
    EXPECT_STR(caught.container, "crate");
    caught.all.count = 0;
    ox_complete(job);
    EXPECT(write_box(box) && dispose_box(box));
    end_threads();
}

// Asked while main schedules and completes: either answer is right, and nothing races.
static void ask_often(void *context) {
    Box *box = context;
    for (int k = 0; k < ROUNDS; k++) {
        (void)(read_box(*box) && write_box(*box));
    }
}

TEST_CHECKED(safety_threads, asking_while_main_schedules_is_no_race) {
    oxi_thread threads[2];
    begin_threads();
    Box box = make_box(.name = "crate");
    run_on_threads(ask_often, &box, threads, 2);
    for (int k = 0; k < ROUNDS; k++) {
        ox_complete(ox_schedule(Writes, ox_schedule(Reads, OX_NO_JOB, {box}), {box}));
    }
    join_threads(threads, 2);
    caught.all.count = 0; // how many were refused is a matter of time
    EXPECT(write_box(box) && dispose_box(box));
    end_threads();
}

// A container of a foreign thread that is handed to main goes into jobs like any other.

static void make_for_main(void *context) {
    *(Box *)context = make_box(.name = "foreign");
}

TEST(safety_threads, container_of_a_foreign_thread_goes_into_jobs) {
    oxi_thread thread;
    Box box = {0};
    begin_threads();
    run_on_threads(make_for_main, &box, &thread, 1);
    join_threads(&thread, 1);
    ox_job job = ox_schedule(Writes, OX_NO_JOB, {box});
    EXPECT(job.value != 0);
    if (ox_get_safety_level() > 0) {
        EXPECT(!write_box(box));
        EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    }
    ox_complete(job);
    EXPECT(dispose_box(box));
    end_threads();
}

// Before anything was scheduled there is no main: every thread may create and ask.
TEST(safety_threads, containers_need_no_job_system) {
    oxi_thread threads[THREADS];
    ox_jobs_stop();
    run_on_threads(use_own_containers, NULL, threads, THREADS);
    join_threads(threads, THREADS);
    expect_nothing_kept();
}
