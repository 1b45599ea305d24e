// SPDX-License-Identifier: MIT
//
// Eight ways to use one array from two jobs and from main. Four of them could race: each is refused
// with a report, the same on every run, whatever the workers are doing.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

OX_ARRAY(Floats, float);

OX_JOB(Heal, { Floats hp; }) {
    *ox_array_edit(job->hp, 0) += 10;
}

OX_JOB(Hurt, { Floats hp; }) {
    *ox_array_edit(job->hp, 0) -= 1;
}

OX_JOB(Sum, {
    OX_READ_ONLY Floats hp;
    Floats sum;
}) {
    ox_array_set(job->sum, 0, ox_array_read(job->hp, 0));
}

OX_JOB(Cheat, { OX_READ_ONLY Floats hp; }) {
    ox_array_set(job->hp, 0, 1000);
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    char text[2048];
    ox_report_format(report, text, sizeof text);
    for (char *folder; (folder = strstr(text, "examples/")) != NULL;) {
        memmove(folder, folder + 9, strlen(folder + 9) + 1); // shorter lines
    }
    printf("%s", text);
}

int main(void) {
    ox_report_set_handler((ox_report_handler){print_report, NULL});
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    Floats hp = ox_array_create(Floats, 1, OX_PERSISTENT);
    Floats sums[2] = {ox_array_create(Floats, 1, OX_PERSISTENT),
                      ox_array_create(Floats, 1, OX_PERSISTENT)};
    ox_container_set_name(hp, "hp");

    printf("1. two jobs write it, and neither waits for the other\n");
    ox_job heal = ox_schedule(Heal, OX_NO_JOB, {hp});
    ox_job hurt = ox_schedule(Hurt, OX_NO_JOB, {hp}); // refused: the handle is OX_NO_JOB

    printf("2. the first may have finished by now: that would be luck\n");
    ox_jobs_kick();
    while (!ox_job_is_complete(heal)) {
    }
    hurt = ox_schedule(Hurt, OX_NO_JOB, {hp}); // refused all the same

    printf("3. the first was completed\n");
    ox_complete(heal);
    hurt = ox_schedule(Hurt, OX_NO_JOB, {hp});

    printf("4. the second waits for the first\n");
    heal = ox_schedule(Heal, hurt, {hp});
    ox_complete(heal);

    printf("5. both only read it\n");
    ox_job first = ox_schedule(Sum, OX_NO_JOB, {hp, sums[0]});
    ox_job second = ox_schedule(Sum, OX_NO_JOB, {hp, sums[1]});
    ox_complete(first, second);

    printf("6. main writes it while a job may be doing so\n");
    heal = ox_schedule(Heal, OX_NO_JOB, {hp});
    ox_array_set(hp, 0, 5); // refused: nothing is written

    printf("7. main writes it after completing the job\n");
    ox_complete(heal);
    *ox_array_edit(hp, 0) += 1;

    printf("8. a job writes what it said it would only read\n");
    ox_complete(ox_schedule(Cheat, OX_NO_JOB, {hp})); // nothing is written

    printf("hp: %.0f, sum: %.0f\n", ox_array_read(hp, 0), ox_array_read(sums[1], 0));
    ox_dispose(&hp);
    ox_dispose(&sums[0]);
    ox_dispose(&sums[1]);
}

// Output:
// 1. two jobs write it, and neither waits for the other
// oxbow: OX-J03 two jobs would race
//   job 'Hurt' (13_safety.c:52) writes array 'hp' (created 13_safety.c:45)
//   job 'Heal' (13_safety.c:51) writes it and has not been completed
//   at 13_safety.c:52
//   fix: pass the handle of 'Heal' as the `after` of 'Hurt' at 13_safety.c:52, or complete it first
// 2. the first may have finished by now: that would be luck
// oxbow: OX-J03 two jobs would race
//   job 'Hurt' (13_safety.c:58) writes array 'hp' (created 13_safety.c:45)
//   job 'Heal' (13_safety.c:51) writes it and has not been completed
//   at 13_safety.c:58
//   fix: pass the handle of 'Heal' as the `after` of 'Hurt' at 13_safety.c:58, or complete it first
// 3. the first was completed
// 4. the second waits for the first
// 5. both only read it
// 6. main writes it while a job may be doing so
// oxbow: OX-A04 main uses what a job is using
//   main writes array 'hp' (created 13_safety.c:45)
//   job 'Heal' (13_safety.c:74) writes it and has not been completed
//   at 13_safety.c:75
//   fix: complete 'Heal' before 13_safety.c:75; a job of a system: ox_world_complete
// 7. main writes it after completing the job
// 8. a job writes what it said it would only read
// oxbow: OX-A06 something is written that may only be read
//   array 'hp' (created 13_safety.c:45) is read-only in job 'Cheat'
//   at 13_safety.c:29
//   fix: remove OX_READ_ONLY from the field, or do not write at 13_safety.c:29
// hp: 30, sum: 19
