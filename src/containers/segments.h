// SPDX-License-Identifier: MIT
//
// What parallel jobs write into a container, before it is settled.
//
// Each claimed range of a job writes into a segment of its own, in its worker's arena, by a bump
// pointer. A segment is keyed by (number of the job in schedule order, first index of the range),
// so reading segments in the order of their keys gives what was written in index order, whoever ran
// what. A segment is a mark in the arena, made by its first write. Items may be dealt into several
// buckets, which are ordered each for itself, so that threads can settle them side by side.
//
// Adding comes from the runner threads of jobs, each into its own arena, with no lock. Everything
// else needs that no job writes, and one thread at a time.

#pragma once

#include "base/list.h"
#include "jobs/run.h"
#include "oxbow/safety.h"

typedef struct oxi_segments oxi_segments;

enum { OXI_MAX_BUCKETS = 16 };

/// Items that lie behind each other, written by one range.
typedef struct oxi_span {
    uint32_t order; ///< of the job
    uint32_t first; ///< index of the range
    const char *items;
    size_t size; ///< in bytes
} oxi_span;

typedef OXI_LIST(oxi_span) oxi_spans;

/// Who calls a parallel writer. Outside of jobs, only main may, and acts on the container itself.
typedef enum oxi_writer_caller {
    OXI_WRITER_JOB = 0,
    OXI_WRITER_MAIN,
    OXI_WRITER_STRANGER, ///< a thread that runs no job and is not main: OX_REPORT_NOT_IN_JOB
} oxi_writer_caller;

oxi_writer_caller oxi_writer_get_caller(void);

/// Makes an empty set of segments; memory comes from `allocator`. Items are aligned to `align`, and
/// their sizes are counted up to a multiple of it.
/// @return NULL after a report.
oxi_segments *oxi_segments_create(uint32_t bucket_count, uint32_t align, ox_allocator allocator,
                                  ox_site site);

/// Frees everything. NULL is ignored.
void oxi_segments_destroy(oxi_segments *segments, ox_site site);

/// Room for an item of `size` bytes at the end of the segment of the job that runs on this thread.
/// Its content is not defined.
/// @return NULL after a report: out of memory, and nothing was added.
void *oxi_segments_add(oxi_segments *segments, uint32_t bucket, size_t size, ox_site site);

/// Takes one of `room` places that all writers share since the last clear. Exactly `room` calls
/// succeed, whichever threads make them; a place that was taken and not used is given back. `room`
/// is the same in all calls between two clears. Allocates nothing.
bool oxi_segments_take_place(oxi_segments *segments, uint32_t room);
void oxi_segments_give_place(oxi_segments *segments);

/// True when something was added since the last clear. Any thread.
bool oxi_segments_is_pending(oxi_segments *segments);

/// Lists what was added to a bucket, in the order of keys, and within a key as written.
/// @return false when out of memory (no report), with `spans` empty. Free it with oxi_list_free.
bool oxi_segments_list(oxi_segments *segments, uint32_t bucket, oxi_spans *spans);

/// Sorts spans by their keys; those of one key stay in order. @return false when out of memory,
/// with `spans` as before.
bool oxi_spans_sort(oxi_spans *spans);

/// How many bytes were added to a bucket.
size_t oxi_segments_size(const oxi_segments *segments, uint32_t bucket);

/// Forgets everything that was added. Keeps some memory for the next job.
void oxi_segments_clear(oxi_segments *segments);
