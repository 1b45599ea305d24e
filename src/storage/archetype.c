// SPDX-License-Identifier: MIT
//
// Making and finding archetypes.
//
// Invariants: one archetype for each set of types; archetypes are never moved. Those that are
// listed live as long as the store, unless they are taken back at once. Those that are not have no
// chunks and no lanes, and only edges and the index lead to them. Columns start at multiples of 64
// bytes, the entities at 0, and lie in the order of types; a tag has no column. Where not one row
// would fit so, they lie without gaps, those with the largest alignment first: how many rows fit
// does not depend on the order of types.

#include "storage/archetype.h"

#include "base/hash.h"
#include "storage/kind_rows.h"
#include "types/kinds.h"

#include <string.h>

enum {
    COLUMN_ALIGN = 64,
    LEAST_ARCHETYPE_INDEX = 64,
    MOST_UNLISTED = 4096, // that are kept for the next playback
};

static uint64_t round_to(uint64_t size, uint32_t align) {
    return (size + align - 1) / align * align;
}

// Lays `rows` rows out, columns aligned to `least` at least. Returns where they end.
static uint64_t place_columns(const oxi_column_need *columns, uint32_t count, uint32_t rows,
                              uint32_t least, uint32_t *offsets) {
    uint64_t end = rows * sizeof(ox_entity);
    for (uint32_t align = COLUMN_ALIGN; align >= least; align /= 2) {
        for (uint32_t k = 0; k < count; k++) {
            uint32_t own = columns[k].align > least ? columns[k].align : least;
            if (own == align) {
                end = round_to(end, align);
                offsets[k] = (uint32_t)end;
                end += (uint64_t)rows * columns[k].size;
            }
        }
    }
    return end;
}

// How many rows fit.
static uint32_t place_most(const oxi_column_need *columns, uint32_t count, uint32_t least,
                           uint32_t *offsets) {
    uint64_t row = sizeof(ox_entity);
    for (uint32_t k = 0; k < count; k++) {
        row += columns[k].size;
    }
    uint32_t rows = (uint32_t)(OXI_CHUNK_SIZE / row);
    while (rows > 0 && place_columns(columns, count, rows, least, offsets) > OXI_CHUNK_SIZE) {
        rows--;
    }
    return rows;
}

oxi_chunk_layout oxi_layout_find(const oxi_column_need *columns, uint32_t count,
                                 uint32_t *offsets) {
    uint32_t rows = place_most(columns, count, COLUMN_ALIGN, offsets);
    if (rows > 0) {
        return (oxi_chunk_layout){rows, COLUMN_ALIGN};
    }
    return (oxi_chunk_layout){place_most(columns, count, 1, offsets), 1};
}

// What a row takes.

void oxi_row_need_add(oxi_row_need *need, const ox_component_info *info) {
    uint64_t size = oxi_row_size(info);
    need->type_count++;
    need->lane_value_count += oxi_kind_of(info)->in_lane;
    need->bytes += size;
    uint32_t align = oxi_row_align(info);
    if (size > 0 && align > need->head) {
        need->bytes += align - need->head;
        need->head = align;
    }
}

oxi_row_need oxi_row_need_of(const uint16_t *types, uint32_t count) {
    oxi_row_need need = {.head = sizeof(ox_entity), .bytes = sizeof(ox_entity)};
    for (uint32_t k = 0; k < count; k++) {
        oxi_row_need_add(&need, ox_component_get_info(types[k]));
    }
    return need;
}

bool oxi_row_need_fits(const oxi_row_need *need) {
    return need->lane_value_count <= OXI_MAX_SHARED_TYPES && need->bytes <= OXI_CHUNK_SIZE;
}

// Finding. The index is searched by linear probing; at most half is taken.

static uint64_t hash_types(const uint16_t *types, uint32_t count) {
    return oxi_hash_bytes(types, count * sizeof *types, 0);
}

static oxi_archetype **find_index_entry(const oxi_store *store, const uint16_t *types,
                                        uint32_t count, uint64_t hash) {
    size_t mask = store->archetype_index.count - 1;
    OXI_ASSERT(store->made_count <= mask); // or probing would not end
    for (size_t at = (size_t)hash & mask;; at = (at + 1) & mask) {
        oxi_archetype **entry = &store->archetype_index.items[at];
        const oxi_archetype *found = *entry;
        if (found == NULL || (found->hash == hash && found->type_count == count &&
                              memcmp(found->types, types, count * sizeof *types) == 0)) {
            return entry;
        }
    }
}

static void enter_archetype(const oxi_store *store, oxi_archetype *archetype) {
    *find_index_entry(store, archetype->types, archetype->type_count, archetype->hash) = archetype;
}

// Linear probing has no way to take an entry out but to place the others anew.
static void refill_archetype_index(const oxi_store *store) {
    memset(store->archetype_index.items, 0, store->archetype_index.count * sizeof(oxi_archetype *));
    for (oxi_archetype *each = store->last_made; each != NULL; each = each->made_before) {
        enter_archetype(store, each);
    }
}

oxi_archetype *oxi_archetype_find_any(const oxi_store *store, const uint16_t *types,
                                      uint32_t count) {
    return store->archetype_index.count > 0
               ? *find_index_entry(store, types, count, hash_types(types, count))
               : NULL;
}

oxi_archetype *oxi_archetype_find(const oxi_store *store, const uint16_t *types, uint32_t count) {
    oxi_archetype *archetype = oxi_archetype_find_any(store, types, count);
    return archetype != NULL && oxi_archetype_is_listed(archetype) ? archetype : NULL;
}

static bool grow_archetype_index(oxi_store *store) {
    size_t size = store->archetype_index.count;
    if (store->made_count + 1 <= size / 2) {
        return true;
    }
    size = size == 0 ? LEAST_ARCHETYPE_INDEX : size * 2;
    if (!oxi_list_resize_in(store->heap, &store->archetype_index, size)) {
        return false;
    }
    refill_archetype_index(store);
    return true;
}

// Making.

static uint32_t number_type(oxi_store *store, uint32_t component) {
    OXI_ASSERT(component != 0);
    OXI_ASSERT(component <= OXI_MAX_TYPES);
    if (store->local_of[component] == 0) {
        store->local_of[component] = (uint16_t)++store->local_count;
    }
    return store->local_of[component];
}

uint32_t oxi_store_number(oxi_store *store, uint32_t component) {
    uint32_t number = number_type(store, component);
    if (!oxi_store_knows(store, component)) {
        store->known[component / 64] |= UINT64_C(1) << component % 64;
        store->known_count++;
    }
    return number;
}

// Numbers types, and makes what their columns refer to. @return false when out of memory.
static bool number_types(oxi_store *store, const uint16_t *types, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        number_type(store, types[k]);
        if (!oxi_kind_prepare(store, types[k])) {
            return false;
        }
    }
    return true;
}

// The components that have a column, and which they are. Returns how many.
static uint32_t list_columns(const uint16_t *types, uint32_t count, oxi_column_need *columns,
                             uint32_t *which) {
    uint32_t sized = 0;
    for (uint32_t k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(types[k]);
        uint32_t size = (uint32_t)oxi_row_size(info);
        if (size > 0) {
            columns[sized] = (oxi_column_need){size, oxi_row_align(info)};
            which[sized++] = k;
        }
    }
    return sized;
}

static uint32_t largest_local(const oxi_store *store, const uint16_t *types, uint32_t count) {
    uint32_t largest = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t local = store->local_of[types[k]];
        largest = local > largest ? local : largest;
    }
    return largest;
}

// One block: the struct, places by number, columns, types, their columns, and three lists of types
// for oxi_kinds_place.
static oxi_archetype *allocate_archetype(const oxi_store *store, const uint16_t *types,
                                         uint32_t count, uint32_t columns) {
    uint32_t locals = largest_local(store, types, count);
    size_t size = sizeof(oxi_archetype) + locals * sizeof(oxi_component_place) +
                  columns * sizeof(oxi_column) + 5 * count * sizeof(uint16_t);
    oxi_archetype *made = oxi_heap_alloc_in(store->heap, size, _Alignof(oxi_archetype));
    if (made == NULL) {
        return NULL;
    }
    memset(made, 0, size);
    made->block_size = (uint32_t)size;
    made->column_count = columns;
    made->columns = (oxi_column *)(void *)(made->places + locals);
    made->type_count = count;
    made->local_count = locals;
    made->place_list = made->places;
    made->types = (uint16_t *)(void *)(made->columns + columns);
    made->column_of_type = made->types + count;
    if (count > 0) {
        memcpy(made->types, types, count * sizeof *types);
    }
    for (uint32_t k = 0; k < count; k++) {
        OXI_ASSERT(k == 0 || types[k - 1] < types[k]);
        made->places[store->local_of[types[k]] - 1].type = (uint16_t)(k + 1);
    }
    return made;
}

static void fill_columns(const oxi_store *store, oxi_archetype *made,
                         const oxi_column_need *columns, const uint32_t *which,
                         const uint32_t *offsets) {
    made->columns[0] = (oxi_column){0, UINT32_MAX, 0, sizeof(ox_entity), NULL};
    uint64_t layout = made->capacity;
    for (uint32_t k = 1; k < made->column_count; k++) {
        uint32_t component = made->types[which[k - 1]];
        const oxi_buffer_kind *buffer = oxi_buffer_kind_find(store, component);
        made->columns[k] =
            (oxi_column){component, which[k - 1], offsets[k - 1], columns[k - 1].size, buffer};
        OXI_ASSERT(offsets[k - 1] + made->capacity * columns[k - 1].size <= OXI_CHUNK_SIZE);
        uint32_t local = store->local_of[component];
        // A buffer has none there: who reads plain values by their cell must not find its head.
        made->places[local - 1].cell =
            buffer != NULL ? 0 : made->columns[k].size << 16 | made->columns[k].offset;
        made->column_of_type[which[k - 1]] = (uint16_t)k;
        layout = oxi_hash_combine(layout, made->columns[k].component);
    }
    made->layout_hash = layout;
}

static void fill_archetype(oxi_store *store, oxi_archetype *made) {
    made->index = OXI_UNLISTED;
    made->hash = hash_types(made->types, made->type_count);
    made->swaps = store->swaps;
    made->is_residue =
        store->residue != 0 && oxi_archetype_find_type(store, made, store->residue) >= 0;
    made->reopen = made->swaps || made->capacity < 8 ? 1 : made->capacity / 8;
    size_t dead = oxi_words_for(made->capacity) * 8;
    uint32_t end = oxi_kinds_place(store, made);
    // Whole lines, the dead bits at the end: a chunk that changes sides mostly keeps its block.
    made->meta_size = (uint32_t)round_to(end + (uint32_t)dead, COLUMN_ALIGN);
    made->dead_offset = made->meta_size - (uint32_t)dead;
    OXI_ASSERT(made->dead_offset >= end);
    OXI_ASSERT(made->dead_offset % sizeof(uint64_t) == 0);
}

static oxi_archetype *make_archetype(oxi_store *store, const uint16_t *types, uint32_t count,
                                     oxi_outcome *outcome) {
    oxi_row_need need = oxi_row_need_of(types, count);
    if (!oxi_row_need_fits(&need)) {
        store->refused = need;
        *outcome = OXI_AT_LIMIT;
        return NULL;
    }
    OXI_ASSERT(count <= OXI_MAX_ARCHETYPE_TYPES);
    oxi_column_need columns[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t which[OXI_MAX_ARCHETYPE_TYPES], offsets[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t sized = list_columns(types, count, columns, which);
    oxi_chunk_layout layout = oxi_layout_find(columns, sized, offsets);
    OXI_ASSERT(layout.capacity > 0); // a row fits, says the need
    OXI_ASSERT(layout.capacity <= OXI_MAX_ROWS);
    *outcome = OXI_NO_MEMORY;
    if (!grow_archetype_index(store) || !number_types(store, types, count)) {
        return NULL;
    }
    oxi_archetype *made = allocate_archetype(store, types, count, sized + 1);
    if (made == NULL) {
        return NULL;
    }
    made->capacity = layout.capacity;
    made->column_align = layout.align;
    fill_columns(store, made, columns, which, offsets);
    fill_archetype(store, made);
    made->made_before = store->last_made;
    store->last_made = made;
    store->made_count++;
    enter_archetype(store, made);
    *outcome = OXI_DONE;
    return made;
}

oxi_archetype *oxi_archetype_ask(oxi_store *store, const uint16_t *types, uint32_t count,
                                 oxi_outcome *outcome) {
    oxi_archetype *found = oxi_archetype_find_any(store, types, count);
    *outcome = OXI_DONE;
    return found != NULL ? found : make_archetype(store, types, count, outcome);
}

// Listing.

// Makes what a store keeps of the types that its entities may have. @return false when out of
// memory.
static bool prepare_types(oxi_store *store, const oxi_archetype *archetype) {
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        oxi_store_number(store, archetype->types[k]);
        if (!oxi_kind_admit(store, archetype->types[k])) {
            return false;
        }
    }
    return true;
}

bool oxi_archetype_list(oxi_store *store, oxi_archetype *archetype) {
    if (oxi_archetype_is_listed(archetype)) {
        return true;
    }
    OXI_ASSERT(archetype->lane.chunks.count == 0);
    if (!prepare_types(store, archetype)) {
        return false;
    }
    oxi_mutex_lock(&store->archetypes_lock);
    uint32_t index = (uint32_t)store->archetypes.count;
    bool is_listed = oxi_list_push_in(store->heap, &store->archetypes, archetype);
    oxi_mutex_unlock(&store->archetypes_lock);
    if (is_listed) {
        archetype->index = index;
    }
    return is_listed;
}

oxi_archetype *oxi_archetype_get(oxi_store *store, const uint16_t *types, uint32_t count,
                                 oxi_outcome *outcome) {
    oxi_archetype *archetype = oxi_archetype_ask(store, types, count, outcome);
    if (archetype == NULL) {
        return NULL;
    }
    if (!oxi_archetype_list(store, archetype)) {
        *outcome = OXI_NO_MEMORY;
        return NULL;
    }
    return archetype;
}

void oxi_archetypes_undo(oxi_store *store, size_t before) {
    OXI_ASSERT(before > 0); // that of no components stays
    OXI_ASSERT(before <= store->archetypes.count);
    if (store->archetypes.count == before) {
        return;
    }
    oxi_mutex_lock(&store->archetypes_lock);
    while (store->archetypes.count > before) {
        oxi_archetype *archetype = oxi_list_pop(&store->archetypes);
        OXI_ASSERT(archetype->lane.chunks.count == 0);
        OXI_ASSERT(archetype->lanes.count == 0);
        OXI_ASSERT(archetype->spare_count == 0);
        archetype->index = OXI_UNLISTED;
    }
    oxi_mutex_unlock(&store->archetypes_lock);
    // Entities go straight to archetypes that are listed only; what goes on is asked for once more.
    for (oxi_archetype *each = store->last_made; each != NULL; each = each->made_before) {
        each->recent = each->copied = NULL;
    }
}

int32_t oxi_archetype_copy_types(oxi_store *store, uint32_t index, uint16_t *types) {
    int32_t count = -1;
    oxi_mutex_lock(&store->archetypes_lock);
    if (index < store->archetypes.count) {
        const oxi_archetype *archetype = store->archetypes.items[index];
        count = (int32_t)archetype->type_count;
        for (int32_t k = 0; k < count; k++) {
            types[k] = archetype->types[k];
        }
    }
    oxi_mutex_unlock(&store->archetypes_lock);
    return count;
}

// Freeing.

static void free_edge(const oxi_store *store, oxi_edge *edge) {
    oxi_heap_free_in(store->heap, edge, edge->block_size, _Alignof(oxi_edge));
}

static void free_archetype(const oxi_store *store, oxi_archetype *archetype) {
    for (size_t k = 0; k < archetype->edges.count; k++) {
        free_edge(store, archetype->edges.items[k]);
    }
    oxi_list_free_in(store->heap, &archetype->edges);
    oxi_lanes_destroy(store, archetype);
    oxi_list_free_in(store->heap, &archetype->lane.chunks);
    oxi_bitset_free_in(store->heap, &archetype->lane.open);
    oxi_heap_free_in(store->heap, archetype, archetype->block_size, _Alignof(oxi_archetype));
}

static void free_unlisted_ways(const oxi_store *store, oxi_archetype *from) {
    if (from->residue != NULL && !oxi_archetype_is_listed(from->residue->target)) {
        from->residue = NULL;
    }
    for (size_t k = from->edges.count; k-- > 0;) {
        if (!oxi_archetype_is_listed(from->edges.items[k]->target)) {
            OXI_ASSERT(from->edges.items[k] != from->recent);
            free_edge(store, from->edges.items[k]);
            oxi_list_remove_swap(&from->edges, k);
        }
    }
}

void oxi_archetypes_trim(oxi_store *store) {
    if (store->made_count - store->archetypes.count <= MOST_UNLISTED) {
        return;
    }
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        free_unlisted_ways(store, oxi_archetype_at(store, k));
    }
    for (oxi_archetype **link = &store->last_made; *link != NULL;) {
        oxi_archetype *each = *link;
        if (oxi_archetype_is_listed(each)) {
            link = &each->made_before;
        } else {
            *link = each->made_before;
            free_archetype(store, each);
        }
    }
    store->made_count = (uint32_t)store->archetypes.count;
    refill_archetype_index(store);
}

void oxi_archetypes_destroy(oxi_store *store) {
    for (oxi_archetype *each = store->last_made; each != NULL;) {
        oxi_archetype *before = each->made_before;
        free_archetype(store, each);
        each = before;
    }
    oxi_list_free_in(store->heap, &store->archetypes);
    oxi_list_free_in(store->heap, &store->archetype_index);
}
