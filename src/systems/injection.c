// SPDX-License-Identifier: MIT
//
// What is put into the state of a system: structs of views, lookups, other systems. Filled before
// create, so that it is declared like everything that create makes, and refreshed before each
// update and before destroy.

#include "entities/query.h"
#include "systems/systems.h"

#include "systems/system_registry.h"

// A struct of views begins with its query, which becomes the system's.
static bool inject_views(oxi_system *system, const ox_injection *one, char *field, bool is_creation,
                         ox_site site) {
    ox_query **query = (ox_query **)(void *)field;
    if (!one->fill(system->all->world, field, site)) {
        return false;
    }
    oxi_query_set_scope(*query, &system->scope);
    for (uint32_t k = 0; is_creation && k < (*query)->term_count; k++) {
        const oxi_query_term *term = &(*query)->terms[k];
        ox_term terms[] = {{term->kind, NULL, term->id}, {OX_TERM_END, NULL, 0}};
        if (!oxi_scope_declare_terms(&system->scope, terms, site)) {
            return false;
        }
    }
    return true;
}

static bool inject_lookup(oxi_system *system, const ox_injection *one, char *field, ox_site site) {
    uint32_t id = one->component != NULL ? ox_component_id_of_at(one->component, site) : one->id;
    ox_lookup lookup = ox_system_lookup_at(&system->scope.base, id, one->writes, site);
    memcpy(field, &lookup, sizeof lookup);
    return lookup.world != NULL;
}

// At creation a system that is not there is made; later it may have gone.
static bool inject_system(oxi_system *system, const ox_injection *one, char *field,
                          bool is_creation, int depth, ox_site site) {
    oxi_systems *all = system->all;
    oxi_system *other = oxi_systems_find(all, one->name);
    if (other == NULL && is_creation) {
        const ox_system_def *def = oxi_registry_find(one->name);
        other = def != NULL ? oxi_systems_add(all, def, depth + 1, site)
                            : oxi_systems_bring_end(all, one->name, depth, site);
        if (def == NULL && other == NULL) {
            oxi_report_unknown_system(all, &system->def, ".inject", one->name, site);
        }
        if (other == NULL) {
            return false;
        }
    }
    ox_system *handle = other != NULL ? &other->scope.base : NULL;
    memcpy(field, &handle, sizeof handle);
    return other == NULL || !other->def.is_barrier || oxi_barrier_join(other, system, site);
}

static size_t size_of_injected(const ox_injection *one) {
    switch (one->kind) {
    case OX_INJECTION_VIEWS: {
        size_t least = sizeof(ox_query *) + sizeof(int) + sizeof(ox_view);
        return one->size > least ? one->size : least;
    }
    case OX_INJECTION_LOOKUP:
        return sizeof(ox_lookup);
    default:
        return sizeof(ox_system *);
    }
}

// True when a field lies in the state; else reports.
static bool require_field(const oxi_system *system, const ox_injection *one, ox_site site) {
    size_t size = size_of_injected(one), state = system->def.state;
    bool is_inside = size <= state && one->offset <= state - size;
    bool is_aligned = one->offset % _Alignof(void *) == 0;
    bool is_whole = one->kind == OX_INJECTION_LOOKUP ||
                    (one->kind == OX_INJECTION_VIEWS ? one->fill != NULL : one->name != NULL);
    return OXI_REQUIRE(is_whole, &system->all->world->sink, OX_REPORT_BAD_SYSTEM, site,
                       OXI_NAME("system", system->def.name),
                       OXI_SITE("system_site", system->def.site),
                       OXI_NAME("why", "an injection says neither views nor a name"),
                       OXI_NAME("advice", "use OX_INJECT_VIEWS, _LOOKUP or _SYSTEM")) &&
           OXI_REQUIRE(is_inside, &system->all->world->sink, OX_REPORT_BAD_SYSTEM, site,
                       OXI_NAME("system", system->def.name),
                       OXI_SITE("system_site", system->def.site),
                       OXI_NAME("why", "what is injected lies outside of its state"),
                       OXI_NAME("advice", "write .state = sizeof(the struct) in its def")) &&
           OXI_REQUIRE(is_aligned, &system->all->world->sink, OX_REPORT_BAD_SYSTEM, site,
                       OXI_NAME("system", system->def.name),
                       OXI_SITE("system_site", system->def.site),
                       OXI_NAME("why", "what is injected begins in the middle of a pointer"),
                       OXI_NAME("advice", "pass the offset of the field, as offsetof gives it"));
}

bool oxi_system_inject(oxi_system *system, bool is_creation, int depth, ox_site site) {
    for (int k = 0; k < OX_MAX_INJECTED && system->def.inject[k].kind != OX_INJECTION_NONE; k++) {
        const ox_injection *one = &system->def.inject[k];
        bool is_done = require_field(system, one, site);
        char *field = is_done ? (char *)system->state + one->offset : NULL;
        if (is_done && one->kind == OX_INJECTION_VIEWS) {
            is_done = inject_views(system, one, field, is_creation, site);
        } else if (is_done && one->kind == OX_INJECTION_LOOKUP) {
            is_done = inject_lookup(system, one, field, site);
        } else if (is_done) {
            is_done = inject_system(system, one, field, is_creation, depth, site);
        }
        if (!is_done) {
            return false;
        }
    }
    return true;
}
