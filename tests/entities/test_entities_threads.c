// SPDX-License-Identifier: MIT
//
// Worlds on threads of their own share chunks and components of the process, and nothing else.

#include "test.h"

#include "base/crowd.h"
#include "base/platform.h"
#include "entities/entities_test.h"

enum { THREADS = 4, ROUNDS = 10 };

typedef struct own_world {
    uint64_t seed;
    uint64_t hash;
    uint64_t layout_hash;
} own_world;

static void change_one(ox_world *world, oxi_random *random, ox_entity entity) {
    switch (oxi_random_below(random, 6)) {
    case 0:
        ox_entity_destroy(world, entity);
        break;
    case 1:
        ox_add_tag(world, entity, Frozen);
        break;
    case 2:
        ox_add(world, entity, Health, {(int)oxi_random_below(random, 100)});
        break;
    case 3:
        if (ox_has(world, entity, Large)) {
            ox_remove(world, entity, Large);
        }
        break;
    case 4:
        ox_entity_instantiate(world, entity);
        break;
    default:
        ox_entity_create(world, OX_VALUE(Position, {1, 2}),
                         OX_VALUE(Follows, {entity, {entity}, 0}));
    }
}

// Makes and destroys worlds, so that chunks go from one thread to the other.
static void use_own_world(void *context) {
    own_world *own = context;
    for (int round = 0; round < ROUNDS; round++) {
        oxi_random random = oxi_random_seed(own->seed);
        ox_world *world = ox_world_create(NULL);
        ox_entities_create(world, ox_archetype_of(world, Large), NULL, 300);
        for (int k = 0; k < 1000; k++) {
            uint32_t index = (uint32_t)oxi_random_below(&random, 300);
            ox_entity entity = {index, world->store.entities.records[index].version};
            if (ox_entity_exists(world, entity)) {
                change_one(world, &random, entity);
            }
        }
        EXPECT(ox_world_validate(world));
        own->hash = ox_world_hash(world);
        own->layout_hash = ox_world_hash_layout(world);
        ox_world_destroy(world);
    }
}

TEST(entities_threads, worlds_on_several_threads_do_not_disturb_each_other) {
    oxi_thread threads[THREADS];
    own_world worlds[THREADS];
    for (int k = 0; k < THREADS; k++) {
        worlds[k] = (own_world){.seed = test_seed(41) + (uint64_t)k / 2};
        EXPECT(oxi_thread_start(&threads[k], use_own_world, &worlds[k], "world"));
    }
    for (int k = 0; k < THREADS; k++) {
        oxi_thread_join(&threads[k]);
    }

    for (int k = 0; k < THREADS; k += 2) {
        EXPECT_EQ(worlds[k].hash, worlds[k + 1].hash);
        EXPECT_EQ(worlds[k].layout_hash, worlds[k + 1].layout_hash);
    }
    EXPECT_NE(worlds[0].hash, worlds[2].hash);
}

// Who owns a world.

typedef struct foreign_use {
    collected_reports reports;
    ox_world *world;
    uint32_t index;    // of the thread that made it
    uint32_t arrived;  // the index of the thread that used it
    ox_entity entity;  // that it could create
    oxi_atomic_u32 go; // the owner may end
} foreign_use;

static void make_and_stay(void *context) {
    foreign_use *use = context;
    use->index = oxi_thread_index();
    use->world = make_world(&use->reports);
    oxi_store_release(&use->go, 1);
    oxi_futex_wake(&use->go, 1);
    while (oxi_load_acquire(&use->go) != 2) {
        oxi_futex_wait(&use->go, 1, OXI_WAIT_FOREVER);
    }
    end_world(use->world, &use->reports);
}

static void create_in_foreign(void *context) {
    foreign_use *use = context;
    use->arrived = oxi_thread_index();
    use->entity = ox_entity_create(use->world);
}

static void run_foreign(foreign_use *use) {
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, create_in_foreign, use, "foreign"));
    oxi_thread_join(&thread);
}

TEST_CHECKED(entities_threads, threads_that_share_an_index_do_not_share_worlds) {
    static foreign_use use;
    oxi_thread owner;
    begin_crowd();
    oxi_store_release(&use.go, 0);
    EXPECT(oxi_thread_start(&owner, make_and_stay, &use, "owner"));
    while (oxi_load_acquire(&use.go) == 0) {
        oxi_futex_wait(&use.go, 0, OXI_WAIT_FOREVER);
    }

    run_foreign(&use);

    EXPECT(crowd_count < CROWD || use.index == use.arrived);
    EXPECT_EQ(use.entity.version, 0);
    EXPECT_REPORT(&use.reports, OX_REPORT_WORLD_THREAD);
    oxi_store_release(&use.go, 2);
    oxi_futex_wake(&use.go, 1);
    oxi_thread_join(&owner);
    end_crowd();
}

static void destroy_foreign(void *context) {
    ox_world_destroy(context);
}

TEST(entities_threads, a_foreign_thread_does_not_destroy_a_world) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    oxi_thread thread;

    EXPECT(oxi_thread_start(&thread, destroy_foreign, world, "foreign"));
    oxi_thread_join(&thread);

    EXPECT_REPORT(&reports, OX_REPORT_WORLD_THREAD);
    EXPECT(ox_entity_exists(world, entity));
    end_world(world, &reports);
}

static void leave_a_world(void *context) {
    foreign_use *use = context;
    use->index = oxi_thread_index();
    use->world = make_world(&use->reports);
}

TEST_CHECKED(entities_threads, a_thread_with_the_index_of_one_that_ended_owns_nothing_of_it) {
    static foreign_use use;
    oxi_thread owner;
    EXPECT(oxi_thread_start(&owner, leave_a_world, &use, "owner"));
    oxi_thread_join(&owner);

    run_foreign(&use);

    EXPECT_EQ(use.index, use.arrived);
    EXPECT_EQ(use.entity.version, 0);
    EXPECT_REPORT(&use.reports, OX_REPORT_WORLD_THREAD);
    use.world->owner = oxi_thread_serial(); // nobody else can end it
    end_world(use.world, &use.reports);
}
