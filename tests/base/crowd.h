// SPDX-License-Identifier: MIT
//
// So many threads that those which come later share an index.

#pragma once

#include "test.h"

#include "base/atomics.h"
#include "base/platform.h"

enum { CROWD = OXI_MAX_THREADS };

static oxi_thread crowd_threads[CROWD];
static uint32_t crowd_count;
static oxi_atomic_u32 crowd_ready, crowd_gate, crowd_sharing;

OXI_UNUSED static void stay_in_crowd(void *context) {
    (void)context;
    oxi_add_acq_rel(&crowd_sharing, oxi_thread_index() == OXI_MAX_THREADS - 1 ? 1 : 0);
    oxi_add_acq_rel(&crowd_ready, 1);
    oxi_futex_wake(&crowd_ready, 1);
    while (oxi_load_acquire(&crowd_gate) == 0) {
        oxi_futex_wait(&crowd_gate, 0, OXI_WAIT_FOREVER);
    }
}

/// Starts threads that take all indexes, and waits for them. A system may grant fewer.
OXI_UNUSED static void begin_crowd(void) {
    oxi_store_release(&crowd_ready, 0);
    oxi_store_release(&crowd_gate, 0);
    oxi_store_release(&crowd_sharing, 0);
    crowd_count = 0;
    while (crowd_count < CROWD &&
           oxi_thread_start(&crowd_threads[crowd_count], stay_in_crowd, NULL, NULL)) {
        crowd_count++;
    }
    for (uint32_t ready; (ready = oxi_load_acquire(&crowd_ready)) < crowd_count;) {
        oxi_futex_wait(&crowd_ready, ready, OXI_WAIT_FOREVER);
    }
}

OXI_UNUSED static void end_crowd(void) {
    oxi_store_release(&crowd_gate, 1);
    oxi_futex_wake(&crowd_gate, UINT32_MAX);
    for (uint32_t k = 0; k < crowd_count; k++) {
        oxi_thread_join(&crowd_threads[k]);
    }
}
