// SPDX-License-Identifier: MIT
//
// When commands are carried out. Those of a system on main: right after its own update, before the
// next system runs. Those of systems with jobs: together, by the barrier at the end of their group.
// You see what each system finds.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Egg, { int days; });
OX_COMPONENT(Bird, { int age; });

static ox_query *eggs, *birds;

static void print_counts(const char *who) {
    printf("%s: %d eggs, %d birds\n", who, (int)ox_query_count(eggs), (int)ox_query_count(birds));
}

// On main. A structural change would end the loop; a command does not, and the loop goes on over
// what there was.
OX_SYSTEM(Hatch) {
    ox_commands commands = ox_system_commands(system);
    ox_query *query = ox_system_query(system, OX_WRITE(Egg));
    OX_EACH_CHUNK(query, chunk) {
        Egg *egg = ox_chunk_edit(chunk, Egg);
        for (int i = 0; i < chunk.count; i++) {
            if (--egg[i].days == 0) {
                ox_commands_destroy_entity(commands, chunk.entities[i]);
                ox_commands_create_entity(commands, OX_VALUE(Bird, {0}));
            }
        }
    }
    print_counts("in Hatch");
}

OX_SYSTEM(Look, .after = {"Hatch"}, .before = {"Lay", "Leave"}) {
    print_counts("in Look");
}

OX_ENTITY_JOB(LayJob, (OX_READ(Bird, bird)), { ox_commands commands; }) {
    if (bird->age == 0) {
        ox_commands_create_entity(job->commands, OX_VALUE(Egg, {1}));
    }
}

OX_ENTITY_JOB(LeaveJob, (OX_WRITE(Bird, bird), OX_ENTITY(self)), { ox_commands commands; }) {
    if (++bird->age > 1) {
        ox_commands_destroy_entity(job->commands, self);
    }
}

OX_JOB_SYSTEM(Lay, .jobs = OX_JOBS(LayJob)) {
    return ox_schedule_entities(LayJob, system, after, {ox_system_commands(system)});
}

OX_JOB_SYSTEM(Leave, .jobs = OX_JOBS(LeaveJob), .after = {"Lay"}) {
    return ox_schedule_entities(LeaveJob, system, after, {ox_system_commands(system)});
}

// Behind both, and before the barrier: nothing of theirs is carried out yet.
OX_SYSTEM(Wait, .after = {"Leave"}) {
    print_counts("in Wait");
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_world *world = ox_world_create(NULL);
    eggs = ox_query_create(world, OX_READ(Egg));
    birds = ox_query_create(world, OX_READ(Bird));
    for (int k = 0; k < 4; k++) {
        ox_entity_create(world, OX_VALUE(Egg, {1 + k % 2}));
    }
    for (int frame = 1; frame <= 2; frame++) {
        printf("-- frame %d\n", frame);
        ox_world_update(world, 1);
        print_counts("after it");
    }
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// -- frame 1
// in Hatch: 4 eggs, 0 birds
// in Look: 2 eggs, 2 birds
// in Wait: 2 eggs, 2 birds
// after it: 4 eggs, 2 birds
// -- frame 2
// in Hatch: 4 eggs, 2 birds
// in Look: 0 eggs, 6 birds
// in Wait: 0 eggs, 6 birds
// after it: 4 eggs, 4 birds
