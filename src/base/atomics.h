// SPDX-License-Identifier: MIT
//
// Atomic words, by the name of their memory order. The only atomics in the library: a test build
// replaces this file by one of its own (OXI_ATOMICS_HEADER), so that a model checker runs the real
// code, and OXI_YIELD_POINTS makes every operation a place where a test may switch threads.
//
// There are no fences, and none may be added: ThreadSanitizer does not understand them. Where a
// store must be seen before a later load of another word, both words' accesses are `_seq` on both
// sides.

#pragma once

#ifdef OXI_ATOMICS_HEADER
#include OXI_ATOMICS_HEADER
#else

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef _Atomic(uint32_t) oxi_atomic_u32;
typedef _Atomic(uint64_t) oxi_atomic_u64;
typedef _Atomic(int64_t) oxi_atomic_i64;
typedef _Atomic(void *) oxi_atomic_ptr;

#if defined(OXI_YIELD_POINTS) && OXI_YIELD_POINTS
/// Calls the hook that oxi_yield_set_hook set, if any. See base/substitute.h.
void oxi_yield_point(void);
#define OXI_YIELD() oxi_yield_point()
#else
#define OXI_YIELD() ((void)0)
#endif

/// Sets a word that no other thread sees yet.
#define oxi_atomic_init(word, value) atomic_init(word, value)

#define oxi_load_relaxed(word) (OXI_YIELD(), atomic_load_explicit(word, memory_order_relaxed))
#define oxi_load_acquire(word) (OXI_YIELD(), atomic_load_explicit(word, memory_order_acquire))
#define oxi_load_seq(word)     (OXI_YIELD(), atomic_load_explicit(word, memory_order_seq_cst))

#define oxi_store_relaxed(word, value)                                                             \
    (OXI_YIELD(), atomic_store_explicit(word, value, memory_order_relaxed))
#define oxi_store_release(word, value)                                                             \
    (OXI_YIELD(), atomic_store_explicit(word, value, memory_order_release))
#define oxi_store_seq(word, value)                                                                 \
    (OXI_YIELD(), atomic_store_explicit(word, value, memory_order_seq_cst))

// Each returns the value before.
#define oxi_exchange_acquire(word, value)                                                          \
    (OXI_YIELD(), atomic_exchange_explicit(word, value, memory_order_acquire))
#define oxi_exchange_acq_rel(word, value)                                                          \
    (OXI_YIELD(), atomic_exchange_explicit(word, value, memory_order_acq_rel))
#define oxi_exchange_seq(word, value)                                                              \
    (OXI_YIELD(), atomic_exchange_explicit(word, value, memory_order_seq_cst))
#define oxi_add_relaxed(word, value)                                                               \
    (OXI_YIELD(), atomic_fetch_add_explicit(word, value, memory_order_relaxed))
#define oxi_add_acq_rel(word, value)                                                               \
    (OXI_YIELD(), atomic_fetch_add_explicit(word, value, memory_order_acq_rel))
#define oxi_add_seq(word, value)                                                                   \
    (OXI_YIELD(), atomic_fetch_add_explicit(word, value, memory_order_seq_cst))
#define oxi_sub_acq_rel(word, value)                                                               \
    (OXI_YIELD(), atomic_fetch_sub_explicit(word, value, memory_order_acq_rel))

#define oxi_sub_seq(word, value)                                                                   \
    (OXI_YIELD(), atomic_fetch_sub_explicit(word, value, memory_order_seq_cst))
#define oxi_or_acq_rel(word, value)                                                                \
    (OXI_YIELD(), atomic_fetch_or_explicit(word, value, memory_order_acq_rel))
#define oxi_or_seq(word, value)                                                                    \
    (OXI_YIELD(), atomic_fetch_or_explicit(word, value, memory_order_seq_cst))
#define oxi_and_seq(word, value)                                                                   \
    (OXI_YIELD(), atomic_fetch_and_explicit(word, value, memory_order_seq_cst))

// Compare and swap: true when `word` was `*expected` and is now `desired`; else `*expected` is what
// it was. A failed one orders like an acquire load (relaxed: like a relaxed one).
#define oxi_swap_relaxed(word, expected, desired)                                                  \
    (OXI_YIELD(), atomic_compare_exchange_strong_explicit(                                         \
                      word, expected, desired, memory_order_relaxed, memory_order_relaxed))
#define oxi_swap_acq_rel(word, expected, desired)                                                  \
    (OXI_YIELD(), atomic_compare_exchange_strong_explicit(                                         \
                      word, expected, desired, memory_order_acq_rel, memory_order_acquire))
#define oxi_swap_seq(word, expected, desired)                                                      \
    (OXI_YIELD(), atomic_compare_exchange_strong_explicit(                                         \
                      word, expected, desired, memory_order_seq_cst, memory_order_seq_cst))

#endif
