// SPDX-License-Identifier: MIT
//
// Jobs of users that are not over entities, and hold views or lookups.
//
// Such a job carries no accesses of its own: it stands in no fence. The fences of what it uses are
// marked as busy, so that who comes there asks the safety system; the handle that its system
// returns stands for it. What it writes counts as changed when it is scheduled. All of it is found
// in the struct each time anew: nothing is kept between the steps.

#include "entities/plain_jobs.h"

#include "entities/held.h"
#include "entities/scope.h"

// The system whose update schedules, or NULL.
static oxi_scope *find_system(const ox_world *world) {
    return world->updating != NULL && world->updating->owner != NULL ? world->updating : NULL;
}

// Makes sure that a job can hold this one. What its system did not declare is declared, and waited
// for: what the job comes after does not cover it. @return false after a report.
static bool reserve_held(const oxi_held_field *held, ox_site site) {
    ox_world *world = held->world;
    oxi_scope *system = find_system(world);
    if (!oxi_world_enter(world, "ox_schedule", site) || !oxi_held_reserve_view(held, site)) {
        return false;
    }
    if (system != NULL && (!oxi_scope_declare(system, &held->use, 1, true, site) ||
                           !oxi_scope_reserve(system, site))) {
        return false;
    }
    oxi_store_close(&world->store);
    oxi_lookups_open_in_jobs(world);
    return true;
}

static bool begin_plain_job(const oxi_job_request *request) {
    oxi_held_walk walk;
    oxi_held_field held;
    if (!oxi_held_begin(&walk, request->type, request->data, request->site)) {
        return false;
    }
    while (oxi_held_next(&walk, &held)) {
        if (held.is_watched &&
            (!oxi_held_require(&held, request->site) || !reserve_held(&held, request->site))) {
            return false;
        }
    }
    return true;
}

// What the safety system does not watch may run while entities come and go.
static void patch_plain_copy(void *copy, const oxi_job_request *request) {
    oxi_held_walk walk;
    oxi_held_field held;
    oxi_held_begin(&walk, request->type, request->data, request->site);
    while (oxi_held_next(&walk, &held)) {
        if (held.view.query == NULL) {
            const oxi_reach *reach = &held.world->reach[OXI_REACH_IN_JOBS];
            oxi_held_patch_lookup(&held, held.is_watched ? reach : NULL, copy);
        }
    }
}

// True unless a field before is of the same world.
static bool is_first_of_world(const oxi_held_field *held, const oxi_held_walk *walk) {
    oxi_held_walk before = {walk->scan, walk->data, 0};
    oxi_held_field other;
    while (oxi_held_next(&before, &other) && other.field != held->field) {
        if (other.is_watched && other.world == held->world) {
            return false;
        }
    }
    return true;
}

// Notes a job once for each of its worlds.
static void note_plain_job(ox_world *world, ox_job job, const oxi_job_request *request, int count) {
    oxi_scope *system = find_system(world);
    const oxi_world_watch *watch = world->watch;
    if (system != NULL) {
        oxi_scope_note(system, (oxi_scope_job){job, request->type->type.name, request->site,
                                               .is_auto = false, .is_plain = true});
    }
    if (watch != NULL) {
        const oxi_scope *scope = world->updating != NULL ? world->updating : world->scope;
        watch->scheduled(watch->context, &scope->base, job, request->type, count, request->after,
                         request->site);
    }
}

// What may be written counts as changed: the chunks of a view, or each that has the component.
static void stamp_held(const oxi_held_field *held) {
    const oxi_store *store = &held->world->store;
    const ox_query *query = held->view.query;
    for (size_t k = 0; query != NULL && k < query->windows.count; k++) {
        oxi_chunk chunk = query->windows.items[k].chunk;
        int32_t type = oxi_archetype_find_type(store, oxi_archetype_of(chunk), held->use.component);
        OXI_ASSERT(type >= 0); // the query of the view writes it
        oxi_chunk_entry_of(chunk)->meta->versions[type] = store->version;
    }
    for (uint32_t n = 0; query == NULL && n < store->archetypes.count; n++) {
        const oxi_archetype *archetype = oxi_archetype_at(store, n);
        oxi_chunks_stamp_type(store, archetype,
                              oxi_archetype_find_type(store, archetype, held->use.component));
    }
}

static void note_plain_schedule(ox_job job, const oxi_job_request *request, int count) {
    oxi_held_walk walk;
    oxi_held_field held;
    oxi_held_begin(&walk, request->type, request->data, request->site);
    while (oxi_held_next(&walk, &held)) {
        if (!held.is_watched) {
            continue;
        }
        OXI_ASSERT(held.world != NULL); // required when the job was begun
        if (held.use.writes) {
            stamp_held(&held);
        }
        if (job.value != 0) { // else it is over when main goes on
            oxi_fences_mark_busy(held.world, held.use.component);
            oxi_held_note_view(&held, job);
            if (is_first_of_world(&held, &walk)) {
                note_plain_job(held.world, job, request, count);
            }
        }
    }
}

void oxi_plain_jobs_watch(void) {
    static const oxi_plain_watch watch = {begin_plain_job, patch_plain_copy, note_plain_schedule};
    oxi_jobs_set_plain_watch(&watch);
}
