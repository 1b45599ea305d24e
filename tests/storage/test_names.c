// SPDX-License-Identifier: MIT
//
// Names of entities, against a naive table.

#include "storage/storage_test.h"

#include "base/random.h"

enum { NAMED = 300, TEXTS = 200 };

static int wanted[NAMED]; // the text of each entity, -1 for none

static const char *text_of(int number) {
    static char text[32];
    snprintf(text, sizeof text, "%*d", number % 17 + 1, number);
    return text;
}

static ox_entity entity_of(int number) {
    return (ox_entity){(uint32_t)number / 2, 1 + (uint32_t)number % 2};
}

static int find_text(int text) {
    for (int k = 0; k < NAMED; k++) {
        if (wanted[k] == text) {
            return k;
        }
    }
    return -1;
}

static void verify_all_names(const oxi_names *names) {
    for (int k = 0; k < NAMED; k++) {
        const char *name = oxi_name_get(names, entity_of(k));
        EXPECT((name != NULL) == (wanted[k] >= 0));
        if (name != NULL) {
            EXPECT_STR(name, text_of(wanted[k]));
        }
    }
    for (int k = 0; k < TEXTS; k++) {
        ox_entity found = oxi_name_find(names, text_of(k));
        int owner = find_text(k);
        ox_entity entity = owner >= 0 ? entity_of(owner) : (ox_entity){0, 0};
        EXPECT(found.index == entity.index && found.version == entity.version);
    }
}

TEST(names, are_what_a_table_says) {
    oxi_random random = oxi_random_seed(test_seed(23));
    oxi_names names = {0};
    memset(wanted, -1, sizeof wanted);
    for (uint64_t round = 0; round < test_scaled(20000); round++) {
        int number = (int)oxi_random_below(&random, NAMED);
        int text = (int)oxi_random_below(&random, TEXTS + 60);
        if (text >= TEXTS) {
            EXPECT_EQ(oxi_name_set(&names, entity_of(number), text % 2 ? NULL : ""), OXI_DONE);
            wanted[number] = -1;
        } else {
            int owner = find_text(text);
            bool is_free = owner < 0 || owner == number;
            EXPECT_EQ(oxi_name_set(&names, entity_of(number), text_of(text)),
                      is_free ? OXI_DONE : OXI_AT_LIMIT);
            wanted[number] = is_free ? text : wanted[number];
        }
        if (round % 500 == 0) {
            verify_all_names(&names);
        }
    }
    verify_all_names(&names);
    oxi_names_free(&names);
}

TEST(names, may_be_made_of_the_name_they_replace) {
    oxi_names names = {0};
    EXPECT_EQ(oxi_name_set(&names, entity_of(1), "long name"), OXI_DONE);

    EXPECT_EQ(oxi_name_set(&names, entity_of(1), oxi_name_get(&names, entity_of(1)) + 5), OXI_DONE);

    EXPECT_STR(oxi_name_get(&names, entity_of(1)), "name");
    EXPECT_EQ(oxi_name_find(&names, "long name").version, 0);
    oxi_names_free(&names);
}

TEST(names, of_nobody_are_not_found) {
    oxi_names names = {0};
    EXPECT_EQ(oxi_name_find(&names, "x").version, 0);
    EXPECT_EQ(oxi_name_find(&names, NULL).version, 0);
    EXPECT(oxi_name_get(&names, entity_of(1)) == NULL);
    oxi_name_forget(&names, entity_of(1));
    oxi_names_free(&names);
}

TEST(names, that_come_and_go_take_no_more_memory) {
    oxi_names names = {0};
    for (int k = 0; k < 1000; k++) {
        EXPECT_EQ(oxi_name_set(&names, entity_of(k), text_of(k)), OXI_DONE);
        oxi_name_forget(&names, entity_of(k));
    }
    EXPECT_EQ(names.count, 0);
    EXPECT(names.chain_count <= 64);
    oxi_names_free(&names);
}
