// SPDX-License-Identifier: MIT
//
// Removing rows and closing holes.

#include "storage/storage_test.h"

#include "base/random.h"

enum { ROWS = 100 };

// An archetype with a number in each row, and its first rows.
typedef struct numbered {
    oxi_store store;
    oxi_archetype *archetype;
    ox_entity entities[5000];
} numbered;

static numbered the;

static int32_t *number_of(ox_entity entity) {
    oxi_row_place place = place_of(&the.store, entity);
    char *column = oxi_chunk_address(place.chunk) + the.archetype->columns[1].offset;
    return (int32_t *)(void *)column + place.row;
}

static uint32_t rank_of(ox_entity entity) {
    return oxi_row_rank(the.archetype, place_of(&the.store, entity));
}

static void make_rows(uint32_t size, int count, bool swaps) {
    uint16_t type = component_of_size(size, 0);
    open_store(&the.store, swaps);
    the.archetype = archetype_with(&the.store, &type, 1);
    for (int k = 0; k < count; k++) {
        the.entities[k] = add_entity(&the.store, the.archetype);
        if (size == sizeof(int32_t)) {
            *number_of(the.entities[k]) = k;
        }
    }
}

static void end_rows(void) {
    expect_valid(&the.store);
    oxi_store_destroy(&the.store);
}

TEST(removal, rows_behind_move_down_one) {
    make_rows(4, ROWS, false);
    remove_entity(&the.store, the.entities[37]);
    EXPECT_EQ(the.store.moved_count, 0);
    EXPECT_EQ(oxi_row_rank(the.archetype, place_of(&the.store, the.entities[99])), 98);

    oxi_store_close(&the.store);

    for (int k = 0; k < ROWS; k++) {
        if (k != 37) {
            EXPECT_EQ(place_of(&the.store, the.entities[k]).row, k < 37 ? k : k - 1);
            EXPECT_EQ(*number_of(the.entities[k]), k);
        }
    }
    EXPECT_EQ(the.store.moved_count, ROWS - 38);
    EXPECT_EQ(the.store.closing_count, 1);
    end_rows();
}

TEST(removal, of_the_last_rows_makes_no_hole) {
    make_rows(4, ROWS, false);
    remove_entity(&the.store, the.entities[97]);
    remove_entity(&the.store, the.entities[98]);
    EXPECT_EQ(the.store.dirty_count, 1);

    remove_entity(&the.store, the.entities[99]);

    EXPECT_EQ(the.store.dirty_count, 0);
    EXPECT_EQ(oxi_chunk_entry_of(chunk_at(the.archetype, 0))->count, 97);
    oxi_store_close(&the.store);
    EXPECT_EQ(the.store.closing_count, 0);
    end_rows();
}

TEST(removal, reading_closes_only_what_would_move) {
    make_rows(4, ROWS, false);
    remove_entity(&the.store, the.entities[50]);

    oxi_row_settle(&the.store, oxi_entity_find(&the.store.entities, the.entities[49]));
    EXPECT_EQ(the.store.closing_count, 0);

    oxi_row_settle(&the.store, oxi_entity_find(&the.store.entities, the.entities[51]));
    EXPECT_EQ(the.store.closing_count, 1);
    end_rows();
}

TEST(removal, closing_changes_no_version) {
    make_rows(4, ROWS, false);
    the.store.version = 5;
    remove_entity(&the.store, the.entities[50]);
    the.store.version = 9;

    oxi_store_close(&the.store);

    const oxi_chunk_meta *meta = oxi_chunk_entry_of(chunk_at(the.archetype, 0))->meta;
    EXPECT_EQ(meta->order_version, 5);
    EXPECT_EQ(meta->versions[0], 1);
    end_rows();
}

TEST(removal, of_the_last_live_row_unlinks_the_chunk_at_once) {
    make_rows(4, 3, false);
    remove_entity(&the.store, the.entities[0]);
    remove_entity(&the.store, the.entities[1]);

    remove_entity(&the.store, the.entities[2]);

    EXPECT_EQ(chunk_at(the.archetype, 0), 0);
    EXPECT_EQ(the.store.dirty_count, 0);
    EXPECT(the.store.first_dirty != 0); // it still waits there
    end_rows();
}

TEST(removal, a_chunk_that_waits_in_the_dirty_list_can_be_used_again) {
    make_rows(4, 3, false);
    remove_entity(&the.store, the.entities[0]);
    remove_entity(&the.store, the.entities[1]);
    remove_entity(&the.store, the.entities[2]);
    uint16_t other = component_of_size(8, 0);
    oxi_archetype *archetype = archetype_with(&the.store, &other, 1);
    ox_entity a = add_entity(&the.store, archetype), b = add_entity(&the.store, archetype);
    remove_entity(&the.store, a);
    expect_valid(&the.store);

    oxi_store_close(&the.store);

    EXPECT_EQ(place_of(&the.store, b).row, 0);
    EXPECT_EQ(the.store.first_dirty, 0);
    end_rows();
}

TEST(removal, with_swap_back_moves_the_last_row) {
    make_rows(4, ROWS, true);

    remove_entity(&the.store, the.entities[37]);

    EXPECT_EQ(rank_of(the.entities[99]), 37);
    EXPECT_EQ(rank_of(the.entities[98]), 98);
    oxi_store_close(&the.store);
    EXPECT_EQ(place_of(&the.store, the.entities[99]).row, 37);
    EXPECT_EQ(place_of(&the.store, the.entities[98]).row, 98);
    EXPECT_EQ(*number_of(the.entities[99]), 99);
    end_rows();
}

TEST(removal, with_swap_back_many_removals_at_once_come_to_the_same_as_one_by_one) {
    uint32_t order[ROWS], count = ROWS;
    make_rows(4, ROWS, true);
    EXPECT(the.archetype->capacity >= ROWS); // one chunk
    for (uint32_t k = 0; k < ROWS; k++) {
        order[k] = k;
    }
    oxi_random random = oxi_random_seed(61);

    while (count > 1) {
        uint32_t row = (uint32_t)oxi_random_below(&random, count);
        remove_entity(&the.store, the.entities[order[row]]);
        order[row] = order[--count];
        expect_valid(&the.store);
        for (uint32_t k = 0; k < count; k++) {
            EXPECT_EQ(rank_of(the.entities[order[k]]), k);
        }
        if (oxi_random_below(&random, 40) == 0) {
            oxi_store_close(&the.store);
        }
    }

    EXPECT_EQ(*number_of(the.entities[order[0]]), order[0]);
    end_rows();
}

TEST(removal, with_swap_back_moves_no_row_before_somebody_looks) {
    make_rows(4, ROWS, true);
    uint64_t moved = the.store.moved_count;

    for (uint32_t k = 0; k + 1 < ROWS; k++) {
        remove_entity(&the.store, the.entities[k]);
    }
    EXPECT_EQ(the.store.moved_count, moved);
    oxi_store_close(&the.store);

    EXPECT_EQ(the.store.moved_count, moved + 1);
    EXPECT_EQ(place_of(&the.store, the.entities[ROWS - 1]).row, 0);
    end_rows();
}

TEST(removal, with_swap_back_a_new_row_follows_those_that_are_left) {
    make_rows(4, ROWS, true);
    remove_entity(&the.store, the.entities[3]);

    ox_entity made = add_entity(&the.store, the.archetype);

    EXPECT_EQ(place_of(&the.store, made).row, ROWS - 1);
    EXPECT_EQ(place_of(&the.store, the.entities[ROWS - 1]).row, 3);
    expect_valid(&the.store);
    end_rows();
}

TEST(removal, a_full_chunk_opens_again_when_an_eighth_is_gone) {
    make_rows(1000, 64, false); // 16 rows in each chunk
    EXPECT_EQ(the.archetype->capacity, 16);
    remove_entity(&the.store, the.entities[3]);
    ox_entity fifth = add_entity(&the.store, the.archetype);
    EXPECT_EQ(place_of(&the.store, fifth).chunk, chunk_at(the.archetype, 4));

    remove_entity(&the.store, the.entities[5]);
    ox_entity made = add_entity(&the.store, the.archetype);

    EXPECT_EQ(place_of(&the.store, made).chunk, chunk_at(the.archetype, 0));
    EXPECT_EQ(oxi_row_rank(the.archetype, place_of(&the.store, made)), 14);
    end_rows();
}

TEST(removal, recycled_rows_are_zero) {
    make_rows(1000, 16, false);
    char *column = oxi_chunk_address(chunk_at(the.archetype, 0));
    memset(column + the.archetype->columns[1].offset, 0xee, 16 * 1000);
    for (int k = 0; k < 16; k++) {
        remove_entity(&the.store, the.entities[k]);
    }

    oxi_row_place place = place_of(&the.store, add_entity(&the.store, the.archetype));

    const char *value = oxi_chunk_address(place.chunk) + the.archetype->columns[1].offset;
    for (int k = 0; k < 1000; k++) {
        EXPECT_EQ(value[k], 0);
    }
    end_rows();
}

TEST(removal, a_thousand_at_random_keep_the_order_of_the_others) {
    make_rows(4, 4000, false);
    oxi_random random = oxi_random_seed(test_seed(7));
    static ox_entity wanted[5000], found[5000];
    memcpy(wanted, the.entities, sizeof wanted);
    int count = 4000;
    for (int k = 0; k < 1000; k++) {
        int at = (int)oxi_random_below(&random, (uint64_t)count);
        remove_entity(&the.store, wanted[at]);
        memmove(&wanted[at], &wanted[at + 1], (size_t)(--count - at) * sizeof *wanted);
        if (k % 100 == 0) {
            oxi_store_close(&the.store);
        }
        EXPECT_EQ(list_entities(the.archetype, found), count);
        EXPECT(memcmp(found, wanted, (size_t)count * sizeof *wanted) == 0);
    }
    end_rows();
}

TEST(removal, of_many_chunks_squeezes_gaps_and_keeps_order) {
    make_rows(1000, 4000, false); // 250 chunks
    static ox_entity found[5000];
    for (int k = 0; k < 4000; k++) {
        if (k / 16 % 3 != 0) {
            remove_entity(&the.store, the.entities[k]);
        }
    }
    expect_valid(&the.store);

    int count = list_entities(the.archetype, found);

    EXPECT_EQ(count, 84 * 16);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(found[k].index, k / 16 * 48 + k % 16);
    }
    EXPECT(the.archetype->lane.gap_count * 4 < the.archetype->lane.chunks.count);
    end_rows();
}

// Rows that nobody is in.

#if OX_SAFETY >= 2

// What a pointer into a row would read, whether it may or not.
__attribute__((no_sanitize("address"))) static uint32_t peek(const volatile int32_t *number) {
    uint32_t value = 0;
    const volatile unsigned char *bytes = (const volatile unsigned char *)number;
    for (int k = 0; k < 4; k++) {
        value |= (uint32_t)bytes[k] << (8 * k);
    }
    return value;
}

static bool is_vacant(const int32_t *number) {
    bool is_locked = true;
#if defined(OXI_ASAN)
    // The sanitizer knows ends of 8 bytes: a number before one that is in use may be read.
    is_locked = (uintptr_t)number % 8 == 0 || __asan_address_is_poisoned(number) != 0;
#endif
    return peek(number) == 0xdddddddd && is_locked;
}

static int32_t *numbers_of_chunk(oxi_chunk chunk) {
    return (int32_t *)(void *)(oxi_chunk_address(chunk) + the.archetype->columns[1].offset);
}

// All live rows have their numbers, and all others of the first chunk are vacant.
static void expect_others_vacant(const bool *is_gone, uint32_t used) {
    const int32_t *numbers = numbers_of_chunk(place_of(&the.store, the.entities[0]).chunk);
    bool is_live[ROWS] = {false};
    for (int k = 0; k < ROWS; k++) {
        if (!is_gone[k]) {
            EXPECT_EQ(*number_of(the.entities[k]), k);
            is_live[place_of(&the.store, the.entities[k]).row] = true;
        }
    }
    for (uint32_t row = 0; row < used; row++) {
        EXPECT(is_live[row] != is_vacant(&numbers[row]));
    }
}

TEST(removal, rows_are_filled_when_they_are_left) {
    for (int swaps = 0; swaps < 2; swaps++) {
        bool is_gone[ROWS] = {false};
        make_rows(4, ROWS, swaps != 0);
        static const int removed[] = {37, 38, 99, 98, 5, 60, 59};
        for (size_t k = 0; k < sizeof removed / sizeof *removed; k++) {
            remove_entity(&the.store, the.entities[removed[k]]);
            is_gone[removed[k]] = true;
            expect_others_vacant(is_gone, ROWS);
        }
        oxi_store_close(&the.store);
        expect_others_vacant(is_gone, ROWS);
        end_rows();
    }
}

TEST(removal, many_rows_are_filled_when_they_are_left) {
    bool is_gone[ROWS] = {false};
    make_rows(4, ROWS, false);
    oxi_chunk chunk = place_of(&the.store, the.entities[0]).chunk;
    for (int k = 20; k < 50; k++) {
        oxi_entity_free(&the.store.entities, the.entities[k].index);
        is_gone[k] = true;
    }
    oxi_rows_remove(&the.store, (oxi_rows){chunk, 20, 30});
    expect_others_vacant(is_gone, ROWS);
    oxi_store_close(&the.store);
    expect_others_vacant(is_gone, ROWS);
    end_rows();
}

TEST(removal, a_chunk_is_filled_when_it_is_given_back_and_can_be_used_again) {
    make_rows(4, ROWS, false);
    const int32_t *numbers = numbers_of_chunk(place_of(&the.store, the.entities[0]).chunk);
    for (int k = 0; k < ROWS; k++) {
        remove_entity(&the.store, the.entities[k]);
    }
    for (int k = 0; k < ROWS; k++) {
        EXPECT(is_vacant(&numbers[k]));
    }
    for (int k = 0; k < ROWS; k++) {
        the.entities[k] = add_entity(&the.store, the.archetype);
        EXPECT_EQ(*number_of(the.entities[k]), 0);
    }
    end_rows();
}

#endif
