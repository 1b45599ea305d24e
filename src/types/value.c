// SPDX-License-Identifier: MIT
//
// Values of components: equal, hash, zero, copy, remap.

#include "types/value.h"

#include "base/hash.h"

#include <string.h>

bool oxi_value_equal(const ox_component_info *info, const void *a, const void *b) {
    for (uint32_t k = 0; k < info->value_count; k++) {
        ox_byte_span span = info->values[k];
        if (memcmp((const char *)a + span.offset, (const char *)b + span.offset, span.size) != 0) {
            return false;
        }
    }
    return true;
}

uint64_t oxi_value_hash(const ox_component_info *info, const void *value, uint64_t seed) {
    uint64_t hash = seed;
    for (uint32_t k = 0; k < info->value_count; k++) {
        ox_byte_span span = info->values[k];
        hash = oxi_hash_bytes((const char *)value + span.offset, span.size, hash);
    }
    return hash;
}

void oxi_value_zero(const ox_component_info *info, void *values, size_t count) {
    if (info->size > 0 && count > 0) {
        memset(values, 0, info->size * count);
    }
}

void oxi_value_copy(const ox_component_info *info, void *to, const void *from, size_t count) {
    if (info->size > 0 && count > 0) {
        memcpy(to, from, info->size * count);
    }
}

void oxi_value_remap(const ox_component_info *info, void *values, size_t count,
                     oxi_entity_remap_fn *remap, void *context) {
    if (info->entity_count == 0) {
        return;
    }
    char *value = values;
    for (size_t n = 0; n < count; n++, value += info->size) {
        for (uint32_t k = 0; k < info->entity_count; k++) {
            ox_entity entity;
            memcpy(&entity, value + info->entity_offsets[k], sizeof entity);
            entity = remap(entity, context);
            memcpy(value + info->entity_offsets[k], &entity, sizeof entity);
        }
    }
}
