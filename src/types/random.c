// SPDX-License-Identifier: MIT
//
// The part of random numbers that is not inline: what checks report, and shuffling.

#include "oxbow/random.h"

#include "base/check.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

// The table of types that are always known has this size and alignment written down.
_Static_assert(sizeof(ox_random) == 40 && _Alignof(ox_random) == _Alignof(uint64_t),
               "base/c_types.c describes another ox_random");

void oxi_random_check_int_at(int32_t low, int32_t high, ox_site site) {
    (void)OXI_REQUIRE(low <= high, NULL, OX_REPORT_EMPTY_RANGE, site, OXI_INTEGER("low", low),
                      OXI_INTEGER("high", high), OXI_NAME("function", "ox_random_int"));
}

static bool require_random_count(int64_t count, int least, const char *function, ox_site site) {
    return OXI_REQUIRE(count >= least && count <= INT32_MAX, NULL, OX_REPORT_BAD_COUNT, site,
                       OXI_INTEGER("count", count), OXI_NAME("function", function),
                       OXI_INTEGER("least", least), OXI_INTEGER("most", INT32_MAX));
}

void oxi_random_check_index_at(int64_t count, ox_site site) {
    (void)require_random_count(count, 1, "ox_random_index", site);
}

void oxi_random_check_float_at(float low, float high, ox_site site) {
    if (isfinite(low) && isfinite(high) && low <= high) {
        return;
    }
    char low_text[OXI_NUMBER_SIZE + 1], high_text[OXI_NUMBER_SIZE + 1];
    low_text[oxi_number_write_float(low, low_text)] = 0;
    high_text[oxi_number_write_float(high, high_text)] = 0;
    OXI_REPORT(NULL, OX_REPORT_EMPTY_RANGE, site, OXI_NAME("low", low_text),
               OXI_NAME("high", high_text), OXI_NAME("function", "ox_random_float_range"));
}

static void swap_bytes(char *a, char *b, size_t size) {
    char part[64];
    while (size > 0) {
        size_t count = size < sizeof part ? size : sizeof part;
        memcpy(part, a, count);
        memmove(a, b, count); // both may be the same element
        memcpy(b, part, count);
        a += count;
        b += count;
        size -= count;
    }
}

// From the last place down, each place gets one of the elements that have none yet (Fisher-Yates).
void ox_random_shuffle_at(ox_random *random, void *values, int64_t count, size_t size,
                          ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(random, "ox_random_shuffle", site) ||
        !require_random_count(count, 0, "ox_random_shuffle", site)) {
        return;
    }
    if (count > 0 && !OXI_REQUIRE_ARGUMENT(values, "ox_random_shuffle", site)) {
        return;
    }
    char *bytes = values;
    for (uint32_t last = (uint32_t)count; last-- > 1;) {
        size_t chosen = oxi_random_up_to(random, last);
        swap_bytes(bytes + chosen * size, bytes + last * size, size);
    }
}
