// SPDX-License-Identifier: MIT
//
// How far two cores are from each other. A virtual machine's host moves its cores: then a word
// takes 40 or 200 ns from one to the other, for seconds at a time, and what two threads do together
// takes two to four times as long.

#pragma once

#include <stdbool.h>

/// Nanoseconds that a word takes from one core to another; 0 with one core.
double bench_probe_cores(void);

/// True when that is near: below 100 ns.
bool bench_is_near(double ns);
