// SPDX-License-Identifier: MIT
//
// Buffers: an array for each entity, of any length.
//
//     OX_BUFFER(Waypoint, 8, { float x, y; });
//     ox_buffer path = ox_add_buffer(world, orc, Waypoint);
//     ox_buffer_push(path, Waypoint, {1, 2});
//     for (int k = 0; k < ox_buffer_count(path); k++) {
//         float x = ox_buffer_get(path, k, Waypoint)->x;
//     }
//     ox_buffer_clear(ox_edit(world, orc, Waypoint));
//
// A buffer is stored in the chunk up to its inline capacity. If it grows past that, all of it is
// stored outside; ox_buffer_trim moves it back if it fits. An ox_buffer is a handle: copy it
// freely. The next structural change of the world invalidates it, and so does scheduling a job over
// its entities, or one that holds a view or a lookup of the world. A change of length or capacity
// invalidates pointers to elements; using an ox_buffer_view after it is reported. Calls name the
// element type; any type of the same size is accepted.
//
// Threads: call everything here from the world's thread, or from jobs that were given the buffer.

#pragma once

#include "oxbow/array.h"
#include "oxbow/world.h"

/// A buffer of one entity, as a handle: copy it freely. {0} is none.
typedef struct ox_buffer ox_buffer;

/// The buffers of the rows of a chunk: get one with ox_buffers_get.
typedef struct ox_buffers ox_buffers;

/// Returns the buffer of an entity, for reading or writing: the plain form of ox_get and ox_edit
/// for buffers. Reading completes jobs that write it. Writing completes jobs that read or write it,
/// and marks it as changed. {0} after a report.
OX_API ox_buffer ox_get_buffer_at(ox_world *world, ox_entity entity, uint32_t component,
                                  bool writes, ox_site site);

/// Adds an empty buffer to an entity, or keeps the one that it has, and returns it for writing.
OX_API ox_buffer ox_add_buffer_at(ox_world *world, ox_entity entity, uint32_t component,
                                  ox_site site);
/// ox_add_buffer(world, orc, Waypoint).
#define ox_add_buffer(world, entity, T)                                                            \
    ox_add_buffer_at(world, entity, ox_component_id_of(T), OX_HERE)

/// False for {0}, which calls return after a report. Checks nothing else.
static inline bool ox_buffer_is_created(ox_buffer buffer) {
    return buffer.oxi_head != NULL;
}

/// Returns the number of elements. 0 after a report.
static inline int32_t ox_buffer_count_at(ox_buffer buffer, ox_site site);
#define ox_buffer_count(buffer) ox_buffer_count_at(buffer, OX_HERE)

/// Returns true if the buffer has no elements.
#define ox_buffer_is_empty(buffer) (ox_buffer_count_at(buffer, OX_HERE) == 0)

/// Returns the number of elements that fit before the buffer must grow: at least the inline
/// capacity. 0 after a report.
OX_API int32_t ox_buffer_capacity_at(ox_buffer buffer, ox_site site);
#define ox_buffer_capacity(buffer) ox_buffer_capacity_at(buffer, OX_HERE)

// Elements. Pointers to them are valid until the length or the capacity changes.

/// Returns the address of element `first`, for reading `count` elements: the plain form of get and
/// get_data. After a report it points to zeros.
static inline const void *ox_buffer_get_at(ox_buffer buffer, size_t size, int64_t first,
                                           int64_t count, ox_site site);

/// The same for writing: the plain form of edit and edit_data. After a report it points to scratch
/// memory.
static inline void *ox_buffer_edit_at(ox_buffer buffer, size_t size, int64_t first, int64_t count,
                                      ox_site site);

/// Returns the address of an element, for reading: ox_buffer_get(path, 3, Waypoint)->x.
#define ox_buffer_get(buffer, index, T)                                                            \
    ((const T *)ox_buffer_get_at(buffer, sizeof(T), (int64_t)(index), 1, OX_HERE))

/// Returns the address of an element, for writing.
#define ox_buffer_edit(buffer, index, T)                                                           \
    ((T *)ox_buffer_edit_at(buffer, sizeof(T), (int64_t)(index), 1, OX_HERE))

/// Returns a copy of an element: Waypoint next = ox_buffer_read(path, 3, Waypoint).
#define ox_buffer_read(buffer, index, T) (*ox_buffer_get(buffer, index, T))

/// Sets an element: ox_buffer_set(path, 3, Waypoint, {1, 2}). The value comes last and may be
/// braced.
#define ox_buffer_set(buffer, index, T, ...)                                                       \
    ((void)(*ox_buffer_edit(buffer, index, T) = *OXI_VALUE(T, __VA_ARGS__)))

/// Returns all elements as a `const T *`. Checked once.
#define ox_buffer_get_data(buffer, T)                                                              \
    ((const T *)ox_buffer_get_at(buffer, sizeof(T), 0, 0, OX_HERE))

/// Returns all elements as a `T *`, for writing.
#define ox_buffer_edit_data(buffer, T) ((T *)ox_buffer_edit_at(buffer, sizeof(T), 0, 0, OX_HERE))

// Adding.

/// Values of one type, contiguous in memory.
typedef struct ox_buffer_values {
    const void *from;
    int64_t count;
    size_t size; ///< of one
} ox_buffer_values;

/// Inserts values before the element at `index`, which may be the count. They may be elements of
/// the buffer.
/// @return false after a report, with nothing changed.
OX_API bool ox_buffer_insert_at(ox_buffer buffer, int64_t index, ox_buffer_values values,
                                ox_site site);

/// Adds values at the end. They may be elements of the buffer.
OX_API bool ox_buffer_push_many_at(ox_buffer buffer, ox_buffer_values values, ox_site site);

/// Adds a value at the end. Unlike those of push_many it must not be an element of the buffer.
static inline bool ox_buffer_push_at(ox_buffer buffer, size_t size, const void *value,
                                     ox_site site);

/// Adds a value at the end; it comes last and may be braced. A full buffer doubles its capacity.
/// @return false after a report.
#define ox_buffer_push(buffer, T, ...)                                                             \
    ox_buffer_push_at(buffer, sizeof(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Adds copies of `count` values, which may be elements of the buffer. @return false after a
/// report.
#define ox_buffer_push_many(buffer, T, from, count)                                                \
    ox_buffer_push_many_at(                                                                        \
        buffer, oxi_buffer_values(sizeof(T), OXI_POINTER(const T, from), (int64_t)(count)),        \
        OX_HERE)

/// Inserts a value before the element at `index`, which may be the count. The others keep their
/// order. @return false after a report.
#define ox_buffer_insert(buffer, index, T, ...)                                                    \
    ox_buffer_insert_at(buffer, (int64_t)(index),                                                  \
                        oxi_buffer_values(sizeof(T), OXI_VALUE(T, __VA_ARGS__), 1), OX_HERE)

// Removing. The capacity stays.

/// Removes `count` elements from `first` on. The others keep their order.
/// @return false after a report, with nothing changed.
OX_API bool ox_buffer_remove_range_at(ox_buffer buffer, int64_t first, int64_t count, ox_site site);
#define ox_buffer_remove_range(buffer, first, count)                                               \
    ox_buffer_remove_range_at(buffer, (int64_t)(first), (int64_t)(count), OX_HERE)

/// Removes an element. The others keep their order. @return false after a report.
#define ox_buffer_remove(buffer, index)                                                            \
    ox_buffer_remove_range_at(buffer, (int64_t)(index), 1, OX_HERE)

/// Removes `count` elements from `first` on. The last ones take their place, in their order.
/// @return false after a report, with nothing changed.
OX_API bool ox_buffer_remove_range_swap_at(ox_buffer buffer, int64_t first, int64_t count,
                                           ox_site site);
#define ox_buffer_remove_range_swap(buffer, first, count)                                          \
    ox_buffer_remove_range_swap_at(buffer, (int64_t)(first), (int64_t)(count), OX_HERE)

/// Removes an element; the last one takes its place. @return false after a report.
#define ox_buffer_remove_swap(buffer, index)                                                       \
    ox_buffer_remove_range_swap_at(buffer, (int64_t)(index), 1, OX_HERE)

/// Removes the last element and returns its value: Waypoint last = ox_buffer_pop(path, Waypoint).
/// Reports an empty buffer, and returns zeros.
OX_API const void *ox_buffer_pop_at(ox_buffer buffer, size_t size, ox_site site);
#define ox_buffer_pop(buffer, T) (*(const T *)ox_buffer_pop_at(buffer, sizeof(T), OX_HERE))

/// Returns the value of the last element. Reports an empty buffer, and returns zeros.
OX_API const void *ox_buffer_peek_at(ox_buffer buffer, size_t size, ox_site site);
#define ox_buffer_peek(buffer, T) (*(const T *)ox_buffer_peek_at(buffer, sizeof(T), OX_HERE))

/// Removes all elements. @return false after a report.
OX_API bool ox_buffer_clear_at(ox_buffer buffer, ox_site site);
#define ox_buffer_clear(buffer) oxi_buffer_clear(buffer, OX_HERE)

// Length and capacity.

/// Changes the number of elements to `count`. New elements are zero. @return false after a report.
OX_API bool ox_buffer_resize_at(ox_buffer buffer, int64_t count, ox_site site);
#define ox_buffer_resize(buffer, count) ox_buffer_resize_at(buffer, (int64_t)(count), OX_HERE)

/// Reserves capacity for `capacity` elements. No effect if the buffer has as much. @return false
/// after a report.
OX_API bool ox_buffer_reserve_at(ox_buffer buffer, int64_t capacity, ox_site site);
#define ox_buffer_reserve(buffer, capacity)                                                        \
    ox_buffer_reserve_at(buffer, (int64_t)(capacity), OX_HERE)

/// Sets the capacity to exactly `capacity` elements, or to the inline capacity if that is larger.
/// Reports a capacity below the count. @return false after a report.
OX_API bool ox_buffer_set_capacity_at(ox_buffer buffer, int64_t capacity, ox_site site);
#define ox_buffer_set_capacity(buffer, capacity)                                                   \
    ox_buffer_set_capacity_at(buffer, (int64_t)(capacity), OX_HERE)

/// Frees unused capacity. Elements that fit inline move back into the chunk.
/// @return false after a report.
OX_API bool ox_buffer_trim_at(ox_buffer buffer, ox_site site);
#define ox_buffer_trim(buffer) ox_buffer_trim_at(buffer, OX_HERE)

// Views.

/// The current elements of a buffer. Using it after their number or the capacity changed is
/// reported.
typedef struct ox_buffer_view {
    ox_buffer oxi_buffer;
    char *oxi_data;
    int32_t count;
    uint32_t oxi_generation;
} ox_buffer_view;

/// Creates a view of all elements. It stays valid when elements are written. {0} after a report.
OX_API ox_buffer_view ox_buffer_view_create_at(ox_buffer buffer, ox_site site);
#define ox_buffer_view_create(buffer) ox_buffer_view_create_at(buffer, OX_HERE)

/// Returns the address of an element, for reading: the plain form of get. After a report it points
/// to zeros.
static inline const void *ox_buffer_view_get_at(ox_buffer_view view, size_t size, int64_t index,
                                                ox_site site);

/// The same for writing: the plain form of edit. After a report it points to scratch memory.
static inline void *ox_buffer_view_edit_at(ox_buffer_view view, size_t size, int64_t index,
                                           ox_site site);

/// Returns the address of an element, for reading: ox_buffer_view_get(view, 3, Waypoint)->x.
#define ox_buffer_view_get(view, index, T)                                                         \
    ((const T *)ox_buffer_view_get_at(view, sizeof(T), (int64_t)(index), OX_HERE))

/// Returns the address of an element, for writing.
#define ox_buffer_view_edit(view, index, T)                                                        \
    ((T *)ox_buffer_view_edit_at(view, sizeof(T), (int64_t)(index), OX_HERE))

/// Returns a copy of an element.
#define ox_buffer_view_read(view, index, T) (*ox_buffer_view_get(view, index, T))

/// Sets an element. The value comes last and may be braced.
#define ox_buffer_view_set(view, index, T, ...)                                                    \
    ((void)(*ox_buffer_view_edit(view, index, T) = *OXI_VALUE(T, __VA_ARGS__)))

// The buffers of a chunk, in loops and in jobs over chunks.

/// Returns the buffer of a row, or {0} if there are no buffers: the plain form of ox_buffers_get.
/// Files with checks report a row outside the chunk.
static inline ox_buffer ox_buffers_get_at(ox_buffers buffers, int64_t row, ox_site site);
/// ox_buffers_get(ox_chunk_get(chunk, Waypoint), i).
#define ox_buffers_get(buffers, row) ox_buffers_get_at(buffers, (int64_t)(row), OX_HERE)

// Inline code and macros.
#include "oxbow/detail/buffers.h"
