// SPDX-License-Identifier: MIT
//
// Teams as shared values: units of one team lie in chunks of their own, so that "all of team 2" is
// found without a look at a single unit. You see filters by one and by two values, a job over what
// passes, teams that join others as a whole, and the list of teams that there are.

#include <oxbow.h>

#include <stdio.h>

OX_SHARED(Team, { int id; });
OX_SHARED(Rank, { int level; });
OX_COMPONENT(Health, { int points; });

// In a job a shared value is the same for all entities of a chunk, and is read only.
OX_ENTITY_JOB(Rest, (OX_WRITE(Health, health), OX_READ(Rank, rank)), { int points; }) {
    health->points += job->points + rank->level;
}

static void print_teams(ox_world *world, ox_query *units) {
    // The values that somebody has, and first the default, which is always there.
    ox_array teams = ox_shared_copy_values(world, Team, OX_TEMP);
    for (int64_t k = 0; k < teams.count; k++) {
        Team team = ox_array_read(OX_AS(teams, Team), k);
        ox_query_filter_shared(units, Team, team); // takes the place of the filter before
        printf("  team %d: %d units\n", team.id, (int)ox_query_count(units));
    }
    ox_query_reset_filters(units);
    ox_dispose(&teams);
}

static void print_units(ox_query *units) {
    OX_EACH_CHUNK(units, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        printf("  team %d, rank %d:", ox_chunk_get(chunk, Team)->id,
               ox_chunk_get(chunk, Rank)->level);
        for (int i = 0; i < chunk.count; i++) {
            printf(" %d", health[i].points);
        }
        printf("\n");
    }
}

// Gives the captains of a team to another. A chunk is changed as a whole; then the loop is left.
static void hire_captains(ox_query *units, int from, int to) {
    ox_query_filter_shared(units, Team, {from});
    ox_query_filter_shared(units, Rank, {1}); // beside the other: both must hold
    OX_EACH_CHUNK(units, chunk) {
        printf("%d captains go from team %d to %d\n", chunk.count, from, to);
        ox_chunk_set_shared(chunk, Team, {to});
        break;
    }
    ox_query_reset_filters(units);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *units = ox_query_create(world, OX_WRITE(Health), OX_READ(Team), OX_READ(Rank));
    for (int k = 0; k < 12; k++) {
        ox_entity_create(world, OX_VALUE(Health, {k}), OX_VALUE(Team, {1 + k % 3}),
                         OX_VALUE(Rank, {k < 4}));
    }
    printf("the units, chunk by chunk:\n");
    print_units(units);
    print_teams(world, units);

    ox_query_filter_shared(units, Team, {2});
    ox_schedule_query(Rest, units, OX_AUTO, {100}); // looks at chunks of team 2 only
    printf("team 2 rested:\n");
    print_units(units);
    ox_query_reset_filters(units);

    // A number that moves when units of a team come or go, and stays when they are written.
    Team one = {1};
    uint32_t before = ox_shared_get_order_version(world, ox_component_id_of(Team), &one);
    ox_query_filter_shared(units, Team, {3});
    ox_query_set_shared(units, Team, {2}); // all of team 3 joins team 2, by chunks
    ox_query_reset_filters(units);
    printf("team 3 joins team 2, did team 1 change: %d\n",
           ox_shared_get_order_version(world, ox_component_id_of(Team), &one) != before);
    print_teams(world, units);

    hire_captains(units, 2, 1);
    print_units(units);
    ox_world_destroy(world);
}

// Output:
// the units, chunk by chunk:
//   team 1, rank 1: 0 3
//   team 2, rank 1: 1
//   team 3, rank 1: 2
//   team 2, rank 0: 4 7 10
//   team 3, rank 0: 5 8 11
//   team 1, rank 0: 6 9
//   team 0: 0 units
//   team 1: 4 units
//   team 2: 4 units
//   team 3: 4 units
// team 2 rested:
//   team 2, rank 1: 102
//   team 2, rank 0: 104 107 110
// team 3 joins team 2, did team 1 change: 0
//   team 0: 0 units
//   team 1: 4 units
//   team 2: 8 units
// 2 captains go from team 2 to 1
//   team 1, rank 1: 0 3 102 2
//   team 2, rank 0: 104 107 110 5 8 11
//   team 1, rank 0: 6 9
