// SPDX-License-Identifier: MIT
//
// A job over entities on its way: what it reads and writes, and the chunks it is over.

#pragma once

#include "entities/fences.h"
#include "entities/query.h"

enum { OXI_MOST_USES = 2 * OX_MAX_TERMS };

/// One chunk in the list; the addresses of its columns follow, then those of its switches.
typedef struct oxi_listed_chunk {
    uint16_t count;
    bool is_any_met; ///< see oxi_row_rules
    oxi_chunk chunk;
    void *columns[];
} oxi_listed_chunk;

/// What lies at the beginning of the list.
typedef struct oxi_chunk_list_head {
    uint32_t stride; ///< of a listed chunk
    uint32_t column_count;
    uint32_t rule_count;         // switches that say which rows match
    uint8_t rules[OX_MAX_TERMS]; ///< of oxi_bit_rule
    uint32_t fetched_count; ///< chunks whose memory is asked for ahead: all of a long list, or none
    const oxi_buffer_kind *kinds[OX_MAX_TERMS]; ///< of columns, NULL for those that are no buffers
} oxi_chunk_list_head;

/// A job that is being scheduled.
typedef struct oxi_entity_schedule {
    ox_entity_job_type *type;
    ox_query *query;
    struct oxi_scope *scope; ///< who schedules
    uint32_t term_count;
    uint32_t ids[OX_MAX_TERMS];       ///< of the terms, 0 for those without values
    uint32_t column_count;            ///< terms up to the last one with values
    oxi_type_use uses[OXI_MOST_USES]; ///< of the terms, then of lookups and views
    oxi_job_use told[OXI_MOST_USES];
    uint32_t use_count;
    uint32_t term_use_count;
    OXI_LIST(char) data; ///< the job's struct, when it holds lookups
    OXI_LIST(char) list;
    size_t stride; ///< of a listed chunk
    uint32_t chunk_count;
    uint32_t row_count; ///< of the chunks that are listed
    uint32_t since;     ///< version after which changes are newer than the last run
    bool asks_changes;  ///< a term asks what changed

    // Of one that is kept, to be scheduled again as it is.
    uint64_t changes; ///< of the store when its chunks were listed
    uint32_t known;   ///< components that the store knew
    uint64_t number;  ///< of the scope: another may come to lie where one was

    const oxi_archetype *archetype; ///< whose columns these are
    int32_t types[OX_MAX_TERMS];    ///< of the terms in it, -1: it has none
    uint32_t offsets[OX_MAX_TERMS];
} oxi_entity_schedule;

/// True for terms that give a job something.
static inline bool oxi_term_has_values(ox_term_kind kind) {
    return kind == OX_TERM_READ || kind == OX_TERM_WRITE || kind == OX_TERM_OPTIONAL ||
           kind == OX_TERM_ENABLED;
}

/// True for terms that give a job something of a chunk that no component holds.
static inline bool oxi_term_is_per_chunk(ox_term_kind kind) {
    return kind == OX_TERM_INDEX || kind == OX_TERM_CHANGED;
}

/// True for terms that write.
static inline bool oxi_term_writes(ox_term_kind kind) {
    return kind == OX_TERM_WRITE || kind == OX_TERM_ENABLED;
}

/// Reads the ids and accesses of a job's terms. @return false after a report.
bool oxi_job_read_terms(oxi_entity_schedule *schedule, ox_site site);

/// Frees the schedule that the query of a job keeps.
void oxi_job_free_kept(ox_query *query);

/// Finds the lookups and views in the struct of a job. @return false after a report.
bool oxi_job_read_held(oxi_entity_schedule *schedule, const void *data, ox_site site);

/// Lets the queries of views in its struct remember a job.
void oxi_job_note_held(const oxi_entity_schedule *schedule, const void *data, ox_job job);

/// True when a query of the user declares what the job does; else reports.
bool oxi_job_require_declared(const oxi_entity_schedule *schedule, ox_site site);

/// Lists all chunks of the query. @return false after a report.
bool oxi_job_list_chunks(oxi_entity_schedule *schedule, ox_site site);

/// Finds the columns of an archetype, unless they are those of the chunk before.
void oxi_job_find_columns(oxi_entity_schedule *schedule, const oxi_archetype *archetype);
