// SPDX-License-Identifier: MIT
//
// What a mistake looks like: the whole text, with both jobs, both places and the fix.

#include "safety_test.h"

static caught_reports caught;

OX_JOB(Decay, { Box hp; }) {
}
OX_JOB(Heal, { OX_READ_ONLY Box hp; }) {
}

static Box begin_text(const char *name) {
    start_workers_of_test(0);
    catch_reports(&caught);
    return make_box_at(&(ox_access_def){.kind = "list", .name = name}, "game.c:41");
}

static void end_text(Box box, ox_job job) {
    ox_complete(job);
    EXPECT(dispose_box(box));
    ox_jobs_stop();
    EXPECT_EQ(caught.all.count, 0);
    expect_nothing_kept();
}

static ox_job schedule_heal(Box box) {
    return ox_schedule_at(ox_job_type_of(Heal), OX_NO_JOB, &(Heal){box}, "game.c:83");
}

static ox_job schedule_decay(Box box, ox_site site) {
    return ox_schedule_at(ox_job_type_of(Decay), OX_NO_JOB, &(Decay){box}, site);
}

static const char race_text[] =
    "oxbow: OX-J03 two jobs would race\n"
    "  job 'Decay' (game.c:88) writes list 'hp' (created game.c:41)\n"
    "  job 'Heal' (game.c:83) reads it and has not been completed\n"
    "  at game.c:88\n"
    "  fix: pass the handle of 'Heal' as the `after` of 'Decay' at game.c:88, or complete it "
    "first\n";

TEST_CHECKED(report_texts, race_names_both_jobs_and_the_fix) {
    Box box = begin_text("hp");
    ox_job heal = schedule_heal(box);
    EXPECT_EQ(schedule_decay(box, "game.c:88").value, 0);
    EXPECT_STR(caught.all.text, race_text);
    EXPECT_CAUGHT(&caught, OX_REPORT_TWO_JOBS_RACE);
    end_text(box, heal);
}

TEST_CHECKED(report_texts, race_names_the_field_when_nobody_named_the_container) {
    Box box = begin_text(NULL);
    ox_job heal = schedule_heal(box);
    EXPECT_EQ(schedule_decay(box, "game.c:88").value, 0);
    EXPECT_STR(caught.all.text, race_text);
    EXPECT_STR(caught.field, "hp");
    EXPECT_CAUGHT(&caught, OX_REPORT_TWO_JOBS_RACE);
    end_text(box, heal);
}

TEST_CHECKED(report_texts, main_is_told_which_job_holds_a_container) {
    Box box = begin_text("hp");
    ox_job decay = schedule_decay(box, "game.c:83");
    EXPECT(!read_box_at(box, "game.c:90"));
    EXPECT_STR(caught.all.text, "oxbow: OX-A04 main uses what a job is using\n"
                                "  main reads list 'hp' (created game.c:41)\n"
                                "  job 'Decay' (game.c:83) writes it and has not been completed\n"
                                "  at game.c:90\n"
                                "  fix: complete 'Decay' before game.c:90; a job of a system: "
                                "ox_world_complete\n");
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    EXPECT(!dispose_box(box));
    EXPECT_HAS(caught.all.text, "main disposes list 'hp'");
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    Box view;
    EXPECT(!ox_access_create_view(box.access, &view.access));
    EXPECT_HAS(caught.all.text, "main makes a view of list 'hp'");
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    EXPECT(!resize_box(box));
    EXPECT_HAS(caught.all.text, "main writes list 'hp'");
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    end_text(box, decay);
}

TEST(report_texts, right_order_is_not_reported) {
    Box box = begin_text("hp");
    ox_job heal = schedule_heal(box);
    ox_job decay = ox_schedule_at(ox_job_type_of(Decay), heal, &(Decay){box}, "game.c:88");
    EXPECT(decay.value != 0);
    end_text(box, decay);
}

TEST_CHECKED(report_texts, names_of_containers_are_cut_between_characters) {
    Box box = begin_text("thirty letters, then another: \xc3\xa9");
    ox_access_info info;
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_STR(info.name, "thirty letters, then another: ");

    ox_access_set_name(box.access, "this has twenty-nine letters:\xe2\x82\xac");
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_STR(info.name, "this has twenty-nine letters:");
    end_text(box, OX_NO_JOB);
}
