// SPDX-License-Identifier: MIT
//
// The shape of a component's values: its fields, and which bytes are value, pointer or entity.

#pragma once

#include "base/struct_scan.h"
#include "oxbow/components.h"

#include <float.h>

/// True for an announced type that a room calls `role`. NULL is none.
bool oxi_type_has_role(const ox_type *type, const char *role);

/// True for an ox_entity.
static inline bool oxi_field_is_entity(const ox_field *field) {
    return field->kind == OX_FIELD_OPAQUE && oxi_type_has_role(field->type, "entity");
}

/// True for a number that is stored as a long double.
static inline bool oxi_field_is_long_double(const ox_field *field) {
    return field->scalar == OX_SCALAR_FLOAT && field->size == sizeof(long double) &&
           sizeof(long double) > sizeof(double);
}

/// The bytes of one element that have a value: x86 pads a long double.
static inline size_t oxi_field_value_size(const ox_field *field) {
    return LDBL_MANT_DIG == 64 && oxi_field_is_long_double(field) ? 10 : field->size;
}

/// Called for a field that is no struct, at the offset it has in one element of what holds it.
typedef void oxi_leaf_fn(const ox_field *field, size_t offset, void *context);

/// Calls `leaf` for every field of a value that is no struct, in the order of memory. An array of
/// structs is walked element by element; an array of anything else is one call.
void oxi_layout_walk(const ox_layout *layout, oxi_leaf_fn *leaf, void *context);

/// Writes the path of a field, without indices: "inner.list". It is cut to fit.
void oxi_layout_path(const ox_layout *layout, const ox_field *field, char *buffer, size_t size);

/// How a scan without reports ended.
typedef enum oxi_layout_result {
    OXI_LAYOUT_OK = 0,
    OXI_LAYOUT_REFUSED, ///< scan it with ox_layout_create_at to report why
    OXI_LAYOUT_NO_MEMORY,
} oxi_layout_result;

/// Does what ox_layout_create_at does, and reports nothing. `type` has a text.
oxi_layout_result oxi_layout_make(const ox_type *type, ox_layout *layout);

/// Sets size and alignment of `type` to what its text makes. @return false when it cannot be read.
bool oxi_layout_measure(ox_type *type);

/// Lists of a shape. Without memory for them, they are only counted.
typedef struct oxi_shape {
    ox_byte_span *values;
    ox_byte_span *unowned;
    ox_byte_span *owned;
    uint32_t *entities;
    uint32_t value_count;
    uint32_t unowned_count;
    uint32_t owned_count;
    uint32_t entity_count;
    uint32_t byte_count; ///< of all spans
} oxi_shape;

/// Finds the shape of a type: of its fields, or, when `layout` has none, of the type as a whole.
/// Lists that are not NULL are filled; they must have room for what was counted before.
void oxi_shape_find(const ox_type *type, const ox_layout *layout, oxi_shape *shape);
