// SPDX-License-Identifier: MIT
//
// The settings of a game as a singleton: a component that just one entity has. You see it made,
// read, changed by name and from JSON, what is said when there are two, or when a job writes it
// meanwhile, and a singleton that is a buffer.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

OX_COMPONENT(Settings, {
    int width, height;
    float gravity;
});
OX_BUFFER(HighScore, 4, { int points; });
OX_COMPONENT(Height, { float meters; });
OX_TAG(Player);
OX_TAG(Ghost);

OX_ENTITY_JOB(Fall, (OX_WRITE(Height, height)), { float gravity; }) {
    height->meters -= job->gravity / 2;
}

OX_ENTITY_JOB(ScaleGravity, (OX_WRITE(Settings, settings)), { float factor; }) {
    settings->gravity *= job->factor;
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("  %s %s\n", report->code, report->what);
}

static void print_settings(ox_world *world) {
    char text[128];
    ox_component_write_json(ox_component_id_of(Settings), ox_singleton_get(world, Settings), text,
                            sizeof text);
    printf("%s\n", text);
}

// What a configuration file, or a console, does: fields by name.
static void read_settings(ox_world *world, const char *json) {
    ox_component_read_json(ox_component_id_of(Settings), json, strlen(json),
                           ox_singleton_edit(world, Settings));
    ox_field_value lines = {.kind = OX_FIELD_VALUE_SIGNED, .integer = 720};
    ox_field_write(ox_component_id_of(Settings), ox_singleton_edit(world, Settings), "height",
                   &lines);
}

int main(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.on_report = {print_report, NULL}});
    printf("there: %d\n", ox_singleton_has(world, Settings));
    ox_entity settings = ox_singleton_create(world, Settings, {640, 480, 9.5f});
    printf("there: %d, entity %u\n", ox_singleton_has(world, Settings),
           ox_singleton_get_entity(world, Settings).index);
    print_settings(world);
    read_settings(world, "{\"width\": 1280, \"gravity\": 8}");
    print_settings(world);

    // A job gets values of it, not a pointer: read it on main when the job is scheduled.
    ox_entity ball = ox_entity_create(world, OX_VALUE(Height, {10}));
    float gravity = ox_singleton_read(world, Settings).gravity;
    ox_schedule_entities(Fall, world, OX_AUTO, {gravity});
    printf("height: %g\n", ox_get(world, ball, Height)->meters);

    // Unlike ox_get it waits for nothing: a job that writes it must be complete.
    ox_job scaled = ox_schedule_entities(ScaleGravity, world, OX_AUTO, {0.5f});
    ox_singleton_get(world, Settings);
    ox_complete(scaled);
    printf("gravity: %g\n", ox_singleton_get(world, Settings)->gravity);
    ox_singleton_set(world, Settings, {800, 600, 1});

    // One and no more.
    ox_singleton_create(world, Settings, {0});
    ox_entity second = ox_entity_instantiate(world, settings);
    ox_singleton_get(world, Settings);
    ox_entity_set_enabled(world, second, false); // what is switched off does not count
    print_settings(world);

    // A buffer that there is once.
    ox_entity_create_in(world, ox_archetype_of(world, HighScore));
    ox_buffer scores = ox_singleton_edit(world, HighScore);
    ox_buffer_push(scores, HighScore, {300});
    ox_buffer_push(scores, HighScore, {200});
    printf("scores: %d\n", ox_buffer_count(ox_singleton_get(world, HighScore)));

    // The one entity that a query matches.
    ox_query *alive = ox_query_create(world, OX_WITH(Player), OX_NONE(Ghost));
    ox_entity player = ox_entity_create_in(world, ox_archetype_of(world, Player));
    ox_entity_create_in(world, ox_archetype_of(world, Player, Ghost));
    printf("the player: %d\n", ox_query_get_single(alive).index == player.index);
    ox_world_destroy(world);
}

// Output:
// there: 0
// there: 1, entity 0
// {"width":640,"height":480,"gravity":9.5}
// {"width":1280,"height":720,"gravity":8}
// height: 6
//   OX-E25 a singleton is used while a job uses it
// gravity: 4
//   OX-E24 a singleton does not exist exactly once
//   OX-E24 a singleton does not exist exactly once
// {"width":800,"height":600,"gravity":1}
// scores: 2
// the player: 1
