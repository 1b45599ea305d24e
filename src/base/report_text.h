// SPDX-License-Identifier: MIT
//
// The text of reports.

#pragma once

#include "oxbow/report.h"

/// Writes `pattern` to `buffer` with each {name} replaced by the report's value of that name, and
/// {site} by its place. Cuts what does not fit; always ends with a 0.
void oxi_report_expand(const ox_report *report, const char *pattern, char *buffer, size_t capacity);

/// As ox_report_format, with colour if wished.
size_t oxi_report_write(const ox_report *report, bool colour, char *buffer, size_t capacity);
