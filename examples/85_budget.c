// SPDX-License-Identifier: MIT
//
// What a frame may cost, held by a test: no wait after physics, no wait that nobody planned, and
// enough to do side by side for a larger machine. You see a frame that keeps to it, and the report
// when a system looks at what a job still writes.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x; });
OX_COMPONENT(Heat, { float degrees; });
OX_COMPONENT(Sound, { float volume; });

OX_ENTITY_JOB(MoveJob, (OX_WRITE(Position, position)), { float dt; }) {
    position->x += job->dt;
}

OX_ENTITY_JOB(CoolJob, (OX_WRITE(Heat, heat)), { float dt; }) {
    heat->degrees -= job->dt;
}

OX_ENTITY_JOB(FadeJob, (OX_WRITE(Sound, sound)), { float dt; }) {
    sound->volume *= 1 - job->dt;
}

OX_GROUP(Physics);

OX_JOB_SYSTEM(Move, .in = "Physics", .jobs = OX_JOBS(MoveJob)) {
    return ox_schedule_entities(MoveJob, system, after, {ox_system_get_delta(system)});
}

OX_JOB_SYSTEM(Cool, .in = "Physics", .jobs = OX_JOBS(CoolJob)) {
    return ox_schedule_entities(CoolJob, system, after, {ox_system_get_delta(system)});
}

OX_JOB_SYSTEM(Fade, .after = {"Physics"}, .jobs = OX_JOBS(FadeJob)) {
    return ox_schedule_entities(FadeJob, system, after, {ox_system_get_delta(system)});
}

static ox_entity player;

// Looks at a position while MoveJob writes it, and never said that it would.
OX_SYSTEM(Camera, .after = {"Fade"}, .starts_off = true) {
    printf("camera at %.1f\n", ox_get(system->world, player, Position)->x);
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("%s %s\n", report->code, report->what);
}

static void print_frame(ox_world *world) {
    const ox_frame *frame = ox_world_get_frame(world); // waits for the jobs of the frame
    printf("waits: %d, after physics: %d\n", ox_frame_count_syncs(frame, NULL),
           ox_frame_count_syncs_after(frame, "Physics"));
}

int main(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.on_report = {print_report, NULL}});
    player = ox_entity_create(world, OX_VALUE(Position, {1}), OX_VALUE(Heat, {20}),
                              OX_VALUE(Sound, {1}));
    ox_world_record_frames(world, true);
    ox_world_update(world, 0.5f);
    print_frame(world);

    // Simulated: three jobs of one length that wait for nothing. On a machine of your own the times
    // of the recorded frame count, if the last argument is false.
    const ox_frame *frame = ox_world_get_frame(world);
    ox_forecast alone = ox_frame_forecast(frame, 0, true);
    for (int workers = 1; workers <= 3; workers++) {
        ox_forecast with = ox_frame_forecast(frame, workers, true);
        printf("workers: %d, %.1f times as fast, busy %.0f %%\n", workers,
               (double)alone.makespan_ns / (double)with.makespan_ns, 100 * with.busy);
    }

    // From here on a wait that no system declared is a report, and not only a number.
    ox_system_set_enabled(ox_system_find(world, "Camera"), true);
    ox_world_set_strict(world, true);
    ox_world_update(world, 0.5f);
    print_frame(world);
    ox_world_destroy(world);
}

// Output:
// waits: 0, after physics: 0
// workers: 1, 1.5 times as fast, busy 75 %
// workers: 2, 3.0 times as fast, busy 100 %
// workers: 3, 3.0 times as fast, busy 75 %
// OX-W03 main waits for jobs in the middle of an update
// camera at 2.0
// waits: 1, after physics: 1
