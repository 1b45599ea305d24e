// SPDX-License-Identifier: MIT
//
// What commands wait for: the part of the table in docs/sync_points.md that is about them.

#include "sync_test.h"

static ox_commands commands;

// A buffer that was made before the jobs were scheduled, with a command or without; and how it
// ends, which waits for nothing either.
DO(make_empty, commands = ox_commands_create(s->world, NULL))
DO(make_filled, commands = ox_commands_create(s->world, NULL);
   EXPECT(ox_commands_add_tag(commands, s->entity, Marked)))
DO(make_with_query, make_empty(s); s->query = ox_query_create(s->world, OX_READ(Team)))

static void end_commands(void) {
    EXPECT(ox_commands_clear(commands));
    ox_commands_dispose(&commands);
}

// Recording: the buffer is disposed unplayed.
#define RECORD(name, ...) DO(name, EXPECT(__VA_ARGS__); (void)s; end_commands())

RECORD(create_entity, ox_entity_is_temporary(ox_commands_create_entity(commands)))
RECORD(create_in,
       ox_commands_create_entity_in(commands, ox_archetype_of(s->world, Step)).version != 0)
RECORD(create_with, ox_commands_create_entity(commands, OX_VALUE(Step, {1})).version != 0)
RECORD(instantiate, ox_commands_instantiate(commands, s->entity).version != 0)
RECORD(destroy_entity, ox_commands_destroy_entity(commands, s->entity))
RECORD(add, ox_commands_add(commands, s->entity, Count, {1}))
RECORD(add_tag, ox_commands_add_tag(commands, s->entity, Marked))
RECORD(add_many, ox_commands_add_many(commands, s->entity, OX_VALUE(Count, {1})))
RECORD(set, ox_commands_set(commands, s->entity, Count, {1}))
RECORD(remove_one, ox_commands_remove(commands, s->entity, Count))
RECORD(enable, ox_commands_set_enabled(commands, s->entity, Awake, true))
RECORD(disable, ox_commands_set_enabled(commands, s->entity, Awake, false))
RECORD(set_entity_enabled, ox_commands_set_entity_enabled(commands, s->entity, false))
RECORD(add_buffer, ox_commands_add_buffer(commands, s->entity, Path, NULL, 0))
RECORD(set_buffer, ox_commands_set_buffer(commands, s->entity, Path, (&(Path){1}), 1))
RECORD(append, ox_commands_push(commands, s->entity, Path, {1}))
RECORD(append_many, ox_commands_push_many(commands, s->entity, Path, (&(Path){1}), 1))
RECORD(query_add, ox_commands_query_add(commands, s->query, Marked))
RECORD(query_remove, ox_commands_query_remove(commands, s->query, Count))
RECORD(query_set_shared, ox_commands_query_set_shared(commands, s->query, Team, {5}))
RECORD(query_destroy, ox_commands_query_destroy_entities(commands, s->query))
RECORD(with_key, ox_commands_set(ox_commands_at_key(commands, 2), s->entity, Count, {1}))

// Making, looking, playing back.
DO(make, ox_commands other = ox_commands_create(s->world, &(ox_commands_def){.plays_often = true});
   ox_commands_dispose(&other))
DO(look_at_commands, (void)s; EXPECT_EQ(ox_commands_get_info(commands).count, 1); end_commands())
DO(play, (void)s; EXPECT(ox_commands_playback(commands)); ox_commands_dispose(&commands))

// Systems. M records on main, or has a barrier that it recorded for.
static void record_in_update(ox_system *system) {
    EXPECT(ox_commands_create_entity(ox_system_commands(system)).version != 0);
}
static void ask_in_update(ox_system *system) {
    EXPECT(ox_system_commands(system).oxi_state != NULL);
}
static ox_system *end_of(const sync_state *s) {
    return ox_system_find(s->world, "EndSimulation");
}
DO(records, s->system = add_system(s->world, ON_MAIN("M", record_in_update)))
DO(asks, s->system = add_system(s->world, ON_MAIN("M", ask_in_update)))
DO(has_barrier, s->system = add_system(s->world, BRIEF("M")))
DO(update_it, EXPECT(ox_system_update(s->system)))
DO(ask_barrier, EXPECT(ox_barrier_commands(end_of(s)).oxi_state != NULL))
DO(update_barrier, EXPECT(ox_system_update(end_of(s))))
DO(update_barrier_that_was_asked, ask_barrier(s); update_barrier(s))
DO(update_barrier_with_commands,
   EXPECT(ox_commands_add_tag(ox_barrier_commands(end_of(s)), s->entity, Marked));
   update_barrier(s))

static const sync_row rows[] = {
    {"commands_create_entity", COUNT, NOTHING, make_empty, create_entity, 0},
    {"commands_create_in", COUNT, NOTHING, make_empty, create_in, 0},
    {"commands_create_with", COUNT, NOTHING, make_empty, create_with, 0},
    {"commands_instantiate", COUNT, NOTHING, make_empty, instantiate, 0},
    {"commands_destroy_entity", COUNT, NOTHING, make_empty, destroy_entity, 0},
    {"commands_add", COUNT, NOTHING, make_empty, add, 0},
    {"commands_add_tag", COUNT, NOTHING, make_empty, add_tag, 0},
    {"commands_add_many", COUNT, NOTHING, make_empty, add_many, 0},
    {"commands_set", COUNT, NOTHING, make_empty, set, 0},
    {"commands_remove", COUNT, NOTHING, make_empty, remove_one, 0},
    {"commands_enable", AWAKE, NOTHING, make_empty, enable, 0},
    {"commands_disable", AWAKE, NOTHING, make_empty, disable, 0},
    {"commands_set_entity_enabled", COUNT, NOTHING, make_empty, set_entity_enabled, 0},
    {"commands_add_buffer", PATH, NOTHING, make_empty, add_buffer, 0},
    {"commands_set_buffer", PATH, NOTHING, make_empty, set_buffer, 0},
    {"commands_append", PATH, NOTHING, make_empty, append, 0},
    {"commands_append_many", PATH, NOTHING, make_empty, append_many, 0},
    {"commands_query_add", COUNT, NOTHING, make_with_query, query_add, 0},
    {"commands_query_remove", COUNT, NOTHING, make_with_query, query_remove, 0},
    {"commands_query_set_shared", COUNT, NOTHING, make_with_query, query_set_shared, 0},
    {"commands_query_destroy", COUNT, NOTHING, make_with_query, query_destroy, 0},
    {"commands_with_key", COUNT, NOTHING, make_empty, with_key, 0},
    {"commands_make", COUNT, NOTHING, NULL, make, 0},
    {"commands_get_info, clear, dispose", COUNT, NOTHING, make_filled, look_at_commands, 0},
    {"commands_playback", COUNT, ALL, make_filled, play, 0},
    {"commands_playback, empty", COUNT, NOTHING, make_empty, play, 0},
    {"update of a system that records", COUNT, ALL, records, update_it, 0},
    {"update of a system that asks for commands", COUNT, NOTHING, asks, update_it, 0},
    {"barrier_commands", COUNT, NOTHING, has_barrier, ask_barrier, 0},
    {"barrier without commands", COUNT, NOTHING, has_barrier, update_barrier, 0},
    {"barrier that was asked", COUNT, NOTHING, has_barrier, update_barrier_that_was_asked, 0},
    {"barrier with commands", COUNT, ALL, has_barrier, update_barrier_with_commands, 0},
};

enum { ROWS = sizeof rows / sizeof *rows };

TEST(sync_commands, each_waits_for_jobs_over_entities) {
    run_rows(rows, ROWS, schedule_as_entities, "jobs over entities");
}

TEST(sync_commands, each_waits_for_handles_of_systems) {
    run_rows(rows, ROWS, schedule_in_systems, "handles of systems");
}

// Systems A, B and C of these rows name no barrier; here one does.
TEST(sync_commands, a_barrier_waits_for_those_that_name_it) {
    sync_state s = {0};
    start_workers_of_test(0);
    s.world = begin_systems(&s.reports);
    ox_entity_create(s.world, OX_VALUE(Count, {1}), OX_VALUE(Extra, {2}));
    scheduling = &s;
    add_system(s.world, WITH_JOBS("A", schedule_anything, .jobs = OX_JOBS(WriteCount),
                                  .barriers = {"EndSimulation"}));
    add_system(s.world, WITH_JOBS("C", schedule_anything, .jobs = OX_JOBS(WriteExtra)));

    run_frame(s.world);

    EXPECT(ox_job_is_complete(s.writer));
    EXPECT(!ox_job_is_complete(s.unrelated));
    finish_systems(s.world, &s.reports);
}
