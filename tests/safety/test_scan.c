// SPDX-License-Identifier: MIT
//
// The containers in the struct of a job are found wherever they stand, with the marks of the fields
// around them, and reports name them by their path.

#include "safety_test.h"

static caught_reports caught;

static void begin_scan(void) {
    start_workers_of_test(0);
    catch_reports(&caught);
}

static void end_scan(void) {
    ox_jobs_stop();
    EXPECT_EQ(caught.all.count, 0);
    expect_nothing_kept();
}

OX_STRUCT(Leaf, {
    char tag;
    Box inner;
});
OX_STRUCT(Branch, {
    double weight;
    Leaf leaf;
    Leaf more[2];
});
OX_STRUCT(Sealed, {
    OX_READ_ONLY Leaf kept;
    Leaf open;
});

enum { SIDE = 2 };
OX_CONSTANT(SIDE);

OX_JOB(Deep, {
    int8_t first;
    Leaf parts[3];
    Branch branches[2];
    struct {
        Box named;
        short gap;
    } local[2];
    Box grid[SIDE][SIDE];
    Box last;
}) {
}

enum { DEEP_BOXES = 3 + 2 * 3 + 2 + 4 + 1 };

// Every place of a container in Deep, in the order of its text.
static void list_deep(Deep *deep, Box *places[DEEP_BOXES]) {
    int n = 0;
    for (int k = 0; k < 3; k++) {
        places[n++] = &deep->parts[k].inner;
    }
    for (int k = 0; k < 2; k++) {
        places[n++] = &deep->branches[k].leaf.inner;
        places[n++] = &deep->branches[k].more[0].inner;
        places[n++] = &deep->branches[k].more[1].inner;
    }
    for (int k = 0; k < 2; k++) {
        places[n++] = &deep->local[k].named;
    }
    for (int k = 0; k < 4; k++) {
        places[n++] = &deep->grid[k / 2][k % 2];
    }
    places[n++] = &deep->last;
}

static const char *const deep_paths[DEEP_BOXES] = {
    "parts[0].inner",
    "parts[1].inner",
    "parts[2].inner",
    "branches[0].leaf.inner",
    "branches[0].more[0].inner",
    "branches[0].more[1].inner",
    "branches[1].leaf.inner",
    "branches[1].more[0].inner",
    "branches[1].more[1].inner",
    "local[0].named",
    "local[1].named",
    "grid[0]",
    "grid[1]",
    "grid[2]",
    "grid[3]",
    "last",
};

static void fill_deep(Deep *deep, Box *places[DEEP_BOXES]) {
    list_deep(deep, places);
    for (int k = 0; k < DEEP_BOXES; k++) {
        *places[k] = make_box(0);
    }
}

static void empty_deep(Box *places[DEEP_BOXES]) {
    for (int k = 0; k < DEEP_BOXES; k++) {
        EXPECT(dispose_box(*places[k]));
    }
}

TEST(scan, finds_containers_in_structs_and_arrays) {
    Deep deep = {0};
    Box *places[DEEP_BOXES];
    begin_scan();
    fill_deep(&deep, places);
    ox_job job = ox_schedule(Deep, OX_NO_JOB, deep);
    EXPECT(job.value != 0);
    for (int k = 0; k < DEEP_BOXES && ox_get_safety_level() > 0; k++) {
        EXPECT(!read_box(*places[k]));
        EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
        EXPECT_STR(caught.container, deep_paths[k]);
    }
    ox_complete(job);
    empty_deep(places);
    end_scan();
}

TEST_CHECKED(scan, names_a_container_by_its_path) {
    Deep deep = {0};
    Box *places[DEEP_BOXES];
    begin_scan();
    fill_deep(&deep, places);
    ox_safety_usage before = ox_safety_get_usage();
    for (int k = 0; k < DEEP_BOXES; k++) {
        Box kept = *places[k];
        *places[k] = (Box){0};
        EXPECT_EQ(ox_schedule(Deep, OX_NO_JOB, deep).value, 0);
        char sentence[128];
        snprintf(sentence, sizeof sentence, "field '%s' of job 'Deep' is a zeroed", deep_paths[k]);
        EXPECT_HAS(caught.all.text, sentence);
        EXPECT_CAUGHT(&caught, OX_REPORT_UNASSIGNED);
        expect_same_usage(before);
        *places[k] = kept;
    }
    ox_job job = ox_schedule(Deep, OX_NO_JOB, deep);
    EXPECT(job.value != 0);
    ox_complete(job);
    empty_deep(places);
    end_scan();
}

TEST_CHECKED(scan, finds_one_container_in_two_places) {
    Deep deep = {0};
    Box *places[DEEP_BOXES];
    begin_scan();
    fill_deep(&deep, places);
    Box kept = *places[8];
    *places[8] = *places[2];
    EXPECT_EQ(ox_schedule(Deep, OX_NO_JOB, deep).value, 0);
    EXPECT_HAS(caught.all.text, "fields 'parts[2].inner' and 'branches[1].more[1].inner'");
    EXPECT_CAUGHT(&caught, OX_REPORT_ALIASED);
    *places[8] = kept;
    empty_deep(places);
    end_scan();
}

// Marks.

OX_JOB(Marked, {
    OX_READ_ONLY Branch outer;
    Sealed sealed;
    OX_NO_SAFETY Leaf unseen[2];
}) {
}

static Marked fill_marked(Box read[4], Box *written) {
    Marked marked = {0};
    for (int k = 0; k < 4; k++) {
        read[k] = make_box(0);
    }
    *written = make_box(0);
    marked.outer.leaf.inner = read[0];
    marked.outer.more[0].inner = read[1];
    marked.outer.more[1].inner = read[2];
    marked.sealed.kept.inner = read[3];
    marked.sealed.open.inner = *written;
    return marked; // what is unseen may stay zeroed
}

TEST_CHECKED(scan, marks_hold_for_everything_inside_of_a_field) {
    Box read[4], written;
    begin_scan();
    Marked marked = fill_marked(read, &written);
    ox_job first = ox_schedule(Marked, OX_NO_JOB, marked);
    EXPECT(first.value != 0);
    for (int k = 0; k < 4; k++) {
        EXPECT(read_box(read[k]));
        EXPECT(!write_box(read[k]));
        EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    }
    EXPECT(!read_box(written));
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);

    ox_complete(first);
    for (int k = 0; k < 4; k++) {
        EXPECT(dispose_box(read[k]));
    }
    EXPECT(dispose_box(written));
    end_scan();
}

TEST_CHECKED(scan, field_without_safety_may_hold_anything_but_the_dead) {
    Box read[4], written, hidden;
    begin_scan();
    Marked marked = fill_marked(read, &written);
    hidden = make_box(0);
    marked.unseen[0].inner = written; // the same container again
    marked.unseen[1].inner = hidden;
    ox_job first = ox_schedule(Marked, OX_NO_JOB, marked);
    EXPECT(first.value != 0);
    EXPECT(write_box(hidden) && dispose_box(hidden));

    EXPECT_EQ(ox_schedule(Marked, first, marked).value, 0);
    EXPECT_HAS(caught.all.text, "unseen[1].inner");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);

    ox_complete(first);
    for (int k = 0; k < 4; k++) {
        EXPECT(dispose_box(read[k]));
    }
    EXPECT(dispose_box(written));
    end_scan();
}

// What cannot be understood.

typedef struct Mystery {
    int anything;
} Mystery;

OX_JOB(HasPointer, {
    Box box;
    struct {
        int *place;
    } inner;
}) {
}
OX_JOB(HasFunction, { void (*call)(int value); }) {
}
OX_JOB(HasMystery, {
    Box box;
    Mystery mystery;
}) {
}
OX_JOB(HasAccess, { ox_access access; }) {
}
OX_JOB(MayPoint, {
    OX_NO_SAFETY int *place;
    OX_NO_SAFETY void (*call)(int value);
    Box box;
}) {
}

TEST_CHECKED(scan, raw_pointers_are_reported) {
    Box box;
    begin_scan();
    box = make_box(0);
    EXPECT_EQ(ox_schedule(HasPointer, OX_NO_JOB, {.box = box}).value, 0);
    EXPECT_HAS(caught.all.text, "'place' of job 'HasPointer'");
    EXPECT_HAS(caught.all.text, "test_scan.c");
    EXPECT_CAUGHT(&caught, OX_REPORT_RAW_POINTER);
    EXPECT_EQ(ox_schedule(HasFunction, OX_NO_JOB, {NULL}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_RAW_POINTER);
    ox_run(HasPointer, {.box = box});
    EXPECT_CAUGHT(&caught, OX_REPORT_RAW_POINTER);

    ox_job job = ox_schedule(MayPoint, OX_NO_JOB, {.box = box});
    EXPECT(job.value != 0);
    ox_complete(job);
    EXPECT(dispose_box(box));
    end_scan();
}

TEST_CHECKED(scan, types_that_nobody_announced_are_reported) {
    Box box;
    begin_scan();
    box = make_box(0);
    for (int k = 0; k < 2; k++) {
        EXPECT_EQ(ox_schedule(HasMystery, OX_NO_JOB, {.box = box}).value, 0);
        EXPECT_HAS(caught.all.text, "'Mystery'");
        EXPECT_CAUGHT(&caught, OX_REPORT_UNKNOWN_TYPE);
    }
    EXPECT_EQ(ox_schedule(HasAccess, OX_NO_JOB, {box.access}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_UNKNOWN_TYPE);
    EXPECT(write_box(box) && dispose_box(box));
    end_scan();
}

TEST_CHECKED(scan, zeroed_handles_are_reported) {
    begin_scan();
    Marked marked = {0};
    EXPECT_EQ(ox_schedule(Marked, OX_NO_JOB, marked).value, 0);
    EXPECT_HAS(caught.all.text, "field 'outer.leaf.inner' of job 'Marked' is a zeroed handle");
    EXPECT_CAUGHT(&caught, OX_REPORT_UNASSIGNED);
    end_scan();
}

// A very long path is cut, not written past its end.

// clang-format off
OX_STRUCT(Long0, { Box is_a_name_that_nobody_would_write_but_a_machine_may_and_it_goes_on; });
OX_STRUCT(Long1, { Long0 and_another_that_nobody_would_write_but_a_machine_may_and_it_goes_on; });
OX_JOB(LongPath, { Long1 with_a_third_that_nobody_would_write_but_a_machine_may_and_more[2]; }) {
}
// clang-format on

TEST_CHECKED(scan, long_paths_are_cut) {
    begin_scan();
    LongPath zero = {0};
    EXPECT_EQ(ox_schedule(LongPath, OX_NO_JOB, zero).value, 0);
    EXPECT_HAS(caught.all.text, "with_a_third_that");
    EXPECT_CAUGHT(&caught, OX_REPORT_UNASSIGNED);
    end_scan();
}

// Job types without text list their accesses.

typedef struct Listed {
    int unused;
    Box read, written;
} Listed;

static void run_listed(void *data) {
    Listed *job = data;
    bool is_fine = read_box(job->read) && read_box(job->written) && write_box(job->written);
    job->unused = is_fine;
}

static const ox_job_field listed_accesses[] = {
    {"read", offsetof(Listed, read) + offsetof(Box, access), OX_MARK_READ_ONLY},
    {"written", offsetof(Listed, written) + offsetof(Box, access), 0},
};

static ox_job_type listed_type(const ox_job_field *accesses, int count) {
    return (ox_job_type){
        .type = {.name = "Listed", .size = sizeof(Listed), .align = _Alignof(Listed)},
        .run = run_listed,
        .accesses = accesses,
        .access_count = count};
}

TEST_CHECKED(scan, listed_accesses_are_watched) {
    begin_scan();
    ox_job_type type = listed_type(listed_accesses, 2);
    Listed data = {.read = make_box(0), .written = make_box(0)};
    ox_job job = ox_schedule_at(&type, OX_NO_JOB, &data, OX_HERE);
    EXPECT(job.value != 0);
    EXPECT(read_box(data.read));
    EXPECT(!write_box(data.read));
    EXPECT_STR(caught.container, "read");
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    EXPECT(!read_box(data.written));
    EXPECT_STR(caught.other, "Listed");
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    ox_complete(job);
    EXPECT(dispose_box(data.read) && dispose_box(data.written));
    end_scan();
}

TEST_CHECKED(scan, listed_access_outside_of_the_struct_is_reported) {
    static const size_t offsets[] = {sizeof(Listed) - sizeof(ox_access) + 4, sizeof(Listed),
                                     SIZE_MAX, SIZE_MAX - 3,
                                     offsetof(Listed, read) + offsetof(Box, access) + 1};
    Listed data = {0};
    begin_scan();
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
        ox_job_field access = {"far", offsets[k], 0};
        ox_job_type type = listed_type(&access, 1);
        EXPECT_EQ(ox_schedule_at(&type, OX_NO_JOB, &data, OX_HERE).value, 0);
        EXPECT_HAS(caught.all.text, "access 'far' of job 'Listed'");
        EXPECT_CAUGHT(&caught, OX_REPORT_BAD_JOB_ACCESS);
    }
    end_scan();
}

TEST_CHECKED(scan, list_that_is_not_there_is_reported) {
    Listed data = {0};
    begin_scan();
    ox_job_type none = listed_type(NULL, 2), negative = listed_type(listed_accesses, -1);
    EXPECT_EQ(ox_schedule_at(&none, OX_NO_JOB, &data, OX_HERE).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_BAD_JOB_ACCESS);
    EXPECT_EQ(ox_schedule_at(&negative, OX_NO_JOB, &data, OX_HERE).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_BAD_JOB_ACCESS);

    ox_job_type empty = listed_type(NULL, 0);
    ox_job job = ox_schedule_at(&empty, OX_NO_JOB, &data, OX_HERE);
    EXPECT(job.value != 0);
    ox_complete(job);
    end_scan();
}

TEST_CHECKED(scan, listed_access_without_a_name_is_reported) {
    Listed data = {0};
    begin_scan();
    ox_job_field access = {NULL, offsetof(Listed, read) + offsetof(Box, access), 0};
    ox_job_type type = listed_type(&access, 1);
    EXPECT_EQ(ox_schedule_at(&type, OX_NO_JOB, &data, OX_HERE).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_BAD_JOB_ACCESS);
    end_scan();
}

TEST(scan, job_without_text_and_list_runs) {
    Listed data = {0};
    begin_scan();
    ox_job_type type = listed_type(NULL, 0);
    ox_job job = ox_schedule_at(&type, OX_NO_JOB, &data, OX_HERE);
    EXPECT(job.value != 0);
    ox_complete(job);
    end_scan();
}
