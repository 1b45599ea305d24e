// SPDX-License-Identifier: MIT
//
// One to many: each player keeps the entity of the one that killed it most often. You see who that
// is, what happens when that entity is destroyed, and a lookup that follows the references.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Player, { char name[8]; });
OX_COMPONENT(Bounty, { int coins; });
OX_COMPONENT(Nemesis, { ox_entity who; }); // the null entity, {0, 0}: nobody

OX_STRUCT(Kill, {
    ox_entity killer;
    ox_entity victim;
});
OX_MAP(KillCounts, Kill, int);

static ox_entity join_game(ox_world *world, Player player) {
    return ox_entity_create(world, OX_VALUE(Player, player), OX_VALUE(Bounty, {0}),
                            OX_VALUE(Nemesis, {{0, 0}}));
}

static void count_kills(KillCounts counts, const Kill *kills, int count) {
    for (int k = 0; k < count; k++) {
        int before = ox_map_read_or(counts, kills[k], 0);
        ox_map_set(counts, kills[k], before + 1);
    }
}

// A reference does not keep an entity alive, and its handle never means another one later. So who
// holds references asks whether they exist.
static int forget_the_dead(ox_world *world, ox_query *players) {
    int forgotten = 0;
    OX_EACH_CHUNK(players, chunk) {
        Nemesis *nemesis = ox_chunk_edit(chunk, Nemesis);
        for (int i = 0; i < chunk.count; i++) {
            if (!ox_entity_is_null(nemesis[i].who) && !ox_entity_exists(world, nemesis[i].who)) {
                nemesis[i].who = (ox_entity){0};
                forgotten++;
            }
        }
    }
    return forgotten;
}

static void find_nemeses(ox_world *world, KillCounts counts) {
    OX_EACH(counts, it) {
        ox_entity killer = it.key->killer, victim = it.key->victim;
        if (!ox_entity_exists(world, killer) || !ox_entity_exists(world, victim)) {
            continue;
        }
        Kill worst = {ox_get(world, victim, Nemesis)->who, victim};
        if (*it.value > ox_map_read_or(counts, worst, 0)) {
            ox_edit(world, victim, Nemesis)->who = killer;
        }
    }
}

// The walk reads memory from front to back; each look through a lookup goes somewhere else.
static void raise_bounties(ox_world *world, ox_query *players) {
    ox_lookup names = ox_lookup_create(world, Player), bounties = ox_lookup_create(world, Bounty);
    OX_EACH_CHUNK(players, chunk) {
        const Player *player = ox_chunk_get(chunk, Player);
        const Nemesis *nemesis = ox_chunk_get(chunk, Nemesis);
        for (int i = 0; i < chunk.count; i++) {
            ox_entity who = nemesis[i].who;
            if (!ox_lookup_has(&bounties, who)) { // false for the null entity, too
                printf("  %s fears nobody\n", player[i].name);
                continue;
            }
            ox_lookup_edit(&bounties, who, Bounty)->coins += 10;
            printf("  %s fears %s, who is worth %d now\n", player[i].name,
                   ox_lookup_get(&names, who, Player)->name,
                   ox_lookup_get(&bounties, who, Bounty)->coins);
        }
    }
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *players = ox_query_create(world, OX_READ(Player), OX_WRITE(Nemesis));
    KillCounts counts = ox_map_create(KillCounts, 16, OX_PERSISTENT);
    ox_entity ada = join_game(world, (Player){"Ada"});
    ox_entity bob = join_game(world, (Player){"Bob"});
    ox_entity cyd = join_game(world, (Player){"Cyd"});

    const Kill kills[] = {{ada, bob}, {bob, cyd}, {ada, cyd}, {cyd, bob}, {ada, cyd}, {ada, bob}};
    count_kills(counts, kills, 6);
    find_nemeses(world, counts);
    printf("6 kills:\n");
    raise_bounties(world, players);

    ox_entity_destroy(world, ada);
    printf("Ada is gone, forgotten by %d:\n", forget_the_dead(world, players));
    raise_bounties(world, players);

    // With nobody in the way, the next one takes the place.
    find_nemeses(world, counts);
    printf("of those who are left:\n");
    raise_bounties(world, players);

    ox_dispose(&counts);
    ox_world_destroy(world);
}

// Output:
// 6 kills:
//   Ada fears nobody
//   Bob fears Ada, who is worth 10 now
//   Cyd fears Ada, who is worth 20 now
// Ada is gone, forgotten by 2:
//   Bob fears nobody
//   Cyd fears nobody
// of those who are left:
//   Bob fears Cyd, who is worth 10 now
//   Cyd fears Bob, who is worth 10 now
