// SPDX-License-Identifier: MIT
//
// Tables, the part that is not in a loop: making them, growing them, and looking into tables whose
// keys have functions of the user.
//
// One thread at a time may change a table; any thread may look into one that nobody changes.

#pragma once

#include "containers/handle.h"
#include "oxbow/detail/table.h"

enum {
    OXI_TABLE_SEEDS = 8,          ///< pairs of numbers that a table goes through at most
    OXI_TABLE_ALLOWED_WALKS = 32, ///< long walks that do not matter, and one more for 64 keys
};

/// What a table does not know of itself.
typedef struct oxi_table_rules {
    oxi_slot_shape shape;
    ox_allocator allocator;
    const oxi_table_functions *functions; ///< NULL: keys are compared byte by byte
} oxi_table_rules;

/// Makes an empty table for `capacity` keys. @return false after a report, with `table` zeroed.
bool oxi_table_create(oxi_table *table, const oxi_table_rules *rules, uint32_t capacity,
                      ox_site site);

/// Frees the memory of a table. A zeroed one has none.
void oxi_table_destroy(oxi_table *table, const oxi_table_rules *rules, ox_site site);

/// Removes all keys and keeps the memory.
void oxi_table_clear(oxi_table *table);

/// Makes room for `capacity` keys in all; fewer than there is room for change nothing.
/// @return false after a report, with nothing changed.
bool oxi_table_reserve(oxi_table *table, const oxi_table_rules *rules, uint32_t capacity,
                       ox_site site);

/// The hash of a key, with the user's function where there is one.
static inline uint64_t oxi_table_hash_key(const oxi_table *table, const oxi_table_rules *rules,
                                          const void *key) {
    if (rules->functions != NULL) {
        uint64_t hash = rules->functions->hash(key, rules->functions->context);
        return oxi_table_hash_word(table, hash);
    }
    return oxi_table_hash(table, key, oxi_table_key_size(rules->shape));
}

/// Looks for a key. @return a place without a group when it is not there.
oxi_place oxi_table_find_place(const oxi_table *table, const oxi_table_rules *rules,
                               const void *key);

/// Looks for a key. @return its slot, or NULL.
unsigned char *oxi_table_find_key(const oxi_table *table, const oxi_table_rules *rules,
                                  const void *key);

/// The slot of a key, which is added when it is not there: then `is_new` becomes true, and its
/// value is for the caller to write.
/// @return NULL after a report, with nothing changed.
unsigned char *oxi_table_open_key(oxi_table *table, const oxi_table_rules *rules, const void *key,
                                  bool *is_new, ox_site site);

/// Takes a slot for a key that is not there and copies the key to it, after the inline code could
/// not: the table grows, or takes other numbers. @return NULL after a report.
unsigned char *oxi_table_insert(oxi_table *table, const oxi_table_rules *rules, const void *key,
                                ox_site site);

/// Removes a key. @return false when it was not there.
bool oxi_table_remove_key(oxi_table *table, const oxi_table_rules *rules, const void *key);

/// How many groups a search for this key looks at.
uint32_t oxi_table_count_groups(const oxi_table *table, const oxi_table_rules *rules,
                                const void *key);

/// The slot after the one at `*place`, group by group; start with 0. @return NULL at the end.
unsigned char *oxi_table_next_slot(const oxi_table *table, const oxi_table_rules *rules,
                                   uint64_t *place);

/// At level 3, walks all of the table and asserts that every key is found and counted.
void oxi_table_validate(const oxi_table *table, const oxi_table_rules *rules);
