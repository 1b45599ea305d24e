// SPDX-License-Identifier: MIT
//
// Private: how jobs over entities are declared.

#pragma once

#include "oxbow/detail/rows.h"
#include "oxbow/entity_jobs.h"

// The scheduling system: a system, or a world for its root system.
#ifdef __cplusplus
inline ox_system *oxi_system_of(ox_system *system) {
    return system;
}
inline ox_system *oxi_system_of(ox_world *world) {
    return ox_world_get_root(world);
}
template <class T> inline ox_system *oxi_system_of(const T &) {
    static_assert(sizeof(T) == 0, "jobs over entities are scheduled by a system, or by a world");
    return nullptr;
}
#define OXI_SYSTEM_OF(system) oxi_system_of(system)
#else
static inline ox_system *oxi_system_itself(ox_system *system) {
    return system;
}
#define OXI_SYSTEM_OF(system)                                                                      \
    OXI_CHECKED(_Generic((system), ox_system * : 1, ox_world * : 1, void * : 1, default : 0),      \
                "jobs over entities are scheduled by a system, or by a world",                     \
                OXI_SYSTEM_OF_EITHER(system))
#define OXI_SYSTEM_OF_EITHER(system)                                                               \
    _Generic((system), ox_world * : ox_world_get_root, default : oxi_system_itself)(system)
#endif

// How a job over entities is declared: 0 without a list of terms, 1 with terms and fields, 2 with
// terms alone. The raw text of the fields is captured as in oxbow/detail/jobs.h.
#define OXI_FORM_OF_JOB(Job, terms, fields, ...)                                                   \
    OXI_PASTE(OXI_FORM_, OXI_PASTE(OXI_ARE_TERMS(terms), OXI_SECOND(fields())))
#define OXI_FORM_00 0
#define OXI_FORM_01 0
#define OXI_FORM_10 1
#define OXI_FORM_11 2

// Terms are expanded first, so that the compiler reports a mistake in them before its consequences.
// The loop over rows must not be inlined: gcc forgets `restrict` of inlined parameters. Where rows
// are masked, the loop takes runs of matching rows, or single bits of a 64-row word when runs are
// short.
#define OXI_ENTITY_JOB_0(Job, ...) OXI_NO_TERMS("OX_ENTITY_JOB", Job)
#define OXI_ENTITY_JOB_1(Job, raw_job, terms, ...)                                                 \
    OXI_CHECKED_ENTITY_JOB(Job, terms, #__VA_ARGS__, __VA_ARGS__)
#define OXI_ENTITY_JOB_2(Job, raw_job, terms)                                                      \
    OXI_CHECKED_ENTITY_JOB(Job, terms, "OX_NO_FIELDS", OX_NO_FIELDS)
#define OXI_CHECKED_ENTITY_JOB(Job, terms, raw, ...)                                               \
    OXI_TERMS_AT(OXI_CHECK_TERM, terms)                                                            \
    OXI_JOB_KIND(Job, OXI_JOB_OVER_ENTITIES)                                                       \
    OXI_ENTITY_JOB(Job, terms, raw, __VA_ARGS__)
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

#define OXI_CHUNK_JOB_0(Job, ...) OXI_NO_TERMS("OX_CHUNK_JOB", Job)
#define OXI_CHUNK_JOB_1(Job, raw_job, terms, ...)                                                  \
    OXI_CHECKED_CHUNK_JOB(Job, terms, #__VA_ARGS__, __VA_ARGS__)
#define OXI_CHUNK_JOB_2(Job, raw_job, terms)                                                       \
    OXI_CHECKED_CHUNK_JOB(Job, terms, "OX_NO_FIELDS", OX_NO_FIELDS)
#define OXI_CHECKED_CHUNK_JOB(Job, terms, raw, ...)                                                \
    OXI_TERMS_AT(OXI_CHECK_TERM, terms)                                                            \
    OXI_JOB_KIND(Job, OXI_JOB_OVER_ENTITIES)                                                       \
    OXI_CHUNK_JOB(Job, terms, raw, __VA_ARGS__)
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

// What each term of a job becomes.

#define OXI_PARAMETER(n, term)    OXI_PARAMETER_ term
#define OXI_PARAMETER_(sort, ...) sort##_PARAMETER(__VA_ARGS__)
#define OXI_VALUED_PARAMETER(kind, access, seen, T, component, name)                               \
    , OXI_UNUSED oxi_row_##seen name
#define OXI_FILTER_PARAMETER(...)

#define OXI_COLUMN_PARAMETER(n, term)    OXI_COLUMN_PARAMETER_ term
#define OXI_COLUMN_PARAMETER_(sort, ...) sort##_COLUMN(__VA_ARGS__)
#define OXI_VALUED_COLUMN(kind, access, seen, T, component, name)                                  \
    , OXI_UNUSED oxi_columns_##seen name
#define OXI_FILTER_COLUMN(...)

#define OXI_ROW_ARGUMENT(n, term)                              OXI_ROW_ARGUMENT_ term
#define OXI_ROW_ARGUMENT_(sort, ...)                           sort##_ROW(__VA_ARGS__)
#define OXI_VALUED_ROW(kind, access, seen, T, component, name) , oxi_at_##seen(name, oxi_row)
#define OXI_FILTER_ROW(...)

#define OXI_COLUMN_ARGUMENT(n, term)        OXI_COLUMN_ARGUMENT_(n, OXI_UNPACK term)
#define OXI_COLUMN_ARGUMENT_(...)           OXI_COLUMN_ARGUMENT__(__VA_ARGS__)
#define OXI_COLUMN_ARGUMENT__(n, sort, ...) sort##_FROM_ROWS(n, __VA_ARGS__)
#define OXI_VALUED_FROM_ROWS(n, kind, access, seen, T, component, name)                            \
    , OXI_FROM_ROWS_##access(n, T)
#define OXI_FILTER_FROM_ROWS(...)

#define OXI_FROM_ROWS_read(n, T)                                                                   \
    oxi_as_columns_read_##T(                                                                       \
        OXI_PICK(T, oxi_rows_column, oxi_rows_buffers)(&rows, n, oxi_first, oxi_step_##T))
#define OXI_FROM_ROWS_write(n, T)                                                                  \
    oxi_as_columns_write_##T(                                                                      \
        OXI_PICK(T, oxi_rows_column, oxi_rows_edit_buffers)(&rows, n, oxi_first, oxi_step_##T))
#define OXI_FROM_ROWS_optional(n, T)                                                               \
    oxi_as_columns_read_##T(                                                                       \
        OXI_PICK(T, oxi_rows_optional, oxi_rows_buffers)(&rows, n, oxi_first, oxi_step_##T))
#define OXI_FROM_ROWS_entity(n, T)  (rows.entities + oxi_first)
#define OXI_FROM_ROWS_bit(n, T)     oxi_switches_make(rows.columns[n], oxi_first)
#define OXI_FROM_ROWS_index(n, T)   ((int)(uintptr_t)rows.columns[n] + oxi_first)
#define OXI_FROM_ROWS_changed(n, T) (rows.columns[n] != NULL)

// First one term per position, so that the numbers of terms are those of columns; then the terms
// without values, which may name several types.
#define OXI_JOB_TERM(n, term)                                     OXI_JOB_TERM_ term
#define OXI_JOB_TERM_(sort, ...)                                  sort##_IN_JOB(__VA_ARGS__)
#define OXI_VALUED_IN_JOB(kind, access, seen, T, component, name) {kind, component, 0},
#define OXI_FILTER_IN_JOB(...)                                    {OX_TERM_ENTITY, NULL, 0},

#define OXI_JOB_FILTER(n, term)    OXI_JOB_FILTER_ term
#define OXI_JOB_FILTER_(sort, ...) sort##_FILTER(__VA_ARGS__)
#define OXI_VALUED_FILTER(...)
#define OXI_FILTER_FILTER(kind, ...) OXI_TYPES(kind, __VA_ARGS__)

// Checks, before all other parts of a job.

#define OXI_CHECK_TERM(n, term)    OXI_CHECK_TERM_ term
#define OXI_CHECK_TERM_(sort, ...) sort##_CHECK(__VA_ARGS__)
#define OXI_FILTER_CHECK(kind, ...)
#define OXI_VALUED_CHECK(kind, access, seen, T, component, name)                                   \
    OXI_STATIC_ASSERT(!OXI_IS_UNNAMED(name), OXI_CHECKED_NAME_##access(#T));                       \
    OXI_CHECK_##access(T)
#define OXI_CHECKED_NAME_read(T)     "a term of a job has a name: OX_READ(" T ", name)"
#define OXI_CHECKED_NAME_write(T)    "a term of a job has a name: OX_WRITE(" T ", name)"
#define OXI_CHECKED_NAME_optional(T) "a term of a job has a name: OX_OPTIONAL(" T ", name)"
#define OXI_CHECKED_NAME_bit(T)      "a term of a job has a name: OX_ENABLED(" T ", name)"
#define OXI_CHECKED_NAME_entity(T)   "a term of a job has a name: OX_ENTITY(name)"
#define OXI_CHECKED_NAME_index(T)    "a term of a job has a name: OX_INDEX(name)"
#define OXI_CHECKED_NAME_changed(T)  "a term of a job has a name: OX_CHANGED(" T ", name)"
#define OXI_CHECK_read(T)                                                                          \
    OXI_STATIC_ASSERT(OXI_HAS_VALUE(T), #T " is a tag and has no value: write OX_WITH(" #T ")");
#define OXI_CHECK_write(T)                                                                         \
    OXI_CHECK_read(T)                                                                              \
        OXI_STATIC_ASSERT(OXI_IS_WRITABLE(T), #T                                                   \
                          " is shared by the entities of a chunk, and jobs only read it: write "   \
                          "OX_READ(" #T ", name), and set it with ox_commands_set");
#define OXI_CHECK_optional(T) OXI_CHECK_read(T)
#define OXI_CHECK_bit(T)
#define OXI_CHECK_entity(T)
#define OXI_CHECK_index(T)
#define OXI_CHECK_changed(T)                                                                       \
    OXI_STATIC_ASSERT(OXI_HAS_VALUE(T) && OXI_IS_WRITABLE(T), #T                                   \
                      " has no values that change in place: OX_CHANGED is for data and buffers");

// If the terms are not a list, gives one sentence, and a function for the body that follows.
#define OXI_NO_TERMS(macro, Job)                                                                   \
    OXI_STATIC_ASSERT(0, "the terms of " #Job " are one list in parentheses: " macro "(" #Job      \
                         ", (OX_READ(T, name), OX_WRITE(T, name)), { fields })");                  \
    OXI_JOB_KIND(Job, OXI_JOB_OVER_ENTITIES)                                                       \
    OXI_UNUSED static void Job##_execute(void)

// How jobs see entities, enabled bits and values that are not stored.

typedef ox_entity oxi_row_entity;
typedef const ox_entity *__restrict oxi_columns_entity;
typedef ox_switch oxi_row_bit;
typedef ox_switches oxi_columns_bit;
typedef int oxi_row_index;
typedef int oxi_columns_index;
typedef bool oxi_row_changed;
typedef bool oxi_columns_changed;

OXI_FORCE_INLINE ox_entity oxi_at_entity(const ox_entity *entities, int row) {
    return entities[row];
}

OXI_FORCE_INLINE int oxi_at_index(int first, int row) {
    return first + row;
}

OXI_FORCE_INLINE bool oxi_at_changed(bool is_changed, int row) {
    (void)row;
    return is_changed;
}

OXI_FORCE_INLINE ox_switch oxi_at_bit(ox_switches bits, int row) {
    return ox_switches_get(bits, row);
}

// The values of a column from a row on. `step` is 0 for a shared value.

OXI_FORCE_INLINE void *oxi_rows_column(const ox_entity_rows *rows, int column, int first,
                                       size_t step) {
    return (char *)rows->columns[column] + (size_t)first * step;
}

OXI_FORCE_INLINE void *oxi_rows_optional(const ox_entity_rows *rows, int column, int first,
                                         size_t step) {
    return rows->columns[column] != NULL ? oxi_rows_column(rows, column, first, step) : NULL;
}

OXI_FORCE_INLINE ox_buffers oxi_rows_buffers(const ox_entity_rows *rows, int column, int first,
                                             size_t step) {
    (void)step;
    return ox_entity_rows_buffers(rows, column, first, false);
}

OXI_FORCE_INLINE ox_buffers oxi_rows_edit_buffers(const ox_entity_rows *rows, int column, int first,
                                                  size_t step) {
    (void)step;
    return ox_entity_rows_buffers(rows, column, first, true);
}

static inline ox_switches oxi_switches_make(void *words, int first) {
    ox_switches all = {(uint64_t *)words, first};
    return all;
}

static inline ox_switch ox_switches_get(ox_switches all, int row) {
    unsigned at = (unsigned)(all.oxi_first + row);
    ox_switch one = {all.oxi_words + at / 64, (uint64_t)1 << at % 64};
    return one;
}
