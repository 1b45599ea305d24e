// SPDX-License-Identifier: MIT
//
// Kinds of components as the units of this room see them: which calls are for which kind, and
// shared values on their way into the world.

#pragma once

#include "entities/world.h"
#include "storage/kind_rows.h"
#include "types/kinds.h"

/// Reports that a call is not for a kind of component. @return false.
bool oxi_report_kind(const ox_world *world, uint32_t component, const char *function,
                     const char *advice, ox_site site);

/// Reports that a call names another component than the view or lookup it goes through. @return
/// false.
bool oxi_report_other_component(const ox_world *world, const char *kind, uint32_t component,
                                uint32_t named, ox_site site);

/// Reports that a call does not reach the values of a component, with the advice that its kind has
/// for such a call; or that it has none. @return false.
bool oxi_report_unreached(const ox_world *world, uint32_t component, const char *advice,
                          const char *function, ox_site site);

/// The same for what is asked of a chunk. @return false.
bool oxi_report_no_column(const ox_world *world, uint32_t component, ox_site site);

/// True for a component with a value, with one that entities share, with a switch; else reports.
bool oxi_require_value(const ox_world *world, uint32_t component, ox_site site);
bool oxi_require_shared(const ox_world *world, uint32_t component, const char *function,
                        ox_site site);
bool oxi_require_switch(const ox_world *world, uint32_t component, const char *function,
                        ox_site site);

/// True when a term reads or writes what rows have: values or switches.
bool oxi_term_accesses(ox_term_kind kind, uint32_t component);

/// True for a component that an entity can be given by hand, with or without a value; else reports.
bool oxi_component_require_given(const ox_world *world, uint32_t component, const void *value,
                                 const char *function, ox_site site);

/// True unless an entity is destroyed but for its cleanup components: then reports.
bool oxi_require_no_residue(const ox_world *world, const oxi_record *record, ox_entity entity,
                            const char *function, ox_site site);

/// Shared values that a call gives, taken into the world.
typedef struct oxi_choices {
    oxi_shared_choice items[OXI_MAX_SHARED_TYPES];
    uint32_t count;
} oxi_choices;

/// Takes the shared ones among values. NULL counts as the default. @return false when out of
/// memory: then none is taken.
bool oxi_choices_take(ox_world *world, const ox_value *values, uint32_t count,
                      oxi_choices *choices);

/// Lets them go: lanes have them, or nothing came of it and what is new is the caller's again.
void oxi_choices_leave(ox_world *world, oxi_choices *choices);

/// Where rows go: the lane, pinned, that rows of a chunk have in `to` with these values, or NULL
/// when out of memory. Chunk 0: the rows are new.
oxi_lane *oxi_choices_find_lane(ox_world *world, oxi_archetype *to, oxi_chunk chunk,
                                const oxi_choices *choices);

/// The value of a shared component of an entity; NULL when it does not have it, is not there, or
/// the component is no such.
const void *oxi_shared_value_of(const ox_world *world, const oxi_record *record,
                                uint32_t component);

/// Sets a shared component of an entity, when it goes the same way as the last one; else false.
bool oxi_shared_set_again(ox_world *world, ox_entity entity, uint32_t component, const void *value,
                          ox_site site);

/// Sets a shared component of an entity, which has it: it moves. @return false after a report.
bool oxi_shared_set(ox_world *world, ox_entity entity, uint32_t component, const void *value,
                    ox_site site);
