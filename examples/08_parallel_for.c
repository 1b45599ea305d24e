// SPDX-License-Identifier: MIT
//
// A parallel job: one index at a time, or one batch at a time. A thousand indices in batches of 64
// make fifteen batches of 64 and one of 40.

#include <oxbow.h>

#include <stdio.h>

OX_ARRAY(Floats, float);
OX_ARRAY(Ints, int);

OX_PARALLEL_JOB(AddAll, {
    float a;
    Floats b;
}) {
    *ox_array_edit(job->b, i) += job->a;
}

// The range form sees its batch, and may keep something for it: here a sum. Its results are not
// one for each index, so that they do not overlap is up to us: OX_UNRESTRICTED.
OX_RANGE_JOB(SumBatches, {
    OX_READ_ONLY Floats b;
    OX_UNRESTRICTED Floats sums;
    OX_UNRESTRICTED Ints sizes;
}) {
    const float *b = ox_array_get_range(job->b, begin, end);
    float sum = 0;
    for (int i = 0; i < end - begin; i++) {
        sum += b[i];
    }
    ox_array_set(job->sums, begin / 64, sum);
    ox_array_set(job->sizes, begin / 64, end - begin);
}

int main(void) {
    Floats b = ox_array_create(Floats, 1000, OX_TEMP_JOB);
    for (int i = 0; i < 1000; i++) {
        ox_array_set(b, i, (float)i);
    }
    Floats sums = ox_array_create(Floats, 16, OX_TEMP_JOB);
    Ints sizes = ox_array_create(Ints, 16, OX_TEMP_JOB);

    ox_job add = ox_schedule_for(AddAll, 1000, 64, OX_NO_JOB, {.a = 5, .b = b});
    ox_job sum = ox_schedule_for(SumBatches, 1000, 64, add, {b, sums, sizes});
    ox_jobs_kick();
    ox_complete(sum);

    printf("b[0]: %.1f\nb[4]: %.1f\n", ox_array_read(b, 0), ox_array_read(b, 4));
    int full = 0;
    for (int k = 0; k < 16; k++) {
        full += ox_array_read(sizes, k) == 64;
    }
    printf("batches: %d of 64, the last has %d and a sum of %.0f\n", full, ox_array_read(sizes, 15),
           ox_array_read(sums, 15));
    ox_dispose(&b);
    ox_dispose(&sums);
    ox_dispose(&sizes);
}

// Output:
// b[0]: 5.0
// b[4]: 9.0
// batches: 15 of 64, the last has 40 and a sum of 39380
