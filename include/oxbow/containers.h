// SPDX-License-Identifier: MIT
//
// All containers, and what can be done to any of them: naming and disposing.
//
//     ox_container_set_name(hp, "hit points");         // what reports call it
//     ox_dispose(&hp);                       // now
//     ox_dispose_after(&hp, job);            // or when the last job that uses it is done
//
// Naming and disposing may be done on any thread; disposing after a job is main's.

#pragma once

#include "oxbow/array.h"
#include "oxbow/list.h"
#include "oxbow/map.h"

/// Calls X(T) for each type that owns memory, but for ox_array: a list must end without a comma.
#define OXI_DISPOSABLE(X)                                                                          \
    X(ox_bits)                                                                                     \
    X(ox_list)                                                                                     \
    X(ox_map)                                                                                      \
    X(ox_multimap)                                                                                 \
    X(ox_queue)                                                                                    \
    X(ox_stream)

/// Gives a container its debug name, of up to 31 bytes: ox_container_set_name(hp, "hit points").
#define ox_container_set_name(container, text) ox_access_set_name((container).access, text)

// clang-format off
#ifdef __cplusplus

#define OXI_DISPOSE_OVERLOADS(T)                                                                   \
    static inline void oxi_dispose(T *container, ox_site site) {                                   \
        T##_dispose_at(container, site);                                                           \
    }                                                                                              \
    static inline ox_job oxi_dispose_after(T *container, ox_job after, ox_site site) {             \
        return T##_dispose_after_at(container, after, site);                                       \
    }
OXI_DISPOSABLE(OXI_DISPOSE_OVERLOADS)
OXI_DISPOSE_OVERLOADS(ox_array)
#define OXI_DISPOSE(container)       oxi_dispose
#define OXI_DISPOSE_AFTER(container) oxi_dispose_after

#else

#define OXI_DISPOSE_CASE(T)       T *: T##_dispose_at,
#define OXI_DISPOSE_AFTER_CASE(T) T *: T##_dispose_after_at,
#define OXI_DISPOSE(container)                                                                     \
    _Generic((container), OXI_DISPOSABLE(OXI_DISPOSE_CASE) ox_array *: ox_array_dispose_at)
#define OXI_DISPOSE_AFTER(container)                                                               \
    _Generic((container),                                                                          \
        OXI_DISPOSABLE(OXI_DISPOSE_AFTER_CASE) ox_array *: ox_array_dispose_after_at)

#endif
// clang-format on

/// Frees a container of any kind: ox_dispose(&hp). Every copy of its handle is dead from here on.
#define ox_dispose(container) OXI_DISPOSE(container)(container, OX_HERE)

/// Frees a container of any kind in a job after `after`, which covers all jobs that use it. The
/// handle is dead at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
#define ox_dispose_after(container, after) OXI_DISPOSE_AFTER(container)(container, after, OX_HERE)
