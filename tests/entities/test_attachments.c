// SPDX-License-Identifier: MIT
//
// What hangs on a world: found by its type, called on its occasions.

#include "entity_jobs_test.h"

#include "base/heap.h"
#include "base/substitute.h"
#include "entities/world.h"

#include <pthread.h>
#include <stdio.h>

// Calls, one letter each, in the order in which they came.
typedef struct call_log {
    char text[64];
    ox_site site;
    int entities; // of the world at the last call
    ox_job job;   // looked at in each call
    bool was_complete;
    void (*act)(ox_world *world);
} call_log;

static void log_call(ox_world *world, char letter, ox_site site, call_log *log) {
    size_t length = strlen(log->text);
    if (length + 1 < sizeof log->text) {
        log->text[length] = letter;
    }
    log->site = site;
    log->entities = (int)ox_world_get_usage(world).entity_count;
    log->was_complete = ox_job_is_complete(log->job);
    if (log->act != NULL) {
        void (*act)(ox_world * world) = log->act;
        log->act = NULL; // once
        act(world);
    }
}

#define LOGGED(name, letter)                                                                       \
    static void name(ox_world *world, ox_site site, void *state) {                                 \
        log_call(world, letter, site, state);                                                      \
    }

LOGGED(first_ends, 'e')
LOGGED(first_hears, 'c')
LOGGED(first_frame, 'f')
LOGGED(first_safe, 's')
LOGGED(second_ends, 'E')
LOGGED(second_hears, 'C')
LOGGED(second_frame, 'F')
LOGGED(second_safe, 'S')

static oxi_attachment_type first = {.name = "first",
                                    .calls = {first_ends, first_hears, first_frame, first_safe}};
static oxi_attachment_type second = {
    .name = "second", .calls = {second_ends, second_hears, second_frame, second_safe}};
static oxi_attachment_type silent = {.name = "silent"};

#define EXPECT_CALLS(log, letters)                                                                 \
    do {                                                                                           \
        EXPECT_STR((log)->text, letters);                                                          \
        memset((log)->text, 0, sizeof(log)->text);                                                 \
    } while (0)

TEST(attachments, are_found_by_their_type_in_their_world) {
    ox_world *world = ox_world_create(NULL), *other = ox_world_create(NULL);
    call_log log = {0}, others = {0};
    EXPECT(oxi_attachment_get(world, &first) == NULL);

    EXPECT(oxi_attachment_add(world, &first, &log));
    EXPECT(oxi_attachment_add(other, &first, &others));

    EXPECT_EQ(oxi_attachment_get(world, &first), &log);
    EXPECT_EQ(oxi_attachment_get(other, &first), &others);
    EXPECT(oxi_attachment_get(world, &second) == NULL);
    ox_world_destroy(other);
    EXPECT_CALLS(&log, "");
    EXPECT_CALLS(&others, "e");
    ox_world_destroy(world);
}

TEST(attachments, of_one_type_come_once) {
    ox_world *world = ox_world_create(NULL);
    call_log log = {0}, again = {0};
    EXPECT(oxi_attachment_add(world, &first, &log));

    EXPECT(!oxi_attachment_add(world, &first, &again));

    EXPECT_EQ(oxi_attachment_get(world, &first), &log);
    ox_entity_create(world);
    EXPECT_CALLS(&log, "c");
    EXPECT_EQ(oxi_attachment_remove(world, &first), &log);
    EXPECT(oxi_attachment_remove(world, &first) == NULL);
    EXPECT(oxi_attachment_add(world, &first, &again));
    ox_world_destroy(world);
    EXPECT_CALLS(&log, "");
    EXPECT_CALLS(&again, "e");
}

TEST(attachments, need_no_memory) {
    ox_world *world = ox_world_create(NULL);
    call_log log = {0};
    uint64_t blocks = oxi_heap_get_blocks();
    oxi_fault_plan(OXI_FAULT_FROM, 0);

    EXPECT(oxi_attachment_add(world, &first, &log));
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    oxi_attachments_tell(world, OXI_AFTER_FRAME, NULL);
    EXPECT_EQ(oxi_attachment_remove(world, &first), &log);

    EXPECT_EQ(oxi_fault_get_calls(), 0);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_CALLS(&log, "f");
    ox_world_destroy(world);
}

TEST(attachments, end_last_first_while_entities_are_there) {
    ox_world *world = ox_world_create(NULL);
    call_log log = {0};
    ox_entities_create(world, ox_archetype_of(world, Count), NULL, 7);
    EXPECT(oxi_attachment_add(world, &first, &log));
    EXPECT(oxi_attachment_add(world, &silent, &log));
    EXPECT(oxi_attachment_add(world, &second, &log));

    ox_world_destroy_at(world, "here");

    EXPECT_CALLS(&log, "Ee");
    EXPECT_EQ(log.entities, 7);
    EXPECT_STR(log.site, "here");
}

static void look_around_at_the_end(ox_world *world) {
    EXPECT(oxi_attachment_get(world, &second) != NULL); // its own
    EXPECT(oxi_attachment_get(world, &first) != NULL);  // ends later
    ox_entity_create(world);                            // the first one hears of it
}

TEST(attachments, may_use_the_world_and_those_below_at_the_end) {
    ox_world *world = ox_world_create(NULL);
    call_log log = {.act = look_around_at_the_end};
    EXPECT(oxi_attachment_add(world, &first, &log));
    EXPECT(oxi_attachment_add(world, &second, &log));

    ox_world_destroy(world);

    EXPECT_CALLS(&log, "Ece");
    EXPECT_EQ(log.entities, 1);
}

TEST(attachments, hear_of_frames_and_safe_points_in_order) {
    ox_world *world = ox_world_create(NULL);
    call_log log = {0};
    EXPECT(oxi_attachment_add(world, &second, &log));
    EXPECT(oxi_attachment_add(world, &silent, &log));
    EXPECT(oxi_attachment_add(world, &first, &log));

    oxi_attachments_tell(world, OXI_AFTER_FRAME, "frame");
    EXPECT_CALLS(&log, "Ff");
    EXPECT_STR(log.site, "frame");
    oxi_attachments_tell(world, OXI_SAFE_POINT, NULL);
    EXPECT_CALLS(&log, "Ss");

    ox_world_destroy(world);
}

// What counts as a structural change.

typedef struct change_case {
    ox_world *world;
    ox_entity entity;
    ox_query *query;
} change_case;

#define CHANGE(name) static void name(change_case *c)

CHANGE(create) {
    ox_entity_create(c->world);
}
CHANGE(create_of) {
    ox_entity_create_in(c->world, ox_archetype_of(c->world, Count));
}
CHANGE(create_with) {
    ox_entity_create(c->world, OX_VALUE(Count, {1}));
}
CHANGE(create_many) {
    ox_entities_create(c->world, ox_archetype_of(c->world, Step), NULL, 3);
}
CHANGE(instantiate) {
    ox_entity_instantiate(c->world, c->entity);
}
CHANGE(destroy) {
    ox_entity_destroy(c->world, c->entity);
}
CHANGE(destroy_many) {
    ox_entities_destroy(c->world, &c->entity, 1);
}
CHANGE(add) {
    ox_add(c->world, c->entity, Extra, {1});
}
CHANGE(add_many) {
    ox_add_many(c->world, c->entity, OX_VALUE(Extra, {1}), OX_VALUE_TAG(Red));
}
CHANGE(remove_one) {
    ox_remove(c->world, c->entity, Step);
}
CHANGE(set_archetype) {
    ox_entity_set_archetype(c->world, c->entity, ox_archetype_of(c->world, Extra));
}
CHANGE(add_by_query) {
    ox_query_add(c->query, Red);
}
CHANGE(remove_by_query) {
    ox_query_remove(c->query, Count);
}
CHANGE(destroy_by_query) {
    ox_query_destroy_entities(c->query);
}
CHANGE(defragment) {
    ox_world_defragment(c->world, 10);
}

static void (*const changes[])(change_case *) = {
    create,          create_of,        create_with,   create_many,
    instantiate,     destroy,          destroy_many,  add,
    add_many,        remove_one,       set_archetype, add_by_query,
    remove_by_query, destroy_by_query, defragment};

TEST(attachments, hear_of_each_structural_change_once) {
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        call_log log = {0};
        change_case c = {.world = make_small_world(&c.entity)};
        c.query = ox_query_create(c.world, OX_WITH(Count));
        EXPECT(oxi_attachment_add(c.world, &first, &log));

        changes[k](&c);

        EXPECT_CALLS(&log, "c");
        EXPECT_HAS(log.site, "test_attachments.c");
        EXPECT_EQ(log.entities, 1); // not yet
        ox_world_destroy(c.world);
    }
}

TEST(attachments, hear_nothing_of_values_and_looks) {
    call_log log = {0};
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    EXPECT(oxi_attachment_add(world, &first, &log));

    ox_set(world, entity, Count, {4});
    ox_edit(world, entity, Step)->value = ox_get(world, entity, Count)->value;
    ox_query *query = ox_query_create(world, OX_WRITE(Count));
    OX_EACH_CHUNK(query, chunk) {
        ox_chunk_edit(chunk, Count)->value++;
    }
    ox_world_hash(world);
    EXPECT(ox_world_validate(world));

    EXPECT_CALLS(&log, "");
    ox_world_destroy(world);
}

TEST(attachments, hear_of_changes_only_while_they_are_there) {
    call_log log = {0};
    ox_world *world = ox_world_create(NULL);
    EXPECT(oxi_attachment_add(world, &first, &log));
    EXPECT(oxi_attachment_add(world, &silent, &log));
    oxi_attachment_remove(world, &first);

    ox_entity_create(world);

    EXPECT_EQ(world->change_needs, 0);
    EXPECT_CALLS(&log, "");
    ox_world_destroy(world);
}

TEST(attachments, hear_of_a_change_when_jobs_are_complete) {
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    call_log log = {0};
    EXPECT(oxi_attachment_add(world, &first, &log));
    for (int round = 0; round < 3; round++) {
        log.job = ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
        EXPECT(!ox_job_is_complete(log.job));

        ox_entity_create(world);

        EXPECT_CALLS(&log, "c");
        EXPECT(log.was_complete);
    }
    end_jobs_test(world);
}

// What a call may do.

static collected_reports reports;

static void change_and_read(ox_world *world) {
    uint64_t hash = ox_world_hash_layout(world);
    EXPECT(ox_entity_create(world).version == 0);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
    EXPECT_HAS(reports.text, "ox_entity_create of world 'world' while it tells 'first' that it");
    ox_entity_destroy(world, ((ox_entity){0, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
    EXPECT(!ox_add(world, ((ox_entity){0, 1}), Extra, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
    ox_world_destroy(world);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
    EXPECT_EQ(ox_world_hash_layout(world), hash);
}

TEST_CHECKED(attachments, that_hear_of_a_change_can_change_nothing) {
    collect_reports(&reports);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    call_log log = {.act = change_and_read};
    EXPECT(oxi_attachment_add(world, &first, &log));

    ox_remove(world, entity, Step);

    EXPECT_CALLS(&log, "c");
    EXPECT(!ox_has(world, entity, Step));
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 1);
    ox_world_destroy(world);
    EXPECT_EQ(reports.count, 0);
}

static void change_freely(ox_world *world) {
    ox_entity_destroy(world, ox_entity_create_in(world, ox_archetype_of(world, Step)));
    ox_entity_create(world);
}

TEST(attachments, may_change_the_world_at_a_safe_point_and_after_a_frame) {
    ox_world *world = ox_world_create(NULL);
    call_log log = {.act = change_freely};
    EXPECT(oxi_attachment_add(world, &first, &log));
    EXPECT(oxi_attachment_add(world, &second, &log));

    oxi_attachments_tell(world, OXI_SAFE_POINT, NULL);
    EXPECT_CALLS(&log, "scCcCcCS");
    log.act = change_freely;
    oxi_attachments_tell(world, OXI_AFTER_FRAME, NULL);

    EXPECT_CALLS(&log, "fcCcCcCF");
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 2);
    ox_world_destroy(world);
}

static void destroy_world(ox_world *world) {
    ox_world_destroy(world);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
}

TEST(attachments, cannot_destroy_the_world_that_calls_them) {
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    call_log log = {.act = destroy_world};
    EXPECT(oxi_attachment_add(world, &first, &log));

    oxi_attachments_tell(world, OXI_SAFE_POINT, NULL);
    EXPECT_HAS(reports.text, "ox_world_destroy of world 'world' while it tells 'first' of a safe");
    log.act = destroy_world;
    oxi_attachments_tell(world, OXI_AFTER_FRAME, NULL);
    log.act = destroy_world;
    ox_world_destroy(world);

    EXPECT_HAS(reports.text, "that it ends");
    EXPECT_CALLS(&log, "sfe");
}

static void remove_both(ox_world *world) {
    EXPECT(oxi_attachment_remove(world, &first) != NULL);
    EXPECT(oxi_attachment_remove(world, &second) != NULL);
}

TEST(attachments, that_were_taken_off_by_a_call_are_not_called) {
    ox_world *world = ox_world_create(NULL);
    call_log log = {.act = remove_both};
    EXPECT(oxi_attachment_add(world, &first, &log));
    EXPECT(oxi_attachment_add(world, &second, &log));

    oxi_attachments_tell(world, OXI_SAFE_POINT, NULL);
    oxi_attachments_tell(world, OXI_SAFE_POINT, NULL);
    ox_entity_create(world);

    EXPECT_CALLS(&log, "s");
    ox_world_destroy(world);
    EXPECT_CALLS(&log, "");
}

// Places of the process.

static oxi_attachment_type many[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"},
                                     {.name = "e"}, {.name = "f"}, {.name = "g"}, {.name = "h"}};
enum { MANY = sizeof many / sizeof *many };

// Worlds of two threads meet types that no world had before.
static void *claim_on_thread(void *context) {
    ox_world *world = ox_world_create(NULL);
    uintptr_t *found = context;
    for (uintptr_t k = 0; k < 4; k++) {
        if (oxi_attachment_add(world, &many[k], &found[k])) {
            found[k] = oxi_attachment_get(world, &many[k]) == &found[k];
        }
    }
    ox_world_destroy(world);
    return NULL;
}

TEST(attachments, of_one_type_have_one_place_on_all_threads) {
    uintptr_t found[2][4] = {{0}};
    pthread_t threads[2];
    for (int k = 0; k < 2; k++) {
        EXPECT_EQ(pthread_create(&threads[k], NULL, claim_on_thread, found[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        EXPECT_EQ(pthread_join(threads[k], NULL), 0);
    }
    for (int k = 0; k < 4; k++) {
        EXPECT(found[0][k] == 1 && found[1][k] == 1);
        for (int n = 0; n < k; n++) {
            EXPECT_NE(oxi_load_relaxed(&many[k].slot), oxi_load_relaxed(&many[n].slot));
        }
    }
}

// The last one: it takes all that are left.
TEST(attachments, of_more_types_than_there_are_places_are_refused) {
    ox_world *world = ox_world_create(NULL);
    uint32_t before = world->attachments.count;
    int refused = 0;
    for (int k = 0; k < MANY; k++) {
        refused += !oxi_attachment_add(world, &many[k], &refused);
    }
    EXPECT(refused >= MANY + 3 - OXI_MAX_ATTACHMENTS); // three were used above
    EXPECT_EQ(world->attachments.count - before, MANY - refused);
    EXPECT(oxi_attachment_get(world, &many[MANY - 1]) == NULL);
    EXPECT(oxi_attachment_remove(world, &many[MANY - 1]) == NULL);
    ox_world_destroy(world);
}

// In a process where no other type has a place.
TEST_CHILD(fill_all_places) {
    ox_world *world = ox_world_create(NULL);
    int added = 0;
    while (added < MANY && oxi_attachment_add(world, &many[added], &added)) {
        added++;
    }
    fprintf(stderr, "%u places\n", (unsigned)world->attachments.count);
    ox_world_destroy(world);
}

TEST(attachments, of_as_many_types_as_there_are_places_have_one) {
    EXPECT_EXITS(fill_all_places, "8 places");
}
