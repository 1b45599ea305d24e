// SPDX-License-Identifier: MIT
//
// The rows of maps on GLib: a GHashTable whose keys and values are the pointers themselves.

#include "map_work.h"

#include <glib.h>

static GHashTable *table;

static gpointer to_pointer(uint64_t number) {
    return (gpointer)(uintptr_t)number;
}

static void create_table(void) {
    table = g_hash_table_new(g_direct_hash, g_direct_equal);
}

static void insert_keys(const bench_map_keys *keys) {
    for (uint64_t k = 0; k < keys->n; k++) {
        g_hash_table_insert(table, to_pointer(keys->keys[k]), to_pointer(k));
    }
}

static uint64_t find_keys(const uint64_t *keys, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; k++) {
        gpointer value;
        if (g_hash_table_lookup_extended(table, to_pointer(keys[k]), NULL, &value)) {
            sum += (uintptr_t)value;
        }
    }
    return sum;
}

static uint64_t sum_values(void) {
    GHashTableIter iterator;
    gpointer key, value;
    uint64_t sum = 0;
    g_hash_table_iter_init(&iterator, table);
    while (g_hash_table_iter_next(&iterator, &key, &value)) {
        sum += (uintptr_t)value;
    }
    return sum;
}

static uint64_t erase_keys(const uint64_t *keys, uint64_t n) {
    uint64_t count = 0;
    for (uint64_t k = 0; k < n; k++) {
        count += g_hash_table_remove(table, to_pointer(keys[k])) ? 1 : 0;
    }
    return count;
}

static void destroy_table(void) {
    g_hash_table_destroy(table);
}

const bench_map_peer bench_map_glib = {
    "glib", create_table, insert_keys, find_keys, sum_values, erase_keys, destroy_table,
};
