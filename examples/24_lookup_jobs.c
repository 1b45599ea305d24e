// SPDX-License-Identifier: MIT
//
// A job that looks at other entities: hounds run to where their hare is, on all cores, while
// another job moves the hares. What they read and write makes the second wait for the first.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(HareAt, { float x; });
OX_COMPONENT(HoundAt, { float x; });
OX_COMPONENT(Hunts, { ox_entity hare; });
OX_COMPONENT(Caught, { int times; });

OX_ENTITY_JOB(RunHares, (OX_WRITE(HareAt, at)), { float step; }) {
    at->x += job->step;
}

// Reads where hares are through a lookup. It counts as a term: with OX_AUTO this job waits for
// RunHares, and the next RunHares waits for it.
OX_ENTITY_JOB(RunHounds, (OX_WRITE(HoundAt, at), OX_READ(Hunts, hunts)),
              { OX_READ_ONLY ox_lookup hares; }) {
    if (ox_lookup_has(&job->hares, hunts->hare)) { // false for a hare that is gone
        at->x += (ox_lookup_get(&job->hares, hunts->hare, HareAt)->x - at->x) / 2;
    }
}

// Writes to other entities. Two hounds of one hare would write the same value at once; here each
// has its own, and OX_UNRESTRICTED says that the job sees to that.
OX_ENTITY_JOB(CountCatches, (OX_READ(HoundAt, at), OX_READ(Hunts, hunts)), {
    OX_READ_ONLY ox_lookup hares;
    OX_UNRESTRICTED ox_lookup caught;
}) {
    if (ox_lookup_has(&job->hares, hunts->hare) &&
        ox_lookup_get(&job->hares, hunts->hare, HareAt)->x - at->x < 2.5f) {
        ox_lookup_edit(&job->caught, hunts->hare, Caught)->times++;
    }
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_entity hares[3], hounds[3];
    for (int k = 0; k < 3; k++) {
        hares[k] =
            ox_entity_create(world, OX_VALUE(HareAt, {10.0f * (float)k}), OX_VALUE(Caught, {0}));
        hounds[k] = ox_entity_create(world, OX_VALUE(HoundAt, {0}), OX_VALUE(Hunts, {hares[k]}));
    }

    // A lookup is made on main and copied into jobs. It lives as long as its world.
    ox_lookup at = ox_lookup_create(world, HareAt), caught = ox_lookup_create(world, Caught);
    ox_system *scope = ox_world_get_root(world);
    for (int frame = 0; frame < 4; frame++) {
        ox_schedule_entities(RunHares, scope, OX_AUTO, {2});
        ox_schedule_entities(RunHounds, scope, OX_AUTO, {at});
        ox_schedule_entities(CountCatches, scope, OX_AUTO, {at, caught});
    }
    HareAt last = ox_lookup_read(&at, hares[1], HareAt); // on main it waits for the jobs
    ox_lookup_set(&at, hares[1], HareAt, {last.x});
    ox_entity_destroy(world, hares[2]); // waits for all of them
    ox_schedule_entities(RunHounds, scope, OX_AUTO, {at});

    for (int k = 0; k < 3; k++) {
        printf("hound at %g, ", ox_get(world, hounds[k], HoundAt)->x);
        if (ox_entity_exists(world, hares[k])) {
            printf("hare at %g, caught %d times\n", ox_lookup_get(&at, hares[k], HareAt)->x,
                   ox_lookup_get(&caught, hares[k], Caught)->times);
        } else {
            printf("hare gone\n");
        }
    }
    ox_world_destroy(world);
}

// Output:
// hound at 7.0625, hare at 8, caught 4 times
// hound at 16.75, hare at 18, caught 0 times
// hound at 24.875, hare gone
