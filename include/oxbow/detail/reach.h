// SPDX-License-Identifier: MIT
//
// Private: the direct path of lookups to a value.

#pragma once

#include "oxbow/entity_jobs.h"

/// Links the unit that declares the type of lookups.
OX_API void oxi_lookup_types(void);
OXI_NEEDS_UNIT(lookups, oxi_lookup_types);

// The parts of a world that lead from an entity to its value, for files without checks, which look
// up without a call. The library has other names for them, and asserts the offsets.

typedef struct oxi_reach_record {
    uint32_t version, chunk, row;
} oxi_reach_record;

typedef struct oxi_reach_place {
    uint32_t cell;
    uint16_t type, bits;
} oxi_reach_place;

typedef struct oxi_reach_archetype {
    const oxi_reach_place *places;
    uint32_t place_count;
} oxi_reach_archetype;

typedef struct oxi_reach_entry {
    const oxi_reach_archetype *archetype;
    uint64_t *meta;
    uint64_t counts, links;
} oxi_reach_entry;

typedef struct oxi_reach {
    const oxi_reach_record *records;
    const oxi_reach_entry *entries;
    const char *chunks;
    const uint32_t *version; ///< the version that stamps changes; NULL in jobs
    uint32_t calm; ///< records that can be read directly: nothing to compact, no job to wait for
} oxi_reach;

/// Reports that a call names another component than its lookup. @return false; true for a zeroed
/// lookup, which the call itself reports.
OX_API bool oxi_lookup_report_other(const ox_lookup *lookup, uint32_t component, ox_site site);

static inline bool oxi_lookup_is_of(const ox_lookup *lookup, uint32_t component, ox_site site) {
#if OX_SAFETY == 0
    (void)lookup, (void)component, (void)site;
    return true;
#else
    return lookup == NULL || lookup->component == component ||
           oxi_lookup_report_other(lookup, component, site);
#endif
}

static inline const void *oxi_lookup_get(const ox_lookup *lookup, ox_entity entity,
                                         uint32_t component, ox_site site) {
    if (!oxi_lookup_is_of(lookup, component, site)) {
        return oxi_element_zeros();
    }
#if OX_SAFETY == 0
    const oxi_reach *reach = lookup->oxi_reach;
    if (reach != NULL && entity.index < reach->calm) {
        oxi_reach_record record = reach->records[entity.index];
        if (record.version == entity.version) { // chunk 0 has an archetype without components
            const oxi_reach_archetype *archetype = reach->entries[record.chunk].archetype;
            uint32_t at = lookup->oxi_local - 1;
            uint32_t cell = at < archetype->place_count ? archetype->places[at].cell : 0;
            if (cell != 0) {
                return reach->chunks + ((size_t)record.chunk << 14) + (cell & 0xffff) +
                       (size_t)record.row * (cell >> 16);
            }
        }
    }
#endif
    return ox_lookup_get_at(lookup, entity, site);
}

static inline bool oxi_lookup_set_enabled(const ox_lookup *lookup, ox_entity entity,
                                          bool is_enabled, ox_site site) {
#if OX_SAFETY == 0
    const oxi_reach *reach = lookup->oxi_reach;
    if (reach != NULL && entity.index < reach->calm && reach->version != NULL &&
        reach->records[entity.index].version == entity.version) {
        oxi_reach_record record = reach->records[entity.index];
        const oxi_reach_entry *entry = &reach->entries[record.chunk];
        uint32_t at = lookup->oxi_local - 1;
        if (at < entry->archetype->place_count && entry->archetype->places[at].bits != 0) {
            oxi_reach_place place = entry->archetype->places[at];
            uint64_t *word = entry->meta + place.bits + record.row / 64;
            uint64_t bit = (uint64_t)1 << record.row % 64;
            // Three other words precede those of types.
            ((uint32_t *)(void *)entry->meta)[place.type + 2] = *reach->version;
            *word = is_enabled ? *word & ~bit : *word | bit;
            return true;
        }
    }
#endif
    return ox_lookup_set_enabled_at(lookup, entity, is_enabled, site);
}

static inline void *oxi_lookup_edit(const ox_lookup *lookup, ox_entity entity, uint32_t component,
                                    ox_site site) {
    if (!oxi_lookup_is_of(lookup, component, site)) {
        return oxi_element_scratch();
    }
    return ox_lookup_edit_at(lookup, entity, site);
}

static inline ox_buffer oxi_lookup_get_buffer(const ox_lookup *lookup, ox_entity entity,
                                              uint32_t component, ox_site site) {
    (void)component; // the handle has its own
    return ox_lookup_get_buffer_at(lookup, entity, false, site);
}

static inline ox_buffer oxi_lookup_edit_buffer(const ox_lookup *lookup, ox_entity entity,
                                               uint32_t component, ox_site site) {
    (void)component;
    return ox_lookup_get_buffer_at(lookup, entity, true, site);
}
