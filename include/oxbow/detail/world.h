// SPDX-License-Identifier: MIT
//
// Private: what a program that knows transactions must link.

#pragma once

#include "oxbow/world.h"

/// Defined where the type of transactions is announced.
OX_API void oxi_transaction_types(void);
OXI_NEEDS_UNIT(transactions, oxi_transaction_types);
