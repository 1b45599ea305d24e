// SPDX-License-Identifier: MIT
#pragma once
#include "jobs/state.h"
typedef struct oxi_trace_mark {
    uint64_t begin;
} oxi_trace_mark;
static inline oxi_trace_mark oxi_trace_begin(void) {
    return (oxi_trace_mark){0};
}
static inline void oxi_trace_job(oxi_trace_mark mark, oxi_slot *slot) {
    (void)mark;
    (void)slot;
}
static inline void oxi_trace_range(oxi_trace_mark mark, const ox_job_type *type, uint32_t a,
                                   uint32_t b) {
    (void)mark;
    (void)type;
    (void)a;
    (void)b;
}
static inline void oxi_trace_scheduled(oxi_slot *slot) {
    (void)slot;
}
static inline void oxi_trace_park(oxi_runner *r, bool begins) {
    (void)r;
    (void)begins;
}
