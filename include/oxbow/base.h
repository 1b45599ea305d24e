// SPDX-License-Identifier: MIT
//
// The base of all headers: the version, the safety level, and source locations for reports.
//
// A call that can report is a macro `ox_x(...)` over a plain form `ox_x_at(..., ox_site site)`. The
// macro passes the source location of the caller; a function of your own takes it and passes it on:
//
//     bool load_at(const char *path, ox_site site) {
//         if (!ox_version_check_at(OX_VERSION, site)) { // a report names the caller of load
//             return false;
//         }
//         return read_file(path);
//     }
//     #define load(path) load_at(path, OX_HERE)
//
// Threads: call everything here from any thread.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oxbow/detail/macros.h"

// Address reservations and packed words assume 64-bit addresses. Other targets are untested.
#if UINTPTR_MAX < UINT64_MAX && !defined(OX_ALLOW_32BIT)
#error "Oxbow runs on 64-bit targets. Define OX_ALLOW_32BIT to try it on a smaller one, untested."
#endif

// Version 0.2.0. A header and a library are compatible if major and minor version are equal.
#define OX_VERSION_MAJOR 0
#define OX_VERSION_MINOR 2
#define OX_VERSION_PATCH 0

/// The version of these headers as one number: 1,000,000 x major + 1,000 x minor + patch.
#define OX_VERSION (OX_VERSION_MAJOR * 1000000 + OX_VERSION_MINOR * 1000 + OX_VERSION_PATCH)

/// How much this file checks. 0, release: cheap checks on rare calls. 1: every check of the
/// caller's mistakes. 2: also the library's own assertions. 3: also validation of whole structures
/// after each change. The level decides which inline checks this file compiles; the library has its
/// own level. Files and libraries of different levels link and run together.
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

/// A source location, as one string literal such as "game.c:88". It is a single pointer, so passing
/// it costs one instruction. NULL means that the location is not known.
typedef const char *ox_site;

/// The source location of this macro. Every function that can report takes one as its last
/// argument: `ox_x(...)` is a macro that calls `ox_x_at(..., OX_HERE)`. For a call over several
/// lines, gcc uses the first line and clang the last. Define OX_NO_SITES to keep file names out of
/// your program.
#ifdef OX_NO_SITES
#define OX_HERE ((ox_site)NULL)
#else
#define OX_HERE __FILE__ ":" OXI_TEXT(__LINE__)
#endif

/// Returns the version of the linked library, as a number like OX_VERSION.
OX_API uint32_t ox_get_version(void);

/// Returns the OX_SAFETY level that the linked library was compiled with, 0 to 3.
OX_API int ox_get_safety_level(void);

/// Returns true if the linked library is compatible with headers of version `header_version`.
/// Reports an error if it is not.
OX_API bool ox_version_check_at(uint32_t header_version, ox_site site);

/// Returns true if the linked library is compatible with the headers that this file was compiled
/// with. Call it once at the start of a program that loads Oxbow as a shared library.
#define ox_version_check() ox_version_check_at(OX_VERSION, OX_HERE)
