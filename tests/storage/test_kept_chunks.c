// SPDX-License-Identifier: MIT
//
// Chunks that were emptied: unlinked, and kept for the next row.

#include "storage/storage_test.h"

static oxi_store store;
static oxi_archetype *archetype;

// An archetype of which few rows fill a chunk.
static oxi_archetype *make_wide(int number) {
    uint16_t type = component_of_size(4000, number);
    return archetype_with(&store, &type, 1);
}

static void begin(void) {
    open_store(&store, false);
    archetype = make_wide(0);
}

static void end(void) {
    expect_valid(&store);
    oxi_store_destroy(&store);
}

TEST(kept_chunks, take_the_next_row_with_no_memory_taken) {
    begin();
    ox_entity first = add_entity(&store, archetype);
    oxi_chunk chunk = place_of(&store, first).chunk;
    oxi_chunk_meta *meta = oxi_chunk_entry_of(chunk)->meta;

    remove_entity(&store, first);
    EXPECT_EQ(archetype->kept_count, 1);
    EXPECT(oxi_row_has_room(archetype));
    oxi_row_place place = oxi_entity_begin(&store, archetype, &archetype->lane, &first);

    EXPECT_EQ(place.chunk, chunk);
    EXPECT(oxi_chunk_entry_of(chunk)->meta == meta);
    EXPECT_EQ(archetype->kept_count + store.kept_count, 0);
    oxi_entity_end(&store, first);
    end();
}

TEST(kept_chunks, are_in_no_list_and_count_no_row) {
    begin();
    remove_entity(&store, add_entity(&store, archetype));

    EXPECT_EQ(archetype->lane.chunks.count, 0);
    EXPECT_EQ(archetype->lane.open_room, 0);
    EXPECT_EQ(archetype->live, 0);
    EXPECT_EQ(oxi_archetype_get_fragmentation(archetype).chunk_count, 0);
    end();
}

TEST(kept_chunks, forget_the_versions_and_dead_rows_they_had) {
    begin();
    ox_entity entities[3];
    for (int k = 0; k < 3; k++) {
        entities[k] = add_entity(&store, archetype);
    }
    oxi_chunk chunk = place_of(&store, entities[0]).chunk;
    store.version = 9;
    for (int k = 0; k < 3; k++) { // the last row goes last: the first two are dead then
        remove_entity(&store, entities[k]);
    }

    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    EXPECT_EQ(entry->count + entry->live, 0);
    EXPECT_EQ(entry->first_dead, OXI_NO_ROW);
    EXPECT_EQ(entry->meta->order_version, 0);
    EXPECT_EQ(*oxi_chunk_dead_bits(archetype, chunk), 0);
    EXPECT_EQ(store.dirty_count, 0);
    oxi_store_close(&store);
    end();
}

// Fills `count` chunks and empties them.
static void empty_chunks(oxi_archetype *of, int count) {
    ox_entity entities[4 * 16];
    int rows = count * (int)of->capacity;
    for (int k = 0; k < rows; k++) {
        entities[k] = add_entity(&store, of);
    }
    for (int k = 0; k < rows; k++) {
        remove_entity(&store, entities[k]);
    }
}

TEST(kept_chunks, are_four_of_an_archetype_at_most) {
    begin();
    empty_chunks(archetype, OXI_KEPT_BY_ARCHETYPE + 3);

    EXPECT_EQ(archetype->kept_count, OXI_KEPT_BY_ARCHETYPE);
    EXPECT_EQ(store.chunk_count - store.free_chunks.count, OXI_KEPT_BY_ARCHETYPE);
    end();
}

TEST(kept_chunks, are_sixty_four_of_a_store_at_most) {
    begin();
    for (int k = 0; k < OXI_KEPT_BY_STORE; k++) {
        empty_chunks(make_wide(k), 2);
    }

    EXPECT_EQ(store.kept_count, OXI_KEPT_BY_STORE);
    oxi_chunks_give_kept(&store);
    EXPECT_EQ(store.kept_count, 0);
    EXPECT_EQ(store.free_chunks.count, store.chunk_count);
    end();
}

TEST(kept_chunks, are_reserved_before_others_are_taken) {
    begin();
    empty_chunks(archetype, 2);
    size_t free = store.free_chunks.count;

    EXPECT_EQ(oxi_rows_reserve(&store, archetype, &archetype->lane, 1), OXI_DONE);
    EXPECT_EQ(archetype->kept_count, 1);
    EXPECT_EQ(oxi_chunks_reserved(archetype), 1);
    oxi_chunks_release(&store, archetype);

    EXPECT_EQ(archetype->kept_count, 1);
    EXPECT_EQ(store.free_chunks.count, free + 1);
    end();
}

// What one archetype keeps, another gets when the process has no more.
TEST(kept_chunks, serve_others_when_there_are_no_more) {
    oxi_chunk_space_reset();
    EXPECT(oxi_chunk_space_set_limit(OXI_SLAB_CHUNKS * (size_t)OXI_CHUNK_SIZE));
    begin();
    oxi_archetype *other = make_wide(1);
    empty_chunks(archetype, OXI_KEPT_BY_ARCHETYPE);
    uint32_t all = OXI_SLAB_CHUNKS * other->capacity;

    EXPECT_EQ(oxi_rows_reserve(&store, other, &other->lane, all), OXI_DONE);
    EXPECT_EQ(store.kept_count, 0);
    oxi_chunks_release(&store, other);
    EXPECT_EQ(oxi_rows_reserve(&store, other, &other->lane, all + 1), OXI_NO_MEMORY);
    EXPECT_EQ(oxi_chunks_reserved(other), 0);
    end();
    oxi_chunk_space_reset();
    EXPECT(oxi_chunk_space_set_limit(0));
}
