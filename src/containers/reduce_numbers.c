// SPDX-License-Identifier: MIT
//
// Sums, and the smallest and largest, of numbers.
//
// A sum of floating numbers is made in doubles, in 8 lanes for each block: element k goes to lane
// k % 8, the lanes are added in pairs. That order is part of the result; it is also what vector
// instructions do, so nothing is lost by keeping it.
//
// The smallest is found among keys, as numbers are sorted: see sort_keys.c.

#include "containers/element.h"
#include "containers/order.h"
#include "containers/reduce_items.h"

enum { LANES = 8 };
enum { SUM_SIGNED = 1, SUM_UNSIGNED, SUM_FLOATING, SUM_BOOL };

// Floating numbers of one size, which is a constant after inlining.
OXI_FORCE_INLINE double load_floating(const char *item, size_t size) {
    if (size == 4) {
        return (double)*(const float *)(const void *)item;
    }
    if (size == 8) {
        return *(const double *)(const void *)item;
    }
    return (double)*(const long double *)(const void *)item;
}

OXI_FORCE_INLINE double sum_floating(const char *items, int count, size_t size) {
    double lanes[LANES] = {0};
    int k = 0;
    for (; k + LANES <= count; k += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            lanes[lane] += load_floating(items + (size_t)(k + lane) * size, size);
        }
    }
    for (int lane = 0; k < count; k++, lane++) {
        lanes[lane] += load_floating(items + (size_t)k * size, size);
    }
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
           ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

OXI_FORCE_INLINE uint64_t sum_whole(const char *items, int count, size_t size, bool is_signed) {
    uint64_t sum = 0, half = is_signed ? UINT64_C(1) << (size * 8 - 1) : 0;
    for (int k = 0; k < count; k++) {
        sum += oxi_key_load(items + (size_t)k * size, size) ^ half;
    }
    // Flipping the sign bit adds a half of the range to each number.
    return sum - half * (uint64_t)count;
}

static uint64_t sum_of_whole(const char *items, int count, ox_element element) {
    bool is_signed = element >> 27 == SUM_SIGNED;
    switch (oxi_element_size(element)) {
    case 1:
        return sum_whole(items, count, 1, is_signed);
    case 2:
        return sum_whole(items, count, 2, is_signed);
    case 4:
        return sum_whole(items, count, 4, is_signed);
    default:
        return sum_whole(items, count, 8, is_signed);
    }
}

static double sum_of_floating(const char *items, int count, ox_element element) {
    switch (oxi_element_size(element)) {
    case 4:
        return sum_floating(items, count, 4);
    case 8:
        return sum_floating(items, count, 8);
    default:
        return sum_floating(items, count, sizeof(long double));
    }
}

// True when a sum of this element is of the kind that the caller expects.
static bool require_number(ox_element element, bool is_floating, ox_site site) {
    oxi_order order;
    bool is_number = oxi_order_make(&order, element, NULL, NULL) &&
                     (element >> 27 == SUM_FLOATING) == is_floating;
    return OXI_REQUIRE(is_number, NULL, OX_REPORT_BAD_ELEMENT, site, OXI_NAME("type", "this type"),
                       OXI_NAME("kind", "sum"), OXI_NAME("why", "it is not a number of this kind"),
                       OXI_NAME("advice", "use ox_reduce with functions of your own"));
}

static bool may_sum(ox_array array, ox_element element, bool is_floating, ox_site site) {
    return require_number(element, is_floating, site) &&
           oxi_array_may_read_at(array, element, 0, array.count, site);
}

static int count_in_block(ox_array array, int64_t first) {
    int64_t left = array.count - first;
    return left < OXI_REDUCE_BLOCK ? (int)left : OXI_REDUCE_BLOCK;
}

static const char *item_of(ox_array array, int64_t index) {
    return (const char *)array.data + (size_t)index * oxi_element_size(array.element);
}

double oxi_array_sum_floating_at(ox_array array, ox_element element, ox_site site) {
    double sum = 0;
    if (may_sum(array, element, true, site)) {
        for (int64_t k = 0; k < array.count; k += OXI_REDUCE_BLOCK) {
            sum += sum_of_floating(item_of(array, k), count_in_block(array, k), element);
        }
    }
    return sum;
}

uint64_t oxi_array_sum_unsigned_at(ox_array array, ox_element element, ox_site site) {
    if (!may_sum(array, element, false, site)) {
        return 0;
    }
    return sum_of_whole(array.data, array.count, element);
}

int64_t oxi_array_sum_signed_at(ox_array array, ox_element element, ox_site site) {
    return (int64_t)oxi_array_sum_unsigned_at(array, element, site);
}

// The folds and joins of sums in jobs. The context is the element.

static void fold_floating(void *sum, const void *items, int count, void *context) {
    *(double *)sum += sum_of_floating(items, count, (ox_element)(uintptr_t)context);
}

static void join_floating(void *sum, const void *other, void *context) {
    (void)context;
    *(double *)sum += *(const double *)other;
}

static void fold_whole(void *sum, const void *items, int count, void *context) {
    *(uint64_t *)sum += sum_of_whole(items, count, (ox_element)(uintptr_t)context);
}

static void join_whole(void *sum, const void *other, void *context) {
    (void)context;
    *(uint64_t *)sum += *(const uint64_t *)other;
}

// Both arrays hold what they must, or nothing yet: that is reported by who reads them.
static bool require_sum_arrays(ox_array array, ox_element element, ox_array output, ox_site site) {
    uint32_t kind = element >> 27 == SUM_BOOL ? SUM_UNSIGNED : element >> 27;
    ox_element sum = kind << 27 | 8;
    if (array.element != 0 && !oxi_element_fits(array.element, element)) {
        return oxi_element_mismatch(array.element, element, array.access, "array", site);
    }
    if (output.element != 0 && !oxi_element_fits(output.element, sum)) {
        return oxi_element_mismatch(output.element, sum, output.access, "array", site);
    }
    return true;
}

ox_job ox_array_sum_after_at(ox_array array, ox_element element, ox_array output, ox_job after,
                             ox_site site) {
    bool is_floating = element >> 27 == SUM_FLOATING;
    if (!require_number(element, is_floating, site) ||
        !require_sum_arrays(array, element, output, site)) {
        return OX_NO_JOB;
    }
    ox_reduce_def def = {.input = array,
                         .output = output,
                         .fold = is_floating ? fold_floating : fold_whole,
                         .join = is_floating ? join_floating : join_whole,
                         .context = (void *)(uintptr_t)element};
    return ox_reduce_after_at(&def, after, site);
}

// The first of the smallest keys of a block, or of the largest: `flip` is all ones then.
OXI_FORCE_INLINE uint64_t least_key(const char *keys, int count, size_t size, uint64_t flip) {
    uint64_t least = UINT64_MAX;
    for (int k = 0; k < count; k++) {
        uint64_t key = oxi_key_load(keys + (size_t)k * size, size) ^ flip;
        least = key < least ? key : least;
    }
    return least;
}

static uint64_t least_key_of(const char *keys, int count, size_t size, uint64_t flip) {
    switch (size) {
    case 1:
        return least_key(keys, count, 1, flip);
    case 2:
        return least_key(keys, count, 2, flip);
    case 4:
        return least_key(keys, count, 4, flip);
    default:
        return least_key(keys, count, 8, flip);
    }
}

static int find_key(const char *keys, size_t size, uint64_t key) {
    int index = 0;
    while (oxi_key_load(keys + (size_t)index * size, size) != key) {
        index++;
    }
    return index;
}

// Looks at blocks of keys, made in a copy.
static int64_t find_extreme_key(ox_array array, ox_element element, uint64_t flip) {
    _Alignas(64) char keys[OXI_REDUCE_BLOCK * 8];
    size_t size = oxi_element_size(element);
    uint64_t best = 0;
    int64_t best_index = -1;
    for (int64_t first = 0; first < array.count; first += OXI_REDUCE_BLOCK) {
        int count = count_in_block(array, first);
        memcpy(keys, item_of(array, first), (size_t)count * size);
        oxi_keys_make(keys, (size_t)count, element);
        uint64_t least = least_key_of(keys, count, size, flip);
        if (best_index < 0 || least < best) {
            best = least;
            best_index = first + find_key(keys, size, least ^ flip);
        }
    }
    return best_index;
}

static int64_t find_extreme(ox_array array, ox_element element, bool is_max) {
    oxi_order order;
    oxi_order_make(&order, element, NULL, NULL);
    if (order.compare == NULL) {
        return find_extreme_key(array, element, is_max ? UINT64_MAX : 0);
    }
    int64_t best = 0;
    for (int64_t k = 1; k < array.count; k++) {
        int compared = order.compare(item_of(array, k), item_of(array, best), NULL);
        best = (is_max ? compared > 0 : compared < 0) ? k : best;
    }
    return best;
}

static const void *extreme_of(ox_array array, ox_element element, bool is_max, ox_site site) {
    if (!require_number(element, element >> 27 == SUM_FLOATING, site) ||
        !oxi_array_may_read_at(array, element, 0, array.count, site)) {
        return oxi_element_zeros();
    }
    if (array.count == 0) {
        ox_access_info info = oxi_container_info(array.access, "array");
        OXI_REPORT(NULL, OX_REPORT_EMPTY, site, OXI_NAME("kind", info.kind),
                   OXI_NAME("container", info.name), OXI_SITE("created", info.created));
        return oxi_element_zeros();
    }
    return item_of(array, find_extreme(array, element, is_max));
}

const void *ox_array_min_at(ox_array array, ox_element element, ox_site site) {
    return extreme_of(array, element, false, site);
}

const void *ox_array_max_at(ox_array array, ox_element element, ox_site site) {
    return extreme_of(array, element, true, site);
}
