// SPDX-License-Identifier: MIT
//
// Temp memory inside jobs: it lives until the job returns, and a job without any costs nothing.

#include "test.h"

#include "base/temp.h"

TEST(temp_in_jobs, memory_of_a_job_is_gone_when_it_returns) {
    void *before = ox_memory_alloc(OX_TEMP, 64, 8);
    oxi_temp_enter_job();
    void *inside = ox_memory_alloc(OX_TEMP, 64, 8);
    oxi_temp_leave_job();

    oxi_temp_enter_job();
    void *again = ox_memory_alloc(OX_TEMP, 64, 8);
    oxi_temp_leave_job();

    EXPECT(before != NULL && before != inside);
    EXPECT_EQ(again, inside);
    EXPECT_EQ(oxi_temp_get_depth(), 0);
}

TEST(temp_in_jobs, memory_from_before_the_job_stays) {
    int *before = ox_memory_alloc_array(OX_TEMP, 1, int);
    *before = 7;

    for (int k = 0; k < 100; k++) {
        oxi_temp_enter_job();
        *ox_memory_alloc_array(OX_TEMP, 1000, int) = k;
        oxi_temp_leave_job();
    }

    EXPECT_EQ(*before, 7);
    ox_memory_free_array(OX_TEMP, before, 1, int);
}

TEST(temp_in_jobs, job_without_temp_memory_opens_no_scope) {
    oxi_temp_enter_job();
    EXPECT_EQ(oxi_temp_job, OXI_TEMP_UNUSED);
    EXPECT_EQ(oxi_temp_get_depth(), 1);
    oxi_temp_leave_job();

    EXPECT_EQ(oxi_temp_get_depth(), 0);
}

TEST(temp_in_jobs, frame_cannot_end_inside_a_job) {
    collected_reports reports;
    collect_reports(&reports);
    uint64_t frame = ox_frame_get_number();

    oxi_temp_enter_job();
    ox_frame_end();
    oxi_temp_leave_job();

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_SCOPE_ORDER);
    EXPECT_EQ(ox_frame_get_number(), frame);
}

TEST(temp_in_jobs, scope_that_a_job_leaves_open_is_reported_and_ends_with_it) {
    collected_reports reports;
    collect_reports(&reports);

    oxi_temp_enter_job();
    void *inside = ox_memory_alloc(OX_TEMP, 64, 8);
    ox_temp_begin();
    oxi_temp_leave_job();

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_SCOPE_ORDER);
    EXPECT_EQ(oxi_temp_get_depth(), 0);
    oxi_temp_enter_job();
    EXPECT_EQ(ox_memory_alloc(OX_TEMP, 64, 8), inside);
    oxi_temp_leave_job();
    EXPECT_EQ(reports.count, 0);
}

static int job_ends;

static void count_job_end(void) {
    job_ends++;
    EXPECT(ox_memory_alloc(OX_TEMP, 64, 8) != NULL); // still in the scope of the job
}

TEST(temp_in_jobs, a_function_for_the_end_of_a_job_runs_once_and_in_its_scope) {
    job_ends = 0;
    oxi_temp_enter_job();
    oxi_temp_at_job_end(count_job_end);
    ox_memory_alloc(OX_TEMP, 64, 8);
    oxi_temp_at_job_end(count_job_end);
    EXPECT_EQ(job_ends, 0);
    oxi_temp_leave_job();
    EXPECT_EQ(job_ends, 1);

    oxi_temp_enter_job();
    ox_memory_alloc(OX_TEMP, 64, 8);
    oxi_temp_leave_job();

    EXPECT_EQ(job_ends, 1);
    EXPECT_EQ(oxi_temp_get_depth(), 0);
}
