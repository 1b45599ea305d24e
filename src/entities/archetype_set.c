// SPDX-License-Identifier: MIT
//
// From lists of components to archetypes.
//
// Programs name the same lists over and over, so each world keeps the last ones as they were
// written: a repeated list costs a comparison and no sorting.

#include "entities/kinds.h"

#include "base/hash.h"

#include <string.h>

static oxi_cached_set *find_cached_set(ox_world *world, const uint32_t *components,
                                       uint32_t count) {
    uint64_t mixed = count;
    for (uint32_t k = 0; k < count; k++) {
        mixed = mixed * 0x9e3779b97f4a7c15u + components[k];
    }
    return &world->sets[mixed >> 32 & (OXI_SET_CACHE - 1)];
}

static bool is_cached(const oxi_cached_set *set, const uint32_t *components, uint32_t count) {
    return set->count == count &&
           memcmp(set->components, components, count * sizeof *components) == 0;
}

static void keep_set(const ox_world *world, oxi_cached_set *set, const uint32_t *components,
                     uint32_t count, oxi_archetype *archetype) {
    OXI_ASSERT(count <= OXI_SET_CACHED);
    OXI_ASSERT(archetype->type_count == count);
    memcpy(set->components, components, count * sizeof *components);
    set->is_small = true;
    for (uint32_t k = 0; k < count; k++) {
        set->cells[k] = oxi_archetype_find_place(&world->store, archetype, components[k]).cell;
        set->is_small = set->is_small && oxi_is_small(set->cells[k] >> 16);
    }
    set->is_plain = archetype->is_plain;
    set->count = count;
    set->archetype = archetype;
}

const oxi_cached_set *oxi_world_find_values(ox_world *world, const ox_value *values,
                                            uint32_t count) {
    uint64_t mixed = count;
    for (uint32_t k = 0; k < count; k++) {
        mixed = mixed * 0x9e3779b97f4a7c15u + values[k].component;
    }
    const oxi_cached_set *set = &world->sets[mixed >> 32 & (OXI_SET_CACHE - 1)];
    if (count == 0 || !oxi_set_is_of(set, values, count)) {
        return NULL;
    }
    OXI_ASSERT(set->archetype->type_count == count);
    world->last_set = set;
    return set;
}

static bool report_double(const ox_world *world, uint32_t component, ox_site site) {
    return OXI_REPORT(&world->sink, OX_REPORT_DUPLICATE, site,
                      OXI_NAME("what", ox_component_get_info(component)->name),
                      OXI_NAME("function", "an archetype"));
}

// Sorts ids into `types`. @return false after a report.
static bool sort_components(const ox_world *world, const uint32_t *components, uint32_t count,
                            uint16_t *types, ox_site site) {
    for (uint32_t n = 0; n < count; n++) {
        if (!oxi_component_require_given(world, components[n], NULL, "ox_archetype_get", site)) {
            return false;
        }
        uint32_t k = n;
        for (; k > 0 && types[k - 1] >= components[n]; k--) {
            if (types[k - 1] == components[n]) {
                return report_double(world, components[n], site);
            }
            types[k] = types[k - 1];
        }
        types[k] = (uint16_t)components[n];
    }
    return true;
}

// Ids that nobody knows take nothing.
static void report_too_many(const ox_world *world, const uint32_t *components, uint32_t count,
                            ox_site site) {
    oxi_row_need need = oxi_row_need_of(NULL, 0);
    for (uint32_t k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(components[k]);
        if (info != NULL) {
            oxi_row_need_add(&need, info);
        }
    }
    need.type_count = count;
    oxi_world_report_large(world, &need, OXI_CHUNK_SIZE, site);
}

oxi_archetype *oxi_world_find_set(ox_world *world, const uint32_t *components, uint32_t count,
                                  ox_site site) {
    oxi_cached_set *cached = NULL;
    if (count > 0 && count <= OXI_SET_CACHED) {
        cached = find_cached_set(world, components, count);
        if (is_cached(cached, components, count)) {
            return cached->archetype;
        }
    }
    uint16_t types[OXI_MAX_ENTITY_TYPES];
    if (count > OXI_MAX_ENTITY_TYPES) {
        report_too_many(world, components, count, site);
        return NULL;
    }
    if (!sort_components(world, components, count, types, site)) {
        return NULL;
    }
    oxi_outcome outcome;
    oxi_archetype *archetype = oxi_archetype_get(&world->store, types, count, &outcome);
    if (!oxi_world_report_move(world, outcome, site)) {
        return NULL;
    }
    OXI_ASSERT(archetype->type_count == count);
    if (cached != NULL) {
        keep_set(world, cached, components, count, archetype);
    }
    return archetype;
}

void oxi_world_undo_set(ox_world *world, size_t before) {
    for (uint32_t k = 0; world->store.archetypes.count > before && k < OXI_SET_CACHE; k++) {
        oxi_cached_set *set = &world->sets[k];
        if (set->count > 0 && set->archetype->index >= before) {
            set->count = 0;
        }
    }
    oxi_archetypes_undo(&world->store, before);
}

ox_archetype ox_archetype_of_at(ox_world *world, const uint32_t *components, int count,
                                ox_site site) {
    // Too many are reported as too large an archetype.
    if (!oxi_world_require(world, "ox_archetype_get", site) ||
        (count < 0 &&
         !oxi_count_require(world, count, OXI_MAX_ENTITY_TYPES, "ox_archetype_get", site)) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(components, "ox_archetype_get", site))) {
        return (ox_archetype){0, 0};
    }
    const oxi_archetype *found = oxi_world_find_set(world, components, (uint32_t)count, site);
    return found != NULL ? (ox_archetype){world->serial, found->index + 1} : (ox_archetype){0, 0};
}

oxi_archetype *oxi_world_archetype(ox_world *world, ox_archetype handle, ox_site site) {
    bool is_own = handle.world == world->serial && handle.number > 0 &&
                  handle.number <= world->store.archetypes.count;
    if (!OXI_REQUIRE(is_own, &world->sink, OX_REPORT_FOREIGN_HANDLE, site,
                     OXI_NAME("kind", "archetype"), OXI_NAME("world", world->name))) {
        return NULL;
    }
    return oxi_archetype_at(&world->store, handle.number - 1);
}
