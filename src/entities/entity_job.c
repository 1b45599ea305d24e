// SPDX-License-Identifier: MIT
//
// Jobs over entities.
//
// At schedule the chunks that match are listed, each with the addresses of its columns, and the
// list travels behind the job's struct; the job is then an ordinary parallel job, one index for
// each chunk. Versions of what it writes are stamped on main when it is scheduled, so workers touch
// nothing but rows.

#include "oxbow/entity_jobs.h"

#include "entities/buffer_access.h"
#include "entities/fences.h"
#include "entities/kinds.h"
#include "entities/query.h"
#include "jobs/scheduler.h"
#include "safety/job_scan.h"
#include "storage/buffers.h"
#include "storage/enabled_bits.h"
#include "storage/shared_values.h"

#include <string.h>

// One chunk in the list; the addresses of its columns follow, then those of its switches.
typedef struct listed_chunk {
    uint16_t count;
    bool is_any_met; // see oxi_row_rules
    oxi_chunk chunk;
    void *columns[];
} listed_chunk;

// What lies at the beginning of the list.
typedef struct chunk_list_head {
    uint32_t stride; // of a listed chunk
    uint32_t column_count;
    uint32_t rule_count;         // switches that say which rows match
    uint8_t rules[OX_MAX_TERMS]; // of oxi_bit_rule
    uint32_t reserved;
    const oxi_buffer_kind *kinds[OX_MAX_TERMS]; // of columns, NULL for those that are no buffers
} chunk_list_head;

enum { CHUNKS_PER_BATCH = 1, MOST_USES = 2 * OX_MAX_TERMS };

ox_scope *ox_world_get_scope(ox_world *world) {
    return world != NULL ? &world->scope : NULL;
}

static const chunk_list_head *head_of(const void *data, size_t size) {
    return (const chunk_list_head *)(const void *)((const char *)data + oxi_tail_offset(size));
}

static const listed_chunk *listed_at(const chunk_list_head *head, int index) {
    const char *list = (const char *)(head + 1);
    return (const listed_chunk *)(const void *)(list + (size_t)index * head->stride);
}

ox_entity_rows ox_entity_job_rows(const void *data, size_t size, int index) {
    const chunk_list_head *head = head_of(data, size);
    const listed_chunk *chunk = listed_at(head, index);
    return (ox_entity_rows){(int)chunk->count, oxi_chunk_entities(chunk->chunk), chunk->columns,
                            head->rule_count > 0, head};
}

int ox_entity_job_mask(const void *data, size_t size, int index, uint64_t *mask) {
    const chunk_list_head *head = head_of(data, size);
    const listed_chunk *chunk = listed_at(head, index);
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
    const chunk_list_head *head = rows->oxi_list;
    return oxi_buffers_make(head->kinds[column], rows->columns[column], first, writes);
}

// A job that is being scheduled.
typedef struct entity_schedule {
    ox_entity_job_type *type;
    ox_query *query;
    uint32_t term_count;
    uint32_t ids[OX_MAX_TERMS];   // of the terms, 0 for those without values
    uint32_t column_count;        // terms up to the last one with values
    oxi_type_use uses[MOST_USES]; // of the terms, then of lookups
    oxi_job_use told[MOST_USES];
    uint32_t use_count;
    uint32_t term_use_count;
    OXI_LIST(char) data; // the job's struct, when it holds lookups
    OXI_LIST(char) list;
    size_t stride; // of a listed chunk
    uint32_t chunk_count;

    const oxi_archetype *archetype; // whose columns these are
    int32_t types[OX_MAX_TERMS];    // of the terms in it, -1: it has none
    uint32_t offsets[OX_MAX_TERMS];
} entity_schedule;

static bool has_values(ox_term_kind kind) {
    return kind == OX_TERM_READ || kind == OX_TERM_WRITE || kind == OX_TERM_OPTIONAL ||
           kind == OX_TERM_READ_SHARED || kind == OX_TERM_READ_BUFFER ||
           kind == OX_TERM_WRITE_BUFFER || kind == OX_TERM_ENABLED;
}

static bool writes_values(ox_term_kind kind) {
    return kind == OX_TERM_WRITE || kind == OX_TERM_WRITE_BUFFER || kind == OX_TERM_ENABLED;
}

// True when a job can have a component as its term says; else reports. A query can have more.
static bool require_kind_of_term(const ox_world *world, const ox_term *term, uint32_t id,
                                 ox_site site) {
    ox_component_kind kind = ox_component_get_info(id)->kind;
    bool is_plain =
        term->kind == OX_TERM_READ || term->kind == OX_TERM_WRITE || term->kind == OX_TERM_OPTIONAL;
    if (!is_plain || kind == OX_COMPONENT_KIND_DATA) {
        return true; // others are looked at when the query of the job is made
    }
    if (kind == OX_COMPONENT_KIND_TAG) {
        return oxi_world_report_tag(world, id, site);
    }
    return oxi_report_kind(world, id, "a term of a job",
                           kind == OX_COMPONENT_KIND_SHARED
                               ? "use OX_READ_SHARED"
                               : "use OX_READ_BUFFER or OX_WRITE_BUFFER",
                           site);
}

// The component of a term. @return false after a report: it cannot be used as the term says.
static bool find_id(const ox_world *world, const ox_term *term, uint32_t *id, ox_site site) {
    *id = term->component != NULL ? ox_component_id_at(term->component, site) : term->id;
    if (*id == 0 && term->component != NULL) {
        return false; // its registration was refused, with a report
    }
    if (!oxi_component_check(world, *id, site)) {
        return false;
    }
    return require_kind_of_term(world, term, *id, site);
}

static bool add_use(entity_schedule *schedule, uint32_t id, bool writes, ox_site site) {
    const ox_world *world = schedule->query->world;
    for (uint32_t k = 0; k < schedule->use_count; k++) {
        if (schedule->uses[k].component == id) {
            schedule->uses[k].writes = schedule->uses[k].writes || writes;
            return true;
        }
    }
    if (!oxi_count_require(world, schedule->use_count + 1, MOST_USES, "a job over entities",
                           site)) {
        return false;
    }
    // Else no entity ever had it. Shared values change with the structure of the world alone.
    if (world->store.local_of[id] != 0 &&
        ox_component_get_info(id)->kind != OX_COMPONENT_KIND_SHARED) {
        schedule->uses[schedule->use_count++] = (oxi_type_use){id, writes, false};
    }
    return true;
}

// A component stands in one term with a value, and in one for its switch.
static bool require_single_term(const entity_schedule *schedule, ox_term_kind kind, uint32_t id,
                                ox_site site) {
    const ox_world *world = schedule->query->world;
    for (uint32_t k = 0; k < schedule->term_count; k++) {
        bool is_switch = schedule->type->terms[k].kind == OX_TERM_ENABLED;
        if (!OXI_REQUIRE(schedule->ids[k] != id || is_switch != (kind == OX_TERM_ENABLED),
                         &world->sink, OX_REPORT_DUPLICATE, site,
                         OXI_NAME("what", ox_component_get_info(id)->name),
                         OXI_NAME("function", "a job over entities"))) {
            return false;
        }
    }
    return true;
}

// What decides about rows is read.
static bool add_rule_uses(entity_schedule *schedule, ox_site site) {
    const ox_query *query = schedule->query;
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].rule != OXI_BITS_IGNORED &&
            !add_use(schedule, query->terms[k].id, false, site)) {
            return false;
        }
    }
    return true;
}

// The ids and accesses of a job's terms. @return false after a report.
static bool read_terms(entity_schedule *schedule, ox_site site) {
    const ox_world *world = schedule->query->world;
    schedule->uses[schedule->use_count++] = (oxi_type_use){0, false, false};
    for (const ox_term *term = schedule->type->terms; term->kind != OX_TERM_END; term++) {
        uint32_t id = 0;
        if (!oxi_count_require(world, schedule->term_count + 1, OX_MAX_TERMS, "a job over entities",
                               site) ||
            (term->kind != OX_TERM_ENTITY && !find_id(world, term, &id, site)) ||
            (has_values(term->kind) && (!require_single_term(schedule, term->kind, id, site) ||
                                        !add_use(schedule, id, writes_values(term->kind), site)))) {
            return false;
        }
        schedule->ids[schedule->term_count++] = has_values(term->kind) ? id : 0;
        schedule->column_count =
            has_values(term->kind) ? schedule->term_count : schedule->column_count;
    }
    return add_rule_uses(schedule, site);
}

// Lookups. They count as terms that every chunk has.

static bool require_own(const ox_world *world, const ox_lookup *lookup, ox_site site) {
    return OXI_REQUIRE(lookup->world == world, &world->sink, OX_REPORT_FOREIGN_HANDLE, site,
                       OXI_NAME("kind", "lookup"), OXI_NAME("world", world->name));
}

// Adds what a lookup reads or writes. Where a term does the same, the safety system has its say.
static bool add_lookup_use(entity_schedule *schedule, uint32_t component, bool writes,
                           ox_site site) {
    const ox_world *world = schedule->query->world;
    for (uint32_t k = 0; k < schedule->use_count; k++) {
        oxi_type_use *use = &schedule->uses[k];
        if (use->component == component) {
            use->writes = use->writes || writes;
            use->is_lookup = use->is_lookup || writes;
            return true;
        }
    }
    if (!oxi_count_require(world, schedule->use_count + 1, MOST_USES, "a job over entities",
                           site)) {
        return false;
    }
    schedule->uses[schedule->use_count++] = (oxi_type_use){component, writes, true};
    return true;
}

// The job's copy of a lookup waits for nothing.
static bool add_lookup(entity_schedule *schedule, const ox_job_access *field, const void *data,
                       ox_site site) {
    ox_world *world = schedule->query->world;
    size_t size = schedule->type->job.type.size;
    size_t offset = field->offset - offsetof(ox_lookup, access);
    if (schedule->data.count == 0 &&
        !oxi_list_append_in(world->store.heap, &schedule->data, data, size)) {
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    ox_lookup lookup;
    oxi_lookups_open_in_jobs(world);
    memcpy(&lookup, schedule->data.items + offset, sizeof lookup);
    lookup.oxi_reach = &world->reach[OXI_REACH_IN_JOBS];
    memcpy(schedule->data.items + offset, &lookup, sizeof lookup);
    bool writes = (field->marks & OX_MARK_READ_ONLY) == 0;
    return require_own(world, &lookup, site) &&
           add_lookup_use(schedule, lookup.component, writes, site);
}

// Finds the lookups in the struct of a job. @return false after a report.
static bool read_lookups(entity_schedule *schedule, const void *data, ox_site site) {
    oxi_job_scan scan;
    schedule->term_use_count = schedule->use_count;
    if (data == NULL) {
        return true;
    }
    if (!oxi_job_scan_get(&schedule->type->job, &scan, site)) {
        return false;
    }
    for (uint32_t k = 0; k < scan.count; k++) {
        ox_access access;
        memcpy(&access, (const char *)data + scan.accesses[k].offset, sizeof access);
        if ((access.flags & OX_ACCESS_LOOKUP) != 0 &&
            !add_lookup(schedule, &scan.accesses[k], data, site)) {
            return false;
        }
    }
    return true;
}

// True when a query with this term lets a job do what its own term says. What a job reads must be
// in every chunk, unless the job says that it may be missing.
static bool is_declared(const ox_query *query, uint32_t id, ox_term_kind kind) {
    for (uint32_t k = 0; k < query->term_count; k++) {
        const oxi_query_term *term = &query->terms[k];
        if (term->id == id &&
            (term->kind == OX_TERM_WRITE || term->kind == kind ||
             (term->kind == OX_TERM_READ && has_values(kind) && !writes_values(kind)))) {
            return true;
        }
    }
    return false;
}

// A query of the user must declare what the job does.
static bool require_declared(const entity_schedule *schedule, ox_site site) {
    const ox_query *query = schedule->query;
    for (uint32_t k = 0; k < schedule->term_count; k++) {
        ox_term_kind kind = schedule->type->terms[k].kind;
        if (has_values(kind) && !is_declared(query, schedule->ids[k], kind)) {
            const char *what = writes_values(kind) ? "does not write" : "does not read";
            return oxi_query_report_term(query, schedule->ids[k], what, site);
        }
    }
    return true;
}

// Finds the columns of an archetype, unless they are those of the chunk before.
static void find_columns(entity_schedule *schedule, const oxi_archetype *archetype) {
    if (archetype == schedule->archetype) {
        return;
    }
    const oxi_store *store = &schedule->query->world->store;
    schedule->archetype = archetype;
    for (uint32_t k = 0; k < schedule->column_count; k++) {
        uint32_t id = schedule->ids[k];
        int32_t type = id != 0 ? oxi_archetype_find_type(store, archetype, id) : -1;
        schedule->types[k] = type;
        schedule->offsets[k] =
            type >= 0 ? archetype->columns[archetype->column_of_type[type]].offset : 0;
    }
}

// Lists one chunk, with its columns. Room was made.
// What a term gives the job in a chunk: a column, a shared value, the words of a switch.
static void *find_listed(const entity_schedule *schedule, oxi_chunk chunk, uint32_t term) {
    const oxi_store *store = &schedule->query->world->store;
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    if (schedule->types[term] < 0) {
        return NULL;
    }
    switch (schedule->type->terms[term].kind) {
    case OX_TERM_READ_SHARED:
        return oxi_shared_at(store,
                             oxi_chunk_shared_number(store, archetype, chunk, schedule->ids[term]))
            ->bytes;
    case OX_TERM_ENABLED:
        return oxi_chunk_disabled(archetype, chunk, (uint32_t)schedule->types[term]);
    default:
        return oxi_chunk_address(chunk) + schedule->offsets[term];
    }
}

static void list_chunk(entity_schedule *schedule, const ox_chunk *chunk) {
    listed_chunk *listed = (listed_chunk *)(void *)(schedule->list.items + schedule->list.count);
    *listed = (listed_chunk){.count = (uint16_t)chunk->count, .chunk = chunk->oxi_chunk};
    find_columns(schedule, oxi_archetype_of(chunk->oxi_chunk));
    for (uint32_t k = 0; k < schedule->column_count; k++) {
        listed->columns[k] = find_listed(schedule, chunk->oxi_chunk, k);
    }
    if (schedule->query->rule_count > 0) {
        oxi_row_rules rules;
        oxi_query_rules(schedule->query, chunk->oxi_match - 1, chunk->oxi_chunk, &rules);
        listed->is_any_met = rules.is_any_met;
        for (uint32_t k = 0; k < rules.count; k++) {
            listed->columns[schedule->column_count + k] = (void *)(uintptr_t)rules.bits[k];
        }
    }
    schedule->chunk_count++;
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

static chunk_list_head make_head(const entity_schedule *schedule) {
    const ox_query *query = schedule->query;
    const oxi_store *store = &query->world->store;
    chunk_list_head head = {.stride = (uint32_t)schedule->stride,
                            .column_count = schedule->column_count};
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].rule != OXI_BITS_IGNORED) {
            head.rules[head.rule_count++] = (uint8_t)query->terms[k].rule;
        }
    }
    for (uint32_t k = 0; k < schedule->column_count; k++) {
        ox_term_kind kind = schedule->type->terms[k].kind;
        bool is_buffer = kind == OX_TERM_READ_BUFFER || kind == OX_TERM_WRITE_BUFFER;
        if (is_buffer && store->local_of[schedule->ids[k]] - 1u < store->buffer_kinds.count) {
            head.kinds[k] = oxi_buffer_kind_of(store, schedule->ids[k]);
        }
    }
    return head;
}

// Lists all chunks of the query. @return false after a report.
static bool list_chunks(entity_schedule *schedule, ox_site site) {
    uint32_t pointers = schedule->column_count + schedule->query->rule_count;
    schedule->stride = sizeof(listed_chunk) + pointers * sizeof(void *);
    chunk_list_head head = make_head(schedule);
    size_t size = sizeof head + count_listed(schedule->query) * schedule->stride;
    if (!oxi_list_reserve_in(schedule->query->world->store.heap, &schedule->list, size)) {
        return oxi_world_report(schedule->query->world, OXI_NO_MEMORY, site);
    }
    memcpy(schedule->list.items, &head, sizeof head);
    schedule->list.count = sizeof head;
    for (ox_chunk chunk = oxi_query_walk_chunks(schedule->query, site); ox_chunk_next(&chunk);) {
        list_chunk(schedule, &chunk);
    }
    return true;
}

// What a job writes counts as changed when it is scheduled.
static void stamp_written(entity_schedule *schedule) {
    const oxi_store *store = &schedule->query->world->store;
    const char *at = schedule->list.items + sizeof(chunk_list_head);
    for (uint32_t n = 0; n < schedule->chunk_count; n++, at += schedule->stride) {
        oxi_chunk chunk = ((const listed_chunk *)(const void *)at)->chunk;
        find_columns(schedule, oxi_archetype_of(chunk));
        for (uint32_t k = 0; k < schedule->column_count; k++) {
            if (writes_values(schedule->type->terms[k].kind)) {
                oxi_chunk_entry_of(chunk)->meta->versions[schedule->types[k]] = store->version;
            }
        }
    }
}

// So does all that a job may write through lookups: each chunk that has the component.
static void stamp_looked_up(const entity_schedule *schedule) {
    const oxi_store *store = &schedule->query->world->store;
    for (uint32_t k = 0; k < schedule->use_count; k++) {
        const oxi_type_use *use = &schedule->uses[k];
        for (uint32_t n = 0; use->is_lookup && use->writes && n < store->archetypes.count; n++) {
            const oxi_archetype *archetype = oxi_archetype_at(store, n);
            oxi_chunks_stamp_type(store, archetype,
                                  oxi_archetype_find_type(store, archetype, use->component));
        }
    }
}

static ox_job request_job(entity_schedule *schedule, const void *data, ox_job after, ox_site site) {
    ox_world *world = schedule->query->world;
    oxi_job_request request = {
        .type = &schedule->type->job,
        .data = data,
        .after = after,
        .site = site,
        .is_parallel = true,
        .has_no_indices = true,
        .tail = schedule->list.items,
        .tail_size = schedule->list.count,
        .uses = schedule->told,
        .use_count = ox_safety_level() > 0 ? schedule->term_use_count : 0,
    };
    ox_job job = oxi_parallel_job_request(&request, (int)schedule->chunk_count, CHUNKS_PER_BATCH);
    if (job.value != 0 && schedule->chunk_count > 0) {
        oxi_fences_note(world, schedule->uses, schedule->use_count, job);
        world->schedule_count++;
        stamp_written(schedule);
        stamp_looked_up(schedule);
    }
    return job;
}

static ox_job schedule_entities(entity_schedule *schedule, const void *data, ox_job after,
                                ox_site site) {
    ox_world *world = schedule->query->world;
    ox_job job = ox_none;
    bool is_auto = after.value == ox_auto.value;
    if (read_lookups(schedule, data, site) &&
        oxi_fences_reserve(world, schedule->uses, schedule->use_count, schedule->told, site) &&
        list_chunks(schedule, site) &&
        (!is_auto || oxi_fences_input(world, schedule->uses, schedule->use_count, &after, site))) {
        const void *own = schedule->data.count > 0 ? schedule->data.items : data;
        job = request_job(schedule, own, after, site);
        if (is_auto && after.value != 0 && (job.value == 0 || schedule->chunk_count == 0)) {
            // No job waits for the combination: the next change of the world completes it.
            oxi_fences_note(world, schedule->uses, 1, after);
        }
    }
    oxi_list_free_in(world->store.heap, &schedule->list);
    oxi_list_free_in(world->store.heap, &schedule->data);
    return job;
}

// A type that can be scheduled, on main and outside of jobs. Else reports.
static bool enter_schedule(ox_entity_job_type *type, const char *function, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(type, function, site) ||
        !OXI_REQUIRE_ARGUMENT(type->terms, function, site) ||
        !oxi_jobs_enter(function, &type->job, site)) {
        return false;
    }
    if (!type->job.oxi_has_tail) { // filled by hand; workers read it once there are jobs of it
        type->job.oxi_has_tail = true;
    }
    return true;
}

ox_job ox_entity_job_schedule_query_at(ox_entity_job_type *type, const void *data, ox_query *query,
                                       ox_job after, ox_site site) {
    entity_schedule schedule = {.type = type, .query = query};
    if (!oxi_query_enter(query, "ox_schedule_query", site) ||
        !enter_schedule(type, "ox_schedule_query", site) || !read_terms(&schedule, site) ||
        !require_declared(&schedule, site)) {
        return ox_none;
    }
    return schedule_entities(&schedule, data, after, site);
}

// The query that was made for a type of job, or NULL.
static ox_query *find_query(const ox_world *world, const ox_entity_job_type *type) {
    ox_query *query = world->first_query;
    while (query != NULL && query->job != type) {
        query = query->next;
    }
    return query;
}

// A type that was filled by hand may have other terms than those its query was made from.
static bool has_terms(const ox_query *query, const ox_term *terms) {
    uint32_t count = 0;
    for (const ox_term *term = terms; term->kind != OX_TERM_END; term++) {
        if (term->kind != OX_TERM_ENTITY) {
            uint32_t id =
                term->component != NULL ? ox_component_id_at(term->component, NULL) : term->id;
            if (count == query->term_count || query->terms[count].id != id ||
                query->terms[count].kind != oxi_term_plain_kind(term->kind)) {
                return false;
            }
            count++;
        }
    }
    return count == query->term_count;
}

// The query that the terms of a job make, kept in the world by the job's type.
static ox_query *query_of_job(ox_world *world, ox_entity_job_type *type, ox_site site) {
    ox_query *query = find_query(world, type);
    if (query != NULL && has_terms(query, type->terms)) {
        return query;
    }
    ox_query_destroy_at(query, site);
    query = ox_query_make_at(world, type->terms, site);
    if (query != NULL) {
        query->job = type;
    }
    return query;
}

ox_job ox_entity_job_schedule_at(ox_entity_job_type *type, const void *data, ox_scope *scope,
                                 ox_job after, ox_site site) {
    static const char function[] = "ox_schedule_entities";
    entity_schedule schedule = {.type = type};
    if (!OXI_REQUIRE_ARGUMENT(scope, function, site) ||
        !OXI_REQUIRE_ARGUMENT(scope->world, function, site) ||
        !oxi_world_enter(scope->world, function, site) || !enter_schedule(type, function, site)) {
        return ox_none;
    }
    schedule.query = query_of_job(scope->world, type, site);
    if (schedule.query == NULL || !oxi_query_enter(schedule.query, function, site) ||
        !read_terms(&schedule, site)) {
        return ox_none;
    }
    return schedule_entities(&schedule, data, after, site);
}
