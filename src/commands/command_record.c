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

enum { RECORD_LANE_ALIGN = 64, LARGEST_LIST = 32 * 1024 };

// A lane for a thread that records for the first time. NULL after a report.
OXI_NOINLINE static oxi_command_lane *make_command_lane(oxi_commands *state, uint32_t index,
                                                        ox_site site) {
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
    return lane != NULL ? lane : make_command_lane(state, index, site);
}

static inline uint32_t round_command(size_t size) {
    return (uint32_t)((size + OXI_COMMAND_ALIGN - 1) & ~(size_t)(OXI_COMMAND_ALIGN - 1));
}

// A command of a lane with room for `carried` bytes. NULL after a report.
static inline oxi_command *add_to_lane(oxi_command_lane *lane, ox_commands commands,
                                       oxi_command_kind kind, ox_entity entity, size_t carried,
                                       ox_site site) {
    uint32_t size = round_command(sizeof(oxi_command) + carried);
    oxi_command *command = oxi_lane_add(lane, size, commands.oxi_key, site);
    if (command != NULL) {
        command->kind = (uint8_t)kind;
        command->flags = 0;
        command->component = 0;
        command->entity = entity;
        command->site = site;
    }
    return command;
}

// The same for the lane of this thread.
static oxi_command *add_command(ox_commands commands, oxi_command_kind kind, ox_entity entity,
                                size_t carried, const char *function, ox_site site) {
    oxi_command_lane *lane = enter_recording(commands, function, site);
    return lane != NULL ? add_to_lane(lane, commands, kind, entity, carried, site) : NULL;
}

// Kept out of the way of calls that are right.
OXI_NOINLINE static bool refuse_null(const char *function, ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_NULL_ARGUMENT, site, OXI_NAME("argument", "entity"),
                      OXI_NAME("function", function));
}

static inline bool require_named(ox_entity entity, const char *function, ox_site site) {
    return entity.version != 0 || refuse_null(function, site);
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
static const ox_component_info *require_given(ox_commands commands, uint32_t component,
                                              const void *value, const char *function,
                                              ox_site site) {
    const ox_world *world = require_world(commands, function, site);
    return world != NULL && oxi_component_require_given(world, component, value, function, site)
               ? ox_component_get_info(component)
               : NULL;
}

// Lists of values.

// Looks at a list of values. @return false after a report.
static bool require_list(ox_commands commands, const ox_value *values, int count,
                         const char *function, ox_site site) {
    const ox_world *world = commands.oxi_state->world;
    size_t size = 0;
    if (!oxi_values_require(world, values, count, site)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        const ox_component_info *info =
            require_given(commands, values[k].component, values[k].value, function, site);
        for (int n = 0; info != NULL && n < k; n++) {
            if (!OXI_REQUIRE(values[n].component != values[k].component, &world->sink,
                             OX_REPORT_DUPLICATE, site, OXI_NAME("what", info->name),
                             OXI_NAME("function", function))) {
                return false;
            }
        }
        if (info == NULL) {
            return false;
        }
        size += info->size + OXI_COMMAND_ALIGN;
    }
    // They could not lie in one chunk either.
    return size <= LARGEST_LIST ||
           oxi_world_report_move(world, OXI_AT_LIMIT, (uint32_t)count, site);
}

// Where the values of a list lie in its commands. Returns how much a command carries.
static uint32_t place_items(oxi_command_item *items, const ox_value *values, int count) {
    uint32_t at = sizeof(oxi_command) + sizeof(const oxi_command_list *);
    for (int k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(values[k].component);
        bool has_value = values[k].value != NULL && info->size > 0;
        uint32_t align = info->align < OXI_COMMAND_ALIGN ? info->align : OXI_COMMAND_ALIGN;
        at = has_value ? (at + align - 1) / align * align : at;
        items[k] = (oxi_command_item){(uint16_t)values[k].component, has_value,
                                      (uint16_t)info->size, (uint16_t)at};
        at += has_value ? info->size : 0;
    }
    return at - (uint32_t)sizeof(oxi_command);
}

// Writes a list of values that is new to a lane. NULL after a report.
OXI_NOINLINE static const oxi_command_list *learn_list(oxi_command_lane *lane, ox_commands commands,
                                                       const ox_value *values, int count,
                                                       const char *function, ox_site site) {
    if (!require_list(commands, values, count, function, site)) {
        return NULL;
    }
    size_t size = sizeof(oxi_command_list) + (size_t)count * sizeof(oxi_command_item);
    oxi_command *head = oxi_lane_add(lane, round_command(size), commands.oxi_key, site);
    if (head == NULL) {
        return NULL;
    }
    lane->count--; // it is no command
    oxi_command_list *list = (oxi_command_list *)(void *)head;
    list->head = (oxi_command){.kind = OXI_COMMAND_LIST, .size = head->size, .site = site};
    list->count = (uint32_t)count;
    list->carried = place_items(list->items, values, count);
    lane->last_list = lane->next_list++ % OXI_KNOWN_LISTS;
    lane->lists[lane->last_list] = list;
    return list;
}

static inline bool is_of_list(const oxi_command_list *list, const ox_value *values, int count) {
    bool is_same = list != NULL && list->count == (uint32_t)count;
    for (int k = 0; is_same && k < count; k++) {
        is_same = values[k].component == list->items[k].component &&
                  (values[k].value != NULL) == list->items[k].has_value;
    }
    return is_same;
}

OXI_NOINLINE static const oxi_command_list *find_list_slowly(oxi_command_lane *lane,
                                                             ox_commands commands,
                                                             const ox_value *values, int count,
                                                             const char *function, ox_site site) {
    for (uint32_t k = 0; values != NULL && count > 0 && k < OXI_KNOWN_LISTS; k++) {
        if (is_of_list(lane->lists[k], values, count)) {
            lane->last_list = k;
            return lane->lists[k];
        }
    }
    return learn_list(lane, commands, values, count, function, site);
}

static inline const oxi_command_list *find_command_list(oxi_command_lane *lane,
                                                        ox_commands commands,
                                                        const ox_value *values, int count,
                                                        const char *function, ox_site site) {
    const oxi_command_list *last = lane->lists[lane->last_list];
    return values != NULL && count > 0 && is_of_list(last, values, count)
               ? last
               : find_list_slowly(lane, commands, values, count, function, site);
}

// A command with a list of values. NULL after a report.
static inline oxi_command *add_list(oxi_command_lane *lane, ox_commands commands,
                                    oxi_command_kind kind, ox_entity entity, const ox_value *values,
                                    int count, const char *function, ox_site site) {
    const oxi_command_list *list = find_command_list(lane, commands, values, count, function, site);
    oxi_command *command =
        list != NULL ? add_to_lane(lane, commands, kind, entity, list->carried, site) : NULL;
    if (command == NULL) {
        return NULL;
    }
    command->component = (uint16_t)count;
    memcpy(command + 1, &list, sizeof list);
    for (int k = 0; k < count; k++) {
        const oxi_command_item *item = &list->items[k];
        if (item->has_value) {
            oxi_copy_value((char *)command + item->offset, values[k].value, item->size);
        }
    }
    return command;
}

// Entities.

// Gives a command that makes an entity its temporary id.
static inline ox_entity name_made(const oxi_commands *state, oxi_command_lane *lane,
                                  oxi_command *command) {
    if (command == NULL) {
        return (ox_entity){0, 0};
    }
    command->entity.index = (uint32_t)OXI_TEMPORARY_BITS << OXI_TEMPORARY_SHIFT |
                            state->stamp << OXI_LANE_BITS | lane->index;
    command->entity.version = ++lane->created;
    return command->entity;
}

ox_entity ox_commands_create_entity_at(ox_commands commands, ox_site site) {
    oxi_command_lane *lane = enter_recording(commands, "ox_commands_create_entity", site);
    if (lane == NULL) {
        return (ox_entity){0, 0};
    }
    ox_entity none = {0, 0};
    return name_made(commands.oxi_state, lane,
                     add_to_lane(lane, commands, OXI_COMMAND_CREATE, none, 0, site));
}

ox_entity ox_commands_create_with_at(ox_commands commands, const ox_value *values, int count,
                                     ox_site site) {
    static const char function[] = "ox_commands_create_with";
    ox_entity none = {0, 0};
    oxi_command_lane *lane = enter_recording(commands, function, site);
    return lane != NULL ? name_made(commands.oxi_state, lane,
                                    add_list(lane, commands, OXI_COMMAND_CREATE, none, values,
                                             count, function, site))
                        : none;
}

bool ox_commands_add_values_at(ox_commands commands, ox_entity entity, const ox_value *values,
                               int count, ox_site site) {
    static const char function[] = "ox_commands_add_many";
    oxi_command_lane *lane =
        require_named(entity, function, site) ? enter_recording(commands, function, site) : NULL;
    return lane != NULL && add_list(lane, commands, OXI_COMMAND_ADD_MANY, entity, values, count,
                                    function, site) != NULL;
}

ox_entity ox_commands_instantiate_at(ox_commands commands, ox_entity source, ox_site site) {
    static const char function[] = "ox_commands_instantiate";
    oxi_command_lane *lane =
        require_named(source, function, site) ? enter_recording(commands, function, site) : NULL;
    if (lane == NULL) {
        return (ox_entity){0, 0};
    }
    oxi_command *command =
        add_to_lane(lane, commands, OXI_COMMAND_INSTANTIATE, source, sizeof source, site);
    if (command != NULL) {
        memcpy(command + 1, &source, sizeof source);
    }
    return name_made(commands.oxi_state, lane, command);
}

bool ox_commands_destroy_entity_at(ox_commands commands, ox_entity entity, ox_site site) {
    static const char function[] = "ox_commands_destroy_entity";
    return require_named(entity, function, site) &&
           add_command(commands, OXI_COMMAND_DESTROY, entity, 0, function, site) != NULL;
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
    if (info->kind == OX_COMPONENT_KIND_DATA) {
        lane->known[info->id % OXI_KNOWN_COMPONENTS].component = info->id;
        lane->known[info->id % OXI_KNOWN_COMPONENTS].size = info->size;
    }
}

bool ox_commands_add_at(ox_commands commands, ox_entity entity, uint32_t component,
                        const void *value, ox_site site) {
    static const char function[] = "ox_commands_add";
    oxi_command_lane *lane =
        require_named(entity, function, site) ? enter_recording(commands, function, site) : NULL;
    if (lane == NULL) {
        return false;
    }
    uint32_t size = find_known_size(lane, component);
    if (size == 0) {
        const ox_component_info *info = require_given(commands, component, value, function, site);
        if (info == NULL) {
            return false;
        }
        size = info->size;
        know_component(lane, info);
    }
    uint32_t carried = value != NULL ? size : 0;
    oxi_command *command = add_to_lane(lane, commands, OXI_COMMAND_ADD, entity, carried, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    if (carried > 0) {
        command->flags = OXI_COMMAND_HAS_VALUE;
        oxi_copy_value((char *)(command + 1), value, carried);
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
    oxi_command_lane *lane =
        require_named(entity, function, site) ? enter_recording(commands, function, site) : NULL;
    if (lane == NULL) {
        return false;
    }
    uint32_t size = find_known_size(lane, component);
    if (size == 0 || value == NULL) {
        const ox_component_info *info = require_given(commands, component, NULL, function, site);
        if (info == NULL || !require_settable(commands, info, value, function, site)) {
            return false;
        }
        size = info->size;
        know_component(lane, info);
    }
    oxi_command *command = add_to_lane(lane, commands, OXI_COMMAND_SET, entity, size, site);
    if (command == NULL) {
        return false;
    }
    command->component = (uint16_t)component;
    oxi_copy_value((char *)(command + 1), value, size);
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

static bool require_recorded_buffer(ox_commands commands, const ox_component_info *info,
                                    int64_t count, const void *elements, const char *function,
                                    ox_site site) {
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
        !require_recorded_buffer(commands, info, count, elements, function, site)) {
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
