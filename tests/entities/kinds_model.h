// SPDX-License-Identifier: MIT
//
// A world with components of all kinds as a naive program would write it: an array of entities, and
// in each a plain struct for every component that it may have. A shared value is a number, a buffer
// an array of its own, what is switched off a bit. There are no chunks: nobody may tell by these
// rules where an entity lies.

#pragma once

#include "oxbow/entities.h"
#include "oxbow/queries.h"

OX_COMPONENT(KindsPlain, { int32_t x, y; });
OX_COMPONENT(KindsWide, { int64_t numbers[30]; });
OX_COMPONENT(KindsPointer, {
    int32_t weight;
    ox_entity who;
    ox_entity others[2];
});
OX_TAG(KindsTag);
OX_ENABLEABLE(KindsSwitch, { int64_t seconds; });
OX_ENABLEABLE_TAG(KindsSwitchTag);
OX_COMPONENT_OF_KIND(KindsSwitchBuffer, OX_COMPONENT_KIND_BUFFER, OX_COMPONENT_ENABLEABLE, 3,
                     { int16_t number; });
OX_SHARED(KindsText, { const char *text; });
OX_SHARED(KindsTeam, { int32_t id; });
OX_COMPONENT_OF_KIND(KindsMark, OX_COMPONENT_KIND_SHARED, OX_COMPONENT_CLEANUP, 0, { int32_t id; });
OX_BUFFER(KindsRefs, 4, {
    int32_t weight;
    ox_entity who;
});
OX_BUFFER(KindsOutside, OX_INLINE_NONE, { int64_t number; });
OX_COMPONENT_OF_KIND(KindsSlot, OX_COMPONENT_KIND_DATA,
                     OX_COMPONENT_CLEANUP | OX_COMPONENT_ENABLEABLE, 0, { int32_t slot; });
OX_COMPONENT_OF_KIND(KindsTrail, OX_COMPONENT_KIND_BUFFER, OX_COMPONENT_CLEANUP, 2,
                     { int32_t x, y; });

/// Components by number, in the order of this list; a set is a mask of them.
enum {
    KINDS_PLAIN = 0,
    KINDS_WIDE,
    KINDS_POINTER,
    KINDS_TAG,
    KINDS_SWITCH,
    KINDS_SWITCH_TAG,
    KINDS_SWITCH_BUFFER,
    KINDS_TEXT,
    KINDS_TEAM,
    KINDS_MARK,
    KINDS_REFS,
    KINDS_OUTSIDE,
    KINDS_SLOT,
    KINDS_TRAIL,
    KINDS_PREFAB,
    KINDS_DISABLED,
    KINDS_LINKED,
    KINDS_COUNT,
    KINDS_RESIDUE = KINDS_COUNT, ///< which no model entity has as a component: see is_residue
    KINDS_ALL,
};

enum {
    KINDS_TEXTS = 12,    ///< values of KindsText, the default among them
    KINDS_LARGEST = 256, ///< no value is larger
    KINDS_LARGEST_ELEMENT = 16,
    KINDS_MOST_ELEMENTS = 40, ///< of a buffer
};

/// What is known of a component.
typedef struct kinds_component {
    uint32_t id;
    ox_component_kind kind;
    uint32_t flags;
    uint32_t size; ///< of a value, or of an element; 0 for a tag
    const uint32_t *entity_offsets;
    uint32_t entity_count;
} kinds_component;

extern kinds_component kinds_components[KINDS_ALL];

/// Masks of the components that have something in common.
typedef struct kinds_masks {
    uint32_t data, shared, buffers, cleanup, enableable;
} kinds_masks;

extern kinds_masks kinds_masked;

/// Makes the list. Registers nothing twice.
void kinds_register(void);

/// Stored texts that were not dropped.
extern int64_t kinds_live_texts;

/// The value of a shared component that a number stands for, 0 for the default. What it points to
/// is somewhere else at every other call.
void kinds_make_shared(int component, int number, void *value);

/// The number that a value stands for; -1 for none.
int kinds_number_of(int component, const void *value);

/// A buffer.
typedef struct kinds_array {
    unsigned char *bytes;
    int count;
} kinds_array;

typedef struct kinds_entity {
    uint32_t version;
    bool is_alive;
    bool is_residue;
    int64_t next_free;
    int alive_place; ///< in the list of those alive
    uint32_t mask;
    uint32_t off; ///< switched off
    KindsPlain plain;
    KindsWide wide;
    KindsPointer pointer;
    KindsSwitch seconds;
    KindsSlot slot;
    int shared[KINDS_COUNT];
    kinds_array arrays[KINDS_COUNT];
    uint32_t changed[KINDS_COUNT]; ///< the version when it came or was written last
    uint64_t arrived;              ///< when it got its components and shared values
    int32_t chunk, row;            ///< where it was when all was compared
} kinds_entity;

/// A list of entities that grows.
typedef struct kinds_list {
    ox_entity *items;
    int count;
    int room;
} kinds_list;

void kinds_list_push(kinds_list *list, ox_entity entity);
bool kinds_list_has(const kinds_list *list, ox_entity entity);
void kinds_list_free(kinds_list *list);

typedef struct kinds_model {
    kinds_entity *entities;
    int64_t used;
    int64_t room;
    int64_t first_free; ///< -1: none
    uint32_t *alive;
    int alive_count;
    uint32_t version; ///< what changes are stamped with
    uint64_t clock;   ///< of operations
} kinds_model;

void kinds_model_create(kinds_model *self);
void kinds_model_destroy(kinds_model *self);

bool kinds_is_alive(const kinds_model *self, ox_entity entity);
ox_entity kinds_handle(const kinds_model *self, uint32_t index);
static inline bool kinds_is_same(ox_entity a, ox_entity b) {
    return a.index == b.index && a.version == b.version;
}

/// The value of a data component of an entity.
void *kinds_value(kinds_entity *entity, int component);

/// Notes that a component of an entity is written.
kinds_entity *kinds_touch(kinds_model *self, uint32_t index, int component);

/// Sets a shared value; the same again is no change.
void kinds_change_shared(kinds_model *self, uint32_t index, int component, int number);

/// Makes an entity with zeros.
ox_entity kinds_add(kinds_model *self, uint32_t mask);

/// Gives an entity another set: what it keeps stays as it is, the rest is zero, empty and on. One
/// that is destroyed ends when it has no cleanup component left.
void kinds_set_mask(kinds_model *self, uint32_t index, uint32_t mask);

/// Changes the length of a buffer at a place; what is new is zero.
void kinds_array_change(kinds_entity *entity, int component, int at, int removed, int added);

/// Destroys entities with their groups: those given first, then members in order, groups of members
/// after them.
void kinds_destroy(kinds_model *self, const ox_entity *entities, int count);

/// The same for entities alone.
void kinds_destroy_one(kinds_model *self, uint32_t index);

/// An entity and the members of its group that can be copied, each once.
void kinds_list_group(const kinds_model *self, uint32_t index, kinds_list *list);

/// True when the group of an entity begins with it, or is empty.
bool kinds_group_is_good(const kinds_model *self, uint32_t index);

/// Copies a set of entities; what points into it points to the copies.
void kinds_copy(kinds_model *self, const kinds_list *set, bool keeps_prefab, ox_entity *copies);
