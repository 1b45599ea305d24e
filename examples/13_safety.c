// SPDX-License-Identifier: MIT
//
// Seven ways to use one array from two jobs and from main. Three of them could race: each is
// refused with a report, the same on every run, whatever the workers are doing.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

OX_JOB(Heal, { ox_array hp; }) {
    *ox_array_edit(float, job->hp, 0) += 10;
}

OX_JOB(Hurt, { ox_array hp; }) {
    *ox_array_edit(float, job->hp, 0) -= 1;
}

OX_JOB(Sum, {
    OX_READ_ONLY ox_array hp;
    ox_array sum;
}) {
    ox_array_set(float, job->sum, 0, ox_array_get(float, job->hp, 0));
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
    ox_array hp = ox_array_create(float, 1, OX_PERSISTENT);
    ox_array sums[2] = {ox_array_create(float, 1, OX_PERSISTENT),
                        ox_array_create(float, 1, OX_PERSISTENT)};
    ox_set_name(hp, "hp");

    printf("1. two jobs write it, and neither waits for the other\n");
    ox_job heal = ox_schedule(Heal, ox_none, {hp});
    ox_job hurt = ox_schedule(Hurt, ox_none, {hp}); // refused: the handle is ox_none

    printf("2. the first may have finished by now: that would be luck\n");
    ox_jobs_kick();
    while (!ox_is_complete(heal)) {
    }
    hurt = ox_schedule(Hurt, ox_none, {hp}); // refused all the same

    printf("3. the first was completed\n");
    ox_complete(heal);
    hurt = ox_schedule(Hurt, ox_none, {hp});

    printf("4. the second waits for the first\n");
    heal = ox_schedule(Heal, hurt, {hp});
    ox_complete(heal);

    printf("5. both only read it\n");
    ox_job first = ox_schedule(Sum, ox_none, {hp, sums[0]});
    ox_job second = ox_schedule(Sum, ox_none, {hp, sums[1]});
    ox_complete(first, second);

    printf("6. main writes it while a job may be doing so\n");
    heal = ox_schedule(Heal, ox_none, {hp});
    ox_array_set(float, hp, 0, 5); // refused: nothing is written

    printf("7. main writes it after completing the job\n");
    ox_complete(heal);
    *ox_array_edit(float, hp, 0) += 1;

    printf("hp: %.0f, sum: %.0f\n", ox_array_get(float, hp, 0), ox_array_get(float, sums[1], 0));
    ox_dispose(&hp);
    ox_dispose(&sums[0]);
    ox_dispose(&sums[1]);
}

// Output:
// 1. two jobs write it, and neither waits for the other
// oxbow: OX-J03 two jobs would race
//   job 'Hurt' (13_safety.c:46) writes array 'hp' (created 13_safety.c:39)
//   job 'Heal' (13_safety.c:45) writes it and has not been completed
//   at 13_safety.c:46
//   fix: pass the handle of 'Heal' as the `after` of 'Hurt' at 13_safety.c:46, or complete it first
// 2. the first may have finished by now: that would be luck
// oxbow: OX-J03 two jobs would race
//   job 'Hurt' (13_safety.c:52) writes array 'hp' (created 13_safety.c:39)
//   job 'Heal' (13_safety.c:45) writes it and has not been completed
//   at 13_safety.c:52
//   fix: pass the handle of 'Heal' as the `after` of 'Hurt' at 13_safety.c:52, or complete it first
// 3. the first was completed
// 4. the second waits for the first
// 5. both only read it
// 6. main writes it while a job may be doing so
// oxbow: OX-A04 main uses what a job is using
//   main writes array 'hp' (created 13_safety.c:39)
//   job 'Heal' (13_safety.c:68) writes it and has not been completed
//   at 13_safety.c:69
//   fix: complete 'Heal' before 13_safety.c:69
// 7. main writes it after completing the job
// hp: 30, sum: 19
