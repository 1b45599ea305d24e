// SPDX-License-Identifier: MIT
//
// The rows of the table.

#include "types/kinds.h"

#include "base/check.h"
#include "base/hash.h"
#include "types/component_json.h"
#include "types/value.h"

enum { INLINE_BYTES = 128 }; // of a buffer that does not say how many elements

// In a row.

static uint64_t size_of_nothing(const ox_component_info *info) {
    (void)info;
    return 0;
}

static uint64_t size_of_value(const ox_component_info *info) {
    return info->size;
}

static uint64_t size_of_buffer(const ox_component_info *info) {
    uint32_t align = oxi_row_align(info);
    uint64_t size = oxi_inline_offset(info->align) + (uint64_t)info->inline_capacity * info->size;
    return (size + align - 1) / align * align;
}

uint32_t oxi_inline_capacity(const ox_component *component) {
    if (!oxi_kind_said(component->kind)->in_buffer || component->type.size == 0 ||
        component->inline_capacity == OX_INLINE_NONE) {
        return 0;
    }
    return component->inline_capacity != OX_INLINE_DEFAULT
               ? (uint32_t)component->inline_capacity
               : (uint32_t)(INLINE_BYTES / component->type.size);
}

// One value, or none.

static uint64_t hash_one(const ox_component_info *info, const char *values, uint32_t count,
                         uint64_t seed) {
    OXI_ASSERT(count <= 1);
    return count > 0 ? oxi_value_hash(info, values, seed) : seed;
}

static void write_one(const ox_component_info *info, const char *values, uint32_t count,
                      oxi_text *text) {
    OXI_ASSERT(count <= 1);
    oxi_component_write(info, count > 0 ? values : NULL, text);
}

// Elements.

static uint64_t hash_elements(const ox_component_info *info, const char *values, uint32_t count,
                              uint64_t seed) {
    uint64_t hash = oxi_hash_combine(seed, count);
    for (uint32_t k = 0; k < count; k++) {
        hash = oxi_hash_combine(hash, oxi_value_hash(info, values + (size_t)k * info->size, 0));
    }
    return hash;
}

static void write_elements(const ox_component_info *info, const char *values, uint32_t count,
                           oxi_text *text) {
    oxi_text_append_char(text, '[');
    for (uint32_t k = 0; k < count; k++) {
        oxi_text_append(text, k > 0 ? "," : "");
        oxi_component_write(info, values + (size_t)k * info->size, text);
    }
    oxi_text_append_char(text, ']');
}

const oxi_kind_ops oxi_kinds[] = {
    [OX_COMPONENT_KIND_DATA] =
        {
            .noun = "plain data",
            .remark = "",
            .has_value = true,
            .in_column = true,
            .advice_entity = "use ox_get_at or ox_edit_at",
            .advice_chunk = "use ox_chunk_get_at or ox_chunk_edit_at",
            .advice_view = "use ox_view_get_at or ox_view_edit_at",
            .row_size = size_of_value,
            .hash = hash_one,
            .write = write_one,
        },
    [OX_COMPONENT_KIND_TAG] =
        {
            .noun = "a tag",
            .remark = "",
            .row_size = size_of_nothing,
            .hash = hash_one,
            .write = write_one,
        },
    [OX_COMPONENT_KIND_SHARED] =
        {
            .noun = "shared",
            .remark = ", shared",
            .has_value = true,
            .in_lane = true,
            .may_own = true,
            .stays_on = "entities of one chunk share its value: none can switch it off",
            .advice_entity = "read it with ox_get, change it with ox_set",
            .advice_chunk = "read it with ox_get or ox_chunk_get, change it with ox_set",
            .advice_view = "read it with ox_view_get, and set it with ox_set",
            .row_size = size_of_nothing,
            .hash = hash_one,
            .write = write_one,
        },
    [OX_COMPONENT_KIND_BUFFER] =
        {
            .noun = "a buffer",
            .remark = "",
            .has_value = true,
            .in_buffer = true,
            .advice_entity = "use ox_get_buffer_at",
            .advice_chunk = "use ox_chunk_get_buffers_at, or ox_get and ox_edit,",
            .advice_view = "use ox_view_get_buffer_at",
            .row_align = 8, // of a head, on every machine
            .row_size = size_of_buffer,
            .hash = hash_elements,
            .write = write_elements,
        },
};

bool oxi_kind_is_known(ox_component_kind kind) {
    return (size_t)kind < sizeof oxi_kinds / sizeof *oxi_kinds;
}

const oxi_kind_ops *oxi_kind_said(ox_component_kind kind) {
    return &oxi_kinds[oxi_kind_is_known(kind) ? kind : OX_COMPONENT_KIND_DATA];
}
