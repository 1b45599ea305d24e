// SPDX-License-Identifier: MIT
//
// Walking over the keys of a map. A part of map.h, which includes it.
//
//     OX_EACH_MAP(uint64_t, int, ages, it) { print(*it.key, *it.value); }
//
// The order is not specified, but the same calls give the same order on every machine. Adding or
// removing ends every walk but one that removes through itself. Any thread may walk over a map that
// no thread changes.

#pragma once

#include "oxbow/map.h"

// Walking over all keys, four groups at a time: leaving the loop over the slots of a group costs
// the core a wrong guess each time. Slot k of the four is slot k % 16 of group k / 16.

/// The slots of four groups that hold keys.
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

/// Where a walk stands. Make it with ox_map_walk_begin.
typedef struct ox_map_walk {
    ox_map map; ///< {0}: the walk is over
    oxi_slot_shape shape;
    unsigned char *group; ///< the first of those that are looked at together
    uint64_t full;        ///< slots of them that are still to come
    uint32_t index;       ///< of the slot it stands at
    uint32_t left;        ///< groups behind them
    uint32_t changes;
    bool is_at_key;
} ox_map_walk;

/// Begins a walk over all keys; one that edits asks for the right to write at once.
/// @return a walk without keys after a report.
OX_API ox_map_walk ox_map_walk_begin_at(ox_map map, bool edits, ox_site site);
#define ox_map_walk_begin(map) ox_map_walk_begin_at(map, false, OX_HERE)

/// True when the walk may go on; else reports that the map was changed, and ends the walk.
OX_API bool oxi_map_walk_check_at(ox_map_walk *walk, ox_site site);

/// Goes to the next key, at first to the first. @return false at the end, or after a report.
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
#define ox_map_walk_next(walk) ox_map_walk_next_at(walk, OX_HERE)

/// The key that a walk stands at. @return NULL after a report.
OX_API const void *ox_map_walk_key_at(const ox_map_walk *walk, ox_element key, ox_site site);
#define ox_map_walk_key(K, walk) ((const K *)ox_map_walk_key_at(walk, ox_element_of(K), OX_HERE))

/// The value that a walk stands at. @return NULL after a report.
OX_API void *ox_map_walk_get_at(const ox_map_walk *walk, ox_element value, bool edits,
                                ox_site site);
#define ox_map_walk_get(V, walk)                                                                   \
    ((const V *)ox_map_walk_get_at(walk, ox_element_of(V), false, OX_HERE))

/// The same to write to.
#define ox_map_walk_edit(V, walk) ((V *)ox_map_walk_get_at(walk, ox_element_of(V), true, OX_HERE))

/// Removes the key that a walk stands at; the walk goes on behind it. @return false after a report.
OX_API bool ox_map_walk_remove_at(ox_map_walk *walk, ox_site site);
#define ox_map_walk_remove(walk) ox_map_walk_remove_at(walk, OX_HERE)

/// A loop over all keys: OX_EACH_MAP(int, float, map, it) { use(*it.key, *it.value); }.
#define OX_EACH_MAP(K, V, map, it) OXI_EACH_MAP(K, V, const V, oxi_map_walk(map, false, K, V), it)

/// A loop that may write to values, and remove keys with ox_map_walk_remove(&it.walk).
#define OX_EACH_MAP_EDIT(K, V, map, it) OXI_EACH_MAP(K, V, V, oxi_map_walk(map, true, K, V), it)

// How it is made.

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

#define oxi_map_walk(map, edits, K, V)                                                             \
    oxi_map_walk_typed(ox_map_walk_begin_at(map, edits, OX_HERE), oxi_slot_shape_of(K, V), OX_HERE)

#define OXI_EACH_MAP(K, V, Seen, begin, it)                                                        \
    for (struct {                                                                                  \
             ox_map_walk walk;                                                                     \
             const K *key;                                                                         \
             Seen *value;                                                                          \
         } it = {begin, NULL, NULL};                                                               \
         ox_map_walk_next(&it.walk) &&                                                             \
         (it.key = (const K *)oxi_map_walk_slot(&it.walk),                                         \
         it.value = (Seen *)(oxi_map_walk_slot(&it.walk) + it.walk.shape.value_offset), true);)
