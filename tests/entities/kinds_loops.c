// SPDX-License-Identifier: MIT
//
// Changes inside of a walk over a query: it goes on while nothing changes that the query goes over,
// switched off, filtered or not, and ends with a report when something does.

#include "entities/kinds_queries.h"

#include <stdlib.h>

// What is known of an entity when the walk is interrupted.
typedef struct kinds_mark {
    uint32_t version; // 0: the query did not go over it
    bool was_found;   // it matched
    bool is_seen;     // the walk found it
} kinds_mark;

static void mark_walked(const kinds_run *run, const kinds_query *query, kinds_mark *marks) {
    for (int k = 0; k < run->model.alive_count; k++) {
        uint32_t index = run->model.alive[k];
        const kinds_entity *entity = &run->model.entities[index];
        if (kinds_matches_chunk(query, entity)) {
            marks[index].version = entity->version;
            marks[index].was_found = kinds_matches(query, entity);
        }
    }
}

// True when something that the query goes over, before or after, came, went or moved.
static bool has_changed(const kinds_run *run, const kinds_query *query, const kinds_mark *marks,
                        int64_t count) {
    bool changed = false;
    for (int64_t k = 0; k < count; k++) {
        const kinds_entity *entity = &run->model.entities[k];
        bool is_same = entity->is_alive && entity->version == marks[k].version;
        changed = changed || (marks[k].version != 0 && !is_same);
    }
    for (int k = 0; k < run->model.alive_count; k++) {
        uint32_t index = run->model.alive[k];
        const kinds_entity *entity = &run->model.entities[index];
        bool is_walked = kinds_matches_chunk(query, entity) ||
                         (index < count && marks[index].version == entity->version);
        changed = changed || (is_walked && entity->arrived == run->model.clock);
    }
    return changed;
}

static void see_step(kinds_run *run, const kinds_query *query, const ox_chunk *chunk,
                     kinds_mark *marks, int64_t count) {
    for (int row = 0; row < chunk->count && run->failure[0] == 0; row++) {
        ox_entity entity = chunk->entities[row];
        KINDS_CHECK(run, entity.index < count && kinds_is_alive(&run->model, entity));
        if (run->failure[0] == 0) {
            // A chunk is masked when it is entered: a row of it may be switched off since.
            KINDS_CHECK(run, marks[entity.index].was_found ||
                                 kinds_matches(query, &run->model.entities[entity.index]));
            KINDS_CHECK(run, !marks[entity.index].is_seen);
            marks[entity.index].is_seen = true;
        }
    }
}

// Who matched before and matches now was found, at one of the two times.
static void check_seen(kinds_run *run, const kinds_query *query, const kinds_mark *marks,
                       int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        KINDS_CHECK(run, !marks[k].was_found || marks[k].is_seen ||
                             !kinds_matches(query, &run->model.entities[k]));
    }
}

static bool has_whole(const kinds_model *model) {
    for (int k = 0; k < model->alive_count; k++) {
        if (!model->entities[model->alive[k]].is_residue) {
            return true;
        }
    }
    return false;
}

void kinds_change_in_loop(kinds_run *run, const kinds_query *query) {
    if (!has_whole(&run->model)) {
        return; // a change would create an entity first
    }
    int64_t count = run->model.used;
    kinds_mark *marks = calloc((size_t)count + 1, sizeof *marks);
    ox_chunk chunk = ox_query_chunks(query->query);
    for (uint64_t k = kinds_below(run, 4); k > 0 && ox_chunk_next(&chunk); k--) {
        see_step(run, query, &chunk, marks, count);
    }
    bool is_over = chunk.oxi_is_over;
    mark_walked(run, query, marks);
    run->is_in_loop = true;
    kinds_operation(run); // one: who is looked at before and after was not something else between
    run->is_in_loop = false;
    KINDS_CHECK(run, run->report_count == 0);
    bool ends = !is_over && has_changed(run, query, marks, count);
    while (!ends && run->failure[0] == 0 && ox_chunk_next(&chunk)) {
        see_step(run, query, &chunk, marks, count);
    }
    KINDS_CHECK(run, run->failure[0] != 0 || !ox_chunk_next(&chunk));
    KINDS_CHECK(run, run->report_count == (ends ? 1 : 0));
    KINDS_CHECK(run, !ends || run->last_report == OX_REPORT_CHANGED_IN_LOOP);
    if (!ends && !is_over) {
        check_seen(run, query, marks, count);
    }
    run->report_count = 0;
    free(marks);
}
