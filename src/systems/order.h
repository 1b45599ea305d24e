// SPDX-License-Identifier: MIT
//
// The order of systems, worked out from what they say about each other and what they access. It
// knows no world: a list of items goes in, an order and its reasons come out.
//
// Items are systems and groups; a group comes before what is in it, the group of all is the first.
// A constraint between items of different groups holds for their ancestors in the nearest group
// that has both. Inside of a group, of the items whose constraints are met, goes first: one that
// schedules jobs; then one on main that conflicts with no job system placed before; then the one
// whose latest conflicting job system was placed longest ago. Ties go by name.

#pragma once

#include "base/list.h"
#include "entities/fences.h"
#include "oxbow/systems.h"

/// A system or a group.
typedef struct oxi_order_item {
    const char *name;
    ox_site site;
    uint32_t parent; ///< its group's place in the list; the first item is its own parent
    bool is_group;
    bool is_job;              ///< it schedules jobs
    bool is_barrier;          ///< it waits for all: it comes as late as it can
    bool is_own_end;          ///< a group with jobs alone stays one with it
    ox_system_phase place;    ///< among the items of its group
    const oxi_type_use *uses; ///< declared accesses of a system, by component, each once
    uint32_t use_count;
} oxi_order_item;

/// One item comes before another.
typedef struct oxi_order_constraint {
    uint32_t before;
    uint32_t after;
    uint32_t said_by; ///< which of the two says so
} oxi_order_constraint;

/// What put an item where it is.
typedef enum oxi_order_choice {
    OXI_ORDER_ALONE = 0, ///< nothing else could have come here
    OXI_ORDER_FIRST,     ///< it says that it comes first
    OXI_ORDER_LAST,      ///< it says that it comes last
    OXI_ORDER_AFTER,     ///< it had to wait for `other`, which stands right before it in the group
    OXI_ORDER_JOBS,      ///< it schedules jobs, and others on main could have come here
    OXI_ORDER_FREE,      ///< it conflicts with no job system before it
    OXI_ORDER_LONGEST_AGO, ///< its latest conflicting job system, `other`, was placed longest ago
    OXI_ORDER_NAME,        ///< `other` could have come here just as well: by name
    OXI_ORDER_GIVEN,       ///< a test asked for this order
} oxi_order_choice;

/// Why an item is where it is.
typedef struct oxi_order_reason {
    oxi_order_choice choice;
    uint32_t other;      ///< item; 0 when the choice names none
    uint32_t constraint; ///< for OXI_ORDER_AFTER: its place in the list of constraints
    uint32_t component;  ///< for OXI_ORDER_LONGEST_AGO: what they conflict in
} oxi_order_reason;

/// What goes in.
typedef struct oxi_order_input {
    const oxi_order_item *items;
    uint32_t item_count;
    const oxi_order_constraint *constraints;
    uint32_t constraint_count;
    bool by_name; ///< constraints and names alone
    /// By item: of those whose constraints are met, the lowest comes. NULL: the rule.
    const uint32_t *ranks;
    const char *world; ///< its name, for reports
    const oxi_report_sink *sink;
    ox_site site; ///< of the call that orders, for reports
} oxi_order_input;

/// What comes out. {0} owns nothing.
typedef struct oxi_system_order {
    OXI_LIST(uint32_t) sequence;        ///< items, each group right before what is in it
    OXI_LIST(oxi_order_reason) reasons; ///< by item
    OXI_LIST(uint8_t) dropped; ///< by constraint: 1 when it is part of a cycle, and ignored
    uint64_t steps;            ///< what it cost, in looks at items; constraints and names aside
} oxi_system_order;

/// Works out the order. Each cycle of constraints is a report that names all of it; its constraints
/// are dropped, and the rest holds. So is each constraint against the places of its items. An order
/// that was made before is replaced. @return false when out of memory, with `order` as it was and
/// nothing reported.
bool oxi_system_order_make(oxi_system_order *order, const oxi_order_input *input);

/// Frees an order, which is {0} afterwards.
void oxi_system_order_free(oxi_system_order *order);

/// True when one of two lists of accesses writes what the other reads or writes; `*component` is
/// the first such of `a`. Component 0, the entities, does not count.
bool oxi_uses_conflict(const oxi_type_use *a, uint32_t a_count, const oxi_type_use *b,
                       uint32_t b_count, uint32_t *component);
