// SPDX-License-Identifier: MIT
//
// A program of somebody else: one thing of each public header. consumer.cpp is the same in C++.

#include "oxbow.h"

#include <stdio.h>

OX_STRUCT(Body, {
    float mass;
    int ids[2];
});

OX_PARALLEL_JOB(Place, { OX_NO_SAFETY ox_float3 *places; }) {
    job->places[i] = ox_float3_make(2, 3, (float)i - 1);
}

int main(void) {
    ox_layout body;
    if (!ox_version_check() || !ox_layout_create(ox_type_of(Body), &body)) {
        return 1;
    }
    ox_float3 *places = ox_memory_alloc_array(OX_TEMP_JOB, 8, ox_float3);
    if (places == NULL) {
        return 1;
    }
    ox_complete(ox_schedule_for(Place, 8, 2, OX_NO_JOB, {places}));
    printf("version %u, level %d with library %d, %u fields, length %g, %s\n",
           (unsigned)ox_get_version(), OX_SAFETY, ox_get_safety_level(), (unsigned)body.field_count,
           (double)ox_float3_length(places[7]), ox_report_code(OX_REPORT_LEAK));

    ox_memory_free_array(OX_TEMP_JOB, places, 8, ox_float3);
    ox_layout_dispose(&body);
    ox_jobs_stop();
    return 0;
}
