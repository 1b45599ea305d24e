// SPDX-License-Identifier: MIT
//
// What a job over entities reads and writes: its terms, switches that decide about rows, lookups
// and views.

#include "entities/entity_job.h"

#include "entities/held.h"
#include "entities/kinds.h"

// True when a job can have a component as its term says; else reports. Others are looked at when
// the query of the job is made, which can have more.
static bool require_kind_of_term(const ox_world *world, const ox_term *term, uint32_t id,
                                 ox_site site) {
    bool has_value =
        term->kind == OX_TERM_READ || term->kind == OX_TERM_WRITE || term->kind == OX_TERM_OPTIONAL;
    return !has_value || oxi_require_value(world, id, site);
}

// The component of a term. @return false after a report: it cannot be used as the term says.
static bool find_id(const ox_world *world, const ox_term *term, uint32_t *id, ox_site site) {
    *id = term->component != NULL ? ox_component_id_of_at(term->component, site) : term->id;
    if (*id == 0 && term->component != NULL) {
        return false; // its registration was refused, with a report
    }
    if (!oxi_component_check(world, *id, site)) {
        return false;
    }
    return require_kind_of_term(world, term, *id, site);
}

static bool add_use(oxi_entity_schedule *schedule, uint32_t id, bool writes, ox_site site) {
    const ox_world *world = schedule->query->world;
    for (uint32_t k = 0; k < schedule->use_count; k++) {
        if (schedule->uses[k].component == id) {
            schedule->uses[k].writes = schedule->uses[k].writes || writes;
            return true;
        }
    }
    if (!oxi_count_require(world, schedule->use_count + 1, OXI_MOST_USES, "a job over entities",
                           site)) {
        return false;
    }
    // Else no entity ever had it. Shared values change with the structure of the world alone.
    if (oxi_store_knows(&world->store, id) && !oxi_kind_of_id(id)->in_lane) {
        schedule->uses[schedule->use_count++] = (oxi_type_use){id, writes, false, false};
    }
    return true;
}

// A component stands in one term with a value, and in one for its switch.
static bool require_single_term(const oxi_entity_schedule *schedule, ox_term_kind kind, uint32_t id,
                                ox_site site) {
    const ox_world *world = schedule->query->world;
    for (uint32_t k = 0; k < schedule->term_count; k++) {
        bool is_switch = schedule->type->terms[k].kind == OX_TERM_ENABLED;
        bool is_other = schedule->ids[k] != id || schedule->type->terms[k].kind == OX_TERM_CHANGED;
        if (!OXI_REQUIRE(is_other || is_switch != (kind == OX_TERM_ENABLED), &world->sink,
                         OX_REPORT_DUPLICATE, site,
                         OXI_NAME("what", ox_component_get_info(id)->name),
                         OXI_NAME("function", "a job over entities"))) {
            return false;
        }
    }
    return true;
}

// What decides about rows is read.
static bool add_rule_uses(oxi_entity_schedule *schedule, ox_site site) {
    const ox_query *query = schedule->query;
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].rule != OXI_BITS_IGNORED &&
            !add_use(schedule, query->terms[k].id, false, site)) {
            return false;
        }
    }
    return true;
}

static bool names_component(ox_term_kind kind) {
    return kind != OX_TERM_ENTITY && kind != OX_TERM_INDEX;
}

// The ids and accesses of a job's terms. @return false after a report.
bool oxi_job_read_terms(oxi_entity_schedule *schedule, ox_site site) {
    const ox_world *world = schedule->query->world;
    OXI_ASSERT(schedule->use_count == 0);
    OXI_ASSERT(schedule->term_count == 0);
    schedule->uses[schedule->use_count++] = (oxi_type_use){0, false, false, false};
    for (const ox_term *term = schedule->type->terms; term->kind != OX_TERM_END; term++) {
        uint32_t id = 0;
        if (!oxi_term_require(world, term, "a job over entities", site) ||
            !oxi_count_require(world, schedule->term_count + 1, OX_MAX_TERMS, "a job over entities",
                               site) ||
            (names_component(term->kind) && !find_id(world, term, &id, site)) ||
            (oxi_term_has_values(term->kind) &&
             (!require_single_term(schedule, term->kind, id, site) ||
              !add_use(schedule, id, oxi_term_writes(term->kind), site)))) {
            return false;
        }
        schedule->asks_changes = schedule->asks_changes || term->kind == OX_TERM_CHANGED;
        bool has_column = oxi_term_has_values(term->kind) || oxi_term_is_per_chunk(term->kind);
        schedule->ids[schedule->term_count++] = has_column ? id : 0;
        schedule->column_count = has_column ? schedule->term_count : schedule->column_count;
    }
    OXI_ASSERT(schedule->column_count <= schedule->term_count);
    return add_rule_uses(schedule, site);
}

// Lookups and views. They count as terms that every chunk has.

static bool require_own(const ox_world *world, const oxi_held_field *held, ox_site site) {
    return OXI_REQUIRE(held->world == world, &world->sink, OX_REPORT_FOREIGN_HANDLE, site,
                       OXI_NAME("kind", held->view.query != NULL ? "view" : "lookup"),
                       OXI_NAME("world", world->name));
}

// Adds what a lookup or view reads or writes. Where a term does the same, the safety system has its
// say.
static bool add_held_use(oxi_entity_schedule *schedule, uint32_t component, bool writes,
                         ox_site site) {
    const ox_world *world = schedule->query->world;
    for (uint32_t k = 0; k < schedule->use_count; k++) {
        oxi_type_use *use = &schedule->uses[k];
        if (use->component == component) {
            use->writes = use->writes || writes;
            use->is_lookup = use->is_lookup || writes;
            return true;
        }
    }
    if (!oxi_count_require(world, schedule->use_count + 1, OXI_MOST_USES, "a job over entities",
                           site)) {
        return false;
    }
    schedule->uses[schedule->use_count++] = (oxi_type_use){component, writes, true, false};
    return true;
}

// The job's copy of a lookup waits for nothing. @return false after a report.
static bool copy_lookup(oxi_entity_schedule *schedule, const oxi_held_field *held, const void *data,
                        ox_site site) {
    ox_world *world = schedule->query->world;
    size_t size = schedule->type->job.type.size;
    if (schedule->data.count == 0 &&
        !oxi_list_append_in(world->store.heap, &schedule->data, data, size)) {
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    OXI_ASSERT(schedule->data.count == size);
    oxi_lookups_open_in_jobs(world);
    oxi_held_patch_lookup(held, &world->reach[OXI_REACH_IN_JOBS], schedule->data.items);
    return true;
}

// Finds the lookups and views in the struct of a job. @return false after a report.
bool oxi_job_read_held(oxi_entity_schedule *schedule, const void *data, ox_site site) {
    oxi_held_walk walk;
    oxi_held_field held;
    schedule->term_use_count = schedule->use_count;
    if (!oxi_held_begin(&walk, &schedule->type->job, data, site)) {
        return false;
    }
    while (oxi_held_next(&walk, &held)) {
        if (!oxi_held_require(&held, site) || !require_own(schedule->query->world, &held, site) ||
            !oxi_held_reserve_view(&held, site) ||
            (held.view.query == NULL && !copy_lookup(schedule, &held, data, site)) ||
            !add_held_use(schedule, held.use.component, held.use.writes, site)) {
            return false;
        }
    }
    return true;
}

void oxi_job_note_held(const oxi_entity_schedule *schedule, const void *data, ox_job job) {
    oxi_held_walk walk;
    oxi_held_field held;
    oxi_held_begin(&walk, &schedule->type->job, data, NULL);
    while (oxi_held_next(&walk, &held)) {
        oxi_held_note_view(&held, job);
    }
}

// True when a query with this term lets a job do what its own term says. What a job reads must be
// in every chunk, unless the job says that it may be missing.
static bool is_declared(const ox_query *query, uint32_t id, ox_term_kind kind) {
    for (uint32_t k = 0; k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        if (term->id == id &&
            (term->kind == OX_TERM_WRITE || term->kind == kind ||
             (term->kind == OX_TERM_READ && oxi_term_has_values(kind) && !oxi_term_writes(kind)))) {
            return true;
        }
    }
    return false;
}

// A query of the user must declare what the job does.
bool oxi_job_require_declared(const oxi_entity_schedule *schedule, ox_site site) {
    const ox_query *query = schedule->query;
    for (uint32_t k = 0; k < schedule->term_count; k++) {
        ox_term_kind kind = schedule->type->terms[k].kind;
        if (oxi_term_has_values(kind) && !is_declared(query, schedule->ids[k], kind)) {
            oxi_term_want want = oxi_term_writes(kind) ? OXI_WANTS_WRITE : OXI_WANTS_READ;
            return oxi_query_report_term(query, schedule->ids[k], want, site);
        }
    }
    return true;
}
