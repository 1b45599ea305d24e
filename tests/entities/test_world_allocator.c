// SPDX-License-Identifier: MIT
//
// A world with an allocator of its own: all its blocks come from there and go back as they came,
// and a refusal of any of them leaves the world whole.

#include "entities/entities_test.h"

#include "base/counted_memory.h"
#include "base/heap.h"
#include "base/substitute.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/queries.h"

enum { MANY = 60 };

// A world with what the calls on it need.
typedef struct scene {
    ox_world *world;
    ox_query *query;
    ox_entity known;
} scene;

OX_ENTITY_JOB(Heal, (OX_WRITE(Health, health)), { int32_t by; }) {
    health->points += job->by;
}

OX_ENTITY_JOB(LookAtHealth, (OX_READ(Health, health)), { int unused; }) {
    (void)health;
}

OX_VIEWS(Patients, (OX_READ(Health, health), OX_NONE(Velocity)));

static bool create_empty(scene *s) {
    return ox_entity_create(s->world).version != 0;
}

static bool create_with(scene *s) {
    s->known = ox_entity_create(s->world, OX_VALUE(Health, {1}), OX_VALUE(Position, {2, 3}));
    return s->known.version != 0;
}

static bool create_many(scene *s) {
    ox_archetype archetype = ox_archetype_of(s->world, Health, Large);
    return archetype.number != 0 && ox_entities_create(s->world, archetype, NULL, MANY);
}

static bool instantiate(scene *s) {
    return ox_entity_instantiate(s->world, s->known).version != 0;
}

static bool add_value(scene *s) {
    return ox_add(s->world, s->known, Velocity, {4, 5});
}

static bool add_tag(scene *s) {
    return ox_add_tag(s->world, s->known, Frozen);
}

static bool remove_two(scene *s) {
    return ox_remove_many(s->world, s->known, Frozen, Velocity);
}

static bool remove_one(scene *s) {
    return ox_remove(s->world, s->known, Position);
}

static bool name_known(scene *s) {
    return ox_entity_set_name(s->world, s->known, "a name that is known to everybody");
}

static bool rename_known(scene *s) {
    return ox_entity_set_name(s->world, s->known, "another");
}

static bool make_query(scene *s) {
    s->query = ox_query_create(s->world, OX_WRITE(Health));
    return s->query != NULL;
}

static bool make_view(scene *s) {
    return ox_query_view(s->query, Health).count > 0;
}

static bool fill_views(scene *s) {
    Patients patients = {0};
    bool is_done = ox_views_fill(s->world, &patients, Patients);
    ox_query_destroy(patients.query);
    return is_done;
}

// Chunks change sides.
static bool tag_all(scene *s) {
    return ox_query_add(s->query, Frozen);
}

// Rows move.
static bool give_all(scene *s) {
    return ox_query_add(s->query, Velocity);
}

static bool take_from_all(scene *s) {
    return ox_query_remove(s->query, Velocity);
}

static bool schedule_writer(scene *s) {
    return ox_schedule_entities(Heal, ox_world_get_root(s->world), OX_AUTO, {7}).value != 0;
}

static bool schedule_reader(scene *s) {
    return ox_schedule_query(LookAtHealth, s->query, OX_AUTO, {0}).value != 0;
}

// More than one job stands in its way.
static bool schedule_last(scene *s) {
    return ox_schedule_query(Heal, s->query, OX_AUTO, {1}).value != 0;
}

static bool destroy_some(scene *s) {
    ox_entity_destroy(s->world, s->known);
    return !ox_entity_exists(s->world, s->known);
}

static bool defragment(scene *s) {
    ox_world_defragment(s->world, UINT64_MAX);
    return true;
}

static bool destroy_all(scene *s) {
    return ox_query_destroy_entities(s->query) == MANY + 1;
}

typedef struct world_call {
    bool (*call)(scene *s);
    bool has_jobs; // which take memory of the process
} world_call;

static const world_call calls[] = {
    {create_empty, false},   {create_with, false},    {create_many, false},
    {instantiate, false},    {add_value, false},      {add_tag, false},
    {remove_two, false},     {remove_one, false},     {name_known, false},
    {rename_known, false},   {make_query, false},     {make_view, false},
    {fill_views, false},     {tag_all, false},        {give_all, false},
    {take_from_all, false},  {schedule_writer, true}, {schedule_reader, true},
    {schedule_reader, true}, {schedule_last, true},   {destroy_some, true},
    {defragment, false},     {make_view, false},      {destroy_all, false},
};

enum { CALLS = sizeof calls / sizeof *calls };

static scene make_scene(ox_allocator allocator) {
    return (scene){.world = ox_world_create(&(ox_world_def){.allocator = allocator})};
}

// Makes the first `count` calls, which must be done. @return the hash of the world.
static uint64_t make_calls(scene *s, int count) {
    for (int k = 0; k < count; k++) {
        EXPECT(calls[k].call(s));
    }
    return ox_world_hash(s->world);
}

static void begin_jobs(void) {
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS}));
}

static void end_jobs(void) {
    ox_jobs_stop();
    ox_frame_end();
    ox_memory_trim();
}

// What the process needs once: components, and tables that grow.
static void warm_up(void) {
    scene plain = make_scene(0);
    make_calls(&plain, CALLS);
    ox_world_destroy(plain.world);
}

static void end_allocator(ox_allocator allocator, const counted_memory *memory) {
    EXPECT_EQ(memory->live, 0);
    EXPECT_EQ(memory->wrong, 0);
    ox_allocator_destroy(allocator);
}

// Hooks of the process that count, and mix with those of before.
static void *count_process_alloc(size_t size, size_t align, void *context) {
    ++*(int *)context;
    return test_strict_alloc(size, align, NULL);
}

// Makes all calls on a new world, and writes how many blocks of the process each took.
static void count_calls(ox_allocator allocator, const int *process, int *taken) {
    scene s = make_scene(allocator);
    for (int k = 0; k < CALLS; k++) {
        int before = *process;
        EXPECT(calls[k].call(&s));
        taken[k] = *process - before;
    }
    EXPECT(ox_world_validate(s.world));
    ox_world_destroy(s.world);
}

TEST(world_allocator, serves_all_blocks_and_gets_them_back_as_they_were) {
    begin_jobs();
    warm_up();
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    int process = 0, plain[CALLS], own[CALLS];
    oxi_heap_forget();
    EXPECT(ox_memory_set_hooks(&(ox_allocator_def){
        .alloc_fn = count_process_alloc, .free_fn = test_strict_free, .context = &process}));

    count_calls(OX_PERSISTENT, &process, plain);
    int all = process;
    count_calls(allocator, &process, own);
    oxi_heap_forget();
    test_use_strict_heap();

    // Jobs take the same of the process as ever.
    EXPECT_EQ(memory.asked + (process - all), all);
    for (int k = 0; k < CALLS; k++) {
        EXPECT(own[k] == 0 || (calls[k].has_jobs && own[k] < plain[k]));
    }
    end_allocator(allocator, &memory);
    end_jobs();
}

TEST(world_allocator, makes_no_difference_to_what_a_world_holds) {
    begin_jobs();
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    for (int k = 0; k <= CALLS; k++) {
        scene plain = make_scene(OX_PERSISTENT), own = make_scene(allocator);
        EXPECT_EQ(make_calls(&own, k), make_calls(&plain, k));
        EXPECT_EQ(ox_world_hash_layout(own.world), ox_world_hash_layout(plain.world));
        ox_world_destroy(plain.world);
        ox_world_destroy(own.world);
    }
    end_allocator(allocator, &memory);
    end_jobs();
}

TEST(world_allocator, is_not_mixed_with_that_of_another_world) {
    begin_jobs();
    counted_memory memories[2] = {{0}};
    ox_allocator allocators[2] = {counted_create(&memories[0]), counted_create(&memories[1])};
    scene scenes[2] = {make_scene(allocators[0]), make_scene(allocators[1])};
    for (int k = 0; k < CALLS; k++) {
        EXPECT(calls[k].call(&scenes[0]));
        EXPECT(calls[k].call(&scenes[1]));
        EXPECT_EQ(memories[0].asked, memories[1].asked);
        EXPECT_EQ(memories[0].live, memories[1].live);
    }
    ox_world_destroy(scenes[0].world);
    EXPECT_EQ(memories[0].live, 0);
    EXPECT(ox_world_validate(scenes[1].world));
    ox_world_destroy(scenes[1].world);
    end_allocator(allocators[0], &memories[0]);
    end_allocator(allocators[1], &memories[1]);
    end_jobs();
}

// Makes one call while the n-th block from now on is refused, and those up to `last` from there.
// @return false when it asked for no such block.
static bool refuse_block(scene *s, counted_memory *memory, int call, int n, int last) {
    collected_reports reports = {0};
    collect_reports(&reports);
    uint64_t hash = ox_world_hash(s->world);
    memory->refuse_from = memory->asked + 1 + n;
    memory->refuse_to = last != 0 ? last : memory->refuse_from;
    memory->refused = 0;
    bool is_done = calls[call].call(s);
    memory->refuse_to = 0;

    EXPECT_EQ(is_done, memory->refused == 0);
    EXPECT(ox_world_validate(s->world));
    if (!is_done) {
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
        EXPECT_EQ(ox_world_hash(s->world), hash);
        EXPECT(calls[call].call(s));
    }
    EXPECT_EQ(reports.count, 0);
    return !is_done;
}

static void refuse_every_block(ox_allocator allocator, counted_memory *memory, int last) {
    int refused = 0;
    for (int call = 0; call < CALLS; call++) {
        bool is_refused = true;
        for (int n = 0; is_refused; n++) {
            scene s = make_scene(allocator);
            make_calls(&s, call);
            is_refused = refuse_block(&s, memory, call, n, last);
            refused += is_refused;
            ox_world_destroy(s.world);
            EXPECT_EQ(memory->live, 0);
        }
    }
    EXPECT(refused > CALLS);
}

TEST(world_allocator, that_refuses_a_block_leaves_the_world_whole) {
    begin_jobs();
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    refuse_every_block(allocator, &memory, 0);
    refuse_every_block(allocator, &memory, INT32_MAX);
    end_allocator(allocator, &memory);
    end_jobs();
}

TEST(world_allocator, that_refuses_a_block_of_a_new_world_gets_the_others_back) {
    collected_reports reports = {0};
    collect_reports(&reports);
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    ox_world *world = NULL;
    for (int n = 1; world == NULL; n++) {
        memory = (counted_memory){.refuse_from = n, .refuse_to = n};
        world = make_scene(allocator).world;
        if (world == NULL) {
            EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
            EXPECT_EQ(memory.live, 0);
            EXPECT_EQ(memory.asked, n);
        }
    }
    EXPECT(memory.asked > 2);
    ox_world_destroy(world);
    end_allocator(allocator, &memory);
}

// A run that ends with the first call that was refused.
static void run_until_refused(void) {
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    scene s = {0};
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS})) {
        s = make_scene(allocator);
    }
    for (int k = 0; s.world != NULL && k < CALLS; k++) {
        uint64_t failures = oxi_fault_get_failures();
        if (!calls[k].call(&s)) {
            EXPECT(oxi_fault_get_failures() > failures);
            break;
        }
    }
    EXPECT(s.world == NULL || ox_world_validate(s.world));
    ox_world_destroy(s.world);
    end_allocator(allocator, &memory);
    end_jobs();
}

TEST(world_allocator, every_call_on_its_world_may_fail) {
    test_fault_sweep("world of an allocator", run_until_refused);
}

TEST(world_allocator, of_memory_that_ends_by_itself_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    EXPECT(make_scene(OX_TEMP).world == NULL);
    EXPECT_HAS(reports.text, "OX_TEMP as the allocator of a world");
    EXPECT_HAS(reports.text, "test_world_allocator.c:");
    EXPECT_REPORT(&reports, OX_REPORT_TEMP_FOR_WORLD);
    EXPECT(make_scene(OX_TEMP_JOB).world == NULL);
    EXPECT_HAS(reports.text, "OX_TEMP_JOB as the allocator of a world");
    EXPECT_REPORT(&reports, OX_REPORT_TEMP_FOR_WORLD);
}

TEST(world_allocator, that_does_not_exist_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    counted_memory memory = {0};
    ox_allocator gone = counted_create(&memory);
    ox_allocator_destroy(gone);
    const ox_allocator wrong[] = {gone, 4, UINT32_MAX};
    for (int k = 0; k < 3; k++) {
        EXPECT(make_scene(wrong[k]).world == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    }
}

TEST(world_allocator, is_persistent_by_default) {
    ox_world *world = ox_world_create(NULL);
    EXPECT_EQ(ox_world_get_def(world).allocator, OX_PERSISTENT);
    ox_world_destroy(world);
}

TEST_CHECKED(world_allocator, cannot_be_destroyed_before_its_world) {
    collected_reports reports = {0};
    collect_reports(&reports);
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    scene s = make_scene(allocator);

    ox_allocator_destroy(allocator);
    EXPECT_HAS(reports.text, "test_world_allocator.c:");
    EXPECT_REPORT(&reports, OX_REPORT_ALLOCATOR_IN_USE);
    EXPECT(ox_entity_create(s.world).version != 0);

    ox_world_destroy(s.world);
    end_allocator(allocator, &memory);
    EXPECT_EQ(reports.count, 0);
}
