// SPDX-License-Identifier: MIT
//
// Kinds of components in archetypes and along edges.

#include "storage/kind_rows.h"

#include "storage/archetype.h"
#include "storage/shared_values.h"
#include "types/kinds.h"

// What a store keeps of a component.

static bool prepare_nothing(oxi_store *store, const ox_component_info *info) {
    (void)store;
    (void)info;
    return true;
}

typedef bool prepare_fn(oxi_store *store, const ox_component_info *info);

static prepare_fn *const prepare_of_kind[] = {
    [OX_COMPONENT_KIND_DATA] = prepare_nothing,
    [OX_COMPONENT_KIND_TAG] = prepare_nothing,
    [OX_COMPONENT_KIND_SHARED] = prepare_nothing,
    [OX_COMPONENT_KIND_BUFFER] = oxi_buffer_kind_make,
};

static prepare_fn *const admit_of_kind[] = {
    [OX_COMPONENT_KIND_DATA] = prepare_nothing,
    [OX_COMPONENT_KIND_TAG] = prepare_nothing,
    [OX_COMPONENT_KIND_SHARED] = oxi_shared_make_default,
    [OX_COMPONENT_KIND_BUFFER] = prepare_nothing,
};

bool oxi_kind_prepare(oxi_store *store, uint32_t component) {
    const ox_component_info *info = ox_component_get_info(component);
    OXI_ASSERT((size_t)info->kind < sizeof prepare_of_kind / sizeof *prepare_of_kind);
    return prepare_of_kind[info->kind](store, info);
}

bool oxi_kind_admit(oxi_store *store, uint32_t component) {
    const ox_component_info *info = ox_component_get_info(component);
    OXI_ASSERT((size_t)info->kind < sizeof admit_of_kind / sizeof *admit_of_kind);
    return admit_of_kind[info->kind](store, info);
}

// Archetypes.

// Bytes of a chunk's metadata up to where it can hold 8-byte values again.
static uint32_t round_to_word(size_t size) {
    return (uint32_t)(size + 7) / 8 * 8;
}

static void count_buffers(oxi_archetype *made) {
    for (uint32_t k = 1; k < made->column_count; k++) {
        made->buffer_count += made->columns[k].buffer != NULL;
    }
}

uint32_t oxi_kinds_place(const oxi_store *store, oxi_archetype *made) {
    uint32_t end = round_to_word(sizeof(oxi_chunk_meta) + made->type_count * sizeof(uint32_t));
    made->bits_of_type = made->column_of_type + made->type_count;
    made->enabled_types = made->bits_of_type + made->type_count;
    made->shared_types = made->enabled_types + made->type_count;
    for (uint32_t k = 0; k < made->type_count; k++) {
        const ox_component_info *info = ox_component_get_info(made->types[k]);
        if (oxi_kind_of(info)->in_lane) {
            made->shared_types[made->shared_count++] = (uint16_t)k;
        }
        if (oxi_is_enableable(info)) {
            made->enabled_types[made->enabled_count++] = (uint16_t)k;
            made->bits_of_type[k] = (uint16_t)(end / 8);
            made->places[store->local_of[made->types[k]] - 1].bits = made->bits_of_type[k];
            end += (uint32_t)oxi_words_for(made->capacity) * 8;
        }
        made->cleanup_count += oxi_is_cleanup(info);
    }
    if (made->shared_count > 0) {
        made->lane_offset = end;
        end += round_to_word(sizeof(oxi_chunk_lane));
    }
    count_buffers(made);
    made->is_plain = made->shared_count == 0 && made->buffer_count == 0;
    made->leaves_residue = made->cleanup_count > 0;
    made->leaves_plainly = !made->swaps && made->shared_count == 0;
    made->ends_slowly = made->buffer_count > 0 || made->leaves_residue || made->is_residue;
    return end;
}

// Edges.

static bool has_kept_bits(const oxi_edge *edge) {
    for (uint32_t k = 0; k < edge->target->enabled_count; k++) {
        if (edge->origin[edge->target->enabled_types[k]] != OXI_NEW_TYPE) {
            return true;
        }
    }
    return false;
}

static bool loses_buffers(const oxi_edge *edge, const oxi_archetype *from) {
    uint32_t kept = 0;
    for (uint32_t k = 1; k < edge->target->column_count; k++) {
        const oxi_column *column = &edge->target->columns[k];
        kept += column->buffer != NULL && edge->origin[column->type] != OXI_NEW_TYPE;
    }
    return kept < from->buffer_count;
}

bool oxi_kinds_set_edge(oxi_edge *edge, const oxi_archetype *from) {
    edge->drops_buffers = loses_buffers(edge, from);
    edge->adds_buffer = edge->new_count > 0 && edge->news[0].buffer != NULL;
    edge->carries_bits = has_kept_bits(edge);
    return !edge->carries_bits && !edge->drops_buffers;
}

// Sets of types.

uint32_t oxi_types_of_residue(const oxi_store *store, const oxi_archetype *archetype,
                              uint16_t *types) {
    uint32_t count = 0;
    bool is_placed = false;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        if (!is_placed && archetype->types[k] > store->residue) {
            types[count++] = (uint16_t)store->residue;
            is_placed = true;
        }
        if (oxi_is_cleanup(ox_component_get_info(archetype->types[k]))) {
            types[count++] = archetype->types[k];
        }
    }
    if (!is_placed) {
        types[count++] = (uint16_t)store->residue;
    }
    return count;
}

uint32_t oxi_types_of_copy(const oxi_archetype *archetype, uint32_t left_out, uint16_t *types) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        uint16_t type = archetype->types[k];
        if (type != left_out && oxi_is_copied(ox_component_get_info(type))) {
            types[count++] = type;
        }
    }
    return count;
}

// Rows.

oxi_values oxi_row_values(const oxi_store *store, oxi_row_place place, uint32_t type) {
    oxi_archetype *archetype = oxi_archetype_of(place.chunk);
    OXI_ASSERT(type < archetype->type_count);
    uint32_t component = archetype->types[type], column = archetype->column_of_type[type];
    if (oxi_kind_of_id(component)->in_lane) {
        uint32_t number = oxi_chunk_shared_number(store, archetype, place.chunk, component);
        return (oxi_values){oxi_shared_at(store, number)->bytes, 1};
    }
    if (column == 0) {
        return (oxi_values){NULL, 0};
    }
    return oxi_cell_values(&archetype->columns[column], oxi_column_at(archetype, column, place));
}
