// SPDX-License-Identifier: MIT
//
// Archetypes and the ways between them.

#include "storage/storage_test.h"

static oxi_store store;

TEST(archetypes, one_for_each_set) {
    uint16_t types[3] = {component_of_size(1, 10), component_of_size(2, 11),
                         component_of_size(0, 12)};
    open_store(&store, false);
    oxi_archetype *made = archetype_with(&store, types, 3);

    EXPECT(archetype_with(&store, types, 3) == made);
    EXPECT(archetype_with(&store, types, 2) != made);
    EXPECT(oxi_archetype_find(&store, types + 1, 2) == NULL);
    EXPECT_EQ(made->column_count, 3);
    EXPECT_EQ(made->column_of_type[2], 0);
    EXPECT_EQ(store.archetypes.count, 3);
    oxi_store_destroy(&store);
}

TEST(archetypes, unmaking_takes_the_last_one_back) {
    uint16_t types[40];
    open_store(&store, false);
    for (int k = 0; k < 40; k++) {
        types[k] = component_of_size(4, 100 + k);
        archetype_with(&store, types, (uint32_t)k + 1);
    }
    archetype_with(&store, types + 1, 1);

    oxi_archetypes_undo(&store, store.archetypes.count - 1);

    EXPECT(oxi_archetype_find(&store, types + 1, 1) == NULL);
    for (uint32_t k = 0; k < 40; k++) {
        EXPECT(oxi_archetype_find(&store, types, k + 1) == oxi_archetype_at(&store, k + 1));
    }
    oxi_store_destroy(&store);
}

TEST(archetypes, one_that_is_only_asked_for_is_not_seen_until_it_is_listed) {
    uint16_t types[2] = {component_of_size(4, 500), component_of_size(0, 501)};
    open_store(&store, false);
    oxi_archetype *from = archetype_with(&store, types, 1);
    uint64_t hash = oxi_store_layout_hash(&store);
    oxi_outcome outcome;

    oxi_archetype *asked =
        oxi_archetype_ask_change(&store, from, types[1], OXI_EDGE_ADDS, &outcome);

    EXPECT(!oxi_archetype_is_listed(asked));
    EXPECT(!oxi_store_knows(&store, types[1]));
    EXPECT(oxi_archetype_find(&store, types, 2) == NULL);
    EXPECT(oxi_archetype_ask(&store, types, 2, &outcome) == asked);
    EXPECT(oxi_edge_recent(from, types[1], OXI_EDGE_ADDS) == NULL);
    EXPECT_EQ(store.archetypes.count, 2);
    EXPECT(oxi_store_layout_hash(&store) == hash);
    expect_valid(&store);

    EXPECT(oxi_edge_add(&store, from, types[1], &outcome)->target == asked);
    EXPECT_EQ(asked->index, 2);
    EXPECT(oxi_edge_recent(from, types[1], OXI_EDGE_ADDS) != NULL);

    oxi_archetypes_undo(&store, 2);
    EXPECT(!oxi_archetype_is_listed(asked));
    EXPECT(oxi_edge_recent(from, types[1], OXI_EDGE_ADDS) == NULL);
    EXPECT(oxi_store_layout_hash(&store) == hash);
    expect_valid(&store);
    oxi_store_destroy(&store);
}

TEST(archetypes, those_that_are_not_listed_are_freed_when_they_are_many) {
    enum { TAGS = 13, SETS = 1 << TAGS };
    uint16_t tags[TAGS];
    oxi_outcome outcome;
    open_store(&store, false);
    for (int k = 0; k < TAGS; k++) {
        tags[k] = component_of_size(0, 400 + k);
    }
    oxi_archetype *kept = archetype_with(&store, tags, 1);
    oxi_archetypes_trim(&store);
    for (uint32_t set = 0; set < SETS; set++) {
        oxi_archetype *archetype = oxi_archetype_at(&store, 0);
        for (uint32_t k = 0; k < TAGS; k++) {
            if ((set >> k & 1) != 0) {
                archetype =
                    oxi_archetype_ask_change(&store, archetype, tags[k], OXI_EDGE_ADDS, &outcome);
            }
        }
    }
    EXPECT_EQ(store.made_count, SETS);
    EXPECT(kept->edges.count > 0);

    oxi_archetypes_trim(&store);

    EXPECT_EQ(store.made_count, 2);
    EXPECT_EQ(kept->edges.count, 0);
    EXPECT(oxi_archetype_find(&store, tags, 1) == kept);
    EXPECT(oxi_archetype_find_any(&store, tags + 1, 1) == NULL);
    expect_valid(&store);
    oxi_store_destroy(&store);
}

TEST(archetypes, a_row_that_does_not_fit_makes_none) {
    uint16_t types[2] = {component_of_size(9000, 0), component_of_size(9001, 0)};
    open_store(&store, false);
    oxi_outcome outcome;
    uint64_t hash = oxi_store_layout_hash(&store);

    EXPECT(oxi_archetype_get(&store, types, 2, &outcome) == NULL);

    EXPECT_EQ(outcome, OXI_AT_LIMIT);
    EXPECT_EQ(oxi_store_layout_hash(&store), hash);
    oxi_store_destroy(&store);
}

TEST(archetypes, edges_are_made_once_and_lead_back) {
    uint16_t types[2] = {component_of_size(1, 20), component_of_size(2, 21)};
    open_store(&store, false);
    oxi_archetype *from = archetype_with(&store, types, 1);
    oxi_outcome outcome;

    const oxi_edge *there = oxi_edge_add(&store, from, types[1], &outcome);
    oxi_archetype *to = there->target;
    const oxi_edge *back = oxi_edge_remove(&store, to, types[1], &outcome);

    EXPECT(oxi_edge_add(&store, from, types[1], &outcome) == there);
    EXPECT(oxi_edge_to(&store, from, to, &outcome) == there);
    EXPECT(back->target == from);
    EXPECT(there->copy_count == 1 && there->new_count == 1);
    EXPECT(back->copy_count == 1 && back->new_count == 0);
    EXPECT_EQ(from->edges.count, 1);
    oxi_store_destroy(&store);
}

TEST(archetypes, a_move_carries_values_and_versions) {
    uint16_t types[2] = {component_of_size(4, 30), component_of_size(4, 31)};
    open_store(&store, false);
    oxi_archetype *from = archetype_with(&store, types, 1);
    ox_entity entity = add_entity(&store, from);
    oxi_row_place place = place_of(&store, entity);
    memcpy(oxi_chunk_address(place.chunk) + from->columns[1].offset, "abcd", 4);
    oxi_outcome outcome;
    const oxi_edge *edge = oxi_edge_add(&store, from, types[1], &outcome);
    oxi_archetype *to = edge->target;
    store.version = 4;

    oxi_row_place moved = move_entity(&store, edge, entity);

    const char *base = oxi_chunk_address(moved.chunk);
    EXPECT(memcmp(base + to->columns[1].offset, "abcd", 4) == 0);
    EXPECT(memcmp(base + to->columns[2].offset, "\0\0\0\0", 4) == 0);
    const oxi_chunk_meta *meta = oxi_chunk_entry_of(moved.chunk)->meta;
    EXPECT(meta->versions[0] == 1 && meta->versions[1] == 4 && meta->order_version == 4);
    EXPECT_EQ(from->live, 0);
    expect_valid(&store);
    oxi_store_destroy(&store);
}

TEST(archetypes, a_row_that_arrives_makes_its_chunk_as_new_as_it_is) {
    uint16_t types[2] = {component_of_size(4, 30), component_of_size(4, 31)};
    open_store(&store, false);
    oxi_archetype *from = archetype_with(&store, types, 1), *to = archetype_with(&store, types, 2);
    oxi_row_place old = place_of(&store, add_entity(&store, to));
    store.version = 7;
    ox_entity entity = add_entity(&store, from);
    oxi_outcome outcome;

    oxi_row_place moved = move_entity(&store, oxi_edge_to(&store, from, to, &outcome), entity);

    EXPECT_EQ(moved.chunk, old.chunk);
    EXPECT_EQ(oxi_chunk_entry_of(moved.chunk)->meta->versions[0], 7);
    oxi_store_destroy(&store);
}

TEST(archetypes, a_row_that_arrives_does_not_make_its_chunk_older) {
    uint16_t types[2] = {component_of_size(4, 30), component_of_size(4, 31)};
    open_store(&store, false);
    oxi_archetype *from = archetype_with(&store, types, 1), *to = archetype_with(&store, types, 2);
    ox_entity entity = add_entity(&store, from);
    store.version = 7;
    add_entity(&store, to);
    store.version = 9;
    oxi_outcome outcome;

    oxi_row_place moved = move_entity(&store, oxi_edge_to(&store, from, to, &outcome), entity);

    EXPECT_EQ(oxi_chunk_entry_of(moved.chunk)->meta->versions[0], 7);
    EXPECT_EQ(oxi_chunk_entry_of(moved.chunk)->meta->versions[1], 9);
    oxi_store_destroy(&store);
}

enum { TAGS = 14 };

// The tags of a mask. Returns how many.
static uint32_t list_tags(const uint16_t *tags, uint32_t mask, uint16_t *types) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < TAGS; k++) {
        if (mask >> k & 1) {
            types[count++] = tags[k];
        }
    }
    return count;
}

TEST(archetypes, ten_thousand_are_found) {
    enum { COUNT = 10000 };
    uint16_t tags[TAGS], types[TAGS];
    open_store(&store, false);
    for (int k = 0; k < TAGS; k++) {
        tags[k] = component_of_size(0, 200 + k);
    }
    for (uint32_t k = 0; k < 2 * COUNT; k++) {
        uint32_t mask = k % COUNT, count = list_tags(tags, mask, types);
        EXPECT_EQ(archetype_with(&store, types, count)->index, mask);
    }
    EXPECT_EQ(store.archetypes.count, COUNT);
    expect_valid(&store);
    oxi_store_destroy(&store);
}
