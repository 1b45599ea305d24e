// SPDX-License-Identifier: MIT
//
// A scene in a window: window_sdl2.c where SDL2 was found, window_none.c elsewhere.

#pragma once

#include "options.h"

/// Shows a scene until the window is closed. @return what the program ends with.
int window_run(const options *asked);
