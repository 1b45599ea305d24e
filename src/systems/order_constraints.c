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
    oxi_number_less_fn *is_less;
    const void *context;
} number_sort;

// What names and edges are compared by.
typedef struct name_context {
    const oxi_order_graph *graph;
    const oxi_order_input *input;
} name_context;

// Lets the number at `root` sink until the two below it are no greater.
static void sink_number(const number_sort *sort, uint32_t *numbers, size_t root, size_t count) {
    uint32_t number = numbers[root];
    while (root * 2 + 1 < count) {
        size_t child = root * 2 + 1;
        if (child + 1 < count && sort->is_less(sort->context, numbers[child], numbers[child + 1])) {
            child++;
        }
        if (!sort->is_less(sort->context, number, numbers[child])) {
            break;
        }
        numbers[root] = numbers[child];
        root = child;
    }
    numbers[root] = number;
}

// Heap sort: equal numbers cannot be told apart, so it does not matter that it is not stable.
void oxi_order_sort(uint32_t *numbers, size_t count, oxi_number_less_fn *is_less,
                    const void *context) {
    const number_sort sort = {is_less, context};
    for (size_t k = count / 2; k > 0; k--) {
        sink_number(&sort, numbers, k - 1, count);
    }
    for (size_t end = count; end > 1; end--) {
        uint32_t greatest = numbers[0];
        numbers[0] = numbers[end - 1];
        numbers[end - 1] = greatest;
        sink_number(&sort, numbers, 0, end - 1);
    }
}

static bool is_item_less(const void *context, uint32_t left, uint32_t right) {
    const oxi_order_item *items = ((const name_context *)context)->input->items;
    int order = strcmp(items[left].name, items[right].name);
    return order != 0 ? order < 0 : left < right;
}

// By both ends; of those with the same ends, by who says what.
static bool is_edge_less(const void *context, uint32_t left, uint32_t right) {
    const name_context *names = context;
    const uint32_t *ranks = names->graph->ranks.items;
    const oxi_order_edge *edges = names->graph->edges.items;
    const oxi_order_constraint *a = &names->input->constraints[left];
    const oxi_order_constraint *b = &names->input->constraints[right];
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

// Lifts a constraint to the children of the nearest group that has both. {0} when one of them is in
// the other: then it says nothing.
static oxi_order_edge lift_constraint(const oxi_order_item *items,
                                      const oxi_order_constraint *constraint) {
    uint32_t from = constraint->before, to = constraint->after;
    uint32_t from_depth = depth_of_item(items, from), to_depth = depth_of_item(items, to);
    for (; from_depth > to_depth; from_depth--) {
        from = items[from].parent;
    }
    for (; to_depth > from_depth; to_depth--) {
        to = items[to].parent;
    }
    if (from == to && constraint->before != constraint->after) {
        return (oxi_order_edge){0};
    }
    while (from != to && items[from].parent != items[to].parent) {
        from = items[from].parent;
        to = items[to].parent;
    }
    return (oxi_order_edge){from, to};
}

static bool reserve_graph(oxi_order_graph *graph, const oxi_order_input *input) {
    return oxi_list_resize(&graph->by_name, input->item_count) &&
           oxi_list_resize(&graph->ranks, input->item_count) &&
           oxi_list_resize(&graph->children, input->item_count) &&
           oxi_list_resize(&graph->first_child, (size_t)input->item_count + 1) &&
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
    name_context names = {graph, input};
    oxi_order_sort(graph->by_name.items, input->item_count, is_item_less, &names);
    for (uint32_t k = 0; k < input->item_count; k++) {
        graph->ranks.items[graph->by_name.items[k]] = k;
    }
}

// Each place has the count of the one before it: they become where each begins.
static void sum_up_counts(uint32_t *first, uint32_t item_count) {
    for (uint32_t place = 0; place < item_count; place++) {
        first[place + 1] += first[place];
    }
}

static void list_children(oxi_order_graph *graph, const oxi_order_input *input) {
    uint32_t *first = graph->first_child.items, item_count = input->item_count;
    for (uint32_t item = 1; item < item_count; item++) {
        first[input->items[item].parent + 1]++;
    }
    sum_up_counts(first, item_count);
    // Filled from the back: each end becomes the beginning, and belongs one place further down.
    for (uint32_t k = item_count; k > 0; k--) {
        uint32_t item = graph->by_name.items[k - 1];
        if (item != 0) {
            graph->children.items[--first[input->items[item].parent + 1]] = item;
        }
    }
    memmove(first, first + 1, item_count * sizeof *first);
    first[item_count] = item_count - 1;
}

// True unless one end of a constraint is in the other.
static bool says_something(const oxi_order_constraint *constraint, oxi_order_edge edge) {
    return edge.from != edge.to || constraint->before == constraint->after;
}

static void find_edges(oxi_order_graph *graph, const oxi_order_input *input) {
    uint32_t *first = graph->first_leaving.items;
    for (uint32_t k = 0; k < input->constraint_count; k++) {
        oxi_order_edge edge = lift_constraint(input->items, &input->constraints[k]);
        graph->edges.items[k] = edge;
        if (says_something(&input->constraints[k], edge)) {
            first[graph->ranks.items[edge.from] + 1]++;
            graph->leaving.count++;
        }
    }
    sum_up_counts(first, input->item_count);
}

// By the item that they leave, as they come; the few of one item are sorted.
static void list_edges(oxi_order_graph *graph, const oxi_order_input *input) {
    uint32_t *first = graph->first_leaving.items, item_count = input->item_count;
    const name_context names = {graph, input};
    for (uint32_t k = 0; k < input->constraint_count; k++) {
        oxi_order_edge edge = graph->edges.items[k];
        if (says_something(&input->constraints[k], edge)) {
            graph->leaving.items[first[graph->ranks.items[edge.from]]++] = k;
        }
    }
    // Each beginning became the end, which is where the next one begins.
    memmove(first + 1, first, item_count * sizeof *first);
    first[0] = 0;
    for (uint32_t k = 0; k < item_count; k++) {
        oxi_order_sort(graph->leaving.items + first[k], first[k + 1] - first[k], is_edge_less,
                       &names);
    }
}

bool oxi_order_graph_make(oxi_order_graph *graph, const oxi_order_input *input) {
    if (!reserve_graph(graph, input)) {
        return false;
    }
    sort_items_by_name(graph, input);
    list_children(graph, input);
    find_edges(graph, input);
    list_edges(graph, input);
    return true;
}

void oxi_order_graph_free(oxi_order_graph *graph) {
    oxi_list_free(&graph->by_name);
    oxi_list_free(&graph->ranks);
    oxi_list_free(&graph->children);
    oxi_list_free(&graph->first_child);
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
