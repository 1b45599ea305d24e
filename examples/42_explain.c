// SPDX-License-Identifier: MIT
//
// A frame with three stalls, found by recording it: who waited, where, for which job, and what to
// do about it.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_COMPONENT(Health, { float points; });

OX_ENTITY_JOB(MoveJob, (OX_WRITE(Position, position), OX_READ(Velocity, velocity)), { float dt; }) {
    position->x += velocity->x * job->dt;
    position->y += velocity->y * job->dt;
}

OX_ENTITY_JOB(DamageJob, (OX_WRITE(Health, health), OX_READ(Position, position)),
              { float limit; }) {
    health->points -= position->x > job->limit ? 1.0f : 0.0f;
}

OX_ENTITY_JOB(HealJob, (OX_WRITE(Health, health)), { float points; }) {
    health->points += job->points;
}

static ox_entity player;

OX_JOB_SYSTEM(Move, .jobs = OX_JOBS(MoveJob)) {
    return ox_schedule_entities(MoveJob, system, after, {.dt = ox_system_get_delta(system)});
}

OX_JOB_SYSTEM(Damage, .jobs = OX_JOBS(DamageJob), .after = {"Move"}) {
    return ox_schedule_entities(DamageJob, system, after, {.limit = 100});
}

// The first stall: it makes its query when it needs it, so nobody knows what it reads.
OX_SYSTEM(Camera, .before = {"Reap"}) {
    ox_query *seen = ox_system_query(system, OX_READ(Position));
    printf("the camera sees %d\n", (int)ox_query_count(seen));
}

// The second: it looks at what Damage writes.
OX_SYSTEM(Reap, .before = {"Heal"}) {
    printf("the player has %.0f points\n", ox_get(system->world, player, Health)->points);
}

OX_JOB_SYSTEM(Heal, .jobs = OX_JOBS(HealJob)) {
    return ox_schedule_entities(HealJob, system, after, {.points = 0.5f});
}

// The third: it creates an entity while jobs run.
OX_SYSTEM(Spawn, .after = {"Heal"}) {
    ox_entity_create(system->world, OX_VALUE(Position, {0, 0}));
}

static void print_jobs(const ox_frame *frame) {
    for (int k = 0; k < frame->job_count; k++) {
        const ox_frame_job *job = &frame->jobs[k];
        printf("%s of %s\n", job->name, frame->systems[job->system].name);
        for (int n = 0; n < job->wait_count; n++) {
            const ox_frame_wait *wait = &job->waits[n];
            printf("  %s %s, which %s %s\n", wait->after_writes ? "writes" : "reads",
                   wait->component, wait->name, wait->before_writes ? "writes" : "reads");
        }
    }
}

static void print_syncs(const ox_frame *frame) {
    for (int k = 0; k < frame->sync_count; k++) {
        const ox_frame_sync *sync = &frame->syncs[k];
        printf("%s at %s, %s\n", frame->systems[sync->system].name, sync->sync.site,
               sync->sync.is_planned ? "planned" : "not planned");
        // What happened, a colon, and what to do about it.
        const char *fix = strstr(sync->advice, ": ");
        printf("  %.*s\n    %s\n", (int)(fix - sync->advice), sync->advice, fix + 2);
    }
}

int main(void) {
    // Without workers a job runs when somebody waits for it, so the output is the same every time.
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_world *world = ox_world_create(NULL);
    player = ox_entity_create(world, OX_VALUE(Position, {0, 0}), OX_VALUE(Velocity, {1, 1}),
                              OX_VALUE(Health, {3}));
    ox_world_record_frames(world, true);

    printf("1. a frame\n");
    ox_world_update(world, 0.5f);
    const ox_frame *frame = ox_world_get_frame(world);

    printf("2. jobs, and what each waited for\n");
    print_jobs(frame);

    printf("3. where main waited\n");
    print_syncs(frame);
    printf("waits from Heal on: %d\n", ox_frame_count_syncs(frame, "Heal"));

    static char text[16384]; // the same and more, with times
    size_t length = ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);
    printf("4. as a text: %s\n", length == strlen(text) ? "whole" : "cut");

    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// 1. a frame
// the camera sees 1
// the player has 3 points
// 2. jobs, and what each waited for
// MoveJob of Move
// DamageJob of Damage
//   reads Position, which MoveJob writes
// HealJob of Heal
// 3. where main waited
// Camera at examples/42_explain.c:41, not planned
//   Camera used Position at examples/42_explain.c:41 and had not declared it
//     add .jobs, or make the query in create
// Reap at examples/42_explain.c:47, not planned
//   Reap at examples/42_explain.c:47 reads Health while DamageJob writes it
//     move Reap before Damage, or make it a job
// Spawn at examples/42_explain.c:56, not planned
//   Spawn at examples/42_explain.c:56 changes the structure while HealJob runs
//     record commands, or do it before the first job system
// waits from Heal on: 1
// 4. as a text: whole
