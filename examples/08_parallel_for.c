// SPDX-License-Identifier: MIT
//
// A parallel job: one index at a time, or one batch at a time. A thousand indices in batches of 64
// make fifteen batches of 64 and one of 40.

#include <oxbow.h>

#include <stdio.h>

OX_PARALLEL_JOB(AddAll, {
    float a;
    ox_array b;
}) {
    *ox_array_edit(float, job->b, i) += job->a;
}

// The range form sees its batch, and may keep something for it: here a sum. Its results are not
// one for each index, so that they do not overlap is up to us: OX_UNRESTRICTED.
OX_RANGE_JOB(SumBatches, {
    OX_READ_ONLY ox_array b;
    OX_UNRESTRICTED ox_array sums;
    OX_UNRESTRICTED ox_array sizes;
}) {
    const float *b = ox_array_get_range(float, job->b, begin, end);
    float sum = 0;
    for (int i = 0; i < end - begin; i++) {
        sum += b[i];
    }
    ox_array_set(float, job->sums, begin / 64, sum);
    ox_array_set(int, job->sizes, begin / 64, end - begin);
}

int main(void) {
    ox_array b = ox_array_create(float, 1000, OX_TEMP_JOB);
    for (int i = 0; i < 1000; i++) {
        ox_array_set(float, b, i, (float)i);
    }
    ox_array sums = ox_array_create(float, 16, OX_TEMP_JOB);
    ox_array sizes = ox_array_create(int, 16, OX_TEMP_JOB);

    ox_job add = ox_schedule_for(AddAll, 1000, 64, OX_NO_JOB, {.a = 5, .b = b});
    ox_job sum = ox_schedule_for(SumBatches, 1000, 64, add, {b, sums, sizes});
    ox_jobs_kick();
    ox_complete(sum);

    printf("b[0]: %.1f\nb[4]: %.1f\n", ox_array_read(float, b, 0), ox_array_read(float, b, 4));
    int full = 0;
    for (int k = 0; k < 16; k++) {
        full += ox_array_read(int, sizes, k) == 64;
    }
    printf("batches: %d of 64, the last has %d and a sum of %.0f\n", full,
           ox_array_read(int, sizes, 15), ox_array_read(float, sums, 15));
    ox_dispose(&b);
    ox_dispose(&sums);
    ox_dispose(&sizes);
}

// Output:
// b[0]: 5.0
// b[4]: 9.0
// batches: 15 of 64, the last has 40 and a sum of 39380
