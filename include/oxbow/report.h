// SPDX-License-Identifier: MIT
//
// Reports: what Oxbow says about a mistake, with the values, the source location in your program,
// and the fix.
//
// An error report means misuse: the call has no effect. A failure report means that a resource ran
// out (memory, a limit): the call returns its null value. A warning changes nothing. By default a
// report is printed to stderr, and the process aborts after an error. Set a handler to do something
// else; when it returns, the program continues:
//
//     static void log_report(const ox_report *report, void *context) {
//         fprintf((FILE *)context, "%s %s: %s\n", report->code, report->what, report->detail);
//     }
//
//     ox_report_handler previous =
//         ox_report_set_handler((ox_report_handler){log_report, stderr});
//     ox_report_silence(OX_REPORT_LEAK, true);
//     ox_report_set_handler(previous);
//
// Threads: call everything here from any thread.

#pragma once

#include "oxbow/base.h"
#include "oxbow/detail/report_list.h"

/// The severity of a report. Each id has a fixed one.
typedef enum ox_severity {
    OX_SEVERITY_ERROR = 0, ///< misuse: nothing changed; the default handler aborts
    OX_SEVERITY_FAILURE,   ///< a resource ran out: nothing changed, the call returned null
    OX_SEVERITY_WARNING,   ///< nothing failed
} ox_severity;

// An id is the base of its letter plus the number in the list. `1##number - 100` reads 08 as eight.
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

/// The stable ids of all reports: OX_REPORT_OUT_OF_MEMORY is "OX-M01". docs/reports.md lists them.
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
    OX_REPORT_VALUE_SITE,     ///< `text`: a source location such as "game.c:88", NULL if not known
    OX_REPORT_VALUE_INTEGER,  ///< `integer`
    OX_REPORT_VALUE_UNSIGNED, ///< `number`
    OX_REPORT_VALUE_ADDRESS,  ///< `number`: an address, printed in hexadecimal
    OX_REPORT_VALUE_WHOLE,    ///< `text`: sentences of the library, never truncated, never NULL
} ox_report_value_kind;

/// A named value of a report.
typedef struct ox_report_value {
    const char *name;
    const char *text;
    int64_t integer;
    uint64_t number;
    ox_report_value_kind kind;
} ox_report_value;

/// A report. It and everything it points to are valid until the handler returns.
typedef struct ox_report {
    ox_report_id id;
    ox_severity severity;
    const char *code;   ///< "OX-M01"
    const char *what;   ///< one clause, the same for all reports of this id
    const char *detail; ///< what happened this time, with the values; may have several lines
    const char *fix;    ///< how to fix it, with the values
    ox_site site;       ///< where the caller is, NULL if not known
    const ox_report_value *values;
    int value_count;
} ox_report;

/// Receives reports, on the thread that makes the report. Calls are serialised: one at a time in
/// the whole process. A report made inside a handler is printed, not delivered. Do not wait for
/// other threads in a handler: they may be waiting to report. A handler cannot destroy a world,
/// because the reporting call continues to use it.
typedef void ox_report_fn(const ox_report *report, void *context);

/// A report function with its context. {0} is the default: prints the report; after an error,
/// flushes stdout and aborts.
typedef struct ox_report_handler {
    ox_report_fn *function;
    void *context;
} ox_report_handler;

/// Sets the handler of the process and returns the previous one. {0} restores the default.
OX_API ox_report_handler ox_report_set_handler(ox_report_handler handler);

/// A handler that prints to stderr and continues, for released programs. Ignores `context`. Uses
/// colour on a terminal, unless NO_COLOR is set.
OX_API void ox_report_print(const ox_report *report, void *context);

/// Writes the whole report as text, without colour, to `buffer` of `capacity` bytes. Truncates the
/// text to fit, between characters, and always terminates it. With NULL and capacity 0 it only
/// returns the length.
/// @return the length of the whole text without the terminator; 0 after a report.
OX_API size_t ox_report_format(const ox_report *report, char *buffer, size_t capacity);

/// Returns the value called `name`, or NULL if the report has none of that name.
OX_API const ox_report_value *ox_report_find(const ox_report *report, const char *name);

/// Stops delivering reports of one id, or resumes it. A call that makes a silenced error still has
/// no effect, and the error is still counted.
OX_API void ox_report_silence(ox_report_id id, bool silent);

/// Returns the number of reports of this id since the process started, including silenced ones.
OX_API uint64_t ox_report_count(ox_report_id id);

/// Returns the text of an id, such as "OX-M01", or "OX-?" for a number that is not an id.
OX_API const char *ox_report_code(ox_report_id id);
