// SPDX-License-Identifier: MIT
//
// A component that is switched off and on: a stun keeps its value while it is off, and nobody moves
// when it begins or ends. You see a loop and two jobs that switch it, and what queries make of it.

#include <oxbow.h>

#include <stdio.h>

OX_ENABLEABLE(Stunned, { int seconds; });
OX_ENABLEABLE_TAG(Burning);
OX_COMPONENT(Orc, { int number; });

enum { ORCS = 6 };

// A job for each orc whose stun is on. It may switch its own: who is visited was decided when the
// job came to the chunk.
OX_ENTITY_JOB(Recover, (OX_WRITE(Stunned, stun), OX_ENABLED(Stunned, is_stunned)),
              { int seconds; }) {
    stun->seconds -= job->seconds;
    ox_switch_set_on(is_stunned, stun->seconds > 0);
}

// A job over chunks is called once for each run of rows that match. OX_PRESENT asks for the
// component and not for its switch, so here the run is the whole chunk.
OX_CHUNK_JOB(StunBurning,
             (OX_WRITE(Stunned, stun), OX_PRESENT(Stunned), OX_ENABLED(Stunned, stunned),
              OX_ENABLED(Burning, burning)),
             { int seconds; }) {
    for (int i = 0; i < count; i++) {
        if (ox_switch_is_on(ox_switches_get(burning, i))) {
            stun[i].seconds = job->seconds;
            ox_switch_set_on(ox_switches_get(stunned, i), true);
        }
    }
}

static void print_stunned(const char *title, ox_query *stunned) {
    printf("%s:", title);
    OX_EACH_CHUNK(stunned, chunk) { // each step is a run of orcs that match
        const Orc *orc = ox_chunk_get(chunk, Orc);
        const Stunned *stun = ox_chunk_get(chunk, Stunned);
        for (int i = 0; i < chunk.count; i++) {
            printf(" %d for %d s%s", orc[i].number, stun[i].seconds,
                   i + 1 < chunk.count ? "," : ";");
        }
    }
    printf("\n");
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_entity orcs[ORCS];
    for (int k = 0; k < ORCS; k++) { // what is new is on
        orcs[k] = ox_entity_create(world, OX_VALUE(Orc, {k}), OX_VALUE(Stunned, {k}),
                                   OX_VALUE_TAG(Burning));
    }
    ox_entity_create(world, OX_VALUE(Orc, {9})); // cannot be stunned at all
    ox_query *stunned = ox_query_create(world, OX_READ(Orc), OX_READ(Stunned));
    ox_query *able = ox_query_create(world, OX_READ(Orc), OX_NONE(Stunned));
    ox_query *off = ox_query_create(world, OX_READ(Orc), OX_DISABLED(Stunned));
    ox_query *present = ox_query_create(world, OX_READ(Orc), OX_PRESENT(Stunned));
    ox_query *absent = ox_query_create(world, OX_READ(Orc), OX_ABSENT(Stunned));
    ox_query *switched = ox_query_create(world, OX_WRITE(Burning), OX_ENABLED(Stunned));

    // By entity, and by what it is now. The component stays, and keeps its value.
    ox_set_enabled(world, orcs[0], Stunned, false);
    ox_set_enabled(world, orcs[3], Stunned, false);
    printf("orc 3: has %d, is on %d, %d seconds\n", ox_has(world, orcs[3], Stunned),
           ox_is_enabled(world, orcs[3], Stunned), ox_get(world, orcs[3], Stunned)->seconds);
    print_stunned("stunned", stunned);
    printf("on %d, off or absent %d, off %d, present %d, absent %d\n", (int)ox_query_count(stunned),
           (int)ox_query_count(able), (int)ox_query_count(off), (int)ox_query_count(present),
           (int)ox_query_count(absent));

    ox_schedule_entities(Recover, world, OX_AUTO, {2});
    print_stunned("2 seconds later", stunned);

    // All of a query at once, then row by row in a loop, which goes on.
    ox_query_set_enabled(switched, Burning, false);
    ox_set_enabled(world, orcs[2], Burning, true);
    ox_query_set_enabled(switched, Stunned, false);
    ox_query *all = ox_query_create(world, OX_READ(Orc), OX_ENABLED(Burning));
    OX_EACH_CHUNK(all, chunk) {
        const Orc *orc = ox_chunk_get(chunk, Orc);
        for (int i = 0; i < chunk.count; i++) {
            bool burns = ox_chunk_is_enabled(chunk, i, Burning);
            ox_chunk_set_enabled(chunk, i, Burning, burns || orc[i].number == 1);
        }
    }
    ox_schedule_entities(StunBurning, world, OX_AUTO, {7});
    print_stunned("those that burn", stunned);

    // Many entities in any order go fastest through a lookup, on main and in jobs.
    ox_lookup stuns = ox_lookup_create(world, Stunned);
    for (int k = ORCS - 1; k >= 0; k--) {
        ox_lookup_set_enabled(&stuns, orcs[k], !ox_lookup_is_enabled(&stuns, orcs[k]));
    }
    printf("the others: %d\n", (int)ox_query_count(stunned));
    ox_world_destroy(world);
}

// Output:
// orc 3: has 1, is on 0, 3 seconds
// stunned: 1 for 1 s, 2 for 2 s; 4 for 4 s, 5 for 5 s;
// on 4, off or absent 3, off 2, present 6, absent 1
// 2 seconds later: 4 for 2 s, 5 for 3 s;
// those that burn: 1 for 7 s, 2 for 7 s;
// the others: 4
