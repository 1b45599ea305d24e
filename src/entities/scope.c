// SPDX-License-Identifier: MIT
//
// What scopes declare, and the jobs that they scheduled.

#include "entities/scope.h"

#include "entities/entity_job.h"
#include "entities/kinds.h"
#include "entities/query.h"

// The declared use of a component, or NULL.
static oxi_type_use *find_declared(oxi_scope *scope, uint32_t component) {
    for (size_t k = 0; k < scope->uses.count; k++) {
        if (scope->uses.items[k].component == component) {
            return &scope->uses.items[k];
        }
    }
    return NULL;
}

// Waits for what stands in the way of a use that an update learned of.
static bool learn_use(oxi_scope *scope, const oxi_type_use *use, ox_site site) {
    if (scope->learned_at == NULL) {
        scope->learned_at = site;
        scope->learned = use->component;
    }
    return oxi_sync_type_slowly(scope->base.world, use->component, use->writes, site);
}

// A use that was declared. One that is late is waited for when a job comes that needs it.
static bool meet_declared(oxi_scope *scope, oxi_type_use *known, bool waits, ox_site site) {
    return !known->is_late || !waits || !scope->is_updating || learn_use(scope, known, site);
}

static bool declare_use(oxi_scope *scope, const oxi_type_use *use, bool waits, ox_site site) {
    ox_world *world = scope->base.world;
    oxi_type_use *known = find_declared(scope, use->component);
    if (known != NULL && (known->writes || !use->writes)) {
        return meet_declared(scope, known, waits, site);
    }
    oxi_store_number(&world->store, use->component);
    if (!oxi_fences_reserve(world, use, 1, NULL, site)) {
        return false;
    }
    if (known == NULL) {
        if (!oxi_list_push_in(world->store.heap, &scope->uses, *use)) {
            return oxi_world_report(world, OXI_NO_MEMORY, site);
        }
        known = &oxi_list_last(&scope->uses);
    }
    known->writes = use->writes;
    OXI_ASSERT(scope->late_count <= scope->uses.count);
    scope->late_count += scope->is_updating && !known->is_late;
    known->is_late = scope->is_updating;
    return meet_declared(scope, known, waits, site);
}

void oxi_scope_catch_up(oxi_scope *scope) {
    for (size_t k = 0; scope->late_count > 0 && k < scope->uses.count; k++) {
        scope->uses.items[k].is_late = false;
    }
    scope->late_count = 0;
}

bool oxi_scope_declare(oxi_scope *scope, const oxi_type_use *uses, uint32_t count, bool waits,
                       ox_site site) {
    for (uint32_t k = 0; k < count; k++) {
        if (uses[k].component != 0 && !declare_use(scope, &uses[k], waits, site)) {
            return false;
        }
    }
    return true;
}

bool oxi_scope_declare_terms(oxi_scope *scope, const ox_term *terms, ox_site site) {
    for (const ox_term *term = terms; term->kind != OX_TERM_END; term++) {
        if (!oxi_term_require(scope->base.world, term, scope->base.name, site)) {
            return false;
        }
        uint32_t id =
            term->component != NULL ? ox_component_id_of_at(term->component, site) : term->id;
        if (oxi_term_is_for_jobs(term->kind)) {
            continue;
        }
        if (!oxi_component_check(scope->base.world, id, site)) {
            return false;
        }
        oxi_type_use use = {id, oxi_term_writes(term->kind), false, false};
        if (oxi_term_accesses(term->kind, id) && !oxi_scope_declare(scope, &use, 1, true, site)) {
            return false;
        }
    }
    return true;
}

bool oxi_scope_reserve(oxi_scope *scope, ox_site site) {
    ox_world *world = scope->base.world;
    return oxi_list_make_room_at(world->store.heap, &scope->jobs, OXI_LIST_LAYOUT(&scope->jobs), 1,
                                 OX_HERE) ||
           oxi_world_report(world, OXI_NO_MEMORY, site);
}

// A scope that never updates forgets jobs that were completed by others: its list stays short.
static void forget_settled(oxi_scope *scope) {
    size_t kept = 0;
    for (size_t k = 0; k < scope->jobs.count; k++) {
        if (!oxi_job_is_settled(scope->jobs.items[k].job)) {
            scope->jobs.items[kept++] = scope->jobs.items[k];
        }
    }
    scope->jobs.count = kept;
}

void oxi_scope_note(oxi_scope *scope, oxi_scope_job job) {
    if (scope->owner == NULL) {
        return; // the world's own: its fences know the jobs
    }
    OXI_ASSERT(scope->jobs.count < scope->jobs.capacity); // reserved
    scope->auto_count += job.is_auto;
    scope->plain_count += job.is_plain;
    scope->jobs.items[scope->jobs.count++] = job;
    if (!scope->is_updating && scope->jobs.count % 64 == 0) {
        forget_settled(scope);
    }
}

void oxi_scope_complete(oxi_scope *scope, ox_site site) {
    oxi_sync_own(scope, site);
    oxi_list_clear(&scope->jobs);
    scope->returned = OX_NO_JOB;
    scope->auto_count = scope->plain_count = 0;
}

void oxi_scope_free(oxi_scope *scope) {
    const oxi_hooks *heap = scope->base.world->store.heap;
    oxi_list_free_in(heap, &scope->uses);
    oxi_list_free_in(heap, &scope->jobs);
}
