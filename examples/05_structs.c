// SPDX-License-Identifier: MIT
//
// Structs that Oxbow can read: fields with offsets, nested structs, arrays and marks, with nothing
// declared twice. What cannot be read is a report that names the field and the fix.

#include <oxbow/report.h>
#include <oxbow/struct.h>

#include <stdio.h>

#define ENDS 2

OX_STRUCT(Point, { float x, y; });
OX_STRUCT(Spring, {
    Point ends[ENDS];
    float rest, stiffness;
    OX_UNOWNED const char *label;
});

// A type of another library: its size is known, its fields are not.
typedef struct handle {
    long id;
} handle;
OX_EXTERN_STRUCT(handle);
OX_STRUCT(Owner, { handle owner; });

// A type that a script defines while the program runs.
static void register_at_run_time(void) {
    ox_type type = {.name = "Wind",
                    .text = "{ float strength; short from, to; }",
                    .site = OX_HERE,
                    .size = 8,
                    .align = 4,
                    .header_version = OX_VERSION};
    const ox_type *wind = ox_type_register(&type);
    ox_layout layout;
    if (wind != NULL && ox_layout_create(wind, &layout)) {
        int32_t to = ox_layout_find(&layout, "to");
        printf("Wind.to is at %zu\n", layout.fields[to].offset);
        ox_layout_dispose(&layout);
    }
}

static void print_layout(const ox_type *type) {
    ox_layout layout;
    if (!ox_layout_create(type, &layout)) {
        return;
    }
    printf("%s, %zu bytes\n", type->name, layout.size);
    for (uint32_t i = 0; i < layout.field_count; i++) {
        const ox_field *field = &layout.fields[i];
        printf("  %2zu %s%s %s x %u%s\n", field->offset, field->parent >= 0 ? "  " : "",
               field->type_name, field->name, field->count,
               (field->marks & OX_MARK_UNOWNED) != 0 ? " (unowned)" : "");
    }
    ox_layout_dispose(&layout);
}

OX_STRUCT(Broken, { int flags : 3; });

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    ox_report_set_handler((ox_report_handler){ox_report_print, NULL});

    print_layout(ox_type_of(Spring));
    print_layout(ox_type_find("Owner"));
    register_at_run_time();
    printf("%u types\n", ox_type_count());
    print_layout(ox_type_of(Broken));
}

// Output:
// Spring, 32 bytes
//    0 Point ends x 2
//    0   float x x 1
//    4   float y x 1
//   16 float rest x 1
//   20 float stiffness x 1
//   24 char label x 1 (unowned)
// Owner, 8 bytes
//    0 handle owner x 1
// Wind.to is at 6
// 6 types
// oxbow: OX-S02 a struct has a field that cannot be read
//   field 'int flags : 3' of 'Broken' (examples/05_structs.c:59): bit-fields are not read
//   at examples/05_structs.c:46
//   fix: use a whole integer and masks
