// SPDX-License-Identifier: MIT
//
// Numbers as text, and back: exactly, and whatever the locale of the process is.
//
// The grammar is that of JSON: an optional minus, digits without a leading zero, an optional
// fraction, an optional exponent. Any thread may call these functions.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Room for every number that is written here. There is no 0 at the end.
enum { OXI_NUMBER_SIZE = 32 };

/// Each writes a number to `buffer` of OXI_NUMBER_SIZE bytes and returns its length.
size_t oxi_number_write_int(int64_t value, char *buffer);
size_t oxi_number_write_uint(uint64_t value, char *buffer);

/// Writes the fewest digits that read back as the same number. A whole number below 10^15 has no
/// exponent. What is not finite is written as nan, inf or -inf.
size_t oxi_number_write_double(double value, char *buffer);

/// The same for a float: it reads back as the same one when it is read as a double and converted.
/// A whole number below 2^24 has no exponent.
size_t oxi_number_write_float(float value, char *buffer);

/// What oxi_number_scan found.
typedef struct oxi_number_span {
    size_t size;     ///< bytes of the number; 0 when none stands at the start of the text
    bool is_integer; ///< it has no fraction and no exponent
} oxi_number_span;

/// Finds the number at the start of `text`. More text may follow it.
oxi_number_span oxi_number_scan(const char *text, size_t size);

/// Each reads a number that takes up the whole of `text`.
/// @return false when it does not, or is not in the range of the type; then `value` is unchanged.
bool oxi_number_read_int(const char *text, size_t size, int64_t *value);
bool oxi_number_read_uint(const char *text, size_t size, uint64_t *value);

/// The double that is nearest to the number. Too small is 0; too great is false.
bool oxi_number_read_double(const char *text, size_t size, double *value);
