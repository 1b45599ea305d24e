// SPDX-License-Identifier: MIT
//
// A recorded frame, simulated with another number of workers beside main.
//
// Time goes from event to event: a task ends, or main comes to its next step. Steps of main are the
// schedules and the syncs of the frame, with the time between them that main needed for itself.
// While main waits, and after its last step, it takes tasks as a worker does; a task that it has
// begun it ends before it goes on. A parallel job is so many tasks of equal length; a free thread
// takes one of the job that was scheduled first. A job in the background needs no thread, nor does
// what is not of the frame and is waited for: that is a task whose job is ~ the one that waits.
//
// Invariant: `ready` has the jobs with tasks that may begin, `running` the tasks that run: one for
// each worker that is not free, one of main while `is_helping`, and those that need none.

#include "oxbow/explain.h"

#include "base/check.h"
#include "base/list.h"

#include <string.h>

// Finer tasks change the result by less than the measured times are worth.
enum { MOST_TASKS = 256, EQUAL_NS = 1000 };

#define NEVER UINT64_MAX

// Something with a key: the smallest comes first.
typedef struct sim_entry {
    uint64_t key;
    int job;
    bool on_main; // of tasks: main runs it
} sim_entry;

typedef OXI_LIST(sim_entry) sim_queue; // a binary heap; room for all that will be in it

typedef struct sim_job {
    int missing;       // jobs that it waits for
    uint32_t waiting;  // tasks that have not begun
    uint32_t left;     // tasks that have not ended
    uint64_t task_ns;  // of each task
    uint64_t extra_ns; // of the first one more: what is left when the work is divided
    bool is_scheduled;
    size_t first_after; // where those that wait for it begin
} sim_job;

typedef struct simulation {
    const ox_frame *frame;
    bool is_equal;
    OXI_LIST(sim_job) jobs;
    OXI_LIST(int) after; // jobs that wait for one job after the other
    sim_queue ready;     // by place of the job
    sim_queue running;   // by end
    int free_workers;
    uint64_t now;
    uint64_t last_end; // of a job
    uint64_t busy_ns;  // of main and all workers

    // Main.
    int next_job;
    int next_sync;
    const ox_frame_sync *blocked; // it waits there, or NULL
    bool is_helping;              // it runs a task
    uint64_t main_at;             // when it comes to its next step; NEVER: it is done, or blocked
    uint64_t pace;                // of the last step: main's own time up to there
    uint64_t waited;              // and how long it had waited, in the frame as it was
} simulation;

static void push_entry(sim_queue *queue, sim_entry entry) {
    size_t at = queue->count++;
    while (at > 0 && queue->items[(at - 1) / 2].key > entry.key) {
        queue->items[at] = queue->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->items[at] = entry;
}

static sim_entry pop_entry(sim_queue *queue) {
    sim_entry first = queue->items[0], last = queue->items[--queue->count];
    size_t at = 0, child = 1;
    while (child < queue->count) {
        child += child + 1 < queue->count && queue->items[child + 1].key < queue->items[child].key;
        if (queue->items[child].key >= last.key) {
            break;
        }
        queue->items[at] = queue->items[child];
        at = child;
        child = 2 * at + 1;
    }
    queue->items[at] = last;
    return first;
}

// Edges. A job may have several reasons to wait for another, and they count as often.

static bool is_sim_edge(int job, int before) {
    return before >= 0 && before < job;
}

static bool has_wait_for(const ox_frame_job *job, int before) {
    for (int k = 0; k < job->wait_count; k++) {
        if (job->waits[k].before == before) {
            return true;
        }
    }
    return false;
}

// The edge at `k` of a job: those of its waits, and then the one that was found in the trace, when
// no wait tells of it. @return -1 for none.
static int edge_of(const ox_frame *frame, int job, int k) {
    const ox_frame_job *noted = &frame->jobs[job];
    int before = k < noted->wait_count ? noted->waits[k].before : noted->waited_for;
    bool is_told = k == noted->wait_count && has_wait_for(noted, before);
    return is_sim_edge(job, before) && !is_told ? before : -1;
}

// Counts the edges that leave each job in the place behind it, and sums them up; then each edge
// goes to the place of its job, which moves on and ends where the next one's begin.
static void link_sim_jobs(simulation *sim) {
    sim_job *jobs = sim->jobs.items;
    int count = sim->frame->job_count;
    for (int job = 0; job < count; job++) {
        for (int k = 0; k <= sim->frame->jobs[job].wait_count; k++) {
            int before = edge_of(sim->frame, job, k);
            if (before >= 0) {
                jobs[before + 1].first_after++;
                jobs[job].missing++;
            }
        }
    }
    for (int k = 0; k < count; k++) {
        jobs[k + 1].first_after += jobs[k].first_after;
    }
    for (int job = 0; job < count; job++) {
        for (int k = 0; k <= sim->frame->jobs[job].wait_count; k++) {
            int before = edge_of(sim->frame, job, k);
            if (before >= 0) {
                sim->after.items[jobs[before].first_after++] = job;
            }
        }
    }
    for (int k = count; k > 0; k--) {
        jobs[k].first_after = jobs[k - 1].first_after;
    }
    jobs[0].first_after = 0;
}

static void divide_sim_jobs(simulation *sim) {
    for (int k = 0; k < sim->frame->job_count; k++) {
        const ox_frame_job *noted = &sim->frame->jobs[k];
        bool is_whole = sim->is_equal || noted->is_background || noted->units < 1;
        uint32_t tasks = is_whole ? 1 : (uint32_t)noted->units;
        tasks = tasks < MOST_TASKS ? tasks : MOST_TASKS;
        uint64_t work_ns = sim->is_equal ? EQUAL_NS : noted->work_ns;
        sim_job *job = &sim->jobs.items[k];
        job->waiting = job->left = tasks;
        job->task_ns = work_ns / tasks;
        job->extra_ns = work_ns % tasks;
    }
}

static bool reserve_sim(simulation *sim, int workers) {
    size_t edges = 0, jobs = (size_t)sim->frame->job_count;
    for (size_t k = 0; k < jobs; k++) {
        edges += (size_t)sim->frame->jobs[k].wait_count + 1;
    }
    // Beside the tasks of threads, each job has one at most: it waits, or is in the background.
    size_t most = jobs * MOST_TASKS;
    return oxi_list_resize(&sim->jobs, jobs + 1) && oxi_list_resize(&sim->after, edges) &&
           oxi_list_reserve(&sim->ready, jobs) &&
           oxi_list_reserve(&sim->running,
                            ((size_t)workers < most ? (size_t)workers + 1 : most) + jobs);
}

static void free_sim(simulation *sim) {
    oxi_list_free(&sim->jobs);
    oxi_list_free(&sim->after);
    oxi_list_free(&sim->ready);
    oxi_list_free(&sim->running);
}

// Main.

static bool comes_sync_next(const simulation *sim) {
    const ox_frame *frame = sim->frame;
    return sim->next_sync < frame->sync_count &&
           (sim->next_job == frame->job_count ||
            frame->syncs[sim->next_sync].begin_ns <= frame->jobs[sim->next_job].schedule_ns);
}

// Sets when main comes to its next step, or is done.
static void go_to_next_step(simulation *sim) {
    const ox_frame *frame = sim->frame;
    if (sim->is_equal) {
        bool is_over = sim->next_job == frame->job_count && !comes_sync_next(sim);
        sim->main_at = is_over ? NEVER : sim->now; // main takes no time
        return;
    }
    uint64_t at = frame->end_ns;
    if (comes_sync_next(sim)) {
        at = frame->syncs[sim->next_sync].begin_ns;
    } else if (sim->next_job < frame->job_count) {
        at = frame->jobs[sim->next_job].schedule_ns;
    }
    uint64_t passed = at > frame->begin_ns ? at - frame->begin_ns : 0;
    uint64_t pace = passed > sim->waited ? passed - sim->waited : 0;
    sim->main_at = sim->now + (pace > sim->pace ? pace - sim->pace : 0);
    sim->pace = pace > sim->pace ? pace : sim->pace;
}

static bool is_sync_over(const simulation *sim) {
    for (int k = 0; k < sim->blocked->job_count; k++) {
        const sim_job *job = &sim->jobs.items[sim->blocked->jobs[k]];
        if (job->is_scheduled && job->left > 0) {
            return false;
        }
    }
    return true;
}

static void leave_sync(simulation *sim) {
    if (sim->blocked != NULL && !sim->is_helping && is_sync_over(sim)) {
        sim->blocked = NULL;
        go_to_next_step(sim);
    }
}

static void offer_job(simulation *sim, int job) {
    const sim_job *offered = &sim->jobs.items[job];
    if (!offered->is_scheduled || offered->missing > 0) {
        return;
    }
    if (sim->frame->jobs[job].is_background) {
        push_entry(&sim->running, (sim_entry){.key = sim->now + offered->task_ns, .job = job});
    } else {
        push_entry(&sim->ready, (sim_entry){.key = (uint64_t)job, .job = job});
    }
}

static void schedule_job(simulation *sim, int job) {
    sim_job *scheduled = &sim->jobs.items[job];
    scheduled->is_scheduled = true;
    if (sim->frame->jobs[job].outside_ns > 0 && !sim->is_equal) {
        scheduled->missing++;
        uint64_t end = sim->now + sim->frame->jobs[job].outside_ns;
        push_entry(&sim->running, (sim_entry){.key = end, .job = ~job});
    }
    offer_job(sim, job);
}

// Main does what it has come to.
static void take_step(simulation *sim) {
    sim->main_at = NEVER;
    if (comes_sync_next(sim)) {
        sim->blocked = &sim->frame->syncs[sim->next_sync++];
        sim->waited += sim->blocked->sync.wait_ns;
        leave_sync(sim);
    } else if (sim->next_job < sim->frame->job_count) {
        schedule_job(sim, sim->next_job++);
        go_to_next_step(sim);
    } else {
        sim->last_end = sim->now > sim->last_end ? sim->now : sim->last_end;
    }
}

// Threads that run jobs.

static bool is_main_free(const simulation *sim) {
    return sim->main_at == NEVER && !sim->is_helping; // blocked, or done
}

// Hands a task of the first job that is ready to main, or to a worker.
static void begin_task(simulation *sim, bool on_main) {
    int place = sim->ready.items[0].job;
    sim_job *job = &sim->jobs.items[place];
    uint64_t length = job->task_ns + job->extra_ns;
    job->extra_ns = 0;
    sim->busy_ns += length;
    if (on_main) {
        sim->is_helping = true;
    } else {
        sim->free_workers--;
    }
    push_entry(&sim->running,
               (sim_entry){.key = sim->now + length, .job = place, .on_main = on_main});
    if (--job->waiting == 0) {
        pop_entry(&sim->ready);
    }
}

static void begin_tasks(simulation *sim) {
    while (sim->ready.count > 0) {
        if (sim->free_workers == 0 && !is_main_free(sim)) {
            return;
        }
        begin_task(sim, sim->free_workers == 0);
    }
}

// Something that a job waits for is over.
static void satisfy_job(simulation *sim, int job) {
    sim->jobs.items[job].missing--;
    offer_job(sim, job);
}

static void end_task(simulation *sim) {
    sim_entry ended = pop_entry(&sim->running);
    if (ended.job < 0) {
        satisfy_job(sim, ~ended.job);
        return;
    }
    sim_job *job = &sim->jobs.items[ended.job];
    bool is_background = sim->frame->jobs[ended.job].is_background;
    if (ended.on_main) {
        OXI_ASSERT(sim->is_helping);
        sim->is_helping = false;
    } else if (!is_background) {
        sim->free_workers++;
    }
    if (--job->left == 0) {
        sim->last_end = is_background ? sim->last_end : sim->now; // no frame ends with those
        for (size_t k = job->first_after; k < job[1].first_after; k++) {
            satisfy_job(sim, sim->after.items[k]);
        }
    }
    leave_sync(sim);
}

static void run_simulation(simulation *sim) {
    go_to_next_step(sim);
    for (;;) {
        begin_tasks(sim);
        uint64_t end = sim->running.count > 0 ? sim->running.items[0].key : NEVER;
        if (end == NEVER && sim->main_at == NEVER) {
            return;
        }
        if (sim->main_at <= end) {
            sim->now = sim->main_at;
            take_step(sim);
        } else {
            sim->now = end;
            end_task(sim);
        }
    }
}

ox_forecast ox_frame_forecast(const ox_frame *frame, int workers, bool equal_lengths) {
    ox_forecast result = {0};
    if (frame == NULL || workers < 0) {
        return result;
    }
    simulation sim = {.frame = frame, .is_equal = equal_lengths, .free_workers = workers};
    if (reserve_sim(&sim, workers)) {
        link_sim_jobs(&sim);
        divide_sim_jobs(&sim);
        run_simulation(&sim);
        result.makespan_ns = sim.last_end;
        double room = (double)sim.last_end * ((double)workers + 1);
        result.busy = room > 0 ? (double)sim.busy_ns / room : 0;
    } else {
        OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, NULL,
                   OXI_NUMBER("bytes", (size_t)frame->job_count * sizeof(sim_job)),
                   OXI_NAME("allocator", "ox_frame_forecast"));
    }
    free_sim(&sim);
    return result;
}
