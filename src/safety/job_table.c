// SPDX-License-Identifier: MIT
//
// Invariant: at most half of the entries are taken, and every job stands between its home and the
// first empty entry behind that. Removing moves later jobs back, so there are no tombstones.

#include "safety/job_table.h"

#include "base/hash.h"
#include "base/heap.h"

#include <string.h>

#if OX_SAFETY >= 1

enum { LEAST_JOB_TABLE = 64 };

static size_t home_of_job(const oxi_job_table *index, uint64_t job) {
    return (size_t)oxi_hash_mix(job) & (index->capacity - 1);
}

// The entry of a job, or the empty one where it would stand.
static oxi_job_table_entry *find_job_entry(const oxi_job_table *index, uint64_t job) {
    size_t at = home_of_job(index, job);
    while (index->entries[at].job != 0 && index->entries[at].job != job) {
        at = (at + 1) & (index->capacity - 1);
    }
    return &index->entries[at];
}

bool oxi_job_table_reserve(oxi_job_table *index, size_t extra) {
    size_t capacity = index->capacity > 0 ? index->capacity : LEAST_JOB_TABLE;
    while (capacity / 2 < index->count + extra) {
        capacity *= 2;
    }
    if (capacity == index->capacity) {
        return true;
    }
    size_t size = capacity * sizeof(oxi_job_table_entry);
    oxi_job_table_entry *entries = oxi_heap_alloc(size, _Alignof(oxi_job_table_entry));
    if (entries == NULL) {
        return false;
    }
    memset(entries, 0, size);
    oxi_job_table grown = {entries, capacity, index->count};
    for (size_t k = 0; k < index->capacity; k++) {
        if (index->entries[k].job != 0) {
            *find_job_entry(&grown, index->entries[k].job) = index->entries[k];
        }
    }
    oxi_job_table_free(index);
    *index = grown;
    return true;
}

void oxi_job_table_add(oxi_job_table *index, ox_job job, uint32_t number) {
    *find_job_entry(index, job.value) = (oxi_job_table_entry){job.value, number};
    index->count++;
}

uint32_t oxi_job_table_find(const oxi_job_table *index, ox_job job) {
    return index->count > 0 && job.value != 0 ? find_job_entry(index, job.value)->number : 0;
}

void oxi_job_table_remove(oxi_job_table *index, ox_job job) {
    size_t mask = index->capacity - 1;
    size_t gap = (size_t)(find_job_entry(index, job.value) - index->entries);
    for (size_t at = (gap + 1) & mask; index->entries[at].job != 0; at = (at + 1) & mask) {
        size_t home = home_of_job(index, index->entries[at].job);
        // It may stand in the gap unless its home lies behind the gap.
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            index->entries[gap] = index->entries[at];
            gap = at;
        }
    }
    index->entries[gap] = (oxi_job_table_entry){0};
    index->count--;
}

void oxi_job_table_free(oxi_job_table *index) {
    oxi_heap_free(index->entries, index->capacity * sizeof(oxi_job_table_entry),
                  _Alignof(oxi_job_table_entry));
    *index = (oxi_job_table){0};
}

#endif
