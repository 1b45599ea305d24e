// SPDX-License-Identifier: MIT
//
// Where main waited in a frame, how that is ranked, and what is advised.

#include "explain_test.h"

static ox_system_def reap(ox_system_create_fn *create) {
    return (ox_system_def){
        .name = "Reap", .site = "reap.c:30", .update = look_at_count, .create = create};
}

TEST(stalls, a_look_at_what_a_job_writes_is_a_sync_with_its_place) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, reap(NULL), {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    const ox_frame_sync *sync = &frame->syncs[0];
    EXPECT_EQ((int)sync->sync.kind, (int)OX_SYNC_READ);
    EXPECT_EQ(sync->sync.component, ox_component_id_of(Count));
    EXPECT_STR(sync->sync.site, "reap.c:40");
    EXPECT_STR(frame->systems[sync->system].name, "Reap");
    EXPECT(!sync->sync.is_planned);
    EXPECT_EQ(sync->sync.idle_workers, 0);
    EXPECT_EQ(sync->job_count, 1);
    EXPECT_EQ(sync->jobs[0], 0);
    EXPECT_STR(sync->advice, "Reap at reap.c:40 reads Count while WriteCount writes it: move Reap "
                             "before Write, or make it a job");
    end_jobs_test(world);
}

TEST(stalls, what_is_declared_is_planned) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, reap(declare_count), {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT(frame->syncs[0].sync.is_planned);
    EXPECT_STR(frame->syncs[0].advice, "Reap, declared at reap.c:30, reads Count while WriteCount "
                                       "writes it: move Reap before Write, or make it a job");
    end_jobs_test(world);
}

TEST(stalls, who_has_to_follow_is_not_told_to_go_before) {
    ox_system_def follow = reap(NULL);
    follow.after[0] = "Write";
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, follow, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_STR(frame->syncs[0].advice,
               "Reap at reap.c:40 reads Count while WriteCount writes it: "
               "make Reap a job, since it comes after Write, as reap.c:30 says");
    end_jobs_test(world);
}

// What puts groups in order is said by no place.
TEST(stalls, who_is_in_a_later_group_is_not_told_to_go_before) {
    ox_system_def write = WRITE_SYSTEM;
    write.in = "Initialization";
    ox_world *world = make_recorded(0, (ox_system_def[]){write, reap(NULL), {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_STR(frame->syncs[0].advice, "Reap at reap.c:40 reads Count while WriteCount writes it: "
                                       "make Reap a job, since it comes after Write");
    end_jobs_test(world);
}

static void set_count(ox_system *system) {
    ox_set_at(system->world, looked_at, ox_component_id_of(Count), &(Count){5}, "set.c:3");
}

TEST(stalls, a_write_waits_for_readers) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){
               {.name = "Read", .update_jobs = schedule_read, .jobs = OX_JOBS(ReadCount)},
               {.name = "Set", .update = set_count},
               {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_STR(frame->syncs[0].advice, "Set at set.c:3 writes Count while ReadCount reads it: move "
                                       "Set before Read, or make it a job");
    end_jobs_test(world);
}

static void spawn(ox_system *system) {
    ox_entity_destroy_at(system->world, looked_at, "spawn.c:12");
}

TEST(stalls, a_change_of_structure_waits_for_all) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, {.name = "Spawn", .update = spawn}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ((int)frame->syncs[0].sync.kind, (int)OX_SYNC_STRUCTURAL);
    EXPECT_STR(frame->syncs[0].advice,
               "Spawn at spawn.c:12 changes the structure while WriteCount runs: record commands, "
               "or do it before the first job system");
    end_jobs_test(world);
}

static void leave(ox_system *system) {
    ox_system_remove(system);
}

// It is destroyed when the update ends, in nobody's update.
TEST(stalls, what_a_system_waits_for_when_it_is_destroyed_is_mains) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){
               WRITE_SYSTEM, {.name = "Leave", .update = leave, .destroy = look_at_count}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_EQ(frame->syncs[0].system, -1);
    EXPECT_STR(frame->syncs[0].advice, "main at reap.c:40 reads Count while WriteCount writes it: "
                                       "do it before WriteCount is scheduled, or in a job");
    EXPECT_EQ(ox_frame_count_syncs(frame, NULL), 1);
    EXPECT_EQ(ox_frame_count_syncs(frame, "Leave"), 0);
    end_jobs_test(world);
}

// Commands.

OX_ENTITY_JOB(RecordSteps, (OX_READ(Count, count)), { ox_commands commands; }) {
    ox_commands_create_entity(job->commands, OX_VALUE(Step, {count->value}));
}

static void record_on_main(ox_system *system) {
    ox_commands_create_entity(ox_system_commands_at(system, "post.c:3"));
}

static void record_in_own_job(ox_system *system) {
    ox_commands commands = ox_system_commands_at(system, "post.c:6");
    SCHEDULE(RecordSteps, system, OX_AUTO, "post.c:7", commands);
}

static ox_job record_for_barrier(ox_system *system, ox_job after) {
    ox_commands commands = ox_system_commands_at(system, "shoot.c:4");
    return SCHEDULE(RecordSteps, system, after, "shoot.c:5", commands);
}

#define SHOOT_SYSTEM                                                                               \
    { .name = "Shoot", .update_jobs = record_for_barrier, .jobs = OX_JOBS(RecordSteps) }

TEST(stalls, commands_after_an_update_are_better_left_to_a_barrier) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){WRITE_SYSTEM, {.name = "Spawn", .update = record_on_main}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT(frame->syncs[0].is_playback && !frame->syncs[0].sync.is_planned);
    EXPECT_STR(frame->syncs[0].advice,
               "Spawn at post.c:3 plays back commands while WriteCount runs: ask a barrier for "
               "them with ox_barrier_commands");
    end_jobs_test(world);
}

TEST(stalls, so_are_those_of_its_own_jobs) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Spawn", .update = record_in_own_job}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_STR(frame->syncs[0].advice,
               "Spawn at post.c:6 waits for RecordSteps, which may record commands: ask a barrier "
               "for them with ox_barrier_commands");
    end_jobs_test(world);
}

TEST(stalls, a_barrier_waits_for_who_records_and_for_all_others) {
    ox_system_def write = WRITE_SYSTEM;
    write.after[0] = "Shoot";
    ox_world *world = make_recorded(0, (ox_system_def[]){SHOOT_SYSTEM, write, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 2);
    EXPECT(frame->syncs[0].is_playback && frame->syncs[1].is_playback);
    EXPECT(!system_of_frame(frame, "EndSimulation")->is_point);
    EXPECT(system_of_frame(frame, "BeginSimulation")->is_point);
    EXPECT_STR(frame->syncs[0].advice,
               "EndSimulation at shoot.c:4 waits for RecordSteps, which may record commands: ask a "
               "later barrier, or schedule the job earlier");
    EXPECT_STR(frame->syncs[1].advice,
               "EndSimulation at shoot.c:4 plays back commands while WriteCount runs: ask a later "
               "barrier, or schedule the job earlier");
    end_jobs_test(world);
}

TEST(stalls, the_text_says_who_plays_back) {
    ox_world *world = make_recorded(0, (ox_system_def[]){SHOOT_SYSTEM, {0}});
    EXPECT(ox_world_update(world, 0));

    static char text[16384];
    EXPECT(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text) < sizeof text);

    EXPECT_HAS(text, "EndSimulation at shoot.c:4 plays back; waited for RecordSteps");
    EXPECT(ox_world_explain_frame(world, OX_EXPLAIN_JSON, text, sizeof text) < sizeof text);
    EXPECT_HAS(text, "\"is_playback\":true");
    end_jobs_test(world);
}

TEST(stalls, a_system_waits_for_its_own_job_of_the_frame_before) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, {0}});
    EXPECT(ox_world_update(world, 0));

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_EQ(frame->syncs[0].job_count, 0);
    EXPECT(frame->syncs[0].sync.is_planned);
    EXPECT_STR(frame->systems[frame->syncs[0].system].name, "Write");
    EXPECT_STR(frame->syncs[0].advice, "Write waits for its own job of the frame before: its jobs "
                                       "take longer than a frame");
    end_jobs_test(world);
}

TEST(stalls, a_job_of_an_earlier_frame_is_waited_for_too_early) {
    ox_system_def early = reap(NULL);
    early.before[0] = "Write";
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, early, {0}});
    EXPECT(ox_world_update(world, 0));

    const ox_frame *frame = record_frame(world);

    EXPECT_STR(frame->syncs[0].advice, "Reap at reap.c:40 reads Count while WriteCount writes it: "
                                       "move Reap to the end of the frame, or make it a job");
    end_jobs_test(world);
}

static ox_job schedule_and_look(ox_system *system, ox_job after) {
    ox_job job = schedule_write(system, after);
    look_at_count(system);
    return job;
}

TEST(stalls, who_waits_for_a_job_of_the_same_update_is_told_so) {
    ox_world *world = make_recorded(
        0,
        (ox_system_def[]){
            {.name = "Hasty", .update_jobs = schedule_and_look, .jobs = OX_JOBS(WriteCount)}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_STR(frame->syncs[0].advice, "Hasty at reap.c:40 reads Count while WriteCount writes it: "
                                       "do it in a job after WriteCount, or in a later system");
    end_jobs_test(world);
}

static void make_late_query(ox_system *system) {
    ox_query *query = ox_system_query_at(
        system,
        (const ox_term[]){{OX_TERM_READ, NULL, ox_component_id_of(Count)}, {OX_TERM_END, NULL, 0}},
        "look.c:9");
    EXPECT_EQ(ox_query_count(query), 1);
}

TEST(stalls, what_was_learned_is_to_be_declared) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){WRITE_SYSTEM, {.name = "Look", .update = make_late_query}, {0}});

    const ox_frame *frame = record_frame(world);

    const ox_frame_system *look = system_of_frame(frame, "Look");
    EXPECT_STR(look->learned_at, "look.c:9");
    EXPECT_STR(look->learned, "Count");
    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_STR(frame->syncs[0].advice, "Look used Count at look.c:9 and had not declared it: add "
                                       ".jobs, or make the query in create");
    end_jobs_test(world);
}

// Both workers sleep when main begins to wait: nobody has seen the job yet.
static void wait_with_idle_workers(ox_system *system) {
    SCHEDULE(WriteCount, system, OX_AUTO, "idle.c:1", 1);
    wait_until_parked();
    look_at_count(system);
}

TEST(stalls, idle_workers_are_counted_when_a_wait_begins) {
    ox_world *world = make_recorded(
        2, (ox_system_def[]){{.name = "Idle", .update = wait_with_idle_workers}, {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_EQ(frame->syncs[0].sync.idle_workers, 2);
    EXPECT(system_of_frame(frame, "Idle")->wait_ns == frame->syncs[0].sync.wait_ns);
    end_jobs_test(world);
}

static ox_job schedule_slow_pair(ox_system *system, ox_job after) {
    SCHEDULE(SlowCount, system, OX_AUTO, "slow.c:1", 100);
    SCHEDULE(SlowStep, system, OX_AUTO, "slow.c:2", 300);
    return after;
}

static void look_at_step(ox_system *system) {
    ox_get_at(system->world, looked_at, ox_component_id_of(Step), "reap.c:50");
}

static const ox_system_def slow_systems[] = {
    {.name = "Slow", .update_jobs = schedule_slow_pair, .jobs = OX_JOBS(SlowCount, SlowStep)},
    {.name = "First", .update = look_at_count, .after = {"Slow"}},
    {.name = "Second", .update = look_at_step, .after = {"First"}},
    {0},
};

TEST(stalls, the_longest_wait_ranks_first) {
    ox_world *world = make_recorded(0, slow_systems);
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->sync_count, 2);
    EXPECT_EQ(frame->syncs[0].sync.wait_ns, 100);
    EXPECT_EQ(frame->syncs[1].sync.wait_ns, 300);
    EXPECT_EQ(frame->ranked[0], 1);
    EXPECT_EQ(frame->ranked[1], 0);
    EXPECT_EQ(system_of_frame(frame, "Second")->wait_ns, 300);
    EXPECT_EQ(system_of_frame(frame, "Simulation")->wait_ns, 400);
    end_jobs_test(world);
}

TEST(stalls, a_change_of_structure_names_the_longest_job) {
    ox_system_def systems[] = {
        slow_systems[0], {.name = "Spawn", .update = spawn, .after = {"Slow"}}, {0}};
    ox_world *world = make_recorded(0, systems);
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->syncs[0].job_count, 2);
    EXPECT_STR(frame->syncs[0].advice,
               "Spawn at spawn.c:12 changes the structure while SlowStep runs: record commands, "
               "or do it before the first job system");
    end_jobs_test(world);
}

TEST(stalls, budgets_count_from_a_system_on) {
    ox_world *world = make_recorded(0, slow_systems);

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(ox_frame_count_syncs(frame, NULL), 2);
    EXPECT_EQ(ox_frame_count_syncs(frame, "Initialization"), 2); // the first of all
    EXPECT_EQ(ox_frame_count_syncs(frame, "Simulation"), 2);
    EXPECT_EQ(ox_frame_count_syncs(frame, "Slow"), 2);
    EXPECT_EQ(ox_frame_count_syncs(frame, "Second"), 1);
    EXPECT_EQ(ox_frame_count_syncs(frame, "Presentation"), 0);
    EXPECT_EQ(ox_frame_count_syncs(frame, "Nobody"), -1);
    EXPECT_EQ(ox_frame_count_syncs(NULL, "Slow"), -1);
    end_jobs_test(world);
}

TEST(stalls, budgets_count_after_a_system_or_all_of_a_group) {
    ox_world *world = make_recorded(0, slow_systems);

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(ox_frame_count_syncs_after(frame, "Initialization"), 2);
    EXPECT_EQ(ox_frame_count_syncs_after(frame, "Slow"), 2);
    EXPECT_EQ(ox_frame_count_syncs_after(frame, "First"), 1);
    EXPECT_EQ(ox_frame_count_syncs_after(frame, "Second"), 0);
    EXPECT_EQ(ox_frame_count_syncs_after(frame, "Simulation"), 0);
    EXPECT_EQ(ox_frame_count_syncs_after(frame, "Nobody"), -1);
    EXPECT_EQ(ox_frame_count_syncs_after(frame, NULL), -1);
    EXPECT_EQ(ox_frame_count_syncs_after(NULL, "Slow"), -1);
    end_jobs_test(world);
}

TEST(stalls, strict_reports_what_was_not_planned) {
    collected_reports reports = {0};
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, reap(NULL), {0}});
    collect_reports(&reports);
    ox_world_set_strict(world, true);

    EXPECT(ox_world_update(world, 0));

    EXPECT_REPORT(&reports, OX_REPORT_UNPLANNED_SYNC);
    EXPECT_HAS(reports.text, "reap.c:40");
    ox_world_set_strict(world, false);
    EXPECT(ox_world_update(world, 0));
    EXPECT_EQ(reports.count, 0);
    end_jobs_test(world);
}

TEST(stalls, strict_says_nothing_of_what_was_planned) {
    collected_reports reports = {0};
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, reap(declare_count), {0}});
    collect_reports(&reports);
    ox_world_set_strict(world, true);

    EXPECT_EQ(record_frame(world)->sync_count, 1);

    EXPECT_EQ(reports.count, 0);
    end_jobs_test(world);
}

TEST(stalls, asking_for_a_frame_is_none) {
    ox_world *world = make_recorded(0, (ox_system_def[]){WRITE_SYSTEM, {0}});
    ox_world_record_syncs(world, true);

    EXPECT_EQ(record_frame(world)->sync_count, 0);

    EXPECT_EQ(ox_world_get_syncs(world, NULL, 0), 0);
    end_jobs_test(world);
}

// Several jobs.

OX_JOB(Linger, { uint32_t ns; }) {
    atomic_fetch_add(&fake_ns, job->ns);
}

static ox_job schedule_joined(ox_system *system, ox_job after) {
    ox_job write = SCHEDULE(WriteCount, system, after, "write.c:9", 1);
    ox_job linger = ox_schedule_at(ox_job_type_of(Linger), after, &(Linger){5000}, "linger.c:1");
    return ox_combine(write, write, linger);
}

TEST(stalls, all_jobs_of_a_handle_are_waited_for_and_the_one_in_the_way_is_blamed) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){
               {.name = "Write", .update_jobs = schedule_joined, .jobs = OX_JOBS(WriteCount)},
               reap(NULL),
               {0}});
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_EQ(frame->syncs[0].job_count, 2);
    EXPECT_NE(frame->syncs[0].jobs[0], frame->syncs[0].jobs[1]);
    EXPECT_STR(frame->syncs[0].advice, "Reap at reap.c:40 reads Count while WriteCount writes it: "
                                       "move Reap before Write, or make it a job");
    end_jobs_test(world);
}

static bool declare_writing(ox_system *system) {
    return ox_system_declare(system, OX_WRITE(Count));
}

static ox_job schedule_linger(ox_system *system, ox_job after) {
    (void)system;
    return ox_schedule_at(ox_job_type_of(Linger), after, &(Linger){5000}, "linger.c:1");
}

TEST(stalls, a_job_of_which_only_its_system_says_what_it_does_uses_the_component) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){
               {.name = "Write", .update_jobs = schedule_linger, .create = declare_writing},
               reap(NULL),
               {0}});

    const ox_frame *frame = record_frame(world);

    EXPECT_EQ(frame->sync_count, 1);
    EXPECT_STR(frame->syncs[0].advice, "Reap at reap.c:40 reads Count while Linger uses it: "
                                       "move Reap before Write, or make it a job");
    end_jobs_test(world);
}
