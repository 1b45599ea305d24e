// SPDX-License-Identifier: MIT
//
// Systems that want to come before each other. You see the report, which names the whole circle
// with the place of each, and that the world runs on: without these constraints, with all others.

#include <oxbow.h>

#include <stdio.h>

OX_SYSTEM(Cook, .before = {"Eat"}) {
    printf("cook\n");
}

OX_SYSTEM(Eat, .before = {"Wash"}) {
    printf("eat\n");
}

OX_SYSTEM(Wash, .before = {"Cook"}) {
    printf("wash\n");
}

// Not part of the circle: what it says holds.
OX_SYSTEM(Shop, .before = {"Cook"}) {
    printf("shop\n");
}

// A report as data: id, what, detail, fix.
static void print_report(const ox_report *report, void *context) {
    ++*(int *)context;
    printf("%s %s\n%s\nfix: %s\n", report->code, report->what, report->detail, report->fix);
}

int main(void) {
    int count = 0;
    ox_report_set_handler((ox_report_handler){print_report, &count});
    ox_world *world = ox_world_create(NULL);
    printf("reports: %d\n", count);
    ox_world_update(world, 1.0f / 60.0f);

    // The order is worked out again when systems come or go: one of the three less, no circle.
    ox_system_remove(ox_system_find(world, "Wash"));
    ox_world_update(world, 1.0f / 60.0f);
    printf("reports: %d\n", count);
    ox_world_destroy(world);
}

// Output:
// OX-W01 systems are ordered in a cycle
// in world 'world'
// 'Cook' (examples/36_cycle.c:10) comes before 'Eat'
// 'Eat' (examples/36_cycle.c:14) comes before 'Wash'
// 'Wash' (examples/36_cycle.c:18) comes before 'Cook'
// fix: remove one of these constraints; none of them holds until then
// reports: 1
// eat
// shop
// cook
// wash
// shop
// cook
// eat
// reports: 1
