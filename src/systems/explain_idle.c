// SPDX-License-Identifier: MIT
//
// Jobs over entities that found none when they were scheduled, and why: the entity that comes
// nearest says what it lacks. That is looked for when somebody asks for the frame.

#include "base/text.h"
#include "entities/query.h"
#include "systems/explain_record.h"

#include <string.h>

enum { LONGEST_WHY = 512 };

static const char no_why[] = "no entity matched";

void oxi_recorder_add_idle(oxi_recorder *recorder, const ox_query *query, const ox_job_type *type,
                           ox_site site) {
    const oxi_hooks *heap = oxi_recorder_heap(recorder);
    for (size_t k = 0; k < recorder->idle.count; k++) {
        if (recorder->idle.items[k].system == recorder->current &&
            recorder->idle_queries.items[k] == query->number) {
            return; // of a step before
        }
    }
    ox_frame_idle idle = {type->type.name, site, recorder->current, no_why};
    if (!oxi_list_push_in(heap, &recorder->idle_queries, query->number)) {
        recorder->dropped++;
    } else if (!oxi_list_push_in(heap, &recorder->idle, idle)) {
        recorder->idle_queries.count--;
        recorder->dropped++;
    }
}

// The query of a number, up to date; NULL when it is gone.
static ox_query *find_idle_query(const ox_world *world, uint64_t number, ox_site site) {
    ox_query *query = world->first_query;
    while (query != NULL && query->number != number) {
        query = query->next;
    }
    return query != NULL && oxi_query_update(query, site) ? query : NULL;
}

static void write_why(oxi_text *why, const ox_query *query) {
    ox_entity nearest = oxi_query_find_nearest(query);
    oxi_text_append(why, no_why);
    if (ox_entity_is_null(nearest)) {
        oxi_text_append(why, ": the world has none");
        return;
    }
    if (oxi_query_explain(query, nearest, NULL)) {
        oxi_text_append_format(why, " then; %u:%u does now", nearest.index, nearest.version);
        return;
    }
    oxi_text_append_format(why, "; %u:%u comes nearest: ", nearest.index, nearest.version);
    oxi_query_explain(query, nearest, why);
}

// Adds the lines, then points to them: they move while they are added.
void oxi_recorder_explain_idle(oxi_recorder *recorder) {
    const oxi_hooks *heap = oxi_recorder_heap(recorder);
    for (size_t k = 0; k < recorder->idle.count; k++) {
        const ox_query *query =
            find_idle_query(recorder->all->world, recorder->idle_queries.items[k], recorder->site);
        char buffer[LONGEST_WHY];
        oxi_text why = oxi_text_over(buffer, sizeof buffer);
        if (query != NULL) {
            write_why(&why, query);
        }
        bool is_kept =
            query != NULL && oxi_list_append_in(heap, &recorder->idle_whys, buffer, why.length + 1);
        recorder->idle.items[k].why = is_kept ? NULL : no_why;
    }
    const char *next = recorder->idle_whys.items;
    for (size_t k = 0; k < recorder->idle.count; k++) {
        if (recorder->idle.items[k].why == NULL) {
            recorder->idle.items[k].why = next;
            next += strlen(next) + 1;
        }
    }
}
