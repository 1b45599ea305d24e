// SPDX-License-Identifier: MIT
//
// Arrays, slices and bits; sorting and sums. An array is memory for a fixed number of elements. A
// slice is a part of an array, or one field of each of its elements.
//
//     OX_ARRAY(Floats, float); // at file scope: declares Floats and Floats_slice
//
//     Floats hp = ox_array_create(Floats, 100, OX_TEMP_JOB);    // all 0
//     ox_array_set(hp, 3, 50.0f);
//     *ox_array_edit(hp, 3) += 1;
//     float third = ox_array_read(hp, 3);
//     float *all = ox_array_edit_data(hp);                      // for loops: checked once
//     ox_array_sort(hp, NULL, NULL);
//     double total = ox_array_sum(hp);
//     ox_dispose(&hp);
//
// Copies of a handle share the memory. Macros that need no type take typed and untyped handles;
// what they make from an untyped handle is untyped.
//
// Threads: any thread may read an array while no thread writes it. In files with OX_SAFETY >= 1
// every call is checked: a wrong type, index or thread is reported; reading then returns zeros, and
// writing has no effect. With OX_SAFETY 0, get, edit, set and the data are plain C.

#pragma once

#include "oxbow/detail/element.h"
#include "oxbow/detail/typed.h"

typedef struct oxi_bits_state oxi_bits_state;

/// A part of an array or list, or one field of each of its elements. It shares the access of its
/// container and cannot be disposed. Declare typed slices with OX_SLICE.
typedef struct ox_slice {
    void *data; ///< the first element
    ox_access access;
    int32_t count;
    int32_t stride; ///< bytes from one element to the next
    ox_element element;
    uint32_t reserved;
    OXI_UNTYPED_MEMBERS(ox_slice);
} ox_slice;

/// A fixed number of elements whose type is known at run time. Copy it freely: all copies are the
/// same array. {0} is no array. Declare typed arrays with OX_ARRAY.
typedef struct ox_array {
    void *data; ///< aligned to 64 bytes at least
    ox_access access;
    int32_t count; ///< may be read at any time, on any thread
    ox_element element;
    OXI_UNTYPED_MEMBERS(ox_array);
    OXI_UNTYPED_MEMBER(ox_slice, oxi_slice);
} ox_array;

OXI_UNTYPED_OVERLOAD(ox_array);
OXI_UNTYPED_OVERLOAD(ox_slice);

/// Declares a type of arrays at file scope: OX_ARRAY(Floats, float). `Floats_slice` is the type of
/// their slices. `.untyped` is the ox_array that plain functions take.
#define OX_ARRAY(Name, T)                                                                          \
    OXI_ITEMS_TYPE(Name##_slice, ox_slice, T, );                                                   \
    OXI_ITEMS_TYPE(Name, ox_array, T, Name##_slice *oxi_slice;)

/// Declares a type of slices without a type of arrays: OX_SLICE(Masses, float).
#define OX_SLICE(Name, T) OXI_ITEMS_TYPE(Name, ox_slice, T, )

/// Creates an array of `count` elements, all 0: ox_array_create(Floats, 100, OX_PERSISTENT).
/// @return {0} after a report.
OX_API ox_array ox_array_create_at(ox_element_info info, int64_t count, ox_allocator allocator,
                                   ox_site site);
#define ox_array_create(Array, count, allocator)                                                   \
    OXI_TYPED(Array, ox_array_create_at(OXI_ITEM_INFO(Array), (int64_t)(count), allocator, OX_HERE))
/// Creates an untyped array of T: ox_array_create_untyped(float, 100, OX_PERSISTENT).
#define ox_array_create_untyped(T, count, allocator)                                               \
    ox_array_create_at(ox_element_info_of(T), (int64_t)(count), allocator, OX_HERE)

/// Creates an array without initialising its elements.
OX_API ox_array ox_array_create_uninitialized_at(ox_element_info info, int64_t count,
                                                 ox_allocator allocator, ox_site site);
#define ox_array_create_uninitialized(Array, count, allocator)                                     \
    OXI_TYPED(Array, ox_array_create_uninitialized_at(OXI_ITEM_INFO(Array), (int64_t)(count),      \
                                                      allocator, OX_HERE))
/// Creates an untyped one.
#define ox_array_create_uninitialized_untyped(T, count, allocator)                                 \
    ox_array_create_uninitialized_at(ox_element_info_of(T), (int64_t)(count), allocator, OX_HERE)

/// Creates an array with copies of `count` elements: ox_array_create_copy(Ints, numbers, 3,
/// OX_TEMP). `from` may be NULL if `count` is 0.
OX_API ox_array ox_array_create_copy_at(ox_element_info info, const void *from, int64_t count,
                                        ox_allocator allocator, ox_site site);
#define ox_array_create_copy(Array, from, count, allocator)                                        \
    OXI_TYPED(Array, ox_array_create_copy_at(OXI_ITEM_INFO(Array),                                 \
                                             OXI_POINTER(const OXI_ITEM_IN(Array), from),          \
                                             (int64_t)(count), allocator, OX_HERE))
/// Creates an untyped one.
#define ox_array_create_copy_untyped(T, from, count, allocator)                                    \
    ox_array_create_copy_at(ox_element_info_of(T), OXI_POINTER(const T, from), (int64_t)(count),   \
                            allocator, OX_HERE)

/// The plain form of ox_dispose and, with a job, of ox_dispose_after.
/// @return the job that frees it; OX_NO_JOB if it was freed at once, or after a report.
OX_API ox_job ox_array_dispose_at(ox_array *array, ox_job after, ox_site site);

/// True if the handle has memory. Checks nothing else: also true for copies of a disposed handle.
#define ox_array_is_created(array) (OXI_UNTYPED(ox_array, array).data != NULL)

/// The number of elements. Never checked.
#define ox_array_count(array) (OXI_UNTYPED(ox_array, array).count)

/// Returns the address of element `first`, for reading `count` elements: the plain form of get and
/// get_data.
static inline const void *ox_array_get_at(ox_array array, int64_t first, int64_t count,
                                          ox_element element, ox_site site);

/// The same for writing: the plain form of edit and edit_data.
static inline void *ox_array_edit_at(ox_array array, int64_t first, int64_t count,
                                     ox_element element, ox_site site);

/// Returns the address of element `begin`, for reading the elements up to, but not including,
/// `end`.
static inline const void *ox_array_get_range_at(ox_array array, int64_t begin, int64_t end,
                                                ox_element element, ox_site site);

/// The same for writing.
static inline void *ox_array_edit_range_at(ox_array array, int64_t begin, int64_t end,
                                           ox_element element, ox_site site);

/// Copies `value`, of the size of an element, to the element at `index`.
static inline void ox_array_set_at(ox_array array, int64_t index, ox_element element,
                                   const void *value, ox_site site);

/// Returns the address of an element, for reading: ox_array_get(bodies, 3)->mass.
#define ox_array_get(array, index)                                                                 \
    ((const OXI_ITEM(array) *)ox_array_get_at((array).untyped, (int64_t)(index), 1,                \
                                              ox_element_of(OXI_ITEM(array)), OX_HERE))

/// Returns a copy of an element.
#define ox_array_read(array, index) (*ox_array_get(array, index))

/// Returns the address of an element, for writing: *ox_array_edit(hp, 3) += 1.
#define ox_array_edit(array, index)                                                                \
    ((OXI_ITEM(array) *)ox_array_edit_at((array).untyped, (int64_t)(index), 1,                     \
                                         ox_element_of(OXI_ITEM(array)), OX_HERE))

/// Sets an element. The value comes last and may be braced.
#define ox_array_set(array, index, ...)                                                            \
    ox_array_set_at((array).untyped, (int64_t)(index), ox_element_of(OXI_ITEM(array)),             \
                    OXI_VALUE(OXI_ITEM(array), __VA_ARGS__), OX_HERE)

/// Returns all elements as a `const T *`. Checks here, once, that they may be read, and not what a
/// loop then uses: a parallel job that leaves its batch by this pointer is not reported. After a
/// report it points to OX_MAX_ELEMENT_SIZE bytes outside the array.
#define ox_array_get_data(array)                                                                   \
    ((const OXI_ITEM(array) *)ox_array_get_at((array).untyped, 0, 0,                               \
                                              ox_element_of(OXI_ITEM(array)), OX_HERE))

/// Returns all elements as a `T *`, for writing. Checked once in the same way.
#define ox_array_edit_data(array)                                                                  \
    ((OXI_ITEM(array) *)ox_array_edit_at((array).untyped, 0, 0, ox_element_of(OXI_ITEM(array)),    \
                                         OX_HERE))

/// Returns the address of element `begin` as a `const T *`. Checks that all elements up to, but not
/// including, `end` may be read: they are inside the array, and inside the batch of a parallel job.
#define ox_array_get_range(array, begin, end)                                                      \
    ((const OXI_ITEM(array) *)ox_array_get_range_at((array).untyped, (int64_t)(begin),             \
                                                    (int64_t)(end),                                \
                                                    ox_element_of(OXI_ITEM(array)), OX_HERE))

/// The same as a `T *`, for writing.
#define ox_array_edit_range(array, begin, end)                                                     \
    ((OXI_ITEM(array) *)ox_array_edit_range_at((array).untyped, (int64_t)(begin), (int64_t)(end),  \
                                               ox_element_of(OXI_ITEM(array)), OX_HERE))

/// Copies all elements of `from` to `to`, which has the same length. They may be the same memory.
/// @return false after a report.
OX_API bool ox_array_copy_from_at(ox_array to, ox_array from, ox_site site);
#define ox_array_copy_from(to, from)                                                               \
    ox_array_copy_from_at(OXI_UNTYPED(ox_array, to), OXI_UNTYPED(ox_array, from), OX_HERE)

/// Sets all elements to one value, which comes last and may be braced.
/// @return false after a report.
OX_API bool ox_array_fill_at(ox_array array, ox_element element, const void *value, ox_site site);
#define ox_array_fill(array, ...)                                                                  \
    ox_array_fill_at((array).untyped, ox_element_of(OXI_ITEM(array)),                              \
                     OXI_VALUE(OXI_ITEM(array), __VA_ARGS__), OX_HERE)

/// Returns true if both have the same length and the same bytes.
OX_API bool ox_array_equals_at(ox_array a, ox_array b, ox_site site);
#define ox_array_equals(a, b)                                                                      \
    ox_array_equals_at(OXI_UNTYPED(ox_array, a), OXI_UNTYPED(ox_array, b), OX_HERE)

/// Combines the handles of an array of ox_job, which may be disposed afterwards. Main only.
OX_API ox_job ox_combine_array_at(ox_array jobs, ox_site site);
#define ox_combine_array(jobs) ox_combine_array_at(OXI_UNTYPED(ox_array, jobs), OX_HERE)

/// Completes all jobs of an array of ox_job. Main only.
OX_API void ox_complete_array_at(ox_array jobs, ox_site site);
#define ox_complete_array(jobs) ox_complete_array_at(OXI_UNTYPED(ox_array, jobs), OX_HERE)

// Slices. Creating one only checks that the part exists; using it checks the access of the
// container. A parallel job may create a slice of its batch: indices of that slice start at 0, and
// the batch is no longer checked. Do not keep it longer than the batch.

/// Returns a slice of `count` elements from `start` on, or {0} after a report.
OX_API ox_slice ox_array_slice_at(ox_array array, int64_t start, int64_t count, ox_site site);
#define ox_array_slice(array, start, count)                                                        \
    OXI_RESULT(array, oxi_slice, ox_slice,                                                         \
               ox_array_slice_at(OXI_UNTYPED(ox_array, array), (int64_t)(start), (int64_t)(count), \
                                 OX_HERE))

/// The same, of a slice.
OX_API ox_slice ox_slice_slice_at(ox_slice slice, int64_t start, int64_t count, ox_site site);
#define ox_slice_slice(slice, start, count)                                                        \
    OXI_SAME_TYPE(slice, ox_slice,                                                                 \
                  ox_slice_slice_at(OXI_UNTYPED(ox_slice, slice), (int64_t)(start),                \
                                    (int64_t)(count), OX_HERE))

/// Returns one field of each element, as a slice of its own type: ox_slice_field(bodies, mass,
/// Masses).
/// @return {0} after a report: the field is not inside the element.
OX_API ox_slice ox_slice_field_at(ox_slice slice, oxi_slice_field part, ox_site site);
#define ox_slice_field(slice, member, Slice)                                                       \
    OXI_TYPED(Slice, ox_slice_field_at((slice).untyped,                                            \
                                       oxi_slice_part(OXI_ITEM_INFO(Slice),                        \
                                                      ox_element_of(OXI_ITEM(slice)),              \
                                                      OXI_OFFSETOF(OXI_ITEM(slice), member),       \
                                                      sizeof(((OXI_ITEM(slice) *)0)->member)),     \
                                       OX_HERE))
/// The same, of an untyped slice of T, as an untyped slice of F.
#define ox_slice_field_untyped(slice, T, F, member)                                                \
    ox_slice_field_at(slice,                                                                       \
                      oxi_slice_part(ox_element_info_of(F), ox_element_of(T), offsetof(T, member), \
                                     sizeof(((T *)0)->member)),                                    \
                      OX_HERE)

/// Returns the same bytes as elements of another type, also of another size. The slice must have no
/// gaps, and its bytes must divide evenly.
/// @return {0} after a report.
OX_API ox_slice ox_slice_as_at(ox_slice slice, ox_element_info info, ox_site site);
#define ox_slice_as(slice, Slice)                                                                  \
    OXI_TYPED(Slice, ox_slice_as_at(OXI_UNTYPED(ox_slice, slice), OXI_ITEM_INFO(Slice), OX_HERE))
/// The same as an untyped slice of U.
#define ox_slice_as_untyped(slice, U)                                                              \
    ox_slice_as_at(OXI_UNTYPED(ox_slice, slice), ox_element_info_of(U), OX_HERE)

/// True if the handle has memory. Checks nothing else.
#define ox_slice_is_created(slice) (OXI_UNTYPED(ox_slice, slice).data != NULL)

/// The number of elements. Never checked.
#define ox_slice_count(slice) (OXI_UNTYPED(ox_slice, slice).count)

/// Returns the address of an element, for reading.
static inline const void *ox_slice_get_at(ox_slice slice, int64_t index, ox_element element,
                                          ox_site site);

/// Returns the address of an element, for writing.
static inline void *ox_slice_edit_at(ox_slice slice, int64_t index, ox_element element,
                                     ox_site site);

/// Copies `value`, of the size of an element, to the element at `index`.
static inline void ox_slice_set_at(ox_slice slice, int64_t index, ox_element element,
                                   const void *value, ox_site site);

/// Returns the address of an element, for reading.
#define ox_slice_get(slice, index)                                                                 \
    ((const OXI_ITEM(slice) *)ox_slice_get_at((slice).untyped, (int64_t)(index),                   \
                                              ox_element_of(OXI_ITEM(slice)), OX_HERE))

/// Returns a copy of an element.
#define ox_slice_read(slice, index) (*ox_slice_get(slice, index))

/// Returns the address of an element, for writing.
#define ox_slice_edit(slice, index)                                                                \
    ((OXI_ITEM(slice) *)ox_slice_edit_at((slice).untyped, (int64_t)(index),                        \
                                         ox_element_of(OXI_ITEM(slice)), OX_HERE))

/// Sets an element. The value comes last and may be braced.
#define ox_slice_set(slice, index, ...)                                                            \
    ox_slice_set_at((slice).untyped, (int64_t)(index), ox_element_of(OXI_ITEM(slice)),             \
                    OXI_VALUE(OXI_ITEM(slice), __VA_ARGS__), OX_HERE)

/// Returns all elements as a `const T *`. Reports a slice with gaps.
OX_API const void *ox_slice_get_data_at(ox_slice slice, ox_element element, ox_site site);
#define ox_slice_get_data(slice)                                                                   \
    ((const OXI_ITEM(slice) *)ox_slice_get_data_at((slice).untyped,                                \
                                                   ox_element_of(OXI_ITEM(slice)), OX_HERE))

/// The same as a `T *`, for writing.
OX_API void *ox_slice_edit_data_at(ox_slice slice, ox_element element, ox_site site);
#define ox_slice_edit_data(slice)                                                                  \
    ((OXI_ITEM(slice) *)ox_slice_edit_data_at((slice).untyped, ox_element_of(OXI_ITEM(slice)),     \
                                              OX_HERE))

/// Copies all elements of `from` to `to`, which has the same length. They may share memory.
/// @return false after a report.
OX_API bool ox_slice_copy_from_at(ox_slice to, ox_slice from, ox_site site);
#define ox_slice_copy_from(to, from)                                                               \
    ox_slice_copy_from_at(OXI_UNTYPED(ox_slice, to), OXI_UNTYPED(ox_slice, from), OX_HERE)

/// Copies all elements to an array of the same length.
#define ox_slice_copy_to_array(slice, array)                                                       \
    ox_slice_copy_from_at(oxi_array_as_slice_at(OXI_UNTYPED(ox_array, array), OX_HERE),            \
                          OXI_UNTYPED(ox_slice, slice), OX_HERE)

/// Copies all elements of an array of the same length.
#define ox_slice_copy_from_array(slice, array)                                                     \
    ox_slice_copy_from_at(OXI_UNTYPED(ox_slice, slice),                                            \
                          oxi_array_as_slice_at(OXI_UNTYPED(ox_array, array), OX_HERE), OX_HERE)

// Bits: an array of bools with one bit each.
//
//     ox_bits alive = ox_bits_create(1000, OX_PERSISTENT);              // all clear
//     ox_bits_set(alive, 7, true);
//     for (int k = ox_bits_find_set(alive, 0); k < ox_bits_count(alive);
//          k = ox_bits_find_set(alive, k + 1)) { ... }
//
// Copies of a handle share the bits. 64 bits share a word, and each use of a bit reads or writes
// its whole word. So a parallel job that changes bits by index needs a batch size that is a
// multiple of 64. A field that is OX_READ_ONLY may be read at any index.

/// An array of bits. Copy it freely: all copies are the same bits. {0} is none.
typedef struct ox_bits {
    oxi_bits_state *state;
    ox_access access;
    OXI_UNTYPED_MEMBERS(ox_bits);
} ox_bits;

/// Creates `count` bits, all clear. @return {0} after a report.
OX_API ox_bits ox_bits_create_at(int64_t count, ox_allocator allocator, ox_site site);
#define ox_bits_create(count, allocator) ox_bits_create_at((int64_t)(count), allocator, OX_HERE)

/// The plain form of ox_dispose and, with a job, of ox_dispose_after.
/// @return the job that frees it; OX_NO_JOB if it was freed at once, or after a report.
OX_API ox_job ox_bits_dispose_at(ox_bits *bits, ox_job after, ox_site site);

/// True if the handle has memory. Checks nothing else: also true for copies of a disposed handle.
static inline bool ox_bits_is_created(ox_bits bits) {
    return bits.state != NULL;
}

/// Returns the number of bits, set or clear. 0 after a report.
static inline int32_t ox_bits_count_at(ox_bits bits, ox_site site);
#define ox_bits_count(bits) ox_bits_count_at(bits, OX_HERE)

/// Returns true if a bit is set. false after a report.
static inline bool ox_bits_is_set_at(ox_bits bits, int64_t index, ox_site site);
#define ox_bits_is_set(bits, index) ox_bits_is_set_at(bits, (int64_t)(index), OX_HERE)

/// Sets a bit, or clears it.
static inline void ox_bits_set_at(ox_bits bits, int64_t index, bool value, ox_site site);
#define ox_bits_set(bits, index, value) ox_bits_set_at(bits, (int64_t)(index), value, OX_HERE)

/// Sets, or clears, `count` bits from `first` on. @return false after a report.
OX_API bool ox_bits_set_range_at(ox_bits bits, int64_t first, int64_t count, bool value,
                                 ox_site site);
#define ox_bits_set_range(bits, first, count, value)                                               \
    ox_bits_set_range_at(bits, (int64_t)(first), (int64_t)(count), value, OX_HERE)

/// Clears all bits. @return false after a report.
OX_API bool ox_bits_clear_at(ox_bits bits, ox_site site);
#define ox_bits_clear(bits) ox_bits_clear_at(bits, OX_HERE)

/// Changes the number of bits to `count`. New bits are clear. @return false after a report.
OX_API bool ox_bits_resize_at(ox_bits bits, int64_t count, ox_site site);
#define ox_bits_resize(bits, count) ox_bits_resize_at(bits, (int64_t)(count), OX_HERE)

/// Returns the number of bits that are set. 0 after a report.
OX_API int32_t ox_bits_count_set_at(ox_bits bits, ox_site site);
#define ox_bits_count_set(bits) ox_bits_count_set_at(bits, OX_HERE)

/// Returns how many of `count` bits from `first` on are set. 0 after a report.
OX_API int32_t ox_bits_count_set_in_at(ox_bits bits, int64_t first, int64_t count, ox_site site);
#define ox_bits_count_set_in(bits, first, count)                                                   \
    ox_bits_count_set_in_at(bits, (int64_t)(first), (int64_t)(count), OX_HERE)

/// Returns the first set bit at or after `from`, or the count if there is none. `from` may be the
/// count. After a report returns the count, or 0 if the count is not known.
OX_API int32_t ox_bits_find_set_at(ox_bits bits, int64_t from, ox_site site);
#define ox_bits_find_set(bits, from) ox_bits_find_set_at(bits, (int64_t)(from), OX_HERE)

/// The same for a clear bit.
OX_API int32_t ox_bits_find_clear_at(ox_bits bits, int64_t from, ox_site site);
#define ox_bits_find_clear(bits, from) ox_bits_find_clear_at(bits, (int64_t)(from), OX_HERE)

/// Returns true if any of `count` bits from `first` on is set. false for 0 bits, and after a
/// report.
OX_API bool ox_bits_any_at(ox_bits bits, int64_t first, int64_t count, ox_site site);
#define ox_bits_any(bits, first, count)                                                            \
    ox_bits_any_at(bits, (int64_t)(first), (int64_t)(count), OX_HERE)

/// Returns true if all of `count` bits from `first` on are set. true for 0 bits, false after a
/// report.
OX_API bool ox_bits_all_at(ox_bits bits, int64_t first, int64_t count, ox_site site);
#define ox_bits_all(bits, first, count)                                                            \
    ox_bits_all_at(bits, (int64_t)(first), (int64_t)(count), OX_HERE)

// Each of these changes `to` by `from`, which has the same length. They may be the same bits.
// @return false after a report.

/// Keeps the bits that are set in both.
OX_API bool ox_bits_and_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_and(to, from) ox_bits_and_at(to, from, OX_HERE)

/// Sets the bits that are set in either.
OX_API bool ox_bits_or_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_or(to, from) ox_bits_or_at(to, from, OX_HERE)

/// Clears the bits that are set in `from`.
OX_API bool ox_bits_and_not_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_and_not(to, from) ox_bits_and_not_at(to, from, OX_HERE)

/// Copies all bits.
OX_API bool ox_bits_copy_from_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_copy_from(to, from) ox_bits_copy_from_at(to, from, OX_HERE)

// Sorting plain memory and arrays, at once or in jobs. See list.h for lists.
//
//     int by_distance(const void *a, const void *b, void *context);   // < 0: a comes first
//
//     ox_array_sort(enemies, by_distance, NULL);
//     ox_array_sort(depths, NULL, NULL);                              // natural order
//     ox_job sorted = ox_array_sort_after(enemies, by_distance, NULL, moved);
//
// A comparison of NULL means natural order, for numbers and bool: ascending, false before true, -0
// before 0, and NaN last. It is faster. All other types need a comparison. An inconsistent
// comparison gives an unspecified order, but loses no element.
//
// The stable forms keep the order of elements that compare equal. The result is the same on every
// machine and for any number of workers. Only the order of equal elements in unstable forms may
// change with a version of Oxbow. The calls write the container, on any thread that may write it,
// including jobs. Call those that schedule jobs on main.

/// Compares two elements: returns less than 0 if `a` comes first, more than 0 if `b` does, and 0 if
/// they are equal. It is called on the sorting thread; a parallel sort calls it on several threads
/// at the same time.
typedef int ox_compare_fn(const void *a, const void *b, void *context);

/// Sorts elements in plain memory: ox_sort(numbers, 100, int, NULL, NULL). Not stable. O(n log n)
/// in the worst case.
/// @return false after a report, with nothing changed.
OX_API bool ox_sort_at(void *data, int64_t count, ox_element element, ox_compare_fn *compare,
                       void *context, ox_site site);
#define ox_sort(data, count, T, compare, context)                                                  \
    ox_sort_at(OXI_POINTER(T, data), (int64_t)(count), ox_element_of(T), compare, context, OX_HERE)

/// The same, stable. Uses OX_TEMP_JOB memory for half of the elements, and none in natural order.
/// @return false after a report, with nothing changed, also if out of memory.
OX_API bool ox_sort_stable_at(void *data, int64_t count, ox_element element, ox_compare_fn *compare,
                              void *context, ox_site site);
#define ox_sort_stable(data, count, T, compare, context)                                           \
    ox_sort_stable_at(OXI_POINTER(T, data), (int64_t)(count), ox_element_of(T), compare, context,  \
                      OX_HERE)

/// Sorts an array: ox_array_sort(depths, NULL, NULL). Not stable.
/// @return false after a report, with nothing changed.
OX_API bool ox_array_sort_at(ox_array array, ox_element element, ox_compare_fn *compare,
                             void *context, ox_site site);
#define ox_array_sort(array, compare, context)                                                     \
    ox_array_sort_at((array).untyped, ox_element_of(OXI_ITEM(array)), compare, context, OX_HERE)

/// The same, stable. See ox_sort_stable.
/// @return false after a report, with nothing changed, also if out of memory.
OX_API bool ox_array_sort_stable_at(ox_array array, ox_element element, ox_compare_fn *compare,
                                    void *context, ox_site site);
#define ox_array_sort_stable(array, compare, context)                                              \
    ox_array_sort_stable_at((array).untyped, ox_element_of(OXI_ITEM(array)), compare, context,     \
                            OX_HERE)

// Sorting in jobs. Jobs sort up to 64 blocks in parallel, and then merge them in rounds, each by
// all workers. The bounds of blocks only depend on the length, so the result is the same for any
// number of workers. The sort is stable. The jobs write the container: schedule other users after
// them, or complete them first. They use OX_TEMP_JOB memory for the same number of elements, which
// the last job frees. `context` must live until then, and the comparison must be thread-safe.

/// Schedules jobs that sort an array after `after`. A short array takes a single job.
/// @return the last job, or OX_NO_JOB after a report, with nothing scheduled, also if out of
/// memory.
OX_API ox_job ox_array_sort_after_at(ox_array array, ox_element element, ox_compare_fn *compare,
                                     void *context, ox_job after, ox_site site);
#define ox_array_sort_after(array, compare, context, after)                                        \
    ox_array_sort_after_at((array).untyped, ox_element_of(OXI_ITEM(array)), compare, context,      \
                           after, OX_HERE)

// Reducing all elements of an array to one value, at once or in jobs.
//
//     double total = ox_array_sum(masses);
//     float least = ox_array_min(masses);
//     ox_job summed = ox_array_sum_after(masses, total_array, moved);
//
//     ox_reduce(&(ox_reduce_def){                          // anything else
//         .input = bodies.untyped, .output = bounds.untyped, .identity = &empty_box,
//         .fold = add_bodies, .join = add_box});
//
// Elements are reduced in blocks whose bounds do not depend on the workers, and the results of
// blocks are joined in order: sums of floating-point numbers are bit-equal for any number of
// workers. To reduce a list, pass ox_list_as_array(list). Call these on any thread that may use the
// arrays, including in jobs. Call those that schedule jobs on main.

/// Adds `count` elements to `sum`, in their order. It is called on the thread of a job.
typedef void ox_fold_fn(void *sum, const void *items, int count, void *context);

/// Adds `other`, the sum of the elements that follow, to `sum`.
typedef void ox_join_fn(void *sum, const void *other, void *context);

/// Describes a reduction. Zero every field you do not set.
typedef struct ox_reduce_def {
    uint32_t _guard_begin;

    /// The elements. They are only read.
    ox_array input;

    /// Its first element receives the result. Its elements may have another type than those of
    /// `input`.
    ox_array output;

    /// The initial sum, of the type of the output: the result for an empty array. Copied. NULL
    /// means all bytes 0.
    const void *identity;

    /// Several threads call both at the same time, each for its own sum.
    ox_fold_fn *fold;
    ox_join_fn *join;

    /// Number of elements in a block. 0 means 1024.
    int block;

    /// Passed to both functions. Kept by pointer: it must live until the last job is finished.
    void *context;

    uint32_t _guard_end;
} ox_reduce_def;

/// Reduces at once, on this thread. Uses OX_TEMP_JOB memory for two sums.
/// @return false after a report, with the output unchanged.
OX_API bool ox_reduce_at(const ox_reduce_def *def, ox_site site);
#define ox_reduce(...) ox_reduce_at(__VA_ARGS__, OX_HERE)

/// Schedules a reduction after `after`: a parallel job reads the input, and a single job joins the
/// sums of its blocks and writes the output. `def` is copied.
/// @return the last job, or OX_NO_JOB after a report, with nothing scheduled.
OX_API ox_job ox_reduce_after_at(const ox_reduce_def *def, ox_job after, ox_site site);
#define ox_reduce_after(def, after) ox_reduce_after_at(def, after, OX_HERE)

/// Returns the sum of an array of numbers or bools: ox_array_sum(masses). The sum is a double for
/// floating types, an int64_t for signed ones, and a uint64_t for unsigned ones and bool. Integers
/// wrap around. 0 after a report.
#define ox_array_sum(array)                                                                        \
    (OXI_SUM_OF(OXI_ITEM(array))((array).untyped, ox_element_of(OXI_ITEM(array)), OX_HERE))

/// Schedules jobs that sum `array` after `after`. `output` is an array of one double, int64_t or
/// uint64_t, as above. @return the last job, or OX_NO_JOB after a report.
OX_API ox_job ox_array_sum_after_at(ox_array array, ox_element element, ox_array output,
                                    ox_job after, ox_site site);
#define ox_array_sum_after(array, output, after)                                                   \
    ox_array_sum_after_at((array).untyped, ox_element_of(OXI_ITEM(array)),                         \
                          OXI_UNTYPED(ox_array, output), after, OX_HERE)

/// Returns the smallest number of an array, in the order of ox_sort: NaN is larger than all
/// numbers. Reports an empty array, and returns 0.
#define ox_array_min(array)                                                                        \
    (*(const OXI_ITEM(array) *)ox_array_min_at((array).untyped, ox_element_of(OXI_ITEM(array)),    \
                                               OX_HERE))

/// Returns the largest number of an array, likewise.
#define ox_array_max(array)                                                                        \
    (*(const OXI_ITEM(array) *)ox_array_max_at((array).untyped, ox_element_of(OXI_ITEM(array)),    \
                                               OX_HERE))

/// Returns the address of the smallest number, the first of equal ones.
OX_API const void *ox_array_min_at(ox_array array, ox_element element, ox_site site);

/// Returns the address of the largest number, the first of equal ones.
OX_API const void *ox_array_max_at(ox_array array, ox_element element, ox_site site);

// Jobs whose count an earlier job writes.

/// Schedules a parallel job whose count is the first element of `counts`, an array of int32_t, when
/// the job starts. The job reads the array until it is completed.
/// @return OX_NO_JOB after a report.
OX_API ox_job ox_schedule_for_value_at(ox_job_type *type, ox_array counts, int batch, ox_job after,
                                       const void *data, ox_site site);

/// The same for a job of this file: ox_schedule_for_value(Repair, counts, 64, after, {damaged}).
#define ox_schedule_for_value(Job, counts, batch, ...)                                             \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_JOB_BY_INDEX),                                                 \
                "ox_schedule_for_value is for an OX_PARALLEL_JOB or OX_RANGE_JOB; " #Job           \
                " is another kind of job",                                                         \
                ox_schedule_for_value_at(&oxi_job_##Job, OXI_UNTYPED(ox_array, counts), batch,     \
                                         OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

#include "oxbow/detail/array.h"
