// SPDX-License-Identifier: MIT
//
// Arrays of types that are known at run time only: a table with a column of any type for each name,
// as an editor or an importer has it. OX_AS names the type for one call, and a wrong one is
// reported. You see the table, one field of its places, and their bytes as floats.

#include <oxbow.h>

#include <stdio.h>

enum { ROWS = 4 };

typedef enum Kind { WHOLE, REAL, PLACE } Kind;

typedef struct Place {
    float x, y;
} Place;

// An untyped handle stands for an array of anything.
typedef struct Column {
    const char *name;
    Kind kind;
    ox_array cells;
} Column;

static Column create_column(const char *name, Kind kind) {
    static const Place corners[ROWS] = {{0, 0}, {8, 0}, {8, 6}, {0, 6}};
    Column made = {name, kind, {0}};
    switch (kind) {
    case WHOLE:
        made.cells = ox_array_create_untyped(int, ROWS, OX_PERSISTENT); // all 0
        break;
    case REAL: // written below, so it need not be cleared first
        made.cells = ox_array_create_uninitialized_untyped(float, ROWS, OX_PERSISTENT);
        ox_array_fill(OX_AS(made.cells, float), 0.5f);
        break;
    case PLACE:
        made.cells = ox_array_create_copy_untyped(Place, corners, ROWS, OX_PERSISTENT);
        break;
    }
    return made;
}

static void print_cell(Column column, int row) {
    switch (column.kind) {
    case WHOLE:
        printf(" %s %d", column.name, ox_array_read(OX_AS(column.cells, int), row));
        break;
    case REAL:
        printf(" %s %g", column.name, ox_array_read(OX_AS(column.cells, float), row));
        break;
    case PLACE: {
        Place place = ox_array_read(OX_AS(column.cells, Place), row);
        printf(" %s (%g, %g)", column.name, place.x, place.y);
        break;
    }
    }
}

int main(void) {
    Column table[] = {create_column("id", WHOLE), create_column("health", REAL),
                      create_column("place", PLACE)};
    for (int row = 0; row < ROWS; row++) {
        ox_array_set(OX_AS(table[0].cells, int), row, 100 + row);
    }
    for (int row = 0; row < ROWS; row++) {
        printf("row %d:", row);
        for (int k = 0; k < 3; k++) {
            print_cell(table[k], row);
        }
        printf("\n");
    }

    // Slices of an untyped array are untyped, too: the type and the field are named together.
    ox_slice places = ox_array_slice(table[2].cells, 1, 3);
    ox_slice heights = ox_slice_field_untyped(places, Place, float, y);
    for (int k = 0; k < ox_slice_count(heights); k++) {
        *ox_slice_edit(OX_AS(heights, float), k) += 1;
    }
    printf("raised by 1:");
    print_cell(table[2], 0);
    print_cell(table[2], 3);

    // And the same bytes as elements of another type.
    ox_slice numbers = ox_slice_as_untyped(places, float);
    printf("\n%d floats:", ox_slice_count(numbers));
    for (int k = 0; k < ox_slice_count(numbers); k++) {
        printf(" %g", ox_slice_read(OX_AS(numbers, float), k));
    }
    printf("\n");
    for (int k = 0; k < 3; k++) {
        ox_dispose(&table[k].cells);
    }
}

// Output:
// row 0: id 100 health 0.5 place (0, 0)
// row 1: id 101 health 0.5 place (8, 0)
// row 2: id 102 health 0.5 place (8, 6)
// row 3: id 103 health 0.5 place (0, 6)
// raised by 1: place (0, 0) place (0, 7)
// 6 floats: 8 1 8 7 0 7
