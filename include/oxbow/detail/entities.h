// SPDX-License-Identifier: MIT
//
// Private: lists of values, and calls for buffers with the arguments of those for values.

#pragma once

#include "oxbow/entities.h"

// Calls `call` with an object and a list of values that OXI_NO_VALUE ends, so that the list may be
// empty: ISO C cannot test whether it is.
#define OXI_CALL_WITH_VALUES(call, object, ...)                                                    \
    call(object, OXI_ARRAY(ox_value, __VA_ARGS__), OXI_LENGTH(ox_value, __VA_ARGS__) - 1, OX_HERE)
#define OXI_NO_VALUE OXI_BRACED(ox_value, 0, NULL)

static inline ox_buffer oxi_get_buffer(ox_world *world, ox_entity entity, uint32_t component,
                                       ox_site site) {
    return ox_get_buffer_at(world, entity, component, false, site);
}

static inline ox_buffer oxi_edit_buffer(ox_world *world, ox_entity entity, uint32_t component,
                                        ox_site site) {
    return ox_get_buffer_at(world, entity, component, true, site);
}

static inline ox_buffer oxi_singleton_get_buffer(ox_world *world, uint32_t component,
                                                 ox_site site) {
    return ox_singleton_get_buffer_at(world, component, false, site);
}

static inline ox_buffer oxi_singleton_edit_buffer(ox_world *world, uint32_t component,
                                                  ox_site site) {
    return ox_singleton_get_buffer_at(world, component, true, site);
}
