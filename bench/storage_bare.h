// SPDX-License-Identifier: MIT
//
// What entities cost at least: plain arrays with the bookkeeping that ids need, all of it inline.
// Three archetypes: position; position and velocity; position, velocity and health. A removal puts
// the last row in the hole.

#pragma once

#include "bench.h"

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
    uint32_t version, row;
    uint32_t archetype; // 3: free
} bare_record;

enum { BARE_MOST = 1 << 20, BARE_ARCHETYPES = 3, BARE_FREE = 3 };

typedef struct bare_archetype {
    uint32_t count;
    bare_id *ids;
    bare_float3 *positions;
    bare_float3 *velocities;
    bare_health *health;
} bare_archetype;

/// One world of plain arrays.
typedef struct bare_world {
    bare_archetype archetypes[BARE_ARCHETYPES];
    bare_record *records;
    uint32_t used;
    uint32_t free_first; // UINT32_MAX: none
} bare_world;

extern bare_world bare;

/// Takes the memory of the bare world, once.
void bare_create(void);

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
    bare_archetype *to = &bare.archetypes[1];
    uint32_t row = to->count++;
    to->ids[row] = bare_take_id(1, row);
    to->positions[row] = position;
    to->velocities[row] = velocity;
    return to->ids[row];
}

static inline void bare_remove_row(bare_archetype *from, uint32_t row) {
    uint32_t last = --from->count;
    if (row != last) {
        from->ids[row] = from->ids[last];
        from->positions[row] = from->positions[last];
        from->velocities[row] = from->velocities[last];
        from->health[row] = from->health[last];
        bare.records[from->ids[row].index].row = row;
    }
}

static inline void bare_destroy(bare_id id) {
    bare_record *record = &bare.records[id.index];
    if (record->version != id.version) {
        return;
    }
    bare_remove_row(&bare.archetypes[record->archetype], record->row);
    record->version++;
    record->archetype = BARE_FREE;
    record->row = bare.free_first;
    bare.free_first = id.index;
}

// To archetype 2 and back: health is added, or removed.
static inline void bare_move(bare_id id, uint32_t target) {
    bare_record *record = &bare.records[id.index];
    if (record->version != id.version) {
        return;
    }
    bare_archetype *from = &bare.archetypes[record->archetype], *to = &bare.archetypes[target];
    uint32_t old = record->row, row = to->count++;
    to->ids[row] = id;
    to->positions[row] = from->positions[old];
    to->velocities[row] = from->velocities[old];
    to->health[row] = (bare_health){0, 0};
    bare_remove_row(from, old);
    record->archetype = target;
    record->row = row;
}

static inline const bare_float3 *bare_get(bare_id id) {
    const bare_record *record = &bare.records[id.index];
    return record->version == id.version
               ? &bare.archetypes[record->archetype].positions[record->row]
               : NULL;
}
