// SPDX-License-Identifier: MIT
//
// What a component takes in a row of a chunk: a value, nothing, or the head of a buffer and its
// inline elements.

#pragma once

#include "oxbow/components.h"

enum { OXI_INLINE_BYTES = 128 }; ///< of a buffer that does not say how many elements

/// The inline capacity of a buffer as it is declared.
static inline uint32_t oxi_inline_capacity(const ox_component *component) {
    if (component->kind != OX_COMPONENT_KIND_BUFFER ||
        component->inline_capacity == OX_INLINE_NONE || component->type.size == 0) {
        return 0;
    }
    return component->inline_capacity != OX_INLINE_DEFAULT
               ? (uint32_t)component->inline_capacity
               : (uint32_t)(OXI_INLINE_BYTES / component->type.size);
}

/// Where the inline elements of a buffer begin, behind its head: aligned as they have to be.
static inline uint32_t oxi_inline_offset(uint32_t align) {
    return align > (uint32_t)sizeof(oxi_buffer_head) ? align : (uint32_t)sizeof(oxi_buffer_head);
}

/// The alignment of a component in a row.
static inline uint32_t oxi_row_align(const ox_component_info *info) {
    bool is_buffer = info->kind == OX_COMPONENT_KIND_BUFFER;
    return is_buffer && info->align < 8 ? 8 : info->align;
}

/// Bytes of a component in a row; 0: it has no column.
static inline uint64_t oxi_row_size(const ox_component_info *info) {
    if (info->kind != OX_COMPONENT_KIND_BUFFER) {
        return info->kind == OX_COMPONENT_KIND_DATA ? info->size : 0;
    }
    uint32_t align = oxi_row_align(info);
    uint64_t size = oxi_inline_offset(info->align) + (uint64_t)info->inline_capacity * info->size;
    return (size + align - 1) / align * align;
}

static inline bool oxi_is_enableable(const ox_component_info *info) {
    return (info->flags & OX_COMPONENT_ENABLEABLE) != 0;
}

static inline bool oxi_is_cleanup(const ox_component_info *info) {
    return (info->flags & OX_COMPONENT_CLEANUP) != 0;
}
