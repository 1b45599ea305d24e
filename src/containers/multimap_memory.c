// SPDX-License-Identifier: MIT
//
// The tables and entries of a multimap: how they grow.
//
// Invariant: every entry below entry_count is in one chain, or in the list of free ones, or in the
// range of a bucket that is being settled. Numbers of entries are never seen outside, so closing
// gaps changes nothing that a user can tell.

#include "containers/multimap.h"

enum { ENTRY_LINE = 64, MULTIMAP_LINE = 64 };

#define PLACES_SIZE (2 * sizeof(uint32_t)) // of an entry

uint32_t oxi_multimap_region_of(const oxi_multimap_state *state, const void *key) {
    if (state->is_dealt) {
        uint64_t cell = oxi_multimap_cell_of(state, key);
        return (uint32_t)(cell >> state->cell_shift) & (OXI_MULTIMAP_REGIONS - 1);
    }
    static const oxi_table first_numbers = {.seed = OXI_TABLE_SEED,
                                            .multiplier = OXI_TABLE_MULTIPLIER};
    return oxi_hash_region(oxi_table_hash_key(&first_numbers, &state->rules, key));
}

static size_t align_of_entries(const oxi_multimap_state *state) {
    return state->value_align > ENTRY_LINE ? state->value_align : ENTRY_LINE;
}

// Copies the entries of a chain to `to`, from number `count` on.
static void copy_chain(oxi_multimap_state *state, oxi_chain *chain, unsigned char *to,
                       uint32_t count) {
    uint32_t entry = chain->first;
    chain->first = count;
    for (uint32_t left = chain->count; left > 0; left--) {
        unsigned char *copy = to + (size_t)count * state->entry_stride;
        memcpy(copy, oxi_entry(state, entry), state->entry_stride);
        entry = *oxi_entry_next(state, entry);
        uint32_t next = left > 1 ? count + 1 : OXI_NO_ENTRY;
        memcpy(copy + state->next_offset, &next, sizeof next);
        count++;
    }
    chain->last = count - 1;
}

// Copies the entries of all chains to `to`, one after the other, so that there are no gaps.
static void close_gaps(oxi_multimap_state *state, unsigned char *to) {
    uint32_t count = 0, region = 0;
    uint64_t slot = 0;
    const void *key;
    for (oxi_chain *chain;
         (chain = oxi_multimap_next_chain(state, &region, &slot, &key)) != NULL;) {
        copy_chain(state, chain, to, count);
        count += chain->count;
    }
    OXI_ASSERT(count == state->pair_count);
    state->entry_count = count;
    state->first_free = OXI_NO_ENTRY;
    state->free_count = 0;
}

// The capacity for `needed` entries: twice the present one, unless gaps alone will do.
static uint64_t next_entry_capacity(const oxi_multimap_state *state, uint64_t needed) {
    uint64_t capacity = state->entry_capacity > 16 ? state->entry_capacity : 16;
    while (capacity < needed) {
        capacity *= 2;
    }
    return capacity;
}

bool oxi_multimap_reserve_entries(oxi_multimap_state *state, uint32_t count, ox_site site) {
    if (count <= state->entry_capacity - state->entry_count) {
        return true;
    }
    bool closes = state->free_count > state->entry_count / 4;
    uint64_t needed = (uint64_t)count + (closes ? state->pair_count : state->entry_count);
    uint64_t capacity = next_entry_capacity(state, needed);
    if (!oxi_length_require((int64_t)needed, state->head.kinds.value, "multimap", site)) {
        return false;
    }
    capacity = capacity <= INT32_MAX ? capacity : INT32_MAX;
    unsigned char *entries = ox_memory_alloc_array_at(
        state->rules.allocator, capacity, state->entry_stride, align_of_entries(state), site);
    if (entries == NULL) {
        return false;
    }
    if (closes) {
        close_gaps(state, entries);
    } else if (state->entry_count > 0) {
        memcpy(entries, state->head.entries, (size_t)state->entry_count * state->entry_stride);
    }
    ox_memory_free_at(state->rules.allocator, state->head.entries,
                      (size_t)state->entry_capacity * state->entry_stride, align_of_entries(state),
                      site);
    state->head.entries = entries;
    state->entry_capacity = (uint32_t)capacity;
    return true;
}

void oxi_multimap_free_entry(oxi_multimap_state *state, uint32_t entry) {
    *oxi_entry_next(state, entry) = state->first_free;
    state->first_free = entry;
    state->free_count++;
}

bool oxi_multimap_reserve_places(oxi_multimap_state *state, ox_site site) {
    if (state->place_capacity >= state->entry_capacity) {
        return true;
    }
    uint32_t *places = ox_memory_alloc_array_at(state->rules.allocator, state->entry_capacity,
                                                PLACES_SIZE, _Alignof(uint32_t), site);
    if (places == NULL) {
        return false;
    }
    ox_memory_free_at(state->rules.allocator, state->places, state->place_capacity * PLACES_SIZE,
                      _Alignof(uint32_t), site);
    state->places = places;
    state->place_capacity = state->entry_capacity;
    return true;
}

// Regions.

static void free_tables(oxi_multimap_state *state, oxi_table *tables, ox_site site) {
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        oxi_table_destroy(&tables[k], &state->rules, site);
    }
    ox_memory_free_at(state->rules.allocator, tables, OXI_MULTIMAP_REGIONS * sizeof *tables,
                      MULTIMAP_LINE, site);
}

static bool fill_tables(oxi_multimap_state *state, oxi_table *tables, ox_site site) {
    const oxi_table *one = &state->one;
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        uint32_t capacity = one->capacity / OXI_MULTIMAP_REGIONS;
        if (!oxi_table_create(&tables[k], &state->rules, capacity, site)) {
            return false;
        }
    }
    uint64_t place = 0;
    for (unsigned char *slot; (slot = oxi_table_next_slot(one, &state->rules, &place)) != NULL;) {
        oxi_table *table = &tables[oxi_multimap_region_of(state, slot)];
        unsigned char *copy = oxi_table_insert(table, &state->rules, slot, site);
        if (copy == NULL) {
            return false;
        }
        *oxi_chain_of(state, copy) = *oxi_chain_of(state, slot);
    }
    return true;
}

bool oxi_multimap_split(oxi_multimap_state *state, ox_site site) {
    OXI_ASSERT(state->head.region_mask == 0);
    oxi_table *tables = ox_memory_alloc_at(
        state->rules.allocator, OXI_MULTIMAP_REGIONS * sizeof *tables, MULTIMAP_LINE, site);
    if (tables == NULL) {
        return false;
    }
    memset(tables, 0, OXI_MULTIMAP_REGIONS * sizeof *tables);
    if (!fill_tables(state, tables, site)) {
        free_tables(state, tables, site);
        return false;
    }
    oxi_table_destroy(&state->one, &state->rules, site);
    state->head.tables = tables;
    state->head.region_mask = OXI_MULTIMAP_REGIONS - 1;
    return true;
}

// Life.

void oxi_multimap_free(void *memory, ox_site site) {
    oxi_multimap_state *state = memory;
    ox_allocator allocator = state->rules.allocator;
    oxi_segments_destroy(state->segments, site);
    if (state->head.region_mask != 0) {
        free_tables(state, state->head.tables, site);
    }
    oxi_table_destroy(&state->one, &state->rules, site);
    oxi_multimap_free_cells(state, site);
    ox_memory_free_at(allocator, state->head.entries,
                      (size_t)state->entry_capacity * state->entry_stride, align_of_entries(state),
                      site);
    ox_memory_free_at(allocator, state->places, state->place_capacity * PLACES_SIZE,
                      _Alignof(uint32_t), site);
    ox_memory_free_at(allocator, state, sizeof *state, _Alignof(oxi_multimap_state), site);
}

static uint32_t round_up_to(uint32_t size, uint32_t align) {
    return (size + align - 1) & ~(align - 1);
}

// Where things lie: in a slot, in an entry, and in what jobs write.
static void lay_out_multimap(oxi_multimap_state *state, const oxi_map_type_pair *types) {
    uint32_t key_size = (uint32_t)oxi_element_size(types->key.element);
    uint32_t value_size = (uint32_t)oxi_element_size(types->value.element);
    uint32_t value_align = types->value.align;
    uint32_t entry_align = value_align > 4 ? value_align : 4;
    state->rules.shape = oxi_table_shape(types->key.element, types->key.align, sizeof(oxi_chain),
                                         (uint32_t) _Alignof(oxi_chain));
    state->head.kinds = oxi_multimap_kinds(types->key.element, types->value.element);
    state->value_align = value_align;
    state->next_offset = round_up_to(value_size, 4);
    state->entry_stride = round_up_to(state->next_offset + 4, entry_align);
    state->item_align = types->key.align > value_align ? types->key.align : value_align;
    state->item_value = round_up_to(key_size, value_align);
    state->item_size = round_up_to(state->item_value + value_size, state->item_align);
}

oxi_multimap_state *oxi_multimap_alloc(const oxi_map_type_pair *types, const ox_map_def *def,
                                       ox_site site) {
    oxi_multimap_state *state =
        ox_memory_alloc_at(def->allocator, sizeof *state, _Alignof(oxi_multimap_state), site);
    if (state == NULL) {
        return NULL;
    }
    *state = (oxi_multimap_state){.lock = OXI_MUTEX_INIT, .first_free = OXI_NO_ENTRY};
    state->functions = (oxi_table_functions){def->hash, def->equal, def->context};
    state->head.tables = &state->one;
    state->head.special = def->hash != NULL ? OXI_TABLE_CUSTOM : 0;
    state->rules.allocator = def->allocator;
    state->rules.functions = def->hash != NULL ? &state->functions : NULL;
    lay_out_multimap(state, types);
    uint32_t capacity = (uint32_t)def->capacity;
    if (!oxi_table_create(&state->one, &state->rules, capacity, site) ||
        !oxi_multimap_reserve_entries(state, capacity, site)) {
        oxi_multimap_free(state, site);
        return NULL;
    }
    return state;
}
