// SPDX-License-Identifier: MIT
//
// What the tests of components share.

#pragma once

#include "test.h"

#include "oxbow/fields.h"
#include "types/registry.h"

/// A descriptor as OX_COMPONENT makes it, of two ints.
static inline ox_component pair_component(const char *name) {
    return (ox_component){.type = {.name = name,
                                   .text = "{ int x, y; }",
                                   .site = "pair.c:7",
                                   .size = 2 * sizeof(int),
                                   .align = _Alignof(int),
                                   .header_version = OX_VERSION}};
}

/// Registers a data component from its text.
static inline uint32_t define_component(const char *name, const char *text) {
    return ox_component_register(&(ox_component_def){.name = name, .text = text});
}

/// The info of a component of this text, called Tested, the only one there is.
static inline const ox_component_info *only_component(const char *text) {
    oxi_components_reset();
    const ox_component_info *info = ox_component_get_info(define_component("Tested", text));
    EXPECT(info != NULL);
    return info;
}
