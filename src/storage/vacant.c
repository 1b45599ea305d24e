// SPDX-License-Identifier: MIT
//
// Rows that nobody is in may be so already: what is vacated is unlocked before it is filled.

#include "storage/vacant.h"

#if OX_SAFETY >= 2

// The values of rows in a column, and how many bytes they are.
static char *find_values(const oxi_column *column, oxi_rows rows, size_t *size) {
    *size = (size_t)rows.count * column->size;
    return oxi_chunk_address(rows.chunk) + column->offset + (size_t)rows.first * column->size;
}

void oxi_rows_vacate(const oxi_archetype *archetype, oxi_rows rows) {
    OXI_ASSERT(rows.first + rows.count <= archetype->capacity);
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        size_t size;
        char *values = find_values(&archetype->columns[k], rows, &size);
        oxi_unpoison(values, size);
        oxi_mark_freed(values, size);
    }
}

void oxi_chunk_vacate(const oxi_archetype *archetype, oxi_chunk chunk, uint32_t count) {
    oxi_rows_vacate(archetype, (oxi_rows){chunk, 0, count});
    oxi_forbid(oxi_chunk_address(chunk), OXI_CHUNK_SIZE);
}

#if defined(OXI_ASAN)

void oxi_rows_occupy(const oxi_archetype *archetype, oxi_rows rows) {
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        size_t size;
        char *values = find_values(&archetype->columns[k], rows, &size);
        oxi_unpoison(values, size);
    }
}

#endif

#endif
