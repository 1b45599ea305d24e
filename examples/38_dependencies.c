// SPDX-License-Identifier: MIT
//
// What job systems wait for. You see that the input handle of a system covers just those earlier
// systems that are in its way, and the registry: which handle stands for each component, before and
// after each system.

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

// Which of the handles that were returned this one is, if it is one of them.
static const char *name_of(ox_job job) {
    static char name[2];
    for (int k = 0; k < 26; k++) {
        if (job.value != 0 && job.value == returned[k].value) {
            name[0] = (char)('A' + k);
            return name;
        }
    }
    return job.value == 0 ? "no job" : "several handles";
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
    printf("E waits for %s\n", name_of(after));
    ox_complete(after); // without workers nothing else runs, so this shows what it covers
    for (int k = 0; k < 4; k++) {
        printf("%c: %s\n", 'A' + k,
               ox_job_is_complete(returned[k]) ? "behind it" : "not behind it");
    }
    return ox_schedule_entities(Mix, system, after, {1});
}

// X reads Heat and Light, Y writes Light, Z has to do with neither.
OX_JOB_SYSTEM(X, .jobs = OX_JOBS(ReadBoth), .is_manual = true) {
    printf("%s waits for %s\n", system->name, name_of(after));
    return keep(system, ox_schedule_entities(ReadBoth, system, after, {&sum}));
}
OX_JOB_SYSTEM(Y, .jobs = OX_JOBS(WriteLight), .is_manual = true) {
    printf("%s waits for %s\n", system->name, name_of(after));
    return keep(system, ox_schedule_entities(WriteLight, system, after, {1}));
}
OX_JOB_SYSTEM(Z, .jobs = OX_JOBS(ReadSmell), .is_manual = true) {
    printf("%s waits for %s\n", system->name, name_of(after));
    return keep(system, ox_schedule_entities(ReadSmell, system, after, {&sum}));
}

// One that writes a component is given all that stands for it. It schedules nothing, so what is in
// the registry stays there.
static ox_job peek(ox_system *system, ox_job after) {
    printf("  %s: %s", system->name, name_of(after));
    return OX_NO_JOB;
}

static void run_five(void) {
    const ox_system_def *five[] = {&ox_system_A, &ox_system_B, &ox_system_C, &ox_system_D,
                                   &ox_system_E};
    ox_world *world = ox_world_create(NULL); // none of the systems enters by itself
    ox_entity_create_in(world, ox_archetype_of(world, Heat, Light, Smell));
    for (int k = 0; k < 5; k++) {
        ox_system_add(world, five[k]);
    }
    ox_world_update(world, 1);
    ox_world_destroy(world);
}

static void run_three(void) {
    const ox_system_def *three[] = {&ox_system_X, &ox_system_Y, &ox_system_Z};
    ox_world *world = ox_world_create(NULL);
    ox_entity_create_in(world, ox_archetype_of(world, Heat, Light, Smell));
    ox_system *peeks[] = {
        ox_system_add(world, &(ox_system_def){"Heat", .update_jobs = peek}),
        ox_system_add(world, &(ox_system_def){"Light", .update_jobs = peek}),
        ox_system_add(world, &(ox_system_def){"Smell", .update_jobs = peek}),
    };
    ox_system_declare(peeks[0], OX_WRITE(Heat));
    ox_system_declare(peeks[1], OX_WRITE(Light));
    ox_system_declare(peeks[2], OX_WRITE(Smell));
    for (int k = 0; k <= 3; k++) {
        for (int n = 0; n < 3; n++) {
            ox_system_update(peeks[n]);
        }
        printf("\n");
        if (k < 3) {
            ox_system_update(ox_system_add(world, three[k]));
        }
    }
    ox_world_destroy(world);
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    run_five();
    run_three();
    ox_jobs_stop();
}

// Output:
// E waits for several handles
// A: behind it
// B: not behind it
// C: not behind it
// D: behind it
//   Heat: no job  Light: no job  Smell: no job
// X waits for no job
//   Heat: X  Light: X  Smell: no job
// Y waits for X
//   Heat: X  Light: Y  Smell: no job
// Z waits for no job
//   Heat: X  Light: Y  Smell: Z
