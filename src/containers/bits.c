// SPDX-License-Identifier: MIT
//
// Bits: words behind a handle.
//
// Two threads must never write one word, even when their bits differ. So a parallel job's handle is
// asked for whole words: the bits of a call are widened to multiples of 64, cut at the end.
//
// Invariant: word_capacity is at least 1 and at least what `count` bits need, and bits of the last
// word that are past the count are 0. Words past that one are not defined.

#include "oxbow/array.h"

#include "base/bitset.h"
#include "containers/handle.h"

enum { BITS_LINE = 64 };

#define BITS_ELEMENT ((ox_element)1) // lengths are held to those of bytes

static size_t words_in_use(const oxi_bits_state *state) {
    return oxi_words_for((size_t)state->count);
}

static uint64_t *alloc_bits_words(const oxi_bits_state *state, size_t word_count, ox_site site) {
    return ox_memory_alloc_at(state->allocator, word_count * sizeof(uint64_t), BITS_LINE, site);
}

static void free_bits_words(const oxi_bits_state *state, ox_site site) {
    ox_memory_free_at(state->allocator, state->words,
                      (size_t)state->word_capacity * sizeof(uint64_t), BITS_LINE, site);
}

static void free_bits_state(oxi_bits_state *state, ox_site site) {
    ox_memory_free_at(state->allocator, state, sizeof *state, _Alignof(oxi_bits_state), site);
}

static void free_bits(void *memory, ox_site site) {
    free_bits_words(memory, site);
    free_bits_state(memory, site);
}

static oxi_bits_state *alloc_bits(size_t count, ox_allocator allocator, ox_site site) {
    oxi_bits_state *state =
        ox_memory_alloc_at(allocator, sizeof *state, _Alignof(oxi_bits_state), site);
    if (state == NULL) {
        return NULL;
    }
    size_t word_count = count > 0 ? oxi_words_for(count) : 1;
    *state = (oxi_bits_state){
        .count = (int32_t)count, .word_capacity = (int32_t)word_count, .allocator = allocator};
    state->words = alloc_bits_words(state, word_count, site);
    if (state->words == NULL) {
        free_bits_state(state, site);
        return NULL;
    }
    memset(state->words, 0, word_count * sizeof(uint64_t));
    return state;
}

ox_bits ox_bits_create_at(int64_t count, ox_allocator allocator, ox_site site) {
    if (!oxi_length_require(count, BITS_ELEMENT, "bits", site)) {
        return (ox_bits){0};
    }
    ox_bits bits = {.state = alloc_bits((size_t)count, allocator, site)};
    if (bits.state == NULL) {
        return (ox_bits){0};
    }
    ox_access_def def = {.kind = "bits", .allocator = allocator};
    if (!oxi_access_make(&bits.access, &def, bits.state, site)) {
        free_bits(bits.state, site);
        return (ox_bits){0};
    }
    return bits;
}

ox_job ox_bits_dispose_at(ox_bits *bits, ox_job after, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(bits, "ox_dispose", site) ||
        !oxi_dispose_require(bits->access, bits->state, "bits", after, site)) {
        return OX_NO_JOB;
    }
    oxi_release release = {free_bits, bits->state, bits->state->allocator};
    ox_job job = OX_NO_JOB;
    if (oxi_dispose(bits->access, &release, after, &job, site)) {
        bits->state = NULL;
    }
    return job;
}

static bool has_bits(ox_bits bits, int64_t first, int64_t count, ox_site site) {
    if (bits.state == NULL) {
        return oxi_unassigned("bits", site);
    }
    oxi_extent extent = {first, count, bits.state->count};
    if (!oxi_extent_is_inside(extent)) {
        return oxi_extent_outside(bits.access, "bits", extent, site);
    }
    if (count > 0) {
        int64_t end = (first + count + 63) & ~(int64_t)63;
        extent.first = first & ~(int64_t)63;
        extent.count = (end < extent.length ? end : extent.length) - extent.first;
    }
    return oxi_extent_require(bits.access, "bits", extent, site);
}

bool oxi_bits_may_read_at(ox_bits bits, int64_t first, int64_t count, ox_site site) {
    return OXI_ASK(bits.access, ox_access_may_read_at(bits.access, site)) &&
           has_bits(bits, first, count, site);
}

bool oxi_bits_may_write_at(ox_bits bits, int64_t first, int64_t count, ox_site site) {
    return OXI_ASK(bits.access, ox_access_may_write_at(bits.access, site)) &&
           has_bits(bits, first, count, site);
}

bool ox_bits_set_range_at(ox_bits bits, int64_t first, int64_t count, bool value, ox_site site) {
    if (!oxi_bits_may_write_at(bits, first, count, site)) {
        return false;
    }
    (value ? oxi_words_set_range : oxi_words_clear_range)(bits.state->words, (size_t)first,
                                                          (size_t)count);
    return true;
}

bool ox_bits_clear_at(ox_bits bits, ox_site site) {
    if (!oxi_bits_may_write_at(bits, 0, 0, site)) {
        return false;
    }
    return ox_bits_set_range_at(bits, 0, bits.state->count, false, site);
}

// Moves the words to a block for twice as many as there are, or for `needed` when that is more.
static bool grow_bits(oxi_bits_state *state, size_t needed, ox_site site) {
    size_t doubled = (size_t)state->word_capacity * 2;
    size_t capacity = needed > doubled ? needed : doubled;
    uint64_t *words = alloc_bits_words(state, capacity, site);
    if (words == NULL) {
        return false;
    }
    memcpy(words, state->words, words_in_use(state) * sizeof *words);
    free_bits_words(state, site);
    state->words = words;
    state->word_capacity = (int32_t)capacity;
    return true;
}

bool ox_bits_resize_at(ox_bits bits, int64_t count, ox_site site) {
    if (!OXI_ASK(bits.access, ox_access_may_resize_at(bits.access, site)) ||
        !has_bits(bits, 0, 0, site) || !oxi_length_require(count, BITS_ELEMENT, "bits", site)) {
        return false;
    }
    oxi_bits_state *state = bits.state;
    size_t present = words_in_use(state), needed = oxi_words_for((size_t)count);
    if (needed > (size_t)state->word_capacity && !grow_bits(state, needed, site)) {
        return false;
    }
    if (needed > present) {
        memset(state->words + present, 0, (needed - present) * sizeof(uint64_t));
    }
    state->count = (int32_t)count;
    if (count % 64 != 0) {
        oxi_words_clear_range(state->words, (size_t)count, needed * 64 - (size_t)count);
    }
    return true;
}

static int32_t count_words(const oxi_bits_state *state, size_t first, size_t count) {
    // Whole words before the first one are left out; the rest of its bits is taken off again.
    const uint64_t *words = state->words + first / 64;
    size_t skipped = first % 64;
    return (int32_t)(oxi_words_count(words, skipped + count) - oxi_words_count(words, skipped));
}

int32_t ox_bits_count_set_in_at(ox_bits bits, int64_t first, int64_t count, ox_site site) {
    if (!oxi_bits_may_read_at(bits, first, count, site) || count == 0) {
        return 0;
    }
    return count_words(bits.state, (size_t)first, (size_t)count);
}

int32_t ox_bits_count_set_at(ox_bits bits, ox_site site) {
    if (!oxi_bits_may_read_at(bits, 0, 0, site)) {
        return 0;
    }
    return ox_bits_count_set_in_at(bits, 0, bits.state->count, site);
}

typedef size_t find_bit_fn(const uint64_t *words, size_t bit_count, size_t from);

static int32_t find_in_bits(find_bit_fn *find, ox_bits bits, int64_t from, ox_site site) {
    if (!oxi_bits_may_read_at(bits, 0, 0, site)) {
        return 0;
    }
    const oxi_bits_state *state = bits.state;
    // Negative when `from` is past the end, which is reported.
    int64_t rest = from >= 0 && from <= state->count ? state->count - from : -1;
    if (!has_bits(bits, from, rest, site)) {
        return state->count;
    }
    return (int32_t)find(state->words, (size_t)state->count, (size_t)from);
}

int32_t ox_bits_find_set_at(ox_bits bits, int64_t from, ox_site site) {
    return find_in_bits(oxi_words_find_set, bits, from, site);
}

int32_t ox_bits_find_clear_at(ox_bits bits, int64_t from, ox_site site) {
    return find_in_bits(oxi_words_find_clear, bits, from, site);
}

bool ox_bits_any_at(ox_bits bits, int64_t first, int64_t count, ox_site site) {
    if (!oxi_bits_may_read_at(bits, first, count, site)) {
        return false;
    }
    size_t end = (size_t)(first + count);
    return oxi_words_find_set(bits.state->words, end, (size_t)first) < end;
}

bool ox_bits_all_at(ox_bits bits, int64_t first, int64_t count, ox_site site) {
    if (!oxi_bits_may_read_at(bits, first, count, site)) {
        return false;
    }
    size_t end = (size_t)(first + count);
    return oxi_words_find_clear(bits.state->words, end, (size_t)first) == end;
}

// True when all of `from` may be read and all of `to` written, and they are equally long.
static bool require_pair(ox_bits to, ox_bits from, ox_site site) {
    if (!oxi_bits_may_read_at(from, 0, 0, site) || !oxi_bits_may_write_at(to, 0, 0, site)) {
        return false;
    }
    int64_t source = from.state->count, target = to.state->count;
    return has_bits(from, 0, source, site) && has_bits(to, 0, target, site) &&
           OXI_REQUIRE(source == target, NULL, OX_REPORT_LENGTHS_DIFFER, site,
                       OXI_INTEGER("source", source), OXI_INTEGER("target", target));
}

typedef void combine_words_fn(uint64_t *to, const uint64_t *from, size_t word_count);

static bool combine_bits(combine_words_fn *combine, ox_bits to, ox_bits from, ox_site site) {
    if (!require_pair(to, from, site)) {
        return false;
    }
    combine(to.state->words, from.state->words, words_in_use(to.state));
    return true;
}

bool ox_bits_and_at(ox_bits to, ox_bits from, ox_site site) {
    return combine_bits(oxi_words_and, to, from, site);
}

bool ox_bits_or_at(ox_bits to, ox_bits from, ox_site site) {
    return combine_bits(oxi_words_or, to, from, site);
}

bool ox_bits_and_not_at(ox_bits to, ox_bits from, ox_site site) {
    return combine_bits(oxi_words_and_not, to, from, site);
}

static void copy_bits_words(uint64_t *to, const uint64_t *from, size_t word_count) {
    memmove(to, from, word_count * sizeof *to);
}

bool ox_bits_copy_from_at(ox_bits to, ox_bits from, ox_site site) {
    return combine_bits(copy_bits_words, to, from, site);
}
