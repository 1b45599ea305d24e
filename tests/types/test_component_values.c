// SPDX-License-Identifier: MIT
//
// Values as upper rooms treat them: equal, hash, zero, copy, remap.

#include "types_test.h"

#include "types/shared_calls.h"
#include "types/value.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct padded {
    char letter;
    double number;
    void *user;
    ox_entity target;
    short tail;
} padded;

static const char padded_text[] =
    "{ char letter; double number; OX_UNOWNED void *user; ox_entity target; short tail; }";

static padded make_padded(int padding) {
    padded value;
    memset(&value, padding, sizeof value);
    value.letter = 'a';
    value.number = 1.5;
    value.user = padding ? &value : NULL;
    value.target = (ox_entity){7, 3};
    value.tail = -4;
    return value;
}

TEST(component_values, are_equal_whatever_stands_in_padding_and_pointers) {
    const ox_component_info *info = only_component(padded_text);
    padded a = make_padded(0), b = make_padded(0xee);

    EXPECT_EQ(info->size, sizeof(padded));
    EXPECT(memcmp(&a, &b, sizeof a) != 0);
    EXPECT(oxi_value_equal(info, &a, &b));
    EXPECT_EQ(oxi_value_hash(info, &a, 5), oxi_value_hash(info, &b, 5));
    EXPECT_NE(oxi_value_hash(info, &a, 5), oxi_value_hash(info, &a, 6));
}

TEST(component_values, differ_in_each_of_their_fields) {
    const ox_component_info *info = only_component(padded_text);
    padded first = make_padded(0), others[5];
    for (int k = 0; k < 5; k++) {
        others[k] = first;
    }
    others[0].letter = 'b';
    others[1].number = 2;
    others[2].target.index = 8;
    others[3].target.version = 4;
    others[4].tail = 0;

    for (int k = 0; k < 5; k++) {
        EXPECT(!oxi_value_equal(info, &first, &others[k]));
        EXPECT_NE(oxi_value_hash(info, &first, 0), oxi_value_hash(info, &others[k], 0));
    }
}

TEST(component_values, are_compared_by_their_bits) {
    const ox_component_info *info = only_component("{ double number; }");
    double zero = 0.0, negative = -0.0, nan = (double)NAN;

    EXPECT(!oxi_value_equal(info, &zero, &negative));
    EXPECT_NE(oxi_value_hash(info, &zero, 0), oxi_value_hash(info, &negative, 0));
    EXPECT(oxi_value_equal(info, &nan, &nan));
}

TEST(component_values, of_long_doubles_do_not_see_their_padding) {
    const ox_component_info *info = only_component("{ long double numbers[2]; }");
    long double a[2], b[2];
    memset(a, 0, sizeof a);
    memset(b, 0xee, sizeof b);
    a[0] = b[0] = 1.25L;
    a[1] = b[1] = -3;

    EXPECT(oxi_value_equal(info, a, b));
    EXPECT_EQ(oxi_value_hash(info, a, 0), oxi_value_hash(info, b, 0));
    EXPECT_EQ(info->has_padding, sizeof(long double) == 16 && LDBL_MANT_DIG == 64);
}

TEST(component_values, of_tags_are_all_the_same) {
    oxi_components_reset();
    ox_component_def def = {.name = "Tag", .kind = OX_COMPONENT_KIND_TAG};
    const ox_component_info *info = ox_component_get_info(ox_component_register(&def));

    EXPECT(oxi_value_equal(info, NULL, NULL));
    EXPECT_EQ(oxi_value_hash(info, NULL, 9), 9);
    oxi_value_zero(info, NULL, 3);
    oxi_value_copy(info, NULL, NULL, 3);
    oxi_value_remap(info, NULL, 3, NULL, NULL);
}

TEST(component_values, are_zeroed_and_copied_as_a_whole) {
    const ox_component_info *info = only_component(padded_text);
    padded from[3] = {make_padded(1), make_padded(2), make_padded(3)}, to[3];
    char zeros[sizeof to] = {0};

    oxi_value_copy(info, to, from, 3);
    EXPECT_EQ(memcmp(to, from, sizeof to), 0);
    oxi_value_zero(info, to, 3);
    EXPECT_EQ(memcmp(to, zeros, sizeof to), 0);
}

// Remapping.

typedef struct remap_log {
    uint32_t seen[16];
    int count;
} remap_log;

static ox_entity move_entity(ox_entity entity, void *context) {
    remap_log *log = context;
    log->seen[log->count++] = entity.index;
    return (ox_entity){entity.index + 100, entity.version + 1};
}

typedef struct linked {
    char c;
    ox_entity first;
    struct {
        short s;
        ox_entity many[2];
    } in[2];
    int after;
} linked;

TEST(component_values, have_their_entities_remapped_in_order) {
    const ox_component_info *info = only_component(
        "{ char c; ox_entity first; struct { short s; ox_entity many[2]; } in[2]; int after; }");
    linked values[2];
    memset(values, 0xaa, sizeof values);
    uint32_t number = 0;
    for (int k = 0; k < 2; k++) {
        values[k].first = (ox_entity){number++, 1};
        for (int n = 0; n < 4; n++) {
            values[k].in[n / 2].many[n % 2] = (ox_entity){number++, 1};
        }
    }
    linked before = values[1];
    remap_log log = {0};

    oxi_value_remap(info, values, 2, move_entity, &log);

    EXPECT_EQ(log.count, 10);
    for (uint32_t k = 0; k < 10; k++) {
        EXPECT_EQ(log.seen[k], k);
    }
    EXPECT_EQ(values[1].in[1].many[1].index, 109);
    EXPECT_EQ(values[1].in[1].many[1].version, 2);
    EXPECT_EQ(values[1].c, before.c);
    EXPECT_EQ(values[1].in[0].s, before.in[0].s);
    EXPECT_EQ(values[1].after, before.after);
}

static uint32_t define_shared(const char *name, const char *text) {
    ox_component_def def = {.name = name, .text = text, .kind = OX_COMPONENT_KIND_SHARED};
    uint32_t id = ox_component_register(&def);
    EXPECT(id != 0);
    return id;
}

TEST(component_values, of_shared_components_tell_pointers_apart_by_address) {
    struct texture {
        const char *pixels;
        OX_UNOWNED const char *cached;
        int width;
    } a = {"a", "x", 1}, b = {"b", "x", 1}, c = {a.pixels, "y", 1};
    uint32_t id = define_shared(
        "Texture", "{ const char *pixels; OX_UNOWNED const char *cached; int width; }");
    const ox_component_info *info = ox_component_get_info(id);

    EXPECT_EQ(info->owned_count, 1);
    EXPECT_EQ(info->unowned_count, 1);
    EXPECT(!oxi_shared_equal(info, &a, &b));
    EXPECT(oxi_shared_equal(info, &a, &c));
    EXPECT_EQ(oxi_shared_content_hash(info, &a), oxi_shared_content_hash(info, &b));
}
