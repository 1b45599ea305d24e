// SPDX-License-Identifier: MIT
//
// Jobs without a macro of ours: a job type is a struct with a name, a size and a function, and
// every call takes the caller's place as its last argument. This is what a binding for another
// language does.

#include <oxbow.h>

#include <stdio.h>

enum { COUNT = 1000 };

typedef struct sum_job {
    const int *values;
    int begin, end;
    long *sum;
} sum_job;

static void sum_values(void *data) {
    sum_job *job = data;
    for (int i = job->begin; i < job->end; i++) {
        *job->sum += job->values[i];
    }
}

static void number_values(const void *data, int begin, int end) {
    int *values = *(int *const *)data;
    for (int i = begin; i < end; i++) {
        values[i] = i;
    }
}

static ox_job_type sum_type = {.type = {.name = "sum", .size = sizeof(sum_job), .align = 8},
                               .run = sum_values};
static ox_job_type number_type = {.type = {.name = "number", .size = sizeof(int *), .align = 8},
                                  .ranges = {number_values}};

int main(void) {
    ox_jobs_def def = {.worker_count = 3};
    if (!ox_jobs_start_at(&def, OX_HERE)) {
        return 1;
    }
    ox_jobs_set_active_workers_at(2, OX_HERE); // one of the three rests
    printf("library %u, workers: %d, spin: %d us\n", ox_get_version(), ox_worker_count(),
           ox_jobs_get_def().spin_us);

    static int values[COUNT];
    int *shared = values;
    long sums[2] = {0};
    ox_job numbered = ox_schedule_for_at(&number_type, COUNT, 64, OX_NO_JOB, &shared, OX_HERE);
    sum_job first = {values, 0, COUNT / 2, &sums[0]};
    sum_job second = {values, COUNT / 2, COUNT, &sums[1]};
    ox_job parts[2] = {ox_schedule_at(&sum_type, numbered, &first, OX_HERE),
                       ox_schedule_background_at(&sum_type, numbered, &second, OX_HERE)};
    ox_job both = ox_combine_at(parts, 2, OX_HERE);
    ox_jobs_kick_at(OX_HERE);
    ox_complete_at(&both, 1, OX_HERE);
    printf("%ld + %ld = %ld, on thread %d\n", sums[0], sums[1], sums[0] + sums[1],
           ox_worker_index());

    ox_run_for_at(&number_type, 10, 64, &shared, OX_HERE); // here and now
    ox_jobs_stop_at(OX_HERE);
}

// Output:
// library 2000, workers: 3, spin: 20 us
// 124750 + 374750 = 499500, on thread 0
