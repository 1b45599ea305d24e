// SPDX-License-Identifier: MIT
//
// What was read from JSON: nodes in one array, walked in place.
//
// A value is a pointer to its node, and what is inside it follows it in the array. Every function
// takes NULL for "not there" and passes it on, so a path is one expression and is checked once, at
// its end. Nodes do not change: any thread may walk them.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Objects and arrays that may stand inside each other, read or written.
enum { OXI_JSON_MAX_DEPTH = 64 };

/// True for a byte that stands for itself in a string, and for a whole character.
static inline bool oxi_json_is_plain(char c) {
    uint8_t byte = (uint8_t)c;
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

typedef enum oxi_json_kind {
    OXI_JSON_NULL = 0,
    OXI_JSON_BOOL,
    OXI_JSON_INT,    ///< without fraction or exponent, in the range of int64_t
    OXI_JSON_UINT,   ///< the same above that range, up to UINT64_MAX
    OXI_JSON_DOUBLE, ///< every other number, -0 too
    OXI_JSON_STRING,
    OXI_JSON_ARRAY,
    OXI_JSON_OBJECT,
} oxi_json_kind;

/// One value, or the name of a member: in an object, names and values take turns.
typedef struct oxi_json_node {
    uint32_t kind; ///< an oxi_json_kind
    uint32_t span; ///< nodes from this one to the next outside of it, at least 1
    union {
        bool boolean;
        int64_t integer;
        uint64_t number;
        double real;
        uint64_t count; ///< items of an array, members of an object
        struct {
            const char *data; ///< unescaped, with a 0 at its end
            size_t size;      ///< bytes, without that 0; the text itself may hold zeros
        } string;
    } as;
} oxi_json_node;

/// The kind of a value; OXI_JSON_NULL for NULL, as for a null of the text.
oxi_json_kind oxi_json_get_kind(const oxi_json_node *node);

/// How many items or members a value has; 0 when it is no array or object.
size_t oxi_json_count(const oxi_json_node *node);

/// The value of the member called `key`; NULL when there is none. Looks at one name after another.
const oxi_json_node *oxi_json_find(const oxi_json_node *object, const char *key);

/// The item at `index` of an array; NULL when there is none. Steps over all items before it: to
/// walk an array, use oxi_json_first and oxi_json_next.
const oxi_json_node *oxi_json_item(const oxi_json_node *array, size_t index);

/// Walks the values of an array, or the names of an object: the value of a name is name + 1.
/// @return NULL at the end.
const oxi_json_node *oxi_json_first(const oxi_json_node *parent);
const oxi_json_node *oxi_json_next(const oxi_json_node *parent, const oxi_json_node *child);

/// Each reads a value. @return false when it is not there, or does not fit; `value` is unchanged.
bool oxi_json_get_bool(const oxi_json_node *node, bool *value);

/// A number with fraction or exponent fits when it is whole and below 2^53, where none was rounded.
bool oxi_json_get_int(const oxi_json_node *node, int64_t *value);
bool oxi_json_get_uint(const oxi_json_node *node, uint64_t *value);

/// Any number fits; an integer is rounded to the nearest double.
bool oxi_json_get_double(const oxi_json_node *node, double *value);

/// The string lives as long as what was read. `size` may be NULL: then a string with a 0 inside
/// does not fit.
bool oxi_json_get_string(const oxi_json_node *node, const char **value, size_t *size);
