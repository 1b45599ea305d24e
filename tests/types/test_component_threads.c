// SPDX-License-Identifier: MIT
//
// Components that are registered, found and read by many threads at once.

#include "types_test.h"

#include "base/platform.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 16, NAMES = 64, ROUNDS = 8 };

typedef struct component_user {
    oxi_thread thread;
    uint32_t number;
    uint32_t ids[NAMES];
    ox_component own[NAMES];
    char names[NAMES][16];
    ox_component inner, outer; // of this thread alone
    char inner_name[16], outer_name[16], outer_text[40];
} component_user;

static oxi_atomic_u32 started_users;
static ox_component common = {.type = {.name = "Common",
                                       .text = "{ int x, y; }",
                                       .site = "common.h:1",
                                       .size = 8,
                                       .align = 4,
                                       .header_version = OX_VERSION}};

// Reads an info as soon as its id is known.
static void expect_info(uint32_t id, const char *name) {
    const ox_component_info *info = ox_component_get_info(id);
    EXPECT(info != NULL);
    EXPECT_STR(info->name, name);
    EXPECT_EQ(info->id, id);
    EXPECT_EQ(info->layout.field_count, 2);
    EXPECT_STR(info->layout.fields[1].name, "y");
}

static void use_components(void *context) {
    component_user *mine = context;
    oxi_add_seq(&started_users, 1);
    while (oxi_load_seq(&started_users) < THREADS) {
        oxi_thread_yield();
    }
    expect_info(oxi_component_id(&common, NULL), "Common");
    oxi_component_link(&mine->inner);
    oxi_component_link(&mine->outer);
    EXPECT(ox_component_find(mine->outer_name) != 0);
    EXPECT(ox_component_find(mine->inner_name) != 0);
    for (uint32_t k = 0; k < NAMES; k++) {
        uint32_t number = (k * 7 + mine->number) % NAMES; // in another order on each thread
        mine->ids[number] = ox_component_id_of_at(&mine->own[number], OX_HERE);
        expect_info(mine->ids[number], mine->names[number]);
        EXPECT_EQ(ox_component_find(mine->names[number]), mine->ids[number]);
    }
}

static void start_user(component_user *all, uint32_t number) {
    component_user *one = &all[number];
    one->number = number;
    for (uint32_t k = 0; k < NAMES; k++) {
        snprintf(one->names[k], sizeof one->names[k], "Name%u", (unsigned)k);
        one->own[k] = pair_component(one->names[k]);
    }
    snprintf(one->inner_name, sizeof one->inner_name, "Inner%u", (unsigned)number);
    snprintf(one->outer_name, sizeof one->outer_name, "Outer%u", (unsigned)number);
    snprintf(one->outer_text, sizeof one->outer_text, "{ Inner%u all; }", (unsigned)number);
    one->inner = pair_component(one->inner_name);
    one->inner.type.text = NULL;
    one->outer = pair_component(one->outer_name);
    one->outer.type.text = one->outer_text;
    EXPECT(oxi_thread_start(&one->thread, use_components, one, "user"));
}

TEST(component_threads, get_one_id_for_each_name) {
    static component_user all[THREADS];
    for (uint64_t round = 0; round < test_scaled(ROUNDS); round++) {
        oxi_components_reset();
        common.oxi_id = 0;
        oxi_component_link(&common);
        oxi_store_seq(&started_users, 0);
        for (uint32_t k = 0; k < THREADS; k++) {
            start_user(all, k);
        }
        for (uint32_t k = 0; k < THREADS; k++) {
            oxi_thread_join(&all[k].thread);
        }

        EXPECT_EQ(ox_component_count(), NAMES + 2 * THREADS + 1);
        for (uint32_t k = 0; k < THREADS * NAMES; k++) {
            EXPECT_EQ(all[k / NAMES].ids[k % NAMES], all[0].ids[k % NAMES]);
        }
    }
    oxi_components_reset();
}
