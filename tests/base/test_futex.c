// SPDX-License-Identifier: MIT
//
// Waiting on a word, on the system's futex and on the portable form that stands in for it. Every
// test runs on both.

#include "test.h"

#include "base/platform.h"

typedef oxi_wait_result wait_fn(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns);
typedef void wake_fn(oxi_atomic_u32 *word, uint32_t count);

typedef struct waiting {
    wait_fn *wait;
    wake_fn *wake;
} waiting;

static const waiting forms[] = {{oxi_futex_wait, oxi_futex_wake},
                                {oxi_portable_wait, oxi_portable_wake}};
enum { FORMS = 2 };

#define MILLISECOND UINT64_C(1000000)

TEST(futex, word_that_is_another_is_not_waited_for) {
    oxi_atomic_u32 word = 5;

    for (int k = 0; k < FORMS; k++) {
        EXPECT_EQ(forms[k].wait(&word, 4, OXI_WAIT_FOREVER), OXI_WAIT_CHANGED);
        EXPECT_EQ(forms[k].wait(&word, 6, 0), OXI_WAIT_CHANGED);
        EXPECT_EQ(forms[k].wait(&word, 0, OXI_WAIT_FOREVER - 1), OXI_WAIT_CHANGED);
    }
}

// Waking for no reason is allowed, so one of several waits has to time out.
static bool times_out(const waiting *form, oxi_atomic_u32 *word, uint64_t timeout_ns) {
    oxi_wait_result result = OXI_WAIT_WOKEN;
    for (int k = 0; k < 10 && result == OXI_WAIT_WOKEN; k++) {
        result = form->wait(word, oxi_load_relaxed(word), timeout_ns);
    }
    return result == OXI_WAIT_TIMED_OUT;
}

TEST(futex, wait_without_a_wake_times_out) {
    const uint64_t times[] = {0, 1, 999, MILLISECOND, 20 * MILLISECOND};
    oxi_atomic_u32 word = 5;

    for (int k = 0; k < 5 * FORMS; k++) {
        EXPECT(times_out(&forms[k % FORMS], &word, times[k / FORMS]));
    }
}

TEST(futex, waking_nobody_does_nothing) {
    oxi_atomic_u32 word = 5;

    for (int k = 0; k < FORMS; k++) {
        forms[k].wake(&word, 0);
        forms[k].wake(&word, 1);
        forms[k].wake(&word, UINT32_MAX);
    }

    EXPECT_EQ(oxi_load_relaxed(&word), 5);
}

// Threads that wait for a word to leave 0.
typedef struct sleepers {
    const waiting *form;
    oxi_atomic_u32 word;
    oxi_atomic_u32 ready;
    oxi_atomic_u32 returned;
    oxi_atomic_u32 timed_out;
    uint64_t timeout;
} sleepers;

static void sleep_until_changed(void *context) {
    sleepers *group = context;
    oxi_add_acq_rel(&group->ready, 1);
    while (oxi_load_acquire(&group->word) == 0) {
        oxi_wait_result result = group->form->wait(&group->word, 0, group->timeout);
        oxi_add_acq_rel(&group->timed_out, result == OXI_WAIT_TIMED_OUT ? 1 : 0);
    }
    oxi_add_acq_rel(&group->returned, 1);
}

static void start_sleepers(sleepers *group, oxi_thread *threads, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        EXPECT(oxi_thread_start(&threads[k], sleep_until_changed, group, "sleeper"));
    }
    while (oxi_load_acquire(&group->ready) < count) {
        oxi_thread_yield();
    }
    oxi_atomic_u32 never = 0;
    group->form->wait(&never, 0, 5 * MILLISECOND);
}

// An order and no time: of two that wait, the one that was to wait less is the one that times out.
TEST(futex, short_waits_time_out_before_a_long_one) {
    for (int k = 0; k < FORMS; k++) {
        oxi_thread thread;
        sleepers group = {.form = &forms[k], .timeout = 3600000 * MILLISECOND};
        oxi_atomic_u32 own = 0;
        start_sleepers(&group, &thread, 1);

        EXPECT(times_out(&forms[k], &own, MILLISECOND));
        EXPECT(times_out(&forms[k], &own, 20 * MILLISECOND));

        EXPECT_EQ(oxi_load_acquire(&group.timed_out), 0);
        oxi_store_release(&group.word, 1);
        group.form->wake(&group.word, 1);
        oxi_thread_join(&thread);
        EXPECT_EQ(oxi_load_relaxed(&group.timed_out), 0); // it was woken
    }
}

TEST(futex, wake_all_wakes_everybody) {
    for (int k = 0; k < FORMS; k++) {
        oxi_thread threads[8];
        sleepers group = {.form = &forms[k], .timeout = OXI_WAIT_FOREVER};
        start_sleepers(&group, threads, 8);
        EXPECT_EQ(oxi_load_relaxed(&group.returned), 0);

        oxi_store_release(&group.word, 1);
        group.form->wake(&group.word, UINT32_MAX);

        for (int t = 0; t < 8; t++) {
            oxi_thread_join(&threads[t]);
        }
        EXPECT_EQ(oxi_load_relaxed(&group.returned), 8);
    }
}

TEST(futex, wakes_of_one_wake_one_each) {
    for (int k = 0; k < FORMS; k++) {
        oxi_thread threads[8];
        sleepers group = {.form = &forms[k], .timeout = OXI_WAIT_FOREVER};
        start_sleepers(&group, threads, 8);

        oxi_store_release(&group.word, 1);
        for (int t = 0; t < 8; t++) {
            group.form->wake(&group.word, 1);
        }

        for (int t = 0; t < 8; t++) {
            oxi_thread_join(&threads[t]);
        }
    }
}

TEST(futex, timeout_of_ages_is_waited_for) {
    for (int k = 0; k < FORMS; k++) {
        oxi_thread thread;
        sleepers group = {.form = &forms[k], .timeout = OXI_WAIT_FOREVER - 1};
        start_sleepers(&group, &thread, 1);
        EXPECT_EQ(oxi_load_relaxed(&group.returned), 0);

        oxi_store_release(&group.word, 1);
        group.form->wake(&group.word, 1);

        oxi_thread_join(&thread);
    }
}

// Two threads that pass a ball: the word counts the passes.
typedef struct ball {
    const waiting *form;
    oxi_atomic_u32 word;
    uint32_t rounds;
    uint64_t sum; // not atomic on purpose: the word orders its accesses
} ball;

static void play(ball *game, uint32_t side) {
    for (uint32_t round = side; round < game->rounds; round += 2) {
        for (uint32_t now; (now = oxi_load_acquire(&game->word)) != round;) {
            game->form->wait(&game->word, now, OXI_WAIT_FOREVER);
        }
        game->sum += round;
        oxi_store_release(&game->word, round + 1);
        game->form->wake(&game->word, 1);
    }
}

static void play_second(void *context) {
    play(context, 1);
}

TEST(futex, ball_is_passed_ten_thousand_times) {
    for (int k = 0; k < FORMS; k++) {
        ball game = {.form = &forms[k], .rounds = 10000};
        oxi_thread second;
        EXPECT(oxi_thread_start(&second, play_second, &game, "second"));

        play(&game, 0);

        oxi_thread_join(&second);
        EXPECT_EQ(oxi_load_relaxed(&game.word), 10000);
        EXPECT_EQ(game.sum, UINT64_C(9999) * 10000 / 2);
    }
}

TEST(futex, words_in_one_bucket_do_not_lose_wakes) {
    enum { WORDS = 200 };
    for (int k = 0; k < FORMS; k++) {
        static oxi_atomic_u32 words[WORDS];
        oxi_thread threads[2];
        sleepers groups[2] = {{.form = &forms[k], .timeout = OXI_WAIT_FOREVER},
                              {.form = &forms[k], .timeout = OXI_WAIT_FOREVER}};
        start_sleepers(&groups[0], &threads[0], 1);
        start_sleepers(&groups[1], &threads[1], 1);

        for (int w = 0; w < WORDS; w++) {
            forms[k].wake(&words[w], UINT32_MAX);
        }

        EXPECT_EQ(oxi_load_relaxed(&groups[0].returned) + oxi_load_relaxed(&groups[1].returned), 0);
        for (int g = 0; g < 2; g++) {
            oxi_store_release(&groups[g].word, 1);
            forms[k].wake(&groups[g].word, 1);
            oxi_thread_join(&threads[g]);
        }
    }
}
