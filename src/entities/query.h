// SPDX-License-Identifier: MIT
//
// Queries as the units of this room see them.

#pragma once

#include "entities/world.h"
#include "oxbow/queries.h"

enum { OXI_MAX_CHANGED = 8 };

/// A component whose changes are asked for.
typedef struct oxi_changed_filter {
    uint32_t component;
    uint32_t since;
} oxi_changed_filter;

typedef struct oxi_query_term {
    ox_term_kind kind;
    uint32_t id;
} oxi_query_term;

/// The entities of one chunk, in the views of a query.
typedef struct oxi_window {
    uint32_t first; ///< index of its first entity
    oxi_chunk chunk;
} oxi_window;

/// Where the values of a term lie in the chunks of an archetype.
typedef struct oxi_query_cell {
    uint32_t offset; ///< 0: the archetype has no such column, for entities lie there
    uint32_t type;   ///< place in the types of the archetype
} oxi_query_cell;

struct ox_query {
    ox_world *world;
    ox_query *next; ///< of the world
    ox_query *prev;
    ox_site site;    ///< where it was made
    const void *job; ///< the type of job whose terms it has, or NULL
    uint32_t term_count;
    oxi_query_term terms[OX_MAX_TERMS];

    OXI_LIST(oxi_archetype *) matches; ///< in the order they were made
    OXI_LIST(oxi_query_cell) cells;    ///< of each match, one for each term
    uint32_t seen;                     ///< archetypes that were looked at

    uint32_t changed_count; ///< 0: every chunk passes
    oxi_changed_filter changed[OXI_MAX_CHANGED];
    bool filters_order;
    uint32_t order_since;

    OXI_LIST(oxi_window) windows; ///< of its views
    uint32_t window_count;        ///< entities in all of them
    size_t last_window;           ///< the one that was used last
    uint64_t window_serial;       ///< moves when they become others; 0: there are none
    uint64_t window_changes;      ///< of the store when they were made
    bool windows_filtered;        ///< filters had a say
    ox_site windows_ended;        ///< what ended those before
};

/// The cells of the match at `index`, by term.
static inline const oxi_query_cell *oxi_query_cells(const ox_query *query, size_t index) {
    return query->cells.items + index * query->term_count;
}

/// True when not every chunk passes.
static inline bool oxi_query_has_filters(const ox_query *query) {
    return query->changed_count > 0 || query->filters_order;
}

/// Looks at archetypes that came since the last look. @return false after a report.
bool oxi_query_update(ox_query *query, ox_site site);

/// True when a query has no filters, or one of them lets a chunk pass.
bool oxi_query_passes(const ox_query *query, const oxi_archetype *archetype, oxi_chunk chunk);

/// The term of a component, or NULL.
const oxi_query_term *oxi_query_find_term(const ox_query *query, uint32_t component);

/// Reports that a query does not declare what is done with a component; `what` is the clause, such
/// as "does not read". @return false.
bool oxi_query_report_term(const ox_query *query, uint32_t component, const char *what,
                           ox_site site);

/// Enters a query: its world's thread, outside of jobs, and up to date. Else reports.
bool oxi_query_enter(ox_query *query, const char *function, ox_site site);

/// Begins a walk over a query that was entered, and waits for nothing.
ox_chunk oxi_query_walk(ox_query *query, ox_site site);

/// Completes jobs that stand in the way of what the terms read and write.
void oxi_query_sync(const ox_query *query, ox_site site);

/// For the world: destroys all its queries.
void oxi_queries_destroy(ox_world *world);
