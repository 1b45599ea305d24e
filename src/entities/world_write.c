// SPDX-License-Identifier: MIT
//
// A world, or what a query matches, written as text or as JSON: entities with their names, and
// their components by name, with values.
//
// What is written depends on what is in the world alone: entities of a world come by index, and
// components by name, since their ids depend on the order in which they were registered. The whole
// text is made first: its length is what the calls return, however little of it fits.

#include "base/json_writer.h"
#include "entities/fences.h"
#include "entities/kinds.h"
#include "entities/query.h"

#include <string.h>

typedef struct world_writer {
    const ox_world *world;
    bool is_json;
    oxi_text text;
    oxi_json_writer json;
    const oxi_archetype *sorted;             // whose types are in `order`, or NULL
    uint16_t order[OXI_MAX_ARCHETYPE_TYPES]; // places in its types, by name
} world_writer;

static const ox_component_info *info_of_type(const oxi_archetype *archetype, uint32_t type) {
    return ox_component_get_info(archetype->types[type]);
}

static void sort_types(world_writer *out, const oxi_archetype *archetype) {
    if (out->sorted == archetype) {
        return;
    }
    out->sorted = archetype;
    OXI_ASSERT(archetype->type_count <= OXI_MAX_ARCHETYPE_TYPES);
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        const char *name = info_of_type(archetype, k)->name;
        uint32_t at = k;
        while (at > 0 && strcmp(info_of_type(archetype, out->order[at - 1])->name, name) > 0) {
            out->order[at] = out->order[at - 1];
            at--;
        }
        out->order[at] = (uint16_t)k;
    }
}

static oxi_row_place place_of_record(const oxi_record *record) {
    return (oxi_row_place){record->chunk, record->row};
}

// As JSON, in a text as well.
static void write_value(world_writer *out, const oxi_record *record, uint32_t type) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    const ox_component_info *info = info_of_type(archetype, type);
    OXI_ASSERT(type < archetype->type_count);
    OXI_ASSERT(out->sorted == archetype);
    oxi_values values = oxi_row_values(&out->world->store, place_of_record(record), type);
    oxi_kind_of(info)->write(info, values.first, values.count, &out->text);
}

// As JSON.

static void write_disabled(world_writer *out, const oxi_record *record) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    bool has_some = false;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        if (!oxi_row_is_off(archetype, place_of_record(record), out->order[k])) {
            continue;
        }
        if (!has_some) {
            oxi_json_write_key(&out->json, "disabled");
            oxi_json_begin_array(&out->json);
            has_some = true;
        }
        oxi_json_write_string(&out->json, info_of_type(archetype, out->order[k])->name);
    }
    if (has_some) {
        oxi_json_end_array(&out->json);
    }
}

static void write_entity_json(world_writer *out, ox_entity entity, const oxi_record *record) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    const char *name = oxi_name_get(&out->world->store.names, entity);
    char id[32];
    oxi_text_print(id, sizeof id, "%u:%u", (unsigned)entity.index, (unsigned)entity.version);
    oxi_json_begin_object(&out->json);
    oxi_json_write_key(&out->json, "entity");
    oxi_json_write_string(&out->json, id);
    if (name != NULL) {
        oxi_json_write_key(&out->json, "name");
        oxi_json_write_string(&out->json, name);
    }
    oxi_json_write_key(&out->json, "components");
    oxi_json_begin_object(&out->json);
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        oxi_json_write_key(&out->json, info_of_type(archetype, out->order[k])->name);
        oxi_json_begin_value(&out->json);
        write_value(out, record, out->order[k]);
    }
    oxi_json_end_object(&out->json);
    write_disabled(out, record);
    oxi_json_end_object(&out->json);
}

// As text: one line for the entity, and one for each component.

static void write_entity_text(world_writer *out, ox_entity entity, const oxi_record *record) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    const char *name = oxi_name_get(&out->world->store.names, entity);
    oxi_text_append_format(&out->text, "%u:%u", (unsigned)entity.index, (unsigned)entity.version);
    oxi_text_append(&out->text, name != NULL ? " " : "");
    oxi_text_append(&out->text, name != NULL ? name : "");
    oxi_text_append_char(&out->text, '\n');
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        uint32_t type = out->order[k];
        const ox_component_info *info = info_of_type(archetype, type);
        oxi_text_append(&out->text, "    ");
        oxi_text_append(&out->text, info->name);
        if (oxi_kind_of(info)->has_value) {
            oxi_text_append_char(&out->text, ' ');
            write_value(out, record, type);
        }
        oxi_text_append(&out->text, oxi_kind_of(info)->remark);
        oxi_text_append(&out->text, oxi_row_is_off(archetype, place_of_record(record), type)
                                        ? ", disabled"
                                        : "");
        oxi_text_append_char(&out->text, '\n');
    }
}

static void write_one_entity(world_writer *out, ox_entity entity) {
    const oxi_record *record = &out->world->store.entities.records[entity.index];
    OXI_ASSERT(record->version == entity.version);
    OXI_ASSERT(record->chunk != 0);
    sort_types(out, oxi_archetype_of(record->chunk));
    if (out->is_json) {
        write_entity_json(out, entity, record);
    } else {
        write_entity_text(out, entity, record);
    }
}

// Begins what is written of `count` entities: all of a world, or, with `of` before it, some.
static void begin_writing(world_writer *out, const char *of, int64_t count) {
    if (!out->is_json) {
        oxi_text_append_format(&out->text, "%sworld '%s', %lld %s\n", of, out->world->name,
                               (long long)count, count == 1 ? "entity" : "entities");
        return;
    }
    out->json = oxi_json_write_to(&out->text);
    oxi_json_begin_object(&out->json);
    oxi_json_write_key(&out->json, "world");
    oxi_json_write_string(&out->json, out->world->name);
    oxi_json_write_key(&out->json, "entities");
    oxi_json_begin_array(&out->json);
}

// Ends it and hands it out. @return the length of the whole text, or 0 after a report.
static size_t end_writing(world_writer *out, char *buffer, size_t capacity, ox_site site) {
    if (out->is_json) {
        oxi_json_end_array(&out->json);
        oxi_json_end_object(&out->json);
    }
    size_t length = 0;
    if (out->text.failed) {
        oxi_world_report(out->world, OXI_NO_MEMORY, site);
    } else {
        length = out->text.length;
    }
    if (length > 0 && capacity > 0) {
        oxi_text_copy(buffer, capacity, oxi_text_get(&out->text));
    }
    oxi_text_free(&out->text);
    return length;
}

// Makes the buffer an empty text. @return false after a report.
static bool clear_buffer(char *buffer, size_t capacity, const char *function, ox_site site) {
    if (capacity == 0) {
        return true;
    }
    if (!OXI_REQUIRE_ARGUMENT(buffer, function, site)) {
        return false;
    }
    buffer[0] = 0;
    return true;
}

static size_t write_world(ox_world *world, bool is_json, char *buffer, size_t capacity,
                          const char *function, ox_site site) {
    if (!clear_buffer(buffer, capacity, function, site) ||
        !oxi_world_enter(world, function, site) || !oxi_sync_jobs(world, site)) {
        return 0;
    }
    const oxi_entity_table *table = &world->store.entities;
    world_writer out = {.world = world, .is_json = is_json};
    begin_writing(&out, "", table->alive);
    for (uint32_t k = 0; k < table->used; k++) {
        if (table->records[k].chunk != 0) {
            write_one_entity(&out, (ox_entity){k, table->records[k].version});
        }
    }
    return end_writing(&out, buffer, capacity, site);
}

size_t ox_world_write_text_at(ox_world *world, char *buffer, size_t capacity, ox_site site) {
    return write_world(world, false, buffer, capacity, "ox_world_write_text", site);
}

size_t ox_world_write_json_at(ox_world *world, char *buffer, size_t capacity, ox_site site) {
    return write_world(world, true, buffer, capacity, "ox_world_write_json", site);
}

static size_t write_query(ox_query *query, bool is_json, char *buffer, size_t capacity,
                          const char *function, ox_site site) {
    if (!clear_buffer(buffer, capacity, function, site) ||
        !oxi_query_enter(query, function, site) || !oxi_sync_jobs(query->world, site)) {
        return 0;
    }
    world_writer out = {.world = query->world, .is_json = is_json};
    begin_writing(&out, "query of ", ox_query_count_at(query, site));
    for (ox_chunk chunk = oxi_query_walk(query, site); ox_chunk_next(&chunk);) {
        for (int k = 0; k < chunk.count; k++) {
            write_one_entity(&out, chunk.entities[k]);
        }
    }
    return end_writing(&out, buffer, capacity, site);
}

size_t ox_query_write_text_at(ox_query *query, char *buffer, size_t capacity, ox_site site) {
    return write_query(query, false, buffer, capacity, "ox_query_write_text", site);
}

size_t ox_query_write_json_at(ox_query *query, char *buffer, size_t capacity, ox_site site) {
    return write_query(query, true, buffer, capacity, "ox_query_write_json", site);
}
