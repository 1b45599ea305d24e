// SPDX-License-Identifier: MIT
//
// A parallel job: one index at a time, or one batch at a time. A thousand indices in batches of 64
// make fifteen batches of 64 and one of 40.

#include <oxbow.h>

#include <stdio.h>

OX_PARALLEL_JOB(AddAll, {
    float a;
    OX_NO_SAFETY float *b;
}) {
    job->b[i] += job->a;
}

// The range form sees its batch, and may keep something for it: here a sum, without sharing.
OX_RANGE_JOB(SumBatches, {
    OX_NO_SAFETY const float *b;
    OX_NO_SAFETY float *sums;
    OX_NO_SAFETY int *sizes;
}) {
    float sum = 0;
    for (int i = begin; i < end; i++) {
        sum += job->b[i];
    }
    job->sums[begin / 64] = sum;
    job->sizes[begin / 64] = end - begin;
}

int main(void) {
    float *b = ox_memory_array(float, 1000, OX_TEMP_JOB);
    for (int i = 0; i < 1000; i++) {
        b[i] = (float)i;
    }
    float sums[16];
    int sizes[16];

    ox_job add = ox_schedule_for(AddAll, 1000, 64, ox_none, {.a = 5, .b = b});
    ox_job sum = ox_schedule_for(SumBatches, 1000, 64, add, {b, sums, sizes});
    ox_jobs_kick();
    ox_complete(sum);

    printf("b[0]: %.1f\nb[4]: %.1f\n", b[0], b[4]);
    int full = 0;
    for (int k = 0; k < 16; k++) {
        full += sizes[k] == 64;
    }
    printf("batches: %d of 64, the last has %d and a sum of %.0f\n", full, sizes[15], sums[15]);
    ox_memory_free_array(float, b, 1000, OX_TEMP_JOB);
}

// Output:
// b[0]: 5.0
// b[4]: 9.0
// batches: 15 of 64, the last has 40 and a sum of 39380
