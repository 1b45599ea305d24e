// SPDX-License-Identifier: MIT
//
// Writing JSON.
//
// A level is an open object or array; its two bits are all that has to be remembered of it. Levels
// past the limit are counted, so that ends still fit begins, but have no bits: the text has failed
// by then.
//
// Invariant: has_key is set only in an object, between a key and its value. While the text has not
// failed, it is the beginning of a valid JSON text.

#include "base/json_writer.h"

#include "base/check.h"
#include "base/utf8.h"

#include <float.h>
#include <string.h>

oxi_json_writer oxi_json_write_to(oxi_text *text) {
    return (oxi_json_writer){.text = text};
}

bool oxi_json_is_whole(const oxi_json_writer *json) {
    return json->has_root && json->depth == 0 && !json->text->failed;
}

// The bit of the innermost level, or 0 when it has none.
static uint64_t json_level_bit(const oxi_json_writer *json) {
    bool has_bit = json->depth > 0 && json->depth <= OXI_JSON_MAX_DEPTH;
    return has_bit ? (uint64_t)1 << (json->depth - 1) : 0;
}

// Writes the comma before an item that is not the first of its level.
static void separate_json_item(oxi_json_writer *json) {
    uint64_t bit = json_level_bit(json);
    if ((json->has_items & bit) != 0) {
        oxi_text_append_char(json->text, ',');
    }
    json->has_items |= bit;
}

void oxi_json_begin_value(oxi_json_writer *json) {
    if (json->has_key) {
        json->has_key = false;
        return;
    }
    OXI_ASSERT((json->is_object & json_level_bit(json)) == 0);
    OXI_ASSERT(json->depth > 0 || !json->has_root);
    json->has_root = true;
    separate_json_item(json);
}

static void begin_json_level(oxi_json_writer *json, bool is_object) {
    oxi_json_begin_value(json);
    OXI_ASSERT(json->depth < OXI_JSON_MAX_DEPTH);
    json->text->failed |= json->depth >= OXI_JSON_MAX_DEPTH;
    oxi_text_append_char(json->text, is_object ? '{' : '[');
    json->depth++;
    uint64_t bit = json_level_bit(json);
    json->is_object = is_object ? json->is_object | bit : json->is_object & ~bit;
    json->has_items &= ~bit;
}

static void end_json_level(oxi_json_writer *json, bool is_object) {
    OXI_ASSERT(json->depth > 0 && !json->has_key);
    OXI_ASSERT(((json->is_object & json_level_bit(json)) != 0) == is_object);
    oxi_text_append_char(json->text, is_object ? '}' : ']');
    json->depth -= json->depth > 0;
}

void oxi_json_begin_object(oxi_json_writer *json) {
    begin_json_level(json, true);
}

void oxi_json_end_object(oxi_json_writer *json) {
    end_json_level(json, true);
}

void oxi_json_begin_array(oxi_json_writer *json) {
    begin_json_level(json, false);
}

void oxi_json_end_array(oxi_json_writer *json) {
    end_json_level(json, false);
}

static void append_ascii_escape(oxi_text *text, char c) {
    static const char names[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *name = c != 0 ? strchr(names, c) : NULL;
    if (name != NULL) {
        oxi_text_append_format(text, "\\%c", letters[name - names]);
        return;
    }
    oxi_text_append_format(text, "\\u%04x", (unsigned)(uint8_t)c);
}

// Adds the character at the start of `value`, which is not a plain byte. Returns its size there.
static size_t append_json_character(oxi_text *text, const char *value, size_t size) {
    if ((uint8_t)value[0] < 0x80) {
        append_ascii_escape(text, value[0]);
        return 1;
    }

    uint32_t code;
    size_t length = oxi_utf8_decode(value, size, &code);
    if (length == 0) {
        oxi_text_append(text, OXI_UTF8_REPLACEMENT);
        return oxi_utf8_broken_size(value, size);
    }
    // These two end a line in JavaScript, where JSON is often pasted.
    if (code == 0x2028 || code == 0x2029) {
        oxi_text_append_format(text, "\\u%04x", (unsigned)code);
    } else {
        oxi_text_append_sized(text, value, length);
    }
    return length;
}

static void append_json_string(oxi_text *text, const char *value, size_t size) {
    oxi_text_append_char(text, '"');
    size_t at = 0;
    while (at < size) {
        size_t start = at;
        while (at < size && oxi_json_is_plain(value[at])) {
            at++;
        }
        oxi_text_append_sized(text, value + start, at - start);
        if (at < size) {
            at += append_json_character(text, value + at, size - at);
        }
    }
    oxi_text_append_char(text, '"');
}

void oxi_json_write_key(oxi_json_writer *json, const char *key) {
    oxi_json_write_key_sized(json, key, strlen(key));
}

void oxi_json_write_key_sized(oxi_json_writer *json, const char *key, size_t size) {
    OXI_ASSERT(!json->has_key);
    OXI_ASSERT((json->is_object & json_level_bit(json)) != 0 || json->text->failed);
    separate_json_item(json);
    append_json_string(json->text, key, size);
    oxi_text_append_char(json->text, ':');
    json->has_key = true;
}

void oxi_json_write_string(oxi_json_writer *json, const char *value) {
    if (value == NULL) {
        oxi_json_write_null(json);
        return;
    }
    oxi_json_write_string_sized(json, value, strlen(value));
}

void oxi_json_write_string_sized(oxi_json_writer *json, const char *value, size_t size) {
    oxi_json_begin_value(json);
    append_json_string(json->text, value, size);
}

void oxi_json_write_int(oxi_json_writer *json, int64_t value) {
    oxi_json_begin_value(json);
    oxi_text_append_int(json->text, value);
}

void oxi_json_write_uint(oxi_json_writer *json, uint64_t value) {
    oxi_json_begin_value(json);
    oxi_text_append_uint(json->text, value);
}

static bool is_json_number(double value) {
    return value >= -DBL_MAX && value <= DBL_MAX;
}

void oxi_json_write_double(oxi_json_writer *json, double value) {
    if (!is_json_number(value)) {
        oxi_json_write_null(json);
        return;
    }
    oxi_json_begin_value(json);
    oxi_text_append_double(json->text, value);
}

void oxi_json_write_float(oxi_json_writer *json, float value) {
    if (!is_json_number((double)value)) {
        oxi_json_write_null(json);
        return;
    }
    oxi_json_begin_value(json);
    oxi_text_append_float(json->text, value);
}

void oxi_json_write_bool(oxi_json_writer *json, bool value) {
    oxi_json_begin_value(json);
    oxi_text_append(json->text, value ? "true" : "false");
}

void oxi_json_write_null(oxi_json_writer *json) {
    oxi_json_begin_value(json);
    oxi_text_append(json->text, "null");
}
