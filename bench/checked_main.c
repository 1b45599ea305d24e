// SPDX-License-Identifier: MIT
//
// What scheduling costs in the library with checks. oxbow_bench runs this program and reads the
// number it prints: one program cannot be linked with both libraries.

#include "schedule_work.h"

#include <stdio.h>

int main(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    printf("%.1f\n", time_schedule());
    ox_jobs_stop();
}
