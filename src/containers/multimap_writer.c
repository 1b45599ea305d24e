// SPDX-License-Identifier: MIT
//
// Writing to multimaps from parallel jobs, and jobs that take it over: multimap_settle.c has how.
//
// What is written is dealt into 16 buckets, which are the regions of a large multimap.

#include "containers/multimap.h"

#include "containers/inbox.h"

bool ox_multimap_merge_at(ox_multimap map, ox_site site) {
    return oxi_multimap_may_look(map, site);
}

// Jobs that settle have the multimap as a field, so that nobody else may use it meanwhile.

OX_JOB(PrepareMultimap, {
    ox_multimap map;
    OX_NO_SAFETY const char *site;
}) {
    oxi_multimap_state *state = job->map.state;
    oxi_store_relaxed(&state->buckets_left, (uint32_t)OXI_MULTIMAP_REGIONS);
    state->is_prepared = false;
    if (oxi_multimap_is_pending(state)) {
        oxi_multimap_prepare(state, job->site);
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
    bool is_apart = state->head.region_mask != 0 || state->in_cells;
    if (is_apart) {
        oxi_multimap_settle_bucket(state, (uint32_t)i, job->site);
    }
    // acq_rel: the last one sees what the others have filled.
    if (oxi_sub_acq_rel(&state->buckets_left, 1) != 1) {
        return;
    }
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS && !is_apart; k++) {
        oxi_multimap_settle_bucket(state, k, job->site);
    }
    oxi_multimap_finish(state);
}

ox_job ox_multimap_merge_after_at(ox_multimap map, ox_job after, ox_site site) {
    if (map.state == NULL) {
        oxi_handle_missing(map.access, "multimap", site);
        return OX_NO_JOB;
    }
    PrepareMultimap prepare = {.map = map, .site = site};
    ox_job first = ox_schedule_at(ox_job_type_of(PrepareMultimap), after, &prepare, site);
    if (first.value == 0) {
        return OX_NO_JOB;
    }
    SettleMultimap settle = {.map = map, .site = site};
    ox_job last = ox_schedule_for_at(ox_job_type_of(SettleMultimap), OXI_MULTIMAP_REGIONS, 1, first,
                                     &settle, site);
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
    if (state->is_dealt && oxi_multimap_cell_of(state, key) >= state->head.cell_count &&
        oxi_load_relaxed(&state->has_strays) == 0) {
        oxi_store_relaxed(&state->has_strays, 1);
    }
    oxi_item_copy(item, key, oxi_table_key_size(state->rules.shape));
    oxi_item_copy(item + state->item_value, value, oxi_element_size(state->head.kinds.value));
    if ((oxi_load_relaxed(oxi_multimap_special_word(state)) & OXI_TABLE_PENDING) == 0) {
        oxi_multimap_set_pending(state, true);
    }
    return true;
}

static bool write_multimap_on_main(oxi_multimap_state *state, const void *key, const void *value,
                                   ox_site site) {
    return oxi_multimap_settle(state, site) && oxi_multimap_add(state, key, value, site);
}

bool ox_multimap_write_at(ox_multimap_writer writer, const void *key, oxi_multimap_type_pair kinds,
                          const void *value, ox_site site) {
    oxi_writer_caller caller = oxi_writer_get_caller();
    if (caller == OXI_WRITER_STRANGER) {
        return oxi_writer_refuse_stranger(writer.access, "multimap", site);
    }
    if (!OXI_ASK(writer.access, ox_access_may_write_at(writer.access, site))) {
        return false;
    }
    if (writer.state == NULL) {
        return oxi_unassigned("multimap writer", site);
    }
    ox_multimap map = {.state = writer.state, .access = writer.access};
    if (!oxi_multimap_has_kinds(map, kinds, site)) {
        return false;
    }
    return caller == OXI_WRITER_JOB ? write_multimap_in_job(writer.state, key, value, site)
                                    : write_multimap_on_main(writer.state, key, value, site);
}
