// SPDX-License-Identifier: MIT
//
// Random graphs of jobs: no job begins before its predecessors are done, each index runs once, and
// nothing gets lost, however the graph is kicked and completed.

#include "jobs_test.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN = 100000 / SLOWNESS };
enum { MOST_NODES = 600, MOST_PARTS = 20, MOST_INDICES = 40, NODE_WORDS = MOST_NODES / 64 + 1 };

typedef struct node {
    ox_job handle;
    oxi_atomic_u32 is_done;
    oxi_atomic_u32 runs[MOST_INDICES];
    oxi_atomic_u32 left;        // indices to run
    uint64_t needs[NODE_WORDS]; // a bit for each job that must be done before, through combinations
    int index_count;            // 0: a combination, 1: a single job
} node;

static node nodes[MOST_NODES];
static oxi_atomic_u32 violations;

static bool are_done_before(const node *n) {
    for (int word = 0; word < NODE_WORDS; word++) {
        for (uint64_t bits = n->needs[word]; bits != 0; bits &= bits - 1) {
            if (atomic_load(&nodes[word * 64 + (int)oxi_bits_lowest(bits)].is_done) == 0) {
                return false;
            }
        }
    }
    return true;
}

static void visit_node(int index, int i) {
    node *n = &nodes[index];
    if (!are_done_before(n)) {
        atomic_fetch_add(&violations, 1);
    }
    atomic_fetch_add(&n->runs[i], 1);
    if (atomic_fetch_sub(&n->left, 1) == 1) {
        atomic_store(&n->is_done, 1);
    }
}

OX_JOB(VisitOne, { int node; }) {
    visit_node(job->node, 0);
}

OX_JOB(VisitLarge, {
    char filler[300];
    int node;
}) {
    visit_node(job->node, 0);
}

OX_PARALLEL_JOB(VisitEach, { int node; }) {
    visit_node(job->node, i);
}

OX_RANGE_JOB(VisitRange, { int node; }) {
    for (int i = begin; i < end; i++) {
        visit_node(job->node, i);
    }
}

// The count of a parallel job, when it starts. All before it is done by then.
static int64_t count_node(const void *job) {
    const node *n = &nodes[*(const int *)job];
    if (!are_done_before(n)) {
        atomic_fetch_add(&violations, 1);
    }
    return n->index_count;
}

// Chooses an earlier job and notes that `n` needs it.
static ox_job choose_predecessor(oxi_random *random, int index) {
    uint64_t reach = oxi_random_bool(random) ? 10 : MOST_NODES;
    reach = reach < (uint64_t)index ? reach : (uint64_t)index;
    int chosen = index - 1 - (int)oxi_random_below(random, reach);
    for (int word = 0; nodes[chosen].index_count == 0 && word < NODE_WORDS; word++) {
        nodes[index].needs[word] |= nodes[chosen].needs[word];
    }
    if (nodes[chosen].index_count > 0) {
        nodes[index].needs[chosen / 64] |= UINT64_C(1) << chosen % 64;
    }
    return nodes[chosen].handle;
}

static void schedule_combination(oxi_random *random, int index) {
    ox_job jobs[MOST_PARTS];
    int count = index > 0 ? (int)oxi_random_below(random, MOST_PARTS + 1) : 0;
    for (int k = 0; k < count; k++) {
        jobs[k] = choose_predecessor(random, index);
    }
    nodes[index].handle = ox_combine_at(jobs, count, OX_HERE);
}

static ox_job schedule_parallel_visit(oxi_random *random, int index, ox_job after) {
    node *n = &nodes[index];
    n->index_count = 1 + (int)oxi_random_below(random, MOST_INDICES);
    atomic_store(&n->left, (uint32_t)n->index_count);
    int batch = 1 + (int)oxi_random_below(random, 10);
    switch (oxi_random_below(random, 4)) {
    case 0:
        return ox_schedule_for_counted(VisitEach, count_node, batch, after, {.node = index});
    case 1:
        return ox_schedule_for_counted(VisitRange, count_node, batch, after, {.node = index});
    case 2:
        return ox_schedule_for(VisitEach, n->index_count, batch, after, {.node = index});
    default:
        return ox_schedule_for(VisitRange, n->index_count, batch, after, {.node = index});
    }
}

static ox_job schedule_single_visit(oxi_random *random, int index, ox_job after) {
    nodes[index].index_count = 1;
    atomic_store(&nodes[index].left, 1);
    uint64_t kind = oxi_random_below(random, 8);
    if (kind == 0) {
        return ox_schedule_background(VisitOne, after, {.node = index});
    }
    if (kind == 1) {
        return ox_schedule(VisitLarge, after, {.node = index});
    }
    return ox_schedule(VisitOne, after, {.node = index});
}

static void schedule_visit(oxi_random *random, int index) {
    bool has_after = index > 0 && oxi_random_below(random, 3) > 0;
    ox_job after = has_after ? choose_predecessor(random, index) : OX_NO_JOB;
    nodes[index].handle = oxi_random_below(random, 3) == 0
                              ? schedule_parallel_visit(random, index, after)
                              : schedule_single_visit(random, index, after);
}

static void act_now_and_then(oxi_random *random, int index) {
    uint64_t choice = oxi_random_below(random, 60);
    if (choice < 2) {
        ox_jobs_kick();
    } else if (choice == 2) {
        ox_complete(nodes[oxi_random_below(random, (uint64_t)index + 1)].handle);
    } else if (choice == 3) {
        ox_jobs_set_active_workers((int)oxi_random_below(random, 5));
    }
}

static void complete_in_any_order(oxi_random *random, int count) {
    for (int k = 0; k < count / 10; k++) {
        ox_job jobs[3];
        for (int j = 0; j < 3; j++) {
            jobs[j] = nodes[oxi_random_below(random, (uint64_t)count)].handle;
        }
        ox_complete_at(jobs, 1 + (int)oxi_random_below(random, 3), OX_HERE);
        EXPECT(ox_job_is_complete(jobs[0]));
    }
    for (int k = 0; k < count; k++) {
        ox_complete(nodes[k].handle);
    }
}

static void expect_each_index_once(int count) {
    EXPECT_EQ(atomic_load(&violations), 0);
    for (int k = 0; k < count; k++) {
        EXPECT(ox_job_is_complete(nodes[k].handle));
        for (int i = 0; i < MOST_INDICES; i++) {
            EXPECT_EQ(atomic_load(&nodes[k].runs[i]), i < nodes[k].index_count);
        }
    }
}

static void run_random_graph(oxi_random *random) {
    memset(nodes, 0, sizeof nodes);
    atomic_store(&violations, 0);
    int count = 1 + (int)oxi_random_below(random, MOST_NODES);
    for (int k = 0; k < count; k++) {
        if (oxi_random_below(random, 4) == 0) {
            schedule_combination(random, k);
        } else {
            schedule_visit(random, k);
        }
        act_now_and_then(random, k);
    }
    if (oxi_random_bool(random)) {
        ox_jobs_kick();
    }
    complete_in_any_order(random, count);
    expect_each_index_once(count);
}

static void run_random_graphs(int workers, uint64_t graphs) {
    uint64_t seed = test_seed(20 + (uint64_t)workers);
    oxi_random random = oxi_random_seed(seed);
    watch_for_hang("a random graph");
    start_workers_of_test(workers);
    shake_schedules(seed);
    for (uint64_t k = 0; k < test_scaled(graphs); k++) {
        run_random_graph(&random);
    }
    oxi_yield_set_hook(NULL, NULL);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_dag, random_without_workers) {
    run_random_graphs(0, 200);
}

TEST(jobs_dag, random_with_1_worker) {
    run_random_graphs(1, 300);
}

TEST(jobs_dag, random_with_2_workers) {
    run_random_graphs(2, 300);
}

TEST(jobs_dag, random_with_4_workers) {
    run_random_graphs(4, 300);
}

TEST(jobs_dag, random_with_16_workers) {
    run_random_graphs(16, 100);
}

TEST(jobs_dag, random_near_the_last_version) {
    oxi_random random = oxi_random_seed(test_seed(99));
    oxi_jobs.first_version = OXI_VERSION_MASK - 20;
    watch_for_hang("a random graph near the last version");
    start_workers_of_test(2);
    shake_schedules(5);
    for (uint64_t k = 0; k < test_scaled(60); k++) {
        run_random_graph(&random);
    }
    oxi_yield_set_hook(NULL, NULL);
    ox_jobs_stop();
    end_watch();
    oxi_jobs.first_version = 1;
}

// Deep and wide graphs.

OX_JOB(Next, {
    OX_NO_SAFETY oxi_atomic_u32 *count;
    uint32_t expected;
}) {
    uint32_t before = atomic_fetch_add(job->count, 1);
    atomic_fetch_add(&violations, before != job->expected);
}

OX_PARALLEL_JOB(NextPair, {
    OX_NO_SAFETY oxi_atomic_u32 *count;
    uint32_t expected;
}) {
    uint32_t before = atomic_fetch_add(job->count, 1);
    atomic_fetch_add(&violations, before / 2 != job->expected);
}

OX_JOB(Add, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

static void run_chain(int workers, bool kicks) {
    oxi_atomic_u32 count = 0;
    atomic_store(&violations, 0);
    watch_for_hang("a chain of 100,000");
    start_workers_of_test(workers);
    ox_job last = OX_NO_JOB;
    for (uint32_t k = 0; k < CHAIN; k++) {
        last = ox_schedule(Next, last, {.count = &count, .expected = k});
    }
    if (kicks) {
        ox_jobs_kick();
    }
    ox_complete(last);
    EXPECT_EQ(count, CHAIN);
    EXPECT_EQ(violations, 0);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_dag, chain_of_100000) {
    for (int k = 0; k < 6; k++) {
        run_chain(k / 2, k % 2 == 0);
    }
}

static void run_parallel_chain(int workers, bool kicks) {
    oxi_atomic_u32 count = 0;
    atomic_store(&violations, 0);
    watch_for_hang("a chain of 100,000 parallel jobs");
    start_workers_of_test(workers);
    ox_job last = OX_NO_JOB;
    for (uint32_t k = 0; k < CHAIN; k++) {
        last = ox_schedule_for(NextPair, 2, 2, last, {.count = &count, .expected = k});
    }
    if (kicks) {
        ox_jobs_kick();
    }
    ox_complete(last);
    EXPECT_EQ(count, 2 * CHAIN);
    EXPECT_EQ(violations, 0);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_dag, chain_of_100000_parallel_ones) {
    for (int k = 0; k < 4; k++) {
        run_parallel_chain(k / 2, k % 2 == 0);
    }
}

TEST(jobs_dag, chain_of_100000_combinations) {
    oxi_atomic_u32 count = 0;
    watch_for_hang("a chain of combinations");
    start_workers_of_test(1);
    ox_job first = ox_schedule(Add, OX_NO_JOB, {.count = &count});
    ox_job last = first;
    for (int k = 0; k < CHAIN; k++) {
        last = ox_combine(last, first);
    }

    ox_complete(ox_schedule(Add, last, {.count = &count}));

    EXPECT_EQ(count, 2);
    ox_jobs_stop();
    end_watch();
}

static void run_fan(int workers, bool kicks) {
    enum { FAN = 10000 };
    static ox_job jobs[FAN];
    oxi_atomic_u32 count = 0;
    watch_for_hang("a fan");
    start_workers_of_test(workers);
    ox_job first = ox_schedule(Add, OX_NO_JOB, {.count = &count});
    for (int k = 0; k < FAN; k++) {
        jobs[k] = ox_schedule(Add, first, {.count = &count});
    }
    ox_job last = ox_schedule(Add, ox_combine_at(jobs, FAN, OX_HERE), {.count = &count});
    if (kicks) {
        ox_jobs_kick();
    }
    ox_complete(last);
    EXPECT_EQ(count, FAN + 2);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_dag, fan_out_and_in_of_10000) {
    for (int k = 0; k < 8; k++) {
        run_fan(k / 2, k % 2 == 0);
    }
}

static void run_million(int workers, bool kicks) {
    enum { MILLION = 1000000 / SLOWNESS };
    ox_job *jobs = malloc(MILLION * sizeof *jobs);
    oxi_atomic_u32 count = 0;
    watch_for_hang("a million jobs");
    start_workers_of_test(workers);
    for (int k = 0; k < MILLION; k++) {
        jobs[k] = ox_schedule(Add, OX_NO_JOB, {.count = &count});
    }
    if (kicks) {
        ox_jobs_kick();
    }
    ox_complete_at(jobs, MILLION, OX_HERE);
    EXPECT_EQ(count, MILLION);
    ox_jobs_stop();
    end_watch();
    free(jobs);
}

TEST(jobs_dag, a_million_outstanding_then_completed) {
    run_million(0, false);
    run_million(1, true);
    run_million(2, false);
}
