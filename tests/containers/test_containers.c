// SPDX-License-Identifier: MIT
//
// What can be done to any container.

#include "containers_test.h"

TEST(containers, each_kind_is_disposed_by_one_word) {
    uint64_t blocks = count_blocks();
    ox_array array = ox_array_create(int, 10, OX_PERSISTENT);
    ox_list list = ox_list_create(int, 10, OX_PERSISTENT);
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
    ox_array_set(int, job->array, 0, 1);
    ox_list_push(int, job->list, 1);
    ox_bits_set(job->bits, 1, true);
    ox_slice_set(int, job->slice, 1, 1);
}

TEST(containers, each_kind_is_disposed_after_a_job) {
    uint64_t blocks = count_blocks();
    ox_array array = ox_array_create(int, 10, OX_TEMP_JOB);
    ox_array sliced = ox_array_create(int, 10, OX_TEMP_JOB);
    ox_list list = ox_list_create(int, 10, OX_TEMP_JOB);
    ox_bits bits = ox_bits_create(10, OX_TEMP_JOB);
    ox_slice slice = ox_array_slice(sliced, 2, 3);
    ox_job job = ox_schedule(UseAll, ox_none, {array, list, bits, slice});

    ox_job freed[] = {ox_dispose_after(&array, job), ox_dispose_after(&list, job),
                      ox_dispose_after(&bits, job), ox_dispose_after(&sliced, job)};
    ox_jobs_complete_at(freed, 4, OX_HERE);

    EXPECT(!ox_array_is_created(array) && !ox_list_is_created(list) && !ox_bits_is_created(bits));
    EXPECT_EQ(count_blocks(), blocks);
    ox_jobs_stop();
}

TEST_CHECKED(containers, each_kind_has_a_name) {
    ox_array array = ox_array_create(int, 10, OX_PERSISTENT);
    ox_list list = ox_list_create(int, 10, OX_PERSISTENT);
    ox_bits bits = ox_bits_create(10, OX_PERSISTENT);
    ox_access_info info;

    ox_set_name(array, "hp");
    ox_set_name(list, "hits");
    ox_set_name(bits, "alive");

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

TEST_CHECKED(containers, temp_containers_may_not_enter_jobs) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create(int, 10, OX_TEMP);
    ox_list list = ox_list_create(int, 10, OX_TEMP_JOB);
    ox_bits bits = ox_bits_create(10, OX_TEMP_JOB);

    EXPECT_EQ(ox_schedule(UseAll, ox_none, {array, list, bits, {0}}).value, 0);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_IN_JOB);
    ox_dispose(&array);
    ox_dispose(&list);
    ox_dispose(&bits);
    ox_jobs_stop();
}

TEST_CHECKED(containers, a_slice_and_its_array_are_the_same_container_to_a_job) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create(int, 10, OX_TEMP_JOB);
    ox_list list = ox_list_create(int, 10, OX_TEMP_JOB);
    ox_bits bits = ox_bits_create(10, OX_TEMP_JOB);
    ox_slice slice = ox_array_slice(array, 2, 3);

    EXPECT_EQ(ox_schedule(UseAll, ox_none, {array, list, bits, slice}).value, 0);

    EXPECT_REPORT(&reports, OX_REPORT_ALIASED);
    ox_dispose(&array);
    ox_dispose(&list);
    ox_dispose(&bits);
    ox_jobs_stop();
}

OX_JOB(MakeInside, { ox_array result; }) {
    ox_list list = ox_list_create(int, 1, OX_TEMP);
    ox_bits bits = ox_bits_create(100, OX_TEMP);
    for (int k = 0; k < 100; k++) {
        ox_list_push(int, list, k);
        ox_bits_set(bits, k, k % 2 == 0);
    }
    ox_array_set(int, job->result, 0, ox_list_count(list) + ox_bits_count_set(bits));
}

TEST(containers, a_job_makes_and_uses_its_own) {
    ox_array result = ox_array_create(int, 1, OX_TEMP_JOB);

    ox_complete(ox_schedule(MakeInside, ox_none, {result}));

    EXPECT_EQ(ox_array_get(int, result, 0), 150);
    ox_dispose(&result);
    ox_jobs_stop();
}
