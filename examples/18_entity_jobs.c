// SPDX-License-Identifier: MIT
//
// Jobs over entities. Each says which components it reads and writes; with OX_AUTO it waits for
// just those jobs that stand in its way, and main waits when it looks at what a job writes.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_COMPONENT(Fuel, { float liters; });
OX_TAG(Frozen);

// The body runs for each entity that has a Position and a Velocity and is not Frozen.
OX_ENTITY_JOB(Move, (OX_WRITE(Position, position), OX_READ(Velocity, velocity), OX_NONE(Frozen)),
              { float dt; }) {
    position->x += velocity->x * job->dt;
    position->y += velocity->y * job->dt;
}

// The body runs for each chunk: `count` values behind each other.
OX_CHUNK_JOB(Burn, (OX_WRITE(Fuel, fuel)), { float liters; }) {
    for (int k = 0; k < count; k++) {
        fuel[k].liters -= job->liters;
    }
}

OX_LIST(Entities, ox_entity);

// Writes to a list from all cores; the list has the same order on every run.
OX_ENTITY_JOB(FindFar, (OX_READ(Position, position), OX_ENTITY(self)), {
    float limit;
    Entities_writer found;
}) {
    if (position->x > job->limit) {
        ox_list_write(job->found, self);
    }
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    char text[2048];
    ox_report_format(report, text, sizeof text);
    printf("%s", text);
}

int main(void) {
    ox_report_set_handler((ox_report_handler){print_report, NULL});
    ox_world *world = ox_world_create(NULL);
    ox_entity ships[1000];
    ox_entities_create(world, ox_archetype_of(world, Position, Velocity, Fuel), ships, 1000);
    for (int k = 0; k < 1000; k++) {
        ox_set(world, ships[k], Velocity, {(float)k, 1});
        ox_set(world, ships[k], Fuel, {10});
    }
    ox_add_tag(world, ships[3], Frozen);

    printf("1. three jobs: Burn runs beside Move, FindFar waits for Move\n");
    Entities far = ox_list_create(Entities, 1000, OX_PERSISTENT);
    // Outside of systems, the world itself schedules.
    ox_schedule_entities(Move, world, OX_AUTO, {.dt = 0.5f});
    ox_schedule_entities(Burn, world, OX_AUTO, {.liters = 1});
    ox_job found =
        ox_schedule_entities(FindFar, world, OX_AUTO, {.limit = 400, ox_list_writer_of(far)});
    ox_complete(found);
    printf("far: %d, the first is ship %d\n", (int)ox_list_count(far),
           (int)(ox_list_read(far, 0).index - ships[0].index));

    printf("2. main looks at what jobs write: it waits for them, and can tell\n");
    ox_world_record_syncs(world, true);
    ox_schedule_entities(Move, world, OX_AUTO, {.dt = 0.5f});
    float x = ox_get(world, ships[2], Position)->x;
    float liters = ox_get(world, ships[2], Fuel)->liters;
    printf("ship 2: x %.1f, fuel %.0f\n", x, liters);
    printf("ship 3: x %.1f\n", ox_get(world, ships[3], Position)->x);
    ox_sync syncs[2];
    printf("main waited %d times\n", (int)ox_world_get_syncs(world, syncs, 2));
    printf("at %s for '%s'\n", syncs[0].site, syncs[0].jobs[0]);
    printf("at %s for '%s'\n", syncs[1].site, syncs[1].jobs[0]);

    printf("3. a handle of your own that lacks something is refused\n");
    ox_job move = ox_schedule_entities(Move, world, OX_NO_JOB, {.dt = 1});
    ox_schedule_entities(Move, world, OX_NO_JOB, {.dt = 1}); // refused
    ox_schedule_entities(Move, world, move, {.dt = 1});
    printf("ship 2: x %.1f\n", ox_get(world, ships[2], Position)->x);

    // What Burn does nobody has asked for: it is completed with everything else.
    ox_schedule_entities(Burn, world, OX_AUTO, {.liters = 1});
    ox_world_complete(world);

    ox_dispose(&far);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// 1. three jobs: Burn runs beside Move, FindFar waits for Move
// far: 199, the first is ship 801
// 2. main looks at what jobs write: it waits for them, and can tell
// ship 2: x 2.0, fuel 9
// ship 3: x 0.0
// main waited 2 times
// at examples/18_entity_jobs.c:73 for 'Move'
// at examples/18_entity_jobs.c:74 for 'Burn'
// 3. a handle of your own that lacks something is refused
// oxbow: OX-J03 two jobs would race
//   job 'Move' (examples/18_entity_jobs.c:84) writes component 'Position' (created...
//   job 'Move' (examples/18_entity_jobs.c:83) writes it and has not been completed
//   at examples/18_entity_jobs.c:84
//   fix: pass the handle of 'Move' as the `after` of 'Move' at examples/18_entity_jobs.c:84, or...
// ship 2: x 6.0
