// SPDX-License-Identifier: MIT
//
// Worlds with many systems: names, queries and the plan, and that none of it is looked for by
// walking over all of them.

#include "systems_test.h"

#include "base/counted_memory.h"

#include "entities/query.h"
#include "systems/systems.h"

enum { MANY = 2000, LONGEST_CHAIN = 16 };

static char many_names[MANY][16];
static collected_reports reports;

static bool make_own_query(ox_system *system) {
    return ox_system_query(system, OX_WRITE(Count)) != NULL;
}

// Adds them in an order that is not that of names; each comes after the one before it by number.
static void add_many(ox_world *world, const ox_system_def *like) {
    for (int k = 0; k < MANY; k++) {
        int number = k * 617 % MANY;
        snprintf(many_names[number], sizeof many_names[number], "S%04d", number);
        ox_system_def def = *like;
        def.name = many_names[number];
        def.update = log_update;
        add_system(world, &def);
    }
}

static size_t longest_chain(const oxi_systems *all) {
    size_t longest = 0;
    for (size_t k = 0; k < all->buckets.count; k++) {
        size_t length = 0;
        for (const oxi_system *at = all->buckets.items[k]; at != NULL; at = at->next_named) {
            length++;
        }
        longest = length > longest ? length : longest;
    }
    return longest;
}

TEST(many_systems, are_found_by_name_in_short_chains) {
    ox_world *world = begin_systems(&reports);
    add_many(world, &(ox_system_def){0});

    const oxi_systems *all = oxi_systems_get(world);
    EXPECT(all->buckets.count >= all->items.count);
    EXPECT(longest_chain(all) <= LONGEST_CHAIN);
    for (int k = 0; k < MANY; k++) {
        ox_system *found = ox_system_find(world, many_names[k]);
        EXPECT(found != NULL && is_named(found, many_names[k]));
    }
    EXPECT(ox_system_find(world, "S2000") == NULL);
    finish_systems(world, &reports);
}

TEST(many_systems, that_are_removed_are_not_found_and_the_others_are) {
    ox_world *world = begin_systems(&reports);
    add_many(world, &(ox_system_def){0});

    for (int k = 0; k < MANY; k += 3) {
        EXPECT(ox_system_remove(ox_system_find(world, many_names[k])));
    }

    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(ox_system_find(world, many_names[k]) != NULL, k % 3 != 0);
    }
    ox_system *again = add_system(world, BRIEF("S0000"));
    EXPECT(ox_system_find(world, "S0000") == again);
    finish_systems(world, &reports);
}

static ox_system *successor;

static void replace_itself(ox_system *system, const char *call) {
    if (call[0] == 0 && successor == NULL) {
        ox_world *world = system->world;
        EXPECT(ox_system_remove(system));
        EXPECT(ox_system_find(world, "A") == NULL);
        successor = ox_system_add(world, BRIEF("A"));
        EXPECT(ox_system_find(world, "A") == successor);
    }
}

TEST(many_systems, one_of_the_name_of_a_removed_one_is_found_in_its_stead) {
    ox_world *world = begin_systems(&reports);
    ox_system *first = add_system(world, BRIEF("A"));
    successor = NULL;
    in_call = replace_itself;

    run_frame(world);

    EXPECT(successor != NULL && successor != first);
    EXPECT(ox_system_find(world, "A") == successor);
    run_frame(world);
    EXPECT_LOG("A A");
    finish_systems(world, &reports);
}

TEST(many_systems, each_has_its_own_query_again_by_the_same_terms) {
    ox_world *world = begin_systems(&reports);
    add_many(world, &(ox_system_def){.create = make_own_query});
    ox_query *none = ox_query_create(world, OX_WRITE(Count)); // the world's own

    for (int k = 0; k < MANY; k += 97) {
        ox_system *system = ox_system_find(world, many_names[k]);
        const ox_query *query = ox_system_query(system, OX_WRITE(Count));
        EXPECT(query != none && query == ox_system_query(system, OX_WRITE(Count)));
        EXPECT(query->scope == oxi_scope_of(system));
        EXPECT_EQ(oxi_scope_of(system)->query_count, 1);
        EXPECT(ox_system_query(system, OX_READ(Count)) != query);
        EXPECT_EQ(oxi_scope_of(system)->query_count, 2);
    }
    finish_systems(world, &reports);
}

TEST(many_systems, queries_go_with_the_system_that_has_them) {
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A", .create = make_own_query));
    ox_system *b = add_system(world, BRIEF("B", .create = make_own_query));
    const ox_query *of_b = ox_system_query(b, OX_WRITE(Count));
    ox_query *own = ox_query_create(world, OX_WRITE(Count));
    ox_system_query(a, OX_READ(Step));

    EXPECT(ox_system_remove(a));

    EXPECT(world->first_query == own && own->next == of_b && of_b->next == NULL);
    finish_systems(world, &reports);
}

TEST(many_systems, of_a_query_that_several_require_none_keeps_a_part) {
    ox_world *world = begin_systems(&reports);
    ox_query *query = ox_query_create(world, OX_WITH(Count));
    for (int k = 0; k < 5; k++) {
        snprintf(many_names[k], sizeof many_names[k], "S%04d", k);
        ox_system *system = add_system(world, BRIEF(many_names[k]));
        EXPECT(ox_system_require(system, query));
        EXPECT(k != 2 || ox_system_require(system, query)); // twice
    }
    EXPECT_EQ(query->require_count, 6);
    run_frame(world);
    EXPECT_LOG("");
    EXPECT(ox_system_remove(ox_system_find(world, many_names[2])));
    EXPECT_EQ(query->require_count, 4);

    ox_query_destroy(query);

    run_frame(world);
    EXPECT_LOG("S0000 S0001 S0003 S0004");
    finish_systems(world, &reports);
}

TEST(many_systems, are_ordered_in_few_steps_each) {
    ox_world *world = begin_systems(&reports);
    add_many(world, &(ox_system_def){.create = make_own_query});
    ox_system *systems[MANY + 16];

    int count = ox_world_get_systems(world, systems, MANY + 16);

    const oxi_systems *all = oxi_systems_get(world);
    EXPECT(all->order.steps < MANY * 50);
    EXPECT_EQ(count, (int)all->plan.count - 1);
    for (uint32_t k = 0; k < all->plan.count; k++) {
        EXPECT_EQ(all->plan.items[k].system->step, k);
    }
    EXPECT_EQ(all->plan.items[0].end, all->plan.count);
    finish_systems(world, &reports);
}

TEST(many_systems, groups_end_behind_the_last_of_what_is_in_them) {
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("G", .in = "Simulation"));
    add_system(world, IN_GROUP("H", .in = "G"));
    add_system(world, IN_GROUP("I", .in = "G", .after = {"H"})); // empty
    add_system(world, BRIEF("A", .in = "H"));
    add_system(world, BRIEF("B", .in = "G", .after = {"I"}));
    add_system(world, BRIEF("C", .after = {"G"}));
    run_frame(world);
    EXPECT_LOG("A B C");

    ox_system_set_enabled(ox_system_find(world, "H"), false);
    run_frame(world);
    EXPECT_LOG("B C");
    ox_system_set_enabled(ox_system_find(world, "G"), false);
    run_frame(world);
    EXPECT_LOG("C");
    EXPECT(ox_system_update(ox_system_find(world, "B")));
    EXPECT_LOG("B");
    finish_systems(world, &reports);
}

static int blocks_of_one_more(size_t state) {
    counted_memory memory = {0};
    ox_world *world =
        ox_world_create(&(ox_world_def){.no_systems = true, .allocator = counted_create(&memory)});
    add_system(world, BRIEF("A"));
    int before = memory.live;
    add_system(world, BRIEF("B", .state = state));
    int blocks = memory.live - before;
    ox_world_destroy(world);
    EXPECT_EQ(memory.live, 0);
    EXPECT_EQ(memory.wrong, 0);
    return blocks;
}

TEST(many_systems, take_no_block_for_a_state_that_they_do_not_have) {
    EXPECT_EQ(blocks_of_one_more(0) + 1, blocks_of_one_more(1));
    EXPECT_EQ(blocks_of_one_more(1), blocks_of_one_more(1000));
}

// Systems that are made because others are injected: each one more.

enum { LONGEST_NEED = 2 * OX_MAX_GROUP_DEPTH, NEEDED = LONGEST_NEED + 2 };

static ox_system_def needed[NEEDED];

static void register_needed(void) {
    static char names[NEEDED][24];
    for (int k = NEEDED - 1; k >= 0; k--) {
        snprintf(names[k], sizeof names[k], "Needed%03d", k);
        needed[k] = (ox_system_def){.name = names[k],
                                    .update = log_update,
                                    .state = sizeof(ox_system *),
                                    .is_manual = true};
        if (k + 1 < NEEDED) {
            needed[k].inject[0] = (ox_injection){.kind = OX_INJECTION_SYSTEM, .name = names[k + 1]};
        }
        ox_system_register(&needed[k]);
    }
}

TEST(many_systems, one_may_need_so_many_others_and_no_more) {
    register_needed();
    ox_world *world = begin_systems(&reports);
    EXPECT(ox_system_add(world, &needed[0]) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_SYSTEM);
    EXPECT_HAS(reports.text, "needs too much else");
    reports.count = 0;

    EXPECT(ox_system_add(world, &needed[1]) != NULL);

    EXPECT_EQ(ox_world_get_systems(world, NULL, 0), 9 + NEEDED - 1);
    EXPECT(ox_system_add(world, &needed[0]) != NULL); // what it needs is there
    finish_systems(world, &reports);
}

// Defs whose lists are full: behind each stands something that is not of the list.

enum { ALL_NEIGHBOURS = 2 * OX_MAX_ORDER };

typedef struct FullState {
    ox_lookup lookups[OX_MAX_INJECTED];
} FullState;

#define INJECT_NTH(k, term) OX_INJECT_LOOKUP(FullState, lookups[k], term)

static ox_job schedule_nothing(ox_system *system, ox_job after) {
    log_update(system);
    return after;
}

OX_TAG(FullA);
OX_TAG(FullB);
OX_TAG(FullC);
OX_TAG(FullD);
OX_TAG(FullE);
OX_TAG(FullF);

TEST(many_systems, one_may_say_as_much_as_fits) {
    static const char *const barriers[] = {"Wall0", "Wall1", "Wall2", "Wall3"};
    static char names[ALL_NEIGHBOURS][16];
    ox_world *world = begin_systems(&reports);
    for (int k = 0; k < OX_MAX_BARRIERS; k++) {
        add_system(world,
                   &(ox_system_def){.name = barriers[k], .is_barrier = true, .in = "Presentation"});
    }
    ox_system_def full = {
        .name = "Full",
        .update_jobs = schedule_nothing,
        .place = OX_PHASE_FIRST,
        .jobs = OX_JOBS(WriteCount, ReadCount, WriteStep, ReadStep, CountFromStep, ReadEntities,
                        ReadStep, ReadCount),
        .inject = {INJECT_NTH(0, OX_READ(Count)), INJECT_NTH(1, OX_READ(Step)),
                   INJECT_NTH(2, OX_READ(Extra)), INJECT_NTH(3, OX_READ(Wide)),
                   INJECT_NTH(4, OX_READ(Count)), INJECT_NTH(5, OX_READ(Step)),
                   INJECT_NTH(6, OX_READ(Extra)), INJECT_NTH(7, OX_READ(Wide))},
        .require = OX_REQUIRE(OX_WITH(FullA), OX_WITH(FullB), OX_WITH(FullC), OX_WITH(FullD),
                              OX_WITH(FullE), OX_WITH(FullF), OX_WITH(Red)),
        .state = sizeof(FullState),
    };
    for (int k = 0; k < ALL_NEIGHBOURS; k++) {
        snprintf(names[k], sizeof names[k], "N%d", k);
        bool comes_before = k >= OX_MAX_ORDER;
        add_system(world, BRIEF(names[k], .place = OX_PHASE_FIRST));
        (comes_before ? full.after : full.before)[k % OX_MAX_ORDER] = names[k];
    }
    memcpy(full.barriers, barriers, sizeof barriers);
    ox_system *system = add_system(world, &full);
    run_frame(world);
    EXPECT_LOG("N10 N11 N12 N13 N14 N15 N8 N9 N0 N1 N2 N3 N4 N5 N6 N7");

    ox_entity_create_in(world,
                        ox_archetype_of(world, FullA, FullB, FullC, FullD, FullE, FullF, Red));
    run_frame(world);

    EXPECT_LOG("N10 N11 N12 N13 N14 N15 N8 N9 Full N0 N1 N2 N3 N4 N5 N6 N7");
    EXPECT_EQ(ox_system_get_info(system).writes_count, 2);
    EXPECT_EQ(ox_system_state(system, FullState)->lookups[7].world, world);
    finish_systems(world, &reports);
}
