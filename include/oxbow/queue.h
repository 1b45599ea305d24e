// SPDX-License-Identifier: MIT
//
// Queues: elements leave in the order in which they came. The type of the elements is named at each
// call.
//
//     ox_queue orders = ox_queue_create(int, OX_PERSISTENT);
//     ox_queue_push(int, orders, 5);
//     for (int order; ox_queue_try_pop(int, orders, &order);) { ... }
//     ox_queue_dispose(&orders);
//
// Copies of a handle share the elements. Any thread may look at a queue that no thread changes;
// pushing and popping change it. Parallel jobs push through an ox_queue_writer: what they wrote
// stands in the queue, in the order of their indices whoever ran them, when it is used next.

#pragma once

#include "oxbow/array.h"

/// What all copies of a handle share: a ring of 2^n elements. Not for use outside: its fields are
/// here to be fast.
typedef struct oxi_queue_state {
    char *ring;
    uint32_t head;     ///< counts pops, and wraps; the element is at head & (capacity - 1)
    uint32_t tail;     ///< counts pushes
    uint32_t capacity; ///< 0 or a power of two
    uint32_t pending;  ///< not 0: jobs wrote, and it is not in the ring yet
    ox_element element;
    uint32_t align;
    ox_allocator allocator;
} oxi_queue_state;

/// Elements in the order in which they came. Copy it freely: all copies are the same queue. {0} is
/// no queue.
typedef struct ox_queue {
    oxi_queue_state *state;
    ox_access access;
} ox_queue;

/// Pushes to a queue from parallel jobs.
typedef struct ox_queue_writer {
    oxi_queue_state *state;
    ox_access access;
} ox_queue_writer;

/// Makes an empty queue with room for `capacity` elements; 0 means that the first push makes room.
/// It grows past it. @return {0} after a report.
OX_API ox_queue ox_queue_create_at(ox_element_info info, int64_t capacity, ox_allocator allocator,
                                   ox_site site);

/// An empty queue: ox_queue_create(int, OX_TEMP_JOB).
#define ox_queue_create(T, allocator)                                                              \
    ox_queue_create_at(ox_element_info_of(T), 0, allocator, OX_HERE)

/// The same with room at once.
#define ox_queue_create_with_capacity(T, capacity, allocator)                                      \
    ox_queue_create_at(ox_element_info_of(T), (int64_t)(capacity), allocator, OX_HERE)

/// Frees the memory. Every copy of the handle is dead from here on.
OX_API void ox_queue_dispose_at(ox_queue *queue, ox_site site);
#define ox_queue_dispose(queue) ox_queue_dispose_at(queue, OX_HERE)

/// Frees the memory in a job after `after`, which covers all jobs that use it. The handle is dead
/// at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
OX_API ox_job ox_queue_dispose_after_at(ox_queue *queue, ox_job after, ox_site site);
#define ox_queue_dispose_after(queue, after) ox_queue_dispose_after_at(queue, after, OX_HERE)

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
static inline bool ox_queue_is_created(ox_queue queue) {
    return queue.state != NULL;
}

/// How many elements there are, those included that jobs wrote. 0 after a report.
OX_API int32_t ox_queue_count_at(ox_queue queue, ox_site site);
#define ox_queue_count(queue) ox_queue_count_at(queue, OX_HERE)

/// True when there is no element, and after a report.
OX_API bool ox_queue_is_empty_at(ox_queue queue, ox_site site);
#define ox_queue_is_empty(queue) ox_queue_is_empty_at(queue, OX_HERE)

// What the inline calls below stand on.

/// True when the queue may be changed and has elements of this type; else reports.
OX_API bool oxi_queue_may_change_at(ox_queue queue, ox_element element, ox_site site);

/// Takes over what jobs wrote, and makes room in the ring for one more element.
/// @return false after a report, with nothing changed.
OX_API bool oxi_queue_grow_at(oxi_queue_state *state, ox_site site);

/// Takes over what jobs wrote. @return whether there is an element to pop; when there is none,
/// after a report, unless `tries` says that there need not be one.
OX_API bool oxi_queue_refill_at(oxi_queue_state *state, ox_access access, bool tries, ox_site site);

/// Adds a copy of `value` at the end.
static inline bool ox_queue_push_at(ox_queue queue, ox_element element, const void *value,
                                    ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_queue_may_change_at(queue, element, site)) {
        return false;
    }
#endif
    oxi_queue_state *state = queue.state;
    if (state->tail - state->head == state->capacity || state->pending != 0) {
        if (!oxi_queue_grow_at(state, site)) {
            return false;
        }
    }
    size_t size = element & OXI_ELEMENT_SIZE_MASK;
    uint32_t tail = state->tail;
    state->tail = tail + 1;
    memcpy(state->ring + (size_t)(tail & (state->capacity - 1)) * size, value, size);
    return true;
}

// True when there is an element to pop. What jobs wrote comes behind what is in the ring: it can
// wait until that is gone.
static inline bool oxi_queue_has_next(ox_queue queue, ox_element element, bool tries,
                                      ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_queue_may_change_at(queue, element, site)) {
        return false;
    }
#endif
    (void)element;
    return queue.state->head != queue.state->tail ||
           oxi_queue_refill_at(queue.state, queue.access, tries, site);
}

// Removes the first element, which stays where it is until the next push.
static inline const void *oxi_queue_take(oxi_queue_state *state, ox_element element) {
    uint32_t head = state->head;
    state->head = head + 1;
    return state->ring + (size_t)(head & (state->capacity - 1)) * (element & OXI_ELEMENT_SIZE_MASK);
}

/// Removes the first element. @return where it is until the next push, or zeros after a report.
static inline const void *ox_queue_pop_at(ox_queue queue, ox_element element, ox_site site) {
    if (!oxi_queue_has_next(queue, element, false, site)) {
        return oxi_element_zeros();
    }
    return oxi_queue_take(queue.state, element);
}

/// Removes the first element and copies it to `value`. @return false, with `value` unchanged, when
/// there is none.
static inline bool ox_queue_try_pop_at(ox_queue queue, ox_element element, void *value,
                                       ox_site site) {
    if (!oxi_queue_has_next(queue, element, true, site)) {
        return false;
    }
    memcpy(value, oxi_queue_take(queue.state, element), element & OXI_ELEMENT_SIZE_MASK);
    return true;
}

/// Adds a value at the end; it comes last and may stand in braces: ox_queue_push(int, queue, 5).
/// @return false after a report: out of memory, and the queue is as before.
#define ox_queue_push(T, queue, ...)                                                               \
    ox_queue_push_at(queue, ox_element_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Removes the first element and gives its value: ox_queue_pop(int, queue). An empty queue is a
/// report, and gives zeros.
#define ox_queue_pop(T, queue) (*(const T *)ox_queue_pop_at(queue, ox_element_of(T), OX_HERE))

/// Removes the first element and writes it to `value`, a T *.
/// @return false when the queue is empty, with `value` unchanged.
#define ox_queue_try_pop(T, queue, value)                                                          \
    ox_queue_try_pop_at(queue, ox_element_of(T), OXI_POINTER(T, value), OX_HERE)

/// Adds `count` elements at the end, or none: ox_queue_push_many(int, queue, numbers, 3). They must
/// not stand in the queue. @return false after a report.
OX_API bool ox_queue_push_many_at(ox_queue queue, ox_element element, const void *values,
                                  int64_t count, ox_site site);
#define ox_queue_push_many(T, queue, values, count)                                                \
    ox_queue_push_many_at(queue, ox_element_of(T), OXI_POINTER(const T, values), (int64_t)(count), \
                          OX_HERE)

/// The address of the element at `index`, counted from the head: 0 is the one that leaves next.
/// @return zeros after a report.
OX_API const void *ox_queue_get_at(ox_queue queue, ox_element element, int64_t index, ox_site site);

/// The value of an element, counted from the head: ox_queue_read(int, queue, 0).
#define ox_queue_read(T, queue, index)                                                             \
    (*(const T *)ox_queue_get_at(queue, ox_element_of(T), (int64_t)(index), OX_HERE))

/// The value of the first element, which stays. An empty queue is a report, and gives zeros.
OX_API const void *ox_queue_peek_at(ox_queue queue, ox_element element, ox_site site);
#define ox_queue_peek(T, queue) (*(const T *)ox_queue_peek_at(queue, ox_element_of(T), OX_HERE))

/// Removes all elements, those included that jobs wrote, and keeps the memory.
OX_API void ox_queue_clear_at(ox_queue queue, ox_site site);
#define ox_queue_clear(queue) ox_queue_clear_at(queue, OX_HERE)

/// Makes room for `count` elements in all. Less than there is changes nothing.
/// @return false after a report.
OX_API bool ox_queue_reserve_at(ox_queue queue, int64_t count, ox_site site);
#define ox_queue_reserve(queue, count) ox_queue_reserve_at(queue, (int64_t)(count), OX_HERE)

/// An array with copies of all elements, the first to leave first. @return {0} after a report.
OX_API ox_array ox_queue_to_array_at(ox_queue queue, ox_allocator allocator, ox_site site);
#define ox_queue_to_array(queue, allocator) ox_queue_to_array_at(queue, allocator, OX_HERE)

/// A writer for parallel jobs, which may be copied into any number of them. Main only.
/// @return {0} after a report.
OX_API ox_queue_writer ox_queue_writer_of_at(ox_queue queue, ox_site site);
#define ox_queue_writer_of(queue) ox_queue_writer_of_at(queue, OX_HERE)

/// Room for one more element, in a job or on main: it counts as written, and the caller fills it at
/// once. @return NULL after a report.
OX_API void *oxi_queue_add_at(oxi_queue_state *state, ox_access access, ox_element element,
                              ox_site site);

/// Pushes a copy of `value`.
static inline bool ox_queue_write_at(ox_queue_writer writer, ox_element element, const void *value,
                                     ox_site site) {
    void *place = oxi_queue_add_at(writer.state, writer.access, element, site);
    if (place == NULL) {
        return false;
    }
    memcpy(place, value, element & OXI_ELEMENT_SIZE_MASK);
    return true;
}

/// Pushes a value, in a job or on main: ox_queue_write(int, job->found, i). In a job there is no
/// limit but memory; what was written is in the queue, in the order of jobs and their indices, when
/// the queue is used next. @return false after a report, with nothing written.
#define ox_queue_write(T, writer, ...)                                                             \
    ox_queue_write_at(writer, ox_element_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Schedules a job after `after` that takes over what jobs wrote, so that the next use need not.
/// Main only. @return that job, or OX_NO_JOB after a report.
OX_API ox_job ox_queue_merge_after_at(ox_queue queue, ox_job after, ox_site site);
#define ox_queue_merge_after(queue, after) ox_queue_merge_after_at(queue, after, OX_HERE)
