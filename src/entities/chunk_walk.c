// SPDX-License-Identifier: MIT
//
// Walks over the chunks of a query.
//
// A walk closes all holes when it begins, so that rows are dense; a structural change makes new
// ones, and ends the walk. It is told by the number of changes of the store.

#include "entities/fences.h"
#include "entities/query.h"

#include "oxbow/element.h"

// A walk that is over.
static bool end_walk(ox_chunk *chunk) {
    *chunk = (ox_chunk){.query = chunk->query, .oxi_match = UINT32_MAX};
    return false;
}

ox_chunk oxi_query_walk(ox_query *query, ox_site site) {
    oxi_store_close(&query->world->store);
    return (ox_chunk){
        .query = query, .oxi_changes = query->world->store.change_count, .oxi_site = site};
}

void oxi_query_sync(const ox_query *query, ox_site site) {
    for (uint32_t k = 0; query->world->busy.count > 0 && k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        if (term->kind == OX_TERM_WRITE) {
            oxi_sync_write(query->world, term->id, site);
        } else if (term->kind == OX_TERM_READ || term->kind == OX_TERM_OPTIONAL) {
            oxi_sync_read(query->world, term->id, site);
        }
    }
}

ox_chunk ox_query_chunks_at(ox_query *query, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_chunks", site)) {
        ox_chunk none = {.query = query};
        end_walk(&none);
        return none;
    }
    oxi_query_sync(query, site);
    return oxi_query_walk(query, site);
}

static bool report_changed(const ox_chunk *chunk, ox_site site) {
    const ox_world *world = chunk->query->world;
    return OXI_REPORT(&world->sink, OX_REPORT_CHANGED_IN_LOOP, site,
                      OXI_SITE("begun", chunk->oxi_site), OXI_SITE("changed", world->changed_at),
                      OXI_NAME("world", world->name));
}

static void enter_chunk(ox_chunk *chunk, oxi_chunk id, uint32_t match, uint32_t place) {
    chunk->oxi_chunk = id;
    chunk->oxi_match = match;
    chunk->oxi_place = place;
    chunk->count = oxi_chunk_entry_of(id)->count;
    chunk->entities = oxi_chunk_entities(id);
}

bool ox_chunk_next(ox_chunk *chunk) {
    const ox_query *query = chunk->query;
    if (query == NULL || chunk->oxi_match == UINT32_MAX) {
        return false; // never begun, or over
    }
    if (query->world->store.change_count != chunk->oxi_changes) {
        report_changed(chunk, chunk->oxi_site);
        return end_walk(chunk);
    }
    bool filters = query->changed_count > 0 || query->filters_order;
    uint32_t place = chunk->oxi_chunk != 0 ? chunk->oxi_place + 1 : 0;
    for (uint32_t match = chunk->oxi_match; match < query->matches.count; match++, place = 0) {
        const oxi_archetype *archetype =
            oxi_archetype_at(&query->world->store, query->matches.items[match]);
        for (; place < archetype->chunks.count; place++) {
            oxi_chunk id = archetype->chunks.items[place];
            if (id != 0 && (!filters || oxi_query_passes(query, archetype, id))) {
                enter_chunk(chunk, id, match, place);
                return true;
            }
        }
    }
    return end_walk(chunk);
}

// Where a component of a chunk lies.
typedef struct found_column {
    char *values; // NULL: it is not there, and may be missing
    uint32_t type;
} found_column;

// @return false after a report.
static bool find_column(const ox_chunk *chunk, uint32_t component, bool writes, found_column *found,
                        ox_site site) {
    const ox_query *query = chunk->query;
    *found = (found_column){NULL, 0};
    if (!OXI_REQUIRE_ARGUMENT(query, "a column of a chunk", site)) {
        return false;
    }
    if (chunk->oxi_chunk == 0) {
        return oxi_query_report_term(chunk->query, component, "is outside of its loop and asks for",
                                     site);
    }
    if (query->world->store.change_count != chunk->oxi_changes) {
        return report_changed(chunk, site);
    }
    const oxi_query_term *term = oxi_query_find_term(query, component);
    if (term == NULL || term->kind == OX_TERM_NONE || term->kind == OX_TERM_WITH) {
        return oxi_query_report_term(chunk->query, component, "does not read", site);
    }
    if (writes && term->kind != OX_TERM_WRITE) {
        return oxi_query_report_term(chunk->query, component, "does not write", site);
    }
    const oxi_archetype *archetype = oxi_archetype_of(chunk->oxi_chunk);
    int32_t type = oxi_archetype_find_type(&query->world->store, archetype, component);
    bool is_tag = type >= 0 ? archetype->column_of_type[type] == 0
                            : ox_component_get_info(component)->size == 0;
    if (is_tag) {
        return oxi_world_report_tag(query->world, component, site);
    }
    if (type >= 0) {
        uint32_t column = archetype->column_of_type[type];
        *found =
            (found_column){oxi_chunk_address(chunk->oxi_chunk) + archetype->columns[column].offset,
                           (uint32_t)type};
    }
    return true;
}

const void *ox_chunk_column_at(const ox_chunk *chunk, uint32_t component, ox_site site) {
    found_column found;
    if (!find_column(chunk, component, false, &found, site)) {
        return ox_element_zeros();
    }
    oxi_sync_read(chunk->query->world, component, site); // a job of inside the loop
    return found.values;
}

void *ox_chunk_edit_column_at(const ox_chunk *chunk, uint32_t component, ox_site site) {
    found_column found;
    if (!find_column(chunk, component, true, &found, site)) {
        return ox_element_scratch();
    }
    oxi_sync_write(chunk->query->world, component, site); // a job of inside the loop
    if (found.values != NULL) {
        oxi_chunk_entry_of(chunk->oxi_chunk)->meta->versions[found.type] =
            chunk->query->world->store.version;
    }
    return found.values;
}

bool ox_chunk_has(const ox_chunk *chunk, uint32_t component) {
    if (chunk->oxi_chunk == 0 || component > OXI_MAX_TYPES) {
        return false;
    }
    const oxi_store *store = &chunk->query->world->store;
    const oxi_archetype *archetype = oxi_archetype_of(chunk->oxi_chunk);
    return oxi_archetype_find_type(store, archetype, component) >= 0;
}
