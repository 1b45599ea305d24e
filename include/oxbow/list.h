// SPDX-License-Identifier: MIT
//
// Lists, queues and streams: containers that grow in order, and that parallel jobs can add to.
//
//     OX_LIST(Hits, Hit); // at file scope: declares Hits, Hits_writer and Hits_array
//
//     Hits hits = ox_list_create(Hits, 16, OX_PERSISTENT);
//     ox_list_push(hits, {.target = 3});
//     ox_list_edit(hits, 0)->force += 1;
//     int target = ox_list_get(hits, 0)->target;
//     OX_EACH(hits, hit) { use(hit->force); }         // see containers.h
//     ox_dispose(&hits);
//
// Copies of a handle share elements and length. A call that adds or removes elements invalidates
// pointers into the list, and its array views.
//
// Threads: any thread may read a container while no thread changes it. Parallel jobs add through a
// writer: the next use of the container merges what they wrote, in the order of their indices.

#pragma once

#include "oxbow/array.h"

typedef struct oxi_list_state oxi_list_state;
typedef struct oxi_queue_state oxi_queue_state;
typedef struct oxi_stream_state oxi_stream_state;

/// Contiguous values of one type.
typedef struct ox_values {
    const void *from;
    int64_t count;
    ox_element element;
} ox_values;

/// Adds to a list from parallel jobs. It never grows the list: reserve first.
typedef struct ox_list_writer {
    oxi_list_state *state;
    ox_access access;
} ox_list_writer;

/// A growable array. Copy it freely: all copies are the same list. {0} is no list.
typedef struct ox_list {
    oxi_list_state *state;
    ox_access access;
    OXI_UNTYPED_MEMBERS(ox_list);
    OXI_UNTYPED_MEMBER(ox_list_writer, oxi_writer);
    OXI_UNTYPED_MEMBER(ox_array, oxi_array);
} ox_list;

OXI_UNTYPED_OVERLOAD(ox_list);

/// Declares a type of lists at file scope: OX_LIST(Hits, Hit). `Hits_writer` is the type of their
/// writers, and `Hits_array` that of their array views. `.untyped` is the ox_list that plain
/// functions take.
#define OX_LIST(Name, T)                                                                           \
    OXI_ITEMS_TYPE(Name##_writer, ox_list_writer, T, );                                            \
    OX_ARRAY(Name##_array, T);                                                                     \
    OXI_ITEMS_TYPE(Name, ox_list, T, Name##_writer *oxi_writer; Name##_array * oxi_array;)

/// Creates an empty list with the given capacity, at least 1.
/// @return {0} after a report.
OX_API ox_list ox_list_create_at(ox_element_info info, int64_t capacity, ox_allocator allocator,
                                 ox_site site);
#define ox_list_create(List, capacity, allocator)                                                  \
    OXI_TYPED(List, ox_list_create_at(OXI_ITEM_INFO(List), (int64_t)(capacity), allocator, OX_HERE))
/// Creates an untyped list of T: ox_list_create_untyped(Hit, 16, OX_PERSISTENT).
#define ox_list_create_untyped(T, capacity, allocator)                                             \
    ox_list_create_at(ox_element_info_of(T), (int64_t)(capacity), allocator, OX_HERE)

/// The plain form of ox_dispose and, with a job, of ox_dispose_after.
/// @return the job that frees it; OX_NO_JOB if it was freed at once, or after a report.
OX_API ox_job ox_list_dispose_at(ox_list *list, ox_job after, ox_site site);

/// True if the handle has memory. Checks nothing else: also true for copies of a disposed handle.
#define ox_list_is_created(list) (OXI_UNTYPED(ox_list, list).state != NULL)

/// Merges what jobs wrote through writers, if anything is pending. All other calls do it
/// automatically.
/// @return false after a report: out of memory, and all writes stay pending.
OX_API bool ox_list_merge_at(ox_list list, ox_site site);
#define ox_list_merge(list) ox_list_merge_at(OXI_UNTYPED(ox_list, list), OX_HERE)

/// Schedules a job that merges after `after`, so that the next use need not. Main only.
/// @return the job, or OX_NO_JOB after a report.
OX_API ox_job ox_list_merge_after_at(ox_list list, ox_job after, ox_site site);
#define ox_list_merge_after(list, after)                                                           \
    ox_list_merge_after_at(OXI_UNTYPED(ox_list, list), after, OX_HERE)

/// Returns the number of elements. 0 after a report.
static inline int32_t ox_list_count_at(ox_list list, ox_site site);
#define ox_list_count(list) ox_list_count_at(OXI_UNTYPED(ox_list, list), OX_HERE)

/// Returns true if the list has no elements.
#define ox_list_is_empty(list) (ox_list_count_at(OXI_UNTYPED(ox_list, list), OX_HERE) == 0)

/// Returns the number of elements that fit before the list must grow. 0 after a report.
static inline int32_t ox_list_capacity_at(ox_list list, ox_site site);
#define ox_list_capacity(list) ox_list_capacity_at(OXI_UNTYPED(ox_list, list), OX_HERE)

/// Reserves capacity for at least `capacity` elements, rounded up to a power of two, as pushing
/// does.
/// @return false after a report.
OX_API bool ox_list_reserve_at(ox_list list, int64_t capacity, ox_site site);
#define ox_list_reserve(list, capacity)                                                            \
    ox_list_reserve_at(OXI_UNTYPED(ox_list, list), (int64_t)(capacity), OX_HERE)

/// Sets the capacity to exactly `capacity` elements, or 1 for 0. Reports a capacity below the
/// count. @return false after a report.
OX_API bool ox_list_set_capacity_at(ox_list list, int64_t capacity, ox_site site);
#define ox_list_set_capacity(list, capacity)                                                       \
    ox_list_set_capacity_at(OXI_UNTYPED(ox_list, list), (int64_t)(capacity), OX_HERE)

/// Frees unused capacity. @return false after a report.
OX_API bool ox_list_trim_at(ox_list list, ox_site site);
#define ox_list_trim(list) ox_list_trim_at(OXI_UNTYPED(ox_list, list), OX_HERE)

/// Changes the number of elements to `count`. New elements are 0. @return false after a report.
OX_API bool ox_list_resize_at(ox_list list, ox_element element, int64_t count, ox_site site);
#define ox_list_resize(list, count)                                                                \
    ox_list_resize_at((list).untyped, ox_element_of(OXI_ITEM(list)), (int64_t)(count), OX_HERE)

/// Removes all elements and keeps the capacity. @return false after a report.
OX_API bool ox_list_clear_at(ox_list list, ox_site site);
#define ox_list_clear(list) ox_list_clear_at(OXI_UNTYPED(ox_list, list), OX_HERE)

/// Inserts `count` values before the element at `index`, which may be the count. The values may be
/// elements of the list. @return false after a report.
OX_API bool ox_list_insert_at(ox_list list, int64_t index, ox_values values, ox_site site);

/// Adds `count` values at the end. They may be elements of the list.
OX_API bool ox_list_push_many_at(ox_list list, ox_values values, ox_site site);

/// Adds a value at the end. Unlike those of push_many it must not be an element of the list, so
/// that it can stay in registers.
static inline bool ox_list_push_at(ox_list list, ox_element element, const void *value,
                                   ox_site site);

/// Adds a value at the end; it comes last and may be braced. @return false after a report.
#define ox_list_push(list, ...)                                                                    \
    ox_list_push_at((list).untyped, ox_element_of(OXI_ITEM(list)),                                 \
                    OXI_VALUE(OXI_ITEM(list), __VA_ARGS__), OX_HERE)

/// Adds copies of `count` values, which may be elements of the list. @return false after a report.
#define ox_list_push_many(list, from, count)                                                       \
    ox_list_push_many_at((list).untyped,                                                           \
                         oxi_values_of(ox_element_of(OXI_ITEM(list)),                              \
                                       OXI_POINTER(const OXI_ITEM(list), from), (int64_t)(count)), \
                         OX_HERE)

/// Inserts a value before the element at `index`, which may be the count. @return false after a
/// report.
#define ox_list_insert(list, index, ...)                                                           \
    ox_list_insert_at(                                                                             \
        (list).untyped, (int64_t)(index),                                                          \
        oxi_values_of(ox_element_of(OXI_ITEM(list)), OXI_VALUE(OXI_ITEM(list), __VA_ARGS__), 1),   \
        OX_HERE)

/// Removes an element. The others keep their order. @return false after a report.
#define ox_list_remove(list, index)                                                                \
    ox_list_remove_range_at(OXI_UNTYPED(ox_list, list), (int64_t)(index), 1, OX_HERE)

/// Removes `count` elements from `first` on. The others keep their order.
/// @return false after a report.
OX_API bool ox_list_remove_range_at(ox_list list, int64_t first, int64_t count, ox_site site);
#define ox_list_remove_range(list, first, count)                                                   \
    ox_list_remove_range_at(OXI_UNTYPED(ox_list, list), (int64_t)(first), (int64_t)(count), OX_HERE)

/// Removes an element; the last one takes its place. @return false after a report.
OX_API bool ox_list_remove_swap_at(ox_list list, int64_t index, ox_site site);
#define ox_list_remove_swap(list, index)                                                           \
    ox_list_remove_swap_at(OXI_UNTYPED(ox_list, list), (int64_t)(index), OX_HERE)

/// Removes the last element and returns its value. Reports an empty list, and returns zeros.
OX_API const void *ox_list_pop_at(ox_list list, ox_element element, ox_site site);
#define ox_list_pop(list)                                                                          \
    (*(const OXI_ITEM(list) *)ox_list_pop_at((list).untyped, ox_element_of(OXI_ITEM(list)),        \
                                             OX_HERE))

/// Removes the last element and copies it to `value`.
/// @return false, with `value` unchanged and no report, if the list is empty.
OX_API bool ox_list_try_pop_at(ox_list list, ox_element element, void *value, ox_site site);
#define ox_list_try_pop(list, value)                                                               \
    ox_list_try_pop_at((list).untyped, ox_element_of(OXI_ITEM(list)),                              \
                       OXI_POINTER(OXI_ITEM(list), value), OX_HERE)

/// Returns the value of the last element. Reports an empty list, and returns zeros.
OX_API const void *ox_list_peek_at(ox_list list, ox_element element, ox_site site);
#define ox_list_peek(list)                                                                         \
    (*(const OXI_ITEM(list) *)ox_list_peek_at((list).untyped, ox_element_of(OXI_ITEM(list)),       \
                                              OX_HERE))

/// Returns the address of element `first`, for reading `count` elements: the plain form of get and
/// get_data.
static inline const void *ox_list_get_at(ox_list list, int64_t first, int64_t count,
                                         ox_element element, ox_site site);

/// The same for writing: the plain form of edit and edit_data.
static inline void *ox_list_edit_at(ox_list list, int64_t first, int64_t count, ox_element element,
                                    ox_site site);

/// Returns the address of element `begin`, for reading the elements up to, but not including,
/// `end`.
static inline const void *ox_list_get_range_at(ox_list list, int64_t begin, int64_t end,
                                               ox_element element, ox_site site);

/// The same for writing.
static inline void *ox_list_edit_range_at(ox_list list, int64_t begin, int64_t end,
                                          ox_element element, ox_site site);

/// Copies `value`, of the size of an element, to the element at `index`.
static inline void ox_list_set_at(ox_list list, int64_t index, ox_element element,
                                  const void *value, ox_site site);

/// Returns the address of an element, for reading. It is valid until the length of the list
/// changes.
#define ox_list_get(list, index)                                                                   \
    ((const OXI_ITEM(list) *)ox_list_get_at((list).untyped, (int64_t)(index), 1,                   \
                                            ox_element_of(OXI_ITEM(list)), OX_HERE))

/// Returns a copy of an element.
#define ox_list_read(list, index) (*ox_list_get(list, index))

/// Returns the address of an element, for writing. It is valid until the length of the list
/// changes.
#define ox_list_edit(list, index)                                                                  \
    ((OXI_ITEM(list) *)ox_list_edit_at((list).untyped, (int64_t)(index), 1,                        \
                                       ox_element_of(OXI_ITEM(list)), OX_HERE))

/// Sets an element. The value comes last and may be braced.
#define ox_list_set(list, index, ...)                                                              \
    ox_list_set_at((list).untyped, (int64_t)(index), ox_element_of(OXI_ITEM(list)),                \
                   OXI_VALUE(OXI_ITEM(list), __VA_ARGS__), OX_HERE)

/// Returns all elements as a `const T *`. Checked once, as with arrays.
#define ox_list_get_data(list)                                                                     \
    ((const OXI_ITEM(list) *)ox_list_get_at((list).untyped, 0, 0, ox_element_of(OXI_ITEM(list)),   \
                                            OX_HERE))

/// Returns all elements as a `T *`, for writing.
#define ox_list_edit_data(list)                                                                    \
    ((OXI_ITEM(list) *)ox_list_edit_at((list).untyped, 0, 0, ox_element_of(OXI_ITEM(list)),        \
                                       OX_HERE))

/// Returns the address of element `begin` as a `const T *`. Checks that all elements up to, but not
/// including, `end` may be read.
#define ox_list_get_range(list, begin, end)                                                        \
    ((const OXI_ITEM(list) *)ox_list_get_range_at(                                                 \
        (list).untyped, (int64_t)(begin), (int64_t)(end), ox_element_of(OXI_ITEM(list)), OX_HERE))

/// The same as a `T *`, for writing.
#define ox_list_edit_range(list, begin, end)                                                       \
    ((OXI_ITEM(list) *)ox_list_edit_range_at((list).untyped, (int64_t)(begin), (int64_t)(end),     \
                                             ox_element_of(OXI_ITEM(list)), OX_HERE))

/// Returns an array view of the elements, for jobs that do not change the length. It is invalid
/// when the list may change its length, and cannot be disposed. Returns {0} after a report.
/// @return {0} after a report.
OX_API ox_array ox_list_as_array_at(ox_list list, ox_site site);
#define ox_list_as_array(list)                                                                     \
    OXI_RESULT(list, oxi_array, ox_array, ox_list_as_array_at(OXI_UNTYPED(ox_list, list), OX_HERE))

/// Creates an array with copies of the elements. @return {0} after a report.
OX_API ox_array ox_list_to_array_at(ox_list list, ox_allocator allocator, ox_site site);
#define ox_list_to_array(list, allocator)                                                          \
    OXI_RESULT(list, oxi_array, ox_array,                                                          \
               ox_list_to_array_at(OXI_UNTYPED(ox_list, list), allocator, OX_HERE))

/// Returns a writer for parallel jobs. Any number of jobs may hold copies of it. Main only.
/// @return {0} after a report.
OX_API ox_list_writer ox_list_writer_of_at(ox_list list, ox_site site);
#define ox_list_writer_of(list)                                                                    \
    OXI_RESULT(list, oxi_writer, ox_list_writer,                                                   \
               ox_list_writer_of_at(OXI_UNTYPED(ox_list, list), OX_HERE))

/// Adds a value, in a job or on main: ox_list_write(job->found, i). @return false after a report:
/// the capacity is used up.
OX_API bool ox_list_write_at(ox_list_writer writer, ox_element element, const void *value,
                             ox_site site);
#define ox_list_write(writer, ...)                                                                 \
    ox_list_write_at((writer).untyped, ox_element_of(OXI_ITEM(writer)),                            \
                     OXI_VALUE(OXI_ITEM(writer), __VA_ARGS__), OX_HERE)

/// Sorts a list. Not stable. Its views, and pointers into it, stay valid.
/// @return false after a report, with nothing changed.
OX_API bool ox_list_sort_at(ox_list list, ox_element element, ox_compare_fn *compare, void *context,
                            ox_site site);
#define ox_list_sort(list, compare, context)                                                       \
    ox_list_sort_at((list).untyped, ox_element_of(OXI_ITEM(list)), compare, context, OX_HERE)

/// The same, stable. See ox_sort_stable.
OX_API bool ox_list_sort_stable_at(ox_list list, ox_element element, ox_compare_fn *compare,
                                   void *context, ox_site site);
#define ox_list_sort_stable(list, compare, context)                                                \
    ox_list_sort_stable_at((list).untyped, ox_element_of(OXI_ITEM(list)), compare, context, OX_HERE)

/// Schedules jobs that sort a list, of its length when `after` is finished. The job reports what is
/// only known then, such as another element type, and leaves the list as it was. Invalidates views
/// of the list; to keep them, sort ox_list_as_array(list).
OX_API ox_job ox_list_sort_after_at(ox_list list, ox_element element, ox_compare_fn *compare,
                                    void *context, ox_job after, ox_site site);
#define ox_list_sort_after(list, compare, context, after)                                          \
    ox_list_sort_after_at((list).untyped, ox_element_of(OXI_ITEM(list)), compare, context, after,  \
                          OX_HERE)

// Queues: first in, first out.
//
//     OX_QUEUE(Orders, int);
//
//     Orders orders = ox_queue_create(Orders, 0, OX_PERSISTENT);
//     ox_queue_push(orders, 5);
//     for (int order; ox_queue_try_pop(orders, &order);) { ... }
//
// Any thread may read a queue while no thread changes it; pushing and popping change it. Parallel
// jobs push through a writer.

/// Pushes to a queue from parallel jobs.
typedef struct ox_queue_writer {
    oxi_queue_state *state;
    ox_access access;
} ox_queue_writer;

/// A first-in, first-out queue. Copy it freely: all copies are the same queue. {0} is no queue.
typedef struct ox_queue {
    oxi_queue_state *state;
    ox_access access;
    OXI_UNTYPED_MEMBERS(ox_queue);
    OXI_UNTYPED_MEMBER(ox_queue_writer, oxi_writer);
    OXI_UNTYPED_MEMBER(ox_array, oxi_array);
} ox_queue;

OXI_UNTYPED_OVERLOAD(ox_queue);

/// Declares a type of queues at file scope: OX_QUEUE(Orders, int). `Orders_writer` is the type of
/// their writers, and `Orders_array` that of ox_queue_to_array. `.untyped` is the ox_queue that
/// plain functions take.
#define OX_QUEUE(Name, T)                                                                          \
    OXI_ITEMS_TYPE(Name##_writer, ox_queue_writer, T, );                                           \
    OX_ARRAY(Name##_array, T);                                                                     \
    OXI_ITEMS_TYPE(Name, ox_queue, T, Name##_writer *oxi_writer; Name##_array * oxi_array;)

/// Creates an empty queue with the given initial capacity; it grows as needed. With 0 the first
/// push allocates. @return {0} after a report.
OX_API ox_queue ox_queue_create_at(ox_element_info info, int64_t capacity, ox_allocator allocator,
                                   ox_site site);
#define ox_queue_create(Queue, capacity, allocator)                                                \
    OXI_TYPED(Queue,                                                                               \
              ox_queue_create_at(OXI_ITEM_INFO(Queue), (int64_t)(capacity), allocator, OX_HERE))
/// Creates an untyped queue of T: ox_queue_create_untyped(int, 0, OX_PERSISTENT).
#define ox_queue_create_untyped(T, capacity, allocator)                                            \
    ox_queue_create_at(ox_element_info_of(T), (int64_t)(capacity), allocator, OX_HERE)

/// The plain form of ox_dispose and, with a job, of ox_dispose_after.
/// @return the job that frees it; OX_NO_JOB if it was freed at once, or after a report.
OX_API ox_job ox_queue_dispose_at(ox_queue *queue, ox_job after, ox_site site);

/// True if the handle has memory. Checks nothing else: also true for copies of a disposed handle.
#define ox_queue_is_created(queue) (OXI_UNTYPED(ox_queue, queue).state != NULL)

/// Returns the number of elements, including those that jobs wrote. 0 after a report.
OX_API int32_t ox_queue_count_at(ox_queue queue, ox_site site);
#define ox_queue_count(queue) ox_queue_count_at(OXI_UNTYPED(ox_queue, queue), OX_HERE)

/// Returns true if the queue has no elements, and after a report.
OX_API bool ox_queue_is_empty_at(ox_queue queue, ox_site site);
#define ox_queue_is_empty(queue) ox_queue_is_empty_at(OXI_UNTYPED(ox_queue, queue), OX_HERE)

/// Adds a copy of `value` at the end.
static inline bool ox_queue_push_at(ox_queue queue, ox_element element, const void *value,
                                    ox_site site);

/// Removes the first element. @return its address, valid until the next push, or zeros after a
/// report.
static inline const void *ox_queue_pop_at(ox_queue queue, ox_element element, ox_site site);

/// Removes the first element and copies it to `value`. @return false, with `value` unchanged, if
/// the queue is empty.
static inline bool ox_queue_try_pop_at(ox_queue queue, ox_element element, void *value,
                                       ox_site site);

/// Adds a value at the end; it comes last and may be braced: ox_queue_push(orders, 5).
/// @return false after a report: out of memory, and the queue is unchanged.
#define ox_queue_push(queue, ...)                                                                  \
    ox_queue_push_at((queue).untyped, ox_element_of(OXI_ITEM(queue)),                              \
                     OXI_VALUE(OXI_ITEM(queue), __VA_ARGS__), OX_HERE)

/// Removes the first element and returns its value: ox_queue_pop(orders). Reports an empty queue,
/// and returns zeros.
#define ox_queue_pop(queue)                                                                        \
    (*(const OXI_ITEM(queue) *)ox_queue_pop_at((queue).untyped, ox_element_of(OXI_ITEM(queue)),    \
                                               OX_HERE))

/// Removes the first element and copies it to `value`, a T *.
/// @return false, with `value` unchanged, if the queue is empty.
#define ox_queue_try_pop(queue, value)                                                             \
    ox_queue_try_pop_at((queue).untyped, ox_element_of(OXI_ITEM(queue)),                           \
                        OXI_POINTER(OXI_ITEM(queue), value), OX_HERE)

/// Adds `count` values at the end, all or none: ox_queue_push_many(orders, numbers, 3). They must
/// not be elements of the queue. @return false after a report.
OX_API bool ox_queue_push_many_at(ox_queue queue, ox_element element, const void *values,
                                  int64_t count, ox_site site);
#define ox_queue_push_many(queue, values, count)                                                   \
    ox_queue_push_many_at((queue).untyped, ox_element_of(OXI_ITEM(queue)),                         \
                          OXI_POINTER(const OXI_ITEM(queue), values), (int64_t)(count), OX_HERE)

/// Returns the address of the element at `index`, counted from the head: 0 is the next to leave.
/// @return zeros after a report.
OX_API const void *ox_queue_get_at(ox_queue queue, int64_t index, ox_element element, ox_site site);

/// Returns the address of an element, counted from the head: *ox_queue_get(orders, 0).
#define ox_queue_get(queue, index)                                                                 \
    ((const OXI_ITEM(queue) *)ox_queue_get_at((queue).untyped, (int64_t)(index),                   \
                                              ox_element_of(OXI_ITEM(queue)), OX_HERE))

/// Returns a copy of an element.
#define ox_queue_read(queue, index) (*ox_queue_get(queue, index))

/// Returns the value of the first element without removing it. Reports an empty queue, and returns
/// zeros.
OX_API const void *ox_queue_peek_at(ox_queue queue, ox_element element, ox_site site);
#define ox_queue_peek(queue)                                                                       \
    (*(const OXI_ITEM(queue) *)ox_queue_peek_at((queue).untyped, ox_element_of(OXI_ITEM(queue)),   \
                                                OX_HERE))

/// Removes all elements, including those that jobs wrote, and keeps the capacity.
OX_API void ox_queue_clear_at(ox_queue queue, ox_site site);
#define ox_queue_clear(queue) ox_queue_clear_at(OXI_UNTYPED(ox_queue, queue), OX_HERE)

/// Reserves capacity for `count` elements in total. No effect if the queue has as much.
/// @return false after a report.
OX_API bool ox_queue_reserve_at(ox_queue queue, int64_t count, ox_site site);
#define ox_queue_reserve(queue, count)                                                             \
    ox_queue_reserve_at(OXI_UNTYPED(ox_queue, queue), (int64_t)(count), OX_HERE)

/// Creates an array with copies of all elements, in the order in which they leave. @return {0}
/// after a report.
OX_API ox_array ox_queue_to_array_at(ox_queue queue, ox_allocator allocator, ox_site site);
#define ox_queue_to_array(queue, allocator)                                                        \
    OXI_RESULT(queue, oxi_array, ox_array,                                                         \
               ox_queue_to_array_at(OXI_UNTYPED(ox_queue, queue), allocator, OX_HERE))

/// Returns a writer for parallel jobs. Any number of jobs may hold copies of it. Main only.
/// @return {0} after a report.
OX_API ox_queue_writer ox_queue_writer_of_at(ox_queue queue, ox_site site);
#define ox_queue_writer_of(queue)                                                                  \
    OXI_RESULT(queue, oxi_writer, ox_queue_writer,                                                 \
               ox_queue_writer_of_at(OXI_UNTYPED(ox_queue, queue), OX_HERE))

/// Pushes a copy of `value`.
static inline bool ox_queue_write_at(ox_queue_writer writer, ox_element element, const void *value,
                                     ox_site site);

/// Pushes a value, in a job or on main: ox_queue_write(job->found, i). In a job only memory limits
/// it. The next use of the queue merges the values, in the order of jobs and their indices. @return
/// false after a report, with nothing written.
#define ox_queue_write(writer, ...)                                                                \
    ox_queue_write_at((writer).untyped, ox_element_of(OXI_ITEM(writer)),                           \
                      OXI_VALUE(OXI_ITEM(writer), __VA_ARGS__), OX_HERE)

/// Schedules a job after `after` that merges what jobs wrote, so that the next use need not. Main
/// only. @return that job, or OX_NO_JOB after a report.
OX_API ox_job ox_queue_merge_after_at(ox_queue queue, ox_job after, ox_site site);
#define ox_queue_merge_after(queue, after)                                                         \
    ox_queue_merge_after_at(OXI_UNTYPED(ox_queue, queue), after, OX_HERE)

// Streams: values of any types, written one after another and read back in the same order. A stream
// has no element type, so calls name the type of each value.
//
//     ox_stream events = ox_stream_create(OX_TEMP_JOB);
//     ox_stream_writer writer = ox_stream_writer_of(events);     // for main and for parallel jobs
//     ox_stream_write(writer, int, 3);
//     ox_stream_write(writer, Hit, {.force = 2});
//
//     ox_stream_reader reader = ox_stream_reader_of(events);
//     while (ox_stream_reader_has_next(&reader)) {
//         int kind = ox_stream_reader_next(&reader, int);
//         Hit hit = ox_stream_reader_next(&reader, Hit);
//     }
//
// Values written by jobs are read in the order of scheduling, and within a job in the order of its
// indices. Values written by main follow those that jobs wrote before. Any number of threads may
// read a stream while no thread writes it, each with its own reader.

/// Values of any types, in the order of writing. Copy it freely: all copies are the same stream.
/// {0} is no stream.
typedef struct ox_stream {
    oxi_stream_state *state;
    ox_access access;
    OXI_UNTYPED_MEMBERS(ox_stream);
} ox_stream;

/// Writes to a stream, from parallel jobs or from main.
typedef struct ox_stream_writer {
    oxi_stream_state *state;
    ox_access access;
} ox_stream_writer;

/// A read position in a stream. One thread owns it, and it becomes invalid when the stream changes.
/// {0} has nothing to read.
typedef struct ox_stream_reader {
    const char *at;
    const char *end;
    const oxi_stream_state *state;
    ox_access access;
    uint32_t version; ///< of the stream when reading began
    uint32_t reserved;
} ox_stream_reader;

/// Creates an empty stream. @return {0} after a report.
OX_API ox_stream ox_stream_create_at(ox_allocator allocator, ox_site site);
#define ox_stream_create(allocator) ox_stream_create_at(allocator, OX_HERE)

/// The plain form of ox_dispose and, with a job, of ox_dispose_after.
/// @return the job that frees it; OX_NO_JOB if it was freed at once, or after a report.
OX_API ox_job ox_stream_dispose_at(ox_stream *stream, ox_job after, ox_site site);

/// True if the handle has memory. Checks nothing else: also true for copies of a disposed handle.
static inline bool ox_stream_is_created(ox_stream stream) {
    return stream.state != NULL;
}

/// Returns the number of values, including those that jobs wrote. 0 after a report.
OX_API int64_t ox_stream_count_at(ox_stream stream, ox_site site);
#define ox_stream_count(stream) ox_stream_count_at(stream, OX_HERE)

/// Returns true if the stream has no values, and after a report.
OX_API bool ox_stream_is_empty_at(ox_stream stream, ox_site site);
#define ox_stream_is_empty(stream) ox_stream_is_empty_at(stream, OX_HERE)

/// Removes all values and keeps the capacity.
OX_API void ox_stream_clear_at(ox_stream stream, ox_site site);
#define ox_stream_clear(stream) ox_stream_clear_at(stream, OX_HERE)

/// Returns a writer for main and for any number of parallel jobs. Main only.
/// @return {0} after a report.
OX_API ox_stream_writer ox_stream_writer_of_at(ox_stream stream, ox_site site);
#define ox_stream_writer_of(stream) ox_stream_writer_of_at(stream, OX_HERE)

/// Writes a copy of `value`.
static inline bool ox_stream_write_at(ox_stream_writer writer, ox_element_info info,
                                      const void *value, ox_site site);

/// Writes a value, which comes last and may be braced: ox_stream_write(writer, int, 3).
/// @return false after a report: out of memory, and nothing was written.
#define ox_stream_write(writer, T, ...)                                                            \
    ox_stream_write_at(writer, ox_element_info_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Schedules a job after `after` that merges what jobs wrote, so that the next use need not. Main
/// only. @return that job, or OX_NO_JOB after a report.
OX_API ox_job ox_stream_merge_after_at(ox_stream stream, ox_job after, ox_site site);
#define ox_stream_merge_after(stream, after) ox_stream_merge_after_at(stream, after, OX_HERE)

/// Returns a reader at the first value. @return {0} after a report.
OX_API ox_stream_reader ox_stream_reader_of_at(ox_stream stream, ox_site site);
#define ox_stream_reader_of(stream) ox_stream_reader_of_at(stream, OX_HERE)

/// Returns true if there is a value to read. Checks nothing else.
static inline bool ox_stream_reader_has_next(const ox_stream_reader *reader) {
    return reader->at != reader->end;
}

/// Copies the next value to `value` without advancing. Zeros after a report.
/// @return `value`.
static inline void *ox_stream_reader_peek_at(const ox_stream_reader *reader, ox_element element,
                                             void *value, ox_site site);

/// Copies the next value to `value` and advances past it. Zeros after a report.
/// @return `value`.
static inline void *ox_stream_reader_next_at(ox_stream_reader *reader, ox_element element,
                                             void *value, ox_site site);

/// Returns the next value, of the type it was written as, and advances:
/// ox_stream_reader_next(&reader, int).
#define ox_stream_reader_next(reader, T) OXI_STREAM_VALUE(T, ox_stream_reader_next_at, reader)

/// Returns the next value without advancing.
#define ox_stream_reader_peek(reader, T) OXI_STREAM_VALUE(T, ox_stream_reader_peek_at, reader)

/// Skips the next value, whatever its type. @return false after a report.
OX_API bool ox_stream_reader_skip_at(ox_stream_reader *reader, ox_site site);
#define ox_stream_reader_skip(reader) ox_stream_reader_skip_at(reader, OX_HERE)

// Jobs over the elements that earlier jobs write to a list.

/// Schedules a parallel job over the elements that a list has when the job starts; what jobs wrote
/// through an ox_list_writer is merged first. The list need not be in the job's struct. The job
/// reads the list until it is completed. Returns OX_NO_JOB after a report.
OX_API ox_job ox_schedule_for_list_at(ox_job_type *type, ox_list list, int batch, ox_job after,
                                      const void *data, ox_site site);

/// The same for a job of this file: ox_schedule_for_list(Repair, damaged, 64, after, {damaged}).
#define ox_schedule_for_list(Job, list, batch, ...)                                                \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_JOB_BY_INDEX),                                                 \
                "ox_schedule_for_list is for an OX_PARALLEL_JOB or OX_RANGE_JOB; " #Job            \
                " is another kind of job",                                                         \
                ox_schedule_for_list_at(&oxi_job_##Job, OXI_UNTYPED(ox_list, list), batch,         \
                                        OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

#include "oxbow/detail/list.h"
