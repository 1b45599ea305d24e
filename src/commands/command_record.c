// SPDX-License-Identifier: MIT
//
// Recording commands. What is wrong with a call by itself is reported here; whether a command can
// be carried out is seen when it is.
//
// The values of a command are written where it lies: a copy on the way would wait for its own
// stores.

#include "commands/command.h"
#include "entities/kinds.h"
#include "entities/query.h"
#include "storage/rows.h"
#include "types/row_size.h"

enum { RECORD_LANE_ALIGN = 64 };

// A lane for a thread that records for the first time. NULL after a report.
OXI_NOINLINE static oxi_command_lane *make_lane(oxi_commands *state, uint32_t index, ox_site site) {
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

// Says why nothing can be recorded. @return NULL.
OXI_NOINLINE static oxi_command_lane *refuse_recording(ox_commands commands, const char *function,
                                                       ox_site site) {
    const oxi_commands *state = commands.oxi_state;
    if (state == NULL) {
        OXI_REPORT(NULL, OX_REPORT_UNASSIGNED, site, OXI_NAME("what", function));
    } else if (state->serial != commands.oxi_serial) {
        OXI_REPORT(&state->world->sink, OX_REPORT_COMMANDS_ENDED, site,
                   OXI_NAME("function", function), OXI_NAME("world", state->world->name));
    } else {
        ox_report_id id =
            state->is_playing ? OX_REPORT_COMMANDS_PLAYING : OX_REPORT_COMMANDS_PLAYED;
        OXI_REPORT(&state->world->sink, id, site, OXI_NAME("function", function),
                   OXI_NAME("commands", state->name), OXI_SITE("made", state->site));
    }
    return NULL;
}

// The lane of this thread, when it may record. NULL after a report.
static inline oxi_command_lane *enter_recording(ox_commands commands, const char *function,
                                                ox_site site) {
    oxi_commands *state = commands.oxi_state;
    if (state == NULL || !OXI_ASK(commands.access, ox_access_write_at(commands.access, site))) {
        return state == NULL ? refuse_recording(commands, function, site) : NULL;
    }
    if (state->serial != commands.oxi_serial || state->is_closed) {
        return refuse_recording(commands, function, site);
    }
    if (oxi_this_run.order == 0) {
        return oxi_world_enter(state->world, function, site) ? &state->main : NULL;
    }
    uint32_t index = oxi_this_runner->index;
    oxi_command_lane *lane = oxi_load_relaxed(&state->lanes[index]); // its own: no other writes it
    return lane != NULL ? lane : make_lane(state, index, site);
}

static inline uint32_t round_command(size_t size) {
    return (uint32_t)((size + OXI_COMMAND_ALIGN - 1) & ~(size_t)(OXI_COMMAND_ALIGN - 1));
}

// A command with room for `carried` bytes. NULL after a report.
static inline oxi_command *add_command(ox_commands commands, oxi_command_kind kind,
                                       ox_entity entity, size_t carried, const char *function,
                                       ox_site site) {
    oxi_command_lane *lane = enter_recording(commands, function, site);
    if (lane == NULL) {
        return NULL;
    }
    uint32_t size = round_command(sizeof(oxi_command) + carried);
    oxi_command *command = oxi_lane_add(lane, size, commands.oxi_key, site);
    if (command != NULL) {
        command->kind = (uint8_t)kind;
        command->entity = entity;
        command->site = site;
    }
    return command;
}

static inline bool require_named(ox_entity entity, const char *function, ox_site site) {
    return OXI_REQUIRE(entity.version != 0, NULL, OX_REPORT_NULL_ARGUMENT, site,
                       OXI_NAME("argument", "entity"), OXI_NAME("function", function));
}

// The world of commands, which may have ended together. NULL after a report.
static const ox_world *require_world(ox_commands commands, const char *function, ox_site site) {
    if (commands.oxi_state == NULL) {
        refuse_recording(commands, function, site);
        return NULL;
    }
    return OXI_ASK(commands.access, ox_access_write_at(commands.access, site))
               ? commands.oxi_state->world
               : NULL;
}

// Reports that a component is of the wrong kind for a call. @return false.
static bool report_wrong_kind(ox_commands commands, const ox_component_info *info,
                              const char *function, const char *fix, ox_site site) {
    const ox_world *world = require_world(commands, function, site);
    return world != NULL && oxi_report_kind(world, info->id, function, fix, site);
}

// What a component is, when it can be given to an entity. NULL after a report.
static inline const ox_component_info *require_given(ox_commands commands, uint32_t component,
                                                     const void *value, const char *function,
                                                     ox_site site) {
    const ox_component_info *info = ox_component_get_info(component);
    if (info != NULL && info->kind == OX_COMPONENT_KIND_DATA && commands.oxi_state != NULL) {
        return info;
    }
    const ox_world *world = require_world(commands, function, site);
    return world != NULL && oxi_component_require_given(world, component, value, function, site)
               ? info
               : NULL;
}

// Entities.

// Gives a command that makes an entity its temporary id.
static ox_entity name_made(const oxi_commands *state, oxi_command *command) {
    uint32_t index = oxi_this_run.order == 0 ? OXI_MAIN_LANE : oxi_this_runner->index;
    oxi_command_lane *lane = oxi_commands_lane(state, index);
    command->entity.index = UINT32_C(1) << 31 | state->stamp << OXI_LANE_BITS | index;
    command->entity.version = ++lane->created;
    return command->entity;
}

ox_entity ox_commands_create_entity_at(ox_commands commands, ox_site site) {
    oxi_command *command = add_command(commands, OXI_COMMAND_CREATE, (ox_entity){0, 0}, 0,
                                       "ox_commands_create_entity", site);
    if (command == NULL) {
        return (ox_entity){0, 0};
    }
    command->component = 0;
    return name_made(commands.oxi_state, command);
}

// How many bytes the items and values of a list take; 0 after a report.
static size_t measure_values(ox_commands commands, const ox_value *values, int count,
                             const char *function, ox_site site) {
    const ox_world *world = require_world(commands, function, site);
    if (world == NULL || !oxi_values_require(world, values, count, site)) {
        return 0;
    }
    size_t size = (size_t)count * sizeof(oxi_command_item);
    for (int k = 0; k < count; k++) {
        const ox_component_info *info =
            require_given(commands, values[k].component, values[k].value, function, site);
        for (int n = 0; info != NULL && n < k; n++) {
            info = OXI_REQUIRE(values[n].component != values[k].component, &world->sink,
                               OX_REPORT_DUPLICATE, site, OXI_NAME("what", info->name),
                               OXI_NAME("function", function))
                       ? info
                       : NULL;
        }
        if (info == NULL) {
            return 0;
        }
        size += values[k].value != NULL ? round_command(info->size) : 0;
    }
    return size > 0 ? size : 1;
}

static void write_values(oxi_command *command, const ox_value *values, int count) {
    oxi_command_item *items = (oxi_command_item *)(void *)(command + 1);
    char *to = (char *)(items + count);
    command->component = (uint16_t)count;
    for (int k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(values[k].component);
        bool has_value = values[k].value != NULL && info->size > 0;
        items[k] = (oxi_command_item){(uint16_t)values[k].component, has_value,
                                      (uint32_t)(to - (char *)command)};
        if (has_value) {
            oxi_copy_value(to, values[k].value, info->size);
            to += round_command(info->size);
        }
    }
}

ox_entity ox_commands_create_with_at(ox_commands commands, const ox_value *values, int count,
                                     ox_site site) {
    static const char function[] = "ox_commands_create_with";
    size_t size = measure_values(commands, values, count, function, site);
    oxi_command *command = size > 0 ? add_command(commands, OXI_COMMAND_CREATE, (ox_entity){0, 0},
                                                  size, function, site)
                                    : NULL;
    if (command == NULL) {
        return (ox_entity){0, 0};
    }
    write_values(command, values, count);
    return name_made(commands.oxi_state, command);
}

bool ox_commands_add_values_at(ox_commands commands, ox_entity entity, const ox_value *values,
                               int count, ox_site site) {
    static const char function[] = "ox_commands_add_many";
    size_t size = require_named(entity, function, site)
                      ? measure_values(commands, values, count, function, site)
                      : 0;
    oxi_command *command =
        size > 0 ? add_command(commands, OXI_COMMAND_ADD_MANY, entity, size, function, site) : NULL;
    if (command == NULL) {
        return false;
    }
    write_values(command, values, count);
    return true;
}

ox_entity ox_commands_instantiate_at(ox_commands commands, ox_entity source, ox_site site) {
    static const char function[] = "ox_commands_instantiate";
    oxi_command *command =
        require_named(source, function, site)
            ? add_command(commands, OXI_COMMAND_INSTANTIATE, source, sizeof source, function, site)
            : NULL;
    if (command == NULL) {
        return (ox_entity){0, 0};
    }
    memcpy(command + 1, &source, sizeof source);
    return name_made(commands.oxi_state, command);
}

bool ox_commands_destroy_entity_at(ox_commands commands, ox_entity entity, ox_site site) {
    static const char function[] = "ox_commands_destroy_entity";
    return require_named(entity, function, site) &&
           add_command(commands, OXI_COMMAND_DESTROY, entity, 0, function, site) != NULL;
}

// Components.

bool ox_commands_add_at(ox_commands commands, ox_entity entity, uint32_t component,
                        const void *value, ox_site site) {
    static const char function[] = "ox_commands_add";
    const ox_component_info *info = require_given(commands, component, value, function, site);
    if (info == NULL || !require_named(entity, function, site)) {
        return false;
    }
    size_t carried = value != NULL ? info->size : 0;
    oxi_command *command = add_command(commands, OXI_COMMAND_ADD, entity, carried, function, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    command->flags = carried > 0 ? OXI_COMMAND_HAS_VALUE : 0;
    if (carried > 0) {
        oxi_copy_value((char *)(command + 1), value, (uint32_t)carried);
    }
    return true;
}

// True for a component with a value that can be set; else reports.
static bool require_settable(ox_commands commands, const ox_component_info *info, const void *value,
                             const char *function, ox_site site) {
    if (info->kind == OX_COMPONENT_KIND_TAG) {
        return oxi_world_report_tag(commands.oxi_state->world, info->id, site);
    }
    if (info->kind == OX_COMPONENT_KIND_BUFFER) {
        return report_wrong_kind(commands, info, function, "use ox_commands_set_buffer", site);
    }
    return OXI_REQUIRE_ARGUMENT(value, function, site);
}

bool ox_commands_set_at(ox_commands commands, ox_entity entity, uint32_t component,
                        const void *value, ox_site site) {
    static const char function[] = "ox_commands_set";
    const ox_component_info *info = require_given(commands, component, NULL, function, site);
    if (info == NULL || !require_named(entity, function, site)) {
        return false;
    }
    bool is_plain = info->kind == OX_COMPONENT_KIND_DATA && value != NULL;
    if (!is_plain && !require_settable(commands, info, value, function, site)) {
        return false;
    }
    oxi_command *command =
        add_command(commands, OXI_COMMAND_SET, entity, info->size, function, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    oxi_copy_value((char *)(command + 1), value, info->size);
    return true;
}

bool ox_commands_remove_at(ox_commands commands, ox_entity entity, uint32_t component,
                           ox_site site) {
    static const char function[] = "ox_commands_remove";
    if (require_given(commands, component, NULL, function, site) == NULL ||
        !require_named(entity, function, site)) {
        return false;
    }
    oxi_command *command = add_command(commands, OXI_COMMAND_REMOVE, entity, 0, function, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    return true;
}

bool ox_commands_set_enabled_at(ox_commands commands, ox_entity entity, uint32_t component,
                                bool is_enabled, ox_site site) {
    static const char function[] = "ox_commands_set_enabled";
    const ox_component_info *info = require_given(commands, component, NULL, function, site);
    if (info == NULL || !require_named(entity, function, site) ||
        (!oxi_is_enableable(info) &&
         !report_wrong_kind(commands, info, function, "declare it with OX_ENABLEABLE,", site))) {
        return false;
    }
    oxi_command *command = add_command(commands, OXI_COMMAND_SWITCH, entity, 0, function, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    command->flags = is_enabled ? OXI_COMMAND_IS_ON : 0;
    return true;
}

bool ox_commands_set_entity_enabled_at(ox_commands commands, ox_entity entity, bool is_enabled,
                                       ox_site site) {
    static const char function[] = "ox_commands_set_entity_enabled";
    oxi_command *command =
        require_named(entity, function, site)
            ? add_command(commands, OXI_COMMAND_SWITCH_ENTITY, entity, 0, function, site)
            : NULL;
    if (command == NULL) {
        return false;
    }
    command->flags = is_enabled ? OXI_COMMAND_IS_ON : 0;
    return true;
}

// Buffers.

static bool require_buffer_kind(ox_commands commands, const ox_component_info *info, int64_t count,
                                const void *elements, const char *function, ox_site site) {
    if (info->kind != OX_COMPONENT_KIND_BUFFER) {
        return report_wrong_kind(commands, info, function, "use ox_commands_add or ox_commands_set",
                                 site);
    }
    int64_t most = (INT32_MAX - 64) / (int64_t)info->size;
    return oxi_count_require(commands.oxi_state->world, count, most, function, site) &&
           (count == 0 || OXI_REQUIRE_ARGUMENT(elements, function, site));
}

bool ox_commands_buffer_at(ox_commands commands, ox_entity entity, uint32_t component,
                           ox_buffer_change change, const void *elements, int64_t count,
                           ox_site site) {
    static const char function[] = "ox_commands_add_buffer";
    const ox_component_info *info = require_given(commands, component, NULL, function, site);
    if (info == NULL || !require_named(entity, function, site) ||
        !require_buffer_kind(commands, info, count, elements, function, site)) {
        return false;
    }
    size_t size = (size_t)count * info->size;
    oxi_command *command =
        add_command(commands, OXI_COMMAND_BUFFER, entity, sizeof(uint64_t) + size, function, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    command->flags = (uint8_t)change;
    uint64_t length = (uint64_t)count;
    memcpy(command + 1, &length, sizeof length);
    if (count > 0) {
        memcpy((char *)(command + 1) + sizeof length, elements, size);
    }
    return true;
}

// Queries.

// A command about a query, with room for a value behind it. NULL after a report.
static oxi_command *add_query_command(ox_commands commands, oxi_command_kind kind, ox_query *query,
                                      size_t carried, const char *function, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(query, function, site) ||
        oxi_commands_require(commands, function, site) == NULL) {
        return NULL;
    }
    oxi_command *command = add_command(commands, kind, (ox_entity){0, 0},
                                       sizeof(oxi_command_query) + carried, function, site);
    if (command != NULL) {
        command->component = 0;
        *(oxi_command_query *)(void *)(command + 1) = (oxi_command_query){query, query->number};
    }
    return command;
}

static bool add_query_change(ox_commands commands, oxi_command_kind kind, ox_query *query,
                             uint32_t component, const char *function, ox_site site) {
    if (require_given(commands, component, NULL, function, site) == NULL) {
        return false;
    }
    oxi_command *command = add_query_command(commands, kind, query, 0, function, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    return true;
}

bool ox_commands_query_add_at(ox_commands commands, ox_query *query, uint32_t component,
                              ox_site site) {
    return add_query_change(commands, OXI_COMMAND_QUERY_ADD, query, component,
                            "ox_commands_query_add", site);
}

bool ox_commands_query_remove_at(ox_commands commands, ox_query *query, uint32_t component,
                                 ox_site site) {
    return add_query_change(commands, OXI_COMMAND_QUERY_REMOVE, query, component,
                            "ox_commands_query_remove", site);
}

bool ox_commands_query_set_shared_at(ox_commands commands, ox_query *query, uint32_t component,
                                     const void *value, ox_site site) {
    static const char function[] = "ox_commands_query_set_shared";
    const ox_component_info *info = require_given(commands, component, NULL, function, site);
    if (info == NULL || !OXI_REQUIRE_ARGUMENT(value, function, site)) {
        return false;
    }
    if (info->kind != OX_COMPONENT_KIND_SHARED) {
        return report_wrong_kind(commands, info, function, "declare it with OX_SHARED,", site);
    }
    oxi_command *command = add_query_command(commands, OXI_COMMAND_QUERY_SET_SHARED, query,
                                             info->size, function, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    memcpy((char *)(command + 1) + sizeof(oxi_command_query), value, info->size);
    return true;
}

bool ox_commands_query_destroy_at(ox_commands commands, ox_query *query, ox_site site) {
    return add_query_command(commands, OXI_COMMAND_QUERY_DESTROY, query, 0,
                             "ox_commands_query_destroy", site) != NULL;
}

const char *oxi_command_name(const oxi_command *command) {
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
