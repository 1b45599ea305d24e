// SPDX-License-Identifier: MIT
//
// What main holds of a container, beside every kind of job that is scheduled after it was taken:
// views, slices, walks, iterators and readers are judged as the containers that they are of. Jobs
// work on other threads meanwhile, so that what is accepted by mistake is a race.

#include "containers_test.h"

#include "base/atomics.h"
#include "jobs/jobs_test.h"
#include "oxbow/containers.h"

#include <stdio.h>

enum { HELD = 8, ROUNDS = 50 };

static oxi_atomic_u32 running;

// Everything that main holds of one container.
typedef struct held {
    collected_reports reports;
    ox_array array, of_list; // of_list: over the list
    ox_slice slice, of_of_list, of_list_too;
    ox_list list;
    ox_bits bits;
    ox_queue queue;
    ox_map map;
    ox_map_walk walk;
    ox_multimap multimap;
    ox_multimap_walk values, pairs;
    ox_stream stream;
    ox_stream_reader reader;
    ox_job job;
} held;

// Jobs that read and write a container, and those with a parallel writer of it.

#define READERS(Name, Type, read)                                                                  \
    OX_JOB(Name##Reads, { OX_READ_ONLY Type held; }) {                                             \
        atomic_store(&running, 1);                                                                 \
        for (int k = 0; k < ROUNDS; k++) {                                                         \
            read;                                                                                  \
        }                                                                                          \
    }                                                                                              \
    OX_PARALLEL_JOB(Name##EachReads, { OX_READ_ONLY Type held; }) {                                \
        atomic_store(&running, 1);                                                                 \
        for (int k = 0; k < ROUNDS; k++) {                                                         \
            read;                                                                                  \
        }                                                                                          \
    }

#define WRITER(Name, Type, write)                                                                  \
    OX_JOB(Name##Writes, { Type held; }) {                                                         \
        atomic_store(&running, 1);                                                                 \
        for (int k = 0; k < ROUNDS; k++) {                                                         \
            write;                                                                                 \
        }                                                                                          \
    }

#define EACH_WRITER(Name, Type, write)                                                             \
    OX_PARALLEL_JOB(Name##EachWrites, { Type held; }) {                                            \
        atomic_store(&running, 1);                                                                 \
        write;                                                                                     \
    }

READERS(Array, ox_array, (void)ox_array_read(OX_AS(job->held, int), k % HELD))
WRITER(Array, ox_array, ox_array_set(OX_AS(job->held, int), k % HELD, k))
EACH_WRITER(Array, ox_array, ox_array_set(OX_AS(job->held, int), i, i))
READERS(Slice, ox_slice, (void)ox_slice_read(OX_AS(job->held, int), k % 2))
WRITER(Slice, ox_slice, ox_slice_set(OX_AS(job->held, int), k % 2, k))
READERS(List, ox_list, (void)ox_list_read(OX_AS(job->held, int), k % HELD))
WRITER(List, ox_list, ox_list_push(OX_AS(job->held, int), k))
EACH_WRITER(List, ox_list_writer, ox_list_write(OX_AS(job->held, int), i))
READERS(Bits, ox_bits, (void)ox_bits_is_set(job->held, k % HELD))
WRITER(Bits, ox_bits, ox_bits_set(job->held, k % HELD, k % 2 != 0))
READERS(Queue, ox_queue, (void)ox_queue_read(OX_AS(job->held, int), k % HELD))
WRITER(Queue, ox_queue, ox_queue_push(OX_AS(job->held, int), k))
EACH_WRITER(Queue, ox_queue_writer, ox_queue_write(OX_AS(job->held, int), i))
READERS(Map, ox_map, (void)ox_map_find(OX_AS(job->held, int, int), k % HELD))
WRITER(Map, ox_map, ox_map_set(OX_AS(job->held, int, int), k, k))
EACH_WRITER(Map, ox_map_writer, ox_map_write(OX_AS(job->held, int, int), 100 + i, i))
READERS(Multimap, ox_multimap, (void)ox_multimap_has(OX_AS(job->held, int, int), k % HELD))
WRITER(Multimap, ox_multimap, ox_multimap_add(OX_AS(job->held, int, int), k % HELD, k))
EACH_WRITER(Multimap, ox_multimap_writer, ox_multimap_write(OX_AS(job->held, int, int), i, i))
READERS(Stream, ox_stream, (void)ox_stream_count(job->held))
EACH_WRITER(Stream, ox_stream_writer, ox_stream_write(job->held, int, i))

#define SINGLE(Job, container) ox_schedule(Job, OX_NO_JOB, {container})
#define EACH(Job, container)   ox_schedule_for(Job, HELD, 1, OX_NO_JOB, {container})
#define BEHIND(Job, container) ox_schedule_background(Job, OX_NO_JOB, {container})

// The kinds of jobs of one container: the columns of its rows.
typedef struct job_row {
    const char *letters; // one for each that is there
    ox_job (*schedule)(held *h, char letter);
} job_row;

// r reads, w writes, b writes in the background, p reads in parallel, a adds in parallel, v writes
// a view of it
#define JOBS_OF(Name, container, more)                                                             \
    static ox_job schedule_##container(held *h, char letter) {                                     \
        switch (letter) {                                                                          \
        case 'r':                                                                                  \
            return SINGLE(Name##Reads, h->container);                                              \
        case 'p':                                                                                  \
            return EACH(Name##EachReads, h->container);                                            \
            more                                                                                   \
        }                                                                                          \
        return OX_NO_JOB;                                                                          \
    }
#define WRITING(Name, container)                                                                   \
    case 'w':                                                                                      \
        return SINGLE(Name##Writes, h->container);                                                 \
    case 'b':                                                                                      \
        return BEHIND(Name##Writes, h->container);
#define ADDING(Name, writer)                                                                       \
    case 'a':                                                                                      \
        return EACH(Name##EachWrites, writer);
#define VIEWING(Name, view)                                                                        \
    case 'v':                                                                                      \
        return SINGLE(Name##Writes, view);

JOBS_OF(Array, array,
        WRITING(Array, array) ADDING(Array, h->array)
            VIEWING(Slice, ox_array_slice(h->array, 0, 4)))
JOBS_OF(List, list,
        WRITING(List, list) ADDING(List, ox_list_writer_of(h->list))
            VIEWING(Array, ox_list_as_array(h->list)))
JOBS_OF(Bits, bits, WRITING(Bits, bits))
JOBS_OF(Queue, queue, WRITING(Queue, queue) ADDING(Queue, ox_queue_writer_of(h->queue)))
JOBS_OF(Map, map, WRITING(Map, map) ADDING(Map, ox_map_writer_of(h->map)))
JOBS_OF(Multimap, multimap,
        WRITING(Multimap, multimap) ADDING(Multimap, ox_multimap_writer_of(h->multimap)))
JOBS_OF(Stream, stream, ADDING(Stream, ox_stream_writer_of(h->stream)))

static const job_row of_array = {"rpwbav", schedule_array}, of_list = {"rpwbav", schedule_list},
                     of_bits = {"rpwb", schedule_bits}, of_queue = {"rpwba", schedule_queue},
                     of_map = {"rpwba", schedule_map}, of_multimap = {"rpwba", schedule_multimap},
                     of_stream = {"rpa", schedule_stream};

// Uses. Each is true when it did something.
#define USE(name, what)                                                                            \
    static bool use_##name(held *h) {                                                              \
        return what;                                                                               \
    }
#define DO(name, what)                                                                             \
    static bool use_##name(held *h) {                                                              \
        what;                                                                                      \
        return true;                                                                               \
    }

DO(array_get, (void)ox_array_read(OX_AS(h->array, int), 1))
DO(array_set, ox_array_set(OX_AS(h->array, int), 1, 5))
DO(array_data, (void)*ox_array_get_data(OX_AS(h->array, int)))
DO(array_fill, ox_array_fill(OX_AS(h->array, int), 3))
DO(slice_get, (void)ox_slice_read(OX_AS(h->slice, int), 1))
DO(slice_set, ox_slice_set(OX_AS(h->slice, int), 1, 5))
DO(list_get, (void)ox_list_read(OX_AS(h->list, int), 1))
DO(list_set, ox_list_set(OX_AS(h->list, int), 1, 5))
USE(list_push, ox_list_push(OX_AS(h->list, int), 5))
USE(list_count, ox_list_count(h->list) >= HELD)
USE(list_resize, ox_list_resize(OX_AS(h->list, int), 100))
USE(list_as_array, ox_array_is_created(ox_list_as_array(h->list)))
DO(of_list_get, (void)ox_array_read(OX_AS(h->of_list, int), 1))
DO(of_list_set, ox_array_set(OX_AS(h->of_list, int), 1, 5))
DO(list_slice_get, (void)ox_slice_read(OX_AS(h->of_list_too, int), 1))
DO(list_slice_set, ox_slice_set(OX_AS(h->of_list_too, int), 1, 5))
DO(slice_of_view_get, (void)ox_slice_read(OX_AS(h->of_of_list, int), 1))
DO(slice_of_view_set, ox_slice_set(OX_AS(h->of_of_list, int), 1, 5))
DO(bits_get, (void)ox_bits_is_set(h->bits, 1))
DO(bits_set, ox_bits_set(h->bits, 1, true))
DO(bits_count_set, (void)ox_bits_count_set(h->bits))
DO(queue_get, (void)ox_queue_read(OX_AS(h->queue, int), 1))
USE(queue_push, ox_queue_push(OX_AS(h->queue, int), 5))
DO(queue_pop, (void)ox_queue_pop(OX_AS(h->queue, int)))
USE(map_find, ox_map_find(OX_AS(h->map, int, int), 1) != NULL)
USE(map_edit, ox_map_edit(OX_AS(h->map, int, int), 1) != NULL)
USE(map_add, ox_map_add(OX_AS(h->map, int, int), 900, 1))
USE(walk_next, ox_map_walk_next(&h->walk))
USE(walk_key, ox_map_walk_key(&h->walk, int) != NULL)
USE(walk_value, ox_map_walk_get(&h->walk, int) != NULL)
USE(walk_edit, ox_map_walk_edit(&h->walk, int) != NULL)
USE(walk_remove, ox_map_walk_remove(&h->walk))
USE(multimap_has, ox_multimap_has(OX_AS(h->multimap, int, int), 1))
USE(multimap_add, ox_multimap_add(OX_AS(h->multimap, int, int), 1, 1))
USE(values_next, ox_multimap_walk_next(&h->values))
USE(values_value, ox_multimap_walk_get(&h->values, int) != NULL)
USE(values_edit, ox_multimap_walk_edit(&h->values, int) != NULL)
USE(values_remove, ox_multimap_walk_remove(h->multimap, &h->values))
USE(pairs_next, ox_multimap_walk_next_pair(&h->pairs))
USE(stream_count, ox_stream_count(h->stream) >= HELD)
USE(reader_next, ox_stream_reader_next(&h->reader, int) >= 0)
USE(reader_peek, ox_stream_reader_peek(&h->reader, int) >= 0)
USE(reader_skip, ox_stream_reader_skip(&h->reader))
USE(stream_read, ox_stream_reader_of(h->stream).at != NULL)

// The matrix. A column for each kind of job of the container, in the order of its letters:
//
//     .  main goes on beside the job
//     H  refused: the job holds it, OX-A04
//     V  the view ended when a job came that may change the container's size, OX-A09

typedef struct handle_row {
    const char *name;
    const job_row *jobs;
    bool (*use)(held *h);
    const char *row;
} handle_row;

static const handle_row handles[] = {
    {"array, get", &of_array, use_array_get, "..HHHH"},
    {"array, set", &of_array, use_array_set, "HHHHHH"},
    {"array, data", &of_array, use_array_data, "..HHHH"},
    {"array, fill", &of_array, use_array_fill, "HHHHHH"},
    {"slice, get", &of_array, use_slice_get, "..HHHH"},
    {"slice, set", &of_array, use_slice_set, "HHHHHH"},
    {"list, get", &of_list, use_list_get, "..HHHH"},
    {"list, set", &of_list, use_list_set, "HHHHHH"},
    {"list, push", &of_list, use_list_push, "HHHHHH"},
    {"list, count", &of_list, use_list_count, "..HHHH"},
    {"list, resize", &of_list, use_list_resize, "HHHHHH"},
    {"list, as array", &of_list, use_list_as_array, "..HHH."},
    {"array over a list, get", &of_list, use_of_list_get, "..VVVH"},
    {"array over a list, set", &of_list, use_of_list_set, "HHVVVH"},
    {"slice of a list, get", &of_list, use_list_slice_get, "..VVVH"},
    {"slice of a list, set", &of_list, use_list_slice_set, "HHVVVH"},
    {"slice of an array over a list, get", &of_list, use_slice_of_view_get, "..VVVH"},
    {"slice of an array over a list, set", &of_list, use_slice_of_view_set, "HHVVVH"},
    {"bits, get", &of_bits, use_bits_get, "..HH"},
    {"bits, set", &of_bits, use_bits_set, "HHHH"},
    {"bits, count set", &of_bits, use_bits_count_set, "..HH"},
    {"queue, get", &of_queue, use_queue_get, "..HHH"},
    {"queue, push", &of_queue, use_queue_push, "HHHHH"},
    {"queue, pop", &of_queue, use_queue_pop, "HHHHH"},
    {"map, find", &of_map, use_map_find, "..HHH"},
    {"map, edit", &of_map, use_map_edit, "HHHHH"},
    {"map, add", &of_map, use_map_add, "HHHHH"},
    {"map walk, next", &of_map, use_walk_next, "..HHH"},
    {"map walk, key", &of_map, use_walk_key, "..HHH"},
    {"map walk, value", &of_map, use_walk_value, "..HHH"},
    {"map walk, edit", &of_map, use_walk_edit, "HHHHH"},
    {"map walk, remove", &of_map, use_walk_remove, "HHHHH"},
    {"multimap, has", &of_multimap, use_multimap_has, "..HHH"},
    {"multimap, add", &of_multimap, use_multimap_add, "HHHHH"},
    {"values of a key, next", &of_multimap, use_values_next, "..HHH"},
    {"values of a key, value", &of_multimap, use_values_value, "..HHH"},
    {"values of a key, edit", &of_multimap, use_values_edit, "HHHHH"},
    {"values of a key, remove", &of_multimap, use_values_remove, "HHHHH"},
    {"pairs, next", &of_multimap, use_pairs_next, "..HHH"},
    {"stream, count", &of_stream, use_stream_count, "..H"},
    {"stream, read", &of_stream, use_stream_read, "..H"},
    {"reader, next", &of_stream, use_reader_next, "..H"},
    {"reader, peek", &of_stream, use_reader_peek, "..H"},
    {"reader, skip", &of_stream, use_reader_skip, "..H"},
};

static void begin_held(held *h) {
    memset(h, 0, sizeof *h);
    collect_reports(&h->reports);
    h->array = ox_array_create_untyped(int, HELD, OX_PERSISTENT);
    h->list = ox_list_create_untyped(int, 4 * HELD, OX_PERSISTENT);
    h->bits = ox_bits_create(HELD, OX_PERSISTENT);
    h->queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    h->map = ox_map_create_untyped(int, int, 4 * HELD, OX_PERSISTENT);
    h->multimap = ox_multimap_create_untyped(int, int, 4 * HELD, OX_PERSISTENT);
    h->stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(h->stream);
    for (int k = 0; k < HELD; k++) {
        ox_list_push(OX_AS(h->list, int), k);
        ox_queue_push(OX_AS(h->queue, int), k);
        ox_map_add(OX_AS(h->map, int, int), k, k);
        ox_multimap_add(OX_AS(h->multimap, int, int), k, k);
        ox_multimap_add(OX_AS(h->multimap, int, int), k, k + 1);
        ox_stream_write(writer, int, k);
    }
    h->slice = ox_array_slice(h->array, 0, 4);
    h->of_list = ox_list_as_array(h->list);
    h->of_list_too = ox_array_slice(ox_list_as_array(h->list), 0, 4);
    h->of_of_list = ox_array_slice(h->of_list, 0, 4);
    h->walk = ox_map_walk_begin(h->map);
    ox_map_walk_next(&h->walk);
    ox_multimap_walk_next(
        (*(&h->values) = ox_multimap_walk_begin(OX_AS(h->multimap, int, int), 1), &h->values));
    h->pairs = oxi_multimap_walk_at(h->multimap, oxi_multimap_type_pair_of(int, int), OX_HERE);
    h->reader = ox_stream_reader_of(h->stream);
    atomic_store(&running, 0);
    EXPECT_EQ(h->reports.count, 0);
}

static void end_held(held *h) {
    ox_complete(h->job);
    ox_dispose(&h->array);
    ox_dispose(&h->list);
    ox_dispose(&h->bits);
    ox_dispose(&h->queue);
    ox_dispose(&h->map);
    ox_dispose(&h->multimap);
    ox_dispose(&h->stream);
    EXPECT_EQ(h->reports.count, 0);
}

static char name_outcome(const held *h, bool is_done) {
    switch (h->reports.count > 0 ? h->reports.last : OX_REPORT_NONE) {
    case OX_REPORT_NONE:
        return is_done ? '.' : '!';
    case OX_REPORT_JOB_HOLDS:
        return 'H';
    case OX_REPORT_VIEW_ENDED:
        return 'V';
    default:
        return '?';
    }
}

// @return true for a cell that is as the matrix says.
static bool check_cell(const handle_row *handle, int column) {
    held h;
    begin_held(&h);

    h.job = handle->jobs->schedule(&h, handle->jobs->letters[column]);
    EXPECT(h.job.value != 0);
    ox_jobs_kick();
    wait_for_value(&running, 1, "a job of the matrix");
    bool is_done = handle->use(&h);

    char outcome = name_outcome(&h, is_done);
    bool is_right = outcome == handle->row[column] && h.reports.count <= 1;
    if (!is_right) {
        printf("%s, job '%c': '%c' instead of '%c', %d reports\n%s\n", handle->name,
               handle->jobs->letters[column], outcome, handle->row[column], h.reports.count,
               h.reports.count > 0 ? h.reports.text : "");
    }
    h.reports.count = 0;
    end_held(&h);
    return is_right;
}

TEST_CHECKED(container_handles, are_judged_against_every_job_that_is_scheduled_after_them) {
    int wrong = 0;
    start_workers_of_test(2);
    for (size_t k = 0; k < sizeof handles / sizeof *handles; k++) {
        EXPECT_EQ(strlen(handles[k].row), strlen(handles[k].jobs->letters));
        for (int n = 0; handles[k].row[n] != 0; n++) {
            wrong += !check_cell(&handles[k], n);
        }
    }
    ox_jobs_stop();
    ox_frame_end();
    EXPECT_EQ(wrong, 0);
}
