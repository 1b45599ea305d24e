// SPDX-License-Identifier: MIT
//
// Huffman codes: short bit patterns for what is frequent, none of them the beginning of another.

#pragma once

#include <stdint.h>

enum { HUFFMAN_MOST = 288 }; ///< symbols that a code may have

/// A code. Patterns are reversed: their first bit is the lowest, as deflate writes them.
typedef struct huffman {
    uint16_t codes[HUFFMAN_MOST];
    uint8_t lengths[HUFFMAN_MOST]; ///< in bits; 0: the symbol does not occur
} huffman;

/// Makes the code for symbols that occur so often, with patterns of up to `longest` bits.
void huffman_make(huffman *code, const uint32_t *counts, int count, int longest);
