// SPDX-License-Identifier: MIT
//
// What items access, and what turn that gives them.
//
// Invariants: the uses of an item are sorted, and of a component that is read and written only the
// write is there: it conflicts with all that the read does. Component 0, the entities, which every
// job reads, is not among them.

#include "systems/order_turns.h"

// What is in items.

static uint8_t holds_of_system(const oxi_order_item *item) {
    if (item->is_group || item->is_own_end) {
        return 0;
    }
    return item->is_job ? OXI_HOLDS_JOBS : OXI_HOLDS_MAIN;
}

static void find_holds(oxi_turns *turns) {
    const oxi_order_item *items = turns->input->items;
    for (uint32_t item = 1; item < turns->input->item_count; item++) {
        uint8_t holds = holds_of_system(&items[item]);
        for (uint32_t k = item; k != 0; k = items[k].parent) {
            turns->items.items[k].holds |= holds;
        }
    }
}

static bool is_use_less(const void *context, uint32_t left, uint32_t right) {
    (void)context;
    return left < right;
}

// Sorts what was gathered from `first` on, each component once.
static void finish_uses(oxi_turns *turns, uint32_t item, uint32_t first) {
    uint32_t *uses = turns->uses.items + first;
    size_t count = turns->uses.count - first, kept = 0;
    oxi_order_sort(uses, count, is_use_less, NULL);
    for (size_t k = 0; k < count; k++) {
        bool is_last = k + 1 == count || uses[k + 1] >> 1 != uses[k] >> 1;
        if (is_last) {
            uses[kept++] = uses[k];
        }
    }
    turns->uses.count = first + kept;
    turns->items.items[item].first_use = first;
    turns->items.items[item].use_count = (uint32_t)kept;
}

static bool gather_system(oxi_turns *turns, uint32_t item) {
    const oxi_order_item *system = &turns->input->items[item];
    uint32_t first = (uint32_t)turns->uses.count;
    for (uint32_t k = 0; k < system->use_count; k++) {
        uint32_t use = system->uses[k].component << 1 | system->uses[k].writes;
        if (use >> 1 != 0 && !oxi_list_push(&turns->uses, use)) {
            return false;
        }
    }
    finish_uses(turns, item, first);
    return true;
}

static bool gather_uses(oxi_turns *turns, uint32_t item);

// A group accesses what the systems on main in it do.
static bool gather_group(oxi_turns *turns, uint32_t group) {
    const uint32_t *children = turns->graph->children.items;
    const uint32_t *first_child = &turns->graph->first_child.items[group];
    for (uint32_t k = first_child[0]; k < first_child[1]; k++) {
        if (!gather_uses(turns, children[k])) {
            return false;
        }
    }
    uint32_t first = (uint32_t)turns->uses.count;
    for (uint32_t k = first_child[0]; k < first_child[1]; k++) {
        const oxi_item_turn *child = &turns->items.items[children[k]];
        if ((child->holds & OXI_HOLDS_MAIN) == 0 || child->use_count == 0) {
            continue;
        }
        if (!oxi_list_reserve(&turns->uses, turns->uses.count + child->use_count)) {
            return false;
        }
        memcpy(turns->uses.items + turns->uses.count, turns->uses.items + child->first_use,
               child->use_count * sizeof *turns->uses.items);
        turns->uses.count += child->use_count;
    }
    finish_uses(turns, group, first);
    return true;
}

static bool gather_uses(oxi_turns *turns, uint32_t item) {
    if (turns->input->items[item].is_group) {
        return gather_group(turns, item);
    }
    return gather_system(turns, item);
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

bool oxi_turns_make(oxi_turns *turns, const oxi_order_input *input, const oxi_order_graph *graph) {
    *turns = (oxi_turns){.input = input, .graph = graph, .job_count = 1};
    if (!oxi_list_resize(&turns->items, input->item_count) ||
        !oxi_list_resize(&turns->marks, (size_t)greatest_component(input) + 1)) {
        return false;
    }
    find_holds(turns);
    return gather_uses(turns, 0);
}

void oxi_turns_free(oxi_turns *turns) {
    oxi_list_free(&turns->items);
    oxi_list_free(&turns->uses);
    oxi_list_free(&turns->marks);
}

// Turns that stay.

// True when an item of the same part of its group waits for this one.
static bool lets_others_follow(const oxi_turns *turns, uint32_t item, const uint8_t *dropped) {
    const oxi_order_graph *graph = turns->graph;
    const oxi_order_item *items = turns->input->items;
    const uint32_t *first = &graph->first_leaving.items[graph->ranks.items[item]];
    for (uint32_t k = first[0]; k < first[1]; k++) {
        uint32_t constraint = graph->leaving.items[k], to = graph->edges.items[constraint].to;
        if (dropped[constraint] == 0 && items[to].place == items[item].place) {
            return true;
        }
    }
    return false;
}

static void fix_turn(oxi_turns *turns, uint32_t item, const uint8_t *dropped) {
    oxi_item_turn *turn = &turns->items.items[item];
    if (turns->input->ranks != NULL) {
        turn->fixed = turns->input->ranks[item];
    } else if (turns->input->by_name || turn->holds == OXI_HOLDS_JOBS) {
        return; // 0
    } else if (turns->input->items[item].is_barrier) {
        // It waits for all jobs, whatever they access; one that nothing follows can do so last.
        turn->fixed = UINT32_MAX - lets_others_follow(turns, item, dropped);
    } else {
        turn->is_open = true;
    }
}

void oxi_turns_fix(oxi_turns *turns, const uint8_t *dropped) {
    for (uint32_t item = 0; item < turns->input->item_count; item++) {
        fix_turn(turns, item, dropped);
    }
}

// Turns as things are.

static uint32_t latest_of_use(const oxi_turns *turns, uint32_t component, bool writes) {
    oxi_job_marks marks = turns->marks.items[component];
    return writes && marks.reader > marks.writer ? marks.reader : marks.writer;
}

uint32_t oxi_turn_of(oxi_turns *turns, uint32_t item) {
    const oxi_item_turn *turn = &turns->items.items[item];
    if (!turn->is_open) {
        return turn->fixed;
    }
    uint32_t latest = 0;
    for (uint32_t k = 0; k < turn->use_count; k++) {
        uint32_t use = turns->uses.items[turn->first_use + k];
        uint32_t place = latest_of_use(turns, use >> 1, (use & 1) != 0);
        latest = place > latest ? place : latest;
    }
    turns->steps += turn->use_count;
    return 1 + latest;
}

static int compare_numbers(uint32_t left, uint32_t right) {
    return (left > right) - (left < right);
}

int oxi_turns_compare(const oxi_turns *turns, uint32_t left, uint32_t right) {
    const oxi_item_turn *a = &turns->items.items[left], *b = &turns->items.items[right];
    if (!a->is_open || !b->is_open) {
        int order = compare_numbers(a->is_open, b->is_open);
        return order != 0 ? order : compare_numbers(a->fixed, b->fixed);
    }
    int order = compare_numbers(a->use_count, b->use_count);
    for (uint32_t k = 0; order == 0 && k < a->use_count; k++) {
        order = compare_numbers(turns->uses.items[a->first_use + k],
                                turns->uses.items[b->first_use + k]);
    }
    return order;
}

// Notes the latest conflict of one system on main, by the order in which it declared its uses.
static void add_system_latest(const oxi_turns *turns, uint32_t item, oxi_latest_job *latest) {
    const oxi_order_item *system = &turns->input->items[item];
    for (uint32_t k = 0; k < system->use_count; k++) {
        uint32_t component = system->uses[k].component;
        uint32_t place = latest_of_use(turns, component, system->uses[k].writes);
        if (place > latest->place) {
            *latest = (oxi_latest_job){place, component};
        }
    }
}

// The same of all systems on main that are in an item.
static void add_item_latest(const oxi_turns *turns, uint32_t item, oxi_latest_job *latest) {
    const uint32_t *first_child = &turns->graph->first_child.items[item];
    if (!turns->input->items[item].is_group) {
        add_system_latest(turns, item, latest);
        return;
    }
    for (uint32_t k = first_child[0]; k < first_child[1]; k++) {
        uint32_t child = turns->graph->children.items[k];
        if ((turns->items.items[child].holds & OXI_HOLDS_MAIN) != 0) {
            add_item_latest(turns, child, latest);
        }
    }
}

oxi_latest_job oxi_turns_find_latest(const oxi_turns *turns, uint32_t item) {
    oxi_latest_job latest = {0};
    add_item_latest(turns, item, &latest);
    return latest;
}

void oxi_turns_note_job(oxi_turns *turns, uint32_t item, uint32_t place) {
    const oxi_order_item *system = &turns->input->items[item];
    for (uint32_t k = 0; k < system->use_count; k++) {
        oxi_job_marks *marks = &turns->marks.items[system->uses[k].component];
        *(system->uses[k].writes ? &marks->writer : &marks->reader) = place;
    }
    turns->marks.items[0] = (oxi_job_marks){0};
    turns->job_count++;
}
