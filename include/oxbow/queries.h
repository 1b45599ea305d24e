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
// Make a query once and keep it; it finds sets of components that come later by itself. All calls
// belong to the world's thread. Functions that take no place only look, and answer NULL with 0 or
// false.
//
// Entities may come, go and change inside of a loop as long as the query matches them neither
// before nor after: columns of the step stay, and the loop goes on. What it matches is every entity
// with the components that the terms ask for, also where a filter or a switch leaves it out. A
// structural change of such an entity is made, too; then leave the loop: its next step, or column,
// is a report, and the loop ends. What the pointers of before point to stays mapped.

#pragma once

#include "oxbow/array.h"
#include "oxbow/entities.h"

/// A query of one world.
typedef struct ox_query ox_query;

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

    OX_TERM_DISABLED, ///< entities have it, switched off
    OX_TERM_PRESENT,  ///< entities have it, switched off or not
    OX_TERM_ABSENT,   ///< entities do not have it, not even switched off
    OX_TERM_ENABLED,  ///< entities have it, and it is switched
    OX_TERM_INCLUDE,  ///< entities may have it: of ox_prefab and ox_disabled, else left out

    OX_TERM_READ_SHARED,  ///< READ of a shared component: in jobs, which have to know
    OX_TERM_READ_BUFFER,  ///< READ of a buffer
    OX_TERM_WRITE_BUFFER, ///< WRITE of a buffer
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
// one lets pass: any component that is asked for changed, or the order did. See oxbow/shared.h for
// those by value.

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

/// A step of a walk: the entities of one chunk, or, where some have a component switched off, those
/// that match and lie behind each other.
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

/// A column of the chunk, to read: chunk.count values. NULL for an optional component that is not
/// there. The query must have it as a term.
OX_API const void *ox_chunk_get_at(const ox_chunk *chunk, uint32_t component, ox_site site);
/// const Velocity *v = ox_chunk_get(chunk, Velocity).
#define ox_chunk_get(chunk, T)                                                                     \
    ((const T *)ox_chunk_get_at(&(chunk), ox_component_id_of(T), OX_HERE))

/// The same to write: the query must have it as OX_WRITE. Notes that the component changed.
OX_API void *ox_chunk_edit_at(const ox_chunk *chunk, uint32_t component, ox_site site);
/// Position *p = ox_chunk_edit(chunk, Position).
#define ox_chunk_edit(chunk, T) ((T *)ox_chunk_edit_at(&(chunk), ox_component_id_of(T), OX_HERE))

/// True when the entities of this chunk have a component, a term of the query or not.
OX_API bool ox_chunk_has_id(const ox_chunk *chunk, uint32_t component);

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

/// Terms of queries and of jobs over entities; a job also names each: OX_READ(Velocity, velocity).
#define OX_READ(...)     (OXI_READ, __VA_ARGS__)
#define OX_WRITE(...)    (OXI_WRITE, __VA_ARGS__)
#define OX_OPTIONAL(...) (OXI_OPTIONAL, __VA_ARGS__)
#define OX_WITH(...)     (OXI_WITH, __VA_ARGS__)
#define OX_NONE(...)     (OXI_NONE, __VA_ARGS__)
#define OX_ANY(...)      (OXI_ANY, __VA_ARGS__)
#define OX_DISABLED(...) (OXI_DISABLED, __VA_ARGS__)
#define OX_PRESENT(...)  (OXI_PRESENT, __VA_ARGS__)
#define OX_ABSENT(...)   (OXI_ABSENT, __VA_ARGS__)
#define OX_INCLUDE(...)  (OXI_INCLUDE, __VA_ARGS__)

/// A component that is switched: OX_ENABLED(Stunned); a job names the switch of its row.
#define OX_ENABLED(...) (OXI_ENABLED, __VA_ARGS__)

/// In jobs, components that are no plain data: OX_READ_SHARED(Team, team) is a `const Team *`,
/// OX_WRITE_BUFFER(Waypoint, path) an ox_buffer. In queries, the same as OX_READ and OX_WRITE.
#define OX_READ_SHARED(...)  (OXI_READ_SHARED, __VA_ARGS__)
#define OX_READ_BUFFER(...)  (OXI_READ_BUFFER, __VA_ARGS__)
#define OX_WRITE_BUFFER(...) (OXI_WRITE_BUFFER, __VA_ARGS__)

// How terms are made. The names are what a user sees after a mistake.

#define OXI_TERMS(...)                                                                             \
    OXI_ARRAY(ox_term, OXI_EACH(OXI_QUERY_TERM, __VA_ARGS__){OX_TERM_END, NULL, 0})
#define OXI_QUERY_TERM(term)                           OXI_EXPECTED_A_TERM_SUCH_AS_OX_READ term
#define OXI_EXPECTED_A_TERM_SUCH_AS_OX_READ(kind, ...) kind##_IN_QUERY(__VA_ARGS__)
#define OXI_READ_IN_QUERY(T)                           {OX_TERM_READ, ox_component_of(T), 0},
#define OXI_WRITE_IN_QUERY(T)                          {OX_TERM_WRITE, ox_component_of(T), 0},
#define OXI_OPTIONAL_IN_QUERY(T)                       {OX_TERM_OPTIONAL, ox_component_of(T), 0},
#define OXI_WITH_IN_QUERY(...)                         OXI_TYPES(OX_TERM_WITH, __VA_ARGS__)
#define OXI_NONE_IN_QUERY(...)                         OXI_TYPES(OX_TERM_NONE, __VA_ARGS__)
#define OXI_ANY_IN_QUERY(...)                          OXI_TYPES(OX_TERM_ANY, __VA_ARGS__)

#define OXI_DISABLED_IN_QUERY(...) OXI_TYPES(OX_TERM_DISABLED, __VA_ARGS__)
#define OXI_PRESENT_IN_QUERY(...)  OXI_TYPES(OX_TERM_PRESENT, __VA_ARGS__)
#define OXI_ABSENT_IN_QUERY(...)   OXI_TYPES(OX_TERM_ABSENT, __VA_ARGS__)
#define OXI_INCLUDE_IN_QUERY(...)  OXI_TYPES(OX_TERM_INCLUDE, __VA_ARGS__)
#define OXI_ENABLED_IN_QUERY(T)    {OX_TERM_ENABLED, ox_component_of(T), 0},

#define OXI_READ_SHARED_IN_QUERY(T)  {OX_TERM_READ_SHARED, ox_component_of(T), 0},
#define OXI_READ_BUFFER_IN_QUERY(T)  {OX_TERM_READ_BUFFER, ox_component_of(T), 0},
#define OXI_WRITE_BUFFER_IN_QUERY(T) {OX_TERM_WRITE_BUFFER, ox_component_of(T), 0},

// Up to six types in one term. Not OXI_EACH: a macro cannot enter itself.
#define OXI_TYPES(kind, ...)      OXI_PASTE(OXI_TYPES_, OXI_COUNT(__VA_ARGS__))(kind, __VA_ARGS__)
#define OXI_TYPES_1(kind, T)      {kind, ox_component_of(T), 0},
#define OXI_TYPES_2(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_1(kind, __VA_ARGS__)
#define OXI_TYPES_3(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_2(kind, __VA_ARGS__)
#define OXI_TYPES_4(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_3(kind, __VA_ARGS__)
#define OXI_TYPES_5(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_4(kind, __VA_ARGS__)
#define OXI_TYPES_6(kind, T, ...) OXI_TYPES_1(kind, T) OXI_TYPES_5(kind, __VA_ARGS__)

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
