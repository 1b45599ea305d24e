// SPDX-License-Identifier: MIT
//
// Recording: the beginning and the end of frames and systems, and of the recorder itself.

#include "systems/explain_record.h"

#include "jobs/scheduler.h"
#include "oxbow/memory.h"

static void clear_frame(oxi_recorder *recorder) {
    oxi_list_clear(&recorder->systems);
    oxi_list_clear(&recorder->places);
    oxi_list_clear(&recorder->jobs);
    oxi_list_clear(&recorder->notes);
    oxi_list_clear(&recorder->idle);
    oxi_list_clear(&recorder->idle_queries);
    oxi_list_clear(&recorder->idle_whys);
    oxi_list_clear(&recorder->waits);
    oxi_list_clear(&recorder->syncs);
    oxi_list_clear(&recorder->awaited);
    oxi_list_clear(&recorder->ranked);
    oxi_list_clear(&recorder->advice);
    oxi_list_clear(&recorder->pending);
    recorder->awaited_first = 0;
    recorder->input = OX_NO_JOB;
    recorder->current = -1;
    recorder->dropped = 0;
    recorder->is_filled = false;
    recorder->is_traced = false;
    recorder->trace_dropped = 0;
}

// What jobs of the frame before were is known for one frame more.
static void turn_handles(oxi_recorder *recorder) {
    oxi_frame_handles older = recorder->earlier;
    recorder->earlier = recorder->handles;
    recorder->handles = older;
    oxi_handles_clear(&recorder->handles);
}

void oxi_recorder_begin_frame(oxi_systems *all) {
    oxi_recorder *recorder = all->recorder;
    clear_frame(recorder);
    turn_handles(recorder);
    oxi_recorder_list_systems(recorder);
    oxi_recorder_begin_trace(recorder);
    recorder->is_open = true;
    all->world->watch = &recorder->watch;
    recorder->frame = (ox_frame){.number = all->time.frame, .begin_ns = oxi_clock_now()};
}

// A group lasts from the first to the last of what is in it. From the back: what is in a group
// stands behind it.
static void time_groups(oxi_recorder *recorder) {
    for (size_t k = recorder->systems.count; k > 0; k--) {
        const ox_frame_system *inner = &recorder->systems.items[k - 1];
        if (inner->group < 0 || !inner->has_run) {
            continue;
        }
        ox_frame_system *group = &recorder->systems.items[inner->group];
        bool is_first = !group->has_run || inner->begin_ns < group->begin_ns;
        group->begin_ns = is_first ? inner->begin_ns : group->begin_ns;
        group->end_ns = inner->end_ns > group->end_ns ? inner->end_ns : group->end_ns;
        group->wait_ns += inner->wait_ns;
        group->has_run = true;
    }
}

void oxi_recorder_end_frame(oxi_systems *all) {
    oxi_recorder *recorder = all->recorder;
    recorder->frame.end_ns = oxi_clock_now();
    recorder->is_open = false;
    all->world->watch = NULL;
    if (recorder->is_traced) {
        oxi_trace_set_listener(recorder->outer);
    }
    time_groups(recorder);
}

// The place of a system of the plan in the frame; -1 when there was no memory to list them.
static int place_of_system(const oxi_recorder *recorder, const oxi_system *system) {
    if (recorder->places.count == 0) {
        return -1;
    }
    OXI_ASSERT(system->index < recorder->places.count);
    return recorder->places.items[system->index];
}

void oxi_recorder_begin_system(oxi_system *system) {
    oxi_recorder *recorder = system->all->recorder;
    if (!recorder->is_open) {
        return; // it is updated by itself, which is no frame
    }
    // What its first job waits for is only told while there is a trace.
    bool has_jobs = system->def.update_jobs != NULL && !recorder->is_traced;
    if (has_jobs && (oxi_jobs.is_running || ox_jobs_start_at(NULL, recorder->site))) {
        oxi_recorder_begin_trace(recorder);
    }
    recorder->current = place_of_system(recorder, system);
    recorder->input = OX_NO_JOB;
    oxi_list_clear(&recorder->input_waits);
    oxi_list_clear(&recorder->pending);
    if (recorder->current >= 0) {
        ox_frame_system *noted = &recorder->systems.items[recorder->current];
        // In a group with steps it may run again.
        noted->begin_ns = noted->has_run ? noted->begin_ns : oxi_clock_now();
        noted->has_run = true;
        noted->is_point = false; // a barrier that has something to do is more
    }
}

void oxi_recorder_end_system(oxi_system *system) {
    oxi_recorder *recorder = system->all->recorder;
    if (recorder->current >= 0) { // outside of a frame it is none
        ox_frame_system *noted = &recorder->systems.items[recorder->current];
        noted->end_ns = oxi_clock_now();
        oxi_recorder_note_learned(noted, system);
    }
    recorder->current = -1;
}

void oxi_recorder_input(oxi_system *system, ox_job after) {
    oxi_recorder *recorder = system->all->recorder;
    if (!recorder->is_open) {
        return;
    }
    size_t count = recorder->pending.count;
    recorder->input = after;
    if (oxi_list_append_in(oxi_recorder_heap(recorder), &recorder->input_waits,
                           recorder->pending.items, count)) {
        oxi_list_clear(&recorder->pending);
    } else {
        recorder->dropped += count;
    }
}

void oxi_recorder_returned(oxi_system *system, ox_job returned) {
    oxi_recorder *recorder = system->all->recorder;
    bool is_job = returned.value != 0 && returned.value != OX_AUTO.value;
    if (recorder->is_open && is_job &&
        !oxi_handles_add_returned(&recorder->handles, oxi_recorder_heap(recorder), returned,
                                  system->def.name)) {
        recorder->dropped++;
    }
}

void oxi_recorder_destroy(oxi_systems *all) {
    oxi_recorder *recorder = all->recorder;
    const oxi_hooks *heap = all->world->store.heap;
    if (recorder == NULL) {
        return;
    }
    oxi_recorder_end_trace(recorder);
    oxi_list_free_in(heap, &recorder->systems);
    oxi_list_free_in(heap, &recorder->places);
    oxi_list_free_in(heap, &recorder->jobs);
    oxi_list_free_in(heap, &recorder->notes);
    oxi_list_free_in(heap, &recorder->idle);
    oxi_list_free_in(heap, &recorder->idle_queries);
    oxi_list_free_in(heap, &recorder->idle_whys);
    oxi_list_free_in(heap, &recorder->waits);
    oxi_list_free_in(heap, &recorder->syncs);
    oxi_list_free_in(heap, &recorder->awaited);
    oxi_list_free_in(heap, &recorder->ranked);
    oxi_list_free_in(heap, &recorder->advice);
    oxi_list_free_in(heap, &recorder->pending);
    oxi_list_free_in(heap, &recorder->input_waits);
    oxi_handles_free(&recorder->handles, heap);
    oxi_handles_free(&recorder->earlier, heap);
    ox_memory_free_at(all->world->def.allocator, recorder, sizeof *recorder, _Alignof(oxi_recorder),
                      recorder->site);
    all->recorder = NULL;
}

bool oxi_recorder_enter(const ox_world *world, const char *function, ox_site site) {
    if (!oxi_world_enter(world, function, site)) {
        return false;
    }
    const char *system = world->updating != NULL ? world->updating->base.name : "no system";
    return OXI_REQUIRE(!world->is_updating, &world->sink, OX_REPORT_WORLD_UPDATING, site,
                       OXI_NAME("function", function), OXI_NAME("world", world->name),
                       OXI_NAME("system", system));
}

bool ox_world_record_frames_at(ox_world *world, bool on, ox_site site) {
    if (!oxi_recorder_enter(world, "ox_world_record_frames", site)) {
        return false;
    }
    oxi_systems *all = on ? oxi_systems_make(world, site) : oxi_systems_get(world);
    if (all == NULL || (all->recorder != NULL) == on) {
        return !on || all != NULL;
    }
    if (!on) {
        oxi_recorder_destroy(all);
        return true;
    }
    oxi_recorder *recorder =
        ox_memory_alloc_at(world->def.allocator, sizeof *recorder, _Alignof(oxi_recorder), site);
    if (recorder == NULL) {
        return false;
    }
    *recorder = (oxi_recorder){.all = all, .site = site, .current = -1};
    oxi_recorder_set_watch(recorder);
    all->recorder = recorder;
    return true;
}
