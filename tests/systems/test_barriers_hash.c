// SPDX-License-Identifier: MIT
//
// Random worlds of systems whose jobs record commands: entities, values, order and reports are the
// same for any number of workers, and however parallel jobs are divided.

#include "barriers_test.h"

#include "base/hash.h"
#include "base/random.h"

OX_COMPONENT(Link, { ox_entity to; });
OX_BUFFER(Trail, 2, { uint32_t value; });

static uint32_t roll(uint32_t salt, uint64_t value) {
    return (uint32_t)(oxi_hash_mix(oxi_hash_combine(salt, value)) >> 32);
}

static ox_commands with_some_key(ox_commands commands, uint32_t dice) {
    return dice % 8 == 0 ? ox_commands_at_key(commands, (int32_t)(dice >> 3) % 3 - 1) : commands;
}

// Two entities that know each other, and a third that is gone again.
static void record_new(ox_commands commands, uint32_t dice) {
    ox_entity first = ox_commands_create_entity(commands, OX_VALUE(Count, {dice}));
    ox_entity second = ox_commands_create_entity(commands, OX_VALUE(Link, {first}));
    ox_commands_add(commands, first, Link, {second});
    if (dice % 3 == 0) {
        ox_commands_add(commands, second, Wide, {{(uint8_t)dice}});
        ox_commands_destroy_entity(commands, ox_commands_create_entity(commands));
    }
}

// Some of these fail, as the entity is what others made of it.
static void record_for(ox_commands all, ox_entity self, uint32_t dice) {
    ox_commands commands = with_some_key(all, dice >> 8);
    switch (dice % 12) {
    case 0:
        record_new(commands, dice);
        break;
    case 1:
        ox_commands_destroy_entity(commands, self);
        break;
    case 2:
        ox_commands_add(commands, self, Extra, {dice});
        ox_commands_set(commands, self, Extra, {dice >> 1});
        break;
    case 3:
        ox_commands_remove(commands, self, Extra);
        break;
    case 4:
        ox_commands_set(commands, ox_commands_instantiate(commands, self), Count, {dice});
        break;
    case 5:
        ox_commands_add_buffer(commands, self, Trail, (&(Trail){dice}), 1);
        ox_commands_push(commands, self, Trail, {dice});
        break;
    case 6:
        ox_commands_push(commands, self, Trail, {dice});
        break;
    default:
        break;
    }
}

OX_ENTITY_JOB(RecordRows, (OX_READ(Count, count), OX_ENTITY(self)), {
    ox_commands commands;
    uint32_t salt;
}) {
    record_for(job->commands, self, roll(job->salt, self.index + (uint64_t)count->value * 77));
}

OX_CHUNK_JOB(RecordChunks, (OX_WRITE(Count, counts), OX_ENTITY(entities)), {
    ox_commands commands;
    uint32_t salt;
}) {
    for (int k = 0; k < count; k++) {
        counts[k].value += job->salt;
        record_for(job->commands, entities[k], roll(job->salt, entities[k].index));
    }
}

OX_PARALLEL_JOB(RecordIndices, {
    ox_commands commands;
    uint32_t salt;
}) {
    uint32_t dice = roll(job->salt, (uint64_t)i);
    if (dice % 16 == 0) {
        record_new(with_some_key(job->commands, dice >> 8), dice);
    }
}

OX_RANGE_JOB(RecordRanges, {
    ox_commands commands;
    uint32_t salt;
}) {
    for (int k = begin; k < end; k++) {
        uint32_t dice = roll(job->salt, (uint64_t)k);
        if (dice % 16 == 0) {
            record_new(with_some_key(job->commands, dice >> 8), dice);
        }
    }
}

// The run of a seed. Batches differ from run to run: nothing may come of that.

enum { MOST_SYSTEMS = 5, RANDOM_FRAMES = 3, INDICES = 100 };

typedef struct hash_system {
    char name[16];
    uint32_t kind;
    const char *barrier; // or NULL: the end of its group
} hash_system;

static hash_system hash_systems[MOST_SYSTEMS];
static int hash_batch;

static uint32_t salt_of(const ox_system *system) {
    return roll((uint32_t)ox_system_get_time(system).frame, (uint64_t)system->name[1]);
}

static ox_job record_in_jobs(ox_system *system, ox_job after) {
    const hash_system *one = &hash_systems[system->name[1] - '0'];
    uint32_t salt = salt_of(system);
    ox_commands commands = one->barrier != NULL
                               ? ox_barrier_commands(ox_system_find(system->world, one->barrier))
                               : ox_system_commands(system);
    switch (one->kind) {
    case 0:
        return ox_schedule_entities(RecordRows, system, after, {commands, salt});
    case 1:
        return ox_schedule_entities(RecordChunks, system, after, {commands, salt});
    case 2:
        return ox_schedule_for(RecordIndices, INDICES, hash_batch, after, {commands, salt});
    default:
        return ox_schedule_for(RecordRanges, INDICES, hash_batch, after, {commands, salt});
    }
}

static void record_on_main(ox_system *system) {
    ox_commands commands = ox_system_commands(system);
    ox_schedule_entities(RecordRows, system, OX_AUTO, {commands, salt_of(system)});
}

static void add_random_systems(ox_world *world, oxi_random *random) {
    static const char *const barriers[] = {NULL, "Middle", "BeginPresentation", "BeginSimulation"};
    add_system(world, BARRIER("Middle", .before = {"S1"}));
    uint32_t count = 2 + (uint32_t)oxi_random_below(random, MOST_SYSTEMS - 1);
    for (uint32_t k = 0; k < count; k++) {
        hash_system *one = &hash_systems[k];
        snprintf(one->name, sizeof one->name, "S%u", k);
        one->kind = (uint32_t)oxi_random_below(random, 5);
        one->barrier = barriers[oxi_random_below(random, 4)];
        add_system(world, one->kind == 4
                              ? ON_MAIN(one->name, record_on_main, .jobs = OX_JOBS(RecordRows))
                              : WITH_JOBS(one->name, record_in_jobs,
                                          .jobs = OX_JOBS(RecordRows, RecordChunks)));
    }
}

typedef struct hash_result {
    uint64_t hash, layout, ids;
    int reports;
    uint32_t entities;
} hash_result;

static uint64_t hash_ids(ox_world *world) {
    uint64_t hash = 0;
    ox_query *all = ox_query_create(world, OX_ANY(Count, Link));
    OX_EACH_CHUNK(all, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            ox_entity entity = chunk.entities[k];
            hash = oxi_hash_combine(hash, (uint64_t)entity.index << 32 | entity.version);
        }
    }
    return hash;
}

static hash_result run_seed(uint64_t seed, int workers, int batch) {
    collected_reports reports;
    oxi_random random = oxi_random_seed(seed);
    start_workers_of_test(workers);
    hash_batch = batch;
    ox_world *world = begin_systems(&reports);
    uint32_t count = 20 + (uint32_t)oxi_random_below(&random, 60);
    for (uint32_t k = 0; k < count; k++) {
        ox_entity made = ox_entity_create(world, OX_VALUE(Count, {k}));
        if (k % 3 == 0) {
            ox_add(world, made, Wide, {{(uint8_t)k}});
        }
    }
    add_random_systems(world, &random);
    for (int frame = 0; frame < RANDOM_FRAMES; frame++) {
        run_frame(world);
    }
    hash_result result = {ox_world_hash(world), ox_world_hash_layout(world), hash_ids(world),
                          reports.count, ox_world_get_usage(world).entity_count};
    reports.count = 0;
    finish_systems(world, &reports);
    return result;
}

TEST(barriers_hash, recording_is_the_same_for_any_number_of_workers) {
    static const int workers[] = {0, 1, 2, 4, 16};
    uint64_t first = test_seed(1), made = 0, failed = 0;
    uint64_t rounds = test_scaled(500);
    for (uint64_t round = 0; round < rounds; round++) {
        if (!test_is_mine(round)) {
            continue;
        }
        hash_result expected = run_seed(first + round, 0, INDICES);
        for (int k = 0; k < 5; k++) {
            int batch = 1 + (int)(roll((uint32_t)k, round) % INDICES);
            hash_result result = run_seed(first + round, workers[k], batch);
            EXPECT_EQ(result.hash, expected.hash);
            EXPECT_EQ(result.layout, expected.layout);
            EXPECT_EQ(result.ids, expected.ids);
            EXPECT_EQ(result.reports, expected.reports);
            EXPECT_EQ(result.entities, expected.entities);
        }
        made += expected.entities;
        failed += (uint64_t)expected.reports;
    }
    printf("%llu worlds: %llu entities in the end, %llu commands failed\n",
           (unsigned long long)rounds, (unsigned long long)made, (unsigned long long)failed);
}
