// SPDX-License-Identifier: MIT
//
// Private: the table under maps and multimaps: open addressing in groups of 16 slots. It is in a
// header so that its loops are compiled for the size of each key. Use it through map.h.
//
// A group is one block: 16 control bytes, then its 16 slots, so that both are on one page. A
// control byte is empty, deleted, or 7 bits of the hash of the key in its slot; all 16 are compared
// at once. The upper bits of a hash choose the first group of a search; at a full group the search
// continues 1, 2, 3, ... groups further. Four more bits choose the slot that is tried first in a
// group, so that a search can prefetch its memory before it reads the control bytes.
//
// A hash uses two numbers of the table, its seed. Keys that are chosen to collide in few groups
// make long searches; a table with too many of them takes the next seed of a fixed sequence and
// rehashes its keys. Nothing is random: the same calls give the same order of slots on every
// machine.
//
// Any thread may read a table while no thread changes it.

#pragma once

#include "oxbow/detail/element.h"

enum {
    OXI_TABLE_GROUP = 16,     ///< slots of a group
    OXI_TABLE_FILL = 14,      ///< filled slots of a group, on average, before a table grows
    OXI_TABLE_EMPTY = 0x80,   ///< control byte of a slot that was never used
    OXI_TABLE_DELETED = 0xfe, ///< of a slot whose key was removed while its group was full
    OXI_TABLE_WALKED = 4,     ///< groups that a walk over all keys reads together
    OXI_TABLE_LONG_WALK = 4,  ///< an insertion past this many full groups is counted
};

/// Flags of a table. Inline code only handles OXI_TABLE_FAR.
enum {
    OXI_TABLE_FAR = 1,     ///< it is so large that searches prefetch its memory
    OXI_TABLE_PENDING = 2, ///< writes of jobs are pending
    OXI_TABLE_CUSTOM = 4,  ///< keys have functions of the user
};

/// The initial seed of every table.
#define OXI_TABLE_SEED       0x6a09e667f3bcc909u
#define OXI_TABLE_MULTIPLIER 0xbb67ae8584caa73bu

/// A table. Private: the fields are here for speed.
typedef struct oxi_table {
    unsigned char *groups;
    uint64_t seed;       ///< a key is xored with it ...
    uint64_t multiplier; ///< ... and multiplied by this
    uint32_t shift;      ///< 64 - log2 of the number of groups, which is at least 2
    uint32_t mask;       ///< groups - 1
    uint32_t special;    ///< OXI_TABLE_FAR and the flags after it. Atomic.
    uint32_t stride;     ///< bytes from one group to the next
    uint32_t count;      ///< keys
    uint32_t room;       ///< empty slots that may be filled before the table must be checked
    uint32_t changes;    ///< changes when walks are invalidated
    uint32_t capacity; ///< the requested number of keys, or what fits in the groups if that is more
    uint32_t seed_number;
    uint32_t long_walks; ///< counted with this seed
} oxi_table;

/// The layout of the slots of a table: a key, then a value, as in a struct of both.
typedef struct oxi_slot_shape {
    ox_element key;
    ox_element value;
    uint32_t value_offset; ///< in a slot
    uint32_t slot_size;
    uint32_t slots_offset; ///< of the first slot in its group; also the alignment of groups
} oxi_slot_shape;

/// The shape for two types: oxi_slot_shape_of(int, float).
#define oxi_slot_shape_of(K, V)                                                                    \
    (oxi_table_shape(ox_element_of(K), (uint32_t)OXI_ALIGNOF(K), ox_element_of(V),                 \
                     (uint32_t)OXI_ALIGNOF(V)))

OXI_INLINE oxi_slot_shape oxi_table_shape(ox_element key, uint32_t key_align, ox_element value,
                                          uint32_t value_align) {
    uint32_t key_size = key & OXI_ELEMENT_SIZE_MASK, value_size = value & OXI_ELEMENT_SIZE_MASK;
    uint32_t align = key_align > value_align ? key_align : value_align;
    uint32_t offset = (key_size + value_align - 1) & ~(value_align - 1);
    uint32_t size = (offset + value_size + align - 1) & ~(align - 1);
    oxi_slot_shape shape = {key, value, offset, size,
                            align > OXI_TABLE_GROUP ? align : (uint32_t)OXI_TABLE_GROUP};
    return shape;
}

OXI_INLINE size_t oxi_table_key_size(oxi_slot_shape shape) {
    return shape.key & OXI_ELEMENT_SIZE_MASK;
}

/// Bytes from one group to the next.
OXI_INLINE size_t oxi_table_stride(oxi_slot_shape shape) {
    return shape.slots_offset + (size_t)OXI_TABLE_GROUP * shape.slot_size;
}

// Multiplying by a number from memory is faster than the shifts that a constant becomes.
OXI_INLINE unsigned char *oxi_table_group(const oxi_table *table, size_t group) {
    return table->groups + group * table->stride;
}

OXI_INLINE unsigned char *oxi_table_slot(unsigned char *group, oxi_slot_shape shape,
                                         uint32_t index) {
    return group + shape.slots_offset + (size_t)index * shape.slot_size;
}

/// Acquire: pairs with the release at the end of a merge, so merged keys are visible.
OXI_INLINE uint32_t oxi_table_special(const oxi_table *table) {
    return OXI_LOAD_ACQUIRE(&table->special);
}

// Hashing.

/// Returns both halves of the product of two words, xored.
OXI_INLINE uint64_t oxi_table_fold(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t carry = a_low * b_high + (uint32_t)middle;
    return (carry << 32 | (uint32_t)low) ^ (a_high * b_high + (middle >> 32) + (carry >> 32));
#endif
}

OXI_INLINE uint64_t oxi_table_load_64(const unsigned char *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

OXI_INLINE uint64_t oxi_table_load_32(const unsigned char *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

/// Returns up to 8 bytes as one word: different keys of one size give different words.
OXI_INLINE uint64_t oxi_table_load_short(const unsigned char *from, size_t size) {
    if (size >= 4) {
        return oxi_table_load_32(from) | oxi_table_load_32(from + size - 4) << 32;
    }
    return from[0] | (uint64_t)from[size / 2] << 8 | (uint64_t)from[size - 1] << 16;
}

/// Returns the hash of a word: a short key, or the result of a user's function.
OXI_INLINE uint64_t oxi_table_hash_word(const oxi_table *table, uint64_t word) {
    return oxi_table_fold(word ^ table->seed, table->multiplier);
}

/// Returns the hash of a long key, which is read two words at a time; the last two may overlap the
/// previous ones. The operands are xored in, so that a factor of 0 does not erase the other.
OXI_INLINE uint64_t oxi_table_hash_long(const oxi_table *table, const unsigned char *at,
                                        size_t size) {
    const unsigned char *last = at + size - 16;
    uint64_t state = table->seed, a, b;
    for (; at < last; at += 16) {
        a = oxi_table_load_64(at) ^ table->multiplier;
        b = oxi_table_load_64(at + 8) ^ state;
        state = oxi_table_fold(a, b) ^ a ^ b;
    }
    a = oxi_table_load_64(last) ^ table->multiplier;
    b = oxi_table_load_64(last + 8) ^ state;
    return oxi_table_fold(oxi_table_fold(a, b) ^ a ^ b, table->multiplier);
}

/// Returns the hash of a key as bytes. If the compiler knows the size, it is a few instructions.
OXI_INLINE uint64_t oxi_table_hash(const oxi_table *table, const void *key, size_t size) {
    const unsigned char *at = (const unsigned char *)key;
    if (size == 8) {
        return oxi_table_hash_word(table, oxi_table_load_64(at));
    }
    if (size == 4) {
        return oxi_table_hash_word(table, oxi_table_load_32(at));
    }
    if (size < 8) {
        return oxi_table_hash_word(table, oxi_table_load_short(at, size));
    }
    if (size < 16) {
        uint64_t first = oxi_table_hash_word(table, oxi_table_load_64(at));
        return oxi_table_hash_word(table, first ^ oxi_table_load_64(at + size - 8));
    }
    return oxi_table_hash_long(table, at, size);
}

/// Copies a short key to `word`, which stays in a register. A key whose address is passed to a
/// function must be in memory, so code that calls one makes another copy for it.
OXI_INLINE const void *oxi_key_local(uint64_t *word, const void *key, size_t size) {
    if (size > sizeof *word) {
        return key;
    }
    memcpy(word, key, size);
    return word;
}

OXI_INLINE bool oxi_table_equal(const void *a, const void *b, size_t size) {
    if (size == 8) {
        return oxi_table_load_64((const unsigned char *)a) ==
               oxi_table_load_64((const unsigned char *)b);
    }
    return memcmp(a, b, size) == 0;
}

// Groups. A mask has bit k for slot k.

/// Returns the bytes of half a group that are `byte`, on machines without vectors.
OXI_INLINE uint32_t oxi_group_match_half(const unsigned char *control, unsigned byte) {
    const uint64_t ones = 0x0101010101010101u, low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t word = 0;
    for (int k = 7; k >= 0; k--) {
        word = word << 8 | control[k];
    }
    word ^= ones * byte;
    uint64_t equal = ~(((word & low) + low) | word | low); // bit 7 of each byte that is 0
    return (uint32_t)(((equal >> 7) * 0x0102040810204080u) >> 56);
}

OXI_INLINE uint32_t oxi_group_match_portable(const unsigned char *control, unsigned byte) {
    return oxi_group_match_half(control, byte) | oxi_group_match_half(control + 8, byte) << 8;
}

OXI_INLINE uint32_t oxi_group_free_portable(const unsigned char *control) {
    return oxi_group_match_portable(control, OXI_TABLE_EMPTY) |
           oxi_group_match_portable(control, OXI_TABLE_DELETED);
}

#if defined(__SSE2__) && defined(__GNUC__)
typedef char oxi_group_bytes __attribute__((vector_size(16), may_alias));

/// Returns the slots whose control byte is `byte`.
OXI_INLINE uint32_t oxi_group_match(const unsigned char *control, unsigned byte) {
    oxi_group_bytes all = {0};
    all = all + (char)byte;
    all = (oxi_group_bytes)(all == *(const oxi_group_bytes *)control);
    return (uint32_t)__builtin_ia32_pmovmskb128(all);
}

/// Returns the slots without a key: those whose control byte has bit 7.
OXI_INLINE uint32_t oxi_group_free(const unsigned char *control) {
    return (uint32_t)__builtin_ia32_pmovmskb128(*(const oxi_group_bytes *)control);
}
#else
OXI_INLINE uint32_t oxi_group_match(const unsigned char *control, unsigned byte) {
    return oxi_group_match_portable(control, byte);
}

OXI_INLINE uint32_t oxi_group_free(const unsigned char *control) {
    return oxi_group_free_portable(control);
}
#endif

/// Returns the lowest slot of a mask, which must not be 0.
OXI_INLINE uint32_t oxi_group_first(uint32_t mask) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(mask);
#else
    uint32_t index = 0;
    for (; (mask & 1) == 0; mask >>= 1) {
        index++;
    }
    return index;
#endif
}

// The parts of a hash: the control byte, the slot that is tried first, the region of a large
// multimap, and the group. Only the last two could overlap, above 2^49 groups.

OXI_INLINE unsigned oxi_hash_control(uint64_t hash) {
    return (unsigned)hash & 0x7f;
}

OXI_INLINE uint32_t oxi_hash_slot(uint64_t hash) {
    return (uint32_t)(hash >> 7) & 15;
}

OXI_INLINE uint32_t oxi_hash_region(uint64_t hash) {
    return (uint32_t)(hash >> 11) & 15;
}

/// Returns the first slot of `mask`, counted from the one that the hash prefers.
OXI_INLINE uint32_t oxi_group_prefer(uint32_t mask, uint64_t hash) {
    uint32_t first = oxi_hash_slot(hash);
    return (first + oxi_group_first((mask | mask << 16) >> first)) & 15;
}

// Finding keys.

/// The functions of a table whose keys are not compared byte by byte.
typedef struct oxi_table_functions {
    uint64_t (*hash)(const void *key, void *context);
    bool (*equal)(const void *a, const void *b, void *context);
    void *context;
} oxi_table_functions;

/// The location of a key: its group, and its slot there.
typedef struct oxi_place {
    unsigned char *group; ///< NULL: the key is missing
    uint32_t index;
} oxi_place;

OXI_INLINE oxi_place oxi_place_of(unsigned char *group, uint32_t index) {
    oxi_place place = {group, index};
    return place;
}

/// A key to find.
typedef struct oxi_sought {
    const void *key;
    uint64_t hash;
    const oxi_table_functions *functions; ///< NULL: keys are compared byte by byte
    bool is_far;                          ///< prefetch memory
} oxi_sought;

OXI_INLINE oxi_sought oxi_seek(const void *key, uint64_t hash, uint32_t special) {
    oxi_sought sought = {key, hash, NULL, special != 0};
    return sought;
}

OXI_INLINE bool oxi_table_is_sought(const unsigned char *slot, oxi_slot_shape shape,
                                    oxi_sought sought) {
    return sought.functions == NULL
               ? oxi_table_equal(slot, sought.key, oxi_table_key_size(shape))
               : sought.functions->equal(slot, sought.key, sought.functions->context);
}

/// Finds a key.
OXI_INLINE oxi_place oxi_table_find(const oxi_table *table, oxi_slot_shape shape,
                                    oxi_sought sought) {
    uint64_t hash = sought.hash;
    size_t at = hash >> table->shift;
    unsigned char *group = oxi_table_group(table, at);
    if (sought.is_far) {
        OXI_PREFETCH(oxi_table_slot(group, shape, oxi_hash_slot(hash)));
    }
    for (size_t step = 1;; step++) {
        uint32_t match = oxi_group_match(group, oxi_hash_control(hash));
        for (; match != 0; match &= match - 1) {
            uint32_t index = oxi_group_first(match);
            if (OXI_LIKELY(
                    oxi_table_is_sought(oxi_table_slot(group, shape, index), shape, sought))) {
                return oxi_place_of(group, index);
            }
        }
        // A table always has empty slots, so the search ends.
        if (OXI_LIKELY(oxi_group_match(group, OXI_TABLE_EMPTY) != 0)) {
            return oxi_place_of(NULL, 0);
        }
        at = (at + step) & table->mask;
        group = oxi_table_group(table, at);
    }
}

/// Takes a slot for a missing key, and returns it; the caller writes its key and value. @return a
/// location without a group if the table must grow first, or if the search for a free slot passes
/// more than `most` groups.
OXI_INLINE oxi_place oxi_table_take(oxi_table *table, uint64_t hash, size_t most) {
    size_t at = hash >> table->shift, step = 0;
    unsigned char *group = oxi_table_group(table, at);
    uint32_t open = oxi_group_free(group);
    while (OXI_UNLIKELY(open == 0)) {
        at = (at + ++step) & table->mask;
        group = oxi_table_group(table, at);
        open = oxi_group_free(group);
    }
    uint32_t index = oxi_group_prefer(open, hash);
    uint32_t is_new = group[index] == OXI_TABLE_EMPTY;
    if (OXI_UNLIKELY(table->room < is_new || step > most)) {
        return oxi_place_of(NULL, 0);
    }
    table->room -= is_new;
    table->count++;
    table->changes++;
    group[index] = (unsigned char)oxi_hash_control(hash);
    return oxi_place_of(group, index);
}

/// Frees the slot of a key. A search must not stop at a group that was full, so there the slot
/// stays marked as deleted.
OXI_INLINE void oxi_table_give(oxi_table *table, oxi_place place) {
    bool is_open = oxi_group_match(place.group, OXI_TABLE_EMPTY) != 0;
    place.group[place.index] = is_open ? OXI_TABLE_EMPTY : OXI_TABLE_DELETED;
    table->room += is_open;
    table->count--;
    table->changes++;
}

// Keys, as arguments of creating calls. Keys are compared byte by byte, so none of their bytes may
// be padding: such bytes have no defined value. The compiler detects padding where it can; for
// structs declared with OX_STRUCT the library knows it.

/// The types of a map's keys and values, as creating calls pass them.
typedef struct oxi_map_type_pair {
    ox_element_info key;
    ox_element_info value;
    bool key_has_padding; ///< as far as the compiler detects it
} oxi_map_type_pair;

/// Both types at once: oxi_map_type_pair_of(int, float).
#define oxi_map_type_pair_of(K, V)                                                                 \
    (oxi_map_types(ox_element_info_of(K), ox_element_info_of(V), OXI_KEY_HAS_PADDING(K)))

static inline oxi_map_type_pair oxi_map_types(ox_element_info key, ox_element_info value,
                                              bool key_has_padding) {
    oxi_map_type_pair types = {key, value, key_has_padding};
    return types;
}

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define OXI_KEY_HAS_PADDING(K)                                                                     \
    (__extension__({                                                                               \
        K oxi_key;                                                                                 \
        memset((void *)&oxi_key, 0xff, sizeof oxi_key);                                            \
        __builtin_clear_padding(&oxi_key);                                                         \
        oxi_has_cleared(&oxi_key, sizeof oxi_key);                                                 \
    }))
#endif
#endif
#ifndef OXI_KEY_HAS_PADDING
#define OXI_KEY_HAS_PADDING(K) false
#endif

/// Returns true if some of these bytes are not all ones.
static inline bool oxi_has_cleared(const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t k = 0; k < size; k++) {
        if (at[k] != 0xff) {
            return true;
        }
    }
    return false;
}

/// The types that a call names.
typedef struct oxi_multimap_type_pair {
    ox_element key;
    ox_element value;
} oxi_multimap_type_pair;

/// Both types at once: oxi_multimap_type_pair_of(int, float).
#define oxi_multimap_type_pair_of(K, V) (oxi_multimap_kinds(ox_element_of(K), ox_element_of(V)))

static inline oxi_multimap_type_pair oxi_multimap_kinds(ox_element key, ox_element value) {
    oxi_multimap_type_pair kinds = {key, value};
    return kinds;
}
