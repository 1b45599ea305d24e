// SPDX-License-Identifier: MIT
//
// Switching components off and on. A bit that is set means off; nothing moves.

#include "oxbow/entities.h"

#include "entities/fences.h"
#include "entities/groups.h"
#include "entities/kinds.h"
#include "entities/query.h"
#include "storage/enabled_bits.h"

// The words of a component's switches in a chunk, or NULL.
static uint64_t *find_switches(const ox_world *world, oxi_chunk chunk, uint32_t component,
                               uint32_t *type) {
    const oxi_archetype *archetype = oxi_archetype_of(chunk);
    uint32_t local = component <= OXI_MAX_TYPES ? world->store.local_of[component] : 0;
    oxi_component_place place = oxi_archetype_find_local(archetype, local);
    *type = place.type - 1u;
    return place.bits != 0 ? oxi_chunk_disabled(archetype, chunk, *type) : NULL;
}

static inline void set_switch(uint64_t *bits, uint32_t row, bool is_enabled) {
    uint64_t bit = (uint64_t)1 << row % 64;
    bits[row / 64] = is_enabled ? bits[row / 64] & ~bit : bits[row / 64] | bit;
}

// Says why a component of an entity cannot be switched. @return false.
OXI_NOINLINE static bool report_no_switch(const ox_world *world, ox_entity entity,
                                          uint32_t component, ox_site site) {
    static const char function[] = "ox_set_enabled";
    if (oxi_world_find(world, entity, function, site) == NULL ||
        !oxi_component_check(world, component, site)) {
        return false;
    }
    if (oxi_require_switch(world, component, function, site)) {
        oxi_report_no_value(world, entity, component, function, site);
    }
    return false;
}

bool ox_set_enabled_at(ox_world *world, ox_entity entity, uint32_t component, bool is_enabled,
                       ox_site site) {
    if (!oxi_world_enter(world, "ox_set_enabled", site)) {
        return false;
    }
    uint32_t type;
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    uint64_t *bits = record != NULL ? find_switches(world, record->chunk, component, &type) : NULL;
    if (bits == NULL) {
        return report_no_switch(world, entity, component, site);
    }
    if (!oxi_sync_write(world, component, site)) {
        return false;
    }
    OXI_ASSERT(record->row < oxi_chunk_entry_of(record->chunk)->count);
    oxi_chunk_entry_of(record->chunk)->meta->versions[type] = world->store.version;
    set_switch(bits, record->row, is_enabled);
    return true;
}

bool ox_is_enabled_id(ox_world *world, ox_entity entity, uint32_t component) {
    if (!ox_has_id(world, entity, component)) {
        return false;
    }
    uint32_t type;
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    const uint64_t *bits = find_switches(world, record->chunk, component, &type);
    if (bits != NULL && oxi_this_run.order == 0 && !oxi_sync_read(world, component, NULL)) {
        return false;
    }
    return bits == NULL || !oxi_words_test(bits, record->row);
}

// By query and by chunk.

static bool require_switch(const ox_query *query, uint32_t component, bool writes, ox_site site) {
    bool is_named = false, is_written = false;
    for (uint32_t k = 0; k < query->term_count; k++) {
        if (query->terms[k].id == component) {
            ox_term_kind kind = query->terms[k].kind;
            is_named = is_named || (kind != OX_TERM_ABSENT && kind != OX_TERM_INCLUDE);
            is_written = is_written || kind == OX_TERM_WRITE || kind == OX_TERM_ENABLED;
        }
    }
    if (writes ? !is_written : !is_named) {
        return oxi_query_report_term(query, component, writes ? OXI_WANTS_WRITE : OXI_WANTS_READ,
                                     site);
    }
    return oxi_require_switch(query->world, component, "ox_set_enabled", site);
}

static void switch_chunk(ox_world *world, oxi_chunk chunk, uint32_t component, bool is_enabled) {
    uint32_t type;
    uint64_t *bits = find_switches(world, chunk, component, &type);
    uint32_t rows = oxi_chunk_entry_of(chunk)->count;
    OXI_ASSERT(bits != NULL); // the query writes it
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->first_dead == OXI_NO_ROW);
    if (is_enabled) {
        oxi_words_clear_range(bits, 0, rows);
    } else {
        oxi_words_set_range(bits, 0, rows);
    }
    oxi_chunk_entry_of(chunk)->meta->versions[type] = world->store.version;
}

bool ox_query_set_enabled_at(ox_query *query, uint32_t component, bool is_enabled, ox_site site) {
    if (!oxi_query_enter(query, "ox_query_set_enabled", site) ||
        !require_switch(query, component, true, site) ||
        !oxi_sync_write(query->world, component, site)) {
        return false;
    }
    for (ox_chunk chunk = oxi_query_walk_chunks(query, site); ox_chunk_next(&chunk);) {
        switch_chunk(query->world, chunk.oxi_chunk, component, is_enabled);
    }
    return true;
}

// The switches of a step of a walk, at one of its rows. NULL after a report.
static uint64_t *find_chunk_switches(const ox_chunk *chunk, uint32_t component, int row,
                                     bool writes, uint32_t *type, ox_site site) {
    const ox_query *query = oxi_chunk_require_query(chunk, "ox_chunk_set_enabled", site);
    if (query == NULL || !require_switch(query, component, writes, site)) {
        return NULL;
    }
    if (!oxi_chunk_require_row(chunk, row, site)) {
        return NULL;
    }
    return find_switches(query->world, chunk->oxi_chunk, component, type);
}

bool ox_chunk_set_enabled_at(const ox_chunk *chunk, int row, uint32_t component, bool is_enabled,
                             ox_site site) {
    uint32_t type;
    uint64_t *bits = find_chunk_switches(chunk, component, row, true, &type, site);
    if (bits == NULL) {
        return false;
    }
    ox_world *world = chunk->query->world;
    if (!oxi_sync_write(world, component, site)) { // a job of inside the loop
        return false;
    }
    OXI_ASSERT(chunk->oxi_first + (uint32_t)row < oxi_chunk_entry_of(chunk->oxi_chunk)->count);
    oxi_chunk_entry_of(chunk->oxi_chunk)->meta->versions[type] = world->store.version;
    set_switch(bits, chunk->oxi_first + (uint32_t)row, is_enabled);
    return true;
}

bool ox_chunk_is_enabled_at(const ox_chunk *chunk, int row, uint32_t component, ox_site site) {
    uint32_t type;
    const uint64_t *bits = find_chunk_switches(chunk, component, row, false, &type, site);
    if (bits == NULL || !oxi_sync_read(chunk->query->world, component, site)) {
        return false;
    }
    return !oxi_words_test(bits, chunk->oxi_first + (uint32_t)row);
}

// Whole entities.

bool ox_entity_is_enabled(const ox_world *world, ox_entity entity) {
    return ox_entity_exists(world, entity) && !ox_has_id(world, entity, world->ids.disabled);
}

bool ox_entity_set_enabled_at(ox_world *world, ox_entity entity, bool is_enabled, ox_site site) {
    static const char function[] = "ox_entity_set_enabled";
    if (!oxi_world_enter(world, function, site)) {
        return false;
    }
    const oxi_record *record = oxi_world_find(world, entity, function, site);
    if (record == NULL || !oxi_require_no_residue(world, record, entity, function, site)) {
        return false;
    }
    return oxi_group_set_tag(world, entity, world->ids.disabled, !is_enabled, site);
}
