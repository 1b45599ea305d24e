// SPDX-License-Identifier: MIT
//
// A contest: Oxbow, the bare loop and the peers take turns at the same work, round by round.
//
// On a shared machine with cores that move, most of what two threads do is disturbed. So a sample
// counts only when nobody was put off a core meanwhile and when the cores were near each other
// before and after its round; rounds are added until there are enough, or time is up. With too few
// such samples all count, and the row says so by its probe.

#pragma once

#include "bench.h"
#include "jobs_work.h"

enum { CONTEST_MOST_RUNNERS = 8, CONTEST_MOST_SAMPLES = 4000 };

/// What one runner's samples are.
typedef struct contest_entry {
    const bench_runner *runner;
    int good_count;
    int rest_count;
    int dropped_count; ///< left out by the turn
    double good[CONTEST_MOST_SAMPLES];
    double rest[CONTEST_MOST_SAMPLES]; ///< disturbed, or with far cores
} contest_entry;

typedef struct contest_plan {
    int rounds;  ///< good ones that are wanted
    int most_ms; ///< no more rounds after that time
    void (*turn)(const void *context);
    const void *context;
} contest_plan;

/// Who takes part: Oxbow first, the bare loop second, then the peers.
extern contest_entry contest_entries[CONTEST_MOST_RUNNERS];
extern int contest_entry_count;

/// Starts anew with no entries. Add them, then run.
void contest_begin(void);
void contest_add(const bench_runner *runner);
void contest_run(const contest_plan *plan);

/// For turns: whose turn it is, and a sample that began when contest_mark returned `mark`.
const bench_runner *contest_runner(void);
int64_t contest_mark(void);
void contest_put_sample(double value, int64_t mark);
void contest_drop_sample(void);

/// Of the samples of an entry that count. After contest_put_figures.
double contest_median(int entry);
double contest_percentile(int entry, int percent);

/// Medians of all entries, and the probe.
void contest_put_figures(bench_result *result, int bare_threads);
