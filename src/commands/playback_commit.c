// SPDX-License-Identifier: MIT
//
// Committing a window. Nothing here can fail: all memory was reserved.
//
// Invariant: the record of every entity that was there and does not end says where it is, so that
// rows which are moved by others on the way take their records along.

#include "commands/playback.h"

#include "storage/chunk_list.h"
#include "storage/kind_rows.h"
#include "storage/removal.h"
#include "storage/shared_values.h"

enum {
    ROWS_FOR_JOBS = 8192, // fewer are filled sooner than workers wake
    RUNS_OF_BATCH = 4,
};

// Rows that go, gathered while they are neighbours; one by one where the order of removals counts.
static void flush_removed(oxi_playback *playback, oxi_rows *run) {
    if (run->count > 0) {
        oxi_note_change(&playback->world->store, oxi_archetype_of(run->chunk));
        oxi_rows_remove(&playback->world->store, *run);
        run->count = 0;
    }
}

static inline void gather_removed(oxi_playback *playback, oxi_rows *run, oxi_row_place place) {
    if (run->count > 0 && place.chunk == run->chunk && place.row == run->first + run->count &&
        !playback->world->store.swaps) {
        run->count++;
        return;
    }
    flush_removed(playback, run);
    *run = (oxi_rows){place.chunk, place.row, 1};
    if (playback->world->store.swaps) {
        flush_removed(playback, run);
    }
}

static void remove_ended(oxi_playback *playback) {
    oxi_store *store = &playback->world->store;
    oxi_rows run = {0};
    for (size_t k = 0; k < playback->touched.count; k++) {
        const oxi_touched *touched = &playback->touched.items[k];
        if (touched->to != NULL || (touched->flags & OXI_TOUCH_NEW) != 0) {
            continue;
        }
        if (store->names.count > 0) {
            oxi_name_forget(&store->names, touched->entity);
        }
        oxi_row_place place = touched->place;
        OXI_ASSERT(place.row < oxi_chunk_entry_of(place.chunk)->count);
        OXI_ASSERT(oxi_chunk_entities(place.chunk)[place.row].index == touched->entity.index);
        oxi_archetype *archetype = oxi_archetype_of(place.chunk);
        oxi_rows_drop(archetype, (oxi_rows){place.chunk, place.row, 1});
        gather_removed(playback, &run, place);
    }
    flush_removed(playback, &run);
}

// Gives each that needs one a row, in the order of touching.
static void place_rows(oxi_playback *playback) {
    oxi_store *store = &playback->world->store;
    for (uint32_t k = 0; k < playback->touched.count; k++) {
        oxi_touched *touched = &playback->touched.items[k];
        uint32_t way = touched->to != NULL ? oxi_touched_way(playback, touched) : 0;
        if (way == 0) {
            continue;
        }
        OXI_ASSERT(way <= playback->ways.count);
        uint32_t number = playback->ways.items[way - 1].lane;
        OXI_ASSERT(number < playback->lanes.count);
        oxi_target_lane *lane = &playback->lanes.items[number];
        OXI_ASSERT(lane->done < lane->count);
        if (lane->open.count == 0) {
            OXI_ASSERT(playback->runs.count < playback->runs.capacity);
            lane->open =
                oxi_rows_place(store, lane->archetype, lane->lane, lane->count - lane->done);
            playback->runs.items[playback->runs.count++] =
                (oxi_target_run){number, lane->first + lane->done, lane->open};
        }
        touched->place = (oxi_row_place){lane->open.chunk, lane->open.first++};
        lane->open.count--;
        OXI_ASSERT(lane->first + lane->done < playback->placed.count);
        playback->placed.items[lane->first + lane->done++] = k;
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
    ox_job job = OX_NO_JOB;
    bool is_main = oxi_this_runner != NULL && oxi_this_runner->index == 0 &&
                   !oxi_this_runner->is_inside && oxi_this_run.order == 0;
    if (is_main && playback->placed.count >= ROWS_FOR_JOBS) {
        PlaybackRows data = {playback};
        job = ox_schedule_for_at(&oxi_job_PlaybackRows, (int)playback->runs.count, RUNS_OF_BATCH,
                                 OX_NO_JOB, &data, site);
    }
    if (job.value != 0) {
        playback->state->info.jobs++;
        ox_complete_at(&job, 1, site);
    } else {
        fill_some_runs(playback, true);
    }
    fill_some_runs(playback, false);
}

// Leaving.

// Whether an entity leaves a row behind, and by which way.
static const oxi_edge *find_left_edge(const oxi_playback *playback, const oxi_touched *touched) {
    if (touched->to == NULL || (touched->flags & OXI_TOUCH_NEW) != 0) {
        return NULL;
    }
    uint32_t way = oxi_touched_way(playback, touched);
    return way != 0 ? playback->ways.items[way - 1].edge : NULL;
}

// Records of those that moved say so, and the rows that they left are removed.
static void leave_rows_behind(oxi_playback *playback) {
    oxi_record *records = playback->world->store.entities.records;
    oxi_rows run = {0};
    for (size_t k = 0; k < playback->touched.count; k++) {
        const oxi_touched *touched = &playback->touched.items[k];
        const oxi_edge *edge = find_left_edge(playback, touched);
        if (edge == NULL) {
            continue;
        }
        oxi_record *record = &records[touched->entity.index];
        oxi_row_place from = {record->chunk, record->row};
        OXI_ASSERT(record->version == touched->entity.version);
        OXI_ASSERT(oxi_chunk_entities(from.chunk)[from.row].index == touched->entity.index);
        oxi_rows_drop_left(&playback->world->store, edge, (oxi_rows){from.chunk, from.row, 1});
        record->chunk = touched->place.chunk;
        record->row = touched->place.row;
        gather_removed(playback, &run, from);
    }
    flush_removed(playback, &run);
}

static void change_in_place(oxi_playback *playback) {
    const oxi_record *records = playback->world->store.entities.records;
    for (size_t k = 0; k < playback->touched.count; k++) {
        oxi_touched *touched = &playback->touched.items[k];
        if (touched->to != NULL && oxi_touched_way(playback, touched) == 0) {
            const oxi_record *record = &records[touched->entity.index];
            OXI_ASSERT(record->version == touched->entity.version);
            OXI_ASSERT(!oxi_record_is_marked(record));
            touched->place = (oxi_row_place){record->chunk, record->row};
            oxi_blocks_use(playback, touched);
            oxi_ops_apply(playback, touched);
        }
    }
}

static void leave_target_lanes(oxi_playback *playback) {
    oxi_store *store = &playback->world->store;
    for (size_t k = 0; k < playback->lanes.count; k++) {
        oxi_target_lane *lane = &playback->lanes.items[k];
        OXI_ASSERT(lane->done == lane->count); // each has its row
        OXI_ASSERT(lane->open.count == 0);
        oxi_note_change(store, lane->archetype);
        oxi_chunks_release(store, lane->archetype);
        oxi_lane_leave(store, lane->archetype, lane->lane);
    }
    while (playback->choices.count > 0) {
        oxi_shared_cancel(store, oxi_list_pop(&playback->choices));
    }
}

void oxi_window_commit(oxi_playback *playback, ox_site site) {
    if (playback->has_ended) {
        remove_ended(playback);
    }
    place_rows(playback);
    fill_runs(playback, site);
    if (playback->has_moved) {
        leave_rows_behind(playback);
    }
    if (playback->has_changed) {
        change_in_place(playback);
    }
    leave_target_lanes(playback);
    ox_commands_info *info = &playback->state->info;
    info->moved += playback->placed.count;
    info->copies += playback->runs.count;
    info->windows++;
}
