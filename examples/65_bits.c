// SPDX-License-Identifier: MIT
//
// Bits: one for each thing, 64 in a word. A car park keeps one bit for each place: you see cars
// come and go, the first free place and the first row of free ones, and what two watchmen know
// together.

#include <oxbow.h>

#include <stdio.h>

enum { PLACES = 200, ROW = 8 };

OX_ARRAY(Wheels, int);

// Bits that are set by index in parallel: 64 share a word, so the batch is a multiple of 64.
OX_PARALLEL_JOB(Look, {
    OX_READ_ONLY Wheels wheels;
    ox_bits taken;
}) {
    ox_bits_set(job->taken, i, ox_array_read(job->wheels, i) > 0);
}

// The first `count` places in a row that are free, or -1: goes from gap to gap, never bit by bit.
static int find_row(ox_bits taken, int count) {
    int first = ox_bits_find_clear(taken, 0);
    while (first + count <= ox_bits_count(taken)) {
        int end = ox_bits_find_set(taken, first);
        if (end - first >= count) {
            return first;
        }
        first = ox_bits_find_clear(taken, end);
    }
    return -1;
}

int main(void) {
    ox_bits taken = ox_bits_create(PLACES, OX_PERSISTENT); // all clear
    ox_bits_set_range(taken, 0, 20, true);
    ox_bits_set_range(taken, 24, 60, true);
    ox_bits_set(taken, 3, false);
    printf("taken: %d of %d, of the first row: %d\n", ox_bits_count_set(taken),
           ox_bits_count(taken), ox_bits_count_set_in(taken, 0, ROW));
    printf("first free: %d, eight free from: %d\n", ox_bits_find_clear(taken, 0),
           find_row(taken, 8));
    printf("places 24 to 83: all taken %d; 84 to 199: any taken %d\n", ox_bits_all(taken, 24, 60),
           ox_bits_any(taken, 84, 116));

    // What a camera sees, by a job. Bits of one length combine, a word at a time.
    Wheels wheels = ox_array_create(Wheels, PLACES, OX_TEMP_JOB);
    for (int k = 0; k < PLACES; k += 5) {
        ox_array_set(wheels, k, 4);
    }
    ox_bits seen = ox_bits_create(PLACES, OX_TEMP_JOB);
    ox_complete(ox_schedule_for(Look, PLACES, 64, OX_NO_JOB, {wheels, seen}));

    ox_bits both = ox_bits_create(PLACES, OX_TEMP);
    ox_bits_copy_from(both, taken);
    ox_bits_and(both, seen);
    printf("paid and seen: %d\n", ox_bits_count_set(both));
    ox_bits_copy_from(both, seen);
    ox_bits_and_not(both, taken);
    printf("seen and not paid: %d, the first at %d\n", ox_bits_count_set(both),
           ox_bits_find_set(both, 0));
    ox_bits_or(taken, seen);
    printf("taken: %d\n", ox_bits_count_set(taken));

    // A loop over those that are set.
    printf("of the last ten:");
    for (int k = ox_bits_find_set(both, PLACES - 10); k < ox_bits_count(both);
         k = ox_bits_find_set(both, k + 1)) {
        printf(" %d", k);
    }
    printf("\n");

    // Another floor: new places are free. At night all are.
    ox_bits_resize(taken, 2 * PLACES);
    printf("place 399 is taken: %d\n", ox_bits_is_set(taken, 399));
    ox_bits_clear(taken);
    printf("at night: %d taken\n", ox_bits_count_set(taken));

    ox_dispose(&taken);
    ox_dispose(&seen);
    ox_dispose(&wheels);
    printf("created: %d\n", ox_bits_is_created(taken));
}

// Output:
// taken: 79 of 200, of the first row: 7
// first free: 3, eight free from: 84
// places 24 to 83: all taken 1; 84 to 199: any taken 0
// paid and seen: 16
// seen and not paid: 24, the first at 20
// taken: 103
// of the last ten: 190 195
// place 399 is taken: 0
// at night: 0 taken
// created: 0
