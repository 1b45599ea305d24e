// SPDX-License-Identifier: MIT
//
// Systems: functions that run once per frame. Their order follows from the order each one asks for
// (`before`, `after`, its group); what their jobs wait for follows from what they read and write.
//
//     OX_JOB_SYSTEM(Steer, .jobs = OX_JOBS(SteerJob), .before = {"Move"})
//     {
//         return ox_schedule_entities(SteerJob, system, after, {.gain = 2});
//     }
//
//     OX_SYSTEM(Reap, .in = "Physics", .after = {"Damage"})
//     {
//         ...                                  // on main; conflicting jobs are completed first
//     }
//
//     ox_world_update(world, 1.0f / 60.0f);    // runs every system once
//
// What systems read and write never puts a writer before a reader: it decides which jobs wait for
// each other, and moves systems on main after job systems that they conflict with. If one system
// needs what another wrote in this frame, say so with `.after`.
//
// `.before` and `.after` order the updates, which run on main. They do not complete jobs that an
// earlier update scheduled: jobs over entities wait by their terms, and calls that use a component
// on main complete the jobs that conflict. A container that systems share has no terms. Give the
// handle of the job that writes it to those that use it next, call ox_world_complete before main
// uses it, or let each of the systems declare a component that stands for the container:
//
//     OX_COMPONENT(HitsQueue, OX_NO_FIELDS);                       // data, not a tag
//     ox_system_declare(system, OX_WRITE(HitsQueue));              // in `create` of each
//
// Each world has its own instances. A system declared with these macros, in any file, is added to
// every world created without `no_systems`.
//
// Threads: call everything here from the world's thread, outside jobs. Functions without an `_at`
// form only read; they return 0, NULL or false for NULL.

#pragma once

#include "oxbow/commands.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/queries.h"

/// A callback of a system on main: its update, start, stop or destroy.
typedef void ox_system_fn(ox_system *system);

/// The update of a system that schedules jobs. `after` is what its jobs have to wait for. Returns a
/// handle that covers every job it scheduled. Jobs scheduled with OX_AUTO need not be covered; if
/// there are no others, return OX_NO_JOB.
typedef ox_job ox_job_system_fn(ox_system *system, ox_job after);

/// Makes a system ready. @return false when that failed: then the system is removed again.
typedef bool ox_system_create_fn(ox_system *system);

enum {
    OX_MAX_ORDER = 8,        ///< names in `before`, and in `after`
    OX_MAX_SYSTEM_JOBS = 8,  ///< in `jobs`
    OX_MAX_INJECTED = 8,     ///< in `inject`
    OX_MAX_REQUIRED = 8,     ///< in `require`
    OX_MAX_BARRIERS = 4,     ///< in `barriers`
    OX_MAX_GROUP_DEPTH = 64, ///< groups in each other; one in the group of all is 1 deep
};

/// The phase of its group in which a system runs. It overrides `before` and `after`.
typedef enum ox_system_phase {
    OX_PHASE_ANY = 0,
    OX_PHASE_FIRST, ///< before all that do not say so
    OX_PHASE_LAST,  ///< after all that do not say so
    OX_PHASE_BEGIN, ///< before even those: the point where a group begins
    OX_PHASE_END,   ///< after even those: the point where a group ends
} ox_system_phase;

/// What is put into the state of a system before its update.
typedef enum ox_injection_kind {
    OX_INJECTION_NONE = 0,
    OX_INJECTION_VIEWS,  ///< a struct of OX_VIEWS
    OX_INJECTION_LOOKUP, ///< an ox_lookup
    OX_INJECTION_SYSTEM, ///< an ox_system *
} ox_injection_kind;

/// Fills a struct of views, which begins with its query. OX_VIEWS makes one.
typedef bool oxi_views_fn(ox_world *world, void *views, ox_site site);

/// One field of a system's state, as OX_INJECT_VIEWS, OX_INJECT_LOOKUP and OX_INJECT_SYSTEM make
/// it.
typedef struct ox_injection {
    ox_injection_kind kind;
    size_t offset;           ///< of the field
    size_t size;             ///< of the field; 0: of a struct of views without values
    oxi_views_fn *fill;      ///< of a group
    ox_component *component; ///< of a lookup; or NULL and an id
    uint32_t id;
    bool writes;      ///< the lookup writes
    const char *name; ///< of the other system
} ox_injection;

/// A system or a group. Other systems are referred to by name, so they may be declared in other
/// files, before or after this one. Zero every field you do not set; in C++ set them in this order.
/// Copied when a system is added; names, sites and job types are kept by pointer.
typedef struct ox_system_def {
    const char *name;
    ox_site site;                  ///< where it is declared, for reports
    bool is_group;                 ///< it has no update, but systems in it
    bool is_barrier;               ///< it plays commands back: see OX_BARRIER
    ox_system_fn *update;          ///< on main
    ox_job_system_fn *update_jobs; ///< or this, to schedule jobs

    /// Its group. NULL means "Simulation"; "World" is the group of all.
    const char *in;

    /// Systems or groups that must run after (`before`) or before (`after`) this one. If they are
    /// in another group, the constraint applies to the groups.
    const char *before[OX_MAX_ORDER];
    const char *after[OX_MAX_ORDER];
    ox_system_phase place;

    /// Jobs over entities that it schedules: what they access, it accesses. OX_JOBS(Move, Steer).
    /// What other jobs access is declared with what is injected, or in `create`.
    ox_entity_job_type *jobs[OX_MAX_SYSTEM_JOBS];

    /// Fields of its state that are filled before `create`, each update and `destroy`.
    ox_injection inject[OX_MAX_INJECTED];

    /// Barriers that complete what it returns, before they play back: see ox_barrier_commands.
    const char *barriers[OX_MAX_BARRIERS];

    /// Runs only while at least one entity matches these terms: OX_REQUIRE(OX_WITH(Player)).
    /// Filters and enabled bits are ignored. More queries with ox_system_require.
    ox_term require[OX_MAX_REQUIRED];

    ox_system_create_fn *create; ///< make queries and lookups here; schedule nothing
    ox_system_fn *destroy;       ///< its jobs are complete
    ox_system_fn *start;         ///< before its first update, and the first after a stop
    ox_system_fn *stop;          ///< before the first frame that it does not run, and the end
    size_t state;                ///< bytes of its own, zeroed: see ox_system_state

    /// Fixed time step of a group, in seconds: the group runs as many steps as fit into the elapsed
    /// time, at most `most_steps` per frame. Its systems see the step as their delta. 0: once per
    /// frame. Such a group has a barrier at its end, "End" and its name, unless one of yours stands
    /// there.
    float step;
    int most_steps; ///< 0 means 8; what does not fit then is left out

    bool is_manual;  ///< is not added to worlds automatically
    bool starts_off; ///< is initially disabled

    struct ox_system_def *next; ///< for the registry's use
} ox_system_def;

// Declaring systems: at file scope.

/// A system on main, followed by its body. In it: `ox_system *system`. Its def is the static
/// variable ox_system_Name of this file; others know it by its name.
#define OX_SYSTEM(...) OXI_SYSTEM(__VA_ARGS__, .next = NULL)

/// A system that schedules jobs, followed by its body, which returns a handle. In it: `ox_system
/// *system`, `ox_job after`.
#define OX_JOB_SYSTEM(...) OXI_JOB_SYSTEM(__VA_ARGS__, .next = NULL)

/// A group. Ends with a semicolon.
#define OX_GROUP(...) OXI_GROUP(__VA_ARGS__, .next = NULL)

/// A barrier: a place in the order where commands are played back. Ends with a semicolon. It comes
/// as late as what is said about it allows. Groups that every world has begin and end with one:
/// BeginSimulation, EndSimulation, and those of Initialization and Presentation.
#define OX_BARRIER(...) OXI_BARRIER(__VA_ARGS__, .next = NULL)

/// .jobs = OX_JOBS(Move, Steer): jobs over entities that were declared before, up to 8.
#define OX_JOBS(...)                                                                               \
    { OXI_EACH(OXI_JOB_OF, __VA_ARGS__) }

/// .require = OX_REQUIRE(OX_WITH(Player), OX_NONE(Paused)): up to 7 components.
#define OX_REQUIRE(...)                                                                            \
    {                                                                                              \
        OXI_EACH(OXI_QUERY_TERM, __VA_ARGS__) {                                                    \
            OX_TERM_END, NULL, 0                                                                   \
        }                                                                                          \
    }

/// .inject = {OX_INJECT_VIEWS(State, movers, Movers), OX_INJECT_LOOKUP(State, hp, OX_READ(Health)),
/// OX_INJECT_SYSTEM(State, other, "Other")}: fields of the struct State.
#define OX_INJECT_VIEWS(State, field, Views)                                                       \
    {                                                                                              \
        OX_INJECTION_VIEWS, offsetof(State, field), sizeof(Views), Views##_inject, NULL, 0, false, \
            NULL                                                                                   \
    }
/// A lookup, of OX_READ or OX_WRITE.
#define OX_INJECT_LOOKUP(State, field, term)                                                       \
    {                                                                                              \
        OX_INJECTION_LOOKUP, offsetof(State, field), sizeof(ox_lookup), NULL,                      \
            OXI_LOOKUP_COMPONENT(term), 0, OXI_LOOKUP_WRITES(term), NULL                           \
    }
/// Another system, by name; NULL once it was removed. With a barrier it is as if `barriers` named
/// it.
#define OX_INJECT_SYSTEM(State, field, name)                                                       \
    { OX_INJECTION_SYSTEM, offsetof(State, field), sizeof(ox_system *), NULL, NULL, 0, false, name }

/// Announces a system to all worlds that are created later. The macros do it before main; then no
/// world may be there, and `def` must stay in place.
OX_API void ox_system_register(ox_system_def *def);

// Systems of a world.

/// Adds a system, and makes what it is in, and what it has injected, if that is not there. During
/// an update it is made at once, and its first update is in the next.
/// @return NULL after a report: there is one of that name, a name that nobody has, a group that
/// lies too deep, `create` failed.
OX_API ox_system *ox_system_add_at(ox_world *world, const ox_system_def *def, ox_site site);
/// ox_system_add(world, &(ox_system_def){.name = "Reap", .update = reap}).
#define ox_system_add(world, ...) ox_system_add_at(world, __VA_ARGS__, OX_HERE)

/// Adds every system that was registered and is not there yet. Worlds without `no_systems` begin
/// with it. @return how many systems the world has.
OX_API int ox_world_add_systems_at(ox_world *world, ox_site site);
#define ox_world_add_systems(world) ox_world_add_systems_at(world, OX_HERE)

/// Stops and destroys a system, its jobs completed. A group goes with all that is in it. During an
/// update it does not run any more, and is destroyed when the update ends.
/// @return false after a report.
OX_API bool ox_system_remove_at(ox_system *system, ox_site site);
#define ox_system_remove(system) ox_system_remove_at(system, OX_HERE)

/// The system or group of that name in this world, or NULL.
OX_API ox_system *ox_system_find(const ox_world *world, const char *name);

/// Writes the systems and groups of a world, in the order of their updates, up to `capacity`; a
/// group comes before what is in it. @return how many there are.
OX_API int ox_world_get_systems_at(ox_world *world, ox_system **systems, int capacity,
                                   ox_site site);
#define ox_world_get_systems(world, systems, capacity)                                             \
    ox_world_get_systems_at(world, systems, capacity, OX_HERE)

/// What is known of a system.
typedef struct ox_system_info {
    const char *name;
    ox_site site;
    ox_system *group; ///< NULL for the group of all
    bool is_group;
    bool is_enabled;      ///< its own setting; a disabled group disables it too
    bool is_running;      ///< it ran when it was last its turn
    uint32_t version;     ///< of its last update; 0: it never ran
    uint64_t run_count;   ///< updates
    uint32_t reads_count; ///< components that it declared to read, and does not write
    uint32_t writes_count;
} ox_system_info;

/// Tells about a system; a struct of zeros for what is no system.
OX_API ox_system_info ox_system_get_info(const ox_system *system);

/// Switches a system, or all of a group, off or on. One that is off is stopped when it is its turn.
OX_API void ox_system_set_enabled_at(ox_system *system, bool is_enabled, ox_site site);
#define ox_system_set_enabled(system, is_enabled)                                                  \
    ox_system_set_enabled_at(system, is_enabled, OX_HERE)

/// The memory of a system, of the `size` that its def says. Scratch memory after a report.
OX_API void *ox_system_state_at(ox_system *system, size_t size, ox_site site);
/// State *state = ox_system_state(system, State).
#define ox_system_state(system, T) ((T *)ox_system_state_at(system, sizeof(T), OX_HERE))

// What a system accesses. Make these in `create`: the order of systems, and what each one waits
// for, are worked out from them. A query or lookup created during an update completes conflicting
// jobs immediately and does not change the order of systems.

/// Makes a query that is the system's: it declares what its terms read and write, and ends with the
/// system. A changed filter with version 0 is for what changed since the system ran last. The same
/// terms, in any order, give the same query, filters and all: for a second one with other filters
/// call ox_query_create and ox_system_declare. @return NULL after a report.
OX_API ox_query *ox_system_query_at(ox_system *system, const ox_term *terms, ox_site site);
/// ox_system_query(system, OX_WRITE(Position), OX_READ(Velocity)).
#define ox_system_query(system, ...) ox_system_query_at(system, OXI_TERMS(__VA_ARGS__), OX_HERE)

/// Makes a lookup, and declares that the system reads or writes the component.
OX_API ox_lookup ox_system_lookup_at(ox_system *system, uint32_t component, bool writes,
                                     ox_site site);
/// ox_system_lookup(system, OX_READ(Health)).
#define ox_system_lookup(system, term)                                                             \
    ox_system_lookup_at(system, oxi_component_id(OXI_LOOKUP_COMPONENT(term), OX_HERE),             \
                        OXI_LOOKUP_WRITES(term), OX_HERE)

/// Declares what else a system reads and writes, such as components that it gets by entity. A tag,
/// and a shared component that is written, order nothing and are reported.
/// @return false after a report.
OX_API bool ox_system_declare_at(ox_system *system, const ox_term *terms, ox_site site);
/// ox_system_declare(system, OX_READ(Health), OX_WRITE(Score)).
#define ox_system_declare(system, ...) ox_system_declare_at(system, OXI_TERMS(__VA_ARGS__), OX_HERE)

/// Lets a system update only while a query of its world finds an entity, filters and switches
/// aside; with several, while all do. A query that is given up does not count any more.
/// @return false after a report.
OX_API bool ox_system_require_at(ox_system *system, ox_query *query, ox_site site);
#define ox_system_require(system, query) ox_system_require_at(system, query, OX_HERE)

// Commands of systems: buffers that are played back and disposed by themselves. A handle lives
// until then, and is asked for anew in each update.

/// Commands for the update of a system. On main they are played back right after the update, one
/// buffer for all calls in it. In a system that schedules jobs each call gives a buffer that is
/// played back by the barrier at the end of the nearest group that has one.
/// @return {0} after a report.
OX_API ox_commands ox_system_commands_at(ox_system *system, ox_site site);
#define ox_system_commands(system) ox_system_commands_at(system, OX_HERE)

/// Commands that a barrier plays back when it is its turn, in the order of these calls. From then
/// on the barrier first completes what the system that asks returned, in every frame, recorded or
/// not; outside of updates nobody asks, and jobs that record are the caller's to complete.
/// ox_barrier_commands(ox_system_find(world, "EndSimulation")).
OX_API ox_commands ox_barrier_commands_at(ox_system *barrier, ox_site site);
#define ox_barrier_commands(barrier) ox_barrier_commands_at(barrier, OX_HERE)

// Frames.

/// Time, as a system or a world counts it.
typedef struct ox_time {
    float delta;    ///< seconds since the update before; in a group with steps, the step
    double elapsed; ///< seconds since the world was created, this update included
    uint64_t frame; ///< updates of the world; the first is 1
} ox_time;

/// Runs all systems of a world once, `delta` seconds after the last time. If it is the active
/// world the frame ends with it, unless the world's def says that the host ends frames.
/// @return false after a report: it is updating already, or `delta` is no number from 0 on.
OX_API bool ox_world_update_at(ox_world *world, float delta, ox_site site);
#define ox_world_update(world, delta) ox_world_update_at(world, delta, OX_HERE)

/// Runs one system, or one group, at once, outside of updates. @return false after a report.
OX_API bool ox_system_update_at(ox_system *system, ox_site site);
#define ox_system_update(system) ox_system_update_at(system, OX_HERE)

/// The time of a world, as of its last update.
OX_API ox_time ox_world_get_time(const ox_world *world);

/// The time of a system, in its update.
OX_API ox_time ox_system_get_time(const ox_system *system);

/// Seconds since its update before.
static inline float ox_system_get_delta(const ox_system *system) {
    return ox_system_get_time(system).delta;
}

/// Sets how long the steps of a group are, and how many fit into a frame: see ox_system_def. The
/// barrier at its end comes with the first step, and stays.
/// @return false after a report.
OX_API bool ox_group_set_step_at(ox_system *group, float step, int most_steps, ox_site site);
#define ox_group_set_step(group, step, most_steps)                                                 \
    ox_group_set_step_at(group, step, most_steps, OX_HERE)

// Order.

/// Sorts systems by what they say and by name alone, or, as at first, also so that main waits
/// little: see docs/systems.md.
OX_API void ox_world_order_by_name_at(ox_world *world, bool by_name, ox_site site);
#define ox_world_order_by_name(world, by_name) ox_world_order_by_name_at(world, by_name, OX_HERE)

// Systems, for tools.

/// Writes the queries of a system, in the order in which they were made, up to `capacity`: those
/// that it owns, and those of the jobs in its def that were scheduled. Of the root system of a
/// world: those that no system owns. None when `queries` is NULL. @return how many there are.
OX_API int ox_system_get_queries(const ox_system *system, ox_query **queries, int capacity);

/// An access of a system to a component.
typedef struct ox_system_access {
    uint32_t component;
    bool writes; ///< else it only reads
} ox_system_access;

/// Writes what a system declared to access, or was seen to access, up to `capacity`; none when
/// `accesses` is NULL. @return how many there are, each component once.
OX_API int ox_system_get_accesses(const ox_system *system, ox_system_access *accesses,
                                  int capacity);

/// Writes the systems that have a query which the entity matches, in the order of their updates, up
/// to `capacity`. Filters count. @return how many there are; 0 after a report.
OX_API int ox_entity_get_systems_at(ox_world *world, ox_entity entity, ox_system **systems,
                                    int capacity, ox_site site);
#define ox_entity_get_systems(world, entity, systems, capacity)                                    \
    ox_entity_get_systems_at(world, entity, systems, capacity, OX_HERE)

/// Says for every query of every system, in the order of updates, whether the entity matches, and
/// if not why: "Move: does not match the query of move.c:12: has no Velocity". Writes up to
/// `capacity` bytes to `buffer`, cut to fit, with a 0 at the end; NULL with capacity 0 asks for the
/// length alone.
/// @return the length of the whole text, without the 0; 0 after a report, or without queries.
OX_API size_t ox_entity_explain_systems_at(ox_world *world, ox_entity entity, char *buffer,
                                           size_t capacity, ox_site site);
#define ox_entity_explain_systems(world, entity, buffer, capacity)                                 \
    ox_entity_explain_systems_at(world, entity, buffer, capacity, OX_HERE)

// Inline code and macros.
#include "oxbow/detail/systems.h"
