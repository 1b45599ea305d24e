// SPDX-License-Identifier: MIT
//
// Committing a window. Nothing here can fail: all memory was reserved.
//
// Invariant: until ids are taken and freed again, every record says where its entity is, so that
// rows which are moved by others on the way take their records along.

#include "commands/playback.h"

#include "storage/buffers.h"
#include "storage/chunk_list.h"
#include "storage/removal.h"
#include "storage/shared_values.h"

enum {
    ROWS_FOR_JOBS = 8192, // fewer are filled sooner than workers wake
    RUNS_OF_BATCH = 4,
};

#define MARKED_PLACE (UINT32_C(1) << OXI_MARK_BIT)

static void remove_ended(oxi_playback *playback) {
    oxi_store *store = &playback->world->store;
    for (size_t k = 0; k < playback->touched.count; k++) {
        const oxi_touched *touched = &playback->touched.items[k];
        if (touched->to != NULL || touched->from == NULL) {
            continue;
        }
        const oxi_record *record = &store->entities.records[touched->entity.index];
        oxi_row_place place = {record->chunk, record->row};
        oxi_archetype *archetype = oxi_archetype_of(place.chunk);
        if (store->names.count > 0) {
            oxi_name_forget(&store->names, touched->entity);
        }
        oxi_rows_free_buffers(archetype, (oxi_rows){place.chunk, place.row, 1});
        oxi_note_change(store, archetype);
        oxi_row_remove(store, place);
    }
}

// Gives each that needs one a row, in the order of touching.
static void place_rows(oxi_playback *playback) {
    oxi_store *store = &playback->world->store;
    for (uint32_t k = 0; k < playback->touched.count; k++) {
        oxi_touched *touched = &playback->touched.items[k];
        if (touched->lane == 0) {
            continue;
        }
        oxi_target_lane *lane = &playback->lanes.items[touched->lane - 1];
        if (lane->open.count == 0) {
            lane->open =
                oxi_rows_place(store, lane->archetype, lane->lane, lane->count - lane->done);
            playback->runs.items[playback->runs.count++] =
                (oxi_target_run){touched->lane - 1, lane->first + lane->done, lane->open};
        }
        touched->target = (oxi_row_place){lane->open.chunk, lane->open.first++};
        lane->open.count--;
        playback->placed.items[lane->first + lane->done++] = k;
    }
}

static void repeat_ids(oxi_playback *playback) {
    oxi_entity_table *table = &playback->world->store.entities;
    for (size_t k = 0; k < playback->ids.count; k++) {
        const oxi_id_event *event = &playback->ids.items[k];
        const oxi_touched *touched = &playback->touched.items[event->touched];
        if (event->kind == OXI_ID_FREED) {
            oxi_entity_free(table, touched->entity.index);
        } else if (event->kind != OXI_ID_KEPT) {
            ox_entity taken = oxi_entity_take(table, touched->target.chunk, touched->target.row);
            OXI_ASSERT(taken.index == touched->entity.index &&
                       taken.version == touched->entity.version);
            (void)taken;
        }
    }
}

// Filling.

// Rows in chunks that had none before come first, by jobs: nobody moves out of such a chunk, so
// what they read is written by nobody. Switches and versions of the other chunks are read and
// written, so those follow one after the other.
static bool is_first_of_chunk(const oxi_target_run *run) {
    return run->rows.first == 0;
}

OX_PARALLEL_JOB(PlaybackRows, { OX_NO_SAFETY const oxi_playback *playback; }) {
    const oxi_target_run *run = &job->playback->runs.items[i];
    if (is_first_of_chunk(run)) {
        oxi_run_fill(job->playback, run);
    }
}

static void fill_some_runs(const oxi_playback *playback, bool is_first) {
    for (size_t k = 0; k < playback->runs.count; k++) {
        if (is_first_of_chunk(&playback->runs.items[k]) == is_first) {
            oxi_run_fill(playback, &playback->runs.items[k]);
        }
    }
}

static void fill_runs(oxi_playback *playback, ox_site site) {
    size_t count = playback->runs.count;
    ox_job job = ox_none;
    bool is_main = oxi_this_runner != NULL && oxi_this_runner->index == 0 &&
                   !oxi_this_runner->is_inside && oxi_this_run.order == 0;
    if (is_main && playback->placed.count >= ROWS_FOR_JOBS) {
        PlaybackRows data = {playback};
        job = ox_parallel_job_schedule_at(&oxi_job_PlaybackRows, &data, (int)count, RUNS_OF_BATCH,
                                          ox_none, site);
    }
    if (job.value != 0) {
        playback->state->info.jobs++;
        ox_jobs_complete_at(&job, 1, site);
    } else {
        fill_some_runs(playback, true);
    }
    fill_some_runs(playback, false);
}

// Leaving.

// The record of one that moved says so, and the row that it left is removed.
static void leave_row(oxi_playback *playback, const oxi_touched *touched, oxi_row_place from) {
    oxi_store *store = &playback->world->store;
    oxi_record *record = &store->entities.records[touched->entity.index];
    oxi_edge_free_buffers(store, touched->edge, (oxi_rows){from.chunk, from.row, 1});
    record->chunk = touched->target.chunk;
    record->row = touched->target.row;
    oxi_note_change(store, oxi_archetype_of(from.chunk));
    oxi_row_remove(store, from);
}

static bool swaps_any(const oxi_playback *playback) {
    bool swaps = false;
    for (size_t k = 0; k < playback->lanes.count; k++) {
        swaps = swaps || playback->lanes.items[k].archetype->swaps;
    }
    return swaps;
}

// The same where the last row takes the place of the one that is removed. It may be the old or the
// new row of one that has not left yet: the record of such a one is marked, and both of its rows
// are kept with the touched.
static void leave_swapped_row(oxi_playback *playback, const oxi_touched *touched) {
    oxi_record *records = playback->world->store.entities.records;
    oxi_row_place from = touched->place;
    uint32_t last = oxi_chunk_entry_of(from.chunk)->count - 1u;
    ox_entity swapped = oxi_chunk_entities(from.chunk)[last];
    bool is_swapped = oxi_archetype_of(from.chunk)->swaps && last != from.row &&
                      oxi_record_is_marked(&records[swapped.index]);
    oxi_record record = records[swapped.index];
    leave_row(playback, touched, from);
    if (is_swapped) {
        oxi_touched *other = &playback->touched.items[record.row & ~MARKED_PLACE];
        bool is_old = other->place.chunk == from.chunk;
        *(is_old ? &other->place.row : &other->target.row) = from.row;
        records[swapped.index] = record;
    }
}

static void leave_swapped_rows(oxi_playback *playback) {
    for (uint32_t k = 0; k < playback->touched.count; k++) {
        oxi_touched *touched = &playback->touched.items[k];
        if (touched->edge != NULL) {
            oxi_record *record = &playback->world->store.entities.records[touched->entity.index];
            touched->place = (oxi_row_place){record->chunk, record->row};
            record->row = MARKED_PLACE | k;
        }
    }
    for (size_t k = 0; k < playback->touched.count; k++) {
        if (playback->touched.items[k].edge != NULL) {
            leave_swapped_row(playback, &playback->touched.items[k]);
        }
    }
}

static void leave_rows_behind(oxi_playback *playback) {
    if (swaps_any(playback)) {
        leave_swapped_rows(playback);
        return;
    }
    for (size_t k = 0; k < playback->touched.count; k++) {
        const oxi_touched *touched = &playback->touched.items[k];
        if (touched->edge != NULL) {
            const oxi_record *record =
                &playback->world->store.entities.records[touched->entity.index];
            leave_row(playback, touched, (oxi_row_place){record->chunk, record->row});
        }
    }
}

static void change_in_place(oxi_playback *playback) {
    const oxi_record *records = playback->world->store.entities.records;
    for (size_t k = 0; k < playback->touched.count; k++) {
        const oxi_touched *touched = &playback->touched.items[k];
        if (touched->lane == 0 && touched->to != NULL) {
            const oxi_record *record = &records[touched->entity.index];
            oxi_row_place place = {record->chunk, record->row};
            oxi_blocks_use(playback, touched, place);
            oxi_ops_apply(playback, touched, place);
        }
    }
}

static void leave_target_lanes(oxi_playback *playback) {
    oxi_store *store = &playback->world->store;
    for (size_t k = 0; k < playback->lanes.count; k++) {
        oxi_target_lane *lane = &playback->lanes.items[k];
        oxi_note_change(store, lane->archetype);
        oxi_chunks_release(store, lane->archetype);
        oxi_lane_leave(store, lane->archetype, lane->lane);
    }
    while (playback->choices.count > 0) {
        oxi_shared_cancel(store, oxi_list_pop(&playback->choices));
    }
}

void oxi_window_commit(oxi_playback *playback, ox_site site) {
    remove_ended(playback);
    place_rows(playback);
    repeat_ids(playback);
    fill_runs(playback, site);
    leave_rows_behind(playback);
    change_in_place(playback);
    leave_target_lanes(playback);
    ox_commands_info *info = &playback->state->info;
    info->moved += playback->placed.count;
    info->copies += playback->runs.count;
    info->windows++;
}
