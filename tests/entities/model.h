// SPDX-License-Identifier: MIT
//
// A world as a naive program would write it: one malloc for each component of each entity, and for
// each set of components a list of chunks that are lists of entities. It follows the rules of ids,
// of placement and of versions, and nothing else; how many rows a chunk holds it asks a real world.
//
// A component is its number in the list that the model was made with, a set is a mask of them.

#pragma once

#include "oxbow/entities.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_COMPONENTS = 16, MODEL_NAMES = 64, MODEL_NO_FREE = -1 };

typedef struct model_component {
    uint32_t id;
    uint32_t size;         // 0 for a tag
    int32_t entity_offset; // of an ox_entity in the value, or -1
} model_component;

typedef struct model_chunk {
    uint32_t *rows; // indices of entities
    int count;
    bool is_open;
    uint32_t order_version;
    uint32_t versions[MODEL_COMPONENTS];
} model_chunk;

typedef struct model_set {
    uint32_t mask;
    int capacity;
    model_chunk **chunks;
    int chunk_count;
    int chunk_room;
    uint32_t changes; // structural ones of its entities
} model_set;

typedef struct model_entity {
    uint32_t version;
    bool is_alive;
    int64_t next_free;
    int alive_place; // in the list of those alive
    int name;        // 1 + its number, 0 for none
    model_set *set;
    model_chunk *chunk;
    unsigned char *values[MODEL_COMPONENTS];
} model_entity;

typedef struct model {
    const model_component *components;
    int component_count;
    bool swaps;
    ox_world *measure; // tells how many rows fit in a chunk
    uint32_t version;  // what changes are stamped with
    model_entity *entities;
    int64_t used;
    int64_t room;
    int64_t first_free;
    uint32_t *alive;
    int alive_count;
    model_set **sets; // in the order in which they were first named
    int set_count;
    model_set **set_of_mask;
    int *capacity_of_mask; // 1 + rows of a chunk, 0 when nobody asked yet
    ox_entity named[MODEL_NAMES];
} model;

void model_create(model *self, const model_component *components, int count, bool swaps);
void model_destroy(model *self);

/// How many rows of a set fit in a chunk; 0 when none does. Names nothing.
int model_capacity(model *self, uint32_t mask);

/// The set of a mask, which is named by it. NULL when no row of it fits in a chunk.
model_set *model_name_set(model *self, uint32_t mask);

/// Makes an entity with zeros. The set must fit.
ox_entity model_add(model *self, uint32_t mask);
void model_remove(model *self, uint32_t index);

/// The value of a component, to write: notes that it changed.
unsigned char *model_edit(model *self, uint32_t index, int component);

/// Gives an entity another set: values of what it keeps stay, the rest is zero.
void model_move(model *self, uint32_t index, uint32_t mask);

/// A copy. What points to the source in it points to the copy.
ox_entity model_instantiate(model *self, uint32_t index);

/// Gives all entities of some chunks another set, which they fit in. Where both sets have the same
/// values the chunks go as they are, and neighbours that fit in one chunk are joined.
void model_move_chunks(model *self, model_set *from, model_chunk *const *chunks, int count,
                       uint32_t mask);

/// Removes all entities of some chunks.
void model_remove_chunks(model *self, model_set *set, model_chunk *const *chunks, int count);

/// Slides rows to the left. Returns how many.
uint64_t model_defragment(model *self, uint64_t most);

bool model_is_alive(const model *self, ox_entity entity);
ox_entity model_handle(const model *self, uint32_t index);

/// Gives an entity the name of a number, -1 for none. False when another has it.
bool model_set_name(model *self, uint32_t index, int name);
