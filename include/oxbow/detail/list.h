// SPDX-License-Identifier: MIT
//
// Private: the inline code of lists, queues and streams.

#pragma once

#include "oxbow/list.h"

/// What all copies of a handle share. Private: the fields are here for speed.
typedef struct oxi_list_state {
    void *data;
    int32_t count;
    int32_t capacity; ///< at least 1
    uint32_t limit;   ///< the capacity, or 0 while writes of jobs are pending. Atomic.
    ox_element element;
    uint32_t align; ///< of an element
    ox_allocator allocator;
} oxi_list_state;

static inline ox_values oxi_values_of(ox_element element, const void *from, int64_t count) {
    ox_values values = {from, count, element};
    return values;
}

/// Returns true if `count` elements from `first` on may be read. Else reports, as with arrays.
OX_API bool oxi_list_may_read_at(ox_list list, ox_element element, int64_t first, int64_t count,
                                 ox_site site);

/// The same for writing.
OX_API bool oxi_list_may_write_at(ox_list list, ox_element element, int64_t first, int64_t count,
                                  ox_site site);

/// Returns true if the length may be read. Also false if pending writes cannot be merged.
OX_API bool oxi_list_may_count_at(ox_list list, ox_site site);

/// Acquire: pairs with the release at the end of a merge, so that all elements are visible.
static inline uint32_t oxi_list_get_limit(const oxi_list_state *state) {
    return OXI_LOAD_ACQUIRE(&state->limit);
}

/// Merges pending writes, without checks. @return false after a report.
OX_API bool oxi_list_take_over_at(oxi_list_state *state, ox_site site);

/// Returns true if the list may be read: no writes are pending, or they were merged.
static inline bool oxi_list_is_ready(ox_list list, ox_site site) {
    return oxi_list_get_limit(list.state) != 0 || oxi_list_take_over_at(list.state, site);
}

static inline int32_t ox_list_count_at(ox_list list, ox_site site) {
#if OX_SAFETY >= 1
    return oxi_list_may_count_at(list, site) ? list.state->count : 0;
#else
    return oxi_list_is_ready(list, site) ? list.state->count : 0;
#endif
}

static inline int32_t ox_list_capacity_at(ox_list list, ox_site site) {
#if OX_SAFETY >= 1
    return oxi_list_may_count_at(list, site) ? list.state->capacity : 0;
#else
    (void)site;
    return list.state->capacity;
#endif
}

/// Grows the list by one element, and merges pending writes. Does all checks of a push; without an
/// access, only those that need none. @return false after a report.
OX_API bool oxi_list_grow_at(oxi_list_state *state, ox_access access, ox_element element,
                             ox_site site);

static inline bool ox_list_push_at(ox_list list, ox_element element, const void *value,
                                   ox_site site) {
    oxi_list_state *state = list.state;
#if OX_SAFETY >= 1
    if (!oxi_list_grow_at(state, list.access, element, site)) {
        return false;
    }
    uint32_t count = (uint32_t)state->count;
#else
    // The access is not passed on: a copy in each iteration of a loop would cost more than the push
    // itself.
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

static inline const void *ox_list_get_at(ox_list list, int64_t first, int64_t count,
                                         ox_element element, ox_site site) {
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

static inline void *ox_list_edit_at(ox_list list, int64_t first, int64_t count, ox_element element,
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

static inline const void *ox_list_get_range_at(ox_list list, int64_t begin, int64_t end,
                                               ox_element element, ox_site site) {
    return ox_list_get_at(list, begin, oxi_range_length(begin, end), element, site);
}

static inline void *ox_list_edit_range_at(ox_list list, int64_t begin, int64_t end,
                                          ox_element element, ox_site site) {
    return ox_list_edit_at(list, begin, oxi_range_length(begin, end), element, site);
}

static inline void ox_list_set_at(ox_list list, int64_t index, ox_element element,
                                  const void *value, ox_site site) {
    memcpy(ox_list_edit_at(list, index, 1, element, site), value, element & OXI_ELEMENT_SIZE_MASK);
}

/// What all copies of a handle share: a ring of 2^n elements. Private: the fields are here for
/// speed.
typedef struct oxi_queue_state {
    char *ring;
    uint32_t head;     ///< counts pops, and wraps; the element is at head & (capacity - 1)
    uint32_t tail;     ///< counts pushes
    uint32_t capacity; ///< 0 or a power of two
    uint32_t pending;  ///< not 0: writes of jobs are not in the ring yet
    ox_element element;
    uint32_t align;
    ox_allocator allocator;
} oxi_queue_state;

/// Returns true if the queue may be changed and has elements of this type. Else reports.
OX_API bool oxi_queue_may_change_at(ox_queue queue, ox_element element, ox_site site);

/// Merges what jobs wrote, and grows the ring by one element.
/// @return false after a report, with nothing changed.
OX_API bool oxi_queue_grow_at(oxi_queue_state *state, ox_site site);

/// Merges what jobs wrote. @return true if there is an element to pop. Reports an empty queue,
/// unless `tries`.
OX_API bool oxi_queue_refill_at(oxi_queue_state *state, ox_access access, bool tries, ox_site site);

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

// Returns true if there is an element to pop. Writes of jobs follow the elements of the ring, so
// they are merged when the ring is empty.
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

// Removes the first element. Its memory is valid until the next push.
static inline const void *oxi_queue_take(oxi_queue_state *state, ox_element element) {
    uint32_t head = state->head;
    state->head = head + 1;
    return state->ring + (size_t)(head & (state->capacity - 1)) * (element & OXI_ELEMENT_SIZE_MASK);
}

static inline const void *ox_queue_pop_at(ox_queue queue, ox_element element, ox_site site) {
    if (!oxi_queue_has_next(queue, element, false, site)) {
        return oxi_element_zeros();
    }
    return oxi_queue_take(queue.state, element);
}

static inline bool ox_queue_try_pop_at(ox_queue queue, ox_element element, void *value,
                                       ox_site site) {
    if (!oxi_queue_has_next(queue, element, true, site)) {
        return false;
    }
    memcpy(value, oxi_queue_take(queue.state, element), element & OXI_ELEMENT_SIZE_MASK);
    return true;
}

/// Adds an element, in a job or on main, and returns its memory, which the caller fills at once.
/// @return NULL after a report.
OX_API void *oxi_queue_add_at(oxi_queue_state *state, ox_access access, ox_element element,
                              ox_site site);

static inline bool ox_queue_write_at(ox_queue_writer writer, ox_element element, const void *value,
                                     ox_site site) {
    void *place = oxi_queue_add_at(writer.state, writer.access, element, site);
    if (place == NULL) {
        return false;
    }
    memcpy(place, value, element & OXI_ELEMENT_SIZE_MASK);
    return true;
}

/// What all copies of a handle share. Private: the fields are here for speed.
typedef struct oxi_stream_state {
    char *data;       ///< for each value its ox_element, and its bytes padded to a multiple of 4
    size_t size;      ///< in bytes
    size_t capacity;  ///< in bytes
    uint64_t count;   ///< of values
    uint32_t version; ///< changes with each change of the stream
    uint32_t pending; ///< not 0: writes of jobs are not in `data` yet
    ox_allocator allocator;
} oxi_stream_state;

/// Adds a value, in a job or on main, and returns its memory, which the caller fills at once. It is
/// not aligned. @return NULL after a report.
OX_API void *oxi_stream_add_at(oxi_stream_state *state, ox_access access, ox_element_info info,
                               ox_site site);

static inline bool ox_stream_write_at(ox_stream_writer writer, ox_element_info info,
                                      const void *value, ox_site site) {
    void *place = oxi_stream_add_at(writer.state, writer.access, info, site);
    if (place == NULL) {
        return false;
    }
    memcpy(place, value, info.element & OXI_ELEMENT_SIZE_MASK);
    return true;
}

/// Returns true if the next value may be read as this type. Else reports: the end, another type, or
/// a stream that changed since the reader was created.
OX_API bool oxi_stream_may_peek_at(const ox_stream_reader *reader, ox_element element,
                                   ox_site site);

/// The same before advancing. After a report the reader is after the value of another type, or at
/// the end, so that every loop ends.
OX_API bool oxi_stream_may_next_at(ox_stream_reader *reader, ox_element element, ox_site site);

static inline void *ox_stream_reader_peek_at(const ox_stream_reader *reader, ox_element element,
                                             void *value, ox_site site) {
    size_t size = element & OXI_ELEMENT_SIZE_MASK;
    if ((OX_SAFETY >= 1 || reader->at == reader->end) &&
        !oxi_stream_may_peek_at(reader, element, site)) {
        return memset(value, 0, size);
    }
    return memcpy(value, reader->at + sizeof element, size);
}

static inline void *ox_stream_reader_next_at(ox_stream_reader *reader, ox_element element,
                                             void *value, ox_site site) {
    size_t size = element & OXI_ELEMENT_SIZE_MASK;
    if ((OX_SAFETY >= 1 || reader->at == reader->end) &&
        !oxi_stream_may_next_at(reader, element, site)) {
        return memset(value, 0, size);
    }
    memcpy(value, reader->at + sizeof element, size);
    reader->at += sizeof element + ((size + 3) & ~(size_t)3);
    return value;
}

#ifdef __cplusplus
template <class T, class F>
inline T oxi_stream_value(F function, ox_stream_reader *reader, ox_site site) {
    T value = T();
    function(reader, ox_element_of(T), &value, site);
    return value;
}
#define OXI_STREAM_VALUE(T, function, reader) (oxi_stream_value<T>(function, reader, OX_HERE))
#else
#define OXI_STREAM_VALUE(T, function, reader)                                                      \
    (*(T *)function(reader, ox_element_of(T), (T[1]){0}, OX_HERE))
#endif

// Loops: OX_EACH of containers.h.

OXI_INLINE oxi_items oxi_list_each(ox_list list, oxi_type_pair types, bool edits, ox_site site) {
    int64_t size = (int64_t)(types.item & OXI_ELEMENT_SIZE_MASK);
    int64_t count = ox_list_count_at(list, site);
#if OX_SAFETY >= 1
    if (edits ? !oxi_list_may_write_at(list, types.item, 0, count, site)
              : !oxi_list_may_read_at(list, types.item, 0, count, site)) {
        return oxi_items_of(NULL, 0, size);
    }
#endif
    (void)edits;
    return oxi_items_of(list.state->data, count, size);
}

/// The position of a loop over a queue.
typedef struct oxi_queue_items {
    ox_queue queue;
    ox_element element;
    int32_t index;
    int32_t count;
} oxi_queue_items;

OXI_INLINE oxi_queue_items oxi_queue_each(ox_queue queue, oxi_type_pair types, bool edits,
                                          ox_site site) {
    (void)edits;
    oxi_queue_items items = {queue, types.item, 0, ox_queue_count_at(queue, site)};
    return items;
}

OXI_INLINE bool oxi_queue_items_next(oxi_queue_items *items, void *pointer, ox_site site) {
    if (items->index == items->count) {
        return false;
    }
    const void *at = ox_queue_get_at(items->queue, items->index, items->element, site);
    items->index++;
    memcpy(pointer, &at, sizeof at);
    return true;
}
