// SPDX-License-Identifier: MIT
//
// Announces views and lookups to the scanner of structs, as containers/announced.c does containers.

#include "oxbow/entity_jobs.h"
#include "oxbow/queries.h"

OX_CONTAINER(ox_view, access);
OX_CONTAINER(ox_lookup, access);

void oxi_view_types(void) {
}

void oxi_lookup_types(void) {
}
