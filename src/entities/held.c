// SPDX-License-Identifier: MIT
//
// Views and lookups in the struct of a job, found by what their accesses say. A query remembers the
// jobs that hold views of it: its windows stay as they are until those are complete.

#include "entities/held.h"

#include "entities/scope.h"
#include "safety/access.h"

#include <string.h>

bool oxi_held_begin(oxi_held_walk *walk, ox_job_type *type, const void *data, ox_site site) {
    *walk = (oxi_held_walk){.data = data};
    return data == NULL || oxi_job_scan_get(type, &walk->scan, site);
}

// Reads what is around an access.
static void read_held(const void *data, ox_access access, oxi_held_field *held) {
    const char *at = (const char *)data + held->field->offset;
    bool writes =
        ((held->field->marks & OX_MARK_READ_ONLY) | (access.flags & OX_ACCESS_READ_ONLY)) == 0;
    if ((access.flags & OX_ACCESS_ROWS) != 0) {
        OXI_ASSERT(held->field->offset >= offsetof(ox_view, access));
        memcpy(&held->view, at - offsetof(ox_view, access), sizeof held->view);
        held->world = NULL; // if its query has ended: oxi_held_require reports that
        if (!oxi_has_ended(held->view.query)) {
            held->world = held->view.query->world;
        }
        held->use = (oxi_type_use){held->view.component, writes, true, false};
        return;
    }
    ox_lookup lookup;
    OXI_ASSERT(held->field->offset >= offsetof(ox_lookup, access));
    memcpy(&lookup, at - offsetof(ox_lookup, access), sizeof lookup);
    held->world = lookup.world;
    held->use = (oxi_type_use){lookup.component, writes, true, false};
}

bool oxi_held_next(oxi_held_walk *walk, oxi_held_field *held) {
    while (walk->next < walk->scan.count) {
        const ox_job_field *field = &walk->scan.accesses[walk->next++];
        ox_access access;
        memcpy(&access, (const char *)walk->data + field->offset, sizeof access);
        if ((access.flags & (OX_ACCESS_LOOKUP | OX_ACCESS_ROWS)) != 0 &&
            oxi_access_is_alive(access)) {
            *held = (oxi_held_field){.field = field,
                                     .is_watched = (field->marks & OX_MARK_NO_SAFETY) == 0};
            read_held(walk->data, access, held);
            return true;
        }
    }
    return false;
}

void oxi_held_patch_lookup(const oxi_held_field *held, const oxi_reach *reach, void *data) {
    ox_lookup lookup;
    OXI_ASSERT(held->view.query == NULL); // else it is a view
    char *at = (char *)data + held->field->offset - offsetof(ox_lookup, access);
    memcpy(&lookup, at, sizeof lookup);
    lookup.oxi_reach = reach;
    memcpy(at, &lookup, sizeof lookup);
}

static void drop_settled_jobs(ox_query *query) {
    size_t kept = 0;
    for (size_t k = 0; k < query->view_jobs.count; k++) {
        if (!oxi_job_is_settled(query->view_jobs.items[k])) {
            query->view_jobs.items[kept++] = query->view_jobs.items[k];
        }
    }
    query->view_jobs.count = kept;
}

bool oxi_held_require(const oxi_held_field *held, ox_site site) {
    return oxi_require_not_ended(held->view.query, "a job with a view", site);
}

bool oxi_held_reserve_view(const oxi_held_field *held, ox_site site) {
    ox_query *query = held->view.query;
    if (query == NULL) {
        return true;
    }
    if (!oxi_view_require(&held->view, site)) {
        return false;
    }
    if (query->view_jobs.count == query->view_jobs.capacity) {
        drop_settled_jobs(query);
    }
    return oxi_list_make_room_at(held->world->store.heap, &query->view_jobs,
                                 OXI_LIST_LAYOUT(&query->view_jobs), 1, OX_HERE) ||
           oxi_world_report(held->world, OXI_NO_MEMORY, site);
}

void oxi_held_note_view(const oxi_held_field *held, ox_job job) {
    ox_query *query = held->view.query;
    size_t count = query != NULL ? query->view_jobs.count : 0;
    // A job with several views of one query is remembered once.
    if (query != NULL && (count == 0 || query->view_jobs.items[count - 1].value != job.value)) {
        OXI_ASSERT(count < query->view_jobs.capacity); // reserved
        query->view_jobs.items[query->view_jobs.count++] = job;
    }
}

void oxi_query_complete_jobs(ox_query *query, ox_site site) {
    drop_settled_jobs(query);
    if (query->view_jobs.count > 0) {
        oxi_sync_views(query->world, query->view_jobs.items, query->view_jobs.count, site);
        query->view_jobs.count = 0;
    }
}
