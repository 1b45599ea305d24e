// SPDX-License-Identifier: MIT
//
// A world as its units see it.

#pragma once

#include "base/check.h"
#include "base/ended.h"
#include "base/platform.h"
#include "entities/attachments.h"
#include "jobs/run.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/syncs.h"
#include "storage/archetype_graph.h"
#include "storage/change.h"
#include "storage/store.h"

enum { OXI_WORLD_NAME = 32, OXI_SET_CACHE = 64, OXI_SET_CACHED = 6 };
enum { OXI_REACH_ON_MAIN, OXI_REACH_IN_JOBS };

/// A list of components as a caller gave it, and its archetype.
typedef struct oxi_cached_set {
    uint32_t components[OXI_SET_CACHED];
    uint32_t cells[OXI_SET_CACHED]; ///< where the values of each lie
    uint32_t count;                 ///< 0: nothing cached
    bool is_small;                  ///< all values have sizes of oxi_is_small
    bool is_plain;                  ///< its archetype has no shared components and no buffers
    oxi_archetype *archetype;
} oxi_cached_set;

/// The last way that an entity went when a shared component was set: others go it, too.
typedef struct oxi_shared_way {
    uint32_t component; ///< 0: none
    uint32_t type;      ///< its place in the types of the archetype
    uint32_t size;      ///< of the value
    const void *bytes;
    uint64_t lanes; ///< of the store: no lane went since
    const oxi_lane *from;
    oxi_lane *to;
    const oxi_edge *edge;
} oxi_shared_way;

struct oxi_type_fence;
struct oxi_scope;
struct oxi_world_watch;

// What a structural change has to do first.
enum {
    OXI_CHANGE_WAITS = 1,  ///< jobs may be outstanding: `busy` is not empty
    OXI_CHANGE_TELLS = 2,  ///< an attachment wants to know
    OXI_CHANGE_CLOSED = 4, ///< the world is inside of a call that it makes: nothing may change
};

/// A call of a shared component's that is under way: "hash", "equal", "copy" or "drop".
typedef struct oxi_user_call {
    const char *call; ///< NULL: none
    uint32_t component;
    bool was_closed; ///< before it
} oxi_user_call;

/// Components that worlds know.
typedef struct oxi_known_ids {
    uint32_t residue;
    uint32_t prefab;
    uint32_t disabled;
    uint32_t linked;
} oxi_known_ids;

/// Lets others use a world, one at a time, while its own thread may not.
typedef struct oxi_loan {
    ox_site begun;        ///< where it was lent
    bool is_lent;         ///< set on the world's thread
    uint64_t number;      ///< of the loan in the process: an old handle is told from this one's
    ox_world *next;       ///< that is lent, too
    uint64_t owner;       ///< the thread that gets it back
    oxi_atomic_u64 user;  ///< the thread that is inside; 0: none
    oxi_atomic_u32 order; ///< and its job, as oxi_this_run says; 0: outside of jobs
    oxi_atomic_ptr place; ///< the ox_site where they entered
    oxi_atomic_ptr job;   ///< the name of their job, or NULL
    ox_access access;     ///< of the transaction
} oxi_loan;

struct ox_world {
    oxi_store store;
    oxi_known_ids ids;
    ox_world_def def; ///< with defaults filled in; its name is `name`
    char name[OXI_WORLD_NAME];
    oxi_report_sink sink;
    ox_site made_at;
    uint32_t serial;
    uint64_t owner;          ///< serial of the thread that created it; 0: it is lent
    bool is_closed;          ///< it calls who may not use it: nothing may enter
    oxi_user_call user_call; ///< that call, if it is one of a shared component's
    ox_world *partner;       ///< the other world of a move or copy under way, closed with this one
    uint32_t change_needs;   ///< OXI_CHANGE_ flags, in one word: a change has one thing to look at
    struct oxi_scope *scope; ///< the world's own
    struct oxi_scope *updating;          ///< whose update is on its way, NULL: nobody's
    bool is_updating;                    ///< a frame is on its way: the world cannot be destroyed
    bool is_strict;                      ///< a wait that was not planned is a report
    const struct oxi_world_watch *watch; ///< looks on, or NULL
    OXI_LIST(struct oxi_type_fence) fences; ///< by the store's number of a component
    OXI_LIST(uint32_t) busy;                ///< places there that may have jobs
    uint64_t schedule_count; ///< moves with each job that is noted, over entities or not
    struct ox_query *first_query;
    uint64_t query_count;           ///< queries that were made
    uint64_t scope_count;           ///< scopes that got a number
    oxi_reach reach[2];             ///< of lookups: on main, and in jobs
    const oxi_cached_set *last_set; ///< whose values were given last
    oxi_shared_way shared_way;
    oxi_attachments attachments;
    oxi_loan loan;
    bool records_syncs;
    uint64_t sync_count;          ///< how many were recorded
    ox_sync syncs[OX_SYNCS_KEPT]; ///< the last ones, by their number modulo the size
    oxi_cached_set sets[OXI_SET_CACHE];
};

/// Puts into a world what belongs into every new one. @return false when out of memory.
typedef bool oxi_world_fill_fn(ox_world *world, ox_site site);

/// Sets who fills new worlds, unless their def says `no_systems`. Before main, or on main.
void oxi_world_set_fill(oxi_world_fill_fn *fill);

/// True when the job that runs here, or this thread outside of jobs, is inside of a lent world.
bool oxi_loan_is_entered(const oxi_loan *loan);

/// True on the world's thread, outside of jobs, and while the world is open; or inside of a
/// transaction that lends it. Else reports. Calls that are rare begin with it at every level.
bool oxi_world_require(const ox_world *world, const char *function, ox_site site);

/// Every other public call begins with it. Release looks whether there is a world, and no closer:
/// thread, job and transaction are looked at by calls that ask oxi_world_require themselves.
static inline bool oxi_world_enter(const ox_world *world, const char *function, ox_site site) {
#if OX_SAFETY >= 1
    if (world != NULL && !oxi_has_ended(world) && world->owner == oxi_thread_serial() &&
        oxi_this_run.order == 0 && !world->is_closed) {
        return true;
    }
    return oxi_world_require(world, function, site);
#else
    if (world == NULL) { // nothing goes on from here: leaves like ox_get keep their registers
        oxi_world_require(world, function, site);
        return false;
    }
    return true;
#endif
}

/// For calls that only look, and have no site: false for NULL, and after a report that the world
/// has ended.
static inline bool oxi_world_is_there(const ox_world *world, const char *function) {
    return world != NULL && oxi_require_not_ended(world, function, NULL);
}

/// Lets nothing enter a world, or lets it enter again.
void oxi_world_set_closed(ox_world *world, bool is_closed);

/// Reports that a world is used inside of a call that it makes. @return false.
bool oxi_world_report_closed(const ox_world *world, const char *function, ox_site site);

/// True for the name of a function of lookups: in a job, only ox_lookup_has can be asked.
bool oxi_is_lookup(const char *function);

/// Reports that an entity is not alive.
void oxi_world_report_stale(const ox_world *world, ox_entity entity, const char *function,
                            ox_site site);

/// The record of an entity, or NULL after a report that it is not alive.
static inline oxi_record *oxi_world_find(const ox_world *world, ox_entity entity,
                                         const char *function, ox_site site) {
    oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    if (record == NULL) {
        oxi_world_report_stale(world, entity, function, site);
    }
    return record;
}

/// The archetype of a handle, or NULL after a report.
oxi_archetype *oxi_world_archetype(ox_world *world, ox_archetype handle, ox_site site);

/// The archetype of component ids in any order, or NULL after a report.
oxi_archetype *oxi_world_find_set(ox_world *world, const uint32_t *components, uint32_t count,
                                  ox_site site);

/// The same list as the components of values, in their order, when it was used before. Else NULL.
const oxi_cached_set *oxi_world_find_values(ox_world *world, const ox_value *values,
                                            uint32_t count);

/// True when a list has the components of these values, in their order.
static inline bool oxi_set_is_of(const oxi_cached_set *set, const ox_value *values,
                                 uint32_t count) {
    bool is_same = set->count == count;
    for (uint32_t k = 0; is_same && k < count; k++) {
        is_same = set->components[k] == values[k].component;
    }
    return is_same;
}

/// Takes back an archetype that was made since there were `before`, when what it was made for
/// failed.
void oxi_world_undo_set(ox_world *world, size_t before);

/// Reports what a reservation came to. @return true when it is done.
bool oxi_world_report(const ox_world *world, oxi_outcome outcome, ox_site site);

/// The same for `count` new entities: OXI_AT_LIMIT means that the world is full.
bool oxi_world_report_entities(const ox_world *world, oxi_outcome outcome, uint64_t count,
                               ox_site site);

/// The same for a change of components: OXI_AT_LIMIT means that they do not fit, as `refused` of
/// the store says.
bool oxi_world_report_move(const ox_world *world, oxi_outcome outcome, ox_site site);

/// Reports that components do not fit into `most` bytes, or are too many. @return false.
bool oxi_world_report_large(const ox_world *world, const oxi_row_need *need, uint64_t most,
                            ox_site site);

/// Reports that a component is a tag, which has no value. @return false.
bool oxi_world_report_tag(const ox_world *world, uint32_t component, ox_site site);

/// True for a count from 0 to `most`; else reports.
bool oxi_count_require(const ox_world *world, int64_t count, int64_t most, const char *function,
                       ox_site site);

/// The same where there is no world: NULL is the handler of the process.
bool oxi_number_require(const oxi_report_sink *sink, int64_t count, int64_t most,
                        const char *function, ox_site site);

/// True for a component id that was given out; else reports.
bool oxi_component_check(const ox_world *world, uint32_t component, ox_site site);

/// True when rows can be read as they are: no job to wait for, no hole to close.
static inline bool oxi_world_is_calm(const ox_world *world) {
    return world->busy.count == 0 && world->store.dirty_count == 0;
}

/// Lets inline code on main find what it can as things are now.
void oxi_lookups_open_on_main(ox_world *world);

/// Before a job with lookups is scheduled: inline code of jobs finds all entities of now.
void oxi_lookups_open_in_jobs(ox_world *world);

/// Says what is wrong with a component of an entity that has no value to give.
void oxi_report_no_value(const ox_world *world, ox_entity entity, uint32_t component,
                         const char *function, ox_site site);

/// True when values can be given to an entity: a usable count, known components. Else reports.
bool oxi_values_require(const ox_world *world, const ox_value *values, int count, ox_site site);

/// Writes a value that was given to an entity, and stamps the component as changed. A shared value
/// came with the row: it changed when the row `moved`.
void oxi_give_value(ox_world *world, oxi_row_place place, const ox_value *value, bool moved);

/// Asserts that the whole world is as it should be.
void oxi_world_assert_valid(const ox_world *world);

/// Notes where the world is changed: when nothing can fail any more, before the first row changes.
static inline void oxi_world_note_change(ox_world *world, ox_site site) {
    world->store.changed_at = site;
    world->reach[OXI_REACH_ON_MAIN].calm = 0;
}

/// After a change: at level 3 the whole world is validated.
static inline void oxi_world_check(const ox_world *world) {
#if OX_SAFETY >= 3
    oxi_world_assert_valid(world);
#else
    (void)world;
#endif
}
