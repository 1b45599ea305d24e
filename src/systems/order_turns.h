// SPDX-License-Identifier: MIT
//
// Turns: numbers that say which of the items of a group that may come next does, lowest first. 0
// schedules jobs, 1 is on main and conflicts with no job system placed before, and more is later,
// by the place of the latest job system that it conflicts with. A turn only grows.
//
// The latest conflict is found from the last job systems that read and wrote each component, not by
// comparing systems; what is in a group accesses what all of it does, each component once.

#pragma once

#include "systems/order_parts.h"

// What is in an item, or is the item itself. Bits.
enum { OXI_HOLDS_JOBS = 1, OXI_HOLDS_MAIN = 2 };

/// What the turn of an item depends on.
typedef struct oxi_item_turn {
    uint32_t fixed;     ///< its turn, unless that is open
    uint32_t first_use; ///< in `uses`: what its systems on main access
    uint32_t use_count;
    uint8_t holds;
    bool is_open; ///< it depends on the job systems that were placed
} oxi_item_turn;

/// Of a component: 1 + the place in the sequence of the last job system that accesses it so.
typedef struct oxi_job_marks {
    uint32_t writer;
    uint32_t reader;
} oxi_job_marks;

/// The latest job system that an item on main conflicts with.
typedef struct oxi_latest_job {
    uint32_t place;     ///< 1 + its place in the sequence, or 0
    uint32_t component; ///< what they conflict in
} oxi_latest_job;

/// The turns of all items. {0} owns nothing.
typedef struct oxi_turns {
    const oxi_order_input *input;
    const oxi_order_graph *graph;
    OXI_LIST(oxi_item_turn) items;
    OXI_LIST(uint32_t)
    uses; ///< component << 1 | writes; of each item in order, each component once
    OXI_LIST(oxi_job_marks) marks; ///< by component
    uint32_t job_count;            ///< 1 + job systems placed
    uint64_t steps;                ///< uses that were looked at
} oxi_turns;

/// Works out what the items of a graph access. @return false when out of memory; free it all the
/// same.
bool oxi_turns_make(oxi_turns *turns, const oxi_order_input *input, const oxi_order_graph *graph);

/// Frees turns, which are {0} afterwards.
void oxi_turns_free(oxi_turns *turns);

/// Fixes the turns that depend on no job system, when it is known which constraints were dropped.
void oxi_turns_fix(oxi_turns *turns, const uint8_t *dropped);

/// The turn of an item, as things are.
uint32_t oxi_turn_of(oxi_turns *turns, uint32_t item);

/// Less than, equal to or greater than 0: an order in which items that have the same turn at any
/// time are equal.
int oxi_turns_compare(const oxi_turns *turns, uint32_t left, uint32_t right);

/// The latest job system that what is in an item conflicts with.
oxi_latest_job oxi_turns_find_latest(const oxi_turns *turns, uint32_t item);

/// Notes that a job system was placed, as `place` in the sequence; the first is 1.
void oxi_turns_note_job(oxi_turns *turns, uint32_t item, uint32_t place);
