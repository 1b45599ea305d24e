// SPDX-License-Identifier: MIT
//
// What a job system is promised: its jobs begin right after its update and are complete before its
// next one; it is given all that is in the way of what it declares; a system on main finds such
// jobs done. There are no workers here, so a job is open until somebody waits for it.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Heat, { int value; });
OX_COMPONENT(Light, { int value; });
OX_COMPONENT(Air, { int value; });

OX_ENTITY_JOB(Warm, (OX_WRITE(Heat, heat)), { int by; }) {
    heat->value += job->by;
}

OX_ENTITY_JOB(Shine, (OX_WRITE(Light, light)), { int by; }) {
    light->value += job->by;
}

OX_ENTITY_JOB(Double, (OX_WRITE(Light, light)), { int times; }) {
    light->value *= job->times;
}

OX_ENTITY_JOB(Blow, (OX_WRITE(Air, air)), { int by; }) {
    air->value += job->by;
}

static ox_job warm, shone, blown;

static const char *state_of(ox_job job) {
    return job.value == 0 ? "not there" : ox_job_is_complete(job) ? "done" : "open";
}

// Two jobs side by side: both after the input, both in what is returned. In the second frame only
// one of them.
OX_JOB_SYSTEM(Sun, .jobs = OX_JOBS(Warm, Shine), .is_manual = true) {
    warm = ox_schedule_entities(Warm, system, after, {1});
    bool is_first = ox_system_get_time(system).frame == 1;
    ox_job shine = is_first ? ox_schedule_entities(Shine, system, after, {1}) : OX_NO_JOB;
    return ox_combine(warm, shine);
}

// It has to do with Light alone, and waits for all of Sun: Sun declared Light. A job with OX_AUTO
// would wait for less. Two jobs of one system that are in each other's way are ours to put in
// order.
OX_JOB_SYSTEM(Lamp, .jobs = OX_JOBS(Shine, Double), .after = {"Sun"}, .is_manual = true) {
    ox_complete(after); // to see what it covers
    printf("Lamp waited: Warm %s, Blow %s\n", state_of(warm), state_of(blown));
    ox_job first = ox_schedule_entities(Shine, system, after, {2});
    shone = ox_schedule_entities(Double, system, first, {2});
    return shone;
}

OX_JOB_SYSTEM(Wind, .jobs = OX_JOBS(Blow), .before = {"Lamp"}, .is_manual = true) {
    printf("in Wind: its last job is %s\n", state_of(blown));
    blown = ox_schedule_entities(Blow, system, after, {1});
    return blown;
}

// On main: what is in the way of what it declares is done when it begins.
static bool create_ruler(ox_system *system) {
    return ox_system_declare(system, OX_READ(Light));
}

OX_SYSTEM(Ruler, .create = create_ruler, .after = {"Lamp"}, .is_manual = true) {
    printf("in Ruler: Double %s, Blow %s\n", state_of(shone), state_of(blown));
}

static void show_waits(void) {
    const ox_system_def *defs[] = {&ox_system_Sun, &ox_system_Lamp, &ox_system_Wind,
                                   &ox_system_Ruler};
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_world *world = ox_world_create(NULL);
    ox_entity lit = ox_entity_create_in(world, ox_archetype_of(world, Heat, Light, Air));
    for (int k = 0; k < 4; k++) {
        ox_system_add(world, defs[k]);
    }
    for (int frame = 1; frame <= 2; frame++) {
        printf("frame %d\n", frame);
        ox_world_update(world, 1);
    }
    printf("after it: Blow %s\n", state_of(blown));
    printf("light %d\n", ox_get(world, lit, Light)->value);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// With a worker, and nobody who kicks or completes.
static void show_begin(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    ox_world *world = ox_world_create(NULL);
    ox_entity_create_in(world, ox_archetype_of(world, Heat, Light));
    ox_system_update(ox_system_add(world, &ox_system_Sun));
    while (!ox_job_is_complete(warm)) {
    }
    printf("a worker ran Warm\n");
    ox_world_destroy(world);
    ox_jobs_stop();
}

int main(void) {
    show_waits();
    show_begin();
}

// Output:
// frame 1
// in Wind: its last job is not there
// Lamp waited: Warm done, Blow open
// in Ruler: Double done, Blow open
// frame 2
// in Wind: its last job is done
// Lamp waited: Warm done, Blow open
// in Ruler: Double done, Blow open
// after it: Blow open
// light 16
// a worker ran Warm
