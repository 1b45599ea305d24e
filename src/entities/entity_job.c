// SPDX-License-Identifier: MIT
//
// Jobs over entities.
//
// At schedule the chunks that match are listed, each with the addresses of its columns, and the
// list travels behind the job's struct; the job is then an ordinary parallel job, one index for
// each chunk. Versions of what it writes are stamped on main when it is scheduled, so workers touch
// nothing but rows.

#include "entities/entity_job.h"

#include "base/heap.h"
#include "entities/scope.h"
#include "jobs/scheduler.h"
#include "safety/job_scan.h"

enum { CHUNKS_PER_BATCH = 1 };

ox_system *ox_world_get_root(ox_world *world) {
    return oxi_world_is_there(world, "ox_world_get_root") ? &world->scope->base : NULL;
}

// What a job writes counts as changed when it is scheduled.
static void stamp_written(oxi_entity_schedule *schedule) {
    const oxi_store *store = &schedule->query->world->store;
    const char *at = schedule->list.items + sizeof(oxi_chunk_list_head);
    for (uint32_t n = 0; n < schedule->chunk_count; n++, at += schedule->stride) {
        oxi_chunk chunk = ((const oxi_listed_chunk *)(const void *)at)->chunk;
        oxi_job_find_columns(schedule, oxi_archetype_of(chunk));
        for (uint32_t k = 0; k < schedule->column_count; k++) {
            if (oxi_term_writes(schedule->type->terms[k].kind)) {
                OXI_ASSERT(schedule->types[k] >= 0); // the query demands it
                oxi_chunk_entry_of(chunk)->meta->versions[schedule->types[k]] = store->version;
            }
        }
    }
}

// So does all that a job may write through lookups and views: each chunk that has the component.
static void stamp_looked_up(const oxi_entity_schedule *schedule) {
    const oxi_store *store = &schedule->query->world->store;
    for (uint32_t k = 0; k < schedule->use_count; k++) {
        const oxi_type_use *use = &schedule->uses[k];
        for (uint32_t n = 0; use->is_lookup && use->writes && n < store->archetypes.count; n++) {
            const oxi_archetype *archetype = oxi_archetype_at(store, n);
            oxi_chunks_stamp_type(store, archetype,
                                  oxi_archetype_find_type(store, archetype, use->component));
        }
    }
}

static ox_job request_job(oxi_entity_schedule *schedule, const void *data, ox_job after,
                          ox_site site) {
    ox_world *world = schedule->query->world;
    OXI_ASSERT(schedule->term_use_count <= schedule->use_count);
    OXI_ASSERT(schedule->list.count ==
               sizeof(oxi_chunk_list_head) + schedule->chunk_count * schedule->stride);
    oxi_job_request request = {
        .type = &schedule->type->job,
        .data = data,
        .after = after,
        .site = site,
        .is_parallel = true,
        .has_no_indices = true,
        .tail = schedule->list.items,
        .tail_size = schedule->list.count,
        .uses = schedule->told,
        .use_count = ox_get_safety_level() > 0 ? schedule->term_use_count : 0,
    };
    ox_job job = oxi_parallel_job_request(&request, (int)schedule->chunk_count, CHUNKS_PER_BATCH);
    if (job.value != 0 && schedule->chunk_count > 0) {
        oxi_fences_note(world, schedule->uses, schedule->use_count, job);
        stamp_written(schedule);
        stamp_looked_up(schedule);
        oxi_job_note_held(schedule, data, job);
    }
    return job;
}

// What a system does is declared, and what it scheduled is kept. @return false after a report.
static bool enter_scope(oxi_entity_schedule *schedule, bool is_auto, ox_site site) {
    oxi_scope *scope = schedule->scope;
    return scope->owner == NULL ||
           (oxi_scope_declare(scope, schedule->uses, schedule->use_count, !is_auto, site) &&
            oxi_scope_reserve(scope, site));
}

static void note_in_scope(const oxi_entity_schedule *schedule, ox_job job, ox_job after,
                          bool is_auto, ox_site site) {
    const oxi_world_watch *watch = schedule->query->world->watch;
    ox_job_type *type = &schedule->type->job;
    oxi_scope_note(schedule->scope, (oxi_scope_job){job, type->type.name, site, is_auto, false});
    if (watch != NULL) {
        watch->scheduled(watch->context, &schedule->scope->base, job, type,
                         (int)schedule->chunk_count, is_auto ? OX_AUTO : after, site);
    }
}

static void note_none(const oxi_entity_schedule *schedule, ox_site site) {
    const oxi_world_watch *watch = schedule->query->world->watch;
    if (watch != NULL && watch->found_none != NULL) {
        watch->found_none(watch->context, schedule->query, &schedule->type->job, site);
    }
}

// All is known: schedules the job, and lets who has to know it know.
static ox_job send_job(oxi_entity_schedule *schedule, const void *data, ox_job after,
                       ox_site site) {
    ox_world *world = schedule->query->world;
    bool is_auto = after.value == OX_AUTO.value;
    if (is_auto && !oxi_fences_input(world, schedule->uses, schedule->use_count, 1, &after, site)) {
        return OX_NO_JOB;
    }
    ox_job job = request_job(schedule, data, after, site);
    if (schedule->chunk_count == 0) {
        note_none(schedule, site);
    }
    if (job.value != 0 && schedule->chunk_count > 0) {
        note_in_scope(schedule, job, after, is_auto, site);
    } else if (is_auto && after.value != 0) {
        // No job waits for the combination: the next change of the world completes it.
        oxi_fences_note(world, schedule->uses, 1, after);
    }
    return job;
}

static ox_job schedule_entities(oxi_entity_schedule *schedule, const void *data, ox_job after,
                                ox_site site) {
    ox_world *world = schedule->query->world;
    ox_job job = OX_NO_JOB;
    bool is_auto = after.value == OX_AUTO.value;
    if (oxi_job_read_held(schedule, data, site) && enter_scope(schedule, is_auto, site) &&
        oxi_fences_reserve(world, schedule->uses, schedule->use_count, schedule->told, site) &&
        oxi_job_list_chunks(schedule, site)) {
        job =
            send_job(schedule, schedule->data.count > 0 ? schedule->data.items : data, after, site);
    }
    oxi_list_free_in(world->store.heap, &schedule->data);
    return job;
}

// Frames often schedule the same job again, with nothing come, gone or moved: the query of a job
// keeps what its last schedule came to. Not of one with lookups or views, which may be others.

static bool holds_nothing(ox_job_type *type, const void *data) {
    oxi_job_scan scan;
    return data == NULL || (oxi_job_scan_get(type, &scan, NULL) && scan.count == 0);
}

// What a term says of a chunk may be another the next time, and a type that is filled by hand may
// get such a term: has_terms does not see it.
static bool is_keepable(const ox_entity_job_type *type) {
    for (const ox_term *term = type->terms; term->kind != OX_TERM_END; term++) {
        if (oxi_term_is_per_chunk(term->kind)) {
            return false;
        }
    }
    return true;
}

// Room for it comes with the query, so keeping cannot fail.
static bool make_kept(ox_query *query, ox_site site) {
    query->kept = oxi_heap_alloc_in(query->world->store.heap, sizeof *query->kept,
                                    _Alignof(oxi_entity_schedule));
    if (query->kept == NULL) {
        return oxi_world_report(query->world, OXI_NO_MEMORY, site);
    }
    *query->kept = (oxi_entity_schedule){.query = NULL};
    return true;
}

static uint64_t number_of_scope(oxi_scope *scope) {
    if (scope->number == 0) {
        scope->number = ++scope->base.world->scope_count;
    }
    return scope->number;
}

static void keep_schedule(const oxi_entity_schedule *schedule) {
    const oxi_store *store = &schedule->query->world->store;
    oxi_entity_schedule *kept = schedule->query->kept;
    OXI_ASSERT(kept != NULL);
    OXI_ASSERT(schedule->data.count == 0); // it holds nothing
    oxi_list_free_in(store->heap, &kept->list);
    *kept = *schedule;
    kept->changes = store->change_count;
    kept->known = store->known_count;
    kept->number = number_of_scope(schedule->scope);
}

static bool is_as_kept(const ox_query *query) {
    const oxi_entity_schedule *kept = query->kept;
    const oxi_store *store = &query->world->store;
    return kept->query != NULL && kept->changes == store->change_count &&
           kept->known == store->known_count;
}

static ox_job schedule_again(oxi_entity_schedule *kept, const void *data, oxi_scope *scope,
                             ox_job after, ox_site site) {
    uint64_t number = number_of_scope(scope);
    OXI_ASSERT(kept == kept->query->kept);
    OXI_ASSERT(kept->changes == kept->query->world->store.change_count);
    bool is_declared = kept->number == number && scope->late_count == 0;
    kept->scope = scope;
    kept->number = number;
    bool is_entered = is_declared ? scope->owner == NULL || oxi_scope_reserve(scope, site)
                                  : enter_scope(kept, after.value == OX_AUTO.value, site);
    return is_entered ? send_job(kept, data, after, site) : OX_NO_JOB;
}

void oxi_job_free_kept(ox_query *query) {
    const oxi_hooks *heap = query->world->store.heap;
    if (query->kept != NULL) {
        oxi_list_free_in(heap, &query->kept->list);
        oxi_heap_free_in(heap, query->kept, sizeof *query->kept, _Alignof(oxi_entity_schedule));
        query->kept = NULL;
    }
}

// A type that can be scheduled, on main and outside of jobs. Else reports.
static bool enter_schedule(ox_entity_job_type *type, const char *function, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(type, function, site) ||
        !OXI_REQUIRE_ARGUMENT(type->terms, function, site) ||
        !oxi_jobs_enter(function, &type->job, site)) {
        return false;
    }
    if (!type->job.oxi_has_tail) { // filled by hand; workers read it once there are jobs of it
        type->job.oxi_has_tail = true;
    }
    return true;
}

ox_job ox_schedule_query_at(ox_entity_job_type *type, ox_query *query, ox_job after,
                            const void *data, ox_site site) {
    oxi_entity_schedule schedule = {.type = type, .query = query};
    if (!oxi_query_enter(query, "ox_schedule_query", site) ||
        !enter_schedule(type, "ox_schedule_query", site) || !oxi_job_read_terms(&schedule, site) ||
        !oxi_job_require_declared(&schedule, site)) {
        return OX_NO_JOB;
    }
    ox_world *world = query->world;
    schedule.scope = query->scope != NULL ? query->scope : world->updating;
    schedule.scope = schedule.scope != NULL ? schedule.scope : world->scope;
    ox_job job = schedule_entities(&schedule, data, after, site);
    oxi_list_free_in(world->store.heap, &schedule.list);
    return job;
}

// The query that was made for a type of job, or NULL.
static ox_query *find_query(const ox_world *world, const ox_entity_job_type *type) {
    ox_query *query = world->first_query;
    while (query != NULL && query->job != type) {
        query = query->next;
    }
    return query;
}

// A type that was filled by hand may have other terms than those its query was made from.
static bool has_terms(const ox_query *query, const ox_term *terms) {
    uint32_t count = 0;
    for (const ox_term *term = terms; term->kind != OX_TERM_END; term++) {
        if (!oxi_term_is_for_jobs(term->kind)) {
            uint32_t id =
                term->component != NULL ? ox_component_id_of_at(term->component, NULL) : term->id;
            if (count == query->term_count || query->terms[count].id != id ||
                query->terms[count].kind != term->kind) {
                return false;
            }
            count++;
        }
    }
    return count == query->term_count;
}

// The query that the terms of a job make, kept in the world by the job's type.
static ox_query *query_of_job(ox_world *world, ox_entity_job_type *type, ox_site site) {
    ox_query *query = find_query(world, type);
    if (query != NULL && has_terms(query, type->terms)) {
        return query;
    }
    if (query != NULL) {
        oxi_query_end(query, site);
    }
    query = ox_query_create_at(world, type->terms, site);
    if (query != NULL && !make_kept(query, site)) {
        oxi_query_end(query, site);
        return NULL;
    }
    if (query != NULL) {
        query->job = type;
    }
    return query;
}

// @return OX_NO_JOB after a report.
static ox_job schedule_anew(ox_query *query, ox_entity_job_type *type, const void *data,
                            oxi_scope *scope, ox_job after, ox_site site) {
    oxi_entity_schedule schedule = {.type = type, .query = query, .scope = scope};
    if (!oxi_query_enter(query, "ox_schedule_entities", site) ||
        !oxi_job_read_terms(&schedule, site)) {
        return OX_NO_JOB;
    }
    ox_job job = schedule_entities(&schedule, data, after, site);
    if (job.value != 0 && is_keepable(type) && holds_nothing(&type->job, data)) {
        keep_schedule(&schedule);
    } else {
        oxi_list_free_in(query->world->store.heap, &schedule.list);
    }
    return job;
}

ox_job ox_schedule_entities_at(ox_entity_job_type *type, ox_system *scope, ox_job after,
                               const void *data, ox_site site) {
    static const char function[] = "ox_schedule_entities";
    if (!OXI_REQUIRE_ARGUMENT(scope, function, site) ||
        !oxi_require_not_ended(scope, function, site) ||
        !OXI_REQUIRE_ARGUMENT(scope->world, function, site) ||
        !oxi_world_enter(scope->world, function, site) || !enter_schedule(type, function, site)) {
        return OX_NO_JOB;
    }
    oxi_scope *who = oxi_scope_of(scope);
    ox_query *query = query_of_job(scope->world, type, site);
    if (query == NULL) {
        return OX_NO_JOB;
    }
    OXI_ASSERT(query->kept != NULL); // room for it came with the query
    OXI_ASSERT(query->job == type);
    bool is_kept = is_as_kept(query) && is_keepable(type);
    return is_kept ? schedule_again(query->kept, data, who, after, site)
                   : schedule_anew(query, type, data, who, after, site);
}
