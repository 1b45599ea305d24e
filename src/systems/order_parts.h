// SPDX-License-Identifier: MIT
//
// What the units that order systems share: the constraints, as edges between items of one group.
//
// All memory is taken when a graph is made. What comes after cannot fail, so a cycle is reported by
// no call that fails, and not again by the next one.

#pragma once

#include "systems/order.h"

/// A constraint as it holds for two items of one group, or for one item and itself.
typedef struct oxi_order_edge {
    uint32_t from;
    uint32_t to;
} oxi_order_edge;

/// Items by name, and the edges between them. {0} owns nothing.
typedef struct oxi_order_graph {
    OXI_LIST(uint32_t) by_name;       ///< items
    OXI_LIST(uint32_t) ranks;         ///< by item: its place in `by_name`
    OXI_LIST(uint32_t) children;      ///< of one group after the other, each by name
    OXI_LIST(uint32_t) first_child;   ///< by item, and one more: where its children begin
    OXI_LIST(oxi_order_edge) edges;   ///< by constraint; {0} when it says nothing
    OXI_LIST(uint32_t) leaving;       ///< constraints that say something, by the names of both ends
    OXI_LIST(uint32_t) first_leaving; ///< by rank, and one more: where those from an item begin
    OXI_LIST(uint32_t) missing;       ///< by item: edges to it from items that have not had a turn

    // For the walks that look for cycles.
    OXI_LIST(uint32_t) queue; ///< items
    OXI_LIST(uint32_t) via;   ///< by item: 1 + the constraint on which it was reached, or 0
    OXI_LIST(uint32_t) steps; ///< by item: how many edges it is away from the start
    OXI_LIST(uint32_t) cycle; ///< constraints
} oxi_order_graph;

/// True when the first of two different numbers comes before the second.
typedef bool oxi_number_less_fn(const void *context, uint32_t left, uint32_t right);

/// Sorts numbers of which no two are equal by `is_less`, or may be told apart.
void oxi_order_sort(uint32_t *numbers, size_t count, oxi_number_less_fn *is_less,
                    const void *context);

/// Sorts items by name and finds the edges. @return false when out of memory; free it all the same.
bool oxi_order_graph_make(oxi_order_graph *graph, const oxi_order_input *input);

/// Frees a graph, which is {0} afterwards.
void oxi_order_graph_free(oxi_order_graph *graph);

/// Counts `missing` anew, without the edges that were dropped.
void oxi_order_graph_count(oxi_order_graph *graph, const uint8_t *dropped);

/// Reports what cannot hold, and drops it: constraints against places, and cycles.
void oxi_order_cut_cycles(oxi_order_graph *graph, const oxi_order_input *input, uint8_t *dropped);
