// SPDX-License-Identifier: MIT
//
// Private: the inline code of buffers.

#pragma once

#include "oxbow/buffers.h"
#include <string.h>

/// Returns true if the length may be read. Else reports: {0}, or a stale handle.
OX_API bool oxi_buffer_may_count_at(ox_buffer buffer, ox_site site);

/// Returns true if `count` elements of `size` bytes from `first` on may be read. Else reports.
OX_API bool oxi_buffer_may_read_at(ox_buffer buffer, size_t size, int64_t first, int64_t count,
                                   ox_site site);

/// The same for writing.
OX_API bool oxi_buffer_may_write_at(ox_buffer buffer, size_t size, int64_t first, int64_t count,
                                    ox_site site);

/// Returns true if an element of `size` bytes may be read, or written, through a view. Else
/// reports.
OX_API bool oxi_buffer_view_may_at(const ox_buffer_view *view, size_t size, int64_t index,
                                   bool writes, ox_site site);

/// Grows a full buffer by one element, for inline code. Checks everything except whether the handle
/// is stale. @return false after a report.
OX_API bool oxi_buffer_grow_at(oxi_buffer_head *head, const struct oxi_buffer_kind *kind,
                               bool writes, size_t size, ox_site site);

static inline char *oxi_buffer_place(const oxi_buffer_head *head, uint32_t offset) {
    return head->outside != NULL ? head->outside : (char *)(uintptr_t)head + offset;
}

static inline uint32_t oxi_buffer_room(const oxi_buffer_head *head, uint32_t inline_capacity) {
    return head->outside != NULL ? ((const uint32_t *)(const void *)head->outside)[-1]
                                 : inline_capacity;
}

static inline ox_buffer_values oxi_buffer_values(size_t size, const void *from, int64_t count) {
    ox_buffer_values values = {from, count, size};
    return values;
}

static inline int32_t ox_buffer_count_at(ox_buffer buffer, ox_site site) {
#if OX_SAFETY >= 1
    return oxi_buffer_may_count_at(buffer, site) ? (int32_t)buffer.oxi_head->count : 0;
#else
    (void)site;
    return buffer.oxi_head != NULL ? (int32_t)buffer.oxi_head->count : 0;
#endif
}

static inline const void *ox_buffer_get_at(ox_buffer buffer, size_t size, int64_t first,
                                           int64_t count, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_buffer_may_read_at(buffer, size, first, count, site)) {
        return oxi_element_zeros();
    }
#endif
    (void)count;
    (void)site;
    return oxi_buffer_place(buffer.oxi_head, buffer.oxi_offset) + first * (int64_t)size;
}

static inline void *ox_buffer_edit_at(ox_buffer buffer, size_t size, int64_t first, int64_t count,
                                      ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_buffer_may_write_at(buffer, size, first, count, site)) {
        return oxi_element_scratch();
    }
#endif
    (void)count;
    (void)site;
    return oxi_buffer_place(buffer.oxi_head, buffer.oxi_offset) + first * (int64_t)size;
}

static inline bool ox_buffer_push_at(ox_buffer buffer, size_t size, const void *value,
                                     ox_site site) {
#if OX_SAFETY >= 1
    return ox_buffer_push_many_at(buffer, oxi_buffer_values(size, value, 1), site);
#else
    // Neither the handle nor the value is passed on: a copy in each iteration of a loop would cost
    // more than the push itself.
    oxi_buffer_head *head = buffer.oxi_head;
    bool is_right = buffer.oxi_write_size == size; // excludes {0} and read-only handles
    if (!is_right || head->count >= oxi_buffer_room(head, buffer.oxi_capacity)) {
        if (!oxi_buffer_grow_at(head, buffer.oxi_kind, buffer.oxi_write_size != 0, size, site)) {
            return false;
        }
    }
    uint32_t count = head->count;
    memcpy(oxi_buffer_place(head, buffer.oxi_offset) + count * size, value, size);
    head->count = count + 1; // a new count shows the change: the generation can stay
    return true;
#endif
}

static inline const void *ox_buffer_view_get_at(ox_buffer_view view, size_t size, int64_t index,
                                                ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_buffer_view_may_at(&view, size, index, false, site)) {
        return oxi_element_zeros();
    }
#endif
    (void)site;
    return view.oxi_data + index * (int64_t)size;
}

static inline void *ox_buffer_view_edit_at(ox_buffer_view view, size_t size, int64_t index,
                                           ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_buffer_view_may_at(&view, size, index, true, site)) {
        return oxi_element_scratch();
    }
#endif
    (void)site;
    return view.oxi_data + index * (int64_t)size;
}

static inline bool oxi_buffer_clear(ox_buffer buffer, ox_site site) {
#if OX_SAFETY == 0
    if (buffer.oxi_write_size != 0) { // excludes {0} and read-only handles
        buffer.oxi_head->count = 0;
        buffer.oxi_head->generation++;
        return true;
    }
#endif
    return ox_buffer_clear_at(buffer, site);
}

/// Returns true if there is such a row. Else reports.
OX_API bool oxi_buffers_may_get_at(ox_buffers buffers, int64_t row, ox_site site);

static inline ox_buffer ox_buffers_get_at(ox_buffers buffers, int64_t row, ox_site site) {
    if (buffers.oxi_heads == NULL) {
        return buffers.oxi_first; // {0}
    }
#if OX_SAFETY >= 1
    if (!oxi_buffers_may_get_at(buffers, row, site)) {
        memset(&buffers.oxi_first, 0, sizeof buffers.oxi_first);
        return buffers.oxi_first;
    }
#endif
    (void)site;
    return oxi_buffers_row(buffers, (int)row);
}
