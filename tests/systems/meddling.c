// SPDX-License-Identifier: MIT

#include "systems/meddling.h"

static void do_nothing(ox_system *system) {
    (void)system;
}

static const ox_system_def idle_def = {.name = "Idle", .update = do_nothing};
static const ox_system_def late_def = {.name = "Late", .update = do_nothing};

test_stage make_stage(ox_report_handler handler) {
    ox_world_def def = {.name = "near", .no_systems = true, .on_report = handler};
    test_stage stage = {.world = ox_world_create(&def)};
    def.name = "far";
    stage.other = ox_world_create(&def);
    for (int k = 0; k < STAGE_ENTITIES; k++) {
        stage.entities[k] =
            ox_entity_create(stage.world, OX_VALUE(Skin, {SKIN_OLD}), OX_VALUE(Wounds, {k}));
    }
    stage.stale = ox_entity_create(stage.world);
    ox_entity_destroy(stage.world, stage.stale);
    stage.archetype = ox_archetype_of(stage.world, Skin, Coins);
    stage.query = ox_query_create(stage.world, OX_READ(Skin));
    stage.filtered = ox_query_create(stage.world, OX_READ(Skin));
    EXPECT(ox_query_filter_shared(stage.filtered, Skin, {SKIN_OLD}));
    stage.commands = ox_commands_create(stage.world, NULL);
    EXPECT(ox_commands_add(stage.commands, stage.entities[1], Coins, {7}));
    stage.unused = ox_commands_create(stage.other, NULL);
    stage.system = ox_system_add(stage.world, &idle_def);
    EXPECT(stage.system != NULL);
    return stage;
}

void end_stage(test_stage *stage) {
    if (stage->commands.oxi_state != NULL) { // unless it was disposed
        ox_commands_clear(stage->commands);
        ox_commands_dispose(&stage->commands);
    }
    ox_commands_dispose(&stage->unused);
    EXPECT(ox_world_validate(stage->world));
    EXPECT(ox_world_validate(stage->other));
    ox_world_destroy(stage->world);
    ox_world_destroy(stage->other);
}

uint64_t hash_stage(const test_stage *stage) {
    uint64_t systems = (uint64_t)ox_world_get_systems(stage->world, NULL, 0);
    uint64_t recorded = (uint64_t)ox_commands_get_info(stage->commands).count;
    uint64_t frames = ox_world_get_time(stage->world).frame;
    return ox_world_hash_layout(stage->world) * 31 + ox_world_hash_layout(stage->other) * 17 +
           systems * 7 + recorded * 5 + frames * 3 + (uint64_t)ox_query_count(stage->filtered) * 2;
}

static void create(test_stage *stage) {
    ox_entity_create(stage->world);
}

static void create_plain(test_stage *stage) {
    ox_entity_create(stage->world, OX_VALUE(Coins, {1}));
}

static void create_other_value(test_stage *stage) {
    ox_entity_create(stage->world, OX_VALUE(Skin, {SKIN_OTHER}));
}

static void create_same_value(test_stage *stage) {
    ox_entity_create(stage->world, OX_VALUE(Skin, {SKIN_OLD}));
}

static void create_many(test_stage *stage) {
    ox_entity made[40];
    ox_entities_create(stage->world, stage->archetype, made, 40);
}

static void make_archetype(test_stage *stage) {
    ox_archetype_of(stage->world, Skin, Wounds, Coins);
}

static void destroy(test_stage *stage) {
    ox_entity_destroy(stage->world, stage->entities[0]);
}

static void destroy_all(test_stage *stage) {
    ox_entities_destroy(stage->world, stage->entities, STAGE_ENTITIES);
}

static void add(test_stage *stage) {
    ox_add(stage->world, stage->entities[0], Coins, {1});
}

static void add_to_another(test_stage *stage) {
    ox_add(stage->world, stage->entities[2], Coins, {1});
}

static void remove_data(test_stage *stage) {
    ox_remove(stage->world, stage->entities[0], Wounds);
}

static void remove_shared(test_stage *stage) {
    ox_remove(stage->world, stage->entities[0], Skin);
}

static void set_other_value(test_stage *stage) {
    ox_set(stage->world, stage->entities[0], Skin, {SKIN_OTHER});
}

static void set_same_value(test_stage *stage) {
    ox_set(stage->world, stage->entities[2], Skin, {SKIN_NEW});
}

static void set_archetype(test_stage *stage) {
    ox_entity_set_archetype(stage->world, stage->entities[0], stage->archetype);
}

static void switch_off(test_stage *stage) {
    ox_entity_set_enabled(stage->world, stage->entities[0], false);
}

static void instantiate(test_stage *stage) {
    ox_entity_instantiate(stage->world, stage->entities[0]);
}

static void copy_set(test_stage *stage) {
    ox_entity copies[STAGE_ENTITIES];
    ox_entities_copy(stage->world, stage->entities, copies, STAGE_ENTITIES);
}

static void make_singleton(test_stage *stage) {
    ox_singleton_create(stage->world, Coins, {1});
}

static void create_query(test_stage *stage) {
    ox_query_create(stage->world, OX_READ(Coins));
}

static void destroy_query(test_stage *stage) {
    ox_query_destroy(stage->query);
}

static void filter(test_stage *stage) {
    ox_query_filter_shared(stage->query, Skin, {SKIN_OTHER});
}

static void filter_again(test_stage *stage) {
    ox_query_filter_shared(stage->filtered, Skin, {SKIN_OTHER});
}

static void reset_filters(test_stage *stage) {
    ox_query_reset_filters(stage->filtered);
}

static void set_by_query(test_stage *stage) {
    ox_query_set_shared(stage->query, Skin, {SKIN_OTHER});
}

static void add_by_query(test_stage *stage) {
    ox_query_add(stage->query, Coins);
}

static void remove_by_query(test_stage *stage) {
    ox_query_remove(stage->query, Wounds);
}

static void destroy_by_query(test_stage *stage) {
    ox_query_destroy_entities(stage->query);
}

static void play_back(test_stage *stage) {
    ox_commands_playback(stage->commands);
}

static void clear_commands(test_stage *stage) {
    ox_commands_clear(stage->commands);
}

static void dispose_commands(test_stage *stage) {
    ox_commands_dispose(&stage->commands);
}

static void update(test_stage *stage) {
    ox_world_update(stage->world, 0.1f);
}

static void update_system(test_stage *stage) {
    ox_system_update(stage->system);
}

static void add_system(test_stage *stage) {
    ox_system_add(stage->world, &late_def);
}

static void remove_system(test_stage *stage) {
    ox_system_remove(stage->system);
}

static void destroy_world(test_stage *stage) {
    ox_world_destroy(stage->world);
}

static void defragment(test_stage *stage) {
    ox_world_defragment(stage->world, 1000);
}

static void move_away(test_stage *stage) {
    ox_world_move(stage->other, stage->world, NULL);
}

static void move_query(test_stage *stage) {
    ox_world_move_query(stage->other, stage->query, NULL);
}

static void copy_to_other(test_stage *stage) {
    ox_world_copy(stage->other, stage->world, stage->entities, NULL, STAGE_ENTITIES);
}

static void lend(test_stage *stage) {
    ox_transaction lent = ox_transaction_begin(stage->world);
    if (lent.world != NULL) {
        ox_transaction_end(&lent, OX_NO_JOB);
    }
}

#define MEDDLING(function)                                                                         \
    { #function, function }

const meddling meddlings[] = {
    MEDDLING(create),
    MEDDLING(create_plain),
    MEDDLING(create_other_value),
    MEDDLING(create_same_value),
    MEDDLING(create_many),
    MEDDLING(make_archetype),
    MEDDLING(destroy),
    MEDDLING(destroy_all),
    MEDDLING(add),
    MEDDLING(add_to_another),
    MEDDLING(remove_data),
    MEDDLING(remove_shared),
    MEDDLING(set_other_value),
    MEDDLING(set_same_value),
    MEDDLING(set_archetype),
    MEDDLING(switch_off),
    MEDDLING(instantiate),
    MEDDLING(copy_set),
    MEDDLING(make_singleton),
    MEDDLING(create_query),
    MEDDLING(destroy_query),
    MEDDLING(filter),
    MEDDLING(filter_again),
    MEDDLING(reset_filters),
    MEDDLING(set_by_query),
    MEDDLING(add_by_query),
    MEDDLING(remove_by_query),
    MEDDLING(destroy_by_query),
    MEDDLING(play_back),
    MEDDLING(clear_commands),
    MEDDLING(dispose_commands),
    MEDDLING(update),
    MEDDLING(update_system),
    MEDDLING(add_system),
    MEDDLING(remove_system),
    MEDDLING(destroy_world),
    MEDDLING(defragment),
    MEDDLING(move_away),
    MEDDLING(move_query),
    MEDDLING(copy_to_other),
    MEDDLING(lend),
};
const int meddling_count = sizeof meddlings / sizeof *meddlings;
