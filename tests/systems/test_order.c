// SPDX-License-Identifier: MIT
//
// The rule that orders systems, its reasons, groups, places, names, ranks and lack of memory.

#include "order_test.h"

#include "base/substitute.h"

TEST(order, job_systems_go_before_those_on_main) {
    order_case *c = begin_case();
    add_main(c, "A", 0, "r1");
    add_job(c, "B", 0, "w2");
    add_main(c, "C", 0, "");

    EXPECT_ORDER(c, "B A C");

    EXPECT_REASON(c, "B", OXI_ORDER_JOBS, "");
    EXPECT_REASON(c, "A", OXI_ORDER_NAME, "C");
    EXPECT_REASON(c, "C", OXI_ORDER_ALONE, "");
    end_case(c);
}

TEST(order, on_main_those_without_a_conflict_go_first) {
    order_case *c = begin_case();
    add_job(c, "Job", 0, "w1 r2");
    add_main(c, "A", 0, "r1");
    add_main(c, "B", 0, "w2");
    add_main(c, "C", 0, "r2");

    EXPECT_ORDER(c, "Job C A B");

    EXPECT_REASON(c, "C", OXI_ORDER_FREE, "");
    EXPECT_REASON(c, "A", OXI_ORDER_NAME, "B");
    end_case(c);
}

TEST(order, then_goes_the_one_whose_latest_conflict_was_placed_longest_ago) {
    order_case *c = begin_case();
    add_job(c, "Job1", 0, "w1");
    add_job(c, "Job2", 0, "w2 r3");
    add_job(c, "Job3", 0, "w4");
    add_main(c, "A", 0, "w4");
    add_main(c, "B", 0, "r1 w3");
    add_main(c, "C", 0, "r1");

    EXPECT_ORDER(c, "Job1 Job2 Job3 C B A");

    EXPECT_EQ(EXPECT_REASON(c, "C", OXI_ORDER_LONGEST_AGO, "Job1").component, 1);
    EXPECT_EQ(EXPECT_REASON(c, "B", OXI_ORDER_LONGEST_AGO, "Job2").component, 3);
    EXPECT_REASON(c, "A", OXI_ORDER_ALONE, "");
    end_case(c);
}

TEST(order, what_both_read_and_the_entities_are_no_conflict) {
    order_case *c = begin_case();
    add_job(c, "Job", 0, "w0 r1 w2");
    add_main(c, "A", 0, "r2");
    add_main(c, "B", 0, "w0 r1");

    EXPECT_ORDER(c, "Job B A");

    EXPECT_REASON(c, "B", OXI_ORDER_FREE, "");
    end_case(c);
}

TEST(order, a_job_placed_late_makes_a_conflict_late) {
    order_case *c = begin_case();
    add_job(c, "Job1", 0, "w1");
    add_job(c, "Job2", 0, "r2");
    add_main(c, "Gate", 0, "");
    add_job(c, "Job3", 0, "w1");
    add_main(c, "A", 0, "r1");
    add_main(c, "B", 0, "w2");
    say_after(c, "Job3", "Gate");

    EXPECT_ORDER(c, "Job1 Job2 Gate Job3 B A");

    EXPECT_REASON(c, "Job3", OXI_ORDER_AFTER, "Gate");
    EXPECT_REASON(c, "B", OXI_ORDER_LONGEST_AGO, "Job2");
    end_case(c);
}

TEST(order, ties_go_by_name) {
    order_case *c = begin_case();
    add_job(c, "Zoo", 0, "");
    add_main(c, "c", 0, "");
    add_job(c, "Yak", 0, "w1");
    add_main(c, "b", 0, "");

    EXPECT_ORDER(c, "Yak Zoo b c");

    EXPECT_REASON(c, "Yak", OXI_ORDER_NAME, "Zoo");
    EXPECT_REASON(c, "Zoo", OXI_ORDER_JOBS, "");
    EXPECT_REASON(c, "b", OXI_ORDER_NAME, "c");
    end_case(c);
}

TEST(order, ties_go_by_name_with_those_that_become_ready_later) {
    order_case *c = begin_case();
    for (const char *name = "ABCDEFGH"; *name != 0; name++) {
        add_job(c, (char[]){*name, 0}, 0, "");
    }
    say_after(c, "A", "B");
    say_after(c, "F", "B");
    say_after(c, "G", "B");

    EXPECT_ORDER(c, "B A C D E F G H");

    end_case(c);
}

TEST(order, the_next_by_name_is_named) {
    order_case *c = begin_case();
    for (const char *name = "ECADB"; *name != 0; name++) {
        add_main(c, (char[]){*name, 0}, 0, "");
    }

    EXPECT_ORDER(c, "A B C D E");

    EXPECT_REASON(c, "A", OXI_ORDER_NAME, "B");
    EXPECT_REASON(c, "B", OXI_ORDER_NAME, "C");
    EXPECT_REASON(c, "D", OXI_ORDER_NAME, "E");
    end_case(c);
}

TEST(order, constraints_hold_against_the_rule) {
    order_case *c = begin_case();
    add_job(c, "Job", 0, "w1");
    add_main(c, "A", 0, "r1");
    add_main(c, "B", 0, "");
    uint32_t said = say_before(c, "A", "Job");

    EXPECT_ORDER(c, "A Job B");

    EXPECT_EQ(EXPECT_REASON(c, "Job", OXI_ORDER_AFTER, "A").constraint, said);
    end_case(c);
}

TEST(order, one_that_waited_for_several_names_the_last) {
    order_case *c = begin_case();
    add_main(c, "A", 0, "");
    add_main(c, "B", 0, "");
    add_main(c, "C", 0, "");
    say_after(c, "A", "B");
    uint32_t said = say_after(c, "A", "C");

    EXPECT_ORDER(c, "B C A");

    EXPECT_EQ(EXPECT_REASON(c, "A", OXI_ORDER_AFTER, "C").constraint, said);
    end_case(c);
}

TEST(order, a_group_comes_right_before_what_is_in_it) {
    order_case *c = begin_case();
    uint32_t outer = add_group(c, "Outer", 0);
    uint32_t inner = add_group(c, "Inner", outer);
    add_main(c, "Z", 0, "");
    add_main(c, "A", outer, "");
    add_main(c, "Deep", inner, "");
    add_main(c, "Y", outer, "");

    EXPECT_ORDER(c, "Outer A Inner Deep Y Z");

    EXPECT_EQ(c->order.sequence.items[0], 0);
    end_case(c);
}

TEST(order, jobs_of_groups_before_count) {
    order_case *c = begin_case();
    uint32_t first = add_group(c, "First", 0), second = add_group(c, "Second", 0);
    add_job(c, "Job", first, "w1");
    add_main(c, "A", second, "r1");
    add_main(c, "B", second, "r2");
    say_before(c, "First", "Second");

    EXPECT_ORDER(c, "First Job Second B A");

    EXPECT_REASON(c, "B", OXI_ORDER_FREE, "");
    EXPECT_REASON(c, "Second", OXI_ORDER_AFTER, "First");
    end_case(c);
}

TEST(order, a_group_of_jobs_alone_counts_as_a_job_system) {
    order_case *c = begin_case();
    uint32_t jobs = add_group(c, "Jobs", 0), inner = add_group(c, "Inner", jobs);
    uint32_t mixed = add_group(c, "Mixed", 0);
    add_group(c, "Empty", 0);
    add_job(c, "Job", inner, "w1");
    add_job(c, "Other", mixed, "w2");
    add_main(c, "A", mixed, "r1");

    EXPECT_ORDER(c, "Jobs Inner Job Empty Mixed Other A");

    EXPECT_REASON(c, "Jobs", OXI_ORDER_JOBS, "");
    EXPECT_REASON(c, "Empty", OXI_ORDER_FREE, "");
    end_case(c);
}

TEST(order, a_group_accesses_what_its_systems_on_main_do) {
    order_case *c = begin_case();
    uint32_t first = add_group(c, "First", 0), second = add_group(c, "Second", 0);
    uint32_t inner = add_group(c, "Inner", first);
    add_job(c, "Job1", 0, "w1");
    add_job(c, "Job2", 0, "w2");
    add_main(c, "A", inner, "r2");
    add_main(c, "B", second, "r1");
    add_job(c, "Job3", second, "w2");
    add_main(c, "Z", 0, "w2");

    EXPECT_ORDER(c, "Job1 Job2 Second Job3 B First Inner A Z");

    EXPECT_EQ(EXPECT_REASON(c, "Second", OXI_ORDER_LONGEST_AGO, "Job1").component, 1);
    EXPECT_REASON(c, "First", OXI_ORDER_NAME, "Z");
    end_case(c);
}

TEST(order, a_constraint_holds_for_the_groups_below_the_nearest_common_one) {
    order_case *c = begin_case();
    uint32_t common = add_group(c, "Common", 0);
    uint32_t a = add_group(c, "A", common), b = add_group(c, "B", common);
    uint32_t deep = add_group(c, "Deep", b);
    add_main(c, "InA", a, "");
    add_main(c, "InDeep", deep, "");
    add_main(c, "AInB", b, "");
    uint32_t said = say_before(c, "InDeep", "InA");

    EXPECT_ORDER(c, "Common B AInB Deep InDeep A InA");

    EXPECT_EQ(EXPECT_REASON(c, "A", OXI_ORDER_AFTER, "B").constraint, said);
    EXPECT_EQ(c->reports.count, 0);
    end_case(c);
}

TEST(order, a_constraint_between_a_group_and_what_is_in_it_says_nothing) {
    order_case *c = begin_case();
    uint32_t group = add_group(c, "Group", 0), inner = add_group(c, "Inner", group);
    add_main(c, "A", inner, "");
    say_before(c, "A", "Group");
    say_after(c, "A", "Inner");
    say_before(c, "Inner", "World");
    say_after(c, "A", "World");

    EXPECT_ORDER(c, "Group Inner A");

    EXPECT_EQ(c->reports.count, 0);
    EXPECT_EQ(c->order.dropped.items[0], 0);
    end_case(c);
}

TEST(order, places_go_before_all_else) {
    order_case *c = begin_case();
    c->items[add_job(c, "ALast", 0, "")].place = OX_PHASE_LAST;
    add_main(c, "M", 0, "");
    add_job(c, "N", 0, "");
    c->items[add_main(c, "ZFirst", 0, "")].place = OX_PHASE_FIRST;

    EXPECT_ORDER(c, "ZFirst N M ALast");

    EXPECT_REASON(c, "ZFirst", OXI_ORDER_FIRST, "");
    EXPECT_REASON(c, "ALast", OXI_ORDER_LAST, "");
    EXPECT_REASON(c, "M", OXI_ORDER_ALONE, "");
    end_case(c);
}

TEST(order, the_rule_orders_those_of_the_same_place) {
    order_case *c = begin_case();
    const char *names[] = {"A", "B", "C", "D"};
    for (int k = 0; k < 4; k++) {
        c->items[add_main(c, names[k], 0, "")].place = k < 2 ? OX_PHASE_FIRST : OX_PHASE_LAST;
    }
    c->items[add_job(c, "E", 0, "")].place = OX_PHASE_FIRST;
    add_main(c, "M", 0, "");
    say_before(c, "B", "A");
    say_before(c, "M", "C");

    EXPECT_ORDER(c, "E B A M C D");

    EXPECT_REASON(c, "E", OXI_ORDER_JOBS, "");
    EXPECT_REASON(c, "B", OXI_ORDER_FIRST, "");
    EXPECT_REASON(c, "A", OXI_ORDER_AFTER, "B");
    EXPECT_REASON(c, "C", OXI_ORDER_NAME, "D");
    EXPECT_REASON(c, "D", OXI_ORDER_LAST, "");
    end_case(c);
}

TEST(order, by_name_looks_at_no_accesses) {
    order_case *c = begin_case();
    add_job(c, "Job", 0, "w1");
    add_main(c, "A", 0, "r1");
    add_main(c, "B", 0, "r1");
    c->items[add_main(c, "Z", 0, "")].place = OX_PHASE_FIRST;
    say_before(c, "B", "A");
    c->by_name = true;

    EXPECT_ORDER(c, "Z B A Job");

    EXPECT_REASON(c, "B", OXI_ORDER_NAME, "Job");
    EXPECT_REASON(c, "A", OXI_ORDER_AFTER, "B");
    end_case(c);
}

TEST(order, ranks_take_the_place_of_the_rule) {
    order_case *c = begin_case();
    add_job(c, "Job", 0, "w1");
    add_main(c, "A", 0, "r1");
    add_main(c, "B", 0, "r1");
    add_main(c, "C", 0, "");
    say_before(c, "A", "B");
    uint32_t ranks[] = {0, 9, 3, 1, 5};
    c->ranks = ranks;

    EXPECT_ORDER(c, "A B C Job");

    EXPECT_REASON(c, "A", OXI_ORDER_GIVEN, "");
    EXPECT_REASON(c, "B", OXI_ORDER_AFTER, "A");
    EXPECT_REASON(c, "C", OXI_ORDER_GIVEN, "");
    end_case(c);
}

// Two bits for each place in the sequence say which of four items stands there.
static uint32_t order_code(const order_case *c) {
    uint32_t code = 0;
    for (size_t k = 1; k < c->order.sequence.count; k++) {
        code = code * 4 + c->order.sequence.items[k] - 1;
    }
    return code;
}

TEST(order, ranks_reach_every_legal_order) {
    order_case *c = begin_case();
    add_main(c, "A", 0, "w1");
    add_job(c, "B", 0, "w1");
    add_main(c, "C", 0, "");
    add_job(c, "D", 0, "");
    say_before(c, "A", "C");
    say_before(c, "B", "C");
    bool is_reached[256] = {false};
    int reached_count = 0;

    for (uint32_t code = 0; code < 256; code++) {
        uint32_t ranks[] = {0, code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        c->ranks = ranks;
        EXPECT(make_order(c));
        reached_count += !is_reached[order_code(c)];
        is_reached[order_code(c)] = true;
    }

    // C behind A and B: a third of the 24.
    EXPECT_EQ(reached_count, 8);
    end_case(c);
}

TEST(order, conflicts_are_found_between_two_lists) {
    oxi_type_use a[] = {{0, true, false, false},
                        {1, false, false, false},
                        {4, false, false, false},
                        {7, true, false, false}};
    oxi_type_use b[] = {{0, true, false, false}, {1, false, false, false}, {7, false, true, false}};
    uint32_t component = 99;

    EXPECT(!oxi_uses_conflict(a, 3, b, 3, &component));
    EXPECT_EQ(component, 99);
    EXPECT(oxi_uses_conflict(a, 4, b, 3, &component));
    EXPECT_EQ(component, 7);
    b[1].writes = true;
    EXPECT(oxi_uses_conflict(a, 4, b, 3, &component));
    EXPECT_EQ(component, 1);
}

TEST(order, is_replaced_when_it_is_made_again) {
    order_case *c = begin_case();
    add_main(c, "A", 0, "");
    EXPECT_ORDER(c, "A");
    add_job(c, "B", 0, "");

    EXPECT_ORDER(c, "B A");

    end_case(c);
    EXPECT(c->order.sequence.items == NULL);
}

TEST(order, of_nothing_is_the_group_of_all) {
    order_case *c = begin_case();

    EXPECT_ORDER(c, "");

    EXPECT_EQ(c->order.sequence.count, 1);
    end_case(c);
}

// Every third item is a job system; each comes after some before it.
static void fill_large_case(order_case *c, uint32_t count) {
    oxi_random random = oxi_random_seed(7);
    for (uint32_t k = 1; k <= count; k++) {
        char name[16], accesses[64];
        snprintf(name, sizeof name, "S%04u", (unsigned)(k * 617 % 1009));
        snprintf(accesses, sizeof accesses, "r%u w%u r%u", (unsigned)oxi_random_below(&random, 200),
                 (unsigned)oxi_random_below(&random, 200), 60000u);
        uint32_t item = add_item(c, name, 0, accesses);
        c->items[item].is_job = k % 3 == 0;
        for (uint32_t n = 0; n < 5 && k > 50; n++) {
            uint32_t before = 1 + (uint32_t)oxi_random_below(&random, k - 1);
            c->constraints[c->constraint_count++] = (oxi_order_constraint){before, item, item};
        }
    }
}

// Half are job systems, and all access the same.
static void fill_equal_case(order_case *c, uint32_t count) {
    for (uint32_t k = 1; k <= count; k++) {
        char name[16];
        snprintf(name, sizeof name, "S%04u", (unsigned)(k * 617 % 1009));
        uint32_t item = add_item(c, name, 0, "r1 w2");
        c->items[item].is_job = k % 2 == 0;
    }
}

// The same, and each job system comes after one on main: its turn comes in between.
static void fill_alternating_case(order_case *c, uint32_t count) {
    fill_equal_case(c, count);
    for (uint32_t k = 2; k <= count; k += 2) {
        c->constraints[c->constraint_count++] = (oxi_order_constraint){k - 1, k, k};
    }
}

static void fill_chain_case(order_case *c, uint32_t count) {
    fill_equal_case(c, count);
    for (uint32_t k = 2; k <= count; k++) {
        c->constraints[c->constraint_count++] = (oxi_order_constraint){k, k - 1, k};
    }
}

// Groups of one on main and one with jobs.
static void fill_pairs_case(order_case *c, uint32_t count) {
    for (uint32_t k = 0; k < count / 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "G%04u", (unsigned)k);
        uint32_t group = add_group(c, name, 0);
        snprintf(name, sizeof name, "J%04u", (unsigned)k);
        add_job(c, name, group, "r1 w2");
        snprintf(name, sizeof name, "M%04u", (unsigned)k);
        add_main(c, name, group, "r1 w2");
    }
}

typedef void fill_fn(order_case *c, uint32_t count);

static uint64_t count_steps_of(fill_fn *fill, uint32_t count) {
    order_case *c = begin_case();
    fill(c, count);
    EXPECT(make_order(c));
    uint64_t steps = c->order.steps;
    EXPECT_EQ(c->order.sequence.count, c->item_count);
    EXPECT_EQ(c->reports.count, 0);
    end_case(c);
    return steps;
}

TEST(order, of_twice_as_many_systems_takes_about_twice_the_steps) {
    static fill_fn *const fills[] = {fill_large_case, fill_equal_case, fill_alternating_case,
                                     fill_chain_case, fill_pairs_case};
    for (size_t k = 0; k < sizeof fills / sizeof *fills; k++) {
        uint64_t half = count_steps_of(fills[k], 500), whole = count_steps_of(fills[k], 1000);
        EXPECT(half > 500);
        EXPECT(whole < half * 5 / 2);
        EXPECT(whole < 100 * 1000);
    }
}

// Of two systems the first releases another, which comes before the second or after it.
static void fill_released_case(order_case *c, uint32_t comes_before) {
    uint32_t first = add_main(c, "F", 0, "w1");
    add_main(c, "S", 0, "w1");
    uint32_t released = add_main(c, comes_before == 1 ? "A" : "Z", 0, "w1");
    c->constraints[c->constraint_count++] = (oxi_order_constraint){first, released, first};
}

TEST(order, counts_a_step_for_each_system_that_another_passes) {
    EXPECT_EQ(count_steps_of(fill_released_case, 1), count_steps_of(fill_released_case, 0) + 1);
}

// A cycle, groups and accesses. An order that could not be made is the one before, unreported.
static void order_or_not(void) {
    order_case *c = begin_case();
    uint32_t group = add_group(c, "Group", 0);
    add_job(c, "A", group, "w1");
    add_main(c, "B", group, "r1");
    EXPECT(make_order(c) || c->order.sequence.items == NULL);
    size_t count = c->order.sequence.count;
    add_main(c, "C", 0, "r1 w2");
    say_before(c, "A", "C");
    say_before(c, "C", "B");
    uint64_t failures = oxi_fault_get_failures();

    bool is_made = make_order(c);

    EXPECT_EQ(is_made, oxi_fault_get_failures() == failures);
    EXPECT_EQ(c->order.sequence.count, is_made ? 5 : count);
    EXPECT_EQ(c->order.reasons.count, is_made ? 5 : count);
    EXPECT_EQ(c->order.dropped.count, is_made ? 2 : 0);
    EXPECT_EQ(c->reports.count, is_made ? 1 : 0);
    end_case(c);
}

TEST(order, stays_as_it_was_when_memory_is_lacking) {
    test_fault_sweep("order", order_or_not);
}

TEST(order, points_come_before_the_first_and_behind_the_last) {
    order_case *c = begin_case();
    uint32_t first = add_main(c, "A", 0, ""), begin = add_main(c, "B", 0, "");
    uint32_t end = add_main(c, "C", 0, ""), last = add_main(c, "D", 0, "");
    c->items[first].place = OX_PHASE_FIRST;
    c->items[begin].place = OX_PHASE_BEGIN;
    c->items[end].place = OX_PHASE_END;
    c->items[last].place = OX_PHASE_LAST;
    EXPECT_ORDER(c, "B A D C");
    end_case(c);
}
