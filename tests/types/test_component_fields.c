// SPDX-License-Identifier: MIT
//
// Fields by path: found, read, and written with conversion.

#include "types_test.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct slot {
    uint8_t count;
    ox_entity owner;
} slot;

typedef struct everything {
    struct {
        float x, y;
    } position;
    slot slots[4];
    int matrix[2][3];
    struct {
        int8_t small;
    };
    uint8_t byte;
    int16_t half;
    uint32_t word;
    int64_t large;
    uint64_t huge;
    double number;
    long double longest;
    bool is_set;
    enum { STATE_A, STATE_B } state;
    char name[8];
    void *user;
} everything;

static const char everything_text[] =
    "{ struct { float x, y; } position; struct { uint8_t count; ox_entity owner; } slots[4];"
    " int matrix[2][3]; struct { int8_t small; }; uint8_t byte; int16_t half; uint32_t word;"
    " int64_t large; uint64_t huge; double number; long double longest; bool is_set;"
    " enum { STATE_A, STATE_B } state; char name[8]; OX_UNOWNED void *user; }";

static uint32_t everything_id(void) {
    const ox_component_info *info = only_component(everything_text);
    EXPECT_EQ(info->size, sizeof(everything));
    return info->id;
}

// Finding.

TEST(component_fields, are_found_by_path) {
    static const struct {
        const char *path;
        size_t offset, size;
        uint32_t count;
        ox_field_kind kind;
    } cases[] = {
        {"position", offsetof(everything, position), 8, 1, OX_FIELD_STRUCT},
        {"position.x", offsetof(everything, position.x), 4, 1, OX_FIELD_SCALAR},
        {"position.y", offsetof(everything, position.y), 4, 1, OX_FIELD_SCALAR},
        {"slots", offsetof(everything, slots), sizeof(slot), 4, OX_FIELD_STRUCT},
        {"slots[0]", offsetof(everything, slots), sizeof(slot), 1, OX_FIELD_STRUCT},
        {"slots[3].count", offsetof(everything, slots[3].count), 1, 1, OX_FIELD_SCALAR},
        {"slots[03].owner", offsetof(everything, slots[3].owner), 8, 1, OX_FIELD_OPAQUE},
        {"matrix[5]", offsetof(everything, matrix[1][2]), 4, 1, OX_FIELD_SCALAR},
        {"small", offsetof(everything, small), 1, 1, OX_FIELD_SCALAR},
        {"state", offsetof(everything, state), 4, 1, OX_FIELD_ENUM},
        {"name[7]", offsetof(everything, name[7]), 1, 1, OX_FIELD_SCALAR},
        {"user", offsetof(everything, user), sizeof(void *), 1, OX_FIELD_POINTER},
    };
    uint32_t id = everything_id();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ox_field_location place;

        EXPECT(ox_field_find(id, cases[k].path, &place));

        EXPECT_EQ(place.offset, cases[k].offset);
        EXPECT_EQ(place.size, cases[k].size);
        EXPECT_EQ(place.count, cases[k].count);
        EXPECT_EQ(place.kind, cases[k].kind);
        EXPECT_EQ(place.is_array, cases[k].count > 1);
    }
}

TEST(component_fields, that_do_not_exist_are_reported) {
    static const struct {
        const char *path, *says;
    } cases[] = {
        {"", "there is no such field"},
        {".", "there is no such field"},
        {"nothing", "there is no such field, at 'nothing'"},
        {"Position", "there is no such field"},
        {"position.", "there is no such field, at ''"},
        {"position..x", "there is no such field, at '.x'"},
        {"position.z", "there is no such field, at 'z'"},
        {"position.x.y", "this has no fields"},
        {"position.x[0]", "this is no array"},
        {"position[0].x", "this is no array"},
        {"slots.count", "an index should stand here"},
        {"slots[4]", "the index is outside of the array"},
        {"slots[99999999999999999999999999]", "the index is outside of the array"},
        {"slots[-1]", "an index in brackets should stand here"},
        {"slots[]", "an index in brackets should stand here"},
        {"slots[1", "an index in brackets should stand here"},
        {"slots[1]count", "a '.' or the end should stand here, at 'count'"},
        {"slots[1][0]", "counts through"},
        {"slots[1].", "there is no such field"},
        {"slots[1].owner.index", "this has no fields"},
        {" position", "there is no such field"},
        {"matrix[1][2]", "counts through"},
        {"matrix[6]", "the index is outside of the array"},
        {"%n", "there is no such field"},
    };
    uint32_t id = everything_id();
    collected_reports reports;
    collect_reports(&reports);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ox_field_location place = {.offset = 1};

        EXPECT(!ox_field_find_at(id, cases[k].path, &place, "game.c:88"));

        EXPECT_REPORT(&reports, OX_REPORT_BAD_FIELD_PATH);
        EXPECT_HAS(reports.text, cases[k].says);
        EXPECT_STR(reports.site, "game.c:88");
        EXPECT_EQ(place.offset, 0);
        EXPECT_EQ(place.field, NULL);
    }
}

TEST(component_fields, of_components_without_fields_are_reported) {
    oxi_components_reset();
    uint32_t tag =
        ox_component_register(&(ox_component_def){.name = "Tag", .kind = OX_COMPONENT_KIND_TAG});
    uint32_t blob =
        ox_component_register(&(ox_component_def){.name = "Blob", .size = 8, .align = 8});
    ox_field_location place;
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_field_find(tag, "x", &place));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_FIELD_PATH);
    EXPECT(!ox_field_find(blob, "x", &place));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_FIELD_PATH);
    EXPECT_HAS(reports.text, "its fields are not known");
}

TEST(component_fields, of_nothing_are_reported) {
    uint32_t id = everything_id();
    everything value = {0};
    ox_field_location place;
    ox_field_value out = {.kind = OX_FIELD_VALUE_BOOL, .boolean = true};
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_field_find(0, "byte", &place));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT_ID);
    EXPECT(!ox_field_find(id, NULL, &place));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_field_find(id, "byte", NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_field_write(77, &value, "byte", &out));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT_ID);
    EXPECT(!ox_field_write(id, NULL, "byte", &out));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_field_write(id, &value, NULL, &out));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_field_write(id, &value, "byte", NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_field_read(id, &value, "byte", NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_field_read(id, NULL, "byte", &out));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_NONE);
    EXPECT(!ox_field_read(77, &value, "byte", &out));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT_ID);
}

// Reading.

static everything filled(void) {
    everything value;
    memset(&value, 0, sizeof value);
    value.position.y = -1.5f;
    value.slots[2] = (slot){200, {5, 6}};
    value.matrix[1][0] = -7;
    value.small = -128;
    value.huge = UINT64_MAX;
    value.large = INT64_MIN;
    value.number = 0.1;
    value.longest = 2.5L;
    value.is_set = true;
    value.state = STATE_B;
    strcpy(value.name, "name");
    return value;
}

TEST(component_fields, are_read_as_the_kind_that_they_are) {
    uint32_t id = everything_id();
    everything value = filled();
    ox_field_value out;

    EXPECT(ox_field_read(id, &value, "position.y", &out));
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_FLOATING);
    EXPECT_EQ(out.real, -1.5);
    EXPECT(ox_field_read(id, &value, "slots[2].count", &out));
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_UNSIGNED);
    EXPECT_EQ(out.number, 200);
    EXPECT(ox_field_read(id, &value, "slots[2].owner", &out));
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_ENTITY);
    EXPECT_EQ(out.entity.index, 5);
    EXPECT_EQ(out.entity.version, 6);
    EXPECT(ox_field_read(id, &value, "small", &out));
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_SIGNED);
    EXPECT_EQ(out.integer, -128);
    EXPECT(ox_field_read(id, &value, "huge", &out));
    EXPECT_EQ(out.number, UINT64_MAX);
    EXPECT(ox_field_read(id, &value, "large", &out));
    EXPECT_EQ(out.integer, INT64_MIN);
    EXPECT(ox_field_read(id, &value, "longest", &out));
    EXPECT_EQ(out.real, 2.5);
    EXPECT(ox_field_read(id, &value, "is_set", &out));
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_BOOL);
    EXPECT(out.boolean);
    EXPECT(ox_field_read(id, &value, "state", &out));
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_SIGNED);
    EXPECT_EQ(out.integer, STATE_B);
}

TEST(component_fields, that_are_structs_arrays_and_pointers_are_read_in_place) {
    uint32_t id = everything_id();
    everything value = filled();
    ox_field_value out;

    EXPECT(ox_field_read(id, &value, "slots[2]", &out));
    EXPECT_EQ(out.kind, OX_FIELD_VALUE_BYTES);
    EXPECT_EQ(out.bytes, (const void *)&value.slots[2]);
    EXPECT_EQ(out.size, sizeof(slot));
    EXPECT(ox_field_read(id, &value, "name", &out));
    EXPECT_EQ(out.bytes, (const void *)value.name);
    EXPECT_EQ(out.size, 8);
    EXPECT(ox_field_read(id, &value, "user", &out));
    EXPECT_EQ(out.size, sizeof(void *));
}

// Writing.

static ox_field_value of_signed(int64_t integer) {
    return (ox_field_value){.kind = OX_FIELD_VALUE_SIGNED, .integer = integer};
}

static ox_field_value of_unsigned(uint64_t number) {
    return (ox_field_value){.kind = OX_FIELD_VALUE_UNSIGNED, .number = number};
}

static ox_field_value of_real(double real) {
    return (ox_field_value){.kind = OX_FIELD_VALUE_FLOATING, .real = real};
}

typedef struct write_case {
    const char *path;
    ox_field_value in;
    const char *why; // NULL: it fits
} write_case;

static void expect_writes(const write_case *cases, size_t count) {
    uint32_t id = everything_id();
    collected_reports reports;
    collect_reports(&reports);
    for (size_t k = 0; k < count; k++) {
        everything value = filled(), before = value;

        bool written = ox_field_write_at(id, &value, cases[k].path, &cases[k].in, "game.c:88");

        EXPECT_EQ(written, cases[k].why == NULL);
        if (cases[k].why != NULL) {
            EXPECT_REPORT(&reports, OX_REPORT_BAD_FIELD_VALUE);
            EXPECT_HAS(reports.text, cases[k].why);
            EXPECT_HAS(reports.text, cases[k].path);
            EXPECT_STR(reports.site, "game.c:88");
            EXPECT_EQ(memcmp(&value, &before, sizeof value), 0);
        }
        EXPECT_EQ(reports.count, 0);
    }
}

TEST(component_fields, that_are_integers_take_whole_numbers_in_their_range) {
    const write_case cases[] = {
        {"byte", of_signed(255), NULL},
        {"byte", of_signed(300), "300 into 'byte' of 'Tested', which is of type 'uint8_t'"},
        {"byte", of_signed(-1), "out of range"},
        {"byte", of_unsigned(256), "out of range"},
        {"byte", of_real(255.0), NULL},
        {"byte", of_real(255.5), "not a whole number"},
        {"byte", of_real(-0.0), NULL},
        {"byte", of_real(-1.0), "out of range"},
        {"byte", of_real((double)NAN), "nan into 'byte'"},
        {"byte", of_real((double)INFINITY), "inf into 'byte'"},
        {"small", of_signed(-128), NULL},
        {"small", of_signed(-129), "out of range"},
        {"small", of_signed(127), NULL},
        {"small", of_unsigned(128), "out of range"},
        {"half", of_signed(32768), "out of range"},
        {"word", of_unsigned(UINT32_MAX), NULL},
        {"word", of_unsigned((uint64_t)UINT32_MAX + 1), "out of range"},
        {"large", of_signed(INT64_MIN), NULL},
        {"large", of_unsigned((uint64_t)1 << 63), "out of range"},
        {"large", of_real(-0x1p63), NULL},
        {"large", of_real(0x1p63), "out of range"},
        {"large", of_real(-0x1.8p63), "out of range"},
        {"huge", of_unsigned(UINT64_MAX), NULL},
        {"huge", of_signed(-1), "out of range"},
        {"huge", of_real(0x1p63), NULL},
        {"huge", of_real(0x1p64), "out of range"},
        {"state", of_signed(-5), NULL},
        {"state", of_signed((int64_t)1 << 31), "out of range"},
        {"matrix[3]", of_signed(INT32_MIN), NULL},
    };

    expect_writes(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_fields, that_are_floats_take_what_they_can_hold) {
    const int64_t beyond = ((int64_t)1 << 53) + 1;
    const write_case cases[] = {
        {"position.x", of_real(0.1), NULL},
        {"position.x", of_real((double)NAN), NULL},
        {"position.x", of_real(-(double)INFINITY), NULL},
        {"position.x", of_real((double)FLT_MAX), NULL},
        {"position.x", of_real(1e300), "out of range"},
        {"position.x", of_real(-0x1.ffffffp127), "out of range"},
        {"position.x", of_signed(1 << 24), NULL},
        {"position.x", of_signed((1 << 24) + 1), "cannot be held exactly"},
        {"position.x", of_signed(-(1 << 24) - 1), "cannot be held exactly"},
        {"position.x", of_signed(beyond), "cannot be held exactly"},
        {"position.x", of_signed(INT64_MIN), NULL},
        {"number", of_signed(beyond - 1), NULL},
        {"number", of_signed(beyond), "cannot be held exactly"},
        {"number", of_unsigned(UINT64_MAX), "cannot be held exactly"},
        {"number", of_real(1e300), NULL},
        {"longest", of_real(1e300), NULL},
    };

    expect_writes(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_fields, take_no_value_of_another_kind) {
    ox_field_value boolean = {.kind = OX_FIELD_VALUE_BOOL, .boolean = true};
    ox_field_value entity = {.kind = OX_FIELD_VALUE_ENTITY, .entity = {1, 2}};
    ox_field_value bytes = {.kind = OX_FIELD_VALUE_BYTES, .bytes = "12345678", .size = 8};
    ox_field_value no_bytes = {.kind = OX_FIELD_VALUE_BYTES, .size = 8};
    const write_case cases[] = {
        {"byte", boolean, "true into 'byte'"},
        {"byte", entity, "entity 1:2 into 'byte'"},
        {"byte", bytes, "8 bytes into 'byte'"},
        {"byte", {0}, "nothing into 'byte'"},
        {"number", boolean, "a number is needed"},
        {"is_set", boolean, NULL},
        {"is_set", of_signed(1), "a bool is needed"},
        {"slots[1].owner", entity, NULL},
        {"slots[1].owner", of_unsigned(1), "an entity is needed"},
        {"slots[1].owner", bytes, "an entity is needed"},
        {"slots[1]", bytes, "it has another size"},
        {"slots[1]", entity, "bytes are needed"},
        {"name", bytes, NULL},
        {"name", no_bytes, "bytes are needed"},
        {"matrix", bytes, "it has another size"},
        {"position", bytes, NULL},
    };

    expect_writes(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_fields, that_were_written_are_there_and_nothing_else_changed) {
    uint32_t id = everything_id();
    everything value = filled(), expected = value;
    slot whole = {9, {10, 11}};
    expected.byte = 255;
    expected.large = -1;
    expected.position.x = 0.1f;
    expected.longest = 7;
    expected.is_set = false;
    expected.slots[1].owner = (ox_entity){1, 2};
    memcpy(&expected.slots[3], &whole, sizeof whole);

    ox_field_value no = {.kind = OX_FIELD_VALUE_BOOL};
    ox_field_value entity = {.kind = OX_FIELD_VALUE_ENTITY, .entity = {1, 2}};
    ox_field_value bytes = {.kind = OX_FIELD_VALUE_BYTES, .bytes = &whole, .size = sizeof whole};
    ox_field_value byte = of_real(255), minus = of_signed(-1), tenth = of_real(0.1);
    ox_field_value seven = of_unsigned(7);
    EXPECT(ox_field_write(id, &value, "byte", &byte));
    EXPECT(ox_field_write(id, &value, "large", &minus));
    EXPECT(ox_field_write(id, &value, "position.x", &tenth));
    EXPECT(ox_field_write(id, &value, "longest", &seven));
    EXPECT(ox_field_write(id, &value, "is_set", &no));
    EXPECT(ox_field_write(id, &value, "slots[1].owner", &entity));
    EXPECT(ox_field_write(id, &value, "slots[3]", &bytes));

    EXPECT_EQ(memcmp(&value, &expected, sizeof value), 0);
}
