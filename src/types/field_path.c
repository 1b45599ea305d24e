// SPDX-License-Identifier: MIT
//
// Finding fields by path: a name, an index if it is an array, and so on behind a '.'.
//
// The fields of nested structs have the offsets of the first element, so each index on the way adds
// to one shift.

#include "types/field_path.h"

#include "base/check.h"
#include "types/registry.h"

#include <string.h>

// A path being read.
typedef struct path_reader {
    const ox_layout *layout;
    const char *at; // what was not read yet
    uint32_t first; // fields that the next name may mean
    uint32_t end;
    size_t shift;    // bytes that indices have added
    const char *why; // it cannot be read
} path_reader;

int32_t oxi_field_member(const ox_layout *layout, uint32_t first, uint32_t end, const char *name,
                         size_t length) {
    int32_t found = -1;
    for (uint32_t k = first; k < end && found < 0; k += 1 + layout->fields[k].field_count) {
        const ox_field *field = &layout->fields[k];
        if (field->name[0] == 0) {
            found = oxi_field_member(layout, k + 1, k + 1 + field->field_count, name, length);
        } else if (strlen(field->name) == length && memcmp(field->name, name, length) == 0) {
            found = (int32_t)k;
        }
    }
    return found;
}

static bool fail_path(path_reader *reader, const char *why) {
    reader->why = why;
    return false;
}

// Reads `[3]`, if it stands here. Moves behind it and says so in `has_index`.
static bool read_path_index(path_reader *reader, const ox_field *field, bool *has_index) {
    *has_index = *reader->at == '[';
    if (!*has_index) {
        return true;
    }
    if (!field->is_array) {
        return fail_path(reader, "this is no array");
    }
    const char *digits = reader->at + 1;
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length] != ']') {
        return fail_path(reader, "an index in brackets should stand here");
    }
    uint64_t index = 0;
    for (size_t k = 0; k < length && index < field->count; k++) {
        index = index * 10 + (uint64_t)(digits[k] - '0');
    }
    if (index >= field->count) {
        return fail_path(reader, "the index is outside of the array");
    }
    reader->shift += (size_t)index * field->size;
    reader->at = digits + length + 1;
    return *reader->at != '[' ||
           fail_path(reader, "an array of arrays counts through, in one index");
}

// Goes into the struct that `field` is, behind the '.'.
static bool enter_path_struct(path_reader *reader, const ox_field *field, bool is_whole_array) {
    if (*reader->at != '.') {
        return fail_path(reader, "a '.' or the end should stand here");
    }
    if (is_whole_array) {
        return fail_path(reader, "an index should stand here: it is an array");
    }
    if (field->kind != OX_FIELD_STRUCT) {
        return fail_path(reader, "this has no fields");
    }
    reader->at++;
    reader->first = (uint32_t)(field - reader->layout->fields) + 1;
    reader->end = reader->first + field->field_count;
    return true;
}

static bool read_path(path_reader *reader, ox_field_location *place) {
    for (;;) {
        size_t length = strcspn(reader->at, ".[");
        int32_t index =
            oxi_field_member(reader->layout, reader->first, reader->end, reader->at, length);
        if (index < 0) {
            return fail_path(reader, "there is no such field");
        }
        const ox_field *field = &reader->layout->fields[index];
        bool has_index;
        reader->at += length;
        if (!read_path_index(reader, field, &has_index)) {
            return false;
        }
        bool is_whole_array = field->is_array && !has_index;
        if (*reader->at == 0) {
            *place = (ox_field_location){field,       field->offset + reader->shift,
                                         field->size, is_whole_array ? field->count : 1,
                                         field->kind, field->scalar,
                                         field->type, is_whole_array};
            return true;
        }
        if (!enter_path_struct(reader, field, is_whole_array)) {
            return false;
        }
    }
}

bool oxi_field_locate(const ox_component_info *info, const char *path, ox_field_location *place,
                      ox_site site) {
    path_reader reader = {&info->layout, path, 0, info->layout.field_count, 0, NULL};
    if (info->layout.field_count == 0) {
        reader.why = "its fields are not known";
    } else if (read_path(&reader, place)) {
        return true;
    }
    *place = (ox_field_location){0};
    return OXI_REPORT(NULL, OX_REPORT_BAD_FIELD_PATH, site, OXI_NAME("path", path),
                      OXI_NAME("component", info->name), OXI_SITE("component_site", info->site),
                      OXI_NAME("why", reader.why), OXI_NAME("part", reader.at));
}

bool ox_field_find_at(uint32_t id, const char *path, ox_field_location *place, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(place, "ox_field_find", site)) {
        return false;
    }
    *place = (ox_field_location){0};
    const ox_component_info *info = oxi_component_require(id, "ox_field_find", site);
    return info != NULL && OXI_REQUIRE_ARGUMENT(path, "ox_field_find", site) &&
           oxi_field_locate(info, path, place, site);
}
