// SPDX-License-Identifier: MIT
//
// The memory of the bare world, and changes to all that is in it.

#include "storage_bare.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 * 1024 * 1024, LINE = 64 };

bare_world bare = {.free_first = UINT32_MAX};

void *bare_take_pages(size_t size, bool is_huge) {
    char *base = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        fprintf(stderr, "no memory for the benchmark\n");
        exit(1);
    }
    base += -(uintptr_t)base % HUGE_PAGE;
    madvise(base, size, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return base;
}

// Arrays begin on different lines of a page: two that are walked together would else get in each
// other's way, as a load looks like one of a byte that was stored just before.
static void *take_array(char **next, size_t size) {
    void *array = *next;
    *next += size + 17 * LINE;
    return array;
}

void bare_create(bool is_huge) {
    if (bare.records != NULL) {
        return;
    }
    size_t row = sizeof(bare_id) + 2 * sizeof(bare_float3) + sizeof(bare_health);
    size_t most = BARE_MOST;
    size_t size = most * (sizeof(bare_record) + BARE_ARCHETYPES * row) + HUGE_PAGE;
    char *next = bare_take_pages(size, is_huge);
    bare.records = take_array(&next, most * sizeof(bare_record));
    for (int k = 0; k < BARE_ARCHETYPES; k++) {
        bare_archetype *made = &bare.archetypes[k];
        made->ids = take_array(&next, most * sizeof(bare_id));
        made->positions = take_array(&next, most * sizeof(bare_float3));
        made->velocities = take_array(&next, most * sizeof(bare_float3));
        if (k == BARE_LIVING) {
            made->health = take_array(&next, most * sizeof(bare_health));
        }
    }
}

void bare_clear(void) {
    bare.used = 0;
    bare.free_first = UINT32_MAX;
    for (int k = 0; k < BARE_ARCHETYPES; k++) {
        bare.archetypes[k].count = 0;
    }
}

// Gives ids to rows from `row` on.
static void take_ids(bare_id *restrict ids, bare_id *restrict in_rows, uint32_t row,
                     uint32_t count) {
    bare_record *restrict records = bare.records;
    uint32_t next = bare.free_first, k = 0;
    for (; k < count && next != UINT32_MAX; k++) {
        bare_record *record = &records[next];
        ids[k] = in_rows[k] = (bare_id){next, record->version};
        next = record->row;
        record->row = row + k;
        record->archetype = BARE_MOVING;
    }
    bare.free_first = next;
    for (; k < count; k++) {
        uint32_t index = bare.used++;
        records[index] = (bare_record){1, row + k, BARE_MOVING};
        ids[k] = in_rows[k] = (bare_id){index, 1};
    }
}

void bare_add_many(bare_id *restrict ids, uint32_t count) {
    enum { BLOCK = 512 }; // of rows: what is written together stays in the first cache
    bare_archetype *to = &bare.archetypes[BARE_MOVING];
    for (uint32_t done = 0; done < count; done += BLOCK) {
        uint32_t rows = count - done < BLOCK ? count - done : BLOCK;
        take_ids(ids + done, to->ids + to->count, to->count, rows);
        memset(to->positions + to->count, 0, rows * sizeof *to->positions);
        memset(to->velocities + to->count, 0, rows * sizeof *to->velocities);
        to->count += rows;
    }
}

static void label_records(const bare_id *restrict ids, uint32_t count, uint32_t archetype) {
    bare_record *restrict records = bare.records;
    for (uint32_t k = 0; k < count; k++) {
        records[ids[k].index].archetype = archetype;
        records[ids[k].index].row = k;
    }
}

void bare_add_health_to_all(void) {
    bare_archetype *from = &bare.archetypes[BARE_MOVING], *to = &bare.archetypes[BARE_LIVING];
    memcpy(to->ids, from->ids, from->count * sizeof *to->ids);
    memcpy(to->positions, from->positions, from->count * sizeof *to->positions);
    memcpy(to->velocities, from->velocities, from->count * sizeof *to->velocities);
    memset(to->health, 0, from->count * sizeof *to->health);
    label_records(to->ids, from->count, BARE_LIVING);
    to->count = from->count;
    from->count = 0;
}

void bare_add_tag_to_all(void) {
    bare_archetype tagged = bare.archetypes[BARE_MOVING];
    bare.archetypes[BARE_MOVING] = bare.archetypes[BARE_TAGGED];
    bare.archetypes[BARE_TAGGED] = tagged;
    label_records(tagged.ids, tagged.count, BARE_TAGGED);
}

void bare_destroy_all(void) {
    bare_archetype *from = &bare.archetypes[BARE_MOVING];
    bare_record *restrict records = bare.records;
    uint32_t next = bare.free_first;
    for (uint32_t k = 0; k < from->count; k++) {
        uint32_t index = from->ids[k].index;
        records[index] = (bare_record){records[index].version + 1, next, BARE_FREE};
        next = index;
    }
    bare.free_first = next;
    from->count = 0;
}
