// SPDX-License-Identifier: MIT
//
// What the rows of docs/modelling.md share: several ways to do the same, which take turns.

#pragma once

#include "bench.h"

/// One way. Where a function is NULL, nothing is done.
typedef struct model_way {
    const char *name;     ///< of its figure; the first two are `ns` and `limit_ns` of the row
    void (*before)(void); ///< before each sample, not timed
    void (*step)(void);   ///< what is timed
    void (*after)(void);  ///< after each sample, not timed
} model_way;

/// Lets all ways take turns and puts the median of each, in ns for each of the items.
void model_put_medians(const model_way *ways, int count, double items, bench_result *result);

/// The same with the shortest, as for other rows of entities: work of one thread can only be
/// disturbed in one direction.
void model_put_shortest(const model_way *ways, int count, double items, bench_result *result);

/// Starts the job system with one worker, main and it each on a core of its own; and the way back.
void model_begin_threads(void);
void model_end_threads(void);

void bench_modelling_links(void);
void bench_modelling_jobs(void);
void bench_modelling_frames(void);
