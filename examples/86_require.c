// SPDX-License-Identifier: MIT
//
// Systems that run only while there is something for them: while an entity matches. You see who
// runs in a world without a player, with one, and with an enemy beside it; nobody has to ask.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Player, { int lives; });
OX_COMPONENT(Enemy, { int force; });
OX_TAG(Paused);

// Said where the system is declared: a player, which is not paused.
OX_SYSTEM(Steer, .require = OX_REQUIRE(OX_WITH(Player), OX_NONE(Paused))) {
    (void)system;
    printf(" Steer");
}

// Or when it is created, with queries: all of them must find an entity.
static bool create_fight(ox_system *system) {
    return ox_system_require(system, ox_system_query(system, OX_WRITE(Player))) &&
           ox_system_require(system, ox_system_query(system, OX_READ(Enemy)));
}

static void stop_fight(ox_system *system) {
    (void)system;
    printf(" (the fight ends)");
}

OX_SYSTEM(Fight, .after = {"Steer"}, .create = create_fight, .stop = stop_fight) {
    ox_singleton_edit(system->world, Player)->lives--;
    printf(" Fight");
}

OX_SYSTEM(Draw, .after = {"Fight"}) {
    (void)system;
    printf(" Draw");
}

static void update(ox_world *world, const char *what) {
    printf("%s:", what);
    ox_world_update(world, 0.1f);
    printf("\n");
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    update(world, "nobody");
    ox_entity player = ox_entity_create(world, OX_VALUE(Player, {3}));
    update(world, "a player");
    ox_entity enemy = ox_entity_create(world, OX_VALUE(Enemy, {1}));
    update(world, "an enemy");
    ox_add_tag(world, player, Paused);
    update(world, "paused");
    ox_entity_destroy(world, enemy);
    ox_remove(world, player, Paused);
    update(world, "alone again");
    printf("lives: %d\n", ox_get(world, player, Player)->lives);
    ox_world_destroy(world);
}

// Output:
// nobody: Draw
// a player: Steer Draw
// an enemy: Steer Fight Draw
// paused: Fight Draw
// alone again: Steer (the fight ends) Draw
// lives: 1
