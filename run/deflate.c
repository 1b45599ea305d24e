// SPDX-License-Identifier: MIT
//
// Deflate: what came before is named by distance and length, and everything is written in codes of
// as many bits as it is rare.
//
// Input is turned into symbols, a block of them at a time: a byte, or a match of 3 to 258 bytes up
// to 32 KiB back. Matches are found by a hash of three bytes, whose earlier places form a chain.
// Each block has Huffman codes of its own.

#include "deflate.h"

#include "huffman.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 32768,
    HASH_SIZE = 32768,
    SHORTEST = 3,
    LONGEST = 258,
    CHAIN_MOST = 48,       // places that are tried for a match
    BLOCK_SYMBOLS = 32768, // symbols of a block
    LITERALS = 286,
    DISTANCES = 30,
    LENGTH_CODES = 19,
    END_OF_BLOCK = 256
};

typedef struct symbol {
    uint16_t distance; // 0: a byte
    uint16_t value;    // the byte, or the length of a match
} symbol;

typedef struct deflater {
    bytes *to;
    uint64_t bits; // not yet written, the first one lowest
    int bit_count;
    const uint8_t *from;
    size_t count;
    int32_t heads[HASH_SIZE]; // the last place of each hash, -1 for none
    int32_t previous[WINDOW]; // the place before each, by its lower bits
    symbol block[BLOCK_SYMBOLS];
    int block_count;
} deflater;

void bytes_add(bytes *to, const void *from, size_t count) {
    if (to->count + count > to->capacity && !to->failed) {
        size_t capacity = (to->count + count) * 2 + 1024;
        uint8_t *data = realloc(to->data, capacity);
        to->failed = data == NULL;
        to->data = data != NULL ? data : to->data;
        to->capacity = data != NULL ? capacity : to->capacity;
    }
    if (!to->failed && count > 0) {
        memcpy(to->data + to->count, from, count);
        to->count += count;
    }
}

void bytes_free(bytes *all) {
    free(all->data);
    *all = (bytes){0};
}

static void put_bits(deflater *d, uint32_t value, int count) {
    d->bits |= (uint64_t)value << d->bit_count;
    d->bit_count += count;
    while (d->bit_count >= 8) {
        uint8_t byte = (uint8_t)d->bits;
        bytes_add(d->to, &byte, 1);
        d->bits >>= 8;
        d->bit_count -= 8;
    }
}

// Lengths and distances are written as a code for a range, and bits for the place in it.
typedef struct ranged {
    int code;
    int extra_count;
    uint32_t extra;
} ranged;

static ranged code_length(int length) {
    if (length == LONGEST) {
        return (ranged){285, 0, 0};
    }
    int rest = length - SHORTEST, bits = 0;
    while (rest >> bits >= 8) {
        bits++;
    }
    return (ranged){257 + bits * 4 + (rest >> bits), bits, (uint32_t)(rest & ((1 << bits) - 1))};
}

static ranged code_distance(int distance) {
    int rest = distance - 1, bits = 0;
    while (rest >> bits >= 4) {
        bits++;
    }
    return (ranged){bits * 2 + (rest >> bits), bits, (uint32_t)(rest & ((1 << bits) - 1))};
}

// The lengths of all codes are themselves coded, with runs: 16 repeats the last, 17 and 18 zeros.
typedef struct run {
    uint8_t code;
    uint8_t extra;
} run;

static int find_runs(const uint8_t *lengths, int count, run *runs) {
    int found = 0;
    for (int at = 0; at < count;) {
        int same = 1;
        while (at + same < count && lengths[at + same] == lengths[at]) {
            same++;
        }
        at += same;
        if (lengths[at - 1] != 0) {
            runs[found++] = (run){lengths[at - 1], 0};
            same--;
        }
        while (same > 0) {
            bool is_zero = lengths[at - 1] == 0;
            int most = is_zero ? 138 : 6, length = same < most ? same : most;
            if (length < 3) {
                runs[found++] = (run){lengths[at - 1], 0};
                length = 1;
            } else if (!is_zero) {
                runs[found++] = (run){16, (uint8_t)(length - 3)};
            } else if (length <= 10) {
                runs[found++] = (run){17, (uint8_t)(length - 3)};
            } else {
                runs[found++] = (run){18, (uint8_t)(length - 11)};
            }
            same -= length;
        }
    }
    return found;
}

// The head of a block: how many codes of each kind, and how long they are.
static void put_codes(deflater *d, const huffman *literals, const huffman *distances) {
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LITERALS + DISTANCES];
    run runs[LITERALS + DISTANCES];
    memcpy(lengths, literals->lengths, LITERALS);
    memcpy(lengths + LITERALS, distances->lengths, DISTANCES);
    int run_count = find_runs(lengths, LITERALS + DISTANCES, runs);

    uint32_t counts[LENGTH_CODES] = {0};
    for (int k = 0; k < run_count; k++) {
        counts[runs[k].code]++;
    }
    huffman codes;
    huffman_make(&codes, counts, LENGTH_CODES, 7);
    int used = LENGTH_CODES;
    while (used > 4 && codes.lengths[order[used - 1]] == 0) {
        used--;
    }
    put_bits(d, LITERALS - 257, 5);
    put_bits(d, DISTANCES - 1, 5);
    put_bits(d, (uint32_t)(used - 4), 4);
    for (int k = 0; k < used; k++) {
        put_bits(d, codes.lengths[order[k]], 3);
    }
    for (int k = 0; k < run_count; k++) {
        int code = runs[k].code;
        put_bits(d, codes.codes[code], codes.lengths[code]);
        if (code >= 16) {
            put_bits(d, runs[k].extra, code == 16 ? 2 : (code == 17 ? 3 : 7));
        }
    }
}

static void put_symbol(deflater *d, symbol what, const huffman *literals,
                       const huffman *distances) {
    if (what.distance == 0) {
        put_bits(d, literals->codes[what.value], literals->lengths[what.value]);
        return;
    }
    ranged length = code_length(what.value), distance = code_distance(what.distance);
    put_bits(d, literals->codes[length.code], literals->lengths[length.code]);
    put_bits(d, length.extra, length.extra_count);
    put_bits(d, distances->codes[distance.code], distances->lengths[distance.code]);
    put_bits(d, distance.extra, distance.extra_count);
}

static void put_block(deflater *d, bool is_last) {
    uint32_t literal_counts[LITERALS] = {0}, distance_counts[DISTANCES] = {0};
    literal_counts[END_OF_BLOCK] = 1;
    for (int k = 0; k < d->block_count; k++) {
        symbol what = d->block[k];
        if (what.distance == 0) {
            literal_counts[what.value]++;
        } else {
            literal_counts[code_length(what.value).code]++;
            distance_counts[code_distance(what.distance).code]++;
        }
    }
    huffman literals, distances;
    huffman_make(&literals, literal_counts, LITERALS, 15);
    huffman_make(&distances, distance_counts, DISTANCES, 15);

    put_bits(d, is_last ? 1 : 0, 1);
    put_bits(d, 2, 2);
    put_codes(d, &literals, &distances);
    for (int k = 0; k < d->block_count; k++) {
        put_symbol(d, d->block[k], &literals, &distances);
    }
    put_bits(d, literals.codes[END_OF_BLOCK], literals.lengths[END_OF_BLOCK]);
    d->block_count = 0;
}

static void add_symbol(deflater *d, symbol what) {
    if (d->block_count == BLOCK_SYMBOLS) {
        put_block(d, false);
    }
    d->block[d->block_count++] = what;
}

static int hash_at(const uint8_t *at) {
    uint32_t three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    return (int)(three * 2654435761u >> 17);
}

static void enter_place(deflater *d, size_t at) {
    if (at + SHORTEST <= d->count) {
        int hash = hash_at(d->from + at);
        d->previous[at % WINDOW] = d->heads[hash];
        d->heads[hash] = (int32_t)at;
    }
}

static int match_length(const uint8_t *a, const uint8_t *b, int most) {
    int length = 0;
    while (length < most && a[length] == b[length]) {
        length++;
    }
    return length;
}

// The longest match for what is at `at`, among places that were entered.
static symbol find_match(const deflater *d, size_t at) {
    symbol best = {0, 0};
    size_t left = d->count - at;
    int most = left < LONGEST ? (int)left : LONGEST;
    if (most < SHORTEST) {
        return best;
    }
    int32_t place = d->heads[hash_at(d->from + at)];
    for (int tries = 0; tries < CHAIN_MOST && place >= 0; tries++) {
        size_t distance = at - (size_t)place;
        if (distance >= WINDOW) {
            break;
        }
        int length = match_length(d->from + place, d->from + at, most);
        if (length >= SHORTEST && length > best.value) {
            best = (symbol){(uint16_t)distance, (uint16_t)length};
        }
        place = d->previous[(size_t)place % WINDOW];
    }
    return best;
}

static void put_data(deflater *d) {
    for (size_t at = 0; at < d->count;) {
        symbol match = find_match(d, at);
        bool is_match =
            match.value > SHORTEST || (match.value == SHORTEST && match.distance < 4096);
        add_symbol(d, is_match ? match : (symbol){0, d->from[at]});
        for (int length = is_match ? match.value : 1; length > 0; length--) {
            enter_place(d, at++);
        }
    }
    put_block(d, true);
    put_bits(d, 0, (8 - d->bit_count) % 8);
}

static uint32_t find_adler(const uint8_t *from, size_t count) {
    uint32_t a = 1, b = 0;
    for (size_t k = 0; k < count; k++) {
        a = (a + from[k]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

void deflate_add(bytes *to, const uint8_t *from, size_t count) {
    deflater *d = calloc(1, sizeof *d);
    if (d == NULL || count > INT32_MAX) {
        to->failed = true;
        free(d);
        return;
    }
    d->to = to;
    d->from = from;
    d->count = count;
    memset(d->heads, 0xff, sizeof d->heads);
    bytes_add(to, (const uint8_t[]){0x78, 0x9c}, 2);
    put_data(d);

    uint32_t adler = find_adler(from, count);
    for (int shift = 24; shift >= 0; shift -= 8) {
        uint8_t byte = (uint8_t)(adler >> shift);
        bytes_add(to, &byte, 1);
    }
    free(d);
}
