// SPDX-License-Identifier: MIT
//
// A recorded frame as users see it: what the trace knows of its jobs, and the critical path.
//
// All room but that for advice was made while the frame was recorded, so a frame that was recorded
// can be had whatever happens.

#include "systems/explain_record.h"

#include "jobs/scheduler.h"
#include "oxbow/trace.h"

#include <string.h>

// Room for each thread. A frame with more is one of many thousand chunks: its times are cut off.
enum { FRAME_EVENTS = 8192 };

// The trace.

// False while the job system is not running, too: the first job of a frame may start it.
static bool is_thread_of_jobs(void) {
    return oxi_this_runner == &oxi_jobs.runners[0];
}

static bool owns_trace(const oxi_recorder *recorder) {
    return recorder->has_trace && ox_trace_get_start() == recorder->trace_start_ns;
}

void oxi_recorder_begin_trace(oxi_recorder *recorder) {
    if (recorder->is_traced || !is_thread_of_jobs()) {
        return; // a world of another thread has no jobs
    }
    recorder->is_traced = true;
    recorder->outer = oxi_trace_set_listener(&recorder->listener);
    if (ox_trace_is_recording() && !owns_trace(recorder)) {
        recorder->has_trace = false;
        recorder->trace_dropped = ox_trace_get_dropped();
        return;
    }
    recorder->has_trace = ox_trace_begin_at(FRAME_EVENTS, recorder->site);
    recorder->trace_start_ns = ox_trace_get_start();
    recorder->dropped += !recorder->has_trace;
}

void oxi_recorder_end_trace(oxi_recorder *recorder) {
    if (owns_trace(recorder)) {
        ox_trace_clear_at(recorder->site);
    }
    recorder->has_trace = false;
}

static int find_place_of(const oxi_recorder *recorder, ox_job job) {
    const oxi_frame_handle *known = oxi_handles_find(&recorder->handles, job);
    return known != NULL ? known->job : -1;
}

// A job that took its count when it started shows by its ranges how many units it had.
static void read_range(oxi_recorder *recorder, const ox_trace_event *range, int place) {
    oxi_job_note *note = &recorder->notes.items[place];
    if (note->batch > 0) {
        note->indices += range->end - range->begin;
        recorder->jobs.items[place].units = (int)((note->indices - 1) / note->batch + 1);
    }
}

static void read_event(oxi_recorder *recorder, const ox_trace_event *event) {
    bool is_of_frame = event->kind != OX_TRACE_SLEEP && event->begin_ns >= recorder->frame.begin_ns;
    int place = is_of_frame ? find_place_of(recorder, event->job) : -1;
    if (place < 0) {
        return;
    }
    if (event->kind == OX_TRACE_RANGE) {
        read_range(recorder, event, place);
        return;
    }
    ox_frame_job *job = &recorder->jobs.items[place];
    bool is_first = job->end_ns == 0 || event->begin_ns < job->begin_ns;
    job->begin_ns = is_first ? event->begin_ns : job->begin_ns;
    job->end_ns = event->end_ns > job->end_ns ? event->end_ns : job->end_ns;
    job->work_ns += event->end_ns - event->begin_ns;
    if (event->schedule_ns != 0) {
        job->schedule_ns = event->schedule_ns;
        job->ready_ns = event->ready_ns;
        job->waited_for = find_place_of(recorder, event->waited_for);
        bool is_outside = event->waited_for.value != 0 && job->waited_for < 0;
        job->outside_ns = is_outside ? event->ready_ns - event->schedule_ns : 0;
    }
}

void oxi_recorder_read_trace(oxi_recorder *recorder) {
    if (!recorder->is_traced) {
        return; // it had no jobs
    }
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        int count = 0;
        const ox_trace_event *events = ox_trace_get_events_at(thread, &count, recorder->site);
        for (int k = 0; k < count; k++) {
            read_event(recorder, &events[k]);
        }
    }
    uint64_t dropped = ox_trace_get_dropped();
    recorder->dropped += dropped > recorder->trace_dropped ? dropped - recorder->trace_dropped : 0;
}

// The critical path.

// Jobs only wait for those that were scheduled before them, so one walk from the front will do.
static void consider_chain(oxi_recorder *recorder, int job, int before) {
    oxi_job_note *note = &recorder->notes.items[job];
    OXI_ASSERT(before < job);
    if (before < 0) {
        return;
    }
    if (note->chain < 0 ||
        recorder->notes.items[before].chain_ns > recorder->notes.items[note->chain].chain_ns) {
        note->chain = before;
    }
}

static void find_chain(oxi_recorder *recorder, int at) {
    const ox_frame_job *job = &recorder->jobs.items[at];
    oxi_job_note *note = &recorder->notes.items[at];
    for (int k = 0; k < job->wait_count; k++) {
        consider_chain(recorder, at, job->waits[k].before);
    }
    consider_chain(recorder, at, job->waited_for);
    uint64_t before = note->chain >= 0 ? recorder->notes.items[note->chain].chain_ns : 0;
    if (job->outside_ns > before) {
        note->chain = -1; // what came before it is not of this frame
        before = job->outside_ns;
    }
    note->chain_ns = before + (job->end_ns - job->begin_ns);
}

// A chain that ends in the background is longer than the frame, and nothing in it waits for that.
static bool is_longer_chain(const oxi_recorder *recorder, int at, int than) {
    return !recorder->jobs.items[at].is_background &&
           (than < 0 || recorder->notes.items[at].chain_ns > recorder->notes.items[than].chain_ns);
}

static void mark_critical_path(oxi_recorder *recorder) {
    int last = -1;
    for (int k = 0; k < (int)recorder->jobs.count; k++) {
        find_chain(recorder, k);
        last = is_longer_chain(recorder, k, last) ? k : last;
    }
    recorder->frame.critical_ns = last >= 0 ? recorder->notes.items[last].chain_ns : 0;
    for (int k = last; k >= 0; k = recorder->notes.items[k].chain) {
        recorder->jobs.items[k].is_critical = true;
    }
}

// The whole frame.

static void point_to_lists(oxi_recorder *recorder) {
    ox_frame *frame = &recorder->frame;
    const ox_frame_wait *wait = recorder->waits.items;
    for (size_t k = 0; k < recorder->jobs.count; k++) {
        recorder->jobs.items[k].waits = wait;
        wait += recorder->jobs.items[k].wait_count;
    }
    const int *job = recorder->awaited.items;
    for (size_t k = 0; k < recorder->syncs.count; k++) {
        recorder->syncs.items[k].jobs = job;
        job += recorder->syncs.items[k].job_count;
    }
    frame->systems = recorder->systems.items;
    frame->system_count = (int)recorder->systems.count;
    frame->jobs = recorder->jobs.items;
    frame->job_count = (int)recorder->jobs.count;
    frame->idle = recorder->idle.items;
    frame->idle_count = (int)recorder->idle.count;
    frame->syncs = recorder->syncs.items;
    frame->sync_count = (int)recorder->syncs.count;
    frame->ranked = recorder->ranked.items;
}

const ox_frame *oxi_recorder_fill(ox_world *world, const char *function, ox_site site) {
    if (!oxi_recorder_enter(world, function, site)) {
        return NULL;
    }
    const oxi_systems *all = oxi_systems_get(world);
    oxi_recorder *recorder = all != NULL ? all->recorder : NULL;
    if (recorder == NULL || recorder->frame.number == 0) {
        return NULL;
    }
    if (!recorder->is_filled) {
        bool records = world->records_syncs;
        world->records_syncs = false; // that somebody asks is no stall
        bool is_complete = oxi_sync_jobs(world, site);
        world->records_syncs = records;
        if (!is_complete) {
            return NULL;
        }
        oxi_recorder_read_trace(recorder);
        oxi_recorder_end_trace(recorder);
        point_to_lists(recorder);
        mark_critical_path(recorder);
        oxi_recorder_rank_stalls(recorder);
        oxi_recorder_explain_idle(recorder);
        recorder->frame.dropped = recorder->dropped;
        recorder->is_filled = true;
    }
    return &recorder->frame;
}

const ox_frame *ox_world_get_frame_at(ox_world *world, ox_site site) {
    return oxi_recorder_fill(world, "ox_world_get_frame", site);
}

// Budgets.

static int find_frame_system(const ox_frame *frame, const char *name) {
    int place = 0;
    while (place < frame->system_count && strcmp(frame->systems[place].name, name) != 0) {
        place++;
    }
    return place < frame->system_count ? place : -1;
}

// Waits in the updates of systems from a place on, and all that came later.
static int count_syncs_from(const ox_frame *frame, int place) {
    int count = 0;
    bool is_behind = false; // syncs are in the order of time
    for (int k = 0; k < frame->sync_count; k++) {
        is_behind = is_behind || frame->syncs[k].system >= place;
        count += is_behind;
    }
    return count;
}

int ox_frame_count_syncs(const ox_frame *frame, const char *from_system) {
    if (frame == NULL) {
        return from_system == NULL ? 0 : -1;
    }
    if (from_system == NULL) {
        return frame->sync_count;
    }
    int from = find_frame_system(frame, from_system);
    return from >= 0 ? count_syncs_from(frame, from) : -1;
}

int ox_frame_count_syncs_after(const ox_frame *frame, const char *system) {
    int place = frame != NULL && system != NULL ? find_frame_system(frame, system) : -1;
    if (place < 0) {
        return -1;
    }
    int end = place + 1;
    while (end < frame->system_count && frame->systems[end].group >= place) {
        end++; // what is in a group stands behind it
    }
    return count_syncs_from(frame, end);
}

void ox_world_set_strict_at(ox_world *world, bool is_strict, ox_site site) {
    if (oxi_world_enter(world, "ox_world_set_strict", site)) {
        world->is_strict = is_strict;
    }
}
