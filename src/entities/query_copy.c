// SPDX-License-Identifier: MIT
//
// Copying entities and values of a query out, and values in, in the order of its walk.

#include "entities/kinds.h"
#include "entities/query.h"

#include <string.h>

// A component that a query can copy, or 0 for entities. @return NULL after a report.
static const ox_component_info *require_copied(ox_query *query, uint32_t component, bool writes,
                                               ox_site site) {
    const oxi_query_term *term = oxi_query_find_term(query, component);
    bool reads = term != NULL && (term->kind == OX_TERM_READ || term->kind == OX_TERM_WRITE);
    const ox_component_info *info = ox_component_get_info(component);
    bool is_declared = reads && (!writes || term->kind == OX_TERM_WRITE);
    if (!is_declared) {
        oxi_query_report_term(query, component, writes ? OXI_WANTS_WRITE : OXI_WANTS_READ, site);
        return NULL;
    }
    if (!oxi_kind_of(info)->in_column) {
        oxi_report_no_column(query->world, component, site);
        return NULL;
    }
    return info;
}

ox_array ox_query_copy_entities_at(ox_query *query, ox_allocator allocator, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_copy_entities", site) ||
        !oxi_query_sync_rules(query, site)) {
        return (ox_array){0};
    }
    ox_array array = ox_array_create_uninitialized_at(
        ox_element_info_of(ox_entity), ox_query_count_at(query, site), allocator, site);
    ox_entity *to = array.data;
    for (ox_chunk chunk = oxi_query_walk(query, site); to != NULL && ox_chunk_next(&chunk);) {
        OXI_ASSERT(to + chunk.count <= (ox_entity *)array.data + array.count);
        memcpy(to, chunk.entities, (size_t)chunk.count * sizeof *to);
        to += chunk.count;
    }
    return array;
}

ox_array ox_query_copy_values_at(ox_query *query, uint32_t component, ox_allocator allocator,
                                 ox_site site) {
    if (!oxi_query_enter(query, "ox_query_copy_values", site)) {
        return (ox_array){0};
    }
    const ox_component_info *info = require_copied(query, component, false, site);
    if (info == NULL || !oxi_query_sync(query, site)) {
        return (ox_array){0};
    }
    ox_element_info element = {info->name, info->size, info->align};
    ox_array array =
        ox_array_create_uninitialized_at(element, ox_query_count_at(query, site), allocator, site);
    char *to = array.data;
    for (ox_chunk chunk = ox_query_chunks_at(query, site); to != NULL && ox_chunk_next(&chunk);) {
        size_t size = (size_t)chunk.count * info->size;
        OXI_ASSERT(to + size <= (char *)array.data + (size_t)array.count * info->size);
        memcpy(to, ox_chunk_get_at(&chunk, component, site), size);
        to += size;
    }
    return array;
}

bool ox_query_set_values_at(ox_query *query, uint32_t component, ox_array values, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_set_values", site)) {
        return false;
    }
    const ox_component_info *info = require_copied(query, component, true, site);
    if (info == NULL || !oxi_query_sync(query, site)) {
        return false;
    }
    int64_t count = ox_query_count_at(query, site);
    if (!OXI_REQUIRE(values.count == count, &query->world->sink, OX_REPORT_LENGTHS_DIFFER, site,
                     OXI_INTEGER("source", values.count), OXI_INTEGER("target", count)) ||
        !oxi_array_may_read_at(values, info->size, 0, count, site)) {
        return false;
    }
    const char *from = values.data;
    for (ox_chunk chunk = ox_query_chunks_at(query, site); ox_chunk_next(&chunk);) {
        size_t size = (size_t)chunk.count * info->size;
        OXI_ASSERT(from + size <= (const char *)values.data + (size_t)count * info->size);
        memcpy(ox_chunk_edit_at(&chunk, component, site), from, size);
        from += size;
    }
    return true;
}
