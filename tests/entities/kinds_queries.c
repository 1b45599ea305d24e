// SPDX-License-Identifier: MIT
//
// Queries over components of all kinds: what they find, against a look at every entity.

#include "entities/kinds_queries.h"

#include <stdlib.h>
#include <string.h>

// Matching.

static bool is_switch_term(ox_term_kind kind) {
    return kind == OX_TERM_DISABLED || kind == OX_TERM_PRESENT;
}

// A term for a value says nothing about the switch when another term does.
static bool has_switch_term(const kinds_query *query, int component) {
    for (int k = 0; k < query->term_count; k++) {
        if (query->terms[k].component == component && is_switch_term(query->terms[k].kind)) {
            return true;
        }
    }
    return false;
}

static bool meets_term(const kinds_query *query, const kinds_term *term, bool has, bool is_on) {
    switch (term->kind) {
    case OX_TERM_READ:
    case OX_TERM_WRITE:
    case OX_TERM_WITH:
        return has && (is_on || has_switch_term(query, term->component));
    case OX_TERM_NONE:
        return !has || !is_on;
    case OX_TERM_DISABLED:
        return has && !is_on;
    case OX_TERM_PRESENT:
    case OX_TERM_ENABLED:
        return has;
    case OX_TERM_ABSENT:
        return !has;
    default: // any is met by one of several, the others by all
        return true;
    }
}

// Some entities are left out unless a term names what they have.
static bool is_left_out(const kinds_query *query, const kinds_entity *entity) {
    bool is_prefab = entity->mask >> KINDS_PREFAB & 1, is_off = entity->mask >> KINDS_DISABLED & 1;
    bool is_residue = entity->is_residue;
    for (int k = 0; k < query->term_count; k++) {
        const kinds_term *term = &query->terms[k];
        bool excludes = term->kind == OX_TERM_NONE || term->kind == OX_TERM_ABSENT;
        is_prefab = is_prefab && term->component != KINDS_PREFAB;
        is_off = is_off && term->component != KINDS_DISABLED;
        is_residue = is_residue && (excludes || (term->component != KINDS_RESIDUE &&
                                                 !(entity->mask >> term->component & 1)));
    }
    return is_prefab || is_off || is_residue;
}

static bool meets_terms(const kinds_query *query, const kinds_entity *entity, bool by_chunk) {
    uint32_t mask = entity->mask | (uint32_t)entity->is_residue << KINDS_RESIDUE;
    bool wants_any = false, has_any = false;
    for (int k = 0; k < query->term_count; k++) {
        const kinds_term *term = &query->terms[k];
        bool has = mask >> term->component & 1, is_on = !(entity->off >> term->component & 1);
        bool can_be_off = kinds_masked.enableable >> term->component & 1;
        if (term->kind == OX_TERM_ANY) {
            wants_any = true;
            has_any = has_any || (has && (is_on || by_chunk));
        }
        // A chunk matches when a row of it could, whatever is switched off.
        bool is_met = meets_term(query, term, has, is_on);
        if (by_chunk && can_be_off) {
            is_met = meets_term(query, term, has, true) || meets_term(query, term, has, false);
        }
        if (!is_met) {
            return false;
        }
    }
    return (has_any || !wants_any) && !is_left_out(query, entity);
}

bool kinds_passes(const kinds_query *query, const kinds_entity *entity) {
    bool passes = true;
    for (int k = 0; k < query->filter_count; k++) {
        passes = passes && entity->shared[query->filtered[k]] == query->numbers[k];
    }
    return passes;
}

bool kinds_matches(const kinds_query *query, const kinds_entity *entity) {
    return entity->is_alive && meets_terms(query, entity, false) && kinds_passes(query, entity);
}

bool kinds_matches_chunk(const kinds_query *query, const kinds_entity *entity) {
    return entity->is_alive && meets_terms(query, entity, true);
}

int kinds_count_matches(const kinds_run *run, const kinds_query *query) {
    int count = 0;
    for (int k = 0; k < run->model.alive_count; k++) {
        count += kinds_matches(query, &run->model.entities[run->model.alive[k]]);
    }
    return count;
}

// Making.

static bool goes_together(ox_term_kind a, ox_term_kind b) {
    bool reads = a == OX_TERM_READ || a == OX_TERM_WRITE;
    return reads && is_switch_term(b);
}

static bool can_be_term(ox_term_kind kind, int component) {
    bool is_shared = kinds_masked.shared >> component & 1;
    bool can_be_off = kinds_masked.enableable >> component & 1;
    bool is_tag = kinds_components[component].kind == OX_COMPONENT_KIND_TAG;
    switch (kind) {
    case OX_TERM_READ:
    case OX_TERM_OPTIONAL:
        return !is_tag;
    case OX_TERM_WRITE:
        return !is_tag && !is_shared;
    case OX_TERM_DISABLED:
    case OX_TERM_ENABLED:
        return can_be_off;
    case OX_TERM_INCLUDE:
        return component == KINDS_PREFAB || component == KINDS_DISABLED;
    default:
        return true;
    }
}

static void add_term(kinds_run *run, kinds_query *query) {
    static const ox_term_kind kinds[] = {
        OX_TERM_READ,     OX_TERM_READ,    OX_TERM_WRITE,  OX_TERM_WITH,     OX_TERM_WITH,
        OX_TERM_NONE,     OX_TERM_ANY,     OX_TERM_ANY,    OX_TERM_OPTIONAL, OX_TERM_DISABLED,
        OX_TERM_DISABLED, OX_TERM_PRESENT, OX_TERM_ABSENT, OX_TERM_ENABLED,  OX_TERM_INCLUDE};
    kinds_term term = {kinds[kinds_below(run, sizeof kinds / sizeof *kinds)],
                       kinds_chance(run, 16) ? KINDS_RESIDUE : kinds_pick_component(run)};
    if (term.kind == OX_TERM_INCLUDE) {
        term.component = kinds_chance(run, 2) ? KINDS_PREFAB : KINDS_DISABLED;
    }
    bool is_good = can_be_term(term.kind, term.component);
    for (int k = 0; k < query->term_count; k++) {
        const kinds_term *other = &query->terms[k];
        is_good = is_good &&
                  (other->component != term.component || goes_together(other->kind, term.kind) ||
                   goes_together(term.kind, other->kind));
    }
    if (is_good) {
        query->terms[query->term_count++] = term;
    }
}

static void make_query(kinds_run *run) {
    kinds_query *query = &run->queries[kinds_below(run, KINDS_QUERIES)];
    ox_query_destroy(query->query);
    *query = (kinds_query){0};
    for (uint64_t k = 1 + kinds_below(run, KINDS_TERMS); k > 0; k--) {
        add_term(run, query);
    }
    ox_term terms[KINDS_TERMS + 1];
    for (int k = 0; k < query->term_count; k++) {
        terms[k] =
            (ox_term){query->terms[k].kind, NULL, kinds_components[query->terms[k].component].id};
    }
    terms[query->term_count] = (ox_term){OX_TERM_END, NULL, 0};
    query->query = ox_query_create_at(run->world, terms, OX_HERE);
    KINDS_CHECK(run, query->query != NULL);
}

static void set_filter(kinds_run *run, kinds_query *query) {
    const kinds_term *term = &query->terms[kinds_below(run, (uint64_t)query->term_count + 1)];
    bool demands =
        term < query->terms + query->term_count &&
        (term->kind == OX_TERM_READ || term->kind == OX_TERM_WITH || term->kind == OX_TERM_PRESENT);
    if (!demands || !(kinds_masked.shared >> term->component & 1) || kinds_chance(run, 4)) {
        ox_query_reset_filters(query->query);
        query->filter_count = 0;
        return;
    }
    int at = 0;
    while (at < query->filter_count && query->filtered[at] != term->component) {
        at++;
    }
    if (at == KINDS_FILTERS) {
        return;
    }
    query->filter_count = at == query->filter_count ? at + 1 : query->filter_count;
    query->filtered[at] = term->component;
    query->numbers[at] = kinds_pick_number(run, term->component);
    kinds_make_shared(term->component, query->numbers[at], run->values[term->component]);
    KINDS_CHECK(run, ox_query_filter_shared_at(query->query, kinds_components[term->component].id,
                                               run->values[term->component], OX_HERE));
}

// Walking.

static void check_column(kinds_run *run, const ox_chunk *chunk, int component) {
    const kinds_component *known = &kinds_components[component];
    const char *column = ox_chunk_get_at(chunk, known->id, OX_HERE);
    bool has = ox_chunk_has_id(chunk, known->id);
    KINDS_CHECK(run, (column != NULL) == has);
    for (int row = 0; has && row < chunk->count && run->failure[0] == 0; row++) {
        kinds_entity *entity = &run->model.entities[chunk->entities[row].index];
        KINDS_CHECK(run, memcmp(column + (size_t)row * known->size, kinds_value(entity, component),
                                known->size) == 0);
    }
}

static void check_shared(kinds_run *run, const ox_chunk *chunk, int component) {
    const kinds_component *known = &kinds_components[component];
    const void *value = ox_chunk_get_at(chunk, known->id, OX_HERE);
    bool has = ox_chunk_has_id(chunk, known->id);
    KINDS_CHECK(run, (value != NULL) == has);
    for (int row = 0; has && row < chunk->count && run->failure[0] == 0; row++) {
        const kinds_entity *entity = &run->model.entities[chunk->entities[row].index];
        KINDS_CHECK(run, kinds_number_of(component, value) == entity->shared[component]);
    }
}

static void check_buffers(kinds_run *run, const ox_chunk *chunk, int component) {
    const kinds_component *known = &kinds_components[component];
    bool has = ox_chunk_has_id(chunk, known->id);
    for (int row = 0; has && row < chunk->count && run->failure[0] == 0; row++) {
        const kinds_entity *entity = &run->model.entities[chunk->entities[row].index];
        const kinds_array *array = &entity->arrays[component];
        ox_buffer buffer = ox_buffers_get_at(
            ox_chunk_get_buffers_at(chunk, known->id, false, OX_HERE), row, OX_HERE);
        KINDS_CHECK(run, ox_buffer_count_at(buffer, OX_HERE) == array->count);
        const void *elements = ox_buffer_get_at(buffer, known->size, 0, 0, OX_HERE);
        KINDS_CHECK(run, array->count == 0 || memcmp(elements, array->bytes,
                                                     (size_t)array->count * known->size) == 0);
    }
}

static void check_terms(kinds_run *run, const kinds_query *query, const ox_chunk *chunk) {
    for (int k = 0; k < query->term_count && run->failure[0] == 0; k++) {
        int component = query->terms[k].component;
        ox_term_kind kind = query->terms[k].kind;
        if (kind != OX_TERM_READ && kind != OX_TERM_WRITE && kind != OX_TERM_OPTIONAL) {
            continue;
        }
        if (kinds_masked.data >> component & 1) {
            check_column(run, chunk, component);
        } else if (kinds_masked.shared >> component & 1) {
            check_shared(run, chunk, component);
        } else {
            check_buffers(run, chunk, component);
        }
    }
}

// Entities of one step have the same components, and the same shared values.
static void check_step(kinds_run *run, const ox_chunk *chunk) {
    const kinds_entity *first = &run->model.entities[chunk->entities[0].index];
    for (int row = 1; row < chunk->count && run->failure[0] == 0; row++) {
        const kinds_entity *entity = &run->model.entities[chunk->entities[row].index];
        KINDS_CHECK(run, entity->mask == first->mask && entity->is_residue == first->is_residue);
        KINDS_CHECK(run, memcmp(entity->shared, first->shared, sizeof first->shared) == 0);
    }
}

void kinds_check_walk(kinds_run *run, const kinds_query *query) {
    unsigned char *seen = calloc((size_t)run->model.used + 1, 1);
    int count = 0;
    OX_EACH_CHUNK(query->query, chunk) {
        KINDS_CHECK(run, chunk.count > 0);
        for (int row = 0; row < chunk.count && run->failure[0] == 0; row++) {
            ox_entity entity = chunk.entities[row];
            KINDS_CHECK(run, kinds_is_alive(&run->model, entity));
            if (run->failure[0] == 0) {
                KINDS_CHECK(run, seen[entity.index]++ == 0);
                KINDS_CHECK(run, kinds_matches(query, &run->model.entities[entity.index]));
            }
        }
        count += chunk.count;
        if (run->failure[0] != 0) {
            break;
        }
        check_step(run, &chunk);
        check_terms(run, query, &chunk);
    }
    KINDS_CHECK(run, count == kinds_count_matches(run, query));
    free(seen);
}

// A filter by change lets chunks pass, so it may find more than what changed, and nothing less.
static void check_changed(kinds_run *run, kinds_query *query, uint32_t back) {
    const kinds_term *term = &query->terms[kinds_below(run, (uint64_t)query->term_count + 1)];
    if (term == query->terms + query->term_count ||
        (term->kind != OX_TERM_READ && term->kind != OX_TERM_WRITE) || back >= run->model.version) {
        return;
    }
    uint32_t since = run->model.version - back;
    unsigned char *seen = calloc((size_t)run->model.used + 1, 1);
    int64_t count = 0;
    KINDS_CHECK(run, ox_query_filter_changed_at(query->query, kinds_components[term->component].id,
                                                since, OX_HERE));
    OX_EACH_CHUNK(query->query, chunk) {
        for (int row = 0; row < chunk.count; row++) {
            uint32_t index = chunk.entities[row].index;
            KINDS_CHECK(run, kinds_matches(query, &run->model.entities[index]));
            seen[index] = 1;
        }
        count += chunk.count;
    }
    KINDS_CHECK(run, ox_query_count(query->query) == count);
    for (int k = 0; k < run->model.alive_count; k++) {
        const kinds_entity *entity = &run->model.entities[run->model.alive[k]];
        KINDS_CHECK(run, entity->changed[term->component] <= since ||
                             !kinds_matches(query, entity) || seen[run->model.alive[k]]);
    }
    free(seen);
    ox_query_reset_filters(query->query);
    query->filter_count = 0;
}

// What is said of each entity alone is what the query finds.
static void check_explained(kinds_run *run, const kinds_query *query) {
    char text[1024];
    for (int k = 0; k < run->model.alive_count && run->failure[0] == 0; k++) {
        uint32_t index = run->model.alive[k];
        const kinds_entity *entity = &run->model.entities[index];
        ox_entity handle = {index, entity->version};
        bool matches = ox_query_explain(query->query, handle, text, sizeof text);
        KINDS_CHECK(run, matches == kinds_matches(query, entity));
        KINDS_CHECK(run, matches == (strcmp(text, "matches") == 0) && text[0] != 0);
    }
}

void kinds_check_counts(kinds_run *run, const kinds_query *query) {
    int all = 0;
    for (int k = 0; k < run->model.alive_count; k++) {
        all += kinds_matches_chunk(query, &run->model.entities[run->model.alive[k]]);
    }
    KINDS_CHECK(run, ox_query_count(query->query) == kinds_count_matches(run, query));
    KINDS_CHECK(run, ox_query_count_all(query->query) == all);
    check_explained(run, query);
}

void kinds_verify_queries(kinds_run *run) {
    for (int k = 0; k < KINDS_QUERIES && run->failure[0] == 0; k++) {
        if (run->queries[k].query != NULL) {
            kinds_check_counts(run, &run->queries[k]);
            kinds_check_walk(run, &run->queries[k]);
        }
    }
}

void kinds_query_operation(kinds_run *run) {
    kinds_query *query = &run->queries[kinds_below(run, KINDS_QUERIES)];
    if (run->is_in_loop) {
        return;
    }
    if (query->query == NULL || kinds_chance(run, 8)) {
        make_query(run);
        return;
    }
    switch (kinds_below(run, 8)) {
    case 0:
    case 1:
        set_filter(run, query);
        return;
    case 2:
        kinds_check_counts(run, query);
        return;
    case 3:
        kinds_check_walk(run, query);
        return;
    case 4:
        check_changed(run, query, (uint32_t)kinds_below(run, 4));
        return;
    case 5:
        kinds_query_change(run, query);
        return;
    case 6:
        kinds_change_in_loop(run, query);
        return;
    default: // in a version of its own
        run->model.version = ox_world_advance_version(run->world);
        kinds_query_change(run, query);
        check_changed(run, query, 1);
    }
}
