// SPDX-License-Identifier: MIT
//
// Systems of a plugin that is loaded while the game runs: it announces them, and worlds take them
// in. You see a world before and after, and one that is created later and has them at once.

#include <oxbow.h>

#include <stdio.h>

OX_SYSTEM(Walk) {
    (void)system;
    printf(" Walk");
}

// What the plugin has. Its defs are not declared by a macro, for those announce them before main;
// they must stay in place as long as the program runs.

static void dance(ox_system *system) {
    (void)system;
    printf(" Dance");
}

static void sing(ox_system *system) {
    (void)system;
    printf(" Sing");
}

static ox_system_def plugin[] = {
    {.name = "Dance", .update = dance, .after = {"Walk"}},
    {.name = "Sing", .update = sing, .after = {"Dance"}},
};

static void load_plugin(void) {
    for (int k = 0; k < 2; k++) {
        plugin[k].site = OX_HERE;
        ox_system_register(&plugin[k]);
    }
}

static void update(ox_world *world) {
    printf("%s:", ox_world_get_def(world).name);
    ox_world_update(world, 0.1f);
    printf("\n");
}

int main(void) {
    ox_world *town = ox_world_create(&(ox_world_def){.name = "town"});
    update(town);

    // A world that is there does not change on its own.
    int before = ox_world_add_systems(town);
    load_plugin();
    update(town);
    printf("added: %d\n", ox_world_add_systems(town) - before);
    printf("added again: %d\n", ox_world_add_systems(town) - before - 2);
    update(town);

    ox_world *theatre = ox_world_create(&(ox_world_def){.name = "theatre"});
    update(theatre);
    ox_world_destroy(theatre);
    ox_world_destroy(town);
}

// Output:
// town: Walk
// town: Walk
// added: 2
// added again: 0
// town: Walk Dance Sing
// theatre: Walk Dance Sing
