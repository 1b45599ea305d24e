// SPDX-License-Identifier: MIT
//
// Private: how components are declared, and how buffers lie in a chunk.

#pragma once

#include "oxbow/components.h"

/// Links a descriptor for the registry to read later, once for each descriptor. Allocates nothing;
/// runs before main.
OX_API void oxi_component_link(ox_component *component);

/// The ids of component types, as an array.
#define OXI_IDS(...)        OXI_ARRAY(uint32_t, OXI_EACH(OXI_ID_AND_COMMA, __VA_ARGS__))
#define OXI_ID_AND_COMMA(T) ox_component_id_of(T),

// How buffers lie in a chunk: a head, then the inline elements.

typedef struct oxi_buffer_head {
    char *outside;       ///< its elements, behind their capacity; NULL: they are inline
    uint32_t count;      ///< of elements
    uint32_t generation; ///< moves when elements go or move: with the count it tells of any change
} oxi_buffer_head;

// Handles of buffers: see oxbow/buffers.h.

struct ox_world;
struct oxi_buffer_kind;

typedef struct ox_buffer {
    oxi_buffer_head *oxi_head;
    const struct oxi_buffer_kind *oxi_kind;
    struct ox_world *oxi_world; ///< NULL in a job
    uint64_t oxi_born;          ///< changes of the world when it was made
    uint32_t oxi_size;          ///< of an element
    uint32_t oxi_write_size;    ///< the same; 0: elements may only be read
    uint32_t oxi_capacity;      ///< inline
    uint32_t oxi_offset;        ///< of the inline elements
} ox_buffer;

typedef struct ox_buffers {
    char *oxi_heads;
    uint32_t oxi_stride;
    ox_buffer oxi_first;
} ox_buffers;

// How components are declared.

#define OXI_COMPONENT(T, kind, flags, inline_elements, raw, ...)                                   \
    typedef struct T __VA_ARGS__ T;                                                                \
    OXI_DESCRIBE_COMPONENT(T, raw, OXI_TEXT(__VA_ARGS__), sizeof(T), OXI_ALIGNOF(T), kind, flags,  \
                           inline_elements)

// clang-format off
#define OXI_DESCRIBE_COMPONENT(T, raw, expanded, size, align, kind, flags, inline_elements)        \
    OXI_UNUSED static ox_component oxi_component_##T = {                                           \
        {#T, raw, expanded, OX_HERE, size, align, OX_VERSION, OX_SCALAR_NONE, NULL, 0,             \
         OXI_FILE_SCOPE, NULL},                                                                    \
        kind, flags, inline_elements, 0, NULL};                                                    \
    OXI_AT_START(oxi_link_component_##T) {                                                         \
        oxi_component_link(&oxi_component_##T);                                                    \
    }                                                                                              \
    OXI_STATIC_ASSERT(sizeof(#T) <= 128, "the name of component " #T " is too long")
// clang-format on

static inline uint32_t oxi_component_id(ox_component *component, ox_site site) {
    uint32_t id = OXI_LOAD_ACQUIRE(&component->oxi_id);
    return id != 0 ? id : ox_component_id_of_at(component, site);
}
