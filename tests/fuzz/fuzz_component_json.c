// SPDX-License-Identifier: MIT
//
// Reads any bytes as JSON of a component. The first byte chooses the component; 'T' makes the rest
// the text of one. What is accepted is written back and read again, and must be the same value;
// what is refused changes nothing.

#include "oxbow/fields.h"
#include "oxbow/report.h"
#include "types/registry.h"
#include "types/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { JSON_SIZE = 1 << 20, FUZZ_COMPONENTS = 5 };

static const ox_component_def fuzz_defs[FUZZ_COMPONENTS] = {
    {.name = "Blob", .size = 6, .align = 2},
    {.name = "Numbers",
     .text = "{ int8_t a; uint8_t b; int16_t c; uint16_t d; int32_t e; uint32_t f; int64_t g; "
             "uint64_t h; float i[2]; double j; long double k; bool l; enum { A, B } m; char n; }"},
    {.name = "Texts", .text = "{ char a[4]; char b[1]; char c[40]; ox_entity d; ox_entity e[2]; }"},
    {.name = "Nested",
     .text = "{ struct { int x; Texts t[2]; } s[2]; struct { Blob b; }; OX_UNOWNED void *p; "
             "OX_UNOWNED int *q[2]; struct { struct { float y; }; } z; int m[2][2]; }"},
    {.name = "Tag", .kind = OX_COMPONENT_KIND_TAG},
};

static void require(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_component_json: %s\n", what);
        abort();
    }
}

static void swallow(const ox_report *report, void *context) {
    (void)context;
    bool is_mine = report->id == OX_REPORT_NULL_ARGUMENT || report->id == OX_REPORT_DEF_GARBAGE ||
                   report->id == OX_REPORT_UNKNOWN_COMPONENT_ID;
    require(!is_mine, "a text is not blamed on an argument");
}

// What is written of `value` reads back as the same value.
static void require_round_trip(const ox_component_info *info, const char *value) {
    static char json[JSON_SIZE];
    char *again = calloc(1, info->size + 1);
    size_t length = ox_component_write_json(info->id, value, json, sizeof json);
    require(again != NULL && length > 0, "a value can be written");
    if (length < sizeof json) {
        require(ox_component_read_json(info->id, json, length, again), "what was written is read");
        require(oxi_value_equal(info, value, again), "what was read is what was written");
        require(oxi_value_hash(info, value, 3) == oxi_value_hash(info, again, 3), "as is its hash");
    }
    free(again);
}

static void read_json(const ox_component_info *info, const char *json, size_t length) {
    char *value = malloc(info->size + 1), *before = malloc(info->size + 1);
    require(value != NULL && before != NULL, "there is memory");
    memset(value, 1, info->size + 1);
    memcpy(before, value, info->size + 1);
    if (ox_component_read_json(info->id, json, length, value)) {
        require(value[info->size] == 1, "nothing is written behind a value");
        require_round_trip(info, value);
    } else {
        require(memcmp(value, before, info->size + 1) == 0, "a refusal writes nothing");
    }
    free(value);
    free(before);
}

static void require_inside(const ox_component_info *info) {
    uint32_t end = 0;
    for (uint32_t k = 0; k < info->value_count; k++) {
        require(info->values[k].offset >= end, "spans ascend");
        end = info->values[k].offset + info->values[k].size;
    }
    require(end <= info->size, "spans lie inside");
    for (uint32_t k = 0; k < info->entity_count; k++) {
        require(info->entity_offsets[k] + sizeof(ox_entity) <= info->size, "entities lie inside");
    }
}

// A text that is accepted makes a component whose zeros can be written and read.
static void define_text(const char *text) {
    ox_component_def def = {.name = "Fuzz", .text = text};
    const ox_component_info *info = ox_component_get_info(ox_component_register(&def));
    if (info != NULL) {
        char *zeros = calloc(1, info->size + 1);
        require(zeros != NULL, "there is memory");
        require_inside(info);
        require_round_trip(info, zeros);
        free(zeros);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_ready;
    if (size == 0) {
        return 0;
    }
    ox_report_set_handler((ox_report_handler){swallow, NULL});
    if (!is_ready || data[0] == 'T') {
        oxi_components_reset();
        for (int k = 0; k < FUZZ_COMPONENTS; k++) {
            require(ox_component_register(&fuzz_defs[k]) == (uint32_t)k + 1, "they are registered");
        }
        is_ready = true;
    }
    // A copy in a block of exactly its size, so that ASan sees a read past its end.
    char *text = malloc(size);
    require(text != NULL, "there is memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    if (data[0] == 'T') {
        define_text(text);
    } else {
        char *json = malloc(size - 1 > 0 ? size - 1 : 1);
        require(json != NULL, "there is memory");
        memcpy(json, text, size - 1);
        read_json(ox_component_get_info(1 + (uint8_t)(data[0] - 0x30) % FUZZ_COMPONENTS), json,
                  size - 1);
        free(json);
    }
    free(text);
    return 0;
}
