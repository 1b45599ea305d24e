// SPDX-License-Identifier: MIT
//
// Commands as they lie in memory, and the buffers that hold them.
//
// Each thread that records has a lane: blocks of memory that are filled from the front. A lane is a
// chain of segments, each with a mark before it: what one range of a job recorded under one key, or
// main. A command is a head and what it carries. So recording takes no lock, and playback sorts
// marks, not commands.

#pragma once

#include "base/atomics.h"
#include "base/list.h"
#include "entities/world.h"
#include "jobs/state.h"
#include "oxbow/commands.h"

typedef enum oxi_command_kind {
    OXI_COMMAND_END = 0, ///< nothing follows
    OXI_COMMAND_JUMP,    ///< goes on in another block
    OXI_COMMAND_LIST,    ///< components that commands behind it have in common
    OXI_COMMAND_MARK,    ///< the next segment begins
    OXI_COMMAND_CREATE,
    OXI_COMMAND_INSTANTIATE,
    OXI_COMMAND_DESTROY,
    OXI_COMMAND_ADD,
    OXI_COMMAND_ADD_MANY,
    OXI_COMMAND_SET,
    OXI_COMMAND_REMOVE,
    OXI_COMMAND_SWITCH,
    OXI_COMMAND_BUFFER,
    // From here on commands are carried out by themselves.
    OXI_COMMAND_SWITCH_ENTITY,
    OXI_COMMAND_QUERY_ADD,
    OXI_COMMAND_QUERY_REMOVE,
    OXI_COMMAND_QUERY_SET_SHARED,
    OXI_COMMAND_QUERY_DESTROY,
    OXI_COMMAND_KINDS,
} oxi_command_kind;

enum {
    OXI_COMMAND_HAS_VALUE = 1, ///< flags of ADD and SET
    OXI_COMMAND_IS_ON = 1,     ///< flags of SWITCH and SWITCH_ENTITY
    OXI_COMMAND_ALIGN = 8,     ///< of each head
};

/// The head of a command. What it carries follows: a value, items, elements, a source, a query.
///
///     0      1       2           4      8        16     24                               size
///     | kind | flags | component | size | entity | site | what it carries                |
///
///     ADD, SET                                          | value                          |
///     CREATE with components, ADD_MANY                  | oxi_command_list * | values... |
///     INSTANTIATE                                       | source                         |
///     BUFFER                                            | count, 8 bytes | elements...   |
///     by query                                          | oxi_command_query | value      |
typedef struct oxi_command {
    uint8_t kind;
    uint8_t flags; ///< of its kind; of BUFFER an ox_buffer_change
    union {
        uint16_t component;
        uint16_t item_count; ///< of CREATE and ADD_MANY: components in their list
    };
    uint32_t size;    ///< with what it carries
    ox_entity entity; ///< of CREATE and INSTANTIATE the temporary id
    ox_site site;
} oxi_command;

/// A component in a list of CREATE or ADD_MANY.
typedef struct oxi_command_item {
    uint16_t component;
    uint16_t has_value;
    uint16_t size;   ///< of its value
    uint16_t offset; ///< of its value, from the head of the command
} oxi_command_item;

/// The components of commands that were recorded with the same list, which each points to.
typedef struct oxi_command_list {
    oxi_command head;
    uint32_t carried;   ///< bytes that such a command carries
    uint32_t archetype; ///< number of the one that it stands for; 0: none
    uint32_t count;
    oxi_command_item items[];
} oxi_command_list;

enum { OXI_KNOWN_LISTS = 4, OXI_KNOWN_COMPONENTS = 8 };

/// The end of a block that is full.
typedef struct oxi_command_jump {
    oxi_command head;
    const oxi_command *next;
} oxi_command_jump;

/// What commands by query carry: another query may have the memory of one that was destroyed.
typedef struct oxi_command_query {
    ox_query *query;
    uint64_t number; ///< of the query
} oxi_command_query;

/// The beginning of a segment.
typedef struct oxi_command_mark {
    oxi_command head;
    uint32_t order; ///< of the job; 0: main
    uint32_t first; ///< index of the range
    int32_t key;
    uint32_t reserved;
    struct oxi_command_mark *next; ///< of the lane
} oxi_command_mark;

/// Memory of a lane. Commands follow.
typedef struct oxi_command_block {
    struct oxi_command_block *next; ///< of the lane, in the order of filling
    size_t size;                    ///< of the whole block
} oxi_command_block;

/// What one thread records. {0} is empty. Blocks are filled one after the other; a segment is what
/// lies between two marks, and goes on over a jump:
///
///     chain                                            current
///       |                                                 |
///       v                                                 v
///     | block | MARK | LIST | CREATE | SET | JUMP |     | block | ADD | MARK | SET |      | room |
///               ^                            |                    ^     ^            ^      ^
///               |                            +------ next --------+     |            at     end
///           first_mark ------------------------- next -------------> last_mark
///
/// The room at the end of a block is for its jump, or for END, which oxi_lane_finish writes at
/// `at`.
typedef struct oxi_command_lane {
    _Alignas(64) char *at; ///< where the next command goes
    char *end;             ///< behind it there is room for a jump
    uint32_t order;        ///< of the last segment
    uint32_t first;
    int32_t key;
    uint32_t index;   ///< of the lane in its buffer
    uint32_t created; ///< temporary ids that it gave out
    uint64_t count;   ///< commands
    struct {
        uint32_t component; ///< of plain data; 0: none
        uint32_t size;
    } known[OXI_KNOWN_COMPONENTS]; ///< some that were used, by their last bits
    oxi_command_mark *first_mark;
    oxi_command_mark *last_mark;
    oxi_command_block *chain;
    oxi_command_block *current;
    OXI_LIST(ox_entity) made; ///< by playback: what temporary ids became; version 0: nothing yet
    const oxi_command_list *lists[OXI_KNOWN_LISTS]; ///< that were used last
    uint32_t next_list;                             ///< that is forgotten next
    uint32_t last_list;                             ///< place of the one that was used last
} oxi_command_lane;

enum { OXI_MAIN_LANE = OXI_MAX_RUNNERS, OXI_COMMANDS_NAME = 32, OXI_LANE_BITS = 7 };
_Static_assert(OXI_MAIN_LANE < 1 << OXI_LANE_BITS, "a temporary id names its lane");

/// Where playback is.
typedef struct oxi_command_cursor {
    size_t mark;           ///< place in the sequence of marks
    const oxi_command *at; ///< the next command; NULL: at the end
    uint64_t index;        ///< its number
} oxi_command_cursor;

/// A buffer. Its memory stays with the process: a handle that is kept too long finds another
/// serial.
typedef struct oxi_commands {
    oxi_atomic_u32 serial; ///< 0 while nobody has it; first, all else goes when its world ends
    uint32_t stamp;        ///< of its temporary ids, 23 bits
    uint32_t first_serial; ///< that this memory has had in this world
    uint32_t last_serial;  ///< that it has had, in whatever world
    bool is_closed;        ///< nothing can be recorded: played back, or being so
    bool is_playing;
    bool is_stopped; ///< for want of memory: playback can go on
    bool plays_often;
    bool is_owned; ///< by a system, which plays it back and disposes it
    ox_world *world;
    struct oxi_command_space *space;
    struct oxi_commands *next; ///< of the world
    char name[OXI_COMMANDS_NAME];
    const char *system; ///< who asked for it, or ""
    ox_site site;       ///< where it was made
    ox_access access;

    oxi_command_lane main;
    oxi_atomic_ptr lanes[OXI_MAX_RUNNERS]; ///< of jobs, each made by the runner that writes it

    OXI_LIST(const oxi_command_mark *) sequence; ///< of the playback that is under way
    oxi_command_cursor cursor;
    ox_commands_info info; ///< of the last playback
} oxi_commands;

/// What hangs on a world for commands.
typedef struct oxi_command_space {
    ox_world *world;
    oxi_commands *first;           ///< all buffers, used or not
    struct oxi_playback *playback; ///< memory of playbacks, or NULL
} oxi_command_space;

/// Memory for a buffer of a world, all zero but its serials. NULL when out of memory. Any thread.
oxi_commands *oxi_commands_memory_take(ox_world *world);

/// Gives it back, for other worlds. What it points to is freed.
void oxi_commands_memory_give(oxi_commands *state);

/// For tests: gives all of it back to the system. No world has any.
void oxi_commands_memory_reset(void);

/// Frees the memory of playbacks of a world. NULL is ignored.
void oxi_playback_destroy(struct oxi_playback *playback);

/// Reports that a handle is not of the buffer that has its memory. @return false.
bool oxi_commands_report_ended(const ox_commands *commands, const char *function, ox_site site);

/// True while the buffer of a handle, which is not {0}, has not ended. Any thread.
static inline bool oxi_commands_is_alive(const ox_commands *commands) {
    return oxi_load_relaxed(&commands->oxi_state->serial) == commands->oxi_serial;
}

/// The commands of a world; made when there are none. @return NULL after a report.
oxi_command_space *oxi_command_space_make(ox_world *world, ox_site site);

/// Takes a buffer for a system: `system` is kept by pointer. {0} after a report.
ox_commands oxi_commands_take(ox_world *world, const ox_commands_def *def, const char *system,
                              ox_site site);

/// Ends a buffer of a system, played back or not. Jobs that record are complete.
void oxi_commands_give(ox_commands commands, ox_site site);

/// The state of a handle that has not ended, or NULL after a report.
oxi_commands *oxi_commands_require(ox_commands commands, const char *function, ox_site site);

/// True for a buffer that no system plays back; else reports.
bool oxi_commands_require_free(const oxi_commands *state, const char *function, ox_site site);

/// Plays a buffer back, of a system or not: see ox_commands_playback_at.
bool oxi_commands_play(ox_commands commands, ox_site site);

/// Completes jobs that hold a buffer and nobody has completed. In the release library nobody knows
/// of those.
void oxi_commands_complete_jobs(const oxi_commands *state, ox_site site);

/// How many commands were recorded. No job may be recording.
uint64_t oxi_commands_count(const oxi_commands *state);

/// The lane of a job's runner, or NULL when it has recorded nothing.
static inline oxi_command_lane *oxi_commands_lane(const oxi_commands *state, uint32_t index) {
    if (index == OXI_MAIN_LANE) {
        return (oxi_command_lane *)(uintptr_t)&state->main;
    }
    // acquire: pairs with the release of the runner that made it.
    return index < OXI_MAX_RUNNERS ? oxi_load_acquire((oxi_atomic_ptr *)&state->lanes[index])
                                   : NULL;
}

// Lanes.

/// Room for a command of `size` bytes, in the segment of what runs on this thread. Its head's size
/// is set. @return NULL after a report: out of memory.
oxi_command *oxi_lane_add_slowly(oxi_command_lane *lane, uint32_t size, int32_t key, ox_site site);

static inline oxi_command *oxi_lane_add(oxi_command_lane *lane, uint32_t size, int32_t key,
                                        ox_site site) {
    if (size > (size_t)(lane->end - lane->at) || lane->order != oxi_this_run.order ||
        lane->first != oxi_this_run.first || lane->key != key) {
        return oxi_lane_add_slowly(lane, size, key, site);
    }
    OXI_ASSERT(size % OXI_COMMAND_ALIGN == 0);
    OXI_ASSERT(lane->last_mark != NULL); // a segment has begun
    oxi_command *command = (oxi_command *)(void *)lane->at;
    lane->at += size;
    lane->count++;
    command->size = size;
    return command;
}

/// Forgets all commands, and keeps some memory.
void oxi_lane_clear(oxi_command_lane *lane);

/// Frees all memory. Not the lane itself.
void oxi_lane_free(oxi_command_lane *lane);

/// Writes the end of a lane, before it is read.
void oxi_lane_finish(oxi_command_lane *lane);

// Order.

/// Lists the marks of a buffer in the order of playback, and puts its cursor at the first command.
/// @return false when out of memory.
bool oxi_commands_sort(oxi_commands *state);

/// Goes to the next command.
void oxi_cursor_next(const oxi_commands *state, oxi_command_cursor *cursor);

/// True when two commands have the same kind, flags and component, or number of items.
static inline bool oxi_command_is_like(const oxi_command *a, const oxi_command *b) {
    uint32_t first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    return first == second;
}

/// The value of ADD and SET, or NULL; that of REMOVE is none.
static inline const void *oxi_command_value(const oxi_command *command) {
    OXI_ASSERT(command->kind >= OXI_COMMAND_ADD);
    return command->flags == OXI_COMMAND_HAS_VALUE ? command + 1 : NULL;
}

/// True for ADD_MANY, and for CREATE with components.
static inline bool oxi_command_has_list(const oxi_command *command) {
    return (command->kind == OXI_COMMAND_CREATE || command->kind == OXI_COMMAND_ADD_MANY) &&
           command->item_count > 0;
}

/// The list of such a command.
static inline const oxi_command_list *oxi_command_list_of(const oxi_command *command) {
    OXI_ASSERT(oxi_command_has_list(command));
    return *(const oxi_command_list *const *)(const void *)(command + 1);
}

static inline const oxi_command_item *oxi_command_items(const oxi_command *command) {
    return oxi_command_list_of(command)->items;
}

/// The value of an item of a command, or NULL.
static inline const void *oxi_item_value(const oxi_command *command, const oxi_command_item *item) {
    return item->has_value ? (const char *)command + item->offset : NULL;
}

/// What INSTANTIATE copies.
static inline ox_entity oxi_command_source(const oxi_command *command) {
    OXI_ASSERT(command->kind == OXI_COMMAND_INSTANTIATE);
    return *(const ox_entity *)(const void *)(command + 1);
}

/// Elements of BUFFER: their count comes first.
static inline uint32_t oxi_command_element_count(const oxi_command *command) {
    OXI_ASSERT(command->kind == OXI_COMMAND_BUFFER);
    return *(const uint32_t *)(const void *)(command + 1);
}

static inline const char *oxi_command_elements(const oxi_command *command) {
    return (const char *)(command + 1) + sizeof(uint64_t);
}

/// The name of a command, for reports.
const char *oxi_command_name(const oxi_command *command);
