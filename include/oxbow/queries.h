// SPDX-License-Identifier: MIT
//
// Queries: all entities that have some components and lack others.
//
//     ox_query *moving = ox_query_create(world, OX_WRITE(Position), OX_READ(Velocity),
//                                        OX_NONE(Frozen));
//     OX_EACH_CHUNK(moving, chunk) {
//         Position *p = ox_chunk_edit(chunk, Position);
//         const Velocity *v = ox_chunk_get(chunk, Velocity);
//         for (int i = 0; i < chunk.count; i++) { p[i].x += v[i].x; }
//     }
//
// Create a query once and keep it; it finds new sets of components automatically. Filters, shared
// values by chunk and views follow below.
//
// Inside a loop, entities may be created, destroyed and changed as long as the query matches them
// neither before nor after: the columns of the step stay valid, and the loop goes on. The query
// matches every entity with the components that the terms ask for, also where a filter or an
// enabled bit excludes it. A structural change of such an entity takes effect, too, but then leave
// the loop: its next step, or column, is reported, and the loop ends. Older pointers stay mapped.
//
// Threads: call everything here from the world's thread. Functions without an `_at` form only read;
// they return 0 or false for NULL.

#pragma once

#include "oxbow/array.h"
#include "oxbow/entities.h"
#include "oxbow/safety.h"

/// What a query says about a component.
typedef enum ox_term_kind {
    OX_TERM_END = 0,  ///< ends a list of terms
    OX_TERM_READ,     ///< entities have it, and it is read
    OX_TERM_WRITE,    ///< entities have it, and it is written
    OX_TERM_WITH,     ///< entities have it; it is not looked at
    OX_TERM_NONE,     ///< entities do not have it
    OX_TERM_ANY,      ///< entities have at least one of those of this kind
    OX_TERM_OPTIONAL, ///< read where it is there
    OX_TERM_ENTITY,   ///< jobs: the entity itself

    OX_TERM_DISABLED, ///< entities have it, disabled
    OX_TERM_PRESENT,  ///< entities have it, enabled or not
    OX_TERM_ABSENT,   ///< entities do not have it, not even disabled
    OX_TERM_ENABLED,  ///< entities have it, and its enabled bit is written
    OX_TERM_INCLUDE,  ///< entities may have it: of ox_prefab and ox_disabled, else left out

    OX_TERM_INDEX,   ///< jobs: the number of the row among all rows of the query
    OX_TERM_CHANGED, ///< jobs: whether the chunk's values changed since the last run
} ox_term_kind;

enum { OX_MAX_TERMS = 32 }; ///< terms of one query

/// One term. A component by its descriptor, or by its id when `component` is NULL.
typedef struct ox_term {
    ox_term_kind kind;
    ox_component *component;
    uint32_t id;
} ox_term;

/// Makes a query from terms, which end with OX_TERM_END. A component stands in one term; but one
/// that is read or written may also stand in a term that says how it is switched.
///
/// A component that can be switched off counts as there when it is on: for READ, WRITE, WITH and
/// ANY it must be on, for NONE it may be there when it is off. DISABLED and PRESENT beside READ or
/// WRITE say otherwise; ENABLED alone takes all, beside READ or WRITE those that are on. Entities
/// with ox_prefab or ox_disabled are left out unless a term names the tag; what is left of
/// destroyed entities, unless a term other than NONE and ABSENT names a component that is left, or
/// ox_residue.
/// @return NULL after a report: an unknown component, one that stands there twice, or too many.
OX_API ox_query *ox_query_create_at(ox_world *world, const ox_term *terms, ox_site site);

/// ox_query_create(world, OX_WRITE(Position), OX_READ(Velocity), OX_ANY(Ship, Tank)).
#define ox_query_create(world, ...) ox_query_create_at(world, OXI_TERMS(__VA_ARGS__), OX_HERE)

/// Destroys a query. Queries end with their world in any case. NULL is ignored; a query of a system
/// belongs to the system, and is refused with a report.
OX_API void ox_query_destroy_at(ox_query *query, ox_site site);
#define ox_query_destroy(query) ox_query_destroy_at(query, OX_HERE)

/// How many entities match, filters included.
OX_API int64_t ox_query_count_at(ox_query *query, ox_site site);
#define ox_query_count(query) ox_query_count_at(query, OX_HERE)

/// How many entities match when filters do not count. Looks at no chunk.
OX_API int64_t ox_query_count_all_at(ox_query *query, ox_site site);
#define ox_query_count_all(query) ox_query_count_all_at(query, OX_HERE)

/// True when none matches, filters included.
#define ox_query_is_empty(query) (ox_query_count_at(query, OX_HERE) == 0)

/// Says why an entity does not match, in words: "has no Velocity; has Frozen, which OX_NONE shuts
/// out". Filters count. Writes up to `size` bytes to `text`, cut to fit, with a 0 at the end; NULL
/// and 0 for the answer alone.
/// @return true when it matches: then the text is "matches". false with no text after a report.
OX_API bool ox_query_explain_at(ox_query *query, ox_entity entity, char *text, size_t size,
                                ox_site site);
#define ox_query_explain(query, entity, text, size)                                                \
    ox_query_explain_at(query, entity, text, size, OX_HERE)

// Filters. They stay until they are taken away. With some of these, only chunks pass that at least
// one lets pass: any component that is asked for changed, or the order did. See
// ox_query_filter_shared for filters by value.

/// Lets chunks pass in which this component may have been written since `version`. Set one after
/// another for several components. A version is what ox_world_get_version returned.
/// @return false after a report: the query does not read the component.
OX_API bool ox_query_filter_changed_at(ox_query *query, uint32_t component, uint32_t version,
                                       ox_site site);
#define ox_query_filter_changed(query, T, version)                                                 \
    ox_query_filter_changed_at(query, ox_component_id_of(T), version, OX_HERE)

/// Lets chunks pass to which entities came, or from which they went, since `version`.
OX_API bool ox_query_filter_order_at(ox_query *query, uint32_t version, ox_site site);
#define ox_query_filter_order(query, version) ox_query_filter_order_at(query, version, OX_HERE)

/// Takes all filters away.
OX_API void ox_query_reset_filters_at(ox_query *query, ox_site site);
#define ox_query_reset_filters(query) ox_query_reset_filters_at(query, OX_HERE)

/// The version that changes are stamped with now. Keep it, then advance: what changes later is
/// newer.
OX_API uint32_t ox_world_get_version(const ox_world *world);

/// Begins the next version, and returns it; 0 after a report.
OX_API uint32_t ox_world_advance_version_at(ox_world *world, ox_site site);
#define ox_world_advance_version(world) ox_world_advance_version_at(world, OX_HERE)

/// A number that moves whenever entities with this component come, go, or move. To see whether
/// something that was computed from them is still right.
OX_API uint32_t ox_world_get_order_version(const ox_world *world, uint32_t component);

// Chunk by chunk.

enum { OX_CHUNK_WORDS = 32 }; ///< words with a bit for each row of a chunk

/// A step of a walk: the entities of one chunk, or, where some have a disabled component, a
/// contiguous run of those that match.
typedef struct ox_chunk {
    int count;                 ///< entities
    const ox_entity *entities; ///< so many

    // For the walk's use.
    ox_query *query;
    uint32_t oxi_chunk; ///< 0: outside of the loop
    uint32_t oxi_match; ///< archetypes of the query that were entered
    uint32_t oxi_place; ///< in the last of them: the next chunk
    uint64_t oxi_changes;
    ox_site oxi_site;
    bool oxi_is_over;
    bool oxi_fetches;     ///< what comes next is fetched from memory ahead
    bool oxi_is_whole;    ///< steps are whole chunks, whatever is switched off
    const void *oxi_list; ///< chunks of the archetype that is walked: all, or those of one lane
    uint32_t oxi_first;   ///< row of the first entity
    uint32_t oxi_rows;    ///< rows of the chunk that `oxi_mask` is for; 0: it is not used
    uint64_t oxi_mask[OX_CHUNK_WORDS]; ///< which rows match
} ox_chunk;

/// Begins a walk: before the first chunk.
OX_API ox_chunk ox_query_chunks_at(ox_query *query, ox_site site);
#define ox_query_chunks(query) ox_query_chunks_at(query, OX_HERE)

/// Goes to the next chunk. @return false at the end, or after a report.
OX_API bool ox_chunk_next(ox_chunk *chunk);

/// A plain `for`: break, continue and return do what they always do.
#define OX_EACH_CHUNK(query, chunk)                                                                \
    for (ox_chunk chunk = ox_query_chunks_at(query, OX_HERE); ox_chunk_next(&chunk);)

/// The values of the chunk, to read: a column of chunk.count values, or the one value of a shared
/// component. NULL for an optional component that is not there. The query must have it as a term.
OX_API const void *ox_chunk_get_at(const ox_chunk *chunk, uint32_t component, ox_site site);
/// const Velocity *v = ox_chunk_get(chunk, Velocity). Of a shared component a pointer to the value,
/// of a buffer an ox_buffers.
#define ox_chunk_get(chunk, T)                                                                     \
    OXI_SEE_COLUMNS_READ(T, OXI_PICK(T, ox_chunk_get_at, oxi_chunk_get_buffers)(                   \
                                &(chunk), ox_component_id_of(T), OX_HERE))

/// The same to write: the query must have it as OX_WRITE. Marks the component as changed.
OX_API void *ox_chunk_edit_at(const ox_chunk *chunk, uint32_t component, ox_site site);
/// Position *p = ox_chunk_edit(chunk, Position). Of a buffer an ox_buffers.
#define ox_chunk_edit(chunk, T)                                                                    \
    OXI_SEE_COLUMNS_WRITE(T, OXI_PICK(T, ox_chunk_edit_at, oxi_chunk_edit_buffers)(                \
                                 &(chunk), ox_component_id_of(T), OX_HERE))

/// The buffers of the chunk, to read or to write: the plain form of ox_chunk_get and ox_chunk_edit
/// for buffers. {0} for an optional component that is not there, and after a report.
OX_API ox_buffers ox_chunk_get_buffers_at(const ox_chunk *chunk, uint32_t component, bool writes,
                                          ox_site site);

/// True when the entities of this chunk have a component, a term of the query or not.
OX_API bool ox_chunk_has_id(const ox_chunk *chunk, uint32_t component);
/// ox_chunk_has(chunk, Archer).
#define ox_chunk_has(chunk, T) ox_chunk_has_id(&(chunk), ox_component_id_of(T))

// Copying out and in, in the order of the walk.

/// The entities that match, as an array of ox_entity. @return {0} after a report.
OX_API ox_array ox_query_copy_entities_at(ox_query *query, ox_allocator allocator, ox_site site);
#define ox_query_copy_entities(query, allocator)                                                   \
    ox_query_copy_entities_at(query, allocator, OX_HERE)

/// The values of one component, as an array. @return {0} after a report.
OX_API ox_array ox_query_copy_values_at(ox_query *query, uint32_t component, ox_allocator allocator,
                                        ox_site site);
#define ox_query_copy_values(query, T, allocator)                                                  \
    ox_query_copy_values_at(query, ox_component_id_of(T), allocator, OX_HERE)

/// Writes values back, one for each entity that matches. @return false after a report.
OX_API bool ox_query_set_values_at(ox_query *query, uint32_t component, ox_array values,
                                   ox_site site);
#define ox_query_set_values(query, T, values)                                                      \
    ox_query_set_values_at(query, ox_component_id_of(T), values, OX_HERE)

// Changes to all entities that match. Where no value has to be stored, whole chunks change sides
// and no entity moves.

/// Adds a component, zero, to those that do not have it. @return false after a report.
OX_API bool ox_query_add_at(ox_query *query, uint32_t component, ox_site site);
#define ox_query_add(query, T) ox_query_add_at(query, ox_component_id_of(T), OX_HERE)

/// Removes a component from those that have it. @return false after a report.
OX_API bool ox_query_remove_at(ox_query *query, uint32_t component, ox_site site);
#define ox_query_remove(query, T) ox_query_remove_at(query, ox_component_id_of(T), OX_HERE)

/// Destroys all that match. @return how many that were.
OX_API int64_t ox_query_destroy_entities_at(ox_query *query, ox_site site);
#define ox_query_destroy_entities(query) ox_query_destroy_entities_at(query, OX_HERE)

// Terms.

/// Terms of queries and of jobs over entities: components that are read or written. A job also
/// names each: OX_READ(Velocity, velocity). What it sees depends on the kind of the component: a
/// pointer to data or to a shared value, or an ox_buffer. Shared values are read only.
#define OX_READ(...)  OXI_VALUED_TERM(OX_TERM_READ, read, __VA_ARGS__, OXI_MISSING_NAME, ~)
#define OX_WRITE(...) OXI_VALUED_TERM(OX_TERM_WRITE, write, __VA_ARGS__, OXI_MISSING_NAME, ~)

/// A component that is read where it is there: a job sees NULL, or the buffer {0}, where it is not.
#define OX_OPTIONAL(...)                                                                           \
    OXI_VALUED_TERM(OX_TERM_OPTIONAL, optional, __VA_ARGS__, OXI_MISSING_NAME, ~)

/// Terms that only decide which entities match, each of up to six components.
#define OX_WITH(...)     (OXI_FILTER, OX_TERM_WITH, __VA_ARGS__)
#define OX_NONE(...)     (OXI_FILTER, OX_TERM_NONE, __VA_ARGS__)
#define OX_ANY(...)      (OXI_FILTER, OX_TERM_ANY, __VA_ARGS__)
#define OX_DISABLED(...) (OXI_FILTER, OX_TERM_DISABLED, __VA_ARGS__)
#define OX_PRESENT(...)  (OXI_FILTER, OX_TERM_PRESENT, __VA_ARGS__)
#define OX_ABSENT(...)   (OXI_FILTER, OX_TERM_ABSENT, __VA_ARGS__)
#define OX_INCLUDE(...)  (OXI_FILTER, OX_TERM_INCLUDE, __VA_ARGS__)

/// The enabled bit of a component, which is written: OX_ENABLED(Stunned); a job names the bit of
/// its row.
#define OX_ENABLED(...) OXI_ENABLED_TERM(__VA_ARGS__, OXI_MISSING_NAME, ~)

// Components that can be disabled, by query and by chunk.

/// Enables or disables a component of all entities in the chunks of a query: the query names it, as
/// OX_WRITE or OX_ENABLED.
/// @return false after a report.
OX_API bool ox_query_set_enabled_at(ox_query *query, uint32_t component, bool is_enabled,
                                    ox_site site);
#define ox_query_set_enabled(query, T, is_enabled)                                                 \
    ox_query_set_enabled_at(query, ox_component_id_of(T), is_enabled, OX_HERE)

/// Enables or disables a component of a row of a chunk. The query names it as OX_WRITE or
/// OX_ENABLED.
OX_API bool ox_chunk_set_enabled_at(const ox_chunk *chunk, int row, uint32_t component,
                                    bool is_enabled, ox_site site);
#define ox_chunk_set_enabled(chunk, row, T, is_enabled)                                            \
    ox_chunk_set_enabled_at(&(chunk), row, ox_component_id_of(T), is_enabled, OX_HERE)

/// True when the component of a row is enabled.
OX_API bool ox_chunk_is_enabled_at(const ox_chunk *chunk, int row, uint32_t component,
                                   ox_site site);
#define ox_chunk_is_enabled(chunk, row, T)                                                         \
    ox_chunk_is_enabled_at(&(chunk), row, ox_component_id_of(T), OX_HERE)

/// The one entity that a query matches, filters included. @return the null entity after a report.
OX_API ox_entity ox_query_get_single_at(ox_query *query, ox_site site);
#define ox_query_get_single(query) ox_query_get_single_at(query, OX_HERE)

// Shared components: one value for many entities.
//
//     OX_SHARED(Team, { int id; });
//     ox_add(world, orc, Team, {2});
//     ox_set(world, orc, Team, {3});                 // moves it to a chunk of team 3
//     int id = ox_get(world, orc, Team)->id;
//     ox_query_filter_shared(units, Team, {.id = 2});
//
// A world stores equal values once. All entities of a chunk have the same values, so setting one is
// a structural change, and many different values make many chunks that are not full. The value of
// all zeros is the default: adding the component without a value gives it. A value lives while an
// entity, or a filter, has it; see ox_shared_define for values that own memory. ox_add, ox_set,
// ox_get, ox_read, ox_has and ox_remove do what they do with any component.

/// Lets only chunks with this value of a shared component pass, beside what other filters say. The
/// query has it as a term. One value for each component, two components at most; set again, it is
/// replaced. The value is kept while the filter is.
/// @return false after a report.
OX_API bool ox_query_filter_shared_at(ox_query *query, uint32_t component, const void *value,
                                      ox_site site);
/// ox_query_filter_shared(units, Team, {.id = 2}).
#define ox_query_filter_shared(query, T, ...)                                                      \
    ox_query_filter_shared_at(query, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Gives all entities that match this value: whole chunks, no entity moves but to fill chunks. The
/// query has the component as a term. @return false after a report.
OX_API bool ox_query_set_shared_at(ox_query *query, uint32_t component, const void *value,
                                   ox_site site);
#define ox_query_set_shared(query, T, ...)                                                         \
    ox_query_set_shared_at(query, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Gives all entities of the chunk another value, including those that do not match because of
/// enabled bits. A structural change: leave the loop after it.
/// @return false after a report.
OX_API bool ox_chunk_set_shared_at(const ox_chunk *chunk, uint32_t component, const void *value,
                                   ox_site site);
#define ox_chunk_set_shared(chunk, T, ...)                                                         \
    ox_chunk_set_shared_at(&(chunk), ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// All values of a shared component that the world has: the default first, then the others. As an
/// array of its structs. @return {0} after a report.
OX_API ox_array ox_shared_copy_values_at(ox_world *world, uint32_t component,
                                         ox_allocator allocator, ox_site site);
#define ox_shared_copy_values(world, T, allocator)                                                 \
    ox_shared_copy_values_at(world, ox_component_id_of(T), allocator, OX_HERE)

/// A number that moves whenever entities with this value come, go, or move; 0 for a value that
/// nobody has.
OX_API uint32_t ox_shared_get_order_version(const ox_world *world, uint32_t component,
                                            const void *value);

// Views: components as if they lay in one array.
//
//     ox_view positions = ox_query_view(moving, Position);
//     for (int i = 0; i < positions.count; i++) {
//         Position p = ox_view_read(positions, i, Position);
//         ...
//     }
//
// Views of one query have the same length, and the same index is the same entity. They end with the
// next structural change of the world, and when a view is made after the filters of the query came
// to let other chunks pass: using one after that is a report. A loop over chunks is faster. Making
// a view waits for nothing but jobs that switch what decides about rows; reading and writing
// through it wait as ox_get and ox_edit do.
//
// Jobs may hold views, as they hold containers:
//
//     OX_PARALLEL_JOB(Fall, { ox_view positions; OX_READ_ONLY ox_view masses; }) {
//         ox_view_edit(job->positions, i, Position)->y -= ox_view_read(job->masses, i, Mass).kg;
//     }
//
// A parallel job reaches its own batch, unless the field is OX_READ_ONLY or OX_UNRESTRICTED. A view
// of entities, and of what the query only reads, goes into an OX_READ_ONLY field. Chunks of a view
// that a job may write count as changed when the job is scheduled. Schedule such jobs in a job
// system, whose handle stands for them, or complete them yourself: until then, a call on main that
// they conflict with is refused with a report. In a job over entities a view counts as a term.
//
// All other calls belong to the world's thread.

/// One component of all entities of a query, or the entities themselves. Copy it freely.
typedef struct ox_view {
    ox_query *query;
    int count;
    uint32_t component; ///< 0: the entities
    ox_access access;   ///< for the safety system, in jobs
    uint64_t oxi_windows;
    ox_site oxi_site;
} ox_view;

/// A view of a component that the query reads or writes. @return a view of none after a report.
OX_API ox_view ox_query_view_at(ox_query *query, uint32_t component, ox_site site);
#define ox_query_view(query, T) ox_query_view_at(query, ox_component_id_of(T), OX_HERE)

/// A view of the entities.
#define ox_query_view_entities(query) ox_query_view_at(query, 0, OX_HERE)

/// The value at an index, to read: of a shared component the one that the entity shares. After a
/// report it is zeros.
OX_API const void *ox_view_get_at(ox_view view, int64_t index, ox_site site);
/// ox_view_get(positions, i, Position)->x. Of a buffer an ox_buffer. A T that the view is not of is
/// reported.
#define ox_view_get(view, index, T)                                                                \
    OXI_SEE_READ(T, OXI_PICK(T, oxi_view_get, oxi_view_get_buffer)(                                \
                        view, (int64_t)(index), ox_component_id_of(T), OX_HERE))

/// The value at an index: Position p = ox_view_read(positions, i, Position).
#define ox_view_read(view, index, T) (*ox_view_get(view, index, T))

/// The entity at an index, of a view of entities.
#define ox_view_read_entity(view, index)                                                           \
    (*(const ox_entity *)ox_view_get_at(view, (int64_t)(index), OX_HERE))

/// The value at an index, to write: the query must have it as OX_WRITE.
OX_API void *ox_view_edit_at(ox_view view, int64_t index, ox_site site);
/// ox_view_edit(positions, i, Position)->x = 1. Of a buffer an ox_buffer.
#define ox_view_edit(view, index, T)                                                               \
    OXI_SEE_WRITE(T, OXI_PICK(T, oxi_view_edit, oxi_view_edit_buffer)(                             \
                         view, (int64_t)(index), ox_component_id_of(T), OX_HERE))

/// The buffer at an index: the plain form of ox_view_get and, if `writes`, of ox_view_edit for
/// buffers. On main the handle lives as those of ox_get_buffer_at do, in a job as long as the job.
/// @return {0} after a report.
OX_API ox_buffer ox_view_get_buffer_at(ox_view view, int64_t index, bool writes, ox_site site);

/// Sets the value at an index; it comes last and may stand in braces.
#define ox_view_set(view, index, T, ...)                                                           \
    ((void)(*ox_view_edit(view, index, T) = *OXI_VALUE(T, __VA_ARGS__)))

/// Contiguous values.
typedef struct ox_view_span {
    const void *values;
    int count;
} ox_view_span;

/// The contiguous values from `index` on, up to `most` of them: fewer at the end of a chunk. A
/// window that begins or ends outside of the view is a report: `most` is at most `view.count -
/// index`.
/// @return none after a report, and for a `most` of 0.
OX_API ox_view_span ox_view_get_span_at(ox_view view, int64_t index, int64_t most, ox_site site);
/// ox_view_get_span(positions, i, 16).
#define ox_view_get_span(view, index, most)                                                        \
    ox_view_get_span_at(view, (int64_t)(index), (int64_t)(most), OX_HERE)

// A struct of views, filled in one call:
//
//     OX_VIEWS(Movers, (OX_WRITE(Position, position), OX_READ(Velocity, velocity),
//                       OX_NONE(Frozen)));
//     Movers movers = {0};
//     ox_views_fill(world, &movers, Movers);
//     for (int i = 0; i < movers.count; i++) { ox_view_edit(movers.position, i, Position)->x++; }

/// Declares a struct type with `int count`, `ox_view entities`, one ox_view for each OX_READ and
/// OX_WRITE, and the query behind them, which comes first. At file scope.
// long: a struct and the functions that fill it
#define OX_VIEWS(Name, terms)                                                                      \
    OXI_EACH_IN(OXI_VIEW_CHECK, terms)                                                             \
    typedef struct Name {                                                                          \
        ox_query *query;                                                                           \
        int count;                                                                                 \
        ox_view entities OXI_EACH_IN(OXI_VIEW_FIELD, terms);                                       \
    } Name;                                                                                        \
    OXI_VIEWS_FILL(Name, terms)                                                                    \
    OXI_VIEWS_INJECT(Name)                                                                         \
    OXI_STATIC_ASSERT(sizeof(Name) > 0, "")

/// Fills a struct of views. Its query is made the first time; a zeroed struct has none.
/// @return false after a report.
#define ox_views_fill(world, views, Name) Name##_fill(world, views, OX_HERE)

// Writing what a query matches.

/// Writes the entities that match, filters included, with all of their components, in the order of
/// the walk: see ox_world_write_text.
/// @return the length of the whole text, without the 0; 0 after a report.
OX_API size_t ox_query_write_text_at(ox_query *query, char *buffer, size_t capacity, ox_site site);
#define ox_query_write_text(query, buffer, capacity)                                               \
    ox_query_write_text_at(query, buffer, capacity, OX_HERE)

/// The same as JSON: see ox_world_write_json.
OX_API size_t ox_query_write_json_at(ox_query *query, char *buffer, size_t capacity, ox_site site);
#define ox_query_write_json(query, buffer, capacity)                                               \
    ox_query_write_json_at(query, buffer, capacity, OX_HERE)

// Queries, for tools.

/// Writes the queries of a world, those of systems and jobs included, in the order in which they
/// were made, up to `capacity`; none when `queries` is NULL. @return how many there are.
OX_API int ox_world_get_queries(const ox_world *world, ox_query **queries, int capacity);

/// What is known of a query.
typedef struct ox_query_info {
    ox_world *world;
    ox_site site;             ///< where it was made
    struct ox_system *system; ///< that owns it, or NULL
    int term_count;
    int filter_count;
} ox_query_info;

/// Tells about a query.
OX_API ox_query_info ox_query_get_info(const ox_query *query);

/// Writes the terms of a query, with component ids, up to `capacity`; none when `terms` is NULL. No
/// OX_TERM_END follows. @return how many there are.
OX_API int ox_query_get_terms(const ox_query *query, ox_term *terms, int capacity);

// Inline code and macros.
#include "oxbow/detail/terms.h"
