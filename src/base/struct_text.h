// SPDX-License-Identifier: MIT
//
// Reading C declarations as text: words, punctuation and constant expressions.

#pragma once

#include "oxbow/struct.h"

/// A word or a sign in a text. `length` is 0 at the end of the text.
typedef struct oxi_token {
    const char *text;
    size_t length;
} oxi_token;

/// The next token from `*cursor`, which moves behind it. Spaces and comments are passed over.
oxi_token oxi_token_next(const char **cursor);

/// The same without moving.
oxi_token oxi_token_peek(const char *cursor);

bool oxi_token_is(oxi_token token, const char *text);

/// True for a name or a keyword.
bool oxi_token_is_word(oxi_token token);

/// Moves behind `sign` when it is next. @return whether it was.
bool oxi_token_accept(const char **cursor, const char *sign);

/// Moves behind the ')', ']' or '}' that belongs to an opening one already read. @return false when
/// the text ends first.
bool oxi_token_skip_group(const char **cursor);

/// The mark that a token is, or 0.
uint32_t oxi_token_mark(oxi_token token);

/// Reads an integer constant expression of literals, sizeof(known type), + - * / % << >> and
/// parentheses. @return false for anything else, an overflow included.
bool oxi_constant_read(const char **cursor, int64_t *value);

/// True when the texts have the same tokens; what C and C++ write differently counts as the same.
/// NULL is equal to NULL alone.
bool oxi_text_same(const char *a, const char *b);
