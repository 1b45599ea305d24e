// SPDX-License-Identifier: MIT
//
// Every fallible call of the safety system is failed once, alone and together with all that follow.
// What is refused leaves everything as it was, and is right when it is asked for again.

#include "safety_test.h"

#include "base/substitute.h"
#include "oxbow/memory.h"
#include "safety/guard.h"

enum { FIRST_BOXES = 3, MANY = 300 };

OX_STRUCT(FaultPart, {
    Box inner;
    int gap;
});
OX_JOB(WriteParts, {
    FaultPart parts[3];
    OX_READ_ONLY Box extra;
}) {
}
OX_JOB(WriteOne, { Box box; }) {
}
OX_JOB(ReadOne, { OX_READ_ONLY Box box; }) {
}

static uint32_t scheduled_count, refused_count;

// Nothing may have changed when a call was refused.
static void expect_unchanged(ox_safety_usage before, Box box) {
    if (ox_get_safety_level() > 0) {
        ox_safety_usage now = ox_safety_get_usage();
        if (now.job_count != before.job_count || now.container_count != before.container_count) {
            test_fail(__FILE__, __LINE__, "a refused call has changed something");
        }
        ox_access_info info;
        EXPECT(ox_access_get_info(box.access, &info));
    }
}

// Schedules, and once more when that was refused. A second refusal needs a second failure.
static ox_job insist(ox_job_type *type, const void *data, ox_job after, Box box) {
    ox_safety_usage before = ox_safety_get_usage();
    ox_job job = ox_schedule_at(type, after, data, OX_HERE);
    if (job.value == 0) {
        expect_unchanged(before, box);
        uint64_t failures = oxi_fault_get_failures();
        job = ox_schedule_at(type, after, data, OX_HERE);
        EXPECT(job.value != 0 || oxi_fault_get_failures() > failures);
        refused_count++;
    }
    scheduled_count += job.value != 0;
    return job;
}

static ox_job insist_combination(const ox_job *jobs, int count) {
    ox_safety_usage before = ox_safety_get_usage();
    ox_job both = ox_combine_at(jobs, count, OX_HERE);
    if (both.value == 0) {
        EXPECT_EQ(ox_safety_get_usage().job_count, before.job_count);
    }
    return both;
}

static bool create_box(Box *box) {
    *box = (Box){.length = BOX_LENGTH};
    bool is_made = ox_access_create(&box->access, &(ox_access_def){.kind = "box"});
    EXPECT(is_made || box->access.token == 0);
    return is_made;
}

// All boxes, or none.
static bool create_boxes(Box *boxes, int count) {
    for (int k = 0; k < count; k++) {
        if (!create_box(&boxes[k]) && !create_box(&boxes[k])) {
            for (int made = 0; made < k; made++) {
                EXPECT(dispose_box(boxes[made]));
            }
            return false;
        }
    }
    return true;
}

static void schedule_parts(const Box boxes[FIRST_BOXES + 1]) {
    WriteParts parts = {.extra = boxes[FIRST_BOXES]};
    for (int k = 0; k < FIRST_BOXES; k++) {
        parts.parts[k].inner = boxes[k];
    }
    ox_job first = insist(ox_job_type_of(WriteParts), &parts, OX_NO_JOB, boxes[0]);
    ox_job second = insist(ox_job_type_of(WriteParts), &parts, first, boxes[0]);
    ox_complete(second, first);
    ox_run_at(ox_job_type_of(WriteOne), &(WriteOne){boxes[FIRST_BOXES]}, OX_HERE);
}

static void schedule_many(Box box) {
    static ox_job jobs[MANY];
    int count = 0;
    for (int k = 0; k < MANY; k++) {
        ox_job job = insist(ox_job_type_of(ReadOne), &(ReadOne){box}, OX_NO_JOB, box);
        jobs[count] = job;
        count += job.value != 0;
    }
    ox_job all = count > 1 ? insist_combination(jobs, count) : OX_NO_JOB;
    if (all.value != 0) {
        insist(ox_job_type_of(WriteOne), &(WriteOne){box}, all, box);
    }
    ox_complete(all);
    ox_complete_at(jobs, count, OX_HERE);
}

static void use_safety(void) {
    Box boxes[FIRST_BOXES + 1] = {{0}};
    scheduled_count = refused_count = 0;
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS})) {
        if (create_boxes(boxes, FIRST_BOXES + 1)) {
            schedule_parts(boxes);
            schedule_many(boxes[0]);
            ox_safety_usage usage = ox_safety_get_usage();
            EXPECT(usage.job_count <= 1); // the writer, which nobody completed
        }
        ox_report_silence(OX_REPORT_JOBS_OUTSTANDING, true);
        ox_jobs_stop();
        ox_report_silence(OX_REPORT_JOBS_OUTSTANDING, false);
    }
    ox_safety_usage left = ox_safety_get_usage();
    for (int k = 0; k <= FIRST_BOXES && left.container_count > 0; k++) {
        EXPECT(dispose_box(boxes[k]));
    }
    expect_nothing_kept();
    oxi_safety_reset();
    ox_frame_end();
    ox_memory_trim();
}

TEST(safety_faults, refused_calls_change_nothing) {
    use_safety(); // the table of types stays
    EXPECT_EQ(refused_count, 0);
    EXPECT_EQ(scheduled_count, 2 + MANY + 1);
    test_fault_sweep("safety", use_safety);
}
