// SPDX-License-Identifier: MIT
//
// Playing a buffer back: window after window, and commands that are no part of one by themselves.
//
// A window ends before a command that is carried out by itself (by query, a whole entity switched),
// before an instantiation of what it has changed, before a group is destroyed whose list it has
// changed, and after 64 Ki commands. Without memory it is halved. What failed is reported when its
// window is over: a handler sees a world that is whole.

#include "commands/commit.h"

#include "entities/query.h"
#include "entities/sync.h"
#include "oxbow/queries.h"
#include "storage/archetype.h"

enum { WINDOW_COMMANDS = 1 << 16 };

/// Memory of playbacks, one window after the other.
typedef struct oxi_playback {
    ox_world *world;
    oxi_commands *state;
    oxi_judging judging;
    oxi_planning planning;
    oxi_committing committing;
} oxi_playback;

void oxi_playback_destroy(oxi_playback *playback) {
    if (playback == NULL) {
        return;
    }
    oxi_judging_free(&playback->judging);
    oxi_planning_free(&playback->planning);
    oxi_committing_free(&playback->committing);
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
        *space->playback =
            (oxi_playback){.world = space->world, .judging = {.world = space->world}};
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
    oxi_judged *judged = &playback->judging.judged;
    OXI_LIST(oxi_failed_command)
    failures = {judged->failures.items, judged->failures.count, judged->failures.capacity};
    judged->failures.items = NULL;
    judged->failures.count = judged->failures.capacity = 0;
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

// Judges up to `most` commands, and reserves what they need. @return how many there are; 0: out of
// memory, or there are none.
static uint32_t prepare_window(oxi_playback *playback, uint32_t most) {
    oxi_judged *judged = &playback->judging.judged;
    while (most > 0) {
        oxi_window_forget(&playback->judging);
        oxi_judgement judgement = oxi_window_judge(&playback->judging, playback->state, most);
        if (judged->count == 0 && judgement == OXI_JUDGE_ENDS) {
            return 0;
        }
        if (judged->count == 0) {
            most /= 2; // there is no room to judge so many
            continue;
        }
        if (oxi_window_plan(&playback->planning, &playback->judging)) {
            if (oxi_commit_reserve(&playback->committing, playback->world, judged,
                                   &playback->planning.planned)) {
                return judged->count;
            }
            oxi_plan_cancel(&playback->planning);
        }
        oxi_ids_restore(playback->world, judged);
        most = judged->count / 2;
    }
    return 0;
}

// Carries commands out up to the end of a window. @return false when out of memory, for even one.
static bool play_window(oxi_playback *playback, ox_site site) {
    oxi_commands *state = playback->state;
    OXI_ASSERT(state->info.played < oxi_commands_count(state));
    OXI_ASSERT(state->cursor.index == state->info.played);
    uint64_t left = oxi_commands_count(state) - state->info.played;
    // A handler that heard of the last window may have scheduled jobs.
    if (!oxi_sync_wait(playback->world, site)) {
        return false;
    }
    uint32_t count =
        prepare_window(playback, left < WINDOW_COMMANDS ? (uint32_t)left : WINDOW_COMMANDS);
    if (count == 0) {
        return false;
    }
    oxi_sync_tell(playback->world, site);
    oxi_world_note_change(playback->world, site);
    oxi_window_commit(&playback->committing, &state->info, site);
    oxi_plan_leave(&playback->planning);
    state->info.played += count;
    state->cursor = playback->judging.judged.cursor;
    report_failures(playback);
    return true;
}

// Commands that are carried out by themselves, by the calls of the same name. What such a call
// reports is caught, and becomes the failure of the command.

// The first report of a call.
static void catch_report(const ox_report *report, void *context) {
    ox_report_id *caught = context;
    *caught = *caught == OX_REPORT_NONE ? report->id : *caught;
}

// The query of a command, while it lives. NULL when it was destroyed.
static ox_query *find_recorded_query(const oxi_playback *playback, const oxi_command *command) {
    OXI_ASSERT(command->kind >= OXI_COMMAND_QUERY_ADD);
    const oxi_command_query *named = (const oxi_command_query *)(const void *)(command + 1);
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

static bool play_alone(oxi_playback *playback) {
    oxi_commands *state = playback->state;
    const oxi_command *command = state->cursor.at;
    oxi_judging *judging = &playback->judging;
    ox_entity entity = command->entity;
    ox_report_id cause = OX_REPORT_NONE;
    OXI_ASSERT(state->info.played < oxi_commands_count(state));
    OXI_ASSERT(command->kind >= OXI_COMMAND_SWITCH_ENTITY);
    oxi_window_forget(judging);
    judging->judged.cursor = state->cursor;
    if (!ox_entity_is_temporary(entity) || oxi_judge_resolve(state, &entity, &cause)) {
        cause = run_command(playback, command, entity);
    }
    if (cause == OX_REPORT_OUT_OF_MEMORY ||
        (cause != OX_REPORT_NONE && oxi_judge_fail(judging, cause, entity) == OXI_JUDGE_STOPS)) {
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
    oxi_window_forget(&playback->judging);
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
