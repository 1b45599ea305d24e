// SPDX-License-Identifier: MIT
//
// Where entities lie after a playback, by a naive model of its three steps: in each window rows of
// those that end are removed; then rows are appended for those that are new or move; then the rows
// that they left are removed: all in the order of the first command that each one met. A new row
// goes to the first open chunk of its lane; a chunk that was full opens again when an eighth of it
// is gone, or at once in a world that swaps back.

#pragma once

#include "commands/program_run.h"

/// What decides where an entity lies.
typedef struct layout_key {
    uint32_t mask; ///< components, and a bit for residue
    int shared[3];
} layout_key;

typedef struct layout_chunk {
    layout_key lane;
    ox_entity *rows;
    int count, capacity;
    bool is_open;
} layout_chunk;

typedef struct layout_archetype {
    uint32_t mask;
    layout_chunk *chunks;
    int count;
} layout_archetype;

/// An entity that commands of the window met.
typedef struct layout_touched {
    ox_entity entity;
    bool is_new;
    bool changes_linked; ///< its list is not what it was when the window began
    layout_key before;
} layout_touched;

typedef struct layout_place {
    ox_entity entity;
    int32_t chunk, row;
} layout_place;

typedef struct program_layout {
    bool swaps;
    layout_archetype *archetypes;
    int archetype_count;
    layout_touched *touched;
    int touched_count, touched_room;
    uint64_t windows;
    kinds_list doomed; ///< by the op that comes
    kinds_list members;
    // What was kept of each round.
    layout_place *places[PROGRAM_ROUNDS];
    int place_counts[PROGRAM_ROUNDS];
    uint64_t window_counts[PROGRAM_ROUNDS];
} program_layout;

void program_layout_create(program_layout *self, bool swaps);
void program_layout_destroy(program_layout *self);

/// Hooks of a run by ordinary calls, in every round: before an op, after it, and after all of them.
void program_layout_before(program_layout *self, program_run *run, int place);
void program_layout_after(program_layout *self, program_run *run, int place);
void program_layout_end(program_layout *self, program_run *run, int round);

/// True when a world lies as the model did after a round.
bool program_layout_is(const program_layout *self, const ox_world *world, int round);
