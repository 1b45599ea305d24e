// SPDX-License-Identifier: MIT
//
// Every fallible call of the entities room is failed. A call that is refused leaves the world as it
// was, hashes and all, and is done when it is repeated with memory.

#include "entities/entities_test.h"

#include "base/substitute.h"
#include "oxbow/memory.h"
#include "storage/chunk_space.h"

enum { CALLS = 16, MANY = 60 };

static ox_world *world;
static ox_entity known; // has Health

static bool create_empty(void) {
    return ox_entity_create(world).version != 0;
}

static bool create_in(void) {
    ox_archetype archetype = ox_archetype_of(world, Position, Large);
    return archetype.number != 0 && ox_entity_create_in(world, archetype).version != 0;
}

static bool create_with(void) {
    return ox_entity_create(world, OX_VALUE(Velocity, {1, 2}), OX_VALUE_TAG(Frozen)).version != 0;
}

static bool create_many(void) {
    ox_archetype archetype = ox_archetype_of(world, Large);
    return archetype.number != 0 && ox_entities_create(world, archetype, NULL, MANY);
}

// Ids that need more of the table than one page.
static bool create_very_many(void) {
    ox_archetype archetype = ox_archetype_of(world, Frozen);
    return archetype.number != 0 && ox_entities_create(world, archetype, NULL, 5000);
}

static bool instantiate(void) {
    return ox_entity_instantiate(world, known).version != 0;
}

static bool add_value(void) {
    return ox_add(world, known, Large, {{7}});
}

static bool add_tag(void) {
    return ox_add_tag(world, known, Frozen);
}

static bool add_several(void) {
    return ox_add_many(world, known, OX_VALUE(Position, {3, 4}), OX_VALUE(Velocity, {5, 6}));
}

static bool set_archetype(void) {
    ox_archetype archetype = ox_archetype_of(world, Health, Follows);
    return archetype.number != 0 && ox_entity_set_archetype(world, known, archetype);
}

static bool remove_one(void) {
    return ox_remove(world, known, Follows);
}

static bool remove_several(void) {
    return ox_add_many(world, known, OX_VALUE(Position, {1, 1}), OX_VALUE_TAG(Frozen)) &&
           ox_remove_many(world, known, Position, Frozen);
}

static bool give_names(void) {
    char name[16];
    for (uint32_t k = 0; k < 40; k++) {
        snprintf(name, sizeof name, "entity%u", (unsigned)k);
        if (!ox_entity_set_name(world, ((ox_entity){k, 1}), name)) {
            return false;
        }
    }
    return true;
}

static bool destroy(void) {
    uint64_t failures = oxi_fault_get_failures();
    ox_entity_destroy(world, ((ox_entity){20, 1}));
    ox_entity list[2] = {{21, 1}, {22, 1}};
    EXPECT(ox_entities_destroy(world, list, 2));
    EXPECT_EQ(oxi_fault_get_failures(), failures); // nothing is allocated
    return true;
}

static bool defragment(void) {
    uint64_t failures = oxi_fault_get_failures();
    ox_world_defragment(world, UINT64_MAX);
    EXPECT_EQ(oxi_fault_get_failures(), failures);
    return true;
}

typedef struct fallible_call {
    bool (*call)(void);
    bool is_single; // refused as a whole: several may be half done, and the archetype stays
} fallible_call;

static const fallible_call calls[] = {
    {create_empty, true}, {create_in, false},        {create_with, true}, {create_many, false},
    {instantiate, true},  {create_very_many, false}, {add_value, true},   {add_tag, true},
    {add_several, true},  {set_archetype, false},    {remove_one, true},  {remove_several, false},
    {give_names, false},  {destroy, true},           {defragment, true},
};

// The plan may fail one call or all that follow: the second try is made without it.
static void try_call(const fallible_call *one) {
    uint64_t content = ox_world_hash(world), layout = ox_world_hash_layout(world);
    uint64_t failures = oxi_fault_get_failures();
    if (one->call()) {
        return;
    }
    EXPECT(oxi_fault_get_failures() > failures);
    EXPECT(!one->is_single || ox_world_hash(world) == content);
    EXPECT(!one->is_single || ox_world_hash_layout(world) == layout);
    EXPECT(ox_world_validate(world));
}

static void run_calls(void) {
    world = ox_world_create(&(ox_world_def){.entity_capacity = 10});
    if (world == NULL) {
        return;
    }
    known = ox_entity_create(world, OX_VALUE(Health, {1}));
    for (size_t k = 0; known.version != 0 && k < sizeof calls / sizeof *calls; k++) {
        // What was refused before may be missing here: such a call is left out.
        bool needs = (calls[k].call == remove_one && !ox_has(world, known, Follows)) ||
                     (calls[k].call == destroy && !ox_entity_exists(world, (ox_entity){22, 1})) ||
                     (calls[k].call == give_names && !ox_entity_exists(world, (ox_entity){39, 1}));
        if (!needs) {
            try_call(&calls[k]);
        }
    }
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

static void register_components(void) {
    ox_world *first = ox_world_create(NULL);
    ox_archetype_of(first, Position, Velocity, Health, Follows, Large, Frozen);
    ox_world_destroy(first);
}

TEST(entities_faults, worlds_stay_whole_whatever_fails) {
    register_components();
    test_fault_sweep("worlds", run_calls);
}

static void ignore_failure(const ox_report *report, void *context) {
    int *failures = context;
    EXPECT_EQ(report->severity, OX_SEVERITY_FAILURE);
    (*failures)++;
}

// Makes a call with a plan, and again if it was refused. @return the hash of the world then.
static uint64_t call_until_done(bool (*call)(void), oxi_fault_mode mode, uint64_t n,
                                uint64_t *failures) {
    int reported = 0;
    ox_report_handler before =
        ox_report_set_handler((ox_report_handler){ignore_failure, &reported});
    world = ox_world_create(NULL);
    known = ox_entity_create(world, OX_VALUE(Health, {1}),
                             OX_VALUE(Follows, {{0, 0}, {{0, 0}, {0, 0}}, 0}));
    ox_entities_create(world, ox_archetype_of(world, Health), NULL, 50);
    oxi_fault_plan(mode, n);
    bool is_done = call();
    *failures = oxi_fault_get_failures();
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(reported, is_done ? 0 : 1);
    EXPECT(is_done || call());
    EXPECT(ox_world_validate(world));
    uint64_t hash = ox_world_hash(world);
    ox_world_destroy(world);
    ox_report_set_handler(before);
    return hash;
}

// Each call on its own: one report for each refusal, and it is done as soon as there is memory.
TEST(entities_faults, a_call_that_was_refused_succeeds_afterwards) {
    register_components();
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        uint64_t failures = 0;
        uint64_t hash = call_until_done(calls[k].call, OXI_FAULT_NONE, 0, &failures);
        uint64_t n = 0;
        do {
            EXPECT_EQ(call_until_done(calls[k].call, OXI_FAULT_ONE, n++, &failures), hash);
        } while (failures > 0);
    }
}
