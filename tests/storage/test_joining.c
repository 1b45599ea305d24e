// SPDX-License-Identifier: MIT
//
// Whole chunks: joining, changing sides, defragmenting; and versions.

#include "storage/storage_test.h"

#include "base/random.h"

enum { CAPACITY = 16, MOST = 2000 };

static oxi_store store;
static oxi_archetype *plain, *tagged; // 1000 bytes in each row, and a tag more
static ox_entity made[MOST], found[MOST];

static void begin(int count, bool swaps) {
    uint16_t types[2] = {component_of_size(1000, 0), component_of_size(0, 1)};
    open_store(&store, swaps);
    plain = archetype_with(&store, types, 1);
    tagged = archetype_with(&store, types, 2);
    EXPECT_EQ(plain->capacity, CAPACITY);
    for (int k = 0; k < count; k++) {
        made[k] = add_entity(&store, plain);
    }
}

static void end(void) {
    expect_valid(&store);
    oxi_store_destroy(&store);
}

// Leaves `left` rows in each chunk.
static void thin_out(int count, int left) {
    for (int k = 0; k < count; k++) {
        if (k % CAPACITY >= left) {
            remove_entity(&store, made[k]);
        }
    }
}

static void expect_order(const oxi_archetype *archetype, int left) {
    int count = list_entities(archetype, found);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(found[k].index, k / left * CAPACITY + k % left);
    }
}

static uint32_t count_chunks(const oxi_archetype *archetype) {
    return oxi_archetype_get_fragmentation(archetype).chunk_count;
}

static void expect_joined(const oxi_archetype *archetype) {
    for (int n = 0; chunk_at(archetype, n + 1) != 0; n++) {
        EXPECT(oxi_chunk_entry_of(chunk_at(archetype, n))->live +
                   oxi_chunk_entry_of(chunk_at(archetype, n + 1))->live >
               CAPACITY);
    }
}

TEST(joining, leaves_no_neighbours_that_fit_in_one_chunk) {
    for (int left = 1; left < CAPACITY; left++) {
        begin(320, false);
        thin_out(320, left);

        oxi_archetype_join(&store, plain);

        expect_joined(plain);
        expect_order(plain, left);
        EXPECT_EQ(list_entities(plain, found), 20 * left);
        end();
    }
}

TEST(joining, gives_the_newer_version_of_each_type) {
    begin(32, false);
    thin_out(32, 4);
    oxi_chunk_meta *left = oxi_chunk_entry_of(chunk_at(plain, 0))->meta;
    left->versions[0] = 3;
    oxi_chunk_entry_of(chunk_at(plain, 1))->meta->versions[0] = 7;
    store.version = 9;

    oxi_archetype_join(&store, plain);

    EXPECT_EQ(left->versions[0], 7);
    EXPECT_EQ(left->order_version, 9);
    end();
}

TEST(joining, versions_wrap) {
    EXPECT_EQ(oxi_version_newer(0, 5), 5);
    EXPECT_EQ(oxi_version_newer(5, 0), 5);
    EXPECT_EQ(oxi_version_newer(UINT32_MAX, 3), 3);
    EXPECT_EQ(oxi_version_newer(3, UINT32_MAX), 3);
    EXPECT(oxi_version_changed(3, UINT32_MAX));
    EXPECT(!oxi_version_changed(UINT32_MAX, 3));
    EXPECT(!oxi_version_changed(3, 3));
    EXPECT(oxi_version_changed(1, 0));
}

// Changing sides.

static const oxi_edge *way_to_tagged(void) {
    oxi_outcome outcome;
    const oxi_edge *edge = oxi_edge_to(&store, plain, tagged, &outcome);
    EXPECT(edge != NULL);
    return edge;
}

static void give_chunks(int count) {
    oxi_chunk chunks[MOST / CAPACITY];
    oxi_relabel relabel;
    for (int k = 0; k < count; k++) {
        chunks[k] = chunk_at(plain, k);
    }
    EXPECT_EQ(oxi_relabel_reserve(&store, way_to_tagged(), chunks, (uint32_t)count, NULL, &relabel),
              OXI_DONE);
    oxi_relabel_commit(&store, way_to_tagged(), chunks, &relabel);
}

TEST(joining, archetypes_that_differ_by_tags_fit) {
    begin(0, false);
    uint16_t other = component_of_size(1000, 1);
    EXPECT(oxi_archetype_fits(plain, tagged));
    EXPECT(!oxi_archetype_fits(plain, archetype_with(&store, &other, 1)));
    EXPECT(!oxi_archetype_fits(plain, oxi_archetype_at(&store, 0)));
    end();
}

TEST(joining, chunks_change_sides_as_they_are) {
    begin(64, false);
    oxi_chunk first = chunk_at(plain, 0);
    const char *address = oxi_chunk_address(first);
    store.version = 5;

    give_chunks(4);

    EXPECT_EQ(chunk_at(tagged, 0), first);
    EXPECT(oxi_chunk_address(chunk_at(tagged, 0)) == address);
    EXPECT_EQ(plain->live, 0);
    EXPECT_EQ(list_entities(tagged, found), 64);
    EXPECT(memcmp(found, made, 64 * sizeof *made) == 0);
    const oxi_chunk_meta *meta = oxi_chunk_entry_of(first)->meta;
    EXPECT_EQ(meta->versions[0], 1);
    EXPECT_EQ(meta->versions[1], 5);
    EXPECT_EQ(meta->order_version, 5);
    EXPECT_EQ(store.moved_count, 0);
    end();
}

TEST(joining, chunks_that_change_sides_are_joined_there) {
    begin(320, false);
    thin_out(320, 3);

    give_chunks(10);

    expect_joined(tagged);
    expect_joined(plain);
    EXPECT_EQ(tagged->live, 30);
    EXPECT_EQ(plain->live, 30);
    EXPECT_EQ(count_chunks(tagged), 2);
    expect_order(tagged, 3);
    end();
}

TEST(joining, one_row_at_a_time_makes_no_pile_of_chunks) {
    begin(0, false);
    for (int k = 0; k < 200; k++) {
        made[k] = add_entity(&store, plain);
        give_chunks(1);
        EXPECT_EQ(count_chunks(tagged), k / CAPACITY + 1);
    }
    EXPECT_EQ(list_entities(tagged, found), 200);
    EXPECT(memcmp(found, made, 200 * sizeof *made) == 0);
    end();
}

// Defragmenting.

TEST(defragment, with_a_budget_stops_there_and_keeps_order) {
    begin(320, false);
    thin_out(320, 5);
    uint64_t all = oxi_store_defragment(&store, UINT64_MAX);
    end();
    for (int budget = 1; budget < 40; budget += 3) {
        begin(320, false);
        thin_out(320, 5);
        uint64_t moved = 0, step;
        do {
            step = oxi_store_defragment(&store, (uint64_t)budget);
            EXPECT(step <= (uint64_t)budget);
            moved += step;
            expect_valid(&store);
            expect_order(plain, 5);
        } while (step == (uint64_t)budget);
        EXPECT_EQ(oxi_store_defragment(&store, UINT64_MAX), 0);
        EXPECT_EQ(count_chunks(plain), (100 + CAPACITY - 1) / CAPACITY);
        EXPECT_EQ(moved, all);
        end();
    }
}

TEST(defragment, of_a_world_that_swaps_back_fills_chunks_too) {
    begin(320, true);
    oxi_random random = oxi_random_seed(test_seed(17));
    for (int k = 0; k < 320; k++) {
        if (oxi_random_below(&random, 3) != 0) {
            remove_entity(&store, made[k]);
        }
    }
    uint64_t hash = oxi_store_hash(&store);

    while (oxi_store_defragment(&store, 7) > 0) {
        expect_valid(&store);
    }

    EXPECT_EQ(oxi_store_hash(&store), hash);
    EXPECT_EQ(count_chunks(plain), (plain->live + CAPACITY - 1) / CAPACITY);
    end();
}

TEST(defragment, stamps_the_order_of_both_chunks) {
    begin(32, false);
    remove_entity(&store, made[3]);
    store.version = 9;
    uint32_t order = plain->changes;

    EXPECT_EQ(oxi_store_defragment(&store, UINT64_MAX), 1);

    EXPECT_EQ(oxi_chunk_entry_of(chunk_at(plain, 0))->meta->order_version, 9);
    EXPECT_EQ(oxi_chunk_entry_of(chunk_at(plain, 1))->meta->order_version, 9);
    EXPECT(plain->changes != order);
    end();
}

TEST(defragment, of_nothing_does_nothing) {
    begin(0, false);
    EXPECT_EQ(oxi_store_defragment(&store, 100), 0);
    end();
}

TEST(defragment, figures_tell_what_it_would_gain) {
    begin(320, false);
    thin_out(320, 5);

    oxi_fragmentation figures = oxi_archetype_get_fragmentation(plain);

    EXPECT_EQ(figures.chunk_count, 20);
    EXPECT_EQ(figures.least_count, 7);
    EXPECT_EQ(figures.row_count, 100);
    EXPECT_EQ(figures.row_room, 320);
    end();
}
