// SPDX-License-Identifier: MIT
//
// What a system declares: its queries, its lookups, the jobs that its def names, what it requires.

#include "entities/entity_job.h"
#include "entities/kinds.h"
#include "entities/query.h"
#include "systems/systems.h"
#include "types/kinds.h"

#include <string.h>

// True when a query has just these terms.
static bool has_same_terms(const ox_query *query, const ox_term *terms, ox_site site) {
    uint32_t count = 0;
    for (const ox_term *term = terms; term->kind != OX_TERM_END; term++) {
        uint32_t id =
            term->component != NULL ? ox_component_id_of_at(term->component, site) : term->id;
        bool is_there = false;
        for (uint32_t k = 0; k < query->term_count; k++) {
            is_there = is_there || (query->terms[k].id == id && query->terms[k].kind == term->kind);
        }
        if (!is_there) {
            return false;
        }
        count++;
    }
    return count == query->term_count;
}

// A query that the system has with these terms, in any order, or NULL. The world has those first
// that were made last, as the own ones mostly are: so the walk ends with the last of them.
static ox_query *find_own_query(const oxi_system *system, const ox_term *terms, ox_site site) {
    ox_query *query = system->all->world->first_query;
    uint32_t left = system->scope.query_count;
    for (; query != NULL && left > 0; query = query->next) {
        if (query->scope == &system->scope) {
            if (has_same_terms(query, terms, site)) {
                return query;
            }
            left--;
        }
    }
    return NULL;
}

ox_query *ox_system_query_at(ox_system *scope, const ox_term *terms, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_query", site);
    if (system == NULL || !OXI_REQUIRE_ARGUMENT(terms, "ox_system_query", site)) {
        return NULL;
    }
    ox_query *query = find_own_query(system, terms, site);
    if (query != NULL) { // it may be one that is only required
        return oxi_scope_declare_terms(&system->scope, terms, site) ? query : NULL;
    }
    query = ox_query_create_at(system->all->world, terms, site);
    if (query == NULL) {
        return NULL;
    }
    oxi_query_set_scope(query, &system->scope);
    if (!oxi_scope_declare_terms(&system->scope, terms, site)) {
        oxi_query_set_scope(query, NULL);
        oxi_query_end(query, site);
        return NULL;
    }
    return query;
}

ox_lookup ox_system_lookup_at(ox_system *scope, uint32_t component, bool writes, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_lookup", site);
    if (system == NULL) {
        return (ox_lookup){0};
    }
    ox_lookup lookup = ox_lookup_create_at(system->all->world, component, site);
    oxi_type_use use = {component, writes, true, false};
    if (lookup.world == NULL || !oxi_scope_declare(&system->scope, &use, 1, true, site)) {
        return (ox_lookup){0};
    }
    return lookup;
}

// A tag has no value, and a shared value changes with the structure of the world alone: no job of
// another system waits for either. The terms were found to be usable.
static bool require_ordered(const ox_world *world, const ox_term *terms, ox_site site) {
    for (const ox_term *term = terms; term->kind != OX_TERM_END; term++) {
        if (!oxi_term_has_values(term->kind)) {
            continue;
        }
        uint32_t id =
            term->component != NULL ? ox_component_id_of_at(term->component, site) : term->id;
        const ox_component_info *info = ox_component_get_info(id);
        bool is_read = oxi_kind_of(info)->has_value && !oxi_term_writes(term->kind);
        if (!oxi_is_state_of_rows(info) && !is_read) {
            return oxi_report_kind(world, id, "ox_system_declare",
                                   "it orders no systems: declare a component with values, such as "
                                   "OX_COMPONENT(Name, OX_NO_FIELDS),",
                                   site);
        }
    }
    return true;
}

bool ox_system_declare_at(ox_system *scope, const ox_term *terms, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_declare", site);
    return system != NULL && OXI_REQUIRE_ARGUMENT(terms, "ox_system_declare", site) &&
           oxi_scope_declare_terms(&system->scope, terms, site) &&
           require_ordered(system->all->world, terms, site);
}

// What a query that is given up found is not asked for any more.
static void forget_required(const ox_query *query) {
    oxi_systems *all = oxi_systems_get(query->world);
    if (all != NULL) {
        oxi_systems_look_again(all);
    }
    uint32_t left = query->require_count;
    for (size_t k = all != NULL ? all->items.count : 0; left > 0 && k > 0; k--) {
        oxi_system *system = all->items.items[k - 1];
        for (size_t n = system->required.count; n > 0; n--) {
            if (system->required.items[n - 1] == query) {
                oxi_list_remove(&system->required, n - 1);
                left--;
            }
        }
    }
}

static bool add_required(oxi_system *system, ox_query *query, ox_site site) {
    if (!oxi_list_push_in(system->all->world->store.heap, &system->required, query)) {
        return oxi_world_report(system->all->world, OXI_NO_MEMORY, site);
    }
    query->on_end = forget_required;
    query->require_count++;
    oxi_systems_look_again(system->all);
    return true;
}

bool ox_system_require_at(ox_system *scope, ox_query *query, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_require", site);
    if (system == NULL || !oxi_query_require(query, "ox_system_require", site)) {
        return false;
    }
    const ox_world *world = system->all->world;
    return OXI_REQUIRE(query->world == world, &world->sink, OX_REPORT_FOREIGN_HANDLE, site,
                       OXI_NAME("kind", "query"), OXI_NAME("world", world->name)) &&
           add_required(system, query, site);
}

bool oxi_system_declare_def(oxi_system *system, ox_site site) {
    const ox_system_def *def = &system->def;
    for (int k = 0; k < OX_MAX_SYSTEM_JOBS && def->jobs[k] != NULL; k++) {
        if (!oxi_scope_declare_terms(&system->scope, def->jobs[k]->terms, site)) {
            return false;
        }
    }
    if (def->require[0].kind == OX_TERM_END) {
        return true;
    }
    // It is only asked whether it finds anything: that declares no access.
    ox_term terms[OX_MAX_REQUIRED + 1] = {{OX_TERM_END, NULL, 0}};
    memcpy(terms, def->require, sizeof def->require);
    ox_query *query = ox_query_create_at(system->all->world, terms, site);
    if (query == NULL) {
        return false;
    }
    oxi_query_set_scope(query, &system->scope);
    return add_required(system, query, site);
}

void oxi_system_free_queries(oxi_system *system, ox_site site) {
    ox_query *query = system->all->world->first_query;
    for (size_t k = 0; k < system->required.count; k++) {
        system->required.items[k]->require_count--;
    }
    oxi_list_clear(&system->required);
    while (query != NULL && system->scope.query_count > 0) {
        ox_query *next = query->next;
        if (query->scope == &system->scope) {
            oxi_query_end(query, site);
        }
        query = next;
    }
}

bool oxi_system_is_required(oxi_system *system) {
    for (size_t k = 0; k < system->required.count; k++) {
        ox_query *query = system->required.items[k];
        bool is_met = false;
        if (query->seen != query->world->store.archetypes.count &&
            !oxi_query_update(query, system->def.site)) {
            return false;
        }
        for (size_t n = 0; n < query->matches.count && !is_met; n++) {
            is_met = query->matches.items[n]->live > 0;
        }
        if (!is_met) {
            return false;
        }
    }
    return true;
}
