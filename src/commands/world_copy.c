// SPDX-License-Identifier: MIT
//
// Copying a set of entities into another world.
//
// The set is listed first, then the rows, lanes and blocks that the copies need are reserved in the
// target, then the copies are made, in the order of the set. The source is only read.

#include "commands/two_worlds.h"
#include "entities/copy_plan.h"
#include "entities/kinds.h"
#include "entities/sync.h"
#include "oxbow/world.h"
#include "storage/chunk_list.h"
#include "storage/handover.h"
#include "storage/kind_rows.h"
#include "storage/shared_values.h"
#include "types/kinds.h"
#include "types/shared_calls.h"

#include <string.h>

// Where the copy of one entity goes.
typedef struct copied_row {
    oxi_archetype *archetype;
    oxi_lane *lane; // pinned
} copied_row;

typedef struct world_copy {
    ox_world *to;
    ox_world *from;
    oxi_copy_plan set; // its members, and the ids of their copies
    OXI_LIST(copied_row) rows;
    OXI_LIST(oxi_handed_block) blocks;
    size_t next_block;
} world_copy;

static const oxi_record *source_of(const world_copy *copy, size_t index) {
    OXI_ASSERT(index < copy->set.members.count);
    return &copy->from->store.entities.records[copy->set.members.items[index].entity.index];
}

// The value of a component in a row of the source.
static char *source_cell(const world_copy *copy, const oxi_record *record, uint32_t component) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    int32_t type = oxi_archetype_find_type(&copy->from->store, archetype, component);
    OXI_ASSERT(type >= 0); // copies have nothing that their source lacks
    return oxi_column_at(archetype, archetype->column_of_type[type],
                         (oxi_row_place){record->chunk, record->row});
}

// Listing.

static bool list_set(world_copy *copy, const ox_entity *entities, int64_t count, ox_site site) {
    static const char function[] = "ox_world_copy";
    for (int64_t k = 0; k < count; k++) {
        const oxi_record *record = oxi_world_find(copy->from, entities[k], function, site);
        if (record == NULL ||
            !oxi_require_no_residue(copy->from, record, entities[k], function, site)) {
            return false;
        }
        if (!oxi_copy_plan_add(copy->to, &copy->set, entities[k])) {
            return oxi_world_report(copy->to, OXI_NO_MEMORY, site);
        }
        if (!OXI_REQUIRE(copy->set.members.count == (size_t)k + 1, &copy->from->sink,
                         OX_REPORT_DUPLICATE, site, OXI_NAME("what", "an entity"),
                         OXI_NAME("function", function))) {
            return false;
        }
    }
    return true;
}

// A shared component of a chunk whose value the target would need, and cannot have; or 0.
static uint32_t find_owned(const world_copy *copy, oxi_chunk chunk) {
    const oxi_store *from = &copy->from->store;
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    for (uint32_t k = 0; k < oxi_lane_value_count(archetype); k++) {
        uint32_t component = oxi_lane_component(archetype, k);
        const ox_component_info *info = ox_component_get_info(component);
        const oxi_shared_value *value =
            oxi_shared_at(from, oxi_lane_of(archetype, chunk)->values[k]);
        if (!value->is_default && oxi_is_copied(info) && oxi_shared_drop_of(info) != NULL &&
            !oxi_shared_copies(info) &&
            oxi_shared_find(&copy->to->store, info, value->bytes) == 0) {
            return component;
        }
    }
    return 0;
}

static bool require_copied_values(const world_copy *copy, ox_site site) {
    oxi_chunk last = 0;
    for (size_t k = 0; k < copy->set.members.count; k++) {
        oxi_chunk chunk = source_of(copy, k)->chunk;
        uint32_t owned = 0;
        if (chunk != last) {
            oxi_two_worlds_pair(copy->to, copy->from);
            owned = find_owned(copy, chunk);
            oxi_two_worlds_part(copy->to, copy->from);
        }
        if (owned != 0) {
            return oxi_report_shared_owned(copy->to, copy->from, owned, site);
        }
        last = chunk;
    }
    return true;
}

// Reserving.

// The archetype of copies: cleanup components stay behind.
static oxi_archetype *find_target(const world_copy *copy, const oxi_archetype *from,
                                  oxi_outcome *outcome) {
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t count = oxi_types_of_copy(from, 0, types);
    return oxi_archetype_get(&copy->to->store, types, count, outcome);
}

// The lane of copies of rows in a chunk, pinned: its values, taken into the target. NULL when out
// of memory.
static oxi_lane *take_copied_lane(const world_copy *copy, oxi_archetype *to, oxi_chunk chunk) {
    oxi_store *store = &copy->to->store;
    uint32_t values[OXI_MAX_SHARED_TYPES];
    uint32_t taken = 0;
    for (; taken < oxi_lane_value_count(to); taken++) {
        uint32_t component = oxi_lane_component(to, taken);
        uint32_t number =
            oxi_chunk_shared_number(&copy->from->store, oxi_archetype_of(chunk), chunk, component);
        values[taken] = oxi_shared_take(store, ox_component_get_info(component),
                                        oxi_shared_at(&copy->from->store, number)->bytes);
        if (values[taken] == 0) {
            break;
        }
    }
    oxi_lane *lane = taken == oxi_lane_value_count(to) ? oxi_lane_take(store, to, values) : NULL;
    while (taken > 0) {
        oxi_shared_cancel(store, values[--taken]); // the lane has it, or nothing came of it
    }
    return lane;
}

static oxi_outcome reserve_row(world_copy *copy, size_t index) {
    oxi_outcome outcome;
    oxi_store *store = &copy->to->store;
    oxi_chunk chunk = source_of(copy, index)->chunk;
    copied_row *row = &copy->rows.items[index];
    oxi_chunk before = index > 0 ? source_of(copy, index - 1)->chunk : 0;
    if (before == chunk) {
        row->archetype = row[-1].archetype;
        row->lane = oxi_lane_take(store, row->archetype, row[-1].lane->values);
    } else {
        row->archetype = find_target(copy, oxi_archetype_of(chunk), &outcome);
        if (row->archetype == NULL) {
            return outcome;
        }
        row->lane = take_copied_lane(copy, row->archetype, chunk);
    }
    return row->lane != NULL ? oxi_rows_reserve_more(store, row->archetype, row->lane, 1)
                             : OXI_NO_MEMORY;
}

static bool reserve_block_of(world_copy *copy, const oxi_buffer_kind *kind,
                             const oxi_buffer_head *head) {
    if (!oxi_copy_needs_block(kind, head)) {
        return true;
    }
    if (!oxi_list_reserve_in(copy->to->store.heap, &copy->blocks, copy->blocks.count + 1)) {
        return false;
    }
    char *outside = oxi_buffer_block_take(kind, head->count);
    if (outside == NULL) {
        return false;
    }
    copy->blocks.items[copy->blocks.count++] = (oxi_handed_block){kind, outside};
    return true;
}

static bool reserve_blocks_of(world_copy *copy, size_t index) {
    const oxi_archetype *to = copy->rows.items[index].archetype;
    for (uint32_t k = oxi_next_buffers(to, 1); k < to->column_count;
         k = oxi_next_buffers(to, k + 1)) {
        const oxi_column *column = &to->columns[k];
        const char *cell = source_cell(copy, source_of(copy, index), column->component);
        if (!reserve_block_of(copy, column->buffer, (const oxi_buffer_head *)(const void *)cell)) {
            return false;
        }
    }
    return true;
}

static oxi_outcome reserve_copies(world_copy *copy) {
    const oxi_hooks *heap = copy->to->store.heap;
    size_t count = copy->set.members.count;
    oxi_outcome outcome = oxi_entity_reserve(&copy->to->store.entities, (uint32_t)count);
    if (outcome == OXI_DONE && (!oxi_list_resize_in(heap, &copy->rows, count) ||
                                !oxi_list_resize_in(heap, &copy->set.made, count))) {
        outcome = OXI_NO_MEMORY;
    }
    for (size_t k = 0; outcome == OXI_DONE && k < count; k++) {
        outcome = reserve_row(copy, k);
        if (outcome == OXI_DONE && !reserve_blocks_of(copy, k)) {
            outcome = OXI_NO_MEMORY;
        }
    }
    return outcome;
}

// Making.

// Gives the buffer of a copied row, whose head is the source's, elements of its own.
static void own_copied_buffer(world_copy *copy, const oxi_buffer_kind *kind, oxi_buffer_head *head,
                              const char *elements) {
    size_t size = (size_t)head->count * kind->size;
    if (oxi_copy_needs_block(kind, head)) {
        OXI_ASSERT(copy->next_block < copy->blocks.count);
        OXI_ASSERT(copy->blocks.items[copy->next_block].kind == kind);
        head->outside = copy->blocks.items[copy->next_block++].outside;
        memcpy(head->outside, elements, size);
    } else if (head->outside != NULL) {
        memcpy((char *)head + kind->inline_offset, elements, size);
        head->outside = NULL;
    }
    head->generation = 0;
}

static void copy_columns(world_copy *copy, const oxi_record *record, const oxi_archetype *to,
                         oxi_row_place place) {
    for (uint32_t k = 1; k < to->column_count; k++) {
        const oxi_column *column = &to->columns[k];
        oxi_copy_value(oxi_column_at(to, k, place), source_cell(copy, record, column->component),
                       column->size);
    }
    for (uint32_t k = oxi_next_buffers(to, 1); k < to->column_count;
         k = oxi_next_buffers(to, k + 1)) {
        const oxi_column *column = &to->columns[k];
        const char *from = source_cell(copy, record, column->component);
        own_copied_buffer(copy, column->buffer,
                          (oxi_buffer_head *)(void *)oxi_column_at(to, k, place),
                          oxi_cell_values(column, from).first);
    }
}

static void make_copy(world_copy *copy, size_t index) {
    oxi_store *store = &copy->to->store;
    const copied_row *row = &copy->rows.items[index];
    OXI_ASSERT(row->lane != NULL); // reserved
    OXI_ASSERT(store->entities.ready > 0);
    oxi_row_place place =
        oxi_entity_begin(store, row->archetype, row->lane, &copy->set.made.items[index]);
    copy_columns(copy, source_of(copy, index), row->archetype, place);
    const oxi_record *source = source_of(copy, index);
    oxi_bits_copy_over(row->archetype, place, &copy->from->store,
                       (oxi_row_place){source->chunk, source->row});
}

// Lets the entity fields of values point to copies, or to nothing.
static void patch_copied(const world_copy *copy, const ox_component_info *info, char *values,
                         uint32_t count) {
    for (size_t k = 0; k < (size_t)count * info->entity_count; k++) {
        char *field = values + k / info->entity_count * info->size +
                      info->entity_offsets[k % info->entity_count];
        ox_entity there;
        memcpy(&there, field, sizeof there);
        uint32_t member = oxi_copy_plan_find(&copy->set, there);
        there = member != 0 ? copy->set.made.items[member - 1] : (ox_entity){0, 0};
        memcpy(field, &there, sizeof there);
    }
}

static void patch_copy(const world_copy *copy, size_t index) {
    const oxi_record *record = &copy->to->store.entities.records[copy->set.made.items[index].index];
    const oxi_archetype *archetype = copy->rows.items[index].archetype;
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        const ox_component_info *info = ox_component_get_info(column->component);
        if (info->entity_count == 0) {
            continue;
        }
        const char *cell = oxi_column_at(archetype, k, (oxi_row_place){record->chunk, record->row});
        oxi_values values = oxi_cell_values(column, cell);
        patch_copied(copy, info, values.first, values.count);
    }
}

static void make_copies(world_copy *copy, ox_entity *copies) {
    size_t count = copy->set.members.count;
    for (size_t k = 0; k < count; k++) {
        make_copy(copy, k);
    }
    for (size_t k = 0; k < count; k++) {
        patch_copy(copy, k);
    }
    if (copies != NULL) {
        memcpy(copies, copy->set.made.items, count * sizeof *copies);
    }
    OXI_ASSERT(copy->next_block == copy->blocks.count);
    copy->blocks.count = 0; // the copies have them
}

// Freeing.

static void free_world_copy(world_copy *copy) {
    oxi_store *store = &copy->to->store;
    for (size_t k = 0; k < copy->blocks.count; k++) {
        oxi_buffer_block_give(copy->blocks.items[k].kind, copy->blocks.items[k].outside);
    }
    for (size_t k = 0; k < copy->rows.count; k++) {
        if (copy->rows.items[k].lane != NULL) {
            oxi_lane_leave(store, copy->rows.items[k].archetype, copy->rows.items[k].lane);
        }
    }
    for (size_t k = 0; k < copy->rows.count; k++) {
        if (copy->rows.items[k].archetype != NULL) {
            oxi_chunks_release(store, copy->rows.items[k].archetype);
        }
    }
    oxi_list_free_in(store->heap, &copy->rows);
    oxi_list_free_in(store->heap, &copy->blocks);
    oxi_copy_plan_free(copy->to, &copy->set);
}

static bool carry_out_copy(world_copy *copy, ox_entity *copies, ox_site site) {
    oxi_two_worlds_pair(copy->to, copy->from);
    oxi_outcome outcome = reserve_copies(copy);
    oxi_two_worlds_part(copy->to, copy->from);
    uint64_t count = copy->set.members.count;
    if (outcome == OXI_DONE) {
        oxi_world_note_change(copy->to, site);
        make_copies(copy, copies);
        free_world_copy(copy);
        oxi_world_check(copy->to);
        return true;
    }
    size_t archetypes = copy->set.archetypes;
    free_world_copy(copy);
    oxi_archetypes_undo(&copy->to->store, archetypes);
    return oxi_world_report_entities(copy->to, outcome, count, site);
}

bool ox_world_copy_at(ox_world *to, ox_world *from, const ox_entity *entities, ox_entity *copies,
                      int64_t count, ox_site site) {
    static const char function[] = "ox_world_copy";
    if (!oxi_two_worlds_require(to, from, function, site) ||
        !oxi_count_require(to, count, INT32_MAX, function, site) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(entities, function, site)) ||
        !oxi_sync_wait(from, site) || !oxi_sync_all(to, site)) {
        return false;
    }
    world_copy copy = {.to = to, .from = from, .set = {.archetypes = to->store.archetypes.count}};
    if (!list_set(&copy, entities, count, site) || !require_copied_values(&copy, site)) {
        free_world_copy(&copy);
        return false;
    }
    if (count == 0) {
        return true;
    }
    return carry_out_copy(&copy, copies, site);
}
