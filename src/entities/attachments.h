// SPDX-License-Identifier: MIT
//
// Attachments: what the rooms above hang on a world. The world keeps a pointer for each, calls it
// on some occasions, and knows nothing else of it.
//
//     static oxi_attachment_type systems = {.name = "systems", .calls = {[OXI_ENDING] = end}};
//     oxi_attachment_add(world, &systems, state);
//
// A type takes one of a few places of the process when it is first added to a world, so a look is
// one load. All calls belong to the world's thread.

#pragma once

#include "base/atomics.h"
#include "oxbow/world.h"

enum { OXI_MAX_ATTACHMENTS = 8 }; ///< types of the process

/// When an attachment is called: in the order of adding, at the end in reverse.
typedef enum oxi_occasion {
    OXI_ENDING = 0,    ///< the world is destroyed; its entities are still there
    OXI_BEFORE_CHANGE, ///< a structural change comes, or is refused after all; no job is left
    OXI_AFTER_FRAME,   ///< a frame of the world ended
    OXI_SAFE_POINT,    ///< between systems, with no job of the world outstanding
    OXI_OCCASIONS,
} oxi_occasion;

/// Before a change nothing may enter the world: look at its store. On other occasions it may be
/// used and changed, but not destroyed.
typedef void oxi_attachment_fn(ox_world *world, ox_site site, void *state);

/// A kind of attachment. Static: its address is what it is known by.
typedef struct oxi_attachment_type {
    const char *name;
    oxi_attachment_fn *calls[OXI_OCCASIONS]; ///< NULL: not called
    oxi_atomic_u32 slot;                     ///< 1 + its place in worlds, 0: none yet
} oxi_attachment_type;

/// The attachments of one world. {0} has none.
typedef struct oxi_attachments {
    void *states[OXI_MAX_ATTACHMENTS];               ///< by place, NULL: not there
    oxi_attachment_type *added[OXI_MAX_ATTACHMENTS]; ///< those there, in the order of adding
    uint32_t count;
    const char *told;      ///< who is being called, NULL: nobody
    oxi_occasion occasion; ///< of that call
} oxi_attachments;

/// Hangs `state`, which is not NULL, on a world. Allocates nothing.
/// @return false when the world has one of that type, or the process more types than places.
bool oxi_attachment_add(ox_world *world, oxi_attachment_type *type, void *state);

/// The state of that type, or NULL.
void *oxi_attachment_get(const ox_world *world, oxi_attachment_type *type);

/// Takes an attachment off, without a call. @return its state, or NULL when there was none.
void *oxi_attachment_remove(ox_world *world, oxi_attachment_type *type);

/// Calls all attachments that want to hear of an occasion. At the end they go as they are called.
void oxi_attachments_tell(ox_world *world, oxi_occasion occasion, ox_site site);
