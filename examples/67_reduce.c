// SPDX-License-Identifier: MIT
//
// One value from all elements of an array: sums, the least and the most, and the box around a cloud
// of points. Blocks are summed side by side and joined in their order, so sums of floats have the
// same bits for any number of workers.

#include <oxbow.h>

#include <stdio.h>

enum { POINTS = 50000 };

// The smallest box around points, and how many there are.
typedef struct Box {
    ox_float2 low, high;
    int count;
} Box;

OX_ARRAY(Points, ox_float2);
OX_ARRAY(Masses, float);
OX_ARRAY(Sum, double);
OX_ARRAY(Boxes, Box);

OX_PARALLEL_JOB(Place, {
    Points points;
    Masses masses;
}) {
    ox_random random = ox_random_create(7, (uint64_t)i);
    ox_array_set(job->points, i,
                 {ox_random_float_range(&random, -50, 50), ox_random_float_range(&random, 0, 9)});
    ox_array_set(job->masses, i, ox_random_float(&random));
}

// Takes points into a box: on any thread, each with a box of its own.
static void fold_points(void *sum, const void *items, int count, void *context) {
    (void)context;
    Box *box = sum;
    const ox_float2 *points = items;
    for (int k = 0; k < count; k++) {
        box->low = ox_float2_min(box->low, points[k]);
        box->high = ox_float2_max(box->high, points[k]);
    }
    box->count += count;
}

static void join_boxes(void *sum, const void *other, void *context) {
    (void)context;
    Box *box = sum;
    const Box *next = other;
    box->low = ox_float2_min(box->low, next->low);
    box->high = ox_float2_max(box->high, next->high);
    box->count += next->count;
}

static void print_box(const char *name, Boxes boxes) {
    Box box = ox_array_read(boxes, 0);
    printf("%s: %d points, x %.3f to %.3f, y %.3f to %.3f\n", name, box.count, box.low.x,
           box.high.x, box.low.y, box.high.y);
}

int main(void) {
    Points points = ox_array_create(Points, POINTS, OX_PERSISTENT);
    Masses masses = ox_array_create(Masses, POINTS, OX_PERSISTENT);
    Sum mass = ox_array_create(Sum, 1, OX_PERSISTENT);
    Boxes boxes = ox_array_create(Boxes, 1, OX_PERSISTENT);

    // What any sum begins with: a box that is larger the wrong way round, so that the first point
    // makes it right.
    Box empty = {{1e9f, 1e9f}, {-1e9f, -1e9f}, 0};
    ox_reduce_def bounds = {.input = points.untyped,
                            .output = boxes.untyped,
                            .identity = &empty,
                            .fold = fold_points,
                            .join = join_boxes};

    // In jobs, after the job that places the points; main does something else meanwhile.
    ox_job placed = ox_schedule_for(Place, POINTS, 256, OX_NO_JOB, {points, masses});
    ox_job bounded = ox_reduce_after(&bounds, placed);
    ox_job summed = ox_array_sum_after(masses, mass, placed);
    ox_complete(bounded, summed);
    print_box("in jobs", boxes);
    printf("mass: %.9f\n", ox_array_read(mass, 0));

    // The same here and now: no difference in any bit.
    double now = ox_array_sum(masses);
    printf("the same: %d\n", now <= ox_array_read(mass, 0) && now >= ox_array_read(mass, 0));
    printf("lightest: %.6f, heaviest: %.6f\n", ox_array_min(masses), ox_array_max(masses));
    ox_array_fill(points, {1, 2});
    ox_reduce(&bounds);
    print_box("all at one place", boxes);

    ox_dispose(&points);
    ox_dispose(&masses);
    ox_dispose(&mass);
    ox_dispose(&boxes);
}

// Output:
// in jobs: 50000 points, x -49.998 to 49.998, y 0.000 to 9.000
// mass: 24907.121115506
// the same: 1
// lightest: 0.000049, heaviest: 0.999965
// all at one place: 50000 points, x 1.000 to 1.000, y 2.000 to 2.000
