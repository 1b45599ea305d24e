// SPDX-License-Identifier: MIT
//
// Lookups: a component by entity, for many entities in any order, on main and in jobs. See
// oxbow/buffers.h for those of buffers.
//
//     ox_lookup places = ox_lookup_create(world, Place);
//     const Place *place = ox_lookup_get(&places, entity, Place);
//
//     OX_ENTITY_JOB(Chase, (OX_WRITE(Place, place), OX_READ(Target, target)),
//                   { OX_READ_ONLY ox_lookup targets; })
//     {
//         const Aim *aim = ox_lookup_get(&job->targets, target->who, Aim);
//         ...
//     }
//
// A job over entities may hold lookups of its world. They count as terms of it: with OX_AUTO it
// waits for the jobs that write what it looks up, and later jobs wait for it. A field that is not
// OX_READ_ONLY writes; since two rows may look up the same entity it is OX_UNRESTRICTED too, and
// the job sees to it that they do not; every chunk that has the component counts as changed when
// the job is scheduled.
//
// Other jobs hold lookups too, of any worlds. They carry no terms: schedule them in a job system,
// whose handle stands for them, or complete them yourself. Until then, a call on main that they
// stand in the way of is refused with a report. In a parallel job a lookup that writes is
// OX_UNRESTRICTED, as in one over entities.
//
// On main the calls belong to the world's thread, and wait for jobs as ox_get and ox_edit do.

#pragma once

#include "oxbow/safety.h"
#include "oxbow/world.h"

struct oxi_reach;

/// A component by entity. Copy it freely; it lives as long as its world.
typedef struct ox_lookup {
    ox_world *world;
    ox_access access; ///< for the safety system, in jobs
    uint32_t component;
    uint32_t oxi_local; ///< the world's own number of it
    const struct oxi_reach *oxi_reach;
} ox_lookup;

/// Defined where the type of lookups is announced.
OX_API void ox_lookup_types(void);
OXI_NEEDS_UNIT(lookups, ox_lookup_types);

/// Makes a lookup. @return a zeroed one after a report.
OX_API ox_lookup ox_lookup_create_at(ox_world *world, uint32_t component, ox_site site);
#define ox_lookup_create(world, T) ox_lookup_create_at(world, ox_component_id_of(T), OX_HERE)

/// True when the entity exists and has the component.
OX_API bool ox_lookup_has(const ox_lookup *lookup, ox_entity entity);

/// The value of an entity, to read; it lives as what ox_get returns, in a job as long as the job.
/// After a report it is zeros.
OX_API const void *ox_lookup_get_at(const ox_lookup *lookup, ox_entity entity, ox_site site);
#define ox_lookup_get(lookup, entity, T) ((const T *)oxi_lookup_get(lookup, entity, OX_HERE))

/// The same to write; notes that the component changed.
OX_API void *ox_lookup_edit_at(const ox_lookup *lookup, ox_entity entity, ox_site site);
#define ox_lookup_edit(lookup, entity, T) ((T *)ox_lookup_edit_at(lookup, entity, OX_HERE))

/// True when the entity exists, has the component, and it is not switched off.
OX_API bool ox_lookup_is_enabled_at(const ox_lookup *lookup, ox_entity entity, ox_site site);
#define ox_lookup_is_enabled(lookup, entity) ox_lookup_is_enabled_at(lookup, entity, OX_HERE)

/// Switches the component of an entity off or on; notes that it changed. @return false after a
/// report.
OX_API bool ox_lookup_set_enabled_at(const ox_lookup *lookup, ox_entity entity, bool is_enabled,
                                     ox_site site);
#define ox_lookup_set_enabled(lookup, entity, is_enabled)                                          \
    oxi_lookup_set_enabled(lookup, entity, is_enabled, OX_HERE)

// What files without checks look up with no call: the parts of a world that lead from an entity to
// its value. The library knows them by other names, and asserts that they lie there.

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
    const uint32_t *version; ///< what changes are stamped with; NULL in jobs
    uint32_t
        calm; ///< so many records can be read as they are: no holes to close, no job to wait for
} oxi_reach;

static inline const void *oxi_lookup_get(const ox_lookup *lookup, ox_entity entity, ox_site site) {
#if OX_SAFETY == 0
    const oxi_reach *reach = lookup->oxi_reach;
    if (reach != NULL && entity.index < reach->calm) {
        oxi_reach_record record = reach->records[entity.index];
        if (record.version == entity.version) { // chunk 0 has an archetype of no components
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
            // Order and a second version come before those of types.
            ((uint32_t *)(void *)entry->meta)[place.type + 1] = *reach->version;
            *word = is_enabled ? *word & ~bit : *word | bit;
            return true;
        }
    }
#endif
    return ox_lookup_set_enabled_at(lookup, entity, is_enabled, site);
}
