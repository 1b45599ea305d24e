// SPDX-License-Identifier: MIT
//
// Private: the terms of queries, views and lookups.

#pragma once

#include "oxbow/queries.h"

// A term is (OXI_VALUED, kind, access, seen, T, component, name) or (OXI_FILTER, kind, types).
// `seen` is the last part of the names of what a job sees: see oxbow/detail/components.h. The end
// of a valued term replaces the name if there is none.

#define OXI_VALUED_TERM(kind, access, T, name, ...)                                                \
    (OXI_VALUED, kind, access, access##_##T, T, ox_component_of(T), name)
#define OXI_ENABLED_TERM(T, name, ...)                                                             \
    (OXI_VALUED, OX_TERM_ENABLED, bit, bit, T, ox_component_of(T), name)

#define OXI_CHANGED_TERM(T, name, ...)                                                             \
    (OXI_VALUED, OX_TERM_CHANGED, changed, changed, T, ox_component_of(T), name)

// In queries.
#define OXI_TERMS(...) OXI_PASTE(OXI_TERMS_, OXI_ARE_TERMS((__VA_ARGS__)))(__VA_ARGS__)
#define OXI_TERMS_0(...)                                                                           \
    OXI_CHECKED(0, "terms are such as OX_READ(T), OX_WRITE(T), OX_WITH(T) or OX_NONE(T)",          \
                (const ox_term *)NULL)
#define OXI_TERMS_1(...)                                                                           \
    OXI_ARRAY(ox_term, OXI_EACH(OXI_QUERY_TERM, __VA_ARGS__){OX_TERM_END, NULL, 0})
#define OXI_QUERY_TERM(term)                                        OXI_QUERY_TERM_ term
#define OXI_QUERY_TERM_(sort, ...)                                  sort##_IN_QUERY(__VA_ARGS__)
#define OXI_VALUED_IN_QUERY(kind, access, seen, T, component, name) {kind, component, 0},
#define OXI_FILTER_IN_QUERY(kind, ...)                              OXI_TYPES(kind, __VA_ARGS__)

// In lookups: the component, and whether it is written.
#define OXI_LOOKUP_WRITES(term) OXI_LOOKUP_WRITES_ term
#define OXI_LOOKUP_WRITES_(sort, kind, ...)                                                        \
    (OXI_HOLDS((int)(kind) == OX_TERM_READ || (int)(kind) == OX_TERM_WRITE,                        \
               "a lookup reads or writes: OX_READ(T) or OX_WRITE(T)") &&                           \
     (int)(kind) == OX_TERM_WRITE)
#define OXI_LOOKUP_COMPONENT(term)                                   OXI_LOOKUP_COMPONENT_ term
#define OXI_LOOKUP_COMPONENT_(sort, ...)                             sort##_LOOKED_UP(__VA_ARGS__)
#define OXI_VALUED_LOOKED_UP(kind, access, seen, T, component, name) component
#define OXI_FILTER_LOOKED_UP(kind, T, ...)                           ox_component_of(T)

// Up to six types in one term. OXI_EACH cannot be used here: a macro cannot expand itself.
#define OXI_TYPES(kind, ...)      OXI_PASTE(OXI_TYPES_, OXI_COUNT(__VA_ARGS__))(kind, __VA_ARGS__)
#define OXI_TYPES_1(kind, T)      {kind, ox_component_of(T), 0},
#define OXI_TYPES_2(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_1(kind, __VA_ARGS__)
#define OXI_TYPES_3(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_2(kind, __VA_ARGS__)
#define OXI_TYPES_4(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_3(kind, __VA_ARGS__)
#define OXI_TYPES_5(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_4(kind, __VA_ARGS__)
#define OXI_TYPES_6(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_5(kind, __VA_ARGS__)

// Structs of views.

/// Links the unit that declares the type of views.
OX_API void oxi_view_types(void);
OXI_NEEDS_UNIT(views, oxi_view_types);

/// Reports that a call names another component than its view, or that the view is invalid. @return
/// false.
OX_API bool oxi_view_report_other(const ox_view *view, uint32_t component, ox_site site);

static inline bool oxi_view_is_of(const ox_view *view, uint32_t component, ox_site site) {
#if OX_SAFETY == 0
    (void)view, (void)component, (void)site;
    return true;
#else
    return view->component == component || oxi_view_report_other(view, component, site);
#endif
}

static inline const void *oxi_view_get(ox_view view, int64_t index, uint32_t component,
                                       ox_site site) {
    if (!oxi_view_is_of(&view, component, site)) {
        return oxi_element_zeros();
    }
    return ox_view_get_at(view, index, site);
}

static inline void *oxi_view_edit(ox_view view, int64_t index, uint32_t component, ox_site site) {
    if (!oxi_view_is_of(&view, component, site)) {
        return oxi_element_scratch();
    }
    return ox_view_edit_at(view, index, site);
}

static inline ox_buffer oxi_view_get_buffer(ox_view view, int64_t index, uint32_t component,
                                            ox_site site) {
    (void)component; // the handle has its own
    return ox_view_get_buffer_at(view, index, false, site);
}

static inline ox_buffer oxi_view_edit_buffer(ox_view view, int64_t index, uint32_t component,
                                             ox_site site) {
    (void)component;
    return ox_view_get_buffer_at(view, index, true, site);
}

/// For ox_views_fill: creates the query if it is missing, and the view of its entities.
OX_API bool oxi_views_begin_at(ox_world *world, ox_query **query, const ox_term *terms,
                               ox_view *entities, ox_site site);

#define OXI_VIEWS_FILL(Name, terms)                                                                \
    static inline bool Name##_fill(ox_world *world, Name *views, ox_site site) {                   \
        const ox_term list[] = {OXI_EACH_IN(OXI_QUERY_TERM, terms){OX_TERM_END, NULL, 0}};         \
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

#define OXI_VIEW_CHECK(term)       OXI_VIEW_CHECK_ term
#define OXI_VIEW_CHECK_(sort, ...) sort##_VIEW_CHECK(__VA_ARGS__)
#define OXI_FILTER_VIEW_CHECK(...)
#define OXI_VALUED_VIEW_CHECK(kind, access, seen, T, component, name)                              \
    OXI_STATIC_ASSERT(!OXI_IS_UNNAMED(name), "a term of views has a name: OX_READ(" #T ", name)"); \
    OXI_STATIC_ASSERT((int)(kind) == OX_TERM_READ || (int)(kind) == OX_TERM_WRITE,                 \
                      "a view reads or writes: OX_READ(" #T ", name) or OX_WRITE(" #T ", name)");

#define OXI_VIEW_FIELD(term)                                          OXI_VIEW_FIELD_ term
#define OXI_VIEW_FIELD_(sort, ...)                                    sort##_VIEW_FIELD(__VA_ARGS__)
#define OXI_VALUED_VIEW_FIELD(kind, access, seen, T, component, name) , name
#define OXI_FILTER_VIEW_FIELD(...)

#define OXI_VIEW_FILL(term)       OXI_VIEW_FILL_ term
#define OXI_VIEW_FILL_(sort, ...) sort##_VIEW_FILL(__VA_ARGS__)
#define OXI_VALUED_VIEW_FILL(kind, access, seen, T, component, name)                               \
    views->name = ox_query_view_at(views->query, ox_component_id_of_at(component, site), site);
#define OXI_FILTER_VIEW_FILL(...)

// The preprocessor finds what is wrong with a list of terms, and an assertion reports it.

#define OXI_PROBE(...)             ~, 1
#define OXI_PROBE_OXI_MISSING_NAME ~, 1
#define OXI_IS_TERM(term)          OXI_SECOND(OXI_PROBE term)
#define OXI_IS_UNNAMED(name)       OXI_SECOND(OXI_PASTE(OXI_PROBE_, name))

// 1 if all elements of a list are terms.
#define OXI_ARE_TERMS(list)  OXI_ARE_TERMS_(OXI_UNPACK list)
#define OXI_ARE_TERMS_(...)  OXI_ARE_TERMS__(__VA_ARGS__)
#define OXI_ARE_TERMS__(...) OXI_PASTE(OXI_ARE_, OXI_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define OXI_AND(a, b)        OXI_PASTE(OXI_AND_, OXI_PASTE(a, b))
#define OXI_AND_00           0
#define OXI_AND_01           0
#define OXI_AND_10           0
#define OXI_AND_11           1
#define OXI_ARE_1(a)         OXI_IS_TERM(a)
#define OXI_ARE_2(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_1(__VA_ARGS__))
#define OXI_ARE_3(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_2(__VA_ARGS__))
#define OXI_ARE_4(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_3(__VA_ARGS__))
#define OXI_ARE_5(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_4(__VA_ARGS__))
#define OXI_ARE_6(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_5(__VA_ARGS__))
#define OXI_ARE_7(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_6(__VA_ARGS__))
#define OXI_ARE_8(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_7(__VA_ARGS__))
#define OXI_ARE_9(a, ...)    OXI_AND(OXI_IS_TERM(a), OXI_ARE_8(__VA_ARGS__))
#define OXI_ARE_10(a, ...)   OXI_AND(OXI_IS_TERM(a), OXI_ARE_9(__VA_ARGS__))
#define OXI_ARE_11(a, ...)   OXI_AND(OXI_IS_TERM(a), OXI_ARE_10(__VA_ARGS__))
#define OXI_ARE_12(a, ...)   OXI_AND(OXI_IS_TERM(a), OXI_ARE_11(__VA_ARGS__))
#define OXI_ARE_13(a, ...)   OXI_AND(OXI_IS_TERM(a), OXI_ARE_12(__VA_ARGS__))
#define OXI_ARE_14(a, ...)   OXI_AND(OXI_IS_TERM(a), OXI_ARE_13(__VA_ARGS__))
#define OXI_ARE_15(a, ...)   OXI_AND(OXI_IS_TERM(a), OXI_ARE_14(__VA_ARGS__))
#define OXI_ARE_16(a, ...)   OXI_AND(OXI_IS_TERM(a), OXI_ARE_15(__VA_ARGS__))

// The buffers of chunks.

static inline ox_buffers oxi_chunk_get_buffers(const ox_chunk *chunk, uint32_t component,
                                               ox_site site) {
    return ox_chunk_get_buffers_at(chunk, component, false, site);
}

static inline ox_buffers oxi_chunk_edit_buffers(const ox_chunk *chunk, uint32_t component,
                                                ox_site site) {
    return ox_chunk_get_buffers_at(chunk, component, true, site);
}
