// SPDX-License-Identifier: MIT
//
// Reads any bytes as the path of a field: the first chooses the component, the next nine a value,
// the rest is the path. A list of all paths that there are, made from the layouts, says which are
// to be found and where. What is found is read, and written with the value: bytes around it stay,
// and a refusal is one report and changes nothing.

#include "oxbow/fields.h"
#include "oxbow/report.h"
#include "types/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_COMPONENTS = 4, MOST_PATHS = 256, LONGEST_PATH = 64, MOST_BYTES = 1024, HEAD = 10 };

static const ox_component_def fuzz_defs[FUZZ_COMPONENTS] = {
    {.name = "Slot", .text = "{ uint8_t count; ox_entity owner; ox_float3 at[2]; }"},
    {.name = "Bag",
     .text = "{ Slot slots[4]; struct { struct { float x, y; } deep[2]; int z; }; int m[2][3]; "
             "struct { struct { struct { bool last; } c; } b; } a; Slot one[1]; }"},
    {.name = "Numbers",
     .text = "{ int8_t a; uint8_t b; int16_t c; uint16_t d; int32_t e; uint32_t f; int64_t g; "
             "uint64_t h; float i[2]; double j; long double k; bool l; enum { A, B } m; char n[8]; "
             "OX_UNOWNED void *p; OX_UNOWNED int *q[2]; float aa; float ab; }"},
    {.name = "Blob", .size = 6, .align = 2},
};

// A path that is there, and what it names.
typedef struct known_path {
    char text[LONGEST_PATH];
    const ox_field *field;
    size_t offset;
    uint32_t count; // of elements
    bool is_array;
} known_path;

typedef struct known_paths {
    known_path items[MOST_PATHS];
    int count;
} known_paths;

static known_paths known[FUZZ_COMPONENTS];
static int report_count;
static ox_report_id last_report;

static void require(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_field_path: %s\n", what);
        abort();
    }
}

static void count_report(const ox_report *report, void *context) {
    char text[512];
    (void)context;
    report_count++;
    last_report = report->id;
    ox_report_format(report, text, sizeof text);
}

// The list of paths.

static void add_path(known_paths *paths, const char *text, known_path path) {
    require(paths->count < MOST_PATHS && strlen(text) < LONGEST_PATH, "the list is large enough");
    strcpy(path.text, text);
    paths->items[paths->count++] = path;
}

// Adds the fields from `first` up to `end`, which lie in a struct with this path, and what is in
// them. `shift` is what the indices of the path add.
static void add_fields(known_paths *paths, const ox_layout *layout, uint32_t first, uint32_t end,
                       const char *path, size_t shift) {
    for (uint32_t k = first; k < end; k += 1 + layout->fields[k].field_count) {
        const ox_field *field = &layout->fields[k];
        uint32_t last = k + 1 + field->field_count;
        char text[LONGEST_PATH * 2], element[LONGEST_PATH * 3];
        if (field->name[0] == 0) {
            add_fields(paths, layout, k + 1, last, path, shift);
            continue;
        }
        snprintf(text, sizeof text, "%s%s%s", path, path[0] != 0 ? "." : "", field->name);
        add_path(paths, text,
                 (known_path){.field = field,
                              .offset = field->offset + shift,
                              .count = field->count,
                              .is_array = field->is_array});
        for (uint32_t n = 0; n < field->count; n++) {
            size_t inner = shift + n * field->size;
            snprintf(element, sizeof element, field->is_array ? "%s[%u]" : "%s", text, n);
            if (field->is_array) {
                add_path(paths, element,
                         (known_path){.field = field, .count = 1, .offset = field->offset + inner});
            }
            add_fields(paths, layout, k + 1, last, element, inner);
        }
    }
}

static void make_known(void) {
    oxi_components_reset();
    for (int k = 0; k < FUZZ_COMPONENTS; k++) {
        uint32_t id = ox_component_register(&fuzz_defs[k]);
        const ox_component_info *info = ox_component_get_info(id);
        require(info != NULL && id == (uint32_t)k + 1, "they are registered");
        require(info->size <= MOST_BYTES, "and small");
        add_fields(&known[k], &info->layout, 0, info->layout.field_count, "", 0);
    }
}

// The path in the list, or NULL. An index may begin with zeros.
static const known_path *find_known(const known_paths *paths, const char *path) {
    char plain[LONGEST_PATH];
    size_t length = 0;
    for (const char *at = path; *at != 0; at++) {
        bool begins = length > 0 && plain[length - 1] == '[';
        if (begins && *at == '0' && at[1] >= '0' && at[1] <= '9') {
            continue;
        }
        if (length + 1 == sizeof plain) {
            return NULL;
        }
        plain[length++] = *at;
    }
    plain[length] = 0;
    for (int k = 0; k < paths->count; k++) {
        if (strcmp(paths->items[k].text, plain) == 0) {
            return &paths->items[k];
        }
    }
    return NULL;
}

// Reading and writing.

static ox_field_value make_value(const uint8_t *head, const known_path *path) {
    static const uint8_t bytes[MOST_BYTES] = {1, 2, 3, 255, 254};
    ox_field_value value = {.kind = (ox_field_value_kind)(head[0] % 8), .bytes = bytes};
    memcpy(&value.integer, head + 1, sizeof value.integer);
    memcpy(&value.number, head + 1, sizeof value.number);
    memcpy(&value.real, head + 1, sizeof value.real);
    memcpy(&value.entity, head + 1, sizeof value.entity);
    value.boolean = head[1] & 1;
    value.size = head[1] % MOST_BYTES;
    if (path != NULL && (head[0] & 64) != 0) {
        value.size = path->field->size * path->count;
    }
    return value;
}

static void require_one_report(ox_report_id id, const char *what) {
    require(report_count == 1 && last_report == id, what);
    report_count = 0;
}

// What was read can be written, and then nothing has changed.
static void require_read_is_written(uint32_t id, char *value, size_t size, const char *path) {
    char before[MOST_BYTES];
    ox_field_value read;
    memcpy(before, value, size);
    require(ox_field_read(id, value, path, &read), "what is found can be read");
    require(read.kind != OX_FIELD_VALUE_NONE, "and is something");
    // Not a number has several bytes, a bool and a long double too.
    bool is_exact = read.kind != OX_FIELD_VALUE_FLOATING && read.kind != OX_FIELD_VALUE_BOOL;
    bool is_number = read.kind != OX_FIELD_VALUE_FLOATING || read.real == read.real;
    bool is_written = ox_field_write(id, value, path, &read);
    require(is_written || !is_number, "what was read can be written");
    require(!is_exact || memcmp(before, value, size) == 0, "and is the same");
    report_count = 0;
}

static void require_written(uint32_t id, char *value, const known_path *known_as, const char *path,
                            const ox_field_value *in) {
    const ox_component_info *info = ox_component_get_info(id);
    char before[MOST_BYTES];
    memcpy(before, value, info->size);
    size_t begin = known_as->offset, end = begin + known_as->field->size * known_as->count;
    if (!ox_field_write(id, value, path, in)) {
        require_one_report(OX_REPORT_BAD_FIELD_VALUE, "a value is refused with one report");
        require(memcmp(before, value, info->size) == 0, "a refusal writes nothing");
        return;
    }
    require(report_count == 0, "what is written makes no report");
    require(memcmp(before, value, begin) == 0, "bytes before the field stay");
    require(memcmp(before + end, value + end, info->size - end) == 0, "bytes behind it stay");
    ox_field_value out;
    require(ox_field_read(id, value, path, &out), "what was written can be read");
    if (out.kind == OX_FIELD_VALUE_SIGNED && in->kind == OX_FIELD_VALUE_SIGNED) {
        require(out.integer == in->integer, "a whole number is the same");
    } else if (out.kind == OX_FIELD_VALUE_UNSIGNED && in->kind == OX_FIELD_VALUE_UNSIGNED) {
        require(out.number == in->number, "a whole number is the same");
    } else if (out.kind == OX_FIELD_VALUE_BYTES) {
        require(out.size == in->size && memcmp(out.bytes, in->bytes, in->size) == 0,
                "bytes are the same");
    }
}

static void use_path(uint32_t id, const char *path, const uint8_t *head) {
    const ox_component_info *info = ox_component_get_info(id);
    const known_path *known_as = find_known(&known[id - 1], path);
    ox_field_value value = make_value(head, known_as), out;
    ox_field_location place;
    char *bytes = malloc(info->size); // exactly, so that ASan sees what is outside
    require(bytes != NULL, "there is memory");
    memset(bytes, head[9], info->size);
    bool is_found = ox_field_find(id, path, &place);
    require(is_found == (known_as != NULL), "a path is found when it is there");
    if (is_found) {
        require(report_count == 0, "what is found makes no report");
        require(place.field == known_as->field && place.offset == known_as->offset &&
                    place.count == known_as->count && place.is_array == known_as->is_array &&
                    place.size == known_as->field->size,
                "it is where it lies");
        require(place.offset + place.size * place.count <= info->size, "inside of its component");
        require_read_is_written(id, bytes, info->size, path);
        require_written(id, bytes, known_as, path, &value);
    } else {
        require_one_report(OX_REPORT_BAD_FIELD_PATH, "a path is refused with one report");
        require(!ox_field_read(id, bytes, path, &out), "and cannot be read");
        require_one_report(OX_REPORT_BAD_FIELD_PATH, "which is one report");
        require(!ox_field_write(id, bytes, path, &value), "or written");
        require_one_report(OX_REPORT_BAD_FIELD_PATH, "which is one too");
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_ready;
    if (!is_ready) {
        make_known();
        is_ready = true;
    }
    if (size < 1 + HEAD) {
        return 0;
    }
    ox_report_set_handler((ox_report_handler){count_report, NULL});
    report_count = 0;
    size_t length = size - 1 - HEAD;
    char *path = malloc(length + 1);
    require(path != NULL, "there is memory");
    memcpy(path, data + 1 + HEAD, length);
    path[length] = 0;
    use_path(1 + data[0] % FUZZ_COMPONENTS, path, data + 1);
    free(path);
    return 0;
}
