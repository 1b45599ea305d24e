// SPDX-License-Identifier: MIT
//
// Writing to multimaps from parallel jobs, and taking that over.
//
// What is written is dealt into 16 buckets by the hash of the key, which are the regions of a large
// multimap. Settling is prepared by one thread: it finds memory for the entries and gives each
// bucket a range of them. Then buckets are filled, one after the other or by jobs side by side:
// each touches its own table and its own entries, in the order of what was written, so both ways
// come to the same. A small multimap has one table; its buckets are filled one after the other.
//
// Invariant: `pending` is set when segments hold items that are not taken, and is cleared when all
// are. A bucket that ran out of memory knows how many of its items were taken, and goes on there.

#include "containers/multimap.h"

#include "containers/inbox.h"

OX_CONTAINER_TYPE(ox_multimap_writer, access);

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

static bool prepare_settling(oxi_multimap_state *state, ox_site site) {
    uint32_t counts[OXI_MULTIMAP_REGIONS], total = 0;
    state->is_prepared = false;
    free_left_entries(state);
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        counts[k] = count_items(state, k) - state->buckets[k].taken;
        total += counts[k];
    }
    if (!oxi_multimap_reserve_entries(state, total, site)) {
        return false;
    }
    bool is_large = state->region_mask == 0 && total >= OXI_MULTIMAP_SPLIT / 2 &&
                    state->one.table.count + total >= OXI_MULTIMAP_SPLIT;
    if (is_large && !oxi_multimap_split(state, site)) {
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

// The end of a round, on one thread: counts what was added, and empties the segments when that is
// all.
static bool finish_settling(oxi_multimap_state *state) {
    bool is_whole = true;
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        oxi_multimap_bucket *bucket = &state->buckets[k];
        state->pair_count += bucket->added;
        bucket->added = 0;
        is_whole = is_whole && bucket->next_entry == bucket->end_entry;
    }
    state->changes++;
    state->is_prepared = false;
    if (is_whole) {
        memset(state->buckets, 0, sizeof state->buckets);
        oxi_segments_clear(state->segments);
        // Release: who finds nothing pending sees all that was settled.
        oxi_store_release(&state->pending, 0);
    }
    return is_whole;
}

// Copies a value or key of a common size without a call.
OXI_INLINE void copy_small(void *to, const void *from, size_t size) {
    if (size == 8) {
        memcpy(to, from, 8);
    } else if (size == 4) {
        memcpy(to, from, 4);
    } else {
        memcpy(to, from, size);
    }
}

typedef struct bucket_run {
    oxi_multimap_state *state;
    ox_table *table;
    oxi_multimap_bucket bucket; // a copy: threads must not write to one cache line in turns
    ox_site site;
} bucket_run;

static bool settle_items(bucket_run *run, const char *item, const char *end) {
    oxi_multimap_state *state = run->state;
    size_t size = oxi_element_size(state->value);
    for (; item < end; item += state->item_size) {
        bool is_new;
        unsigned char *slot =
            oxi_table_open_key(run->table, &state->rules, item, &is_new, run->site);
        if (slot == NULL) {
            return false;
        }
        oxi_chain *chain = oxi_chain_of(state, slot);
        if (is_new) {
            chain->count = 0;
        }
        uint32_t entry = run->bucket.next_entry++;
        copy_small(oxi_entry(state, entry), item + state->item_value, size);
        oxi_chain_append(state, chain, entry);
        run->bucket.added++;
    }
    return true;
}

static bool report_no_order(const oxi_multimap_state *state, uint32_t index, ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                      OXI_NUMBER("bytes", oxi_segments_size(state->segments, index)),
                      OXI_NAME("allocator", "the order of parallel writes"));
}

static void settle_bucket(oxi_multimap_state *state, uint32_t index, ox_site site) {
    bucket_run run = {state, &state->regions[index & state->region_mask].table,
                      state->buckets[index], site};
    oxi_spans spans = {0};
    if (run.bucket.next_entry == run.bucket.end_entry) {
        return;
    }
    if (!oxi_segments_list(state->segments, index, &spans)) {
        report_no_order(state, index, site);
        return;
    }
    size_t skip = (size_t)run.bucket.taken * state->item_size;
    bool goes_on = true;
    for (size_t k = 0; k < spans.count && goes_on; k++) {
        const oxi_span *span = &spans.items[k];
        size_t begin = skip < span->size ? skip : span->size;
        skip -= begin;
        goes_on = settle_items(&run, span->items + begin, span->items + span->size);
    }
    oxi_list_free(&spans);
    run.bucket.taken += run.bucket.added;
    state->buckets[index] = run.bucket;
}

static bool settle_all(oxi_multimap_state *state, ox_site site) {
    if (!prepare_settling(state, site)) {
        return false;
    }
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        settle_bucket(state, k, site);
    }
    return finish_settling(state);
}

// Readers in several jobs may come here together: the first one settles, the others find it done.
bool oxi_multimap_settle(oxi_multimap_state *state, ox_site site) {
    // Acquire: pairs with the release in finish_settling.
    if (oxi_load_acquire(&state->pending) == 0) {
        return true;
    }
    oxi_mutex_lock(&state->lock);
    bool is_settled = oxi_load_relaxed(&state->pending) == 0 || settle_all(state, site);
    oxi_mutex_unlock(&state->lock);
    return is_settled;
}

bool ox_multimap_settle_at(ox_multimap map, ox_site site) {
    return oxi_multimap_may_look(map, site);
}

// The same by jobs. They have the multimap as a field, so that nobody else may use it meanwhile.

OX_JOB(PrepareMultimap, {
    ox_multimap map;
    OX_NO_SAFETY const char *site;
}) {
    oxi_multimap_state *state = job->map.state;
    oxi_store_relaxed(&state->buckets_left, (uint32_t)OXI_MULTIMAP_REGIONS);
    state->is_prepared = false;
    if (oxi_load_acquire(&state->pending) != 0) {
        prepare_settling(state, job->site);
    }
}

OX_PARALLEL_JOB(SettleMultimap, {
    OX_UNRESTRICTED ox_multimap map;
    OX_NO_SAFETY const char *site;
}) {
    oxi_multimap_state *state = job->map.state;
    if (!state->is_prepared) {
        return;
    }
    if (state->region_mask != 0) {
        settle_bucket(state, (uint32_t)i, job->site);
    }
    // acq_rel: the last one sees what the others have filled.
    if (oxi_sub_acq_rel(&state->buckets_left, 1) != 1) {
        return;
    }
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS && state->region_mask == 0; k++) {
        settle_bucket(state, k, job->site);
    }
    finish_settling(state);
}

ox_job ox_multimap_settle_after_at(ox_multimap map, ox_job after, ox_site site) {
    if (map.state == NULL) {
        oxi_handle_missing(map.access, "multimap", site);
        return ox_none;
    }
    PrepareMultimap prepare = {.map = map, .site = site};
    ox_job first = ox_job_schedule_at(ox_job_type_of(PrepareMultimap), &prepare, after, site);
    if (first.value == 0) {
        return ox_none;
    }
    SettleMultimap settle = {.map = map, .site = site};
    ox_job last = ox_parallel_job_schedule_at(ox_job_type_of(SettleMultimap), &settle,
                                              OXI_MULTIMAP_REGIONS, 1, first, site);
    // What was prepared alone is prepared anew by who uses the multimap next.
    return last.value != 0 ? last : first;
}

// Writers.

ox_multimap_writer ox_multimap_writer_of_at(ox_multimap map, ox_site site) {
    if (!oxi_writer_require_container(map.access, map.state, "multimap", site)) {
        return (ox_multimap_writer){0};
    }
    oxi_multimap_state *state = map.state;
    if (state->segments == NULL) {
        state->segments = oxi_segments_create(OXI_MULTIMAP_REGIONS, state->item_align,
                                              state->rules.allocator, site);
    }
    if (state->segments == NULL) {
        return (ox_multimap_writer){0};
    }
    ox_multimap_writer writer = {.state = state, .access = map.access};
    writer.access.flags |= OX_ACCESS_WRITE_ONLY;
    return writer;
}

static bool write_multimap_in_job(oxi_multimap_state *state, const void *key, const void *value,
                                  ox_site site) {
    uint32_t bucket = oxi_multimap_region_of(state, key);
    char *item = oxi_segments_add(state->segments, bucket, state->item_size, site);
    if (item == NULL) {
        return false;
    }
    copy_small(item, key, oxi_table_key_size(state->rules.shape));
    copy_small(item + state->item_value, value, oxi_element_size(state->value));
    if (oxi_load_relaxed(&state->pending) == 0) {
        oxi_store_release(&state->pending, 1);
    }
    return true;
}

static bool write_multimap_on_main(oxi_multimap_state *state, const void *key, const void *value,
                                   ox_site site) {
    return oxi_multimap_settle(state, site) && oxi_multimap_add(state, key, value, site);
}

bool ox_multimap_write_at(ox_multimap_writer writer, const void *key, const void *value,
                          ox_multimap_kinds kinds, ox_site site) {
    oxi_writer_caller caller = oxi_writer_get_caller();
    if (caller == OXI_WRITER_STRANGER) {
        return oxi_writer_refuse_stranger(writer.access, "multimap", site);
    }
    if (!OXI_ASK(writer.access, ox_access_write_at(writer.access, site))) {
        return false;
    }
    if (writer.state == NULL) {
        return oxi_unassigned("multimap writer", site);
    }
    ox_multimap map = {writer.state, writer.access};
    if (!oxi_multimap_has_kinds(map, kinds, site)) {
        return false;
    }
    return caller == OXI_WRITER_JOB ? write_multimap_in_job(writer.state, key, value, site)
                                    : write_multimap_on_main(writer.state, key, value, site);
}
