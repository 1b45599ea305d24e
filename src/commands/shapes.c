// SPDX-License-Identifier: MIT
//
// Invariants: one shape for each set of types; a shape never changes and never moves while somebody
// may hold it. An archetype may be taken back by others, so the one of a shape counts for a round.

#include "commands/shapes.h"

#include "base/hash.h"
#include "storage/archetype.h"
#include "storage/lanes.h"
#include "types/kinds.h"

enum { LEAST_SHAPE_BUCKETS = 64, MOST_SHAPES = 16384 };

static const oxi_hooks *heap_of(const oxi_shape_space *space) {
    return space->world->store.heap;
}

oxi_shape_space *oxi_shapes_create(ox_world *world) {
    oxi_shape_space *space =
        oxi_heap_alloc_in(world->store.heap, sizeof *space, _Alignof(oxi_shape_space));
    if (space != NULL) {
        *space = (oxi_shape_space){.world = world, .round = 1};
    }
    return space;
}

static size_t size_of_shape(uint32_t count) {
    return sizeof(oxi_row_shape) + count * sizeof(uint16_t);
}

static void free_shapes(oxi_shape_space *space) {
    for (size_t k = 0; k < space->buckets.count; k++) {
        for (oxi_row_shape *shape = space->buckets.items[k]; shape != NULL;) {
            oxi_row_shape *next = shape->next;
            oxi_list_free_in(heap_of(space), &shape->steps);
            oxi_heap_free_in(heap_of(space), shape, size_of_shape(shape->count),
                             _Alignof(oxi_row_shape));
            shape = next;
        }
    }
    oxi_list_free_in(heap_of(space), &space->buckets);
    oxi_list_free_in(heap_of(space), &space->of_archetype);
    space->count = 0;
}

void oxi_shapes_destroy(oxi_shape_space *space) {
    if (space != NULL) {
        free_shapes(space);
        oxi_heap_free_in(heap_of(space), space, sizeof *space, _Alignof(oxi_shape_space));
    }
}

void oxi_shapes_trim(oxi_shape_space *space) {
    if (space->count > MOST_SHAPES) {
        free_shapes(space);
    }
}

// Finding and making.

static bool has_same_types(const oxi_row_shape *shape, const uint16_t *types, uint32_t count) {
    return shape->count == count &&
           (count == 0 || memcmp(shape->types, types, count * sizeof *types) == 0);
}

static oxi_row_shape **shape_bucket_of(const oxi_shape_space *space, uint64_t hash) {
    return &space->buckets.items[hash & (space->buckets.count - 1)];
}

static bool grow_shape_buckets(oxi_shape_space *space) {
    size_t before = space->buckets.count;
    if (space->count < before) {
        return true;
    }
    OXI_LIST(oxi_row_shape *) old = {space->buckets.items, before, space->buckets.capacity};
    space->buckets.items = NULL;
    space->buckets.count = space->buckets.capacity = 0;
    size_t wanted = before == 0 ? LEAST_SHAPE_BUCKETS : before * 2;
    if (!oxi_list_resize_in(heap_of(space), &space->buckets, wanted)) {
        space->buckets.items = old.items;
        space->buckets.count = before;
        space->buckets.capacity = old.capacity;
        return false;
    }
    for (size_t k = 0; k < before; k++) {
        for (oxi_row_shape *shape = old.items[k]; shape != NULL;) {
            oxi_row_shape *next = shape->next, **bucket = shape_bucket_of(space, shape->hash);
            shape->next = *bucket;
            *bucket = shape;
            shape = next;
        }
    }
    oxi_list_free_in(heap_of(space), &old);
    return true;
}

// Its rows fit in a chunk. The tag of what is left of an entity does not count.
static bool does_shape_fit(const oxi_row_shape *shape) {
    oxi_row_need need = oxi_row_need_of(shape->types, shape->count);
    return shape->count - shape->is_residue <= OXI_MAX_ENTITY_TYPES && oxi_row_need_fits(&need);
}

static void fill_shape(const oxi_shape_space *space, oxi_row_shape *shape) {
    const oxi_known_ids *ids = &space->world->ids;
    for (uint32_t k = 0; k < shape->count; k++) {
        const ox_component_info *info = ox_component_get_info(shape->types[k]);
        shape->cleanup_count += oxi_is_cleanup(info);
        shape->has_shared = shape->has_shared || oxi_kind_of(info)->in_lane;
        shape->is_residue = shape->is_residue || info->id == ids->residue;
        shape->has_linked = shape->has_linked || info->id == ids->linked;
    }
    shape->fits = does_shape_fit(shape);
}

static oxi_row_shape *find_shape(oxi_shape_space *space, const uint16_t *types, uint32_t count) {
    uint64_t hash = oxi_hash_bytes(types, count * sizeof *types, 0);
    oxi_row_shape *found = space->buckets.count > 0 ? *shape_bucket_of(space, hash) : NULL;
    while (found != NULL && (found->hash != hash || !has_same_types(found, types, count))) {
        found = found->next;
    }
    if (found != NULL || !grow_shape_buckets(space)) {
        return found;
    }
    oxi_row_shape *shape =
        oxi_heap_alloc_in(heap_of(space), size_of_shape(count), _Alignof(oxi_row_shape));
    if (shape == NULL) {
        return NULL;
    }
    *shape = (oxi_row_shape){.hash = hash, .count = count};
    if (count > 0) {
        memcpy(shape->types, types, count * sizeof *types);
    }
    fill_shape(space, shape);
    oxi_row_shape **bucket = shape_bucket_of(space, hash);
    shape->next = *bucket;
    *bucket = shape;
    space->count++;
    return shape;
}

oxi_row_shape *oxi_shape_empty(oxi_shape_space *space) {
    static const uint16_t none[1];
    return find_shape(space, none, 0);
}

oxi_row_shape *oxi_shape_of(oxi_shape_space *space, const oxi_archetype *archetype) {
    if (archetype->index >= space->of_archetype.count &&
        !oxi_list_resize_in(heap_of(space), &space->of_archetype, archetype->index + 1)) {
        return NULL;
    }
    oxi_row_shape **known = &space->of_archetype.items[archetype->index];
    // An archetype that was taken back left its index to another.
    if (*known == NULL || !has_same_types(*known, archetype->types, archetype->type_count)) {
        *known = find_shape(space, archetype->types, archetype->type_count);
    }
    return *known;
}

// Steps.

bool oxi_shape_has(const oxi_row_shape *shape, uint32_t component) {
    uint32_t low = 0, high = shape->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (shape->types[middle] < component) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < shape->count && shape->types[low] == component;
}

// The types of a shape with one more, or one less.
static oxi_row_shape *change_shape(oxi_shape_space *space, const oxi_row_shape *shape,
                                   uint32_t component, bool removes) {
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES + 2];
    uint32_t count = 0;
    bool is_placed = removes;
    for (uint32_t k = 0; k < shape->count; k++) {
        if (!is_placed && shape->types[k] > component) {
            types[count++] = (uint16_t)component;
            is_placed = true;
        }
        if (!removes || shape->types[k] != component) {
            types[count++] = shape->types[k];
        }
    }
    if (!is_placed) {
        types[count++] = (uint16_t)component;
    }
    OXI_ASSERT(count == (removes ? shape->count - 1 : shape->count + 1));
    return find_shape(space, types, count);
}

static const oxi_shape_step *use_step(oxi_row_shape *shape, size_t index) {
    OXI_ASSERT(index < shape->steps.count);
    oxi_shape_step step = shape->steps.items[index];
    shape->steps.items[index] = shape->steps.items[0];
    shape->steps.items[0] = step;
    return &shape->steps.items[0];
}

const oxi_shape_step *oxi_shape_step_slowly(oxi_shape_space *space, oxi_row_shape *shape,
                                            uint32_t key) {
    for (size_t k = 0; k < shape->steps.count; k++) {
        if (shape->steps.items[k].key == key) {
            return use_step(shape, k);
        }
    }
    uint32_t component = key >> 2, kind = key & 3;
    const ox_component_info *info = ox_component_get_info(component);
    oxi_shape_step step = {.key = key,
                           .was_there = oxi_shape_has(shape, component),
                           .has_entities = info->entity_count > 0,
                           .is_shared = oxi_kind_of(info)->in_lane,
                           .to = shape};
    // A shape that does not fit is nobody's: it is not gone on from.
    if (shape->fits && kind != OXI_STEP_LOOK && step.was_there == (kind == OXI_STEP_REMOVE)) {
        step.to = change_shape(space, shape, component, kind == OXI_STEP_REMOVE);
    }
    if (step.to == NULL || !oxi_list_push_in(heap_of(space), &shape->steps, step)) {
        return NULL;
    }
    return use_step(shape, shape->steps.count - 1);
}

oxi_row_shape *oxi_shape_residue(oxi_shape_space *space, oxi_row_shape *shape) {
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES + 1];
    uint32_t count = 0, residue = space->world->ids.residue;
    bool is_placed = false;
    OXI_ASSERT(shape->cleanup_count > 0);
    OXI_ASSERT(!shape->is_residue);
    if (shape->residue != NULL) {
        return shape->residue;
    }
    for (uint32_t k = 0; k < shape->count; k++) {
        if (!is_placed && shape->types[k] > residue) {
            types[count++] = (uint16_t)residue;
            is_placed = true;
        }
        if (oxi_is_cleanup(ox_component_get_info(shape->types[k]))) {
            types[count++] = shape->types[k];
        }
    }
    if (!is_placed) {
        types[count++] = (uint16_t)residue;
    }
    return shape->residue = find_shape(space, types, count);
}

oxi_row_shape *oxi_shape_copied(oxi_shape_space *space, oxi_row_shape *shape) {
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t count = 0;
    if (shape->copied != NULL) {
        return shape->copied;
    }
    for (uint32_t k = 0; k < shape->count; k++) {
        if (shape->types[k] != space->world->ids.prefab &&
            oxi_is_copied(ox_component_get_info(shape->types[k]))) {
            types[count++] = shape->types[k];
        }
    }
    return shape->copied = find_shape(space, types, count);
}

oxi_archetype *oxi_shape_archetype(oxi_shape_space *space, oxi_row_shape *shape) {
    if (shape->round != space->round) {
        oxi_outcome outcome;
        shape->archetype =
            oxi_archetype_get(&space->world->store, shape->types, shape->count, &outcome);
        shape->round = shape->archetype != NULL ? space->round : 0;
    }
    OXI_ASSERT(shape->archetype == NULL || shape->archetype->hash == shape->hash);
    return shape->archetype;
}
