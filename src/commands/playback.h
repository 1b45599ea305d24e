// SPDX-License-Identifier: MIT
//
// Playing commands back, in windows.
//
// A window is walked: each command is judged against what the ones before it made of its entity,
// ids are taken and freed as they would be one by one, and what comes of each entity is noted. Then
// all memory is reserved: when that fails ids are put back, and nothing was changed. Then the
// window is committed, which cannot fail: rows of those that end are removed; rows for those that
// move or are new are added, in the order of the first command that each one met; rows are filled,
// by jobs where there are many; rows that were left are removed.
//
// A window ends before a command that is carried out by itself (by query, a whole entity switched),
// before an instantiation of what it has changed, before a group is destroyed whose list it has
// changed, and after 64 Ki commands. Without memory it is halved.

#pragma once

#include "commands/command.h"
#include "storage/archetype_graph.h"
#include "storage/lanes.h"
#include "storage/rows.h"

enum {
    OXI_WINDOW_COMMANDS = 1 << 16,
    OXI_NO_TOUCH = 0x7fffffff, ///< no place in the touched
    OXI_NEW_ROW = -1,          ///< the chunk of a record whose row is still to be made
};

/// One command of an entity.
typedef struct oxi_touch_op {
    const oxi_command *command; ///< as recorded, or a copy with ids that exist
    uint32_t next;              ///< 1 + place of the next one, 0: the last
} oxi_touch_op;

enum {
    OXI_TOUCH_NEW = 1,     ///< made in the window
    OXI_TOUCH_BUFFERS = 2, ///< commands change its buffers
    OXI_TOUCH_SHARED = 4,  ///< commands change its shared values
    OXI_TOUCH_LINKED = 8,  ///< the list of its group is not what its row says
};

/// An entity that commands of a window change. There may be many: it is kept small. What it holds,
/// and what its record says, by phase (MARK: the top bit; n: its place in the touched):
///
///     phase    record of one that was there   of a new one          place        way
///     walk     its chunk, MARK | n            NEW_ROW, MARK | n     old row      0
///     walked   its chunk and row              the same              old row      0
///     prepare  the same                       the same              old row      1 + place, or 0
///     place    the same                       the same              new row (1)
///     fill     the same                       its new row           new row
///     leave    its new row, or as before                            new row
///     change   the same                                             where it is
///
/// (1) Of one that gets a row. A new one has no old row: {0, 0}. The record of one that ends is
/// free from the walk on, and its row is removed before rows are placed. Where removals swap rows,
/// ids are as before the walk while that is done.
typedef struct oxi_touched {
    ox_entity entity;
    oxi_row_place place; ///< before the window; once rows are placed, that of one that gets a row
    oxi_archetype *to;   ///< NULL: it ends; listed when it is prepared
    union {
        const oxi_command *only; ///< its only command, which has a signature
        struct {
            uint32_t first_op; ///< 1 + place; 0: none
            uint32_t last_op;
        };
    };
    uint32_t way;       ///< prepared: 1 + place, of one that gets a row; else 0
    uint32_t extra;     ///< 1 + place of what only some have; 0: none
    uint16_t signature; ///< 1 + place of that of its only command; 0: it has none, or several
    uint8_t flags;      ///< OXI_TOUCH_
} oxi_touched;

/// What copies have, and those whose buffers grow.
typedef struct oxi_touch_extra {
    uint32_t copied;      ///< 1 + place of the member that it is a copy of; 0: it is none
    uint32_t instance;    ///< of a copy: place of the first of its instance
    uint32_t first_block; ///< of those that its buffers get
    uint32_t block_count;
} oxi_touch_extra;

/// What happened to ids, in order.
typedef enum oxi_id_kind {
    OXI_ID_TAKEN,
    OXI_ID_TAKEN_FRESH,
    OXI_ID_FREED,
    OXI_ID_KEPT ///< it became residue
} oxi_id_kind;

typedef struct oxi_id_event {
    uint32_t touched;
    oxi_id_kind kind;
} oxi_id_event;

/// How entities get to their rows.
typedef struct oxi_target_way {
    const oxi_archetype *from; ///< NULL: they are new
    const oxi_archetype *to;
    const oxi_edge *edge; ///< NULL: they are new
    uint32_t lane;
} oxi_target_way;

/// A list of components that many commands of a window have in common.
typedef struct oxi_signature {
    const oxi_command *command; ///< the first one
    oxi_archetype *from;        ///< NULL: it creates
    oxi_archetype *to;          ///< NULL: its rows would not fit in a chunk
    bool changes_linked;        ///< one of them has a linked group, and the other has none
    bool has_entities;
    bool has_shared;
    uint32_t next;  ///< place of the one that was asked for after it the last time
    uint32_t count; ///< entities of which it is the only command
    uint32_t way;   ///< of these, prepared: as in oxi_touched
} oxi_signature;

/// A command that was skipped.
typedef struct oxi_failed_command {
    const oxi_command *command;
    uint64_t index;
    ox_report_id cause;
    ox_entity entity;
} oxi_failed_command;

/// An entity that is instantiated, as it was when it first was in the window.
typedef struct oxi_member {
    ox_entity entity;
    oxi_archetype *to; ///< of its copies
    const oxi_archetype *archetype;
    oxi_row_place place;
    const char *row; ///< its values, column behind column, each at a multiple of 8
    uint32_t first_patch;
    uint32_t patch_count;
} oxi_member;

/// A source with its group.
typedef struct oxi_prototype {
    ox_entity source;
    uint32_t first; ///< of its members
    uint32_t count;
} oxi_prototype;

/// An entity field of a copy that points into its instance.
typedef struct oxi_copy_patch {
    uint32_t component;
    uint32_t offset; ///< in its value; of a buffer, from the first element on
    uint32_t member; ///< what it points to, counted from the first of the instance
} oxi_copy_patch;

/// A lane that gets rows.
typedef struct oxi_target_lane {
    oxi_archetype *archetype;
    oxi_lane *lane; ///< pinned
    uint32_t count; ///< rows
    uint32_t first; ///< of them in `placed`
    uint32_t done;  ///< of them that have a row
    oxi_rows open;  ///< rows that were added and are not given to anybody yet
} oxi_target_lane;

/// Rows of one chunk that are filled together.
typedef struct oxi_target_run {
    uint32_t lane;
    uint32_t first; ///< in `placed`
    oxi_rows rows;
} oxi_target_run;

/// A block that a buffer gets.
typedef struct oxi_planned_block {
    uint32_t component;
    const oxi_buffer_kind *kind;
    char *block; ///< NULL once it was used
} oxi_planned_block;

/// All that a playback needs. Its lists keep their memory from window to window.
typedef struct oxi_playback {
    ox_world *world;
    oxi_commands *state;

    // The window.
    oxi_command_cursor cursor; ///< of the command that is walked
    OXI_LIST(oxi_touched) touched;
    OXI_LIST(uint32_t) several; ///< those without a signature
    OXI_LIST(oxi_touch_extra) extras;
    uint32_t left;    ///< commands that room was made for, and that were not walked yet
    bool has_touched; ///< an entity that was there
    bool has_ended;   ///< an entity that was there ends
    OXI_LIST(oxi_touch_op) ops;
    OXI_LIST(oxi_id_event) ids;
    OXI_LIST(oxi_signature) signatures;
    uint32_t last_signature;
    OXI_LIST(oxi_failed_command) failures;
    OXI_LIST(oxi_prototype) prototypes;
    OXI_LIST(uint32_t) prototype_index; ///< 1 + place by source, open addressing
    OXI_LIST(oxi_member) members;
    OXI_LIST(oxi_copy_patch) patches;
    OXI_LIST(ox_entity) group;                  ///< of a destruction
    OXI_LIST(oxi_archetype *) group_archetypes; ///< of those that it has ended, before
    struct oxi_arena_block *arena;              ///< rows and commands of the window

    // Prepared.
    size_t archetypes; ///< how many there were before
    OXI_LIST(oxi_target_way) ways;
    OXI_LIST(oxi_target_lane) lanes;
    oxi_target_way last_way;       ///< that was found; `lane` is 1 + its place, 0: it stays
    bool has_moved;                ///< an entity that was there moves
    bool has_changed;              ///< one changes where it is
    OXI_LIST(uint32_t) lane_index; ///< 1 + place by address, open addressing
    OXI_LIST(uint32_t) choices;    ///< shared values that are held
    OXI_LIST(uint32_t) placed;     ///< touched that get rows, lane by lane
    OXI_LIST(oxi_target_run) runs;
    OXI_LIST(oxi_row_place) left_rows; ///< room for one of each, where removals swap rows
    OXI_LIST(oxi_planned_block) blocks;
} oxi_playback;

void oxi_playback_destroy(oxi_playback *playback);

/// Memory of the window, 8-aligned or more. NULL when out of memory.
void *oxi_playback_alloc(oxi_playback *playback, size_t size, size_t align);

/// What the walk of a window came to.
typedef enum oxi_walk_result {
    OXI_WALK_ON,    ///< the command was judged
    OXI_WALK_ENDS,  ///< the window ends before it
    OXI_WALK_STOPS, ///< there is no memory for it
} oxi_walk_result;

/// Walks up to `most` commands from the cursor on.
/// @return how many were walked; `*result` says why not more.
uint32_t oxi_window_walk(oxi_playback *playback, uint32_t most, oxi_walk_result *result);

/// Puts ids back as they were before the walk.
void oxi_window_restore(oxi_playback *playback);

/// Takes and frees them again, those of new entities with their rows.
void oxi_window_repeat(oxi_playback *playback);

/// Forgets the window.
void oxi_window_clear(oxi_playback *playback);

/// Reserves all that a window needs. @return false when out of memory: nothing is held.
bool oxi_window_prepare(oxi_playback *playback);

/// Carries a window out.
void oxi_window_commit(oxi_playback *playback, ox_site site);

// Parts of the walk.

/// What a command finds of its entity.
typedef struct oxi_looked {
    ox_entity entity;
    oxi_record *record;
    uint32_t touched;         ///< place, or OXI_NO_TOUCH
    oxi_archetype *archetype; ///< what it is by now
} oxi_looked;

static inline bool oxi_walk_has(const oxi_playback *playback, const oxi_archetype *archetype,
                                uint32_t component) {
    return oxi_archetype_find_place(&playback->world->store, archetype, component).type != 0;
}

static inline bool oxi_walk_has_linked(const oxi_playback *playback,
                                       const oxi_archetype *archetype) {
    return oxi_walk_has(playback, archetype, playback->world->ids.linked);
}

/// Notes that the command at the cursor is skipped. @return OXI_WALK_ON, or OXI_WALK_STOPS when out
/// of memory.
oxi_walk_result oxi_walk_fail(oxi_playback *playback, ox_report_id cause, ox_entity entity);

/// What a temporary id stands for. @return false when it stands for nothing: `*cause` says why.
bool oxi_walk_resolve(const oxi_playback *playback, ox_entity *entity, ox_report_id *cause);

/// Looks at an entity. @return false when it is not alive.
bool oxi_walk_look(oxi_playback *playback, ox_entity entity, oxi_looked *looked);

static inline oxi_touch_extra *oxi_touched_extra(const oxi_playback *playback,
                                                 const oxi_touched *touched) {
    OXI_ASSERT(touched->extra <= playback->extras.count);
    return touched->extra != 0 ? &playback->extras.items[touched->extra - 1] : NULL;
}

/// 1 + the place of the way of an entity that gets a row, else 0.
static inline uint32_t oxi_touched_way(const oxi_playback *playback, const oxi_touched *touched) {
    OXI_ASSERT(touched->signature <= playback->signatures.count);
    OXI_ASSERT(touched->way <= playback->ways.count);
    return touched->signature != 0 && touched->way == 0
               ? playback->signatures.items[touched->signature - 1].way
               : touched->way;
}

/// The touched of an entity, for which room was made.
oxi_touched *oxi_walk_touch(oxi_playback *playback, oxi_looked *looked);

/// Lets the commands of an entity stand in a list: there is more than one.
void oxi_walk_several(oxi_playback *playback, oxi_touched *touched);

/// Ends a touched entity: its id is free from here on, until it is taken again.
void oxi_walk_end(oxi_playback *playback, uint32_t place);

/// Adds a new entity, for which room was made and an id was reserved.
oxi_touched *oxi_walk_make(oxi_playback *playback, oxi_archetype *archetype);

/// Makes room for `count` entities to be touched by one command; for one there always is.
/// @return false when out of memory.
bool oxi_walk_reserve(oxi_playback *playback, size_t count);

/// True when the command behind the one at the cursor is the same for another entity. Behind the
/// last of a block is a jump, or the end.
static inline bool oxi_walk_goes_on(const oxi_playback *playback) {
    const oxi_command *at = playback->cursor.at;
    return oxi_command_is_like(at,
                               (const oxi_command *)(const void *)((const char *)at + at->size));
}

/// Walks commands behind the one at the cursor for as long as they are like it and find what it
/// found: then nothing has to be judged. The cursor is left at the last of them.
void oxi_run_creates(oxi_playback *playback, uint16_t signature, uint8_t flags);
void oxi_run_adds(oxi_playback *playback, uint16_t signature, uint8_t flags);
void oxi_run_destroys(oxi_playback *playback, const oxi_archetype *archetype);

/// The walk of INSTANTIATE and DESTROY.
oxi_walk_result oxi_walk_instantiate(oxi_playback *playback, const oxi_command *command);
oxi_walk_result oxi_walk_destroy(oxi_playback *playback, const oxi_command *command);

/// The command itself, or a copy in which temporary ids in values are what they became.
/// @return OXI_WALK_ENDS when one stands for nothing: `*cause` says why.
oxi_walk_result oxi_walk_values(oxi_playback *playback, const oxi_command **command,
                                ox_report_id *cause);

/// What the temporary ids of a lane became, by their number; and notes it of one.
oxi_command_lane *oxi_walk_lane(const oxi_playback *playback, ox_entity temporary);
void oxi_walk_name(const oxi_playback *playback, ox_entity temporary, ox_entity made);

// Parts of the commit.

/// Makes sure that the buffers of an entity can hold what commands give them.
bool oxi_blocks_plan(oxi_playback *playback, oxi_touched *touched);

/// The elements of a buffer of a member, as they were.
typedef struct oxi_captured_buffer {
    const char *elements;
    uint32_t count;
} oxi_captured_buffer;

/// Of a buffer of a member; count 0 when it has none of the component.
oxi_captured_buffer oxi_member_buffer(const oxi_member *member, uint32_t component);

/// Writes the values of a member to a row that is zero.
void oxi_copy_write(const oxi_playback *playback, const oxi_touched *touched);

/// Gives buffers of an entity the blocks that were planned for them.
void oxi_blocks_use(const oxi_playback *playback, const oxi_touched *touched);

/// Fills rows of a run. Any thread.
void oxi_run_fill(const oxi_playback *playback, const oxi_target_run *run);

/// Carries the commands of an entity out on its row.
void oxi_ops_apply(const oxi_playback *playback, const oxi_touched *touched);

/// Carries a command out that is no part of a window. @return false when out of memory.
bool oxi_command_run_alone(oxi_playback *playback, const oxi_command *command);
