// SPDX-License-Identifier: MIT
//
// Plain memory: races between plain accesses, and uses after a free.
//
// Each four bytes of watched memory have a cell with the last write and the last read of each
// thread, as times on their clocks. Two accesses race when one writes and neither happens before
// the other. The compiler calls the functions at the end of this file, whose names are those of
// ThreadSanitizer's runtime, at each access of code that is compiled with -fsanitize=thread.

#include "model/model_inside.h"

#include <stdlib.h>
#include <string.h>

enum { CELL = 4, RANGES = 8, ARENA = 32 * 1024, POISON = 0xdb };

static struct {
    const char *begin;
    size_t size;
    model_cell *cells;
} ranges[RANGES];
static int range_count;
static uint32_t execution = 1;
static _Alignas(64) char arena[ARENA];
static size_t arena_used;

void model_watch(void *memory, size_t size) {
    ranges[range_count].begin = memory;
    ranges[range_count].size = size;
    ranges[range_count++].cells = calloc(size / CELL + 1, sizeof(model_cell));
}

void model_memory_forget(void) {
    if (range_count == 0 || ranges[0].begin != arena) {
        model_watch(arena, sizeof arena);
    }
    for (int k = 0; k < range_count; k++) {
        memset(ranges[k].cells, 0, (ranges[k].size / CELL + 1) * sizeof(model_cell));
    }
    execution = 1;
}

void model_memory_begin(void) {
    execution++;
    arena_used = 0;
    model_atomics_begin();
}

static void renew_cell(model_cell *cell) {
    bool is_shared = cell->is_shared;
    *cell = (model_cell){.execution = execution, .word = -1, .writer = -1, .is_shared = is_shared};
}

model_cell *model_find_cell(const void *memory) {
    for (int k = 0; k < range_count; k++) {
        size_t offset = (size_t)((const char *)memory - ranges[k].begin);
        if (offset >= ranges[k].size) {
            continue;
        }
        model_cell *cell = &ranges[k].cells[offset / CELL];
        if (cell->execution != execution) {
            renew_cell(cell);
        }
        return cell;
    }
    return NULL;
}

static void require_ordered(const model_cell *cell, const void *memory, bool writes) {
    int thread = model_current;
    const model_clock *clock = &model_clocks[thread];
    if (cell->is_free) {
        model_fail("thread %d uses memory that was freed: %p", thread, memory);
    }
    if (cell->writer >= 0 && clock->at[cell->writer] < cell->write_clock) {
        model_fail("race: thread %d %s %p, which thread %d writes", thread,
                   writes ? "writes" : "reads", memory, cell->writer);
    }
    for (int k = 0; writes && k < MODEL_THREADS; k++) {
        if (clock->at[k] < cell->reads.at[k]) {
            model_fail("race: thread %d writes %p, which thread %d reads", thread, memory, k);
        }
    }
}

static void note_access(const void *memory, size_t size, bool writes) {
    int thread = model_current;
    if (thread < 0) {
        return;
    }
    const char *at = (const char *)((uintptr_t)memory / CELL * CELL);
    for (; at < (const char *)memory + size; at += CELL) {
        model_cell *cell = model_find_cell(at);
        if (cell == NULL) {
            return;
        }
        require_ordered(cell, at, writes);
        if (writes) {
            cell->writer = (int8_t)thread;
            cell->write_clock = model_clocks[thread].at[thread];
            cell->reads = (model_clock){{0}};
        } else {
            cell->reads.at[thread] = model_clocks[thread].at[thread];
        }
    }
}

void model_read(const void *memory, size_t size) {
    note_access(memory, size, false);
}

void model_write(void *memory, size_t size) {
    note_access(memory, size, true);
}

void *model_memcpy(void *to, const void *from, size_t size) {
    model_read(from, size);
    model_write(to, size);
    return memcpy(to, from, size);
}

void *model_alloc(size_t size) {
    size_t begin = (arena_used + 63) / 64 * 64;
    if (size > ARENA - begin) {
        model_fail("the checker has no memory left");
    }
    arena_used = begin + size;
    return memset(arena + begin, POISON, size);
}

void model_free(void *memory, size_t size) {
    model_write(memory, size);
    for (size_t at = 0; at < size; at += CELL) {
        model_find_cell((const char *)memory + at)->is_free = true;
    }
}

// What the compiler calls. Everything else of ThreadSanitizer's runtime is for atomics, which are
// replaced, and for C++.

#define MODEL_HOOK(name, size, writes)                                                             \
    void __tsan_##name(void *memory);                                                              \
    void __tsan_##name(void *memory) {                                                             \
        note_access(memory, size, writes);                                                         \
    }
MODEL_HOOK(read1, 1, false)
MODEL_HOOK(read2, 2, false)
MODEL_HOOK(read4, 4, false)
MODEL_HOOK(read8, 8, false)
MODEL_HOOK(read16, 16, false)
MODEL_HOOK(write1, 1, true)
MODEL_HOOK(write2, 2, true)
MODEL_HOOK(write4, 4, true)
MODEL_HOOK(write8, 8, true)
MODEL_HOOK(write16, 16, true)
MODEL_HOOK(unaligned_read2, 2, false)
MODEL_HOOK(unaligned_read4, 4, false)
MODEL_HOOK(unaligned_read8, 8, false)
MODEL_HOOK(unaligned_read16, 16, false)
MODEL_HOOK(unaligned_write2, 2, true)
MODEL_HOOK(unaligned_write4, 4, true)
MODEL_HOOK(unaligned_write8, 8, true)
MODEL_HOOK(unaligned_write16, 16, true)

void __tsan_init(void);
void __tsan_init(void) {
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller) {
    (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void) {
}

void __tsan_read_range(void *memory, size_t size);
void __tsan_read_range(void *memory, size_t size) {
    note_access(memory, size, false);
}

void __tsan_write_range(void *memory, size_t size);
void __tsan_write_range(void *memory, size_t size) {
    note_access(memory, size, true);
}

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size) {
    return model_memcpy(to, from, size);
}

void *__tsan_memset(void *memory, int value, size_t size);
void *__tsan_memset(void *memory, int value, size_t size) {
    model_write(memory, size);
    return memset(memory, value, size);
}
