// SPDX-License-Identifier: MIT
//
// Sorting, beside what C and C++ bring along. Every turn copies the same elements first: that copy
// is in all figures.

#include "bench_sort.h"
#include "bench.h"
#include "jobs_work.h"

#include "base/platform.h"
#include "base/random.h"
#include "oxbow/containers.h"

#include <stdlib.h>
#include <string.h>

OX_ARRAY(Words, uint32_t);
OX_ARRAY(Bodies, bench_body);

enum { WORDS = 100000, BODIES = 100000, MANY_BODIES = 400000, TURNS = 15 };

static uint32_t random_words[WORDS], words[WORDS], dealt_words[WORDS];
static bench_body random_bodies[MANY_BODIES];
static Words word_array;
static Bodies body_array;
static int body_count;

static void create_sort_arrays(void) {
    oxi_random random = oxi_random_seed(5);
    for (int k = 0; k < WORDS; k++) {
        random_words[k] = (uint32_t)oxi_random_next_u64(&random);
    }
    for (uint32_t k = 0; k < MANY_BODIES; k++) {
        random_bodies[k] = (bench_body){(uint32_t)oxi_random_next_u64(&random), k, 1, 2};
    }
    word_array = ox_array_create(Words, WORDS, OX_PERSISTENT);
    body_array = ox_array_create(Bodies, MANY_BODIES, OX_PERSISTENT);
    body_array.untyped.count = body_count;
}

static void dispose_sort_arrays(void) {
    ox_dispose(&word_array);
    ox_dispose(&body_array);
}

static void sort_words(void) {
    memcpy(word_array.untyped.data, random_words, sizeof words);
    ox_array_sort(word_array, NULL, NULL);
}

// The bare loop: dealt by four digits.
static void deal_words(void) {
    uint32_t *from = words, *to = dealt_words;
    memcpy(words, random_words, sizeof words);
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t places[257] = {0};
        for (int k = 0; k < WORDS; k++) {
            places[(from[k] >> shift & 255) + 1]++;
        }
        for (int k = 0; k < 256; k++) {
            places[k + 1] += places[k];
        }
        for (int k = 0; k < WORDS; k++) {
            to[places[from[k] >> shift & 255]++] = from[k];
        }
        uint32_t *dealt = to;
        to = from;
        from = dealt;
    }
    bench_keep(from);
}

static int compare_words(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void qsort_words(void) {
    memcpy(words, random_words, sizeof words);
    qsort(words, WORDS, sizeof *words, compare_words);
}

static int compare_bodies(const void *a, const void *b) {
    return compare_words(&((const bench_body *)a)->key, &((const bench_body *)b)->key);
}

static int compare_bodies_with(const void *a, const void *b, void *context) {
    (void)context;
    return compare_bodies(a, b);
}

static bench_body *renew_bodies(void) {
    memcpy(body_array.untyped.data, random_bodies, (size_t)body_count * sizeof *random_bodies);
    return body_array.untyped.data;
}

static void sort_bodies(void) {
    renew_bodies();
    ox_array_sort(body_array, compare_bodies_with, NULL);
}

static void sort_bodies_stably(void) {
    renew_bodies();
    ox_array_sort_stable(body_array, compare_bodies_with, NULL);
}

static void sort_bodies_in_jobs(void) {
    renew_bodies();
    ox_complete(ox_array_sort_after(body_array, compare_bodies_with, NULL, OX_NO_JOB));
}

static void qsort_bodies(void) {
    qsort(renew_bodies(), (size_t)body_count, sizeof(bench_body), compare_bodies);
}

#ifdef BENCH_HAS_STD_SORT
static void std_sort_words(void) {
    memcpy(words, random_words, sizeof words);
    bench_std_sort_words(words, WORDS);
}

static void std_sort_bodies(void) {
    bench_std_sort_bodies(renew_bodies(), body_count);
}

static void std_stable_sort_bodies(void) {
    bench_std_stable_sort_bodies(renew_bodies(), body_count);
}
#endif

typedef struct sort_taker {
    const char *name;
    void (*sort)(void);
} sort_taker;

// Oxbow comes first, then its limit; the others are peers.
typedef struct sort_row {
    int body_count;
    const sort_taker *takers;
    int taker_count;
} sort_row;

static void measure_sort(const void *context, bench_result *result) {
    const sort_row *row = context;
    double least[BENCH_MOST_PEERS + 2] = {0};
    body_count = row->body_count;
    create_sort_arrays();
    for (int turn = 0; turn < TURNS; turn++) {
        for (int k = 0; k < row->taker_count; k++) {
            uint64_t begin = oxi_clock_now();
            row->takers[k].sort();
            double ns = (double)(oxi_clock_now() - begin) / row->body_count;
            least[k] = turn == 0 || ns < least[k] ? ns : least[k];
        }
    }
    result->ns = least[0];
    result->limit_ns = least[1];
    for (int k = 2; k < row->taker_count; k++) {
        bench_put_peer(result, row->takers[k].name, least[k]);
    }
    dispose_sort_arrays();
}

// Main and one worker against main alone; half of the time of main alone is the limit.
static void measure_sort_in_jobs(const void *context, bench_result *result) {
    (void)context;
    const bench_runner *runners[2] = {&bench_oxbow, &bench_oxbow_alone};
    double least[3] = {0};
    body_count = MANY_BODIES;
    create_sort_arrays();
    for (int turn = 0; turn < TURNS * 3; turn++) {
        int who = turn % 3;
        bench_enter(runners[who != 0]);
        uint64_t begin = oxi_clock_now();
        (who < 2 ? sort_bodies_in_jobs : sort_bodies_stably)();
        double ns = (double)(oxi_clock_now() - begin) / MANY_BODIES;
        bench_leave(runners[who != 0]);
        least[who] = turn < 3 || ns < least[who] ? ns : least[who];
    }
    result->ns = least[0];
    result->limit_ns = least[2] / 2;
    bench_put(result, "no_workers_ns", least[1]);
    bench_put(result, "stable_ns", least[2]);
    bench_put(result, "speedup", least[2] / least[0]);
    dispose_sort_arrays();
}

static const sort_taker word_takers[] = {
    {"oxbow", sort_words},
    {"bare", deal_words},
    {"qsort", qsort_words},
#ifdef BENCH_HAS_STD_SORT
    {"std_sort", std_sort_words},
#endif
};

static const sort_taker body_takers[] = {
    {"oxbow", sort_bodies},         {"qsort", qsort_bodies},
    {"stable", sort_bodies_stably},
#ifdef BENCH_HAS_STD_SORT
    {"std_sort", std_sort_bodies},  {"std_stable_sort", std_stable_sort_bodies},
#endif
};

static const sort_row word_row = {WORDS, word_takers, sizeof word_takers / sizeof *word_takers};
static const sort_row body_row = {BODIES, body_takers, sizeof body_takers / sizeof *body_takers};

void bench_sort(void) {
    bench_add_measured(&(bench_measured){"containers.sort_u32", WORDS, measure_sort, &word_row});
    bench_add_measured(
        &(bench_measured){"containers.sort_struct", BODIES, measure_sort, &body_row});
    bench_add_measured(
        &(bench_measured){"containers.sort_parallel", MANY_BODIES, measure_sort_in_jobs, NULL});
}
