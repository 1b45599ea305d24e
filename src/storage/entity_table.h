// SPDX-License-Identifier: MIT
//
// The entities of a store: where each one's row is.
//
// An id is (index, version). Free records form a LIFO list, so the index that was freed last is
// used first; records that were never used follow in order. The table grows in place and never
// shrinks. An id at its last version is retired: no old handle is ever valid again.

#pragma once

#include "base/check.h"
#include "base/region.h"
#include "oxbow/components.h"
#include "storage/chunk_space.h"

enum {
    OXI_MAX_ENTITIES = 1 << 30,
    OXI_LAST_RECORD = -1, ///< ends the list of free records
    // What commands will create is named by indices that begin with these bits.
    OXI_TEMPORARY_SHIFT = 30,
    OXI_TEMPORARY_BITS = 2,
};

/// Twelve bytes for each entity.
///
///            version   chunk   row
///     [0]  |    1    |   7   |   2  |   alive: in row 2 of chunk 7
///     [1]  |    4    |   0   |   3  |   free, and will be 1:4; the next free one is [3]
///     [2]  |    0    |   0   |   ?  |   retired, in no list
///     [3]  |    2    |   0   |  -1  |   free, the last: OXI_LAST_RECORD
///     [4]  |    0    |   0   |   0  |   never used
///
///     used: 4, alive: 1, retired: 1, first_free: 1; the list of free ones is [1], [3]
typedef struct oxi_record {
    uint32_t version; ///< 0: never used, or retired
    oxi_chunk chunk;  ///< 0: free
    uint32_t row;     ///< of a free record the index of the next
} oxi_record;

enum { OXI_MARK_BIT = 31 };

/// A mark for entities in a list, the top bit of the row: who sets marks takes them away before
/// anybody else looks at records.
static inline bool oxi_record_is_marked(const oxi_record *record) {
    return record->row >> OXI_MARK_BIT != 0;
}

static inline void oxi_record_mark(oxi_record *record) {
    record->row |= UINT32_C(1) << OXI_MARK_BIT;
}

static inline void oxi_record_unmark(oxi_record *record) {
    record->row &= ~(UINT32_C(1) << OXI_MARK_BIT);
}

enum { OXI_FORWARD_BIT = 31 };

/// An entity that goes to another store leaves its new id in its record, until it is freed: no
/// chunk has that bit. Nobody else may look at records meanwhile.
static inline void oxi_record_forward(oxi_record *record, ox_entity to) {
    OXI_ASSERT(record->chunk != 0);
    OXI_ASSERT(to.index < OXI_MAX_ENTITIES);
    record->chunk = to.index | UINT32_C(1) << OXI_FORWARD_BIT;
    record->row = to.version;
}

static inline bool oxi_record_is_forwarded(const oxi_record *record) {
    return record->chunk >> OXI_FORWARD_BIT != 0;
}

static inline ox_entity oxi_record_forwarded(const oxi_record *record) {
    OXI_ASSERT(oxi_record_is_forwarded(record));
    return (ox_entity){record->chunk & ~(UINT32_C(1) << OXI_FORWARD_BIT), record->row};
}

typedef struct oxi_entity_table {
    oxi_record *records;
    uint32_t used; ///< records that were ever used
    /// Entities, and ids that can be taken at once, at least.
    OXI_COUNT_PAIR(uint32_t, alive, ready, uint64_t, alive_and_ready);
    uint32_t first_free; ///< OXI_LAST_RECORD: none
    uint32_t retired;    ///< records that are never used again
    uint32_t limit;      ///< entities that may be alive together
    bool is_cut;         ///< fewer than were asked for: the system granted no more
    oxi_region region;
} oxi_entity_table;

/// Makes an empty table for at most `limit` entities. @return false when out of memory.
bool oxi_entity_table_create(oxi_entity_table *table, uint32_t limit);
void oxi_entity_table_destroy(oxi_entity_table *table);

/// What a reservation came to.
typedef enum oxi_outcome {
    OXI_DONE = 0,
    OXI_NO_MEMORY,
    OXI_AT_LIMIT,
} oxi_outcome;

/// Makes sure that `count` ids can be taken. Changes nothing that is seen.
oxi_outcome oxi_entity_reserve(oxi_entity_table *table, uint32_t count);

/// Records in the list of free ones.
static inline uint32_t oxi_entity_free_count(const oxi_entity_table *table) {
    OXI_ASSERT(table->used - table->alive >= table->retired);
    return table->used - table->alive - table->retired;
}

/// The id that oxi_entity_take gives after `skipped` others, without taking it.
ox_entity oxi_entity_peek(const oxi_entity_table *table, uint32_t skipped);

/// Takes an id, which was reserved, for the row of an entity.
static inline ox_entity oxi_entity_take(oxi_entity_table *table, oxi_chunk chunk, uint32_t row) {
    uint32_t index = table->first_free;
    oxi_record *record;
    OXI_ASSERT(table->ready > 0);
    if (index != (uint32_t)OXI_LAST_RECORD) {
        OXI_ASSERT(index < table->used);
        record = &table->records[index];
        OXI_ASSERT(record->chunk == 0);
        table->first_free = record->row;
    } else {
        index = table->used++;
        record = &table->records[index];
        record->version = 1;
    }
    record->chunk = chunk;
    record->row = row;
    table->alive_and_ready += OXI_PAIR(1, -1);
    return (ox_entity){index, record->version};
}

/// Takes ids, which were reserved, for the first `count` rows of a chunk, in order.
void oxi_entities_take(oxi_entity_table *table, oxi_chunk chunk, ox_entity *entities,
                       uint32_t count);

/// Writes to the memory of `count` ids that were reserved, so that taking them meets no page that
/// was never touched.
void oxi_entity_touch(oxi_entity_table *table, uint32_t count);

/// Frees the id of an entity that is alive.
static inline void oxi_entity_free(oxi_entity_table *table, uint32_t index) {
    oxi_record *record = &table->records[index];
    OXI_ASSERT(index < table->used);
    OXI_ASSERT(record->version != 0);
    OXI_ASSERT(table->alive > 0);
    record->chunk = 0;
    if (record->version == UINT32_MAX) {
        record->version = 0;
        table->alive--;
        table->retired++;
        return;
    }
    record->version++;
    record->row = table->first_free;
    table->first_free = index;
    table->alive_and_ready += OXI_PAIR(-1, 1);
}

/// Takes the last oxi_entity_take back, of this id; `was_fresh`: no entity had that index before.
static inline void oxi_entity_untake(oxi_entity_table *table, uint32_t index, bool was_fresh) {
    oxi_record *record = &table->records[index];
    OXI_ASSERT(record->version != 0);
    OXI_ASSERT(table->alive > 0);
    record->chunk = 0;
    table->alive--;
    table->ready++;
    if (was_fresh) {
        OXI_ASSERT(index + 1 == table->used);
        record->version = 0;
        record->row = 0;
        table->used--;
    } else {
        record->row = table->first_free;
        table->first_free = index;
    }
}

/// Takes the last oxi_entity_free back, of an entity that is in this row.
static inline void oxi_entity_unfree(oxi_entity_table *table, ox_entity entity, oxi_chunk chunk,
                                     uint32_t row) {
    oxi_record *record = &table->records[entity.index];
    OXI_ASSERT(record->chunk == 0);
    table->alive++;
    if (entity.version == UINT32_MAX) {
        OXI_ASSERT(table->retired > 0);
        table->retired--;
    } else {
        OXI_ASSERT(table->first_free == entity.index);
        OXI_ASSERT(table->ready > 0);
        table->first_free = record->row;
        table->ready--;
    }
    *record = (oxi_record){entity.version, chunk, row};
}

/// Frees the ids of entities that are alive, in order.
void oxi_entities_free(oxi_entity_table *table, const ox_entity *entities, uint32_t count);

/// Frees the ids of the first `count` rows of a chunk and takes those of another table for them,
/// which were reserved, in order.
void oxi_entities_exchange(oxi_entity_table *to, oxi_entity_table *from, oxi_chunk chunk,
                           ox_entity *entities, uint32_t count);

/// The record of an entity, or NULL when it is not alive. Any bits may be given.
static inline oxi_record *oxi_entity_find(const oxi_entity_table *table, ox_entity entity) {
    if (entity.index >= table->used) {
        return NULL;
    }
    oxi_record *record = &table->records[entity.index];
    return record->version == entity.version && record->chunk != 0 ? record : NULL;
}
