// SPDX-License-Identifier: MIT
//
// Announces commands and transactions to the scanner of structs, as containers/announced.c does
// containers; and archetypes, which jobs that record hold beside them.

#include "oxbow/commands.h"
#include "oxbow/world.h"

OX_CONTAINER(ox_commands, access);
OX_CONTAINER(ox_transaction, access);
OX_EXTERN_STRUCT(ox_archetype);

void oxi_command_types(void) {
}

void oxi_transaction_types(void) {
}
