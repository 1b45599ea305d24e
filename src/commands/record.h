// SPDX-License-Identifier: MIT
//
// A call that records a command. What such calls share is inline: recording is the hot path of
// every job that does it.

#pragma once

#include "commands/command.h"

/// Whose commands, in which lane, and the call that it is.
typedef struct oxi_recording {
    oxi_commands *state;
    oxi_command_lane *lane;
    int32_t key;
    const char *function;
    ox_site site;
} oxi_recording;

/// Says why nothing can be recorded.
void oxi_recording_refuse(const ox_commands *commands, const char *function, ox_site site);

/// Reports that an entity is the null entity.
void oxi_recording_refuse_null(const char *function, ox_site site);

/// A lane for a thread that records for the first time. NULL after a report.
oxi_command_lane *oxi_recording_make_lane(oxi_commands *state, uint32_t index, ox_site site);

/// True when the call may record, in the lane of this thread; else reports.
static inline bool oxi_recording_begin(oxi_recording *recording, const ox_commands *commands,
                                       const char *function, ox_site site) {
    oxi_commands *state = commands->oxi_state;
    if (state == NULL) {
        oxi_recording_refuse(commands, function, site);
        return false;
    }
    if (!OXI_ASK(commands->access, ox_access_may_write_at(commands->access, site))) {
        return false;
    }
    if (!oxi_commands_is_alive(commands) || state->is_closed) {
        oxi_recording_refuse(commands, function, site);
        return false;
    }
    *recording = (oxi_recording){state, &state->main, commands->oxi_key, function, site};
    if (oxi_this_run.order == 0) {
        return oxi_world_enter(state->world, function, site);
    }
    uint32_t index = oxi_this_runner->index;
    OXI_ASSERT(index < OXI_MAX_RUNNERS);
    recording->lane = oxi_load_relaxed(&state->lanes[index]); // its own: no other writes it
    if (recording->lane == NULL) {
        recording->lane = oxi_recording_make_lane(state, index, site);
    }
    return recording->lane != NULL;
}

/// The same for a command about an entity.
static inline bool oxi_recording_begin_for(oxi_recording *recording, const ox_commands *commands,
                                           ox_entity entity, const char *function, ox_site site) {
    if (entity.version == 0) {
        oxi_recording_refuse_null(function, site);
        return false;
    }
    return oxi_recording_begin(recording, commands, function, site);
}

static inline uint32_t oxi_command_round(size_t size) {
    return (uint32_t)((size + OXI_COMMAND_ALIGN - 1) & ~(size_t)(OXI_COMMAND_ALIGN - 1));
}

/// A command with room for `carried` bytes. NULL after a report.
static inline oxi_command *oxi_recording_add(const oxi_recording *recording, oxi_command_kind kind,
                                             ox_entity entity, size_t carried) {
    uint32_t size = oxi_command_round(sizeof(oxi_command) + carried);
    oxi_command *command = oxi_lane_add(recording->lane, size, recording->key, recording->site);
    OXI_ASSERT(kind >= OXI_COMMAND_CREATE);
    if (command != NULL) {
        command->kind = (uint8_t)kind;
        command->flags = 0;
        command->component = 0;
        command->entity = entity;
        command->site = recording->site;
    }
    return command;
}

/// What a component is, when it can be given to an entity. NULL after a report.
const ox_component_info *oxi_recording_require(const oxi_recording *recording, uint32_t component,
                                               const void *value);

/// Reports that a component is of the wrong kind for the call. @return false.
bool oxi_recording_refuse_kind(const oxi_recording *recording, uint32_t component,
                               const char *advice);

/// A command CREATE in an archetype. NULL after a report.
oxi_command *oxi_recording_add_archetype(const oxi_recording *recording, ox_archetype archetype);

/// A command with a list of values. NULL after a report.
oxi_command *oxi_recording_add_list(const oxi_recording *recording, oxi_command_kind kind,
                                    ox_entity entity, const ox_value *values, int count);
