// SPDX-License-Identifier: MIT
//
// Record a frame of jobs, look at it as data, and write it for a viewer: 09_trace [FILE], then open
// the file in ui.perfetto.dev, chrome://tracing or speedscope. docs/trace.md has its picture.

#include <oxbow/trace.h>

#include <stdio.h>
#include <string.h>

enum { COUNT = 1000, BATCH = 64 };

static float speed[COUNT], place[COUNT], frame[COUNT], picture[COUNT];

// Something to do: a few nanoseconds for each turn.
static float work(float value, int turns) {
    for (int k = 0; k < turns; k++) {
        value = value * 0.999f + 1.0f / (value + 1.0f);
    }
    return value;
}

OX_JOB(Input, { OX_NO_SAFETY float *speed; }) {
    for (int i = 0; i < COUNT; i++) {
        job->speed[i] = work(job->speed[i], 50);
    }
}

OX_RANGE_JOB(Steer, { OX_NO_SAFETY float *speed, *place; }) {
    for (int i = begin; i < end; i++) {
        job->place[i] += work(job->speed[i], 400);
    }
}

OX_RANGE_JOB(Animate, { OX_NO_SAFETY float *frame; }) {
    for (int i = begin; i < end; i++) {
        job->frame[i] = work(job->frame[i], 200);
    }
}

OX_JOB(Draw, {
    OX_NO_SAFETY const float *place, *frame;
    OX_NO_SAFETY float *picture;
}) {
    for (int i = 0; i < COUNT; i++) {
        job->picture[i] = work(job->place[i] + job->frame[i], 50);
    }
}

static void run_frame(void) {
    ox_job input = ox_schedule(Input, OX_NO_JOB, {.speed = speed});
    ox_job steer = ox_schedule_for(Steer, COUNT, BATCH, input, {.speed = speed, .place = place});
    ox_job animate = ox_schedule_for(Animate, COUNT, BATCH, OX_NO_JOB, {.frame = frame});
    ox_job both = ox_combine(steer, animate);
    ox_job draw = ox_schedule(Draw, both, {.place = place, .frame = frame, .picture = picture});
    ox_jobs_kick();
    ox_complete(draw);
}

// The name of a job in the trace, which is complete by now.
static const char *find_name(ox_job job) {
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        int count;
        const ox_trace_event *events = ox_trace_get_events(thread, &count);
        for (int k = 0; k < count; k++) {
            if (events[k].job.value == job.value && job.value != 0) {
                return events[k].name;
            }
        }
    }
    return "nothing";
}

static void print_job(const char *name) {
    int whole = 0, rest = 0;
    ox_job waited_for = OX_NO_JOB;
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        int count;
        const ox_trace_event *events = ox_trace_get_events(thread, &count);
        for (int k = 0; k < count; k++) {
            if (strcmp(events[k].name, name) == 0) {
                bool is_range = events[k].kind == OX_TRACE_RANGE;
                whole += is_range && events[k].end - events[k].begin == BATCH;
                rest += is_range && events[k].end - events[k].begin < BATCH;
                waited_for = events[k].waited_for;
            }
        }
    }
    printf("%s: %d ranges of %d and %d smaller, after %s\n", name, whole, BATCH, rest,
           find_name(waited_for));
}

int main(int argc, char **argv) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = 3});
    run_frame(); // the first one pays for what is new

    ox_trace_begin(0);
    run_frame();
    ox_trace_end();
    print_job("Input");
    print_job("Steer");
    print_job("Animate");
    printf("dropped: %d\n", (int)ox_trace_get_dropped());

    bool ok = ox_trace_write_chrome(argc > 1 ? argv[1] : "/tmp/oxbow_trace.json");
    ox_trace_clear();
    ox_jobs_stop();
    printf("written: %d\n", ok);
}

// Output:
// Input: 0 ranges of 64 and 0 smaller, after nothing
// Steer: 15 ranges of 64 and 1 smaller, after Input
// Animate: 15 ranges of 64 and 1 smaller, after nothing
// dropped: 0
// written: 1
