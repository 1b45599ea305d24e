// SPDX-License-Identifier: MIT
//
// Reports of calls and declarations, in one line and over several. What is printed is compared with
// the comments by run.py: each names the lines between which its site may lie.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

// clang-format off

OX_STRUCT(Short, { int n; }); // one: struct

OX_STRUCT(Long, {             // first: long struct
    int n;
});                           // last: long struct

OX_COMPONENT(Health, { int points; });

OX_JOB(Brief, { int *raw; }) { // one: job
    (void)job;
}

OX_JOB(Wide, {                 // first: long job
    int *raw;
}) {                           // last: long job
    (void)job;
}

static const char *name;

static void show(const char *what, ox_site site) {
    printf("%s:%s\n", what, strrchr(site, ':') + 1);
}

static void show_report(const ox_report *report, void *context) {
    (void)context;
    show(name, report->site);
}

int main(void) {
    ox_report_set_handler((ox_report_handler){show_report, NULL});
    show("struct", ox_type_of(Short)->site);
    show("long struct", ox_type_of(Long)->site);
    show("job", ox_job_type_of(Brief)->type.site);
    show("long job", ox_job_type_of(Wide)->type.site);

    name = "call";
    ox_memory_alloc(OX_PERSISTENT, 8, 3); // one: call

    name = "long call";
    ox_memory_alloc(OX_PERSISTENT, // first: long call
                    8,
                    3);            // last: long call

    name = "braces";
    ox_world *world = ox_world_create(NULL);
    ox_add(world, ((ox_entity){1, 1}), Health, {.points = 1}); // one: braces

    name = "long braces";
    ox_add(world, ((ox_entity){1, 1}), Health, { // first: long braces
        .points = 1,
    });                                          // last: long braces

    name = "nested";
    printf("%s", ox_get(world, // first: nested
                        ((ox_entity){1, 1}),
                        Health)->points == 0 ? "" : "what?"); // last: nested

    name = "after a long line";
    ox_world_update(world, \
        1.0f); ox_remove(world, ((ox_entity){1, 1}), Health); // one: after a long line
    ox_world_destroy(world);
    return 0;
}
