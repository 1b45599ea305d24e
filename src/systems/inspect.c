// SPDX-License-Identifier: MIT
//
// Looking at systems from outside, as a debugger does: their queries and accesses, and which of
// them an entity matches. Nothing here changes a system.

#include "entities/query.h"
#include "systems/systems.h"

// True for a query that a system owns, and for the one of a job that its def names.
static bool is_query_of(const oxi_system *system, const ox_query *query) {
    bool is_own = query->scope == &system->scope;
    for (int k = 0; !is_own && k < OX_MAX_SYSTEM_JOBS && system->def.jobs[k] != NULL; k++) {
        is_own = query->job == system->def.jobs[k];
    }
    return is_own;
}

// The world has those first that were made last. @return how many there are.
static int list_queries(const ox_world *world, const oxi_system *system, ox_query **queries,
                        int capacity) {
    int count = 0;
    for (const ox_query *query = world->first_query; query != NULL; query = query->next) {
        count += system != NULL ? is_query_of(system, query) : query->scope == NULL;
    }
    int at = count;
    for (ox_query *query = world->first_query; queries != NULL && query != NULL;
         query = query->next) {
        if (system != NULL ? !is_query_of(system, query) : query->scope != NULL) {
            continue;
        }
        if (--at < capacity) {
            queries[at] = query;
        }
    }
    return count;
}

int ox_system_get_queries(const ox_system *system, ox_query **queries, int capacity) {
    if (system == NULL || !oxi_require_not_ended(system, "ox_system_get_queries", NULL)) {
        return 0;
    }
    return list_queries(system->world, oxi_system_of(system), queries, capacity);
}

int ox_system_get_accesses(const ox_system *system, ox_system_access *accesses, int capacity) {
    if (system == NULL || !oxi_require_not_ended(system, "ox_system_get_accesses", NULL)) {
        return 0;
    }
    const oxi_scope *scope = (const oxi_scope *)(const void *)system;
    int count = 0;
    for (size_t k = 0; k < scope->uses.count; k++) {
        const oxi_type_use *use = &scope->uses.items[k];
        if (use->component == 0) {
            continue; // the entities themselves
        }
        if (accesses != NULL && count < capacity) {
            accesses[count] = (ox_system_access){use->component, use->writes};
        }
        count++;
    }
    return count;
}

// An entity and the systems of its world, in order. @return NULL after a report, or when there are
// no systems.
static const oxi_systems *begin_entity(ox_world *world, ox_entity entity, const char *function,
                                       ox_site site) {
    if (!oxi_world_enter(world, function, site) ||
        oxi_world_find(world, entity, function, site) == NULL) {
        return NULL;
    }
    oxi_systems *all = oxi_systems_get(world);
    if (all == NULL || (!world->is_updating && !oxi_systems_plan(all, site))) {
        return NULL;
    }
    return all;
}

// True when a query of a system matches.
static bool has_match(const oxi_system *system, ox_entity entity, const char *function,
                      ox_site site) {
    bool matches = false;
    for (ox_query *query = system->all->world->first_query; !matches && query != NULL;
         query = query->next) {
        matches = is_query_of(system, query) && oxi_query_enter(query, function, site) &&
                  oxi_query_sync_rules(query, site) && oxi_query_explain(query, entity, NULL);
    }
    return matches;
}

int ox_entity_get_systems_at(ox_world *world, ox_entity entity, ox_system **systems, int capacity,
                             ox_site site) {
    static const char function[] = "ox_entity_get_systems";
    const oxi_systems *all = NULL;
    if (capacity <= 0 || OXI_REQUIRE_ARGUMENT(systems, function, site)) {
        all = begin_entity(world, entity, function, site);
    }
    int count = 0;
    for (size_t k = 0; all != NULL && k < all->plan.count; k++) {
        oxi_system *system = all->plan.items[k].system;
        if (system->is_removed || !has_match(system, entity, function, site)) {
            continue;
        }
        if (count < capacity) {
            systems[count] = &system->scope.base;
        }
        count++;
    }
    return count;
}

// One line: the system, the query, and why it does not match.
static void explain_query(oxi_text *text, const oxi_system *system, const ox_query *query,
                          ox_entity entity) {
    oxi_text why = {0};
    bool matches = oxi_query_explain(query, entity, &why);
    oxi_text_append(text, system->def.name);
    oxi_text_append(text, matches ? ": matches" : ": does not match");
    oxi_text_append_format(text, " the query of %s", query->site != NULL ? query->site : "?");
    oxi_text_append(text, matches ? "" : ": ");
    oxi_text_append(text, oxi_text_get(&why));
    oxi_text_append_char(text, '\n');
    text->failed = text->failed || why.failed;
    oxi_text_free(&why);
}

// The queries of a system, in the order in which they were made. @return false after a report.
static bool explain_queries(oxi_text *text, const oxi_system *system, ox_entity entity,
                            const char *function, ox_site site) {
    ox_query *query = system->all->world->first_query;
    while (query != NULL && query->next != NULL) {
        query = query->next;
    }
    for (; query != NULL; query = query->prev) {
        if (!is_query_of(system, query)) {
            continue;
        }
        if (!oxi_query_enter(query, function, site) || !oxi_query_sync_rules(query, site)) {
            return false;
        }
        explain_query(text, system, query, entity);
    }
    return true;
}

size_t ox_entity_explain_systems_at(ox_world *world, ox_entity entity, char *buffer,
                                    size_t capacity, ox_site site) {
    static const char function[] = "ox_entity_explain_systems";
    if (capacity > 0 && !OXI_REQUIRE_ARGUMENT(buffer, function, site)) {
        return 0;
    }
    if (capacity > 0) {
        buffer[0] = 0;
    }
    const oxi_systems *all = begin_entity(world, entity, function, site);
    oxi_text text = {0};
    bool is_told = all != NULL;
    for (size_t k = 0; is_told && k < all->plan.count; k++) {
        const oxi_system *system = all->plan.items[k].system;
        is_told = system->is_removed || explain_queries(&text, system, entity, function, site);
    }
    if (text.failed) {
        oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    size_t length = is_told && !text.failed ? text.length : 0;
    if (length > 0 && capacity > 0) {
        oxi_text_copy(buffer, capacity, oxi_text_get(&text));
    }
    oxi_text_free(&text);
    return length;
}
