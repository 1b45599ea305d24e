// SPDX-License-Identifier: MIT
//
// Looking at queries from outside: which there are, where they were made, and their terms.

#include "entities/query.h"
#include "entities/scope.h"

int ox_world_get_queries(const ox_world *world, ox_query **queries, int capacity) {
    if (!oxi_world_is_there(world, "ox_world_get_queries")) {
        return 0;
    }
    int count = 0;
    for (const ox_query *query = world->first_query; query != NULL; query = query->next) {
        count++;
    }
    int at = count; // the world has those first that were made last
    for (ox_query *query = world->first_query; query != NULL; query = query->next) {
        if (--at < capacity && queries != NULL) {
            queries[at] = query;
        }
    }
    return count;
}

static bool is_query_there(const ox_query *query, const char *function) {
    return query != NULL && oxi_require_not_ended(query, function, NULL);
}

ox_query_info ox_query_get_info(const ox_query *query) {
    if (!is_query_there(query, "ox_query_get_info")) {
        return (ox_query_info){0};
    }
    return (ox_query_info){
        .world = query->world,
        .site = query->site,
        .system = query->scope != NULL ? &query->scope->base : NULL,
        .term_count = (int)query->term_count,
        .filter_count =
            (int)(query->changed_count + query->filters_order + query->shared_filter_count),
    };
}

int ox_query_get_terms(const ox_query *query, ox_term *terms, int capacity) {
    if (!is_query_there(query, "ox_query_get_terms")) {
        return 0;
    }
    for (int k = 0; terms != NULL && k < capacity && k < (int)query->term_count; k++) {
        terms[k] = (ox_term){query->terms[k].kind, NULL, query->terms[k].id};
    }
    return (int)query->term_count;
}
