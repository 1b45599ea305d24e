// SPDX-License-Identifier: MIT
//
// Filters, and the versions they ask for.

#include "entities/query.h"

bool ox_query_filter_changed_at(ox_query *query, uint32_t component, uint32_t version,
                                ox_site site) {
    if (!oxi_query_enter(query, "ox_query_filter_changed", site)) {
        return false;
    }
    const oxi_query_term *term = oxi_query_find_term(query, component);
    if (term == NULL || term->kind == OX_TERM_NONE) {
        return oxi_query_report_term(query, component, "looks for changes of", site);
    }
    for (uint32_t k = 0; k < query->changed_count; k++) {
        if (query->changed[k].component == component) {
            query->changed[k].since = version;
            return true;
        }
    }
    if (!oxi_count_require(query->world, query->changed_count + 1, OXI_MAX_CHANGED,
                           "ox_query_filter_changed", site)) {
        return false;
    }
    query->changed[query->changed_count++] = (oxi_changed_filter){component, version};
    return true;
}

bool ox_query_filter_order_at(ox_query *query, uint32_t version, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_filter_order", site)) {
        return false;
    }
    query->filters_order = true;
    query->order_since = version;
    return true;
}

void ox_query_reset_filters_at(ox_query *query, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(query, "ox_query_reset_filters", site) ||
        !oxi_world_enter(query->world, "ox_query_reset_filters", site)) {
        return;
    }
    query->changed_count = 0;
    query->filters_order = false;
}

uint32_t ox_world_get_version(const ox_world *world) {
    return world != NULL ? world->store.version : 0;
}

uint32_t ox_world_advance_version_at(ox_world *world, ox_site site) {
    if (!oxi_world_enter(world, "ox_world_advance_version", site)) {
        return 0;
    }
    // 0 is "never looked".
    world->store.version += world->store.version == UINT32_MAX ? 2 : 1;
    return world->store.version;
}

uint32_t ox_world_get_order_version(const ox_world *world, uint32_t component) {
    return world != NULL && component <= OXI_MAX_TYPES
               ? oxi_store_order_version(&world->store, component)
               : 0;
}
