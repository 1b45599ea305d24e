// SPDX-License-Identifier: MIT
//
// Every allocation of calls that have to do with kinds is refused, alone and with all that follow.
// A call that is refused has left no trace: the world lies as it did, no block is lost, and each
// shared value that was stored is dropped once.

#include "entities/kinds_test.h"

#include "base/counted_memory.h"
#include "base/heap.h"
#include "base/substitute.h"
#include "jobs/jobs_test.h"
#include "oxbow/containers.h"
#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"

OX_SHARED(Owned, { int32_t id; });
OX_SHARED(Given, { int32_t id; });
OX_COMPONENT(Settings, { int32_t level; });

static int copied, dropped;

static bool count_copy(void *stored) {
    (void)stored;
    copied++;
    return true;
}

static void count_drop(void *stored) {
    (void)stored;
    dropped++;
}

// Entities 0 to 59 have Owned 1 to 3, Stunned (each third off), Health, notes that lie outside and
// some of them Registered. Entities 60 to 69 are a group with a list that lies outside.
enum { CROWD = 60, GROUP = 10 };

static ox_world *world;
static ox_query *on, *whole, *left;
static ox_entity crowd[CROWD], group[GROUP];

static bool make_member(int k) {
    crowd[k] = ox_entity_create(world, OX_VALUE(Owned, {1 + k % 3}), OX_VALUE(Stunned, {k}),
                                OX_VALUE(Health, {k}), OX_VALUE_TAG(Note));
    if (crowd[k].version == 0 || !ox_set_enabled(world, crowd[k], Stunned, k % 7 != 0) ||
        (k % 4 == 0 && !ox_add(world, crowd[k], Registered, {k}))) {
        return false;
    }
    ox_buffer notes = ox_edit(world, crowd[k], Note);
    return ox_buffer_resize(notes, k % 5);
}

static bool make_group(void) {
    bool is_made = true;
    group[0] = (ox_entity){0, 0};
    for (int k = 0; is_made && k < GROUP; k++) {
        group[k] = ox_entity_create(world, OX_VALUE(Follows, {group[0], {{0, 0}}, k}),
                                    OX_VALUE(Owned, {7}), OX_VALUE_TAG(ox_prefab));
        if (k == 0 && group[0].version != 0) {
            ox_edit(world, group[0], Follows)->leader = group[0];
        }
        is_made = group[k].version != 0 && (k % 2 == 0 || ox_add(world, group[k], Registered, {k}));
    }
    ox_buffer links = {0};
    if (is_made) {
        links = ox_add_buffer(world, group[0], ox_linked);
    }
    return ox_buffer_is_created(links) &&
           ox_buffer_push_many(links, ox_linked, (ox_linked *)group, GROUP);
}

static bool make_crowd(void) {
    bool is_made = true;
    for (int k = 0; is_made && k < CROWD; k++) {
        is_made = make_member(k);
    }
    if (!is_made || !make_group()) {
        return false;
    }
    ox_entity_destroy(world, crowd[0]);
    on = ox_query_create(world, OX_WRITE(Stunned), OX_READ(Owned));
    whole = ox_query_create(world, OX_READ(Owned), OX_READ(Health));
    left = ox_query_create(world, OX_READ(Registered), OX_INCLUDE(ox_prefab));
    return on != NULL && whole != NULL && left != NULL;
}

// The calls. Each makes one change, or none.

static bool add_shared(void) {
    return ox_add(world, crowd[1], Team, {9});
}
static bool add_several_shared(void) {
    return ox_add_many(world, crowd[2], OX_VALUE(Team, {9}), OX_VALUE(Owned, {9}),
                       OX_VALUE(Region, {1, 2}));
}
static bool set_shared(void) {
    return ox_set(world, crowd[3], Owned, {9});
}
static bool create_shared(void) {
    return ox_entity_create(world, OX_VALUE(Owned, {9}), OX_VALUE(Team, {9})).version != 0;
}
static bool remove_shared(void) {
    return ox_remove(world, crowd[4], Owned);
}
static bool filter_shared(void) {
    return ox_query_filter_shared(whole, Owned, {9});
}
static bool set_chunks(void) {
    return ox_query_set_shared(whole, Owned, {9});
}
static bool set_rows(void) {
    return ox_query_set_shared(on, Owned, {9});
}
static bool set_one_chunk(void) {
    ox_chunk chunk = ox_query_chunks(whole);
    return ox_chunk_next(&chunk) && ox_chunk_set_shared(chunk, Owned, {9});
}
static bool list_shared(void) {
    ox_array values = ox_shared_copy_values(world, Owned, OX_PERSISTENT);
    bool is_made = ox_array_is_created(values);
    if (is_made) {
        ox_dispose(&values);
    }
    return is_made;
}
static bool add_to_rows(void) {
    return ox_query_add(on, Velocity);
}
static bool tag_rows(void) {
    return ox_query_add(on, Frozen);
}
static bool share_rows(void) {
    return ox_query_add(on, Team);
}
static bool remove_from_rows(void) {
    return ox_query_remove(on, Owned);
}
static bool remove_from_chunks(void) {
    return ox_query_remove(whole, Owned);
}
static bool destroy_rows(void) {
    return ox_query_destroy_entities(on) > 0;
}
static bool destroy_chunks(void) {
    return ox_query_destroy_entities(whole) > 0;
}
static bool destroy_cleanup(void) {
    ox_entity_destroy(world, crowd[8]);
    return ox_has(world, crowd[8], ox_destroyed);
}
static bool destroy_group(void) {
    ox_entity_destroy(world, group[0]);
    return !ox_entity_exists(world, group[0]);
}
static bool destroy_list(void) {
    return ox_entities_destroy(world, crowd + 10, 20);
}
static bool add_to_array(void) {
    return ox_entities_add(world, crowd + 10, 40, Velocity, {1, 2});
}
static bool share_in_array(void) {
    return ox_entities_add(world, crowd + 10, 40, Owned, {9});
}
static bool tag_array(void) {
    return ox_entities_add_tag(world, crowd + 10, 40, Team);
}
static bool remove_from_array(void) {
    return ox_entities_remove(world, crowd + 5, 20, Note);
}
static bool remove_cleanup(void) {
    return ox_query_remove(left, Registered);
}
static bool instantiate_group(void) {
    return ox_entities_instantiate(world, group[0], NULL, 20);
}
static bool instantiate_buffers(void) {
    return ox_entities_instantiate(world, crowd[4], NULL, 5);
}
static bool copy_set(void) {
    ox_entity copies[20];
    return ox_entities_copy(world, crowd + 1, copies, 20);
}
static bool switch_group(void) {
    return ox_entity_set_enabled(world, group[0], false);
}
static bool make_query(void) {
    ox_query *query = ox_query_create(world, OX_DISABLED(Stunned), OX_READ(Stunned),
                                      OX_ABSENT(Team), OX_READ(Owned), OX_INCLUDE(ox_prefab));
    return query != NULL && ox_query_count(query) > 0;
}
static bool make_singleton(void) {
    return ox_singleton_create(world, Settings, {3}).version != 0;
}
static bool switch_rows(void) {
    uint64_t failures = oxi_fault_get_failures();
    EXPECT(ox_set_enabled(world, crowd[1], Stunned, false));
    EXPECT(!ox_is_enabled(world, crowd[1], Stunned));
    EXPECT_EQ(oxi_fault_get_failures(), failures); // nothing is allocated
    return ox_query_set_enabled(on, Stunned, true);
}

OX_ENTITY_JOB(UseKinds,
              (OX_READ(Owned, owned), OX_READ(Note, notes), OX_ENABLED(Stunned, stun),
               OX_WRITE(Health, health)),
              { int32_t add; }) {
    health->points += owned->id + ox_buffer_count(notes) + job->add;
    ox_switch_set_on(stun, health->points % 2 == 0);
}

static bool run_job(void) {
    ox_job job = ox_schedule_entities(UseKinds, ox_world_get_root(world), OX_AUTO, {1});
    ox_complete(job);
    return job.value != 0;
}

// Those that destroy come last, for the run of all of them on one world.
static bool (*const calls[])(void) = {
    add_shared,       add_several_shared, set_shared,        create_shared,       remove_shared,
    set_chunks,       set_rows,           set_one_chunk,     list_shared,         add_to_rows,
    tag_rows,         share_rows,         instantiate_group, instantiate_buffers, copy_set,
    switch_group,     make_query,         make_singleton,    switch_rows,         run_job,
    add_to_array,     share_in_array,     tag_array,         remove_from_array,   filter_shared,
    remove_from_rows, remove_from_chunks, destroy_rows,      destroy_chunks,      destroy_cleanup,
    destroy_list,     destroy_group,      remove_cleanup,
};

static void begin_faults(void) {
    ox_world *first = ox_world_create(NULL);
    ox_archetype_of(first, Owned, Team, Region, Stunned, Health, Note, Registered, Velocity, Frozen,
                    Follows, Settings);
    ox_world_destroy(first);
    EXPECT(ox_shared_define(ox_component_id_of(Owned),
                            &(ox_shared_def){.copy = count_copy, .drop = count_drop}));
    start_workers_of_test(0);
}

// Each call alone.

static int refused_count;
static uint64_t hash_when_done; // of the world, after a call that nothing failed in

static void count_failure(const ox_report *report, void *context) {
    int *failures = context;
    if (report->severity != OX_SEVERITY_FAILURE) {
        char t[2000];
        ox_report_format(report, t, 2000);
        puts(t);
    }
    EXPECT_EQ(report->severity, OX_SEVERITY_FAILURE);
    (*failures)++;
}

// @return false when the n-th allocation was not reached.
static bool try_call(bool (*call)(void), oxi_fault_mode mode, uint64_t n, int *reported) {
    uint64_t blocks = oxi_heap_get_blocks();
    copied = dropped = 0;
    world = ox_world_create(NULL);
    EXPECT(make_crowd());
    uint64_t content = ox_world_hash(world), layout = ox_world_hash_layout(world);
    int stored = copied - dropped;
    *reported = 0;
    oxi_fault_plan(mode, n);
    bool is_done = call();
    uint64_t failures = oxi_fault_get_failures();
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(*reported, is_done ? 0 : 1);
    if (!is_done) {
        EXPECT_EQ(ox_world_hash(world), content);
        EXPECT_EQ(ox_world_hash_layout(world), layout);
        EXPECT_EQ(copied - dropped, stored);
        EXPECT(ox_world_validate(world));
        EXPECT(call());
        refused_count++;
    }
    EXPECT(ox_world_validate(world));
    hash_when_done = mode == OXI_FAULT_NONE ? ox_world_hash(world) : hash_when_done;
    EXPECT_EQ(ox_world_hash(world), hash_when_done);
    ox_world_destroy(world);
    EXPECT_EQ(copied, dropped);
    EXPECT(call == run_job || oxi_heap_get_blocks() == blocks);
    return failures > 0;
}

TEST(kinds_faults, a_call_that_is_refused_changes_nothing_and_succeeds_afterwards) {
    int reported = 0;
    begin_faults();
    ox_report_set_handler((ox_report_handler){count_failure, &reported});
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        fflush(stdout);
        int before = refused_count;
        try_call(calls[k], OXI_FAULT_NONE, 0, &reported);
        for (int mode = OXI_FAULT_ONE; mode <= OXI_FAULT_FROM; mode++) {
            for (uint64_t n = 0; try_call(calls[k], (oxi_fault_mode)mode, n, &reported); n++) {
            }
        }
        EXPECT(refused_count > before || calls[k] == switch_rows);
    }
    ox_jobs_stop();
}

// All of them on one world, which is made with failures, too.

static void run_calls(void) {
    world = ox_world_create(NULL);
    if (world != NULL && make_crowd()) {
        for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
            // What destroys nearly all leaves nothing to the others.
            if (calls[k] != destroy_chunks && calls[k] != destroy_rows && calls[k] != run_job) {
                calls[k]();
            }
        }
        EXPECT(ox_world_validate(world));
    }
    ox_world_destroy(world);
    EXPECT_EQ(copied, dropped);
    copied = dropped = 0;
}

TEST(kinds_faults, worlds_stay_whole_whatever_fails) {
    begin_faults();
    copied = dropped = 0;
    test_fault_sweep("kinds", run_calls);
    ox_jobs_stop();
}

TEST(kinds_faults, all_blocks_go_back_to_the_allocator_of_the_world_as_they_came) {
    begin_faults();
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        copied = dropped = 0;
        world = ox_world_create(&(ox_world_def){.allocator = allocator});
        EXPECT(make_crowd());
        EXPECT(calls[k]());
        ox_world_destroy(world);
        EXPECT_EQ(copied, dropped);
        EXPECT_EQ(memory.live, 0);
        EXPECT_EQ(memory.wrong, 0);
    }
    ox_allocator_destroy(allocator);
    ox_jobs_stop();
}

// Values without a copy call: the world takes over what they own, unless the call is refused.

static bool give_to_one(void) {
    return ox_add(world, crowd[0], Given, {5});
}
static bool give_to_array(void) {
    return ox_entities_add(world, crowd, 4, Given, {5});
}
static bool give_at_once(void) {
    return ox_entity_create(world, OX_VALUE(Given, {5}), OX_VALUE(Team, {6})).version != 0;
}
static bool give_to_rows(void) {
    return ox_query_set_shared(on, Given, {5});
}
static bool give_to_filter(void) {
    return ox_query_filter_shared(on, Given, {5});
}

// @return false when the n-th allocation was not reached.
static bool try_giving(bool (*call)(void), uint64_t n) {
    world = ox_world_create(NULL);
    crowd[0] = ox_entity_create_in(world, ox_archetype_of(world, Health, Stunned));
    for (int k = 1; k < 4; k++) {
        crowd[k] = ox_entity_create_in(world, ox_archetype_of(world, Given, Stunned));
    }
    ox_set_enabled(world, crowd[2], Stunned, false);
    on = ox_query_create(world, OX_READ(Stunned), OX_READ(Given));
    dropped = 0;
    oxi_fault_plan(OXI_FAULT_ONE, n);
    bool is_done = call();
    uint64_t failures = oxi_fault_get_failures();
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(dropped, 0);
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
    EXPECT_EQ(dropped, is_done);
    return failures > 0;
}

TEST(kinds_faults, a_value_stays_with_the_caller_of_a_call_that_is_refused) {
    static bool (*const giving[])(void) = {give_to_one, give_to_array, give_at_once, give_to_rows,
                                           give_to_filter};
    int reported = 0;
    begin_faults();
    EXPECT(ox_shared_define(ox_component_id_of(Given), &(ox_shared_def){.drop = count_drop}));
    ox_report_set_handler((ox_report_handler){count_failure, &reported});
    for (size_t k = 0; k < sizeof giving / sizeof *giving; k++) {
        for (uint64_t n = 0; try_giving(giving[k], n); n++) {
        }
    }
    EXPECT(reported >= 8);
    ox_jobs_stop();
}
