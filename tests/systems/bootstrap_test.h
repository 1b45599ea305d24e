// SPDX-License-Identifier: MIT
//
// What the files of the tests of registered systems share, in C and in C++.

#pragma once

#include "oxbow/systems.h"

OX_COMPONENT(Seen, { uint32_t count; });
OX_COMPONENT(Marked, { uint32_t count; });
OX_TAG(Unmarked);

/// Notes the update of a system.
OXI_EXTERN void note_update(ox_system *system);
