// SPDX-License-Identifier: MIT
//
// What the calls that sort share: the elements, and checks.

#pragma once

#include "containers/order.h"

/// Elements to be sorted, one behind the other.
typedef struct oxi_sort_items {
    char *data;
    size_t count;
    ox_element element;
    oxi_order order;
} oxi_sort_items;

/// Fills in the order. @return false after a report: there is none, or the element is not usable.
bool oxi_sort_require(oxi_sort_items *items, ox_compare_fn *compare, void *context, ox_site site);

/// Fills in the elements of a list, with all that jobs wrote. @return false after a report.
bool oxi_sort_read_list(oxi_sort_items *items, ox_list list, ox_site site);

/// Sorts numbers in natural order. `spare` has room for as many, or is NULL.
void oxi_sort_numbers(void *data, size_t count, ox_element element, void *spare);
