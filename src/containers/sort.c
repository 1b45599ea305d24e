// SPDX-License-Identifier: MIT
//
// Sorting here and now: checks, memory, and which algorithm.
//
// Memory is taken before the first element moves, so a call that fails has changed nothing. Numbers
// in natural order cannot fail: without memory they are sorted in place.

#include "oxbow/list.h"

#include "base/heap.h"
#include "containers/order.h"
#include "containers/sort_items.h"

bool oxi_sort_require(oxi_sort_items *items, ox_compare_fn *compare, void *context, ox_site site) {
    ox_element_info info = {NULL, items->element, 1};
    return oxi_element_require(info, "sort", site) &&
           OXI_REQUIRE(oxi_order_make(&items->order, items->element, compare, context), NULL,
                       OX_REPORT_NULL_ARGUMENT, site, OXI_NAME("argument", "compare"),
                       OXI_NAME("function", "sort, of elements that are not numbers"));
}

void oxi_sort_numbers(void *data, size_t count, ox_element element, void *spare) {
    oxi_keys_make(data, count, element);
    oxi_keys_sort(data, count, oxi_element_size(element), spare);
    oxi_keys_undo(data, count, element);
}

// Memory makes it faster, and is not needed.
static void sort_numbers_now(const oxi_sort_items *items) {
    size_t size = items->order.size, bytes = items->count * size;
    bool is_wanted = oxi_keys_want_spare(items->count, size);
    void *spare = is_wanted ? oxi_heap_alloc(bytes, size) : NULL;
    oxi_sort_numbers(items->data, items->count, items->element, spare);
    if (spare != NULL) {
        oxi_heap_free(spare, bytes, size);
    }
}

static bool sort_now(const oxi_sort_items *items, bool is_stable, ox_site site) {
    const oxi_order *order = &items->order;
    size_t half = items->count / 2, align = oxi_align_for(order->size);
    if (order->compare == NULL) {
        sort_numbers_now(items);
        return true;
    }
    if (!is_stable || half == 0) {
        oxi_sort_quick(items->data, items->count, order);
        return true;
    }
    void *spare = ox_memory_alloc_array_at(OX_TEMP_JOB, half, order->size, align, site);
    if (spare == NULL) {
        return false;
    }
    oxi_sort_merge(items->data, items->count, spare, order);
    ox_memory_free_at(OX_TEMP_JOB, spare, half * order->size, align, site);
    return true;
}

static bool require_plain(const void *data, int64_t count, ox_element element, ox_site site) {
    return oxi_length_require(count, element, "sort", site) &&
           (count == 0 || OXI_REQUIRE_ARGUMENT(data, "ox_sort", site));
}

bool ox_sort_at(void *data, int64_t count, ox_element element, ox_compare_fn *compare,
                void *context, ox_site site) {
    oxi_sort_items items = {.data = data, .count = (size_t)count, .element = element};
    return oxi_sort_require(&items, compare, context, site) &&
           require_plain(data, count, element, site) && sort_now(&items, false, site);
}

bool ox_sort_stable_at(void *data, int64_t count, ox_element element, ox_compare_fn *compare,
                       void *context, ox_site site) {
    oxi_sort_items items = {.data = data, .count = (size_t)count, .element = element};
    return oxi_sort_require(&items, compare, context, site) &&
           require_plain(data, count, element, site) && sort_now(&items, true, site);
}

static bool read_array(oxi_sort_items *items, ox_array array, ox_element element, ox_site site) {
    *items = (oxi_sort_items){.data = array.data, .count = (size_t)array.count, .element = element};
    return oxi_array_may_write_at(array, element, 0, array.count, site);
}

bool ox_array_sort_at(ox_array array, ox_element element, ox_compare_fn *compare, void *context,
                      ox_site site) {
    oxi_sort_items items;
    return read_array(&items, array, element, site) &&
           oxi_sort_require(&items, compare, context, site) && sort_now(&items, false, site);
}

bool ox_array_sort_stable_at(ox_array array, ox_element element, ox_compare_fn *compare,
                             void *context, ox_site site) {
    oxi_sort_items items;
    return read_array(&items, array, element, site) &&
           oxi_sort_require(&items, compare, context, site) && sort_now(&items, true, site);
}

// The first question settles what jobs wrote: only then the length is known.
bool oxi_sort_read_list(oxi_sort_items *items, ox_list list, ox_site site) {
    if (!oxi_list_may_write_at(list, items->element, 0, 0, site) ||
        !oxi_list_may_write_at(list, items->element, 0, list.state->count, site)) {
        return false;
    }
    items->data = list.state->data;
    items->count = (size_t)list.state->count;
    return true;
}

bool ox_list_sort_at(ox_list list, ox_element element, ox_compare_fn *compare, void *context,
                     ox_site site) {
    oxi_sort_items items = {.element = element};
    return oxi_sort_read_list(&items, list, site) &&
           oxi_sort_require(&items, compare, context, site) && sort_now(&items, false, site);
}

bool ox_list_sort_stable_at(ox_list list, ox_element element, ox_compare_fn *compare, void *context,
                            ox_site site) {
    oxi_sort_items items = {.element = element};
    return oxi_sort_read_list(&items, list, site) &&
           oxi_sort_require(&items, compare, context, site) && sort_now(&items, true, site);
}
