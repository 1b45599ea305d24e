// SPDX-License-Identifier: MIT
//
// What a recorded frame tells: order, jobs and what they wait for, syncs.

#include "explain_test.h"

// Order.

static bool declare_step(ox_system *system) {
    return ox_system_declare(system, OX_READ(Step));
}

// Known to the process, and in no world of these tests.
OX_SYSTEM(Elsewhere, .is_manual = true) {
}

#define IN_MINE .in = "Mine", .site = "mine.c:1"

static const ox_system_def ordered[] = {
    {.name = "Mine", .is_group = true},
    {.name = "Opening", .place = OX_PHASE_FIRST, .update = do_nothing, IN_MINE},
    {.name = "WriteA", .update_jobs = schedule_write, .jobs = OX_JOBS(WriteCount), IN_MINE},
    {.name = "WriteB", .update_jobs = schedule_write_step, .jobs = OX_JOBS(WriteStep), IN_MINE},
    {.name = "Free", .update = do_nothing, IN_MINE},
    {.name = "LookCount", .update = do_nothing, .create = declare_count, IN_MINE},
    {.name = "LookStep", .update = do_nothing, .create = declare_step, IN_MINE},
    {.name = "Follow",
     .site = "follow.c:3",
     .in = "Mine",
     .update = do_nothing,
     .after = {"LookStep", "Elsewhere"}},
    {.name = "Closing", .place = OX_PHASE_LAST, .update = do_nothing, IN_MINE},
    {0},
};

static void expect_cause(const ox_frame *frame, const char *name, ox_order_cause cause,
                         const char *other) {
    const ox_frame_system *system = system_of_frame(frame, name);
    EXPECT_EQ((int)system->cause, (int)cause);
    EXPECT_EQ(system->other == NULL, other == NULL);
    if (other != NULL && system->other != NULL) {
        EXPECT_STR(system->other, other);
    }
}

TEST(explain, each_system_has_what_put_it_in_its_place) {
    ox_world *world = make_recorded(0, ordered);

    const ox_frame *frame = record_frame(world);

    expect_cause(frame, "Opening", OX_ORDERED_FIRST, NULL);
    expect_cause(frame, "WriteA", OX_ORDERED_NAME, "WriteB");
    expect_cause(frame, "WriteB", OX_ORDERED_JOBS, NULL);
    expect_cause(frame, "Free", OX_ORDERED_FREE, NULL);
    expect_cause(frame, "LookCount", OX_ORDERED_LATE, "WriteA");
    EXPECT_STR(system_of_frame(frame, "LookCount")->component, "Count");
    expect_cause(frame, "LookStep", OX_ORDERED_ALONE, NULL);
    expect_cause(frame, "Follow", OX_ORDERED_AFTER, "LookStep");
    EXPECT_STR(system_of_frame(frame, "Follow")->cause_site, "follow.c:3");
    expect_cause(frame, "Closing", OX_ORDERED_LAST, NULL);
    end_jobs_test(world);
}

TEST(explain, systems_stand_in_their_groups_with_names_that_are_missing) {
    ox_world *world = make_recorded(0, ordered);

    const ox_frame *frame = record_frame(world);

    const ox_frame_system *mine = system_of_frame(frame, "Mine");
    const ox_frame_system *follow = system_of_frame(frame, "Follow");
    EXPECT(mine->is_group);
    EXPECT_STR(frame->systems[mine->group].name, "Simulation");
    EXPECT_EQ(frame->systems[mine->group].group, -1);
    EXPECT_EQ(follow->group, mine - frame->systems);
    EXPECT_STR(follow->missing[0], "Elsewhere");
    EXPECT(follow->missing[1] == NULL);
    EXPECT(system_of_frame(frame, "WriteA")->is_job);
    EXPECT(!follow->is_job && follow->has_run && !follow->is_point);
    EXPECT(system_of_frame(frame, "BeginSimulation")->is_point);
    EXPECT(mine->begin_ns == system_of_frame(frame, "Opening")->begin_ns);
    EXPECT(mine->end_ns == system_of_frame(frame, "Closing")->end_ns);
    end_jobs_test(world);
}

TEST(explain, so_many_names_are_missing_and_no_more) {
    collected_reports reports = {0};
    ox_system_def lonely = {.name = "Lonely", .update = do_nothing};
    static const char names[16][4] = {"n0", "n1", "n2",  "n3",  "n4",  "n5",  "n6",  "n7",
                                      "n8", "n9", "n10", "n11", "n12", "n13", "n14", "n15"};
    collect_reports(&reports);
    for (int k = 0; k < OX_MAX_ORDER; k++) {
        lonely.before[k] = k < 5 ? names[k] : "Presentation";
        lonely.after[k] = names[8 + k];
    }
    ox_world *world = make_recorded(0, (ox_system_def[]){lonely, {0}});

    const ox_frame *frame = record_frame(world);

    const char *const *missing = system_of_frame(frame, "Lonely")->missing;
    static const char *const expected[] = {"n0", "n1", "n2", "n3", "n4", "n8", "n9"};
    for (int k = 0; k < 7; k++) {
        EXPECT_STR(missing[k], expected[k]);
    }
    EXPECT(missing[7] == NULL);
    end_jobs_test(world);
}

TEST(explain, a_given_order_is_the_reason_of_shuffled_systems) {
    ox_world *world = make_recorded(0, ordered);
    ox_world_shuffle_systems(world, 7);

    const ox_frame *frame = record_frame(world);

    int given = 0;
    for (int k = 0; k < frame->system_count; k++) {
        given += frame->systems[k].cause == OX_ORDERED_GIVEN;
    }
    EXPECT(given > 0);
    end_jobs_test(world);
}

// Jobs.

TEST(explain, a_job_with_a_handle_has_the_causes_of_that_handle) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 2);
    const ox_frame_job *job = &frame->jobs[1];
    EXPECT_STR(job->name, "ReadCount");
    EXPECT_STR(job->site, "read.c:5");
    EXPECT_STR(frame->systems[job->system].name, "Read");
    EXPECT(!job->is_auto);
    EXPECT_EQ(job->units, 1);
    EXPECT_EQ(job->wait_count, 1);
    EXPECT_EQ(job->waits[0].before, 0);
    EXPECT_STR(job->waits[0].name, "WriteCount");
    EXPECT_STR(job->waits[0].site, "write.c:9");
    EXPECT_STR(job->waits[0].component, "Count");
    EXPECT(job->waits[0].before_writes && !job->waits[0].after_writes);
    EXPECT(!job->waits[0].is_declared);
    EXPECT_EQ(job->waited_for, 0);
    EXPECT_EQ(frame->jobs[0].wait_count, 0);
    end_jobs_test(world);
}

static ox_job schedule_auto(ox_system *system, ox_job after) {
    SCHEDULE(ReadCount, system, OX_AUTO, "auto.c:1", 0);
    SCHEDULE(CountFromStep, system, OX_AUTO, "auto.c:2", 0);
    SCHEDULE(WriteStep, system, OX_AUTO, "auto.c:3", 0);
    return after;
}

TEST(explain, jobs_with_auto_have_causes_of_their_own) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){WRITE_SYSTEM,
                             {.name = "Auto", .update_jobs = schedule_auto, .after = {"Write"}},
                             {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 4);
    EXPECT(frame->jobs[1].is_auto);
    EXPECT_EQ(frame->jobs[1].wait_count, 1);
    EXPECT(wait_of_job(frame, 1, 0, "Count") != NULL);
    EXPECT_EQ(frame->jobs[2].wait_count, 2); // the writer, and the reader since
    EXPECT(wait_of_job(frame, 2, 0, "Count")->before_writes);
    EXPECT(wait_of_job(frame, 2, 0, "Count")->after_writes);
    EXPECT(!wait_of_job(frame, 2, 1, "Count")->before_writes);
    EXPECT(wait_of_job(frame, 2, 1, "Count")->after_writes);
    EXPECT_EQ(frame->jobs[3].wait_count, 1);
    EXPECT(!wait_of_job(frame, 3, 2, "Step")->before_writes);
    EXPECT(wait_of_job(frame, 3, 2, "Step")->after_writes);
    end_jobs_test(world);
}

// The first of these finds no entity, so there is no job: what it would have waited for is
// nobody's.
OX_ENTITY_JOB(WriteNobody, (OX_WRITE(Count, count), OX_WITH(Red)), { int unused; }) {
    count->value++;
}

static ox_job schedule_in_vain(ox_system *system, ox_job after) {
    SCHEDULE(WriteNobody, system, OX_AUTO, "vain.c:1", 0);
    SCHEDULE(WriteStep, system, OX_AUTO, "vain.c:2", 0);
    return after;
}

TEST(explain, what_a_job_without_entities_waits_for_is_not_the_next_ones) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){WRITE_SYSTEM,
                             {.name = "Vain", .update_jobs = schedule_in_vain, .after = {"Write"}},
                             {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 2);
    EXPECT_STR(frame->jobs[1].name, "WriteStep");
    EXPECT_EQ(frame->jobs[1].wait_count, 0);
    EXPECT_EQ(frame->idle_count, 1);
    end_jobs_test(world);
}

static ox_job schedule_passed(ox_system *system, ox_job after) {
    ox_job count = SCHEDULE(WriteCount, system, after, "pass.c:1", 1);
    ox_job step = SCHEDULE(WriteStep, system, after, "pass.c:2", 1);
    ox_job both = SCHEDULE(CountFromStep, system, ox_combine(count, step), "pass.c:3", 0);
    return SCHEDULE(ReadCount, system, both, "pass.c:4", 0);
}

TEST(explain, a_handle_that_was_passed_is_a_cause_without_a_component) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Pass", .update_jobs = schedule_passed}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 4);
    EXPECT_EQ(frame->jobs[2].wait_count, 2);
    EXPECT_STR(wait_of_job(frame, 2, 0, NULL)->name, "WriteCount");
    EXPECT_STR(wait_of_job(frame, 2, 1, NULL)->site, "pass.c:2");
    EXPECT_EQ(frame->jobs[3].wait_count, 1);
    EXPECT(wait_of_job(frame, 3, 2, NULL) != NULL);
    end_jobs_test(world);
}

static ox_job schedule_two(ox_system *system, ox_job after) {
    ox_job count = SCHEDULE(WriteCount, system, after, "two.c:1", 1);
    ox_job step = SCHEDULE(WriteStep, system, after, "two.c:2", 1);
    return ox_combine(count, step);
}

static ox_job schedule_both(ox_system *system, ox_job after) {
    ox_job own = SCHEDULE(ReadEntities, system, OX_NO_JOB, "both.c:1", 0);
    ox_job both = ox_combine(after, own);
    return SCHEDULE(CountFromStep, system, both, "both.c:2", 0);
}

TEST(explain, a_handle_of_several_jobs_is_a_cause_for_each) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){
               {.name = "Two", .update_jobs = schedule_two, .jobs = OX_JOBS(WriteCount, WriteStep)},
               {.name = "Both",
                .update_jobs = schedule_both,
                .jobs = OX_JOBS(CountFromStep),
                .after = {"Two"}},
               {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 4);
    const ox_frame_wait *count = wait_of_job(frame, 3, 0, "Count");
    const ox_frame_wait *step = wait_of_job(frame, 3, 1, "Step");
    EXPECT(count != NULL && count->before_writes && count->after_writes && !count->is_declared);
    EXPECT(step != NULL && step->before_writes && !step->after_writes && !step->is_declared);
    EXPECT(wait_of_job(frame, 3, 2, NULL) != NULL); // the user's own
    const ox_frame_wait *declared = wait_of_job(frame, 3, 1, "Count");
    EXPECT(declared != NULL && declared->is_declared); // as the whole of Two stands for Count
    end_jobs_test(world);
}

OX_ENTITY_JOB(WriteBoth, (OX_WRITE(Count, count), OX_WRITE(Step, step)), { int unused; }) {
    count->value++;
    step->value++;
}

static ox_job schedule_both_twice(ox_system *system, ox_job after) {
    (void)after;
    SCHEDULE(WriteBoth, system, OX_AUTO, "twice.c:1", 0);
    SCHEDULE(WriteBoth, system, OX_AUTO, "twice.c:2", 0);
    return OX_NO_JOB;
}

TEST(explain, a_job_that_shares_several_components_with_another_has_a_cause_for_each) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Twice", .update_jobs = schedule_both_twice}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->jobs[1].wait_count, 2);
    EXPECT(wait_of_job(frame, 1, 0, "Count") != NULL);
    EXPECT(wait_of_job(frame, 1, 0, "Step") != NULL);
    end_jobs_test(world);
}

static ox_job read_at_two_places(ox_system *system, ox_job after) {
    (void)after;
    SCHEDULE(ReadCount, system, OX_AUTO, "place.c:1", 0);
    SCHEDULE(ReadCount, system, OX_AUTO, "place.c:2", 0);
    SCHEDULE(ReadCount, system, OX_AUTO, "place.c:2", 0);
    return OX_NO_JOB;
}

TEST(explain, jobs_of_an_earlier_frame_are_told_apart_by_their_places) {
    ox_system_def write = WRITE_SYSTEM;
    write.starts_off = true;
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Places", .update_jobs = read_at_two_places}, write, {0}});
    EXPECT(ox_world_update(world, 0));
    ox_system_set_enabled(ox_system_find(world, "Places"), false);
    ox_system_set_enabled(ox_system_find(world, "Write"), true);

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 1);
    EXPECT_EQ(frame->jobs[0].wait_count, 2);
    EXPECT_STR(frame->jobs[0].waits[0].site, "place.c:1");
    EXPECT_STR(frame->jobs[0].waits[1].site, "place.c:2");
    end_jobs_test(world);
}

// Handles that stand for as many jobs as are told apart, and for some more.
enum { MOST_CAUSES = 1024, TOO_MANY = MOST_CAUSES + 6 };

static ox_job schedule_too_many(ox_system *system, ox_job after) {
    ox_array jobs = ox_array_create_untyped(ox_job, TOO_MANY, OX_PERSISTENT);
    for (int k = 0; k < TOO_MANY; k++) {
        *ox_array_edit(OX_AS(jobs, ox_job), k) =
            SCHEDULE(ReadCount, system, after, "readers.c:1", 0);
    }
    ox_job all = ox_combine_array(jobs);
    ox_dispose(&jobs);
    return SCHEDULE(WriteStep, system, all, "readers.c:2", 1);
}

TEST(explain, a_job_has_so_many_causes_and_the_others_are_counted) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Readers", .update_jobs = schedule_too_many}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->jobs[TOO_MANY].wait_count, MOST_CAUSES);
    EXPECT_EQ(frame->dropped, TOO_MANY - MOST_CAUSES);
    end_jobs_test(world);
}

static ox_job schedule_readers(ox_system *system, ox_job after) {
    for (int k = 0; k < 40; k++) {
        SCHEDULE(ReadCount, system, OX_AUTO, "readers.c:1", 0);
    }
    SCHEDULE(WriteCount, system, OX_AUTO, "readers.c:2", 1);
    return after;
}

TEST(explain, a_writer_has_a_cause_for_each_of_many_readers) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Readers", .update_jobs = schedule_readers}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 41);
    EXPECT_EQ(frame->jobs[40].wait_count, 40);
    for (int k = 0; k < 40; k++) {
        EXPECT(wait_of_job(frame, 40, k, "Count") != NULL);
    }
    EXPECT_EQ(frame->dropped, 0);
    end_jobs_test(world);
}

TEST(explain, a_job_of_an_earlier_frame_has_a_name_and_no_place) {
    ox_system_def early = {.name = "Early",
                           .update_jobs = schedule_read,
                           .jobs = OX_JOBS(ReadCount),
                           .before = {"Write"}};
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, early, {0}});
    EXPECT(ox_world_update(world, 0));

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->number, 2);
    EXPECT_STR(frame->jobs[0].name, "ReadCount");
    EXPECT_EQ(frame->jobs[0].wait_count, 1);
    EXPECT_EQ(frame->jobs[0].waits[0].before, -1);
    EXPECT_STR(frame->jobs[0].waits[0].name, "WriteCount");
    EXPECT_STR(frame->jobs[0].waits[0].site, "write.c:9");
    end_jobs_test(world);
}

TEST(explain, off_has_no_frame) {
    ox_world *world = make_recorded(0, ordered);
    EXPECT(ox_world_record_frames(world, false));

    EXPECT(ox_world_update(world, 0));

    EXPECT(ox_world_get_frame(world) == NULL);
    EXPECT(!ox_trace_is_recording());
    end_jobs_test(world);
}

TEST(explain, off_reads_no_clock) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    EXPECT(ox_world_record_frames(world, false));
    use_fake_clock();

    EXPECT(ox_world_update(world, 0));
    uint32_t reads = atomic_load(&fake_clock_reads);
    use_system_clock();

    EXPECT_EQ(reads, 0);
    end_jobs_test(world);
}

TEST(explain, a_trace_of_its_own_ends_when_the_frame_is_read) {
    ox_world *world = make_recorded(2, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    EXPECT(ox_world_update(world, 0));
    EXPECT(ox_trace_is_recording());

    const ox_frame *frame = ox_world_get_frame(world);

    EXPECT(!ox_trace_is_recording());
    EXPECT(frame->jobs[1].begin_ns >= frame->jobs[0].end_ns);
    EXPECT(frame->jobs[0].end_ns > frame->begin_ns);
    EXPECT(ox_world_get_frame(world) == frame);
    end_jobs_test(world);
}

TEST(explain, a_trace_of_its_own_ends_when_frames_are_no_longer_recorded) {
    ox_world *world = make_recorded(2, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    EXPECT(ox_world_update(world, 0));
    EXPECT(ox_trace_is_recording());

    EXPECT(ox_world_record_frames(world, false));

    EXPECT(!ox_trace_is_recording());
    end_jobs_test(world);
}

TEST(explain, a_trace_of_the_user_is_left_alone) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    EXPECT(ox_trace_begin(100));
    uint64_t start = ox_trace_get_start();

    for (int k = 0; k < 3; k++) {
        const ox_frame *frame = record_frame(world);
        EXPECT(frame->jobs[1].end_ns >= frame->begin_ns);
    }

    EXPECT(ox_trace_is_recording());
    EXPECT_EQ(ox_trace_get_start(), start);
    ox_trace_clear();
    end_jobs_test(world);
}

TEST(explain, what_finds_no_room_is_counted) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    EXPECT(ox_trace_begin(1));

    const ox_frame *frame = record_frame(world);

    uint64_t first = frame->dropped;
    EXPECT(first > 0);
    EXPECT_EQ(frame->job_count, 2);
    EXPECT_EQ(frame->jobs[1].end_ns, 0);
    EXPECT_EQ(frame->jobs[1].waited_for, -1);
    EXPECT_EQ(record_frame(world)->dropped, first + 1); // of its own: the room was taken
    ox_trace_clear();
    end_jobs_test(world);
}

TEST(explain, works_with_a_job_system_that_starts_in_the_frame) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    ox_jobs_stop();

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 2);
    EXPECT(frame->jobs[0].end_ns >= frame->begin_ns);
    EXPECT(wait_of_job(frame, 1, 0, "Count") != NULL);
    end_jobs_test(world);
}

// Life.

static collected_reports life_reports;

static void ask_in_update(ox_system *system) {
    EXPECT(ox_world_get_frame(system->world) == NULL);
    EXPECT_REPORT(&life_reports, OX_REPORT_WORLD_UPDATING);
    EXPECT(!ox_world_record_frames(system->world, false));
    EXPECT_REPORT(&life_reports, OX_REPORT_WORLD_UPDATING);
}

TEST(explain, calls_in_an_update_are_refused) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Ask", .update = ask_in_update}, {0}});
    collect_reports(&life_reports);

    const ox_frame *frame = record_frame(world);

    EXPECT(system_of_frame(frame, "Ask")->has_run);
    end_jobs_test(world);
}

TEST(explain, there_is_no_frame_before_the_first) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, {0}});

    EXPECT(ox_world_get_frame(world) == NULL);
    EXPECT(ox_world_record_frames(world, true));
    EXPECT_EQ(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, NULL, 0), 0);
    char text[] = "x";
    EXPECT_EQ(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, 1), 0);
    EXPECT_STR(text, "");
    end_jobs_test(world);
}

TEST(explain, a_system_that_is_updated_by_itself_is_no_frame) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, {0}});

    EXPECT(ox_system_update(ox_system_find(world, "Write")));

    EXPECT(ox_world_get_frame(world) == NULL);
    end_jobs_test(world);
}

static void leave(ox_system *system) {
    ox_system_remove(system);
}

TEST(explain, a_system_that_goes_in_its_update_is_in_the_frame) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, {.name = "Leave", .update = leave}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT(system_of_frame(frame, "Leave")->has_run);
    EXPECT_EQ(record_frame(world)->job_count, 1);
    end_jobs_test(world);
}

TEST(explain, steps_of_a_group_are_one_line_each) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Steps", .is_group = true, .step = 0.125f},
                                           {.name = "Write",
                                            .in = "Steps",
                                            .update_jobs = schedule_write,
                                            .jobs = OX_JOBS(WriteCount)},
                                           {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->job_count, 2);
    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_EQ((int)frame->syncs[0].sync.kind, (int)OX_SYNC_OWN);
    EXPECT_STR(frame->syncs[0].advice, "Write waits for its own job of the step before: its jobs "
                                       "take longer than a step");
    end_jobs_test(world);
}

// Several worlds.

static void record_elsewhere(void *context) {
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_system_def def = {.name = "Nothing", .update = do_nothing};
    ox_system_add(world, &def);
    ox_world_record_frames(world, true);
    for (int k = 0; k < 100; k++) {
        ox_world_update(world, 0);
        const ox_frame *frame = ox_world_get_frame(world);
        *(bool *)context = frame != NULL && frame->job_count == 0 && frame->system_count > 0;
    }
    ox_world_destroy(world);
}

TEST(explain, a_world_of_another_thread_has_frames_without_jobs) {
    ox_world *world = make_recorded(2, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    bool is_recorded = false;
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, record_elsewhere, &is_recorded, "other"));

    for (int k = 0; k < 20; k++) {
        EXPECT_EQ(record_frame(world)->job_count, 2);
    }
    oxi_thread_join(&thread);

    EXPECT(is_recorded);
    end_jobs_test(world);
}

static ox_world *inner;

static ox_job schedule_around(ox_system *system, ox_job after) {
    ox_job count = SCHEDULE(WriteCount, system, after, "around.c:1", 1);
    EXPECT(ox_world_update(inner, 0));
    ox_job step = SCHEDULE(WriteStep, system, after, "around.c:2", 1);
    return SCHEDULE(CountFromStep, system, ox_combine(count, step), "around.c:3", 0);
}

TEST(explain, a_world_that_is_updated_inside_of_another_has_a_frame_of_its_own) {
    inner = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, READ_SYSTEM, {0}});
    ox_world *outer = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_entity_create(outer, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}));
    ox_system_def around = {.name = "Around", .update_jobs = schedule_around};
    EXPECT(ox_system_add(outer, &around) != NULL);
    EXPECT(ox_world_record_frames(outer, true));

    const ox_frame *frame = record_frame(outer);

    EXPECT_EQ(frame->job_count, 3);
    EXPECT(wait_of_job(frame, 2, 0, NULL) != NULL);
    EXPECT(wait_of_job(frame, 2, 1, NULL) != NULL);
    EXPECT_EQ(ox_world_get_frame(inner)->job_count, 2);
    ox_world_destroy(outer);
    end_jobs_test(inner);
}
