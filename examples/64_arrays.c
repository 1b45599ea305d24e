// SPDX-License-Identifier: MIT
//
// Whole arrays: filled, copied and compared. Sand slides down a row of heaps, one step after the
// other and in parallel, until a step changes nothing. You see the heaps as they were and as they
// are, and how many steps it took.

#include <oxbow.h>

#include <stdio.h>

enum { HEAPS = 16, BATCH = 4, PARTS = 4 };

OX_ARRAY(Heaps, int);
OX_ARRAY(Jobs, ox_job);

// A heap that is higher than a neighbour by 2 or more gives it a grain. A range job gets one batch:
// the pointer is checked once for all of it, and not at each index.
OX_RANGE_JOB(Slide, {
    OX_READ_ONLY Heaps from;
    Heaps to;
}) {
    int *heaps = ox_array_edit_range(job->to, begin, end);
    for (int i = begin; i < end; i++) {
        int own = *ox_array_get(job->from, i), change = 0;
        for (int other = i - 1; other <= i + 1; other += 2) {
            if (other >= 0 && other < ox_array_count(job->from)) {
                int height = *ox_array_get(job->from, other);
                change += height >= own + 2 ? 1 : height <= own - 2 ? -1 : 0;
            }
        }
        heaps[i - begin] = own + change;
    }
}

OX_JOB(Measure, {
    OX_READ_ONLY Heaps heaps;
    OX_NO_SAFETY int *highest;
    int begin;
}) {
    *job->highest = 0;
    for (int k = job->begin; k < job->begin + HEAPS / PARTS; k++) {
        int height = ox_array_read(job->heaps, k);
        *job->highest = height > *job->highest ? height : *job->highest;
    }
}

static void print_heaps(const char *name, Heaps heaps) {
    printf("%s:", name);
    OX_EACH(heaps, heap) {
        printf(" %d", *heap);
    }
    printf("\n");
}

int main(void) {
    // A copy of plain memory, and an array whose content does not matter: all of it is written.
    const int poured[HEAPS] = {0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0};
    Heaps now = ox_array_create_copy(Heaps, poured, HEAPS, OX_PERSISTENT);
    Heaps next = ox_array_create_uninitialized(Heaps, HEAPS, OX_PERSISTENT);
    print_heaps("poured", now);

    int steps = 0;
    ox_complete(ox_schedule_for(Slide, HEAPS, BATCH, OX_NO_JOB, {now, next}));
    while (!ox_array_equals(now, next)) {
        steps++;
        ox_array_copy_from(now, next);
        ox_complete(ox_schedule_for(Slide, HEAPS, BATCH, OX_NO_JOB, {now, next}));
    }
    print_heaps("at rest", now);
    printf("steps: %d\n", steps);

    // As many jobs as there are parts: their handles stand in an array, too. One handle for all of
    // them is what a later job waits for; without one, complete the array itself.
    int highest[PARTS] = {0};
    Jobs jobs = ox_array_create(Jobs, PARTS, OX_TEMP);
    for (int k = 0; k < PARTS; k++) {
        ox_array_set(jobs, k,
                     ox_schedule(Measure, OX_NO_JOB, {now, &highest[k], k * HEAPS / PARTS}));
    }
    ox_complete_array(jobs);
    printf("highest of each part: %d %d %d %d\n", highest[0], highest[1], highest[2], highest[3]);

    for (int k = 0; k < PARTS; k++) {
        ox_array_set(jobs, k,
                     ox_schedule(Measure, OX_NO_JOB, {next, &highest[k], k * HEAPS / PARTS}));
    }
    ox_job all = ox_combine_array(jobs);
    ox_complete(ox_dispose_after(&next, all));

    ox_array_fill(now, 7);
    print_heaps("filled", now);
    printf("created: %d, %d\n", ox_array_is_created(now), ox_array_is_created(next));
    ox_dispose(&now);
}

// Output:
// poured: 0 0 0 9 0 0 0 0 0 0 8 0 0 0 0 0
// at rest: 0 1 2 3 2 1 0 0 1 2 2 2 1 0 0 0
// steps: 3
// highest of each part: 3 2 2 1
// filled: 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
// created: 1, 0
