// SPDX-License-Identifier: MIT
//
// Fields of components by path, and components as JSON: for editors, scripts and saved files, which
// know names and not types.
//
//     uint32_t id = ox_component_find("Position");
//     ox_field_value x = {0};
//     ox_field_read(id, value, "x", &x);                            // x.real
//     x.real += 1;
//     ox_field_write(id, value, "x", &x);
//     char text[256];
//     ox_component_write_json(id, value, text, sizeof text);        // {"x":2,"y":0}
//
// Threads: call these from any thread; the caller guarantees that nobody writes the value
// meanwhile.

#pragma once

#include "oxbow/components.h"

// Fields by path: "position.x", "slots[3]", "slots[3].count". An array of arrays counts through:
// the last element of `int m[2][3]` is "m[5]".

/// Where the field of a path lies, and what it is.
typedef struct ox_field_location {
    const ox_field *field; ///< in the layout of the component
    size_t offset;         ///< in the value, with the indices of the path
    size_t size;           ///< of one element
    uint32_t count;        ///< of elements: 1 unless the path names a whole array
    ox_field_kind kind;
    ox_scalar scalar;
    const ox_type *type; ///< of a struct or opaque field, else NULL
    bool is_array;       ///< the path names a whole array
} ox_field_location;

/// Finds a field of component `id`.
/// @return false after a report, with `place` zeroed.
OX_API bool ox_field_find_at(uint32_t id, const char *path, ox_field_location *place, ox_site site);
#define ox_field_find(id, path, place) ox_field_find_at(id, path, place, OX_HERE)

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
    const void *bytes; ///< `size` of them; after reading they are those of the component itself
    size_t size;
} ox_field_value;

/// Reads a field of `value`, a component of type `id`. Numbers come as the kind that the field is;
/// an enum is signed, and a long double comes as the nearest double.
/// @return false after a report, with `out` zeroed.
OX_API bool ox_field_read_at(uint32_t id, const void *value, const char *path, ox_field_value *out,
                             ox_site site);
#define ox_field_read(id, value, path, out) ox_field_read_at(id, value, path, out, OX_HERE)

/// Writes a field of `value`. A number may come as any kind of number that the field can hold: a
/// whole one in its range for an integer; for a float any number in its range, rounded, but an
/// integer only when it is held exactly. Bytes must have the size of the field.
/// @return false after a report: nothing was written.
OX_API bool ox_field_write_at(uint32_t id, void *value, const char *path, const ox_field_value *in,
                              ox_site site);
#define ox_field_write(id, value, path, in) ox_field_write_at(id, value, path, in, OX_HERE)

// JSON. A struct is an object, an array an array, an entity the text "index:version", an enum a
// number. A char array is a text when it is valid UTF-8 that ends in zeros, else numbers. What is
// not finite is "nan", "inf" or "-inf". Bytes that no number stands for (a type whose fields are
// not known, the payload of a NaN, the digits of a long double) are "hex:" and their digits in the
// order of memory. OX_UNOWNED pointers are null.

/// Writes `value`, a component of type `id`, as JSON to `buffer` of `capacity` bytes. The text is
/// cut to fit and always ends with a 0; NULL with capacity 0 asks for the length alone. The value
/// of a tag may be NULL.
/// @return the length of the whole text, without the 0; 0 after a report.
OX_API size_t ox_component_write_json_at(uint32_t id, const void *value, char *buffer,
                                         size_t capacity, ox_site site);
#define ox_component_write_json(id, value, buffer, capacity)                                       \
    ox_component_write_json_at(id, value, buffer, capacity, OX_HERE)

/// Reads `length` bytes of JSON into `value`. Fields that are missing keep their value, and so do
/// OX_UNOWNED pointers. What was written reads back as the same bytes, padding aside.
/// @return false after a report that names the path: nothing was written.
OX_API bool ox_component_read_json_at(uint32_t id, const char *json, size_t length, void *value,
                                      ox_site site);
#define ox_component_read_json(id, json, length, value)                                            \
    ox_component_read_json_at(id, json, length, value, OX_HERE)
