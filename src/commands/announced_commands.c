// SPDX-License-Identifier: MIT
//
// Announces commands and transactions to the scanner of structs, as containers/announced.c does
// containers.

#include "oxbow/commands.h"
#include "oxbow/world.h"

OX_CONTAINER(ox_commands, access);
OX_CONTAINER(ox_transaction, access);

void ox_command_types(void) {
}

void ox_transaction_types(void) {
}
