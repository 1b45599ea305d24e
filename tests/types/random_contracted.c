// SPDX-License-Identifier: MIT
//
// The second translation unit of test_random.c: products and sums may be joined in it.

#include "random_golden.h"

uint64_t random_hash_contracted(void) {
    return random_hash();
}
