// SPDX-License-Identifier: MIT
//
// Every allocation of commands is refused, alone and with all that follow. A playback that stops
// has carried out so many commands, whole, and goes on to the same end; what is not recorded leaves
// no trace; nothing is lost.

#include "commands/commands_test.h"

#include "base/heap.h"
#include "base/substitute.h"
#include "commands/program_run.h"

#include <stdlib.h>

// Playbacks that stop and go on.

enum { FAULT_SEEDS = 24, MOST_OPS = 400 };

static program_run run;
static uint64_t prefix[MOST_OPS + 1]; // hashes after so many commands
static uint64_t stopped_count, run_count;

typedef struct fault_case {
    oxi_fault_mode mode;
    uint64_t n;
    uint64_t failures; // out: calls that were refused
} fault_case;

static void keep_hash(program_run *of, int place) {
    prefix[place + 1] = ox_world_hash(of->world);
}

// Another report would have an error of its own: this one is about memory.
static void accept_memory(const ox_report *report, void *context) {
    (void)context;
    EXPECT_EQ(report->severity, OX_SEVERITY_FAILURE);
}

static bool play_with_fault(program_run *of, ox_commands commands) {
    fault_case *fault = of->hooks->context;
    of->failed_reports = of->stops = 0;
    prefix[0] = ox_world_hash(of->world);
    ox_report_set_handler((ox_report_handler){accept_memory, NULL});
    oxi_fault_plan(fault->mode, fault->n);
    bool is_done = ox_commands_playback(commands);
    fault->failures = oxi_fault_get_failures();
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    PROGRAM_CHECK(of, of->stops == !is_done);
    ox_commands_info info = ox_commands_get_info(commands);
    PROGRAM_CHECK(of, info.is_stopped == (!is_done && info.played > 0) || info.played == 0);
    if (!is_done) {
        stopped_count++;
        PROGRAM_CHECK(of, info.played < (uint64_t)of->program.count);
        PROGRAM_CHECK(of, ox_world_hash(of->world) == prefix[info.played]);
        PROGRAM_CHECK(of, ox_world_validate(of->world));
        is_done = ox_commands_playback(commands);
    }
    PROGRAM_CHECK(of, of->failed_reports == ox_commands_get_info(commands).failed);
    return is_done;
}

static void expect_same(const program_trace *wanted, const program_trace *found,
                        const program_def *def, const fault_case *fault) {
    int last = wanted->count - 1;
    const program_round *a = &wanted->rounds[last], *b = &found->rounds[last];
    if (found->failure[0] != 0 || wanted->count != found->count || a->hash != b->hash ||
        a->ids != b->ids || a->causes != b->causes || wanted->next_ids != found->next_ids) {
        test_fail(__FILE__, __LINE__, "seed %llu, mode %d, call %llu: %s",
                  (unsigned long long)def->seed, (int)fault->mode, (unsigned long long)fault->n,
                  found->failure[0] != 0 ? found->failure : "it came to another end");
    }
}

static void sweep_program(const program_def *def) {
    program_trace wanted, found;
    program_run_hooked(&run, def, PROGRAM_DIRECTLY, &(program_hooks){.after_op = keep_hash},
                       &wanted);
    EXPECT(run.program.count <= MOST_OPS);
    EXPECT_STR(wanted.failure, "");
    for (int mode = OXI_FAULT_ONE; mode <= OXI_FAULT_FROM; mode++) {
        fault_case fault = {.mode = (oxi_fault_mode)mode, .failures = 1};
        for (; fault.failures > 0; fault.n++) {
            uint64_t blocks = oxi_heap_get_blocks();
            program_hooks hooks = {.playback = play_with_fault, .context = &fault};
            program_run_hooked(&run, def, PROGRAM_IN_ORDER, &hooks, &found);
            expect_same(&wanted, &found, def, &fault);
            EXPECT(run_count == 0 || oxi_heap_get_blocks() == blocks);
            run_count++;
        }
    }
}

TEST(commands_faults, a_playback_stops_between_commands_and_goes_on) {
    uint64_t seeds = test_scaled(FAULT_SEEDS);
    stopped_count = run_count = 0;
    start_workers_of_test(0);
    for (uint64_t k = 0; k < seeds; k++) {
        program_def def = {.seed = test_seed(400 + k), .ops = 40, .rounds = 2, .swaps = k % 3 == 0};
        sweep_program(&def);
    }
    ox_jobs_stop();
    EXPECT(stopped_count > 10 * seeds);
    EXPECT_EQ(kinds_live_texts, 0);
    printf("%llu playbacks, %llu of them stopped\n", (unsigned long long)run_count,
           (unsigned long long)stopped_count);
}

// Between a stop and what follows, anything may happen to the world.
static bool stop_and_destroy(program_run *of, ox_commands commands) {
    fault_case *fault = of->hooks->context;
    ox_report_set_handler((ox_report_handler){accept_memory, NULL});
    oxi_fault_plan(fault->mode, fault->n);
    bool is_done = ox_commands_playback(commands);
    fault->failures = oxi_fault_get_failures();
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    for (uint32_t k = 0; !is_done && k < 200; k++) {
        ox_entity entity = {k, 1 + k % 3};
        if (ox_entity_exists(of->world, entity)) {
            ox_entity_destroy(of->world, entity);
        }
    }
    return is_done || ox_commands_playback(commands);
}

TEST(commands_faults, a_playback_goes_on_in_a_world_that_changed) {
    start_workers_of_test(0);
    for (uint64_t k = 0; k < test_scaled(10); k++) {
        program_def def = {.seed = 800 + k, .ops = 40, .rounds = 2, .swaps = k % 2 == 0};
        fault_case fault = {.mode = OXI_FAULT_FROM, .failures = 1};
        program_hooks hooks = {.playback = stop_and_destroy, .context = &fault};
        for (; fault.failures > 0; fault.n += 3) {
            program_trace found;
            program_run_hooked(&run, &def, PROGRAM_IN_ORDER, &hooks, &found);
            EXPECT_STR(found.failure, "");
        }
    }
    ox_jobs_stop();
}

// Everything, from the first buffer to the last.

enum { CROWD = 40 };

static ox_entity crowd[CROWD], root;
static ox_query *healthy;

static bool make_crowd(ox_world *world) {
    bool is_made = true;
    for (int k = 0; is_made && k < CROWD; k++) {
        crowd[k] = ox_entity_create(world, OX_VALUE(Health, {k}), OX_VALUE(Team, {k % 3}),
                                    OX_VALUE_TAG(Note), OX_VALUE(Registered, {k}));
        is_made = crowd[k].version != 0;
    }
    root = is_made ? ox_entity_create(world, OX_VALUE_TAG(ox_linked)) : (ox_entity){0, 0};
    healthy = ox_query_create(world, OX_READ(Health));
    if (root.version == 0 || healthy == NULL) {
        return false;
    }
    ox_buffer links = ox_edit(world, root, ox_linked);
    is_made = ox_buffer_push(links, ox_linked, {root});
    for (int k = 0; is_made && k < 40; k++) {
        is_made = ox_buffer_push(links, ox_linked, {crowd[1 + k % 2]});
    }
    return is_made;
}

// Each call is tried, whatever became of the one before; an id that was not given out is not used.
static void record_all(ox_commands commands) {
    ox_entity made =
        ox_commands_create_entity(commands, OX_VALUE(Health, {1}), OX_VALUE(Team, {9}));
    ox_entity copy = ox_commands_instantiate(commands, root);
    static const Path path[20] = {{1, 2}};
    for (int k = 3; k < CROWD; k++) {
        ox_commands_add(commands, crowd[k], Position, {1, 2});
        ox_commands_add(commands, crowd[k], Follows, {.leader = made, .distance = k});
        ox_commands_set(commands, crowd[k], Team, {k % 5});
        ox_commands_push(commands, crowd[k], Note, {k});
        ox_commands_push(commands, crowd[k], Note, {k});
        ox_commands_push(commands, crowd[k], Note, {k});
        ox_commands_add_many(commands, crowd[k], OX_VALUE(Region, {k, 1}), OX_VALUE_TAG(Frozen));
        if (k % 4 == 0) {
            ox_commands_destroy_entity(commands, crowd[k]);
        }
    }
    if (made.version != 0 && copy.version != 0) {
        ox_commands_add_buffer(commands, made, Path, path, 20);
        const Crew crew[3] = {{1, made}, {2, copy}, {3, crowd[5]}};
        ox_commands_add_buffer(commands, copy, Crew, crew, 3);
        ox_commands_instantiate(commands, copy);
        ox_commands_set_enabled(commands, made, Stunned, false); // fails
        ox_commands_set_entity_enabled(commands, copy, false);
        ox_commands_destroy_entity(commands, copy);
    }
    ox_commands_query_add(commands, healthy, Velocity);
    ox_commands_query_set_shared(commands, healthy, Team, {4});
    ox_commands_query_remove(commands, healthy, Note);
    ox_commands_query_destroy_entities(commands, healthy);
}

OX_PARALLEL_JOB(RecordMany, { ox_commands commands; }) {
    ox_commands keyed = ox_commands_at_key(job->commands, i % 2);
    ox_commands_create_entity(keyed, OX_VALUE(Large, {{1}}));
}

static void play_all(ox_world *world) {
    ox_commands commands =
        ox_commands_create(world, &(ox_commands_def){.name = "all", .plays_often = true});
    if (commands.oxi_state == NULL) {
        return;
    }
    ox_job job = ox_schedule_for(RecordMany, 40, 1, OX_NO_JOB, {commands});
    ox_complete(job);
    record_all(commands);
    for (int k = 0; k < 3; k++) {
        ox_commands_playback(commands);
        EXPECT(ox_world_validate(world));
    }
    ox_commands_clear(commands);
    record_all(commands);
    ox_commands_playback(commands);
    ox_commands_clear(commands);
    ox_commands_dispose(&commands);
}

static void run_all(void) {
    ox_world *world = ox_world_create(NULL);
    if (world != NULL && make_crowd(world)) {
        play_all(world);
        play_all(world);
        EXPECT(ox_world_validate(world));
    }
    ox_world_destroy(world);
}

TEST(commands_faults, worlds_stay_whole_whatever_fails) {
    start_workers_of_test(0);
    ox_report_silence(OX_REPORT_COMMAND_FAILED, true);
    run_all(); // makes what stays for the process
    test_fault_sweep("commands", run_all);
    ox_report_silence(OX_REPORT_COMMAND_FAILED, false);
    ox_jobs_stop();
}

// The memory of buffers outlives their worlds.

static void make_and_end_commands(void) {
    ox_world *world = ox_world_create(NULL);
    ox_commands commands = {0};
    if (world != NULL) {
        commands = ox_commands_create(world, NULL);
    }
    if (commands.oxi_state != NULL) {
        ox_commands_create_entity(commands);
        ox_commands_clear(commands);
        ox_commands_dispose(&commands);
    }
    ox_world_destroy(world);
    oxi_commands_memory_reset();
}

TEST(commands_faults, no_memory_for_a_buffer_is_told_and_leaves_nothing) {
    test_fault_sweep("buffers", make_and_end_commands);
}

TEST(commands_faults, more_buffers_than_there_can_be_are_told) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    int count = 0;
    while (oxi_commands_memory_take(world) != NULL) {
        count++;
    }
    EXPECT(count >= 64 && count <= 1 << 16); // fewer where the system reserves less

    EXPECT(ox_commands_create(world, NULL).oxi_state == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    end_world(world, &reports);
    oxi_commands_memory_reset();
}
