// SPDX-License-Identifier: MIT
//
// Walks over the chunks of a query.
//
// A walk closes all holes when it begins, so that rows are dense. A structural change of what it
// goes over makes new ones, and ends it: the archetypes that the query matches are asked whether
// they changed, once the number of changes of the store has moved. Changes of others touch no chunk
// of the walk, and it goes on; lists of archetypes and of chunks may be moved in memory, so a walk
// keeps places in them.

#include "entities/fences.h"
#include "entities/kinds.h"
#include "entities/query.h"

#include "oxbow/detail/element.h"

// A walk that is over.
static bool end_walk(ox_chunk *chunk) {
    chunk->count = 0;
    chunk->entities = NULL;
    chunk->oxi_chunk = 0;
    chunk->oxi_is_over = true;
    return false;
}

// A walk that was refused.
static ox_chunk no_walk(ox_query *query) {
    ox_chunk none = {.query = query};
    end_walk(&none);
    return none;
}

// The mask is not set: it is written before it is read.
static void begin_walk(ox_chunk *chunk, ox_query *query, bool is_whole, ox_site site) {
    oxi_store_close(&query->world->store);
    OXI_ASSERT(query->seen <= query->world->store.archetypes.count);
    chunk->count = 0;
    chunk->entities = NULL;
    chunk->query = query;
    chunk->oxi_chunk = 0;
    chunk->oxi_match = 0;
    chunk->oxi_place = 0;
    chunk->oxi_changes = query->world->store.change_count;
    chunk->oxi_site = site;
    chunk->oxi_is_over = false;
    chunk->oxi_fetches = false;
    chunk->oxi_is_whole = is_whole || query->rule_count == 0;
    chunk->oxi_list = NULL;
    chunk->oxi_first = 0;
    chunk->oxi_rows = 0;
}

ox_chunk oxi_query_walk(ox_query *query, ox_site site) {
    ox_chunk chunk;
    if (!oxi_query_sync_rules(query, site)) {
        return no_walk(query);
    }
    begin_walk(&chunk, query, false, site);
    return chunk;
}

ox_chunk oxi_query_walk_chunks(ox_query *query, ox_site site) {
    ox_chunk chunk;
    begin_walk(&chunk, query, true, site);
    return chunk;
}

bool oxi_query_sync_rules(const ox_query *query, ox_site site) {
    for (uint32_t k = 0; query->world->busy.count > 0 && k < query->term_count; k++) {
        if (query->terms[k].rule != OXI_BITS_IGNORED &&
            !oxi_sync_read(query->world, query->terms[k].id, site)) {
            return false;
        }
    }
    return true;
}

static bool sync_term(const ox_query *query, const oxi_query_term *term, ox_site site) {
    if (term->kind == OX_TERM_WRITE || term->kind == OX_TERM_ENABLED) {
        return oxi_sync_write(query->world, term->id, site);
    }
    return (term->kind != OX_TERM_READ && term->kind != OX_TERM_OPTIONAL) ||
           oxi_sync_read(query->world, term->id, site);
}

bool oxi_query_sync(const ox_query *query, ox_site site) {
    for (uint32_t k = 0; query->world->busy.count > 0 && k < query->term_count; k++) {
        if (!sync_term(query, &query->terms[k], site)) {
            return false;
        }
    }
    return oxi_query_sync_rules(query, site);
}

ox_chunk ox_query_chunks_at(ox_query *query, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_chunks", site) || !oxi_query_sync(query, site)) {
        return no_walk(query);
    }
    ox_chunk chunk;
    begin_walk(&chunk, query, false, site);
    chunk.oxi_fetches = true;
    return chunk;
}

// True when nothing that a walk goes over changed since it was looked at last; else reports.
OXI_NOINLINE static bool require_unchanged(const ox_chunk *chunk, ox_site site) {
    const ox_world *world = chunk->query->world;
    const oxi_archetype *changed = oxi_query_find_changed(chunk->query, chunk->oxi_changes);
    if (changed == NULL) {
        return true;
    }
    return OXI_REPORT(&world->sink, OX_REPORT_CHANGED_IN_LOOP, site,
                      OXI_SITE("begun", chunk->oxi_site),
                      OXI_SITE("changed", oxi_archetype_changed_at(&world->store, changed)),
                      OXI_NAME("world", world->name));
}

static inline bool is_unchanged(const ox_chunk *chunk) {
    return chunk->query->world->store.change_count == chunk->oxi_changes ||
           oxi_query_find_changed(chunk->query, chunk->oxi_changes) == NULL;
}

bool oxi_chunk_require_current(const ox_chunk *chunk, uint32_t component, ox_site site) {
    if (!oxi_world_enter(chunk->query->world, "a step of a loop", site)) {
        return false;
    }
    if (chunk->oxi_chunk == 0) {
        return oxi_query_report_term(chunk->query, component, OXI_WANTS_LOOP, site);
    }
    return is_unchanged(chunk) || require_unchanged(chunk, site);
}

// Many archetypes with few entities each lie all over memory: after the last chunk of one, the
// first lines of an archetype further on are asked for. Inside of an archetype that gains nothing.
enum { LINE = 64, LINES_AHEAD = 4, MATCHES_AHEAD = 2 };

OXI_NOINLINE static void fetch_ahead(const ox_chunk *chunk) {
    const ox_query *query = chunk->query;
    OXI_ASSERT(chunk->oxi_match > 0);
    uint32_t match = chunk->oxi_match - 1 + MATCHES_AHEAD;
    if (match >= query->matches.count || query->matches.items[match]->lane.chunks.count == 0) {
        return;
    }
    oxi_chunk id = query->matches.items[match]->lane.chunks.items[0];
    const oxi_query_cell *cells = oxi_query_cells(query, match);
    OXI_PREFETCH(oxi_chunk_entry_of(id));
    for (uint32_t k = 0; k < query->term_count; k++) {
        for (uint32_t n = 0; cells[k].offset != 0 && n < LINES_AHEAD; n++) {
            OXI_PREFETCH(oxi_chunk_address(id) + cells[k].offset + n * LINE);
        }
    }
}

// The first row from `row` on whose bit in the mask is not that of `same`, or the number of rows.
static inline uint32_t find_row(const ox_chunk *chunk, uint32_t row, uint64_t same) {
    while (row < chunk->oxi_rows) {
        uint64_t others = (chunk->oxi_mask[row / 64] ^ same) >> row % 64;
        if (others != 0) {
            row += oxi_bits_lowest(others);
            break;
        }
        row += 64 - row % 64;
    }
    return row < chunk->oxi_rows ? row : chunk->oxi_rows;
}

// Goes to the next rows of the chunk that match and lie behind each other. @return false when there
// are none.
static bool step_in_chunk(ox_chunk *chunk) {
    uint32_t first = find_row(chunk, chunk->oxi_first + (uint32_t)chunk->count, 0);
    if (first >= chunk->oxi_rows) {
        chunk->oxi_rows = 0;
        return false;
    }
    uint32_t end = find_row(chunk, first, UINT64_MAX);
    OXI_ASSERT(first < end);
    OXI_ASSERT(end <= oxi_chunk_entry_of(chunk->oxi_chunk)->count);
    chunk->oxi_first = first;
    chunk->count = (int)(end - first);
    chunk->entities = oxi_chunk_entities(chunk->oxi_chunk) + first;
    return true;
}

// Goes to the first rows of a chunk that match. @return false when there are none, or after a
// report: then the walk is over.
OXI_NOINLINE static bool enter_masked(ox_chunk *chunk) {
    if (!oxi_query_sync_rules(chunk->query, chunk->oxi_site)) { // a job of inside the loop
        return end_walk(chunk);
    }
    uint32_t rows = oxi_chunk_entry_of(chunk->oxi_chunk)->count;
    OXI_ASSERT(rows <= OX_CHUNK_WORDS * 64); // the mask has a bit for each
    oxi_mask_kind kind =
        oxi_query_mask(chunk->query, chunk->oxi_match - 1, chunk->oxi_chunk, chunk->oxi_mask);
    if (kind == OXI_MASK_SOME) {
        chunk->oxi_rows = rows;
        chunk->count = 0;
        return step_in_chunk(chunk);
    }
    return kind == OXI_MASK_ALL;
}

// Goes to the next chunk of an archetype that passes. @return false when there is none.
static bool step_in_archetype(ox_chunk *chunk, oxi_archetype *archetype) {
    const oxi_lane *list = chunk->oxi_list;
    while (list != NULL && chunk->oxi_place < list->chunks.count) {
        oxi_chunk id = list->chunks.items[chunk->oxi_place++];
        if (id == 0 || (oxi_query_has_filters(chunk->query) &&
                        !oxi_query_passes(chunk->query, archetype, id))) {
            continue;
        }
        OXI_ASSERT(oxi_archetype_of(id) == archetype);
        OXI_ASSERT(oxi_chunk_entry_of(id)->first_dead == OXI_NO_ROW); // rows are dense
        chunk->oxi_chunk = id;
        chunk->oxi_first = 0;
        chunk->count = oxi_chunk_entry_of(id)->count;
        chunk->entities = oxi_chunk_entities(id);
        if (!chunk->oxi_is_whole && !enter_masked(chunk)) {
            if (chunk->oxi_is_over) {
                return false;
            }
            continue;
        }
        if (chunk->oxi_fetches && chunk->oxi_place == list->chunks.count) {
            fetch_ahead(chunk);
        }
        return true;
    }
    return false;
}

// The chunks of an archetype that a filter by shared values may let pass: those of one lane, where
// only one has the values, in the same order; none; or all.
OXI_NOINLINE static const oxi_lane *find_list(const ox_query *query,
                                              const oxi_archetype *archetype) {
    uint32_t slots[OXI_MAX_SHARED_FILTERS];
    const oxi_lane *found = NULL;
    for (uint32_t k = 0; k < query->shared_filter_count; k++) {
        int32_t type =
            oxi_archetype_find_type(&query->world->store, archetype, query->shared[k].component);
        OXI_ASSERT(type >= 0); // the query demands it
        slots[k] = oxi_archetype_shared_slot(archetype, (uint32_t)type);
    }
    for (size_t n = 0; n < archetype->lanes.count; n++) {
        const oxi_lane *lane = archetype->lanes.items[n];
        bool has_values = true;
        for (uint32_t k = 0; k < query->shared_filter_count; k++) {
            has_values = has_values && lane->values[slots[k]] == query->shared[k].number;
        }
        if (has_values && found != NULL) {
            return &archetype->lane;
        }
        found = has_values ? lane : found;
    }
    return found;
}

bool ox_chunk_next(ox_chunk *chunk) {
    if (!OXI_REQUIRE_ARGUMENT(chunk, "ox_chunk_next", NULL)) {
        return false;
    }
    const ox_query *query = chunk->query;
    if (query == NULL || chunk->oxi_is_over) {
        return false;
    }
    if (!oxi_require_not_ended(query, "a loop over chunks", chunk->oxi_site) ||
        !oxi_world_enter(query->world, "ox_chunk_next", chunk->oxi_site)) {
        return end_walk(chunk);
    }
    if (query->world->store.change_count != chunk->oxi_changes) {
        if (!require_unchanged(chunk, chunk->oxi_site)) {
            return end_walk(chunk);
        }
        chunk->oxi_changes = query->world->store.change_count;
    }
    if (chunk->oxi_rows != 0 && step_in_chunk(chunk)) {
        return true;
    }
    while (chunk->oxi_match == 0 ||
           !step_in_archetype(chunk, query->matches.items[chunk->oxi_match - 1])) {
        if (chunk->oxi_match >= query->matches.count || chunk->oxi_is_over) {
            return end_walk(chunk);
        }
        oxi_archetype *archetype = query->matches.items[chunk->oxi_match++];
        chunk->oxi_place = 0;
        chunk->oxi_list =
            query->shared_filter_count == 0 ? &archetype->lane : find_list(query, archetype);
    }
    return true;
}

static inline bool is_readable(ox_term_kind kind) {
    const uint32_t readable =
        1u << OX_TERM_READ | 1u << OX_TERM_WRITE | 1u << OX_TERM_OPTIONAL | 1u << OX_TERM_ANY;
    return (readable >> kind & 1) != 0;
}

// Says why a column cannot be had.
OXI_NOINLINE static void report_column(const ox_chunk *chunk, const oxi_query_term *term,
                                       uint32_t component, ox_site site) {
    if (!oxi_chunk_require_current(chunk, component, site)) {
        return;
    }
    bool is_read = term != NULL && is_readable(term->kind);
    oxi_query_report_term(chunk->query, component, is_read ? OXI_WANTS_WRITE : OXI_WANTS_READ,
                          site);
}

// Stands for the column of a shared component, which has none.
static const oxi_query_cell shared_cell;

// What to do where there is no column. @return NULL after a report, or &shared_cell.
OXI_NOINLINE static const oxi_query_cell *find_no_column(const ox_chunk *chunk,
                                                         const oxi_query_term *term,
                                                         uint32_t component, bool writes,
                                                         ox_site site) {
    if (!writes && oxi_kind_of_id(component)->in_lane) {
        return &shared_cell;
    }
    bool is_right = term != NULL && chunk->oxi_chunk != 0 && is_unchanged(chunk) &&
                    (writes ? term->kind == OX_TERM_WRITE : is_readable(term->kind));
    if (is_right) {
        oxi_report_no_column(chunk->query->world, component, site);
    } else {
        report_column(chunk, term, component, site);
    }
    return NULL;
}

// Where a column lies; offset 0 for a component that is not there, and may be missing. &shared_cell
// for a shared component that is read.
// @return NULL after a report.
static inline const oxi_query_cell *find_column(const ox_chunk *chunk, uint32_t component,
                                                bool writes, ox_site site) {
    const ox_query *query = oxi_chunk_require_query(chunk, "a column of a chunk", site);
    if (query == NULL || !oxi_world_enter(query->world, "ox_chunk_get", site)) {
        return NULL;
    }
    const oxi_query_term *term = oxi_query_find_term(query, component);
    bool is_good = term != NULL && chunk->oxi_chunk != 0 && is_unchanged(chunk) &&
                   (writes ? term->kind == OX_TERM_WRITE : is_readable(term->kind));
    if (!is_good) {
        return find_no_column(chunk, term, component, writes, site);
    }
    const oxi_query_cell *cell =
        oxi_query_cells(query, chunk->oxi_match - 1) + (term - query->terms);
    OXI_ASSERT(query->matches.items[chunk->oxi_match - 1] == oxi_archetype_of(chunk->oxi_chunk));
    if (cell->offset == 0 && !oxi_kind_of_id(component)->in_column) {
        return find_no_column(chunk, term, component, writes, site);
    }
    return cell;
}

static inline char *column_at(const ox_chunk *chunk, const oxi_query_cell *cell) {
    OXI_ASSERT(cell->offset != 0); // entities lie there
    OXI_ASSERT(chunk->oxi_first < oxi_chunk_entry_of(chunk->oxi_chunk)->count);
    return oxi_chunk_address(chunk->oxi_chunk) + cell->offset +
           (size_t)chunk->oxi_first * cell->size;
}

const void *ox_chunk_get_at(const ox_chunk *chunk, uint32_t component, ox_site site) {
    const oxi_query_cell *cell = find_column(chunk, component, false, site);
    if (cell == NULL) {
        return oxi_element_zeros();
    }
    if (cell == &shared_cell) {
        return oxi_chunk_get_shared(chunk, component, site);
    }
    if (!oxi_sync_read(chunk->query->world, component, site)) { // a job of inside the loop
        return oxi_element_zeros();
    }
    return cell->offset != 0 ? column_at(chunk, cell) : NULL;
}

void *ox_chunk_edit_at(const ox_chunk *chunk, uint32_t component, ox_site site) {
    const oxi_query_cell *cell = find_column(chunk, component, true, site);
    if (cell == NULL) {
        return oxi_element_scratch();
    }
    if (!oxi_sync_write(chunk->query->world, component, site)) { // a job of inside the loop
        return oxi_element_scratch();
    }
    OXI_ASSERT(cell->type < oxi_archetype_of(chunk->oxi_chunk)->type_count);
    oxi_chunk_entry_of(chunk->oxi_chunk)->meta->versions[cell->type] =
        chunk->query->world->store.version;
    return column_at(chunk, cell);
}

bool oxi_chunk_require_row(const ox_chunk *chunk, int row, ox_site site) {
    const ox_world *world = chunk->query->world;
    if (!oxi_world_enter(world, "a row of a chunk", site)) {
        return false;
    }
    if (chunk->oxi_chunk != 0 && !is_unchanged(chunk)) {
        return require_unchanged(chunk, site);
    }
    return OXI_REQUIRE(row >= 0 && row < chunk->count, &world->sink, OX_REPORT_OUT_OF_BOUNDS, site,
                       OXI_INTEGER("index", row), OXI_NAME("kind", "chunk"),
                       OXI_NAME("container", ""), OXI_INTEGER("count", chunk->count));
}

bool ox_chunk_has_id(const ox_chunk *chunk, uint32_t component) {
    if (chunk == NULL || chunk->oxi_chunk == 0 || component > OXI_MAX_TYPES ||
        !oxi_require_not_ended(chunk->query, "ox_chunk_has_id", NULL)) {
        return false;
    }
    if (!is_unchanged(chunk)) {
        return false; // it may be another's chunk by now
    }
    const oxi_store *store = &chunk->query->world->store;
    const oxi_archetype *archetype = oxi_archetype_of(chunk->oxi_chunk);
    return oxi_archetype_find_type(store, archetype, component) >= 0;
}
