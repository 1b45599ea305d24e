// SPDX-License-Identifier: MIT
//
// Every fallible call on the way of a recorded frame is failed once, alone and together with all
// that follow. The frame itself is as it would be without a recorder; what could not be noted is
// counted, or the call that could not be answered is a report.

#include "explain_test.h"

static void look_and_change(ox_system *system) {
    look_at_count(system);
    ox_entity_create(system->world, OX_VALUE(Count, {7}));
}

// Jobs of this update that could be scheduled.
static int scheduled;

static ox_job count_scheduled(ox_job job) {
    scheduled += job.value != 0;
    return job;
}

static ox_job schedule_counted(ox_system *system, ox_job after) {
    return count_scheduled(schedule_write(system, after));
}

static ox_job schedule_counted_step(ox_system *system, ox_job after) {
    return count_scheduled(schedule_write_step(system, after));
}

OX_JOB(Between, { int unused; }) {
    (void)job;
}

OX_ENTITY_JOB(WriteNobody, (OX_WRITE(Count, count), OX_WITH(Red)), { int unused; }) {
    count->value++;
}

static ox_job schedule_many(ox_system *system, ox_job after) {
    SCHEDULE(WriteNobody, system, after, "many.c:0", 0);
    ox_job between =
        count_scheduled(ox_schedule_at(ox_job_type_of(Between), after, &(Between){0}, "many.c:4"));
    for (int k = 0; k < 3; k++) {
        count_scheduled(SCHEDULE(ReadCount, system, OX_AUTO, "many.c:1", 0));
        count_scheduled(SCHEDULE(WriteStep, system, OX_AUTO, "many.c:2", 1));
    }
    return between;
}

static const ox_system_def fault_systems[] = {
    {.name = "Write", .update_jobs = schedule_counted, .jobs = OX_JOBS(WriteCount)},
    {.name = "Step", .update_jobs = schedule_counted_step, .jobs = OX_JOBS(WriteStep)},
    {.name = "Many", .update_jobs = schedule_many, .after = {"Write", "Step"}},
    {.name = "Change", .update = look_and_change, .after = {"Many"}},
    {0},
};

static ox_world *make_fault_world(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    if (world == NULL) {
        return NULL;
    }
    looked_at = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}));
    bool is_whole = looked_at.version != 0;
    for (const ox_system_def *def = fault_systems; def->name != NULL && is_whole; def++) {
        is_whole = ox_system_add(world, def) != NULL;
    }
    if (!is_whole) {
        ox_world_destroy(world);
        world = NULL;
    }
    return world;
}

enum { MOST_DROPPED = 1000 };

// The look at Count has waited for what writes it: a change of the structure does not any more,
// even when the look could not be noted.
static void expect_own_jobs(const ox_frame *frame, const ox_frame_sync *sync) {
    bool is_change = sync->sync.kind == OX_SYNC_STRUCTURAL;
    for (int k = 0; k < sync->job_count && is_change; k++) {
        EXPECT(strcmp(frame->jobs[sync->jobs[k]].name, "WriteCount") != 0);
    }
}

static void look_at_frame(ox_world *world) {
    static char text[65536];
    const ox_frame *frame = ox_world_get_frame(world);
    if (frame != NULL) {
        EXPECT(frame->job_count == scheduled || frame->dropped > 0);
        EXPECT(frame->dropped < MOST_DROPPED);
        for (int k = 0; k < frame->sync_count; k++) {
            EXPECT(frame->syncs[k].advice != NULL && frame->syncs[k].advice[0] != 0);
            expect_own_jobs(frame, &frame->syncs[k]);
        }
        for (int k = 0; k < frame->idle_count; k++) {
            EXPECT_HAS(frame->idle[k].why, "no entity matched");
        }
        for (int k = 0; k < frame->job_count; k++) {
            EXPECT(frame->jobs[k].wait_count == 0 || frame->jobs[k].waits[0].name != NULL);
        }
    }
    for (int format = OX_EXPLAIN_TEXT; format <= OX_EXPLAIN_GRAPH; format++) {
        size_t length = ox_world_explain_frame(world, (ox_explain_format)format, text, sizeof text);
        EXPECT_EQ(length, strlen(text));
    }
}

static void record_with_faults(void) {
    watch_for_hang("recorded frames with failed calls");
    ox_world *world = NULL;
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS})) {
        world = make_fault_world();
    }
    if (world != NULL) {
        ox_world_record_frames(world, true);
        for (int k = 0; k < 2; k++) {
            scheduled = 0;
            if (ox_world_update(world, 0)) {
                look_at_frame(world);
            }
        }
        EXPECT(ox_world_validate_at(world, OX_HERE));
    }
    ox_world_destroy(world);
    ox_jobs_stop();
    ox_trace_clear();
    ox_frame_end();
    ox_memory_trim();
    end_watch();
}

TEST(explain_faults, of_recorded_frames) {
    test_fault_sweep("recorded frames", record_with_faults);
}

// Reading waits for writing, by the handle that the system is given.
static uint64_t record_wait_with_fault(uint64_t n) {
    collected_reports reports = {0};
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    collect_reports(&reports);
    oxi_fault_plan(OXI_FAULT_ONE, n);
    bool is_updated = ox_world_update(world, 0);
    uint64_t failures = oxi_fault_get_failures();
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    const ox_frame *frame = ox_world_get_frame(world);
    bool is_whole = is_updated && frame != NULL && frame->job_count == 2;
    EXPECT(!is_whole || frame->dropped > 0 || frame->jobs[1].wait_count == 1);
    EXPECT(is_whole || failures > 0);
    end_jobs_test(world);
    return failures;
}

TEST(explain_faults, a_wait_that_cannot_be_noted_is_counted) {
    for (uint64_t n = 0; record_wait_with_fault(n) > 0; n++) {
    }
}

// Ambiguities.

// What could not be created is no error of who looks at it.
static void set_if_alive(ox_system *system, uint32_t value) {
    if (ox_entity_exists(system->world, looked_at)) {
        ox_set(system->world, looked_at, Count, {value});
    }
}

static void set_one(ox_system *system) {
    set_if_alive(system, 1);
}

static void set_two(ox_system *system) {
    set_if_alive(system, 2);
}

static void fill_fault_world(ox_world *world, void *context) {
    (void)context;
    looked_at = ox_entity_create(world, OX_VALUE(Count, {0}));
    ox_system_add(world, (&(ox_system_def){.name = "One", .update = set_one}));
    ox_system_add(world, (&(ox_system_def){.name = "Two", .update = set_two}));
}

static void search_with_faults(void) {
    ox_ambiguity pair;
    ox_ambiguity_def def = {.fill = fill_fault_world,
                            .world = &(ox_world_def){.no_systems = true},
                            .frames = 1,
                            .orders = 4};
    int count = ox_ambiguities_find(&pair, 1, &def);
    EXPECT(count >= -1 && count <= 1);
    ox_memory_trim();
}

TEST(explain_faults, of_a_search_for_ambiguities) {
    test_fault_sweep("ambiguities", search_with_faults);
}

TEST(explain_faults, a_recorded_frame_does_the_same) {
    ox_world *world = make_recorded(0, fault_systems);
    ox_world *plain = make_recorded(0, fault_systems);
    EXPECT(ox_world_record_frames(plain, false));

    EXPECT(ox_world_update(world, 0));
    EXPECT(ox_world_update(plain, 0));

    EXPECT_EQ(ox_world_hash(world), ox_world_hash(plain));
    ox_world_destroy(plain);
    end_jobs_test(world);
}
