// SPDX-License-Identifier: MIT
//
// A frame as JSON. Times count from the beginning of the update; what is not known is null.
// docs/explain.md lists the fields.

#include "base/json_writer.h"
#include "systems/explain_record.h"

typedef struct frame_json {
    oxi_json_writer json;
    const ox_frame *frame;
} frame_json;

static void write_text_of(frame_json *out, const char *key, const char *value) {
    oxi_json_write_key(&out->json, key);
    oxi_json_write_string(&out->json, value);
}

static void write_bool_of(frame_json *out, const char *key, bool value) {
    oxi_json_write_key(&out->json, key);
    oxi_json_write_bool(&out->json, value);
}

static void write_int_of(frame_json *out, const char *key, int64_t value) {
    oxi_json_write_key(&out->json, key);
    oxi_json_write_int(&out->json, value);
}

static void write_place_of(frame_json *out, const char *key, int place) {
    oxi_json_write_key(&out->json, key);
    if (place >= 0) {
        oxi_json_write_int(&out->json, place);
    } else {
        oxi_json_write_null(&out->json);
    }
}

// A time on the clock. What began before the update has a negative one.
static void write_time_of(frame_json *out, const char *key, uint64_t ns) {
    oxi_json_write_key(&out->json, key);
    if (ns != 0) {
        oxi_json_write_int(&out->json, (int64_t)(ns - out->frame->begin_ns));
    } else {
        oxi_json_write_null(&out->json);
    }
}

static void begin_list_of(frame_json *out, const char *key) {
    oxi_json_write_key(&out->json, key);
    oxi_json_begin_array(&out->json);
}

static void write_system(frame_json *out, const ox_frame_system *system) {
    static const char *const causes[] = {
        [OX_ORDERED_ALONE] = "alone", [OX_ORDERED_FIRST] = "first", [OX_ORDERED_LAST] = "last",
        [OX_ORDERED_AFTER] = "after", [OX_ORDERED_JOBS] = "jobs",   [OX_ORDERED_FREE] = "free",
        [OX_ORDERED_LATE] = "late",   [OX_ORDERED_NAME] = "name",   [OX_ORDERED_GIVEN] = "given",
    };
    oxi_json_begin_object(&out->json);
    write_text_of(out, "name", system->name);
    write_text_of(out, "site", system->site);
    write_place_of(out, "group", system->group);
    write_bool_of(out, "is_group", system->is_group);
    write_bool_of(out, "is_job", system->is_job);
    write_bool_of(out, "is_point", system->is_point);
    write_bool_of(out, "has_run", system->has_run);
    write_text_of(out, "cause", causes[system->cause]);
    write_text_of(out, "other", system->other);
    write_text_of(out, "cause_site", system->cause_site);
    write_text_of(out, "component", system->component);
    write_time_of(out, "begin_ns", system->begin_ns);
    write_time_of(out, "end_ns", system->end_ns);
    write_int_of(out, "wait_ns", (int64_t)system->wait_ns);
    write_text_of(out, "learned_at", system->learned_at);
    write_text_of(out, "learned", system->learned);
    begin_list_of(out, "missing");
    for (int k = 0; system->missing[k] != NULL; k++) {
        oxi_json_write_string(&out->json, system->missing[k]);
    }
    oxi_json_end_array(&out->json);
    oxi_json_end_object(&out->json);
}

static void write_wait(frame_json *out, const ox_frame_wait *wait) {
    oxi_json_begin_object(&out->json);
    write_place_of(out, "before", wait->before);
    write_text_of(out, "name", wait->name);
    write_text_of(out, "site", wait->site);
    write_text_of(out, "component", wait->component);
    write_bool_of(out, "before_writes", wait->before_writes);
    write_bool_of(out, "after_writes", wait->after_writes);
    write_bool_of(out, "is_declared", wait->is_declared);
    oxi_json_end_object(&out->json);
}

static void write_job(frame_json *out, const ox_frame_job *job) {
    oxi_json_begin_object(&out->json);
    write_text_of(out, "name", job->name);
    write_text_of(out, "site", job->site);
    write_place_of(out, "system", job->system);
    write_int_of(out, "units", job->units);
    write_bool_of(out, "is_plain", job->is_plain);
    write_bool_of(out, "is_background", job->is_background);
    write_bool_of(out, "is_auto", job->is_auto);
    write_bool_of(out, "is_critical", job->is_critical);
    write_time_of(out, "schedule_ns", job->schedule_ns);
    write_time_of(out, "ready_ns", job->ready_ns);
    write_time_of(out, "begin_ns", job->begin_ns);
    write_time_of(out, "end_ns", job->end_ns);
    write_int_of(out, "work_ns", (int64_t)job->work_ns);
    write_place_of(out, "waited_for", job->waited_for);
    write_int_of(out, "outside_ns", (int64_t)job->outside_ns);
    begin_list_of(out, "waits");
    for (int k = 0; k < job->wait_count; k++) {
        write_wait(out, &job->waits[k]);
    }
    oxi_json_end_array(&out->json);
    oxi_json_end_object(&out->json);
}

static void write_idle(frame_json *out, const ox_frame_idle *idle) {
    oxi_json_begin_object(&out->json);
    write_text_of(out, "name", idle->name);
    write_text_of(out, "site", idle->site);
    write_place_of(out, "system", idle->system);
    write_text_of(out, "why", idle->why);
    oxi_json_end_object(&out->json);
}

static void write_sync(frame_json *out, const ox_frame_sync *sync) {
    static const char *const kinds[] = {
        [OX_SYNC_READ] = "read",
        [OX_SYNC_WRITE] = "write",
        [OX_SYNC_STRUCTURAL] = "structural",
        [OX_SYNC_OWN] = "own",
    };
    const ox_sync *of = &sync->sync;
    oxi_json_begin_object(&out->json);
    write_text_of(out, "kind", kinds[of->kind]);
    write_text_of(out, "component",
                  of->component != 0 ? ox_component_get_info(of->component)->name : NULL);
    write_text_of(out, "site", of->site);
    write_place_of(out, "system", sync->system);
    write_bool_of(out, "is_planned", of->is_planned);
    write_bool_of(out, "is_playback", sync->is_playback);
    write_int_of(out, "idle_workers", of->idle_workers);
    write_time_of(out, "begin_ns", sync->begin_ns);
    write_int_of(out, "wait_ns", (int64_t)of->wait_ns);
    begin_list_of(out, "jobs");
    for (int k = 0; k < sync->job_count; k++) {
        oxi_json_write_int(&out->json, sync->jobs[k]);
    }
    oxi_json_end_array(&out->json);
    begin_list_of(out, "names");
    for (int k = 0; k < OX_SYNC_JOBS && of->jobs[k] != NULL; k++) {
        oxi_json_write_string(&out->json, of->jobs[k]);
    }
    oxi_json_end_array(&out->json);
    write_text_of(out, "advice", sync->advice);
    oxi_json_end_object(&out->json);
}

static void write_what_ifs(frame_json *out) {
    static const int workers[] = {0, 1, 3, 7, 15, 63}; // beside main
    begin_list_of(out, "simulated");
    for (size_t k = 0; k < sizeof workers / sizeof *workers; k++) {
        ox_forecast what_if = ox_frame_forecast(out->frame, workers[k], false);
        oxi_json_begin_object(&out->json);
        write_int_of(out, "workers", workers[k]);
        write_int_of(out, "makespan_ns", (int64_t)what_if.makespan_ns);
        oxi_json_write_key(&out->json, "busy");
        oxi_json_write_double(&out->json, what_if.busy);
        oxi_json_end_object(&out->json);
    }
    oxi_json_end_array(&out->json);
}

static void write_lists(frame_json *out) {
    const ox_frame *frame = out->frame;
    begin_list_of(out, "systems");
    for (int k = 0; k < frame->system_count; k++) {
        write_system(out, &frame->systems[k]);
    }
    oxi_json_end_array(&out->json);
    begin_list_of(out, "jobs");
    for (int k = 0; k < frame->job_count; k++) {
        write_job(out, &frame->jobs[k]);
    }
    oxi_json_end_array(&out->json);
    begin_list_of(out, "idle");
    for (int k = 0; k < frame->idle_count; k++) {
        write_idle(out, &frame->idle[k]);
    }
    oxi_json_end_array(&out->json);
    begin_list_of(out, "syncs");
    for (int k = 0; k < frame->sync_count; k++) {
        write_sync(out, &frame->syncs[k]);
    }
    oxi_json_end_array(&out->json);
    begin_list_of(out, "ranked");
    for (int k = 0; k < frame->sync_count; k++) {
        oxi_json_write_int(&out->json, frame->ranked[k]);
    }
    oxi_json_end_array(&out->json);
}

void oxi_explain_write_json(oxi_text *text, const ox_frame *frame, const char *world) {
    frame_json out = {.json = oxi_json_write_to(text), .frame = frame};
    oxi_json_begin_object(&out.json);
    write_text_of(&out, "world", world);
    write_int_of(&out, "frame", (int64_t)frame->number);
    write_int_of(&out, "update_ns", (int64_t)(frame->end_ns - frame->begin_ns));
    write_int_of(&out, "critical_ns", (int64_t)frame->critical_ns);
    write_int_of(&out, "dropped", (int64_t)frame->dropped);
    write_lists(&out);
    write_what_ifs(&out);
    oxi_json_end_object(&out.json);
}
