// SPDX-License-Identifier: MIT
//
// Queries as the units of this room see them.

#pragma once

#include "base/text.h"
#include "entities/world.h"
#include "oxbow/queries.h"
#include "storage/lanes.h"

enum { OXI_MAX_CHANGED = 8 };

/// A component whose changes are asked for.
typedef struct oxi_changed_filter {
    uint32_t component;
    uint32_t since;
} oxi_changed_filter;

/// A shared value that chunks must have.
typedef struct oxi_shared_filter {
    uint32_t component;
    uint32_t number; ///< of the value, with a reference
} oxi_shared_filter;

enum { OXI_MAX_SHARED_FILTERS = 2 };

/// How a term looks at the switch of its component.
typedef enum oxi_bit_rule {
    OXI_BITS_IGNORED = 0,
    OXI_BITS_ON,  ///< it must be on
    OXI_BITS_OFF, ///< it must be off, where it is there
    OXI_BITS_ANY, ///< one of those must be on
} oxi_bit_rule;

typedef struct oxi_query_term {
    ox_term_kind kind;
    uint32_t id;
    oxi_bit_rule rule;
} oxi_query_term;

/// The entities of one chunk, in the views of a query.
typedef struct oxi_window {
    uint32_t first; ///< index of its first entity
    oxi_chunk chunk;
    uint32_t row; ///< of that entity
} oxi_window;

/// Where the values of a term lie in the chunks of an archetype.
typedef struct oxi_query_cell {
    uint16_t offset; ///< of plain values; 0: there are none, for entities lie there
    uint16_t size;   ///< of a value
    uint16_t type;   ///< place in the types of the archetype, or OXI_NO_CELL: it is not there
    uint16_t bits;   ///< words of a chunk's metadata before its switches; 0: it has none
} oxi_query_cell;

enum { OXI_NO_CELL = 0xffff };

struct ox_query {
    ox_world *world;
    ox_query *next; ///< of the world
    ox_query *prev;
    ox_site site;                     ///< where it was made
    uint64_t number;                  ///< no other of the world has or had it
    const void *job;                  ///< the type of job whose terms it has, or NULL
    struct oxi_scope *scope;          ///< whose it is, NULL: the world's
    struct oxi_entity_schedule *kept; ///< of that job, the last time; or NULL
    uint32_t job_version; ///< of the world when a job asked what had changed; 0: none did
    void (*on_end)(const ox_query *query); ///< called when it is given up, or NULL
    uint32_t require_count;                ///< how often systems require it
    uint32_t term_count;
    uint32_t rule_count; ///< of terms that look at switches
    oxi_query_term terms[OX_MAX_TERMS];

    OXI_LIST(oxi_archetype *) matches; ///< in the order they were made
    OXI_LIST(oxi_query_cell) cells;    ///< of each match, one for each term
    uint32_t seen;                     ///< archetypes that were looked at

    uint32_t changed_count; ///< 0: every chunk passes
    oxi_changed_filter changed[OXI_MAX_CHANGED];
    bool filters_order;
    uint32_t order_since;
    uint32_t shared_filter_count;
    oxi_shared_filter shared[OXI_MAX_SHARED_FILTERS];

    OXI_LIST(oxi_window) windows; ///< of its views
    uint32_t window_count;        ///< entities in all of them
    size_t last_window;           ///< the one that was used last
    uint64_t window_serial;       ///< moves when they become others; 0: there are none
    uint64_t window_changes;      ///< of the store when they were made
    bool windows_filtered;        ///< filters had a say
    ox_site windows_ended;        ///< what ended those before
    OXI_LIST(ox_job) view_jobs;   ///< that read them, among others that are over
};

/// Makes a query one of a scope's own; NULL: of the world's.
void oxi_query_set_scope(ox_query *query, struct oxi_scope *scope);

/// The cells of the match at `index`, by term.
static inline const oxi_query_cell *oxi_query_cells(const ox_query *query, size_t index) {
    OXI_ASSERT(index < query->matches.count);
    OXI_ASSERT(query->cells.count == query->matches.count * query->term_count);
    return query->cells.items + index * query->term_count;
}

/// True when not every chunk passes.
static inline bool oxi_query_has_filters(const ox_query *query) {
    return query->changed_count > 0 || query->filters_order || query->shared_filter_count > 0;
}

/// The switches of one chunk that say which of its rows match.
typedef struct oxi_row_rules {
    uint32_t count;
    bool is_any_met; ///< a component that cannot be switched off meets OX_ANY
    oxi_bit_rule rules[OX_MAX_TERMS];
    const uint64_t *bits[OX_MAX_TERMS]; ///< NULL: it is not there
} oxi_row_rules;

/// Which rows of a chunk match.
typedef enum oxi_mask_kind { OXI_MASK_NONE, OXI_MASK_SOME, OXI_MASK_ALL } oxi_mask_kind;

/// Finds the switches of a chunk of the match at `index`.
void oxi_query_rules(const ox_query *query, size_t index, oxi_chunk chunk, oxi_row_rules *rules);

/// Writes a bit for each of `count` rows that match.
oxi_mask_kind oxi_rules_mask(const oxi_row_rules *rules, uint32_t count, uint64_t *mask);

/// The same for a chunk of the match at `index`.
oxi_mask_kind oxi_query_mask(const ox_query *query, size_t index, oxi_chunk chunk, uint64_t *mask);

/// What one term says about an archetype that has its component, or has it not.
bool oxi_term_allows(const oxi_query_term *term, bool has);

/// Why an archetype is left out unless a query names what it has: prefabs, what is switched off as
/// a whole, and what is left of destroyed entities. NULL: it is not.
const char *oxi_query_left_out(const ox_query *query, const oxi_archetype *archetype);

/// Looks at archetypes that came since the last look. @return false after a report.
bool oxi_query_update(ox_query *query, ox_site site);

/// The archetype, of those that a query matches, in which rows came, went or moved last, since the
/// store had `since` changes; archetypes that the query has not looked at yet count too. NULL when
/// none did.
const oxi_archetype *oxi_query_find_changed(const ox_query *query, uint64_t since);

/// Writes why an entity does not match a query that is up to date, to a text that may be NULL.
/// @return true when it matches.
bool oxi_query_explain(const ox_query *query, ox_entity entity, oxi_text *text);

/// An entity that the fewest terms shut out, of the archetype with the most of these; the null
/// entity when the world has none.
ox_entity oxi_query_find_nearest(const ox_query *query);

/// True when a query has no filters, or one of them lets a chunk pass.
bool oxi_query_passes(const ox_query *query, oxi_archetype *archetype, oxi_chunk chunk);

/// True for terms that say nothing about which entities match: they are for jobs.
static inline bool oxi_term_is_for_jobs(ox_term_kind kind) {
    return kind == OX_TERM_ENTITY || kind == OX_TERM_INDEX || kind == OX_TERM_CHANGED;
}

/// True for a term whose kind is one; else reports.
bool oxi_term_require(const ox_world *world, const ox_term *term, const char *what, ox_site site);

/// The term of a component, or NULL. Of two, the one that reads or writes it.
const oxi_query_term *oxi_query_find_term(const ox_query *query, uint32_t component);

/// What is done with a component that a query does not declare.
typedef enum oxi_term_want {
    OXI_WANTS_READ = 0,
    OXI_WANTS_WRITE,
    OXI_WANTS_CHANGES,  ///< a filter
    OXI_WANTS_PRESENCE, ///< each entity must have it
    OXI_WANTS_LOOP,     ///< a chunk is used behind its loop
} oxi_term_want;

/// Reports that. @return false.
bool oxi_query_report_term(const ox_query *query, uint32_t component, oxi_term_want want,
                           ox_site site);

/// Enters a query: its world's thread, outside of jobs, and up to date. Else reports.
bool oxi_query_enter(ox_query *query, const char *function, ox_site site);

/// Begins a walk over a query that was entered, and waits for nothing but jobs that switch what
/// decides about rows. After a report it is over.
ox_chunk oxi_query_walk(ox_query *query, ox_site site);

/// The same over whole chunks, whatever is switched off; waits for nothing.
ox_chunk oxi_query_walk_chunks(ox_query *query, ox_site site);

/// Completes jobs that stand in the way of what the terms read and write, and of what decides about
/// rows. @return false after a report.
bool oxi_query_sync(const ox_query *query, ox_site site);

/// True for a query that is there; else reports: it is NULL, or has ended.
static inline bool oxi_query_require(const ox_query *query, const char *function, ox_site site) {
    return OXI_REQUIRE_ARGUMENT(query, function, site) &&
           oxi_require_not_ended(query, function, site);
}

/// The query of a walk, or NULL after a report: there is no walk, or none was begun.
static inline ox_query *oxi_chunk_require_query(const ox_chunk *chunk, const char *function,
                                                ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(chunk, function, site)) {
        return NULL;
    }
    ox_query *query = chunk->query;
    return oxi_query_require(query, function, site) ? query : NULL;
}

/// True for a chunk inside of its loop, while no change was made to what the loop goes over. Else
/// reports that, or that the chunk is outside and a component of it is asked for.
bool oxi_chunk_require_current(const ox_chunk *chunk, uint32_t component, ox_site site);

/// True for a row of a step of a walk that goes on; else reports.
bool oxi_chunk_require_row(const ox_chunk *chunk, int row, ox_site site);

/// The value of a shared component in a chunk, for ox_chunk_get. NULL for one that is not there,
/// zeros after a report.
const void *oxi_chunk_get_shared(const ox_chunk *chunk, uint32_t component, ox_site site);

/// Completes jobs that switch what decides about rows. @return false after a report.
bool oxi_query_sync_rules(const ox_query *query, ox_site site);

/// A shared component that every entity of a query has. @return NULL after a report.
const ox_component_info *oxi_query_require_shared(ox_query *query, uint32_t component,
                                                  const char *function, ox_site site);

/// True while a view is of the windows of its query; else reports.
bool oxi_view_require(const ox_view *view, ox_site site);

/// Completes jobs that hold views of a query, and forgets them.
void oxi_query_complete_jobs(ox_query *query, ox_site site);

/// Lets the values of filters go.
void oxi_query_free_filters(ox_query *query);

/// Destroys a query, whoever has it.
void oxi_query_end(ox_query *query, ox_site site);

/// For the world: destroys all its queries.
void oxi_queries_destroy(ox_world *world, ox_site site);
