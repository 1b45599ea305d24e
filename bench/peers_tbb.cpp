// SPDX-License-Identifier: MIT
//
// The work of the rows of jobs on oneTBB: the calling thread and one worker. Idioms, as its guide
// gives them:
//
//   single and empty jobs   task_group: run, wait
//   loops, literal batch    parallel_for over blocked_range(0, n, batch), simple_partitioner
//   loops, own partition    the same with auto_partitioner (row "tbb_auto")
//   dependencies            flow graph: continue_node, make_edge, try_put, wait_for_all
//
// A flow graph is the only way that oneTBB 2021 offers to make one job wait for another. It is
// built for each run, as a graph of jobs is. Where a wait follows each diamond, only the nodes are
// new; in row "tbb_new_graph" the graph is too.

#include "bench_samples.h"
#include "jobs_work.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <atomic>
#include <deque>
#include <memory>

namespace {

namespace flow = tbb::flow;
using range = tbb::blocked_range<int>;
using node = flow::continue_node<flow::continue_msg>;

std::unique_ptr<tbb::global_control> two_threads;
std::unique_ptr<tbb::task_group> group;
std::unique_ptr<tbb::task_group> awaited_group;

// Gives the worker a core of its own when it comes for the first time.
class core_keeper : public tbb::task_scheduler_observer {
  public:
    std::atomic<bool> is_done{false};

    void on_scheduler_entry(bool is_worker) override {
        if (is_worker && !is_done) {
            bench_hold_core(1);
            is_done = true;
        }
    }
};

void hold_worker() {
    core_keeper keeper;
    keeper.observe(true);
    while (!keeper.is_done) {
        group->run([] { bench_spin_us(10); });
        bench_spin_us(100);
        group->wait();
    }
    keeper.observe(false);
}

void enter() {
    if (!two_threads) {
        two_threads =
            std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, 2);
        group = std::make_unique<tbb::task_group>();
        awaited_group = std::make_unique<tbb::task_group>();
        hold_worker();
    }
}

void run_hot() {
    for (int k = 0; k < BENCH_HOT; k++) {
        group->run([] {});
        group->wait();
    }
}

void run_empty() {
    for (int k = 0; k < BENCH_EMPTY; k++) {
        group->run([] {});
    }
    group->wait();
}

template <class Partitioner> void run_light(int batch, const Partitioner &partitioner) {
    float *floats = bench_floats;
    tbb::parallel_for(
        range(0, BENCH_LIGHT, static_cast<std::size_t>(batch)),
        [floats](const range &part) {
            for (int k = part.begin(); k < part.end(); k++) {
                floats[k] = bench_light(floats[k]);
            }
        },
        partitioner);
}

template <class Partitioner> void run_heavy_by(const Partitioner &partitioner) {
    float *floats = bench_floats;
    tbb::parallel_for(
        range(0, BENCH_HEAVY, BENCH_HEAVY_BATCH),
        [floats](const range &part) {
            for (int k = part.begin(); k < part.end(); k++) {
                floats[k] = bench_heavy(floats[k]);
            }
        },
        partitioner);
}

void run_light_64() {
    run_light(64, tbb::simple_partitioner());
}

void run_light_16384() {
    run_light(16384, tbb::simple_partitioner());
}

void run_heavy() {
    run_heavy_by(tbb::simple_partitioner());
}

void run_auto_64() {
    run_light(64, tbb::auto_partitioner());
}

void run_auto_16384() {
    run_light(16384, tbb::auto_partitioner());
}

void run_auto_heavy() {
    run_heavy_by(tbb::auto_partitioner());
}

node &add_empty(flow::graph &graph, std::deque<node> &nodes) {
    return nodes.emplace_back(graph, [](const flow::continue_msg &) {});
}

void run_chain() {
    flow::graph graph;
    std::deque<node> nodes;
    for (int k = 0; k < BENCH_CHAIN; k++) {
        node &last = add_empty(graph, nodes);
        if (k > 0) {
            flow::make_edge(nodes[static_cast<std::size_t>(k - 1)], last);
        }
    }
    nodes.front().try_put(flow::continue_msg());
    graph.wait_for_all();
}

node &add_diamond(flow::graph &graph, std::deque<node> &nodes) {
    node &a = add_empty(graph, nodes);
    node &b = add_empty(graph, nodes);
    node &c = add_empty(graph, nodes);
    node &d = add_empty(graph, nodes);
    flow::make_edge(a, b);
    flow::make_edge(a, c);
    flow::make_edge(b, d);
    flow::make_edge(c, d);
    return a;
}

void run_diamonds() {
    flow::graph graph;
    std::deque<node> nodes;
    for (int k = 0; k < BENCH_DIAMONDS; k++) {
        add_diamond(graph, nodes).try_put(flow::continue_msg());
    }
    graph.wait_for_all();
}

void run_new_graph_wait() {
    for (int k = 0; k < BENCH_DIAMONDS; k++) {
        flow::graph graph;
        std::deque<node> nodes;
        add_diamond(graph, nodes).try_put(flow::continue_msg());
        graph.wait_for_all();
    }
}

// The graph itself is kept: making one costs more than a diamond.
void run_diamond_wait() {
    flow::graph graph;
    for (int k = 0; k < BENCH_DIAMONDS; k++) {
        std::deque<node> nodes;
        add_diamond(graph, nodes).try_put(flow::continue_msg());
        graph.wait_for_all();
    }
}

void run_dag() {
    flow::graph graph;
    std::deque<node> nodes;
    for (int k = 0; k < BENCH_NODES; k++) {
        node &next = nodes.emplace_back(graph, [](const flow::continue_msg &) { bench_work(1); });
        for (int b = 0; b < bench_nodes[k].count; b++) {
            flow::make_edge(nodes[static_cast<std::size_t>(bench_nodes[k].before[b])], next);
        }
    }
    for (int k = 0; k < BENCH_NODES; k++) {
        if (bench_nodes[k].count == 0) {
            nodes[static_cast<std::size_t>(k)].try_put(flow::continue_msg());
        }
    }
    graph.wait_for_all();
}

void run_session(void (*body)()) {
    body();
}

void queue(bench_call *call, void *argument) {
    group->run([call, argument] { call(argument); });
}

void queue_awaited(bench_call *call, void *argument) {
    awaited_group->run([call, argument] { call(argument); });
}

void show() {
}

void wait_awaited() {
    awaited_group->wait();
}

void drain() {
    group->wait();
}

} // namespace

extern const bench_runner bench_tbb = {
    "tbb",
    enter,
    nullptr,
    {run_hot, run_empty, run_light_64, run_light_16384, run_heavy, run_chain, run_diamonds,
     run_diamond_wait, run_dag},
    run_session,
    queue,
    queue_awaited,
    show,
    wait_awaited,
    drain,
};

extern const bench_runner bench_tbb_auto = {
    "tbb_auto",
    enter,
    nullptr,
    {nullptr, nullptr, run_auto_64, run_auto_16384, run_auto_heavy, nullptr, nullptr, nullptr,
     nullptr},
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

extern const bench_runner bench_tbb_new_graph = {
    "tbb_new_graph",
    enter,
    nullptr,
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, run_new_graph_wait, nullptr},
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};
