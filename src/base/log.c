// SPDX-License-Identifier: MIT
//
// Lines on stderr.
//
// Invariant: one call of fwrite for each line, with its end. stdio locks the stream during a call,
// and stderr is not buffered, so a line is whole and in order.

#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *log_level_prefix(oxi_log_level level) {
    switch (level) {
    case OXI_LOG_WARNING:
        return "oxbow: warning: ";
    case OXI_LOG_ERROR:
        return "oxbow: error: ";
    default:
        return "oxbow: ";
    }
}

void oxi_log(oxi_log_level level, const char *format, ...) {
    char line[OXI_LOG_SIZE];
    // The text leaves room for "...\n", which needs as much as its 0 and three bytes more.
    oxi_text text = oxi_text_over(line, sizeof line - 3);
    oxi_text_append(&text, log_level_prefix(level));
    va_list arguments;
    va_start(arguments, format);
    oxi_text_append_arguments(&text, format, arguments);
    va_end(arguments);

    const char *end = text.failed ? "...\n" : "\n";
    memcpy(line + text.length, end, strlen(end));
    fwrite(line, 1, text.length + strlen(end), stderr);
}

bool oxi_log_has_colour(void) {
    const char *no_colour = getenv("NO_COLOR");
    if (no_colour != NULL && no_colour[0] != 0) {
        return false;
    }
    const char *terminal = getenv("TERM");
    bool is_dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
    return !is_dumb && isatty(fileno(stderr)) != 0;
}
