// SPDX-License-Identifier: MIT
//
// Turns bytes into operations on a world with components of all kinds, wrong ones included, and
// holds it against a naive model: see tests/entities/kinds_run.h.
//
// Seeds are short: the fuzzer makes no input longer than the longest of them until it finds nothing
// more. Weighing inputs by how rare what they reach is (entropic) takes longer than running them.
//
// units: tests/entities/kinds_*.c
// flags: -fno-sanitize-coverage=trace-cmp
// options: -entropic=0

#include "entities/kinds_run.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static kinds_run run;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    kinds_def def = {.operations = UINT64_MAX,
                     .verify_every = 16,
                     .most_rows = 200,
                     .swaps = data[0] & 1,
                     .closes = data[0] & 2,
                     .bytes = data + 1,
                     .byte_count = size - 1};
    if (kinds_run_random(&run, &def) != 0) {
        fprintf(stderr, "fuzz_kinds: after %llu operations: %s\n",
                (unsigned long long)run.operation, run.failure);
        abort();
    }
    return 0;
}
