// SPDX-License-Identifier: MIT
//
// Kinds of components, as a table: what is true of a kind, and what is done with its values. A new
// kind is a row here; what it does to chunks and rows is in storage/kind_rows.h.
//
//     data      in_column   | A | A | A |      a value in each row
//     tag                                      nowhere: it is there or not there
//     shared    in_lane     A                  one value for all rows of a lane
//     buffer    in_buffer   | 2 a a | 0 |      a head and some elements in each row, or all outside
//
// Flags stand beside it: any kind may outlive its entity, and those that rows can have can be
// switched off.

#pragma once

#include "base/text.h"
#include "oxbow/components.h"

/// What a kind is and does. At most one of the three places is true.
typedef struct oxi_kind_ops {
    const char *noun;   ///< for reports: "plain data"
    const char *remark; ///< behind a value that is written as text
    bool has_value;     ///< and fields, and a size
    bool in_column;     ///< each row has a value, which is read and written in place
    bool in_lane;       ///< rows of a lane have one value together: who sets it moves the row
    bool in_buffer;     ///< each row has any number of values, reached by a handle
    bool may_own;       ///< its values may hold pointers and containers

    const char *stays_on; ///< why rows cannot switch it off; NULL: they can

    /// How its values are reached, as advice to those who tried another call.
    const char *advice_entity;
    const char *advice_chunk;
    const char *advice_view;

    uint32_t row_align;                                  ///< of a column at least
    uint64_t (*row_size)(const ox_component_info *info); ///< bytes in a row; 0: it has no column

    /// The hash of `count` values that a row has, and these as JSON.
    uint64_t (*hash)(const ox_component_info *info, const char *values, uint32_t count,
                     uint64_t seed);
    void (*write)(const ox_component_info *info, const char *values, uint32_t count,
                  oxi_text *text);
} oxi_kind_ops;

extern const oxi_kind_ops oxi_kinds[];

/// True for a number that is a kind.
bool oxi_kind_is_known(ox_component_kind kind);

static inline const oxi_kind_ops *oxi_kind_of(const ox_component_info *info) {
    return &oxi_kinds[info->kind];
}

/// The same by id. The entities themselves, id 0, are plain data.
static inline const oxi_kind_ops *oxi_kind_of_id(uint32_t component) {
    const ox_component_info *info = ox_component_get_info(component);
    return info != NULL ? oxi_kind_of(info) : &oxi_kinds[OX_COMPONENT_KIND_DATA];
}

/// The row of a kind as a program says it, which may be none: then that of plain data.
const oxi_kind_ops *oxi_kind_said(ox_component_kind kind);

// In a row.

/// Bytes of a component in a row; 0: it has no column.
static inline uint64_t oxi_row_size(const ox_component_info *info) {
    return oxi_kind_of(info)->row_size(info);
}

/// The alignment of a component in a row.
static inline uint32_t oxi_row_align(const ox_component_info *info) {
    uint32_t least = oxi_kind_of(info)->row_align;
    return info->align < least ? least : info->align;
}

/// The inline capacity of a component as it is declared: 0 for all but a buffer.
uint32_t oxi_inline_capacity(const ox_component *component);

/// Where the inline elements of a buffer begin, behind its head: aligned as they have to be.
static inline uint32_t oxi_inline_offset(uint32_t align) {
    return align > (uint32_t)sizeof(oxi_buffer_head) ? align : (uint32_t)sizeof(oxi_buffer_head);
}

// Flags.

static inline bool oxi_is_enableable(const ox_component_info *info) {
    return (info->flags & OX_COMPONENT_ENABLEABLE) != 0;
}

static inline bool oxi_is_cleanup(const ox_component_info *info) {
    return (info->flags & OX_COMPONENT_CLEANUP) != 0;
}

/// True when a copy of an entity has it, too.
static inline bool oxi_is_copied(const ox_component_info *info) {
    return !oxi_is_cleanup(info);
}

/// True when rows have a value or a switch of their own, which changes while they stay where they
/// are: so jobs and main wait for each other's use of it. Another changes with the structure of the
/// world alone.
static inline bool oxi_is_state_of_rows(const ox_component_info *info) {
    return oxi_kind_of(info)->in_column || oxi_kind_of(info)->in_buffer || oxi_is_enableable(info);
}
