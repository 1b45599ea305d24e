// SPDX-License-Identifier: MIT
//
// Every allocation of a move, a copy and a transaction is refused, alone and with all that follow.
// What is refused has left no trace: both worlds lie as they did, no block is lost, and each shared
// value is dropped once.

#include "commands/moves_test.h"

#include "base/heap.h"
#include "base/substitute.h"
#include "oxbow/world.h"

enum { FLEET = 40 };

static two_worlds two;
static ox_query *ships, *large;
static ox_entity fleet[FLEET];

// Ships have models, sails, crews that lie outside and a leader; every second a texture.
static bool make_ships(void) {
    bool is_made = true;
    for (int k = 0; is_made && k < FLEET; k++) {
        int32_t number = 1 + k % 3;
        fleet[k] = ox_entity_create(
            two.sea, OX_VALUE(Health, {k}), OX_VALUE(Sail, {k}), OX_VALUE(Model, {&number}),
            OX_VALUE(Follows, {fleet[0], {{0, 0}}, k}), OX_VALUE_TAG(Crew), OX_VALUE_TAG(Note));
        is_made = fleet[k].version != 0 &&
                  ox_buffer_resize(ox_edit(two.sea, fleet[k], Crew), k % 4) &&
                  ox_buffer_resize(ox_edit(two.sea, fleet[k], Note), k % 6);
    }
    is_made = is_made && ox_entity_set_name(two.sea, fleet[1], "Argo") &&
              ox_entity_set_name(two.sea, fleet[2], "Bounty");
    for (int k = 0; is_made && k < 2 * LARGE_ROWS; k++) {
        is_made =
            ox_entity_create(two.sea, OX_VALUE(Large, {{1}}), OX_VALUE(Team, {k % 5})).version != 0;
    }
    return is_made;
}

static bool make_worlds(ox_allocator of_sea, ox_allocator of_port) {
    two = (two_worlds){0};
    ox_world_def sea = {.name = "sea", .allocator = of_sea};
    ox_world_def port = {.name = "port", .allocator = of_port, .removal = OX_REMOVAL_SWAP};
    two.sea = ox_world_create(&sea);
    two.port = ox_world_create(&port);
    bool is_made = two.sea != NULL && two.port != NULL && make_ships();
    if (is_made) {
        ships = ox_query_create(two.sea, OX_READ(Health), OX_READ(Follows));
        large = ox_query_create(two.sea, OX_READ(Large));
        ox_entity owner = ox_entity_create(two.port);
        is_made = ships != NULL && large != NULL && owner.version != 0 &&
                  ox_entity_set_name(two.port, owner, "Bounty");
    }
    return is_made;
}

// The calls.

static bool move_all(void) {
    return ox_world_move(two.port, two.sea, NULL) >= 0;
}
static bool move_ships(void) {
    return ox_world_move_query(two.port, ships, NULL) >= 0;
}
static bool move_large(void) {
    return ox_world_move_query(two.port, large, NULL) >= 0;
}
static bool copy_fleet(void) {
    ox_entity copies[FLEET];
    return ox_world_copy(two.port, two.sea, fleet, copies, FLEET);
}
static bool reserve_room(void) {
    return ox_world_reserve(two.port, 100000);
}
static bool lend(void) {
    ox_transaction lent = ox_transaction_begin(two.sea);
    return lent.world != NULL && ox_transaction_end(&lent, OX_NO_JOB);
}

typedef bool moves_call(void);
static moves_call *const calls[] = {move_all,   move_ships,   move_large,
                                    copy_fleet, reserve_room, lend};

static void refuse_in_call(ox_allocator of_sea, ox_allocator of_port, moves_call *call) {
    uint64_t failures = oxi_fault_get_failures();
    bool is_made = make_worlds(of_sea, of_port);
    // Only where nothing failed before: then the call is what is refused.
    if (is_made && oxi_fault_get_failures() == failures) {
        uint64_t hashes[] = {ox_world_hash_layout(two.sea), ox_world_hash_layout(two.port)};
        size_t archetypes = two.port->store.archetypes.count;
        if (!call()) {
            EXPECT_EQ(ox_world_hash_layout(two.sea), hashes[0]);
            EXPECT_EQ(ox_world_hash_layout(two.port), hashes[1]);
            EXPECT_EQ(two.port->store.archetypes.count, archetypes);
        }
        EXPECT(ox_world_validate(two.sea) && ox_world_validate(two.port));
    }
    ox_world_destroy(two.sea);
    ox_world_destroy(two.port);
    EXPECT_EQ(live_blocks, 0);
}

static moves_call *refused_call;
static ox_allocator heap_of_port;

static void refuse_in_sweep(void) {
    refuse_in_call(0, heap_of_port, refused_call);
}

// Refuses whatever is asked for, of the process or of the target's own heap.
static void sweep_calls(const char *const *names) {
    set_block_calls();
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        refused_call = calls[k];
        test_fault_sweep(names[k], refuse_in_sweep);
    }
}

TEST(moves_faults, a_call_that_is_refused_leaves_both_worlds_as_they_were) {
    static const char *const names[] = {"move all", "move ships", "move large",
                                        "copy",     "reserve",    "lend"};
    counted_memory heap = {0};
    heap_of_port = 0;
    sweep_calls(names);

    static const char *const others[] = {"move all, two heaps",   "move ships, two heaps",
                                         "move large, two heaps", "copy, two heaps",
                                         "reserve, two heaps",    "lend, two heaps"};
    heap_of_port = counted_create(&heap);
    sweep_calls(others);
    EXPECT_EQ(heap.live + heap.wrong, 0);
    ox_allocator_destroy(heap_of_port);
}

// The same with a heap for each world: block after block of the target is refused.

static void refuse_from(counted_memory *heap, int first, int last) {
    heap->asked = 0;
    heap->refuse_from = first;
    heap->refuse_to = last;
}

static bool refuse_block(moves_call *call, ox_allocator *allocators, counted_memory *heaps,
                         int first, int last) {
    EXPECT(make_worlds(allocators[0], allocators[1]));
    uint64_t hashes[] = {ox_world_hash_layout(two.sea), ox_world_hash_layout(two.port)};
    size_t archetypes = two.port->store.archetypes.count;
    refuse_from(&heaps[1], first, last);
    heaps[1].refused = 0;
    bool is_done = call();
    EXPECT_EQ(is_done, heaps[1].refused == 0);
    refuse_from(&heaps[1], 0, 0);
    if (!is_done) {
        EXPECT_EQ(ox_world_hash_layout(two.sea), hashes[0]);
        EXPECT_EQ(ox_world_hash_layout(two.port), hashes[1]);
        EXPECT_EQ(two.port->store.archetypes.count, archetypes);
    }
    EXPECT(ox_world_validate(two.sea) && ox_world_validate(two.port));
    ox_world_destroy(two.sea);
    ox_world_destroy(two.port);
    EXPECT_EQ(live_blocks + heaps[0].live + heaps[1].live + heaps[0].wrong + heaps[1].wrong, 0);
    return is_done;
}

TEST(moves_faults, a_target_with_a_heap_of_its_own_may_refuse_any_block) {
    counted_memory heaps[2] = {{0}};
    ox_allocator allocators[] = {counted_create(&heaps[0]), counted_create(&heaps[1])};
    collected_reports reports;
    set_block_calls();
    collect_reports(&reports);
    for (size_t k = 0; k < 4; k++) {
        int refused = 0;
        while (!refuse_block(calls[k], allocators, heaps, refused + 1, refused + 1)) {
            refuse_block(calls[k], allocators, heaps, refused + 1, INT32_MAX);
            refused++;
        }
        EXPECT(refused > 5);
    }
    ox_allocator_destroy(allocators[0]);
    ox_allocator_destroy(allocators[1]);
}
