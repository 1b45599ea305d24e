// SPDX-License-Identifier: MIT
//
// Two worlds with the same entities, one of which does not keep their order. You see what a def of
// zeros means, that both hold the same and lie differently, and chunks being filled up again.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Sample, { int value; });
OX_COMPONENT(Reading, { float now, mean, spread, least, most; });

enum { ENTITIES = 5000 };

// The same calls for each world: many entities, of which one in five stays.
static void live(ox_world *world) {
    static ox_entity entities[ENTITIES];
    ox_entities_create(world, ox_archetype_of(world, Sample, Reading), entities, ENTITIES);
    for (int k = 0; k < ENTITIES; k++) {
        ox_set(world, entities[k], Sample, {k});
    }
    for (int k = 0; k < ENTITIES; k++) {
        if (k % 5 != 0) {
            ox_entity_destroy(world, entities[k]);
        }
    }
}

static void print_first(ox_world *world) {
    ox_query *samples = ox_query_create(world, OX_READ(Sample));
    ox_view view = ox_query_view(samples, Sample);
    printf("%s begins with %d, %d, %d\n", ox_world_get_def(world).name,
           ox_view_read(view, 0, Sample).value, ox_view_read(view, 1, Sample).value,
           ox_view_read(view, 2, Sample).value);
}

static void print_filling(const ox_world *world) {
    ox_fragmentation filling = ox_world_get_fragmentation(world);
    printf("%d entities in %u chunks, %u would do\n  %s\n", (int)filling.entity_count,
           filling.chunk_count, filling.needed_count, filling.advice);
}

int main(void) {
    // Addresses for the chunks of all worlds are set aside with the first entity.
    printf("limit set: %d\n", ox_memory_set_chunk_limit((size_t)1 << 30));
    ox_world *ordered = ox_world_create(&(ox_world_def){.name = "ordered"});
    ox_world *swapping =
        ox_world_create(&(ox_world_def){.name = "swapping", .removal = OX_REMOVAL_SWAP});
    ox_world_def def = ox_world_get_def(ordered);
    printf("%s: at most %u entities, keeps order: %d\n", def.name, def.entity_limit,
           def.removal == OX_REMOVAL_ORDERED);

    live(ordered);
    live(swapping);
    printf("limit set: %d\n", ox_memory_set_chunk_limit((size_t)2 << 30));
    print_first(ordered);
    print_first(swapping);

    // One number for what is in a world, another for how it lies.
    printf("same: %d, lie alike: %d\n", ox_world_hash(ordered) == ox_world_hash(swapping),
           ox_world_hash_layout(ordered) == ox_world_hash_layout(swapping));

    // A little each frame, in order. What is in the world stays the same.
    uint64_t before = ox_world_hash(ordered);
    print_filling(ordered);
    int frames = 0;
    while (ox_world_defragment(ordered, 100) > 0) {
        frames++;
    }
    printf("after %d frames: ", frames);
    print_filling(ordered);
    printf("same: %d, valid: %d, chunks in use: %u\n", before == ox_world_hash(ordered),
           ox_world_validate(ordered), ox_world_get_usage(ordered).chunk_count);
    print_first(ordered);

    ox_world_destroy(swapping);
    ox_world_destroy(ordered);
}

// Output:
// limit set: 1
// ordered: at most 1073741824 entities, keeps order: 1
// limit set: 0
// ordered begins with 0, 5, 10
// swapping begins with 0, 210, 510
// same: 1, lie alike: 0
// 1000 entities in 10 chunks, 2 would do
//   many entities were destroyed or moved: call ox_world_defragment, some rows each frame
// after 8 frames: 1000 entities in 2 chunks, 2 would do
//   chunks are as full as they can be
// same: 1, valid: 1, chunks in use: 2
// ordered begins with 0, 5, 10
