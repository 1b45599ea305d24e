// SPDX-License-Identifier: MIT
//
// The containers in the struct of a job type, found once from its text, or as its author lists
// them.

#pragma once

#include "oxbow/safety.h"

typedef struct oxi_job_scan {
    const ox_job_field *accesses;
    uint32_t count;
} oxi_job_scan;

/// What a job type accesses. Main only. @return false after a report: a field is not understood.
bool oxi_job_scan_get(ox_job_type *type, oxi_job_scan *scan, ox_site site);

/// For tests: forgets all scans.
void oxi_job_scans_reset(void);
