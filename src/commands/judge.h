// SPDX-License-Identifier: MIT
//
// Judging a window: what each command makes of its entity, and which ids come and go, exactly as
// one by one.
//
// Commands are judged against what the ones before them made of their entity. Ids are really taken
// and freed, and noted, so that they can be put back. Archetypes are only asked for: those that
// nobody stays in are never listed.
//
// What comes of it says oxi_judged, which planning and committing read:
//
//     touched     | entity, its archetype, commands | ...     in the order of first commands
//                      |                      |
//     signatures       | one for all that have |    ops  | command | --> | command |
//                      | only this one command |              lists, of those with more
//     several     | places of those without a signature, and of those with shared values |
//     ids         | taken: touched 0 to 99 | freed: touched 100 | ...         in order

#pragma once

#include "commands/command.h"
#include "commands/link.h"
#include "storage/archetype_graph.h"
#include "storage/rows.h"

enum {
    OXI_NO_TOUCH = 0x7fffffff, ///< no place in the touched
    OXI_NEW_ROW = -1,          ///< the chunk of a record whose row is still to be made
};

/// What the record of a touched entity holds instead of its row.
#define OXI_TOUCH_MARK(place) (UINT32_C(1) << OXI_MARK_BIT | (place))

/// One command of an entity.
typedef struct oxi_touch_op {
    const oxi_command *command; ///< as recorded, or a copy with ids that exist
    oxi_link next;
} oxi_touch_op;

enum {
    OXI_TOUCH_NEW = 1,     ///< made in the window
    OXI_TOUCH_BUFFERS = 2, ///< commands change its buffers
    OXI_TOUCH_SHARED = 4,  ///< commands change its shared values
    OXI_TOUCH_LINKED = 8,  ///< the list of its group is not what its row says
};

/// An entity that commands of a window change. There may be many: it is kept small. Its record, by
/// phase (n: its place in the touched):
///
///     phase      of one that was there                of a new one
///     judge      its chunk, OXI_TOUCH_MARK(n)         OXI_NEW_ROW, OXI_TOUCH_MARK(n)
///     plan       its chunk and row                    the same
///     commit     the same; then those of its new row  those of its row, once it is filled
///
/// The record of one that ends is free from its judgement on.
typedef struct oxi_touched {
    ox_entity entity;
    oxi_row_place place; ///< before the window; {0, 0} of a new one
    oxi_archetype *to;   ///< NULL: it ends
    union {
        const oxi_command *only; ///< its only command, which has a signature
        struct {
            oxi_link first_op;
            oxi_link last_op;
        };
    };
    oxi_link copy;      ///< what it is a copy of, in `copies`
    uint16_t signature; ///< 1 + place of that of its only command; 0: it has none, or several
    uint8_t flags;      ///< OXI_TOUCH_
} oxi_touched;

/// What happened to ids of touched that follow each other, in order.
typedef enum oxi_id_kind {
    OXI_ID_TAKEN,
    OXI_ID_TAKEN_FRESH,
    OXI_ID_FREED,
    OXI_ID_KEPT ///< it became residue
} oxi_id_kind;

typedef struct oxi_id_event {
    uint32_t first; ///< touched
    uint32_t count;
    oxi_id_kind kind;
} oxi_id_event;

/// A list of components that many commands of a window have in common.
typedef struct oxi_signature {
    const oxi_command *command; ///< the first one
    oxi_archetype *from;        ///< NULL: it creates
    oxi_archetype *to;          ///< NULL: its rows would not fit in a chunk
    bool has_entities;          ///< values have entity fields
    uint8_t flags;              ///< what it changes: OXI_TOUCH_
    uint32_t next;              ///< place of the one that was asked for after it the last time
    uint32_t count;             ///< entities of which it is the only command, and that go together
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
    const char *row; ///< its values, column after column, each at a multiple of 8; then switches
    uint32_t first_patch;
    uint32_t patch_count;
} oxi_member;

/// The elements of a buffer of a member, as they were.
typedef struct oxi_captured_buffer {
    const char *elements;
    uint32_t count;
} oxi_captured_buffer;

/// An entity field of a copy that points into its instance.
typedef struct oxi_copy_patch {
    uint32_t component;
    uint32_t offset; ///< in its value; of a buffer, from the first element on
    uint32_t member; ///< what it points to, counted from the first of the instance
} oxi_copy_patch;

/// A new entity that is a copy.
typedef struct oxi_window_copy {
    uint32_t member;   ///< place of what it is a copy of
    uint32_t instance; ///< touched that is the first of its instance
} oxi_window_copy;

/// What the judging of a window came to.
typedef struct oxi_judged {
    OXI_LIST(oxi_touched) touched;
    OXI_LIST(uint32_t) several; ///< those without a signature, or with shared values
    OXI_LIST(oxi_touch_op) ops;
    OXI_LIST(oxi_signature) signatures;
    OXI_LIST(oxi_id_event) ids;
    OXI_LIST(oxi_window_copy) copies;
    OXI_LIST(oxi_member) members;
    OXI_LIST(oxi_copy_patch) patches;
    OXI_LIST(oxi_failed_command) failures;
    uint32_t count;            ///< commands
    oxi_command_cursor cursor; ///< of the one that comes after them
    bool has_touched;          ///< an entity that was there
    bool has_ended;            ///< an entity that was there ends
} oxi_judged;

/// What is instantiated: an entity with its group.
typedef struct oxi_prototype {
    uint32_t first; ///< of its members
    uint32_t count;
} oxi_prototype;

struct oxi_arena_block;

/// What is needed while a window is judged.
typedef struct oxi_judging {
    ox_world *world;
    const oxi_commands *commands;
    oxi_judged judged; ///< its cursor is at the command that is judged
    uint32_t left;     ///< commands that room was made for, and that were not judged yet
    uint32_t last_signature;
    OXI_LIST(oxi_prototype) prototypes;
    oxi_link_index prototype_index;             ///< by entity
    OXI_LIST(ox_entity) group;                  ///< of a destruction
    OXI_LIST(oxi_archetype *) group_archetypes; ///< of those that it has ended, before
    struct oxi_arena_block *arena;              ///< captured rows, and copies of commands
} oxi_judging;

/// What the judging of a command came to.
typedef enum oxi_judgement {
    OXI_JUDGE_ON,    ///< it is carried out
    OXI_JUDGE_FAILS, ///< it is skipped, which is noted
    OXI_JUDGE_ENDS,  ///< the window ends before it
    OXI_JUDGE_STOPS, ///< out of memory
} oxi_judgement;

/// Judges up to `most` commands from where the buffer is. @return why not more.
oxi_judgement oxi_window_judge(oxi_judging *judging, const oxi_commands *commands, uint32_t most);

/// Forgets the window, and keeps memory for the next one; or frees all.
void oxi_window_forget(oxi_judging *judging);
void oxi_judging_free(oxi_judging *judging);

/// Puts ids back as they were before the window.
void oxi_ids_restore(ox_world *world, const oxi_judged *judged);

/// What a temporary id stands for. @return false when it stands for nothing: `*cause` says why.
bool oxi_judge_resolve(const oxi_commands *commands, ox_entity *entity, ox_report_id *cause);

/// The signature of a touched, or NULL.
static inline const oxi_signature *oxi_touched_signature(const oxi_judged *judged,
                                                         const oxi_touched *touched) {
    OXI_ASSERT(touched->signature <= judged->signatures.count);
    return touched->signature != 0 ? &judged->signatures.items[touched->signature - 1] : NULL;
}

/// True for one that goes its own way; else it goes with all of its signature.
static inline bool oxi_touched_is_several(const oxi_touched *touched) {
    return touched->signature == 0 || oxi_archetype_has_lanes(touched->to);
}

/// What a touched is a copy of, or NULL.
static inline const oxi_window_copy *oxi_touched_copy(const oxi_judged *judged,
                                                      const oxi_touched *touched) {
    OXI_ASSERT(touched->copy.number <= judged->copies.count);
    return touched->copy.number != 0 ? &judged->copies.items[oxi_link_place(touched->copy)] : NULL;
}

/// The first command of a touched, with the way to the next one. A command of NULL: no more.
static inline oxi_touch_op oxi_ops_first(const oxi_judged *judged, const oxi_touched *touched) {
    if (touched->signature != 0) {
        return (oxi_touch_op){touched->only, {0}};
    }
    OXI_ASSERT(touched->first_op.number <= judged->ops.count);
    return touched->first_op.number != 0 ? judged->ops.items[oxi_link_place(touched->first_op)]
                                         : (oxi_touch_op){NULL, {0}};
}

static inline oxi_touch_op oxi_ops_next(const oxi_judged *judged, oxi_touch_op op) {
    OXI_ASSERT(op.next.number <= judged->ops.count);
    return op.next.number != 0 ? judged->ops.items[oxi_link_place(op.next)]
                               : (oxi_touch_op){NULL, {0}};
}

// Between the units of judging.

/// What a command finds of its entity.
typedef struct oxi_looked {
    ox_entity entity;
    oxi_record *record;
    uint32_t touched;         ///< place, or OXI_NO_TOUCH
    oxi_archetype *archetype; ///< what it is by now
} oxi_looked;

static inline bool oxi_judge_has(const oxi_judging *judging, const oxi_archetype *archetype,
                                 uint32_t component) {
    return oxi_archetype_find_place(&judging->world->store, archetype, component).type != 0;
}

static inline bool oxi_judge_has_linked(const oxi_judging *judging,
                                        const oxi_archetype *archetype) {
    return oxi_judge_has(judging, archetype, judging->world->ids.linked);
}

/// Memory of the window, aligned to at least 8. NULL when out of memory.
void *oxi_window_alloc(oxi_judging *judging, size_t size, size_t align);

/// Notes that the command at the cursor is skipped. @return OXI_JUDGE_FAILS, or OXI_JUDGE_STOPS
/// when out of memory.
oxi_judgement oxi_judge_fail(oxi_judging *judging, ox_report_id cause, ox_entity entity);

/// Looks at an entity. @return false when it is not alive.
bool oxi_judge_look(const oxi_judging *judging, ox_entity entity, oxi_looked *looked);

/// The touched of an entity, for which room was made.
oxi_touched *oxi_judge_touch(oxi_judging *judging, oxi_looked *looked);

/// Adds a new entity, for which room was made and an id was reserved.
oxi_touched *oxi_judge_make(oxi_judging *judging, oxi_archetype *archetype);

/// Makes room for `count` entities to be touched by one command; for one there always is.
/// @return false when out of memory.
bool oxi_judge_reserve(oxi_judging *judging, size_t count);

/// Ends a touched entity: its id is free from here on, until it is taken again.
void oxi_judge_end(oxi_judging *judging, uint32_t place);

/// Notes what happened to the id of a touched.
static inline void oxi_judge_note_id(oxi_judging *judging, uint32_t place, oxi_id_kind kind) {
    oxi_judged *judged = &judging->judged;
    OXI_ASSERT(judged->ids.count < judged->ids.capacity); // room was made
    judged->ids.items[judged->ids.count++] = (oxi_id_event){place, 1, kind};
}

/// Lets the commands of an entity stand in a list: there is more than one.
void oxi_judge_list(oxi_judging *judging, oxi_touched *touched);

/// Gives an entity one more command; or its first, with its signature.
void oxi_judge_add(oxi_judging *judging, oxi_touched *touched, const oxi_command *command);
void oxi_judge_begin(oxi_judging *judging, oxi_touched *touched, oxi_signature *signature,
                     const oxi_command *command);

/// What temporary ids of a lane became: the lane, which has this one; and notes it of one.
oxi_command_lane *oxi_judge_lane(const oxi_commands *commands, ox_entity temporary);
void oxi_judge_name(const oxi_judging *judging, ox_entity temporary, ox_entity made);

/// The signature of a command that adds to `from`, or creates when that is NULL; kept or not, and
/// valid until the next is asked for. NULL when out of memory.
oxi_signature *oxi_signature_get(oxi_judging *judging, oxi_archetype *from,
                                 const oxi_command *command);

/// True for one that stays through the window.
static inline bool oxi_signature_is_kept(const oxi_judged *judged, const oxi_signature *signature) {
    return (size_t)(signature - judged->signatures.items) < judged->signatures.count;
}

/// Judges commands after the one at the cursor for as long as they are like it and find what it
/// found. The cursor is left at the last of them.
void oxi_judge_creates(oxi_judging *judging, oxi_signature *signature);
void oxi_judge_adds(oxi_judging *judging, oxi_signature *signature);
void oxi_judge_destroys(oxi_judging *judging, const oxi_archetype *archetype);

/// Judges INSTANTIATE and DESTROY.
oxi_judgement oxi_judge_instantiate(oxi_judging *judging, const oxi_command *command);
oxi_judgement oxi_judge_destroy(oxi_judging *judging, const oxi_command *command);

/// Takes a command as recorded, or a copy in which temporary ids in values are what they became.
oxi_judgement oxi_judge_values(oxi_judging *judging, const oxi_command **command);

/// The bytes that a column of a member takes in its row; and where its switches begin.
size_t oxi_captured_size(const oxi_column *column);
size_t oxi_captured_bits(const oxi_archetype *archetype);

/// The elements of a buffer of a member; count 0 when it has none of the component.
oxi_captured_buffer oxi_member_buffer(const oxi_member *member, uint32_t component);
