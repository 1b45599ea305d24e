// SPDX-License-Identifier: MIT
//
// A frame of twenty job systems: main schedules all of them without a wait, and what they leave is
// a graph that keeps two workers busy. A frame that waits after each system does neither.

#include "entities/entity_jobs_test.h"

#include "oxbow/explain.h"

#include "jobs/state.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { TWENTY = 20, COMPONENTS = 10 };

static uint32_t ids[COMPONENTS];
static ox_term terms[TWENTY][3];
static ox_entity_job_type types[TWENTY];
static char names[TWENTY][16];
static ox_entity everything;
static bool waits_after_each;
static ox_job last_of_first; // the last job that writes the first component

static void run_nothing(const void *job, int begin, int end) {
    (void)job, (void)begin, (void)end;
}

// Each writes a component, and reads the one that a system of the first half writes.
static ox_job update_twenty(ox_system *system, ox_job after) {
    int at = atoi(system->name + 1);
    ox_job job = ox_schedule_entities_at(&types[at], system, after, NULL, OX_HERE);
    last_of_first = at == COMPONENTS ? job : last_of_first;
    if (waits_after_each) {
        ox_get_at(system->world, everything, terms[at][0].id, OX_HERE);
    }
    return job;
}

static void add_twenty(ox_world *world) {
    for (int k = 0; k < TWENTY; k++) {
        snprintf(names[k], sizeof names[k], "S%02d", k);
        terms[k][0] = (ox_term){OX_TERM_WRITE, NULL, ids[k % COMPONENTS]};
        terms[k][1] =
            (ox_term){k < COMPONENTS ? OX_TERM_END : OX_TERM_READ, NULL, ids[(k + 3) % COMPONENTS]};
        terms[k][2] = (ox_term){OX_TERM_END, NULL, 0};
        types[k] = (ox_entity_job_type){
            .job = {.type = {.name = names[k]}, .ranges = {run_nothing}},
            .terms = terms[k],
        };
        ox_system_def def = {.name = names[k], .update_jobs = update_twenty};
        def.jobs[0] = &types[k];
        EXPECT(ox_system_add(world, &def) != NULL);
    }
}

static ox_world *begin_twenty(bool waits) {
    waits_after_each = waits;
    start_workers_of_test(1);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    for (int k = 0; k < COMPONENTS; k++) {
        char name[24];
        snprintf(name, sizeof name, "Twenty%d", k);
        ids[k] = ox_component_find(name);
        ids[k] =
            ids[k] != 0
                ? ids[k]
                : ox_component_register(&(ox_component_def){.name = name, .size = 4, .align = 4});
    }
    everything = ox_entity_create_in(world, ox_archetype_of_at(world, ids, COMPONENTS, OX_HERE));
    add_twenty(world);
    EXPECT(ox_world_record_frames(world, true));
    return world;
}

// Waits between the first schedule of a frame and its last.
static int count_waits_between(const ox_frame *frame) {
    int count = 0;
    for (int k = 0; k < frame->sync_count; k++) {
        count += frame->syncs[k].begin_ns >= frame->jobs[0].schedule_ns &&
                 frame->syncs[k].begin_ns <= frame->jobs[frame->job_count - 1].schedule_ns;
    }
    return count;
}

TEST(frame_of_twenty, is_scheduled_without_a_wait_and_keeps_main_and_a_worker_busy) {
    ox_world *world = begin_twenty(false);
    EXPECT(ox_world_update(world, 0.5f));
    const ox_frame *frame = ox_world_get_frame(world);

    EXPECT_EQ(frame->job_count, TWENTY);
    EXPECT_EQ(count_waits_between(frame), 0);
    EXPECT(ox_frame_forecast(frame, 1, true).busy >= 0.9);
    printf("busy %.2f\n", ox_frame_forecast(frame, 1, true).busy);

    end_jobs_test(world);
}

TEST(frame_of_twenty, that_waits_after_each_system_does_neither) {
    ox_world *world = begin_twenty(true);
    EXPECT(ox_world_update(world, 0.5f));
    const ox_frame *frame = ox_world_get_frame(world);

    EXPECT_EQ(frame->job_count, TWENTY);
    EXPECT_EQ(count_waits_between(frame), TWENTY - 1);
    EXPECT(ox_frame_forecast(frame, 1, true).busy < 0.6);

    end_jobs_test(world);
}

// A job that is not over entities is part of the frame, too.

OX_JOB(TwentyPlain, { OX_READ_ONLY ox_lookup read; }) {
    (void)job;
}

static ox_lookup twenty_lookup;

static ox_job update_plain(ox_system *system, ox_job after) {
    (void)system;
    return ox_schedule(TwentyPlain, after, {twenty_lookup});
}

static bool create_plain(ox_system *system) {
    twenty_lookup = ox_system_lookup_at(system, ids[0], false, OX_HERE);
    return twenty_lookup.world != NULL;
}

static void add_plain(ox_world *world) {
    ox_system_add(world, &(ox_system_def){.name = "Z",
                                          .update_jobs = update_plain,
                                          .create = create_plain,
                                          .after = {"S19"}});
}

static void expect_plain_waits(ox_world *world) {
    const ox_frame *frame = ox_world_get_frame(world);
    const ox_frame_job *last = &frame->jobs[frame->job_count - 1];
    EXPECT_STR(last->name, "TwentyPlain");
    EXPECT(last->wait_count > 0);
    EXPECT_STR(last->waits[0].name, "S10"); // the last that writes what it reads
    EXPECT_STR(last->waits[0].component, "Twenty0");
}

TEST(frame_of_twenty, has_jobs_that_are_not_over_entities) {
    ox_world *world = begin_twenty(false);
    add_plain(world);
    EXPECT(ox_world_update(world, 0.5f));

    expect_plain_waits(world);

    end_jobs_test(world);
}

static void spin_until_it_ends(ox_system *system) {
    (void)system;
    while (!oxi_job_is_done(last_of_first)) {
        sched_yield();
    }
}

TEST(frame_of_twenty, tells_what_a_job_comes_after_when_that_has_ended_already) {
    ox_world *world = begin_twenty(false);
    ox_system_add(
        world, &(ox_system_def){
                   .name = "Y", .update = spin_until_it_ends, .after = {"S19"}, .before = {"Z"}});
    add_plain(world);
    EXPECT(ox_world_update(world, 0.5f));

    expect_plain_waits(world);

    end_jobs_test(world);
}

// Jobs of a run of the job system that was stopped are nobody's business any more.
TEST(frame_of_twenty, knows_nothing_of_jobs_before_a_restart) {
    collected_reports reports;
    collect_reports(&reports);
    ox_world *world = begin_twenty(false);
    add_plain(world);
    for (int frame = 0; frame < 3; frame++) {
        EXPECT(ox_world_update(world, 0.5f));
        expect_plain_waits(world);
        ox_jobs_stop();
        start_workers_of_test(frame % 2);
    }
    EXPECT_EQ(reports.count, 0);
    end_jobs_test(world);
}
