// SPDX-License-Identifier: MIT
//
// Queries: terms, and which archetypes match them.
//
// Archetypes are never removed while a query is looked at, and come at the end of the store's list;
// so a query remembers how many it has seen and looks at the others when it is used.

#include "entities/query.h"

#include "base/heap.h"
#include "entities/entity_job.h"
#include "entities/fences.h"
#include "entities/kinds.h"
#include "entities/scope.h"
#include "types/kinds.h"

enum { ARCHETYPES_AHEAD = 8 }; // they lie all over memory

static uint32_t id_of_term(const ox_term *term, ox_site site) {
    return term->component != NULL ? ox_component_id_of_at(term->component, site) : term->id;
}

static inline bool is_of_value(ox_term_kind kind) {
    const uint32_t kinds = 1u << OX_TERM_READ | 1u << OX_TERM_WRITE | 1u << OX_TERM_OPTIONAL;
    return (kinds >> kind & 1) != 0;
}

static bool is_of_switch(ox_term_kind kind) {
    return kind == OX_TERM_DISABLED || kind == OX_TERM_PRESENT || kind == OX_TERM_ENABLED;
}

// A component stands in one term, or in one for its value and others for its switch.
static bool is_doubled(const ox_query *query, ox_term_kind kind, uint32_t id) {
    for (uint32_t k = 0; k < query->term_count; k++) {
        ox_term_kind other = query->terms[k].kind;
        bool go_together = (is_of_switch(kind) && is_of_value(other)) ||
                           (is_of_switch(other) && is_of_value(kind)) ||
                           (is_of_switch(kind) && is_of_switch(other) && kind != other);
        if (query->terms[k].id == id && !go_together) {
            return true;
        }
    }
    return false;
}

// True for a term that its component's kind allows; else reports.
static bool require_kind(const ox_world *world, const ox_term *term, uint32_t id, ox_site site) {
    if (term->kind == OX_TERM_DISABLED || term->kind == OX_TERM_ENABLED) {
        return oxi_require_switch(world, id, "a query with OX_DISABLED or OX_ENABLED", site);
    }
    return term->kind != OX_TERM_WRITE || !oxi_kind_of_id(id)->in_lane ||
           oxi_report_kind(world, id, "a query with OX_WRITE",
                           "read it, and set it with ox_set or ox_query_set_shared,", site);
}

bool oxi_term_require(const ox_world *world, const ox_term *term, const char *what, ox_site site) {
    return OXI_REQUIRE_ENUM(term->kind, OX_TERM_CHANGED, ox_term_kind, &world->sink, what, site);
}

// Puts a term into a query. @return false after a report.
static bool add_term(ox_query *query, const ox_term *term, ox_site site) {
    const ox_world *world = query->world;
    if (!oxi_term_require(world, term, "a query", site)) {
        return false;
    }
    uint32_t id = id_of_term(term, site);
    if (id == 0 && term->component != NULL) {
        return false; // its registration was refused, with a report
    }
    if (!oxi_component_check(world, id, site) ||
        !oxi_count_require(world, query->term_count + 1, OX_MAX_TERMS, "a query", site) ||
        !require_kind(world, term, id, site) ||
        !OXI_REQUIRE(!is_doubled(query, term->kind, id), &world->sink, OX_REPORT_DUPLICATE, site,
                     OXI_NAME("what", ox_component_get_info(id)->name),
                     OXI_NAME("function", "a query"))) {
        return false;
    }
    OXI_ASSERT(query->term_count < OX_MAX_TERMS);
    OXI_ASSERT(!oxi_term_is_for_jobs(term->kind));
    query->terms[query->term_count++] = (oxi_query_term){term->kind, id, OXI_BITS_IGNORED};
    return true;
}

// How a term looks at a switch. What a term for the switch says goes before that for the value.
static oxi_bit_rule rule_of_term(const ox_query *query, const oxi_query_term *term) {
    for (uint32_t k = 0; is_of_value(term->kind) && k < query->term_count; k++) {
        const oxi_query_term *other = &query->terms[k];
        if (other->id == term->id &&
            (other->kind == OX_TERM_DISABLED || other->kind == OX_TERM_PRESENT)) {
            return OXI_BITS_IGNORED;
        }
    }
    switch (term->kind) {
    case OX_TERM_READ:
    case OX_TERM_WRITE:
    case OX_TERM_WITH:
        return OXI_BITS_ON;
    case OX_TERM_NONE:
    case OX_TERM_DISABLED:
        return OXI_BITS_OFF;
    case OX_TERM_ANY:
        return OXI_BITS_ANY;
    default:
        return OXI_BITS_IGNORED;
    }
}

static void find_rules(ox_query *query) {
    for (uint32_t k = 0; k < query->term_count; k++) {
        oxi_query_term *term = &query->terms[k];
        if (oxi_is_enableable(ox_component_get_info(term->id))) {
            term->rule = rule_of_term(query, term);
            query->rule_count += term->rule != OXI_BITS_IGNORED;
        }
    }
}

static void link_query(ox_world *world, ox_query *query) {
    query->number = ++world->query_count;
    query->next = world->first_query;
    if (world->first_query != NULL) {
        world->first_query->prev = query;
    }
    world->first_query = query;
}

void oxi_query_set_scope(ox_query *query, oxi_scope *scope) {
    if (query->scope != NULL) {
        OXI_ASSERT(query->scope->query_count > 0);
        query->scope->query_count--;
    }
    query->scope = scope;
    if (scope != NULL) {
        scope->query_count++;
    }
}

static void free_query(ox_query *query, ox_site site) {
    const oxi_hooks *heap = query->world->store.heap;
    oxi_query_complete_jobs(query, site);
    oxi_query_free_filters(query);
    oxi_job_free_kept(query);
    oxi_list_free_in(heap, &query->matches);
    oxi_list_free_in(heap, &query->cells);
    oxi_list_free_in(heap, &query->windows);
    oxi_list_free_in(heap, &query->view_jobs);
    oxi_ended_note(query, "query", NULL, query->site, site);
    oxi_heap_free_in(heap, query, sizeof *query, _Alignof(ox_query));
}

ox_query *ox_query_create_at(ox_world *world, const ox_term *terms, ox_site site) {
    if (!oxi_world_require(world, "ox_query_create", site) ||
        !OXI_REQUIRE_ARGUMENT(terms, "ox_query_create", site)) {
        return NULL;
    }
    ox_query *query = oxi_heap_alloc_in(world->store.heap, sizeof *query, _Alignof(ox_query));
    if (query == NULL) {
        oxi_world_report(world, OXI_NO_MEMORY, site);
        return NULL;
    }
    oxi_ended_forget(query);
    *query = (ox_query){.world = world, .site = site};
    bool is_good = true;
    for (const ox_term *term = terms; is_good && term->kind != OX_TERM_END; term++) {
        is_good = oxi_term_is_for_jobs(term->kind) || add_term(query, term, site);
    }
    find_rules(query);
    if (!is_good || !oxi_query_update(query, site)) {
        free_query(query, site);
        return NULL;
    }
    link_query(world, query);
    return query;
}

void ox_query_destroy_at(ox_query *query, ox_site site) {
    if (query == NULL || !oxi_query_require(query, "ox_query_destroy", site) ||
        !oxi_world_require(query->world, "ox_query_destroy", site)) {
        return;
    }
    if (query->scope != NULL) {
        OXI_REPORT(&query->world->sink, OX_REPORT_QUERY_OWNED, site,
                   OXI_SITE("query_site", query->site),
                   OXI_NAME("system", query->scope->base.name));
        return;
    }
    oxi_query_end(query, site);
}

void oxi_query_end(ox_query *query, ox_site site) {
    if (query->on_end != NULL) {
        query->on_end(query);
    }
    oxi_query_set_scope(query, NULL);
    if (query->prev != NULL) {
        OXI_ASSERT(query->prev->next == query);
        query->prev->next = query->next;
    } else {
        OXI_ASSERT(query->world->first_query == query);
        query->world->first_query = query->next;
    }
    if (query->next != NULL) {
        query->next->prev = query->prev;
    }
    free_query(query, site);
}

void oxi_queries_destroy(ox_world *world, ox_site site) {
    while (world->first_query != NULL) {
        ox_query *query = world->first_query;
        world->first_query = query->next;
        free_query(query, site);
    }
}

const oxi_query_term *oxi_query_find_term(const ox_query *query, uint32_t component) {
    const oxi_query_term *found = NULL;
    for (uint32_t k = 0; k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        if (term->id == component && is_of_value(term->kind)) {
            return term;
        }
        found = found == NULL && term->id == component ? term : found;
    }
    return found;
}

bool oxi_query_report_term(const ox_query *query, uint32_t component, oxi_term_want want,
                           ox_site site) {
    // What it says, and the term that would allow it.
    static const char *const texts[][2] = {
        [OXI_WANTS_READ] = {"does not read", "OX_READ"},
        [OXI_WANTS_WRITE] = {"does not write", "OX_WRITE"},
        [OXI_WANTS_CHANGES] = {"looks for changes of", "OX_READ, OX_WRITE or OX_WITH"},
        [OXI_WANTS_PRESENCE] = {"does not demand", "OX_READ, OX_WRITE or OX_WITH"},
        [OXI_WANTS_LOOP] = {"is outside of its loop and asks for",
                            "OX_READ or OX_WRITE, and ask for it inside of the loop"},
    };
    const ox_component_info *info = ox_component_get_info(component);
    const char *name = component == 0 ? "ox_entity" : info != NULL ? info->name : "?";
    return OXI_REPORT(&query->world->sink, OX_REPORT_NOT_IN_QUERY, site,
                      OXI_NAME("component", name), OXI_NAME("what", texts[want][0]),
                      OXI_SITE("query_site", query->site), OXI_NAME("term", texts[want][1]));
}

// Matching.

// Terms by the store's numbers of their components, 0 for those that nobody has.
typedef struct term_locals {
    uint32_t items[OX_MAX_TERMS];
} term_locals;

bool oxi_term_allows(const oxi_query_term *term, bool has) {
    switch (term->kind) {
    case OX_TERM_NONE: // where it can be switched off, its rows decide
        return !has || term->rule == OXI_BITS_OFF;
    case OX_TERM_ABSENT:
        return !has;
    case OX_TERM_ANY:
    case OX_TERM_OPTIONAL:
    case OX_TERM_INCLUDE:
        return true;
    default:
        return has;
    }
}

static bool has_component(const ox_query *query, const oxi_archetype *archetype, uint32_t id) {
    return oxi_archetype_find_type(&query->world->store, archetype, id) >= 0;
}

static bool has_unnamed(const ox_query *query, const oxi_archetype *archetype, uint32_t id) {
    return has_component(query, archetype, id) && oxi_query_find_term(query, id) == NULL;
}

const char *oxi_query_left_out(const ox_query *query, const oxi_archetype *archetype) {
    const oxi_known_ids *ids = &query->world->ids;
    if (has_unnamed(query, archetype, ids->prefab)) {
        return "is a prefab";
    }
    if (has_unnamed(query, archetype, ids->disabled)) {
        return "is switched off as a whole";
    }
    bool is_named = !archetype->is_residue;
    for (uint32_t k = 0; !is_named && k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        is_named = term->kind != OX_TERM_NONE && term->kind != OX_TERM_ABSENT &&
                   has_component(query, archetype, term->id);
    }
    return is_named ? NULL : "is what is left of a destroyed entity";
}

static bool matches_terms(const ox_query *query, const oxi_archetype *archetype,
                          const term_locals *locals) {
    bool wants_any = false, has_any = false;
    for (uint32_t k = 0; k < query->term_count; k++) {
        bool has = oxi_archetype_find_local(archetype, locals->items[k]).type != 0;
        if (!oxi_term_allows(&query->terms[k], has)) {
            return false;
        }
        bool is_any = query->terms[k].kind == OX_TERM_ANY;
        wants_any = wants_any || is_any;
        has_any = has_any || (is_any && has);
    }
    return (has_any || !wants_any) && oxi_query_left_out(query, archetype) == NULL;
}

// Adds an archetype that matches. Room was made.
static void add_match(ox_query *query, oxi_archetype *archetype, const term_locals *locals) {
    OXI_ASSERT(query->matches.count < query->matches.capacity);
    OXI_ASSERT(query->cells.count + query->term_count <= query->cells.capacity);
    oxi_query_cell *cells = query->cells.items + query->cells.count;
    for (uint32_t k = 0; k < query->term_count; k++) {
        oxi_component_place place = oxi_archetype_find_local(archetype, locals->items[k]);
        cells[k] = (oxi_query_cell){
            .offset = (uint16_t)(place.cell & 0xffff),
            .size = (uint16_t)(place.cell >> 16),
            .type = (uint16_t)(place.type - 1),
            .bits = place.bits,
        };
    }
    query->cells.count += query->term_count;
    query->matches.items[query->matches.count++] = archetype;
}

static term_locals find_locals(const ox_query *query) {
    term_locals locals;
    for (uint32_t k = 0; k < query->term_count; k++) {
        locals.items[k] = query->world->store.local_of[query->terms[k].id];
    }
    return locals;
}

static const oxi_archetype *pick_later(const oxi_archetype *found, const oxi_archetype *other,
                                       uint64_t since) {
    return other->changed > (found != NULL ? found->changed : since) ? other : found;
}

const oxi_archetype *oxi_query_find_changed(const ox_query *query, uint64_t since) {
    const oxi_store *store = &query->world->store;
    const oxi_archetype *found = NULL;
    for (size_t k = 0; k < query->matches.count; k++) {
        found = pick_later(found, query->matches.items[k], since);
    }
    OXI_ASSERT(query->seen <= store->archetypes.count);
    if (query->seen == store->archetypes.count) {
        return found;
    }
    term_locals locals = find_locals(query);
    for (uint32_t k = query->seen; k < store->archetypes.count; k++) {
        const oxi_archetype *archetype = oxi_archetype_at(store, k);
        if (matches_terms(query, archetype, &locals)) {
            found = pick_later(found, archetype, since);
        }
    }
    return found;
}

bool oxi_query_update(ox_query *query, ox_site site) {
    const oxi_store *store = &query->world->store;
    uint32_t count = (uint32_t)store->archetypes.count;
    OXI_ASSERT(query->seen <= count); // none of those goes that a query has seen
    if (query->seen == count) {
        return true;
    }
    size_t most = query->matches.count + count - query->seen;
    size_t cells = query->term_count > 0 ? most * query->term_count : 1; // never NULL
    if (!oxi_list_reserve_in(store->heap, &query->matches, most) ||
        !oxi_list_reserve_in(store->heap, &query->cells, cells)) {
        return oxi_world_report(query->world, OXI_NO_MEMORY, site);
    }
    term_locals locals = find_locals(query);
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
    return oxi_query_require(query, function, site) &&
           oxi_world_enter(query->world, function, site) && oxi_query_update(query, site);
}

// Counting.

static bool has_filtered_values(const ox_query *query, oxi_archetype *archetype, oxi_chunk chunk) {
    bool has_all = true;
    for (uint32_t k = 0; has_all && k < query->shared_filter_count; k++) {
        has_all = oxi_chunk_shared_number(&query->world->store, archetype, chunk,
                                          query->shared[k].component) == query->shared[k].number;
    }
    return has_all;
}

// Version 0 of a system's query means its last update.
static uint32_t resolve_since(const ox_query *query, uint32_t version) {
    return version == 0 && query->scope != NULL ? query->scope->last_version : version;
}

bool oxi_query_passes(const ox_query *query, oxi_archetype *archetype, oxi_chunk chunk) {
    OXI_ASSERT(oxi_archetype_of(chunk) == archetype);
    const oxi_chunk_meta *meta = oxi_chunk_entry_of(chunk)->meta;
    if (query->shared_filter_count > 0 && !has_filtered_values(query, archetype, chunk)) {
        return false;
    }
    if (query->filters_order &&
        oxi_version_changed(meta->order_version, resolve_since(query, query->order_since))) {
        return true;
    }
    for (uint32_t k = 0; k < query->changed_count; k++) {
        const oxi_changed_filter *filter = &query->changed[k];
        int32_t type = oxi_archetype_find_type(&query->world->store, archetype, filter->component);
        if (type >= 0 &&
            oxi_version_changed(meta->versions[type], resolve_since(query, filter->since))) {
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

// Live rows of a chunk of the match at `index` that are switched as the terms say.
static int64_t count_rows(const ox_query *query, size_t index, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint64_t mask[OX_CHUNK_WORDS];
    OXI_ASSERT(entry->archetype == query->matches.items[index]);
    OXI_ASSERT(entry->count <= OX_CHUNK_WORDS * 64);
    oxi_mask_kind kind = oxi_query_mask(query, index, chunk, mask);
    if (kind == OXI_MASK_ALL) {
        return entry->live;
    }
    if (kind == OXI_MASK_NONE) {
        return 0;
    }
    oxi_words_and_not(mask, oxi_chunk_dead_bits(entry->archetype, chunk),
                      oxi_words_for(entry->count));
    return (int64_t)oxi_words_count(mask, entry->count);
}

static int64_t count_passing(const ox_query *query, size_t index) {
    int64_t count = 0;
    oxi_archetype *archetype = query->matches.items[index];
    for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk != 0 && oxi_query_passes(query, archetype, chunk)) {
            count += count_rows(query, index, chunk);
        }
    }
    return count;
}

int64_t ox_query_count_at(ox_query *query, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_count", site)) {
        return 0;
    }
    if (!oxi_query_has_filters(query) && query->rule_count == 0) {
        return ox_query_count_all_at(query, site);
    }
    int64_t count = 0;
    if (!oxi_query_sync_rules(query, site)) {
        return 0;
    }
    for (size_t k = 0; k < query->matches.count; k++) {
        count += count_passing(query, k);
    }
    return count;
}
