// SPDX-License-Identifier: MIT
//
// A container of your own with the same protection as ours: a ring of the last few numbers. Three
// things make it one: an ox_access in the handle, a question before each use, and one line that
// announces the type, so that jobs with a field of it are understood. A parallel writer is a second
// handle to the same memory, in which each thread has a part of its own.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

enum { RING_SIZE = 4 };

// What one thread wrote since the last merge: the last few by index, on cache lines of its own.
typedef struct ring_part {
    _Alignas(OX_CACHE_LINE) int count;
    int indices[RING_SIZE];
    int numbers[RING_SIZE];
} ring_part;

typedef struct ring_state {
    int numbers[RING_SIZE];
    int count; // of all numbers that were ever pushed
    ring_part parts[OX_MAX_THREADS];
} ring_state;

typedef struct Ring {
    ring_state *state;
    ox_access access;
} Ring;

OX_CONTAINER(Ring, access);

typedef struct RingWriter {
    ring_state *state;
    ox_access access;
} RingWriter;

OX_CONTAINER(RingWriter, access);

// Functions take the caller's place, so that reports name the user's line and not one of ours.

static Ring ring_create_at(ox_site site) {
    Ring made = {NULL, {0}};
    ox_access_def def = {.kind = "ring", .is_whole = true};
    ring_state *state = ox_memory_alloc_at(OX_PERSISTENT, sizeof *state, OX_CACHE_LINE, site);
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
        ox_memory_free_at(OX_PERSISTENT, ring->state, sizeof *ring->state, OX_CACHE_LINE, site);
    }
}
#define ring_dispose(ring) ring_dispose_at(ring, OX_HERE)

// The parallel writer. All threads of a job may write at once: each into its own part.

static RingWriter ring_writer_of_at(Ring ring, ox_site site) {
    RingWriter writer = {ring.state, {0}};
    return ox_access_create_writer_at(ring.access, &writer.access, site) ? writer : (RingWriter){0};
}
#define ring_writer_of(ring) ring_writer_of_at(ring, OX_HERE)

static int find_oldest(const ring_part *part) {
    int oldest = 0;
    for (int k = 1; k < part->count; k++) {
        oldest = part->indices[k] < part->indices[oldest] ? k : oldest;
    }
    return oldest;
}

// Writes a number for an index of the job: one for each.
static void ring_write_at(RingWriter writer, int index, int number, ox_site site) {
    if (!ox_access_may_write_at(writer.access, site)) {
        return;
    }
    ring_part *part = &writer.state->parts[ox_worker_index()];
    int at = find_oldest(part);
    if (part->count < RING_SIZE) {
        at = part->count++;
    } else if (index < part->indices[at]) {
        return; // the part has later ones, and so will the ring
    }
    part->indices[at] = index;
    part->numbers[at] = number;
}
#define ring_write(writer, index, number) ring_write_at(writer, index, number, OX_HERE)

// Finds the smallest index after `last` in all parts, and its number.
static bool find_next(const ring_state *state, int last, int *index, int *number) {
    bool is_found = false;
    for (int k = 0; k < OX_MAX_THREADS * RING_SIZE; k++) {
        const ring_part *part = &state->parts[k / RING_SIZE];
        int at = k % RING_SIZE;
        if (at < part->count && part->indices[at] > last &&
            (!is_found || part->indices[at] < *index)) {
            is_found = true;
            *index = part->indices[at];
            *number = part->numbers[at];
        }
    }
    return is_found;
}

// Pushes what jobs wrote in the order of their indices, so that it does not matter which thread ran
// which.
static void ring_merge_at(Ring ring, ox_site site) {
    int index = -1, number = 0;
    if (!ox_access_may_write_at(ring.access, site)) {
        return;
    }
    while (find_next(ring.state, index, &index, &number)) {
        ring_push_at(ring, number, site);
    }
    for (int k = 0; k < OX_MAX_THREADS; k++) {
        ring.state->parts[k].count = 0;
    }
}
#define ring_merge(ring) ring_merge_at(ring, OX_HERE)

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

OX_PARALLEL_JOB(Square, { RingWriter history; }) {
    ring_write(job->history, i, i * i);
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

    // 1000 squares on all cores: the ring has the last four.
    ox_job squares = ox_schedule_for(Square, 1000, 16, OX_NO_JOB, {ring_writer_of(history)});
    ring_merge(history); // a mistake: the job is outstanding
    ox_complete(squares);
    ring_merge(history);
    printf("sum: %d of %d\n", ring_sum(history), 996 * 996 + 997 * 997 + 998 * 998 + 999 * 999);

    ring_dispose(&history);
    ring_push(history, 7); // a mistake: it is gone
}

// Output:
// oxbow: OX-A04 main uses what a job is using
//   main reads ring 'history' (created 14_custom_container.c:176)
//   job 'Record' (14_custom_container.c:179) writes it and has not been completed
//   at 14_custom_container.c:180
//   fix: complete 'Record' before 14_custom_container.c:180; a job of a system: ox_world_complete
// sum: 0
// sum: 18
// oxbow: OX-A06 something is written that may only be read
//   ring 'history' (created 14_custom_container.c:176) is read-only in job 'Peek'
//   at 14_custom_container.c:157
//   fix: remove OX_READ_ONLY from the field, or do not write at 14_custom_container.c:157
// oxbow: OX-A04 main uses what a job is using
//   main writes ring 'history' (created 14_custom_container.c:176)
//   job 'Square' (14_custom_container.c:186) writes it and has not been completed
//   at 14_custom_container.c:187
//   fix: complete 'Square' before 14_custom_container.c:187; a job of a system: ox_world_complete
// sum: 3980030 of 3980030
// oxbow: OX-A02 a container is used after it was disposed
//   ring 'history' (created 14_custom_container.c:176) was disposed at 14_custom_container.c:192
//   it is written
//   at 14_custom_container.c:193
//   fix: use it before it is disposed, or dispose it later
