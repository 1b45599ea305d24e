// SPDX-License-Identifier: MIT
//
// Spans in the order of their keys.
//
// Most often they are in order already, or nearly: one runner takes its ranges from the front.
// Spans of one key must stay in the order of writing, so they are merged.

#include "containers/segments.h"

// By difference: numbers of jobs wrap, and what is pending together lies close together.
static bool is_span_after(const oxi_span *a, const oxi_span *b) {
    return a->order != b->order ? (int32_t)(a->order - b->order) > 0 : a->first > b->first;
}

// Merges two sorted neighbours, `middle` of the first and `count` in all. Equal ones stay in order.
static void merge_spans(const oxi_span *from, size_t middle, size_t count, oxi_span *to) {
    size_t left = 0, right = middle;
    for (size_t k = 0; k < count; k++) {
        bool takes_right =
            left == middle || (right < count && is_span_after(&from[left], &from[right]));
        to[k] = takes_right ? from[right++] : from[left++];
    }
}

static size_t get_smaller_count(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool are_spans_sorted(const oxi_spans *spans) {
    for (size_t k = 1; k < spans->count; k++) {
        if (is_span_after(&spans->items[k - 1], &spans->items[k])) {
            return false;
        }
    }
    return true;
}

// Merges runs of 1, 2, 4, ... spans between two lists.
bool oxi_spans_sort(oxi_spans *spans) {
    if (are_spans_sorted(spans)) {
        return true;
    }
    oxi_spans other = {0};
    if (!oxi_list_resize(&other, spans->count)) {
        return false;
    }
    for (size_t width = 1; width < spans->count; width *= 2) {
        for (size_t k = 0; k < spans->count; k += width * 2) {
            size_t count = get_smaller_count(width * 2, spans->count - k);
            merge_spans(spans->items + k, get_smaller_count(width, count), count, other.items + k);
        }
        oxi_spans swapped = *spans;
        *spans = other;
        other = swapped;
    }
    oxi_list_free(&other);
    return true;
}
