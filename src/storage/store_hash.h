// SPDX-License-Identifier: MIT
//
// Two hashes of a store. Neither looks at chunk ids, addresses, padding, OX_UNOWNED pointers or
// names of entities, and neither depends on holes.

#pragma once

#include "storage/store.h"

/// Of what is there: the entities, their components and values, in whatever order they lie.
uint64_t oxi_store_hash(const oxi_store *store);

/// Of how it lies, too: archetypes, chunks and rows in order, which chunks take new rows, and which
/// ids are given next.
uint64_t oxi_store_layout_hash(const oxi_store *store);
