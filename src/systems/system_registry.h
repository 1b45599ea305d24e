// SPDX-License-Identifier: MIT
//
// Systems that were announced, of the whole process.

#pragma once

#include "oxbow/systems.h"

/// The def of that name, or NULL.
const ox_system_def *oxi_registry_find(const char *name);

/// The first def, by name; then the one behind `def`. NULL at the end.
const ox_system_def *oxi_registry_next(const ox_system_def *def);

/// How far two names are apart: letters to put in, take out or change; two that changed places
/// count as one. Long names count as far.
int oxi_name_distance(const char *a, const char *b);
