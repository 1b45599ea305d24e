// SPDX-License-Identifier: MIT
//
// What is recorded when main waits for jobs over entities.
//
// A job that was not kicked runs when somebody waits for it and at no other time.

#include "entity_jobs_test.h"

#include "entities/fences.h"

#include "oxbow/syncs.h"

// Time is what jobs take: each row of a Slow job takes so many nanoseconds. Every look is counted.
static oxi_atomic_u32 test_time, clock_reads;

static uint64_t read_own_clock(void *context) {
    (void)context;
    atomic_fetch_add(&clock_reads, 1);
    return atomic_load(&test_time);
}

OX_ENTITY_JOB(Slow, (OX_WRITE(Count, count)), { uint32_t ns; }) {
    count->value++;
    atomic_fetch_add(&test_time, job->ns);
}

static ox_world *make_recorded_world(int workers, ox_entity *entity) {
    start_workers_of_test(workers);
    ox_world *world = make_small_world(entity);
    ox_world_record_syncs(world, true);
    return world;
}

// The one that was recorded last.
static ox_sync last_sync(const ox_world *world) {
    ox_sync sync = {.job_count = UINT32_MAX};
    ox_world_get_syncs(world, &sync, 1);
    return sync;
}

static uint64_t count_syncs(const ox_world *world) {
    return ox_world_get_syncs(world, NULL, 0);
}

TEST(sync, of_a_reader_names_place_component_and_writer) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
    ox_schedule_entities(WriteStep, ox_world_get_root(world), OX_AUTO, {1});

    ox_get_at(world, entity, ox_component_id_of(Count), "game.c:88");

    ox_sync sync = last_sync(world);
    EXPECT_EQ(count_syncs(world), 1);
    EXPECT_EQ(sync.kind, OX_SYNC_READ);
    EXPECT_EQ(sync.component, ox_component_id_of(Count));
    EXPECT_STR(sync.site, "game.c:88");
    EXPECT_EQ(sync.job_count, 1);
    EXPECT_STR(sync.jobs[0], "WriteCount");
    EXPECT(sync.jobs[1] == NULL);
    end_jobs_test(world);
}

TEST(sync, of_a_writer_names_readers_and_writers) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    ox_system *scope = ox_world_get_root(world);
    ox_schedule_entities(WriteCount, scope, OX_AUTO, {1});
    ox_schedule_entities(ReadCount, scope, OX_AUTO, {0});
    ox_schedule_entities(ReadStep, scope, OX_AUTO, {0});

    EXPECT(ox_set_at(world, entity, ox_component_id_of(Count), &(Count){5}, "game.c:89"));

    ox_sync sync = last_sync(world);
    EXPECT_EQ(count_syncs(world), 1);
    EXPECT_EQ(sync.kind, OX_SYNC_WRITE);
    EXPECT_EQ(sync.component, ox_component_id_of(Count));
    EXPECT_STR(sync.site, "game.c:89");
    EXPECT_STR(sync.jobs[0], "ReadCount");
    EXPECT_EQ(sync.job_count, 1); // WriteCount, which it came after, is complete by then
    EXPECT(sync.jobs[1] == NULL);
    end_jobs_test(world);
}

TEST(sync, of_a_change_names_each_job_of_the_world_once) {
    ox_entity entity, elsewhere;
    ox_world *world = make_recorded_world(0, &entity);
    ox_world *other = make_small_world(&elsewhere);
    ox_system *scope = ox_world_get_root(world);
    ox_schedule_entities(CountFromStep, scope, OX_AUTO, {0});
    ox_schedule_entities(ReadStep, scope, OX_AUTO, {0});
    ox_schedule_entities(WriteCount, ox_world_get_root(other), OX_AUTO, {1});

    ox_entity_destroy_at(world, entity, "game.c:90");

    ox_sync sync = last_sync(world);
    EXPECT_EQ(count_syncs(world), 1);
    EXPECT_EQ(sync.kind, OX_SYNC_STRUCTURAL);
    EXPECT_EQ(sync.component, 0);
    EXPECT_STR(sync.site, "game.c:90");
    EXPECT_EQ(sync.job_count, 2);
    EXPECT_STR(sync.jobs[0], "CountFromStep");
    EXPECT_STR(sync.jobs[1], "ReadStep");
    EXPECT(sync.jobs[2] == NULL);
    ox_world_destroy(other);
    end_jobs_test(world);
}

TEST(sync, of_a_hash_is_one_of_all_jobs) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    ox_schedule_entities(ReadCount, ox_world_get_root(world), OX_AUTO, {0});

    ox_world_hash(world);

    EXPECT_EQ(last_sync(world).kind, OX_SYNC_STRUCTURAL);
    EXPECT(last_sync(world).site == NULL);
    EXPECT_STR(last_sync(world).jobs[0], "ReadCount");
    end_jobs_test(world);
}

TEST(sync, of_a_walk_is_one_for_each_term_in_the_way) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    ox_query *query = ox_query_create(world, OX_READ(Count), OX_WRITE(Step));
    ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
    ox_schedule_entities(ReadStep, ox_world_get_root(world), OX_AUTO, {0});

    OX_EACH_CHUNK(query, chunk) {
        EXPECT_EQ(chunk.count, 1);
    }

    ox_sync syncs[4];
    EXPECT_EQ(ox_world_get_syncs(world, syncs, 4), 2);
    EXPECT_EQ(syncs[0].kind, OX_SYNC_READ);
    EXPECT_EQ(syncs[0].component, ox_component_id_of(Count));
    EXPECT_EQ(syncs[1].kind, OX_SYNC_WRITE);
    EXPECT_EQ(syncs[1].component, ox_component_id_of(Step));
    end_jobs_test(world);
}

TEST(sync, tells_how_long_it_waited) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    oxi_clock_set_source(read_own_clock, NULL);
    atomic_store(&test_time, 1000);
    ox_schedule_entities(Slow, ox_world_get_root(world), OX_AUTO, {250});

    ox_get(world, entity, Count);

    EXPECT_EQ(last_sync(world).wait_ns, 250);
    oxi_clock_set_source(NULL, NULL);
    end_jobs_test(world);
}

// How often the clock is read in so many waits: the job system samples some of its jobs.
static uint32_t count_clock_reads(ox_world *world, ox_entity entity, bool syncs) {
    atomic_store(&clock_reads, 0);
    for (int k = 0; k < 640; k++) {
        ox_job job = ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
        if (syncs) {
            ox_get(world, entity, Count);
        }
        ox_complete(job);
    }
    return atomic_load(&clock_reads);
}

TEST(sync, reads_the_clock_only_when_it_is_recorded) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    oxi_clock_set_source(read_own_clock, NULL);
    ox_world_record_syncs(world, false);
    count_clock_reads(world, entity, false); // the first run of a type is sampled

    uint32_t without = count_clock_reads(world, entity, false);
    uint32_t off = count_clock_reads(world, entity, true);
    ox_world_record_syncs(world, true);
    uint32_t on = count_clock_reads(world, entity, true);

    EXPECT_EQ(off, without);
    EXPECT_EQ(on, without + 2 * 640);
    EXPECT_EQ(count_syncs(world), 640);
    oxi_clock_set_source(NULL, NULL);
    end_jobs_test(world);
}

TEST(sync, of_nothing_is_not_recorded) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    ox_system *scope = ox_world_get_root(world);
    ox_get(world, entity, Count);
    ox_job job = ox_schedule_entities(WriteCount, scope, OX_AUTO, {1});
    ox_get(world, entity, Step); // not in its way
    ox_complete(job);

    ox_get(world, entity, Count); // nor in this one, any more
    ox_entity_create(world);

    EXPECT_EQ(count_syncs(world), 0);
    end_jobs_test(world);
}

TEST(sync, is_not_recorded_unless_asked_for) {
    ox_entity entity;
    start_workers_of_test(0);
    ox_world *world = make_small_world(&entity);
    const bool on[] = {false, true, false, true};
    for (int k = 0; k < 4; k++) {
        ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
        if (k > 0) {
            ox_world_record_syncs(world, on[k]);
        }
        ox_get(world, entity, Count);
    }
    EXPECT_EQ(count_syncs(world), 2);
    end_jobs_test(world);
}

// A job that a worker finished before main came is no wait to speak of, but it is in the way.
TEST_CHECKED(sync, of_a_job_that_is_done_has_no_name) {
    ox_entity entity;
    ox_world *world = make_recorded_world(1, &entity);
    ox_job job = ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
    ox_jobs_kick();
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && !ox_job_is_complete(job); k++) {
        sleep_us(100);
    }

    ox_get(world, entity, Count);

    EXPECT_EQ(count_syncs(world), 1);
    EXPECT_EQ(last_sync(world).job_count, 1);
    EXPECT(last_sync(world).jobs[0] == NULL);
    end_jobs_test(world);
}

TEST(sync, names_the_first_jobs_and_counts_all) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    for (int k = 0; k < 7; k++) {
        ox_schedule_entities(ReadCount, ox_world_get_root(world), OX_AUTO, {0});
    }

    ox_edit(world, entity, Count)->value = 1;

    EXPECT_EQ(last_sync(world).job_count, 7);
    for (int k = 0; k < OX_SYNC_JOBS; k++) {
        EXPECT_STR(last_sync(world).jobs[k], "ReadCount");
    }
    end_jobs_test(world);
}

TEST(sync, of_very_many_jobs_counts_those_behind_one_handle_as_one) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    for (int k = 0; k < 17; k++) {
        ox_schedule_entities(ReadCount, ox_world_get_root(world), OX_AUTO, {0});
    }

    ox_edit(world, entity, Count)->value = 1;

    EXPECT_EQ(last_sync(world).job_count, 2);
    EXPECT_STR(last_sync(world).jobs[0], "combined");
    EXPECT_STR(last_sync(world).jobs[1], "ReadCount");
    end_jobs_test(world);
}

TEST(sync, is_kept_until_64_others_came) {
    static char sites[100][8];
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    for (int k = 0; k < 100; k++) {
        sites[k][0] = 'a';
        ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
        ox_get_at(world, entity, ox_component_id_of(Count), sites[k]);
    }
    ox_sync syncs[OX_SYNCS_KEPT + 10];

    EXPECT_EQ(ox_world_get_syncs(world, syncs, OX_SYNCS_KEPT + 10), 100);
    for (int k = 0; k < OX_SYNCS_KEPT; k++) {
        EXPECT_EQ(syncs[k].site, sites[100 - OX_SYNCS_KEPT + k]);
    }
    EXPECT_EQ(ox_world_get_syncs(world, syncs, 3), 100);
    EXPECT(syncs[0].site == sites[97] && syncs[2].site == sites[99]);
    EXPECT_EQ(ox_world_get_syncs(world, NULL, -1), 100);
    end_jobs_test(world);
}

TEST(sync, needs_no_memory) {
    ox_entity entity;
    ox_world *world = make_recorded_world(0, &entity);
    ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {1});
    oxi_fault_plan(OXI_FAULT_FROM, 0);

    ox_get(world, entity, Count);

    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(count_syncs(world), 1);
    end_jobs_test(world);
}

// Who looks on, and counts what jobs wait for.

static void count_wait(void *context, ox_job before, oxi_wait_cause cause) {
    (void)before;
    (void)cause;
    ++*(int *)context;
}

static void ignore_scheduled(void *context, const ox_system *scope, ox_job job,
                             const ox_job_type *type, int count, ox_job after, ox_site site) {
    (void)context;
    (void)scope;
    (void)job;
    (void)type;
    (void)count;
    (void)after;
    (void)site;
}

static void ignore_synced(void *context, const ox_sync *sync, uint64_t begin_ns) {
    (void)context;
    (void)sync;
    (void)begin_ns;
}

static void ignore_awaited(void *context, ox_job job) {
    (void)context;
    (void)job;
}

TEST(sync, what_main_waited_for_is_not_waited_for_again) {
    int waits = 0;
    const oxi_world_watch watch = {.waits = count_wait,
                                   .scheduled = ignore_scheduled,
                                   .synced = ignore_synced,
                                   .awaits = ignore_awaited,
                                   .context = &waits};
    ox_entity entity;
    start_workers_of_test(0);
    ox_world *world = make_small_world(&entity);
    ox_system *scope = ox_world_get_root(world);
    world->watch = &watch;

    ox_schedule_entities(WriteCount, scope, OX_AUTO, {1});
    ox_get(world, entity, Count);
    ox_schedule_entities(ReadCount, scope, OX_AUTO, {0});
    EXPECT_EQ(waits, 0);
    ox_edit(world, entity, Count);
    ox_schedule_entities(WriteCount, scope, OX_AUTO, {1});
    EXPECT_EQ(waits, 0);
    ox_schedule_entities(WriteCount, scope, OX_AUTO, {1});
    EXPECT_EQ(waits, 1);

    world->watch = NULL;
    end_jobs_test(world);
}
