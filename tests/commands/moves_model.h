// SPDX-License-Identifier: MIT
//
// A naive model of three worlds between which entities move: a list of what each entity is, and
// the ids that each world gives.

#pragma once

#include "commands/moves_test.h"

enum {
    MODEL_WORLDS = 3,
    MODEL_MOST = 600,  ///< entities alive
    MODEL_IDS = 20000, ///< of one world
    MODEL_CREW = 6,
};

/// What an entity has.
enum {
    HAS_HEALTH = 1,
    HAS_FROZEN = 2,
    HAS_TEAM = 4,
    HAS_MODEL = 8,
    HAS_TEXTURE = 16,
    HAS_SAIL = 32,
    HAS_CREW = 64,
    HAS_FOLLOWS = 128,
    HAS_REGISTERED = 256,
    HAS_PREFAB = 512,
    HAS_ALL = 1023,
    IS_RESIDUE = 1024,
};

typedef struct model_entity {
    int world;
    ox_entity id;
    uint32_t has;
    int32_t health, team, model, texture, sail, registered;
    bool is_furled; ///< the sail is switched off
    int crew_count;
    ox_entity crew[MODEL_CREW];
    ox_entity leader;
    int name; ///< 0: none
} model_entity;

/// The ids of one world.
typedef struct model_ids {
    uint32_t versions[MODEL_IDS];
    uint32_t free[MODEL_IDS];
    uint32_t free_count;
    uint32_t used;
} model_ids;

typedef struct moves_model {
    model_entity entities[MODEL_MOST];
    int count;
    model_ids ids[MODEL_WORLDS];
} moves_model;

/// The id that a world gives next, and one that it gets back.
ox_entity model_take_id(moves_model *model, int world);
void model_free_id(moves_model *model, int world, ox_entity id);

/// Who has an id in a world, or NULL.
model_entity *model_find(moves_model *model, int world, ox_entity id);

/// Forgets an entity. The last one takes its place.
void model_remove(moves_model *model, model_entity *entity);

/// Moves entities, in order, and writes the ids that they must get.
void model_move(moves_model *model, int to, int from, const ox_entity *before, int count,
                ox_entity *after);

/// Copies entities, in order, and writes the ids that the copies must get.
void model_copy(moves_model *model, int to, int from, const ox_entity *entities, int count,
                ox_entity *copies);

/// Expects each world to be what the model says.
void model_verify(moves_model *model, ox_world *const *worlds);
