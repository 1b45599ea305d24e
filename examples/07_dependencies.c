// SPDX-License-Identifier: MIT
//
// Jobs in order: one after another, one after several; completing the last completes them all, and
// no others. You see when a job is begun, and when it is not.

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

static void print_three(const char *call, const ox_job *jobs) {
    printf("%s:", call);
    for (int k = 0; k < 3; k++) {
        printf(" %s", ox_job_is_complete(jobs[k]) ? "done" : "open");
    }
    printf("\n");
}

// A job is begun by a kick, by completing it, or by completing one that waits for it. Two follow
// each other here, the third is alone.
static void show_begin(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    int a = 1, b = 1;
    ox_job jobs[3] = {ox_schedule(Times, OX_NO_JOB, {.factor = 2, .value = &a}), OX_NO_JOB,
                      OX_NO_JOB};
    jobs[1] = ox_schedule(Times, jobs[0], {.factor = 2, .value = &a});
    jobs[2] = ox_schedule(Times, OX_NO_JOB, {.factor = 2, .value = &b});
    print_three("scheduled", jobs);
    ox_complete(jobs[1]);
    print_three("the second is completed", jobs);
    ox_jobs_kick();
    while (!ox_job_is_complete(jobs[2])) { // the worker runs it
    }
    print_three("kicked", jobs);
    ox_complete(jobs[2]);
    ox_jobs_stop();
}

int main(void) {
    // Two threads beside main are enough here.
    ox_jobs_start(&(ox_jobs_def){.worker_count = 2});

    int left = 1, right = 1, sum = 0;
    ox_job a = ox_schedule(Times, OX_NO_JOB, {.factor = 2, .value = &left});
    ox_job b = ox_schedule(Times, a, {.factor = 5, .value = &left}); // after a
    ox_job c = ox_schedule(Times, OX_NO_JOB, {.factor = 7, .value = &right});
    ox_job both = ox_combine(b, c);
    ox_job total = ox_schedule(Sum, both, {.left = &left, .right = &right, .sum = &sum});

    // Nothing was kicked: completing the last shows these five to the workers, and no other job.
    ox_complete(total);
    printf("%d x 5 + %d = %d\n", left / 5, right, sum);
    printf("all complete: %d\n",
           ox_job_is_complete(a) && ox_job_is_complete(b) && ox_job_is_complete(c));

    // Three that run side by side, and all of them are waited for. Once more does nothing.
    int three[3] = {1, 2, 3};
    ox_job d = ox_schedule(Times, OX_NO_JOB, {.factor = 10, .value = &three[0]});
    ox_job e = ox_schedule(Times, OX_NO_JOB, {.factor = 10, .value = &three[1]});
    ox_job f = ox_schedule(Times, OX_NO_JOB, {.factor = 10, .value = &three[2]});
    ox_complete(d, e, f);
    ox_complete(d, e, f);
    printf("three: %d, %d, %d\n", three[0], three[1], three[2]);

    // One after three.
    d = ox_schedule(Times, OX_NO_JOB, {.factor = 2, .value = &three[0]});
    e = ox_schedule(Times, OX_NO_JOB, {.factor = 2, .value = &three[1]});
    f = ox_schedule(Times, OX_NO_JOB, {.factor = 2, .value = &three[2]});
    ox_job last = ox_schedule(Sum, ox_combine(d, e, f), {&three[0], &three[2], &sum});
    ox_complete(last);
    printf("after three: %d\n", sum);

    // Any number of handles, from an array.
    ox_job many[100];
    int values[100];
    for (int i = 0; i < 100; i++) {
        values[i] = i;
        many[i] = ox_schedule(Times, OX_NO_JOB, {.factor = 3, .value = &values[i]});
    }
    ox_complete_at(many, 100, OX_HERE);
    printf("values[99] = %d\n", values[99]);
    ox_jobs_stop();
    show_begin();
}

// Output:
// 2 x 5 + 7 = 17
// all complete: 1
// three: 10, 20, 30
// after three: 80
// values[99] = 297
// scheduled: open open open
// the second is completed: done done open
// kicked: done done done
