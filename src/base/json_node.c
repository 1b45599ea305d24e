// SPDX-License-Identifier: MIT
//
// Walking what was read from JSON.
//
// Invariant: the nodes of a value are the `span` nodes from its own on, so the next outside of it
// is node + span. The spans of the values inside add up to span - 1.

#include "base/json_node.h"

#include <string.h>

// Whole numbers below this were not rounded when they were read as doubles.
#define JSON_EXACT_LIMIT 0x1p53

static bool is_json_kind(const oxi_json_node *node, oxi_json_kind kind) {
    return node != NULL && node->kind == (uint32_t)kind;
}

static bool has_json_items(const oxi_json_node *node) {
    return is_json_kind(node, OXI_JSON_ARRAY) || is_json_kind(node, OXI_JSON_OBJECT);
}

oxi_json_kind oxi_json_get_kind(const oxi_json_node *node) {
    return node != NULL ? (oxi_json_kind)node->kind : OXI_JSON_NULL;
}

size_t oxi_json_count(const oxi_json_node *node) {
    return has_json_items(node) ? (size_t)node->as.count : 0;
}

const oxi_json_node *oxi_json_find(const oxi_json_node *object, const char *key) {
    if (!is_json_kind(object, OXI_JSON_OBJECT)) {
        return NULL;
    }
    size_t size = strlen(key);
    for (const oxi_json_node *name = oxi_json_first(object); name != NULL;
         name = oxi_json_next(object, name)) {
        if (name->as.string.size == size && memcmp(name->as.string.data, key, size) == 0) {
            return name + 1;
        }
    }
    return NULL;
}

const oxi_json_node *oxi_json_item(const oxi_json_node *array, size_t index) {
    if (!is_json_kind(array, OXI_JSON_ARRAY) || index >= array->as.count) {
        return NULL;
    }
    const oxi_json_node *item = array + 1;
    for (size_t k = 0; k < index; k++) {
        item += item->span;
    }
    return item;
}

const oxi_json_node *oxi_json_first(const oxi_json_node *parent) {
    return oxi_json_count(parent) > 0 ? parent + 1 : NULL;
}

const oxi_json_node *oxi_json_next(const oxi_json_node *parent, const oxi_json_node *child) {
    if (child == NULL || !has_json_items(parent)) {
        return NULL;
    }
    const oxi_json_node *value = parent->kind == OXI_JSON_OBJECT ? child + 1 : child;
    const oxi_json_node *next = value + value->span;
    return next < parent + parent->span ? next : NULL;
}

bool oxi_json_get_bool(const oxi_json_node *node, bool *value) {
    if (!is_json_kind(node, OXI_JSON_BOOL)) {
        return false;
    }
    *value = node->as.boolean;
    return true;
}

static bool is_exact_json_double(const oxi_json_node *node) {
    return is_json_kind(node, OXI_JSON_DOUBLE) && node->as.real > -JSON_EXACT_LIMIT &&
           node->as.real < JSON_EXACT_LIMIT && (double)(int64_t)node->as.real == node->as.real;
}

bool oxi_json_get_int(const oxi_json_node *node, int64_t *value) {
    if (is_json_kind(node, OXI_JSON_INT)) {
        *value = node->as.integer;
        return true;
    }
    if (is_exact_json_double(node)) {
        *value = (int64_t)node->as.real;
        return true;
    }
    return false;
}

bool oxi_json_get_uint(const oxi_json_node *node, uint64_t *value) {
    if (is_json_kind(node, OXI_JSON_UINT)) {
        *value = node->as.number;
        return true;
    }
    int64_t integer;
    if (!oxi_json_get_int(node, &integer) || integer < 0) {
        return false;
    }
    *value = (uint64_t)integer;
    return true;
}

bool oxi_json_get_double(const oxi_json_node *node, double *value) {
    switch (oxi_json_get_kind(node)) {
    case OXI_JSON_INT:
        *value = (double)node->as.integer;
        return true;
    case OXI_JSON_UINT:
        *value = (double)node->as.number;
        return true;
    case OXI_JSON_DOUBLE:
        *value = node->as.real;
        return true;
    default:
        return false;
    }
}

bool oxi_json_get_string(const oxi_json_node *node, const char **value, size_t *size) {
    if (!is_json_kind(node, OXI_JSON_STRING)) {
        return false;
    }
    if (size == NULL && memchr(node->as.string.data, 0, node->as.string.size) != NULL) {
        return false;
    }
    *value = node->as.string.data;
    if (size != NULL) {
        *size = node->as.string.size;
    }
    return true;
}
