// SPDX-License-Identifier: MIT
//
// Writing JSON into a text, from front to back.
//
//     oxi_json_writer json = oxi_json_write_to(&text);
//     oxi_json_begin_object(&json);
//     oxi_json_write_key(&json, "workers");
//     oxi_json_write_int(&json, 8);
//     oxi_json_end_object(&json);
//     if (!oxi_json_is_whole(&json)) { ... }
//
// Commas, colons and escapes are the writer's. The order of calls is the caller's: a key before
// each member, an end for each begin; debug builds assert it. Errors need no look on the way: the
// text remembers that it failed. The result has no white space and is always valid UTF-8.

#pragma once

#include "base/json_node.h"
#include "base/text.h"

/// Where a writer is. Make it with oxi_json_write_to; it owns nothing.
typedef struct oxi_json_writer {
    oxi_text *text;
    uint64_t is_object; ///< bit k: level k is an object, else an array
    uint64_t has_items; ///< bit k: level k has an item already
    uint32_t depth;     ///< objects and arrays that are open
    bool has_key;       ///< a key waits for its value
    bool has_root;      ///< the value of the whole text was begun
} oxi_json_writer;

/// Begins a JSON text at the end of `text`, which must outlive the writer.
oxi_json_writer oxi_json_write_to(oxi_text *text);

/// True when one value was written, everything was ended, and nothing was cut or refused.
bool oxi_json_is_whole(const oxi_json_writer *json);

/// Each begins or ends a value with others inside. A level more than OXI_JSON_MAX_DEPTH fails the
/// text.
void oxi_json_begin_object(oxi_json_writer *json);
void oxi_json_end_object(oxi_json_writer *json);
void oxi_json_begin_array(oxi_json_writer *json);
void oxi_json_end_array(oxi_json_writer *json);

/// Begins a value: before a whole one that the caller adds to the text without the writer.
void oxi_json_begin_value(oxi_json_writer *json);

/// Writes the name of the member whose value comes next. Names must differ within an object.
void oxi_json_write_key(oxi_json_writer *json, const char *key);
void oxi_json_write_key_sized(oxi_json_writer *json, const char *key, size_t size);

/// Writes a text, escaped. What is not UTF-8 in it becomes U+FFFD. NULL is written as null.
void oxi_json_write_string(oxi_json_writer *json, const char *value);
void oxi_json_write_string_sized(oxi_json_writer *json, const char *value, size_t size);

void oxi_json_write_int(oxi_json_writer *json, int64_t value);
void oxi_json_write_uint(oxi_json_writer *json, uint64_t value);

/// Writes the fewest digits that read back as the same number; null when it is not finite.
void oxi_json_write_double(oxi_json_writer *json, double value);
void oxi_json_write_float(oxi_json_writer *json, float value);

void oxi_json_write_bool(oxi_json_writer *json, bool value);
void oxi_json_write_null(oxi_json_writer *json);
