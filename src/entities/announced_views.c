// SPDX-License-Identifier: MIT
//
// Announces views and lookups to the scanner of structs, as containers/announced.c does containers.

#include "oxbow/lookups.h"
#include "oxbow/views.h"

OX_CONTAINER(ox_view, access);
OX_CONTAINER(ox_lookup, access);

void ox_view_types(void) {
}

void ox_lookup_types(void) {
}
