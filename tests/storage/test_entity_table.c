// SPDX-License-Identifier: MIT
//
// Ids of entities.

#include "storage/storage_test.h"

#include "base/random.h"
#include "base/substitute.h"

static oxi_entity_table make_table(uint32_t limit) {
    oxi_entity_table table;
    EXPECT(oxi_entity_table_create(&table, limit));
    return table;
}

static ox_entity take(oxi_entity_table *table) {
    EXPECT_EQ(oxi_entity_reserve(table, 1), OXI_DONE);
    return oxi_entity_take(table, 16, 0);
}

TEST(entity_table, first_id_is_index_0_version_1) {
    oxi_entity_table table = make_table(100);
    EXPECT(oxi_entity_find(&table, (ox_entity){0, 1}) == NULL);

    ox_entity entity = take(&table);

    EXPECT_EQ(entity.index, 0);
    EXPECT_EQ(entity.version, 1);
    EXPECT(oxi_entity_find(&table, entity) == &table.records[0]);
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, indices_follow_each_other_and_the_last_freed_is_used_first) {
    oxi_entity_table table = make_table(100000);
    for (uint32_t k = 0; k < 10000; k++) {
        EXPECT_EQ(take(&table).index, k);
    }
    oxi_entity_free(&table, 5);
    oxi_entity_free(&table, 7000);

    ox_entity first = take(&table), second = take(&table), third = take(&table);

    EXPECT(first.index == 7000 && first.version == 2);
    EXPECT(second.index == 5 && second.version == 2);
    EXPECT(third.index == 10000 && third.version == 1);
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, an_id_at_its_last_version_is_retired) {
    oxi_entity_table table = make_table(100);
    take(&table);
    table.records[0].version = UINT32_MAX;
    EXPECT(oxi_entity_find(&table, (ox_entity){0, UINT32_MAX}) != NULL);

    oxi_entity_free(&table, 0);

    EXPECT_EQ(take(&table).index, 1);
    static const uint32_t versions[] = {0, 1, 2, UINT32_MAX - 1, UINT32_MAX};
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++) {
        EXPECT(oxi_entity_find(&table, (ox_entity){0, versions[k]}) == NULL);
    }
    EXPECT_EQ(table.alive, 1);
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, is_full_when_all_its_ids_are_retired) {
    oxi_entity_table table = make_table(2);
    size_t room = table.region.reserved / sizeof(oxi_record);
    for (size_t k = 0; k < room; k++) {
        ox_entity entity = take(&table);
        EXPECT_EQ(entity.index, k);
        table.records[entity.index].version = UINT32_MAX;
        oxi_entity_free(&table, entity.index);
    }
    EXPECT_EQ(oxi_entity_reserve(&table, 1), OXI_AT_LIMIT);
    EXPECT_EQ(table.alive, 0);
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, ids_that_were_never_given_are_not_found) {
    static const ox_entity forged[] = {
        {0, 0}, {0, 2}, {1, 1}, {UINT32_MAX, UINT32_MAX}, {0, UINT32_MAX}};
    oxi_entity_table table = make_table(100);
    take(&table);
    for (size_t k = 0; k < sizeof forged / sizeof *forged; k++) {
        EXPECT(oxi_entity_find(&table, forged[k]) == NULL);
    }
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, that_was_granted_less_than_it_asked_for_runs_out_of_memory) {
    oxi_entity_table table;
    oxi_fault_plan(OXI_FAULT_ONE, 0); // so it gets half
    EXPECT(oxi_entity_table_create(&table, 1 << 20));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(table.limit < 1 << 20);
    EXPECT_EQ(oxi_entity_reserve(&table, table.limit), OXI_DONE);
    EXPECT_EQ(oxi_entity_reserve(&table, table.limit + 1), OXI_NO_MEMORY);
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, the_limit_is_exact) {
    oxi_entity_table table = make_table(3);
    EXPECT_EQ(oxi_entity_reserve(&table, 4), OXI_AT_LIMIT);
    for (int k = 0; k < 3; k++) {
        take(&table);
    }
    EXPECT_EQ(oxi_entity_reserve(&table, 1), OXI_AT_LIMIT);

    oxi_entity_free(&table, 1);

    EXPECT_EQ(oxi_entity_reserve(&table, 1), OXI_DONE);
    EXPECT_EQ(oxi_entity_reserve(&table, 2), OXI_AT_LIMIT);
    EXPECT_EQ(oxi_entity_reserve(&table, UINT32_MAX), OXI_AT_LIMIT);
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, peeking_tells_what_taking_gives) {
    oxi_random random = oxi_random_seed(test_seed(3));
    oxi_entity_table table = make_table(1000);
    for (int round = 0; round < 200; round++) {
        uint32_t index = (uint32_t)oxi_random_below(&random, 200);
        if (index < table.used && table.records[index].chunk != 0) {
            oxi_entity_free(&table, index);
            continue;
        }
        uint32_t skipped = (uint32_t)oxi_random_below(&random, 5);
        ox_entity wanted = oxi_entity_peek(&table, skipped), taken = {0, 0};
        for (uint32_t k = 0; k <= skipped; k++) {
            taken = take(&table);
        }
        EXPECT(taken.index == wanted.index && taken.version == wanted.version);
    }
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, records_do_not_move_when_it_grows) {
    oxi_entity_table table = make_table(1 << 24);
    take(&table);
    const oxi_record *first = table.records;

    EXPECT_EQ(oxi_entity_reserve(&table, 1 << 22), OXI_DONE);

    EXPECT(table.records == first && first->version == 1);
    oxi_entity_table_destroy(&table);
}

TEST(entity_table, ids_of_a_chunk_are_taken_as_one_by_one) {
    oxi_entity_table table = make_table(1000), naive = make_table(1000);
    ox_entity ids[20];
    for (int k = 0; k < 10; k++) {
        take(&table);
        take(&naive);
    }
    for (uint32_t k = 0; k < 10; k += 3) {
        oxi_entity_free(&table, k);
        oxi_entity_free(&naive, k);
    }
    EXPECT_EQ(oxi_entity_reserve(&table, 20), OXI_DONE);

    oxi_entities_take(&table, 7, ids, 20);

    for (uint32_t k = 0; k < 20; k++) {
        ox_entity one = take(&naive);
        EXPECT(ids[k].index == one.index && ids[k].version == one.version);
        EXPECT(table.records[one.index].chunk == 7 && table.records[one.index].row == k);
    }
    EXPECT_EQ(table.alive, naive.alive);
    EXPECT_EQ(table.used, naive.used);
    oxi_entity_table_destroy(&table);
    oxi_entity_table_destroy(&naive);
}

TEST(entity_table, ids_are_exchanged_for_those_of_another_table) {
    for (int is_new = 0; is_new < 2; is_new++) {
        oxi_entity_table from = make_table(100), to = make_table(100);
        ox_entity ids[4];
        for (int k = 0; k < 4; k++) {
            ids[k] = take(&from);
        }
        from.records[2].version = ids[2].version = UINT32_MAX; // its last
        if (!is_new) {
            oxi_entity_free(&to, take(&to).index);
        }
        EXPECT_EQ(oxi_entity_reserve(&to, 4), OXI_DONE);

        oxi_entities_exchange(&to, &from, 9, ids, 4);

        EXPECT_EQ(from.alive, 0);
        EXPECT_EQ(from.retired, 1);
        EXPECT_EQ(from.records[2].version, 0);
        EXPECT_EQ(from.first_free, 3);
        EXPECT_EQ(from.records[3].row, 1);
        for (uint32_t k = 0; k < 4; k++) {
            EXPECT_EQ(ids[k].index, k);
            EXPECT_EQ(ids[k].version, k == 0 && !is_new ? 2 : 1);
            EXPECT(to.records[k].chunk == 9 && to.records[k].row == k);
        }
        EXPECT_EQ(to.alive, 4);
        oxi_entity_table_destroy(&from);
        oxi_entity_table_destroy(&to);
    }
}
