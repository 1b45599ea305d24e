// SPDX-License-Identifier: MIT
//
// Every fallible call of the storage room is failed, and nothing is lost.

#include "storage/storage_test.h"

#include "base/substitute.h"

enum { FAULT_ROWS = 40, LINE_TYPES = 12 };

static oxi_store store;

static bool add_or_not(oxi_archetype *archetype) {
    uint64_t hash = oxi_store_layout_hash(&store);
    if (oxi_entity_reserve(&store.entities, 1) != OXI_DONE ||
        oxi_rows_reserve(&store, archetype, &archetype->lane, 1) != OXI_DONE) {
        EXPECT_EQ(oxi_store_layout_hash(&store), hash);
        return false;
    }
    oxi_rows rows = oxi_rows_add(&store, archetype, &archetype->lane, 1);
    oxi_rows_zero(archetype, rows);
    oxi_chunk_entities(rows.chunk)[rows.first] =
        oxi_entity_take(&store.entities, rows.chunk, rows.first);
    return true;
}

static void name_some(void) {
    for (uint32_t k = 0; k < 40; k++) {
        char text[16];
        snprintf(text, sizeof text, "fault%u", (unsigned)k);
        ox_entity entity = {k, 1};
        oxi_outcome outcome = oxi_name_set(&store.names, entity, text);
        EXPECT_EQ(oxi_name_get(&store.names, entity) != NULL, outcome == OXI_DONE);
    }
}

static void give_chunks(oxi_archetype *from, const oxi_edge *edge) {
    oxi_chunk chunks[FAULT_ROWS];
    uint32_t count = 0;
    for (; chunk_at(from, (int)count) != 0; count++) {
        chunks[count] = chunk_at(from, (int)count);
    }
    oxi_relabel relabel;
    uint64_t hash = oxi_store_layout_hash(&store);
    if (oxi_relabel_reserve(&store, edge, chunks, count, NULL, &relabel) == OXI_DONE) {
        oxi_relabel_commit(&store, edge, chunks, &relabel);
    } else {
        EXPECT_EQ(oxi_store_layout_hash(&store), hash);
    }
}

static void move_rows(oxi_archetype *from, uint16_t tag) {
    uint64_t hash = oxi_store_layout_hash(&store);
    oxi_outcome outcome;
    const oxi_edge *edge = oxi_edge_add(&store, from, tag, &outcome);
    if (edge == NULL) {
        EXPECT_EQ(outcome, OXI_NO_MEMORY);
        EXPECT_EQ(oxi_store_layout_hash(&store), hash);
    } else {
        give_chunks(from, edge);
    }
}

static void use_store(void) {
    // One type more makes the metadata of a chunk larger than a line.
    uint16_t types[LINE_TYPES] = {component_of_size(6000, 0)};
    for (int k = 1; k < LINE_TYPES; k++) {
        types[k] = component_of_size(0, 300 + k);
    }
    // Reserving the space is failed too: each run begins without one, and leaves none.
    oxi_chunk_space_reset();
    if (!oxi_store_create(&store, &(oxi_store_def){0})) {
        return;
    }
    oxi_outcome outcome;
    oxi_archetype *archetype = oxi_archetype_get(&store, types, LINE_TYPES, &outcome);
    EXPECT_EQ(archetype == NULL, outcome == OXI_NO_MEMORY);
    for (int k = 0; archetype != NULL && k < FAULT_ROWS; k++) {
        add_or_not(archetype);
    }
    if (archetype != NULL) {
        move_rows(archetype, component_of_size(0, 0));
    }
    name_some();
    expect_valid(&store);
    oxi_store_destroy(&store);
    oxi_chunk_space_reset();
}

static void use_many_archetypes(void) {
    if (!oxi_store_create(&store, &(oxi_store_def){0})) {
        return;
    }
    for (int k = 0; k < 70; k++) {
        uint16_t tag = component_of_size(0, 300 + k);
        oxi_outcome outcome;
        size_t before = store.archetypes.count;
        if (oxi_archetype_get(&store, &tag, 1, &outcome) == NULL) {
            EXPECT_EQ(store.archetypes.count, before);
        }
    }
    expect_valid(&store);
    oxi_store_destroy(&store);
}

// Components are registered once: the sweep is about the store alone.
static void register_all(void) {
    component_of_size(6000, 0);
    component_of_size(0, 0);
    for (int k = 0; k < 70; k++) {
        component_of_size(0, 300 + k);
    }
}

TEST(storage_faults, a_store_stays_whole_whatever_fails) {
    register_all();
    test_fault_sweep("store", use_store);
    test_fault_sweep("archetypes", use_many_archetypes);
}
