// SPDX-License-Identifier: MIT
//
// The life of an access: created, named, viewed, disposed, used too late, and never created at all.

#include "safety_test.h"

static caught_reports caught;

static void begin_life(void) {
    start_workers_of_test(0);
    catch_reports(&caught);
}

static void end_life(void) {
    ox_jobs_stop();
    EXPECT_EQ(caught.all.count, 0);
    expect_nothing_kept();
}

OX_JOB(Writes, { Box box; }) {
}
OX_JOB(Reads, { OX_READ_ONLY Box box; }) {
}
OX_JOB(Ignores, { OX_NO_SAFETY Box box; }) {
}

// The dead.

TEST_CHECKED(access_life, use_after_dispose_is_reported_with_both_places) {
    begin_life();
    Box box = make_box_at(&(ox_access_def){.kind = "list", .name = "hp"}, "game.c:41");
    EXPECT(dispose_box_at(box, OX_NO_JOB, "game.c:90"));

    EXPECT(!read_box_at(box, "game.c:95"));
    EXPECT_STR(caught.all.text, "oxbow: OX-A02 a container is used after it was disposed\n"
                                "  list 'hp' (created game.c:41) was disposed at game.c:90\n"
                                "  it is read\n"
                                "  at game.c:95\n"
                                "  fix: use it before it is disposed, or dispose it later\n");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    EXPECT(!write_box(box));
    EXPECT_HAS(caught.all.text, "it is written");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    EXPECT(!resize_box(box));
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    EXPECT(!ox_access_create_view(box.access, &box.access));
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    end_life();
}

TEST_CHECKED(access_life, scheduling_the_dead_is_reported_with_its_field) {
    begin_life();
    Box box = make_box(.name = "crate");
    EXPECT(dispose_box(box));
    EXPECT_EQ(ox_schedule(Reads, OX_NO_JOB, {box}).value, 0);
    EXPECT_HAS(caught.all.text, "field 'box' of job 'Reads'");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    ox_run(Writes, {box});
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    end_life();
}

TEST_CHECKED(access_life, disposing_twice_is_reported) {
    begin_life();
    Box box = make_box(0), copy = box;
    EXPECT(dispose_box(box));
    ox_safety_usage before = ox_safety_get_usage();
    EXPECT(!dispose_box(copy));
    EXPECT_HAS(caught.all.text, "it is disposed");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    ox_access_destroy(copy.access); // without asking: still nothing happens
    expect_same_usage(before);
    end_life();
}

// The container is named after the field that held it last, when nobody named it.
TEST_CHECKED(access_life, report_about_the_dead_knows_its_field) {
    begin_life();
    Box box = make_box(0);
    ox_complete(ox_schedule(Reads, OX_NO_JOB, {box}));
    EXPECT(dispose_box(box));
    EXPECT(!read_box(box));
    EXPECT_HAS(caught.all.text, "box 'box' (created tests/safety/test_access_life.c:");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    end_life();
}

TEST_CHECKED(access_life, handle_never_revives_when_its_node_is_used_again) {
    enum { ROUNDS = 2000 };
    begin_life();
    Box old = make_box(.name = "old"), old_view = view_of(old);
    EXPECT(dispose_box(old));
    int reuses = 0;
    for (int k = 0; k < ROUNDS; k++) {
        Box box = make_box(.name = "young"), view = view_of(box);
        if (box.access.token == old.access.token) {
            reuses++;
            EXPECT(!read_box(old));
            EXPECT_STR(caught.container, ""); // it must not take the other's name
            EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
            EXPECT(!dispose_box(old));
            EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
            EXPECT(!write_box(old_view));
            caught.all.count = 0;
            EXPECT_EQ(ox_schedule(Writes, OX_NO_JOB, {old}).value, 0);
            EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
            ox_access_destroy(old.access);
            EXPECT(write_box(box) && write_box(view));
        }
        EXPECT(dispose_box(box));
    }
    EXPECT(reuses > 0);
    end_life();
}

// Dead nodes are kept back for a while, so that reports know where the container died.
TEST_CHECKED(access_life, place_of_death_is_known_for_a_while) {
    begin_life();
    Box old = make_box(.name = "old");
    EXPECT(dispose_box_at(old, OX_NO_JOB, "game.c:90"));
    for (int k = 0; k < 100; k++) {
        EXPECT(dispose_box(make_box(0)));
    }
    EXPECT(!read_box(old));
    EXPECT_HAS(caught.all.text, "box 'old'");
    EXPECT_HAS(caught.all.text, "game.c:90");
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    end_life();
}

TEST_CHECKED(access_life, dispose_after_a_job_kills_the_handle_at_once) {
    begin_life();
    Box box = make_box(0);
    ox_job first = ox_schedule(Writes, OX_NO_JOB, {box});
    ox_job second = ox_schedule(Reads, first, {box});
    EXPECT(!dispose_box_after(box, first));
    EXPECT_STR(caught.other, "Reads");
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    EXPECT(dispose_box_after(box, second));
    EXPECT(!read_box(box));
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_schedule(Reads, second, {box}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    ox_complete(second);
    end_life();
}

// Views.

TEST_CHECKED(access_life, view_ends_when_its_container_is_resized) {
    begin_life();
    Box box = make_box(.name = "crate"), view = view_of(box), second = view_of(box);
    EXPECT(write_box(view) && read_box(second) && write_box(box));
    EXPECT(resize_box(box));
    EXPECT(!read_box(view));
    EXPECT_STR(caught.container, "crate");
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);
    EXPECT(!write_box(second));
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);
    EXPECT_EQ(ox_schedule(Reads, OX_NO_JOB, {view}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);
    EXPECT(read_box(view_of(box)) && dispose_box(box));
    EXPECT(!read_box(view));
    EXPECT_CAUGHT(&caught, OX_REPORT_DISPOSED);
    end_life();
}

TEST_CHECKED(access_life, view_of_a_view_ends_with_the_container) {
    begin_life();
    Box box = make_box(0), view = view_of(view_of(box));
    EXPECT(write_box(view));
    EXPECT(resize_box(box));
    EXPECT(!write_box(view));
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);
    EXPECT(dispose_box(box));
    end_life();
}

TEST_CHECKED(access_life, view_ends_when_a_job_that_may_resize_is_scheduled) {
    begin_life();
    Box box = make_box(0), view = view_of(box);
    ox_complete(ox_schedule(Reads, OX_NO_JOB, {box}));
    EXPECT(read_box(view));
    ox_complete(ox_schedule(Writes, OX_NO_JOB, {view}), ox_schedule(Ignores, OX_NO_JOB, {box}));
    EXPECT(write_box(view));
    ox_complete(ox_schedule(Writes, OX_NO_JOB, {box}));
    EXPECT(!read_box(view));
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);

    view = view_of(box);
    ox_complete(ox_schedule(Writes, OX_NO_JOB, {writer_of(box)}));
    EXPECT(!read_box(view));
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_ENDED);
    EXPECT(dispose_box(box));
    end_life();
}

TEST_CHECKED(access_life, refused_job_ends_no_view) {
    begin_life();
    Box box = make_box(0), view = view_of(box);
    ox_job reader = ox_schedule(Reads, OX_NO_JOB, {box});
    EXPECT_EQ(ox_schedule(Writes, OX_NO_JOB, {box}).value, 0);
    EXPECT_CAUGHT(&caught, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(read_box(view));
    ox_complete(reader);
    EXPECT(dispose_box(box));
    end_life();
}

TEST_CHECKED(access_life, disposing_a_view_is_reported) {
    begin_life();
    Box box = make_box(.name = "crate"), view = view_of(box);
    EXPECT(!dispose_box(view));
    EXPECT_HAS(caught.all.text, "it is memory of box 'crate'");
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_DISPOSED);
    ox_access_destroy(view.access);
    EXPECT(write_box(box) && dispose_box(box));
    end_life();
}

// Read-only handles.

TEST_CHECKED(access_life, read_only_handle_stands_in_a_read_only_field) {
    begin_life();
    Box box = make_box(.name = "crate");
    EXPECT_EQ(ox_schedule(Writes, OX_NO_JOB, {read_only_of(box)}).value, 0);
    EXPECT_STR(caught.field, "box");
    EXPECT_STR(caught.container, "crate");
    EXPECT_CAUGHT(&caught, OX_REPORT_UNMARKED_VIEW);
    EXPECT(!write_box(read_only_of(box)));
    EXPECT_HAS(caught.all.text, "read-only on main");
    EXPECT_CAUGHT(&caught, OX_REPORT_READ_ONLY_WRITTEN);
    ox_complete(ox_schedule(Reads, OX_NO_JOB, {read_only_of(box)}));
    EXPECT(read_box(read_only_of(box)) && dispose_box(box));
    end_life();
}

// Adding is writing, whatever the field says.
TEST_CHECKED(access_life, writer_in_a_read_only_field_still_writes) {
    begin_life();
    Box box = make_box(0);
    ox_job job = ox_schedule(Reads, OX_NO_JOB, {writer_of(box)});
    EXPECT(job.value != 0);
    EXPECT(!read_box(box));
    EXPECT_CAUGHT(&caught, OX_REPORT_JOB_HOLDS);
    ox_complete(job);
    EXPECT(dispose_box(box));
    end_life();
}

// Temp.

static Box kept_temp;
static oxi_atomic_u32 temp_answers;

OX_JOB(MakeTemp, { int unused; }) {
    kept_temp = make_box(.allocator = OX_TEMP);
    atomic_fetch_or(&temp_answers, (uint32_t)(read_box(kept_temp) && write_box(kept_temp)));
    atomic_fetch_or(&temp_answers, (uint32_t)dispose_box(kept_temp) << 1);
}
OX_JOB(UseTemp, { int unused; }) {
    atomic_fetch_or(&temp_answers, (uint32_t)read_box(kept_temp) << 2);
}

TEST_CHECKED(access_life, temp_container_enters_no_job) {
    begin_life();
    Box box = make_box(.allocator = OX_TEMP);
    EXPECT_EQ(ox_schedule(Reads, OX_NO_JOB, {box}).value, 0);
    EXPECT_STR(caught.field, "box");
    EXPECT_STR(caught.job, "Reads");
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_IN_JOB);
    ox_run(Reads, {box});
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_IN_JOB);
    ox_complete(ox_schedule(Ignores, OX_NO_JOB, {box}));
    EXPECT(read_box(box) && write_box(box) && resize_box(box) && dispose_box(box));
    end_life();
}

TEST_CHECKED(access_life, temp_container_ends_with_its_frame) {
    begin_life();
    Box box = make_box(.allocator = OX_TEMP), view = view_of(box);
    EXPECT(write_box(view));
    EXPECT(!dispose_box(view));
    EXPECT_CAUGHT(&caught, OX_REPORT_VIEW_DISPOSED);
    ox_frame_end();
    EXPECT(!read_box(box));
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_ENDED);
    EXPECT(!write_box(box));
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_ENDED);
    EXPECT(!resize_box(view));
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_ENDED);
    EXPECT(!dispose_box(box));
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_ENDED);
    EXPECT(!ox_access_create_view(box.access, &view.access));
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_ENDED);
    end_life();
}

TEST_CHECKED(access_life, temp_container_ends_with_its_job) {
    begin_life();
    atomic_store(&temp_answers, 0);
    ox_job first = ox_schedule(MakeTemp, OX_NO_JOB, {0});
    ox_complete(ox_schedule(UseTemp, first, {0}));
    EXPECT_EQ(atomic_load(&temp_answers), 3);
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_ENDED);
    EXPECT(!read_box(kept_temp));
    EXPECT_CAUGHT(&caught, OX_REPORT_TEMP_ENDED);
    end_life();
}

TEST_CHECKED(access_life, temp_containers_obey_their_flags) {
    begin_life();
    Box box = make_box(.allocator = OX_TEMP);
    EXPECT(!write_box(read_only_of(box)));
    EXPECT_CAUGHT(&caught, OX_REPORT_READ_ONLY_WRITTEN);
    EXPECT(!resize_box(read_only_of(box)));
    EXPECT_CAUGHT(&caught, OX_REPORT_READ_ONLY_WRITTEN);
    EXPECT(!read_box(writer_of(box)));
    EXPECT_CAUGHT(&caught, OX_REPORT_WRITER_READ);
    EXPECT(!touch_box(box, BOX_LENGTH));
    EXPECT_CAUGHT(&caught, OX_REPORT_OUT_OF_BOUNDS);
    end_life();
}

// Disposing one Temp container is nothing to the others.
TEST_CHECKED(access_life, temp_containers_are_disposed_one_by_one) {
    begin_life();
    Box first = make_box(.allocator = OX_TEMP), second = make_box(.allocator = OX_TEMP);
    EXPECT(dispose_box(first));
    EXPECT(write_box(second) && dispose_box(second));
    EXPECT_EQ(ox_safety_get_usage().container_count, 0);
    end_life();
}

// Forged handles.

TEST_CHECKED(access_life, forged_tokens_are_reported) {
    static const uint32_t tokens[] = {1u << 21, 1u << 22, 1u << 31, UINT32_MAX - 1};
    begin_life();
    for (size_t k = 0; k < sizeof tokens / sizeof *tokens; k++) {
        for (uint32_t flags = 0; flags < 64; flags++) {
            Box box = {.length = 4, .access = {tokens[k], 1, 0, flags}};
            EXPECT(!read_box(box));
            EXPECT_CAUGHT(&caught, OX_REPORT_BAD_ACCESS);
            EXPECT(!write_box(box) && !resize_box(box) && !dispose_box(box));
            EXPECT(!ox_access_create_view(box.access, &box.access));
            EXPECT_EQ(caught.all.count, 4);
            caught.all.count = 0;
            touch_box(box, 2);
            ox_access_destroy(box.access);
            ox_access_set_name(box.access, "none");
            ox_access_info info;
            EXPECT(!ox_access_get_info(box.access, &info));
            caught.all.count = 0;
        }
        Box box = {.length = 4, .access = {tokens[k], 1, 0, 0}};
        EXPECT_EQ(ox_schedule(Writes, OX_NO_JOB, {box}).value, 0);
        EXPECT_CAUGHT(&caught, OX_REPORT_BAD_ACCESS);
        EXPECT_EQ(ox_schedule(Ignores, OX_NO_JOB, {box}).value, 0);
        EXPECT_CAUGHT(&caught, OX_REPORT_BAD_ACCESS);
    }
    end_life();
}

TEST_CHECKED(access_life, random_handles_are_never_alive) {
    oxi_random random = oxi_random_seed(test_seed(6));
    begin_life();
    Box box = make_box(0);
    for (uint64_t k = 0; k < test_scaled(20000); k++) {
        uint64_t bits = oxi_random_next_u64(&random);
        Box forged = {4, {(uint32_t)bits, (uint32_t)(bits >> 32) | 1u << 30, 0, bits % 64}};
        forged.access.token = k % 2 == 0 ? box.access.token : forged.access.token;
        if (forged.access.token == 0) {
            continue;
        }
        EXPECT(!read_box(forged) && !write_box(forged) && !resize_box(forged));
        EXPECT(ox_schedule(Writes, OX_NO_JOB, {forged}).value == 0);
        touch_box(forged, 1);
        ox_access_destroy(forged.access);
        caught.all.count = 0;
    }
    EXPECT(write_box(box) && dispose_box(box));
    end_life();
}

// Indices.

TEST_CHECKED(access_life, indices_outside_are_reported) {
    static const int64_t ranges[][3] = {{-1, 1, 10},        {10, 1, 10},
                                        {0, 11, 10},        {5, 6, 10},
                                        {0, -1, 10},        {INT64_MIN, 1, 10},
                                        {INT64_MAX, 1, 10}, {1, INT64_MAX, 10},
                                        {5, INT64_MAX, 10}, {9, INT64_MIN, 10},
                                        {11, 0, 10},        {0, 1, 0},
                                        {-5, -5, 10},       {INT64_MIN, INT64_MIN, 10}};
    begin_life();
    Box box = make_box(.name = "crate");
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        EXPECT(!ox_access_may_use(box.access, ranges[k][0], ranges[k][1], ranges[k][2]));
        EXPECT_STR(caught.container, "crate");
        EXPECT_CAUGHT(&caught, OX_REPORT_OUT_OF_BOUNDS);
    }
    EXPECT(ox_access_may_use(box.access, 0, 10, 10) && ox_access_may_use(box.access, 10, 0, 10));
    EXPECT(ox_access_may_use(box.access, 9, 1, 10) && ox_access_may_use(box.access, 0, 0, 0));
    EXPECT(dispose_box(box));
    end_life();
}

// Names and information.

TEST_CHECKED(access_life, info_tells_who_holds_a_container) {
    begin_life();
    ox_access_info info;
    Box box = make_box_at(&(ox_access_def){.kind = "list", .allocator = OX_TEMP_JOB}, "game.c:41");
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_STR(info.kind, "list");
    EXPECT_STR(info.name, "");
    EXPECT_STR(info.created, "game.c:41");
    EXPECT_EQ(info.disposed, NULL);
    EXPECT_EQ(info.allocator, OX_TEMP_JOB);
    EXPECT_EQ(info.writer, NULL);

    Writes data = {box};
    ox_job first = ox_schedule_at(ox_job_type_of(Writes), OX_NO_JOB, &data, "game.c:83");
    ox_job second = ox_schedule(Reads, first, {box}), third = ox_schedule(Reads, first, {box});
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_STR(info.name, "box");
    EXPECT_STR(info.writer, "Writes");
    EXPECT_STR(info.writer_site, "game.c:83");
    EXPECT_EQ(info.reader_count, 2);
    ox_complete(first);
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_EQ(info.writer, NULL);
    ox_complete(second, third);
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_EQ(info.reader_count, 0);
    EXPECT(dispose_box_at(box, OX_NO_JOB, "game.c:90"));
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_STR(info.disposed, "game.c:90");
    end_life();
}

TEST_CHECKED(access_life, names_are_copied_and_cut) {
    begin_life();
    char name[64] = "a_name_that_is_longer_than_thirty_one_characters";
    Box box = make_box(.name = name);
    ox_access_info info;
    memset(name, 'x', 8);
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_STR(info.name, "a_name_that_is_longer_than_thir");
    ox_access_set_name(box.access, "short");
    EXPECT_STR(info.name, "short");
    ox_access_set_name(box.access, NULL);
    ox_access_set_name((ox_access){0}, "nobody");
    EXPECT_STR(info.name, "short");
    ox_complete(ox_schedule(Reads, OX_NO_JOB, {box})); // a given name is stronger than a field's
    EXPECT(ox_access_get_info(box.access, &info));
    EXPECT_STR(info.name, "short");
    EXPECT(dispose_box(box));
    ox_access_set_name(box.access, "ghost");
    EXPECT_STR(info.name, "short");
    end_life();
}

TEST_CHECKED(access_life, def_that_was_not_zeroed_is_reported) {
    begin_life();
    ox_access access = {1, 2, 3, 4};
    EXPECT(!ox_access_create(&access, &(ox_access_def){._guard_begin = 1}));
    EXPECT_CAUGHT(&caught, OX_REPORT_DEF_GARBAGE);
    EXPECT_EQ(access.token | access.version | access.owner | access.flags, 0);
    EXPECT(!ox_access_create(&access, &(ox_access_def){._guard_end = 1}));
    EXPECT_CAUGHT(&caught, OX_REPORT_DEF_GARBAGE);
    EXPECT(ox_access_create(&access, NULL));
    ox_access_info info;
    EXPECT(ox_access_get_info(access, &info));
    EXPECT_STR(info.kind, "container");
    ox_access_destroy(access);
    end_life();
}

TEST_CHECKED(access_life, usage_counts_the_living) {
    begin_life();
    Box boxes[300];
    for (uint32_t k = 0; k < 300; k++) {
        boxes[k] = make_box(0);
        EXPECT_EQ(ox_safety_get_usage().container_count, k + 1);
    }
    for (uint32_t k = 0; k < 300; k++) {
        EXPECT(dispose_box(boxes[k]));
        EXPECT_EQ(ox_safety_get_usage().container_count, 299 - k);
    }
    end_life();
}

TEST(access_life, every_level_agrees_on_right_use) {
    begin_life();
    Box box = make_box(.name = "crate"), view = view_of(box);
    EXPECT(read_box(box) && write_box(view) && resize_box(box));
    EXPECT(touch_box(box, 0) && touch_box(box, BOX_LENGTH - 1));
    ox_job job = ox_schedule(Writes, OX_NO_JOB, {box});
    EXPECT(dispose_box_after(box, job));
    ox_complete(job);
    end_life();
}
