// SPDX-License-Identifier: MIT
//
// Arrays and slices. An array is memory for a fixed number of elements; a slice looks at a part of
// one, element by element or at one field of each. The type of the elements is named at each call.
//
//     ox_array hp = ox_array_create(float, 100, OX_TEMP_JOB);       // all 0
//     ox_array_set(float, hp, 3, 50.0f);
//     *ox_array_edit(float, hp, 3) += 1;
//     float *all = ox_array_edit_data(float, hp);                    // for loops: checked once
//     ox_array_dispose(&hp);
//
// Copies of a handle share the memory. Any thread may read an array that no thread writes. In files
// with OX_SAFETY >= 1 every use asks the safety system first: wrong types, indices and threads are
// reports, reading then gives zeros and writing has no effect. With OX_SAFETY 0, get, edit, set and
// data are bare C.

#pragma once

#include "oxbow/element.h"

#include <string.h>

/// A fixed number of elements. Copy it freely: all copies are the same array. {0} is no array.
typedef struct ox_array {
    void *data; ///< aligned to 64 bytes at least
    ox_access access;
    int32_t count; ///< may be read at any time, by anybody
    ox_element element;
} ox_array;

/// A part of an array or list, or one field of each of its elements. It shares the access of its
/// container, and cannot be disposed.
typedef struct ox_slice {
    void *data; ///< the first element
    ox_access access;
    int32_t count;
    int32_t stride; ///< bytes from one element to the next
    ox_element element;
    uint32_t reserved;
} ox_slice;

/// Makes an array of `count` elements, all 0: ox_array_create(float, 100, OX_PERSISTENT).
/// @return {0} after a report.
OX_API ox_array ox_array_create_at(ox_element_info info, int64_t count, ox_allocator allocator,
                                   ox_site site);
#define ox_array_create(T, count, allocator)                                                       \
    ox_array_create_at(ox_element_info_of(T), (int64_t)(count), allocator, OX_HERE)

/// The same without writing to the memory: its content is not defined.
OX_API ox_array ox_array_create_uninitialized_at(ox_element_info info, int64_t count,
                                                 ox_allocator allocator, ox_site site);
#define ox_array_create_uninitialized(T, count, allocator)                                         \
    ox_array_create_uninitialized_at(ox_element_info_of(T), (int64_t)(count), allocator, OX_HERE)

/// Makes an array with copies of `count` elements: ox_array_create_copy(int, numbers, 3, OX_TEMP).
/// `from` may be NULL when `count` is 0.
OX_API ox_array ox_array_create_copy_at(ox_element_info info, const void *from, int64_t count,
                                        ox_allocator allocator, ox_site site);
#define ox_array_create_copy(T, from, count, allocator)                                            \
    ox_array_create_copy_at(ox_element_info_of(T), OXI_POINTER(const T, from), (int64_t)(count),   \
                            allocator, OX_HERE)

/// Frees the memory. Every copy of the handle is dead from here on.
OX_API void ox_array_dispose_at(ox_array *array, ox_site site);
#define ox_array_dispose(array) ox_array_dispose_at(array, OX_HERE)

/// Frees the memory in a job after `after`, which covers all jobs that use it. The handle is dead
/// at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
OX_API ox_job ox_array_dispose_after_at(ox_array *array, ox_job after, ox_site site);
#define ox_array_dispose_after(array, after) ox_array_dispose_after_at(array, after, OX_HERE)

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
static inline bool ox_array_is_created(ox_array array) {
    return array.data != NULL;
}

/// How many elements there are. Never checked.
static inline int32_t ox_array_count(ox_array array) {
    return array.count;
}

/// end - begin, or something negative when no such range exists.
static inline int64_t oxi_range_length(int64_t begin, int64_t end) {
    return end < begin ? -1 : (int64_t)((uint64_t)end - (uint64_t)begin);
}

/// May `count` elements from `first` on be read? Checks all in one call: the right to read the
/// array, the type, and that they lie inside, of the batch too when a parallel job asks. Else
/// reports.
OX_API bool oxi_array_may_read_at(ox_array array, ox_element element, int64_t first, int64_t count,
                                  ox_site site);

/// The same for writing.
OX_API bool oxi_array_may_write_at(ox_array array, ox_element element, int64_t first, int64_t count,
                                   ox_site site);

/// The address of element `first`, to read `count` elements: the plain form of get and data.
static inline const void *ox_array_get_at(ox_array array, ox_element element, int64_t first,
                                          int64_t count, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_array_may_read_at(array, element, first, count, site)) {
        return oxi_element_zeros();
    }
#endif
    (void)count;
    (void)site;
    return (const char *)array.data + first * (int64_t)(element & OXI_ELEMENT_SIZE_MASK);
}

/// The same to write them: the plain form of edit and edit_data.
static inline void *ox_array_edit_at(ox_array array, ox_element element, int64_t first,
                                     int64_t count, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_array_may_write_at(array, element, first, count, site)) {
        return oxi_element_scratch();
    }
#endif
    (void)count;
    (void)site;
    return (char *)array.data + first * (int64_t)(element & OXI_ELEMENT_SIZE_MASK);
}

/// The address of element `begin`, to read all elements from there up to and without `end`.
static inline const void *ox_array_get_range_at(ox_array array, ox_element element, int64_t begin,
                                                int64_t end, ox_site site) {
    return ox_array_get_at(array, element, begin, oxi_range_length(begin, end), site);
}

/// The same to write them.
static inline void *ox_array_edit_range_at(ox_array array, ox_element element, int64_t begin,
                                           int64_t end, ox_site site) {
    return ox_array_edit_at(array, element, begin, oxi_range_length(begin, end), site);
}

/// Copies `value`, of the size of an element, to the element at `index`.
static inline void ox_array_set_at(ox_array array, ox_element element, int64_t index,
                                   const void *value, ox_site site) {
    memcpy(ox_array_edit_at(array, element, index, 1, site), value,
           element & OXI_ELEMENT_SIZE_MASK);
}

/// The value of an element: ox_array_read(float, hp, 3).
#define ox_array_read(T, array, index)                                                             \
    (*(const T *)ox_array_get_at(array, ox_element_of(T), (int64_t)(index), 1, OX_HERE))

/// The address of an element, to change it: *ox_array_edit(float, hp, 3) += 1.
#define ox_array_edit(T, array, index)                                                             \
    ((T *)ox_array_edit_at(array, ox_element_of(T), (int64_t)(index), 1, OX_HERE))

/// Sets an element; the value comes last and may stand in braces.
#define ox_array_set(T, array, index, ...)                                                         \
    ox_array_set_at(array, ox_element_of(T), (int64_t)(index), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// All elements, as a `const T *`. Whether they may be read is checked here and once; what the loop
/// then touches is not, so a parallel job that leaves its batch by this pointer is not seen. After
/// a report it points to OX_MAX_ELEMENT_SIZE bytes that are not the array's.
#define ox_array_get_data(T, array)                                                                \
    ((const T *)ox_array_get_at(array, ox_element_of(T), 0, 0, OX_HERE))

/// All elements, as a `T *`, to change them. Checked once in the same way.
#define ox_array_edit_data(T, array) ((T *)ox_array_edit_at(array, ox_element_of(T), 0, 0, OX_HERE))

/// The address of element `begin`, as a `const T *`, when all elements from `begin` up to and
/// without `end` may be read: inside of the array, and of the batch of a parallel job.
#define ox_array_get_range(T, array, begin, end)                                                   \
    ((const T *)ox_array_get_range_at(array, ox_element_of(T), (int64_t)(begin), (int64_t)(end),   \
                                      OX_HERE))

/// The same as a `T *`, to change them.
#define ox_array_edit_range(T, array, begin, end)                                                  \
    ((T *)ox_array_edit_range_at(array, ox_element_of(T), (int64_t)(begin), (int64_t)(end),        \
                                 OX_HERE))

/// Copies all elements to an array of the same length. They may be the same memory.
/// @return false after a report.
OX_API bool ox_array_copy_from_at(ox_array to, ox_array from, ox_site site);
#define ox_array_copy_from(to, from) ox_array_copy_from_at(to, from, OX_HERE)

/// Sets all elements to one value, which comes last and may stand in braces.
/// @return false after a report.
OX_API bool ox_array_fill_at(ox_array array, ox_element element, const void *value, ox_site site);
#define ox_array_fill(T, array, ...)                                                               \
    ox_array_fill_at(array, ox_element_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// True when both have the same length and the same bytes.
OX_API bool ox_array_equals_at(ox_array a, ox_array b, ox_site site);
#define ox_array_equals(a, b) ox_array_equals_at(a, b, OX_HERE)

/// One handle for an array of ox_job, which may be disposed afterwards. Main only.
OX_API ox_job ox_combine_array_at(ox_array jobs, ox_site site);
#define ox_combine_array(jobs) ox_combine_array_at(jobs, OX_HERE)

/// Completes every job of an array of ox_job. Main only.
OX_API void ox_complete_array_at(ox_array jobs, ox_site site);
#define ox_complete_array(jobs) ox_complete_array_at(jobs, OX_HERE)

// Slices. Making one asks only whether the part exists; using it asks the container. In a parallel
// job, a slice of its batch may be cut from an array: indices of that slice start at 0, and it is
// not held to the batch any more. Keep it no longer than the batch.

/// `count` elements from `start` on. @return {0} after a report.
OX_API ox_slice ox_array_slice_at(ox_array array, int64_t start, int64_t count, ox_site site);
#define ox_array_slice(array, start, count)                                                        \
    ox_array_slice_at(array, (int64_t)(start), (int64_t)(count), OX_HERE)

/// The same of a slice.
OX_API ox_slice ox_slice_slice_at(ox_slice slice, int64_t start, int64_t count, ox_site site);
#define ox_slice_slice(slice, start, count)                                                        \
    ox_slice_slice_at(slice, (int64_t)(start), (int64_t)(count), OX_HERE)

/// All of an array.
OX_API ox_slice ox_array_as_slice_at(ox_array array, ox_site site);
#define ox_array_as_slice(array) ox_array_as_slice_at(array, OX_HERE)

/// Which part of each element a slice shows.
typedef struct oxi_slice_field {
    ox_element whole; ///< the element that the slice has
    ox_element part;
    uint32_t align;
    size_t offset; ///< of the field inside of the element
    size_t size;   ///< of the field, at least that of the part
} oxi_slice_field;

/// One field of each element: ox_slice_field(slice, Body, float, mass) is a slice of float.
/// @return {0} after a report: the field is not inside of the element.
OX_API ox_slice ox_slice_field_at(ox_slice slice, oxi_slice_field part, ox_site site);
#define ox_slice_field(slice, T, F, member)                                                        \
    ox_slice_field_at(slice,                                                                       \
                      oxi_slice_part(ox_element_info_of(F), ox_element_of(T), offsetof(T, member), \
                                     sizeof(((T *)0)->member)),                                    \
                      OX_HERE)

/// The same bytes as elements of another type: larger or smaller ones. The slice must have no gaps,
/// and its bytes must divide evenly. @return {0} after a report.
OX_API ox_slice ox_slice_as_at(ox_slice slice, ox_element_info info, ox_site site);
#define ox_slice_as(slice, U) ox_slice_as_at(slice, ox_element_info_of(U), OX_HERE)

/// True while the handle has memory. Asks nothing.
static inline bool ox_slice_is_created(ox_slice slice) {
    return slice.data != NULL;
}

/// How many elements there are. Never checked.
static inline int32_t ox_slice_count(ox_slice slice) {
    return slice.count;
}

/// May `count` elements from `first` on be read? Else reports, as with arrays.
OX_API bool oxi_slice_may_read_at(ox_slice slice, ox_element element, int64_t first, int64_t count,
                                  ox_site site);

/// The same for writing.
OX_API bool oxi_slice_may_write_at(ox_slice slice, ox_element element, int64_t first, int64_t count,
                                   ox_site site);

/// The address of one element, to read it.
static inline const void *ox_slice_get_at(ox_slice slice, ox_element element, int64_t index,
                                          ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_slice_may_read_at(slice, element, index, 1, site)) {
        return oxi_element_zeros();
    }
#endif
    (void)element;
    (void)site;
    return (const char *)slice.data + index * slice.stride;
}

/// The address of one element, to write it.
static inline void *ox_slice_edit_at(ox_slice slice, ox_element element, int64_t index,
                                     ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_slice_may_write_at(slice, element, index, 1, site)) {
        return oxi_element_scratch();
    }
#endif
    (void)element;
    (void)site;
    return (char *)slice.data + index * slice.stride;
}

/// Copies `value`, of the size of an element, to the element at `index`.
static inline void ox_slice_set_at(ox_slice slice, ox_element element, int64_t index,
                                   const void *value, ox_site site) {
    memcpy(ox_slice_edit_at(slice, element, index, site), value, element & OXI_ELEMENT_SIZE_MASK);
}

/// The value of an element: ox_slice_read(float, slice, 3).
#define ox_slice_read(T, slice, index)                                                             \
    (*(const T *)ox_slice_get_at(slice, ox_element_of(T), (int64_t)(index), OX_HERE))

/// The address of an element, to change it.
#define ox_slice_edit(T, slice, index)                                                             \
    ((T *)ox_slice_edit_at(slice, ox_element_of(T), (int64_t)(index), OX_HERE))

/// Sets an element; the value comes last and may stand in braces.
#define ox_slice_set(T, slice, index, ...)                                                         \
    ox_slice_set_at(slice, ox_element_of(T), (int64_t)(index), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// All elements, as a `const T *`: only of a slice without gaps, others are a report.
OX_API const void *ox_slice_get_data_at(ox_slice slice, ox_element element, ox_site site);
#define ox_slice_get_data(T, slice)                                                                \
    ((const T *)ox_slice_get_data_at(slice, ox_element_of(T), OX_HERE))

/// The same as a `T *`, to change them.
OX_API void *ox_slice_edit_data_at(ox_slice slice, ox_element element, ox_site site);
#define ox_slice_edit_data(T, slice) ((T *)ox_slice_edit_data_at(slice, ox_element_of(T), OX_HERE))

/// Copies all elements between slices of one length. They may share memory.
/// @return false after a report.
OX_API bool ox_slice_copy_from_at(ox_slice to, ox_slice from, ox_site site);
#define ox_slice_copy_from(to, from) ox_slice_copy_from_at(to, from, OX_HERE)

/// Copies all elements to an array of the same length.
#define ox_slice_copy_to_array(slice, array)                                                       \
    ox_slice_copy_from_at(ox_array_as_slice_at(array, OX_HERE), slice, OX_HERE)

/// Copies all elements of an array of the same length.
#define ox_slice_copy_from_array(slice, array)                                                     \
    ox_slice_copy_from_at(slice, ox_array_as_slice_at(array, OX_HERE), OX_HERE)

// How it is made. OXI_POINTER is a pointer that must point to T: no cast, so the compiler looks.

#ifdef __cplusplus
#define OXI_POINTER(T, pointer) (static_cast<T *>(pointer))
#else
#define OXI_POINTER(T, pointer) ((T *){pointer})
#endif

static inline oxi_slice_field oxi_slice_part(ox_element_info part, ox_element whole, size_t offset,
                                             size_t size) {
    oxi_slice_field result = {whole, part.element, part.align, offset, size};
    return result;
}

// Jobs over as many indices as an earlier job says.

/// Schedules a parallel job over as many indices as the first element of `counts`, an array of
/// int32_t, says when the job starts. Until the job is completed it counts as a reader of the
/// array. @return OX_NO_JOB after a report.
OX_API ox_job ox_schedule_for_value_at(ox_job_type *type, ox_array counts, int batch, ox_job after,
                                       const void *data, ox_site site);

/// The same for a job of this file: ox_schedule_for_value(Repair, counts, 64, after, {damaged}).
#define ox_schedule_for_value(Job, counts, batch, after, ...)                                      \
    ox_schedule_for_value_at(&oxi_job_##Job, counts, batch, after, OXI_VALUE(Job, __VA_ARGS__),    \
                             OX_HERE)
