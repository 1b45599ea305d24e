// SPDX-License-Identifier: MIT
//
// Private: the inline code of maps and multimaps. A walk over all keys reads four groups at a time,
// because each exit from the loop over the slots of a group costs a branch misprediction. Slot k of
// the four is slot k % 16 of group k / 16.

#pragma once

#include "oxbow/map.h"

/// Returns true if the map may be read.
OX_API bool oxi_map_may_read_at(ox_map map, oxi_slot_shape shape, ox_site site);

/// Returns true if the values of the map may be written.
OX_API bool oxi_map_may_write_at(ox_map map, oxi_slot_shape shape, ox_site site);

/// Returns true if keys may be added and removed.
OX_API bool oxi_map_may_resize_at(ox_map map, oxi_slot_shape shape, ox_site site);

/// Returns the value of a key, or NULL, for maps with pending writes or functions. These functions
/// take the table alone, because a handle as argument would be copied to the stack at each use.
OX_API void *oxi_map_find_slow_at(oxi_table *table, const void *key, ox_site site);

/// Returns the slot of a key, which is added if it is missing. @return NULL after a report.
OX_API void *oxi_map_open_slow_at(oxi_table *table, const void *key, bool *is_new, ox_site site);

/// Removes a key. @return false if it was missing, or after a report.
OX_API bool oxi_map_remove_slow_at(oxi_table *table, const void *key, ox_site site);

/// Reports a missing key. @return oxi_element_zeros().
OX_API const void *oxi_map_missing_at(oxi_table *table, ox_site site);

OXI_INLINE void *oxi_map_find(oxi_table *table, const void *key, oxi_slot_shape shape,
                              ox_site site) {
    size_t size = oxi_table_key_size(shape);
    uint64_t word, again;
    key = oxi_key_local(&word, key, size);
    uint32_t special = oxi_table_special(table);
    if (OXI_UNLIKELY(special > OXI_TABLE_FAR)) {
        return oxi_map_find_slow_at(table, oxi_key_local(&again, key, size), site);
    }
    uint64_t hash = oxi_table_hash(table, key, size);
    oxi_place place = oxi_table_find(table, shape, oxi_seek(key, hash, special));
    if (place.group == NULL) {
        return NULL;
    }
    return oxi_table_slot(place.group, shape, place.index) + shape.value_offset;
}

OXI_INLINE unsigned char *oxi_map_open(oxi_table *table, const void *key, oxi_slot_shape shape,
                                       bool *is_new, ox_site site) {
    size_t size = oxi_table_key_size(shape);
    uint64_t word, again;
    bool was_added;
    oxi_place place = {NULL, 0};
    key = oxi_key_local(&word, key, size);
    uint32_t special = oxi_table_special(table);
    if (OXI_LIKELY(special <= OXI_TABLE_FAR)) {
        uint64_t hash = oxi_table_hash(table, key, size);
        place = oxi_table_find(table, shape, oxi_seek(key, hash, special));
        *is_new = place.group == NULL;
        if (*is_new) {
            place = oxi_table_take(table, hash, OXI_TABLE_LONG_WALK);
        }
    }
    if (OXI_UNLIKELY(place.group == NULL)) {
        key = oxi_key_local(&again, key, size);
        void *slot = oxi_map_open_slow_at(table, key, &was_added, site);
        *is_new = was_added;
        return (unsigned char *)slot;
    }
    unsigned char *slot = oxi_table_slot(place.group, shape, place.index);
    if (*is_new) {
        memcpy(slot, key, size);
    }
    return slot;
}

OXI_INLINE const void *ox_map_find_at(ox_map map, const void *key, oxi_slot_shape shape,
                                      ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_read_at(map, shape, site)) {
        return NULL;
    }
#endif
    return oxi_map_find(map.table, key, shape, site);
}

OXI_INLINE void *ox_map_edit_at(ox_map map, const void *key, oxi_slot_shape shape, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_write_at(map, shape, site)) {
        return NULL;
    }
#endif
    return oxi_map_find(map.table, key, shape, site);
}

OXI_INLINE const void *ox_map_get_at(ox_map map, const void *key, oxi_slot_shape shape,
                                     ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_read_at(map, shape, site)) {
        return oxi_element_zeros();
    }
#endif
    const void *value = oxi_map_find(map.table, key, shape, site);
    return OXI_LIKELY(value != NULL) ? value : oxi_map_missing_at(map.table, site);
}

OXI_INLINE bool ox_map_add_at(ox_map map, const void *key, oxi_slot_shape shape, const void *value,
                              ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_resize_at(map, shape, site)) {
        return false;
    }
#endif
    bool is_new;
    unsigned char *slot = oxi_map_open(map.table, key, shape, &is_new, site);
    if (slot == NULL || !is_new) {
        return false;
    }
    memcpy(slot + shape.value_offset, value, shape.value & OXI_ELEMENT_SIZE_MASK);
    return true;
}

OXI_INLINE bool ox_map_set_at(ox_map map, const void *key, oxi_slot_shape shape, const void *value,
                              ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_resize_at(map, shape, site)) {
        return false;
    }
#endif
    bool is_new;
    unsigned char *slot = oxi_map_open(map.table, key, shape, &is_new, site);
    if (slot == NULL) {
        return false;
    }
    memcpy(slot + shape.value_offset, value, shape.value & OXI_ELEMENT_SIZE_MASK);
    return true;
}

OXI_INLINE bool ox_map_remove_at(ox_map map, const void *key, oxi_slot_shape shape, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_resize_at(map, shape, site)) {
        return false;
    }
#endif
    oxi_table *table = map.table;
    size_t size = oxi_table_key_size(shape);
    uint64_t word, again;
    key = oxi_key_local(&word, key, size);
    uint32_t special = oxi_table_special(table);
    if (OXI_UNLIKELY(special > OXI_TABLE_FAR)) {
        return oxi_map_remove_slow_at(table, oxi_key_local(&again, key, size), site);
    }
    uint64_t hash = oxi_table_hash(table, key, size);
    oxi_place place = oxi_table_find(table, shape, oxi_seek(key, hash, special));
    if (place.group == NULL) {
        return false;
    }
    oxi_table_give(table, place);
    return true;
}

OXI_INLINE const void *oxi_map_or(const void *value, const void *otherwise) {
    return value != NULL ? value : otherwise;
}

/// Returns the slots of four groups that hold keys.
OXI_INLINE uint64_t oxi_groups_full(const unsigned char *group, size_t stride) {
    uint64_t free_slots = oxi_group_free(group) | (uint64_t)oxi_group_free(group + stride) << 16 |
                          (uint64_t)oxi_group_free(group + 2 * stride) << 32 |
                          (uint64_t)oxi_group_free(group + 3 * stride) << 48;
    return ~free_slots;
}

OXI_INLINE uint32_t oxi_groups_first(uint64_t mask) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(mask);
#else
    uint32_t low = (uint32_t)mask;
    return low != 0 ? oxi_group_first(low) : 32 + oxi_group_first((uint32_t)(mask >> 32));
#endif
}

OXI_INLINE unsigned char *oxi_groups_slot(unsigned char *group, oxi_slot_shape shape,
                                          uint32_t index) {
    size_t controls = 1 + index / OXI_TABLE_GROUP; // blocks of control bytes before the slot
    return group + controls * shape.slots_offset + (size_t)index * shape.slot_size;
}

/// Returns true if the walk may continue. Else reports that the map changed, and ends the walk.
OX_API bool oxi_map_walk_check_at(ox_map_walk *walk, ox_site site);

OXI_INLINE bool ox_map_walk_next_at(ox_map_walk *walk, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_walk_check_at(walk, site)) {
        return false;
    }
#endif
    (void)site;
    while (walk->full == 0) {
        if (walk->left == 0) {
            walk->is_at_key = false;
            return false;
        }
        walk->left -= OXI_TABLE_WALKED;
        walk->group += OXI_TABLE_WALKED * oxi_table_stride(walk->shape);
        walk->full = oxi_groups_full(walk->group, oxi_table_stride(walk->shape));
    }
    walk->index = oxi_groups_first(walk->full);
    walk->full &= walk->full - 1;
    walk->is_at_key = true;
    return true;
}

OXI_INLINE ox_map_walk oxi_map_walk_typed(ox_map_walk walk, oxi_slot_shape shape, ox_site site) {
#if OX_SAFETY >= 1
    if (walk.map.table != NULL && !oxi_map_may_read_at(walk.map, shape, site)) {
        walk.map.table = NULL;
    }
#endif
    (void)site;
    walk.shape = shape;
    return walk;
}

OXI_INLINE unsigned char *oxi_map_walk_slot(const ox_map_walk *walk) {
    return oxi_groups_slot(walk->group, walk->shape, walk->index);
}

typedef struct oxi_multimap_state oxi_multimap_state;

/// The values of a key.
typedef struct oxi_chain {
    uint32_t first; ///< number of an entry, or UINT32_MAX
    uint32_t last;
    uint32_t count;
} oxi_chain;

/// Flags of a multimap, in addition to those of a table.
enum {
    OXI_MULTIMAP_CELLS = 8,  ///< chains are in cells, and the tables are empty
    OXI_MULTIMAP_DEALT = 16, ///< keys are distributed to tables by number, not by hash
};

/// The part of a multimap that inline code uses, at the beginning of its state.
typedef struct oxi_multimap_head {
    oxi_table *tables;              ///< chains by key: one table, or 16 by region
    unsigned char *entries;         ///< all values, each with the number of the next
    oxi_chain *cells;               ///< chains by number, if keys are close to each other
    const unsigned char *cell_keys; ///< the key of each cell
    uint64_t cell_base;             ///< the key of the first one
    uint32_t cell_count;
    uint32_t region_mask; ///< 0 or 15
    uint32_t special;     ///< flags. Inline code only handles OXI_MULTIMAP_CELLS. Atomic.
    uint32_t changes;     ///< changes when walks are invalidated
    oxi_multimap_type_pair kinds;
} oxi_multimap_head;

/// Returns a walk over the values of all keys, key by key, before the first.
OX_API ox_multimap_walk oxi_multimap_walk_at(ox_multimap map, oxi_multimap_type_pair kinds,
                                             ox_site site);

/// Returns true if a walk may continue. Else reports that the multimap changed, and ends the walk.
OX_API bool oxi_multimap_check_at(ox_multimap_walk *it, ox_site site);

/// Advances to the first value of the next key. @return false if there is none.
OX_API bool oxi_multimap_next_key_at(ox_multimap_walk *it);

OXI_INLINE bool ox_multimap_walk_next_at(ox_multimap_walk *it, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_multimap_check_at(it, site)) {
        return false;
    }
#endif
    (void)site;
    it->previous = it->value != NULL ? it->entry : it->previous;
    it->entry = it->next;
    if (it->entry == UINT32_MAX) {
        it->value = NULL;
        return false;
    }
    it->value = it->entries + (size_t)it->entry * it->stride;
    memcpy(&it->next, (const char *)it->value + it->next_offset, sizeof it->next);
    return true;
}

static inline bool oxi_multimap_next_pair(ox_multimap_walk *it, ox_site site) {
    while (!ox_multimap_walk_next_at(it, site)) {
        if (!oxi_multimap_next_key_at(it)) {
            return false;
        }
    }
    return true;
}

/// The layout for two types: slots of the tables, and entries.
typedef struct oxi_multimap_shape {
    oxi_slot_shape table;
    uint32_t stride;
    uint32_t next_offset;
} oxi_multimap_shape;

OXI_INLINE oxi_multimap_shape oxi_multimap_shape_of(ox_element key, uint32_t key_align,
                                                    ox_element value, uint32_t value_align) {
    uint32_t size = value & OXI_ELEMENT_SIZE_MASK, align = value_align > 4 ? value_align : 4;
    uint32_t next = (size + 3) & ~3u;
    oxi_multimap_shape shape = {oxi_table_shape(key, key_align, (ox_element)sizeof(oxi_chain),
                                                (uint32_t)OXI_ALIGNOF(oxi_chain)),
                                (next + 4 + align - 1) & ~(align - 1), next};
    return shape;
}

/// Returns the table of a key, and its hash there. A large multimap distributes keys to its tables
/// by a hash with the initial seed; its tables nearly always use the same seed.
OXI_INLINE uint64_t oxi_multimap_hash(const oxi_multimap_head *head, const void *key, size_t size,
                                      uint32_t *region) {
    oxi_table first = {NULL, OXI_TABLE_SEED, OXI_TABLE_MULTIPLIER, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    uint64_t hash = oxi_table_hash(&first, key, size);
    *region = oxi_hash_region(hash) & head->region_mask;
    const oxi_table *table = &head->tables[*region];
    return OXI_LIKELY(table->seed_number == 0) ? hash : oxi_table_hash(table, key, size);
}

/// Returns the number of the cell of a key, which has 4 or 8 bytes. Numbers from cell_count on have
/// no cell.
OXI_INLINE uint64_t oxi_multimap_cell(const oxi_multimap_head *head, const void *key, size_t size) {
    const unsigned char *at = (const unsigned char *)key;
    return size == 4 ? (uint32_t)(oxi_table_load_32(at) - head->cell_base)
                     : oxi_table_load_64(at) - head->cell_base;
}

/// Returns true if no writes are pending, keys have no functions, and the types are those of the
/// multimap.
OXI_INLINE bool oxi_multimap_is_plain(const oxi_multimap_head *head, oxi_multimap_type_pair kinds,
                                      uint32_t *special) {
    *special = head != NULL ? OXI_LOAD_ACQUIRE(&head->special) : (uint32_t)OXI_TABLE_PENDING;
    return (*special & ~(uint32_t)OXI_MULTIMAP_CELLS) == 0 && head->kinds.key == kinds.key &&
           head->kinds.value == kinds.value;
}

OXI_INLINE ox_multimap_walk oxi_multimap_seek_key(ox_multimap map, const void *key,
                                                  oxi_type_pair types, ox_site site) {
    oxi_multimap_type_pair kinds = oxi_multimap_kinds(types.key, types.item);
    oxi_multimap_shape shape =
        oxi_multimap_shape_of(types.key, types.key_align, types.item, types.item_align);
    size_t size = oxi_table_key_size(shape.table);
    uint64_t word, again;
    uint32_t special, region;
    key = oxi_key_local(&word, key, size);
    const oxi_multimap_head *head = (const oxi_multimap_head *)(const void *)map.state;
    if (OX_SAFETY >= 1 || OXI_UNLIKELY(!oxi_multimap_is_plain(head, kinds, &special))) {
        return ox_multimap_walk_begin_at(map, oxi_key_local(&again, key, size), kinds, site);
    }
    ox_multimap_walk it = {
        map,        NULL,       NULL,       head->entries, shape.stride, shape.next_offset,
        UINT32_MAX, UINT32_MAX, UINT32_MAX, head->changes, kinds.value,  0,
        0};
    if ((size == 4 || size == 8) && special != 0) {
        uint64_t cell = oxi_multimap_cell(head, key, size);
        if (cell < head->cell_count) {
            it.slot = cell + 1;
            it.next = head->cells[cell].first;
            it.key = it.next != UINT32_MAX ? head->cell_keys + cell * size : NULL;
        }
        return it;
    }
    uint64_t hash = oxi_multimap_hash(head, key, size, &region);
    const oxi_table *table = &head->tables[region];
    oxi_place place = oxi_table_find(table, shape.table, oxi_seek(key, hash, table->special));
    it.region = region;
    if (place.group != NULL) {
        unsigned char *slot = oxi_table_slot(place.group, shape.table, place.index);
        size_t group = (size_t)(place.group - table->groups) / table->stride;
        it.slot = group * OXI_TABLE_GROUP + place.index + 1;
        it.key = slot;
        memcpy(&it.next, slot + shape.table.value_offset, sizeof it.next); // the chain's first
    }
    return it;
}
#define oxi_multimap_seek(map, ...)                                                                \
    oxi_multimap_seek_key((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__), OXI_TYPE_PAIR(map), \
                          OX_HERE)

// The types of a map, as arguments of creating calls.
#define OXI_MAP_TYPES(Map)                                                                         \
    oxi_map_types(OXI_KEY_INFO(Map), OXI_ITEM_INFO(Map), OXI_KEY_HAS_PADDING(OXI_KEY_IN(Map)))

// Loops: OX_EACH of containers.h.

/// Fills the variable of a loop over pairs, which has three pointers, one by one, so that they stay
/// in registers.
OXI_INLINE void oxi_pair_set(void *variable, const void *key, const void *value, const void *walk) {
    char *at = (char *)variable;
    memcpy(at, &key, sizeof key);
    memcpy(at + sizeof key, &value, sizeof value);
    memcpy(at + 2 * sizeof key, &walk, sizeof walk);
}

OXI_INLINE ox_map_walk oxi_map_each(ox_map map, oxi_type_pair types, bool edits, ox_site site) {
    oxi_slot_shape shape =
        oxi_table_shape(types.key, types.key_align, types.item, types.item_align);
    return oxi_map_walk_typed(ox_map_walk_begin_at(map, edits, site), shape, site);
}

OXI_INLINE bool oxi_map_each_next(ox_map_walk *walk, void *variable, ox_site site) {
    if (!ox_map_walk_next_at(walk, site)) {
        return false;
    }
    const unsigned char *slot = oxi_map_walk_slot(walk);
    oxi_pair_set(variable, slot, slot + walk->shape.value_offset, walk);
    return true;
}

OXI_INLINE ox_multimap_walk oxi_multimap_each(ox_multimap map, oxi_type_pair types, bool edits,
                                              ox_site site) {
    (void)edits;
    return oxi_multimap_walk_at(map, oxi_multimap_kinds(types.key, types.item), site);
}

OXI_INLINE bool oxi_multimap_each_next(ox_multimap_walk *walk, void *variable, ox_site site) {
    if (!oxi_multimap_next_pair(walk, site)) {
        return false;
    }
    oxi_pair_set(variable, walk->key, walk->value, walk);
    return true;
}

OXI_INLINE bool oxi_multimap_each_of_next(ox_multimap_walk *walk, void *variable, ox_site site) {
    if (!ox_multimap_walk_next_at(walk, site)) {
        return false;
    }
    oxi_pair_set(variable, walk->key, walk->value, walk);
    return true;
}
