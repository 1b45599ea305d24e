// SPDX-License-Identifier: MIT
//
// Slices: a part of an array, or one field of each of its elements, with no copy made. You see a
// wave of enemies, its vanguard, the health of all as a slice of floats, and the same floats as
// pairs of them.

#include <oxbow.h>

#include <stdio.h>

typedef struct Enemy {
    int id;
    float health;
    ox_float2 place;
} Enemy;

OX_ARRAY(Wave, Enemy); // declares Wave_slice, too
OX_ARRAY(Floats, float);
OX_SLICE(Healths, float); // slices of a field, which belong to no array of floats
OX_SLICE(Pairs, ox_float2);

// Takes any row of floats: a whole array, a part of it, or a field of structs.
static float sum_of(Healths healths) {
    float sum = 0;
    for (int k = 0; k < ox_slice_count(healths); k++) {
        sum += ox_slice_read(healths, k);
    }
    return sum;
}

int main(void) {
    Wave wave = ox_array_create(Wave, 6, OX_PERSISTENT);
    for (int k = 0; k < 6; k++) {
        ox_array_set(wave, k, {k, 10, {(float)k, 0}});
    }

    // Indices of a slice start at 0. It is the memory of the array: who writes to one writes to
    // both.
    Wave_slice vanguard = ox_array_slice(wave, 2, 4);
    Wave_slice leaders = ox_slice_slice(vanguard, 1, 2);
    ox_slice_edit(leaders, 0)->health = 99;
    ox_slice_set(leaders, 1, {40, 50, {7, 7}});
    printf("leaders: %d and %d, of the wave: %g and %g\n", ox_slice_get(leaders, 0)->id,
           ox_slice_get(leaders, 1)->id, ox_array_read(wave, 3).health,
           ox_array_read(wave, 4).health);

    // The elements of a part lie side by side, so a loop may run over a plain pointer.
    const Enemy *first = ox_slice_get_data(leaders);
    printf("the first two ids: %d, %d\n", first[0].id, first[1].id);

    // One field of each element. These do not lie side by side, but they are read as if they did.
    Healths healths = ox_slice_field(vanguard, health, Healths);
    printf("health of %d: %g\n", ox_slice_count(healths), sum_of(healths));

    // Copies go between any two of one length: here out of the structs, and back into them.
    Floats saved = ox_array_create(Floats, 4, OX_TEMP);
    ox_slice_copy_to_array(healths, saved);
    for (int k = 0; k < ox_slice_count(healths); k++) {
        ox_slice_set(healths, k, 0);
    }
    printf("after a blast: %g\n", sum_of(healths));
    ox_slice_copy_from_array(healths, saved);
    printf("after a heal: %g\n", sum_of(healths));
    ox_slice_copy_from(ox_array_slice(wave, 0, 2), leaders);
    printf("the wave begins with %d, %d\n", ox_array_read(wave, 0).id, ox_array_read(wave, 1).id);

    // The same bytes as elements of another type: four floats are two pairs.
    Pairs pairs = ox_slice_as(ox_array_slice(saved, 0, 4), Pairs);
    ox_slice_edit_data(pairs)[0].y = 1;
    printf("%d pairs, the first is %g, %g\n", ox_slice_count(pairs), ox_slice_read(pairs, 0).x,
           ox_array_read(saved, 1));

    // A handle of zeros is no slice. Functions that may have none to give return it.
    Wave_slice none = {0};
    printf("created: %d, %d\n", ox_slice_is_created(vanguard), ox_slice_is_created(none));
    ox_dispose(&wave);
}

// Output:
// leaders: 3 and 40, of the wave: 99 and 50
// the first two ids: 3, 40
// health of 4: 169
// after a blast: 0
// after a heal: 169
// the wave begins with 3, 40
// 2 pairs, the first is 10, 1
// created: 1, 0
