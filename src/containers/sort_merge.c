// SPDX-License-Identifier: MIT
//
// Stable sorting: halves are sorted and merged, with the left one held in spare memory.
//
// A merge takes the right element only when it is less than the left one, so equal elements keep
// their order. It always writes as many elements as it was given, each once: what is left over of
// one side follows when the other is at its end.

#include "containers/order.h"

enum { SMALL_RUN = 12 };

// The loop of a merge. Taking is by arithmetic: which side is next cannot be foretold.
OXI_FORCE_INLINE void merge_elements(oxi_merge_pair pair, char *out, oxi_order order) {
    size_t size = order.size;
    const char *left = pair.left, *left_end = left + pair.left_count * size;
    const char *right = pair.right, *right_end = right + pair.right_count * size;
    while (left != left_end && right != right_end) {
        size_t mask = 0 - (size_t)oxi_order_less(order, right, left); // all ones: the right one
        oxi_element_copy(out, left + (ptrdiff_t)((size_t)(right - left) & mask), size);
        right += size & mask;
        left += size & ~mask;
        out += size;
    }
    if (left != left_end) {
        memcpy(out, left, (size_t)(left_end - left));
    } else if (right != out && right != right_end) {
        memcpy(out, right, (size_t)(right_end - right));
    }
}

static void merge_keys(oxi_merge_pair pair, char *out, size_t size) {
    if (size == 8) {
        merge_elements(pair, out, (oxi_order){NULL, NULL, 8});
    } else if (size == 4) {
        merge_elements(pair, out, (oxi_order){NULL, NULL, 4});
    } else if (size == 2) {
        merge_elements(pair, out, (oxi_order){NULL, NULL, 2});
    } else {
        merge_elements(pair, out, (oxi_order){NULL, NULL, 1});
    }
}

void oxi_merge(oxi_merge_pair pair, void *out, const oxi_order *order) {
    if (order->compare == NULL) {
        merge_keys(pair, out, order->size);
    } else if (order->size == 4) {
        merge_elements(pair, out, (oxi_order){order->compare, order->context, 4});
    } else if (order->size == 8) {
        merge_elements(pair, out, (oxi_order){order->compare, order->context, 8});
    } else if (order->size == 16) {
        merge_elements(pair, out, (oxi_order){order->compare, order->context, 16});
    } else {
        merge_elements(pair, out, *order);
    }
}

size_t oxi_merge_split(const oxi_merge_pair *pair, size_t taken, const oxi_order *order) {
    size_t least = taken > pair->right_count ? taken - pair->right_count : 0;
    size_t most = taken < pair->left_count ? taken : pair->left_count;
    while (least < most) {
        size_t middle = least + (most - least) / 2;
        const char *left = pair->left + middle * order->size;
        const char *right = pair->right + (taken - middle - 1) * order->size;
        if (oxi_order_less(*order, right, left)) {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    return least;
}

void oxi_sort_merge(void *data, size_t count, void *spare, const oxi_order *order) {
    if (count <= SMALL_RUN) {
        oxi_sort_insert(data, count, order);
        return;
    }

    size_t half = count / 2, size = order->size;
    char *right = (char *)data + half * size;
    oxi_sort_merge(data, half, spare, order);
    oxi_sort_merge(right, count - half, spare, order);
    if (!oxi_order_less(*order, right, right - size)) {
        return;
    }
    memcpy(spare, data, half * size);
    oxi_merge((oxi_merge_pair){spare, half, right, count - half}, data, order);
}
