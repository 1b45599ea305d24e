// SPDX-License-Identifier: MIT
//
// Plans: many entities that change together, all or none.

#include "storage/storage_test.h"

#include "base/substitute.h"
#include "storage/plan.h"

enum { ROWS = 20 };

static oxi_store store;
static uint16_t wide, number, tag; // a number has values of 4 bytes
static oxi_archetype *archetype;   // of wide: few rows fill a chunk
static ox_entity entities[ROWS];

static void begin(void) {
    wide = component_of_size(4000, 0);
    number = component_of_size(4, 0);
    tag = component_of_size(0, 0);
    open_store(&store, false);
    archetype = archetype_with(&store, &wide, 1);
    for (int k = 0; k < ROWS; k++) {
        entities[k] = add_entity(&store, archetype);
    }
}

static void end(void) {
    expect_valid(&store);
    oxi_store_destroy(&store);
}

static bool has(ox_entity entity, uint32_t component) {
    oxi_row_place place = place_of(&store, entity);
    return oxi_archetype_find_type(&store, oxi_archetype_of(place.chunk), component) >= 0;
}

static int32_t number_of(ox_entity entity) {
    oxi_row_place place = place_of(&store, entity);
    const oxi_archetype *of = oxi_archetype_of(place.chunk);
    int32_t value;
    memcpy(
        &value,
        oxi_cell_value(place.chunk, place.row, oxi_archetype_find_place(&store, of, number).cell),
        sizeof value);
    return value;
}

// Reserves and commits a change of entities.
static void change_some(const ox_entity *some, int count, const oxi_plan_change *change) {
    oxi_plan plan = {.store = &store};
    for (int k = 0; k < count; k++) {
        EXPECT(oxi_plan_push(&plan, some[k]));
    }
    EXPECT_EQ(oxi_plan_reserve(&plan, change), OXI_DONE);
    oxi_plan_commit(&plan, change);
    expect_valid(&store);
}

TEST(plan, an_entity_that_is_pushed_twice_is_there_once) {
    begin();
    oxi_plan plan = {.store = &store};

    EXPECT(oxi_plan_push(&plan, entities[3]) && oxi_plan_push(&plan, entities[3]));

    EXPECT_EQ(plan.rows.count, 1);
    EXPECT(oxi_plan_has(&store, entities[3]) && !oxi_plan_has(&store, entities[4]));
    oxi_plan_undo(&plan);
    EXPECT(!oxi_plan_has(&store, entities[3]));
    end();
}

TEST(plan, rows_get_a_component_with_its_value) {
    begin();
    int32_t five = 5;
    oxi_plan_change change = {OXI_PLAN_ADD, number, .gives = true, .value = &five};

    change_some(entities, 2, &change);
    EXPECT(has(entities[1], number) && !has(entities[2], number));
    EXPECT_EQ(number_of(entities[1]), 5);

    five = 6; // the one that has it stays and gets the value, too
    change_some(entities + 1, 2, &change);
    EXPECT_EQ(number_of(entities[0]), 5);
    EXPECT_EQ(number_of(entities[1]), 6);
    EXPECT_EQ(number_of(entities[2]), 6);
    end();
}

TEST(plan, rows_that_lack_a_component_are_not_moved_by_its_removal) {
    begin();
    change_some(entities, 1, &(oxi_plan_change){OXI_PLAN_ADD, .component = tag});
    oxi_row_place place = place_of(&store, entities[1]);

    change_some(entities, 2, &(oxi_plan_change){OXI_PLAN_REMOVE, .component = tag});

    EXPECT(!has(entities[0], tag));
    EXPECT_EQ(place_of(&store, entities[1]).chunk, place.chunk);
    end();
}

TEST(plan, whole_chunks_change_sides_where_layouts_agree_and_move_where_not) {
    begin();
    for (int round = 0; round < 2; round++) {
        oxi_plan plan = {.store = &store};
        oxi_chunk first = place_of(&store, entities[0]).chunk;
        oxi_plan_change change = {OXI_PLAN_ADD, .component = round == 0 ? tag : number};
        oxi_archetype *from = oxi_archetype_of(first);
        for (int k = 0; chunk_at(from, k) != 0; k++) {
            EXPECT(oxi_plan_push_chunk(&plan, chunk_at(from, k)));
        }
        EXPECT_EQ(plan.parts.count, 1);
        EXPECT_EQ(oxi_plan_reserve(&plan, &change), OXI_DONE);
        oxi_plan_commit(&plan, &change);

        EXPECT_EQ(place_of(&store, entities[0]).chunk == first, round == 0);
        for (int k = 0; k < ROWS; k++) {
            EXPECT(has(entities[k], change.component) && has(entities[k], wide));
        }
        expect_valid(&store);
    }
    end();
}

TEST(plan, chunks_are_split_into_their_rows) {
    begin();
    oxi_plan plan = {.store = &store};
    EXPECT(oxi_plan_push_chunk(&plan, chunk_at(archetype, 0)));
    EXPECT(oxi_plan_push_chunk(&plan, chunk_at(archetype, 1)));

    EXPECT(oxi_plan_split_chunks(&plan));

    EXPECT_EQ(plan.chunks.count + plan.parts.count, 0);
    EXPECT_EQ(plan.rows.count, 2 * archetype->capacity);
    oxi_plan_undo(&plan);
    end();
}

TEST(plan, what_ends_is_gone_with_its_id) {
    begin();
    change_some(entities, ROWS - 1, &(oxi_plan_change){.kind = OXI_PLAN_END});

    EXPECT_EQ(store.entities.alive, 1);
    EXPECT_EQ(archetype->live, 1);
    EXPECT(oxi_entity_find(&store.entities, entities[0]) == NULL);
    end();
}

TEST(plan, undo_takes_back_what_was_reserved) {
    begin();
    oxi_plan plan = {.store = &store};
    uint64_t hash = oxi_store_layout_hash(&store);
    size_t archetypes = store.archetypes.count, free = store.free_chunks.count;
    EXPECT(oxi_plan_push_chunk(&plan, chunk_at(archetype, 0)));
    EXPECT(oxi_plan_push(&plan, entities[ROWS - 1]));
    oxi_plan_change change = {OXI_PLAN_ADD, .component = number};

    EXPECT_EQ(oxi_plan_reserve(&plan, &change), OXI_DONE);
    EXPECT_EQ(store.archetypes.count, archetypes + 1);
    oxi_plan_undo(&plan);

    EXPECT_EQ(store.archetypes.count, archetypes);
    EXPECT_EQ(store.free_chunks.count, free);
    EXPECT_EQ(oxi_store_layout_hash(&store), hash);
    end();
}

// Each allocation fails once: then nothing changed.
TEST(plan, without_memory_nothing_is_changed) {
    begin();
    oxi_plan_change change = {OXI_PLAN_ADD, .component = number};
    uint64_t hash = oxi_store_layout_hash(&store);
    size_t archetypes = store.archetypes.count;
    bool is_done = false;
    for (uint64_t n = 0; !is_done && n < 200; n++) {
        oxi_plan plan = {.store = &store};
        oxi_fault_plan(OXI_FAULT_ONE, n);
        bool is_listed = oxi_plan_push_chunk(&plan, chunk_at(archetype, 0)) &&
                         oxi_plan_push(&plan, entities[ROWS - 1]);
        is_done = is_listed && oxi_plan_reserve(&plan, &change) == OXI_DONE;
        oxi_fault_plan(OXI_FAULT_NONE, 0);
        if (is_done) {
            oxi_plan_commit(&plan, &change);
        } else {
            oxi_plan_undo(&plan);
            EXPECT_EQ(oxi_store_layout_hash(&store), hash);
            EXPECT_EQ(store.archetypes.count, archetypes);
        }
        expect_valid(&store);
    }
    EXPECT(is_done && has(entities[0], number) && has(entities[ROWS - 1], number));
    end();
}
