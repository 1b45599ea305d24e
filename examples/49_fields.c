// SPDX-License-Identifier: MIT
//
// What may stand in a component, and what may not: numbers, bools, enums, structs and arrays do; a
// pointer or a container does not, but in a shared component. You see both reports, and what to
// keep instead of a container: the number of a place in one.

#include <oxbow.h>

#include <stdio.h>

OX_STRUCT(Color, { uint8_t r, g, b; });

OX_ARRAY(Scales, int);
OX_LIST(Notes, int);

// It is copied as bytes, so all of these are fine. Each entity has its own.
OX_COMPONENT(Dragon, {
    float size;
    uint8_t heads;
    bool is_awake;
    enum { CALM, ANGRY } mood;
    Color color;
    int hoard[4];
});

// Shared values may hold both: equal ones are stored once, with calls that copy and drop them
// (25_shared.c). Here they are compared by address, and stay those of main.
OX_SHARED(Breed, {
    const char *name;
    Scales scales;
});

// The container stays outside; a component keeps the place of its first number and how many.
OX_COMPONENT(Song, { int first, count; });

// A pointer that somebody else owns, on purpose: it says so.
OX_COMPONENT(Skin, { OX_UNOWNED const char *texture; });

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("%s %s\n  fix: %s\n", report->code, report->what, report->fix);
}

static int sum_of(Notes notes, Song song) {
    int sum = 0;
    for (int k = song.first; k < song.first + song.count; k++) {
        sum += ox_list_read(notes, k);
    }
    return sum;
}

int main(void) {
    ox_report_set_handler((ox_report_handler){print_report, NULL});
    ox_world *world = ox_world_create(NULL);

    Scales scales = ox_array_create(Scales, 5, OX_PERSISTENT);
    Notes notes = ox_list_create(Notes, 8, OX_PERSISTENT);
    for (int k = 0; k < 5; k++) {
        ox_array_set(scales, k, 10 * k);
        ox_list_push(notes, k);
    }
    ox_entity dragon = ox_entity_create(
        world, OX_VALUE(Dragon, {2.5f, 3, true, ANGRY, {200, 0, 0}, {1, 2, 3, 4}}),
        OX_VALUE(Breed, {"fire", scales}), OX_VALUE(Song, {1, 3}), OX_VALUE(Skin, {"red.png"}));

    char text[256];
    ox_component_write_json(ox_component_id_of(Dragon), ox_get(world, dragon, Dragon), text,
                            sizeof text);
    printf("%s\n", text);
    const Breed *breed = ox_get(world, dragon, Breed);
    printf("breed %s with %d scales, song %d, skin %s\n", breed->name,
           (int)ox_array_count(breed->scales), sum_of(notes, ox_read(world, dragon, Song)),
           ox_get(world, dragon, Skin)->texture);

    // The same rule for a component that is made at run time; OX_COMPONENT is told at first use.
    ox_component_register(&(ox_component_def){.name = "Named", .text = "{ const char *name; }"});
    ox_component_register(&(ox_component_def){.name = "Bag", .text = "{ ox_array items; }"});

    ox_world_destroy(world);
    ox_dispose(&scales);
    ox_dispose(&notes);
}

// Output:
// {"size":2.5,"heads":3,"is_awake":true,"mood":1,"color":{"r":200,"g":0,"b":0},"hoard":[1,2,3,4]}
// breed fire with 5 scales, song 6, skin red.png
// OX-T05 a component has a raw pointer
//   fix: use an ox_entity or an index, or write OX_UNOWNED before the field
// OX-T04 a component has a container in it
//   fix: use a fixed array, or keep the container outside the entities
