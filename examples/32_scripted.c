// SPDX-License-Identifier: MIT
//
// Components that no C type stands for, as a script or another language has them: described by a
// text at run time, looked at by field, and used by a job that is a plain function. You see the
// fields of one, and a job that goes through its rows, switches and buffers.

#include <oxbow.h>

#include <stdio.h>

typedef struct point { // of another library, say
    float x, y;
} point;
OX_EXTERN_COMPONENT(point);
OX_COMPONENT_OF_KIND(Trail, OX_COMPONENT_KIND_BUFFER, OX_COMPONENT_CLEANUP, 4, { float x; });

typedef struct drain_job {
    float points;
} drain_job;

// What OX_CHUNK_JOB writes for you: `begin` to `end` are chunks, a column is there for each term.
static void drain_range(const void *data, int begin, int end) {
    const drain_job *job = data;
    for (int k = begin; k < end; k++) {
        ox_entity_rows rows = ox_entity_job_rows(data, sizeof *job, k);
        float *poison = rows.columns[0]; // its first field is what we change
        ox_buffers trails = ox_entity_rows_buffers(&rows, 1, 0, true);
        uint64_t mask[OX_CHUNK_WORDS];
        int all = ox_entity_job_mask(data, sizeof *job, k, mask); // who is switched on
        for (int row = 0; row < rows.count; row++) {
            if (all == rows.count || (all < 0 && (mask[row / 64] >> row % 64 & 1) != 0)) {
                poison[2 * row] -= job->points;
                ox_buffer_push(ox_buffers_get(trails, row), Trail, {poison[2 * row]});
            }
        }
    }
}

static void print_fields(uint32_t id) {
    const ox_component_info *info = ox_component_get_info(id);
    printf("%s: %u bytes, %u fields, %u of them entities, can be switched off: %d\n", info->name,
           info->size, info->layout.field_count, info->entity_count,
           (info->flags & OX_COMPONENT_ENABLEABLE) != 0);
    ox_field_location place;
    if (ox_field_find(id, "ticks", &place)) {
        printf("ticks lies at byte %d and has %d bytes\n", (int)place.offset, (int)place.size);
    }
}

int main(void) {
    uint32_t before = ox_component_count();
    uint32_t poisoned =
        ox_component_register(&(ox_component_def){.name = "Poisoned",
                                                  .text = "{ float points; int ticks; }",
                                                  .flags = OX_COMPONENT_ENABLEABLE});
    printf("one more: %d, found by name: %d\n", ox_component_count() == before + 1,
           ox_component_find("Poisoned") == poisoned);
    print_fields(poisoned);
    printf("of another library: %u bytes\n",
           ox_component_get_info(ox_component_id_of(point))->size);
    uint32_t trail =
        ox_component_id_of_at(ox_component_of(Trail), OX_HERE); // what ox_component_id_of does

    // A value is bytes; JSON and fields write into them.
    ox_world *world = ox_world_create(NULL);
    struct {
        float points;
        int ticks;
    } value = {0};
    const char json[] = "{\"points\": 10, \"ticks\": 3}";
    ox_component_read_json(poisoned, json, sizeof json - 1, &value);
    ox_entity orcs[3];
    for (int k = 0; k < 3; k++) {
        ox_value values[] = {{poisoned, &value}, {trail, NULL}};
        orcs[k] = ox_entity_create_at(world, values, 2, OX_HERE);
    }
    ox_set_enabled_at(world, orcs[1], poisoned, false, OX_HERE);

    ox_term terms[] = {
        {OX_TERM_WRITE, NULL, poisoned}, {OX_TERM_WRITE, NULL, trail}, {OX_TERM_END, NULL, 0}};
    ox_entity_job_type drain = {
        .job = {.type = {.name = "drain", .size = sizeof(drain_job), .align = sizeof(float)},
                .ranges = {drain_range}},
        .terms = terms,
    };
    ox_schedule_entities_at(&drain, ox_world_get_root(world), OX_AUTO, &(drain_job){2.5f}, OX_HERE);
    for (int k = 0; k < 3; k++) {
        ox_field_value points;
        const void *now = ox_get_at(world, orcs[k], poisoned, OX_HERE);
        ox_field_read(poisoned, now, "points", &points);
        printf("orc %d: %g points, trail of %d\n", k, points.real,
               ox_buffer_count(ox_get(world, orcs[k], Trail)));
    }
    ox_world_destroy(world);
}

// Output:
// one more: 1, found by name: 1
// Poisoned: 8 bytes, 2 fields, 0 of them entities, can be switched off: 1
// ticks lies at byte 4 and has 4 bytes
// of another library: 8 bytes
// orc 0: 7.5 points, trail of 1
// orc 1: 10 points, trail of 0
// orc 2: 7.5 points, trail of 1
