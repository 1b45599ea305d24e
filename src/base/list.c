// SPDX-License-Identifier: MIT
//
// The core of growable arrays, for items of any size.
//
// Capacity at least doubles when it grows, so that n pushes copy fewer than 2n items. There is no
// reallocation in the heap: growing allocates, copies and frees, and a refusal leaves the list as
// it was.
//
// Invariant: count <= capacity, and items is a block of capacity * size bytes, or NULL when the
// capacity is 0.

#include "base/list.h"

static void store_list(void *list, oxi_list_untyped untyped) {
    OXI_ASSERT(untyped.count <= untyped.capacity);
    OXI_ASSERT((untyped.items != NULL) == (untyped.capacity > 0));
    memcpy(list, &untyped, sizeof untyped);
}

static char *list_item(oxi_list_untyped untyped, oxi_list_layout layout, size_t index) {
    return (char *)untyped.items + index * layout.size;
}

// The capacity to grow to for `count` items, or 0 when no block can hold them.
static size_t choose_list_capacity(size_t capacity, size_t size, size_t count) {
    size_t most = (SIZE_MAX / 2) / size;
    if (count > most) {
        return 0;
    }
    size_t doubled = capacity > most / 2 ? most : capacity * 2;
    // A first block of one cache line saves the smallest steps.
    size_t least = size < 64 / 4 ? 64 / size : 4;
    size_t chosen = doubled > least ? doubled : least;
    return chosen > count ? chosen : count;
}

bool oxi_list_reserve_at(const oxi_hooks *heap, void *list, oxi_list_layout layout, size_t count,
                         ox_site where) {
    oxi_list_untyped untyped = oxi_list_load(list);
    if (count <= untyped.capacity) {
        return true;
    }

    size_t capacity = choose_list_capacity(untyped.capacity, layout.size, count);
    size_t size = capacity * layout.size;
    void *items = size > 0 ? oxi_heap_alloc_in_at(heap, size, layout.align, where) : NULL;
    if (items == NULL) {
        return false;
    }

    if (untyped.count > 0) {
        memcpy(items, untyped.items, untyped.count * layout.size);
    }
    oxi_heap_free_in(heap, untyped.items, untyped.capacity * layout.size, layout.align);
    store_list(list, (oxi_list_untyped){items, untyped.count, capacity});
    return true;
}

bool oxi_list_append_at(const oxi_hooks *heap, void *list, oxi_list_layout layout, const void *from,
                        size_t item_count, ox_site where) {
    if (!oxi_list_make_room_at(heap, list, layout, item_count, where)) {
        return false;
    }
    oxi_list_untyped untyped = oxi_list_load(list);
    if (item_count > 0) {
        memcpy(list_item(untyped, layout, untyped.count), from, item_count * layout.size);
    }
    untyped.count += item_count;
    store_list(list, untyped);
    return true;
}

bool oxi_list_open_gap_at(const oxi_hooks *heap, void *list, oxi_list_layout layout, size_t index,
                          ox_site where) {
    OXI_ASSERT(index <= oxi_list_load(list).count);
    if (!oxi_list_make_room_at(heap, list, layout, 1, where)) {
        return false;
    }
    oxi_list_untyped untyped = oxi_list_load(list);
    memmove(list_item(untyped, layout, index + 1), list_item(untyped, layout, index),
            (untyped.count - index) * layout.size);
    untyped.count++;
    store_list(list, untyped);
    return true;
}

bool oxi_list_resize_at(const oxi_hooks *heap, void *list, oxi_list_layout layout,
                        size_t item_count, ox_site where) {
    if (!oxi_list_reserve_at(heap, list, layout, item_count, where)) {
        return false;
    }
    oxi_list_untyped untyped = oxi_list_load(list);
    if (item_count > untyped.count) {
        memset(list_item(untyped, layout, untyped.count), 0,
               (item_count - untyped.count) * layout.size);
    }
    untyped.count = item_count;
    store_list(list, untyped);
    return true;
}

void oxi_list_close_gap(void *list, oxi_list_layout layout, size_t index) {
    oxi_list_untyped untyped = oxi_list_load(list);
    OXI_ASSERT(index < untyped.count);
    untyped.count--;
    memmove(list_item(untyped, layout, index), list_item(untyped, layout, index + 1),
            (untyped.count - index) * layout.size);
    store_list(list, untyped);
}

void oxi_list_fill_with_last(void *list, oxi_list_layout layout, size_t index) {
    oxi_list_untyped untyped = oxi_list_load(list);
    OXI_ASSERT(index < untyped.count);
    untyped.count--;
    if (index != untyped.count) {
        memcpy(list_item(untyped, layout, index), list_item(untyped, layout, untyped.count),
               layout.size);
    }
    store_list(list, untyped);
}

void oxi_list_free_untyped(const oxi_hooks *heap, void *list, oxi_list_layout layout) {
    oxi_list_untyped untyped = oxi_list_load(list);
    oxi_heap_free_in(heap, untyped.items, untyped.capacity * layout.size, layout.align);
    store_list(list, (oxi_list_untyped){0});
}
