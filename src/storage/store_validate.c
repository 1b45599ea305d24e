// SPDX-License-Identifier: MIT
//
// The walk over a store. Each function answers with the first thing that is wrong, or NULL.

#include "storage/store_validate.h"

#include "storage/archetype.h"

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
    if (first < entry->count && oxi_words_test(dead, entry->count - 1u)) {
        return "the last row of a chunk is dead";
    }
    return first == entry->count || entry->is_dirty_listed ? NULL
                                                           : "a chunk with holes is not listed";
}

static const char *validate_chunk(const oxi_store *store, const oxi_archetype *archetype,
                                  uint32_t place) {
    oxi_chunk chunk = archetype->chunks.items[place];
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    if (entry->archetype != archetype || entry->place != place || entry->meta == NULL) {
        return "a chunk does not know where it stands";
    }
    if (entry->live == 0 || entry->count > archetype->capacity) {
        return "a chunk is empty, or too full";
    }
    if (entry->is_open != oxi_bitset_test(&archetype->open, place)) {
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
    return validate_dead_rows(archetype, chunk);
}

// Archetypes.

static const char *validate_types(const oxi_archetype *archetype) {
    for (uint32_t k = 1; k < archetype->type_count; k++) {
        if (archetype->types[k - 1] >= archetype->types[k]) {
            return "the types of an archetype are not in order";
        }
    }
    uint32_t end = 0;
    for (uint32_t k = 0; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        if (column->offset % 64 != 0 || column->offset < end) {
            return "the columns of an archetype overlap, or are not aligned";
        }
        end = column->offset + column->size * archetype->capacity;
    }
    return end <= OXI_CHUNK_SIZE ? NULL : "the columns of an archetype leave its chunks";
}

static const char *validate_archetype(const oxi_store *store, const oxi_archetype *archetype) {
    uint32_t rows = 0, room = 0, gaps = 0;
    const char *fault = validate_types(archetype);
    for (uint32_t k = 0; k < archetype->chunks.count && fault == NULL; k++) {
        oxi_chunk chunk = archetype->chunks.items[k];
        if (chunk == 0) {
            gaps++;
            continue;
        }
        fault = validate_chunk(store, archetype, k);
        const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
        rows += entry->live;
        room += entry->is_open ? archetype->capacity - entry->live : 0;
    }
    if (fault != NULL) {
        return fault;
    }
    if (rows != archetype->live || room != archetype->open_room || gaps != archetype->gap_count) {
        return "an archetype counts its rows wrong";
    }
    size_t first = archetype->chunks.count == 0
                       ? 0
                       : oxi_words_find_set(archetype->open.words, archetype->chunks.count, 0);
    if (first != archetype->first_open) {
        return "the first open chunk of an archetype is wrong";
    }
    return oxi_archetype_find(store, archetype->types, archetype->type_count) == archetype
               ? NULL
               : "an archetype cannot be found";
}

static const char *validate_dirty_list(const oxi_store *store) {
    uint32_t dirty = 0, seen = 0;
    for (oxi_chunk chunk = store->first_dirty; chunk != 0;
         chunk = oxi_chunk_entry_of(chunk)->next) {
        const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
        if (!entry->is_dirty_listed || ++seen > store->slabs.count * OXI_SLAB_CHUNKS) {
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
    return fault != NULL ? fault : validate_dirty_list(store);
}
