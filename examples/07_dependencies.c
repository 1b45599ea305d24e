// SPDX-License-Identifier: MIT
//
// Jobs in order: one after another, one after several, and completing the last completes them all.

#include <oxbow.h>

#include <stdio.h>

OX_JOB(Times, {
    int factor;
    OX_NO_SAFETY int *value;
}) {
    *job->value *= job->factor;
}

OX_JOB(Sum, {
    OX_NO_SAFETY const int *left;
    OX_NO_SAFETY const int *right;
    OX_NO_SAFETY int *sum;
}) {
    *job->sum = *job->left + *job->right;
}

int main(void) {
    // Two threads beside main are enough here.
    ox_jobs_start(&(ox_jobs_def){.worker_count = 2});

    int left = 1, right = 1, sum = 0;
    ox_job a = ox_schedule(Times, ox_none, {.factor = 2, .value = &left});
    ox_job b = ox_schedule(Times, a, {.factor = 5, .value = &left}); // after a
    ox_job c = ox_schedule(Times, ox_none, {.factor = 7, .value = &right});
    ox_job both = ox_combine(b, c);
    ox_job total = ox_schedule(Sum, both, {.left = &left, .right = &right, .sum = &sum});

    // Nothing was kicked: completing the last shows these five to the workers, and no other job.
    ox_complete(total);
    printf("%d x 5 + %d = %d\n", left / 5, right, sum);
    printf("all complete: %d\n", ox_is_complete(a) && ox_is_complete(b) && ox_is_complete(c));

    // Any number of handles, from an array.
    ox_job many[100];
    int values[100];
    for (int i = 0; i < 100; i++) {
        values[i] = i;
        many[i] = ox_schedule(Times, ox_none, {.factor = 3, .value = &values[i]});
    }
    ox_jobs_complete_at(many, 100, OX_HERE);
    printf("values[99] = %d\n", values[99]);
    ox_jobs_stop();
}

// Output:
// 2 x 5 + 7 = 17
// all complete: 1
// values[99] = 297
