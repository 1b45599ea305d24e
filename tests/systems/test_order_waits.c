// SPDX-License-Identifier: MIT
//
// How good the rule is: in a simple model, how long main waits in the order of the rule, compared
// with all legal orders of a few systems.
//
// In the model each system takes a quarter of a unit on main. A job system then has a job of one
// unit, which begins when the jobs before it that it conflicts with are done; there is a worker for
// each. A system on main first waits for the jobs before it that it conflicts with.
//
// The waits of one frame alone say little: there the best is to schedule all jobs last, since
// nobody waits for them any more. So what counts is a frame at whose end main waits for all jobs,
// and frame after frame, where main meets the jobs of the frame before.

#include "order_test.h"

enum { WAIT_CASES = 2000, MOST_SYSTEMS = 7, FIRST_FRAMES = 2, FRAMES = 6 };

enum { ONE_FRAME, FRAME_WITH_END, FRAME_AFTER_FRAME, MEASURES };
static const char *const measure_names[] = {"one frame alone", "one frame with its end",
                                            "frame after frame"};

// Systems by number, without the group of all.
typedef struct frame_model {
    uint32_t count;
    bool is_job[MOST_SYSTEMS];
    uint32_t conflicts[MOST_SYSTEMS]; // bits: job systems that it conflicts with
    uint32_t before[MOST_SYSTEMS];    // bits: systems that come before it
} frame_model;

typedef struct frame_state {
    double now;
    double waited;
    double done[MOST_SYSTEMS]; // when the jobs of each system are
} frame_state;

// How long main waits, by measure.
typedef struct frame_waits {
    double of[MEASURES];
} frame_waits;

// Of all legal orders of one case, or, with those of the rule, of all cases.
typedef struct wait_sums {
    frame_waits best;
    frame_waits mean;
    frame_waits rule;
    frame_waits ratio; // of the best to the rule, both + 1
    uint64_t best_count[MEASURES];
    uint64_t count;
} wait_sums;

static void run_system(const frame_model *model, frame_state *state, uint32_t system) {
    double ready = state->now;
    for (uint32_t k = 0; k < model->count; k++) {
        bool is_in_way = (model->conflicts[system] >> k & 1) != 0;
        ready = is_in_way && state->done[k] > ready ? state->done[k] : ready;
    }
    if (model->is_job[system]) {
        state->now += 0.25;
        state->done[system] = (ready > state->now ? ready : state->now) + 1;
    } else {
        state->waited += ready - state->now;
        state->now = ready + 0.25;
    }
}

static void run_frame(const frame_model *model, frame_state *state, const uint32_t *order) {
    for (uint32_t k = 0; k < model->count; k++) {
        run_system(model, state, order[k]);
    }
}

static frame_waits run_frames(const frame_model *model, const uint32_t *order) {
    frame_state state = {0};
    run_frame(model, &state, order);
    double first = state.waited, end = state.now;
    for (uint32_t k = 0; k < model->count; k++) {
        end = state.done[k] > end ? state.done[k] : end;
    }
    frame_waits waits = {{first, first + end - state.now, 0}};
    for (int frame = 1; frame < FRAMES; frame++) {
        first = frame == FIRST_FRAMES ? state.waited : first;
        run_frame(model, &state, order);
    }
    waits.of[FRAME_AFTER_FRAME] = (state.waited - first) / (FRAMES - FIRST_FRAMES);
    return waits;
}

static void add_order(const frame_model *model, const uint32_t *order, wait_sums *sums) {
    frame_waits waits = run_frames(model, order);
    for (int k = 0; k < MEASURES; k++) {
        bool is_best = sums->count == 0 || waits.of[k] < sums->best.of[k];
        sums->best.of[k] = is_best ? waits.of[k] : sums->best.of[k];
        sums->mean.of[k] += waits.of[k];
    }
    sums->count++;
}

// Adds all legal orders that begin with the first `count` of `order`, which are the bits of `ran`.
static void add_all_orders(const frame_model *model, uint32_t *order, uint32_t count, uint32_t ran,
                           wait_sums *sums) {
    if (count == model->count) {
        add_order(model, order, sums);
        return;
    }
    for (uint32_t k = 0; k < model->count; k++) {
        if ((ran >> k & 1) == 0 && (model->before[k] & ~ran) == 0) {
            order[count] = k;
            add_all_orders(model, order, count + 1, ran | 1u << k, sums);
        }
    }
}

static order_case *begin_wait_case(oxi_random *random) {
    order_case *c = begin_case();
    uint32_t count = 2 + (uint32_t)oxi_random_below(random, MOST_SYSTEMS - 1);
    for (uint32_t k = 1; k <= count; k++) {
        char name[16], accesses[32];
        snprintf(name, sizeof name, "%c%u", (int)('A' + oxi_random_below(random, 26)), (unsigned)k);
        snprintf(accesses, sizeof accesses, "%c%u %c%u", oxi_random_below(random, 3) ? 'r' : 'w',
                 1 + (unsigned)oxi_random_below(random, 3), oxi_random_below(random, 3) ? 'r' : 'w',
                 4 + (unsigned)oxi_random_below(random, 3));
        c->items[add_item(c, name, 0, accesses)].is_job = oxi_random_bool(random);
        if (k > 1 && oxi_random_below(random, 3) == 0) {
            uint32_t before = 1 + (uint32_t)oxi_random_below(random, k - 1);
            c->constraints[c->constraint_count++] = (oxi_order_constraint){before, k, k};
        }
    }
    return c;
}

static uint32_t jobs_in_conflict(const order_case *c, const oxi_order_item *system) {
    uint32_t jobs = 0, component;
    for (uint32_t k = 1; k < c->item_count; k++) {
        const oxi_order_item *job = &c->items[k];
        if (job->is_job && oxi_uses_conflict(system->uses, system->use_count, job->uses,
                                             job->use_count, &component)) {
            jobs |= 1u << (k - 1);
        }
    }
    return jobs;
}

static frame_model model_of(const order_case *c) {
    frame_model model = {.count = c->item_count - 1};
    for (uint32_t k = 0; k < model.count; k++) {
        model.is_job[k] = c->items[k + 1].is_job;
        model.conflicts[k] = jobs_in_conflict(c, &c->items[k + 1]);
    }
    for (uint32_t k = 0; k < c->constraint_count; k++) {
        model.before[c->constraints[k].after - 1] |= 1u << (c->constraints[k].before - 1);
    }
    return model;
}

// Runs one case and adds it to the sums of all.
static void add_case(oxi_random *random, wait_sums *all) {
    order_case *c = begin_wait_case(random);
    frame_model model = model_of(c);
    uint32_t order[MOST_SYSTEMS];
    wait_sums sums = {0};
    add_all_orders(&model, order, 0, 0, &sums);
    EXPECT(make_order(c));
    for (uint32_t k = 0; k < model.count; k++) {
        order[k] = c->order.sequence.items[k + 1] - 1;
    }
    frame_waits rule = run_frames(&model, order);
    for (int k = 0; k < MEASURES; k++) {
        EXPECT(rule.of[k] >= sums.best.of[k]);
        all->rule.of[k] += rule.of[k];
        all->best.of[k] += sums.best.of[k];
        all->mean.of[k] += sums.mean.of[k] / (double)sums.count;
        all->ratio.of[k] += (sums.best.of[k] + 1) / (rule.of[k] + 1);
        all->best_count[k] += rule.of[k] == sums.best.of[k];
    }
    all->count++;
    end_case(c);
}

TEST(order_waits, the_rule_is_near_the_best_order_and_far_from_an_average_one) {
    oxi_random random = oxi_random_seed(test_seed(4));
    wait_sums all = {0};
    for (uint64_t k = 0; k < test_scaled(WAIT_CASES); k++) {
        add_case(&random, &all);
    }

    double count = (double)all.count;
    for (int k = 0; k < MEASURES; k++) {
        printf("main waits, %s: rule %.3f, best order %.3f, mean of all legal orders %.3f; "
               "(best + 1) / (rule + 1) %.3f; the rule is best in %.1f %% of %.0f cases\n",
               measure_names[k], all.rule.of[k] / count, all.best.of[k] / count,
               all.mean.of[k] / count, all.ratio.of[k] / count,
               100 * (double)all.best_count[k] / count, count);
    }
    for (int k = FRAME_WITH_END; k < MEASURES && all.count >= 300; k++) {
        EXPECT(all.rule.of[k] < 0.9 * all.mean.of[k]);
        EXPECT(all.ratio.of[k] > 0.88 * count);
    }
}
