// SPDX-License-Identifier: MIT
//
// Names of entities: optional, unique in a store.

#pragma once

#include "base/heap.h"
#include "storage/entity_table.h"

/// A name and whose it is. Found by its text and by its entity.
typedef struct oxi_name {
    struct oxi_name *next_by_text;
    struct oxi_name *next_by_entity;
    uint64_t hash;
    ox_entity entity;
    size_t size; ///< of this block
    char text[];
} oxi_name;

/// {0} has no names and owns nothing.
typedef struct oxi_names {
    oxi_name **by_text; ///< chains; as many of entities follow
    oxi_name **by_entity;
    size_t chain_count; ///< a power of two, or 0
    size_t count;
    const oxi_hooks *heap; ///< where its blocks come from; NULL: the process's hooks
} oxi_names;

/// Gives an entity a name, instead of the one it had. NULL or "" takes its name away.
/// @return OXI_AT_LIMIT when another entity has that name.
oxi_outcome oxi_name_set(oxi_names *names, ox_entity entity, const char *text);

/// The name of an entity, or NULL.
const char *oxi_name_get(const oxi_names *names, ox_entity entity);

/// Who has a name, or the null entity.
ox_entity oxi_name_find(const oxi_names *names, const char *text);

/// Takes the name of an entity away, if it has one. Allocates nothing.
void oxi_name_forget(oxi_names *names, ox_entity entity);

/// Makes sure that `count` names more can be linked. @return false when out of memory.
bool oxi_names_reserve(oxi_names *names, size_t count);

/// A name of nobody, or NULL when out of memory; and its end, as long as it is nobody's.
oxi_name *oxi_name_make(const oxi_names *names, const char *text);
void oxi_name_free(const oxi_names *names, oxi_name *name);

/// Gives a name, which nobody has, to an entity that has none. Room was made.
void oxi_name_link(oxi_names *names, oxi_name *name, ox_entity entity);

/// Takes the name of an entity away and returns it, or NULL when it has none.
oxi_name *oxi_name_unlink(oxi_names *names, ox_entity entity);

/// Forgets all names and frees the memory. They are {0} afterwards.
void oxi_names_free(oxi_names *names);
