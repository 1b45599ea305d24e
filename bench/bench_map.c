// SPDX-License-Identifier: MIT
//
// Maps beside others' maps.
//
// One round of a map: insert all keys into an empty map, find all of them in another order, look
// for as many that are not there, walk, and erase all. Everybody does rounds in turns; the shortest
// time of each part counts. All rows of one size come from the same rounds. The limit is what plain
// arrays would take that knew the place of every key.

#include "bench.h"
#include "bench_samples.h"
#include "map_work.h"

#include "base/platform.h"
#include "base/random.h"
#include "oxbow/containers.h"

#include <stdlib.h>

enum { INSERT, FIND_HIT, FIND_MISS, ITERATE, ERASE, PARTS };
enum { SIZES = 3, MOST_PEERS = 5 };

static volatile uint64_t map_sink;

// Oxbow.

OX_MAP(NumberMap, uint64_t, uint64_t);

static NumberMap map;

static void create_oxbow(void) {
    map = ox_map_create(NumberMap, 0, OX_PERSISTENT);
}

static void insert_oxbow(const bench_map_keys *keys) {
    NumberMap local = map;
    for (uint64_t k = 0; k < keys->n; k++) {
        ox_map_add(local, keys->keys[k], k);
    }
}

static uint64_t find_oxbow(const uint64_t *keys, uint64_t n) {
    NumberMap local = map;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t *value = ox_map_find(local, keys[k]);
        sum += value != NULL ? *value : 0;
    }
    return sum;
}

static uint64_t iterate_oxbow(void) {
    uint64_t sum = 0;
    OX_EACH(map, it) {
        sum += *it.value;
    }
    return sum;
}

static uint64_t erase_oxbow(const uint64_t *keys, uint64_t n) {
    NumberMap local = map;
    uint64_t count = 0;
    for (uint64_t k = 0; k < n; k++) {
        count += ox_map_remove(local, keys[k]);
    }
    return count;
}

static void destroy_oxbow(void) {
    ox_dispose(&map);
}

static const bench_map_peer bench_map_oxbow = {
    "oxbow", create_oxbow, insert_oxbow, find_oxbow, iterate_oxbow, erase_oxbow, destroy_oxbow,
};

// Plain arrays: the place of a key is a part of it.

static uint64_t *bare_pairs;
static uint64_t bare_mask, bare_count;

static void create_bare(void) {
    bare_pairs = calloc((bare_mask + 1) * 2, sizeof *bare_pairs);
}

static void insert_bare(const bench_map_keys *keys) {
    for (uint64_t k = 0; k < keys->n; k++) {
        uint64_t *pair = &bare_pairs[(keys->keys[k] & bare_mask) * 2];
        pair[0] = keys->keys[k];
        pair[1] = k;
    }
}

static uint64_t find_bare(const uint64_t *keys, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t *pair = &bare_pairs[(keys[k] & bare_mask) * 2];
        sum += pair[0] == keys[k] ? pair[1] : 0;
    }
    return sum;
}

static uint64_t iterate_bare(void) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < bare_count; k++) {
        sum += bare_pairs[k * 2 + 1];
    }
    return sum;
}

static uint64_t erase_bare(const uint64_t *keys, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) {
        bare_pairs[(keys[k] & bare_mask) * 2] = 0;
    }
    return n;
}

static void destroy_bare(void) {
    free(bare_pairs);
}

static const bench_map_peer bench_map_bare = {
    "bare", create_bare, insert_bare, find_bare, iterate_bare, erase_bare, destroy_bare,
};

static const bench_map_peer *const map_peers[] = {
    &bench_map_oxbow, &bench_map_bare,
#ifdef BENCH_HAS_GLIB
    &bench_map_glib,
#endif
#ifdef BENCH_HAS_STD_MAP
    &bench_map_std,
#endif
#ifdef BENCH_HAS_ABSL
    &bench_map_absl,
#endif
};
enum { PEERS = sizeof map_peers / sizeof map_peers[0] };

// Rounds.

typedef struct map_size {
    uint64_t n;
    int rounds;
    bool is_measured;
    double ns[MOST_PEERS][PARTS];
} map_size;

static map_size map_sizes[SIZES] = {
    {.n = 1000, .rounds = 400}, {.n = 100000, .rounds = 20}, {.n = 10000000, .rounds = 3}};

static uint64_t part_begin;

static void end_part(double *ns, uint64_t n) {
    double now = (double)(oxi_clock_now() - part_begin) / (double)n;
    if (*ns == 0 || now < *ns) {
        *ns = now;
    }
    part_begin = oxi_clock_now();
}

static void run_round(const bench_map_peer *peer, const bench_map_keys *keys, double *ns) {
    peer->create();
    part_begin = oxi_clock_now();
    peer->insert(keys);
    end_part(&ns[INSERT], keys->n);
    map_sink += peer->find(keys->shuffled, keys->n);
    end_part(&ns[FIND_HIT], keys->n);
    map_sink += peer->find(keys->missing, keys->n);
    end_part(&ns[FIND_MISS], keys->n);
    map_sink += peer->iterate();
    end_part(&ns[ITERATE], keys->n);
    map_sink += peer->erase(keys->shuffled, keys->n);
    end_part(&ns[ERASE], keys->n);
    peer->destroy();
}

static void shuffle_keys(uint64_t *keys, uint64_t n, oxi_random *random) {
    for (uint64_t k = n; k > 1; k--) {
        uint64_t other = oxi_random_below(random, k);
        uint64_t key = keys[other];
        keys[other] = keys[k - 1];
        keys[k - 1] = key;
    }
}

static void measure_size(map_size *size) {
    uint64_t n = size->n;
    uint64_t *all = malloc(n * 3 * sizeof *all);
    oxi_random random = oxi_random_seed(n);
    for (uint64_t k = 0; k < n; k++) {
        all[k] = all[k + n] = oxi_random_next_u64(&random);
        all[k + 2 * n] = oxi_random_next_u64(&random);
    }
    shuffle_keys(all + n, n, &random);
    bench_map_keys keys = {n, all, all + n, all + 2 * n};
    bare_count = n;
    for (bare_mask = 1; bare_mask < n; bare_mask = bare_mask * 2 + 1) {
    }
    bench_raise_priority();
    for (int round = 0; round < size->rounds; round++) {
        for (int k = 0; k < PEERS; k++) {
            run_round(map_peers[k], &keys, size->ns[k]);
        }
    }
    free(all);
    size->is_measured = true;
}

typedef struct map_row {
    map_size *size;
    int part;
} map_row;

static void measure_map(const void *context, bench_result *result) {
    const map_row *row = context;
    if (!row->size->is_measured) {
        measure_size(row->size);
    }
    result->ns = row->size->ns[0][row->part];
    result->limit_ns = row->size->ns[1][row->part];
    for (int k = 2; k < PEERS; k++) {
        bench_put_peer(result, map_peers[k]->name, row->size->ns[k][row->part]);
    }
}

void bench_map(void) {
    static const char *const names[PARTS] = {
        [INSERT] = "containers.map_insert",       [FIND_HIT] = "containers.map_find_hit",
        [FIND_MISS] = "containers.map_find_miss", [ITERATE] = "containers.map_iterate",
        [ERASE] = "containers.map_erase",
    };
    static map_row rows[SIZES][PARTS];
    for (int size = 0; size < SIZES; size++) {
        for (int part = 0; part < PARTS; part++) {
            rows[size][part] = (map_row){&map_sizes[size], part};
            bench_add_measured(
                &(bench_measured){names[part], map_sizes[size].n, measure_map, &rows[size][part]});
        }
    }
}
