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
    char constant[80];        ///< of OX_REPORT_UNKNOWN_CONSTANT and OX_REPORT_CONSTANT_CONFLICT
    const ox_constant *first; ///< of OX_REPORT_CONSTANT_CONFLICT, as second
    const ox_constant *second;
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
    oxi_constant_names constants; // that the text at hand may name
    const ox_type *inside;        // whose text is being read
    int silent;                   // > 0: a struct is only measured
} oxi_scan;

/// Reads the text of `type`, which must come to its size and alignment. Allocates and reports
/// nothing.
/// @return false with `scan->fault` filled.
bool oxi_scan_run(oxi_scan *scan, const ox_type *type);

/// The bytes that the fields and names of a scan need.
size_t oxi_scan_size(const oxi_scan *counted);

/// Reads the text again, of which a scan that succeeded counted the fields, and fills them into a
/// block of oxi_scan_size. Comes to the same, since types are never removed, and constants that
/// were announced in the meantime are not seen.
void oxi_scan_fill(const oxi_scan *counted, const ox_type *type, void *block, ox_layout *layout);
