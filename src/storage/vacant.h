// SPDX-License-Identifier: MIT
//
// Rows that nobody is in. From OX_SAFETY 2 on their values are filled with a pattern, and may not
// be touched under AddressSanitizer: a pointer into a row that moved or went reads what one
// recognises, and not a value that was right a moment ago. The column of entities is left as it is.

#pragma once

#include "base/poison.h"
#include "storage/store.h"

#if OX_SAFETY >= 2

/// Nobody is in these rows any more.
void oxi_rows_vacate(const oxi_archetype *archetype, oxi_rows rows);

/// Nobody is in a chunk any more, of which the first `count` rows were in use: for its archetype to
/// give back. Of its bytes none may be touched, those of entities included.
void oxi_chunk_vacate(const oxi_archetype *archetype, oxi_chunk chunk, uint32_t count);

#else

static inline void oxi_rows_vacate(const oxi_archetype *archetype, oxi_rows rows) {
    (void)archetype;
    (void)rows;
}

static inline void oxi_chunk_vacate(const oxi_archetype *archetype, oxi_chunk chunk,
                                    uint32_t count) {
    (void)archetype;
    (void)chunk;
    (void)count;
}

#endif

#if OX_SAFETY >= 2 && defined(OXI_ASAN)

/// These rows may be written, and then read.
void oxi_rows_occupy(const oxi_archetype *archetype, oxi_rows rows);

#else

static inline void oxi_rows_occupy(const oxi_archetype *archetype, oxi_rows rows) {
    (void)archetype;
    (void)rows;
}

#endif

/// A chunk that was given back is taken for any archetype.
static inline void oxi_chunk_occupy(oxi_chunk chunk) {
    oxi_unpoison(oxi_chunk_address(chunk), OXI_CHUNK_SIZE);
}
