// SPDX-License-Identifier: MIT
//
// A trace as Chrome's trace-event JSON.
//
// Threads are tracks, events are complete events ("X") on them, and arrows are pairs of flow events
// ("s" and "f"). A flow event belongs to the event around its time, so an arrow leaves within the
// last nanosecond of one and arrives with the first of the other. Numbers of tracks begin at 1: to
// Perfetto, thread 0 is the idle thread of the system.
//
// The text goes to the file in pieces, so memory does not grow with it; only the table of jobs,
// which tells where arrows begin, does.

#include "oxbow/trace.h"

#include "base/json_writer.h"
#include "base/list.h"
#include "jobs/scheduler.h"
#include "jobs/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_SIZE = 32 * 1024, THREAD_NAME = 32 };

// One job: the run that began first, and the one that ended last. They differ when it is parallel.
typedef struct trace_job {
    uint64_t job;
    const ox_trace_event *first;
    const ox_trace_event *last;
} trace_job;

typedef struct chrome_writer {
    FILE *file;
    oxi_text text;
    oxi_json_writer json;
    OXI_LIST(trace_job) jobs; // in the order of handles
    uint64_t start_ns;
    uint64_t arrows;
    int error; // of the system, or 0
    bool is_out_of_memory;
} chrome_writer;

static int compare_trace_jobs(const void *a, const void *b) {
    uint64_t first = ((const trace_job *)a)->job, second = ((const trace_job *)b)->job;
    return (first > second) - (first < second);
}

static bool collect_jobs(chrome_writer *chrome) {
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        int count;
        const ox_trace_event *events = ox_trace_get_events(thread, &count);
        for (int k = 0; k < count; k++) {
            const ox_trace_event *event = &events[k];
            trace_job job = {event->job.value, event, event};
            if (event->kind == OX_TRACE_JOB && job.job != 0 && !oxi_list_push(&chrome->jobs, job)) {
                return false;
            }
        }
    }
    return true;
}

// Makes one entry of all that belong to the same job.
static void merge_jobs(chrome_writer *chrome) {
    trace_job *jobs = chrome->jobs.items;
    size_t kept = 0;
    for (size_t k = 0; k < chrome->jobs.count; k++) {
        if (kept == 0 || jobs[kept - 1].job != jobs[k].job) {
            jobs[kept++] = jobs[k];
            continue;
        }
        trace_job *same = &jobs[kept - 1];
        same->first = jobs[k].first->begin_ns < same->first->begin_ns ? jobs[k].first : same->first;
        same->last = jobs[k].last->end_ns > same->last->end_ns ? jobs[k].last : same->last;
    }
    chrome->jobs.count = kept;
}

// Call it when there are jobs. No job is found for OX_NO_JOB.
static const trace_job *find_trace_job(const chrome_writer *chrome, ox_job job) {
    trace_job key = {.job = job.value};
    return bsearch(&key, chrome->jobs.items, chrome->jobs.count, sizeof key, compare_trace_jobs);
}

// Hands the text to the file when there is enough of it. After an error nothing more is written.
static void write_piece(chrome_writer *chrome, size_t least) {
    oxi_text *text = &chrome->text;
    if (text->length < least) {
        return;
    }
    chrome->is_out_of_memory |= text->failed;
    errno = 0;
    if (chrome->error == 0 &&
        fwrite(oxi_text_get(text), 1, text->length, chrome->file) != text->length) {
        chrome->error = errno != 0 ? errno : EIO;
    }
    oxi_text_clear(text);
}

static void write_text(chrome_writer *chrome, const char *key, const char *value) {
    oxi_json_write_key(&chrome->json, key);
    oxi_json_write_string(&chrome->json, value);
}

static void write_number(chrome_writer *chrome, const char *key, int64_t value) {
    oxi_json_write_key(&chrome->json, key);
    oxi_json_write_int(&chrome->json, value);
}

// Microseconds, with the nanoseconds behind the point.
static void write_us(chrome_writer *chrome, const char *key, uint64_t ns) {
    oxi_json_write_key(&chrome->json, key);
    oxi_json_write_double(&chrome->json, (double)ns / 1000.0);
}

static uint64_t since_start(const chrome_writer *chrome, uint64_t ns) {
    return ns > chrome->start_ns ? ns - chrome->start_ns : 0;
}

static void begin_record(chrome_writer *chrome, const char *phase, const char *name, int thread) {
    oxi_json_begin_object(&chrome->json);
    write_text(chrome, "ph", phase);
    write_text(chrome, "name", name);
    write_number(chrome, "pid", 1);
    write_number(chrome, "tid", thread + 1);
}

static void end_record(chrome_writer *chrome) {
    oxi_json_end_object(&chrome->json);
    write_piece(chrome, PIECE_SIZE);
}

static void write_name(chrome_writer *chrome, const char *what, const char *name, int thread) {
    begin_record(chrome, "M", what, thread);
    oxi_json_write_key(&chrome->json, "args");
    oxi_json_begin_object(&chrome->json);
    write_text(chrome, "name", name);
    oxi_json_end_object(&chrome->json);
    end_record(chrome);
}

static void write_names(chrome_writer *chrome) {
    write_name(chrome, "process_name", "oxbow", 0);
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        char name[THREAD_NAME];
        oxi_trace_name_thread(thread, name, sizeof name);
        write_name(chrome, "thread_name", name, thread);
    }
}

static void write_handle(chrome_writer *chrome, const char *key, ox_job job, const char *name) {
    char text[THREAD_NAME];
    snprintf(text, sizeof text, "%u:%llu", (unsigned)oxi_job_index(job),
             (unsigned long long)oxi_job_version(job));
    oxi_json_write_key(&chrome->json, key);
    oxi_json_begin_object(&chrome->json);
    if (name != NULL) {
        write_text(chrome, "name", name);
    }
    write_text(chrome, "handle", text);
    oxi_json_end_object(&chrome->json);
}

static void write_job_details(chrome_writer *chrome, const ox_trace_event *event) {
    static const char *const causes[] = {"nothing", "dependency", "not kicked", "no free worker"};
    write_handle(chrome, "job", event->job, NULL);
    write_text(chrome, "scheduled_at", event->site);
    write_text(chrome, "held_by", causes[event->cause]);
    if (event->schedule_ns != 0) {
        write_us(chrome, "scheduled_us", since_start(chrome, event->schedule_ns));
        write_us(chrome, "kicked_us", since_start(chrome, event->kick_ns));
        write_us(chrome, "ready_us", since_start(chrome, event->ready_ns));
    }
    if (event->waited_for.value != 0) {
        const trace_job *before = find_trace_job(chrome, event->waited_for);
        write_handle(chrome, "waited_for", event->waited_for,
                     before != NULL ? before->last->name : NULL);
    }
}

static void write_event(chrome_writer *chrome, const ox_trace_event *event) {
    static const char *const kinds[] = {"job", "range", "park"};
    begin_record(chrome, "X", event->name, event->worker);
    write_text(chrome, "cat", kinds[event->kind]);
    write_us(chrome, "ts", since_start(chrome, event->begin_ns));
    write_us(chrome, "dur", event->end_ns - event->begin_ns);
    if (event->kind != OX_TRACE_SLEEP) {
        oxi_json_write_key(&chrome->json, "args");
        oxi_json_begin_object(&chrome->json);
        if (event->kind == OX_TRACE_RANGE) {
            write_number(chrome, "begin", event->begin);
            write_number(chrome, "end", event->end);
        } else {
            write_job_details(chrome, event);
        }
        oxi_json_end_object(&chrome->json);
    }
    end_record(chrome);
}

static void write_arrow_end(chrome_writer *chrome, const char *phase, int thread, uint64_t ns) {
    begin_record(chrome, phase, "dependency", thread);
    write_text(chrome, "cat", "dependency");
    oxi_json_write_key(&chrome->json, "id");
    oxi_json_write_uint(&chrome->json, chrome->arrows);
    write_us(chrome, "ts", since_start(chrome, ns));
    if (phase[0] == 'f') {
        write_text(chrome, "bp", "e"); // binds to the event around it, not to the next one
    }
    end_record(chrome);
}

static void write_arrows(chrome_writer *chrome) {
    for (size_t k = 0; k < chrome->jobs.count; k++) {
        const ox_trace_event *to = chrome->jobs.items[k].first;
        const trace_job *before = find_trace_job(chrome, to->waited_for);
        if (before != NULL) {
            const ox_trace_event *from = before->last;
            chrome->arrows++;
            write_arrow_end(chrome, "s", from->worker,
                            from->end_ns > from->begin_ns ? from->end_ns - 1 : from->end_ns);
            write_arrow_end(chrome, "f", to->worker, to->begin_ns);
        }
    }
}

static void write_trace(chrome_writer *chrome) {
    oxi_json_begin_object(&chrome->json);
    write_text(chrome, "displayTimeUnit", "ns");
    oxi_json_write_key(&chrome->json, "otherData");
    oxi_json_begin_object(&chrome->json);
    write_number(chrome, "dropped", (int64_t)ox_trace_get_dropped());
    oxi_json_end_object(&chrome->json);
    oxi_json_write_key(&chrome->json, "traceEvents");
    oxi_json_begin_array(&chrome->json);
    write_names(chrome);
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        int count;
        const ox_trace_event *events = ox_trace_get_events(thread, &count);
        for (int k = 0; k < count; k++) {
            write_event(chrome, &events[k]);
        }
    }
    write_arrows(chrome);
    oxi_json_end_array(&chrome->json);
    oxi_json_end_object(&chrome->json);
    oxi_text_append_char(&chrome->text, '\n');
    write_piece(chrome, 0);
}

// Opens, writes and closes the file. What went wrong is in the writer.
static void write_chrome_file(chrome_writer *chrome, const char *path) {
    errno = 0;
    chrome->file = fopen(path, "wb");
    if (chrome->file == NULL) {
        chrome->error = errno != 0 ? errno : EIO;
        return;
    }
    if (collect_jobs(chrome)) {
        if (chrome->jobs.count > 0) {
            qsort(chrome->jobs.items, chrome->jobs.count, sizeof(trace_job), compare_trace_jobs);
        }
        merge_jobs(chrome);
        write_trace(chrome);
    } else {
        chrome->is_out_of_memory = true;
    }
    if (fclose(chrome->file) != 0 && chrome->error == 0) {
        chrome->error = errno != 0 ? errno : EIO;
    }
}

bool ox_trace_write_chrome_at(const char *path, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(path, "ox_trace_write_chrome", site) ||
        (oxi_jobs.is_running && !oxi_jobs_enter("ox_trace_write_chrome", NULL, site))) {
        return false;
    }
    chrome_writer chrome = {.start_ns = ox_trace_get_start()};
    chrome.json = oxi_json_write_to(&chrome.text);
    write_chrome_file(&chrome, path);
    size_t bytes = chrome.text.capacity + chrome.jobs.capacity * sizeof(trace_job);
    oxi_text_free(&chrome.text);
    oxi_list_free(&chrome.jobs);
    if (chrome.error != 0) {
        return OXI_REPORT(NULL, OX_REPORT_TRACE_NOT_WRITTEN, site, OXI_NAME("path", path),
                          OXI_NAME("why", strerror(chrome.error)));
    }
    return OXI_REQUIRE(!chrome.is_out_of_memory, NULL, OX_REPORT_OUT_OF_MEMORY, site,
                       OXI_NUMBER("bytes", bytes), OXI_NAME("allocator", "the trace"));
}
