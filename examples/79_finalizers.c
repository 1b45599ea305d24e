// SPDX-License-Identifier: MIT
//
// A language with a collector of its own gives containers up when it likes, also while a job still
// uses them: its finalizer lets a job free them behind that one. Until then nothing waits. You see
// that the job had all it needs, and that nothing is left.

#include <oxbow.h>

#include <stdio.h>

// What the language keeps of a frame: containers of every kind, all for one job.
typedef struct Frame {
    ox_array weights;
    ox_bits marked;
    ox_list numbers;
    ox_queue orders;
    ox_stream events;
    ox_map prices;
    ox_multimap links;
    double *sum;
} Frame;

OX_JOB(Sum, {
    OX_READ_ONLY ox_array weights;
    OX_READ_ONLY ox_bits marked;
    OX_READ_ONLY ox_list numbers;
    OX_READ_ONLY ox_queue orders;
    OX_READ_ONLY ox_stream events;
    OX_READ_ONLY ox_map prices;
    OX_READ_ONLY ox_multimap links;
    OX_NO_SAFETY double *sum;
}) {
    *job->sum = ox_array_read(OX_AS(job->weights, double), 0) + ox_bits_count_set(job->marked);
    *job->sum += ox_list_read(OX_AS(job->numbers, double), 0);
    *job->sum += ox_queue_read(OX_AS(job->orders, double), 0);
    ox_stream_reader reader = ox_stream_reader_of(job->events);
    *job->sum += ox_stream_reader_next(&reader, double);
    *job->sum += ox_map_read(OX_AS(job->prices, char, double), 'a');
    *job->sum += ox_multimap_count(job->links);
}

// A map may be made from a def as well, with an allocator and functions of its own.
static Frame create_frame(ox_allocator allocator, double *sum) {
    ox_map_def def = {.capacity = 8, .allocator = allocator};
    return (Frame){
        .weights = ox_array_create_untyped(double, 4, allocator),
        .marked = ox_bits_create(64, allocator),
        .numbers = ox_list_create_untyped(double, 4, allocator),
        .orders = ox_queue_create_untyped(double, 4, allocator),
        .events = ox_stream_create(allocator),
        .prices = ox_map_create_with_untyped(char, double, def),
        .links = ox_multimap_create_with_untyped(char, double, def),
        .sum = sum,
    };
}

static void fill_frame(Frame frame) {
    ox_array_fill(OX_AS(frame.weights, double), 1);
    ox_bits_set_range(frame.marked, 0, 20, true);
    ox_list_push(OX_AS(frame.numbers, double), 300);
    ox_queue_push(OX_AS(frame.orders, double), 4000);
    ox_stream_write(ox_stream_writer_of(frame.events), double, 50000);
    ox_map_set(OX_AS(frame.prices, char, double), 'a', 600000);
    ox_multimap_add(OX_AS(frame.links, char, double), 'a', 0);
}

// The handles are dead from here on; the memory goes when `after` is done. Any thread may run that.
static ox_job finalize(Frame *frame, ox_job after, ox_site line) {
    ox_job freed[] = {
        ox_array_dispose_at(&frame->weights, after, line),
        ox_bits_dispose_at(&frame->marked, after, line),
        ox_list_dispose_at(&frame->numbers, after, line),
        ox_queue_dispose_at(&frame->orders, after, line),
        ox_stream_dispose_at(&frame->events, after, line),
        ox_map_dispose_at(&frame->prices, after, line),
        ox_multimap_dispose_at(&frame->links, after, line),
    };
    return ox_combine_at(freed, 7, line);
}

int main(void) {
    double sum = 0;
    Frame frame = create_frame(OX_PERSISTENT, &sum);
    fill_frame(frame);
    ox_job summed = ox_schedule(Sum, OX_NO_JOB,
                                {frame.weights, frame.marked, frame.numbers, frame.orders,
                                 frame.events, frame.prices, frame.links, frame.sum});
    ox_job freed = finalize(&frame, summed, "script:40");
    printf("the handle is dead: %d\n", !ox_array_is_created(frame.weights));
    ox_complete(freed);
    printf("sum: %.0f, leaks: %d\n", sum, (int)ox_memory_check_leaks());
}

// Output:
// the handle is dead: 1
// sum: 654322, leaks: 0
