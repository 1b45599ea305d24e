// SPDX-License-Identifier: MIT
//
// A run of random operations on two worlds and on the model of model.h. Both worlds see the same
// calls; the second one has its holes closed at moments of its own, which nobody may notice.
//
// A run notes its first failure and goes on to the end of the operation: the loop ends there, and
// knows after how many operations that was.

#pragma once

#include "entities/model.h"

#include "base/random.h"
#include "oxbow/queries.h"

enum { RUN_WORLDS = 2, RUN_COMPONENTS = 14, RUN_VALUE_SIZE = 16000, RUN_MANY = 48 };

/// Components of all runs, with their ids once a run began.
extern model_component run_components[RUN_COMPONENTS];

enum { RUN_QUERIES = 6, RUN_TERMS = 5 };

/// A query of both worlds.
typedef struct run_query {
    ox_query *of[RUN_WORLDS]; // NULL: there is none
    ox_term_kind kinds[RUN_TERMS];
    int components[RUN_TERMS];
    int term_count;
    uint32_t all, none, any; // masks of components: those there, those not there, one of these
    uint32_t changed;        // a mask of components whose changes are filtered
    uint32_t since[MODEL_COMPONENTS];
    bool filters_order;
    uint32_t order_since;
} run_query;

/// What a run is made of. All of it follows from the seed and the two limits.
typedef struct run_def {
    uint64_t seed;
    uint64_t operations;
    uint64_t verify_every; // operations between full comparisons
    int most_rows;
    bool swaps;
} run_def;

typedef struct random_run {
    run_def def;
    oxi_random random;  // of what is done
    oxi_random closing; // of when the second world is closed
    model model;
    ox_world *worlds[RUN_WORLDS];
    int active[MODEL_COMPONENTS]; // components of this run
    int active_count;
    int target; // entities, about
    bool shrinks;
    run_query queries[RUN_QUERIES];
    uint64_t query_every; // operations between those on queries, 0 in a run without
    uint64_t operation;
    int report_count;
    ox_report_id last_report;
    uint64_t verified; // how often all was compared
    uint32_t seen_changes[MODEL_COMPONENTS];
    uint32_t seen_orders[RUN_WORLDS][MODEL_COMPONENTS];
    uint64_t digest; // of all ids that were given, and of the hashes at the end
    char failure[512];
    _Alignas(64) unsigned char values[MODEL_COMPONENTS][RUN_VALUE_SIZE];
} random_run;

/// Runs. Returns how many operations it took to fail, or 0 when nothing failed.
uint64_t run_random(random_run *run, const run_def *def);

/// Notes a failure, the first one only.
void run_note(random_run *run, const char *file, int line, const char *text);
#define RUN_CHECK(run, condition)                                                                  \
    ((condition) ? (void)0 : run_note(run, __FILE__, __LINE__, #condition))

/// One operation as it is meant to be done, or one that is wrong.
void run_right_operation(random_run *run);
void run_wrong_operation(random_run *run);

/// One operation on a query.
void run_query_operation(random_run *run);

/// Compares everything.
void run_verify(random_run *run);

/// Compares the queries; where `walks`, with all they find, which closes the holes of the worlds.
void run_verify_queries(random_run *run, bool walks);

// What operations choose from.

uint64_t run_below(random_run *run, uint64_t limit);
int run_pick_component(random_run *run);

/// The index of an entity that is alive. There must be one.
uint32_t run_pick_alive(random_run *run);

/// A set that fits in a chunk.
uint32_t run_pick_mask(random_run *run);

/// The ids of a set in any order. Returns how many.
int run_list_ids(random_run *run, uint32_t mask, uint32_t *ids);

/// Fills the value of a component with new bytes.
const void *run_make_value(random_run *run, int component);

/// Component of this run's list by its id.
int run_component_of(const random_run *run, uint32_t id);
