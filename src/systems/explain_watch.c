// SPDX-License-Identifier: MIT
//
// What a recorder is told while a frame is on its way: combinations, waits, jobs, syncs.
//
// A handle may stand for several jobs. What it stands for is looked up when it is told, and each
// job behind it becomes a wait of its own.

#include "systems/explain_record.h"

#include "jobs/gate.h"

#include <string.h>

// Combinations of combinations that are followed, and reasons that one job has. Beyond that is a
// program that combines without end.
enum { DEEPEST_HANDLE = 16, MOST_WAITS = 1024 };

// Where waits are added. Those from `first` on are of one job, or of one handle, and differ.
typedef struct wait_target {
    oxi_recorder *recorder;
    oxi_wait_list *list;
    size_t first;
    ox_frame_wait cause;
    bool is_passed; // a user passed the handle: it may be the one that the system was given
} wait_target;

static bool is_same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// True when a wait tells nothing that another does not. One that was declared tells less than what
// the jobs themselves do.
static bool is_same_wait(const ox_frame_wait *known, const ox_frame_wait *wait) {
    bool is_same_kind =
        known->before_writes == wait->before_writes && known->after_writes == wait->after_writes;
    return known->before == wait->before && (is_same_kind || wait->is_declared) &&
           is_same_text(known->component, wait->component) &&
           is_same_text(known->name, wait->name) && is_same_text(known->site, wait->site);
}

static void add_wait(wait_target *target, const ox_frame_wait *wait) {
    oxi_recorder *recorder = target->recorder;
    for (size_t k = target->first; k < target->list->count; k++) {
        if (is_same_wait(&target->list->items[k], wait)) {
            return;
        }
    }
    if (target->list->count - target->first >= MOST_WAITS ||
        !oxi_list_push_in(oxi_recorder_heap(recorder), target->list, *wait)) {
        recorder->dropped++;
    }
}

static void add_known_waits(wait_target *target, const oxi_wait_list *waits) {
    for (size_t k = 0; k < waits->count; k++) {
        add_wait(target, &waits->items[k]);
    }
}

// A handle that stands for no other: a job, of this frame or an earlier one. `system` returned what
// it was found in, or is NULL.
static void add_single_wait(wait_target *target, ox_job job, const oxi_frame_handle *known,
                            bool is_earlier, const char *system) {
    ox_frame_wait wait = target->cause;
    wait.before = known != NULL && !is_earlier ? known->job : -1;
    if (wait.before < 0 && oxi_job_is_settled(job)) {
        return; // nobody waits for it any more
    }
    wait.site = known != NULL ? known->site : NULL;
    wait.name = known != NULL ? known->name : NULL;
    wait.name = wait.name != NULL ? wait.name : oxi_job_get_name(job);
    wait.name = wait.name != NULL ? wait.name : system;
    wait.name = wait.name != NULL ? wait.name : "a job of an earlier frame";
    add_wait(target, &wait);
}

// Adds all that a handle stands for.
static void add_handle_waits(wait_target *target, ox_job job, const char *system, int depth) {
    const oxi_recorder *recorder = target->recorder;
    if (job.value == 0) {
        return;
    }
    if (target->is_passed && job.value == recorder->input.value) {
        add_known_waits(target, &recorder->input_waits);
        return;
    }
    const oxi_frame_handles *from = &recorder->handles;
    const oxi_frame_handle *known = oxi_handles_find(from, job);
    bool is_earlier = known == NULL;
    if (is_earlier) {
        from = &recorder->earlier;
        known = oxi_handles_find(from, job);
    }
    if (known == NULL || known->count == 0 || depth == DEEPEST_HANDLE) {
        add_single_wait(target, job, known, is_earlier, system);
        return;
    }
    for (uint32_t k = 0; k < known->count; k++) {
        add_handle_waits(target, from->parts.items[known->first + k],
                         known->name != NULL ? known->name : system, depth + 1);
    }
}

// What the trace tells.

static void hear_combined(void *context, ox_job combined, const ox_job *parts, uint32_t count) {
    oxi_recorder *recorder = context;
    if (!oxi_handles_add_parts(&recorder->handles, oxi_recorder_heap(recorder), combined, parts,
                               count)) {
        recorder->dropped++;
    }
}

// What the world tells.

static void hear_gathers(void *context) {
    oxi_recorder *recorder = context;
    oxi_list_clear(&recorder->pending);
}

static void hear_waits(void *context, ox_job before, oxi_wait_cause cause) {
    oxi_recorder *recorder = context;
    wait_target target = {
        .recorder = recorder,
        .list = &recorder->pending,
        .cause = {.component = cause.component == 0 ? "entities"
                                                    : ox_component_get_info(cause.component)->name,
                  .before_writes = cause.before_writes,
                  .after_writes = cause.after_writes,
                  .is_declared = cause.is_declared},
    };
    add_handle_waits(&target, before, NULL, 0);
}

// The waits of a job become those from the end of the list on.
static int take_waits(oxi_recorder *recorder, ox_job after) {
    wait_target target = {
        .recorder = recorder,
        .list = &recorder->waits,
        .first = recorder->waits.count,
        .is_passed = true,
    };
    if (after.value == OX_AUTO.value) {
        add_known_waits(&target, &recorder->pending);
    } else {
        add_handle_waits(&target, after, NULL, 0);
    }
    oxi_list_clear(&recorder->pending);
    return (int)(recorder->waits.count - target.first);
}

static bool is_job_of_frame(const oxi_recorder *recorder, ox_job job) {
    const oxi_frame_handle *known = oxi_handles_find(&recorder->handles, job);
    return known != NULL && known->job >= 0;
}

static void add_frame_job(oxi_recorder *recorder, ox_frame_job *job, oxi_job_note note,
                          ox_job after) {
    const oxi_hooks *heap = oxi_recorder_heap(recorder);
    oxi_frame_handle handle = {.value = job->job.value,
                               .job = (int)recorder->jobs.count,
                               .name = job->name,
                               .site = job->site};
    if (!oxi_list_push_in(heap, &recorder->notes, note)) {
        recorder->dropped++;
        return;
    }
    job->wait_count = take_waits(recorder, after);
    if (!oxi_list_push_in(heap, &recorder->jobs, *job)) {
        recorder->waits.count -= (size_t)job->wait_count;
        recorder->notes.count--;
        recorder->dropped++;
        return;
    }
    recorder->dropped += !oxi_handles_add_job(&recorder->handles, heap, &handle);
}

// A job over entities is told by its world, which knows more of it, and by no trace.
static void hear_admitted(void *context, const oxi_trace_told *told) {
    oxi_recorder *recorder = context;
    if (told->type->oxi_has_tail) {
        return;
    }
    ox_frame_job noted = {
        .name = told->type->type.name,
        .site = told->site,
        .system = recorder->current,
        .job = told->job,
        .units = told->units,
        .is_plain = true,
        .is_background = told->in_background,
        .schedule_ns = oxi_clock_now(),
        .waited_for = -1,
    };
    oxi_job_note note = {.type = told->type, .chain = -1};
    note.batch = told->units == 0 ? told->batch : 0;
    add_frame_job(recorder, &noted, note, told->after);
}

// A plain job with views or lookups comes here, too: before that the trace told of it, if one is
// on.
static void hear_scheduled(void *context, const ox_system *scope, ox_job job,
                           const ox_job_type *type, int count, ox_job after, ox_site site) {
    oxi_recorder *recorder = context;
    (void)scope;
    if (!type->oxi_has_tail && is_job_of_frame(recorder, job)) {
        return;
    }
    ox_frame_job noted = {
        .name = type->type.name,
        .site = site,
        .system = recorder->current,
        .job = job,
        .units = count,
        .is_plain = !type->oxi_has_tail,
        .is_auto = after.value == OX_AUTO.value,
        .schedule_ns = oxi_clock_now(),
        .waited_for = -1,
    };
    add_frame_job(recorder, &noted, (oxi_job_note){.type = type, .chain = -1}, after);
    oxi_recorder_begin_trace(recorder); // the first job of all started the job system
}

static void hear_found_none(void *context, const ox_query *query, const ox_job_type *type,
                            ox_site site) {
    oxi_recorder_add_idle(context, query, type, site);
}

static void add_awaited(oxi_recorder *recorder, int job) {
    for (size_t k = recorder->awaited_first; k < recorder->awaited.count; k++) {
        if (recorder->awaited.items[k] == job) {
            return;
        }
    }
    recorder->dropped += !oxi_list_push_in(oxi_recorder_heap(recorder), &recorder->awaited, job);
}

static void add_awaited_handle(oxi_recorder *recorder, ox_job job, int depth) {
    const oxi_frame_handle *known = oxi_handles_find(&recorder->handles, job);
    if (known != NULL && known->job >= 0) {
        add_awaited(recorder, known->job);
    }
    for (uint32_t k = 0; known != NULL && depth < DEEPEST_HANDLE && k < known->count; k++) {
        add_awaited_handle(recorder, recorder->handles.parts.items[known->first + k], depth + 1);
    }
}

static void hear_awaits(void *context, ox_job job) {
    add_awaited_handle(context, job, 0);
}

// True when main waits to carry out commands.
static bool is_playback(const oxi_recorder *recorder) {
    const oxi_scope *updating = recorder->all->world->updating;
    const oxi_system *system = updating != NULL ? updating->owner : NULL;
    return system != NULL && (system->is_playing || system->def.is_barrier);
}

static void hear_synced(void *context, const ox_sync *sync, uint64_t begin_ns) {
    oxi_recorder *recorder = context;
    const oxi_hooks *heap = oxi_recorder_heap(recorder);
    size_t count = recorder->awaited.count - recorder->awaited_first;
    ox_frame_sync noted = {.sync = *sync,
                           .system = recorder->current,
                           .is_playback = is_playback(recorder),
                           .begin_ns = begin_ns,
                           .job_count = (int)count,
                           .advice = ""};
    if (recorder->current >= 0) {
        recorder->systems.items[recorder->current].wait_ns += sync->wait_ns;
    }
    if (!oxi_list_push_in(heap, &recorder->ranked, (int)recorder->syncs.count)) {
        recorder->awaited.count = recorder->awaited_first;
        recorder->dropped++;
        return;
    }
    if (!oxi_list_push_in(heap, &recorder->syncs, noted)) {
        recorder->awaited.count = recorder->awaited_first;
        recorder->ranked.count--;
        recorder->dropped++;
        return;
    }
    recorder->awaited_first = recorder->awaited.count;
}

void oxi_recorder_set_watch(oxi_recorder *recorder) {
    recorder->listener = (oxi_trace_listener){
        .combined = hear_combined, .scheduled = hear_admitted, .context = recorder};
    recorder->watch = (oxi_world_watch){
        .gathers = hear_gathers,
        .waits = hear_waits,
        .scheduled = hear_scheduled,
        .found_none = hear_found_none,
        .synced = hear_synced,
        .awaits = hear_awaits,
        .context = recorder,
    };
}
