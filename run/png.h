// SPDX-License-Identifier: MIT
//
// Pictures as PNG files.

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Writes a picture of red, green and blue bytes, the top row first. An existing file is replaced.
/// @return false when it cannot be written, or memory ran out.
bool png_write(const char *path, const uint8_t *pixels, int width, int height);
