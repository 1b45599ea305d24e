// SPDX-License-Identifier: MIT
//
// Private: elements of containers. A container does not know the C type of its elements: it gets
// their size and, for numbers, their kind when it is created, and again with each call.
//
// Call everything here from any thread.

#pragma once

#include "oxbow/safety.h"

#include <string.h>

#if defined(__GNUC__)
#define OXI_INLINE      static inline __attribute__((always_inline))
#define OXI_LIKELY(x)   __builtin_expect((x) != 0, 1)
#define OXI_UNLIKELY(x) __builtin_expect((x) != 0, 0)
#else
#define OXI_INLINE      static inline
#define OXI_LIKELY(x)   (x)
#define OXI_UNLIKELY(x) (x)
#endif

enum {
    OX_MAX_ELEMENT_SIZE = 65536, ///< the largest element of a container, in bytes
    OX_MAX_ELEMENT_ALIGN = 4096, ///< the largest alignment of an element
};

/// Size and kind of an element in one number: kind << 27 | size. Kinds: 0 a struct, a pointer or
/// plain char, 1 signed, 2 unsigned, 3 floating, 4 bool.
typedef uint32_t ox_element;

/// The elements of a new container.
typedef struct ox_element_info {
    const char *name; ///< the type as written: "float"
    ox_element element;
    uint32_t align;
} ox_element_info;

/// The bits of an ox_element that are its size.
#define OXI_ELEMENT_SIZE_MASK ((1u << 27) - 1)

/// The element number of a type: ox_element_of(float).
#define ox_element_of(T) ((ox_element)(sizeof(T) | (size_t)OXI_ELEMENT_KIND(T) << 27))

/// The argument of a creating call: ox_element_info_of(float).
#define ox_element_info_of(T) (oxi_element_info(#T, ox_element_of(T), (uint32_t)OXI_ALIGNOF(T)))

/// Returns true if elements `asked` may be used for `stored`: the same size, and not two different
/// kinds of number.
static inline bool oxi_element_fits(ox_element stored, ox_element asked) {
    uint32_t difference = stored ^ asked;
    return difference == 0 ||
           ((difference & OXI_ELEMENT_SIZE_MASK) == 0 && (stored >> 27 == 0 || asked >> 27 == 0));
}

/// Links the unit that declares the types of all containers.
OX_API void oxi_container_types(void);
OXI_NEEDS_UNIT(element, oxi_container_types);

/// Returns OX_MAX_ELEMENT_SIZE zero bytes: the result of reading calls after a report.
OX_API const void *oxi_element_zeros(void);

/// Returns scratch memory of this thread: the result of editing calls after a report.
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

/// The part of each element that is in a slice.
typedef struct oxi_slice_field {
    ox_element whole; ///< the element that the slice has
    ox_element part;
    uint32_t align;
    size_t offset; ///< of the field in the element
    size_t size;   ///< of the field, at least that of the part
} oxi_slice_field;

static inline oxi_slice_field oxi_slice_part(ox_element_info part, ox_element whole, size_t offset,
                                             size_t size) {
    oxi_slice_field result = {whole, part.element, part.align, offset, size};
    return result;
}

// A pointer that must point to T. There is no cast, so the compiler checks it.
#ifdef __cplusplus
#define OXI_POINTER(T, pointer) (static_cast<T *>(pointer))
#else
#define OXI_POINTER(T, pointer) ((T *){pointer})
#endif

// The offset of a member of a type that is not an identifier, such as __typeof__(x).
#define OXI_OFFSETOF(T, member) offsetof(T, member)
