// SPDX-License-Identifier: MIT
//
// The points in the scheduler where a trace is told what happens. While recording is off each is
// one test of a flag, or of a mark that is 0. What they do when it is on is in trace.c.

#pragma once

#include "jobs/state.h"

/// 0 makes a build without these points. A model checker, which brings its own atomics, has none:
/// it would explore every look at the switch.
#ifndef OXI_TRACE_POINTS
#ifdef OXI_ATOMICS_HEADER
#define OXI_TRACE_POINTS 0
#else
#define OXI_TRACE_POINTS 1
#endif
#endif

/// When something began; 0 while recording is off.
typedef struct oxi_trace_mark {
    uint64_t begin_ns;
} oxi_trace_mark;

/// 1 while recording is on. Written by main. A line of its own, which is only read in a frame.
extern struct oxi_trace_switch { _Alignas(64) oxi_atomic_u32 is_on; } oxi_trace_switch;

// What the points do while recording is on. They look at the switch again.
void oxi_trace_add_scheduled(const oxi_slot *slot, const ox_job *after, uint32_t count);
void oxi_trace_add_admitted(const oxi_slot *slot, bool in_background);
void oxi_trace_add_kicked(const oxi_slot *slot);
void oxi_trace_add_finished(const oxi_slot *slot, uint64_t version);
void oxi_trace_add_ready(const oxi_slot *slot);
void oxi_trace_add_run(oxi_trace_mark mark, const oxi_slot *slot);
void oxi_trace_add_range(oxi_trace_mark mark, const oxi_slot *slot, uint32_t begin, uint32_t end);
void oxi_trace_add_park(bool begins);

/// Main: ends recording, at the end of the job system. What was recorded stays.
void oxi_trace_stop(void);

/// A job that was scheduled while recording is on.
typedef struct oxi_trace_told {
    ox_job job;
    const ox_job_type *type;
    ox_job after;
    ox_site site;
    int units; ///< batches of a parallel job; 1 of a single one; 0 when it is not known
    int batch; ///< indices in each of them; 1 of a single one
    bool in_background;
} oxi_trace_told;

/// Hears of each combination that is made while recording is on, and of each job, on main.
typedef struct oxi_trace_listener {
    void (*combined)(void *context, ox_job combined, const ox_job *parts, uint32_t count);
    void (*scheduled)(void *context, const oxi_trace_told *told);
    void *context;
} oxi_trace_listener;

/// Main: sets who listens; NULL for nobody. It must stay in place. @return who did before.
const oxi_trace_listener *oxi_trace_set_listener(const oxi_trace_listener *listener);

/// Main: the name of a thread of the trace.
void oxi_trace_name_thread(int thread, char *name, size_t size);

/// True while recording is on, which is rare.
#define oxi_trace_is_on()                                                                          \
    (OXI_TRACE_POINTS && __builtin_expect(oxi_load_relaxed(&oxi_trace_switch.is_on) != 0, 0))

/// True when recording was on when the mark was made.
#define oxi_trace_has_begun(mark) (OXI_TRACE_POINTS && __builtin_expect((mark).begin_ns != 0, 0))

/// Main: a job or a combination is about to be linked behind `count` others.
static inline void oxi_trace_scheduled(const oxi_slot *slot, const ox_job *after, uint32_t count) {
    if (oxi_trace_is_on()) {
        oxi_trace_add_scheduled(slot, after, count);
    }
}

/// Main: a job exists, and was not kicked yet.
static inline void oxi_trace_admitted(const oxi_slot *slot, bool in_background) {
    if (oxi_trace_is_on()) {
        oxi_trace_add_admitted(slot, in_background);
    }
}

/// Main: a job is about to be kicked.
static inline void oxi_trace_kicked(const oxi_slot *slot) {
    if (oxi_trace_is_on()) {
        oxi_trace_add_kicked(slot);
    }
}

/// A job or a combination of this version has ended, its slot is still its own, and it has a
/// dependent; oxi_trace_ready follows if it makes that one ready.
static inline void oxi_trace_finished(const oxi_slot *slot, uint64_t version) {
    if (oxi_trace_is_on()) {
        oxi_trace_add_finished(slot, version);
    }
}

/// A job or a combination has no predecessor left, and nobody knows it yet.
static inline void oxi_trace_ready(const oxi_slot *slot) {
    if (oxi_trace_is_on()) {
        oxi_trace_add_ready(slot);
    }
}

/// Before something whose time is to be known.
static inline oxi_trace_mark oxi_trace_begin(void) {
    return (oxi_trace_mark){oxi_trace_is_on() ? oxi_clock_now() : 0};
}

/// A single job, or a share of a parallel one, has run. It has not ended yet.
static inline void oxi_trace_run(oxi_trace_mark mark, const oxi_slot *slot) {
    if (oxi_trace_has_begun(mark)) {
        oxi_trace_add_run(mark, slot);
    }
}

/// Indices of a parallel job have run.
static inline void oxi_trace_range(oxi_trace_mark mark, const oxi_slot *slot, uint32_t begin,
                                   uint32_t end) {
    if (oxi_trace_has_begun(mark)) {
        oxi_trace_add_range(mark, slot, begin, end);
    }
}

/// This runner goes to sleep, or has woken up.
static inline void oxi_trace_park(bool begins) {
    if (oxi_trace_is_on()) {
        oxi_trace_add_park(begins);
    }
}
