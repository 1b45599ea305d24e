// SPDX-License-Identifier: MIT
//
// A frame as text, as JSON and as a graph.

#include "explain_test.h"

#include "base/json_reader.h"

static ox_job schedule_named(ox_system *system, ox_job after) {
    ox_job first = SCHEDULE(SlowCount, system, after, "odd \"name\".c:1", 1500);
    return SCHEDULE(ReadCount, system, first, "read.c:5", 0);
}

OX_SYSTEM(Missing, .is_manual = true) {
}

static void make_late_step(ox_system *system) {
    ox_system_query_at(
        system,
        (const ox_term[]){{OX_TERM_READ, NULL, ox_component_id_of(Step)}, {OX_TERM_END, NULL, 0}},
        "late.c:9");
}

static const ox_system_def told_systems[] = {
    {.name = "Slow", .site = "slow.c:2", .update_jobs = schedule_named, .jobs = OX_JOBS(SlowCount)},
    {.name = "Write",
     .site = "write.c:8",
     .update_jobs = schedule_write,
     .jobs = OX_JOBS(WriteCount),
     .after = {"Slow", "Missing"}},
    {.name = "Reap", .site = "reap.c:30", .update = look_at_count},
    {.name = "Late", .site = "late.c:1", .update = make_late_step},
    {0},
};

// A recorded frame on a clock that only jobs move, written.
static const char *write_frame(ox_explain_format format) {
    static char text[32768];
    ox_world *world = make_recorded(0, told_systems);
    use_fake_clock();
    EXPECT(ox_world_update(world, 0));
    size_t length = ox_world_explain_frame(world, format, text, sizeof text);
    use_system_clock();
    EXPECT_EQ(length, strlen(text));
    EXPECT(length > 100);
    end_jobs_test(world);
    return text;
}

TEST(explain_text, has_times_and_counts) {
    const char *text = write_frame(OX_EXPLAIN_TEXT);

    EXPECT_HAS(text, "Frame 1 of world 'world'\n");
    EXPECT_HAS(text, "  update             1.5 us\n");
    EXPECT_HAS(text, "  main waited        1.5 us at 1 sync point\n");
    EXPECT_HAS(text, "  jobs               1.5 us of work in 3 jobs\n");
}

TEST(explain_text, has_the_order_in_words) {
    const char *text = write_frame(OX_EXPLAIN_TEXT);

    EXPECT_HAS(text,
               "    Slow      jobs        0.0 us  it schedules jobs, which go before systems on "
               "main\n");
    EXPECT_HAS(text, "    Write     jobs        0.0 us  it comes after Slow, as write.c:8 says\n");
    EXPECT_HAS(text, "'Missing', which it names, is not in this world\n");
    EXPECT_HAS(text,
               "    Late      main        0.0 us  by name: Reap could have come here as well\n");
    EXPECT_HAS(text, "it used Step at late.c:9 and had not declared it: that moves no");
    EXPECT(strstr(text, "BeginSimulation") == NULL);
    EXPECT(strstr(text, "Presentation") == NULL);
}

TEST(explain_text, says_which_systems_come_first_stand_still_or_only_mark_a_point) {
    static const ox_system_def defs[] = {
        {.name = "Early", .site = "a.c:1", .update = do_nothing, .place = OX_PHASE_FIRST},
        {.name = "Asleep", .site = "b.c:1", .update = do_nothing, .starts_off = true},
        {.name = "Gate", .site = "c.c:1", .is_barrier = true},
        {.name = "Closing", .site = "d.c:1", .update = do_nothing, .place = OX_PHASE_LAST},
        {0},
    };
    char text[8192];
    ox_world *world = make_recorded(0, defs);

    EXPECT(ox_world_update(world, 0));
    ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);

    EXPECT_HAS(text, "    Asleep    did not run");
    EXPECT_HAS(text, "    Gate      point");
    EXPECT_HAS(text, "  it says that it comes first\n");
    EXPECT_HAS(text, "  it says that it comes last\n");
    end_jobs_test(world);
}

TEST(explain_text, has_jobs_with_what_each_waits_for) {
    const char *text = write_frame(OX_EXPLAIN_TEXT);

    EXPECT_HAS(text,
               "  WriteCount (write.c:9) of Write, 1 unit: 0.0 us, 0.0 us of work; waited 1.5 "
               "us, ReadCount ended\n    last\n");
    EXPECT_HAS(text, "    - was given the handle of SlowCount (odd \"name\".c:1)\n");
    EXPECT_HAS(text, "    - writes Count, which ReadCount (read.c:5) reads\n");
    EXPECT_HAS(text, "    - writes Count, which SlowCount (odd \"name\".c:1) writes\n");
    EXPECT(strstr(text, "declares to") == NULL); // that tells no more
}

TEST(explain_text, has_the_critical_path_and_the_stalls) {
    const char *text = write_frame(OX_EXPLAIN_TEXT);

    EXPECT_HAS(text, "        1.5 us  SlowCount (odd \"name\".c:1)\n");
    EXPECT_HAS(text, "        1.5 us  in all\n");
    EXPECT_HAS(text, "        1.5 us  Reap at reap.c:40 reads Count; waited for WriteCount; 0 idle "
                     "workers; not planned\n");
    EXPECT_HAS(text, "        1.5 us  Reap at reap.c:40 reads Count while WriteCount writes it: "
                     "move Reap before Write, or\n                make it a job\n");
    EXPECT_HAS(text, "With other numbers of workers beside main (simulated)\n"
                     "  main alone:       1.5 us, busy 100 %\n"
                     "   1 worker:        1.5 us, busy  50 %\n");
    EXPECT_HAS(text, "  63 workers:       1.5 us, busy   2 %\n");
}

TEST(explain_text, is_no_wider_than_a_terminal) {
    const char *text = write_frame(OX_EXPLAIN_TEXT);

    for (const char *line = text; *line != 0;) {
        size_t width = strcspn(line, "\n");
        EXPECT(width <= 100);
        line += width + (line[width] != 0);
    }
}

TEST(explain_text, leaves_room_for_the_name_of_the_first_group) {
    ox_world *world = make_recorded(
        0, (ox_system_def[]){{.name = "A", .in = "Initialization", .update = do_nothing}, {0}});
    static char text[8192];
    EXPECT(ox_world_update(world, 0));

    EXPECT(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text) < sizeof text);

    EXPECT_HAS(text, "\n    A             main ");
    end_jobs_test(world);
}

TEST(explain_text, shows_control_characters_in_names_as_reports_do) {
    ox_world *world =
        make_recorded(0, (ox_system_def[]){{.name = "a\n\x1b[7mb\x7f", .update = do_nothing}, {0}});
    static char text[8192];
    EXPECT(ox_world_update(world, 0));

    EXPECT(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text) < sizeof text);

    EXPECT_HAS(text, "    a??[7mb?  main");
    end_jobs_test(world);
}

TEST(explain_text, is_cut_to_fit) {
    ox_world *world = make_recorded(0, told_systems);
    char text[12];
    EXPECT(ox_world_update(world, 0));

    size_t length = ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);

    EXPECT_STR(text, "Frame 1 of ");
    EXPECT(length > 1000);
    EXPECT_EQ(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, NULL, 0), length);
    end_jobs_test(world);
}

TEST(explain_text, without_a_buffer_is_a_report) {
    collected_reports reports = {0};
    ox_world *world = make_recorded(0, told_systems);
    EXPECT(ox_world_update(world, 0));
    collect_reports(&reports);

    EXPECT_EQ(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, NULL, 10), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_world_explain_frame(world, OX_EXPLAIN_TEXT, NULL, 1), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    end_jobs_test(world);
}

// JSON.

static const char *text_at(const oxi_json_node *object, const char *key) {
    const char *text = "";
    EXPECT(oxi_json_get_string(oxi_json_find(object, key), &text, NULL));
    return text;
}

static int64_t number_at(const oxi_json_node *object, const char *key) {
    int64_t number = INT64_MIN;
    EXPECT(oxi_json_get_int(oxi_json_find(object, key), &number));
    return number;
}

static bool bool_at(const oxi_json_node *object, const char *key) {
    bool value = false;
    EXPECT(oxi_json_get_bool(oxi_json_find(object, key), &value));
    return value;
}

static oxi_json read_frame_json(void) {
    const char *text = write_frame(OX_EXPLAIN_JSON);
    oxi_json json;
    oxi_json_error error;
    if (!oxi_json_read(&json, text, strlen(text), &error)) {
        test_fail(__FILE__, __LINE__, "%s at %zu", error.message, error.offset);
    }
    return json;
}

TEST(explain_json, has_the_frame_and_its_systems) {
    oxi_json json = read_frame_json();
    const oxi_json_node *root = oxi_json_root(&json);

    EXPECT_STR(text_at(root, "world"), "world");
    EXPECT_EQ(number_at(root, "frame"), 1);
    EXPECT_EQ(number_at(root, "update_ns"), 1500);
    EXPECT_EQ(number_at(root, "critical_ns"), 1500);
    EXPECT_EQ(number_at(root, "dropped"), 0);
    const oxi_json_node *systems = oxi_json_find(root, "systems");
    EXPECT_EQ(oxi_json_count(systems), 13); // groups and points of every world too
    const oxi_json_node *write = NULL;
    for (size_t k = 0; k < oxi_json_count(systems) && write == NULL; k++) {
        const oxi_json_node *item = oxi_json_item(systems, k);
        write = strcmp(text_at(item, "name"), "Write") == 0 ? item : NULL;
    }
    EXPECT_STR(text_at(write, "cause"), "after");
    EXPECT_STR(text_at(write, "other"), "Slow");
    EXPECT_STR(text_at(write, "cause_site"), "write.c:8");
    EXPECT_EQ((int)oxi_json_get_kind(oxi_json_find(write, "component")), (int)OXI_JSON_NULL);
    EXPECT(bool_at(write, "is_job"));
    EXPECT_EQ(number_at(write, "begin_ns"), 0);
    EXPECT_EQ(oxi_json_count(oxi_json_find(write, "missing")), 1);
    oxi_json_free(&json);
}

TEST(explain_json, has_jobs_waits_and_syncs) {
    oxi_json json = read_frame_json();
    const oxi_json_node *root = oxi_json_root(&json);

    const oxi_json_node *job = oxi_json_item(oxi_json_find(root, "jobs"), 2);
    EXPECT_STR(text_at(job, "name"), "WriteCount");
    EXPECT_EQ(number_at(job, "work_ns"), 0);
    EXPECT_EQ(number_at(job, "waited_for"), 1);
    const oxi_json_node *wait = oxi_json_item(oxi_json_find(job, "waits"), 0);
    EXPECT_EQ(number_at(wait, "before"), 0);
    EXPECT_STR(text_at(wait, "component"), "Count");
    EXPECT_STR(text_at(wait, "site"), "odd \"name\".c:1");
    EXPECT(bool_at(wait, "before_writes") && bool_at(wait, "after_writes"));
    const oxi_json_node *sync = oxi_json_item(oxi_json_find(root, "syncs"), 0);
    EXPECT_STR(text_at(sync, "kind"), "read");
    EXPECT_STR(text_at(sync, "site"), "reap.c:40");
    EXPECT(!bool_at(sync, "is_planned"));
    EXPECT_EQ(number_at(sync, "wait_ns"), 1500);
    EXPECT_HAS(text_at(sync, "advice"), "Reap at reap.c:40 reads Count");
    EXPECT_EQ(oxi_json_count(oxi_json_find(root, "ranked")), 1);
    const oxi_json_node *simulated = oxi_json_find(root, "simulated");
    EXPECT_EQ(oxi_json_count(simulated), 6);
    EXPECT_EQ(number_at(oxi_json_item(simulated, 0), "workers"), 0);
    EXPECT_EQ(number_at(oxi_json_item(simulated, 5), "workers"), 63);
    EXPECT_EQ(number_at(oxi_json_item(simulated, 0), "makespan_ns"), 1500);
    oxi_json_free(&json);
}

// The graph.

// Brackets outside of quotes, which must be closed.
static void expect_balanced(const char *text) {
    int depth = 0, brackets = 0;
    bool is_quoted = false;
    for (; *text != 0; text++) {
        if (is_quoted && *text == '\\') {
            text++;
        } else if (*text == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted) {
            depth += (*text == '{') - (*text == '}');
            brackets += (*text == '[') - (*text == ']');
        }
        EXPECT(depth >= 0 && brackets >= 0);
    }
    EXPECT_EQ(depth, 0);
    EXPECT_EQ(brackets, 0);
    EXPECT(!is_quoted);
}

TEST(explain_graph, has_systems_jobs_and_arrows) {
    const char *text = write_frame(OX_EXPLAIN_GRAPH);

    expect_balanced(text);
    EXPECT_HAS(text, "digraph frame_1 {");
    EXPECT_HAS(text,
               "label=\"Slow\";\n    j0 [label=\"SlowCount\\nodd \\\"name\\\".c:1\\n1.5 us\", "
               "style=bold];\n");
    EXPECT_HAS(text, "j0 -> j1 [label=\"handle\"];\n");
    EXPECT_HAS(text, "j1 -> j2 [label=\"Count\"];\n");
    EXPECT_HAS(text, "s0 [shape=diamond, label=\"main waits\\nreap.c:40\\n1.5 us\"];\n");
    EXPECT_HAS(text, "j2 -> s0 [style=dashed, label=\"Count\"];\n");
}
