// SPDX-License-Identifier: MIT
//
// Making and delivering reports.
//
// A report lives on the stack of the thread that makes it: nothing is allocated, so running out of
// memory can be reported too. Delivery is serialised by one lock for the whole process, and a
// thread that is inside a handler prints instead of delivering, so it never waits for itself.
//
// Process-wide state: the handler, and for each id whether it is silenced and how often it was
// made.

#include "oxbow/report.h"

#include "base/atomics.h"
#include "base/check.h"
#include "base/platform.h"
#include "base/report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_entry {
    ox_report_id id;
    ox_severity severity;
    const char *code;
    const char *what;
    const char *detail;
    const char *fix;
} report_entry;

#define REPORT_ENTRY(letter, number, name, severity, what, detail, fix)                            \
    {OX_REPORT_##name, OX_SEVERITY_##severity, "OX-" #letter #number, what, detail, fix},
static const report_entry report_entries[] = {OX_REPORT_LIST(REPORT_ENTRY)};
enum { REPORT_COUNT = sizeof report_entries / sizeof report_entries[0] };

static oxi_mutex delivery_lock = OXI_MUTEX_INIT;
static ox_report_handler process_handler; // under delivery_lock
static oxi_atomic_u32 silenced_reports[REPORT_COUNT];
static oxi_atomic_u64 report_counts[REPORT_COUNT];
static oxi_atomic_u32 delivery_ended;
static _Thread_local bool inside_handler;

// The place of an id in the list, or -1.
static int find_report_entry(ox_report_id id) {
    for (int index = 0; index < REPORT_COUNT; index++) {
        if (report_entries[index].id == id) {
            return index;
        }
    }
    return -1;
}

// abort() discards what stdout has buffered. It is written first, so that the last lines of a
// program stand above the report where both go to one place.
static void print_and_abort_on_error(const ox_report *report, void *context) {
    bool is_error = report->severity == OX_SEVERITY_ERROR;
    if (is_error) {
        fflush(stdout);
    }
    ox_report_print(report, context);
    if (is_error) {
        abort();
    }
}

static void deliver_report(const oxi_report_sink *sink, const ox_report *report) {
    if (inside_handler || oxi_load_relaxed(&delivery_ended) != 0) {
        ox_report_print(report, NULL);
        return;
    }

    oxi_mutex_lock(&delivery_lock);
    ox_report_handler handler = process_handler;
    if (sink != NULL && sink->handler.function != NULL) {
        handler = sink->handler;
    }
    if (handler.function == NULL) {
        handler.function = print_and_abort_on_error;
    }
    inside_handler = true;
    handler.function(report, handler.context);
    inside_handler = false;
    oxi_mutex_unlock(&delivery_lock);
}

bool oxi_report_make(const oxi_report_sink *sink, ox_report_id id, ox_site site,
                     const ox_report_value *values, int value_count) {
    int index = find_report_entry(id);
    OXI_ASSERT(index >= 0);
    if (index < 0) {
        return false;
    }
    oxi_add_relaxed(&report_counts[index], 1);
    if (oxi_load_relaxed(&silenced_reports[index]) != 0) {
        return false;
    }

    const report_entry *entry = &report_entries[index];
    char detail[2048], fix[1024];
    ox_report report = {id,   entry->severity, entry->code, entry->what, detail, fix,
                        site, values,          value_count};
    oxi_report_expand(&report, entry->detail, detail, sizeof detail);
    oxi_report_expand(&report, entry->fix, fix, sizeof fix);
    deliver_report(sink, &report);
    return false;
}

bool oxi_report_is_inside_handler(void) {
    return inside_handler;
}

void oxi_report_end_delivery(void) {
    oxi_store_relaxed(&delivery_ended, 1);
}

void oxi_assert_failed(const char *expression, ox_site where) {
    OXI_REPORT(NULL, OX_REPORT_BROKEN_INVARIANT, where, OXI_NAME("expression", expression),
               OXI_SITE("where", where));
    fflush(stdout);
    abort();
}

ox_report_handler ox_report_set_handler(ox_report_handler handler) {
    // Inside a handler this thread holds the lock already.
    if (!inside_handler) {
        oxi_mutex_lock(&delivery_lock);
    }
    ox_report_handler before = process_handler;
    process_handler = handler;
    if (!inside_handler) {
        oxi_mutex_unlock(&delivery_lock);
    }
    return before;
}

const ox_report_value *ox_report_find(const ox_report *report, const char *name) {
    for (int k = 0; report != NULL && name != NULL && k < report->value_count; k++) {
        if (strcmp(report->values[k].name, name) == 0) {
            return &report->values[k];
        }
    }
    return NULL;
}

void ox_report_silence(ox_report_id id, bool silent) {
    int index = find_report_entry(id);
    if (index >= 0) {
        oxi_store_relaxed(&silenced_reports[index], silent ? 1 : 0);
    }
}

uint64_t ox_report_count(ox_report_id id) {
    int index = find_report_entry(id);
    return index >= 0 ? oxi_load_relaxed(&report_counts[index]) : 0;
}

const char *ox_report_code(ox_report_id id) {
    int index = find_report_entry(id);
    return index >= 0 ? report_entries[index].code : "OX-?";
}
