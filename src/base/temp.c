// SPDX-License-Identifier: MIT
//
// Temp memory: a bump pointer per thread.
//
// An arena is a chain of blocks; what is allocated lies below `top` of the current one. A position
// is counted through the whole chain, so a scope is one number to rewind to. A frame that needed
// several blocks leaves one behind that is as large as all of them, so the steady state is one
// block and no call of the heap. Frame memory of another thread than the one that ends the frame is
// freed before that thread's next Temp allocation.
//
// Invariant: begin of current <= top <= end of current; blocks after the current one hold nothing.
//
// From OX_SAFETY 1 on a header lies in front of each allocation, what is free is poisoned, and each
// frame starts at another address, so that a pointer from an earlier frame is not a live one.

#include "base/temp.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/platform.h"
#include "base/poison.h"

enum { FIRST_TEMP_BLOCK = 64 * 1024, TEMP_BLOCK_ALIGN = 64 };

typedef struct temp_block {
    struct temp_block *next;
    struct temp_block *before;
    size_t capacity; // bytes after this header
    size_t start;    // position of the first of them
    size_t used;     // of a block before the current one
    char padding[TEMP_BLOCK_ALIGN - 5 * sizeof(size_t)];
} temp_block;

// The scopes whose marks are kept, so that one that ended before is not taken for an open one.
enum { CHECKED_SCOPES = 64 };

typedef struct temp_arena {
    char *top;
    char *end;
    temp_block *first;
    temp_block *current;
    size_t wanted; // the least capacity of the next block
    size_t floor;  // the position that the frame began at
    uint64_t frame;
    uint32_t depth;
    bool is_known; // to oxi_thread_at_exit
#if OX_SAFETY >= 1
    uint64_t marks[CHECKED_SCOPES];
#endif
} temp_arena;

oxi_atomic_u64 oxi_frame;
static _Thread_local temp_arena thread_arena;
static _Thread_local ox_temp_scope job_scope;
static _Thread_local void (*job_end)(void); // of oxi_temp_at_job_end
_Thread_local oxi_temp_use oxi_temp_job;

static char *begin_of(temp_block *block) {
    return (char *)(block + 1);
}

static size_t position_of_top(const temp_arena *arena) {
    if (arena->current == NULL) {
        return 0;
    }
    return arena->current->start + (size_t)(arena->top - begin_of(arena->current));
}

static void enter_temp_block(temp_arena *arena, temp_block *block, size_t used) {
    arena->current = block;
    arena->top = begin_of(block) + used;
    arena->end = begin_of(block) + block->capacity;
}

#if OX_SAFETY >= 1

// Where the blocks of all threads lie, to tell whose a pointer is. Beyond the limit a foreign
// pointer is called outlived, which it may be.
enum { MAX_KNOWN_BLOCKS = 4096 };
static struct {
    oxi_mutex lock;
    int count;
    struct {
        temp_block *block;
        uint64_t thread; // its serial
    } blocks[MAX_KNOWN_BLOCKS];
} known_temp = {.lock = OXI_MUTEX_INIT};

static void know_temp_block(temp_block *block) {
    oxi_mutex_lock(&known_temp.lock);
    if (known_temp.count < MAX_KNOWN_BLOCKS) {
        known_temp.blocks[known_temp.count].block = block;
        known_temp.blocks[known_temp.count++].thread = oxi_thread_serial();
    }
    oxi_mutex_unlock(&known_temp.lock);
}

static void forget_temp_block(const temp_block *block) {
    oxi_mutex_lock(&known_temp.lock);
    for (int k = 0; k < known_temp.count; k++) {
        if (known_temp.blocks[k].block == block) {
            known_temp.blocks[k] = known_temp.blocks[--known_temp.count];
            break;
        }
    }
    oxi_mutex_unlock(&known_temp.lock);
}

// The thread that a pointer into Temp memory belongs to.
static bool find_temp_owner(const char *pointer, uint64_t *thread) {
    bool found = false;
    oxi_mutex_lock(&known_temp.lock);
    for (int k = 0; k < known_temp.count && !found; k++) {
        temp_block *block = known_temp.blocks[k].block;
        found = pointer >= begin_of(block) && pointer < begin_of(block) + block->capacity;
        *thread = known_temp.blocks[k].thread;
    }
    oxi_mutex_unlock(&known_temp.lock);
    return found;
}

// Frames start at one of sixteen offsets, in steps that no header and no alignment to 16 shares.
static size_t offset_of_frame(uint64_t frame) {
    return (size_t)(frame % 16) * 48;
}

#else

static void know_temp_block(temp_block *block) {
    (void)block;
}

static void forget_temp_block(const temp_block *block) {
    (void)block;
}

static size_t offset_of_frame(uint64_t frame) {
    (void)frame;
    return 0;
}

#endif

static void free_temp_block(temp_block *block) {
    forget_temp_block(block);
    oxi_unpoison(begin_of(block), block->capacity);
    oxi_heap_free(block, sizeof *block + block->capacity, TEMP_BLOCK_ALIGN);
}

// Frees every block after `last`, or all when it is NULL.
static void free_temp_blocks_after(temp_arena *arena, temp_block *last) {
    temp_block *block = last != NULL ? last->next : arena->first;
    *(last != NULL ? &last->next : &arena->first) = NULL;
    while (block != NULL) {
        temp_block *next = block->next;
        free_temp_block(block);
        block = next;
    }
}

// Moves `top` down within the current block.
static void lower_temp_top(temp_arena *arena, char *top) {
    size_t size = (size_t)(arena->top - top);
    oxi_unpoison(top, size);
    oxi_mark_freed(top, size);
    arena->top = top;
}

static void rewind_temp(temp_arena *arena, size_t position) {
    if (arena->current == NULL) {
        return;
    }
    while (arena->current->before != NULL && position < arena->current->start) {
        lower_temp_top(arena, begin_of(arena->current));
        temp_block *before = arena->current->before;
        enter_temp_block(arena, before, before->used);
    }
    if (position < position_of_top(arena)) {
        lower_temp_top(arena, begin_of(arena->current) + (position - arena->current->start));
    }
}

static void start_temp_frame(temp_arena *arena, uint64_t frame) {
    arena->frame = frame;
    if (arena->first == NULL) {
        return;
    }
    rewind_temp(arena, 0);
    if (arena->first->next != NULL) {
        size_t total = 0;
        for (const temp_block *block = arena->first; block != NULL; block = block->next) {
            total += block->capacity;
        }
        free_temp_blocks_after(arena, NULL);
        *arena = (temp_arena){.wanted = total, .frame = frame, .is_known = arena->is_known};
        return;
    }
    arena->floor = offset_of_frame(frame);
    enter_temp_block(arena, arena->first, arena->floor);
}

static void leave_temp_arena(void) {
    free_temp_blocks_after(&thread_arena, NULL);
    thread_arena = (temp_arena){0};
}

static temp_block *make_temp_block(const temp_arena *arena, size_t least) {
    size_t capacity = arena->current != NULL ? arena->current->capacity * 2 : FIRST_TEMP_BLOCK;
    if (capacity < arena->wanted) {
        capacity = arena->wanted;
    }
    if (capacity < least) {
        capacity = least;
    }
    temp_block *block = oxi_heap_alloc(sizeof *block + capacity, TEMP_BLOCK_ALIGN);
    if (block == NULL && capacity > least) {
        // A large block is a wish. What is needed may still be there.
        capacity = least;
        block = oxi_heap_alloc(sizeof *block + capacity, TEMP_BLOCK_ALIGN);
    }
    if (block != NULL) {
        *block = (temp_block){.capacity = capacity};
        know_temp_block(block);
        oxi_forbid(begin_of(block), capacity);
    }
    return block;
}

// Makes room for `least` bytes after `top`, in the next block or a new one.
static bool extend_temp(temp_arena *arena, size_t least) {
    if (!arena->is_known) {
        oxi_thread_index();
        oxi_thread_at_exit(leave_temp_arena);
        arena->is_known = true;
    }
    temp_block *next = arena->current != NULL ? arena->current->next : arena->first;
    if (next == NULL || next->capacity < least) {
        free_temp_blocks_after(arena, arena->current);
        next = make_temp_block(arena, least);
        if (next == NULL) {
            return false;
        }
        next->before = arena->current;
        *(arena->current != NULL ? &arena->current->next : &arena->first) = next;
    }
    if (arena->current != NULL) {
        arena->current->used = (size_t)(arena->top - begin_of(arena->current));
        next->start = arena->current->start + arena->current->capacity;
    }
    enter_temp_block(arena, next, 0);
    return true;
}

static void *bump_temp(temp_arena *arena, size_t size, size_t align) {
    uintptr_t begin = ((uintptr_t)arena->top + align - 1) & ~(uintptr_t)(align - 1);
    if (arena->top == NULL || begin > (uintptr_t)arena->end ||
        size > (uintptr_t)arena->end - begin) {
        if (!extend_temp(arena, size + align)) {
            return NULL;
        }
        begin = ((uintptr_t)arena->top + align - 1) & ~(uintptr_t)(align - 1);
    }
    arena->top = (char *)begin + size;
    return (char *)begin;
}

static void open_job_scope(void);

static inline temp_arena *arena_of_frame(void) {
    temp_arena *arena = &thread_arena;
    uint64_t frame = oxi_load_relaxed(&oxi_frame);
    if (arena->frame != frame && arena->depth == 0) {
        start_temp_frame(arena, frame);
    }
    if (oxi_temp_job == OXI_TEMP_UNUSED) {
        open_job_scope();
    }
    return arena;
}

#if OX_SAFETY >= 1

#define TEMP_LIVE  0x4f58424f57544d50u
#define TEMP_FREED 0x44454144544d5000u

// In front of each allocation.
typedef struct temp_header {
    uint64_t state; // TEMP_LIVE or TEMP_FREED, xor the address of the allocation
    size_t size;
    size_t align;
    ox_site site;
    ox_site free_site;
} temp_header;

void *oxi_temp_alloc(size_t size, size_t align, ox_site site) {
    temp_arena *arena = arena_of_frame();
    size_t header_align = align < _Alignof(temp_header) ? _Alignof(temp_header) : align;
    // The header lies at the end of a gap that keeps the alignment.
    size_t gap = (sizeof(temp_header) + header_align - 1) & ~(header_align - 1);
    char *begin = bump_temp(arena, gap + size, header_align);
    if (begin == NULL) {
        return NULL;
    }
    char *block = begin + gap;
    oxi_unpoison(begin, gap);
    temp_header *header = (temp_header *)(void *)block - 1;
    *header = (temp_header){TEMP_LIVE ^ (uintptr_t)block, size, align, site, NULL};
    oxi_mark_fresh(block, size);
    return block;
}

// The header of a pointer, when it points into the live part of this thread's arena and past room
// for one.
static temp_header *find_temp_header(temp_arena *arena, char *pointer) {
    for (temp_block *block = arena->first; block != NULL; block = block->next) {
        char *end = block == arena->current ? arena->top : begin_of(block) + block->used;
        if (pointer >= begin_of(block) + sizeof(temp_header) && pointer < end) {
            bool aligned = (uintptr_t)pointer % _Alignof(temp_header) == 0;
            return aligned ? (temp_header *)(void *)pointer - 1 : NULL;
        }
        if (block == arena->current) {
            break;
        }
    }
    return NULL;
}

static void report_foreign_temp(char *block, ox_site site) {
    uint64_t owner = 0;
    if (find_temp_owner(block, &owner) && owner != oxi_thread_serial()) {
        OXI_REPORT(NULL, OX_REPORT_TEMP_WRONG_THREAD, site, OXI_ADDRESS("block", block),
                   OXI_NUMBER("owner", owner), OXI_NUMBER("thread", oxi_thread_serial()));
        return;
    }
    OXI_REPORT(NULL, OX_REPORT_TEMP_OUTLIVED, site, OXI_ADDRESS("block", block),
               OXI_NUMBER("frame", oxi_load_relaxed(&oxi_frame)));
}

// True for a live allocation of this size and alignment; else reports.
static bool check_temp_header(const temp_header *header, const char *block, size_t size,
                              size_t align, ox_site site) {
    if (!OXI_REQUIRE(header->state != (TEMP_FREED ^ (uintptr_t)block), NULL, OX_REPORT_FREED_TWICE,
                     site, OXI_ADDRESS("block", block), OXI_SITE("alloc_site", header->site),
                     OXI_SITE("free_site", header->free_site))) {
        return false;
    }
    if (header->state != (TEMP_LIVE ^ (uintptr_t)block)) {
        return OXI_REPORT(NULL, OX_REPORT_TEMP_OUTLIVED, site, OXI_ADDRESS("block", block),
                          OXI_NUMBER("frame", oxi_load_relaxed(&oxi_frame)));
    }
    return OXI_REQUIRE(header->size == size && header->align == align, NULL,
                       OX_REPORT_FREE_SIZE_MISMATCH, site, OXI_NUMBER("size", header->size),
                       OXI_NUMBER("align", header->align), OXI_SITE("alloc_site", header->site),
                       OXI_NUMBER("given_size", size), OXI_NUMBER("given_align", align));
}

// The header is read even where a stray pointer makes it lie in poisoned memory.
__attribute__((no_sanitize("address"))) static temp_header copy_header(const temp_header *header) {
    return *header;
}

void oxi_temp_free(void *block, size_t size, size_t align, ox_site site) {
    temp_arena *arena = arena_of_frame();
    temp_header *header = find_temp_header(arena, block);
    if (header == NULL) {
        report_foreign_temp(block, site);
        return;
    }
    temp_header copy = copy_header(header);
    if (!check_temp_header(&copy, block, size, align, site)) {
        return;
    }
    oxi_mark_freed(block, size);
    header->state = TEMP_FREED ^ (uintptr_t)block;
    header->free_site = site;
}

#else

void *oxi_temp_alloc(size_t size, size_t align, ox_site site) {
    (void)site;
    void *block = bump_temp(arena_of_frame(), size, align);
    if (block != NULL) {
        oxi_unpoison(block, size);
    }
    return block;
}

void oxi_temp_free(void *block, size_t size, size_t align, ox_site site) {
    (void)align;
    (void)site;
    // The last allocation can be taken back. All others wait for the end of the frame.
    if ((char *)block + size == thread_arena.top) {
        thread_arena.top = block;
    }
}

#endif

void oxi_temp_begin_frame(void) {
    arena_of_frame();
}

uint32_t oxi_temp_get_depth(void) {
    return thread_arena.depth + (oxi_temp_job == OXI_TEMP_UNUSED ? 1 : 0);
}

void oxi_temp_trim(void) {
    temp_arena *arena = arena_of_frame();
    bool is_empty = arena->depth == 0 && position_of_top(arena) == arena->floor;
    if (arena->current == NULL || is_empty) {
        free_temp_blocks_after(arena, NULL);
        *arena = (temp_arena){.frame = arena->frame, .depth = arena->depth};
        return;
    }
    free_temp_blocks_after(arena, arena->current);
}

#if OX_SAFETY >= 1

static void keep_mark(temp_arena *arena, ox_temp_scope scope) {
    if (scope.depth <= CHECKED_SCOPES) {
        arena->marks[scope.depth - 1] = scope.mark;
    }
}

static bool is_innermost_scope(const temp_arena *arena, ox_temp_scope scope) {
    return scope.depth != 0 && scope.depth == arena->depth &&
           (scope.depth > CHECKED_SCOPES || arena->marks[scope.depth - 1] == scope.mark);
}

#else

static void keep_mark(temp_arena *arena, ox_temp_scope scope) {
    (void)arena;
    (void)scope;
}

static bool is_innermost_scope(const temp_arena *arena, ox_temp_scope scope) {
    return scope.depth != 0 && scope.depth == arena->depth;
}

#endif

ox_temp_scope ox_temp_begin(void) {
    temp_arena *arena = arena_of_frame();
    arena->depth++;
    ox_temp_scope scope = {position_of_top(arena), arena->depth};
    keep_mark(arena, scope);
    return scope;
}

void ox_temp_end_at(ox_temp_scope scope, ox_site site) {
    temp_arena *arena = &thread_arena;
    if (!oxi_hooks_require_outside("ox_temp_end", site) ||
        !OXI_REQUIRE(is_innermost_scope(arena, scope), NULL, OX_REPORT_TEMP_SCOPE_ORDER, site,
                     OXI_NUMBER("scope", scope.depth), OXI_NUMBER("open", arena->depth))) {
        return;
    }
    rewind_temp(arena, (size_t)scope.mark);
    arena->depth--;
}

static void open_job_scope(void) {
    oxi_temp_job = OXI_TEMP_USED;
    job_scope = ox_temp_begin();
}

void oxi_temp_at_job_end(void (*function)(void)) {
    OXI_ASSERT(oxi_temp_job != OXI_TEMP_NO_JOB);
    OXI_ASSERT(job_end == NULL || job_end == function);
    job_end = function;
    if (oxi_temp_job == OXI_TEMP_UNUSED) { // with a scope, its end is not overlooked
        open_job_scope();
    }
}

void oxi_temp_end_job(void) {
    temp_arena *arena = &thread_arena;
    void (*function)(void) = job_end;
    job_end = NULL;
    if (function != NULL) {
        function();
    }
    // Scopes that the job left open end with it: the next job on this thread has no part in them.
    OXI_REQUIRE(arena->depth == job_scope.depth, NULL, OX_REPORT_TEMP_SCOPE_ORDER, NULL,
                OXI_NUMBER("scope", job_scope.depth), OXI_NUMBER("open", arena->depth));
    rewind_temp(arena, (size_t)job_scope.mark);
    arena->depth = job_scope.depth - 1;
}
