// SPDX-License-Identifier: MIT
//
// Invariants: no two lanes of an archetype have the same values; lanes->items[lane->index] is the
// lane; each is in the bucket of its hash. Archetypes without shared types have none.

#include "storage/lanes.h"

#include "base/hash.h"
#include "storage/shared_values.h"

#include <string.h>

enum { LEAST_LANE_BUCKETS = 8 };

static oxi_lane **find_lane_bucket(const oxi_archetype *archetype, uint64_t hash) {
    return &archetype->lane_buckets.items[hash & (archetype->lane_buckets.count - 1)];
}

static oxi_lane *find_lane(const oxi_archetype *archetype, const uint32_t *values, uint64_t hash) {
    oxi_lane *lane = archetype->lane_buckets.count > 0 ? *find_lane_bucket(archetype, hash) : NULL;
    while (lane != NULL &&
           (lane->hash != hash ||
            memcmp(lane->values, values, archetype->shared_count * sizeof *values) != 0)) {
        lane = lane->next;
    }
    return lane;
}

static void link_lane(oxi_archetype *archetype, oxi_lane *lane) {
    oxi_lane **bucket = find_lane_bucket(archetype, lane->hash);
    lane->next = *bucket;
    *bucket = lane;
}

static bool grow_lane_buckets(const oxi_store *store, oxi_archetype *archetype) {
    size_t size = archetype->lane_buckets.count;
    if (archetype->lanes.count < size) {
        return true;
    }
    size = size == 0 ? LEAST_LANE_BUCKETS : size * 2;
    if (!oxi_list_resize_in(store->heap, &archetype->lane_buckets, size)) {
        return false;
    }
    memset(archetype->lane_buckets.items, 0, size * sizeof(oxi_lane *));
    for (size_t k = 0; k < archetype->lanes.count; k++) {
        link_lane(archetype, archetype->lanes.items[k]);
    }
    return true;
}

static size_t size_of_lane(const oxi_archetype *archetype) {
    return sizeof(oxi_lane) + archetype->shared_count * sizeof(uint32_t);
}

static oxi_lane *make_lane(oxi_store *store, oxi_archetype *archetype, const uint32_t *values,
                           uint64_t hash) {
    if (!oxi_list_reserve_in(store->heap, &archetype->lanes, archetype->lanes.count + 1) ||
        !grow_lane_buckets(store, archetype)) {
        return NULL;
    }
    oxi_lane *lane = oxi_heap_alloc_in(store->heap, size_of_lane(archetype), _Alignof(oxi_lane));
    if (lane == NULL) {
        return NULL;
    }
    *lane = (oxi_lane){.index = (uint32_t)archetype->lanes.count,
                       .hash = hash,
                       .values = (uint32_t *)(void *)(lane + 1)};
    memcpy(lane->values, values, archetype->shared_count * sizeof *values);
    for (uint32_t k = 0; k < archetype->shared_count; k++) {
        oxi_shared_add_ref(store, values[k]);
        OXI_ASSERT(oxi_shared_at(store, values[k])->component ==
                   archetype->types[archetype->shared_types[k]]);
    }
    archetype->lanes.items[archetype->lanes.count++] = lane;
    link_lane(archetype, lane);
    return lane;
}

oxi_lane *oxi_lane_take(oxi_store *store, oxi_archetype *archetype, const uint32_t *values) {
    if (archetype->shared_count == 0) {
        return &archetype->lane;
    }
    uint64_t hash = oxi_hash_bytes(values, archetype->shared_count * sizeof *values, 0);
    oxi_lane *lane = find_lane(archetype, values, hash);
    lane = lane != NULL ? lane : make_lane(store, archetype, values, hash);
    if (lane != NULL) {
        lane->pin_count++;
    }
    return lane;
}

static void free_lane(const oxi_store *store, const oxi_archetype *archetype, oxi_lane *lane) {
    oxi_list_free_in(store->heap, &lane->chunks);
    oxi_bitset_free_in(store->heap, &lane->open);
    oxi_heap_free_in(store->heap, lane, size_of_lane(archetype), _Alignof(oxi_lane));
}

void oxi_lane_settle(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane) {
    if (lane == &archetype->lane || lane->pin_count > 0 || lane->chunks.count > lane->gap_count) {
        return;
    }
    OXI_ASSERT(lane->index < archetype->lanes.count);
    OXI_ASSERT(archetype->lanes.items[lane->index] == lane);
    OXI_ASSERT(lane->open_room == 0);
    uint32_t values[OXI_MAX_SHARED_TYPES];
    memcpy(values, lane->values, archetype->shared_count * sizeof *values);
    oxi_lane **link = find_lane_bucket(archetype, lane->hash);
    while (*link != lane) {
        OXI_ASSERT(*link != NULL);
        link = &(*link)->next;
    }
    *link = lane->next;
    oxi_list_remove_swap(&archetype->lanes, lane->index);
    if (lane->index < archetype->lanes.count) {
        archetype->lanes.items[lane->index]->index = lane->index;
    }
    free_lane(store, archetype, lane);
    store->lane_serial++;
    // Last: a value that goes calls its user.
    for (uint32_t k = 0; k < archetype->shared_count; k++) {
        oxi_shared_release(store, values[k]);
    }
}

void oxi_lane_leave(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane) {
    lane->promised = 0;
    if (lane != &archetype->lane) {
        OXI_ASSERT(lane->pin_count > 0);
        lane->pin_count--;
        oxi_lane_settle(store, archetype, lane);
    }
}

uint32_t oxi_archetype_shared_slot(const oxi_archetype *archetype, uint32_t type) {
    uint32_t slot = 0;
    while (archetype->shared_types[slot] != type) {
        slot++;
        OXI_ASSERT(slot < archetype->shared_count);
    }
    return slot;
}

uint32_t oxi_lane_shared_number(const oxi_store *store, const oxi_archetype *archetype,
                                const oxi_lane *lane, uint32_t component) {
    int32_t type = oxi_archetype_find_type(store, archetype, component);
    OXI_ASSERT(type >= 0);
    return lane->values[oxi_archetype_shared_slot(archetype, (uint32_t)type)];
}

uint32_t oxi_chunk_shared_number(const oxi_store *store, oxi_archetype *archetype, oxi_chunk chunk,
                                 uint32_t component) {
    int32_t type = oxi_archetype_find_type(store, archetype, component);
    for (uint32_t k = 0; k < archetype->shared_count; k++) {
        if (archetype->shared_types[k] == type) {
            return oxi_lane_of(archetype, chunk)->values[k];
        }
    }
    return 0;
}

void oxi_lane_values(const oxi_store *store, const oxi_archetype *to, oxi_chunk chunk,
                     const oxi_shared_choice *choices, uint32_t choice_count, uint32_t *values) {
    oxi_archetype *from = chunk != 0 ? oxi_archetype_of(chunk) : NULL;
    for (uint32_t k = 0; k < to->shared_count; k++) {
        uint32_t component = to->types[to->shared_types[k]];
        values[k] = from != NULL && from->shared_count > 0
                        ? oxi_chunk_shared_number(store, from, chunk, component)
                        : 0;
        for (uint32_t n = 0; n < choice_count; n++) {
            values[k] = choices[n].component == component ? choices[n].number : values[k];
        }
        values[k] = values[k] != 0 ? values[k] : oxi_shared_default(store, component);
    }
}

void oxi_lane_note_change(oxi_store *store, const oxi_archetype *archetype, const oxi_lane *lane) {
    for (uint32_t k = 0; lane->values != NULL && k < archetype->shared_count; k++) {
        oxi_shared_at(store, lane->values[k])->order_version++;
    }
}

void oxi_lanes_destroy(const oxi_store *store, oxi_archetype *archetype) {
    for (size_t k = 0; k < archetype->lanes.count; k++) {
        free_lane(store, archetype, archetype->lanes.items[k]);
    }
    oxi_list_free_in(store->heap, &archetype->lanes);
    oxi_list_free_in(store->heap, &archetype->lane_buckets);
}

uint64_t oxi_lane_hash(const oxi_store *store, const oxi_archetype *archetype, const oxi_lane *lane,
                       const uint64_t *names) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < archetype->shared_count; k++) {
        const oxi_shared_value *value = oxi_shared_at(store, lane->values[k]);
        sum += oxi_hash_combine(names[archetype->shared_types[k]],
                                oxi_shared_hash_content(store, value));
    }
    return sum;
}

// Validating.

static const char *validate_lane(const oxi_store *store, const oxi_archetype *archetype,
                                 const oxi_lane *lane) {
    uint32_t room = 0, gaps = 0;
    for (size_t k = 0; k < lane->chunks.count; k++) {
        oxi_chunk chunk = lane->chunks.items[k];
        const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
        gaps += chunk == 0;
        room += chunk != 0 && entry->is_open ? archetype->capacity - entry->live : 0;
    }
    if (room != lane->open_room || gaps != lane->gap_count || gaps == lane->chunks.count) {
        return "a lane counts its rows wrong, or has none";
    }
    if (oxi_words_find_set(lane->open.words, lane->chunks.count, 0) != lane->first_open) {
        return "the first open chunk of a lane is wrong";
    }
    for (uint32_t k = 0; k < archetype->shared_count; k++) {
        if (oxi_shared_at(store, lane->values[k])->component !=
            archetype->types[archetype->shared_types[k]]) {
            return "a lane has a value of another component";
        }
    }
    return lane->pin_count == 0 && lane->promised == 0 ? NULL : "a lane is held by nobody";
}

const char *oxi_lanes_validate(const oxi_store *store, const oxi_archetype *archetype) {
    const char *fault = NULL;
    for (size_t k = 0; k < archetype->lanes.count && fault == NULL; k++) {
        fault = validate_lane(store, archetype, archetype->lanes.items[k]);
    }
    return fault;
}

// Each lane has a reference to its values; filters of queries have the others.
const char *oxi_shared_values_validate(const oxi_store *store) {
    for (uint32_t k = 1; k < store->shared.values.count; k++) {
        const oxi_shared_value *value = oxi_shared_at(store, k);
        uint32_t refs = value->is_default;
        for (uint32_t n = 0; value->bytes != NULL && n < store->archetypes.count; n++) {
            const oxi_archetype *archetype = oxi_archetype_at(store, n);
            for (size_t m = 0; m < archetype->lanes.count * archetype->shared_count; m++) {
                refs += archetype->lanes.items[m / archetype->shared_count]
                            ->values[m % archetype->shared_count] == k;
            }
        }
        if (refs > value->ref_count || (value->bytes != NULL && value->ref_count == 0)) {
            return "a shared value has too few references";
        }
    }
    return NULL;
}

// Where components are shared: the chunk stands in its lane, which takes new rows by it.
const char *oxi_chunk_lane_validate(const oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_lane *at = oxi_chunk_lane_of(archetype, chunk);
    if (archetype->shared_count == 0) {
        return NULL;
    }
    if (at->lane == NULL || at->lane->index >= archetype->lanes.count ||
        archetype->lanes.items[at->lane->index] != at->lane ||
        at->place >= at->lane->chunks.count || at->lane->chunks.items[at->place] != chunk) {
        return "a chunk does not stand in its lane";
    }
    return oxi_chunk_entry_of(chunk)->is_open == oxi_bitset_test(&at->lane->open, at->place)
               ? NULL
               : "a chunk and its lane disagree about new rows";
}
