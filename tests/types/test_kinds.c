// SPDX-License-Identifier: MIT
//
// The table of kinds.

#include "types_test.h"

#include "base/hash.h"
#include "types/kinds.h"
#include "types/value.h"

#include <string.h>

static const ox_component_kind kinds_end = (ox_component_kind)(OX_COMPONENT_KIND_BUFFER + 1);

static const ox_component_info *info_of_kind(ox_component_kind kind) {
    oxi_components_reset();
    const char *text = oxi_kind_said(kind)->has_value ? "{ short n; }" : NULL;
    uint32_t id =
        ox_component_register(&(ox_component_def){.name = "Tested", .text = text, .kind = kind});
    return ox_component_get_info(id);
}

TEST(kinds, all_have_a_row_with_a_name_of_its_own) {
    for (ox_component_kind kind = 0; kind < kinds_end; kind++) {
        EXPECT(oxi_kind_is_known(kind));
        EXPECT(oxi_kinds[kind].noun != NULL && oxi_kinds[kind].remark != NULL);
        for (ox_component_kind other = 0; other < kind; other++) {
            EXPECT(strcmp(oxi_kinds[kind].noun, oxi_kinds[other].noun) != 0);
        }
    }
}

TEST(kinds, with_a_value_have_it_in_one_place_and_say_how_it_is_reached) {
    for (ox_component_kind kind = 0; kind < kinds_end; kind++) {
        const oxi_kind_ops *row = &oxi_kinds[kind];
        EXPECT_EQ(row->in_column + row->in_lane + row->in_buffer, row->has_value);
        EXPECT_EQ(row->advice_entity != NULL, row->has_value);
        EXPECT_EQ(row->advice_chunk != NULL, row->has_value);
        EXPECT_EQ(row->advice_view != NULL, row->has_value);
    }
}

TEST(kinds, that_are_not_known_are_taken_for_plain_data) {
    EXPECT(!oxi_kind_is_known(kinds_end));
    EXPECT(oxi_kind_said(kinds_end) == &oxi_kinds[OX_COMPONENT_KIND_DATA]);
    EXPECT(oxi_kind_of_id(0) == &oxi_kinds[OX_COMPONENT_KIND_DATA]);
}

TEST(kinds, take_room_in_a_row_when_rows_have_something_of_their_own) {
    for (ox_component_kind kind = 0; kind < kinds_end; kind++) {
        const ox_component_info *info = info_of_kind(kind);
        const oxi_kind_ops *row = oxi_kind_of(info);
        EXPECT(row == &oxi_kinds[kind]);
        EXPECT_EQ(oxi_row_size(info) > 0, row->in_column || row->in_buffer);
        EXPECT_EQ(oxi_row_size(info) % oxi_row_align(info), 0);
        EXPECT_EQ(oxi_is_state_of_rows(info), row->in_column || row->in_buffer);
    }
    EXPECT_EQ(oxi_row_align(info_of_kind(OX_COMPONENT_KIND_DATA)), _Alignof(short));
    EXPECT_EQ(oxi_row_align(info_of_kind(OX_COMPONENT_KIND_BUFFER)), 8);
}

TEST(kinds, write_and_hash_one_value_or_a_list) {
    static const short numbers[] = {3, 4};
    const char *values = (const char *)numbers;
    for (ox_component_kind kind = 0; kind < kinds_end; kind++) {
        const ox_component_info *info = info_of_kind(kind);
        const oxi_kind_ops *row = oxi_kind_of(info);
        oxi_text text = {0};
        row->write(info, values, row->in_buffer ? 2 : row->has_value, &text);
        EXPECT_STR(text.data, row->in_buffer   ? "[{\"n\":3},{\"n\":4}]"
                              : row->has_value ? "{\"n\":3}"
                                               : "{}");
        oxi_text_free(&text);
        uint64_t hash = row->hash(info, values, row->in_buffer ? 2 : 1, 7);
        EXPECT_EQ(hash == oxi_value_hash(info, values, 7), !row->in_buffer);
        EXPECT_EQ(row->hash(info, NULL, 0, 7), row->in_buffer ? oxi_hash_combine(7, 0) : 7);
    }
}
