// SPDX-License-Identifier: MIT
//
// UTF-8, as RFC 3629 has it: no surrogates, nothing above U+10FFFF, no longer form than needed.
//
// Any thread may call these functions.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What stands for text that is not UTF-8.
#define OXI_UTF8_REPLACEMENT "\xef\xbf\xbd"

/// Length of the character at the start of `data`, 1 to 4 bytes, and its code. `size` must not be
/// 0.
/// @return 0 when no valid character starts there.
size_t oxi_utf8_decode(const char *data, size_t size, uint32_t *code);

/// How many bytes at the start of `data`, where no valid character starts, stand for one character
/// that was broken: those which could have begun one, and at least 1.
size_t oxi_utf8_broken_size(const char *data, size_t size);

/// Writes the character `code`, which must be a valid one, to `data`. @return its length, 1 to 4.
size_t oxi_utf8_encode(uint32_t code, char *data);

/// The longest size up to `size` that does not end inside a character.
size_t oxi_utf8_cut(const char *data, size_t size);
