// SPDX-License-Identifier: MIT
//
// Random graphs of jobs against an oracle. The oracle knows every job ever scheduled with what it
// holds and all that it waits for, as bit sets, and decides by brute force; so it shares nothing
// with the lists, serial numbers and walks of the library. Each call is held against it: allowed or
// refused, with which report, about which container, and naming a job that really stands in the
// way. Bodies use what they hold: a report from inside a job is a failure too.

#include "safety_test.h"

#include <stdarg.h>

enum { MOST_JOBS = 12, MOST_ENTRIES = 28, CONTAINERS = 4, MOST_FIELDS = 3, STEPS = 26 };

typedef enum field_form { RW, RO, WRITER, VIEW_RW, VIEW_RO, FIELD_FORMS } field_form;

// A job or a combination, as the oracle sees it.
typedef struct entry {
    ox_job handle;
    uint32_t covers; // entries that are done when this one is, itself included
    bool is_synced;
    bool is_kept; // the safety system must remember it
    bool reads[CONTAINERS], writes[CONTAINERS];
    bool writes_all[CONTAINERS]; // not through a view: it may resize
} entry;

// The struct of the jobs: as many of the boxes as the type lists.
typedef struct Fields {
    Box boxes[MOST_FIELDS];
    int forms[MOST_FIELDS];
    int count;
} Fields;

typedef struct graph {
    oxi_random random;
    entry entries[MOST_ENTRIES];
    int entry_count, job_count;
    Box boxes[CONTAINERS], views[CONTAINERS];
    bool is_alive[CONTAINERS], view_lives[CONTAINERS];
    ox_job_type types[MOST_JOBS];
    ox_job_field accesses[MOST_JOBS][MOST_FIELDS];
    char log[8192];
    size_t log_length;
} graph;

typedef struct verdict {
    ox_report_id id;
    int container;
} verdict;

static const char *const box_names[CONTAINERS] = {"C0", "C1", "C2", "C3"};
static const char *const form_names[FIELD_FORMS] = {"RW", "RO", "writer", "view", "RO view"};
static oxi_atomic_u32 refused_in_jobs;
static uint64_t calls, refusals;

static struct {
    int count;
    ox_report_id id;
    int other, container;
} heard;

static void hear_report(const ox_report *report, void *context) {
    (void)context;
    const ox_report_value *other = ox_report_find(report, "other");
    const ox_report_value *container = ox_report_find(report, "container");
    heard.count++;
    heard.id = report->id;
    heard.other = other != NULL ? atoi(other->text) : -1;
    heard.container =
        container != NULL && container->text[0] == 'C' ? container->text[1] - '0' : -1;
}

__attribute__((format(printf, 2, 3))) static void note(graph *g, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof g->log - g->log_length;
    int length = vsnprintf(g->log + g->log_length, room, format, arguments);
    va_end(arguments);
    g->log_length += length > 0 && (size_t)length < room ? (size_t)length : 0;
}

static void fail_graph(const graph *g, const char *what) {
    fprintf(stderr, "%s", g->log);
    test_fail(__FILE__, __LINE__, "%s (heard %d, the last %s about C%d, other %d)", what,
              heard.count, ox_report_code(heard.id), heard.container, heard.other);
}

// Jobs.

static void use_fields(const Fields *fields, int64_t index) {
    for (int k = 0; k < fields->count; k++) {
        Box box = fields->boxes[k];
        int form = fields->forms[k];
        bool is_fine = (form == WRITER || read_box(box)) &&
                       (form == RO || form == VIEW_RO || write_box(box)) && touch_box(box, index);
        atomic_fetch_add(&refused_in_jobs, !is_fine);
    }
}

static void run_fields(void *job) {
    use_fields(job, 1);
}

static void run_fields_range(const void *job, int begin, int end) {
    for (int i = begin; i < end; i++) {
        use_fields(job, i);
    }
}

// The oracle.

static bool form_reads_only(field_form form) {
    return form == RO || form == VIEW_RO;
}

static bool form_is_view(field_form form) {
    return form == VIEW_RW || form == VIEW_RO;
}

// True when an entry is not synced, not covered, and stands in the way of reading or writing.
static bool stands_in_way(const graph *g, int e, int container, bool writes, uint32_t covered) {
    const entry *other = &g->entries[e];
    return !other->is_synced && (covered >> e & 1) == 0 &&
           (other->writes[container] || (writes && other->reads[container]));
}

static bool has_conflict(const graph *g, int container, bool writes, uint32_t covered) {
    for (int e = 0; e < g->entry_count; e++) {
        if (stands_in_way(g, e, container, writes, covered)) {
            return true;
        }
    }
    return false;
}

typedef struct asked_job {
    int containers[MOST_FIELDS];
    field_form forms[MOST_FIELDS];
    int count;
    bool is_parallel;
} asked_job;

static ox_report_id judge_field(const graph *g, const asked_job *asked, int k, uint32_t covered) {
    int c = asked->containers[k];
    field_form form = asked->forms[k];
    bool writes = !form_reads_only(form);
    if (!g->is_alive[c]) {
        return OX_REPORT_DISPOSED;
    }
    if (form_is_view(form) && !g->view_lives[c]) {
        return OX_REPORT_VIEW_ENDED;
    }
    if (asked->is_parallel && c == CONTAINERS - 1 && form == RW) {
        return OX_REPORT_NOT_DIVISIBLE;
    }
    for (int before = 0; before < k; before++) {
        bool is_read = form_reads_only(asked->forms[before]) && !writes;
        if (asked->containers[before] == c && !is_read) {
            return OX_REPORT_ALIASED;
        }
    }
    return has_conflict(g, c, writes, covered) ? OX_REPORT_TWO_JOBS_RACE : OX_REPORT_NONE;
}

static verdict judge_job(const graph *g, const asked_job *asked, uint32_t covered) {
    for (int k = 0; k < asked->count; k++) {
        ox_report_id id = judge_field(g, asked, k, covered);
        if (id != OX_REPORT_NONE) {
            return (verdict){id, asked->containers[k]};
        }
    }
    return (verdict){OX_REPORT_NONE, -1};
}

// The job that the report names, by the number of its entry, is in the way.
static bool other_is_right(const graph *g, int container, bool writes, uint32_t covered) {
    return heard.other >= 0 && heard.other < g->entry_count &&
           stands_in_way(g, heard.other, container, writes, covered);
}

// Holds what happened against what had to.
static void expect_verdict(graph *g, verdict expected, bool is_done, bool writes,
                           uint32_t covered) {
    calls++;
    refusals += !is_done;
    note(g, "%s\n", is_done ? "ok" : ox_report_code(heard.id));
    if (is_done != (expected.id == OX_REPORT_NONE) || heard.count != !is_done) {
        note(g, "expected %s\n", ox_report_code(expected.id));
        fail_graph(g, "the oracle thinks otherwise");
    }
    if (heard.count > 0 && heard.id != expected.id) {
        note(g, "expected %s\n", ox_report_code(expected.id));
        fail_graph(g, "another report than expected");
    }
    bool names = expected.id == OX_REPORT_TWO_JOBS_RACE || expected.id == OX_REPORT_JOB_HOLDS;
    if (names && heard.container != expected.container) {
        fail_graph(g, "the report names another container");
    }
    if (names && !other_is_right(g, expected.container, writes, covered)) {
        fail_graph(g, "the report names a job that is not in the way");
    }
    heard.count = 0;
}

// Steps.

static int pick(graph *g, int limit) {
    return (int)oxi_random_below(&g->random, (uint64_t)limit);
}

// An entry to wait for, or -1.
static int pick_entry(graph *g) {
    if (g->entry_count == 0 || pick(g, 3) == 0) {
        return -1;
    }
    return pick(g, 2) == 0 ? g->entry_count - 1 : pick(g, g->entry_count);
}

static asked_job pick_job(graph *g) {
    asked_job asked = {.count = pick(g, MOST_FIELDS + 1), .is_parallel = pick(g, 4) == 0};
    for (int k = 0; k < asked.count; k++) {
        asked.containers[k] = pick(g, CONTAINERS);
        asked.forms[k] = (field_form)pick(g, FIELD_FORMS);
        // Mostly another container than before.
        if (k > 0 && asked.containers[k] == asked.containers[k - 1] && pick(g, 4) > 0) {
            asked.containers[k] = (asked.containers[k] + 1) % CONTAINERS;
        }
    }
    return asked;
}

// A job type without text that lists its accesses, named after the entry it will be.
static ox_job_type *list_accesses(graph *g, const asked_job *asked) {
    ox_job_type *type = &g->types[g->job_count];
    ox_job_field *accesses = g->accesses[g->job_count];
    static char names[MOST_ENTRIES][4];
    snprintf(names[g->entry_count], 4, "%d", g->entry_count);
    for (int k = 0; k < asked->count; k++) {
        accesses[k] = (ox_job_field){
            "field", offsetof(Fields, boxes) + (size_t)k * sizeof(Box) + offsetof(Box, access),
            form_reads_only(asked->forms[k]) ? OX_MARK_READ_ONLY : 0};
    }
    *type = (ox_job_type){
        .type = {.name = names[g->entry_count], .size = sizeof(Fields), .align = _Alignof(Fields)},
        .run = run_fields,
        .ranges = {run_fields_range},
        .accesses = accesses,
        .access_count = asked->count};
    return type;
}

static Fields fill_fields(const graph *g, const asked_job *asked) {
    Fields fields = {.count = asked->count};
    for (int k = 0; k < asked->count; k++) {
        int c = asked->containers[k];
        Box box = form_is_view(asked->forms[k]) ? g->views[c] : g->boxes[c];
        fields.boxes[k] = asked->forms[k] == WRITER ? writer_of(box) : box;
        fields.forms[k] = asked->forms[k];
    }
    return fields;
}

static void add_job_entry(graph *g, const asked_job *asked, ox_job handle, int after) {
    entry *added = &g->entries[g->entry_count];
    *added = (entry){.handle = handle, .covers = 1u << g->entry_count};
    added->is_kept = asked->count > 0;
    if (after >= 0) {
        added->covers |= g->entries[after].covers;
        added->is_kept |= g->entries[after].is_kept && !g->entries[after].is_synced;
    }
    for (int k = 0; k < asked->count; k++) {
        int c = asked->containers[k];
        bool writes = !form_reads_only(asked->forms[k]);
        added->reads[c] |= !writes;
        added->writes[c] |= writes;
        added->writes_all[c] |= writes && !form_is_view(asked->forms[k]);
        g->view_lives[c] &= !added->writes_all[c];
    }
    g->entry_count++;
    g->job_count++;
}

static bool last_writes(const asked_job *asked, int container) {
    bool writes = false;
    for (int k = 0; k < asked->count; k++) {
        writes |= asked->containers[k] == container && !form_reads_only(asked->forms[k]);
    }
    return writes;
}

static void step_schedule(graph *g) {
    if (g->job_count == MOST_JOBS || g->entry_count == MOST_ENTRIES) {
        return;
    }
    asked_job asked = pick_job(g);
    int after = pick_entry(g);
    ox_job wait = after >= 0 ? g->entries[after].handle : OX_NO_JOB;
    uint32_t covered = after >= 0 ? g->entries[after].covers : 0;
    note(g, "%d: %s after %d", g->entry_count, asked.is_parallel ? "parallel" : "single", after);
    for (int k = 0; k < asked.count; k++) {
        note(g, ", %s C%d", form_names[asked.forms[k]], asked.containers[k]);
    }
    note(g, ": ");
    verdict expected = judge_job(g, &asked, covered);
    ox_job_type *type = list_accesses(g, &asked);
    Fields fields = fill_fields(g, &asked);
    ox_safety_usage before = ox_safety_get_usage();
    ox_job job = asked.is_parallel ? ox_schedule_for_at(type, 6, 2, wait, &fields, OX_HERE)
                                   : ox_schedule_at(type, wait, &fields, OX_HERE);
    bool writes = expected.container >= 0 && last_writes(&asked, expected.container);
    expect_verdict(g, expected, job.value != 0, writes, covered);
    if (job.value != 0) {
        add_job_entry(g, &asked, job, after);
    } else {
        expect_same_usage(before);
    }
}

static void step_combine(graph *g) {
    if (g->entry_count == 0 || g->entry_count == MOST_ENTRIES) {
        return;
    }
    int count = 2 + pick(g, 11);
    ox_job parts[12];
    entry added = {.covers = 1u << g->entry_count};
    note(g, "%d: combine", g->entry_count);
    for (int k = 0; k < count; k++) {
        int part = pick(g, g->entry_count);
        parts[k] = g->entries[part].handle;
        added.covers |= g->entries[part].covers;
        added.is_kept |= g->entries[part].is_kept && !g->entries[part].is_synced;
        note(g, " %d", part);
    }
    note(g, "\n");
    added.handle = ox_combine_at(parts, count, OX_HERE);
    g->entries[g->entry_count++] = added;
}

static void step_complete(graph *g) {
    if (g->entry_count == 0) {
        return;
    }
    int e = pick(g, g->entry_count);
    note(g, "complete %d\n", e);
    ox_complete(g->entries[e].handle);
    for (int k = 0; k < g->entry_count; k++) {
        g->entries[k].is_synced |= (g->entries[e].covers >> k & 1) != 0;
    }
}

static void forget_container(graph *g, int c) {
    g->is_alive[c] = g->view_lives[c] = false;
    for (int e = 0; e < g->entry_count; e++) {
        g->entries[e].reads[c] = g->entries[e].writes[c] = g->entries[e].writes_all[c] = false;
    }
}

static void step_create(graph *g, int c) {
    note(g, "create C%d\n", c);
    g->boxes[c] = make_box(.name = box_names[c], .is_whole = c == CONTAINERS - 1);
    g->views[c] = view_of(g->boxes[c]);
    g->is_alive[c] = g->view_lives[c] = true;
}

static verdict judge_main(const graph *g, int c, bool writes, uint32_t covered) {
    if (!g->is_alive[c]) {
        return (verdict){OX_REPORT_DISPOSED, c};
    }
    return (verdict){has_conflict(g, c, writes, covered) ? OX_REPORT_JOB_HOLDS : OX_REPORT_NONE, c};
}

static void step_read(graph *g, int c) {
    verdict expected = judge_main(g, c, false, 0);
    note(g, "read C%d: ", c);
    expect_verdict(g, expected, read_box(g->boxes[c]), false, 0);
}

static void step_write(graph *g, int c) {
    verdict expected = judge_main(g, c, true, 0);
    note(g, "write C%d: ", c);
    expect_verdict(g, expected, write_box(g->boxes[c]), true, 0);
}

static void step_resize(graph *g, int c) {
    verdict expected = judge_main(g, c, true, 0);
    note(g, "resize C%d: ", c);
    expect_verdict(g, expected, resize_box(g->boxes[c]), true, 0);
    g->view_lives[c] &= expected.id != OX_REPORT_NONE;
}

static void step_view(graph *g, int c) {
    verdict expected = judge_main(g, c, false, 0);
    bool may_resize = false;
    for (int e = 0; e < g->entry_count; e++) {
        may_resize |= !g->entries[e].is_synced && g->entries[e].writes_all[c];
    }
    if (expected.id == OX_REPORT_JOB_HOLDS && !may_resize) {
        expected.id = OX_REPORT_NONE;
    }
    note(g, "view of C%d: ", c);
    ox_access view;
    bool is_done = ox_access_create_view(g->boxes[c].access, &view);
    expect_verdict(g, expected, is_done, false, 0);
    if (is_done) {
        g->views[c].access = view;
        g->view_lives[c] = true;
    }
}

static void step_view_use(graph *g, int c) {
    bool writes = pick(g, 2) == 0;
    verdict expected = judge_main(g, c, writes, 0);
    if (g->is_alive[c] && !g->view_lives[c]) {
        expected.id = OX_REPORT_VIEW_ENDED;
    }
    note(g, "%s the view of C%d: ", writes ? "write" : "read", c);
    bool is_done = writes ? write_box(g->views[c]) : read_box(g->views[c]);
    expect_verdict(g, expected, is_done, writes, 0);
}

static void step_dispose(graph *g, int c, int after) {
    uint32_t covered = after >= 0 ? g->entries[after].covers : 0;
    verdict expected = judge_main(g, c, true, covered);
    note(g, "dispose C%d after %d: ", c, after);
    ox_job wait = after >= 0 ? g->entries[after].handle : OX_NO_JOB;
    bool is_done = dispose_box_after(g->boxes[c], wait);
    expect_verdict(g, expected, is_done, true, covered);
    if (is_done) {
        forget_container(g, c);
    }
}

static void step_main(graph *g) {
    int c = pick(g, CONTAINERS);
    switch (pick(g, 10)) {
    case 0:
    case 1:
        step_read(g, c);
        break;
    case 2:
    case 3:
        step_write(g, c);
        break;
    case 4:
        step_resize(g, c);
        break;
    case 5:
        step_view(g, c);
        break;
    case 6:
        step_view_use(g, c);
        break;
    case 7:
        step_dispose(g, c, -1);
        break;
    case 8:
        step_dispose(g, c, pick_entry(g));
        break;
    default:
        if (!g->is_alive[c]) {
            step_create(g, c);
        }
        break;
    }
}

static void take_step(graph *g) {
    int chance = pick(g, 20);
    if (chance < 10) {
        step_schedule(g);
    } else if (chance < 12) {
        step_combine(g);
    } else if (chance < 14) {
        step_complete(g);
    } else if (chance == 14) {
        note(g, "kick\n");
        ox_jobs_kick();
    } else {
        step_main(g);
    }
}

static void expect_records(graph *g) {
    uint32_t kept = 0;
    for (int e = 0; e < g->entry_count; e++) {
        kept += g->entries[e].is_kept && !g->entries[e].is_synced;
    }
    if (ox_safety_get_usage().job_count != kept) {
        note(g, "records: %u, expected %u\n", ox_safety_get_usage().job_count, kept);
        fail_graph(g, "the number of records is not right");
    }
}

static void run_graph(graph *g) {
    for (int c = 0; c < CONTAINERS; c++) {
        step_create(g, c);
    }
    for (int k = 0; k < STEPS; k++) {
        take_step(g);
        expect_records(g);
    }
    for (int e = 0; e < g->entry_count; e++) {
        ox_complete(g->entries[e].handle);
        g->entries[e].is_synced = true;
    }
    if (atomic_load(&refused_in_jobs) != 0) {
        fail_graph(g, "a job was refused what it holds");
    }
    expect_records(g);
    for (int c = 0; c < CONTAINERS; c++) {
        if (g->is_alive[c]) {
            step_dispose(g, c, -1);
        }
    }
}

static void run_graphs(uint64_t seed, uint64_t count, int workers) {
    static graph g;
    seed = test_seed(seed);
    oxi_random random = oxi_random_seed(seed);
    start_workers_of_test(workers);
    ox_report_set_handler((ox_report_handler){hear_report, NULL});
    heard.count = 0;
    calls = refusals = 0;
    atomic_store(&refused_in_jobs, 0);
    for (uint64_t k = 0; k < count; k++) {
        // Not the types: their jobs are over, and nothing of them is read before it is written.
        g.random = random;
        g.entry_count = g.job_count = 0;
        g.log_length = 0;
        run_graph(&g);
        random = g.random;
    }
    ox_jobs_stop();
    expect_nothing_kept();
    printf("oracle: %llu graphs with seed %llu, %llu calls judged, %llu of them refused\n",
           (unsigned long long)count, (unsigned long long)seed, (unsigned long long)calls,
           (unsigned long long)refusals);
}

TEST_CHECKED(oracle, agrees_on_random_graphs) {
    run_graphs(24, test_scaled(100000 / SLOWNESS), 0);
}

TEST_CHECKED(oracle, agrees_on_random_graphs_beside_workers) {
    run_graphs(25, test_scaled(10000 / SLOWNESS), 2);
}

// What the oracle allows in the one order that is always right, every level allows.
TEST(oracle, chain_is_never_refused) {
    static graph g;
    g.random = oxi_random_seed(test_seed(26));
    start_workers_of_test(0);
    for (int c = 0; c < CONTAINERS; c++) {
        step_create(&g, c);
    }
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < MOST_JOBS; k++) {
        asked_job asked = {{pick(&g, CONTAINERS)}, {(field_form)pick(&g, RO + 1)}, 1, false};
        g.job_count = g.entry_count = k;
        Fields fields = fill_fields(&g, &asked);
        last = ox_schedule_at(list_accesses(&g, &asked), last, &fields, OX_HERE);
        EXPECT(last.value != 0);
    }
    ox_complete(last);
    for (int c = 0; c < CONTAINERS; c++) {
        EXPECT(dispose_box(g.boxes[c]));
    }
    ox_jobs_stop();
    expect_nothing_kept();
}
