// SPDX-License-Identifier: MIT
//
// The types that are always known, under the names that struct texts use: C's own, with the sizes
// of the compiler, the vectors of oxbow/vector.h, and ox_random.

#include "base/types.h"

#include "oxbow/vector.h"

#include <string.h>

#define C_TYPE(T, scalar)                                                                          \
    {                                                                                              \
#T, NULL, NULL, NULL, sizeof(T), _Alignof(T), OX_VERSION, OX_SCALAR_##scalar, NULL, 0,     \
            NULL, NULL                                                                             \
    }
#define C_INTEGERS(bits)                                                                           \
    C_TYPE(int##bits##_t, SIGNED), C_TYPE(uint##bits##_t, UNSIGNED),                               \
        C_TYPE(int_least##bits##_t, SIGNED), C_TYPE(uint_least##bits##_t, UNSIGNED),               \
        C_TYPE(int_fast##bits##_t, SIGNED), C_TYPE(uint_fast##bits##_t, UNSIGNED)

// Whether char has a sign is the platform's choice.
#define CHAR_SCALAR ((char)-1 < 0 ? OX_SCALAR_SIGNED : OX_SCALAR_UNSIGNED)

#define VECTOR_TYPE(T, text)                                                                       \
    {                                                                                              \
#T, text, NULL, NULL, sizeof(T), _Alignof(T), OX_VERSION, OX_SCALAR_NONE, NULL, 0, NULL,   \
            NULL                                                                                   \
    }

static const ox_type c_types[] = {
    {"char", NULL, NULL, NULL, 1, 1, OX_VERSION, CHAR_SCALAR, NULL, 0, NULL, NULL},
    {"bool", NULL, NULL, NULL, sizeof(bool), _Alignof(bool), OX_VERSION, OX_SCALAR_BOOL, NULL, 0,
     NULL, NULL},
    {"_Bool", NULL, NULL, NULL, sizeof(bool), _Alignof(bool), OX_VERSION, OX_SCALAR_BOOL, NULL, 0,
     NULL, NULL},
    C_TYPE(signed char, SIGNED),
    C_TYPE(unsigned char, UNSIGNED),
    C_TYPE(short, SIGNED),
    C_TYPE(unsigned short, UNSIGNED),
    C_TYPE(int, SIGNED),
    C_TYPE(unsigned int, UNSIGNED),
    C_TYPE(long, SIGNED),
    C_TYPE(unsigned long, UNSIGNED),
    C_TYPE(long long, SIGNED),
    C_TYPE(unsigned long long, UNSIGNED),
    C_TYPE(float, FLOAT),
    C_TYPE(double, FLOAT),
    C_TYPE(long double, FLOAT),
    C_INTEGERS(8),
    C_INTEGERS(16),
    C_INTEGERS(32),
    C_INTEGERS(64),
    C_TYPE(intmax_t, SIGNED),
    C_TYPE(uintmax_t, UNSIGNED),
    C_TYPE(intptr_t, SIGNED),
    C_TYPE(uintptr_t, UNSIGNED),
    C_TYPE(ptrdiff_t, SIGNED),
    C_TYPE(size_t, UNSIGNED),
    VECTOR_TYPE(ox_float2, "{ float x, y; }"),
    VECTOR_TYPE(ox_float3, "{ float x, y, z; }"),
    VECTOR_TYPE(ox_float4, "{ float x, y, z, w; }"),
    VECTOR_TYPE(ox_quat, "{ float x, y, z, w; }"),
    // Its header belongs to an upper module; types/random.c makes sure that size and alignment fit.
    {"ox_random", "{ uint64_t seed, stream, position; uint32_t numbers[4]; }", NULL, NULL, 40,
     _Alignof(uint64_t), OX_VERSION, OX_SCALAR_NONE, NULL, 0, NULL, NULL},
};

const ox_type *oxi_c_type_find(const char *name, size_t length) {
    for (size_t k = 0; k < sizeof c_types / sizeof c_types[0]; k++) {
        if (strlen(c_types[k].name) == length && memcmp(c_types[k].name, name, length) == 0) {
            return &c_types[k];
        }
    }
    return NULL;
}

bool oxi_c_scalar_exists(ox_scalar scalar, size_t size) {
    for (size_t k = 0; k < sizeof c_types / sizeof c_types[0]; k++) {
        if (c_types[k].scalar == scalar && c_types[k].size == size) {
            return true;
        }
    }
    return false;
}
