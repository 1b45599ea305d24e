// SPDX-License-Identifier: MIT
//
// Segments, written by real jobs on 0 to 16 workers and read back in index order.

#include "test.h"

#include "base/counted_memory.h"
#include "base/heap.h"
#include "base/random.h"
#include "base/substitute.h"
#include "containers/segments.h"
#include "jobs/jobs_test.h"

#include <string.h>

typedef struct item {
    uint32_t job;
    uint32_t index;
    uint32_t ordinal; // within the index
} item;

// How many items an index writes: 0 to 4, the same for every partition.
static uint32_t count_of_index(uint32_t job, uint32_t index) {
    return ((job * 2654435761u) ^ (index * 40503u)) >> 7 & 3;
}

OX_PARALLEL_JOB(WriteItems, {
    OX_NO_SAFETY oxi_segments *segments;
    OX_NO_SAFETY oxi_atomic_u32 *failed;
    uint32_t job;
    uint32_t buckets;
}) {
    for (uint32_t k = 0; k < count_of_index(job->job, (uint32_t)i); k++) {
        item value = {job->job, (uint32_t)i, k};
        void *place =
            oxi_segments_add(job->segments, (uint32_t)i % job->buckets, sizeof value, OX_HERE);
        if (place == NULL) {
            atomic_fetch_add(job->failed, 1);
        } else {
            memcpy(place, &value, sizeof value);
        }
    }
}

// Walks a bucket and holds it against the loop that one thread would have run.
typedef struct expectation {
    uint32_t bucket;
    uint32_t buckets;
    uint32_t job_count;
    const int *counts;
} expectation;

typedef OXI_LIST(item) items;

// Copies a bucket out, span by span.
static items read_bucket(oxi_segments *segments, const expectation *expected) {
    oxi_spans spans;
    items read = {0};
    EXPECT(oxi_segments_list(segments, expected->bucket, &spans));
    size_t bytes = 0;
    for (size_t k = 0; k < spans.count; k++) {
        EXPECT_EQ(spans.items[k].size % sizeof(item), 0);
        EXPECT(oxi_list_append(&read, (const item *)(const void *)spans.items[k].items,
                               spans.items[k].size / sizeof(item)));
        bytes += spans.items[k].size;
    }
    EXPECT_EQ(bytes, oxi_segments_size(segments, expected->bucket));
    oxi_list_free(&spans);
    return read;
}

// The items of one index, from `at` on. @return where the next index begins.
static size_t expect_index(const items *read, size_t at, uint32_t job, uint32_t index) {
    for (uint32_t k = 0; k < count_of_index(job, index); k++, at++) {
        EXPECT(at < read->count);
        EXPECT(read->items[at].job == job && read->items[at].index == index &&
               read->items[at].ordinal == k);
    }
    return at;
}

static void expect_items(oxi_segments *segments, const expectation *expected) {
    items read = read_bucket(segments, expected);
    size_t at = 0;
    for (uint32_t job = 0; job < expected->job_count; job++) {
        uint32_t count = (uint32_t)expected->counts[job];
        for (uint32_t i = expected->bucket; i < count; i += expected->buckets) {
            at = expect_index(&read, at, job, i);
        }
    }
    EXPECT_EQ(at, read.count);
    oxi_list_free(&read);
}

enum { MOST_JOBS = 6 };

// Some jobs with random counts and batches, all outstanding together, then every bucket is read.
static void write_one_round(oxi_random *random, oxi_segments *segments, uint32_t buckets) {
    uint32_t job_count = (uint32_t)oxi_random_range(random, 1, MOST_JOBS);
    int counts[MOST_JOBS];
    ox_job jobs[MOST_JOBS];
    oxi_atomic_u32 failed = 0;
    for (uint32_t k = 0; k < job_count; k++) {
        counts[k] = (int)oxi_random_below(random, oxi_random_bool(random) ? 40 : 3000);
        int batch = (int)oxi_random_range(random, 1, 100);
        ox_job after = k > 0 && oxi_random_bool(random) ? jobs[k - 1] : OX_NO_JOB;
        jobs[k] = ox_schedule_for(WriteItems, counts[k], batch, after,
                                  {.segments = segments, .failed = &failed, .job = k, buckets});
    }
    ox_complete_at(jobs, (int)job_count, OX_HERE);
    EXPECT_EQ(atomic_load(&failed), 0);

    for (uint32_t b = 0; b < buckets; b++) {
        expect_items(segments, &(expectation){b, buckets, job_count, counts});
    }
}

static void write_rounds(int workers, uint64_t rounds) {
    oxi_random random = oxi_random_seed(test_seed(77) + (uint64_t)workers);
    start_workers_of_test(workers);
    shake_schedules(oxi_random_next_u64(&random));
    static const uint32_t bucket_counts[] = {1, 3, OXI_MAX_BUCKETS};
    for (uint64_t k = 0; k < rounds; k++) {
        uint32_t buckets = bucket_counts[k % 3];
        oxi_segments *segments = oxi_segments_create(buckets, 4, OX_PERSISTENT, OX_HERE);
        for (int round = 0; round < 4; round++) {
            write_one_round(&random, segments, buckets);
            oxi_segments_clear(segments);
            EXPECT(!oxi_segments_is_pending(segments));
        }
        oxi_segments_destroy(segments, OX_HERE);
    }
    ox_jobs_stop();
}

TEST(segments, are_read_in_index_order_with_no_workers) {
    write_rounds(0, test_scaled(40 / SLOWNESS + 1));
}

TEST(segments, are_read_in_index_order_with_one_worker) {
    write_rounds(1, test_scaled(40 / SLOWNESS + 1));
}

TEST(segments, are_read_in_index_order_with_three_workers) {
    write_rounds(3, test_scaled(40 / SLOWNESS + 1));
}

TEST(segments, are_read_in_index_order_with_sixteen_workers) {
    write_rounds(16, test_scaled(40 / SLOWNESS + 1));
}

// Acts as a job with this number, on the test's own thread.
static void pretend_job(uint32_t order, uint32_t first) {
    oxi_this_run = (oxi_run){.name = "Pretended", .order = order, .first = first};
}

static void end_pretended_job(void) {
    oxi_this_run = (oxi_run){0};
}

static void add_number(oxi_segments *segments, uint32_t number) {
    uint32_t *place = oxi_segments_add(segments, 0, sizeof number, OX_HERE);
    EXPECT(place != NULL);
    *place = number;
}

static void expect_numbers(oxi_segments *segments, const uint32_t *numbers, size_t count) {
    oxi_spans spans;
    size_t at = 0;
    EXPECT(oxi_segments_list(segments, 0, &spans));
    for (size_t k = 0; k < spans.count; k++) {
        for (size_t n = 0; n < spans.items[k].size / sizeof *numbers; n++, at++) {
            EXPECT(at < count);
            EXPECT_EQ(((const uint32_t *)(const void *)spans.items[k].items)[n], numbers[at]);
        }
    }
    EXPECT_EQ(at, count);
    oxi_list_free(&spans);
}

TEST(segments, hold_nothing_when_made) {
    oxi_segments *segments = oxi_segments_create(2, 8, OX_PERSISTENT, OX_HERE);
    oxi_spans spans;

    EXPECT(!oxi_segments_is_pending(segments));
    EXPECT_EQ(oxi_segments_size(segments, 1), 0);
    EXPECT(oxi_segments_list(segments, 1, &spans));
    EXPECT_EQ(spans.count, 0);
    oxi_segments_clear(segments);
    oxi_segments_destroy(segments, OX_HERE);
    oxi_segments_destroy(NULL, OX_HERE);
}

TEST(segments, keep_their_order_where_the_numbers_of_jobs_wrap) {
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);
    static const uint32_t orders[] = {3, UINT32_MAX, 1, UINT32_MAX - 1};

    for (int k = 0; k < 4; k++) {
        pretend_job(orders[k], 0);
        add_number(segments, orders[k]);
    }
    end_pretended_job();

    expect_numbers(segments, (uint32_t[]){UINT32_MAX - 1, UINT32_MAX, 1, 3}, 4);
    oxi_segments_destroy(segments, OX_HERE);
}

TEST(segments, of_one_key_keep_the_order_of_writing) {
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);

    for (uint32_t k = 0; k < 6; k++) {
        pretend_job(5, k % 2 == 0 ? 8 : 4);
        add_number(segments, k);
    }
    end_pretended_job();

    expect_numbers(segments, (uint32_t[]){1, 3, 5, 0, 2, 4}, 6);
    oxi_segments_destroy(segments, OX_HERE);
}

TEST(segments, a_range_goes_on_in_the_next_block) {
    enum { COUNT = 100000 };
    static uint32_t numbers[COUNT];
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);

    pretend_job(1, 0);
    for (uint32_t k = 0; k < COUNT; k++) {
        numbers[k] = k;
        add_number(segments, k);
    }
    end_pretended_job();

    expect_numbers(segments, numbers, COUNT);
    EXPECT_EQ(oxi_segments_size(segments, 0), COUNT * sizeof(uint32_t));
    oxi_segments_destroy(segments, OX_HERE);
}

TEST(segments, blocks_grow_so_that_few_of_them_hold_much) {
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    oxi_segments *segments = oxi_segments_create(1, 4, allocator, OX_HERE);

    pretend_job(1, 0);
    for (uint32_t k = 0; k < 100000; k++) {
        add_number(segments, k);
    }
    end_pretended_job();

    EXPECT(memory.asked < 16);
    oxi_segments_destroy(segments, OX_HERE);
    EXPECT(memory.live == 0 && memory.wrong == 0);
    ox_allocator_destroy(allocator);
}

// The head of the first block, of 4096 bytes, takes as much as one item.
TEST(segments, a_block_is_filled_to_its_end) {
    counted_memory memory = {0};
    ox_allocator allocator = counted_create(&memory);
    oxi_segments *segments = oxi_segments_create(1, 64, allocator, OX_HERE);

    pretend_job(1, 0);
    EXPECT(oxi_segments_add(segments, 0, 64, OX_HERE) != NULL);
    int asked = memory.asked;
    for (int k = 1; k < 62; k++) {
        EXPECT(oxi_segments_add(segments, 0, 64, OX_HERE) != NULL);
    }
    pretend_job(1, 62); // another range begins with the last item of the block
    EXPECT(oxi_segments_add(segments, 0, 64, OX_HERE) != NULL);
    EXPECT_EQ(memory.asked, asked);
    EXPECT(oxi_segments_add(segments, 0, 64, OX_HERE) != NULL);
    end_pretended_job();

    EXPECT_EQ(memory.asked, asked + 1);
    oxi_segments_destroy(segments, OX_HERE);
    ox_allocator_destroy(allocator);
}

TEST(segments, items_of_every_size_are_aligned_and_apart) {
    static const uint32_t aligns[] = {1, 2, 16, 64, 4096};
    oxi_random random = oxi_random_seed(test_seed(5));
    for (int a = 0; a < 5; a++) {
        oxi_segments *segments = oxi_segments_create(1, aligns[a], OX_PERSISTENT, OX_HERE);
        pretend_job(1, 0);
        for (int k = 0; k < 300; k++) {
            size_t size = (size_t)oxi_random_range(&random, 1, k % 50 == 0 ? 600000 : 900);
            char *place = oxi_segments_add(segments, 0, size, OX_HERE);
            EXPECT(place != NULL && (uintptr_t)place % aligns[a] == 0);
            memset(place, k, size); // AddressSanitizer sees what leaves a block
        }
        end_pretended_job();
        EXPECT_EQ(oxi_segments_size(segments, 0) % aligns[a], 0);
        oxi_segments_destroy(segments, OX_HERE);
    }
}

TEST(segments, a_job_may_go_on_writing_after_they_were_cleared) {
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);

    pretend_job(5, 8);
    add_number(segments, 1);
    oxi_segments_clear(segments);
    add_number(segments, 2);
    end_pretended_job();

    EXPECT(oxi_segments_is_pending(segments));
    expect_numbers(segments, (uint32_t[]){2}, 1);
    oxi_segments_destroy(segments, OX_HERE);
}

TEST(segments, a_large_item_does_not_lose_the_blocks_that_were_kept) {
    uint64_t blocks = ox_memory_get_usage(OX_PERSISTENT).block_count;
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);
    pretend_job(1, 0);
    for (uint32_t k = 0; k < 20000; k++) {
        add_number(segments, k);
    }

    oxi_segments_clear(segments);
    add_number(segments, 7);
    EXPECT(oxi_segments_add(segments, 0, 100000, OX_HERE) != NULL); // more than the next one has
    EXPECT(oxi_segments_add(segments, 0, 8000, OX_HERE) != NULL);
    end_pretended_job();

    EXPECT_EQ(oxi_segments_size(segments, 0), 4 + 100000 + 8000);
    oxi_segments_destroy(segments, OX_HERE);
    EXPECT_EQ(ox_memory_get_usage(OX_PERSISTENT).block_count, blocks);
}

TEST_CHECKED(segments, a_round_like_the_one_before_allocates_nothing) {
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);
    uint64_t blocks = 0;
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t k = 0; k < 20000; k++) {
            pretend_job(round + 1, k / 64 * 64);
            add_number(segments, k);
        }
        end_pretended_job();
        EXPECT(oxi_segments_is_pending(segments));
        oxi_segments_clear(segments);
        EXPECT(round == 0 || ox_memory_get_usage(OX_PERSISTENT).block_count == blocks);
        blocks = ox_memory_get_usage(OX_PERSISTENT).block_count;
    }

    oxi_segments_clear(segments);

    EXPECT(ox_memory_get_usage(OX_PERSISTENT).block_count < blocks); // unused in one round
    oxi_segments_destroy(segments, OX_HERE);
}

TEST(segments, writers_on_main_are_known_from_those_in_jobs) {
    ox_jobs_stop();
    EXPECT_EQ(oxi_writer_get_caller(), OXI_WRITER_MAIN);
    pretend_job(1, 0);
    EXPECT_EQ(oxi_writer_get_caller(), OXI_WRITER_JOB);
    end_pretended_job();
    start_workers_of_test(0);
    EXPECT_EQ(oxi_writer_get_caller(), OXI_WRITER_MAIN);
    ox_jobs_stop();
}

static void note_caller(void *context) {
    *(oxi_writer_caller *)context = oxi_writer_get_caller();
}

TEST(segments, a_thread_without_a_job_is_a_stranger) {
    start_workers_of_test(1);
    oxi_writer_caller caller = OXI_WRITER_JOB;
    oxi_thread thread;

    EXPECT(oxi_thread_start(&thread, note_caller, &caller, "stranger"));
    oxi_thread_join(&thread);

    EXPECT_EQ(caller, OXI_WRITER_STRANGER);
    ox_jobs_stop();
}

OX_PARALLEL_JOB(TakePlaces, {
    OX_NO_SAFETY oxi_segments *segments;
    OX_NO_SAFETY oxi_atomic_u32 *taken;
    uint32_t room;
    bool gives_back;
}) {
    if (!oxi_segments_take_place(job->segments, job->room)) {
        return;
    }
    if (job->gives_back && i % 3 == 0) {
        oxi_segments_give_place(job->segments);
        return;
    }
    uint32_t *place = oxi_segments_add(job->segments, 0, sizeof *place, OX_HERE);
    *place = (uint32_t)i;
    atomic_fetch_add(job->taken, 1);
}

TEST(segments, exactly_as_many_places_as_there_are_can_be_taken) {
    static const uint32_t rooms[] = {0, 1, 7, 64, 65, 1000, 4000, 20000};
    static const int workers[] = {0, 1, 5, 16};
    shake_schedules(test_seed(3));
    for (int w = 0; w < 4; w++) {
        start_workers_of_test(workers[w]);
        oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);
        for (int k = 0; k < 16; k++) {
            oxi_atomic_u32 taken = 0;
            uint32_t room = rooms[k % 8], tries = 6000;
            ox_complete(ox_schedule_for(TakePlaces, (int)tries, 1 + k * 5, OX_NO_JOB,
                                        {segments, &taken, room, false}));
            EXPECT_EQ(atomic_load(&taken), room < tries ? room : tries);
            oxi_segments_clear(segments);
        }
        oxi_segments_destroy(segments, OX_HERE);
        ox_jobs_stop();
    }
}

OX_JOB(TakeTwoPlaces, {
    OX_NO_SAFETY oxi_segments *segments;
    OX_NO_SAFETY oxi_atomic_u32 *taken;
}) {
    for (uint32_t k = 0; k < 2; k++) {
        if (oxi_segments_take_place(job->segments, 1000) &&
            oxi_segments_add(job->segments, 0, 4, OX_HERE) != NULL) {
            atomic_fetch_add(job->taken, 1);
        }
    }
}

TEST(segments, places_that_another_thread_keeps_in_stock_can_be_taken) {
    start_workers_of_test(0);
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);
    oxi_atomic_u32 taken = 0;

    ox_job job = ox_schedule_background(TakeTwoPlaces, OX_NO_JOB, {segments, &taken});
    ox_jobs_kick();
    wait_for_value(&taken, 2, "the background job"); // main would run it itself
    ox_complete(job);
    ox_run_for(TakePlaces, 2000, 10, {segments, &taken, 1000, false});

    EXPECT_EQ(atomic_load(&taken), 1000);
    oxi_segments_destroy(segments, OX_HERE);
    ox_jobs_stop();
}

TEST(segments, places_that_were_given_back_can_be_taken_again) {
    start_workers_of_test(4);
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);
    oxi_atomic_u32 taken = 0;

    // Two thirds of 3000 keep theirs; the rest then goes to the second job, to the last place.
    ox_job first = ox_schedule_for(TakePlaces, 3000, 16, OX_NO_JOB, {segments, &taken, 5000, true});
    ox_complete(ox_schedule_for(TakePlaces, 9000, 16, first, {segments, &taken, 5000, false}));

    EXPECT_EQ(atomic_load(&taken), 5000);
    oxi_segments_destroy(segments, OX_HERE);
    ox_jobs_stop();
}

// What was added before a refusal is still there, and nothing else.
static void add_until_refused(void) {
    oxi_segments *segments = oxi_segments_create(2, 8, OX_PERSISTENT, OX_HERE);
    if (segments == NULL) {
        return;
    }
    uint32_t added = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        pretend_job(3 - k / 700, k / 50 * 50);
        uint64_t *place = oxi_segments_add(segments, 1, sizeof *place, OX_HERE);
        added += place != NULL;
    }
    end_pretended_job();
    EXPECT_EQ(oxi_segments_size(segments, 1), added * sizeof(uint64_t));
    oxi_spans spans;
    if (oxi_segments_list(segments, 1, &spans)) {
        size_t bytes = 0;
        for (size_t k = 0; k < spans.count; k++) {
            EXPECT(spans.items[k].size > 0);
            bytes += spans.items[k].size;
        }
        EXPECT_EQ(bytes, added * sizeof(uint64_t));
    }
    oxi_list_free(&spans);
    oxi_segments_destroy(segments, OX_HERE);
}

TEST(segments, lose_nothing_when_memory_runs_out) {
    test_fault_sweep("segments", add_until_refused);
}

// Jobs on workers, with memory running out at any place.
static void write_in_jobs_until_refused(void) {
    oxi_segments *segments = oxi_segments_create(1, 4, OX_PERSISTENT, OX_HERE);
    oxi_atomic_u32 failed = 0;
    if (segments == NULL) {
        return;
    }
    ox_job job = ox_schedule_for(WriteItems, 4000, 32, OX_NO_JOB, {segments, &failed, 1, 1});
    ox_complete(job);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < 4000 && job.value != 0; i++) {
        expected += count_of_index(1, i);
    }
    EXPECT_EQ(oxi_segments_size(segments, 0) / sizeof(item) + atomic_load(&failed), expected);
    oxi_segments_destroy(segments, OX_HERE);
}

TEST(segments, of_jobs_lose_nothing_when_memory_runs_out) {
    start_workers_of_test(0);
    test_fault_sweep("segments in jobs", write_in_jobs_until_refused);
    ox_jobs_stop();
}

static void ignore_report(const ox_report *report, void *context) {
    (void)report;
    (void)context;
}

// Workers make memory of their own when they first take part, so no blocks are counted here.
TEST(segments, of_workers_lose_nothing_when_memory_runs_out) {
    start_workers_of_test(4);
    ox_report_set_handler((ox_report_handler){ignore_report, NULL});
    for (uint64_t k = 0; k < 60; k++) {
        oxi_fault_plan(k % 2 == 0 ? OXI_FAULT_ONE : OXI_FAULT_FROM, k / 2);
        write_in_jobs_until_refused();
    }
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    ox_jobs_stop();
}
