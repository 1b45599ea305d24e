// SPDX-License-Identifier: MIT
//
// Component ids depend on the order of registration, so components count by name, and those of one
// entity by a sum, which has no order.

#include "storage/store_hash.h"

#include "base/hash.h"
#include "storage/kind_rows.h"
#include "storage/removal.h"
#include "types/kinds.h"

// What the types of an archetype add to the hash of each of its rows.
typedef struct hashed_types {
    const ox_component_info *infos[OXI_MAX_ARCHETYPE_TYPES];
    uint64_t names[OXI_MAX_ARCHETYPE_TYPES];
    uint64_t tags;   // of all types without a column
    uint64_t shared; // of the values of the chunk
} hashed_types;

static void hash_types_by_name(const oxi_archetype *archetype, hashed_types *types) {
    types->tags = 0;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        types->infos[k] = ox_component_get_info(archetype->types[k]);
        types->names[k] = oxi_hash_text(types->infos[k]->name);
        types->tags += archetype->column_of_type[k] == 0 ? oxi_hash_mix(types->names[k]) : 0;
    }
}

static uint64_t hash_entity(ox_entity entity) {
    return oxi_hash_mix(((uint64_t)entity.version << 32 | entity.index) + 1);
}

static uint64_t hash_row(const oxi_archetype *archetype, const hashed_types *types, oxi_chunk chunk,
                         uint32_t row) {
    uint64_t sum = types->tags + types->shared;
    sum += oxi_bits_hash(archetype, types->names, (oxi_row_place){chunk, row});
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        const ox_component_info *info = types->infos[column->type];
        oxi_values values =
            oxi_cell_values(column, oxi_column_at(archetype, k, (oxi_row_place){chunk, row}));
        sum +=
            oxi_kind_of(info)->hash(info, values.first, values.count, types->names[column->type]);
    }
    return oxi_hash_combine(hash_entity(oxi_chunk_entities(chunk)[row]), sum);
}

static uint64_t hash_chunk(const oxi_archetype *archetype, const hashed_types *types,
                           oxi_chunk chunk) {
    uint64_t sum = 0;
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    for (uint32_t row = 0; row < entry->count; row++) {
        sum += oxi_words_test(dead, row) ? 0 : hash_row(archetype, types, chunk, row);
    }
    return sum;
}

uint64_t oxi_store_hash(const oxi_store *store) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        oxi_archetype *archetype = oxi_archetype_at(store, k);
        hashed_types types;
        hash_types_by_name(archetype, &types);
        for (size_t n = 0; n < archetype->lane.chunks.count; n++) {
            oxi_chunk chunk = archetype->lane.chunks.items[n];
            if (chunk != 0) {
                types.shared =
                    oxi_lane_hash(store, archetype, oxi_lane_of(archetype, chunk), types.names);
                sum += hash_chunk(archetype, &types, chunk);
            }
        }
    }
    return sum;
}

// The order of rows in a chunk, and whether it takes new ones.
static uint64_t hash_chunk_layout(const oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint64_t hash = entry->is_open;
    uint16_t rows[OXI_MAX_ROWS];
    oxi_chunk_list_rows(archetype, chunk, rows);
    for (uint32_t k = 0; k < entry->live; k++) {
        hash = oxi_hash_combine(hash, hash_entity(oxi_chunk_entities(chunk)[rows[k]]));
    }
    return hash;
}

static uint64_t hash_archetype_layout(const oxi_archetype *archetype) {
    uint64_t hash = archetype->swaps;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        hash += oxi_hash_mix(oxi_hash_text(ox_component_get_info(archetype->types[k])->name));
    }
    for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk != 0) {
            hash = oxi_hash_combine(hash, hash_chunk_layout(archetype, chunk));
        }
    }
    return hash;
}

uint64_t oxi_store_layout_hash(const oxi_store *store) {
    uint64_t hash = oxi_store_hash(store);
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        hash = oxi_hash_combine(hash, hash_archetype_layout(oxi_archetype_at(store, k)));
    }
    const oxi_entity_table *table = &store->entities;
    for (uint32_t k = table->first_free; k != (uint32_t)OXI_LAST_RECORD;
         k = table->records[k].row) {
        hash = oxi_hash_combine(hash, hash_entity((ox_entity){k, table->records[k].version}));
    }
    return oxi_hash_combine(hash, table->used);
}
