// SPDX-License-Identifier: MIT
//
// Jobs that are not over entities, in recorded frames: those of users, those that settle
// containers, those in the background, and those that are not of the frame.

#include "explain_test.h"

// As SlowCount: a job takes the time that it says.
OX_JOB(Middle, { uint32_t ns; }) {
    atomic_fetch_add(&fake_ns, job->ns);
}

OX_PARALLEL_JOB(Wave, { uint32_t ns; }) {
    (void)i;
    atomic_fetch_add(&fake_ns, job->ns);
}

static ox_job schedule_chain(ox_system *system, ox_job after) {
    ox_job first = SCHEDULE(SlowCount, system, after, "chain.c:1", 100);
    ox_job middle = ox_schedule_at(ox_job_type_of(Middle), first, &(Middle){1600}, "chain.c:2");
    return SCHEDULE(SlowStep, system, middle, "chain.c:3", 50);
}

static const ox_system_def chain_system = {
    .name = "Chain", .update_jobs = schedule_chain, .jobs = OX_JOBS(SlowCount, SlowStep)};

static const ox_frame *record_on_fake_clock(ox_world *world) {
    use_fake_clock();
    const ox_frame *frame = record_frame(world);
    use_system_clock();
    return frame;
}

TEST(explain_plain, a_plain_job_in_a_chain_is_a_job_of_the_frame) {
    ox_world *world = make_recorded(0, (ox_system_def[]){chain_system, {0}});

    const ox_frame *frame = record_on_fake_clock(world);

    EXPECT_EQ(frame->job_count, 3);
    const ox_frame_job *middle = &frame->jobs[1];
    EXPECT_STR(middle->name, "Middle");
    EXPECT_STR(middle->site, "chain.c:2");
    EXPECT_STR(frame->systems[middle->system].name, "Chain");
    EXPECT(middle->is_plain && !frame->jobs[0].is_plain && !frame->jobs[2].is_plain);
    EXPECT_EQ(middle->units, 1);
    EXPECT_EQ(middle->work_ns, 1600);
    EXPECT_EQ(middle->waited_for, 0);
    EXPECT(wait_of_job(frame, 1, 0, NULL) != NULL);
    EXPECT(wait_of_job(frame, 2, 1, NULL) != NULL);
    EXPECT_EQ(frame->jobs[2].waited_for, 1);
    end_jobs_test(world);
}

TEST(explain_plain, the_critical_path_and_the_simulation_go_through_it) {
    ox_world *world = make_recorded(0, (ox_system_def[]){chain_system, {0}});

    const ox_frame *frame = record_on_fake_clock(world);

    EXPECT_EQ(frame->critical_ns, 1750);
    EXPECT(frame->jobs[0].is_critical && frame->jobs[1].is_critical && frame->jobs[2].is_critical);
    EXPECT_EQ(ox_frame_forecast(frame, 0, false).makespan_ns, 1750);
    EXPECT_EQ(ox_frame_forecast(frame, 7, false).makespan_ns, 1750);
    EXPECT_EQ(ox_frame_forecast(frame, 7, true).makespan_ns, 3000);
    end_jobs_test(world);
}

TEST(explain_plain, the_text_names_it) {
    ox_world *world = make_recorded(0, (ox_system_def[]){chain_system, {0}});
    char text[8192];
    record_on_fake_clock(world);

    EXPECT(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text) < sizeof text);

    EXPECT(strstr(text, "Middle (chain.c:2) of Chain, 1 unit: 1.6 us, 1.6 us of work") != NULL);
    EXPECT(strstr(text, "- was given the handle of Middle (chain.c:2)\n") != NULL);
    EXPECT(strstr(text, "1.6 us  Middle (chain.c:2)\n") != NULL);
    EXPECT(strstr(text, "not a job of this frame") == NULL);
    end_jobs_test(world);
}

static ox_job schedule_wave(ox_system *system, ox_job after) {
    (void)system;
    return ox_schedule_for(Wave, 100, 30, after, {10});
}

TEST(explain_plain, a_parallel_job_has_its_batches_as_units) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Wave", .update_jobs = schedule_wave}, {0}});

    const ox_frame *frame = record_on_fake_clock(world);

    EXPECT_EQ(frame->job_count, 1);
    EXPECT_EQ(frame->jobs[0].units, 4);
    EXPECT_EQ(frame->jobs[0].work_ns, 1000);
    EXPECT_EQ(frame->jobs[0].end_ns - frame->jobs[0].begin_ns, 1000);
    EXPECT_EQ(ox_frame_forecast(frame, 3, false).makespan_ns, 250);
    end_jobs_test(world);
}

// Jobs that take their count when they start.

static int64_t late_count;

static int64_t take_late_count(const void *job) {
    (void)job;
    return late_count;
}

static ox_job schedule_late_wave(ox_system *system, ox_job after) {
    (void)system;
    return ox_schedule_for_counted(Wave, take_late_count, 30, after, {10});
}

static const ox_system_def late_system = {.name = "Late", .update_jobs = schedule_late_wave};

TEST(explain_plain, a_job_that_takes_its_count_late_has_the_batches_that_it_ran_as_units) {
    ox_world *world = make_recorded(0, (ox_system_def[]){late_system, {0}});
    for (late_count = 1; late_count < 200; late_count += 33) {
        const ox_frame *frame = record_on_fake_clock(world);
        EXPECT_EQ(frame->job_count, 1);
        EXPECT_EQ(frame->jobs[0].units, (late_count + 29) / 30);
        EXPECT_EQ(frame->jobs[0].work_ns, late_count * 10);
    }
    late_count = 120;
    EXPECT_EQ(ox_frame_forecast(record_on_fake_clock(world), 3, false).makespan_ns, 300);
    end_jobs_test(world);
}

TEST(explain_plain, a_job_that_takes_its_count_late_and_finds_none_has_no_units) {
    ox_world *world = make_recorded(0, (ox_system_def[]){late_system, {0}});
    char text[8192];
    late_count = 0;

    const ox_frame *frame = record_on_fake_clock(world);

    EXPECT_EQ(frame->job_count, 1);
    EXPECT_EQ(frame->jobs[0].units, 0);
    EXPECT_EQ(ox_frame_forecast(frame, 3, false).makespan_ns, 0);
    EXPECT(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text) < sizeof text);
    EXPECT(strstr(text, "of Late, 0 units") != NULL);
    end_jobs_test(world);
}

// Containers.

static ox_multimap settled;

static ox_job schedule_settling(ox_system *system, ox_job after) {
    ox_job first = SCHEDULE(SlowCount, system, after, "settle.c:1", 100);
    ox_job settle = ox_multimap_merge_after_at(settled, first, "settle.c:2");
    return SCHEDULE(SlowStep, system, settle, "settle.c:3", 50);
}

TEST(explain_plain, jobs_that_settle_a_container_are_part_of_the_chain) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Settle", .update_jobs = schedule_settling}, {0}});
    settled = ox_multimap_create_untyped(uint32_t, uint32_t, 16, OX_PERSISTENT);

    const ox_frame *frame = record_on_fake_clock(world);

    int settle = job_of_frame(frame, "SettleMultimap"), last = job_of_frame(frame, "SlowStep");
    EXPECT_EQ(frame->critical_ns, 150);
    EXPECT(settle > 0 && frame->jobs[settle].is_plain && frame->jobs[settle].is_critical);
    EXPECT_STR(frame->jobs[settle].site, "settle.c:2");
    EXPECT(wait_of_job(frame, last, settle, NULL) != NULL);
    EXPECT_EQ(frame->jobs[last].waits[0].before, settle);
    ox_dispose(&settled);
    end_jobs_test(world);
}

// The background.

static ox_job loading;

static ox_job schedule_loading(ox_system *system, ox_job after) {
    loading = ox_schedule_background(Middle, after, {5000});
    ox_jobs_kick();
    ox_complete(loading);
    return SCHEDULE(SlowCount, system, after, "load.c:1", 100);
}

TEST(explain_plain, a_frame_does_not_end_with_the_background) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Load", .update_jobs = schedule_loading}, {0}});

    const ox_frame *frame = record_on_fake_clock(world);

    EXPECT_EQ(frame->job_count, 2);
    EXPECT(frame->jobs[0].is_background && frame->jobs[0].is_plain);
    EXPECT(!frame->jobs[1].is_background);
    EXPECT_EQ(frame->critical_ns, 100);
    EXPECT(!frame->jobs[0].is_critical && frame->jobs[1].is_critical);
    end_jobs_test(world);
}

// Jobs that are not of the frame.

static ox_job between;

static ox_job schedule_behind(ox_system *system, ox_job after) {
    ox_job both = ox_combine(after, between);
    return SCHEDULE(SlowCount, system, both, "behind.c:1", 100);
}

TEST(explain_plain, a_wait_for_a_job_of_before_the_frame_is_part_of_the_path) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Behind", .update_jobs = schedule_behind}, {0}});
    char text[8192];
    use_fake_clock();
    between = ox_schedule(Middle, OX_NO_JOB, {700});

    const ox_frame *frame = record_frame(world);
    use_system_clock();
    ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);

    EXPECT_EQ(frame->job_count, 1);
    EXPECT_EQ(frame->jobs[0].waited_for, -1);
    EXPECT_EQ(frame->jobs[0].waits[0].before, -1);
    EXPECT_EQ(frame->jobs[0].outside_ns, 700);
    EXPECT_EQ(frame->critical_ns, 800);
    EXPECT_EQ(ox_frame_forecast(frame, 0, false).makespan_ns, 800);
    EXPECT(strstr(text, "0.7 us  SlowCount waited for Middle, which is not a job of this frame\n"
                        "        0.1 us  SlowCount (behind.c:1)\n") != NULL);
    end_jobs_test(world);
}

static ox_job return_between(ox_system *system, ox_job after) {
    (void)system;
    (void)after;
    return between;
}

TEST(explain_plain, a_job_of_before_the_frame_that_a_system_returned_has_no_place) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Give", .update_jobs = return_between},
                             {.name = "Behind", .update_jobs = schedule_behind, .after = {"Give"}},
                             {0}});
    between = ox_schedule(Middle, OX_NO_JOB, {0});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 1);
    EXPECT(frame->jobs[0].wait_count > 0);
    EXPECT_EQ(frame->jobs[0].waits[0].before, -1);
    EXPECT_STR(frame->jobs[0].waits[0].name, "Give");
    EXPECT_EQ(frame->jobs[0].waited_for, -1);
    end_jobs_test(world);
}

// Nobody listened when it was made.
TEST(explain_plain, what_was_combined_before_the_frame_is_one_cause) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Behind", .update_jobs = schedule_behind}, {0}});
    between = ox_combine(ox_schedule(Middle, OX_NO_JOB, {0}), ox_schedule(Middle, OX_NO_JOB, {0}));

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->jobs[0].wait_count, 1);
    EXPECT_EQ(frame->jobs[0].waits[0].before, -1);
    EXPECT_STR(frame->jobs[0].waits[0].name, "combined");
    end_jobs_test(world);
}

// It ran, and nobody completed it: with checks it is still waited for. Of its frame nothing is
// known any more.
TEST_CHECKED(explain_plain, a_job_that_ran_long_ago_has_no_name) {
    ox_system_def read = READ_SYSTEM;
    read.starts_off = true;
    ox_world *world = make_recorded(1, (ox_system_def[]){WRITE_SYSTEM, read, {0}});
    EXPECT(ox_world_update(world, 0));
    wait_until_parked();
    ox_system_set_enabled(ox_system_find(world, "Write"), false);
    EXPECT(ox_world_update(world, 0));
    ox_system_set_enabled(ox_system_find(world, "Read"), true);

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->jobs[0].wait_count, 1);
    EXPECT_EQ(frame->jobs[0].waits[0].before, -1);
    EXPECT_STR(frame->jobs[0].waits[0].name, "a job of an earlier frame");
    end_jobs_test(world);
}

// Both jobs take no time: the path goes through what is known.
TEST(explain_plain, the_path_goes_through_a_job_of_the_frame_rather_than_one_of_before) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM,
                                                         {.name = "Behind",
                                                          .update_jobs = schedule_behind,
                                                          .jobs = OX_JOBS(SlowCount),
                                                          .after = {"Write"}},
                                                         {0}});
    use_fake_clock();
    between = ox_schedule(Middle, OX_NO_JOB, {0});

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->job_count, 2);
    EXPECT_EQ(frame->jobs[1].wait_count, 2);
    EXPECT_EQ(frame->jobs[1].waits[0].before, 0);
    EXPECT_EQ(frame->jobs[1].waits[1].before, -1);
    EXPECT(frame->jobs[0].is_critical && frame->jobs[1].is_critical);
    EXPECT_EQ(frame->critical_ns, 100);
    end_jobs_test(world);
}

// The job system that a frame starts has workers, and all of them would move the one clock.
static ox_job schedule_alone(ox_system *system, ox_job after) {
    ox_jobs_set_active_workers(0);
    return schedule_wave(system, after);
}

TEST(explain_plain, the_first_job_of_all_is_known) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Alone", .update_jobs = schedule_alone}, chain_system, {0}});
    ox_jobs_stop();

    const ox_frame *frame = record_on_fake_clock(world);

    EXPECT_EQ(frame->job_count, 4);
    EXPECT(job_of_frame(frame, "Wave") >= 0);
    EXPECT_EQ(frame->critical_ns, 1750);
    end_jobs_test(world);
}

// One with a lookup is told by the trace, and by the world.
OX_JOB(LookAtCount, { OX_READ_ONLY ox_lookup counts; }) {
    (void)job;
}

static bool create_look(ox_system *system) {
    *ox_system_state(system, ox_lookup) = ox_system_lookup(system, OX_READ(Count));
    return true;
}

static ox_job schedule_look(ox_system *system, ox_job after) {
    return ox_schedule(LookAtCount, after, {*ox_system_state(system, ox_lookup)});
}

TEST(explain_plain, a_job_with_a_lookup_is_there_once_with_its_cause) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM,
                                                         {.name = "Look",
                                                          .create = create_look,
                                                          .update_jobs = schedule_look,
                                                          .state = sizeof(ox_lookup),
                                                          .after = {"Write"}},
                                                         {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 2);
    EXPECT(frame->jobs[1].is_plain);
    EXPECT(wait_of_job(frame, 1, 0, "Count") != NULL);
    end_jobs_test(world);
}

static void schedule_look_on_main(ox_system *system) {
    ox_job job = ox_schedule(LookAtCount, OX_NO_JOB, {*ox_system_state(system, ox_lookup)});
    atomic_fetch_add(&fake_ns, 700);
    ox_complete(job);
}

// There is no trace before there is a job system.
TEST(explain_plain, a_job_that_starts_the_job_system_is_there_with_its_time) {
    ox_world *world = make_recorded(0, (ox_system_def[]){{.name = "Look",
                                                          .create = create_look,
                                                          .update = schedule_look_on_main,
                                                          .state = sizeof(ox_lookup)},
                                                         {0}});
    ox_jobs_stop();
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->job_count, 1);
    EXPECT_STR(frame->jobs[0].name, "LookAtCount");
    EXPECT_EQ(frame->jobs[0].schedule_ns, frame->begin_ns);
    end_jobs_test(world);
}
