// SPDX-License-Identifier: MIT
//
// Elements of containers. A container does not know the C type of its elements: the type is named
// at each call, and its size, and for numbers its kind, must be those of the container's creation.
//
//     ox_array hp = ox_array_create(float, 100, OX_TEMP_JOB);
//     ox_array_read(int, hp, 0);                     // a report: float is not int
//
// Any thread may use what is here.

#pragma once

#include "oxbow/safety.h"

enum {
    OX_MAX_ELEMENT_SIZE = 65536, ///< the largest element of a container, in bytes
    OX_MAX_ELEMENT_ALIGN = 4096, ///< the largest alignment of an element
};

/// Size and kind of an element in one number: kind << 27 | size. Kinds: 0 a struct, a pointer or
/// plain char, 1 signed, 2 unsigned, 3 floating, 4 bool.
typedef uint32_t ox_element;

/// What a container is told of its elements when it is created.
typedef struct ox_element_info {
    const char *name; ///< the type as written: "float"
    ox_element element;
    uint32_t align;
} ox_element_info;

/// The bits of an ox_element that are its size.
#define OXI_ELEMENT_SIZE_MASK ((1u << 27) - 1)

/// The element number of a type: ox_element_of(float).
#define ox_element_of(T) ((ox_element)(sizeof(T) | (size_t)OXI_ELEMENT_KIND(T) << 27))

/// What a creating call passes: ox_element_info_of(float).
#define ox_element_info_of(T) (oxi_element_info(#T, ox_element_of(T), (uint32_t)OXI_ALIGNOF(T)))

/// True when elements of kind `asked` may stand for `stored`: same size, and not two kinds of
/// number.
static inline bool oxi_element_fits(ox_element stored, ox_element asked) {
    uint32_t difference = stored ^ asked;
    return difference == 0 ||
           ((difference & OXI_ELEMENT_SIZE_MASK) == 0 && (stored >> 27 == 0 || asked >> 27 == 0));
}

/// Defined where the types of all containers are announced.
OX_API void ox_container_types(void);
OXI_NEEDS_UNIT(element, ox_container_types);

/// What reading calls return after a report: OX_MAX_ELEMENT_SIZE zero bytes.
OX_API const void *oxi_element_zeros(void);

/// What editing calls return after a report: memory of this thread that nobody reads.
OX_API void *oxi_element_scratch(void);

// How it is made.

static inline ox_element_info oxi_element_info(const char *name, ox_element element,
                                               uint32_t align) {
    ox_element_info info = {name, element, align};
    return info;
}

#ifdef __cplusplus
template <class T> struct oxi_kind {
    enum { value = 0 };
};
#define OXI_KIND_IS(T, kind)                                                                       \
    template <> struct oxi_kind<T> {                                                               \
        enum { value = kind };                                                                     \
    };
OXI_KIND_IS(signed char, 1)
OXI_KIND_IS(short, 1)
OXI_KIND_IS(int, 1)
OXI_KIND_IS(long, 1)
OXI_KIND_IS(long long, 1)
OXI_KIND_IS(unsigned char, 2)
OXI_KIND_IS(unsigned short, 2)
OXI_KIND_IS(unsigned int, 2)
OXI_KIND_IS(unsigned long, 2)
OXI_KIND_IS(unsigned long long, 2)
OXI_KIND_IS(float, 3)
OXI_KIND_IS(double, 3)
OXI_KIND_IS(long double, 3)
OXI_KIND_IS(bool, 4)
#undef OXI_KIND_IS
#define OXI_ELEMENT_KIND(T) oxi_kind<T>::value
#else
// clang-format off
#define OXI_ELEMENT_KIND(T) _Generic(*(T *)0,                                                      \
    signed char: 1, short: 1, int: 1, long: 1, long long: 1,                                       \
    unsigned char: 2, unsigned short: 2, unsigned int: 2, unsigned long: 2, unsigned long long: 2, \
    float: 3, double: 3, long double: 3, bool: 4, default: 0)
// clang-format on
#endif
