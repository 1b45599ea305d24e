// SPDX-License-Identifier: MIT
//
// Maps: one value for each key. The types of key and value are named at each call.
//
//     ox_map ages = ox_map_create(uint64_t, int, 100, OX_PERSISTENT);
//     ox_map_set(uint64_t, int, ages, id, 30);
//     const int *age = ox_map_find(uint64_t, int, ages, id);                // NULL: not there
//     OX_EACH_MAP(uint64_t, int, ages, it) { print(*it.key, *it.value); }
//     ox_map_dispose(&ages);
//
// Keys are compared byte by byte, unless functions are given. The order of a walk is not specified,
// but the same calls give the same order on every machine. Copies of a handle share everything. Any
// thread may read a map that no thread changes. A call that adds or removes ends pointers into the
// map. Parallel jobs add through an ox_map_writer: what they wrote is there when the map is used
// next. A key cannot stand in braces: one that is a struct is passed as a variable. The value comes
// last and may be braced.

#pragma once

#include "oxbow/array.h"
#include "oxbow/keys.h"

/// Values by key. Copy it freely: all copies are the same map. {0} is no map.
typedef struct ox_map {
    oxi_table *table;
    ox_access access;
} ox_map;

/// Adds to a map from parallel jobs. It never grows the map: reserve first.
typedef struct ox_map_writer {
    oxi_table *table;
    ox_access access;
} ox_map_writer;

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
#define ox_map_create(K, V, capacity, allocator)                                                   \
    ox_map_create_at(oxi_map_type_pair_of(K, V), (int64_t)(capacity), allocator, OX_HERE)

/// Makes an empty map from a def, which is copied and may stand in braces.
/// @return {0} after a report.
OX_API ox_map ox_map_create_with_at(oxi_map_type_pair types, const ox_map_def *def, ox_site site);
#define ox_map_create_with(K, V, ...)                                                              \
    ox_map_create_with_at(oxi_map_type_pair_of(K, V), OXI_VALUE(ox_map_def, __VA_ARGS__), OX_HERE)

/// Frees the memory. Every copy of the handle is dead from here on.
OX_API void ox_map_dispose_at(ox_map *map, ox_site site);
#define ox_map_dispose(map) ox_map_dispose_at(map, OX_HERE)

/// Frees the memory in a job after `after`, which covers all jobs that use it. The handle is dead
/// at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
OX_API ox_job ox_map_dispose_after_at(ox_map *map, ox_job after, ox_site site);
#define ox_map_dispose_after(map, after) ox_map_dispose_after_at(map, after, OX_HERE)

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
static inline bool ox_map_is_created(ox_map map) {
    return map.table != NULL;
}

/// How many keys there are, those included that jobs wrote. 0 after a report.
OX_API int32_t ox_map_count_at(ox_map map, ox_site site);
#define ox_map_count(map) ox_map_count_at(map, OX_HERE)

/// True when there is no key, and after a report.
#define ox_map_is_empty(map) (ox_map_count_at(map, OX_HERE) == 0)

/// How many keys fit before the map grows: what was asked for, or more. 0 after a report.
OX_API int32_t ox_map_capacity_at(ox_map map, ox_site site);
#define ox_map_capacity(map) ox_map_capacity_at(map, OX_HERE)

/// Makes room for `capacity` keys in all. Less room than there is changes nothing; less than there
/// are keys is a report. @return false after a report.
OX_API bool ox_map_reserve_at(ox_map map, int64_t capacity, ox_site site);
#define ox_map_reserve(map, capacity) ox_map_reserve_at(map, (int64_t)(capacity), OX_HERE)

/// Removes all keys, also those that jobs wrote, and keeps the room. @return false after a report.
OX_API bool ox_map_clear_at(ox_map map, ox_site site);
#define ox_map_clear(map) ox_map_clear_at(map, OX_HERE)

/// A new array with all keys, in the order of a walk: ox_map_keys(int, map, OX_TEMP).
/// @return {0} after a report.
OX_API ox_array ox_map_keys_at(ox_map map, ox_element_info key, ox_allocator allocator,
                               ox_site site);
#define ox_map_keys(K, map, allocator)                                                             \
    ox_map_keys_at(map, ox_element_info_of(K), allocator, OX_HERE)

/// A new array with all values, in the same order. @return {0} after a report.
OX_API ox_array ox_map_values_at(ox_map map, ox_element_info value, ox_allocator allocator,
                                 ox_site site);
#define ox_map_values(V, map, allocator)                                                           \
    ox_map_values_at(map, ox_element_info_of(V), allocator, OX_HERE)

// What the inline calls below stand on. Each check asks for the right to use the map, then for the
// types, and settles what jobs wrote.

/// May it be read?
OX_API bool oxi_map_may_read_at(ox_map map, oxi_slot_shape shape, ox_site site);
/// May its values be written?
OX_API bool oxi_map_may_write_at(ox_map map, oxi_slot_shape shape, ox_site site);
/// May keys be added and removed?
OX_API bool oxi_map_may_resize_at(ox_map map, oxi_slot_shape shape, ox_site site);

/// The value of a key, or NULL; for maps that are pending or have functions. This and the next ones
/// take the table alone: a handle as argument would be copied to the stack at each use.
OX_API void *oxi_map_find_slow_at(oxi_table *table, const void *key, ox_site site);

/// The slot of a key, which is added when it is not there. @return NULL after a report.
OX_API void *oxi_map_open_slow_at(oxi_table *table, const void *key, bool *is_new, ox_site site);

/// Removes a key. @return false when it was not there, or after a report.
OX_API bool oxi_map_remove_slow_at(oxi_table *table, const void *key, ox_site site);

/// Reports that a key is not there. @return oxi_element_zeros().
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

/// The value of a key, or NULL when it is not there or after a report.
OXI_INLINE const void *ox_map_find_at(ox_map map, const void *key, oxi_slot_shape shape,
                                      ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_read_at(map, shape, site)) {
        return NULL;
    }
#endif
    return oxi_map_find(map.table, key, shape, site);
}
#define ox_map_find(K, V, map, ...)                                                                \
    ((const V *)ox_map_find_at(map, OXI_VALUE(K, __VA_ARGS__), oxi_slot_shape_of(K, V), OX_HERE))

/// The same to write to.
OXI_INLINE void *ox_map_edit_at(ox_map map, const void *key, oxi_slot_shape shape, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_map_may_write_at(map, shape, site)) {
        return NULL;
    }
#endif
    return oxi_map_find(map.table, key, shape, site);
}
#define ox_map_edit(K, V, map, ...)                                                                \
    ((V *)ox_map_edit_at(map, OXI_VALUE(K, __VA_ARGS__), oxi_slot_shape_of(K, V), OX_HERE))

/// True when the key is there.
#define ox_map_has(K, V, map, ...) (ox_map_find(K, V, map, __VA_ARGS__) != NULL)

/// The value of a key that must be there: else a report, and zeros.
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
/// The value of a key, a copy.
#define ox_map_read(K, V, map, ...)                                                                \
    (*(const V *)ox_map_get_at(map, OXI_VALUE(K, __VA_ARGS__), oxi_slot_shape_of(K, V), OX_HERE))

/// The value of a key, or the one that comes last when it is not there.
#define ox_map_read_or(K, V, map, key, ...)                                                        \
    (*(const V *)oxi_map_or(ox_map_find(K, V, map, key), OXI_VALUE(V, __VA_ARGS__)))

/// Adds a key that is not there: ox_map_add(int, float, map, 3, 1.5f).
/// @return false when it is there, with its value unchanged, or after a report.
OXI_INLINE bool ox_map_add_at(ox_map map, const void *key, const void *value, oxi_slot_shape shape,
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
#define ox_map_add(K, V, map, key, ...)                                                            \
    ox_map_add_at(map, OXI_VALUE(K, key), OXI_VALUE(V, __VA_ARGS__), oxi_slot_shape_of(K, V),      \
                  OX_HERE)

/// Adds a key, or gives the one that is there another value. @return false after a report.
OXI_INLINE bool ox_map_set_at(ox_map map, const void *key, const void *value, oxi_slot_shape shape,
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
#define ox_map_set(K, V, map, key, ...)                                                            \
    ox_map_set_at(map, OXI_VALUE(K, key), OXI_VALUE(V, __VA_ARGS__), oxi_slot_shape_of(K, V),      \
                  OX_HERE)

/// Removes a key. @return false when it was not there, or after a report.
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
#define ox_map_remove(K, V, map, ...)                                                              \
    ox_map_remove_at(map, OXI_VALUE(K, __VA_ARGS__), oxi_slot_shape_of(K, V), OX_HERE)

// Writing from parallel jobs.

/// A writer for the fields of parallel jobs. Make it on main. @return {0} after a report.
OX_API ox_map_writer ox_map_writer_of_at(ox_map map, ox_site site);
#define ox_map_writer_of(map) ox_map_writer_of_at(map, OX_HERE)

/// Adds a key from a job, once the map is used next. Among writes of one key the one of the lowest
/// index counts, and a key that was there keeps its value. As many writes succeed as the map has
/// room for keys, whoever makes them. @return false after a report.
OX_API bool ox_map_write_at(ox_map_writer writer, const void *key, const void *value,
                            oxi_slot_shape shape, ox_site site);
#define ox_map_write(K, V, writer, key, ...)                                                       \
    ox_map_write_at(writer, OXI_VALUE(K, key), OXI_VALUE(V, __VA_ARGS__), oxi_slot_shape_of(K, V), \
                    OX_HERE)

/// Takes over what jobs wrote. Every other call does it by itself. @return false after a report:
/// out of memory, and all stays pending.
OX_API bool ox_map_merge_at(ox_map map, ox_site site);
#define ox_map_merge(map) ox_map_merge_at(map, OX_HERE)

// How it is made.

OXI_INLINE const void *oxi_map_or(const void *value, const void *otherwise) {
    return value != NULL ? value : otherwise;
}

#include "oxbow/map_walk.h"
