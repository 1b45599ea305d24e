// SPDX-License-Identifier: MIT
//
// Private: the walk over those rows of a chunk that match.

#pragma once

#include "oxbow/entity_jobs.h"

// Rows of a chunk where some do not match.

typedef struct oxi_rows_walk {
    int begin;
    int end;       ///< a run of rows that match, when bits is 0
    uint64_t bits; ///< else rows from `begin` on, a bit for each
    int next;      ///< row to go on at
    int count;
    bool is_whole; ///< all rows match, and the mask was not made
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

/// The end of the run of ones that begins at `from`.
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

/// The next contiguous rows that match.
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

/// Many edges in a word: its rows are better taken one by one.
static inline bool oxi_is_ragged(uint64_t word) {
    uint64_t edges = word ^ word << 1;
    edges &= edges - 1; // each takes the lowest away: more than four are left over
    edges &= edges - 1;
    edges &= edges - 1;
    return (edges & (edges - 1)) != 0;
}

/// The next run, or the next word with many edges.
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
        // A run goes on over whole words of ones, and into one that is not taken bit by bit.
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
