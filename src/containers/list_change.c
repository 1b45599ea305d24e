// SPDX-License-Identifier: MIT
//
// Adding to lists and removing from them.
//
// Each call first asks whether the list may change its length, and settles it. Values that are
// added may stand in the list itself: the old block lives until they are copied.

#include "containers/list_state.h"

static bool require_list_element(ox_list list, ox_element element, ox_site site) {
    return oxi_element_fits(list.state->element, element) ||
           oxi_element_mismatch(list.state->element, element, list.access, "list", site);
}

static bool require_not_empty(ox_list list, ox_site site) {
    if (list.state->count > 0) {
        return true;
    }
    ox_access_info info = oxi_container_info(list.access, "list");
    return OXI_REPORT(NULL, OX_REPORT_EMPTY, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created));
}

static bool grow_list(oxi_list_state *state, int64_t count, ox_site site) {
    if (count <= state->capacity) {
        return true;
    }
    int64_t capacity = oxi_list_next_capacity(state, count, site);
    return capacity != 0 && oxi_list_move(state, capacity, site);
}

bool oxi_list_grow_at(oxi_list_state *state, ox_access access, ox_element element, ox_site site) {
    ox_list list = {.state = state, .access = access};
    return oxi_list_may_resize(list, site) && require_list_element(list, element, site) &&
           grow_list(state, (int64_t)state->count + 1, site);
}

bool ox_list_resize_at(ox_list list, ox_element element, int64_t count, ox_site site) {
    if (!oxi_list_may_resize(list, site) || !require_list_element(list, element, site)) {
        return false;
    }
    oxi_list_state *state = list.state;
    if (!oxi_length_require(count, state->element, "list", site) ||
        !grow_list(state, count, site)) {
        return false;
    }
    if (count > state->count) {
        memset(oxi_list_place(state, state->count), 0, oxi_list_bytes(state, count - state->count));
    }
    state->count = (int32_t)count;
    return true;
}

bool ox_list_clear_at(ox_list list, ox_site site) {
    if (!oxi_list_may_resize(list, site)) {
        return false;
    }
    list.state->count = 0;
    return true;
}

// Inserts into a new block: the values may stand in the old one.
static bool insert_into_new_block(oxi_list_state *state, ox_values values, int64_t index,
                                  ox_site site) {
    int64_t capacity = oxi_list_next_capacity(state, state->count + values.count, site);
    char *data = capacity != 0 ? oxi_list_alloc(state, capacity, site) : NULL;
    if (data == NULL) {
        return false;
    }
    size_t before = oxi_list_bytes(state, index), inside = oxi_list_bytes(state, values.count);
    memcpy(data, state->data, before);
    memcpy(data + before, values.from, inside);
    memcpy(data + before + inside, oxi_list_place(state, index),
           oxi_list_bytes(state, state->count - index));
    oxi_list_adopt(state, data, capacity, site);
    return true;
}

// Inserts where there is room. Values that stand in the part that moves away are followed; those
// that stand across the gap are two pieces.
static void insert_into_gap(oxi_list_state *state, ox_values values, int64_t index) {
    char *gap = oxi_list_place(state, index), *end = oxi_list_place(state, state->count);
    size_t size = oxi_list_bytes(state, values.count);
    memmove(gap + size, gap, (size_t)(end - gap));
    const char *from = values.from;
    uintptr_t at = (uintptr_t)from;
    size_t before = size;
    if (at >= (uintptr_t)gap && at < (uintptr_t)end) {
        before = 0;
    } else if (at < (uintptr_t)gap && at + size > (uintptr_t)gap) {
        before = (uintptr_t)gap - at;
    }
    memcpy(gap, from, before);
    memcpy(gap + before, from + before + (before < size ? size : 0), size - before);
}

static bool insert_values(oxi_list_state *state, ox_values values, int64_t index, ox_site site) {
    if (values.count > state->capacity - state->count) {
        if (!insert_into_new_block(state, values, index, site)) {
            return false;
        }
    } else {
        insert_into_gap(state, values, index);
    }
    state->count += (int32_t)values.count;
    return true;
}

static bool require_values(ox_list list, ox_values values, ox_site site) {
    if (!require_list_element(list, values.element, site) ||
        !oxi_length_require(values.count, values.element, "list", site)) {
        return false;
    }
    return values.count == 0 || OXI_REQUIRE_ARGUMENT(values.from, "ox_list_push_many", site);
}

bool ox_list_insert_at(ox_list list, int64_t index, ox_values values, ox_site site) {
    if (!oxi_list_may_resize(list, site) || !require_values(list, values, site)) {
        return false;
    }
    oxi_extent extent = {index, 0, list.state->count};
    if (!oxi_extent_require(list.access, "list", extent, site)) {
        return false;
    }
    return values.count == 0 || insert_values(list.state, values, index, site);
}

bool ox_list_push_many_at(ox_list list, ox_values values, ox_site site) {
    if (!oxi_list_may_resize(list, site) || !require_values(list, values, site)) {
        return false;
    }
    return values.count == 0 || insert_values(list.state, values, list.state->count, site);
}

bool ox_list_remove_range_at(ox_list list, int64_t first, int64_t count, ox_site site) {
    if (!oxi_list_may_resize(list, site)) {
        return false;
    }
    oxi_list_state *state = list.state;
    if (!oxi_extent_require(list.access, "list", (oxi_extent){first, count, state->count}, site)) {
        return false;
    }
    memmove(oxi_list_place(state, first), oxi_list_place(state, first + count),
            oxi_list_bytes(state, state->count - first - count));
    state->count -= (int32_t)count;
    return true;
}

bool ox_list_remove_swap_at(ox_list list, int64_t index, ox_site site) {
    if (!oxi_list_may_resize(list, site)) {
        return false;
    }
    oxi_list_state *state = list.state;
    if (!oxi_extent_require(list.access, "list", (oxi_extent){index, 1, state->count}, site)) {
        return false;
    }
    state->count--;
    if (index != state->count) {
        memcpy(oxi_list_place(state, index), oxi_list_place(state, state->count),
               oxi_list_bytes(state, 1));
    }
    return true;
}

const void *ox_list_pop_at(ox_list list, ox_element element, ox_site site) {
    if (!oxi_list_may_resize(list, site) || !require_list_element(list, element, site) ||
        !require_not_empty(list, site)) {
        return oxi_element_zeros();
    }
    list.state->count--;
    return oxi_list_place(list.state, list.state->count);
}

bool ox_list_try_pop_at(ox_list list, ox_element element, void *value, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(value, "ox_list_try_pop", site) || !oxi_list_may_resize(list, site) ||
        !require_list_element(list, element, site) || list.state->count == 0) {
        return false;
    }
    list.state->count--;
    memcpy(value, oxi_list_place(list.state, list.state->count), oxi_list_bytes(list.state, 1));
    return true;
}

const void *ox_list_peek_at(ox_list list, ox_element element, ox_site site) {
    if (!oxi_list_may_count_at(list, site) || !require_list_element(list, element, site) ||
        !require_not_empty(list, site)) {
        return oxi_element_zeros();
    }
    int64_t last = list.state->count - 1;
    oxi_extent extent = {last, 1, list.state->count};
    return oxi_extent_require(list.access, "list", extent, site) ? oxi_list_place(list.state, last)
                                                                 : oxi_element_zeros();
}
