// SPDX-License-Identifier: MIT
//
// Entities that begin and end, on the straight path and beside it.

#include "storage/storage_test.h"

static oxi_store store;
static oxi_archetype *archetype;

static void begin(uint32_t size) {
    uint16_t type = component_of_size(size, 0);
    open_store(&store, false);
    archetype = archetype_with(&store, &type, 1);
}

static void end(void) {
    expect_valid(&store);
    oxi_store_destroy(&store);
}

TEST(change, the_path_is_straight_when_only_a_row_is_to_be_added) {
    begin(4);
    EXPECT(!oxi_entity_has_room(&store, archetype)); // nothing is reserved, no chunk is there
    add_entity(&store, archetype);

    EXPECT(oxi_entity_is_straight(&store, archetype));
    store.version++; // what changes now must be stamped
    EXPECT(!oxi_entity_is_straight(&store, archetype));
    EXPECT(oxi_entity_has_room(&store, archetype));
    add_entity(&store, archetype);
    EXPECT(oxi_entity_is_straight(&store, archetype));
    end();
}

TEST(change, the_path_is_not_straight_for_the_last_row_of_a_chunk) {
    begin(4000);
    for (uint32_t k = 1; k < archetype->capacity; k++) {
        add_entity(&store, archetype);
    }

    EXPECT(!oxi_entity_is_straight(&store, archetype)); // the chunk becomes full
    EXPECT(oxi_entity_has_room(&store, archetype));
    end();
}

TEST(change, straight_or_not_entities_begin_the_same) {
    begin(4);
    ox_entity first = add_entity(&store, archetype), second;
    uint64_t changes = store.change_count;

    oxi_row_place place = oxi_entity_begin_straight(&store, archetype, &second);

    EXPECT_EQ(place.chunk, place_of(&store, first).chunk);
    EXPECT_EQ(place.row, 1);
    EXPECT_EQ(place_of(&store, second).row, 1);
    EXPECT_EQ(store.change_count, changes + 1);
    EXPECT_EQ(archetype->live, 2);
    oxi_rows_zero(archetype, (oxi_rows){place.chunk, place.row, 1});
    end();
}

TEST(change, a_copy_begins_with_the_values_of_its_source) {
    begin(4);
    int32_t seven = 7;
    oxi_outcome outcome;
    const oxi_edge *edge = oxi_edge_to(&store, archetype, archetype, &outcome);
    ox_entity source = add_entity(&store, archetype), copy;
    oxi_row_set(&store, place_of(&store, source), archetype->types[0], &seven);

    oxi_entity_begin_copy(&store, edge, oxi_entity_find(&store.entities, source), &copy);

    oxi_row_place place = place_of(&store, copy);
    int32_t value;
    memcpy(&value, oxi_chunk_address(place.chunk) + archetype->columns[1].offset + 4 * place.row,
           sizeof value);
    EXPECT_EQ(value, 7);
    end();
}

TEST(change, a_chunk_of_entities_ends_at_once) {
    begin(4000);
    for (uint32_t k = 0; k < archetype->capacity + 1; k++) {
        add_entity(&store, archetype);
    }

    oxi_chunk_end(&store, chunk_at(archetype, 0));

    EXPECT_EQ(store.entities.alive, 1);
    EXPECT_EQ(archetype->live, 1);
    end();
}
