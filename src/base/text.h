// SPDX-License-Identifier: MIT
//
// Building a text piece by piece.
//
//     oxi_text text = {0};
//     oxi_text_append(&text, "worker ");
//     oxi_text_append_uint(&text, index);
//     if (!text.failed) { use(oxi_text_get(&text)); }
//     oxi_text_free(&text);
//
// {0} is an empty text on the heap. oxi_text_over builds in a buffer of the caller instead and
// never allocates. Nothing has to be checked on the way: the first piece that finds no room sets
// `failed`, and all pieces after it are dropped. So a text that failed is the beginning of the
// whole one.
//
// A piece must not stand in the text that it is added to. One thread at a time may use a text.

#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define OXI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define OXI_PRINTF(text, first)
#endif

typedef struct oxi_text {
    char *data;      ///< ends with a 0, which is not part of `length`; NULL when nothing was added
    size_t length;   ///< bytes
    size_t capacity; ///< bytes of `data`, the 0 included
    bool is_fixed;   ///< `data` is the caller's
    bool failed;     ///< out of memory, or the buffer is full: the text is not whole
} oxi_text;

/// A text in a buffer of `size` bytes, more than 0, of the caller. It holds size - 1 bytes and the
/// 0; what does not fit is cut off where a character of UTF-8 begins.
oxi_text oxi_text_over(char *buffer, size_t size);

/// Copies `from`, of which NULL means "", to a buffer of `size` bytes, more than 0. What does not
/// fit is cut off where a character of UTF-8 begins. Every name that is kept comes through here.
/// `from` may be the buffer.
void oxi_text_copy(char *buffer, size_t size, const char *from);

/// The same for what printf would print. No argument may be the buffer.
void oxi_text_print(char *buffer, size_t size, const char *format, ...) OXI_PRINTF(3, 4);

/// Frees what the text owns. It is {0} afterwards.
void oxi_text_free(oxi_text *text);

/// Makes the text empty, and whole again. Memory is kept.
void oxi_text_clear(oxi_text *text);

/// The text with a 0 at its end. Never NULL. Good until the next call that changes the text.
const char *oxi_text_get(const oxi_text *text);

/// Adds a text up to its 0, or `size` bytes.
void oxi_text_append(oxi_text *text, const char *piece);
void oxi_text_append_sized(oxi_text *text, const char *piece, size_t size);

/// Adds one byte.
void oxi_text_append_char(oxi_text *text, char piece);

/// Adds what printf would print. Use oxi_text_append_double for fractions: printf writes them with
/// the decimal point of the locale.
void oxi_text_append_format(oxi_text *text, const char *format, ...) OXI_PRINTF(2, 3);
void oxi_text_append_arguments(oxi_text *text, const char *format, va_list arguments)
    OXI_PRINTF(2, 0);

/// Adds a number in decimal digits.
void oxi_text_append_int(oxi_text *text, int64_t value);
void oxi_text_append_uint(oxi_text *text, uint64_t value);

/// Adds a number with the fewest digits that read back as the same, with a '.' whatever the locale
/// is. See base/number.h.
void oxi_text_append_double(oxi_text *text, double value);
void oxi_text_append_float(oxi_text *text, float value);
