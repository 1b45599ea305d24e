// SPDX-License-Identifier: MIT
//
// Making and destroying stores.

#include "storage/store.h"

#include "base/atomics.h"
#include "storage/archetype.h"
#include "storage/buffers.h"
#include "storage/chunk_list.h"
#include "storage/shared_values.h"

#include <string.h>

static oxi_atomic_u32 last_store_number;

static void free_store(oxi_store *store) {
    oxi_buffers_destroy(store);
    oxi_chunks_destroy(store);
    oxi_archetypes_destroy(store);
    oxi_shared_destroy(store);
    oxi_entity_table_destroy(&store->entities);
    oxi_names_free(&store->names);
}

bool oxi_store_create(oxi_store *store, const oxi_store_def *def) {
    memset(store, 0, sizeof *store);
    store->number = oxi_add_relaxed(&last_store_number, 1) + 1;
    store->version = 1;
    store->buffers_lock = (oxi_mutex)OXI_MUTEX_INIT;
    store->archetypes_lock = (oxi_mutex)OXI_MUTEX_INIT;
    store->residue = def->residue;
    store->swaps = def->swaps;
    store->heap = store->names.heap = def->heap;
    uint32_t limit = def->entity_limit != 0 && def->entity_limit < OXI_MAX_ENTITIES
                         ? def->entity_limit
                         : OXI_MAX_ENTITIES;
    oxi_outcome outcome;
    if (oxi_entity_table_create(&store->entities, limit) &&
        oxi_archetype_get(store, NULL, 0, &outcome) != NULL) {
        return true;
    }
    free_store(store);
    return false;
}

void oxi_store_destroy(oxi_store *store) {
    free_store(store);
    memset(store, 0, sizeof *store);
}
