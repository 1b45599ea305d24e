// SPDX-License-Identifier: MIT
//
// What parallel jobs write into a container, before it is settled.
//
// Each runner has an arena, made by its first write. An arena has, for each bucket, a chain of
// blocks that is filled from the front, and the marks of the segments that begin in it. A segment
// reaches from its mark to the next one, or to the end of what was written; a new block in the
// middle of it makes it a second span. Blocks behind the current one are empty: they are kept from
// the round before.
//
// Places are handed out to arenas in small stocks, under a lock. An owner takes from its stock
// without it. Places move from the common rest into a stock, or out of a stock, under the lock
// alone: a search that holds it and finds none has proved that none is left.
//
// Invariant: handed == places taken and not given back + all stocks; and every mark has at least
// one item.

#include "containers/segments.h"

#include "base/heap.h"
#include "base/platform.h"
#include "jobs/state.h"

enum {
    FIRST_BLOCK = 4096,
    LARGEST_BLOCK = 256 * 1024, // larger only for a single item
    FIRST_MARKS = 16,
    MOST_PLACES = 64, // that an arena fetches at once
    // What is left is dealt out in such parts, so that few places are left to be taken back.
    PARTS_OF_PLACES = 32,
    SEGMENT_LINE = 64, // blocks and arenas share no cache line with those of other threads
};

typedef struct segment_block {
    struct segment_block *next;
    size_t size; // of the items' part
    size_t used; // of blocks before the current one
    char *items;
} segment_block;

typedef struct segment_mark {
    uint32_t order;
    uint32_t first;
    segment_block *block;
    size_t offset;
} segment_mark;

typedef struct segment_bucket {
    char *at; // where the next item goes, in the current block
    char *end;
    uint32_t order; // of the last mark; 0: there is none
    uint32_t first;
    segment_block *current; // NULL when there are no blocks
    segment_block *chain;
    segment_mark *marks;
    size_t mark_count;
    size_t mark_capacity;
} segment_bucket;

typedef struct segment_arena {
    _Alignas(SEGMENT_LINE) oxi_atomic_u32 stock;
    _Alignas(SEGMENT_LINE) segment_bucket buckets[];
} segment_arena;

struct oxi_segments {
    uint32_t bucket_count;
    uint32_t align;
    ox_allocator allocator;
    oxi_atomic_u32 pending;
    oxi_mutex lock;  // guards `handed`
    uint32_t handed; // places that left the common rest
    _Alignas(SEGMENT_LINE) oxi_atomic_ptr arenas[OXI_MAX_RUNNERS]; // every write looks here
};

oxi_writer_caller oxi_writer_get_caller(void) {
    if (oxi_this_run.order != 0) {
        return OXI_WRITER_JOB;
    }
    bool is_main = oxi_this_runner != NULL && oxi_this_runner->index == 0;
    return is_main || !oxi_jobs.is_running ? OXI_WRITER_MAIN : OXI_WRITER_STRANGER;
}

oxi_segments *oxi_segments_create(uint32_t bucket_count, uint32_t align, ox_allocator allocator,
                                  ox_site site) {
    OXI_ASSERT(bucket_count >= 1 && bucket_count <= OXI_MAX_BUCKETS);
    OXI_ASSERT(align >= 1 && (align & (align - 1)) == 0);
    oxi_segments *segments =
        ox_memory_alloc_at(allocator, sizeof *segments, _Alignof(oxi_segments), site);
    if (segments == NULL) {
        return NULL;
    }
    *segments = (oxi_segments){.bucket_count = bucket_count,
                               .align = align,
                               .allocator = allocator,
                               .lock = OXI_MUTEX_INIT};
    return segments;
}

static size_t round_to_align(size_t size, size_t align) {
    return (size + align - 1) & ~(align - 1);
}

static size_t get_arena_size(const oxi_segments *segments) {
    return sizeof(segment_arena) +
           round_to_align(segments->bucket_count * sizeof(segment_bucket), SEGMENT_LINE);
}

// Like ox_worker_index, without a call.
static int get_arena_index(void) {
    return oxi_this_runner != NULL ? (int)oxi_this_runner->index : 0;
}

// Acquire: pairs with the release in make_arena, for threads that look for places in all arenas.
static segment_arena *load_arena(const oxi_segments *segments, int index) {
    return oxi_load_acquire((oxi_atomic_ptr *)&segments->arenas[index]);
}

static segment_arena *make_arena(oxi_segments *segments, ox_site site) {
    size_t size = get_arena_size(segments);
    segment_arena *arena = ox_memory_alloc_at(segments->allocator, size, SEGMENT_LINE, site);
    if (arena == NULL) {
        return NULL;
    }
    memset(arena, 0, size);
    oxi_store_release(&segments->arenas[get_arena_index()], arena);
    return arena;
}

// The bytes of a block before its first item.
static size_t get_block_head(const oxi_segments *segments) {
    return round_to_align(sizeof(segment_block), segments->align);
}

static size_t get_block_align(const oxi_segments *segments) {
    return segments->align > SEGMENT_LINE ? segments->align : SEGMENT_LINE;
}

static void free_blocks(const oxi_segments *segments, segment_block *block, ox_site site) {
    while (block != NULL) {
        segment_block *next = block->next;
        ox_memory_free_at(segments->allocator, block, get_block_head(segments) + block->size,
                          get_block_align(segments), site);
        block = next;
    }
}

static segment_block *make_block(const oxi_segments *segments, size_t whole, ox_site site) {
    char *memory = ox_memory_alloc_at(segments->allocator, whole, get_block_align(segments), site);
    if (memory == NULL) {
        return NULL;
    }
    size_t head = get_block_head(segments);
    segment_block *block = (segment_block *)memory;
    *block = (segment_block){.size = whole - head, .items = memory + head};
    return block;
}

// The block that follows the current one, with room for an item of `size` bytes: one that was kept,
// or a new one of twice the size, which is linked in behind the current one.
static segment_block *find_next_block(const oxi_segments *segments, segment_bucket *bucket,
                                      size_t size, ox_site site) {
    segment_block **link = bucket->current != NULL ? &bucket->current->next : &bucket->chain;
    if (*link != NULL && (*link)->size >= size) {
        return *link;
    }
    size_t head = get_block_head(segments), whole = FIRST_BLOCK;
    if (bucket->current != NULL) {
        whole = (bucket->current->size + head) * 2;
    }
    whole = whole < LARGEST_BLOCK ? whole : LARGEST_BLOCK;
    whole = whole > head + size ? whole : head + size;
    segment_block *block = make_block(segments, whole, site);
    if (block == NULL) {
        return NULL;
    }
    block->next = *link;
    *link = block;
    return block;
}

static bool reserve_mark(const oxi_segments *segments, segment_bucket *bucket, ox_site site) {
    if (bucket->mark_count < bucket->mark_capacity) {
        return true;
    }
    size_t capacity = bucket->mark_capacity > 0 ? bucket->mark_capacity * 2 : FIRST_MARKS;
    segment_mark *marks = ox_memory_alloc_array_at(segments->allocator, capacity, sizeof *marks,
                                                   _Alignof(segment_mark), site);
    if (marks == NULL) {
        return false;
    }
    if (bucket->mark_count > 0) {
        memcpy(marks, bucket->marks, bucket->mark_count * sizeof *marks);
    }
    ox_memory_free_at(segments->allocator, bucket->marks, bucket->mark_capacity * sizeof *marks,
                      _Alignof(segment_mark), site);
    bucket->marks = marks;
    bucket->mark_capacity = capacity;
    return true;
}

static bool reserve_item(const oxi_segments *segments, segment_bucket *bucket, size_t size,
                         ox_site site) {
    if (size <= (size_t)(bucket->end - bucket->at)) {
        return true;
    }
    segment_block *block = find_next_block(segments, bucket, size, site);
    if (block == NULL) {
        return false;
    }
    if (bucket->current != NULL) {
        bucket->current->used = (size_t)(bucket->at - bucket->current->items);
    }
    bucket->current = block;
    bucket->at = block->items;
    bucket->end = block->items + block->size;
    return true;
}

static void add_mark(oxi_segments *segments, segment_bucket *bucket) {
    bucket->order = oxi_this_run.order;
    bucket->first = oxi_this_run.first;
    bucket->marks[bucket->mark_count++] =
        (segment_mark){bucket->order, bucket->first, bucket->current,
                       (size_t)(bucket->at - bucket->current->items)};
    if (oxi_load_relaxed(&segments->pending) == 0) {
        oxi_store_release(&segments->pending, 1);
    }
}

static bool is_in_last_segment(const segment_bucket *bucket) {
    return bucket->order == oxi_this_run.order && bucket->first == oxi_this_run.first;
}

// Adds where the arena is new, the block is full, or a segment begins. Kept out of the way of
// writes that need none of it.
__attribute__((noinline)) static void *add_slowly(oxi_segments *segments, uint32_t bucket_index,
                                                  size_t size, ox_site site) {
    segment_arena *arena = load_arena(segments, get_arena_index());
    arena = arena != NULL ? arena : make_arena(segments, site);
    if (arena == NULL) {
        return NULL;
    }
    segment_bucket *bucket = &arena->buckets[bucket_index];
    bool opens = !is_in_last_segment(bucket);
    if ((opens && !reserve_mark(segments, bucket, site)) ||
        !reserve_item(segments, bucket, size, site)) {
        return NULL;
    }
    if (opens) {
        add_mark(segments, bucket);
    }
    void *item = bucket->at;
    bucket->at += size;
    return item;
}

void *oxi_segments_add(oxi_segments *segments, uint32_t bucket_index, size_t size, ox_site site) {
    OXI_ASSERT(bucket_index < segments->bucket_count && size > 0);
    OXI_ASSERT(oxi_this_run.order != 0);
    size = round_to_align(size, segments->align);
    segment_arena *arena = load_arena(segments, get_arena_index());
    segment_bucket *bucket = arena != NULL ? &arena->buckets[bucket_index] : NULL;
    if (bucket == NULL || size > (size_t)(bucket->end - bucket->at) ||
        !is_in_last_segment(bucket)) {
        return add_slowly(segments, bucket_index, size, site);
    }
    void *item = bucket->at;
    bucket->at += size;
    return item;
}

// Takes one place out of a stock, of this thread or of another.
static bool take_from_stock(segment_arena *arena) {
    uint32_t stock = oxi_load_relaxed(&arena->stock);
    while (stock > 0) {
        if (oxi_swap_relaxed(&arena->stock, &stock, stock - 1)) {
            return true;
        }
    }
    return false;
}

// Takes one place of the common rest, and some more into the stock of `own`, which may be NULL.
static void take_from_rest(oxi_segments *segments, uint32_t rest, segment_arena *own) {
    uint32_t count = 1;
    if (own != NULL) {
        count = rest / PARTS_OF_PLACES + 1;
        count = count < MOST_PLACES ? count : MOST_PLACES;
        oxi_add_relaxed(&own->stock, count - 1);
    }
    segments->handed += count;
}

bool oxi_segments_take_place(oxi_segments *segments, uint32_t room) {
    segment_arena *own = load_arena(segments, get_arena_index());
    if (own != NULL && take_from_stock(own)) {
        return true;
    }
    oxi_mutex_lock(&segments->lock);
    uint32_t rest = room > segments->handed ? room - segments->handed : 0;
    bool taken = rest > 0;
    if (taken) {
        take_from_rest(segments, rest, own);
    }
    for (int k = 0; !taken && k < OXI_MAX_RUNNERS; k++) {
        segment_arena *other = load_arena(segments, k);
        taken = other != NULL && take_from_stock(other);
    }
    oxi_mutex_unlock(&segments->lock);
    return taken;
}

void oxi_segments_give_place(oxi_segments *segments) {
    oxi_mutex_lock(&segments->lock);
    OXI_ASSERT(segments->handed > 0);
    segments->handed--;
    oxi_mutex_unlock(&segments->lock);
}

bool oxi_segments_is_pending(oxi_segments *segments) {
    return oxi_load_acquire(&segments->pending) != 0;
}

// Lists the spans between a mark and an end, one for each block.
static bool list_segment(const segment_mark *mark, const segment_block *last, size_t last_end,
                         oxi_spans *spans) {
    size_t from = mark->offset;
    for (const segment_block *block = mark->block;; block = block->next) {
        size_t to = block == last ? last_end : block->used;
        oxi_span span = {mark->order, mark->first, block->items + from, to - from};
        if (to > from && !oxi_list_push(spans, span)) {
            return false;
        }
        if (block == last) {
            return true;
        }
        from = 0;
    }
}

static bool list_bucket(const segment_bucket *bucket, oxi_spans *spans) {
    for (size_t k = 0; k < bucket->mark_count; k++) {
        const segment_block *last = bucket->current;
        size_t end = (size_t)(bucket->at - last->items);
        if (k + 1 < bucket->mark_count) {
            last = bucket->marks[k + 1].block;
            end = bucket->marks[k + 1].offset;
        }
        if (!list_segment(&bucket->marks[k], last, end, spans)) {
            return false;
        }
    }
    return true;
}

bool oxi_segments_list(oxi_segments *segments, uint32_t bucket_index, oxi_spans *spans) {
    *spans = (oxi_spans){0};
    bool listed = true;
    for (int k = 0; listed && k < OXI_MAX_RUNNERS; k++) {
        const segment_arena *arena = load_arena(segments, k);
        listed = arena == NULL || list_bucket(&arena->buckets[bucket_index], spans);
    }
    listed = listed && oxi_spans_sort(spans);
    if (!listed) {
        oxi_list_free(spans);
    }
    return listed;
}

size_t oxi_segments_size(const oxi_segments *segments, uint32_t bucket_index) {
    size_t size = 0;
    for (int k = 0; k < OXI_MAX_RUNNERS; k++) {
        const segment_arena *arena = load_arena(segments, k);
        const segment_bucket *bucket = arena != NULL ? &arena->buckets[bucket_index] : NULL;
        if (bucket == NULL || bucket->current == NULL) {
            continue;
        }
        for (const segment_block *b = bucket->chain; b != bucket->current; b = b->next) {
            size += b->used;
        }
        size += (size_t)(bucket->at - bucket->current->items);
    }
    return size;
}

// Keeps the blocks that this round used, or the first one: then a round like it allocates nothing.
static void clear_bucket(const oxi_segments *segments, segment_bucket *bucket) {
    if (bucket->current != NULL) {
        free_blocks(segments, bucket->current->next, OX_HERE);
        bucket->current->next = NULL;
    }
    bucket->current = bucket->chain;
    bucket->at = bucket->chain != NULL ? bucket->chain->items : NULL;
    bucket->end = bucket->chain != NULL ? bucket->at + bucket->chain->size : NULL;
    bucket->order = 0;
    bucket->mark_count = 0;
}

void oxi_segments_clear(oxi_segments *segments) {
    for (int k = 0; k < OXI_MAX_RUNNERS; k++) {
        segment_arena *arena = load_arena(segments, k);
        for (uint32_t b = 0; arena != NULL && b < segments->bucket_count; b++) {
            clear_bucket(segments, &arena->buckets[b]);
        }
        if (arena != NULL) {
            oxi_store_relaxed(&arena->stock, 0);
        }
    }
    segments->handed = 0;
    oxi_store_release(&segments->pending, 0);
}

static void destroy_arena(const oxi_segments *segments, segment_arena *arena, ox_site site) {
    for (uint32_t k = 0; k < segments->bucket_count; k++) {
        segment_bucket *bucket = &arena->buckets[k];
        free_blocks(segments, bucket->chain, site);
        ox_memory_free_at(segments->allocator, bucket->marks,
                          bucket->mark_capacity * sizeof *bucket->marks, _Alignof(segment_mark),
                          site);
    }
    ox_memory_free_at(segments->allocator, arena, get_arena_size(segments), SEGMENT_LINE, site);
}

void oxi_segments_destroy(oxi_segments *segments, ox_site site) {
    if (segments == NULL) {
        return;
    }
    for (int k = 0; k < OXI_MAX_RUNNERS; k++) {
        segment_arena *arena = load_arena(segments, k);
        if (arena != NULL) {
            destroy_arena(segments, arena, site);
        }
    }
    ox_memory_free_at(segments->allocator, segments, sizeof *segments, _Alignof(oxi_segments),
                      site);
}
