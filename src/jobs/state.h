// SPDX-License-Identifier: MIT
//
// The state of the job system: slots of jobs, threads that run them, and one struct that holds all.
//
// Two atomic words tell everything about a job.
//
// `state` is (version << 24) | edge. A handle is alive while its version stands there; finishing
// exchanges the word for the next version, which at once ends all handles, closes the list of
// dependents and returns it. An edge is (slot << 3) | k: the k-th predecessor link of the job in
// that slot, which holds the next edge. Edge 1, of slot 0, is main waiting.
//
// `word` is (version << 8) | flags: READY when no predecessor is left, KICKED when workers may see
// it, CLAIMED when somebody runs it. Whoever sets the second of READY and KICKED puts the job into
// a queue. An entry of a queue is a handle and no more than a hint: a job is run by who sets
// CLAIMED, which takes the right version and both other flags. A parallel job whose count is taken
// when it starts is LATE: who claims it takes the count, and turns CLAIMED and LATE into LOOP.
//
// Only main schedules, so only main takes slots, adds edges and writes the plain fields of a slot.

#pragma once

#include "base/atomics.h"
#include "base/platform.h"
#include "base/region.h"
#include "jobs/gate.h"
#include "jobs/ring.h"
#include "jobs/run.h"
#include "oxbow/jobs.h"

#ifndef OXI_JOB_SLOTS
#define OXI_JOB_SLOTS (OX_MAX_JOBS + 1)
#endif

enum {
    OXI_INDEX_BITS = 24,
    OXI_EDGE_BITS = 3,
    OXI_EDGES = 1 << OXI_EDGE_BITS, ///< predecessors of one combination
    OXI_WAITER_EDGE = 1,            ///< of slot 0: main waits
    OXI_FLAG_BITS = 8,
    OXI_INLINE_DATA = 128,
    OXI_PREFETCHED = 8, ///< how many jobs ahead their slots are brought near
    OXI_MAX_RUNNERS = OX_MAX_THREADS,
};

// The flags of a job's word.
enum {
    OXI_JOB_READY = 1,
    OXI_JOB_KICKED = 2,
    OXI_JOB_CLAIMED = 4,
    OXI_JOB_AWAITED = 8,     ///< main waits for it, or for something behind it
    OXI_JOB_BACKGROUND = 16, ///< it runs on background threads
    OXI_JOB_LOOP = 32,       ///< a parallel job: threads join it, nobody claims it
    OXI_JOB_LATE = 64,       ///< a parallel job whose count nobody has taken yet
};

_Static_assert(OX_MAX_THREADS == 1 + OX_MAX_WORKERS + OX_MAX_BACKGROUND,
               "main, workers and background threads");

#define OXI_EDGE_MASK    ((UINT64_C(1) << OXI_INDEX_BITS) - 1)
#define OXI_VERSION_MASK ((UINT64_C(1) << 40) - 1)

/// One job. The first line is what other threads touch; the data of the job follows.
typedef struct oxi_slot {
    _Alignas(64) oxi_atomic_u64 state;
    oxi_atomic_u64 word;
    ox_job_type *type;      ///< NULL: a combination, which runs nothing
    ox_job after;           ///< the predecessor of a job that is no combination
    uint32_t link;          ///< its edge's next one; of a free slot the next free one
    oxi_atomic_u32 pending; ///< a combination: predecessors that are not done, and one for main
    oxi_atomic_ptr loop;    ///< of a parallel job
    ox_site site;
    uint32_t waiter_link; ///< the edge behind main's, when main waits for this job
    uint32_t order;       ///< number of the job in the order of scheduling, for traces
    /// The struct, or where it is when it is larger; a combination's predecessors and their links.
    union {
        _Alignas(64) unsigned char data[OXI_INLINE_DATA];
        void *large;
        struct {
            ox_job jobs[OXI_EDGES];
            uint32_t links[OXI_EDGES];
            uint32_t count;
        } parts;
    };
} oxi_slot;

/// The indices of a parallel job that one runner has not run yet: begin | end << 32.
typedef struct oxi_slice {
    _Alignas(64) oxi_atomic_u64 range;
} oxi_slice;

/// A parallel job that runs. Loops are used again and not freed while the system runs, so a stale
/// look finds a loop, if another's.
typedef struct oxi_loop {
    /// (version << 24) | closed << 23 | runners inside. Only who is inside may touch the rest.
    _Alignas(64) oxi_atomic_u64 guests;
    oxi_atomic_u32 done; ///< indices that were run
    uint32_t slot;       ///< whose loop it is
    uint32_t count;      ///< 0 while it is not known
    uint32_t batch;
    oxi_job_counter counter; ///< of a job whose count is taken when it starts
    size_t large_size;       ///< of the job's struct when it has memory of its own, else 0
    struct oxi_loop *next;   ///< in a list of free loops
    oxi_slice slices[];      ///< one for each runner
} oxi_loop;

/// A thread that runs jobs: main is the first, workers follow, then background threads.
typedef struct oxi_runner {
    oxi_ring ring;                    ///< jobs that this thread made ready, or kicked
    _Alignas(64) oxi_atomic_u32 wake; ///< what it sleeps on: 1 while it does
    _Alignas(64) uint32_t index;
    uint32_t runs;       ///< jobs and stretches of loops that it ran, to sample one in 64
    uint32_t free_first; ///< slots that it freed and main has not got back yet
    uint32_t free_last;
    uint32_t free_count;
    int taken_count; ///< entries taken from a ring and not looked at yet
    uint64_t taken[OXI_RING_MOST];
    bool is_inside; ///< a job is running on it
    bool is_started;
    oxi_thread thread;
} oxi_runner;

/// All of the job system.
typedef struct oxi_jobs_state {
    ox_jobs_def def; ///< with defaults filled in
    bool is_running;
    uint32_t worker_count;
    uint32_t started_count; ///< workers that have a thread: the first ones
    uint32_t runner_count;  ///< main, workers and background threads
    uint64_t spin_ns;

    // Slots and loops. Main takes them; every runner gives them back.
    oxi_region slot_region;
    oxi_slot *slots;
    oxi_atomic_u32 slot_count; ///< slots that were ever used, and slot 0
    uint32_t free_slot;
    uint64_t first_version; ///< of new slots
    uint32_t next_order;
    oxi_loop *free_loop;
    _Alignas(64) oxi_atomic_u32 returned_slots; ///< a chain, which main takes as a whole
    oxi_atomic_ptr returned_loops;

    // Parking.
    _Alignas(64) oxi_atomic_u64 idle;      ///< a bit for each runner that sleeps, or is about to
    _Alignas(64) oxi_atomic_u32 searching; ///< workers that look for work
    _Alignas(64) oxi_atomic_u32 quit;
    oxi_atomic_u32 active;   ///< workers that take part
    oxi_atomic_u32 unqueued; ///< 1: a ready job may be in no queue, for want of memory

    // Main's own.
    oxi_ring urgent;     ///< ready jobs that main waits for
    uint64_t unwoken_ns; ///< likely time of what is published and nobody was woken for; 0: nothing
    ox_job unwoken_only; ///< that, if it is one job
    oxi_runner runners[OXI_MAX_RUNNERS];
} oxi_jobs_state;

extern oxi_jobs_state oxi_jobs;
extern _Thread_local oxi_runner *oxi_this_runner OXI_NEAR_TLS;

static inline uint32_t oxi_job_index(ox_job job) {
    return (uint32_t)(job.value & OXI_EDGE_MASK);
}

static inline uint64_t oxi_job_version(ox_job job) {
    return job.value >> OXI_INDEX_BITS;
}

static inline oxi_slot *oxi_slot_of(ox_job job) {
    return &oxi_jobs.slots[oxi_job_index(job)];
}

/// Brings the first line of a job's slot near. Any bits may be given.
static inline void oxi_slot_prefetch(ox_job job) {
    __builtin_prefetch(oxi_slot_of(job), 1);
}

/// The handle of the job in a slot, by the version in its word.
static inline ox_job oxi_job_of(const oxi_slot *slot, uint64_t word) {
    return (ox_job){word >> OXI_FLAG_BITS << OXI_INDEX_BITS | (uint64_t)(slot - oxi_jobs.slots)};
}

/// True when the job is done: its version is not the slot's any more. Any bits may be given: a free
/// slot has its next version in `state` already, but not in `word`.
static inline bool oxi_job_is_done(ox_job job) {
    // acquire: pairs with the exchange that ends a job, so what it wrote is visible.
    return job.value == 0 || oxi_job_index(job) >= oxi_load_acquire(&oxi_jobs.slot_count) ||
           oxi_load_acquire(&oxi_slot_of(job)->state) >> OXI_INDEX_BITS != oxi_job_version(job) ||
           oxi_load_relaxed(&oxi_slot_of(job)->word) >> OXI_FLAG_BITS != oxi_job_version(job);
}
