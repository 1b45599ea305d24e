// SPDX-License-Identifier: MIT
//
// What the units of the model checker know of each other.

#pragma once

#include "model/model.h"

// Fibers. Home is the search, outside of all fibers.

/// Calls `function` at home. Returns when it returns, or at model_fiber_leave.
void model_fiber_home(void (*function)(void));
_Noreturn void model_fiber_leave(void);

/// From here on a fiber begins anew, with `function`, when it is resumed.
void model_fiber_begin(int fiber, void (*function)(void));

/// Goes on with a fiber, forgetting where this one is.
_Noreturn void model_fiber_resume(int fiber);
/// Goes on with a fiber, and returns when somebody resumes this one.
void model_fiber_switch(int from, int to);

// The search.

/// What model_thread returns.
extern int model_current;

/// One of `count` possibilities.
int model_choose(int count);

/// Before an atomic operation: perhaps another thread goes first, if others use the word too.
void model_step(bool is_shared);

/// The thread sleeps until model_unblock. `reason` is the word that it sleeps on.
void model_block(const void *reason);
/// Lets up to `count` threads that sleep on a word go on.
void model_unblock(const void *reason, uint32_t count);

/// True when one more load may read an old store. Taking one is counted.
bool model_may_read_stale(void);
void model_count_stale(void);

/// The search starts again, since it did not know that a word is shared. Returns when a schedule is
/// replayed.
void model_restart(void);

/// Steps are printed.
extern bool model_is_tracing;
void model_trace(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Memory.

/// What a thread knows of each thread: the steps that happened before.
typedef struct model_clock {
    uint16_t at[MODEL_THREADS];
} model_clock;

/// Four bytes of watched memory.
typedef struct model_cell {
    uint32_t execution; ///< in which the rest was written
    int16_t word;       ///< the atomic word that begins here, or -1
    int8_t writer;      ///< the last plain write: thread, or -1
    bool is_free;       ///< memory that was given back
    uint16_t write_clock;
    model_clock reads; ///< the last plain read of each thread, 0 for none
    bool is_shared;    ///< two threads use the word and one changes it: remembered for the search
} model_cell;

extern model_clock model_clocks[MODEL_THREADS];

/// The cell of an address, or NULL when the memory is not watched.
model_cell *model_find_cell(const void *memory);

/// Before each execution, and before the first of a search.
void model_memory_begin(void);
void model_memory_forget(void);
void model_atomics_begin(void);

/// Notes an operation, see MODEL_AT. @return the order in force there.
model_order model_enter_site(uint32_t at, const char *function, const char *text);
