// SPDX-License-Identifier: MIT
//
// Playing a buffer back: window after window, and commands that are no part of one by themselves.
//
// What failed is reported when its window is over: a handler sees a world that is whole.

#include "commands/playback.h"

#include "entities/sync.h"

enum { LEAST_ARENA_BLOCK = 16 * 1024, ARENA_ALIGN = 64 };

/// Memory of a window.
typedef struct oxi_arena_block {
    struct oxi_arena_block *next;
    size_t size; // of the whole block
    size_t used;
} oxi_arena_block;

void *oxi_playback_alloc(oxi_playback *playback, size_t size, size_t align) {
    oxi_arena_block *block = playback->arena;
    size_t at = block != NULL ? (block->used + align - 1) / align * align : 0;
    if (block == NULL || at > block->size || size > block->size - at) {
        size_t least = sizeof *block + ARENA_ALIGN + size;
        size_t whole = least > LEAST_ARENA_BLOCK ? least : LEAST_ARENA_BLOCK;
        oxi_arena_block *added = oxi_heap_alloc(whole, ARENA_ALIGN);
        if (added == NULL) {
            return NULL;
        }
        *added = (oxi_arena_block){block, whole, sizeof *added};
        playback->arena = block = added;
        at = (block->used + align - 1) / align * align;
    }
    block->used = at + size;
    OXI_ASSERT(block->used <= block->size);
    return (char *)block + at;
}

// Frees all blocks but one.
static void clear_arena(oxi_playback *playback, bool keeps_one) {
    oxi_arena_block *block = playback->arena;
    while (block != NULL && (block->next != NULL || !keeps_one)) {
        oxi_arena_block *next = block->next;
        oxi_heap_free(block, block->size, ARENA_ALIGN);
        block = next;
    }
    if (block != NULL) {
        block->used = sizeof *block;
    }
    playback->arena = block;
}

void oxi_window_clear(oxi_playback *playback) {
    oxi_list_clear(&playback->touched);
    oxi_list_clear(&playback->several);
    oxi_list_clear(&playback->extras);
    oxi_list_clear(&playback->ways);
    oxi_list_clear(&playback->ops);
    oxi_list_clear(&playback->ids);
    oxi_list_clear(&playback->signatures);
    oxi_list_clear(&playback->failures);
    oxi_list_clear(&playback->members);
    oxi_list_clear(&playback->patches);
    oxi_list_clear(&playback->choices);
    oxi_list_clear(&playback->placed);
    oxi_list_clear(&playback->runs);
    oxi_list_clear(&playback->blocks);
    if (playback->prototypes.count > 0) {
        oxi_list_clear(&playback->prototypes);
        memset(playback->prototype_index.items, 0,
               playback->prototype_index.count * sizeof(uint32_t));
    }
    if (playback->lanes.count > 0) {
        oxi_list_clear(&playback->lanes);
        memset(playback->lane_index.items, 0, playback->lane_index.count * sizeof(uint32_t));
    }
    playback->has_touched = playback->has_ended = false;
    playback->last_signature = 0;
    clear_arena(playback, true);
}

void oxi_playback_destroy(oxi_playback *playback) {
    if (playback == NULL) {
        return;
    }
    oxi_list_free(&playback->touched);
    oxi_list_free(&playback->several);
    oxi_list_free(&playback->extras);
    oxi_list_free(&playback->ways);
    oxi_list_free(&playback->group_archetypes);
    oxi_list_free(&playback->ops);
    oxi_list_free(&playback->ids);
    oxi_list_free(&playback->signatures);
    oxi_list_free(&playback->failures);
    oxi_list_free(&playback->prototypes);
    oxi_list_free(&playback->prototype_index);
    oxi_list_free(&playback->members);
    oxi_list_free(&playback->patches);
    oxi_list_free(&playback->group);
    oxi_list_free(&playback->lanes);
    oxi_list_free(&playback->lane_index);
    oxi_list_free(&playback->choices);
    oxi_list_free(&playback->placed);
    oxi_list_free(&playback->runs);
    oxi_list_free(&playback->left_rows);
    oxi_list_free(&playback->blocks);
    clear_arena(playback, false);
    oxi_heap_free(playback, sizeof *playback, _Alignof(oxi_playback));
}

// The memory of playbacks of a world. NULL when out of memory.
static oxi_playback *take_playback(oxi_commands *state) {
    oxi_command_space *space = state->space;
    if (space->playback == NULL) {
        space->playback = oxi_heap_alloc(sizeof(oxi_playback), _Alignof(oxi_playback));
        if (space->playback == NULL) {
            return NULL;
        }
        *space->playback = (oxi_playback){.world = space->world};
    }
    oxi_archetypes_trim(&space->world->store);
    space->playback->state = state;
    return space->playback;
}

// Reports.

static const char *describe_cause(ox_report_id cause) {
    switch (cause) {
    case OX_REPORT_STALE_ENTITY:
        return "its entity is not alive";
    case OX_REPORT_NO_COMPONENT:
        return "its entity does not have the component";
    case OX_REPORT_RESIDUE:
        return "its entity is destroyed, but for its cleanup components";
    case OX_REPORT_TEMPORARY_ENTITY:
        return "it names a temporary id of another buffer, or of before a clear";
    case OX_REPORT_ARCHETYPE_TOO_LARGE:
        return "the components of its entity would not fit in a chunk";
    case OX_REPORT_ENTITY_LIMIT:
        return "the world is full";
    case OX_REPORT_BAD_GROUP:
        return "the linked group of what it copies does not begin with it";
    default:
        return "the call of the same name reports that";
    }
}

static void report_failed(const oxi_commands *state, const oxi_failed_command *failed) {
    const oxi_command *command = failed->command;
    bool is_list = command->kind == OXI_COMMAND_CREATE || command->kind == OXI_COMMAND_ADD_MANY;
    const ox_component_info *info = is_list ? NULL : ox_component_get_info(command->component);
    OXI_REPORT(&state->world->sink, OX_REPORT_COMMAND_FAILED, command->site,
               OXI_NUMBER("number", failed->index), OXI_NAME("commands", state->name),
               OXI_NAME("command", oxi_command_name(command)),
               OXI_NAME("component", info != NULL ? info->name : ""),
               OXI_NUMBER("index", failed->entity.index),
               OXI_NUMBER("version", failed->entity.version),
               OXI_NAME("system", state->system[0] != 0 ? state->system : "no system"),
               OXI_NAME("cause", ox_report_code(failed->cause)),
               OXI_NAME("why", describe_cause(failed->cause)));
}

// Failures are taken out of the list first: a handler may use other buffers of the world, and play
// them back.
static void report_failures(oxi_playback *playback) {
    oxi_commands *state = playback->state;
    OXI_LIST(oxi_failed_command)
    failures = {playback->failures.items, playback->failures.count, playback->failures.capacity};
    playback->failures.items = NULL;
    playback->failures.count = playback->failures.capacity = 0;
    state->info.failed += failures.count;
    for (size_t k = 0; k < failures.count; k++) {
        report_failed(state, &failures.items[k]);
    }
    oxi_list_free(&failures);
    playback->state = state;
}

static bool report_stopped(const oxi_commands *state, ox_site site) {
    return OXI_REPORT(&state->world->sink, OX_REPORT_PLAYBACK_STOPPED, site,
                      OXI_NAME("commands", state->name), OXI_SITE("made", state->site),
                      OXI_NUMBER("number", state->info.played),
                      OXI_NAME("world", state->world->name));
}

// Windows.

// Carries up to `most` commands out. @return false when out of memory, for even one.
static bool play_window(oxi_playback *playback, ox_site site) {
    oxi_commands *state = playback->state;
    OXI_ASSERT(state->info.played < oxi_commands_count(state));
    OXI_ASSERT(state->cursor.index == state->info.played);
    uint64_t left = oxi_commands_count(state) - state->info.played;
    uint32_t most = left < OXI_WINDOW_COMMANDS ? (uint32_t)left : OXI_WINDOW_COMMANDS;
    // A handler that heard of the last window may have scheduled jobs.
    if (!oxi_sync_wait(playback->world, site)) {
        return false;
    }
    for (;;) {
        oxi_walk_result result;
        oxi_window_clear(playback);
        uint32_t count = oxi_window_walk(playback, most, &result);
        OXI_ASSERT(count <= most);
        if (count == 0 && (result == OXI_WALK_ENDS || most == 1)) {
            return result == OXI_WALK_ENDS;
        }
        if (count == 0) {
            most /= 2; // there is no room to walk so many
            continue;
        }
        if (oxi_window_prepare(playback)) {
            oxi_sync_tell(playback->world, site);
            oxi_world_note_change(playback->world, site);
            oxi_window_commit(playback, site);
            state->info.played += count;
            state->cursor = playback->cursor;
            report_failures(playback);
            return true;
        }
        most = count / 2;
        if (most == 0) {
            return false;
        }
    }
}

static bool play_alone(oxi_playback *playback) {
    oxi_commands *state = playback->state;
    playback->cursor = state->cursor;
    oxi_window_clear(playback);
    OXI_ASSERT(state->info.played < oxi_commands_count(state));
    if (!oxi_command_run_alone(playback, state->cursor.at)) {
        return false;
    }
    oxi_cursor_next(state, &state->cursor);
    state->info.played++;
    report_failures(playback);
    return true;
}

static bool play_all(oxi_playback *playback, ox_site site) {
    oxi_commands *state = playback->state;
    bool is_done = true;
    while (is_done && state->cursor.at != NULL) {
        is_done = state->cursor.at->kind >= OXI_COMMAND_SWITCH_ENTITY ? play_alone(playback)
                                                                      : play_window(playback, site);
    }
    oxi_window_clear(playback);
    return is_done;
}

// Room for what temporary ids become, all of them nothing yet.
static bool clear_made(const oxi_commands *state) {
    for (uint32_t k = 0; k <= OXI_MAIN_LANE; k++) {
        oxi_command_lane *lane = oxi_commands_lane(state, k);
        if (lane == NULL) {
            continue;
        }
        oxi_list_clear(&lane->made);
        if (!oxi_list_resize(&lane->made, lane->created)) {
            return false;
        }
    }
    return true;
}

static bool begin_playback(oxi_commands *state) {
    uint32_t playbacks = state->info.playbacks;
    state->info = (ox_commands_info){.playbacks = playbacks};
    return oxi_commands_sort(state) && clear_made(state);
}

static bool require_playable(const oxi_commands *state, ox_site site) {
    bool is_over = state->is_closed && !state->is_stopped && !state->plays_often;
    return OXI_REQUIRE(!state->is_playing, &state->world->sink, OX_REPORT_COMMANDS_PLAYING, site,
                       OXI_NAME("function", "ox_commands_playback"),
                       OXI_NAME("commands", state->name), OXI_SITE("made", state->site)) &&
           OXI_REQUIRE(!is_over, &state->world->sink, OX_REPORT_COMMANDS_PLAYED, site,
                       OXI_NAME("function", "ox_commands_playback"),
                       OXI_NAME("commands", state->name), OXI_SITE("made", state->site));
}

// Nothing is left to be done: the buffer was played back.
static bool end_playback(oxi_commands *state) {
    OXI_ASSERT(state->info.played == oxi_commands_count(state));
    OXI_ASSERT(!state->is_playing);
    state->info.playbacks++;
    state->is_closed = true;
    state->is_stopped = false;
    return true;
}

bool ox_commands_playback_at(ox_commands commands, ox_site site) {
    const oxi_commands *state = oxi_commands_require(commands, "ox_commands_playback", site);
    return state != NULL && oxi_commands_require_free(state, "ox_commands_playback", site) &&
           oxi_commands_play(commands, site);
}

bool oxi_commands_play(ox_commands commands, ox_site site) {
    oxi_commands *state = oxi_commands_require(commands, "ox_commands_playback", site);
    if (state == NULL || !require_playable(state, site)) {
        return false;
    }
    if (oxi_commands_count(state) == 0) {
        return end_playback(state);
    }
    ox_world *world = state->world;
    if (!oxi_sync_wait(world, site)) {
        return false;
    }
    oxi_playback *playback = take_playback(state);
    if (playback == NULL || (!state->is_stopped && !begin_playback(state))) {
        return report_stopped(state, site);
    }
    state->is_playing = state->is_closed = true;
    bool is_done = play_all(playback, site);
    state->is_playing = false;
    state->is_stopped = !is_done;
    oxi_world_note_change(world, site); // what was carried out alone named its command
    oxi_world_check(world);
    return is_done ? end_playback(state) : report_stopped(state, site);
}
