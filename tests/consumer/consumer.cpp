// SPDX-License-Identifier: MIT
//
// A program of somebody else: one thing of each public header. consumer.c is the same in C.

#include "oxbow.h"

#include <cstdio>

OX_STRUCT(Body, {
    float mass;
    int ids[2];
});

OX_PARALLEL_JOB(Place, { OX_NO_SAFETY ox_float3 *places; }) {
    job->places[i] = ox_float3_make(2, 3, (float)i - 1);
}

int main() {
    ox_layout body;
    if (!ox_version_check() || !ox_type_scan(ox_type_of(Body), &body)) {
        return 1;
    }
    auto *places = ox_memory_array(ox_float3, 8, OX_TEMP_JOB);
    if (places == nullptr) {
        return 1;
    }
    ox_complete(ox_schedule_for(Place, 8, 2, ox_none, {places}));
    std::printf("version %u, level %d with library %d, %u fields, length %g, %s\n",
                unsigned(ox_version()), OX_SAFETY, ox_safety_level(), unsigned(body.field_count),
                double(ox_float3_length(places[7])), ox_report_code(OX_REPORT_LEAK));

    ox_memory_free_array(ox_float3, places, 8, OX_TEMP_JOB);
    ox_layout_destroy(&body);
    ox_jobs_stop();
    return 0;
}
