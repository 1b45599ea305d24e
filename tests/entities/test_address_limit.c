// SPDX-License-Identifier: MIT
//
// Processes whose addresses are limited (`ulimit -v`): what the library reserves leaves room for
// the heap, for stacks and for everybody else.
//
// Sanitizers need addresses without a limit, and an emulator keeps the limit to itself.

#include "entities/entity_jobs_test.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(TEST_IS_EMULATED)

#include "base/platform.h"
#include "oxbow/trace.h"
#include "oxbow/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { KIB = 1024, MIB = 1024 * 1024, PEOPLE = 100000, FRAMES = 10 };

static void limit_addresses(size_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && bytes < limit.rlim_max) {
        limit.rlim_cur = (rlim_t)bytes;
        setrlimit(RLIMIT_AS, &limit);
    }
}

static void die_of_report(const ox_report *report, void *context) {
    (void)context;
    char text[4096];
    ox_report_format(report, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static void die_unless(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static ox_world *populate_world(const char *name) {
    ox_world *world = ox_world_create(&(ox_world_def){.name = name});
    die_unless(world != NULL, "no world");
    for (uint32_t k = 0; k < PEOPLE; k++) {
        ox_entity entity = ox_entity_create(world);
        ox_add(world, entity, Count, {k});
        ox_add(world, entity, Step, {1});
    }
    return world;
}

// Three workers, a world of 100,000 entities with two components each, jobs over them, containers,
// a trace.
static void live_within(size_t bytes) {
    limit_addresses(bytes);
    ox_report_set_handler((ox_report_handler){die_of_report, NULL});
    die_unless(ox_jobs_start(&(ox_jobs_def){.worker_count = 3}), "no job system");
    die_unless(ox_worker_count() == 3, "not three workers");
    die_unless(ox_trace_begin(KIB), "no trace");
    ox_world *world = populate_world("one");
    ox_array numbers = ox_array_create_untyped(uint32_t, PEOPLE, OX_PERSISTENT);
    ox_query *query = ox_query_create(world, OX_READ(Count), OX_READ(Step));
    void *of_program = malloc(bytes / 4); // what a program needs for itself
    die_unless(of_program != NULL, "nothing left for the program");
    ox_system *scope = ox_world_get_root(world);
    for (int k = 0; k < FRAMES; k++) {
        ox_complete(ox_schedule_entities(CountFromStep, scope, OX_AUTO, {0}));
        ox_frame_end();
    }
    die_unless(ox_query_count(query) == PEOPLE, "not all entities");
    free(of_program);
    ox_dispose(&numbers);
    ox_trace_clear();
    ox_world_destroy(world);
    ox_jobs_stop();
    fprintf(stderr, "ended clean\n");
}

TEST_CHILD(live_within_1_gb) {
    live_within((size_t)1000000 * KIB);
}

TEST_CHILD(live_within_512_mib) {
    live_within((size_t)512 * MIB);
}

TEST_CHILD(live_within_256_mib) {
    live_within((size_t)256 * MIB);
}

TEST_CHILD(live_within_128_mib) {
    live_within((size_t)128 * MIB);
}

TEST(address_limit, three_workers_and_a_world_fit_into_a_gigabyte) {
    EXPECT_EXITS(live_within_1_gb, "ended clean");
}

TEST(address_limit, three_workers_and_a_world_fit_into_less) {
    EXPECT_EXITS(live_within_512_mib, "ended clean");
    EXPECT_EXITS(live_within_256_mib, "ended clean");
    EXPECT_EXITS(live_within_128_mib, "ended clean");
}

// Worlds that are made before the first entity leave addresses to the chunks.
TEST_CHILD(many_worlds_within_1_gb) {
    limit_addresses((size_t)1000000 * KIB);
    ox_report_set_handler((ox_report_handler){die_of_report, NULL});
    ox_world *empty[40];
    for (int k = 0; k < 40; k++) {
        empty[k] = ox_world_create(NULL);
        die_unless(empty[k] != NULL, "no world");
    }
    ox_world_destroy(empty[0]);
    empty[0] = populate_world("full");
    ox_world_usage usage = ox_world_get_usage(empty[0]);
    die_unless(usage.process_limit >= (size_t)100 * MIB, "few chunks");
    die_unless(usage.process_limit <= (size_t)250 * MIB, "more than a quarter");
    for (int k = 0; k < 40; k++) {
        ox_world_destroy(empty[k]);
    }
    fprintf(stderr, "ended clean\n");
}

TEST(address_limit, chunks_have_a_share_of_their_own) {
    EXPECT_EXITS(many_worlds_within_1_gb, "ended clean");
}

// A world that ends there ends as one without memory, not at a limit that nobody set.
TEST_CHILD(too_many_within_128_mib) {
    limit_addresses((size_t)128 * MIB);
    collected_reports reports;
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_archetype archetype = ox_archetype_of(world, Count);
    die_unless(!ox_entities_create(world, archetype, NULL, 50000000), "all of them");
    fprintf(stderr, "%s\n", ox_report_code(reports.last));
    ox_world_destroy(world);
}

TEST(address_limit, a_world_that_needs_more_is_out_of_memory) {
    EXPECT_EXITS(too_many_within_128_mib, "OX-M01");
}

// The stack of a thread is as large as main's may become, unless somebody says otherwise.
TEST_CHILD(large_stacks_within_1_gb) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)400 * MIB);
    pthread_setattr_default_np(&attributes);
    live_within((size_t)1000000 * KIB);
}

TEST(address_limit, stacks_of_workers_are_cut) {
    EXPECT_EXITS(large_stacks_within_1_gb, "ended clean");
}

#endif
