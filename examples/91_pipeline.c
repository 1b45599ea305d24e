// SPDX-License-Identifier: MIT
//
// A pipeline whose stages are named by a setting and not by the code: each name stands for a kind
// of job, which is a value like any other. You see the same picture go through two pipelines.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

enum { PIXELS = 16 };

OX_ARRAY(Picture, int);

OX_PARALLEL_JOB(Invert, { Picture picture; }) {
    ox_array_set(job->picture, i, 9 - ox_array_read(job->picture, i));
}

OX_PARALLEL_JOB(Darken, { Picture picture; }) {
    *ox_array_edit(job->picture, i) /= 2;
}

OX_PARALLEL_JOB(Sharpen, { Picture picture; }) {
    ox_array_set(job->picture, i, ox_array_read(job->picture, i) < 5 ? 0 : 9);
}

typedef struct Stage {
    const char *name;
    ox_job_type *type; // their structs are alike, so any of them may be scheduled here
} Stage;

static ox_job schedule_stage(const char *name, Picture picture, ox_job after) {
    const Stage stages[] = {{"invert", ox_job_type_of(Invert)},
                            {"darken", ox_job_type_of(Darken)},
                            {"sharpen", ox_job_type_of(Sharpen)}};
    for (int k = 0; k < 3; k++) {
        if (strcmp(stages[k].name, name) == 0) {
            return ox_schedule_for_at(stages[k].type, PIXELS, 4, after, &picture, OX_HERE);
        }
    }
    return after; // a stage that nobody knows is left out
}

static void run(const char *const *names, int count) {
    Picture picture = ox_array_create(Picture, PIXELS, OX_TEMP_JOB);
    for (int k = 0; k < PIXELS; k++) {
        ox_array_set(picture, k, k * 7 % 10);
    }
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < count; k++) {
        last = schedule_stage(names[k], picture, last);
        printf("%s%s", k > 0 ? ", " : "", names[k]);
    }
    ox_complete(last);
    printf("%s:", count > 0 ? "" : "as it is");
    OX_EACH(picture, pixel) {
        printf(" %d", *pixel);
    }
    printf("\n");
    ox_dispose(&picture);
}

int main(void) {
    run(NULL, 0);
    const char *const one[] = {"invert", "sharpen"}, *const other[] = {"darken", "blur", "invert"};
    run(one, 2);
    run(other, 3);
}

// Output:
// as it is: 0 7 4 1 8 5 2 9 6 3 0 7 4 1 8 5
// invert, sharpen: 9 0 9 9 0 0 9 0 0 9 9 0 9 9 0 0
// darken, blur, invert: 9 6 7 9 5 7 8 5 6 8 9 6 7 9 5 7
