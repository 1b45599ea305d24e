// SPDX-License-Identifier: MIT
//
// A frame in sentences, for a terminal.

#include "systems/explain_page.h"
#include "systems/explain_record.h"

enum { WIDEST_NAME = 32, TIME_WIDTH = 9 };

#define TIME(ns)         oxi_time_write(ns, 0).text
#define ALIGNED_TIME(ns) oxi_time_write(ns, TIME_WIDTH).text

static const char *or_unknown(ox_site site) {
    return site != NULL ? site : "a place that is not known";
}

// The frame as a whole.

static uint64_t sum_waits(const ox_frame *frame) {
    uint64_t sum = 0;
    for (int k = 0; k < frame->sync_count; k++) {
        sum += frame->syncs[k].sync.wait_ns;
    }
    return sum;
}

static void put_jobs_total(oxi_page *page, const ox_frame *frame) {
    uint64_t work_ns = 0, last_ns = 0;
    for (int k = 0; k < frame->job_count; k++) {
        work_ns += frame->jobs[k].work_ns;
        last_ns = frame->jobs[k].end_ns > last_ns ? frame->jobs[k].end_ns : last_ns;
    }
    oxi_page_begin(page, 2);
    oxi_page_put(page, "jobs         %s of work in %d jobs", ALIGNED_TIME(work_ns),
                 frame->job_count);
    if (last_ns > frame->end_ns) {
        oxi_page_put(page, ", the last of which ended %s after the update",
                     TIME(last_ns - frame->end_ns));
    }
    oxi_page_end(page);
}

static void put_summary(oxi_page *page, const ox_frame *frame, const char *world) {
    oxi_page_begin(page, 0);
    oxi_page_put(page, "Frame %llu of world '%s'", (unsigned long long)frame->number, world);
    oxi_page_end(page);
    oxi_page_begin(page, 2);
    oxi_page_put(page, "update       %s", ALIGNED_TIME(frame->end_ns - frame->begin_ns));
    oxi_page_end(page);
    oxi_page_begin(page, 2);
    oxi_page_put(page, "main waited  %s at %d sync point%s", ALIGNED_TIME(sum_waits(frame)),
                 frame->sync_count, frame->sync_count == 1 ? "" : "s");
    oxi_page_end(page);
    put_jobs_total(page, frame);
    if (frame->dropped > 0) {
        oxi_page_begin(page, 2);
        oxi_page_put(page, "%llu events found no room: what they tell is missing here",
                     (unsigned long long)frame->dropped);
        oxi_page_end(page);
    }
}

// Order.

static void put_cause(oxi_page *page, const ox_frame_system *system) {
    switch (system->cause) {
    case OX_ORDERED_ALONE:
        oxi_page_put(page, "nothing else could come here");
        return;
    case OX_ORDERED_FIRST:
        oxi_page_put(page, "it says that it comes first");
        return;
    case OX_ORDERED_LAST:
        oxi_page_put(page, "it says that it comes last");
        return;
    case OX_ORDERED_AFTER:
        oxi_page_put(page, "it comes after %s, as %s says", system->other,
                     or_unknown(system->cause_site));
        return;
    case OX_ORDERED_JOBS:
        oxi_page_put(page, "it schedules jobs, which go before systems on main");
        return;
    case OX_ORDERED_FREE:
        oxi_page_put(page, "it conflicts with no job system before it");
        return;
    case OX_ORDERED_LATE:
        oxi_page_put(page, "it conflicts in %s with %s, which is longest ago", system->component,
                     system->other);
        return;
    case OX_ORDERED_NAME:
        oxi_page_put(page, "by name: %s could have come here as well", system->other);
        return;
    case OX_ORDERED_GIVEN:
        oxi_page_put(page, "a test asked for this order");
        return;
    }
}

// The points of groups that every world has are of no interest, nor are groups without systems.
static bool is_shown(const ox_frame *frame, int place) {
    const ox_frame_system *system = &frame->systems[place];
    if (!system->is_group) {
        return !system->is_point || system->site != NULL;
    }
    for (int k = place + 1; k < frame->system_count && frame->systems[k].group >= place; k++) {
        if (!frame->systems[k].is_group && is_shown(frame, k)) {
            return true;
        }
    }
    return false;
}

static int depth_of(const ox_frame *frame, int place) {
    int depth = 1;
    while ((place = frame->systems[place].group) >= 0) {
        depth++;
    }
    return depth;
}

// What is said about a system below its line.
static void put_remarks(oxi_page *page, const ox_frame_system *system, int column) {
    for (int k = 0; system->missing[k] != NULL; k++) {
        oxi_page_begin(page, column);
        oxi_page_put(page, "'%s', which it names, is not in this world", system->missing[k]);
        oxi_page_end(page);
    }
    if (system->learned_at != NULL) {
        oxi_page_begin(page, column);
        oxi_page_put(page, "it used %s at %s and had not declared it: that moves no system",
                     system->learned, system->learned_at);
        oxi_page_end(page);
    }
}

static void put_system(oxi_page *page, const ox_frame *frame, int place, int column) {
    const ox_frame_system *system = &frame->systems[place];
    int indent = 2 * depth_of(frame, place);
    oxi_page_begin(page, indent);
    oxi_page_put(page, "%s", system->name);
    if (system->is_group) {
        oxi_page_end(page);
        return;
    }
    oxi_page_go_to(page, column);
    if (system->is_point) {
        oxi_page_put(page, "point             ");
    } else if (!system->has_run) {
        oxi_page_put(page, "did not run       ");
    } else {
        oxi_page_put(page, "%s  %s", system->is_job ? "jobs" : "main",
                     ALIGNED_TIME(system->end_ns - system->begin_ns));
    }
    oxi_page_go_to(page, column + 20);
    put_cause(page, system);
    oxi_page_end(page);
    put_remarks(page, system, column + 20);
}

static void put_order(oxi_page *page, const ox_frame *frame) {
    int column = 0;
    for (int k = 0; k < frame->system_count; k++) {
        if (is_shown(frame, k)) {
            int width = 2 * depth_of(frame, k) + oxi_text_width(frame->systems[k].name) + 2;
            column = width > column ? width : column;
        }
    }
    column = column < WIDEST_NAME ? column : WIDEST_NAME;
    oxi_page_head(page, "Order of systems");
    for (int k = 0; k < frame->system_count; k++) {
        if (is_shown(frame, k)) {
            put_system(page, frame, k, column);
        }
    }
}

// Jobs.

static void put_wait(oxi_page *page, const ox_frame_wait *wait) {
    oxi_page_begin(page, 4);
    oxi_page_put(page, "- ");
    page->indent = 6;
    if (wait->component == NULL) {
        oxi_page_put(page, "was given the handle of ");
    } else {
        oxi_page_put(page, "%s %s, which %s", wait->after_writes ? "writes" : "reads",
                     wait->component, wait->is_declared ? "the system of " : "");
    }
    oxi_page_put(page, "%s", wait->name);
    if (wait->site != NULL) {
        oxi_page_put(page, " (%s)", wait->site);
    }
    if (wait->component != NULL && wait->is_declared) {
        oxi_page_put(page, " declares to %s", wait->before_writes ? "write" : "read");
    } else if (wait->component != NULL) {
        oxi_page_put(page, " %s", wait->before_writes ? "writes" : "reads");
    }
    oxi_page_put(page, "%s", wait->before < 0 ? " (not a job of this frame)" : "");
    oxi_page_end(page);
}

static void put_job_times(oxi_page *page, const ox_frame *frame, const ox_frame_job *job) {
    if (job->end_ns == 0) {
        oxi_page_put(page, ": it has not ended, or when it ran is not known");
        return;
    }
    oxi_page_put(page, ": %s, %s of work", TIME(job->end_ns - job->begin_ns), TIME(job->work_ns));
    if (job->ready_ns <= job->schedule_ns) {
        return;
    }
    oxi_page_put(page, "; waited %s", TIME(job->ready_ns - job->schedule_ns));
    if (job->waited_for >= 0) {
        oxi_page_put(page, ", %s ended last", frame->jobs[job->waited_for].name);
    }
}

static void put_job(oxi_page *page, const ox_frame *frame, const ox_frame_job *job) {
    oxi_page_begin(page, 2);
    oxi_page_put(page, "%s (%s)", job->name, or_unknown(job->site));
    if (job->system >= 0) {
        oxi_page_put(page, " of %s", frame->systems[job->system].name);
    }
    page->indent = 4;
    oxi_page_put(page, ", %d unit%s", job->units, job->units == 1 ? "" : "s");
    put_job_times(page, frame, job);
    oxi_page_end(page);
    for (int k = 0; k < job->wait_count; k++) {
        put_wait(page, &job->waits[k]);
    }
}

static void put_idle(oxi_page *page, const ox_frame *frame, const ox_frame_idle *idle) {
    oxi_page_begin(page, 2);
    oxi_page_put(page, "%s (%s)", idle->name, or_unknown(idle->site));
    if (idle->system >= 0) {
        oxi_page_put(page, " of %s", frame->systems[idle->system].name);
    }
    page->indent = 4;
    oxi_page_put(page, ": %s", idle->why);
    oxi_page_end(page);
}

static void put_jobs(oxi_page *page, const ox_frame *frame) {
    oxi_page_head(page, "Jobs, and what each waits for");
    for (int k = 0; k < frame->job_count; k++) {
        put_job(page, frame, &frame->jobs[k]);
    }
    for (int k = 0; k < frame->idle_count; k++) {
        put_idle(page, frame, &frame->idle[k]);
    }
}

// What the first job of the path waited for, when that is no job of the frame.
static void put_outside(oxi_page *page, const ox_frame_job *job) {
    int at = 0;
    while (at < job->wait_count && job->waits[at].before >= 0) {
        at++;
    }
    oxi_page_begin(page, 2);
    oxi_page_put(page, "%s  %s waited for %s, which is not a job of this frame",
                 ALIGNED_TIME(job->outside_ns), job->name,
                 at < job->wait_count ? job->waits[at].name : "a job");
    oxi_page_end(page);
}

static void put_critical_path(oxi_page *page, const ox_frame *frame) {
    oxi_page_head(page, "Critical path: the longest chain of jobs");
    bool is_first = true;
    for (int k = 0; k < frame->job_count; k++) {
        const ox_frame_job *job = &frame->jobs[k];
        if (job->is_critical && is_first && job->outside_ns > 0) {
            put_outside(page, job);
        }
        if (job->is_critical) {
            is_first = false;
            oxi_page_begin(page, 2);
            oxi_page_put(page, "%s  %s (%s)", ALIGNED_TIME(job->end_ns - job->begin_ns), job->name,
                         or_unknown(job->site));
            oxi_page_end(page);
        }
    }
    oxi_page_begin(page, 2);
    oxi_page_put(page, "%s  in all", ALIGNED_TIME(frame->critical_ns));
    oxi_page_end(page);
}

// Syncs.

static void put_sync(oxi_page *page, const ox_frame *frame, const ox_frame_sync *sync) {
    static const char *const what[] = {"reads ", "writes ", "changes the structure",
                                       "is about to update"};
    const ox_sync *of = &sync->sync;
    oxi_page_begin(page, 2);
    oxi_page_put(page, "%s", ALIGNED_TIME(of->wait_ns));
    oxi_page_go_to(page, 16);
    oxi_page_put(page, "%s at %s %s%s; waited for %s", of->system != NULL ? of->system : "main",
                 or_unknown(of->site), sync->is_playback ? "plays back" : what[of->kind],
                 of->component != 0 ? ox_component_get_info(of->component)->name : "",
                 sync->job_count > 0   ? frame->jobs[sync->jobs[0]].name
                 : of->jobs[0] != NULL ? of->jobs[0]
                                       : "a job of an earlier frame");
    if (of->job_count > 1) {
        oxi_page_put(page, " and %u more", of->job_count - 1);
    }
    oxi_page_put(page, "; %d idle worker%s; %s", of->idle_workers, of->idle_workers == 1 ? "" : "s",
                 of->is_planned ? "planned" : "not planned");
    oxi_page_end(page);
}

static void put_syncs(oxi_page *page, const ox_frame *frame) {
    oxi_page_head(page, "Sync points: where main waited, in the order of time");
    for (int k = 0; k < frame->sync_count; k++) {
        put_sync(page, frame, &frame->syncs[k]);
    }
    if (frame->sync_count == 0) {
        oxi_text_append(page->text, "  none\n");
        return;
    }
    oxi_page_head(page, "Stalls, the longest first, and what to do");
    for (int k = 0; k < frame->sync_count; k++) {
        const ox_frame_sync *sync = &frame->syncs[frame->ranked[k]];
        oxi_page_begin(page, 2);
        oxi_page_put(page, "%s", ALIGNED_TIME(sync->sync.wait_ns));
        oxi_page_go_to(page, 16);
        oxi_page_put(page, "%s", sync->advice);
        oxi_page_end(page);
    }
}

static void put_what_if(oxi_page *page, const ox_frame *frame) {
    static const int workers[] = {0, 1, 3, 7, 15, 63}; // with main a power of two
    oxi_page_head(page, "With other numbers of workers beside main (simulated)");
    for (size_t k = 0; k < sizeof workers / sizeof *workers; k++) {
        ox_forecast what_if = ox_frame_forecast(frame, workers[k], false);
        oxi_page_begin(page, 2);
        if (workers[k] == 0) {
            oxi_page_put(page, "main alone:");
        } else {
            oxi_page_put(page, "%2d worker%s", workers[k], workers[k] == 1 ? ": " : "s:");
        }
        oxi_page_put(page, " %s, busy %3d %%", ALIGNED_TIME(what_if.makespan_ns),
                     (int)(what_if.busy * 100 + 0.5));
        oxi_page_end(page);
    }
}

void oxi_explain_write_text(oxi_text *text, const ox_frame *frame, const char *world) {
    oxi_page page = {.text = text};
    put_summary(&page, frame, world);
    put_order(&page, frame);
    put_jobs(&page, frame);
    put_critical_path(&page, frame);
    put_syncs(&page, frame);
    put_what_if(&page, frame);
}
