// SPDX-License-Identifier: MIT
//
// The model, and looking whether worlds agree with it.

#include "commands/moves_model.h"

ox_entity model_take_id(moves_model *model, int world) {
    model_ids *ids = &model->ids[world];
    if (ids->free_count > 0) {
        uint32_t index = ids->free[--ids->free_count];
        return (ox_entity){index, ids->versions[index]};
    }
    ids->versions[ids->used] = 1;
    EXPECT(ids->used < MODEL_IDS);
    return (ox_entity){ids->used++, 1};
}

void model_free_id(moves_model *model, int world, ox_entity id) {
    model_ids *ids = &model->ids[world];
    ids->versions[id.index]++;
    ids->free[ids->free_count++] = id.index;
}

model_entity *model_find(moves_model *model, int world, ox_entity id) {
    for (int k = 0; k < model->count; k++) {
        model_entity *entity = &model->entities[k];
        if (entity->world == world && is_same(entity->id, id)) {
            return entity;
        }
    }
    return NULL;
}

void model_remove(moves_model *model, model_entity *entity) {
    *entity = model->entities[--model->count];
}

// References.

static int find_id(const ox_entity *ids, int count, ox_entity id) {
    int at = 0;
    while (at < count && !is_same(ids[at], id)) {
        at++;
    }
    return at;
}

static void follow(ox_entity *reference, const ox_entity *before, const ox_entity *after,
                   int count) {
    int at = find_id(before, count, *reference);
    *reference = at < count ? after[at] : (ox_entity){0, 0};
}

static void follow_all(model_entity *entity, const ox_entity *before, const ox_entity *after,
                       int count) {
    follow(&entity->leader, before, after, count);
    for (int k = 0; k < entity->crew_count; k++) {
        follow(&entity->crew[k], before, after, count);
    }
}

static bool is_name_taken(const moves_model *model, int world, int name) {
    bool is_taken = false;
    for (int k = 0; k < model->count; k++) {
        is_taken =
            is_taken || (model->entities[k].world == world && model->entities[k].name == name);
    }
    return is_taken;
}

void model_move(moves_model *model, int to, int from, const ox_entity *before, int count,
                ox_entity *after) {
    static model_entity *moved[MODEL_MOST];
    for (int k = 0; k < count; k++) {
        moved[k] = model_find(model, from, before[k]);
        EXPECT(moved[k] != NULL);
        if (moved[k]->name != 0 && is_name_taken(model, to, moved[k]->name)) {
            moved[k]->name = 0;
        }
        after[k] = model_take_id(model, to);
    }
    for (int k = 0; k < count; k++) {
        model_free_id(model, from, before[k]);
        moved[k]->world = to;
        moved[k]->id = after[k];
        follow_all(moved[k], before, after, count);
    }
}

void model_copy(moves_model *model, int to, int from, const ox_entity *entities, int count,
                ox_entity *copies) {
    for (int k = 0; k < count; k++) {
        copies[k] = model_take_id(model, to);
    }
    for (int k = 0; k < count; k++) {
        model_entity copy = *model_find(model, from, entities[k]);
        copy.world = to;
        copy.id = copies[k];
        copy.has &= ~(uint32_t)HAS_REGISTERED;
        copy.name = 0;
        follow_all(&copy, entities, copies, count);
        model->entities[model->count++] = copy;
    }
}

// Looking.

static void verify_values(ox_world *world, const model_entity *entity) {
    ox_entity id = entity->id;
    if ((entity->has & HAS_HEALTH) != 0) {
        EXPECT_EQ(ox_read(world, id, Health).points, entity->health);
    }
    if ((entity->has & HAS_TEAM) != 0) {
        EXPECT_EQ(ox_get(world, id, Team)->id, entity->team);
    }
    if ((entity->has & HAS_MODEL) != 0) {
        EXPECT_EQ(*ox_get(world, id, Model)->block, entity->model);
    }
    if ((entity->has & HAS_TEXTURE) != 0) {
        EXPECT_EQ(*ox_get(world, id, Texture)->block, entity->texture);
    }
    if ((entity->has & HAS_SAIL) != 0) {
        EXPECT_EQ(ox_read(world, id, Sail).size, entity->sail);
        EXPECT_EQ(ox_is_enabled(world, id, Sail), !entity->is_furled);
    }
    if ((entity->has & HAS_REGISTERED) != 0) {
        EXPECT_EQ(ox_read(world, id, Registered).slot, entity->registered);
    }
}

static void verify_references(ox_world *world, const model_entity *entity) {
    if ((entity->has & HAS_FOLLOWS) != 0) {
        EXPECT(is_same(ox_read(world, entity->id, Follows).leader, entity->leader));
    }
    if ((entity->has & HAS_CREW) != 0) {
        ox_buffer crew = ox_get(world, entity->id, Crew);
        EXPECT_EQ(ox_buffer_count(crew), entity->crew_count);
        for (int k = 0; k < entity->crew_count; k++) {
            EXPECT(is_same(ox_buffer_get(crew, k, Crew)->sailor, entity->crew[k]));
            EXPECT_EQ(ox_buffer_get(crew, k, Crew)->rank, k);
        }
    }
}

static void verify_components(ox_world *world, const model_entity *entity) {
    ox_entity id = entity->id;
    uint32_t has =
        (ox_has(world, id, Health) ? HAS_HEALTH : 0u) |
        (ox_has(world, id, Frozen) ? HAS_FROZEN : 0u) | (ox_has(world, id, Team) ? HAS_TEAM : 0u) |
        (ox_has(world, id, Model) ? HAS_MODEL : 0u) |
        (ox_has(world, id, Texture) ? HAS_TEXTURE : 0u) |
        (ox_has(world, id, Sail) ? HAS_SAIL : 0u) | (ox_has(world, id, Crew) ? HAS_CREW : 0u) |
        (ox_has(world, id, Follows) ? HAS_FOLLOWS : 0u) |
        (ox_has(world, id, Registered) ? HAS_REGISTERED : 0u) |
        (ox_has(world, id, ox_prefab) ? HAS_PREFAB : 0u) |
        (ox_has(world, id, ox_destroyed) ? IS_RESIDUE : 0u);
    EXPECT_EQ(has, entity->has);
}

static void verify_name(const ox_world *world, const model_entity *entity) {
    const char *name = ox_entity_get_name(world, entity->id);
    char expected[16];
    snprintf(expected, sizeof expected, "name%d", entity->name);
    EXPECT_STR(name != NULL ? name : "name0", expected);
}

void model_verify(moves_model *model, ox_world *const *worlds) {
    uint32_t counts[MODEL_WORLDS] = {0};
    for (int k = 0; k < model->count; k++) {
        const model_entity *entity = &model->entities[k];
        ox_world *world = worlds[entity->world];
        counts[entity->world]++;
        EXPECT(ox_entity_exists(world, entity->id));
        verify_components(world, entity);
        verify_values(world, entity);
        verify_references(world, entity);
        verify_name(world, entity);
    }
    for (int k = 0; k < MODEL_WORLDS; k++) {
        EXPECT_EQ(count_entities(worlds[k]), counts[k]);
        EXPECT(ox_world_validate(worlds[k]));
    }
}
