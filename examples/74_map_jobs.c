// SPDX-License-Identifier: MIT
//
// Maps that parallel jobs fill: the first visitor of each town, and all of them. Whoever runs
// first, the lowest index counts, so you see the same names on any number of workers.

#include <oxbow.h>

#include <stdio.h>

enum { VISITORS = 1000, TOWNS = 7 };

OX_MAP(First, int, int);
OX_MULTIMAP(Visits, int, int);

static int town_of(int visitor) {
    return (int)((uint32_t)visitor * 2654435761u >> 16) % TOWNS;
}

// A map takes one value for each key; of two writes the one of the lower index counts.
OX_PARALLEL_JOB(Arrive, {
    First_writer first;
    Visits_writer visits;
}) {
    int visitor = VISITORS - 1 - i; // in the wrong order, on purpose
    ox_map_write(job->first, town_of(visitor), visitor);
    ox_multimap_write(job->visits, town_of(visitor), visitor);
}

// Reads both, on all cores: any thread may, as long as nobody writes.
OX_PARALLEL_JOB(Check, {
    OX_READ_ONLY First first;
    OX_READ_ONLY Visits visits;
    OX_NO_SAFETY int *correct;
}) {
    OX_EACH_OF(job->visits, i, it) {
        job->correct[i] = *it.value == ox_map_read(job->first, i);
        break; // the values of a key stand in the order of the indices, too
    }
}

int main(void) {
    // A map does not grow in jobs: it needs room for each write, of a new key or not.
    First first = ox_map_create(First, VISITORS + 1, OX_PERSISTENT);
    Visits visits = ox_multimap_create(Visits, TOWNS, OX_PERSISTENT);
    ox_map_set(first, 3, -1); // somebody lived there before: a key that is there stays

    ox_complete(ox_schedule_for(Arrive, VISITORS, 32, OX_NO_JOB,
                                {ox_map_writer_of(first), ox_multimap_writer_of(visits)}));

    // What jobs wrote is taken over by the next call, whichever it is. Here it is said, so that the
    // jobs that follow find nothing left to do.
    ox_map_merge(first);
    ox_multimap_merge(visits);
    printf("towns: %d, visits: %d\n", ox_map_count(first), ox_multimap_count(visits));
    for (int town = 0; town < TOWNS; town++) {
        printf("town %d: %3d was first of %d\n", town, ox_map_read(first, town),
               ox_multimap_count_values(visits, town));
    }

    int correct[TOWNS] = {0}, sum = 0;
    ox_complete(ox_schedule_for(Check, TOWNS, 1, OX_NO_JOB, {first, visits, correct}));
    for (int town = 0; town < TOWNS; town++) {
        sum += correct[town];
    }
    printf("the first value is the first visitor in %d of %d\n", sum, TOWNS);
    ox_dispose(&first);
    ox_dispose(&visits);
}

// Output:
// towns: 7, visits: 1000
// town 0: 997 was first of 150
// town 1: 999 was first of 144
// town 2: 998 was first of 139
// town 3:  -1 was first of 140
// town 4: 984 was first of 141
// town 5: 986 was first of 138
// town 6: 992 was first of 148
// the first value is the first visitor in 6 of 7
