// SPDX-License-Identifier: MIT
//
// Shapes: sets of components that entities have on their way through a playback. A shape becomes an
// archetype only when an entity stays with it, so sets that one command makes and the next one
// changes leave nothing in the world.

#pragma once

#include "entities/world.h"

typedef enum oxi_shape_step_kind {
    OXI_STEP_ADD = 0,
    OXI_STEP_REMOVE,
    OXI_STEP_LOOK, ///< to know whether it is there
} oxi_shape_step_kind;

struct oxi_row_shape;

/// What one component more, or less, makes of a shape.
typedef struct oxi_shape_step {
    uint32_t key;             ///< component << 2 | oxi_shape_step_kind
    bool was_there;           ///< the shape has the component
    bool has_entities;        ///< its values have entity fields
    bool is_shared;           ///< it is shared
    struct oxi_row_shape *to; ///< the shape itself where nothing changes
} oxi_shape_step;

typedef struct oxi_row_shape {
    uint64_t hash;
    struct oxi_row_shape *next;     ///< with a similar hash
    OXI_LIST(oxi_shape_step) steps; ///< the one that was used last comes first
    struct oxi_row_shape *residue;  ///< of a destroyed entity, once it was asked for
    struct oxi_row_shape *copied;   ///< of an instance, likewise
    bool is_residue;
    bool fits;       ///< a row of it fits in a chunk
    bool has_linked; ///< it has a linked group
    bool has_shared;
    uint32_t cleanup_count;
    oxi_archetype *archetype; ///< in the round
    uint64_t round;           ///< of the space when it was found; 0: never
    uint32_t count;
    uint16_t types[]; ///< ascending
} oxi_row_shape;

typedef struct oxi_shape_space {
    ox_world *world;
    OXI_LIST(oxi_row_shape *) buckets;      ///< by hash, a power of two
    OXI_LIST(oxi_row_shape *) of_archetype; ///< by index, NULL: not looked at
    uint32_t count;
    uint64_t round; ///< archetypes that were found in an earlier one are looked for again
} oxi_shape_space;

/// NULL when out of memory, as with all that follow.
oxi_shape_space *oxi_shapes_create(ox_world *world);
void oxi_shapes_destroy(oxi_shape_space *space);

/// Forgets all shapes when there are many: nobody may hold one.
void oxi_shapes_trim(oxi_shape_space *space);

/// The shape of an archetype; and that of no components.
oxi_row_shape *oxi_shape_of(oxi_shape_space *space, const oxi_archetype *archetype);
oxi_row_shape *oxi_shape_empty(oxi_shape_space *space);

const oxi_shape_step *oxi_shape_step_slowly(oxi_shape_space *space, oxi_row_shape *shape,
                                            uint32_t key);

/// What a component makes of a shape.
static inline const oxi_shape_step *oxi_shape_take_step(oxi_shape_space *space,
                                                        oxi_row_shape *shape, uint32_t component,
                                                        oxi_shape_step_kind kind) {
    uint32_t key = component << 2 | (uint32_t)kind;
    return shape->steps.count > 0 && shape->steps.items[0].key == key
               ? &shape->steps.items[0]
               : oxi_shape_step_slowly(space, shape, key);
}

bool oxi_shape_has(const oxi_row_shape *shape, uint32_t component);

/// What is left of a destroyed entity of a shape that has cleanup components.
oxi_row_shape *oxi_shape_residue(oxi_shape_space *space, oxi_row_shape *shape);

/// What an instance of an entity of this shape has.
oxi_row_shape *oxi_shape_copied(oxi_shape_space *space, oxi_row_shape *shape);

/// The archetype of a shape that fits, made when there is none.
oxi_archetype *oxi_shape_archetype(oxi_shape_space *space, oxi_row_shape *shape);
