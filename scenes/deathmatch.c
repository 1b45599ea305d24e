// SPDX-License-Identifier: MIT
//
// Deathmatch: players of four teams come from their corners, hunt each other, fall, leave their
// weapons to those who killed them, and rise again. A frame, from top to bottom:
//
//     Arm       jobs    what each one carries, by a multimap of pairs; its best weapon counts
//     Choose    jobs    whom each one hunts: its nemesis, or one of another team at random
//     Walk      jobs    towards it
//     Strike    jobs    who is near enough creates a blow: an entity, through commands
//     Hits      barrier the blows of this frame come into being
//     Damage    main    blows take health; who has none left falls; the blows go again
//     Loot      jobs    pairs of those who fell change hands, or are destroyed with their weapon
//     Rise      jobs    who lay long enough rises with a new weapon, or leaves for a newcomer
//     Score     main    counts, and begins the next round
//
// Teams are shared values: players of one team lie in chunks of their own. What a player carries is
// an entity for each pair of owner and weapon.

#include "scene.h"

OX_SHARED(PlayerTeam, { int id; });
OX_COMPONENT(PlayerPlace, { float x, y; });
OX_COMPONENT(PlayerPace, { float x, y; });
OX_COMPONENT(PlayerHealth, { int points; });
OX_COMPONENT(PlayerAim, { ox_entity who; });
OX_COMPONENT(PlayerArms, {
    int power;
    float reach;
    uint32_t ready; // the frame in which it can strike again
});
OX_COMPONENT(PlayerTally, { int kills, falls; });

// The one that killed it most: each kill by it counts for it, each by another against it, and who
// comes when there is none left takes the place.
OX_COMPONENT(Nemesis, {
    ox_entity who; // may be gone: who holds a reference asks
    int lead;
});

OX_COMPONENT(Fallen, {
    ox_entity by;
    uint32_t since, until; // frames
});
OX_COMPONENT(Weapon, {
    int power;
    float reach;
});
OX_COMPONENT(Carries, { ox_entity owner, weapon; });
OX_COMPONENT(Blow, {
    ox_entity from, to;
    int power;
});

// One of each in the world.
OX_COMPONENT(MatchRules, {
    uint64_t seed;
    int players;
    int kills_of_round; // of one team: then the next begins
});
OX_COMPONENT(MatchScore, {
    ox_entity leader;
    int leader_kills;
    int best_team;
    int round;
});

enum { TEAMS = 4, FULL_HEALTH = 100, REST_FRAMES = 24, DOWN_FRAMES = 90, FLASH_FRAMES = 5 };

#define PACE 0.12f // widths of the arena in a second
#define CAMP 0.3f  // of the arena, in its corner

// What a random number is for, so that systems draw different ones in the same frame.
enum { FOR_CHOOSE = 1, FOR_STRIKE, FOR_DAMAGE, FOR_LOOT, FOR_RISE };

static uint64_t seed_of(const ox_system *system, int purpose) {
    uint64_t frame = ox_system_get_time(system).frame;
    return scene_random_seed(ox_singleton_get(system->world, MatchRules)->seed,
                             frame * 8 + (uint64_t)purpose);
}

static uint32_t frame_of(const ox_system *system) {
    return (uint32_t)ox_system_get_time(system).frame;
}

// What a newcomer is. On main and through commands alike, values are given as a list.

// Each team comes from a corner of its own.
static PlayerPlace random_place(int team, uint64_t *random) {
    float x = scene_random_float(random) * CAMP, y = scene_random_float(random) * CAMP;
    return (PlayerPlace){(team & 1) != 0 ? 1 - x : x, (team & 2) != 0 ? 1 - y : y};
}

static Weapon random_weapon(uint64_t *random) {
    int power = 10 + (int)scene_random(random, 30);
    return (Weapon){power, 0.006f + 0.0004f * (float)(40 - power)}; // the strong ones are short
}

// Arm. A job writes all pairs into a multimap, others read it.

OX_MULTIMAP(Weapons, ox_entity, ox_entity);

OX_ENTITY_JOB(Collect, (OX_READ(Carries, pair)), { Weapons_writer weapons; }) {
    ox_multimap_write(job->weapons, pair->owner, pair->weapon);
}

OX_ENTITY_JOB(Arm, (OX_ENTITY(player), OX_WRITE(PlayerArms, arms), OX_NONE(Fallen)), {
    OX_READ_ONLY Weapons weapons;
    OX_READ_ONLY ox_lookup weapon;
}) {
    Weapon best = {5, 0.005f}; // bare hands
    OX_EACH_OF(job->weapons, player, it) {
        Weapon weapon = *ox_lookup_get(&job->weapon, *it.value, Weapon);
        best = weapon.power > best.power ? weapon : best;
    }
    arms->power = best.power;
    arms->reach = best.reach;
}

typedef struct ArmState {
    ox_lookup weapon;
    Weapons weapons;
} ArmState;

static bool create_arm(ox_system *system) {
    ArmState *state = ox_system_state(system, ArmState);
    state->weapons = ox_multimap_create(Weapons, 64, OX_PERSISTENT);
    return ox_multimap_is_created(state->weapons);
}

static void destroy_arm(ox_system *system) {
    ox_dispose(&ox_system_state(system, ArmState)->weapons);
}

OX_JOB_SYSTEM(DeathmatchArm, .is_manual = true, .before = {"DeathmatchChoose"},
              .jobs = OX_JOBS(Collect, Arm), .create = create_arm, .destroy = destroy_arm,
              .state = sizeof(ArmState),
              .inject = {OX_INJECT_LOOKUP(ArmState, weapon, OX_READ(Weapon))}) {
    ArmState *state = ox_system_state(system, ArmState);
    ox_multimap_clear(state->weapons); // its jobs of the frame before are complete
    ox_job collected = ox_schedule_entities(Collect, system, after,
                                            {.weapons = ox_multimap_writer_of(state->weapons)});
    ox_job settled = ox_multimap_merge_after(state->weapons, collected);
    return ox_schedule_entities(Arm, system, settled,
                                {.weapons = state->weapons, .weapon = state->weapon});
}

// Choose. Main lists who is alive, which is a matter of chunks; a job looks at each player.

OX_STRUCT(Candidate, {
    ox_entity who;
    int team;
});
OX_ARRAY(Candidates, Candidate);

OX_ENTITY_JOB(Choose,
              (OX_ENTITY(player), OX_WRITE(PlayerAim, aim), OX_READ(Nemesis, nemesis),
               OX_READ(PlayerTeam, team), OX_NONE(Fallen)),
              {
                  OX_READ_ONLY Candidates living;
                  OX_READ_ONLY ox_lookup health;
                  OX_READ_ONLY ox_lookup fallen;
                  uint64_t seed;
              }) {
    uint64_t random = scene_random_seed(job->seed, player.index);
    bool is_bored = scene_random(&random, 240) == 0;
    if (!is_bored && ox_lookup_has(&job->health, aim->who) &&
        !ox_lookup_has(&job->fallen, aim->who)) {
        return;
    }
    aim->who = (ox_entity){0};
    if (scene_random(&random, 3) > 0 && ox_lookup_has(&job->health, nemesis->who) &&
        !ox_lookup_has(&job->fallen, nemesis->who)) {
        aim->who = nemesis->who; // whatever team it is in by now
        return;
    }
    for (int tries = 0; tries < 4 && ox_array_count(job->living) > 0; tries++) {
        Candidate candidate = ox_array_read(
            job->living, scene_random(&random, (uint32_t)ox_array_count(job->living)));
        if (candidate.team != team->id) {
            aim->who = candidate.who;
            return;
        }
    }
}

typedef struct ChooseState {
    ox_query *living;
    ox_lookup health, fallen;
} ChooseState;

static bool create_choose(ox_system *system) {
    ChooseState *state = ox_system_state(system, ChooseState);
    state->living = ox_system_query(system, OX_READ(PlayerTeam), OX_NONE(Fallen));
    return state->living != NULL;
}

static Candidates list_living(ox_query *living) {
    Candidates list = ox_array_create(Candidates, ox_query_count(living), OX_TEMP_JOB);
    int64_t at = 0;
    OX_EACH_CHUNK(living, chunk) {
        int team = ox_chunk_get(chunk, PlayerTeam)->id;
        Candidate *candidates = ox_array_edit_range(list, at, at + chunk.count);
        for (int i = 0; i < chunk.count; i++) {
            candidates[i] = (Candidate){chunk.entities[i], team};
        }
        at += chunk.count;
    }
    return list;
}

OX_JOB_SYSTEM(DeathmatchChoose, .is_manual = true, .before = {"DeathmatchWalk"},
              .jobs = OX_JOBS(Choose), .create = create_choose, .state = sizeof(ChooseState),
              .inject = {OX_INJECT_LOOKUP(ChooseState, health, OX_READ(PlayerHealth)),
                         OX_INJECT_LOOKUP(ChooseState, fallen, OX_READ(Fallen))}) {
    ChooseState *state = ox_system_state(system, ChooseState);
    Candidates living = list_living(state->living);
    ox_job chosen = ox_schedule_entities(Choose, system, after,
                                         {.living = living,
                                          .health = state->health,
                                          .fallen = state->fallen,
                                          .seed = seed_of(system, FOR_CHOOSE)});
    return ox_dispose_after(&living, chosen);
}

// Walk. Where others stand is looked up, so the pace comes first and the place of all after it.

OX_ENTITY_JOB(Turn,
              (OX_READ(PlayerAim, aim), OX_READ(PlayerPlace, place), OX_WRITE(PlayerPace, pace),
               OX_NONE(Fallen)),
              { OX_READ_ONLY ox_lookup places; }) {
    *pace = (PlayerPace){0, 0};
    if (ox_lookup_has(&job->places, aim->who)) {
        const PlayerPlace *target = ox_lookup_get(&job->places, aim->who, PlayerPlace);
        ox_float2 way = ox_float2_make(target->x - place->x, target->y - place->y);
        ox_float2 step = ox_float2_scale(ox_float2_normalize(way), PACE);
        *pace = (PlayerPace){step.x, step.y};
    }
}

OX_ENTITY_JOB(Walk, (OX_WRITE(PlayerPlace, place), OX_READ(PlayerPace, pace), OX_NONE(Fallen)),
              { float dt; }) {
    place->x += pace->x * job->dt;
    place->y += pace->y * job->dt;
}

typedef struct WalkState {
    ox_lookup places;
} WalkState;

// Nobody walks before all have turned: the one reads places, the other writes them.
OX_JOB_SYSTEM(DeathmatchWalk, .is_manual = true, .jobs = OX_JOBS(Turn, Walk),
              .before = {"DeathmatchStrike"}, .state = sizeof(WalkState),
              .inject = {OX_INJECT_LOOKUP(WalkState, places, OX_READ(PlayerPlace))}) {
    ox_job turned = ox_schedule_entities(Turn, system, after,
                                         {.places = ox_system_state(system, WalkState)->places});
    return ox_schedule_entities(Walk, system, turned, {.dt = ox_system_get_delta(system)});
}

// Strike. Jobs cannot change health of somebody else: another job may do so at the same time. They
// say what is to happen, in commands that a barrier carries out.

OX_BARRIER(DeathmatchHits, .is_manual = true, .before = {"DeathmatchDamage"});

OX_ENTITY_JOB(Strike,
              (OX_ENTITY(player), OX_READ(PlayerAim, aim), OX_READ(PlayerPlace, place),
               OX_WRITE(PlayerArms, arms), OX_NONE(Fallen)),
              {
                  OX_READ_ONLY ox_lookup places;
                  ox_commands commands;
                  uint64_t seed;
                  uint32_t frame;
              }) {
    if (arms->ready > job->frame || !ox_lookup_has(&job->places, aim->who)) {
        return;
    }
    const PlayerPlace *target = ox_lookup_get(&job->places, aim->who, PlayerPlace);
    float x = target->x - place->x, y = target->y - place->y;
    if (x * x + y * y <= arms->reach * arms->reach) {
        uint64_t random = scene_random_seed(job->seed, player.index);
        arms->ready = job->frame + REST_FRAMES / 2 + scene_random(&random, REST_FRAMES);
        ox_commands_create_entity(job->commands, OX_VALUE(Blow, {player, aim->who, arms->power}));
    }
}

typedef struct StrikeState {
    ox_lookup places;
    ox_system *hits;
} StrikeState;

OX_JOB_SYSTEM(DeathmatchStrike, .is_manual = true, .jobs = OX_JOBS(Strike),
              .before = {"DeathmatchHits"}, .state = sizeof(StrikeState),
              .inject = {OX_INJECT_LOOKUP(StrikeState, places, OX_READ(PlayerPlace)),
                         OX_INJECT_SYSTEM(StrikeState, hits, "DeathmatchHits")}) {
    StrikeState *state = ox_system_state(system, StrikeState);
    return ox_schedule_entities(Strike, system, after,
                                {.places = state->places,
                                 .commands = ox_barrier_commands(state->hits),
                                 .seed = seed_of(system, FOR_STRIKE),
                                 .frame = frame_of(system)});
}

// Damage. On main: blows may meet the same player, and the first that kills is the one that counts.
// Its commands are carried out right after it.

typedef struct DamageState {
    ox_query *blows;
    ox_lookup health, tally, nemesis;
} DamageState;

static bool create_damage(ox_system *system) {
    DamageState *state = ox_system_state(system, DamageState);
    state->blows = ox_system_query(system, OX_READ(Blow));
    return state->blows != NULL;
}

static void note_kill(const DamageState *state, ox_entity killer, ox_entity victim) {
    ox_lookup_edit(&state->tally, victim, PlayerTally)->falls++;
    if (ox_lookup_has(&state->tally, killer)) { // its blow may outlive it
        ox_lookup_edit(&state->tally, killer, PlayerTally)->kills++;
    }
    Nemesis *nemesis = ox_lookup_edit(&state->nemesis, victim, Nemesis);
    nemesis->lead += ox_entity_equals(nemesis->who, killer) ? 1 : -1;
    if (nemesis->lead <= 0) {
        *nemesis = (Nemesis){killer, 1};
    }
}

OX_SYSTEM(DeathmatchDamage, .is_manual = true, .create = create_damage,
          .state = sizeof(DamageState),
          .inject = {OX_INJECT_LOOKUP(DamageState, health, OX_WRITE(PlayerHealth)),
                     OX_INJECT_LOOKUP(DamageState, tally, OX_WRITE(PlayerTally)),
                     OX_INJECT_LOOKUP(DamageState, nemesis, OX_WRITE(Nemesis))}) {
    DamageState *state = ox_system_state(system, DamageState);
    ox_commands commands = ox_system_commands(system);
    uint64_t random = seed_of(system, FOR_DAMAGE);
    OX_EACH_CHUNK(state->blows, chunk) {
        const Blow *blow = ox_chunk_get(chunk, Blow);
        for (int i = 0; i < chunk.count; i++) {
            if (!ox_lookup_has(&state->health, blow[i].to)) {
                continue;
            }
            PlayerHealth *health = ox_lookup_edit(&state->health, blow[i].to, PlayerHealth);
            bool was_up = health->points > 0;
            health->points -= blow[i].power;
            if (was_up && health->points <= 0) {
                uint32_t frame = frame_of(system);
                uint32_t until = frame + DOWN_FRAMES / 2 + scene_random(&random, DOWN_FRAMES);
                ox_commands_add(commands, blow[i].to, Fallen, {blow[i].from, frame, until});
                note_kill(state, blow[i].from, blow[i].to);
            }
        }
    }
    ox_commands_query_destroy_entities(commands, state->blows);
}

// Loot. A pair is never written: one is destroyed, another created.

OX_ENTITY_JOB(Loot, (OX_ENTITY(pair), OX_READ(Carries, carries)), {
    OX_READ_ONLY ox_lookup health;
    OX_READ_ONLY ox_lookup fallen;
    ox_commands commands;
    uint64_t seed;
    uint32_t frame;
}) {
    ox_entity heir = {0};
    if (ox_lookup_has(&job->fallen, carries->owner)) {
        const Fallen *fallen = ox_lookup_get(&job->fallen, carries->owner, Fallen);
        if (fallen->since != job->frame) {
            return;
        }
        heir = fallen->by;
    } else if (ox_lookup_has(&job->health, carries->owner)) {
        return;
    }
    uint64_t random = scene_random_seed(job->seed, pair.index);
    ox_commands_destroy_entity(job->commands, pair);
    if (scene_random(&random, 2) == 0 && ox_lookup_has(&job->health, heir)) {
        ox_commands_create_entity(job->commands, OX_VALUE(Carries, {heir, carries->weapon}));
    } else {
        ox_commands_destroy_entity(job->commands, carries->weapon);
    }
}

typedef struct LootState {
    ox_lookup health, fallen;
} LootState;

OX_JOB_SYSTEM(DeathmatchLoot, .is_manual = true, .jobs = OX_JOBS(Loot),
              .after = {"DeathmatchDamage"}, .state = sizeof(LootState),
              .inject = {OX_INJECT_LOOKUP(LootState, health, OX_READ(PlayerHealth)),
                         OX_INJECT_LOOKUP(LootState, fallen, OX_READ(Fallen))}) {
    LootState *state = ox_system_state(system, LootState);
    return ox_schedule_entities(Loot, system, after,
                                {.health = state->health,
                                 .fallen = state->fallen,
                                 .commands = ox_system_commands(system),
                                 .seed = seed_of(system, FOR_LOOT),
                                 .frame = frame_of(system)});
}

// Rise. Temporary ids stand for what commands create, in later commands and in their values.

static ox_entity join_later(ox_commands commands, PlayerTeam team, uint64_t *random) {
    return ox_commands_create_entity(
        commands, OX_VALUE(PlayerTeam, team), OX_VALUE(PlayerPlace, random_place(team.id, random)),
        OX_VALUE(PlayerPace, {0, 0}), OX_VALUE(PlayerHealth, {FULL_HEALTH}),
        OX_VALUE(PlayerAim, {{0, 0}}), OX_VALUE(PlayerArms, {0, 0, 0}),
        OX_VALUE(PlayerTally, {0, 0}), OX_VALUE(Nemesis, {{0, 0}, 0}));
}

OX_ENTITY_JOB(Rise,
              (OX_ENTITY(player), OX_READ(Fallen, fallen), OX_WRITE(PlayerHealth, health),
               OX_WRITE(PlayerPlace, place), OX_READ(PlayerTeam, team)),
              {
                  ox_commands commands;
                  uint64_t seed;
                  uint32_t frame;
              }) {
    if (fallen->until > job->frame) {
        return;
    }
    uint64_t random = scene_random_seed(job->seed, player.index);
    ox_entity who = player;
    if (scene_random(&random, 8) == 0) { // leaves for good
        ox_commands_destroy_entity(job->commands, player);
        who = join_later(job->commands, *team, &random);
    } else {
        health->points = FULL_HEALTH;
        *place = random_place(team->id, &random);
        ox_commands_remove(job->commands, player, Fallen);
        if (scene_random(&random, 16) == 0) {
            ox_commands_set(job->commands, player, PlayerTeam, {(int)scene_random(&random, TEAMS)});
        }
    }
    ox_entity weapon =
        ox_commands_create_entity(job->commands, OX_VALUE(Weapon, random_weapon(&random)));
    ox_commands_create_entity(job->commands, OX_VALUE(Carries, {who, weapon}));
}

OX_JOB_SYSTEM(DeathmatchRise, .is_manual = true, .jobs = OX_JOBS(Rise),
              .after = {"DeathmatchLoot"}) {
    return ox_schedule_entities(Rise, system, after,
                                {.commands = ox_system_commands(system),
                                 .seed = seed_of(system, FOR_RISE),
                                 .frame = frame_of(system)});
}

// Score. On main, while the jobs of Loot and Rise are at work: they do not touch what it counts.

typedef struct ScoreState {
    ox_query *tallies;
    ox_query *standing, *lying; // for drawing
} ScoreState;

static bool create_score(ox_system *system) {
    ScoreState *state = ox_system_state(system, ScoreState);
    ox_world *world = system->world;
    state->tallies = ox_system_query(system, OX_WRITE(PlayerTally), OX_READ(PlayerTeam));
    state->standing =
        ox_query_create(world, OX_READ(PlayerPlace), OX_READ(PlayerTeam), OX_NONE(Fallen));
    state->lying = ox_query_create(world, OX_READ(PlayerPlace), OX_READ(Fallen));
    return state->tallies != NULL && state->standing != NULL && state->lying != NULL;
}

static void begin_round(ox_query *tallies) {
    OX_EACH_CHUNK(tallies, chunk) {
        PlayerTally *tally = ox_chunk_edit(chunk, PlayerTally);
        for (int i = 0; i < chunk.count; i++) {
            tally[i] = (PlayerTally){0, 0};
        }
    }
}

OX_SYSTEM(DeathmatchScore, .is_manual = true, .after = {"DeathmatchRise"}, .create = create_score,
          .state = sizeof(ScoreState)) {
    ScoreState *state = ox_system_state(system, ScoreState);
    MatchScore *score = ox_singleton_edit(system->world, MatchScore);
    int kills[TEAMS] = {0};
    score->leader = (ox_entity){0};
    score->leader_kills = 0;
    OX_EACH_CHUNK(state->tallies, chunk) {
        const PlayerTally *tally = ox_chunk_get(chunk, PlayerTally);
        int team = ox_chunk_get(chunk, PlayerTeam)->id;
        for (int i = 0; i < chunk.count; i++) {
            kills[team] += tally[i].kills;
            if (tally[i].kills > score->leader_kills) {
                score->leader = chunk.entities[i];
                score->leader_kills = tally[i].kills;
            }
        }
    }
    for (int team = 0; team < TEAMS; team++) {
        score->best_team = kills[team] > kills[score->best_team] ? team : score->best_team;
    }
    if (kills[score->best_team] >= ox_singleton_get(system->world, MatchRules)->kills_of_round) {
        score->round++;
        begin_round(state->tallies);
    }
}

// What there is to see: players in the colour of their team, as large as leaves room for all. Who
// falls flashes, and lies there in grey.

static float choose_size(int64_t players) {
    return ox_clamp(0.3f / ox_sqrt((float)(players + 1)), 0.0005f, 0.01f);
}

static int draw_lying(ox_query *players, float size, uint32_t frame, scene_dot *dots,
                      int capacity) {
    int count = 0;
    OX_EACH_CHUNK(players, chunk) {
        const PlayerPlace *place = ox_chunk_get(chunk, PlayerPlace);
        const Fallen *fallen = ox_chunk_get(chunk, Fallen);
        for (int i = 0; i < chunk.count && count < capacity; i++) {
            bool flashes = frame - fallen[i].since <= FLASH_FRAMES;
            dots[count++] = (scene_dot){place[i].x, place[i].y, flashes ? size * 2.5f : size * 0.7f,
                                        flashes ? 0xffffff : 0x303238};
        }
    }
    return count;
}

static int draw_standing(ox_query *players, float size, scene_dot *dots, int capacity) {
    static const uint32_t colours[TEAMS] = {0xff4a3d, 0x3a9bff, 0x58d15a, 0xffc928};
    int count = 0;
    OX_EACH_CHUNK(players, chunk) {
        const PlayerPlace *place = ox_chunk_get(chunk, PlayerPlace);
        uint32_t colour = colours[ox_chunk_get(chunk, PlayerTeam)->id];
        for (int i = 0; i < chunk.count && count < capacity; i++) {
            dots[count++] = (scene_dot){place[i].x, place[i].y, size, colour};
        }
    }
    return count;
}

static int draw_deathmatch(ox_world *world, scene_dot *dots, int capacity) {
    const ScoreState *state = ox_system_state(ox_system_find(world, "DeathmatchScore"), ScoreState);
    uint32_t frame = (uint32_t)ox_world_get_time(world).frame;
    float size = choose_size(ox_query_count(state->lying) + ox_query_count(state->standing));
    int lying = draw_lying(state->lying, size, frame, dots, capacity);
    return lying + draw_standing(state->standing, size, dots + lying, capacity - lying);
}

// How the world is filled.

static bool join(ox_world *world, int team, uint64_t *random) {
    ox_entity player = ox_entity_create(
        world, OX_VALUE(PlayerTeam, {team}), OX_VALUE(PlayerPlace, random_place(team, random)),
        OX_VALUE(PlayerPace, {0, 0}), OX_VALUE(PlayerHealth, {FULL_HEALTH}),
        OX_VALUE(PlayerAim, {{0, 0}}), OX_VALUE(PlayerArms, {0, 0, 0}),
        OX_VALUE(PlayerTally, {0, 0}), OX_VALUE(Nemesis, {{0, 0}, 0}));
    bool is_armed = player.version != 0;
    for (int k = 0; k < 2 && is_armed; k++) {
        ox_entity weapon = ox_entity_create(world, OX_VALUE(Weapon, random_weapon(random)));
        ox_entity pair = ox_entity_create(world, OX_VALUE(Carries, {player, weapon}));
        is_armed = weapon.version != 0 && pair.version != 0;
    }
    return is_armed;
}

static bool create_deathmatch(ox_world *world, const scene_def *def) {
    static const ox_system_def *const systems[] = {
        &ox_system_DeathmatchHits, &ox_system_DeathmatchArm,    &ox_system_DeathmatchChoose,
        &ox_system_DeathmatchWalk, &ox_system_DeathmatchStrike, &ox_system_DeathmatchDamage,
        &ox_system_DeathmatchLoot, &ox_system_DeathmatchRise,   &ox_system_DeathmatchScore,
    };
    int players = def->entities > 0 ? def->entities : scene_deathmatch.entities;
    uint64_t random = scene_random_seed(def->seed, 0);
    ox_singleton_create(world, MatchRules, {def->seed, players, players});
    ox_singleton_create(world, MatchScore, {{0, 0}, 0, 0, 1});
    bool is_complete = true;
    for (int k = 0; k < players && is_complete; k++) {
        is_complete = join(world, k % TEAMS, &random);
    }
    for (size_t k = 0; k < sizeof systems / sizeof *systems && is_complete; k++) {
        is_complete = ox_system_add(world, systems[k]) != NULL;
    }
    return is_complete;
}

const scene scene_deathmatch = {
    .name = "deathmatch",
    .what = "players who hunt, fall, leave their weapons to others and rise again",
    .entities = 20000,
    .create = create_deathmatch,
    .draw = draw_deathmatch,
};
