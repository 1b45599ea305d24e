// SPDX-License-Identifier: MIT
//
// Collecting what a query matches before it is changed: the query may stop matching meanwhile. All
// memory is reserved before the first change.

#include "entities/fences.h"
#include "entities/query_change.h"
#include "storage/chunk_list.h"

// Lists the rows of a chunk that match. @return false when out of memory.
static bool list_rows(ox_world *world, oxi_query_change *change, oxi_chunk chunk,
                      const uint64_t *mask) {
    uint32_t rows = oxi_chunk_entry_of(chunk)->count;
    bool is_done = true;
    for (size_t row = oxi_words_find_set(mask, rows, 0); is_done && row < rows;
         row = oxi_words_find_set(mask, rows, row + 1)) {
        is_done = oxi_batch_push(world, &change->batch, oxi_chunk_entities(chunk)[row]);
        change->rows++;
    }
    return is_done;
}

static bool list_whole(ox_world *world, oxi_query_change *change, oxi_chunk_part *part,
                       oxi_chunk chunk) {
    oxi_lane *none = NULL;
    uint32_t rows = oxi_chunk_entry_of(chunk)->live;
    part->count++;
    part->rows += rows;
    change->rows += rows;
    return oxi_list_push_in(world->store.heap, &change->chunks, chunk) &&
           oxi_list_push_in(world->store.heap, &change->lanes, none);
}

// Lists the chunks of the match at `index` that pass. @return false when out of memory.
static bool list_part(ox_query *query, size_t index, oxi_query_change *change) {
    ox_world *world = query->world;
    oxi_archetype *archetype = query->matches.items[index];
    oxi_chunk_part part = {.from = archetype, .first = (uint32_t)change->chunks.count};
    bool is_done = true;
    for (size_t k = 0; is_done && k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk == 0 || !oxi_query_passes(query, archetype, chunk)) {
            continue;
        }
        uint64_t mask[OX_CHUNK_WORDS];
        oxi_mask_kind kind = oxi_query_mask(query, index, chunk, mask);
        if (kind == OXI_MASK_ALL) {
            is_done = list_whole(world, change, &part, chunk);
        } else if (kind == OXI_MASK_SOME) {
            is_done = list_rows(world, change, chunk, mask);
        }
    }
    return is_done &&
           (part.count == 0 || oxi_list_push_in(world->store.heap, &change->parts, part));
}

bool oxi_change_collect(ox_query *query, oxi_meant_fn *is_meant, uint32_t component,
                        oxi_query_change *change, ox_site site) {
    ox_world *world = query->world;
    *change = (oxi_query_change){.archetypes = world->store.archetypes.count};
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    oxi_store_close(&world->store);
    for (size_t k = 0; k < query->matches.count; k++) {
        if (is_meant(world, query->matches.items[k], component) && !list_part(query, k, change)) {
            oxi_change_undo(world, change);
            return oxi_world_report(world, OXI_NO_MEMORY, site);
        }
    }
    return true;
}

// Pins the lanes that the rows of a part move to, and makes room there.
static oxi_outcome reserve_moves(ox_world *world, oxi_query_change *change,
                                 const oxi_chunk_part *part, const oxi_shared_choice *choice) {
    oxi_outcome outcome = OXI_DONE;
    oxi_archetype *to = part->edge->target;
    for (uint32_t k = part->first; outcome == OXI_DONE && k < part->first + part->count; k++) {
        uint32_t values[OXI_MAX_SHARED_TYPES];
        oxi_chunk chunk = change->chunks.items[k];
        oxi_lane_values(&world->store, to, chunk, choice, choice != NULL, values);
        oxi_lane *lane = oxi_lane_take(&world->store, to, values);
        change->lanes.items[k] = lane;
        outcome = lane != NULL ? oxi_rows_reserve_more(&world->store, to, lane,
                                                       oxi_chunk_entry_of(chunk)->live)
                               : OXI_NO_MEMORY;
    }
    return outcome;
}

oxi_outcome oxi_change_reserve_part(ox_world *world, oxi_query_change *change, oxi_chunk_part *part,
                                    const oxi_shared_choice *choice) {
    part->fits = oxi_archetype_fits(part->from, part->edge->target);
    return part->fits
               ? oxi_relabel_reserve(&world->store, part->edge, change->chunks.items + part->first,
                                     part->count, choice, &part->relabel)
               : reserve_moves(world, change, part, choice);
}

static void leave_change_lanes(ox_world *world, const oxi_query_change *change) {
    for (size_t k = 0; k < change->parts.count; k++) {
        const oxi_chunk_part *part = &change->parts.items[k];
        for (uint32_t n = part->first; n < part->first + part->count; n++) {
            if (change->lanes.items[n] != NULL) {
                oxi_lane_leave(&world->store, part->edge->target, change->lanes.items[n]);
            }
        }
    }
}

static void free_change(ox_world *world, oxi_query_change *change) {
    oxi_list_free_in(world->store.heap, &change->chunks);
    oxi_list_free_in(world->store.heap, &change->lanes);
    oxi_list_free_in(world->store.heap, &change->parts);
}

// Moves the rows of a part, or ends them.
static void move_part(ox_world *world, const oxi_query_change *change, const oxi_chunk_part *part) {
    for (uint32_t k = part->first; k < part->first + part->count; k++) {
        oxi_chunk chunk = change->chunks.items[k];
        if (part->edge != NULL) {
            oxi_chunk_move(&world->store, part->edge, change->lanes.items[k], chunk);
        } else {
            oxi_chunk_end(&world->store, chunk);
        }
    }
    oxi_note_change(&world->store, part->from);
    if (part->edge != NULL) {
        oxi_note_change(&world->store, part->edge->target);
    }
}

// Entities of many archetypes may come to one, and chunks that come are joined: so rows go before
// them, into the room that they were promised.
void oxi_change_commit(ox_world *world, oxi_query_change *change) {
    oxi_batch_commit(world, &change->batch, true);
    for (size_t k = 0; k < change->parts.count; k++) {
        if (!change->parts.items[k].fits) {
            move_part(world, change, &change->parts.items[k]);
        }
    }
    for (size_t k = 0; k < change->parts.count; k++) {
        oxi_chunk_part *part = &change->parts.items[k];
        if (part->fits) {
            oxi_relabel_commit(&world->store, part->edge, change->chunks.items + part->first,
                               &part->relabel);
        }
    }
    leave_change_lanes(world, change);
    free_change(world, change);
}

void oxi_change_undo(ox_world *world, oxi_query_change *change) {
    oxi_batch_free(world, &change->batch);
    for (size_t k = change->parts.count; k-- > 0;) {
        oxi_chunk_part *part = &change->parts.items[k];
        if (part->edge != NULL) {
            oxi_relabel_release(&world->store, &part->relabel);
        }
    }
    leave_change_lanes(world, change);
    for (size_t k = 0; k < change->parts.count; k++) {
        if (change->parts.items[k].edge != NULL) {
            oxi_chunks_release(&world->store, change->parts.items[k].edge->target);
        }
    }
    free_change(world, change);
    oxi_world_undo_archetypes(world, change->archetypes);
}
