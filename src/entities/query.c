// SPDX-License-Identifier: MIT
//
// Queries: terms, and which archetypes match them.
//
// Archetypes are never removed while a query is looked at, and come at the end of the store's list;
// so a query remembers how many it has seen and looks at the others when it is used.

#include "entities/query.h"

#include "base/heap.h"
#include "entities/fences.h"

enum { ARCHETYPES_AHEAD = 8 }; // they lie all over memory

static uint32_t id_of_term(const ox_term *term, ox_site site) {
    return term->component != NULL ? ox_component_id_at(term->component, site) : term->id;
}

// Puts a term into a query. @return false after a report.
static bool add_term(ox_query *query, const ox_term *term, ox_site site) {
    const ox_world *world = query->world;
    uint32_t id = id_of_term(term, site);
    if (id == 0 && term->component != NULL) {
        return false; // its registration was refused, with a report
    }
    if (!oxi_component_check(world, id, site) ||
        !oxi_count_require(world, query->term_count + 1, OX_MAX_TERMS, "a query", site) ||
        !OXI_REQUIRE(oxi_query_find_term(query, id) == NULL, &world->sink, OX_REPORT_DUPLICATE,
                     site, OXI_NAME("what", ox_component_get_info(id)->name),
                     OXI_NAME("function", "a query"))) {
        return false;
    }
    query->terms[query->term_count++] = (oxi_query_term){term->kind, id};
    return true;
}

static void link_query(ox_world *world, ox_query *query) {
    query->next = world->first_query;
    if (world->first_query != NULL) {
        world->first_query->prev = query;
    }
    world->first_query = query;
}

static void free_query(ox_query *query) {
    const oxi_hooks *heap = query->world->store.heap;
    oxi_list_free_in(heap, &query->matches);
    oxi_list_free_in(heap, &query->cells);
    oxi_list_free_in(heap, &query->windows);
    oxi_heap_free_in(heap, query, sizeof *query, _Alignof(ox_query));
}

ox_query *ox_query_make_at(ox_world *world, const ox_term *terms, ox_site site) {
    if (!oxi_world_enter(world, "ox_query_create", site) ||
        !OXI_REQUIRE_ARGUMENT(terms, "ox_query_create", site)) {
        return NULL;
    }
    ox_query *query = oxi_heap_alloc_in(world->store.heap, sizeof *query, _Alignof(ox_query));
    if (query == NULL) {
        oxi_world_report(world, OXI_NO_MEMORY, site);
        return NULL;
    }
    *query = (ox_query){.world = world, .site = site};
    bool is_good = true;
    for (const ox_term *term = terms; is_good && term->kind != OX_TERM_END; term++) {
        is_good = term->kind == OX_TERM_ENTITY || add_term(query, term, site);
    }
    if (!is_good || !oxi_query_update(query, site)) {
        free_query(query);
        return NULL;
    }
    link_query(world, query);
    return query;
}

void ox_query_destroy_at(ox_query *query, ox_site site) {
    if (query == NULL || !oxi_world_enter(query->world, "ox_query_destroy", site)) {
        return;
    }
    if (query->prev != NULL) {
        query->prev->next = query->next;
    } else {
        query->world->first_query = query->next;
    }
    if (query->next != NULL) {
        query->next->prev = query->prev;
    }
    free_query(query);
}

void oxi_queries_destroy(ox_world *world) {
    while (world->first_query != NULL) {
        ox_query *query = world->first_query;
        world->first_query = query->next;
        free_query(query);
    }
}

const oxi_query_term *oxi_query_find_term(const ox_query *query, uint32_t component) {
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].id == component) {
            return &query->terms[k];
        }
    }
    return NULL;
}

bool oxi_query_report_term(const ox_query *query, uint32_t component, const char *what,
                           ox_site site) {
    const ox_component_info *info = ox_component_get_info(component);
    const char *name = component == 0 ? "ox_entity" : info != NULL ? info->name : "?";
    return OXI_REPORT(&query->world->sink, OX_REPORT_NOT_IN_QUERY, site,
                      OXI_NAME("component", name), OXI_NAME("what", what),
                      OXI_SITE("query_site", query->site));
}

// Matching.

// Terms by the store's numbers of their components, 0 for those that nobody has.
typedef struct term_locals {
    uint32_t items[OX_MAX_TERMS];
} term_locals;

static bool matches_terms(const ox_query *query, const oxi_archetype *archetype,
                          const term_locals *locals) {
    bool wants_any = false, has_any = false;
    for (uint32_t k = 0; k < query->term_count; k++) {
        ox_term_kind kind = query->terms[k].kind;
        bool has = oxi_archetype_find_local(archetype, locals->items[k]).type != 0;
        if (kind == OX_TERM_ANY) {
            wants_any = true;
            has_any = has_any || has;
        } else if (kind != OX_TERM_OPTIONAL && has == (kind == OX_TERM_NONE)) {
            return false;
        }
    }
    return has_any || !wants_any;
}

// Adds an archetype that matches. Room was made.
static void add_match(ox_query *query, oxi_archetype *archetype, const term_locals *locals) {
    oxi_query_cell *cells = query->cells.items + query->cells.count;
    for (uint32_t k = 0; k < query->term_count; k++) {
        oxi_component_place place = oxi_archetype_find_local(archetype, locals->items[k]);
        cells[k] = (oxi_query_cell){place.cell & 0xffff, place.type - 1};
    }
    query->cells.count += query->term_count;
    query->matches.items[query->matches.count++] = archetype;
}

bool oxi_query_update(ox_query *query, ox_site site) {
    const oxi_store *store = &query->world->store;
    uint32_t count = (uint32_t)store->archetypes.count;
    if (query->seen == count) {
        return true;
    }
    size_t most = query->matches.count + count - query->seen;
    if (!oxi_list_reserve_in(store->heap, &query->matches, most) ||
        !oxi_list_reserve_in(store->heap, &query->cells, most * query->term_count)) {
        return oxi_world_report(query->world, OXI_NO_MEMORY, site);
    }
    term_locals locals;
    for (uint32_t k = 0; k < query->term_count; k++) {
        locals.items[k] = store->local_of[query->terms[k].id];
    }
    for (; query->seen < count; query->seen++) {
        oxi_archetype *archetype = oxi_archetype_at(store, query->seen);
        if (query->seen + ARCHETYPES_AHEAD < count) {
            const oxi_archetype *ahead = oxi_archetype_at(store, query->seen + ARCHETYPES_AHEAD);
            OXI_PREFETCH(ahead);
            OXI_PREFETCH(ahead->places);
        }
        if (matches_terms(query, archetype, &locals)) {
            add_match(query, archetype, &locals);
        }
    }
    return true;
}

bool oxi_query_enter(ox_query *query, const char *function, ox_site site) {
    return OXI_REQUIRE_ARGUMENT(query, function, site) &&
           oxi_world_enter(query->world, function, site) && oxi_query_update(query, site);
}

// Counting.

bool oxi_query_passes(const ox_query *query, const oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_meta *meta = oxi_chunk_entry_of(chunk)->meta;
    if (query->filters_order && oxi_version_changed(meta->order_version, query->order_since)) {
        return true;
    }
    for (uint32_t k = 0; k < query->changed_count; k++) {
        const oxi_changed_filter *filter = &query->changed[k];
        int32_t type = oxi_archetype_find_type(&query->world->store, archetype, filter->component);
        if (type >= 0 && oxi_version_changed(meta->versions[type], filter->since)) {
            return true;
        }
    }
    return query->changed_count == 0 && !query->filters_order;
}

int64_t ox_query_count_all_at(ox_query *query, ox_site site) {
    int64_t count = 0;
    if (!oxi_query_enter(query, "ox_query_count", site)) {
        return 0;
    }
    for (size_t k = 0; k < query->matches.count; k++) {
        count += query->matches.items[k]->live;
    }
    return count;
}

static int64_t count_passing(const ox_query *query, const oxi_archetype *archetype) {
    int64_t count = 0;
    for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk != 0 && oxi_query_passes(query, archetype, chunk)) {
            count += oxi_chunk_entry_of(chunk)->live;
        }
    }
    return count;
}

int64_t ox_query_count_at(ox_query *query, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_count", site)) {
        return 0;
    }
    if (!oxi_query_has_filters(query)) {
        return ox_query_count_all_at(query, site);
    }
    int64_t count = 0;
    for (size_t k = 0; k < query->matches.count; k++) {
        count += count_passing(query, query->matches.items[k]);
    }
    return count;
}
