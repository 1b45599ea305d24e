// SPDX-License-Identifier: MIT
//
// Sorting in place: quicksort that turns to heapsort when it goes too deep.
//
// A partition moves without branches for small elements, so that a comparison that cannot be
// foretold costs no more than another. Ranges wait on a stack of their own, the larger one always:
// each next one has at most half, so the stack holds at most one range for each bit of the count.
//
// Invariant: everything before a range is in its final place or belongs to a range with smaller
// elements; so a pivot that is not greater than the element before its range is the smallest of its
// range, and all that are not greater than it are equal and done. Equal elements cost no time
// twice.

#include "containers/order.h"

enum {
    INSERTION_MOST = 16,
    NINTHER_LEAST = 96,
    RANGE_STACK = 64,
    HELD_SIZE = 16,
    STRAY_BLOCK = 32
};

// Elements from `begin` up to `end`, and how many more partitions they may see.
typedef struct quick_range {
    size_t begin;
    size_t end;
    int depth;
} quick_range;

// Moves the element at `from` down to `to`; those between move up by one.
static void move_element_down(char *data, size_t to, size_t from, size_t size) {
    char held[256];
    if (size <= sizeof held) {
        memcpy(held, data + from * size, size);
        memmove(data + (to + 1) * size, data + to * size, (from - to) * size);
        memcpy(data + to * size, held, size);
        return;
    }
    for (size_t k = from; k > to; k--) {
        oxi_element_swap(data + k * size, data + (k - 1) * size, size);
    }
}

// Inserts the element at `index` among those before it. A small one is held meanwhile, where a
// comparison finds it aligned.
OXI_FORCE_INLINE void insert_element(char *data, size_t index, oxi_order order) {
    size_t size = order.size, to = index;
    char *element = data + index * size;
    if (!oxi_order_less(order, element, element - size)) {
        return;
    }
    if (size <= HELD_SIZE) {
        // Longer than it need be: gcc does not see that copies of larger elements cannot come here.
        _Alignas(HELD_SIZE) char held[4 * HELD_SIZE];
        oxi_element_copy(held, element, size);
        do {
            oxi_element_copy(data + to * size, data + (to - 1) * size, size);
            to--;
        } while (to > 0 && oxi_order_less(order, held, data + (to - 1) * size));
        oxi_element_copy(data + to * size, held, size);
        return;
    }
    do {
        to--;
    } while (to > 0 && oxi_order_less(order, element, data + (to - 1) * size));
    move_element_down(data, to, index, size);
}

OXI_FORCE_INLINE void insertion_sort(char *data, size_t count, oxi_order order) {
    for (size_t k = 1; k < count; k++) {
        insert_element(data, k, order);
    }
}

static void sift_down(char *data, size_t top, size_t count, const oxi_order *order) {
    size_t size = order->size;
    for (size_t child = top * 2 + 1; child < count; child = top * 2 + 1) {
        if (child + 1 < count &&
            oxi_order_less(*order, data + child * size, data + (child + 1) * size)) {
            child++;
        }
        if (!oxi_order_less(*order, data + top * size, data + child * size)) {
            return;
        }
        oxi_element_swap(data + top * size, data + child * size, size);
        top = child;
    }
}

static void heap_sort(char *data, size_t count, const oxi_order *order) {
    for (size_t k = count / 2; k-- > 0;) {
        sift_down(data, k, count, order);
    }
    for (size_t k = count; k-- > 1;) {
        oxi_element_swap(data, data + k * order->size, order->size);
        sift_down(data, 0, k, order);
    }
}

OXI_FORCE_INLINE char *median_of_three(char *a, char *b, char *c, oxi_order order) {
    if (oxi_order_less(order, b, a)) {
        char *smaller = b;
        b = a;
        a = smaller;
    }
    if (!oxi_order_less(order, c, b)) {
        return b;
    }
    return oxi_order_less(order, c, a) ? a : c;
}

// Brings the pivot to the front: the median of three, or of three medians.
OXI_FORCE_INLINE void choose_pivot(char *data, size_t count, oxi_order order) {
    size_t size = order.size, step = count / 8 * size;
    char *middle = data + count / 2 * size, *last = data + (count - 1) * size;
    char *pivot;
    if (count < NINTHER_LEAST) {
        pivot = median_of_three(data, middle, last, order);
    } else {
        pivot = median_of_three(median_of_three(data, data + step, data + step * 2, order),
                                median_of_three(middle - step, middle, middle + step, order),
                                median_of_three(last - step * 2, last - step, last, order), order);
    }
    oxi_element_swap(data, pivot, size);
}

// What belongs to the left of a pivot: all that are less or, `with_equal`, all not greater.
typedef struct pivot_rule {
    const char *pivot;
    bool with_equal;
    oxi_order order;
} pivot_rule;

OXI_FORCE_INLINE bool is_left_of(const char *element, pivot_rule rule) {
    return rule.with_equal ? !oxi_order_less(rule.order, rule.pivot, element)
                           : oxi_order_less(rule.order, element, rule.pivot);
}

// Partitions the elements from `first` up to `end`; the pivot stands in front of `data`, and all
// between it and `first` belong to the left. Returns how many belong there in all. Small elements
// move whether they must or not.
OXI_FORCE_INLINE size_t partition_plainly(char *data, size_t first, size_t end, pivot_rule rule) {
    size_t size = rule.order.size, taken = first - 1;
    for (size_t k = first; k < end; k++) {
        char *element = data + k * size;
        bool is_left = is_left_of(element, rule);
        if (size <= HELD_SIZE) {
            oxi_element_swap(element, data + (taken + 1) * size, size);
            taken += is_left;
        } else if (is_left) {
            taken++;
            oxi_element_swap(element, data + taken * size, size);
        }
    }
    return taken;
}

// Elements of a block that stand on the wrong side: their distances from its outer end.
typedef struct stray_list {
    uint32_t first;
    uint32_t count;
    uint8_t places[STRAY_BLOCK];
} stray_list;

// Looks at a block from its outer end, in steps of an element's size: below 0 on the right side.
OXI_FORCE_INLINE void find_strays(stray_list *strays, const char *outer, ptrdiff_t step,
                                  pivot_rule rule) {
    strays->first = strays->count = 0;
    for (int k = 0; k < STRAY_BLOCK; k++) {
        strays->places[strays->count] = (uint8_t)k;
        strays->count += is_left_of(outer + k * step, rule) == (step < 0);
    }
}

// Partitions larger elements: looks at blocks from both ends without branches, and swaps only what
// stands wrong. What remains in the middle is looked at again.
OXI_FORCE_INLINE size_t partition_by_blocks(char *data, size_t count, pivot_rule rule) {
    ptrdiff_t size = (ptrdiff_t)rule.order.size;
    size_t first = 1, end = count;
    stray_list left = {0}, right = {0};
    while (end - first >= 2 * STRAY_BLOCK) {
        char *outer_left = data + (ptrdiff_t)first * size,
             *outer_right = data + (ptrdiff_t)end * size - size;
        if (left.first == left.count) {
            find_strays(&left, outer_left, size, rule);
        }
        if (right.first == right.count) {
            find_strays(&right, outer_right, -size, rule);
        }
        for (; left.first < left.count && right.first < right.count; left.first++, right.first++) {
            oxi_element_swap(outer_left + left.places[left.first] * size,
                             outer_right - right.places[right.first] * size, (size_t)size);
        }
        first += left.first == left.count ? STRAY_BLOCK : 0;
        end -= right.first == right.count ? STRAY_BLOCK : 0;
    }
    return partition_plainly(data, first, end, rule);
}

OXI_FORCE_INLINE size_t partition(char *data, size_t count, bool with_equal, oxi_order order) {
    pivot_rule rule = {data, with_equal, order};
    return order.size <= HELD_SIZE ? partition_plainly(data, 1, count, rule)
                                   : partition_by_blocks(data, count, rule);
}

// Splits the range in two, keeps the smaller one and pushes the other. @return how many to push.
OXI_FORCE_INLINE bool split_range(char *data, quick_range *range, quick_range *pushed,
                                  oxi_order order) {
    char *first = data + range->begin * order.size;
    size_t count = range->end - range->begin;
    choose_pivot(first, count, order);
    range->depth--;
    if (range->begin > 0 && !oxi_order_less(order, first - order.size, first)) {
        range->begin += partition(first, count, true, order) + 1;
        return false;
    }

    size_t taken = partition(first, count, false, order);
    oxi_element_swap(first, first + taken * order.size, order.size);
    quick_range left = {range->begin, range->begin + taken, range->depth};
    quick_range right = {left.end + 1, range->end, range->depth};
    bool is_left_smaller = left.end - left.begin < right.end - right.begin;
    *range = is_left_smaller ? left : right;
    *pushed = is_left_smaller ? right : left;
    return true;
}

static int depth_for(size_t count) {
    int depth = 4;
    for (; count > 1; count /= 2) {
        depth += 2;
    }
    return depth;
}

OXI_FORCE_INLINE void quick_sort(char *data, size_t count, oxi_order order) {
    quick_range stack[RANGE_STACK];
    quick_range range = {0, count, depth_for(count)};
    for (int waiting = 0;;) {
        while (range.end - range.begin > INSERTION_MOST && range.depth > 0) {
            OXI_ASSERT(waiting < RANGE_STACK);
            waiting += split_range(data, &range, &stack[waiting], order);
        }
        char *first = data + range.begin * order.size;
        if (range.end - range.begin > INSERTION_MOST) {
            heap_sort(first, range.end - range.begin, &order);
        } else {
            insertion_sort(first, range.end - range.begin, order);
        }
        if (waiting == 0) {
            return;
        }
        range = stack[--waiting];
    }
}

// How many elements at the beginning are in order already, or in strictly falling order.
static size_t count_run(const char *data, size_t count, bool is_falling, const oxi_order *order) {
    size_t size = order->size, run = 1;
    while (run < count &&
           oxi_order_less(*order, data + run * size, data + (run - 1) * size) == is_falling) {
        run++;
    }
    return run;
}

static void reverse_elements(char *data, size_t count, size_t size) {
    for (size_t k = 0; k < count / 2; k++) {
        oxi_element_swap(data + k * size, data + (count - 1 - k) * size, size);
    }
}

// What is sorted, or the other way round, is done with one look at each element.
static bool sort_single_run(char *data, size_t count, const oxi_order *order) {
    if (count < 2 || count_run(data, count, false, order) == count) {
        return true;
    }
    if (count_run(data, count, true, order) < count) {
        return false;
    }
    reverse_elements(data, count, order->size);
    return true;
}

void oxi_sort_insert(void *data, size_t count, const oxi_order *order) {
    if (order->size == 8) {
        insertion_sort(data, count, (oxi_order){order->compare, order->context, 8});
    } else if (order->size == 16) {
        insertion_sort(data, count, (oxi_order){order->compare, order->context, 16});
    } else {
        insertion_sort(data, count, *order);
    }
}

static void quick_sort_keys(char *data, size_t count, size_t size) {
    if (size == 8) {
        quick_sort(data, count, (oxi_order){NULL, NULL, 8});
    } else if (size == 4) {
        quick_sort(data, count, (oxi_order){NULL, NULL, 4});
    } else if (size == 2) {
        quick_sort(data, count, (oxi_order){NULL, NULL, 2});
    } else {
        quick_sort(data, count, (oxi_order){NULL, NULL, 1});
    }
}

void oxi_sort_quick(void *data, size_t count, const oxi_order *order) {
    if (sort_single_run(data, count, order)) {
        return;
    }
    if (order->compare == NULL) {
        quick_sort_keys(data, count, order->size);
    } else if (order->size == 4) {
        quick_sort(data, count, (oxi_order){order->compare, order->context, 4});
    } else if (order->size == 8) {
        quick_sort(data, count, (oxi_order){order->compare, order->context, 8});
    } else if (order->size == 16) {
        quick_sort(data, count, (oxi_order){order->compare, order->context, 16});
    } else {
        quick_sort(data, count, *order);
    }
}
