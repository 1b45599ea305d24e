// SPDX-License-Identifier: MIT
//
// The rule that orders the items of a group, and the reasons.
//
// A group is ordered when it is its own turn, so all that was placed before it is known: jobs of
// other groups count as those of its own.
//
// Invariant: when a part of a group is ordered, `missing` of a child is the number of edges to it
// from children that are not placed; no edge leads from a later part, so none waits for ever.

#include "systems/order_ready.h"

typedef struct order_maker {
    const oxi_order_input *input;
    oxi_order_graph graph;
    oxi_turns turns;
    oxi_ready ready;
    oxi_system_order made;
    OXI_LIST(uint32_t) released_by; // by item: 1 + the constraint that it waited for last, or 0
} order_maker;

bool oxi_uses_conflict(const oxi_type_use *a, uint32_t a_count, const oxi_type_use *b,
                       uint32_t b_count, uint32_t *component) {
    for (uint32_t k = 0; k < a_count; k++) {
        for (uint32_t n = 0; n < b_count; n++) {
            bool is_same = a[k].component == b[n].component && a[k].component != 0;
            if (is_same && (a[k].writes || b[n].writes)) {
                *component = a[k].component;
                return true;
            }
        }
    }
    return false;
}

// Why the rule takes an item of which there is no equal, though there are others.
static oxi_order_reason explain_turn(order_maker *maker, uint32_t item) {
    uint32_t turn = oxi_turn_of(&maker->turns, item);
    if (turn <= 1) {
        return (oxi_order_reason){.choice = turn == 0 ? OXI_ORDER_JOBS : OXI_ORDER_FREE};
    }
    if (maker->input->items[item].is_barrier) {
        return (oxi_order_reason){.choice = OXI_ORDER_ALONE}; // the others are barriers, too
    }
    oxi_latest_job latest = oxi_turns_find_latest(&maker->turns, item);
    return (oxi_order_reason){.choice = OXI_ORDER_LONGEST_AGO,
                              .other = maker->made.sequence.items[latest.place - 1],
                              .component = latest.component};
}

// Why an item that was picked comes right after `previous`.
static oxi_order_reason explain_pick(order_maker *maker, const oxi_ready_pick *pick,
                                     uint32_t previous) {
    static const oxi_order_choice only[] = {[OX_PHASE_ANY] = OXI_ORDER_ALONE,
                                            [OX_PHASE_FIRST] = OXI_ORDER_FIRST,
                                            [OX_PHASE_LAST] = OXI_ORDER_LAST,
                                            [OX_PHASE_BEGIN] = OXI_ORDER_FIRST,
                                            [OX_PHASE_END] = OXI_ORDER_LAST};
    uint32_t item = pick->item, released_by = maker->released_by.items[item];
    if (released_by != 0 && maker->graph.edges.items[released_by - 1].from == previous) {
        return (oxi_order_reason){
            .choice = OXI_ORDER_AFTER, .other = previous, .constraint = released_by - 1};
    }
    if (pick->count == 1) {
        return (oxi_order_reason){.choice = only[maker->input->items[item].place]};
    }
    if (maker->input->ranks != NULL) {
        return (oxi_order_reason){.choice = OXI_ORDER_GIVEN};
    }
    if (pick->next != 0) {
        return (oxi_order_reason){.choice = OXI_ORDER_NAME, .other = pick->next};
    }
    return explain_turn(maker, item);
}

// Adds the children of a group in one place that wait for nothing.
static void list_ready(order_maker *maker, uint32_t group, ox_system_phase place,
                       oxi_ready_set *set) {
    const uint32_t *first = &maker->graph.first_child.items[group];
    for (uint32_t k = first[0]; k < first[1]; k++) {
        uint32_t child = maker->graph.children.items[k];
        if (maker->input->items[child].place == place && maker->graph.missing.items[child] == 0) {
            oxi_ready_add(&maker->ready, set, child);
        }
    }
}

// Adds those of the same place that waited for a placed item alone.
static void release_after(order_maker *maker, uint32_t item, oxi_ready_set *set) {
    const oxi_order_graph *graph = &maker->graph;
    const uint32_t *first = &graph->first_leaving.items[graph->ranks.items[item]];
    for (uint32_t k = first[0]; k < first[1]; k++) {
        uint32_t constraint = graph->leaving.items[k], to = graph->edges.items[constraint].to;
        if (maker->made.dropped.items[constraint] != 0 || --graph->missing.items[to] > 0) {
            continue;
        }
        if (maker->input->items[to].place == maker->input->items[item].place) {
            maker->released_by.items[to] = constraint + 1;
            oxi_ready_add(&maker->ready, set, to);
        }
    }
}

static void place_children(order_maker *maker, uint32_t group);

static void place_item(order_maker *maker, uint32_t item) {
    maker->made.sequence.items[maker->made.sequence.count++] = item;
    if (maker->input->items[item].is_group) {
        place_children(maker, item);
    } else if (maker->input->items[item].is_job) {
        oxi_turns_note_job(&maker->turns, item, (uint32_t)maker->made.sequence.count);
    }
}

static void place_children(order_maker *maker, uint32_t group) {
    static const ox_system_phase places[] = {OX_PHASE_BEGIN, OX_PHASE_FIRST, OX_PHASE_ANY,
                                             OX_PHASE_LAST, OX_PHASE_END};
    oxi_ready_set set = oxi_ready_open(&maker->ready, group);
    uint32_t previous = 0;
    for (int k = 0; k < 5; k++) {
        list_ready(maker, group, places[k], &set);
        while (set.count > 0) {
            oxi_ready_pick pick = oxi_ready_find(&maker->ready, &set);
            maker->made.reasons.items[pick.item] = explain_pick(maker, &pick, previous);
            oxi_ready_take(&maker->ready, &set);
            place_item(maker, pick.item);
            release_after(maker, pick.item, &set);
            previous = pick.item;
        }
    }
}

static bool reserve_maker(order_maker *maker) {
    const oxi_order_input *input = maker->input;
    return oxi_order_graph_make(&maker->graph, input) &&
           oxi_turns_make(&maker->turns, input, &maker->graph) &&
           oxi_ready_make(&maker->ready, &maker->graph, &maker->turns) &&
           oxi_list_resize(&maker->released_by, input->item_count) &&
           oxi_list_reserve(&maker->made.sequence, input->item_count) &&
           oxi_list_resize(&maker->made.reasons, input->item_count) &&
           oxi_list_resize(&maker->made.dropped, input->constraint_count);
}

static void free_maker(order_maker *maker) {
    oxi_order_graph_free(&maker->graph);
    oxi_turns_free(&maker->turns);
    oxi_ready_free(&maker->ready);
    oxi_system_order_free(&maker->made);
    oxi_list_free(&maker->released_by);
}

bool oxi_system_order_make(oxi_system_order *order, const oxi_order_input *input) {
    OXI_ASSERT(input->item_count > 0 && input->items[0].is_group);
    order_maker maker = {.input = input};
    bool has_memory = reserve_maker(&maker);
    if (has_memory) {
        oxi_order_cut_cycles(&maker.graph, input, maker.made.dropped.items);
        oxi_order_graph_count(&maker.graph, maker.made.dropped.items);
        oxi_turns_fix(&maker.turns, maker.made.dropped.items);
        place_item(&maker, 0);
        OXI_ASSERT(maker.made.sequence.count == input->item_count);
        maker.made.steps = maker.turns.steps + maker.ready.steps;
        oxi_system_order_free(order);
        *order = maker.made;
        maker.made = (oxi_system_order){0};
    }
    free_maker(&maker);
    return has_memory;
}

void oxi_system_order_free(oxi_system_order *order) {
    oxi_list_free(&order->sequence);
    oxi_list_free(&order->reasons);
    oxi_list_free(&order->dropped);
}
