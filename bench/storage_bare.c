// SPDX-License-Identifier: MIT
//
// The memory of the bare world.

#include "storage_bare.h"

#include <stdlib.h>

bare_world bare = {.free_first = UINT32_MAX};

void bare_create(void) {
    if (bare.records != NULL) {
        return;
    }
    bare.records = calloc(BARE_MOST, sizeof *bare.records);
    for (int k = 0; k < BARE_ARCHETYPES; k++) {
        bare.archetypes[k].ids = calloc(BARE_MOST, sizeof(bare_id));
        bare.archetypes[k].positions = calloc(BARE_MOST, sizeof(bare_float3));
        bare.archetypes[k].velocities = calloc(BARE_MOST, sizeof(bare_float3));
        bare.archetypes[k].health = calloc(BARE_MOST, sizeof(bare_health));
    }
}
