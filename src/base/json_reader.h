// SPDX-License-Identifier: MIT
//
// Reading JSON: a whole text at once, into an array of nodes that are walked in place.
//
//     oxi_json json;
//     oxi_json_error error;
//     if (!oxi_json_read(&json, text, size, &error)) { ... error.offset, error.message ... }
//     int64_t workers = 0;
//     oxi_json_get_int(oxi_json_find(oxi_json_root(&json), "workers"), &workers);
//     oxi_json_free(&json);
//
// The reader is strict: RFC 8259 and nothing more, and names must differ within an object. It never
// recurses and never reads past `size`. See base/json_node.h for walking what was read.

#pragma once

#include "base/json_node.h"
#include "base/list.h"

/// Bytes of a text. It keeps the number of nodes in 32 bits.
enum { OXI_JSON_MAX_SIZE = 256 << 20 };

// long: a list of data
#define OXI_JSON_ERROR_LIST(X)                                                                     \
    X(NONE, "no error")                                                                            \
    X(OUT_OF_MEMORY, "out of memory")                                                              \
    X(TOO_LARGE, "the text is larger than 256 MiB")                                                \
    X(TOO_DEEP, "more than 64 levels of objects and arrays")                                       \
    X(END, "the text ends before its value does")                                                  \
    X(VALUE, "a value should stand here")                                                          \
    X(KEY, "a name in quotes should stand here")                                                   \
    X(COLON, "a colon should stand here")                                                          \
    X(SEPARATOR, "a comma or the end of the list should stand here")                               \
    X(NUMBER, "this is not a number of JSON")                                                      \
    X(NUMBER_RANGE, "the number is too great for a double")                                        \
    X(CONTROL, "a control character in a string must be escaped")                                  \
    X(ESCAPE, "this escape is not one of JSON")                                                    \
    X(SURROGATE, "half of a surrogate pair stands alone")                                          \
    X(UTF8, "the text is not valid UTF-8")                                                         \
    X(DUPLICATE_KEY, "two members of the object that ends here have the same name")                \
    X(EXTRA, "there is more text after the value")

typedef enum oxi_json_error_code {
#define OXI_JSON_ERROR_ENUM(name, message) OXI_JSON_ERROR_##name,
    OXI_JSON_ERROR_LIST(OXI_JSON_ERROR_ENUM)
#undef OXI_JSON_ERROR_ENUM
} oxi_json_error_code;

/// Why a text was refused.
typedef struct oxi_json_error {
    oxi_json_error_code code;
    size_t offset;       ///< the byte of the text where it was noticed
    const char *message; ///< one clause, without a point at the end
} oxi_json_error;

/// A text that was read. It owns its memory; the text it was read from may go.
typedef struct oxi_json {
    OXI_LIST(oxi_json_node) nodes;
    OXI_LIST(char) strings;
} oxi_json;

/// Reads `size` bytes. `error` may be NULL.
/// @return false when the text is refused; then `json` is {0} and owns nothing.
bool oxi_json_read(oxi_json *json, const char *text, size_t size, oxi_json_error *error);

/// Frees what was read, and every string in it.
void oxi_json_free(oxi_json *json);

/// The value of the whole text; NULL when nothing was read.
const oxi_json_node *oxi_json_root(const oxi_json *json);
