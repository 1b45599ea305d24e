// SPDX-License-Identifier: MIT
//
// Reading and writing a field of a value by its path.

#include "base/check.h"
#include "base/number.h"
#include "types/field_path.h"
#include "types/field_value.h"
#include "types/registry.h"

#include <inttypes.h>
#include <stdio.h>

enum { SHOWN_VALUE = 48 };

bool ox_field_read_at(uint32_t id, const void *value, const char *path, ox_field_value *out,
                      ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(out, "ox_field_read", site)) {
        return false;
    }
    *out = (ox_field_value){0};
    const ox_component_info *info = oxi_component_require(id, "ox_field_read", site);
    ox_field_location place;
    if (info == NULL || !OXI_REQUIRE_ARGUMENT(value, "ox_field_read", site) ||
        !OXI_REQUIRE_ARGUMENT(path, "ox_field_read", site) ||
        !oxi_field_locate(info, path, &place, site)) {
        return false;
    }
    const char *from = (const char *)value + place.offset;
    if (!place.is_array) {
        *out = oxi_field_load(place.field, from);
        return true;
    }
    out->kind = OX_FIELD_VALUE_BYTES;
    out->bytes = from;
    out->size = place.size * place.count;
    return true;
}

// A value as a report shows it.
static void show_field_value(const ox_field_value *value, char text[SHOWN_VALUE]) {
    char digits[OXI_NUMBER_SIZE];
    switch (value->kind) {
    case OX_FIELD_VALUE_SIGNED:
        snprintf(text, SHOWN_VALUE, "%" PRId64, value->integer);
        return;
    case OX_FIELD_VALUE_UNSIGNED:
        snprintf(text, SHOWN_VALUE, "%" PRIu64, value->number);
        return;
    case OX_FIELD_VALUE_FLOATING:
        snprintf(text, SHOWN_VALUE, "%.*s", (int)oxi_number_write_double(value->real, digits),
                 digits);
        return;
    case OX_FIELD_VALUE_BOOL:
        snprintf(text, SHOWN_VALUE, "%s", value->boolean ? "true" : "false");
        return;
    case OX_FIELD_VALUE_ENTITY:
        snprintf(text, SHOWN_VALUE, "entity %" PRIu32 ":%" PRIu32, value->entity.index,
                 value->entity.version);
        return;
    case OX_FIELD_VALUE_BYTES:
        snprintf(text, SHOWN_VALUE, "%zu bytes", value->size);
        return;
    case OX_FIELD_VALUE_NONE:
        break;
    }
    snprintf(text, SHOWN_VALUE, "nothing");
}

static const char *store_at_place(const ox_field_location *place, char *to,
                                  const ox_field_value *in) {
    if (!place->is_array) {
        return oxi_field_store(place->field, to, in);
    }
    // A whole array is written as the bytes that it is.
    ox_field whole = {.size = place->size * place->count, .count = 1, .kind = OX_FIELD_OPAQUE};
    return oxi_field_store(&whole, to, in);
}

bool ox_field_write_at(uint32_t id, void *value, const char *path, const ox_field_value *in,
                       ox_site site) {
    const ox_component_info *info = oxi_component_require(id, "ox_field_write", site);
    ox_field_location place;
    if (info == NULL || !OXI_REQUIRE_ARGUMENT(value, "ox_field_write", site) ||
        !OXI_REQUIRE_ARGUMENT(path, "ox_field_write", site) ||
        !OXI_REQUIRE_ARGUMENT(in, "ox_field_write", site) ||
        !oxi_field_locate(info, path, &place, site)) {
        return false;
    }
    const char *why = store_at_place(&place, (char *)value + place.offset, in);
    if (why == NULL) {
        return true;
    }
    char shown[SHOWN_VALUE];
    show_field_value(in, shown);
    return OXI_REPORT(NULL, OX_REPORT_BAD_FIELD_VALUE, site, OXI_NAME("value", shown),
                      OXI_NAME("path", path), OXI_NAME("component", info->name),
                      OXI_NAME("type", place.field->type_name), OXI_NAME("why", why));
}
