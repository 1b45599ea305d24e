// SPDX-License-Identifier: MIT
//
// Work that takes several frames: a path search in a background job, on positions that were copied
// out, while frames go on. Its result is taken in at a frame that was fixed before, so what is in
// the world does not depend on when the search was done, nor on the number of workers.

#include <oxbow.h>

#include <stdio.h>

enum { SIZE = 256, CELLS = SIZE * SIZE, BEGIN_AT = 3, TAKE_AT = 12, FRAMES = 20 };

OX_COMPONENT(Rock, { int cell; });
OX_COMPONENT(Walker, { int cell; });
OX_COMPONENT(Cloud, { float x; });
OX_BUFFER(Step, 8, { int cell; });
static const int ways[] = {-SIZE, -1, 1, SIZE};

// True when one cell lies beside another, which may be outside.
static bool is_step(int from, int to) {
    return to >= 0 && to < CELLS && (to % SIZE == from % SIZE || to / SIZE == from / SIZE);
}

OX_ARRAY(Rocks, Rock);
OX_ARRAY(Steps, int);

// Finds how many steps it is from each cell to cell 0; 0 where no way leads there.
OX_JOB(SearchPaths, {
    OX_READ_ONLY Rocks rocks;
    Steps steps;
}) {
    int *steps = ox_array_edit_data(job->steps);
    const Rock *rocks = ox_array_get_data(job->rocks);
    for (int k = 0; k < ox_array_count(job->rocks); k++) {
        steps[rocks[k].cell] = -1;
    }
    int *cells = ox_memory_alloc_array(OX_TEMP, CELLS, int);
    int count = 1;
    cells[0] = 0;
    steps[0] = 1;
    for (int k = 0; k < count; k++) {
        for (int way = 0; way < 4; way++) {
            int to = cells[k] + ways[way];
            if (is_step(cells[k], to) && steps[to] == 0) {
                steps[to] = steps[cells[k]] + 1;
                cells[count++] = to;
            }
        }
    }
}

typedef struct GuideState {
    ox_query *rocks;
    ox_job search; // kept here: a handle that is returned is completed before the next update
    Rocks copied;
    Steps steps;
} GuideState;

static bool create_guide(ox_system *system) {
    ox_system_state(system, GuideState)->rocks = ox_system_query(system, OX_READ(Rock));
    return ox_system_declare(system, OX_READ(Walker), OX_WRITE(Step));
}

static void take_path(ox_world *world, ox_entity walker, Steps steps) {
    ox_buffer path = ox_edit(world, walker, Step);
    const int *to_go = ox_array_get_data(steps);
    for (int cell = ox_get(world, walker, Walker)->cell; to_go[cell] > 1;) {
        int way = 0;
        while (!is_step(cell, cell + ways[way]) || to_go[cell + ways[way]] != to_go[cell] - 1) {
            way++;
        }
        cell += ways[way];
        ox_buffer_push(path, Step, {cell});
    }
}

OX_SYSTEM(Guide, .state = sizeof(GuideState), .create = create_guide) {
    GuideState *state = ox_system_state(system, GuideState);
    uint64_t frame = ox_system_get_time(system).frame;
    if (frame == BEGIN_AT) {
        state->copied.untyped = ox_query_copy_values(state->rocks, Rock, OX_PERSISTENT);
        state->steps = ox_array_create(Steps, CELLS, OX_PERSISTENT);
        state->search =
            ox_schedule_background(SearchPaths, OX_NO_JOB, {state->copied, state->steps});
    } else if (frame == TAKE_AT) { // not when it is done: that is never the same frame twice
        ox_complete(state->search);
        take_path(system->world, ox_singleton_get_entity(system->world, Walker), state->steps);
        ox_dispose(&state->copied);
        ox_dispose(&state->steps);
    }
}

OX_ENTITY_JOB(Blow, (OX_WRITE(Cloud, cloud)), { float by; }) {
    cloud->x += job->by;
}

OX_JOB_SYSTEM(Wind, .jobs = OX_JOBS(Blow)) {
    return ox_schedule_entities(Blow, system, after, {ox_system_get_delta(system)});
}

// Walls with a gap at one end, by turns. Returns the hash of the world after some frames.
static uint64_t run(int worker_count) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = worker_count});
    ox_world *world = ox_world_create(NULL);
    for (int x = 4; x < SIZE; x += 8) {
        for (int y = 1; y < SIZE; y++) {
            int row = x % 16 == 4 ? y : y - 1;
            ox_entity_create(world, OX_VALUE(Rock, {row * SIZE + x}));
        }
    }
    ox_entities_create(world, ox_archetype_of(world, Cloud), NULL, 10000);
    ox_entity walker = ox_entity_create_in(world, ox_archetype_of(world, Walker, Step));
    ox_set(world, walker, Walker, {CELLS - 1});
    while (ox_world_get_time(world).frame < FRAMES) {
        ox_world_update(world, 1.0f / 60.0f);
    }
    printf("the path has %d steps\n", ox_buffer_count(ox_get(world, walker, Step)));
    uint64_t hash = ox_world_hash(world);
    ox_world_destroy(world);
    ox_jobs_stop();
    return hash;
}

int main(void) {
    uint64_t alone = run(OX_NO_WORKERS), together = run(3);
    printf("the same with any number of workers: %d\n", alone == together);
}

// Output:
// the path has 8160 steps
// the path has 8160 steps
// the same with any number of workers: 1
