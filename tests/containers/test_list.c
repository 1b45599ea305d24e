// SPDX-License-Identifier: MIT

#include "containers_test.h"

#include <limits.h>

static ox_list make_list(int count) {
    ox_list list = ox_list_create_untyped(int, 1, OX_PERSISTENT);
    for (int k = 0; k < count; k++) {
        EXPECT(ox_list_push(OX_AS(list, int), k));
    }
    return list;
}

TEST(list, a_new_one_is_empty_and_has_room) {
    ox_list list = ox_list_create_untyped(Body, 100, OX_PERSISTENT);

    EXPECT(ox_list_is_created(list));
    EXPECT_EQ(ox_list_count(list), 0);
    EXPECT(ox_list_is_empty(list));
    EXPECT_EQ(ox_list_capacity(list), 100);
    EXPECT_EQ((uintptr_t)ox_list_get_data(OX_AS(list, Body)) % 64, 0);
    ox_dispose(&list);
}

TEST(list, there_is_room_for_one_at_least) {
    ox_list list = ox_list_create_untyped(int, 0, OX_PERSISTENT);

    EXPECT_EQ(ox_list_capacity(list), 1);
    EXPECT(ox_list_set_capacity(list, 0));
    EXPECT_EQ(ox_list_capacity(list), 1);
    EXPECT(ox_list_trim(list));
    EXPECT_EQ(ox_list_capacity(list), 1);
    ox_dispose(&list);
}

TEST(list, pushing_past_capacity_grows_to_a_power_of_two) {
    ox_list list = ox_list_create_untyped(int, 3, OX_PERSISTENT);
    for (int k = 0; k < 3; k++) {
        ox_list_push(OX_AS(list, int), k);
    }
    EXPECT_EQ(ox_list_capacity(list), 3);

    ox_list_push(OX_AS(list, int), 3);
    EXPECT_EQ(ox_list_capacity(list), 16); // a cache line
    for (int k = 4; k < 100; k++) {
        ox_list_push(OX_AS(list, int), k);
    }

    EXPECT_EQ(ox_list_capacity(list), 128);
    EXPECT_EQ(ox_list_count(list), 100);
    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_list_read(OX_AS(list, int), k), k);
    }
    ox_dispose(&list);
}

TEST(list, values_are_pushed_in_braces_or_from_variables) {
    ox_list list = ox_list_create_untyped(Body, 1, OX_TEMP);
    Body body = {.id = 2};

    EXPECT(ox_list_push(OX_AS(list, Body), {.x = 1, .id = 1}));
    EXPECT(ox_list_push(OX_AS(list, Body), body));
    ox_list_set(OX_AS(list, Body), 0, {.id = 5});
    ox_list_edit(OX_AS(list, Body), 1)->x = 7;

    EXPECT_EQ(ox_list_read(OX_AS(list, Body), 0).id, 5);
    EXPECT_EQ(ox_list_peek(OX_AS(list, Body)).x, 7.0f);
    EXPECT_EQ(ox_list_peek(OX_AS(list, Body)).id, 2);
    ox_dispose(&list);
}

TEST(list, a_pushed_value_may_come_from_the_list) {
    ox_list list = make_list(16);

    EXPECT_EQ(ox_list_capacity(list), 16);
    EXPECT(ox_list_push(OX_AS(list, int), *ox_list_edit(OX_AS(list, int), 15) + 1));
    EXPECT(ox_list_push(OX_AS(list, int), ox_list_count(list)));

    EXPECT_EQ(ox_list_read(OX_AS(list, int), 16), 16);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 17), 17);
    ox_dispose(&list);
}

TEST(list, copies_of_a_handle_share_elements_and_length) {
    ox_list list = make_list(2), other = list;

    for (int k = 2; k < 50; k++) {
        ox_list_push(OX_AS(other, int), k);
    }

    EXPECT_EQ(ox_list_count(list), 50);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 49), 49);
    ox_dispose(&list);
}

TEST(list, room_is_made_and_given_back) {
    ox_list list = make_list(10);

    EXPECT(ox_list_reserve(list, 100));
    EXPECT_EQ(ox_list_capacity(list), 128);
    EXPECT(ox_list_reserve(list, 5));
    EXPECT_EQ(ox_list_capacity(list), 128);
    EXPECT(ox_list_set_capacity(list, 33));
    EXPECT_EQ(ox_list_capacity(list), 33);
    EXPECT(ox_list_trim(list));
    EXPECT_EQ(ox_list_capacity(list), 10);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 9), 9);
    ox_dispose(&list);
}

TEST(list, a_capacity_below_the_count_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(10);

    EXPECT(!ox_list_set_capacity(list, 9));
    EXPECT_REPORT(&reports, OX_REPORT_CAPACITY_BELOW_COUNT);
    EXPECT_EQ(ox_list_count(list), 10);
    ox_dispose(&list);
}

TEST(list, lengths_that_cannot_be_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(1);
    const int64_t counts[] = {-1, INT_MIN, INT64_MIN, (int64_t)INT32_MAX + 1, INT64_MAX};

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        EXPECT(!ox_list_is_created(ox_list_create_untyped(int, counts[k], OX_PERSISTENT)));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
        EXPECT(!ox_list_reserve(list, counts[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
        EXPECT(!ox_list_set_capacity(list, counts[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
        EXPECT(!ox_list_resize(OX_AS(list, int), counts[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
        EXPECT(!ox_list_push_many(OX_AS(list, int), (const int *)list.state->data, counts[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    }
    EXPECT(!ox_list_push_many(OX_AS(list, int), (const int *)list.state->data, INT32_MAX));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT_EQ(ox_list_count(list), 1);
    ox_dispose(&list);
}

TEST_CHECKED(list, an_index_outside_is_reported_and_has_no_effect) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(3);
    const int64_t indices[] = {-1, 3, 15, INT_MIN, INT_MAX, INT64_MAX};

    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        EXPECT_EQ(ox_list_read(OX_AS(list, int), indices[k]), 0);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        ox_list_set(OX_AS(list, int), indices[k], 5);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT_EQ(ox_list_edit(OX_AS(list, int), indices[k]), oxi_element_scratch());
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT_EQ(ox_list_get_range(OX_AS(list, int), 0, indices[k]) == oxi_element_zeros(),
                  indices[k] != 3);
        reports.count = 0;
    }
    EXPECT_EQ(*ox_list_get_range(OX_AS(list, int), 1, 3), 1);
    *ox_list_edit_range(OX_AS(list, int), 2, 3) = 9;
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 2), 9);
    ox_dispose(&list);
}

TEST(list, another_element_type_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(3);
    double number = 0;

    EXPECT(!ox_list_resize(OX_AS(list, float), 5));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_list_insert(OX_AS(list, float), 0, 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_list_push_many(OX_AS(list, double), &number, 1));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_list_pop(OX_AS(list, float)), 0.0f);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_list_try_pop(OX_AS(list, double), &number));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_list_peek(OX_AS(list, unsigned)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_list_count(list), 3);
    ox_dispose(&list);
}

TEST_CHECKED(list, another_element_type_is_reported_on_hot_calls_too) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(3);

    EXPECT(!ox_list_push(OX_AS(list, float), 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    (void)ox_list_read(OX_AS(list, float), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_list_set(OX_AS(list, float), 0, 1.0f);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_list_edit_data(OX_AS(list, unsigned)), oxi_element_scratch());
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&list);
}

TEST(list, one_that_was_never_created_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list none = {0};
    int value;

    EXPECT(!ox_list_reserve(none, 1) && !ox_list_set_capacity(none, 1) && !ox_list_trim(none));
    EXPECT(!ox_list_resize(OX_AS(none, int), 1) && !ox_list_clear(none) &&
           !ox_list_remove(none, 0));
    EXPECT(!ox_list_insert(OX_AS(none, int), 0, 1) &&
           !ox_list_push_many(OX_AS(none, int), &value, 0));
    EXPECT(!ox_list_remove_swap(none, 0) && !ox_list_try_pop(OX_AS(none, int), &value));
    EXPECT(ox_list_pop(OX_AS(none, int)) == 0 && ox_list_peek(OX_AS(none, int)) == 0);
    EXPECT(!ox_array_is_created(ox_list_as_array(none)));
    EXPECT(!ox_array_is_created(ox_list_to_array(none, OX_TEMP)));
    EXPECT(ox_list_writer_of(none).state == NULL && !ox_list_merge(none));
    EXPECT_EQ(ox_list_merge_after(none, OX_NO_JOB).value, 0);
    EXPECT_EQ(ox_dispose_after(&none, OX_NO_JOB).value, 0);
    ox_dispose(&none);

    EXPECT_EQ(reports.count, 19);
    EXPECT_EQ(reports.last, OX_REPORT_UNASSIGNED);
}

TEST_CHECKED(list, hot_calls_report_one_that_was_never_created) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list none = {0};

    EXPECT_EQ(ox_list_count(none) + ox_list_capacity(none) + ox_list_read(OX_AS(none, int), 0), 0);
    EXPECT(!ox_list_push(OX_AS(none, int), 1));
    ox_list_set(OX_AS(none, int), 0, 1);

    EXPECT_EQ(reports.count, 5);
    EXPECT_EQ(reports.last, OX_REPORT_UNASSIGNED);
}

TEST(list, disposing_gives_the_memory_back) {
    uint64_t blocks = count_blocks();
    ox_list list = make_list(100);
    (void)ox_list_writer_of(list);

    ox_dispose(&list);

    EXPECT(!ox_list_is_created(list));
    EXPECT_EQ(count_blocks(), blocks);
}

TEST(list, disposing_twice_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(1);
    ox_dispose(&list);

    ox_dispose(&list);

    bool is_watched = ox_get_safety_level() > 0;
    EXPECT_REPORT(&reports, is_watched ? OX_REPORT_DISPOSED : OX_REPORT_UNASSIGNED);
    ox_dispose((ox_list *)NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_dispose_after((ox_list *)NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST_CHECKED(list, use_after_disposing_is_reported_for_every_copy) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(1), copy = list;
    ox_dispose(&list);

    EXPECT_EQ(ox_list_count(copy), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(!ox_list_push(OX_AS(copy, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(ox_list_writer_of(copy).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(!ox_array_is_created(ox_list_as_array(copy)));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(!ox_array_is_created(ox_list_as_array(list)));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(!ox_list_merge(copy));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

TEST(list, it_is_copied_to_an_array) {
    ox_list list = make_list(20);
    ox_array array = ox_list_to_array(list, OX_PERSISTENT);

    ox_list_set(OX_AS(list, int), 3, 99);

    EXPECT_EQ(ox_array_count(array), 20);
    EXPECT_EQ(ox_array_read(OX_AS(array, int), 3), 3);
    ox_dispose(&array);
    ox_dispose(&list);
}

TEST(list, an_array_view_is_the_lists_own_memory) {
    ox_list list = make_list(20);
    ox_array view = ox_list_as_array(list);
    ox_slice slice = ox_array_slice(ox_list_as_array(list), 5, 10);

    ox_array_set(OX_AS(view, int), 19, 100);
    ox_slice_set(OX_AS(slice, int), 0, 50);

    EXPECT_EQ(ox_array_count(view), 20);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 19), 100);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 5), 50);
    ox_dispose(&list);
}

TEST(list, an_array_view_cannot_be_disposed) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(20);
    ox_array view = ox_list_as_array(list);

    ox_dispose(&view);
    EXPECT_REPORT(&reports, OX_REPORT_VIEW_DISPOSED);
    EXPECT_EQ(ox_dispose_after(&view, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_VIEW_DISPOSED);

    EXPECT_EQ(ox_array_read(OX_AS(view, int), 19), 19);
    ox_dispose(&list);
}

TEST_CHECKED(list, an_array_view_ends_when_the_length_may_change) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(20);
    ox_array view = ox_list_as_array(list);
    ox_slice slice = ox_array_slice(ox_list_as_array(list), 0, 5);
    EXPECT_EQ(ox_array_read(OX_AS(view, int), 19) + ox_slice_read(OX_AS(slice, int), 4), 23);

    ox_list_push(OX_AS(list, int), 20); // there is room: nothing moves, and it ends all the same

    EXPECT_EQ(ox_array_read(OX_AS(view, int), 19), 0);
    EXPECT_REPORT(&reports, OX_REPORT_VIEW_ENDED);
    EXPECT_EQ(ox_slice_read(OX_AS(slice, int), 4), 0);
    EXPECT_REPORT(&reports, OX_REPORT_VIEW_ENDED);
    view = ox_list_as_array(list);
    EXPECT_EQ(ox_array_read(OX_AS(view, int), 20), 20);
    ox_list_set(OX_AS(list, int), 20, 5); // no change of length
    EXPECT_EQ(ox_array_read(OX_AS(view, int), 20), 5);
    ox_dispose(&list);
    EXPECT_EQ(ox_array_read(OX_AS(view, int), 20), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

OX_JOB(PushThree, { ox_list list; }) {
    for (int k = 0; k < 3; k++) {
        ox_list_push(OX_AS(job->list, int), k);
    }
}

OX_JOB(SumView, {
    OX_READ_ONLY ox_array numbers;
    ox_array sum;
}) {
    for (int k = 0; k < job->numbers.count; k++) {
        *ox_array_edit(OX_AS(job->sum, int), 0) += ox_array_read(OX_AS(job->numbers, int), k);
    }
}

TEST(list, a_job_makes_it_longer) {
    ox_list list = make_list(2);

    ox_complete(ox_schedule(PushThree, OX_NO_JOB, {list}));

    EXPECT_EQ(ox_list_count(list), 5);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 4), 2);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(list, a_job_may_hold_a_view_of_a_fixed_length) {
    ox_list list = make_list(10);
    ox_array sum = ox_array_create_untyped(int, 1, OX_TEMP_JOB), view = ox_list_as_array(list);

    ox_job job = ox_schedule(SumView, OX_NO_JOB, {view, sum});
    ox_complete(job);

    EXPECT_EQ(ox_array_read(OX_AS(sum, int), 0), 45);
    EXPECT_EQ(ox_array_read(OX_AS(view, int), 9), 9); // the view outlives the job
    ox_dispose(&sum);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST_CHECKED(list, its_length_may_not_be_read_while_a_job_changes_it) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = make_list(2);
    ox_job job = ox_schedule(PushThree, OX_NO_JOB, {list});

    EXPECT_EQ(ox_list_count(list), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT(!ox_list_push(OX_AS(list, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);

    ox_complete(job);
    EXPECT_EQ(ox_list_count(list), 5);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST(list, it_is_disposed_after_a_job) {
    uint64_t blocks = count_blocks();
    ox_list list = make_list(2);
    ox_job job = ox_schedule(PushThree, OX_NO_JOB, {list});

    ox_complete(ox_dispose_after(&list, job));

    EXPECT(!ox_list_is_created(list));
    EXPECT_EQ(count_blocks(), blocks);
    ox_jobs_stop();
}
