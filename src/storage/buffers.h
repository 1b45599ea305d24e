// SPDX-License-Identifier: MIT
//
// Buffers: arrays that belong to a row. A row holds a head and room for some elements; when there
// are more, all of them lie outside, in a block of the store's heap, with their capacity before
// them. A head of zeros is an empty buffer, and a row that is copied takes its buffers along.

#pragma once

#include "storage/rows.h"

/// Makes the kind of a component, unless the store has it. @return false when out of memory.
bool oxi_buffer_kind_make(oxi_store *store, const ox_component_info *info);

/// The kind of a buffer component that the store has a number of.
static inline const oxi_buffer_kind *oxi_buffer_kind_of(const oxi_store *store,
                                                        uint32_t component) {
    OXI_ASSERT(store->local_of[component] - 1u < store->buffer_kinds.count);
    return store->buffer_kinds.items[store->local_of[component] - 1];
}

/// The same of any component; NULL when it is no buffer, or the store has no number of it.
static inline const oxi_buffer_kind *oxi_buffer_kind_find(const oxi_store *store,
                                                          uint32_t component) {
    uint32_t local = store->local_of[component];
    return local - 1u < store->buffer_kinds.count ? store->buffer_kinds.items[local - 1] : NULL;
}

/// The first column of buffers from `column` on, or the number of columns.
static inline uint32_t oxi_next_buffers(const oxi_archetype *archetype, uint32_t column) {
    if (archetype->buffer_count == 0) {
        return archetype->column_count;
    }
    while (column < archetype->column_count && archetype->columns[column].buffer == NULL) {
        column++;
    }
    return column;
}

/// The buffer in a row of an archetype; NULL when it does not have the component.
static inline oxi_buffer_head *oxi_buffer_find(const oxi_store *store,
                                               const oxi_archetype *archetype, uint32_t component,
                                               oxi_row_place place) {
    int32_t type = oxi_archetype_find_type(store, archetype, component);
    if (type < 0) {
        return NULL;
    }
    const oxi_column *column = &archetype->columns[archetype->column_of_type[type]];
    OXI_ASSERT(column->buffer != NULL);
    OXI_ASSERT(place.row < oxi_chunk_entry_of(place.chunk)->count);
    return (oxi_buffer_head *)(void *)(oxi_chunk_address(place.chunk) + column->offset +
                                       (size_t)place.row * column->size);
}

static inline char *oxi_buffer_data(const oxi_buffer_kind *kind, const oxi_buffer_head *head) {
    return head->outside != NULL ? head->outside : (char *)(uintptr_t)head + kind->inline_offset;
}

static inline uint32_t oxi_buffer_capacity(const oxi_buffer_kind *kind,
                                           const oxi_buffer_head *head) {
    return head->outside != NULL ? ((const uint32_t *)(const void *)head->outside)[-1]
                                 : kind->inline_capacity;
}

/// Values of one component that follow each other.
typedef struct oxi_values {
    char *first;
    uint32_t count;
} oxi_values;

/// The values of a row in a column: one, or the elements of a buffer.
static inline oxi_values oxi_cell_values(const oxi_column *column, const char *cell) {
    if (column->buffer == NULL) {
        return (oxi_values){(char *)(uintptr_t)cell, 1};
    }
    const oxi_buffer_head *head = (const oxi_buffer_head *)(const void *)cell;
    return (oxi_values){oxi_buffer_data(column->buffer, head), head->count};
}

/// A block for `capacity` elements outside, or NULL when out of memory. From any thread.
char *oxi_buffer_block_take(const oxi_buffer_kind *kind, uint32_t capacity);
void oxi_buffer_block_give(const oxi_buffer_kind *kind, char *outside);

/// Notes that a block changed stores, whose heap is the same.
void oxi_buffer_block_adopt(const oxi_buffer_kind *to, const oxi_buffer_kind *from,
                            const char *outside);

/// Makes a buffer's capacity at least its count and this much: inline when that is enough.
/// @return false when out of memory, with nothing changed.
bool oxi_buffer_set_capacity(const oxi_buffer_kind *kind, oxi_buffer_head *head, uint32_t capacity);

/// Lets the elements lie in a block that was taken before, with room for them.
void oxi_buffer_adopt(const oxi_buffer_kind *kind, oxi_buffer_head *head, char *block);

/// Frees what lies outside. The head is what it was.
void oxi_buffer_free(const oxi_buffer_kind *kind, const oxi_buffer_head *head);

/// Frees what the buffers of rows, or of one row, have outside; and those that go along an edge's
/// way.
void oxi_rows_free_buffers(const oxi_archetype *archetype, oxi_rows rows);
void oxi_edge_free_buffers(const oxi_store *store, const oxi_edge *edge, oxi_rows rows);

/// Makes the buffers of rows that were added empty.
void oxi_rows_empty_buffers(const oxi_archetype *archetype, oxi_rows rows);

/// What is wrong with the buffers of a chunk, or NULL.
const char *oxi_buffers_validate(const oxi_archetype *archetype, oxi_chunk chunk);

/// For the store: frees what all buffers have outside, and all kinds.
void oxi_buffers_destroy(oxi_store *store);
