// SPDX-License-Identifier: MIT
//
// Maps and multimaps: one value for each key, or several.
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
// Keys are compared byte by byte, unless functions are given. The order of a walk is not specified,
// but the same calls give the same order on every machine. Copies of a handle share everything. A
// call that adds or removes invalidates pointers and ends walks. A key in front of a value cannot
// stand in braces: one that is a struct is passed as a variable. The value comes last and may be
// braced.
//
// Threads: any thread may read a map that no thread changes. Parallel jobs add through a writer:
// what they wrote is there when the map is used next, the values of a key of a multimap in the
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

/// Where a walk over a map stands: see below.
typedef struct ox_map_walk ox_map_walk;

/// Declares a type of maps: OX_MAP(Ages, uint64_t, int). `Ages_writer` is the type of their
/// writers, `Ages_keys` and `Ages_values` are those of arrays of them. `.untyped` is the ox_map
/// that plain functions take. At file scope.
#define OX_MAP(Name, K, V)                                                                         \
    OXI_PAIRS_TYPE(Name##_writer, ox_map_writer, ox_map_walk, K, V, );                             \
    OX_ARRAY(Name##_keys, K);                                                                      \
    OX_ARRAY(Name##_values, V);                                                                    \
    OXI_PAIRS_TYPE(Name, ox_map, ox_map_walk, K, V, Name##_writer *oxi_writer;                     \
                   Name##_keys * oxi_keys; Name##_values * oxi_values;)

/// How to make a map. Zero every field you do not set.
typedef struct ox_map_def {
    uint32_t _guard_begin;

    /// Keys to make room for at once. The map grows past it.
    int64_t capacity;

    /// 0 means OX_PERSISTENT.
    ox_allocator allocator;

    /// How keys are hashed and compared, on whatever thread uses the map. Both, or neither: then
    /// the bytes of keys count. Equal keys must have equal hashes; a poor hash makes a slow map.
    uint64_t (*hash)(const void *key, void *context);
    bool (*equal)(const void *a, const void *b, void *context);
    void *context;

    uint32_t _guard_end;
} ox_map_def;

/// Makes an empty map with room for `capacity` keys. Keys with padding bytes are refused, where the
/// compiler or OX_STRUCT tells of them. @return {0} after a report.
OX_API ox_map ox_map_create_at(oxi_map_type_pair types, int64_t capacity, ox_allocator allocator,
                               ox_site site);
#define ox_map_create(Map, capacity, allocator)                                                    \
    OXI_TYPED(Map, ox_map_create_at(OXI_MAP_TYPES(Map), (int64_t)(capacity), allocator, OX_HERE))
/// An untyped one: ox_map_create_untyped(uint64_t, int, 100, OX_PERSISTENT).
#define ox_map_create_untyped(K, V, capacity, allocator)                                           \
    ox_map_create_at(oxi_map_type_pair_of(K, V), (int64_t)(capacity), allocator, OX_HERE)

/// Makes an empty map from a def, which is copied and may stand in braces.
/// @return {0} after a report.
OX_API ox_map ox_map_create_with_at(oxi_map_type_pair types, const ox_map_def *def, ox_site site);
#define ox_map_create_with(Map, ...)                                                               \
    OXI_TYPED(Map, ox_map_create_with_at(OXI_MAP_TYPES(Map), OXI_VALUE(ox_map_def, __VA_ARGS__),   \
                                         OX_HERE))
/// An untyped one.
#define ox_map_create_with_untyped(K, V, ...)                                                      \
    ox_map_create_with_at(oxi_map_type_pair_of(K, V), OXI_VALUE(ox_map_def, __VA_ARGS__), OX_HERE)

/// Frees the memory: at once for OX_NO_JOB, else in a job after `after`, which covers all jobs that
/// use it. Every copy of the handle is stale at once. See ox_dispose and ox_dispose_after. With a
/// job, main only. @return the job that frees it; OX_NO_JOB when it is free, or after a report.
OX_API ox_job ox_map_dispose_at(ox_map *map, ox_job after, ox_site site);

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
#define ox_map_is_created(map) (OXI_UNTYPED(ox_map, map).table != NULL)

/// How many keys there are, those included that jobs wrote. 0 after a report.
OX_API int32_t ox_map_count_at(ox_map map, ox_site site);
#define ox_map_count(map) ox_map_count_at(OXI_UNTYPED(ox_map, map), OX_HERE)

/// True when there is no key, and after a report.
#define ox_map_is_empty(map) (ox_map_count_at(OXI_UNTYPED(ox_map, map), OX_HERE) == 0)

/// How many keys fit before the map grows: what was asked for, or more. 0 after a report.
OX_API int32_t ox_map_capacity_at(ox_map map, ox_site site);
#define ox_map_capacity(map) ox_map_capacity_at(OXI_UNTYPED(ox_map, map), OX_HERE)

/// Makes room for `capacity` keys in all. Less room than there is changes nothing; less than there
/// are keys is a report. @return false after a report.
OX_API bool ox_map_reserve_at(ox_map map, int64_t capacity, ox_site site);
#define ox_map_reserve(map, capacity)                                                              \
    ox_map_reserve_at(OXI_UNTYPED(ox_map, map), (int64_t)(capacity), OX_HERE)

/// Removes all keys, also those that jobs wrote, and keeps the room. @return false after a report.
OX_API bool ox_map_clear_at(ox_map map, ox_site site);
#define ox_map_clear(map) ox_map_clear_at(OXI_UNTYPED(ox_map, map), OX_HERE)

/// A new array with all keys, in the order of a walk: ox_map_keys(ages, OX_TEMP).
/// @return {0} after a report.
OX_API ox_array ox_map_keys_at(ox_map map, ox_element_info key, ox_allocator allocator,
                               ox_site site);
#define ox_map_keys(map, allocator)                                                                \
    OXI_RESULT(                                                                                    \
        map, oxi_keys, ox_array,                                                                   \
        ox_map_keys_at((map).untyped, OXI_INFO_OF("key", OXI_KEY(map)), allocator, OX_HERE))

/// A new array with all values, in the same order. @return {0} after a report.
OX_API ox_array ox_map_values_at(ox_map map, ox_element_info value, ox_allocator allocator,
                                 ox_site site);
#define ox_map_values(map, allocator)                                                              \
    OXI_RESULT(                                                                                    \
        map, oxi_values, ox_array,                                                                 \
        ox_map_values_at((map).untyped, OXI_INFO_OF("value", OXI_ITEM(map)), allocator, OX_HERE))

/// The value of a key, or NULL when it is not there or after a report.
OXI_INLINE const void *ox_map_find_at(ox_map map, const void *key, oxi_slot_shape shape,
                                      ox_site site);
#define ox_map_find(map, ...)                                                                      \
    ((const OXI_ITEM(map) *)ox_map_find_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),    \
                                           oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),         \
                                           OX_HERE))

/// The same to write to.
OXI_INLINE void *ox_map_edit_at(ox_map map, const void *key, oxi_slot_shape shape, ox_site site);
#define ox_map_edit(map, ...)                                                                      \
    ((OXI_ITEM(map) *)ox_map_edit_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),          \
                                     oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE))

/// True when the key is there.
#define ox_map_has(map, ...) (ox_map_find(map, __VA_ARGS__) != NULL)

/// The value of a key that must be there: else a report, and zeros.
OXI_INLINE const void *ox_map_get_at(ox_map map, const void *key, oxi_slot_shape shape,
                                     ox_site site);

/// The address of the value of a key, to read it.
#define ox_map_get(map, ...)                                                                       \
    ((const OXI_ITEM(map) *)ox_map_get_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),     \
                                          oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),          \
                                          OX_HERE))

/// The value of a key, a copy.
#define ox_map_read(map, ...) (*ox_map_get(map, __VA_ARGS__))

/// The value of a key, or the one that comes last when it is not there.
#define ox_map_read_or(map, key, ...)                                                              \
    (*(const OXI_ITEM(map) *)oxi_map_or(ox_map_find(map, key),                                     \
                                        OXI_VALUE(OXI_ITEM(map), __VA_ARGS__)))

/// Adds a key that is not there: ox_map_add(weights, 3, 1.5f).
/// @return false when it is there, with its value unchanged, or after a report.
OXI_INLINE bool ox_map_add_at(ox_map map, const void *key, oxi_slot_shape shape, const void *value,
                              ox_site site);
#define ox_map_add(map, key, ...)                                                                  \
    ox_map_add_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                                     \
                  oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),                                  \
                  OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// Adds a key, or gives the one that is there another value. @return false after a report.
OXI_INLINE bool ox_map_set_at(ox_map map, const void *key, oxi_slot_shape shape, const void *value,
                              ox_site site);
#define ox_map_set(map, key, ...)                                                                  \
    ox_map_set_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                                     \
                  oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)),                                  \
                  OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// Removes a key. @return false when it was not there, or after a report.
OXI_INLINE bool ox_map_remove_at(ox_map map, const void *key, oxi_slot_shape shape, ox_site site);
#define ox_map_remove(map, ...)                                                                    \
    ox_map_remove_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),                          \
                     oxi_slot_shape_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE)

// Writing from parallel jobs.

/// A writer for the fields of parallel jobs. Make it on main. @return {0} after a report.
OX_API ox_map_writer ox_map_writer_of_at(ox_map map, ox_site site);
#define ox_map_writer_of(map)                                                                      \
    OXI_RESULT(map, oxi_writer, ox_map_writer,                                                     \
               ox_map_writer_of_at(OXI_UNTYPED(ox_map, map), OX_HERE))

/// Adds a key from a job, once the map is used next. Among writes of one key the one of the lowest
/// index counts, and a key that was there keeps its value. As many writes succeed as the map has
/// room for keys, whoever makes them. @return false after a report.
OX_API bool ox_map_write_at(ox_map_writer writer, const void *key, oxi_slot_shape shape,
                            const void *value, ox_site site);
#define ox_map_write(writer, key, ...)                                                             \
    ox_map_write_at((writer).untyped, OXI_VALUE(OXI_KEY(writer), key),                             \
                    oxi_slot_shape_of(OXI_KEY(writer), OXI_ITEM(writer)),                          \
                    OXI_VALUE(OXI_ITEM(writer), __VA_ARGS__), OX_HERE)

/// Takes over what jobs wrote. Every other call does it by itself. @return false after a report:
/// out of memory, and all stays pending.
OX_API bool ox_map_merge_at(ox_map map, ox_site site);
#define ox_map_merge(map) ox_map_merge_at(OXI_UNTYPED(ox_map, map), OX_HERE)

// Walking over the keys of a map by hand; OX_EACH does it for you.
//
//     ox_map_walk walk = ox_map_walk_begin(ages);
//     while (ox_map_walk_next(&walk)) { print(*ox_map_walk_key(&walk, uint64_t)); }
//
// A walk is untyped: calls name the type of what they read. Adding or removing ends every walk but
// one that removes through itself.

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
#define ox_map_walk_begin(map) ox_map_walk_begin_at(OXI_UNTYPED(ox_map, map), false, OX_HERE)

/// Goes to the next key, at first to the first. @return false at the end, or after a report.
OXI_INLINE bool ox_map_walk_next_at(ox_map_walk *walk, ox_site site);
#define ox_map_walk_next(walk) ox_map_walk_next_at(walk, OX_HERE)

/// The key that a walk stands at. @return NULL after a report.
OX_API const void *ox_map_walk_key_at(const ox_map_walk *walk, ox_element key, ox_site site);
#define ox_map_walk_key(walk, K) ((const K *)ox_map_walk_key_at(walk, ox_element_of(K), OX_HERE))

/// The value that a walk stands at. @return NULL after a report.
OX_API void *ox_map_walk_get_at(const ox_map_walk *walk, ox_element value, bool edits,
                                ox_site site);
#define ox_map_walk_get(walk, V)                                                                   \
    ((const V *)ox_map_walk_get_at(walk, ox_element_of(V), false, OX_HERE))

/// The same to write to.
#define ox_map_walk_edit(walk, V) ((V *)ox_map_walk_get_at(walk, ox_element_of(V), true, OX_HERE))

/// Removes the key that a walk stands at; the walk goes on behind it. @return false after a report.
OX_API bool ox_map_walk_remove_at(ox_map_walk *walk, ox_site site);
#define ox_map_walk_remove(walk) ox_map_walk_remove_at(walk, OX_HERE)

// Multimaps: several values for each key, read in the order in which they were added.
//
//     Cells cells = ox_multimap_create(Cells, 100, OX_PERSISTENT);
//     ox_multimap_add(cells, cell, boid);
//     OX_EACH_OF(cells, cell, it) { use(*it.value); }

/// Adds to a multimap from parallel jobs. There is always room.
typedef struct ox_multimap_writer {
    oxi_multimap_state *state;
    ox_access access;
} ox_multimap_writer;

/// Values by key, several for each. Copy it freely: all copies are the same multimap. {0} is none.
typedef struct ox_multimap {
    oxi_multimap_state *state;
    ox_access access;
    OXI_UNTYPED_MEMBERS(ox_multimap);
    OXI_UNTYPED_MEMBER(ox_multimap_writer, oxi_writer);
    OXI_UNTYPED_MEMBER(ox_array, oxi_keys);
} ox_multimap;

OXI_UNTYPED_OVERLOAD(ox_multimap);

/// Where a walk over a multimap stands: see below.
typedef struct ox_multimap_walk ox_multimap_walk;

/// Declares a type of multimaps: OX_MULTIMAP(Cells, uint32_t, Boid). `Cells_writer` is the type of
/// their writers, `Cells_keys` that of arrays of keys. `.untyped` is the ox_multimap that plain
/// functions take. At file scope.
#define OX_MULTIMAP(Name, K, V)                                                                    \
    OXI_PAIRS_TYPE(Name##_writer, ox_multimap_writer, ox_multimap_walk, K, V, );                   \
    OX_ARRAY(Name##_keys, K);                                                                      \
    OXI_PAIRS_TYPE(Name, ox_multimap, ox_multimap_walk, K, V, Name##_writer *oxi_writer;           \
                   Name##_keys * oxi_keys;)

/// Makes an empty multimap with room for `capacity` pairs. @return {0} after a report.
OX_API ox_multimap ox_multimap_create_at(oxi_map_type_pair types, int64_t capacity,
                                         ox_allocator allocator, ox_site site);
#define ox_multimap_create(Map, capacity, allocator)                                               \
    OXI_TYPED(Map,                                                                                 \
              ox_multimap_create_at(OXI_MAP_TYPES(Map), (int64_t)(capacity), allocator, OX_HERE))
/// An untyped one: ox_multimap_create_untyped(uint64_t, int, 100, OX_PERSISTENT).
#define ox_multimap_create_untyped(K, V, capacity, allocator)                                      \
    ox_multimap_create_at(oxi_map_type_pair_of(K, V), (int64_t)(capacity), allocator, OX_HERE)

/// Makes an empty multimap from a def, which is copied and may stand in braces.
/// @return {0} after a report.
OX_API ox_multimap ox_multimap_create_with_at(oxi_map_type_pair types, const ox_map_def *def,
                                              ox_site site);
#define ox_multimap_create_with(Map, ...)                                                          \
    OXI_TYPED(Map, ox_multimap_create_with_at(OXI_MAP_TYPES(Map),                                  \
                                              OXI_VALUE(ox_map_def, __VA_ARGS__), OX_HERE))
/// An untyped one.
#define ox_multimap_create_with_untyped(K, V, ...)                                                 \
    ox_multimap_create_with_at(oxi_map_type_pair_of(K, V), OXI_VALUE(ox_map_def, __VA_ARGS__),     \
                               OX_HERE)

/// Frees the memory: at once for OX_NO_JOB, else in a job after `after`, which covers all jobs that
/// use it. Every copy of the handle is stale at once. See ox_dispose and ox_dispose_after. With a
/// job, main only. @return the job that frees it; OX_NO_JOB when it is free, or after a report.
OX_API ox_job ox_multimap_dispose_at(ox_multimap *map, ox_job after, ox_site site);

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
#define ox_multimap_is_created(map) (OXI_UNTYPED(ox_multimap, map).state != NULL)

/// How many pairs of key and value there are, those included that jobs wrote. 0 after a report.
OX_API int32_t ox_multimap_count_at(ox_multimap map, ox_site site);
#define ox_multimap_count(map) ox_multimap_count_at(OXI_UNTYPED(ox_multimap, map), OX_HERE)

/// True when there is no pair, and after a report.
#define ox_multimap_is_empty(map)                                                                  \
    (ox_multimap_count_at(OXI_UNTYPED(ox_multimap, map), OX_HERE) == 0)

/// How many values a key has. 0 after a report.
OX_API int32_t ox_multimap_count_values_at(ox_multimap map, const void *key,
                                           oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_count_values(map, ...)                                                         \
    ox_multimap_count_values_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),               \
                                oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE)

/// True when the key has a value.
#define ox_multimap_has(map, ...) (ox_multimap_count_values(map, __VA_ARGS__) > 0)

/// Makes room for `capacity` pairs in all, with as many keys. Less room than there is changes
/// nothing; less than there are pairs is a report. @return false after a report.
OX_API bool ox_multimap_reserve_at(ox_multimap map, int64_t capacity, ox_site site);
#define ox_multimap_reserve(map, capacity)                                                         \
    ox_multimap_reserve_at(OXI_UNTYPED(ox_multimap, map), (int64_t)(capacity), OX_HERE)

/// Removes all pairs, also those that jobs wrote, and keeps the room. @return false after a report.
OX_API bool ox_multimap_clear_at(ox_multimap map, ox_site site);
#define ox_multimap_clear(map) ox_multimap_clear_at(OXI_UNTYPED(ox_multimap, map), OX_HERE)

/// Adds a pair behind the other values of the key; the value comes last and may be braced.
/// @return false after a report.
OX_API bool ox_multimap_add_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                               const void *value, ox_site site);
#define ox_multimap_add(map, key, ...)                                                             \
    ox_multimap_add_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                                \
                       oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)),                     \
                       OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// Removes a key with all its values. @return how many there were.
OX_API int32_t ox_multimap_remove_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                                     ox_site site);
#define ox_multimap_remove(map, ...)                                                               \
    ox_multimap_remove_at((map).untyped, OXI_VALUE(OXI_KEY(map), __VA_ARGS__),                     \
                          oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)), OX_HERE)

/// Removes every pair of this key and this value, whose bytes are compared.
/// @return how many there were.
OX_API int32_t ox_multimap_remove_pair_at(ox_multimap map, const void *key,
                                          oxi_multimap_type_pair kinds, const void *value,
                                          ox_site site);
#define ox_multimap_remove_pair(map, key, ...)                                                     \
    ox_multimap_remove_pair_at((map).untyped, OXI_VALUE(OXI_KEY(map), key),                        \
                               oxi_multimap_type_pair_of(OXI_KEY(map), OXI_ITEM(map)),             \
                               OXI_VALUE(OXI_ITEM(map), __VA_ARGS__), OX_HERE)

/// A new array with each key once, in the order of a walk. @return {0} after a report.
OX_API ox_array ox_multimap_keys_at(ox_multimap map, ox_element_info key, ox_allocator allocator,
                                    ox_site site);
#define ox_multimap_keys(map, allocator)                                                           \
    OXI_RESULT(                                                                                    \
        map, oxi_keys, ox_array,                                                                   \
        ox_multimap_keys_at((map).untyped, OXI_INFO_OF("key", OXI_KEY(map)), allocator, OX_HERE))

// Walks over the values of one key by hand; OX_EACH_OF does it for you.

/// Where a walk stands. Make it with ox_multimap_walk_begin.
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

/// A walk before the first value of a key.
OX_API ox_multimap_walk ox_multimap_walk_begin_at(ox_multimap map, const void *key,
                                                  oxi_multimap_type_pair kinds, ox_site site);
#define ox_multimap_walk_begin(map, ...) oxi_multimap_seek(map, __VA_ARGS__)

/// Goes to the next value of the key. @return false at the end, or after a report.
OXI_INLINE bool ox_multimap_walk_next_at(ox_multimap_walk *it, ox_site site);
#define ox_multimap_walk_next(it) ox_multimap_walk_next_at(it, OX_HERE)

/// The value that a walk stands at. @return NULL after a report.
OX_API void *ox_multimap_walk_get_at(const ox_multimap_walk *it, ox_element value, bool edits,
                                     ox_site site);
#define ox_multimap_walk_get(walk, V)                                                              \
    ((const V *)ox_multimap_walk_get_at(walk, ox_element_of(V), false, OX_HERE))

/// The same to write to.
#define ox_multimap_walk_edit(walk, V)                                                             \
    ((V *)ox_multimap_walk_get_at(walk, ox_element_of(V), true, OX_HERE))

/// Removes the pair that a walk stands at; this walk goes on after it, others end.
/// @return false after a report.
OX_API bool ox_multimap_walk_remove_at(ox_multimap map, ox_multimap_walk *it, ox_site site);
#define ox_multimap_walk_remove(map, walk)                                                         \
    ox_multimap_walk_remove_at(OXI_UNTYPED(ox_multimap, map), walk, OX_HERE)

/// Goes to the next pair of a walk over all pairs, as OX_EACH makes one: `it.walk`. @return false
/// when there is none.
#define ox_multimap_walk_next_pair(it) oxi_multimap_next_pair(it, OX_HERE)

// Writing from parallel jobs.

/// A writer for the fields of parallel jobs. Make it on main. @return {0} after a report.
OX_API ox_multimap_writer ox_multimap_writer_of_at(ox_multimap map, ox_site site);
#define ox_multimap_writer_of(map)                                                                 \
    OXI_RESULT(map, oxi_writer, ox_multimap_writer,                                                \
               ox_multimap_writer_of_at(OXI_UNTYPED(ox_multimap, map), OX_HERE))

/// Adds a pair from a job, once the multimap is used next. @return false after a report.
OX_API bool ox_multimap_write_at(ox_multimap_writer writer, const void *key,
                                 oxi_multimap_type_pair kinds, const void *value, ox_site site);
#define ox_multimap_write(writer, key, ...)                                                        \
    ox_multimap_write_at((writer).untyped, OXI_VALUE(OXI_KEY(writer), key),                        \
                         oxi_multimap_type_pair_of(OXI_KEY(writer), OXI_ITEM(writer)),             \
                         OXI_VALUE(OXI_ITEM(writer), __VA_ARGS__), OX_HERE)

/// Takes over what jobs wrote. Every other call does it by itself. @return false after a report:
/// out of memory, and the rest stays pending.
OX_API bool ox_multimap_merge_at(ox_multimap map, ox_site site);
#define ox_multimap_merge(map) ox_multimap_merge_at(OXI_UNTYPED(ox_multimap, map), OX_HERE)

/// Lets jobs do that after `after`, on all cores. Main only. The order of everything is the same
/// either way. @return the last of these jobs, or OX_NO_JOB after a report.
OX_API ox_job ox_multimap_merge_after_at(ox_multimap map, ox_job after, ox_site site);
#define ox_multimap_merge_after(map, after)                                                        \
    ox_multimap_merge_after_at(OXI_UNTYPED(ox_multimap, map), after, OX_HERE)

#include "oxbow/detail/map.h"
