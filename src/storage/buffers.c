// SPDX-License-Identifier: MIT
//
// Blocks of buffers. Jobs grow buffers too, so the heap is used under a lock when it is not that of
// the process.

#include "storage/buffers.h"

#include "types/kinds.h"

#include <string.h>

enum { BLOCK_LIMIT_BITS = 31 };

bool oxi_buffer_kind_make(oxi_store *store, const ox_component_info *info) {
    uint32_t local = store->local_of[info->id];
    OXI_ASSERT(local > 0);
    size_t before = store->buffer_kinds.count;
    if (before < local) {
        if (!oxi_list_resize_in(store->heap, &store->buffer_kinds, local)) {
            return false;
        }
        memset(store->buffer_kinds.items + before, 0,
               (local - before) * sizeof *store->buffer_kinds.items);
    }
    if (store->buffer_kinds.items[local - 1] != NULL) {
        return true;
    }
    oxi_buffer_kind *kind = oxi_heap_alloc_in(store->heap, sizeof *kind, _Alignof(oxi_buffer_kind));
    if (kind == NULL) {
        return false;
    }
    *kind = (oxi_buffer_kind){.component = info->id,
                              .size = info->size,
                              .align = info->align,
                              .inline_capacity = info->inline_capacity,
                              .inline_offset = oxi_inline_offset(info->align),
                              .stride = (uint32_t)oxi_row_size(info),
                              .store = store};
    store->buffer_kinds.items[local - 1] = kind;
    return true;
}

// Blocks.

static size_t block_align(const oxi_buffer_kind *kind) {
    return kind->align > _Alignof(uint64_t) ? kind->align : _Alignof(uint64_t);
}

static size_t block_size(const oxi_buffer_kind *kind, uint32_t capacity) {
    return kind->inline_offset + (size_t)capacity * kind->size;
}

static void lock_heap(oxi_store *store) {
    if (store->heap != NULL) {
        oxi_mutex_lock(&store->buffers_lock);
    }
}

static void unlock_heap(oxi_store *store) {
    if (store->heap != NULL) {
        oxi_mutex_unlock(&store->buffers_lock);
    }
}

char *oxi_buffer_block_take(const oxi_buffer_kind *kind, uint32_t capacity) {
    if (capacity >> BLOCK_LIMIT_BITS != 0) {
        return NULL;
    }
    oxi_store *store = kind->store;
    size_t size = block_size(kind, capacity);
    lock_heap(store);
    char *block = oxi_heap_alloc_in(store->heap, size, block_align(kind));
    unlock_heap(store);
    if (block == NULL) {
        return NULL;
    }
    oxi_add_relaxed(&store->outside_bytes, size);
    char *outside = block + kind->inline_offset;
    ((uint32_t *)(void *)outside)[-1] = capacity;
    return outside;
}

void oxi_buffer_block_give(const oxi_buffer_kind *kind, char *outside) {
    oxi_store *store = kind->store;
    size_t size = block_size(kind, ((const uint32_t *)(const void *)outside)[-1]);
    OXI_ASSERT(oxi_load_relaxed(&store->outside_bytes) >= size);
    oxi_add_relaxed(&store->outside_bytes, (uint64_t)0 - size);
    lock_heap(store);
    oxi_heap_free_in(store->heap, outside - kind->inline_offset, size, block_align(kind));
    unlock_heap(store);
}

void oxi_buffer_block_adopt(const oxi_buffer_kind *to, const oxi_buffer_kind *from,
                            const char *outside) {
    OXI_ASSERT(to->component == from->component);
    OXI_ASSERT(to->store->heap == from->store->heap);
    size_t size = block_size(from, ((const uint32_t *)(const void *)outside)[-1]);
    oxi_add_relaxed(&from->store->outside_bytes, (uint64_t)0 - size);
    oxi_add_relaxed(&to->store->outside_bytes, size);
}

bool oxi_buffer_set_capacity(const oxi_buffer_kind *kind, oxi_buffer_head *head,
                             uint32_t capacity) {
    OXI_ASSERT(head->count <= oxi_buffer_capacity(kind, head));
    capacity = capacity > head->count ? capacity : head->count;
    bool is_inline = capacity <= kind->inline_capacity;
    if (is_inline ? head->outside == NULL : capacity == oxi_buffer_capacity(kind, head)) {
        return true;
    }
    char *outside = is_inline ? NULL : oxi_buffer_block_take(kind, capacity);
    if (!is_inline && outside == NULL) {
        return false;
    }
    char *before = head->outside;
    char *to = is_inline ? (char *)head + kind->inline_offset : outside;
    memcpy(to, oxi_buffer_data(kind, head), (size_t)head->count * kind->size);
    head->outside = outside;
    head->generation++;
    if (before != NULL) {
        oxi_buffer_block_give(kind, before);
    }
    return true;
}

void oxi_buffer_adopt(const oxi_buffer_kind *kind, oxi_buffer_head *head, char *block) {
    OXI_ASSERT(head->count <= ((const uint32_t *)(const void *)block)[-1]);
    char *before = head->outside;
    memcpy(block, oxi_buffer_data(kind, head), (size_t)head->count * kind->size);
    head->outside = block;
    head->generation++;
    if (before != NULL) {
        oxi_buffer_block_give(kind, before);
    }
}

void oxi_buffer_free(const oxi_buffer_kind *kind, const oxi_buffer_head *head) {
    if (head->outside != NULL) {
        oxi_buffer_block_give(kind, head->outside);
    }
}

// Rows.

static void free_column(const oxi_column *column, oxi_rows rows) {
    const char *at =
        oxi_chunk_address(rows.chunk) + column->offset + (size_t)rows.first * column->size;
    for (uint32_t k = 0; k < rows.count; k++, at += column->size) {
        oxi_buffer_free(column->buffer, (const oxi_buffer_head *)(const void *)at);
    }
}

void oxi_rows_free_buffers(const oxi_archetype *archetype, oxi_rows rows) {
    OXI_ASSERT(oxi_archetype_of(rows.chunk) == archetype);
    OXI_ASSERT(rows.first + rows.count <= oxi_chunk_entry_of(rows.chunk)->count);
    for (uint32_t k = oxi_next_buffers(archetype, 1); k < archetype->column_count;
         k = oxi_next_buffers(archetype, k + 1)) {
        free_column(&archetype->columns[k], rows);
    }
}

void oxi_edge_free_buffers(const oxi_store *store, const oxi_edge *edge, oxi_rows rows) {
    OXI_ASSERT(rows.first + rows.count <= oxi_chunk_entry_of(rows.chunk)->count);
    const oxi_archetype *from = oxi_archetype_of(rows.chunk);
    for (uint32_t k = oxi_next_buffers(from, 1); k < from->column_count;
         k = oxi_next_buffers(from, k + 1)) {
        const oxi_column *column = &from->columns[k];
        if (oxi_archetype_find_type(store, edge->target, column->component) < 0) {
            free_column(column, rows);
        }
    }
}

void oxi_rows_empty_buffers(const oxi_archetype *archetype, oxi_rows rows) {
    for (uint32_t k = oxi_next_buffers(archetype, 1); k < archetype->column_count;
         k = oxi_next_buffers(archetype, k + 1)) {
        memset(oxi_column_at(archetype, k, (oxi_row_place){rows.chunk, rows.first}), 0,
               (size_t)rows.count * archetype->columns[k].size);
    }
}

const char *oxi_buffers_validate(const oxi_archetype *archetype, oxi_chunk chunk) {
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    uint32_t rows = oxi_chunk_entry_of(chunk)->count;
    for (uint32_t k = oxi_next_buffers(archetype, 1); k < archetype->column_count;
         k = oxi_next_buffers(archetype, k + 1)) {
        const oxi_column *column = &archetype->columns[k];
        const char *at = oxi_chunk_address(chunk) + column->offset;
        for (uint32_t row = 0; row < rows; row++, at += column->size) {
            const oxi_buffer_head *head = (const oxi_buffer_head *)(const void *)at;
            if (!oxi_words_test(dead, row) &&
                head->count > oxi_buffer_capacity(column->buffer, head)) {
                return "a buffer has more elements than room";
            }
        }
    }
    return NULL;
}

static void free_chunk_buffers(const oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    for (uint32_t row = 0; row < entry->count; row++) {
        if (!oxi_words_test(dead, row)) {
            oxi_rows_free_buffers(archetype, (oxi_rows){chunk, row, 1});
        }
    }
}

void oxi_buffers_destroy(oxi_store *store) {
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        const oxi_archetype *archetype = oxi_archetype_at(store, k);
        for (size_t n = 0; archetype->buffer_count > 0 && n < archetype->lane.chunks.count; n++) {
            if (archetype->lane.chunks.items[n] != 0) {
                free_chunk_buffers(archetype, archetype->lane.chunks.items[n]);
            }
        }
    }
    for (size_t k = 0; k < store->buffer_kinds.count; k++) {
        if (store->buffer_kinds.items[k] != NULL) {
            oxi_heap_free_in(store->heap, store->buffer_kinds.items[k], sizeof(oxi_buffer_kind),
                             _Alignof(oxi_buffer_kind));
        }
    }
    oxi_list_free_in(store->heap, &store->buffer_kinds);
}
