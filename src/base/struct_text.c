// SPDX-License-Identifier: MIT
//
// The words and numbers of struct bodies. Nothing here allocates, and no cursor passes the end of
// its text.

#include "base/struct_text.h"

#include "base/constants.h"
#include "base/types.h"

#include <limits.h>
#include <string.h>

enum { DEEPEST_EXPRESSION = 32 };

static bool is_word_char(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(const char **cursor) {
    for (;;) {
        const char *p = *cursor;
        if (is_space(*p)) {
            (*cursor)++;
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            *cursor = end != NULL ? end + 2 : p + strlen(p);
        } else if (p[0] == '/' && p[1] == '/') {
            *cursor = p + strcspn(p, "\n");
        } else {
            return;
        }
    }
}

oxi_token oxi_token_next(const char **cursor) {
    skip_blanks(cursor);
    const char *begin = *cursor;
    size_t length = 0;
    while (is_word_char(begin[length])) {
        length++;
    }
    if (length == 0 && *begin != 0) {
        bool is_shift = (begin[0] == '<' || begin[0] == '>') && begin[1] == begin[0];
        length = is_shift ? 2 : 1;
    }
    *cursor = begin + length;
    return (oxi_token){begin, length};
}

oxi_token oxi_token_peek(const char *cursor) {
    return oxi_token_next(&cursor);
}

bool oxi_token_is(oxi_token token, const char *text) {
    return strlen(text) == token.length && memcmp(token.text, text, token.length) == 0;
}

bool oxi_token_is_word(oxi_token token) {
    return token.length > 0 && is_word_char(token.text[0]) &&
           !(token.text[0] >= '0' && token.text[0] <= '9');
}

bool oxi_token_accept(const char **cursor, const char *sign) {
    const char *ahead = *cursor;
    if (!oxi_token_is(oxi_token_next(&ahead), sign)) {
        return false;
    }
    *cursor = ahead;
    return true;
}

bool oxi_token_skip_group(const char **cursor) {
    for (int depth = 1; depth > 0;) {
        oxi_token token = oxi_token_next(cursor);
        if (token.length == 0) {
            return false;
        }
        depth += oxi_token_is(token, "(") || oxi_token_is(token, "[") || oxi_token_is(token, "{");
        depth -= oxi_token_is(token, ")") || oxi_token_is(token, "]") || oxi_token_is(token, "}");
    }
    return true;
}

uint32_t oxi_token_mark(oxi_token token) {
    static const struct {
        const char *text;
        uint32_t mark;
    } marks[] = {{"OX_READ_ONLY", OX_MARK_READ_ONLY},
                 {"OX_UNRESTRICTED", OX_MARK_UNRESTRICTED},
                 {"OX_NO_SAFETY", OX_MARK_NO_SAFETY},
                 {"OX_UNOWNED", OX_MARK_UNOWNED}};
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++) {
        if (oxi_token_is(token, marks[k].text)) {
            return marks[k].mark;
        }
    }
    return 0;
}

// The same words of C and C++, as their headers expand them.
static bool same_token(oxi_token a, oxi_token b) {
    if (a.length == b.length && memcmp(a.text, b.text, a.length) == 0) {
        return true;
    }
    bool both_bool = (oxi_token_is(a, "_Bool") && oxi_token_is(b, "bool")) ||
                     (oxi_token_is(a, "bool") && oxi_token_is(b, "_Bool"));
    bool both_align = (oxi_token_is(a, "_Alignas") && oxi_token_is(b, "alignas")) ||
                      (oxi_token_is(a, "alignas") && oxi_token_is(b, "_Alignas"));
    return both_bool || both_align;
}

bool oxi_text_same(const char *a, const char *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    oxi_token left, right;
    do {
        left = oxi_token_next(&a);
        right = oxi_token_next(&b);
    } while (left.length > 0 && same_token(left, right));
    return left.length == 0 && right.length == 0;
}

// Constant expressions, by precedence climbing.

// An expression being read.
typedef struct expression {
    const char **cursor;
    oxi_constant_names *names;
} expression;

static bool read_expression(expression *text, int least_rank, int depth, int64_t *value);

static int digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

static bool read_literal(oxi_token token, int64_t *value) {
    size_t k = 0;
    int base = 10;
    if (token.length > 2 && token.text[0] == '0' && (token.text[1] | 0x20) == 'x') {
        base = 16;
        k = 2;
    } else if (token.text[0] == '0') {
        base = 8;
    }
    uint64_t number = 0;
    for (; k < token.length && digit_of(token.text[k]) < base; k++) {
        number = number * (uint64_t)base + (uint64_t)digit_of(token.text[k]);
        if (number > INT32_MAX) {
            return false;
        }
    }
    while (k < token.length && strchr("uUlL", token.text[k]) != NULL) {
        k++;
    }
    *value = (int64_t)number;
    return k == token.length;
}

static bool read_sizeof(const char **cursor, int64_t *value) {
    if (!oxi_token_accept(cursor, "(")) {
        return false;
    }
    oxi_token name = oxi_token_next(cursor);
    const ox_type *type = oxi_type_lookup(name.text, name.length);
    if (type == NULL || type->size > INT32_MAX) {
        return false;
    }
    *value = (int64_t)type->size;
    return oxi_token_accept(cursor, ")");
}

static int rank_of(oxi_token sign) {
    if (oxi_token_is(sign, "*") || oxi_token_is(sign, "/") || oxi_token_is(sign, "%")) {
        return 3;
    }
    if (oxi_token_is(sign, "+") || oxi_token_is(sign, "-")) {
        return 2;
    }
    return oxi_token_is(sign, "<<") || oxi_token_is(sign, ">>") ? 1 : 0;
}

// The name of a constant. What is no operand in its place, such as a cast or a call, is not taken
// for one.
static bool read_constant(expression *text, oxi_token name, int64_t *value) {
    oxi_token behind = oxi_token_peek(*text->cursor);
    bool ends = oxi_token_is(behind, "]") || oxi_token_is(behind, ")") || rank_of(behind) > 0;
    if (!ends || oxi_type_lookup(name.text, name.length) != NULL) {
        return false;
    }
    return oxi_constant_find(text->names, name, value);
}

static bool read_operand(expression *text, int depth, int64_t *value) {
    const char **cursor = text->cursor;
    oxi_token token = oxi_token_next(cursor);
    if (oxi_token_is(token, "(")) {
        return read_expression(text, 1, depth + 1, value) && oxi_token_accept(cursor, ")");
    }
    if (oxi_token_is(token, "-") || oxi_token_is(token, "+")) {
        bool is_minus = token.text[0] == '-';
        if (depth == DEEPEST_EXPRESSION || !read_operand(text, depth + 1, value)) {
            return false;
        }
        *value = is_minus ? -*value : *value;
        return *value <= INT32_MAX;
    }
    if (oxi_token_is(token, "sizeof")) {
        return read_sizeof(cursor, value);
    }
    if (oxi_token_is_word(token)) {
        return read_constant(text, token, value);
    }
    return token.length > 0 && digit_of(token.text[0]) < 10 && read_literal(token, value);
}

// Operands are within 32 bits, those of constants too, so no operation overflows 64.
static bool apply_sign(char sign, int64_t right, int64_t *left) {
    switch (sign) {
    case '+':
        *left += right;
        break;
    case '-':
        *left -= right;
        break;
    case '*':
        *left *= right;
        break;
    case '/':
    case '%':
        // C divides unsigned numbers when a sizeof is in it: below 0 that comes to something else.
        if (*left < 0 || right <= 0) {
            return false;
        }
        *left = sign == '/' ? *left / right : *left % right;
        break;
    default:
        if (*left < 0 || right < 0 || right > 30) {
            return false;
        }
        *left = sign == '<' ? *left << right : *left >> right;
        break;
    }
    return *left >= INT32_MIN && *left <= INT32_MAX;
}

static bool read_expression(expression *text, int least_rank, int depth, int64_t *value) {
    if (depth > DEEPEST_EXPRESSION || !read_operand(text, depth, value)) {
        return false;
    }
    for (;;) {
        oxi_token sign = oxi_token_peek(*text->cursor);
        int rank = rank_of(sign);
        if (rank < least_rank || rank == 0) {
            return true;
        }
        oxi_token_next(text->cursor);
        int64_t right = 0;
        if (!read_expression(text, rank + 1, depth + 1, &right) ||
            !apply_sign(sign.text[0], right, value)) {
            return false;
        }
    }
}

bool oxi_constant_read(const char **cursor, oxi_constant_names *names, int64_t *value) {
    expression text = {cursor, names};
    *value = 0;
    names->missing = (oxi_token){"", 0};
    names->first = names->second = NULL;
    return read_expression(&text, 1, 0, value);
}
