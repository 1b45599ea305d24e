// SPDX-License-Identifier: MIT
//
// The items of a group that may come next, and which of them does: the one with the lowest turn,
// then the first by name.
//
// Items that have the same turn at any time are a class. Each class has its ready items in a heap
// by name, and the group has its classes in a heap by turn and name. A turn only grows: the class
// on top is looked at anew, and sinks if it grew, until it stays. So a job system that is placed
// costs nothing for those that it does not concern, and little for many that access the same.

#pragma once

#include "systems/order_turns.h"

/// Children of one group that have the same turn at any time.
typedef struct oxi_ready_class {
    uint32_t first;    ///< where its part of `members` begins
    uint32_t count;    ///< of those that are ready: a heap by name
    uint32_t item;     ///< one of the class, ready or not
    uint32_t turn;     ///< when `known_at` job systems were placed
    uint32_t known_at; ///< 1 + so many; 0: not known
    uint32_t place;    ///< in the queue
} oxi_ready_class;

/// A class in the queue of its group.
typedef struct oxi_queued_class {
    uint64_t key; ///< its turn << 32 | the rank of the first of it
    uint32_t number;
} oxi_queued_class;

/// What may come next in all groups. A group has its part of each list, as large as its children.
/// {0} owns nothing.
typedef struct oxi_ready {
    const oxi_order_graph *graph;
    oxi_turns *turns;
    OXI_LIST(uint32_t) members;        ///< items, class after class
    OXI_LIST(oxi_ready_class) classes; ///< of the children of a group
    OXI_LIST(uint32_t) class_of;       ///< by item: in `classes`
    OXI_LIST(oxi_queued_class) queue;  ///< those that have some ready: a heap by key
    uint64_t steps;                    ///< of items and classes in heaps
} oxi_ready;

/// What may come next in one group.
typedef struct oxi_ready_set {
    uint32_t first;       ///< where the parts of its group begin
    uint32_t queue_count; ///< classes that have some ready
    uint32_t count;       ///< items that are ready
} oxi_ready_set;

/// Which of the items that are ready comes, and which could have with another name.
typedef struct oxi_ready_pick {
    uint32_t item;
    uint32_t next;  ///< item, or 0
    uint32_t count; ///< how many are ready
} oxi_ready_pick;

/// Takes all memory that is needed. @return false when out of it; free it all the same.
bool oxi_ready_make(oxi_ready *ready, const oxi_order_graph *graph, oxi_turns *turns);

/// Frees all, which is {0} afterwards.
void oxi_ready_free(oxi_ready *ready);

/// Makes the classes of a group, of whose children none is ready yet. Turns are fixed.
oxi_ready_set oxi_ready_open(oxi_ready *ready, uint32_t group);

/// A child of the group is ready.
void oxi_ready_add(oxi_ready *ready, oxi_ready_set *set, uint32_t item);

/// Finds the item that comes next. At least one is ready.
oxi_ready_pick oxi_ready_find(oxi_ready *ready, oxi_ready_set *set);

/// Takes the item that was found last, with no other call in between.
void oxi_ready_take(oxi_ready *ready, oxi_ready_set *set);
