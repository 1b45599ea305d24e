// SPDX-License-Identifier: MIT
//
// Writing a component as JSON.
//
// Invariant: what is written reads back as the same value bytes. So a number is written as a number
// only when reading it gives the same bits; else it has a name, or its bytes are written.

#include "base/check.h"
#include "base/heap.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "types/component_json.h"
#include "types/field_value.h"
#include "types/registry.h"
#include "types/shape.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// A value that is being written.
typedef struct json_source {
    oxi_json_writer json;
    const ox_layout *layout;
    const char *value;
} json_source;

// x86 makes negative NaNs by itself.
const oxi_special_number oxi_special_numbers[OXI_SPECIAL_NUMBERS] = {{"nan", (double)NAN},
                                                                     {"-nan", -(double)NAN},
                                                                     {"inf", (double)INFINITY},
                                                                     {"-inf", -(double)INFINITY}};

bool oxi_field_is_text(const ox_field *field) {
    return field->is_array && field->kind == OX_FIELD_SCALAR &&
           strcmp(field->type_name, "char") == 0;
}

// Elements.

static void write_hex(oxi_json_writer *json, const char *from, size_t size) {
    oxi_text text = {0};
    oxi_text_append(&text, OXI_HEX_MARK);
    for (size_t k = 0; k < size; k++) {
        oxi_text_append_format(&text, "%02x", (unsigned)(uint8_t)from[k]);
    }
    oxi_json_write_string(json, oxi_text_get(&text));
    json->text->failed |= text.failed;
    oxi_text_free(&text);
}

static bool is_same_element(const ox_field *field, const char *from, const ox_field_value *value) {
    char bytes[sizeof(long double)];
    const char *why = oxi_field_store(field, bytes, value);
    return why == NULL && memcmp(bytes, from, oxi_field_value_size(field)) == 0;
}

static void write_real(oxi_json_writer *json, const ox_field *field, const char *from) {
    ox_field_value value = oxi_field_load(field, from);
    bool is_finite = value.real >= -DBL_MAX && value.real <= DBL_MAX;
    if (is_finite && is_same_element(field, from, &value)) {
        if (field->size == sizeof(float)) {
            oxi_json_write_float(json, (float)value.real);
        } else {
            oxi_json_write_double(json, value.real);
        }
        return;
    }
    for (int k = 0; k < OXI_SPECIAL_NUMBERS; k++) {
        value.real = oxi_special_numbers[k].number;
        if (is_same_element(field, from, &value)) {
            oxi_json_write_string(json, oxi_special_numbers[k].text);
            return;
        }
    }
    write_hex(json, from, oxi_field_value_size(field));
}

static void write_entity(oxi_json_writer *json, ox_entity entity) {
    char buffer[32];
    oxi_text text = oxi_text_over(buffer, sizeof buffer);
    oxi_text_append_format(&text, "%" PRIu32 ":%" PRIu32, entity.index, entity.version);
    oxi_json_write_string(json, oxi_text_get(&text));
}

static void write_leaf(oxi_json_writer *json, const ox_field *field, const char *from) {
    if (field->kind == OX_FIELD_POINTER) {
        oxi_json_write_null(json);
        return;
    }
    ox_field_value value = oxi_field_load(field, from);
    switch (value.kind) {
    case OX_FIELD_VALUE_SIGNED:
        oxi_json_write_int(json, value.integer);
        return;
    case OX_FIELD_VALUE_UNSIGNED:
        oxi_json_write_uint(json, value.number);
        return;
    case OX_FIELD_VALUE_FLOATING:
        write_real(json, field, from);
        return;
    case OX_FIELD_VALUE_BOOL:
        oxi_json_write_bool(json, value.boolean);
        return;
    case OX_FIELD_VALUE_ENTITY:
        write_entity(json, value.entity);
        return;
    case OX_FIELD_VALUE_BYTES:
    case OX_FIELD_VALUE_NONE:
        break;
    }
    write_hex(json, from, field->size);
}

// Texts.

// The length of the text in a char array, or -1 when it is none: UTF-8, and zeros to the end.
static int64_t length_of_text(const char *from, uint32_t count) {
    const char *zero = memchr(from, 0, count);
    if (zero == NULL) {
        return -1;
    }
    size_t length = (size_t)(zero - from);
    for (size_t k = length; k < count; k++) {
        if (from[k] != 0) {
            return -1;
        }
    }
    for (size_t k = 0; k < length;) {
        uint32_t code;
        size_t step = oxi_utf8_decode(from + k, length - k, &code);
        if (step == 0) {
            return -1;
        }
        k += step;
    }
    return (int64_t)length;
}

static bool write_char_array(oxi_json_writer *json, const ox_field *field, const char *from) {
    int64_t length = oxi_field_is_text(field) ? length_of_text(from, field->count) : -1;
    if (length < 0) {
        return false;
    }
    oxi_json_write_string_sized(json, from, (size_t)length);
    return true;
}

// Fields.

static void write_members(json_source *source, uint32_t first, uint32_t end, size_t shift);

static void write_element(json_source *source, uint32_t index, size_t shift) {
    const ox_field *field = &source->layout->fields[index];
    if (field->kind != OX_FIELD_STRUCT) {
        write_leaf(&source->json, field, source->value + field->offset + shift);
        return;
    }
    oxi_json_begin_object(&source->json);
    write_members(source, index + 1, index + 1 + field->field_count, shift);
    oxi_json_end_object(&source->json);
}

static void write_field(json_source *source, uint32_t index, size_t shift) {
    const ox_field *field = &source->layout->fields[index];
    if (!field->is_array) {
        write_element(source, index, shift);
        return;
    }
    if (write_char_array(&source->json, field, source->value + field->offset + shift)) {
        return;
    }
    oxi_json_begin_array(&source->json);
    for (uint32_t k = 0; k < field->count; k++) {
        write_element(source, index, shift + k * field->size);
    }
    oxi_json_end_array(&source->json);
}

// The fields of one struct, in an element that lies `shift` bytes behind the first one.
static void write_members(json_source *source, uint32_t first, uint32_t end, size_t shift) {
    for (uint32_t k = first; k < end; k += 1 + source->layout->fields[k].field_count) {
        const ox_field *field = &source->layout->fields[k];
        if (field->name[0] == 0) {
            write_members(source, k + 1, k + 1 + field->field_count, shift);
            continue;
        }
        oxi_json_write_key(&source->json, field->name);
        write_field(source, k, shift);
    }
}

void oxi_component_write(const ox_component_info *info, const void *value, oxi_text *text) {
    json_source source = {oxi_json_write_to(text), &info->layout, value};
    if (info->size > 0 && info->layout.field_count == 0) {
        write_hex(&source.json, value, info->size);
        return;
    }
    oxi_json_begin_object(&source.json);
    write_members(&source, 0, info->layout.field_count, 0);
    oxi_json_end_object(&source.json);
}

static void copy_cut(const oxi_text *text, char *buffer, size_t capacity) {
    size_t length = text->length < capacity ? text->length : oxi_utf8_cut(text->data, capacity - 1);
    memcpy(buffer, text->data, length);
    buffer[length] = 0;
}

size_t ox_component_write_json_at(uint32_t id, const void *value, char *buffer, size_t capacity,
                                  ox_site site) {
    if (!OXI_REQUIRE(buffer != NULL || capacity == 0, NULL, OX_REPORT_NULL_ARGUMENT, site,
                     OXI_NAME("argument", "buffer"),
                     OXI_NAME("function", "ox_component_write_json"))) {
        return 0;
    }
    if (capacity > 0) {
        buffer[0] = 0;
    }
    if (!oxi_hooks_require_outside("ox_component_write_json", site)) {
        return 0;
    }
    const ox_component_info *info = oxi_component_require(id, "ox_component_write_json", site);
    if (info == NULL ||
        (info->size > 0 && !OXI_REQUIRE_ARGUMENT(value, "ox_component_write_json", site))) {
        return 0;
    }
    oxi_text text = {0};
    oxi_component_write(info, value, &text);
    size_t length = text.failed ? 0 : text.length;
    OXI_REQUIRE(!text.failed, NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", text.length),
                OXI_NAME("allocator", "ox_component_write_json"));
    if (!text.failed && capacity > 0) {
        copy_cut(&text, buffer, capacity);
    }
    oxi_text_free(&text);
    return length;
}
