// SPDX-License-Identifier: MIT
//
// Lookups of what is no plain value: switches and buffers. On main they are ox_set_enabled and
// ox_edit of a buffer; in a job they wait for nothing.

#include "entities/buffer_access.h"
#include "entities/fences.h"
#include "oxbow/entities.h"
#include "storage/buffers.h"
#include "storage/enabled_bits.h"

// Buffers.

static ox_buffer find_buffer_in_job(const ox_lookup *lookup, ox_entity entity, bool writes,
                                    ox_site site) {
    const ox_world *world = lookup->world;
    bool is_allowed = writes ? ox_access_may_write_at(lookup->access, site)
                             : ox_access_may_read_at(lookup->access, site);
    if (!is_allowed) {
        return (ox_buffer){0};
    }
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    const oxi_buffer_kind *kind = oxi_buffer_kind_find(&world->store, lookup->component);
    oxi_buffer_head *head = NULL;
    if (record != NULL && kind != NULL) {
        head = oxi_buffer_find(&world->store, oxi_archetype_of(record->chunk), lookup->component,
                               (oxi_row_place){record->chunk, record->row});
    }
    if (head == NULL) {
        oxi_report_no_value(world, entity, lookup->component, "ox_lookup_get", site);
        return (ox_buffer){0};
    }
    return oxi_buffer_make(kind, head, writes);
}

ox_buffer ox_lookup_get_buffer_at(const ox_lookup *lookup, ox_entity entity, bool writes,
                                  ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(lookup, "ox_lookup_get", site) ||
        !OXI_REQUIRE_ARGUMENT(lookup->world, "ox_lookup_get", site)) {
        return (ox_buffer){0};
    }
    return oxi_this_run.order != 0
               ? find_buffer_in_job(lookup, entity, writes, site)
               : ox_get_buffer_at(lookup->world, entity, lookup->component, writes, site);
}

// Switches. Entities of one word may be switched by several workers: then the word changes as one.

// The word and bit of an entity's switch, in a job. NULL when it has none.
static uint64_t *find_switch_in_job(const ox_lookup *lookup, ox_entity entity, uint64_t *bit) {
    const ox_world *world = lookup->world;
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    oxi_component_place place = {0, 0, 0};
    if (record != NULL) {
        place = oxi_archetype_find_local(oxi_archetype_of(record->chunk), lookup->oxi_local);
    }
    if (place.bits == 0) {
        return NULL;
    }
    OXI_ASSERT(record->row < oxi_chunk_entry_of(record->chunk)->count);
    *bit = (uint64_t)1 << record->row % 64;
    return (uint64_t *)(void *)oxi_chunk_entry_of(record->chunk)->meta + place.bits +
           record->row / 64;
}

static bool set_enabled_in_job(const ox_lookup *lookup, ox_entity entity, bool is_enabled,
                               ox_site site) {
    if (!ox_access_may_write_at(lookup->access, site)) {
        return false;
    }
    uint64_t bit = 0;
    uint64_t *word = find_switch_in_job(lookup, entity, &bit);
    if (word == NULL) {
        oxi_report_no_value(lookup->world, entity, lookup->component, "ox_lookup_set_enabled",
                            site);
        return false;
    }
    oxi_atomic_u64 *shared = (oxi_atomic_u64 *)(void *)word;
    uint64_t before = oxi_load_relaxed(shared);
    while (!oxi_swap_acq_rel(shared, &before, is_enabled ? before & ~bit : before | bit)) {
    }
    return true;
}

bool ox_lookup_set_enabled_at(const ox_lookup *lookup, ox_entity entity, bool is_enabled,
                              ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(lookup, "ox_lookup_set_enabled", site) ||
        !OXI_REQUIRE_ARGUMENT(lookup->world, "ox_lookup_set_enabled", site)) {
        return false;
    }
    if (oxi_this_run.order != 0) {
        return set_enabled_in_job(lookup, entity, is_enabled, site);
    }
    bool is_done = ox_set_enabled_at(lookup->world, entity, lookup->component, is_enabled, site);
    if (is_done) {
        oxi_lookups_open_on_main(lookup->world);
    }
    return is_done;
}

bool ox_lookup_is_enabled_at(const ox_lookup *lookup, ox_entity entity, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(lookup, "ox_lookup_is_enabled", site) ||
        !OXI_REQUIRE_ARGUMENT(lookup->world, "ox_lookup_is_enabled", site)) {
        return false;
    }
    if (oxi_this_run.order == 0) {
        return ox_is_enabled_id(lookup->world, entity, lookup->component);
    }
    if (!ox_access_may_read_at(lookup->access, site) ||
        !ox_has_id(lookup->world, entity, lookup->component)) {
        return false;
    }
    uint64_t bit = 0;
    const uint64_t *word = find_switch_in_job(lookup, entity, &bit);
    return word == NULL || (oxi_load_relaxed((oxi_atomic_u64 *)(uintptr_t)word) & bit) == 0;
}
