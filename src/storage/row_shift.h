// SPDX-License-Identifier: MIT
//
// The loop of oxi_rows_shift, for units where one row is moved often.

#pragma once

#include "storage/enabled_bits.h"

enum { RECORDS_NEAR = 1 << 18 }; // so many lie in a cache that is near

OXI_FORCE_INLINE void oxi_rows_shift_inline(oxi_store *store, const oxi_archetype *archetype,
                                            oxi_rows to, oxi_row_place from) {
    char *to_base = oxi_chunk_address(to.chunk);
    const char *from_base = oxi_chunk_address(from.chunk);
    OXI_ASSERT(oxi_archetype_of(to.chunk) == archetype);
    OXI_ASSERT(oxi_archetype_of(from.chunk) == archetype);
    OXI_ASSERT(to.first + to.count <= archetype->capacity);
    OXI_ASSERT(from.row + to.count <= archetype->capacity);
    oxi_rows_occupy(archetype, to);
    oxi_record *records = store->entities.records;
    if (to.count > 1 && store->entities.used > RECORDS_NEAR) {
        const ox_entity *moved = oxi_chunk_entities(from.chunk) + from.row;
        for (uint32_t k = 0; k < to.count; k++) {
            __builtin_prefetch(&records[moved[k].index], 1);
        }
    }
    for (uint32_t k = 0; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        char *values = to_base + column->offset + (size_t)to.first * column->size;
        const char *old = from_base + column->offset + (size_t)from.row * column->size;
        if (to.count == 1) {
            oxi_copy_value(values, old, column->size);
        } else {
            memmove(values, old, (size_t)to.count * column->size); // they may overlap
        }
    }
    oxi_bits_copy(archetype, to, from);
    const ox_entity *entities = oxi_chunk_entities(to.chunk) + to.first;
    for (uint32_t k = 0; k < to.count; k++) {
        oxi_record *record = &records[entities[k].index];
        OXI_ASSERT(entities[k].index < store->entities.used);
        record->row = to.first + k;
        if (to.chunk != from.chunk) {
            record->chunk = to.chunk;
        }
    }
    store->moved_count += to.count;
}
