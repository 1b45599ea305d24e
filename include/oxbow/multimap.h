// SPDX-License-Identifier: MIT
//
// Multimaps: several values for each key, read in the order in which they were added. The types of
// key and value are named at each call.
//
//     ox_multimap cells = ox_multimap_create(uint64_t, int, 100, OX_PERSISTENT);
//     ox_multimap_add(uint64_t, int, cells, cell, unit);
//     OX_EACH_VALUE(uint64_t, int, cells, cell, it) { use(*it.value); }
//     ox_multimap_dispose(&cells);
//
// Keys are compared byte by byte, unless functions are given. The order of keys in a walk is not
// specified, but the same calls give the same order on every machine. Copies of a handle share
// everything. Any thread may read a multimap that no thread changes; a call that adds or removes
// ends pointers and iterators. Parallel jobs add through an ox_multimap_writer: the values of a key
// are then read in the order of the jobs' indices, whoever ran them. A key cannot stand in braces:
// one that is a struct is passed as a variable. The value comes last and may be braced.

#pragma once

#include "oxbow/array.h"
#include "oxbow/map.h"

typedef struct oxi_multimap_state oxi_multimap_state;

/// The types that a call names.
typedef struct oxi_multimap_type_pair {
    ox_element key;
    ox_element value;
} oxi_multimap_type_pair;

/// The values of a key.
typedef struct oxi_chain {
    uint32_t first; ///< number of an entry, or UINT32_MAX
    uint32_t last;
    uint32_t count;
} oxi_chain;

/// What is special about a multimap, beside what may be about a table.
enum {
    OXI_MULTIMAP_CELLS = 8,  ///< chains stand in cells, and the tables are empty
    OXI_MULTIMAP_DEALT = 16, ///< keys are dealt to tables by number, not by hash
};

/// The part of a multimap that inline code looks at, at the beginning of its state.
typedef struct oxi_multimap_head {
    oxi_table *tables;              ///< chains by key: one table, or 16 by region
    unsigned char *entries;         ///< all values, each with the number of the next
    oxi_chain *cells;               ///< chains by number, when keys are close to each other
    const unsigned char *cell_keys; ///< the key of each cell
    uint64_t cell_base;             ///< the key of the first one
    uint32_t cell_count;
    uint32_t region_mask; ///< 0 or 15
    uint32_t special;     ///< with more than OXI_MULTIMAP_CELLS not for inline code. Atomic.
    uint32_t changes;     ///< moves with each change that ends iterators
    oxi_multimap_type_pair kinds;
} oxi_multimap_head;

/// Values by key, several for each. Copy it freely: all copies are the same multimap. {0} is none.
typedef struct ox_multimap {
    oxi_multimap_state *state;
    ox_access access;
} ox_multimap;

/// Adds to a multimap from parallel jobs. There is always room.
typedef struct ox_multimap_writer {
    oxi_multimap_state *state;
    ox_access access;
} ox_multimap_writer;

/// Both types at once: oxi_multimap_type_pair_of(int, float).
#define oxi_multimap_type_pair_of(K, V) (oxi_multimap_kinds(ox_element_of(K), ox_element_of(V)))

static inline oxi_multimap_type_pair oxi_multimap_kinds(ox_element key, ox_element value) {
    oxi_multimap_type_pair kinds = {key, value};
    return kinds;
}

/// Makes an empty multimap with room for `capacity` pairs. @return {0} after a report.
OX_API ox_multimap ox_multimap_create_at(oxi_map_type_pair types, int64_t capacity,
                                         ox_allocator allocator, ox_site site);
#define ox_multimap_create(K, V, capacity, allocator)                                              \
    ox_multimap_create_at(oxi_map_type_pair_of(K, V), (int64_t)(capacity), allocator, OX_HERE)

/// Makes an empty multimap from a def, which is copied and may stand in braces.
/// @return {0} after a report.
OX_API ox_multimap ox_multimap_create_with_at(oxi_map_type_pair types, const ox_map_def *def,
                                              ox_site site);
#define ox_multimap_create_with(K, V, ...)                                                         \
    ox_multimap_create_with_at(oxi_map_type_pair_of(K, V), OXI_VALUE(ox_map_def, __VA_ARGS__),     \
                               OX_HERE)

/// Frees the memory. Every copy of the handle is dead from here on.
OX_API void ox_multimap_dispose_at(ox_multimap *map, ox_site site);
#define ox_multimap_dispose(map) ox_multimap_dispose_at(map, OX_HERE)

/// Frees the memory in a job after `after`, which covers all jobs that use it. The handle is dead
/// at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
OX_API ox_job ox_multimap_dispose_after_at(ox_multimap *map, ox_job after, ox_site site);
#define ox_multimap_dispose_after(map, after) ox_multimap_dispose_after_at(map, after, OX_HERE)

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
static inline bool ox_multimap_is_created(ox_multimap map) {
    return map.state != NULL;
}

/// How many pairs of key and value there are, those included that jobs wrote. 0 after a report.
OX_API int32_t ox_multimap_count_at(ox_multimap map, ox_site site);
#define ox_multimap_count(map) ox_multimap_count_at(map, OX_HERE)

/// True when there is no pair, and after a report.
#define ox_multimap_is_empty(map) (ox_multimap_count_at(map, OX_HERE) == 0)

/// How many values a key has. 0 after a report.
OX_API int32_t ox_multimap_count_values_at(ox_multimap map, const void *key,
                                           oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_count_values(K, V, map, ...)                                                   \
    ox_multimap_count_values_at(map, OXI_VALUE(K, __VA_ARGS__), oxi_multimap_type_pair_of(K, V),   \
                                OX_HERE)

/// True when the key has a value.
#define ox_multimap_has(K, V, map, ...) (ox_multimap_count_values(K, V, map, __VA_ARGS__) > 0)

/// Makes room for `capacity` pairs in all, with as many keys. Less room than there is changes
/// nothing; less than there are pairs is a report. @return false after a report.
OX_API bool ox_multimap_reserve_at(ox_multimap map, int64_t capacity, ox_site site);
#define ox_multimap_reserve(map, capacity) ox_multimap_reserve_at(map, (int64_t)(capacity), OX_HERE)

/// Removes all pairs, also those that jobs wrote, and keeps the room. @return false after a report.
OX_API bool ox_multimap_clear_at(ox_multimap map, ox_site site);
#define ox_multimap_clear(map) ox_multimap_clear_at(map, OX_HERE)

/// Adds a pair behind the other values of the key; the value comes last and may be braced.
/// @return false after a report.
OX_API bool ox_multimap_add_at(ox_multimap map, const void *key, const void *value,
                               oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_add(K, V, map, key, ...)                                                       \
    ox_multimap_add_at(map, OXI_VALUE(K, key), OXI_VALUE(V, __VA_ARGS__),                          \
                       oxi_multimap_type_pair_of(K, V), OX_HERE)

/// Removes a key with all its values. @return how many there were.
OX_API int32_t ox_multimap_remove_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                                     ox_site site);
#define ox_multimap_remove(K, V, map, ...)                                                         \
    ox_multimap_remove_at(map, OXI_VALUE(K, __VA_ARGS__), oxi_multimap_type_pair_of(K, V), OX_HERE)

/// Removes every pair of this key and this value, whose bytes are compared.
/// @return how many there were.
OX_API int32_t ox_multimap_remove_pair_at(ox_multimap map, const void *key, const void *value,
                                          oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_remove_pair(K, V, map, key, ...)                                               \
    ox_multimap_remove_pair_at(map, OXI_VALUE(K, key), OXI_VALUE(V, __VA_ARGS__),                  \
                               oxi_multimap_type_pair_of(K, V), OX_HERE)

/// A new array with each key once, in the order of a walk. @return {0} after a report.
OX_API ox_array ox_multimap_keys_at(ox_multimap map, ox_element_info key, ox_allocator allocator,
                                    ox_site site);
#define ox_multimap_keys(K, map, allocator)                                                        \
    ox_multimap_keys_at(map, ox_element_info_of(K), allocator, OX_HERE)

// Iterators over the values of one key, and walks over all pairs.

/// Where an iterator stands. Make it with ox_multimap_first, or ox_multimap_walk_begin.
typedef struct ox_multimap_walk {
    ox_multimap map;
    const void *key;        ///< in the multimap; NULL: there is no such key, or nothing is left
    void *value;            ///< it stands at this one; NULL: at none
    unsigned char *entries; ///< all values, each with the number of the next
    uint32_t stride;
    uint32_t next_offset; ///< of that number
    uint32_t entry;
    uint32_t previous;
    uint32_t next;
    uint32_t changes;
    ox_element value_kind;
    uint32_t region; ///< of the key: where its slot is
    uint64_t slot;
} ox_multimap_walk;

/// An iterator before the first value of a key.
OX_API ox_multimap_walk ox_multimap_walk_begin_at(ox_multimap map, const void *key,
                                                  oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_walk_begin(K, V, map, key) oxi_multimap_seek(K, V, map, key)

/// An iterator before the first value of all keys, one key after the other.
OX_API ox_multimap_walk oxi_multimap_walk_at(ox_multimap map, oxi_multimap_type_pair kinds,
                                             ox_site site);

/// True when an iterator may go on; else reports that the multimap was changed, and ends it.
OX_API bool oxi_multimap_check_at(ox_multimap_walk *it, ox_site site);

/// Goes to the first value of the next key. @return false when there is none.
OX_API bool oxi_multimap_next_key_at(ox_multimap_walk *it);

/// Goes to the next value of the key. @return false at the end, or after a report.
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
#define ox_multimap_walk_next(it) ox_multimap_walk_next_at(it, OX_HERE)

/// Puts `*it` at the first value of a key: ox_multimap_first(int, float, map, 3, &it).
/// @return false when there is none, or after a report.
#define ox_multimap_first(K, V, map, key, it)                                                      \
    oxi_multimap_first(it, oxi_multimap_seek(K, V, map, key), OX_HERE)

/// The value that an iterator stands at. @return NULL after a report.
OX_API void *ox_multimap_walk_get_at(const ox_multimap_walk *it, ox_element value, bool edits,
                                     ox_site site);
#define ox_multimap_walk_get(V, it)                                                                \
    ((const V *)ox_multimap_walk_get_at(it, ox_element_of(V), false, OX_HERE))

/// The same to write to.
#define ox_multimap_walk_edit(V, it)                                                               \
    ((V *)ox_multimap_walk_get_at(it, ox_element_of(V), true, OX_HERE))

/// Removes the pair that an iterator stands at; this one goes on behind it, others end.
/// @return false after a report.
OX_API bool ox_multimap_walk_remove_at(ox_multimap map, ox_multimap_walk *it, ox_site site);
#define ox_multimap_walk_remove(map, it) ox_multimap_walk_remove_at(map, it, OX_HERE)

/// A loop over the values of a key: OX_EACH_VALUE(int, float, map, 3, it) { use(*it.value); }.
/// Pairs are removed with ox_multimap_walk_remove(map, &it.at).
#define OX_EACH_VALUE(K, V, map, key, it)                                                          \
    for (struct {                                                                                  \
             ox_multimap_walk at;                                                                  \
             const V *value;                                                                       \
         } it = {oxi_multimap_seek(K, V, map, key), NULL};                                         \
         ox_multimap_walk_next(&it.at) && (it.value = (const V *)it.at.value, true);)

/// A loop over all pairs: OX_EACH_PAIR(int, float, map, it) { use(*it.key, *it.value); }.
#define OX_EACH_PAIR(K, V, map, it)                                                                \
    for (struct {                                                                                  \
             ox_multimap_walk at;                                                                  \
             const K *key;                                                                         \
             const V *value;                                                                       \
         } it = {oxi_multimap_walk_at(map, oxi_multimap_type_pair_of(K, V), OX_HERE), NULL, NULL}; \
         oxi_multimap_next_pair(&it.at, OX_HERE) &&                                                \
         (it.key = (const K *)it.at.key, it.value = (const V *)it.at.value, true);)

/// Goes to the next pair of a walk that oxi_multimap_walk_at began.
#define ox_multimap_walk_next_pair(it) oxi_multimap_next_pair(it, OX_HERE)

static inline bool oxi_multimap_next_pair(ox_multimap_walk *it, ox_site site) {
    while (!ox_multimap_walk_next_at(it, site)) {
        if (!oxi_multimap_next_key_at(it)) {
            return false;
        }
    }
    return true;
}

OXI_INLINE bool oxi_multimap_first(ox_multimap_walk *it, ox_multimap_walk begin, ox_site site) {
    *it = begin;
    return ox_multimap_walk_next_at(it, site);
}

// How a key is looked for: inline where nothing is checked, as it is for maps. What is special goes
// to ox_multimap_walk_begin_at.

/// Where things lie for two types: slots of the tables, and entries.
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

/// The table of a key, and its hash there. A large multimap deals keys to its tables by a hash with
/// the first numbers of every table; nearly always they are those of its tables, too.
OXI_INLINE uint64_t oxi_multimap_hash(const oxi_multimap_head *head, const void *key, size_t size,
                                      uint32_t *region) {
    oxi_table first = {NULL, OXI_TABLE_SEED, OXI_TABLE_MULTIPLIER, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    uint64_t hash = oxi_table_hash(&first, key, size);
    *region = oxi_hash_region(hash) & head->region_mask;
    const oxi_table *table = &head->tables[*region];
    return OXI_LIKELY(table->seed_number == 0) ? hash : oxi_table_hash(table, key, size);
}

/// The number of the cell of a key, which has 4 or 8 bytes. There is none from cell_count on.
OXI_INLINE uint64_t oxi_multimap_cell(const oxi_multimap_head *head, const void *key, size_t size) {
    const unsigned char *at = (const unsigned char *)key;
    return size == 4 ? (uint32_t)(oxi_table_load_32(at) - head->cell_base)
                     : oxi_table_load_64(at) - head->cell_base;
}

/// True when nothing is pending, keys have no functions, and the types are those of the multimap.
OXI_INLINE bool oxi_multimap_is_plain(const oxi_multimap_head *head, oxi_multimap_type_pair kinds,
                                      uint32_t *special) {
    *special = head != NULL ? OXI_LOAD_ACQUIRE(&head->special) : (uint32_t)OXI_TABLE_PENDING;
    return (*special & ~(uint32_t)OXI_MULTIMAP_CELLS) == 0 && head->kinds.key == kinds.key &&
           head->kinds.value == kinds.value;
}

OXI_INLINE ox_multimap_walk oxi_multimap_seek_key(ox_multimap map, const void *key,
                                                  oxi_multimap_type_pair kinds,
                                                  oxi_multimap_shape shape, ox_site site) {
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

#define oxi_multimap_seek(K, V, map, key)                                                          \
    oxi_multimap_seek_key(map, OXI_VALUE(K, key), oxi_multimap_type_pair_of(K, V),                 \
                          oxi_multimap_shape_of(ox_element_of(K), (uint32_t)OXI_ALIGNOF(K),        \
                                                ox_element_of(V), (uint32_t)OXI_ALIGNOF(V)),       \
                          OX_HERE)

// Writing from parallel jobs.

/// A writer for the fields of parallel jobs. Make it on main. @return {0} after a report.
OX_API ox_multimap_writer ox_multimap_writer_of_at(ox_multimap map, ox_site site);
#define ox_multimap_writer_of(map) ox_multimap_writer_of_at(map, OX_HERE)

/// Adds a pair from a job, once the multimap is used next. @return false after a report.
OX_API bool ox_multimap_write_at(ox_multimap_writer writer, const void *key, const void *value,
                                 oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_write(K, V, writer, key, ...)                                                  \
    ox_multimap_write_at(writer, OXI_VALUE(K, key), OXI_VALUE(V, __VA_ARGS__),                     \
                         oxi_multimap_type_pair_of(K, V), OX_HERE)

/// Takes over what jobs wrote. Every other call does it by itself. @return false after a report:
/// out of memory, and the rest stays pending.
OX_API bool ox_multimap_merge_at(ox_multimap map, ox_site site);
#define ox_multimap_merge(map) ox_multimap_merge_at(map, OX_HERE)

/// Lets jobs do that after `after`, on all cores. Main only. The order of everything is the same
/// either way. @return the last of these jobs, or OX_NO_JOB after a report.
OX_API ox_job ox_multimap_merge_after_at(ox_multimap map, ox_job after, ox_site site);
#define ox_multimap_merge_after(map, after) ox_multimap_merge_after_at(map, after, OX_HERE)
