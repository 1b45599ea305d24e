// SPDX-License-Identifier: MIT
//
// Random programs of commands, with components of all kinds. A program is made once for each round
// and carried out in several ways: by ordinary calls, recorded on main in the order of playback,
// and recorded by main and jobs. All of it follows from a seed, or from bytes that a fuzzer made.

#pragma once

#include "entities/kinds_model.h"

#include "base/random.h"
#include "oxbow/commands.h"

OX_COMPONENT(ProgramHuge, { unsigned char bytes[9000]; });
OX_COMPONENT(ProgramVast, { unsigned char bytes[9000]; }); // both together fit in no chunk

enum {
    PROGRAM_HUGE = KINDS_COUNT,
    PROGRAM_VAST,
    PROGRAM_COMPONENTS,
    PROGRAM_QUERIES = 5, ///< the last one is destroyed before playback
    PROGRAM_SETS = 6,    ///< archetypes that are there from the beginning
    PROGRAM_REFS = 3,
    PROGRAM_ELEMENTS = 12,
    PROGRAM_LARGEST = 9000,
    PROGRAM_VALUES = 24 * 1024, ///< bytes that the values of an op take at most
    PROGRAM_ALONE = 64,         ///< indices of a job at most
};

typedef enum program_kind {
    PROGRAM_CREATE,
    PROGRAM_CREATE_WITH,
    PROGRAM_CREATE_IN, ///< one of PROGRAM_SETS, by `number`
    PROGRAM_INSTANTIATE,
    PROGRAM_DESTROY,
    PROGRAM_ADD,
    PROGRAM_ADD_MANY,
    PROGRAM_SET,
    PROGRAM_REMOVE,
    PROGRAM_SWITCH,
    PROGRAM_BUFFER,
    PROGRAM_SWITCH_ENTITY, ///< from here on commands are carried out by themselves
    PROGRAM_QUERY_ADD,     ///< from here on on main only
    PROGRAM_QUERY_REMOVE,
    PROGRAM_QUERY_SET_SHARED,
    PROGRAM_QUERY_DESTROY,
    PROGRAM_KINDS,
} program_kind;

/// An entity: one that is known, or what an op makes.
typedef struct program_ref {
    int32_t op; ///< -1: `entity`
    ox_entity entity;
    uint32_t mask; ///< components that it may have
} program_ref;

typedef struct program_op {
    program_kind kind;
    program_ref target; ///< of INSTANTIATE the source
    program_ref refs[PROGRAM_REFS];
    int component;
    uint32_t mask; ///< of several components
    uint64_t seed; ///< of values
    int number;    ///< of a shared value, or of elements
    ox_buffer_change change;
    bool is_on;
    int query;
    int32_t key;
    int phase; ///< in which it is recorded
    int index; ///< of the job; 0 on main
} program_op;

/// Some ops that are recorded together: on main, or by a job.
typedef struct program_phase {
    bool is_job;
    int index_count;
    int starts[PROGRAM_ALONE + 1]; ///< first op of each index
} program_phase;

/// An entity that an earlier round made, and components that it had then.
typedef struct program_known {
    ox_entity entity;
    uint32_t mask;
} program_known;

/// What a run is made of.
typedef struct program_def {
    uint64_t seed;
    int ops;    ///< of each round, about
    int rounds; ///< playbacks
    bool swaps;
    bool is_plain;      ///< no commands that are carried out by themselves
    bool ends_by_query; ///< ids are freed by query: in the order in which the world lies
    bool is_simple;     ///< no instances and no groups: nothing ends a window but its size
    bool repeats;       ///< most ops are like the one before, about the next entity
    uint32_t entity_limit;
    const uint8_t *bytes; ///< instead of the seed
    size_t byte_count;
} program_def;

typedef struct program {
    program_def def;
    oxi_random random;
    size_t used_bytes;
    program_op *ops;
    int count, room;
    program_phase *phases;
    int phase_count;
    int *order;           ///< ops in the order of playback
    program_known *known; ///< what there was before
    int known_count, known_room;
    ox_entity foreign; ///< a temporary id of another buffer
} program;

void program_register(void);

void program_create(program *self, const program_def *def);
void program_destroy(program *self);

/// Makes the ops of a round.
void program_make_round(program *self);

/// Adds an entity to what is known.
void program_know(program *self, ox_entity entity, uint32_t mask);

uint64_t program_below(program *self, uint64_t limit);

extern uint32_t program_ids[PROGRAM_COMPONENTS];

/// Components of the archetypes that CREATE_IN names.
extern const uint32_t program_sets[PROGRAM_SETS];

/// What refs stand for while a program is carried out in one way: `made[op]`, version 0 for none.
typedef struct program_scope {
    const program *program;
    const ox_entity *made;
    ox_report_id lost; ///< why the first ref that cannot be used cannot
} program_scope;

ox_entity program_resolve(program_scope *scope, program_ref ref);

/// Writes the value of a component, or `count` elements, that an op gives.
void program_fill(program_scope *scope, const program_op *op, int component, int count,
                  unsigned char *to);

/// True for an ADD with a value.
bool program_gives_value(const program_op *op);

/// The values of CREATE_WITH and ADD_MANY. `memory` has PROGRAM_VALUES bytes.
int program_list_values(program_scope *scope, const program_op *op, ox_value *values,
                        unsigned char *memory);
