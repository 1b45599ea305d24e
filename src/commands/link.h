// SPDX-License-Identifier: MIT
//
// Places in lists, which may be none, and lists whose places are found by a key.

#pragma once

#include "base/list.h"

/// A place in a list, or none; {0} is none.
typedef struct oxi_link {
    uint32_t number;
} oxi_link;

static inline oxi_link oxi_link_to(size_t place) {
    OXI_ASSERT(place < UINT32_MAX);
    return (oxi_link){(uint32_t)place + 1};
}

/// The place, or UINT32_MAX for none.
static inline uint32_t oxi_link_place(oxi_link link) {
    return link.number - 1;
}

/// The places of a list by key. {0} is empty.
typedef struct oxi_link_index {
    OXI_LIST(uint64_t) keys;  ///< by place
    OXI_LIST(oxi_link) slots; ///< open addressing, a power of two, at most half is taken
} oxi_link_index;

/// The place of a key, or none.
oxi_link oxi_link_find(const oxi_link_index *index, uint64_t key);

/// Gives a key that is not there the place after all others. @return false when out of memory.
bool oxi_link_add(oxi_link_index *index, uint64_t key);

/// Forgets all keys, and keeps the memory; or frees it.
void oxi_links_clear(oxi_link_index *index);
void oxi_links_free(oxi_link_index *index);
