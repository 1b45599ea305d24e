// SPDX-License-Identifier: MIT
//
// A frame that is made by hand, written whole: as text, as JSON and as a graph.

#include "explain_test.h"

#include "systems/explain_record.h"

#include <stdio.h>

// Systems, one for each cause, and more than one group. Times are in nanoseconds from 10000 on.
static const ox_frame_system hand_systems[] = {
    {.name = "Sort",
     .site = "sort.c:1",
     .group = -1,
     .is_job = true,
     .has_run = true,
     .cause = OX_ORDERED_FIRST,
     .begin_ns = 10100,
     .end_ns = 11250},
    {.name = "Initialization", .group = -1, .is_group = true},
    {.name = "BeginInitialization", .group = 1, .is_point = true},
    {.name = "Simulation",
     .group = -1,
     .is_group = true,
     .has_run = true,
     .begin_ns = 12000,
     .end_ns = 50000,
     .wait_ns = 2500},
    {.name = "Physics", .group = 3, .is_group = true, .has_run = true},
    {.name = "Move",
     .site = "move.c:3",
     .group = 4,
     .is_job = true,
     .has_run = true,
     .cause = OX_ORDERED_JOBS,
     .begin_ns = 12000,
     .end_ns = 13000},
    {.name = "FindOutWhoOfAllTheseWasHit",
     .site = "hit.c:2",
     .group = 4,
     .has_run = true,
     .cause = OX_ORDERED_LATE,
     .other = "Move",
     .component = "Step",
     .begin_ns = 13000,
     .end_ns = 1013000},
    {.name = "Nobody", .group = 3, .is_group = true},
    {.name = "Reap",
     .site = "reap.c:30",
     .group = 3,
     .has_run = true,
     .cause = OX_ORDERED_AFTER,
     .other = "Move",
     .begin_ns = 14000,
     .end_ns = 16500,
     .wait_ns = 2500,
     .learned_at = "reap.c:9",
     .learned = "Step",
     .missing = {"Ghost", "Gone"}},
    {.name = "Draw",
     .site = "draw.c:1",
     .group = 3,
     .cause = OX_ORDERED_AFTER,
     .other = "Reap",
     .cause_site = "draw.c:1"},
    {.name = "Gate",
     .site = "gate.c:1",
     .group = 3,
     .is_point = true,
     .cause = OX_ORDERED_NAME,
     .other = "Shown"},
    {.name = "Shown", .group = 3, .has_run = true, .cause = OX_ORDERED_GIVEN},
    {.name = "Free", .group = 3, .has_run = true, .cause = OX_ORDERED_FREE},
    {.name = "Late", .group = 3, .has_run = true, .cause = OX_ORDERED_LAST},
    {.name = "Größe", .group = -1, .has_run = true, .cause = OX_ORDERED_ALONE},
};

static const ox_frame_wait move_waits[] = {
    {.before = 0,
     .name = "SortKeys",
     .site = "sort.c:4",
     .component = "Count",
     .before_writes = true},
    {.before = -1, .name = "Load", .site = "load.c:8"},
};

static const ox_frame_wait hit_waits[] = {
    {.before = 1,
     .name = "MoveAll",
     .component = "Step",
     .before_writes = true,
     .after_writes = true,
     .is_declared = true},
    {.before = 0,
     .name = "SortKeys",
     .site = "sort.c:4",
     .component = "Count",
     .after_writes = true},
    {.before = 1, .name = "MoveAll", .component = "Count", .is_declared = true},
    {.before = 1, .name = "MoveAll"},
};

static const ox_frame_job hand_jobs[] = {
    {.name = "SortKeys",
     .site = "sort.c:4",
     .system = 0,
     .units = 3,
     .schedule_ns = 10200,
     .ready_ns = 10200,
     .begin_ns = 10300,
     .end_ns = 12300,
     .work_ns = 4000,
     .waited_for = -1},
    {.name = "MoveAll",
     .site = "move.c:9",
     .system = 5,
     .units = 1,
     .is_plain = true,
     .is_critical = true,
     .waits = move_waits,
     .wait_count = 2,
     .schedule_ns = 12300,
     .ready_ns = 13000,
     .begin_ns = 13000,
     .end_ns = 15000,
     .work_ns = 2000,
     .waited_for = -1,
     .outside_ns = 700},
    {.name = "Hit",
     .system = -1,
     .units = 2,
     .is_auto = true,
     .is_critical = true,
     .waits = hit_waits,
     .wait_count = 4,
     .schedule_ns = 13500,
     .ready_ns = 15000,
     .begin_ns = 15000,
     .end_ns = 53340,
     .work_ns = 60000,
     .waited_for = 0,
     .outside_ns = 40},
    {.name = "Lost",
     .site = "lost \"and\\found\".c:1",
     .system = 5,
     .units = 1,
     .is_background = true,
     .schedule_ns = 14000,
     .waited_for = -1},
};

static const ox_frame_idle hand_idle[] = {
    {"WriteRed", "red.c:7", 0, "no entity matched: the world has none"},
    {"WriteBlue", NULL, -1, "no entity matched"},
};

static const int hand_awaited[] = {1, 0};

static ox_frame_sync hand_syncs[] = {
    {.sync = {.kind = OX_SYNC_READ,
              .site = "reap.c:40",
              .system = "Reap",
              .idle_workers = 1,
              .wait_ns = 2500,
              .job_count = 2,
              .jobs = {"MoveAll", "SortKeys"}},
     .system = 8,
     .begin_ns = 14000,
     .jobs = hand_awaited,
     .job_count = 2,
     .advice = "read it later"},
    {.sync = {.kind = OX_SYNC_WRITE, .is_planned = true, .idle_workers = 2, .job_count = 3},
     .system = -1,
     .begin_ns = 9000,
     .advice = "write it later"},
    {.sync = {.kind = OX_SYNC_STRUCTURAL,
              .site = "gate.c:1",
              .system = "Gate",
              .wait_ns = 12340,
              .job_count = 1,
              .jobs = {"Old"}},
     .system = 0,
     .is_playback = true,
     .begin_ns = 20000,
     .jobs = hand_awaited,
     .advice = "play it back later"},
    {.sync = {.kind = OX_SYNC_OWN, .system = "Sort", .wait_ns = 50, .job_count = 1},
     .system = 0,
     .jobs = hand_awaited + 1,
     .job_count = 1,
     .advice = "do less"},
    {.sync = {.kind = OX_SYNC_STRUCTURAL, .system = "Reap", .wait_ns = 49, .job_count = 1},
     .system = 8,
     .advice = "change it later"},
};

static const int hand_ranked[] = {2, 0, 3, 4, 1};

static const ox_frame hand_frame = {
    .number = 12,
    .begin_ns = 10000,
    .end_ns = 52340,
    .systems = hand_systems,
    .system_count = sizeof hand_systems / sizeof *hand_systems,
    .jobs = hand_jobs,
    .job_count = sizeof hand_jobs / sizeof *hand_jobs,
    .idle = hand_idle,
    .idle_count = sizeof hand_idle / sizeof *hand_idle,
    .syncs = hand_syncs,
    .sync_count = sizeof hand_syncs / sizeof *hand_syncs,
    .ranked = hand_ranked,
    .critical_ns = 41040,
    .dropped = 7,
};

typedef void write_fn(oxi_text *text, const ox_frame *frame, const char *world);

// A frame, written by one of the writers.
static const char *write_by_hand(write_fn *write, const ox_frame *frame) {
    static char written[32768];
    hand_syncs[0].sync.component = ox_component_id_of(Count);
    hand_syncs[1].sync.component = ox_component_id_of(Step);
    oxi_text text = {0};
    write(&text, frame, "the \"sea\"~");
    EXPECT(!text.failed && text.length < sizeof written);
    memcpy(written, oxi_text_get(&text), text.length + 1);
    oxi_text_free(&text);
    return written;
}

// What stands between two places in a text.
static const char *line_of(const char *begin, const char *end) {
    static char line[1024];
    size_t size = (size_t)(end - begin);
    EXPECT(size < sizeof line);
    memcpy(line, begin, size);
    line[size] = 0;
    return line;
}

// The lines of a text are just these, up to NULL.
static void expect_lines(const char *text, const char *const *lines) {
    for (; *lines != NULL; lines++) {
        const char *end = text + strcspn(text, "\n");
        EXPECT_STR(line_of(text, end), *lines);
        EXPECT(*end == '\n');
        text = end + 1;
    }
    EXPECT_STR(text, "");
}

// JSON with a line for each object in a list.
static const char *break_lines(const char *json) {
    static char lines[32768];
    char *to = lines;
    for (; *json != 0; json++) {
        bool is_item = *json == '{' && to > lines;
        if (is_item) {
            *to++ = '\n';
        }
        *to++ = *json;
        EXPECT(to + 3 < lines + sizeof lines);
    }
    strcpy(to, "\n");
    return lines;
}

static const char *const text_lines[] = {
    "Frame 12 of world 'the \"sea\"~'",
    "  update            42.3 us",
    "  main waited       14.9 us at 5 sync points",
    "  jobs              66.0 us of work in 4 jobs, the last of which ended 1.0 us after the "
    "update",
    "  7 events found no room: what they tell is missing here",
    "",
    "Order of systems",
    "  Sort                          jobs        1.2 us  it says that it comes first",
    "  Simulation",
    "    Physics",
    "      Move                      jobs        1.0 us  it schedules jobs, which go before "
    "systems on",
    "                                                    main",
    "      FindOutWhoOfAllTheseWasHit main     1000.0 us it conflicts in Step with Move, which is "
    "longest",
    "                                                    ago",
    "    Reap                        main        2.5 us  it comes after Move, as a place that is "
    "not",
    "                                                    known says",
    "                                                    'Ghost', which it names, is not in this "
    "world",
    "                                                    'Gone', which it names, is not in this "
    "world",
    "                                                    it used Step at reap.c:9 and had not "
    "declared",
    "                                                    it: that moves no system",
    "    Draw                        did not run         it comes after Reap, as draw.c:1 says",
    "    Gate                        point               by name: Shown could have come here as "
    "well",
    "    Shown                       main        0.0 us  a test asked for this order",
    "    Free                        main        0.0 us  it conflicts with no job system before it",
    "    Late                        main        0.0 us  it says that it comes last",
    "  Größe                         main        0.0 us  nothing else could come here",
    "",
    "Jobs, and what each waits for",
    "  SortKeys (sort.c:4) of Sort, 3 units: 2.0 us, 4.0 us of work",
    "  MoveAll (move.c:9) of Move, 1 unit: 2.0 us, 2.0 us of work; waited 0.7 us",
    "    - reads Count, which SortKeys (sort.c:4) writes",
    "    - was given the handle of Load (load.c:8) (not a job of this frame)",
    "  Hit (a place that is not known), 2 units: 38.3 us, 60.0 us of work; waited 1.5 us, SortKeys "
    "ended",
    "    last",
    "    - writes Step, which the system of MoveAll declares to write",
    "    - writes Count, which SortKeys (sort.c:4) reads",
    "    - reads Count, which the system of MoveAll declares to read",
    "    - was given the handle of MoveAll",
    "  Lost (lost \"and\\found\".c:1) of Move, 1 unit: it has not ended, or when it ran is not "
    "known",
    "  WriteRed (red.c:7) of Sort: no entity matched: the world has none",
    "  WriteBlue (a place that is not known): no entity matched",
    "",
    "Critical path: the longest chain of jobs",
    "        0.7 us  MoveAll waited for Load, which is not a job of this frame",
    "        2.0 us  MoveAll (move.c:9)",
    "       38.3 us  Hit (a place that is not known)",
    "       41.0 us  in all",
    "",
    "Sync points: where main waited, in the order of time",
    "        2.5 us  Reap at reap.c:40 reads Count; waited for MoveAll and 1 more; 1 idle worker; "
    "not",
    "                planned",
    "        0.0 us  main at a place that is not known writes Step; waited for a job of an earlier "
    "frame",
    "                and 2 more; 2 idle workers; planned",
    "       12.3 us  Gate at gate.c:1 plays back; waited for Old; 0 idle workers; not planned",
    "        0.1 us  Sort at a place that is not known is about to update; waited for SortKeys; 0 "
    "idle",
    "                workers; not planned",
    "        0.0 us  Reap at a place that is not known changes the structure; waited for a job of "
    "an",
    "                earlier frame; 0 idle workers; not planned",
    "",
    "Stalls, the longest first, and what to do",
    "       12.3 us  play it back later",
    "        2.5 us  read it later",
    "        0.1 us  do less",
    "        0.0 us  change it later",
    "        0.0 us  write it later",
    "",
    "With other numbers of workers beside main (simulated)",
    "  main alone:      93.4 us, busy  71 %",
    "   1 worker:       59.6 us, busy  55 %",
    "   3 workers:      35.0 us, busy  47 %",
    "   7 workers:      35.0 us, busy  24 %",
    "  15 workers:      35.0 us, busy  12 %",
    "  63 workers:      35.0 us, busy   3 %",
    NULL,
};

TEST(explain_written, text_has_all_of_a_frame) {
    expect_lines(write_by_hand(oxi_explain_write_text, &hand_frame), text_lines);
}

static const char *const json_lines[] = {
    "{\"world\":\"the \\\"sea\\\"~\",\"frame\":12,\"update_ns\":42340,"
    "\"critical_ns\":41040,\"dropped\":7,\"systems\":[",
    "{\"name\":\"Sort\",\"site\":\"sort.c:1\",\"group\":null,\"is_group\":false,"
    "\"is_job\":true,\"is_point\":false,\"has_run\":true,\"cause\":\"first\","
    "\"other\":null,\"cause_site\":null,\"component\":null,\"begin_ns\":100,"
    "\"end_ns\":1250,\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Initialization\",\"site\":null,\"group\":null,\"is_group\":true,"
    "\"is_job\":false,\"is_point\":false,\"has_run\":false,\"cause\":\"alone\","
    "\"other\":null,\"cause_site\":null,\"component\":null,\"begin_ns\":null,"
    "\"end_ns\":null,\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"BeginInitialization\",\"site\":null,\"group\":1,\"is_group\":false,"
    "\"is_job\":false,\"is_point\":true,\"has_run\":false,\"cause\":\"alone\","
    "\"other\":null,\"cause_site\":null,\"component\":null,\"begin_ns\":null,"
    "\"end_ns\":null,\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Simulation\",\"site\":null,\"group\":null,\"is_group\":true,"
    "\"is_job\":false,\"is_point\":false,\"has_run\":true,\"cause\":\"alone\","
    "\"other\":null,\"cause_site\":null,\"component\":null,\"begin_ns\":2000,"
    "\"end_ns\":40000,\"wait_ns\":2500,\"learned_at\":null,\"learned\":null,"
    "\"missing\":[]},",
    "{\"name\":\"Physics\",\"site\":null,\"group\":3,\"is_group\":true,\"is_job\":false,"
    "\"is_point\":false,\"has_run\":true,\"cause\":\"alone\",\"other\":null,"
    "\"cause_site\":null,\"component\":null,\"begin_ns\":null,\"end_ns\":null,"
    "\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Move\",\"site\":\"move.c:3\",\"group\":4,\"is_group\":false,"
    "\"is_job\":true,\"is_point\":false,\"has_run\":true,\"cause\":\"jobs\",\"other\":null,"
    "\"cause_site\":null,\"component\":null,\"begin_ns\":2000,\"end_ns\":3000,"
    "\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"FindOutWhoOfAllTheseWasHit\",\"site\":\"hit.c:2\",\"group\":4,"
    "\"is_group\":false,\"is_job\":false,\"is_point\":false,\"has_run\":true,"
    "\"cause\":\"late\",\"other\":\"Move\",\"cause_site\":null,\"component\":\"Step\","
    "\"begin_ns\":3000,\"end_ns\":1003000,\"wait_ns\":0,\"learned_at\":null,"
    "\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Nobody\",\"site\":null,\"group\":3,\"is_group\":true,\"is_job\":false,"
    "\"is_point\":false,\"has_run\":false,\"cause\":\"alone\",\"other\":null,"
    "\"cause_site\":null,\"component\":null,\"begin_ns\":null,\"end_ns\":null,"
    "\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Reap\",\"site\":\"reap.c:30\",\"group\":3,\"is_group\":false,"
    "\"is_job\":false,\"is_point\":false,\"has_run\":true,\"cause\":\"after\","
    "\"other\":\"Move\",\"cause_site\":null,\"component\":null,\"begin_ns\":4000,"
    "\"end_ns\":6500,\"wait_ns\":2500,\"learned_at\":\"reap.c:9\",\"learned\":\"Step\","
    "\"missing\":[\"Ghost\",\"Gone\"]},",
    "{\"name\":\"Draw\",\"site\":\"draw.c:1\",\"group\":3,\"is_group\":false,"
    "\"is_job\":false,\"is_point\":false,\"has_run\":false,\"cause\":\"after\","
    "\"other\":\"Reap\",\"cause_site\":\"draw.c:1\",\"component\":null,\"begin_ns\":null,"
    "\"end_ns\":null,\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Gate\",\"site\":\"gate.c:1\",\"group\":3,\"is_group\":false,"
    "\"is_job\":false,\"is_point\":true,\"has_run\":false,\"cause\":\"name\","
    "\"other\":\"Shown\",\"cause_site\":null,\"component\":null,\"begin_ns\":null,"
    "\"end_ns\":null,\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Shown\",\"site\":null,\"group\":3,\"is_group\":false,\"is_job\":false,"
    "\"is_point\":false,\"has_run\":true,\"cause\":\"given\",\"other\":null,"
    "\"cause_site\":null,\"component\":null,\"begin_ns\":null,\"end_ns\":null,"
    "\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Free\",\"site\":null,\"group\":3,\"is_group\":false,\"is_job\":false,"
    "\"is_point\":false,\"has_run\":true,\"cause\":\"free\",\"other\":null,"
    "\"cause_site\":null,\"component\":null,\"begin_ns\":null,\"end_ns\":null,"
    "\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Late\",\"site\":null,\"group\":3,\"is_group\":false,\"is_job\":false,"
    "\"is_point\":false,\"has_run\":true,\"cause\":\"last\",\"other\":null,"
    "\"cause_site\":null,\"component\":null,\"begin_ns\":null,\"end_ns\":null,"
    "\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]},",
    "{\"name\":\"Größe\",\"site\":null,\"group\":null,\"is_group\":false,\"is_job\":false,"
    "\"is_point\":false,\"has_run\":true,\"cause\":\"alone\",\"other\":null,"
    "\"cause_site\":null,\"component\":null,\"begin_ns\":null,\"end_ns\":null,"
    "\"wait_ns\":0,\"learned_at\":null,\"learned\":null,\"missing\":[]}],\"jobs\":[",
    "{\"name\":\"SortKeys\",\"site\":\"sort.c:4\",\"system\":0,\"units\":3,"
    "\"is_plain\":false,\"is_background\":false,\"is_auto\":false,\"is_critical\":false,"
    "\"schedule_ns\":200,\"ready_ns\":200,\"begin_ns\":300,\"end_ns\":2300,"
    "\"work_ns\":4000,\"waited_for\":null,\"outside_ns\":0,\"waits\":[]},",
    "{\"name\":\"MoveAll\",\"site\":\"move.c:9\",\"system\":5,\"units\":1,"
    "\"is_plain\":true,\"is_background\":false,\"is_auto\":false,\"is_critical\":true,"
    "\"schedule_ns\":2300,\"ready_ns\":3000,\"begin_ns\":3000,\"end_ns\":5000,"
    "\"work_ns\":2000,\"waited_for\":null,\"outside_ns\":700,\"waits\":[",
    "{\"before\":0,\"name\":\"SortKeys\",\"site\":\"sort.c:4\",\"component\":\"Count\","
    "\"before_writes\":true,\"after_writes\":false,\"is_declared\":false},",
    "{\"before\":null,\"name\":\"Load\",\"site\":\"load.c:8\",\"component\":null,"
    "\"before_writes\":false,\"after_writes\":false,\"is_declared\":false}]},",
    "{\"name\":\"Hit\",\"site\":null,\"system\":null,\"units\":2,\"is_plain\":false,"
    "\"is_background\":false,\"is_auto\":true,\"is_critical\":true,\"schedule_ns\":3500,"
    "\"ready_ns\":5000,\"begin_ns\":5000,\"end_ns\":43340,\"work_ns\":60000,"
    "\"waited_for\":0,\"outside_ns\":40,\"waits\":[",
    "{\"before\":1,\"name\":\"MoveAll\",\"site\":null,\"component\":\"Step\","
    "\"before_writes\":true,\"after_writes\":true,\"is_declared\":true},",
    "{\"before\":0,\"name\":\"SortKeys\",\"site\":\"sort.c:4\",\"component\":\"Count\","
    "\"before_writes\":false,\"after_writes\":true,\"is_declared\":false},",
    "{\"before\":1,\"name\":\"MoveAll\",\"site\":null,\"component\":\"Count\","
    "\"before_writes\":false,\"after_writes\":false,\"is_declared\":true},",
    "{\"before\":1,\"name\":\"MoveAll\",\"site\":null,\"component\":null,"
    "\"before_writes\":false,\"after_writes\":false,\"is_declared\":false}]},",
    "{\"name\":\"Lost\",\"site\":\"lost \\\"and\\\\found\\\".c:1\",\"system\":5,"
    "\"units\":1,\"is_plain\":false,\"is_background\":true,\"is_auto\":false,"
    "\"is_critical\":false,\"schedule_ns\":4000,\"ready_ns\":null,\"begin_ns\":null,"
    "\"end_ns\":null,\"work_ns\":0,\"waited_for\":null,\"outside_ns\":0,\"waits\":[]}],"
    "\"idle\":[",
    "{\"name\":\"WriteRed\",\"site\":\"red.c:7\",\"system\":0,"
    "\"why\":\"no entity matched: the world has none\"},",
    "{\"name\":\"WriteBlue\",\"site\":null,\"system\":null,\"why\":\"no entity matched\"}],"
    "\"syncs\":[",
    "{\"kind\":\"read\",\"component\":\"Count\",\"site\":\"reap.c:40\",\"system\":8,"
    "\"is_planned\":false,\"is_playback\":false,\"idle_workers\":1,\"begin_ns\":4000,"
    "\"wait_ns\":2500,\"jobs\":[1,0],\"names\":[\"MoveAll\",\"SortKeys\"],"
    "\"advice\":\"read it later\"},",
    "{\"kind\":\"write\",\"component\":\"Step\",\"site\":null,\"system\":null,"
    "\"is_planned\":true,\"is_playback\":false,\"idle_workers\":2,\"begin_ns\":-1000,"
    "\"wait_ns\":0,\"jobs\":[],\"names\":[],\"advice\":\"write it later\"},",
    "{\"kind\":\"structural\",\"component\":null,\"site\":\"gate.c:1\",\"system\":0,"
    "\"is_planned\":false,\"is_playback\":true,\"idle_workers\":0,\"begin_ns\":10000,"
    "\"wait_ns\":12340,\"jobs\":[],\"names\":[\"Old\"],\"advice\":\"play it back later\"},",
    "{\"kind\":\"own\",\"component\":null,\"site\":null,\"system\":0,\"is_planned\":false,"
    "\"is_playback\":false,\"idle_workers\":0,\"begin_ns\":null,\"wait_ns\":50,"
    "\"jobs\":[0],\"names\":[],\"advice\":\"do less\"},",
    "{\"kind\":\"structural\",\"component\":null,\"site\":null,\"system\":8,"
    "\"is_planned\":false,\"is_playback\":false,\"idle_workers\":0,\"begin_ns\":null,"
    "\"wait_ns\":49,\"jobs\":[],\"names\":[],\"advice\":\"change it later\"}],"
    "\"ranked\":[2,0,3,4,1],\"simulated\":[",
    "{\"workers\":0,\"makespan_ns\":93401,\"busy\":0.7066305499941115},",
    "{\"workers\":1,\"makespan_ns\":59601,\"busy\":0.5536819852015906},",
    "{\"workers\":3,\"makespan_ns\":35000,\"busy\":0.4714285714285714},",
    "{\"workers\":7,\"makespan_ns\":35000,\"busy\":0.2357142857142857},",
    "{\"workers\":15,\"makespan_ns\":35000,\"busy\":0.11785714285714285},",
    "{\"workers\":63,\"makespan_ns\":35000,\"busy\":0.029464285714285714}]}",
    NULL,
};

TEST(explain_written, json_has_all_of_a_frame) {
    expect_lines(break_lines(write_by_hand(oxi_explain_write_json, &hand_frame)), json_lines);
}

TEST(explain_written, graph_has_jobs_waits_and_syncs) {
    static const char *const lines[] = {
        "digraph frame_12 {",
        "  label=\"the \\\"sea\\\"~\";",
        "  rankdir=LR;",
        "  node [shape=box];",
        "  subgraph cluster_0 {",
        "    label=\"Sort\";",
        "    j0 [label=\"SortKeys\\nsort.c:4\\n2.0 us\"];",
        "    s2 [shape=diamond, label=\"main waits\\ngate.c:1\\n12.3 us\"];",
        "    s3 [shape=diamond, label=\"main waits\\n0.1 us\"];",
        "  }",
        "  subgraph cluster_5 {",
        "    label=\"Move\";",
        "    j1 [label=\"MoveAll\\nmove.c:9\\n2.0 us\", style=bold];",
        "    j3 [label=\"Lost\\nlost \\\"and\\\\found\\\".c:1\\n0.0 us\"];",
        "  }",
        "  subgraph cluster_8 {",
        "    label=\"Reap\";",
        "    s0 [shape=diamond, label=\"main waits\\nreap.c:40\\n2.5 us\"];",
        "    s4 [shape=diamond, label=\"main waits\\n0.0 us\"];",
        "  }",
        "    j2 [label=\"Hit\\n38.3 us\", style=bold];",
        "    s1 [shape=diamond, label=\"main waits\\n0.0 us\"];",
        "  j0 -> j1 [label=\"Count\"];",
        "  j1 -> j2 [label=\"Step\\nCount\\nhandle\", style=bold];",
        "  j0 -> j2 [label=\"Count\"];",
        "  j1 -> s0 [style=dashed, label=\"Count\"];",
        "  j0 -> s0 [style=dashed, label=\"Count\"];",
        "  j0 -> s3 [style=dashed, label=\"structure\"];",
        "}",
        NULL,
    };

    expect_lines(write_by_hand(oxi_explain_write_graph, &hand_frame), lines);
}

TEST(explain_written, text_of_an_empty_frame) {
    static const char *const lines[] = {
        "Frame 0 of world 'the \"sea\"~'",
        "  update             0.0 us",
        "  main waited        0.0 us at 0 sync points",
        "  jobs               0.0 us of work in 0 jobs",
        "",
        "Order of systems",
        "",
        "Jobs, and what each waits for",
        "",
        "Critical path: the longest chain of jobs",
        "        0.0 us  in all",
        "",
        "Sync points: where main waited, in the order of time",
        "  none",
        "",
        "With other numbers of workers beside main (simulated)",
        "  main alone:       0.0 us, busy   0 %",
        "   1 worker:        0.0 us, busy   0 %",
        "   3 workers:       0.0 us, busy   0 %",
        "   7 workers:       0.0 us, busy   0 %",
        "  15 workers:       0.0 us, busy   0 %",
        "  63 workers:       0.0 us, busy   0 %",
        NULL,
    };

    expect_lines(write_by_hand(oxi_explain_write_text, &(ox_frame){0}), lines);
}

// Words go to the next line when they do not fit; one that is wider than a line has one for itself.
TEST(explain_written, text_breaks_lines_between_words) {
    static char why[3][256];
    char wide[121], fitting[81];
    ox_frame_idle idle[] = {{"A", "a", -1, why[0]},
                            {"B", "b", -1, why[1]},
                            {"C", "c", -1, why[2]},
                            {wide, "d", -1, "end"}};
    memset(wide, 'w', sizeof wide);
    memset(fitting, 'f', sizeof fitting);
    wide[120] = fitting[80] = 0;
    snprintf(why[0], sizeof why[0], "%s 0123456789", fitting); // 100 wide
    snprintf(why[1], sizeof why[1], "%s 0123456789A", fitting);
    snprintf(why[2], sizeof why[2], "%s end", wide);
    char expected[1024];
    snprintf(expected, sizeof expected,
             "  A (a): %s 0123456789\n  B (b): %s\n    0123456789A\n  C (c):\n    %s\n    end\n"
             "  %s\n  (d): end\n",
             fitting, fitting, wide, wide);

    EXPECT_HAS(write_by_hand(oxi_explain_write_text, &(ox_frame){.idle = idle, .idle_count = 4}),
               expected);
}
