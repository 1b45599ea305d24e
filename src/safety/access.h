// SPDX-License-Identifier: MIT
//
// What the units of this room say about an access.

#pragma once

#include "safety/nodes.h"

/// A job that holds a container and was not completed.
typedef struct oxi_holder {
    const char *container;
    const char *job;
    ox_site site; ///< where the job was scheduled
    bool writes;
    ox_job handle;
} oxi_holder;

/// Main: tells who stands in the way of reading, or of writing, once `after` is done. Never anybody
/// in the release library. @return false when nobody does.
bool oxi_access_find_holder(ox_access access, bool writes, ox_job after, oxi_holder *holder);

/// True for a handle of a container that was not disposed; true for all in the release library,
/// which does not know. Not for Temp.
bool oxi_access_is_alive(ox_access access);

/// Main: true when a job is over for who completes a handle: it was completed, or is the handle, or
/// the handle depends on it. Always in the release library, which does not know.
bool oxi_job_is_covered(ox_job job, ox_job handle);

/// Main: the name of a job that was not completed, whether it is done or not; "?" when it is not
/// known, as always in the release library.
const char *oxi_job_get_fence_name(ox_job job);

#if OX_SAFETY >= 1

/// The node of a handle that is alive, or NULL. No report. Not for Temp.
oxi_node *oxi_access_find(ox_access access);

/// The node of a handle that is alive, or NULL after a report. `what` ends the sentence, such as
/// "main reads it". Not for Temp.
oxi_node *oxi_access_resolve(ox_access access, const char *what, ox_site site);

/// True when a Temp container still lives; else reports.
bool oxi_access_require_temp(ox_access access, ox_site site);

static inline bool oxi_access_is_temp(ox_access access) {
    return access.token == (uint32_t)OXI_TEMP_TOKEN;
}

#endif
