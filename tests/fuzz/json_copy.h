// SPDX-License-Identifier: MIT
//
// Writing what was read from JSON, and comparing it: for the test and the fuzzer.

#pragma once

#include "base/json_reader.h"
#include "base/json_writer.h"

static inline void json_copy(oxi_json_writer *writer, const oxi_json_node *node) {
    const bool is_object = node->kind == OXI_JSON_OBJECT;
    switch ((oxi_json_kind)node->kind) {
    case OXI_JSON_NULL:
        oxi_json_write_null(writer);
        return;
    case OXI_JSON_BOOL:
        oxi_json_write_bool(writer, node->as.boolean);
        return;
    case OXI_JSON_INT:
        oxi_json_write_int(writer, node->as.integer);
        return;
    case OXI_JSON_UINT:
        oxi_json_write_uint(writer, node->as.number);
        return;
    case OXI_JSON_DOUBLE:
        oxi_json_write_double(writer, node->as.real);
        return;
    case OXI_JSON_STRING:
        oxi_json_write_string_sized(writer, node->as.string.data, node->as.string.size);
        return;
    case OXI_JSON_ARRAY:
    case OXI_JSON_OBJECT:
        break;
    }

    (is_object ? oxi_json_begin_object : oxi_json_begin_array)(writer);
    for (const oxi_json_node *child = oxi_json_first(node); child != NULL;
         child = oxi_json_next(node, child)) {
        if (is_object) {
            oxi_json_write_key_sized(writer, child->as.string.data, child->as.string.size);
        }
        json_copy(writer, is_object ? child + 1 : child);
    }
    (is_object ? oxi_json_end_object : oxi_json_end_array)(writer);
}

// A whole number that was written with an exponent may come back as an integer of the same value.
static inline bool json_numbers_equal(const oxi_json_node *a, const oxi_json_node *b) {
    double left, right;
    if (!oxi_json_get_double(a, &left) || !oxi_json_get_double(b, &right)) {
        return false;
    }
    bool is_exact = a->kind == b->kind && a->kind != OXI_JSON_DOUBLE;
    return is_exact ? a->as.number == b->as.number : memcmp(&left, &right, sizeof left) == 0;
}

static inline bool json_nodes_equal(const oxi_json_node *a, const oxi_json_node *b) {
    switch ((oxi_json_kind)a->kind) {
    case OXI_JSON_NULL:
        return b->kind == OXI_JSON_NULL;
    case OXI_JSON_BOOL:
        return b->kind == OXI_JSON_BOOL && a->as.boolean == b->as.boolean;
    case OXI_JSON_STRING:
        return b->kind == OXI_JSON_STRING && a->as.string.size == b->as.string.size &&
               memcmp(a->as.string.data, b->as.string.data, a->as.string.size) == 0;
    case OXI_JSON_ARRAY:
    case OXI_JSON_OBJECT:
        return a->kind == b->kind && a->as.count == b->as.count && a->span == b->span;
    default:
        return json_numbers_equal(a, b);
    }
}

/// True when both texts have the same values in the same order.
static inline bool json_equal(const oxi_json *a, const oxi_json *b) {
    if (a->nodes.count != b->nodes.count) {
        return false;
    }
    for (size_t k = 0; k < a->nodes.count; k++) {
        if (!json_nodes_equal(&a->nodes.items[k], &b->nodes.items[k])) {
            return false;
        }
    }
    return true;
}
