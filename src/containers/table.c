// SPDX-License-Identifier: MIT
//
// Tables: their memory, and how they grow.
//
// Invariant: 2 groups at least, a power of two; `capacity` is at most 3/4 of the slots; `room` is
// `capacity` less the slots that are not empty, so there are empty ones always, and every search
// ends. A group with an empty slot was never full, so no search passes it. Every key lies in the
// first group of its walk that had room. At 3/4 one group in six is full, at 7/8 nearly every
// second one, and searches for keys that are not there pass full groups.
//
// Growing to twice the groups with the same numbers sends the keys of group g to groups 2 g and
// 2 g + 1: old and new table are both read and written from front to back.

#include "containers/table.h"

#include "base/hash.h"
#include "base/platform.h"

enum {
    TABLE_LINE = 64,
    TABLE_FAR_GROUPS = 2048,
    TABLE_HUGE_BYTES = 8 << 20,
    TABLE_MOST_GROUPS = 1 << 27,
};

static size_t align_of_table(const oxi_table_rules *rules) {
    return rules->shape.slots_offset > TABLE_LINE ? rules->shape.slots_offset : TABLE_LINE;
}

static uint32_t limit_of_groups(uint32_t groups) {
    return groups * OXI_TABLE_FILL;
}

static void seed_table(oxi_table *table, uint32_t number) {
    table->seed_number = number;
    table->long_walks = 0;
    table->seed = OXI_TABLE_SEED ^ oxi_hash_mix(number);
    table->multiplier = OXI_TABLE_MULTIPLIER ^ oxi_hash_mix((uint64_t)number << 32) << 1;
}

static void empty_all_groups(oxi_table *table) {
    for (size_t group = 0; group <= table->mask; group++) {
        memset(oxi_table_group(table, group), OXI_TABLE_EMPTY, OXI_TABLE_GROUP);
    }
}

static void advise_table(const oxi_table *table, size_t size) {
    uintptr_t page = oxi_page_size();
    uintptr_t begin = ((uintptr_t)table->groups + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)table->groups + size) & ~(page - 1);
    if (size >= TABLE_HUGE_BYTES) {
        oxi_pages_advise_huge((void *)begin, end - begin);
    }
}

// Gives a table its groups, all empty. The other fields stay.
static bool alloc_groups(oxi_table *table, const oxi_table_rules *rules, uint32_t groups,
                         ox_site site) {
    size_t stride = oxi_table_stride(rules->shape);
    table->groups =
        ox_memory_alloc_array_at(rules->allocator, groups, stride, align_of_table(rules), site);
    if (table->groups == NULL) {
        return false;
    }
    table->mask = groups - 1;
    table->shift = 64u - oxi_bits_highest(groups);
    table->stride = (uint32_t)stride;
    table->special &= ~(uint32_t)OXI_TABLE_FAR;
    table->special |= groups >= TABLE_FAR_GROUPS ? OXI_TABLE_FAR : 0;
    advise_table(table, groups * stride);
    empty_all_groups(table);
    return true;
}

static void free_groups(unsigned char *groups, uint32_t mask, const oxi_table_rules *rules,
                        ox_site site) {
    size_t size = ((size_t)mask + 1) * oxi_table_stride(rules->shape);
    ox_memory_free_at(rules->allocator, groups, size, align_of_table(rules), site);
}

// The groups that hold `capacity` keys, or 0 after a report.
static uint32_t groups_for(uint32_t capacity, const oxi_table_rules *rules, ox_site site) {
    uint32_t groups = 2;
    while (groups < TABLE_MOST_GROUPS && limit_of_groups(groups) < capacity) {
        groups *= 2;
    }
    bool fits = limit_of_groups(groups) >= capacity ||
                oxi_length_require((int64_t)INT32_MAX + 1, rules->shape.key, "map", site);
    return fits ? groups : 0;
}

bool oxi_table_create(oxi_table *table, const oxi_table_rules *rules, uint32_t capacity,
                      ox_site site) {
    *table = (oxi_table){.capacity = capacity, .room = capacity};
    table->special = rules->functions != NULL ? OXI_TABLE_CUSTOM : 0;
    seed_table(table, 0);
    uint32_t groups = groups_for(capacity, rules, site);
    if (groups == 0 || !alloc_groups(table, rules, groups, site)) {
        *table = (oxi_table){0};
        return false;
    }
    return true;
}

void oxi_table_destroy(oxi_table *table, const oxi_table_rules *rules, ox_site site) {
    if (table->groups != NULL) {
        free_groups(table->groups, table->mask, rules, site);
    }
    *table = (oxi_table){0};
}

void oxi_table_clear(oxi_table *table) {
    empty_all_groups(table);
    table->count = 0;
    table->room = table->capacity;
    table->long_walks = 0;
    table->changes++;
}

// Moving keys to new memory.

// Copies a slot to the first group of its walk with room.
static inline void move_slot(oxi_table *to, oxi_slot_shape shape, const unsigned char *slot,
                             uint64_t hash) {
    size_t at = hash >> to->shift;
    uint32_t open = oxi_group_free(oxi_table_group(to, at));
    for (size_t step = 1; open == 0; step++) {
        at = (at + step) & to->mask;
        open = oxi_group_free(oxi_table_group(to, at));
    }
    unsigned char *group = oxi_table_group(to, at);
    uint32_t index = oxi_group_prefer(open, hash);
    group[index] = (unsigned char)oxi_hash_control(hash);
    memcpy(oxi_table_slot(group, shape, index), slot, shape.slot_size);
}

static void move_all_slots(const oxi_table *from, oxi_table *to, const oxi_table_rules *rules) {
    for (size_t at = 0; at <= from->mask; at++) {
        unsigned char *group = oxi_table_group(from, at);
        uint32_t full = ~oxi_group_free(group) & 0xffff;
        for (; full != 0; full &= full - 1) {
            const unsigned char *slot = oxi_table_slot(group, rules->shape, oxi_group_first(full));
            move_slot(to, rules->shape, slot, oxi_table_hash_key(to, rules, slot));
        }
    }
}

// The keys of one group go to two. What is free there is kept in `open`: reading all 16 control
// bytes right after one of them was written makes the core wait. Keys that belong elsewhere, which
// a full group had sent here, wait in `strays`.
OXI_INLINE uint32_t split_group(unsigned char *group, oxi_table *to, oxi_slot_shape shape,
                                size_t at) {
    unsigned char *pair[2] = {oxi_table_group(to, 2 * at), oxi_table_group(to, 2 * at + 1)};
    uint32_t open[2] = {oxi_group_free(pair[0]), oxi_group_free(pair[1])};
    uint32_t strays = 0;
    for (uint32_t full = ~oxi_group_free(group) & 0xffff; full != 0; full &= full - 1) {
        uint32_t from = oxi_group_first(full);
        const unsigned char *slot = oxi_table_slot(group, shape, from);
        uint64_t hash = oxi_table_hash(to, slot, oxi_table_key_size(shape));
        size_t home = hash >> to->shift, half = home & 1;
        if (OXI_UNLIKELY(home >> 1 != at || open[half] == 0)) {
            strays |= 1u << from;
            continue;
        }
        uint32_t index = oxi_group_prefer(open[half], hash);
        open[half] &= ~(1u << index);
        pair[half][index] = (unsigned char)oxi_hash_control(hash);
        memcpy(oxi_table_slot(pair[half], shape, index), slot, shape.slot_size);
    }
    return strays;
}

OXI_INLINE void split_all_groups(const oxi_table *from, oxi_table *to, oxi_slot_shape shape) {
    for (size_t at = 0; at <= from->mask; at++) {
        unsigned char *group = oxi_table_group(from, at);
        uint32_t strays = split_group(group, to, shape, at);
        for (; strays != 0; strays &= strays - 1) {
            const unsigned char *slot = oxi_table_slot(group, shape, oxi_group_first(strays));
            uint64_t hash = oxi_table_hash(to, slot, oxi_table_key_size(shape));
            move_slot(to, shape, slot, hash);
        }
    }
}

// Common shapes have loops of their own: with sizes that the compiler knows.
static void split_table(const oxi_table *from, oxi_table *to, oxi_slot_shape shape) {
    size_t key_size = oxi_table_key_size(shape);
    bool is_plain = shape.slots_offset == OXI_TABLE_GROUP;
    if (is_plain && key_size == 8 && shape.slot_size == 16) {
        split_all_groups(from, to, (oxi_slot_shape){8, 8, 8, 16, OXI_TABLE_GROUP});
    } else if (is_plain && key_size == 8 && shape.slot_size == 24) {
        split_all_groups(from, to, (oxi_slot_shape){8, 16, 8, 24, OXI_TABLE_GROUP});
    } else if (is_plain && key_size == 4 && shape.slot_size == 8) {
        split_all_groups(from, to, (oxi_slot_shape){4, 4, 4, 8, OXI_TABLE_GROUP});
    } else if (is_plain && key_size == 4 && shape.slot_size == 16) {
        split_all_groups(from, to, (oxi_slot_shape){4, 12, 4, 16, OXI_TABLE_GROUP});
    } else {
        split_all_groups(from, to, shape);
    }
}

// Puts what was made in `now` into the table. Not `special` as a whole: other threads look at it.
static void adopt_groups(oxi_table *table, const oxi_table *now, const oxi_table_rules *rules,
                         ox_site site) {
    free_groups(table->groups, table->mask, rules, site);
    bool has_grown = now->mask > table->mask;
    table->capacity = has_grown ? limit_of_groups(now->mask + 1) : table->capacity;
    table->room = table->capacity - table->count;
    table->groups = now->groups;
    table->mask = now->mask;
    table->shift = now->shift;
    table->seed = now->seed;
    table->multiplier = now->multiplier;
    table->seed_number = now->seed_number;
    table->long_walks = now->long_walks;
    table->changes++;
    if (now->special != table->special) {
        oxi_store_relaxed((oxi_atomic_u32 *)&table->special, now->special);
    }
}

// Moves the keys to `groups` groups, with the numbers of `seed`. @return false after a report.
static bool rebuild_table(oxi_table *table, const oxi_table_rules *rules, uint32_t groups,
                          uint32_t seed, ox_site site) {
    oxi_table now = *table;
    if (!alloc_groups(&now, rules, groups, site)) {
        return false;
    }
    now.long_walks = 0;
    bool splits = seed == table->seed_number && groups == (table->mask + 1) * 2;
    if (splits && rules->functions == NULL) {
        split_table(table, &now, rules->shape);
    } else {
        seed_table(&now, seed);
        move_all_slots(table, &now, rules);
    }
    adopt_groups(table, &now, rules, site);
    oxi_table_validate(table, rules);
    return true;
}

bool oxi_table_reserve(oxi_table *table, const oxi_table_rules *rules, uint32_t capacity,
                       ox_site site) {
    if (capacity <= table->capacity) {
        return true;
    }
    uint32_t groups = groups_for(capacity, rules, site);
    if (groups == 0) {
        return false;
    }
    if (groups > table->mask + 1 &&
        !rebuild_table(table, rules, groups, table->seed_number, site)) {
        return false;
    }
    // The deleted slots keep what they took of the room.
    table->room -= table->capacity - capacity;
    table->capacity = capacity;
    return true;
}

// Makes room for one key more. The budget may be smaller than what the groups take; deleted slots
// may be many; else the table grows.
static bool make_room_in_table(oxi_table *table, const oxi_table_rules *rules, ox_site site) {
    uint32_t groups = table->mask + 1, limit = limit_of_groups(groups);
    if (table->capacity < limit) {
        table->room += limit - table->capacity;
        table->capacity = limit;
        return true;
    }
    if (table->count <= limit - limit / 4) {
        return rebuild_table(table, rules, groups, table->seed_number, site);
    }
    groups = groups_for(limit + 1, rules, site);
    return groups != 0 && rebuild_table(table, rules, groups, table->seed_number, site);
}

// Counts a long walk. Too many are not chance: other numbers will send the keys elsewhere.
static bool note_long_walk(oxi_table *table, const oxi_table_rules *rules, ox_site site) {
    table->long_walks++;
    if (table->long_walks <= OXI_TABLE_ALLOWED_WALKS + table->count / 64 ||
        table->seed_number + 1 >= OXI_TABLE_SEEDS) {
        return true;
    }
    return rebuild_table(table, rules, table->mask + 1, table->seed_number + 1, site);
}

unsigned char *oxi_table_insert(oxi_table *table, const oxi_table_rules *rules, const void *key,
                                ox_site site) {
    uint64_t hash = oxi_table_hash_key(table, rules, key);
    oxi_place place = oxi_table_take(table, hash, OXI_TABLE_LONG_WALK);
    if (place.group == NULL) {
        bool may_go_on = table->room == 0 ? make_room_in_table(table, rules, site)
                                          : note_long_walk(table, rules, site);
        if (!may_go_on) {
            return NULL;
        }
        hash = oxi_table_hash_key(table, rules, key);
        place = oxi_table_take(table, hash, SIZE_MAX);
    }
    OXI_ASSERT(place.group != NULL);
    unsigned char *slot = oxi_table_slot(place.group, rules->shape, place.index);
    memcpy(slot, key, oxi_table_key_size(rules->shape));
    return slot;
}
