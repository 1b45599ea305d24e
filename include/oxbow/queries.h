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
// Create a query once and keep it; it matches new archetypes automatically. Filters, shared values
// by chunk and views follow below.
//
// Inside a loop, entities may be created, destroyed and changed as long as the query matches them
// neither before nor after: the columns of the step stay valid, and the loop continues. Here the
// query matches every entity with the components that the terms require, also where a filter or an
// enabled bit excludes it. A structural change of such an entity also takes effect, but then leave
// the loop: its next step, or column, is reported, and the loop ends. Older pointers stay mapped.
//
// Threads: call everything here from the world's thread. Functions without an `_at` form only read;
// they return 0 or false for NULL.

#pragma once

#include "oxbow/array.h"
#include "oxbow/entities.h"
#include "oxbow/safety.h"

/// The kind of a term: what a query requires of a component.
typedef enum ox_term_kind {
    OX_TERM_END = 0,  ///< ends a list of terms
    OX_TERM_READ,     ///< entities have it, and it is read
    OX_TERM_WRITE,    ///< entities have it, and it is written
    OX_TERM_WITH,     ///< entities have it; its value is not used
    OX_TERM_NONE,     ///< entities do not have it
    OX_TERM_ANY,      ///< entities have at least one of the components of this kind
    OX_TERM_OPTIONAL, ///< read if it is present
    OX_TERM_ENTITY,   ///< jobs: the entity itself

    OX_TERM_DISABLED, ///< entities have it, disabled
    OX_TERM_PRESENT,  ///< entities have it, enabled or not
    OX_TERM_ABSENT,   ///< entities do not have it, not even disabled
    OX_TERM_ENABLED,  ///< entities have it, and its enabled bit is written
    OX_TERM_INCLUDE,  ///< for ox_prefab and ox_disabled: entities may have it; otherwise they are
                      ///< skipped

    OX_TERM_INDEX,   ///< jobs: the number of the row among all rows of the query
    OX_TERM_CHANGED, ///< jobs: whether values of the chunk changed since the last run
} ox_term_kind;

enum { OX_MAX_TERMS = 32 }; ///< maximum number of terms of a query

/// A term. It names the component by its descriptor, or by its id if `component` is NULL.
typedef struct ox_term {
    ox_term_kind kind;
    ox_component *component;
    uint32_t id;
} ox_term;

/// Creates a query from terms, which end with OX_TERM_END. Each component is in one term; one that
/// is read or written may also be in a term about its enabled bit.
///
/// A disabled component counts as absent: READ, WRITE, WITH and ANY match only entities where it is
/// enabled, and NONE also those where it is disabled. DISABLED or PRESENT in addition to READ or
/// WRITE changes that. ENABLED alone matches both; in addition to READ or WRITE it matches enabled
/// ones. Queries skip entities with ox_prefab or ox_disabled unless a term names the tag. They skip
/// destroyed entities that keep cleanup components, unless a term other than NONE and ABSENT names
/// such a component, or ox_destroyed.
/// @return NULL after a report: an unknown component, a duplicate, or too many terms.
OX_API ox_query *ox_query_create_at(ox_world *world, const ox_term *terms, ox_site site);

/// ox_query_create(world, OX_WRITE(Position), OX_READ(Velocity), OX_ANY(Ship, Tank)).
#define ox_query_create(world, ...) ox_query_create_at(world, OXI_TERMS(__VA_ARGS__), OX_HERE)

/// Destroys a query. Destroying a world also destroys its queries. NULL is ignored. A query that a
/// system owns is refused with a report.
OX_API void ox_query_destroy_at(ox_query *query, ox_site site);
#define ox_query_destroy(query) ox_query_destroy_at(query, OX_HERE)

/// Returns the number of entities that match, including filters.
OX_API int64_t ox_query_count_at(ox_query *query, ox_site site);
#define ox_query_count(query) ox_query_count_at(query, OX_HERE)

/// Returns the number of entities that match, ignoring filters. Reads no chunk.
OX_API int64_t ox_query_count_all_at(ox_query *query, ox_site site);
#define ox_query_count_all(query) ox_query_count_all_at(query, OX_HERE)

/// Returns true if no entity matches, including filters.
#define ox_query_is_empty(query) (ox_query_count_at(query, OX_HERE) == 0)

/// Explains why an entity does not match: "has no Velocity; has Frozen, which OX_NONE shuts out".
/// Filters count. Writes up to `size` bytes to `text`, truncated to fit and always terminated. Pass
/// NULL and 0 for the result alone.
/// @return true if it matches, with the text "matches". false with no text after a report.
OX_API bool ox_query_explain_at(ox_query *query, ox_entity entity, char *text, size_t size,
                                ox_site site);
#define ox_query_explain(query, entity, text, size)                                                \
    ox_query_explain_at(query, entity, text, size, OX_HERE)

// Filters. They stay until they are reset. If a query has several of the following ones, a chunk
// passes if any of them lets it pass. See ox_query_filter_shared for filters by value.

/// Lets chunks pass in which this component may have been written since `version`, as
/// ox_world_get_version returned it. Call it once per component.
/// @return false after a report: the query does not read the component.
OX_API bool ox_query_filter_changed_at(ox_query *query, uint32_t component, uint32_t version,
                                       ox_site site);
#define ox_query_filter_changed(query, T, version)                                                 \
    ox_query_filter_changed_at(query, ox_component_id_of(T), version, OX_HERE)

/// Lets chunks pass that entities entered or left since `version`.
OX_API bool ox_query_filter_order_at(ox_query *query, uint32_t version, ox_site site);
#define ox_query_filter_order(query, version) ox_query_filter_order_at(query, version, OX_HERE)

/// Removes all filters.
OX_API void ox_query_reset_filters_at(ox_query *query, ox_site site);
#define ox_query_reset_filters(query) ox_query_reset_filters_at(query, OX_HERE)

/// Returns the version that stamps changes now. Keep it, then advance: later changes are newer.
OX_API uint32_t ox_world_get_version(const ox_world *world);

/// Begins the next version and returns it. 0 after a report.
OX_API uint32_t ox_world_advance_version_at(ox_world *world, ox_site site);
#define ox_world_advance_version(world) ox_world_advance_version_at(world, OX_HERE)

/// Returns a number that changes when an entity with this component is added, removed or moved. Use
/// it to check whether derived data is still valid.
OX_API uint32_t ox_world_get_order_version(const ox_world *world, uint32_t component);

// Chunk by chunk.

enum { OX_CHUNK_WORDS = 32 }; ///< words with a bit for each row of a chunk

/// A step of a walk: the entities of a chunk or, if some have a disabled component, a contiguous
/// run of matching ones.
typedef struct ox_chunk {
    int count;                 ///< entities
    const ox_entity *entities; ///< `count` of them

    // Private to the walk.
    ox_query *query;
    uint32_t oxi_chunk; ///< 0: outside the loop
    uint32_t oxi_match; ///< archetypes of the query that were entered
    uint32_t oxi_place; ///< the next chunk of the last of them
    uint64_t oxi_changes;
    ox_site oxi_site;
    bool oxi_is_over;
    bool oxi_fetches;  ///< the next chunk is prefetched
    bool oxi_is_whole; ///< steps are whole chunks, regardless of enabled bits
    const void
        *oxi_list;      ///< chunks of the current archetype: all, or those with equal shared values
    uint32_t oxi_first; ///< row of the first entity
    uint32_t oxi_rows;  ///< rows that `oxi_mask` covers; 0: it is not used
    uint64_t oxi_mask[OX_CHUNK_WORDS]; ///< which rows match
} ox_chunk;

/// Begins a walk, before the first chunk.
OX_API ox_chunk ox_query_chunks_at(ox_query *query, ox_site site);
#define ox_query_chunks(query) ox_query_chunks_at(query, OX_HERE)

/// Advances to the next chunk. @return false at the end, or after a report.
OX_API bool ox_chunk_next(ox_chunk *chunk);

/// Loops over the chunks of a query. A plain `for`: break, continue and return work as usual.
#define OX_EACH_CHUNK(query, chunk)                                                                \
    for (ox_chunk chunk = ox_query_chunks_at(query, OX_HERE); ox_chunk_next(&chunk);)

/// Returns the values of the chunk, for reading: a column of chunk.count values, or the single
/// value of a shared component. NULL for an absent optional component. The query must have a term
/// for it.
OX_API const void *ox_chunk_get_at(const ox_chunk *chunk, uint32_t component, ox_site site);
/// const Velocity *v = ox_chunk_get(chunk, Velocity). Gives a pointer to the value of a shared
/// component, and an ox_buffers for a buffer.
#define ox_chunk_get(chunk, T)                                                                     \
    OXI_SEE_COLUMNS_READ(T, OXI_PICK(T, ox_chunk_get_at, oxi_chunk_get_buffers)(                   \
                                &(chunk), ox_component_id_of(T), OX_HERE))

/// The same for writing. The query must have it as OX_WRITE. Marks the component as changed.
OX_API void *ox_chunk_edit_at(const ox_chunk *chunk, uint32_t component, ox_site site);
/// Position *p = ox_chunk_edit(chunk, Position). Gives an ox_buffers for a buffer.
#define ox_chunk_edit(chunk, T)                                                                    \
    OXI_SEE_COLUMNS_WRITE(T, OXI_PICK(T, ox_chunk_edit_at, oxi_chunk_edit_buffers)(                \
                                 &(chunk), ox_component_id_of(T), OX_HERE))

/// Returns the buffers of the chunk, for reading or writing: the plain form of ox_chunk_get and
/// ox_chunk_edit for buffers. {0} for an absent optional component, and after a report.
OX_API ox_buffers ox_chunk_get_buffers_at(const ox_chunk *chunk, uint32_t component, bool writes,
                                          ox_site site);

/// Returns true if the entities of this chunk have a component, whether the query names it or not.
OX_API bool ox_chunk_has_id(const ox_chunk *chunk, uint32_t component);
/// ox_chunk_has(chunk, Archer).
#define ox_chunk_has(chunk, T) ox_chunk_has_id(&(chunk), ox_component_id_of(T))

// Copying values to and from arrays, in the order of the walk.

/// Creates an array of ox_entity with the entities that match. @return {0} after a report.
OX_API ox_array ox_query_copy_entities_at(ox_query *query, ox_allocator allocator, ox_site site);
#define ox_query_copy_entities(query, allocator)                                                   \
    ox_query_copy_entities_at(query, allocator, OX_HERE)

/// Creates an array with the values of one component. @return {0} after a report.
OX_API ox_array ox_query_copy_values_at(ox_query *query, uint32_t component, ox_allocator allocator,
                                        ox_site site);
#define ox_query_copy_values(query, T, allocator)                                                  \
    ox_query_copy_values_at(query, ox_component_id_of(T), allocator, OX_HERE)

/// Sets the values of one component, one for each entity that matches. @return false after a
/// report.
OX_API bool ox_query_set_values_at(ox_query *query, uint32_t component, ox_array values,
                                   ox_site site);
#define ox_query_set_values(query, T, values)                                                      \
    ox_query_set_values_at(query, ox_component_id_of(T), values, OX_HERE)

// Changes to all entities that match. If no value must be stored, whole chunks change their
// archetype and no entity moves.

/// Adds a component, with zeros, to those that lack it. @return false after a report.
OX_API bool ox_query_add_at(ox_query *query, uint32_t component, ox_site site);
#define ox_query_add(query, T) ox_query_add_at(query, ox_component_id_of(T), OX_HERE)

/// Removes a component from those that have it. @return false after a report.
OX_API bool ox_query_remove_at(ox_query *query, uint32_t component, ox_site site);
#define ox_query_remove(query, T) ox_query_remove_at(query, ox_component_id_of(T), OX_HERE)

/// Destroys all entities that match. @return the number of destroyed entities.
OX_API int64_t ox_query_destroy_entities_at(ox_query *query, ox_site site);
#define ox_query_destroy_entities(query) ox_query_destroy_entities_at(query, OX_HERE)

// Terms.

/// Terms of queries and of jobs over entities: components that are read or written. A job also
/// gives each a name: OX_READ(Velocity, velocity). The name is a pointer to data or to a shared
/// value, or an ox_buffer. Shared values are read-only.
#define OX_READ(...)  OXI_VALUED_TERM(OX_TERM_READ, read, __VA_ARGS__, OXI_MISSING_NAME, ~)
#define OX_WRITE(...) OXI_VALUED_TERM(OX_TERM_WRITE, write, __VA_ARGS__, OXI_MISSING_NAME, ~)

/// A component that is read if it is present. Where it is absent, a job gets NULL, or the buffer
/// {0}.
#define OX_OPTIONAL(...)                                                                           \
    OXI_VALUED_TERM(OX_TERM_OPTIONAL, optional, __VA_ARGS__, OXI_MISSING_NAME, ~)

/// Terms that only decide which entities match, each with up to six components.
#define OX_WITH(...)     (OXI_FILTER, OX_TERM_WITH, __VA_ARGS__)
#define OX_NONE(...)     (OXI_FILTER, OX_TERM_NONE, __VA_ARGS__)
#define OX_ANY(...)      (OXI_FILTER, OX_TERM_ANY, __VA_ARGS__)
#define OX_DISABLED(...) (OXI_FILTER, OX_TERM_DISABLED, __VA_ARGS__)
#define OX_PRESENT(...)  (OXI_FILTER, OX_TERM_PRESENT, __VA_ARGS__)
#define OX_ABSENT(...)   (OXI_FILTER, OX_TERM_ABSENT, __VA_ARGS__)
#define OX_INCLUDE(...)  (OXI_FILTER, OX_TERM_INCLUDE, __VA_ARGS__)

/// The enabled bit of a component, which is written: OX_ENABLED(Stunned). A job gives the bit of
/// its row a name.
#define OX_ENABLED(...) OXI_ENABLED_TERM(__VA_ARGS__, OXI_MISSING_NAME, ~)

// Components that can be disabled, by query and by chunk.

/// Enables or disables a component of all entities in the chunks of a query. The query names it as
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

/// Returns true if the component of a row is enabled.
OX_API bool ox_chunk_is_enabled_at(const ox_chunk *chunk, int row, uint32_t component,
                                   ox_site site);
#define ox_chunk_is_enabled(chunk, row, T)                                                         \
    ox_chunk_is_enabled_at(&(chunk), row, ox_component_id_of(T), OX_HERE)

/// Returns the only entity that a query matches, including filters. @return the null entity after a
/// report.
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
// all zeros is the default: adding the component without a value sets it. A value lives while an
// entity, or a filter, uses it; see ox_shared_define for values that own memory. ox_add, ox_set,
// ox_get, ox_read, ox_has and ox_remove work as with any component.

/// Lets only chunks with this value of a shared component pass, in addition to other filters. The
/// query must have a term for it. A query may have such filters for two components; setting a
/// filter again replaces its value. The value lives as long as the filter.
/// @return false after a report.
OX_API bool ox_query_filter_shared_at(ox_query *query, uint32_t component, const void *value,
                                      ox_site site);
/// ox_query_filter_shared(units, Team, {.id = 2}).
#define ox_query_filter_shared(query, T, ...)                                                      \
    ox_query_filter_shared_at(query, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Sets a shared value of all entities that match. Changes whole chunks; entities only move to fill
/// chunks. The query must have a term for the component. @return false after a report.
OX_API bool ox_query_set_shared_at(ox_query *query, uint32_t component, const void *value,
                                   ox_site site);
#define ox_query_set_shared(query, T, ...)                                                         \
    ox_query_set_shared_at(query, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Sets a shared value of all entities of the chunk, including those that do not match because of
/// enabled bits. A structural change: leave the loop after it.
/// @return false after a report.
OX_API bool ox_chunk_set_shared_at(const ox_chunk *chunk, uint32_t component, const void *value,
                                   ox_site site);
#define ox_chunk_set_shared(chunk, T, ...)                                                         \
    ox_chunk_set_shared_at(&(chunk), ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Creates an array with all values of a shared component in the world: the default first, then the
/// others. @return {0} after a report.
OX_API ox_array ox_shared_copy_values_at(ox_world *world, uint32_t component,
                                         ox_allocator allocator, ox_site site);
#define ox_shared_copy_values(world, T, allocator)                                                 \
    ox_shared_copy_values_at(world, ox_component_id_of(T), allocator, OX_HERE)

/// Returns a number that changes when an entity with this value is added, removed or moved. 0 for a
/// value that no entity has.
OX_API uint32_t ox_shared_get_order_version(const ox_world *world, uint32_t component,
                                            const void *value);

// Views: a component of all entities of a query, as if it were one array.
//
//     ox_view positions = ox_query_view(moving, Position);
//     for (int i = 0; i < positions.count; i++) {
//         Position p = ox_view_read(positions, i, Position);
//         ...
//     }
//
// Views of one query have the same length, and an index is the same entity in all of them. The next
// structural change of the world invalidates them, and so does creating a view after the filters of
// the query let other chunks pass: using one after that is reported. A loop over chunks is faster.
// Creating a view waits only for jobs that write enabled bits of its rows; reading and writing
// through it wait as ox_get and ox_edit do.
//
// Jobs may hold views, as they hold containers:
//
//     OX_PARALLEL_JOB(Fall, { ox_view positions; OX_READ_ONLY ox_view masses; }) {
//         ox_view_edit(job->positions, i, Position)->y -= ox_view_read(job->masses, i, Mass).kg;
//     }
//
// A parallel job may only use indices of its own batch, unless the field is OX_READ_ONLY or
// OX_UNRESTRICTED. A view of entities, and of what the query only reads, needs an OX_READ_ONLY
// field. Chunks of a view that a job may write count as changed when the job is scheduled. Schedule
// such jobs in a job system and return a handle that covers them, or complete them yourself: until
// then, a call on main that conflicts with them is refused with a report. In a job over entities a
// view counts as a term.
//
// Call everything else on the world's thread.

/// A component of all entities of a query, or the entities themselves. Copy it freely.
typedef struct ox_view {
    ox_query *query;
    int count;
    uint32_t component; ///< 0: the entities
    ox_access access;   ///< for the safety system, in jobs
    uint64_t oxi_windows;
    ox_site oxi_site;
} ox_view;

/// Creates a view of a component that the query reads or writes. @return an empty view after a
/// report.
OX_API ox_view ox_query_view_at(ox_query *query, uint32_t component, ox_site site);
#define ox_query_view(query, T) ox_query_view_at(query, ox_component_id_of(T), OX_HERE)

/// Creates a view of the entities.
#define ox_query_view_entities(query) ox_query_view_at(query, 0, OX_HERE)

/// Returns the address of the value at an index, for reading. After a report it points to zeros.
OX_API const void *ox_view_get_at(ox_view view, int64_t index, ox_site site);
/// ox_view_get(positions, i, Position)->x. Gives an ox_buffer for a buffer. Reports a T that is not
/// the component of the view.
#define ox_view_get(view, index, T)                                                                \
    OXI_SEE_READ(T, OXI_PICK(T, oxi_view_get, oxi_view_get_buffer)(                                \
                        view, (int64_t)(index), ox_component_id_of(T), OX_HERE))

/// Returns a copy of the value at an index: Position p = ox_view_read(positions, i, Position).
#define ox_view_read(view, index, T) (*ox_view_get(view, index, T))

/// Returns the entity at an index of a view of entities.
#define ox_view_read_entity(view, index)                                                           \
    (*(const ox_entity *)ox_view_get_at(view, (int64_t)(index), OX_HERE))

/// Returns the address of the value at an index, for writing. The query must have it as OX_WRITE.
OX_API void *ox_view_edit_at(ox_view view, int64_t index, ox_site site);
/// ox_view_edit(positions, i, Position)->x = 1. Gives an ox_buffer for a buffer.
#define ox_view_edit(view, index, T)                                                               \
    OXI_SEE_WRITE(T, OXI_PICK(T, oxi_view_edit, oxi_view_edit_buffer)(                             \
                         view, (int64_t)(index), ox_component_id_of(T), OX_HERE))

/// Returns the buffer at an index: the plain form of ox_view_get and, if `writes`, of ox_view_edit
/// for buffers. On main the handle is valid as long as one of ox_get_buffer_at, in a job as long as
/// the job.
/// @return {0} after a report.
OX_API ox_buffer ox_view_get_buffer_at(ox_view view, int64_t index, bool writes, ox_site site);

/// Sets the value at an index. The value comes last and may be braced.
#define ox_view_set(view, index, T, ...)                                                           \
    ((void)(*ox_view_edit(view, index, T) = *OXI_VALUE(T, __VA_ARGS__)))

/// Contiguous values.
typedef struct ox_view_span {
    const void *values;
    int count;
} ox_view_span;

/// Returns the contiguous values from `index` on, up to `most` of them: fewer at the end of a
/// chunk. Reports a span that begins or ends outside the view: `most` is at most `view.count -
/// index`.
/// @return an empty span after a report, and for a `most` of 0.
OX_API ox_view_span ox_view_get_span_at(ox_view view, int64_t index, int64_t most, ox_site site);
/// ox_view_get_span(positions, i, 16).
#define ox_view_get_span(view, index, most)                                                        \
    ox_view_get_span_at(view, (int64_t)(index), (int64_t)(most), OX_HERE)

// A struct of views, filled by one call:
//
//     OX_VIEWS(Movers, (OX_WRITE(Position, position), OX_READ(Velocity, velocity),
//                       OX_NONE(Frozen)));
//     Movers movers = {0};
//     ox_views_fill(world, &movers, Movers);
//     for (int i = 0; i < movers.count; i++) { ox_view_edit(movers.position, i, Position)->x++; }

/// Declares, at file scope, a struct type with `ox_query *query`, `int count`, `ox_view entities`,
/// and an ox_view for each OX_READ and OX_WRITE.
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

/// Fills a struct of views. Creates its query the first time: zero the struct before.
/// @return false after a report.
#define ox_views_fill(world, views, Name) Name##_fill(world, views, OX_HERE)

// Writing the entities that a query matches as text or JSON.

/// Writes the entities that match, including filters, with all of their components, in the order of
/// the walk: see ox_world_write_text.
/// @return the length of the whole text without the terminator; 0 after a report.
OX_API size_t ox_query_write_text_at(ox_query *query, char *buffer, size_t capacity, ox_site site);
#define ox_query_write_text(query, buffer, capacity)                                               \
    ox_query_write_text_at(query, buffer, capacity, OX_HERE)

/// The same as JSON: see ox_world_write_json.
OX_API size_t ox_query_write_json_at(ox_query *query, char *buffer, size_t capacity, ox_site site);
#define ox_query_write_json(query, buffer, capacity)                                               \
    ox_query_write_json_at(query, buffer, capacity, OX_HERE)

// Queries, for tools.

/// Writes the queries of a world, including those of systems and jobs, in order of creation, up to
/// `capacity`; none if `queries` is NULL. @return the number of queries.
OX_API int ox_world_get_queries(const ox_world *world, ox_query **queries, int capacity);

/// Information about a query.
typedef struct ox_query_info {
    ox_world *world;
    ox_site site;             ///< where it was created
    struct ox_system *system; ///< that owns it, or NULL
    int term_count;
    int filter_count;
} ox_query_info;

/// Returns information about a query.
OX_API ox_query_info ox_query_get_info(const ox_query *query);

/// Writes the terms of a query, with component ids, up to `capacity`, without OX_TERM_END; none if
/// `terms` is NULL. @return the number of terms.
OX_API int ox_query_get_terms(const ox_query *query, ox_term *terms, int capacity);

// Inline code and macros.
#include "oxbow/detail/terms.h"
