// SPDX-License-Identifier: MIT
//
// The walk over a store finds what is broken, and says what. Each case breaks one thing, looks, and
// mends it again.

#include "storage/storage_test.h"

#include "entities/world.h"
#include "oxbow/buffers.h"
#include "oxbow/entities.h"
#include "oxbow/queries.h"
#include "storage/buffers.h"
#include "storage/enabled_bits.h"
#include "storage/shared_values.h"

OX_COMPONENT(Heavy, { char bytes[1000]; });
OX_ENABLEABLE(Lamp, { int watts; });
OX_SHARED(Crew, { int number; });
OX_SHARED(Port, { int number; });
OX_BUFFER(Load, 2, { int tons; });

enum { ROWS = 40 };

static ox_world *world;
static oxi_store *store;
static ox_entity heavy[ROWS], shared[ROWS];
static oxi_archetype *plain, *kinds;

static void expect_fault(const char *text) {
    const char *why = oxi_store_validate(store);
    EXPECT_STR(why != NULL ? why : "valid", text);
}

// Breaks a number or a pointer.
#define EXPECT_FAULT(place, broken, text)                                                          \
    do {                                                                                           \
        __typeof__(place) sound = place;                                                           \
        place = (__typeof__(place))(broken);                                                       \
        expect_fault(text);                                                                        \
        place = sound;                                                                             \
        expect_valid(store);                                                                       \
    } while (false)

static oxi_archetype *archetype_of(ox_entity entity) {
    return oxi_archetype_of(place_of(store, entity).chunk);
}

// Three chunks of rows, the first with a hole, and rows of each kind of component; some ids are
// free.
static void begin(void) {
    world = ox_world_create(NULL);
    store = &world->store;
    for (int k = 0; k < ROWS; k++) {
        heavy[k] = ox_entity_create(world, OX_VALUE(Heavy, {{1}}));
    }
    for (int k = 0; k < ROWS; k++) {
        shared[k] =
            ox_entity_create(world, OX_VALUE(Crew, {k % 2}), OX_VALUE(Port, {7}),
                             OX_VALUE(Lamp, {5}), OX_VALUE_TAG(Load), OX_VALUE(Heavy, {{2}}));
    }
    plain = archetype_of(heavy[0]);
    kinds = archetype_of(shared[0]);
    ox_entity_destroy(world, heavy[3]);
    ox_entity_destroy(world, heavy[ROWS - 1]);
    EXPECT(chunk_at(plain, 2) != 0 && kinds->shared_count == 2 && store->dirty_count == 1);
    expect_valid(store);
}

static void end(void) {
    expect_valid(store);
    ox_world_destroy(world);
}

TEST(store_validate, finds_records_that_lead_elsewhere) {
    begin();
    oxi_record *record = &store->entities.records[heavy[0].index];
    oxi_record *free_record = &store->entities.records[store->entities.first_free];
    oxi_chunk_entry *last = oxi_chunk_entry_of(chunk_at(plain, 2));

    EXPECT_FAULT(record->row, 2, "a live row has no entity, or a dead one has");
    EXPECT_FAULT(store->entities.alive, 1, "rows and entities are not as many");
    EXPECT_FAULT(store->entities.first_free, heavy[0].index, "the list of free entities is broken");
    EXPECT_FAULT(free_record->row, store->entities.first_free,
                 "the list of free entities is broken");
    EXPECT_FAULT(store->entities.retired, 1, "the number of free entities is wrong");
    EXPECT_FAULT(oxi_chunk_entities(record->chunk)[1].index, heavy[0].index,
                 "a live row has no entity, or a dead one has");
    EXPECT_FAULT(last->live, last->live - 1, "the live rows of a chunk are not counted right");
    end();
}

// Records that no row knows of: the walk over chunks does not see them.
TEST(store_validate, finds_records_beside_those_of_rows) {
    begin();
    oxi_record *unknown = &store->entities.records[heavy[3].index];
    oxi_record sound = *unknown;
    oxi_chunk chunk = chunk_at(plain, 1);
    EXPECT_EQ(sound.chunk, 0);

    *unknown = (oxi_record){sound.version, store->free_chunks.items[0], 0};
    expect_fault("the record of an entity points to a chunk of nobody");
    *unknown = (oxi_record){sound.version, chunk, 500};
    expect_fault("the record of an entity points behind the rows of its chunk");
    *unknown = (oxi_record){sound.version, chunk, 1};
    expect_fault("the row of an entity holds another entity");
    *unknown = (oxi_record){heavy[3].version, chunk_at(plain, 0), 3};
    expect_fault("a live row has no entity, or a dead one has");
    *unknown = sound;
    end();
}

TEST(store_validate, finds_chunks_whose_entries_are_wrong) {
    begin();
    oxi_chunk chunk = chunk_at(plain, 0);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk),
                    *last = oxi_chunk_entry_of(chunk_at(plain, 2));

    EXPECT_FAULT(entry->place, 1, "a chunk does not know where it stands");
    EXPECT_FAULT(entry->archetype, kinds, "a chunk does not know where it stands");
    EXPECT_FAULT(entry->live, 0, "a chunk is empty, or too full");
    EXPECT_FAULT(entry->count, plain->capacity + 1, "a chunk is empty, or too full");
    EXPECT_FAULT(last->is_open, !last->is_open, "a chunk and its list disagree about new rows");
    EXPECT_FAULT(entry->first_dead, 5, "the first dead row of a chunk is wrong");
    EXPECT_FAULT(entry->is_dirty_listed, false, "a chunk with holes is not listed");
    EXPECT_FAULT(plain->reopen, 1, "a chunk is open or closed against the rule");
    EXPECT_FAULT(store->dirty_count, 0, "the number of chunks with holes is wrong");
    EXPECT_FAULT(store->first_dirty, chunk_at(plain, 1), "the list of chunks with holes is broken");
    EXPECT_FAULT(store->chunk_count, store->chunk_count - 1, "the number of chunks is wrong");
    EXPECT_FAULT(store->free_chunks.capacity, 1, "a store has no room for chunks that become free");
    end();
}

TEST(store_validate, finds_lists_of_removed_rows_that_are_wrong) {
    world = ox_world_create(&(ox_world_def){.removal = OX_REMOVAL_SWAP});
    store = &world->store;
    for (int k = 0; k < ROWS; k++) {
        heavy[k] = ox_entity_create(world, OX_VALUE(Heavy, {{1}}));
    }
    oxi_chunk chunk = place_of(store, heavy[0]).chunk;
    oxi_chunk_meta *meta = oxi_chunk_entry_of(chunk)->meta;
    ox_entity *entities = oxi_chunk_entities(chunk);
    ox_entity_destroy(world, heavy[0]);
    ox_entity_destroy(world, heavy[1]);
    expect_valid(store);

    EXPECT_FAULT(meta->last_removed, 2, "the list of removed rows of a chunk is broken");
    EXPECT_FAULT(meta->last_removed, OXI_NO_ROW, "the list of removed rows of a chunk is broken");
    EXPECT_FAULT(meta->last_removed, 0, "the list of removed rows of a chunk is broken");
    EXPECT_FAULT(entities[0].index, 1, "the list of removed rows of a chunk is too long");
    EXPECT_FAULT(entities[1].index, 3, "the list of removed rows of a chunk is broken");
    end();
}

TEST(store_validate, finds_archetypes_that_are_wrong) {
    begin();
    oxi_column *column = &kinds->columns[2];

    EXPECT_FAULT(kinds->types[1], kinds->types[0], "the types of an archetype are not in order");
    EXPECT_FAULT(column->offset, 64, "the columns of an archetype overlap, or are not aligned");
    EXPECT_FAULT(column->offset, column->offset + 1,
                 "the columns of an archetype overlap, or are not aligned");
    EXPECT_FAULT(plain->columns[1].size, 2000, "the columns of an archetype leave its chunks");
    EXPECT_FAULT(plain->live, 1, "an archetype counts its rows wrong");
    EXPECT_FAULT(plain->lane.open_room, 1, "an archetype counts its rows wrong");
    EXPECT_FAULT(plain->lane.first_open, 0, "the first open chunk of an archetype is wrong");
    EXPECT_FAULT(plain->hash, plain->hash + 1, "an archetype cannot be found");
    end();
}

TEST(store_validate, finds_lanes_and_shared_values_that_are_wrong) {
    begin();
    oxi_lane *lane = kinds->lanes.items[0], *other = kinds->lanes.items[1];
    oxi_chunk chunk = lane->chunks.items[0];
    oxi_chunk_lane *at = oxi_chunk_lane_of(kinds, chunk);
    oxi_shared_value *value = oxi_shared_at(store, lane->values[0]);

    EXPECT_FAULT(at->lane, other, "a chunk does not stand in its lane");
    EXPECT_FAULT(at->place, 77, "a chunk does not stand in its lane");
    EXPECT_FAULT(lane->open.words[0], ~lane->open.words[0],
                 "a chunk and its lane disagree about new rows");
    EXPECT_FAULT(lane->open_room, lane->open_room + 1, "a lane counts its rows wrong, or has none");
    EXPECT_FAULT(lane->first_open, 9, "the first open chunk of a lane is wrong");
    EXPECT_FAULT(lane->values[0], lane->values[1], "a lane has a value of another component");
    EXPECT_FAULT(lane->pin_count, 1, "a lane is held by nobody");
    EXPECT_FAULT(value->ref_count, 0, "a shared value has too few references");
    end();
}

TEST(store_validate, finds_bits_behind_the_rows_and_buffers_that_are_too_full) {
    begin();
    oxi_row_place place = place_of(store, shared[ROWS - 1]);
    uint64_t *off = oxi_chunk_disabled(kinds, place.chunk, kinds->enabled_types[0]);
    const oxi_buffer_kind *kind = NULL;
    char *at = NULL;
    for (uint32_t k = 1; k < kinds->column_count; k++) {
        if (kinds->columns[k].buffer != NULL) {
            kind = kinds->columns[k].buffer;
            at = oxi_chunk_address(place.chunk) + kinds->columns[k].offset;
        }
    }
    EXPECT(kind != NULL && oxi_chunk_entry_of(place.chunk)->count < kinds->capacity);
    oxi_buffer_head *head = (oxi_buffer_head *)(void *)at;

    EXPECT_FAULT(off[0], (uint64_t)1 << oxi_chunk_entry_of(place.chunk)->count,
                 "a component is switched off in a row that does not exist");
    EXPECT_FAULT(head->count, oxi_buffer_capacity(kind, head) + 1,
                 "a buffer has more elements than room");
    end();
}
