// SPDX-License-Identifier: MIT
//
// Traces of slow frames alone: recording goes on from frame to frame, and what was recorded is
// looked at when a frame took too long, else forgotten. You see the jobs of that frame in the order
// in which they began. There are no workers here, so that the order is always the same.

#include <oxbow.h>

#include <stdio.h>

OX_JOB(Input, { int frame; }) {
    (void)job;
}

OX_JOB(Simulate, { int frame; }) {
    (void)job;
}

OX_JOB(Load, { int frame; }) {
    (void)job;
}

OX_JOB(Draw, { int frame; }) {
    (void)job;
}

static bool is_slow(int frame) {
    return frame == 2; // by a clock, in a game
}

static void run_frame(int frame) {
    ox_job input = ox_schedule(Input, OX_NO_JOB, {frame});
    ox_job simulated = ox_schedule(Simulate, input, {frame});
    if (frame == 2) {
        simulated = ox_schedule(Load, simulated, {frame});
    }
    ox_complete(ox_schedule(Draw, simulated, {frame}));
}

// Times of events are those of one clock: what they mean is how long after the beginning they are.
static void print_trace(void) {
    uint64_t start = ox_trace_get_start(), last = 0;
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        int count;
        const ox_trace_event *events = ox_trace_get_events(thread, &count);
        for (int k = 0; k < count; k++) {
            uint64_t at = events[k].begin_ns - start;
            printf("  %s%s\n", events[k].name, at >= last ? "" : ", out of order");
            last = at;
        }
    }
}

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    for (int frame = 0; frame < 4; frame++) {
        ox_trace_begin(1000); // forgets the frame before
        run_frame(frame);
        ox_trace_end();
        if (is_slow(frame)) {
            printf("frame %d was slow:\n", frame);
            print_trace();
        }
    }

    // A part that should not be in the trace may ask, as one that costs time while it is on.
    printf("recording: %d\n", ox_trace_is_recording());
    ox_trace_clear();
    ox_jobs_stop();
}

// Output:
// frame 2 was slow:
//   Input
//   Simulate
//   Load
//   Draw
// recording: 0
