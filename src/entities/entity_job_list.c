// SPDX-License-Identifier: MIT
//
// The list of chunks that travels with a job over entities: workers read it, and touch nothing but
// it and rows.

#include "entities/buffer_access.h"
#include "entities/entity_job.h"

#include "entities/scope.h"
#include "jobs/scheduler.h"
#include "storage/buffers.h"
#include "storage/enabled_bits.h"
#include "storage/shared_values.h"
#include "types/kinds.h"

#include <string.h>

enum {
    FETCHED_LINE = 64,
    FETCHED_LINES = 8,
    LONG_LIST = 128, // chunks: 2 MiB
};

// Finds the columns of an archetype, unless they are those of the chunk before.
void oxi_job_find_columns(oxi_entity_schedule *schedule, const oxi_archetype *archetype) {
    if (archetype == schedule->archetype) {
        return;
    }
    const oxi_store *store = &schedule->query->world->store;
    OXI_ASSERT(schedule->column_count <= schedule->term_count);
    schedule->archetype = archetype;
    for (uint32_t k = 0; k < schedule->column_count; k++) {
        uint32_t id = schedule->ids[k];
        int32_t type = id != 0 ? oxi_archetype_find_type(store, archetype, id) : -1;
        schedule->types[k] = type;
        schedule->offsets[k] =
            type >= 0 ? archetype->columns[archetype->column_of_type[type]].offset : 0;
    }
}

// What a term gives the job in a chunk: a column, a shared value, the words of a switch, a number.
static void *find_listed(const oxi_entity_schedule *schedule, oxi_chunk chunk, uint32_t term) {
    const oxi_store *store = &schedule->query->world->store;
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    ox_term_kind kind = schedule->type->terms[term].kind;
    OXI_ASSERT(archetype == schedule->archetype); // its columns were found
    if (kind == OX_TERM_INDEX) {
        return (void *)(uintptr_t)schedule->row_count;
    }
    if (schedule->types[term] < 0) {
        return NULL;
    }
    if (kind == OX_TERM_CHANGED) {
        uint32_t version = oxi_chunk_entry_of(chunk)->meta->versions[schedule->types[term]];
        return (void *)(uintptr_t)oxi_version_changed(version, schedule->since);
    }
    uint32_t id = schedule->ids[term];
    if (kind == OX_TERM_ENABLED) {
        return oxi_chunk_disabled(archetype, chunk, (uint32_t)schedule->types[term]);
    }
    if (oxi_kind_of_id(id)->in_lane) {
        return oxi_shared_at(store, oxi_chunk_shared_number(store, archetype, chunk, id))->bytes;
    }
    return oxi_chunk_address(chunk) + schedule->offsets[term];
}

// Lists one chunk, with its columns. Room was made.
static void list_chunk(oxi_entity_schedule *schedule, const ox_chunk *chunk) {
    OXI_ASSERT(schedule->list.count + schedule->stride <= schedule->list.capacity);
    OXI_ASSERT(chunk->oxi_first == 0); // chunks are listed whole
    oxi_listed_chunk *listed =
        (oxi_listed_chunk *)(void *)(schedule->list.items + schedule->list.count);
    *listed = (oxi_listed_chunk){.count = (uint16_t)chunk->count, .chunk = chunk->oxi_chunk};
    oxi_job_find_columns(schedule, oxi_archetype_of(chunk->oxi_chunk));
    for (uint32_t k = 0; k < schedule->column_count; k++) {
        listed->columns[k] = find_listed(schedule, chunk->oxi_chunk, k);
    }
    if (schedule->query->rule_count > 0) {
        oxi_row_rules rules;
        oxi_query_rules(schedule->query, chunk->oxi_match - 1, chunk->oxi_chunk, &rules);
        OXI_ASSERT(rules.count == schedule->query->rule_count); // so many the stride has room for
        listed->is_any_met = rules.is_any_met;
        for (uint32_t k = 0; k < rules.count; k++) {
            listed->columns[schedule->column_count + k] = (void *)(uintptr_t)rules.bits[k];
        }
    }
    schedule->chunk_count++;
    schedule->row_count += (uint32_t)chunk->count;
    schedule->list.count += schedule->stride;
}

// Chunks that the query may match, filters or not.
static size_t count_listed(const ox_query *query) {
    size_t count = 0;
    for (size_t k = 0; k < query->matches.count; k++) {
        count += query->matches.items[k]->lane.chunks.count;
    }
    return count;
}

static oxi_chunk_list_head make_head(const oxi_entity_schedule *schedule) {
    const ox_query *query = schedule->query;
    const oxi_store *store = &query->world->store;
    oxi_chunk_list_head head = {.stride = (uint32_t)schedule->stride,
                                .column_count = schedule->column_count};
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].rule != OXI_BITS_IGNORED) {
            head.rules[head.rule_count++] = (uint8_t)query->terms[k].rule;
        }
    }
    for (uint32_t k = 0; k < schedule->column_count; k++) {
        if (schedule->type->terms[k].kind != OX_TERM_CHANGED) {
            head.kinds[k] = oxi_buffer_kind_find(store, schedule->ids[k]);
        }
    }
    return head;
}

// Lists all chunks of the query. @return false after a report.
bool oxi_job_list_chunks(oxi_entity_schedule *schedule, ox_site site) {
    uint32_t pointers = schedule->column_count + schedule->query->rule_count;
    const oxi_scope *scope = schedule->scope;
    schedule->since = scope->owner != NULL ? scope->last_version : schedule->query->job_version;
    schedule->stride = sizeof(oxi_listed_chunk) + pointers * sizeof(void *);
    OXI_ASSERT(schedule->chunk_count == 0);
    OXI_ASSERT(schedule->list.count == 0);
    oxi_chunk_list_head head = make_head(schedule);
    size_t size = sizeof head + count_listed(schedule->query) * schedule->stride;
    if (!oxi_list_reserve_in(schedule->query->world->store.heap, &schedule->list, size)) {
        return oxi_world_report(schedule->query->world, OXI_NO_MEMORY, site);
    }
    memcpy(schedule->list.items, &head, sizeof head);
    schedule->list.count = sizeof head;
    for (ox_chunk chunk = oxi_query_walk_chunks(schedule->query, site); ox_chunk_next(&chunk);) {
        list_chunk(schedule, &chunk);
    }
    if (schedule->asks_changes) {
        schedule->query->job_version = schedule->query->world->store.version;
    }
    if (schedule->chunk_count >= LONG_LIST) {
        oxi_chunk_list_head *listed = (oxi_chunk_list_head *)(void *)schedule->list.items;
        listed->fetched_count = schedule->chunk_count;
    }
    return true;
}

// In jobs.

static const oxi_chunk_list_head *head_of(const void *data, size_t size) {
    return (const oxi_chunk_list_head *)(const void *)((const char *)data + oxi_tail_offset(size));
}

static const oxi_listed_chunk *listed_at(const oxi_chunk_list_head *head, int index) {
    const char *list = (const char *)(head + 1);
    return (const oxi_listed_chunk *)(const void *)(list + (size_t)index * head->stride);
}

// What a core fetches by itself ends with a column, and begins anew in the next chunk. In a list
// that does not fit in its cache, the columns of the next chunk are asked for in time.
static void fetch_chunk(const oxi_chunk_list_head *head, const oxi_listed_chunk *chunk) {
    for (uint32_t k = 0; k < head->column_count; k++) {
        const char *column = chunk->columns[k];
        for (uint32_t n = 0; column != NULL && n < FETCHED_LINES; n++) {
            OXI_PREFETCH(column + n * FETCHED_LINE);
        }
    }
}

ox_entity_rows ox_entity_job_rows(const void *data, size_t size, int index) {
    const oxi_chunk_list_head *head = head_of(data, size);
    const oxi_listed_chunk *chunk = listed_at(head, index);
    if ((uint32_t)index + 1 < head->fetched_count) {
        fetch_chunk(head, listed_at(head, index + 1));
    }
    return (ox_entity_rows){(int)chunk->count, oxi_chunk_entities(chunk->chunk), chunk->columns,
                            head->rule_count > 0, head};
}

int ox_entity_job_mask(const void *data, size_t size, int index, uint64_t *mask) {
    const oxi_chunk_list_head *head = head_of(data, size);
    const oxi_listed_chunk *chunk = listed_at(head, index);
    OXI_ASSERT(head->rule_count <= OX_MAX_TERMS);
    oxi_row_rules rules = {.count = head->rule_count, .is_any_met = chunk->is_any_met};
    for (uint32_t k = 0; k < rules.count; k++) {
        rules.rules[k] = (oxi_bit_rule)head->rules[k];
        rules.bits[k] = chunk->columns[head->column_count + k];
    }
    switch (oxi_rules_mask(&rules, chunk->count, mask)) {
    case OXI_MASK_NONE:
        return 0;
    case OXI_MASK_SOME:
        return -1;
    default:
        return chunk->count;
    }
}

ox_buffers ox_entity_rows_buffers(const ox_entity_rows *rows, int column, int first, bool writes) {
    const oxi_chunk_list_head *head = rows->oxi_list;
    ox_buffers buffers =
        oxi_buffers_make(head->kinds[column], rows->columns[column], first, writes);
    buffers.oxi_count = rows->count - first;
    return buffers;
}
