// SPDX-License-Identifier: MIT
//
// Looking at systems, queries and archetypes from outside.

#include "systems/systems_test.h"

#include "base/substitute.h"

OX_COMPONENT(Place, { float x, y; });
OX_COMPONENT(Speed, { float x, y; });
OX_COMPONENT(Life, { int32_t points; });
OX_TAG(Asleep);

OX_ENTITY_JOB(Drift, (OX_WRITE(Place, place), OX_READ(Speed, speed)), { float dt; }) {
    place->x += speed->x * job->dt;
}

static ox_query *own[2];

static bool make_queries(ox_system *system) {
    own[0] = ox_system_query(system, OX_READ(Life), OX_NONE(Asleep));
    own[1] = ox_system_query(system, OX_WRITE(Place));
    return own[0] != NULL && own[1] != NULL;
}

static void idle(ox_system *system) {
    (void)system;
}

static ox_job drift(ox_system *system, ox_job after) {
    return ox_schedule_entities(Drift, system, after, {1});
}

typedef struct inspected {
    ox_world *world;
    ox_system *look, *move;
    ox_entity boat, rock;
} inspected;

static collected_reports told;

static inspected begin_inspection(void) {
    start_workers_of_test(0);
    told = (collected_reports){0};
    inspected it = {.world = ox_world_create(&(ox_world_def){
                        .name = "sea", .no_systems = true, .on_report = {collect_report, &told}})};
    it.look = ox_system_add(
        it.world, &(ox_system_def){
                      .name = "Look", .before = {"Move"}, .create = make_queries, .update = idle});
    it.move = ox_system_add(
        it.world, &(ox_system_def){.name = "Move", .update_jobs = drift, .jobs = OX_JOBS(Drift)});
    it.boat = ox_entity_create_in(it.world, ox_archetype_of(it.world, Place, Speed));
    it.rock = ox_entity_create_in(it.world, ox_archetype_of(it.world, Life, Asleep));
    return it;
}

static void end_inspection(const inspected *it) {
    EXPECT(ox_world_validate(it->world));
    EXPECT_EQ(told.count, 0);
    ox_world_destroy(it->world);
    ox_jobs_stop();
}

TEST(inspect, a_system_tells_its_queries) {
    inspected it = begin_inspection();
    ox_query *found[4] = {NULL};

    EXPECT_EQ(ox_system_get_queries(it.look, NULL, 0), 2);
    EXPECT_EQ(ox_system_get_queries(it.look, found, 4), 2);

    EXPECT(found[0] == own[0] && found[1] == own[1]);
    found[1] = NULL;
    EXPECT_EQ(ox_system_get_queries(it.look, found, 1), 2);
    EXPECT(found[0] == own[0] && found[1] == NULL);
    end_inspection(&it);
}

TEST(inspect, a_job_of_a_system_has_a_query_once_it_was_scheduled) {
    inspected it = begin_inspection();
    ox_query *found = NULL;
    EXPECT_EQ(ox_system_get_queries(it.move, NULL, 0), 0);

    EXPECT(ox_world_update(it.world, 1));

    EXPECT_EQ(ox_system_get_queries(it.move, &found, 1), 1);
    EXPECT_EQ(ox_query_get_info(found).term_count, 2);
    EXPECT(ox_query_explain(found, it.boat, NULL, 0));
    end_inspection(&it);
}

TEST(inspect, the_root_system_has_the_queries_that_no_system_owns) {
    inspected it = begin_inspection();
    ox_query *mine = ox_query_create(it.world, OX_READ(Life)), *found[4] = {NULL};

    EXPECT_EQ(ox_system_get_queries(ox_world_get_root(it.world), found, 4), 1);
    EXPECT(found[0] == mine);
    EXPECT_EQ(ox_world_get_queries(it.world, found, 4), 3);
    EXPECT(found[0] == own[0] && found[1] == own[1] && found[2] == mine);
    EXPECT_EQ(ox_world_get_queries(it.world, NULL, 4), 3);

    end_inspection(&it);
}

TEST(inspect, a_system_tells_its_accesses) {
    inspected it = begin_inspection();
    ox_system_access found[4];

    EXPECT_EQ(ox_system_get_accesses(it.move, found, 4), 2);
    EXPECT_EQ(found[0].component, ox_component_id_of(Place));
    EXPECT(found[0].writes);
    EXPECT_EQ(found[1].component, ox_component_id_of(Speed));
    EXPECT(!found[1].writes);
    EXPECT_EQ(ox_system_get_accesses(it.look, NULL, 0), 2);
    ox_system_info info = ox_system_get_info(it.look);
    EXPECT_EQ(info.reads_count + info.writes_count, 2);

    end_inspection(&it);
}

TEST(inspect, a_query_tells_its_terms_and_where_it_was_made) {
    inspected it = begin_inspection();
    ox_term terms[4];

    ox_query_info info = ox_query_get_info(own[0]);
    EXPECT(info.world == it.world && info.system == it.look);
    EXPECT_HAS(info.site, "test_inspect.c:");
    EXPECT_EQ(info.term_count, 2);
    EXPECT_EQ(info.filter_count, 0);
    EXPECT_EQ(ox_query_get_terms(own[0], terms, 4), 2);
    EXPECT_EQ(terms[0].kind, OX_TERM_READ);
    EXPECT_EQ(terms[0].id, ox_component_id_of(Life));
    EXPECT_EQ(terms[1].kind, OX_TERM_NONE);
    EXPECT_EQ(terms[1].id, ox_component_id_of(Asleep));
    EXPECT_EQ(ox_query_get_terms(own[0], NULL, 0), 2);

    end_inspection(&it);
}

TEST(inspect, filters_of_a_query_are_counted) {
    inspected it = begin_inspection();
    ox_query *mine = ox_query_create(it.world, OX_READ(Life));

    EXPECT(ox_query_filter_changed(mine, Life, 1));
    EXPECT(ox_query_filter_order(mine, 1));

    EXPECT_EQ(ox_query_get_info(mine).filter_count, 2);
    EXPECT(ox_query_get_info(mine).system == NULL);
    end_inspection(&it);
}

TEST(inspect, terms_that_were_told_make_the_same_query) {
    inspected it = begin_inspection();
    ox_term terms[OX_MAX_TERMS + 1] = {{OX_TERM_END, NULL, 0}};
    int count = ox_query_get_terms(own[0], terms, OX_MAX_TERMS);
    terms[count] = (ox_term){OX_TERM_END, NULL, 0};

    EXPECT(ox_system_query_at(it.look, terms, OX_HERE) == own[0]);

    end_inspection(&it);
}

TEST(inspect, an_entity_tells_which_systems_match_it) {
    inspected it = begin_inspection();
    ox_system *found[4] = {NULL};
    EXPECT(ox_world_update(it.world, 1));

    EXPECT_EQ(ox_entity_get_systems(it.world, it.boat, found, 4), 2);
    EXPECT(found[0] == it.look && found[1] == it.move);
    found[1] = NULL;
    EXPECT_EQ(ox_entity_get_systems(it.world, it.boat, found, 1), 2);
    EXPECT(found[0] == it.look && found[1] == NULL);
    EXPECT_EQ(ox_entity_get_systems(it.world, it.rock, NULL, 0), 0);
    EXPECT(ox_remove(it.world, it.rock, Asleep));
    EXPECT_EQ(ox_entity_get_systems(it.world, it.rock, found, 1), 1);
    EXPECT(found[0] == it.look);

    end_inspection(&it);
}

TEST(inspect, an_entity_tells_why_systems_do_not_match_it) {
    inspected it = begin_inspection();
    char text[1024];
    EXPECT(ox_world_update(it.world, 1));

    size_t length = ox_entity_explain_systems(it.world, it.rock, text, sizeof text);

    EXPECT_EQ(length, strlen(text));
    EXPECT_HAS(text, "Look: does not match the query of tests/systems/test_inspect.c:");
    EXPECT_HAS(text, ": has Asleep, which OX_NONE shuts out\nLook: does not match");
    EXPECT_HAS(text, ": has no Place\nMove: does not match");
    EXPECT_HAS(text, ": has no Place; has no Speed\n");
    EXPECT_EQ(ox_entity_explain_systems(it.world, it.rock, NULL, 0), length);
    EXPECT_EQ(ox_entity_explain_systems(it.world, it.rock, text, 6), length);
    EXPECT_STR(text, "Look:");
    EXPECT(ox_entity_explain_systems(it.world, it.boat, text, sizeof text) > 0);
    EXPECT_HAS(text, "Look: matches the query of ");
    EXPECT_HAS(text, "Move: matches the query of ");
    end_inspection(&it);
}

TEST(inspect, without_memory_nothing_is_explained) {
    inspected it = begin_inspection();
    char text[64] = "x";
    ox_world_get_systems(it.world, NULL, 0); // the order is known
    oxi_fault_plan(OXI_FAULT_FROM, 0);

    size_t length = ox_entity_explain_systems(it.world, it.rock, text, sizeof text);

    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(length, 0);
    EXPECT_STR(text, "");
    EXPECT_REPORT(&told, OX_REPORT_OUT_OF_MEMORY);
    end_inspection(&it);
}

// Archetypes that queries have not looked at yet, so many that they take memory for it.
static void make_many_archetypes(ox_world *world) {
    uint32_t ids[6] = {ox_component_id_of(Life)};
    for (int k = 1; k < 6; k++) {
        char name[] = {'T', 'o', 'l', 'd', (char)('0' + k), 0};
        ox_component_def def = {.name = name, .kind = OX_COMPONENT_KIND_TAG};
        ids[k] = ox_component_register(&def);
    }
    for (uint32_t chosen = 0; chosen < 32; chosen++) {
        uint32_t count = 1, some[6] = {ids[0]};
        for (uint32_t k = 0; k < 5; k++) {
            some[count] = ids[k + 1];
            count += chosen >> k & 1;
        }
        ox_archetype_of_at(world, some, (int)count, OX_HERE);
    }
}

TEST(inspect, all_is_explained_or_nothing) {
    bool has_failed = true;
    for (uint64_t call = 0; has_failed; call++) {
        inspected it = begin_inspection();
        ox_world_get_systems(it.world, NULL, 0);
        make_many_archetypes(it.world);
        oxi_fault_plan(OXI_FAULT_ONE, call);

        size_t length = ox_entity_explain_systems(it.world, it.rock, NULL, 0);

        has_failed = oxi_fault_get_failures() > 0;
        oxi_fault_plan(OXI_FAULT_NONE, 0);
        EXPECT_EQ(length > 0, !has_failed);
        EXPECT_EQ(told.count, has_failed);
        told.count = 0;
        end_inspection(&it);
    }
}

TEST(inspect, an_entity_that_is_not_alive_is_reported) {
    collected_reports reports = {0};
    ox_world *world =
        ox_world_create(&(ox_world_def){.name = "sea", .on_report = {collect_report, &reports}});
    char text[8] = "x";

    EXPECT_EQ(ox_entity_get_systems(world, ((ox_entity){5, 5}), NULL, 0), 0);
    EXPECT_HAS(reports.text, "ox_entity_get_systems of entity 5:5");
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    EXPECT_EQ(ox_entity_explain_systems(world, ((ox_entity){5, 5}), text, sizeof text), 0);
    EXPECT_STR(text, "");
    EXPECT_HAS(reports.text, "ox_entity_explain_systems of entity 5:5");
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);

    ox_world_destroy(world);
}

TEST(inspect, NULL_is_reported_by_calls_that_take_a_place_and_is_nothing_to_others) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_entity entity = ox_entity_create(world);

    EXPECT_EQ(ox_entity_get_systems(world, entity, NULL, 1), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_entity_explain_systems(world, entity, NULL, 2), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_entity_explain_systems(world, entity, NULL, 0), 0);
    EXPECT_EQ(ox_system_get_queries(NULL, NULL, 0), 0);
    EXPECT_EQ(ox_system_get_accesses(NULL, NULL, 0), 0);
    EXPECT_EQ(ox_query_get_terms(NULL, NULL, 0), 0);
    EXPECT(ox_query_get_info(NULL).site == NULL);
    EXPECT_EQ(ox_world_get_queries(NULL, NULL, 0), 0);
    EXPECT_EQ(ox_world_get_archetypes(NULL, NULL, 0), 0);
    EXPECT_EQ(reports.count, 0);

    ox_world_destroy(world);
}

TEST(inspect, a_world_tells_its_archetypes) {
    inspected it = begin_inspection();
    ox_archetype boats = ox_archetype_of(it.world, Speed, Place), found[8];
    int count = ox_world_get_archetypes(it.world, found, 8);
    uint32_t ids[4];

    EXPECT_EQ(count, (int)ox_world_get_usage(it.world).archetype_count);
    EXPECT_EQ(ox_world_get_archetypes(it.world, NULL, 0), count);
    EXPECT_EQ(found[boats.number - 1].number, boats.number);
    EXPECT_EQ(found[boats.number - 1].world, boats.world);
    EXPECT_EQ(ox_archetype_get_components(it.world, boats, ids, 4), 2);
    EXPECT_EQ(ids[0] + ids[1], ox_component_id_of(Place) + ox_component_id_of(Speed));
    EXPECT(ids[0] < ids[1]);
    EXPECT_EQ(ox_archetype_get_components(it.world, boats, NULL, 0), 2);

    end_inspection(&it);
}

TEST(inspect, an_archetype_tells_how_full_it_is) {
    inspected it = begin_inspection();
    ox_archetype lives = ox_archetype_of(it.world, Life);
    EXPECT_EQ(ox_archetype_get_info(it.world, lives).fill, 0);
    int capacity = ox_archetype_get_info(it.world, lives).chunk_capacity;

    EXPECT(ox_entities_create(it.world, lives, NULL, capacity + capacity / 2));

    ox_archetype_info info = ox_archetype_get_info(it.world, lives);
    EXPECT_EQ(info.component_count, 1);
    EXPECT_EQ(info.entity_count, capacity + capacity / 2);
    EXPECT_EQ(info.chunk_count, 2);
    EXPECT(info.fill > 0.749f && info.fill <= 0.75f);
    end_inspection(&it);
}

TEST(inspect, archetypes_of_other_worlds_are_empty) {
    inspected it = begin_inspection();
    ox_world *other = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_archetype foreign = ox_archetype_of(other, Life);

    EXPECT_EQ(ox_archetype_get_info(it.world, foreign).chunk_capacity, 0);
    EXPECT_EQ(ox_archetype_get_components(it.world, foreign, NULL, 0), 0);
    EXPECT_EQ(ox_archetype_get_info(it.world, (ox_archetype){0}).chunk_capacity, 0);
    EXPECT_EQ(ox_archetype_get_info(NULL, foreign).chunk_capacity, 0);

    ox_world_destroy(other);
    end_inspection(&it);
}
