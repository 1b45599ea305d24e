// SPDX-License-Identifier: MIT
//
// The systems of a world, as the units of this room see them.
//
// Invariants: `items` has them in the order of creation, the group of all first, each group before
// what is in it. `plan` is the order of updates; it is made anew before an update when systems came
// or went, never during one. A system that is removed during an update stays in memory, and in the
// plan, until the update ends.

#pragma once

#include "entities/scope.h"
#include "oxbow/systems.h"
#include "systems/order.h"

struct oxi_systems;
struct oxi_recorder;

/// Seconds of a delta, or a step, at most.
#define OXI_LONGEST_TIME 1e9f

/// What each frame looks at lies at the beginning.
typedef struct oxi_system {
    oxi_scope scope; ///< the first: an ox_system is its base
    bool is_enabled;
    bool is_removed;
    bool is_running;
    bool is_checked;               ///< the names that it says were looked up
    bool is_playing;               ///< its commands are carried out
    bool is_own_end;               ///< a barrier that its group has without being told
    bool declines_end;             ///< of a group: somebody removed that
    bool is_producer;              ///< some barrier may have it among its producers
    uint32_t index;                ///< in `items`, when the plan was made
    uint32_t step;                 ///< its place in that plan
    OXI_LIST(ox_query *) required; ///< see oxi_system_is_required
    uint64_t run_count;
    struct oxi_systems *all;
    struct oxi_system *group;      ///< NULL for the group of all
    struct oxi_system *next_named; ///< in the chain of its name
    uint64_t name_hash;
    void *state; ///< of def.state bytes

    // Commands.
    ox_commands post;              ///< played back after its update; {0}: none was asked for
    OXI_LIST(ox_commands) pending; ///< of a barrier: what it plays back, in order
    OXI_LIST(struct oxi_system *) producers; ///< of a barrier: whose jobs it completes first

    // Of a group.
    ox_time time;                 ///< of its systems, as of the last step
    double behind;                ///< seconds that were not stepped through yet
    struct oxi_system *first_end; ///< of the barriers at its end, in the order of creation
    struct oxi_system *next_end;  ///< of such a barrier

    ox_system_def def;
} oxi_system;

/// One place in the order of updates.
typedef struct oxi_plan_step {
    oxi_system *system;
    uint32_t end;     ///< behind the last of what is in it
    uint64_t idle_at; ///< oxi_systems_moment when it was not due; 0: it was
} oxi_plan_step;

typedef struct oxi_systems {
    ox_world *world;
    OXI_LIST(oxi_system *) items;
    OXI_LIST(oxi_system *) buckets; ///< of chains by the hash of the name, a power of two
    OXI_LIST(oxi_plan_step) plan;
    oxi_system_order order; ///< of `items`, as they were when the plan was made
    OXI_LIST(oxi_order_constraint) constraints;
    OXI_LIST(oxi_system *) removed; ///< to be destroyed when the update ends
    OXI_LIST(char *) names;         ///< of ends of groups
    bool is_dirty;                  ///< the plan is to be made anew
    bool by_name;
    bool is_ending;
    bool has_warned;          ///< that there is no system
    uint64_t look_count;      ///< how often systems had to be looked at again
    uint64_t shuffle;         ///< seed of a random order, 0: by the rule
    const char *const *given; ///< names in the order that a test asks for, or NULL
    uint32_t given_count;
    ox_time time;
    struct oxi_recorder *recorder; ///< of frames, or NULL
} oxi_systems;

/// The part of a system behind a scope. Reports when it has none. @return NULL after a report.
oxi_system *oxi_system_require(const ox_system *scope, const char *function, ox_site site);

/// The same without a report.
static inline oxi_system *oxi_system_of(const ox_system *scope) {
    return scope != NULL ? (oxi_system *)((const oxi_scope *)(const void *)scope)->owner : NULL;
}

/// True for a group itself, and for all that is in it.
static inline bool oxi_system_is_in(const oxi_system *system, const oxi_system *group) {
    while (system != NULL && system != group) {
        system = system->group;
    }
    return system != NULL;
}

/// The systems of a world; NULL when it has none.
oxi_systems *oxi_systems_get(const ox_world *world);

/// The same, made with the default groups when there are none. @return NULL after a report.
oxi_systems *oxi_systems_make(ox_world *world, ox_site site);

/// For new worlds: adds all systems that were announced. @return false when out of memory.
bool oxi_systems_fill(ox_world *world, ox_site site);

/// How many systems there are beside the default ones.
int oxi_systems_count(const oxi_systems *all);

/// True for the names of groups and points that every world has.
bool oxi_is_default_name(const char *name);

/// The system of that name that was not removed, or NULL.
oxi_system *oxi_systems_find(const oxi_systems *all, const char *name);

/// Makes room for the name of one more system. @return false when out of memory.
bool oxi_systems_reserve_name(oxi_systems *all);

/// Lets a system, which has no name yet or has left it, be found by a name.
void oxi_system_set_name(oxi_system *system, const char *name);

/// Lets a system not be found by its name any more.
void oxi_system_leave_name(oxi_system *system);

/// Adds a system. `depth` counts what is added for the sake of something else.
/// @return NULL after a report.
oxi_system *oxi_systems_add(oxi_systems *all, const ox_system_def *def, int depth, ox_site site);

/// Reports that `field` of a def names a system or group that nobody declared.
void oxi_report_unknown_system(const oxi_systems *all, const ox_system_def *def, const char *field,
                               const char *name, ox_site site);

/// Destroys a system at once, with what is in it.
void oxi_system_destroy(oxi_system *system, ox_site site);

/// Ends an update: destroys a system, unless it is NULL, then all that were removed, and lets the
/// world be updated again. What their calls remove goes too.
void oxi_systems_destroy_removed(oxi_systems *all, oxi_system *system, ox_site site);

/// Frees what a system has, and forgets it, without a call to it.
void oxi_system_discard(oxi_system *system, ox_site site);

/// Calls `stop` if the system runs.
void oxi_system_stop(oxi_system *system);

/// Makes the plan anew if need be. @return false after a report, with the plan as it was.
bool oxi_systems_plan(oxi_systems *all, ox_site site);

/// The barrier at the end of a group, one of the user's first; NULL when there is none.
oxi_system *oxi_group_find_end(const oxi_system *group);

/// A system came to its group, or leaves it: it may be a barrier at its end.
void oxi_group_note_end(oxi_system *system);
void oxi_group_forget_end(oxi_system *system);

/// Gives a group with a step an end, unless it has one, or one is announced, or somebody removed
/// it. @return false after a report.
bool oxi_group_make_end(oxi_system *group, int depth, ox_site site);

/// Before a plan: each group with a step gets an end, and own ends beside others go.
/// @return false after a report.
bool oxi_systems_settle_ends(oxi_systems *all, ox_site site);

/// Leaves the name of an own end to somebody else. @return false after a report.
bool oxi_group_rename_end(oxi_system *end, ox_site site);

/// True for the name of the end of a group with a step that is announced.
bool oxi_is_end_name(const char *name);

/// The end of that name, with its group, when that is announced and not there. NULL: there is none.
oxi_system *oxi_systems_bring_end(oxi_systems *all, const char *name, int depth, ox_site site);

void oxi_systems_free_names(oxi_systems *all);

/// Lets each system be looked at again: what it needs to be due may have changed.
static inline void oxi_systems_look_again(oxi_systems *all) {
    all->look_count++;
}

/// A number that moves when that happens, and when something comes or goes in the world. Never 0.
static inline uint64_t oxi_systems_moment(const oxi_systems *all) {
    return all->world->store.change_count + all->look_count + 1;
}

/// Fills what is injected. At creation, systems that are not there are made.
/// @return false after a report.
bool oxi_system_inject(oxi_system *system, bool is_creation, int depth, ox_site site);

/// Declares what the jobs of its def access, and makes its required query.
/// @return false after a report.
bool oxi_system_declare_def(oxi_system *system, ox_site site);

/// Destroys the queries of a system.
void oxi_system_free_queries(oxi_system *system, ox_site site);

/// True when all that a system requires is there.
bool oxi_system_is_required(oxi_system *system);

/// Lets a system wait for what stands in its way. @return false after a report: it cannot update.
bool oxi_system_prepare_main(oxi_system *system);

/// The handle that jobs of a system have to wait for. @return false after a report.
bool oxi_system_prepare_jobs(oxi_system *system, ox_job *after);

/// Notes that the barriers of its def complete what a system returns; those that are not there are
/// made. @return false after a report.
bool oxi_system_join_barriers(oxi_system *system, int depth, ox_site site);

/// The same for one barrier. @return false after a report.
bool oxi_barrier_join(oxi_system *barrier, oxi_system *producer, ox_site site);

/// True when a barrier has something to do.
static inline bool oxi_barrier_is_due(const oxi_system *barrier) {
    return barrier->pending.count > 0 || barrier->producers.count > 0;
}

/// Completes what the producers of a barrier returned, and plays back.
void oxi_barrier_play(oxi_system *barrier);

/// Plays back what a system on main recorded in its update. @return false when not all of it could
/// be, after a report: it goes on the next time.
bool oxi_system_play_post(oxi_system *system);

/// Ends all commands of a system that goes, and forgets it in all barriers.
void oxi_system_leave_commands(oxi_system *system, ox_site site);

/// True for seconds from 0 to OXI_LONGEST_TIME; else reports.
bool oxi_time_require(const oxi_report_sink *sink, float value, const char *what, ox_site site);

/// Looks at the handle that an update returned, and registers it.
void oxi_system_register_handle(oxi_system *system, ox_job returned, ox_job after);
