// SPDX-License-Identifier: MIT
//
// Random numbers from a seed: the same seed gives the same numbers on every machine and in every
// version of the library; a test holds them. Not for secrets.
//
// The state belongs to the caller, and there is no other: two states never disturb each other. One
// thread at a time may use a state.

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A generator. Make it with oxi_random_seed; a zeroed one only ever gives 0. Copying it copies its
/// future.
typedef struct oxi_random {
    uint64_t words[4];
} oxi_random;

/// A generator for `seed`. Any seed will do: near ones give unrelated numbers.
oxi_random oxi_random_seed(uint64_t seed);

/// 64 random bits.
uint64_t oxi_random_next_u64(oxi_random *random);

/// A number from 0 to `limit` - 1, each as likely as any other. `limit` must not be 0.
uint64_t oxi_random_below(oxi_random *random, uint64_t limit);

/// A number from `first` to `last`, both included, each as likely as any other. `first` must not be
/// greater than `last`.
int64_t oxi_random_range(oxi_random *random, int64_t first, int64_t last);

/// A number from 0 up to, but not including, 1. Each multiple of 2^-24 is as likely as any other.
float oxi_random_float01(oxi_random *random);

/// The same in multiples of 2^-53.
double oxi_random_double01(oxi_random *random);

/// True or false, as a fair coin falls.
bool oxi_random_bool(oxi_random *random);
