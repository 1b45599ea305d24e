// SPDX-License-Identifier: MIT
//
// The steps of a commit.
//
// Invariant: the record of every entity that was there and does not end says where it is, so that
// rows which are moved by others on the way take their records along.

#include "commands/commit.h"

#include "storage/chunk_list.h"
#include "storage/kind_rows.h"
#include "storage/removal.h"

enum {
    ROWS_FOR_JOBS = 8192, // fewer are filled sooner than workers wake
    RUNS_OF_BATCH = 4,
    MOST_TOGETHER = 256,
};

bool oxi_commit_reserve(oxi_committing *committing, ox_world *world, const oxi_judged *judged,
                        const oxi_planned *planned) {
    committing->world = world;
    committing->judged = judged;
    committing->planned = planned;
    committing->lanes.count = committing->runs.count = 0;
    if (!oxi_list_resize(&committing->lanes, planned->lanes.count) ||
        !oxi_list_reserve(&committing->placed, planned->row_count) ||
        !oxi_list_reserve(&committing->runs, planned->row_count)) {
        return false;
    }
    return !planned->has_moved || oxi_list_reserve(&committing->places, judged->touched.count);
}

void oxi_committing_free(oxi_committing *committing) {
    oxi_list_free(&committing->lanes);
    oxi_list_free(&committing->placed);
    oxi_list_free(&committing->runs);
    oxi_list_free(&committing->places);
}

// Removing. Rows that go are gathered while they are neighbours; one by one where removals swap, as
// their order counts there.

static void flush_removed(oxi_store *store, oxi_rows *run) {
    if (run->count > 0) {
        oxi_note_change(store, oxi_archetype_of(run->chunk));
        oxi_rows_remove(store, *run);
        run->count = 0;
    }
}

static inline void gather_removed(oxi_store *store, oxi_rows *run, oxi_row_place place) {
    if (place.chunk == run->chunk && place.row == run->first + run->count && run->count > 0 &&
        !store->swaps) {
        run->count++;
        return;
    }
    flush_removed(store, run);
    *run = (oxi_rows){place.chunk, place.row, 1};
}

static void remove_ended(const oxi_committing *committing) {
    const oxi_judged *judged = committing->judged;
    oxi_store *store = &committing->world->store;
    oxi_rows run = {0};
    for (size_t k = 0; k < judged->touched.count; k++) {
        const oxi_touched *touched = &judged->touched.items[k];
        if (touched->to != NULL || (touched->flags & OXI_TOUCH_NEW) != 0) {
            continue;
        }
        if (store->names.count > 0) {
            oxi_name_forget(&store->names, touched->entity);
        }
        oxi_row_place place = touched->place;
        OXI_ASSERT(place.row < oxi_chunk_entry_of(place.chunk)->count);
        OXI_ASSERT(oxi_chunk_entities(place.chunk)[place.row].index == touched->entity.index);
        oxi_rows_drop(oxi_archetype_of(place.chunk), (oxi_rows){place.chunk, place.row, 1});
        gather_removed(store, &run, place);
    }
    flush_removed(store, &run);
}

// Placing.

// The end of the touched from `first` on that go the way it goes: a few of its signature, which are
// looked at again before they leave the cache.
static uint32_t find_way_end(const oxi_judged *judged, uint32_t first) {
    const oxi_touched *touched = &judged->touched.items[first];
    size_t left = judged->touched.count - first;
    uint32_t most = left < MOST_TOGETHER ? (uint32_t)left : MOST_TOGETHER, count = 1;
    if (touched->to == NULL || oxi_touched_is_several(touched)) {
        return first + 1;
    }
    while (count < most && touched[count].signature == touched->signature) {
        count++;
    }
    return first + count;
}

// Gives touched rows of a lane.
static void place_some(oxi_committing *committing, uint32_t number, uint32_t touched,
                       uint32_t end) {
    const oxi_target_lane *lane = &committing->planned->lanes.items[number];
    oxi_lane_progress *progress = &committing->lanes.items[number];
    bool has_places = committing->planned->has_moved;
    OXI_ASSERT(progress->done + (end - touched) <= lane->count);
    while (touched < end) {
        if (progress->open.count == 0) {
            OXI_ASSERT(committing->runs.count < committing->runs.capacity);
            progress->open = oxi_rows_place(&committing->world->store, lane->archetype, lane->lane,
                                            lane->count - progress->done);
            committing->runs.items[committing->runs.count++] =
                (oxi_target_run){number, lane->first + progress->done, progress->open};
        }
        oxi_rows open = progress->open;
        uint32_t count = end - touched < open.count ? end - touched : open.count;
        uint32_t *placed = committing->placed.items + lane->first + progress->done;
        for (uint32_t k = 0; k < count; k++) {
            placed[k] = touched + k;
        }
        for (uint32_t k = 0; has_places && k < count; k++) {
            committing->places.items[touched + k] = (oxi_row_place){open.chunk, open.first + k};
        }
        progress->open.first += count;
        progress->open.count -= count;
        progress->done += count;
        touched += count;
    }
}

// Gives each that needs one a row, in the order of touching.
static void place_rows(oxi_committing *committing) {
    const oxi_judged *judged = committing->judged;
    for (uint32_t k = 0, end; k < judged->touched.count; k = end) {
        const oxi_touched *touched = &judged->touched.items[k];
        end = find_way_end(judged, k);
        if (touched->to == NULL) {
            continue;
        }
        const oxi_target_way *way = oxi_planned_way(committing->planned, touched, k);
        if (way != NULL) {
            place_some(committing, way->lane, k, end);
        }
    }
}

// Filling. Rows in chunks that had none before come first, by jobs: nobody moves out of such a
// chunk, so what they read is written by nobody. Switches and versions of the other chunks are read
// and written, so those follow one after the other.

static bool is_first_of_chunk(const oxi_target_run *run) {
    return run->rows.first == 0;
}

OX_PARALLEL_JOB(PlaybackRows, { OX_NO_SAFETY const oxi_committing *committing; }) {
    const oxi_target_run *run = &job->committing->runs.items[i];
    if (is_first_of_chunk(run)) {
        oxi_run_fill(job->committing, run);
    }
}

static void fill_some_runs(const oxi_committing *committing, bool is_first) {
    for (size_t k = 0; k < committing->runs.count; k++) {
        if (is_first_of_chunk(&committing->runs.items[k]) == is_first) {
            oxi_run_fill(committing, &committing->runs.items[k]);
        }
    }
}

static void fill_runs(oxi_committing *committing, ox_commands_info *info, ox_site site) {
    ox_job job = OX_NO_JOB;
    bool is_main = oxi_this_runner != NULL && oxi_this_runner->index == 0 &&
                   !oxi_this_runner->is_inside && oxi_this_run.order == 0;
    if (is_main && committing->planned->row_count >= ROWS_FOR_JOBS) {
        PlaybackRows data = {committing};
        job = ox_schedule_for_at(&oxi_job_PlaybackRows, (int)committing->runs.count, RUNS_OF_BATCH,
                                 OX_NO_JOB, &data, site);
    }
    if (job.value != 0) {
        info->jobs++;
        ox_complete_at(&job, 1, site);
    } else {
        fill_some_runs(committing, true);
    }
    fill_some_runs(committing, false);
}

// Leaving.

// The edge by which a touched leaves a row behind, or NULL.
static const oxi_edge *find_left_edge(const oxi_committing *committing, uint32_t place) {
    const oxi_touched *touched = &committing->judged->touched.items[place];
    if (touched->to == NULL || (touched->flags & OXI_TOUCH_NEW) != 0) {
        return NULL;
    }
    const oxi_target_way *way = oxi_planned_way(committing->planned, touched, place);
    return way != NULL ? way->edge : NULL;
}

// Records of those that moved say so, and the rows that they left are removed.
static void leave_rows_behind(const oxi_committing *committing) {
    const oxi_judged *judged = committing->judged;
    oxi_store *store = &committing->world->store;
    oxi_rows run = {0};
    for (uint32_t k = 0, end; k < judged->touched.count; k = end) {
        const oxi_edge *edge = find_left_edge(committing, k);
        end = find_way_end(judged, k);
        for (uint32_t n = k; edge != NULL && n < end; n++) {
            oxi_record *record = &store->entities.records[judged->touched.items[n].entity.index];
            oxi_row_place from = {record->chunk, record->row};
            OXI_ASSERT(record->version == judged->touched.items[n].entity.version);
            oxi_rows_drop_left(store, edge, (oxi_rows){from.chunk, from.row, 1});
            record->chunk = committing->places.items[n].chunk;
            record->row = committing->places.items[n].row;
            gather_removed(store, &run, from);
        }
    }
    flush_removed(store, &run);
}

static void change_in_place(const oxi_committing *committing) {
    const oxi_judged *judged = committing->judged;
    for (uint32_t k = 0; k < judged->touched.count; k++) {
        const oxi_touched *touched = &judged->touched.items[k];
        if (touched->to == NULL || oxi_planned_way(committing->planned, touched, k) != NULL) {
            continue;
        }
        const oxi_record *record =
            &committing->world->store.entities.records[touched->entity.index];
        oxi_row_place place = {record->chunk, record->row};
        OXI_ASSERT(record->version == touched->entity.version);
        OXI_ASSERT(!oxi_record_is_marked(record));
        oxi_blocks_use(committing, k, place);
        oxi_ops_apply(committing, touched, place);
    }
}

void oxi_window_commit(oxi_committing *committing, ox_commands_info *info, ox_site site) {
    const oxi_judged *judged = committing->judged;
    const oxi_planned *planned = committing->planned;
    if (judged->has_ended) {
        remove_ended(committing);
    }
    place_rows(committing);
    fill_runs(committing, info, site);
    if (planned->has_moved) {
        leave_rows_behind(committing);
    }
    if (planned->has_changed) {
        change_in_place(committing);
    }
    for (size_t k = 0; k < planned->lanes.count; k++) {
        OXI_ASSERT(committing->lanes.items[k].done == planned->lanes.items[k].count);
        OXI_ASSERT(committing->lanes.items[k].open.count == 0);
        oxi_note_change(&committing->world->store, planned->lanes.items[k].archetype);
    }
    info->moved += planned->row_count;
    info->copies += committing->runs.count;
    info->windows++;
}
