// SPDX-License-Identifier: MIT
//
// Views: components as if they lay in one array.
//
//     ox_view entities = ox_query_view_entities(moving), positions = ox_query_view(moving,
//     Position); for (int i = 0; i < entities.count; i++) {
//         Position p = ox_view_read(positions, i, Position);
//         ...
//
// Views of one query have the same length, and the same index is the same entity. They end with the
// next structural change of the world, and when a view is made after the filters of the query came
// to let other chunks pass: using one after that is a report. A loop over chunks is faster. Making
// a view waits for nothing but jobs that switch what decides about rows; reading and writing
// through it wait as ox_get and ox_edit do.
//
// Jobs may hold views, as they hold containers:
//
//     OX_PARALLEL_JOB(Fall, { ox_view positions; OX_READ_ONLY ox_view masses; }) {
//         ox_view_edit(job->positions, i, Position)->y -= ox_view_read(job->masses, i, Mass).kg;
//     }
//
// A parallel job reaches its own batch, unless the field is OX_READ_ONLY or OX_UNRESTRICTED. A view
// of entities, and of what the query only reads, goes into an OX_READ_ONLY field. Chunks of a view
// that a job may write count as changed when the job is scheduled. Schedule such jobs in a job
// system, whose handle stands for them, or complete them yourself: until then, a call on main that
// they stand in the way of is refused with a report. In a job over entities a view counts as a
// term.
//
// All other calls belong to the world's thread.

#pragma once

#include "oxbow/buffers.h"
#include "oxbow/queries.h"
#include "oxbow/safety.h"

/// One component of all entities of a query, or the entities themselves. Copy it freely.
typedef struct ox_view {
    ox_query *query;
    int count;
    uint32_t component; ///< 0: the entities
    ox_access access;   ///< for the safety system, in jobs
    uint64_t oxi_windows;
    ox_site oxi_site;
} ox_view;

/// Defined where the type of views is announced.
OX_API void ox_view_types(void);
OXI_NEEDS_UNIT(views, ox_view_types);

/// A view of a component that the query reads or writes. @return a view of none after a report.
OX_API ox_view ox_query_view_at(ox_query *query, uint32_t component, ox_site site);
#define ox_query_view(query, T) ox_query_view_at(query, ox_component_id_of(T), OX_HERE)

/// A view of the entities.
#define ox_query_view_entities(query) ox_query_view_at(query, 0, OX_HERE)

/// The value at an index, to read: of a shared component the one that the entity shares. After a
/// report it is zeros.
OX_API const void *ox_view_get_at(ox_view view, int64_t index, ox_site site);
/// Position p = ox_view_read(positions, i, Position).
#define ox_view_read(view, index, T) (*(const T *)ox_view_get_at(view, (int64_t)(index), OX_HERE))

/// The entity at an index, of a view of entities.
#define ox_view_read_entity(view, index) ox_view_read(view, index, ox_entity)

/// The value at an index, to write: the query must have it as OX_WRITE.
OX_API void *ox_view_edit_at(ox_view view, int64_t index, ox_site site);
#define ox_view_edit(view, index, T) ((T *)ox_view_edit_at(view, (int64_t)(index), OX_HERE))

/// The buffer at an index, of a view of buffers; `writes` asks for one to change. On main the
/// handle lives as those of ox_get_buffer_at do, in a job as long as the job. @return {0} after a
/// report.
OX_API ox_buffer ox_view_get_buffer_at(ox_view view, int64_t index, bool writes, ox_site site);
/// A buffer to read: ox_view_get_buffer(paths, i).
#define ox_view_get_buffer(view, index)                                                            \
    ox_view_get_buffer_at(view, (int64_t)(index), false, OX_HERE)
/// A buffer to change; the query must have it as OX_WRITE.
#define ox_view_edit_buffer(view, index)                                                           \
    ox_view_get_buffer_at(view, (int64_t)(index), true, OX_HERE)

/// Sets the value at an index; it comes last and may stand in braces.
#define ox_view_set(view, index, T, ...)                                                           \
    ((void)(*ox_view_edit(view, index, T) = *OXI_VALUE(T, __VA_ARGS__)))

/// Values that lie behind each other.
typedef struct ox_view_span {
    const void *values;
    int count;
} ox_view_span;

/// The contiguous values from `index` on, up to `most` of them: fewer at the end of a chunk. A
/// window that begins or ends outside of the view is a report: `most` is at most `view.count -
/// index`.
/// @return none after a report, and for a `most` of 0.
OX_API ox_view_span ox_view_get_span_at(ox_view view, int64_t index, int64_t most, ox_site site);
/// ox_view_get_span(positions, i, 16).
#define ox_view_get_span(view, index, most)                                                        \
    ox_view_get_span_at(view, (int64_t)(index), (int64_t)(most), OX_HERE)

// A struct of views, filled in one go:
//
//     OX_VIEWS(Movers, (OX_WRITE(Position, position), OX_READ(Velocity, velocity),
//                       OX_NONE(Frozen)));
//     Movers movers = {0};
//     ox_views_fill(world, &movers, Movers);
//     for (int i = 0; i < movers.count; i++) { ox_view_edit(movers.position, i, Position)->x++; }

/// Declares a struct type with `int count`, `ox_view entities`, one ox_view for each OX_READ and
/// OX_WRITE, and the query behind them, which comes first. At file scope.
// long: a struct and the functions that fill it
#define OX_VIEWS(Name, terms)                                                                      \
    typedef struct Name {                                                                          \
        ox_query *query;                                                                           \
        int count;                                                                                 \
        ox_view entities OXI_EACH_IN(OXI_VIEW_FIELD, terms);                                       \
    } Name;                                                                                        \
    OXI_VIEWS_FILL(Name, terms)                                                                    \
    OXI_VIEWS_INJECT(Name)                                                                         \
    OXI_STATIC_ASSERT(sizeof(Name) > 0, "")

#define OXI_VIEWS_FILL(Name, terms)                                                                \
    static inline bool Name##_fill(ox_world *world, Name *views, ox_site site) {                   \
        const ox_term list[] = {OXI_EACH_IN(OXI_VIEW_TERM, terms){OX_TERM_END, NULL, 0}};          \
        if (!oxi_views_begin_at(world, &views->query, list, &views->entities, site)) {             \
            return false;                                                                          \
        }                                                                                          \
        views->count = views->entities.count;                                                      \
        OXI_EACH_IN(OXI_VIEW_FILL, terms)                                                          \
        return true;                                                                               \
    }

// For systems, which fill structs whose type they do not know.
#define OXI_VIEWS_INJECT(Name)                                                                     \
    OXI_UNUSED static bool Name##_inject(ox_world *world, void *views, ox_site site) {             \
        return Name##_fill(world, (Name *)views, site);                                            \
    }

/// Fills a struct of views. Its query is made the first time; a zeroed struct has none.
/// @return false after a report.
#define ox_views_fill(world, views, Name) Name##_fill(world, views, OX_HERE)

/// For ox_views_fill: makes the query unless it is there, and the view of its entities.
OX_API bool oxi_views_begin_at(ox_world *world, ox_query **query, const ox_term *terms,
                               ox_view *entities, ox_site site);

// How structs of views are made.

#define OXI_EACH_IN(M, list) OXI_EACH_IN_(M, OXI_UNPACK list)
#define OXI_EACH_IN_(...)    OXI_EACH(__VA_ARGS__)

#define OXI_VIEW_FIELD(term)          OXI_VIEW_FIELD_ term
#define OXI_VIEW_FIELD_(kind, ...)    kind##_VIEW_FIELD(__VA_ARGS__)
#define OXI_READ_VIEW_FIELD(T, name)  , name
#define OXI_WRITE_VIEW_FIELD(T, name) , name
#define OXI_WITH_VIEW_FIELD(...)
#define OXI_NONE_VIEW_FIELD(...)
#define OXI_ANY_VIEW_FIELD(...)

#define OXI_VIEW_TERM(term)          OXI_VIEW_TERM_ term
#define OXI_VIEW_TERM_(kind, ...)    kind##_VIEW_TERM(__VA_ARGS__)
#define OXI_READ_VIEW_TERM(T, name)  {OX_TERM_READ, ox_component_of(T), 0},
#define OXI_WRITE_VIEW_TERM(T, name) {OX_TERM_WRITE, ox_component_of(T), 0},
#define OXI_WITH_VIEW_TERM(...)      OXI_TYPES(OX_TERM_WITH, __VA_ARGS__)
#define OXI_NONE_VIEW_TERM(...)      OXI_TYPES(OX_TERM_NONE, __VA_ARGS__)
#define OXI_ANY_VIEW_TERM(...)       OXI_TYPES(OX_TERM_ANY, __VA_ARGS__)

#define OXI_VIEW_FILL(term)       OXI_VIEW_FILL_ term
#define OXI_VIEW_FILL_(kind, ...) kind##_VIEW_FILL(__VA_ARGS__)
#define OXI_READ_VIEW_FILL(T, name)                                                                \
    views->name =                                                                                  \
        ox_query_view_at(views->query, ox_component_id_of_at(ox_component_of(T), site), site);
#define OXI_WRITE_VIEW_FILL(T, name) OXI_READ_VIEW_FILL(T, name)
#define OXI_WITH_VIEW_FILL(...)
#define OXI_NONE_VIEW_FILL(...)
#define OXI_ANY_VIEW_FILL(...)
