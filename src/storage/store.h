// SPDX-License-Identifier: MIT
//
// A store: the entities of one world, their archetypes and chunks. The rooms above decide what may
// be done and tell about it; a store does it. It makes no report, knows no job and waits for
// nothing.
//
// Changes have two halves. Reserving may fail and changes nothing that is seen; committing cannot
// fail. One thread at a time.

#pragma once

#include "base/atomics.h"
#include "base/bitset.h"
#include "base/list.h"
#include "base/platform.h"
#include "storage/entity_table.h"
#include "storage/names.h"

enum {
    OXI_MAX_TYPES = 4096,       ///< component types of the process
    OXI_MAX_ENTITY_TYPES = 256, ///< that an entity can be given
    /// Of one archetype: what is left of an entity has a tag beside all that it was given.
    OXI_MAX_ARCHETYPE_TYPES = OXI_MAX_ENTITY_TYPES + 1,
    OXI_NEW_TYPE = 0xffff, ///< a type that only the target of an edge has
    OXI_MAX_ROWS = OXI_CHUNK_SIZE / sizeof(ox_entity),
};

/// Rows behind each other in one chunk.
typedef struct oxi_rows {
    oxi_chunk chunk;
    uint32_t first;
    uint32_t count;
} oxi_rows;

/// A column of an archetype's chunks: one array of values. The first is that of the entities.
typedef struct oxi_column {
    uint32_t component;                   ///< 0 for the entities
    uint32_t type;                        ///< place in the types of the archetype
    uint32_t offset;                      ///< in a chunk, a multiple of `column_align`
    uint32_t size;                        ///< of one value
    const struct oxi_buffer_kind *buffer; ///< NULL: its values are no buffers
} oxi_column;

/// Bytes that go from a row of one archetype to a row of another.
typedef struct oxi_copy {
    uint32_t from_offset;
    uint32_t to_offset;
    uint32_t size;
} oxi_copy;

#define OXI_WHOLE_WAY UINT64_MAX
#define OXI_UNLISTED  UINT32_MAX

/// The way from one archetype to another, listed or not: which bytes of a row go where. Here from
/// {A, C} to {A, B, C}; values of row r go to row s:
///
///     source  | entities | A A A A |       C C C C |       copies[0], [1]: A, C
///                            |               |             from_offset + r * size
///                            v               v
///     target  | entities | A A A | B B B | C C C |         to_offset + s * size
///                                    ^
///                                    zeros, or a value     news[0]: the column of B
///     origin  {0, OXI_NEW_TYPE, 1}                         by type of the target
///
///     block   | oxi_edge | news[new_count] | copies[copy_count] | origin[types of the target] |
typedef struct oxi_edge {
    struct oxi_archetype *target;
    uint64_t key;       ///< component << 1 | oxi_edge_kind; OXI_WHOLE_WAY when asked for as a whole
    bool is_small;      ///< all columns have sizes of oxi_is_small, and nothing else has to be done
    bool carries_bits;  ///< both have a component with bits
    bool drops_buffers; ///< the target lacks a buffer of the source
    bool adds_buffer;   ///< the first new column is of buffers
    uint32_t copy_count;
    uint32_t new_count;     ///< columns that only the target has
    const oxi_copy *copies; ///< not of the entities
    const oxi_column *news; ///< these columns
    const uint16_t
        *origin;         ///< for each type of the target: its place in the source, or OXI_NEW_TYPE
    uint32_t block_size; ///< of this struct and its arrays
} oxi_edge;

/// A component in an archetype.
typedef struct oxi_component_place {
    uint32_t cell; ///< where plain values lie: size << 16 | offset of the column; else 0
    uint16_t type; ///< 1 + its place in the types; 0: the archetype does not have it
    uint16_t bits; ///< words of a chunk's metadata before its switches; 0: it has none
} oxi_component_place;

/// Chunks in an order, and which of them take new rows. The chunks of an archetype with the same
/// shared values are a lane; without shared components there is one, all its chunks. Of 64 rows:
///
///     place            0    1    2    3    4
///     chunks.items   | 17 | 23 |  0 | 31 | 40 |    0: a gap, so gap_count is 1; the last is none
///     live             64   50        64   12
///     open              0    1    0    0    1      bits
///                            ^ first_open: 1       open_room: (64 - 50) + (64 - 12)
typedef struct oxi_lane {
    uint32_t open_room;         ///< rows that fit in open chunks
    uint32_t first_open;        ///< place of the first open chunk, or the number of places
    OXI_LIST(oxi_chunk) chunks; ///< in order; an unlinked one leaves a gap, a 0
    oxi_bitset open;            ///< places of chunks that take new rows
    uint32_t gap_count;

    // Of a lane of shared values.
    uint32_t promised;     ///< rows that were reserved piece by piece, until it is left
    uint32_t pin_count;    ///< who needs it to stay, empty or not
    uint32_t index;        ///< in the lanes of its archetype
    struct oxi_lane *next; ///< with a similar hash
    uint64_t hash;
    uint32_t *values; ///< for each shared type of the archetype: the number of its value
} oxi_lane;

/// A set of component types, and the chunks of the entities that have just these. It is a node of a
/// graph, and listed among the archetypes of its store when entities get there:
///
///     archetype_index, edges  -->  unlisted: to know what would become of an entity
///     the same, archetypes    -->  listed: has an index, may have chunks, and is what walks see
typedef struct oxi_archetype {
    // Lookups of users' files read these two.
    const oxi_component_place *place_list; ///< `places`
    uint32_t local_count;                  ///< of them

    // What every new row needs.
    uint32_t capacity; ///< rows of a chunk
    /// Rows in all, and structural changes that they took part in.
    OXI_COUNT_PAIR(uint32_t, live, changes, uint64_t, live_and_changes);
    uint64_t changed;           ///< `change_count` of its store after the last of them
    ox_site changed_at;         ///< where that was, in libraries with checks
    uint16_t shared_count;      ///< types that are shared
    uint16_t enabled_count;     ///< types with a bit for each row
    bool swaps;                 ///< closing a chunk puts the last rows in the holes
    bool leaves_plainly;        ///< it does not, and no row has shared values
    bool is_plain;              ///< a row is all there is: nothing shared, no buffers
    bool ends_slowly;           ///< an entity that ends needs more than its row removed
    oxi_lane lane;              ///< all chunks; none is open here when components are shared
    const oxi_edge *recent;     ///< that the last entity went by itself; its target is listed
    OXI_LIST(oxi_edge *) edges; ///< the one that was asked for last comes first
    uint32_t dead_offset;       ///< of the dead bits in a chunk's metadata
    uint32_t reopen;            ///< rows that a full chunk must lose before new ones go there

    uint32_t index;                    ///< among those of the store, or OXI_UNLISTED
    struct oxi_archetype *made_before; ///< by the store, listed or not
    uint32_t column_count;
    uint32_t column_align; ///< of each at least: 64, or 1 where no row would fit then
    uint32_t type_count;
    oxi_column *columns;      ///< [0] is the entities
    uint16_t *types;          ///< component ids, ascending
    uint16_t *column_of_type; ///< by place in `types`: its column, 0 for a tag
    uint32_t meta_size;
    uint32_t block_size; ///< of this struct and its arrays
    uint64_t hash;
    uint64_t layout_hash; ///< equal for archetypes whose chunks can change sides

    oxi_chunk spare;      ///< empty chunks with metadata, through `place`
    uint32_t spare_count; ///< of them
    uint32_t kept_count;  ///< of them that nobody has reserved: they were emptied here
    uint32_t arriving;    ///< chunks of others that have a place here, and will come

    // Kinds of components. Types are places in `types`.
    uint32_t buffer_count;
    uint32_t cleanup_count;
    bool leaves_residue;     ///< something stays of an entity that is destroyed
    bool is_residue;         ///< of destroyed entities
    uint16_t *enabled_types; ///< which have bits
    uint16_t *shared_types;
    uint16_t
        *bits_of_type;    ///< by type: words of a chunk's metadata before its bits, 0: it has none
    uint32_t lane_offset; ///< of the oxi_chunk_lane in a chunk's metadata; 0: none are shared
    OXI_LIST(struct oxi_lane *) lanes;
    OXI_LIST(struct oxi_lane *) lane_buckets; ///< by hash, a power of two
    const oxi_edge *residue;                  ///< the way of destroyed entities, once it was needed
    const oxi_edge *copied; ///< the way of instances, once one was made: if a row is all they have

    oxi_component_place places[]; ///< by the store's number of a component
} oxi_archetype;

/// What is kept beside each chunk: versions of its types, which rows have a component switched off,
/// its lane, and which rows are dead. Each column has room for `capacity` values:
///
///     entry of the chunk       chunk, 16 KiB
///     +----------------+       +----------+-+------------+-+---------------+------+
///     | archetype      |       | entities | | values of A| | values of B   |      |
///     | meta ----+     |       +----------+-+------------+-+---------------+------+
///     | count... |     |       0            columns[1]     columns[2]         16384
///     +----------|-----+                    .offset        .offset
///                v
///     +---------------+---------+--------------+-----+-+---------------+------+-+------+
///     | order_version | stamped | last_removed | [k] | | disabled bits | lane | | dead |
///     +---------------+---------+--------------+-----+-+---------------+------+-+------+
///     0               4         8              12      bits_of_type    lane_    dead_   meta_size
///                                            versions  * 8, of each    offset   offset
///
/// Types without bits, and archetypes without shared types, have nothing there. The gap before the
/// dead bits makes the block whole lines of 64 bytes.
typedef struct oxi_chunk_meta {
    uint32_t order_version;
    uint32_t stamped;      ///< a version that order and all types have, or once had
    uint32_t last_removed; ///< of the dead rows, where removals swap; the list is in removal.h
    uint32_t versions[];   ///< one for each type; then disabled bits, the lane, dead bits
} oxi_chunk_meta;

/// Where a chunk stands among those with its shared values.
typedef struct oxi_chunk_lane {
    oxi_lane *lane;
    uint32_t place;
} oxi_chunk_lane;

/// A buffer component in one store. It never moves.
typedef struct oxi_buffer_kind {
    uint32_t component;
    uint32_t size; ///< of an element
    uint32_t align;
    uint32_t inline_capacity;
    uint32_t inline_offset;  ///< from the head to the inline elements
    uint32_t stride;         ///< from one head of a column to the next
    struct oxi_store *store; ///< whose heap the elements outside come from
} oxi_buffer_kind;

/// A value of a shared component. Number 0 is none.
typedef struct oxi_shared_value {
    void *bytes;        ///< NULL: the number is free
    uint64_t hash;      ///< as the component says
    uint32_t component; ///< 0 when free
    uint32_t ref_count; ///< lanes and filters that have it; a default has one of its own
    uint32_t order_version;
    uint32_t next; ///< with a similar hash, or the next free number
    bool is_default;
    bool is_handed; ///< what it owns went to another store: it is not dropped
} oxi_shared_value;

/// All shared values of a store.
typedef struct oxi_shared_table {
    OXI_LIST(oxi_shared_value) values;
    OXI_LIST(uint32_t) buckets; ///< by hash, a power of two; 0 ends a chain
    uint32_t first_free;
    uint32_t live_count;
} oxi_shared_table;

/// Told when a store is about to call a function of the user's, and when that has returned: nothing
/// may enter the world meanwhile. `call` is "hash", "equal", "copy" or "drop"; NULL at the return.
typedef void oxi_user_call_fn(const struct oxi_store *store, const char *call, uint32_t component);

/// What one row of an archetype takes.
typedef struct oxi_row_need {
    uint32_t type_count;
    uint32_t lane_value_count; ///< of them that a lane has
    uint32_t head;             ///< bytes up to its values: its id, or their largest alignment
    uint64_t bytes;            ///< these, and its values
} oxi_row_need;

typedef struct oxi_store {
    uint32_t number;
    uint32_t version; ///< what changes are stamped with
    bool swaps;       ///< new archetypes do
    oxi_entity_table entities;
    oxi_names names;

    OXI_LIST(oxi_archetype *) archetypes;      ///< those that are listed
    oxi_mutex archetypes_lock;                 ///< where the list changes, and where jobs read it
    OXI_LIST(oxi_archetype *) archetype_index; ///< all: open addressing by hash, a power of two
    oxi_archetype *last_made;                  ///< all, through `made_before`
    uint32_t made_count;                       ///< of them
    oxi_row_need refused;                      ///< of the last archetype that was too large
    uint16_t local_of[OXI_MAX_TYPES + 1];      ///< by component id: 1 + the store's own number
    uint32_t local_count;                      ///< components that have such a number
    uint64_t known[OXI_MAX_TYPES / 64 + 1]; ///< bits of those that a listed archetype has had, or
                                            ///< that somebody has asked for
    uint32_t known_count;                   ///< of them

    OXI_LIST(oxi_buffer_kind *) buffer_kinds; ///< by the store's number; NULL: no buffer
    OXI_LIST(uint32_t) defaults;              ///< by it: the default of a shared component, or 0
    oxi_shared_table shared;
    oxi_user_call_fn *user_call;  ///< NULL: nobody is told
    uint32_t residue;             ///< component that destroyed entities have
    uint64_t lane_serial;         ///< moves when a lane goes
    oxi_mutex buffers_lock;       ///< of `heap`, where it is one that jobs cannot share
    oxi_atomic_u64 outside_bytes; ///< of elements of buffers

    uint32_t chunk_count;            ///< chunks that the store has
    OXI_LIST(oxi_chunk) free_chunks; ///< of them those that nobody needs; room for all
    uint32_t kept_count;             ///< of them those that archetypes keep
    oxi_chunk first_dirty;           ///< chunks that may have dead rows, through `next`
    uint32_t dirty_count;            ///< chunks that have some
    uint64_t closing_count;          ///< how often a chunk was closed
    uint64_t moved_count;            ///< rows that were moved inside of an archetype
    uint64_t change_count;           ///< structural changes
    ox_site changed_at;              ///< the last one, or one that is under way
    const oxi_hooks *heap;           ///< where its blocks come from; NULL: the process's hooks
} oxi_store;

/// How to make a store.
typedef struct oxi_store_def {
    uint32_t entity_limit;
    bool swaps;
    const oxi_hooks *heap; ///< NULL: the hooks of the process
    uint32_t residue;      ///< the component of destroyed entities; 0: none
} oxi_store_def;

/// Makes a store with the archetype of no components, which has index 0.
/// @return false when out of memory.
bool oxi_store_create(oxi_store *store, const oxi_store_def *def);
void oxi_store_destroy(oxi_store *store);

static inline bool oxi_archetype_is_listed(const oxi_archetype *archetype) {
    return archetype->index != OXI_UNLISTED;
}

/// True for a component that entities may have had.
static inline bool oxi_store_knows(const oxi_store *store, uint32_t component) {
    return (store->known[component / 64] >> component % 64 & 1) != 0;
}

static inline oxi_archetype *oxi_archetype_at(const oxi_store *store, uint32_t index) {
    return store->archetypes.items[index];
}

static inline oxi_archetype *oxi_archetype_of(oxi_chunk chunk) {
    return oxi_chunk_entry_of(chunk)->archetype;
}

/// A component in an archetype, by the store's number of it: zeros when it is not there.
static inline oxi_component_place oxi_archetype_find_local(const oxi_archetype *archetype,
                                                           uint32_t local) {
    return local - 1 < archetype->local_count ? archetype->places[local - 1]
                                              : (oxi_component_place){0, 0, 0};
}

/// The same by its id.
static inline oxi_component_place oxi_archetype_find_place(const oxi_store *store,
                                                           const oxi_archetype *archetype,
                                                           uint32_t component) {
    return oxi_archetype_find_local(archetype, store->local_of[component]);
}

/// The place of a component in the types of an archetype, or -1.
static inline int32_t oxi_archetype_find_type(const oxi_store *store,
                                              const oxi_archetype *archetype, uint32_t component) {
    return (int32_t)oxi_archetype_find_place(store, archetype, component).type - 1;
}

/// The value in a row, by its cell.
static inline char *oxi_cell_value(oxi_chunk chunk, uint32_t row, uint32_t cell) {
    return oxi_chunk_address(chunk) + (cell & 0xffff) + (size_t)row * (cell >> 16);
}

static inline oxi_chunk_lane *oxi_chunk_lane_of(const oxi_archetype *archetype, oxi_chunk chunk) {
    return (oxi_chunk_lane *)(void *)((char *)oxi_chunk_entry_of(chunk)->meta +
                                      archetype->lane_offset);
}

/// How many values a lane of an archetype has.
static inline uint32_t oxi_lane_value_count(const oxi_archetype *archetype) {
    return archetype->shared_count;
}

/// True when the chunks of an archetype stand in lanes by shared values. Else there is one lane.
static inline bool oxi_archetype_has_lanes(const oxi_archetype *archetype) {
    return archetype->shared_count > 0;
}

/// The lane that a chunk stands in, and where it stands there.
static inline oxi_lane *oxi_lane_of(oxi_archetype *archetype, oxi_chunk chunk) {
    return archetype->shared_count == 0 ? &archetype->lane
                                        : oxi_chunk_lane_of(archetype, chunk)->lane;
}

static inline uint32_t oxi_place_in_lane(const oxi_archetype *archetype, oxi_chunk chunk) {
    return archetype->shared_count == 0 ? oxi_chunk_entry_of(chunk)->place
                                        : oxi_chunk_lane_of(archetype, chunk)->place;
}

static inline uint64_t *oxi_chunk_dead_bits(const oxi_archetype *archetype, oxi_chunk chunk) {
    return (uint64_t *)(void *)((char *)oxi_chunk_entry_of(chunk)->meta + archetype->dead_offset);
}

static inline ox_entity *oxi_chunk_entities(oxi_chunk chunk) {
    return (ox_entity *)(void *)oxi_chunk_address(chunk);
}

/// The newer of two versions; they wrap. 0 is none.
static inline uint32_t oxi_version_newer(uint32_t a, uint32_t b) {
    return b == 0 || (a != 0 && (int32_t)(a - b) > 0) ? a : b;
}

/// True when something with version `changed` changed after `since`. 0 is "never looked".
static inline bool oxi_version_changed(uint32_t changed, uint32_t since) {
    return since == 0 || (int32_t)(changed - since) > 0;
}
