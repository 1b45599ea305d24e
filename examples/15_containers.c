// SPDX-License-Identifier: MIT
//
// Jobs and containers, no world: points are put into the cells of a grid by a parallel job, and
// another job counts neighbours. The output is the same on any number of cores.

#include <oxbow.h>

#include <stdio.h>

enum { POINTS = 2000, CELLS = 50 };

// A container type names the type of its elements once.
OX_ARRAY(Points, ox_float2);
OX_ARRAY(Counts, int);
OX_ARRAY(Shares, float);
OX_LIST(Indices, int);
OX_MULTIMAP(Cells, int, int);
OX_MAP(Histogram, int, int);

OX_STRUCT(Grid, {
    OX_READ_ONLY Points points;
    int cells;
});

static int cell_of(ox_float2 point, int cells) {
    return (int)(point.x * (float)cells) + (int)(point.y * (float)cells) * cells;
}

// Every batch adds to the multimap at once. The values of one key are in the order of the indices.
OX_PARALLEL_JOB(Insert, {
    Grid grid;
    Cells_writer by_cell;
}) {
    ox_float2 point = ox_array_read(job->grid.points, i);
    ox_multimap_write(job->by_cell, cell_of(point, job->grid.cells), i);
}

OX_PARALLEL_JOB(CountNeighbours, {
    Grid grid;
    OX_READ_ONLY Cells by_cell;
    Counts counts;
    Indices_writer crowded;
}) {
    ox_float2 point = ox_array_read(job->grid.points, i);
    int neighbours = -1; // itself
    OX_EACH_OF(job->by_cell, cell_of(point, job->grid.cells), it) {
        neighbours++;
    }
    ox_array_set(job->counts, i, neighbours);
    if (neighbours >= 4) {
        ox_list_write(job->crowded, i);
    }
}

int main(void) {
    Points points = ox_array_create(Points, POINTS, OX_TEMP_JOB);
    Counts counts = ox_array_create(Counts, POINTS, OX_TEMP_JOB);
    Cells by_cell = ox_multimap_create(Cells, POINTS, OX_TEMP_JOB);
    Indices crowded = ox_list_create(Indices, POINTS, OX_TEMP_JOB);
    uint32_t random = 1;
    for (int i = 0; i < POINTS; i++) {
        random = random * 1664525u + 1013904223u;
        ox_array_set(points, i, {(float)(random >> 16) / 65536, (float)(random & 0xffff) / 65536});
    }

    Grid grid = {points, CELLS};
    ox_job inserted =
        ox_schedule_for(Insert, POINTS, 64, OX_NO_JOB, {grid, ox_multimap_writer_of(by_cell)});
    ox_job settled = ox_multimap_merge_after(by_cell, inserted); // on all cores too
    ox_job counted = ox_schedule_for(CountNeighbours, POINTS, 64, settled,
                                     {grid, by_cell, counts, ox_list_writer_of(crowded)});
    ox_complete(ox_dispose_after(&points, counted)); // freed by a job, when the others are done

    printf("most neighbours: %d, in all: %lld\n", ox_array_max(counts),
           (long long)ox_array_sum(counts));
    printf("crowded: %d, the first three are %d, %d, %d\n", ox_list_count(crowded),
           ox_list_read(crowded, 0), ox_list_read(crowded, 1), ox_list_read(crowded, 2));

    Histogram by_count = ox_map_create(Histogram, 16, OX_TEMP);
    for (int i = 0; i < POINTS; i++) {
        int count = ox_array_read(counts, i);
        ox_map_set(by_count, count, ox_map_read_or(by_count, count, 0) + 1);
    }
    for (int count = 0; count < 4; count++) {
        printf("%d neighbours: %d points\n", count, ox_map_read(by_count, count));
    }

    // What is wanted for a moment: five floats that are gone with the frame.
    Shares shares = ox_array_create(Shares, 5, OX_TEMP);
    for (int count = 0; count < 5; count++) {
        int points_with = ox_map_read_or(by_count, count, 0);
        ox_array_set(shares, count, (float)points_with / POINTS);
    }
    printf("alone: %.3f of all, sum of shares: %.1f\n", ox_array_read(shares, 0),
           ox_array_sum(shares));

    ox_dispose(&counts);
    ox_dispose(&by_cell);
    ox_dispose(&crowded);
}

// Output:
// most neighbours: 4, in all: 1574
// crowded: 25, the first three are 29, 47, 97
// 0 neighbours: 928 points
// 1 neighbours: 688 points
// 2 neighbours: 291 points
// 3 neighbours: 68 points
// alone: 0.464 of all, sum of shares: 1.0
