// SPDX-License-Identifier: MIT
//
// Constraints as edges between items of one group.
//
// Everything is sorted by name, with the place in the input only where names are the same: what
// comes out does not depend on the order in which items and constraints are listed.
//
// Invariant: the edges of `leaving` that begin at the item of rank r stand from first_leaving[r] up
// to first_leaving[r + 1], and both ends of each have the same parent, or are the same item.

#include "systems/order_parts.h"

// What a list of numbers is sorted by.
typedef struct number_sort {
    const oxi_order_graph *graph;
    const oxi_order_input *input;
    bool (*is_less)(const struct number_sort *sort, uint32_t left, uint32_t right);
} number_sort;

// Lets the number at `root` sink until the two below it are no greater.
static void sink_number(const number_sort *sort, uint32_t *numbers, size_t root, size_t count) {
    uint32_t number = numbers[root];
    while (root * 2 + 1 < count) {
        size_t child = root * 2 + 1;
        if (child + 1 < count && sort->is_less(sort, numbers[child], numbers[child + 1])) {
            child++;
        }
        if (!sort->is_less(sort, number, numbers[child])) {
            break;
        }
        numbers[root] = numbers[child];
        root = child;
    }
    numbers[root] = number;
}

// Heap sort: no two numbers are equal, so it does not matter that it is not stable.
static void sort_order_numbers(const number_sort *sort, uint32_t *numbers, size_t count) {
    for (size_t k = count / 2; k > 0; k--) {
        sink_number(sort, numbers, k - 1, count);
    }
    for (size_t end = count; end > 1; end--) {
        uint32_t greatest = numbers[0];
        numbers[0] = numbers[end - 1];
        numbers[end - 1] = greatest;
        sink_number(sort, numbers, 0, end - 1);
    }
}

static bool is_item_less(const number_sort *sort, uint32_t left, uint32_t right) {
    int order = strcmp(sort->input->items[left].name, sort->input->items[right].name);
    return order != 0 ? order < 0 : left < right;
}

// By both ends; of those with the same ends, by who says what.
static bool is_edge_less(const number_sort *sort, uint32_t left, uint32_t right) {
    const uint32_t *ranks = sort->graph->ranks.items;
    const oxi_order_edge *edges = sort->graph->edges.items;
    const oxi_order_constraint *a = &sort->input->constraints[left];
    const oxi_order_constraint *b = &sort->input->constraints[right];
    const uint32_t keys[][2] = {{ranks[edges[left].from], ranks[edges[right].from]},
                                {ranks[edges[left].to], ranks[edges[right].to]},
                                {ranks[a->said_by], ranks[b->said_by]},
                                {ranks[a->before], ranks[b->before]},
                                {ranks[a->after], ranks[b->after]}};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        if (keys[k][0] != keys[k][1]) {
            return keys[k][0] < keys[k][1];
        }
    }
    return left < right;
}

// How many groups an item is in.
static uint32_t depth_of_item(const oxi_order_item *items, uint32_t item) {
    uint32_t depth = 0;
    for (; item != 0; item = items[item].parent) {
        depth++;
    }
    return depth;
}

// Lifts a constraint to the children of the nearest group that has both. @return false when one of
// them is in the other: then it says nothing.
static bool lift_constraint(const oxi_order_item *items, const oxi_order_constraint *constraint,
                            oxi_order_edge *edge) {
    uint32_t from = constraint->before, to = constraint->after;
    uint32_t from_depth = depth_of_item(items, from), to_depth = depth_of_item(items, to);
    for (; from_depth > to_depth; from_depth--) {
        from = items[from].parent;
    }
    for (; to_depth > from_depth; to_depth--) {
        to = items[to].parent;
    }
    bool is_within = from == to && constraint->before != constraint->after;
    while (from != to && items[from].parent != items[to].parent) {
        from = items[from].parent;
        to = items[to].parent;
    }
    *edge = is_within ? (oxi_order_edge){0} : (oxi_order_edge){from, to};
    return !is_within;
}

static bool reserve_graph(oxi_order_graph *graph, const oxi_order_input *input) {
    return oxi_list_resize(&graph->by_name, input->item_count) &&
           oxi_list_resize(&graph->ranks, input->item_count) &&
           oxi_list_resize(&graph->first_leaving, (size_t)input->item_count + 1) &&
           oxi_list_resize(&graph->missing, input->item_count) &&
           oxi_list_resize(&graph->queue, input->item_count) &&
           oxi_list_resize(&graph->via, input->item_count) &&
           oxi_list_resize(&graph->steps, input->item_count) &&
           oxi_list_resize(&graph->cycle, input->item_count) &&
           oxi_list_resize(&graph->edges, input->constraint_count) &&
           oxi_list_reserve(&graph->leaving, input->constraint_count);
}

static void sort_items_by_name(oxi_order_graph *graph, const oxi_order_input *input) {
    for (uint32_t k = 0; k < input->item_count; k++) {
        graph->by_name.items[k] = k;
    }
    number_sort sort = {graph, input, is_item_less};
    sort_order_numbers(&sort, graph->by_name.items, input->item_count);
    for (uint32_t k = 0; k < input->item_count; k++) {
        graph->ranks.items[graph->by_name.items[k]] = k;
    }
}

static void list_edges(oxi_order_graph *graph, const oxi_order_input *input) {
    for (uint32_t k = 0; k < input->constraint_count; k++) {
        if (lift_constraint(input->items, &input->constraints[k], &graph->edges.items[k])) {
            graph->leaving.items[graph->leaving.count++] = k;
        }
    }
    number_sort sort = {graph, input, is_edge_less};
    sort_order_numbers(&sort, graph->leaving.items, graph->leaving.count);

    uint32_t *first = graph->first_leaving.items;
    for (size_t k = 0; k < graph->leaving.count; k++) {
        first[graph->ranks.items[graph->edges.items[graph->leaving.items[k]].from] + 1]++;
    }
    for (uint32_t k = 0; k < input->item_count; k++) {
        first[k + 1] += first[k];
    }
}

bool oxi_order_graph_make(oxi_order_graph *graph, const oxi_order_input *input) {
    if (!reserve_graph(graph, input)) {
        return false;
    }
    sort_items_by_name(graph, input);
    list_edges(graph, input);
    return true;
}

void oxi_order_graph_free(oxi_order_graph *graph) {
    oxi_list_free(&graph->by_name);
    oxi_list_free(&graph->ranks);
    oxi_list_free(&graph->edges);
    oxi_list_free(&graph->leaving);
    oxi_list_free(&graph->first_leaving);
    oxi_list_free(&graph->missing);
    oxi_list_free(&graph->queue);
    oxi_list_free(&graph->via);
    oxi_list_free(&graph->steps);
    oxi_list_free(&graph->cycle);
}

void oxi_order_graph_count(oxi_order_graph *graph, const uint8_t *dropped) {
    memset(graph->missing.items, 0, graph->missing.count * sizeof *graph->missing.items);
    for (size_t k = 0; k < graph->leaving.count; k++) {
        uint32_t constraint = graph->leaving.items[k];
        graph->missing.items[graph->edges.items[constraint].to] += dropped[constraint] == 0;
    }
}
