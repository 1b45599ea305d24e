// SPDX-License-Identifier: MIT
//
// Moving entities between worlds: what is allowed, and who hears of it. The chunks themselves are
// handed over in storage.

#include "oxbow/world.h"

#include "commands/two_worlds.h"
#include "entities/query.h"
#include "entities/sync.h"
#include "storage/handover.h"

bool oxi_two_worlds_require(const ox_world *to, const ox_world *from, const char *function,
                            ox_site site) {
    return oxi_world_require(to, function, site) && oxi_world_require(from, function, site) &&
           OXI_REQUIRE(to != from, &to->sink, OX_REPORT_SAME_WORLD, site,
                       OXI_NAME("function", function), OXI_NAME("world", to->name));
}

bool oxi_report_shared_owned(const ox_world *to, const ox_world *from, uint32_t component,
                             ox_site site) {
    return OXI_REPORT(&to->sink, OX_REPORT_SHARED_OWNED, site,
                      OXI_NAME("component", ox_component_get_info(component)->name),
                      OXI_NAME("from", from->name), OXI_NAME("to", to->name));
}

// Both worlds wait for their jobs, hear that they change, and have no holes. @return false after a
// report.
static bool sync_both(ox_world *to, ox_world *from, ox_site site) {
    if (!oxi_sync_all(to, site) || !oxi_sync_all(from, site)) {
        return false;
    }
    oxi_store_close(&to->store);
    oxi_store_close(&from->store);
    return true;
}

// Lists the chunks of an archetype that go: those that pass the query, or all. @return false when
// out of memory.
static bool list_chunks(oxi_handover *plan, const ox_query *query, oxi_archetype *archetype) {
    bool is_done = true;
    for (size_t k = 0; is_done && k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk != 0 && (query == NULL || oxi_query_passes(query, archetype, chunk))) {
            is_done = oxi_handover_add(plan, chunk);
        }
    }
    return is_done;
}

static bool list_all(oxi_handover *plan, const ox_query *query) {
    size_t count = query != NULL ? query->matches.count : plan->from->archetypes.count;
    bool is_done = true;
    for (size_t k = 0; is_done && k < count; k++) {
        is_done = list_chunks(plan, query,
                              query != NULL ? query->matches.items[k]
                                            : oxi_archetype_at(plan->from, (uint32_t)k));
    }
    return is_done && oxi_handover_list_values(plan);
}

static bool require_ids(const ox_world *to, const ox_moved_ids *ids, int64_t rows,
                        const char *function, ox_site site) {
    return OXI_REQUIRE(
        ids == NULL || ids->capacity >= rows || (ids->before == NULL && ids->after == NULL),
        &to->sink, OX_REPORT_BAD_COUNT, site, OXI_INTEGER("count", ids->capacity),
        OXI_NAME("function", function), OXI_INTEGER("least", rows), OXI_INTEGER("most", INT64_MAX));
}

// Frees a plan that comes to nothing, with the archetypes that were made for it.
static void undo_plan(ox_world *to, oxi_handover *plan) {
    oxi_handover_free(plan);
    oxi_archetypes_undo(&to->store, plan->archetypes);
}

void oxi_two_worlds_pair(ox_world *to, ox_world *from) {
    OXI_ASSERT(to->partner == NULL);
    OXI_ASSERT(from->partner == NULL);
    to->partner = from;
    from->partner = to;
}

void oxi_two_worlds_part(ox_world *to, ox_world *from) {
    OXI_ASSERT(to->partner == from);
    OXI_ASSERT(from->partner == to);
    to->partner = NULL;
    from->partner = NULL;
}

// True when all that is listed can go, and all it needs is there; else reports. What was planned is
// freed first, so that who hears of it finds both worlds as they were.
static bool prepare(ox_world *to, ox_world *from, oxi_handover *plan, const char *function,
                    const ox_moved_ids *ids, ox_site site) {
    uint64_t rows = plan->rows;
    if (!require_ids(to, ids, (int64_t)rows, function, site)) {
        undo_plan(to, plan);
        return false;
    }
    oxi_two_worlds_pair(to, from);
    uint32_t owned = oxi_handover_find_owned(plan);
    oxi_outcome outcome = OXI_DONE;
    if (owned == 0) {
        outcome = oxi_handover_reserve(plan);
    }
    if (owned != 0 || outcome != OXI_DONE) {
        undo_plan(to, plan);
    }
    oxi_two_worlds_part(to, from);
    if (owned != 0) {
        return oxi_report_shared_owned(to, from, owned, site);
    }
    return outcome == OXI_DONE || oxi_world_report_entities(to, outcome, rows, site);
}

static void report_names(const ox_world *to, const ox_world *from, const oxi_handover *plan,
                         ox_site site) {
    for (size_t k = 0; k < plan->names.count; k++) {
        const oxi_handed_name *name = &plan->names.items[k];
        if (name->made == NULL) {
            OXI_REPORT(&to->sink, OX_REPORT_NAME_LEFT, site,
                       OXI_NUMBER("index", name->before.index),
                       OXI_NUMBER("version", name->before.version), OXI_NAME("from", from->name),
                       OXI_NAME("name", name->left->text), OXI_NAME("world", to->name));
        }
    }
}

static int64_t move_entities(ox_world *to, ox_world *from, const ox_query *query,
                             const char *function, const ox_moved_ids *ids, ox_site site) {
    if (!sync_both(to, from, site)) {
        return -1;
    }
    oxi_handover plan = {
        .to = &to->store, .from = &from->store, .archetypes = to->store.archetypes.count};
    if (!list_all(&plan, query)) {
        undo_plan(to, &plan);
        oxi_world_report(to, OXI_NO_MEMORY, site);
        return -1;
    }
    if (!prepare(to, from, &plan, function, ids, site)) {
        return -1;
    }
    int64_t rows = plan.rows;
    oxi_handed_ids handed = {ids != NULL ? ids->before : NULL, ids != NULL ? ids->after : NULL};
    oxi_world_note_change(to, site);
    oxi_world_note_change(from, site);
    oxi_handover_commit(&plan, handed);
    oxi_world_check(to);
    oxi_world_check(from);
    report_names(to, from, &plan, site);
    oxi_handover_free(&plan);
    return rows;
}

int64_t ox_world_move_at(ox_world *to, ox_world *from, const ox_moved_ids *ids, ox_site site) {
    static const char function[] = "ox_world_move";
    return oxi_two_worlds_require(to, from, function, site)
               ? move_entities(to, from, NULL, function, ids, site)
               : -1;
}

// True for a query that decides by whole chunks; else reports.
static bool require_chunks(const ox_query *query, const char *function, ox_site site) {
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].rule != OXI_BITS_IGNORED) {
            return OXI_REPORT(
                &query->world->sink, OX_REPORT_MOVE_BY_ROWS, site,
                OXI_SITE("query_site", query->site),
                OXI_NAME("component", ox_component_get_info(query->terms[k].id)->name),
                OXI_NAME("function", function));
        }
    }
    return true;
}

int64_t ox_world_move_query_at(ox_world *to, ox_query *query, const ox_moved_ids *ids,
                               ox_site site) {
    static const char function[] = "ox_world_move_query";
    if (!oxi_query_require(query, function, site) ||
        !oxi_two_worlds_require(to, query->world, function, site) ||
        !oxi_query_enter(query, function, site) || !require_chunks(query, function, site)) {
        return -1;
    }
    return move_entities(to, query->world, query, function, ids, site);
}
