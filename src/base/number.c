// SPDX-License-Identifier: MIT
//
// Numbers as text.
//
// The library functions of C use the decimal point of the locale. Reading avoids it: the digits are
// collected without a point and the exponent is corrected ("12.5e3" becomes "125e2"), which strtod
// understands everywhere. Writing replaces it: what printf puts between digits and is neither a
// sign nor an exponent is the point.
//
// Invariant: a finite number that is written reads back as the same, the sign of zero included.

#include "base/number.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// No double needs more digits to be told from its neighbours: the longest midpoint of two has 767.
// One more stands for all that follow.
enum { DECIMAL_DIGITS = 770 };

// An exponent that is past every double, and still safe to add to.
#define DECIMAL_EXPONENT_LIMIT ((int64_t)1 << 40)

// A number digits * 10^exponent, its digits without leading zeros.
typedef struct decimal {
    int64_t exponent;
    size_t digit_count;
    bool has_more; // a digit that was dropped is not 0
    char digits[DECIMAL_DIGITS + 32];
} decimal;

static bool number_is_digit(char c) {
    return c >= '0' && c <= '9';
}

size_t oxi_number_write_uint(uint64_t value, char *buffer) {
    char reversed[20];
    size_t size = 0;
    do {
        reversed[size++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t k = 0; k < size; k++) {
        buffer[k] = reversed[size - 1 - k];
    }
    return size;
}

size_t oxi_number_write_int(int64_t value, char *buffer) {
    if (value >= 0) {
        return oxi_number_write_uint((uint64_t)value, buffer);
    }
    buffer[0] = '-';
    return 1 + oxi_number_write_uint(0 - (uint64_t)value, buffer + 1);
}

// Copies what printf wrote with a '.' in the place of the locale's decimal point, which may have
// several bytes.
static size_t replace_decimal_point(const char *printed, char *buffer) {
    size_t size = 0;
    bool was_point = false;
    for (; *printed != 0; printed++) {
        bool is_point = !number_is_digit(*printed) && strchr("+-e", *printed) == NULL;
        if (!is_point || !was_point) {
            buffer[size++] = is_point ? '.' : *printed;
        }
        was_point = is_point;
    }
    return size;
}

static bool reads_back(const char *text, size_t size, double value, bool is_float) {
    double read;
    if (!oxi_number_read_double(text, size, &read)) {
        return false;
    }
    return is_float ? (float)read == (float)value : read == value;
}

// A decimal of up to DBL_DIG digits survives in a normal double, so if that many digits do not read
// back, fewer do not either, and printf drops zeros at the end. A subnormal has less precision:
// there all lengths are tried. The same holds for float and FLT_DIG.
static size_t write_shortest(double value, bool is_float, char *buffer) {
    double least_normal = is_float ? (double)FLT_MIN : DBL_MIN;
    bool is_subnormal = value > -least_normal && value < least_normal;
    int precision = is_subnormal ? 1 : is_float ? FLT_DIG : DBL_DIG;
    int most = is_float ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    for (;; precision++) {
        char printed[64];
        snprintf(printed, sizeof printed, "%.*g", precision, value);
        size_t size = replace_decimal_point(printed, buffer);
        if (precision >= most || reads_back(buffer, size, value, is_float)) {
            return size;
        }
    }
}

// Writes what is not finite, and whole numbers below `limit` but -0. Returns 0 for the others.
static size_t write_simple(double value, double limit, char *buffer) {
    const char *name = value != value ? "nan" : value > DBL_MAX ? "inf" : "-inf";
    if (value != value || value > DBL_MAX || value < -DBL_MAX) {
        memcpy(buffer, name, strlen(name));
        return strlen(name);
    }
    if (value > -limit && value < limit && value != 0 && (double)(int64_t)value == value) {
        return oxi_number_write_int((int64_t)value, buffer);
    }
    return 0;
}

size_t oxi_number_write_double(double value, char *buffer) {
    size_t size = write_simple(value, 1e15, buffer);
    return size > 0 ? size : write_shortest(value, false, buffer);
}

size_t oxi_number_write_float(float value, char *buffer) {
    size_t size = write_simple((double)value, 0x1p24, buffer);
    return size > 0 ? size : write_shortest((double)value, true, buffer);
}

static size_t scan_digits(const char *text, size_t size, size_t from) {
    while (from < size && number_is_digit(text[from])) {
        from++;
    }
    return from;
}

oxi_number_span oxi_number_scan(const char *text, size_t size) {
    const oxi_number_span none = {0};
    size_t first = size > 0 && text[0] == '-';
    size_t at = scan_digits(text, size, first);
    if (at == first || (text[first] == '0' && at > first + 1)) {
        return none;
    }

    oxi_number_span span = {.size = at, .is_integer = true};
    if (at < size && text[at] == '.') {
        size_t end = scan_digits(text, size, at + 1);
        if (end == at + 1) {
            return none;
        }
        span = (oxi_number_span){.size = end};
        at = end;
    }
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < size && (text[at] == '+' || text[at] == '-');
        span = (oxi_number_span){.size = scan_digits(text, size, at)};
        return span.size > at ? span : none;
    }
    return span;
}

// Reads the digits of a whole number up to `limit`.
static bool read_magnitude(const char *text, size_t size, uint64_t limit, uint64_t *value) {
    uint64_t read = 0;
    for (size_t k = 0; k < size; k++) {
        uint64_t digit = (uint64_t)(text[k] - '0');
        if (read > (limit - digit) / 10) {
            return false;
        }
        read = read * 10 + digit;
    }
    *value = read;
    return true;
}

static bool is_whole_integer(const char *text, size_t size) {
    oxi_number_span span = oxi_number_scan(text, size);
    return span.is_integer && span.size == size;
}

bool oxi_number_read_int(const char *text, size_t size, int64_t *value) {
    if (!is_whole_integer(text, size)) {
        return false;
    }
    size_t is_negative = text[0] == '-';
    uint64_t magnitude;
    if (!read_magnitude(text + is_negative, size - is_negative, INT64_MAX + (uint64_t)is_negative,
                        &magnitude)) {
        return false;
    }
    *value = (int64_t)(is_negative ? 0 - magnitude : magnitude);
    return true;
}

bool oxi_number_read_uint(const char *text, size_t size, uint64_t *value) {
    return is_whole_integer(text, size) && text[0] != '-' &&
           read_magnitude(text, size, UINT64_MAX, value);
}

static void collect_digit(decimal *number, char digit, bool is_fraction) {
    bool is_leading_zero = digit == '0' && number->digit_count == 0;
    bool is_kept = !is_leading_zero && number->digit_count < DECIMAL_DIGITS;
    if (is_kept) {
        number->digits[number->digit_count++] = digit;
    } else if (!is_leading_zero) {
        number->has_more |= digit != '0';
        number->exponent++;
    }
    number->exponent -= is_fraction;
}

static int64_t read_exponent(const char *text, size_t size) {
    size_t at = size > 0 && (text[0] == '+' || text[0] == '-');
    int64_t exponent = 0;
    for (; at < size && exponent < DECIMAL_EXPONENT_LIMIT; at++) {
        exponent = exponent * 10 + (text[at] - '0');
    }
    return size > 0 && text[0] == '-' ? -exponent : exponent;
}

// Collects a number of the grammar, without its sign.
static void collect_decimal(decimal *number, const char *text, size_t size) {
    number->exponent = 0;
    number->digit_count = 0;
    number->has_more = false;
    bool is_fraction = false;
    size_t at = 0;
    for (; at < size && text[at] != 'e' && text[at] != 'E'; at++) {
        if (text[at] == '.') {
            is_fraction = true;
        } else {
            collect_digit(number, text[at], is_fraction);
        }
    }
    if (at < size) {
        number->exponent += read_exponent(text + at + 1, size - at - 1);
    }
    if (number->has_more) {
        number->digits[number->digit_count++] = '1';
        number->exponent--;
    }
}

// Both operands are exact, so there is one rounding. True when the number is of that kind.
static bool decimal_to_double_exactly(const decimal *number, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits;
    if (FLT_EVAL_METHOD != 0 || number->exponent < -22 || number->exponent > 22 ||
        !read_magnitude(number->digits, number->digit_count, (uint64_t)1 << 53, &digits)) {
        return false;
    }
    if (number->exponent < 0) {
        *value = (double)digits / powers[-number->exponent];
    } else {
        *value = (double)digits * powers[number->exponent];
    }
    return true;
}

static double decimal_to_double(decimal *number) {
    double value;
    if (decimal_to_double_exactly(number, &value)) {
        return value;
    }
    // Below 10^-330 all is 0, from 10^310 on all is infinite.
    int64_t top = number->exponent + (int64_t)number->digit_count;
    if (number->digit_count == 0 || top < -330) {
        return 0;
    }
    int64_t exponent = top > 310 ? 310 : number->exponent;
    char *end = number->digits + number->digit_count;
    *end++ = 'e';
    end += oxi_number_write_int(exponent, end);
    *end = 0;
    return strtod(number->digits, NULL);
}

bool oxi_number_read_double(const char *text, size_t size, double *value) {
    oxi_number_span span = oxi_number_scan(text, size);
    if (span.size == 0 || span.size != size) {
        return false;
    }

    bool is_negative = text[0] == '-';
    decimal number;
    collect_decimal(&number, text + is_negative, size - is_negative);
    double read = decimal_to_double(&number);
    if (read > DBL_MAX) {
        return false;
    }
    *value = is_negative ? -read : read;
    return true;
}
