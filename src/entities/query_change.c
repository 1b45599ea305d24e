// SPDX-License-Identifier: MIT
//
// Changes to all entities of a query.
//
// What matches is collected first, then changed: the query may stop matching meanwhile. Where the
// layouts of chunks agree, as with a tag, whole chunks change sides; else rows move one by one, in
// order. All memory is reserved before the first change.

#include "entities/fences.h"
#include "entities/query.h"

#include "storage/chunk_list.h"
#include "storage/joining.h"

// The chunks of one archetype that pass, and where they go.
typedef struct chunk_change {
    oxi_archetype *from;
    const oxi_edge *edge;
    uint32_t first; // in the list of chunks
    uint32_t count;
    uint32_t rows;
    oxi_relabel relabel;
} chunk_change;

typedef struct query_change {
    OXI_LIST(oxi_chunk) chunks;
    OXI_LIST(chunk_change) parts;
    size_t archetypes; // how many there were before
} query_change;

static void free_change(const ox_world *world, query_change *change) {
    oxi_list_free_in(world->store.heap, &change->chunks);
    oxi_list_free_in(world->store.heap, &change->parts);
}

// Lists the chunks of an archetype that pass. @return false when out of memory.
static bool list_part(const ox_query *query, oxi_archetype *archetype, query_change *change) {
    const oxi_hooks *heap = query->world->store.heap;
    chunk_change part = {.from = archetype, .first = (uint32_t)change->chunks.count};
    for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk != 0 && oxi_query_passes(query, archetype, chunk)) {
            if (!oxi_list_push_in(heap, &change->chunks, chunk)) {
                return false;
            }
            part.count++;
            part.rows += oxi_chunk_entry_of(chunk)->live;
        }
    }
    return part.count == 0 || oxi_list_push_in(heap, &change->parts, part);
}

// Lists what has a component, or lacks it. @return false after a report.
static bool collect_change(ox_query *query, uint32_t component, bool has, query_change *change,
                           ox_site site) {
    oxi_store *store = &query->world->store;
    *change = (query_change){.archetypes = store->archetypes.count};
    oxi_sync_all(query->world, site);
    oxi_store_close(store);
    for (size_t k = 0; k < query->matches.count; k++) {
        oxi_archetype *archetype = query->matches.items[k];
        bool is_meant =
            component == 0 || (oxi_archetype_find_type(store, archetype, component) >= 0) == has;
        if (is_meant && !list_part(query, archetype, change)) {
            free_change(query->world, change);
            return oxi_world_report(query->world, OXI_NO_MEMORY, site);
        }
    }
    return true;
}

// Takes back archetypes that were made for a change, the last first.
static void undo_change(ox_world *world, query_change *change) {
    for (size_t k = change->parts.count; k-- > 0;) {
        chunk_change *part = &change->parts.items[k];
        if (part->edge == NULL) {
            continue;
        }
        oxi_relabel_release(&world->store, &part->relabel);
        oxi_chunks_release(&world->store, part->edge->target);
        if (part->edge->target->index >= change->archetypes &&
            part->edge->target->index + 1 == world->store.archetypes.count) {
            oxi_edge_forget(&world->store, part->from, part->edge);
            oxi_world_undo_set(world, world->store.archetypes.count - 1);
        }
    }
    free_change(world, change);
}

static bool reserve_part(ox_world *world, chunk_change *part, const oxi_chunk *chunks,
                         uint32_t component, bool removes, oxi_outcome *outcome) {
    part->edge = removes ? oxi_edge_remove(&world->store, part->from, component, outcome)
                         : oxi_edge_add(&world->store, part->from, component, outcome);
    if (part->edge == NULL) {
        return false;
    }
    oxi_archetype *to = part->edge->target;
    *outcome = oxi_archetype_fits(part->from, to)
                   ? oxi_relabel_reserve(&world->store, part->from, part->edge, chunks, part->count,
                                         NULL, &part->relabel)
                   : oxi_rows_reserve(&world->store, to, &to->lane, part->rows);
    return *outcome == OXI_DONE;
}

// Moves all rows of some chunks, in order.
static void move_rows(ox_world *world, const chunk_change *part, const oxi_chunk *chunks) {
    for (uint32_t k = 0; k < part->count; k++) {
        oxi_chunk_move(&world->store, part->edge, &part->edge->target->lane, chunks[k]);
    }
    oxi_note_change(&world->store, part->from);
    oxi_note_change(&world->store, part->edge->target);
}

static void commit_part(ox_world *world, chunk_change *part, const oxi_chunk *chunks) {
    const oxi_archetype *to = part->edge->target;
    if (oxi_archetype_fits(part->from, to)) {
        oxi_relabel_commit(&world->store, part->edge, chunks, &part->relabel);
    } else {
        move_rows(world, part, chunks);
    }
}

static bool change_component(ox_query *query, uint32_t component, bool removes, ox_site site) {
    ox_world *world = query->world;
    query_change change;
    if (!oxi_component_check(world, component, site) ||
        !collect_change(query, component, removes, &change, site)) {
        return false;
    }
    oxi_outcome outcome = OXI_DONE;
    for (size_t k = 0; k < change.parts.count; k++) {
        chunk_change *part = &change.parts.items[k];
        if (!reserve_part(world, part, change.chunks.items + part->first, component, removes,
                          &outcome)) {
            uint32_t count = part->from->type_count + 1;
            // First, so that a query that is used in the handler sees no archetype that goes.
            undo_change(world, &change);
            return oxi_world_report_move(world, outcome, count, site);
        }
    }
    for (size_t k = 0; k < change.parts.count; k++) {
        chunk_change *part = &change.parts.items[k];
        commit_part(world, part, change.chunks.items + part->first);
    }
    free_change(world, &change);
    oxi_world_changed(world, site);
    return true;
}

bool ox_query_add_at(ox_query *query, uint32_t component, ox_site site) {
    return oxi_query_enter(query, "ox_query_add", site) &&
           change_component(query, component, false, site);
}

bool ox_query_remove_at(ox_query *query, uint32_t component, ox_site site) {
    return oxi_query_enter(query, "ox_query_remove", site) &&
           change_component(query, component, true, site);
}

static void destroy_chunk(oxi_store *store, oxi_chunk chunk) {
    const ox_entity *entities = oxi_chunk_entities(chunk);
    uint32_t rows = oxi_chunk_entry_of(chunk)->count;
    for (uint32_t row = 0; store->names.count > 0 && row < rows; row++) {
        oxi_name_forget(&store->names, entities[row]);
    }
    oxi_entities_free(&store->entities, entities, rows);
    oxi_chunk_unlink(store, chunk);
}

int64_t ox_query_destroy_entities_at(ox_query *query, ox_site site) {
    query_change change;
    if (!oxi_query_enter(query, "ox_query_destroy_entities", site) ||
        !collect_change(query, 0, false, &change, site)) {
        return 0;
    }
    int64_t count = 0;
    for (size_t k = 0; k < change.parts.count; k++) {
        const chunk_change *part = &change.parts.items[k];
        for (uint32_t n = 0; n < part->count; n++) {
            destroy_chunk(&query->world->store, change.chunks.items[part->first + n]);
        }
        oxi_note_change(&query->world->store, part->from);
        count += part->rows;
    }
    free_change(query->world, &change);
    oxi_world_changed(query->world, site);
    return count;
}
