// SPDX-License-Identifier: MIT
//
// The checker itself: what C11 allows is found, and what it forbids is not.

#include "model/scenario.h"

#include "model/model_atomics.h"

static struct {
    oxi_atomic_u32 x, y, sleepers, wake;
    uint32_t plain;
    uint32_t seen[MODEL_THREADS];
} litmus;

static void clear_litmus(void) {
    static bool is_watched;
    if (!is_watched) {
        model_watch(&litmus, sizeof litmus);
        is_watched = true;
    }
    memset(&litmus, 0, sizeof litmus);
}

// Store buffering: each thread stores one word and then loads the other's.

static void store_x_release_load_y_seq(void) {
    oxi_store_release(&litmus.x, 1);
    litmus.seen[0] = oxi_load_seq(&litmus.y);
}

static void store_x_seq_load_y_seq(void) {
    oxi_store_seq(&litmus.x, 1);
    litmus.seen[0] = oxi_load_seq(&litmus.y);
}

static void store_x_seq_load_y_acquire(void) {
    oxi_store_seq(&litmus.x, 1);
    litmus.seen[0] = oxi_load_acquire(&litmus.y);
}

static void store_y_seq_load_x_seq(void) {
    oxi_store_seq(&litmus.y, 1);
    litmus.seen[1] = oxi_load_seq(&litmus.x);
}

static void change_x_seq_load_y_seq(void) {
    oxi_or_seq(&litmus.x, 1);
    litmus.seen[0] = oxi_load_seq(&litmus.y);
}

static void check_one_saw_the_other(void) {
    MODEL_CHECK(litmus.seen[0] == 1 || litmus.seen[1] == 1);
}

#define LITMUS(first, second, end)                                                                 \
    (&(const model_scenario){"litmus", 3, clear_litmus, {first, second}, end, 0})

TEST(checker, store_buffering_with_a_release_store_is_caught) {
    expect_failure(
        LITMUS(store_x_release_load_y_seq, store_y_seq_load_x_seq, check_one_saw_the_other),
        "is false");
}

TEST(checker, store_buffering_with_an_acquire_load_is_caught) {
    expect_failure(
        LITMUS(store_x_seq_load_y_acquire, store_y_seq_load_x_seq, check_one_saw_the_other),
        "is false");
}

TEST(checker, store_buffering_with_seq_cst_everywhere_passes) {
    expect_success(LITMUS(store_x_seq_load_y_seq, store_y_seq_load_x_seq, check_one_saw_the_other));
    expect_success(
        LITMUS(change_x_seq_load_y_seq, store_y_seq_load_x_seq, check_one_saw_the_other));
}

// A store may stay in the store buffer while another thread changes its word.

static void store_x_relaxed_load_y_seq(void) {
    oxi_store_relaxed(&litmus.x, 1);
    litmus.seen[0] = oxi_load_seq(&litmus.y);
}

static void change_x_load_y_seq(void) {
    oxi_exchange_acq_rel(&litmus.x, 1);
    litmus.seen[0] = oxi_load_seq(&litmus.y);
}

static void store_y_seq_change_x(void) {
    oxi_store_seq(&litmus.y, 1);
    litmus.seen[1] = oxi_exchange_acq_rel(&litmus.x, 2);
}

TEST(checker, a_change_of_a_word_that_has_a_store_on_its_way_is_caught) {
    expect_failure(
        LITMUS(store_x_relaxed_load_y_seq, store_y_seq_change_x, check_one_saw_the_other),
        "is false");
    expect_success(LITMUS(change_x_load_y_seq, store_y_seq_change_x, check_one_saw_the_other));
}

// A seq_cst operation on a third word is no fence between the other two.

static void store_x_fence_load_y(void) {
    oxi_store_release(&litmus.x, 1);
    oxi_add_seq(&litmus.sleepers, 1);
    litmus.seen[0] = oxi_load_acquire(&litmus.y);
}

static void store_y_fence_load_x(void) {
    oxi_store_release(&litmus.y, 1);
    oxi_load_seq(&litmus.sleepers);
    litmus.seen[1] = oxi_load_acquire(&litmus.x);
}

TEST(checker, a_seq_cst_access_of_another_word_is_no_fence) {
    expect_failure(LITMUS(store_x_fence_load_y, store_y_fence_load_x, check_one_saw_the_other),
                   "is false");
}

// The lost wake-up: publish and look for sleepers, against announce and look for work.

static void wake_sleeper(void) {
    if (oxi_load_seq(&litmus.sleepers) != 0) {
        oxi_store_release(&litmus.wake, 1);
        model_futex_wake(&litmus.wake, 1);
    }
}

static void publish_by_release(void) {
    oxi_store_release(&litmus.x, 1);
    wake_sleeper();
}

static void publish_by_seq(void) {
    oxi_store_seq(&litmus.x, 1);
    wake_sleeper();
}

static void sleep_until_published(void) {
    oxi_store_seq(&litmus.sleepers, 1);
    if (oxi_load_seq(&litmus.x) == 0) {
        while (oxi_load_acquire(&litmus.wake) == 0) {
            model_futex_wait(&litmus.wake, 0);
        }
    }
}

TEST(checker, a_wake_up_lost_to_a_release_store_is_caught) {
    expect_failure(LITMUS(publish_by_release, sleep_until_published, NULL),
                   "thread 1 sleeps for ever");
}

TEST(checker, no_wake_up_is_lost_with_seq_cst_on_both_words) {
    expect_success(LITMUS(publish_by_seq, sleep_until_published, NULL));
}

// Message passing: plain data behind a flag.

static void send_release(void) {
    litmus.plain = 7;
    oxi_store_release(&litmus.x, 1);
}

static void send_relaxed(void) {
    litmus.plain = 7;
    oxi_store_relaxed(&litmus.x, 1);
}

static void receive_acquire(void) {
    if (oxi_load_acquire(&litmus.x) != 0) {
        MODEL_CHECK(litmus.plain == 7);
    }
}

static void receive_relaxed(void) {
    if (oxi_load_relaxed(&litmus.x) != 0) {
        MODEL_CHECK(litmus.plain == 7);
    }
}

TEST(checker, message_passing_needs_release_and_acquire) {
    expect_success(LITMUS(send_release, receive_acquire, NULL));
    expect_failure(LITMUS(send_relaxed, receive_acquire, NULL), "race: ");
    expect_failure(LITMUS(send_release, receive_relaxed, NULL), "race: ");
}

// Release sequences: a change keeps what it read released, a store does not.

static void pass_on_by_change(void) {
    oxi_add_relaxed(&litmus.x, 1);
}

static void pass_on_by_store(void) {
    if (oxi_load_relaxed(&litmus.x) == 1) {
        oxi_store_relaxed(&litmus.x, 2);
    }
}

static void receive_two(void) {
    if (oxi_load_acquire(&litmus.x) == 2) {
        MODEL_CHECK(litmus.plain == 7);
    }
}

#define LITMUS3(first, second, third)                                                              \
    (&(const model_scenario){"litmus", 3, clear_litmus, {first, second, third}, NULL, 0})

// The change may also come first: then there are two of it, and one store of 1 on top.
static void send_by_change(void) {
    litmus.plain = 7;
    oxi_add_acq_rel(&litmus.x, 1);
}

TEST(checker, a_change_continues_a_release_sequence_and_a_store_ends_it) {
    expect_success(LITMUS3(send_by_change, pass_on_by_change, receive_two));
    expect_failure(LITMUS3(send_release, pass_on_by_store, receive_two), "race: ");
}

// Coherence: two loads of one word never go back, also across threads.

static void store_twice(void) {
    oxi_store_relaxed(&litmus.x, 1);
    oxi_store_relaxed(&litmus.x, 2);
}

static void read_twice(void) {
    uint32_t first = oxi_load_relaxed(&litmus.x);
    MODEL_CHECK(oxi_load_relaxed(&litmus.x) >= first);
}

static void read_and_tell(void) {
    litmus.plain = oxi_load_relaxed(&litmus.x);
    oxi_store_release(&litmus.y, 1);
}

static void read_after_told(void) {
    if (oxi_load_acquire(&litmus.y) != 0) {
        MODEL_CHECK(oxi_load_relaxed(&litmus.x) >= litmus.plain);
    }
}

TEST(checker, loads_of_one_word_never_go_back) {
    expect_success(LITMUS(store_twice, read_twice, NULL));
    expect_success(LITMUS3(store_twice, read_and_tell, read_after_told));
}

// Independent reads of independent writes.

static void write_x_seq(void) {
    oxi_store_seq(&litmus.x, 1);
}

static void write_y_seq(void) {
    oxi_store_seq(&litmus.y, 1);
}

static void write_x(void) {
    oxi_store_release(&litmus.x, 1);
}

static void write_y(void) {
    oxi_store_release(&litmus.y, 1);
}

static void read_x_then_y(void) {
    litmus.seen[0] = oxi_load_seq(&litmus.x);
    litmus.seen[1] = oxi_load_seq(&litmus.y);
}

static void read_y_then_x(void) {
    litmus.seen[2] = oxi_load_seq(&litmus.y);
    litmus.seen[3] = oxi_load_seq(&litmus.x);
}

static void check_same_order(void) {
    bool x_first = litmus.seen[0] == 1 && litmus.seen[1] == 0;
    bool y_first = litmus.seen[2] == 1 && litmus.seen[3] == 0;
    MODEL_CHECK(!x_first || !y_first);
}

TEST(checker, readers_agree_on_the_order_of_seq_cst_stores_only) {
    model_scenario readers = {
        "litmus",         3, clear_litmus, {write_x_seq, write_y_seq, read_x_then_y, read_y_then_x},
        check_same_order, 0};
    expect_success(&readers);
    readers.threads[0] = write_x;
    readers.threads[1] = write_y;
    expect_failure(&readers, "is false");
}

// What is not about orders: deadlock, use after free, an end that never comes, changes are whole.

static void sleep_on_wake(void) {
    model_futex_wait(&litmus.wake, 0);
}

static void wake_first(void) {
    model_futex_wake(&litmus.wake, 1);
}

TEST(checker, a_thread_that_nobody_wakes_is_caught) {
    expect_failure(LITMUS(sleep_on_wake, wake_first, NULL), "thread 0 sleeps for ever");
}

static void *block;

static void share_block(void) {
    clear_litmus();
    block = model_alloc(8);
    *(uint32_t *)block = 5;
}

static void free_block(void) {
    oxi_store_release(&litmus.x, 1);
    model_free(block, 8);
}

static void use_block(void) {
    if (oxi_load_acquire(&litmus.x) != 0) {
        model_read(block, 4);
    }
}

TEST(checker, a_use_after_the_free_is_caught) {
    expect_failure(&(model_scenario){"litmus", 3, share_block, {free_block, use_block}, NULL, 0},
                   "that was freed");
}

static void spin_for_ever(void) {
    while (oxi_load_relaxed(&litmus.y) == 0) {
    }
}

TEST(checker, an_end_that_never_comes_is_caught) {
    expect_failure(LITMUS(spin_for_ever, write_x, NULL), "no end after");
}

static void add_one(void) {
    oxi_add_relaxed(&litmus.x, 1);
}

static void add_one_in_two_steps(void) {
    uint32_t x = oxi_load_relaxed(&litmus.x);
    oxi_store_relaxed(&litmus.x, x + 1);
}

static void check_sum(void) {
    MODEL_CHECK(litmus.x == 2);
}

TEST(checker, a_change_is_one_step) {
    expect_success(LITMUS(add_one, add_one, check_sum));
    expect_failure(LITMUS(add_one_in_two_steps, add_one_in_two_steps, check_sum), "is false");
}

// A failure comes back from its schedule.

TEST(checker, a_schedule_leads_to_the_same_failure) {
    const model_scenario *scenario = LITMUS(publish_by_release, sleep_until_published, NULL);
    model_result result = model_search(scenario, (model_limits){0});
    EXPECT(result.failed);

    EXPECT(model_replay(scenario, result.schedule));
}
