// SPDX-License-Identifier: MIT
//
// The table lies in reserved addresses of its own and is committed as it grows, so records never
// move.

#include "storage/entity_table.h"

enum { LEAST_ENTITIES = 4096 };

bool oxi_entity_table_create(oxi_entity_table *table, uint32_t limit) {
    *table = (oxi_entity_table){.first_free = (uint32_t)OXI_LAST_RECORD, .limit = limit};
    size_t wanted = (size_t)limit * sizeof(oxi_record);
    size_t least = LEAST_ENTITIES * sizeof(oxi_record);
    least = least < wanted ? least : wanted;
    if (!oxi_region_create(&table->region, wanted, least)) {
        return false;
    }
    size_t granted = table->region.reserved / sizeof(oxi_record);
    table->limit = granted < limit ? (uint32_t)granted : limit;
    table->records = (oxi_record *)(void *)table->region.base;
    return true;
}

void oxi_entity_table_destroy(oxi_entity_table *table) {
    oxi_region_destroy(&table->region);
    *table = (oxi_entity_table){0};
}

oxi_outcome oxi_entity_reserve(oxi_entity_table *table, uint32_t count) {
    uint32_t fresh = count > table->free_count ? count - table->free_count : 0;
    // Retired records count against the reservation, not against the limit of living ones.
    size_t room = table->region.reserved / sizeof(oxi_record);
    if (count > table->limit - table->alive || fresh > room - table->used) {
        return OXI_AT_LIMIT;
    }
    size_t size = ((size_t)table->used + fresh) * sizeof(oxi_record);
    return oxi_region_grow(&table->region, size) ? OXI_DONE : OXI_NO_MEMORY;
}

ox_entity oxi_entity_peek(const oxi_entity_table *table, uint32_t skipped) {
    uint32_t index = table->first_free;
    for (; index != (uint32_t)OXI_LAST_RECORD; index = table->records[index].row) {
        if (skipped-- == 0) {
            return (ox_entity){index, table->records[index].version};
        }
    }
    return (ox_entity){table->used + skipped, 1};
}
