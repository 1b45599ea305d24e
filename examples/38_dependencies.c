// SPDX-License-Identifier: MIT
//
// What job systems wait for. You see that the input handle of a system covers just those earlier
// systems that are in its way, and how what one returns becomes what the next is given.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Heat, { int value; });
OX_COMPONENT(Light, { int value; });
OX_COMPONENT(Smell, { int value; });

OX_ENTITY_JOB(WriteHeat, (OX_WRITE(Heat, heat)), { int by; }) {
    heat->value += job->by;
}

OX_ENTITY_JOB(WriteLight, (OX_WRITE(Light, light)), { int by; }) {
    light->value += job->by;
}

OX_ENTITY_JOB(ReadSmell, (OX_READ(Smell, smell)), { OX_NO_SAFETY int *sum; }) {
    *job->sum += smell->value; // no workers: nobody else adds
}

OX_ENTITY_JOB(Mix, (OX_READ(Heat, heat), OX_WRITE(Smell, smell)), { int by; }) {
    smell->value += heat->value * job->by;
}

OX_ENTITY_JOB(ReadBoth, (OX_READ(Heat, heat), OX_READ(Light, light)), { OX_NO_SAFETY int *sum; }) {
    *job->sum += heat->value + light->value;
}

static ox_job returned[26]; // by name: 'A' and so on
static int sum;

// Remembers what a system returns.
static ox_job keep(const ox_system *system, ox_job job) {
    returned[system->name[0] - 'A'] = job;
    return job;
}

// Says which of the handles that were returned an input is, if it is one of them.
static void tell_input(const ox_system *system, ox_job after) {
    const char *what = after.value == 0 ? "no job" : "several handles";
    char name[2] = {0};
    for (int k = 0; k < 26; k++) {
        if (after.value != 0 && after.value == returned[k].value) {
            name[0] = (char)('A' + k);
            what = name;
        }
    }
    printf("%s waits for %s\n", system->name, what);
}

// A and D are in the way of E: it reads what A writes, and writes what D reads. C only reads Heat,
// as E does.
OX_JOB_SYSTEM(A, .jobs = OX_JOBS(WriteHeat), .is_manual = true) {
    return keep(system, ox_schedule_entities(WriteHeat, system, after, {1}));
}
OX_JOB_SYSTEM(B, .jobs = OX_JOBS(WriteLight), .is_manual = true) {
    return keep(system, ox_schedule_entities(WriteLight, system, after, {1}));
}
OX_JOB_SYSTEM(C, .jobs = OX_JOBS(ReadBoth), .is_manual = true) {
    return keep(system, ox_schedule_entities(ReadBoth, system, after, {&sum}));
}
OX_JOB_SYSTEM(D, .jobs = OX_JOBS(ReadSmell), .is_manual = true) {
    return keep(system, ox_schedule_entities(ReadSmell, system, after, {&sum}));
}
OX_JOB_SYSTEM(E, .jobs = OX_JOBS(Mix), .is_manual = true) {
    tell_input(system, after);
    ox_complete(after); // without workers nothing else runs, so this shows what it covers
    for (int k = 0; k < 4; k++) {
        printf("%c: %s\n", 'A' + k, ox_is_complete(returned[k]) ? "behind it" : "not behind it");
    }
    return ox_schedule_entities(Mix, system, after, {1});
}

// X reads Heat and Light, Y writes Light, Z has to do with neither.
OX_JOB_SYSTEM(X, .jobs = OX_JOBS(ReadBoth), .is_manual = true) {
    tell_input(system, after);
    return keep(system, ox_schedule_entities(ReadBoth, system, after, {&sum}));
}
OX_JOB_SYSTEM(Y, .jobs = OX_JOBS(WriteLight), .is_manual = true) {
    tell_input(system, after);
    return keep(system, ox_schedule_entities(WriteLight, system, after, {1}));
}
OX_JOB_SYSTEM(Z, .jobs = OX_JOBS(ReadSmell), .is_manual = true) {
    tell_input(system, after);
    return keep(system, ox_schedule_entities(ReadSmell, system, after, {&sum}));
}

static void run_world(const ox_system_def *const *defs, int count) {
    ox_world *world = ox_world_create(NULL); // none of the systems enters by itself
    ox_entity_create_of(world, Heat, Light, Smell);
    for (int k = 0; k < count; k++) {
        ox_system_add(world, defs[k]);
    }
    ox_world_update(world, 1);
    ox_world_destroy(world);
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    const ox_system_def *five[] = {&ox_system_A, &ox_system_B, &ox_system_C, &ox_system_D,
                                   &ox_system_E};
    run_world(five, 5);
    const ox_system_def *three[] = {&ox_system_X, &ox_system_Y, &ox_system_Z};
    run_world(three, 3);
    ox_jobs_stop();
}

// Output:
// E waits for several handles
// A: behind it
// B: not behind it
// C: not behind it
// D: behind it
// X waits for no job
// Y waits for X
// Z waits for no job
