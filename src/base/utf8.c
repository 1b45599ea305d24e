// SPDX-License-Identifier: MIT
//
// Decoding and encoding of UTF-8.
//
// Whether a sequence is valid is settled by its first two bytes: the first gives the length, and
// narrows what the second may be (which excludes long forms, surrogates and too great numbers). All
// bytes after are 0x80 to 0xbf.
//
// Invariant: what oxi_utf8_encode writes, oxi_utf8_decode reads, and the other way round.

#include "base/utf8.h"

#include "base/check.h"

// The length that the first byte announces, or 0 when no character begins with it.
static size_t utf8_announced_size(uint8_t first) {
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2) {
        return 0;
    }
    if (first < 0xe0) {
        return 2;
    }
    if (first < 0xf0) {
        return 3;
    }
    return first < 0xf5 ? 4 : 0;
}

static bool utf8_second_fits(uint8_t first, uint8_t second) {
    switch (first) {
    case 0xe0:
        return second >= 0xa0 && second <= 0xbf;
    case 0xed:
        return second >= 0x80 && second <= 0x9f;
    case 0xf0:
        return second >= 0x90 && second <= 0xbf;
    case 0xf4:
        return second >= 0x80 && second <= 0x8f;
    default:
        return second >= 0x80 && second <= 0xbf;
    }
}

// How many of the announced bytes are there and fit; `announced` is what the first byte announces.
static size_t utf8_fitting_size(const uint8_t *bytes, size_t size, size_t announced) {
    if (announced < 2 || size < 2 || !utf8_second_fits(bytes[0], bytes[1])) {
        return 1;
    }
    size_t fitting = 2;
    while (fitting < announced && fitting < size && (bytes[fitting] & 0xc0) == 0x80) {
        fitting++;
    }
    return fitting;
}

size_t oxi_utf8_decode(const char *data, size_t size, uint32_t *code) {
    static const uint8_t payload[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const uint8_t *bytes = (const uint8_t *)data;
    OXI_ASSERT(size > 0);
    size_t announced = utf8_announced_size(bytes[0]);
    if (announced == 0 || utf8_fitting_size(bytes, size, announced) != announced) {
        return 0;
    }

    *code = bytes[0] & payload[announced];
    for (size_t k = 1; k < announced; k++) {
        *code = *code << 6 | (bytes[k] & 0x3fu);
    }
    return announced;
}

size_t oxi_utf8_broken_size(const char *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *)data;
    return utf8_fitting_size(bytes, size, utf8_announced_size(bytes[0]));
}

size_t oxi_utf8_encode(uint32_t code, char *data) {
    OXI_ASSERT(code < 0xd800 || (code > 0xdfff && code <= 0x10ffff));
    if (code < 0x80) {
        data[0] = (char)code;
        return 1;
    }

    static const uint8_t lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = size - 1; k > 0; k--) {
        data[k] = (char)(uint8_t)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    data[0] = (char)(uint8_t)(lead[size] | code);
    return size;
}

size_t oxi_utf8_cut(const char *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *)data;
    for (size_t back = 1; back < 4 && back <= size; back++) {
        uint8_t byte = bytes[size - back];
        if ((byte & 0xc0) != 0x80) {
            return utf8_announced_size(byte) > back ? size - back : size;
        }
    }
    return size;
}
