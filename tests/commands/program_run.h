// SPDX-License-Identifier: MIT
//
// Carrying a program out, in one of three ways, and what is kept to compare them.

#pragma once

#include "commands/program.h"

typedef enum program_way {
    PROGRAM_DIRECTLY, ///< by the calls of the same names, in the order of playback
    PROGRAM_IN_ORDER, ///< recorded on main in the order of playback
    PROGRAM_BY_JOBS,  ///< recorded by main and jobs of all kinds
} program_way;

enum { PROGRAM_ROUNDS = 8 };

/// What came of a round.
typedef struct program_round {
    uint64_t hash;
    uint64_t layout;
    uint64_t ids;    ///< a digest of what ops made
    uint64_t causes; ///< a digest of which ops failed, and why
    uint64_t ops;
    uint64_t failed;
} program_round;

typedef struct program_trace {
    program_round rounds[PROGRAM_ROUNDS];
    int count;
    uint64_t next_ids; ///< a digest of the ids that come next
    char failure[256]; ///< the first; "" for none
} program_trace;

typedef struct program_run program_run;

/// What a test does in the last round, or in all; calls may be NULL.
typedef struct program_hooks {
    bool in_all_rounds;
    void (*before_op)(program_run *run, int place);           ///< directly
    void (*after_op)(program_run *run, int place);            ///< directly
    bool (*playback)(program_run *run, ox_commands commands); ///< instead of one
    void (*after_round)(program_run *run);
    void *context;
} program_hooks;

struct program_run {
    program program;
    program_way way;
    oxi_random partition; ///< of jobs: kind and batch
    ox_world *world;
    ox_world *rows; ///< for jobs over entities
    ox_query *queries[PROGRAM_QUERIES];
    ox_archetype sets[PROGRAM_SETS];
    ox_entity *made;      ///< by op: what it made
    ox_entity *temporary; ///< by op: what it stands for until playback
    ox_report_id *causes; ///< by place in the order
    uint64_t other_reports;
    uint64_t failed_reports;   ///< of commands
    uint64_t used_jobs;        ///< of playbacks
    uint64_t stops;            ///< playbacks that ran out of memory
    ox_report_id first_report; ///< of a direct call
    program_trace *trace;
    const program_hooks *hooks; ///< of the round, or NULL
};

/// Runs a program. `partition` seeds what jobs do.
void program_run_all(program_run *run, const program_def *def, program_way way, uint64_t partition,
                     program_trace *trace);

/// The same with hooks in the last round.
void program_run_hooked(program_run *run, const program_def *def, program_way way,
                        const program_hooks *hooks, program_trace *trace);

/// Notes a failure, the first one only.
void program_note(program_run *run, const char *text);
#define PROGRAM_CHECK(run, condition)                                                              \
    ((condition) ? (void)0 : program_note(run, #condition " is false"))

/// Carries all ops of a round out by ordinary calls.
void program_apply(program_run *run);

/// The same for the op at a place of the order.
void program_apply_op(program_run *run, int place);

/// Records all ops of a round and plays them back.
void program_play(program_run *run);
