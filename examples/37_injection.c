// SPDX-License-Identifier: MIT
//
// Fields of a system's state that are filled before each update: views of a group of entities, a
// lookup, another system. You see a system that finds all it needs in its state, and what a
// structural change in the middle of an update does to its views.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x; });
OX_COMPONENT(Velocity, { float x; });
OX_COMPONENT(Leader, { ox_entity who; });
OX_COMPONENT(Morale, { int level; });
OX_TAG(Frozen);

// The weather is a system with a state that others look at.
typedef struct WeatherState {
    float wind;
} WeatherState;

OX_SYSTEM(Weather, .state = sizeof(WeatherState)) {
    ox_system_state(system, WeatherState)->wind += 0.5f;
}

OX_VIEWS(Soldiers, (OX_WRITE(Position, position), OX_READ(Velocity, velocity),
                    OX_READ(Leader, leader), OX_NONE(Frozen)));

typedef struct MarchState {
    Soldiers soldiers;
    ox_lookup morale;
    ox_system *weather;
    int frozen; // its own, beside what is injected
} MarchState;

// What is injected is declared, too: this system waits for jobs that write Velocity, Leader or
// Morale, and for those that read or write Position.
OX_SYSTEM(March, .after = {"Weather"}, .state = sizeof(MarchState),
          .inject = {OX_INJECT_VIEWS(MarchState, soldiers, Soldiers),
                     OX_INJECT_LOOKUP(MarchState, morale, OX_READ(Morale)),
                     OX_INJECT_SYSTEM(MarchState, weather, "Weather")}) {
    MarchState *state = ox_system_state(system, MarchState);
    Soldiers *all = &state->soldiers;
    float wind = ox_system_state(state->weather, WeatherState)->wind;
    for (int i = 0; i < all->count; i++) {
        ox_entity leader = ox_view_read(all->leader, i, Leader).who;
        int morale = ox_lookup_get(&state->morale, leader, Morale)->level;
        float step = (ox_view_read(all->velocity, i, Velocity).x - wind) * (float)morale;
        ox_view_edit(all->position, i, Position)->x += step;
    }
    printf("%d march, wind %.1f\n", all->count, wind);

    // A structural change ends views. They are filled again before the next update; in this one
    // it is the last thing to do, or ox_views_fill is called again.
    if (all->count > 2) {
        ox_add_tag(system->world, ox_view_read_entity(all->entities, 0), Frozen);
        state->frozen++;
        ox_views_fill(system->world, all, Soldiers);
        printf("one froze, %d are left\n", all->count);
    }
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_entity captain = ox_entity_create(world, OX_VALUE(Morale, {2}));
    ox_entity last = {0};
    for (int k = 0; k < 3; k++) {
        last = ox_entity_create(world, OX_VALUE(Position, {0}), OX_VALUE(Velocity, {3}),
                                OX_VALUE(Leader, {captain}));
    }
    ox_world_update(world, 1);
    ox_world_update(world, 1);
    printf("the last is at %.1f\n", ox_get(world, last, Position)->x);

    ox_system *march = ox_system_find(world, "March");
    ox_system_info info = ox_system_get_info(march);
    printf("%s reads %u components, writes %u; frozen so far: %d\n", info.name, info.reads_count,
           info.writes_count, ox_system_state(march, MarchState)->frozen);
    ox_world_destroy(world);
}

// Output:
// 3 march, wind 0.5
// one froze, 2 are left
// 2 march, wind 1.0
// the last is at 9.0
// March reads 3 components, writes 1; frozen so far: 1
