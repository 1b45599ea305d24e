// SPDX-License-Identifier: MIT
//
// What a component may be: its name, kind, size and alignment, and what stands in its fields.
//
// The cheap rules come first: a size is known to be small before the fields of a value are walked.

#include "types/rules.h"

#include "base/constants.h"
#include "base/struct_text.h"
#include "base/types.h"
#include "types/kinds.h"

#include <string.h>

enum { LONGEST_COMPONENT_NAME = 127 };

static const char advice_name[] = "give it a name of letters, digits and '_'";

static bool fail_component(oxi_component_fault *fault, const char *why, const char *advice) {
    *fault = (oxi_component_fault){.id = OX_REPORT_BAD_COMPONENT, .why = why, .advice = advice};
    return false;
}

bool oxi_component_fail_conflict(oxi_component_fault *fault, const char *difference,
                                 ox_site first_site) {
    *fault = (oxi_component_fault){
        .id = OX_REPORT_COMPONENT_CONFLICT, .difference = difference, .first_site = first_site};
    return false;
}

// Name and kind.

static bool judge_name(const char *name, oxi_component_fault *fault) {
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || length > LONGEST_COMPONENT_NAME) {
        return fail_component(fault, "its name must have 1 to 127 characters", advice_name);
    }
    oxi_token token = oxi_token_peek(name);
    if (!oxi_token_is_word(token) || token.text != name || token.length != length) {
        return fail_component(fault, "its name is not a C identifier", advice_name);
    }
    const ox_type *c_type = oxi_c_type_find(name, length);
    if (c_type != NULL && c_type->scalar != OX_SCALAR_NONE) {
        return fail_component(fault, "its name belongs to a number of C",
                              "put the number into a struct of its own");
    }
    return true;
}

static bool judge_flags(const ox_component *component, oxi_component_fault *fault) {
    const uint32_t known = OX_COMPONENT_ENABLEABLE | OX_COMPONENT_CLEANUP;
    if ((component->flags & ~known) != 0) {
        return fail_component(fault, "it has flags that are not known",
                              "use OX_COMPONENT_ENABLEABLE and OX_COMPONENT_CLEANUP, or 0");
    }
    const oxi_kind_ops *kind = oxi_kind_said(component->kind);
    if (kind->stays_on != NULL && (component->flags & OX_COMPONENT_ENABLEABLE) != 0) {
        return fail_component(fault, kind->stays_on,
                              "leave OX_COMPONENT_ENABLEABLE out, or add a tag that has it");
    }
    if (!kind->in_buffer && component->inline_capacity != 0) {
        return fail_component(fault, "only a buffer has inline elements",
                              "set its inline capacity to 0");
    }
    return component->inline_capacity >= OX_INLINE_NONE ||
           fail_component(fault, "its inline capacity is negative",
                          "use a number of elements, OX_INLINE_DEFAULT or OX_INLINE_NONE");
}

static bool judge_kind(const ox_component *component, oxi_component_fault *fault) {
    if (!oxi_kind_is_known(component->kind)) {
        return fail_component(fault, "its kind is not known", "use an ox_component_kind");
    }
    if (!judge_flags(component, fault)) {
        return false;
    }
    bool has_value = oxi_kind_said(component->kind)->has_value;
    if (!has_value && (component->type.text != NULL || component->type.size != 0)) {
        return fail_component(fault, "a tag has no fields and no size",
                              "make it a data component, or leave text and size out");
    }
    if (has_value && component->type.size == 0) {
        return fail_component(fault, "all but a tag have a size",
                              "give its size and alignment, or its text; or make it a tag");
    }
    return true;
}

// Against what exists.

static const char *component_body(const ox_type *type) {
    return type->expanded != NULL ? type->expanded : type->text;
}

static const char *difference_of_types(const ox_type *first, const ox_type *second) {
    if (second->text != NULL && (!oxi_text_same(component_body(first), component_body(second)) ||
                                 !oxi_text_same(first->text, second->text))) {
        return "their fields";
    }
    if (second->text != NULL &&
        !oxi_constants_agree(component_body(second), first->scope, second->scope)) {
        return "the lengths of their arrays";
    }
    if (first->size != second->size) {
        return "their size";
    }
    return first->align != second->align ? "their alignment" : NULL;
}

const char *oxi_component_difference(const ox_component *first, const ox_component *second) {
    if (first->kind != second->kind) {
        return "their kind";
    }
    if (first->flags != second->flags || first->inline_capacity != second->inline_capacity) {
        return "their flags";
    }
    return difference_of_types(&first->type, &second->type);
}

// Takes the type of this name from the table when there is one.
static bool settle_type(const ox_component *component, oxi_component_shape *shape,
                        oxi_component_fault *fault) {
    const ox_type *own = &component->type;
    const ox_type *known = NULL;
    bool has_value = oxi_kind_said(component->kind)->has_value;
    if (has_value) {
        known = oxi_type_lookup(own->name, strlen(own->name));
    }
    shape->is_new = known == NULL && has_value;
    shape->type = known != NULL ? *known : *own;
    shape->type.site = own->site;
    if (known == NULL) {
        return true;
    }
    const char *difference = difference_of_types(known, own);
    return difference == NULL || oxi_component_fail_conflict(fault, difference, known->site);
}

// Size and alignment.

// The elements of a buffer that lie in a row must fit there, behind their head.
static bool judge_inline(const ox_component *component, oxi_component_fault *fault) {
    const ox_component_info info = {
        .kind = component->kind,
        .size = (uint32_t)component->type.size,
        .align = (uint32_t)component->type.align,
        .inline_capacity = oxi_inline_capacity(component),
    };
    return oxi_row_size(&info) <= OX_MAX_COMPONENT_SIZE ||
           fail_component(fault, "its inline elements do not fit into a chunk",
                          "give it fewer of them, or OX_INLINE_NONE");
}

static bool judge_size(const ox_type *type, oxi_component_fault *fault) {
    if (type->size > OX_MAX_COMPONENT_SIZE) {
        *fault = (oxi_component_fault){.id = OX_REPORT_COMPONENT_TOO_LARGE};
        return false;
    }
    if (type->align == 0 || type->align > OX_MAX_COMPONENT_ALIGN ||
        (type->align & (type->align - 1)) != 0) {
        *fault = (oxi_component_fault){.id = OX_REPORT_COMPONENT_ALIGNMENT};
        return false;
    }
    return type->size % type->align == 0 ||
           fail_component(fault, "its size is not a multiple of its alignment",
                          "pass what sizeof and _Alignof say");
}

// Fields.

static bool fail_at_field(oxi_component_fault *fault, ox_report_id id, const ox_layout *layout,
                          const ox_field *field) {
    *fault = (oxi_component_fault){.id = id};
    fault->type_name = field->type != NULL ? field->type->name : "";
    oxi_layout_path(layout, field, fault->field, sizeof fault->field);
    return false;
}

static bool judge_field(const ox_layout *layout, const ox_field *field,
                        oxi_component_fault *fault) {
    if (oxi_type_has_role(field->type, "container")) {
        return fail_at_field(fault, OX_REPORT_COMPONENT_CONTAINER, layout, field);
    }
    if (field->kind == OX_FIELD_POINTER && (field->marks & OX_MARK_UNOWNED) == 0) {
        return fail_at_field(fault, OX_REPORT_COMPONENT_POINTER, layout, field);
    }
    return true;
}

// The struct that a field's name belongs to: anonymous ones lend their fields to what holds them.
static int32_t holder_of(const ox_layout *layout, const ox_field *field) {
    int32_t holder = field->parent;
    while (holder >= 0 && layout->fields[holder].name[0] == 0) {
        holder = layout->fields[holder].parent;
    }
    return holder;
}

// A compiler refuses two fields of one name, but a text may come from elsewhere.
static bool is_name_unique(const ox_layout *layout, uint32_t index) {
    const ox_field *field = &layout->fields[index];
    if (field->name[0] == 0) {
        return true;
    }
    int32_t holder = holder_of(layout, field);
    for (uint32_t k = holder < 0 ? 0 : (uint32_t)holder + 1; k < index; k++) {
        const ox_field *other = &layout->fields[k];
        if (strcmp(other->name, field->name) == 0 && holder_of(layout, other) == holder) {
            return false;
        }
    }
    return true;
}

static bool judge_fields(const ox_layout *layout, bool may_own, oxi_component_fault *fault) {
    for (uint32_t k = 0; k < layout->field_count; k++) {
        if (!may_own && !judge_field(layout, &layout->fields[k], fault)) {
            return false;
        }
        if (!is_name_unique(layout, k)) {
            return fail_component(fault, "two of its fields have the same name",
                                  "give each field of a struct a name of its own");
        }
    }
    return true;
}

static bool judge_layout(const ox_component *component, oxi_component_shape *shape,
                         oxi_component_fault *fault) {
    bool may_own = oxi_kind_said(component->kind)->may_own;
    if (!may_own && oxi_type_has_role(&shape->type, "container")) {
        *fault = (oxi_component_fault){.id = OX_REPORT_COMPONENT_CONTAINER,
                                       .type_name = shape->type.name};
        return false;
    }
    if (shape->type.text == NULL) {
        return true;
    }
    oxi_layout_result result = oxi_layout_make(&shape->type, &shape->layout);
    if (result == OXI_LAYOUT_NO_MEMORY) {
        *fault = (oxi_component_fault){.id = OX_REPORT_OUT_OF_MEMORY, .bytes = sizeof(ox_field)};
        return false;
    }
    if (result == OXI_LAYOUT_REFUSED) {
        // What was refused is the type of the table, if there is one.
        const ox_type *known = oxi_type_lookup(shape->type.name, strlen(shape->type.name));
        *fault = (oxi_component_fault){.id = OX_REPORT_BAD_TYPE,
                                       .scanned = known != NULL ? known : &component->type};
        return false;
    }
    if (!judge_fields(&shape->layout, may_own, fault)) {
        ox_layout_dispose(&shape->layout);
        return false;
    }
    return true;
}

bool oxi_component_judge(const ox_component *component, oxi_component_shape *shape,
                         oxi_component_fault *fault) {
    *shape = (oxi_component_shape){.type = component->type};
    if (component->type.header_version / 1000 != OX_VERSION / 1000) {
        *fault = (oxi_component_fault){.id = OX_REPORT_VERSION_MISMATCH};
        return false;
    }
    return judge_name(component->type.name, fault) && judge_kind(component, fault) &&
           settle_type(component, shape, fault) && judge_size(&component->type, fault) &&
           judge_inline(component, fault) && judge_layout(component, shape, fault);
}

// Reports.

static const char *shown_text(const char *text) {
    return text != NULL ? text : "";
}

// Scans the text again, which reports what is wrong with it.
static bool report_text_of_component(const ox_type *type, ox_site site) {
    ox_layout layout;
    bool is_readable = ox_layout_create_at(type, &layout, site);
    ox_layout_dispose(&layout);
    return is_readable;
}

bool oxi_component_report(const ox_component *component, const oxi_component_fault *fault,
                          ox_site site) {
    const ox_type *type = &component->type;
    if (fault->id == OX_REPORT_VERSION_MISMATCH) {
        return ox_version_check_at(type->header_version, type->site);
    }
    if (fault->scanned != NULL) {
        return report_text_of_component(fault->scanned, site);
    }
    return OXI_REPORT(
        NULL, fault->id, site, OXI_NAME("component", shown_text(type->name)),
        OXI_SITE("component_site", type->site), OXI_NAME("why", shown_text(fault->why)),
        OXI_NAME("advice", shown_text(fault->advice)), OXI_NAME("field", fault->field),
        OXI_NAME("type", shown_text(fault->type_name)),
        OXI_NAME("difference", shown_text(fault->difference)),
        OXI_SITE("first_site", fault->first_site), OXI_NUMBER("size", type->size),
        OXI_NUMBER("align", type->align), OXI_NUMBER("most_size", OX_MAX_COMPONENT_SIZE),
        OXI_NUMBER("most_align", OX_MAX_COMPONENT_ALIGN), OXI_NUMBER("count", OX_MAX_COMPONENTS),
        OXI_NUMBER("bytes", fault->bytes), OXI_NAME("allocator", "the registry of components"));
}
