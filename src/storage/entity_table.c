// SPDX-License-Identifier: MIT
//
// The table lies in reserved addresses of its own and is committed as it grows, so records never
// move.

#include "storage/entity_table.h"

#include "base/platform.h"

enum { LEAST_ENTITIES = 4096 };

bool oxi_entity_table_create(oxi_entity_table *table, uint32_t limit) {
    *table = (oxi_entity_table){.first_free = (uint32_t)OXI_LAST_RECORD, .limit = limit};
    size_t wanted = (size_t)limit * sizeof(oxi_record);
    size_t least = LEAST_ENTITIES * sizeof(oxi_record);
    least = least < wanted ? least : wanted;
    if (!oxi_region_create_in(&table->region, OXI_SHARE_ENTITIES, wanted, least)) {
        return false;
    }
    size_t granted = table->region.reserved / sizeof(oxi_record);
    table->is_cut = granted < limit;
    table->limit = table->is_cut ? (uint32_t)granted : limit;
    table->records = (oxi_record *)(void *)table->region.base;
    return true;
}

void oxi_entity_table_destroy(oxi_entity_table *table) {
    oxi_region_destroy(&table->region);
    *table = (oxi_entity_table){0};
}

oxi_outcome oxi_entity_reserve(oxi_entity_table *table, uint32_t count) {
    if (count <= table->ready) {
        return OXI_DONE;
    }
    uint32_t listed = oxi_entity_free_count(table);
    OXI_ASSERT(table->alive <= table->limit);
    uint32_t fresh = count > listed ? count - listed : 0;
    // Retired records count against the reservation, not against the limit of living ones.
    size_t room = table->region.reserved / sizeof(oxi_record);
    if (count > table->limit - table->alive || fresh > room - table->used) {
        return table->is_cut ? OXI_NO_MEMORY : OXI_AT_LIMIT;
    }
    if (!oxi_region_grow(&table->region, ((size_t)table->used + fresh) * sizeof(oxi_record))) {
        return OXI_NO_MEMORY;
    }
    size_t ready = table->region.committed / sizeof(oxi_record) - table->used + listed;
    uint32_t most = table->limit - table->alive;
    table->ready = ready < most ? (uint32_t)ready : most;
    return OXI_DONE;
}

void oxi_entity_touch(oxi_entity_table *table, uint32_t count) {
    size_t page = oxi_page_size(), end = ((size_t)table->used + count) * sizeof(oxi_record);
    end = end < table->region.committed ? end : table->region.committed;
    for (size_t at = (size_t)table->used * sizeof(oxi_record); at < end;) {
        *(volatile char *)(table->region.base + at) = 0; // records that were never used are zero
        at = (at / page + 1) * page;
    }
}

// Ids that were never used before, all of them, in one pass: three streams of writes, and nothing
// that has to be read but the old ids.
static void exchange_for_new(oxi_entity_table *to, oxi_entity_table *from, oxi_chunk chunk,
                             ox_entity *entities, uint32_t count) {
    oxi_record *restrict old = from->records, *restrict fresh = to->records + to->used;
    uint32_t first_free = from->first_free, used = to->used, retired = 0;
    OXI_ASSERT(to->ready >= count);
    OXI_ASSERT(from->alive >= count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t index = entities[k].index, version = entities[k].version + 1;
        OXI_ASSERT(old[index].version == entities[k].version);
        // The last version ends as 0, and the record in no list.
        old[index] = (oxi_record){version, 0, first_free};
        first_free = version != 0 ? index : first_free;
        retired += version == 0;
        fresh[k] = (oxi_record){1, chunk, k};
        entities[k] = (ox_entity){used + k, 1};
    }
    from->first_free = first_free;
    from->retired += retired;
    from->alive -= count;
    from->ready += count - retired;
    to->used += count;
    to->alive += count;
    to->ready -= count;
}

void oxi_entities_exchange(oxi_entity_table *to, oxi_entity_table *from, oxi_chunk chunk,
                           ox_entity *entities, uint32_t count) {
    if (to->first_free == (uint32_t)OXI_LAST_RECORD) {
        exchange_for_new(to, from, chunk, entities, count);
    } else {
        oxi_entities_free(from, entities, count);
        oxi_entities_take(to, chunk, entities, count);
    }
}

void oxi_entities_take(oxi_entity_table *table, oxi_chunk chunk, ox_entity *entities,
                       uint32_t count) {
    // Kept in registers, as below.
    oxi_record *records = table->records;
    uint32_t first_free = table->first_free, used = table->used, k = 0;
    OXI_ASSERT(table->ready >= count);
    for (; k < count && first_free != (uint32_t)OXI_LAST_RECORD; k++) {
        oxi_record *record = &records[first_free];
        OXI_ASSERT(record->chunk == 0);
        entities[k] = (ox_entity){first_free, record->version};
        first_free = record->row;
        record->chunk = chunk;
        record->row = k;
    }
    for (; k < count; k++, used++) {
        records[used] = (oxi_record){1, chunk, k};
        entities[k] = (ox_entity){used, 1};
    }
    table->first_free = first_free;
    table->used = used;
    table->alive += count;
    table->ready -= count;
}

void oxi_entities_free(oxi_entity_table *table, const ox_entity *entities, uint32_t count) {
    // Kept in registers: the compiler cannot know that records are not the table.
    oxi_record *records = table->records;
    uint32_t first_free = table->first_free, retired = 0;
    OXI_ASSERT(table->alive >= count);
    for (uint32_t k = 0; k < count; k++) {
        oxi_record *record = &records[entities[k].index];
        OXI_ASSERT(record->version == entities[k].version);
        OXI_ASSERT(record->chunk != 0);
        record->chunk = 0;
        if (record->version == UINT32_MAX) {
            record->version = 0;
            retired++;
            continue;
        }
        record->version++;
        record->row = first_free;
        first_free = entities[k].index;
    }
    table->first_free = first_free;
    table->retired += retired;
    table->alive -= count;
    table->ready += count - retired;
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
