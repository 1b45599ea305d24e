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

OX_ARRAY(Stars, Star);
OX_LIST(Bright, Star);
OX_ARRAY(Numbers, int32_t);

// Finds the bright stars, in parallel: the list has them in the order of their indices.
OX_PARALLEL_JOB(FindBright, {
    OX_READ_ONLY Stars stars;
    Bright_writer bright;
}) {
    const Star *star = &ox_array_get_data(job->stars)[i];
    if (star->light > 0.9f) {
        ox_list_write(job->bright, *star);
    }
}

// For the most: most of its indices have nothing to do, but each is visited.
OX_PARALLEL_JOB(DimSome, {
    Bright bright;
    Numbers visited;
}) {
    *ox_array_edit(job->visited, i) = 1;
    if (i >= ox_list_count(job->bright)) {
        return;
    }
    ox_list_edit(job->bright, i)->light *= 0.5f;
}

// For as many as there are: no index is in vain.
OX_PARALLEL_JOB(DimAll, {
    Bright bright;
    Numbers visited;
}) {
    *ox_array_edit(job->visited, i) = 1;
    ox_list_edit(job->bright, i)->light *= 0.5f;
}

// The count need not be the length of a list: any job may write a number.
OX_JOB(CountHalf, {
    OX_READ_ONLY Bright bright;
    Numbers count;
}) {
    ox_array_set(job->count, 0, ox_list_count(job->bright) / 2);
}

// Nor need it be stored: a function may take it from what stands in the job.
static int64_t count_third(const void *data) {
    const DimAll *job = data;
    return ox_list_count(job->bright) / 3;
}

static Stars create_stars(void) {
    Stars stars = ox_array_create(Stars, STARS, OX_PERSISTENT);
    for (int k = 0; k < STARS; k++) {
        ox_array_set(stars, k, {k, (float)((unsigned)k * 2654435761u >> 16) / 65536.0f});
    }
    return stars;
}

// Prints how many stars were dimmed, by how many visits, and a sum to compare; and begins anew.
static void print_result(const char *name, Bright bright, Numbers visited) {
    int dimmed = 0, visits = 0;
    long ids = 0;
    for (int k = 0; k < ox_list_count(bright); k++) {
        Star star = ox_list_read(bright, k);
        bool is_dimmed = star.light < 0.9f;
        dimmed += is_dimmed;
        ids += is_dimmed ? star.id : 0;
    }
    for (int k = 0; k < STARS; k++) {
        visits += ox_array_read(visited, k);
        ox_array_set(visited, k, 0);
    }
    printf("%-16s %d dimmed, ids %ld, %d visits\n", name, dimmed, ids, visits);
    ox_list_clear(bright);
}

int main(void) {
    Stars stars = create_stars();
    Numbers visited = ox_array_create(Numbers, STARS, OX_PERSISTENT);
    Numbers count = ox_array_create(Numbers, 1, OX_PERSISTENT);
    Bright bright = ox_list_create(Bright, STARS, OX_PERSISTENT);
    Bright_writer writer = ox_list_writer_of(bright);

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

    ox_dispose(&bright);
    ox_dispose(&count);
    ox_dispose(&visited);
    ox_dispose(&stars);
}

// Output:
// for the most:    999 dimmed, ids 4990135, 10000 visits
// for the list:    999 dimmed, ids 4990135, 999 visits
// for the value:   499 dimmed, ids 1244841, 499 visits
// by a function:   333 dimmed, ids 554326, 333 visits
