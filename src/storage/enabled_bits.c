// SPDX-License-Identifier: MIT
//
// Bits of rows that move.

#include "storage/enabled_bits.h"

#include "base/hash.h"

enum { WORD_BITS = 64 };

// Up to 64 bits from anywhere.
static uint64_t read_bits(const uint64_t *words, size_t first, size_t count) {
    size_t at = first / WORD_BITS, shift = first % WORD_BITS;
    uint64_t bits = words[at] >> shift;
    if (shift != 0 && shift + count > WORD_BITS) {
        bits |= words[at + 1] << (WORD_BITS - shift);
    }
    return count < WORD_BITS ? bits & (((uint64_t)1 << count) - 1) : bits;
}

static void write_bits(uint64_t *words, size_t first, size_t count, uint64_t bits) {
    size_t at = first / WORD_BITS, shift = first % WORD_BITS;
    uint64_t mask = count < WORD_BITS ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    words[at] = (words[at] & ~(mask << shift)) | bits << shift;
    if (shift != 0 && shift + count > WORD_BITS) {
        size_t rest = WORD_BITS - shift;
        words[at + 1] = (words[at + 1] & ~(mask >> rest)) | bits >> rest;
    }
}

void oxi_words_copy_range(uint64_t *to, size_t to_first, const uint64_t *from, size_t from_first,
                          size_t count) {
    for (size_t done = 0; done < count;) {
        size_t part = count - done < WORD_BITS ? count - done : WORD_BITS;
        write_bits(to, to_first + done, part, read_bits(from, from_first + done, part));
        done += part;
    }
}

void oxi_bits_clear_slow(const oxi_archetype *archetype, oxi_rows rows) {
    OXI_ASSERT(rows.first + rows.count <= archetype->capacity);
    for (uint32_t k = 0; k < archetype->enabled_count; k++) {
        oxi_words_clear_range(
            oxi_chunk_disabled(archetype, rows.chunk, archetype->enabled_types[k]), rows.first,
            rows.count);
    }
}

void oxi_bits_copy_slow(const oxi_archetype *archetype, oxi_rows to, oxi_row_place from) {
    OXI_ASSERT(to.first + to.count <= archetype->capacity);
    OXI_ASSERT(from.row + to.count <= archetype->capacity);
    for (uint32_t k = 0; k < archetype->enabled_count; k++) {
        uint32_t type = archetype->enabled_types[k];
        oxi_words_copy_range(oxi_chunk_disabled(archetype, to.chunk, type), to.first,
                             oxi_chunk_disabled(archetype, from.chunk, type), from.row, to.count);
    }
}

void oxi_bits_carry(const oxi_edge *edge, oxi_rows to, const oxi_archetype *from,
                    const oxi_chunk_meta *from_meta, uint32_t first) {
    const oxi_archetype *target = edge->target;
    OXI_ASSERT(to.first + to.count <= target->capacity);
    OXI_ASSERT(first + to.count <= from->capacity);
    for (uint32_t k = 0; k < target->enabled_count; k++) {
        uint32_t type = target->enabled_types[k];
        if (edge->origin[type] != OXI_NEW_TYPE) {
            const uint64_t *bits =
                (const uint64_t *)(const void *)from_meta + from->bits_of_type[edge->origin[type]];
            oxi_words_copy_range(oxi_chunk_disabled(target, to.chunk, type), to.first, bits, first,
                                 to.count);
        }
    }
}

void oxi_bits_repeat(const oxi_archetype *archetype, oxi_rows rows) {
    for (uint32_t k = 0; k < archetype->enabled_count; k++) {
        uint64_t *bits = oxi_chunk_disabled(archetype, rows.chunk, archetype->enabled_types[k]);
        if (oxi_words_test(bits, rows.first)) {
            oxi_words_set_range(bits, rows.first, rows.count);
        }
    }
}

void oxi_bits_copy_over(const oxi_archetype *to, oxi_row_place place, const oxi_store *from,
                        oxi_row_place source) {
    const oxi_archetype *own = oxi_archetype_of(source.chunk);
    for (uint32_t k = 0; k < to->enabled_count; k++) {
        uint32_t type = to->enabled_types[k];
        int32_t there = oxi_archetype_find_type(from, own, to->types[type]);
        OXI_ASSERT(there >= 0);
        if (oxi_row_is_off(own, source, (uint32_t)there)) {
            oxi_words_set(oxi_chunk_disabled(to, place.chunk, type), place.row);
        }
    }
}

uint64_t oxi_bits_hash(const oxi_archetype *archetype, const uint64_t *names, oxi_row_place place) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < archetype->enabled_count; k++) {
        uint32_t type = archetype->enabled_types[k];
        if (oxi_row_is_off(archetype, place, type)) {
            sum += oxi_hash_mix(names[type] + 1);
        }
    }
    return sum;
}

const char *oxi_bits_validate(const oxi_archetype *archetype, oxi_chunk chunk) {
    uint32_t count = oxi_chunk_entry_of(chunk)->count;
    for (uint32_t k = 0; k < archetype->enabled_count; k++) {
        const uint64_t *bits = oxi_chunk_disabled(archetype, chunk, archetype->enabled_types[k]);
        if (oxi_words_find_set(bits, archetype->capacity, count) < archetype->capacity) {
            return "a component is switched off in a row that does not exist";
        }
    }
    return NULL;
}
