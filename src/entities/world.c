// SPDX-License-Identifier: MIT
//
// Worlds: creation, destruction, the def, and who may use one.

#include "entities/world.h"

#include "base/allocators.h"
#include "base/atomics.h"
#include "base/live_blocks.h"
#include "base/text.h"
#include "entities/fences.h"
#include "entities/query.h"
#include "entities/scope.h"
#include "oxbow/entities.h"
#include "oxbow/memory.h"
#include "storage/store_validate.h"

#include <stdio.h>
#include <string.h>

static oxi_atomic_u32 last_world_serial;
static oxi_atomic_ptr active_world;
static oxi_world_fill_fn *fill_new_world;

// A world and what it cannot be without, in one block.
typedef struct world_block {
    ox_world world;
    oxi_scope scope;
} world_block;

void oxi_world_set_fill(oxi_world_fill_fn *fill) {
    fill_new_world = fill;
}

static ox_world_def resolve_world_def(const ox_world_def *def) {
    ox_world_def resolved = def != NULL ? *def : (ox_world_def){0};
    if (resolved.entity_limit == 0 || resolved.entity_limit > OXI_MAX_ENTITIES) {
        resolved.entity_limit = OXI_MAX_ENTITIES;
    }
    if (resolved.allocator == 0) {
        resolved.allocator = OX_PERSISTENT;
    }
    if (resolved.entity_capacity > resolved.entity_limit) {
        resolved.entity_capacity = resolved.entity_limit;
    }
    return resolved;
}

// By name: the registry of components may have been emptied, by a test, since the last world.
static oxi_known_ids find_known_ids(void) {
    return (oxi_known_ids){
        .residue = ox_component_find("ox_destroyed"),
        .prefab = ox_component_find("ox_prefab"),
        .disabled = ox_component_find("ox_disabled"),
        .linked = ox_component_find("ox_linked"),
    };
}

static void fill_world(world_block *block, const ox_world_def *def) {
    ox_world *world = &block->world;
    memset(block, 0, sizeof *block);
    world->def = *def;
    oxi_text_copy(world->name, sizeof world->name, def->name != NULL ? def->name : "world");
    world->def.name = world->name;
    world->sink = (oxi_report_sink){def->on_report};
    world->serial = oxi_add_relaxed(&last_world_serial, 1) + 1;
    world->owner = oxi_thread_serial();
    world->scope = &block->scope;
    block->scope.base = (ox_system){world, world->name};
    world->last_set = &world->sets[0];
    world->ids = find_known_ids();
}

void oxi_world_set_closed(ox_world *world, bool is_closed) {
    world->is_closed = is_closed;
    world->change_needs &= ~(uint32_t)OXI_CHANGE_CLOSED;
    if (is_closed) {
        world->change_needs |= OXI_CHANGE_CLOSED;
    }
}

static void note_call_in_world(ox_world *world, const char *call, uint32_t component) {
    oxi_user_call *noted = &world->user_call;
    if (call != NULL) {
        OXI_ASSERT(noted->call == NULL);
        *noted = (oxi_user_call){call, component, world->is_closed};
        oxi_world_set_closed(world, true);
        return;
    }
    OXI_ASSERT(noted->call != NULL);
    OXI_ASSERT(world->is_closed);
    oxi_world_set_closed(world, noted->was_closed);
    *noted = (oxi_user_call){0};
}

// A user's function is called in the middle of a change: nothing may enter the world.
static void note_user_call(const oxi_store *store, const char *call, uint32_t component) {
    ox_world *world = (ox_world *)((uintptr_t)store - offsetof(ox_world, store));
    note_call_in_world(world, call, component);
    if (world->partner != NULL) {
        note_call_in_world(world->partner, call, component);
    }
}

// A world lives until it is destroyed, so what ends by itself cannot hold it.
static bool require_lasting(ox_allocator allocator, ox_site site) {
    return OXI_REQUIRE(allocator != OX_TEMP && allocator != OX_TEMP_JOB, NULL,
                       OX_REPORT_TEMP_FOR_WORLD, site,
                       OXI_NAME("allocator", oxi_allocator_name(allocator)));
}

// @return false when out of memory, with nothing made.
static bool make_world_store(ox_world *world) {
    const ox_world_def *def = &world->def;
    oxi_store_def store = {def->entity_limit, def->removal == OX_REMOVAL_SWAP,
                           oxi_allocator_find(def->allocator), world->ids.residue};
    if (world->ids.residue == 0 || !oxi_store_create(&world->store, &store)) {
        return false;
    }
    world->store.user_call = note_user_call;
    if (oxi_entity_reserve(&world->store.entities, def->entity_capacity) == OXI_DONE) {
        return true;
    }
    oxi_store_destroy(&world->store);
    return false;
}

ox_world *ox_world_create_at(const ox_world_def *def, ox_site site) {
    if (def != NULL && (!OXI_REQUIRE_DEF(def, ox_world_def, site) ||
                        !OXI_REQUIRE_ENUM(def->removal, OX_REMOVAL_SWAP, ox_removal, NULL,
                                          "ox_world_create", site))) {
        return NULL;
    }
    ox_world_def resolved = resolve_world_def(def);
    if (!require_lasting(resolved.allocator, site)) {
        return NULL;
    }
    world_block *block =
        ox_memory_alloc_at(resolved.allocator, sizeof *block, _Alignof(world_block), site);
    if (block == NULL) {
        return NULL;
    }
    ox_world *world = &block->world;
    oxi_ended_forget(world);
    oxi_ended_forget(&block->scope);
    fill_world(block, &resolved);
    world->made_at = site;
    oxi_live_set_owner(block, &(oxi_live_owner){"world", world->name, "destroy"});
    if (!make_world_store(world)) {
        oxi_world_report(world, OXI_NO_MEMORY, site);
        ox_memory_free_at(resolved.allocator, block, sizeof *block, _Alignof(world_block), site);
        return NULL;
    }
    if (resolved.no_systems) {
        return world;
    }
    if (fill_new_world != NULL && !fill_new_world(world, site)) {
        ox_world_destroy_at(world, site);
        return NULL;
    }
    void *nobody = NULL;
    oxi_swap_acq_rel(&active_world, &nobody, world); // the first one that there is
    return world;
}

ox_world *ox_world_get_active(void) {
    return oxi_load_acquire(&active_world);
}

void ox_world_set_active(ox_world *world) {
    if (!oxi_require_not_ended(world, "ox_world_set_active", NULL)) {
        return;
    }
    oxi_store_release(&active_world, world);
}

// True when a world can go now; else reports.
static bool require_idle_world(const ox_world *world, ox_site site) {
    if (!OXI_REQUIRE(!world->loan.is_lent, &world->sink, OX_REPORT_WORLD_LENT, site,
                     OXI_NAME("function", "ox_world_destroy"), OXI_NAME("world", world->name),
                     OXI_SITE("begun", world->loan.begun))) {
        return false;
    }
    if (world->attachments.told != NULL || oxi_report_is_inside_handler()) {
        return oxi_world_report_closed(world, "ox_world_destroy", site);
    }
    const char *system = world->updating != NULL ? world->updating->base.name : "no system";
    return OXI_REQUIRE(!world->is_updating, &world->sink, OX_REPORT_WORLD_UPDATING, site,
                       OXI_NAME("function", "ox_world_destroy"), OXI_NAME("world", world->name),
                       OXI_NAME("system", system));
}

void ox_world_destroy_at(ox_world *world, ox_site site) {
    if (world == NULL || !oxi_world_require(world, "ox_world_destroy", site) ||
        !require_idle_world(world, site)) {
        return;
    }
    if (!oxi_sync_end(world, site)) {
        return;
    }
    void *active = world;
    oxi_swap_acq_rel(&active_world, &active, NULL);
    oxi_attachments_tell(world, OXI_ENDING, site);
    OXI_ASSERT(world->attachments.count == 0);
    oxi_fences_destroy(world, site);
    oxi_queries_destroy(world, site);
    oxi_scope_free(world->scope);
    oxi_store_destroy(&world->store);
    oxi_ended_note(world, "world", world->name, world->made_at, site);
    oxi_ended_note(world->scope, "the scope of world", world->name, world->made_at, site);
    ox_memory_free_at(world->def.allocator, world, sizeof(world_block), _Alignof(world_block),
                      site);
}

void oxi_world_assert_valid(const ox_world *world) {
    OXI_ASSERT(oxi_store_validate(&world->store) == NULL);
    (void)world;
}

ox_world_def ox_world_get_def(const ox_world *world) {
    return oxi_world_is_there(world, "ox_world_get_def") ? world->def : (ox_world_def){0};
}

bool ox_memory_set_chunk_limit(size_t bytes) {
    return oxi_chunk_space_set_limit(bytes);
}

// `order` belongs to `user`: on that thread it is what was written when it entered.
bool oxi_loan_is_entered(const oxi_loan *loan) {
    oxi_loan *words = (oxi_loan *)(uintptr_t)loan; // loads of atomics want them writable
    return oxi_load_relaxed(&words->user) == oxi_thread_serial() &&
           oxi_load_relaxed(&words->order) == oxi_this_run.order;
}

// A world that is lent is for who is inside of the transaction.
static bool require_loan(const ox_world *world, const char *function, ox_site site) {
    return OXI_REQUIRE(oxi_loan_is_entered(&world->loan), &world->sink, OX_REPORT_WORLD_LENT, site,
                       OXI_NAME("function", function), OXI_NAME("world", world->name),
                       OXI_SITE("begun", world->loan.begun));
}

static bool require_open(const ox_world *world, const char *function, ox_site site) {
    return !world->is_closed || oxi_world_report_closed(world, function, site);
}

bool oxi_world_require(const ox_world *world, const char *function, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(world, function, site) ||
        !oxi_require_not_ended(world, function, site)) {
        return false;
    }
    if (world->owner == 0) {
        return require_loan(world, function, site) && require_open(world, function, site);
    }
    if (oxi_this_run.order != 0) {
        return OXI_REPORT(&world->sink, OX_REPORT_WORLD_IN_JOB, site,
                          OXI_NAME("function", function), OXI_NAME("world", world->name),
                          OXI_NAME("job", oxi_this_run.name));
    }
    if (!OXI_REQUIRE(world->owner == oxi_thread_serial(), &world->sink, OX_REPORT_WORLD_THREAD,
                     site, OXI_NAME("function", function), OXI_NAME("world", world->name))) {
        return false;
    }
    return require_open(world, function, site);
}

bool oxi_world_report_closed(const ox_world *world, const char *function, ox_site site) {
    static const char *const occasions[OXI_OCCASIONS] = {"that it ends", "that it changes",
                                                         "that a frame ended", "of a safe point"};
    const oxi_attachments *attachments = &world->attachments;
    const oxi_user_call *user = &world->user_call;
    char call[128] = "delivers a report to a handler";
    if (user->call != NULL) {
        snprintf(call, sizeof call, "makes the %s call of shared component '%s'", user->call,
                 ox_component_get_info(user->component)->name);
    } else if (attachments->told != NULL) {
        snprintf(call, sizeof call, "tells '%s' %s", attachments->told,
                 occasions[attachments->occasion]);
    }
    return OXI_REPORT(&world->sink, OX_REPORT_WORLD_IN_CALL, site, OXI_NAME("function", function),
                      OXI_NAME("world", world->name), OXI_NAME("call", call));
}

bool oxi_world_report(const ox_world *world, oxi_outcome outcome, ox_site site) {
    return OXI_REQUIRE(outcome == OXI_DONE, &world->sink, OX_REPORT_OUT_OF_MEMORY, site,
                       OXI_NUMBER("bytes", OXI_CHUNK_SIZE), OXI_NAME("allocator", world->name));
}

bool oxi_world_report_entities(const ox_world *world, oxi_outcome outcome, uint64_t count,
                               ox_site site) {
    return OXI_REQUIRE(outcome != OXI_AT_LIMIT, &world->sink, OX_REPORT_ENTITY_LIMIT, site,
                       OXI_NUMBER("count", count), OXI_NAME("world", world->name),
                       OXI_NUMBER("limit", world->store.entities.limit)) &&
           oxi_world_report(world, outcome, site);
}

bool oxi_world_report_large(const ox_world *world, const oxi_row_need *need, uint64_t most,
                            ox_site site) {
    return OXI_REPORT(&world->sink, OX_REPORT_ARCHETYPE_TOO_LARGE, site,
                      OXI_NUMBER("count", need->type_count), OXI_NAME("world", world->name),
                      OXI_NUMBER("shared", need->lane_value_count),
                      OXI_NUMBER("bytes", need->bytes), OXI_NUMBER("most", most));
}

bool oxi_world_report_move(const ox_world *world, oxi_outcome outcome, ox_site site) {
    if (outcome != OXI_AT_LIMIT) {
        return oxi_world_report(world, outcome, site);
    }
    return oxi_world_report_large(world, &world->store.refused, OXI_CHUNK_SIZE, site);
}

bool oxi_world_report_tag(const ox_world *world, uint32_t component, ox_site site) {
    return OXI_REPORT(&world->sink, OX_REPORT_TAG_HAS_NO_VALUE, site,
                      OXI_NAME("component", ox_component_get_info(component)->name));
}

bool oxi_number_require(const oxi_report_sink *sink, int64_t count, int64_t most,
                        const char *function, ox_site site) {
    return OXI_REQUIRE(count >= 0 && count <= most, sink, OX_REPORT_BAD_COUNT, site,
                       OXI_INTEGER("count", count), OXI_NAME("function", function),
                       OXI_INTEGER("least", 0), OXI_INTEGER("most", most));
}

bool oxi_count_require(const ox_world *world, int64_t count, int64_t most, const char *function,
                       ox_site site) {
    return oxi_number_require(&world->sink, count, most, function, site);
}

bool oxi_component_check(const ox_world *world, uint32_t component, ox_site site) {
    return OXI_REQUIRE(ox_component_get_info(component) != NULL, &world->sink,
                       OX_REPORT_UNKNOWN_COMPONENT, site, OXI_NUMBER("id", component),
                       OXI_NAME("world", world->name));
}

bool oxi_is_lookup(const char *function) {
    static const char prefix[] = "ox_lookup_";
    return strncmp(function, prefix, sizeof prefix - 1) == 0;
}

void oxi_world_report_stale(const ox_world *world, ox_entity entity, const char *function,
                            ox_site site) {
    const oxi_entity_table *table = &world->store.entities;
    if (entity.index >> OXI_TEMPORARY_SHIFT == OXI_TEMPORARY_BITS) {
        OXI_REPORT(&world->sink, OX_REPORT_TEMPORARY_ENTITY, site, OXI_NAME("function", function),
                   OXI_NUMBER("index", entity.index), OXI_NUMBER("version", entity.version));
        return;
    }
    uint32_t there = entity.index < table->used ? table->records[entity.index].version : 0;
    OXI_REPORT(
        &world->sink, OX_REPORT_STALE_ENTITY, site, OXI_NAME("function", function),
        OXI_NUMBER("index", entity.index), OXI_NUMBER("version", entity.version),
        OXI_NAME("world", world->name), OXI_NUMBER("there", there),
        OXI_NAME("question", oxi_is_lookup(function) ? "ox_lookup_has" : "ox_entity_exists"));
}
