// SPDX-License-Identifier: MIT
//
// What the tests of storage share: a store, components, and rows made as the room above makes them.

#pragma once

#include "test.h"

#include "storage/archetype_graph.h"
#include "storage/change.h"
#include "storage/chunk_list.h"
#include "storage/joining.h"
#include "storage/store_hash.h"
#include "storage/store_validate.h"

#include <stdio.h>
#include <string.h>

/// A component of so many bytes, 0 for a tag; one for each number.
OXI_UNUSED static uint16_t component_of_size(uint32_t size, int number) {
    char name[40];
    snprintf(name, sizeof name, "Stored%u_%d", (unsigned)size, number);
    ox_component_def def = {.name = name, .size = size, .align = size > 0};
    if (size == 0) {
        def.kind = OX_COMPONENT_KIND_TAG;
    }
    uint32_t id = ox_component_register(&def);
    EXPECT(id != 0);
    return (uint16_t)id;
}

OXI_UNUSED static void open_store(oxi_store *store, bool swaps) {
    EXPECT(oxi_store_create(store, &(oxi_store_def){.swaps = swaps}));
}

OXI_UNUSED static oxi_archetype *archetype_with(oxi_store *store, const uint16_t *types,
                                                uint32_t count) {
    oxi_outcome outcome;
    oxi_archetype *archetype = oxi_archetype_get(store, types, count, &outcome);
    EXPECT(archetype != NULL);
    return archetype;
}

OXI_UNUSED static ox_entity add_entity(oxi_store *store, oxi_archetype *archetype) {
    EXPECT_EQ(oxi_entity_reserve(&store->entities, 1), OXI_DONE);
    EXPECT_EQ(oxi_rows_reserve(store, archetype, &archetype->lane, 1), OXI_DONE);
    ox_entity entity;
    oxi_row_place place = oxi_entity_begin(store, archetype, &archetype->lane, &entity);
    oxi_rows_zero(archetype, (oxi_rows){place.chunk, place.row, 1});
    return entity;
}

OXI_UNUSED static oxi_row_place place_of(const oxi_store *store, ox_entity entity) {
    const oxi_record *record = oxi_entity_find(&store->entities, entity);
    EXPECT(record != NULL);
    return (oxi_row_place){record->chunk, record->row};
}

OXI_UNUSED static void remove_entity(oxi_store *store, ox_entity entity) {
    oxi_row_place place = place_of(store, entity);
    oxi_entity_free(&store->entities, entity.index);
    oxi_row_remove(store, place);
}

OXI_UNUSED static oxi_row_place move_entity(oxi_store *store, const oxi_edge *edge,
                                            ox_entity entity) {
    oxi_record *record = oxi_entity_find(&store->entities, entity);
    EXPECT(record != NULL);
    EXPECT_EQ(oxi_rows_reserve(store, edge->target, &edge->target->lane, 1), OXI_DONE);
    oxi_row_move(store, edge, &edge->target->lane, entity, record, NULL);
    return (oxi_row_place){record->chunk, record->row};
}

OXI_UNUSED static void expect_valid(const oxi_store *store) {
    const char *why = oxi_store_validate(store);
    EXPECT_STR(why != NULL ? why : "valid", "valid");
}

/// The n-th linked chunk of an archetype, or 0.
OXI_UNUSED static oxi_chunk chunk_at(const oxi_archetype *archetype, int n) {
    for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
        if (archetype->lane.chunks.items[k] != 0 && n-- == 0) {
            return archetype->lane.chunks.items[k];
        }
    }
    return 0;
}

/// All entities of an archetype in order. Returns how many.
OXI_UNUSED static int list_entities(const oxi_archetype *archetype, ox_entity *list) {
    int count = 0;
    for (int n = 0; chunk_at(archetype, n) != 0; n++) {
        oxi_chunk chunk = chunk_at(archetype, n);
        const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
        for (uint32_t row = 0; row < oxi_chunk_entry_of(chunk)->count; row++) {
            if (!oxi_words_test(dead, row)) {
                list[count++] = oxi_chunk_entities(chunk)[row];
            }
        }
    }
    return count;
}
