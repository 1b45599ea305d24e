// SPDX-License-Identifier: MIT
//
// Lists: their memory, their length, and who may use them.
//
// Invariant: 0 <= count <= capacity, 1 <= capacity, and `data` has room for `capacity` elements.
// `limit` is the capacity, or 0 while segments hold what jobs wrote: so that adding one element
// needs a single comparison. Room for all that is pending is there, behind the last element.

#include "containers/list_state.h"

#include "base/bits.h"

enum { LIST_LINE = 64 };

static uint32_t align_of_list(const oxi_list_state *state) {
    return state->align > LIST_LINE ? state->align : LIST_LINE;
}

void *oxi_list_alloc(const oxi_list_state *state, int64_t capacity, ox_site site) {
    return ox_memory_alloc_at(state->allocator, oxi_list_bytes(state, capacity),
                              align_of_list(state), site);
}

static void free_list_data(const oxi_list_state *state, ox_site site) {
    ox_memory_free_at(state->allocator, state->data, oxi_list_bytes(state, state->capacity),
                      align_of_list(state), site);
}

static void free_list(void *memory, ox_site site) {
    oxi_list_whole *whole = memory;
    ox_allocator allocator = whole->state.allocator;
    oxi_segments_destroy(whole->segments, site);
    free_list_data(&whole->state, site);
    ox_memory_free_at(allocator, whole, sizeof *whole, _Alignof(oxi_list_whole), site);
}

static oxi_list_whole *alloc_list(ox_element_info info, int64_t capacity, ox_allocator allocator,
                                  ox_site site) {
    oxi_list_whole *whole =
        ox_memory_alloc_at(allocator, sizeof *whole, _Alignof(oxi_list_whole), site);
    if (whole == NULL) {
        return NULL;
    }
    *whole = (oxi_list_whole){.lock = OXI_MUTEX_INIT};
    whole->state = (oxi_list_state){.capacity = (int32_t)capacity,
                                    .limit = (uint32_t)capacity,
                                    .element = info.element,
                                    .align = info.align,
                                    .allocator = allocator};
    whole->state.data = oxi_list_alloc(&whole->state, capacity, site);
    if (whole->state.data == NULL) {
        ox_memory_free_at(allocator, whole, sizeof *whole, _Alignof(oxi_list_whole), site);
        return NULL;
    }
    return whole;
}

ox_list ox_list_create_at(ox_element_info info, int64_t capacity, ox_allocator allocator,
                          ox_site site) {
    if (!oxi_element_require(info, "list", site) ||
        !oxi_length_require(capacity, info.element, "list", site)) {
        return (ox_list){0};
    }
    oxi_list_whole *whole = alloc_list(info, capacity > 0 ? capacity : 1, allocator, site);
    if (whole == NULL) {
        return (ox_list){0};
    }
    ox_list list = {.state = &whole->state};
    ox_access_def def = {.kind = "list", .allocator = allocator};
    if (!oxi_access_make(&list.access, &def, whole, site)) {
        free_list(whole, site);
        return (ox_list){0};
    }
    return list;
}

ox_job ox_list_dispose_at(ox_list *list, ox_job after, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(list, "ox_dispose", site) ||
        !oxi_dispose_require(list->access, list->state, "list", after, site)) {
        return OX_NO_JOB;
    }
    oxi_release release = {free_list, list->state, list->state->allocator};
    ox_job job = OX_NO_JOB;
    if (oxi_dispose(list->access, &release, after, &job, site)) {
        list->state = NULL;
    }
    return job;
}

static bool is_list_ready(ox_list list, ox_site site) {
    return list.state != NULL ? oxi_list_is_ready(list, site) : oxi_unassigned("list", site);
}

bool oxi_list_may_resize(ox_list list, ox_site site) {
    return OXI_ASK(list.access, ox_access_may_resize_at(list.access, site)) &&
           is_list_ready(list, site);
}

bool oxi_list_may_count_at(ox_list list, ox_site site) {
    return OXI_ASK(list.access, ox_access_may_read_at(list.access, site)) &&
           is_list_ready(list, site);
}

static bool has_list_elements(ox_list list, ox_element element, int64_t first, int64_t count,
                              ox_site site) {
    if (!oxi_element_fits(list.state->element, element)) {
        return oxi_element_mismatch(list.state->element, element, list.access, "list", site);
    }
    oxi_extent extent = {first, count, list.state->count};
    return oxi_extent_require(list.access, "list", extent, site);
}

bool oxi_list_may_read_at(ox_list list, ox_element element, int64_t first, int64_t count,
                          ox_site site) {
    return oxi_list_may_count_at(list, site) &&
           has_list_elements(list, element, first, count, site);
}

bool oxi_list_may_write_at(ox_list list, ox_element element, int64_t first, int64_t count,
                           ox_site site) {
    return OXI_ASK(list.access, ox_access_may_write_at(list.access, site)) &&
           is_list_ready(list, site) && has_list_elements(list, element, first, count, site);
}

void oxi_list_adopt(oxi_list_state *state, void *data, int64_t capacity, ox_site site) {
    free_list_data(state, site);
    state->data = data;
    state->capacity = (int32_t)capacity;
    oxi_store_release(oxi_list_limit(state), (uint32_t)capacity);
}

bool oxi_list_move(oxi_list_state *state, int64_t capacity, ox_site site) {
    void *data = oxi_list_alloc(state, capacity, site);
    if (data == NULL) {
        return false;
    }
    memcpy(data, state->data, oxi_list_bytes(state, state->count));
    oxi_list_adopt(state, data, capacity, site);
    return true;
}

static int64_t next_power_of_two(uint64_t number) {
    return number <= 1 ? 1 : (int64_t)1 << (oxi_bits_highest(number - 1) + 1);
}

int64_t oxi_list_next_capacity(const oxi_list_state *state, int64_t count, ox_site site) {
    if (!oxi_length_require(count, state->element, "list", site)) {
        return 0;
    }
    size_t size = oxi_element_size(state->element);
    int64_t least = next_power_of_two((LIST_LINE + size - 1) / size);
    int64_t capacity = next_power_of_two((uint64_t)count);
    capacity = capacity > least ? capacity : least;
    // The longest list of all is no power of two.
    return capacity <= INT32_MAX ? capacity : INT32_MAX;
}

bool ox_list_reserve_at(ox_list list, int64_t capacity, ox_site site) {
    if (!oxi_list_may_resize(list, site) ||
        !oxi_length_require(capacity, list.state->element, "list", site)) {
        return false;
    }
    return capacity <= list.state->capacity ||
           oxi_list_move(list.state, oxi_list_next_capacity(list.state, capacity, site), site);
}

bool ox_list_set_capacity_at(ox_list list, int64_t capacity, ox_site site) {
    if (!oxi_list_may_resize(list, site) ||
        !oxi_length_require(capacity, list.state->element, "list", site)) {
        return false;
    }
    if (capacity < list.state->count) {
        ox_access_info info = oxi_container_info(list.access, "list");
        return OXI_REPORT(NULL, OX_REPORT_CAPACITY_BELOW_COUNT, site,
                          OXI_INTEGER("capacity", capacity), OXI_NAME("kind", info.kind),
                          OXI_NAME("container", info.name),
                          OXI_INTEGER("count", list.state->count));
    }
    capacity = capacity > 0 ? capacity : 1;
    return capacity == list.state->capacity || oxi_list_move(list.state, capacity, site);
}

bool ox_list_trim_at(ox_list list, ox_site site) {
    return oxi_list_may_resize(list, site) &&
           ox_list_set_capacity_at(list, list.state->count, site);
}

ox_array ox_list_as_array_at(ox_list list, ox_site site) {
    ox_access view;
    if (list.state == NULL) {
        oxi_handle_missing(list.access, "list", site);
        return (ox_array){0};
    }
    if (!ox_access_create_view_at(list.access, &view, site) || !oxi_list_is_ready(list, site)) {
        return (ox_array){0};
    }
    return (ox_array){.data = list.state->data,
                      .access = view,
                      .count = list.state->count,
                      .element = list.state->element};
}

ox_array ox_list_to_array_at(ox_list list, ox_allocator allocator, ox_site site) {
    if (!oxi_list_may_count_at(list, site)) {
        return (ox_array){0};
    }
    const oxi_list_state *state = list.state;
    ox_element_info info = {NULL, state->element, state->align};
    return ox_array_create_copy_at(info, state->data, state->count, allocator, site);
}
