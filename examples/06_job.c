// SPDX-License-Identifier: MIT
//
// One job: it works on its own copy of its struct, and on the containers that the struct holds.

#include <oxbow.h>

#include <stdio.h>

OX_ARRAY(Floats, float);

OX_JOB(AddTo, {
    float a;
    Floats b;
}) {
    *ox_array_edit(job->b, 0) += job->a; // seen outside: the memory is shared
    job->a = 10.0f;                      // not seen outside: the struct was copied
}

int main(void) {
    AddTo job = {.a = 5, .b = ox_array_create(Floats, 1, OX_TEMP_JOB)};
    ox_array_set(job.b, 0, 3);

    ox_job handle = ox_schedule(AddTo, OX_NO_JOB, job); // queued: nobody sees it yet
    ox_jobs_kick();                                     // workers may start it
    ox_complete(handle);                                // main waits, and helps

    printf("b: %.1f\na: %.1f\n", ox_array_read(job.b, 0), job.a);

    // The same at once, on this thread.
    ox_run(AddTo, {.a = 1, .b = job.b});
    printf("run in place: %.1f\n", ox_array_read(job.b, 0));
    ox_dispose(&job.b);
}

// Output:
// b: 8.0
// a: 5.0
// run in place: 9.0
