// SPDX-License-Identifier: MIT
//
// Two systems that share a queue: archers write their hits from all cores, and a job of another
// system takes them out. Neither system has a handle of the other's jobs. Both declare a component
// that no entity has, which stands for the queue, and so their jobs wait for each other, in both
// directions. You see who was hit, and what is said to a system that does not declare it.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Archer, {
    ox_entity target;
    int strength;
});
OX_COMPONENT(Health, { int points, last_hit; });
OX_COMPONENT(HitsQueue, OX_NO_FIELDS); // stands for the queue; no entity has it

OX_STRUCT(Hit, {
    ox_entity who;
    int strength;
});

OX_QUEUE(Hits, Hit);

// The one that fills the queue owns it.
typedef struct VolleyState {
    Hits hits;
} VolleyState;

OX_ENTITY_JOB(Shoot, (OX_READ(Archer, archer)), { Hits_writer hits; }) {
    ox_queue_write(job->hits, {archer->target, archer->strength});
}

static bool create_volley(ox_system *system) {
    ox_system_state(system, VolleyState)->hits = ox_queue_create(Hits, 0, OX_PERSISTENT);
    return ox_system_declare(system, OX_WRITE(HitsQueue));
}

static void destroy_volley(ox_system *system) {
    Hits *hits = &ox_system_state(system, VolleyState)->hits;
    if (ox_queue_is_created(*hits)) {
        ox_dispose(hits);
    }
}

// `after` covers what the other system returned in the frame before: the queue is empty by then.
OX_JOB_SYSTEM(Volley, .jobs = OX_JOBS(Shoot), .state = sizeof(VolleyState), .create = create_volley,
              .destroy = destroy_volley) {
    Hits hits = ox_system_state(system, VolleyState)->hits;
    return ox_schedule_entities(Shoot, system, after, {ox_queue_writer_of(hits)});
}

// Others reach the queue through the system that owns it.
typedef struct WoundsState {
    ox_system *volley;
    ox_lookup health;
} WoundsState;

// One job, and not a parallel one: several hits may be on one entity. They come in the order of
// archers, on one core or on sixty.
OX_JOB(TakeHits, {
    Hits hits;
    ox_lookup health;
}) {
    for (Hit hit; ox_queue_try_pop(job->hits, &hit);) {
        Health *health = ox_lookup_edit(&job->health, hit.who, Health);
        health->points -= hit.strength;
        health->last_hit = hit.strength;
    }
}

// Popping changes the queue, so it declares writing; whoever only looks declares OX_READ.
static bool create_wounds(ox_system *system) {
    return ox_system_declare(system, OX_WRITE(HitsQueue));
}

OX_JOB_SYSTEM(Wounds, .after = {"Volley"}, .state = sizeof(WoundsState), .create = create_wounds,
              .inject = {OX_INJECT_SYSTEM(WoundsState, volley, "Volley"),
                         OX_INJECT_LOOKUP(WoundsState, health, OX_WRITE(Health))}) {
    const WoundsState *state = ox_system_state(system, WoundsState);
    Hits hits = ox_system_state(state->volley, VolleyState)->hits;
    return ox_schedule(TakeHits, after, {hits, state->health});
}

// The same use, and nothing declared: `after` covers no job that has the queue.
OX_JOB(DropHits, { Hits hits; }) {
    ox_queue_clear(job->hits);
}

OX_JOB_SYSTEM(Forgetful, .is_manual = true, .after = {"Wounds"}, .state = sizeof(WoundsState),
              .inject = {OX_INJECT_SYSTEM(WoundsState, volley, "Volley")}) {
    const WoundsState *state = ox_system_state(system, WoundsState);
    return ox_schedule(DropHits, after, {ox_system_state(state->volley, VolleyState)->hits});
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("%s %s\n", report->code, report->what);
}

static void run_frame(ox_world *world, const ox_entity *targets) {
    ox_world_update(world, 1.0f / 60.0f);
    for (int k = 0; k < 3; k++) {
        Health health = ox_read(world, targets[k], Health); // waits for TakeHits
        printf("%d points, hit last with %d%s", health.points, health.last_hit,
               k < 2 ? "; " : "\n");
    }
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_entity targets[3];
    for (int k = 0; k < 3; k++) {
        targets[k] = ox_entity_create(world, OX_VALUE(Health, {200000, 0}));
    }
    for (int k = 0; k < 3000; k++) {
        ox_entity_create(world, OX_VALUE(Archer, {targets[k % 3], k % 100}));
    }

    run_frame(world, targets);
    run_frame(world, targets);

    ox_report_set_handler((ox_report_handler){print_report, NULL});
    ox_system_add(world, &ox_system_Forgetful);
    run_frame(world, targets); // its job is refused, the others run
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// 150500 points, hit last with 97; 150500 points, hit last with 98; 150500 points, hit last with 99
// 101000 points, hit last with 97; 101000 points, hit last with 98; 101000 points, hit last with 99
// OX-J03 two jobs would race
// 51500 points, hit last with 97; 51500 points, hit last with 98; 51500 points, hit last with 99
