// SPDX-License-Identifier: MIT
//
// What the units of lists share.

#pragma once

#include "base/platform.h"
#include "containers/handle.h"
#include "containers/segments.h"
#include "oxbow/list.h"

/// A list in memory.
typedef struct oxi_list_whole {
    oxi_list_state state;   ///< first: handles point here
    oxi_mutex lock;         ///< of settling
    oxi_segments *segments; ///< what jobs write; NULL until a writer is made
} oxi_list_whole;

static inline oxi_list_whole *oxi_list_whole_of(oxi_list_state *state) {
    return (oxi_list_whole *)state;
}

/// The word that says whether something is pending, for atomic use.
static inline oxi_atomic_u32 *oxi_list_limit(oxi_list_state *state) {
    return (oxi_atomic_u32 *)&state->limit;
}

/// May the list be changed in length? Settles it. @return false after a report.
bool oxi_list_may_resize(ox_list list, ox_site site);

/// Moves the elements to a block for `capacity`, at least the count. @return false after a report,
/// with nothing changed.
bool oxi_list_move(oxi_list_state *state, int64_t capacity, ox_site site);

/// The capacity that a list takes when it must hold `count` elements, more than it can: a power of
/// two, of a cache line at least. 0 after a report: there are no lists as long as that.
int64_t oxi_list_next_capacity(const oxi_list_state *state, int64_t count, ox_site site);

/// Memory for `capacity` elements. @return NULL after a report.
void *oxi_list_alloc(const oxi_list_state *state, int64_t capacity, ox_site site);

/// Takes another block in place of the present one, which is freed.
void oxi_list_adopt(oxi_list_state *state, void *data, int64_t capacity, ox_site site);

static inline size_t oxi_list_bytes(const oxi_list_state *state, int64_t count) {
    return (size_t)count * oxi_element_size(state->element);
}

static inline char *oxi_list_place(const oxi_list_state *state, int64_t index) {
    return (char *)state->data + oxi_list_bytes(state, index);
}
