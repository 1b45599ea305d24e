// SPDX-License-Identifier: MIT
//
// Rows of a world with many small archetypes: one value and any of ten tags. The limit has the
// values of all archetypes side by side in one array, and a list of where each begins.

#include "bench_storage.h"

#include <stdio.h>

OX_COMPONENT(BenchSpot, { float x; });

enum { SETS = 1000, TAGS = 10, LEAST_IN_SET = 10, MOST_IN_SET = 100 };

// The set of an archetype as bits of component ids.
typedef struct bare_mask {
    uint64_t low, high;
} bare_mask;

typedef struct bare_set {
    float *values;
    int count;
} bare_set;

static ox_world *sets_world;
static ox_query *spots;
static float values[SETS * MOST_IN_SET];
static bare_set sets[SETS];
static bare_mask masks[SETS];
static int matches[SETS];
static int match_count;

static int count_in_set(int set) {
    return LEAST_IN_SET + set * 37 % (MOST_IN_SET - LEAST_IN_SET + 1);
}

static int count_in_sets(void) {
    int count = 0;
    for (int set = 0; set < SETS; set++) {
        count += count_in_set(set);
    }
    return count;
}

static uint32_t register_tag(int number) {
    char name[32];
    snprintf(name, sizeof name, "BenchTag%d", number);
    return ox_component_register(&(ox_component_def){.name = name, .kind = OX_COMPONENT_KIND_TAG});
}

// The archetype of a set: the bits of its number are its tags.
static ox_archetype get_set(int set) {
    uint32_t components[TAGS + 1] = {ox_component_id_of(BenchSpot)};
    int count = 1;
    for (int tag = 0; tag < TAGS; tag++) {
        if ((set >> tag & 1) != 0) {
            components[count++] = register_tag(tag);
        }
    }
    return ox_archetype_of_at(sets_world, components, count, OX_HERE);
}

static void begin_sets(void) {
    sets_world = ox_world_create(NULL);
    spots = ox_query_create(sets_world, OX_WRITE(BenchSpot));
    memset(values, 0, sizeof values);
    float *next = values;
    for (int set = 0; set < SETS; set++) {
        int count = count_in_set(set);
        ox_entities_create(sets_world, get_set(set), NULL, count);
        sets[set] = (bare_set){next, count};
        masks[set] = (bare_mask){(uint64_t)set << 1 | 1, 0};
        next += count;
    }
}

static void end_sets(void) {
    ox_world_destroy(sets_world);
}

// Not inlined, so that both sides have the same loop.
__attribute__((noinline)) static void add_to_spots(float *restrict x, int count) {
    for (int k = 0; k < count; k++) {
        x[k] += 1;
    }
}

static void ox_walk_sets(void) {
    OX_EACH_CHUNK(spots, chunk) {
        add_to_spots(&ox_chunk_edit(chunk, BenchSpot)->x, chunk.count);
    }
}

static void bare_walk_sets(void) {
    for (int set = 0; set < SETS; set++) {
        add_to_spots(sets[set].values, sets[set].count);
    }
}

static double sum_ox_sets(void) {
    double sum = 0;
    OX_EACH_CHUNK(spots, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            sum += (double)ox_chunk_get(chunk, BenchSpot)[k].x;
        }
    }
    return sum;
}

static double sum_bare_sets(void) {
    double sum = 0;
    for (int k = 0, count = count_in_sets(); k < count; k++) {
        sum += (double)values[k];
    }
    return sum;
}

static void ox_query_sets(void) {
    ox_query *made = ox_query_create(sets_world, OX_WRITE(BenchSpot));
    bench_keep(made);
    ox_query_destroy(made);
}

__attribute__((noinline)) static int match_masks(const bare_mask *tested, bare_mask wanted,
                                                 int *restrict found) {
    int count = 0;
    for (int set = 0; set < SETS; set++) {
        if ((tested[set].low & wanted.low) == wanted.low &&
            (tested[set].high & wanted.high) == wanted.high) {
            found[count++] = set;
        }
    }
    return count;
}

static void bare_query_sets(void) {
    bare_mask wanted = {1, 0};
    bench_keep(&wanted); // the compiler does not know which bits those are
    match_count = match_masks(masks, wanted, matches);
}

static double count_ox_matches(void) {
    ox_query *made = ox_query_create(sets_world, OX_READ(BenchSpot));
    double count = 0;
    OX_EACH_CHUNK(made, chunk) {
        count++;
    }
    ox_query_destroy(made);
    return count;
}

static double count_bare_matches(void) {
    return match_count;
}

static int64_t count_queries(void) {
    return 1;
}

static const storage_work walk_work = {.name = "fragmented_1000",
                                       .begin = begin_sets,
                                       .end = end_sets,
                                       .oxbow = {NULL, ox_walk_sets, NULL, sum_ox_sets},
                                       .limit = {NULL, bare_walk_sets, NULL, sum_bare_sets},
                                       .is_repeatable = true};

static const storage_work query_work = {.name = "query_create_1000",
                                        .begin = begin_sets,
                                        .end = end_sets,
                                        .oxbow = {NULL, ox_query_sets, NULL, count_ox_matches},
                                        .limit = {NULL, bare_query_sets, NULL, count_bare_matches},
                                        .is_repeatable = true,
                                        .items = "queries",
                                        .count_items = count_queries};

void bench_storage_sets(void) {
    storage_add(&walk_work, 1, count_in_sets());
    storage_add(&query_work, 1, SETS);
}
