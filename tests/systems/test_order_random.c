// SPDX-License-Identifier: MIT
//
// Random trees of groups with random constraints, against naive checks: the sequence is legal, each
// step is the one that the rule asks for, and the order of the input does not matter.

#include "order_test.h"

enum { ROUNDS = 3000, SMALL_ITEMS = 40, COMPONENTS = 8 };

static bool is_in(const order_case *c, uint32_t item, uint32_t group) {
    while (item != group && item != 0) {
        item = c->items[item].parent;
    }
    return item == group;
}

// The child of `group` that an item is in, or is.
static uint32_t child_with(const order_case *c, uint32_t group, uint32_t item) {
    while (c->items[item].parent != group) {
        item = c->items[item].parent;
    }
    return item;
}

static void add_random_item(order_case *c, oxi_random *random) {
    uint32_t parent = (uint32_t)oxi_random_below(random, c->item_count);
    while (!c->items[parent].is_group) {
        parent = c->items[parent].parent;
    }
    char name[16], accesses[32];
    snprintf(name, sizeof name, "%c%u", (int)('A' + oxi_random_below(random, 26)),
             (unsigned)c->item_count);
    unsigned component = 1 + (unsigned)oxi_random_below(random, COMPONENTS);
    snprintf(accesses, sizeof accesses, "%c%u %c%u", oxi_random_bool(random) ? 'r' : 'w', component,
             oxi_random_bool(random) ? 'r' : 'w',
             component + 1 + (unsigned)oxi_random_below(random, COMPONENTS));
    uint32_t item = add_item(c, name, parent, accesses);
    c->items[item].is_group = oxi_random_below(random, 4) == 0;
    c->items[item].is_job = !c->items[item].is_group && oxi_random_bool(random);
    c->items[item].use_count = c->items[item].is_group ? 0 : c->items[item].use_count;
    uint64_t place = oxi_random_below(random, 12);
    c->items[item].place = place == 0 ? OX_PHASE_FIRST : place == 1 ? OX_PHASE_LAST : OX_PHASE_ANY;
}

static order_case *begin_random_case(oxi_random *random) {
    order_case *c = begin_case();
    uint32_t count = 1 + (uint32_t)oxi_random_below(random, SMALL_ITEMS);
    for (uint32_t k = 0; k < count; k++) {
        add_random_item(c, random);
    }
    return c;
}

static void find_places(const order_case *c, uint32_t *place_of) {
    for (uint32_t k = 0; k < c->order.sequence.count; k++) {
        place_of[c->order.sequence.items[k]] = k;
    }
}

// Constraints that all hold in some order: one that ranks make.
static void add_legal_constraints(order_case *c, oxi_random *random) {
    uint32_t ranks[MOST_ITEMS], place_of[MOST_ITEMS];
    for (uint32_t k = 0; k < c->item_count; k++) {
        ranks[k] = (uint32_t)oxi_random_below(random, 1000);
    }
    c->ranks = ranks;
    EXPECT(make_order(c));
    c->ranks = NULL;
    find_places(c, place_of);
    uint64_t count = oxi_random_below(random, c->item_count * 2);
    for (uint64_t k = 0; k < count; k++) {
        uint32_t a = (uint32_t)oxi_random_below(random, c->item_count);
        uint32_t b = (uint32_t)oxi_random_below(random, c->item_count);
        uint32_t said_by = oxi_random_bool(random) ? a : b;
        if (a != b) {
            c->constraints[c->constraint_count++] = place_of[a] < place_of[b]
                                                        ? (oxi_order_constraint){a, b, said_by}
                                                        : (oxi_order_constraint){b, a, said_by};
        }
    }
}

static void add_any_constraints(order_case *c, oxi_random *random) {
    uint64_t count = oxi_random_below(random, c->item_count * 2);
    for (uint64_t k = 0; k < count; k++) {
        uint32_t a = (uint32_t)oxi_random_below(random, c->item_count);
        uint32_t b = (uint32_t)oxi_random_below(random, c->item_count);
        c->constraints[c->constraint_count++] =
            (oxi_order_constraint){a, b, oxi_random_bool(random) ? a : b};
    }
}

static int place_number(const order_case *c, uint32_t item) {
    static const int numbers[] = {[OX_PHASE_FIRST] = 0, [OX_PHASE_ANY] = 1, [OX_PHASE_LAST] = 2};
    return numbers[c->items[item].place];
}

// Every group is right before what is in it, siblings keep to their places, constraints hold.
static void expect_legal(const order_case *c, const uint32_t *place_of) {
    EXPECT_EQ(c->order.sequence.count, c->item_count);
    for (uint32_t a = 0; a < c->item_count; a++) {
        EXPECT_EQ(c->order.sequence.items[place_of[a]], a);
        uint32_t size = 0;
        for (uint32_t b = 0; b < c->item_count; b++) {
            bool are_siblings = a != 0 && b != 0 && c->items[a].parent == c->items[b].parent;
            size += is_in(c, b, a);
            EXPECT(!is_in(c, b, a) || place_of[b] >= place_of[a]);
            EXPECT(!are_siblings || place_number(c, a) >= place_number(c, b) ||
                   place_of[a] < place_of[b]);
        }
        EXPECT(is_in(c, c->order.sequence.items[place_of[a] + size - 1], a));
    }
    for (uint32_t k = 0; k < c->constraint_count; k++) {
        uint32_t a = c->constraints[k].before, b = c->constraints[k].after;
        EXPECT(c->order.dropped.items[k] != 0 || is_in(c, a, b) || is_in(c, b, a) ||
               place_of[a] < place_of[b]);
    }
}

// True when a constraint says that a sibling with a later place comes before.
static bool waits_for_later(const order_case *c, const uint32_t *place_of, uint32_t item,
                            uint32_t place) {
    uint32_t group = c->items[item].parent;
    for (uint32_t k = 0; k < c->constraint_count; k++) {
        uint32_t a = c->constraints[k].before, b = c->constraints[k].after;
        if (c->order.dropped.items[k] == 0 && is_in(c, b, item) && is_in(c, a, group) &&
            a != group && !is_in(c, a, item) && place_of[child_with(c, group, a)] >= place) {
            return true;
        }
    }
    return false;
}

// The rule by the letter: 0 for jobs, 1 for none, else 2 + the place of the latest conflict before
// `place`.
static uint32_t turn_naively(const order_case *c, uint32_t item, uint32_t place) {
    bool has_jobs = false, has_main = false;
    uint32_t turn = 1, component;
    for (uint32_t k = 0; k < c->item_count; k++) {
        const oxi_order_item *system = &c->items[k];
        if (system->is_group || !is_in(c, k, item)) {
            continue;
        }
        has_jobs = has_jobs || system->is_job;
        has_main = has_main || !system->is_job;
        for (uint32_t n = 0; n < place && !system->is_job; n++) {
            const oxi_order_item *job = &c->items[c->order.sequence.items[n]];
            bool conflicts =
                job->is_job && oxi_uses_conflict(system->uses, system->use_count, job->uses,
                                                 job->use_count, &component);
            turn = conflicts && n + 2 > turn ? n + 2 : turn;
        }
    }
    return has_jobs && !has_main ? 0 : turn;
}

// No sibling that could have come in the place of an item goes before it by the rule.
static void expect_rule(const order_case *c, const uint32_t *place_of, uint32_t item) {
    uint32_t turn = turn_naively(c, item, place_of[item]);
    for (uint32_t other = 1; other < c->item_count; other++) {
        if (c->items[other].parent != c->items[item].parent || place_of[other] <= place_of[item] ||
            place_number(c, other) != place_number(c, item) ||
            waits_for_later(c, place_of, other, place_of[item])) {
            continue;
        }
        uint32_t other_turn = turn_naively(c, other, place_of[item]);
        bool is_right = turn < other_turn ||
                        (turn == other_turn && strcmp(c->names[item], c->names[other]) < 0);
        if (!is_right) {
            test_fail(__FILE__, __LINE__, "'%s' comes before '%s'", c->names[item],
                      c->names[other]);
        }
    }
}

TEST(order_random, constraints_that_can_hold_do_and_each_step_is_by_the_rule) {
    oxi_random random = oxi_random_seed(test_seed(1));
    for (uint64_t round = 0; round < test_scaled(ROUNDS); round++) {
        order_case *c = begin_random_case(&random);
        add_legal_constraints(c, &random);

        EXPECT(make_order(c));

        uint32_t place_of[MOST_ITEMS];
        find_places(c, place_of);
        expect_legal(c, place_of);
        EXPECT_EQ(c->reports.count, 0);
        for (uint32_t item = 1; item < c->item_count; item++) {
            expect_rule(c, place_of, item);
        }
        end_case(c);
    }
}

TEST(order_random, what_is_not_dropped_holds) {
    oxi_random random = oxi_random_seed(test_seed(2));
    for (uint64_t round = 0; round < test_scaled(ROUNDS); round++) {
        order_case *c = begin_random_case(&random);
        add_any_constraints(c, &random);

        EXPECT(make_order(c));

        uint32_t place_of[MOST_ITEMS], dropped_count = 0;
        find_places(c, place_of);
        expect_legal(c, place_of);
        for (uint32_t k = 0; k < c->constraint_count; k++) {
            dropped_count += c->order.dropped.items[k];
        }
        EXPECT_EQ(dropped_count > 0, c->reports.count > 0);
        end_case(c);
    }
}

// Writes a random order of 0 to count - 1 in which 0 stays first.
static void shuffle_numbers(uint32_t *numbers, uint32_t count, oxi_random *random) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = k > 1 ? 1 + (uint32_t)oxi_random_below(random, k) : k;
        numbers[k] = numbers[place];
        numbers[place] = k;
    }
}

// The same case with items and constraints in another order; `moved` is where each item is.
static void shuffle_case(const order_case *c, order_case *other, uint32_t *moved,
                         oxi_random *random) {
    *other = *c;
    other->order = (oxi_system_order){0};
    other->reports = (collected_reports){0};
    other->sink.handler.context = &other->reports;
    shuffle_numbers(moved, c->item_count, random);
    for (uint32_t k = 0; k < c->item_count; k++) {
        other->items[moved[k]] = c->items[k];
        other->items[moved[k]].parent = moved[c->items[k].parent];
    }
    uint32_t places[MOST_CONSTRAINTS];
    shuffle_numbers(places, c->constraint_count, random);
    for (uint32_t k = 0; k < c->constraint_count; k++) {
        oxi_order_constraint said = c->constraints[k];
        other->constraints[places[k]] =
            (oxi_order_constraint){moved[said.before], moved[said.after], moved[said.said_by]};
    }
}

TEST(order_random, the_order_of_the_input_does_not_matter) {
    static order_case other;
    uint32_t moved[MOST_ITEMS];
    oxi_random random = oxi_random_seed(test_seed(3));
    for (uint64_t round = 0; round < test_scaled(ROUNDS); round++) {
        order_case *c = begin_random_case(&random);
        add_any_constraints(c, &random);
        shuffle_case(c, &other, moved, &random);

        EXPECT(make_order(c) && make_order(&other));

        EXPECT_EQ(other.reports.count, c->reports.count);
        EXPECT_STR(other.reports.text, c->reports.text);
        for (uint32_t k = 0; k < c->item_count; k++) {
            uint32_t item = c->order.sequence.items[k];
            oxi_order_reason reason = c->order.reasons.items[item];
            EXPECT_EQ(other.order.sequence.items[k], moved[item]);
            EXPECT_EQ(other.order.reasons.items[moved[item]].choice, reason.choice);
            EXPECT_EQ(other.order.reasons.items[moved[item]].other, moved[reason.other]);
        }
        end_case(c);
        end_case(&other);
    }
}
