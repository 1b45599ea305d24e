// SPDX-License-Identifier: MIT
//
// Streams written on main, against an array of tagged values.

#include "test.h"

#include "base/random.h"
#include "base/substitute.h"
#include "oxbow/containers.h"

#include <stdlib.h>
#include <string.h>

typedef struct hit {
    float force;
    uint16_t body;
} hit;

typedef struct letter {
    char text[5];
} letter;

typedef struct wide {
    _Alignas(32) double lanes[4];
} wide;

TEST(stream, values_of_any_types_are_read_in_the_order_of_writing) {
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    EXPECT(ox_stream_write(writer, int, -3));
    EXPECT(ox_stream_write(writer, hit, {.force = 2.5f, .body = 9}));
    EXPECT(ox_stream_write(writer, letter, {"abcd"}));
    EXPECT(ox_stream_write(writer, wide, {{1, 2, 3, 4}}));
    EXPECT(ox_stream_write(writer, bool, true));

    ox_stream_reader reader = ox_stream_reader_of(stream);

    EXPECT_EQ(ox_stream_count(stream), 5);
    EXPECT_EQ(ox_stream_reader_next(&reader, int), -3);
    hit read = ox_stream_reader_next(&reader, hit);
    EXPECT(read.force == 2.5f && read.body == 9);
    EXPECT_STR(ox_stream_reader_next(&reader, letter).text, "abcd");
    EXPECT_EQ(ox_stream_reader_next(&reader, wide).lanes[3], 4.0);
    EXPECT(ox_stream_reader_has_next(&reader));
    EXPECT_EQ(ox_stream_reader_next(&reader, bool), true);
    EXPECT(!ox_stream_reader_has_next(&reader));
    ox_dispose(&stream);
    EXPECT(!ox_stream_is_created(stream));
}

TEST(stream, a_new_one_is_empty) {
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_reader reader = ox_stream_reader_of(stream);

    EXPECT(ox_stream_is_empty(stream));
    EXPECT_EQ(ox_stream_count(stream), 0);
    EXPECT(!ox_stream_reader_has_next(&reader));
    ox_dispose(&stream);
}

TEST(stream, peeking_stays_and_skipping_goes_on) {
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_stream_write(writer, letter, {"skip"});
    ox_stream_write(writer, int, 5);
    ox_stream_reader reader = ox_stream_reader_of(stream);

    EXPECT(ox_stream_reader_skip(&reader));
    EXPECT_EQ(ox_stream_reader_peek(&reader, int), 5);
    EXPECT_EQ(ox_stream_reader_peek(&reader, int), 5);
    EXPECT_EQ(ox_stream_reader_next(&reader, int), 5);

    EXPECT(!ox_stream_reader_has_next(&reader));
    ox_dispose(&stream);
}

TEST(stream, readers_do_not_disturb_each_other) {
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    for (int k = 0; k < 10; k++) {
        ox_stream_write(writer, int, k);
    }
    ox_stream_reader first = ox_stream_reader_of(stream), second = ox_stream_reader_of(stream);

    for (int k = 0; k < 10; k++) {
        EXPECT_EQ(ox_stream_reader_next(&first, int), k);
        if (k % 2 == 0) {
            EXPECT_EQ(ox_stream_reader_next(&second, int), k / 2);
        }
    }
    ox_dispose(&stream);
}

TEST(stream, clearing_starts_anew) {
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_stream_write(writer, double, 1);

    ox_stream_clear(stream);
    EXPECT(ox_stream_is_empty(stream));
    ox_stream_write(writer, int, 2);

    ox_stream_reader reader = ox_stream_reader_of(stream);
    EXPECT_EQ(ox_stream_reader_next(&reader, int), 2);
    EXPECT_EQ(ox_stream_count(stream), 1);
    ox_dispose(&stream);
}

TEST(stream, temp_memory_serves_as_well) {
    ox_stream stream = ox_stream_create(OX_TEMP);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    for (int k = 0; k < 1000; k++) {
        ox_stream_write(writer, int, k);
    }

    ox_stream_reader reader = ox_stream_reader_of(stream);
    for (int k = 0; k < 1000; k++) {
        EXPECT_EQ(ox_stream_reader_next(&reader, int), k);
    }
    ox_dispose(&stream);
}

TEST(stream, the_largest_value_is_kept_whole) {
    typedef struct large {
        unsigned char bytes[OX_MAX_ELEMENT_SIZE];
    } large;
    static large in, out;
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    memset(&in, 0x5a, sizeof in);

    EXPECT(ox_stream_write(ox_stream_writer_of(stream), large, in));
    ox_stream_reader reader = ox_stream_reader_of(stream);
    ox_stream_reader_next_at(&reader, ox_element_of(large), &out, OX_HERE);

    EXPECT(memcmp(&in, &out, sizeof in) == 0);
    EXPECT(!ox_stream_reader_has_next(&reader));
    ox_dispose(&stream);
}

TEST(stream, reading_past_the_end_is_a_report_and_gives_zeros) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_write(ox_stream_writer_of(stream), int, 5);
    ox_stream_reader reader = ox_stream_reader_of(stream);
    EXPECT_EQ(ox_stream_reader_next(&reader, int), 5);

    EXPECT_EQ(ox_stream_reader_next(&reader, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_STREAM_END);
    EXPECT_EQ(ox_stream_reader_peek(&reader, hit).body, 0);
    EXPECT_REPORT(&reports, OX_REPORT_STREAM_END);
    EXPECT(!ox_stream_reader_skip(&reader));
    EXPECT_REPORT(&reports, OX_REPORT_STREAM_END);

    ox_dispose(&stream);
}

TEST_CHECKED(stream, reading_another_type_is_a_report_and_passes_the_value) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_stream_write(writer, int, 5);
    ox_stream_write(writer, int, 6);
    ox_stream_reader reader = ox_stream_reader_of(stream);

    EXPECT(ox_stream_reader_peek(&reader, float) == 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_stream_reader_next(&reader, hit).body, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_stream_reader_next(&reader, int), 6);

    EXPECT(!ox_stream_reader_has_next(&reader));
    ox_dispose(&stream);
}

TEST_CHECKED(stream, a_reader_ends_when_the_stream_changes) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_stream_write(writer, int, 5);

    ox_stream_reader reader = ox_stream_reader_of(stream);
    ox_stream_write(writer, int, 6);
    EXPECT_EQ(ox_stream_reader_next(&reader, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    EXPECT(!ox_stream_reader_has_next(&reader)); // so that a loop ends

    reader = ox_stream_reader_of(stream);
    ox_stream_clear(stream);
    EXPECT(!ox_stream_reader_skip(&reader));
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);

    reader = ox_stream_reader_of(stream);
    ox_dispose(&stream);
    EXPECT_EQ(ox_stream_reader_peek(&reader, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

TEST(stream, one_that_was_never_made_is_a_report) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_stream none = {0};
    ox_stream_reader reader = {0};

    EXPECT_EQ(ox_stream_count(none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(ox_stream_is_empty(none));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_stream_clear(none);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(ox_stream_reader_of(none).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(ox_stream_writer_of(none).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_stream_write((ox_stream_writer){0}, int, 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_stream_reader_next(&reader, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_stream_merge_after(none, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&none);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose_after(&none, OX_NO_JOB);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_stream_dispose_at(NULL, OX_NO_JOB, OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST(stream, a_value_that_is_too_large_is_a_report) {
    collected_reports reports = {0};
    collect_reports(&reports);
    typedef struct huge {
        char bytes[OX_MAX_ELEMENT_SIZE + 1];
    } huge;
    static huge value;
    ox_stream stream = ox_stream_create(OX_PERSISTENT);

    EXPECT(!ox_stream_write(ox_stream_writer_of(stream), huge, value));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);

    EXPECT(ox_stream_is_empty(stream));
    ox_dispose(&stream);
}

TEST_CHECKED(stream, a_container_cannot_be_a_value) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);

    for (int k = 0; k < 2; k++) { // the second time too
        EXPECT(!ox_stream_write(writer, ox_stream, stream));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
    }

    EXPECT(ox_stream_is_empty(stream));
    ox_dispose(&stream);
}

TEST_CHECKED(stream, a_disposed_one_is_known_by_every_copy) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT), copy = stream;
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_dispose(&stream);

    EXPECT(!ox_stream_write(writer, int, 1));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_stream_count(copy), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(ox_stream_reader_of(stream).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    ox_dispose(&copy);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

// Random values. The model keeps for each its kind and a number that makes its content.

typedef enum value_kind { VALUE_INT, VALUE_DOUBLE, VALUE_BYTE, VALUE_HIT, VALUE_LETTER } value_kind;

typedef struct tagged {
    value_kind kind;
    uint32_t number;
} tagged;

typedef struct stream_model {
    tagged *values;
    size_t count;
    size_t capacity;
} stream_model;

static letter letter_of(uint32_t number) {
    letter value;
    for (int k = 0; k < 5; k++) {
        value.text[k] = (char)(number >> k * 5);
    }
    return value;
}

static bool write_value(ox_stream_writer writer, tagged value) {
    switch (value.kind) {
    case VALUE_INT:
        return ox_stream_write(writer, int, (int)value.number);
    case VALUE_DOUBLE:
        return ox_stream_write(writer, double, (double)value.number);
    case VALUE_BYTE:
        return ox_stream_write(writer, uint8_t, (uint8_t)value.number);
    case VALUE_HIT:
        return ox_stream_write(writer, hit, {(float)(value.number >> 8), (uint16_t)value.number});
    default:
        return ox_stream_write(writer, letter, letter_of(value.number));
    }
}

static bool next_is_hit(ox_stream_reader *reader, uint32_t number) {
    hit value = ox_stream_reader_next(reader, hit);
    return value.force == (float)(number >> 8) && value.body == (uint16_t)number;
}

static bool next_is_letter(ox_stream_reader *reader, uint32_t number) {
    letter value = ox_stream_reader_next(reader, letter), expected = letter_of(number);
    return memcmp(&value, &expected, sizeof value) == 0;
}

static bool next_is(ox_stream_reader *reader, tagged value) {
    switch (value.kind) {
    case VALUE_INT:
        return ox_stream_reader_next(reader, int) == (int)value.number;
    case VALUE_DOUBLE:
        return ox_stream_reader_next(reader, double) == (double)value.number;
    case VALUE_BYTE:
        return ox_stream_reader_next(reader, uint8_t) == (uint8_t)value.number;
    case VALUE_HIT:
        return next_is_hit(reader, value.number);
    default:
        return next_is_letter(reader, value.number);
    }
}

// Reads a part of the stream, some values skipped. @return how many values were passed.
static uint64_t compare_stream(ox_stream stream, const stream_model *model, oxi_random *random) {
    ox_stream_reader reader = ox_stream_reader_of(stream);
    uint64_t most = oxi_random_bool(random) ? model->count : oxi_random_below(random, 300);
    size_t k = 0;
    for (; k < model->count && k < most; k++) {
        EXPECT(ox_stream_reader_has_next(&reader));
        if (k % 17 == 3) {
            EXPECT(ox_stream_reader_skip(&reader));
        } else {
            EXPECT(next_is(&reader, model->values[k]));
        }
    }
    EXPECT_EQ(ox_stream_reader_has_next(&reader), k < model->count);
    EXPECT_EQ(ox_stream_count(stream), model->count);
    return k;
}

static void write_several(ox_stream_writer writer, stream_model *model, oxi_random *random) {
    for (uint64_t k = oxi_random_below(random, 400); k > 0; k--) {
        tagged value = {(value_kind)oxi_random_below(random, 5),
                        (uint32_t)oxi_random_next_u64(random)};
        if (model->count == model->capacity) {
            model->capacity = model->capacity * 2 + 64;
            model->values = realloc(model->values, model->capacity * sizeof *model->values);
        }
        model->values[model->count++] = value;
        EXPECT(write_value(writer, value));
    }
}

TEST(stream, does_what_an_array_of_tagged_values_does) {
    oxi_random random = oxi_random_seed(test_seed(404));
    stream_model model = {0};
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    uint64_t calls = test_scaled(1400000), done = 0;
    while (done < calls) {
        size_t before = model.count;
        write_several(writer, &model, &random);
        done += model.count - before;
        done += compare_stream(stream, &model, &random);
        if (oxi_random_below(&random, 12) == 0) {
            ox_stream_clear(stream);
            model.count = 0;
        }
        EXPECT_EQ(ox_stream_is_empty(stream), model.count == 0);
    }
    ox_dispose(&stream);
    free(model.values);
}

// Every fallible call of a stream's life, with memory refused at each place.
static void live_through_refusals(void) {
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    if (!ox_stream_is_created(stream)) {
        return;
    }
    ox_stream_writer writer = ox_stream_writer_of(stream);
    int written = 0;
    for (int k = 0; k < 300; k++) {
        written += ox_stream_write(writer, int, written);
    }
    EXPECT_EQ(ox_stream_count(stream), written);
    ox_stream_reader reader = ox_stream_reader_of(stream);
    for (int k = 0; k < written; k++) {
        EXPECT_EQ(ox_stream_reader_next(&reader, int), k);
    }
    ox_dispose(&stream);
}

TEST(stream, is_as_before_when_memory_runs_out) {
    test_fault_sweep("stream", live_through_refusals);
}
