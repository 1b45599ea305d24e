// SPDX-License-Identifier: MIT
//
// Lists: arrays that grow, and what parallel jobs add to them.
//
//     ox_list hits = ox_list_create(Hit, 16, OX_PERSISTENT);
//     ox_list_push(Hit, hits, {.target = 3});
//     for (int k = 0; k < ox_list_count(hits); k++) { use(ox_list_read(Hit, hits, k)); }
//     ox_list_dispose(&hits);
//
// Copies of a handle share elements and length. Any thread may read a list that no thread changes.
// A call that makes or removes elements ends pointers into the list, and its array views. Parallel
// jobs add through an ox_list_writer: what they wrote stands in the list, in the order of their
// indices whoever ran them, when it is used next.

#pragma once

#include "oxbow/array.h"

/// What all copies of a handle share. Not for use outside: its fields are here to be fast.
typedef struct oxi_list_state {
    void *data;
    int32_t count;
    int32_t capacity; ///< at least 1
    uint32_t limit;   ///< the capacity, or 0 while writes of jobs are pending. Atomic.
    ox_element element;
    uint32_t align; ///< of an element
    ox_allocator allocator;
} oxi_list_state;

/// Values of one type, one behind the other.
typedef struct ox_list_values {
    const void *from;
    int64_t count;
    ox_element element;
} ox_list_values;

/// A growable row of elements. Copy it freely: all copies are the same list. {0} is no list.
typedef struct ox_list {
    oxi_list_state *state;
    ox_access access;
} ox_list;

/// Adds to a list from parallel jobs. It never grows the list: reserve first.
typedef struct ox_list_writer {
    oxi_list_state *state;
    ox_access access;
} ox_list_writer;

/// Makes an empty list with room for `capacity` elements, at least 1.
/// @return {0} after a report.
OX_API ox_list ox_list_create_at(ox_element_info info, int64_t capacity, ox_allocator allocator,
                                 ox_site site);
#define ox_list_create(T, capacity, allocator)                                                     \
    ox_list_create_at(ox_element_info_of(T), (int64_t)(capacity), allocator, OX_HERE)

/// Frees the memory. Every copy of the handle is dead from here on.
OX_API void ox_list_dispose_at(ox_list *list, ox_site site);
#define ox_list_dispose(list) ox_list_dispose_at(list, OX_HERE)

/// Frees the memory in a job after `after`, which covers all jobs that use it. The handle is dead
/// at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
OX_API ox_job ox_list_dispose_after_at(ox_list *list, ox_job after, ox_site site);
#define ox_list_dispose_after(list, after) ox_list_dispose_after_at(list, after, OX_HERE)

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
static inline bool ox_list_is_created(ox_list list) {
    return list.state != NULL;
}

/// Takes over what jobs wrote, when something is pending. Every other call does it by itself.
/// @return false after a report: out of memory, and all stays pending.
OX_API bool ox_list_merge_at(ox_list list, ox_site site);
#define ox_list_merge(list) ox_list_merge_at(list, OX_HERE)

/// Lets a job do that after `after`, so that nobody waits for it later. Main only.
/// @return the job, or OX_NO_JOB after a report.
OX_API ox_job ox_list_merge_after_at(ox_list list, ox_job after, ox_site site);
#define ox_list_merge_after(list, after) ox_list_merge_after_at(list, after, OX_HERE)

static inline ox_list_values oxi_list_values(ox_element element, const void *from, int64_t count) {
    ox_list_values values = {from, count, element};
    return values;
}

/// May `count` elements from `first` on be read? Else reports, as with arrays.
OX_API bool oxi_list_may_read_at(ox_list list, ox_element element, int64_t first, int64_t count,
                                 ox_site site);

/// The same for writing.
OX_API bool oxi_list_may_write_at(ox_list list, ox_element element, int64_t first, int64_t count,
                                  ox_site site);

/// May the length be read? A list whose writes cannot be settled is refused too.
OX_API bool oxi_list_may_count_at(ox_list list, ox_site site);

/// Acquire: pairs with the release when it was settled, so that all elements are seen.
static inline uint32_t oxi_list_get_limit(const oxi_list_state *state) {
    return OXI_LOAD_ACQUIRE(&state->limit);
}

/// Takes over what is pending. Asks nothing. @return false after a report.
OX_API bool oxi_list_take_over_at(oxi_list_state *state, ox_site site);

/// True when the list may be looked at: nothing is pending, or it was settled.
static inline bool oxi_list_is_ready(ox_list list, ox_site site) {
    return oxi_list_get_limit(list.state) != 0 || oxi_list_take_over_at(list.state, site);
}

/// How many elements there are. 0 after a report.
static inline int32_t ox_list_count_at(ox_list list, ox_site site) {
#if OX_SAFETY >= 1
    return oxi_list_may_count_at(list, site) ? list.state->count : 0;
#else
    return oxi_list_is_ready(list, site) ? list.state->count : 0;
#endif
}
#define ox_list_count(list) ox_list_count_at(list, OX_HERE)

/// True when there are no elements.
#define ox_list_is_empty(list) (ox_list_count_at(list, OX_HERE) == 0)

/// How many elements there is room for before memory must move. 0 after a report.
static inline int32_t ox_list_capacity_at(ox_list list, ox_site site) {
#if OX_SAFETY >= 1
    return oxi_list_may_count_at(list, site) ? list.state->capacity : 0;
#else
    (void)site;
    return list.state->capacity;
#endif
}
#define ox_list_capacity(list) ox_list_capacity_at(list, OX_HERE)

/// Makes room for `capacity` elements at least, as pushing would: a power of two.
/// @return false after a report.
OX_API bool ox_list_reserve_at(ox_list list, int64_t capacity, ox_site site);
#define ox_list_reserve(list, capacity) ox_list_reserve_at(list, (int64_t)(capacity), OX_HERE)

/// Makes room for exactly `capacity` elements, and for 1 at least. Fewer than there are is a
/// report. @return false after a report.
OX_API bool ox_list_set_capacity_at(ox_list list, int64_t capacity, ox_site site);
#define ox_list_set_capacity(list, capacity)                                                       \
    ox_list_set_capacity_at(list, (int64_t)(capacity), OX_HERE)

/// Gives back the room that is not used. @return false after a report.
OX_API bool ox_list_trim_at(ox_list list, ox_site site);
#define ox_list_trim(list) ox_list_trim_at(list, OX_HERE)

/// Makes the list `count` elements long: new ones are 0. @return false after a report.
OX_API bool ox_list_resize_at(ox_list list, ox_element element, int64_t count, ox_site site);
#define ox_list_resize(T, list, count)                                                             \
    ox_list_resize_at(list, ox_element_of(T), (int64_t)(count), OX_HERE)

/// Removes all elements and keeps the room. @return false after a report.
OX_API bool ox_list_clear_at(ox_list list, ox_site site);
#define ox_list_clear(list) ox_list_clear_at(list, OX_HERE)

/// Puts `count` values before the element at `index`, which may be the count. They may stand in the
/// list. @return false after a report.
OX_API bool ox_list_insert_at(ox_list list, int64_t index, ox_list_values values, ox_site site);

/// Adds `count` values at the end.
OX_API bool ox_list_push_many_at(ox_list list, ox_list_values values, ox_site site);

/// Makes room for one element more, and settles. Does all checks of a push; with no access, those
/// that need none. @return false after a report.
OX_API bool oxi_list_grow_at(oxi_list_state *state, ox_access access, ox_element element,
                             ox_site site);

/// Adds one value at the end. Unlike those of push_many it may not stand in the list: so that it
/// can stay in registers.
static inline bool ox_list_push_at(ox_list list, ox_element element, const void *value,
                                   ox_site site) {
    oxi_list_state *state = list.state;
#if OX_SAFETY >= 1
    if (!oxi_list_grow_at(state, list.access, element, site)) {
        return false;
    }
    uint32_t count = (uint32_t)state->count;
#else
    // The access is left alone: a copy of it in each round of a loop would be the larger part.
    const ox_access no_access = {0, 0, 0, 0};
    uint32_t count = (uint32_t)state->count;
    if (count >= oxi_list_get_limit(state)) {
        if (!oxi_list_grow_at(state, no_access, element, site)) {
            return false;
        }
        count = (uint32_t)state->count;
    }
#endif
    size_t size = element & OXI_ELEMENT_SIZE_MASK;
    state->count = (int32_t)(count + 1);
    memcpy((char *)state->data + count * size, value, size);
    return true;
}

/// Adds a value at the end; it comes last and may stand in braces. @return false after a report.
#define ox_list_push(T, list, ...)                                                                 \
    ox_list_push_at(list, ox_element_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Adds copies of `count` values, which may stand in the list. @return false after a report.
#define ox_list_push_many(T, list, from, count)                                                    \
    ox_list_push_many_at(                                                                          \
        list, oxi_list_values(ox_element_of(T), OXI_POINTER(const T, from), (int64_t)(count)),     \
        OX_HERE)

/// Puts a value before the element at `index`, which may be the count. The order of the others
/// stays. @return false after a report.
#define ox_list_insert(T, list, index, ...)                                                        \
    ox_list_insert_at(list, (int64_t)(index),                                                      \
                      oxi_list_values(ox_element_of(T), OXI_VALUE(T, __VA_ARGS__), 1), OX_HERE)

/// Removes an element. The order of the others stays. @return false after a report.
#define ox_list_remove(list, index) ox_list_remove_range_at(list, (int64_t)(index), 1, OX_HERE)

/// Removes `count` elements from `first` on. The order of the others stays.
/// @return false after a report.
OX_API bool ox_list_remove_range_at(ox_list list, int64_t first, int64_t count, ox_site site);
#define ox_list_remove_range(list, first, count)                                                   \
    ox_list_remove_range_at(list, (int64_t)(first), (int64_t)(count), OX_HERE)

/// Removes an element and puts the last one in its place. @return false after a report.
OX_API bool ox_list_remove_swap_at(ox_list list, int64_t index, ox_site site);
#define ox_list_remove_swap(list, index) ox_list_remove_swap_at(list, (int64_t)(index), OX_HERE)

/// Removes the last element and returns its value. An empty list is a report, and gives zeros.
OX_API const void *ox_list_pop_at(ox_list list, ox_element element, ox_site site);
#define ox_list_pop(T, list) (*(const T *)ox_list_pop_at(list, ox_element_of(T), OX_HERE))

/// Removes the last element and writes it to `value`.
/// @return false, with `value` untouched and no report, when the list is empty.
OX_API bool ox_list_try_pop_at(ox_list list, ox_element element, void *value, ox_site site);
#define ox_list_try_pop(T, list, value)                                                            \
    ox_list_try_pop_at(list, ox_element_of(T), OXI_POINTER(T, value), OX_HERE)

/// The value of the last element. An empty list is a report, and gives zeros.
OX_API const void *ox_list_peek_at(ox_list list, ox_element element, ox_site site);
#define ox_list_peek(T, list) (*(const T *)ox_list_peek_at(list, ox_element_of(T), OX_HERE))

/// The address of element `first`, to read `count` elements: the plain form of get and data.
static inline const void *ox_list_get_at(ox_list list, ox_element element, int64_t first,
                                         int64_t count, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_list_may_read_at(list, element, first, count, site)) {
        return oxi_element_zeros();
    }
#else
    if (!oxi_list_is_ready(list, site)) {
        return oxi_element_zeros();
    }
#endif
    (void)count;
    return (const char *)list.state->data + first * (int64_t)(element & OXI_ELEMENT_SIZE_MASK);
}

/// The same to write them: the plain form of edit and edit_data.
static inline void *ox_list_edit_at(ox_list list, ox_element element, int64_t first, int64_t count,
                                    ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_list_may_write_at(list, element, first, count, site)) {
        return oxi_element_scratch();
    }
#else
    if (!oxi_list_is_ready(list, site)) {
        return oxi_element_scratch();
    }
#endif
    (void)count;
    return (char *)list.state->data + first * (int64_t)(element & OXI_ELEMENT_SIZE_MASK);
}

/// The address of element `begin`, to read all elements from there up to and without `end`.
static inline const void *ox_list_get_range_at(ox_list list, ox_element element, int64_t begin,
                                               int64_t end, ox_site site) {
    return ox_list_get_at(list, element, begin, oxi_range_length(begin, end), site);
}

/// The same to write them.
static inline void *ox_list_edit_range_at(ox_list list, ox_element element, int64_t begin,
                                          int64_t end, ox_site site) {
    return ox_list_edit_at(list, element, begin, oxi_range_length(begin, end), site);
}

/// Copies `value`, of the size of an element, to the element at `index`.
static inline void ox_list_set_at(ox_list list, ox_element element, int64_t index,
                                  const void *value, ox_site site) {
    memcpy(ox_list_edit_at(list, element, index, 1, site), value, element & OXI_ELEMENT_SIZE_MASK);
}

/// The value of an element: ox_list_read(float, list, 3).
#define ox_list_read(T, list, index)                                                               \
    (*(const T *)ox_list_get_at(list, ox_element_of(T), (int64_t)(index), 1, OX_HERE))

/// The address of an element, to change it. It lives until the length of the list changes.
#define ox_list_edit(T, list, index)                                                               \
    ((T *)ox_list_edit_at(list, ox_element_of(T), (int64_t)(index), 1, OX_HERE))

/// Sets an element; the value comes last and may stand in braces.
#define ox_list_set(T, list, index, ...)                                                           \
    ox_list_set_at(list, ox_element_of(T), (int64_t)(index), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// All elements, as a `const T *`: checked once, as with arrays.
#define ox_list_get_data(T, list) ((const T *)ox_list_get_at(list, ox_element_of(T), 0, 0, OX_HERE))

/// All elements, as a `T *`, to change them.
#define ox_list_edit_data(T, list) ((T *)ox_list_edit_at(list, ox_element_of(T), 0, 0, OX_HERE))

/// The address of element `begin`, as a `const T *`, when all elements from `begin` up to and
/// without `end` may be read.
#define ox_list_get_range(T, list, begin, end)                                                     \
    ((const T *)ox_list_get_range_at(list, ox_element_of(T), (int64_t)(begin), (int64_t)(end),     \
                                     OX_HERE))

/// The same as a `T *`, to change them.
#define ox_list_edit_range(T, list, begin, end)                                                    \
    ((T *)ox_list_edit_range_at(list, ox_element_of(T), (int64_t)(begin), (int64_t)(end), OX_HERE))

/// The elements as an array, for jobs that use a list of one length. It is the list's own memory,
/// ends when the list may change its length, and cannot be disposed. @return {0} after a report.
OX_API ox_array ox_list_as_array_at(ox_list list, ox_site site);
#define ox_list_as_array(list) ox_list_as_array_at(list, OX_HERE)

/// A new array with copies of the elements. @return {0} after a report.
OX_API ox_array ox_list_to_array_at(ox_list list, ox_allocator allocator, ox_site site);
#define ox_list_to_array(list, allocator) ox_list_to_array_at(list, allocator, OX_HERE)

/// `count` elements from `start` on, as a slice of the array view. @return {0} after a report.
#define ox_list_slice(list, start, count)                                                          \
    ox_array_slice(ox_list_as_array_at(list, OX_HERE), start, count)

/// A writer for parallel jobs, which may be copied into any number of them. Main only.
/// @return {0} after a report.
OX_API ox_list_writer ox_list_writer_of_at(ox_list list, ox_site site);
#define ox_list_writer_of(list) ox_list_writer_of_at(list, OX_HERE)

/// Adds a value, in a job or on main: ox_list_write(int, job->found, i). Of all that jobs write,
/// exactly as many as there is room for are taken. @return false after a report: the list is full.
OX_API bool ox_list_write_at(ox_list_writer writer, ox_element element, const void *value,
                             ox_site site);
#define ox_list_write(T, writer, ...)                                                              \
    ox_list_write_at(writer, ox_element_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

// Jobs over what earlier jobs put into a list.

/// Schedules a parallel job over the elements that a list has when the job starts: what jobs wrote
/// with an ox_list_writer is merged before. The list need not stand in the job's struct. Until the
/// job is completed it counts as a reader of the list. @return OX_NO_JOB after a report.
OX_API ox_job ox_schedule_for_list_at(ox_job_type *type, ox_list list, int batch, ox_job after,
                                      const void *data, ox_site site);

/// The same for a job of this file: ox_schedule_for_list(Repair, damaged, 64, after, {damaged}).
#define ox_schedule_for_list(Job, list, batch, after, ...)                                         \
    ox_schedule_for_list_at(&oxi_job_##Job, list, batch, after, OXI_VALUE(Job, __VA_ARGS__),       \
                            OX_HERE)
