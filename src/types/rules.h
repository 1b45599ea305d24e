// SPDX-License-Identifier: MIT
//
// What a component may be.
//
// Rules are judged without a report, since that happens under the registry's lock; what is wrong is
// a fault, reported later.

#pragma once

#include "base/check.h"
#include "types/shape.h"

enum { OXI_LONGEST_FIELD_PATH = 160 };

/// What is wrong with a component.
typedef struct oxi_component_fault {
    ox_report_id id; ///< OX_REPORT_NONE: nothing
    const char *why; ///< of BAD_COMPONENT, as advice
    const char *advice;
    char field[OXI_LONGEST_FIELD_PATH]; ///< of COMPONENT_CONTAINER and COMPONENT_POINTER
    const char *type_name;              ///< of COMPONENT_CONTAINER, of the table of types
    const char *difference;             ///< of COMPONENT_CONFLICT, as first_site
    ox_site first_site;
    const ox_type *scanned; ///< its text is at fault: scanning it reports
    size_t bytes;           ///< of OUT_OF_MEMORY
} oxi_component_fault;

/// What a component that is no fault comes to.
typedef struct oxi_component_shape {
    ox_type type; ///< of the table, or the component's own
    bool is_new;  ///< no type of this name is in the table yet
    ox_layout layout;
} oxi_component_shape;

/// Judges a component. `shape` points into it, and into the table of types, which must be updated.
/// @return false with `fault` filled; else `shape->layout` belongs to the caller.
bool oxi_component_judge(const ox_component *component, oxi_component_shape *shape,
                         oxi_component_fault *fault);

/// What two descriptions of one component disagree about, or NULL. A second one without a text, of
/// a struct that is declared elsewhere, fits any of the same size and alignment.
const char *oxi_component_difference(const ox_component *first, const ox_component *second);

/// Fills a fault of two components with one name. @return false.
bool oxi_component_fail_conflict(oxi_component_fault *fault, const char *difference,
                                 ox_site first_site);

/// Reports a fault. @return false; true when it is none any more, because another thread announced
/// the type that was missing: then try again.
bool oxi_component_report(const ox_component *component, const oxi_component_fault *fault,
                          ox_site site);
