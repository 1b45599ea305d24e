// SPDX-License-Identifier: MIT
//
// Recording commands about buffers of entities, and by query; the names of all commands.

#include "commands/command_record.h"

#include "entities/query.h"
#include "types/kinds.h"

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
