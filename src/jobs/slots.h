// SPDX-License-Identifier: MIT
//
// Slots and loops: taken by main, given back by any runner, used again.

#pragma once

#include "jobs/state.h"

/// Reserves the slots. @return false when out of memory.
bool oxi_slots_create(void);
void oxi_slots_destroy(void);

/// Main: a free slot, with the version of its next job in `state`. @return NULL when there are too
/// many jobs, or no memory.
oxi_slot *oxi_slot_take(void);

/// Gives a slot back whose job is done.
void oxi_slot_give(oxi_runner *runner, oxi_slot *slot);

/// Gives back what a runner has collected, at its end.
void oxi_slots_return(oxi_runner *runner);

/// Main: a loop with a slice for each runner. @return NULL when out of memory.
oxi_loop *oxi_loop_take(void);
void oxi_loop_give(oxi_loop *loop);
