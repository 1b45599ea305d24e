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
// What systems read and write decides which jobs wait for each other, and moves systems on main
// after job systems that they conflict with. It never orders a writer before a reader: if one
// system needs what another writes in the same frame, write `.after`.
//
// `.before` and `.after` order the updates, which run on main. They do not complete jobs that an
// earlier update scheduled: jobs over entities wait by their terms, and calls that use a component
// on main complete the jobs that conflict. A container that systems share has no terms. Pass the
// handle of the job that writes it to the next jobs that use it, call ox_world_complete before main
// uses it, or let each of the systems declare a component that represents the container:
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

/// The update of a system that schedules jobs. Its jobs must wait for `after`. Returns a handle
/// that covers every job it scheduled. Jobs scheduled with OX_AUTO need not be covered; if there
/// are no others, return OX_NO_JOB.
typedef ox_job ox_job_system_fn(ox_system *system, ox_job after);

/// Prepares a system. @return false on failure; then the system is removed.
typedef bool ox_system_create_fn(ox_system *system);

enum {
    OX_MAX_ORDER = 8,        ///< names in `before`, and in `after`
    OX_MAX_SYSTEM_JOBS = 8,  ///< in `jobs`
    OX_MAX_INJECTED = 8,     ///< in `inject`
    OX_MAX_REQUIRED = 8,     ///< in `require`
    OX_MAX_BARRIERS = 4,     ///< in `barriers`
    OX_MAX_GROUP_DEPTH = 64, ///< nesting of groups; one in the group of all is 1 deep
};

/// The phase of its group in which a system runs. It overrides `before` and `after`.
typedef enum ox_system_phase {
    OX_PHASE_ANY = 0,
    OX_PHASE_FIRST, ///< before all with OX_PHASE_ANY
    OX_PHASE_LAST,  ///< after all with OX_PHASE_ANY
    OX_PHASE_BEGIN, ///< before all others: where a group begins
    OX_PHASE_END,   ///< after all others: where a group ends
} ox_system_phase;

/// What fills a field of the state of a system before its update.
typedef enum ox_injection_kind {
    OX_INJECTION_NONE = 0,
    OX_INJECTION_VIEWS,  ///< a struct of OX_VIEWS
    OX_INJECTION_LOOKUP, ///< an ox_lookup
    OX_INJECTION_SYSTEM, ///< an ox_system *
} ox_injection_kind;

/// Fills a struct of views, which begins with its query. OX_VIEWS declares one.
typedef bool oxi_views_fn(ox_world *world, void *views, ox_site site);

/// A field of a system's state. OX_INJECT_VIEWS, OX_INJECT_LOOKUP and OX_INJECT_SYSTEM make one.
typedef struct ox_injection {
    ox_injection_kind kind;
    size_t offset;           ///< of the field
    size_t size;             ///< of the field; 0: of a struct of views without values
    oxi_views_fn *fill;      ///< of a struct of views
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
    bool is_group;                 ///< it contains systems and has no update
    bool is_barrier;               ///< it plays back commands: see OX_BARRIER
    ox_system_fn *update;          ///< on main
    ox_job_system_fn *update_jobs; ///< or this, to schedule jobs

    /// Its group. NULL means "Simulation"; "World" is the group of all.
    const char *in;

    /// Systems or groups that must run after (`before`) or before (`after`) this one. If they are
    /// in another group, the constraint applies to the groups.
    const char *before[OX_MAX_ORDER];
    const char *after[OX_MAX_ORDER];
    ox_system_phase place;

    /// Jobs over entities that it schedules: OX_JOBS(Move, Steer). The system declares what they
    /// access. Declare what other jobs access by injection, or in `create`.
    ox_entity_job_type *jobs[OX_MAX_SYSTEM_JOBS];

    /// Fields of its state, filled before `create`, each update and `destroy`.
    ox_injection inject[OX_MAX_INJECTED];

    /// Barriers that complete its returned handle before they play back: see ox_barrier_commands.
    const char *barriers[OX_MAX_BARRIERS];

    /// Runs only while at least one entity matches these terms: OX_REQUIRE(OX_WITH(Player)).
    /// Filters and enabled bits are ignored. More queries with ox_system_require.
    ox_term require[OX_MAX_REQUIRED];

    ox_system_create_fn *create; ///< creates queries and lookups; must not schedule
    ox_system_fn *destroy;       ///< called when its jobs are complete
    ox_system_fn *start;         ///< before its first update, and the first one after a stop
    ox_system_fn *stop; ///< before the first frame in which it does not run, and before its end
    size_t state;       ///< bytes of its own memory, zeroed: see ox_system_state

    /// Fixed time step of a group, in seconds: the group runs as many steps as fit into the elapsed
    /// time, at most `most_steps` per frame. Its systems see the step as their delta. 0: once per
    /// frame. A group with a fixed step has a barrier at its end, called "End" and its name, unless
    /// you add one there.
    float step;
    int most_steps; ///< 0 means 8; the remaining time is dropped

    bool is_manual;  ///< it is not added to worlds automatically
    bool starts_off; ///< it is initially disabled

    struct ox_system_def *next; ///< private to the registry
} ox_system_def;

// Declaring systems: at file scope.

/// Declares a system on main, followed by its body, which has `ox_system *system`. Its def is the
/// static variable ox_system_Name of this file; other systems refer to it by name.
#define OX_SYSTEM(...) OXI_SYSTEM(__VA_ARGS__, .next = NULL)

/// Declares a system that schedules jobs, followed by its body, which has `ox_system *system` and
/// `ox_job after`, and returns a handle.
#define OX_JOB_SYSTEM(...) OXI_JOB_SYSTEM(__VA_ARGS__, .next = NULL)

/// Declares a group. Ends with a semicolon.
#define OX_GROUP(...) OXI_GROUP(__VA_ARGS__, .next = NULL)

/// Declares a barrier: a point in the order where commands are played back. Ends with a semicolon.
/// It runs as late as its constraints allow. The groups of every world begin and end with one:
/// BeginSimulation, EndSimulation, and those of Initialization and Presentation.
#define OX_BARRIER(...) OXI_BARRIER(__VA_ARGS__, .next = NULL)

/// .jobs = OX_JOBS(Move, Steer): up to 8 jobs over entities, declared before.
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
/// OX_INJECT_SYSTEM(State, other, "Other")} fills fields of the struct State.
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
/// Another system, by name; NULL after it was removed. A barrier counts as named in `barriers`.
#define OX_INJECT_SYSTEM(State, field, name)                                                       \
    { OX_INJECTION_SYSTEM, offsetof(State, field), sizeof(ox_system *), NULL, NULL, 0, false, name }

/// Registers a system for all worlds that are created later. The macros call it before main. Call
/// it while no world exists; `def` must stay valid.
OX_API void ox_system_register(ox_system_def *def);

// Systems of a world.

/// Adds a system, and its group and injected systems if they are missing. During an update the
/// system is created at once, and first updated in the next update.
/// @return NULL after a report: a duplicate or unknown name, a group nested too deeply, or `create`
/// failed.
OX_API ox_system *ox_system_add_at(ox_world *world, const ox_system_def *def, ox_site site);
/// ox_system_add(world, &(ox_system_def){.name = "Reap", .update = reap}).
#define ox_system_add(world, ...) ox_system_add_at(world, __VA_ARGS__, OX_HERE)

/// Adds all registered systems that are missing. Creating a world without `no_systems` does this.
/// @return the number of systems of the world.
OX_API int ox_world_add_systems_at(ox_world *world, ox_site site);
#define ox_world_add_systems(world) ox_world_add_systems_at(world, OX_HERE)

/// Completes the jobs of a system, then stops and destroys it; a group with everything in it.
/// During an update it does not run any more, and is destroyed when the update ends.
/// @return false after a report.
OX_API bool ox_system_remove_at(ox_system *system, ox_site site);
#define ox_system_remove(system) ox_system_remove_at(system, OX_HERE)

/// Returns the system or group of this name in the world, or NULL.
OX_API ox_system *ox_system_find(const ox_world *world, const char *name);

/// Writes the systems and groups of a world, in the order of their updates, up to `capacity`; a
/// group comes before its contents. @return the number of systems and groups.
OX_API int ox_world_get_systems_at(ox_world *world, ox_system **systems, int capacity,
                                   ox_site site);
#define ox_world_get_systems(world, systems, capacity)                                             \
    ox_world_get_systems_at(world, systems, capacity, OX_HERE)

/// Information about a system.
typedef struct ox_system_info {
    const char *name;
    ox_site site;
    ox_system *group; ///< NULL for those in the group of all
    bool is_group;
    bool is_enabled;      ///< its own setting; a disabled group disables it too
    bool is_running;      ///< it ran at its last turn
    uint32_t version;     ///< of its last update; 0: it never ran
    uint64_t run_count;   ///< updates
    uint32_t reads_count; ///< components that it declares to read and not to write
    uint32_t writes_count;
} ox_system_info;

/// Returns information about a system; zeros for a root system and for NULL.
OX_API ox_system_info ox_system_get_info(const ox_system *system);

/// Enables or disables a system, or a group with everything in it. A disabled one is stopped at its
/// next turn.
OX_API void ox_system_set_enabled_at(ox_system *system, bool is_enabled, ox_site site);
#define ox_system_set_enabled(system, is_enabled)                                                  \
    ox_system_set_enabled_at(system, is_enabled, OX_HERE)

/// Returns the memory of a system, of the `size` in its def. Scratch memory after a report.
OX_API void *ox_system_state_at(ox_system *system, size_t size, ox_site site);
/// State *state = ox_system_state(system, State).
#define ox_system_state(system, T) ((T *)ox_system_state_at(system, sizeof(T), OX_HERE))

// What a system accesses. Call these in `create`: they decide the order of systems, and what each
// one waits for. A query or lookup created during an update completes conflicting jobs immediately
// and does not change the order of systems.

/// Creates a query that the system owns, and declares what its terms read and write. The query is
/// destroyed with the system. A changed filter with version 0 means changes since the last run of
/// the system. The same terms, in any order, give the same query with its filters; for a second one
/// with other filters call ox_query_create and ox_system_declare. @return NULL after a report.
OX_API ox_query *ox_system_query_at(ox_system *system, const ox_term *terms, ox_site site);
/// ox_system_query(system, OX_WRITE(Position), OX_READ(Velocity)).
#define ox_system_query(system, ...) ox_system_query_at(system, OXI_TERMS(__VA_ARGS__), OX_HERE)

/// Creates a lookup, and declares that the system reads or writes the component.
OX_API ox_lookup ox_system_lookup_at(ox_system *system, uint32_t component, bool writes,
                                     ox_site site);
/// ox_system_lookup(system, OX_READ(Health)).
#define ox_system_lookup(system, term)                                                             \
    ox_system_lookup_at(system, oxi_component_id(OXI_LOOKUP_COMPONENT(term), OX_HERE),             \
                        OXI_LOOKUP_WRITES(term), OX_HERE)

/// Declares what else a system reads and writes, such as components that it gets by entity. Reports
/// tags, and shared components that are written: they order no systems.
/// @return false after a report.
OX_API bool ox_system_declare_at(ox_system *system, const ox_term *terms, ox_site site);
/// ox_system_declare(system, OX_READ(Health), OX_WRITE(Score)).
#define ox_system_declare(system, ...) ox_system_declare_at(system, OXI_TERMS(__VA_ARGS__), OX_HERE)

/// Runs a system only while at least one entity matches a query of its world; with several queries,
/// while all of them have one. Filters and enabled bits are ignored, and so are destroyed queries.
/// @return false after a report.
OX_API bool ox_system_require_at(ox_system *system, ox_query *query, ox_site site);
#define ox_system_require(system, query) ox_system_require_at(system, query, OX_HERE)

// Commands of systems: buffers that are played back and disposed automatically. A handle is valid
// until then: request it in each update.

/// Returns commands for the update of a system. For a system on main they are played back right
/// after the update, with one buffer for all calls. For a system that schedules jobs each call
/// gives a buffer, played back by the barrier at the end of the nearest group that has one.
/// @return {0} after a report.
OX_API ox_commands ox_system_commands_at(ox_system *system, ox_site site);
#define ox_system_commands(system) ox_system_commands_at(system, OX_HERE)

/// Returns commands that a barrier plays back at its turn, in the order of these calls:
/// ox_barrier_commands(ox_system_find(world, "EndSimulation")). From then on the barrier first
/// completes the returned handle of the calling system, in every frame, whether it records or not.
/// For calls outside updates, the caller completes the jobs that record.
OX_API ox_commands ox_barrier_commands_at(ox_system *barrier, ox_site site);
#define ox_barrier_commands(barrier) ox_barrier_commands_at(barrier, OX_HERE)

// Frames.

/// Time, as a system or a world counts it.
typedef struct ox_time {
    float delta;    ///< seconds since the previous update; in a group with a fixed step, the step
    double elapsed; ///< seconds since the world was created, including this update
    uint64_t frame; ///< updates of the world; the first is 1
} ox_time;

/// Runs all systems of a world once, `delta` seconds after the previous update. If the world is
/// active, also ends the frame, unless its def has `host_ends_frames`.
/// @return false after a report: it is already updating, or `delta` is negative or NaN.
OX_API bool ox_world_update_at(ox_world *world, float delta, ox_site site);
#define ox_world_update(world, delta) ox_world_update_at(world, delta, OX_HERE)

/// Runs one system, or one group, at once, outside updates. @return false after a report.
OX_API bool ox_system_update_at(ox_system *system, ox_site site);
#define ox_system_update(system) ox_system_update_at(system, OX_HERE)

/// Returns the time of a world, as of its last update.
OX_API ox_time ox_world_get_time(const ox_world *world);

/// Returns the time of a system, in its update.
OX_API ox_time ox_system_get_time(const ox_system *system);

/// Returns the seconds since the previous update of a system.
static inline float ox_system_get_delta(const ox_system *system) {
    return ox_system_get_time(system).delta;
}

/// Sets the fixed time step of a group, and the maximum number of steps per frame: see
/// ox_system_def. The first call with a step adds the barrier at its end.
/// @return false after a report.
OX_API bool ox_group_set_step_at(ox_system *group, float step, int most_steps, ox_site site);
#define ox_group_set_step(group, step, most_steps)                                                 \
    ox_group_set_step_at(group, step, most_steps, OX_HERE)

// Order.

/// Orders systems by their constraints and names only or, by default, also so that main waits
/// little: see docs/systems.md.
OX_API void ox_world_order_by_name_at(ox_world *world, bool by_name, ox_site site);
#define ox_world_order_by_name(world, by_name) ox_world_order_by_name_at(world, by_name, OX_HERE)

// Systems, for tools.

/// Writes the queries of a system, in order of creation, up to `capacity`: those that it owns, and
/// those of the jobs in its def that were scheduled. For the root system of a world: those that no
/// system owns. None if `queries` is NULL. @return the number of queries.
OX_API int ox_system_get_queries(const ox_system *system, ox_query **queries, int capacity);

/// An access of a system to a component.
typedef struct ox_system_access {
    uint32_t component;
    bool writes; ///< else it only reads
} ox_system_access;

/// Writes what a system declared to access, or actually accessed, up to `capacity`, each component
/// once; none if `accesses` is NULL. @return the number of accesses.
OX_API int ox_system_get_accesses(const ox_system *system, ox_system_access *accesses,
                                  int capacity);

/// Writes the systems with a query that the entity matches, in the order of their updates, up to
/// `capacity`. Filters count. @return the number of systems; 0 after a report.
OX_API int ox_entity_get_systems_at(ox_world *world, ox_entity entity, ox_system **systems,
                                    int capacity, ox_site site);
#define ox_entity_get_systems(world, entity, systems, capacity)                                    \
    ox_entity_get_systems_at(world, entity, systems, capacity, OX_HERE)

/// Explains for every query of every system, in the order of updates, whether the entity matches
/// and if not, why: "Move: does not match the query of move.c:12: has no Velocity". Writes up to
/// `capacity` bytes to `buffer`, truncated to fit and always terminated. With NULL and capacity 0
/// it only returns the length.
/// @return the length of the whole text without the terminator; 0 after a report, or without
/// queries.
OX_API size_t ox_entity_explain_systems_at(ox_world *world, ox_entity entity, char *buffer,
                                           size_t capacity, ox_site site);
#define ox_entity_explain_systems(world, entity, buffer, capacity)                                 \
    ox_entity_explain_systems_at(world, entity, buffer, capacity, OX_HERE)

// Inline code and macros.
#include "oxbow/detail/systems.h"
