// SPDX-License-Identifier: MIT
//
// What the tests of systems share: systems that log every call, and a world that tells the test
// what it reports.

#pragma once

#include "entities/entity_jobs_test.h"
#include "oxbow/systems.h"

#include <stdio.h>

/// Every call of a logged system: "A.create A.start A A.stop A.destroy", where A alone is an
/// update.
OXI_UNUSED static char system_log[1 << 15];

/// Called in each of these calls, after it was logged; NULL: nothing is.
typedef void system_hook(ox_system *system, const char *call);
OXI_UNUSED static system_hook *in_call;

/// The logged system whose create fails, or NULL.
OXI_UNUSED static const char *failing_create;

OXI_UNUSED static bool is_named(const ox_system *system, const char *name) {
    return strcmp(system->name, name) == 0;
}

OXI_UNUSED static void log_text(const char *name, const char *call) {
    size_t length = strlen(system_log);
    snprintf(system_log + length, sizeof system_log - length, "%s%s%s%s", length > 0 ? " " : "",
             name, call[0] != 0 ? "." : "", call);
}

OXI_UNUSED static void log_call(ox_system *system, const char *call) {
    log_text(system->name, call);
    if (in_call != NULL) {
        in_call(system, call);
    }
}

OXI_UNUSED static bool log_create(ox_system *system) {
    log_call(system, "create");
    return failing_create == NULL || !is_named(system, failing_create);
}

OXI_UNUSED static void log_destroy(ox_system *system) {
    log_call(system, "destroy");
}

OXI_UNUSED static void log_start(ox_system *system) {
    log_call(system, "start");
}

OXI_UNUSED static void log_stop(ox_system *system) {
    log_call(system, "stop");
}

OXI_UNUSED static void log_update(ox_system *system) {
    log_call(system, "");
}

/// A system that logs all its calls, one that logs its updates, one with an update of the test's on
/// main or with jobs, and a group. More fields may follow.
#define LOGGED(text, ...)                                                                          \
    (&(ox_system_def){.name = text,                                                                \
                      .site = OX_HERE,                                                             \
                      .update = log_update,                                                        \
                      .create = log_create,                                                        \
                      .destroy = log_destroy,                                                      \
                      .start = log_start,                                                          \
                      .stop = log_stop,                                                            \
                      __VA_ARGS__})
#define BRIEF(text, ...)         ON_MAIN(text, log_update, __VA_ARGS__)
#define ON_MAIN(text, call, ...) (&(ox_system_def){.name = text, .update = call, __VA_ARGS__})
#define WITH_JOBS(text, call, ...)                                                                 \
    (&(ox_system_def){.name = text, .update_jobs = call, __VA_ARGS__})
#define IN_GROUP(text, ...) (&(ox_system_def){.name = text, .is_group = true, __VA_ARGS__})

/// What was logged since the last look is just this.
#define EXPECT_LOG(text) expect_log(text, __FILE__, __LINE__)
OXI_UNUSED static void expect_log(const char *text, const char *file, int line) {
    static char logged[sizeof system_log];
    memcpy(logged, system_log, sizeof logged);
    system_log[0] = 0;
    test_expect_str(logged, text, "the log", file, line);
}

/// A world without systems, and an empty log.
OXI_UNUSED static ox_world *begin_systems(collected_reports *reports) {
    *reports = (collected_reports){0};
    system_log[0] = 0;
    in_call = NULL;
    failing_create = NULL;
    ox_world *world = ox_world_create(
        &(ox_world_def){.name = "sea", .no_systems = true, .on_report = {collect_report, reports}});
    EXPECT(world != NULL);
    return world;
}

OXI_UNUSED static void finish_systems(ox_world *world, const collected_reports *reports) {
    EXPECT(ox_world_validate(world));
    EXPECT_EQ(reports->count, 0);
    in_call = NULL;
    ox_world_destroy(world);
    ox_jobs_stop();
    ox_frame_end();
}

OXI_UNUSED static ox_system *add_system(ox_world *world, const ox_system_def *def) {
    ox_system *system = ox_system_add(world, def);
    EXPECT(system != NULL);
    return system;
}

OXI_UNUSED static void run_frame(ox_world *world) {
    EXPECT(ox_world_update(world, 0.25f));
}
