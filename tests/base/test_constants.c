// SPDX-License-Identifier: MIT
//
// Announced constants: which structs see them, what they come to, and what is refused.

#include "test.h"

#include "base/constants.h"
#include "base/heap.h"
#include "base/platform.h"
#include "base/substitute.h"
#include "base/types.h"
#include "constant_shared.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// clang-format off
enum { LOCAL_SLOTS = 4, SPLIT_SLOTS = 3, PRIVATE_SLOTS = 10 };
enum { ROWS = 2, MINUS = -3, LATE = 7, NONE = 0, ALIGNMENT = 1 << 5 };
#define MACRO_SLOTS 3
OX_CONSTANT(LOCAL_SLOTS);
OX_CONSTANT(SPLIT_SLOTS);
OX_CONSTANT(PRIVATE_SLOTS);
OX_CONSTANT(ROWS);
OX_CONSTANT(MINUS);
OX_CONSTANT(NONE);
OX_CONSTANT(ALIGNMENT);
OX_CONSTANT(MACRO_SLOTS); // needs none, and may have one

OX_STRUCT(LocalBag, { char kind; int items[LOCAL_SLOTS]; char end; });
OX_STRUCT(LateBag, { short items[LATE]; });
OX_STRUCT(MacroBag, { short items[MACRO_SLOTS + LOCAL_SLOTS]; });
OX_STRUCT(SplitBag, { char items[SPLIT_SLOTS]; int count; });
OX_STRUCT(Expressions, {
    char sum[LOCAL_SLOTS + 1];
    char difference[LOCAL_SLOTS + MINUS];
    short product[2 * LOCAL_SLOTS];
    char grid[ROWS][LOCAL_SLOTS];
    int shifted[(1 << ROWS) - 1];
    char bytes[LOCAL_SLOTS * sizeof(short) / ROWS % 3];
    int *pointers[LOCAL_SLOTS];
    void (*calls[ROWS])(int items[ROWS]);
    struct { int inner[ROWS]; } structs[LOCAL_SLOTS];
    alignas(ALIGNMENT) char aligned;
});
OX_STRUCT(Nested, { LocalBag bag; SharedBag shared[ROWS]; });
OX_CONSTANT(LATE);
// clang-format on

static ox_type type_of_text(const char *text, size_t size, const void *scope) {
    return (ox_type){.name = "Hand",
                     .text = text,
                     .site = "hand.c:7",
                     .size = size,
                     .align = 1,
                     .header_version = OX_VERSION,
                     .scope = scope};
}

static ox_constant constant_of(const char *name, int64_t value, const void *scope, ox_site site) {
    return (ox_constant){
        .name = name, .site = site, .value = value, .header_version = OX_VERSION, .scope = scope};
}

static uint32_t count_of(const ox_type *type, const char *path) {
    ox_layout layout;
    EXPECT(ox_layout_create(type, &layout));
    int32_t index = ox_layout_find(&layout, path);
    EXPECT(index >= 0);
    uint32_t count = layout.fields[index].count;
    ox_layout_dispose(&layout);
    return count;
}

// Two units.

// The first test: what both units linked before main still waits.
TEST(constants, of_two_files_that_make_one_struct_two_are_a_report) {
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(ox_type_find("SplitBag") != NULL);

    EXPECT_EQ(ox_type_of(SplitBag)->size, other_split_bag()->size);
    EXPECT_REPORT(&reports, OX_REPORT_TYPE_CONFLICT);
    EXPECT_HAS(reports.text, "'SplitBag' at tests/base/");
    EXPECT_HAS(reports.text, "tests/base/constant_other_unit.c:");
    EXPECT_HAS(reports.text, "tests/base/test_constants.c:");
    EXPECT_HAS(reports.text, "differ in the lengths of their arrays");
}

TEST(constants, have_the_value_of_the_file_that_uses_them) {
    EXPECT_EQ(count_of(ox_type_of(LocalBag), "items"), 4);
    EXPECT_EQ(count_of(other_local_bag(), "items"), 5);
    EXPECT_EQ(count_of(ox_type_of(SplitBag), "items"), 3);
    EXPECT_EQ(count_of(other_split_bag(), "items"), 2);
}

TEST(constants, of_a_header_are_known_to_the_structs_of_every_file) {
    EXPECT_EQ(count_of(ox_type_of(SharedBag), "items"), 3);
    EXPECT_EQ(count_of(ox_type_find("SharedBag"), "items"), 3);
}

TEST(constants, announced_by_one_of_the_files_that_share_a_struct_are_enough) {
    EXPECT(ox_type_find("HeaderBag")->scope != ox_type_of(HeaderBag)->scope);

    EXPECT_EQ(count_of(ox_type_find("HeaderBag"), "items"), 6);
}

// A value of another file would make the same size here: 9 and 10 bytes are padded to 12.
TEST(constants, of_other_files_are_never_taken) {
    collected_reports reports;
    collect_reports(&reports);
    ox_layout layout;

    EXPECT(!ox_layout_create_at(other_unknown_bag(), &layout, "game.c:88"));

    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_CONSTANT);
    EXPECT_STR(reports.site, "game.c:88");
    EXPECT_HAS(reports.text, "field 'char items[PRIVATE_SLOTS]' of 'OtherUnknownBag' (tests/base/");
    EXPECT_HAS(reports.text, "fix: say OX_CONSTANT(PRIVATE_SLOTS); before the struct");
}

TEST(constants, of_a_struct_inside_are_those_of_the_file_that_declares_it) {
    static const char here;
    ox_type type = type_of_text("{ OtherLocalBag other; LocalBag own; char c[LOCAL_SLOTS]; }",
                                sizeof(int) * 5 + sizeof(LocalBag) + 8, &here);
    ox_constant mine = constant_of("LOCAL_SLOTS", 8, &here, "here.c:1");
    type.align = alignof(int);
    EXPECT(ox_constant_register(&mine));

    EXPECT_EQ(count_of(&type, "other.items"), 5);
    EXPECT_EQ(count_of(&type, "own.items"), 4);
    EXPECT_EQ(count_of(&type, "c"), 8);
}

// Lengths.

TEST(constants, may_be_announced_after_the_struct) {
    EXPECT_EQ(count_of(ox_type_of(LateBag), "items"), 7);
}

TEST(constants, stand_beside_macros) {
    EXPECT_EQ(count_of(ox_type_of(MacroBag), "items"), 7);
}

TEST(constants, stand_in_expressions_as_the_compiler_reads_them) {
    const ox_type *type = ox_type_of(Expressions);
    ox_layout layout;
    EXPECT(ox_layout_create(type, &layout));
#define EXPECT_MEMBER(member, length)                                                              \
    do {                                                                                           \
        const ox_field *field = &layout.fields[ox_layout_find(&layout, #member)];                  \
        EXPECT_EQ(field->offset, offsetof(Expressions, member));                                   \
        EXPECT_EQ(field->count, length);                                                           \
        EXPECT_EQ(field->size * field->count, sizeof(((Expressions *)0)->member));                 \
    } while (0)
    EXPECT_MEMBER(sum, 5);
    EXPECT_MEMBER(difference, 1);
    EXPECT_MEMBER(product, 8);
    EXPECT_MEMBER(grid, 8);
    EXPECT_MEMBER(shifted, 3);
    EXPECT_MEMBER(bytes, 1);
    EXPECT_MEMBER(pointers, 4);
    EXPECT_MEMBER(calls, 2);
    EXPECT_MEMBER(structs, 4);
    EXPECT_MEMBER(aligned, 1);
    EXPECT_EQ(layout.fields[ox_layout_find(&layout, "structs.inner")].count, 2);
    EXPECT_EQ(layout.align, 32);
    ox_layout_dispose(&layout);
}

TEST(constants, stand_in_structs_inside_of_structs) {
    EXPECT_EQ(count_of(ox_type_of(Nested), "bag.items"), 4);
    EXPECT_EQ(count_of(ox_type_of(Nested), "shared"), 2);
    EXPECT_EQ(count_of(ox_type_of(Nested), "shared.items"), 3);
}

// Texts by hand.

static void expect_refused(const ox_type *type, ox_report_id id, const char *detail,
                           const char *fix) {
    collected_reports reports;
    collect_reports(&reports);
    uint64_t blocks = oxi_heap_get_blocks();
    ox_layout layout;
    memset(&layout, 0xab, sizeof layout);

    bool scanned = ox_layout_create_at(type, &layout, "game.c:88");

    if (scanned || reports.count != 1 || reports.last != id) {
        test_fail(__FILE__, __LINE__, "%s: %d reports, the last %s\n%s", type->text, reports.count,
                  ox_report_code(reports.last), reports.text);
    }
    EXPECT_HAS(reports.text, detail);
    EXPECT_HAS(strstr(reports.text, "fix: "), fix);
    EXPECT_STR(reports.site, "game.c:88");
    EXPECT(layout.fields == NULL && layout.block_size == 0);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(constants, that_are_unknown_are_named) {
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"{ char c[UNKNOWN]; }", "UNKNOWN"},
        {"{ char c[2 * (1 + UNKNOWN)]; }", "UNKNOWN"},
        {"{ char c[LOCAL_SLOTS - UNKNOWN]; }", "UNKNOWN"},
        {"{ char c[UNKNOWN][NOR_THIS]; }", "UNKNOWN"},
        {"{ char c[-UNKNOWN]; }", "UNKNOWN"},
        {"{ char c[ LOCAL_SLOTS ][ /* of */ local_slots ]; }", "local_slots"},
        {"{ struct { char c[LOCAL_SLOT]; } s; }", "LOCAL_SLOT"},
        {"{ char c[LOCAL_SLOTSS]; }", "LOCAL_SLOTSS"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char fix[64];
        snprintf(fix, sizeof fix, "say OX_CONSTANT(%s);", cases[k].name);
        ox_type type = type_of_text(cases[k].text, 4, ox_type_of(LocalBag)->scope);
        expect_refused(&type, OX_REPORT_UNKNOWN_CONSTANT, "of 'Hand' (hand.c:7)", fix);
    }
}

TEST(constants, that_make_no_length_are_refused_as_numbers_are) {
    static const char *const lengths[] = {"NONE",
                                          "MINUS",
                                          "LOCAL_SLOTS - 4",
                                          "LOCAL_SLOTS / NONE",
                                          "LOCAL_SLOTS % NONE",
                                          "1 << MINUS",
                                          "MINUS / MINUS",
                                          "LOCAL_SLOTS * 2147483647",
                                          "LOCAL_SLOTS LOCAL_SLOTS",
                                          "LOCAL_SLOTS(1)",
                                          "Bag::LOCAL_SLOTS",
                                          "sizeof(LOCAL_SLOTS)",
                                          "LocalBag",
                                          "LOCAL_SLOTS.x",
                                          "LOCAL_SLOTS"};
    // The last one is fine, but for what follows it.
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        bool is_last = k + 1 == sizeof lengths / sizeof lengths[0];
        char text[128];
        snprintf(text, sizeof text, is_last ? "{ char c[%s) ; }" : "{ char c[%s]; }", lengths[k]);
        ox_type type = type_of_text(text, 4, ox_type_of(LocalBag)->scope);
        expect_refused(&type, OX_REPORT_UNREADABLE_FIELD, "the length of its array is not",
                       "a constant announced with OX_CONSTANT");
    }
}

TEST(constants, that_are_no_alignments_are_refused_as_numbers_are) {
    static const char *const alignments[] = {"UNKNOWN", "LATE", "MINUS", "LocalBag", "double"};
    for (size_t k = 0; k < sizeof alignments / sizeof alignments[0]; k++) {
        char text[128];
        snprintf(text, sizeof text, "{ alignas(%s) char c; }", alignments[k]);
        ox_type type = type_of_text(text, 4, ox_type_of(LocalBag)->scope);
        expect_refused(&type, OX_REPORT_UNREADABLE_FIELD, "its alignment",
                       "a constant announced with OX_CONSTANT");
    }
}

TEST(constants, are_seen_from_everywhere_by_types_without_a_scope) {
    ox_type type = type_of_text("{ char c[ROWS * SHARED_SLOTS]; }", 6, NULL);
    ox_type conflict = type_of_text("{ char c[LOCAL_SLOTS]; }", 4, NULL);
    ox_type in_alignment = type_of_text("{ alignas(LOCAL_SLOTS) char c; }", 4, NULL);

    EXPECT_EQ(count_of(&type, "c"), 6);
    expect_refused(&conflict, OX_REPORT_CONSTANT_CONFLICT, "'LOCAL_SLOTS' is ", "rename one");
    expect_refused(&in_alignment, OX_REPORT_CONSTANT_CONFLICT, "'LOCAL_SLOTS' is ", "rename one");
}

TEST(constants, with_two_values_in_one_file_are_a_report_with_both_places) {
    static const char here;
    ox_type type = type_of_text("{ char c[Twice]; }", 4, &here);
    ox_constant first = constant_of("Twice", 4, &here, "first.h:3");
    ox_constant second = constant_of("Twice", -2, &here, "second.h:5");
    EXPECT(ox_constant_register(&first));
    EXPECT_EQ(count_of(&type, "c"), 4);

    EXPECT(ox_constant_register(&second));

    expect_refused(&type, OX_REPORT_CONSTANT_CONFLICT,
                   "field 'char c[Twice]' of 'Hand' (hand.c:7): 'Twice' is 4 at first.h:3 and -2 "
                   "at second.h:5",
                   "rename one of the two constants");
}

TEST(constants, without_a_place_are_told_apart_in_a_report) {
    static const char here;
    ox_type type = type_of_text("{ char c[Nowhere]; }", 4, &here);
    ox_constant first = constant_of("Nowhere", 4, &here, NULL);
    ox_constant second = constant_of("Nowhere", 5, &here, NULL);
    EXPECT(ox_constant_register(&first) && ox_constant_register(&second));

    expect_refused(&type, OX_REPORT_CONSTANT_CONFLICT, "'Nowhere' is 4 at ", "rename");
}

// Registering.

TEST(constants, that_are_registered_again_change_nothing) {
    EXPECT(ox_constant_register(ox_constant_of(LOCAL_SLOTS)));
    uint32_t count = oxi_constant_count();

    EXPECT(ox_constant_register(ox_constant_of(LOCAL_SLOTS)));

    EXPECT_EQ(oxi_constant_count(), count);
    EXPECT_EQ(count_of(ox_type_of(LocalBag), "items"), 4);
}

TEST(constants, are_copied) {
    static const char here;
    char name[] = "Copied", site[] = "copied.c:1";
    ox_constant constant = constant_of(name, 3, &here, site);
    EXPECT(ox_constant_register(&constant));

    memset(name, 'x', sizeof name - 1);
    memset(site, 'x', sizeof site - 1);
    memset(&constant, 0xab, sizeof constant);

    ox_type type = type_of_text("{ char c[Copied]; }", 3, &here);
    EXPECT_EQ(count_of(&type, "c"), 3);
}

TEST(constants, of_all_values_within_32_bits_are_taken) {
    static const char here;
    ox_constant least = constant_of("Least", INT32_MIN, &here, NULL);
    ox_constant most = constant_of("Most", INT32_MAX, &here, NULL);
    EXPECT(ox_constant_register(&least) && ox_constant_register(&most));

    ox_type type = type_of_text("{ char c[Most + Least + 3]; }", 2, &here);
    EXPECT_EQ(count_of(&type, "c"), 2);
    ox_type large = type_of_text("{ char c[Most]; }", INT32_MAX, &here);
    EXPECT_EQ(count_of(&large, "c"), INT32_MAX);
    ox_type negated = type_of_text("{ char c[-Least]; }", (size_t)1 << 31, &here);
    expect_refused(&negated, OX_REPORT_UNREADABLE_FIELD, "the length of its array", "write");
}

TEST(constants, that_are_described_wrongly_are_refused) {
    static char longest[129];
    memset(longest, 'x', 128);
    const struct {
        const char *name;
        int64_t value;
        const char *why;
    } cases[] = {
        {NULL, 1, "must have 1 to 127 characters"},
        {"", 1, "must have 1 to 127 characters"},
        {longest, 1, "must have 1 to 127 characters"},
        {"two words", 1, "is not a C identifier"},
        {"3x", 1, "is not a C identifier"},
        {" x", 1, "is not a C identifier"},
        {"a-b", 1, "is not a C identifier"},
        {"int", 1, "a type that is always known"},
        {"ox_float3", 1, "a type that is always known"},
        {"Large", (int64_t)INT32_MAX + 1, "does not fit into 32 bits"},
        {"Small", (int64_t)INT32_MIN - 1, "does not fit into 32 bits"},
    };
    uint32_t count = oxi_constant_count();
    collected_reports reports;
    collect_reports(&reports);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ox_constant constant = constant_of(cases[k].name, cases[k].value, NULL, "bad.c:3");
        EXPECT(!ox_constant_register_at(&constant, "game.c:88"));
        EXPECT_HAS(reports.text, cases[k].why);
        EXPECT_STR(reports.site, "game.c:88");
        EXPECT_REPORT(&reports, OX_REPORT_BAD_CONSTANT);
    }
    EXPECT_EQ(oxi_constant_count(), count);
    longest[127] = 0;
    ox_constant fits = constant_of(longest, 1, longest, NULL);
    EXPECT(ox_constant_register(&fits));
}

TEST(constants, of_null_are_reported) {
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_constant_register(NULL));

    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST(constants, of_other_headers_are_refused) {
    ox_constant constant = constant_of("Elsewhere", 1, NULL, "elsewhere.c:3");
    constant.header_version = OX_VERSION + 1000;
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_constant_register(&constant));

    EXPECT_REPORT(&reports, OX_REPORT_VERSION_MISMATCH);
}

TEST(constants, that_were_linked_and_are_bad_are_reported_by_the_first_look) {
    oxi_constants_reset();
    ox_constant bad = constant_of("two words", 1, NULL, "bad.c:3");
    ox_constant old = constant_of("Old", 1, NULL, "old.c:3");
    ox_constant good = constant_of("Good", 2, NULL, "good.c:3");
    old.header_version = OX_VERSION + 1000;
    oxi_constant_link(&bad);
    oxi_constant_link(&good);
    collected_reports reports;
    collect_reports(&reports);
    ox_type type = type_of_text("{ char c[Good]; }", 2, NULL);

    EXPECT_EQ(count_of(&type, "c"), 2);

    EXPECT_STR(reports.site, "bad.c:3");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_CONSTANT);
    EXPECT_EQ(oxi_constant_count(), 1);
    oxi_constant_link(&old);
    ox_type_count();
    EXPECT_REPORT(&reports, OX_REPORT_VERSION_MISMATCH);
    EXPECT_EQ(oxi_constant_count(), 1);
}

TEST(constants, are_told_apart_in_thousands) {
    oxi_constants_reset();
    for (int k = 0; k < 3000; k++) {
        char name[16];
        snprintf(name, sizeof name, "C%d", k);
        ox_constant constant = constant_of(name, k, NULL, "many.c:1");
        EXPECT(ox_constant_register(&constant));
    }
    for (int k = 1; k < 3000; k++) {
        char text[32];
        snprintf(text, sizeof text, "{ char c[C%d]; }", k);
        ox_type type = type_of_text(text, (size_t)k, NULL);
        EXPECT_EQ(count_of(&type, "c"), k);
    }
    oxi_constants_reset();
}

// Threads.

typedef struct announcer {
    oxi_thread thread;
    char names[64][16];
} announcer;

// Gives each name a second value, in another scope.
static void announce_again(void *context) {
    announcer *mine = context;
    for (int k = 0; k < 64; k++) {
        ox_constant constant = constant_of(mine->names[k], 9, mine, "again.c:1");
        EXPECT(ox_constant_register(&constant));
    }
}

TEST(constants, announced_during_a_scan_do_not_disturb_it) {
    static announcer other;
    for (uint64_t round = test_scaled(20); round > 0; round--) {
        oxi_constants_reset();
        for (int k = 0; k < 64; k++) {
            snprintf(other.names[k], sizeof other.names[k], "N%d", k);
            ox_constant constant = constant_of(other.names[k], 4, NULL, "once.c:1");
            EXPECT(ox_constant_register(&constant));
        }
        collected_reports reports;
        collect_reports(&reports);
        EXPECT(oxi_thread_start(&other.thread, announce_again, &other, "announcer"));
        for (int k = 63; k >= 0; k--) {
            char text[48];
            snprintf(text, sizeof text, "{ char c[N%d], d[N%d]; }", k, k);
            ox_type type = type_of_text(text, 8, NULL);
            ox_layout layout;
            reports.count = 0;
            if (!ox_layout_create(&type, &layout)) {
                EXPECT_EQ(reports.count, 1);
                EXPECT_EQ(reports.last, OX_REPORT_CONSTANT_CONFLICT);
            }
            ox_layout_dispose(&layout);
        }
        reports.count = 0;
        oxi_thread_join(&other.thread);
    }
    oxi_constants_reset();
}

// Failures.

static void register_and_scan(void) {
    ox_constant first = constant_of("SweptFirst", 2, NULL, "swept.c:1");
    ox_constant second = constant_of("SweptSecond", 3, NULL, "swept.c:2");
    ox_constant linked = constant_of("SweptLinked", 4, NULL, "swept.c:3");
    bool has_first = ox_constant_register(&first);
    EXPECT_EQ(oxi_constant_count(), has_first);
    bool has_second = ox_constant_register(&second);
    oxi_constant_link(&linked);
    ox_type type = type_of_text("{ char c[SweptSecond + SweptLinked]; }", 7, NULL);
    ox_layout layout;
    if (has_second && ox_layout_create(&type, &layout)) {
        EXPECT_EQ(layout.fields[0].count, 7);
        ox_layout_dispose(&layout);
    }
    oxi_constants_reset();
}

TEST(constants, survive_every_failure) {
    oxi_constants_reset();
    oxi_types_reset();
    test_fault_sweep("announcing constants", register_and_scan);
}

TEST(constants, that_could_not_be_taken_in_are_taken_in_later) {
    oxi_constants_reset();
    ox_constant first = constant_of("LaterFirst", 2, NULL, "later.c:1");
    ox_constant second = constant_of("LaterSecond", 3, NULL, "later.c:2");
    oxi_constant_link(&first);
    oxi_constant_link(&second);
    collected_reports reports;
    collect_reports(&reports);
    oxi_fault_plan(OXI_FAULT_FROM, 1);

    EXPECT(!oxi_constants_update(NULL));

    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT_EQ(oxi_constant_count(), 1);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT(oxi_constants_update(NULL));
    EXPECT_EQ(oxi_constant_count(), 2);
}
