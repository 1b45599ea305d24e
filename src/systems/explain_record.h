// SPDX-License-Identifier: MIT
//
// Recording a frame: what ran, what was scheduled, what waited for what.
//
// The recorder looks on while an update is on its way (`is_open`) and notes what it is told. What
// is only known later, when jobs ran, is filled in when somebody asks for the frame (`is_filled`).
//
// Invariants: waits stand in the order of their jobs, places of awaited jobs in the order of their
// syncs, so counts tell where those of each begin. `jobs` and `notes` have the same count, and so
// have `syncs` and `ranked`, `idle` and `idle_queries`. What finds no memory is left out, and
// counted in `dropped`.

#pragma once

#include "base/text.h"
#include "jobs/trace.h"
#include "oxbow/explain.h"
#include "systems/explain_handles.h"
#include "systems/systems.h"

/// What is kept of a job beside what users see.
typedef struct oxi_job_note {
    const ox_job_type *type;
    uint64_t chain_ns; ///< of the longest chain of jobs that ends with it
    int chain;         ///< the job before it in that chain, or -1
    int batch;         ///< of a job whose units were not known when it was scheduled, else 0
    int64_t indices;   ///< that it ran, if so
} oxi_job_note;

typedef OXI_LIST(ox_frame_wait) oxi_wait_list;

typedef struct oxi_recorder {
    oxi_systems *all;
    ox_site site; ///< where recording began, for reports
    oxi_world_watch watch;
    oxi_trace_listener listener;
    const oxi_trace_listener *outer; ///< of an update that this one is inside of, or NULL
    bool is_open;
    bool is_filled;
    ox_frame frame; ///< number 0: none yet
    uint64_t dropped;

    OXI_LIST(ox_frame_system) systems;
    OXI_LIST(int) places; ///< in `systems`, by item; -1: the group of all
    int current;          ///< place of the system whose update is on its way, or -1
    OXI_LIST(ox_frame_job) jobs;
    OXI_LIST(oxi_job_note) notes;
    OXI_LIST(ox_frame_idle) idle;
    OXI_LIST(uint64_t) idle_queries; ///< their numbers
    OXI_LIST(char) idle_whys;        ///< lines, each with a 0 at its end
    oxi_wait_list waits;
    OXI_LIST(ox_frame_sync) syncs;
    OXI_LIST(int) awaited; ///< places of jobs
    size_t awaited_first;  ///< where those of the next sync begin
    OXI_LIST(int) ranked;
    OXI_LIST(char) advice; ///< lines, each with a 0 at its end

    oxi_wait_list pending;     ///< of the handle that is being made up
    ox_job input;              ///< the handle that the present system was given
    oxi_wait_list input_waits; ///< and what that waits for
    oxi_frame_handles handles;
    oxi_frame_handles earlier; ///< of the frame before

    bool is_traced; ///< this frame listens to the trace: it may have jobs
    bool has_trace; ///< it began a trace, which may have been replaced since, at:
    uint64_t trace_start_ns;
    uint64_t trace_dropped; ///< by the trace in use, when the frame began
} oxi_recorder;

// What the frame calls, when there is a recorder.

void oxi_recorder_begin_frame(oxi_systems *all);
void oxi_recorder_end_frame(oxi_systems *all);
void oxi_recorder_begin_system(oxi_system *system);
void oxi_recorder_end_system(oxi_system *system);

/// The handle that the jobs of a system have to wait for was made up.
void oxi_recorder_input(oxi_system *system, ox_job after);

/// An update returned a handle.
void oxi_recorder_returned(oxi_system *system, ox_job returned);

/// Frees the recorder of a world, if it has one.
void oxi_recorder_destroy(oxi_systems *all);

// Its units.

/// True on the world's thread, outside of its updates; else reports.
bool oxi_recorder_enter(const ox_world *world, const char *function, ox_site site);

static inline const oxi_hooks *oxi_recorder_heap(const oxi_recorder *recorder) {
    return recorder->all->world->store.heap;
}

/// Lists the systems of a frame that begins, with what put each in its place.
void oxi_recorder_list_systems(oxi_recorder *recorder);

/// Notes what a system used and had not declared.
void oxi_recorder_note_learned(ox_frame_system *noted, const oxi_system *system);

/// Sets the functions of the watch and of the listener.
void oxi_recorder_set_watch(oxi_recorder *recorder);

/// Begins to listen to the trace, which begins unless one is on. Does nothing the second time in a
/// frame, and while there can be no jobs.
void oxi_recorder_begin_trace(oxi_recorder *recorder);

/// Ends the trace, if it is the recorder's own.
void oxi_recorder_end_trace(oxi_recorder *recorder);

/// Fills in what the trace knows of jobs.
void oxi_recorder_read_trace(oxi_recorder *recorder);

/// Notes a job that found no entity.
void oxi_recorder_add_idle(oxi_recorder *recorder, const ox_query *query, const ox_job_type *type,
                           ox_site site);

/// Says why each of these found none.
void oxi_recorder_explain_idle(oxi_recorder *recorder);

/// Ranks the syncs, and says what to do about each.
void oxi_recorder_rank_stalls(oxi_recorder *recorder);

/// The last frame, whole. Waits for the jobs of the world. @return NULL after a report, or when
/// there is none.
const ox_frame *oxi_recorder_fill(ox_world *world, const char *function, ox_site site);

// Writers of a frame. A text that could not be made has failed.

void oxi_explain_write_text(oxi_text *text, const ox_frame *frame, const char *world);
void oxi_explain_write_json(oxi_text *text, const ox_frame *frame, const char *world);
void oxi_explain_write_graph(oxi_text *text, const ox_frame *frame, const char *world);
