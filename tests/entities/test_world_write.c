// SPDX-License-Identifier: MIT
//
// Worlds and queries, written as text and as JSON.

#include "entities/kinds_test.h"

#include "base/substitute.h"
#include "jobs/jobs_test.h"
#include "oxbow/entity_jobs.h"

#include <stdlib.h>

static collected_reports reports;
static char text[4096];

static ox_world *make_crew(void) {
    ox_world *world = make_world(&reports);
    ox_entity ship = ox_entity_create(world, OX_VALUE(Team, {3}), OX_VALUE(Position, {1, 2.5f}),
                                      OX_VALUE(Stunned, {4}), OX_VALUE_TAG(Frozen));
    ox_entity boat = ox_entity_create_in(world, ox_archetype_of(world, Note, Follows));
    ox_entity_create(world);
    ox_entity_set_name(world, ship, "Ar\"go");
    ox_set_enabled(world, ship, Stunned, false);
    ox_set(world, boat, Follows, {ship, {{0, 0}}, 7});
    ox_buffer notes = ox_edit(world, boat, Note);
    for (int k = 0; k < 3; k++) {
        ox_buffer_push(notes, Note, {60 + k});
    }
    return world;
}

static const char crew_text[] =
    "world 'sea', 3 entities\n"
    "0:1 Ar\"go\n"
    "    Frozen\n"
    "    Position {\"x\":1,\"y\":2.5}\n"
    "    Stunned {\"turns\":4}, disabled\n"
    "    Team {\"id\":3}, shared\n"
    "1:1\n"
    "    Follows {\"leader\":\"0:1\",\"others\":[\"0:0\",\"0:0\"],\"distance\":7}\n"
    "    Note [{\"pitch\":60},{\"pitch\":61},{\"pitch\":62}]\n"
    "2:1\n";

static const char crew_json[] =
    "{\"world\":\"sea\",\"entities\":["
    "{\"entity\":\"0:1\",\"name\":\"Ar\\\"go\",\"components\":{\"Frozen\":{},"
    "\"Position\":{\"x\":1,\"y\":2.5},\"Stunned\":{\"turns\":4},\"Team\":{\"id\":3}},"
    "\"disabled\":[\"Stunned\"]},"
    "{\"entity\":\"1:1\",\"components\":{\"Follows\":{\"leader\":\"0:1\",\"others\":[\"0:0\","
    "\"0:0\"],\"distance\":7},\"Note\":[{\"pitch\":60},{\"pitch\":61},{\"pitch\":62}]}},"
    "{\"entity\":\"2:1\",\"components\":{}}]}";

TEST(world_write, a_world_is_a_text) {
    ox_world *world = make_crew();

    EXPECT_EQ(ox_world_write_text(world, text, sizeof text), strlen(crew_text));

    EXPECT_STR(text, crew_text);
    end_world(world, &reports);
}

TEST(world_write, a_world_is_json) {
    ox_world *world = make_crew();

    EXPECT_EQ(ox_world_write_json(world, text, sizeof text), strlen(crew_json));

    EXPECT_STR(text, crew_json);
    end_world(world, &reports);
}

TEST(world_write, an_empty_world_has_no_entities) {
    ox_world *world = make_world(&reports);

    ox_world_write_text(world, text, sizeof text);
    EXPECT_STR(text, "world 'sea', 0 entities\n");
    ox_world_write_json(world, text, sizeof text);
    EXPECT_STR(text, "{\"world\":\"sea\",\"entities\":[]}");

    end_world(world, &reports);
}

TEST(world_write, what_does_not_fit_is_cut_and_the_whole_length_told) {
    ox_world *world = make_crew();
    size_t length = strlen(crew_text);

    EXPECT_EQ(ox_world_write_text(world, NULL, 0), length);
    EXPECT_EQ(ox_world_write_json(world, NULL, 0), strlen(crew_json));
    EXPECT_EQ(ox_world_write_text(world, text, 8), length);
    EXPECT_STR(text, "world '");
    EXPECT_EQ(ox_world_write_text(world, text, length), length);
    EXPECT_EQ(strlen(text), length - 1);
    EXPECT_EQ(ox_world_write_text(world, text, 1), length);
    EXPECT_STR(text, "");

    end_world(world, &reports);
}

TEST(world_write, the_text_does_not_tell_how_a_world_lies) {
    ox_world *world = make_crew(), *other = make_crew();
    char second[sizeof text];
    ox_entity gone = ox_entity_create_in(other, ox_archetype_of(other, Health));
    ox_add(other, ((ox_entity){1, 1}), Velocity, {1, 1});
    ox_remove(other, ((ox_entity){1, 1}), Velocity);
    ox_entity_destroy(other, gone);

    ox_world_write_json(world, text, sizeof text);
    ox_world_write_json(other, second, sizeof second);

    EXPECT_EQ(ox_world_hash(world), ox_world_hash(other));
    EXPECT_STR(text, second);
    ox_world_destroy(other);
    end_world(world, &reports);
}

TEST(world_write, a_query_is_what_matches) {
    ox_world *world = make_crew();
    ox_query *placed = ox_query_create(world, OX_READ(Position));
    ox_query *stunned = ox_query_create(world, OX_READ(Stunned));

    size_t length = ox_query_write_text(placed, text, sizeof text);
    EXPECT_EQ(length, strlen(text));
    EXPECT_STR(text, "query of world 'sea', 1 entity\n"
                     "0:1 Ar\"go\n"
                     "    Frozen\n"
                     "    Position {\"x\":1,\"y\":2.5}\n"
                     "    Stunned {\"turns\":4}, disabled\n"
                     "    Team {\"id\":3}, shared\n");
    ox_query_write_json(stunned, text, sizeof text);
    EXPECT_STR(text, "{\"world\":\"sea\",\"entities\":[]}"); // it is disabled

    end_world(world, &reports);
}

TEST(world_write, a_query_is_written_in_the_order_of_its_walk) {
    ox_world *world = make_world(&reports);
    ox_entity first = ox_entity_create(world);
    ox_entity_create(world, OX_VALUE(Health, {2}));
    ox_add(world, first, Health, {1});
    ox_query *living = ox_query_create(world, OX_READ(Health));

    ox_query_write_json(living, text, sizeof text);

    EXPECT_STR(text, "{\"world\":\"sea\",\"entities\":["
                     "{\"entity\":\"1:1\",\"components\":{\"Health\":{\"points\":2}}},"
                     "{\"entity\":\"0:1\",\"components\":{\"Health\":{\"points\":1}}}]}");
    end_world(world, &reports);
}

OX_ENTITY_JOB(Heal, (OX_WRITE(Health, health)), { int unused; }) {
    (void)job;
    health->points = 100;
}

TEST(world_write, jobs_are_complete_before_values_are_written) {
    start_workers_of_test(2);
    ox_world *world = make_world(&reports);
    ox_entity_create(world, OX_VALUE(Health, {2}));
    ox_query *living = ox_query_create(world, OX_WITH(Health));

    ox_schedule_entities(Heal, ox_world_get_root(world), OX_AUTO, {0});
    ox_world_write_text(world, text, sizeof text);
    EXPECT_HAS(text, "Health {\"points\":100}");
    ox_set(world, ((ox_entity){0, 1}), Health, {3});
    ox_schedule_entities(Heal, ox_world_get_root(world), OX_AUTO, {0});
    ox_query_write_text(living, text, sizeof text);
    EXPECT_HAS(text, "Health {\"points\":100}");

    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(world_write, json_of_many_entities_can_be_read) {
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Position, Note, Team, Lit), NULL, 300);
    size_t length = ox_world_write_json(world, NULL, 0);
    char *json = malloc(length + 1);

    EXPECT_EQ(ox_world_write_json(world, json, length + 1), length);

    EXPECT_EQ(strlen(json), length);
    EXPECT(strstr(json, "\"299:1\"") != NULL);
    EXPECT_EQ(json[length - 1], '}');
    free(json);
    end_world(world, &reports);
}

TEST(world_write, a_buffer_that_is_NULL_is_reported) {
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_query *all = ox_query_create(world, OX_READ(Health));

    EXPECT_EQ(ox_world_write_text(world, NULL, 5), 0);
    EXPECT_HAS(reports.text, "'buffer' of ox_world_write_text is NULL");
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_world_write_json(world, NULL, 5), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_write_text(all, NULL, 5), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_write_json(all, NULL, 5), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    text[0] = 'x';
    EXPECT_EQ(ox_query_write_json(NULL, text, 5), 0);
    EXPECT_STR(text, "");
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);

    ox_world_destroy(world);
}

TEST(world_write, without_memory_nothing_is_written) {
    ox_world *world = make_crew();
    oxi_fault_plan(OXI_FAULT_FROM, 0);

    size_t length = ox_world_write_json(world, text, sizeof text);

    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(length, 0);
    EXPECT_STR(text, "");
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    end_world(world, &reports);
}
