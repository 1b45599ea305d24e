// SPDX-License-Identifier: MIT
//
// Invariants: an entity among the rows is marked, so that each comes once however often it is
// pushed; the marks are gone before anything moves. A row or a chunk that has an edge has a pinned
// lane, and room there.

#include "storage/plan.h"

#include "storage/archetype_graph.h"
#include "storage/kind_rows.h"

static oxi_chunk chunk_of(const oxi_store *store, ox_entity entity) {
    return store->entities.records[entity.index].chunk;
}

// Listing.

bool oxi_plan_has(const oxi_store *store, ox_entity entity) {
    const oxi_record *record = oxi_entity_find(&store->entities, entity);
    return record != NULL && oxi_record_is_marked(record);
}

oxi_record oxi_plan_record(const oxi_store *store, ox_entity entity) {
    oxi_record record = store->entities.records[entity.index];
    oxi_record_unmark(&record);
    return record;
}

bool oxi_plan_push(oxi_plan *plan, ox_entity entity) {
    oxi_plan_row row = {.entity = entity};
    OXI_ASSERT(plan->archetypes == 0);
    OXI_ASSERT(oxi_entity_find(&plan->store->entities, entity) != NULL);
    if (oxi_plan_has(plan->store, entity)) {
        return true;
    }
    if (!oxi_list_push_in(plan->store->heap, &plan->rows, row)) {
        return false;
    }
    oxi_record_mark(&plan->store->entities.records[entity.index]);
    return true;
}

bool oxi_plan_push_chunk(oxi_plan *plan, oxi_chunk chunk) {
    const oxi_hooks *heap = plan->store->heap;
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    oxi_lane *none = NULL;
    OXI_ASSERT(plan->archetypes == 0);
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->first_dead == OXI_NO_ROW);
    if (plan->parts.count == 0 || oxi_list_last(&plan->parts).from != archetype) {
        oxi_plan_part part = {.from = archetype, .first = (uint32_t)plan->chunks.count};
        if (!oxi_list_push_in(heap, &plan->parts, part)) {
            return false;
        }
    }
    if (!oxi_list_push_in(heap, &plan->chunks, chunk) ||
        !oxi_list_push_in(heap, &plan->lanes, none)) {
        return false;
    }
    oxi_list_last(&plan->parts).count++;
    return true;
}

bool oxi_plan_split_chunks(oxi_plan *plan) {
    for (size_t k = 0; k < plan->chunks.count; k++) {
        oxi_chunk chunk = plan->chunks.items[k];
        for (uint32_t row = 0; row < oxi_chunk_entry_of(chunk)->count; row++) {
            if (!oxi_plan_push(plan, oxi_chunk_entities(chunk)[row])) {
                return false;
            }
        }
    }
    plan->chunks.count = plan->lanes.count = plan->parts.count = 0;
    return true;
}

static bool has_shared(const oxi_store *store, oxi_chunk chunk, const oxi_shared_choice *choice) {
    return oxi_chunk_shared_number(store, oxi_archetype_of(chunk), chunk, choice->component) ==
           choice->number;
}

void oxi_plan_forget_shared(oxi_plan *plan, const oxi_shared_choice *choice) {
    size_t kept = 0;
    for (size_t k = 0; k < plan->rows.count; k++) {
        oxi_plan_row row = plan->rows.items[k];
        if (has_shared(plan->store, chunk_of(plan->store, row.entity), choice)) {
            oxi_record_unmark(&plan->store->entities.records[row.entity.index]);
        } else {
            plan->rows.items[kept++] = row;
        }
    }
    plan->rows.count = kept;
    for (size_t k = 0; k < plan->parts.count; k++) {
        oxi_plan_part *part = &plan->parts.items[k];
        uint32_t count = 0;
        for (uint32_t n = part->first; n < part->first + part->count; n++) {
            if (!has_shared(plan->store, plan->chunks.items[n], choice)) {
                plan->chunks.items[part->first + count++] = plan->chunks.items[n];
            }
        }
        part->count = count;
    }
}

// Reserving.

// What a change makes of entities of one chunk.
typedef struct planned_fate {
    const oxi_edge *edge; // NULL: they do not move
    bool ends;
} planned_fate;

static oxi_outcome find_added(oxi_store *store, oxi_chunk chunk, const oxi_plan_change *change,
                              planned_fate *fate) {
    oxi_outcome outcome = OXI_DONE;
    oxi_archetype *from = oxi_archetype_of(chunk);
    if (oxi_archetype_find_type(store, from, change->component) < 0) {
        fate->edge = oxi_edge_add(store, from, change->component, &outcome);
    } else if (change->choice != NULL && !has_shared(store, chunk, change->choice)) {
        fate->edge = oxi_edge_to(store, from, from, &outcome);
    }
    return outcome;
}

static oxi_outcome find_removed(oxi_store *store, oxi_archetype *from,
                                const oxi_plan_change *change, planned_fate *fate) {
    oxi_outcome outcome = OXI_DONE;
    if (oxi_archetype_find_type(store, from, change->component) < 0) {
        return OXI_DONE;
    }
    fate->ends = oxi_residue_ends(from, 1);
    if (!fate->ends) {
        fate->edge = oxi_edge_remove(store, from, change->component, &outcome);
    }
    return outcome;
}

static oxi_outcome find_fate(oxi_store *store, oxi_chunk chunk, const oxi_plan_change *change,
                             planned_fate *fate) {
    oxi_outcome outcome = OXI_DONE;
    oxi_archetype *from = oxi_archetype_of(chunk);
    *fate = (planned_fate){0};
    switch (change->kind) {
    case OXI_PLAN_ADD:
        return find_added(store, chunk, change, fate);
    case OXI_PLAN_REMOVE:
        return find_removed(store, from, change, fate);
    case OXI_PLAN_SET_SHARED:
        fate->edge = oxi_edge_to(store, from, from, &outcome);
        return outcome;
    case OXI_PLAN_END:
        fate->ends = !from->leaves_residue;
        if (!fate->ends) {
            fate->edge = oxi_edge_residue(store, from, &outcome);
        }
        return outcome;
    }
    return outcome;
}

// Pins the lane that rows of a chunk go to along an edge, and makes room for `count` there.
static oxi_outcome reserve_plan_lane(oxi_store *store, const oxi_edge *edge, oxi_chunk chunk,
                                     const oxi_shared_choice *choice, uint32_t count,
                                     oxi_lane **lane) {
    uint32_t values[OXI_MAX_SHARED_TYPES];
    oxi_lane_values(store, edge->target, chunk, choice, choice != NULL, values);
    *lane = oxi_lane_take(store, edge->target, values);
    return *lane != NULL ? oxi_rows_reserve_more(store, edge->target, *lane, count) : OXI_NO_MEMORY;
}

// How many rows from `first` on are of the same chunk. Neighbours in a list mostly are neighbours
// in a chunk, too.
static size_t count_neighbours(const oxi_plan *plan, size_t first) {
    oxi_chunk chunk = chunk_of(plan->store, plan->rows.items[first].entity);
    size_t end = first + 1;
    while (end < plan->rows.count && chunk_of(plan->store, plan->rows.items[end].entity) == chunk) {
        end++;
    }
    return end - first;
}

static oxi_outcome reserve_plan_rows(oxi_plan *plan, const oxi_plan_change *change) {
    for (size_t k = 0; k < plan->rows.count;) {
        planned_fate fate;
        size_t count = count_neighbours(plan, k);
        oxi_lane *lane = NULL;
        oxi_chunk chunk = chunk_of(plan->store, plan->rows.items[k].entity);
        oxi_outcome outcome = find_fate(plan->store, chunk, change, &fate);
        if (outcome == OXI_DONE && fate.edge != NULL) {
            outcome = reserve_plan_lane(plan->store, fate.edge, chunk, change->choice,
                                        (uint32_t)count, &lane);
        }
        for (size_t end = k + count; k < end; k++) {
            oxi_plan_row *row = &plan->rows.items[k];
            *row = (oxi_plan_row){row->entity, lane != NULL ? fate.edge : NULL, lane, fate.ends};
            if (lane != NULL && k + 1 < end) {
                oxi_lane_pin(fate.edge->target, lane); // once for each
            }
        }
        if (outcome != OXI_DONE) {
            return outcome;
        }
    }
    return OXI_DONE;
}

static oxi_outcome reserve_plan_part(oxi_plan *plan, oxi_plan_part *part,
                                     const oxi_plan_change *change) {
    planned_fate fate;
    const oxi_chunk *chunks = plan->chunks.items + part->first;
    if (part->count == 0) {
        return OXI_DONE;
    }
    oxi_outcome outcome = find_fate(plan->store, chunks[0], change, &fate);
    part->edge = fate.edge;
    if (outcome != OXI_DONE || fate.edge == NULL) {
        OXI_ASSERT(outcome != OXI_DONE || fate.ends);
        return outcome;
    }
    part->fits = oxi_archetype_fits(part->from, part->edge->target);
    if (part->fits) {
        return oxi_relabel_reserve(plan->store, part->edge, chunks, part->count, change->choice,
                                   &part->relabel);
    }
    for (uint32_t k = 0; outcome == OXI_DONE && k < part->count; k++) {
        outcome = reserve_plan_lane(plan->store, part->edge, chunks[k], change->choice,
                                    oxi_chunk_entry_of(chunks[k])->live,
                                    &plan->lanes.items[part->first + k]);
    }
    return outcome;
}

oxi_outcome oxi_plan_reserve(oxi_plan *plan, const oxi_plan_change *change) {
    OXI_ASSERT(plan->archetypes == 0);
    plan->archetypes = plan->store->archetypes.count;
    for (size_t k = 0; k < plan->parts.count; k++) {
        oxi_outcome outcome = reserve_plan_part(plan, &plan->parts.items[k], change);
        if (outcome != OXI_DONE) {
            return outcome;
        }
    }
    return reserve_plan_rows(plan, change);
}

// Ending.

static void clear_marks(const oxi_plan *plan) {
    for (size_t k = 0; k < plan->rows.count; k++) {
        oxi_record_unmark(&plan->store->entities.records[plan->rows.items[k].entity.index]);
    }
}

static void leave_lanes(oxi_plan *plan) {
    for (size_t k = 0; k < plan->rows.count; k++) {
        const oxi_plan_row *row = &plan->rows.items[k];
        if (row->lane != NULL) {
            oxi_lane_leave(plan->store, row->edge->target, row->lane);
        }
    }
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_plan_part *part = &plan->parts.items[k];
        for (uint32_t n = part->first; n < part->first + part->count; n++) {
            if (plan->lanes.items[n] != NULL) {
                oxi_lane_leave(plan->store, part->edge->target, plan->lanes.items[n]);
            }
        }
    }
}

static void free_lists(oxi_plan *plan) {
    const oxi_hooks *heap = plan->store->heap;
    oxi_list_free_in(heap, &plan->rows);
    oxi_list_free_in(heap, &plan->chunks);
    oxi_list_free_in(heap, &plan->lanes);
    oxi_list_free_in(heap, &plan->parts);
}

void oxi_plan_undo(oxi_plan *plan) {
    clear_marks(plan);
    for (size_t k = plan->parts.count; k-- > 0;) {
        if (plan->parts.items[k].edge != NULL) {
            oxi_relabel_release(plan->store, &plan->parts.items[k].relabel);
        }
    }
    leave_lanes(plan);
    for (size_t k = 0; k < plan->rows.count; k++) {
        if (plan->rows.items[k].edge != NULL) {
            oxi_chunks_release(plan->store, plan->rows.items[k].edge->target);
        }
    }
    for (size_t k = 0; k < plan->parts.count; k++) {
        if (plan->parts.items[k].edge != NULL) {
            oxi_chunks_release(plan->store, plan->parts.items[k].edge->target);
        }
    }
    if (plan->archetypes > 0) {
        oxi_archetypes_undo(plan->store, plan->archetypes);
    }
    free_lists(plan);
}

// Committing.

static void commit_row(oxi_store *store, const oxi_plan_row *row, const oxi_plan_change *change) {
    oxi_record *record = &store->entities.records[row->entity.index];
    if (row->ends) {
        oxi_entity_end(store, row->entity);
        return;
    }
    if (row->edge == NULL) {
        if (change->gives) {
            oxi_row_give(store, (oxi_row_place){record->chunk, record->row}, change->component,
                         change->value);
        }
        return;
    }
    oxi_row_move(store, row->edge, row->lane, row->entity, record, change->value);
    if (change->choice != NULL) {
        oxi_chunk_stamp_component(store, record->chunk, change->component);
    }
}

// Moves the rows of a part, or ends them.
static void commit_part(oxi_plan *plan, const oxi_plan_part *part) {
    if (part->count == 0) {
        return;
    }
    for (uint32_t k = part->first; k < part->first + part->count; k++) {
        if (part->edge != NULL) {
            oxi_chunk_move(plan->store, part->edge, plan->lanes.items[k], plan->chunks.items[k]);
        } else {
            oxi_chunk_end(plan->store, plan->chunks.items[k]);
        }
    }
    oxi_note_change(plan->store, part->from);
    if (part->edge != NULL) {
        oxi_note_change(plan->store, part->edge->target);
    }
}

// Entities of many archetypes may come to one, and chunks that come are joined: so rows go before
// them, into the room that they were promised.
void oxi_plan_commit(oxi_plan *plan, const oxi_plan_change *change) {
    OXI_ASSERT(plan->archetypes > 0);
    clear_marks(plan);
    for (size_t k = 0; k < plan->rows.count; k++) {
        commit_row(plan->store, &plan->rows.items[k], change);
    }
    for (size_t k = 0; k < plan->parts.count; k++) {
        if (!plan->parts.items[k].fits) {
            commit_part(plan, &plan->parts.items[k]);
        }
    }
    for (size_t k = 0; k < plan->parts.count; k++) {
        oxi_plan_part *part = &plan->parts.items[k];
        if (part->fits) {
            oxi_relabel_commit(plan->store, part->edge, plan->chunks.items + part->first,
                               &part->relabel);
        }
    }
    leave_lanes(plan);
    free_lists(plan);
}
