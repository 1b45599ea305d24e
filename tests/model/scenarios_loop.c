// SPDX-License-Identifier: MIT
//
// Scenarios of parallel jobs, and of slots and loops that go back to main.

#include "model/scenarios.h"

static void expect_indices(uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        MODEL_CHECK(done.runs[8 + k] == 1);
    }
}

// Every slot is free, or on its way back: once each.
static void expect_slots_returned(uint32_t count) {
    uint32_t seen = 0;
    for (uint32_t k = 0; k <= oxi_jobs.worker_count; k++) {
        oxi_slots_return(&oxi_jobs.runners[k]);
    }
    for (uint32_t list = 0; list < 2; list++) {
        uint32_t slot = list == 0 ? oxi_jobs.free_slot : oxi_jobs.returned_slots;
        for (; slot != 0; slot = oxi_jobs.slots[slot].link) {
            MODEL_CHECK((seen >> slot & 1) == 0);
            seen |= UINT32_C(1) << slot;
        }
    }
    MODEL_CHECK(seen == (UINT32_C(2) << count) - 2);
}

static void expect_loops_returned(int count) {
    int found = 0;
    for (oxi_loop *loop = oxi_jobs.free_loop; loop != NULL && found < 9; loop = loop->next) {
        found++;
    }
    for (oxi_loop *loop = oxi_jobs.returned_loops; loop != NULL && found < 9; loop = loop->next) {
        found++;
    }
    MODEL_CHECK(found == count);
}

static void join_0(void) {
    run_job(done.job[0]);
}

// Runners share the indices of one loop, and main reads what they wrote.

static void begin_loop(void) {
    scenario_begin(1);
    done.job[0] = schedule_loop(4, OX_NO_JOB);
    oxi_jobs_kick_all();
}

static void join_and_look_at_four(void) {
    run_job(done.job[0]);
    if (ox_job_is_complete(done.job[0])) {
        expect_indices(4);
    }
}

static void expect_loop_of_two(void) {
    run_rest();
    expect_indices(4);
    expect_slots_returned(1);
    expect_loops_returned(1);
}

const model_scenario scenario_loop_of_two = {
    "loop_of_two", 3, begin_loop, {join_and_look_at_four, join_0}, expect_loop_of_two, 0};

static void begin_small_loop(void) {
    scenario_begin(2);
    done.job[0] = schedule_loop(3, OX_NO_JOB);
    oxi_jobs_kick_all();
}

static void join_and_look(void) {
    run_job(done.job[0]);
    if (ox_job_is_complete(done.job[0])) {
        expect_indices(3);
    }
}

static void expect_loop_of_three(void) {
    run_rest();
    expect_indices(3);
    expect_slots_returned(1);
    expect_loops_returned(1);
}

const model_scenario scenario_loop_of_three = {
    "loop_of_three", 2, begin_small_loop, {join_and_look, join_0, join_0}, expect_loop_of_three, 0};

// A runner has an entry of a loop that main ends; the loop, and the slot, go to the next job.

static void begin_short_loop(void) {
    scenario_begin(1);
    done.job[0] = schedule_loop(2, OX_NO_JOB);
    oxi_jobs_kick_all();
}

static void run_two_loops(void) {
    run_job(done.job[0]);
    done.job[1] = OX_NO_JOB;
    if (ox_job_is_complete(done.job[0])) {
        expect_indices(2);
        done.runs[8] = done.runs[9] = 0;
        done.job[1] = schedule_loop(2, OX_NO_JOB);
        run_job(done.job[1]);
    }
}

static void expect_two_loops(void) {
    run_rest();
    expect_indices(2);
    MODEL_CHECK(ox_job_is_complete(done.job[0]) && ox_job_is_complete(done.job[1]));
}

const model_scenario scenario_loop_stale_ticket = {
    "loop_stale_ticket", 3, begin_short_loop, {run_two_loops, join_0}, expect_two_loops, 0};

// The slot goes to a job with a loop that is made for it: the runner has never heard of that.

static void begin_done_loop(void) {
    begin_short_loop();
    run_job(done.job[0]);
    done.runs[8] = done.runs[9] = 0;
    oxi_loop_take(); // so that there is none
}

static void schedule_second_loop(void) {
    done.job[1] = schedule_loop(2, OX_NO_JOB);
}

const model_scenario scenario_loop_is_new = {
    "loop_is_new", 3, begin_done_loop, {schedule_second_loop, join_0}, expect_two_loops, 0};

// A loop takes its count from what a job before it wrote: whoever comes first, once.

static void begin_late_loop_of(uint32_t count) {
    scenario_begin(1);
    schedule_job(0, OX_NO_JOB, 0);
    done.job[1] = schedule_late_loop(count, done.job[0]);
    schedule_job(2, done.job[1], 1);
    oxi_jobs_kick_all();
}

static void begin_late_loop(void) {
    begin_late_loop_of(2);
}

static void run_0_and_late(void) {
    run_job(done.job[0]);
    run_job(done.job[1]);
}

static void run_late(void) {
    run_job(done.job[1]);
    run_job(done.job[1]);
}

static void expect_late_loop_of(uint32_t count) {
    run_rest();
    expect_indices(count);
    MODEL_CHECK(done.runs[0] == 1 && done.runs[2] == 1 && done.runs[7] == 1);
    MODEL_CHECK(ox_job_is_complete(done.job[1]) && ox_job_is_complete(done.job[2]));
    expect_slots_returned(3);
    expect_loops_returned(1);
}

static void expect_late_loop(void) {
    expect_late_loop_of(2);
}

const model_scenario scenario_late_loop = {
    "late_loop", 3, begin_late_loop, {run_0_and_late, run_late}, expect_late_loop, 0};

// Main waits for such a loop, and may find that a runner is taking the count.

static void complete_late(void) {
    oxi_jobs_wait_all(&done.job[1], 1);
    expect_indices(2);
}

const model_scenario scenario_late_loop_of_main = {
    "late_loop_of_main", 2, begin_late_loop, {complete_late, run_0_and_late}, expect_late_loop, 0};

// There are no indices: the job ends, its slot is used again, and who has an old entry finds that.

static void begin_empty_late_loop(void) {
    begin_late_loop_of(0);
}

static void expect_empty_late_loop(void) {
    expect_late_loop_of(0);
}

const model_scenario scenario_late_loop_is_empty = {
    "late_loop_is_empty",   3, begin_empty_late_loop, {run_0_and_late, run_late},
    expect_empty_late_loop, 0};

// The loop goes to a job in another slot, with the same version, which waits for a job and may not
// begin: who holds the old entry must leave it alone.

static void begin_same_version(void) {
    begin_short_loop();
    schedule_job(1, OX_NO_JOB, 0); // takes the next slot, so that it has the same version
}

static void give_loop_to_another(void) {
    run_job(done.job[0]);
    if (!ox_job_is_complete(done.job[0])) {
        return;
    }
    schedule_job(2, OX_NO_JOB, 0); // takes the slot of the loop, if that is back
    done.runs[8] = done.runs[9] = 0;
    done.job[3] = schedule_loop(2, done.job[1]);
    done.flag = 1;
    for (uint32_t k = 0; k < 2; k++) {
        MODEL_CHECK(done.runs[8 + k] == 0);
    }
}

static void expect_same_version(void) {
    bool waits = done.flag == 1;
    MODEL_CHECK(!waits || (done.runs[8] == 0 && done.runs[9] == 0));
    run_rest();
    expect_indices(2);
    MODEL_CHECK(done.runs[1] == 1);
    MODEL_CHECK(!waits || ox_job_is_complete(done.job[3]));
}

const model_scenario scenario_loop_same_version = {
    "loop_same_version", 3, begin_same_version, {give_loop_to_another, join_0},
    expect_same_version, 0};

// Two runners return slots while main takes them.

static void begin_taken_slots(void) {
    scenario_begin(2);
    for (uint32_t k = 1; k <= 4; k++) {
        MODEL_CHECK(oxi_slot_take() == &oxi_jobs.slots[k]);
    }
}

static void return_two_slots(void) {
    oxi_runner *runner = room_be((uint32_t)model_thread());
    uint32_t first = 2 * runner->index - 1;
    oxi_slot_give(runner, &oxi_jobs.slots[first]);
    oxi_slot_give(runner, &oxi_jobs.slots[first + 1]);
    oxi_slots_return(runner);
}

static void take_and_give_slots(void) {
    oxi_slot *slots[3];
    for (int k = 0; k < 3; k++) {
        slots[k] = oxi_slot_take();
    }
    for (int k = 0; k < 3; k++) {
        MODEL_CHECK(slots[k] != slots[(k + 1) % 3]);
        oxi_slot_give(&oxi_jobs.runners[0], slots[k]);
    }
}

static void expect_all_slots(void) {
    expect_slots_returned(oxi_jobs.slot_count - 1);
}

const model_scenario scenario_slot_chains = {
    "slot_chains",     2,
    begin_taken_slots, {take_and_give_slots, return_two_slots, return_two_slots},
    expect_all_slots,  0};

// The same with loops.

static void begin_taken_loops(void) {
    scenario_begin(2);
    done.taken[1][0] = (uintptr_t)oxi_loop_take();
    done.taken[2][0] = (uintptr_t)oxi_loop_take();
}

static void return_loop(void) {
    oxi_loop *loop = (oxi_loop *)(uintptr_t)done.taken[model_thread()][0];
    loop->count = 2;
    oxi_loop_give(loop);
}

static void take_loops(void) {
    oxi_loop *first = oxi_loop_take();
    oxi_loop *second = oxi_loop_take();
    MODEL_CHECK(first != second);
    for (int k = 1; k <= 2; k++) {
        bool is_old = done.taken[k][0] == (uintptr_t)first || done.taken[k][0] == (uintptr_t)second;
        done.flag += !is_old;
    }
    first->count = second->count = 1; // a race, if somebody else has it still
    oxi_loop_give(first);
    oxi_loop_give(second);
}

static void expect_all_loops(void) {
    // Main has taken two: those of the runners, or ones that it made when those were not back.
    expect_loops_returned(2 + (int)done.flag);
}

const model_scenario scenario_loop_returns = {
    "loop_returns",   2, begin_taken_loops, {take_loops, return_loop, return_loop},
    expect_all_loops, 0};
