// SPDX-License-Identifier: MIT
//
// Chunks and ids.
//
// Invariant: from listing to the end of the plan `next` is not 0 in the entries of the chunks that
// go. The dirty lists of both stores are empty, so nobody else uses it.

#include "storage/handover.h"

#include "storage/archetype.h"
#include "storage/chunk_list.h"
#include "storage/joining.h"
#include "storage/removal.h"

#include <string.h>

enum { CHUNKS_AHEAD = 2, LINE_BYTES = 64, FORESEEN_BYTES = 1024 };

// Listing.

static bool has_references(const oxi_archetype *archetype) {
    bool has_some = false;
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        has_some =
            has_some || ox_component_get_info(archetype->columns[k].component)->entity_count > 0;
    }
    return has_some;
}

bool oxi_handover_add(oxi_handover *plan, oxi_chunk chunk) {
    const oxi_hooks *heap = plan->to->heap;
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    bool is_new = plan->parts.count == 0 || oxi_list_last(&plan->parts).from != entry->archetype;
    oxi_handed_part part = {.from = entry->archetype, .first = (uint32_t)plan->chunks.count};
    OXI_ASSERT(entry->next == 0);
    OXI_ASSERT(entry->first_dead == OXI_NO_ROW);
    if ((is_new && !oxi_list_push_in(heap, &plan->parts, part)) ||
        !oxi_list_push_in(heap, &plan->chunks, chunk)) {
        return false;
    }
    oxi_list_last(&plan->parts).count++;
    plan->has_references = plan->has_references || (is_new && has_references(entry->archetype));
    plan->rows += entry->count;
    entry->next = chunk;
    return true;
}

// Reserving.

// The target's archetype of a part, with places for its chunks.
static oxi_outcome reserve_part(oxi_handover *plan, oxi_handed_part *part) {
    oxi_outcome outcome;
    part->to = oxi_archetype_get(plan->to, part->from->types, part->from->type_count, &outcome);
    if (part->to == NULL) {
        return outcome;
    }
    // Chunks keep their bytes and the size of their metadata.
    OXI_ASSERT(oxi_archetype_fits(part->from, part->to));
    OXI_ASSERT(part->from->meta_size == part->to->meta_size);
    uint32_t extra = part->count + part->to->spare_count;
    if (!oxi_chunk_list_reserve(plan->to, part->to, &part->to->lane, extra)) {
        return OXI_NO_MEMORY;
    }
    part->to->arriving += part->count;
    part->is_expected = true;
    return OXI_DONE;
}

// Blocks of metadata, where the stores have different heaps.
static bool reserve_metas(oxi_handover *plan) {
    const oxi_hooks *heap = plan->to->heap;
    if (plan->from->heap == heap) {
        return true;
    }
    if (!oxi_list_reserve_in(heap, &plan->metas, plan->chunks.count)) {
        return false;
    }
    for (size_t k = 0; k < plan->chunks.count; k++) {
        uint32_t size = oxi_archetype_of(plan->chunks.items[k])->meta_size;
        oxi_chunk_meta *meta = oxi_heap_alloc_in(heap, size, _Alignof(uint64_t));
        if (meta == NULL) {
            return false;
        }
        plan->metas.items[plan->metas.count++] = meta;
    }
    return true;
}

oxi_outcome oxi_handover_reserve(oxi_handover *plan) {
    oxi_outcome outcome = oxi_entity_reserve(&plan->to->entities, plan->rows);
    for (size_t k = 0; outcome == OXI_DONE && k < plan->parts.count; k++) {
        outcome = reserve_part(plan, &plan->parts.items[k]);
    }
    if (outcome != OXI_DONE) {
        return outcome;
    }
    bool is_done = oxi_chunks_make_room(plan->to, (uint32_t)plan->chunks.count) &&
                   reserve_metas(plan) && oxi_handover_reserve_values(plan) &&
                   oxi_handover_reserve_lanes(plan) && oxi_handover_reserve_blocks(plan) &&
                   oxi_handover_reserve_names(plan);
    return is_done ? OXI_DONE : OXI_NO_MEMORY;
}

// Going.

// Everything in the chunk changed just now, as the target counts.
static void stamp_all(const oxi_store *store, const oxi_archetype *archetype,
                      oxi_chunk_meta *meta) {
    meta->order_version = meta->stamped = store->version;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        meta->versions[k] = store->version;
    }
}

static void hand_chunk(oxi_handover *plan, const oxi_handed_part *part, uint32_t index) {
    oxi_chunk chunk = plan->chunks.items[index];
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    OXI_ASSERT(entry->archetype == part->from);
    OXI_ASSERT(entry->next == chunk);
    OXI_ASSERT(!oxi_archetype_has_lanes(part->to) || index < plan->lanes.count);
    oxi_lane *lane = oxi_archetype_has_lanes(part->to) ? plan->lanes.items[index] : &part->to->lane;
    if (!part->is_whole) {
        oxi_lane_note_change(plan->from, part->from, oxi_chunk_detach(chunk));
    }
    if (plan->metas.count > 0) {
        oxi_chunk_meta *before = entry->meta;
        entry->meta = plan->metas.items[index];
        memcpy(entry->meta, before, part->from->meta_size);
        oxi_heap_free_in(plan->from->heap, before, part->from->meta_size, _Alignof(uint64_t));
    }
    stamp_all(plan->to, part->to, entry->meta);
    entry->next = 0;
    oxi_chunk_attach(part->to, lane, chunk);
    oxi_lane_note_change(plan->to, part->to, lane);
}

// Ids.

static void note_ids(ox_entity **to, const ox_entity *entities, uint32_t count) {
    if (*to != NULL) {
        memcpy(*to, entities, count * sizeof *entities);
        *to += count;
    }
}

// Brings the ids of a later chunk near. They lie a chunk apart, each in a page of its own, so the
// processor does not foresee them; that is most of what a move costs where rows are large.
static void prefetch_ids(const oxi_handover *plan, size_t index) {
    if (index >= plan->chunks.count) {
        return;
    }
    oxi_chunk chunk = plan->chunks.items[index];
    size_t size = oxi_chunk_entry_of(chunk)->count * sizeof(ox_entity);
    size = size < FORESEEN_BYTES ? size : FORESEEN_BYTES;
    for (size_t at = 0; at < size; at += LINE_BYTES) {
        __builtin_prefetch(oxi_chunk_address(chunk) + at, 1);
    }
}

// Nothing points to what goes: each id is freed and taken at once.
static void change_ids(oxi_handover *plan, oxi_handed_ids ids) {
    for (size_t k = 0; k < plan->chunks.count; k++) {
        oxi_chunk chunk = plan->chunks.items[k];
        prefetch_ids(plan, k + CHUNKS_AHEAD);
        ox_entity *entities = oxi_chunk_entities(chunk);
        uint32_t count = oxi_chunk_entry_of(chunk)->count;
        note_ids(&ids.before, entities, count);
        oxi_entities_exchange(&plan->to->entities, &plan->from->entities, chunk, entities, count);
        note_ids(&ids.after, entities, count);
    }
}

static void forward_ids(oxi_handover *plan) {
    ox_entity ids[OXI_MAX_ROWS];
    oxi_record *records = plan->from->entities.records;
    for (size_t k = 0; k < plan->chunks.count; k++) {
        oxi_chunk chunk = plan->chunks.items[k];
        const ox_entity *entities = oxi_chunk_entities(chunk);
        uint32_t count = oxi_chunk_entry_of(chunk)->count;
        OXI_ASSERT(count <= OXI_MAX_ROWS);
        oxi_entities_take(&plan->to->entities, chunk, ids, count);
        for (uint32_t row = 0; row < count; row++) {
            oxi_record_forward(&records[entities[row].index], ids[row]);
        }
    }
}

static void replace_ids(oxi_handover *plan, oxi_handed_ids ids) {
    ox_entity made[OXI_MAX_ROWS];
    const oxi_record *records = plan->from->entities.records;
    for (size_t k = 0; k < plan->chunks.count; k++) {
        ox_entity *entities = oxi_chunk_entities(plan->chunks.items[k]);
        uint32_t count = oxi_chunk_entry_of(plan->chunks.items[k])->count;
        for (uint32_t row = 0; row < count; row++) {
            made[row] = oxi_record_forwarded(&records[entities[row].index]);
        }
        note_ids(&ids.before, entities, count);
        note_ids(&ids.after, made, count);
        oxi_entities_free(&plan->from->entities, entities, count);
        memcpy(entities, made, count * sizeof *entities);
    }
}

// Hands over the chunks of a part. Where all of an archetype go, its list is emptied at once.
static void hand_part(oxi_handover *plan, oxi_handed_part *part) {
    const oxi_lane *all = &part->from->lane;
    part->is_whole =
        !oxi_archetype_has_lanes(part->from) && part->count == all->chunks.count - all->gap_count;
    if (part->is_whole) {
        oxi_chunks_detach_all(part->from);
    }
    for (uint32_t k = part->first; k < part->first + part->count; k++) {
        hand_chunk(plan, part, k);
    }
}

static void join_both(oxi_handover *plan) {
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_handed_part *part = &plan->parts.items[k];
        oxi_note_change(plan->from, part->from);
        oxi_note_change(plan->to, part->to);
        oxi_archetype_join(plan->to, part->to);
        oxi_archetype_join(plan->from, part->from);
    }
    // What one store freed, the other may need: chunks would pile up where entities end.
    oxi_chunks_trim(plan->to);
    oxi_chunks_trim(plan->from);
}

void oxi_handover_commit(oxi_handover *plan, oxi_handed_ids ids) {
    OXI_ASSERT(plan->to->entities.ready >= plan->rows);
    OXI_ASSERT(plan->from->chunk_count >= plan->chunks.count);
    OXI_ASSERT(plan->metas.count == 0 || plan->metas.count == plan->chunks.count);
    if (plan->has_references) {
        forward_ids(plan);
        oxi_handover_patch(plan);
        replace_ids(plan, ids);
    } else {
        change_ids(plan, ids);
    }
    oxi_handover_carry_names(plan);
    oxi_handover_carry_blocks(plan);
    for (size_t k = 0; k < plan->parts.count; k++) {
        hand_part(plan, &plan->parts.items[k]);
    }
    plan->from->chunk_count -= (uint32_t)plan->chunks.count;
    plan->to->chunk_count += (uint32_t)plan->chunks.count;
    plan->chunks.count = plan->metas.count = plan->blocks.count = 0; // the target has them
    join_both(plan);
    oxi_handover_settle_values(plan);
}

// Freeing.

static void free_chunk_plan(oxi_handover *plan) {
    const oxi_hooks *heap = plan->to->heap;
    for (size_t k = 0; k < plan->metas.count; k++) {
        uint32_t size = oxi_archetype_of(plan->chunks.items[k])->meta_size;
        oxi_heap_free_in(heap, plan->metas.items[k], size, _Alignof(uint64_t));
    }
    for (size_t k = 0; k < plan->chunks.count; k++) {
        oxi_chunk_entry_of(plan->chunks.items[k])->next = 0;
    }
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_handed_part *part = &plan->parts.items[k];
        if (part->is_expected) {
            OXI_ASSERT(part->to->arriving >= part->count);
            part->to->arriving -= part->count;
        }
    }
    oxi_list_free_in(heap, &plan->chunks);
    oxi_list_free_in(heap, &plan->metas);
}

void oxi_handover_free(oxi_handover *plan) {
    oxi_handover_free_values(plan);
    oxi_handover_free_names(plan);
    free_chunk_plan(plan);
    oxi_list_free_in(plan->to->heap, &plan->parts);
}
