// SPDX-License-Identifier: MIT
//
// Views and lookups in the struct of a job.

#pragma once

#include "entities/fences.h"
#include "entities/query.h"
#include "oxbow/queries.h"
#include "safety/job_scan.h"

typedef struct oxi_held_field {
    const ox_job_field *field;
    ox_world *world;
    oxi_type_use use;
    ox_view view;    ///< its query is NULL for a lookup
    bool is_watched; ///< its field is not OX_NO_SAFETY
} oxi_held_field;

/// Goes over all of them, in the order of fields.
typedef struct oxi_held_walk {
    oxi_job_scan scan;
    const void *data;
    uint32_t next;
} oxi_held_walk;

/// Begins with the first. @return false after a report: the struct is not understood.
bool oxi_held_begin(oxi_held_walk *walk, ox_job_type *type, const void *data, ox_site site);

/// The next one; not those of worlds that are gone, about which the safety system reports.
/// @return false behind the last.
bool oxi_held_next(oxi_held_walk *walk, oxi_held_field *held);

/// Lets the job's own copy of a lookup, in `data`, find entities by what main does not write. NULL:
/// by nothing but calls.
void oxi_held_patch_lookup(const oxi_held_field *held, const oxi_reach *reach, void *data);

/// False after a report: the query of a view has ended. Before anything else is asked of `held`.
bool oxi_held_require(const oxi_held_field *held, ox_site site);

/// True while a job may hold a view, of which its query then makes room to remember it; true for
/// lookups. Else reports.
bool oxi_held_reserve_view(const oxi_held_field *held, ox_site site);

/// Lets the query of a view remember the job.
void oxi_held_note_view(const oxi_held_field *held, ox_job job);
