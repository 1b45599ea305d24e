// SPDX-License-Identifier: MIT
//
// Private: how jobs over entities are declared.

#pragma once

#include "oxbow/detail/rows.h"
#include "oxbow/entity_jobs.h"

// How jobs over entities are declared. What a user may get wrong has a name that compilers show.

#define OXI_EXPECTED_AN_ENTITY_OR_CHUNK_JOB(Job) oxi_entity_job_##Job

// Terms are expanded first, so that the compiler reports a mistake in them before its consequences.
// The loop over rows must not be inlined: gcc forgets `restrict` of inlined parameters. Where rows
// are masked, the loop takes runs of matching rows, or single bits of a 64-row word when runs are
// short.
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

static inline ox_switches oxi_switches_make(void *words, int first) {
    ox_switches all = {(uint64_t *)words, first};
    return all;
}

static inline ox_switch ox_switches_get(ox_switches all, int row) {
    unsigned at = (unsigned)(all.oxi_first + row);
    ox_switch one = {all.oxi_words + at / 64, (uint64_t)1 << at % 64};
    return one;
}
