// SPDX-License-Identifier: MIT
//
// Private: how the terms of queries, views and lookups are made.

#pragma once

#include "oxbow/queries.h"

// How terms are made. The names are what a user sees after a mistake.

#define OXI_TERMS(...)                                                                             \
    OXI_ARRAY(ox_term, OXI_EACH(OXI_QUERY_TERM, __VA_ARGS__){OX_TERM_END, NULL, 0})
#define OXI_QUERY_TERM(term)                           OXI_EXPECTED_A_TERM_SUCH_AS_OX_READ term
#define OXI_EXPECTED_A_TERM_SUCH_AS_OX_READ(kind, ...) kind##_IN_QUERY(__VA_ARGS__)
#define OXI_READ_IN_QUERY(T)                           {OX_TERM_READ, ox_component_of(T), 0},
#define OXI_WRITE_IN_QUERY(T)                          {OX_TERM_WRITE, ox_component_of(T), 0},
#define OXI_OPTIONAL_IN_QUERY(T)                       {OX_TERM_OPTIONAL, ox_component_of(T), 0},
#define OXI_WITH_IN_QUERY(...)                         OXI_TYPES(OX_TERM_WITH, __VA_ARGS__)
#define OXI_NONE_IN_QUERY(...)                         OXI_TYPES(OX_TERM_NONE, __VA_ARGS__)
#define OXI_ANY_IN_QUERY(...)                          OXI_TYPES(OX_TERM_ANY, __VA_ARGS__)

#define OXI_DISABLED_IN_QUERY(...) OXI_TYPES(OX_TERM_DISABLED, __VA_ARGS__)
#define OXI_PRESENT_IN_QUERY(...)  OXI_TYPES(OX_TERM_PRESENT, __VA_ARGS__)
#define OXI_ABSENT_IN_QUERY(...)   OXI_TYPES(OX_TERM_ABSENT, __VA_ARGS__)
#define OXI_INCLUDE_IN_QUERY(...)  OXI_TYPES(OX_TERM_INCLUDE, __VA_ARGS__)
#define OXI_ENABLED_IN_QUERY(T)    {OX_TERM_ENABLED, ox_component_of(T), 0},

#define OXI_READ_SHARED_IN_QUERY(T)  {OX_TERM_READ_SHARED, ox_component_of(T), 0},
#define OXI_READ_BUFFER_IN_QUERY(T)  {OX_TERM_READ_BUFFER, ox_component_of(T), 0},
#define OXI_WRITE_BUFFER_IN_QUERY(T) {OX_TERM_WRITE_BUFFER, ox_component_of(T), 0},

// Up to six types in one term. Not OXI_EACH: a macro cannot enter itself.
#define OXI_TYPES(kind, ...)      OXI_PASTE(OXI_TYPES_, OXI_COUNT(__VA_ARGS__))(kind, __VA_ARGS__)
#define OXI_TYPES_1(kind, T)      {kind, ox_component_of(T), 0},
#define OXI_TYPES_2(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_1(kind, __VA_ARGS__)
#define OXI_TYPES_3(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_2(kind, __VA_ARGS__)
#define OXI_TYPES_4(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_3(kind, __VA_ARGS__)
#define OXI_TYPES_5(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_4(kind, __VA_ARGS__)
#define OXI_TYPES_6(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_5(kind, __VA_ARGS__)

// Structs of views.

/// Defined where the type of views is announced.
OX_API void ox_view_types(void);
OXI_NEEDS_UNIT(views, ox_view_types);

/// For ox_views_fill: makes the query unless it is there, and the view of its entities.
OX_API bool oxi_views_begin_at(ox_world *world, ox_query **query, const ox_term *terms,
                               ox_view *entities, ox_site site);

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
