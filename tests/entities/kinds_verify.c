// SPDX-License-Identifier: MIT
//
// The comparison of a world with its model: every entity with all that it has, and what the world
// keeps for all of them.

#include "entities/kinds_run.h"

#include "oxbow/containers.h"
#include "oxbow/entities.h"

#include <string.h>

enum { VERIFIES_PER_ORDER = 4 };

// What entities have.

static void verify_components(kinds_run *run, ox_entity entity) {
    const kinds_entity *model = &run->model.entities[entity.index];
    uint32_t ids[KINDS_ALL], has = 0;
    int count = ox_entity_get_components(run->world, entity, ids, KINDS_ALL);
    KINDS_CHECK(run, count <= KINDS_ALL);
    for (int k = 0; k < count && k < KINDS_ALL; k++) {
        has |= UINT32_C(1) << kinds_find(ids[k]);
        KINDS_CHECK(run, k == 0 || ids[k - 1] < ids[k]);
    }
    KINDS_CHECK(run, has == (model->mask | (uint32_t)model->is_residue << KINDS_RESIDUE));
}

static void verify_buffer(kinds_run *run, ox_entity entity, int component) {
    const kinds_array *array = &run->model.entities[entity.index].arrays[component];
    const kinds_component *known = &kinds_components[component];
    ox_buffer buffer = ox_get_buffer_at(run->world, entity, known->id, false, OX_HERE);
    KINDS_CHECK(run, ox_buffer_count_at(buffer, OX_HERE) == array->count);
    KINDS_CHECK(run, ox_buffer_capacity_at(buffer, OX_HERE) >= array->count);
    if (run->failure[0] == 0 && array->count > 0) {
        const void *elements = ox_buffer_get_at(buffer, known->size, 0, array->count, OX_HERE);
        KINDS_CHECK(run, memcmp(elements, array->bytes, (size_t)array->count * known->size) == 0);
    }
}

static void verify_value(kinds_run *run, ox_entity entity, int component) {
    kinds_entity *model = &run->model.entities[entity.index];
    const kinds_component *known = &kinds_components[component];
    KINDS_CHECK(run,
                ox_is_enabled_id(run->world, entity, known->id) == !(model->off >> component & 1));
    if (known->kind == OX_COMPONENT_KIND_DATA) {
        const void *value = ox_read_at(run->world, entity, known->id, OX_HERE);
        KINDS_CHECK(run, memcmp(value, kinds_value(model, component), known->size) == 0);
    } else if (known->kind == OX_COMPONENT_KIND_SHARED) {
        const void *value = ox_read_at(run->world, entity, known->id, OX_HERE);
        KINDS_CHECK(run, kinds_number_of(component, value) == model->shared[component]);
    } else if (known->kind == OX_COMPONENT_KIND_BUFFER) {
        verify_buffer(run, entity, component);
    }
}

static void verify_entity(kinds_run *run, uint32_t index) {
    ox_entity entity = kinds_handle(&run->model, index);
    const kinds_entity *model = &run->model.entities[index];
    KINDS_CHECK(run, ox_entity_exists(run->world, entity) == model->is_alive);
    if (!model->is_alive) {
        return;
    }
    verify_components(run, entity);
    for (int k = 0; k < KINDS_COUNT && run->failure[0] == 0; k++) {
        if (model->mask >> k & 1) {
            verify_value(run, entity, k);
        }
    }
    bool is_off = model->mask >> KINDS_DISABLED & 1;
    KINDS_CHECK(run, ox_entity_is_enabled(run->world, entity) == !is_off);
}

// What the world has of shared values: those of entities and filters, once each.

bool kinds_is_filtered(const kinds_run *run, int component, int number) {
    for (int k = 0; k < KINDS_QUERIES; k++) {
        const kinds_query *query = &run->queries[k];
        for (int n = 0; query->query != NULL && n < query->filter_count; n++) {
            if (query->filtered[n] == component && query->numbers[n] == number) {
                return true;
            }
        }
    }
    return false;
}

static bool is_in_use(const kinds_run *run, int component, int number) {
    for (int k = 0; k < run->model.alive_count; k++) {
        const kinds_entity *entity = &run->model.entities[run->model.alive[k]];
        if (entity->mask >> component & 1 && entity->shared[component] == number) {
            return true;
        }
    }
    return false;
}

// Returns how many values there are beside the default.
static int verify_shared(kinds_run *run, int component) {
    const kinds_component *known = &kinds_components[component];
    uint32_t wanted = 1, found = 0; // values are few
    int count = 1;
    for (int number = 1; number < run->shared_values; number++) {
        bool is_used = is_in_use(run, component, number);
        bool is_stored = is_used || kinds_is_filtered(run, component, number);
        wanted |= (uint32_t)is_stored << number;
        count += is_stored;
        kinds_make_shared(component, number, run->values[component]);
        uint32_t version =
            ox_shared_get_order_version(run->world, known->id, run->values[component]);
        KINDS_CHECK(run, is_used ? version != 0 : is_stored || version == 0);
    }
    ox_array all = ox_shared_copy_values_at(run->world, known->id, OX_PERSISTENT, OX_HERE);
    KINDS_CHECK(run, all.count == count);
    for (int64_t k = 0; k < all.count && run->failure[0] == 0; k++) {
        int number = kinds_number_of(component, (const char *)all.data + (size_t)k * known->size);
        KINDS_CHECK(run, number >= 0 && number < 32 && (k > 0 || number == 0));
        found |= UINT32_C(1) << (number & 31);
    }
    KINDS_CHECK(run, found == wanted);
    ox_dispose(&all);
    return count - 1;
}

// A component that one entity has is a singleton; prefabs and the like do not count.
static void verify_singleton(kinds_run *run, int component) {
    const uint32_t hidden = UINT32_C(1) << KINDS_PREFAB | UINT32_C(1) << KINDS_DISABLED;
    uint32_t bit = UINT32_C(1) << component, id = kinds_components[component].id;
    ox_entity only = {0, 0};
    int count = 0;
    for (int k = 0; k < run->model.alive_count; k++) {
        const kinds_entity *entity = &run->model.entities[run->model.alive[k]];
        if (entity->mask & bit && !(entity->mask & hidden & ~bit) && !entity->is_residue) {
            only = kinds_handle(&run->model, run->model.alive[k]);
            count++;
        }
    }
    if (count <= 1) {
        KINDS_CHECK(run, ox_singleton_has_at(run->world, id, OX_HERE) == (count == 1));
    }
    if (count == 1) {
        KINDS_CHECK(run, kinds_is_same(ox_singleton_get_entity_at(run->world, id, OX_HERE), only));
    }
    if (count == 1 && kinds_masked.data & bit) {
        const void *value = ox_singleton_get_at(run->world, id, OX_HERE);
        kinds_entity *entity = &run->model.entities[only.index];
        KINDS_CHECK(run, memcmp(value, kinds_value(entity, component),
                                kinds_components[component].size) == 0);
    }
}

void kinds_verify(kinds_run *run) {
    run->verified++;
    for (uint32_t k = 0; k < run->model.used && run->failure[0] == 0; k++) {
        verify_entity(run, k);
    }
    KINDS_CHECK(run,
                ox_world_get_usage(run->world).entity_count == (uint32_t)run->model.alive_count);
    for (int k = 0; k < KINDS_COUNT && run->failure[0] == 0; k++) {
        if (kinds_masked.shared >> k & 1) {
            int stored = verify_shared(run, k);
            KINDS_CHECK(run, k != KINDS_TEXT || kinds_live_texts == stored);
        }
    }
    for (int k = 0; k < KINDS_COUNT && run->failure[0] == 0; k++) {
        if (!(kinds_masked.enableable >> k & 1)) {
            verify_singleton(run, k);
        }
    }
    if (run->verified % VERIFIES_PER_ORDER == 0) {
        kinds_verify_order(run);
    }
    if (run->failure[0] == 0) {
        kinds_verify_queries(run);
    }
    KINDS_CHECK(run, ox_world_validate(run->world));
    KINDS_CHECK(run, run->report_count == 0);
}
