// SPDX-License-Identifier: MIT
//
// Scopes: who schedules jobs over entities. Every world has one, and each system is one, with the
// systems room's part behind it.
//
// A scope declares what it reads and writes, each component once: it is never taken back. It keeps
// the jobs that it scheduled since its update began, so that they can be completed before the next.

#pragma once

#include "base/list.h"
#include "entities/fences.h"

/// A job that a scope scheduled, with access to the world.
typedef struct oxi_scope_job {
    ox_job job;
    const char *name;
    ox_site site;
    bool is_auto;  ///< it waits for what its own accesses need
    bool is_plain; ///< it carries no accesses of its own: a job with views or lookups
} oxi_scope_job;

typedef struct oxi_scope {
    ox_system base;               ///< what users see; the first
    void *owner;                  ///< what the room above has behind it, or NULL
    bool is_updating;             ///< its update is on its way
    bool plans_all;               ///< to wait for jobs is what its update is for
    OXI_LIST(oxi_type_use) uses;  ///< declared, in the order of declaring
    OXI_LIST(oxi_scope_job) jobs; ///< scheduled since its update began; room for one more
    ox_job returned;              ///< by its last update
    uint64_t number;              ///< no other of the world has or had it; 0: none was needed
    uint32_t query_count;         ///< queries of the world that are its own
    uint64_t failures_before;     ///< calls that found no memory, before its update
    uint32_t last_version;        ///< of its last update; 0: none yet
    uint32_t auto_count;          ///< of those jobs, with OX_AUTO
    uint32_t plain_count;         ///< and without accesses of their own
    uint32_t late_count;          ///< of its uses that are late
    ox_site learned_at;           ///< where an update first used what was not declared, or NULL
    uint32_t learned;             ///< that component
} oxi_scope;

static inline oxi_scope *oxi_scope_of(ox_system *scope) {
    return (oxi_scope *)(void *)scope;
}

/// Declares accesses. What an update uses that was not declared before it waits for there and then,
/// if `waits`: what its jobs come after does not cover it. @return false after a report.
bool oxi_scope_declare(oxi_scope *scope, const oxi_type_use *uses, uint32_t count, bool waits,
                       ox_site site);

/// Declares what the terms of a query read and write. @return false after a report.
bool oxi_scope_declare_terms(oxi_scope *scope, const ox_term *terms, ox_site site);

/// For what is made before an update, and covers all that is declared: nothing is late.
void oxi_scope_catch_up(oxi_scope *scope);

/// Makes room to note a job. @return false after a report.
bool oxi_scope_reserve(oxi_scope *scope, ox_site site);

/// Notes a job, for which room was made.
void oxi_scope_note(oxi_scope *scope, oxi_scope_job job);

/// Completes the jobs of a scope, and forgets them.
void oxi_scope_complete(oxi_scope *scope, ox_site site);

/// Frees what a scope has. Its jobs are complete.
void oxi_scope_free(oxi_scope *scope);
