// SPDX-License-Identifier: MIT
//
// Writing to lists from parallel jobs, and taking that over.
//
// A writer adds to the segments of the list, never to the list itself. Each write takes one of the
// places that the list has left, so there is room for all when they are settled: settling needs
// memory only for the list of spans.
//
// Invariant: `limit` is 0 from the first place that a writer takes on, until the segments are
// cleared, under the lock. So the number of places is the same between two clears: whatever changes
// the count or the capacity settles first.

#include "containers/list_state.h"

// Copies the spans behind the last element. @return false when out of memory, with all pending.
static bool take_over_segments(oxi_list_whole *whole) {
    oxi_spans spans = {0};
    if (!oxi_segments_list(whole->segments, 0, &spans)) {
        return false;
    }
    oxi_list_state *state = &whole->state;
    size_t size = oxi_element_size(state->element);
    for (size_t k = 0; k < spans.count; k++) {
        OXI_ASSERT(spans.items[k].size % size == 0);
        OXI_ASSERT(spans.items[k].size / size <= (size_t)(state->capacity - state->count));
        memcpy(oxi_list_place(state, state->count), spans.items[k].items, spans.items[k].size);
        state->count += (int32_t)(spans.items[k].size / size);
    }
    oxi_list_free(&spans);
    oxi_segments_clear(whole->segments);
    return true;
}

// Readers in several jobs may come here together: the first one settles, the others find it done.
static bool settle_list(oxi_list_whole *whole, size_t *pending_bytes) {
    oxi_mutex_lock(&whole->lock);
    *pending_bytes = oxi_segments_size(whole->segments, 0);
    bool is_settled = oxi_load_relaxed(oxi_list_limit(&whole->state)) != 0;
    if (!is_settled && take_over_segments(whole)) {
        // Release: pairs with the acquire in oxi_list_get_limit.
        oxi_store_release(oxi_list_limit(&whole->state), (uint32_t)whole->state.capacity);
        is_settled = true;
    }
    oxi_mutex_unlock(&whole->lock);
    return is_settled;
}

bool oxi_list_take_over_at(oxi_list_state *state, ox_site site) {
    size_t bytes;
    bool is_settled = settle_list(oxi_list_whole_of(state), &bytes);
    return OXI_REQUIRE(is_settled, NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", bytes),
                       OXI_NAME("allocator", "the order of parallel writes"));
}

bool ox_list_merge_at(ox_list list, ox_site site) {
    return oxi_list_may_count_at(list, site);
}

OX_JOB(SettleList, { OX_READ_ONLY ox_list list; }) {
    ox_list_merge(job->list);
}

ox_job ox_list_merge_after_at(ox_list list, ox_job after, ox_site site) {
    if (list.state == NULL) {
        oxi_handle_missing(list.access, "list", site);
        return OX_NO_JOB;
    }
    return ox_schedule_at(ox_job_type_of(SettleList), after, &(SettleList){.list = list}, site);
}

// Making a writer touches no element, so main may do it while jobs use the list. In a job it needs
// the list for itself.
static bool may_make_writer(ox_list list, ox_site site) {
    (void)site;
    ox_access_info info;
    bool is_known = oxi_writer_get_caller() != OXI_WRITER_JOB &&
                    ox_access_get_info(list.access, &info) && info.disposed == NULL;
    return is_known || OXI_ASK(list.access, ox_access_may_resize_at(list.access, site));
}

ox_list_writer ox_list_writer_of_at(ox_list list, ox_site site) {
    if (list.state == NULL) {
        oxi_handle_missing(list.access, "list", site);
        return (ox_list_writer){0};
    }
    if (!may_make_writer(list, site)) {
        return (ox_list_writer){0};
    }
    oxi_list_whole *whole = oxi_list_whole_of(list.state);
    if (whole->segments == NULL) {
        whole->segments = oxi_segments_create(1, list.state->align, list.state->allocator, site);
    }
    if (whole->segments == NULL) {
        return (ox_list_writer){0};
    }
    ox_list_writer writer = {.state = list.state, .access = list.access};
    writer.access.flags |= OX_ACCESS_WRITE_ONLY;
    return writer;
}

static bool report_full(ox_list_writer writer, ox_site site) {
    ox_access_info info = oxi_container_info(writer.access, "list");
    return OXI_REPORT(NULL, OX_REPORT_FULL, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created),
                      OXI_INTEGER("capacity", writer.state->capacity));
}

static bool write_in_job(ox_list_writer writer, const void *value, ox_site site) {
    oxi_list_state *state = writer.state;
    oxi_segments *segments = oxi_list_whole_of(state)->segments;
    if (!oxi_segments_take_place(segments, (uint32_t)(state->capacity - state->count))) {
        return report_full(writer, site);
    }
    // Before the item is added: when there is no memory for it, the places begin anew all the same.
    if (oxi_load_relaxed(oxi_list_limit(state)) != 0) {
        oxi_store_release(oxi_list_limit(state), 0);
    }
    size_t size = oxi_element_size(state->element);
    void *place = oxi_segments_add(segments, 0, size, site);
    if (place == NULL) {
        oxi_segments_give_place(segments);
        return false;
    }
    memcpy(place, value, size);
    return true;
}

static bool write_on_main(ox_list_writer writer, const void *value, ox_site site) {
    oxi_list_state *state = writer.state;
    if (!oxi_list_may_resize((ox_list){.state = state, .access = writer.access}, site)) {
        return false;
    }
    if (state->count == state->capacity) {
        return report_full(writer, site);
    }
    memcpy(oxi_list_place(state, state->count), value, oxi_list_bytes(state, 1));
    state->count++;
    return true;
}

static bool report_stranger(ox_list_writer writer, ox_site site) {
    ox_access_info info = oxi_container_info(writer.access, "list");
    return OXI_REPORT(NULL, OX_REPORT_NOT_IN_JOB, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created));
}

bool ox_list_write_at(ox_list_writer writer, ox_element element, const void *value, ox_site site) {
    oxi_writer_caller caller = oxi_writer_get_caller();
    if (caller == OXI_WRITER_STRANGER) {
        return report_stranger(writer, site);
    }
    if (!OXI_ASK(writer.access, ox_access_may_write_at(writer.access, site))) {
        return false;
    }
    if (writer.state == NULL) {
        return oxi_unassigned("list writer", site);
    }
    if (!oxi_element_fits(writer.state->element, element)) {
        return oxi_element_mismatch(writer.state->element, element, writer.access, "list", site);
    }
    return (caller == OXI_WRITER_JOB ? write_in_job : write_on_main)(writer, value, site);
}
