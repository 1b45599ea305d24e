// SPDX-License-Identifier: MIT
//
// What the tests of sync points share: jobs that stand in the way, and rows that say which of them
// a call waits for: none, those that write a component, those that read it too, or all of the
// world.
//
// There are no workers: a job is complete only if a call completed it. For one component a job
// writes, and one reads after it; a third has to do with something else. They come as jobs over
// entities, which stand in the table by themselves, and as plain jobs of systems, which are known
// by the handles that the systems returned alone.

#pragma once

#include "systems_test.h"

#include "oxbow/containers.h"
#include "oxbow/entities.h"
#include "oxbow/queries.h"

OX_ENABLEABLE(Awake, { uint32_t value; });
OX_BUFFER(Path, 4, { uint32_t value; });
OX_SHARED(Team, { uint32_t number; });
OX_TAG(Marked);

OX_ENTITY_JOB(WriteAwake, (OX_WRITE(Awake, awake)), { int unused; }) {
    awake->value++;
}
OX_ENTITY_JOB(ReadAwake, (OX_READ(Awake, awake)), { int unused; }) {
}
OX_ENTITY_JOB(WritePath, (OX_WRITE(Path, path)), { int unused; }) {
    (void)path;
}
OX_ENTITY_JOB(ReadPath, (OX_READ(Path, path)), { int unused; }) {
    (void)path;
}
OX_ENTITY_JOB(WriteExtra, (OX_WRITE(Extra, extra)), { int unused; }) {
    extra->value++;
}

// What the jobs of a case have to do with.
typedef enum subject { COUNT, AWAKE, PATH, SUBJECTS } subject;

static ox_entity_job_type *const writers[] = {
    &oxi_entity_job_WriteCount, &oxi_entity_job_WriteAwake, &oxi_entity_job_WritePath};
static ox_entity_job_type *const readers[] = {&oxi_entity_job_ReadCount, &oxi_entity_job_ReadAwake,
                                              &oxi_entity_job_ReadPath};

typedef enum waits_for { NOTHING, WRITERS, READERS_TOO, ALL } waits_for;

typedef struct sync_state {
    ox_world *world;
    collected_reports reports;
    ox_entity entity;
    ox_query *query; // made by the case, before the jobs
    ox_system *system;
    ox_job writer, reader, unrelated;
} sync_state;

typedef struct sync_row {
    const char *what;
    subject of;
    waits_for waits;
    void (*prepare)(sync_state *s);
    void (*call)(sync_state *s);
    ox_report_id report; // it is refused
} sync_row;

#define DO(name, ...)                                                                              \
    static void name(sync_state *s) {                                                              \
        __VA_ARGS__;                                                                               \
    }
#define QUERY(name, ...) DO(name, s->query = ox_query_create(s->world, __VA_ARGS__))

// Chunk by chunk: the loop itself looks at nothing else.
#define IN_CHUNK(name, ...)                                                                        \
    DO(                                                                                            \
        name, OX_EACH_CHUNK(s->query, chunk) {                                                     \
            (void)(__VA_ARGS__);                                                                   \
            break;                                                                                 \
        })

// The jobs, as jobs over entities of the world itself.
OXI_UNUSED static void schedule_as_entities(sync_state *s, subject of) {
    ox_system *scope = ox_world_get_root(s->world);
    int unused[4] = {0};
    s->writer = ox_schedule_entities_at(writers[of], scope, OX_AUTO, unused, OX_HERE);
    s->reader = ox_schedule_entities_at(readers[of], scope, OX_AUTO, unused, OX_HERE);
    s->unrelated = ox_schedule_entities(WriteExtra, scope, OX_AUTO, {0});
}

// And as plain jobs, which systems return.

OX_JOB(Anything, { int unused; }) {
}

OXI_UNUSED static sync_state *scheduling;

OXI_UNUSED static ox_job schedule_anything(ox_system *system, ox_job after) {
    ox_job job = ox_schedule(Anything, after, {0});
    char name = system->name[0];
    *(name == 'A'   ? &scheduling->writer
      : name == 'B' ? &scheduling->reader
                    : &scheduling->unrelated) = job;
    return job;
}

OXI_UNUSED static void schedule_in_systems(sync_state *s, subject of) {
    scheduling = s;
    add_system(s->world, WITH_JOBS("A", schedule_anything, .jobs = {writers[of]}));
    add_system(s->world, WITH_JOBS("B", schedule_anything, .jobs = {readers[of]}));
    add_system(s->world, WITH_JOBS("C", schedule_anything, .jobs = OX_JOBS(WriteExtra)));
    for (const char *const *name = (const char *const[]){"A", "B", "C", NULL}; *name; name++) {
        EXPECT(ox_system_update(ox_system_find(s->world, *name)));
    }
}

typedef void schedule_fn(sync_state *s, subject of);

OXI_UNUSED static void begin_row(sync_state *s, const sync_row *row, schedule_fn *schedule) {
    *s = (sync_state){0};
    start_workers_of_test(0);
    s->world = begin_systems(&s->reports);
    s->entity =
        ox_entity_create(s->world, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}), OX_VALUE(Extra, {3}),
                         OX_VALUE(Awake, {4}), OX_VALUE(Team, {3}), OX_VALUE_TAG(Red));
    ox_add_buffer(s->world, s->entity, Path);
    if (row->prepare != NULL) {
        row->prepare(s);
    }
    schedule(s, row->of);
    EXPECT(s->writer.value != 0 && s->reader.value != 0 && s->unrelated.value != 0);
}

// What was completed.
OXI_UNUSED static waits_for look_at(const sync_state *s) {
    bool writer = ox_job_is_complete(s->writer), reader = ox_job_is_complete(s->reader);
    if (ox_job_is_complete(s->unrelated)) {
        EXPECT(writer && reader);
        return ALL;
    }
    return reader ? READERS_TOO : writer ? WRITERS : NOTHING;
}

// @return false when it waited for something else.
OXI_UNUSED static bool run_row(const sync_row *row, schedule_fn *schedule, const char *how) {
    static const char *const names[] = {"nothing", "writers", "readers and writers", "all"};
    sync_state s;
    begin_row(&s, row, schedule);
    row->call(&s);
    waits_for found = look_at(&s);
    ox_report_id reported = s.reports.count > 0 ? s.reports.last : OX_REPORT_NONE;
    bool is_right = found == row->waits && reported == row->report && s.reports.count <= 1;
    if (!is_right) {
        fprintf(stderr, "%s with %s completes %s, not %s; reported %s\n%s", row->what, how,
                names[found], names[row->waits], ox_report_code(reported), s.reports.text);
    }
    s.reports.count = 0;
    finish_systems(s.world, &s.reports);
    return is_right;
}

OXI_UNUSED static void run_rows(const sync_row *all, size_t count, schedule_fn *schedule,
                                const char *how) {
    int wrong = 0;
    for (size_t k = 0; k < count; k++) {
        wrong += !run_row(&all[k], schedule, how);
    }
    EXPECT_EQ(wrong, 0);
}
