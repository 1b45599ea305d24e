// SPDX-License-Identifier: MIT
//
// The third translation unit of test_random.c, in C++.

#include "random_golden.h"

uint64_t random_hash_cpp(void) {
    return random_hash();
}
