// SPDX-License-Identifier: MIT
//
// What the tests of the order share: items and constraints, made by name.

#pragma once

#include "test.h"

#include "base/random.h"
#include "systems/order.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 1100, MOST_CONSTRAINTS = 6000, MOST_USES = 8 };

/// What is ordered. The first item is the group of all.
typedef struct order_case {
    oxi_order_item items[MOST_ITEMS];
    char names[MOST_ITEMS][16];
    oxi_type_use uses[MOST_ITEMS][MOST_USES];
    uint32_t item_count;
    oxi_order_constraint constraints[MOST_CONSTRAINTS];
    uint32_t constraint_count;
    bool by_name;
    const uint32_t *ranks;
    collected_reports reports;
    oxi_report_sink sink;
    oxi_system_order order;
} order_case;

/// Adds an item; `accesses` is like "r1 w2".
OXI_UNUSED static uint32_t add_item(order_case *c, const char *name, uint32_t parent,
                                    const char *accesses) {
    uint32_t item = c->item_count++;
    snprintf(c->names[item], sizeof c->names[item], "%s", name);
    uint32_t count = 0;
    for (unsigned component; sscanf(accesses, " %*1[rw]%u", &component) == 1; count++) {
        accesses += strspn(accesses, " ");
        c->uses[item][count] = (oxi_type_use){.component = component, .writes = accesses[0] == 'w'};
        accesses += strcspn(accesses, " ");
    }
    c->items[item] = (oxi_order_item){
        .name = c->names[item], .parent = parent, .uses = c->uses[item], .use_count = count};
    return item;
}

OXI_UNUSED static uint32_t add_main(order_case *c, const char *name, uint32_t parent,
                                    const char *accesses) {
    return add_item(c, name, parent, accesses);
}

OXI_UNUSED static uint32_t add_job(order_case *c, const char *name, uint32_t parent,
                                   const char *accesses) {
    uint32_t item = add_item(c, name, parent, accesses);
    c->items[item].is_job = true;
    return item;
}

OXI_UNUSED static uint32_t add_group(order_case *c, const char *name, uint32_t parent) {
    uint32_t item = add_item(c, name, parent, "");
    c->items[item].is_group = true;
    return item;
}

/// An empty case: the group of all. It is large, so there is one.
OXI_UNUSED static order_case *begin_case(void) {
    static order_case c;
    c = (order_case){.item_count = 0};
    c.sink.handler = (ox_report_handler){collect_report, &c.reports};
    add_group(&c, "World", 0);
    return &c;
}

OXI_UNUSED static uint32_t find_item(const order_case *c, const char *name) {
    for (uint32_t k = 0; k < c->item_count; k++) {
        if (strcmp(c->names[k], name) == 0) {
            return k;
        }
    }
    test_fail(__FILE__, __LINE__, "no item '%s'", name);
    return 0;
}

/// `before` says that it comes before `after`. @return the number of the constraint.
OXI_UNUSED static uint32_t say_before(order_case *c, const char *before, const char *after) {
    uint32_t item = find_item(c, before);
    c->constraints[c->constraint_count] = (oxi_order_constraint){item, find_item(c, after), item};
    return c->constraint_count++;
}

/// `after` says that it comes after `before`.
OXI_UNUSED static uint32_t say_after(order_case *c, const char *after, const char *before) {
    uint32_t item = find_item(c, after);
    c->constraints[c->constraint_count] = (oxi_order_constraint){find_item(c, before), item, item};
    return c->constraint_count++;
}

OXI_UNUSED static bool make_order(order_case *c) {
    oxi_order_input input = {.items = c->items,
                             .item_count = c->item_count,
                             .constraints = c->constraints,
                             .constraint_count = c->constraint_count,
                             .by_name = c->by_name,
                             .ranks = c->ranks,
                             .world = "test",
                             .sink = &c->sink,
                             .site = "here.c:1"};
    return oxi_system_order_make(&c->order, &input);
}

/// Orders, and compares the names in the sequence, without the group of all.
#define EXPECT_ORDER(c, names) expect_order(c, names, __FILE__, __LINE__)
OXI_UNUSED static void expect_order(order_case *c, const char *names, const char *file, int line) {
    char text[2048] = "";
    if (!make_order(c)) {
        test_fail(file, line, "out of memory");
    }
    for (size_t k = 1; k < c->order.sequence.count; k++) {
        strcat(strcat(text, k > 1 ? " " : ""), c->names[c->order.sequence.items[k]]);
    }
    test_expect_str(text, names, "the order", file, line);
}

/// Compares the reason of one item; `other` is "" when it names none.
#define EXPECT_REASON(c, name, choice, other) expect_reason(c, name, choice, other, __LINE__)
OXI_UNUSED static oxi_order_reason expect_reason(order_case *c, const char *name,
                                                 oxi_order_choice choice, const char *other,
                                                 int line) {
    oxi_order_reason reason = c->order.reasons.items[find_item(c, name)];
    const char *named = reason.other != 0 ? c->names[reason.other] : "";
    if (reason.choice != choice || strcmp(named, other) != 0) {
        test_fail(__FILE__, line, "the reason of '%s' is %d '%s'", name, (int)reason.choice, named);
    }
    return reason;
}

OXI_UNUSED static void end_case(order_case *c) {
    oxi_system_order_free(&c->order);
}
