// SPDX-License-Identifier: MIT
//
// One job: it works on its own copy of its struct, and on the memory that the struct points to.

#include <oxbow.h>

#include <stdio.h>

OX_JOB(AddTo, {
    float a;
    OX_NO_SAFETY float *b;
}) {
    *job->b += job->a; // seen outside: the memory is shared
    job->a = 10.0f;    // not seen outside: the struct was copied
}

int main(void) {
    AddTo job = {.a = 5, .b = ox_memory_array(float, 1, OX_TEMP_JOB)};
    *job.b = 3;

    ox_job handle = ox_schedule(AddTo, ox_none, job); // queued: nobody sees it yet
    ox_jobs_kick();                                   // workers may start it
    ox_complete(handle);                              // main waits, and helps

    printf("b: %.1f\na: %.1f\n", *job.b, job.a);
    ox_memory_free_array(float, job.b, 1, OX_TEMP_JOB);

    // The same at once, on this thread.
    float sum = 1;
    ox_job_run(AddTo, {.a = 1, .b = &sum});
    printf("run in place: %.1f\n", sum);
}

// Output:
// b: 8.0
// a: 5.0
// run in place: 2.0
