// SPDX-License-Identifier: MIT
//
// Making random systems, and their updates.

#include "random_systems.h"

#include <stdlib.h>

OX_COMPONENT(Number0, { uint32_t value; });
OX_COMPONENT(Number1, { uint32_t value; });
OX_COMPONENT(Number2, { uint32_t value; });
OX_COMPONENT(Number3, { uint32_t value; });
OX_COMPONENT(Number4, { uint32_t value; });
OX_COMPONENT(Number5, { uint32_t value; });

random_world random_run;
bool random_without_bare;

static uint32_t below(uint32_t count) {
    return (uint32_t)oxi_random_below(&random_run.random, count);
}

// Sums what a row has, then writes. Order matters: it is no sum of what jobs do.
static void mix_row(const mix_data *data, char *const *columns, int row) {
    uint32_t sum = data->salt;
    for (uint32_t k = 0; k < data->term_count; k++) {
        sum = sum * 31 + ((uint32_t *)(void *)columns[k])[row];
    }
    for (uint32_t k = 0; k < data->term_count; k++) {
        if (data->kinds[k] == OX_TERM_WRITE) {
            uint32_t *value = (uint32_t *)(void *)columns[k] + row;
            *value = *value * 3 + sum + k;
        }
    }
}

static void dwell(void) {
    if (random_run.dwell_us > 0) {
        sleep_us(random_run.dwell_us);
    }
}

static void mix_range(const void *job, int begin, int end) {
    const mix_data *data = job;
    dwell();
    for (int k = begin; k < end; k++) {
        ox_entity_rows rows = ox_entity_job_rows(job, sizeof *data, k);
        for (int row = 0; row < rows.count; row++) {
            mix_row(data, (char *const *)rows.columns, row);
        }
    }
}

static void mix_on_main(random_job *job) {
    OX_EACH_CHUNK(job->query, chunk) {
        char *columns[NUMBERS];
        for (uint32_t k = 0; k < job->data.term_count; k++) {
            uint32_t id = job->terms[k].id;
            columns[k] = job->data.kinds[k] == OX_TERM_WRITE
                             ? ox_chunk_edit_at(&chunk, id, OX_HERE)
                             : (char *)(uintptr_t)ox_chunk_get_at(&chunk, id, OX_HERE);
        }
        for (int row = 0; row < chunk.count; row++) {
            mix_row(&job->data, columns, row);
        }
    }
}

// Jobs that are not over entities. Each system has a type of its own, so that they have names.

static void mix_plain(void *job) {
    const plain_data *data = job;
    dwell();
    for (int k = 0; k < LOOKED_UP; k++) {
        ox_entity who = data->who[k];
        uint32_t sum = data->salt;
        if (ox_lookup_has(&data->read, who)) {
            sum += *(const uint32_t *)ox_lookup_get_at(&data->read, who, OX_HERE);
        }
        if (ox_lookup_has(&data->written, who)) {
            uint32_t *value = ox_lookup_edit_at(&data->written, who, OX_HERE);
            *value = *value * 5 + sum;
        }
    }
}

static const ox_job_field plain_accesses[] = {
    {"read", offsetof(plain_data, read.access), OX_MARK_READ_ONLY},
    {"written", offsetof(plain_data, written.access), 0},
};

static void stand_between(void *job) {
    (void)job;
    dwell();
}

static char plain_names[MOST_SYSTEMS][MOST_JOBS][NAME];
static ox_job_type plain_types[MOST_SYSTEMS][MOST_JOBS];
static ox_job_type bare_types[MOST_SYSTEMS][MOST_JOBS];

static ox_job_type *plain_type_of(const random_system *one, const random_job *job) {
    size_t at = (size_t)(one - random_run.systems), number = (size_t)(job - one->jobs);
    ox_job_type *type = &plain_types[at][number];
    if (type->run == NULL) {
        snprintf(plain_names[at][number], NAME, "S%zu.%zu", at, number);
        *type = (ox_job_type){
            .type = {.name = plain_names[at][number],
                     .size = sizeof(plain_data),
                     .align = _Alignof(plain_data)},
            .run = mix_plain,
            .accesses = plain_accesses,
            .access_count = 2,
        };
    }
    return type;
}

static ox_job_type *bare_type_of(const random_system *one, const random_job *job) {
    size_t at = (size_t)(one - random_run.systems), number = (size_t)(job - one->jobs);
    ox_job_type *type = &bare_types[at][number];
    snprintf(plain_names[at][number], NAME, "S%zu.%zu", at, number);
    type->type.name = plain_names[at][number];
    type->run = stand_between;
    return type;
}

// Updates.

static random_system *system_of(const ox_system *system) {
    return &random_run.systems[atoi(system->name + 1)];
}

static void change_structure(random_system *one) {
    ox_query *query = one->jobs[0].query;
    ox_array found = ox_query_copy_entities(query, OX_TEMP);
    if (found.count > 0) {
        ox_entity first = ox_array_read(OX_AS(found, ox_entity), 0);
        ox_entity copy = ox_entity_instantiate(random_run.world, first);
        (void)copy;
        ox_entity_destroy(random_run.world, first);
    }
}

static void update_main(ox_system *system) {
    random_system *one = system_of(system);
    for (uint32_t k = 0; k < one->job_count; k++) {
        mix_on_main(&one->jobs[k]);
    }
    if (one->kind == ON_MAIN_AND_CHANGES) {
        change_structure(one);
    }
}

bool random_jobs_conflict(const random_job *a, const random_job *b) {
    for (uint32_t k = 0; k < a->data.term_count; k++) {
        for (uint32_t n = 0; n < b->data.term_count; n++) {
            if (a->terms[k].id == b->terms[n].id &&
                (a->terms[k].kind == OX_TERM_WRITE || b->terms[n].kind == OX_TERM_WRITE)) {
                return true;
            }
        }
    }
    return false;
}

static bool can_fan(const random_system *one, uint32_t at) {
    for (uint32_t k = 0; k < at; k++) {
        if (random_jobs_conflict(&one->jobs[k], &one->jobs[at])) {
            return false;
        }
    }
    return one->is_fan;
}

static ox_job combine_or(const ox_job *jobs, int count, ox_job otherwise) {
    return count > 0 ? ox_combine_at(jobs, count, OX_HERE) : otherwise;
}

static ox_job schedule_random(ox_system *system, random_system *one, random_job *job,
                              ox_job before) {
    random_run.plain_count += job->is_plain;
    if (job->is_bare) {
        return ox_schedule_at(bare_type_of(one, job), before, NULL, OX_HERE);
    }
    return job->is_plain ? ox_schedule_at(plain_type_of(one, job), before, &job->plain, OX_HERE)
                         : ox_schedule_entities_at(&job->type, system, before, &job->data, OX_HERE);
}

static ox_job update_jobs(ox_system *system, ox_job after) {
    random_system *one = system_of(system);
    ox_job handles[MOST_JOBS];
    int count = 0;
    if (random_run.on_input != NULL) {
        random_run.on_input(&random_run, one, after);
    }
    for (uint32_t k = 0; k < one->job_count; k++) {
        random_job *job = &one->jobs[k];
        if (random_run.is_serial) {
            if (job->is_bare) {
                continue;
            }
            if (job->is_plain) {
                mix_plain(&job->plain);
            } else {
                mix_on_main(job);
            }
            continue;
        }
        ox_job before = can_fan(one, k) ? after : combine_or(handles, count, after);
        before = one->kind == WITH_CHAIN && count > 0 ? handles[count - 1] : before;
        before = job->is_auto ? OX_AUTO : before;
        ox_job made = schedule_random(system, one, job, before);
        if (!job->is_auto || (one->kind == WITH_AUTO && one->is_fan)) {
            handles[count++] = made;
        }
    }
    ox_job returned = combine_or(handles, count, OX_NO_JOB);
    if (random_run.on_return != NULL) {
        random_run.on_return(&random_run, one, returned);
    }
    return returned;
}

static bool create_system(ox_system *system) {
    random_system *one = system_of(system);
    for (uint32_t k = 0; k < one->job_count; k++) {
        random_job *job = &one->jobs[k];
        if (job->is_bare) {
            continue;
        }
        if (job->is_plain) {
            job->plain.read = ox_system_lookup_at(system, job->terms[0].id, false, OX_HERE);
            job->plain.written = ox_system_lookup_at(system, job->terms[1].id, true, OX_HERE);
        } else {
            job->query = ox_system_query_at(system, job->terms, OX_HERE);
        }
    }
    return ox_system_declare_at(system, one->extra, OX_HERE);
}

// Making.

static void make_plain_job(random_system *one, random_job *job) {
    uint32_t first = below(NUMBERS), second = (first + 1 + below(NUMBERS - 1)) % NUMBERS;
    job->is_plain = true;
    job->terms[0] = (ox_term){OX_TERM_READ, NULL, random_run.ids[first]};
    job->terms[1] = (ox_term){OX_TERM_WRITE, NULL, random_run.ids[second]};
    job->data = (mix_data){.term_count = 2, .kinds = {OX_TERM_READ, OX_TERM_WRITE}};
    job->plain.salt = below(1000);
    for (int k = 0; k < LOOKED_UP; k++) {
        job->plain.who[k] = (ox_entity){below(ENTITIES), 1};
    }
    job->type.job.type.name = plain_type_of(one, job)->type.name;
}

static void make_job(random_system *one, uint32_t at) {
    random_job *job = &one->jobs[at];
    if (one->kind == WITH_CHAIN && below(2) == 0 && !random_without_bare) {
        job->is_plain = job->is_bare = true;
        job->type.job.type.name = bare_type_of(one, job)->type.name;
        return;
    }
    if (one->kind == WITH_PLAIN && (at == 0 || below(2) == 0)) {
        make_plain_job(one, job);
        return;
    }
    uint32_t count = 0, first = below(NUMBERS);
    for (uint32_t k = 0; k < NUMBERS; k++) {
        if (k == 0 || below(5) == 0) {
            ox_term_kind kind = below(2) == 0 ? OX_TERM_READ : OX_TERM_WRITE;
            job->terms[count] = (ox_term){kind, NULL, random_run.ids[(first + k) % NUMBERS]};
            job->data.kinds[count++] = kind;
        }
    }
    job->data.term_count = count;
    job->data.salt = below(1000);
    job->is_auto = one->kind == WITH_AUTO || (one->kind == WITH_BOTH && at > 0);
    snprintf(job->name, sizeof job->name, "S%u.%u", (uint32_t)(one - random_run.systems) % 10,
             at % 10);
    job->type = (ox_entity_job_type){
        .job = {.type = {.name = job->name, .size = sizeof(mix_data), .align = _Alignof(mix_data)},
                .ranges = {mix_range}},
        .terms = job->terms,
    };
}

static void make_system(uint32_t at) {
    random_system *one = &random_run.systems[at];
    snprintf(one->name, sizeof one->name, "S%u", at % MOST_SYSTEMS);
    one->kind = (random_kind)below(RANDOM_KINDS);
    one->is_fan = below(2) == 0;
    one->job_count = 1 + below(MOST_JOBS);
    for (uint32_t k = 0; k < one->job_count; k++) {
        make_job(one, k);
    }
    if (below(3) == 0) {
        one->extra[0] = (ox_term){below(2) == 0 ? OX_TERM_READ : OX_TERM_WRITE, NULL,
                                  random_run.ids[below(NUMBERS)]};
    }
    bool on_main = one->kind == ON_MAIN || one->kind == ON_MAIN_AND_CHANGES;
    ox_system_def def = {.name = one->name, .site = OX_HERE, .create = create_system};
    def.update = on_main ? update_main : NULL;
    def.update_jobs = on_main ? NULL : update_jobs;
    if (at > 0 && below(3) == 0) {
        def.after[0] = random_run.systems[below(at)].name;
    }
    one->system = ox_system_add(random_run.world, &def);
    EXPECT(one->system != NULL);
}

static void make_entity(void) {
    uint32_t chosen[NUMBERS];
    int count = 0;
    for (int k = 0; k < NUMBERS; k++) {
        if (below(3) > 0) {
            chosen[count++] = random_run.ids[k];
        }
    }
    ox_archetype archetype = ox_archetype_of_at(random_run.world, chosen, count, OX_HERE);
    ox_entity entity = ox_entity_create_in(random_run.world, archetype);
    for (int k = 0; k < count; k++) {
        *(uint32_t *)ox_edit_at(random_run.world, entity, chosen[k], OX_HERE) = below(999);
    }
}

void random_begin(uint64_t seed, bool is_serial) {
    random_run = (random_world){.seed = seed, .is_serial = is_serial};
    random_run.random = oxi_random_seed(seed);
    random_run.world = ox_world_create(&(ox_world_def){.no_systems = true});
    uint32_t ids[NUMBERS] = {ox_component_id_of(Number0), ox_component_id_of(Number1),
                             ox_component_id_of(Number2), ox_component_id_of(Number3),
                             ox_component_id_of(Number4), ox_component_id_of(Number5)};
    memcpy(random_run.ids, ids, sizeof ids);
    for (int k = 0; k < ENTITIES; k++) {
        make_entity();
    }
    random_run.system_count = 2 + below(MOST_SYSTEMS - 1);
    for (uint32_t k = 0; k < random_run.system_count; k++) {
        make_system(k);
    }
}

void random_frames(void) {
    for (int frame = 0; frame < FRAMES; frame++) {
        EXPECT(ox_world_update(random_run.world, 0.25f));
        ox_frame_end();
    }
}

const random_job *random_find_job(const char *name) {
    for (uint32_t k = 0; k < random_run.system_count; k++) {
        for (uint32_t n = 0; n < random_run.systems[k].job_count; n++) {
            if (random_run.systems[k].jobs[n].type.job.type.name == name) {
                return &random_run.systems[k].jobs[n];
            }
        }
    }
    return NULL;
}

uint64_t random_end(void) {
    uint64_t hash = ox_world_hash(random_run.world) * 31 + ox_world_hash_layout(random_run.world);
    ox_world_destroy(random_run.world);
    return hash;
}
