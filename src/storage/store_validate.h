// SPDX-License-Identifier: MIT
//
// Looks at every invariant of a store.

#pragma once

#include "storage/store.h"

/// What is broken, as a sentence, or NULL. Changes nothing.
const char *oxi_store_validate(const oxi_store *store);
