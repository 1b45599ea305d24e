// SPDX-License-Identifier: MIT
//
// Memory of your own: hooks that every allocation of the process passes, and an allocator with a
// name that containers and worlds can be given.

#include <oxbow/entities.h>
#include <oxbow/memory.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct tally {
    long blocks;
    long most;
} tally;

static void *count_alloc(size_t size, size_t align, void *context) {
    tally *t = context;
    t->blocks++;
    t->most = t->blocks > t->most ? t->blocks : t->most;
    void *block = NULL;
    return posix_memalign(&block, align < 16 ? 16 : align, size) == 0 ? block : NULL;
}

static void count_free(void *block, size_t size, size_t align, void *context) {
    (void)size;
    (void)align;
    ((tally *)context)->blocks--;
    free(block);
}

int main(void) {
    // Before anything else: nothing was allocated yet.
    static tally everything, level;
    ox_allocator_def hooks = {.name = "everything",
                              .alloc_fn = count_alloc,
                              .free_fn = count_free,
                              .context = &everything};
    if (!ox_memory_set_hooks(&hooks)) {
        return 1;
    }
    // Types of components are registered when they are first asked for, and stay with the process.
    ox_component_count();
    long types = everything.blocks;

    ox_allocator_def def = {
        .name = "level", .alloc_fn = count_alloc, .free_fn = count_free, .context = &level};
    ox_allocator arena = ox_allocator_create(&def);
    int *tiles = ox_memory_alloc_array(arena, 4096, int);
    float *scratch = ox_memory_alloc_array(OX_TEMP, 64, float);
    scratch[0] = 1;
    printf("level: %ld block, everything passed the hooks: %d\n", level.blocks,
           everything.most > 0);

    // All that a world keeps beside its chunks.
    ox_world *world = ox_world_create(&(ox_world_def){.name = "cellar", .allocator = arena});
    ox_entity_set_name(world, ox_entity_create(world), "the door to the garden");
    printf("level with a world: more blocks: %d\n", level.blocks > 5);
    ox_world_destroy(world);
    printf("level without: %ld block\n", level.blocks);

    ox_memory_free_array(arena, tiles, 4096, int);
    ox_allocator_destroy(arena);
    ox_frame_end();
    ox_memory_trim();
    printf("level: %ld blocks, hooks: %ld blocks\n", level.blocks, everything.blocks - types);
}

// Output:
// level: 1 block, everything passed the hooks: 1
// level with a world: more blocks: 1
// level without: 1 block
// level: 0 blocks, hooks: 0 blocks
