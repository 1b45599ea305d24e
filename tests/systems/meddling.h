// SPDX-License-Identifier: MIT
//
// Calls that change a world, one by one: what functions of the user's might do while the library
// calls them. A stage is two worlds with what such calls need.

#pragma once

#include "test.h"

#include <oxbow.h>

OX_SHARED(Skin, { int32_t value; });
OX_COMPONENT(Wounds, { int32_t count; });
OX_COMPONENT(Coins, { int32_t count; });

/// The values that entities of a stage have; what meddles brings another.
enum { SKIN_OLD = 1, SKIN_NEW = 2, SKIN_OTHER = 3, STAGE_ENTITIES = 4 };

typedef struct test_stage {
    ox_world *world;
    ox_world *other;
    ox_entity entities[STAGE_ENTITIES]; ///< all with Skin SKIN_OLD and Wounds
    ox_entity stale;
    ox_archetype archetype; ///< of Skin and Coins
    ox_query *query;        ///< reads Skin
    ox_query *filtered;     ///< reads Skin, with a filter by SKIN_OLD
    ox_commands commands;   ///< with a command that adds Coins to the second entity
    ox_commands unused;     ///< of the other world
    ox_system *system;
} test_stage;

/// Makes a stage whose worlds report to `handler`.
test_stage make_stage(ox_report_handler handler);

/// Ends what a stage has, whatever was done with it.
void end_stage(test_stage *stage);

typedef struct meddling {
    const char *name;
    void (*act)(test_stage *stage);
} meddling;

extern const meddling meddlings[];
extern const int meddling_count;

/// A number for all that can be seen of a stage, once nothing is in the middle of a change.
uint64_t hash_stage(const test_stage *stage);
