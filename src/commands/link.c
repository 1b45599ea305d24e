// SPDX-License-Identifier: MIT
//
// Finding places by key, with linear probing.

#include "commands/link.h"

#include "base/hash.h"

enum { LEAST_LINK_SLOTS = 16 };

static oxi_link *find_link_slot(const oxi_link_index *index, uint64_t key) {
    size_t mask = index->slots.count - 1;
    OXI_ASSERT(index->keys.count <= mask); // or probing would not end
    size_t at = oxi_hash_mix(key) & mask;
    while (index->slots.items[at].number != 0 &&
           index->keys.items[oxi_link_place(index->slots.items[at])] != key) {
        at = (at + 1) & mask;
    }
    return &index->slots.items[at];
}

oxi_link oxi_link_find(const oxi_link_index *index, uint64_t key) {
    return index->keys.count > 0 ? *find_link_slot(index, key) : (oxi_link){0};
}

bool oxi_link_add(oxi_link_index *index, uint64_t key) {
    size_t size = index->slots.count;
    OXI_ASSERT(oxi_link_find(index, key).number == 0);
    if ((index->keys.count + 1) * 2 > size) {
        if (!oxi_list_resize(&index->slots, size == 0 ? LEAST_LINK_SLOTS : size * 2)) {
            return false;
        }
        memset(index->slots.items, 0, index->slots.count * sizeof(oxi_link));
        for (size_t k = 0; k < index->keys.count; k++) {
            *find_link_slot(index, index->keys.items[k]) = oxi_link_to(k);
        }
    }
    if (!oxi_list_push(&index->keys, key)) {
        return false;
    }
    *find_link_slot(index, key) = oxi_link_to(index->keys.count - 1);
    return true;
}

void oxi_links_clear(oxi_link_index *index) {
    if (index->keys.count > 0) {
        oxi_list_clear(&index->keys);
        memset(index->slots.items, 0, index->slots.count * sizeof(oxi_link));
    }
}

void oxi_links_free(oxi_link_index *index) {
    oxi_list_free(&index->keys);
    oxi_list_free(&index->slots);
}
