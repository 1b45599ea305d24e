// SPDX-License-Identifier: MIT
//
// The kinds of jobs that handles of main are held against: over entities and not, reading and
// writing, by terms, lookups and views. Each works on another thread while main uses its handle.

#pragma once

#include "entity_jobs_test.h"

#include "jobs/gate.h"
#include "oxbow/buffers.h"
#include "oxbow/entities.h"

OX_ENABLEABLE(Stun, { int turns; });
OX_BUFFER(Tune, 2, { int pitch; });

enum { OWNERS = 12, ROUNDS = 40, LONG_TUNE = 20 };

// What a handle is of, and the jobs beside it.
typedef enum held_type { DATA, BUFFER, SWITCH, TYPES } held_type;

typedef struct holder {
    collected_reports reports;
    ox_world *world, *other;
    held_type type;
    ox_entity who[OWNERS]; // one of them alone where singletons are asked for
    int count;
    ox_query *query;    // OX_WRITE(Count), OX_WRITE(Tune)
    ox_query *stunned;  // OX_WRITE(Stun)
    ox_lookup lookup;   // of the type
    ox_entity stranger; // of the other world
    ox_buffer buffer;
    ox_buffer_view elements;
    ox_view view;
    ox_view_span window;
    ox_chunk chunk;
    ox_array array;
    ox_job job;
} holder;

// What jobs do with a component.

static oxi_atomic_u32 running;

static void write_tune(ox_buffer tune) {
    if (ox_buffer_count(tune) > LONG_TUNE) {
        ox_buffer_clear(tune);
        ox_buffer_trim(tune);
    }
    ox_buffer_push(tune, Tune, {1});
}

static void write_by_lookup(const ox_lookup *lookup, int type, ox_entity entity) {
    atomic_store(&running, 1);
    for (int k = 0; k < ROUNDS; k++) {
        if (type == DATA) {
            ox_lookup_edit(lookup, entity, Count)->value++;
        } else if (type == BUFFER) {
            write_tune(ox_lookup_edit(lookup, entity, Tune));
        } else {
            ox_lookup_set_enabled(lookup, entity, k % 2 != 0);
        }
    }
}

static void read_by_lookup(const ox_lookup *lookup, int type, ox_entity entity) {
    atomic_store(&running, 1);
    for (int k = 0; k < ROUNDS; k++) {
        if (type == DATA) {
            (void)ox_lookup_get(lookup, entity, Count)->value;
        } else if (type == BUFFER) {
            (void)ox_buffer_count(ox_lookup_get(lookup, entity, Tune));
        } else {
            ox_lookup_is_enabled(lookup, entity);
        }
    }
}

OX_JOB(PlainReads, {
    OX_READ_ONLY ox_lookup lookup;
    int type, count;
    OX_NO_SAFETY const ox_entity *who;
}) {
    for (int k = 0; k < job->count; k++) {
        read_by_lookup(&job->lookup, job->type, job->who[k]);
    }
}
OX_JOB(PlainWrites, {
    ox_lookup lookup;
    int type, count;
    OX_NO_SAFETY const ox_entity *who;
}) {
    for (int k = 0; k < job->count; k++) {
        write_by_lookup(&job->lookup, job->type, job->who[k]);
    }
}
OX_PARALLEL_JOB(EachReads, {
    OX_READ_ONLY ox_lookup lookup;
    int type;
    OX_NO_SAFETY const ox_entity *who;
}) {
    read_by_lookup(&job->lookup, job->type, job->who[i]);
}
OX_PARALLEL_JOB(EachWrites, {
    OX_UNRESTRICTED ox_lookup lookup;
    int type;
    OX_NO_SAFETY const ox_entity *who;
}) {
    write_by_lookup(&job->lookup, job->type, job->who[i]);
}
OX_JOB(ViewReads, { OX_READ_ONLY ox_view counts; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < ROUNDS * job->counts.count; k++) {
        (void)ox_view_read(job->counts, k % job->counts.count, Count).value;
    }
}
OX_JOB(ViewWrites, { ox_view counts; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < ROUNDS * job->counts.count; k++) {
        ox_view_edit(job->counts, k % job->counts.count, Count)->value++;
    }
}
OX_RANGE_JOB(RangeWrites, { ox_view counts; }) {
    atomic_store(&running, 1);
    for (int k = begin; k < end; k++) {
        ox_view_edit(job->counts, k, Count)->value++;
    }
}
OX_JOB(ListWrites, { ox_list numbers; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < ROUNDS; k++) {
        ox_list_push(OX_AS(job->numbers, int), k);
    }
}

// Jobs over entities: one that reads and one that writes each type, by row and by chunk.
OX_ENTITY_JOB(RowsReadCount, (OX_READ(Count, count)), { int unused; }) {
    atomic_store(&running, 1);
    (void)count->value;
}
OX_ENTITY_JOB(RowsWriteCount, (OX_WRITE(Count, count)), { int unused; }) {
    atomic_store(&running, 1);
    count->value++;
}
OX_CHUNK_JOB(ChunksWriteCount, (OX_WRITE(Count, counts)), { int unused; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < count; k++) {
        counts[k].value++;
    }
}
OX_ENTITY_JOB(RowsReadTune, (OX_READ(Tune, tune)), { int unused; }) {
    atomic_store(&running, 1);
    (void)ox_buffer_count(tune);
}
OX_ENTITY_JOB(RowsWriteTune, (OX_WRITE(Tune, tune)), { int unused; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < ROUNDS; k++) {
        write_tune(tune);
    }
}
OX_CHUNK_JOB(ChunksWriteTune, (OX_WRITE(Tune, tunes)), { int unused; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < count; k++) {
        write_tune(ox_buffers_get(tunes, k));
    }
}
OX_ENTITY_JOB(RowsReadStun, (OX_READ(Stun, stun)), { int unused; }) {
    atomic_store(&running, 1);
    (void)stun->turns;
}
OX_ENTITY_JOB(RowsSwitchStun, (OX_ENABLED(Stun, stun)), { int unused; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < ROUNDS; k++) {
        ox_switch_set_on(stun, k % 2 != 0);
    }
}
OX_CHUNK_JOB(ChunksSwitchStun, (OX_ENABLED(Stun, stuns)), { int unused; }) {
    atomic_store(&running, 1);
    for (int k = 0; k < count; k++) {
        ox_switch_set_on(ox_switches_get(stuns, k), false);
    }
}
OX_ENTITY_JOB(RowsWriteExtra, (OX_WRITE(Extra, extra)), { int unused; }) {
    atomic_store(&running, 1);
    extra->value++;
}
OX_ENTITY_JOB(RowsLookToRead, (OX_WRITE(Extra, extra), OX_ENTITY(self)), {
    OX_READ_ONLY ox_lookup lookup;
    int type;
}) {
    read_by_lookup(&job->lookup, job->type, self);
    extra->value++;
}
OX_ENTITY_JOB(RowsLookToWrite, (OX_WRITE(Extra, extra), OX_ENTITY(self)), {
    OX_UNRESTRICTED ox_lookup lookup;
    int type;
}) {
    write_by_lookup(&job->lookup, job->type, self);
    extra->value++;
}

// Scheduling them.

#define OVER_ENTITIES(Job) ox_schedule_entities(Job, ox_world_get_root(h->world), OX_AUTO, {0})

static ox_job schedule_none(holder *h) {
    (void)h;
    return OX_NO_JOB;
}
static ox_job schedule_rows_reading(holder *h) {
    return h->type == DATA     ? OVER_ENTITIES(RowsReadCount)
           : h->type == BUFFER ? OVER_ENTITIES(RowsReadTune)
                               : OVER_ENTITIES(RowsReadStun);
}
static ox_job schedule_rows_writing(holder *h) {
    return h->type == DATA     ? OVER_ENTITIES(RowsWriteCount)
           : h->type == BUFFER ? OVER_ENTITIES(RowsWriteTune)
                               : OVER_ENTITIES(RowsSwitchStun);
}
static ox_job schedule_chunks_writing(holder *h) {
    return h->type == DATA     ? OVER_ENTITIES(ChunksWriteCount)
           : h->type == BUFFER ? OVER_ENTITIES(ChunksWriteTune)
                               : OVER_ENTITIES(ChunksSwitchStun);
}
static ox_job schedule_rows_of_others(holder *h) {
    return OVER_ENTITIES(RowsWriteExtra);
}
static ox_job schedule_rows_looking(holder *h) {
    return ox_schedule_entities(RowsLookToRead, ox_world_get_root(h->world), OX_AUTO,
                                {h->lookup, (int)h->type});
}
static ox_job schedule_rows_looking_to_write(holder *h) {
    return ox_schedule_entities(RowsLookToWrite, ox_world_get_root(h->world), OX_AUTO,
                                {h->lookup, (int)h->type});
}
static ox_job schedule_plain_reading(holder *h) {
    return ox_schedule(PlainReads, OX_NO_JOB, {h->lookup, (int)h->type, h->count, h->who});
}
static ox_job schedule_plain_writing(holder *h) {
    return ox_schedule(PlainWrites, OX_NO_JOB, {h->lookup, (int)h->type, h->count, h->who});
}
static ox_job schedule_each_reading(holder *h) {
    return ox_schedule_for(EachReads, h->count, 1, OX_NO_JOB, {h->lookup, (int)h->type, h->who});
}
static ox_job schedule_each_writing(holder *h) {
    return ox_schedule_for(EachWrites, h->count, 1, OX_NO_JOB, {h->lookup, (int)h->type, h->who});
}
static ox_job schedule_view_reading(holder *h) {
    return ox_schedule(ViewReads, OX_NO_JOB, {ox_query_view(h->query, Count)});
}
static ox_job schedule_view_writing(holder *h) {
    return ox_schedule(ViewWrites, OX_NO_JOB, {ox_query_view(h->query, Count)});
}
static ox_job schedule_range_writing(holder *h) {
    return ox_schedule_for(RangeWrites, h->count, 1, OX_NO_JOB, {ox_query_view(h->query, Count)});
}
static ox_job schedule_background_reading(holder *h) {
    return ox_schedule_background(PlainReads, OX_NO_JOB,
                                  {h->lookup, (int)h->type, h->count, h->who});
}
static ox_job schedule_background_writing(holder *h) {
    return ox_schedule_background(PlainWrites, OX_NO_JOB,
                                  {h->lookup, (int)h->type, h->count, h->who});
}
static ox_job run_writing(holder *h) {
    ox_run(PlainWrites, {h->lookup, (int)h->type, h->count, h->who});
    return OX_NO_JOB;
}
static ox_job schedule_list(holder *h) {
    ox_list numbers = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_job job = ox_schedule(ListWrites, OX_NO_JOB, {numbers});
    ox_dispose_after(&numbers, job);
    (void)h;
    return job;
}

// It holds nothing of the world that main looks at.
static ox_job schedule_in_another_world(holder *h) {
    ox_lookup counts = ox_lookup_create(h->other, Count);
    return ox_schedule(PlainWrites, OX_NO_JOB, {counts, DATA, 1, &h->stranger});
}

typedef struct job_kind {
    const char *name;
    ox_job (*schedule)(holder *h);
    bool is_known; // the world knows of it, without checks too
} job_kind;

/// The columns of the matrix.
static const job_kind job_kinds[] = {
    {"no job", schedule_none, true},
    {"over entities, reads", schedule_rows_reading, true},
    {"over entities, writes", schedule_rows_writing, true},
    {"over chunks, writes", schedule_chunks_writing, true},
    {"over entities, writes another component", schedule_rows_of_others, true},
    {"over entities, looks up to read", schedule_rows_looking, true},
    {"over entities, looks up to write", schedule_rows_looking_to_write, true},
    {"plain, looks up to read", schedule_plain_reading, false},
    {"plain, looks up to write", schedule_plain_writing, false},
    {"parallel, looks up to read", schedule_each_reading, false},
    {"parallel, looks up to write", schedule_each_writing, false},
    {"background, looks up to read", schedule_background_reading, false},
    {"background, looks up to write", schedule_background_writing, false},
    {"plain, a view to read", schedule_view_reading, false},
    {"plain, a view to write", schedule_view_writing, false},
    {"by range, a view to write", schedule_range_writing, false},
    {"run at once, looks up to write", run_writing, true},
    {"plain, a list", schedule_list, true},
    {"plain, looks up in another world", schedule_in_another_world, true},
};
enum { JOB_KINDS = sizeof job_kinds / sizeof *job_kinds };
