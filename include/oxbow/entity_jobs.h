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
//     ox_job moved = ox_schedule_entities(Move, ox_world_get_root(world), OX_AUTO, {dt});
//
// With OX_AUTO such a job waits for just those jobs of its world that write what it reads, and read
// or write what it writes. With a handle of yours it waits for that; if something is missing there,
// libraries with checks refuse it. Main gets and sets components whenever it likes: it waits for
// the jobs that stand in the way. A structural change waits for all jobs of its world.
//
// Scheduling belongs to main, and to the world's thread: one and the same here.

#pragma once

#include "oxbow/buffers.h"
#include "oxbow/enabled.h"
#include "oxbow/jobs.h"
#include "oxbow/queries.h"

/// A source of jobs: a system or group of one world, or the world itself, which is its root system.
/// Jobs are scheduled in its name, and reports name it.
typedef struct ox_system {
    ox_world *world;
    const char *name;
} ox_system;

/// The root system of a world: schedules jobs in the name of the world itself.
OX_API ox_system *ox_world_get_root(ox_world *world);

/// Completes all jobs of a world, as a structural change does: for the end of a frame that is
/// timed, or before something outside of the world looks at what jobs write into containers.
/// @return false after a report: a job that nobody answers for stands in the way.
OX_API bool ox_world_complete_at(ox_world *world, ox_site site);
#define ox_world_complete(world) ox_world_complete_at(world, OX_HERE)

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
    bool is_masked;       ///< ask ox_entity_job_mask which rows match
    const void *oxi_list;
} ox_entity_rows;

/// For range functions: the chunk at `index`. `data` and `size` are the job's struct.
OX_API ox_entity_rows ox_entity_job_rows(const void *data, size_t size, int index);

/// For range functions: sets a bit in `mask`, of OX_CHUNK_WORDS, for each row that matches, as
/// components are switched now. Ask once for each chunk.
/// @return the number of rows when all do, and `mask` is not written; 0 when none does; else -1.
OX_API int ox_entity_job_mask(const void *data, size_t size, int index, uint64_t *mask);

/// For range functions: the buffers of a column, from a row on.
OX_API ox_buffers ox_entity_rows_buffers(const ox_entity_rows *rows, int column, int first,
                                         bool writes);

/// Schedules a job over all entities that match its terms. `data` is copied.
/// @return the job's handle, or OX_NO_JOB after a report.
OX_API ox_job ox_schedule_entities_at(ox_entity_job_type *type, ox_system *system, ox_job after,
                                      const void *data, ox_site site);

/// The same over the entities of a query, with its filters. What the job reads and writes, the
/// query must have as terms.
OX_API ox_job ox_schedule_query_at(ox_entity_job_type *type, ox_query *query, ox_job after,
                                   const void *data, ox_site site);

/// ox_schedule_entities(Move, system, OX_AUTO, {.dt = 1}).
#define ox_schedule_entities(Job, system, after, ...)                                              \
    ox_schedule_entities_at(&OXI_EXPECTED_AN_ENTITY_OR_CHUNK_JOB(Job), system, after,              \
                            OXI_VALUE(Job, __VA_ARGS__), OX_HERE)

/// ox_schedule_query(Move, query, OX_AUTO, {.dt = 1}).
#define ox_schedule_query(Job, query, after, ...)                                                  \
    ox_schedule_query_at(&OXI_EXPECTED_AN_ENTITY_OR_CHUNK_JOB(Job), query, after,                  \
                         OXI_VALUE(Job, __VA_ARGS__), OX_HERE)

/// A job for each entity. In its body: `const Job *job`, and the names of its terms: a pointer to
/// each component that is read or written, an ox_entity for OX_ENTITY(name).
#define OX_ENTITY_JOB(Job, terms, ...) OXI_ENTITY_JOB(Job, terms, #__VA_ARGS__, __VA_ARGS__)

/// A job for each chunk. In its body: `const Job *job`, `int count`, and a column for each name.
#define OX_CHUNK_JOB(Job, terms, ...) OXI_CHUNK_JOB(Job, terms, #__VA_ARGS__, __VA_ARGS__)

/// A term of a job: the entity itself.
#define OX_ENTITY(name) (OXI_ENTITY, name)

// How jobs over entities are declared. What a user may get wrong has a name that compilers show.

#define OXI_EXPECTED_AN_ENTITY_OR_CHUNK_JOB(Job) oxi_entity_job_##Job

// The terms come first, so that a mistake in them is met before those that follow from it. The loop
// over rows must not be inlined: gcc forgets `restrict` of inlined parameters. Where components are
// switched off, rows come in runs, and in words of which single bits are taken.
#define OXI_ENTITY_JOB(Job, terms, raw, ...)                                                       \
    typedef struct Job Job;                                                                        \
    static inline void Job##_execute(const Job *job OXI_TERMS_AT(OXI_PARAMETER, terms));           \
    struct Job __VA_ARGS__;                                                                        \
    OXI_ENTITY_JOB_ROWS(Job, terms)                                                                \
    OXI_ENTITY_JOB_BITS(Job, terms)                                                                \
    OXI_ENTITY_JOB_RANGE(Job, terms)                                                               \
    OXI_ENTITY_JOB_TYPE(Job, terms, raw, OXI_TEXT(__VA_ARGS__))                                    \
    static inline void Job##_execute(OXI_UNUSED const Job *job OXI_TERMS_AT(OXI_PARAMETER, terms))

#define OXI_ENTITY_JOB_ROWS(Job, terms)                                                            \
    OXI_NOINLINE static void Job##_rows(const Job *oxi_data, int oxi_begin,                        \
                                        int oxi_end OXI_TERMS_AT(OXI_COLUMN_PARAMETER, terms)) {   \
        const Job oxi_job = *oxi_data;                                                             \
        for (int oxi_row = oxi_begin; oxi_row < oxi_end; oxi_row++) {                              \
            Job##_execute(&oxi_job OXI_TERMS_AT(OXI_ROW_ARGUMENT, terms));                         \
        }                                                                                          \
    }

#define OXI_ENTITY_JOB_BITS(Job, terms)                                                            \
    OXI_NOINLINE static void Job##_bits(                                                           \
        const Job *oxi_data, int oxi_begin,                                                        \
        uint64_t oxi_bits OXI_TERMS_AT(OXI_COLUMN_PARAMETER, terms)) {                             \
        const Job oxi_job = *oxi_data;                                                             \
        for (; oxi_bits != 0; oxi_bits &= oxi_bits - 1) {                                          \
            OXI_UNUSED int oxi_row = oxi_begin + oxi_lowest_bit(oxi_bits);                         \
            Job##_execute(&oxi_job OXI_TERMS_AT(OXI_ROW_ARGUMENT, terms));                         \
        }                                                                                          \
    }

// A chunk of which all rows match is one run.
#define OXI_ENTITY_JOB_RANGE(Job, terms)                                                           \
    static void Job##_range(const void *data, int begin, int end) {                                \
        enum { oxi_first = 0 };                                                                    \
        oxi_rows_walk walk;                                                                        \
        for (int k = begin; k < end; k++) {                                                        \
            ox_entity_rows rows = ox_entity_job_rows(data, sizeof(Job), k);                        \
            oxi_rows_begin(&walk, data, sizeof(Job), k, &rows);                                    \
            OXI_ENTITY_JOB_WALK(Job, terms)                                                        \
        }                                                                                          \
    }

#define OXI_ENTITY_JOB_WALK(Job, terms)                                                            \
    while (oxi_rows_next(&walk)) {                                                                 \
        if (walk.bits != 0) {                                                                      \
            Job##_bits((const Job *)data, walk.begin,                                              \
                       walk.bits OXI_TERMS_AT(OXI_COLUMN_ARGUMENT, terms));                        \
        } else {                                                                                   \
            Job##_rows((const Job *)data, walk.begin,                                              \
                       walk.end OXI_TERMS_AT(OXI_COLUMN_ARGUMENT, terms));                         \
        }                                                                                          \
    }

#define OXI_CHUNK_JOB(Job, terms, raw, ...)                                                        \
    typedef struct Job Job;                                                                        \
    static void Job##_execute(const Job *job,                                                      \
                              int count OXI_TERMS_AT(OXI_COLUMN_PARAMETER, terms));                \
    struct Job __VA_ARGS__;                                                                        \
    OXI_CHUNK_JOB_RANGE(Job, terms)                                                                \
    OXI_ENTITY_JOB_TYPE(Job, terms, raw, OXI_TEXT(__VA_ARGS__))                                    \
    static void Job##_execute(OXI_UNUSED const Job *job,                                           \
                              OXI_UNUSED int count OXI_TERMS_AT(OXI_COLUMN_PARAMETER, terms))

#define OXI_CHUNK_JOB_RANGE(Job, terms)                                                            \
    static void Job##_range(const void *data, int begin, int end) {                                \
        oxi_rows_walk walk;                                                                        \
        for (int k = begin; k < end; k++) {                                                        \
            ox_entity_rows rows = ox_entity_job_rows(data, sizeof(Job), k);                        \
            oxi_rows_begin(&walk, data, sizeof(Job), k, &rows);                                    \
            while (oxi_rows_next_run(&walk)) {                                                     \
                OXI_UNUSED int oxi_first = walk.begin;                                             \
                Job##_execute((const Job *)data,                                                   \
                              walk.end - walk.begin OXI_TERMS_AT(OXI_COLUMN_ARGUMENT, terms));     \
            }                                                                                      \
        }                                                                                          \
    }

// The descriptor.
// clang-format off
#define OXI_ENTITY_JOB_TYPE(Job, terms, raw, expanded)                                             \
    static const ox_term Job##_terms[] = {                                                         \
        OXI_TERMS_AT(OXI_JOB_TERM, terms)                                                          \
        OXI_TERMS_AT(OXI_JOB_FILTER, terms){OX_TERM_END, NULL, 0}};                                \
    OXI_UNUSED static ox_entity_job_type oxi_entity_job_##Job = {                                  \
        {{#Job, raw, expanded, OX_HERE, sizeof(Job), OXI_ALIGNOF(Job), OX_VERSION, OX_SCALAR_NONE, \
          NULL, 0, OXI_FILE_SCOPE, NULL},                                                          \
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
#define OXI_PARAMETER(n, term) OXI_EXPECTED_OX_READ_OR_OX_WRITE_IN_PARENTHESES term

#define OXI_EXPECTED_OX_READ_OR_OX_WRITE_IN_PARENTHESES(kind, ...) kind##_PARAMETER(__VA_ARGS__)

#define OXI_READ_PARAMETER(T, name)     , OXI_UNUSED const T *__restrict name
#define OXI_WRITE_PARAMETER(T, name)    , OXI_UNUSED T *__restrict name
#define OXI_OPTIONAL_PARAMETER(T, name) , OXI_UNUSED const T *__restrict name
#define OXI_ENTITY_PARAMETER(name)      , OXI_UNUSED ox_entity name
#define OXI_WITH_PARAMETER(...)
#define OXI_NONE_PARAMETER(...)
#define OXI_ANY_PARAMETER(...)
#define OXI_DISABLED_PARAMETER(...)
#define OXI_PRESENT_PARAMETER(...)
#define OXI_ABSENT_PARAMETER(...)
#define OXI_INCLUDE_PARAMETER(...)
#define OXI_ENABLED_PARAMETER(T, name)      , OXI_UNUSED ox_switch name
#define OXI_READ_SHARED_PARAMETER(T, name)  , OXI_UNUSED const T *name
#define OXI_READ_BUFFER_PARAMETER(T, name)  , OXI_UNUSED ox_buffer name
#define OXI_WRITE_BUFFER_PARAMETER(T, name) , OXI_UNUSED ox_buffer name

#define OXI_COLUMN_PARAMETER(n, term) OXI_EXPECTED_OX_READ_OR_OX_WRITE_IN_PARENTHESES_ term

#define OXI_EXPECTED_OX_READ_OR_OX_WRITE_IN_PARENTHESES_(kind, ...) kind##_COLUMN(__VA_ARGS__)

#define OXI_READ_COLUMN(T, name)     , OXI_UNUSED const T *__restrict name
#define OXI_WRITE_COLUMN(T, name)    , OXI_UNUSED T *__restrict name
#define OXI_OPTIONAL_COLUMN(T, name) , OXI_UNUSED const T *__restrict name
#define OXI_ENTITY_COLUMN(name)      , OXI_UNUSED const ox_entity *__restrict name
#define OXI_WITH_COLUMN(...)
#define OXI_NONE_COLUMN(...)
#define OXI_ANY_COLUMN(...)
#define OXI_DISABLED_COLUMN(...)
#define OXI_PRESENT_COLUMN(...)
#define OXI_ABSENT_COLUMN(...)
#define OXI_INCLUDE_COLUMN(...)
#define OXI_ENABLED_COLUMN(T, name)      , OXI_UNUSED ox_switches name
#define OXI_READ_SHARED_COLUMN(T, name)  , OXI_UNUSED const T *name
#define OXI_READ_BUFFER_COLUMN(T, name)  , OXI_UNUSED ox_buffers name
#define OXI_WRITE_BUFFER_COLUMN(T, name) , OXI_UNUSED ox_buffers name

#define OXI_ROW_ARGUMENT(n, term)    OXI_ROW_ARGUMENT_ term
#define OXI_ROW_ARGUMENT_(kind, ...) kind##_ROW(__VA_ARGS__)
#define OXI_READ_ROW(T, name)        , name + oxi_row
#define OXI_WRITE_ROW(T, name)       , name + oxi_row
#define OXI_OPTIONAL_ROW(T, name)    , name != NULL ? name + oxi_row : NULL
#define OXI_ENTITY_ROW(name)         , name[oxi_row]
#define OXI_WITH_ROW(...)
#define OXI_NONE_ROW(...)
#define OXI_ANY_ROW(...)
#define OXI_DISABLED_ROW(...)
#define OXI_PRESENT_ROW(...)
#define OXI_ABSENT_ROW(...)
#define OXI_INCLUDE_ROW(...)
#define OXI_ENABLED_ROW(T, name)      , ox_switches_get(name, oxi_row)
#define OXI_READ_SHARED_ROW(T, name)  , name
#define OXI_READ_BUFFER_ROW(T, name)  , ox_buffers_get(name, oxi_row)
#define OXI_WRITE_BUFFER_ROW(T, name) , ox_buffers_get(name, oxi_row)

#define OXI_COLUMN_ARGUMENT(n, term)        OXI_COLUMN_ARGUMENT_(n, OXI_UNPACK term)
#define OXI_COLUMN_ARGUMENT_(...)           OXI_COLUMN_ARGUMENT__(__VA_ARGS__)
#define OXI_COLUMN_ARGUMENT__(n, kind, ...) kind##_FROM_ROWS(n, __VA_ARGS__)
#define OXI_READ_FROM_ROWS(n, T, name)      , (const T *)rows.columns[n] + oxi_first
#define OXI_WRITE_FROM_ROWS(n, T, name)     , (T *)rows.columns[n] + oxi_first
#define OXI_OPTIONAL_FROM_ROWS(n, T, name)                                                         \
    , rows.columns[n] != NULL ? (const T *)rows.columns[n] + oxi_first : NULL
#define OXI_ENTITY_FROM_ROWS(n, name)          , rows.entities + oxi_first
#define OXI_ENABLED_FROM_ROWS(n, T, name)      , oxi_switches_make(rows.columns[n], oxi_first)
#define OXI_READ_SHARED_FROM_ROWS(n, T, name)  , (const T *)rows.columns[n]
#define OXI_READ_BUFFER_FROM_ROWS(n, T, name)  , ox_entity_rows_buffers(&rows, n, oxi_first, false)
#define OXI_WRITE_BUFFER_FROM_ROWS(n, T, name) , ox_entity_rows_buffers(&rows, n, oxi_first, true)
#define OXI_WITH_FROM_ROWS(...)
#define OXI_NONE_FROM_ROWS(...)
#define OXI_ANY_FROM_ROWS(...)
#define OXI_DISABLED_FROM_ROWS(...)
#define OXI_PRESENT_FROM_ROWS(...)
#define OXI_ABSENT_FROM_ROWS(...)
#define OXI_INCLUDE_FROM_ROWS(...)

// One term for each place, so that their numbers are those of the columns; then the terms without
// values, which may name several types.
#define OXI_JOB_TERM(n, term)            OXI_JOB_TERM_ term
#define OXI_JOB_TERM_(kind, ...)         kind##_IN_JOB(__VA_ARGS__)
#define OXI_READ_IN_JOB(T, name)         {OX_TERM_READ, ox_component_of(T), 0},
#define OXI_WRITE_IN_JOB(T, name)        {OX_TERM_WRITE, ox_component_of(T), 0},
#define OXI_OPTIONAL_IN_JOB(T, name)     {OX_TERM_OPTIONAL, ox_component_of(T), 0},
#define OXI_ENTITY_IN_JOB(name)          {OX_TERM_ENTITY, NULL, 0},
#define OXI_WITH_IN_JOB(...)             {OX_TERM_ENTITY, NULL, 0},
#define OXI_NONE_IN_JOB(...)             {OX_TERM_ENTITY, NULL, 0},
#define OXI_ANY_IN_JOB(...)              {OX_TERM_ENTITY, NULL, 0},
#define OXI_DISABLED_IN_JOB(...)         {OX_TERM_ENTITY, NULL, 0},
#define OXI_PRESENT_IN_JOB(...)          {OX_TERM_ENTITY, NULL, 0},
#define OXI_ABSENT_IN_JOB(...)           {OX_TERM_ENTITY, NULL, 0},
#define OXI_INCLUDE_IN_JOB(...)          {OX_TERM_ENTITY, NULL, 0},
#define OXI_ENABLED_IN_JOB(T, name)      {OX_TERM_ENABLED, ox_component_of(T), 0},
#define OXI_READ_SHARED_IN_JOB(T, name)  {OX_TERM_READ_SHARED, ox_component_of(T), 0},
#define OXI_READ_BUFFER_IN_JOB(T, name)  {OX_TERM_READ_BUFFER, ox_component_of(T), 0},
#define OXI_WRITE_BUFFER_IN_JOB(T, name) {OX_TERM_WRITE_BUFFER, ox_component_of(T), 0},

#define OXI_JOB_FILTER(n, term)    OXI_JOB_FILTER_ term
#define OXI_JOB_FILTER_(kind, ...) kind##_FILTER(__VA_ARGS__)
#define OXI_READ_FILTER(T, name)
#define OXI_WRITE_FILTER(T, name)
#define OXI_OPTIONAL_FILTER(T, name)
#define OXI_ENTITY_FILTER(name)
#define OXI_WITH_FILTER(...)     OXI_TYPES(OX_TERM_WITH, __VA_ARGS__)
#define OXI_NONE_FILTER(...)     OXI_TYPES(OX_TERM_NONE, __VA_ARGS__)
#define OXI_ANY_FILTER(...)      OXI_TYPES(OX_TERM_ANY, __VA_ARGS__)
#define OXI_DISABLED_FILTER(...) OXI_TYPES(OX_TERM_DISABLED, __VA_ARGS__)
#define OXI_PRESENT_FILTER(...)  OXI_TYPES(OX_TERM_PRESENT, __VA_ARGS__)
#define OXI_ABSENT_FILTER(...)   OXI_TYPES(OX_TERM_ABSENT, __VA_ARGS__)
#define OXI_INCLUDE_FILTER(...)  OXI_TYPES(OX_TERM_INCLUDE, __VA_ARGS__)
#define OXI_ENABLED_FILTER(T, name)
#define OXI_READ_SHARED_FILTER(T, name)
#define OXI_READ_BUFFER_FILTER(T, name)
#define OXI_WRITE_BUFFER_FILTER(T, name)

// Rows of a chunk where some do not match.

typedef struct oxi_rows_walk {
    int begin;
    int end;       ///< a run of rows that match, when bits is 0
    uint64_t bits; ///< else rows from `begin` on, a bit for each
    int next;      ///< row to go on at
    int count;
    bool is_whole; ///< all rows match, and the mask was not made
    uint64_t mask[OX_CHUNK_WORDS];
} oxi_rows_walk;

static inline int oxi_lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int at = 0;
    for (; (bits & 1) == 0; bits >>= 1) {
        at++;
    }
    return at;
#endif
}

static inline void oxi_rows_begin(oxi_rows_walk *walk, const void *data, size_t size, int index,
                                  const ox_entity_rows *rows) {
    int all = rows->is_masked ? ox_entity_job_mask(data, size, index, walk->mask) : rows->count;
    walk->count = all == 0 ? 0 : rows->count;
    walk->is_whole = all > 0;
    walk->next = 0;
    walk->begin = walk->end = 0;
    walk->bits = 0;
}

/// The end of the run of ones that begins at `from`.
static inline int oxi_run_end(const oxi_rows_walk *walk, int from) {
    int at = from;
    while (at < walk->count) {
        uint64_t zeros = ~walk->mask[at / 64] >> at % 64;
        if (zeros != 0) {
            at += oxi_lowest_bit(zeros);
            break;
        }
        at += 64 - at % 64;
    }
    return at < walk->count ? at : walk->count;
}

static inline bool oxi_rows_take_all(oxi_rows_walk *walk) {
    walk->is_whole = false;
    walk->begin = 0;
    walk->end = walk->next = walk->count;
    return walk->count > 0;
}

/// The next rows that match and lie behind each other.
static inline bool oxi_rows_next_run(oxi_rows_walk *walk) {
    int at = walk->next;
    if (walk->is_whole) {
        return oxi_rows_take_all(walk);
    }
    while (at < walk->count) {
        uint64_t ones = walk->mask[at / 64] >> at % 64;
        if (ones != 0) {
            walk->begin = at + oxi_lowest_bit(ones);
            walk->end = walk->next = oxi_run_end(walk, walk->begin);
            return true;
        }
        at += 64 - at % 64;
    }
    return false;
}

/// Many edges in a word: its rows are better taken one by one.
static inline bool oxi_is_ragged(uint64_t word) {
    uint64_t edges = word ^ word << 1;
    edges &= edges - 1; // each takes the lowest away: more than four are left over
    edges &= edges - 1;
    edges &= edges - 1;
    return (edges & (edges - 1)) != 0;
}

/// The next run, or the next word with many edges.
static inline bool oxi_rows_next(oxi_rows_walk *walk) {
    if (walk->is_whole) {
        return oxi_rows_take_all(walk);
    }
    while (walk->next < walk->count) {
        int at = walk->next;
        uint64_t word = walk->mask[at / 64];
        walk->bits = 0;
        if (at % 64 == 0 && oxi_is_ragged(word)) {
            walk->begin = at;
            walk->bits = word;
            walk->next = at + 64;
            return true;
        }
        uint64_t ones = word >> at % 64;
        if (ones == 0) {
            walk->next = at + 64 - at % 64;
            continue;
        }
        // A run goes on over whole words of ones, and into one that is not taken bit by bit.
        walk->begin = at + oxi_lowest_bit(ones);
        int edge = walk->begin + 64 - walk->begin % 64;
        walk->end = oxi_run_end(walk, walk->begin);
        if (walk->end > edge && walk->end % 64 != 0 && walk->end < walk->count &&
            oxi_is_ragged(walk->mask[walk->end / 64])) {
            walk->end -= walk->end % 64;
        }
        walk->next = walk->end;
        return true;
    }
    return false;
}

static inline ox_switches oxi_switches_make(void *words, int first) {
    ox_switches all = {(uint64_t *)words, first};
    return all;
}
