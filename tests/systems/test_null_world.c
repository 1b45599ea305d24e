// SPDX-License-Identifier: MIT
//
// Every public call that takes a world, with none, at every level: those with a place report it,
// those that only look answer with nothing.

#include "entities/kinds_test.h"

#include "oxbow/commands.h"
#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/explain.h"
#include "oxbow/queries.h"
#include "oxbow/syncs.h"
#include "oxbow/systems.h"
#include "oxbow/world.h"

OX_VIEWS(Ships, (OX_WRITE(Health, healths)));

static collected_reports reports;
static ox_world *const none;
static const ox_entity ship = {0, 1};

// The call reports that its world is NULL, and what it returns is nothing.
#define TOLD(is_nothing)                                                                           \
    do {                                                                                           \
        EXPECT(is_nothing);                                                                        \
        EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);                                          \
    } while (0)

TEST(null_world, is_told_by_calls_that_make_and_destroy_entities) {
    collect_reports(&reports);
    ox_entity made[2];
    const uint32_t component = ox_component_id_of(Health);
    const ox_value value = {component, &(Health){1}};
    ox_archetype archetype = {0};

    TOLD(ox_entity_create(none).version == 0);
    TOLD(ox_entity_create_in(none, archetype).version == 0);
    TOLD(ox_archetype_of(none, Health).number == 0);
    TOLD(ox_entity_create_at(none, &value, 1, OX_HERE).version == 0);
    TOLD(!ox_entities_create(none, archetype, made, 2));
    TOLD(ox_entity_instantiate(none, ship).version == 0);
    TOLD(!ox_entities_instantiate(none, ship, made, 2));
    TOLD(!ox_entities_copy(none, &ship, made, 1));
    TOLD((ox_entity_destroy(none, ship), true));
    TOLD(ox_world_write_text(none, NULL, 0) == 0);
    TOLD(ox_world_write_json(none, NULL, 0) == 0);
    TOLD(ox_entity_get_systems(none, ship, NULL, 0) == 0);
    TOLD(ox_entity_explain_systems(none, ship, NULL, 0) == 0);
    TOLD(!ox_entities_destroy(none, &ship, 1));
    TOLD(!ox_entities_add_at(none, &ship, 1, component, NULL, OX_HERE));
    TOLD(!ox_entities_remove_at(none, &ship, 1, component, OX_HERE));
    TOLD(ox_archetype_of_at(none, &component, 1, OX_HERE).number == 0);
    TOLD(!ox_entity_set_archetype(none, ship, archetype));
    TOLD(!ox_entity_set_enabled(none, ship, false));
    TOLD(!ox_entity_set_name(none, ship, "ship"));
}

TEST(null_world, is_told_by_calls_about_components) {
    collect_reports(&reports);

    TOLD(ox_get(none, ship, Health)->points == 0);
    TOLD(ox_edit(none, ship, Health) != NULL); // memory that nobody reads
    TOLD(ox_read(none, ship, Health).points == 0);
    TOLD(!ox_set(none, ship, Health, {1}));
    TOLD(!ox_add(none, ship, Health, {1}));
    TOLD(!ox_add_many(none, ship, OX_VALUE(Health, {1}), OX_VALUE_TAG(Frozen)));
    TOLD(!ox_remove(none, ship, Health));
    TOLD(!ox_set_enabled(none, ship, Stunned, false));
    TOLD(ox_get(none, ship, Note).oxi_head == NULL);
    TOLD(ox_edit(none, ship, Note).oxi_head == NULL);
    TOLD(ox_add_buffer(none, ship, Note).oxi_head == NULL);
    TOLD(!ox_array_is_created(ox_shared_copy_values(none, Team, OX_PERSISTENT)));
    TOLD(!ox_singleton_has(none, Health));
    TOLD(ox_singleton_get(none, Health)->points == 0);
    TOLD(ox_singleton_edit(none, Health) != NULL);
    TOLD(!ox_singleton_set(none, Health, {1}));
    TOLD(ox_singleton_create(none, Health, {1}).version == 0);
    TOLD(ox_singleton_get_entity(none, Health).version == 0);
    TOLD(ox_singleton_get(none, Note).oxi_head == NULL);
}

TEST(null_world, is_told_by_calls_about_worlds) {
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity copy;

    TOLD(!ox_world_reserve(none, 1));
    TOLD(!ox_world_validate(none));
    TOLD(ox_world_defragment(none, 1) == 0);
    TOLD(!ox_world_complete(none));
    TOLD(ox_world_advance_version(none) == 0);
    TOLD(ox_world_move(none, world, NULL) == -1);
    TOLD(ox_world_move(world, none, NULL) == -1);
    TOLD(ox_world_move_query(none, query, NULL) == -1);
    TOLD(!ox_world_copy(none, world, &ship, &copy, 1));
    TOLD(!ox_world_copy(world, none, &ship, &copy, 1));
    TOLD(ox_transaction_begin(none).world == NULL);
    TOLD(ox_commands_create(none, NULL).oxi_state == NULL);
    TOLD(ox_query_create(none, OX_READ(Health)) == NULL);
    TOLD(ox_lookup_create(none, Health).world == NULL);
    Ships ships = {0};
    TOLD(!ox_views_fill(none, &ships, Ships));
    ox_world_destroy(world);
    ox_world_destroy(NULL);
    EXPECT_EQ(reports.count, 0);
}

static void update_nothing(ox_system *system) {
    (void)system;
}

TEST(null_world, is_told_by_calls_about_systems) {
    collect_reports(&reports);
    ox_system *systems[2];
    char text[64];

    TOLD(!ox_world_update(none, 0.1f));
    TOLD(ox_system_add(none, &(ox_system_def){.name = "X", .update = update_nothing}) == NULL);
    TOLD(ox_world_add_systems(none) == 0);
    TOLD(ox_world_get_systems(none, systems, 2) == 0);
    TOLD((ox_world_order_by_name(none, true), true));
    TOLD((ox_world_shuffle_systems(none, 1), true));
    TOLD((ox_world_set_strict(none, true), true));
    TOLD(!ox_world_record_frames(none, true));
    TOLD(ox_world_get_frame(none) == NULL);
    TOLD(ox_world_explain_frame(none, OX_EXPLAIN_TEXT, text, sizeof text) == 0);
}

TEST(null_world, is_answered_with_nothing_by_calls_that_only_look) {
    collect_reports(&reports);
    ox_sync sync;

    EXPECT(!ox_entity_exists(none, ship) && !ox_entity_is_enabled(none, ship));
    EXPECT(!ox_has(none, ship, Health) && !ox_is_enabled(none, ship, Stunned));
    EXPECT_EQ(ox_entity_find(none, "ship").version, 0);
    EXPECT(ox_entity_get_name(none, ship) == NULL);
    EXPECT_EQ(ox_entity_get_components(none, ship, NULL, 0), 0);
    EXPECT_EQ(ox_entity_get_location(none, ship).chunk, -1);
    EXPECT_EQ(ox_shared_get_order_version(none, ox_component_id_of(Team), &(Team){1}), 0);
    EXPECT_EQ(ox_world_get_order_version(none, ox_component_id_of(Health)), 0);
    EXPECT_EQ(ox_world_get_version(none), 0);
    EXPECT(ox_world_hash(none) == 0 && ox_world_hash_layout(none) == 0);
    EXPECT_EQ(ox_world_get_def(none).entity_limit, 0);
    EXPECT_EQ(ox_world_get_usage(none).entity_limit, 0);
    EXPECT_EQ(ox_world_get_fragmentation(none).chunk_count, 0);
    EXPECT(ox_world_get_root(none) == NULL && ox_system_find(none, "X") == NULL);
    EXPECT_EQ(ox_world_get_time(none).delta, 0.0f);
    EXPECT_EQ(ox_world_get_syncs(none, &sync, 1), 0);
    ox_world_record_syncs(none, true);
    EXPECT_EQ(reports.count, 0);
}
