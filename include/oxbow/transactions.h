// SPDX-License-Identifier: MIT
//
// Transactions: a world that is lent to a job, or to another thread, and comes back.
//
//     OX_JOB(Build, { ox_transaction sector; int number; })
//     {
//         ox_world *world = ox_transaction_enter(job->sector);
//         ... every call of worlds, entities and queries works here ...
//         ox_transaction_leave(job->sector);
//     }
//
//     ox_transaction sector = ox_transaction_begin(staging);
//     ox_job build = ox_schedule_background(Build, OX_NO_JOB, {sector, 3});
//     ... frames, in which nobody touches `staging` ...
//     ox_transaction_end(&sector, build);
//     ox_world_move(game, staging, NULL);
//
// From begin to end only who has entered may use the world; every other use of it, by its own
// thread too, is a report. One at a time may be inside: a second one is a report, it does not wait.
// Who is inside may do with the world what its own thread may, but for scheduling and updating. In
// a job, use ox_get and ox_edit, or the chunks of a query: lookups and views there are those that
// were given to the job. The world's allocator and callbacks are called on the thread that is
// inside.
//
// A transaction is a handle, copied by value. Jobs hold it as a field: it counts as written, so two
// jobs that hold it must wait for each other. Beginning and ending belong to the world's thread;
// entering and leaving to any. These calls check at every level, and tell a handle of a transaction
// that has ended, also when its world is gone.

#pragma once

#include "oxbow/safety.h"
#include "oxbow/world.h"

/// A world that is lent. {0} is none.
typedef struct ox_transaction {
    ox_world *world;
    uint64_t number; ///< of the loan, which no other has
    ox_access access;
} ox_transaction;

/// Defined where the type of transactions is announced.
OX_API void ox_transaction_types(void);
OXI_NEEDS_UNIT(transactions, ox_transaction_types);

/// Completes the jobs of a world and lends it. Not in its update, and once at a time.
/// @return {0} after a report.
OX_API ox_transaction ox_transaction_begin_at(ox_world *world, ox_site site);
#define ox_transaction_begin(world) ox_transaction_begin_at(world, OX_HERE)

/// Makes the world usable by this job, or by this thread, until it leaves. Nobody else is inside. A
/// job that returns inside, a range of a parallel one, or a thread that ends there, is reported
/// (OX-V09) on its thread, and the next may enter.
/// @return the world, or NULL after a report.
OX_API ox_world *ox_transaction_enter_at(ox_transaction transaction, ox_site site);
#define ox_transaction_enter(transaction) ox_transaction_enter_at(transaction, OX_HERE)

/// Leaves the world to the next. @return false after a report: who calls is not inside.
OX_API bool ox_transaction_leave_at(ox_transaction transaction, ox_site site);
#define ox_transaction_leave(transaction) ox_transaction_leave_at(transaction, OX_HERE)

/// Completes `job`, OX_NO_JOB where no job holds the transaction, and takes the world back; the
/// handle is {0} then. A thread that had it must be done: join it, or wait for what it says.
/// @return false after a report: somebody is inside, or another job holds the transaction; then the
/// world is still lent.
OX_API bool ox_transaction_end_at(ox_transaction *transaction, ox_job job, ox_site site);
#define ox_transaction_end(transaction, job) ox_transaction_end_at(transaction, job, OX_HERE)
