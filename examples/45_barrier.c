// SPDX-License-Identifier: MIT
//
// A barrier is a place in the frame where commands are carried out. This one stands between two
// systems of a group. It completes the jobs that record, carries out their commands in one order,
// and tells of each that fails: which one, who recorded it, and where.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Order, { int number; });
OX_COMPONENT(Health, { int points; });
OX_COMPONENT(Shield, { int points; });

// Before Count, so what was recorded until then is carried out when Count looks. Other systems come
// before the barrier if they can, since it waits for jobs.
OX_BARRIER(Hits, .before = {"Count"});

// The systems ask the barrier by name. What is asked for first is carried out first.
static ox_commands ask(ox_system *system) {
    return ox_barrier_commands(ox_system_find(system->world, "Hits"));
}

// One handle for all rows; a key puts what is recorded through it before or behind the rest. So
// the shield is command 0, whatever the order of the rows.
OX_ENTITY_JOB(HitJob, (OX_READ(Order, order), OX_ENTITY(self)), { ox_commands commands; }) {
    ox_commands_set(job->commands, self, Health, {100 - order->number});
    if (order->number == 3) {
        ox_commands first = ox_commands_at_key(job->commands, -1);
        ox_commands_create_entity(first, OX_VALUE(Shield, {order->number}));
    }
}

OX_JOB_SYSTEM(Hit, .jobs = OX_JOBS(HitJob)) {
    return ox_schedule_entities(HitJob, system, after, {ask(system)});
}

OX_JOB_SYSTEM(Heal, .after = {"Hit"}) {
    ox_commands commands = ask(system);
    ox_query *all = ox_system_query(system, OX_READ(Order));
    OX_EACH_CHUNK(all, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            ox_commands_remove(commands, chunk.entities[k], Shield); // nobody has one
        }
        break;
    }
    return after;
}

OX_SYSTEM(Count) {
    ox_query *all = ox_system_query(system, OX_READ(Health));
    OX_EACH_CHUNK(all, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            printf("entity %d has %d points\n", (int)chunk.entities[k].index,
                   ox_chunk_get(chunk, Health)[k].points);
        }
    }
}

// Reports are data, too. The rest of the commands was carried out when this is called.
static void print_failed(const ox_report *report, void *context) {
    (void)context;
    printf("%s: command %d of '%s'\n", report->code, (int)ox_report_find(report, "number")->number,
           ox_report_find(report, "commands")->text);
    printf("  recorded by %s at %s\n", ox_report_find(report, "system")->text, report->site);
    printf("  %s\n", ox_report_find(report, "why")->text);
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_world *world = ox_world_create(&(ox_world_def){.on_report = {print_failed, NULL}});
    for (int k = 1; k <= 3; k++) {
        ox_entity made = ox_entity_create(world, OX_VALUE(Order, {k}));
        if (k != 2) {
            ox_add(world, made, Health, {100}); // the second cannot be hit
        }
    }

    ox_system *systems[32];
    int count = ox_world_get_systems(world, systems, 32);
    printf("order:");
    for (int k = 0; k < count; k++) {
        if (ox_system_get_info(systems[k]).site != NULL) { // not those of every world
            printf(" %s", systems[k]->name);
        }
    }
    printf("\n");
    ox_world_update(world, 1.0f / 60.0f);

    ox_query *shields = ox_query_create(world, OX_READ(Shield));
    printf("shields: %d\n", (int)ox_query_count(shields));
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// order: Hit Heal Hits Count
// OX-D04: command 1 of 'Hits'
//   recorded by Hit at examples/45_barrier.c:27
//   its entity does not have the component
// OX-D04: command 0 of 'Hits'
//   recorded by Heal at examples/45_barrier.c:43
//   its entity does not have the component
// entity 0 has 99 points
// entity 2 has 97 points
// shields: 1
