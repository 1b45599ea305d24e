// SPDX-License-Identifier: MIT
//
// Filters, and the versions they ask for.

#include "entities/kinds.h"
#include "entities/query.h"
#include "oxbow/queries.h"
#include "storage/archetype.h"
#include "storage/shared_values.h"

bool ox_query_filter_changed_at(ox_query *query, uint32_t component, uint32_t version,
                                ox_site site) {
    if (!oxi_query_enter(query, "ox_query_filter_changed", site)) {
        return false;
    }
    const oxi_query_term *term = oxi_query_find_term(query, component);
    if (term == NULL || term->kind == OX_TERM_NONE || term->kind == OX_TERM_ABSENT) {
        return oxi_query_report_term(query, component, OXI_WANTS_CHANGES, site);
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
    if (!oxi_query_require(query, "ox_query_reset_filters", site) ||
        !oxi_world_require(query->world, "ox_query_reset_filters", site)) {
        return;
    }
    query->changed_count = 0;
    query->filters_order = false;
    oxi_query_free_filters(query);
}

// By shared values.

void oxi_query_free_filters(ox_query *query) {
    while (query->shared_filter_count > 0) {
        oxi_shared_release(&query->world->store,
                           query->shared[--query->shared_filter_count].number);
    }
}

// A shared component that every entity of a query has; else reports. @return NULL after a report.
const ox_component_info *oxi_query_require_shared(ox_query *query, uint32_t component,
                                                  const char *function, ox_site site) {
    const oxi_query_term *term = oxi_query_find_term(query, component);
    bool has_it = term != NULL && (term->kind == OX_TERM_READ || term->kind == OX_TERM_WITH ||
                                   term->kind == OX_TERM_PRESENT);
    if (!has_it) {
        oxi_query_report_term(query, component, OXI_WANTS_PRESENCE, site);
        return NULL;
    }
    return oxi_require_shared(query->world, component, function, site)
               ? ox_component_get_info(component)
               : NULL;
}

bool ox_query_filter_shared_at(ox_query *query, uint32_t component, const void *value,
                               ox_site site) {
    static const char function[] = "ox_query_filter_shared";
    if (!oxi_query_enter(query, function, site) || !OXI_REQUIRE_ARGUMENT(value, function, site) ||
        !oxi_world_require(query->world, function, site)) {
        return false;
    }
    const ox_component_info *info = oxi_query_require_shared(query, component, function, site);
    if (info == NULL) {
        return false;
    }
    oxi_store *store = &query->world->store;
    uint32_t at = 0;
    while (at < query->shared_filter_count && query->shared[at].component != component) {
        at++;
    }
    if (at == query->shared_filter_count &&
        !oxi_count_require(query->world, (int64_t)at + 1, OXI_MAX_SHARED_FILTERS, function, site)) {
        return false;
    }
    oxi_store_number(store, component);
    uint32_t number =
        oxi_shared_make_default(store, info) ? oxi_shared_take(store, info, value) : 0;
    if (number == 0) {
        return oxi_world_report(query->world, OXI_NO_MEMORY, site);
    }
    OXI_ASSERT(at < OXI_MAX_SHARED_FILTERS);
    if (at < query->shared_filter_count) {
        oxi_shared_release(store, query->shared[at].number);
    } else {
        query->shared_filter_count++;
    }
    query->shared[at] = (oxi_shared_filter){component, number};
    return true;
}

uint32_t ox_world_get_version(const ox_world *world) {
    return oxi_world_is_there(world, "ox_world_get_version") ? world->store.version : 0;
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
    if (!oxi_world_is_there(world, "ox_world_get_order_version") || component > OXI_MAX_TYPES) {
        return 0;
    }
    return oxi_store_order_version(&world->store, component);
}
