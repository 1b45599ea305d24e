// SPDX-License-Identifier: MIT
//
// The order of commands of jobs, ranges, keys and main, which no number of workers and no partition
// changes; and how large playbacks use jobs.

#include "commands/commands_test.h"

OX_BUFFER(Said, 4, { int32_t word; });

static collected_reports reports;
static ox_world *world;
static ox_commands commands;
static ox_entity listener;

static void begin(int workers) {
    start_workers_of_test(workers);
    world = make_world(&reports);
    commands = ox_commands_create(world, NULL);
    listener = ox_entity_create_in(world, ox_archetype_of(world, Said));
}

static void end(void) {
    ox_commands_dispose(&commands);
    end_world(world, &reports);
    ox_jobs_stop();
}

static int32_t word_at(int index) {
    return ox_buffer_get(ox_get(world, listener, Said), index, Said)->word;
}

static void expect_words(const int32_t *words, int count) {
    EXPECT_EQ(ox_buffer_count(ox_get(world, listener, Said)), count);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(word_at(k), words[k]);
    }
}

OX_JOB(Say, {
    ox_commands commands;
    ox_entity listener;
    int32_t word;
}) {
    ox_commands_push(job->commands, job->listener, Said, {job->word});
}

OX_PARALLEL_JOB(SayIndex, {
    ox_commands commands;
    ox_entity listener;
}) {
    ox_commands_push(job->commands, job->listener, Said, {i});
}

OX_RANGE_JOB(SayRange, {
    ox_commands commands;
    ox_entity listener;
}) {
    for (int k = begin; k < end; k++) {
        ox_commands_push(job->commands, job->listener, Said, {k});
    }
}

OX_PARALLEL_JOB(SayByKey, {
    ox_commands commands;
    ox_entity listener;
}) {
    ox_commands keyed = ox_commands_at_key(job->commands, -i);
    ox_commands_push(keyed, job->listener, Said, {i});
    ox_commands_push(keyed, job->listener, Said, {1000 + i});
}

TEST(commands_order, what_main_records_comes_after_what_jobs_record) {
    begin(1);
    ox_commands_push(commands, listener, Said, {1});
    ox_complete(ox_schedule(Say, OX_NO_JOB, {commands, listener, 2}));
    ox_commands_push(commands, listener, Said, {3});
    EXPECT(ox_commands_playback(commands));

    expect_words((const int32_t[]){2, 1, 3}, 3);
    end();
}

TEST(commands_order, jobs_come_in_the_order_of_scheduling) {
    begin(2);
    ox_job jobs[20];
    for (int k = 0; k < 20; k++) {
        jobs[k] = ox_schedule(Say, k > 0 ? jobs[k - 1] : OX_NO_JOB, {commands, listener, k});
    }
    ox_complete(jobs[19]);
    EXPECT(ox_commands_playback(commands));

    for (int k = 0; k < 20; k++) {
        EXPECT_EQ(word_at(k), k);
    }
    end();
}

static void expect_indices(int count) {
    EXPECT_EQ(ox_buffer_count(ox_get(world, listener, Said)), count);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(word_at(k), k);
    }
}

TEST(commands_order, parallel_jobs_come_by_index) {
    static const int workers[] = {0, 1, 4, 16}, batches[] = {1, 7, 64, 1000};
    for (int w = 0; w < 4; w++) {
        begin(workers[w]);
        for (int k = 0; k < 4; k++) {
            ox_complete(
                ox_schedule_for(SayIndex, 1000, batches[k], OX_NO_JOB, {commands, listener}));
            EXPECT(ox_commands_playback(commands));
            expect_indices(1000);
            ox_buffer_clear(ox_edit(world, listener, Said));
            EXPECT(ox_commands_clear(commands));
        }
        end();
    }
}

TEST(commands_order, ranges_come_by_index) {
    begin(4);
    ox_complete(ox_schedule_for(SayRange, 3000, 11, OX_NO_JOB, {commands, listener}));
    EXPECT(ox_commands_playback(commands));

    expect_indices(3000);
    end();
}

OX_ENTITY_JOB(SayHealth, (OX_READ(Health, health)), {
    ox_commands commands;
    ox_entity listener;
}) {
    ox_commands_push(job->commands, job->listener, Said, {health->points});
}

OX_CHUNK_JOB(SayChunk, (OX_READ(Health, healths)), {
    ox_commands commands;
    ox_entity listener;
}) {
    for (int k = 0; k < count; k++) {
        ox_commands_push(job->commands, job->listener, Said, {healths[k].points});
    }
}

static void make_healths(int count) {
    for (int k = 0; k < count; k++) {
        ox_entity_create(world, OX_VALUE(Health, {k}), OX_VALUE_TAG(Large));
    }
}

TEST(commands_order, entity_jobs_come_by_row) {
    begin(4);
    make_healths(500);
    ox_complete(
        ox_schedule_entities(SayHealth, ox_world_get_root(world), OX_AUTO, {commands, listener}));
    EXPECT(ox_commands_playback(commands));

    expect_indices(500);
    end();
}

TEST(commands_order, chunk_jobs_come_by_chunk) {
    begin(4);
    make_healths(500);
    ox_complete(
        ox_schedule_entities(SayChunk, ox_world_get_root(world), OX_AUTO, {commands, listener}));
    EXPECT(ox_commands_playback(commands));

    expect_indices(500);
    end();
}

TEST(commands_order, a_key_comes_before_job_and_index) {
    begin(4);
    enum { COUNT = 100 };
    ox_complete(ox_schedule(Say, OX_NO_JOB, {ox_commands_at_key(commands, -50), listener, -7}));
    ox_complete(ox_schedule_for(SayByKey, COUNT, 3, OX_NO_JOB, {commands, listener}));
    ox_commands_push(ox_commands_at_key(commands, INT32_MAX), listener, Said, {5});
    ox_commands_push(ox_commands_at_key(commands, INT32_MIN), listener, Said, {4});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(word_at(0), COUNT - 1);
    EXPECT_EQ(word_at(1), 1000 + COUNT - 1);
    EXPECT_EQ(word_at(2 * (COUNT - 1 - 50)), -7); // the same key as index 50, but an earlier job
    EXPECT_EQ(word_at(2 * (COUNT - 1 - 50) + 1), 50);
    EXPECT_EQ(word_at(2 * COUNT), 1000);
    EXPECT_EQ(word_at(2 * COUNT + 1), 4);
    EXPECT_EQ(word_at(2 * COUNT + 2), 5);
    end();
}

// Main helps with jobs, and has their ranges behind it when it records.
TEST(commands_order, what_main_records_between_jobs_stays_in_order) {
    begin(0);
    for (int k = 0; k < 10; k++) {
        ox_commands_push(commands, listener, Said, {k});
        ox_commands other = ox_commands_create(world, NULL);
        ox_complete(ox_schedule_for(SayIndex, 100 - k, 1, OX_NO_JOB, {other, listener}));
        ox_commands_clear(other);
        ox_commands_dispose(&other);
    }
    EXPECT(ox_commands_playback(commands));

    expect_indices(10);
    end();
}

TEST(commands_order, jobs_that_run_at_once_or_in_the_background_come_as_scheduled) {
    begin(1);
    ox_job slow = ox_schedule_background(Say, OX_NO_JOB, {commands, listener, 0});
    ox_complete(slow);
    ox_run(Say, {commands, listener, 1});
    ox_job next = ox_schedule(Say, OX_NO_JOB, {commands, listener, 2});
    ox_complete(next);
    ox_commands_push(commands, listener, Said, {3});
    EXPECT(ox_commands_playback(commands));

    expect_indices(4);
    end();
}

TEST(commands_order, temporary_ids_of_jobs_can_be_used_by_main) {
    begin(2);
    ox_complete(ox_schedule(Say, OX_NO_JOB, {commands, listener, 1}));
    ox_entity made = ox_commands_create_entity(commands);
    ox_commands_add_buffer(commands, made, Said, NULL, 0);
    ox_complete(ox_schedule(Say, OX_NO_JOB, {commands, listener, 2}));
    EXPECT(ox_commands_playback(commands));

    expect_words((const int32_t[]){1, 2}, 2);
    EXPECT(ox_has(world, made_of(commands, made), Said));
    end();
}

// Large playbacks.

OX_PARALLEL_JOB(CreateMany, { ox_commands commands; }) {
    ox_entity made =
        ox_commands_create_entity(job->commands, OX_VALUE(Health, {i}), OX_VALUE(Stunned, {i}));
    if (i % 3 == 0) {
        ox_commands_add(job->commands, made, Position, {(float)i, 1});
    }
    if (i % 5 == 0) {
        ox_commands_set_enabled(job->commands, made, Stunned, false);
    }
}

static uint64_t play_large(int workers, uint32_t *jobs, uint64_t *layout) {
    begin(workers);
    ox_complete(ox_schedule_for(CreateMany, 70000, 16, OX_NO_JOB, {commands}));
    EXPECT(ox_commands_playback(commands));
    *jobs = ox_commands_get_info(commands).jobs;
    uint64_t hash = ox_world_hash(world);
    *layout = ox_world_hash_layout(world);
    end();
    return hash;
}

TEST(commands_order, large_playbacks_use_jobs_and_come_to_the_same_without) {
    uint32_t jobs;
    uint64_t layout, layout_alone, hash_alone = play_large(0, &jobs, &layout_alone);

    uint64_t hash = play_large(3, &jobs, &layout);

    EXPECT(jobs > 0);
    EXPECT_EQ(hash, hash_alone);
    EXPECT_EQ(layout, layout_alone);
}

// Rows go both ways between the same chunks while jobs fill them: what is read of a chunk must not
// be what others write to it.
static uint64_t exchange(int workers, uint64_t *layout) {
    enum { MANY = 20000 };
    static ox_entity ships[MANY];
    begin(workers);
    for (int k = 0; k < MANY; k++) {
        ships[k] = ox_entity_create(world, OX_VALUE(Health, {k}), OX_VALUE(Stunned, {k}),
                                    OX_VALUE_TAG(Lit));
        if (k % 2 == 0) {
            ox_add_tag(world, ships[k], Frozen);
        }
        ox_set_enabled(world, ships[k], Lit, k % 3 == 0);
        ox_set_enabled(world, ships[k], Stunned, k % 5 == 0);
    }
    for (int k = 0; k < MANY; k++) {
        if (k % 2 == 0) {
            ox_commands_remove(commands, ships[k], Frozen);
        } else {
            ox_commands_add_tag(commands, ships[k], Frozen);
        }
        if (k % 7 == 0) {
            ox_commands_set_enabled(commands, ships[k], Lit, true);
        }
    }
    EXPECT(ox_commands_playback(commands));
    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(ox_is_enabled(world, ships[k], Lit), k % 3 == 0 || k % 7 == 0);
        EXPECT_EQ(ox_is_enabled(world, ships[k], Stunned), k % 5 == 0);
    }
    uint64_t hash = ox_world_hash(world);
    *layout = ox_world_hash_layout(world);
    end();
    return hash;
}

TEST(commands_order, rows_that_change_places_are_filled_by_jobs) {
    uint64_t layout, layout_alone, hash_alone = exchange(0, &layout_alone);

    uint64_t hash = exchange(3, &layout);

    EXPECT_EQ(hash, hash_alone);
    EXPECT_EQ(layout, layout_alone);
}

// Instances of a group with buffers, shared values and switches, in one large window.

OX_PARALLEL_JOB(InstantiateMany, {
    ox_commands commands;
    ox_entity source;
}) {
    ox_entity copy = ox_commands_instantiate(job->commands, job->source);
    ox_commands_set(job->commands, copy, Health, {i});
    if (i % 3 == 0) {
        ox_commands_push(job->commands, copy, Note, {i});
    }
    if (i % 4 == 0) {
        ox_commands_remove(job->commands, copy, Stunned);
    }
    if (i % 5 == 0) {
        ox_commands_set(job->commands, copy, Team, {i % 7});
    }
}

static ox_entity make_ship(void) {
    ox_entity ship =
        ox_entity_create(world, OX_VALUE_TAG(ox_prefab), OX_VALUE(Health, {1}), OX_VALUE(Team, {2}),
                         OX_VALUE(Stunned, {3}), OX_VALUE_TAG(Note), OX_VALUE_TAG(ox_linked));
    ox_entity crew = ox_entity_create(world, OX_VALUE_TAG(ox_prefab),
                                      OX_VALUE(Follows, {.leader = ship}), OX_VALUE_TAG(Crew));
    for (int k = 0; k < 6; k++) {
        ox_buffer_push(ox_edit(world, ship, Note), Note, {k});
        ox_buffer_push(ox_edit(world, crew, Crew), Crew, {k, ship});
    }
    ox_buffer_push(ox_edit(world, ship, ox_linked), ox_linked, {ship});
    ox_buffer_push(ox_edit(world, ship, ox_linked), ox_linked, {crew});
    ox_set_enabled(world, ship, Stunned, false);
    return ship;
}

static uint64_t instantiate_large(int workers, uint64_t *layout) {
    enum { MANY = 12000 };
    begin(workers);
    ox_entity ship = make_ship();
    ox_complete(ox_schedule_for(InstantiateMany, MANY, 8, OX_NO_JOB, {commands, ship}));
    EXPECT(ox_commands_playback(commands));
    EXPECT(ox_commands_get_info(commands).jobs > 0);
    EXPECT_EQ(ox_commands_get_info(commands).moved, 2 * MANY);
    uint64_t hash = ox_world_hash(world);
    *layout = ox_world_hash_layout(world);
    end();
    return hash;
}

static uint64_t instantiate_directly(void) {
    begin(0);
    ox_entity ship = make_ship();
    for (int i = 0; i < 12000; i++) {
        ox_entity copy = ox_entity_instantiate(world, ship);
        ox_set(world, copy, Health, {i});
        if (i % 3 == 0) {
            ox_buffer_push(ox_edit(world, copy, Note), Note, {i});
        }
        if (i % 4 == 0) {
            ox_remove(world, copy, Stunned);
        }
        if (i % 5 == 0) {
            ox_set(world, copy, Team, {i % 7});
        }
    }
    uint64_t hash = ox_world_hash(world);
    end();
    return hash;
}

TEST(commands_order, instances_of_a_group_are_filled_by_jobs) {
    uint64_t layout, layout_alone, hash_alone = instantiate_large(0, &layout_alone);

    uint64_t hash = instantiate_large(3, &layout);

    EXPECT_EQ(hash, hash_alone);
    EXPECT_EQ(layout, layout_alone);
#if OX_SAFETY < 3
    EXPECT_EQ(hash, instantiate_directly());
#else
    (void)instantiate_directly; // a check of the whole world after each change takes too long
#endif
}
