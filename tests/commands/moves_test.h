// SPDX-License-Identifier: MIT
//
// What the tests of moves share: two worlds, and shared values that are counted.

#pragma once

#include "entities/kinds_test.h"

#include "base/counted_memory.h"
#include "oxbow/world.h"

#include <stdlib.h>

/// Owns a block, and can copy it.
OX_SHARED(Model, { OX_UNOWNED int32_t *block; });
/// Owns a block, and cannot.
OX_SHARED(Texture, { OX_UNOWNED int32_t *block; });
OX_BUFFER(Crew, 2, {
    int32_t rank;
    ox_entity sailor;
});
OX_ENABLEABLE(Sail, { int32_t size; });

/// How many blocks of shared values there are.
static int live_blocks;

static int32_t *make_block(int32_t value) {
    int32_t *block = malloc(sizeof *block);
    *block = value;
    live_blocks++;
    return block;
}

static uint64_t hash_block(const void *value) {
    return (uint64_t) * ((const Model *)value)->block;
}

static bool equal_blocks(const void *a, const void *b) {
    const int32_t *first = ((const Model *)a)->block, *second = ((const Model *)b)->block;
    return first == second || (first != NULL && second != NULL && *first == *second);
}

static uint64_t hash_block_or_none(const void *value) {
    return ((const Model *)value)->block != NULL ? hash_block(value) : 0;
}

static bool copy_block(void *stored) {
    Model *model = stored;
    model->block = make_block(*model->block);
    return true;
}

static void drop_block(void *stored) {
    free(((Model *)stored)->block);
    live_blocks--;
}

OXI_UNUSED static void set_block_calls(void) {
    live_blocks = 0;
    EXPECT(ox_shared_define(
        ox_component_id_of(Model),
        &(ox_shared_def){hash_block_or_none, equal_blocks, copy_block, drop_block}));
    EXPECT(ox_shared_define(ox_component_id_of(Texture),
                            &(ox_shared_def){hash_block_or_none, equal_blocks, NULL, drop_block}));
}

/// Gives an entity a Model of this number.
OXI_UNUSED static void add_model(ox_world *world, ox_entity entity, int32_t number) {
    EXPECT(ox_add(world, entity, Model, {&number})); // the world copies it
}

/// Gives an entity a Texture of this number, whose block the world takes over if it is new.
OXI_UNUSED static void add_texture(ox_world *world, ox_entity entity, int32_t number) {
    int32_t *block = make_block(number);
    EXPECT(ox_add(world, entity, Texture, {block}));
    if (ox_get(world, entity, Texture)->block != block) {
        free(block);
        live_blocks--;
    }
}

/// Two worlds, `sea` and `port`.
typedef struct two_worlds {
    ox_world *sea;
    ox_world *port;
    collected_reports reports; ///< of both
} two_worlds;

OXI_UNUSED static void make_two(two_worlds *two, ox_world_def sea, ox_world_def port) {
    *two = (two_worlds){0};
    sea.name = "sea";
    port.name = "port";
    sea.on_report = port.on_report = (ox_report_handler){collect_report, &two->reports};
    two->sea = ox_world_create(&sea);
    two->port = ox_world_create(&port);
    EXPECT(two->sea != NULL && two->port != NULL);
}

OXI_UNUSED static void end_two(two_worlds *two) {
    EXPECT(ox_world_validate(two->sea));
    EXPECT(ox_world_validate(two->port));
    EXPECT_EQ(two->reports.count, 0);
    ox_world_destroy(two->sea);
    ox_world_destroy(two->port);
}

OXI_UNUSED static uint32_t count_entities(const ox_world *world) {
    return ox_world_get_usage(world).entity_count;
}
