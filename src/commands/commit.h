// SPDX-License-Identifier: MIT
//
// Committing a window: rows of those that end are removed; rows for those that move or are new are
// added, in the order of the first command that each one met; rows are filled, by jobs where there
// are many; rows that were left are removed. Nothing of it can fail.

#pragma once

#include "commands/plan.h"

/// Rows of one chunk that are filled together.
typedef struct oxi_target_run {
    uint32_t lane;
    uint32_t first; ///< of them in `placed`
    oxi_rows rows;
} oxi_target_run;

/// How far a lane is filled.
typedef struct oxi_lane_progress {
    uint32_t done; ///< rows that were given to entities
    oxi_rows open; ///< rows that were added and are not given to anybody yet
} oxi_lane_progress;

/// What is needed while a window is carried out: room for all of it is made before.
typedef struct oxi_committing {
    ox_world *world;
    const oxi_judged *judged;
    const oxi_planned *planned;
    OXI_LIST(oxi_lane_progress) lanes;
    OXI_LIST(uint32_t) placed; ///< touched that get rows, lane by lane
    OXI_LIST(oxi_target_run) runs;
    OXI_LIST(oxi_row_place) places; ///< by touched: new rows of those that were there and move
} oxi_committing;

/// Makes room to carry a window out. @return false when out of memory.
bool oxi_commit_reserve(oxi_committing *committing, ox_world *world, const oxi_judged *judged,
                        const oxi_planned *planned);

/// Carries it out, and counts what it did.
void oxi_window_commit(oxi_committing *committing, ox_commands_info *info, ox_site site);

void oxi_committing_free(oxi_committing *committing);

// Between the units of committing.

/// Fills rows of a run. Any thread.
void oxi_run_fill(const oxi_committing *committing, const oxi_target_run *run);

/// Gives buffers of a touched, which is in this row, the blocks that were planned for them.
void oxi_blocks_use(const oxi_committing *committing, uint32_t touched, oxi_row_place place);

/// Carries the commands of a touched out on its row.
void oxi_ops_apply(const oxi_committing *committing, const oxi_touched *touched,
                   oxi_row_place place);

/// Writes the values of what a touched is a copy of to its row, which is zero.
void oxi_copy_write(const oxi_committing *committing, const oxi_window_copy *copy,
                    oxi_row_place place);
