// SPDX-License-Identifier: MIT
//
// Private: how commands for buffers are made, and inline code of commands.

#pragma once

#include "oxbow/commands.h"

/// Links the unit that declares the type of commands.
OX_API void oxi_command_types(void);
OXI_NEEDS_UNIT(commands, oxi_command_types);

#define OXI_COMMANDS_BUFFER(commands, entity, T, change, elements, count)                          \
    ox_commands_change_buffer_at(commands, entity, ox_component_id_of(T), change,                  \
                                 OXI_ELEMENTS(T, elements), (int64_t)(count), OX_HERE)
/// Elements of type T, or NULL.
#define OXI_ELEMENTS(T, elements) (1 ? (elements) : (const T *)NULL)

static inline ox_commands ox_commands_at_key(ox_commands commands, int32_t key) {
    commands.oxi_key = key;
    return commands;
}
