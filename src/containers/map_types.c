// SPDX-License-Identifier: MIT
//
// Which types a map may have, and whether a call names the right ones.
//
// Bytes of a key that no field covers have no defined value: two equal keys could differ in them.
// The compiler tells of them, or the text of a struct that Oxbow knows; nothing is guessed.

#include "containers/map.h"

#include "base/struct_scan.h"

// Bytes that the fields from `first` up to `end` cover. Those of nested structs stand behind them.
static size_t count_covered(const ox_layout *layout, uint32_t first, uint32_t end) {
    size_t covered = 0;
    for (uint32_t k = first; k < end; k++) {
        const ox_field *field = &layout->fields[k];
        bool is_struct = field->kind == OX_FIELD_STRUCT;
        // Nested structs are few levels deep: the scanner refuses more.
        size_t each =
            is_struct ? count_covered(layout, k + 1, k + 1 + field->field_count) : field->size;
        covered += each * field->count;
        k += is_struct ? field->field_count : 0;
    }
    return covered;
}

bool oxi_key_has_padding(ox_element_info key, bool *failed, ox_site site) {
    const ox_type *type = key.name != NULL ? ox_type_find(key.name) : NULL;
    oxi_scan scan = {0};
    *failed = false;
    if (type == NULL || type->text == NULL || type->size != oxi_element_size(key.element) ||
        !oxi_scan_run(&scan, type)) {
        return false;
    }
    ox_layout layout;
    if (!ox_layout_create_at(type, &layout, site)) {
        *failed = true;
        return false;
    }
    bool has_padding = count_covered(&layout, 0, layout.field_count) < layout.size;
    ox_layout_dispose(&layout);
    return has_padding;
}

bool oxi_key_require_functions(const ox_map_def *def, const char *name, ox_site site) {
    bool is_whole = (def->hash == NULL) == (def->equal == NULL);
    return OXI_REQUIRE(is_whole, NULL, OX_REPORT_BAD_FUNCTION, site, OXI_NAME("def", name),
                       OXI_NAME("missing", def->hash == NULL ? "hash" : "equal"));
}

bool oxi_map_require_types(const oxi_map_type_pair *types, bool has_functions, const char *kind,
                           ox_site site) {
    if (!oxi_element_require(types->key, kind, site) ||
        !oxi_element_require(types->value, kind, site)) {
        return false;
    }
    if (has_functions) {
        return true;
    }
    bool failed = false;
    bool has_padding = types->key_has_padding || oxi_key_has_padding(types->key, &failed, site);
    return !failed &&
           OXI_REQUIRE(!has_padding, NULL, OX_REPORT_KEY_HAS_PADDING, site,
                       OXI_NAME("type", types->key.name != NULL ? types->key.name : "?"));
}

bool oxi_map_require_shape(const oxi_slot_shape *stored, const oxi_slot_shape *asked,
                           ox_access access, const char *kind, ox_site site) {
    if (!oxi_element_fits(stored->key, asked->key)) {
        return oxi_element_mismatch(stored->key, asked->key, access, kind, site);
    }
    // Types of one size and different alignment lie elsewhere in a slot.
    if (!oxi_element_fits(stored->value, asked->value) ||
        stored->value_offset != asked->value_offset || stored->slot_size != asked->slot_size ||
        stored->slots_offset != asked->slots_offset) {
        return oxi_element_mismatch(stored->value, asked->value, access, kind, site);
    }
    return true;
}

ox_array oxi_table_copy(const oxi_table *table, const oxi_table_rules *rules, ox_array array,
                        uint32_t offset) {
    size_t size = oxi_element_size(array.element);
    char *to = array.data;
    uint64_t place = 0;
    for (unsigned char *slot; (slot = oxi_table_next_slot(table, rules, &place)) != NULL;) {
        memcpy(to, slot + offset, size);
        to += size;
    }
    return array;
}
