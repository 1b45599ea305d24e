// SPDX-License-Identifier: MIT
//
// What every header of Oxbow stands on: the version, the safety level, and the caller's place.
//
// Everything here may be used from any thread.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <initializer_list>
#endif

// Reservations and packed words are made for addresses of 64 bits, and nothing was run on others.
#if UINTPTR_MAX < UINT64_MAX && !defined(OX_ALLOW_32BIT)
#error "Oxbow runs on 64-bit targets. Define OX_ALLOW_32BIT to try it on a smaller one, untested."
#endif

// Version 0.1.0. Header and library fit when major and minor agree.
#define OX_VERSION_MAJOR 0
#define OX_VERSION_MINOR 1
#define OX_VERSION_PATCH 0

/// The version of these headers as one number: 1,000,000 x major + 1,000 x minor + patch.
#define OX_VERSION (OX_VERSION_MAJOR * 1000000 + OX_VERSION_MINOR * 1000 + OX_VERSION_PATCH)

/// How much is checked in this file. 0 release: cheap checks on rare calls. 1: every check of use.
/// 2: also the library's own assertions. 3: also whole-structure validation after each change.
/// It decides which inline checks are compiled here; the library has a level of its own, and files
/// and libraries of different levels link and run together.
#ifndef OX_SAFETY
#ifdef NDEBUG
#define OX_SAFETY 0
#else
#define OX_SAFETY 2
#endif
#endif

// An exported C function. It carries `extern "C"`, so headers need no brace block.
#ifdef __cplusplus
#define OXI_EXTERN extern "C"
#else
#define OXI_EXTERN extern
#endif
#if defined(__GNUC__)
#define OX_API OXI_EXTERN __attribute__((visibility("default")))
#else
#define OX_API OXI_EXTERN
#endif

/// A place in a source file, as one string literal such as "game.c:88". One pointer, so passing it
/// costs one instruction. NULL is allowed and means that the place is not known.
typedef const char *ox_site;

/// The place where this macro stands. Every function that can report takes such a place as its last
/// argument: `ox_x(...)` is a macro that calls `ox_x_at(..., OX_HERE)`. Of a call over several
/// lines it is the first with gcc, the last with clang. Define OX_NO_SITES to keep file names out
/// of your program.
#ifdef OX_NO_SITES
#define OX_HERE ((ox_site)NULL)
#else
#define OX_HERE __FILE__ ":" OXI_TEXT(__LINE__)
#endif

/// The version of the library that is linked, as a number like OX_VERSION.
OX_API uint32_t ox_get_version(void);

/// The OX_SAFETY level that the linked library was compiled with, 0 to 3.
OX_API int ox_get_safety_level(void);

/// Tells whether the library that is linked fits headers of version `header_version`. When it does
/// not, that is reported as an error.
OX_API bool ox_version_check_at(uint32_t header_version, ox_site site);

/// Tells whether the linked library fits the headers this file was compiled with. Call it once at
/// the start of a program that loads Oxbow as a shared library.
#define ox_version_check() ox_version_check_at(OX_VERSION, OX_HERE)

// The few preprocessor tools that the macros of all headers are made with. Not for use outside.

#define OXI_TEXT(...)    OXI_TEXT_(__VA_ARGS__)
#define OXI_TEXT_(...)   #__VA_ARGS__
#define OXI_PASTE(a, b)  OXI_PASTE_(a, b)
#define OXI_PASTE_(a, b) a##b
#define OXI_UNPACK(...)  __VA_ARGS__

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

// OXI_COUNT is how many arguments there are, 1 to 16; OXI_EACH(M, a, b) is M(a) M(b).
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

// Scanned structs and the fields of defs take every enum for an int: with shorter ones, what
// follows an enum would be read at a wrong place.
typedef enum oxi_enum_probe { OXI_ENUM_PROBE = 0 } oxi_enum_probe;
OXI_STATIC_ASSERT(sizeof(oxi_enum_probe) == sizeof(int),
                  "Oxbow needs enums as large as int: compile without -fshort-enums");

// A word that other threads write, for inline code of headers; the library has base/atomics.h.
#if defined(__GNUC__)
#define OXI_LOAD_ACQUIRE(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#else
#define OXI_LOAD_ACQUIRE(word) (*(const volatile uint32_t *)(word))
#endif

#if defined(__GNUC__)
#define OXI_UNUSED   __attribute__((unused))
#define OXI_NOINLINE __attribute__((noinline))
#else
#define OXI_UNUSED
#define OXI_NOINLINE
#endif

// Makes the linker take the unit that defines `function` out of a static library, for what the unit
// does before main; nobody calls the function. `header` is the file that needs it.
#if defined(__GNUC__)
#define OXI_NEEDS_UNIT(header, function)                                                           \
    __attribute__((used)) static void (*const oxi_unit_of_##header)(void) = function
#else
#define OXI_NEEDS_UNIT(header, function) OXI_STATIC_ASSERT(sizeof(&function) > 0, #header)
#endif

// Asks for the line of an address ahead of its use. Any address may be given.
#if defined(__GNUC__)
#define OXI_PREFETCH(address) __builtin_prefetch(address)
#else
#define OXI_PREFETCH(address) ((void)(address))
#endif

// Code that runs before main. It may link static descriptors into lists and nothing else: hooks are
// not set yet, so nothing may allocate. With OX_NO_CONSTRUCTORS, types are registered by hand.
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
