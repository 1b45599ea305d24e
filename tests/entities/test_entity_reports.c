// SPDX-License-Identifier: MIT
//
// Every report of worlds and entities: its values, its text, and the caller's line.

#include "entities/entities_test.h"

#include "base/memory_test.h"
#include "oxbow/detail/element.h"
#include "oxbow/jobs.h"
#include "oxbow/queries.h"

static collected_reports reports;

// One report came, with this text and a line of this file.
static void expect_told(ox_report_id id, const char *part) {
    EXPECT_HAS(reports.text, part);
    EXPECT_HAS(reports.text, "test_entity_reports.c:");
    EXPECT_HAS(reports.site != NULL ? reports.site : "", "test_entity_reports.c:");
    EXPECT_REPORT(&reports, id);
}

TEST(entity_reports, stale_entity) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_entity_destroy(world, entity);

    ox_entity_destroy(world, entity);
    expect_told(OX_REPORT_STALE_ENTITY,
                "ox_entity_destroy of entity 0:1; in world 'sea' that id has version 2");
    EXPECT_EQ(ox_get(world, entity, Health)->points, 0);
    EXPECT_HAS(reports.text, "fix: ask ox_entity_exists first");
    expect_told(OX_REPORT_STALE_ENTITY, "ox_get of entity 0:1; in world 'sea'");
    ox_entity_instantiate(world, ((ox_entity){4000000000u, 7}));
    expect_told(OX_REPORT_STALE_ENTITY,
                "entity 4000000000:7; in world 'sea' that id has version 0");
    end_world(world, &reports);
}

TEST(entity_reports, no_component) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));

    EXPECT(!ox_set(world, entity, Position, {1, 2}));
    expect_told(OX_REPORT_NO_COMPONENT, "entity 0:1 in world 'sea' has no 'Position'");
    EXPECT(!ox_remove(world, entity, Frozen));
    EXPECT_HAS(reports.text, "or ask ox_has, at");
    expect_told(OX_REPORT_NO_COMPONENT, "entity 0:1 in world 'sea' has no 'Frozen'");
    EXPECT(ox_get(world, entity, Large) == oxi_element_zeros());
    expect_told(OX_REPORT_NO_COMPONENT, "has no 'Large'");
    memset(ox_edit(world, entity, Large), 0xff, sizeof(Large));
    expect_told(OX_REPORT_NO_COMPONENT, "has no 'Large'");
    EXPECT(!ox_remove_many(world, entity, Health, Velocity));
    expect_told(OX_REPORT_NO_COMPONENT, "has no 'Velocity'");
    EXPECT(ox_has(world, entity, Health));
    end_world(world, &reports);
}

TEST(entity_reports, unknown_component) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);

    EXPECT(!ox_add_at(world, entity, 4097, NULL, OX_HERE));
    expect_told(OX_REPORT_UNKNOWN_COMPONENT, "id 4097 in world 'sea'");
    EXPECT_EQ(ox_archetype_of_at(world, (uint32_t[]){0}, 1, OX_HERE).number, 0);
    expect_told(OX_REPORT_UNKNOWN_COMPONENT, "id 0 in world 'sea'");
    EXPECT(!ox_has_id(world, entity, UINT32_MAX));
    EXPECT_EQ(reports.count, 0);
    end_world(world, &reports);
}

static void create_elsewhere(void *world) {
    EXPECT_EQ(ox_entity_create(world).version, 0);
    ox_world_destroy(world);
}

TEST_CHECKED(entity_reports, world_thread) {
    ox_world *world = make_world(&reports);
    run_on_thread(create_elsewhere, world);
    EXPECT_EQ(reports.count, 2);
    reports.count = 1;
    expect_told(OX_REPORT_WORLD_THREAD, "ox_world_destroy of world 'sea'");
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 0);
    end_world(world, &reports);
}

static void reset_elsewhere(void *query) {
    ox_query_reset_filters(query);
    expect_told(OX_REPORT_WORLD_THREAD, "ox_query_reset_filters of world 'sea'");
}

static void advance_elsewhere(void *world) {
    EXPECT_EQ(ox_world_advance_version(world), 0);
    expect_told(OX_REPORT_WORLD_THREAD, "ox_world_advance_version of world 'sea'");
}

TEST_CHECKED(entity_reports, versions_and_filters_belong_to_the_thread_of_the_world) {
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_query *query = ox_query_create(world, OX_READ(Health));
    uint32_t version = ox_world_get_version(world);
    EXPECT(ox_query_filter_changed(query, Health, version));

    run_on_thread(reset_elsewhere, query);
    run_on_thread(advance_elsewhere, world);

    EXPECT_EQ(ox_world_get_version(world), version);
    EXPECT_EQ(ox_query_count(query), 0);
    ox_query_reset_filters(query);
    EXPECT_EQ(ox_query_count(query), 1);
    end_world(world, &reports);
}

// A step of a loop and a view, which lead to their world.
typedef struct ways_in {
    ox_chunk chunk;
    ox_view view;
    ox_report_id report;
} ways_in;

static void go_by_loop_and_view(void *context) {
    ways_in *ways = context;
    EXPECT_EQ(ox_chunk_get(ways->chunk, Health)->points, 0);
    expect_told(ways->report, "ox_chunk_get of world 'sea'");
    EXPECT(!ox_chunk_next(&ways->chunk));
    expect_told(ways->report, "ox_chunk_next of world 'sea'");
    if (ways->report == OX_REPORT_WORLD_THREAD) { // in a job a view has rights of its own
        EXPECT_EQ(ox_view_read(ways->view, 0, Health).points, 0);
        expect_told(ways->report, "ox_view_read of world 'sea'");
    }
}

OX_JOB(GoInJob, { OX_NO_SAFETY ways_in *ways; }) {
    go_by_loop_and_view(job->ways);
}

TEST_CHECKED(entity_reports, loops_and_views_belong_to_the_thread_of_the_world) {
    ox_world *world = make_world(&reports);
    ox_entity_create(world, OX_VALUE(Health, {7}));
    ox_query *query = ox_query_create(world, OX_READ(Health));
    for (int k = 0; k < 2; k++) {
        ways_in ways = {ox_query_chunks(query), ox_query_view(query, Health),
                        k == 0 ? OX_REPORT_WORLD_THREAD : OX_REPORT_WORLD_IN_JOB};
        EXPECT(ox_chunk_next(&ways.chunk));
        if (k == 0) {
            run_on_thread(go_by_loop_and_view, &ways);
        } else {
            ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
            ox_complete(ox_schedule(GoInJob, OX_NO_JOB, {&ways}));
            ox_jobs_stop();
        }
    }
    end_world(world, &reports);
}

static ox_world *world_of_job;

OX_JOB(CreateInJob, { int unused; }) {
    EXPECT_EQ(ox_entity_create(world_of_job).version, 0);
}

TEST_CHECKED(entity_reports, world_in_job) {
    world_of_job = make_world(&reports);
    for (int workers = 0; workers < 2; workers++) {
        ox_jobs_start(&(ox_jobs_def){.worker_count = workers == 0 ? OX_NO_WORKERS : 1});
        ox_complete(ox_schedule(CreateInJob, OX_NO_JOB, {0}));
        ox_jobs_stop();
        EXPECT_HAS(reports.text,
                   "fix: record it with ox_commands, read through a lookup, or do it");
        expect_told(OX_REPORT_WORLD_IN_JOB, "ox_entity_create of world 'sea' in job 'CreateInJob'");
    }
    end_world(world_of_job, &reports);
}

TEST(entity_reports, archetype_too_large) {
    ox_world *world = make_world(&reports);
    uint32_t ids[2] = {define_sized("Reported", 0, 15000), define_sized("Reported", 1, 1500)};
    EXPECT_EQ(ox_archetype_of_at(world, ids, 2, OX_HERE).number, 0);
    expect_told(OX_REPORT_ARCHETYPE_TOO_LARGE,
                "2 components in world 'sea', 0 of them shared, need 16508 bytes for one entity");
    end_world(world, &reports);
}

TEST(entity_reports, archetype_of_too_many) {
    ox_world *world = make_world(&reports);
    uint32_t ids[257];
    for (int k = 0; k < 257; k++) {
        ids[k] = define_sized("Crowded", k, 4);
    }
    EXPECT_EQ(ox_archetype_of_at(world, ids, 257, OX_HERE).number, 0);
    expect_told(OX_REPORT_ARCHETYPE_TOO_LARGE,
                "257 components in world 'sea', 0 of them shared, need 1036 bytes for one entity");
    end_world(world, &reports);
}

TEST(entity_reports, duplicate) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health)),
              list[2] = {entity, entity};

    EXPECT_EQ(ox_archetype_of(world, Position, Health, Position).number, 0);
    expect_told(OX_REPORT_DUPLICATE, "Position in a list for an archetype");
    EXPECT(!ox_remove_many(world, entity, Health, Health));
    expect_told(OX_REPORT_DUPLICATE, "Health in a list");
    EXPECT(!ox_add_many(world, entity, OX_VALUE(Health, {1}), OX_VALUE(Health, {2})));
    expect_told(OX_REPORT_DUPLICATE, "Health in a list");
    EXPECT(!ox_entities_destroy(world, list, 2));
    expect_told(OX_REPORT_DUPLICATE,
                "entities[1], which is entity 0:1, in a list for ox_entities_destroy");
    EXPECT(ox_entity_exists(world, entity));
    end_world(world, &reports);
}

TEST(entity_reports, entity_limit) {
    reports = (collected_reports){0};
    ox_world *world = ox_world_create(&(ox_world_def){
        .name = "pond", .entity_limit = 5, .on_report = {collect_report, &reports}});
    EXPECT(!ox_entities_create(world, ox_archetype_of(world, Health), NULL, 6));
    expect_told(OX_REPORT_ENTITY_LIMIT,
                "6 entities more than world 'pond' may have, its limit is 5");
    end_world(world, &reports);
}

// What is wrong, and what may be passed.
static void expect_bad_count(const char *what, const char *fix) {
    EXPECT_HAS(reports.text, fix);
    expect_told(OX_REPORT_BAD_COUNT, what);
}

TEST(entity_reports, bad_count) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    EXPECT(!ox_entities_create(world, ox_archetype_of(world, Health), NULL, -3));
    expect_bad_count("-3 for ox_entities_create", "pass 0 to 2147483647 at ");
    EXPECT(!ox_entities_create(world, ox_archetype_of(world, Health), NULL, INT64_MAX));
    expect_bad_count("9223372036854775807 for ox_entities_create", "pass 0 to 2147483647 at ");
    EXPECT(!ox_entities_destroy(world, NULL, -4));
    expect_bad_count("-4 for ox_entities_destroy", "pass 0 to 1 at ");
    EXPECT_EQ(ox_entity_create_at(world, NULL, 257, OX_HERE).version, 0);
    expect_bad_count("257 for a list of values", "pass 0 to 256 at ");
    EXPECT(!ox_remove_many_at(world, entity, NULL, 300, OX_HERE));
    expect_bad_count("300 for ox_remove", "pass 0 to 256 at ");
    ox_archetype refused = ox_archetype_of_at(world, NULL, -1, OX_HERE);
    EXPECT(refused.number == 0 && refused.world == 0);
    expect_bad_count("-1 for ox_archetype_get", "pass 0 to 256 at ");
    end_world(world, &reports);
}

TEST(entity_reports, foreign_handle) {
    ox_world *world = make_world(&reports), *other = ox_world_create(NULL);
    EXPECT_EQ(ox_entity_create_in(world, ox_archetype_of(other, Health)).version, 0);
    expect_told(OX_REPORT_FOREIGN_HANDLE, "the archetype is not of world 'sea'");
    EXPECT(!ox_entities_create(world, (ox_archetype){0}, NULL, 0));
    expect_told(OX_REPORT_FOREIGN_HANDLE, "the archetype is not of world 'sea'");
    ox_world_destroy(other);
    end_world(world, &reports);
}

TEST(entity_reports, name_taken) {
    ox_world *world = make_world(&reports);
    ox_entity_set_name(world, ox_entity_create(world), "Anna");
    EXPECT(!ox_entity_set_name(world, ox_entity_create(world), "Anna"));
    expect_told(OX_REPORT_NAME_TAKEN, "entity 0:1 in world 'sea' is called 'Anna' already");
    end_world(world, &reports);
}

TEST(entity_reports, tag_has_no_value) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Frozen));
    EXPECT(ox_get_at(world, entity, ox_component_id_of(Frozen), OX_HERE) == oxi_element_zeros());
    expect_told(OX_REPORT_TAG_HAS_NO_VALUE, "'Frozen' is a tag");
    EXPECT(!ox_set_at(world, entity, ox_component_id_of(Frozen), &entity, OX_HERE));
    expect_told(OX_REPORT_TAG_HAS_NO_VALUE, "'Frozen' is a tag");
    end_world(world, &reports);
}

// Stray writes into what a world keeps, each found and taken back.
TEST(entity_reports, world_broken) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    oxi_record *record = &world->store.entities.records[0];
    oxi_chunk_entry *entry = oxi_chunk_entry_of(record->chunk);

    oxi_chunk_entities(record->chunk)[0].version = 9;
    EXPECT(!ox_world_validate(world));
    expect_told(OX_REPORT_WORLD_BROKEN, "world 'sea': a live row has no entity, or a dead one has");
    oxi_chunk_entities(record->chunk)[0] = entity;
    entry->live++;
    EXPECT(!ox_world_validate(world));
    expect_told(OX_REPORT_WORLD_BROKEN, "the live rows of a chunk are not counted right");
    entry->live--;
    world->store.entities.alive++;
    EXPECT(!ox_world_validate(world));
    expect_told(OX_REPORT_WORLD_BROKEN, "rows and entities are not as many");
    world->store.entities.alive--;
    end_world(world, &reports);
}

TEST(entity_reports, null_arguments) {
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    EXPECT(!ox_set_at(world, entity, ox_component_id_of(Health), NULL, OX_HERE));
    expect_told(OX_REPORT_NULL_ARGUMENT, "'value' of ox_set is NULL");
    EXPECT(!ox_entities_destroy(world, NULL, 1));
    expect_told(OX_REPORT_NULL_ARGUMENT, "'entities' of ox_entities_destroy is NULL");
    EXPECT_EQ(ox_archetype_of_at(world, NULL, 1, OX_HERE).number, 0);
    expect_told(OX_REPORT_NULL_ARGUMENT, "'components' of ox_archetype_get is NULL");
    EXPECT(!ox_add_many_at(world, entity, NULL, 2, OX_HERE));
    expect_told(OX_REPORT_NULL_ARGUMENT, "'values'");
    ox_query_reset_filters(NULL);
    expect_told(OX_REPORT_NULL_ARGUMENT, "'query' of ox_query_reset_filters is NULL");
    ox_world_destroy(world);
}

// What takes no place only looks, and reports nothing.
TEST(entity_reports, looking_at_nothing_is_quiet) {
    collect_reports(&reports);
    EXPECT_EQ(ox_world_get_version(NULL), 0);
    EXPECT_EQ(ox_world_get_order_version(NULL, ox_component_id_of(Health)), 0);
    EXPECT_EQ(ox_world_get_def(NULL).entity_limit, 0);
    EXPECT(ox_world_get_def(NULL).name == NULL);
    EXPECT_EQ(ox_world_get_usage(NULL).entity_limit, 0);
    EXPECT_EQ(ox_world_get_fragmentation(NULL).chunk_count, 0);
    EXPECT(ox_world_get_fragmentation(NULL).advice != NULL);
    EXPECT_EQ(ox_world_hash(NULL), 0);
    EXPECT_EQ(ox_world_hash_layout(NULL), 0);
    EXPECT(ox_world_get_root(NULL) == NULL);
    EXPECT(!ox_chunk_has_id(NULL, ox_component_id_of(Health)));
    EXPECT_EQ(reports.count, 0);
}

TEST(entity_reports, looking_for_an_entity_of_nothing_is_quiet) {
    collect_reports(&reports);
    ox_entity entity = {0, 1};
    uint32_t components[2] = {7, 7};
    EXPECT(!ox_entity_exists(NULL, entity));
    EXPECT(!ox_has(NULL, entity, Health));
    EXPECT_EQ(ox_entity_get_location(NULL, entity).chunk, -1);
    EXPECT_EQ(ox_entity_get_components(NULL, entity, components, 2), 0);
    EXPECT_EQ(components[0], 7);
    EXPECT(ox_entity_get_name(NULL, entity) == NULL);
    EXPECT_EQ(ox_entity_find(NULL, "Anna").version, 0);
    EXPECT(!ox_lookup_has(NULL, entity));
    EXPECT(!ox_lookup_has(&(ox_lookup){0}, entity));
    EXPECT_EQ(reports.count, 0);
}

TEST(entity_reports, components_are_counted_without_a_place_for_them) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health, Position));
    EXPECT_EQ(ox_entity_get_components(world, entity, NULL, 5), 2);
    EXPECT_EQ(ox_entity_get_components(world, entity, NULL, 0), 2);
    end_world(world, &reports);
}

TEST_CHECKED(entity_reports, null_world) {
    collect_reports(&reports);
    EXPECT_EQ(ox_entity_create(NULL).version, 0);
    expect_told(OX_REPORT_NULL_ARGUMENT, "'world' of ox_entity_create is NULL");
    EXPECT(!ox_world_validate(NULL));
    expect_told(OX_REPORT_NULL_ARGUMENT, "'world' of ox_world_validate is NULL");
    EXPECT_EQ(ox_world_advance_version(NULL), 0);
    expect_told(OX_REPORT_NULL_ARGUMENT, "'world' of ox_world_advance_version is NULL");
}
