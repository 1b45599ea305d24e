// SPDX-License-Identifier: MIT
//
// Private: preprocessor tools for the macros of all headers.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <initializer_list>
#endif

#define OXI_TEXT(...)    OXI_TEXT_(__VA_ARGS__)
#define OXI_TEXT_(...)   #__VA_ARGS__
#define OXI_PASTE(a, b)  OXI_PASTE_(a, b)
#define OXI_PASTE_(a, b) a##b
#define OXI_UNPACK(...)  __VA_ARGS__

// OXI_IS_ALONE is 1 for one argument and 0 for any larger number: the second argument is OXI_END
// only if there was no other, and a call of OXI_END has 1 as its second argument.
#define OXI_FIRST(first, ...)             first
#define OXI_SECOND(...)                   OXI_SECOND_(__VA_ARGS__, 0, ~)
#define OXI_SECOND_(first, second, ...)   second
#define OXI_END()                         ~, 1
#define OXI_IS_ALONE(...)                 OXI_IS_ALONE_(__VA_ARGS__, OXI_END, ~)
#define OXI_IS_ALONE_(first, second, ...) OXI_SECOND(second())

// OXI_VALUE is a pointer to a value that lives until the end of the statement; its argument may be
// a braced initialiser or an expression. OXI_ARRAY and OXI_LENGTH are a list of such.
#ifdef __cplusplus
template <class T> inline const T *oxi_value(const T &value) {
    return &value;
}
template <class T> inline const T *oxi_array(std::initializer_list<T> list) {
    return list.begin();
}
template <class T, size_t count> char (&oxi_length(const T (&list)[count]))[count];
#define OXI_VALUE(T, ...)  (__extension__ oxi_value<T>(__VA_ARGS__))
#define OXI_ARRAY(T, ...)  (oxi_array<T>({__VA_ARGS__}))
#define OXI_LENGTH(T, ...) ((int)sizeof(oxi_length<T>({__VA_ARGS__})))
#define OXI_BRACED(T, ...) (T{__VA_ARGS__})
#else
#define OXI_VALUE(T, ...)  ((T[1]){__VA_ARGS__})
#define OXI_ARRAY(T, ...)  ((T[]){__VA_ARGS__})
#define OXI_LENGTH(T, ...) ((int)(sizeof((T[]){__VA_ARGS__}) / sizeof(T)))
#define OXI_BRACED(T, ...) ((T){__VA_ARGS__})
#endif

// OXI_COUNT is the number of arguments, 1 to 16; OXI_EACH(M, a, b) is M(a) M(b).
// clang-format off
#define OXI_COUNT(...) \
    OXI_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define OXI_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count
#define OXI_EACH(M, ...) OXI_PASTE(OXI_EACH_, OXI_COUNT(__VA_ARGS__))(M, __VA_ARGS__)
#define OXI_EACH_1(M, a) M(a)
#define OXI_EACH_2(M, a, ...) M(a) OXI_EACH_1(M, __VA_ARGS__)
#define OXI_EACH_3(M, a, ...) M(a) OXI_EACH_2(M, __VA_ARGS__)
#define OXI_EACH_4(M, a, ...) M(a) OXI_EACH_3(M, __VA_ARGS__)
#define OXI_EACH_5(M, a, ...) M(a) OXI_EACH_4(M, __VA_ARGS__)
#define OXI_EACH_6(M, a, ...) M(a) OXI_EACH_5(M, __VA_ARGS__)
#define OXI_EACH_7(M, a, ...) M(a) OXI_EACH_6(M, __VA_ARGS__)
#define OXI_EACH_8(M, a, ...) M(a) OXI_EACH_7(M, __VA_ARGS__)
#define OXI_EACH_9(M, a, ...) M(a) OXI_EACH_8(M, __VA_ARGS__)
#define OXI_EACH_10(M, a, ...) M(a) OXI_EACH_9(M, __VA_ARGS__)
#define OXI_EACH_11(M, a, ...) M(a) OXI_EACH_10(M, __VA_ARGS__)
#define OXI_EACH_12(M, a, ...) M(a) OXI_EACH_11(M, __VA_ARGS__)
#define OXI_EACH_13(M, a, ...) M(a) OXI_EACH_12(M, __VA_ARGS__)
#define OXI_EACH_14(M, a, ...) M(a) OXI_EACH_13(M, __VA_ARGS__)
#define OXI_EACH_15(M, a, ...) M(a) OXI_EACH_14(M, __VA_ARGS__)
#define OXI_EACH_16(M, a, ...) M(a) OXI_EACH_15(M, __VA_ARGS__)
// clang-format on

#ifdef __cplusplus
#define OXI_ALIGNOF(T)    alignof(T)
#define OXI_STATIC_ASSERT static_assert
#else
#define OXI_ALIGNOF(T)    _Alignof(T)
#define OXI_STATIC_ASSERT _Static_assert
#endif

// OXI_IS_BRACE is true if the text of an argument begins with a brace, as far as the compiler can
// decide it.
#if defined(__GNUC__)
#define OXI_IS_BRACE(text) (__builtin_memcmp(text, "{", 1) == 0)
#else
#define OXI_IS_BRACE(text) (sizeof(text) == 0)
#endif

// OXI_CHECKED is a value if `condition` holds, else a compile error with a sentence. OXI_HOLDS is 1
// or that error, and may also be in an initialiser of a static variable. There C++ cannot show the
// sentence; its error names the line with the sentence.
#ifdef __cplusplus
template <bool holds> constexpr bool oxi_holds(const char *) {
    static_assert(holds, "Oxbow refuses this line; its macro says why");
    return true;
}
#define OXI_HOLDS(condition, sentence) (oxi_holds<(condition)>(sentence))
#else
#define OXI_HOLDS(condition, sentence)                                                             \
    (sizeof(struct {                                                                               \
         _Static_assert(condition, sentence);                                                      \
         char oxi_one;                                                                             \
     }) != 0)
#endif
#if defined(__cplusplus) && defined(__GNUC__)
#define OXI_CHECKED(condition, sentence, ...)                                                      \
    (__extension__({ static_assert(condition, sentence); }), __VA_ARGS__)
#else
#define OXI_CHECKED(condition, sentence, ...) ((void)OXI_HOLDS(condition, sentence), __VA_ARGS__)
#endif

// Scanned structs and the fields of defs assume that every enum has the size of int: with shorter
// ones, the offsets after an enum would be wrong.
typedef enum oxi_enum_probe { OXI_ENUM_PROBE = 0 } oxi_enum_probe;
OXI_STATIC_ASSERT(sizeof(oxi_enum_probe) == sizeof(int),
                  "Oxbow needs enums as large as int: compile without -fshort-enums");

// Atomic words for inline code of headers; the library has base/atomics.h.
#if defined(__GNUC__)
#define OXI_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#else
#define OXI_LOAD_ACQUIRE(word) (*(const volatile uint32_t *)(word))
#endif

#if defined(__GNUC__)
#define OXI_UNUSED       __attribute__((unused))
#define OXI_NOINLINE     __attribute__((noinline))
#define OXI_FORCE_INLINE __attribute__((unused, always_inline)) static inline
#else
#define OXI_UNUSED
#define OXI_NOINLINE
#define OXI_FORCE_INLINE static inline
#endif

// Makes the linker take the unit that defines `function` from a static library, for its code before
// main. The function is never called. `header` is the file that needs it.
#if defined(__GNUC__)
#define OXI_NEEDS_UNIT(header, function)                                                           \
    __attribute__((used)) static void (*const oxi_unit_of_##header)(void) = function
#else
#define OXI_NEEDS_UNIT(header, function) OXI_STATIC_ASSERT(sizeof(&function) > 0, #header)
#endif

// Prefetches the cache line of an address. Any address is allowed.
#if defined(__GNUC__)
#define OXI_PREFETCH(address) __builtin_prefetch(address)
#else
#define OXI_PREFETCH(address) ((void)(address))
#endif

// Code that runs before main. It may only link static descriptors into lists: hooks are not set
// yet, so nothing may allocate. With OX_NO_CONSTRUCTORS, the program registers types by hand.
#if defined(OX_NO_CONSTRUCTORS)
#define OXI_AT_START(function) OXI_UNUSED static void function(void)
#elif defined(__GNUC__)
#define OXI_AT_START(function) __attribute__((constructor)) static void function(void)
#elif defined(__cplusplus)
#define OXI_AT_START(function)                                                                     \
    static void function(void);                                                                    \
    static const int function##_ran = (function(), 0);                                             \
    static void function(void)
#else
#define OXI_AT_START(function) OXI_UNUSED static void function(void)
#endif
