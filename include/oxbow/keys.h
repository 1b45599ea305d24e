// SPDX-License-Identifier: MIT
//
// Keys of maps and multimaps: what creating calls are told of them.
//
// Keys are compared byte by byte, so none of their bytes may be padding: such bytes have no defined
// value. The compiler tells of them where it can; of structs that were declared with OX_STRUCT the
// library knows by itself. Any thread may use what is here.

#pragma once

#include "oxbow/table.h"

/// The types of a map's keys and values, as creating calls pass them.
typedef struct oxi_map_type_pair {
    ox_element_info key;
    ox_element_info value;
    bool key_has_padding; ///< as far as the compiler tells
} oxi_map_type_pair;

/// Both types at once: oxi_map_type_pair_of(int, float).
#define oxi_map_type_pair_of(K, V)                                                                 \
    (oxi_map_types(ox_element_info_of(K), ox_element_info_of(V), OXI_KEY_HAS_PADDING(K)))

static inline oxi_map_type_pair oxi_map_types(ox_element_info key, ox_element_info value,
                                              bool key_has_padding) {
    oxi_map_type_pair types = {key, value, key_has_padding};
    return types;
}

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define OXI_KEY_HAS_PADDING(K)                                                                     \
    (__extension__({                                                                               \
        K oxi_key;                                                                                 \
        memset((void *)&oxi_key, 0xff, sizeof oxi_key);                                            \
        __builtin_clear_padding(&oxi_key);                                                         \
        oxi_has_cleared(&oxi_key, sizeof oxi_key);                                                 \
    }))
#endif
#endif
#ifndef OXI_KEY_HAS_PADDING
#define OXI_KEY_HAS_PADDING(K) false
#endif

/// True when some of these bytes are not all ones.
static inline bool oxi_has_cleared(const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t k = 0; k < size; k++) {
        if (at[k] != 0xff) {
            return true;
        }
    }
    return false;
}
