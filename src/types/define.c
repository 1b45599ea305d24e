// SPDX-License-Identifier: MIT
//
// Components that are defined at run time: a description becomes what a declaration would be.

#include "base/check.h"
#include "base/heap.h"
#include "types/kinds.h"
#include "types/registry.h"
#include "types/shape.h"

static ox_component component_of_def(const ox_component_def *def, ox_site site) {
    bool has_value = oxi_kind_said(def->kind)->has_value;
    ox_component component = {.type = {.name = def->name,
                                       .text = def->text,
                                       .site = site,
                                       .size = def->size,
                                       .align = !has_value && def->align == 0 ? 1 : def->align,
                                       .header_version = OX_VERSION},
                              .kind = def->kind,
                              .flags = def->flags,
                              .inline_capacity = def->inline_capacity};
    ox_type measured = component.type;
    bool is_given = def->size != 0 && def->align != 0;
    if (def->text != NULL && !is_given && oxi_layout_measure(&measured)) {
        component.type.size = def->size != 0 ? def->size : measured.size;
        component.type.align = def->align != 0 ? def->align : measured.align;
    }
    return component;
}

// True unless a text cannot be measured: then scanning it reports why.
static bool require_measured(const ox_component *component, ox_site site) {
    ox_type type = component->type;
    bool needs_size = type.text != NULL && (type.size == 0 || type.align == 0);
    if (!needs_size || !oxi_kind_said(component->kind)->has_value) {
        return true;
    }
    type.name = type.name != NULL ? type.name : "";
    ox_layout layout;
    bool is_readable = ox_layout_create_at(&type, &layout, site);
    ox_layout_dispose(&layout);
    return is_readable;
}

uint32_t ox_component_register_at(const ox_component_def *def, ox_site site) {
    if (!oxi_hooks_require_outside("ox_component_register", site) ||
        !OXI_REQUIRE_ARGUMENT(def, "ox_component_register", site) ||
        !OXI_REQUIRE_DEF(def, ox_component_def, site)) {
        return 0;
    }
    if (!oxi_components_update(NULL, site) || !oxi_components_update_types(site)) {
        return 0;
    }
    ox_component component = component_of_def(def, site);
    return require_measured(&component, site) ? oxi_component_add(&component, site) : 0;
}
