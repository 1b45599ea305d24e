// SPDX-License-Identifier: MIT
//
// A run of random operations on a world with components of all kinds, and on the model of
// kinds_model.h. What is done follows from a seed, or from bytes that a fuzzer made.
//
// A run notes its first failure and goes on to the end of the operation: the loop ends there, and
// knows after how many operations that was.

#pragma once

#include "entities/kinds_model.h"

#include "base/random.h"

enum { KINDS_QUERIES = 6, KINDS_TERMS = 5, KINDS_FILTERS = 2, KINDS_MANY = 24, KINDS_SETS = 4 };

/// What a run is made of. All of it follows from these.
typedef struct kinds_def {
    uint64_t seed;
    uint64_t operations;
    uint64_t verify_every; ///< operations between full comparisons
    int most_rows;
    bool swaps;
    bool closes;          ///< holes are closed at moments of their own, which nobody may notice
    const uint8_t *bytes; ///< what to do, instead of a seed; the run ends with them
    size_t byte_count;
} kinds_def;

typedef struct kinds_term {
    ox_term_kind kind;
    int component;
} kinds_term;

/// A query, and what it is to find.
typedef struct kinds_query {
    ox_query *query; ///< NULL: there is none
    kinds_term terms[KINDS_TERMS];
    int term_count;
    int filtered[KINDS_FILTERS]; ///< shared components
    int numbers[KINDS_FILTERS];  ///< their values
    int filter_count;
} kinds_query;

typedef struct kinds_run {
    kinds_def def;
    oxi_random random;  ///< of what is done
    oxi_random closing; ///< of when holes are closed
    size_t used_bytes;
    uint64_t filled; ///< values that were made
    kinds_model model;
    ox_world *world;
    int active[KINDS_COUNT]; ///< components of this run
    int active_count;
    int shared_values; ///< how many different ones there are
    uint32_t sets[KINDS_SETS];
    int target; ///< entities, about
    int low;    ///< how few they get before they are more again
    bool is_narrow;
    bool shrinks;
    kinds_query queries[KINDS_QUERIES];
    uint64_t operation;
    int report_count;
    ox_report_id last_report;
    char report_text[256];
    bool is_in_loop;   ///< queries stay, and no row moves but with its entity
    int doing;         ///< which of several calls, for who reads a failure
    uint64_t verified; ///< how often all was compared
    uint64_t ordered;  ///< when the order of entities was looked at
    uint64_t digest;   ///< of all ids that were given, and of the hashes at the end
    char failure[1024];
    _Alignas(64) unsigned char values[KINDS_COUNT][KINDS_LARGEST];
} kinds_run;

/// Runs. Returns how many operations it took to fail, or 0 when nothing failed.
uint64_t kinds_run_random(kinds_run *run, const kinds_def *def);

/// Notes a failure, the first one only.
void kinds_note(kinds_run *run, const char *text, ox_site site);
#define KINDS_CHECK(run, condition)                                                                \
    ((condition) ? (void)0 : kinds_note(run, #condition " is false", OX_HERE))

/// What can be done, with how often it is.
typedef struct kinds_choice {
    void (*call)(kinds_run *run);
    int weight;
} kinds_choice;

/// Does one of a list, which ends with NULL.
void kinds_choose(kinds_run *run, const kinds_choice *choices);

/// One operation, as it is meant to be done or wrong.
void kinds_operation(kinds_run *run);
void kinds_wrong_operation(kinds_run *run);

/// One on entities with their groups, on a value, or on a query.
void kinds_group_operation(kinds_run *run);
void kinds_value_operation(kinds_run *run);
void kinds_query_operation(kinds_run *run);

/// Compares everything.
void kinds_verify(kinds_run *run);
void kinds_verify_queries(kinds_run *run);
void kinds_verify_order(kinds_run *run);

/// True when a filter has a value.
bool kinds_is_filtered(const kinds_run *run, int component, int number);

/// An id that the world gave is the one that the model did.
void kinds_note_entity(kinds_run *run, ox_entity wanted, ox_entity found);

/// A call that is wrong made one report, and left the world with the hash it had; 0 is any.
void kinds_expect_refused(kinds_run *run, bool is_refused, uint64_t hash_before, ox_site site);

// What operations choose from.

uint64_t kinds_below(kinds_run *run, uint64_t limit);
static inline bool kinds_chance(kinds_run *run, uint64_t of) {
    return kinds_below(run, of) == 0;
}

/// The index of an entity that is alive. There must be one.
uint32_t kinds_pick(kinds_run *run);

/// One that is not destroyed but for its cleanup components; an entity is made when it has to be.
uint32_t kinds_pick_whole(kinds_run *run);

/// An entity with all of these components, or -1.
int64_t kinds_pick_with(kinds_run *run, uint32_t mask);

/// An entity that is alive, or not any more, or never was.
ox_entity kinds_pick_any(kinds_run *run, uint32_t near);

int kinds_pick_component(kinds_run *run);
uint32_t kinds_pick_mask(kinds_run *run);
int kinds_pick_number(kinds_run *run, int component);

/// The ids of a set in any order. Returns how many.
int kinds_list_ids(kinds_run *run, uint32_t mask, uint32_t *ids);

/// Writes a new value of a data component, or new elements of a buffer. `near` is who has it.
void kinds_fill(kinds_run *run, int component, uint32_t near, void *value, int count);

/// The number of a component by its id.
int kinds_find(uint32_t id);
