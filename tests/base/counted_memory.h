// SPDX-License-Identifier: MIT
//
// The functions of an allocator that counts its blocks, looks at what it gets back, and can refuse.

#pragma once

#include "test.h"

#include "oxbow/memory.h"

#include <stdlib.h>

/// What an allocator was asked for. {0} refuses nothing.
typedef struct counted_memory {
    int live;        ///< blocks
    int asked;       ///< blocks in all, refused ones too
    int wrong;       ///< frees of another's block, or with another size or alignment
    int refuse_from; ///< the first block that is refused, counted from 1
    int refuse_to;   ///< the last one; 0 for none
    int refused;     ///< blocks
} counted_memory;

/// What is kept in front of each block.
typedef struct counted_head {
    counted_memory *owner;
    size_t size;
    size_t align;
} counted_head;

enum { COUNTED_HEAD = 64 }; ///< room for it; a multiple of the alignments up to there

OXI_UNUSED static void *counted_alloc(size_t size, size_t align, void *context) {
    counted_memory *memory = context;
    memory->asked++;
    if (memory->asked >= memory->refuse_from && memory->asked <= memory->refuse_to) {
        memory->refused++;
        return NULL;
    }
    size_t room = align > COUNTED_HEAD ? align : COUNTED_HEAD;
    void *block = NULL;
    if (posix_memalign(&block, room, room + size) != 0) {
        return NULL;
    }
    char *data = (char *)block + room;
    *((counted_head *)(void *)data - 1) = (counted_head){memory, size, align};
    memory->live++;
    return data;
}

OXI_UNUSED static void counted_free(void *block, size_t size, size_t align, void *context) {
    counted_memory *memory = context;
    counted_head *head = (counted_head *)block - 1;
    memory->wrong += head->owner != memory || head->size != size || head->align != align;
    memory->live--;
    free((char *)block - (head->align > COUNTED_HEAD ? head->align : COUNTED_HEAD));
}

/// An ox_allocator of these functions.
OXI_UNUSED static ox_allocator counted_create(counted_memory *memory) {
    ox_allocator_def def = {
        .name = "counted", .alloc_fn = counted_alloc, .free_fn = counted_free, .context = memory};
    ox_allocator allocator = ox_allocator_create(&def);
    EXPECT(allocator != 0);
    return allocator;
}
