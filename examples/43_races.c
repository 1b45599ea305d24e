// SPDX-License-Identifier: MIT
//
// Mistakes with jobs that look at entities, and what is said of each: two jobs with the same view,
// two with separate views of one component, a job that no system answers for, a handle that does
// not cover all jobs of its update. Each is refused or told, and the program goes on.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Health, { int points; });
OX_VIEWS(Bodies, (OX_WRITE(Health, health)));
OX_VIEWS(SameBodies, (OX_WRITE(Health, health)));

OX_JOB(Heal, { ox_view health; }) {
    for (int i = 0; i < job->health.count; i++) {
        ox_view_edit(job->health, i, Health)->points++;
    }
}

OX_JOB(Hurt, { ox_view health; }) {
    for (int i = 0; i < job->health.count; i++) {
        ox_view_edit(job->health, i, Health)->points -= 2;
    }
}

typedef struct BodiesState {
    Bodies bodies;
    SameBodies same;
} BodiesState;

// What it does wrong is told by the number of the frame.
OX_JOB_SYSTEM(Wrong,
              .inject = {OX_INJECT_VIEWS(BodiesState, bodies, Bodies),
                         OX_INJECT_VIEWS(BodiesState, same, SameBodies)},
              .state = sizeof(BodiesState)) {
    const BodiesState *state = ox_system_state(system, BodiesState);
    ox_job heal = ox_schedule(Heal, after, {state->bodies.health});
    switch (ox_system_get_time(system).frame) {
    case 1: // both write, and neither waits for the other
        ox_schedule(Hurt, after, {state->bodies.health});
        return heal;
    case 2: // the same, through a view of another query
        ox_schedule(Hurt, after, {state->same.health});
        return heal;
    case 3: // the job is forgotten
        return after;
    default:
        return heal;
    }
}

// On main, after Wrong: it declares that it reads Health.
static bool create_count(ox_system *system) {
    return ox_system_declare(system, OX_READ(Health));
}

OX_SYSTEM(Count, .after = {"Wrong"}, .create = create_count) {
    printf("Count runs\n");
}

// Long sentences are cut behind a comma.
static void print_lines(const char *text) {
    for (; *text != 0; text++) {
        printf("%c%s", *text, *text == ',' ? "\n" : "");
    }
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("%s %s\n", report->code, report->what);
    print_lines(report->detail);
    printf("\nfix: ");
    print_lines(report->fix);
    printf("\n");
}

int main(void) {
    ox_report_set_handler((ox_report_handler){print_report, NULL});
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_world *world = ox_world_create(NULL);
    ox_entity body = ox_entity_create(world, OX_VALUE(Health, {10}));

    static const char *const cases[] = {"the same view twice", "separate views of one component",
                                        "a job that is forgotten", "all is well"};
    for (int frame = 0; frame < 4; frame++) {
        printf("-- %d: %s\n", frame + 1, cases[frame]);
        ox_world_update(world, 1.0f / 60.0f);
    }
    printf("points: %d\n", ox_get(world, body, Health)->points);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// -- 1: the same view twice
// OX-J03 two jobs would race
// job 'Hurt' (examples/43_races.c:41) writes component 'Health' (created examples/43_races.c:11)
// job 'Heal' (examples/43_races.c:38) writes it and has not been completed
// fix: pass the handle of 'Heal' as the `after` of 'Hurt' at examples/43_races.c:41,
//  or complete it first
// Count runs
// -- 2: separate views of one component
// OX-J03 two jobs would race
// job 'Hurt' (examples/43_races.c:44) writes component 'Health' (created examples/43_races.c:11)
// job 'Heal' (examples/43_races.c:38) writes it and has not been completed
// fix: pass the handle of 'Heal' as the `after` of 'Hurt' at examples/43_races.c:44,
//  or complete it first
// Count runs
// -- 3: a job that is forgotten
// OX-W05 a system returned a wrong handle
// system 'Wrong' (examples/43_races.c:33): it does not cover job 'Heal' (examples/43_races.c:38)
// fix: return a handle that covers all jobs of the update: combine them,
//  or schedule each after the one before
// OX-W02 a job that no system completes uses components
// Count reads 'Health'
// job 'Heal' (examples/43_races.c:38) writes it,
//  was not completed,
//  and no system returned its handle
// fix: schedule 'Heal' in a job system that returns a handle which covers it,
//  or complete it before examples/43_races.c:58
// -- 4: all is well
// Count runs
// points: 14
