// SPDX-License-Identifier: MIT
//
// Sorting here and now, against insertion.

#include "sort_test.h"

#include "base/substitute.h"
#include "containers/order.h"
#include "oxbow/containers.h"
#include "oxbow/memory.h"

#include <float.h>
#include <math.h>

static ox_element bytes_of(size_t size) {
    return (ox_element)size;
}

static bool is_sorted_case(const sort_case *made) {
    byte_order order = order_for(made->size);
    for (int k = 1; k < made->count; k++) {
        const unsigned char *element = made->data + (size_t)k * made->size;
        if (compare_first_bytes(element, element - made->size, &order) < 0) {
            return false;
        }
    }
    return true;
}

static void check_sorts(int count, size_t size, pattern shape, oxi_random *random) {
    sort_case made = make_sort_case(count, size, shape, random);
    unsigned char *copy = malloc((size_t)count * size + 1);
    memcpy(copy, made.data, (size_t)count * size);
    byte_order order = order_for(size);

    EXPECT(ox_sort_stable_at(copy, count, bytes_of(size), compare_first_bytes, &order, OX_HERE));
    EXPECT(memcmp(copy, made.expected, (size_t)count * size) == 0);
    EXPECT(ox_sort_at(made.data, count, bytes_of(size), compare_first_bytes, &order, OX_HERE));
    EXPECT(is_sorted_case(&made));
    EXPECT(is_permutation(made.data, made.expected, count, size));
    free(copy);
    free_sort_case(&made);
}

TEST(sort, every_size_and_pattern_agrees_with_insertion) {
    oxi_random random = oxi_random_seed(test_seed(71));
    for (size_t size = 1; size <= MOST_SIZE; size++) {
        for (int shape = 0; shape < PATTERNS; shape++) {
            int most = size % 16 == 0 || size < 20 ? 700 : 150;
            check_sorts((int)oxi_random_below(&random, (uint64_t)most), size, (pattern)shape,
                        &random);
        }
    }
}

TEST(sort, every_short_length_agrees_with_insertion) {
    oxi_random random = oxi_random_seed(test_seed(72));
    static const size_t sizes[] = {1, 4, 8, 12, 16, 24, 40, 100};
    for (int count = 0; count < 140; count++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            check_sorts(count, sizes[k], count % 2 == 0 ? RANDOM : FEW, &random);
        }
    }
}

typedef struct large_element {
    uint32_t key;
    unsigned char rest[5000];
} large_element;

static int compare_large(const void *a, const void *b, void *context) {
    (void)context;
    uint32_t x = ((const large_element *)a)->key, y = ((const large_element *)b)->key;
    return (x > y) - (x < y);
}

TEST(sort, large_elements_move_whole) {
    enum { COUNT = 200 };
    large_element *elements = calloc(COUNT, sizeof *elements);
    for (int stable = 0; stable < 2; stable++) {
        for (uint32_t k = 0; k < COUNT; k++) {
            elements[k].key = k * 7919 % COUNT;
            memset(elements[k].rest, (int)elements[k].key, sizeof elements[k].rest);
        }
        EXPECT(stable ? ox_sort_stable(elements, COUNT, large_element, compare_large, NULL)
                      : ox_sort(elements, COUNT, large_element, compare_large, NULL));
        for (uint32_t k = 0; k < COUNT; k++) {
            EXPECT_EQ(elements[k].key, k);
            EXPECT(elements[k].rest[0] == (k & 0xff) && elements[k].rest[4999] == (k & 0xff));
        }
    }
    free(elements);
}

// How many comparisons sorting takes, divided by n log2 n.
static double cost_of(int count, size_t size, pattern shape, bool is_stable) {
    oxi_random random = oxi_random_seed(7);
    byte_order order = {.key_size = 4};
    unsigned char *data = malloc((size_t)count * size);
    for (int k = 0; k < count; k++) {
        write_key(data + (size_t)k * size, 4, key_of_pattern(shape, k, count, &random));
    }
    (is_stable ? ox_sort_stable_at : ox_sort_at)(data, count, bytes_of(size), compare_first_bytes,
                                                 &order, OX_HERE);
    free(data);
    return (double)order.calls / ((double)count * log2((double)count));
}

TEST(sort, comparisons_stay_near_n_log_n_whatever_the_pattern) {
    for (int shape = 0; shape < PATTERNS; shape++) {
        EXPECT(cost_of(20000, 8, (pattern)shape, false) < 1.7);
        EXPECT(cost_of(20000, 24, (pattern)shape, false) < 1.8);
        EXPECT(cost_of(20000, 8, (pattern)shape, true) < 1.2);
    }
}

TEST(sort, what_is_sorted_or_reversed_or_equal_takes_one_look) {
    EXPECT(cost_of(20000, 8, SORTED, false) < 0.1);
    EXPECT(cost_of(20000, 8, FALLING, false) < 0.15);
    EXPECT(cost_of(20000, 8, EQUAL, false) < 0.1);
    EXPECT(cost_of(20000, 8, FEW, false) < 0.6);
}

// The adversary of McIlroy, "A killer adversary for quicksort": values are decided as late as can
// be, so that pivots are as bad as can be.
typedef struct adversary {
    int values[4000];
    int solid_count, candidate, gas;
    uint64_t calls;
} adversary;

static int compare_adversely(const void *a, const void *b, void *context) {
    adversary *killer = context;
    int x = *(const int *)a, y = *(const int *)b;
    killer->calls++;
    if (killer->values[x] == killer->gas && killer->values[y] == killer->gas) {
        killer->values[x == killer->candidate ? x : y] = killer->solid_count++;
    }
    if (killer->values[x] == killer->gas) {
        killer->candidate = x;
    } else if (killer->values[y] == killer->gas) {
        killer->candidate = y;
    }
    return (killer->values[x] > killer->values[y]) - (killer->values[x] < killer->values[y]);
}

TEST(sort, an_adversary_does_not_make_it_quadratic) {
    enum { COUNT = 4000 };
    static adversary killer = {.gas = COUNT};
    static int items[COUNT];
    for (int k = 0; k < COUNT; k++) {
        killer.values[k] = COUNT;
        items[k] = k;
    }

    ox_sort(items, COUNT, int, compare_adversely, &killer);

    EXPECT((double)killer.calls < 5.0 * COUNT * log2(COUNT));
    for (int k = 1; k < COUNT; k++) {
        EXPECT(killer.values[items[k - 1]] <= killer.values[items[k]]);
    }
}

static int compare_randomly(const void *a, const void *b, void *context) {
    (void)a;
    (void)b;
    return (int)oxi_random_below(context, 3) - 1;
}

static int always_less(const void *a, const void *b, void *context) {
    (void)a;
    (void)b;
    (void)context;
    return -1;
}

static int always_greater(const void *a, const void *b, void *context) {
    return -always_less(a, b, context);
}

TEST(sort, a_comparison_that_contradicts_itself_gives_a_permutation) {
    oxi_random random = oxi_random_seed(test_seed(73));
    static ox_compare_fn *const wrong[] = {compare_randomly, always_less, always_greater};
    for (uint64_t run = 0; run < test_scaled(300); run++) {
        size_t size = 1 + oxi_random_below(&random, 60);
        int count = (int)oxi_random_below(&random, 600);
        sort_case made = make_sort_case(count, size, RANDOM, &random);
        ox_compare_fn *compare = wrong[run % 3];
        (run % 2 == 0 ? ox_sort_at : ox_sort_stable_at)(made.data, count, bytes_of(size), compare,
                                                        &random, OX_HERE);
        EXPECT(is_permutation(made.data, made.expected, count, size));
        free_sort_case(&made);
    }
}

TEST(sort, arrays_and_lists_are_sorted) {
    static const int numbers[] = {5, -3, 9, 0, 5};
    ox_array array = ox_array_create_copy_untyped(int, numbers, 5, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_list_push_many(OX_AS(list, int), numbers, 5);

    EXPECT(ox_array_sort(OX_AS(array, int), NULL, NULL));
    EXPECT(ox_list_sort(OX_AS(list, int), NULL, NULL));

    static const int expected[] = {-3, 0, 5, 5, 9};
    EXPECT(memcmp(ox_array_get_data(OX_AS(array, int)), expected, sizeof expected) == 0);
    EXPECT(memcmp(ox_list_get_data(OX_AS(list, int)), expected, sizeof expected) == 0);
    EXPECT_EQ(ox_list_count(list), 5);
    ox_dispose(&array);
    ox_dispose(&list);
}

typedef struct pair {
    int key;
    int place;
} pair;

static int compare_pairs(const void *a, const void *b, void *context) {
    (void)context;
    int x = ((const pair *)a)->key, y = ((const pair *)b)->key;
    return (x > y) - (x < y);
}

static bool are_pairs_stable(const pair *pairs, int count) {
    for (int k = 1; k < count; k++) {
        bool is_right = pairs[k - 1].key < pairs[k].key ||
                        (pairs[k - 1].key == pairs[k].key && pairs[k - 1].place < pairs[k].place);
        if (!is_right) {
            return false;
        }
    }
    return true;
}

TEST(sort, stable_forms_keep_the_order_of_equal_elements) {
    enum { COUNT = 1000 };
    ox_array array = ox_array_create_untyped(pair, COUNT, OX_TEMP_JOB);
    ox_list list = ox_list_create_untyped(pair, COUNT, OX_TEMP_JOB);
    for (int k = 0; k < COUNT; k++) {
        ox_array_set(OX_AS(array, pair), k, {k * 31 % 10, k});
        ox_list_push(OX_AS(list, pair), {k * 31 % 10, k});
    }

    EXPECT(ox_array_sort_stable(OX_AS(array, pair), compare_pairs, NULL));
    EXPECT(ox_list_sort_stable(OX_AS(list, pair), compare_pairs, NULL));

    EXPECT(are_pairs_stable(ox_array_get_data(OX_AS(array, pair)), COUNT));
    EXPECT(are_pairs_stable(ox_list_get_data(OX_AS(list, pair)), COUNT));
    ox_dispose(&array);
    ox_dispose(&list);
}

TEST(sort, what_cannot_be_sorted_is_reported_and_left_alone) {
    collected_reports reports = {0};
    collect_reports(&reports);
    pair pairs[2] = {{2, 0}, {1, 1}};

    EXPECT(!ox_sort(pairs, 2, pair, NULL, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_sort(pairs, -1, pair, compare_pairs, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_sort_stable(NULL, 2, pair, compare_pairs, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_sort_at(pairs, 2, 0, compare_pairs, NULL, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
    EXPECT(!ox_array_sort(OX_AS((ox_array){0}, int), NULL, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_list_sort(OX_AS((ox_list){0}, int), NULL, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(pairs[0].key, 2);
    EXPECT(ox_sort(NULL, 0, pair, compare_pairs, NULL));
}

TEST_CHECKED(sort, elements_of_another_type_are_reported) {
    collected_reports reports = {0};
    ox_array array = ox_array_create_untyped(float, 3, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(float, 3, OX_PERSISTENT);
    collect_reports(&reports);

    EXPECT(!ox_array_sort(OX_AS(array, int), NULL, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_list_sort_stable(OX_AS(list, int), NULL, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&array);
    ox_dispose(&list);
    EXPECT(!ox_array_sort(OX_AS(array, float), NULL, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

TEST(sort, out_of_memory_leaves_a_stable_sort_undone_and_numbers_sorted) {
    collected_reports reports = {0};
    collect_reports(&reports);
    static pair pairs[50000];
    static uint32_t numbers[50000];
    for (int k = 0; k < 50000; k++) {
        pairs[k] = (pair){-k, k};
        numbers[k] = (uint32_t)k * 2654435761u;
    }

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    bool is_sorted = ox_sort_stable(pairs, 50000, pair, compare_pairs, NULL);
    EXPECT(ox_sort(numbers, 50000, uint32_t, NULL, NULL));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(!is_sorted);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(pairs[0].key == 0 && pairs[49999].key == -49999);
    for (int k = 1; k < 50000; k++) {
        EXPECT(numbers[k - 1] < numbers[k]);
    }
}

static void sort_in_little_memory(void) {
    pair pairs[300];
    uint32_t numbers[300];
    for (int k = 0; k < 300; k++) {
        pairs[k] = (pair){k * 7 % 50, k};
        numbers[k] = 300u - (uint32_t)k;
    }
    bool is_sorted = ox_sort_stable(pairs, 300, pair, compare_pairs, NULL);
    EXPECT(is_sorted ? are_pairs_stable(pairs, 300) : pairs[299].place == 299);
    EXPECT(ox_sort(numbers, 300, uint32_t, NULL, NULL));
    EXPECT(numbers[0] == 1 && numbers[299] == 300);
    ox_memory_trim();
}

TEST(sort, every_allocation_may_fail) {
    test_fault_sweep("sort", sort_in_little_memory);
}
