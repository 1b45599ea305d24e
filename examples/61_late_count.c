// SPDX-License-Identifier: MIT
//
// A job over as many indices as an earlier job finds. Main knows how many stars there are, not how
// many are bright. Two ways, with the same result: schedule for the most there can be, and leave
// early; or let the job take its count when it starts.

#include <oxbow.h>

#include <stdio.h>

enum { STARS = 10000, BATCH = 64 };

typedef struct Star {
    int id;
    float light;
} Star;

// Finds the bright stars, in parallel: the list has them in the order of their indices.
OX_PARALLEL_JOB(FindBright, {
    OX_READ_ONLY ox_array stars;
    ox_list_writer bright;
}) {
    const Star *star = &ox_array_get_data(Star, job->stars)[i];
    if (star->light > 0.9f) {
        ox_list_write(Star, job->bright, *star);
    }
}

// For the most: most of its indices have nothing to do, but each is visited.
OX_PARALLEL_JOB(DimSome, {
    ox_list bright;
    ox_array visited;
}) {
    *ox_array_edit(int32_t, job->visited, i) = 1;
    if (i >= ox_list_count(job->bright)) {
        return;
    }
    ox_list_edit(Star, job->bright, i)->light *= 0.5f;
}

// For as many as there are: no index is in vain.
OX_PARALLEL_JOB(DimAll, {
    ox_list bright;
    ox_array visited;
}) {
    *ox_array_edit(int32_t, job->visited, i) = 1;
    ox_list_edit(Star, job->bright, i)->light *= 0.5f;
}

// The count need not be the length of a list: any job may write a number.
OX_JOB(CountHalf, {
    OX_READ_ONLY ox_list bright;
    ox_array count;
}) {
    ox_array_set(int32_t, job->count, 0, ox_list_count(job->bright) / 2);
}

// Nor need it be stored: a function may take it from what stands in the job.
static int64_t count_third(const void *data) {
    const DimAll *job = data;
    return ox_list_count(job->bright) / 3;
}

static ox_array create_stars(void) {
    ox_array stars = ox_array_create(Star, STARS, OX_PERSISTENT);
    for (int k = 0; k < STARS; k++) {
        ox_array_set(Star, stars, k, {k, (float)((unsigned)k * 2654435761u >> 16) / 65536.0f});
    }
    return stars;
}

// Prints how many stars were dimmed, by how many visits, and a sum to compare; and begins anew.
static void print_result(const char *name, ox_list bright, ox_array visited) {
    int dimmed = 0, visits = 0;
    long ids = 0;
    for (int k = 0; k < ox_list_count(bright); k++) {
        Star star = ox_list_read(Star, bright, k);
        bool is_dimmed = star.light < 0.9f;
        dimmed += is_dimmed;
        ids += is_dimmed ? star.id : 0;
    }
    for (int k = 0; k < STARS; k++) {
        visits += ox_array_read(int32_t, visited, k);
        ox_array_set(int32_t, visited, k, 0);
    }
    printf("%-16s %d dimmed, ids %ld, %d visits\n", name, dimmed, ids, visits);
    ox_list_clear(bright);
}

int main(void) {
    ox_array stars = create_stars();
    ox_array visited = ox_array_create(int32_t, STARS, OX_PERSISTENT);
    ox_array count = ox_array_create(int32_t, 1, OX_PERSISTENT);
    ox_list bright = ox_list_create(Star, STARS, OX_PERSISTENT);
    ox_list_writer writer = ox_list_writer_of(bright);

    ox_job found = ox_schedule_for(FindBright, STARS, BATCH, OX_NO_JOB, {stars, writer});
    ox_complete(ox_schedule_for(DimSome, STARS, BATCH, found, {bright, visited}));
    print_result("for the most:", bright, visited);

    found = ox_schedule_for(FindBright, STARS, BATCH, OX_NO_JOB, {stars, writer});
    ox_complete(ox_schedule_for_list(DimAll, bright, BATCH, found, {bright, visited}));
    print_result("for the list:", bright, visited);

    found = ox_schedule_for(FindBright, STARS, BATCH, OX_NO_JOB, {stars, writer});
    ox_job counted = ox_schedule(CountHalf, found, {bright, count});
    ox_complete(ox_schedule_for_value(DimAll, count, BATCH, counted, {bright, visited}));
    print_result("for the value:", bright, visited);

    found = ox_schedule_for(FindBright, STARS, BATCH, OX_NO_JOB, {stars, writer});
    ox_complete(ox_schedule_for_counted(DimAll, count_third, BATCH, found, {bright, visited}));
    print_result("by a function:", bright, visited);

    ox_list_dispose(&bright);
    ox_array_dispose(&count);
    ox_array_dispose(&visited);
    ox_array_dispose(&stars);
}

// Output:
// for the most:    999 dimmed, ids 4990135, 10000 visits
// for the list:    999 dimmed, ids 4990135, 999 visits
// for the value:   499 dimmed, ids 1244841, 499 visits
// by a function:   333 dimmed, ids 554326, 333 visits
