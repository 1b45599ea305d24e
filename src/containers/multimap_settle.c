// SPDX-License-Identifier: MIT
//
// Taking over what jobs wrote to a multimap.
//
// Settling is prepared by one thread: it finds memory for the entries and gives each bucket a range
// of them. Then buckets are filled, one after the other or by jobs side by side: each touches its
// own table and its own entries, in the order of what was written, so both ways come to the same. A
// small multimap has one table; its buckets are filled one after the other.
//
// Into a large multimap that is empty, as one that is built anew in each frame is, values are laid
// so that those of a key lie side by side: who reads them walks through memory. They are chained
// all the same, so nothing else need know.
//
// Invariant: a multimap is pending when segments hold items that are not taken, and no longer when
// all are. A bucket that ran out of memory knows how many of its items were taken, and goes on
// there.

#include "containers/multimap.h"

#include "containers/inbox.h"

static uint32_t count_items(const oxi_multimap_state *state, uint32_t bucket) {
    return (uint32_t)(oxi_segments_size(state->segments, bucket) / state->item_size);
}

// Entries that were left over when a bucket ran out of memory.
static void free_left_entries(oxi_multimap_state *state) {
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        oxi_multimap_bucket *bucket = &state->buckets[k];
        for (; bucket->next_entry < bucket->end_entry; bucket->next_entry++) {
            oxi_multimap_free_entry(state, bucket->next_entry);
        }
    }
}

static bool reserve_in_tables(oxi_multimap_state *state, uint32_t total, ox_site site) {
    bool is_large = state->head.region_mask == 0 && total >= OXI_MULTIMAP_SPLIT / 2 &&
                    state->one.count + total >= OXI_MULTIMAP_SPLIT;
    if (is_large && !oxi_multimap_split(state, site)) {
        return false;
    }
    state->is_fresh = state->pair_count == 0 && state->head.region_mask != 0;
    return !state->is_fresh || oxi_multimap_reserve_places(state, site);
}

// The memory that buckets will fill.
static bool reserve_for_settling(oxi_multimap_state *state, uint32_t total, ox_site site) {
    bool is_all = state->pair_count == 0;
    state->in_cells = state->in_cells && !is_all; // chains that are empty need not be moved
    if (!oxi_multimap_reserve_entries(state, total, site)) {
        return false;
    }
    if (is_all && oxi_multimap_suits_cells(state, total)) {
        state->is_fresh = state->in_cells = oxi_multimap_reserve_cells(state, site);
        return state->in_cells;
    }
    if (state->in_cells && oxi_load_relaxed(&state->has_strays) == 0) {
        state->is_fresh = false;
        return true;
    }
    state->notes_numbers = is_all && oxi_multimap_begin_notes(state, total);
    return (!state->in_cells || oxi_multimap_leave_cells(state, site)) &&
           reserve_in_tables(state, total, site);
}

bool oxi_multimap_prepare(oxi_multimap_state *state, ox_site site) {
    uint32_t counts[OXI_MULTIMAP_REGIONS], total = 0;
    state->is_prepared = state->notes_numbers = false;
    free_left_entries(state);
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        counts[k] = count_items(state, k) - state->buckets[k].taken;
        total += counts[k];
    }
    if (!reserve_for_settling(state, total, site)) {
        return false;
    }
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        oxi_multimap_bucket *bucket = &state->buckets[k];
        bucket->added = 0;
        bucket->next_entry = state->entry_count;
        state->entry_count += counts[k];
        bucket->end_entry = state->entry_count;
    }
    state->is_prepared = true;
    return true;
}

// The end of a round: counts what was added, and empties the segments when that is all.
bool oxi_multimap_finish(oxi_multimap_state *state) {
    bool is_whole = true;
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        oxi_multimap_bucket *bucket = &state->buckets[k];
        state->pair_count += bucket->added;
        is_whole = is_whole && bucket->next_entry == bucket->end_entry;
    }
    state->head.changes++;
    state->is_prepared = false;
    if (is_whole) {
        if (state->notes_numbers) {
            oxi_multimap_see_keys(state);
        }
        // With one table it does not matter, and by hash it is found sooner.
        state->is_dealt = state->is_dealt && (state->in_cells || state->head.region_mask != 0);
        memset(state->buckets, 0, sizeof state->buckets);
        oxi_segments_clear(state->segments);
        oxi_multimap_set_pending(state, false);
    }
    return is_whole;
}

typedef struct bucket_run {
    oxi_multimap_state *state;
    oxi_table *table;
    oxi_multimap_bucket bucket; // a copy: threads must not write to one cache line in turns
    const oxi_spans *spans;
    ox_site site;
} bucket_run;

// Values behind those that their keys have.

static bool append_items(bucket_run *run, const char *item, const char *end) {
    oxi_multimap_state *state = run->state;
    size_t size = oxi_element_size(state->head.kinds.value);
    for (; item < end; item += state->item_size) {
        oxi_chain *chain = oxi_multimap_open_chain(state, run->table, item, run->site);
        if (chain == NULL) {
            return false;
        }
        uint32_t entry = run->bucket.next_entry++;
        oxi_item_copy(oxi_entry(state, entry), item + state->item_value, size);
        oxi_chain_append(state, chain, entry);
        run->bucket.added++;
    }
    return true;
}

static void append_spans(bucket_run *run) {
    size_t skip = (size_t)run->bucket.taken * run->state->item_size;
    bool goes_on = true;
    for (size_t k = 0; k < run->spans->count && goes_on; k++) {
        const oxi_span *span = &run->spans->items[k];
        size_t begin = skip < span->size ? skip : span->size;
        skip -= begin;
        goes_on = append_items(run, span->items + begin, span->items + span->size);
    }
}

// Values side by side. Keys are numbered as they come, and each item remembers the number of its
// key; then it is known where the values of each key begin.

/// The places of a bucket.
typedef struct laying {
    uint32_t *keys;  // of each item: the number of its key
    uint32_t *sizes; // of each key: how many values; later, where the next one goes
    uint32_t key_count;
    uint32_t item_count;
} laying;

static bool number_items(bucket_run *run, laying *lay, const char *item, const char *end) {
    oxi_multimap_state *state = run->state;
    for (; item < end; item += state->item_size) {
        bool is_new;
        unsigned char *slot =
            oxi_table_open_key(run->table, &state->rules, item, &is_new, run->site);
        if (slot == NULL) {
            return false;
        }
        oxi_chain *chain = oxi_chain_of(state, slot);
        if (is_new) {
            chain->first = lay->key_count++;
            lay->sizes[chain->first] = 0;
        }
        lay->sizes[chain->first]++;
        lay->keys[lay->item_count++] = chain->first;
    }
    return true;
}

static void find_begins(laying *lay, uint32_t entry) {
    for (uint32_t k = 0; k < lay->key_count; k++) {
        uint32_t size = lay->sizes[k];
        lay->sizes[k] = entry;
        entry += size;
    }
}

static void lay_items(const bucket_run *run, laying *lay, const uint32_t *key, const char *item,
                      uint32_t count) {
    oxi_multimap_state *state = run->state;
    size_t size = oxi_element_size(state->head.kinds.value);
    for (uint32_t k = 0; k < count; k++, item += state->item_size) {
        uint32_t entry = lay->sizes[key[k]]++;
        oxi_item_copy(oxi_entry(state, entry), item + state->item_value, size);
        *oxi_entry_next(state, entry) = entry + 1;
    }
}

// What was the number of a key becomes its chain: the values of a key end where its next one would
// go, and begin where those of the key before it end.
static void close_chains(const bucket_run *run, const laying *lay) {
    const oxi_multimap_state *state = run->state;
    uint64_t at = 0;
    for (unsigned char *slot;
         (slot = oxi_table_next_slot(run->table, &state->rules, &at)) != NULL;) {
        oxi_chain *chain = oxi_chain_of(state, slot);
        uint32_t number = chain->first, end = lay->sizes[number];
        chain->first = number > 0 ? lay->sizes[number - 1] : run->bucket.next_entry;
        chain->last = end - 1;
        chain->count = end - chain->first;
        *oxi_entry_next(state, chain->last) = OXI_NO_ENTRY;
    }
}

static void lay_spans(bucket_run *run) {
    const oxi_spans *spans = run->spans;
    oxi_multimap_bucket *bucket = &run->bucket;
    uint32_t *places = run->state->places + (size_t)bucket->next_entry * 2;
    laying lay = {.keys = places, .sizes = places + (bucket->end_entry - bucket->next_entry)};
    bool goes_on = true;
    for (size_t k = 0; k < spans->count && goes_on; k++) {
        const oxi_span *span = &spans->items[k];
        goes_on = number_items(run, &lay, span->items, span->items + span->size);
    }
    find_begins(&lay, bucket->next_entry);
    uint32_t placed = 0;
    for (size_t k = 0; k < spans->count; k++) {
        uint32_t left = lay.item_count - placed;
        uint32_t count = (uint32_t)(spans->items[k].size / run->state->item_size);
        count = count < left ? count : left;
        lay_items(run, &lay, lay.keys + placed, spans->items[k].items, count);
        placed += count;
    }
    close_chains(run, &lay);
    bucket->added = placed;
    bucket->next_entry += placed;
}

// The same in cells: those of a bucket are nobody else's.

static void count_in_cells(const bucket_run *run, const oxi_span *span) {
    const oxi_multimap_state *state = run->state;
    for (const char *item = span->items; item < span->items + span->size;
         item += state->item_size) {
        state->head.cells[oxi_multimap_cell_of(state, item)].count++;
    }
}

// `last` becomes where the next value goes.
static void begin_cells(const oxi_multimap_state *state, oxi_chain *cells, uint32_t entry) {
    for (uint32_t k = 0; k < 1u << state->cell_shift; k++) {
        cells[k].first = cells[k].count > 0 ? entry : OXI_NO_ENTRY;
        cells[k].last = entry;
        entry += cells[k].count;
    }
}

static void lay_in_cells(const bucket_run *run, const oxi_span *span) {
    oxi_multimap_state *state = run->state;
    size_t size = oxi_element_size(state->head.kinds.value);
    for (const char *item = span->items; item < span->items + span->size;
         item += state->item_size) {
        uint32_t entry = state->head.cells[oxi_multimap_cell_of(state, item)].last++;
        oxi_item_copy(oxi_entry(state, entry), item + state->item_value, size);
        *oxi_entry_next(state, entry) = entry + 1;
    }
}

static void close_cells(const oxi_multimap_state *state, oxi_chain *cells) {
    for (uint32_t k = 0; k < 1u << state->cell_shift; k++) {
        cells[k].last = cells[k].count > 0 ? cells[k].last - 1 : OXI_NO_ENTRY;
        if (cells[k].count > 0) {
            *oxi_entry_next(state, cells[k].last) = OXI_NO_ENTRY;
        }
    }
}

static void lay_cells(bucket_run *run, uint32_t index) {
    oxi_multimap_bucket *bucket = &run->bucket;
    oxi_chain *cells = run->state->head.cells + ((size_t)index << run->state->cell_shift);
    for (size_t k = 0; k < run->spans->count; k++) {
        count_in_cells(run, &run->spans->items[k]);
    }
    begin_cells(run->state, cells, bucket->next_entry);
    for (size_t k = 0; k < run->spans->count; k++) {
        lay_in_cells(run, &run->spans->items[k]);
    }
    close_cells(run->state, cells);
    bucket->added = bucket->end_entry - bucket->next_entry;
    bucket->next_entry = bucket->end_entry;
}

static void note_spans(bucket_run *run) {
    for (size_t k = 0; k < run->spans->count; k++) {
        oxi_multimap_note_keys(run->state, &run->bucket, run->spans->items[k].items,
                               run->spans->items[k].size);
    }
}

static void settle_spans(bucket_run *run, uint32_t index) {
    const oxi_multimap_state *state = run->state;
    if (state->notes_numbers) {
        note_spans(run);
    }
    if (!state->is_fresh) {
        append_spans(run);
    } else if (state->in_cells) {
        lay_cells(run, index);
    } else {
        lay_spans(run);
    }
}

static bool report_no_order(const oxi_multimap_state *state, uint32_t index, ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                      OXI_NUMBER("bytes", oxi_segments_size(state->segments, index)),
                      OXI_NAME("allocator", "the order of parallel writes"));
}

void oxi_multimap_settle_bucket(oxi_multimap_state *state, uint32_t index, ox_site site) {
    oxi_spans spans = {0};
    bucket_run run = {.state = state,
                      .table = &state->head.tables[index & state->head.region_mask],
                      .bucket = state->buckets[index],
                      .spans = &spans,
                      .site = site};
    if (state->is_fresh && state->in_cells) {
        oxi_multimap_empty_cells(state, index);
    }
    if (run.bucket.next_entry == run.bucket.end_entry) {
        return;
    }
    if (!oxi_segments_list(state->segments, index, &spans)) {
        report_no_order(state, index, site);
        return;
    }
    settle_spans(&run, index);
    oxi_list_free(&spans);
    run.bucket.taken += run.bucket.added;
    state->buckets[index] = run.bucket;
}

static bool settle_all(oxi_multimap_state *state, ox_site site) {
    if (!oxi_multimap_prepare(state, site)) {
        return false;
    }
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        oxi_multimap_settle_bucket(state, k, site);
    }
    return oxi_multimap_finish(state);
}

// Readers in several jobs may come here together: the first one settles, the others find it done.
bool oxi_multimap_settle(oxi_multimap_state *state, ox_site site) {
    if (!oxi_multimap_is_pending(state)) {
        return true;
    }
    oxi_mutex_lock(&state->lock);
    bool is_settled = !oxi_multimap_is_pending(state) || settle_all(state, site);
    oxi_mutex_unlock(&state->lock);
    return is_settled;
}
