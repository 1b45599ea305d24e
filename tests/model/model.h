// SPDX-License-Identifier: MIT
//
// A model checker: runs a few threads over real code in every order, within bounds.
//
// Threads are fibers of one thread. At each atomic operation the checker chooses which of them goes
// on, and at each load which store is read; a depth-first search walks all choices. A store may
// stay unseen by a load unless C11 says otherwise: what happens before, coherence of one word, and
// for seq_cst loads the last seq_cst store to the same word. A seq_cst access is no fence.
//
// Bounds: how often a thread is interrupted that could go on, and how often in one execution a load
// reads another store than the newest, or a store is put before one that ran earlier. Within them
// the search is complete, with these limits: no load reads from the future; waits never return for
// no reason; a futex looks at the newest store, as a kernel does.
//
// Plain accesses are checked for races where code is compiled with -fsanitize=thread and not linked
// with its runtime (model_race.c takes its place), in memory that the checker was told of.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_THREADS = 4, ///< at most
    MODEL_SITES = 512, ///< atomic operations in the sources
    MODEL_STALE = 2,   ///< loads of one execution that may read an old store
    MODEL_TEXT = 1024, ///< of a schedule
};

typedef enum model_order {
    MODEL_RELAXED,
    MODEL_ACQUIRE,
    MODEL_RELEASE,
    MODEL_ACQ_REL,
    MODEL_SEQ,
} model_order;

/// What some threads do.
typedef struct model_scenario {
    const char *name;
    int preemptions;                      ///< of one execution at most
    void (*setup)(void);                  ///< before the threads, unseen by the search
    void (*threads[MODEL_THREADS])(void); ///< up to the first NULL
    void (*check)(void);                  ///< after them; NULL for none
    uint32_t may_sleep;                   ///< a bit for each thread that may sleep at the end
} model_scenario;

typedef struct model_result {
    uint64_t executions;
    uint64_t steps;   ///< atomic operations
    double seconds;   ///< of the processor
    bool is_complete; ///< every choice was made; false after a failure or at a limit
    bool failed;
    char text[256];            ///< what failed
    char schedule[MODEL_TEXT]; ///< the choices that led there, for model_replay
} model_result;

/// Limits of a search. Zero means none.
typedef struct model_limits {
    int preemptions; ///< instead of the scenario's; -1 for none at all
    int stale_reads; ///< instead of MODEL_STALE; -1 for none at all
    uint64_t executions;
} model_limits;

/// Runs all executions of a scenario, up to the first that fails.
model_result model_search(const model_scenario *scenario, model_limits limits);

/// Runs one execution again and prints each of its steps to stderr. A schedule is a list of
/// "moment:choice" for all choices that are not the first possibility. @return whether it failed.
bool model_replay(const model_scenario *scenario, const char *schedule);

/// Ends the execution as failed. Does not return.
_Noreturn void model_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define MODEL_CHECK(condition)                                                                     \
    ((condition) ? (void)0 : model_fail("%s:%d: %s is false", __FILE__, __LINE__, #condition))

/// The thread that runs, from 0, or -1 outside of the threads.
int model_thread(void);

// Memory. Races and stale reads are looked for in memory that the checker knows.

/// Makes memory known for good. Addresses must be multiples of 8.
void model_watch(void *memory, size_t size);

/// Memory of one execution; never given out twice, so a use after the free is found.
void *model_alloc(size_t size);
void model_free(void *memory, size_t size);

/// Plain accesses of code that is not compiled for it.
void model_read(const void *memory, size_t size);
void model_write(void *memory, size_t size);
void *model_memcpy(void *to, const void *from, size_t size);

// Sleeping on a word. Returns whether the word was the one expected.

bool model_futex_wait(const uint32_t *word, uint32_t expected);
void model_futex_wake(const uint32_t *word, uint32_t count);

// Mutants: the order of one atomic operation of the sources is another.

/// An atomic operation of the sources. `text` is its file and its code, `order` what stands there.
typedef struct model_site {
    const char *function;
    const char *text;
    model_order order;
    bool reads;
    bool writes;
    uint64_t hits; ///< in all executions up to now
} model_site;

model_site *model_get_site(int index);

/// From now on the operation has this order. -1 takes that back.
void model_weaken(int site, model_order order);

/// Which edit of the sources is in use, see edits.py; -1 for none.
extern int model_edit_in_use;
