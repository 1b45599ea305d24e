// SPDX-License-Identifier: MIT
//
// Destroying entities, with their groups.
//
// An entity with cleanup components moves to an archetype of those alone, which may need memory:
// all of it is reserved before the first entity goes. Else nothing is allocated.

#include "entities/entity_arrays.h"
#include "entities/fences.h"
#include "entities/groups.h"

// True when none has a group, or something that stays.
static bool ends_plainly(const ox_world *world, const ox_entity *entities, int64_t count) {
    bool is_plain = true;
    for (int64_t k = 0; is_plain && k < count; k++) {
        oxi_chunk chunk = world->store.entities.records[entities[k].index].chunk;
        const oxi_archetype *archetype = oxi_archetype_of(chunk);
        is_plain = !archetype->leaves_residue && !archetype->is_residue &&
                   oxi_archetype_find_type(&world->store, archetype, world->ids.linked) < 0;
    }
    return is_plain;
}

// Destroys entities, all alive, of which some have groups or cleanup components.
static bool destroy_with_groups(ox_world *world, const ox_entity *entities, int64_t count,
                                ox_site site) {
    oxi_plan plan = {.store = &world->store};
    bool is_done = true;
    for (int64_t k = 0; is_done && k < count; k++) {
        is_done = oxi_group_push(world, &plan, entities[k]);
    }
    is_done = is_done && oxi_groups_push(world, &plan, true);
    return oxi_world_carry_out(world, &plan, &(oxi_plan_change){.kind = OXI_PLAN_END}, is_done,
                               site);
}

// Destroys entities, all alive. Jobs are complete. @return false after a report.
static bool destroy_list(ox_world *world, const ox_entity *entities, int64_t count, ox_site site) {
    if (!ends_plainly(world, entities, count)) {
        return destroy_with_groups(world, entities, count, site);
    }
    oxi_world_note_change(world, site);
    for (int64_t k = 0; k < count; k++) {
        oxi_entity_end(&world->store, entities[k]);
    }
    oxi_world_check(world);
    return true;
}

OXI_NOINLINE static void destroy_slowly(ox_world *world, ox_entity entity, ox_site site) {
    if (oxi_world_find(world, entity, "ox_entity_destroy", site) != NULL &&
        oxi_sync_all(world, site)) {
        destroy_list(world, &entity, 1, site);
    }
}

// Programs destroy one by one: what is rare is done out of line.
void ox_entity_destroy_at(ox_world *world, ox_entity entity, ox_site site) {
    if (!oxi_world_enter(world, "ox_entity_destroy", site)) {
        return;
    }
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    if (record == NULL || world->change_needs != 0 || world->store.names.count > 0 ||
        oxi_archetype_of(record->chunk)->ends_slowly) {
        destroy_slowly(world, entity, site);
        return;
    }
    oxi_world_note_change(world, site);
    oxi_entity_end_plain(&world->store, entity);
    oxi_world_check(world);
}

bool ox_entities_destroy_at(ox_world *world, const ox_entity *entities, int64_t count,
                            ox_site site) {
    static const char function[] = "ox_entities_destroy";
    return oxi_world_enter(world, function, site) &&
           oxi_entities_require(world, entities, count, function, site) &&
           oxi_sync_all(world, site) &&
           oxi_entities_require_single(world, entities, count, function, site) &&
           destroy_list(world, entities, count, site);
}
