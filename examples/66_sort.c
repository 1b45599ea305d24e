// SPDX-License-Identifier: MIT
//
// Sorting: plain memory, arrays and lists, at once or in jobs. A race has its times, its table with
// ties, and 100,000 runners that all cores sort together. The result is the same for any number of
// workers.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

enum { RUNNERS = 100000 };

typedef struct Runner {
    char name[8];
    int laps;
} Runner;

OX_ARRAY(Times, float);
OX_ARRAY(Starters, Runner);
OX_LIST(Table, Runner);
OX_LIST(Numbers, uint32_t);

// Below 0: `a` comes first. Runners with as many laps are equal, whatever their names.
static int by_laps(const void *a, const void *b, void *context) {
    (void)context;
    return ((const Runner *)b)->laps - ((const Runner *)a)->laps;
}

static int by_name(const void *a, const void *b, void *context) {
    (void)context;
    return strcmp(((const Runner *)a)->name, ((const Runner *)b)->name);
}

OX_PARALLEL_JOB(Start, { Numbers_writer numbers; }) {
    ox_list_write(job->numbers, (uint32_t)i * 2654435761u);
}

static void print_runners(const char *title, const Runner *runners, int count) {
    printf("%s:", title);
    for (int k = 0; k < count; k++) {
        printf(" %s %d", runners[k].name, runners[k].laps);
    }
    printf("\n");
}

int main(void) {
    // Numbers have an order of their own: no comparison, and faster.
    float laps[] = {62.5f, 61, 70.25f, 59.5f};
    ox_sort(laps, 4, float, NULL, NULL);
    printf("best lap: %g, worst: %g\n", laps[0], laps[3]);
    Times times = ox_array_create_copy(Times, laps, 4, OX_TEMP);
    ox_array_set(times, 0, 99);
    ox_array_sort(times, NULL, NULL);
    printf("without the best: %g to %g\n", ox_array_read(times, 0), ox_array_read(times, 3));

    // Everything else has a comparison. The stable forms keep the order of what is equal: sort by
    // name and then by laps, and those with as many laps stand by name.
    const Runner entered[] = {{"Mia", 3}, {"Ben", 5}, {"Zoe", 5}, {"Ada", 3}, {"Leo", 9}};
    Runner plain[5];
    memcpy(plain, entered, sizeof plain);
    ox_sort_stable(plain, 5, Runner, by_laps, NULL);
    print_runners("as entered", plain, 5);

    Starters starters = ox_array_create_copy(Starters, entered, 5, OX_TEMP);
    ox_array_sort(starters, by_name, NULL);
    ox_array_sort_stable(starters, by_laps, NULL);
    print_runners("by laps, then name", ox_array_get_data(starters), 5);

    Table table = ox_list_create(Table, 8, OX_TEMP);
    ox_list_push_many(table, entered, 5);
    ox_list_push(table, {"Kim", 5});
    ox_list_sort(table, by_name, NULL);
    ox_list_sort_stable(table, by_laps, NULL);
    print_runners("with a late one", ox_list_get_data(table), ox_list_count(table));

    // In jobs, on all cores. The list is sorted at the length that it has when it is its turn:
    // here what another job wrote to it.
    Numbers numbers = ox_list_create(Numbers, RUNNERS, OX_PERSISTENT);
    ox_job started = ox_schedule_for(Start, RUNNERS, 256, OX_NO_JOB, {ox_list_writer_of(numbers)});
    ox_complete(ox_list_sort_after(numbers, NULL, NULL, started));
    const uint32_t *all = ox_list_get_data(numbers);
    int ordered = 1;
    for (int k = 1; k < ox_list_count(numbers); k++) {
        ordered += all[k - 1] <= all[k];
    }
    printf("in order: %d of %d, the median is %u\n", ordered, RUNNERS, all[RUNNERS / 2]);

    Starters many = ox_array_create(Starters, 1000, OX_PERSISTENT);
    for (int k = 0; k < 1000; k++) {
        ox_array_set(many, k, {"", k * 7919 % 1000});
    }
    ox_complete(ox_array_sort_after(many, by_laps, NULL, OX_NO_JOB));
    printf("most laps: %d, fewest: %d\n", ox_array_read(many, 0).laps,
           ox_array_read(many, 999).laps);
    ox_dispose(&numbers);
    ox_dispose(&many);
}

// Output:
// best lap: 59.5, worst: 70.25
// without the best: 61 to 99
// as entered: Leo 9 Ben 5 Zoe 5 Mia 3 Ada 3
// by laps, then name: Leo 9 Ben 5 Zoe 5 Ada 3 Mia 3
// with a late one: Leo 9 Ben 5 Kim 5 Zoe 5 Ada 3 Mia 3
// in order: 100000 of 100000, the median is 2147524881
// most laps: 999, fewest: 0
