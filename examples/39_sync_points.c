// SPDX-License-Identifier: MIT
//
// Where main waits for jobs: reading, writing and changing structure complete different ones of
// them. You see which, one call after the other, and who waited for what.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Place, { float x; });
OX_COMPONENT(Speed, { float x; });
OX_COMPONENT(Shade, { float x; });

static float far, fast; // written by one job each

OX_ENTITY_JOB(JobA, (OX_READ(Place, place)), { OX_NO_SAFETY float *to; }) {
    *job->to = place->x;
}

OX_ENTITY_JOB(JobB, (OX_WRITE(Place, place)), { float by; }) {
    place->x += job->by;
}

OX_ENTITY_JOB(JobC, (OX_READ(Speed, speed)), { OX_NO_SAFETY float *to; }) {
    *job->to = speed->x;
}

static ox_job jobs[3];

// Schedules all three, B before A, so that a reader stands behind the writer. There are no workers:
// a job runs when main waits for it, and not before.
static void schedule_jobs(ox_world *world) {
    ox_system *scope = ox_world_get_root(world);
    jobs[1] = ox_schedule_entities(JobB, scope, OX_AUTO, {1});
    jobs[0] = ox_schedule_entities(JobA, scope, OX_AUTO, {&far});
    jobs[2] = ox_schedule_entities(JobC, scope, OX_AUTO, {&fast});
}

static void print_jobs(const char *call) {
    printf("%-22s", call);
    for (int k = 0; k < 3; k++) {
        printf("  Job%c %s", 'A' + k, ox_job_is_complete(jobs[k]) ? "done" : "open");
    }
    printf("\n");
}

static void print_syncs(const ox_world *world) {
    static const char *const kinds[] = {"read", "write", "structural", "own"};
    ox_sync syncs[8];
    int count = (int)ox_world_get_syncs(world, syncs, 8);
    for (int k = 0; k < count && k < 8; k++) {
        printf("%s: %s sync for", syncs[k].site, kinds[syncs[k].kind]);
        for (int n = 0; n < OX_SYNC_JOBS && syncs[k].jobs[n] != NULL; n++) {
            printf(" %s", syncs[k].jobs[n]);
        }
        printf("\n");
    }
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_entity ship =
        ox_entity_create(world, OX_VALUE(Place, {0}), OX_VALUE(Speed, {3}), OX_VALUE(Shade, {0}));
    ox_world_record_syncs(world, true);

    schedule_jobs(world);
    (void)ox_has(world, ship, Place); // looks at no value
    ox_set(world, ship, Shade, {1});  // no job has to do with it
    print_jobs("has, set of Shade");
    (void)ox_get(world, ship, Place); // the writer
    print_jobs("get of Place");
    ox_set(world, ship, Place, {5}); // those that read, too
    print_jobs("set of Place");
    ox_entity_create(world); // all
    print_jobs("create");

    schedule_jobs(world);
    ox_set(world, ship, Place, {7}); // reader and writer at once
    print_jobs("again, set of Place");

    print_syncs(world);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// has, set of Shade       JobA open  JobB open  JobC open
// get of Place            JobA open  JobB done  JobC open
// set of Place            JobA done  JobB done  JobC open
// create                  JobA done  JobB done  JobC done
// again, set of Place     JobA done  JobB done  JobC open
// examples/39_sync_points.c:71: read sync for JobB
// examples/39_sync_points.c:73: write sync for JobA
// examples/39_sync_points.c:75: structural sync for JobC
// examples/39_sync_points.c:79: write sync for JobA
