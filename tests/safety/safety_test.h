// SPDX-License-Identifier: MIT
//
// What the tests of the safety system share: a container of their own, as a user would write it,
// and a collector that keeps the values of a report.

#pragma once

#include "jobs/jobs_test.h"

#include "oxbow/safety.h"

#include <stdio.h>
#include <string.h>

/// The container of these tests: nothing but an access and what it needs to be asked.
typedef struct Box {
    int64_t length;
    ox_access access;
} Box;
OX_CONTAINER(Box, access);

enum { BOX_LENGTH = 64 };

OXI_UNUSED static Box make_box_at(const ox_access_def *def, ox_site site) {
    Box box = {.length = BOX_LENGTH};
    EXPECT(ox_access_create_at(&box.access, def, site));
    return box;
}
#define make_box(...) make_box_at(&(ox_access_def){.kind = "box", __VA_ARGS__}, OX_HERE)

OXI_UNUSED static bool read_box_at(Box box, ox_site site) {
    return OXI_ASK(box.access, ox_access_may_read_at(box.access, site));
}
#define read_box(box) read_box_at(box, OX_HERE)

OXI_UNUSED static bool write_box_at(Box box, ox_site site) {
    return OXI_ASK(box.access, ox_access_may_write_at(box.access, site));
}
#define write_box(box) write_box_at(box, OX_HERE)

OXI_UNUSED static bool resize_box_at(Box box, ox_site site) {
    return OXI_ASK(box.access, ox_access_may_resize_at(box.access, site));
}
#define resize_box(box) resize_box_at(box, OX_HERE)

OXI_UNUSED static bool touch_box_at(Box box, int64_t index, ox_site site) {
    return OXI_ASK(box.access, ox_access_may_use_at(box.access, index, 1, box.length, site));
}
#define touch_box(box, index) touch_box_at(box, index, OX_HERE)

/// As containers do it: asks, and ends the access when allowed.
OXI_UNUSED static bool dispose_box_at(Box box, ox_job after, ox_site site) {
    if (!OXI_ASK(box.access, ox_access_may_dispose_at(box.access, after, site))) {
        return false;
    }
    ox_access_destroy_at(box.access, site);
    return true;
}
#define dispose_box(box)              dispose_box_at(box, OX_NO_JOB, OX_HERE)
#define dispose_box_after(box, after) dispose_box_at(box, after, OX_HERE)

OXI_UNUSED static Box writer_of(Box box) {
    box.access.flags |= OX_ACCESS_WRITE_ONLY;
    return box;
}

OXI_UNUSED static Box read_only_of(Box box) {
    box.access.flags |= OX_ACCESS_READ_ONLY;
    return box;
}

OXI_UNUSED static Box view_of(Box box) {
    Box view = box;
    EXPECT(ox_access_create_view(box.access, &view.access));
    return view;
}

/// Reports that a test received, with the values of the last one.
typedef struct caught_reports {
    collected_reports all;
    char job[32], other[32], container[32], field[32];
    uint64_t begin, last;
    int64_t index;
} caught_reports;

OXI_UNUSED static void keep_value(const ox_report *report, const char *name, char kept[32]) {
    const ox_report_value *value = ox_report_find(report, name);
    snprintf(kept, 32, "%s", value != NULL && value->text != NULL ? value->text : "");
}

OXI_UNUSED static void catch_report(const ox_report *report, void *context) {
    caught_reports *caught = context;
    collect_report(report, &caught->all);
    keep_value(report, "job", caught->job);
    keep_value(report, "other", caught->other);
    keep_value(report, "container", caught->container);
    keep_value(report, "field", caught->field);
    const ox_report_value *begin = ox_report_find(report, "begin");
    const ox_report_value *last = ox_report_find(report, "last");
    const ox_report_value *index = ox_report_find(report, "index");
    caught->begin = begin != NULL ? begin->number : 0;
    caught->last = last != NULL ? last->number : 0;
    caught->index = index != NULL ? index->integer : 0;
}

OXI_UNUSED static void catch_reports(caught_reports *caught) {
    *caught = (caught_reports){0};
    ox_report_set_handler((ox_report_handler){catch_report, caught});
}

#define EXPECT_CAUGHT(caught, id) EXPECT_REPORT(&(caught)->all, id)

OXI_UNUSED static void expect_same_usage(ox_safety_usage before) {
    ox_safety_usage now = ox_safety_get_usage();
    EXPECT_EQ(now.container_count, before.container_count);
    EXPECT_EQ(now.job_count, before.job_count);
}

/// Nothing is kept: what a test leaves behind. At level 0 nothing ever is.
OXI_UNUSED static void expect_nothing_kept(void) {
    expect_same_usage((ox_safety_usage){0});
}
