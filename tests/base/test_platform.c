// SPDX-License-Identifier: MIT
//
// What Oxbow needs of the system: threads and their numbers, the mutex, time, cores and pages.
// Waiting on a word has test_futex.c.

#include "test.h"

#include "base/crowd.h"
#include "base/platform.h"
#include "base/substitute.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

static void run_on_thread(oxi_thread_fn *function, void *context) {
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, function, context, "other"));
    oxi_thread_join(&thread);
}

static void add_one(void *context) {
    ++*(int *)context;
}

TEST(platform, thread_sees_what_was_written_before_and_shows_what_it_wrote) {
    int number = 41;

    run_on_thread(add_one, &number);

    EXPECT_EQ(number, 42);
}

static void read_own_name(void *context) {
    pthread_getname_np(pthread_self(), context, 32);
}

TEST(platform, thread_name_is_cut_to_fifteen_characters) {
    char name[32] = "";
    oxi_thread thread;

    EXPECT(oxi_thread_start(&thread, read_own_name, name, "a name of more than 15 bytes"));
    oxi_thread_join(&thread);

    EXPECT_STR(name, "a name of more ");
}

TEST(platform, thread_may_have_no_name) {
    int number = 0;
    oxi_thread thread;

    EXPECT(oxi_thread_start(&thread, add_one, &number, NULL));
    oxi_thread_join(&thread);

    EXPECT_EQ(number, 1);
}

TEST(platform, refused_thread_starts_nothing) {
    int number = 0;
    oxi_thread thread;
    oxi_fault_plan(OXI_FAULT_ONE, 0);

    EXPECT(!oxi_thread_start(&thread, add_one, &number, "refused"));
    EXPECT(oxi_thread_start(&thread, add_one, &number, "granted"));

    oxi_thread_join(&thread);
    EXPECT_EQ(number, 1);
}

// Threads that wait until all of them have their index.
typedef struct index_group {
    oxi_atomic_u32 arrived;
    uint32_t size;
    uint32_t indexes[64];
} index_group;

static void take_index(void *context) {
    index_group *group = context;
    uint32_t index = oxi_thread_index();
    uint32_t place = oxi_add_acq_rel(&group->arrived, 1);
    group->indexes[place] = index;
    EXPECT_EQ(oxi_thread_index(), index);
    while (oxi_load_acquire(&group->arrived) < group->size) {
        oxi_thread_yield();
    }
}

// Starts `count` threads at once and returns a bit for each index they had, and ~0 when two had
// one.
static uint64_t run_index_group(uint32_t count) {
    index_group group = {.size = count};
    oxi_thread threads[64];
    uint64_t taken = 0;
    for (uint32_t k = 0; k < count; k++) {
        EXPECT(oxi_thread_start(&threads[k], take_index, &group, "index"));
    }
    for (uint32_t k = 0; k < count; k++) {
        oxi_thread_join(&threads[k]);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint64_t bit = group.indexes[k] < 64 ? (uint64_t)1 << group.indexes[k] : taken;
        if ((taken & bit) != 0) {
            return ~(uint64_t)0;
        }
        taken |= bit;
    }
    return taken;
}

TEST(platform, thread_indexes_are_dense_and_unique) {
    EXPECT_EQ(oxi_thread_index(), 0);

    EXPECT_EQ(run_index_group(16), 0x1fffe);
}

TEST(platform, thread_indexes_are_used_again) {
    EXPECT_EQ(oxi_thread_index(), 0);

    for (int k = 0; k < 50; k++) {
        EXPECT_EQ(run_index_group(4), 0x1e);
    }
    EXPECT_EQ(run_index_group(1), 2);
}

TEST(platform, threads_beyond_the_limit_share_the_last_index) {
    oxi_thread_index();
    begin_crowd();

    uint32_t count = crowd_count, sharing = oxi_load_relaxed(&crowd_sharing);
    end_crowd();

    // A system may grant fewer. Main has index 0.
    EXPECT_EQ(sharing, count + 1 > OXI_MAX_THREADS - 1 ? count + 1 - (OXI_MAX_THREADS - 1) : 0);
    EXPECT_EQ(run_index_group(4), 0x1e);
}

static void note_serial(void *context) {
    uint64_t *serial = context;
    *serial = oxi_thread_serial();
    EXPECT_EQ(oxi_thread_serial(), *serial);
}

TEST(platform, thread_serials_are_never_used_again) {
    uint64_t last = oxi_thread_serial(), serial = 0;
    EXPECT_NE(last, 0);

    for (int k = 0; k < 50; k++) {
        run_on_thread(note_serial, &serial);
        EXPECT(serial > last);
        last = serial;
    }
    EXPECT(oxi_thread_serial() < last);
}

static oxi_atomic_u32 exits, other_exits;

static void count_exit(void) {
    oxi_add_relaxed(&exits, 1);
    EXPECT(oxi_thread_index() != 0);
}

static void count_other_exit(void) {
    oxi_add_relaxed(&other_exits, 1);
}

static void ask_for_index(void *context) {
    (void)context;
    oxi_thread_index();
}

static void ask_for_nothing(void *context) {
    (void)context;
}

TEST(platform, exit_functions_run_at_the_end_of_threads_with_an_index) {
    oxi_thread_at_exit(count_exit);
    oxi_thread_at_exit(count_other_exit);
    oxi_thread_at_exit(count_exit);
    uint32_t before = oxi_load_relaxed(&exits), other = oxi_load_relaxed(&other_exits);

    run_on_thread(ask_for_index, NULL);
    EXPECT_EQ(oxi_load_relaxed(&exits), before + 1);
    EXPECT_EQ(oxi_load_relaxed(&other_exits), other + 1);

    run_on_thread(ask_for_nothing, NULL);
    EXPECT_EQ(oxi_load_relaxed(&exits), before + 1);
}

typedef struct guarded {
    oxi_mutex lock;
    int count; // not atomic on purpose
} guarded;

static void count_under_lock(void *context) {
    guarded *shared = context;
    for (int k = 0; k < 10000; k++) {
        oxi_mutex_lock(&shared->lock);
        shared->count++;
        oxi_mutex_unlock(&shared->lock);
    }
}

TEST(platform, mutex_lets_one_thread_in) {
    guarded shared = {OXI_MUTEX_INIT, 0};
    oxi_thread threads[4];

    for (int k = 0; k < 4; k++) {
        EXPECT(oxi_thread_start(&threads[k], count_under_lock, &shared, "locker"));
    }
    for (int k = 0; k < 4; k++) {
        oxi_thread_join(&threads[k]);
    }

    EXPECT_EQ(shared.count, 40000);
}

static oxi_once once = OXI_ONCE_INIT;
static int once_count; // not atomic on purpose

static void happen(void) {
    oxi_thread_yield();
    once_count++;
}

static void run_once(void *context) {
    (void)context;
    oxi_once_run(&once, happen);
    EXPECT_EQ(once_count, 1);
}

TEST(platform, once_happens_once_and_is_over_for_all) {
    oxi_thread threads[8];

    for (int k = 0; k < 8; k++) {
        EXPECT(oxi_thread_start(&threads[k], run_once, NULL, "once"));
    }
    for (int k = 0; k < 8; k++) {
        oxi_thread_join(&threads[k]);
    }

    EXPECT_EQ(once_count, 1);
}

TEST(platform, clock_never_goes_back_and_moves) {
    uint64_t first = oxi_clock_now(), before = first;

    for (int k = 0; k < 100000; k++) {
        uint64_t now = oxi_clock_now();
        EXPECT(now >= before);
        before = now;
    }

    EXPECT(before > first);
}

static uint64_t own_clock(void *context) {
    return ++*(uint64_t *)context;
}

TEST(platform, clock_can_be_replaced_and_restored) {
    uint64_t time = 1000, real = oxi_clock_now();

    oxi_clock_set_source(own_clock, &time);
    EXPECT_EQ(oxi_clock_now(), 1001);
    EXPECT_EQ(oxi_clock_now(), 1002);

    oxi_clock_set_source(NULL, NULL);
    EXPECT(oxi_clock_now() >= real);
    EXPECT_EQ(time, 1002);
}

TEST(platform, cores_are_those_that_the_process_may_use) {
    uint32_t all = oxi_core_count();
    cpu_set_t before, one;
    EXPECT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET(oxi_core_current(), &one);

    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    uint32_t count = oxi_core_count(), current = oxi_core_current();
    sched_setaffinity(0, sizeof before, &before);

    EXPECT(all >= 1);
    EXPECT_EQ(count, 1);
    EXPECT(CPU_ISSET(current, &one));
    EXPECT_EQ(oxi_core_count(), all);
}

static bool is_zero(const char *bytes, size_t size) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

TEST(platform, pages_are_zero_when_committed_and_again_after_decommit) {
    size_t page = oxi_page_size();
    char *pages = oxi_pages_reserve(16 * page);
    EXPECT(pages != NULL && (uintptr_t)pages % page == 0);
    EXPECT(oxi_pages_commit(pages, 8 * page));
    EXPECT(is_zero(pages, 8 * page));
    memset(pages, 1, 8 * page);

    oxi_pages_decommit(pages + 4 * page, 4 * page);
    EXPECT(oxi_pages_commit(pages + 4 * page, 12 * page));

    EXPECT(is_zero(pages + 4 * page, 12 * page));
    EXPECT(pages[0] == 1 && pages[4 * page - 1] == 1);
    oxi_pages_advise_huge(pages, 16 * page);
    EXPECT_EQ(pages[page], 1);
    oxi_pages_release(pages, 16 * page);
}

TEST(platform, pages_may_be_committed_twice) {
    size_t page = oxi_page_size();
    char *pages = oxi_pages_reserve(4 * page);
    EXPECT(oxi_pages_commit(pages, 2 * page));
    pages[page] = 1;

    EXPECT(oxi_pages_commit(pages, 4 * page));

    EXPECT_EQ(pages[page], 1);
    oxi_pages_release(pages, 4 * page);
}

TEST(platform, pages_that_may_become_huge_are_aligned_to_it) {
    for (size_t k = 1; k < 8; k++) {
        size_t size = k * OXI_HUGE_PAGE + (k - 1) * oxi_page_size();
        char *pages = oxi_pages_reserve(size);
        EXPECT(pages != NULL && (uintptr_t)pages % OXI_HUGE_PAGE == 0);

        EXPECT(oxi_pages_commit(pages, size));

        pages[0] = pages[size - 1] = 1;
        oxi_pages_release(pages, size);
    }
}

TEST(platform, pages_beyond_all_addresses_are_refused) {
    EXPECT(oxi_pages_reserve(SIZE_MAX - oxi_page_size() + 1) == NULL);
    EXPECT(oxi_pages_reserve((size_t)1 << 62) == NULL);
    EXPECT(oxi_pages_reserve(0) == NULL);
}

TEST(platform, refused_pages_change_nothing) {
    size_t page = oxi_page_size();
    oxi_fault_plan(OXI_FAULT_ONE, 0);
    EXPECT(oxi_pages_reserve(page) == NULL);
    char *pages = oxi_pages_reserve(2 * page);
    EXPECT(pages != NULL);

    oxi_fault_plan(OXI_FAULT_ONE, 0);
    EXPECT(!oxi_pages_commit(pages, page));
    EXPECT(oxi_pages_commit(pages, page));

    pages[0] = 1;
    oxi_pages_release(pages, 2 * page);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CHILD(touch_reserved_page) {
    char *pages = oxi_pages_reserve(oxi_page_size());
    *(volatile char *)pages = 1;
}

TEST_CHILD(touch_decommitted_page) {
    char *pages = oxi_pages_reserve(oxi_page_size());
    if (!oxi_pages_commit(pages, oxi_page_size())) {
        return;
    }
    pages[0] = 1;
    oxi_pages_decommit(pages, oxi_page_size());
    *(volatile char *)pages = 1;
}

TEST(platform, pages_without_memory_cannot_be_touched) {
    EXPECT_DIES(touch_reserved_page, "");
    EXPECT_DIES(touch_decommitted_page, "");
}
#endif
