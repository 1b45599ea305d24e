// SPDX-License-Identifier: MIT
//
// Stream: a window that moves over an endless land. A sector that comes into it is built by a
// background job in a world of its own, and moved into this one eight frames later; one that is
// left behind is moved out to such a world, and emptied there by another background job. So main
// neither creates nor destroys a single tree.
//
// When a job is done depends on the clock. When its sector is taken in does not: if a job takes
// longer than eight frames, main waits for it.

#include "scene.h"

// Places are counted within a sector, from 0 to 1: so they stay exact however far the window goes.
OX_SHARED(Sector, { int x, y; });
OX_COMPONENT(Tree, { float x, y; });
OX_COMPONENT(TreeAge, { float years; });
OX_COMPONENT(Critter, { float x, y, pace_x, pace_y; });
OX_COMPONENT(CritterHome, { ox_entity tree; }); // of its sector: moves along

enum {
    WINDOW = 8, // sectors in each direction
    SECTORS = WINDOW * WINDOW,
    SLOTS = 40, // worlds to build and to empty in: two rows and two columns at once, and some
    LATENCY = 8,
    FRAMES_PER_COLUMN = 8,
    FRAMES_PER_ROW = 32,
    ROWS_UP_AND_DOWN = 4,
    CRITTERS_OF_TREE = 3,
};

// Where the window is: at an even pace to the right, and up and down.

typedef struct Corner {
    float x, y; // in sectors
} Corner;

static Corner corner_of(uint64_t frame) {
    uint64_t turn = 2 * ROWS_UP_AND_DOWN * FRAMES_PER_ROW, at = frame % turn;
    uint64_t up = at < turn / 2 ? at : turn - at;
    return (Corner){(float)frame / FRAMES_PER_COLUMN, (float)up / FRAMES_PER_ROW};
}

static bool is_in_window(Sector sector, Corner corner) {
    int x = (int)corner.x, y = (int)corner.y;
    return sector.x >= x && sector.x < x + WINDOW && sector.y >= y && sector.y < y + WINDOW;
}

// A sector is built, here by main when the scene begins, else by a background job.

static bool build_sector(ox_world *world, Sector sector, int entities, uint64_t seed) {
    uint64_t place = (uint64_t)(uint32_t)sector.x << 32 | (uint32_t)sector.y;
    uint64_t random = scene_random_seed(seed, place);
    int trees = entities / (1 + CRITTERS_OF_TREE);
    for (int k = 0; k < trees; k++) {
        float x = scene_random_float(&random), y = scene_random_float(&random);
        ox_entity tree = ox_entity_create(world, OX_VALUE(Sector, sector), OX_VALUE(Tree, {x, y}),
                                          OX_VALUE(TreeAge, {100 * scene_random_float(&random)}));
        for (int n = 0; n < CRITTERS_OF_TREE; n++) {
            float away = scene_random_float(&random) / 16, pace = scene_random_float(&random) / 16;
            ox_entity_create(world, OX_VALUE(Sector, sector),
                             OX_VALUE(Critter, {x + away, y, 0, pace}),
                             OX_VALUE(CritterHome, {tree}));
        }
        if (tree.version == 0) {
            return false;
        }
    }
    return true;
}

OX_JOB(BuildSector, {
    ox_transaction lent;
    Sector sector;
    int entities;
    uint64_t seed;
}) {
    ox_world *world = ox_transaction_enter(job->lent);
    build_sector(world, job->sector, job->entities, job->seed);
    ox_transaction_leave(job->lent);
}

OX_JOB(EmptySector, { ox_transaction lent; }) {
    ox_world *world = ox_transaction_enter(job->lent);
    ox_query *all = ox_query_create(world, OX_READ(Sector));
    ox_query_destroy_entities(all);
    ox_query_destroy(all);
    ox_transaction_leave(job->lent);
}

// The window. Worlds to build and to empty in are kept and used again.

typedef enum SlotUse { SLOT_FREE = 0, SLOT_BUILDS, SLOT_EMPTIES } SlotUse;

typedef struct Slot {
    ox_world *world;
    SlotUse use;
    Sector sector;
    uint64_t due; // the frame in which its job is waited for
    ox_transaction lent;
    ox_job job;
} Slot;

typedef struct WindowState {
    Slot slots[SLOTS];
    Sector here[SECTORS * 2]; // what was taken in and not moved out yet
    int here_count;
    int entities_each;
    uint64_t seed;
    ox_query *of_sector;
    ox_query *trees, *critters; // for drawing
} WindowState;

static void begin_slot(Slot *slot, SlotUse use, Sector sector, uint64_t frame) {
    slot->use = use;
    slot->sector = sector;
    slot->due = frame + LATENCY;
    slot->lent = ox_transaction_begin(slot->world);
}

static void end_slot(Slot *slot) {
    ox_transaction_end(&slot->lent, slot->job);
    slot->use = SLOT_FREE;
}

static Slot *find_free_slot(WindowState *state) {
    for (int k = 0; k < SLOTS; k++) {
        if (state->slots[k].use == SLOT_FREE) {
            return &state->slots[k];
        }
    }
    return NULL;
}

// What is due: sectors that were built move in.
static void take_due(ox_system *system, WindowState *state, uint64_t frame) {
    for (int k = 0; k < SLOTS; k++) {
        Slot *slot = &state->slots[k];
        if (slot->use == SLOT_FREE || slot->due != frame) {
            continue;
        }
        bool is_built = slot->use == SLOT_BUILDS;
        end_slot(slot);
        if (is_built) {
            ox_world_move(system->world, slot->world, NULL);
            state->here[state->here_count++] = slot->sector;
        }
    }
}

// What the window left moves out, unless no world is free: then in another frame.
static void move_out(WindowState *state, Corner corner, uint64_t frame) {
    int kept = 0;
    for (int k = 0; k < state->here_count; k++) {
        Sector sector = state->here[k];
        Slot *slot = is_in_window(sector, corner) ? NULL : find_free_slot(state);
        if (slot == NULL) {
            state->here[kept++] = sector;
            continue;
        }
        ox_query_filter_shared(state->of_sector, Sector, sector);
        ox_world_move_query(slot->world, state->of_sector, NULL);
        ox_query_reset_filters(state->of_sector);
        begin_slot(slot, SLOT_EMPTIES, sector, frame);
        slot->job = ox_schedule_background(EmptySector, OX_NO_JOB, {slot->lent});
    }
    state->here_count = kept;
}

static bool is_same_sector(Sector a, Sector b) {
    return a.x == b.x && a.y == b.y;
}

static bool is_known(const WindowState *state, Sector sector) {
    for (int k = 0; k < state->here_count; k++) {
        if (is_same_sector(state->here[k], sector)) {
            return true;
        }
    }
    for (int k = 0; k < SLOTS; k++) {
        if (state->slots[k].use == SLOT_BUILDS && is_same_sector(state->slots[k].sector, sector)) {
            return true;
        }
    }
    return false;
}

// What will be in the window once it is built.
static void build_ahead(WindowState *state, uint64_t frame) {
    Corner corner = corner_of(frame + LATENCY);
    for (int k = 0; k < SECTORS; k++) {
        Sector sector = {(int)corner.x + k % WINDOW, (int)corner.y + k / WINDOW};
        Slot *slot = is_known(state, sector) ? NULL : find_free_slot(state);
        if (slot != NULL) {
            begin_slot(slot, SLOT_BUILDS, sector, frame);
            slot->job = ox_schedule_background(
                BuildSector, OX_NO_JOB, {slot->lent, sector, state->entities_each, state->seed});
        }
    }
}

static bool create_window(ox_system *system) {
    WindowState *state = ox_system_state(system, WindowState);
    ox_world *world = system->world;
    state->of_sector = ox_system_query(system, OX_READ(Sector));
    state->trees = ox_query_create(world, OX_READ(Sector), OX_READ(Tree));
    state->critters = ox_query_create(world, OX_READ(Sector), OX_READ(Critter));
    bool is_complete = state->of_sector != NULL && state->trees != NULL && state->critters != NULL;
    for (int k = 0; k < SLOTS; k++) {
        state->slots[k].world =
            ox_world_create(&(ox_world_def){.name = "sector", .no_systems = true});
        is_complete = is_complete && state->slots[k].world != NULL;
    }
    return is_complete;
}

static void destroy_window(ox_system *system) {
    WindowState *state = ox_system_state(system, WindowState);
    for (int k = 0; k < SLOTS; k++) {
        if (state->slots[k].use != SLOT_FREE) {
            end_slot(&state->slots[k]);
        }
        ox_world_destroy(state->slots[k].world);
    }
}

OX_SYSTEM(StreamWindow, .is_manual = true, .in = "Initialization", .create = create_window,
          .destroy = destroy_window, .state = sizeof(WindowState)) {
    WindowState *state = ox_system_state(system, WindowState);
    uint64_t frame = ox_system_get_time(system).frame;
    take_due(system, state, frame);
    move_out(state, corner_of(frame), frame);
    build_ahead(state, frame);
    ox_jobs_kick();
}

// Life in the window: trees grow, and critters swing around theirs.

OX_CHUNK_JOB(Grow, (OX_WRITE(TreeAge, age)), { float dt; }) {
    for (int i = 0; i < count; i++) {
        age[i].years += job->dt;
    }
}

OX_JOB_SYSTEM(StreamGrow, .is_manual = true, .jobs = OX_JOBS(Grow)) {
    return ox_schedule_entities(Grow, system, after, {.dt = ox_system_get_delta(system)});
}

OX_ENTITY_JOB(Wander, (OX_WRITE(Critter, critter), OX_READ(CritterHome, home)), {
    OX_READ_ONLY ox_lookup trees;
    float dt;
}) {
    const Tree *tree = ox_lookup_get(&job->trees, home->tree, Tree);
    critter->pace_x += (tree->x - critter->x) * job->dt;
    critter->pace_y += (tree->y - critter->y) * job->dt;
    critter->x += critter->pace_x * job->dt;
    critter->y += critter->pace_y * job->dt;
}

typedef struct WanderState {
    ox_lookup trees;
} WanderState;

OX_JOB_SYSTEM(StreamWander, .is_manual = true, .jobs = OX_JOBS(Wander),
              .state = sizeof(WanderState),
              .inject = {OX_INJECT_LOOKUP(WanderState, trees, OX_READ(Tree))}) {
    return ox_schedule_entities(
        Wander, system, after,
        {.trees = ox_system_state(system, WanderState)->trees, .dt = ox_system_get_delta(system)});
}

// What there is to see: the window from above, with a margin, so that sectors are seen to come and
// go. What grows in a sector has the colour of its land, which goes on from one to the next.

#define MARGIN 1.0f // sectors on each side of the window

// How much the land is raised in the corner of a sector, from 0 to 1: random for every fourth, and
// even in between.
static float raise_corner(int x, int y) {
    float right = (float)(x % 4) / 4, up = (float)(y % 4) / 4, raised = 0;
    for (int k = 0; k < 4; k++) {
        uint64_t place = (uint64_t)(x / 4 + (k & 1)) << 32 | (uint64_t)(y / 4 + (k >> 1));
        uint64_t random = scene_random_seed(1, place);
        raised += scene_random_float(&random) * ((k & 1) != 0 ? right : 1 - right) *
                  ((k & 2) != 0 ? up : 1 - up);
    }
    return raised;
}

typedef struct Land {
    float x, y; // of the sector, in the picture
    float size;
    float raised[4]; // its corners
} Land;

static Land find_land(Sector sector, Corner corner) {
    Land land = {.size = 1.0f / (WINDOW + 2 * MARGIN)};
    land.x = ((float)sector.x - corner.x + MARGIN) * land.size;
    land.y = ((float)sector.y - corner.y + MARGIN) * land.size;
    for (int k = 0; k < 4; k++) {
        land.raised[k] = raise_corner(sector.x + (k & 1), sector.y + (k >> 1));
    }
    return land;
}

// From shores through woods and meadows to sand and rock.
static uint32_t colour_land(float raised, float light) {
    static const float lands[5][3] = {
        {30, 120, 160}, {20, 130, 70}, {120, 170, 50}, {220, 170, 80}, {200, 95, 70}};
    float at = ox_clamp((raised - 0.15f) * 5.7f, 0.0f, 3.999f), part = at - (float)(int)at;
    const float *low = lands[(int)at], *high = lands[(int)at + 1];
    uint32_t colour = 0;
    for (int k = 0; k < 3; k++) {
        colour = colour << 8 | (uint32_t)((low[k] + (high[k] - low[k]) * part) * light);
    }
    return colour;
}

// Sectors are drawn a little smaller than they are, for seams between them.
static scene_dot place_dot(const Land *land, float x, float y, float light) {
    float low = land->raised[0] + (land->raised[1] - land->raised[0]) * x;
    float high = land->raised[2] + (land->raised[3] - land->raised[2]) * x;
    return (scene_dot){.x = land->x + x * 0.97f * land->size,
                       .y = land->y + y * 0.97f * land->size,
                       .colour = colour_land(low + (high - low) * y, light)};
}

static int draw_trees(ox_query *trees, Corner corner, scene_dot *dots, int capacity) {
    int count = 0;
    OX_EACH_CHUNK(trees, chunk) {
        const Tree *tree = ox_chunk_get(chunk, Tree);
        Land land = find_land(*ox_chunk_get(chunk, Sector), corner);
        for (int i = 0; i < chunk.count && count < capacity; i++) {
            dots[count++] = place_dot(&land, tree[i].x, tree[i].y, 0.7f);
        }
    }
    return count;
}

static int draw_critters(ox_query *critters, Corner corner, scene_dot *dots, int capacity) {
    int count = 0;
    OX_EACH_CHUNK(critters, chunk) {
        const Critter *critter = ox_chunk_get(chunk, Critter);
        Land land = find_land(*ox_chunk_get(chunk, Sector), corner);
        for (int i = 0; i < chunk.count && count < capacity; i++) {
            dots[count++] = place_dot(&land, critter[i].x, critter[i].y, 1.0f);
        }
    }
    return count;
}

static int draw_stream(ox_world *world, scene_dot *dots, int capacity) {
    const WindowState *state = ox_system_state(ox_system_find(world, "StreamWindow"), WindowState);
    Corner corner = corner_of(ox_world_get_time(world).frame);
    int trees = draw_trees(state->trees, corner, dots, capacity);
    return trees + draw_critters(state->critters, corner, dots + trees, capacity - trees);
}

// How the world is filled: with the first window.

static bool create_stream(ox_world *world, const scene_def *def) {
    ox_system *window = ox_system_add(world, &ox_system_StreamWindow);
    if (window == NULL || ox_system_add(world, &ox_system_StreamGrow) == NULL ||
        ox_system_add(world, &ox_system_StreamWander) == NULL) {
        return false;
    }
    WindowState *state = ox_system_state(window, WindowState);
    int entities = def->entities > 0 ? def->entities : scene_stream.entities;
    bool is_enough = entities >= SECTORS * (1 + CRITTERS_OF_TREE); // for a tree in each
    state->entities_each = is_enough ? entities / SECTORS : 1 + CRITTERS_OF_TREE;
    state->seed = def->seed;
    bool is_built = true;
    for (int k = 0; k < SECTORS && is_built; k++) {
        Sector sector = {k % WINDOW, k / WINDOW};
        is_built = build_sector(world, sector, state->entities_each, def->seed);
        state->here[state->here_count++] = sector;
    }
    return is_built;
}

const scene scene_stream = {
    .name = "stream",
    .what = "a window over an endless land, its sectors built and emptied in background worlds",
    .entities = 500000,
    .no_trails = true,
    .create = create_stream,
    .draw = draw_stream,
};
