// SPDX-License-Identifier: MIT
//
// The memory of buffers of commands.
//
// It belongs to the process, lies in reserved addresses and is never given back to the system, so a
// handle that was kept too long finds a serial there, at every level, also when its world is gone.
// A world takes memory for its buffers and gives it back at its end; then another world may have
// it.
//
// Invariant: the serials of one piece of memory only go up. Those from `first_serial` on are of the
// world that has it.

#include "base/platform.h"
#include "base/region.h"
#include "commands/command.h"

#include <stdio.h>
#include <string.h>

enum { MOST_COMMANDS = 1 << 16, LEAST_COMMANDS = 1 << 6 };

static struct {
    oxi_mutex lock;
    oxi_region region;
    size_t count; // how many ever served
    oxi_commands *first_free;
} command_memory = {.lock = OXI_MUTEX_INIT};

static oxi_commands *take_new_memory(void) {
    oxi_region *region = &command_memory.region;
    if (region->base == NULL && !oxi_region_create(region, MOST_COMMANDS * sizeof(oxi_commands),
                                                   LEAST_COMMANDS * sizeof(oxi_commands))) {
        return NULL;
    }
    if (!oxi_region_grow(region, (command_memory.count + 1) * sizeof(oxi_commands))) {
        return NULL;
    }
    return (oxi_commands *)(void *)region->base + command_memory.count++;
}

oxi_commands *oxi_commands_memory_take(ox_world *world) {
    oxi_mutex_lock(&command_memory.lock);
    oxi_commands *state = command_memory.first_free;
    if (state != NULL) {
        command_memory.first_free = state->next;
    } else {
        state = take_new_memory();
    }
    if (state != NULL) {
        OXI_ASSERT(oxi_load_relaxed(&state->serial) == 0);
        OXI_ASSERT(state->world == NULL);
        state->next = NULL;
        state->world = world;
        state->first_serial = state->last_serial + 1;
    }
    oxi_mutex_unlock(&command_memory.lock);
    return state;
}

void oxi_commands_memory_give(oxi_commands *state) {
    OXI_ASSERT(oxi_load_relaxed(&state->serial) == 0);
    oxi_mutex_lock(&command_memory.lock);
    uint32_t last_serial = state->last_serial;
    // All but the serial, which old handles may look at meanwhile.
    memset(&state->stamp, 0, sizeof *state - offsetof(oxi_commands, stamp));
    state->last_serial = last_serial;
    state->next = command_memory.first_free;
    command_memory.first_free = state;
    oxi_mutex_unlock(&command_memory.lock);
}

void oxi_commands_memory_reset(void) {
    oxi_mutex_lock(&command_memory.lock);
    oxi_region_destroy(&command_memory.region);
    command_memory.count = 0;
    command_memory.first_free = NULL;
    oxi_mutex_unlock(&command_memory.lock);
}

bool oxi_commands_report_ended(const ox_commands *commands, const char *function, ox_site site) {
    const oxi_commands *state = commands->oxi_state;
    oxi_report_sink sink = {0};
    char whose[OXI_WORLD_NAME + 64] = "a world that has ended";
    // A world gives its memory back before it goes: under the lock, it is there or named nowhere.
    oxi_mutex_lock(&command_memory.lock);
    bool is_of_world = (int32_t)(commands->oxi_serial - state->first_serial) >= 0;
    if (state->world != NULL && is_of_world) {
        sink = state->world->sink;
        snprintf(whose, sizeof whose,
                 "world '%s' that were disposed, or belong to an earlier update",
                 state->world->name);
    }
    oxi_mutex_unlock(&command_memory.lock);
    return OXI_REPORT(&sink, OX_REPORT_COMMANDS_ENDED, site, OXI_NAME("function", function),
                      OXI_NAME("whose", whose));
}
