// SPDX-License-Identifier: MIT
//
// Checks that all containers share.

#pragma once

#include "base/check.h"
#include "oxbow/detail/element.h"

/// The name of a container for reports: kind and name as the safety system knows them. `kind` is
/// what the caller says when nothing is known, as in the release library.
ox_access_info oxi_container_info(ox_access access, const char *kind);

/// True when elements of this type may stand in a container of this kind; else reports: too large,
/// aligned too much, or a container itself.
bool oxi_element_require(ox_element_info info, const char *kind, ox_site site);

/// True when `count` is 0 to INT32_MAX, and so many elements fit in memory; else reports.
bool oxi_length_require(int64_t count, ox_element element, const char *kind, ox_site site);

/// Reports that a call names another element type than the container has. @return false.
bool oxi_element_mismatch(ox_element stored, ox_element asked, ox_access access, const char *kind,
                          ox_site site);

/// Reports an index outside of a container. @return false.
bool oxi_out_of_bounds(int64_t index, int64_t count, ox_access access, const char *kind,
                       ox_site site);

/// Reports a handle that was never created. @return false.
bool oxi_unassigned(const char *kind, ox_site site);

static inline size_t oxi_element_size(ox_element element) {
    return element & OXI_ELEMENT_SIZE_MASK;
}
