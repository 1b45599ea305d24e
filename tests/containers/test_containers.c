// SPDX-License-Identifier: MIT
//
// What can be done to any container.

#include "containers_test.h"

#include "base/substitute.h"

#include <stdio.h>

TEST(containers, each_kind_is_disposed_by_one_word) {
    uint64_t blocks = count_blocks();
    ox_array array = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(int, 10, OX_PERSISTENT);
    ox_bits bits = ox_bits_create(10, OX_PERSISTENT);

    ox_dispose(&array);
    ox_dispose(&list);
    ox_dispose(&bits);

    EXPECT(!ox_array_is_created(array) && !ox_list_is_created(list) && !ox_bits_is_created(bits));
    EXPECT_EQ(count_blocks(), blocks);
}

OX_JOB(UseAll, {
    ox_array array;
    ox_list list;
    ox_bits bits;
    ox_slice slice;
}) {
    ox_array_set(OX_AS(job->array, int), 0, 1);
    ox_list_push(OX_AS(job->list, int), 1);
    ox_bits_set(job->bits, 1, true);
    ox_slice_set(OX_AS(job->slice, int), 1, 1);
}

TEST(containers, each_kind_is_disposed_after_a_job) {
    uint64_t blocks = count_blocks();
    ox_array array = ox_array_create_untyped(int, 10, OX_TEMP_JOB);
    ox_array sliced = ox_array_create_untyped(int, 10, OX_TEMP_JOB);
    ox_list list = ox_list_create_untyped(int, 10, OX_TEMP_JOB);
    ox_bits bits = ox_bits_create(10, OX_TEMP_JOB);
    ox_slice slice = ox_array_slice(sliced, 2, 3);
    ox_job job = ox_schedule(UseAll, OX_NO_JOB, {array, list, bits, slice});

    ox_job freed[] = {ox_dispose_after(&array, job), ox_dispose_after(&list, job),
                      ox_dispose_after(&bits, job), ox_dispose_after(&sliced, job)};
    ox_complete_at(freed, 4, OX_HERE);

    EXPECT(!ox_array_is_created(array) && !ox_list_is_created(list) && !ox_bits_is_created(bits));
    EXPECT_EQ(count_blocks(), blocks);
    ox_jobs_stop();
}

OX_JOB(UseNothing, { int unused; }) {
    (void)job;
}

// A handle that is left must not be lost: it is disposed of, or used, later.
#define EXPECT_KEPT(container, is_created)                                                         \
    do {                                                                                           \
        oxi_fault_plan(OXI_FAULT_FROM, 0);                                                         \
        ox_job job = ox_dispose_after(&(container), ended);                                        \
        oxi_fault_plan(OXI_FAULT_NONE, 0);                                                         \
        EXPECT_EQ(job.value, 0);                                                                   \
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);                                          \
        EXPECT(is_created(container));                                                             \
        ox_dispose(&(container));                                                                  \
        EXPECT_EQ(reports.count, 0);                                                               \
    } while (0)

TEST(containers, each_kind_stays_when_there_is_no_memory_to_dispose_of_it_later) {
    collected_reports reports = {0};
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    uint64_t blocks = count_blocks();
    ox_array array = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(int, 10, OX_PERSISTENT);
    ox_bits bits = ox_bits_create(10, OX_PERSISTENT);
    ox_queue queue = ox_queue_create_untyped(int, 10, OX_PERSISTENT);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_map map = ox_map_create_untyped(int, int, 10, OX_PERSISTENT);
    ox_multimap multimap = ox_multimap_create_untyped(int, int, 10, OX_PERSISTENT);
    ox_job ended = ox_schedule(UseNothing, OX_NO_JOB, {0});
    ox_complete(ended);
    ox_jobs_stop(); // what is scheduled next needs memory for its slot
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    collect_reports(&reports);

    EXPECT_KEPT(array, ox_array_is_created);
    EXPECT_KEPT(list, ox_list_is_created);
    EXPECT_KEPT(bits, ox_bits_is_created);
    EXPECT_KEPT(queue, ox_queue_is_created);
    EXPECT_KEPT(stream, ox_stream_is_created);
    EXPECT_KEPT(map, ox_map_is_created);
    EXPECT_KEPT(multimap, ox_multimap_is_created);

    EXPECT_EQ(count_blocks(), blocks);
    ox_jobs_stop();
}

// Room that could not be made is not there, and says so.
TEST(containers, a_reserve_without_memory_is_refused) {
    enum { MANY = 100000 };
    collected_reports reports = {0};
    ox_list list = ox_list_create_untyped(int, 0, OX_PERSISTENT);
    ox_map map = ox_map_create_untyped(int, int, 0, OX_PERSISTENT);
    ox_multimap multimap = ox_multimap_create_untyped(int, int, 0, OX_PERSISTENT);
    collect_reports(&reports);

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!ox_list_reserve(list, MANY));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(!ox_map_reserve(map, MANY));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(!ox_multimap_reserve(multimap, MANY));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(ox_map_reserve(map, MANY) && ox_multimap_reserve(multimap, MANY));
    ox_dispose(&list);
    ox_dispose(&map);
    ox_dispose(&multimap);
}

TEST_CHECKED(containers, a_map_of_nobody_has_no_room) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_map map = {0};
    ox_multimap multimap = {0};

    EXPECT(!ox_map_reserve(map, 10));
    EXPECT_EQ(reports.count, 1);
    EXPECT(!ox_multimap_reserve(multimap, 10));
    EXPECT_EQ(reports.count, 2);
}

TEST_CHECKED(containers, each_kind_has_a_name) {
    ox_array array = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(int, 10, OX_PERSISTENT);
    ox_bits bits = ox_bits_create(10, OX_PERSISTENT);
    ox_access_info info;

    ox_container_set_name(array, "hp");
    ox_container_set_name(list, "hits");
    ox_container_set_name(bits, "alive");

    EXPECT(ox_access_get_info(array.access, &info));
    EXPECT_STR(info.name, "hp");
    EXPECT_STR(info.kind, "array");
    EXPECT(ox_access_get_info(list.access, &info));
    EXPECT_STR(info.name, "hits");
    EXPECT_STR(info.kind, "list");
    EXPECT(ox_access_get_info(bits.access, &info));
    EXPECT_STR(info.name, "alive");
    EXPECT_STR(info.kind, "bits");
    ox_dispose(&array);
    ox_dispose(&list);
    ox_dispose(&bits);
}

// Every leak as a line: what leaked, and the fix.
static char leaks[1024];

static void list_leak(const ox_report *report, void *context) {
    (void)context;
    size_t length = strlen(leaks);
    snprintf(leaks + length, sizeof leaks - length, "%s%s\n", ox_report_find(report, "owner")->text,
             report->fix);
}

static void check_leaks(void) {
    leaks[0] = 0;
    ox_report_handler before = ox_report_set_handler((ox_report_handler){list_leak, NULL});
    ox_memory_check_leaks();
    ox_report_set_handler(before);
}

TEST_CHECKED(containers, each_kind_that_leaks_is_named) {
    ox_element_info element = ox_element_info_of(int);
    oxi_map_type_pair types = oxi_map_type_pair_of(int, int);
    ox_array array = ox_array_create_at(element, 10, OX_PERSISTENT, "a.c:1");
    ox_bits bits = ox_bits_create_at(10, OX_PERSISTENT, "a.c:2");
    ox_list list = ox_list_create_at(element, 10, OX_TEMP_JOB, "a.c:3");
    ox_map map = ox_map_create_at(types, 10, OX_PERSISTENT, "a.c:4");
    ox_multimap grid = ox_multimap_create_at(types, 10, OX_PERSISTENT, "a.c:5");
    ox_queue queue = ox_queue_create_at(element, 10, OX_PERSISTENT, "a.c:6");
    ox_stream stream = ox_stream_create_at(OX_PERSISTENT, "a.c:7");
    ox_container_set_name(grid, "grid");
    ox_container_set_name(list, "orders");
    check_leaks();

    EXPECT_STR(leaks, "an array: dispose what is allocated at a.c:1\n"
                      "bits: dispose what is allocated at a.c:2\n"
                      "list 'orders': dispose what is allocated at a.c:3\n"
                      "a map: dispose what is allocated at a.c:4\n"
                      "multimap 'grid': dispose what is allocated at a.c:5\n"
                      "a queue: dispose what is allocated at a.c:6\n"
                      "a stream: dispose what is allocated at a.c:7\n");
    ox_dispose(&array);
    ox_dispose(&bits);
    ox_dispose(&list);
    ox_dispose(&map);
    ox_dispose(&grid);
    ox_dispose(&queue);
    ox_dispose(&stream);
    check_leaks();
    EXPECT_STR(leaks, "");
}

TEST_CHECKED(containers, many_that_leak_at_one_place_are_counted_and_one_is_named) {
    ox_list lists[4];
    for (int k = 0; k < 4; k++) {
        lists[k] = ox_list_create_at(ox_element_info_of(int), 1, OX_PERSISTENT, "a.c:1");
    }
    void *other = ox_memory_alloc_at(OX_PERSISTENT, 8, 8, "a.c:1");
    check_leaks();
    EXPECT_STR(leaks, "a list and 3 more: dispose what is allocated at a.c:1\n");
    ox_container_set_name(lists[2], "second");
    ox_container_set_name(lists[1], "third");
    check_leaks();
    EXPECT_STR(leaks, "list 'second' and 3 more: dispose what is allocated at a.c:1\n");
    for (int k = 0; k < 4; k++) {
        ox_dispose(&lists[k]);
    }
    check_leaks();
    EXPECT_STR(leaks, "free what is allocated at a.c:1\n");
    ox_memory_free(OX_PERSISTENT, other, 8, 8);
}

TEST_CHECKED(containers, temp_containers_may_not_enter_jobs) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 10, OX_TEMP);
    ox_list list = ox_list_create_untyped(int, 10, OX_TEMP_JOB);
    ox_bits bits = ox_bits_create(10, OX_TEMP_JOB);

    EXPECT_EQ(ox_schedule(UseAll, OX_NO_JOB, {array, list, bits, {0}}).value, 0);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_IN_JOB);
    ox_dispose(&array);
    ox_dispose(&list);
    ox_dispose(&bits);
    ox_jobs_stop();
}

TEST_CHECKED(containers, a_slice_and_its_array_are_the_same_container_to_a_job) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 10, OX_TEMP_JOB);
    ox_list list = ox_list_create_untyped(int, 10, OX_TEMP_JOB);
    ox_bits bits = ox_bits_create(10, OX_TEMP_JOB);
    ox_slice slice = ox_array_slice(array, 2, 3);

    EXPECT_EQ(ox_schedule(UseAll, OX_NO_JOB, {array, list, bits, slice}).value, 0);

    EXPECT_REPORT(&reports, OX_REPORT_ALIASED);
    ox_dispose(&array);
    ox_dispose(&list);
    ox_dispose(&bits);
    ox_jobs_stop();
}

OX_JOB(MakeInside, { ox_array result; }) {
    ox_list list = ox_list_create_untyped(int, 1, OX_TEMP);
    ox_bits bits = ox_bits_create(100, OX_TEMP);
    for (int k = 0; k < 100; k++) {
        ox_list_push(OX_AS(list, int), k);
        ox_bits_set(bits, k, k % 2 == 0);
    }
    ox_array_set(OX_AS(job->result, int), 0, ox_list_count(list) + ox_bits_count_set(bits));
}

TEST(containers, a_job_makes_and_uses_its_own) {
    ox_array result = ox_array_create_untyped(int, 1, OX_TEMP_JOB);

    ox_complete(ox_schedule(MakeInside, OX_NO_JOB, {result}));

    EXPECT_EQ(ox_array_read(OX_AS(result, int), 0), 150);
    ox_dispose(&result);
    ox_jobs_stop();
}
