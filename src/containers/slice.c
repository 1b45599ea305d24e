// SPDX-License-Identifier: MIT
//
// Slices: parts of arrays and lists, and fields of their elements.
//
// Invariant: element k of a slice lies at data + k * stride, whole and aligned, inside of the
// memory of the container that the slice was cut from. A cut never leaves what it was cut from.

#include "oxbow/array.h"

#include "containers/handle.h"

ox_slice ox_slice_slice_at(ox_slice slice, int64_t start, int64_t count, ox_site site) {
    if (slice.data == NULL) {
        oxi_handle_missing(slice.access, "slice", site);
        return (ox_slice){0};
    }
    if (!oxi_extent_require(slice.access, "slice", (oxi_extent){start, count, slice.count}, site)) {
        return (ox_slice){0};
    }
    slice.data = (char *)slice.data + start * slice.stride;
    slice.count = (int32_t)count;
    // It lies inside of the batch, and its indices are not the job's any more.
    slice.access.flags &= ~(uint32_t)OX_ACCESS_BATCH;
    return slice;
}

ox_slice ox_array_slice_at(ox_array array, int64_t start, int64_t count, ox_site site) {
    ox_slice whole = {.data = array.data,
                      .access = array.access,
                      .count = array.count,
                      .stride = (int32_t)oxi_element_size(array.element),
                      .element = array.element};
    return ox_slice_slice_at(whole, start, count, site);
}

ox_slice oxi_array_as_slice_at(ox_array array, ox_site site) {
    return ox_array_slice_at(array, 0, array.count, site);
}

static bool refuse_stride(ox_slice slice, const char *why, size_t offset, ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_BAD_STRIDE, site, OXI_NAME("why", why),
                      OXI_NUMBER("size", oxi_element_size(slice.element)),
                      OXI_INTEGER("stride", slice.stride), OXI_NUMBER("offset", offset));
}

// True when elements of this alignment may lie at `data`, and from there on in steps of `stride`.
static bool is_aligned_slice(const void *data, size_t stride, uint32_t align) {
    return align != 0 && (uintptr_t)data % align == 0 && stride % align == 0;
}

// What is wrong with a field of the elements, or NULL.
static const char *find_field_fault(ox_slice slice, oxi_slice_field part) {
    size_t size = oxi_element_size(slice.element), part_size = oxi_element_size(part.part);
    if (part_size == 0 || part_size > part.size) {
        return "the field is smaller than the type that is named";
    }
    if (part.offset > size || part.size > size - part.offset) {
        return "the field is not inside of the element";
    }
    const char *data = (const char *)slice.data + part.offset;
    bool is_aligned = is_aligned_slice(data, (size_t)slice.stride, part.align);
    return is_aligned ? NULL : "the field is not aligned as its type";
}

ox_slice ox_slice_field_at(ox_slice slice, oxi_slice_field part, ox_site site) {
    if (slice.data == NULL) {
        oxi_handle_missing(slice.access, "slice", site);
        return (ox_slice){0};
    }
    if (!oxi_element_fits(slice.element, part.whole)) {
        oxi_element_mismatch(slice.element, part.whole, slice.access, "slice", site);
        return (ox_slice){0};
    }
    const char *fault = find_field_fault(slice, part);
    if (fault != NULL) {
        refuse_stride(slice, fault, part.offset, site);
        return (ox_slice){0};
    }
    slice.data = (char *)slice.data + part.offset;
    slice.element = part.part;
    return slice;
}

static bool has_no_gaps(ox_slice slice) {
    return (size_t)slice.stride == oxi_element_size(slice.element);
}

// What is wrong with a slice whose bytes are to be elements of another type, or NULL.
static const char *find_cast_fault(ox_slice slice, ox_element_info info) {
    size_t size = oxi_element_size(info.element);
    if (!has_no_gaps(slice)) {
        return "the slice has gaps between its elements";
    }
    if ((size_t)slice.count * (size_t)slice.stride % size != 0) {
        return "its bytes are no whole number of the new elements";
    }
    return is_aligned_slice(slice.data, size, info.align) ? NULL : "its start is not aligned";
}

ox_slice ox_slice_as_at(ox_slice slice, ox_element_info info, ox_site site) {
    // Indices of the new elements are not those of the batch: the whole slice must lie inside.
    ox_slice result = ox_slice_slice_at(slice, 0, slice.count, site);
    if (result.data == NULL || !oxi_element_require(info, "slice", site)) {
        return (ox_slice){0};
    }
    const char *fault = find_cast_fault(slice, info);
    if (fault != NULL) {
        refuse_stride(slice, fault, 0, site);
        return (ox_slice){0};
    }
    size_t size = oxi_element_size(info.element);
    int64_t count = (int64_t)((size_t)slice.count * (size_t)slice.stride / size);
    if (!oxi_length_require(count, info.element, "slice", site)) {
        return (ox_slice){0};
    }
    result.element = info.element;
    result.stride = (int32_t)size;
    result.count = (int32_t)count;
    return result;
}

static bool has_slice_elements(ox_slice slice, ox_element element, oxi_extent extent,
                               ox_site site) {
    if (slice.data == NULL) {
        return oxi_unassigned("slice", site);
    }
    if (!oxi_element_fits(slice.element, element)) {
        return oxi_element_mismatch(slice.element, element, slice.access, "slice", site);
    }
    return oxi_extent_require(slice.access, "slice", extent, site);
}

bool oxi_slice_may_read_at(ox_slice slice, ox_element element, int64_t first, int64_t count,
                           ox_site site) {
    oxi_extent extent = {first, count, slice.count};
    return OXI_ASK(slice.access, ox_access_may_read_at(slice.access, site)) &&
           has_slice_elements(slice, element, extent, site);
}

bool oxi_slice_may_write_at(ox_slice slice, ox_element element, int64_t first, int64_t count,
                            ox_site site) {
    oxi_extent extent = {first, count, slice.count};
    return OXI_ASK(slice.access, ox_access_may_write_at(slice.access, site)) &&
           has_slice_elements(slice, element, extent, site);
}

static bool require_no_gaps(ox_slice slice, ox_site site) {
    return has_no_gaps(slice) ||
           refuse_stride(slice, "the slice has gaps between its elements", 0, site);
}

const void *ox_slice_get_data_at(ox_slice slice, ox_element element, ox_site site) {
    bool is_usable =
        oxi_slice_may_read_at(slice, element, 0, 0, site) && require_no_gaps(slice, site);
    return is_usable ? slice.data : oxi_element_zeros();
}

void *ox_slice_edit_data_at(ox_slice slice, ox_element element, ox_site site) {
    bool is_usable =
        oxi_slice_may_write_at(slice, element, 0, 0, site) && require_no_gaps(slice, site);
    return is_usable ? slice.data : oxi_element_scratch();
}

// The bytes from the first to the end of the last element.
static size_t reach_of_slice(ox_slice slice) {
    return (size_t)(slice.count - 1) * (size_t)slice.stride + oxi_element_size(slice.element);
}

static bool do_slices_overlap(ox_slice a, ox_slice b) {
    uintptr_t a_begin = (uintptr_t)a.data, b_begin = (uintptr_t)b.data;
    return a_begin < b_begin + reach_of_slice(b) && b_begin < a_begin + reach_of_slice(a);
}

static void copy_forwards(ox_slice from, ox_slice to) {
    size_t size = oxi_element_size(from.element);
    for (int64_t k = 0; k < from.count; k++) {
        memmove((char *)to.data + k * to.stride, (char *)from.data + k * from.stride, size);
    }
}

static void copy_backwards(ox_slice from, ox_slice to) {
    size_t size = oxi_element_size(from.element);
    for (int64_t k = from.count - 1; k >= 0; k--) {
        memmove((char *)to.data + k * to.stride, (char *)from.data + k * from.stride, size);
    }
}

// Neither direction is right for two strides in one memory: the elements go through another block.
static bool copy_through_block(ox_slice from, ox_slice to, ox_site site) {
    ox_slice between = from;
    size_t size = oxi_element_size(from.element);
    between.stride = (int32_t)size;
    size_t bytes = (size_t)from.count * size;
    between.data = ox_memory_alloc_at(OX_PERSISTENT, bytes, _Alignof(max_align_t), site);
    if (between.data == NULL) {
        return false;
    }
    copy_forwards(from, between);
    copy_forwards(between, to);
    ox_memory_free_at(OX_PERSISTENT, between.data, bytes, _Alignof(max_align_t), site);
    return true;
}

static bool copy_elements(ox_slice from, ox_slice to, ox_site site) {
    if (from.count == 0) {
        return true;
    }
    if (has_no_gaps(from) && has_no_gaps(to)) {
        memmove(to.data, from.data, reach_of_slice(from));
        return true;
    }
    if (!do_slices_overlap(from, to)) {
        copy_forwards(from, to);
        return true;
    }
    if (from.stride != to.stride) {
        return copy_through_block(from, to, site);
    }
    ((uintptr_t)to.data > (uintptr_t)from.data ? copy_backwards : copy_forwards)(from, to);
    return true;
}

bool ox_slice_copy_from_at(ox_slice to, ox_slice from, ox_site site) {
    if (!oxi_slice_may_read_at(from, from.element, 0, from.count, site) ||
        !oxi_slice_may_write_at(to, from.element, 0, to.count, site)) {
        return false;
    }
    if (!OXI_REQUIRE(from.count == to.count, NULL, OX_REPORT_LENGTHS_DIFFER, site,
                     OXI_INTEGER("source", from.count), OXI_INTEGER("target", to.count))) {
        return false;
    }
    return copy_elements(from, to, site);
}
