// SPDX-License-Identifier: MIT
//
// Commands that are carried out by themselves, by the calls of the same name: by query, and whole
// entities with their groups. What such a call reports is caught, and becomes the failure of the
// command.

#include "commands/playback.h"

#include "entities/query.h"
#include "oxbow/queries.h"

// The first report of a call.
static void catch_report(const ox_report *report, void *context) {
    ox_report_id *caught = context;
    *caught = *caught == OX_REPORT_NONE ? report->id : *caught;
}

// The query of a command, while it lives. NULL when it was destroyed.
static ox_query *find_recorded_query(const oxi_playback *playback, const oxi_command *command) {
    OXI_ASSERT(command->kind >= OXI_COMMAND_QUERY_ADD);
    const oxi_command_query *named = oxi_command_value(command);
    ox_query *query = playback->world->first_query;
    while (query != NULL && query != named->query) {
        query = query->next;
    }
    return query != NULL && query->number == named->number ? query : NULL;
}

static void run_query_command(const oxi_command *command, ox_query *query) {
    const void *value = (const char *)(command + 1) + sizeof(oxi_command_query);
    switch (command->kind) {
    case OXI_COMMAND_QUERY_ADD:
        ox_query_add_at(query, command->component, command->site);
        break;
    case OXI_COMMAND_QUERY_REMOVE:
        ox_query_remove_at(query, command->component, command->site);
        break;
    case OXI_COMMAND_QUERY_SET_SHARED:
        ox_query_set_shared_at(query, command->component, value, command->site);
        break;
    default:
        ox_query_destroy_entities_at(query, command->site);
        break;
    }
}

// @return why it failed, or OX_REPORT_NONE.
static ox_report_id run_command(oxi_playback *playback, const oxi_command *command,
                                ox_entity entity) {
    ox_world *world = playback->world;
    ox_report_id caught = OX_REPORT_NONE;
    oxi_report_sink sink = world->sink;
    world->sink = (oxi_report_sink){{catch_report, &caught}};
    if (command->kind == OXI_COMMAND_SWITCH_ENTITY) {
        ox_entity_set_enabled_at(world, entity, command->flags != 0, command->site);
    } else {
        ox_query *query = find_recorded_query(playback, command);
        if (query != NULL) {
            run_query_command(command, query);
        } else {
            caught = OX_REPORT_FOREIGN_HANDLE;
        }
    }
    world->sink = sink;
    return caught;
}

bool oxi_command_run_alone(oxi_playback *playback, const oxi_command *command) {
    OXI_ASSERT(command->kind >= OXI_COMMAND_SWITCH_ENTITY);
    OXI_ASSERT(playback->touched.count == 0); // no window is under way
    ox_entity entity = command->entity;
    ox_report_id cause = OX_REPORT_NONE;
    if (!ox_entity_is_temporary(entity) || oxi_walk_resolve(playback, &entity, &cause)) {
        cause = run_command(playback, command, entity);
    }
    return cause != OX_REPORT_OUT_OF_MEMORY &&
           (cause == OX_REPORT_NONE || oxi_walk_fail(playback, cause, entity) == OXI_WALK_ON);
}
