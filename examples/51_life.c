// SPDX-License-Identifier: MIT
//
// The life of a system: created, started, updated, stopped, destroyed, with a query that it makes
// once and keeps. You see a group between another group and a system, what is switched off, and
// which world is the active one.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Foo, { int value; });
OX_COMPONENT(Bar, { int value; });
OX_TAG(Hidden);

OX_LIST(Sums, int);

// What it keeps: a query is dear to make and cheap to use.
typedef struct SumState {
    ox_query *query;
    Sums sums;
} SumState;

static bool create_sum(ox_system *system) {
    SumState *state = ox_system_state(system, SumState);
    state->query = ox_system_query(system, OX_READ(Foo), OX_READ(Bar), OX_NONE(Hidden));
    state->sums = ox_list_create(Sums, 4, OX_PERSISTENT); // lives as long as the system
    printf("create in '%s'\n", ox_world_get_def(system->world).name);
    return ox_list_is_created(state->sums); // false: the system is taken out again
}

static void start_sum(ox_system *system) {
    printf("start %s\n", system->name);
}

static void stop_sum(ox_system *system) {
    printf("stop %s\n", system->name);
}

static void destroy_sum(ox_system *system) {
    SumState *state = ox_system_state(system, SumState);
    printf("destroy after %d sums, the last is %d\n", ox_list_count(state->sums),
           ox_list_read(state->sums, ox_list_count(state->sums) - 1));
    ox_dispose(&state->sums);
}

// The group comes after the system Input and before all of the group Late.
OX_GROUP(Work, .after = {"Input"}, .before = {"Late"});
OX_GROUP(Late);

OX_SYSTEM(Sum, .in = "Work", .state = sizeof(SumState), .create = create_sum, .start = start_sum,
          .stop = stop_sum, .destroy = destroy_sum) {
    SumState *state = ox_system_state(system, SumState);
    ox_view entities = ox_query_view_entities(state->query);
    ox_view foos = ox_query_view(state->query, Foo);
    ox_view bars = ox_query_view(state->query, Bar);
    int sum = 0;
    for (int i = 0; i < entities.count; i++) { // the views are parallel
        printf("%u ", ox_view_read_entity(entities, i).index);
        sum += ox_view_read(foos, i, Foo).value * ox_view_read(bars, i, Bar).value;
    }
    printf("make %d\n", sum);
    ox_list_push(state->sums, sum);
}

OX_SYSTEM(Last, .in = "Late") {
    printf("late\n");
}

OX_SYSTEM(Input) {
    printf("frame %d\n", (int)ox_system_get_time(system).frame);
}

int main(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.name = "game"});
    ox_world *other = ox_world_create(&(ox_world_def){.name = "empty", .no_systems = true});
    printf("active: %s\n", ox_world_get_def(ox_world_get_active()).name); // the first with systems

    for (int k = 0; k < 4; k++) {
        ox_entity entity = ox_entity_create(ox_world_get_active(), OX_VALUE(Foo, {k}));
        ox_add(world, entity, Bar, {10});
        if (k == 1) {
            ox_add_tag(world, entity, Hidden);
        }
    }
    ox_world_update(world, 0.5f);
    ox_world_update(world, 0.5f);
    ox_system_set_enabled(ox_system_find(world, "Sum"), false);
    ox_world_update(world, 0.5f);

    ox_world_set_active(other);
    printf("active: %s\n", ox_world_get_def(ox_world_get_active()).name);
    ox_world_destroy(other);
    ox_world_destroy(world);
}

// Output:
// create in 'game'
// active: game
// frame 1
// start Sum
// 0 2 3 make 50
// late
// frame 2
// 0 2 3 make 50
// late
// frame 3
// stop Sum
// late
// active: empty
// destroy after 2 sums, the last is 50
