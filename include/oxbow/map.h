// SPDX-License-Identifier: MIT
//
// Maps and multimaps: one value per key, or several.
//
//     OX_MAP(Ages, uint64_t, int);                     // at file scope: Ages, Ages_writer, ...
//     OX_MULTIMAP(Cells, uint32_t, Boid);
//
//     Ages ages = ox_map_create(Ages, 100, OX_PERSISTENT);
//     ox_map_set(ages, id, 30);
//     const int *age = ox_map_find(ages, id);                          // NULL: not there
//     OX_EACH(ages, it) { print(*it.key, *it.value); }                // see containers.h
//     OX_EACH_OF(cells, 17, it) { use(it.value); }                    // the values of one key
//     ox_dispose(&ages);
//
// Keys are compared byte by byte, unless the def has functions for it. The order of a walk is not
// specified, but the same calls give the same order on every machine. Copies of a handle share
// everything. A call that adds or removes keys invalidates pointers into the map and walks over it.
// The value of a call comes last and may be braced. A key before a value may not: pass a key that
// is a struct as a variable.
//
// Threads: any thread may read a map while no thread changes it. Parallel jobs add through a
// writer: the next use of the map merges what they wrote, the values of a key of a multimap in the
// order of the jobs' indices.

#pragma once

#include "oxbow/array.h"
#include "oxbow/detail/table.h"

typedef struct oxi_multimap_state oxi_multimap_state;

/// Adds to a map from parallel jobs. It never grows the map: reserve first.
typedef struct ox_map_writer {
    oxi_table *table;
    ox_access access;
} ox_map_writer;

/// Values by key. Copy it freely: all copies are the same map. {0} is no map.
typedef struct ox_map {
    oxi_table *table;
    ox_access access;
    OXI_UNTYPED_MEMBERS(ox_map);
    OXI_UNTYPED_MEMBER(ox_map_writer, oxi_writer);
    OXI_UNTYPED_MEMBER(ox_array, oxi_keys);
    OXI_UNTYPED_MEMBER(ox_array, oxi_values);
} ox_map;

OXI_UNTYPED_OVERLOAD(ox_map);

/// The position of a walk over a map: see below.
typedef struct ox_map_walk ox_map_walk;

/// Declares a type of maps at file scope: OX_MAP(Ages, uint64_t, int). `Ages_writer` is the type of
/// their writers; `Ages_keys` and `Ages_values` are those of ox_map_keys and ox_map_values.
/// `.untyped` is the ox_map that plain functions take.
#define OX_MAP(Name, K, V)                                                                         \
    OXI_PAIRS_TYPE(Name##_writer, ox_map_writer, ox_map_walk, K, V, );                             \
    OX_ARRAY(Name##_keys, K);                                                                      \
    OX_ARRAY(Name##_values, V);                                                                    \
    OXI_PAIRS_TYPE(Name, ox_map, ox_map_walk, K, V, Name##_writer *oxi_writer;                     \
                   Name##_keys * oxi_keys; Name##_values * oxi_values;)

/// Describes a map. Zero every field you do not set.
typedef struct ox_map_def {
    uint32_t _guard_begin;

    /// Initial capacity, in keys. The map grows as needed.
    int64_t capacity;

    /// 0 means OX_PERSISTENT.
    ox_allocator allocator;

    /// Functions that hash and compare keys, called on any thread that uses the map. Set both, or
    /// neither to use the bytes of keys. Equal keys must have equal hashes; a poor hash makes the
    /// map slow.
    uint64_t (*hash)(const void *key, void *context);
    bool (*equal)(const void *a, const void *b, void *context);
    void *context;

    uint32_t _guard_end;
} ox_map_def;

/// Creates an empty map with capacity for `capacity` keys. Refuses keys with padding bytes, where
/// the compiler or OX_STRUCT shows them. @return {0} after a report.
OX_API ox_map ox_map_create_at(oxi_map_type_pair types, int64_t capacity, ox_allocator allocator,
                               ox_site site);
#define ox_map_create(Map, capacity, allocator)                                                    \
    OXI_TYPED(Map, ox_map_create_at(OXI_MAP_TYPES(Map), (int64_t)(capacity), allocator, OX_HERE))
/// Creates an untyped one: ox_map_create_untyped(uint64_t, int, 100, OX_PERSISTENT).
#define ox_map_create_untyped(K, V, capacity, allocator)                                           \
    ox_map_create_at(oxi_map_type_pair_of(K, V), (int64_t)(capacity), allocator, OX_HERE)

/// Creates an empty map from a def, which is copied and may be braced.
/// @return {0} after a report.
OX_API ox_map ox_map_create_with_at(oxi_map_type_pair types, const ox_map_def *def, ox_site site);
#define ox_map_create_with(Map, ...)                                                               \
    OXI_TYPED(Map, ox_map_create_with_at(OXI_MAP_TYPES(Map), OXI_VALUE(ox_map_def, __VA_ARGS__),   \
                                         OX_HERE))
/// Creates an untyped one.
#define ox_map_create_with_untyped(K, V, ...)                                                      \
    ox_map_create_with_at(oxi_map_type_pair_of(K, V), OXI_VALUE(ox_map_def, __VA_ARGS__), OX_HERE)

/// The plain form of ox_dispose and, with a job, of ox_dispose_after.
/// @return the job that frees it; OX_NO_JOB if it was freed at once, or after a report.
OX_API ox_job ox_map_dispose_at(ox_map *map, ox_job after, ox_site site);

/// True if the handle has memory. Checks nothing else: also true for copies of a disposed handle.
#define ox_map_is_created(map) (OXI_UNTYPED(ox_map, map).table != NULL)

/// Returns the number of keys, including those that jobs wrote. 0 after a report.
OX_API int32_t ox_map_count_at(ox_map map, ox_site site);
#define ox_map_count(map) ox_map_count_at(OXI_UNTYPED(ox_map, map), OX_HERE)

/// Returns true if the map has no keys, and after a report.
#define ox_map_is_empty(map) (ox_map_count_at(OXI_UNTYPED(ox_map, map), OX_HERE) == 0)

/// Returns the number of keys that fit before the map must grow: at least what was requested. 0
/// after a report.
OX_API int32_t ox_map_capacity_at(ox_map map, ox_site site);
#define ox_map_capacity(map) ox_map_capacity_at(OXI_UNTYPED(ox_map, map), OX_HERE)

/// Reserves capacity for `capacity` keys in total. No effect if the map has as much; reports a
/// capacity below the count. @return false after a report.
OX_API bool ox_map_reserve_at(ox_map map, int64_t capacity, ox_site site);
#define ox_map_reserve(map, capacity)                                                              \
    ox_map_reserve_at(OXI_UNTYPED(ox_map, map), (int64_t)(capacity), OX_HERE)

/// Removes all keys, including those that jobs wrote, and keeps the capacity. @return false after a
/// report.
OX_API bool ox_map_clear_at(ox_map map, ox_site site);
#define ox_map_clear(map) ox_map_clear_at(OXI_UNTYPED(ox_map, map), OX_HERE)

/// Creates an array with copies of all keys, in the order of a walk: ox_map_keys(ages, OX_TEMP).
/// @return {0} after a report.
OX_API ox_array ox_map_keys_at(ox_map map, ox_element_info key, ox_allocator allocator,
                               ox_site site);
#define ox_map_keys(map, allocator)                                                                \
    OXI_RESULT(                                                                                    \
        map, oxi_keys, ox_array,                                                                   \
        ox_map_keys_at((map).untyped, OXI_INFO_OF("key", OXI_KEY(map)), allocator, OX_HERE))

/// Creates an array with copies of all values, in the same order. @return {0} after a report.
OX_API ox_array ox_map_values_at(ox_map map, ox_element_info value, ox_allocator allocator,
                                 ox_site site);
#define ox_map_values(map, allocator)                                                              \
    OXI_RESULT(                                                                                    \
        map, oxi_values, ox_array,                                                                 \
        ox_map_values_at((map).untyped, OXI_INFO_OF("value", OXI_ITEM(map)), allocator, OX_HERE))

/// Returns the address of the value of a key, for reading, or NULL if there is none, and after a
/// report.
OXI_INLINE const void *ox_map_find_at(ox_map map, const void *key, oxi_slot_shape shape,
                                      ox_site site);
#define ox_map_find(map, ...)                                                                      \
    ((const OXI_ITEM(map) *)ox_map_find_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),    \
                                           oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),         \
                                           OX_HERE))

/// The same for writing.
OXI_INLINE void *ox_map_edit_at(ox_map map, const void *key, oxi_slot_shape shape, ox_site site);
#define ox_map_edit(map, ...)                                                                      \
    ((OXI_ITEM(map) *)ox_map_edit_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),          \
                                     oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE))

/// Returns true if the map has the key.
#define ox_map_has(map, ...) (ox_map_find(map, __VA_ARGS__) != NULL)

/// Returns the address of the value of a key, for reading. Reports a missing key, and returns
/// zeros.
OXI_INLINE const void *ox_map_get_at(ox_map map, const void *key, oxi_slot_shape shape,
                                     ox_site site);

/// ox_map_get(ages, id): the address of the value, never NULL.
#define ox_map_get(map, ...)                                                                       \
    ((const OXI_ITEM(map) *)ox_map_get_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),     \
                                          oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),          \
                                          OX_HERE))

/// Returns a copy of the value of a key.
#define ox_map_read(map, ...) (*ox_map_get(map, __VA_ARGS__))

/// Returns a copy of the value of a key, or the last argument if there is no such key.
#define ox_map_read_or(map, key, ...)                                                              \
    (*(const OXI_ITEM(map) *)oxi_map_or(ox_map_find(map, key),                                     \
                                        OXI_VALUE(OXI_ITEM(map), __VA_ARGS__)))

/// Adds a key if it is missing: ox_map_add(weights, 3, 1.5f).
/// @return false if it exists, with its value unchanged, or after a report.
OXI_INLINE bool ox_map_add_at(ox_map map, const void *key, oxi_slot_shape shape, const void *value,
                              ox_site site);
#define ox_map_add(map, key, ...)                                                                  \
    ox_map_add_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                                     \
                  oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),                                  \
                  OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// Sets the value of a key, which is added if it is missing. @return false after a report.
OXI_INLINE bool ox_map_set_at(ox_map map, const void *key, oxi_slot_shape shape, const void *value,
                              ox_site site);
#define ox_map_set(map, key, ...)                                                                  \
    ox_map_set_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                                     \
                  oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),                                  \
                  OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// Removes a key. @return false if it was missing, or after a report.
OXI_INLINE bool ox_map_remove_at(ox_map map, const void *key, oxi_slot_shape shape, ox_site site);
#define ox_map_remove(map, ...)                                                                    \
    ox_map_remove_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),                          \
                     oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE)

// Writing from parallel jobs.

/// Returns a writer for parallel jobs. Any number of jobs may hold copies of it. Main only. @return
/// {0} after a report.
OX_API ox_map_writer ox_map_writer_of_at(ox_map map, ox_site site);
#define ox_map_writer_of(map)                                                                      \
    OXI_RESULT(map, oxi_writer, ox_map_writer,                                                     \
               ox_map_writer_of_at(OXI_UNTYPED(ox_map, map), OX_HERE))

/// Adds a key from a job; the next use of the map merges it. Of several writes of a key the one
/// with the lowest index counts, and an existing key keeps its value. Writes succeed until the
/// capacity is used. @return false after a report.
OX_API bool ox_map_write_at(ox_map_writer writer, const void *key, oxi_slot_shape shape,
                            const void *value, ox_site site);
#define ox_map_write(writer, key, ...)                                                             \
    ox_map_write_at((writer).untyped, OXI_VALUE(OXI_KEY(writer), key),                             \
                    oxi_slot_shape_of(OXI_KEY(writer), OXI_ITEM(writer)),                          \
                    OXI_VALUE(OXI_ITEM(writer), __VA_ARGS__), OX_HERE)

/// Merges what jobs wrote through writers. All other calls do it automatically.
/// @return false after a report: out of memory, and all writes stay pending.
OX_API bool ox_map_merge_at(ox_map map, ox_site site);
#define ox_map_merge(map) ox_map_merge_at(OXI_UNTYPED(ox_map, map), OX_HERE)

// Walking over the keys of a map by hand; OX_EACH does it for you.
//
//     ox_map_walk walk = ox_map_walk_begin(ages);
//     while (ox_map_walk_next(&walk)) { print(*ox_map_walk_key(&walk, uint64_t)); }
//
// A walk is untyped: calls name the type of what they read. Adding or removing keys ends all walks,
// except the one that removes through itself.

/// The position of a walk. Create it with ox_map_walk_begin.
typedef struct ox_map_walk {
    ox_map map; ///< {0}: the walk is over
    oxi_slot_shape shape;
    unsigned char *group; ///< the first of the groups that are read together
    uint64_t full;        ///< a bit for each remaining slot of these groups
    uint32_t index;       ///< of the current slot
    uint32_t left;        ///< groups after them
    uint32_t changes;
    bool is_at_key;
} ox_map_walk;

/// Begins a walk over all keys. If it edits, checks now that the map may be written.
/// @return an empty walk after a report.
OX_API ox_map_walk ox_map_walk_begin_at(ox_map map, bool edits, ox_site site);
#define ox_map_walk_begin(map) ox_map_walk_begin_at(OXI_UNTYPED(ox_map, map), false, OX_HERE)

/// Advances to the next key, initially to the first. @return false at the end, or after a report.
OXI_INLINE bool ox_map_walk_next_at(ox_map_walk *walk, ox_site site);
#define ox_map_walk_next(walk) ox_map_walk_next_at(walk, OX_HERE)

/// Returns the address of the current key. @return NULL after a report.
OX_API const void *ox_map_walk_key_at(const ox_map_walk *walk, ox_element key, ox_site site);
#define ox_map_walk_key(walk, K) ((const K *)ox_map_walk_key_at(walk, ox_element_of(K), OX_HERE))

/// Returns the address of the current value. @return NULL after a report.
OX_API void *ox_map_walk_get_at(const ox_map_walk *walk, ox_element value, bool edits,
                                ox_site site);
#define ox_map_walk_get(walk, V)                                                                   \
    ((const V *)ox_map_walk_get_at(walk, ox_element_of(V), false, OX_HERE))

/// The same for writing.
#define ox_map_walk_edit(walk, V) ((V *)ox_map_walk_get_at(walk, ox_element_of(V), true, OX_HERE))

/// Removes the current key. This walk continues after it. @return false after a report.
OX_API bool ox_map_walk_remove_at(ox_map_walk *walk, ox_site site);
#define ox_map_walk_remove(walk) ox_map_walk_remove_at(walk, OX_HERE)

// Multimaps: several values per key, read in the order in which they were added.
//
//     Cells cells = ox_multimap_create(Cells, 100, OX_PERSISTENT);
//     ox_multimap_add(cells, cell, boid);
//     OX_EACH_OF(cells, cell, it) { use(*it.value); }

/// Adds to a multimap from parallel jobs. Only memory limits it.
typedef struct ox_multimap_writer {
    oxi_multimap_state *state;
    ox_access access;
} ox_multimap_writer;

/// Several values per key. Copy it freely: all copies are the same multimap. {0} is none.
typedef struct ox_multimap {
    oxi_multimap_state *state;
    ox_access access;
    OXI_UNTYPED_MEMBERS(ox_multimap);
    OXI_UNTYPED_MEMBER(ox_multimap_writer, oxi_writer);
    OXI_UNTYPED_MEMBER(ox_array, oxi_keys);
} ox_multimap;

OXI_UNTYPED_OVERLOAD(ox_multimap);

/// The position of a walk over a multimap: see below.
typedef struct ox_multimap_walk ox_multimap_walk;

/// Declares a type of multimaps at file scope: OX_MULTIMAP(Cells, uint32_t, Boid). `Cells_writer`
/// is the type of their writers, `Cells_keys` that of ox_multimap_keys. `.untyped` is the
/// ox_multimap that plain functions take.
#define OX_MULTIMAP(Name, K, V)                                                                    \
    OXI_PAIRS_TYPE(Name##_writer, ox_multimap_writer, ox_multimap_walk, K, V, );                   \
    OX_ARRAY(Name##_keys, K);                                                                      \
    OXI_PAIRS_TYPE(Name, ox_multimap, ox_multimap_walk, K, V, Name##_writer *oxi_writer;           \
                   Name##_keys * oxi_keys;)

/// Creates an empty multimap with capacity for `capacity` pairs. @return {0} after a report.
OX_API ox_multimap ox_multimap_create_at(oxi_map_type_pair types, int64_t capacity,
                                         ox_allocator allocator, ox_site site);
#define ox_multimap_create(Map, capacity, allocator)                                               \
    OXI_TYPED(Map,                                                                                 \
              ox_multimap_create_at(OXI_MAP_TYPES(Map), (int64_t)(capacity), allocator, OX_HERE))
/// Creates an untyped one: ox_multimap_create_untyped(uint64_t, int, 100, OX_PERSISTENT).
#define ox_multimap_create_untyped(K, V, capacity, allocator)                                      \
    ox_multimap_create_at(oxi_map_type_pair_of(K, V), (int64_t)(capacity), allocator, OX_HERE)

/// Creates an empty multimap from a def, which is copied and may be braced.
/// @return {0} after a report.
OX_API ox_multimap ox_multimap_create_with_at(oxi_map_type_pair types, const ox_map_def *def,
                                              ox_site site);
#define ox_multimap_create_with(Map, ...)                                                          \
    OXI_TYPED(Map, ox_multimap_create_with_at(OXI_MAP_TYPES(Map),                                  \
                                              OXI_VALUE(ox_map_def, __VA_ARGS__), OX_HERE))
/// Creates an untyped one.
#define ox_multimap_create_with_untyped(K, V, ...)                                                 \
    ox_multimap_create_with_at(oxi_map_type_pair_of(K, V), OXI_VALUE(ox_map_def, __VA_ARGS__),     \
                               OX_HERE)

/// The plain form of ox_dispose and, with a job, of ox_dispose_after.
/// @return the job that frees it; OX_NO_JOB if it was freed at once, or after a report.
OX_API ox_job ox_multimap_dispose_at(ox_multimap *map, ox_job after, ox_site site);

/// True if the handle has memory. Checks nothing else: also true for copies of a disposed handle.
#define ox_multimap_is_created(map) (OXI_UNTYPED(ox_multimap, map).state != NULL)

/// Returns the number of pairs of key and value, including those that jobs wrote. 0 after a report.
OX_API int32_t ox_multimap_count_at(ox_multimap map, ox_site site);
#define ox_multimap_count(map) ox_multimap_count_at(OXI_UNTYPED(ox_multimap, map), OX_HERE)

/// Returns true if the multimap has no pairs, and after a report.
#define ox_multimap_is_empty(map)                                                                  \
    (ox_multimap_count_at(OXI_UNTYPED(ox_multimap, map), OX_HERE) == 0)

/// Returns the number of values of a key. 0 after a report.
OX_API int32_t ox_multimap_count_values_at(ox_multimap map, const void *key,
                                           oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_count_values(map, ...)                                                         \
    ox_multimap_count_values_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),               \
                                oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE)

/// Returns true if the key has a value.
#define ox_multimap_has(map, ...) (ox_multimap_count_values(map, __VA_ARGS__) > 0)

/// Reserves capacity for `capacity` pairs in total, with as many keys. No effect if the multimap
/// has as much; reports a capacity below the count. @return false after a report.
OX_API bool ox_multimap_reserve_at(ox_multimap map, int64_t capacity, ox_site site);
#define ox_multimap_reserve(map, capacity)                                                         \
    ox_multimap_reserve_at(OXI_UNTYPED(ox_multimap, map), (int64_t)(capacity), OX_HERE)

/// Removes all pairs, including those that jobs wrote, and keeps the capacity. @return false after
/// a report.
OX_API bool ox_multimap_clear_at(ox_multimap map, ox_site site);
#define ox_multimap_clear(map) ox_multimap_clear_at(OXI_UNTYPED(ox_multimap, map), OX_HERE)

/// Adds a pair, after the other values of the key. The value comes last and may be braced.
/// @return false after a report.
OX_API bool ox_multimap_add_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                               const void *value, ox_site site);
#define ox_multimap_add(map, key, ...)                                                             \
    ox_multimap_add_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                                \
                       oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)),                     \
                       OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// Removes a key with all its values. @return the number of values.
OX_API int32_t ox_multimap_remove_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                                     ox_site site);
#define ox_multimap_remove(map, ...)                                                               \
    ox_multimap_remove_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),                     \
                          oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE)

/// Removes all pairs of this key and this value, whose bytes are compared.
/// @return the number of removed pairs.
OX_API int32_t ox_multimap_remove_pair_at(ox_multimap map, const void *key,
                                          oxi_multimap_type_pair kinds, const void *value,
                                          ox_site site);
#define ox_multimap_remove_pair(map, key, ...)                                                     \
    ox_multimap_remove_pair_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                        \
                               oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)),             \
                               OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// Creates an array with each key once, in the order of a walk. @return {0} after a report.
OX_API ox_array ox_multimap_keys_at(ox_multimap map, ox_element_info key, ox_allocator allocator,
                                    ox_site site);
#define ox_multimap_keys(map, allocator)                                                           \
    OXI_RESULT(                                                                                    \
        map, oxi_keys, ox_array,                                                                   \
        ox_multimap_keys_at((map).untyped, OXI_INFO_OF("key", OXI_KEY(map)), allocator, OX_HERE))

// Walks over the values of one key by hand; OX_EACH_OF does it for you.

/// The position of a walk. Create it with ox_multimap_walk_begin.
typedef struct ox_multimap_walk {
    ox_multimap map;
    const void *key;        ///< in the multimap; NULL: no such key, or no pairs left
    void *value;            ///< the current value, or NULL
    unsigned char *entries; ///< all values, each with the number of the next
    uint32_t stride;
    uint32_t next_offset; ///< of that number, in an entry
    uint32_t entry;
    uint32_t previous;
    uint32_t next;
    uint32_t changes;
    ox_element value_kind;
    uint32_t region; ///< the part of the table with the slot of the key
    uint64_t slot;
} ox_multimap_walk;

/// Begins a walk over the values of a key, before the first.
OX_API ox_multimap_walk ox_multimap_walk_begin_at(ox_multimap map, const void *key,
                                                  oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_walk_begin(map, ...) oxi_multimap_seek(map, __VA_ARGS__)

/// Advances to the next value of the key. @return false at the end, or after a report.
OXI_INLINE bool ox_multimap_walk_next_at(ox_multimap_walk *it, ox_site site);
#define ox_multimap_walk_next(it) ox_multimap_walk_next_at(it, OX_HERE)

/// Returns the address of the current value. @return NULL after a report.
OX_API void *ox_multimap_walk_get_at(const ox_multimap_walk *it, ox_element value, bool edits,
                                     ox_site site);
#define ox_multimap_walk_get(walk, V)                                                              \
    ((const V *)ox_multimap_walk_get_at(walk, ox_element_of(V), false, OX_HERE))

/// The same for writing.
#define ox_multimap_walk_edit(walk, V)                                                             \
    ((V *)ox_multimap_walk_get_at(walk, ox_element_of(V), true, OX_HERE))

/// Removes the current pair. This walk continues after it; other walks end.
/// @return false after a report.
OX_API bool ox_multimap_walk_remove_at(ox_multimap map, ox_multimap_walk *it, ox_site site);
#define ox_multimap_walk_remove(map, walk)                                                         \
    ox_multimap_walk_remove_at(OXI_UNTYPED(ox_multimap, map), walk, OX_HERE)

/// Advances to the next pair of a walk over all pairs, as OX_EACH makes one: `it.walk`. @return
/// false at the end.
#define ox_multimap_walk_next_pair(it) oxi_multimap_next_pair(it, OX_HERE)

// Writing from parallel jobs.

/// Returns a writer for parallel jobs. Any number of jobs may hold copies of it. Main only. @return
/// {0} after a report.
OX_API ox_multimap_writer ox_multimap_writer_of_at(ox_multimap map, ox_site site);
#define ox_multimap_writer_of(map)                                                                 \
    OXI_RESULT(map, oxi_writer, ox_multimap_writer,                                                \
               ox_multimap_writer_of_at(OXI_UNTYPED(ox_multimap, map), OX_HERE))

/// Adds a pair from a job; the next use of the multimap merges it. @return false after a report.
OX_API bool ox_multimap_write_at(ox_multimap_writer writer, const void *key,
                                 oxi_multimap_type_pair kinds, const void *value, ox_site site);
#define ox_multimap_write(writer, key, ...)                                                        \
    ox_multimap_write_at((writer).untyped, OXI_VALUE(OXI_KEY(writer), key),                        \
                         oxi_multimap_type_pair_of(OXI_KEY(writer), OXI_ITEM(writer)),             \
                         OXI_VALUE(OXI_ITEM(writer), __VA_ARGS__), OX_HERE)

/// Merges what jobs wrote through writers. All other calls do it automatically.
/// @return false after a report: out of memory, and the rest stays pending.
OX_API bool ox_multimap_merge_at(ox_multimap map, ox_site site);
#define ox_multimap_merge(map) ox_multimap_merge_at(OXI_UNTYPED(ox_multimap, map), OX_HERE)

/// Schedules jobs that merge after `after`, on all cores. Main only. The order of pairs is the same
/// as that of ox_multimap_merge. @return the last of these jobs, or OX_NO_JOB after a report.
OX_API ox_job ox_multimap_merge_after_at(ox_multimap map, ox_job after, ox_site site);
#define ox_multimap_merge_after(map, after)                                                        \
    ox_multimap_merge_after_at(OXI_UNTYPED(ox_multimap, map), after, OX_HERE)

#include "oxbow/detail/map.h"
