// SPDX-License-Identifier: MIT
//
// Handles to buffers: of an entity, of a row of a chunk, of the rows of a job.

#include "entities/buffer_access.h"

#include "entities/kinds.h"
#include "entities/sync.h"
#include "storage/buffers.h"

#include <string.h>

ox_buffer oxi_buffer_make(const oxi_buffer_kind *kind, void *head, bool writes) {
    OXI_ASSERT(kind != NULL);
    OXI_ASSERT(head != NULL);
    return (ox_buffer){.oxi_head = head,
                       .oxi_kind = kind,
                       .oxi_size = kind->size,
                       .oxi_write_size = writes ? kind->size : 0,
                       .oxi_capacity = kind->inline_capacity,
                       .oxi_offset = kind->inline_offset};
}

// What to do with a component that is no buffer.
static const char *advise_other_call(uint32_t component, const char *function) {
    if (!oxi_kind_of_id(component)->has_value) {
        return "ask ox_has";
    }
    return strcmp(function, "ox_get") == 0    ? "use ox_get_at"
           : strcmp(function, "ox_edit") == 0 ? "use ox_edit_at"
                                              : "use ox_add";
}

static bool require_buffer_kind(const ox_world *world, uint32_t component, const char *function,
                                ox_site site) {
    return oxi_component_check(world, component, site) &&
           (oxi_kind_of_id(component)->in_buffer ||
            oxi_report_kind(world, component, function, advise_other_call(component, function),
                            site));
}

// A handle for the world's thread, which ends with the next change.
static ox_buffer make_on_main(ox_world *world, uint32_t component, oxi_buffer_head *head,
                              bool writes) {
    ox_buffer buffer = oxi_buffer_make(oxi_buffer_kind_of(&world->store, component), head, writes);
    buffer.oxi_world = world;
    buffer.oxi_born = oxi_buffer_now(world);
    return buffer;
}

static bool sync_buffer(ox_world *world, uint32_t component, bool writes, ox_site site) {
    return writes ? oxi_sync_write(world, component, site) : oxi_sync_read(world, component, site);
}

// The buffer of an entity. {0} after a report.
static ox_buffer find_buffer(ox_world *world, ox_entity entity, uint32_t component, bool writes,
                             const char *function, ox_site site) {
    if (!require_buffer_kind(world, component, function, site)) {
        return (ox_buffer){0};
    }
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    const oxi_archetype *archetype = record != NULL ? oxi_archetype_of(record->chunk) : NULL;
    int32_t type =
        record != NULL ? oxi_archetype_find_type(&world->store, archetype, component) : -1;
    if (type < 0) {
        oxi_report_no_value(world, entity, component, function, site);
        return (ox_buffer){0};
    }
    if (!sync_buffer(world, component, writes, site)) {
        return (ox_buffer){0};
    }
    oxi_row_settle(&world->store, record);
    if (writes) {
        oxi_chunk_entry_of(record->chunk)->meta->versions[type] = world->store.version;
    }
    oxi_buffer_head *head = oxi_buffer_find(&world->store, oxi_archetype_of(record->chunk),
                                            component, (oxi_row_place){record->chunk, record->row});
    OXI_ASSERT(oxi_buffer_kind_of(&world->store, component)->component == component);
    return make_on_main(world, component, head, writes);
}

ox_buffer ox_get_buffer_at(ox_world *world, ox_entity entity, uint32_t component, bool writes,
                           ox_site site) {
    const char *function = writes ? "ox_edit" : "ox_get";
    return oxi_world_enter(world, function, site)
               ? find_buffer(world, entity, component, writes, function, site)
               : (ox_buffer){0};
}

ox_buffer ox_add_buffer_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site) {
    const char *function = "ox_add_buffer";
    if (!oxi_world_enter(world, function, site) ||
        !require_buffer_kind(world, component, function, site) ||
        oxi_world_find(world, entity, function, site) == NULL) {
        return (ox_buffer){0};
    }
    if (!ox_has_id(world, entity, component) && !ox_add_at(world, entity, component, NULL, site)) {
        return (ox_buffer){0};
    }
    return find_buffer(world, entity, component, true, function, site);
}

// By chunk.

// The buffers of all rows of a chunk. Marks them as changed when they are written.
static ox_buffers make_of_chunk(const ox_chunk *chunk, uint32_t component, bool writes) {
    ox_world *world = chunk->query->world;
    oxi_row_place place = {chunk->oxi_chunk, chunk->oxi_first};
    const oxi_archetype *archetype = oxi_archetype_of(place.chunk);
    oxi_buffer_head *head = oxi_buffer_find(&world->store, archetype, component, place);
    if (writes) {
        int32_t type = oxi_archetype_find_type(&world->store, archetype, component);
        OXI_ASSERT(type >= 0);
        oxi_chunk_entry_of(place.chunk)->meta->versions[type] = world->store.version;
    }
    OXI_ASSERT(place.row + (uint32_t)chunk->count <= oxi_chunk_entry_of(place.chunk)->count);
    ox_buffers buffers = {.oxi_heads = (char *)head,
                          .oxi_stride = oxi_buffer_kind_of(&world->store, component)->stride,
                          .oxi_count = chunk->count,
                          .oxi_first = make_on_main(world, component, head, writes)};
    return buffers;
}

ox_buffers ox_chunk_get_buffers_at(const ox_chunk *chunk, uint32_t component, bool writes,
                                   ox_site site) {
    static const char function[] = "ox_chunk_get";
    const ox_query *query = oxi_chunk_require_query(chunk, function, site);
    if (query == NULL || !oxi_world_enter(query->world, function, site) ||
        !require_buffer_kind(query->world, component, function, site)) {
        return (ox_buffers){0};
    }
    const oxi_query_term *term = oxi_query_find_term(query, component);
    if (term == NULL || chunk->oxi_chunk == 0 ||
        (term->kind != OX_TERM_WRITE &&
         (writes || (term->kind != OX_TERM_READ && term->kind != OX_TERM_OPTIONAL)))) {
        oxi_query_report_term(query, component, writes ? OXI_WANTS_WRITE : OXI_WANTS_READ, site);
        return (ox_buffers){0};
    }
    if (!oxi_chunk_require_current(chunk, component, site)) {
        return (ox_buffers){0};
    }
    if (oxi_archetype_find_type(&query->world->store, oxi_archetype_of(chunk->oxi_chunk),
                                component) < 0) {
        return (ox_buffers){0}; // optional, and not there
    }
    return sync_buffer(query->world, component, writes, site)
               ? make_of_chunk(chunk, component, writes)
               : (ox_buffers){0};
}

ox_buffers oxi_buffers_make(const oxi_buffer_kind *kind, void *heads, int first, bool writes) {
    if (kind == NULL || heads == NULL) {
        return (ox_buffers){0};
    }
    return (ox_buffers){.oxi_heads = (char *)heads + (size_t)first * kind->stride,
                        .oxi_stride = kind->stride,
                        .oxi_first = oxi_buffer_make(kind, heads, writes)};
}
