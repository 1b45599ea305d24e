// SPDX-License-Identifier: MIT
//
// Random frames of jobs over entities, with looks and changes of main in between, against the same
// frames without any job: main itself does at once what a job would do. Whatever main sees on its
// way, and the world at the end, must be the same for any number of workers.

#include "entity_jobs_test.h"

enum { NUMBERS = 6, TYPES = 24, START_ENTITIES = 300, MOST_ENTITIES = 1000, STEPS = 400 };

OX_COMPONENT(Number0, { uint32_t value; });
OX_COMPONENT(Number1, { uint32_t value; });
OX_COMPONENT(Number2, { uint32_t value; });
OX_COMPONENT(Number3, { uint32_t value; });
OX_COMPONENT(Number4, { uint32_t value; });
OX_COMPONENT(Number5, {
    uint32_t value;
    uint32_t filler[500]; // few to a chunk
});

// The struct of every job here: what it does with its columns.
typedef struct mix_data {
    uint32_t salt;
    uint32_t term_count;
    ox_term_kind kinds[NUMBERS];
    uint32_t sizes[NUMBERS];
    ox_entity who;
    ox_lookup numbers; // zeroed: it looks nobody up
} mix_data;

// Sums what a row has to read, then writes. Order matters: it is no sum of what jobs do.
static void mix_row(const mix_data *data, char *const *columns, int row) {
    uint32_t sum = data->salt;
    if (ox_lookup_has(&data->numbers, data->who)) {
        sum += *(const uint32_t *)ox_lookup_get_at(&data->numbers, data->who, OX_HERE);
    }
    for (uint32_t k = 0; k < data->term_count; k++) {
        if (columns[k] != NULL) {
            sum = sum * 31 + *(uint32_t *)(void *)(columns[k] + (size_t)row * data->sizes[k]);
        }
    }
    for (uint32_t k = 0; k < data->term_count; k++) {
        if (data->kinds[k] == OX_TERM_WRITE) {
            uint32_t *value = (uint32_t *)(void *)(columns[k] + (size_t)row * data->sizes[k]);
            *value = *value * 3 + sum + k;
        }
    }
}

static void mix_range(const void *job, int begin, int end) {
    const mix_data *data = job;
    for (int k = begin; k < end; k++) {
        ox_entity_rows rows = ox_entity_job_rows(job, sizeof *data, k);
        for (int row = 0; row < rows.count; row++) {
            mix_row(data, (char *const *)rows.columns, row);
        }
    }
}

// A type of job with some terms, and a query with the same.
typedef struct mixer {
    ox_term terms[NUMBERS + 1];
    ox_entity_job_type type;
    mix_data data;
    ox_query *query;
} mixer;

typedef struct random_run {
    oxi_random random;
    bool is_serial; // main does what jobs would do
    ox_world *world;
    uint32_t ids[NUMBERS];
    mixer mixers[TYPES];
    ox_entity entities[MOST_ENTITIES];
    uint32_t entity_count;
    ox_job last;
    ox_job all; // every job of before
    uint64_t seen;
    uint32_t since; // a version
} random_run;

static void see(random_run *run, uint64_t value) {
    run->seen = (run->seen ^ value) * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static uint32_t below(random_run *run, uint32_t count) {
    return (uint32_t)oxi_random_below(&run->random, count);
}

// Half of the types look up a component, one that they do not write.
static void add_lookup(random_run *run, mixer *made) {
    static const ox_job_field access = {"numbers", offsetof(mix_data, numbers.access),
                                        OX_MARK_READ_ONLY};
    uint32_t id = run->ids[below(run, NUMBERS)];
    bool looks = below(run, 2) == 0;
    for (uint32_t k = 0; k < made->data.term_count; k++) {
        looks = looks && (made->terms[k].id != id || made->terms[k].kind != OX_TERM_WRITE);
    }
    if (looks) {
        made->data.numbers = ox_lookup_create_at(run->world, id, OX_HERE);
        made->type.job.accesses = &access;
        made->type.job.access_count = 1;
    }
}

static void make_mixer(random_run *run, mixer *made) {
    static const ox_term_kind kinds[] = {OX_TERM_READ, OX_TERM_WRITE, OX_TERM_OPTIONAL};
    uint32_t count = 0, first = below(run, NUMBERS);
    for (uint32_t k = 0; k < NUMBERS; k++) {
        uint32_t id = run->ids[(first + k) % NUMBERS];
        uint32_t kind = below(run, k == 0 ? 3 : 8);
        if (kind < 3) {
            made->terms[count] = (ox_term){kinds[kind], NULL, id};
            made->data.kinds[count] = kinds[kind];
            made->data.sizes[count++] = ox_component_get_info(id)->size;
        }
    }
    made->data.term_count = count;
    made->type = (ox_entity_job_type){
        .job = {.type = {.name = "mix", .size = sizeof(mix_data), .align = _Alignof(mix_data)},
                .ranges = {mix_range}},
        .terms = made->terms,
    };
    add_lookup(run, made);
    made->query = ox_query_create_at(run->world, made->terms, OX_HERE);
}

static void create_random_entity(random_run *run) {
    uint32_t chosen[NUMBERS];
    int count = 0;
    for (int k = 0; k < NUMBERS; k++) {
        if (below(run, 3) > 0) {
            chosen[count++] = run->ids[k];
        }
    }
    ox_archetype archetype = ox_archetype_of_at(run->world, chosen, count, OX_HERE);
    ox_entity entity = ox_entity_create_in(run->world, archetype);
    for (int k = 0; k < count; k++) {
        *(uint32_t *)ox_edit_at(run->world, entity, chosen[k], OX_HERE) = below(run, 999);
    }
    run->entities[run->entity_count++] = entity;
}

// What a job does, at once.
static void mix_on_main(mixer *mix) {
    OX_EACH_CHUNK(mix->query, chunk) {
        char *columns[NUMBERS];
        for (uint32_t k = 0; k < mix->data.term_count; k++) {
            uint32_t id = mix->terms[k].id;
            columns[k] = mix->data.kinds[k] == OX_TERM_WRITE
                             ? ox_chunk_edit_at(&chunk, id, OX_HERE)
                             : (char *)(uintptr_t)ox_chunk_get_at(&chunk, id, OX_HERE);
        }
        for (int row = 0; row < chunk.count; row++) {
            mix_row(&mix->data, columns, row);
        }
    }
}

static void step_schedule(random_run *run) {
    mixer *mix = &run->mixers[below(run, TYPES)];
    uint32_t how = below(run, 4);
    mix->data.salt = below(run, 1000);
    mix->data.who = run->entities[below(run, run->entity_count)];
    if (run->is_serial) {
        mix_on_main(mix);
        return;
    }
    ox_job after = how == 0 ? run->all : OX_AUTO, job;
    if (how == 1) {
        job = ox_schedule_query_at(&mix->type, mix->query, after, &mix->data, OX_HERE);
    } else {
        ox_system *scope = ox_world_get_root(run->world);
        job = ox_schedule_entities_at(&mix->type, scope, after, &mix->data, OX_HERE);
    }
    run->last = below(run, 2) == 0 ? job : run->last;
    run->all = ox_combine(run->all, job);
}

// The serial run draws the same numbers.
static void step_schedule_either(random_run *run) {
    oxi_random before = run->random;
    step_schedule(run);
    run->random = before;
    oxi_random_below(&run->random, 1 << 20);
}

static void step_value(random_run *run) {
    ox_entity entity = run->entities[below(run, run->entity_count)];
    uint32_t id = run->ids[below(run, NUMBERS)], how = below(run, 4);
    uint32_t value[501] = {below(run, 999)};
    if (!ox_has_id(run->world, entity, id)) {
        return;
    }
    switch (how) {
    case 0:
        see(run, *(const uint32_t *)ox_get_at(run->world, entity, id, OX_HERE));
        break;
    case 1:
        see(run, *(const uint32_t *)ox_read_at(run->world, entity, id, OX_HERE));
        break;
    case 2:
        see(run, *(uint32_t *)ox_edit_at(run->world, entity, id, OX_HERE) += 5);
        break;
    default:
        ox_set_at(run->world, entity, id, value, OX_HERE);
        break;
    }
}

static void step_structure(random_run *run) {
    uint32_t at = below(run, run->entity_count), id = run->ids[below(run, NUMBERS)];
    ox_entity entity = run->entities[at];
    uint32_t how = below(run, 4);
    if (how == 0 && run->entity_count < MOST_ENTITIES) {
        create_random_entity(run);
    } else if (how == 1 && run->entity_count > 1) {
        ox_entity_destroy(run->world, entity);
        run->entities[at] = run->entities[--run->entity_count];
    } else if (ox_has_id(run->world, entity, id)) {
        ox_remove_many_at(run->world, entity, &id, 1, OX_HERE);
    } else {
        ox_add_at(run->world, entity, id, NULL, OX_HERE);
    }
}

static void step_walk(random_run *run) {
    ox_query *query = run->mixers[below(run, TYPES)].query;
    uint32_t id = run->ids[below(run, NUMBERS)];
    mixer *mix = &run->mixers[below(run, TYPES)];
    if (below(run, 2) == 0) {
        mix->data.salt = 5;
        mix_on_main(mix);
        return;
    }
    OX_EACH_CHUNK(query, chunk) {
        see(run, (uint64_t)chunk.count << 32 | ox_chunk_has_id(&chunk, id));
    }
}

static void step_view(random_run *run) {
    const mixer *mix = &run->mixers[below(run, TYPES)];
    uint32_t n = below(run, mix->data.term_count);
    uint32_t id = mix->terms[n].id;
    if (mix->terms[n].kind == OX_TERM_OPTIONAL) {
        ox_lookup lookup = ox_lookup_create_at(run->world, id, OX_HERE);
        ox_entity entity = run->entities[below(run, run->entity_count)];
        if (ox_lookup_has(&lookup, entity)) {
            see(run, *(const uint32_t *)ox_lookup_get_at(&lookup, entity, OX_HERE));
        }
        return;
    }
    ox_view view = ox_query_view_at(mix->query, id, OX_HERE);
    for (int k = 0; k < view.count; k += 1 + view.count / 10) {
        see(run, *(const uint32_t *)ox_view_get_at(view, k, OX_HERE));
    }
}

// What counts as changed is the same, too.
static void step_changed(random_run *run) {
    const mixer *mix = &run->mixers[below(run, TYPES)];
    ox_query_filter_changed_at(mix->query, mix->terms[0].id, run->since, OX_HERE);
    see(run, (uint64_t)ox_query_count(mix->query));
    ox_query_reset_filters(mix->query);
    if (below(run, 2) == 0) {
        run->since = ox_world_get_version(run->world);
        ox_world_advance_version(run->world);
    }
}

static void step_wait(random_run *run) {
    if (!run->is_serial) {
        if (run->entity_count % 2 == 0) {
            ox_jobs_kick();
        } else {
            ox_complete(run->last);
        }
    }
}

static void take_step(random_run *run) {
    uint32_t what = below(run, 32);
    if (what < 18) {
        step_schedule_either(run);
    } else if (what < 21) {
        step_value(run);
    } else if (what < 23) {
        step_structure(run);
    } else if (what < 24) {
        step_walk(run);
    } else if (what < 26) {
        step_view(run);
    } else if (what < 28) {
        step_changed(run);
    } else {
        step_wait(run);
    }
}

static uint64_t run_frames(uint64_t seed, int workers) {
    static random_run run;
    memset(&run, 0, sizeof run);
    run.is_serial = workers < 0;
    start_workers_of_test(run.is_serial ? 0 : workers);
    run.world = ox_world_create(NULL);
    run.random = oxi_random_seed(seed);
    const uint32_t ids[NUMBERS] = {ox_component_id_of(Number0), ox_component_id_of(Number1),
                                   ox_component_id_of(Number2), ox_component_id_of(Number3),
                                   ox_component_id_of(Number4), ox_component_id_of(Number5)};
    memcpy(run.ids, ids, sizeof ids);
    for (int k = 0; k < TYPES; k++) {
        make_mixer(&run, &run.mixers[k]);
    }
    for (int k = 0; k < START_ENTITIES; k++) {
        create_random_entity(&run);
    }
    for (int k = 0; k < STEPS; k++) {
        take_step(&run);
    }
    see(&run, ox_world_hash(run.world));
    see(&run, ox_world_hash_layout(run.world));
    end_jobs_test(run.world);
    return run.seen;
}

TEST(entity_jobs_random, frames_are_the_same_as_without_jobs) {
    static const int workers[] = {0, 1, 2, 5, 16};
    uint64_t seed = test_seed(20);
    uint64_t rounds = test_scaled(SLOWNESS > 1 ? 2 : 12);
    watch_for_hang("random frames of jobs");
    for (uint64_t round = 0; round < rounds; round++) {
        uint64_t expected = run_frames(seed + round, -1);
        for (int k = 0; k < 5; k++) {
            uint64_t found = run_frames(seed + round, workers[k]);
            if (found != expected) {
                test_fail(__FILE__, __LINE__, "seed %llu with %d workers",
                          (unsigned long long)(seed + round), workers[k]);
            }
        }
        watch_for_hang("random frames of jobs");
    }
    end_watch();
}
