// SPDX-License-Identifier: MIT
//
// Kinds of components as a C++ program writes them: the part of test_kinds_jobs_plain.c that is
// compiled as such.

#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/queries.h"

OX_SHARED(UnitTeam, { int id; });
OX_ENABLEABLE(UnitStun, { int turns; });
OX_ENABLEABLE_TAG(UnitLit);
OX_BUFFER(UnitNote, 2, { int pitch; });
OX_CLEANUP(UnitSlot, { int number; });
OX_CLEANUP_TAG(UnitMourned);
OX_COMPONENT(UnitRules, { int level; });
OX_COMPONENT_OF_KIND(UnitOwner, OX_COMPONENT_KIND_SHARED, OX_COMPONENT_CLEANUP, 0, { int id; });

OX_ENTITY_JOB(UnitUse,
              (OX_READ(UnitTeam, team), OX_WRITE(UnitNote, notes), OX_WRITE(UnitStun, stun),
               OX_ENABLED(UnitStun, is_stunned), OX_PRESENT(UnitLit), OX_INCLUDE(ox_disabled)),
              { int add; }) {
    stun->turns += team->id + job->add;
    ox_buffer_push(notes, UnitNote, {stun->turns});
    ox_switch_set_on(is_stunned, !ox_switch_is_on(is_stunned));
}

OX_CHUNK_JOB(UnitUseChunk,
             (OX_READ(UnitNote, notes), OX_READ(UnitTeam, team), OX_ENABLED(UnitStun, stunned),
              OX_ABSENT(UnitSlot)),
             { int add; }) {
    for (int k = 0; k < count; k++) {
        bool is_long = ox_buffer_count(ox_buffers_get(notes, k)) + job->add > team->id;
        ox_switch_set_on(ox_switches_get(stunned, k), is_long);
    }
}

static bool use_queries(ox_world *world, ox_entity entity) {
    ox_query *query = ox_query_create(world, OX_READ(UnitTeam), OX_WRITE(UnitStun),
                                      OX_PRESENT(UnitStun), OX_ANY(UnitLit, UnitNote));
    ox_query *off = ox_query_create(world, OX_DISABLED(UnitLit), OX_NONE(UnitSlot));
    bool is_done = ox_query_filter_shared(query, UnitTeam, {2}) && ox_query_count(query) == 1;
    is_done = is_done && ox_query_set_shared(query, UnitTeam, {3}) && ox_query_count(query) == 0;
    ox_query_reset_filters(query);
    OX_EACH_CHUNK(query, chunk) {
        is_done = is_done && ox_chunk_get(chunk, UnitTeam)->id == 3 &&
                  ox_chunk_is_enabled(chunk, 0, UnitStun) &&
                  ox_chunk_set_enabled(chunk, 0, UnitStun, true);
    }
    is_done = is_done && ox_set_enabled(world, entity, UnitLit, false) && ox_query_count(off) == 1;
    return is_done && ox_query_get_single(off).index == entity.index &&
           ox_set_enabled(world, entity, UnitLit, true) && ox_is_enabled(world, entity, UnitLit) &&
           ox_query_set_enabled(query, UnitStun, true);
}

static bool use_groups(ox_world *world, ox_entity entity) {
    ox_entity copies[2];
    ox_buffer group = ox_add_buffer(world, entity, ox_linked);
    bool is_done = ox_buffer_push(group, ox_linked, {entity}) && ox_add(world, entity, ox_prefab) &&
                   ox_entities_instantiate(world, entity, copies, 2) &&
                   ox_entities_copy(world, copies, copies, 1);
    ox_add(world, copies[0], UnitSlot, {4});
    ox_entity_destroy(world, copies[0]);
    is_done = is_done && ox_has(world, copies[0], ox_destroyed) &&
              ox_remove(world, copies[0], UnitSlot) && !ox_entity_exists(world, copies[0]);
    return is_done && ox_entity_set_enabled(world, copies[1], false) &&
           !ox_entity_is_enabled(world, copies[1]);
}

static bool use_singletons(ox_world *world) {
    bool is_done = !ox_singleton_has(world, UnitRules) &&
                   ox_singleton_create(world, UnitRules, {1}).version != 0 &&
                   ox_singleton_set(world, UnitRules, {2});
    ox_singleton_edit(world, UnitRules)->level++;
    return is_done && ox_singleton_get(world, UnitRules)->level == 3 &&
           ox_singleton_get_entity(world, UnitRules).version != 0;
}

extern "C" bool run_kinds_unit(void);

extern "C" bool run_kinds_unit(void) {
    ox_world *world = ox_world_create(nullptr);
    ox_shared_def none = {};
    bool is_done = ox_shared_define(ox_component_id_of(UnitTeam), &none);
    ox_entity entity =
        ox_entity_create(world, OX_VALUE(UnitTeam, {2}), OX_VALUE(UnitStun, {5}), OX_VALUE(UnitLit),
                         OX_VALUE_TAG(UnitNote), OX_VALUE(UnitOwner, {1}));
    is_done = is_done && use_queries(world, entity);
    ox_schedule_entities(UnitUse, ox_world_get_root(world), OX_AUTO, {10});
    ox_schedule_entities(UnitUseChunk, ox_world_get_root(world), OX_AUTO, {10});
    is_done = is_done && ox_get(world, entity, UnitStun)->turns == 18 &&
              ox_buffer_get(ox_get(world, entity, UnitNote), 0, UnitNote)->pitch == 18 &&
              ox_is_enabled(world, entity, UnitStun);
    is_done = use_groups(world, entity) && use_singletons(world) && is_done;
    ox_world_destroy(world);
    return is_done;
}
