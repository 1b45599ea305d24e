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

/// What a name in an expression may stand for, and the name that stood for nothing.
typedef struct oxi_constant_names {
    const void *scope;        ///< of the struct; NULL: every announcement counts
    uint32_t count;           ///< how many constants of the table may be seen, from the first on
    oxi_token missing;        ///< a name without one value, or empty
    const ox_constant *first; ///< when `missing` has two values: where they come from, else NULL
    const ox_constant *second;
} oxi_constant_names;

/// Reads an integer constant expression of literals, announced constants, sizeof(known type),
/// + - * / % << >> and parentheses.
/// @return false for anything else, an overflow included. `names->missing` is the name of a
/// constant when that was the reason, else it is empty.
bool oxi_constant_read(const char **cursor, oxi_constant_names *names, int64_t *value);

/// True when the texts have the same tokens; what C and C++ write differently counts as the same.
/// NULL is equal to NULL alone.
bool oxi_text_same(const char *a, const char *b);
