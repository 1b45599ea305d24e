// SPDX-License-Identifier: MIT
//
// Bytes that grow, and the compression that PNG files use (RFC 1950 and 1951), so that `make run`
// needs no library.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that grow. Zero them first; when memory runs out `failed` is set, and adding does nothing.
typedef struct bytes {
    uint8_t *data;
    size_t count;
    size_t capacity;
    bool failed;
} bytes;

/// Adds bytes at the end.
void bytes_add(bytes *to, const void *from, size_t count);

/// Frees the memory.
void bytes_free(bytes *all);

/// Adds `count` bytes in compressed form, as a zlib stream.
void deflate_add(bytes *to, const uint8_t *from, size_t count);
