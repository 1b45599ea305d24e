// SPDX-License-Identifier: MIT
//
// The naive world of all kinds.

#include "entities/kinds_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow_block(void *block, size_t size) {
    void *grown = realloc(block, size > 0 ? size : 1);
    if (grown == NULL) {
        abort();
    }
    return grown;
}

// Lists.

void kinds_list_push(kinds_list *list, ox_entity entity) {
    if (list->count == list->room) {
        list->room = list->room * 2 + 16;
        list->items = grow_block(list->items, (size_t)list->room * sizeof *list->items);
    }
    list->items[list->count++] = entity;
}

bool kinds_list_has(const kinds_list *list, ox_entity entity) {
    for (int k = 0; k < list->count; k++) {
        if (kinds_is_same(list->items[k], entity)) {
            return true;
        }
    }
    return false;
}

void kinds_list_free(kinds_list *list) {
    free(list->items);
    *list = (kinds_list){0};
}

// The model.

void kinds_model_create(kinds_model *self) {
    *self = (kinds_model){.first_free = -1, .version = 1};
}

void kinds_model_destroy(kinds_model *self) {
    for (int64_t k = 0; k < self->used; k++) {
        for (int n = 0; n < KINDS_COUNT; n++) {
            free(self->entities[k].arrays[n].bytes);
        }
    }
    free(self->entities);
    free(self->alive);
    *self = (kinds_model){0};
}

ox_entity kinds_handle(const kinds_model *self, uint32_t index) {
    return (ox_entity){index, self->entities[index].version};
}

bool kinds_is_alive(const kinds_model *self, ox_entity entity) {
    return entity.index < self->used && self->entities[entity.index].is_alive &&
           self->entities[entity.index].version == entity.version;
}

void *kinds_value(kinds_entity *entity, int component) {
    switch (component) {
    case KINDS_PLAIN:
        return &entity->plain;
    case KINDS_WIDE:
        return &entity->wide;
    case KINDS_POINTER:
        return &entity->pointer;
    case KINDS_SWITCH:
        return &entity->seconds;
    case KINDS_SLOT:
        return &entity->slot;
    default:
        return NULL;
    }
}

// Ids: one that was freed last is given first.

static uint32_t take_id(kinds_model *self) {
    int64_t index = self->first_free;
    if (index >= 0) {
        self->first_free = self->entities[index].next_free;
    } else {
        if (self->used == self->room) {
            self->room = self->room * 2 + 64;
            self->entities = grow_block(self->entities, (size_t)self->room * sizeof(kinds_entity));
            self->alive = grow_block(self->alive, (size_t)self->room * sizeof *self->alive);
        }
        index = self->used++;
        self->entities[index] = (kinds_entity){.version = 1};
    }
    self->entities[index].is_alive = true;
    self->entities[index].arrived = self->clock;
    self->entities[index].alive_place = self->alive_count;
    self->alive[self->alive_count++] = (uint32_t)index;
    return (uint32_t)index;
}

static void free_id(kinds_model *self, uint32_t index) {
    kinds_entity *entity = &self->entities[index];
    entity->is_alive = false;
    entity->is_residue = false;
    entity->version++;
    entity->next_free = self->first_free;
    self->first_free = index;
    uint32_t last = self->alive[--self->alive_count];
    self->alive[entity->alive_place] = last;
    self->entities[last].alive_place = entity->alive_place;
}

// Components.

static void clear_component(kinds_entity *entity, int component) {
    void *value = kinds_value(entity, component);
    if (value != NULL) {
        memset(value, 0, kinds_components[component].size);
    }
    entity->shared[component] = 0;
    free(entity->arrays[component].bytes);
    entity->arrays[component] = (kinds_array){NULL, 0};
    entity->off &= ~(UINT32_C(1) << component);
}

kinds_entity *kinds_touch(kinds_model *self, uint32_t index, int component) {
    self->entities[index].changed[component] = self->version;
    return &self->entities[index];
}

void kinds_change_shared(kinds_model *self, uint32_t index, int component, int number) {
    if (self->entities[index].shared[component] != number) {
        kinds_touch(self, index, component)->shared[component] = number;
        self->entities[index].arrived = self->clock;
    }
}

static void change_mask(const kinds_model *self, kinds_entity *entity, uint32_t mask) {
    for (int k = 0; k < KINDS_COUNT; k++) {
        if ((entity->mask ^ mask) >> k & 1) {
            clear_component(entity, k);
            entity->changed[k] = self->version;
            entity->arrived = self->clock;
        }
    }
    entity->mask = mask;
}

ox_entity kinds_add(kinds_model *self, uint32_t mask) {
    uint32_t index = take_id(self);
    change_mask(self, &self->entities[index], mask);
    return kinds_handle(self, index);
}

void kinds_set_mask(kinds_model *self, uint32_t index, uint32_t mask) {
    kinds_entity *entity = &self->entities[index];
    change_mask(self, entity, mask);
    if (entity->is_residue && mask == 0) {
        free_id(self, index);
    }
}

void kinds_array_change(kinds_entity *entity, int component, int at, int removed, int added) {
    kinds_array *array = &entity->arrays[component];
    size_t size = kinds_components[component].size;
    int count = array->count - removed + added;
    unsigned char *bytes = grow_block(NULL, (size_t)count * size);
    memset(bytes, 0, (size_t)count * size);
    if (array->count > 0) {
        memcpy(bytes, array->bytes, (size_t)at * size);
        memcpy(bytes + (size_t)(at + added) * size, array->bytes + (size_t)(at + removed) * size,
               (size_t)(array->count - at - removed) * size);
    }
    free(array->bytes);
    *array = (kinds_array){bytes, count};
}

// Destroying.

void kinds_destroy_one(kinds_model *self, uint32_t index) {
    kinds_entity *entity = &self->entities[index];
    if (entity->is_residue) {
        return;
    }
    uint32_t kept = entity->mask & kinds_masked.cleanup;
    change_mask(self, entity, kept);
    entity->is_residue = kept != 0;
    entity->arrived = self->clock;
    if (kept == 0) {
        free_id(self, index);
    }
}

static void push_doomed(const kinds_model *self, kinds_list *list, ox_entity entity) {
    if (kinds_is_alive(self, entity) && !self->entities[entity.index].is_residue &&
        !kinds_list_has(list, entity)) {
        kinds_list_push(list, entity);
    }
}

void kinds_destroy(kinds_model *self, const ox_entity *entities, int count) {
    kinds_list list = {0};
    for (int k = 0; k < count; k++) {
        push_doomed(self, &list, entities[k]);
    }
    for (int k = 0; k < list.count; k++) {
        const kinds_array *group = &self->entities[list.items[k].index].arrays[KINDS_LINKED];
        for (int n = 0; n < group->count; n++) {
            push_doomed(self, &list, ((const ox_linked *)(const void *)group->bytes)[n].entity);
        }
    }
    for (int k = 0; k < list.count; k++) {
        kinds_destroy_one(self, list.items[k].index);
    }
    kinds_list_free(&list);
}

// Copying.

bool kinds_group_is_good(const kinds_model *self, uint32_t index) {
    const kinds_array *group = &self->entities[index].arrays[KINDS_LINKED];
    return group->count == 0 ||
           kinds_is_same(((const ox_linked *)(const void *)group->bytes)[0].entity,
                         kinds_handle(self, index));
}

void kinds_list_group(const kinds_model *self, uint32_t index, kinds_list *list) {
    const kinds_array *group = &self->entities[index].arrays[KINDS_LINKED];
    kinds_list_push(list, kinds_handle(self, index));
    for (int k = 0; k < group->count; k++) {
        push_doomed(self, list, ((const ox_linked *)(const void *)group->bytes)[k].entity);
    }
}

// Lets the entities in a value that are of a set be those of the other.
static void remap(unsigned char *value, int component, const kinds_list *set,
                  const ox_entity *copies) {
    for (uint32_t n = 0; n < kinds_components[component].entity_count; n++) {
        unsigned char *at = value + kinds_components[component].entity_offsets[n];
        ox_entity there;
        memcpy(&there, at, sizeof there);
        for (int k = 0; k < set->count; k++) {
            if (kinds_is_same(there, set->items[k])) {
                memcpy(at, &copies[k], sizeof there);
            }
        }
    }
}

static void copy_array(kinds_entity *to, const kinds_entity *from, int component,
                       const kinds_list *set, const ox_entity *copies) {
    const kinds_array *array = &from->arrays[component];
    size_t size = kinds_components[component].size;
    kinds_array_change(to, component, 0, 0, array->count);
    for (int k = 0; k < array->count; k++) {
        unsigned char *element = to->arrays[component].bytes + (size_t)k * size;
        memcpy(element, array->bytes + (size_t)k * size, size);
        remap(element, component, set, copies);
    }
}

static void copy_entity(kinds_model *self, int place, const kinds_list *set,
                        const ox_entity *copies) {
    kinds_entity *from = &self->entities[set->items[place].index];
    kinds_entity *to = &self->entities[copies[place].index];
    to->off = from->off & to->mask;
    for (int k = 0; k < KINDS_COUNT; k++) {
        if (!(to->mask >> k & 1)) {
            continue;
        }
        to->shared[k] = from->shared[k];
        void *value = kinds_value(to, k);
        if (value != NULL) {
            memcpy(value, kinds_value(from, k), kinds_components[k].size);
            remap(value, k, set, copies);
        } else if (kinds_masked.buffers >> k & 1) {
            copy_array(to, from, k, set, copies);
        }
    }
}

void kinds_copy(kinds_model *self, const kinds_list *set, bool keeps_prefab, ox_entity *copies) {
    uint32_t left = kinds_masked.cleanup;
    if (!keeps_prefab) {
        left |= UINT32_C(1) << KINDS_PREFAB;
    }
    for (int k = 0; k < set->count; k++) {
        copies[k] = kinds_add(self, self->entities[set->items[k].index].mask & ~left);
    }
    for (int k = 0; k < set->count; k++) {
        copy_entity(self, k, set, copies);
    }
}
