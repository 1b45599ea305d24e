// SPDX-License-Identifier: MIT
//
// Commands, call by call: what the calls of a world do at once, these write down, and
// ox_commands_playback carries them out, all together. 44_shooting.c records in jobs.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_COMPONENT(Target, { ox_entity entity; });
OX_ENABLEABLE(Engine, { float power; });
OX_SHARED(Team, { int number; });
OX_BUFFER(Waypoint, 4, { float x, y; });
OX_TAG(Frozen);

static ox_entity find_one(ox_world *world) {
    ox_query *query = ox_query_create(world, OX_READ(Target));
    ox_entity found = ox_query_get_single(query);
    ox_query_destroy(query);
    return found;
}

static void create_and_point(ox_world *world) {
    ox_commands commands = ox_commands_create(world, NULL);
    // What is created has a temporary id until then. It is good for later commands of this buffer,
    // and inside of values that they carry: there it becomes the id of what was created.
    ox_entity prey = ox_commands_create_entity(commands);
    ox_commands_add(commands, prey, Position, {3, 4});
    ox_entity hunter =
        ox_commands_create_entity(commands, OX_VALUE(Position, {0, 0}), OX_VALUE(Target, {prey}));
    ox_commands_add_many(commands, hunter, OX_VALUE(Velocity, {1, 1}), OX_VALUE(Engine, {9}));
    printf("temporary: %d, entities: %d\n", ox_entity_is_temporary(hunter),
           (int)ox_world_get_usage(world).entity_count);
    ox_commands_playback(commands); // waits for the jobs of the world
    ox_commands_info info = ox_commands_get_info(commands);
    printf("%d commands, %d rows made or moved, %d failed\n", (int)info.played, (int)info.moved,
           (int)info.failed);
    ox_entity target = ox_get(world, find_one(world), Target)->entity;
    printf("the target is at %.0f\n", ox_get(world, target, Position)->x);
    ox_commands_dispose(&commands);
}

static void change_components(ox_world *world, ox_entity ship) {
    ox_commands commands = ox_commands_create(world, NULL);
    ox_commands_set(commands, ship, Position, {7, 7});
    ox_commands_add(commands, ship, Team, {2});
    ox_commands_add_tag(commands, ship, Frozen);
    ox_commands_remove(commands, ship, Velocity);
    ox_commands_set_enabled(commands, ship, Engine, false);
    ox_commands_playback(commands);
    printf("at %.0f, team %d, frozen %d, moving %d, engine %d\n", ox_get(world, ship, Position)->x,
           ox_get(world, ship, Team)->number, ox_has(world, ship, Frozen),
           ox_has(world, ship, Velocity), ox_is_enabled(world, ship, Engine));

    ox_commands_clear(commands); // as new; it could not be played back again
    ox_commands_set_enabled(commands, ship, Engine, true);
    const Waypoint path[] = {{1, 1}, {2, 2}, {3, 3}};
    ox_commands_add_buffer(commands, ship, Waypoint, path, 3);
    ox_commands_push(commands, ship, Waypoint, {4, 4});
    ox_commands_push_many(commands, ship, Waypoint, path, 2);
    ox_commands_playback(commands);
    printf("waypoints: %d\n", (int)ox_buffer_count(ox_get(world, ship, Waypoint)));
    ox_commands_dispose(&commands);
}

// What matches is found when the command is carried out.
static void change_by_query(ox_world *world) {
    ox_query *all = ox_query_create(world, OX_READ(Position));
    ox_query *teams = ox_query_create(world, OX_READ(Team));
    ox_commands commands = ox_commands_create(world, NULL);
    ox_commands_create_entity(commands, OX_VALUE(Position, {1, 0}));
    ox_commands_create_entity_in(commands, ox_archetype_of(world, Position, Engine));
    ox_commands_query_add(commands, all, Team); // those two as well
    ox_commands_query_set_shared(commands, teams, Team, {4});
    ox_commands_query_remove(commands, all, Engine);
    ox_commands_playback(commands);
    printf("in a team: %d\n", (int)ox_query_count(teams));
    ox_commands_clear(commands);
    ox_commands_query_destroy_entities(commands, all);
    ox_commands_playback(commands);
    printf("left: %d\n", (int)ox_query_count(all));
    ox_commands_dispose(&commands);
}

// A recipe: played back as often as it is wanted, each time with new entities.
static void play_often(ox_world *world, ox_entity prefab) {
    ox_commands wave =
        ox_commands_create(world, &(ox_commands_def){.name = "wave", .plays_often = true});
    ox_entity enemy = ox_commands_instantiate(wave, prefab);
    ox_commands_set_buffer(wave, enemy, Waypoint, (&(Waypoint){8, 8}), 1);
    ox_commands_set_entity_enabled(wave, enemy, false);
    ox_commands_destroy_entity(wave, ox_commands_instantiate(wave, prefab)); // and gone again
    for (int k = 0; k < 3; k++) {
        ox_commands_playback(wave);
    }
    ox_query *off = ox_query_create(world, OX_READ(Waypoint), OX_WITH(ox_disabled));
    printf("played back %d times: %d enemies\n", (int)ox_commands_get_info(wave).playbacks,
           (int)ox_query_count(off));
    ox_commands_dispose(&wave);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    create_and_point(world);
    change_components(world, find_one(world));
    change_by_query(world);
    play_often(world, ox_entity_create_in(world, ox_archetype_of(world, Waypoint)));
    ox_world_destroy(world);
}

// Output:
// temporary: 1, entities: 0
// 4 commands, 2 rows made or moved, 0 failed
// the target is at 3
// at 7, team 2, frozen 1, moving 0, engine 0
// waypoints: 6
// in a team: 4
// left: 0
// played back 3 times: 3 enemies
