// SPDX-License-Identifier: MIT
//
// Lines on stderr: what the library has to say that is not a report.
//
// Any thread may call these functions. A line is written at once, so lines of different threads
// never mix. Nothing is allocated.

#pragma once

#include "base/text.h"

typedef enum oxi_log_level {
    OXI_LOG_INFO = 0,
    OXI_LOG_WARNING,
    OXI_LOG_ERROR,
} oxi_log_level;

/// The longest line, its end included. A longer one is cut and ends with "...".
enum { OXI_LOG_SIZE = 4096 };

/// Writes the line "oxbow: text", with "warning: " or "error: " before the text. The end of the
/// line is added.
void oxi_log(oxi_log_level level, const char *format, ...) OXI_PRINTF(2, 3);

/// True when colours are wanted on stderr: it is a terminal, NO_COLOR is not set or empty, and TERM
/// is not "dumb". Looks at the environment anew each time.
bool oxi_log_has_colour(void);
