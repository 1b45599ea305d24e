// SPDX-License-Identifier: MIT
//
// Parents and children: where a part stands is where its parent stands, then its own place in it.
// Trees of any depth are placed in jobs, in two ways. By depth: all parts of one depth in one job,
// after those of the depth above. By tree: a job for each root, which walks down through buffers of
// children. You see that both give the same places, to the bit, and what a part does that moves.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Local, { float x, y, angle; });  // in the parent; of a root, in the world
OX_COMPONENT(Placed, { float x, y, angle; }); // in the world: what the jobs write
OX_COMPONENT(Parent, { ox_entity entity; });  // a root has none
OX_SHARED(Depth, { int value; });             // 0 is a root: each depth has chunks of its own
OX_BUFFER(Child, 4, { ox_entity entity; });

static Placed place(Placed parent, const Local *local) {
    float sine = ox_sin(parent.angle), cosine = ox_cos(parent.angle);
    Placed placed = {parent.x + cosine * local->x - sine * local->y,
                     parent.y + sine * local->x + cosine * local->y, parent.angle + local->angle};
    return placed;
}

static Placed place_root(const Local *local) {
    Placed placed = {local->x, local->y, local->angle};
    return placed;
}

// By depth: one job for the roots, then one for each depth.
OX_ENTITY_JOB(PlaceRoots, (OX_READ(Local, local), OX_WRITE(Placed, placed), OX_NONE(Parent))) {
    *placed = place_root(local);
}

// A part writes its own place and reads its parent's, which is the same component: so that is no
// term, and one lookup does both. OX_UNRESTRICTED says that the job sees to it that no row writes
// what another reads; here the depths do.
OX_ENTITY_JOB(PlaceParts,
              (OX_READ(Local, local), OX_READ(Parent, parent), OX_WITH(Placed), OX_ENTITY(self)),
              { OX_UNRESTRICTED ox_lookup placed; }) {
    Placed at = *ox_lookup_get(&job->placed, parent->entity, Placed);
    *ox_lookup_edit(&job->placed, self, Placed) = place(at, local);
}

typedef struct ByDepthState {
    ox_query *parts;
    ox_lookup placed;
} ByDepthState;

static bool create_by_depth(ox_system *system) {
    ByDepthState *state = ox_system_state(system, ByDepthState);
    state->parts =
        ox_system_query(system, OX_READ(Local), OX_READ(Parent), OX_READ(Depth), OX_WITH(Placed));
    state->placed = ox_system_lookup(system, OX_WRITE(Placed));
    return state->parts != NULL;
}

// The greatest depth that the world has. A depth without parts is no end: those below it may have
// parents that are switched off.
static int find_deepest(ox_world *world) {
    int deepest = 0;
    ox_array depths = ox_shared_copy_values(world, Depth, OX_TEMP); // waits for nobody
    for (int64_t k = 0; k < ox_array_count(depths); k++) {
        int depth = ox_array_read(OX_AS(depths, Depth), k).value;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

OX_JOB_SYSTEM(ByDepth, .is_manual = true, .jobs = OX_JOBS(PlaceRoots, PlaceParts),
              .state = sizeof(ByDepthState), .create = create_by_depth) {
    ByDepthState *state = ox_system_state(system, ByDepthState);
    ox_job placed = ox_schedule_entities(PlaceRoots, system, after);
    int deepest = find_deepest(system->world);
    for (int depth = 1; depth <= deepest; depth++) {
        ox_query_filter_shared(state->parts, Depth, {depth});
        placed = ox_schedule_query(PlaceParts, state->parts, placed, {state->placed});
    }
    return placed;
}

// By tree. No entity is in two trees, so no two rows write the same one.
OX_STRUCT(Tree, {
    OX_READ_ONLY ox_lookup locals;
    OX_READ_ONLY ox_lookup children;
    OX_UNRESTRICTED ox_lookup placed;
});

static void place_tree(const Tree *tree, ox_entity entity, Placed at) {
    *ox_lookup_edit(&tree->placed, entity, Placed) = at;
    if (ox_lookup_has(&tree->children, entity)) {
        ox_buffer children = ox_lookup_get(&tree->children, entity, Child);
        for (int k = 0; k < ox_buffer_count(children); k++) {
            ox_entity child = ox_buffer_get(children, k, Child)->entity;
            place_tree(tree, child, place(at, ox_lookup_get(&tree->locals, child, Local)));
        }
    }
}

OX_ENTITY_JOB(PlaceTrees,
              (OX_READ(Local, local), OX_WITH(Placed), OX_NONE(Parent), OX_ENTITY(self)),
              { Tree tree; }) {
    place_tree(&job->tree, self, place_root(local));
}

static bool create_by_tree(ox_system *system) {
    Tree *tree = ox_system_state(system, Tree);
    tree->locals = ox_system_lookup(system, OX_READ(Local));
    tree->children = ox_system_lookup(system, OX_READ(Child));
    tree->placed = ox_system_lookup(system, OX_WRITE(Placed));
    return true;
}

OX_JOB_SYSTEM(ByTree, .is_manual = true, .jobs = OX_JOBS(PlaceTrees), .state = sizeof(Tree),
              .create = create_by_tree) {
    return ox_schedule_entities(PlaceTrees, system, after, {*ox_system_state(system, Tree)});
}

// A part is one deeper than its parent, which gets it as a child.
static ox_entity attach(ox_world *world, ox_entity parent, Local local) {
    int depth = ox_get(world, parent, Depth)->value + 1;
    ox_entity part = ox_entity_create(world, OX_VALUE(Local, local), OX_VALUE(Placed, {0}),
                                      OX_VALUE(Parent, {parent}), OX_VALUE(Depth, {depth}));
    if (!ox_has(world, parent, Child)) {
        ox_add_buffer(world, parent, Child);
    }
    ox_buffer_push(ox_edit(world, parent, Child), Child, {part});
    return part;
}

// A thousand cranes: an arm, a joint, a hook and what hangs on it, each on the one before. Returns
// the hook of the last.
static ox_entity build(ox_world *world, ox_entity *arm) {
    ox_entity hook = {0};
    for (int k = 0; k < 1000; k++) {
        ox_entity crane = ox_entity_create(world, OX_VALUE(Local, {10.0f * (float)k, 0, 0}),
                                           OX_VALUE(Placed, {0}), OX_VALUE(Depth, {0}));
        *arm = attach(world, crane, (Local){0, 5, 0});
        ox_entity joint = attach(world, *arm, (Local){4, 0, 0});
        hook = attach(world, joint, (Local){2, 0, 0});
        for (int load = 0; load < k % 4; load++) {
            attach(world, hook, (Local){0, -1 - (float)load, 0});
        }
    }
    return hook;
}

static void print_hook(ox_world *world, const char *name, ox_entity hook) {
    ox_world_update(world, 1.0f / 60.0f);
    const Placed *at = ox_get(world, hook, Placed); // waits for the jobs
    printf("%s: the hook is at %.2f %.2f\n", name, (double)at->x, (double)at->y);
}

static void switch_arms_off(ox_world *world) {
    ox_query *arms = ox_query_create(world, OX_READ(Depth));
    ox_query_filter_shared(arms, Depth, {1});
    ox_array all = ox_query_copy_entities(arms, OX_TEMP);
    for (int64_t k = 0; k < ox_array_count(all); k++) {
        ox_entity_set_enabled(world, ox_array_read(OX_AS(all, ox_entity), k), false);
    }
}

static uint64_t run(const ox_system_def *def) {
    ox_world *world = ox_world_create(&(ox_world_def){.name = def->name, .no_systems = true});
    ox_entity arm, hook = build(world, &arm);
    ox_system_add(world, def);
    print_hook(world, def->name, hook);
    ox_edit(world, arm, Local)->angle = OX_PI / 2; // up: joint, hook and loads go along
    print_hook(world, def->name, hook);
    switch_arms_off(world); // none of that depth is left to be placed; those below are
    ox_edit(world, ox_get(world, hook, Parent)->entity, Local)->angle = OX_PI / 2;
    print_hook(world, def->name, hook);
    uint64_t hash = ox_world_hash(world);
    ox_world_destroy(world);
    return hash;
}

int main(void) {
    uint64_t by_depth = run(&ox_system_ByDepth), by_tree = run(&ox_system_ByTree);
    printf("the same places: %s\n", by_depth == by_tree ? "yes" : "no");
    ox_jobs_stop();
}

// Output:
// ByDepth: the hook is at 9996.00 5.00
// ByDepth: the hook is at 9990.00 11.00
// ByDepth: the hook is at 9988.00 9.00
// ByTree: the hook is at 9996.00 5.00
// ByTree: the hook is at 9990.00 11.00
// ByTree: the hook is at 9988.00 9.00
// the same places: yes
