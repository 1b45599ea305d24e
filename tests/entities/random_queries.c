// SPDX-License-Identifier: MIT
//
// Queries in a random run: what they find, in which order, and changes by query.

#include "entities/random_run.h"

#include "oxbow/containers.h"
#include "oxbow/memory.h"
#include "oxbow/queries.h"

#include <stdlib.h>
#include <string.h>

enum { MANY_ROWS = 300 };

// What the model says that a query finds.

static bool matches_set(const run_query *query, uint32_t mask) {
    return (mask & query->all) == query->all && (mask & query->none) == 0 &&
           (query->any == 0 || (mask & query->any) != 0);
}

static bool is_newer(uint32_t version, uint32_t since) {
    return since == 0 || (int32_t)(version - since) > 0;
}

static bool passes_filter(const run_query *query, uint32_t mask, const model_chunk *chunk) {
    bool has_changed = false;
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        has_changed = has_changed || ((query->changed & mask) >> k & 1 &&
                                      is_newer(chunk->versions[k], query->since[k]));
    }
    bool is_ordered = query->filters_order && is_newer(chunk->order_version, query->order_since);
    return has_changed || is_ordered || (query->changed == 0 && !query->filters_order);
}

// A walk over the chunks of the model that a query finds. {0} is before the first.
typedef struct model_walk {
    int set;
    int chunk; // the next one
} model_walk;

static model_chunk *next_chunk(const random_run *run, const run_query *query, model_walk *walk) {
    for (; walk->set < run->model.set_count; walk->set++, walk->chunk = 0) {
        const model_set *set = run->model.sets[walk->set];
        while (matches_set(query, set->mask) && walk->chunk < set->chunk_count) {
            model_chunk *chunk = set->chunks[walk->chunk++];
            if (passes_filter(query, set->mask, chunk)) {
                return chunk;
            }
        }
    }
    return NULL;
}

static int64_t count_rows(const random_run *run, const run_query *query) {
    int64_t count = 0;
    model_walk walk = {0, 0};
    for (const model_chunk *chunk; (chunk = next_chunk(run, query, &walk)) != NULL;) {
        count += chunk->count;
    }
    return count;
}

static int64_t count_all_rows(const random_run *run, const run_query *query) {
    run_query unfiltered = *query;
    unfiltered.filters_order = false;
    unfiltered.changed = 0;
    return count_rows(run, &unfiltered);
}

// Queries.

static void add_term(run_query *query, ox_term_kind kind, int component) {
    uint32_t bit = UINT32_C(1) << component;
    query->kinds[query->term_count] = kind;
    query->components[query->term_count++] = component;
    if (kind == OX_TERM_ANY) {
        query->any |= bit;
    } else if (kind == OX_TERM_NONE) {
        query->none |= bit;
    } else if (kind != OX_TERM_OPTIONAL) {
        query->all |= bit;
    }
}

static void make_query(random_run *run) {
    static const ox_term_kind kinds[] = {OX_TERM_READ, OX_TERM_WRITE,   OX_TERM_WRITE,
                                         OX_TERM_WITH, OX_TERM_NONE,    OX_TERM_ANY,
                                         OX_TERM_ANY,  OX_TERM_OPTIONAL};
    run_query *query = &run->queries[run_below(run, RUN_QUERIES)];
    run_query made = {.term_count = 0};
    ox_term terms[RUN_TERMS + 1] = {{OX_TERM_END, NULL, 0}};
    uint32_t taken = 0;
    for (uint64_t k = run_below(run, RUN_TERMS + 1); k > 0; k--) {
        int component = run_pick_component(run);
        if (!(taken >> component & 1)) {
            ox_term_kind kind = kinds[run_below(run, sizeof kinds / sizeof *kinds)];
            taken |= UINT32_C(1) << component;
            terms[made.term_count] = (ox_term){kind, NULL, run_components[component].id};
            add_term(&made, kind, component);
            terms[made.term_count] = (ox_term){OX_TERM_END, NULL, 0};
        }
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_query_destroy(query->of[k]);
        made.of[k] = ox_query_create_at(run->worlds[k], terms, OX_HERE);
        RUN_CHECK(run, made.of[k] != NULL);
    }
    *query = made;
}

// One of the queries that are there, or NULL.
static run_query *pick_query(random_run *run) {
    run_query *query = &run->queries[run_below(run, RUN_QUERIES)];
    return query->of[0] != NULL ? query : NULL;
}

// A term with values whose kind is one of two, or -1.
static int pick_values(random_run *run, const run_query *query, ox_term_kind a, ox_term_kind b) {
    int first = query->term_count > 0 ? (int)run_below(run, (uint64_t)query->term_count) : 0;
    for (int k = 0; k < query->term_count; k++) {
        int term = (first + k) % query->term_count;
        if ((query->kinds[term] == a || query->kinds[term] == b) &&
            run_components[query->components[term]].size > 0) {
            return query->components[term];
        }
    }
    return -1;
}

static uint32_t pick_since(random_run *run) {
    return run_below(run, 8) == 0 ? 0 : run->model.version - (uint32_t)run_below(run, 12);
}

static void filter_changed(random_run *run, run_query *query) {
    for (int k = 0; k < query->term_count; k++) {
        int component = query->components[k];
        if (query->kinds[k] == OX_TERM_NONE || run_below(run, 2) == 0) {
            continue;
        }
        query->changed |= UINT32_C(1) << component;
        query->since[component] = pick_since(run);
        for (int n = 0; n < RUN_WORLDS; n++) {
            RUN_CHECK(run, ox_query_filter_changed_at(query->of[n], run_components[component].id,
                                                      query->since[component], OX_HERE));
        }
    }
}

static void set_filters(random_run *run, run_query *query) {
    uint64_t way = run_below(run, 4);
    query->changed = 0;
    query->filters_order = way <= 1; // both kinds: either lets a chunk pass
    query->order_since = pick_since(run);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_query_reset_filters(query->of[k]);
        if (query->filters_order) {
            RUN_CHECK(run, ox_query_filter_order(query->of[k], query->order_since));
        }
    }
    if (way == 1 || way == 2) {
        filter_changed(run, query);
    }
}

// Looking.

static void check_counts(random_run *run, run_query *query) {
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_query_count(query->of[k]) == count_rows(run, query));
        RUN_CHECK(run, ox_query_count_all(query->of[k]) == count_all_rows(run, query));
    }
}

static bool is_entity(const random_run *run, ox_entity entity, uint32_t index) {
    return entity.index == index && entity.version == run->model.entities[index].version;
}

static bool is_value(const random_run *run, const void *value, uint32_t index, int component) {
    return memcmp(value, run->model.entities[index].values[component],
                  run_components[component].size) == 0;
}

// `component` is one whose values are compared, or -1.
static void check_chunk(random_run *run, const ox_chunk *chunk, const model_chunk *wanted,
                        int component) {
    const char *values = NULL;
    size_t size = component >= 0 ? run_components[component].size : 0;
    if (component >= 0) {
        values = ox_chunk_get_at(chunk, run_components[component].id, OX_HERE);
        bool has = run->model.entities[wanted->rows[0]].set->mask >> component & 1;
        RUN_CHECK(run, (values != NULL) == has);
        RUN_CHECK(run, ox_chunk_has_id(chunk, run_components[component].id) == has);
    }
    RUN_CHECK(run, chunk->count == wanted->count);
    for (int row = 0; row < wanted->count && run->failure[0] == 0; row++) {
        RUN_CHECK(run, is_entity(run, chunk->entities[row], wanted->rows[row]));
        RUN_CHECK(run, values == NULL || is_value(run, values + (size_t)row * size,
                                                  wanted->rows[row], component));
    }
}

static void check_walk(random_run *run, run_query *query) {
    int component = pick_values(
        run, query, run_below(run, 2) == 0 ? OX_TERM_READ : OX_TERM_OPTIONAL, OX_TERM_WRITE);
    for (int k = 0; k < RUN_WORLDS; k++) {
        model_walk walk = {0, 0};
        OX_EACH_CHUNK(query->of[k], chunk) {
            const model_chunk *wanted = next_chunk(run, query, &walk);
            RUN_CHECK(run, wanted != NULL);
            if (run->failure[0] != 0) {
                return;
            }
            check_chunk(run, &chunk, wanted, component);
        }
        RUN_CHECK(run, next_chunk(run, query, &walk) == NULL);
    }
}

// Compares what was copied out, in the order of the walk; `values` may be NULL.
static void check_copies(random_run *run, const run_query *query, const ox_entity *entities,
                         const char *values, int component) {
    model_walk walk = {0, 0};
    for (const model_chunk *chunk;
         run->failure[0] == 0 && (chunk = next_chunk(run, query, &walk)) != NULL;) {
        for (int row = 0; row < chunk->count; row++) {
            RUN_CHECK(run, is_entity(run, *entities++, chunk->rows[row]));
            RUN_CHECK(run, values == NULL || is_value(run, values, chunk->rows[row], component));
            values = values != NULL ? values + run_components[component].size : NULL;
        }
    }
}

static void copy_out(random_run *run, run_query *query) {
    int component = pick_values(run, query, OX_TERM_READ, OX_TERM_WRITE);
    int64_t count = count_rows(run, query);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_array entities = ox_query_copy_entities(query->of[k], OX_PERSISTENT), values = {0};
        if (component >= 0) {
            values = ox_query_copy_values_at(query->of[k], run_components[component].id,
                                             OX_PERSISTENT, OX_HERE);
        }
        RUN_CHECK(run, entities.count == count && (component < 0 || values.count == count));
        check_copies(run, query, entities.data, component < 0 ? NULL : values.data, component);
        ox_dispose(&entities);
        if (component >= 0) {
            ox_dispose(&values);
        }
    }
}

// The entity at an index of all that a query finds.
static uint32_t find_at(const random_run *run, const run_query *query, int64_t index) {
    model_walk walk = {0, 0};
    const model_chunk *chunk = next_chunk(run, query, &walk);
    for (; index >= chunk->count; chunk = next_chunk(run, query, &walk)) {
        index -= chunk->count;
    }
    return chunk->rows[index];
}

static void look_at_views(random_run *run, run_query *query) {
    int component = pick_values(run, query, OX_TERM_READ, OX_TERM_WRITE);
    int64_t count = count_rows(run, query);
    uint64_t first = oxi_random_next_u64(&run->random);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_view entities = ox_query_view_entities(query->of[k]), values = {0};
        if (component >= 0) {
            values = ox_query_view_at(query->of[k], run_components[component].id, OX_HERE);
        }
        RUN_CHECK(run, entities.count == count && (component < 0 || values.count == count));
        for (uint64_t n = 0; n < 5 && count > 0 && run->failure[0] == 0; n++) {
            int64_t index = (int64_t)((first + n * n) % (uint64_t)count);
            uint32_t wanted = find_at(run, query, index);
            RUN_CHECK(run, is_entity(run, ox_view_read_entity(entities, index), wanted));
            RUN_CHECK(run, component < 0 || is_value(run, ox_view_get_at(values, index, OX_HERE),
                                                     wanted, component));
        }
    }
}

// Writing.

// Writes one value to every row of a chunk.
static void edit_column(const ox_chunk *chunk, int component, const void *value) {
    size_t size = run_components[component].size;
    char *to = ox_chunk_edit_at(chunk, run_components[component].id, OX_HERE);
    for (int row = 0; row < chunk->count; row++) {
        memcpy(to + (size_t)row * size, value, size);
    }
}

static void edit_model(random_run *run, const model_chunk *chunk, int component,
                       const void *value) {
    for (int row = 0; row < chunk->count; row++) {
        memcpy(model_edit(&run->model, chunk->rows[row], component), value,
               run_components[component].size);
    }
}

// Writes one value to all of some chunks.
static void edit_columns(random_run *run, run_query *query) {
    int component = pick_values(run, query, OX_TERM_WRITE, OX_TERM_WRITE);
    if (component < 0) {
        return;
    }
    const void *value = run_make_value(run, component);
    uint64_t chosen = oxi_random_next_u64(&run->random);
    for (int k = 0; k < RUN_WORLDS; k++) {
        uint64_t place = 0;
        OX_EACH_CHUNK(query->of[k], chunk) {
            if (chosen >> place++ % 64 & 1) {
                edit_column(&chunk, component, value);
            }
        }
    }
    model_walk walk = {0, 0};
    const model_chunk *chunk = next_chunk(run, query, &walk);
    for (uint64_t place = 0; chunk != NULL; chunk = next_chunk(run, query, &walk)) {
        if (chosen >> place++ % 64 & 1) {
            edit_model(run, chunk, component, value);
        }
    }
}

// Copies values in: one for all.
static void copy_in(random_run *run, run_query *query) {
    int component = pick_values(run, query, OX_TERM_WRITE, OX_TERM_WRITE);
    if (component < 0) {
        return;
    }
    size_t size = run_components[component].size;
    const void *value = run_make_value(run, component);
    for (int k = 0; k < RUN_WORLDS; k++) {
        uint32_t id = run_components[component].id;
        ox_array values = ox_query_copy_values_at(query->of[k], id, OX_PERSISTENT, OX_HERE);
        for (int64_t n = 0; n < values.count; n++) {
            memcpy((char *)values.data + (size_t)n * size, value, size);
        }
        RUN_CHECK(run, ox_query_set_values_at(query->of[k], id, values, OX_HERE));
        ox_dispose(&values);
    }
    model_walk walk = {0, 0};
    for (const model_chunk *chunk; (chunk = next_chunk(run, query, &walk)) != NULL;) {
        edit_model(run, chunk, component, value);
    }
}

// Structural changes.

// Chunks of one set that a query finds.
typedef struct found_chunks {
    model_set *set;
    model_chunk **chunks;
    int count;
} found_chunks;

typedef struct found_parts {
    found_chunks *parts;
    int count;
} found_parts;

// What a query finds, of sets that have a component or lack it; all of them with -1.
static found_parts find_parts(const random_run *run, const run_query *query, int component,
                              bool has) {
    found_parts found = {malloc((size_t)run->model.set_count * sizeof(found_chunks)), 0};
    model_walk walk = {0, 0};
    for (model_chunk *chunk; (chunk = next_chunk(run, query, &walk)) != NULL;) {
        model_set *set = run->model.sets[walk.set];
        if (component >= 0 && (set->mask >> component & 1) != has) {
            continue;
        }
        if (found.count == 0 || found.parts[found.count - 1].set != set) {
            size_t room = (size_t)set->chunk_count * sizeof(model_chunk *);
            found.parts[found.count++] = (found_chunks){set, malloc(room), 0};
        }
        found_chunks *part = &found.parts[found.count - 1];
        part->chunks[part->count++] = chunk;
    }
    return found;
}

static void free_parts(found_parts *found) {
    for (int k = 0; k < found->count; k++) {
        free(found->parts[k].chunks);
    }
    free(found->parts);
}

// Changes of many rows are rare, or there would be no time for others.
static bool is_too_many(random_run *run, const run_query *query) {
    return count_rows(run, query) > MANY_ROWS && run_below(run, 8) != 0;
}

static void change_worlds(random_run *run, const run_query *query, int component, bool removes,
                          bool fits) {
    uint32_t id = run_components[component].id;
    for (int k = 0; k < RUN_WORLDS; k++) {
        bool is_done = removes ? ox_query_remove_at(query->of[k], id, OX_HERE)
                               : ox_query_add_at(query->of[k], id, OX_HERE);
        RUN_CHECK(run, is_done == fits);
        RUN_CHECK(run, run->report_count == (fits ? 0 : k + 1));
        RUN_CHECK(run, fits || run->last_report == OX_REPORT_ARCHETYPE_TOO_LARGE);
    }
    run->report_count = 0;
}

static void change_component(random_run *run, run_query *query) {
    int component = run_pick_component(run);
    bool removes = run_below(run, 2) == 0, fits = true;
    if (is_too_many(run, query)) {
        return;
    }
    found_parts found = find_parts(run, query, component, removes);
    uint32_t bit = UINT32_C(1) << component;
    for (int k = 0; k < found.count; k++) {
        fits = fits && model_capacity(&run->model, found.parts[k].set->mask ^ bit) > 0;
    }
    change_worlds(run, query, component, removes, fits);
    for (int k = 0; k < found.count && fits; k++) {
        model_name_set(&run->model, found.parts[k].set->mask ^ bit);
    }
    for (int k = 0; k < found.count && fits; k++) {
        found_chunks *part = &found.parts[k];
        model_move_chunks(&run->model, part->set, part->chunks, part->count, part->set->mask ^ bit);
    }
    free_parts(&found);
}

static void destroy_entities(random_run *run, run_query *query) {
    int64_t count = count_rows(run, query);
    if (is_too_many(run, query)) {
        return;
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_query_destroy_entities(query->of[k]) == count);
    }
    found_parts found = find_parts(run, query, -1, false);
    for (int k = 0; k < found.count; k++) {
        found_chunks *part = &found.parts[k];
        model_remove_chunks(&run->model, part->set, part->chunks, part->count);
    }
    free_parts(&found);
}

// Changes inside of loops.

// Structural changes of what a query goes over, filters aside.
static uint64_t count_changes(const random_run *run, const run_query *query) {
    uint64_t count = 0;
    for (int k = 0; k < run->model.set_count; k++) {
        const model_set *set = run->model.sets[k];
        count += matches_set(query, set->mask) ? set->changes : 0;
    }
    return count;
}

// Goes up to `most` steps on. @return how many those were.
static int step_on(random_run *run, const run_query *query, ox_chunk *chunk, model_walk *walk,
                   int most) {
    int steps = 0;
    const model_chunk *wanted;
    while (steps < most && (wanted = next_chunk(run, query, walk)) != NULL) {
        RUN_CHECK(run, ox_chunk_next(chunk));
        if (run->failure[0] != 0) {
            break;
        }
        check_chunk(run, chunk, wanted, -1);
        steps++;
    }
    return steps;
}

// A loop goes on while others change, and ends with a report when something of it does.
static void change_in_loop(random_run *run, run_query *query) {
    ox_chunk chunks[RUN_WORLDS];
    model_walk walks[RUN_WORLDS] = {{0, 0}};
    int most = (int)run_below(run, 4);
    for (int k = 0; k < RUN_WORLDS; k++) {
        chunks[k] = ox_query_chunks(query->of[k]);
        step_on(run, query, &chunks[k], &walks[k], most);
    }
    uint64_t before = count_changes(run, query), query_every = run->query_every;
    run->query_every = 0; // the query stays
    for (uint64_t k = 1 + run_below(run, 3); k > 0 && run->failure[0] == 0; k--) {
        run_right_operation(run);
    }
    run->query_every = query_every;
    RUN_CHECK(run, run->report_count == 0);
    bool goes_on = count_changes(run, query) == before;
    for (int k = 0; k < RUN_WORLDS && run->failure[0] == 0; k++) {
        if (goes_on) {
            step_on(run, query, &chunks[k], &walks[k], INT32_MAX);
        }
        RUN_CHECK(run, run->failure[0] != 0 || !ox_chunk_next(&chunks[k]));
        RUN_CHECK(run, run->report_count == (goes_on ? 0 : k + 1));
        RUN_CHECK(run, goes_on || run->last_report == OX_REPORT_CHANGED_IN_LOOP);
    }
    run->report_count = 0;
}

void run_query_operation(random_run *run) {
    static void (*const uses[])(random_run * run, run_query * query) = {
        set_filters,      set_filters,      check_counts,     check_walk,     copy_out,
        look_at_views,    copy_in,          edit_columns,     edit_columns,   change_component,
        change_component, change_component, destroy_entities, change_in_loop, change_in_loop};
    run_query *query = pick_query(run);
    if (query == NULL || run_below(run, 16) == 0) {
        make_query(run);
    } else {
        uses[run_below(run, sizeof uses / sizeof *uses)](run, query);
    }
}

void run_verify_queries(random_run *run, bool walks) {
    for (int k = 0; k < RUN_QUERIES && run->failure[0] == 0; k++) {
        if (run->queries[k].of[0] != NULL) {
            check_counts(run, &run->queries[k]);
            if (walks) {
                check_walk(run, &run->queries[k]);
            }
        }
    }
}
