// SPDX-License-Identifier: MIT
//
// Jobs over entities that find none: a recorded frame has them, and says what is missing.

#include "explain_test.h"

#include "oxbow/entities.h"

OX_ENABLEABLE(Awake, { uint32_t value; });

OX_ENTITY_JOB(WriteRed, (OX_WRITE(Count, count), OX_WITH(Red), OX_NONE(Blue)), { int unused; }) {
    count->value++;
}

OX_ENTITY_JOB(WriteAwake, (OX_WRITE(Awake, awake)), { int unused; }) {
    awake->value++;
}

static ox_job schedule_red(ox_system *system, ox_job after) {
    return SCHEDULE(WriteRed, system, after, "red.c:7", 0);
}

#define RED_SYSTEM                                                                                 \
    { .name = "Reds", .site = "red.c:6", .update_jobs = schedule_red, .jobs = OX_JOBS(WriteRed) }

TEST(explain_idle, a_job_that_finds_none_is_listed_with_the_nearest) {
    ox_world *world = make_recorded(0, (ox_system_def[]){RED_SYSTEM, {0}});
    ox_entity far = ox_entity_create_in(world, ox_archetype_of(world, Extra));
    (void)far;

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 0);
    EXPECT_EQ(frame->idle_count, 1);
    EXPECT_STR(frame->idle[0].name, "WriteRed");
    EXPECT_STR(frame->idle[0].site, "red.c:7");
    EXPECT_STR(frame->systems[frame->idle[0].system].name, "Reds");
    EXPECT_HAS(frame->idle[0].why, "no entity matched; ");
    EXPECT_HAS(frame->idle[0].why, " comes nearest: has no Red");
    end_jobs_test(world);
}

TEST(explain_idle, the_text_and_the_json_say_so) {
    ox_world *world = make_recorded(0, (ox_system_def[]){RED_SYSTEM, {0}});
    ox_add_tag(world, looked_at, Red);
    ox_add_tag(world, looked_at, Blue);
    char text[8192];
    record_frame(world);

    ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);
    EXPECT_HAS(text,
               "  WriteRed (red.c:7) of Reds: no entity matched; 0:1 comes nearest: has Blue, "
               "which OX_NONE shuts\n    out\n");
    ox_world_explain_frame(world, OX_EXPLAIN_JSON, text, sizeof text);
    EXPECT_HAS(text, "\"idle\":[{\"name\":\"WriteRed\",\"site\":\"red.c:7\",");
    end_jobs_test(world);
}

TEST(explain_idle, a_job_that_finds_some_is_not_listed) {
    ox_world *world = make_recorded(0, (ox_system_def[]){RED_SYSTEM, {0}});
    EXPECT_EQ(record_frame(world)->idle_count, 1);
    ox_add_tag(world, looked_at, Red);

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->idle_count, 0);
    EXPECT_EQ(frame->job_count, 1);
    end_jobs_test(world);
}

TEST(explain_idle, a_frame_is_about_its_own_time) {
    ox_world *world = make_recorded(0, (ox_system_def[]){RED_SYSTEM, {0}});
    EXPECT(ox_world_update(world, 0.25f));
    ox_add_tag(world, looked_at, Red);

    const ox_frame *frame = ox_world_get_frame(world);

    EXPECT_EQ(frame->idle_count, 1);
    EXPECT_HAS(frame->idle[0].why, "no entity matched then; ");
    EXPECT_STR(strstr(frame->idle[0].why, " does now"), " does now"); // and nothing behind it
    end_jobs_test(world);
}

// Steps, and several jobs.
static ox_job schedule_more(ox_system *system, ox_job after) {
    ox_job first = SCHEDULE(WriteRed, system, after, "more.c:1", 0);
    return SCHEDULE(WriteAwake, system, first, "more.c:2", 0);
}

TEST(explain_idle, each_is_listed_once) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Steps", .is_group = true, .step = 0.125f},
                                           {.name = "More",
                                            .update_jobs = schedule_more,
                                            .jobs = OX_JOBS(WriteRed, WriteAwake),
                                            .in = "Steps"},
                                           {0}});

    const ox_frame *frame = record_frame(world); // two steps

    EXPECT_EQ(frame->idle_count, 2);
    EXPECT_HAS(frame->idle[1].why, "has no Awake");
    end_jobs_test(world);
}

static ox_query *passing;

static ox_job schedule_passing(ox_system *system, ox_job after) {
    (void)system;
    ox_entity_job_type *type = &oxi_entity_job_WriteCount;
    ox_job job = ox_schedule_query_at(type, passing, after, &(WriteCount){1}, "pass.c:1");
    ox_query_destroy(passing);
    return job;
}

TEST(explain_idle, a_query_that_is_gone_gives_no_reason) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Pass", .update_jobs = schedule_passing}, {0}});
    passing = ox_query_create(world, OX_WRITE(Count), OX_WITH(Red));

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->idle_count, 1);
    EXPECT_STR(frame->idle[0].why, "no entity matched");
    end_jobs_test(world);
}

TEST(explain_idle, a_world_without_entities_says_so) {
    ox_world *world = make_recorded(0, (ox_system_def[]){RED_SYSTEM, {0}});
    ox_entity_destroy(world, looked_at);

    const ox_frame *frame = record_frame(world);

    EXPECT_STR(frame->idle[0].why, "no entity matched: the world has none");
    end_jobs_test(world);
}
