// What the examples in the comments of the public headers use and do not declare. A paragraph
// declares one name: see tools/check_header_examples.py.

OX_COMPONENT(Position, { float x, y, z; });

OX_COMPONENT(Velocity, { float x, y, z; });

OX_COMPONENT(Mass, { float kg; });

OX_COMPONENT(Gravity, { float value; });

OX_COMPONENT(Health, { float left; });

OX_COMPONENT(Place, { float x, y; });

OX_COMPONENT(Aim, { float x, y; });

OX_COMPONENT(Target, { ox_entity who; });

OX_COMPONENT(Gun, { ox_entity bullet; });

OX_TAG(Frozen);

OX_ENABLEABLE(Stunned, { float seconds; });

OX_SHARED(Team, { int id; });

OX_BUFFER(Waypoint, 8, { float x, y; });

OX_STRUCT(Hit, {
    int target;
    float force;
});

OX_STRUCT(Boid, { float x, y; });

OX_STRUCT(Box, { float low, high; });

OX_LIST(Hits, Hit);

OX_QUEUE(Orders, int);

OX_ARRAY(Floats, float);

OX_ARRAY(Bodies, Boid);

OX_ARRAY(Boxes, Box);

OX_ARRAY(Doubles, double);

OX_MAP(Ages, uint64_t, int);

OX_MULTIMAP(Cells, uint32_t, Boid);

OX_ENTITY_JOB(SteerJob, (OX_WRITE(Velocity, velocity)), { float gain; }) {
    velocity->x *= job->gain;
}

OX_ENTITY_JOB(Shoot, (OX_READ(Gun, gun)), { ox_commands commands; }) {
    (void)gun;
}

OX_JOB(Build, {
    ox_transaction sector;
    int number;
}) {
}

typedef struct RingState {
    int items[16];
    int count;
} RingState;

static const uint64_t seed = 7;

#define WANDER_SEED 3

static uint64_t id = 30;

static uint32_t cell = 17;

static float sum;

static float dt;

static float speed;

static Boid boid;

static ox_float3 position;

static ox_float3 target;

static ox_world *world;

static ox_world *game;

static ox_world *staging;

static ox_world *library;

static ox_entity ship;

static ox_entity orc;

static ox_entity sword;

static ox_entity copy;

static ox_entity entity;

static ox_query *query;

static ox_query *moving;

static ox_query *units;

static ox_system *system;

static ox_job after;

static ox_job job;

static ox_job moved;

static void *value;

static Ages ages;

static Cells cells;

static Floats depths;

static Floats masses;

static Doubles total_array;

static Bodies bodies;

static Bodies enemies;

static Boxes bounds;

static Box empty_box;

int by_distance(const void *a, const void *b, void *context);

void add_bodies(void *sum, const void *items, int count, void *context);

void add_box(void *sum, const void *other, void *context);

void run_frame();

void print_field(const char *name, size_t offset);

void read_line(char *line, int size, const float *all);

bool read_file(const char *path);

#define use(...) ((void)(__VA_ARGS__))

#define print(...) ((void)(__VA_ARGS__))
