// SPDX-License-Identifier: MIT
//
// Walks by hand, over a map and a multimap: for loops that stop and go on later, as OX_EACH cannot.
// A gardener waters a few beds at a time and weeds them; you see how far each round gets.

#include <oxbow.h>

#include <stdio.h>

OX_MAP(Beds, int, float); // how wet each is
OX_MULTIMAP(Weeds, int, char);

// Waters up to `count` beds and goes home. The walk knows where to go on tomorrow.
static int water(ox_map_walk *walk, int count) {
    int done = 0;
    while (done < count && ox_map_walk_next(walk)) {
        if (*ox_map_walk_get(walk, float) < 0.5f) {
            *ox_map_walk_edit(walk, float) = 1;
        }
        done++;
    }
    return done;
}

// Pulls the first weed of this kind out of a bed, and makes small letters of those before it.
static bool pull(Weeds weeds, int bed, char kind) {
    ox_multimap_walk walk = ox_multimap_walk_begin(weeds, bed);
    while (ox_multimap_walk_next(&walk)) {
        if (*ox_multimap_walk_get(&walk, char) == kind) {
            return ox_multimap_walk_remove(weeds, &walk);
        }
        *ox_multimap_walk_edit(&walk, char) |= 'a' - 'A';
    }
    return false;
}

static void print_bed(Weeds weeds, int bed) {
    printf("bed %d:", bed);
    OX_EACH_OF(weeds, bed, it) {
        printf(" %c", *it.value);
    }
    printf("\n");
}

int main(void) {
    Beds beds = ox_map_create(Beds, 16, OX_PERSISTENT);
    for (int bed = 0; bed < 10; bed++) {
        ox_map_set(beds, bed, bed % 2 == 0 ? 0.1f : 0.8f);
    }

    // The map must not change between the rounds: a walk that finds it changed ends with a report.
    ox_map_walk walk = ox_map_walk_begin(beds);
    for (int day = 1, done; (done = water(&walk, 4)) > 0; day++) {
        printf("day %d: %d beds\n", day, done);
    }
    float wet = 0;
    OX_EACH(beds, it) {
        wet += *it.value;
    }
    printf("wet: %.1f\n", wet);

    // But a walk may remove the key that it stands at, and goes on behind it.
    walk = ox_map_walk_begin(beds);
    while (ox_map_walk_next(&walk)) {
        if (*ox_map_walk_key(&walk, int) >= 3) {
            ox_map_walk_remove(&walk);
        }
    }
    printf("beds left: %d\n", ox_map_count(beds));

    Weeds weeds = ox_multimap_create(Weeds, 16, OX_PERSISTENT);
    for (const char *kind = "ABCBD"; *kind != 0; kind++) {
        ox_multimap_add(weeds, 1, *kind);
        ox_multimap_add(weeds, 2, *kind);
    }
    printf("pulled: %d\n", pull(weeds, 1, 'C'));
    print_bed(weeds, 1);
    print_bed(weeds, 2);

    // In a loop over all pairs, the walk may be moved on: here over every second weed.
    int seen = 0;
    OX_EACH(weeds, it) {
        seen++;
        if (!ox_multimap_walk_next_pair(it.walk)) {
            break;
        }
    }
    printf("looked at %d of %d\n", seen, ox_multimap_count(weeds));
    ox_dispose(&beds);
    ox_dispose(&weeds);
}

// Output:
// day 1: 4 beds
// day 2: 4 beds
// day 3: 2 beds
// wet: 9.0
// beds left: 3
// pulled: 1
// bed 1: a b B D
// bed 2: A B C B D
// looked at 5 of 9
