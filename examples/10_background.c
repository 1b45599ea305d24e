// SPDX-License-Identifier: MIT
//
// Work that outlives a frame: a background job loads something on a thread of its own while frames
// go on, and a frame job waits for it.

#include <oxbow.h>

#include <stdio.h>

OX_JOB(LoadLevel, {
    int index;
    OX_NO_SAFETY int *tiles;
}) {
    int sum = 0;
    for (int i = 0; i < 5000000; i++) {
        sum += i % (job->index + 1);
    }
    *job->tiles = sum;
}

OX_JOB(CountTiles, {
    OX_NO_SAFETY const int *tiles;
    OX_NO_SAFETY int *count;
}) {
    *job->count = *job->tiles;
}

OX_PARALLEL_JOB(Simulate, { OX_NO_SAFETY float *heat; }) {
    job->heat[i] = job->heat[i] * 0.5f + 1.0f;
}

int main(void) {
    static float heat[10000];
    int tiles = 0, count = 0;
    ox_job load = ox_schedule_background(LoadLevel, OX_NO_JOB, {.index = 3, .tiles = &tiles});
    ox_job after = ox_schedule(CountTiles, load, {.tiles = &tiles, .count = &count});
    ox_jobs_kick();

    // Frames do not wait for it, and no worker is busy with it.
    int frames = 0;
    do {
        ox_complete(ox_schedule_for(Simulate, 10000, 256, OX_NO_JOB, {heat}));
        ox_frame_end();
        frames++;
    } while (!ox_job_is_complete(after));
    ox_complete(after);

    printf("tiles: %d, frames meanwhile: %s\n", count, frames > 0 ? "some" : "none");
    ox_jobs_stop();
}

// Output:
// tiles: 7500000, frames meanwhile: some
