// SPDX-License-Identifier: MIT
//
// Private: calls for buffers, with the arguments of those for values.

#pragma once

#include "oxbow/entities.h"

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
