// SPDX-License-Identifier: MIT
//
// A plain parallel job over views: components of a query as one array, from all cores. A job system
// schedules it after its input and returns its handle, so others know what it reads and writes. You
// see a sum over neighbours, which a job over entities could not see.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Height, { float now; });
OX_COMPONENT(Smooth, { float value; });

// Each index reads three heights and writes one value, its own.
OX_PARALLEL_JOB(Blur, {
    OX_READ_ONLY ox_view height;
    ox_view smooth;
}) {
    int last = job->height.count - 1;
    float left = ox_view_read(job->height, i > 0 ? i - 1 : 0, Height).now;
    float right = ox_view_read(job->height, i < last ? i + 1 : last, Height).now;
    float here = ox_view_read(job->height, i, Height).now;
    ox_view_set(job->smooth, i, Smooth, {(left + here + right) / 3});
}

OX_VIEWS(Terrain, (OX_READ(Height, height), OX_WRITE(Smooth, smooth)));

typedef struct BlurState {
    Terrain terrain;
} BlurState;

// What is injected is declared: `after` covers jobs that write Height, and all of Smooth. A handle
// that is not returned would leave Blur unregistered: a report (OX-W02) at the next use of Smooth.
OX_JOB_SYSTEM(BlurSystem, .state = sizeof(BlurState), .after = {"RaiseSystem"},
              .inject = {OX_INJECT_VIEWS(BlurState, terrain, Terrain)}) {
    Terrain *terrain = &ox_system_state(system, BlurState)->terrain;
    return ox_schedule_for(Blur, terrain->count, 64, after,
                           {.height = terrain->height, .smooth = terrain->smooth});
}

OX_ENTITY_JOB(Raise, (OX_WRITE(Height, height)), { float by; }) {
    height->now += job->by;
}

OX_JOB_SYSTEM(RaiseSystem, .jobs = OX_JOBS(Raise)) {
    return ox_schedule_entities(Raise, system, after, {.by = ox_system_get_delta(system)});
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_entity hills[1000];
    ox_entities_create(world, ox_archetype_of(world, Height, Smooth), hills, 1000);
    ox_set(world, hills[500], Height, {9});
    for (int frame = 0; frame < 2; frame++) {
        ox_world_update(world, 0.5f);
    }
    for (int k = 498; k < 503; k++) {
        printf("%d: %.1f\n", k, ox_get(world, hills[k], Smooth)->value);
    }
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// 498: 1.0
// 499: 4.0
// 500: 4.0
// 501: 4.0
// 502: 1.0
