// SPDX-License-Identifier: MIT
//
// What entities cost at least: plain arrays with the bookkeeping that ids need, all of it inline.
// Three archetypes: position and velocity; the same and health; the same as the first and a tag. A
// removal puts the last row in the hole.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct bare_id {
    uint32_t index, version;
} bare_id;

typedef struct bare_float3 {
    float x, y, z;
} bare_float3;

typedef struct bare_health {
    float now, most;
} bare_health;

typedef struct bare_record {
    uint32_t version;
    uint32_t row;       // of a free record the index of the next
    uint32_t archetype; // BARE_FREE: none
} bare_record;

enum { BARE_MOVING, BARE_LIVING, BARE_TAGGED, BARE_ARCHETYPES, BARE_FREE = BARE_ARCHETYPES };
enum { BARE_MOST = 1 << 20 };

typedef struct bare_archetype {
    uint32_t count;
    bare_id *ids;
    bare_float3 *positions;
    bare_float3 *velocities;
    bare_health *health; // NULL: it has none
} bare_archetype;

/// One world of plain arrays.
typedef struct bare_world {
    bare_archetype archetypes[BARE_ARCHETYPES];
    bare_record *records;
    uint32_t used;
    uint32_t free_first; // UINT32_MAX: none
} bare_world;

extern bare_world bare;

/// Bytes of fresh memory, on huge pages where the system has them, or on small ones.
void *bare_take_pages(size_t size, bool is_huge);

/// Gives the bare world its memory, once. Nothing of it is touched.
void bare_create(bool is_huge);

/// Forgets everything that is in the bare world.
void bare_clear(void);

/// Makes `count` with zeros; writes their ids to `ids`.
void bare_add_many(bare_id *restrict ids, uint32_t count);

/// All that move get health, zero; or a tag; or are destroyed.
void bare_add_health_to_all(void);
void bare_add_tag_to_all(void);
void bare_destroy_all(void);

static inline bare_id bare_take_id(uint32_t archetype, uint32_t row) {
    uint32_t index = bare.free_first;
    if (index != UINT32_MAX) {
        bare.free_first = bare.records[index].row;
    } else {
        index = bare.used++;
        bare.records[index].version = 1;
    }
    bare.records[index].row = row;
    bare.records[index].archetype = archetype;
    return (bare_id){index, bare.records[index].version};
}

static inline bare_id bare_add(bare_float3 position, bare_float3 velocity) {
    bare_archetype *to = &bare.archetypes[BARE_MOVING];
    uint32_t row = to->count++;
    bare_id id = bare_take_id(BARE_MOVING, row);
    to->ids[row] = id;
    to->positions[row] = position;
    to->velocities[row] = velocity;
    return id;
}

static inline void bare_remove_row(bare_archetype *from, uint32_t row) {
    uint32_t last = --from->count;
    if (row != last) {
        bare_id moved = from->ids[last];
        from->ids[row] = moved;
        from->positions[row] = from->positions[last];
        from->velocities[row] = from->velocities[last];
        if (from->health != NULL) {
            from->health[row] = from->health[last];
        }
        bare.records[moved.index].row = row;
    }
}

static inline void bare_free_id(bare_record *record, uint32_t index) {
    record->version++;
    record->archetype = BARE_FREE;
    record->row = bare.free_first;
    bare.free_first = index;
}

static inline void bare_destroy(bare_id id) {
    bare_record *record = &bare.records[id.index];
    if (record->version != id.version) {
        return;
    }
    bare_remove_row(&bare.archetypes[record->archetype], record->row);
    bare_free_id(record, id.index);
}

// From one archetype to another; the row there gets what both have.
static inline uint32_t bare_move(bare_id id, bare_record *record, uint32_t target) {
    bare_archetype *from = &bare.archetypes[record->archetype], *to = &bare.archetypes[target];
    uint32_t old = record->row, row = to->count++;
    to->ids[row] = id;
    to->positions[row] = from->positions[old];
    to->velocities[row] = from->velocities[old];
    bare_remove_row(from, old);
    record->archetype = target;
    record->row = row;
    return row;
}

static inline void bare_add_health(bare_id id, bare_health health) {
    bare_record *record = &bare.records[id.index];
    if (record->version == id.version && record->archetype == BARE_MOVING) {
        bare.archetypes[BARE_LIVING].health[bare_move(id, record, BARE_LIVING)] = health;
    }
}

static inline void bare_remove_health(bare_id id) {
    bare_record *record = &bare.records[id.index];
    if (record->version == id.version && record->archetype == BARE_LIVING) {
        bare_move(id, record, BARE_MOVING);
    }
}

static inline const bare_float3 *bare_get(bare_id id) {
    const bare_record *record = &bare.records[id.index];
    return record->version == id.version
               ? &bare.archetypes[record->archetype].positions[record->row]
               : NULL;
}
