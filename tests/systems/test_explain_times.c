// SPDX-License-Identifier: MIT
//
// What recorded frames cost and last: the critical path, the times of groups, and memory.

#include "explain_test.h"

#include "base/counted_memory.h"

static ox_job schedule_slow(ox_system *system, ox_job after) {
    (void)after;
    SCHEDULE(SlowCount, system, OX_AUTO, "slow.c:1", 100);
    SCHEDULE(SlowStep, system, OX_AUTO, "slow.c:2", 250);
    SCHEDULE(SlowCount, system, OX_AUTO, "slow.c:3", 200);
    return OX_NO_JOB;
}

TEST(explain_times, the_critical_path_is_the_longest_chain) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "Slow", .update_jobs = schedule_slow}, {0}});
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->jobs[0].work_ns, 100);
    EXPECT_EQ(frame->jobs[1].end_ns - frame->jobs[1].begin_ns, 250);
    EXPECT_EQ(frame->jobs[2].waited_for, 0);
    EXPECT(frame->jobs[2].ready_ns > frame->jobs[2].schedule_ns);
    EXPECT_EQ(frame->critical_ns, 300);
    EXPECT(frame->jobs[0].is_critical && !frame->jobs[1].is_critical);
    EXPECT(frame->jobs[2].is_critical);
    end_jobs_test(world);
}

static ox_job schedule_joined(ox_system *system, ox_job after) {
    ox_job slow = SCHEDULE(SlowCount, system, after, "joined.c:1", 300);
    ox_job fast = SCHEDULE(SlowStep, system, after, "joined.c:2", 100);
    return SCHEDULE(SlowCount, system, ox_combine(slow, fast), "joined.c:3", 50);
}

TEST(explain_times, the_critical_path_goes_through_the_longer_of_two) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Joined", .update_jobs = schedule_joined}, {0}});
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->critical_ns, 350);
    EXPECT(frame->jobs[0].is_critical && !frame->jobs[1].is_critical);
    EXPECT(frame->jobs[2].is_critical);
    end_jobs_test(world);
}

// An update on main that takes so long.
static void take_100(ox_system *system) {
    (void)system;
    atomic_fetch_add(&fake_ns, 100);
}

static void expect_times(const ox_frame *frame, const char *name, uint64_t begin, uint64_t end) {
    const ox_frame_system *system = system_of_frame(frame, name);
    EXPECT_EQ(system->begin_ns - frame->begin_ns, begin);
    EXPECT_EQ(system->end_ns - frame->begin_ns, end);
    EXPECT(system->has_run);
}

TEST(explain_times, a_group_lasts_from_the_first_to_the_last_of_what_is_in_it) {
    ox_system_def defs[] = {
        {.name = "Outer", .is_group = true, .after = {"A"}},
        {.name = "Inner", .is_group = true, .in = "Outer", .after = {"B"}},
        {.name = "A", .update = take_100},
        {.name = "Asleep", .update = take_100, .in = "Outer", .starts_off = true},
        {.name = "B", .update = take_100, .in = "Outer", .after = {"Asleep"}},
        {.name = "C", .update = take_100, .in = "Inner"},
        {.name = "D", .update = take_100, .in = "Inner", .after = {"C"}},
        {.name = "E", .update = take_100, .after = {"Outer"}},
        {.name = "Steps", .is_group = true, .step = 0.125f, .after = {"E"}},
        {.name = "F", .update = take_100, .in = "Steps"},
        {.name = "G", .update = take_100, .in = "Steps", .after = {"F"}},
        {0}};
    ox_world *world = make_recorded(0, defs);
    use_fake_clock();

    const ox_frame *frame = record_frame(world); // two steps
    use_system_clock();

    expect_times(frame, "A", 0, 100);
    expect_times(frame, "Outer", 100, 400);
    expect_times(frame, "B", 100, 200);
    expect_times(frame, "Inner", 200, 400);
    expect_times(frame, "C", 200, 300);
    expect_times(frame, "D", 300, 400);
    expect_times(frame, "E", 400, 500);
    expect_times(frame, "Steps", 500, 900);
    expect_times(frame, "F", 500, 800);
    expect_times(frame, "G", 600, 900);
    expect_times(frame, "Simulation", 0, 900);
    EXPECT(!system_of_frame(frame, "Asleep")->has_run);
    EXPECT(!system_of_frame(frame, "Presentation")->has_run);
    EXPECT_EQ(frame->end_ns - frame->begin_ns, 900);
    end_jobs_test(world);
}

OX_ENTITY_JOB(WriteNobody, (OX_WRITE(Count, count), OX_WITH(Red)), { int unused; }) {
    count->value++;
}

// A stall, an idle job, waits, steps and combined handles: all that a frame has lists for.
static ox_job schedule_all_sorts(ox_system *system, ox_job after) {
    SCHEDULE(WriteNobody, system, OX_AUTO, "sorts.c:1", 0);
    ox_job count = SCHEDULE(WriteCount, system, after, "sorts.c:2", 1);
    ox_job step = SCHEDULE(WriteStep, system, after, "sorts.c:3", 1);
    return SCHEDULE(CountFromStep, system, ox_combine(count, step), "sorts.c:4", 0);
}

TEST(explain_times, frames_take_no_more_memory_the_longer_they_are_recorded) {
    counted_memory memory = {0};
    start_workers_of_test(0);
    ox_world *world =
        ox_world_create(&(ox_world_def){.no_systems = true, .allocator = counted_create(&memory)});
    looked_at = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}));
    ox_system_def sorts = {
        .name = "Sorts", .update_jobs = schedule_all_sorts, .jobs = OX_JOBS(WriteCount, WriteStep)};
    ox_system_def look = {.name = "Look", .update = look_at_count, .after = {"Sorts"}};
    EXPECT(ox_system_add(world, &sorts) != NULL && ox_system_add(world, &look) != NULL);
    EXPECT(ox_world_record_frames(world, true));
    for (int k = 0; k < 20; k++) {
        record_frame(world);
    }
    int begin = memory.asked;
    for (int k = 0; k < 200; k++) {
        const ox_frame *frame = record_frame(world);
        EXPECT(frame->job_count == 3 && frame->idle_count == 1);
    }
    int recorded = memory.asked - begin;
    EXPECT(ox_world_record_frames(world, false));

    begin = memory.asked;
    for (int k = 0; k < 200; k++) {
        EXPECT(ox_world_update(world, 0.25f));
    }

    EXPECT_EQ(recorded, memory.asked - begin); // as many blocks as without a recorder
    end_jobs_test(world);
    EXPECT_EQ(memory.live, 0);
    EXPECT_EQ(memory.wrong, 0);
}

static void take_100_ns(ox_system *system) {
    (void)system;
    atomic_fetch_add(&fake_ns, 100);
}

TEST(explain_times, the_first_group_lasts_as_long_as_what_is_in_it) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "A", .in = "Initialization", .update = take_100_ns}, {0}});
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    const ox_frame_system *group = system_of_frame(frame, "Initialization");
    EXPECT(group == &frame->systems[0] && group->has_run);
    EXPECT_EQ(group->end_ns - group->begin_ns, 100);
    end_jobs_test(world);
}

static ox_job schedule_and_dawdle(ox_system *system, ox_job after) {
    ox_job first = SCHEDULE(SlowCount, system, after, "dawdle.c:1", 100);
    ox_job second = SCHEDULE(SlowCount, system, first, "dawdle.c:2", 50);
    atomic_fetch_add(&fake_ns, 5000);
    return second;
}

TEST(explain_times, waiting_for_the_first_job_of_a_frame_is_no_wait_for_an_earlier_frame) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "Dawdle", .update_jobs = schedule_and_dawdle}, {0}});
    use_fake_clock();

    const ox_frame *frame = record_frame(world);
    use_system_clock();

    EXPECT_EQ(frame->jobs[1].waited_for, 0);
    EXPECT_EQ(frame->critical_ns, 150);
    EXPECT(frame->jobs[0].is_critical && frame->jobs[1].is_critical);
    end_jobs_test(world);
}
