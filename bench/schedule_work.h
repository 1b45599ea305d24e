// SPDX-License-Identifier: MIT
//
// One schedule of a job with four containers, timed with the library that is linked.

#pragma once

#include <oxbow.h>

#include <time.h>

enum { SCHEDULE_JOBS = 200, SCHEDULE_ROUNDS = 200 };

OX_JOB(FourContainers, {
    ox_array a;
    ox_array b;
    OX_READ_ONLY ox_array c;
    OX_READ_ONLY ox_array d;
}) {
    (void)job;
}

static int64_t read_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Nanoseconds of one call of ox_schedule, the best of many rounds. Completing does not count.
static double time_schedule(void) {
    FourContainers data = {ox_array_create_untyped(int, 1, OX_PERSISTENT),
                           ox_array_create_untyped(int, 1, OX_PERSISTENT),
                           ox_array_create_untyped(int, 1, OX_PERSISTENT),
                           ox_array_create_untyped(int, 1, OX_PERSISTENT)};
    double best = 1e9;
    for (int round = 0; round < SCHEDULE_ROUNDS; round++) {
        ox_job last = OX_NO_JOB;
        int64_t begin = read_nanoseconds();
        for (int k = 0; k < SCHEDULE_JOBS; k++) {
            last = ox_schedule(FourContainers, last, data);
        }
        double each = (double)(read_nanoseconds() - begin) / SCHEDULE_JOBS;
        ox_complete(last);
        best = each < best ? each : best;
    }
    ox_dispose(&data.a);
    ox_dispose(&data.b);
    ox_dispose(&data.c);
    ox_dispose(&data.d);
    return best;
}
