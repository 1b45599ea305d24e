// SPDX-License-Identifier: MIT
//
// Private: the walk over the matching rows of a chunk.

#pragma once

#include "oxbow/entity_jobs.h"

// The rows of a chunk where some do not match.

typedef struct oxi_rows_walk {
    int begin;
    int end;       ///< end of a run of matching rows, if bits is 0
    uint64_t bits; ///< else a bit for each row from `begin` on
    int next;      ///< the row to continue at
    int count;
    bool is_whole; ///< all rows match, and the mask is not set
    uint64_t mask[OX_CHUNK_WORDS];
} oxi_rows_walk;

static inline int oxi_lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int at = 0;
    for (; (bits & 1) == 0; bits >>= 1) {
        at++;
    }
    return at;
#endif
}

static inline void oxi_rows_begin(oxi_rows_walk *walk, const void *data, size_t size, int index,
                                  const ox_entity_rows *rows) {
    int all = rows->is_masked ? ox_entity_job_mask(data, size, index, walk->mask) : rows->count;
    walk->count = all == 0 ? 0 : rows->count;
    walk->is_whole = all > 0;
    walk->next = 0;
    walk->begin = walk->end = 0;
    walk->bits = 0;
}

/// Returns the end of the run of ones that begins at `from`.
static inline int oxi_run_end(const oxi_rows_walk *walk, int from) {
    int at = from;
    while (at < walk->count) {
        uint64_t zeros = ~walk->mask[at / 64] >> at % 64;
        if (zeros != 0) {
            at += oxi_lowest_bit(zeros);
            break;
        }
        at += 64 - at % 64;
    }
    return at < walk->count ? at : walk->count;
}

static inline bool oxi_rows_take_all(oxi_rows_walk *walk) {
    walk->is_whole = false;
    walk->begin = 0;
    walk->end = walk->next = walk->count;
    return walk->count > 0;
}

/// Advances to the next contiguous matching rows.
static inline bool oxi_rows_next_run(oxi_rows_walk *walk) {
    int at = walk->next;
    if (walk->is_whole) {
        return oxi_rows_take_all(walk);
    }
    while (at < walk->count) {
        uint64_t ones = walk->mask[at / 64] >> at % 64;
        if (ones != 0) {
            walk->begin = at + oxi_lowest_bit(ones);
            walk->end = walk->next = oxi_run_end(walk, walk->begin);
            return true;
        }
        at += 64 - at % 64;
    }
    return false;
}

/// Returns true if a word has many edges: then its rows are faster one by one.
static inline bool oxi_is_ragged(uint64_t word) {
    uint64_t edges = word ^ word << 1;
    edges &= edges - 1; // each line clears the lowest edge: more than four remain
    edges &= edges - 1;
    edges &= edges - 1;
    return (edges & (edges - 1)) != 0;
}

/// Advances to the next run, or to the next word with many edges.
static inline bool oxi_rows_next(oxi_rows_walk *walk) {
    if (walk->is_whole) {
        return oxi_rows_take_all(walk);
    }
    while (walk->next < walk->count) {
        int at = walk->next;
        uint64_t word = walk->mask[at / 64];
        walk->bits = 0;
        if (at % 64 == 0 && oxi_is_ragged(word)) {
            walk->begin = at;
            walk->bits = word;
            walk->next = at + 64;
            return true;
        }
        uint64_t ones = word >> at % 64;
        if (ones == 0) {
            walk->next = at + 64 - at % 64;
            continue;
        }
        // A run continues over whole words of ones, and into a word that is not taken bit by bit.
        walk->begin = at + oxi_lowest_bit(ones);
        int edge = walk->begin + 64 - walk->begin % 64;
        walk->end = oxi_run_end(walk, walk->begin);
        if (walk->end > edge && walk->end % 64 != 0 && walk->end < walk->count &&
            oxi_is_ragged(walk->mask[walk->end / 64])) {
            walk->end -= walk->end % 64;
        }
        walk->next = walk->end;
        return true;
    }
    return false;
}
