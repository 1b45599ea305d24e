// SPDX-License-Identifier: MIT
//
// Looking into tables whose shape or functions are known only when the program runs. The code is
// that of the header, so both ways come to the same slots.

#include "containers/table.h"

static inline oxi_sought seek_key(const oxi_table_rules *rules, const void *key, uint64_t hash) {
    return (oxi_sought){.key = key, .hash = hash, .functions = rules->functions, .is_far = true};
}

// With a size that the compiler knows, the short keys that most tables have are found faster.
OXI_INLINE oxi_place find_short_key(const oxi_table *table, oxi_slot_shape shape, const void *key,
                                    size_t size) {
    shape.key = (ox_element)size;
    uint64_t hash = oxi_table_hash(table, key, size);
    return oxi_table_find(table, shape, oxi_seek(key, hash, OXI_TABLE_FAR));
}

oxi_place oxi_table_find_place(const oxi_table *table, const oxi_table_rules *rules,
                               const void *key) {
    size_t size = rules->functions == NULL ? oxi_table_key_size(rules->shape) : 0;
    if (size == 8) {
        return find_short_key(table, rules->shape, key, 8);
    }
    if (size == 4) {
        return find_short_key(table, rules->shape, key, 4);
    }
    uint64_t hash = oxi_table_hash_key(table, rules, key);
    return oxi_table_find(table, rules->shape, seek_key(rules, key, hash));
}

unsigned char *oxi_table_find_key(const oxi_table *table, const oxi_table_rules *rules,
                                  const void *key) {
    oxi_place place = oxi_table_find_place(table, rules, key);
    return place.group != NULL ? oxi_table_slot(place.group, rules->shape, place.index) : NULL;
}

unsigned char *oxi_table_open_key(oxi_table *table, const oxi_table_rules *rules, const void *key,
                                  bool *is_new, ox_site site) {
    unsigned char *slot = oxi_table_find_key(table, rules, key);
    *is_new = slot == NULL;
    return slot != NULL ? slot : oxi_table_insert(table, rules, key, site);
}

bool oxi_table_remove_key(oxi_table *table, const oxi_table_rules *rules, const void *key) {
    oxi_place place = oxi_table_find_place(table, rules, key);
    if (place.group == NULL) {
        return false;
    }
    oxi_table_give(table, place);
    return true;
}

uint32_t oxi_table_count_groups(const oxi_table *table, const oxi_table_rules *rules,
                                const void *key) {
    uint64_t hash = oxi_table_hash_key(table, rules, key);
    oxi_place place = oxi_table_find(table, rules->shape, seek_key(rules, key, hash));
    size_t at = hash >> table->shift;
    uint32_t count = 1;
    while (oxi_table_group(table, at) != place.group &&
           oxi_group_match(oxi_table_group(table, at), OXI_TABLE_EMPTY) == 0) {
        at = (at + count++) & table->mask;
    }
    return count;
}

unsigned char *oxi_table_next_slot(const oxi_table *table, const oxi_table_rules *rules,
                                   uint64_t *place) {
    uint64_t end = ((uint64_t)table->mask + 1) * OXI_TABLE_GROUP;
    while (*place < end) {
        unsigned char *group = oxi_table_group(table, *place / OXI_TABLE_GROUP);
        uint32_t index = (uint32_t)(*place % OXI_TABLE_GROUP);
        uint32_t full = (~oxi_group_free(group) & 0xffff) >> index;
        if (full != 0) {
            index += oxi_group_first(full);
            *place = *place / OXI_TABLE_GROUP * OXI_TABLE_GROUP + index + 1;
            return oxi_table_slot(group, rules->shape, index);
        }
        *place = (*place / OXI_TABLE_GROUP + 1) * OXI_TABLE_GROUP;
    }
    return NULL;
}

void oxi_table_validate(const oxi_table *table, const oxi_table_rules *rules) {
#if OX_SAFETY >= 3
    uint64_t place = 0;
    uint32_t count = 0;
    for (unsigned char *slot; (slot = oxi_table_next_slot(table, rules, &place)) != NULL;) {
        OXI_ASSERT(oxi_table_find_key(table, rules, slot) == slot);
        count++;
    }
    OXI_ASSERT(count == table->count);
    OXI_ASSERT(table->room <= table->capacity - table->count);
    OXI_ASSERT(table->capacity <= (table->mask + 1) * OXI_TABLE_FILL);
#else
    (void)table;
    (void)rules;
#endif
}
