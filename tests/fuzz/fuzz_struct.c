// SPDX-License-Identifier: MIT
//
// Reads any bytes as the text of a struct; a 0 byte parts the raw text from the expanded one. What
// is accepted lies inside of its size.

#include "oxbow/report.h"
#include "oxbow/struct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// clang-format off
OX_STRUCT(FuzzInner, { int x; OX_READ_ONLY char y; struct { double z; }; });
OX_STRUCT(FuzzOuter, { FuzzInner a; OX_UNOWNED FuzzInner *b; FuzzInner c[2]; });
OX_EXTERN_STRUCT(ox_site);
enum { N = 4, FUZZ_MINUS = -1 };
OX_CONSTANT(N);
OX_CONSTANT(FUZZ_MINUS);
// clang-format on

// The size that the text of the type at hand makes.
typedef struct fuzz_size {
    size_t size;
    size_t align;
} fuzz_size;

static void require(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_struct: %s\n", what);
        abort();
    }
}

static void swallow(const ox_report *report, void *context) {
    fuzz_size *found = context;
    require(report->id != OX_REPORT_NULL_ARGUMENT && report->id != OX_REPORT_BAD_TYPE,
            "a text is not blamed on an argument");
    const ox_report_value *name = ox_report_find(report, "struct");
    if (report->id == OX_REPORT_LAYOUT_MISMATCH && strcmp(name->text, "Fuzz") == 0) {
        found->size = (size_t)ox_report_find(report, "text_size")->number;
        found->align = (size_t)ox_report_find(report, "text_align")->number;
    }
}

static void require_inside(const ox_layout *layout) {
    for (uint32_t k = 0; k < layout->field_count; k++) {
        const ox_field *field = &layout->fields[k];
        const ox_field *holder = field->parent >= 0 ? &layout->fields[field->parent] : NULL;
        size_t begin = holder != NULL ? holder->offset : 0;
        size_t size = holder != NULL ? holder->size : layout->size;
        require(field->parent < (int32_t)k, "a field follows the one that holds it");
        require(field->offset >= begin && field->offset - begin <= size, "a field begins inside");
        require(field->count <= (size - (field->offset - begin)) / field->size,
                "a field ends inside");
        require(k + field->field_count < layout->field_count, "a field holds fields behind it");
        require(field->name[0] == 0 || field->parent >= 0 ||
                    ox_layout_find(layout, field->name) >= 0,
                "a field is found by its name");
    }
}

static void scan_text(const char *text, const char *expanded, const void *scope) {
    fuzz_size found = {4, 4};
    ox_report_set_handler((ox_report_handler){swallow, &found});
    for (int attempt = 0; attempt < 2; attempt++) {
        ox_type type = {.name = "Fuzz",
                        .text = text,
                        .expanded = expanded,
                        .size = found.size,
                        .align = found.align,
                        .header_version = OX_VERSION,
                        .scope = scope};
        ox_layout layout;
        if (ox_layout_create(&type, &layout)) {
            require(layout.size == type.size && layout.field_count > 0, "a layout is whole");
            require_inside(&layout);
        } else {
            require(layout.fields == NULL && layout.field_count == 0, "a refusal owns nothing");
        }
        ox_layout_dispose(&layout);
    }
}

static void announce_conflict(void) {
    for (int k = 0; k < 2; k++) {
        ox_constant constant = {.name = "M",
                                .site = "fuzz.c:1",
                                .value = 2 + k,
                                .header_version = OX_VERSION,
                                .scope = k == 0 ? ox_type_of(FuzzInner)->scope : NULL};
        require(ox_constant_register(&constant), "a constant is taken");
    }
}

// A copy with a 0 behind it, in a block of exactly its size.
static char *copy_bytes(const uint8_t *data, size_t size) {
    char *copy = malloc(size + 1);
    require(copy != NULL, "there is memory");
    memcpy(copy, data, size);
    copy[size] = 0;
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero != NULL ? (size_t)(zero - data) : size;
    char *text = copy_bytes(data, length);
    // Without a scope, M has two values.
    const void *scope = size % 2 == 0 ? ox_type_of(FuzzInner)->scope : NULL;
    announce_conflict();
    scan_text(text, NULL, scope);
    if (zero != NULL) {
        char *expanded = copy_bytes(zero + 1, size - length - 1);
        scan_text(text, expanded, scope);
        scan_text(expanded, text, scope);
        free(expanded);
    }
    free(text);
    return 0;
}
