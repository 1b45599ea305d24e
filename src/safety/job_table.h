// SPDX-License-Identifier: MIT
//
// Finds a number by the handle of a job: open addressing with linear probing. Main only.

#pragma once

#include "oxbow/jobs.h"

typedef struct oxi_job_table_entry {
    uint64_t job; ///< 0: nothing here
    uint32_t number;
} oxi_job_table_entry;

/// {0} is empty and owns nothing.
typedef struct oxi_job_table {
    oxi_job_table_entry *entries;
    size_t capacity; ///< a power of two, or 0
    size_t count;
} oxi_job_table;

/// Makes room for `extra` jobs more. @return false when out of memory.
bool oxi_job_table_reserve(oxi_job_table *index, size_t extra);

/// Adds a job that is not there. Room was reserved.
void oxi_job_table_add(oxi_job_table *index, ox_job job, uint32_t number);

/// The number of a job, or 0.
uint32_t oxi_job_table_find(const oxi_job_table *index, ox_job job);

/// Removes a job that is there.
void oxi_job_table_remove(oxi_job_table *index, ox_job job);

/// Frees the memory. The index is {0} afterwards.
void oxi_job_table_free(oxi_job_table *index);
