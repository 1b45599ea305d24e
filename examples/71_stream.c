// SPDX-License-Identifier: MIT
//
// A stream: values of any types, one after another. Soldiers fight in a parallel job and write what
// happens, each event with the values that belong to it; main reads them back in the order of the
// soldiers, on any number of workers.

#include <oxbow.h>

#include <stdio.h>

enum { SOLDIERS = 9 };

typedef enum Event { HIT, HEAL, SHOUT } Event;

typedef struct Hit {
    int target;
    float force;
} Hit;

typedef struct Words {
    char text[12];
} Words;

OX_PARALLEL_JOB(Fight, { ox_stream_writer events; }) {
    if (i % 4 == 0) {
        ox_stream_write(job->events, Event, HIT);
        ox_stream_write(job->events, Hit, {.target = (i + 5) % SOLDIERS, .force = 2.5f});
    } else if (i % 4 == 2) {
        ox_stream_write(job->events, Event, HEAL);
        ox_stream_write(job->events, int, i * 10);
    } else if (i == 5) {
        ox_stream_write(job->events, Event, SHOUT);
        ox_stream_write(job->events, Words, {"forward"});
    }
}

static void print_events(ox_stream events) {
    ox_stream_reader reader = ox_stream_reader_of(events);
    while (ox_stream_reader_has_next(&reader)) {
        switch (ox_stream_reader_next(&reader, Event)) {
        case HIT: {
            Hit hit = ox_stream_reader_next(&reader, Hit);
            printf("soldier %d is hit by %.1f\n", hit.target, hit.force);
            break;
        }
        case HEAL:
            printf("healed by %d\n", ox_stream_reader_next(&reader, int));
            break;
        case SHOUT:
            printf("'%s'\n", ox_stream_reader_next(&reader, Words).text);
            break;
        }
    }
}

// Looks before it reads: values of events that are of no interest are skipped, whatever their type.
static int count_hits(ox_stream events) {
    int hits = 0;
    ox_stream_reader reader = ox_stream_reader_of(events);
    while (ox_stream_reader_has_next(&reader)) {
        hits += ox_stream_reader_peek(&reader, Event) == HIT;
        ox_stream_reader_skip(&reader);
        ox_stream_reader_skip(&reader);
    }
    return hits;
}

int main(void) {
    ox_stream events = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(events); // one for main and all jobs
    ox_job fought = ox_schedule_for(Fight, SOLDIERS, 2, OX_NO_JOB, {writer});
    ox_complete(ox_stream_merge_after(events, fought)); // by a job, so that main need not

    // What main writes comes behind what jobs wrote.
    ox_stream_write(writer, Event, SHOUT);
    ox_stream_write(writer, Words, {"halt"});
    printf("%d values, %d hits\n", (int)ox_stream_count(events), count_hits(events));
    print_events(events);

    ox_stream_clear(events); // the memory is kept for the next frame
    printf("empty: %d\n", ox_stream_is_empty(events));
    ox_dispose(&events);
    printf("created: %d\n", ox_stream_is_created(events));
}

// Output:
// 14 values, 3 hits
// soldier 5 is hit by 2.5
// healed by 20
// soldier 0 is hit by 2.5
// 'forward'
// healed by 60
// soldier 4 is hit by 2.5
// 'halt'
// empty: 1
// created: 0
