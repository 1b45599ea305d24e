// SPDX-License-Identifier: MIT
//
// Recording.
//
// Each runner has a log of events that it alone adds to; `count` says how many are whole. A full
// log takes no more, so an event never changes once it is counted, and main may read at any time.
// Next to the logs there is a record for each slot of a job, with what happened before the job ran;
// it exists while recording is on.
//
// Recording may end while jobs run. A runner marks its log as busy and then looks at the switch;
// main turns the switch off and then waits until no log is busy. Both words are seq_cst on both
// sides, so one of the two sees the other: afterwards logs and records are main's alone.
//
// Invariant: while the switch is off and no log is busy, no runner touches logs or records.

#include "oxbow/trace.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/text.h"
#include "jobs/scheduler.h"
#include "jobs/trace.h"

#include <string.h>

enum { FIRST_RECORDS = 1024, TRACE_NAME = 16 };

// What is known of the job in a slot. Main writes `job`, `schedule_ns` and `kick_ns`, the runner
// that ends the last predecessor the others. Relaxed: these are times, and who runs a job has
// acquired what made it ready.
typedef struct trace_record {
    oxi_atomic_u64 job; // whose record it is
    oxi_atomic_u64 schedule_ns;
    oxi_atomic_u64 kick_ns;
    oxi_atomic_u64 ready_ns;
    oxi_atomic_u64 waited_for; // a handle; of a combination, the job behind it
} trace_record;

typedef struct trace_log {
    _Alignas(64) oxi_atomic_u32 is_busy; // its runner may be writing
    oxi_atomic_u32 count;
    oxi_atomic_u64 dropped;
    ox_trace_event *events;
    ox_job finished;   // whose dependents its runner makes ready
    uint64_t since_ns; // when its runner went to sleep; 0 when it is awake, or slept before
} trace_log;

static struct {
    trace_log logs[OXI_MAX_RUNNERS];
    int thread_count;
    int worker_count;
    uint32_t capacity; // of each log
    uint64_t start_ns;
    oxi_region region;
    trace_record *records;
    oxi_atomic_u32 record_count; // those that have memory
    char name[TRACE_NAME];       // the beginning of the threads' names
    const oxi_trace_listener *listener;
} trace;

struct oxi_trace_switch oxi_trace_switch;

// The log of this runner, or NULL when recording has ended. Every log is to be left.
static trace_log *enter_log(void) {
    trace_log *log = &trace.logs[oxi_this_runner->index];
    oxi_store_seq(&log->is_busy, 1);
    if (oxi_load_seq(&oxi_trace_switch.is_on) != 0) {
        return log;
    }
    oxi_store_seq(&log->is_busy, 0);
    return NULL;
}

static void leave_log(trace_log *log) {
    oxi_store_seq(&log->is_busy, 0);
}

// Call these between entering and leaving a log, or as main.

static void add_event(trace_log *log, const ox_trace_event *event) {
    uint32_t count = oxi_load_relaxed(&log->count);
    if (count == trace.capacity) {
        oxi_store_relaxed(&log->dropped, oxi_load_relaxed(&log->dropped) + 1);
        return;
    }
    log->events[count] = *event;
    log->events[count].worker = (int)(log - trace.logs);
    // release: who reads the count reads the event.
    oxi_store_release(&log->count, count + 1);
}

static trace_record *find_record(ox_job job) {
    // acquire: pairs with the release in make_record, which gave it memory.
    if (job.value == 0 || oxi_job_index(job) >= oxi_load_acquire(&trace.record_count)) {
        return NULL;
    }
    trace_record *record = &trace.records[oxi_job_index(job)];
    return oxi_load_relaxed(&record->job) == job.value ? record : NULL;
}

static trace_record *make_record(ox_job job) {
    uint32_t index = oxi_job_index(job);
    if (index >= oxi_load_relaxed(&trace.record_count)) {
        if (!oxi_region_grow(&trace.region, ((size_t)index + 1) * sizeof(trace_record))) {
            return NULL; // its events will say that nothing is known
        }
        size_t count = trace.region.committed / sizeof(trace_record);
        oxi_store_release(&trace.record_count,
                          (uint32_t)(count < OXI_JOB_SLOTS ? count : OXI_JOB_SLOTS));
    }
    return &trace.records[index];
}

// The job in a slot, by the version that stands there until it ends.
static ox_job find_job_in(const oxi_slot *slot) {
    uint64_t version = oxi_load_relaxed(&slot->state) >> OXI_INDEX_BITS;
    return (ox_job){version << OXI_INDEX_BITS | (uint64_t)(slot - oxi_jobs.slots)};
}

// The same, or none when the job was not scheduled but run in place: its word is an older one.
static ox_job find_scheduled_job(const oxi_slot *slot) {
    ox_job job = find_job_in(slot);
    uint64_t version = oxi_load_relaxed(&slot->word) >> OXI_FLAG_BITS;
    return version == oxi_job_version(job) ? job : OX_NO_JOB;
}

// A job that runs, for a handle: for a combination the last of its jobs.
static ox_job find_behind(ox_job job, bool combines) {
    const trace_record *record = combines ? find_record(job) : NULL;
    return record != NULL ? (ox_job){oxi_load_relaxed(&record->waited_for)} : job;
}

// Of a job that has a record.
static ox_trace_cause find_cause(const ox_trace_event *event) {
    bool depends = event->ready_ns > event->kick_ns;
    uint64_t later = depends ? event->ready_ns : event->kick_ns;
    uint64_t held = later - (depends ? event->kick_ns : event->ready_ns);
    uint64_t queued = event->begin_ns > later ? event->begin_ns - later : 0;
    if (queued > held && queued >= OX_TRACE_SHORTEST_NS) {
        return OX_TRACE_NO_FREE_WORKER;
    }
    if (depends) {
        return OX_TRACE_DEPENDENCY;
    }
    return held >= OX_TRACE_SHORTEST_NS ? OX_TRACE_NOT_KICKED : OX_TRACE_NOTHING;
}

static void add_run_event(oxi_trace_mark mark, const oxi_slot *slot, ox_trace_event *event) {
    event->end_ns = oxi_clock_now();
    trace_log *log = enter_log();
    if (log == NULL) {
        return;
    }
    event->begin_ns = mark.begin_ns;
    event->name = slot->type->type.name;
    event->site = slot->site;
    event->job = find_scheduled_job(slot);
    const trace_record *record = find_record(event->job);
    if (record != NULL) {
        event->waited_for.value = oxi_load_relaxed(&record->waited_for);
        event->schedule_ns = oxi_load_relaxed(&record->schedule_ns);
        event->kick_ns = oxi_load_relaxed(&record->kick_ns);
        event->ready_ns = oxi_load_relaxed(&record->ready_ns);
        event->cause = event->kind == OX_TRACE_JOB ? find_cause(event) : OX_TRACE_NOTHING;
    }
    if (mark.begin_ns >= trace.start_ns) { // else it began under an earlier trace
        add_event(log, event);
    }
    leave_log(log);
}

void oxi_trace_add_run(oxi_trace_mark mark, const oxi_slot *slot) {
    ox_trace_event event = {.kind = OX_TRACE_JOB};
    add_run_event(mark, slot, &event);
}

void oxi_trace_add_range(oxi_trace_mark mark, const oxi_slot *slot, uint32_t begin, uint32_t end) {
    ox_trace_event event = {.kind = OX_TRACE_RANGE, .begin = (int)begin, .end = (int)end};
    add_run_event(mark, slot, &event);
}

static void add_park_event(trace_log *log, uint64_t end_ns) {
    // Who was asleep when recording began has slept since then, as far as the trace goes.
    uint64_t begin_ns = log->since_ns != 0 ? log->since_ns : trace.start_ns;
    ox_trace_event event = {
        .kind = OX_TRACE_SLEEP, .name = "park", .begin_ns = begin_ns, .end_ns = end_ns};
    add_event(log, &event);
    log->since_ns = 0;
}

void oxi_trace_add_park(bool begins) {
    uint64_t now = oxi_clock_now();
    trace_log *log = enter_log();
    if (log == NULL) {
        return;
    }
    if (begins) {
        log->since_ns = now;
    } else {
        add_park_event(log, now);
    }
    leave_log(log);
}

void oxi_trace_add_scheduled(const oxi_slot *slot, const ox_job *after, uint32_t count) {
    ox_job job = find_job_in(slot);
    if (slot->type == NULL && trace.listener != NULL) {
        trace.listener->combined(trace.listener->context, job, after, count);
    }
    trace_record *record = make_record(job);
    if (record == NULL) {
        return;
    }
    // If all of them are done, this is how it stays. Only main writes a slot's type.
    ox_job last = after[count - 1];
    bool is_slot = oxi_job_index(last) < oxi_load_relaxed(&oxi_jobs.slot_count);
    uint64_t now = oxi_clock_now();
    bool combines = is_slot && oxi_slot_of(last)->type == NULL;
    oxi_store_relaxed(&record->waited_for, find_behind(last, combines).value);
    oxi_store_relaxed(&record->schedule_ns, now);
    oxi_store_relaxed(&record->kick_ns, 0);
    oxi_store_relaxed(&record->ready_ns, now);
    oxi_store_relaxed(&record->job, job.value);
}

// Batches of a job that is not kicked yet; none are known of one that takes its count later.
static int count_batches(const oxi_slot *slot) {
    const oxi_loop *loop = oxi_load_relaxed(&slot->loop);
    if (loop == NULL) {
        return 1;
    }
    return loop->count > 0 ? (int)((loop->count - 1) / loop->batch + 1) : 0;
}

static int find_batch(const oxi_slot *slot) {
    const oxi_loop *loop = oxi_load_relaxed(&slot->loop);
    return loop != NULL ? (int)loop->batch : 1;
}

void oxi_trace_add_admitted(const oxi_slot *slot, bool in_background) {
    if (trace.listener != NULL) {
        oxi_trace_told told = {
            .job = find_job_in(slot),
            .type = slot->type,
            .after = slot->after,
            .site = slot->site,
            .units = count_batches(slot),
            .batch = find_batch(slot),
            .in_background = in_background,
        };
        trace.listener->scheduled(trace.listener->context, &told);
    }
}

void oxi_trace_add_kicked(const oxi_slot *slot) {
    trace_record *record = find_record(find_job_in(slot));
    if (record != NULL) {
        oxi_store_relaxed(&record->kick_ns, oxi_clock_now());
    }
}

void oxi_trace_add_finished(const oxi_slot *slot, uint64_t version) {
    trace_log *log = enter_log();
    if (log != NULL) {
        ox_job job = {version << OXI_INDEX_BITS | (uint64_t)(slot - oxi_jobs.slots)};
        log->finished = find_behind(job, slot->type == NULL);
        leave_log(log);
    }
}

void oxi_trace_add_ready(const oxi_slot *slot) {
    uint64_t now = oxi_clock_now();
    trace_log *log = enter_log();
    if (log == NULL) {
        return;
    }
    trace_record *record = find_record(find_job_in(slot));
    if (record != NULL) {
        oxi_store_relaxed(&record->ready_ns, now);
        oxi_store_relaxed(&record->waited_for, log->finished.value);
    }
    leave_log(log);
}

// Main's side.

const oxi_trace_listener *oxi_trace_set_listener(const oxi_trace_listener *listener) {
    const oxi_trace_listener *before = trace.listener;
    trace.listener = listener;
    return before;
}

// Reading a trace needs no job system, and does not start it.
static bool enter_trace(const char *function, ox_site site) {
    return !oxi_jobs.is_running || oxi_jobs_enter(function, NULL, site);
}

void oxi_trace_stop(void) {
    oxi_store_seq(&oxi_trace_switch.is_on, 0);
    uint64_t now = oxi_clock_now();
    for (int k = 0; k < trace.thread_count; k++) {
        trace_log *log = &trace.logs[k];
        while (oxi_load_seq(&log->is_busy) != 0) {
            oxi_thread_yield();
        }
        if (log->since_ns != 0) {
            add_park_event(log, now > log->since_ns ? now : log->since_ns);
        }
    }
    oxi_store_relaxed(&trace.record_count, 0);
    oxi_region_destroy(&trace.region);
}

static size_t find_log_size(void) {
    return (size_t)trace.capacity * sizeof(ox_trace_event);
}

static void destroy_logs(void) {
    for (int k = 0; k < trace.thread_count; k++) {
        trace_log *log = &trace.logs[k];
        oxi_heap_free(log->events, find_log_size(), _Alignof(ox_trace_event));
        log->events = NULL;
        oxi_store_relaxed(&log->count, 0);
        oxi_store_relaxed(&log->dropped, 0);
        log->finished = OX_NO_JOB;
        log->since_ns = 0;
    }
    trace.thread_count = 0;
}

static bool create_logs(uint32_t capacity) {
    trace.capacity = capacity;
    trace.worker_count = (int)oxi_jobs.worker_count;
    trace.thread_count = (int)oxi_jobs.runner_count;
    oxi_text_copy(trace.name, sizeof trace.name, oxi_jobs.def.thread_name);
    bool ok = true;
    for (int k = 0; k < trace.thread_count; k++) {
        trace_log *log = &trace.logs[k];
        log->events = ok ? oxi_heap_alloc(find_log_size(), _Alignof(ox_trace_event)) : NULL;
        ok = log->events != NULL;
    }
    size_t size = (size_t)OXI_JOB_SLOTS * sizeof(trace_record);
    ok = ok && oxi_region_create(&trace.region, size, FIRST_RECORDS * sizeof(trace_record));
    trace.records = (trace_record *)(void *)trace.region.base;
    if (!ok) {
        destroy_logs();
    }
    return ok;
}

bool ox_trace_begin_at(int events_per_thread, ox_site site) {
    if (!oxi_jobs_enter("ox_trace_begin", NULL, site) ||
        !OXI_REQUIRE(events_per_thread >= 0, NULL, OX_REPORT_BAD_RANGE, site,
                     OXI_NAME("job", "ox_trace_begin"), OXI_INTEGER("count", events_per_thread),
                     OXI_INTEGER("batch", 1))) {
        return false;
    }
    oxi_trace_stop();
    destroy_logs();
    if (!create_logs(events_per_thread == 0 ? OX_TRACE_DEFAULT_EVENTS
                                            : (uint32_t)events_per_thread)) {
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", find_log_size()),
                          OXI_NAME("allocator", "the trace"));
    }
    trace.start_ns = oxi_clock_now();
    oxi_store_seq(&oxi_trace_switch.is_on, 1);
    return true;
}

void ox_trace_end_at(ox_site site) {
    if (enter_trace("ox_trace_end", site)) {
        oxi_trace_stop();
    }
}

void ox_trace_clear_at(ox_site site) {
    if (enter_trace("ox_trace_clear", site)) {
        oxi_trace_stop();
        destroy_logs();
    }
}

bool ox_trace_is_recording(void) {
    return oxi_load_relaxed(&oxi_trace_switch.is_on) != 0;
}

uint64_t ox_trace_get_start(void) {
    return trace.thread_count > 0 ? trace.start_ns : 0;
}

uint64_t ox_trace_get_dropped(void) {
    uint64_t dropped = 0;
    for (int k = 0; k < OXI_MAX_RUNNERS; k++) {
        dropped += oxi_load_relaxed(&trace.logs[k].dropped);
    }
    return dropped;
}

int ox_trace_get_thread_count(void) {
    return trace.thread_count;
}

const ox_trace_event *ox_trace_get_events_at(int thread, int *count, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(count, "ox_trace_get_events", site)) {
        return NULL;
    }
    *count = 0;
    if (!enter_trace("ox_trace_get_events", site) || thread < 0 || thread >= trace.thread_count) {
        return NULL;
    }
    // acquire: pairs with the release in add_event.
    *count = (int)oxi_load_acquire(&trace.logs[thread].count);
    return *count > 0 ? trace.logs[thread].events : NULL;
}

void oxi_trace_name_thread(int thread, char *name, size_t size) {
    if (thread == 0) {
        oxi_text_copy(name, size, "main");
    } else if (thread <= trace.worker_count) {
        oxi_text_print(name, size, "%s-%d", trace.name, thread);
    } else {
        oxi_text_print(name, size, "%s-bg%d", trace.name, thread - trace.worker_count - 1);
    }
}
