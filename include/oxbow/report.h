// SPDX-License-Identifier: MIT
//
// Reports: how Oxbow tells you about a mistake, with the values, the place in your own source and
// the fix. Misuse is an error report: the call has no effect. The world outside (no memory, a
// limit) is a failure report: the call returns its null value. A warning changes nothing.
//
// By default a report is printed to stderr, and after an error the process aborts. Set a handler to
// do otherwise; when it returns, the program goes on. All functions may be called from any thread.

#pragma once

#include "oxbow/base.h"
#include "oxbow/detail/report_list.h"

/// How grave a report is. Fixed for each id.
typedef enum ox_severity {
    OX_SEVERITY_ERROR = 0, ///< misuse: nothing was changed; the default handler aborts
    OX_SEVERITY_FAILURE,   ///< the world outside: nothing was changed, the call returned null
    OX_SEVERITY_WARNING,   ///< nothing failed
} ox_severity;

// An id is its letter's base plus the number in the list. `1##number - 100` reads 08 as eight.
enum {
    OXI_REPORT_A = 'A' * 1000,
    OXI_REPORT_B = 'B' * 1000,
    OXI_REPORT_C = 'C' * 1000,
    OXI_REPORT_D = 'D' * 1000,
    OXI_REPORT_E = 'E' * 1000,
    OXI_REPORT_J = 'J' * 1000,
    OXI_REPORT_M = 'M' * 1000,
    OXI_REPORT_S = 'S' * 1000,
    OXI_REPORT_T = 'T' * 1000,
    OXI_REPORT_V = 'V' * 1000,
    OXI_REPORT_W = 'W' * 1000,
};

/// The stable ids of all reports: OX_REPORT_OUT_OF_MEMORY is "OX-M01". docs/reports.md has them
/// all.
typedef enum ox_report_id {
    OX_REPORT_NONE = 0,
#define OXI_REPORT_ENUM(letter, number, name, severity, what, detail, fix)                         \
    OX_REPORT_##name = OXI_REPORT_##letter + (1##number - 100),
    OX_REPORT_LIST(OXI_REPORT_ENUM)
#undef OXI_REPORT_ENUM
} ox_report_id;

/// What an ox_report_value holds.
typedef enum ox_report_value_kind {
    OX_REPORT_VALUE_TEXT = 0, ///< `text`: a name or a sentence, never NULL
    OX_REPORT_VALUE_SITE,     ///< `text`: a place such as "game.c:88", NULL when not known
    OX_REPORT_VALUE_INTEGER,  ///< `integer`
    OX_REPORT_VALUE_UNSIGNED, ///< `number`
    OX_REPORT_VALUE_ADDRESS,  ///< `number`: an address, shown in hexadecimal
    OX_REPORT_VALUE_WHOLE, ///< `text`: sentences of the library's, not cut when shown, never NULL
} ox_report_value_kind;

/// One named value of a report, as data.
typedef struct ox_report_value {
    const char *name;
    const char *text;
    int64_t integer;
    uint64_t number;
    ox_report_value_kind kind;
} ox_report_value;

/// One report. It and everything it points to lives until the handler returns.
typedef struct ox_report {
    ox_report_id id;
    ox_severity severity;
    const char *code;   ///< "OX-M01"
    const char *what;   ///< one clause, the same for all reports of this id
    const char *detail; ///< what happened this time, with the values; may have several lines
    const char *fix;    ///< what to do about it, with the values
    ox_site site;       ///< the caller's place, NULL when not known
    const ox_report_value *values;
    int value_count;
} ox_report;

/// Receives reports, on the thread that made the report. Calls are serialised: one at a time in the
/// whole process. A report made inside a handler is printed, not delivered. Do not wait for other
/// threads in a handler: they may be waiting to report. A world cannot be destroyed
/// in a handler: the call that reports goes on with it.
typedef void ox_report_fn(const ox_report *report, void *context);

/// A report function with its context. {0} is the default: print, and after an error abort, with
/// what stdout has buffered written out.
typedef struct ox_report_handler {
    ox_report_fn *function;
    void *context;
} ox_report_handler;

/// Sets the handler of the process and returns the one before, which {0} restores.
OX_API ox_report_handler ox_report_set_handler(ox_report_handler handler);

/// A handler that prints to stderr and goes on: the one to ship a program with. `context` is not
/// used. Colour is used on a terminal, unless NO_COLOR is set.
OX_API void ox_report_print(const ox_report *report, void *context);

/// Writes the whole report as text, without colour, to `buffer` of `capacity` bytes. The text is
/// cut to fit, between characters, and always ends with a 0; NULL with capacity 0 asks for the
/// length alone.
/// @return the length of the whole text, without the 0; 0 after a report.
OX_API size_t ox_report_format(const ox_report *report, char *buffer, size_t capacity);

/// The value called `name`, or NULL when the report has none of that name.
OX_API const ox_report_value *ox_report_find(const ox_report *report, const char *name);

/// Switches delivery of one id off, or on again. A silenced error still has no effect, and is still
/// counted.
OX_API void ox_report_silence(ox_report_id id, bool silent);

/// How many reports of this id were made since the process started, silenced ones included.
OX_API uint64_t ox_report_count(ox_report_id id);

/// The text of an id, such as "OX-M01", or "OX-?" for a number that is no id.
OX_API const char *ox_report_code(ox_report_id id);
