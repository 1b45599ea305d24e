// SPDX-License-Identifier: MIT
//
// Names of an object that was read from JSON: sorted, equal ones are neighbours.
//
// Heap sort, in memory that is used again: n log n whatever the names are, so no text makes reading
// slow, as it could when names were hashed.
//
// Invariant of the sort: below `count`, no key is less than the two at 2k + 1 and 2k + 2, for all k
// that were let sink.

#include "base/json_keys.h"

typedef const oxi_json_node *json_key;

// Orders names by size first: most differ there, without a look at their bytes.
static int compare_json_keys(json_key left, json_key right) {
    size_t left_size = left->as.string.size, right_size = right->as.string.size;
    if (left_size != right_size) {
        return left_size < right_size ? -1 : 1;
    }
    return memcmp(left->as.string.data, right->as.string.data, left_size);
}

// Lets the key at `root` sink until the two below it are no greater.
static void sink_json_key(json_key *keys, size_t root, size_t count) {
    json_key key = keys[root];
    while (root * 2 + 1 < count) {
        size_t child = root * 2 + 1;
        if (child + 1 < count && compare_json_keys(keys[child], keys[child + 1]) < 0) {
            child++;
        }
        if (compare_json_keys(key, keys[child]) >= 0) {
            break;
        }
        keys[root] = keys[child];
        root = child;
    }
    keys[root] = key;
}

static void sort_json_keys(json_key *keys, size_t count) {
    for (size_t k = count / 2; k > 0; k--) {
        sink_json_key(keys, k - 1, count);
    }
    for (size_t end = count; end > 1; end--) {
        json_key greatest = keys[0];
        keys[0] = keys[end - 1];
        keys[end - 1] = greatest;
        sink_json_key(keys, 0, end - 1);
    }
}

oxi_json_error_code oxi_json_check_keys(const oxi_json_node *object, oxi_json_key_list *scratch) {
    if (oxi_json_count(object) < 2) {
        return OXI_JSON_ERROR_NONE;
    }
    oxi_list_clear(scratch);
    for (json_key key = oxi_json_first(object); key != NULL; key = oxi_json_next(object, key)) {
        if (!oxi_list_push(scratch, key)) {
            return OXI_JSON_ERROR_OUT_OF_MEMORY;
        }
    }

    sort_json_keys(scratch->items, scratch->count);
    for (size_t k = 1; k < scratch->count; k++) {
        if (compare_json_keys(scratch->items[k - 1], scratch->items[k]) == 0) {
            return OXI_JSON_ERROR_DUPLICATE_KEY;
        }
    }
    return OXI_JSON_ERROR_NONE;
}
