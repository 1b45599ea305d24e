// SPDX-License-Identifier: MIT
//
// A container of your own with the same protection as ours: a ring of the last few numbers. Three
// things make it one: an ox_access in the handle, a question before each use, and one line that
// announces the type, so that jobs with a field of it are understood.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

enum { RING_SIZE = 4 };

typedef struct ring_state {
    int numbers[RING_SIZE];
    int count; // of all numbers that were ever pushed
} ring_state;

typedef struct Ring {
    ring_state *state;
    ox_access access;
} Ring;

OX_CONTAINER(Ring, access);

// Functions take the caller's place, so that reports name the user's line and not one of ours.

static Ring ring_create_at(ox_site site) {
    Ring made = {NULL, {0}};
    ox_access_def def = {.kind = "ring", .is_whole = true};
    ring_state *state = ox_memory_alloc_at(OX_PERSISTENT, sizeof *state, sizeof(int), site);
    if (state != NULL && ox_access_create_at(&made.access, &def, site)) {
        *state = (ring_state){0};
        made.state = state;
    }
    return made;
}
#define ring_create() ring_create_at(OX_HERE)

static void ring_push_at(Ring ring, int number, ox_site site) {
    if (ox_access_may_write_at(ring.access, site)) {
        ring.state->numbers[ring.state->count++ % RING_SIZE] = number;
    }
}
#define ring_push(ring, number) ring_push_at(ring, number, OX_HERE)

static int ring_sum_at(Ring ring, ox_site site) {
    int sum = 0;
    for (int k = 0; ox_access_may_read_at(ring.access, site) && k < RING_SIZE; k++) {
        sum += ring.state->numbers[k];
    }
    return sum;
}
#define ring_sum(ring) ring_sum_at(ring, OX_HERE)

static void ring_dispose_at(Ring *ring, ox_site site) {
    if (ox_access_may_dispose_at(ring->access, OX_NO_JOB, site)) {
        ox_access_destroy_at(ring->access, site);
        ox_memory_free_at(OX_PERSISTENT, ring->state, sizeof *ring->state, sizeof(int), site);
    }
}
#define ring_dispose(ring) ring_dispose_at(ring, OX_HERE)

// And a user of it.

OX_JOB(Record, {
    Ring history;
    int first;
}) {
    for (int k = 0; k < 6; k++) {
        ring_push(job->history, job->first + k);
    }
}

OX_JOB(Peek, { OX_READ_ONLY Ring history; }) {
    ring_push(job->history, 0); // a mistake: the field says that it only reads
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    char text[2048];
    ox_report_format(report, text, sizeof text);
    for (char *folder; (folder = strstr(text, "examples/")) != NULL;) {
        memmove(folder, folder + 9, strlen(folder + 9) + 1); // shorter lines
    }
    printf("%s", text);
}

int main(void) {
    ox_report_set_handler((ox_report_handler){print_report, NULL});
    Ring history = ring_create();
    ox_access_set_name(history.access, "history");

    ox_job record = ox_schedule(Record, OX_NO_JOB, {history, 1});
    printf("sum: %d\n", ring_sum(history)); // a mistake: the job is outstanding
    ox_complete(record);
    printf("sum: %d\n", ring_sum(history));
    ox_complete(ox_schedule(Peek, OX_NO_JOB, {history}));

    ring_dispose(&history);
    ring_push(history, 7); // a mistake: it is gone
}

// Output:
// oxbow: OX-A04 main uses what a job is using
//   main reads ring 'history' (created 14_custom_container.c:91)
//   job 'Record' (14_custom_container.c:94) writes it and has not been completed
//   at 14_custom_container.c:95
//   fix: complete 'Record' before 14_custom_container.c:95; a job of a system: ox_world_complete
// sum: 0
// sum: 18
// oxbow: OX-A06 something is written that may only be read
//   ring 'history' (created 14_custom_container.c:91) is read-only in job 'Peek'
//   at 14_custom_container.c:76
//   fix: remove OX_READ_ONLY from the field, or do not write at 14_custom_container.c:76
// oxbow: OX-A02 a container is used after it was disposed
//   ring 'history' (created 14_custom_container.c:91) was disposed at 14_custom_container.c:100
//   it is written
//   at 14_custom_container.c:101
//   fix: use it before it is disposed, or dispose it later
