// SPDX-License-Identifier: MIT
//
// What explain says of random frames, held against the systems that made them: each reason of a job
// is true and printed, jobs that conflict wait for each other by what is printed, and main waits
// for what is in its way.

#include "random_systems.h"

#include "oxbow/explain.h"

#include <stdlib.h>

static struct {
    uint64_t waits;   // of jobs
    uint64_t ordered; // pairs of jobs that conflict
    uint64_t syncs;   // of main
    uint64_t awaited; // jobs of the frame that these waited for
    uint64_t chains;  // of jobs of one system, of which some are plain
} explained;

static const char *component_name(uint32_t id) {
    return ox_component_get_info(id)->name;
}

static bool job_does(const random_job *job, const char *component, bool writes) {
    for (uint32_t k = 0; k < job->data.term_count; k++) {
        if (strcmp(component_name(job->terms[k].id), component) == 0 &&
            (job->terms[k].kind == OX_TERM_WRITE) == writes) {
            return true;
        }
    }
    return false;
}

static bool system_declares(const char *name, const char *component, bool writes) {
    const oxi_scope *scope = random_scope_of(&random_run.systems[atoi(name + 1)]);
    for (size_t k = 0; k < scope->uses.count; k++) {
        if (strcmp(component_name(scope->uses.items[k].component), component) == 0 &&
            scope->uses.items[k].writes == writes) {
            return true;
        }
    }
    return false;
}

// Jobs of a system stand in the exact table with their own accesses; where one of them has none,
// the handle of its system stands there for all.
static bool stands_so(const ox_frame_job *before, const ox_frame_wait *wait) {
    bool by_handle = random_run.systems[atoi(before->name + 1)].kind == WITH_PLAIN;
    if ((wait->is_declared || by_handle) &&
        system_declares(before->name, wait->component, wait->before_writes)) {
        return true;
    }
    return !wait->is_declared &&
           job_does(random_find_job(before->name), wait->component, wait->before_writes);
}

// A job waits with its own accesses when it is scheduled with OX_AUTO, else with its system's.
static bool is_reason_true(const ox_frame_job *job, const ox_frame_wait *wait,
                           const ox_frame_job *before) {
    if (wait->component == NULL) {
        return job->system == before->system; // updates pass handles of their own jobs
    }
    bool waits_so = job->is_auto
                        ? job_does(random_find_job(job->name), wait->component, wait->after_writes)
                        : system_declares(job->name, wait->component, wait->after_writes);
    return waits_so && stands_so(before, wait);
}

static void expect_line(const char *text, const char *line) {
    if (strstr(text, line) == NULL) {
        test_fail(__FILE__, __LINE__, "seed %llu: \"%s\" is not said",
                  (unsigned long long)random_run.seed, line);
    }
}

static void expect_wait_in_text(const char *text, const ox_frame_wait *wait) {
    char line[128];
    if (wait->component == NULL) {
        snprintf(line, sizeof line, "was given the handle of %s (", wait->name);
    } else {
        snprintf(line, sizeof line, "%s %s, which %s%s (", wait->after_writes ? "writes" : "reads",
                 wait->component, wait->is_declared ? "the system of " : "", wait->name);
    }
    expect_line(text, line);
}

static void check_job_waits(const ox_frame *frame, int at, const char *text) {
    const ox_frame_job *job = &frame->jobs[at];
    for (int k = 0; k < job->wait_count; k++) {
        const ox_frame_wait *wait = &job->waits[k];
        if (wait->before < 0) {
            continue; // of the frame before
        }
        EXPECT(wait->before < at);
        if (!is_reason_true(job, wait, &frame->jobs[wait->before])) {
            test_fail(__FILE__, __LINE__, "seed %llu: %s does not wait for %s because of %s",
                      (unsigned long long)random_run.seed, job->name, wait->name, wait->component);
        }
        expect_wait_in_text(text, wait);
        explained.waits++;
    }
}

// Every pair, by what the two jobs do themselves. Without a way from one to the other in what was
// printed, main waited in between.
static void check_pairs(const ox_frame *frame) {
    uint64_t before[MOST_SYSTEMS * MOST_JOBS] = {0}; // bits
    EXPECT(frame->job_count <= MOST_SYSTEMS * MOST_JOBS);
    for (int at = 0; at < frame->job_count; at++) {
        const ox_frame_job *job = &frame->jobs[at];
        for (int k = 0; k < job->wait_count; k++) {
            int place = job->waits[k].before;
            before[at] |= place >= 0 ? before[place] | 1ull << place : 0;
        }
        for (int k = 0; k < at; k++) {
            const ox_frame_job *first = &frame->jobs[k];
            if (!random_jobs_conflict(random_find_job(first->name), random_find_job(job->name))) {
                continue;
            }
            if ((before[at] >> k & 1) == 0 && first->end_ns > job->schedule_ns) {
                test_fail(__FILE__, __LINE__, "seed %llu: why %s waits for %s is not said",
                          (unsigned long long)random_run.seed, job->name, first->name);
            }
            explained.ordered++;
        }
    }
}

// What a job, or the handle that its system returned, is in the way of.
static bool is_in_way(const char *job, const char *component, bool of_write) {
    const random_job *made = random_find_job(job);
    return job_does(made, component, true) || system_declares(job, component, true) ||
           (of_write &&
            (job_does(made, component, false) || system_declares(job, component, false)));
}

static void expect_sync_in_text(const char *text, const ox_sync *sync, const char *first) {
    char line[256];
    if (sync->component == 0) {
        snprintf(line, sizeof line, "%s at %s changes the structure; waited for %s", sync->system,
                 sync->site, first);
    } else {
        snprintf(line, sizeof line, "%s at %s %s %s; waited for %s", sync->system, sync->site,
                 sync->kind == OX_SYNC_WRITE ? "writes" : "reads", component_name(sync->component),
                 first);
    }
    expect_line(text, line);
}

// Main waits before the update of a system for what that declares, and in it when it changes the
// structure.
static bool is_sync_true(const ox_frame *frame, const ox_frame_sync *at) {
    const ox_sync *sync = &at->sync;
    const random_system *one = &random_run.systems[atoi(sync->system + 1)];
    if (sync->kind == OX_SYNC_STRUCTURAL) {
        return one->kind == ON_MAIN_AND_CHANGES && !sync->is_planned;
    }
    const char *component = component_name(sync->component);
    bool writes = sync->kind == OX_SYNC_WRITE;
    bool is_true = sync->is_planned && system_declares(sync->system, component, writes) &&
                   (one->kind == ON_MAIN || one->kind == ON_MAIN_AND_CHANGES);
    for (int k = 0; k < at->job_count && is_true; k++) {
        is_true = is_in_way(frame->jobs[at->jobs[k]].name, component, writes);
    }
    return is_true;
}

static void check_syncs(const ox_frame *frame, const char *text) {
    for (int k = 0; k < frame->sync_count; k++) {
        const ox_frame_sync *sync = &frame->syncs[k];
        if (sync->sync.kind == OX_SYNC_OWN) {
            EXPECT(sync->sync.is_planned && sync->job_count == 0); // jobs of the frame before
            continue;
        }
        if (!is_sync_true(frame, sync)) {
            test_fail(__FILE__, __LINE__, "seed %llu: %s at %s does not wait for that",
                      (unsigned long long)random_run.seed, sync->sync.system, sync->sync.site);
        }
        if (sync->job_count > 0) {
            expect_sync_in_text(text, &sync->sync, frame->jobs[sync->jobs[0]].name);
        }
        explained.syncs++;
        explained.awaited += (uint64_t)sync->job_count;
    }
}

// All that an update schedules is in the frame, over entities or not.
static void check_plain_jobs(const ox_frame *frame) {
    uint32_t count = 0;
    for (int k = 0; k < frame->job_count; k++) {
        EXPECT_EQ(frame->jobs[k].is_plain, random_find_job(frame->jobs[k].name)->is_plain);
        count += frame->jobs[k].is_plain;
    }
    EXPECT_EQ(count, random_run.plain_count);
}

// The jobs of such a system run one after the other, so no critical path is shorter; in thought
// each is divided.
static void check_chain(const ox_frame *frame, const random_system *one) {
    uint64_t length = 0, divided = 0;
    for (int k = 0; k < frame->job_count; k++) {
        const ox_frame_job *job = &frame->jobs[k];
        bool is_of_it = job->system >= 0 && frame->systems[job->system].name == one->name;
        EXPECT(!is_of_it || job->end_ns >= job->begin_ns);
        length += is_of_it ? job->end_ns - job->begin_ns : 0;
        divided += is_of_it ? job->work_ns / (uint64_t)job->units : 0;
    }
    if (length > frame->critical_ns || divided > ox_frame_forecast(frame, 63, false).makespan_ns) {
        test_fail(__FILE__, __LINE__, "seed %llu: %s alone is longer than the critical path",
                  (unsigned long long)random_run.seed, one->name);
    }
    explained.chains++;
}

static void check_chains(const ox_frame *frame) {
    for (uint32_t k = 0; k < random_run.system_count; k++) {
        if (random_run.systems[k].kind == WITH_CHAIN) {
            check_chain(frame, &random_run.systems[k]);
        }
    }
}

static void check_explained_frame(void) {
    static char text[1 << 17];
    const ox_frame *frame = ox_world_get_frame(random_run.world);
    size_t length = ox_world_explain_frame(random_run.world, OX_EXPLAIN_TEXT, text, sizeof text);
    EXPECT(frame != NULL && length > 0 && length < sizeof text);
    EXPECT_EQ(frame->dropped, 0);
    for (int k = 0; k < frame->job_count; k++) {
        check_job_waits(frame, k, text);
    }
    check_pairs(frame);
    check_syncs(frame, text);
    check_plain_jobs(frame);
    check_chains(frame);
}

static void explain_seeds(int workers) {
    uint64_t first = test_seed(73), count = test_scaled(300 / SLOWNESS);
    memset(&explained, 0, sizeof explained);
    start_workers_of_test(workers);
    watch_for_hang("random systems, explained");
    for (uint64_t k = 0; k < count; k++) {
        random_begin(first + k, false);
        EXPECT(ox_world_record_frames(random_run.world, true));
        for (int frame = 0; frame < FRAMES; frame++) {
            random_run.plain_count = 0;
            EXPECT(ox_world_update(random_run.world, 0.25f));
            check_explained_frame();
            ox_frame_end();
        }
        random_end();
    }
    end_watch();
    ox_jobs_stop();
    EXPECT(count < 10 || (explained.waits > count && explained.ordered > count));
    EXPECT(count < 10 || (explained.awaited > count && explained.chains > count));
    printf("%llu seeds, %d workers: %llu waits of jobs, %llu pairs in conflict, %llu waits of main "
           "for %llu jobs, %llu chains with plain jobs\n",
           (unsigned long long)count, workers, (unsigned long long)explained.waits,
           (unsigned long long)explained.ordered, (unsigned long long)explained.syncs,
           (unsigned long long)explained.awaited, (unsigned long long)explained.chains);
}

// Without workers a job ends when main waits for it: nothing is over by chance.
TEST(explain_random, what_is_said_of_each_wait_is_true_without_workers) {
    explain_seeds(0);
}

TEST(explain_random, what_is_said_of_each_wait_is_true_beside_workers) {
    explain_seeds(2);
}
