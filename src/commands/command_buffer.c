// SPDX-License-Identifier: MIT
//
// Buffers of commands: making, ending, looking.
//
// The memory of a buffer that ends stays with its world, and serves another under another serial;
// when the world ends it goes to other worlds.

#include "commands/command.h"

#include "base/text.h"
#include "entities/scope.h"
#include "safety/access.h"

enum { STAMP_BITS = OXI_TEMPORARY_SHIFT - OXI_LANE_BITS, LANE_ALIGN = 64 };

static oxi_atomic_u32 last_commands_stamp; // of all worlds

static void end_command_space(ox_world *world, ox_site site, void *memory);

static oxi_attachment_type commands_attachment = {.name = "commands",
                                                  .calls = {[OXI_ENDING] = end_command_space}};

oxi_command_space *oxi_command_space_make(ox_world *world, ox_site site) {
    oxi_command_space *space = oxi_attachment_get(world, &commands_attachment);
    if (space != NULL) {
        return space;
    }
    space =
        ox_memory_alloc_at(world->def.allocator, sizeof *space, _Alignof(oxi_command_space), site);
    if (space == NULL) {
        return NULL;
    }
    *space = (oxi_command_space){.world = world};
    bool is_added = oxi_attachment_add(world, &commands_attachment, space);
    OXI_ASSERT(is_added);
    (void)is_added;
    return space;
}

// Ending.

uint64_t oxi_commands_count(const oxi_commands *state) {
    uint64_t count = 0;
    for (uint32_t k = 0; k <= OXI_MAIN_LANE; k++) {
        const oxi_command_lane *lane = oxi_commands_lane(state, k);
        count += lane != NULL ? lane->count : 0;
    }
    return count;
}

static void clear_commands(oxi_commands *state) {
    for (uint32_t k = 0; k <= OXI_MAIN_LANE; k++) {
        oxi_command_lane *lane = oxi_commands_lane(state, k);
        if (lane != NULL) {
            oxi_lane_clear(lane);
        }
    }
    oxi_list_clear(&state->sequence);
    state->cursor = (oxi_command_cursor){0};
    state->is_closed = state->is_stopped = false;
    state->info = (ox_commands_info){0};
}

void oxi_commands_complete_jobs(const oxi_commands *state, ox_site site) {
    oxi_holder holder;
    while (oxi_access_find_holder(state->access, true, OX_NO_JOB, &holder)) {
        ox_complete_at(&holder.handle, 1, site);
    }
}

// Lets the memory serve another buffer. Temporary ids of it are nobody's from here on.
static void retire_commands(oxi_commands *state, ox_site site) {
    OXI_ASSERT(oxi_load_relaxed(&state->serial) != 0);
    OXI_ASSERT(!state->is_playing);
    oxi_commands_complete_jobs(state, site);
    ox_access_destroy_at(state->access, site);
    clear_commands(state);
    state->access = (ox_access){0};
    oxi_store_relaxed(&state->serial, 0);
}

static void free_commands(oxi_commands *state) {
    for (uint32_t k = 0; k < OXI_MAX_RUNNERS; k++) {
        oxi_command_lane *lane = oxi_commands_lane(state, k);
        if (lane != NULL) {
            oxi_lane_free(lane);
            oxi_heap_free(lane, sizeof *lane, LANE_ALIGN);
        }
    }
    oxi_lane_free(&state->main);
    oxi_list_free(&state->sequence);
    oxi_commands_memory_give(state);
}

static bool is_unplayed(const oxi_commands *state) {
    return state->info.playbacks == 0 && oxi_commands_count(state) > 0;
}

static void warn_of_left(const oxi_commands *state, ox_report_id id, ox_site site) {
    OXI_REPORT(&state->world->sink, id, site, OXI_NAME("commands", state->name),
               OXI_SITE("made", state->site), OXI_NAME("world", state->world->name),
               OXI_NUMBER("count", oxi_commands_count(state)));
}

// Jobs are complete: those that recorded may be, too, or their access says who is not.
static void end_command_space(ox_world *world, ox_site site, void *memory) {
    oxi_command_space *space = memory;
    for (oxi_commands *state = space->first; state != NULL;) {
        oxi_commands *next = state->next;
        if (oxi_load_relaxed(&state->serial) != 0) {
            if (!state->is_owned) {
                warn_of_left(state, OX_REPORT_COMMANDS_LEAKED, site);
            }
            retire_commands(state, site);
        }
        free_commands(state);
        state = next;
    }
    oxi_playback_destroy(space->playback);
    ox_memory_free_at(world->def.allocator, space, sizeof *space, _Alignof(oxi_command_space),
                      site);
}

// Making.

// Memory for a buffer, used before or new. NULL when out of memory.
static oxi_commands *find_memory(oxi_command_space *space) {
    for (oxi_commands *state = space->first; state != NULL; state = state->next) {
        if (oxi_load_relaxed(&state->serial) == 0) {
            return state;
        }
    }
    oxi_commands *state = oxi_commands_memory_take(space->world);
    if (state != NULL) {
        state->space = space;
        state->main.index = OXI_MAIN_LANE;
        state->next = space->first;
        space->first = state;
    }
    return state;
}

// Never 0. Two worlds do not share one: an id of the other's commands is known for what it is.
static uint32_t next_stamp(void) {
    uint32_t stamp = 0;
    while (stamp == 0) {
        stamp = (oxi_add_relaxed(&last_commands_stamp, 1) + 1) & ((1u << STAMP_BITS) - 1);
    }
    return stamp;
}

static void begin_serial(oxi_commands *state) {
    OXI_ASSERT(oxi_load_relaxed(&state->serial) == 0);
    state->last_serial += state->last_serial == UINT32_MAX ? 2 : 1; // 0 is nobody's
    oxi_store_relaxed(&state->serial, state->last_serial);
}

static ox_commands handle_of_commands(const oxi_commands *state) {
    ox_commands commands = {(oxi_commands *)(uintptr_t)state, state->last_serial, 0, state->access};
    commands.access.flags |= OX_ACCESS_WRITE_ONLY;
    return commands;
}

ox_commands oxi_commands_take(ox_world *world, const ox_commands_def *def, const char *system,
                              ox_site site) {
    oxi_command_space *space = oxi_command_space_make(world, site);
    if (space == NULL) {
        return (ox_commands){0};
    }
    oxi_commands *state = find_memory(space);
    if (state == NULL) {
        oxi_world_report(world, OXI_NO_MEMORY, site);
        return (ox_commands){0};
    }
    const char *name = def != NULL && def->name != NULL ? def->name : "commands";
    ox_access_def access = {.kind = "command buffer", .name = name, .is_whole = true};
    if (!ox_access_create_at(&state->access, &access, site)) {
        return (ox_commands){0};
    }
    OXI_ASSERT(state->world == world);
    OXI_ASSERT(oxi_commands_count(state) == 0); // cleared when it ended
    oxi_text_copy(state->name, sizeof state->name, name);
    begin_serial(state);
    state->stamp = next_stamp();
    state->plays_often = def != NULL && def->plays_often;
    state->is_owned = system != NULL;
    const char *asks = world->updating != NULL ? world->updating->base.name : "";
    state->system = system != NULL ? system : asks;
    state->site = site;
    return handle_of_commands(state);
}

ox_commands ox_commands_create_at(ox_world *world, const ox_commands_def *def, ox_site site) {
    if (!oxi_world_enter(world, "ox_commands_create", site) ||
        (def != NULL && !OXI_REQUIRE_DEF(def, ox_commands_def, site))) {
        return (ox_commands){0};
    }
    return oxi_commands_take(world, def, NULL, site);
}

// Using.

oxi_commands *oxi_commands_require(ox_commands commands, const char *function, ox_site site) {
    oxi_commands *state = commands.oxi_state;
    if (!OXI_REQUIRE(state != NULL, NULL, OX_REPORT_UNASSIGNED, site, OXI_NAME("what", function)) ||
        !OXI_ASK(commands.access, ox_access_may_write_at(commands.access, site))) {
        return NULL;
    }
    if (!oxi_commands_is_alive(&commands)) {
        oxi_commands_report_ended(&commands, function, site);
        return NULL;
    }
    return oxi_world_require(state->world, function, site) ? state : NULL;
}

bool oxi_commands_require_free(const oxi_commands *state, const char *function, ox_site site) {
    return OXI_REQUIRE(!state->is_owned, &state->world->sink, OX_REPORT_COMMANDS_OWNED, site,
                       OXI_NAME("function", function), OXI_NAME("commands", state->name),
                       OXI_NAME("system", state->system));
}

static bool require_still(const oxi_commands *state, const char *function, ox_site site) {
    return OXI_REQUIRE(!state->is_playing, &state->world->sink, OX_REPORT_COMMANDS_PLAYING, site,
                       OXI_NAME("function", function), OXI_NAME("commands", state->name),
                       OXI_SITE("made", state->site));
}

bool ox_commands_clear_at(ox_commands commands, ox_site site) {
    oxi_commands *state = oxi_commands_require(commands, "ox_commands_clear", site);
    if (state == NULL || !require_still(state, "ox_commands_clear", site)) {
        return false;
    }
    clear_commands(state);
    state->stamp = next_stamp();
    return true;
}

void oxi_commands_give(ox_commands commands, ox_site site) {
    retire_commands(commands.oxi_state, site);
}

void ox_commands_dispose_at(ox_commands *commands, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(commands, "ox_commands_dispose", site)) {
        return;
    }
    oxi_commands *state = oxi_commands_require(*commands, "ox_commands_dispose", site);
    if (state == NULL || !require_still(state, "ox_commands_dispose", site) ||
        !OXI_ASK(commands->access, ox_access_may_dispose_at(commands->access, OX_NO_JOB, site)) ||
        !oxi_commands_require_free(state, "ox_commands_dispose", site)) {
        return;
    }
    if (is_unplayed(state)) {
        warn_of_left(state, OX_REPORT_COMMANDS_LEFT, site);
    }
    retire_commands(state, site);
    *commands = (ox_commands){0};
}

ox_commands_info ox_commands_get_info(ox_commands commands) {
    const oxi_commands *state = commands.oxi_state;
    if (state == NULL || !oxi_commands_is_alive(&commands)) {
        return (ox_commands_info){0};
    }
    ox_commands_info info = state->info;
    info.count = oxi_commands_count(state);
    info.system = state->system;
    info.is_playing = state->is_playing;
    info.is_stopped = state->is_stopped;
    return info;
}
