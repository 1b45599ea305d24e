// SPDX-License-Identifier: MIT
//
// The shape of a component's values.
//
// Invariant: fields lie in memory in the order of their text, so spans and offsets come ascending,
// and two spans that touch are one.

#include "types/shape.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/text.h"

#include <string.h>

bool oxi_type_has_role(const ox_type *type, const char *role) {
    return type != NULL && type->role != NULL && strcmp(type->role, role) == 0;
}

// Walking.

typedef struct leaf_walk {
    const ox_layout *layout;
    oxi_leaf_fn *leaf;
    void *context;
} leaf_walk;

// The fields from `first` up to `end`, in an element that lies `shift` bytes behind the first one.
static void walk_leaves(const leaf_walk *walk, uint32_t first, uint32_t end, size_t shift) {
    for (uint32_t k = first; k < end; k += 1 + walk->layout->fields[k].field_count) {
        const ox_field *field = &walk->layout->fields[k];
        if (field->kind != OX_FIELD_STRUCT) {
            walk->leaf(field, field->offset + shift, walk->context);
            continue;
        }
        for (uint32_t n = 0; n < field->count; n++) {
            walk_leaves(walk, k + 1, k + 1 + field->field_count, shift + n * field->size);
        }
    }
}

void oxi_layout_walk(const ox_layout *layout, oxi_leaf_fn *leaf, void *context) {
    leaf_walk walk = {layout, leaf, context};
    walk_leaves(&walk, 0, layout->field_count, 0);
}

void oxi_layout_path(const ox_layout *layout, const ox_field *field, char *buffer, size_t size) {
    size_t length = 0;
    if (field->parent >= 0) {
        oxi_layout_path(layout, &layout->fields[field->parent], buffer, size);
        length = strlen(buffer);
    }
    // An anonymous struct has no part in a path.
    bool has_dot = length > 0 && field->name[0] != 0 && length + 1 < size;
    if (has_dot) {
        buffer[length++] = '.';
    }
    oxi_text_copy(buffer + length, size - length, field->name);
}

// Scanning.

oxi_layout_result oxi_layout_make(const ox_type *type, ox_layout *layout) {
    *layout = (ox_layout){0};
    oxi_scan counted = {0};
    if (!oxi_scan_run(&counted, type)) {
        return OXI_LAYOUT_REFUSED;
    }
    void *block = oxi_heap_alloc(oxi_scan_size(&counted), _Alignof(ox_field));
    if (block == NULL) {
        return OXI_LAYOUT_NO_MEMORY;
    }
    oxi_scan_fill(&counted, type, block, layout);
    return OXI_LAYOUT_OK;
}

bool oxi_layout_measure(ox_type *type) {
    // No text makes 0 bytes, so a whole scan ends at the comparison with the size.
    ox_type probe = *type;
    probe.size = 0;
    oxi_scan scan = {0};
    bool fits = oxi_scan_run(&scan, &probe);
    OXI_ASSERT(!fits);
    if (fits || scan.fault.id != OX_REPORT_LAYOUT_MISMATCH || scan.fault.type != &probe) {
        return false;
    }
    type->size = scan.fault.text_size;
    type->align = scan.fault.text_align;
    return true;
}

// Shapes.

// A list of spans in the making. The last one is held back: it may grow.
typedef struct span_list {
    ox_byte_span *spans;
    uint32_t count; // the last one included
    ox_byte_span last;
} span_list;

typedef struct shape_draft {
    span_list values;
    span_list unowned;
    span_list owned;
    oxi_shape *shape;
} shape_draft;

static void keep_last_span(const span_list *list) {
    if (list->spans != NULL && list->count > 0) {
        list->spans[list->count - 1] = list->last;
    }
}

static void add_span(span_list *list, size_t offset, size_t size) {
    if (list->count > 0 && list->last.offset + list->last.size == offset) {
        list->last.size += (uint32_t)size;
        return;
    }
    keep_last_span(list);
    list->last = (ox_byte_span){(uint32_t)offset, (uint32_t)size};
    list->count++;
}

static void add_entity(oxi_shape *shape, size_t offset) {
    if (shape->entities != NULL) {
        shape->entities[shape->entity_count] = (uint32_t)offset;
    }
    shape->entity_count++;
}

// Pointers that are not marked, and containers, stand in shared components only.
static span_list *list_of_leaf(shape_draft *draft, const ox_field *field) {
    if (field->kind == OX_FIELD_POINTER && (field->marks & OX_MARK_UNOWNED) != 0) {
        return &draft->unowned;
    }
    bool is_owned = field->kind == OX_FIELD_POINTER || oxi_type_has_role(field->type, "container");
    return is_owned ? &draft->owned : &draft->values;
}

static void add_leaf(const ox_field *field, size_t offset, void *context) {
    shape_draft *draft = context;
    span_list *list = list_of_leaf(draft, field);
    size_t value_size = oxi_field_value_size(field);
    bool is_entity = oxi_field_is_entity(field);
    if (!is_entity && value_size == field->size) {
        add_span(list, offset, field->size * field->count);
        draft->shape->byte_count += (uint32_t)(field->size * field->count);
        return;
    }
    for (uint32_t k = 0; k < field->count; k++) {
        add_span(list, offset + k * field->size, value_size);
        draft->shape->byte_count += (uint32_t)value_size;
        if (is_entity) {
            add_entity(draft->shape, offset + k * field->size);
        }
    }
}

void oxi_shape_find(const ox_type *type, const ox_layout *layout, oxi_shape *shape) {
    *shape = (oxi_shape){.values = shape->values,
                         .unowned = shape->unowned,
                         .owned = shape->owned,
                         .entities = shape->entities};
    shape_draft draft = {
        {.spans = shape->values}, {.spans = shape->unowned}, {.spans = shape->owned}, shape};
    if (layout->field_count > 0) {
        oxi_layout_walk(layout, add_leaf, &draft);
    } else if (type->size > 0) {
        ox_field whole = {
            .type = type, .size = type->size, .count = 1, .parent = -1, .kind = OX_FIELD_OPAQUE};
        add_leaf(&whole, 0, &draft);
    }
    keep_last_span(&draft.values);
    keep_last_span(&draft.unowned);
    keep_last_span(&draft.owned);
    shape->owned_count = draft.owned.count;
    shape->value_count = draft.values.count;
    shape->unowned_count = draft.unowned.count;
}
