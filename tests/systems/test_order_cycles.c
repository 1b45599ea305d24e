// SPDX-License-Identifier: MIT
//
// Constraints that cannot hold: each cycle is reported once, in words, and dropped; others hold.

#include "order_test.h"

#include "base/platform.h"

static void add_with_site(order_case *c, const char *name, uint32_t parent, ox_site site) {
    c->items[add_main(c, name, parent, "")].site = site;
}

#define EXPECT_CYCLE(c, text) expect_cycle(c, text, __LINE__)
static void expect_cycle(order_case *c, const char *text, int line) {
    char detail[2048] = "\n  in world 'test'\n  ";
    size_t length = strlen(detail);
    for (const char *at = text; *at != 0; at++) { // each constraint stands on a line of its own
        bool is_next = strncmp(at, ", '", 3) == 0;
        length += (size_t)snprintf(detail + length, sizeof detail - length, "%s%.1s",
                                   is_next ? "\n  " : "", at + 2 * is_next);
        at += 2 * is_next;
    }
    snprintf(detail + length, sizeof detail - length, "\n  at here.c:1\n");
    test_expect_report(&c->reports, OX_REPORT_ORDER_CYCLE, __FILE__, line);
    test_expect_has(c->reports.text, detail, __FILE__, line);
}

static uint32_t count_dropped(const order_case *c) {
    uint32_t count = 0;
    for (size_t k = 0; k < c->order.dropped.count; k++) {
        count += c->order.dropped.items[k];
    }
    return count;
}

// All reports, in their order.
typedef struct report_log {
    int count;
    char texts[8][1024];
} report_log;

static void log_report(const ox_report *report, void *context) {
    report_log *log = context;
    if (log->count < 8) {
        ox_report_format(report, log->texts[log->count], sizeof log->texts[0]);
    }
    log->count++;
}

TEST(order_cycles, a_system_before_itself_is_one) {
    order_case *c = begin_case();
    add_with_site(c, "A", 0, "game.c:3");
    say_before(c, "A", "A");

    EXPECT_ORDER(c, "A");

    EXPECT_CYCLE(c, "'A' (game.c:3) comes before 'A'");
    EXPECT_EQ(count_dropped(c), 1);
    end_case(c);
}

TEST(order_cycles, the_group_of_all_before_itself_is_one) {
    order_case *c = begin_case();
    say_before(c, "World", "World");

    EXPECT_ORDER(c, "");

    EXPECT_CYCLE(c, "'World' comes before 'World'");
    end_case(c);
}

TEST(order_cycles, two_systems_before_each_other) {
    order_case *c = begin_case();
    add_with_site(c, "B", 0, "b.c:2");
    add_with_site(c, "A", 0, "a.c:1");
    say_before(c, "B", "A");
    say_after(c, "B", "A");

    EXPECT_ORDER(c, "A B");

    EXPECT_CYCLE(c, "'A' comes before 'B' (b.c:2), 'B' (b.c:2) comes before 'A'");
    EXPECT_EQ(count_dropped(c), 2);
    end_case(c);
}

TEST(order_cycles, three_systems_in_a_circle) {
    order_case *c = begin_case();
    add_with_site(c, "Reap", 0, "game.c:20");
    add_with_site(c, "Steer", 0, "game.c:31");
    add_with_site(c, "Damage", 0, "game.c:12");
    say_before(c, "Reap", "Steer");
    say_before(c, "Damage", "Reap");
    say_before(c, "Steer", "Damage");

    EXPECT_ORDER(c, "Damage Reap Steer");

    EXPECT_CYCLE(c, "'Damage' (game.c:12) comes before 'Reap', 'Reap' (game.c:20) comes before "
                    "'Steer', 'Steer' (game.c:31) comes before 'Damage'");
    end_case(c);
}

TEST(order_cycles, across_groups_name_both) {
    order_case *c = begin_case();
    uint32_t physics = add_group(c, "Physics", 0), render = add_group(c, "Render", 0);
    uint32_t inner = add_group(c, "Inner", physics);
    add_with_site(c, "Reap", inner, "p.c:1");
    add_with_site(c, "Move", physics, "p.c:2");
    add_with_site(c, "Draw", render, "r.c:3");
    say_before(c, "Reap", "Draw");
    say_after(c, "Move", "Render");

    EXPECT_ORDER(c, "Physics Inner Reap Move Render Draw");

    EXPECT_CYCLE(c, "'Reap' in 'Physics' (p.c:1) comes before 'Draw' in 'Render', 'Render' comes "
                    "before 'Move' in 'Physics' (p.c:2)");
    end_case(c);
}

TEST(order_cycles, leave_the_other_constraints_in_force) {
    order_case *c = begin_case();
    for (const char *name = "ABCD"; *name != 0; name++) {
        add_main(c, (char[]){*name, 0}, 0, "");
    }
    say_before(c, "A", "B");
    say_before(c, "B", "A");
    uint32_t kept = say_before(c, "D", "A");
    say_before(c, "C", "D");

    EXPECT_ORDER(c, "B C D A");

    EXPECT_CYCLE(c, "'A' comes before 'B', 'B' comes before 'A'");
    EXPECT_EQ(c->order.dropped.items[kept], 0);
    EXPECT_EQ(count_dropped(c), 2);
    end_case(c);
}

TEST(order_cycles, the_shortest_is_named_when_several_share_a_constraint) {
    order_case *c = begin_case();
    for (const char *name = "ABCD"; *name != 0; name++) {
        add_main(c, (char[]){*name, 0}, 0, "");
    }
    say_before(c, "A", "B");
    say_before(c, "B", "C");
    say_before(c, "C", "D");
    say_before(c, "D", "A");
    say_before(c, "D", "C");

    EXPECT_ORDER(c, "D A B C");

    EXPECT_CYCLE(c, "'C' comes before 'D', 'D' comes before 'C'");
    EXPECT_EQ(count_dropped(c), 2);
    end_case(c);
}

TEST(order_cycles, each_is_reported_once) {
    order_case *c = begin_case();
    for (const char *name = "ABCDEFG"; *name != 0; name++) {
        add_main(c, (char[]){*name, 0}, 0, "");
    }
    const char *pairs[] = {"AB", "BA", "CD", "DE", "EC", "BC", "EF", "BF", "FB"};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        say_before(c, (char[]){pairs[k][0], 0}, (char[]){pairs[k][1], 0});
    }

    EXPECT_ORDER(c, "A B C D E F G");

    // A B A, then, since B F B shares no constraint with it, that; and C D E C.
    EXPECT_EQ(c->reports.count, 3);
    EXPECT_EQ(count_dropped(c), 7);
    EXPECT_HAS(c->reports.text,
               "'C' comes before 'D'\n  'D' comes before 'E'\n  'E' comes before 'C'");
    end_case(c);
}

TEST(order_cycles, of_several_as_long_the_first_by_name_comes_first) {
    order_case *c = begin_case();
    for (const char *name = "CBA"; *name != 0; name++) {
        add_main(c, (char[]){*name, 0}, 0, "");
    }
    const char *pairs[] = {"AC", "AB", "CA", "BA"};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        say_before(c, (char[]){pairs[k][0], 0}, (char[]){pairs[k][1], 0});
    }

    EXPECT(make_order(c));

    EXPECT_EQ(c->reports.count, 2); // A B A was the first
    EXPECT_HAS(c->reports.text, "'A' comes before 'C'\n  'C' comes before 'A'");
    end_case(c);
}

TEST(order_cycles, a_constraint_against_a_place_is_dropped) {
    order_case *c = begin_case();
    add_with_site(c, "A", 0, "game.c:3");
    add_with_site(c, "B", 0, "game.c:4");
    c->items[1].place = OX_PHASE_LAST;
    say_before(c, "A", "B");

    EXPECT_ORDER(c, "B A");

    EXPECT_CYCLE(c, "'A' says that it comes last, and 'A' (game.c:3) comes before 'B'");
    EXPECT_EQ(count_dropped(c), 1);
    end_case(c);
}

TEST(order_cycles, a_constraint_against_the_place_of_a_group_is_dropped) {
    order_case *c = begin_case();
    uint32_t group = add_group(c, "Group", 0);
    c->items[group].place = OX_PHASE_FIRST;
    add_with_site(c, "In", group, "in.c:1");
    add_main(c, "A", 0, "");
    say_after(c, "In", "A");

    EXPECT_ORDER(c, "Group In A");

    EXPECT_CYCLE(c, "'Group' says that it comes first, and 'A' comes before 'In' in 'Group' "
                    "(in.c:1)");
    end_case(c);
}

TEST(order_cycles, a_long_one_is_cut) {
    order_case *c = begin_case();
    for (uint32_t k = 0; k < 100; k++) {
        char name[16];
        snprintf(name, sizeof name, "S%02u", (unsigned)k);
        add_main(c, name, 0, "");
        c->constraints[k] = (oxi_order_constraint){k + 1, (k + 1) % 100 + 1, k + 1};
    }
    c->constraint_count = 100;

    EXPECT(make_order(c));

    EXPECT_REPORT(&c->reports, OX_REPORT_ORDER_CYCLE);
    EXPECT_HAS(c->reports.text, "'S00' comes before 'S01'\n  'S01'");
    EXPECT_HAS(c->reports.text, "...\n");
    EXPECT(strlen(c->reports.text) > 1000 && strlen(c->reports.text) < 1300);
    EXPECT_EQ(count_dropped(c), 100);
    end_case(c);
}

TEST(order_cycles, a_thousand_systems_full_of_them_are_ordered_all_the_same) {
    order_case *c = begin_case();
    oxi_random random = oxi_random_seed(3);
    for (uint32_t k = 0; k < 1000; k++) {
        char name[16];
        snprintf(name, sizeof name, "S%03u", (unsigned)k);
        add_main(c, name, 0, "");
    }
    for (; c->constraint_count < 3000; c->constraint_count++) {
        uint32_t before = 1 + (uint32_t)oxi_random_below(&random, 1000);
        uint32_t after = 1 + (uint32_t)oxi_random_below(&random, 1000);
        c->constraints[c->constraint_count] = (oxi_order_constraint){before, after, before};
    }
    ox_report_silence(OX_REPORT_ORDER_CYCLE, true);
    uint64_t before = ox_report_count(OX_REPORT_ORDER_CYCLE), begin = oxi_clock_now();

    EXPECT(make_order(c));

    uint64_t cycles = ox_report_count(OX_REPORT_ORDER_CYCLE) - before;
    printf("1,000 systems, 3,000 constraints, %u cycles: %.2f ms\n", (unsigned)cycles,
           (double)(oxi_clock_now() - begin) / 1e6);
    ox_report_silence(OX_REPORT_ORDER_CYCLE, false);
    EXPECT_EQ(c->order.sequence.count, 1001);
    EXPECT(cycles > 20);
    end_case(c);
}

// Those of one length come by their first names, and two that begin with the same one by the next.
TEST(order_cycles, shorter_ones_come_before_longer_ones_whatever_they_are_called) {
    static const char *const pairs[][2] = {{"A", "B"}, {"B", "C"}, {"C", "A"},
                                           {"M", "N"}, {"N", "M"}, {"M", "O"},
                                           {"O", "M"}, {"X", "Y"}, {"Y", "X"}};
    static const char *const starts[] = {"'M' comes before 'N'", "'M' comes before 'O'",
                                         "'X' comes before 'Y'", "'A' comes before 'B'"};
    order_case *c = begin_case();
    report_log log = {0};
    for (const char *name = "ABCMNOXY"; *name != 0; name++) {
        add_main(c, (char[]){*name, 0}, 0, "");
    }
    for (int k = 0; k < 9; k++) {
        say_before(c, pairs[k][0], pairs[k][1]);
    }
    c->sink.handler = (ox_report_handler){log_report, &log};

    EXPECT(make_order(c));

    EXPECT_EQ(log.count, 4);
    for (int k = 0; k < 4; k++) {
        EXPECT_HAS(log.texts[k], starts[k]);
    }
    end_case(c);
}

TEST(order_cycles, what_stands_at_the_end_does_not_come_before_what_is_last) {
    order_case *c = begin_case();
    c->items[add_main(c, "A", 0, "")].place = OX_PHASE_END;
    c->items[add_main(c, "B", 0, "")].place = OX_PHASE_LAST;
    say_before(c, "A", "B");

    EXPECT_ORDER(c, "B A");

    EXPECT_CYCLE(c, "'A' says that it comes last, and 'A' comes before 'B'");
    end_case(c);
}

TEST(order_cycles, what_is_first_does_not_come_before_what_stands_at_the_beginning) {
    order_case *c = begin_case();
    c->items[add_main(c, "A", 0, "")].place = OX_PHASE_FIRST;
    c->items[add_main(c, "B", 0, "")].place = OX_PHASE_BEGIN;
    say_before(c, "A", "B");

    EXPECT_ORDER(c, "B A");

    EXPECT_CYCLE(c, "'B' says that it comes first, and 'A' comes before 'B'");
    end_case(c);
}
