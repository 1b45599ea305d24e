// SPDX-License-Identifier: MIT
//
// Numbers as text: exact both ways, the shortest, and without a look at the locale.

#include "test.h"

#include "base/number.h"
#include "base/random.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *write_int(int64_t value) {
    static char text[OXI_NUMBER_SIZE + 1];
    text[oxi_number_write_int(value, text)] = 0;
    return text;
}

static const char *write_uint(uint64_t value) {
    static char text[OXI_NUMBER_SIZE + 1];
    text[oxi_number_write_uint(value, text)] = 0;
    return text;
}

static const char *write_double(double value) {
    static char text[OXI_NUMBER_SIZE + 1];
    text[oxi_number_write_double(value, text)] = 0;
    return text;
}

static const char *write_float(float value) {
    static char text[OXI_NUMBER_SIZE + 1];
    text[oxi_number_write_float(value, text)] = 0;
    return text;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_finite(double value) {
    return value >= -DBL_MAX && value <= DBL_MAX;
}

// NaN where the text is refused.
static double read_double(const char *text) {
    double value;
    return oxi_number_read_double(text, strlen(text), &value) ? value
                                                              : double_of(0x7ff8000000000000u);
}

TEST(number, integers_are_written_to_the_last_digit) {
    EXPECT_STR(write_int(0), "0");
    EXPECT_STR(write_int(-1), "-1");
    EXPECT_STR(write_int(INT64_MAX), "9223372036854775807");
    EXPECT_STR(write_int(INT64_MIN), "-9223372036854775808");
    EXPECT_STR(write_uint(UINT64_MAX), "18446744073709551615");
    EXPECT_STR(write_uint((uint64_t)1 << 63), "9223372036854775808");
}

typedef struct integer_case {
    const char *text;
    bool is_int;
    bool is_uint;
} integer_case;

TEST(number, integers_are_read_up_to_the_ends_of_their_range) {
    static const integer_case cases[] = {
        {"0", true, true},
        {"-0", true, false},
        {"9223372036854775806", true, true},
        {"9223372036854775807", true, true},
        {"9223372036854775808", false, true},
        {"-9223372036854775807", true, false},
        {"-9223372036854775808", true, false},
        {"-9223372036854775809", false, false},
        {"18446744073709551614", false, true},
        {"18446744073709551615", false, true},
        {"18446744073709551616", false, false},
        {"99999999999999999999999", false, false},
        {"1.0", false, false},
        {"1e2", false, false},
        {"", false, false},
        {"-", false, false},
        {"+1", false, false},
        {"01", false, false},
        {" 1", false, false},
        {"1 ", false, false},
        {"0x1", false, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *text = cases[k].text;
        int64_t i = 5;
        uint64_t u = 5;
        EXPECT_EQ(oxi_number_read_int(text, strlen(text), &i), cases[k].is_int);
        EXPECT_EQ(oxi_number_read_uint(text, strlen(text), &u), cases[k].is_uint);
        EXPECT_EQ(i, cases[k].is_int ? strtoll(text, NULL, 10) : 5);
        EXPECT_EQ(u, cases[k].is_uint ? strtoull(text, NULL, 10) : 5);
    }
}

TEST(number, random_integers_read_back_as_the_same) {
    oxi_random random = oxi_random_seed(test_seed(51));
    for (uint64_t run = 0; run < test_scaled(20000); run++) {
        uint64_t value = oxi_random_next_u64(&random) >> oxi_random_below(&random, 64);
        char expected[32];
        int64_t i = 0;
        uint64_t u = 0;
        snprintf(expected, sizeof expected, "%" PRIu64, value);
        EXPECT_STR(write_uint(value), expected);
        EXPECT(oxi_number_read_uint(expected, strlen(expected), &u));
        EXPECT_EQ(u, value);
        snprintf(expected, sizeof expected, "%" PRId64, (int64_t)value);
        EXPECT_STR(write_int((int64_t)value), expected);
        EXPECT(oxi_number_read_int(expected, strlen(expected), &i));
        EXPECT_EQ(i, (int64_t)value);
    }
}

typedef struct scan_case {
    const char *text;
    size_t size;
    bool is_integer;
} scan_case;

TEST(number, the_grammar_is_that_of_json) {
    static const scan_case cases[] = {
        {"0", 1, true},    {"-0", 2, true},     {"12,", 2, true},      {"1.5]", 3, false},
        {"1e5", 3, false}, {"1E+5x", 4, false}, {"1.25e-3", 7, false}, {"0.0", 3, false},
        {"0e0", 3, false}, {"", 0, false},      {"-", 0, false},       {"+1", 0, false},
        {".5", 0, false},  {"1.", 0, false},    {"1.e5", 0, false},    {"1e", 0, false},
        {"1e+", 0, false}, {"01", 0, false},    {"-01", 0, false},     {"00", 0, false},
        {"--1", 0, false}, {"-.5", 0, false},   {"inf", 0, false},     {"nan", 0, false},
        {"0x10", 1, true}, {"1e5.5", 3, false}, {"1.5.5", 3, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        oxi_number_span span = oxi_number_scan(cases[k].text, strlen(cases[k].text));
        EXPECT_EQ(span.size, cases[k].size);
        EXPECT_EQ(span.is_integer, cases[k].is_integer);
    }
}

TEST(number, doubles_are_read_to_the_nearest) {
    EXPECT_EQ(bits_of(read_double("-0")), bits_of(-0.0));
    EXPECT_EQ(bits_of(read_double("-0.0e5")), bits_of(-0.0));
    EXPECT_EQ(read_double("0.1"), 0.1);
    EXPECT_EQ(read_double("123.456e-2"), 1.23456);
    EXPECT_EQ(read_double("1E3"), 1000.0);
    EXPECT_EQ(read_double("9007199254740993"), 9007199254740992.0);
    EXPECT_EQ(read_double("9007199254740993.00000000000000000000000000000001"), 9007199254740994.0);
    EXPECT_EQ(read_double("2.2250738585072011e-308"), 2.2250738585072011e-308);
    EXPECT_EQ(read_double("4.9406564584124654e-324"), 4.9406564584124654e-324);
    EXPECT_EQ(read_double("1.7976931348623157e308"), DBL_MAX);
    EXPECT_EQ(read_double("1.7976931348623158e308"), DBL_MAX);
}

TEST(number, too_small_is_zero_and_too_great_is_refused) {
    double value = 5;

    EXPECT_EQ(bits_of(read_double("1e-400")), bits_of(0.0));
    EXPECT_EQ(bits_of(read_double("-1e-400")), bits_of(-0.0));
    EXPECT_EQ(read_double("2e-324"), 0.0);
    EXPECT_EQ(read_double("0e999999999999999999999"), 0.0);
    EXPECT_EQ(read_double("1e-999999999999999999999"), 0.0);
    EXPECT(!oxi_number_read_double("1e400", 5, &value));
    EXPECT(!oxi_number_read_double("-1e400", 6, &value));
    EXPECT(!oxi_number_read_double("1.7976931348623159e308", 22, &value));
    EXPECT(!oxi_number_read_double("1e999999999999999999999", 23, &value));
    EXPECT_EQ(value, 5.0);
}

TEST(number, what_is_no_number_is_refused) {
    static const char *const texts[] = {"", "-", "+1", ".5", "1.", "1e", "nan", "inf", "1,5", "1x"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        double value = 5;
        EXPECT(!oxi_number_read_double(texts[k], strlen(texts[k]), &value));
        EXPECT_EQ(value, 5.0);
    }
}

TEST(number, thousands_of_digits_all_count) {
    static char text[3000];
    // One half of the gap above 1: rounds down to even; with any digit more, up.
    snprintf(text, sizeof text, "1.00000000000000011102230246251565404236316680908203125");
    EXPECT_EQ(read_double(text), 1.0);
    size_t length = strlen(text);
    memset(text + length, '0', 2000);
    text[length + 2000] = 0;
    EXPECT_EQ(read_double(text), 1.0);
    text[length + 1999] = '1';
    EXPECT_EQ(read_double(text), 1.0 + DBL_EPSILON);

    memset(text, '0', 1000);
    text[1] = '.';
    strcpy(text + 1000, "25e1000");
    EXPECT_EQ(read_double(text), 25.0);
    memset(text, '1', 1000);
    strcpy(text + 1000, "e-999");
    EXPECT_EQ(read_double(text), 1.1111111111111111);
}

TEST(number, random_decimals_are_read_as_strtod_reads_them) {
    oxi_random random = oxi_random_seed(test_seed(52));
    for (uint64_t run = 0; run < test_scaled(100000); run++) {
        char text[64];
        int digits = (int)oxi_random_range(&random, 1, 19);
        uint64_t mantissa = oxi_random_next_u64(&random);
        int point = (int)oxi_random_below(&random, 8);
        int length = snprintf(text, sizeof text, "%d.%0*" PRIu64 "%.*" PRIu64, point + 1, point,
                              mantissa % 1000, digits, mantissa % 1000000007);
        if (oxi_random_bool(&random)) {
            int range = oxi_random_bool(&random) ? 30 : 330;
            int exponent = (int)oxi_random_range(&random, -range, range - 25);
            snprintf(text + length, sizeof text - (size_t)length, "e%d", exponent);
        }
        double expected = strtod(text, NULL);
        if (is_finite(expected)) {
            EXPECT_EQ(bits_of(read_double(text)), bits_of(expected));
        }
    }
}

TEST(number, doubles_are_written_with_the_fewest_digits) {
    EXPECT_STR(write_double(0.0), "0");
    EXPECT_STR(write_double(-0.0), "-0");
    EXPECT_STR(write_double(1.0), "1");
    EXPECT_STR(write_double(-100000.0), "-100000");
    EXPECT_STR(write_double(999999999999999.0), "999999999999999");
    EXPECT_STR(write_double(1e15), "1e+15");
    EXPECT_STR(write_double(0.1), "0.1");
    EXPECT_STR(write_double(0.1 + 0.2), "0.30000000000000004");
    EXPECT_STR(write_double(1.0 / 3.0), "0.3333333333333333");
    EXPECT_STR(write_double(1e-5), "1e-05");
    EXPECT_STR(write_double(9007199254740993.0), "9007199254740992");
    EXPECT_STR(write_double(DBL_MAX), "1.7976931348623157e+308");
    EXPECT_STR(write_double(DBL_MIN), "2.2250738585072014e-308");
    EXPECT_STR(write_double(double_of(1)), "5e-324");
    EXPECT_STR(write_double(5e-323), "5e-323");
}

TEST(number, floats_are_written_with_the_fewest_digits) {
    EXPECT_STR(write_float(0.0f), "0");
    EXPECT_STR(write_float(-0.0f), "-0");
    EXPECT_STR(write_float(0.1f), "0.1");
    EXPECT_STR(write_float(1.0f / 3.0f), "0.33333334");
    EXPECT_STR(write_float(16777215.0f), "16777215");
    EXPECT_STR(write_float(16777216.0f), "16777216");
    EXPECT_STR(write_float(1e10f), "1e+10");
    EXPECT_STR(write_float(FLT_MAX), "3.4028235e+38");
    EXPECT_STR(write_float(FLT_MIN), "1.1754944e-38");
    EXPECT_STR(write_float(float_of(1)), "1e-45");
}

TEST(number, what_is_not_finite_has_a_name) {
    EXPECT_STR(write_double(double_of(0x7ff0000000000000u)), "inf");
    EXPECT_STR(write_double(double_of(0xfff0000000000000u)), "-inf");
    EXPECT_STR(write_double(double_of(0x7ff8000000000000u)), "nan");
    EXPECT_STR(write_float(float_of(0xff800000u)), "-inf");
}

TEST(number, random_doubles_read_back_as_the_same) {
    oxi_random random = oxi_random_seed(test_seed(53));
    for (uint64_t run = 0; run < test_scaled(100000); run++) {
        uint64_t bits = oxi_random_next_u64(&random);
        bits = run % 8 == 0 ? bits & 0x800fffffffffffffu : bits; // subnormal
        bits = run % 8 == 1 ? bits & 0xfff0000000000000u : bits; // power of two
        double value = double_of(bits);
        if (is_finite(value)) {
            EXPECT_EQ(bits_of(read_double(write_double(value))), bits);
        }
    }
}

TEST(number, short_decimals_are_written_as_they_were) {
    oxi_random random = oxi_random_seed(test_seed(54));
    for (uint64_t run = 0; run < test_scaled(50000); run++) {
        char text[64];
        int digits = (int)oxi_random_range(&random, 1, 15);
        uint64_t mantissa = oxi_random_next_u64(&random) % 1000000000000000u;
        snprintf(text, sizeof text, "0.%015" PRIu64, mantissa);
        text[2 + digits] = 0;
        double value = read_double(text);
        char expected[64];
        snprintf(expected, sizeof expected, "%.*g", digits, value);
        EXPECT_STR(write_double(value), expected);
    }
}

TEST(number, random_floats_read_back_as_the_same_by_either_road) {
    oxi_random random = oxi_random_seed(test_seed(55));
    for (uint64_t run = 0; run < test_scaled(100000); run++) {
        uint32_t bits = (uint32_t)oxi_random_next_u64(&random);
        bits = run % 8 == 0 ? bits & 0x807fffffu : bits;
        float value = float_of(bits);
        if (is_finite((double)value)) {
            const char *text = write_float(value);
            EXPECT_EQ((float)read_double(text), value);
            EXPECT_EQ(strtof(text, NULL), value);
        }
    }
}

// A locale with a decimal comma, if the system has one.
static bool set_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8", "fr_FR.utf8", "ps_AF.utf8"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (setlocale(LC_NUMERIC, names[k]) != NULL) {
            return true;
        }
    }
    return false;
}

TEST(number, the_locale_does_not_matter) {
    bool has_comma = set_comma_locale();
    printf("a locale with a decimal comma: %s\n", has_comma ? "tested" : "this system has none");

    EXPECT_STR(write_double(0.1 + 0.2), "0.30000000000000004");
    EXPECT_STR(write_float(1.0f / 3.0f), "0.33333334");
    EXPECT_EQ(read_double("1.25e-300"), 1.25e-300);
    EXPECT_EQ(read_double("0.30000000000000004"), 0.1 + 0.2);
    setlocale(LC_NUMERIC, "C");
}
