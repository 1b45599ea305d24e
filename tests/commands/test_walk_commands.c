// SPDX-License-Identifier: MIT
//
// Commands, moves between worlds and transactions inside of a loop over chunks: what the loop does
// not go over changes as it likes, and what it goes over ends it.

#include "oxbow/commands.h"
#include "oxbow/world.h"

#include "entities/walk_changes_test.h" // last: it names the place of all calls

#define CHANGE(name) static void name(arena *a)

static void play(ox_commands *commands) {
    EXPECT(ox_commands_playback(*commands));
    ox_commands_dispose(commands);
}

// A world with rocks and guns, or with rocks alone.
static ox_world *make_other(bool has_guns) {
    ox_world *other = ox_world_create(NULL);
    ox_entities_create(other, ox_archetype_of(other, Position, Large), NULL, 20);
    ox_entities_create(other, ox_archetype_of(other, Velocity, Frozen), NULL, 20);
    if (has_guns) {
        ox_entity_create_in(other, ox_archetype_of(other, Health, Frozen));
    }
    return other;
}

// None of these comes to a gun.

CHANGE(play_nothing) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    play(&commands);
}
CHANGE(play_creates) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    for (int k = 0; k < 100; k++) {
        ox_commands_create_entity(commands, OX_VALUE(Position, {1, 2}), OX_VALUE(Velocity, {3, 4}));
    }
    play(&commands);
}
CHANGE(play_changes_of_rocks) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_add(commands, a->rocks[2], Velocity, {1, 1});
    ox_commands_remove(commands, a->rocks[4], Position);
    ox_commands_destroy_entity(commands, a->rocks[6]);
    ox_commands_destroy_entity(commands, a->guest);
    ox_commands_set(commands, a->crates[0], Team, {7});
    ox_commands_instantiate(commands, a->rock_prefab);
    ox_commands_push(commands, a->bag, Note, {1});
    ox_commands_set_entity_enabled(commands, a->rocks[8], false);
    play(&commands);
}
CHANGE(play_values_of_guns) { // no structural change
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_set(commands, a->guns[0], Health, {0});
    play(&commands);
}
CHANGE(play_come_and_go) { // a gun that never comes
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_entity gun = ox_commands_create_entity(commands, OX_VALUE(Health, {1}));
    ox_commands_destroy_entity(commands, gun);
    play(&commands);
}
CHANGE(play_by_query) {
    ox_query *rocks = ox_query_create(a->world, OX_READ(Position), OX_WITH(Large));
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_query_add(commands, rocks, Velocity);
    ox_commands_query_remove(commands, rocks, Velocity);
    ox_commands_query_destroy_entities(commands, rocks);
    play(&commands);
}
CHANGE(move_rocks_in) {
    ox_world *other = make_other(false);
    EXPECT_EQ(ox_world_move(a->world, other, NULL), 40);
    ox_world_destroy(other);
}
CHANGE(move_rocks_out) {
    ox_world *other = make_other(true);
    EXPECT(ox_world_move_query(other, ox_query_create(a->world, OX_READ(Position), OX_WITH(Large)),
                               NULL) > 0);
    ox_world_destroy(other);
}
CHANGE(copy_rock_in) {
    ox_world *other = make_other(true);
    ox_entity rock = ox_entity_create_in(other, ox_archetype_of(other, Position, Frozen));
    EXPECT(ox_world_copy(a->world, other, &rock, NULL, 1));
    ox_world_destroy(other);
}
CHANGE(copy_gun_out) {
    ox_world *other = make_other(false);
    EXPECT(ox_world_copy(other, a->world, a->guns, NULL, 1));
    ox_world_destroy(other);
}

TEST(walk_commands, of_what_a_loop_does_not_go_over_are_quiet) {
    static const walk_change changes[] = {
        {"play nothing", play_nothing},
        {"play creates", play_creates},
        {"play changes", play_changes_of_rocks},
        {"play values", play_values_of_guns},
        {"play what comes and goes", play_come_and_go},
        {"play by query", play_by_query},
        {"move in", move_rocks_in},
        {"move out", move_rocks_out},
        {"copy in", copy_rock_in},
        {"copy out", copy_gun_out},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        expect_quiet(&changes[k]);
    }
}

// Each of these comes to a gun.

CHANGE(play_create) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_create_entity(commands, OX_VALUE(Position, {1, 1}));
    ox_commands_create_entity(commands, OX_VALUE(Health, {1}), OX_VALUE_TAG(Frozen));
    play(&commands);
}
CHANGE(play_destroy) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_destroy_entity(commands, a->guns[30]);
    play(&commands);
}
CHANGE(play_add) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_add(commands, a->rocks[2], Health, {1});
    play(&commands);
}
CHANGE(play_remove) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_remove(commands, a->guns[30], Health);
    play(&commands);
}
CHANGE(play_shared) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_set(commands, a->guns[50], Team, {7});
    play(&commands);
}
CHANGE(play_disable) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_set_entity_enabled(commands, a->guns[30], false);
    play(&commands);
}
CHANGE(play_query) {
    ox_commands commands = ox_commands_create(a->world, NULL);
    ox_commands_query_add(commands, a->query, Frozen);
    play(&commands);
}
CHANGE(move_guns_in) {
    ox_world *other = make_other(true);
    EXPECT_EQ(ox_world_move(a->world, other, NULL), 41);
    ox_world_destroy(other);
}
CHANGE(move_all_out) {
    ox_world *other = make_other(false);
    EXPECT(ox_world_move(other, a->world, NULL) > GUNS);
    ox_world_destroy(other);
}
CHANGE(move_some_out) {
    ox_world *other = make_other(false);
    EXPECT(ox_world_move_query(other, a->query, NULL) > GUNS);
    ox_world_destroy(other);
}
CHANGE(copy_gun_in) {
    ox_world *other = make_other(false);
    ox_entity gun = ox_entity_create_in(other, ox_archetype_of(other, Health));
    EXPECT(ox_world_copy(a->world, other, &gun, NULL, 1));
    ox_world_destroy(other);
}
CHANGE(lend) { // all loops of before end, whoever changed what
    ox_transaction lent = ox_transaction_begin(a->world);
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
}

TEST(walk_commands, of_what_a_loop_goes_over_end_it_and_are_named) {
    static const walk_change changes[] = {
        {"play create", play_create},   {"play destroy", play_destroy},
        {"play add", play_add},         {"play remove", play_remove},
        {"play shared", play_shared},   {"play disable", play_disable},
        {"play by query", play_query},  {"move in", move_guns_in},
        {"move all out", move_all_out}, {"move some out", move_some_out},
        {"copy in", copy_gun_in},       {"lend", lend},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        expect_loud(&changes[k]);
    }
}
