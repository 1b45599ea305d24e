// SPDX-License-Identifier: MIT
//
// Queues, against an array with an index of its head.

#include "test.h"

#include "base/random.h"
#include "base/substitute.h"
#include "oxbow/containers.h"

#include <stdlib.h>
#include <string.h>

typedef struct order {
    float price;
    int32_t amount;
    uint8_t flags[3];
} order;

TEST(queue, elements_leave_in_the_order_in_which_they_came) {
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);

    for (int k = 0; k < 100; k++) {
        EXPECT(ox_queue_push(OX_AS(queue, int), k));
    }

    EXPECT_EQ(ox_queue_count(queue), 100);
    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_queue_peek(OX_AS(queue, int)), k);
        EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), k);
    }
    EXPECT(ox_queue_is_empty(queue));
    ox_dispose(&queue);
    EXPECT(!ox_queue_is_created(queue));
}

TEST(queue, a_struct_is_pushed_in_braces_or_as_a_variable) {
    ox_queue queue = ox_queue_create_untyped(order, 3, OX_PERSISTENT);
    order second = {.price = 2, .flags = {1, 2, 3}};

    EXPECT(ox_queue_push(OX_AS(queue, order), {.price = 1.5f, .amount = 7}));
    EXPECT(ox_queue_push(OX_AS(queue, order), second));

    EXPECT_EQ(ox_queue_read(OX_AS(queue, order), 1).flags[2], 3);
    order first = ox_queue_pop(OX_AS(queue, order));
    EXPECT(first.price == 1.5f && first.amount == 7);
    EXPECT_EQ(ox_queue_pop(OX_AS(queue, order)).price, 2.0f);
    ox_dispose(&queue);
}

TEST(queue, growing_keeps_the_order_of_a_ring_that_wraps) {
    for (int before = 0; before < 40; before++) {
        ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
        for (int k = 0; k < before; k++) {
            ox_queue_push(OX_AS(queue, int), -1);
            (void)ox_queue_pop(OX_AS(queue, int));
        }
        for (int k = 0; k < 70; k++) {
            ox_queue_push(OX_AS(queue, int), k);
        }

        for (int k = 0; k < 70; k++) {
            EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), k);
        }
        ox_dispose(&queue);
    }
}

TEST(queue, counts_wrap_without_a_trace) {
    ox_queue queue = ox_queue_create_untyped(int, 16, OX_PERSISTENT); // and grows to 64
    queue.state->head = queue.state->tail = UINT32_MAX - 2;

    for (int k = 0; k < 40; k++) {
        ox_queue_push(OX_AS(queue, int), k);
        if (k == 8) {
            EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), 0);
        }
    }

    EXPECT_EQ(ox_queue_count(queue), 39);
    EXPECT_EQ(ox_queue_read(OX_AS(queue, int), 38), 39);
    for (int k = 1; k < 40; k++) {
        EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), k);
    }
    ox_dispose(&queue);
}

TEST(queue, popping_an_empty_one_is_a_report_and_gives_zeros) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);

    EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY);
    EXPECT_EQ(ox_queue_peek(OX_AS(queue, int)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY);

    EXPECT(ox_queue_push(OX_AS(queue, int), 4)); // it stays usable
    EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), 4);
    ox_dispose(&queue);
    EXPECT_EQ(reports.count, 0);
}

TEST(queue, trying_to_pop_an_empty_one_changes_nothing) {
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    int value = 17;

    EXPECT(!ox_queue_try_pop(OX_AS(queue, int), &value));
    EXPECT_EQ(value, 17);

    ox_queue_push(OX_AS(queue, int), 3);
    EXPECT(ox_queue_try_pop(OX_AS(queue, int), &value));
    EXPECT_EQ(value, 3);
    EXPECT(!ox_queue_try_pop(OX_AS(queue, int), &value));
    ox_dispose(&queue);
}

TEST(queue, clearing_keeps_the_memory) {
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    ox_queue_push_many(OX_AS(queue, int), ((int[]){1, 2, 3}), 3);
    uint32_t capacity = queue.state->capacity;

    ox_queue_clear(queue);

    EXPECT(ox_queue_is_empty(queue));
    EXPECT_EQ(queue.state->capacity, capacity);
    ox_queue_push(OX_AS(queue, int), 9);
    EXPECT_EQ(ox_queue_peek(OX_AS(queue, int)), 9);
    ox_dispose(&queue);
}

TEST(queue, reserving_makes_room_once) {
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    EXPECT(ox_queue_reserve(queue, 1000));
    const char *ring = queue.state->ring;

    for (int k = 0; k < 1000; k++) {
        ox_queue_push(OX_AS(queue, int), k);
    }
    EXPECT(ox_queue_reserve(queue, 0)); // less changes nothing

    EXPECT(queue.state->ring == ring);
    EXPECT_EQ(ox_queue_count(queue), 1000);
    ox_dispose(&queue);
}

TEST(queue, room_is_the_next_power_of_two_and_no_more) {
    static const int cases[][2] = {{1023, 1024}, {1024, 1024}, {1025, 2048}, {2048, 2048}};
    for (int k = 0; k < 4; k++) {
        ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);

        EXPECT(ox_queue_reserve(queue, cases[k][0]));

        EXPECT_EQ(queue.state->capacity, cases[k][1]);
        ox_dispose(&queue);
    }
}

TEST(queue, an_array_of_it_starts_at_the_head) {
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    for (int k = 0; k < 20; k++) {
        ox_queue_push(OX_AS(queue, int), k);
        if (k < 10) {
            (void)ox_queue_pop(OX_AS(queue, int));
        }
    }

    ox_array array = ox_queue_to_array(queue, OX_PERSISTENT);

    EXPECT_EQ(array.count, 10);
    for (int k = 0; k < 10; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(array, int), k), 10 + k);
    }
    EXPECT_EQ(ox_queue_count(queue), 10);
    ox_dispose(&array);
    ox_dispose(&queue);
}

TEST(queue, an_empty_one_gives_an_empty_array) {
    ox_queue queue = ox_queue_create_untyped(double, 0, OX_PERSISTENT);

    ox_array array = ox_queue_to_array(queue, OX_PERSISTENT);

    EXPECT(ox_array_is_created(array));
    EXPECT_EQ(array.count, 0);
    ox_dispose(&array);
    ox_dispose(&queue);
}

TEST(queue, copies_of_a_handle_are_one_queue) {
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_TEMP_JOB), copy = queue;

    ox_queue_push(OX_AS(copy, int), 1);
    ox_queue_push(OX_AS(queue, int), 2);

    EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), 1);
    EXPECT_EQ(ox_queue_pop(OX_AS(copy, int)), 2);
    ox_dispose(&queue);
}

TEST(queue, temp_memory_serves_as_well) {
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_TEMP);

    for (int k = 0; k < 1000; k++) {
        ox_queue_push(OX_AS(queue, int), k);
    }

    EXPECT_EQ(ox_queue_read(OX_AS(queue, int), 999), 999);
    ox_dispose(&queue);
}

TEST(queue, large_and_strictly_aligned_elements_are_kept_whole) {
    typedef struct page {
        _Alignas(4096) unsigned char bytes[4096];
    } page;
    static page in;
    ox_queue queue = ox_queue_create_untyped(page, 0, OX_PERSISTENT);

    for (int k = 0; k < 9; k++) {
        memset(in.bytes, k, sizeof in.bytes);
        EXPECT(ox_queue_push(OX_AS(queue, page), in));
    }

    for (int k = 0; k < 9; k++) {
        const page *out = ox_queue_pop_at(queue, ox_element_of(page), OX_HERE);
        EXPECT_EQ((uintptr_t)out % 4096, 0);
        EXPECT(out->bytes[0] == k && out->bytes[4095] == k);
    }
    ox_dispose(&queue);
}

// What is wrong input to calls that look at it in every library.
TEST(queue, wrong_input_is_a_report_and_has_no_effect) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    ox_queue_push_many(OX_AS(queue, int), ((int[]){5, 6}), 2);

    EXPECT_EQ(ox_queue_read(OX_AS(queue, int), 2), 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT_EQ(ox_queue_read(OX_AS(queue, int), -1), 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT(ox_queue_read(OX_AS(queue, float), 0) == 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_queue_push_many(OX_AS(queue, int), ((int[]){1}), -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_queue_push_many(OX_AS(queue, int), (const int *)NULL, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_queue_push_many(OX_AS(queue, double), ((double[]){1}), 1));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_queue_reserve(queue, -5));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_queue_reserve(queue, INT64_MAX));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);

    EXPECT_EQ(ox_queue_count(queue), 2);
    EXPECT_EQ(ox_queue_read(OX_AS(queue, int), 1), 6);
    ox_dispose(&queue);
}

TEST(queue, one_that_cannot_be_made_is_a_report) {
    collected_reports reports = {0};
    collect_reports(&reports);
    typedef struct huge {
        char bytes[OX_MAX_ELEMENT_SIZE + 1];
    } huge;

    EXPECT(!ox_queue_is_created(ox_queue_create_untyped(huge, 0, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
    EXPECT(!ox_queue_is_created(ox_queue_create_untyped(int, -1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_queue_is_created(ox_queue_create_untyped(int, 0, 0)));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
}

TEST(queue, one_that_was_never_made_is_a_report) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_queue none = {0};

    EXPECT_EQ(ox_queue_count(none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(ox_queue_is_empty(none));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_queue_read(OX_AS(none, int), 0), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_queue_peek(OX_AS(none, int)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_queue_clear(none);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_queue_reserve(none, 3));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_array_is_created(ox_queue_to_array(none, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&none);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose_after(&none, OX_NO_JOB);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_queue_dispose_at(NULL, OX_NO_JOB, OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST_CHECKED(queue, inline_calls_look_too_where_checks_are_on) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_queue none = {0}, queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    float value = 1;

    EXPECT(!ox_queue_push(OX_AS(none, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_queue_pop(OX_AS(none, int)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_queue_push(OX_AS(queue, float), 1));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_queue_push(OX_AS(queue, int), 1);
    EXPECT(!ox_queue_try_pop(OX_AS(queue, float), &value));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);

    EXPECT_EQ(ox_queue_count(queue), 1);
    ox_dispose(&queue);
}

TEST_CHECKED(queue, a_disposed_one_is_known_by_every_copy) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_queue queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT), copy = queue;
    int value;
    ox_dispose(&queue);

    EXPECT(!ox_queue_push(OX_AS(queue, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(!ox_queue_try_pop(OX_AS(copy, int), &value));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_queue_count(copy), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    ox_dispose(&copy);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(ox_queue_writer_of(copy).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

TEST_CHECKED(queue, a_queue_cannot_be_an_element) {
    collected_reports reports = {0};
    collect_reports(&reports);

    EXPECT(!ox_queue_is_created(ox_queue_create_untyped(ox_queue, 0, OX_PERSISTENT)));

    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
}

// Random calls. A value is known by one number, which fills all its bytes.

enum { MOST_BYTES = 96 };

typedef struct queue_model {
    uint64_t *numbers;
    size_t head;
    size_t count; // of all that were ever pushed
    size_t capacity;
    size_t size; // of an element
} queue_model;

static void fill_value(unsigned char *bytes, size_t size, uint64_t number) {
    for (size_t k = 0; k < size; k++) {
        bytes[k] = (unsigned char)(number >> k % 8 * 8 ^ k);
    }
}

static bool is_value(const void *bytes, size_t size, uint64_t number) {
    unsigned char expected[MOST_BYTES];
    fill_value(expected, size, number);
    return memcmp(bytes, expected, size) == 0;
}

static void model_push(queue_model *model, uint64_t number) {
    if (model->count == model->capacity) {
        model->capacity = model->capacity * 2 + 16;
        model->numbers = realloc(model->numbers, model->capacity * sizeof *model->numbers);
    }
    model->numbers[model->count++] = number;
}

static void push_several(ox_queue queue, queue_model *model, oxi_random *random) {
    unsigned char bytes[40 * MOST_BYTES];
    int64_t count = oxi_random_range(random, 0, 40);
    for (int64_t k = 0; k < count; k++) {
        uint64_t number = oxi_random_next_u64(random);
        fill_value(bytes + (size_t)k * model->size, model->size, number);
        model_push(model, number);
    }
    EXPECT(ox_queue_push_many_at(queue, (ox_element)model->size, bytes, count, OX_HERE));
}

static void compare_array(ox_queue queue, const queue_model *model) {
    ox_array array = ox_queue_to_array(queue, OX_PERSISTENT);
    EXPECT_EQ(array.count, model->count - model->head);
    for (int32_t k = 0; k < array.count; k++) {
        EXPECT(is_value((char *)array.data + (size_t)k * model->size, model->size,
                        model->numbers[model->head + (size_t)k]));
    }
    ox_dispose(&array);
}

// Calls that only look, and rare ones.
static void look_into_queue(ox_queue queue, queue_model *model, oxi_random *random) {
    size_t present = model->count - model->head;
    uint64_t choice = oxi_random_below(random, 1000);
    EXPECT_EQ(ox_queue_count(queue), present);
    if (present > 0 && choice >= 4) {
        size_t index = (size_t)oxi_random_below(random, present);
        ox_element element = (ox_element)model->size;
        EXPECT(is_value(ox_queue_get_at(queue, (int64_t)index, element, OX_HERE), model->size,
                        model->numbers[model->head + index]));
        EXPECT(is_value(ox_queue_peek_at(queue, element, OX_HERE), model->size,
                        model->numbers[model->head]));
    } else if (choice == 0) {
        ox_queue_clear(queue);
        model->head = model->count;
    } else if (choice == 1) {
        EXPECT(ox_queue_reserve(queue, (int64_t)oxi_random_below(random, present * 2 + 10)));
    } else if (choice == 2 && present < 3000) {
        compare_array(queue, model);
    } else {
        EXPECT_EQ(ox_queue_is_empty(queue), present == 0);
    }
}

static void pop_one(ox_queue queue, queue_model *model) {
    unsigned char bytes[MOST_BYTES];
    bool has_one = model->head < model->count;
    EXPECT_EQ(ox_queue_try_pop_at(queue, (ox_element)model->size, bytes, OX_HERE), has_one);
    if (has_one) {
        EXPECT(is_value(bytes, model->size, model->numbers[model->head++]));
    }
}

static void push_one(ox_queue queue, queue_model *model, uint64_t number) {
    unsigned char bytes[MOST_BYTES];
    fill_value(bytes, model->size, number);
    model_push(model, number);
    EXPECT(ox_queue_push_at(queue, (ox_element)model->size, bytes, OX_HERE));
}

static void run_random_queue(oxi_random *random, size_t size, uint64_t calls) {
    queue_model model = {.size = size};
    ox_element_info info = {"bytes", (ox_element)size, 1};
    ox_queue queue =
        ox_queue_create_at(info, (int64_t)oxi_random_below(random, 20), OX_PERSISTENT, OX_HERE);
    uint64_t bias = 50;
    for (uint64_t k = 0; k < calls; k++) {
        if (k % 2048 == 0) {
            bias = oxi_random_below(random, 80); // times of growth, and times of shrinking
        }
        uint64_t choice = oxi_random_below(random, 100);
        if (choice < bias) {
            push_one(queue, &model, oxi_random_next_u64(random));
        } else if (choice < 80) {
            pop_one(queue, &model);
        } else if (choice < 98) {
            look_into_queue(queue, &model, random);
        } else {
            push_several(queue, &model, random);
        }
    }
    compare_array(queue, &model);
    ox_dispose(&queue);
    free(model.numbers);
}

TEST(queue, does_what_an_array_with_a_head_does) {
    static const size_t sizes[] = {1, 4, 8, 12, 96};
    oxi_random random = oxi_random_seed(test_seed(2026));
    for (int k = 0; k < 25; k++) {
        run_random_queue(&random, sizes[k % 5], test_scaled(96000));
    }
}

// Every fallible call of a queue's life, with memory refused at each place.
static void live_through_refusals(void) {
    ox_queue queue = ox_queue_create_untyped(int, 4, OX_PERSISTENT);
    if (!ox_queue_is_created(queue)) {
        return;
    }
    int expected = 0;
    for (int k = 0; k < 100; k++) {
        expected += ox_queue_push(OX_AS(queue, int), expected);
    }
    expected += ox_queue_push_many(OX_AS(queue, int), ((int[]){expected}), 1);
    ox_queue_reserve(queue, 500);
    ox_array array = ox_queue_to_array(queue, OX_PERSISTENT);
    EXPECT_EQ(ox_queue_count(queue), expected);
    for (int k = 0; k < expected; k++) {
        EXPECT(!ox_array_is_created(array) || ox_array_read(OX_AS(array, int), k) == k);
        EXPECT_EQ(ox_queue_pop(OX_AS(queue, int)), k);
    }
    if (ox_array_is_created(array)) {
        ox_dispose(&array);
    }
    ox_dispose(&queue);
}

TEST(queue, is_as_before_when_memory_runs_out) {
    test_fault_sweep("queue", live_through_refusals);
}
