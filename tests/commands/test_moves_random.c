// SPDX-License-Identifier: MIT
//
// Random moves and copies between three worlds, held against a naive model after each step. The
// same program is run twice, with all worlds on one heap and with a heap for each: both must lie
// the same.

#include "commands/moves_model.h"

enum { STEPS = 60, HASHES = STEPS * MODEL_WORLDS, TEAMS = 3 };

static moves_model model;
static ox_world *worlds[MODEL_WORLDS];
static collected_reports reports;
static oxi_random random_state;
static ox_entity before[MODEL_MOST], after[MODEL_MOST], expected[MODEL_MOST];

static int pick(int count) {
    return (int)oxi_random_below(&random_state, (uint64_t)count);
}

static model_entity *pick_entity(int world) {
    model_entity *found = NULL;
    int seen = 0;
    for (int k = 0; k < model.count; k++) {
        if (model.entities[k].world == world && pick(++seen) == 0) {
            found = &model.entities[k];
        }
    }
    return found;
}

// Any entity of a world, a dead one now and then.
static ox_entity pick_reference(int world) {
    const model_entity *there = pick_entity(world);
    return there == NULL || pick(5) == 0 ? (ox_entity){(uint32_t)pick(40), (uint32_t)pick(3)}
                                         : there->id;
}

// Changes.

static void add_components(ox_world *world, const model_entity *entity) {
    ox_entity id = entity->id;
    if ((entity->has & HAS_HEALTH) != 0) {
        EXPECT(ox_add(world, id, Health, {entity->health}));
    }
    if ((entity->has & HAS_FROZEN) != 0) {
        EXPECT(ox_add_tag(world, id, Frozen));
    }
    if ((entity->has & HAS_TEAM) != 0) {
        EXPECT(ox_add(world, id, Team, {entity->team}));
    }
    if ((entity->has & HAS_MODEL) != 0) {
        add_model(world, id, entity->model);
    }
    if ((entity->has & HAS_TEXTURE) != 0) {
        add_texture(world, id, entity->texture);
    }
    if ((entity->has & HAS_SAIL) != 0) {
        EXPECT(ox_add(world, id, Sail, {entity->sail}));
        EXPECT(ox_set_enabled(world, id, Sail, !entity->is_furled));
    }
    if ((entity->has & HAS_REGISTERED) != 0) {
        EXPECT(ox_add(world, id, Registered, {entity->registered}));
    }
    if ((entity->has & HAS_PREFAB) != 0) {
        EXPECT(ox_add_tag(world, id, ox_prefab));
    }
}

static void add_references(ox_world *world, model_entity *entity) {
    ox_entity id = entity->id;
    if ((entity->has & HAS_FOLLOWS) != 0) {
        entity->leader = pick_reference(entity->world);
        EXPECT(ox_add(world, id, Follows, {entity->leader, {{0, 0}}, 1}));
    }
    if ((entity->has & HAS_CREW) == 0) {
        return;
    }
    ox_buffer crew =
        ox_has(world, id, Crew) ? ox_edit(world, id, Crew) : ox_add_buffer(world, id, Crew);
    ox_buffer_clear(crew);
    entity->crew_count = pick(MODEL_CREW + 1);
    for (int k = 0; k < entity->crew_count; k++) {
        entity->crew[k] = pick_reference(entity->world);
        EXPECT(ox_buffer_push(crew, Crew, {k, entity->crew[k]}));
    }
}

static void create_some(int world) {
    uint32_t has = (uint32_t)oxi_random_next_u64(&random_state) & HAS_ALL;
    has &= pick(2) == 0 ? HAS_HEALTH | HAS_TEAM | HAS_FOLLOWS | HAS_SAIL : HAS_ALL; // often alike
    for (int k = pick(12); k >= 0 && model.count < MODEL_MOST / 2; k--) {
        model_entity entity = {
            .world = world,
            .has = has,
            .health = pick(1000),
            .team = pick(TEAMS),
            .model = 1 + pick(3),
            .texture = 1 + pick(3),
            .sail = pick(9),
            .registered = pick(99),
            .is_furled = pick(3) == 0,
        };
        entity.id = model_take_id(&model, world);
        EXPECT(is_same(ox_entity_create(worlds[world]), entity.id));
        add_components(worlds[world], &entity);
        model.entities[model.count++] = entity;
        add_references(worlds[world], &model.entities[model.count - 1]);
    }
}

static void destroy_one(int world) {
    model_entity *entity = pick_entity(world);
    if (entity == NULL || (entity->has & IS_RESIDUE) != 0) {
        return;
    }
    ox_entity_destroy(worlds[world], entity->id);
    if ((entity->has & HAS_REGISTERED) != 0) {
        entity->has = HAS_REGISTERED | IS_RESIDUE;
    } else {
        model_free_id(&model, world, entity->id);
        model_remove(&model, entity);
    }
}

static void release_one(int world) {
    model_entity *entity = pick_entity(world);
    if (entity != NULL && (entity->has & IS_RESIDUE) != 0) {
        EXPECT(ox_remove(worlds[world], entity->id, Registered));
        model_free_id(&model, world, entity->id);
        model_remove(&model, entity);
    }
}

static void change_one(int world) {
    model_entity *entity = pick_entity(world);
    if (entity == NULL || (entity->has & IS_RESIDUE) != 0) {
        return;
    }
    if ((entity->has & HAS_TEAM) != 0) {
        entity->team = pick(TEAMS);
        EXPECT(ox_set(worlds[world], entity->id, Team, {entity->team}));
    }
    if ((entity->has & HAS_HEALTH) != 0) {
        entity->health = pick(1000);
        ox_edit(worlds[world], entity->id, Health)->points = entity->health;
    }
    add_references(worlds[world], entity);
    if (entity->name == 0 && (entity->has & HAS_REGISTERED) == 0) {
        char name[16];
        int number = 1 + pick(8);
        snprintf(name, sizeof name, "name%d", number);
        if (ox_entity_find(worlds[world], name).version == 0) {
            entity->name = number;
            EXPECT(ox_entity_set_name(worlds[world], entity->id, name));
        }
    }
}

// Moves.

// All entities of a world in the order of archetypes, chunks and rows.
static int list_rows(ox_world *world) {
    int count = 0;
    oxi_store_close(&world->store);
    for (uint32_t k = 0; k < world->store.archetypes.count; k++) {
        const oxi_archetype *archetype = oxi_archetype_at(&world->store, k);
        for (size_t n = 0; n < archetype->lane.chunks.count; n++) {
            oxi_chunk chunk = archetype->lane.chunks.items[n];
            for (uint32_t row = 0; chunk != 0 && row < oxi_chunk_entry_of(chunk)->count; row++) {
                before[count++] = oxi_chunk_entities(chunk)[row];
            }
        }
    }
    return count;
}

static int list_query(ox_query *query) {
    int count = 0;
    OX_EACH_CHUNK(query, chunk) {
        memcpy(before + count, chunk.entities, (size_t)chunk.count * sizeof *before);
        count += chunk.count;
    }
    return count;
}

static bool is_listed(int count, ox_entity id) {
    bool is_there = false;
    for (int k = 0; k < count; k++) {
        is_there = is_there || is_same(before[k], id);
    }
    return is_there;
}

// True when a value that cannot be copied would be in both worlds.
static bool tears_texture(int to, int from, int count) {
    for (int32_t texture = 1; texture <= 3; texture++) {
        bool goes = false, stays = false, is_there = false;
        for (int k = 0; k < model.count; k++) {
            const model_entity *entity = &model.entities[k];
            if ((entity->has & HAS_TEXTURE) != 0 && entity->texture == texture) {
                bool is_moved = entity->world == from && is_listed(count, entity->id);
                goes = goes || is_moved;
                stays = stays || (entity->world == from && !is_moved);
                is_there = is_there || entity->world == to;
            }
        }
        if (goes && stays && !is_there) {
            return true;
        }
    }
    return false;
}

static bool comes_before(ox_world *world, const model_entity *a, const model_entity *b) {
    ox_entity_location first = ox_entity_get_location(world, a->id),
                       second = ox_entity_get_location(world, b->id);
    bool is_one_lane = first.archetype.number == second.archetype.number && a->team == b->team &&
                       a->model == b->model && a->texture == b->texture;
    return !is_one_lane || first.chunk < second.chunk ||
           (first.chunk == second.chunk && first.row < second.row);
}

// Those that arrived in one lane stand in their order.
static void expect_order(int to, int count) {
    for (int k = 1; k < count; k++) {
        for (int n = k - 1; n >= 0 && n >= k - 4; n--) {
            EXPECT(comes_before(worlds[to], model_find(&model, to, after[n]),
                                model_find(&model, to, after[k])));
        }
    }
}

// Moves what is listed: all, or what a query finds.
static void expect_move(int to, int from, ox_query *query, int count) {
    static ox_entity got[MODEL_MOST];
    ox_moved_ids ids = {got, after, MODEL_MOST};
    int taken = 0;
    for (int k = 0; k < count; k++) {
        const model_entity *entity = model_find(&model, from, before[k]);
        EXPECT(entity != NULL);
        for (int n = 0; entity->name != 0 && n < model.count; n++) {
            taken += model.entities[n].world == to && model.entities[n].name == entity->name;
        }
    }
    bool is_torn = tears_texture(to, from, count);
    int64_t moved = query != NULL ? ox_world_move_query(worlds[to], query, &ids)
                                  : ox_world_move(worlds[to], worlds[from], &ids);
    if (is_torn) {
        EXPECT_EQ(moved, -1);
        EXPECT_REPORT(&reports, OX_REPORT_SHARED_OWNED);
        return;
    }
    EXPECT_EQ(moved, count);
    EXPECT_EQ(reports.count, taken);
    EXPECT(taken == 0 || reports.last == OX_REPORT_NAME_LEFT);
    reports.count = 0;
    model_move(&model, to, from, before, count, expected);
    EXPECT(memcmp(got, before, (size_t)count * sizeof *got) == 0);
    EXPECT(memcmp(after, expected, (size_t)count * sizeof *after) == 0);
    expect_order(to, count);
}

static ox_query *make_query(ox_world *world, int kind) {
    switch (kind) {
    case 0:
        return ox_query_create(world, OX_READ(Health), OX_INCLUDE(ox_prefab));
    case 1:
        return ox_query_create(world, OX_PRESENT(Sail), OX_NONE(Texture));
    case 2:
        return ox_query_create(world, OX_READ(Follows));
    default:
        return ox_query_create(world, OX_READ(Team), OX_READ(Health), OX_INCLUDE(ox_prefab));
    }
}

static void move_by_query(int to, int from) {
    int kind = pick(4);
    ox_query *query = make_query(worlds[from], kind);
    int32_t team = pick(TEAMS);
    if (kind == 3) {
        EXPECT(ox_query_filter_shared(query, Team, {team}));
    } else if (pick(3) == 0) {
        EXPECT(ox_query_filter_order(query, ox_world_get_version(worlds[from]) - 3));
    }
    int count = list_query(query);
    for (int k = 0; kind == 3 && k < count; k++) {
        EXPECT_EQ(model_find(&model, from, before[k])->team, team);
    }
    expect_move(to, from, query, count);
    ox_query_destroy(query);
}

static void copy_some(int to, int from) {
    int count = 0;
    bool is_owned = false;
    for (int k = 0; k < model.count && count < 20; k++) {
        const model_entity *entity = &model.entities[k];
        if (entity->world == from && (entity->has & IS_RESIDUE) == 0 && pick(4) == 0) {
            before[count++] = entity->id;
        }
    }
    for (int k = 0; k < count; k++) {
        const model_entity *entity = model_find(&model, from, before[k]);
        bool is_there = (entity->has & HAS_TEXTURE) == 0;
        for (int n = 0; n < model.count; n++) {
            const model_entity *other = &model.entities[n];
            is_there = is_there || (other->world == to && (other->has & HAS_TEXTURE) != 0 &&
                                    other->texture == entity->texture);
        }
        is_owned = is_owned || !is_there;
    }
    uint64_t hash = ox_world_hash_layout(worlds[from]);
    EXPECT_EQ(ox_world_copy(worlds[to], worlds[from], before, after, count), !is_owned);
    EXPECT_EQ(ox_world_hash_layout(worlds[from]), hash);
    if (is_owned) {
        EXPECT_REPORT(&reports, OX_REPORT_SHARED_OWNED);
        return;
    }
    model_copy(&model, to, from, before, count, expected);
    EXPECT(memcmp(after, expected, (size_t)count * sizeof *after) == 0);
}

static void take_step(void) {
    int from = pick(MODEL_WORLDS), to = (from + 1 + pick(MODEL_WORLDS - 1)) % MODEL_WORLDS;
    int kind = pick(20);
    ox_world_advance_version(worlds[from]);
    if (kind < 7) {
        create_some(from);
    } else if (kind < 10) {
        destroy_one(from);
    } else if (kind < 12) {
        release_one(from);
    } else if (kind < 14) {
        change_one(from);
    } else if (kind < 15) {
        expect_move(to, from, NULL, list_rows(worlds[from]));
    } else if (kind < 18) {
        move_by_query(to, from);
    } else if (model.count < MODEL_MOST - 20) {
        copy_some(to, from);
    }
}

// Runs a program. With `heaps`, each world has one of its own.
static void run_program(uint64_t seed, counted_memory *heaps, uint64_t *hashes) {
    ox_allocator allocators[MODEL_WORLDS] = {0};
    memset(&model, 0, sizeof model);
    reports = (collected_reports){0};
    random_state = oxi_random_seed(seed);
    for (int k = 0; k < MODEL_WORLDS; k++) {
        allocators[k] = heaps != NULL && k > 0 ? counted_create(&heaps[k]) : 0;
        worlds[k] = ox_world_create(&(ox_world_def){
            .removal = k == 1 ? OX_REMOVAL_SWAP : OX_REMOVAL_ORDERED,
            .allocator = allocators[k],
            .on_report = {collect_report, &reports},
        });
        EXPECT(worlds[k] != NULL);
    }
    for (int step = 0; step < STEPS; step++) {
        take_step();
        EXPECT_EQ(reports.count, 0);
        model_verify(&model, worlds);
        for (int k = 0; k < MODEL_WORLDS; k++) {
            *hashes++ = ox_world_hash_layout(worlds[k]) ^ ox_world_hash(worlds[k]);
        }
    }
    for (int k = 0; k < MODEL_WORLDS; k++) {
        ox_world_destroy(worlds[k]);
        if (allocators[k] != 0) {
            ox_allocator_destroy(allocators[k]);
        }
    }
    EXPECT_EQ(live_blocks, 0);
}

TEST(moves_random, worlds_agree_with_a_model_and_with_worlds_of_other_heaps) {
    static uint64_t hashes[2][HASHES];
    uint64_t seed = test_seed(20261117);
    set_block_calls();
    for (uint64_t round = 0; round < test_scaled(1000); round++) {
        counted_memory heaps[MODEL_WORLDS] = {{0}};
        if (!test_is_mine(round)) {
            continue;
        }
        run_program(seed + round, NULL, hashes[0]);
        run_program(seed + round, heaps, hashes[1]);
        EXPECT(memcmp(hashes[0], hashes[1], sizeof hashes[0]) == 0);
        for (int k = 0; k < MODEL_WORLDS; k++) {
            EXPECT_EQ(heaps[k].live + heaps[k].wrong, 0);
        }
    }
}
