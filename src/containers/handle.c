// SPDX-License-Identifier: MIT
//
// What the handles of all containers share.
//
// A disposed handle keeps its access, so that the safety system can say where it was disposed. The
// access is asked before memory is looked at: a copy of a disposed handle still points to it.

#include "containers/handle.h"

#include "base/live_blocks.h"

bool oxi_access_make(ox_access *access, const ox_access_def *def, const void *block, ox_site site) {
    if (!ox_access_create_at(access, def, site)) {
        return false;
    }
    ox_access_info info;
    if (ox_access_get_info(*access, &info)) {
        // The safety system keeps the name where it is, also when ox_container_set_name changes it.
        oxi_live_set_owner(block, &(oxi_live_owner){info.kind, info.name, "dispose"});
    }
    return true;
}

bool oxi_extent_outside(ox_access access, const char *kind, oxi_extent extent, ox_site site) {
    int64_t index = extent.first;
    if (index >= 0 && index < extent.length && extent.count > 0) {
        bool is_huge = extent.count > INT64_MAX - index;
        index = is_huge ? INT64_MAX : index + extent.count - 1;
    }
    return oxi_out_of_bounds(index, extent.length, access, kind, site);
}

bool oxi_handle_missing(ox_access access, const char *kind, ox_site site) {
    return OXI_ASK(access, ox_access_may_read_at(access, site)) && oxi_unassigned(kind, site);
}

bool oxi_dispose_require(ox_access access, const void *memory, const char *kind, ox_job after,
                         ox_site site) {
    (void)after;
    if (!OXI_ASK(access, ox_access_may_dispose_at(access, after, site))) {
        return false;
    }
    if (memory == NULL) {
        return oxi_unassigned(kind, site);
    }
    if ((access.flags & OX_ACCESS_VIEW) == 0) {
        return true;
    }
    // The release library does not watch views, and must not free the memory of another container.
    ox_access_info info = oxi_container_info(access, kind);
    return OXI_REPORT(NULL, OX_REPORT_VIEW_DISPOSED, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created));
}

OX_JOB(ReleaseContainer, {
    OX_NO_SAFETY void (*release)(void *memory, ox_site site);
    OX_NO_SAFETY void *memory;
    OX_NO_SAFETY const char *site;
}) {
    job->release(job->memory, job->site);
}

bool oxi_dispose(ox_access access, const oxi_release *release, ox_job after, ox_job *job,
                 ox_site site) {
    if (after.value == 0) {
        ox_access_destroy_at(access, site);
        release->call(release->memory, site);
        return true;
    }
    if (!OXI_REQUIRE(release->allocator != OX_TEMP, NULL, OX_REPORT_TEMP_IN_JOB, site,
                     OXI_NAME("field", "memory"), OXI_NAME("job", "ReleaseContainer"),
                     OXI_NAME("kind", "container"))) {
        return false;
    }
    *job = ox_schedule(ReleaseContainer, after,
                       {.release = release->call, .memory = release->memory, .site = site});
    if (job->value == 0) {
        return false;
    }
    ox_access_destroy_at(access, site);
    return true;
}
