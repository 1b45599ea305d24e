// SPDX-License-Identifier: MIT
//
// Takes the place of base/atomics.h: the same words and operations, done by the model checker. Each
// place of the sources has a number of its own, by which its order can be weakened.

#pragma once

#include "model/model.h"

// The words are plain: memory has the newest store, so a scenario clears and reads it directly.
typedef uint32_t oxi_atomic_u32;
typedef uint64_t oxi_atomic_u64;
typedef int64_t oxi_atomic_i64;
typedef void *oxi_atomic_ptr;

typedef enum model_kind {
    MODEL_LOAD,
    MODEL_STORE,
    MODEL_EXCHANGE,
    MODEL_ADD,
    MODEL_SUB,
    MODEL_OR,
    MODEL_AND,
    MODEL_SWAP,
} model_kind;

/// Where an operation stands and what it is, see MODEL_AT.
typedef uint32_t model_place;

// The size is that of the word: 4 or 8. Each returns the value before, or read.
uint64_t model_load(const void *word, size_t size, model_place at, const char *function,
                    const char *text);
void model_store(void *word, size_t size, uint64_t value, model_place at, const char *function,
                 const char *text);
uint64_t model_change(void *word, size_t size, uint64_t value, model_place at, const char *function,
                      const char *text);
bool model_swap(void *word, size_t size, uint64_t *expected, uint64_t value, model_place at,
                const char *function, const char *text);
void model_init(void *word, size_t size, uint64_t value);

// The sites of a unit have numbers from here on.
#ifndef MODEL_FIRST_SITE
#define MODEL_FIRST_SITE 0
#endif

#define MODEL_AT(kind, order, text)                                                                \
    ((model_place)(MODEL_##kind | MODEL_##order << 4 | (MODEL_FIRST_SITE + __COUNTER__) << 8)),    \
        __func__, __FILE__ " " text

// One set of functions for each type of word; `bits` is an integer that holds it.
// long: five functions
#define MODEL_TYPE(suffix, type, bits)                                                             \
    static inline type model_load_##suffix(type const *word, model_place at, const char *function, \
                                           const char *text) {                                     \
        return (type)(bits)model_load(word, sizeof *word, at, function, text);                     \
    }                                                                                              \
    static inline void model_store_##suffix(type *word, type value, model_place at,                \
                                            const char *function, const char *text) {              \
        model_store(word, sizeof *word, (bits)value, at, function, text);                          \
    }                                                                                              \
    static inline type model_change_##suffix(type *word, type value, model_place at,               \
                                             const char *function, const char *text) {             \
        return (type)(bits)model_change(word, sizeof *word, (bits)value, at, function, text);      \
    }                                                                                              \
    static inline bool model_swap_##suffix(type *word, type *expected, type value, model_place at, \
                                           const char *function, const char *text) {               \
        uint64_t before = (bits)*expected;                                                         \
        bool swapped = model_swap(word, sizeof *word, &before, (bits)value, at, function, text);   \
        *expected = (type)(bits)before;                                                            \
        return swapped;                                                                            \
    }                                                                                              \
    static inline void model_init_##suffix(type *word, type value) {                               \
        model_init(word, sizeof *word, (bits)value);                                               \
    }

MODEL_TYPE(u32, uint32_t, uint32_t)
MODEL_TYPE(u64, uint64_t, uint64_t)
MODEL_TYPE(i64, int64_t, uint64_t)
MODEL_TYPE(ptr, void *, uintptr_t)

#define MODEL_CALL(what, word)                                                                     \
    _Generic(*(word), uint32_t                                                                     \
             : model_##what##_u32, uint64_t                                                        \
             : model_##what##_u64, int64_t                                                         \
             : model_##what##_i64, void *                                                          \
             : model_##what##_ptr)

#define oxi_atomic_init(word, value) MODEL_CALL(init, word)(word, value)

#define oxi_load_relaxed(word)                                                                     \
    MODEL_CALL(load, word)(word, MODEL_AT(LOAD, RELAXED, "oxi_load_relaxed(" #word ")"))
#define oxi_load_acquire(word)                                                                     \
    MODEL_CALL(load, word)(word, MODEL_AT(LOAD, ACQUIRE, "oxi_load_acquire(" #word ")"))
#define oxi_load_seq(word)                                                                         \
    MODEL_CALL(load, word)(word, MODEL_AT(LOAD, SEQ, "oxi_load_seq(" #word ")"))

#define oxi_store_relaxed(word, value)                                                             \
    MODEL_CALL(store, word)(word, value, MODEL_AT(STORE, RELAXED, "oxi_store_relaxed(" #word ")"))
#define oxi_store_release(word, value)                                                             \
    MODEL_CALL(store, word)(word, value, MODEL_AT(STORE, RELEASE, "oxi_store_release(" #word ")"))
#define oxi_store_seq(word, value)                                                                 \
    MODEL_CALL(store, word)(word, value, MODEL_AT(STORE, SEQ, "oxi_store_seq(" #word ")"))

#define oxi_exchange_relaxed(word, value)                                                          \
    MODEL_CALL(change, word)                                                                       \
    (word, value, MODEL_AT(EXCHANGE, RELAXED, "oxi_exchange_relaxed(" #word ")"))
#define oxi_exchange_acquire(word, value)                                                          \
    MODEL_CALL(change, word)                                                                       \
    (word, value, MODEL_AT(EXCHANGE, ACQUIRE, "oxi_exchange_acquire(" #word ")"))
#define oxi_exchange_release(word, value)                                                          \
    MODEL_CALL(change, word)                                                                       \
    (word, value, MODEL_AT(EXCHANGE, RELEASE, "oxi_exchange_release(" #word ")"))
#define oxi_exchange_acq_rel(word, value)                                                          \
    MODEL_CALL(change, word)                                                                       \
    (word, value, MODEL_AT(EXCHANGE, ACQ_REL, "oxi_exchange_acq_rel(" #word ")"))
#define oxi_exchange_seq(word, value)                                                              \
    MODEL_CALL(change, word)(word, value, MODEL_AT(EXCHANGE, SEQ, "oxi_exchange_seq(" #word ")"))
#define oxi_add_relaxed(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(ADD, RELAXED, "oxi_add_relaxed(" #word ")"))
#define oxi_add_acquire(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(ADD, ACQUIRE, "oxi_add_acquire(" #word ")"))
#define oxi_add_release(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(ADD, RELEASE, "oxi_add_release(" #word ")"))
#define oxi_add_acq_rel(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(ADD, ACQ_REL, "oxi_add_acq_rel(" #word ")"))
#define oxi_add_seq(word, value)                                                                   \
    MODEL_CALL(change, word)(word, value, MODEL_AT(ADD, SEQ, "oxi_add_seq(" #word ")"))
#define oxi_sub_relaxed(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(SUB, RELAXED, "oxi_sub_relaxed(" #word ")"))
#define oxi_sub_acquire(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(SUB, ACQUIRE, "oxi_sub_acquire(" #word ")"))
#define oxi_sub_release(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(SUB, RELEASE, "oxi_sub_release(" #word ")"))
#define oxi_sub_acq_rel(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(SUB, ACQ_REL, "oxi_sub_acq_rel(" #word ")"))
#define oxi_sub_seq(word, value)                                                                   \
    MODEL_CALL(change, word)(word, value, MODEL_AT(SUB, SEQ, "oxi_sub_seq(" #word ")"))
#define oxi_or_relaxed(word, value)                                                                \
    MODEL_CALL(change, word)(word, value, MODEL_AT(OR, RELAXED, "oxi_or_relaxed(" #word ")"))
#define oxi_or_acquire(word, value)                                                                \
    MODEL_CALL(change, word)(word, value, MODEL_AT(OR, ACQUIRE, "oxi_or_acquire(" #word ")"))
#define oxi_or_release(word, value)                                                                \
    MODEL_CALL(change, word)(word, value, MODEL_AT(OR, RELEASE, "oxi_or_release(" #word ")"))
#define oxi_or_acq_rel(word, value)                                                                \
    MODEL_CALL(change, word)(word, value, MODEL_AT(OR, ACQ_REL, "oxi_or_acq_rel(" #word ")"))
#define oxi_or_seq(word, value)                                                                    \
    MODEL_CALL(change, word)(word, value, MODEL_AT(OR, SEQ, "oxi_or_seq(" #word ")"))
#define oxi_and_relaxed(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(AND, RELAXED, "oxi_and_relaxed(" #word ")"))
#define oxi_and_acquire(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(AND, ACQUIRE, "oxi_and_acquire(" #word ")"))
#define oxi_and_release(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(AND, RELEASE, "oxi_and_release(" #word ")"))
#define oxi_and_acq_rel(word, value)                                                               \
    MODEL_CALL(change, word)(word, value, MODEL_AT(AND, ACQ_REL, "oxi_and_acq_rel(" #word ")"))
#define oxi_and_seq(word, value)                                                                   \
    MODEL_CALL(change, word)(word, value, MODEL_AT(AND, SEQ, "oxi_and_seq(" #word ")"))

#define oxi_swap_relaxed(word, expected, desired)                                                  \
    MODEL_CALL(swap, word)                                                                         \
    (word, expected, desired, MODEL_AT(SWAP, RELAXED, "oxi_swap_relaxed(" #word ")"))
#define oxi_swap_acq_rel(word, expected, desired)                                                  \
    MODEL_CALL(swap, word)                                                                         \
    (word, expected, desired, MODEL_AT(SWAP, ACQ_REL, "oxi_swap_acq_rel(" #word ")"))
#define oxi_swap_seq(word, expected, desired)                                                      \
    MODEL_CALL(swap, word)(word, expected, desired, MODEL_AT(SWAP, SEQ, "oxi_swap_seq(" #word ")"))
