// SPDX-License-Identifier: MIT
//
// What the units of multimaps share.
//
// A table has a chain for each key: the numbers of its first and last entry, and how many there
// are. Entries lie in one array, each a value and the number of the next; free ones form a list. A
// small multimap has one table. A large one that jobs wrote to has 16, one for each region of keys,
// so that threads can fill them side by side. A table is a cache line, so they do not disturb each
// other. Where keys are numbers close to each other, chains stand in an array of cells instead:
// multimap_cells.c.

#pragma once

#include "containers/map.h"
#include "oxbow/map.h"

enum {
    OXI_MULTIMAP_REGIONS = OXI_MAX_BUCKETS,
    OXI_MULTIMAP_SPLIT = 4096, ///< keys, and pairs to settle, from which on there are regions
};

#define OXI_NO_ENTRY UINT32_MAX

/// What one thread does when a bucket is settled.
typedef struct oxi_multimap_bucket {
    uint32_t next_entry; ///< of its own range of entries
    uint32_t end_entry;
    uint32_t taken; ///< items of the segments that stand in the multimap
    uint32_t added; ///< of them in this round
    int64_t least;  ///< of its keys as numbers, where these are noted
    int64_t most;
} oxi_multimap_bucket;

struct oxi_multimap_state {
    oxi_multimap_head head;     ///< first: inline code knows nothing else
    _Alignas(64) oxi_table one; ///< the table of a small multimap
    oxi_table_rules rules;      ///< values of the table are chains
    oxi_table_functions functions;

    uint32_t value_align;
    uint32_t item_value; ///< offset of the value in what jobs write
    uint32_t item_size;
    uint32_t item_align;

    uint32_t entry_stride;
    uint32_t next_offset;
    uint32_t entry_count; ///< entries that were ever used
    uint32_t entry_capacity;
    uint32_t first_free;
    uint32_t free_count;
    uint32_t pair_count;

    oxi_mutex lock;         ///< of settling
    oxi_segments *segments; ///< NULL until a writer is made
    bool is_prepared;
    bool is_fresh;          ///< what is settled is all there is: values are laid side by side
    bool is_dealt;          ///< regions are ranges of numbers, not of hashes
    bool in_cells;          ///< chains stand in cells; only while is_dealt
    bool notes_numbers;     ///< what is settled may tell how keys should be dealt
    uint32_t cell_shift;    ///< the region of a cell is its number without so many bits
    uint32_t cell_capacity; ///< cells that there is memory for
    uint64_t keys_base;     ///< cell_base when their keys were written
    uint32_t seen_pairs;    ///< with keys from `seen_least` to `seen_most`; 0: nothing new
    int64_t seen_least;
    int64_t seen_most;
    oxi_atomic_u32 has_strays;   ///< jobs wrote keys that have no cell
    uint32_t *places;            ///< two for each entry, for laying them
    uint32_t place_capacity;     ///< entries that they do for
    oxi_atomic_u32 buckets_left; ///< that jobs have not settled
    oxi_multimap_bucket buckets[OXI_MULTIMAP_REGIONS];
};

/// The number of the cell of a key; there is none from head.cell_count on.
static inline uint64_t oxi_multimap_cell_of(const oxi_multimap_state *state, const void *key) {
    return oxi_multimap_cell(&state->head, key, oxi_table_key_size(state->rules.shape));
}

/// The region of a key, 0 to 15. It does not depend on the numbers that tables have come to.
uint32_t oxi_multimap_region_of(const oxi_multimap_state *state, const void *key);

static inline oxi_table *oxi_multimap_table(oxi_multimap_state *state, const void *key) {
    uint32_t mask = state->head.region_mask;
    return &state->head.tables[mask != 0 ? oxi_multimap_region_of(state, key) & mask : 0];
}

static inline oxi_atomic_u32 *oxi_multimap_special_word(oxi_multimap_state *state) {
    return (oxi_atomic_u32 *)&state->head.special;
}

static inline oxi_chain *oxi_chain_of(const oxi_multimap_state *state, unsigned char *slot) {
    return (oxi_chain *)(void *)(slot + state->rules.shape.value_offset);
}

static inline unsigned char *oxi_entry(const oxi_multimap_state *state, uint32_t entry) {
    return state->head.entries + (size_t)entry * state->entry_stride;
}

/// The number of the entry that follows, as a place to read and write.
static inline uint32_t *oxi_entry_next(const oxi_multimap_state *state, uint32_t entry) {
    return (uint32_t *)(void *)(oxi_entry(state, entry) + state->next_offset);
}

/// Puts an entry, whose value is written, at the end of a chain.
static inline void oxi_chain_append(const oxi_multimap_state *state, oxi_chain *chain,
                                    uint32_t entry) {
    *oxi_entry_next(state, entry) = OXI_NO_ENTRY;
    if (chain->count == 0) {
        chain->first = entry;
    } else {
        *oxi_entry_next(state, chain->last) = entry;
    }
    chain->last = entry;
    chain->count++;
}

/// The chain of a key, or NULL.
oxi_chain *oxi_multimap_find_chain(oxi_multimap_state *state, const void *key);

/// The chain of a key, empty when it is new; `table` is that of the key. @return NULL after a
/// report, with nothing changed.
oxi_chain *oxi_multimap_open_chain(oxi_multimap_state *state, oxi_table *table, const void *key,
                                   ox_site site);

/// The next chain that is not empty, and its key. Begin with 0 for both, which say where the walk
/// stands. @return NULL at the end.
oxi_chain *oxi_multimap_next_chain(const oxi_multimap_state *state, uint32_t *region,
                                   uint64_t *slot, const void **key);

/// Decides how the keys of an empty multimap are dealt, by what was seen before.
void oxi_multimap_plan_cells(oxi_multimap_state *state);

/// Whether the keys of `total` pairs, which are all there are, shall be noted; if so, makes ready.
bool oxi_multimap_begin_notes(oxi_multimap_state *state, uint32_t total);

/// Notes the keys of items in a bucket.
void oxi_multimap_note_keys(const oxi_multimap_state *state, oxi_multimap_bucket *bucket,
                            const char *items, size_t size);

/// Adds up what buckets noted.
void oxi_multimap_see_keys(oxi_multimap_state *state);

/// True when `total` pairs, which are all there are, should go to cells.
bool oxi_multimap_suits_cells(oxi_multimap_state *state, uint32_t total);

/// Makes memory for the cells that were planned. @return false after a report.
bool oxi_multimap_reserve_cells(oxi_multimap_state *state, ox_site site);

/// Empties the cells of a bucket.
void oxi_multimap_empty_cells(const oxi_multimap_state *state, uint32_t bucket);

/// Moves the chains of all cells to the tables. @return false after a report, with nothing changed.
bool oxi_multimap_leave_cells(oxi_multimap_state *state, ox_site site);

/// Frees the memory of cells.
void oxi_multimap_free_cells(oxi_multimap_state *state, ox_site site);

/// Makes `count` entries behind the last one ready for use, by growing or by closing gaps.
/// @return false after a report, with nothing changed.
bool oxi_multimap_reserve_entries(oxi_multimap_state *state, uint32_t count, ox_site site);

/// Makes places for as many entries as there is room for. @return false after a report.
bool oxi_multimap_reserve_places(oxi_multimap_state *state, ox_site site);

/// Makes 16 tables of one. @return false after a report, with nothing changed.
bool oxi_multimap_split(oxi_multimap_state *state, ox_site site);

/// Gives an entry back.
void oxi_multimap_free_entry(oxi_multimap_state *state, uint32_t entry);

/// Adds a pair. Settled before. @return false after a report, with nothing changed.
bool oxi_multimap_add(oxi_multimap_state *state, const void *key, const void *value, ox_site site);

/// Takes over what jobs wrote, if anything is pending. @return false after a report.
bool oxi_multimap_settle(oxi_multimap_state *state, ox_site site);

/// The same in parts: one thread prepares, then each bucket is settled by whoever takes it, then
/// one thread finishes. @return false after a report.
bool oxi_multimap_prepare(oxi_multimap_state *state, ox_site site);
void oxi_multimap_settle_bucket(oxi_multimap_state *state, uint32_t index, ox_site site);
bool oxi_multimap_finish(oxi_multimap_state *state);

static inline bool oxi_multimap_is_pending(oxi_multimap_state *state) {
    // Acquire: pairs with the release in oxi_multimap_finish.
    return (oxi_load_acquire(oxi_multimap_special_word(state)) & OXI_TABLE_PENDING) != 0;
}

/// Says what is special, and whether jobs wrote something. Release: who finds nothing pending sees
/// all that was settled.
static inline void oxi_multimap_set_pending(oxi_multimap_state *state, bool is_pending) {
    uint32_t special = state->rules.functions != NULL ? OXI_TABLE_CUSTOM : 0;
    special |= state->in_cells ? OXI_MULTIMAP_CELLS : state->is_dealt ? OXI_MULTIMAP_DEALT : 0;
    special |= is_pending ? OXI_TABLE_PENDING : 0;
    oxi_store_release(oxi_multimap_special_word(state), special);
}

/// Copies a value or key of a common size without a call.
OXI_INLINE void oxi_item_copy(void *to, const void *from, size_t size) {
    if (size == 8) {
        memcpy(to, from, 8);
    } else if (size == 4) {
        memcpy(to, from, 4);
    } else if (size >= 16 && size <= 64) {
        for (size_t k = 0; k < size - 16; k += 16) {
            memcpy((char *)to + k, (const char *)from + k, 16);
        }
        memcpy((char *)to + size - 16, (const char *)from + size - 16, 16); // may overlap
    } else {
        memcpy(to, from, size);
    }
}

/// May it be read, its values written, its pairs changed? Each settles it. @return false after a
/// report.
bool oxi_multimap_may_look(ox_multimap map, ox_site site);
bool oxi_multimap_may_write(ox_multimap map, ox_site site);
bool oxi_multimap_may_change(ox_multimap map, ox_site site);

/// True when a call names types that fit those of the multimap; else reports.
bool oxi_multimap_fits_kinds(ox_multimap map, oxi_multimap_type_pair kinds, ox_site site);

/// The same; inline, since a handle that is passed on goes through memory, and most are equal.
OXI_INLINE bool oxi_multimap_has_kinds(ox_multimap map, oxi_multimap_type_pair kinds,
                                       ox_site site) {
    const oxi_multimap_type_pair *own = &map.state->head.kinds;
    return (own->key == kinds.key && own->value == kinds.value) ||
           oxi_multimap_fits_kinds(map, kinds, site);
}

/// The memory of a multimap. `def` has its allocator filled in. @return NULL after a report.
oxi_multimap_state *oxi_multimap_alloc(const oxi_map_type_pair *types, const ox_map_def *def,
                                       ox_site site);

/// Frees it; an oxi_release_fn.
void oxi_multimap_free(void *memory, ox_site site);

/// Removes the pair that a good iterator stands at.
void oxi_multimap_unlink(oxi_multimap_state *state, const ox_multimap_walk *it);
