// SPDX-License-Identifier: MIT
//
// The commands of one entity in a window. Most have one, and many of those are alike: then the
// entity has a signature, which says for all of them what comes of it. One with several has a list.

#pragma once

#include "commands/playback.h"

/// True when a command does to an archetype what a signature says.
static inline bool oxi_signature_is_of(const oxi_signature *signature, const oxi_archetype *from,
                                       const oxi_command *command) {
    const oxi_command *first = signature->command;
    if (signature->from != from || !oxi_command_is_like(first, command)) {
        return false;
    }
    if (command->kind == OXI_COMMAND_ADD || command->component == 0) {
        return true;
    }
    const oxi_command_list *list = oxi_command_list_of(command);
    const oxi_command_list *other = oxi_command_list_of(first);
    return list == other ||
           memcmp(list->items, other->items, list->count * sizeof(oxi_command_item)) == 0;
}

/// The same as oxi_signature_find, for one that was not asked for just before.
const oxi_signature *oxi_signature_find_slowly(oxi_playback *playback, oxi_archetype *from,
                                               const oxi_command *command);

/// What a command that adds makes of an archetype. NULL when out of memory.
static inline const oxi_signature *oxi_signature_find(oxi_playback *playback, oxi_archetype *from,
                                                      const oxi_command *command) {
    const oxi_signature *items = playback->signatures.items;
    if (playback->signatures.count > 0) {
        uint32_t last = playback->last_signature, next = items[last].next;
        OXI_ASSERT(last < playback->signatures.count);
        OXI_ASSERT(next < playback->signatures.count);
        if (oxi_signature_is_of(&items[last], from, command)) {
            return &items[last];
        }
        if (oxi_signature_is_of(&items[next], from, command)) {
            playback->last_signature = next;
            return &items[next];
        }
    }
    return oxi_signature_find_slowly(playback, from, command);
}

/// 1 + the place of a signature that is kept, else 0.
static inline uint16_t oxi_signature_number(const oxi_playback *playback,
                                            const oxi_signature *signature) {
    uint32_t place = (uint32_t)(signature - playback->signatures.items);
    return place < playback->signatures.count ? (uint16_t)(place + 1) : 0;
}

/// What it changes beside the set of components.
static inline uint8_t oxi_signature_flags(const oxi_signature *signature) {
    return (uint8_t)((signature->has_shared ? OXI_TOUCH_SHARED : 0) |
                     (signature->changes_linked ? OXI_TOUCH_LINKED : 0));
}

/// Gives an entity that was just touched its first command, with the number of its signature, or 0.
void oxi_touched_begin(oxi_playback *playback, oxi_touched *touched, uint16_t signature,
                       const oxi_command *command);

/// Gives an entity one more command.
void oxi_touched_add(oxi_playback *playback, oxi_touched *touched, const oxi_command *command);
