// SPDX-License-Identifier: MIT
//
// Allocators that users make: good ones, bad ones, and their ids.

#include "test.h"

#include "base/heap.h"
#include "base/platform.h"
#include "base/poison.h"
#include "oxbow/memory.h"

#include <stdlib.h>
#include <string.h>

// An allocator that does as it is told, and remembers the last call.
typedef struct puppet {
    void *next; // what alloc_fn returns, NULL: refuse
    int allocs;
    int frees;
    size_t size;
    size_t align;
    void *freed;
    void (*inside)(void); // called by both functions
} puppet;

static void *puppet_alloc(size_t size, size_t align, void *context) {
    puppet *self = context;
    self->allocs++;
    self->size = size;
    self->align = align;
    if (self->inside != NULL) {
        self->inside();
    }
    return self->next;
}

static void puppet_free(void *block, size_t size, size_t align, void *context) {
    puppet *self = context;
    self->frees++;
    self->size = size;
    self->align = align;
    self->freed = block;
    if (self->inside != NULL) {
        self->inside();
    }
}

static _Alignas(64) char memory[4096];

static ox_allocator make_puppet(puppet *self) {
    const ox_allocator_def def = {
        .name = "puppet", .alloc_fn = puppet_alloc, .free_fn = puppet_free, .context = self};
    return ox_allocator_create(&def);
}

TEST(allocators, own_functions_get_what_was_asked_for) {
    puppet self = {.next = memory};
    ox_allocator allocator = make_puppet(&self);

    void *block = ox_memory_alloc(allocator, 100, 32);
    EXPECT_EQ(block, (void *)memory);
    EXPECT_EQ(self.allocs, 1);
    EXPECT_EQ(self.size, 100);
    EXPECT_EQ(self.align, 32);

    self.size = self.align = 0;
    ox_memory_free(allocator, block, 100, 32);
    EXPECT_EQ(self.frees, 1);
    EXPECT_EQ(self.freed, (void *)memory);
    EXPECT_EQ(self.size, 100);
    EXPECT_EQ(self.align, 32);
    ox_allocator_destroy(allocator);
}

TEST(allocators, definition_is_copied) {
    puppet self = {.next = memory};
    char name[] = "pool";
    ox_allocator_def def = {
        .name = name, .alloc_fn = puppet_alloc, .free_fn = puppet_free, .context = &self};
    ox_allocator allocator = ox_allocator_create(&def);
    collected_reports reports;
    collect_reports(&reports);

    memset(&def, 0xff, sizeof def);
    memset(name, 'x', 4);
    self.next = NULL;

    EXPECT(ox_memory_alloc(allocator, 16, 8) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT_HAS(reports.text, "16 bytes from pool were refused");
    ox_allocator_destroy(allocator);
}

TEST(allocators, long_names_are_cut_and_missing_ones_are_unnamed) {
    puppet self = {0};
    ox_allocator_def def = {.name = "abcdefghijklmnopqrstuvwxyz0123456789",
                            .alloc_fn = puppet_alloc,
                            .free_fn = puppet_free,
                            .context = &self};
    ox_allocator longest = ox_allocator_create(&def);
    def.name = "abcdefghijklmnopqrstuvwxyz0123\xc3\xa9"; // the last character has no room
    ox_allocator foreign = ox_allocator_create(&def);
    def.name = NULL;
    ox_allocator unnamed = ox_allocator_create(&def);
    collected_reports reports;
    collect_reports(&reports);

    ox_memory_alloc(longest, 16, 8);
    EXPECT_HAS(reports.text, "from abcdefghijklmnopqrstuvwxyz01234 were");
    ox_memory_alloc(unnamed, 16, 8);
    EXPECT_HAS(reports.text, "from unnamed were");
    ox_memory_alloc(foreign, 16, 8);
    EXPECT_HAS(reports.text, "from abcdefghijklmnopqrstuvwxyz0123 were");
    ox_allocator_destroy(foreign);
    ox_allocator_destroy(longest);
    ox_allocator_destroy(unnamed);
}

TEST(allocators, without_functions_use_malloc) {
    const ox_allocator_def empty = {0};
    ox_allocator made[] = {ox_allocator_create(NULL), ox_allocator_create(&empty)};
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 2; k++) {
        for (size_t align = 1; align <= OX_MAX_ALIGNMENT; align *= 2) {
            char *block = ox_memory_alloc(made[k], 1000, align);
            EXPECT(block != NULL && ((uintptr_t)block & (align - 1)) == 0);
            memset(block, 5, 1000);
            ox_memory_free(made[k], block, 1000, align);
        }
        ox_allocator_destroy(made[k]);
    }

    EXPECT_EQ(reports.count, 0);
}

TEST(allocators, sizes_and_alignments_are_checked_before_own_functions_are_called) {
    puppet self = {.next = memory};
    ox_allocator allocator = make_puppet(&self);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(ox_memory_alloc(allocator, 16, 3) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ALIGNMENT);
    EXPECT(ox_memory_alloc(allocator, SIZE_MAX, 8) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_SIZE_OVERFLOW);
    EXPECT(ox_memory_alloc(allocator, 0, 8) == NULL);

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(self.allocs, 0);
    ox_allocator_destroy(allocator);
}

TEST(allocators, with_one_function_of_two_are_refused) {
    collected_reports reports;
    collect_reports(&reports);

    ox_allocator_def def = {.name = "half", .alloc_fn = puppet_alloc};
    EXPECT_EQ(ox_allocator_create_at(&def, "a.c:1"), 0);
    EXPECT_REPORT(&reports, OX_REPORT_HALF_ALLOCATOR);
    EXPECT_HAS(reports.text, "free_fn of 'half' is NULL");
    EXPECT_STR(reports.site, "a.c:1");

    def = (ox_allocator_def){.free_fn = puppet_free};
    EXPECT_EQ(ox_allocator_create(&def), 0);
    EXPECT_REPORT(&reports, OX_REPORT_HALF_ALLOCATOR);
    EXPECT_HAS(reports.text, "alloc_fn of 'unnamed' is NULL");
}

TEST(allocators, from_a_definition_that_was_not_zeroed_are_refused) {
    ox_allocator_def defs[3] = {{0}};
    memset(&defs[0], 0xcd, sizeof defs[0]);
    defs[1]._guard_begin = 1;
    defs[2]._guard_end = 0x80000000;
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 3; k++) {
        EXPECT_EQ(ox_allocator_create_at(&defs[k], "a.c:1"), 0);

        EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
        EXPECT_HAS(reports.text, "ox_allocator_def");
        EXPECT_STR(reports.site, "a.c:1");
    }
}

TEST(allocators, that_are_destroyed_are_unknown) {
    puppet self = {.next = memory};
    ox_allocator allocator = make_puppet(&self);
    ox_allocator_destroy(allocator);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(ox_memory_alloc(allocator, 16, 8) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    ox_memory_free(allocator, memory, 16, 8);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    ox_allocator_destroy_at(allocator, "a.c:5");
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);

    EXPECT_STR(reports.site, "a.c:5");
    EXPECT_EQ(self.allocs + self.frees, 0);
}

TEST(allocators, take_a_new_id_in_an_old_place) {
    puppet self = {.next = memory};
    ox_allocator first = make_puppet(&self);
    ox_allocator_destroy(first);
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 1000; k++) {
        ox_allocator next = make_puppet(&self);
        EXPECT(next > OX_PERSISTENT && next != first);
        ox_allocator_destroy(next);
    }

    ox_allocator_destroy(first);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
}

TEST(allocators, of_oxbow_cannot_be_destroyed) {
    const ox_allocator fixed[] = {OX_TEMP, OX_TEMP_JOB, OX_PERSISTENT, 4, 16, UINT32_MAX};
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 6; k++) {
        ox_allocator_destroy(fixed[k]);
        EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    }
    ox_allocator_destroy(0);

    EXPECT_EQ(reports.count, 0);
    void *block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    EXPECT(block != NULL);
    ox_memory_free(OX_PERSISTENT, block, 16, 8);
}

TEST(allocators, are_refused_beyond_the_limit_until_one_is_destroyed) {
    static ox_allocator made[OX_MAX_ALLOCATORS];
    for (int k = 0; k < OX_MAX_ALLOCATORS; k++) {
        made[k] = ox_allocator_create(NULL);
        EXPECT(made[k] != 0);
    }
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_allocator_create_at(NULL, "a.c:9"), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ALLOCATOR_LIMIT);
    EXPECT_STR(reports.site, "a.c:9");

    ox_allocator_destroy(made[500]);
    made[500] = ox_allocator_create(NULL);
    EXPECT(made[500] != 0);
    for (int k = 0; k < OX_MAX_ALLOCATORS; k++) {
        ox_allocator_destroy(made[k]);
    }
    EXPECT_EQ(reports.count, 0);
}

TEST_CHECKED(allocators, with_live_blocks_stay_when_destroyed) {
    puppet self = {.next = memory};
    ox_allocator allocator = make_puppet(&self);
    void *block = ox_memory_alloc_at(allocator, 16, 8, "a.c:1");
    collected_reports reports;
    collect_reports(&reports);

    ox_allocator_destroy_at(allocator, "a.c:2");

    EXPECT_REPORT(&reports, OX_REPORT_ALLOCATOR_IN_USE);
    EXPECT_HAS(reports.text, "'puppet' has 1 live block, one allocated at a.c:1");
    EXPECT_STR(reports.site, "a.c:2");
    EXPECT_EQ(ox_memory_get_usage(allocator).bytes, 16);
    ox_memory_free(allocator, block, 16, 8);
    ox_allocator_destroy(allocator);
    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(self.frees, 1);
}

TEST_CHECKED(allocators, that_are_not_the_one_of_a_block_do_not_free_it) {
    puppet mine = {.next = memory}, other = {.next = memory};
    ox_allocator allocator = make_puppet(&mine), wrong = make_puppet(&other);
    void *block = ox_memory_alloc(allocator, 16, 8);
    const ox_allocator tries[] = {wrong, OX_PERSISTENT, OX_TEMP_JOB, OX_TEMP};
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 4; k++) {
        ox_memory_free(tries[k], block, 16, 8);
        EXPECT_REPORT(&reports, OX_REPORT_FREE_WRONG_ALLOCATOR);
    }

    EXPECT_EQ(mine.frees + other.frees, 0);
    ox_memory_free(allocator, block, 16, 8);
    EXPECT_EQ(mine.frees, 1);
    ox_allocator_destroy(allocator);
    ox_allocator_destroy(wrong);
}

TEST_CHECKED(allocators, that_return_a_misaligned_block_are_reported_once) {
    puppet self = {.next = memory + 8};
    ox_allocator allocator = make_puppet(&self);
    uint64_t alive = oxi_heap_get_blocks();
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(ox_memory_alloc(allocator, 100, 16) == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_BAD_BLOCK);
    EXPECT_HAS(reports.text, "'puppet' returned 0x");
    EXPECT_HAS(reports.text, "for 100 bytes with alignment 16: it is not aligned");
    EXPECT_EQ(self.freed, (void *)(memory + 8));
    EXPECT_EQ(self.size, 100);
    EXPECT_EQ(oxi_heap_get_blocks(), alive);
    ox_allocator_destroy(allocator);
    EXPECT_EQ(reports.count, 0);
}

TEST_CHECKED(allocators, that_return_a_live_block_are_reported_once) {
    puppet self = {.next = memory};
    ox_allocator allocator = make_puppet(&self);
    char *block = ox_memory_alloc(allocator, 16, 8);
    memset(block, 3, 16);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(ox_memory_alloc_at(allocator, 32, 8, "a.c:1") == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_BAD_BLOCK);
    EXPECT_HAS(reports.text, "it is in use already");
    EXPECT_STR(reports.site, "a.c:1");
    EXPECT_EQ(self.frees, 0);
    EXPECT_EQ(block[15], 3);
    EXPECT_EQ(ox_memory_get_usage(allocator).bytes, 16);
    ox_memory_free(allocator, block, 16, 8);
    ox_allocator_destroy(allocator);
    EXPECT_EQ(reports.count, 0);
}

#if OX_SAFETY >= 3
TEST(allocators, that_return_an_overlapping_block_are_reported_once) {
    const size_t overlaps[][2] = {{0, 65}, {120, 8}, {96, 8}, {127, 1}, {32, 512}};
    puppet self = {.next = memory + 64};
    ox_allocator allocator = make_puppet(&self);
    char *block = ox_memory_alloc(allocator, 64, 1);
    memset(block, 3, 64);
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 5; k++) {
        self.next = memory + overlaps[k][0];
        EXPECT(ox_memory_alloc(allocator, overlaps[k][1], 1) == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_BAD_BLOCK);
        EXPECT_EQ(block[0] + block[63], 6);
    }
    ox_memory_free(allocator, block, 64, 1);
    ox_allocator_destroy(allocator);
    EXPECT_EQ(reports.count, 0);
}
#endif

TEST_CHECKED(allocators, get_freed_blocks_with_a_pattern_over_their_content) {
    puppet self = {.next = memory};
    ox_allocator allocator = make_puppet(&self);
    memset(memory, 3, 65);
    char *block = ox_memory_alloc(allocator, 64, 8);
    EXPECT_EQ((unsigned char)memory[63], OXI_FRESH_BYTE);

    ox_memory_free(allocator, block, 64, 8);

    EXPECT_EQ((unsigned char)memory[0], OXI_FREED_BYTE);
    EXPECT_EQ(memcmp(memory, memory + 1, 63), 0);
    EXPECT_EQ(memory[64], 3);
    ox_allocator_destroy(allocator);
}

TEST(allocators, may_return_blocks_that_touch) {
    puppet self = {.next = memory + 64};
    ox_allocator allocator = make_puppet(&self);
    collected_reports reports;
    collect_reports(&reports);

    char *middle = ox_memory_alloc(allocator, 64, 1);
    self.next = memory;
    char *before = ox_memory_alloc(allocator, 64, 1);
    self.next = memory + 128;
    char *after = ox_memory_alloc(allocator, 64, 1);

    EXPECT(middle != NULL && before != NULL && after != NULL);
    ox_memory_free(allocator, middle, 64, 1);
    ox_memory_free(allocator, before, 64, 1);
    ox_memory_free(allocator, after, 64, 1);
    ox_allocator_destroy(allocator);
    EXPECT_EQ(reports.count, 0);
}

// What a function of an allocator must not do, and how often it had an effect.
static char *live_block;
static ox_allocator live_allocator;
static int effects;

static void call_alloc(void) {
    effects += ox_memory_alloc(OX_PERSISTENT, 16, 8) != NULL;
}

static void call_temp_alloc(void) {
    effects += ox_memory_alloc(OX_TEMP, 16, 8) != NULL;
}

static void call_temp_job_alloc(void) {
    effects += ox_memory_alloc(OX_TEMP_JOB, 16, 8) != NULL;
}

static void call_free(void) {
    ox_memory_free(OX_PERSISTENT, live_block, 16, 8);
}

static void call_destroy(void) {
    ox_allocator_destroy(live_allocator);
}

static void call_trim(void) {
    ox_memory_trim();
}

static void call_frame_end(void) {
    uint64_t frame = ox_frame_get_number();
    effects += ox_frame_end() != frame;
}

static void call_temp_end(void) {
    ox_temp_scope scope = {0, 1};
    ox_temp_end(scope);
}

static const struct {
    const char *function;
    void (*call)(void);
} forbidden[] = {
    {"ox_memory_alloc", call_alloc},          {"ox_memory_alloc", call_temp_alloc},
    {"ox_memory_alloc", call_temp_job_alloc}, {"ox_memory_free", call_free},
    {"ox_allocator_destroy", call_destroy},   {"ox_memory_trim", call_trim},
    {"ox_frame_end", call_frame_end},         {"ox_temp_end", call_temp_end},
};
enum { FORBIDDEN = sizeof forbidden / sizeof *forbidden };

static void make_live_things(void) {
    live_block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    live_allocator = ox_allocator_create(NULL);
    effects = 0;
}

// The block and the allocator that were called for are still there to be given back.
static void expect_no_effect(collected_reports *reports) {
    EXPECT_EQ(effects, 0);
    ox_memory_free(OX_PERSISTENT, live_block, 16, 8);
    ox_allocator_destroy(live_allocator);
    EXPECT_EQ(reports->count, 0);
}

TEST_CHECKED(allocators, that_call_back_while_allocating_are_told_so) {
    collected_reports reports;
    collect_reports(&reports);
    for (int k = 0; k < FORBIDDEN; k++) {
        puppet self = {.next = memory, .inside = forbidden[k].call};
        ox_allocator allocator = make_puppet(&self);
        make_live_things();

        void *block = ox_memory_alloc(allocator, 16, 8);

        EXPECT_REPORT(&reports, OX_REPORT_ALLOCATOR_REENTERED);
        EXPECT_HAS(reports.text, "alloc_fn or free_fn of 'puppet' called ");
        EXPECT_HAS(reports.text, forbidden[k].function);
        expect_no_effect(&reports);
        EXPECT_EQ(block, (void *)memory);
        self.inside = NULL;
        ox_memory_free(allocator, block, 16, 8);
        ox_allocator_destroy(allocator);
    }
}

TEST_CHECKED(allocators, that_call_back_while_freeing_are_told_so) {
    collected_reports reports;
    collect_reports(&reports);
    for (int k = 0; k < FORBIDDEN; k++) {
        puppet self = {.next = memory};
        ox_allocator allocator = make_puppet(&self);
        void *block = ox_memory_alloc(allocator, 16, 8);
        make_live_things();
        self.inside = forbidden[k].call;

        ox_memory_free(allocator, block, 16, 8);

        EXPECT_REPORT(&reports, OX_REPORT_ALLOCATOR_REENTERED);
        EXPECT_HAS(reports.text, "alloc_fn or free_fn of 'puppet' called ");
        expect_no_effect(&reports);
        EXPECT_EQ(self.frees, 1);
        ox_allocator_destroy(allocator);
    }
}

static void alloc_in_handler(const ox_report *report, void *context) {
    (void)report;
    void *block = ox_memory_alloc(OX_PERSISTENT, 64, 8);
    *(bool *)context = block != NULL;
    ox_memory_free(OX_PERSISTENT, block, 64, 8);
}

TEST(allocators, report_handler_may_allocate_when_memory_is_refused) {
    puppet self = {.next = NULL};
    ox_allocator allocator = make_puppet(&self);
    bool allocated = false;
    ox_report_set_handler((ox_report_handler){alloc_in_handler, &allocated});

    EXPECT(ox_memory_alloc(allocator, 16, 8) == NULL);

    EXPECT(allocated);
    ox_allocator_destroy(allocator);
}

static void make_and_destroy(void *context) {
    (void)context;
    for (uint64_t k = 0; k < test_scaled(500); k++) {
        ox_allocator allocator = ox_allocator_create(NULL);
        void *block = ox_memory_alloc(allocator, 16, 8);
        EXPECT(allocator != 0 && block != NULL);
        ox_memory_free(allocator, block, 16, 8);
        ox_allocator_destroy(allocator);
    }
}

TEST(allocators, of_sixteen_threads_do_not_mix) {
    oxi_thread threads[16];
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 16; k++) {
        EXPECT(oxi_thread_start(&threads[k], make_and_destroy, NULL, "maker"));
    }
    for (int k = 0; k < 16; k++) {
        oxi_thread_join(&threads[k]);
    }

    EXPECT_EQ(reports.count, 0);
}

// Two threads destroy the same allocator at once, and one makes the next right away.
static struct {
    oxi_atomic_u32 round;
    oxi_atomic_u32 done;
    ox_allocator victim; // written before the round begins
} duel;

static void destroy_victims(void *context) {
    uint32_t rounds = *(uint32_t *)context;
    for (uint32_t round = 1; round <= rounds; round++) {
        while (oxi_load_acquire(&duel.round) != round) {
            oxi_thread_yield();
        }
        ox_allocator_destroy(duel.victim);
        oxi_store_release(&duel.done, round);
    }
}

// Returns the allocator that was made right after the victim was gone.
static ox_allocator fight_round(uint32_t round) {
    duel.victim = ox_allocator_create(NULL);
    oxi_store_release(&duel.round, round);
    ox_allocator_destroy(duel.victim);
    ox_allocator next = ox_allocator_create(NULL);
    while (oxi_load_acquire(&duel.done) != round) {
        oxi_thread_yield();
    }
    return next;
}

TEST(allocators, destroyed_by_two_threads_do_not_take_the_next_one_along) {
    uint32_t rounds = (uint32_t)test_scaled(2000);
    oxi_thread thread;
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(oxi_thread_start(&thread, destroy_victims, &rounds, "duel"));

    int lost = 0;
    for (uint32_t round = 1; round <= rounds; round++) {
        ox_allocator next = fight_round(round);
        void *block = ox_memory_alloc(next, 16, 8);
        lost += block == NULL;
        ox_memory_free(next, block, 16, 8);
        ox_allocator_destroy(next);
    }

    oxi_thread_join(&thread);
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(reports.count, rounds);
}
