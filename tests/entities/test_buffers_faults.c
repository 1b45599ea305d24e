// SPDX-License-Identifier: MIT
//
// Every allocation of a call on buffers is failed: the world stays as it was, and the call is done
// when it is repeated with memory.

#include "entities/entities_test.h"

#include "base/substitute.h"
#include "oxbow/buffers.h"
#include "oxbow/memory.h"

OX_BUFFER(Note, 2, { int32_t pitch, length; });
OX_BUFFER(Rest, OX_INLINE_NONE, { int32_t length; });

static ox_world *world;
static ox_entity song; // has four notes, which lie outside
static const Note notes[10] = {{1, 1}, {2, 2}, {3, 3}};

static bool add(void) {
    return ox_buffer_is_created(ox_add_buffer(world, song, Rest));
}

static bool append_inline_less(void) {
    ox_buffer rests = ox_add_buffer(world, song, Rest);
    return ox_buffer_is_created(rests) && ox_buffer_push(rests, Rest, {7});
}

static bool append(void) {
    return ox_buffer_push(ox_edit(world, song, Note), Note, {9, 9});
}

static bool append_many(void) {
    return ox_buffer_push_many(ox_edit(world, song, Note), Note, notes, 10);
}

static bool insert(void) {
    return ox_buffer_insert(ox_edit(world, song, Note), 1, Note, {9, 9});
}

static bool resize(void) {
    return ox_buffer_resize(ox_edit(world, song, Note), 30);
}

static bool reserve(void) {
    return ox_buffer_reserve(ox_edit(world, song, Note), 30);
}

static bool set_capacity(void) {
    return ox_buffer_set_capacity(ox_edit(world, song, Note), 40);
}

static bool trim(void) {
    ox_buffer buffer = ox_edit(world, song, Note);
    return ox_buffer_remove(buffer, 0) && ox_buffer_trim(buffer);
}

static bool instantiate(void) {
    return ox_entity_instantiate(world, song).version != 0;
}

static bool move_outside(void) {
    return ox_add(world, song, Health, {1});
}

static bool empty(void) {
    ox_buffer buffer = ox_edit(world, song, Note);
    uint64_t failures = oxi_fault_get_failures();
    EXPECT(ox_buffer_clear(buffer) && ox_buffer_trim(buffer));
    EXPECT_EQ(oxi_fault_get_failures(), failures); // nothing is allocated
    return true;
}

static bool destroy(void) {
    ox_entity_destroy(world, song);
    return !ox_entity_exists(world, song);
}

typedef struct buffer_call {
    bool (*call)(void);
    bool is_single; // refused as a whole
} buffer_call;

static const buffer_call calls[] = {
    {append, true},       {append_many, true}, {insert, true},
    {resize, true},       {reserve, true},     {set_capacity, true},
    {trim, false},        {instantiate, true}, {append_inline_less, false},
    {move_outside, true}, {empty, true},       {destroy, true},
};

static bool make_song(void) {
    song = ox_entity_create(world);
    ox_buffer buffer = {0};
    if (song.version != 0) {
        buffer = ox_add_buffer(world, song, Note);
    }
    return ox_buffer_is_created(buffer) && ox_buffer_push_many(buffer, Note, notes, 4);
}

static void try_buffer_call(const buffer_call *one) {
    uint64_t content = ox_world_hash(world), layout = ox_world_hash_layout(world);
    uint64_t failures = oxi_fault_get_failures();
    if (!one->call()) {
        EXPECT(oxi_fault_get_failures() > failures);
        EXPECT(!one->is_single || ox_world_hash(world) == content);
        EXPECT(!one->is_single || ox_world_hash_layout(world) == layout);
    }
    EXPECT(ox_world_validate(world));
}

static void run_calls(void) {
    world = ox_world_create(NULL);
    bool is_made = world != NULL && make_song();
    for (size_t k = 0; is_made && k < sizeof calls / sizeof *calls; k++) {
        bool is_there = ox_has(world, song, Note) &&
                        (calls[k].call != trim || !ox_buffer_is_empty(ox_get(world, song, Note)));
        if (is_there) {
            try_buffer_call(&calls[k]);
        }
    }
    ox_world_destroy(world);
}

TEST(buffers_faults, worlds_stay_whole_whatever_fails) {
    ox_world *first = ox_world_create(NULL);
    ox_archetype_of(first, Note, Rest, Health);
    ox_world_destroy(first);
    test_fault_sweep("buffers", run_calls);
}

static void count_failure(const ox_report *report, void *context) {
    int *failures = context;
    EXPECT_EQ(report->severity, OX_SEVERITY_FAILURE);
    EXPECT_EQ(report->id, OX_REPORT_OUT_OF_MEMORY);
    (*failures)++;
}

TEST(buffers_faults, a_call_that_was_refused_succeeds_afterwards) {
    int reported = 0, refused = 0;
    ox_report_set_handler((ox_report_handler){count_failure, &reported});
    static bool (*const single[])(void) = {add,    append,  append_many,  insert,
                                           resize, reserve, set_capacity, instantiate};
    for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
        uint64_t failures = 1;
        for (uint64_t n = 0; failures > 0; n++) {
            world = ox_world_create(NULL);
            EXPECT(make_song());
            reported = 0;
            oxi_fault_plan(OXI_FAULT_ONE, n);
            bool is_done = single[k]();
            failures = oxi_fault_get_failures();
            oxi_fault_plan(OXI_FAULT_NONE, 0);
            EXPECT_EQ(reported, is_done ? 0 : 1);
            EXPECT(is_done || single[k]());
            EXPECT(ox_world_validate(world));
            ox_world_destroy(world);
            refused += !is_done;
        }
    }
    EXPECT(refused >= 8);
}
