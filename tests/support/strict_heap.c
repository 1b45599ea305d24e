// SPDX-License-Identifier: MIT
//
// Memory hooks that every test runs with. They hold the library to what hooks are promised:
//
//     | size, align, mark | the block, full of garbage | garbage that must stay |
//     ^ what malloc gave  ^ what the library gets
//
// A block comes back once, with the size and alignment it was asked for; nothing is written behind
// it; and nobody reads from a new block, or from one that was given back, what was never written
// there.

#include "test.h"

#include "oxbow/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARK_ALIVE = 0x600dab1e,
    MARK_FREED = 0x0ddba11,
    NEW_BYTE = 0xcd,
    FREED_BYTE = 0xdd,
    BEHIND_BYTE = 0xfd,
    BEHIND_SIZE = 16,
    MOST_FILLED = 16 * 1024, // of a new block: the rest comes as the system gives it
};

typedef struct block_head {
    size_t size;
    size_t align;
    size_t before; // bytes between what malloc gave and the block
    uint64_t mark;
} block_head;

static block_head *head_of(void *block) {
    return (block_head *)((char *)block - sizeof(block_head));
}

static void fill_bytes(void *bytes, int byte, size_t size) {
    memset(bytes, byte, size < MOST_FILLED ? size : MOST_FILLED);
}

void *test_strict_alloc(size_t size, size_t align, void *context) {
    (void)context;
    // The head lies right before the block, which keeps its alignment.
    size_t unit = align > _Alignof(block_head) ? align : _Alignof(block_head);
    size_t before = (sizeof(block_head) + unit - 1) / unit * unit;
    void *given = NULL;
    if (size > SIZE_MAX - before - BEHIND_SIZE ||
        posix_memalign(&given, unit, before + size + BEHIND_SIZE) != 0) {
        return NULL;
    }
    char *block = (char *)given + before;
    *head_of(block) = (block_head){size, align, before, MARK_ALIVE};
    fill_bytes(block, NEW_BYTE, size);
    memset(block + size, BEHIND_BYTE, BEHIND_SIZE);
    return block;
}

static _Noreturn void refuse_block(const char *what, const block_head *head, size_t size,
                                   size_t align) {
    fprintf(stderr,
            "strict heap: %s: allocated with size %zu and alignment %zu, freed with %zu "
            "and %zu\n",
            what, head->size, head->align, size, align);
    abort();
}

void test_strict_free(void *block, size_t size, size_t align, void *context) {
    (void)context;
    block_head *head = head_of(block);
    if (head->mark != MARK_ALIVE) {
        refuse_block(head->mark == MARK_FREED ? "freed twice" : "no block", head, size, align);
    }
    if (head->size != size || head->align != align) {
        refuse_block("freed as another block", head, size, align);
    }
    const unsigned char *behind = (unsigned char *)block + size;
    for (int k = 0; k < BEHIND_SIZE; k++) {
        if (behind[k] != BEHIND_BYTE) {
            refuse_block("written behind its end", head, size, align);
        }
    }
    head->mark = MARK_FREED;
    fill_bytes(block, FREED_BYTE, size);
    free((char *)block - head->before);
}

void test_use_strict_heap(void) {
    // "malloc" is what reports call the hooks of a process that has none.
    ox_memory_set_hooks(&(ox_allocator_def){
        .name = "malloc", .alloc_fn = test_strict_alloc, .free_fn = test_strict_free});
}
