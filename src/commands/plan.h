// SPDX-License-Identifier: MIT
//
// Planning a window: what was judged, with all reserved that it needs. It may fail and has changed
// nothing then.
//
//     ways     | from, to, edge, lane | ...                 how entities get to their rows
//                                 |
//     lanes                  | archetype, lane, rows |      held and reserved
//
//     entities | way, blocks |                              for each touched; written for several

#pragma once

#include "commands/judge.h"
#include "storage/lanes.h"

/// How entities get to their rows.
typedef struct oxi_target_way {
    const oxi_archetype *from; ///< NULL: they are new
    const oxi_archetype *to;
    const oxi_edge *edge; ///< NULL: they are new
    uint32_t lane;
} oxi_target_way;

/// A lane that gets rows.
typedef struct oxi_target_lane {
    oxi_archetype *archetype;
    oxi_lane *lane; ///< pinned
    uint32_t count; ///< rows
    uint32_t first; ///< of them among all rows
} oxi_target_lane;

/// A block that a buffer gets.
typedef struct oxi_planned_block {
    uint32_t component;
    const oxi_buffer_kind *kind;
    char *block;
} oxi_planned_block;

/// What an entity needs that goes its own way.
typedef struct oxi_planned_entity {
    oxi_link way; ///< none: it stays where it is
    uint32_t first_block;
    uint32_t block_count;
} oxi_planned_entity;

/// What the planning of a window came to.
typedef struct oxi_planned {
    OXI_LIST(oxi_target_way) ways;
    OXI_LIST(oxi_link) signature_ways;     ///< by signature
    OXI_LIST(oxi_planned_entity) entities; ///< by touched; of those that go together not written
    OXI_LIST(oxi_target_lane) lanes;
    OXI_LIST(oxi_planned_block) blocks;
    uint32_t row_count;
    bool has_moved;   ///< an entity that was there moves
    bool has_changed; ///< one changes where it is
} oxi_planned;

/// What is needed while a window is planned, and held until it is carried out.
typedef struct oxi_planning {
    oxi_store *store;
    oxi_judging *judging; ///< for memory of the window
    const oxi_judged *judged;
    oxi_planned planned;
    size_t archetypes; ///< how many there were before
    oxi_archetype *last_from;
    const oxi_archetype *last_to;
    oxi_link last_way;          ///< of an entity that went between these; last_to NULL: none did
    oxi_link_index lane_index;  ///< by address
    OXI_LIST(uint32_t) choices; ///< shared values that are held
} oxi_planning;

/// Reserves all that a window needs. @return false when out of memory: nothing is held.
bool oxi_window_plan(oxi_planning *planning, oxi_judging *judging);

/// Lets go of what is held, after the window was carried out; or takes all back that was made.
void oxi_plan_leave(oxi_planning *planning);
void oxi_plan_cancel(oxi_planning *planning);

void oxi_planning_free(oxi_planning *planning);

/// What was planned for a touched that goes its own way.
static inline const oxi_planned_entity *oxi_planned_of(const oxi_planned *planned,
                                                       uint32_t touched) {
    OXI_ASSERT(touched < planned->entities.count);
    return &planned->entities.items[touched];
}

/// The way of a touched that does not end, or NULL when it stays where it is.
static inline const oxi_target_way *oxi_planned_way(const oxi_planned *planned,
                                                    const oxi_touched *touched, uint32_t place) {
    OXI_ASSERT(touched->to != NULL);
    oxi_link way = oxi_touched_is_several(touched)
                       ? oxi_planned_of(planned, place)->way
                       : planned->signature_ways.items[touched->signature - 1];
    OXI_ASSERT(way.number <= planned->ways.count);
    return way.number != 0 ? &planned->ways.items[oxi_link_place(way)] : NULL;
}

/// Makes sure that the buffers of an entity can hold what commands give them. @return false when
/// out of memory.
bool oxi_plan_blocks(oxi_planning *planning, const oxi_touched *touched,
                     oxi_planned_entity *entity);
