// SPDX-License-Identifier: MIT
//
// The rule that orders the items of a group, and the reasons.
//
// A group is ordered when it is its own turn, so all that was placed before it is known: jobs of
// other groups count as those of its own. An item's turn is a number, lowest first: 0 schedules
// jobs, 1 is on main and conflicts with no job system placed before, and more is later, by the
// place of the latest job system that it conflicts with. That place only grows, and is found from
// the last job systems that read and wrote each component, not by comparing systems.
//
// Invariant: when a part of a group is ordered, `missing` of a child is the number of edges to it
// from children that are not placed; no edge leads from a later part, so none waits for ever.

#include "systems/order_parts.h"

// What is in an item, or is the item itself. Bits.
enum { HOLDS_JOBS = 1, HOLDS_MAIN = 2 };

// Of a component: 1 + the place in the sequence of the last job system that accesses it so.
typedef struct job_marks {
    uint32_t writer;
    uint32_t reader;
} job_marks;

// The latest job system that an item on main conflicts with.
typedef struct latest_job {
    uint32_t place;     // 1 + its place in the sequence, or 0
    uint32_t component; // what they conflict in
    uint32_t known_at;  // true while as many job systems are placed
} latest_job;

typedef struct order_maker {
    const oxi_order_input *input;
    oxi_order_graph graph;
    oxi_system_order made;
    OXI_LIST(uint32_t) children;    // of one group after the other, each by name
    OXI_LIST(uint32_t) first_child; // by item, and one more: where its children begin
    OXI_LIST(uint32_t) ready;       // as children: those that may come next, at the front
    OXI_LIST(uint32_t) released_by; // by item: 1 + the constraint that it waited for last, or 0
    OXI_LIST(uint8_t) holds;        // by item
    OXI_LIST(latest_job) latest;    // by item
    OXI_LIST(job_marks) marks;      // by component
    uint32_t job_count;             // 1 + job systems placed
} order_maker;

// Which of the items that may come next does, and which could have with another name.
typedef struct order_pick {
    uint32_t index; // among those that are ready
    uint32_t next;  // item, or 0
    uint32_t count; // how many are ready
} order_pick;

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

// Notes the latest conflict of one system on main.
static void add_system_latest(const order_maker *maker, uint32_t item, latest_job *latest) {
    const oxi_order_item *system = &maker->input->items[item];
    for (uint32_t k = 0; k < system->use_count; k++) {
        job_marks marks = maker->marks.items[system->uses[k].component];
        bool waits_for_reader = system->uses[k].writes && marks.reader > marks.writer;
        uint32_t place = waits_for_reader ? marks.reader : marks.writer;
        if (place > latest->place) {
            latest->place = place;
            latest->component = system->uses[k].component;
        }
    }
}

// The same of all systems on main that are in an item.
static void add_item_latest(const order_maker *maker, uint32_t item, latest_job *latest) {
    if (!maker->input->items[item].is_group) {
        add_system_latest(maker, item, latest);
        return;
    }
    for (uint32_t k = maker->first_child.items[item]; k < maker->first_child.items[item + 1]; k++) {
        uint32_t child = maker->children.items[k];
        if ((maker->holds.items[child] & HOLDS_MAIN) != 0) {
            add_item_latest(maker, child, latest);
        }
    }
}

// True when an item of the same part of its group waits for this one.
static bool lets_others_follow(const order_maker *maker, uint32_t item) {
    const oxi_order_graph *graph = &maker->graph;
    const uint32_t *first = &graph->first_leaving.items[graph->ranks.items[item]];
    for (uint32_t k = first[0]; k < first[1]; k++) {
        uint32_t constraint = graph->leaving.items[k], to = graph->edges.items[constraint].to;
        if (maker->made.dropped.items[constraint] == 0 &&
            maker->input->items[to].place == maker->input->items[item].place) {
            return true;
        }
    }
    return false;
}

static uint32_t turn_of(order_maker *maker, uint32_t item) {
    if (maker->input->ranks != NULL) {
        return maker->input->ranks[item];
    }
    if (maker->input->by_name || maker->holds.items[item] == HOLDS_JOBS) {
        return 0;
    }
    if (maker->input->items[item].is_barrier) {
        // It waits for all jobs, whatever they access; one that nothing follows can do so last.
        return UINT32_MAX - lets_others_follow(maker, item);
    }
    latest_job *latest = &maker->latest.items[item];
    if (latest->known_at != maker->job_count) {
        *latest = (latest_job){.known_at = maker->job_count};
        add_item_latest(maker, item, latest);
    }
    return 1 + latest->place;
}

static order_pick pick_ready(order_maker *maker, const uint32_t *ready, uint32_t count) {
    const uint32_t *ranks = maker->graph.ranks.items;
    order_pick pick = {.count = count};
    uint32_t lowest = turn_of(maker, ready[0]);
    for (uint32_t k = 1; k < count; k++) {
        uint32_t turn = turn_of(maker, ready[k]);
        if (turn < lowest) {
            lowest = turn;
            pick = (order_pick){.index = k, .count = count};
        } else if (turn == lowest) {
            bool is_before = ranks[ready[k]] < ranks[ready[pick.index]];
            uint32_t other = is_before ? ready[pick.index] : ready[k];
            pick.index = is_before ? k : pick.index;
            pick.next = pick.next == 0 || ranks[other] < ranks[pick.next] ? other : pick.next;
        }
    }
    return pick;
}

// Why the rule takes an item of which there is no equal, though there are others.
static oxi_order_reason explain_turn(order_maker *maker, uint32_t item) {
    uint32_t turn = turn_of(maker, item);
    if (turn <= 1) {
        return (oxi_order_reason){.choice = turn == 0 ? OXI_ORDER_JOBS : OXI_ORDER_FREE};
    }
    if (maker->input->items[item].is_barrier) {
        return (oxi_order_reason){.choice = OXI_ORDER_ALONE}; // the others are barriers, too
    }
    const latest_job *latest = &maker->latest.items[item];
    return (oxi_order_reason){.choice = OXI_ORDER_LONGEST_AGO,
                              .other = maker->made.sequence.items[latest->place - 1],
                              .component = latest->component};
}

// Why an item that was picked comes right after `previous`.
static oxi_order_reason explain_pick(order_maker *maker, order_pick pick, uint32_t item,
                                     uint32_t previous) {
    static const oxi_order_choice only[] = {[OX_PLACE_ANY] = OXI_ORDER_ALONE,
                                            [OX_PLACE_FIRST] = OXI_ORDER_FIRST,
                                            [OX_PLACE_LAST] = OXI_ORDER_LAST,
                                            [OX_PLACE_BEGIN] = OXI_ORDER_FIRST,
                                            [OX_PLACE_END] = OXI_ORDER_LAST};
    uint32_t released_by = maker->released_by.items[item];
    if (released_by != 0 && maker->graph.edges.items[released_by - 1].from == previous) {
        return (oxi_order_reason){
            .choice = OXI_ORDER_AFTER, .other = previous, .constraint = released_by - 1};
    }
    if (pick.count == 1) {
        return (oxi_order_reason){.choice = only[maker->input->items[item].place]};
    }
    if (maker->input->ranks != NULL) {
        return (oxi_order_reason){.choice = OXI_ORDER_GIVEN};
    }
    if (pick.next != 0) {
        return (oxi_order_reason){.choice = OXI_ORDER_NAME, .other = pick.next};
    }
    return explain_turn(maker, item);
}

// Adds the children of a group in one place that wait for nothing. @return how many there are.
static uint32_t list_ready(order_maker *maker, uint32_t group, ox_system_place place) {
    uint32_t first = maker->first_child.items[group], count = 0;
    for (uint32_t k = first; k < maker->first_child.items[group + 1]; k++) {
        uint32_t child = maker->children.items[k];
        if (maker->input->items[child].place == place && maker->graph.missing.items[child] == 0) {
            maker->ready.items[first + count++] = child;
        }
    }
    return count;
}

// Adds those of the same place that waited for a placed item alone. @return how many are ready.
static uint32_t release_after(order_maker *maker, uint32_t item, uint32_t *ready, uint32_t count) {
    const oxi_order_graph *graph = &maker->graph;
    uint32_t rank = graph->ranks.items[item];
    for (uint32_t k = graph->first_leaving.items[rank]; k < graph->first_leaving.items[rank + 1];
         k++) {
        uint32_t constraint = graph->leaving.items[k], to = graph->edges.items[constraint].to;
        if (maker->made.dropped.items[constraint] != 0 || --graph->missing.items[to] > 0) {
            continue;
        }
        if (maker->input->items[to].place == maker->input->items[item].place) {
            maker->released_by.items[to] = constraint + 1;
            ready[count++] = to;
        }
    }
    return count;
}

static void mark_job_system(order_maker *maker, const oxi_order_item *system) {
    uint32_t place = (uint32_t)maker->made.sequence.count;
    for (uint32_t k = 0; k < system->use_count; k++) {
        job_marks *marks = &maker->marks.items[system->uses[k].component];
        *(system->uses[k].writes ? &marks->writer : &marks->reader) = place;
    }
    // Component 0 is the entities, which every job reads: it is no conflict.
    maker->marks.items[0] = (job_marks){0};
    maker->job_count++;
}

static void place_children(order_maker *maker, uint32_t group);

static void place_item(order_maker *maker, uint32_t item) {
    const oxi_order_item *placed = &maker->input->items[item];
    maker->made.sequence.items[maker->made.sequence.count++] = item;
    if (placed->is_group) {
        place_children(maker, item);
    } else if (placed->is_job) {
        mark_job_system(maker, placed);
    }
}

static void place_children(order_maker *maker, uint32_t group) {
    static const ox_system_place places[] = {OX_PLACE_BEGIN, OX_PLACE_FIRST, OX_PLACE_ANY,
                                             OX_PLACE_LAST, OX_PLACE_END};
    uint32_t *ready = maker->ready.items + maker->first_child.items[group];
    uint32_t previous = 0;
    for (int k = 0; k < 5; k++) {
        uint32_t count = list_ready(maker, group, places[k]);
        while (count > 0) {
            order_pick pick = pick_ready(maker, ready, count);
            uint32_t item = ready[pick.index];
            maker->made.reasons.items[item] = explain_pick(maker, pick, item, previous);
            ready[pick.index] = ready[--count];
            place_item(maker, item);
            count = release_after(maker, item, ready, count);
            previous = item;
        }
    }
}

static uint32_t greatest_component(const oxi_order_input *input) {
    uint32_t greatest = 0;
    for (uint32_t item = 0; item < input->item_count; item++) {
        for (uint32_t k = 0; k < input->items[item].use_count; k++) {
            uint32_t component = input->items[item].uses[k].component;
            greatest = component > greatest ? component : greatest;
        }
    }
    return greatest;
}

static bool reserve_maker(order_maker *maker) {
    const oxi_order_input *input = maker->input;
    return oxi_list_resize(&maker->children, input->item_count) &&
           oxi_list_resize(&maker->first_child, (size_t)input->item_count + 1) &&
           oxi_list_resize(&maker->ready, input->item_count) &&
           oxi_list_resize(&maker->released_by, input->item_count) &&
           oxi_list_resize(&maker->holds, input->item_count) &&
           oxi_list_resize(&maker->latest, input->item_count) &&
           oxi_list_resize(&maker->marks, (size_t)greatest_component(input) + 1) &&
           oxi_list_reserve(&maker->made.sequence, input->item_count) &&
           oxi_list_resize(&maker->made.reasons, input->item_count) &&
           oxi_list_resize(&maker->made.dropped, input->constraint_count);
}

static void free_maker(order_maker *maker) {
    oxi_order_graph_free(&maker->graph);
    oxi_system_order_free(&maker->made);
    oxi_list_free(&maker->children);
    oxi_list_free(&maker->first_child);
    oxi_list_free(&maker->ready);
    oxi_list_free(&maker->released_by);
    oxi_list_free(&maker->holds);
    oxi_list_free(&maker->latest);
    oxi_list_free(&maker->marks);
}

// Each group has its children, by name, and knows what is in it.
static void list_children(order_maker *maker) {
    const oxi_order_item *items = maker->input->items;
    uint32_t *first = maker->first_child.items, item_count = maker->input->item_count;
    for (uint32_t item = 1; item < item_count; item++) {
        first[items[item].parent + 1]++;
        uint8_t holds = items[item].is_job ? HOLDS_JOBS : HOLDS_MAIN;
        holds = items[item].is_group || items[item].is_own_end ? 0 : holds;
        for (uint32_t k = item; k != 0; k = items[k].parent) {
            maker->holds.items[k] |= holds;
        }
    }
    for (uint32_t k = 0; k < item_count; k++) {
        first[k + 1] += first[k];
    }
    // Filled from the back: each end becomes the beginning, and belongs one place further down.
    for (uint32_t k = item_count; k > 0; k--) {
        uint32_t item = maker->graph.by_name.items[k - 1];
        if (item != 0) {
            maker->children.items[--first[items[item].parent + 1]] = item;
        }
    }
    memmove(first, first + 1, item_count * sizeof *first);
    first[item_count] = item_count - 1;
}

bool oxi_system_order_make(oxi_system_order *order, const oxi_order_input *input) {
    OXI_ASSERT(input->item_count > 0 && input->items[0].is_group);
    order_maker maker = {.input = input, .job_count = 1};
    bool has_memory = oxi_order_graph_make(&maker.graph, input) && reserve_maker(&maker);
    if (has_memory) {
        oxi_order_cut_cycles(&maker.graph, input, maker.made.dropped.items);
        oxi_order_graph_count(&maker.graph, maker.made.dropped.items);
        list_children(&maker);
        place_item(&maker, 0);
        OXI_ASSERT(maker.made.sequence.count == input->item_count);
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
