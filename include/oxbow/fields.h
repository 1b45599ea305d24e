// SPDX-License-Identifier: MIT
//
// Fields of components by path, and components as JSON: for editors, scripts and saved files, which
// know names instead of types.
//
//     uint32_t id = ox_component_find("Position");
//     ox_field_value x = {0};
//     ox_field_read(id, value, "x", &x);                            // x.real
//     x.real += 1;
//     ox_field_write(id, value, "x", &x);
//     char text[256];
//     ox_component_write_json(id, value, text, sizeof text);        // {"x":2,"y":0}
//
// Threads: call these from any thread; the caller guarantees that no other thread writes the value.

#pragma once

#include "oxbow/components.h"

// Fields by path: "position.x", "slots[3]", "slots[3].count". The elements of an array of arrays
// have one index: the last one of `int m[2][3]` is "m[5]".

/// The location and the type of the field at a path.
typedef struct ox_field_location {
    const ox_field *field; ///< in the layout of the component
    size_t offset;         ///< in the value, including the indices of the path
    size_t size;           ///< of one element
    uint32_t count;        ///< of elements: 1 unless the path names a whole array
    ox_field_kind kind;
    ox_scalar scalar;
    const ox_type *type; ///< of a struct or opaque field, else NULL
    bool is_array;       ///< the path names a whole array
} ox_field_location;

/// Finds a field of component `id`.
/// @return false after a report, with `location` zeroed.
OX_API bool ox_field_find_at(uint32_t id, const char *path, ox_field_location *location,
                             ox_site site);
#define ox_field_find(id, path, location) ox_field_find_at(id, path, location, OX_HERE)

/// What an ox_field_value holds.
typedef enum ox_field_value_kind {
    OX_FIELD_VALUE_NONE = 0,
    OX_FIELD_VALUE_SIGNED,   ///< `integer`
    OX_FIELD_VALUE_UNSIGNED, ///< `number`
    OX_FIELD_VALUE_FLOATING, ///< `real`
    OX_FIELD_VALUE_BOOL,     ///< `boolean`
    OX_FIELD_VALUE_ENTITY,   ///< `entity`
    OX_FIELD_VALUE_BYTES,    ///< `bytes`: a struct, a whole array, a pointer, an unknown type
} ox_field_value_kind;

/// The value of a field.
typedef struct ox_field_value {
    ox_field_value_kind kind;
    bool boolean;
    int64_t integer;
    uint64_t number;
    double real;
    ox_entity entity;
    const void *bytes; ///< `size` of them; after reading, they are the component itself
    size_t size;
} ox_field_value;

/// Reads a field of `value`, a component of type `id`. A number has the kind of the field; an enum
/// is signed, and a long double becomes the nearest double.
/// @return false after a report, with `out` zeroed.
OX_API bool ox_field_read_at(uint32_t id, const void *value, const char *path, ox_field_value *out,
                             ox_site site);
#define ox_field_read(id, value, path, out) ox_field_read_at(id, value, path, out, OX_HERE)

/// Writes a field of `value`. A number may have any kind if the field can hold it: an integer field
/// takes whole numbers in its range; a float field takes any floating number in its range, rounded,
/// and integers that it represents exactly. Bytes must have the size of the field.
/// @return false after a report, with nothing written.
OX_API bool ox_field_write_at(uint32_t id, void *value, const char *path, const ox_field_value *in,
                              ox_site site);
#define ox_field_write(id, value, path, in) ox_field_write_at(id, value, path, in, OX_HERE)

// JSON. A struct is an object, an array an array, an entity the text "index:version", an enum a
// number. A char array is a text if it is valid UTF-8 padded with zeros, else an array of numbers.
// Numbers that are not finite are "nan", "inf" or "-inf". Bytes that no JSON number represents (a
// type with unknown fields, the payload of a NaN, the digits of a long double) are "hex:" and their
// digits in memory order. OX_UNOWNED pointers are null.

/// Writes `value`, a component of type `id`, as JSON to `buffer` of `capacity` bytes. Truncates the
/// text to fit and always terminates it. With NULL and capacity 0 it only returns the length. The
/// value of a tag may be NULL.
/// @return the length of the whole text without the terminator; 0 after a report.
OX_API size_t ox_component_write_json_at(uint32_t id, const void *value, char *buffer,
                                         size_t capacity, ox_site site);
#define ox_component_write_json(id, value, buffer, capacity)                                       \
    ox_component_write_json_at(id, value, buffer, capacity, OX_HERE)

/// Reads `length` bytes of JSON into `value`. Missing fields and OX_UNOWNED pointers keep their
/// value. Written JSON reads back as the same bytes, except padding.
/// @return false after a report that names the path, with nothing written.
OX_API bool ox_component_read_json_at(uint32_t id, const char *json, size_t length, void *value,
                                      ox_site site);
#define ox_component_read_json(id, json, length, value)                                            \
    ox_component_read_json_at(id, json, length, value, OX_HERE)
