// SPDX-License-Identifier: MIT
//
// Random structs as components: their shape, their paths and their JSON must be those of the
// generator, which lays them out by rules of its own.

#include "base/struct_generator.h"
#include "types_test.h"

#include "types/shape.h"
#include "types/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 256, TEXT_SIZE = 2 * MODEL_TEXT };

// What a byte of a value is.
typedef enum byte_use { BYTE_PADDING = 0, BYTE_VALUE, BYTE_POINTER } byte_use;

typedef struct random_case {
    model m;
    const ox_component_info *info;
    int index; // of the struct in the model
    char text[TEXT_SIZE];
    uint8_t uses[OX_MAX_COMPONENT_SIZE];
    _Alignas(64) char value[OX_MAX_COMPONENT_SIZE];
    _Alignas(64) char other[OX_MAX_COMPONENT_SIZE];
    uint64_t path_count;
} random_case;

// A component of one random struct, all of whose pointers are marked: marks reach what is inside.
static bool make_case(random_case *c) {
    model *m = &c->m;
    oxi_components_reset();
    m->struct_count = m->type_count = m->name_count = 0;
    int types = (int)oxi_random_below(&m->random, MODEL_TYPES + 1);
    for (int k = 0; k < types; k++) {
        char name[16];
        snprintf(name, sizeof name, "G%d", k);
        m->types[k] = model_write_struct(m, oxi_random_bool(&m->random));
        ox_type type = model_type(m, name, m->types[k]);
        EXPECT(ox_type_register(&type) != NULL);
        m->type_count++;
    }
    c->index = model_write_struct(m, false);
    snprintf(c->text, sizeof c->text, "{ OX_UNOWNED struct %s all; }", m->raw);
    c->info = ox_component_get_info(define_component("Random", c->text));
    return c->info != NULL;
}

// Shape.

static size_t value_size_of(const model_field *field) {
    bool is_long = field->scalar == OX_SCALAR_FLOAT && field->size == sizeof(long double);
    return is_long && LDBL_MANT_DIG == 64 ? 10 : field->size;
}

static void mark_bytes(random_case *c, int index, size_t offset) {
    const model_struct *s = &c->m.structs[index];
    for (int k = 0; k < s->field_count; k++) {
        const model_field *field = &s->fields[k];
        for (uint32_t n = 0; n < field->count; n++) {
            size_t at = offset + field->offset + n * field->size;
            if (field->kind == OX_FIELD_STRUCT) {
                mark_bytes(c, field->inside, at);
                continue;
            }
            byte_use use = field->kind == OX_FIELD_POINTER ? BYTE_POINTER : BYTE_VALUE;
            memset(c->uses + at, (int)use, value_size_of(field));
        }
    }
}

static void expect_spans(const random_case *c, const ox_byte_span *spans, uint32_t count,
                         byte_use use) {
    size_t end = 0, total = 0, expected = 0;
    for (uint32_t k = 0; k < count; k++) {
        EXPECT(spans[k].size > 0);
        EXPECT(k == 0 || spans[k].offset > end); // those that touch are one
        end = spans[k].offset + spans[k].size;
        total += spans[k].size;
        EXPECT(end <= c->info->size);
        for (size_t at = spans[k].offset; at < end; at++) {
            EXPECT_EQ(c->uses[at], use);
        }
    }
    for (size_t at = 0; at < c->info->size; at++) {
        expected += c->uses[at] == use;
    }
    EXPECT_EQ(total, expected);
}

static void expect_shape(random_case *c) {
    memset(c->uses, BYTE_PADDING, sizeof c->uses);
    mark_bytes(c, c->index, 0);
    EXPECT_EQ(c->info->size, c->m.structs[c->index].size);
    EXPECT_EQ(c->info->align, c->m.structs[c->index].align);
    expect_spans(c, c->info->values, c->info->value_count, BYTE_VALUE);
    expect_spans(c, c->info->unowned, c->info->unowned_count, BYTE_POINTER);
    bool has_padding = memchr(c->uses, BYTE_PADDING, c->info->size) != NULL;
    EXPECT_EQ(c->info->has_padding, has_padding);
}

// Values.

static void put_real(random_case *c, const model_field *field, char *to) {
    oxi_random *random = &c->m.random;
    double real = (double)(int64_t)oxi_random_below(random, 1 << 20) / 64 - 1000;
    switch (oxi_random_below(random, 4)) {
    case 0:
        real *= 1e30;
        break;
    case 1:
        real = (double)(oxi_random_next_u64(random) >> oxi_random_below(random, 64)); // whole
        break;
    default:
        break;
    }
    float small = (float)real;
    long double large = (long double)real / 3;
    if (field->size == sizeof small) {
        memcpy(to, &small, sizeof small);
    } else if (field->size == sizeof real) {
        memcpy(to, &real, sizeof real);
    } else {
        memcpy(to, &large, value_size_of(field));
    }
}

// Bytes are random already: makes bools of bools, numbers of most floats, and texts of some chars.
static void fill_field(const ox_field *field, size_t offset, void *context) {
    random_case *c = context;
    oxi_random *random = &c->m.random;
    model_field like = {.size = field->size, .scalar = field->scalar};
    for (uint32_t k = 0; k < field->count; k++) {
        char *at = c->value + offset + k * field->size;
        if (field->scalar == OX_SCALAR_BOOL) {
            *at &= 1;
        } else if (field->scalar == OX_SCALAR_FLOAT && oxi_random_below(random, 4) > 0) {
            put_real(c, &like, at);
        }
    }
    if (strcmp(field->type_name, "char") == 0 && field->is_array && oxi_random_bool(random)) {
        uint32_t length = (uint32_t)oxi_random_below(random, field->count);
        for (uint32_t k = 0; k < field->count; k++) {
            c->value[offset + k] = k < length ? (char)(c->value[offset + k] & 0x7f) : 0;
        }
    }
}

static void fill_value(random_case *c) {
    for (size_t k = 0; k < c->info->size; k++) {
        c->value[k] = (char)oxi_random_below(&c->m.random, 256);
    }
    oxi_layout_walk(&c->info->layout, fill_field, c);
}

// JSON.

static void expect_json_round_trip(random_case *c) {
    static char json[1 << 20];
    fill_value(c);
    memset(c->other, 0x5c, sizeof c->other);

    size_t length = ox_component_write_json(c->info->id, c->value, json, sizeof json);
    EXPECT(length > 0 && length < sizeof json);
    bool is_read = ox_component_read_json(c->info->id, json, length, c->other);

    if (!is_read || !oxi_value_equal(c->info, c->value, c->other)) {
        test_fail(__FILE__, __LINE__, "%.2000s\n%.2000s", c->text, json);
    }
    EXPECT_EQ(oxi_value_hash(c->info, c->value, 1), oxi_value_hash(c->info, c->other, 1));
    for (size_t k = 0; k < c->info->size; k++) {
        EXPECT(c->uses[k] == BYTE_VALUE || c->other[k] == 0x5c); // pointers and padding stay
    }
}

// Paths.

// Copies one element by its path.
static void copy_by_path(random_case *c, const model_field *field, size_t offset,
                         const char *path) {
    ox_field_location place;
    ox_field_value value;
    c->path_count++;
    EXPECT(ox_field_find(c->info->id, path, &place));
    EXPECT_EQ(place.offset, offset);
    EXPECT_EQ(place.size, field->size);
    EXPECT_EQ(place.kind, field->kind);
    EXPECT_EQ(place.scalar, field->scalar);
    EXPECT_EQ(place.count, 1);
    EXPECT(ox_field_read(c->info->id, c->value, path, &value));
    if (field->scalar == OX_SCALAR_FLOAT) { // a NaN keeps its bits, or not; a long double may round
        memcpy(c->other + offset, c->value + offset, value_size_of(field));
    } else {
        EXPECT(ox_field_write(c->info->id, c->other, path, &value));
    }
}

static void copy_by_paths(random_case *c, int index, size_t offset, const char *prefix) {
    const model_struct *s = &c->m.structs[index];
    for (int k = 0; k < s->field_count; k++) {
        const model_field *field = &s->fields[k];
        for (uint32_t n = 0; n < field->count; n++) {
            char path[LONGEST_PATH];
            size_t at = offset + field->offset + n * field->size;
            if (field->name[0] == 0) {
                copy_by_paths(c, field->inside, at, prefix);
                continue;
            }
            int length = snprintf(path, sizeof path, "%s.%s", prefix, field->name);
            if (field->is_array) {
                snprintf(path + length, sizeof path - (size_t)length, "[%u]", (unsigned)n);
            }
            if (field->kind == OX_FIELD_STRUCT) {
                copy_by_paths(c, field->inside, at, path);
            } else {
                copy_by_path(c, field, at, path);
            }
        }
    }
}

static void expect_paths(random_case *c) {
    fill_value(c);
    memset(c->other, 0x5c, sizeof c->other);

    copy_by_paths(c, c->index, 0, "all");

    EXPECT(oxi_value_equal(c->info, c->value, c->other));
    for (size_t k = 0; k < c->info->size; k++) {
        EXPECT(c->uses[k] != BYTE_PADDING || c->other[k] == 0x5c);
    }
}

TEST(component_random, structs_keep_their_shape_and_round_trip_by_json_and_by_path) {
    static random_case c;
    c.m.random = oxi_random_seed(test_seed(20));
    model_announce_constants(&c.m, false); // the component has no scope, and sees all
    c.path_count = 0;
    collected_reports reports;
    collect_reports(&reports);
    uint64_t cases = test_scaled(400), accepted = 0;

    for (uint64_t k = 0; k < cases; k++) {
        if (!make_case(&c)) {
            bool is_known = reports.last == OX_REPORT_COMPONENT_TOO_LARGE ||
                            reports.last == OX_REPORT_UNREADABLE_FIELD; // above 4096 fields
            EXPECT(is_known);
            continue;
        }
        accepted++;
        expect_shape(&c);
        expect_json_round_trip(&c);
        expect_paths(&c);
    }

    printf("%llu of %llu structs, %llu paths\n", (unsigned long long)accepted,
           (unsigned long long)cases, (unsigned long long)c.path_count);
    EXPECT(accepted * 2 > cases);
    oxi_components_reset();
}

// Floats of all bits, above all.

TEST(component_random, floats_of_all_bits_round_trip_by_json) {
    const ox_component_info *info =
        only_component("{ float f[8]; double d[8]; long double l[2]; float whole[8]; }");
    oxi_random random = oxi_random_seed(test_seed(21));
    struct {
        uint32_t f[8];
        uint64_t d[8];
        char l[2][sizeof(long double)];
        float whole[8];
    } value, other;
    memset(&other, 0, sizeof other);
    char json[2048];

    for (uint64_t round = 0; round < test_scaled(20000); round++) {
        for (int k = 0; k < 8; k++) {
            value.f[k] = (uint32_t)oxi_random_next_u64(&random);
            value.d[k] = oxi_random_next_u64(&random);
            value.whole[k] = (float)(oxi_random_next_u64(&random) >> oxi_random_below(&random, 64));
        }
        for (size_t k = 0; k < sizeof value.l; k++) {
            value.l[k % 2][k / 2] = (char)oxi_random_next_u64(&random);
        }
        size_t length = ox_component_write_json(info->id, &value, json, sizeof json);
        if (!ox_component_read_json(info->id, json, length, &other) ||
            !oxi_value_equal(info, &value, &other)) {
            test_fail(__FILE__, __LINE__, "%s", json);
        }
    }
}
