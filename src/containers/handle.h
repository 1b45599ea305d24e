// SPDX-License-Identifier: MIT
//
// What the handles of all containers share: handles without a container, ranges of elements, and
// disposal.

#pragma once

#include "containers/element.h"

/// `count` elements from `first` on, of `length`.
typedef struct oxi_extent {
    int64_t first;
    int64_t count;
    int64_t length;
} oxi_extent;

static inline bool oxi_extent_is_inside(oxi_extent extent) {
    return extent.first >= 0 && extent.count >= 0 && extent.first <= extent.length &&
           extent.count <= extent.length - extent.first;
}

/// Makes the access of a container whose memory begins with `block`, and says that it owns it.
/// @return false after a report.
bool oxi_access_make(ox_access *access, const ox_access_def *def, const void *block, ox_site site);

/// Reports an extent that is not inside of its container. @return false.
bool oxi_extent_outside(ox_access access, const char *kind, oxi_extent extent, ox_site site);

/// True when these elements exist, and when they lie in the batch of a parallel job's own handle;
/// else reports.
static inline bool oxi_extent_require(ox_access access, const char *kind, oxi_extent extent,
                                      ox_site site) {
    if (!oxi_extent_is_inside(extent)) {
        return oxi_extent_outside(access, kind, extent, site);
    }
    return (access.flags & OX_ACCESS_BATCH) == 0 ||
           OXI_ASK(access,
                   ox_access_may_use_at(access, extent.first, extent.count, extent.length, site));
}

/// Reports a handle without memory: disposed when it had some, never created otherwise.
/// @return false.
bool oxi_handle_missing(ox_access access, const char *kind, ox_site site);

/// True when a container may be disposed once `after` is done; else reports. `memory` is what the
/// handle points to: it is not looked into.
bool oxi_dispose_require(ox_access access, const void *memory, const char *kind, ox_job after,
                         ox_site site);

/// Frees the memory of a container. Any thread.
typedef void oxi_release_fn(void *memory, ox_site site);

/// The memory of a container, and how it is freed.
typedef struct oxi_release {
    oxi_release_fn *call;
    void *memory;
    ox_allocator allocator; ///< where it comes from
} oxi_release;

/// Ends the access of a container and frees its memory: at once for OX_NO_JOB, else in a job after
/// `after`, which it writes to `job`. @return false after a report: then nothing changed.
bool oxi_dispose(ox_access access, const oxi_release *release, ox_job after, ox_job *job,
                 ox_site site);
