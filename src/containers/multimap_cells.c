// SPDX-License-Identifier: MIT
//
// Multimaps whose keys are numbers close to each other, as those of a grid are: chains stand in an
// array of cells, one for each number, and a look-up is an index.
//
// Nobody asks for it. When jobs fill an empty multimap, the least and the greatest key are noted.
// When it is cleared, and there were not many more numbers between these than pairs, the next keys
// are dealt to 16 regions by number, with some numbers more on both sides; and when all that jobs
// write then have a cell, cells it is. A key without one is a stray: it sends all chains back to
// the tables until the multimap is cleared again.
//
// Invariant: while a multimap is in cells its tables are empty, and a cell without values has no
// first entry. Where cells begin, and how many there are, changes when it is cleared, and then
// only.

#include "containers/multimap.h"

enum {
    LEAST_PAIRS = 256,    // below that a table is as good
    PLANNED_SPARSITY = 4, // numbers for each pair, at most, for cells to be planned
    SPARSITY = 8,         // and for cells to be used: numbers of pairs go up and down
    MARGIN = 8,           // an eighth of all numbers is added on both sides
    CELL_LINE = 64,
};

static size_t key_size_of(const oxi_multimap_state *state) {
    return oxi_table_key_size(state->rules.shape);
}

static bool has_number_keys(const oxi_multimap_state *state) {
    return state->rules.functions == NULL && (key_size_of(state) == 4 || key_size_of(state) == 8);
}

// Planning.

void oxi_multimap_note_keys(const oxi_multimap_state *state, oxi_multimap_bucket *bucket,
                            const char *items, size_t size) {
    bool is_short = key_size_of(state) == 4;
    for (const char *item = items; item < items + size; item += state->item_size) {
        const unsigned char *key = (const unsigned char *)item;
        int64_t number =
            is_short ? (int32_t)oxi_table_load_32(key) : (int64_t)oxi_table_load_64(key);
        bucket->least = number < bucket->least ? number : bucket->least;
        bucket->most = number > bucket->most ? number : bucket->most;
    }
}

bool oxi_multimap_begin_notes(oxi_multimap_state *state, uint32_t total) {
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        state->buckets[k].least = INT64_MAX;
        state->buckets[k].most = INT64_MIN;
    }
    return total >= LEAST_PAIRS && has_number_keys(state);
}

void oxi_multimap_see_keys(oxi_multimap_state *state) {
    state->seen_least = INT64_MAX;
    state->seen_most = INT64_MIN;
    state->seen_pairs = state->pair_count;
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        const oxi_multimap_bucket *bucket = &state->buckets[k];
        state->seen_least = bucket->least < state->seen_least ? bucket->least : state->seen_least;
        state->seen_most = bucket->most > state->seen_most ? bucket->most : state->seen_most;
    }
}

// The cells for keys from `seen_least` on, of which there are `length`.
static void plan_range(oxi_multimap_state *state, uint64_t length) {
    uint64_t margin = length / MARGIN, least = (uint64_t)state->seen_least;
    bool is_near_zero = state->seen_least >= 0 && least < margin;
    uint64_t base = is_near_zero ? 0 : least - margin;
    state->cell_shift = 0;
    while ((uint64_t)OXI_MULTIMAP_REGIONS << state->cell_shift < least - base + length + margin) {
        state->cell_shift++;
    }
    state->head.cell_base = base;
    state->head.cell_count = (uint32_t)OXI_MULTIMAP_REGIONS << state->cell_shift;
}

void oxi_multimap_plan_cells(oxi_multimap_state *state) {
    // What is dealt and does not come to cells is better dealt by hash.
    state->is_dealt = state->is_dealt && state->in_cells;
    state->in_cells = false;
    oxi_store_relaxed(&state->has_strays, 0);
    if (state->seen_pairs > 0) {
        uint64_t length = (uint64_t)state->seen_most - (uint64_t)state->seen_least + 1;
        uint64_t most = (uint64_t)state->seen_pairs * PLANNED_SPARSITY;
        most = most < INT32_MAX / 4 ? most : INT32_MAX / 4;
        state->is_dealt = length - 1 < most;
        if (state->is_dealt) {
            plan_range(state, length);
            state->is_dealt = state->seen_pairs >= state->head.cell_count / SPARSITY;
        }
        state->seen_pairs = 0;
    }
}

bool oxi_multimap_suits_cells(oxi_multimap_state *state, uint32_t total) {
    return state->is_dealt && oxi_load_relaxed(&state->has_strays) == 0 &&
           total >= state->head.cell_count / SPARSITY;
}

// Memory.

// Cells, and behind them their keys.
static size_t size_of_cell(const oxi_multimap_state *state) {
    return sizeof(oxi_chain) + key_size_of(state);
}

void oxi_multimap_free_cells(oxi_multimap_state *state, ox_site site) {
    ox_memory_free_at(state->rules.allocator, state->head.cells,
                      state->cell_capacity * size_of_cell(state), CELL_LINE, site);
    state->head.cells = NULL;
    state->cell_capacity = 0;
}

// The keys of all cells, which are the same as long as these begin with the same key.
static void write_cell_keys(oxi_multimap_state *state) {
    size_t size = key_size_of(state);
    unsigned char *keys = (unsigned char *)(state->head.cells + state->cell_capacity);
    for (uint32_t k = 0; k < state->cell_capacity; k++) {
        uint64_t key = state->head.cell_base + k;
        uint32_t short_key = (uint32_t)key;
        memcpy(keys + k * size, size == 4 ? (void *)&short_key : (void *)&key, size);
    }
    state->head.cell_keys = keys;
    state->keys_base = state->head.cell_base;
}

bool oxi_multimap_reserve_cells(oxi_multimap_state *state, ox_site site) {
    uint32_t count = state->head.cell_count;
    bool is_new = state->cell_capacity < count;
    if (is_new) {
        void *cells = ox_memory_alloc_array_at(state->rules.allocator, count, size_of_cell(state),
                                               CELL_LINE, site);
        if (cells == NULL) {
            return false;
        }
        oxi_multimap_free_cells(state, site);
        state->head.cells = cells;
        state->cell_capacity = count;
    }
    if (is_new || state->keys_base != state->head.cell_base) {
        write_cell_keys(state);
    }
    return true;
}

// Chains, wherever they stand.

oxi_chain *oxi_multimap_find_chain(oxi_multimap_state *state, const void *key) {
    if (state->in_cells) {
        uint64_t cell = oxi_multimap_cell_of(state, key);
        bool is_there = cell < state->head.cell_count && state->head.cells[cell].count > 0;
        return is_there ? &state->head.cells[cell] : NULL;
    }
    unsigned char *slot = oxi_table_find_key(oxi_multimap_table(state, key), &state->rules, key);
    return slot != NULL ? oxi_chain_of(state, slot) : NULL;
}

oxi_chain *oxi_multimap_open_chain(oxi_multimap_state *state, oxi_table *table, const void *key,
                                   ox_site site) {
    if (state->in_cells) {
        uint64_t cell = oxi_multimap_cell_of(state, key);
        if (cell < state->head.cell_count) {
            return &state->head.cells[cell];
        }
        // Nothing is pending, so keys may be dealt by hash again.
        state->is_dealt = false;
        if (!oxi_multimap_leave_cells(state, site)) {
            state->is_dealt = true;
            return NULL;
        }
        oxi_multimap_set_pending(state, false);
        table = oxi_multimap_table(state, key);
    }
    bool is_new;
    unsigned char *slot = oxi_table_open_key(table, &state->rules, key, &is_new, site);
    oxi_chain *chain = slot != NULL ? oxi_chain_of(state, slot) : NULL;
    if (chain != NULL && is_new) {
        chain->count = 0;
    }
    return chain;
}

static oxi_chain *next_cell(const oxi_multimap_state *state, uint64_t *slot, const void **key) {
    while (*slot < state->head.cell_count) {
        uint64_t cell = (*slot)++;
        if (state->head.cells[cell].count > 0) {
            *key = state->head.cell_keys + cell * key_size_of(state);
            return &state->head.cells[cell];
        }
    }
    return NULL;
}

oxi_chain *oxi_multimap_next_chain(const oxi_multimap_state *state, uint32_t *region,
                                   uint64_t *slot, const void **key) {
    if (state->in_cells) {
        return next_cell(state, slot, key);
    }
    for (; *region <= state->head.region_mask; (*region)++, *slot = 0) {
        unsigned char *found =
            oxi_table_next_slot(&state->head.tables[*region], &state->rules, slot);
        if (found != NULL) {
            *key = found;
            return oxi_chain_of(state, found);
        }
    }
    return NULL;
}

// Into cells, and out of them.

void oxi_multimap_empty_cells(const oxi_multimap_state *state, uint32_t bucket) {
    oxi_chain *cells = state->head.cells + ((size_t)bucket << state->cell_shift);
    for (uint32_t k = 0; k < 1u << state->cell_shift; k++) {
        cells[k] = (oxi_chain){OXI_NO_ENTRY, OXI_NO_ENTRY, 0};
    }
}

bool oxi_multimap_leave_cells(oxi_multimap_state *state, ox_site site) {
    uint64_t cell = 0;
    const void *key;
    for (oxi_chain *chain; (chain = next_cell(state, &cell, &key)) != NULL;) {
        unsigned char *slot =
            oxi_table_insert(oxi_multimap_table(state, key), &state->rules, key, site);
        if (slot == NULL) {
            for (uint32_t k = 0; k <= state->head.region_mask; k++) {
                oxi_table_clear(&state->head.tables[k]);
            }
            return false;
        }
        *oxi_chain_of(state, slot) = *chain;
    }
    state->in_cells = false;
    return true;
}
