// SPDX-License-Identifier: MIT
//
// The calls that record commands. What is wrong with a call by itself is reported here; whether
// a command can be carried out is seen when it is.
//
// The values of a command are written where it lies: a copy on the way would wait for its own
// stores.

#include "commands/record.h"

#include "entities/kinds.h"
#include "entities/query.h"
#include "storage/rows.h"
#include "types/kinds.h"

enum { RECORD_LANE_ALIGN = 64 };

// Beginning. Rare things are kept out of the way of calls that are right.

OXI_NOINLINE oxi_command_lane *oxi_recording_make_lane(oxi_commands *state, uint32_t index,
                                                       ox_site site) {
    OXI_ASSERT(index < OXI_MAX_RUNNERS);
    oxi_command_lane *lane = oxi_heap_alloc(sizeof *lane, RECORD_LANE_ALIGN);
    if (lane == NULL) {
        OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", sizeof *lane),
                   OXI_NAME("allocator", "commands"));
        return NULL;
    }
    *lane = (oxi_command_lane){.index = index};
    // release: whoever plays back sees the lane as it was made.
    oxi_store_release(&state->lanes[index], lane);
    return lane;
}

OXI_NOINLINE void oxi_recording_refuse(const ox_commands *commands, const char *function,
                                       ox_site site) {
    const oxi_commands *state = commands->oxi_state;
    if (state == NULL) {
        OXI_REPORT(NULL, OX_REPORT_UNASSIGNED, site, OXI_NAME("what", function));
    } else if (!oxi_commands_is_alive(commands)) {
        oxi_commands_report_ended(commands, function, site);
    } else {
        ox_report_id id =
            state->is_playing ? OX_REPORT_COMMANDS_PLAYING : OX_REPORT_COMMANDS_PLAYED;
        OXI_REPORT(&state->world->sink, id, site, OXI_NAME("function", function),
                   OXI_NAME("commands", state->name), OXI_SITE("made", state->site));
    }
}

OXI_NOINLINE void oxi_recording_refuse_null(const char *function, ox_site site) {
    OXI_REPORT(NULL, OX_REPORT_NULL_ARGUMENT, site, OXI_NAME("argument", "entity"),
               OXI_NAME("function", function));
}

const ox_component_info *oxi_recording_require(const oxi_recording *recording, uint32_t component,
                                               const void *value) {
    return oxi_component_require_given(recording->state->world, component, value,
                                       recording->function, recording->site)
               ? ox_component_get_info(component)
               : NULL;
}

bool oxi_recording_refuse_kind(const oxi_recording *recording, uint32_t component,
                               const char *advice) {
    return oxi_report_kind(recording->state->world, component, recording->function, advice,
                           recording->site);
}

// Entities.

// Gives a command that makes an entity its temporary id. The null entity when there is none.
static inline ox_entity name_made(const oxi_recording *recording, oxi_command *command) {
    if (command == NULL) {
        return (ox_entity){0, 0};
    }
    command->entity.index = (uint32_t)OXI_TEMPORARY_BITS << OXI_TEMPORARY_SHIFT |
                            recording->state->stamp << OXI_LANE_BITS | recording->lane->index;
    command->entity.version = ++recording->lane->created;
    OXI_ASSERT(ox_entity_is_temporary(command->entity));
    OXI_ASSERT(command->kind == OXI_COMMAND_CREATE || command->kind == OXI_COMMAND_INSTANTIATE);
    return command->entity;
}

ox_entity ox_commands_create_entity_in_at(ox_commands commands, ox_archetype archetype,
                                          ox_site site) {
    oxi_recording recording;
    return oxi_recording_begin(&recording, &commands, "ox_commands_create_entity_in", site)
               ? name_made(&recording, oxi_recording_add_archetype(&recording, archetype))
               : (ox_entity){0, 0};
}

ox_entity ox_commands_create_entity_at(ox_commands commands, const ox_value *values, int count,
                                       ox_site site) {
    oxi_recording recording;
    ox_entity none = {0, 0};
    if (!oxi_recording_begin(&recording, &commands, "ox_commands_create_entity", site)) {
        return none;
    }
    if (count == 0) {
        return name_made(&recording, oxi_recording_add(&recording, OXI_COMMAND_CREATE, none, 0));
    }
    return name_made(&recording,
                     oxi_recording_add_list(&recording, OXI_COMMAND_CREATE, none, values, count));
}

bool ox_commands_add_many_at(ox_commands commands, ox_entity entity, const ox_value *values,
                             int count, ox_site site) {
    oxi_recording recording;
    return oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_add_many", site) &&
           oxi_recording_add_list(&recording, OXI_COMMAND_ADD_MANY, entity, values, count) != NULL;
}

ox_entity ox_commands_instantiate_at(ox_commands commands, ox_entity source, ox_site site) {
    oxi_recording recording;
    if (!oxi_recording_begin_for(&recording, &commands, source, "ox_commands_instantiate", site)) {
        return (ox_entity){0, 0};
    }
    oxi_command *command =
        oxi_recording_add(&recording, OXI_COMMAND_INSTANTIATE, source, sizeof source);
    if (command != NULL) {
        memcpy(command + 1, &source, sizeof source);
    }
    return name_made(&recording, command);
}

// Adds a command without a value. @return false after a report.
static bool add_plain(const oxi_recording *recording, oxi_command_kind kind, ox_entity entity,
                      uint32_t component, uint8_t flags) {
    oxi_command *command = oxi_recording_add(recording, kind, entity, 0);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    command->flags = flags;
    return true;
}

bool ox_commands_destroy_entity_at(ox_commands commands, ox_entity entity, ox_site site) {
    oxi_recording recording;
    return oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_destroy_entity",
                                   site) &&
           add_plain(&recording, OXI_COMMAND_DESTROY, entity, 0, 0);
}

bool ox_commands_set_entity_enabled_at(ox_commands commands, ox_entity entity, bool is_enabled,
                                       ox_site site) {
    oxi_recording recording;
    return oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_set_entity_enabled",
                                   site) &&
           add_plain(&recording, OXI_COMMAND_SWITCH_ENTITY, entity, 0,
                     is_enabled ? OXI_COMMAND_IS_ON : 0);
}

// Components.

// The size of a component of plain data that was looked at before, else 0.
static inline uint32_t find_known_size(const oxi_command_lane *lane, uint32_t component) {
    uint32_t place = component % OXI_KNOWN_COMPONENTS;
    return component != 0 && lane->known[place].component == component ? lane->known[place].size
                                                                       : 0;
}

// Remembers a component of plain data: the next use needs no look at it.
static void know_component(oxi_command_lane *lane, const ox_component_info *info) {
    if (oxi_kind_of(info)->in_column) {
        lane->known[info->id % OXI_KNOWN_COMPONENTS].component = info->id;
        lane->known[info->id % OXI_KNOWN_COMPONENTS].size = info->size;
    }
}

// Adds a command that carries a value of `size` bytes. @return false after a report.
static inline bool add_value(const oxi_recording *recording, oxi_command_kind kind,
                             ox_entity entity, uint32_t component, const void *value,
                             uint32_t size) {
    oxi_command *command = oxi_recording_add(recording, kind, entity, size);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    command->flags = OXI_COMMAND_HAS_VALUE;
    oxi_copy_value((char *)(command + 1), value, size);
    return true;
}

bool ox_commands_add_at(ox_commands commands, ox_entity entity, uint32_t component,
                        const void *value, ox_site site) {
    oxi_recording recording;
    if (!oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_add", site)) {
        return false;
    }
    uint32_t size = find_known_size(recording.lane, component);
    if (size == 0) {
        const ox_component_info *info = oxi_recording_require(&recording, component, value);
        if (info == NULL) {
            return false;
        }
        size = info->size;
        know_component(recording.lane, info);
    }
    return value != NULL && size > 0
               ? add_value(&recording, OXI_COMMAND_ADD, entity, component, value, size)
               : add_plain(&recording, OXI_COMMAND_ADD, entity, component, 0);
}

// What a component is, when its value can be set. NULL after a report.
static const ox_component_info *require_settable(const oxi_recording *recording, uint32_t component,
                                                 const void *value) {
    const ox_component_info *info = oxi_recording_require(recording, component, NULL);
    if (info == NULL) {
        return NULL;
    }
    if (!oxi_require_value(recording->state->world, component, recording->site)) {
        return NULL;
    }
    if (oxi_kind_of(info)->in_buffer) {
        oxi_recording_refuse_kind(recording, component, "use ox_commands_set_buffer");
        return NULL;
    }
    return OXI_REQUIRE_ARGUMENT(value, recording->function, recording->site) ? info : NULL;
}

bool ox_commands_set_at(ox_commands commands, ox_entity entity, uint32_t component,
                        const void *value, ox_site site) {
    oxi_recording recording;
    if (!oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_set", site)) {
        return false;
    }
    uint32_t size = find_known_size(recording.lane, component);
    if (size == 0 || value == NULL) {
        const ox_component_info *info = require_settable(&recording, component, value);
        if (info == NULL) {
            return false;
        }
        size = info->size;
        know_component(recording.lane, info);
    }
    return add_value(&recording, OXI_COMMAND_SET, entity, component, value, size);
}

bool ox_commands_remove_at(ox_commands commands, ox_entity entity, uint32_t component,
                           ox_site site) {
    oxi_recording recording;
    return oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_remove", site) &&
           oxi_recording_require(&recording, component, NULL) != NULL &&
           add_plain(&recording, OXI_COMMAND_REMOVE, entity, component, 0);
}

bool ox_commands_set_enabled_at(ox_commands commands, ox_entity entity, uint32_t component,
                                bool is_enabled, ox_site site) {
    oxi_recording recording;
    if (!oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_set_enabled", site)) {
        return false;
    }
    const ox_component_info *info = oxi_recording_require(&recording, component, NULL);
    if (info == NULL || !oxi_require_switch(recording.state->world, component, recording.function,
                                            recording.site)) {
        return false;
    }
    return add_plain(&recording, OXI_COMMAND_SWITCH, entity, component,
                     is_enabled ? OXI_COMMAND_IS_ON : 0);
}

// Buffers.

static bool require_recorded_elements(const oxi_recording *recording, const ox_component_info *info,
                                      const void *elements, int64_t count) {
    if (!oxi_kind_of(info)->in_buffer) {
        return oxi_recording_refuse_kind(recording, info->id,
                                         "use ox_commands_add or ox_commands_set");
    }
    int64_t most = (INT32_MAX - 64) / (int64_t)info->size;
    return oxi_count_require(recording->state->world, count, most, recording->function,
                             recording->site) &&
           (count == 0 || OXI_REQUIRE_ARGUMENT(elements, recording->function, recording->site));
}

bool ox_commands_change_buffer_at(ox_commands commands, ox_entity entity, uint32_t component,
                                  ox_buffer_change change, const void *elements, int64_t count,
                                  ox_site site) {
    oxi_recording recording;
    if (!oxi_recording_begin_for(&recording, &commands, entity, "ox_commands_add_buffer", site)) {
        return false;
    }
    const ox_component_info *info = oxi_recording_require(&recording, component, NULL);
    if (info == NULL || !require_recorded_elements(&recording, info, elements, count) ||
        !OXI_REQUIRE_ENUM(change, OX_BUFFER_APPEND, ox_buffer_change, &recording.state->world->sink,
                          recording.function, site)) {
        return false;
    }
    uint64_t length = (uint64_t)count;
    size_t size = (size_t)count * info->size;
    oxi_command *command =
        oxi_recording_add(&recording, OXI_COMMAND_BUFFER, entity, sizeof length + size);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    command->flags = (uint8_t)change;
    memcpy(command + 1, &length, sizeof length);
    if (count > 0) {
        memcpy((char *)(command + 1) + sizeof length, elements, size);
    }
    return true;
}

// Queries.

// Begins a command by query, which only the world's thread records. @return false after a report.
static bool begin_by_query(oxi_recording *recording, const ox_commands *commands,
                           const ox_query *query, const char *function, ox_site site) {
    return oxi_query_require(query, function, site) &&
           oxi_recording_begin(recording, commands, function, site) &&
           oxi_world_enter(recording->state->world, function, site);
}

// A command by query, with room for a value behind it. NULL after a report.
static oxi_command *add_by_query(const oxi_recording *recording, oxi_command_kind kind,
                                 ox_query *query, uint32_t component, size_t carried) {
    ox_entity none = {0, 0};
    oxi_command *command =
        oxi_recording_add(recording, kind, none, sizeof(oxi_command_query) + carried);
    if (command != NULL) {
        command->component = (uint16_t)component;
        *(oxi_command_query *)(void *)(command + 1) = (oxi_command_query){query, query->number};
    }
    return command;
}

static bool change_by_query(const oxi_recording *recording, oxi_command_kind kind, ox_query *query,
                            uint32_t component) {
    return oxi_recording_require(recording, component, NULL) != NULL &&
           add_by_query(recording, kind, query, component, 0) != NULL;
}

bool ox_commands_query_add_at(ox_commands commands, ox_query *query, uint32_t component,
                              ox_site site) {
    oxi_recording recording;
    return begin_by_query(&recording, &commands, query, "ox_commands_query_add", site) &&
           change_by_query(&recording, OXI_COMMAND_QUERY_ADD, query, component);
}

bool ox_commands_query_remove_at(ox_commands commands, ox_query *query, uint32_t component,
                                 ox_site site) {
    oxi_recording recording;
    return begin_by_query(&recording, &commands, query, "ox_commands_query_remove", site) &&
           change_by_query(&recording, OXI_COMMAND_QUERY_REMOVE, query, component);
}

bool ox_commands_query_set_shared_at(ox_commands commands, ox_query *query, uint32_t component,
                                     const void *value, ox_site site) {
    oxi_recording recording;
    if (!begin_by_query(&recording, &commands, query, "ox_commands_query_set_shared", site)) {
        return false;
    }
    const ox_component_info *info = oxi_recording_require(&recording, component, NULL);
    if (info == NULL || !OXI_REQUIRE_ARGUMENT(value, recording.function, site)) {
        return false;
    }
    if (!oxi_kind_of(info)->in_lane) {
        return oxi_recording_refuse_kind(&recording, component, "declare it with OX_SHARED,");
    }
    oxi_command *command =
        add_by_query(&recording, OXI_COMMAND_QUERY_SET_SHARED, query, component, info->size);
    if (command != NULL) {
        memcpy((char *)(command + 1) + sizeof(oxi_command_query), value, info->size);
    }
    return command != NULL;
}

bool ox_commands_query_destroy_entities_at(ox_commands commands, ox_query *query, ox_site site) {
    oxi_recording recording;
    return begin_by_query(&recording, &commands, query, "ox_commands_query_destroy_entities",
                          site) &&
           add_by_query(&recording, OXI_COMMAND_QUERY_DESTROY, query, 0, 0) != NULL;
}

const char *oxi_command_name(const oxi_command *command) {
    OXI_ASSERT(command->kind < OXI_COMMAND_KINDS);
    static const char *const names[OXI_COMMAND_KINDS] = {
        [OXI_COMMAND_CREATE] = "create",
        [OXI_COMMAND_INSTANTIATE] = "instantiate",
        [OXI_COMMAND_DESTROY] = "destroy",
        [OXI_COMMAND_ADD] = "add",
        [OXI_COMMAND_ADD_MANY] = "add many",
        [OXI_COMMAND_SET] = "set",
        [OXI_COMMAND_REMOVE] = "remove",
        [OXI_COMMAND_SWITCH] = "enable",
        [OXI_COMMAND_BUFFER] = "change a buffer",
        [OXI_COMMAND_SWITCH_ENTITY] = "enable an entity",
        [OXI_COMMAND_QUERY_ADD] = "add by query",
        [OXI_COMMAND_QUERY_REMOVE] = "remove by query",
        [OXI_COMMAND_QUERY_SET_SHARED] = "set by query",
        [OXI_COMMAND_QUERY_DESTROY] = "destroy by query",
    };
    return names[command->kind] != NULL ? names[command->kind] : "?";
}
