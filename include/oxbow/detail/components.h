// SPDX-License-Identifier: MIT
//
// Private: how components are declared, and how buffers lie in a chunk.

#pragma once

#include "oxbow/components.h"

/// Links a descriptor into a list that the registry reads later. Called once per descriptor, before
/// main. Allocates nothing.
OX_API void oxi_component_link(ox_component *component);

/// The ids of component types, as an array.
#define OXI_IDS(...)        OXI_ARRAY(uint32_t, OXI_EACH(OXI_ID_AND_COMMA, __VA_ARGS__))
#define OXI_ID_AND_COMMA(T) ox_component_id_of(T),

/// Two arguments of a call: the id of a component and a pointer to its value, from (T, value), or
/// NULL from (T): zeros, a tag, or an empty buffer.
#define OXI_ID_AND_VALUE(...) OXI_PASTE(OXI_ID_AND_, OXI_IS_ALONE(__VA_ARGS__))(__VA_ARGS__)
#define OXI_ID_AND_0(T, ...)  ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__)
#define OXI_ID_AND_1(T)       ox_component_id_of(T), NULL

// The layout of a buffer in a chunk: a head, then the inline elements.

typedef struct oxi_buffer_head {
    char *outside;       ///< its elements, preceded by their capacity; NULL: they are inline
    uint32_t count;      ///< of elements
    uint32_t generation; ///< changes when elements are removed or move: with the count it shows any
                         ///< change
} oxi_buffer_head;

// Handles of buffers: see oxbow/buffers.h.

struct ox_world;
struct oxi_buffer_kind;

typedef struct ox_buffer {
    oxi_buffer_head *oxi_head;
    const struct oxi_buffer_kind *oxi_kind;
    struct ox_world *oxi_world; ///< NULL in a job
    uint64_t oxi_born;          ///< the count of changes of the world when the handle was made
    uint32_t oxi_size;          ///< of an element
    uint32_t oxi_write_size;    ///< the same; 0: elements may only be read
    uint32_t oxi_capacity;      ///< inline
    uint32_t oxi_offset;        ///< of the inline elements
} ox_buffer;

typedef struct ox_buffers {
    char *oxi_heads; ///< NULL: there are none
    uint32_t oxi_stride;
    int32_t oxi_count; ///< of rows
    ox_buffer oxi_first;
} ox_buffers;

// How a program sees a component depends on its kind, which is declared once. The macro that
// declares component T also declares, for the accesses read, write and optional:
//
//     oxi_form_T             oxi_is_value or oxi_is_buffer: which of two calls gives its values
//     oxi_kind_of_T          its kind
//     oxi_step_T             bytes from a row to the next, 0 where all rows have one value
//     oxi_as_read_T(...)     what a call gives for an entity, as what the program sees
//     oxi_as_columns_read_T  the same for a chunk
//     oxi_row_read_T         the type of what a job sees of a row
//     oxi_columns_read_T     the same for a chunk
//     oxi_at_read_T(c, row)  what it sees of a row, from what it sees of the chunk
//
// The name of the descriptor is what a compiler prints if there is no such component.

typedef struct oxi_is_value {
    char oxi_one;
} oxi_is_value;

typedef struct oxi_is_buffer {
    char oxi_one;
} oxi_is_buffer;

// OXI_PICK(T, f, g) is f, or g if T is a buffer.
#ifdef __cplusplus
template <class F, class G> inline F oxi_pick(const oxi_is_value *, F value, G) {
    return value;
}
template <class F, class G> inline G oxi_pick(const oxi_is_buffer *, F, G buffer) {
    return buffer;
}
#define OXI_PICK(T, value, buffer)                                                                 \
    oxi_pick(static_cast<const OXI_PASTE(oxi_form_, T) *>(nullptr), value, buffer)
#else
#define OXI_PICK(T, value, buffer)                                                                 \
    _Generic((OXI_PASTE(oxi_form_, T) *)0, oxi_is_buffer * : buffer, default : value)
#endif

// What a call on component T returns, by its kind.
#define OXI_SEE_READ(T, ...)                                                                       \
    OXI_CHECKED(OXI_HAS_VALUE(T), OXI_TEXT(T) " is a tag and has no value: ask ox_has",            \
                OXI_PASTE(oxi_as_read_, T)(__VA_ARGS__))
#define OXI_SEE_WRITE(T, ...)                                                                      \
    OXI_CHECKED(OXI_HAS_VALUE(T), OXI_TEXT(T) " is a tag and has no value: ask ox_has",            \
                OXI_CHECKED(OXI_IS_WRITABLE(T),                                                    \
                            OXI_TEXT(T) " is shared by entities: change it with ox_set",           \
                            OXI_PASTE(oxi_as_write_, T)(__VA_ARGS__)))
#define OXI_SEE_COLUMNS_READ(T, ...)                                                               \
    OXI_CHECKED(OXI_HAS_VALUE(T), OXI_TEXT(T) " is a tag and has no value: ask ox_chunk_has_id",   \
                OXI_PASTE(oxi_as_columns_read_, T)(__VA_ARGS__))
#define OXI_SEE_COLUMNS_WRITE(T, ...)                                                              \
    OXI_CHECKED(OXI_HAS_VALUE(T), OXI_TEXT(T) " is a tag and has no value: ask ox_chunk_has_id",   \
                OXI_CHECKED(OXI_IS_WRITABLE(T),                                                    \
                            OXI_TEXT(T) " is shared by the entities of a chunk: change it with "   \
                                        "ox_chunk_set_shared",                                     \
                            OXI_PASTE(oxi_as_columns_write_, T)(__VA_ARGS__)))

#define OXI_IS_OF_KIND(T, kind)                                                                    \
    (sizeof *ox_component_of(T) != 0 && (int)OXI_PASTE(oxi_kind_of_, T) == (int)(kind))
#define OXI_HAS_VALUE(T)     (!OXI_IS_OF_KIND(T, OX_COMPONENT_KIND_TAG))
#define OXI_IS_WRITABLE(T)   (!OXI_IS_OF_KIND(T, OX_COMPONENT_KIND_SHARED))
#define OXI_HAS_ONE_VALUE(T) (OXI_HAS_VALUE(T) && !OXI_IS_OF_KIND(T, OX_COMPONENT_KIND_BUFFER))

#define OXI_SEEN(T, kind)                                                                          \
    enum { oxi_kind_of_##T = kind };                                                               \
    OXI_SEEN_##kind(T)

// The types of what a program sees, and the functions that return it.
#define OXI_SEEN_TYPES(T, access, Row, Columns)                                                    \
    typedef Row oxi_row_##access##_##T;                                                            \
    typedef Columns oxi_columns_##access##_##T;
#define OXI_SEEN_POINTERS(T, access, Pointer, Void)                                                \
    OXI_FORCE_INLINE Pointer oxi_as_##access##_##T(Void from) {                                    \
        return (Pointer)from;                                                                      \
    }                                                                                              \
    OXI_FORCE_INLINE Pointer oxi_as_columns_##access##_##T(Void from) {                            \
        return (Pointer)from;                                                                      \
    }
#define OXI_SEEN_BUFFERS(T, access)                                                                \
    OXI_FORCE_INLINE ox_buffer oxi_as_##access##_##T(ox_buffer from) {                             \
        return from;                                                                               \
    }                                                                                              \
    OXI_FORCE_INLINE ox_buffers oxi_as_columns_##access##_##T(ox_buffers from) {                   \
        return from;                                                                               \
    }
#define OXI_SEEN_ROW(T, access, Row, Columns, ...)                                                 \
    OXI_FORCE_INLINE Row oxi_at_##access##_##T(Columns columns, OXI_UNUSED int row) {              \
        return __VA_ARGS__;                                                                        \
    }

#define OXI_SEEN_OX_COMPONENT_KIND_DATA(T)                                                         \
    typedef oxi_is_value oxi_form_##T;                                                             \
    enum { oxi_step_##T = sizeof(T) };                                                             \
    OXI_SEEN_TYPES(T, read, const T *__restrict, const T *__restrict)                              \
    OXI_SEEN_TYPES(T, write, T *__restrict, T *__restrict)                                         \
    OXI_SEEN_TYPES(T, optional, const T *__restrict, const T *__restrict)                          \
    OXI_SEEN_POINTERS(T, read, const T *, const void *)                                            \
    OXI_SEEN_POINTERS(T, write, T *, void *)                                                       \
    OXI_SEEN_ROW(T, read, const T *, const T *, columns + row)                                     \
    OXI_SEEN_ROW(T, write, T *, T *, columns + row)                                                \
    OXI_SEEN_ROW(T, optional, const T *, const T *, columns != NULL ? columns + row : NULL)

// One value for all rows, which is not written. A tag has no value. Operations that are not
// possible are declared too, so that the sentence of a check is the only error.
#define OXI_SEEN_OX_COMPONENT_KIND_SHARED(T)                                                       \
    typedef oxi_is_value oxi_form_##T;                                                             \
    enum { oxi_step_##T = 0 };                                                                     \
    OXI_SEEN_TYPES(T, read, const T *, const T *)                                                  \
    OXI_SEEN_TYPES(T, write, T *, T *)                                                             \
    OXI_SEEN_TYPES(T, optional, const T *, const T *)                                              \
    OXI_SEEN_POINTERS(T, read, const T *, const void *)                                            \
    OXI_SEEN_POINTERS(T, write, T *, void *)                                                       \
    OXI_SEEN_ROW(T, read, const T *, const T *, columns)                                           \
    OXI_SEEN_ROW(T, write, T *, T *, columns)                                                      \
    OXI_SEEN_ROW(T, optional, const T *, const T *, columns)
#define OXI_SEEN_OX_COMPONENT_KIND_TAG(T) OXI_SEEN_OX_COMPONENT_KIND_SHARED(T)

#define OXI_SEEN_OX_COMPONENT_KIND_BUFFER(T)                                                       \
    typedef oxi_is_buffer oxi_form_##T;                                                            \
    enum { oxi_step_##T = 0 };                                                                     \
    OXI_SEEN_TYPES(T, read, ox_buffer, ox_buffers)                                                 \
    OXI_SEEN_TYPES(T, write, ox_buffer, ox_buffers)                                                \
    OXI_SEEN_TYPES(T, optional, ox_buffer, ox_buffers)                                             \
    OXI_SEEN_BUFFERS(T, read)                                                                      \
    OXI_SEEN_BUFFERS(T, write)                                                                     \
    OXI_SEEN_ROW(T, read, ox_buffer, ox_buffers, oxi_buffers_row(columns, row))                    \
    OXI_SEEN_ROW(T, write, ox_buffer, ox_buffers, oxi_buffers_row(columns, row))                   \
    OXI_SEEN_ROW(T, optional, ox_buffer, ox_buffers,                                               \
                 columns.oxi_heads != NULL ? oxi_buffers_row(columns, row) : columns.oxi_first)

// Returns the buffer of an existing row.
OXI_FORCE_INLINE ox_buffer oxi_buffers_row(ox_buffers buffers, int row) {
    ox_buffer one = buffers.oxi_first;
    one.oxi_head =
        (oxi_buffer_head *)(void *)(buffers.oxi_heads + (size_t)row * buffers.oxi_stride);
    return one;
}

// How components are declared.

#define OXI_COMPONENT(T, kind, flags, inline_elements, raw, ...)                                   \
    typedef struct T __VA_ARGS__ T;                                                                \
    OXI_SEEN(T, kind)                                                                              \
    OXI_DESCRIBE_COMPONENT(T, raw, OXI_TEXT(__VA_ARGS__), sizeof(T), OXI_ALIGNOF(T), kind, flags,  \
                           inline_elements)

#define OXI_TAG(T, flags)                                                                          \
    typedef struct oxi_tag_without_value_##T T;                                                    \
    OXI_SEEN(T, OX_COMPONENT_KIND_TAG)                                                             \
    OXI_DESCRIBE_COMPONENT(T, NULL, NULL, 0, 1, OX_COMPONENT_KIND_TAG, flags, 0)

// clang-format off
#define OXI_DESCRIBE_COMPONENT(T, raw, expanded, size, align, kind, flags, inline_elements)        \
    OXI_UNUSED static ox_component oxi_no_component_named_##T = {                                  \
        {#T, raw, expanded, OX_HERE, size, align, OX_VERSION, OX_SCALAR_NONE, NULL, 0,             \
         OXI_FILE_SCOPE, NULL},                                                                    \
        kind, flags, inline_elements, 0, NULL};                                                    \
    OXI_AT_START(oxi_link_component_##T) {                                                         \
        oxi_component_link(&oxi_no_component_named_##T);                                           \
    }                                                                                              \
    OXI_STATIC_ASSERT(sizeof(#T) <= 128, "the name of component " #T " is too long")
// clang-format on

static inline uint32_t oxi_component_id(ox_component *component, ox_site site) {
    uint32_t id = OXI_LOAD_ACQUIRE(&component->oxi_id);
    return id != 0 ? id : ox_component_id_of_at(component, site);
}
