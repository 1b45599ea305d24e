// SPDX-License-Identifier: MIT
//
// The walk over a store. Each function answers with the first thing that is wrong, or NULL.

#include "storage/store_validate.h"

#include "storage/archetype.h"
#include "storage/kind_rows.h"
#include "types/kinds.h"

// Entities.

static const char *validate_records(const oxi_store *store) {
    const oxi_entity_table *table = &store->entities;
    uint32_t alive = 0;
    for (uint32_t k = 0; k < table->used; k++) {
        const oxi_record *record = &table->records[k];
        if (record->chunk == 0) {
            continue;
        }
        alive++;
        const oxi_chunk_entry *entry = oxi_chunk_entry_of(record->chunk);
        if (entry->archetype == NULL || entry->meta == NULL) {
            return "the record of an entity points to a chunk of nobody";
        }
        if (record->row >= entry->count) {
            return "the record of an entity points behind the rows of its chunk";
        }
        ox_entity there = oxi_chunk_entities(record->chunk)[record->row];
        if (there.index != k || there.version != record->version) {
            return "the row of an entity holds another entity";
        }
        if (oxi_words_test(oxi_chunk_dead_bits(oxi_archetype_of(record->chunk), record->chunk),
                           record->row)) {
            return "the row of an entity is dead";
        }
    }
    return alive == table->alive ? NULL : "the number of entities is wrong";
}

static const char *validate_free_records(const oxi_store *store) {
    const oxi_entity_table *table = &store->entities;
    uint32_t count = 0;
    for (uint32_t k = table->first_free; k != (uint32_t)OXI_LAST_RECORD;
         k = table->records[k].row) {
        if (k >= table->used || table->records[k].chunk != 0 || ++count > table->used) {
            return "the list of free entities is broken";
        }
    }
    return count == oxi_entity_free_count(table) ? NULL : "the number of free entities is wrong";
}

// Chunks.

// Where removals swap, the dead rows of a chunk are listed in the order of removal.
static const char *validate_removed_rows(const oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    uint32_t count = (uint32_t)entry->count - entry->live, row = entry->meta->last_removed;
    for (uint32_t k = 0; k < count; k++) {
        if (row >= entry->count || !oxi_words_test(dead, row)) {
            return "the list of removed rows of a chunk is broken";
        }
        row = oxi_chunk_entities(chunk)[row].index;
    }
    return count == 0 || row == OXI_NO_ROW ? NULL
                                           : "the list of removed rows of a chunk is too long";
}

static const char *validate_dead_rows(const oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    size_t first = oxi_words_find_set(dead, entry->count, 0);
    if (oxi_words_count(dead, archetype->capacity) != (size_t)(entry->count - entry->live)) {
        return "the live rows of a chunk are not counted right";
    }
    if (entry->first_dead != (first < entry->count ? first : OXI_NO_ROW)) {
        return "the first dead row of a chunk is wrong";
    }
    if (first == entry->count) {
        return NULL;
    }
    if (!entry->is_dirty_listed) {
        return "a chunk with holes is not listed";
    }
    if (archetype->swaps) {
        return validate_removed_rows(archetype, chunk);
    }
    return oxi_words_test(dead, entry->count - 1u) ? "the last row of a chunk is dead" : NULL;
}

static const char *validate_chunk(const oxi_store *store, const oxi_archetype *archetype,
                                  uint32_t place) {
    oxi_chunk chunk = archetype->lane.chunks.items[place];
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    if (entry->archetype != archetype || entry->place != place || entry->meta == NULL) {
        return "a chunk does not know where it stands";
    }
    if (entry->live == 0 || entry->count > archetype->capacity) {
        return "a chunk is empty, or too full";
    }
    if (!oxi_archetype_has_lanes(archetype) &&
        entry->is_open != oxi_bitset_test(&archetype->lane.open, place)) {
        return "a chunk and its list disagree about new rows";
    }
    uint32_t missing = archetype->capacity - entry->live;
    if ((entry->is_open && missing == 0) || (!entry->is_open && missing >= archetype->reopen)) {
        return "a chunk is open or closed against the rule";
    }
    const ox_entity *entities = oxi_chunk_entities(chunk);
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    for (uint32_t row = 0; row < entry->count; row++) {
        const oxi_record *record = oxi_entity_find(&store->entities, entities[row]);
        bool is_here = record != NULL && record->chunk == chunk && record->row == row;
        if (is_here == oxi_words_test(dead, row)) {
            return "a live row has no entity, or a dead one has";
        }
    }
    const char *fault = oxi_chunk_lane_validate(archetype, chunk);
    fault = fault != NULL ? fault : oxi_bits_validate(archetype, chunk);
    fault = fault != NULL ? fault : oxi_buffers_validate(archetype, chunk);
    return fault != NULL ? fault : validate_dead_rows(archetype, chunk);
}

// Archetypes.

static const char *validate_types(const oxi_archetype *archetype) {
    for (uint32_t k = 1; k < archetype->type_count; k++) {
        if (archetype->types[k - 1] >= archetype->types[k]) {
            return "the types of an archetype are not in order";
        }
    }
    return NULL;
}

static uint32_t align_of_column(const oxi_archetype *archetype, const oxi_column *column) {
    uint32_t align = oxi_row_align(ox_component_get_info(column->component));
    return align > archetype->column_align ? align : archetype->column_align;
}

// Columns lie by their alignment, largest first; then in order. The entities come before all.
static const char *validate_columns(const oxi_archetype *archetype) {
    uint32_t end = archetype->capacity * (uint32_t)sizeof(ox_entity);
    bool is_aligned = archetype->columns[0].offset == 0;
    for (uint32_t align = OX_MAX_COMPONENT_ALIGN; align >= archetype->column_align; align /= 2) {
        for (uint32_t k = 1; k < archetype->column_count; k++) {
            const oxi_column *column = &archetype->columns[k];
            if (align_of_column(archetype, column) == align) {
                is_aligned = is_aligned && column->offset % align == 0 && column->offset >= end;
                end = column->offset + column->size * archetype->capacity;
            }
        }
    }
    if (!is_aligned) {
        return "the columns of an archetype overlap, or are not aligned";
    }
    return end <= OXI_CHUNK_SIZE ? NULL : "the columns of an archetype leave its chunks";
}

static const char *validate_archetype(const oxi_store *store, const oxi_archetype *archetype) {
    uint32_t rows = 0, room = 0, gaps = 0;
    const char *fault = validate_types(archetype);
    fault = fault != NULL ? fault : validate_columns(archetype);
    for (uint32_t k = 0; k < archetype->lane.chunks.count && fault == NULL; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk == 0) {
            gaps++;
            continue;
        }
        fault = validate_chunk(store, archetype, k);
        const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
        rows += entry->live;
        room += entry->is_open && !oxi_archetype_has_lanes(archetype)
                    ? archetype->capacity - entry->live
                    : 0;
    }
    fault = fault != NULL ? fault : oxi_lanes_validate(store, archetype);
    if (fault != NULL) {
        return fault;
    }
    if (rows != archetype->live || room != archetype->lane.open_room ||
        gaps != archetype->lane.gap_count) {
        return "an archetype counts its rows wrong";
    }
    size_t first =
        archetype->lane.chunks.count == 0
            ? 0
            : oxi_words_find_set(archetype->lane.open.words, archetype->lane.chunks.count, 0);
    if (first != archetype->lane.first_open) {
        return "the first open chunk of an archetype is wrong";
    }
    return oxi_archetype_find(store, archetype->types, archetype->type_count) == archetype
               ? NULL
               : "an archetype cannot be found";
}

// Listed or not; what is only asked for has no rows, and nobody goes there.
static const char *validate_graph(const oxi_store *store) {
    size_t count = 0, listed = 0;
    for (const oxi_archetype *archetype = store->last_made; archetype != NULL;
         archetype = archetype->made_before) {
        count++;
        listed += oxi_archetype_is_listed(archetype);
        if (!oxi_archetype_is_listed(archetype) &&
            archetype->lane.chunks.count + archetype->lanes.count + archetype->spare_count > 0) {
            return "an archetype that is not listed has chunks";
        }
        if ((archetype->recent != NULL && !oxi_archetype_is_listed(archetype->recent->target)) ||
            (archetype->copied != NULL && !oxi_archetype_is_listed(archetype->copied->target))) {
            return "entities would go to an archetype that is not listed";
        }
    }
    return count == store->made_count && listed == store->archetypes.count
               ? NULL
               : "the number of archetypes is wrong";
}

// Each chunk of the store is in a list of an archetype, spare, or free.
static const char *validate_chunk_count(const oxi_store *store) {
    size_t chunks = store->free_chunks.count, kept = 0;
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        const oxi_archetype *archetype = oxi_archetype_at(store, k);
        chunks += archetype->lane.chunks.count - archetype->lane.gap_count + archetype->spare_count;
        kept += archetype->kept_count;
        if (archetype->kept_count > archetype->spare_count) {
            return "an archetype keeps chunks that it does not have";
        }
    }
    if (kept != store->kept_count) {
        return "the number of kept chunks is wrong";
    }
    if (store->free_chunks.capacity < store->chunk_count) {
        return "a store has no room for chunks that become free";
    }
    return chunks == store->chunk_count ? NULL : "the number of chunks is wrong";
}

static const char *validate_dirty_list(const oxi_store *store) {
    uint32_t dirty = 0, seen = 0;
    for (oxi_chunk chunk = store->first_dirty; chunk != 0;
         chunk = oxi_chunk_entry_of(chunk)->next) {
        const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
        if (!entry->is_dirty_listed || ++seen > store->chunk_count) {
            return "the list of chunks with holes is broken";
        }
        dirty += entry->meta != NULL && entry->first_dead != OXI_NO_ROW;
    }
    return dirty == store->dirty_count ? NULL : "the number of chunks with holes is wrong";
}

const char *oxi_store_validate(const oxi_store *store) {
    uint64_t rows = 0;
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        const char *fault = validate_archetype(store, oxi_archetype_at(store, k));
        if (fault != NULL) {
            return fault;
        }
        rows += oxi_archetype_at(store, k)->live;
    }
    if (rows != store->entities.alive) {
        return "rows and entities are not as many";
    }
    const char *fault = validate_records(store);
    fault = fault != NULL ? fault : validate_free_records(store);
    fault = fault != NULL ? fault : oxi_shared_values_validate(store);
    fault = fault != NULL ? fault : validate_graph(store);
    fault = fault != NULL ? fault : validate_chunk_count(store);
    return fault != NULL ? fault : validate_dirty_list(store);
}
