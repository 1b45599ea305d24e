// SPDX-License-Identifier: MIT
//
// Reading a component from JSON.
//
// A text is walked twice: once to see that all of it fits, and once to write it. So a value is
// written as a whole or not at all, without a copy of it.

#include "base/check.h"
#include "base/heap.h"
#include "base/json_reader.h"
#include "base/number.h"
#include "base/utf8.h"
#include "types/component_json.h"
#include "types/field_path.h"
#include "types/field_value.h"
#include "types/registry.h"
#include "types/rules.h"
#include "types/shape.h"

#include <stdio.h>
#include <string.h>

// Whole numbers from here on may have been rounded when they were read with an exponent.
#define JSON_ROUNDED_LIMIT 0x1p53

// A value that is being read.
typedef struct json_target {
    const ox_layout *layout;
    char *value;                       // NULL: nothing is written yet
    char path[OXI_LONGEST_FIELD_PATH]; // of the field at hand, cut to fit
    size_t path_length;
    const char *why; // it cannot be read
} json_target;

static bool fail_json(json_target *target, const char *why) {
    target->why = why;
    return false;
}

// The path. Each part is taken off again by setting the length back.

static void push_path(json_target *target, const char *part, size_t length) {
    size_t room = sizeof target->path - 1 - target->path_length;
    length = length <= room ? length : oxi_utf8_cut(part, room);
    memcpy(target->path + target->path_length, part, length);
    target->path_length += length;
    target->path[target->path_length] = 0;
}

static void pop_path(json_target *target, size_t length) {
    target->path_length = length;
    target->path[length] = 0;
}

// Bytes.

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_hex(const oxi_json_node *node) {
    size_t mark = sizeof OXI_HEX_MARK - 1;
    return node->kind == OXI_JSON_STRING && node->as.string.size >= mark &&
           memcmp(node->as.string.data, OXI_HEX_MARK, mark) == 0;
}

static bool read_hex(json_target *target, const oxi_json_node *node, char *to, size_t size) {
    static const char why[] = "\"hex:\" and two digits 0 to f for each byte should stand here";
    size_t mark = sizeof OXI_HEX_MARK - 1;
    if (!is_hex(node) || node->as.string.size - mark != 2 * size) {
        return fail_json(target, why);
    }
    const char *digits = node->as.string.data + mark;
    for (size_t k = 0; k < size; k++) {
        int high = hex_digit(digits[2 * k]), low = hex_digit(digits[2 * k + 1]);
        if (high < 0 || low < 0) {
            return fail_json(target, why);
        }
        if (to != NULL) {
            to[k] = (char)(high * 16 + low);
        }
    }
    return true;
}

// Elements. Each writes to `to`, unless that is NULL.

static bool read_special_number(const oxi_json_node *node, double *number) {
    for (int k = 0; k < OXI_SPECIAL_NUMBERS && node->kind == OXI_JSON_STRING; k++) {
        // The text has a 0 at its end; one inside makes it another size.
        const char *text = oxi_special_numbers[k].text;
        if (node->as.string.size == strlen(text) && strcmp(node->as.string.data, text) == 0) {
            *number = oxi_special_numbers[k].number;
            return true;
        }
    }
    return false;
}

static ox_field_value number_of_node(const oxi_json_node *node) {
    ox_field_value value = {0};
    switch ((oxi_json_kind)node->kind) {
    case OXI_JSON_INT:
        value.kind = OX_FIELD_VALUE_SIGNED;
        value.integer = node->as.integer;
        break;
    case OXI_JSON_UINT:
        value.kind = OX_FIELD_VALUE_UNSIGNED;
        value.number = node->as.number;
        break;
    case OXI_JSON_DOUBLE:
        value.kind = OX_FIELD_VALUE_FLOATING;
        value.real = node->as.real;
        break;
    default:
        break;
    }
    return value;
}

static bool read_number(json_target *target, const ox_field *field, const oxi_json_node *node,
                        char *to) {
    ox_field_value value = number_of_node(node);
    bool is_float = field->scalar == OX_SCALAR_FLOAT;
    if (is_float && read_special_number(node, &value.real)) {
        value.kind = OX_FIELD_VALUE_FLOATING;
    } else if (is_float && is_hex(node)) {
        return read_hex(target, node, to, oxi_field_value_size(field));
    }
    bool is_rounded = value.kind == OX_FIELD_VALUE_FLOATING && !is_float &&
                      (value.real <= -JSON_ROUNDED_LIMIT || value.real >= JSON_ROUNDED_LIMIT);
    if (is_rounded) {
        return fail_json(target, "so great a whole number has to stand without an exponent");
    }
    const char *why = oxi_field_store(field, to, &value);
    return why == NULL || fail_json(target, why);
}

static bool read_entity(json_target *target, const oxi_json_node *node, char *to) {
    static const char why[] = "an entity should stand here, as \"index:version\"";
    if (node->kind != OXI_JSON_STRING) {
        return fail_json(target, why);
    }
    const char *text = node->as.string.data;
    size_t size = node->as.string.size;
    const char *colon = memchr(text, ':', size);
    uint64_t index, version;
    if (colon == NULL || !oxi_number_read_uint(text, (size_t)(colon - text), &index) ||
        !oxi_number_read_uint(colon + 1, size - (size_t)(colon + 1 - text), &version) ||
        index > UINT32_MAX || version > UINT32_MAX) {
        return fail_json(target, why);
    }
    if (to != NULL) {
        ox_entity entity = {(uint32_t)index, (uint32_t)version};
        memcpy(to, &entity, sizeof entity);
    }
    return true;
}

static bool read_leaf(json_target *target, const ox_field *field, const oxi_json_node *node,
                      char *to) {
    if (field->kind == OX_FIELD_POINTER) {
        return node->kind == OXI_JSON_NULL ||
               fail_json(target, "null should stand here: pointers are not read");
    }
    if (oxi_field_is_entity(field)) {
        return read_entity(target, node, to);
    }
    if (field->kind == OX_FIELD_OPAQUE) {
        return read_hex(target, node, to, field->size);
    }
    if (field->scalar != OX_SCALAR_BOOL) {
        return read_number(target, field, node, to);
    }
    ox_field_value value = {.kind = OX_FIELD_VALUE_BOOL};
    if (!oxi_json_get_bool(node, &value.boolean)) {
        return fail_json(target, "true or false should stand here");
    }
    return oxi_field_store(field, to, &value) == NULL;
}

// Fields.

static bool read_members(json_target *target, uint32_t first, uint32_t end, size_t shift,
                         const oxi_json_node *object);

static bool read_element(json_target *target, uint32_t index, size_t shift,
                         const oxi_json_node *node) {
    const ox_field *field = &target->layout->fields[index];
    if (field->kind == OX_FIELD_STRUCT) {
        return read_members(target, index + 1, index + 1 + field->field_count, shift, node);
    }
    char *to = target->value != NULL ? target->value + field->offset + shift : NULL;
    return read_leaf(target, field, node, to);
}

static bool read_char_array(json_target *target, const ox_field *field, size_t shift,
                            const oxi_json_node *node) {
    size_t size = node->as.string.size;
    if (size >= field->count) {
        return fail_json(target, "the text is too long: the array has to hold a 0 behind it");
    }
    if (memchr(node->as.string.data, 0, size) != NULL) {
        return fail_json(target, "the text has a 0 inside");
    }
    if (target->value != NULL) {
        char *to = target->value + field->offset + shift;
        memcpy(to, node->as.string.data, size);
        memset(to + size, 0, field->count - size);
    }
    return true;
}

static bool read_items(json_target *target, uint32_t index, size_t shift,
                       const oxi_json_node *array) {
    const ox_field *field = &target->layout->fields[index];
    if (array->kind != OXI_JSON_ARRAY) {
        return fail_json(target, "an array should stand here");
    }
    if (array->as.count != field->count) {
        return fail_json(target, array->as.count < field->count ? "the array has too few items"
                                                                : "the array has too many items");
    }
    size_t length = target->path_length;
    const oxi_json_node *item = oxi_json_first(array);
    for (uint32_t k = 0; k < field->count; k++, item = oxi_json_next(array, item)) {
        char part[16];
        int size = snprintf(part, sizeof part, "[%u]", (unsigned)k);
        push_path(target, part, (size_t)size);
        if (!read_element(target, index, shift + k * field->size, item)) {
            return false;
        }
        pop_path(target, length);
    }
    return true;
}

static bool read_field(json_target *target, uint32_t index, size_t shift,
                       const oxi_json_node *node) {
    const ox_field *field = &target->layout->fields[index];
    if (!field->is_array) {
        return read_element(target, index, shift, node);
    }
    if (node->kind == OXI_JSON_STRING && oxi_field_is_text(field)) {
        return read_char_array(target, field, shift, node);
    }
    return read_items(target, index, shift, node);
}

// The fields of one struct, in an element that lies `shift` bytes behind the first one.
static bool read_members(json_target *target, uint32_t first, uint32_t end, size_t shift,
                         const oxi_json_node *object) {
    if (object->kind != OXI_JSON_OBJECT) {
        return fail_json(target, "an object should stand here");
    }
    size_t length = target->path_length;
    for (const oxi_json_node *name = oxi_json_first(object); name != NULL;
         name = oxi_json_next(object, name)) {
        const char *key = name->as.string.data;
        size_t size = name->as.string.size;
        if (length > 0) {
            push_path(target, ".", 1);
        }
        push_path(target, key, size);
        int32_t index = oxi_field_member(target->layout, first, end, key, size);
        if (index < 0) {
            return fail_json(target, "there is no such field");
        }
        if (!read_field(target, (uint32_t)index, shift, name + 1)) {
            return false;
        }
        pop_path(target, length);
    }
    return true;
}

static bool read_component(const ox_component_info *info, const oxi_json_node *root,
                           json_target *target) {
    if (info->size > 0 && info->layout.field_count == 0) {
        return read_hex(target, root, target->value, info->size);
    }
    return read_members(target, 0, info->layout.field_count, 0, root);
}

// Reports.

static bool report_bad_json(const ox_component_info *info, const char *where, const char *why,
                            ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_BAD_COMPONENT_JSON, site, OXI_NAME("component", info->name),
                      OXI_NAME("path", where), OXI_NAME("why", why));
}

static bool report_json_error(const ox_component_info *info, const oxi_json_error *error,
                              size_t length, ox_site site) {
    if (error->code == OXI_JSON_ERROR_OUT_OF_MEMORY) {
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", length),
                          OXI_NAME("allocator", "ox_component_read_json"));
    }
    char where[40];
    snprintf(where, sizeof where, "byte %zu", error->offset);
    return report_bad_json(info, where, error->message, site);
}

bool ox_component_read_json_at(uint32_t id, const char *json, size_t length, void *value,
                               ox_site site) {
    if (!oxi_hooks_require_outside("ox_component_read_json", site)) {
        return false;
    }
    const ox_component_info *info = oxi_component_require(id, "ox_component_read_json", site);
    if (info == NULL || !OXI_REQUIRE_ARGUMENT(json, "ox_component_read_json", site) ||
        (info->size > 0 && !OXI_REQUIRE_ARGUMENT(value, "ox_component_read_json", site))) {
        return false;
    }
    oxi_json read;
    oxi_json_error error;
    if (!oxi_json_read(&read, json, length, &error)) {
        return report_json_error(info, &error, length, site);
    }
    json_target target = {.layout = &info->layout};
    const oxi_json_node *root = oxi_json_root(&read);
    bool fits = read_component(info, root, &target);
    if (fits) {
        target.value = value;
        read_component(info, root, &target);
    } else {
        const char *where = target.path_length > 0 ? target.path : "the whole text";
        report_bad_json(info, where, target.why, site);
    }
    oxi_json_free(&read);
    return fits;
}
