// SPDX-License-Identifier: MIT
//
// TempJob memory: blocks of 64 KiB that are filled by one thread and freed by any.
//
// Each thread bumps through a block of its own. A block is found from an address by masking, so an
// allocation has no header. `balance` tells when a block is empty: it starts at OPEN_BALANCE, every
// free by another thread takes one away, and closing the block takes away OPEN_BALANCE less what is
// still alive. Whoever brings it to 0 owns the block again. Frees by the thread that fills the
// block touch no atomic: they count down `live`.
//
// Invariant: of an open block, live - (OPEN_BALANCE - balance) allocations are alive; of a closed
// one, balance are.

#include "base/temp.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/platform.h"
#include "base/poison.h"

enum {
    JOB_BLOCK_SIZE = 64 * 1024,
    LARGEST_IN_BLOCK = JOB_BLOCK_SIZE / 4, // larger ones go to the heap
    LARGEST_ALIGN_IN_BLOCK = 256,
    MAX_SPARE_BLOCKS = 16,
    OPEN_BALANCE = 1 << 30,
};

typedef struct job_block {
    char *top;
    int64_t live; // allocated, less freed by the filling thread
    oxi_atomic_i64 balance;
    struct job_block *next_spare;
    char padding[32];
} job_block;

static _Thread_local job_block *filling_block;
static _Thread_local bool job_exit_known;

static struct {
    oxi_mutex lock;
    job_block *first;
    int count;
} spare_blocks = {.lock = OXI_MUTEX_INIT};

static bool fits_in_block(size_t size, size_t align) {
    return size <= LARGEST_IN_BLOCK && align <= LARGEST_ALIGN_IN_BLOCK;
}

static job_block *block_of(void *pointer) {
    return (job_block *)((uintptr_t)pointer & ~(uintptr_t)(JOB_BLOCK_SIZE - 1));
}

static char *first_byte(job_block *block) {
    return (char *)(block + 1);
}

static char *last_byte(job_block *block) {
    return (char *)block + JOB_BLOCK_SIZE;
}

static void open_job_block(job_block *block) {
    block->top = first_byte(block);
    block->live = 0;
    oxi_store_relaxed(&block->balance, OPEN_BALANCE);
    oxi_forbid(first_byte(block), (size_t)(last_byte(block) - first_byte(block)));
}

static void release_job_block(job_block *block) {
    oxi_unpoison(block, JOB_BLOCK_SIZE);
    oxi_heap_free(block, JOB_BLOCK_SIZE, JOB_BLOCK_SIZE);
}

// Keeps an empty block for the next thread that needs one.
static void keep_job_block(job_block *block) {
    oxi_mutex_lock(&spare_blocks.lock);
    bool keeps = spare_blocks.count < MAX_SPARE_BLOCKS;
    if (keeps) {
        block->next_spare = spare_blocks.first;
        spare_blocks.first = block;
        spare_blocks.count++;
    }
    oxi_mutex_unlock(&spare_blocks.lock);
    if (!keeps) {
        release_job_block(block);
    }
}

static job_block *take_spare_block(void) {
    oxi_mutex_lock(&spare_blocks.lock);
    job_block *block = spare_blocks.first;
    if (block != NULL) {
        spare_blocks.first = block->next_spare;
        spare_blocks.count--;
    }
    oxi_mutex_unlock(&spare_blocks.lock);
    return block;
}

static bool is_job_block_empty(job_block *block) {
    // acquire: pairs with the release of other threads' frees, whose memory is used again.
    return block->live == OPEN_BALANCE - oxi_load_acquire(&block->balance);
}

static void close_job_block(job_block *block) {
    int64_t closing = OPEN_BALANCE - block->live;
    if (oxi_sub_acq_rel(&block->balance, closing) == closing) {
        keep_job_block(block);
    }
}

static void leave_job_block(void) {
    if (filling_block != NULL) {
        close_job_block(filling_block);
        filling_block = NULL;
    }
}

// At the end of a thread. Its destructors may still allocate, and then it ends once more.
static void leave_job_memory(void) {
    leave_job_block();
    job_exit_known = false;
}

// Gives this thread a block with room. The old one is used again when it is empty.
static bool renew_filling_block(void) {
    if (!job_exit_known) {
        oxi_thread_index();
        oxi_thread_at_exit(leave_job_memory);
        job_exit_known = true;
    }
    if (filling_block != NULL && is_job_block_empty(filling_block)) {
        open_job_block(filling_block);
        return true;
    }
    job_block *block = take_spare_block();
    if (block == NULL) {
        block = oxi_heap_alloc(JOB_BLOCK_SIZE, JOB_BLOCK_SIZE);
    }
    if (block == NULL) {
        return false;
    }
    leave_job_block();
    open_job_block(block);
    filling_block = block;
    return true;
}

static void *bump_job_block(job_block *block, size_t size, size_t align) {
#if defined(OXI_ASAN)
    // Poison has grains of 8 bytes. Two threads must not write to the same one.
    align = align < 8 ? 8 : align;
#endif
    uintptr_t begin = ((uintptr_t)block->top + align - 1) & ~(uintptr_t)(align - 1);
    uintptr_t end = (uintptr_t)last_byte(block);
    if (begin > end || size > end - begin) {
        return NULL;
    }
    block->top = (char *)begin + size;
    block->live++;
    return (char *)begin;
}

void *oxi_temp_job_alloc(size_t size, size_t align) {
    if (!fits_in_block(size, align)) {
        return oxi_heap_alloc(size, align);
    }
    void *pointer = filling_block != NULL ? bump_job_block(filling_block, size, align) : NULL;
    if (pointer == NULL && renew_filling_block()) {
        pointer = bump_job_block(filling_block, size, align);
    }
    if (pointer != NULL) {
        oxi_unpoison(pointer, size);
    }
    return pointer;
}

void oxi_temp_job_free(void *pointer, size_t size, size_t align) {
    if (!fits_in_block(size, align)) {
        oxi_heap_free(pointer, size, align);
        return;
    }
    job_block *block = block_of(pointer);
    oxi_mark_freed(pointer, size);
    if (block == filling_block) {
        block->live--;
        // The last allocation is taken back at once: a loop of pairs stays in one place.
        if ((char *)pointer + size == block->top) {
            block->top = pointer;
        }
        return;
    }
    // acq_rel: releases the uses of this memory, acquires those of the other freeing threads.
    if (oxi_sub_acq_rel(&block->balance, 1) == 1) {
        keep_job_block(block);
    }
}

void oxi_temp_job_trim(void) {
    if (filling_block != NULL && is_job_block_empty(filling_block)) {
        release_job_block(filling_block);
        filling_block = NULL;
    }
    for (job_block *block = take_spare_block(); block != NULL; block = take_spare_block()) {
        release_job_block(block);
    }
}
