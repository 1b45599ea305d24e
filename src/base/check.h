// SPDX-License-Identifier: MIT
//
// Making reports, and asserting invariants.
//
// A check reads as a condition and returns early:
//
//     if (!OXI_REQUIRE(def != NULL, NULL, OX_REPORT_NULL_ARGUMENT, site, OXI_NAME("argument",
//     "def"),
//                      OXI_NAME("function", "ox_x"))) {
//         return;
//     }
//
// OXI_REQUIRE is for rare calls and stands in all builds; OXI_CHECK is for hot calls and is
// compiled by OX_SAFETY >= 1; OXI_ASSERT is about our own bugs and is compiled by OX_SAFETY >= 2.

#pragma once

#include "oxbow/report.h"

/// Who hears of a report first: a world's own handler. NULL, or a zeroed one, means the process's.
typedef struct oxi_report_sink {
    ox_report_handler handler;
} oxi_report_sink;

/// Makes a report and delivers it. Allocates nothing. `site` becomes the value {site} too.
/// @return false, so that a check can end with it.
bool oxi_report_make(const oxi_report_sink *sink, ox_report_id id, ox_site site,
                     const ox_report_value *values, int value_count);

/// True on a thread that is inside of a report handler.
bool oxi_report_is_inside_handler(void);

/// Reports from here on are printed only: the process is ending and handlers may be gone.
void oxi_report_end_delivery(void);

/// Prints the broken invariant and aborts.
_Noreturn void oxi_assert_failed(const char *expression, ox_site where);

// Values of a report.
#define OXI_NAME(name, text)  ((ox_report_value){name, text, 0, 0, OX_REPORT_VALUE_TEXT})
#define OXI_WHOLE(name, text) ((ox_report_value){name, text, 0, 0, OX_REPORT_VALUE_WHOLE})
#define OXI_SITE(name, site)  ((ox_report_value){name, site, 0, 0, OX_REPORT_VALUE_SITE})
#define OXI_INTEGER(name, integer)                                                                 \
    ((ox_report_value){name, NULL, (int64_t)(integer), 0, OX_REPORT_VALUE_INTEGER})
#define OXI_NUMBER(name, number)                                                                   \
    ((ox_report_value){name, NULL, 0, (uint64_t)(number), OX_REPORT_VALUE_UNSIGNED})
#define OXI_ADDRESS(name, pointer)                                                                 \
    ((ox_report_value){name, NULL, 0, (uint64_t)(uintptr_t)(pointer), OX_REPORT_VALUE_ADDRESS})

#define OXI_REPORT(sink, id, site, ...)                                                            \
    oxi_report_make(                                                                               \
        sink, id, site, (const ox_report_value[]){__VA_ARGS__},                                    \
        (int)(sizeof((const ox_report_value[]){__VA_ARGS__}) / sizeof(ox_report_value)))

#define OXI_REQUIRE(condition, sink, id, site, ...)                                                \
    ((condition) ? true : OXI_REPORT(sink, id, site, __VA_ARGS__))

#if OX_SAFETY >= 1
#define OXI_CHECK(condition, sink, id, site, ...)                                                  \
    OXI_REQUIRE(condition, sink, id, site, __VA_ARGS__)
#else
#define OXI_CHECK(condition, sink, id, site, ...) ((void)(site), true)
#endif

#if OX_SAFETY >= 2
#define OXI_ASSERT(condition) ((condition) ? (void)0 : oxi_assert_failed(#condition, OX_HERE))
#else
#define OXI_ASSERT(condition) ((void)sizeof(condition))
#endif

/// True when an argument is there; else reports that it is NULL.
#define OXI_REQUIRE_ARGUMENT(argument, function, site)                                             \
    OXI_REQUIRE((argument) != NULL, NULL, OX_REPORT_NULL_ARGUMENT, site,                           \
                OXI_NAME("argument", #argument), OXI_NAME("function", function))

/// True for a value of an enum whose members are 0 to `last`; else reports. `what` is the function,
/// or the thing, that it was given to.
#define OXI_REQUIRE_ENUM(value, last, type, sink, what, site)                                      \
    OXI_REQUIRE((unsigned)(value) <= (unsigned)(last), sink, OX_REPORT_BAD_ENUM, site,             \
                OXI_NAME("argument", #value), OXI_NAME("what", what),                              \
                OXI_INTEGER("value", (int)(value)), OXI_NAME("enum", #type),                       \
                OXI_INTEGER("most", (int)(last)))

/// True when the guards of a def are 0; else reports that the def was not zeroed.
#define OXI_REQUIRE_DEF(def, type, site)                                                           \
    OXI_REQUIRE(((def)->_guard_begin | (def)->_guard_end) == 0, NULL, OX_REPORT_DEF_GARBAGE, site, \
                OXI_NAME("def", #type))
