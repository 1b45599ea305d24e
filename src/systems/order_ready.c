// SPDX-License-Identifier: MIT
//
// Heaps of items and of classes.
//
// Invariant: in the queue a class comes after the one above it by the turns that are known. The
// true turn of a class is that or greater.

#include "systems/order_ready.h"

static uint32_t ready_rank_of(const oxi_ready *ready, uint32_t item) {
    return ready->graph->ranks.items[item];
}

// Items of a class.

static void add_ready_item(oxi_ready *ready, oxi_ready_class *class, uint32_t item) {
    uint32_t *members = ready->members.items + class->first, at = class->count++;
    while (at > 0 && ready_rank_of(ready, item) < ready_rank_of(ready, members[(at - 1) / 2])) {
        members[at] = members[(at - 1) / 2];
        at = (at - 1) / 2;
        ready->steps++;
    }
    members[at] = item;
}

static void take_ready_item(oxi_ready *ready, oxi_ready_class *class) {
    uint32_t *members = ready->members.items + class->first, at = 0;
    uint32_t last = members[--class->count];
    for (uint32_t child = 1; child < class->count; child = at * 2 + 1) {
        bool is_right = child + 1 < class->count && ready_rank_of(ready, members[child + 1]) <
                                                        ready_rank_of(ready, members[child]);
        child += is_right;
        if (ready_rank_of(ready, last) < ready_rank_of(ready, members[child])) {
            break;
        }
        members[at] = members[child];
        at = child;
        ready->steps++;
    }
    members[at] = last;
}

// Classes of a group.

static oxi_queued_class queued_of(const oxi_ready *ready, uint32_t number) {
    const oxi_ready_class *class = &ready->classes.items[number];
    uint32_t rank = ready_rank_of(ready, ready->members.items[class->first]);
    return (oxi_queued_class){(uint64_t) class->turn << 32 | rank, number};
}

static oxi_queued_class *queue_of(oxi_ready *ready, const oxi_ready_set *set) {
    return ready->queue.items + set->first;
}

static void put_class(oxi_ready *ready, oxi_queued_class *queue, uint32_t place,
                      oxi_queued_class class) {
    queue[place] = class;
    ready->classes.items[class.number].place = place;
    ready->steps++;
}

static void lift_class(oxi_ready *ready, const oxi_ready_set *set, uint32_t number,
                       uint32_t place) {
    oxi_queued_class *queue = queue_of(ready, set), class = queued_of(ready, number);
    while (place > 0 && class.key < queue[(place - 1) / 2].key) {
        put_class(ready, queue, place, queue[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put_class(ready, queue, place, class);
}

static void sink_class(oxi_ready *ready, const oxi_ready_set *set, uint32_t number,
                       uint32_t place) {
    oxi_queued_class *queue = queue_of(ready, set), class = queued_of(ready, number);
    for (uint32_t child = place * 2 + 1; child < set->queue_count; child = place * 2 + 1) {
        child += child + 1 < set->queue_count && queue[child + 1].key < queue[child].key;
        if (class.key < queue[child].key) {
            break;
        }
        put_class(ready, queue, place, queue[child]);
        place = child;
    }
    put_class(ready, queue, place, class);
}

// Finds the turn of a class as things are. @return true when it grew.
static bool learn_turn(oxi_ready *ready, oxi_ready_class *class) {
    uint32_t before = class->turn;
    if (class->known_at != ready->turns->job_count) {
        class->known_at = ready->turns->job_count;
        class->turn = oxi_turn_of(ready->turns, class->item);
        OXI_ASSERT(class->turn >= before);
    }
    return class->turn != before;
}

// Lets the class at a place of the queue sink if its turn grew. @return false when it stays.
static bool renew_class(oxi_ready *ready, const oxi_ready_set *set, uint32_t place) {
    uint32_t number = queue_of(ready, set)[place].number;
    if (!learn_turn(ready, &ready->classes.items[number])) {
        return false;
    }
    sink_class(ready, set, number, place);
    return true;
}

// All.

bool oxi_ready_make(oxi_ready *ready, const oxi_order_graph *graph, oxi_turns *turns) {
    size_t count = graph->by_name.count;
    *ready = (oxi_ready){.graph = graph, .turns = turns};
    return oxi_list_resize(&ready->members, count) && oxi_list_resize(&ready->classes, count) &&
           oxi_list_resize(&ready->class_of, count) && oxi_list_resize(&ready->queue, count);
}

void oxi_ready_free(oxi_ready *ready) {
    oxi_list_free(&ready->members);
    oxi_list_free(&ready->classes);
    oxi_list_free(&ready->class_of);
    oxi_list_free(&ready->queue);
}

static bool is_turn_less(const void *turns, uint32_t left, uint32_t right) {
    int order = oxi_turns_compare(turns, left, right);
    return order != 0 ? order < 0 : left < right;
}

oxi_ready_set oxi_ready_open(oxi_ready *ready, uint32_t group) {
    const uint32_t *first_child = &ready->graph->first_child.items[group];
    oxi_ready_set set = {.first = first_child[0]};
    uint32_t count = first_child[1] - first_child[0], class = set.first;
    uint32_t *members = ready->members.items + set.first;
    memcpy(members, ready->graph->children.items + set.first, count * sizeof *members);
    oxi_order_sort(members, count, is_turn_less, ready->turns);
    for (uint32_t k = 0; k < count; k++) {
        bool is_new = k == 0 || oxi_turns_compare(ready->turns, members[k - 1], members[k]) != 0;
        if (is_new) {
            class = k == 0 ? set.first : class + 1;
            ready->classes.items[class] =
                (oxi_ready_class){.first = set.first + k, .item = members[k]};
        }
        ready->class_of.items[members[k]] = class;
    }
    return set;
}

void oxi_ready_add(oxi_ready *ready, oxi_ready_set *set, uint32_t item) {
    uint32_t number = ready->class_of.items[item];
    oxi_ready_class *class = &ready->classes.items[number];
    add_ready_item(ready, class, item);
    set->count++;
    if (class->count == 1) {
        learn_turn(ready, class);
        class->place = set->queue_count++;
    }
    lift_class(ready, set, number, class->place);
}

static uint32_t earlier_of(const oxi_ready *ready, uint32_t item, uint32_t other) {
    return item == 0 || ready_rank_of(ready, other) < ready_rank_of(ready, item) ? other : item;
}

// The second by name of those that have the lowest turn, or 0: it stands right below the first.
static uint32_t find_next(oxi_ready *ready, const oxi_ready_set *set) {
    const oxi_queued_class *queue = queue_of(ready, set);
    const oxi_ready_class *top = &ready->classes.items[queue[0].number];
    uint32_t next = 0;
    for (uint32_t k = 1; k <= 2 && k < top->count; k++) {
        next = earlier_of(ready, next, ready->members.items[top->first + k]);
    }
    for (uint32_t k = 1; k <= 2 && k < set->queue_count; k++) {
        while (queue[k].key >> 32 == top->turn && renew_class(ready, set, k)) {
        }
        if (queue[k].key >> 32 == top->turn) {
            const oxi_ready_class *other = &ready->classes.items[queue[k].number];
            next = earlier_of(ready, next, ready->members.items[other->first]);
        }
    }
    return next;
}

oxi_ready_pick oxi_ready_find(oxi_ready *ready, oxi_ready_set *set) {
    OXI_ASSERT(set->count > 0);
    while (renew_class(ready, set, 0)) {
    }
    const oxi_ready_class *top = &ready->classes.items[queue_of(ready, set)[0].number];
    return (oxi_ready_pick){.item = ready->members.items[top->first],
                            .next = find_next(ready, set),
                            .count = set->count};
}

void oxi_ready_take(oxi_ready *ready, oxi_ready_set *set) {
    uint32_t number = queue_of(ready, set)[0].number;
    oxi_ready_class *top = &ready->classes.items[number];
    take_ready_item(ready, top);
    set->count--;
    if (top->count == 0) {
        number = queue_of(ready, set)[--set->queue_count].number;
    }
    if (set->queue_count > 0) {
        sink_class(ready, set, number, 0);
    }
}
