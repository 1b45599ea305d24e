// SPDX-License-Identifier: MIT
//
// Singletons. A world keeps a query for each component that is asked for so; getting a value waits
// for nothing, and tells of jobs that it would have to wait for.

#include "oxbow/entities.h"

#include "base/text.h"
#include "entities/buffer_access.h"
#include "entities/fences.h"
#include "entities/kinds.h"
#include "entities/query.h"
#include "jobs/scheduler.h"
#include "oxbow/detail/element.h"
#include "safety/access.h"
#include "types/kinds.h"

// The query of a component's singleton. Its `job` tells it from others: the info of the component.
static ox_query *find_singleton_query(ox_world *world, const ox_component_info *info,
                                      ox_site site) {
    ox_query *query = world->first_query;
    while (query != NULL && query->job != info) {
        query = query->next;
    }
    if (query == NULL) {
        // What is left of destroyed entities does not count.
        ox_term terms[] = {
            {OX_TERM_WITH, NULL, info->id},
            {oxi_is_cleanup(info) ? OX_TERM_NONE : OX_TERM_END, NULL, world->ids.residue},
            {OX_TERM_END, NULL, 0}};
        query = ox_query_create_at(world, terms, site);
        if (query != NULL) {
            query->job = info;
        }
    }
    return query;
}

// `component` is NULL for a query of the user's.
static bool report_number(const ox_query *query, const char *component, int64_t count,
                          ox_site site) {
    char have[200];
    if (component != NULL) {
        oxi_text_print(have, sizeof have, "%s '%s'", count == 1 ? "has" : "have", component);
    } else {
        oxi_text_print(have, sizeof have, "%s the query made at %s",
                       count == 1 ? "matches" : "match",
                       query->site != NULL ? query->site : "a place not known");
    }
    return OXI_REPORT(
        &query->world->sink, OX_REPORT_NOT_SINGLE, site, OXI_INTEGER("count", count),
        OXI_NAME("entities", count == 1 ? "entity" : "entities"),
        OXI_NAME("world", query->world->name), OXI_WHOLE("have", have),
        OXI_NAME("advice",
                 component != NULL
                     ? "make it with ox_singleton_create, once; ask ox_singleton_has"
                     : "let just one entity match, or walk the query with OX_EACH_CHUNK"));
}

// The entity, null when there is none or after a report; `*count` says which: -1 is that it cannot
// be known now.
static ox_entity find_single(ox_query *query, const char *component, int64_t *count, ox_site site) {
    *count = oxi_query_sync_rules(query, site) ? ox_query_count_at(query, site) : -1;
    if (*count > 1) {
        report_number(query, component, *count, site);
    }
    if (*count != 1) {
        return (ox_entity){0, 0};
    }
    ox_chunk chunk = oxi_query_walk(query, site);
    return ox_chunk_next(&chunk) ? chunk.entities[0] : (ox_entity){0, 0};
}

ox_entity ox_query_get_single_at(ox_query *query, ox_site site) {
    int64_t count;
    if (!oxi_query_enter(query, "ox_query_get_single", site)) {
        return (ox_entity){0, 0};
    }
    ox_entity entity = find_single(query, NULL, &count, site);
    if (count == 0) {
        report_number(query, NULL, 0, site);
    }
    return entity;
}

// A component that can be a singleton, in a world that was entered. NULL after a report.
static const ox_component_info *enter_singleton(ox_world *world, uint32_t component,
                                                const char *function, ox_site site) {
    if (!oxi_world_enter(world, function, site) || !oxi_component_check(world, component, site)) {
        return NULL;
    }
    const ox_component_info *info = ox_component_get_info(component);
    if (oxi_is_enableable(info)) {
        oxi_report_kind(world, component, function,
                        "leave OX_COMPONENT_ENABLEABLE out, or use a query,", site);
        return NULL;
    }
    return info;
}

// The one entity, or null after a report.
static ox_entity require_one(ox_world *world, uint32_t component, const char *function,
                             ox_site site) {
    int64_t count = 0;
    const ox_component_info *info = enter_singleton(world, component, function, site);
    ox_query *query = info != NULL ? find_singleton_query(world, info, site) : NULL;
    if (query == NULL || !oxi_query_update(query, site)) {
        return (ox_entity){0, 0};
    }
    ox_entity entity = find_single(query, info->name, &count, site);
    if (count == 0) {
        report_number(query, info->name, 0, site);
    }
    return entity;
}

ox_entity ox_singleton_get_entity_at(ox_world *world, uint32_t component, ox_site site) {
    return require_one(world, component, "ox_singleton_get_entity", site);
}

bool ox_singleton_has_at(ox_world *world, uint32_t component, ox_site site) {
    int64_t count;
    const ox_component_info *info = enter_singleton(world, component, "ox_singleton_has", site);
    ox_query *query = info != NULL ? find_singleton_query(world, info, site) : NULL;
    return query != NULL && oxi_query_update(query, site) &&
           find_single(query, info->name, &count, site).version != 0;
}

static void find_unsettled(const oxi_fence_jobs *jobs, ox_job *found) {
    for (size_t k = 0; k < jobs->count && found->value == 0; k++) {
        *found = oxi_job_is_settled(jobs->items[k]) ? OX_NO_JOB : jobs->items[k];
    }
}

// A job that is outstanding and in the way, or {0}.
static ox_job find_in_the_way(ox_world *world, uint32_t component, bool writes) {
    const oxi_type_fence *fence = world->busy.count > 0 ? oxi_fence_find(world, component) : NULL;
    if (fence == NULL) {
        return OX_NO_JOB;
    }
    ox_job found = OX_NO_JOB;
    for (int n = 0; n < OXI_FENCE_TABLES; n++) {
        find_unsettled(&fence->tables[n].writers, &found);
        if (writes) {
            find_unsettled(&fence->tables[n].readers, &found);
        }
    }
    return found;
}

// What a job in the way is called. A handle that a system returned may stand for several, and may
// be done: then the safety system knows which of them uses the component.
static const char *name_in_the_way(ox_world *world, uint32_t component, bool writes, ox_job job) {
    oxi_holder holder;
    const oxi_type_fence *fence = oxi_fence_find(world, component);
    if (fence != NULL && oxi_access_find_holder(fence->access, writes, OX_NO_JOB, &holder)) {
        return holder.job;
    }
    const char *name = oxi_job_get_name(job);
    return name != NULL ? name : oxi_job_get_fence_name(job);
}

static bool require_no_job(ox_world *world, uint32_t component, bool writes, const char *function,
                           ox_site site) {
    ox_job job = find_in_the_way(world, component, writes);
    return OXI_REQUIRE(job.value == 0, &world->sink, OX_REPORT_SINGLETON_BUSY, site,
                       OXI_NAME("function", function),
                       OXI_NAME("component", ox_component_get_info(component)->name),
                       OXI_NAME("job", name_in_the_way(world, component, writes, job)));
}

const void *ox_singleton_get_at(ox_world *world, uint32_t component, ox_site site) {
    ox_entity entity = require_one(world, component, "ox_singleton_get", site);
    if (entity.version == 0 || !require_no_job(world, component, false, "ox_singleton_get", site)) {
        return oxi_element_zeros();
    }
    return ox_get_at(world, entity, component, site);
}

void *ox_singleton_edit_at(ox_world *world, uint32_t component, ox_site site) {
    ox_entity entity = require_one(world, component, "ox_singleton_edit", site);
    if (entity.version == 0 || !require_no_job(world, component, true, "ox_singleton_edit", site)) {
        return oxi_element_scratch();
    }
    return ox_edit_at(world, entity, component, site);
}

bool ox_singleton_set_at(ox_world *world, uint32_t component, const void *value, ox_site site) {
    ox_entity entity = require_one(world, component, "ox_singleton_set", site);
    return entity.version != 0 &&
           require_no_job(world, component, true, "ox_singleton_set", site) &&
           ox_set_at(world, entity, component, value, site);
}

ox_entity ox_singleton_create_at(ox_world *world, uint32_t component, const void *value,
                                 ox_site site) {
    int64_t count = 0;
    const ox_component_info *info = enter_singleton(world, component, "ox_singleton_create", site);
    ox_query *query = info != NULL ? find_singleton_query(world, info, site) : NULL;
    if (query == NULL || !oxi_query_update(query, site)) {
        return (ox_entity){0, 0};
    }
    find_single(query, info->name, &count, site);
    if (count == 1) {
        report_number(query, info->name, 1, site);
    }
    ox_value values[] = {{component, value}};
    return count == 0 ? ox_entity_create_at(world, values, 1, site) : (ox_entity){0, 0};
}

ox_buffer ox_singleton_get_buffer_at(ox_world *world, uint32_t component, bool writes,
                                     ox_site site) {
    ox_entity entity =
        require_one(world, component, writes ? "ox_singleton_edit" : "ox_singleton_get", site);
    return entity.version != 0 ? ox_get_buffer_at(world, entity, component, writes, site)
                               : (ox_buffer){0};
}
