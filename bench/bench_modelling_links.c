// SPDX-License-Identifier: MIT
//
// Rows of docs/modelling.md about ids: what following them costs, beside a column with the value;
// and who has what, asked of entities that are pairs, of a multimap, of buffers.

#include "bench_modelling.h"
#include "bench_storage.h"

#include <stdio.h>

#define NOT_INLINED __attribute__((noinline))

enum { HELD_EACH = 8, QUESTIONS = 512, SAMPLE_ITEMS = 1000000 };

OX_COMPONENT(ModelScore, { int points; });
OX_COMPONENT(ModelKnown, { int points; });
OX_COMPONENT(ModelOrdered, { ox_entity target; });
OX_COMPONENT(ModelRandom, { ox_entity target; });
OX_COMPONENT(ModelIndex, { int index; });
OX_COMPONENT(ModelOwnership, {
    ox_entity owner;
    ox_entity item;
});
OX_BUFFER(ModelHeld, HELD_EACH, { ox_entity item; });

static int repeats;
static int64_t found[5];

// Ways to come to the score of somebody else.

static ox_query *followers;
static ox_array scores;

static void begin_followers(int n) {
    scene.n = n;
    scene_begin();
    repeats = SAMPLE_ITEMS / n;
    ox_entities_create(scene.world, ox_archetype_of(scene.world, ModelScore), scene.entities, n);
    for (int k = 0; k < n; k++) {
        ox_set(scene.world, scene.entities[k], ModelScore, {k & 1023});
    }
    for (int k = 0; k < n; k++) {
        int other = (int)scene.shuffled[k];
        ox_entity_create(scene.world, OX_VALUE(ModelKnown, {other & 1023}),
                         OX_VALUE(ModelOrdered, {scene.entities[k]}),
                         OX_VALUE(ModelRandom, {scene.entities[other]}),
                         OX_VALUE(ModelIndex, {other}));
    }
    followers = ox_query_create(scene.world, OX_READ(ModelKnown), OX_READ(ModelOrdered),
                                OX_READ(ModelRandom), OX_READ(ModelIndex));
    ox_query *all = ox_query_create(scene.world, OX_READ(ModelScore));
    scores = ox_query_copy_values(all, ModelScore, OX_PERSISTENT);
}

NOT_INLINED static int64_t sum_known(const ModelKnown *known, int count) {
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum += known[i].points;
    }
    return sum;
}

static int64_t read_column(void) {
    int64_t sum = 0;
    OX_EACH_CHUNK(followers, chunk) {
        sum += sum_known(ox_chunk_get(chunk, ModelKnown), chunk.count);
    }
    return sum;
}

static int64_t look_up(bool in_order) {
    int64_t sum = 0;
    ox_lookup lookup = ox_lookup_create(scene.world, ModelScore);
    OX_EACH_CHUNK(followers, chunk) {
        const ModelOrdered *ordered = ox_chunk_get(chunk, ModelOrdered);
        const ModelRandom *random = ox_chunk_get(chunk, ModelRandom);
        for (int i = 0; i < chunk.count; i++) {
            ox_entity target = in_order ? ordered[i].target : random[i].target;
            sum += ox_lookup_get(&lookup, target, ModelScore)->points;
        }
    }
    return sum;
}

static int64_t look_up_in_order(void) {
    return look_up(true);
}

static int64_t look_up_at_random(void) {
    return look_up(false);
}

static int64_t get_at_random(void) {
    int64_t sum = 0;
    OX_EACH_CHUNK(followers, chunk) {
        const ModelRandom *random = ox_chunk_get(chunk, ModelRandom);
        for (int i = 0; i < chunk.count; i++) {
            sum += ox_get(scene.world, random[i].target, ModelScore)->points;
        }
    }
    return sum;
}

static int64_t index_array(void) {
    int64_t sum = 0;
    const ModelScore *values = ox_array_get_data(OX_AS(scores, ModelScore));
    OX_EACH_CHUNK(followers, chunk) {
        const ModelIndex *index = ox_chunk_get(chunk, ModelIndex);
        for (int i = 0; i < chunk.count; i++) {
            sum += values[index[i].index].points;
        }
    }
    return sum;
}

static void repeat(int way, int64_t (*work)(void)) {
    for (int k = 0; k < repeats; k++) {
        found[way] = work();
        bench_keep(&found[way]);
    }
}

static void way_column(void) {
    repeat(0, read_column);
}

static void way_random(void) {
    repeat(1, look_up_at_random);
}

static void way_ordered(void) {
    repeat(2, look_up_in_order);
}

static void way_get(void) {
    repeat(3, get_at_random);
}

static void way_index(void) {
    repeat(4, index_array);
}

static void expect_same(const char *row, int count) {
    for (int k = 1; k < count; k++) {
        if (found[k] != found[0]) {
            fprintf(stderr, "%s: the ways differ: %lld, %lld\n", row, (long long)found[0],
                    (long long)found[k]);
        }
    }
}

static void measure_following(const void *context, bench_result *result) {
    static const model_way ways[] = {
        {"column", NULL, way_column, NULL},        {"lookup", NULL, way_random, NULL},
        {"in_order_ns", NULL, way_ordered, NULL},  {"get_ns", NULL, way_get, NULL},
        {"array_index_ns", NULL, way_index, NULL},
    };
    int n = *(const int *)context;
    begin_followers(n);
    model_put_shortest(ways, sizeof ways / sizeof ways[0], (double)n * repeats, result);
    expect_same("modelling.follow_ids", sizeof ways / sizeof ways[0]);
    ox_dispose(&scores);
    scene_end();
}

// Who has what. An owner has HELD_EACH items; half of the questions are about one of them.

typedef struct model_question {
    ox_entity owner, item;
} model_question;

static model_question questions[QUESTIONS];
static ox_query *ownerships;
OX_MULTIMAP(Held, ox_entity, ox_entity);

static Held held;

static bool is_same(ox_entity a, ox_entity b) {
    return a.index == b.index && a.version == b.version;
}

static void make_index(void) {
    ox_multimap_clear(held);
    OX_EACH_CHUNK(ownerships, chunk) {
        const ModelOwnership *pair = ox_chunk_get(chunk, ModelOwnership);
        for (int i = 0; i < chunk.count; i++) {
            ox_multimap_add(held, pair[i].owner, pair[i].item);
        }
    }
}

static void begin_pairs(int n) {
    scene.n = n;
    scene_begin();
    int owners = n / HELD_EACH;
    ox_entity *items = scene.picked;
    ox_entities_create(scene.world, ox_archetype_of(scene.world, ModelHeld), scene.entities,
                       owners);
    ox_entities_create(scene.world, ox_archetype_of(scene.world, ModelScore), items, n);
    for (int k = 0; k < n; k++) {
        ox_entity owner = scene.entities[k / HELD_EACH], item = items[scene.shuffled[k]];
        ox_entity_create(scene.world, OX_VALUE(ModelOwnership, {owner, item}));
        ox_buffer_push(ox_edit(scene.world, owner, ModelHeld), ModelHeld, {item});
    }
    uint32_t random = 9;
    for (int k = 0; k < QUESTIONS; k++) {
        int pair = (int)scene_random(&random, (uint32_t)n);
        int other = k % 2 == 0 ? pair : (pair + HELD_EACH) % n;
        questions[k] =
            (model_question){scene.entities[pair / HELD_EACH], items[scene.shuffled[other]]};
    }
    ownerships = ox_query_create(scene.world, OX_READ(ModelOwnership));
    held = ox_multimap_create(Held, n, OX_PERSISTENT);
    make_index();
}

static bool has_by_map(model_question asked) {
    OX_EACH_OF(held, asked.owner, it) {
        if (is_same(*it.value, asked.item)) {
            return true;
        }
    }
    return false;
}

static bool has_by_walk(model_question asked) {
    OX_EACH_CHUNK(ownerships, chunk) {
        const ModelOwnership *pair = ox_chunk_get(chunk, ModelOwnership);
        for (int i = 0; i < chunk.count; i++) {
            if (is_same(pair[i].owner, asked.owner) && is_same(pair[i].item, asked.item)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_by_buffer(ox_lookup *lookup, model_question asked) {
    ox_buffer buffer = ox_lookup_get(lookup, asked.owner, ModelHeld);
    const ModelHeld *items = ox_buffer_get_data(buffer, ModelHeld);
    for (int k = 0; k < ox_buffer_count(buffer); k++) {
        if (is_same(items[k].item, asked.item)) {
            return true;
        }
    }
    return false;
}

static void ask_map(void) {
    found[0] = 0;
    for (int k = 0; k < QUESTIONS; k++) {
        found[0] += has_by_map(questions[k]);
    }
}

static void ask_pairs(void) {
    found[1] = 0;
    for (int k = 0; k < QUESTIONS; k++) {
        found[1] += has_by_walk(questions[k]);
    }
}

static void ask_buffers(void) {
    found[2] = 0;
    ox_lookup lookup = ox_lookup_create(scene.world, ModelHeld);
    for (int k = 0; k < QUESTIONS; k++) {
        found[2] += has_by_buffer(&lookup, questions[k]);
    }
}

static void measure_pairs(const void *context, bench_result *result) {
    static const model_way ways[] = {
        {"map", NULL, ask_map, NULL},
        {"pairs", NULL, ask_pairs, NULL},
        {"buffer_ns", NULL, ask_buffers, NULL},
    };
    static const model_way index[] = {{"index", NULL, make_index, NULL}};
    int n = *(const int *)context;
    begin_pairs(n);
    bench_result making = {0};
    model_put_shortest(index, 1, n, &making);
    model_put_shortest(ways, sizeof ways / sizeof ways[0], QUESTIONS, result);
    bench_put(result, "index_pair_ns", making.ns);
    bench_put(result, "index_pays_at", making.ns * n / (result->limit_ns - result->ns));
    expect_same("modelling.pairs", sizeof ways / sizeof ways[0]);
    ox_dispose(&held);
    scene_end();
}

void bench_modelling_links(void) {
    static const int follower_counts[] = {1000, 100000, 1000000};
    static const int pair_counts[] = {80, 800, 8000};
    for (int k = 0; k < 3; k++) {
        bench_add_measured(&(bench_measured){"modelling.follow_ids", (uint64_t)follower_counts[k],
                                             measure_following, &follower_counts[k]});
    }
    for (int k = 0; k < 3; k++) {
        bench_add_measured(&(bench_measured){"modelling.pairs", (uint64_t)pair_counts[k],
                                             measure_pairs, &pair_counts[k]});
    }
}
