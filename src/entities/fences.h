// SPDX-License-Identifier: MIT
//
// The jobs of a world by what they access: for each component the last job that writes it and those
// that read it since. There are two tables. The exact one has every job over entities with its own
// accesses. The declared one has the handles that systems returned, for all that they declared.
//
// Invariant: while a job of a world is outstanding the world has no holes, and no structural change
// is made: scheduling closes the holes, and a change completes all jobs of the world first.

#pragma once

#include "entities/sync.h"
#include "jobs/gate.h"

typedef OXI_LIST(ox_job) oxi_fence_jobs;

/// Jobs that access one component: the last writer that waits for all before it, those behind it
/// that do not, and the readers since.
typedef struct oxi_fence {
    oxi_fence_jobs writers; ///< mostly one
    oxi_fence_jobs readers;
} oxi_fence;

enum { OXI_EXACT, OXI_DECLARED, OXI_FENCE_TABLES };

/// One component of one world. The first entry stands for the entities themselves: every job over
/// entities reads it.
typedef struct oxi_type_fence {
    oxi_fence tables[OXI_FENCE_TABLES];
    ox_access access; ///< what the safety system knows it by
    bool is_busy;     ///< in the list of those that may have jobs
} oxi_type_fence;

/// What a job does with a component. 0 is the entities.
typedef struct oxi_type_use {
    uint32_t component;
    bool writes;
    bool is_lookup;
    bool is_late; ///< of a scope: learned in this update, whose input handle does not cover it
} oxi_type_use;

/// Why one job waits for another.
typedef struct oxi_wait_cause {
    uint32_t component;
    bool before_writes; ///< what is waited for
    bool after_writes;  ///< who waits
    bool is_declared;   ///< because a system declared it, whatever its jobs do
} oxi_wait_cause;

/// Looks on while jobs are scheduled and main waits. All calls on the world's thread.
typedef struct oxi_world_watch {
    /// A handle is about to be made up. What `waits` told before was for a job that did not come.
    void (*gathers)(void *context);
    /// A handle is made up, for the job or the system that comes next: it waits for `before`.
    void (*waits)(void *context, ox_job before, oxi_wait_cause cause);
    /// A job was scheduled, after a handle; OX_AUTO for what `waits` told.
    void (*scheduled)(void *context, const ox_system *scope, ox_job job, const ox_job_type *type,
                      int count, ox_job after, ox_site site);
    /// A job over entities found none when it was scheduled. May be NULL.
    void (*found_none)(void *context, const ox_query *query, const ox_job_type *type, ox_site site);
    /// Main waited.
    void (*synced)(void *context, const ox_sync *sync, uint64_t begin_ns);
    /// Main is about to wait for a job.
    void (*awaits)(void *context, ox_job job);
    void *context;
} oxi_world_watch;

/// The fence of a component, any number; NULL when no job had to do with it.
oxi_type_fence *oxi_fence_find(ox_world *world, uint32_t component);

/// Makes room to note a job with these accesses, and fills what the safety system is told of them,
/// unless `told` is NULL. @return false after a report.
bool oxi_fences_reserve(ox_world *world, const oxi_type_use *uses, uint32_t count,
                        oxi_job_use *told, ox_site site);

/// The handle that a job with these accesses has to wait for, by the first `tables` tables.
/// @return false after a report.
bool oxi_fences_input(ox_world *world, const oxi_type_use *uses, uint32_t count, int tables,
                      ox_job *after, ox_site site);

/// Notes a job that was scheduled, with its own accesses. As with all notes of jobs, handles of
/// buffers that main has end.
void oxi_fences_note(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job job);

/// Notes that a job uses a component which stands in no table: who syncs asks the safety system.
/// Room was made when a view or lookup of it was.
void oxi_fences_mark_busy(ox_world *world, uint32_t component);

/// Notes the handle that a system returned, for all that it declared, in a table. `covers` says
/// that it waits for what stood there before; else that stays beside it.
void oxi_fences_note_handle(ox_world *world, const oxi_type_use *uses, uint32_t count, int table,
                            ox_job job, bool covers);

/// True when jobs that have ended are still named to those that come after them. Without the safety
/// system a job is settled as soon as it has ended, and who watches is shown it all the same: in
/// another run it might not have.
bool oxi_fences_show_ended(const ox_world *world);

/// True when no job of the world is outstanding.
bool oxi_fences_are_idle(const ox_world *world);

/// For the world: completes all jobs and frees the table.
void oxi_fences_destroy(ox_world *world, ox_site site);
