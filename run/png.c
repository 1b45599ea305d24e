// SPDX-License-Identifier: MIT
//
// PNG files: a signature, and chunks with a checksum each. Rows are filtered first: each byte is
// told as the difference to a guess from its neighbours, which leaves small numbers.

#include "png.h"

#include "deflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, FILTERS = 5 };

static uint32_t find_crc(uint32_t crc, const uint8_t *from, size_t count) {
    crc = ~crc;
    for (size_t k = 0; k < count; k++) {
        crc ^= from[k];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
        }
    }
    return ~crc;
}

static void put_number(uint8_t *to, uint32_t number) {
    for (int k = 0; k < 4; k++) {
        to[k] = (uint8_t)(number >> (24 - k * 8));
    }
}

static void add_chunk(bytes *file, const char *kind, const uint8_t *data, size_t count) {
    uint8_t number[4];
    put_number(number, (uint32_t)count);
    bytes_add(file, number, 4);
    bytes_add(file, kind, 4);
    bytes_add(file, data, count);
    put_number(number, find_crc(find_crc(0, (const uint8_t *)kind, 4), data, count));
    bytes_add(file, number, 4);
}

// Of the left, upper and upper left neighbour, the one that is nearest to left + up - upper left.
static int guess_paeth(int left, int up, int corner) {
    int guess = left + up - corner;
    int to_left = abs(guess - left), to_up = abs(guess - up), to_corner = abs(guess - corner);
    if (to_left <= to_up && to_left <= to_corner) {
        return left;
    }
    return to_up <= to_corner ? up : corner;
}

static int guess_byte(int filter, int left, int up, int corner) {
    switch (filter) {
    case 1:
        return left;
    case 2:
        return up;
    case 3:
        return (left + up) / 2;
    case 4:
        return guess_paeth(left, up, corner);
    default:
        return 0;
    }
}

// Filters a row, with its kind of filter in front. @return how large the differences are.
static uint64_t filter_row(uint8_t *to, int filter, const uint8_t *row, const uint8_t *above,
                           int size) {
    uint64_t sum = 0;
    to[0] = (uint8_t)filter;
    for (int k = 0; k < size; k++) {
        int left = k >= CHANNELS ? row[k - CHANNELS] : 0, up = above != NULL ? above[k] : 0;
        int corner = k >= CHANNELS && above != NULL ? above[k - CHANNELS] : 0;
        to[k + 1] = (uint8_t)(row[k] - guess_byte(filter, left, up, corner));
        sum += (uint64_t)abs((int8_t)to[k + 1]);
    }
    return sum;
}

// All rows, each with the filter that leaves least.
static void filter_rows(uint8_t *to, uint8_t *best, const uint8_t *pixels, int width, int height) {
    int size = width * CHANNELS;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = pixels + (size_t)y * (size_t)size;
        uint64_t least = UINT64_MAX;
        for (int filter = 0; filter < FILTERS; filter++) {
            uint64_t sum = filter_row(best, filter, row, y > 0 ? row - size : NULL, size);
            if (sum < least) {
                least = sum;
                memcpy(to, best, (size_t)size + 1);
            }
        }
        to += size + 1;
    }
}

static bool save(const char *path, const bytes *file) {
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        return false;
    }
    bool is_written = fwrite(file->data, 1, file->count, out) == file->count;
    return fclose(out) == 0 && is_written;
}

bool png_write(const char *path, const uint8_t *pixels, int width, int height) {
    size_t row = (size_t)width * CHANNELS + 1, count = row * (size_t)height;
    uint8_t *rows = malloc(count + row);
    if (rows == NULL) {
        return false;
    }
    filter_rows(rows, rows + count, pixels, width, height);

    uint8_t head[13] = {[8] = 8, [9] = 2}; // 8 bits each, red green blue
    put_number(head, (uint32_t)width);
    put_number(head + 4, (uint32_t)height);
    bytes data = {0}, file = {0};
    deflate_add(&data, rows, count);
    bytes_add(&file, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(&file, "IHDR", head, sizeof head);
    add_chunk(&file, "IDAT", data.data, data.count);
    add_chunk(&file, "IEND", head, 0);
    bool is_written = !data.failed && !file.failed && save(path, &file);
    bytes_free(&data);
    bytes_free(&file);
    free(rows);
    return is_written;
}
