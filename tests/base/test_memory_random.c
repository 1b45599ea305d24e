// SPDX-License-Identifier: MIT
//
// Random operations on all allocators against a naive model: a list of what is alive. Every block
// holds a pattern made from its number, which nobody else may touch.

#include "test.h"

#include "base/heap.h"
#include "base/random.h"
#include "oxbow/memory.h"

#include <string.h>

enum { MOST_ITEMS = 400, MOST_SCOPES = 40, OWN = 2, SOURCES = 3 + OWN };

typedef struct model_item {
    unsigned char *block;
    size_t size;
    size_t align;
    uint64_t id;
    uint64_t frame;
    uint32_t depth; // of the scope, for Temp
    ox_allocator allocator;
} model_item;

typedef struct model {
    oxi_random random;
    model_item items[MOST_ITEMS];
    int count;
    ox_temp_scope scopes[MOST_SCOPES];
    uint32_t depth;
    uint64_t next_id;
    ox_allocator sources[SOURCES];
} model;

static uint64_t below(model *self, uint64_t limit) {
    return oxi_random_below(&self->random, limit);
}

static unsigned char pattern_at(uint64_t id, size_t offset) {
    return (unsigned char)((id * 0x9e3779b97f4a7c15u >> (offset % 7 * 8)) + offset);
}

static void fill_item(const model_item *item) {
    for (size_t k = 0; k < item->size; k++) {
        item->block[k] = pattern_at(item->id, k);
    }
}

static void verify_item(const model_item *item) {
    for (size_t k = 0; k < item->size; k++) {
        if (item->block[k] != pattern_at(item->id, k)) {
            test_fail(__FILE__, __LINE__, "block %d of allocator %u, %zu bytes, changed at %zu",
                      (int)item->id, item->allocator, item->size, k);
        }
    }
}

// Nothing that is alive may lie in the new block.
static void verify_no_overlap(const model *self, const model_item *made) {
    for (int k = 0; k < self->count; k++) {
        const model_item *item = &self->items[k];
        bool apart =
            item->block + item->size <= made->block || made->block + made->size <= item->block;
        EXPECT(apart);
    }
}

static size_t pick_size(model *self) {
    switch (below(self, 8)) {
    case 0:
        return 1;
    case 1:
        return below(self, 100000) + 1;
    case 2:
        return below(self, 20000) + 1;
    default:
        return below(self, 300) + 1;
    }
}

static void add_item(model *self) {
    if (self->count == MOST_ITEMS) {
        return;
    }
    model_item item = {.size = pick_size(self),
                       .align = (size_t)1 << below(self, below(self, 4) == 0 ? 13 : 6),
                       .id = self->next_id++,
                       .frame = ox_frame_get_number(),
                       .depth = self->depth,
                       .allocator = self->sources[below(self, SOURCES)]};
    item.block = ox_memory_alloc(item.allocator, item.size, item.align);
    EXPECT(item.block != NULL && ((uintptr_t)item.block & (item.align - 1)) == 0);
    verify_no_overlap(self, &item);
    fill_item(&item);
    self->items[self->count++] = item;
}

static void drop_item(model *self, int index, bool frees) {
    const model_item *item = &self->items[index];
    verify_item(item);
    if (frees) {
        ox_memory_free(item->allocator, item->block, item->size, item->align);
    }
    self->items[index] = self->items[--self->count];
}

// Temp blocks of an outer scope must not be freed in this one.
static void free_item(model *self) {
    if (self->count == 0) {
        return;
    }
    int index = (int)below(self, (uint64_t)self->count);
    if (self->items[index].allocator != OX_TEMP || self->items[index].depth == self->depth) {
        drop_item(self, index, true);
    }
}

static void begin_scope(model *self) {
    if (self->depth < MOST_SCOPES) {
        self->scopes[self->depth++] = ox_temp_begin();
    }
}

static void drop_temp_items(model *self) {
    for (int k = self->count - 1; k >= 0; k--) {
        if (self->items[k].allocator == OX_TEMP && self->items[k].depth >= self->depth) {
            drop_item(self, k, false);
        }
    }
}

static void end_scope(model *self) {
    if (self->depth > 0) {
        drop_temp_items(self);
        ox_temp_end(self->scopes[--self->depth]);
    }
}

// TempJob blocks are freed before they are too old, so that a report is a failure.
static void end_frame(model *self) {
    if (self->depth > 0) {
        return;
    }
    drop_temp_items(self);
    for (int k = self->count - 1; k >= 0; k--) {
        const model_item *item = &self->items[k];
        if (item->allocator == OX_TEMP_JOB &&
            item->frame + OX_TEMP_JOB_FRAMES <= ox_frame_get_number()) {
            drop_item(self, k, true);
        }
    }
    ox_frame_end();
}

static void verify_all(model *self) {
    uint64_t bytes = 0, blocks = 0;
    for (int k = 0; k < self->count; k++) {
        verify_item(&self->items[k]);
        bytes += self->items[k].allocator != OX_TEMP ? self->items[k].size : 0;
        blocks += self->items[k].allocator != OX_TEMP;
    }
    EXPECT(ox_get_safety_level() == 0 || ox_memory_get_usage(0).bytes == bytes);
    EXPECT(ox_get_safety_level() == 0 || ox_memory_get_usage(0).block_count == blocks);
}

static void run_one_operation(model *self) {
    uint64_t dice = below(self, 1000);
    if (dice < 480) {
        add_item(self);
    } else if (dice < 900) {
        free_item(self);
    } else if (dice < 930) {
        begin_scope(self);
    } else if (dice < 965) {
        end_scope(self);
    } else if (dice < 990) {
        end_frame(self);
    } else if (dice < 996) {
        verify_all(self);
    } else {
        ox_memory_trim();
    }
}

static void free_everything(model *self) {
    while (self->depth > 0) {
        end_scope(self);
    }
    end_frame(self);
    while (self->count > 0) {
        drop_item(self, self->count - 1, true);
    }
    ox_memory_trim();
}

static void run_model(uint64_t seed, uint64_t operations) {
    static model self;
    uint64_t blocks = oxi_heap_get_blocks();
    self =
        (model){.random = oxi_random_seed(seed), .sources = {OX_TEMP, OX_TEMP_JOB, OX_PERSISTENT}};
    for (int k = 0; k < OWN; k++) {
        self.sources[3 + k] = ox_allocator_create(NULL);
    }

    for (uint64_t k = 0; k < operations; k++) {
        run_one_operation(&self);
    }
    free_everything(&self);

    for (int k = 0; k < OWN; k++) {
        ox_allocator_destroy(self.sources[3 + k]);
    }
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(memory_random, blocks_keep_their_content_and_do_not_overlap) {
    uint64_t seed = test_seed(20240601), rounds = test_scaled(40);
    collected_reports reports;
    collect_reports(&reports);

    for (uint64_t round = 0; round < rounds; round++) {
        run_model(seed + round, 2000);
    }

    EXPECT_EQ(reports.count, 0);
}
