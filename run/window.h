// SPDX-License-Identifier: MIT
//
// A scene in a window: window_sdl2.c where SDL2 was found, window_none.c elsewhere.

#pragma once

#include "options.h"

/// What `--help` says of keys and mouse, in lines.
extern const char *const window_keys;

/// Shows a scene until the window is closed, or for as long as was asked for. @return what the
/// program ends with.
int window_run(const options *asked);
