// SPDX-License-Identifier: MIT
//
// Buffers as the program sees them: handles, elements, length and capacity.
//
// A handle holds the address of a head, which is right until rows may move: it counts the changes
// of its world and compares. A view does so with the generation of the head and its count: what
// makes elements go or move counts up the generation, so no two states have both.

#include "entities/buffer_access.h"

#include "entities/kinds.h"
#include "entities/sync.h"
#include "storage/buffers.h"
#include "types/kinds.h"

#include <stdio.h>
#include <string.h>

enum {
    LEAST_OUTSIDE = 4, // elements of the first block of a buffer that has none inline
    ELEMENT_TEXT_SIZE = 48,
};

// Handles.

static const ox_world *world_of_kind(const oxi_buffer_kind *kind) {
    return (const ox_world *)(const void *)kind->store;
}
_Static_assert(offsetof(ox_world, store) == 0, "a store is the beginning of its world");

bool oxi_buffers_may_get_at(ox_buffers buffers, int64_t row, ox_site site) {
    return OXI_REQUIRE(row >= 0 && row < buffers.oxi_count,
                       &world_of_kind(buffers.oxi_first.oxi_kind)->sink, OX_REPORT_OUT_OF_BOUNDS,
                       site, OXI_INTEGER("index", row), OXI_NAME("kind", "chunk"),
                       OXI_NAME("container", ""), OXI_INTEGER("count", buffers.oxi_count));
}

static const char *name_of_buffer(ox_buffer buffer) {
    return ox_component_get_info(buffer.oxi_kind->component)->name;
}

// Checks.

OXI_NOINLINE static bool report_buffer_ended(ox_buffer buffer, ox_site site) {
    const ox_world *world = buffer.oxi_world;
    return OXI_REPORT(&world->sink, OX_REPORT_BUFFER_ENDED, site,
                      OXI_NAME("component", name_of_buffer(buffer)), OXI_NAME("world", world->name),
                      OXI_SITE("changed", world->store.changed_at));
}

// True for a handle that can be used here and now; else reports.
static bool require_buffer(ox_buffer buffer, const char *function, ox_site site) {
    if (!OXI_REQUIRE(buffer.oxi_head != NULL, NULL, OX_REPORT_NULL_ARGUMENT, site,
                     OXI_NAME("argument", "buffer"), OXI_NAME("function", function))) {
        return false;
    }
    const ox_world *world = buffer.oxi_world;
    return world == NULL ||
           (oxi_world_enter(world, function, site) &&
            (buffer.oxi_born == oxi_buffer_now(world) || report_buffer_ended(buffer, site)));
}

// The same for one whose elements may be written.
static bool require_written(ox_buffer buffer, const char *function, ox_site site) {
    return require_buffer(buffer, function, site) &&
           OXI_REQUIRE(buffer.oxi_write_size != 0, &world_of_kind(buffer.oxi_kind)->sink,
                       OX_REPORT_BUFFER_READ_ONLY, site, OXI_NAME("function", function),
                       OXI_NAME("component", name_of_buffer(buffer)),
                       OXI_NAME("world", world_of_kind(buffer.oxi_kind)->name));
}

// Any type of the size of an element will do.
static bool require_size(ox_buffer buffer, size_t size, ox_site site) {
    if (size == buffer.oxi_size) {
        return true;
    }
    char stored[ELEMENT_TEXT_SIZE], asked[ELEMENT_TEXT_SIZE];
    snprintf(stored, sizeof stored, "elements of %u bytes", (unsigned)buffer.oxi_size);
    snprintf(asked, sizeof asked, "elements of %zu bytes", size);
    return OXI_REPORT(&world_of_kind(buffer.oxi_kind)->sink, OX_REPORT_ELEMENT_MISMATCH, site,
                      OXI_NAME("kind", "buffer"), OXI_NAME("container", name_of_buffer(buffer)),
                      OXI_NAME("stored", stored), OXI_NAME("asked", asked));
}

// Elements that exist. An end that no number can hold is outside too.
static bool require_elements(ox_buffer buffer, int64_t first, int64_t count, ox_site site) {
    int64_t length = buffer.oxi_head->count;
    if (first >= 0 && count >= 0 && first <= length && count <= length - first) {
        return true;
    }
    int64_t index = first;
    if (first >= 0 && first < length && count > 0) {
        index = count > INT64_MAX - first ? INT64_MAX : first + count - 1;
    }
    return OXI_REPORT(&world_of_kind(buffer.oxi_kind)->sink, OX_REPORT_OUT_OF_BOUNDS, site,
                      OXI_INTEGER("index", index), OXI_NAME("kind", "buffer"),
                      OXI_NAME("container", name_of_buffer(buffer)), OXI_INTEGER("count", length));
}

static bool require_length(ox_buffer buffer, int64_t count, ox_site site) {
    return OXI_REQUIRE(count >= 0 && count <= INT32_MAX, &world_of_kind(buffer.oxi_kind)->sink,
                       OX_REPORT_BAD_LENGTH, site, OXI_INTEGER("count", count),
                       OXI_NAME("kind", "buffer"), OXI_INTEGER("most", INT32_MAX));
}

static bool report_no_room(ox_buffer buffer, int64_t capacity, ox_site site) {
    const ox_world *world = world_of_kind(buffer.oxi_kind);
    return OXI_REPORT(&world->sink, OX_REPORT_OUT_OF_MEMORY, site,
                      OXI_NUMBER("bytes", (uint64_t)capacity * buffer.oxi_size),
                      OXI_NAME("allocator", world->name));
}

bool oxi_buffer_may_count_at(ox_buffer buffer, ox_site site) {
    return require_buffer(buffer, "ox_buffer_count", site);
}

bool oxi_buffer_may_read_at(ox_buffer buffer, size_t size, int64_t first, int64_t count,
                            ox_site site) {
    return require_buffer(buffer, "ox_buffer_get", site) && require_size(buffer, size, site) &&
           require_elements(buffer, first, count, site);
}

bool oxi_buffer_may_write_at(ox_buffer buffer, size_t size, int64_t first, int64_t count,
                             ox_site site) {
    return require_written(buffer, "ox_buffer_edit", site) && require_size(buffer, size, site) &&
           require_elements(buffer, first, count, site);
}

static char *element_at(ox_buffer buffer, int64_t index) {
    OXI_ASSERT(index <= oxi_buffer_capacity(buffer.oxi_kind, buffer.oxi_head));
    return oxi_buffer_data(buffer.oxi_kind, buffer.oxi_head) + index * (int64_t)buffer.oxi_size;
}

static void set_length(ox_buffer buffer, int64_t count) {
    OXI_ASSERT(count >= 0);
    OXI_ASSERT(count <= oxi_buffer_capacity(buffer.oxi_kind, buffer.oxi_head));
    if (buffer.oxi_head->count != (uint32_t)count) {
        buffer.oxi_head->count = (uint32_t)count;
        buffer.oxi_head->generation++;
    }
}

int32_t ox_buffer_capacity_at(ox_buffer buffer, ox_site site) {
    return require_buffer(buffer, "ox_buffer_capacity", site)
               ? (int32_t)oxi_buffer_capacity(buffer.oxi_kind, buffer.oxi_head)
               : 0;
}

// Adding.

static bool change_capacity(ox_buffer buffer, int64_t capacity, ox_site site) {
    return oxi_buffer_set_capacity(buffer.oxi_kind, buffer.oxi_head, (uint32_t)capacity) ||
           report_no_room(buffer, capacity, site);
}

// The capacity that a buffer grows to when it must hold `count` elements.
static uint32_t next_buffer_capacity(ox_buffer buffer, int64_t count) {
    int64_t capacity = 2 * (int64_t)oxi_buffer_capacity(buffer.oxi_kind, buffer.oxi_head);
    capacity = capacity > LEAST_OUTSIDE ? capacity : LEAST_OUTSIDE;
    capacity = capacity > count ? capacity : count;
    return (uint32_t)(capacity < INT32_MAX ? capacity : INT32_MAX);
}

// Inserts into a new block: the values may stand in the old one. @return false after a report.
static bool insert_outside(ox_buffer buffer, int64_t index, ox_buffer_values values, ox_site site) {
    oxi_buffer_head *head = buffer.oxi_head;
    uint32_t capacity = next_buffer_capacity(buffer, head->count + values.count);
    OXI_ASSERT(capacity >= head->count + values.count);
    OXI_ASSERT(index <= head->count);
    char *block = oxi_buffer_block_take(buffer.oxi_kind, capacity);
    if (block == NULL) {
        return report_no_room(buffer, capacity, site);
    }
    size_t before = (size_t)index * values.size, inside = (size_t)values.count * values.size;
    memcpy(block, element_at(buffer, 0), before);
    memcpy(block + before, values.from, inside);
    memcpy(block + before + inside, element_at(buffer, index),
           (head->count - (size_t)index) * values.size);
    oxi_buffer_free(buffer.oxi_kind, head);
    head->outside = block;
    return true;
}

// Inserts where there is room. Values that stand behind the gap have moved with what is there, and
// those that stand across it are two pieces.
static void insert_in_place(ox_buffer buffer, int64_t index, ox_buffer_values values) {
    char *gap = element_at(buffer, index), *end = element_at(buffer, buffer.oxi_head->count);
    size_t size = (size_t)values.count * values.size, before = size;
    uintptr_t from = (uintptr_t)values.from;
    OXI_ASSERT(gap <= end);
    memmove(gap + size, gap, (size_t)(end - gap));
    if (from < (uintptr_t)end && from + size > (uintptr_t)gap) {
        before = from < (uintptr_t)gap ? (uintptr_t)gap - from : 0;
    }
    memcpy(gap, values.from, before);
    if (before < size) {
        memcpy(gap + before, (const char *)values.from + size + before, size - before);
    }
}

// Both forms of adding, once the handle is known to be good.
static bool insert_values_at(ox_buffer buffer, int64_t index, ox_buffer_values values,
                             ox_site site) {
    if (!require_size(buffer, values.size, site) || !require_elements(buffer, index, 0, site) ||
        !require_length(buffer, values.count, site) ||
        !require_length(buffer, buffer.oxi_head->count + values.count, site)) {
        return false;
    }
    if (values.count == 0) {
        return true;
    }
    if (!OXI_REQUIRE_ARGUMENT(values.from, "ox_buffer_push_many", site)) {
        return false;
    }
    int64_t count = buffer.oxi_head->count + values.count;
    if (count <= oxi_buffer_capacity(buffer.oxi_kind, buffer.oxi_head)) {
        insert_in_place(buffer, index, values);
    } else if (!insert_outside(buffer, index, values, site)) {
        return false;
    }
    set_length(buffer, count);
    return true;
}

bool ox_buffer_insert_at(ox_buffer buffer, int64_t index, ox_buffer_values values, ox_site site) {
    return require_written(buffer, "ox_buffer_insert", site) &&
           insert_values_at(buffer, index, values, site);
}

bool ox_buffer_push_many_at(ox_buffer buffer, ox_buffer_values values, ox_site site) {
    return require_written(buffer, "ox_buffer_push", site) &&
           insert_values_at(buffer, buffer.oxi_head->count, values, site);
}

bool oxi_buffer_grow_at(oxi_buffer_head *head, const oxi_buffer_kind *kind, bool writes,
                        size_t size, ox_site site) {
    ox_buffer buffer = head != NULL ? oxi_buffer_make(kind, head, writes) : (ox_buffer){0};
    return require_written(buffer, "ox_buffer_push", site) && require_size(buffer, size, site) &&
           require_length(buffer, (int64_t)head->count + 1, site) &&
           change_capacity(buffer, next_buffer_capacity(buffer, (int64_t)head->count + 1), site);
}

// Removing.

bool ox_buffer_remove_range_at(ox_buffer buffer, int64_t first, int64_t count, ox_site site) {
    if (!require_written(buffer, "ox_buffer_remove", site) ||
        !require_elements(buffer, first, count, site)) {
        return false;
    }
    int64_t length = buffer.oxi_head->count;
    memmove(element_at(buffer, first), element_at(buffer, first + count),
            (size_t)(length - first - count) * buffer.oxi_size);
    set_length(buffer, length - count);
    return true;
}

bool ox_buffer_remove_range_swap_at(ox_buffer buffer, int64_t first, int64_t count, ox_site site) {
    if (!require_written(buffer, "ox_buffer_remove_swap", site) ||
        !require_elements(buffer, first, count, site)) {
        return false;
    }
    int64_t length = buffer.oxi_head->count;
    int64_t behind = length - first - count;
    int64_t moved = behind < count ? behind : count;
    memmove(element_at(buffer, first), element_at(buffer, length - moved),
            (size_t)moved * buffer.oxi_size);
    set_length(buffer, length - count);
    return true;
}

static bool require_last(ox_buffer buffer, size_t size, ox_site site) {
    if (!require_size(buffer, size, site)) {
        return false;
    }
    if (buffer.oxi_head->count > 0) {
        return true;
    }
    const ox_component_info *info = ox_component_get_info(buffer.oxi_kind->component);
    return OXI_REPORT(&world_of_kind(buffer.oxi_kind)->sink, OX_REPORT_EMPTY, site,
                      OXI_NAME("kind", "buffer"), OXI_NAME("container", info->name),
                      OXI_SITE("created", info->site));
}

const void *ox_buffer_pop_at(ox_buffer buffer, size_t size, ox_site site) {
    if (!require_written(buffer, "ox_buffer_pop", site) || !require_last(buffer, size, site)) {
        return oxi_element_zeros();
    }
    set_length(buffer, (int64_t)buffer.oxi_head->count - 1);
    return element_at(buffer, buffer.oxi_head->count); // what it held stays until the next push
}

const void *ox_buffer_peek_at(ox_buffer buffer, size_t size, ox_site site) {
    if (!require_buffer(buffer, "ox_buffer_peek", site) || !require_last(buffer, size, site)) {
        return oxi_element_zeros();
    }
    return element_at(buffer, (int64_t)buffer.oxi_head->count - 1);
}

bool ox_buffer_clear_at(ox_buffer buffer, ox_site site) {
    if (!require_written(buffer, "ox_buffer_clear", site)) {
        return false;
    }
    set_length(buffer, 0);
    return true;
}

// Length and capacity.

bool ox_buffer_resize_at(ox_buffer buffer, int64_t count, ox_site site) {
    if (!require_written(buffer, "ox_buffer_resize", site) ||
        !require_length(buffer, count, site)) {
        return false;
    }
    int64_t length = buffer.oxi_head->count;
    if (count > oxi_buffer_capacity(buffer.oxi_kind, buffer.oxi_head) &&
        !change_capacity(buffer, next_buffer_capacity(buffer, count), site)) {
        return false;
    }
    if (count > length) {
        memset(element_at(buffer, length), 0, (size_t)(count - length) * buffer.oxi_size);
    }
    set_length(buffer, count);
    return true;
}

bool ox_buffer_reserve_at(ox_buffer buffer, int64_t capacity, ox_site site) {
    return require_written(buffer, "ox_buffer_reserve", site) &&
           require_length(buffer, capacity, site) &&
           (capacity <= oxi_buffer_capacity(buffer.oxi_kind, buffer.oxi_head) ||
            change_capacity(buffer, capacity, site));
}

bool ox_buffer_set_capacity_at(ox_buffer buffer, int64_t capacity, ox_site site) {
    return require_written(buffer, "ox_buffer_set_capacity", site) &&
           require_length(buffer, capacity, site) &&
           OXI_REQUIRE(capacity >= buffer.oxi_head->count, &world_of_kind(buffer.oxi_kind)->sink,
                       OX_REPORT_CAPACITY_BELOW_COUNT, site, OXI_INTEGER("capacity", capacity),
                       OXI_NAME("kind", "buffer"), OXI_NAME("container", name_of_buffer(buffer)),
                       OXI_INTEGER("count", buffer.oxi_head->count)) &&
           change_capacity(buffer, capacity, site);
}

bool ox_buffer_trim_at(ox_buffer buffer, ox_site site) {
    return require_written(buffer, "ox_buffer_trim", site) &&
           change_capacity(buffer, buffer.oxi_head->count, site);
}

// Views.

ox_buffer_view ox_buffer_view_create_at(ox_buffer buffer, ox_site site) {
    if (!require_buffer(buffer, "ox_buffer_view_create", site)) {
        return (ox_buffer_view){0};
    }
    const oxi_buffer_head *head = buffer.oxi_head;
    return (ox_buffer_view){buffer, element_at(buffer, 0), (int32_t)head->count, head->generation};
}

static bool require_same_length(const ox_buffer_view *view, ox_site site) {
    ox_buffer buffer = view->oxi_buffer;
    return OXI_REQUIRE(view->oxi_generation == buffer.oxi_head->generation &&
                           (uint32_t)view->count == buffer.oxi_head->count,
                       &world_of_kind(buffer.oxi_kind)->sink, OX_REPORT_BUFFER_VIEW_ENDED, site,
                       OXI_NAME("component", name_of_buffer(buffer)),
                       OXI_INTEGER("before", view->count),
                       OXI_NUMBER("count", buffer.oxi_head->count));
}

bool oxi_buffer_view_may_at(const ox_buffer_view *view, size_t size, int64_t index, bool writes,
                            ox_site site) {
    ox_buffer buffer = view->oxi_buffer;
    return (writes ? require_written(buffer, "ox_buffer_view_edit", site)
                   : require_buffer(buffer, "ox_buffer_view_get", site)) &&
           require_same_length(view, site) && require_size(buffer, size, site) &&
           require_elements(buffer, index, 1, site);
}
