// SPDX-License-Identifier: MIT
//
// Constraints that cannot hold: those against places, and cycles. Each is reported and dropped.
//
// Items that only come after items which are on no cycle either are taken out first; mostly that is
// all of them, and there is nothing else to do. In what is left the shortest cycle is looked for
// from one item after the other, by name. A walk looks only at items with later names than its
// start, so a cycle begins at its first name.
//
// Invariant: `missing` of an item is 0 when it was taken out, else it is how many edges lead to it
// that are not dropped and come from items that were not.

#include "base/text.h"
#include "systems/order_parts.h"

enum { MOST_CYCLE_TEXT = 1024 };

typedef struct cycle_search {
    oxi_order_graph *graph;
    const oxi_order_input *input;
    uint8_t *dropped; // by constraint
    size_t queue_count;
    uint32_t length; // of `cycle`; while there is none, more than is looked for
    uint32_t least;  // length of the last cycle that was found
    uint32_t first;  // rank of the item where it began
} cycle_search;

// An item that a constraint names, and which item of the group it stands for.
static void append_order_item(oxi_text *text, const oxi_order_item *items, uint32_t item,
                              uint32_t sibling) {
    oxi_text_append_format(text, "'%s'", items[item].name);
    if (item != sibling) {
        oxi_text_append_format(text, " in '%s'", items[sibling].name);
    }
}

// The place stands behind the item that says so.
static void append_constraint(oxi_text *text, const cycle_search *search, uint32_t constraint) {
    const oxi_order_item *items = search->input->items;
    const oxi_order_constraint *said = &search->input->constraints[constraint];
    oxi_order_edge edge = search->graph->edges.items[constraint];
    ox_site site = items[said->said_by].site;
    bool is_first = said->said_by == said->before;

    append_order_item(text, items, said->before, edge.from);
    if (is_first && site != NULL) {
        oxi_text_append_format(text, " (%s)", site);
    }
    oxi_text_append(text, " comes before ");
    append_order_item(text, items, said->after, edge.to);
    if (!is_first && site != NULL) {
        oxi_text_append_format(text, " (%s)", site);
    }
}

// Adds constraints to a text that was begun, drops them, and reports the text.
static void drop_constraints(cycle_search *search, oxi_text *text, const uint32_t *constraints,
                             uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        oxi_text_append(text, k == 0 ? "" : "\n");
        append_constraint(text, search, constraints[k]);
        search->dropped[constraints[k]] = 1;
    }
    // The text was begun with room for this behind it.
    if (text->failed) {
        memcpy(text->data + text->length, "...", sizeof "...");
    }
    OXI_REPORT(search->input->sink, OX_REPORT_ORDER_CYCLE, search->input->site,
               OXI_NAME("world", search->input->world), OXI_WHOLE("cycle", oxi_text_get(text)));
}

static oxi_text begin_cycle_text(char *buffer) {
    return oxi_text_over(buffer, MOST_CYCLE_TEXT - sizeof "..." + 1);
}

// Where a place stands among all.
static int order_of_place(ox_system_phase place) {
    static const int order[] = {[OX_PHASE_BEGIN] = -2,
                                [OX_PHASE_FIRST] = -1,
                                [OX_PHASE_ANY] = 0,
                                [OX_PHASE_LAST] = 1,
                                [OX_PHASE_END] = 2};
    return order[place];
}

// Drops the constraints that need no other to be impossible.
static void drop_impossible(cycle_search *search) {
    const oxi_order_item *items = search->input->items;
    for (size_t k = 0; k < search->graph->leaving.count; k++) {
        uint32_t constraint = search->graph->leaving.items[k];
        oxi_order_edge edge = search->graph->edges.items[constraint];
        bool is_against =
            order_of_place(items[edge.from].place) > order_of_place(items[edge.to].place);
        if (edge.from != edge.to && !is_against) {
            continue;
        }
        char buffer[MOST_CYCLE_TEXT];
        oxi_text text = begin_cycle_text(buffer);
        if (is_against) {
            bool is_last = order_of_place(items[edge.from].place) > 0;
            oxi_text_append_format(&text, "'%s' says that it comes %s, and ",
                                   items[is_last ? edge.from : edge.to].name,
                                   is_last ? "last" : "first");
        }
        drop_constraints(search, &text, &constraint, 1);
    }
}

// The edges from an item: a part of `leaving`.
static size_t first_edge_of(const oxi_order_graph *graph, uint32_t item) {
    return graph->first_leaving.items[graph->ranks.items[item]];
}

static size_t end_of_edges_of(const oxi_order_graph *graph, uint32_t item) {
    return graph->first_leaving.items[graph->ranks.items[item] + 1];
}

// One edge less leads to an item.
static void forget_edge_to(cycle_search *search, uint32_t item) {
    if (--search->graph->missing.items[item] == 0) {
        search->graph->queue.items[search->queue_count++] = item;
    }
}

// Takes out the items in the queue, and those that become free by it.
static void take_out_free(cycle_search *search) {
    const oxi_order_graph *graph = search->graph;
    for (size_t k = 0; k < search->queue_count; k++) {
        uint32_t item = graph->queue.items[k];
        for (size_t n = first_edge_of(graph, item); n < end_of_edges_of(graph, item); n++) {
            uint32_t constraint = graph->leaving.items[n];
            if (search->dropped[constraint] == 0) {
                forget_edge_to(search, graph->edges.items[constraint].to);
            }
        }
    }
    search->queue_count = 0;
}

static void take_out_first(cycle_search *search) {
    oxi_order_graph_count(search->graph, search->dropped);
    for (uint32_t item = 0; item < search->input->item_count; item++) {
        if (search->graph->missing.items[item] == 0) {
            search->graph->queue.items[search->queue_count++] = item;
        }
    }
    take_out_free(search);
}

// Adds what can be reached from an item to the queue. @return 1 + the constraint that leads back to
// `start`, or 0.
static uint32_t walk_from(cycle_search *search, uint32_t item, uint32_t start) {
    const oxi_order_graph *graph = search->graph;
    for (size_t n = first_edge_of(graph, item); n < end_of_edges_of(graph, item); n++) {
        uint32_t constraint = graph->leaving.items[n];
        uint32_t to = graph->edges.items[constraint].to;
        if (search->dropped[constraint] != 0) {
            continue;
        }
        if (to == start) {
            return constraint + 1;
        }
        if (graph->ranks.items[to] > graph->ranks.items[start] && graph->via.items[to] == 0) {
            graph->via.items[to] = constraint + 1;
            graph->steps.items[to] = graph->steps.items[item] + 1;
            graph->queue.items[search->queue_count++] = to;
        }
    }
    return 0;
}

// Writes the cycle that ends with an edge back to `start`.
static void keep_cycle(cycle_search *search, uint32_t last, uint32_t start) {
    const oxi_order_graph *graph = search->graph;
    uint32_t item = graph->edges.items[last].from;
    search->length = graph->steps.items[item] + 1;
    graph->cycle.items[search->length - 1] = last;
    for (uint32_t k = search->length - 1; item != start; k--) {
        uint32_t constraint = graph->via.items[item] - 1;
        graph->cycle.items[k - 1] = constraint;
        item = graph->edges.items[constraint].from;
    }
}

// Keeps the shortest cycle from `start` if it is shorter than the one that is kept.
static void look_from(cycle_search *search, uint32_t start) {
    const oxi_order_graph *graph = search->graph;
    uint32_t last = 0;
    graph->queue.items[0] = start;
    graph->steps.items[start] = 0;
    search->queue_count = 1;
    for (size_t k = 0; k < search->queue_count && last == 0; k++) {
        uint32_t item = graph->queue.items[k];
        if (graph->steps.items[item] + 1 >= search->length) {
            break;
        }
        last = walk_from(search, item, start);
    }
    if (last != 0) {
        keep_cycle(search, last - 1, start);
    }
    for (size_t k = 0; k < search->queue_count; k++) {
        graph->via.items[graph->queue.items[k]] = 0;
    }
    search->queue_count = 0;
}

// Looks from the item of rank `first` on, until a cycle is no longer than `enough`.
static void look_from_each(cycle_search *search, uint32_t first, uint32_t enough) {
    const oxi_order_graph *graph = search->graph;
    for (uint32_t k = first; k < search->input->item_count && search->length > enough; k++) {
        if (graph->missing.items[graph->by_name.items[k]] != 0) {
            look_from(search, graph->by_name.items[k]);
        }
    }
}

// Cycles only get fewer: another of the same length can begin no earlier than the last one did, and
// only when there is none have all items to be looked at. @return false when there is no cycle.
static bool find_shortest_cycle(cycle_search *search) {
    const oxi_order_graph *graph = search->graph;
    search->length = search->least + 1;
    look_from_each(search, search->first, search->least);
    if (search->length > search->least) {
        search->length = UINT32_MAX;
        look_from_each(search, 0, search->least + 1);
    }
    if (search->length == UINT32_MAX) {
        return false;
    }
    search->least = search->length;
    search->first = graph->ranks.items[graph->edges.items[graph->cycle.items[0]].from];
    return true;
}

void oxi_order_cut_cycles(oxi_order_graph *graph, const oxi_order_input *input, uint8_t *dropped) {
    cycle_search search = {graph, input, dropped, 0, 0, 1, input->item_count};
    drop_impossible(&search);
    take_out_first(&search);
    while (find_shortest_cycle(&search)) {
        char buffer[MOST_CYCLE_TEXT];
        oxi_text text = begin_cycle_text(buffer);
        drop_constraints(&search, &text, graph->cycle.items, search.length);
        for (uint32_t k = 0; k < search.length; k++) {
            forget_edge_to(&search, graph->edges.items[graph->cycle.items[k]].to);
        }
        take_out_free(&search);
    }
}
