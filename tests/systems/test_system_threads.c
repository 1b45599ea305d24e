// SPDX-License-Identifier: MIT
//
// Worlds whose systems are updated by threads of their own, while main schedules.

#include "entities/entity_jobs_test.h"

#include "oxbow/systems.h"

enum { UPDATES = 500, THREADS = 3 };

typedef struct counted {
    ox_query *query;
} counted;

static bool create_counted(ox_system *system) {
    ox_query *query = ox_system_query(system, OX_WRITE(Count));
    ox_system_state(system, counted)->query = query;
    return query != NULL;
}

static void update_counted(ox_system *system) {
    OX_EACH_CHUNK(ox_system_state(system, counted)->query, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            ox_chunk_edit(chunk, Count)[k].value++;
        }
    }
}

static ox_job update_with_job(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteCount, system, after, {1});
}

static uint32_t run_own_world(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_entity entity = ox_entity_create(world, OX_VALUE(Count, {0}));
    ox_system_def def = {.name = "Counts",
                         .update = update_counted,
                         .create = create_counted,
                         .state = sizeof(counted)};
    ox_system_add(world, &def);
    for (int k = 0; k < UPDATES; k++) {
        ox_world_update(world, 0.5f);
    }
    uint32_t value = ox_get(world, entity, Count)->value;
    ox_world_destroy(world);
    return value;
}

static oxi_atomic_u32 counted_by_threads;

static void run_thread(void *context) {
    (void)context;
    atomic_fetch_add(&counted_by_threads, run_own_world());
}

TEST(system_threads, worlds_are_updated_on_threads_of_their_own_while_main_schedules) {
    oxi_thread threads[THREADS];
    ox_entity entity;
    start_workers_of_test(2);
    ox_world *world = make_small_world(&entity);
    ox_system_add(world, &(ox_system_def){.name = "Writes", .update_jobs = update_with_job});
    atomic_store(&counted_by_threads, 0);
    for (int k = 0; k < THREADS; k++) {
        EXPECT(oxi_thread_start(&threads[k], run_thread, NULL, "world"));
    }

    for (int k = 0; k < UPDATES; k++) {
        EXPECT(ox_world_update(world, 0.5f));
    }
    for (int k = 0; k < THREADS; k++) {
        oxi_thread_join(&threads[k]);
    }

    EXPECT_EQ(atomic_load(&counted_by_threads), THREADS * UPDATES);
    end_jobs_test(world);
}
