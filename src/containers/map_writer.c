// SPDX-License-Identifier: MIT
//
// Writing to maps from parallel jobs, and taking that over.
//
// A writer adds to the segments of the map, a key and its value as in a slot. Each write takes one
// of the places that the map has left, so all keys fit when they are settled. Adding a key that is
// there changes nothing, so settling that ran out of memory half-way can begin anew.
//
// Invariant: OXI_TABLE_PENDING is set when segments hold something, after it was written, and is
// cleared under the lock, after all of it stands in the table.

#include "containers/map.h"

#include "containers/inbox.h"

static bool settle_span(oxi_map_state *state, const oxi_span *span, ox_site site) {
    const oxi_table_rules *rules = &state->rules;
    size_t size = rules->shape.slot_size, value = rules->shape.value_offset;
    for (const char *item = span->items; item < span->items + span->size; item += size) {
        bool is_new;
        unsigned char *slot = oxi_table_open_key(&state->table, rules, item, &is_new, site);
        if (slot == NULL) {
            return false;
        }
        if (is_new) {
            memcpy(slot + value, item + value, oxi_element_size(rules->shape.value));
        }
    }
    return true;
}

// Under the lock. @return false after a report.
static bool settle_map_segments(oxi_map_state *state, ox_site site) {
    oxi_spans spans = {0};
    if (!oxi_segments_list(state->segments, 0, &spans)) {
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                          OXI_NUMBER("bytes", oxi_segments_size(state->segments, 0)),
                          OXI_NAME("allocator", "the order of parallel writes"));
    }
    bool is_settled = true;
    for (size_t k = 0; k < spans.count && is_settled; k++) {
        is_settled = settle_span(state, &spans.items[k], site);
    }
    oxi_list_free(&spans);
    if (is_settled) {
        oxi_segments_clear(state->segments);
    }
    return is_settled;
}

// Readers in several jobs may come here together: the first one settles, the others find it done.
bool oxi_map_settle(oxi_table *table, ox_site site) {
    if ((oxi_table_special(table) & OXI_TABLE_PENDING) == 0) {
        return true;
    }
    oxi_map_state *state = oxi_map_state_of(table);
    oxi_atomic_u32 *special = oxi_table_special_word(table);
    oxi_mutex_lock(&state->lock);
    bool is_settled = (oxi_load_relaxed(special) & OXI_TABLE_PENDING) == 0;
    if (!is_settled && settle_map_segments(state, site)) {
        // Release: pairs with the acquire in oxi_table_special.
        oxi_store_release(special, oxi_load_relaxed(special) & ~(uint32_t)OXI_TABLE_PENDING);
        is_settled = true;
    }
    oxi_mutex_unlock(&state->lock);
    return is_settled;
}

bool ox_map_merge_at(ox_map map, ox_site site) {
    if (!OXI_ASK(map.access, ox_access_may_read_at(map.access, site))) {
        return false;
    }
    return map.table != NULL ? oxi_map_settle(map.table, site) : oxi_unassigned("map", site);
}

ox_map_writer ox_map_writer_of_at(ox_map map, ox_site site) {
    if (!oxi_writer_require_container(map.access, map.table, "map", site)) {
        return (ox_map_writer){0};
    }
    oxi_map_state *state = oxi_map_state_of(map.table);
    if (state->segments == NULL) {
        uint32_t size = state->rules.shape.slot_size;
        uint32_t align = size & (0 - size);
        align = align < state->rules.shape.slots_offset ? align : state->rules.shape.slots_offset;
        state->segments = oxi_segments_create(1, align, state->rules.allocator, site);
    }
    if (state->segments == NULL) {
        return (ox_map_writer){0};
    }
    ox_map_writer writer = {.table = map.table, .access = map.access};
    writer.access.flags |= OX_ACCESS_WRITE_ONLY;
    return writer;
}

static bool report_map_full(ox_map_writer writer, ox_site site) {
    ox_access_info info = oxi_container_info(writer.access, "map");
    return OXI_REPORT(NULL, OX_REPORT_FULL, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created),
                      OXI_NUMBER("capacity", writer.table->capacity));
}

static bool write_map_in_job(ox_map_writer writer, const void *key, const void *value,
                             ox_site site) {
    oxi_map_state *state = oxi_map_state_of(writer.table);
    const oxi_slot_shape *shape = &state->rules.shape;
    uint32_t room = writer.table->capacity - writer.table->count;
    if (!oxi_segments_take_place(state->segments, room)) {
        return report_map_full(writer, site);
    }
    char *item = oxi_segments_add(state->segments, 0, shape->slot_size, site);
    if (item == NULL) {
        oxi_segments_give_place(state->segments);
        return false;
    }
    memcpy(item, key, oxi_table_key_size(*shape));
    memcpy(item + shape->value_offset, value, oxi_element_size(shape->value));
    oxi_atomic_u32 *special = oxi_table_special_word(writer.table);
    if ((oxi_load_relaxed(special) & OXI_TABLE_PENDING) == 0) {
        oxi_or_acq_rel(special, (uint32_t)OXI_TABLE_PENDING);
    }
    return true;
}

static bool write_map_on_main(ox_map_writer writer, const void *key, const void *value,
                              ox_site site) {
    oxi_map_state *state = oxi_map_state_of(writer.table);
    if (!oxi_map_settle(writer.table, site)) {
        return false;
    }
    if (oxi_table_find_key(writer.table, &state->rules, key) != NULL) {
        return true;
    }
    if (writer.table->count >= writer.table->capacity) {
        return report_map_full(writer, site);
    }
    unsigned char *slot = oxi_table_insert(writer.table, &state->rules, key, site);
    if (slot == NULL) {
        return false;
    }
    memcpy(slot + state->rules.shape.value_offset, value,
           oxi_element_size(state->rules.shape.value));
    return true;
}

bool ox_map_write_at(ox_map_writer writer, const void *key, oxi_slot_shape shape, const void *value,
                     ox_site site) {
    oxi_writer_caller caller = oxi_writer_get_caller();
    if (caller == OXI_WRITER_STRANGER) {
        return oxi_writer_refuse_stranger(writer.access, "map", site);
    }
    if (!OXI_ASK(writer.access, ox_access_may_write_at(writer.access, site))) {
        return false;
    }
    if (writer.table == NULL) {
        return oxi_unassigned("map writer", site);
    }
    const oxi_slot_shape *stored = &oxi_map_state_of(writer.table)->rules.shape;
    if (!oxi_map_require_shape(stored, &shape, writer.access, "map", site)) {
        return false;
    }
    return caller == OXI_WRITER_JOB ? write_map_in_job(writer, key, value, site)
                                    : write_map_on_main(writer, key, value, site);
}
