// SPDX-License-Identifier: MIT
//
// A frame as a graph for Graphviz: a box for each system, in it its jobs; an arrow from each job to
// those that wait for it, with what they share; a diamond where main waited. The critical path is
// bold.

#include "systems/explain_page.h"
#include "systems/explain_record.h"

// A text inside of quotes.
static void append_escaped(oxi_text *text, const char *piece) {
    for (; *piece != 0; piece++) {
        if (*piece == '"' || *piece == '\\') {
            oxi_text_append_char(text, '\\');
        }
        oxi_text_append_char(text, (unsigned char)*piece < ' ' ? ' ' : *piece);
    }
}

static void append_label(oxi_text *text, const char *name, ox_site site, uint64_t ns) {
    oxi_text_append(text, "label=\"");
    append_escaped(text, name);
    if (site != NULL) {
        oxi_text_append(text, "\\n");
        append_escaped(text, site);
    }
    oxi_text_append_format(text, "\\n%s\"", oxi_time_write(ns, 0).text);
}

static void graph_jobs_of(oxi_text *text, const ox_frame *frame, int system) {
    for (int k = 0; k < frame->job_count; k++) {
        const ox_frame_job *job = &frame->jobs[k];
        if (job->system == system) {
            oxi_text_append_format(text, "    j%d [", k);
            append_label(text, job->name, job->site, job->end_ns - job->begin_ns);
            oxi_text_append(text, job->is_critical ? ", style=bold];\n" : "];\n");
        }
    }
}

static void graph_syncs_of(oxi_text *text, const ox_frame *frame, int system) {
    for (int k = 0; k < frame->sync_count; k++) {
        const ox_frame_sync *sync = &frame->syncs[k];
        if (sync->system == system) {
            oxi_text_append_format(text, "    s%d [shape=diamond, ", k);
            append_label(text, "main waits", sync->sync.site, sync->sync.wait_ns);
            oxi_text_append(text, "];\n");
        }
    }
}

static bool has_nodes(const ox_frame *frame, int system) {
    bool has_any = false;
    for (int k = 0; k < frame->job_count && !has_any; k++) {
        has_any = frame->jobs[k].system == system;
    }
    for (int k = 0; k < frame->sync_count && !has_any; k++) {
        has_any = frame->syncs[k].system == system;
    }
    return has_any;
}

static void graph_system(oxi_text *text, const ox_frame *frame, int system) {
    oxi_text_append_format(text, "  subgraph cluster_%d {\n    label=\"", system);
    append_escaped(text, frame->systems[system].name);
    oxi_text_append(text, "\";\n");
    graph_jobs_of(text, frame, system);
    graph_syncs_of(text, frame, system);
    oxi_text_append(text, "  }\n");
}

// Arrows.

static bool is_first_wait_for(const ox_frame_job *job, int at) {
    int k = 0;
    while (job->waits[k].before != job->waits[at].before) {
        k++;
    }
    return k == at;
}

// All reasons that a job has to wait for another, on one arrow.
static void graph_wait(oxi_text *text, const ox_frame *frame, int place, int at) {
    const ox_frame_job *job = &frame->jobs[place];
    int before = job->waits[at].before;
    oxi_text_append_format(text, "  j%d -> j%d [label=\"", before, place);
    for (int k = at; k < job->wait_count; k++) {
        const ox_frame_wait *wait = &job->waits[k];
        if (wait->before == before) {
            oxi_text_append(text, k > at ? "\\n" : "");
            append_escaped(text, wait->component != NULL ? wait->component : "handle");
        }
    }
    bool is_critical = job->is_critical && frame->jobs[before].is_critical;
    oxi_text_append(text, is_critical ? "\", style=bold];\n" : "\"];\n");
}

static void graph_waits(oxi_text *text, const ox_frame *frame) {
    for (int place = 0; place < frame->job_count; place++) {
        const ox_frame_job *job = &frame->jobs[place];
        for (int k = 0; k < job->wait_count; k++) {
            if (job->waits[k].before >= 0 && is_first_wait_for(job, k)) {
                graph_wait(text, frame, place, k);
            }
        }
    }
}

static void graph_awaited(oxi_text *text, const ox_frame *frame) {
    for (int place = 0; place < frame->sync_count; place++) {
        const ox_frame_sync *sync = &frame->syncs[place];
        uint32_t component = sync->sync.component;
        for (int k = 0; k < sync->job_count; k++) {
            oxi_text_append_format(text, "  j%d -> s%d [style=dashed, label=\"", sync->jobs[k],
                                   place);
            append_escaped(text,
                           component != 0 ? ox_component_get_info(component)->name : "structure");
            oxi_text_append(text, "\"];\n");
        }
    }
}

void oxi_explain_write_graph(oxi_text *text, const ox_frame *frame, const char *world) {
    oxi_text_append_format(text, "digraph frame_%llu {\n  label=\"",
                           (unsigned long long)frame->number);
    append_escaped(text, world);
    oxi_text_append(text, "\";\n  rankdir=LR;\n  node [shape=box];\n");
    for (int k = 0; k < frame->system_count; k++) {
        if (has_nodes(frame, k)) {
            graph_system(text, frame, k);
        }
    }
    graph_jobs_of(text, frame, -1);
    graph_syncs_of(text, frame, -1);
    graph_waits(text, frame);
    graph_awaited(text, frame);
    oxi_text_append(text, "}\n");
}
