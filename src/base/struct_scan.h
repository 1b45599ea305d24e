// SPDX-License-Identifier: MIT
//
// Laying a struct out from its text.

#pragma once

#include "base/struct_declare.h"
#include "oxbow/report.h"

enum { OXI_DEEPEST_STRUCT = 8, OXI_MOST_FIELDS = 4096 };

/// The first thing that went wrong.
typedef struct oxi_scan_fault {
    ox_report_id id;     ///< OX_REPORT_NONE: nothing
    const ox_type *type; ///< in whose text
    char field[80];      ///< a name, or the text of a declaration
    char type_name[80];
    oxi_unreadable text; ///< of OX_REPORT_UNREADABLE_FIELD
    size_t text_size;    ///< of OX_REPORT_LAYOUT_MISMATCH, as text_align
    size_t text_align;
} oxi_scan_fault;

/// One scan. Zeroed it counts fields and the bytes of their names; with room for both, it fills
/// them in.
typedef struct oxi_scan {
    ox_field *fields;
    char *names;
    uint32_t field_count;
    size_t name_bytes;
    oxi_scan_fault fault;
    const ox_type *inside; // whose text is being read
    int silent;            // > 0: a struct is only measured
} oxi_scan;

/// Reads the text of `type`, which must come to its size and alignment. Allocates and reports
/// nothing; two scans of one type come to the same, since types are never removed.
/// @return false with `scan->fault` filled.
bool oxi_scan_run(oxi_scan *scan, const ox_type *type);
