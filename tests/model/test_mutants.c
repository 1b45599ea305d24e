// SPDX-License-Identifier: MIT
//
// The checker has teeth: every atomic operation of the job system whose order is stronger than
// relaxed is weakened in turn, and some scenario must fail; or mutants.h says why none can.

#include "model/mutants.h"
#include "model/scenario.h"
#include "model/scenarios.h"

#include "edits.h"

enum { MOST_SCENARIOS = 64, MOST_ORDERS = 2, MOST_EXECUTIONS = 100000 };

#define SCENARIO_ENTRY(name) &scenario_##name,
static const model_scenario *const scenarios[] = {SCENARIOS(SCENARIO_ENTRY)};
enum { SCENARIO_COUNT = sizeof scenarios / sizeof scenarios[0] };

static const char *const order_names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

// Which scenarios reach which site, found by a short run of each.
static bool reaches[SCENARIO_COUNT][MODEL_SITES];

static void find_reached_sites(void) {
    static bool is_known;
    for (int k = 0; k < SCENARIO_COUNT && !is_known; k++) {
        for (int site = 0; site < MODEL_SITES; site++) {
            model_get_site(site)->hits = 0;
        }
        model_search(scenarios[k], (model_limits){1, 1, 3000});
        for (int site = 0; site < MODEL_SITES; site++) {
            reaches[k][site] = model_get_site(site)->hits > 0;
        }
    }
    is_known = true;
}

// The orders that are one step weaker.
static int list_weaker(const model_site *site, model_order *weaker) {
    bool both = site->reads && site->writes;
    model_order half = site->reads ? MODEL_ACQUIRE : MODEL_RELEASE;
    switch (site->order) {
    case MODEL_SEQ:
        weaker[0] = both ? MODEL_ACQ_REL : half;
        return 1;
    case MODEL_ACQ_REL:
        weaker[0] = MODEL_ACQUIRE;
        weaker[1] = MODEL_RELEASE;
        return 2;
    case MODEL_ACQUIRE:
    case MODEL_RELEASE:
        weaker[0] = MODEL_RELAXED;
        return 1;
    default:
        return 0;
    }
}

// Checks that are switched off, see edits.py.

#define EDIT_NAME(number, what) what,
static const char *const edit_names[] = {EDITS(EDIT_NAME)};

// Small bounds find most faults, and fast.
static const model_limits rounds[] = {{1, -1, MOST_EXECUTIONS},
                                      {1, 1, MOST_EXECUTIONS},
                                      {2, 1, MOST_EXECUTIONS},
                                      {0, 0, MOST_EXECUTIONS}};

// long: a loop in a loop
// Runs scenarios until one fails. Returns it, or NULL. A site of -1 is reached by all.
static const model_scenario *find_killer(int site, model_result *result) {
    for (size_t round = 0; round < sizeof rounds / sizeof rounds[0]; round++) {
        for (int k = 0; k < SCENARIO_COUNT; k++) {
            result->failed = false;
            if (site < 0 || reaches[k][site]) {
                *result = model_search(scenarios[k], rounds[round]);
            }
            if (result->failed) {
                return scenarios[k];
            }
        }
    }
    return NULL;
}

static const argued_mutant *find_argument(const model_site *site, model_order order) {
    const char *operation = strstr(site->text, " oxi_") + 1;
    for (size_t k = 0; k < sizeof argued_mutants / sizeof argued_mutants[0]; k++) {
        const argued_mutant *argued = &argued_mutants[k];
        if (argued->order == order && strcmp(argued->function, site->function) == 0 &&
            strncmp(argued->operation, operation, strlen(argued->operation)) == 0) {
            return argued;
        }
    }
    return NULL;
}

// Weakens a site. Returns false when nothing failed and nothing argues for it.
static bool try_mutant(int index, model_order order) {
    const model_site *site = model_get_site(index);
    const argued_mutant *argued = find_argument(site, order);
    const char *operation = strstr(site->text, " oxi_") + 1;
    printf("%s: %s to %s: ", site->function, operation, order_names[order]);
    if (argued != NULL) {
        printf("argued: %s\n", argued->why);
        return true;
    }
    fflush(stdout);
    model_result result;
    model_weaken(index, order);
    const model_scenario *killer = find_killer(index, &result);
    model_weaken(-1, MODEL_RELAXED);
    if (killer == NULL) {
        printf("ALIVE\n");
        return false;
    }
    printf("killed by %s after %llu: %s\n", killer->name, (unsigned long long)result.executions,
           result.text);
    return true;
}

static void try_file(const char *file) {
    int alive = 0, mutants = 0;
    find_reached_sites();
    for (int index = 0; index < MODEL_SITES; index++) {
        const model_site *site = model_get_site(index);
        model_order weaker[MOST_ORDERS];
        if (site->text == NULL || strstr(site->text, file) == NULL) {
            continue;
        }
        int count = list_weaker(site, weaker);
        for (int k = 0; k < count; k++) {
            mutants++;
            alive += !try_mutant(index, weaker[k]);
        }
    }
    printf("%s: %d mutants, %d alive\n", file, mutants, alive);
    EXPECT(mutants > 0);
    EXPECT_EQ(alive, 0);
}

TEST(mutants, each_weakened_order_of_the_ring_is_killed_or_argued) {
    try_file("jobs/ring.c ");
}

TEST(mutants, each_weakened_order_of_the_graph_is_killed_or_argued) {
    try_file("jobs/graph.c ");
}

TEST(mutants, each_weakened_order_of_the_state_is_killed_or_argued) {
    try_file("jobs/state.h ");
}

TEST(mutants, each_weakened_order_of_parking_is_killed_or_argued) {
    try_file("jobs/parking.c ");
}

TEST(mutants, each_weakened_order_of_loops_is_killed_or_argued) {
    try_file("jobs/loop.c ");
}

TEST(mutants, each_weakened_order_of_slots_is_killed_or_argued) {
    try_file("jobs/slots.c ");
}

TEST(mutants, each_weakened_order_of_runners_is_killed_or_argued) {
    try_file("jobs/runner.c ");
}

TEST(mutants, each_weakened_order_of_waiting_is_killed_or_argued) {
    try_file("jobs/complete.c ");
}

TEST(mutants, each_weakened_order_of_scheduling_is_killed_or_argued) {
    try_file("jobs/schedule.c ");
}

TEST(mutants, each_argument_is_for_an_operation_that_is_there) {
    find_reached_sites();
    for (size_t k = 0; k < sizeof argued_mutants / sizeof argued_mutants[0]; k++) {
        bool is_used = false;
        for (int index = 0; index < MODEL_SITES && !is_used; index++) {
            const model_site *site = model_get_site(index);
            is_used = site->text != NULL &&
                      find_argument(site, argued_mutants[k].order) == &argued_mutants[k];
        }
        if (!is_used) {
            printf("no use for %s: %s\n", argued_mutants[k].function, argued_mutants[k].operation);
        }
        EXPECT(is_used);
    }
}

TEST(mutants, each_check_that_is_deleted_is_missed) {
    int alive = 0;
    for (int k = 0; k < (int)(sizeof edit_names / sizeof edit_names[0]); k++) {
        model_result result;
        model_edit_in_use = k;
        const model_scenario *killer = find_killer(-1, &result);
        model_edit_in_use = -1;
        printf("without \"%s\": %s%s after %llu: %s\n", edit_names[k],
               killer != NULL ? "killed by " : "ALIVE", killer != NULL ? killer->name : "",
               (unsigned long long)result.executions, killer != NULL ? result.text : "");
        alive += killer == NULL;
    }
    EXPECT_EQ(alive, 0);
}
