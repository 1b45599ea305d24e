// SPDX-License-Identifier: MIT
//
// A growable array of one type, on the heap of the library, or on that of an allocator.
//
//     OXI_LIST(ox_entity) found = {0};
//     if (!oxi_list_push(&found, entity)) { ... }
//     for (size_t k = 0; k < found.count; k++) { use(found.items[k]); }
//     oxi_list_free(&found);
//
// {0} is an empty list and owns nothing. Read `items` and `count` freely. What grows a list may
// move its items, and returns false when out of memory: then the list is as before. Each macro is
// one call to an untyped function and a plain assignment; `list` is evaluated more than once,
// `value` once. One thread at a time may use a list.
//
// A list of a thing with an allocator of its own grows with the forms that end in `_in` and name
// that allocator's functions, always the same, and is freed with oxi_list_free_in.

#pragma once

#include "base/check.h"
#include "base/heap.h"

#include <string.h>

#define OXI_LIST(T)                                                                                \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/// Makes room for `count` items in all. @return false when out of memory.
#define oxi_list_reserve(list, count) oxi_list_reserve_in(NULL, list, count)
#define oxi_list_reserve_in(heap, list, count)                                                     \
    oxi_list_reserve_at(heap, list, OXI_LIST_LAYOUT(list), count, OX_HERE)

/// Adds a value at the end. @return false when out of memory.
#define oxi_list_push(list, ...) oxi_list_push_in(NULL, list, __VA_ARGS__)
#define oxi_list_push_in(heap, list, ...)                                                          \
    (oxi_list_make_room_at(heap, list, OXI_LIST_LAYOUT(list), 1, OX_HERE) &&                       \
     ((list)->items[(list)->count++] = (__VA_ARGS__), true))

/// Adds copies of `item_count` items, which must not stand in the list, at the end.
/// @return false when out of memory.
#define oxi_list_append(list, from, item_count) oxi_list_append_in(NULL, list, from, item_count)
#define oxi_list_append_in(heap, list, from, item_count)                                           \
    oxi_list_append_at(heap, list, OXI_LIST_LAYOUT(list),                                          \
                       (__typeof__(*(list)->items) const *){from}, item_count, OX_HERE)

/// Puts a value before the item at `index`, which may be the count. The order of the others stays.
/// `index` is evaluated twice. @return false when out of memory.
#define oxi_list_insert(list, index, ...)                                                          \
    (oxi_list_open_gap_at(NULL, list, OXI_LIST_LAYOUT(list), index, OX_HERE) &&                    \
     ((list)->items[index] = (__VA_ARGS__), true))

/// Makes the list `item_count` items long. Added items are zero. @return false when out of memory.
#define oxi_list_resize(list, item_count) oxi_list_resize_in(NULL, list, item_count)
#define oxi_list_resize_in(heap, list, item_count)                                                 \
    oxi_list_resize_at(heap, list, OXI_LIST_LAYOUT(list), item_count, OX_HERE)

/// Removes the last item and returns it. The list must not be empty.
#define oxi_list_pop(list) ((list)->items[oxi_list_shorten(list)])

/// The last item, as a place that may be written. The list must not be empty.
#define oxi_list_last(list) ((list)->items[oxi_list_last_index(list)])

/// Removes the item at `index`. The order of the others stays.
#define oxi_list_remove(list, index) oxi_list_close_gap(list, OXI_LIST_LAYOUT(list), index)

/// Removes the item at `index` and puts the last one in its place.
#define oxi_list_remove_swap(list, index)                                                          \
    oxi_list_fill_with_last(list, OXI_LIST_LAYOUT(list), index)

/// Removes all items and keeps the memory.
#define oxi_list_clear(list) ((void)((list)->count = 0))

/// Frees the memory. The list is {0} afterwards.
#define oxi_list_free(list)          oxi_list_free_in(NULL, list)
#define oxi_list_free_in(heap, list) oxi_list_free_untyped(heap, list, OXI_LIST_LAYOUT(list))

// The untyped core. `list` points to an OXI_LIST. It is read and written as bytes: a list of one
// type and this one of void are different types to the compiler.

typedef OXI_LIST(void) oxi_list_untyped;

/// Size and alignment of an item. Two words, so that it travels in registers.
typedef struct oxi_list_layout {
    size_t size;
    size_t align;
} oxi_list_layout;

#define OXI_LIST_LAYOUT(list)                                                                      \
    ((oxi_list_layout){sizeof(*(list)->items), __alignof__(__typeof__(*(list)->items))})

bool oxi_list_reserve_at(const oxi_hooks *heap, void *list, oxi_list_layout layout, size_t count,
                         ox_site where);
bool oxi_list_append_at(const oxi_hooks *heap, void *list, oxi_list_layout layout, const void *from,
                        size_t item_count, ox_site where);
bool oxi_list_open_gap_at(const oxi_hooks *heap, void *list, oxi_list_layout layout, size_t index,
                          ox_site where);
bool oxi_list_resize_at(const oxi_hooks *heap, void *list, oxi_list_layout layout,
                        size_t item_count, ox_site where);
void oxi_list_close_gap(void *list, oxi_list_layout layout, size_t index);
void oxi_list_fill_with_last(void *list, oxi_list_layout layout, size_t index);
void oxi_list_free_untyped(const oxi_hooks *heap, void *list, oxi_list_layout layout);

static inline oxi_list_untyped oxi_list_load(const void *list) {
    oxi_list_untyped untyped;
    memcpy(&untyped, list, sizeof untyped);
    return untyped;
}

/// Makes room for `extra` items more. Fast when there is room already.
static inline bool oxi_list_make_room_at(const oxi_hooks *heap, void *list, oxi_list_layout layout,
                                         size_t extra, ox_site where) {
    oxi_list_untyped untyped = oxi_list_load(list);
    if (extra <= untyped.capacity - untyped.count) {
        return true;
    }
    return extra <= SIZE_MAX - untyped.count &&
           oxi_list_reserve_at(heap, list, layout, untyped.count + extra, where);
}

static inline size_t oxi_list_last_index(const void *list) {
    size_t count = oxi_list_load(list).count;
    OXI_ASSERT(count > 0);
    return count - 1;
}

/// Takes one off the count and returns it.
static inline size_t oxi_list_shorten(void *list) {
    size_t count = oxi_list_last_index(list);
    memcpy((char *)list + offsetof(oxi_list_untyped, count), &count, sizeof count);
    return count;
}
