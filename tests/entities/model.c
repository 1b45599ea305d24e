// SPDX-License-Identifier: MIT
//
// The naive world.

#include "entities/model.h"

#include <stdlib.h>
#include <string.h>

static void *model_grow(void *block, size_t size) {
    void *grown = realloc(block, size);
    if (grown == NULL) {
        abort();
    }
    return grown;
}

static void *model_alloc(size_t size) {
    void *block = calloc(1, size > 0 ? size : 1);
    if (block == NULL) {
        abort();
    }
    return block;
}

static void ignore_report(const ox_report *report, void *context) {
    (void)report;
    (void)context;
}

void model_create(model *self, const model_component *components, int count, bool swaps) {
    *self = (model){.components = components,
                    .component_count = count,
                    .swaps = swaps,
                    .version = 1,
                    .first_free = MODEL_NO_FREE};
    self->measure =
        ox_world_create(&(ox_world_def){.name = "measure", .on_report = {ignore_report, NULL}});
    self->set_of_mask = model_alloc(((size_t)1 << count) * sizeof *self->set_of_mask);
    self->capacity_of_mask = model_alloc(((size_t)1 << count) * sizeof *self->capacity_of_mask);
    model_name_set(self, 0);
}

static void free_chunk(model_chunk *chunk) {
    free(chunk->rows);
    free(chunk);
}

void model_destroy(model *self) {
    while (self->alive_count > 0) {
        model_remove(self, self->alive[self->alive_count - 1]);
    }
    for (int k = 0; k < self->set_count; k++) {
        free(self->sets[k]->chunks);
        free(self->sets[k]);
    }
    free(self->sets);
    free(self->set_of_mask);
    free(self->capacity_of_mask);
    free(self->entities);
    free(self->alive);
    ox_world_destroy(self->measure);
    *self = (model){0};
}

// Sets.

static int measure_capacity(const model *self, uint32_t mask) {
    uint32_t ids[MODEL_COMPONENTS];
    int count = 0;
    for (int k = 0; k < self->component_count; k++) {
        if (mask >> k & 1) {
            ids[count++] = self->components[k].id;
        }
    }
    ox_archetype archetype = ox_archetype_of_at(self->measure, ids, count, OX_HERE);
    if (archetype.number == 0) {
        return 0;
    }
    ox_entity entity = ox_entity_create_in(self->measure, archetype);
    int capacity = ox_entity_get_location(self->measure, entity).capacity;
    ox_entity_destroy(self->measure, entity);
    return capacity;
}

int model_capacity(model *self, uint32_t mask) {
    if (self->capacity_of_mask[mask] == 0) {
        self->capacity_of_mask[mask] = 1 + measure_capacity(self, mask);
    }
    return self->capacity_of_mask[mask] - 1;
}

model_set *model_name_set(model *self, uint32_t mask) {
    if (self->set_of_mask[mask] != NULL) {
        return self->set_of_mask[mask];
    }
    int capacity = model_capacity(self, mask);
    if (capacity == 0) {
        return NULL;
    }
    model_set *set = model_alloc(sizeof *set);
    *set = (model_set){.mask = mask, .capacity = capacity};
    self->sets = model_grow(self->sets, (size_t)(self->set_count + 1) * sizeof *self->sets);
    self->sets[self->set_count++] = set;
    self->set_of_mask[mask] = set;
    return set;
}

// Rows.

static void attach_chunk(model_set *set, model_chunk *chunk) {
    if (set->chunk_count == set->chunk_room) {
        set->chunk_room = set->chunk_room * 2 + 4;
        set->chunks = model_grow(set->chunks, (size_t)set->chunk_room * sizeof *set->chunks);
    }
    set->chunks[set->chunk_count++] = chunk;
}

static model_chunk *append_chunk(model_set *set) {
    model_chunk *chunk = model_alloc(sizeof *chunk);
    chunk->rows = model_alloc((size_t)set->capacity * sizeof *chunk->rows);
    chunk->is_open = true;
    attach_chunk(set, chunk);
    return chunk;
}

static int find_chunk(const model_set *set, const model_chunk *chunk) {
    int k = 0;
    while (set->chunks[k] != chunk) {
        k++;
    }
    return k;
}

static void detach_chunk(model_set *set, const model_chunk *chunk) {
    int k = find_chunk(set, chunk);
    memmove(&set->chunks[k], &set->chunks[k + 1],
            (size_t)(set->chunk_count - k - 1) * sizeof *set->chunks);
    set->chunk_count--;
}

static int find_row(const model_chunk *chunk, uint32_t index) {
    int k = 0;
    while (chunk->rows[k] != index) {
        k++;
    }
    return k;
}

// The rule: open until full; a full one opens again when enough rows are gone; an empty one goes.
static void judge_chunk(const model *self, model_set *set, model_chunk *chunk) {
    int reopen = set->capacity / 8 > 1 && !self->swaps ? set->capacity / 8 : 1;
    if (chunk->count == set->capacity) {
        chunk->is_open = false;
    } else if (set->capacity - chunk->count >= reopen) {
        chunk->is_open = true;
    }
    if (chunk->count == 0) {
        detach_chunk(set, chunk);
        free_chunk(chunk);
    }
}

static uint32_t newer_version(uint32_t a, uint32_t b) {
    return b == 0 || (a != 0 && (int32_t)(a - b) > 0) ? a : b;
}

// A row came. What it had where it was counts as changed when it did there; the rest changed now.
static void stamp_arrival(model *self, const model_set *set, model_chunk *to,
                          const model_entity *entity) {
    uint32_t kept = entity->chunk != NULL ? entity->set->mask : 0;
    to->order_version = self->version;
    for (int k = 0; k < self->component_count; k++) {
        if (set->mask >> k & 1) {
            to->versions[k] = kept >> k & 1
                                  ? newer_version(to->versions[k], entity->chunk->versions[k])
                                  : self->version;
        }
    }
}

// Rows of a chunk went to another of its set.
static void merge_versions(model *self, model_chunk *to, const model_chunk *from) {
    to->order_version = self->version;
    for (int k = 0; k < self->component_count; k++) {
        to->versions[k] = newer_version(to->versions[k], from->versions[k]);
    }
}

static void add_row(model *self, model_set *set, uint32_t index) {
    model_chunk *chunk = NULL;
    for (int k = 0; k < set->chunk_count && chunk == NULL; k++) {
        chunk = set->chunks[k]->is_open ? set->chunks[k] : NULL;
    }
    if (chunk == NULL) {
        chunk = append_chunk(set);
    }
    chunk->rows[chunk->count++] = index;
    stamp_arrival(self, set, chunk, &self->entities[index]);
    self->entities[index].set = set;
    self->entities[index].chunk = chunk;
    judge_chunk(self, set, chunk);
}

static void remove_row(model *self, model_set *set, model_chunk *chunk, uint32_t index) {
    int row = find_row(chunk, index);
    chunk->count--;
    chunk->order_version = self->version;
    if (self->swaps) {
        chunk->rows[row] = chunk->rows[chunk->count];
    } else {
        memmove(&chunk->rows[row], &chunk->rows[row + 1],
                (size_t)(chunk->count - row) * sizeof *chunk->rows);
    }
    judge_chunk(self, set, chunk);
}

// Ids.

static uint32_t take_index(model *self) {
    uint32_t index;
    if (self->first_free != MODEL_NO_FREE) {
        index = (uint32_t)self->first_free;
        self->first_free = self->entities[index].next_free;
    } else {
        if (self->used == self->room) {
            self->room = self->room * 2 + 64;
            self->entities =
                model_grow(self->entities, (size_t)self->room * sizeof *self->entities);
            self->alive = model_grow(self->alive, (size_t)self->room * sizeof *self->alive);
        }
        index = (uint32_t)self->used++;
        self->entities[index] = (model_entity){.version = 1};
    }
    model_entity *entity = &self->entities[index];
    entity->is_alive = true;
    entity->chunk = NULL;
    entity->alive_place = self->alive_count;
    self->alive[self->alive_count++] = index;
    return index;
}

static void free_index(model *self, uint32_t index) {
    model_entity *entity = &self->entities[index];
    entity->is_alive = false;
    entity->version++;
    entity->next_free = self->first_free;
    self->first_free = index;
    uint32_t last = self->alive[--self->alive_count];
    self->alive[entity->alive_place] = last;
    self->entities[last].alive_place = entity->alive_place;
}

ox_entity model_handle(const model *self, uint32_t index) {
    return (ox_entity){index, self->entities[index].version};
}

bool model_is_alive(const model *self, ox_entity entity) {
    return entity.index < self->used && self->entities[entity.index].is_alive &&
           self->entities[entity.index].version == entity.version;
}

// Operations.

static void set_values(model *self, model_entity *entity, uint32_t mask) {
    for (int k = 0; k < self->component_count; k++) {
        if (!(mask >> k & 1)) {
            free(entity->values[k]);
            entity->values[k] = NULL;
        } else if (entity->values[k] == NULL) {
            entity->values[k] = model_alloc(self->components[k].size);
        }
    }
}

ox_entity model_add(model *self, uint32_t mask) {
    uint32_t index = take_index(self);
    model_set *set = model_name_set(self, mask);
    add_row(self, set, index);
    set->changes++;
    set_values(self, &self->entities[index], mask);
    return model_handle(self, index);
}

void model_remove(model *self, uint32_t index) {
    model_entity *entity = &self->entities[index];
    set_values(self, entity, 0);
    model_set_name(self, index, -1);
    entity->set->changes++;
    remove_row(self, entity->set, entity->chunk, index);
    free_index(self, index);
}

unsigned char *model_edit(model *self, uint32_t index, int component) {
    self->entities[index].chunk->versions[component] = self->version;
    return self->entities[index].values[component];
}

void model_move(model *self, uint32_t index, uint32_t mask) {
    model_entity *entity = &self->entities[index];
    model_set *from = entity->set;
    model_chunk *chunk = entity->chunk;
    if (from->mask == mask) {
        return;
    }
    add_row(self, model_name_set(self, mask), index);
    remove_row(self, from, chunk, index);
    from->changes++;
    entity->set->changes++;
    set_values(self, entity, mask);
}

ox_entity model_instantiate(model *self, uint32_t index) {
    ox_entity source = model_handle(self, index);
    ox_entity copy = model_add(self, self->entities[index].set->mask);
    for (int k = 0; k < self->component_count; k++) {
        const model_component *component = &self->components[k];
        unsigned char *to = self->entities[copy.index].values[k];
        if (to == NULL) {
            continue;
        }
        memcpy(to, self->entities[index].values[k], component->size);
        if (component->entity_offset >= 0 &&
            memcmp(to + component->entity_offset, &source, sizeof source) == 0) {
            memcpy(to + component->entity_offset, &copy, sizeof copy);
        }
    }
    return copy;
}

static uint64_t slide_rows(model *self, model_set *set, int left, uint64_t most) {
    model_chunk *to = set->chunks[left], *from = set->chunks[left + 1];
    uint64_t moved = 0;
    int first = from->count; // in a world that swaps back, rows come from the end, as a block
    uint64_t room = (uint64_t)(set->capacity - to->count);
    room = room < most ? room : most;
    room = room < (uint64_t)from->count ? room : (uint64_t)from->count;
    for (; moved < room; moved++) {
        uint32_t index = from->rows[self->swaps ? first - (int)room + (int)moved : (int)moved];
        to->rows[to->count++] = index;
        self->entities[index].chunk = to;
    }
    merge_versions(self, to, from);
    from->order_version = self->version;
    from->count -= (int)moved;
    if (!self->swaps) {
        memmove(from->rows, from->rows + moved, (size_t)from->count * sizeof *from->rows);
    }
    judge_chunk(self, set, to);
    judge_chunk(self, set, from);
    return moved;
}

uint64_t model_defragment(model *self, uint64_t most) {
    uint64_t moved = 0;
    for (int k = 0; k < self->set_count; k++) {
        model_set *set = self->sets[k];
        uint64_t before = moved;
        for (int left = 0; left + 1 < set->chunk_count && moved < most;) {
            if (set->chunks[left]->count == set->capacity) {
                left++;
            } else {
                moved += slide_rows(self, set, left, most - moved);
            }
        }
        set->changes += moved > before;
    }
    return moved;
}

// Whole chunks.

static void join_chunks(model *self, model_set *set) {
    for (int left = 0; left + 1 < set->chunk_count;) {
        if (set->chunks[left]->count + set->chunks[left + 1]->count <= set->capacity) {
            slide_rows(self, set, left, UINT64_MAX);
        } else {
            left++;
        }
    }
}

static void relabel_chunk(model *self, model_set *from, model_set *to, model_chunk *chunk) {
    detach_chunk(from, chunk);
    attach_chunk(to, chunk);
    chunk->is_open = false;
    chunk->order_version = self->version;
    for (int k = 0; k < self->component_count; k++) {
        if (!(from->mask >> k & 1)) {
            chunk->versions[k] = self->version;
        }
    }
    for (int row = 0; row < chunk->count; row++) {
        self->entities[chunk->rows[row]].set = to;
        set_values(self, &self->entities[chunk->rows[row]], to->mask);
    }
    judge_chunk(self, to, chunk);
}

static void move_rows(model *self, model_set *from, model_set *to, model_chunk *chunk) {
    for (int row = 0; row < chunk->count; row++) {
        add_row(self, to, chunk->rows[row]);
        set_values(self, &self->entities[chunk->rows[row]], to->mask);
    }
    detach_chunk(from, chunk);
    free_chunk(chunk);
}

static bool have_same_values(const model *self, uint32_t a, uint32_t b) {
    bool is_same = true;
    for (int k = 0; k < self->component_count; k++) {
        is_same = is_same && (self->components[k].size == 0 || ((a ^ b) >> k & 1) == 0);
    }
    return is_same;
}

void model_move_chunks(model *self, model_set *from, model_chunk *const *chunks, int count,
                       uint32_t mask) {
    model_set *to = model_name_set(self, mask);
    bool relabels = have_same_values(self, from->mask, mask);
    for (int k = 0; k < count; k++) {
        if (relabels) {
            relabel_chunk(self, from, to, chunks[k]);
        } else {
            move_rows(self, from, to, chunks[k]);
        }
    }
    if (relabels && count > 0) {
        join_chunks(self, to);
        join_chunks(self, from);
    }
    from->changes += count > 0;
    to->changes += count > 0;
}

void model_remove_chunks(model *self, model_set *set, model_chunk *const *chunks, int count) {
    for (int k = 0; k < count; k++) {
        for (int row = 0; row < chunks[k]->count; row++) {
            uint32_t index = chunks[k]->rows[row];
            set_values(self, &self->entities[index], 0);
            model_set_name(self, index, -1);
            free_index(self, index);
        }
        detach_chunk(set, chunks[k]);
        free_chunk(chunks[k]);
    }
    set->changes += count > 0;
}

bool model_set_name(model *self, uint32_t index, int name) {
    model_entity *entity = &self->entities[index];
    if (name >= 0 && self->named[name].version != 0) {
        return entity->name == name + 1;
    }
    if (entity->name != 0) {
        self->named[entity->name - 1] = (ox_entity){0, 0};
    }
    entity->name = name + 1;
    if (name >= 0) {
        self->named[name] = model_handle(self, index);
    }
    return true;
}
