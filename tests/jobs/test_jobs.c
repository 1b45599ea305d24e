// SPDX-License-Identifier: MIT
//
// Jobs: what they do, in the simplest uses.

#include "test.h"

#include "oxbow/jobs.h"

OX_JOB(AddOne, {
    float a;
    OX_NO_SAFETY float *b;
}) {
    *job->b += job->a;
    job->a = 10.0f;
}

TEST(jobs, work_on_a_copy_of_their_struct) {
    float sum = 3;
    AddOne value = {.a = 5, .b = &sum};

    ox_job job = ox_schedule(AddOne, ox_none, value);
    ox_complete(job);

    EXPECT_EQ(sum, 8.0f);
    EXPECT_EQ(value.a, 5.0f);
    EXPECT(ox_is_complete(job));
    ox_jobs_stop();
}
