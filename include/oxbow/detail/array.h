// SPDX-License-Identifier: MIT
//
// Private: the inline code of arrays, slices, bits and sums.

#pragma once

#include "oxbow/array.h"

/// Returns end - begin, or a negative number if there is no such range.
static inline int64_t oxi_range_length(int64_t begin, int64_t end) {
    return end < begin ? -1 : (int64_t)((uint64_t)end - (uint64_t)begin);
}

/// Returns true if `count` elements from `first` on may be read. One call checks everything: the
/// access, the type, and that they are inside the array, and inside the batch of a parallel job.
/// Else reports.
OX_API bool oxi_array_may_read_at(ox_array array, ox_element element, int64_t first, int64_t count,
                                  ox_site site);

/// The same for writing.
OX_API bool oxi_array_may_write_at(ox_array array, ox_element element, int64_t first, int64_t count,
                                   ox_site site);

static inline const void *ox_array_get_at(ox_array array, int64_t first, int64_t count,
                                          ox_element element, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_array_may_read_at(array, element, first, count, site)) {
        return oxi_element_zeros();
    }
#endif
    (void)count;
    (void)site;
    return (const char *)array.data + first * (int64_t)(element & OXI_ELEMENT_SIZE_MASK);
}

static inline void *ox_array_edit_at(ox_array array, int64_t first, int64_t count,
                                     ox_element element, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_array_may_write_at(array, element, first, count, site)) {
        return oxi_element_scratch();
    }
#endif
    (void)count;
    (void)site;
    return (char *)array.data + first * (int64_t)(element & OXI_ELEMENT_SIZE_MASK);
}

static inline const void *ox_array_get_range_at(ox_array array, int64_t begin, int64_t end,
                                                ox_element element, ox_site site) {
    return ox_array_get_at(array, begin, oxi_range_length(begin, end), element, site);
}

static inline void *ox_array_edit_range_at(ox_array array, int64_t begin, int64_t end,
                                           ox_element element, ox_site site) {
    return ox_array_edit_at(array, begin, oxi_range_length(begin, end), element, site);
}

static inline void ox_array_set_at(ox_array array, int64_t index, ox_element element,
                                   const void *value, ox_site site) {
    memcpy(ox_array_edit_at(array, index, 1, element, site), value,
           element & OXI_ELEMENT_SIZE_MASK);
}

/// Returns all of an array as a slice.
OX_API ox_slice oxi_array_as_slice_at(ox_array array, ox_site site);

/// Returns true if `count` elements from `first` on may be read. Else reports, as with arrays.
OX_API bool oxi_slice_may_read_at(ox_slice slice, ox_element element, int64_t first, int64_t count,
                                  ox_site site);

/// The same for writing.
OX_API bool oxi_slice_may_write_at(ox_slice slice, ox_element element, int64_t first, int64_t count,
                                   ox_site site);

static inline const void *ox_slice_get_at(ox_slice slice, int64_t index, ox_element element,
                                          ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_slice_may_read_at(slice, element, index, 1, site)) {
        return oxi_element_zeros();
    }
#endif
    (void)element;
    (void)site;
    return (const char *)slice.data + index * slice.stride;
}

static inline void *ox_slice_edit_at(ox_slice slice, int64_t index, ox_element element,
                                     ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_slice_may_write_at(slice, element, index, 1, site)) {
        return oxi_element_scratch();
    }
#endif
    (void)element;
    (void)site;
    return (char *)slice.data + index * slice.stride;
}

static inline void ox_slice_set_at(ox_slice slice, int64_t index, ox_element element,
                                   const void *value, ox_site site) {
    memcpy(ox_slice_edit_at(slice, index, element, site), value, element & OXI_ELEMENT_SIZE_MASK);
}

/// What all copies of a handle share. Private: the fields are here for speed.
typedef struct oxi_bits_state {
    uint64_t *words; ///< bit k is bit k % 64 of word k / 64; those past the count are 0
    int32_t count;
    int32_t word_capacity; ///< at least 1
    ox_allocator allocator;
} oxi_bits_state;

/// Returns true if `count` bits from `first` on may be read. One call checks everything: the
/// access, that the bits exist, and that their words are inside the batch of a parallel job. Else
/// reports.
OX_API bool oxi_bits_may_read_at(ox_bits bits, int64_t first, int64_t count, ox_site site);

/// The same for writing.
OX_API bool oxi_bits_may_write_at(ox_bits bits, int64_t first, int64_t count, ox_site site);

static inline int32_t ox_bits_count_at(ox_bits bits, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_bits_may_read_at(bits, 0, 0, site)) {
        return 0;
    }
#endif
    (void)site;
    return bits.state->count;
}

static inline bool ox_bits_is_set_at(ox_bits bits, int64_t index, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_bits_may_read_at(bits, index, 1, site)) {
        return false;
    }
#endif
    (void)site;
    return (bits.state->words[(uint64_t)index / 64] >> ((uint64_t)index % 64) & 1) != 0;
}

static inline void ox_bits_set_at(ox_bits bits, int64_t index, bool value, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_bits_may_write_at(bits, index, 1, site)) {
        return;
    }
#endif
    (void)site;
    uint64_t *word = &bits.state->words[(uint64_t)index / 64];
    uint64_t shift = (uint64_t)index % 64;
    *word = (*word & ~((uint64_t)1 << shift)) | (uint64_t)value << shift;
}

/// The plain form of ox_array_sum for floating types.
OX_API double oxi_array_sum_floating_at(ox_array array, ox_element element, ox_site site);

/// The plain form of ox_array_sum for signed types.
OX_API int64_t oxi_array_sum_signed_at(ox_array array, ox_element element, ox_site site);

/// The plain form of ox_array_sum for unsigned types and bool.
OX_API uint64_t oxi_array_sum_unsigned_at(ox_array array, ox_element element, ox_site site);

#ifdef __cplusplus
template <int kind> struct oxi_sum_of {
    static int64_t of(ox_array array, ox_element element, ox_site site) {
        return oxi_array_sum_signed_at(array, element, site);
    }
};
template <> struct oxi_sum_of<2> {
    static uint64_t of(ox_array array, ox_element element, ox_site site) {
        return oxi_array_sum_unsigned_at(array, element, site);
    }
};
template <> struct oxi_sum_of<3> {
    static double of(ox_array array, ox_element element, ox_site site) {
        return oxi_array_sum_floating_at(array, element, site);
    }
};
template <> struct oxi_sum_of<4> : oxi_sum_of<2> {};
#define OXI_SUM_OF(T) oxi_sum_of<OXI_ELEMENT_KIND(T)>::of
#else
// clang-format off
#define OXI_SUM_OF(T) _Generic(*(T *)0,                                                            \
    unsigned char: oxi_array_sum_unsigned_at, unsigned short: oxi_array_sum_unsigned_at,           \
    unsigned int: oxi_array_sum_unsigned_at, unsigned long: oxi_array_sum_unsigned_at,             \
    unsigned long long: oxi_array_sum_unsigned_at, bool: oxi_array_sum_unsigned_at,                \
    float: oxi_array_sum_floating_at, double: oxi_array_sum_floating_at,                           \
    long double: oxi_array_sum_floating_at, default: oxi_array_sum_signed_at)
// clang-format on
#endif

// Loops: OX_EACH of containers.h. One check at the beginning covers all elements.

/// The position of a loop over elements.
typedef struct oxi_items {
    const char *at;
    const char *end;
    int64_t stride;
} oxi_items;

OXI_INLINE oxi_items oxi_items_of(const void *data, int64_t count, int64_t stride) {
    oxi_items items = {(const char *)data, (const char *)data + count * stride, stride};
    return items;
}

OXI_INLINE oxi_items oxi_array_each(ox_array array, oxi_type_pair types, bool edits, ox_site site) {
    int64_t size = (int64_t)(types.item & OXI_ELEMENT_SIZE_MASK);
#if OX_SAFETY >= 1
    if (edits ? !oxi_array_may_write_at(array, types.item, 0, array.count, site)
              : !oxi_array_may_read_at(array, types.item, 0, array.count, site)) {
        return oxi_items_of(NULL, 0, size);
    }
#endif
    (void)edits;
    (void)site;
    return oxi_items_of(array.data, array.count, size);
}

OXI_INLINE oxi_items oxi_slice_each(ox_slice slice, oxi_type_pair types, bool edits, ox_site site) {
#if OX_SAFETY >= 1
    if (edits ? !oxi_slice_may_write_at(slice, types.item, 0, slice.count, site)
              : !oxi_slice_may_read_at(slice, types.item, 0, slice.count, site)) {
        return oxi_items_of(NULL, 0, slice.stride);
    }
#endif
    (void)types;
    (void)edits;
    (void)site;
    return oxi_items_of(slice.data, slice.count, slice.stride);
}

/// Advances to the next element and writes its address to `pointer`.
OXI_INLINE bool oxi_items_next(oxi_items *items, void *pointer, ox_site site) {
    (void)site;
    if (items->at == items->end) {
        return false;
    }
    memcpy(pointer, &items->at, sizeof items->at);
    items->at += items->stride;
    return true;
}
