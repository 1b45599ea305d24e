// SPDX-License-Identifier: MIT
//
// The text of reports: patterns filled with values, and the whole as a person reads it.
//
// Nothing here allocates. Names come from users, so control characters in them are shown as '?' and
// very long ones are cut, between characters: a report is always a few readable lines. Who makes a
// sentence of several names, which is not cut, sees to its length.

#include "base/report_text.h"

#include "base/check.h"
#include "base/log.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_VALUE = 160 };

// A text that is cut at `capacity` but knows how long it would be.
typedef struct cut_text {
    char *buffer;
    size_t capacity;
    size_t length;
} cut_text;

static void put_bytes(cut_text *text, const char *bytes, size_t count) {
    for (size_t k = 0; k < count; k++, text->length++) {
        if (text->length + 1 < text->capacity) {
            text->buffer[text->length] = bytes[k];
        }
    }
    if (text->capacity > 0) {
        text->buffer[text->length < text->capacity ? text->length : text->capacity - 1] = 0;
    }
}

// The end of a text: where it was cut, it ends between characters.
static void end_cut(cut_text *text) {
    if (text->capacity > 0 && text->length >= text->capacity) {
        text->buffer[oxi_utf8_cut(text->buffer, text->capacity - 1)] = 0;
    }
}

static void put_string(cut_text *text, const char *string) {
    put_bytes(text, string, strlen(string));
}

static void put_safely(cut_text *text, char c) {
    bool is_control = (unsigned char)c < 0x20 || c == 0x7f;
    put_bytes(text, is_control ? "?" : &c, 1);
}

// A string of the user's, of which the beginning is shown.
static void put_foreign(cut_text *text, const char *string) {
    size_t length = strlen(string);
    size_t shown = length > LONGEST_VALUE ? oxi_utf8_cut(string, LONGEST_VALUE) : length;
    for (size_t k = 0; k < shown; k++) {
        put_safely(text, string[k]);
    }
    if (shown < length) {
        put_string(text, "...");
    }
}

// A text of ours with names of the user's in it, in lines.
static void put_whole(cut_text *text, const char *string) {
    for (; *string != 0; string++) {
        if (*string == '\n') {
            put_bytes(text, string, 1);
        } else {
            put_safely(text, *string);
        }
    }
}

static void put_value(cut_text *text, const ox_report_value *value) {
    char digits[32];
    switch (value->kind) {
    case OX_REPORT_VALUE_TEXT:
        put_foreign(text, value->text != NULL ? value->text : "(null)");
        return;
    case OX_REPORT_VALUE_SITE:
        put_foreign(text, value->text != NULL ? value->text : "a place not known");
        return;
    case OX_REPORT_VALUE_WHOLE:
        put_whole(text, value->text);
        return;
    case OX_REPORT_VALUE_INTEGER:
        snprintf(digits, sizeof digits, "%" PRId64, value->integer);
        break;
    case OX_REPORT_VALUE_UNSIGNED:
        snprintf(digits, sizeof digits, "%" PRIu64, value->number);
        break;
    case OX_REPORT_VALUE_ADDRESS:
        snprintf(digits, sizeof digits, "0x%" PRIx64, value->number);
        break;
    }
    put_string(text, digits);
}

// The length of the name in "{name}" at `pattern`, or 0 when it is no placeholder.
static size_t placeholder_length(const char *pattern) {
    size_t length = strspn(pattern + 1, "abcdefghijklmnopqrstuvwxyz_");
    return pattern[0] == '{' && pattern[1 + length] == '}' ? length : 0;
}

static void put_placeholder(cut_text *text, const ox_report *report, const char *name,
                            size_t length) {
    for (int k = 0; k < report->value_count; k++) {
        const ox_report_value *value = &report->values[k];
        if (strlen(value->name) == length && memcmp(value->name, name, length) == 0) {
            put_value(text, value);
            return;
        }
    }
    // Every placeholder but the caller's place is a value that the check must give.
    OXI_ASSERT(length == 4 && memcmp(name, "site", 4) == 0);
    put_value(text, &OXI_SITE("site", report->site));
}

void oxi_report_expand(const ox_report *report, const char *pattern, char *buffer,
                       size_t capacity) {
    cut_text text = {buffer, capacity, 0};
    put_string(&text, "");
    while (*pattern != 0) {
        size_t length = placeholder_length(pattern);
        if (length > 0) {
            put_placeholder(&text, report, pattern + 1, length);
            pattern += length + 2;
        } else {
            put_bytes(&text, pattern++, 1);
        }
    }
    end_cut(&text);
}

// Several lines, each after two spaces.
static void put_lines(cut_text *text, const char *lines) {
    while (*lines != 0) {
        size_t length = strcspn(lines, "\n");
        put_string(text, "  ");
        put_bytes(text, lines, length);
        put_string(text, "\n");
        lines += length + (lines[length] == '\n');
    }
}

size_t oxi_report_write(const ox_report *report, bool colour, char *buffer, size_t capacity) {
    static const char *const severity_colours[] = {"\033[1;31m", "\033[1;33m", "\033[1;36m"};
    cut_text text = {buffer, capacity, 0};
    put_string(&text, "oxbow: ");
    put_string(&text, colour ? severity_colours[report->severity] : "");
    put_string(&text, report->code);
    put_string(&text, colour ? "\033[0m " : " ");
    put_string(&text, report->what);
    put_string(&text, "\n");
    put_lines(&text, report->detail);
    if (report->site != NULL) {
        put_string(&text, "  at ");
        put_foreign(&text, report->site);
        put_string(&text, "\n");
    }
    put_string(&text, colour ? "  \033[1;32mfix:\033[0m " : "  fix: ");
    put_string(&text, report->fix);
    put_string(&text, "\n");
    end_cut(&text);
    return text.length;
}

size_t ox_report_format(const ox_report *report, char *buffer, size_t capacity) {
    static const char function[] = "ox_report_format";
    if (capacity > 0 && !OXI_REQUIRE_ARGUMENT(buffer, function, NULL)) {
        return 0;
    }
    if (!OXI_REQUIRE_ARGUMENT(report, function, NULL)) {
        if (capacity > 0) {
            buffer[0] = 0;
        }
        return 0;
    }
    return oxi_report_write(report, false, buffer, capacity);
}

void ox_report_print(const ox_report *report, void *context) {
    (void)context;
    if (!OXI_REQUIRE_ARGUMENT(report, "ox_report_print", NULL)) {
        return;
    }
    char text[4096];
    size_t length = oxi_report_write(report, oxi_log_has_colour(), text, sizeof text);
    // One call: lines of threads that print at the same time do not mix.
    fwrite(text, 1, length < sizeof text ? length : sizeof text - 1, stderr);
}
