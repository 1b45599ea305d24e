// SPDX-License-Identifier: MIT
//
// Functions of the user's that the library calls in the middle of something, and that use the world
// which is being changed: the calls of shared components, and report handlers. Whatever they do, it
// is refused with a report, and what was under way comes out as if they had done nothing.

#include "systems/meddling.h"

#include <string.h>

enum { CALL_HASH, CALL_EQUAL, CALL_COPY, CALL_DROP, CALL_COUNT };
static const char *const call_names[] = {"hash", "equal", "copy", "drop"};

static struct {
    test_stage stage;
    int call;                // that meddles
    const meddling *meddles; // NULL: nothing
    int count;               // how often it did
    bool is_inside;
} plot;

static void meddle(int call) {
    if (plot.meddles != NULL && plot.call == call && !plot.is_inside) {
        plot.is_inside = true;
        plot.meddles->act(&plot.stage);
        plot.is_inside = false;
        plot.count++;
    }
}

static uint64_t hash_skin(const void *value) {
    meddle(CALL_HASH);
    return (uint64_t)((const Skin *)value)->value & 1; // the same for some
}

static bool equal_skin(const void *a, const void *b) {
    meddle(CALL_EQUAL);
    return ((const Skin *)a)->value == ((const Skin *)b)->value;
}

static bool copy_skin(void *stored) {
    (void)stored;
    meddle(CALL_COPY);
    return true;
}

static void drop_skin(void *stored) {
    (void)stored;
    meddle(CALL_DROP);
}

static void set_skin_calls(void) {
    EXPECT(ox_shared_define(ox_component_id_of(Skin),
                            &(ox_shared_def){hash_skin, equal_skin, copy_skin, drop_skin}));
}

// What makes the world call.

static void create_new(test_stage *stage) {
    ox_entity_create(stage->world, OX_VALUE(Skin, {SKIN_NEW}), OX_VALUE(Coins, {1}));
}

static void set_new(test_stage *stage) {
    ox_set(stage->world, stage->entities[1], Skin, {SKIN_NEW});
}

static void set_by_chunk(test_stage *stage) {
    OX_EACH_CHUNK(stage->query, chunk) {
        ox_chunk_set_shared(chunk, Skin, {SKIN_NEW});
        break;
    }
}

static void set_all(test_stage *stage) {
    ox_query_reset_filters(stage->filtered);
    ox_query_set_shared(stage->query, Skin, {SKIN_NEW});
}

static void filter_new(test_stage *stage) {
    ox_query_filter_shared(stage->filtered, Skin, {SKIN_NEW});
    ox_query_reset_filters(stage->filtered);
}

static void play_new(test_stage *stage) {
    ox_commands commands = ox_commands_create(stage->world, NULL);
    ox_entity entity = ox_commands_create_entity(commands);
    ox_commands_add(commands, entity, Skin, {SKIN_NEW});
    ox_commands_set(commands, stage->entities[3], Skin, {SKIN_NEW});
    ox_commands_destroy_entity(commands, stage->entities[2]);
    EXPECT(ox_commands_playback(commands));
    ox_commands_dispose(&commands);
}

static void copy_out(test_stage *stage) {
    EXPECT(ox_world_copy(stage->other, stage->world, stage->entities, NULL, STAGE_ENTITIES));
}

static void move_out(test_stage *stage) {
    ox_query_reset_filters(stage->filtered);
    EXPECT(ox_world_move(stage->other, stage->world, NULL) == STAGE_ENTITIES);
}

static void destroy_last(test_stage *stage) {
    ox_query_reset_filters(stage->filtered);
    ox_entities_destroy(stage->world, stage->entities, STAGE_ENTITIES);
}

static void (*const triggers[])(test_stage *) = {create_new, set_new,    set_by_chunk,
                                                 set_all,    filter_new, play_new,
                                                 copy_out,   move_out,   destroy_last};
enum { TRIGGER_COUNT = sizeof triggers / sizeof *triggers };

// Carries out one trigger, with or without somebody meddling. @return what came of it.
static uint64_t play_trigger(int trigger, int call, const meddling *meddles) {
    plot.meddles = NULL;
    plot.stage = make_stage((ox_report_handler){0});
    plot.call = call;
    plot.count = 0;
    plot.meddles = meddles;
    triggers[trigger](&plot.stage);
    plot.meddles = NULL;
    uint64_t hash = hash_stage(&plot.stage);
    end_stage(&plot.stage);
    return hash;
}

// Lets one call meddle in all ways while a trigger is carried out. @return in how many it did.
static int meddle_in_all_ways(int trigger, int call, collected_reports *reports) {
    int tried = 0;
    uint64_t expected = play_trigger(trigger, call, NULL);
    for (int k = 0; k < meddling_count; k++) {
        reports->count = 0;
        uint64_t hash = play_trigger(trigger, call, &meddlings[k]);
        bool is_told = plot.count == 0 || reports->last == OX_REPORT_WORLD_IN_CALL ||
                       reports->last == OX_REPORT_STALE_ENTITY;
        if (hash != expected || reports->count < plot.count || !is_told) {
            test_fail(__FILE__, __LINE__, "trigger %d, %s call, %s: %d reports of %d calls",
                      trigger, call_names[call], meddlings[k].name, reports->count, plot.count);
        }
        tried += plot.count > 0;
    }
    return tried;
}

TEST(user_calls, of_shared_components_change_nothing_whatever_they_do) {
    collected_reports reports = {0};
    collect_reports(&reports);
    set_skin_calls();
    for (int call = 0; call < CALL_COUNT; call++) {
        int tried = 0;
        for (int trigger = 0; trigger < TRIGGER_COUNT; trigger++) {
            tried += meddle_in_all_ways(trigger, call, &reports);
        }
        EXPECT(tried >= 2 * meddling_count); // two triggers at least make this call
    }
}

TEST(user_calls, are_named_in_the_report_with_their_component) {
    collected_reports reports = {0};
    collect_reports(&reports);
    set_skin_calls();

    play_trigger(0, CALL_COPY, &meddlings[0]);

    EXPECT_HAS(reports.text, "of world 'near' while it makes the copy call of shared component "
                             "'Skin'");
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
}

static void hash_world(test_stage *stage) {
    ox_world_hash(stage->world);
}

TEST(user_calls, of_a_world_hash_change_nothing) {
    collected_reports reports = {0};
    collect_reports(&reports);
    set_skin_calls();
    for (int k = 0; k < meddling_count; k++) {
        plot.meddles = NULL;
        plot.stage = make_stage((ox_report_handler){0});
        uint64_t expected = hash_stage(&plot.stage);
        plot.call = CALL_HASH;
        plot.count = 0;
        plot.meddles = &meddlings[k];

        hash_world(&plot.stage);

        plot.meddles = NULL;
        EXPECT_EQ(hash_stage(&plot.stage), expected);
        EXPECT(plot.count > 0);
        end_stage(&plot.stage);
    }
}

static bool create_elsewhere(void *stored) {
    (void)stored;
    ox_entity_create(plot.stage.other, OX_VALUE(Wounds, {1}));
    return true;
}

OX_SHARED(Banner, { int32_t value; });

TEST(user_calls, may_change_a_world_that_has_no_part_in_it) {
    collected_reports reports = {0};
    collect_reports(&reports);
    set_skin_calls();
    EXPECT(
        ox_shared_define(ox_component_id_of(Banner), &(ox_shared_def){.copy = create_elsewhere}));
    plot.stage = make_stage((ox_report_handler){0});

    ox_entity entity = ox_entity_create(plot.stage.world, OX_VALUE(Banner, {1}));

    EXPECT_EQ(ox_get(plot.stage.world, entity, Banner)->value, 1);
    EXPECT_EQ(ox_world_get_usage(plot.stage.other).entity_count, 1);
    EXPECT_EQ(reports.count, 0);
    end_stage(&plot.stage);
}

// Report handlers.

static void meddle_in_handler(const ox_report *report, void *context) {
    (void)report;
    (void)context;
    if (plot.meddles != NULL && !plot.is_inside) {
        plot.is_inside = true;
        plot.meddles->act(&plot.stage);
        plot.is_inside = false;
        plot.count++;
    }
}

static void add_to_stale(test_stage *stage) {
    EXPECT(!ox_add(stage->world, stage->stale, Coins, {1}));
}

static void create_in_no_archetype(test_stage *stage) {
    EXPECT(ox_entity_create_in(stage->world, ((ox_archetype){0})).version == 0);
}

static void play_one_that_fails(test_stage *stage) {
    ox_commands commands = ox_commands_create(stage->world, NULL);
    ox_commands_add(commands, stage->entities[0], Coins, {1});
    ox_commands_add(commands, stage->stale, Coins, {2});
    ox_commands_set(commands, stage->entities[1], Wounds, {3});
    ox_commands_destroy_entity(commands, stage->entities[3]);
    ox_commands_playback(commands);
    ox_commands_dispose(&commands);
}

static void move_a_taken_name(test_stage *stage) {
    ox_entity_set_name(stage->world, stage->entities[0], "Ann");
    ox_entity_set_name(stage->other, ox_entity_create(stage->other), "Ann");
    EXPECT(ox_world_move(stage->other, stage->world, NULL) == STAGE_ENTITIES);
}

static void write_in_a_loop(test_stage *stage) {
    OX_EACH_CHUNK(stage->query, chunk) {
        ox_chunk_edit(chunk, Wounds); // it is not in the query
    }
}

static void (*const mistakes[])(test_stage *) = {
    add_to_stale, create_in_no_archetype, play_one_that_fails, move_a_taken_name, write_in_a_loop};
enum { MISTAKE_COUNT = sizeof mistakes / sizeof *mistakes };

static void play_mistake(int mistake, const meddling *meddles) {
    plot.meddles = NULL;
    plot.stage = make_stage((ox_report_handler){meddle_in_handler, NULL});
    plot.count = 0;
    plot.meddles = meddles;
    mistakes[mistake](&plot.stage);
    plot.meddles = NULL;
    EXPECT(plot.count > 0);
    end_stage(&plot.stage); // which validates its worlds
}

// What the handler ends, the loop that reports goes on with.
static bool ends_the_loop(int mistake, const meddling *meddles) {
    return mistakes[mistake] == write_in_a_loop && strcmp(meddles->name, "destroy_query") == 0;
}

TEST(user_calls, in_a_report_handler_never_break_what_reports) {
    collected_reports reports = {0};
    collect_reports(&reports); // of what has no world any more
    plot.meddles = NULL;
    set_skin_calls();
    for (int mistake = 0; mistake < MISTAKE_COUNT; mistake++) {
        for (int k = 0; k < meddling_count; k++) {
            if (OX_SAFETY >= 1 || !ends_the_loop(mistake, &meddlings[k])) {
                play_mistake(mistake, &meddlings[k]);
            }
        }
    }
}

static void destroy_world(test_stage *stage) {
    ox_world_destroy(stage->world);
}

TEST(user_calls, in_a_report_handler_do_not_destroy_the_world) {
    set_skin_calls();
    const meddling destroys = {"destroy_world", destroy_world};
    for (int mistake = 0; mistake < MISTAKE_COUNT; mistake++) {
        uint64_t before = ox_report_count(OX_REPORT_WORLD_IN_CALL);

        play_mistake(mistake, &destroys);

        EXPECT_EQ(ox_report_count(OX_REPORT_WORLD_IN_CALL) - before, plot.count);
    }
}

static int32_t seen_wounds;

static void look_at_world(const ox_report *report, void *context) {
    (void)report;
    (void)context;
    seen_wounds = ox_get(plot.stage.world, plot.stage.entities[3], Wounds)->count;
}

TEST(user_calls, in_a_report_handler_may_look_at_the_world) {
    set_skin_calls();
    plot.meddles = NULL;
    plot.stage = make_stage((ox_report_handler){look_at_world, NULL});
    uint64_t before = ox_report_count(OX_REPORT_WORLD_IN_CALL);

    EXPECT(!ox_add(plot.stage.world, plot.stage.stale, Coins, {1}));

    EXPECT_EQ(seen_wounds, 3);
    EXPECT_EQ(ox_report_count(OX_REPORT_WORLD_IN_CALL), before);
    end_stage(&plot.stage);
}
