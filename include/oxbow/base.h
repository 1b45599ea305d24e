// SPDX-License-Identifier: MIT
//
// What every header of Oxbow stands on: the version, the safety level, and the caller's place.
//
// Everything here may be used from any thread.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oxbow/detail/macros.h"

// Reservations and packed words are made for addresses of 64 bits, and nothing was run on others.
#if UINTPTR_MAX < UINT64_MAX && !defined(OX_ALLOW_32BIT)
#error "Oxbow runs on 64-bit targets. Define OX_ALLOW_32BIT to try it on a smaller one, untested."
#endif

// Version 0.2.0. Header and library fit when major and minor agree.
#define OX_VERSION_MAJOR 0
#define OX_VERSION_MINOR 2
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
