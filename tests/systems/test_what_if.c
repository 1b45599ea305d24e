// SPDX-License-Identifier: MIT
//
// Simulated frames: made by hand, so that the times that come out can be worked out. The number is
// that of workers beside main, which runs jobs while it waits and after its last step.

#include "test.h"

#include "base/random.h"
#include "base/substitute.h"
#include "oxbow/explain.h"

enum { MOST_JOBS = 64 };

static ox_frame_job sim_jobs[MOST_JOBS];
static ox_frame_wait sim_waits[MOST_JOBS];

// Jobs of these lengths, all scheduled as the frame begins; each waits for the one before it when
// `is_chain`.
static ox_frame make_frame(int count, uint64_t work_ns, bool is_chain) {
    for (int k = 0; k < count; k++) {
        sim_waits[k] = (ox_frame_wait){.before = k - 1};
        sim_jobs[k] = (ox_frame_job){
            .units = 1,
            .work_ns = work_ns,
            .schedule_ns = 1000,
            .waits = &sim_waits[k],
            .wait_count = is_chain && k > 0,
            .waited_for = -1,
        };
    }
    return (ox_frame){
        .begin_ns = 1000, .end_ns = 1000, .jobs = sim_jobs, .job_count = count, .number = 1};
}

static void expect_busy(ox_forecast what_if, double least, double most) {
    if (what_if.busy < least || what_if.busy > most) {
        test_fail(__FILE__, __LINE__, "busy %g", what_if.busy);
    }
}

TEST(what_if, a_chain_keeps_one_thread_busy) {
    ox_frame frame = make_frame(10, 500, true);

    ox_forecast pair = ox_frame_forecast(&frame, 1, false);

    EXPECT_EQ(pair.makespan_ns, 5000);
    expect_busy(pair, 0.5, 0.5);
    expect_busy(ox_frame_forecast(&frame, 0, false), 1, 1);
    EXPECT_EQ(ox_frame_forecast(&frame, 63, false).makespan_ns, 5000);
}

TEST(what_if, independent_jobs_keep_main_and_all_workers_busy) {
    ox_frame frame = make_frame(20, 700, false);

    ox_forecast pair = ox_frame_forecast(&frame, 1, true);

    EXPECT_EQ(pair.makespan_ns, 10000); // of 1000 ns each
    expect_busy(pair, 0.9, 1);
    EXPECT_EQ(ox_frame_forecast(&frame, 2, true).makespan_ns, 7000);
    EXPECT_EQ(ox_frame_forecast(&frame, 19, true).makespan_ns, 1000);
    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 7000);
}

TEST(what_if, a_chain_of_equal_lengths_takes_as_long_on_any_number) {
    ox_frame frame = make_frame(8, 1, true);

    EXPECT_EQ(ox_frame_forecast(&frame, 0, true).makespan_ns, 8000);
    EXPECT_EQ(ox_frame_forecast(&frame, 1, true).makespan_ns, 8000);
    expect_busy(ox_frame_forecast(&frame, 1, true), 0.5, 0.5);
}

TEST(what_if, a_job_of_many_units_is_divided) {
    ox_frame frame = make_frame(1, 64000, false);
    sim_jobs[0].units = 64;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 64000);
    EXPECT_EQ(ox_frame_forecast(&frame, 3, false).makespan_ns, 16000);
    EXPECT_EQ(ox_frame_forecast(&frame, 99, false).makespan_ns, 1000);
    EXPECT_EQ(ox_frame_forecast(&frame, 3, true).makespan_ns, 1000); // of equal length: one piece
}

TEST(what_if, a_job_is_divided_into_so_many_pieces_at_most) {
    ox_frame frame = make_frame(1, 512000, false);
    sim_jobs[0].units = 256;
    EXPECT_EQ(ox_frame_forecast(&frame, 255, false).makespan_ns, 2000);
    sim_jobs[0].units = 512;
    EXPECT_EQ(ox_frame_forecast(&frame, 511, false).makespan_ns, 2000);
}

TEST(what_if, work_that_does_not_divide_is_not_lost) {
    ox_frame frame = make_frame(1, 103, false);
    sim_jobs[0].units = 1000000;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 103);
}

TEST(what_if, a_job_waits_for_all_that_it_depends_on) {
    ox_frame frame = make_frame(3, 100, false);
    ox_frame_wait both[] = {{.before = 0}, {.before = 1}, {.before = 1}, {.before = -1}};
    sim_jobs[1].work_ns = 400;
    sim_jobs[2].waits = both;
    sim_jobs[2].wait_count = 4;

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 500);
    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 600);
}

TEST(what_if, a_wait_for_itself_or_for_a_later_job_does_not_count) {
    ox_frame frame = make_frame(3, 100, false);
    ox_frame_wait wrong[] = {{.before = 1}, {.before = 2}};
    sim_jobs[1].waits = wrong;
    sim_jobs[1].wait_count = 2;

    EXPECT_EQ(ox_frame_forecast(&frame, 2, false).makespan_ns, 100);
    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 300);
}

TEST(what_if, what_only_the_trace_knows_counts) {
    ox_frame frame = make_frame(2, 100, false);
    sim_jobs[1].waited_for = 0;

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 200);
}

TEST(what_if, a_wait_for_what_is_not_of_the_frame_counts) {
    ox_frame frame = make_frame(2, 100, false);
    sim_jobs[0].outside_ns = 350;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 450);
    EXPECT_EQ(ox_frame_forecast(&frame, 0, true).makespan_ns, 2000); // of equal length: not known
    EXPECT_EQ(ox_frame_forecast(&frame, 1, true).makespan_ns, 1000);
    expect_busy(ox_frame_forecast(&frame, 0, false), 200.0 / 450 - 0.001, 200.0 / 450 + 0.001);
}

TEST(what_if, all_threads_run_while_other_jobs_wait_for_what_is_not_of_the_frame) {
    ox_frame frame = make_frame(4, 100, false);
    sim_jobs[0].units = 8;
    sim_jobs[0].work_ns = 800;
    for (int k = 1; k < 4; k++) {
        sim_jobs[k].outside_ns = 1000;
    }

    EXPECT_EQ(ox_frame_forecast(&frame, 3, false).makespan_ns, 1100);
    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 1200);
}

TEST(what_if, a_job_in_the_background_takes_no_worker) {
    ox_frame frame = make_frame(3, 100, false);
    ox_frame_wait loaded = {.before = 0};
    sim_jobs[0].is_background = true;
    sim_jobs[0].units = 8;
    sim_jobs[0].work_ns = 900;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 200);
    sim_jobs[2].waits = &loaded;
    sim_jobs[2].wait_count = 1;
    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 1000);
}

TEST(what_if, main_schedules_at_its_own_pace) {
    ox_frame frame = make_frame(2, 100, false);
    sim_jobs[1].schedule_ns = 1000 + 250;
    frame.end_ns = 1000 + 300;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 500); // after its own 300 ns
    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 350);
    EXPECT_EQ(ox_frame_forecast(&frame, 8, false).makespan_ns, 350);
    EXPECT_EQ(ox_frame_forecast(&frame, 8, true).makespan_ns, 1000); // both at once
}

// A frame whose main waited 800 ns, in which it ran both jobs; then it took 50 ns to the third.
static ox_frame make_waiting_frame(ox_frame_sync *sync, const int *awaited) {
    ox_frame frame = make_frame(3, 400, false);
    *sync = (ox_frame_sync){
        .sync = {.wait_ns = 800}, .begin_ns = 1000 + 10, .jobs = awaited, .job_count = 2};
    sim_jobs[2].schedule_ns = 1000 + 10 + 800 + 50;
    frame.end_ns = sim_jobs[2].schedule_ns;
    frame.syncs = sync;
    frame.sync_count = 1;
    return frame;
}

TEST(what_if, main_alone_takes_as_long_as_it_took) {
    int awaited[] = {0, 1};
    ox_frame_sync sync;
    ox_frame frame = make_waiting_frame(&sync, awaited);

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 10 + 800 + 50 + 400);
}

TEST(what_if, main_runs_jobs_while_it_waits) {
    int awaited[] = {0, 1};
    ox_frame_sync sync;
    ox_frame frame = make_waiting_frame(&sync, awaited);

    // The worker begins at once, main 10 ns later.
    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 10 + 400 + 50 + 400);
    EXPECT_EQ(ox_frame_forecast(&frame, 2, false).makespan_ns, 400 + 50 + 400);
}

TEST(what_if, main_ends_its_job_before_it_goes_on) {
    int awaited[] = {0, 1};
    ox_frame_sync sync;
    ox_frame frame = make_waiting_frame(&sync, awaited);
    sync.job_count = 1;
    sim_jobs[1].work_ns = 5000; // main takes it, and waits for the first alone

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 10 + 5000 + 50 + 400);
}

TEST(what_if, a_frame_without_jobs_is_mains_own_time) {
    ox_frame frame = make_frame(0, 0, false);
    frame.end_ns = 1000 + 70;

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 70);
    EXPECT_EQ(ox_frame_forecast(&frame, 1, true).makespan_ns, 0);
}

TEST(what_if, without_a_frame_or_with_fewer_than_no_workers_is_nothing) {
    ox_frame frame = make_frame(2, 100, false);

    EXPECT_EQ(ox_frame_forecast(NULL, 2, false).makespan_ns, 0);
    EXPECT_EQ(ox_frame_forecast(&frame, -1, false).makespan_ns, 0);
    EXPECT_EQ(ox_frame_forecast(&frame, -1, true).makespan_ns, 0);
}

TEST(what_if, out_of_memory_is_a_report) {
    collected_reports reports = {0};
    ox_frame frame = make_frame(2, 100, false);
    collect_reports(&reports);

    oxi_fault_plan(OXI_FAULT_ONE, 0);
    ox_forecast nothing = ox_frame_forecast(&frame, 1, false);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(nothing.makespan_ns, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
}

// A model: the same frame, gone through without heaps. Lengths are such that no two tasks end at
// one time, unless they are pieces of one job and main does not wait.

typedef struct model_task {
    uint64_t end;
    int job; // ~ the job that waits for what is not of the frame
    bool on_main;
    bool on_worker;
} model_task;

typedef struct model {
    const ox_frame *frame;
    int free_workers;
    bool is_helping;
    uint64_t now;
    uint64_t busy_ns;
    uint64_t last_end;
    model_task tasks[1024];
    int task_count;
    bool is_scheduled[MOST_JOBS];
    bool is_outside[MOST_JOBS];
    int begun[MOST_JOBS];
    int ended[MOST_JOBS];
} model;

static int units_of(const ox_frame_job *job) {
    if (job->is_background || job->units < 1) {
        return 1;
    }
    return job->units;
}

static bool is_over(const model *m, int job) {
    return m->ended[job] == units_of(&m->frame->jobs[job]);
}

static bool can_begin(const model *m, int job) {
    const ox_frame_job *noted = &m->frame->jobs[job];
    if (!m->is_scheduled[job] || m->is_outside[job] || m->begun[job] == units_of(noted)) {
        return false;
    }
    for (int k = 0; k < noted->wait_count; k++) {
        int before = noted->waits[k].before;
        if (before >= 0 && before < job && !is_over(m, before)) {
            return false;
        }
    }
    int last = noted->waited_for;
    return last < 0 || last >= job || is_over(m, last);
}

// The first job that can begin on a thread, or -1.
static int find_startable(const model *m) {
    for (int k = 0; k < m->frame->job_count; k++) {
        if (!m->frame->jobs[k].is_background && can_begin(m, k)) {
            return k;
        }
    }
    return -1;
}

static void begin_model_task(model *m, int job, bool on_main, bool on_worker) {
    const ox_frame_job *noted = &m->frame->jobs[job];
    uint64_t units = (uint64_t)units_of(noted), length = noted->work_ns / units;
    length += m->begun[job]++ == 0 ? noted->work_ns % units : 0;
    m->busy_ns += on_main || on_worker ? length : 0;
    m->tasks[m->task_count++] = (model_task){m->now + length, job, on_main, on_worker};
}

static void begin_model_tasks(model *m, bool is_main_free) {
    for (int k = 0; k < m->frame->job_count; k++) {
        if (m->frame->jobs[k].is_background && can_begin(m, k)) {
            begin_model_task(m, k, false, false);
        }
    }
    for (int job; (job = find_startable(m)) >= 0;) {
        bool on_main = m->free_workers == 0;
        if (on_main && (!is_main_free || m->is_helping)) {
            return;
        }
        m->free_workers -= !on_main;
        m->is_helping |= on_main;
        begin_model_task(m, job, on_main, !on_main);
    }
}

static int find_first_task(const model *m) {
    int first = -1;
    for (int k = 0; k < m->task_count; k++) {
        first = first < 0 || m->tasks[k].end < m->tasks[first].end ? k : first;
    }
    return first;
}

static void end_model_task(model *m, int at) {
    model_task task = m->tasks[at];
    m->tasks[at] = m->tasks[--m->task_count];
    m->now = task.end;
    if (task.job < 0) {
        m->is_outside[~task.job] = false;
        return;
    }
    m->is_helping &= !task.on_main;
    m->free_workers += task.on_worker;
    m->ended[task.job]++;
    if (is_over(m, task.job) && !m->frame->jobs[task.job].is_background) {
        m->last_end = m->now;
    }
}

static bool is_wait_over(const model *m, const ox_frame_sync *sync) {
    for (int k = 0; k < sync->job_count; k++) {
        if (m->is_scheduled[sync->jobs[k]] && !is_over(m, sync->jobs[k])) {
            return false;
        }
    }
    return !m->is_helping;
}

// Goes on until main can take its step at `until`, or to the end of all.
static void go_on(model *m, uint64_t until, const ox_frame_sync *blocked, bool is_main_free) {
    while (blocked == NULL || !is_wait_over(m, blocked)) {
        begin_model_tasks(m, is_main_free);
        int first = find_first_task(m);
        if (first < 0 || m->tasks[first].end >= until) {
            break;
        }
        end_model_task(m, first);
    }
}

static void schedule_model_job(model *m, int job) {
    m->is_scheduled[job] = true;
    if (m->frame->jobs[job].outside_ns > 0) {
        m->is_outside[job] = true;
        m->tasks[m->task_count++] =
            (model_task){.end = m->now + m->frame->jobs[job].outside_ns, .job = ~job};
    }
}

static ox_forecast run_model(const ox_frame *frame, int workers) {
    static model m;
    m = (model){.frame = frame, .free_workers = workers};
    uint64_t waited = 0, pace = 0;
    int job = 0, sync = 0;
    while (true) {
        bool is_sync = sync < frame->sync_count &&
                       (job == frame->job_count ||
                        frame->syncs[sync].begin_ns <= frame->jobs[job].schedule_ns);
        uint64_t at = frame->end_ns;
        if (is_sync) {
            at = frame->syncs[sync].begin_ns;
        } else if (job < frame->job_count) {
            at = frame->jobs[job].schedule_ns;
        }
        uint64_t next = at - frame->begin_ns - waited;
        uint64_t until = m.now + (next - pace);
        pace = next;
        go_on(&m, until, NULL, false);
        m.now = until;
        if (is_sync) {
            waited += frame->syncs[sync].sync.wait_ns;
            go_on(&m, UINT64_MAX, &frame->syncs[sync++], true);
        } else if (job < frame->job_count) {
            schedule_model_job(&m, job++);
        } else {
            break;
        }
    }
    m.last_end = m.now > m.last_end ? m.now : m.last_end;
    go_on(&m, UINT64_MAX, NULL, true);
    double room = (double)m.last_end * (workers + 1);
    return (ox_forecast){m.last_end, room > 0 ? (double)m.busy_ns / room : 0};
}

static ox_frame_wait random_waits[MOST_JOBS][4];
static ox_frame_sync random_syncs[8];
static int random_awaited[8][4];

// A frame with syncs, or with jobs of many units.
static ox_frame make_random_frame(oxi_random *random) {
    int count = 1 + (int)oxi_random_below(random, 24);
    bool has_syncs = oxi_random_below(random, 2) == 0;
    ox_frame frame = make_frame(count, 0, false);
    uint64_t now = 1000;
    for (int k = 0; k < count; k++) {
        ox_frame_job *job = &sim_jobs[k];
        now += oxi_random_below(random, 100000);
        if (has_syncs && frame.sync_count < 8 && oxi_random_below(random, 3) == 0) {
            int *awaited = random_awaited[frame.sync_count];
            uint64_t wait_ns = oxi_random_below(random, 500000);
            int awaited_count = (int)oxi_random_below(random, 4);
            for (int n = 0; n < awaited_count; n++) {
                awaited[n] = (int)oxi_random_below(random, (uint64_t)count);
            }
            random_syncs[frame.sync_count++] = (ox_frame_sync){.sync = {.wait_ns = wait_ns},
                                                               .begin_ns = now,
                                                               .jobs = awaited,
                                                               .job_count = awaited_count};
            now += wait_ns + oxi_random_below(random, 1000);
        }
        job->schedule_ns = now;
        job->work_ns = 1 + oxi_random_below(random, 1000000);
        job->units = has_syncs ? 1 : (int)oxi_random_below(random, 12);
        job->is_background = oxi_random_below(random, 8) == 0;
        job->outside_ns = oxi_random_below(random, 6) == 0 ? oxi_random_below(random, 900000) : 0;
        job->waits = random_waits[k];
        job->wait_count = (int)oxi_random_below(random, 4);
        for (int n = 0; n < job->wait_count; n++) {
            random_waits[k][n].before = (int)oxi_random_below(random, (uint64_t)k + 1) - 1;
        }
        job->waited_for = (int)oxi_random_below(random, (uint64_t)k + 1) - 1;
    }
    frame.end_ns = now + oxi_random_below(random, 1000);
    frame.syncs = random_syncs;
    return frame;
}

TEST(what_if, random_frames_take_as_long_as_in_a_plain_model) {
    oxi_random random = oxi_random_seed(5);
    for (int round = 0; round < 300; round++) {
        ox_frame frame = make_random_frame(&random);
        int workers = (int)oxi_random_below(&random, 6);

        ox_forecast found = ox_frame_forecast(&frame, workers, false);

        ox_forecast expected = run_model(&frame, workers);
        EXPECT_EQ(found.makespan_ns, expected.makespan_ns);
        EXPECT_EQ(found.busy, expected.busy);
    }
}
