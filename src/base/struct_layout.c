// SPDX-License-Identifier: MIT
//
// Layouts: the fields of a type, in one block that belongs to who scanned it.
//
// A text is scanned twice: once to count, and once to fill a block of the right size.

#include "oxbow/struct.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/struct_scan.h"
#include "base/types.h"

#include <string.h>

static const char *text_or_empty(const char *text) {
    return text != NULL ? text : "";
}

static bool report_constant_conflict(const oxi_scan_fault *fault, ox_site site) {
    return OXI_REPORT(NULL, fault->id, site, OXI_NAME("struct", text_or_empty(fault->type->name)),
                      OXI_SITE("struct_site", fault->type->site), OXI_NAME("field", fault->field),
                      OXI_NAME("constant", fault->constant),
                      OXI_INTEGER("first_value", fault->first->value),
                      OXI_SITE("first_site", fault->first->site),
                      OXI_INTEGER("second_value", fault->second->value),
                      OXI_SITE("second_site", fault->second->site));
}

static bool report_scan_fault(const oxi_scan_fault *fault, ox_site site) {
    const ox_type *type = fault->type;
    if (fault->id == OX_REPORT_CONSTANT_CONFLICT) {
        return report_constant_conflict(fault, site);
    }
    return OXI_REPORT(
        NULL, fault->id, site, OXI_NAME("struct", text_or_empty(type->name)),
        OXI_SITE("struct_site", type->site), OXI_NAME("field", fault->field),
        OXI_NAME("type", fault->type_name), OXI_NAME("why", text_or_empty(fault->text.why)),
        OXI_NAME("advice", text_or_empty(fault->text.advice)),
        OXI_NAME("constant", fault->constant), OXI_NUMBER("depth", OXI_DEEPEST_STRUCT),
        OXI_NUMBER("text_size", fault->text_size), OXI_NUMBER("text_align", fault->text_align),
        OXI_NUMBER("size", type->size), OXI_NUMBER("align", type->align));
}

static bool fill_layout(const ox_type *type, const oxi_scan *counted, ox_layout *layout,
                        ox_site site) {
    size_t block_size = oxi_scan_size(counted);
    void *block = oxi_heap_alloc(block_size, _Alignof(ox_field));
    if (block == NULL) {
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", block_size),
                          OXI_NAME("allocator", "ox_layout_create"));
    }
    oxi_scan_fill(counted, type, block, layout);
    return true;
}

bool ox_layout_create_at(const ox_type *type, ox_layout *layout, ox_site site) {
    if (!oxi_hooks_require_outside("ox_layout_create", site) ||
        !OXI_REQUIRE_ARGUMENT(layout, "ox_layout_create", site)) {
        return false;
    }
    *layout = (ox_layout){0};
    if (!OXI_REQUIRE_ARGUMENT(type, "ox_layout_create", site)) {
        return false;
    }
    if (!OXI_REQUIRE(type->text != NULL, NULL, OX_REPORT_BAD_TYPE, site,
                     OXI_NAME("name", text_or_empty(type->name)),
                     OXI_NAME("why", "it was announced without its fields"))) {
        return false;
    }
    if (!oxi_types_update(site)) {
        return false;
    }
    oxi_scan scan = {0};
    if (!oxi_scan_run(&scan, type)) {
        return report_scan_fault(&scan.fault, site);
    }
    return fill_layout(type, &scan, layout, site);
}

void ox_layout_dispose(ox_layout *layout) {
    if (layout != NULL && layout->fields != NULL) {
        oxi_heap_free((void *)(uintptr_t)layout->fields, layout->block_size, _Alignof(ox_field));
        *layout = (ox_layout){0};
    }
}

// The field called `name` right inside `parent`, anonymous structs looked through, or -1.
static int32_t find_member(const ox_layout *layout, int32_t parent, oxi_token name) {
    for (uint32_t k = 0; k < layout->field_count; k++) {
        const ox_field *field = &layout->fields[k];
        int32_t holder = field->parent;
        while (holder >= 0 && holder != parent && layout->fields[holder].name[0] == 0) {
            holder = layout->fields[holder].parent;
        }
        if (holder == parent && field->name[0] != 0 && oxi_token_is(name, field->name)) {
            return (int32_t)k;
        }
    }
    return -1;
}

int32_t ox_layout_find(const ox_layout *layout, const char *path) {
    if (layout == NULL || path == NULL) {
        return -1;
    }
    for (int32_t index = -1;;) {
        oxi_token name = {path, strcspn(path, ".")};
        index = find_member(layout, index, name);
        path += name.length;
        if (index < 0 || *path == 0) {
            return index;
        }
        path++;
    }
}
