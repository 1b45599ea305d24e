// SPDX-License-Identifier: MIT
//
// Jobs over entities: a body for each entity, or for each chunk, run on all cores.
//
//     OX_ENTITY_JOB(Move, (OX_WRITE(Position, position), OX_READ(Velocity, velocity)), { float dt;
//     })
//     {
//         position->x += velocity->x * job->dt;
//     }
//
//     ox_job moved = ox_schedule_entities(Move, ox_world_get_scope(world), ox_auto, {dt});
//
// With ox_auto such a job waits for just those jobs of its world that write what it reads, and read
// or write what it writes. With a handle of yours it waits for that; if something is missing there,
// libraries with checks refuse it. Main gets and sets components whenever it likes: it waits for
// the jobs that stand in the way. A structural change waits for all jobs of its world.
//
// Scheduling belongs to main, and to the world's thread: one and the same here.

#pragma once

#include "oxbow/jobs.h"
#include "oxbow/queries.h"

/// Who schedules: a world, and a name for reports. Every world has one; systems are others.
typedef struct ox_scope {
    ox_world *world;
    const char *name;
} ox_scope;

/// The scope of a world itself.
OX_API ox_scope *ox_world_get_scope(ox_world *world);

/// A kind of job over entities. The macros make one; a plain program fills it by hand: `job` with
/// a range function, and its terms.
typedef struct ox_entity_job_type {
    ox_job_type job;
    const ox_term *terms; ///< end with OX_TERM_END
} ox_entity_job_type;

/// The rows of one chunk, as a range function of a job over entities sees them.
typedef struct ox_entity_rows {
    int count;
    const ox_entity *entities;
    void *const *columns; ///< one for each term, up to the last with values; NULL for others
} ox_entity_rows;

/// For range functions: the chunk at `index`. `data` and `size` are the job's struct.
OX_API ox_entity_rows ox_entity_job_rows(const void *data, size_t size, int index);

/// Schedules a job over all entities that match its terms. `data` is copied.
/// @return the job's handle, or ox_none after a report.
OX_API ox_job ox_entity_job_schedule_at(ox_entity_job_type *type, const void *data, ox_scope *scope,
                                        ox_job after, ox_site site);

/// The same over the entities of a query, with its filters. What the job reads and writes, the
/// query must have as terms.
OX_API ox_job ox_entity_job_schedule_query_at(ox_entity_job_type *type, const void *data,
                                              ox_query *query, ox_job after, ox_site site);

/// ox_schedule_entities(Move, scope, ox_auto, {.dt = 1}).
#define ox_schedule_entities(Job, scope, after, ...)                                               \
    ox_entity_job_schedule_at(&oxi_entity_job_##Job, OXI_VALUE(Job, __VA_ARGS__), scope, after,    \
                              OX_HERE)

/// ox_schedule_query(Move, query, ox_auto, {.dt = 1}).
#define ox_schedule_query(Job, query, after, ...)                                                  \
    ox_entity_job_schedule_query_at(&oxi_entity_job_##Job, OXI_VALUE(Job, __VA_ARGS__), query,     \
                                    after, OX_HERE)

/// A job for each entity. In its body: `const Job *job`, and the names of its terms: a pointer to
/// each component that is read or written, an ox_entity for OX_ENTITY(name).
#define OX_ENTITY_JOB(Job, terms, ...) OXI_ENTITY_JOB(Job, terms, #__VA_ARGS__, __VA_ARGS__)

/// A job for each chunk. In its body: `const Job *job`, `int count`, and a column for each name.
#define OX_CHUNK_JOB(Job, terms, ...) OXI_CHUNK_JOB(Job, terms, #__VA_ARGS__, __VA_ARGS__)

/// A term of a job: the entity itself.
#define OX_ENTITY(name) (OXI_ENTITY, name)

// How jobs over entities are declared.

// The loop over rows must not be inlined: gcc forgets `restrict` of inlined parameters.
#define OXI_ENTITY_JOB(Job, terms, raw, ...)                                                       \
    typedef struct Job __VA_ARGS__ Job;                                                            \
    static inline void Job##_execute(const Job *job OXI_TERMS_AT(OXI_PARAMETER, terms));           \
    OXI_NOINLINE static void Job##_rows(const Job *oxi_data,                                       \
                                        int oxi_count OXI_TERMS_AT(OXI_COLUMN_PARAMETER, terms)) { \
        const Job oxi_job = *oxi_data;                                                             \
        for (int oxi_row = 0; oxi_row < oxi_count; oxi_row++) {                                    \
            Job##_execute(&oxi_job OXI_TERMS_AT(OXI_ROW_ARGUMENT, terms));                         \
        }                                                                                          \
    }                                                                                              \
    OXI_ENTITY_JOB_TYPE(Job, terms, raw, OXI_TEXT(__VA_ARGS__), Job##_rows)                        \
    static inline void Job##_execute(OXI_UNUSED const Job *job OXI_TERMS_AT(OXI_PARAMETER, terms))

#define OXI_CHUNK_JOB(Job, terms, raw, ...)                                                        \
    typedef struct Job __VA_ARGS__ Job;                                                            \
    static void Job##_execute(const Job *job,                                                      \
                              int count OXI_TERMS_AT(OXI_COLUMN_PARAMETER, terms));                \
    OXI_ENTITY_JOB_TYPE(Job, terms, raw, OXI_TEXT(__VA_ARGS__), Job##_execute)                     \
    static void Job##_execute(OXI_UNUSED const Job *job,                                           \
                              OXI_UNUSED int count OXI_TERMS_AT(OXI_COLUMN_PARAMETER, terms))

// The range function, and the descriptor.
// clang-format off
#define OXI_ENTITY_JOB_TYPE(Job, terms, raw, expanded, call)                                       \
    static void Job##_range(const void *data, int begin, int end) {                                \
        for (int k = begin; k < end; k++) {                                                        \
            ox_entity_rows rows = ox_entity_job_rows(data, sizeof(Job), k);                        \
            call((const Job *)data, rows.count OXI_TERMS_AT(OXI_COLUMN_ARGUMENT, terms));          \
        }                                                                                          \
    }                                                                                              \
    static const ox_term Job##_terms[] = {                                                         \
        OXI_TERMS_AT(OXI_JOB_TERM, terms)                                                          \
        OXI_TERMS_AT(OXI_JOB_FILTER, terms){OX_TERM_END, NULL, 0}};                                \
    OXI_UNUSED static ox_entity_job_type oxi_entity_job_##Job = {                                  \
        {{#Job, raw, expanded, OX_HERE, sizeof(Job), OXI_ALIGNOF(Job), OX_VERSION, OX_SCALAR_NONE, \
          NULL, 0, NULL},                                                                          \
         NULL, {Job##_range}, false, NULL, 0, 0, 0, NULL, true},                                   \
        Job##_terms};

// A list of terms with their numbers: OXI_TERMS_AT(M, (a, b)) is M(0, a) M(1, b), up to 12.
#define OXI_TERMS_AT(M, list) OXI_TERMS_AT_(M, OXI_UNPACK list)
#define OXI_TERMS_AT_(...)    OXI_AT(__VA_ARGS__)
#define OXI_AT(M, ...)        OXI_PASTE(OXI_AT_, OXI_COUNT(__VA_ARGS__))(M, __VA_ARGS__)
#define OXI_AT_1(M, a) M(0, a)
#define OXI_AT_2(M, a, b) OXI_AT_1(M, a) M(1, b)
#define OXI_AT_3(M, a, b, c) OXI_AT_2(M, a, b) M(2, c)
#define OXI_AT_4(M, a, b, c, d) OXI_AT_3(M, a, b, c) M(3, d)
#define OXI_AT_5(M, a, b, c, d, e) OXI_AT_4(M, a, b, c, d) M(4, e)
#define OXI_AT_6(M, a, b, c, d, e, f) OXI_AT_5(M, a, b, c, d, e) M(5, f)
#define OXI_AT_7(M, a, b, c, d, e, f, g) OXI_AT_6(M, a, b, c, d, e, f) M(6, g)
#define OXI_AT_8(M, a, b, c, d, e, f, g, h) OXI_AT_7(M, a, b, c, d, e, f, g) M(7, h)
#define OXI_AT_9(M, a, b, c, d, e, f, g, h, i) OXI_AT_8(M, a, b, c, d, e, f, g, h) M(8, i)
#define OXI_AT_10(M, a, b, c, d, e, f, g, h, i, j) OXI_AT_9(M, a, b, c, d, e, f, g, h, i) M(9, j)
#define OXI_AT_11(M, a, b, c, d, e, f, g, h, i, j, k) \
    OXI_AT_10(M, a, b, c, d, e, f, g, h, i, j) M(10, k)
#define OXI_AT_12(M, a, b, c, d, e, f, g, h, i, j, k, l) \
    OXI_AT_11(M, a, b, c, d, e, f, g, h, i, j, k) M(11, l)
// clang-format on

// Each place where terms stand. The names are what a user sees after a mistake.
#define OXI_PARAMETER(n, term)                      OXI_EXPECTED_OX_READ_OR_OX_WRITE term
#define OXI_EXPECTED_OX_READ_OR_OX_WRITE(kind, ...) kind##_PARAMETER(__VA_ARGS__)
#define OXI_READ_PARAMETER(T, name)                 , OXI_UNUSED const T *__restrict name
#define OXI_WRITE_PARAMETER(T, name)                , OXI_UNUSED T *__restrict name
#define OXI_OPTIONAL_PARAMETER(T, name)             , OXI_UNUSED const T *__restrict name
#define OXI_ENTITY_PARAMETER(name)                  , OXI_UNUSED ox_entity name
#define OXI_WITH_PARAMETER(...)
#define OXI_NONE_PARAMETER(...)
#define OXI_ANY_PARAMETER(...)

#define OXI_COLUMN_PARAMETER(n, term)    OXI_COLUMN_PARAMETER_ term
#define OXI_COLUMN_PARAMETER_(kind, ...) kind##_COLUMN(__VA_ARGS__)
#define OXI_READ_COLUMN(T, name)         , OXI_UNUSED const T *__restrict name
#define OXI_WRITE_COLUMN(T, name)        , OXI_UNUSED T *__restrict name
#define OXI_OPTIONAL_COLUMN(T, name)     , OXI_UNUSED const T *__restrict name
#define OXI_ENTITY_COLUMN(name)          , OXI_UNUSED const ox_entity *__restrict name
#define OXI_WITH_COLUMN(...)
#define OXI_NONE_COLUMN(...)
#define OXI_ANY_COLUMN(...)

#define OXI_ROW_ARGUMENT(n, term)    OXI_ROW_ARGUMENT_ term
#define OXI_ROW_ARGUMENT_(kind, ...) kind##_ROW(__VA_ARGS__)
#define OXI_READ_ROW(T, name)        , name + oxi_row
#define OXI_WRITE_ROW(T, name)       , name + oxi_row
#define OXI_OPTIONAL_ROW(T, name)    , name != NULL ? name + oxi_row : NULL
#define OXI_ENTITY_ROW(name)         , name[oxi_row]
#define OXI_WITH_ROW(...)
#define OXI_NONE_ROW(...)
#define OXI_ANY_ROW(...)

#define OXI_COLUMN_ARGUMENT(n, term)        OXI_COLUMN_ARGUMENT_(n, OXI_UNPACK term)
#define OXI_COLUMN_ARGUMENT_(...)           OXI_COLUMN_ARGUMENT__(__VA_ARGS__)
#define OXI_COLUMN_ARGUMENT__(n, kind, ...) kind##_FROM_ROWS(n, __VA_ARGS__)
#define OXI_READ_FROM_ROWS(n, T, name)      , (const T *)rows.columns[n]
#define OXI_WRITE_FROM_ROWS(n, T, name)     , (T *)rows.columns[n]
#define OXI_OPTIONAL_FROM_ROWS(n, T, name)  , (const T *)rows.columns[n]
#define OXI_ENTITY_FROM_ROWS(n, name)       , rows.entities
#define OXI_WITH_FROM_ROWS(...)
#define OXI_NONE_FROM_ROWS(...)
#define OXI_ANY_FROM_ROWS(...)

// One term for each place, so that their numbers are those of the columns; then the terms without
// values, which may name several types.
#define OXI_JOB_TERM(n, term)        OXI_JOB_TERM_ term
#define OXI_JOB_TERM_(kind, ...)     kind##_IN_JOB(__VA_ARGS__)
#define OXI_READ_IN_JOB(T, name)     {OX_TERM_READ, ox_component_of(T), 0},
#define OXI_WRITE_IN_JOB(T, name)    {OX_TERM_WRITE, ox_component_of(T), 0},
#define OXI_OPTIONAL_IN_JOB(T, name) {OX_TERM_OPTIONAL, ox_component_of(T), 0},
#define OXI_ENTITY_IN_JOB(name)      {OX_TERM_ENTITY, NULL, 0},
#define OXI_WITH_IN_JOB(...)         {OX_TERM_ENTITY, NULL, 0},
#define OXI_NONE_IN_JOB(...)         {OX_TERM_ENTITY, NULL, 0},
#define OXI_ANY_IN_JOB(...)          {OX_TERM_ENTITY, NULL, 0},

#define OXI_JOB_FILTER(n, term)    OXI_JOB_FILTER_ term
#define OXI_JOB_FILTER_(kind, ...) kind##_FILTER(__VA_ARGS__)
#define OXI_READ_FILTER(T, name)
#define OXI_WRITE_FILTER(T, name)
#define OXI_OPTIONAL_FILTER(T, name)
#define OXI_ENTITY_FILTER(name)
#define OXI_WITH_FILTER(...) OXI_TYPES(OX_TERM_WITH, __VA_ARGS__)
#define OXI_NONE_FILTER(...) OXI_TYPES(OX_TERM_NONE, __VA_ARGS__)
#define OXI_ANY_FILTER(...)  OXI_TYPES(OX_TERM_ANY, __VA_ARGS__)
