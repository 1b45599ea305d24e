// SPDX-License-Identifier: MIT
//
// Every pair of uses of one container: what a first job does with it, how far that job is, what
// comes then, and by which way it depends on the first.
//
// What must happen is computed by `judge`, which is written from the rules (a job that nobody
// completed holds what it holds; readers do not disturb readers; who may resize ends views), not
// from the code. Bodies of jobs use what they hold, so a report from inside a job is a failure too.

#include "safety_test.h"

typedef enum use_form { RW, RO, WRITER, VIEW_RW, VIEW_RO, UNRESTRICTED, NO_SAFETY, FORMS } use_form;
typedef enum job_kind { SINGLE, PARALLEL, BACKGROUND, KINDS } job_kind;
typedef enum first_state {
    UNKICKED,
    FINISHED,
    COMPLETED,
    BY_DEPENDENT,
    BY_COMBINATION,
    STATES
} first_state;
typedef enum the_way { NOT, DIRECT, CHAIN, COMBINED, COMBINED_TWICE, UNRELATED, WAYS } the_way;
typedef enum then_what {
    SCHEDULE,
    RUN,
    READ,
    WRITE,
    RESIZE,
    MAKE_VIEW,
    DISPOSE,
    DISPOSE_AFTER,
    THENS
} then_what;

typedef struct cell {
    bool is_whole;
    use_form first;
    job_kind first_kind;
    first_state state;
    then_what then;
    use_form second;
    job_kind second_kind;
    the_way way;
} cell;

static caught_reports caught;

// The bodies do what their forms allow.

// A failed EXPECT would leave the job by a jump: what is refused is counted.
static oxi_atomic_u32 refused_in_jobs;

static void use_in_job(Box box, int form, int64_t index) {
    bool reads = form != WRITER;
    bool writes = form != RO && form != VIEW_RO;
    bool is_fine = (!reads || read_box(box)) && (!writes || write_box(box));
    atomic_fetch_add(&refused_in_jobs, !(is_fine && touch_box(box, index)));
}

OX_JOB(UseMarkless, {
    Box box;
    int form;
}) {
    use_in_job(job->box, job->form, 5);
}
OX_JOB(UseReadOnly, {
    OX_READ_ONLY Box box;
    int form;
}) {
    use_in_job(job->box, job->form, 5);
}
OX_JOB(UseUnrestricted, {
    int form;
    OX_UNRESTRICTED Box box;
}) {
    use_in_job(job->box, job->form, 5);
}
OX_JOB(UseNoSafety, {
    int form;
    OX_NO_SAFETY Box box;
}) {
    use_in_job(job->box, job->form, 5);
}
OX_PARALLEL_JOB(EachMarkless, {
    Box box;
    int form;
}) {
    // A parallel writer adds: it knows no batch.
    use_in_job(job->box, job->form, job->form == WRITER ? 3 - i : i);
}
OX_PARALLEL_JOB(EachReadOnly, {
    OX_READ_ONLY Box box;
    int form;
}) {
    use_in_job(job->box, job->form, 3 - i);
}
OX_PARALLEL_JOB(EachUnrestricted, {
    int form;
    OX_UNRESTRICTED Box box;
}) {
    use_in_job(job->box, job->form, 3 - i);
}
OX_PARALLEL_JOB(EachNoSafety, {
    int form;
    OX_NO_SAFETY Box box;
}) {
    use_in_job(job->box, job->form, 3 - i);
}
OX_JOB(Filler, { int unused; }) {
}

// A job of one form, with its type and its struct.
typedef struct built {
    ox_job_type *type;
    union {
        UseMarkless marked_first;
        UseUnrestricted form_first;
    } data;
} built;

static built build_job(Box box, use_form form, bool is_parallel) {
    built job = {0};
    if (form == UNRESTRICTED || form == NO_SAFETY) {
        job.data.form_first = (UseUnrestricted){.box = box, .form = form};
    } else {
        job.data.marked_first = (UseMarkless){.box = box, .form = form};
    }
    if (form == RO || form == VIEW_RO) {
        job.type = is_parallel ? ox_job_type_of(EachReadOnly) : ox_job_type_of(UseReadOnly);
    } else if (form == UNRESTRICTED) {
        job.type = is_parallel ? ox_job_type_of(EachUnrestricted) : ox_job_type_of(UseUnrestricted);
    } else if (form == NO_SAFETY) {
        job.type = is_parallel ? ox_job_type_of(EachNoSafety) : ox_job_type_of(UseNoSafety);
    } else {
        job.type = is_parallel ? ox_job_type_of(EachMarkless) : ox_job_type_of(UseMarkless);
    }
    return job;
}

static ox_job schedule_built(const built *job, job_kind kind, ox_job after) {
    if (kind == PARALLEL) {
        return ox_schedule_for_at(job->type, 4, 1, after, &job->data, OX_HERE);
    }
    return kind == BACKGROUND ? ox_schedule_background_at(job->type, after, &job->data, OX_HERE)
                              : ox_schedule_at(job->type, after, &job->data, OX_HERE);
}

static void run_built(const built *job, job_kind kind) {
    if (kind == PARALLEL) {
        ox_run_for_at(job->type, 4, 1, &job->data, OX_HERE);
    } else {
        ox_run_at(job->type, &job->data, OX_HERE);
    }
}

// What must happen.

static bool form_writes(use_form form) {
    return form == RW || form == WRITER || form == VIEW_RW || form == UNRESTRICTED;
}

static bool form_is_view(use_form form) {
    return form == VIEW_RW || form == VIEW_RO;
}

// Batches share what has indices, what they read, parallel writers, and what the user says.
static bool can_divide(bool is_whole, use_form form, job_kind kind) {
    return !(is_whole && kind == PARALLEL && form == RW);
}

static ox_report_id judge_main(const cell *c, bool is_held, bool covers) {
    bool writes = form_writes(c->first);
    switch (c->then) {
    case READ:
        return is_held && writes ? OX_REPORT_JOB_HOLDS : OX_REPORT_NONE;
    case MAKE_VIEW:
        return is_held && writes && !form_is_view(c->first) ? OX_REPORT_JOB_HOLDS : OX_REPORT_NONE;
    case DISPOSE_AFTER:
        return is_held && !covers ? OX_REPORT_JOB_HOLDS : OX_REPORT_NONE;
    default:
        return is_held ? OX_REPORT_JOB_HOLDS : OX_REPORT_NONE;
    }
}

static ox_report_id judge(const cell *c) {
    bool is_held = c->first != NO_SAFETY && (c->state == UNKICKED || c->state == FINISHED);
    bool covers = c->way != NOT && c->way != UNRELATED;
    if (c->then != SCHEDULE && c->then != RUN) {
        return judge_main(c, is_held, covers);
    }
    bool first_ends_views = form_writes(c->first) && !form_is_view(c->first);
    if (form_is_view(c->second) && first_ends_views) {
        return OX_REPORT_VIEW_ENDED; // the view is older than the first job
    }
    if (c->second == NO_SAFETY) {
        return OX_REPORT_NONE;
    }
    if (!can_divide(c->is_whole, c->second, c->second_kind)) {
        return OX_REPORT_NOT_DIVISIBLE;
    }
    bool disturbs = form_writes(c->first) || form_writes(c->second);
    bool waits = covers && c->then == SCHEDULE;
    return is_held && disturbs && !waits ? OX_REPORT_TWO_JOBS_RACE : OX_REPORT_NONE;
}

// A cell.

static Box take_form(Box box, Box view, use_form form) {
    return form == WRITER ? writer_of(box) : form_is_view(form) ? view : box;
}

static ox_job schedule_filler(ox_job after) {
    ox_job job = ox_schedule(Filler, after, {0});
    EXPECT(job.value != 0);
    return job;
}

static ox_job find_way(ox_job first, the_way way) {
    switch (way) {
    case DIRECT:
        return first;
    case CHAIN:
        return schedule_filler(schedule_filler(schedule_filler(first)));
    case COMBINED:
        return ox_combine(schedule_filler(OX_NO_JOB), first);
    case COMBINED_TWICE: {
        ox_job inner = ox_combine(first, schedule_filler(OX_NO_JOB));
        return ox_combine(schedule_filler(OX_NO_JOB), ox_combine(inner, schedule_filler(inner)));
    }
    case UNRELATED:
        return schedule_filler(OX_NO_JOB);
    default:
        return OX_NO_JOB;
    }
}

static void reach_state(ox_job first, first_state state) {
    switch (state) {
    case FINISHED:
        ox_jobs_kick();
        while (!ox_job_is_complete(first)) {
            oxi_thread_yield();
        }
        break;
    case COMPLETED:
        ox_complete(first);
        break;
    case BY_DEPENDENT:
        ox_complete(schedule_filler(schedule_filler(first)));
        break;
    case BY_COMBINATION:
        ox_complete(
            ox_combine(ox_combine(schedule_filler(OX_NO_JOB), first), schedule_filler(first)));
        break;
    default:
        break;
    }
}

// Does what comes then; `second` is set when it schedules.
static bool do_then(const cell *c, Box box, Box view, ox_job after, ox_job *second) {
    Box made = take_form(box, view, c->second);
    built job = build_job(made, c->second, c->second_kind == PARALLEL);
    int reports = caught.all.count;
    *second = OX_NO_JOB;
    switch (c->then) {
    case SCHEDULE:
        *second = schedule_built(&job, c->second_kind, after);
        return second->value != 0;
    case RUN:
        run_built(&job, c->second_kind);
        return caught.all.count == reports;
    case READ:
        return read_box(box);
    case WRITE:
        return write_box(box);
    case RESIZE:
        return resize_box(box);
    case MAKE_VIEW:
        return ox_access_create_view(box.access, &view.access);
    case DISPOSE:
        return dispose_box(box);
    default:
        return dispose_box_after(box, after);
    }
}

static const char *first_name(const cell *c) {
    return build_job((Box){0}, c->first, c->first_kind == PARALLEL).type->type.name;
}

static void expect_outcome(const cell *c, bool is_done, ox_report_id expected) {
    int count = caught.all.count;
    bool names_first = expected != OX_REPORT_TWO_JOBS_RACE && expected != OX_REPORT_JOB_HOLDS;
    names_first = names_first || strcmp(caught.other, first_name(c)) == 0;
    bool names_box = expected == OX_REPORT_NONE || strcmp(caught.container, "crate") == 0;
    if (is_done != (expected == OX_REPORT_NONE) || count != (expected != OX_REPORT_NONE) ||
        (count > 0 && caught.all.last != expected) || !names_first || !names_box) {
        test_fail(__FILE__, __LINE__,
                  "whole %d, first %d/%d, state %d, then %d %d/%d, way %d: expected %s, got %s\n%s",
                  c->is_whole, c->first, c->first_kind, c->state, c->then, c->second,
                  c->second_kind, c->way, ox_report_code(expected),
                  count > 0 ? ox_report_code(caught.all.last) : "none", caught.all.text);
    }
    caught.all.count = 0;
    caught.all.text[0] = 0;
}

// After a refusal, the same call is right when everything is completed.
static void do_it_right(const cell *c, Box box, Box view) {
    ox_job second;
    view = form_is_view(c->second) ? view_of(box) : view;
    cell right = *c;
    if (!can_divide(c->is_whole, c->second, c->second_kind)) {
        right.second = UNRESTRICTED;
    }
    EXPECT(do_then(&right, box, view, OX_NO_JOB, &second));
    ox_complete(second);
    EXPECT_EQ(caught.all.count, 0);
}

static void run_cell(const cell *c) {
    Box box = make_box(.name = "crate", .is_whole = c->is_whole);
    Box view = view_of(box);
    built job = build_job(take_form(box, view, c->first), c->first, c->first_kind == PARALLEL);
    ox_job first = schedule_built(&job, c->first_kind, OX_NO_JOB), second;
    EXPECT(first.value != 0);
    ox_job after = find_way(first, c->way);
    reach_state(first, c->state);
    ox_safety_usage before = ox_safety_get_usage();
    ox_report_id expected = judge(c);

    bool is_done = do_then(c, box, view, after, &second);

    expect_outcome(c, is_done, expected);
    bool is_disposed = is_done && (c->then == DISPOSE || c->then == DISPOSE_AFTER);
    if (!is_done) {
        expect_same_usage(before);
    }
    if (is_disposed) {
        EXPECT(!read_box(box));
        EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    }
    ox_complete(first, after, second);
    EXPECT_EQ(ox_safety_get_usage().job_count, 0);
    if (!is_done) {
        do_it_right(c, box, view);
        is_disposed = c->then == DISPOSE || c->then == DISPOSE_AFTER;
    }
    EXPECT(is_disposed || dispose_box(box));
    if (atomic_load(&refused_in_jobs) != 0) {
        caught.all.count = 0;
        expect_outcome(c, false, OX_REPORT_NONE);
    }
    EXPECT_EQ(caught.all.count, 0);
}

// Walks all cells that make sense. @return how many.
static long run_cells_of(cell c) {
    long count = 0;
    bool schedules = c.then == SCHEDULE || c.then == RUN;
    for (int second = 0; second < (schedules ? FORMS : 1); second++) {
        for (int kind = 0; kind < (schedules ? KINDS : 1); kind++) {
            for (int way = 0; way < WAYS; way++) {
                c.second = (use_form)second;
                c.second_kind = (job_kind)kind;
                c.way = (the_way)way;
                run_cell(&c);
                count++;
            }
        }
    }
    return count;
}

static long run_matrix(bool is_whole, job_kind first_kind) {
    long count = 0;
    for (int first = 0; first < FORMS; first++) {
        for (int state = 0; state < STATES; state++) {
            for (int then = 0; then < THENS; then++) {
                cell c = {
                    is_whole, (use_form)first, first_kind, (first_state)state, (then_what)then,
                    RW,       SINGLE,          NOT};
                count += can_divide(is_whole, c.first, first_kind) ? run_cells_of(c) : 0;
            }
        }
    }
    return count;
}

static void run_whole_matrix(job_kind first_kind) {
    start_workers_of_test(1);
    catch_reports(&caught);
    atomic_store(&refused_in_jobs, 0);
    watch_for_hang("the matrix");
    long count = run_matrix(false, first_kind) + run_matrix(true, first_kind);
    end_watch();
    ox_jobs_stop();
    expect_nothing_kept();
    printf("conflict matrix: %ld cells\n", count);
    EXPECT(count > 10000);
}

TEST_CHECKED(matrix, first_job_is_single) {
    run_whole_matrix(SINGLE);
}

TEST_CHECKED(matrix, first_job_is_parallel) {
    run_whole_matrix(PARALLEL);
}

TEST_CHECKED(matrix, first_job_is_in_the_background) {
    run_whole_matrix(BACKGROUND);
}

// The release library watches nothing: the same calls all succeed.
TEST(matrix, without_conflicts_every_level_agrees) {
    start_workers_of_test(1);
    catch_reports(&caught);
    Box box = make_box(.name = "crate");
    built job = build_job(box, RW, false);
    ox_job first = schedule_built(&job, SINGLE, OX_NO_JOB);
    ox_job second = schedule_built(&job, SINGLE, first);
    ox_complete(second);
    EXPECT(read_box(box) && write_box(box) && resize_box(box) && dispose_box(box));
    EXPECT_EQ(caught.all.count, 0);
    ox_jobs_stop();
    expect_nothing_kept();
}
