// SPDX-License-Identifier: MIT
//
// Shared values by chunk, and lists of them.

#include "entities/kinds.h"
#include "entities/query.h"
#include "oxbow/detail/element.h"
#include "oxbow/queries.h"
#include "storage/shared_values.h"

#include <string.h>

const void *oxi_chunk_get_shared(const ox_chunk *chunk, uint32_t component, ox_site site) {
    const ox_query *query = chunk->query;
    const oxi_query_term *term = oxi_query_find_term(query, component);
    if (term == NULL || term->kind == OX_TERM_NONE || term->kind == OX_TERM_ABSENT ||
        chunk->oxi_chunk == 0) {
        oxi_query_report_term(query, component, OXI_WANTS_READ, site);
        return oxi_element_zeros();
    }
    if (!oxi_chunk_require_current(chunk, component, site)) {
        return oxi_element_zeros();
    }
    const oxi_store *store = &query->world->store;
    uint32_t number = oxi_chunk_shared_number(store, oxi_archetype_of(chunk->oxi_chunk),
                                              chunk->oxi_chunk, component);
    return number != 0 ? oxi_shared_at(store, number)->bytes : NULL;
}

// The info of a shared component, or NULL after a report.
static const ox_component_info *find_required_shared(const ox_world *world, uint32_t component,
                                                     const char *function, ox_site site) {
    if (!oxi_component_check(world, component, site)) {
        return NULL;
    }
    return oxi_require_shared(world, component, function, site) ? ox_component_get_info(component)
                                                                : NULL;
}

static int64_t count_values(const oxi_store *store, uint32_t component) {
    int64_t count = 1; // the default
    for (uint32_t k = 1; k < store->shared.values.count; k++) {
        const oxi_shared_value *value = oxi_shared_at(store, k);
        count += value->bytes != NULL && value->component == component && !value->is_default;
    }
    return count;
}

ox_array ox_shared_copy_values_at(ox_world *world, uint32_t component, ox_allocator allocator,
                                  ox_site site) {
    const ox_component_info *info = NULL;
    if (oxi_world_enter(world, "ox_shared_copy_values", site)) {
        info = find_required_shared(world, component, "ox_shared_copy_values", site);
    }
    if (info == NULL) {
        return (ox_array){0};
    }
    const oxi_store *store = &world->store;
    ox_element_info element = {info->name, info->size, info->align};
    ox_array array =
        ox_array_create_uninitialized_at(element, count_values(store, component), allocator, site);
    char *to = array.data;
    if (to == NULL) {
        return array;
    }
    memset(to, 0, info->size);
    for (uint32_t k = 1; k < store->shared.values.count; k++) {
        const oxi_shared_value *value = oxi_shared_at(store, k);
        if (value->bytes != NULL && value->component == component && !value->is_default) {
            to += info->size;
            OXI_ASSERT(to < (char *)array.data + (size_t)array.count * info->size);
            memcpy(to, value->bytes, info->size);
        }
    }
    return array;
}

uint32_t ox_shared_get_order_version(const ox_world *world, uint32_t component, const void *value) {
    const ox_component_info *info = ox_component_get_info(component);
    if (!oxi_world_is_there(world, "ox_shared_get_order_version") || value == NULL ||
        info == NULL || !oxi_kind_of(info)->in_lane || !oxi_store_knows(&world->store, component)) {
        return 0;
    }
    uint32_t number = oxi_shared_find(&world->store, info, value);
    return number != 0 ? oxi_shared_at(&world->store, number)->order_version : 0;
}
