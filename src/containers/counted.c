// SPDX-License-Identifier: MIT
//
// Parallel jobs that take their count from a container when they start.
//
// The job system calls the counter on the thread that starts the job. The guard holds the container
// for the job as one that it reads, so no other job and not main can change it meanwhile. The
// handle is looked at by the guard alone: a question asked here would find the jobs that fill the
// container, which the job waits for.

#include "containers/list_state.h"

#include "jobs/gate.h"

static int64_t count_list(const oxi_job_counter *counter, const void *job, ox_site site) {
    oxi_list_state *state = counter->memory;
    (void)job;
    if (oxi_list_get_limit(state) == 0 && !oxi_list_take_over_at(state, site)) {
        return OXI_NO_COUNT;
    }
    return state->count;
}

ox_job ox_schedule_for_list_at(ox_job_type *type, ox_list list, int batch, ox_job after,
                               const void *data, ox_site site) {
    if (list.state == NULL) {
        oxi_handle_missing(list.access, "list", site);
        return OX_NO_JOB;
    }
    oxi_job_request request = {type, data, after, site, .is_parallel = true};
    request.counter = (oxi_job_counter){count_list, NULL, list.state};
    request.counted = &list.access;
    return oxi_parallel_job_request(&request, 0, batch);
}

static int64_t count_value(const oxi_job_counter *counter, const void *job, ox_site site) {
    (void)job;
    (void)site;
    return *(const int32_t *)counter->memory;
}

ox_job ox_schedule_for_value_at(ox_job_type *type, ox_array counts, int batch, ox_job after,
                                const void *data, ox_site site) {
    ox_element element = ox_element_of(int32_t);
    if (counts.data == NULL) {
        oxi_handle_missing(counts.access, "array", site);
        return OX_NO_JOB;
    }
    if (!oxi_element_fits(counts.element, element)) {
        oxi_element_mismatch(counts.element, element, counts.access, "array", site);
        return OX_NO_JOB;
    }
    if (counts.count == 0) {
        oxi_out_of_bounds(0, 0, counts.access, "array", site);
        return OX_NO_JOB;
    }
    oxi_job_request request = {type, data, after, site, .is_parallel = true};
    request.counter = (oxi_job_counter){count_value, NULL, counts.data};
    request.counted = &counts.access;
    return oxi_parallel_job_request(&request, 0, batch);
}
