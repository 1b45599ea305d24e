// SPDX-License-Identifier: MIT
//
// Random struct texts: valid ones must come to the layout that the generator knows, broken ones may
// do anything but crash, hang, read past their end or be laid out past their size.

#include "struct_generator.h"
#include "test.h"

#include "base/heap.h"
#include "base/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 4096 };

// A copy in a block of exactly its size, so that ASan sees a read past its end.
static char *copy_exact(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    EXPECT(copy != NULL);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

// The registered types and the struct of one case. Returns the struct's index.
static int write_case(model *m) {
    static const char *const names[MODEL_TYPES] = {"G0", "G1"};
    oxi_types_reset();
    m->struct_count = m->type_count = m->name_count = 0;
    int types = (int)oxi_random_below(&m->random, MODEL_TYPES + 1);
    for (int k = 0; k < types; k++) {
        m->types[k] = model_write_struct(m, oxi_random_bool(&m->random));
        ox_type type = model_type(m, names[k], m->types[k]);
        EXPECT(ox_type_register(&type) != NULL);
        m->type_count++;
    }
    return model_write_struct(m, oxi_random_bool(&m->random));
}

// The fields that a layout must have, in its order.
typedef struct expected_fields {
    ox_field items[MOST_FIELDS];
    uint32_t count;
    bool too_many;
} expected_fields;

static void flatten(const model *m, int index, const ox_field *around, int32_t parent,
                    expected_fields *to) {
    const model_struct *s = &m->structs[index];
    for (int k = 0; k < s->field_count && !to->too_many; k++) {
        const model_field *field = &s->fields[k];
        if (to->count == MOST_FIELDS) {
            to->too_many = true;
            return;
        }
        uint32_t place = to->count++;
        to->items[place] = (ox_field){.name = field->name,
                                      .offset = around->offset + field->offset,
                                      .size = field->size,
                                      .count = field->count,
                                      .marks = around->marks | field->marks,
                                      .parent = parent,
                                      .kind = field->kind,
                                      .scalar = field->scalar,
                                      .is_array = field->is_array};
        if (field->kind == OX_FIELD_STRUCT) {
            flatten(m, field->inside, &to->items[place], (int32_t)place, to);
            to->items[place].field_count = to->count - place - 1;
        }
    }
}

static bool same_field(const ox_field *a, const ox_field *b) {
    return strcmp(a->name, b->name) == 0 && a->offset == b->offset && a->size == b->size &&
           a->count == b->count && a->marks == b->marks && a->parent == b->parent &&
           a->field_count == b->field_count && a->kind == b->kind && a->scalar == b->scalar &&
           a->is_array == b->is_array;
}

static void expect_same_fields(const model *m, const ox_layout *layout,
                               const expected_fields *expected) {
    EXPECT_EQ(layout->field_count, expected->count);
    for (uint32_t k = 0; k < expected->count; k++) {
        const ox_field *a = &layout->fields[k], *b = &expected->items[k];
        if (!same_field(a, b)) {
            test_fail(__FILE__, __LINE__,
                      "field %u is %s at %zu, %u x %zu, marks %u, should be %s at %zu, %u x %zu, "
                      "marks %u\n%.600s",
                      k, a->name, a->offset, a->count, a->size, a->marks, b->name, b->offset,
                      b->count, b->size, b->marks, m->raw);
        }
    }
}

static void scan_case(model *m, expected_fields *expected, collected_reports *reports) {
    int index = write_case(m);
    ox_type type = model_type(m, "Random", index);
    char *raw = copy_exact(m->raw, m->raw_length);
    char *text = copy_exact(m->expanded, m->expanded_length);
    type.text = raw;
    type.expanded = type.expanded != NULL ? text : NULL;
    ox_field outermost = {0};
    expected->count = 0;
    expected->too_many = false;
    flatten(m, index, &outermost, -1, expected);

    ox_layout layout;
    bool scanned = ox_layout_create(&type, &layout);
    if (scanned == expected->too_many) {
        test_fail(__FILE__, __LINE__, "%s\n%s\n%s", reports->text, m->raw, m->expanded);
    }
    if (scanned) {
        EXPECT(layout.size == type.size && layout.align == type.align);
        expect_same_fields(m, &layout, expected);
    }
    ox_layout_dispose(&layout);
    free(raw);
    free(text);
}

TEST(struct_random, texts_come_to_the_layout_that_the_generator_knows) {
    static model m;
    static expected_fields expected;
    m.random = oxi_random_seed(test_seed(20240817));
    model_announce_constants(&m, true);
    collected_reports reports;
    collect_reports(&reports);

    for (uint64_t k = test_scaled(10000); k > 0; k--) {
        scan_case(&m, &expected, &reports);
    }
    oxi_types_reset();
}

TEST(struct_random, texts_of_a_wrong_size_are_refused) {
    static model m;
    m.random = oxi_random_seed(test_seed(3));
    model_announce_constants(&m, true);
    collected_reports reports;
    collect_reports(&reports);

    for (uint64_t k = test_scaled(500); k > 0; k--) {
        ox_type type = model_type(&m, "Random", write_case(&m));
        type.size += type.align * (1 + oxi_random_below(&m.random, 3));
        ox_layout layout;
        reports.count = 0;
        EXPECT(!ox_layout_create(&type, &layout));
        EXPECT(reports.last == OX_REPORT_LAYOUT_MISMATCH ||
               reports.last == OX_REPORT_UNREADABLE_FIELD);
        EXPECT_EQ(reports.count, 1);
    }
    oxi_types_reset();
}

// Mutations.

static const char *const tokens[] = {"{",
                                     "}",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     ";",
                                     ",",
                                     "*",
                                     ":",
                                     "struct",
                                     "enum",
                                     "union",
                                     "int",
                                     "unsigned",
                                     "long",
                                     "float",
                                     "G0",
                                     "K0",
                                     "K2",
                                     "[K3]",
                                     "G1",
                                     "Random",
                                     "const",
                                     "alignas",
                                     "sizeof",
                                     "_Atomic",
                                     "static",
                                     "/*",
                                     "*/",
                                     "//",
                                     "\n",
                                     "\"",
                                     "'",
                                     "\\",
                                     "OX_READ_ONLY",
                                     "OX_UNOWNED",
                                     "0",
                                     "1",
                                     "0x",
                                     "4294967296",
                                     "-",
                                     "<<",
                                     ">>",
                                     "%",
                                     "/",
                                     "restrict",
                                     "volatile",
                                     "x",
                                     "Unknown",
                                     "(*p)(",
                                     "struct {",
                                     "int a;",
                                     "[2]",
                                     "[]",
                                     "__attribute__((packed))",
                                     "char c[65535][65535][2];",
                                     "alignas(64)",
                                     "\xff",
                                     "\x01",
                                     "struct { struct { struct {"};

// Replaces `cut` bytes at `at` with `text`, in a buffer of MODEL_TEXT bytes.
static size_t splice(char *text, size_t length, size_t at, size_t cut, const char *insert) {
    size_t added = strlen(insert);
    cut = cut < length - at ? cut : length - at;
    if (length - cut + added >= MODEL_TEXT) {
        return length;
    }
    memmove(text + at + added, text + at + cut, length - at - cut + 1);
    memcpy(text + at, insert, added);
    return length - cut + added;
}

static size_t mutate_once(oxi_random *random, char *text, size_t length) {
    size_t at = oxi_random_below(random, length + 1);
    size_t size = 1 + oxi_random_below(random, 12);
    char piece[64] = "";
    switch (oxi_random_below(random, 6)) {
    case 0: // one byte
        piece[0] = (char)(1 + oxi_random_below(random, 255));
        return splice(text, length, at, 1, piece);
    case 1: // a piece goes
        return splice(text, length, at, size, "");
    case 2: // a piece is there twice
        memcpy(piece, text + at, size < length - at ? size : length - at);
        return splice(text, length, oxi_random_below(random, length + 1), 0, piece);
    case 3: // the end goes
        text[oxi_random_below(random, 4) == 0 ? at : length] = 0;
        return strlen(text);
    case 4: // a token instead
        return splice(text, length, at, size,
                      tokens[oxi_random_below(random, sizeof tokens / sizeof tokens[0])]);
    default: // a token more
        return splice(text, length, at, 0,
                      tokens[oxi_random_below(random, sizeof tokens / sizeof tokens[0])]);
    }
}

static char *mutate(oxi_random *random, const char *text) {
    static char buffer[MODEL_TEXT + 1];
    size_t length = strlen(text);
    memcpy(buffer, text, length + 1);
    for (uint64_t k = 1 + oxi_random_below(random, 4); k > 0; k--) {
        length = mutate_once(random, buffer, length);
    }
    return copy_exact(buffer, length);
}

// Keeps the size that the text of a type makes, so that it can be scanned again with that size.
static void keep_text_size(const ox_report *report, void *context) {
    size_t *found = context;
    if (report->id == OX_REPORT_LAYOUT_MISMATCH) {
        found[0] = (size_t)ox_report_find(report, "text_size")->number;
        found[1] = (size_t)ox_report_find(report, "text_align")->number;
    }
}

// Every field of an accepted text lies inside of what holds it.
static void expect_inside(const ox_layout *layout) {
    for (uint32_t k = 0; k < layout->field_count; k++) {
        const ox_field *field = &layout->fields[k];
        const ox_field *holder = field->parent >= 0 ? &layout->fields[field->parent] : NULL;
        size_t begin = holder != NULL ? holder->offset : 0;
        size_t size = holder != NULL ? holder->size : layout->size;
        EXPECT(field->parent < (int32_t)k && field->size > 0 && field->count > 0);
        EXPECT(field->offset >= begin && field->offset - begin <= size);
        EXPECT(field->count <= (size - (field->offset - begin)) / field->size);
        EXPECT(k + field->field_count < layout->field_count);
        EXPECT(strlen(field->name) < layout->block_size && field->type_name[0] != 0);
    }
    EXPECT_EQ(layout->size % layout->align, 0);
}

static bool scan_mutant(ox_type *type, size_t found[2]) {
    ox_layout layout;
    found[0] = 0;
    bool scanned = ox_layout_create(type, &layout);
    if (!scanned && found[0] != 0) {
        type->size = found[0];
        type->align = found[1];
        scanned = ox_layout_create(type, &layout);
    }
    if (scanned) {
        EXPECT(layout.size == type->size && layout.align == type->align);
        expect_inside(&layout);
    }
    ox_layout_dispose(&layout);
    return scanned;
}

TEST(struct_random, mutations_of_texts_are_refused_or_laid_out_inside_their_size) {
    static model m;
    m.random = oxi_random_seed(test_seed(7));
    model_announce_constants(&m, true);
    size_t found[2] = {0, 0};
    ox_report_set_handler((ox_report_handler){keep_text_size, found});
    uint64_t accepted = 0, count = test_scaled(2000);

    for (uint64_t k = 0; k < count * 32; k++) {
        static int index;
        index = k % 32 == 0 ? write_case(&m) : index;
        ox_type type = model_type(&m, "Random", index);
        char *raw = mutate(&m.random, m.raw), *expanded = mutate(&m.random, m.expanded);
        type.text = raw;
        type.expanded = oxi_random_bool(&m.random) ? expanded : NULL;
        accepted += scan_mutant(&type, found);
        free(raw);
        free(expanded);
    }
    printf("%llu of %llu mutations are accepted\n", (unsigned long long)accepted,
           (unsigned long long)count * 32);
    oxi_types_reset();
}

TEST(struct_random, texts_cut_at_every_place_are_refused) {
    static model m;
    m.random = oxi_random_seed(test_seed(11));
    model_announce_constants(&m, true);
    size_t found[2] = {0, 0};
    ox_report_set_handler((ox_report_handler){keep_text_size, found});

    for (uint64_t k = test_scaled(20); k > 0; k--) {
        ox_type type = model_type(&m, "Random", write_case(&m));
        type.expanded = NULL;
        for (size_t length = 0; length <= m.expanded_end && length < 2000; length++) {
            char *text = copy_exact(m.expanded, length);
            type.text = text;
            EXPECT(!scan_mutant(&type, found));
            free(text);
        }
    }
    oxi_types_reset();
}
