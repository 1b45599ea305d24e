// SPDX-License-Identifier: MIT
//
// Arrays.
//
// The memory of an array is one block: a gap of a cache line, or of the alignment of the elements
// when that is more, and then the elements. The end of the gap says how to free the block, so a
// handle needs no more than the address of its first element.
//
// Invariant: `data` of an array that owns its memory has an array_block in front of it. A view has
// none: its access is marked, and it is never freed.

#include "oxbow/array.h"

#include "containers/handle.h"

enum { ARRAY_ALIGN = 64 };

typedef struct array_block {
    void *begin;
    size_t size;
    uint32_t align;
    ox_allocator allocator;
} array_block;

static array_block *block_of_array(void *data) {
    return (array_block *)data - 1;
}

static void *alloc_array(ox_element_info info, int64_t count, ox_allocator allocator,
                         ox_site site) {
    uint32_t align = info.align > ARRAY_ALIGN ? info.align : ARRAY_ALIGN;
    size_t size = align + (size_t)count * oxi_element_size(info.element);
    char *begin = ox_memory_alloc_at(allocator, size, align, site);
    if (begin == NULL) {
        return NULL;
    }
    char *data = begin + align;
    *block_of_array(data) = (array_block){begin, size, align, allocator};
    return data;
}

static void free_array(void *data, ox_site site) {
    array_block block = *block_of_array(data);
    ox_memory_free_at(block.allocator, block.begin, block.size, block.align, site);
}

ox_array ox_array_create_uninitialized_at(ox_element_info info, int64_t count,
                                          ox_allocator allocator, ox_site site) {
    if (!oxi_element_require(info, "array", site) ||
        !oxi_length_require(count, info.element, "array", site)) {
        return (ox_array){0};
    }
    ox_array array = {.count = (int32_t)count, .element = info.element};
    array.data = alloc_array(info, count, allocator, site);
    if (array.data == NULL) {
        return (ox_array){0};
    }
    ox_access_def def = {.kind = "array", .allocator = allocator};
    if (!oxi_access_make(&array.access, &def, block_of_array(array.data)->begin, site)) {
        free_array(array.data, site);
        return (ox_array){0};
    }
    return array;
}

static size_t size_of_array(ox_array array) {
    return (size_t)array.count * oxi_element_size(array.element);
}

ox_array ox_array_create_at(ox_element_info info, int64_t count, ox_allocator allocator,
                            ox_site site) {
    ox_array array = ox_array_create_uninitialized_at(info, count, allocator, site);
    if (array.data != NULL) {
        memset(array.data, 0, size_of_array(array));
    }
    return array;
}

ox_array ox_array_create_copy_at(ox_element_info info, const void *from, int64_t count,
                                 ox_allocator allocator, ox_site site) {
    if (count > 0 && !OXI_REQUIRE_ARGUMENT(from, "ox_array_create_copy_untyped", site)) {
        return (ox_array){0};
    }
    ox_array array = ox_array_create_uninitialized_at(info, count, allocator, site);
    if (array.count > 0) {
        memcpy(array.data, from, size_of_array(array));
    }
    return array;
}

ox_job ox_array_dispose_at(ox_array *array, ox_job after, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(array, "ox_dispose", site) ||
        !oxi_dispose_require(array->access, array->data, "array", after, site)) {
        return OX_NO_JOB;
    }
    oxi_release release = {free_array, array->data, block_of_array(array->data)->allocator};
    ox_job job = OX_NO_JOB;
    if (oxi_dispose(array->access, &release, after, &job, site)) {
        array->data = NULL;
    }
    return job;
}

static bool has_array_elements(ox_array array, ox_element element, oxi_extent extent,
                               ox_site site) {
    if (array.data == NULL) {
        return oxi_unassigned("array", site);
    }
    if (!oxi_element_fits(array.element, element)) {
        return oxi_element_mismatch(array.element, element, array.access, "array", site);
    }
    return oxi_extent_require(array.access, "array", extent, site);
}

bool oxi_array_may_read_at(ox_array array, ox_element element, int64_t first, int64_t count,
                           ox_site site) {
    oxi_extent extent = {first, count, array.count};
    return OXI_ASK(array.access, ox_access_may_read_at(array.access, site)) &&
           has_array_elements(array, element, extent, site);
}

bool oxi_array_may_write_at(ox_array array, ox_element element, int64_t first, int64_t count,
                            ox_site site) {
    oxi_extent extent = {first, count, array.count};
    return OXI_ASK(array.access, ox_access_may_write_at(array.access, site)) &&
           has_array_elements(array, element, extent, site);
}

bool ox_array_copy_from_at(ox_array to, ox_array from, ox_site site) {
    if (!oxi_array_may_read_at(from, from.element, 0, from.count, site) ||
        !oxi_array_may_write_at(to, from.element, 0, to.count, site)) {
        return false;
    }
    if (!OXI_REQUIRE(from.count == to.count, NULL, OX_REPORT_LENGTHS_DIFFER, site,
                     OXI_INTEGER("source", from.count), OXI_INTEGER("target", to.count))) {
        return false;
    }
    memmove(to.data, from.data, size_of_array(from));
    return true;
}

bool ox_array_fill_at(ox_array array, ox_element element, const void *value, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(value, "ox_array_fill", site) ||
        !oxi_array_may_write_at(array, element, 0, array.count, site)) {
        return false;
    }
    size_t size = size_of_array(array), filled = oxi_element_size(array.element);
    if (size == 0) {
        return true;
    }
    char *data = array.data;
    memmove(data, value, filled); // the value may be the first element itself
    while (filled < size) {
        size_t part = filled < size - filled ? filled : size - filled;
        memcpy(data + filled, data, part);
        filled += part;
    }
    return true;
}

bool ox_array_equals_at(ox_array a, ox_array b, ox_site site) {
    return oxi_array_may_read_at(a, a.element, 0, a.count, site) &&
           oxi_array_may_read_at(b, a.element, 0, b.count, site) && a.count == b.count &&
           memcmp(a.data, b.data, size_of_array(a)) == 0;
}

ox_job ox_combine_array_at(ox_array jobs, ox_site site) {
    if (!oxi_array_may_read_at(jobs, ox_element_of(ox_job), 0, jobs.count, site)) {
        return OX_NO_JOB;
    }
    return ox_combine_at(jobs.data, jobs.count, site);
}

void ox_complete_array_at(ox_array jobs, ox_site site) {
    if (oxi_array_may_read_at(jobs, ox_element_of(ox_job), 0, jobs.count, site)) {
        ox_complete_at(jobs.data, jobs.count, site);
    }
}
