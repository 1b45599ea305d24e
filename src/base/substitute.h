// SPDX-License-Identifier: MIT
//
// Where a test takes the place of the world outside: it can own time, refuse memory and threads,
// and choose where threads switch.
//
// Every call that can fail through no fault of the caller passes oxi_fault_hit with its own place
// in our sources. Their macros (oxi_heap_alloc, oxi_pages_commit, ...) add that place, and
// tools/check_faults.py finds the same places in the text: so a test can tell that each was failed.

#pragma once

#include "base/atomics.h"
#include "oxbow/base.h"

/// When calls fail.
typedef enum oxi_fault_mode {
    OXI_FAULT_NONE = 0,
    OXI_FAULT_ONE,  ///< the n-th call fails
    OXI_FAULT_FROM, ///< the n-th call and all after it fail
} oxi_fault_mode;

enum { OXI_MAX_FAULT_SITES = 1024 };

/// From here on, the call number `n` (the first is 0) fails as `mode` says.
void oxi_fault_plan(oxi_fault_mode mode, uint64_t n);

/// How many calls passed since the plan was made, and how many of them were failed.
uint64_t oxi_fault_get_calls(void);
uint64_t oxi_fault_get_failures(void);

/// The places that were failed since the process started, each once. Returns their number; writes
/// at most `capacity` of them.
int oxi_fault_get_sites(ox_site *sites, int capacity);

/// True when this call has to fail. `where` is a place in our sources.
bool oxi_fault_hit(ox_site where);

/// A clock, in nanoseconds. It must not go back.
typedef uint64_t oxi_clock_fn(void *context);

/// Replaces the clock of oxi_clock_now. NULL restores the system's.
void oxi_clock_set_source(oxi_clock_fn *function, void *context);

/// Called at each atomic operation of a library that was built with OX_YIELD_POINTS. NULL: nothing.
typedef void oxi_yield_fn(void *context);
void oxi_yield_set_hook(oxi_yield_fn *function, void *context);
