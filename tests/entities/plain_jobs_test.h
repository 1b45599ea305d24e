// SPDX-License-Identifier: MIT
//
// Jobs with views and lookups that are not over entities, and a world for them.

#pragma once

#include "entity_jobs_test.h"

#include "oxbow/entities.h"

enum { HELD = 300 };

// Every one of these sets each Count to Step + 1.

OX_JOB(LookAll, {
    OX_READ_ONLY ox_array who;
    OX_READ_ONLY ox_lookup steps;
    ox_lookup counts;
}) {
    for (int k = 0; k < job->who.count; k++) {
        ox_entity entity = ox_array_read(OX_AS(job->who, ox_entity), k);
        ox_lookup_edit(&job->counts, entity, Count)->value =
            ox_lookup_get(&job->steps, entity, Step)->value + 1;
    }
}

OX_PARALLEL_JOB(LookEach, {
    OX_READ_ONLY ox_array who;
    OX_READ_ONLY ox_lookup steps;
    OX_UNRESTRICTED ox_lookup counts;
}) {
    ox_entity entity = ox_array_read(OX_AS(job->who, ox_entity), i);
    ox_lookup_edit(&job->counts, entity, Count)->value =
        ox_lookup_get(&job->steps, entity, Step)->value + 1;
}

OX_JOB(ViewAll, {
    OX_READ_ONLY ox_view steps;
    ox_view counts;
}) {
    for (int k = 0; k < job->counts.count; k++) {
        ox_view_set(job->counts, k, Count, {ox_view_read(job->steps, k, Step).value + 1});
    }
}

OX_PARALLEL_JOB(ViewEach, {
    OX_READ_ONLY ox_view steps;
    ox_view counts;
}) {
    ox_view_edit(job->counts, i, Count)->value = ox_view_read(job->steps, i, Step).value + 1;
}

OX_RANGE_JOB(ViewRange, {
    OX_READ_ONLY ox_view steps;
    ox_view counts;
}) {
    for (int k = begin; k < end;) {
        ox_view_span window = ox_view_get_span(job->steps, k, end - k);
        for (int n = 0; n < window.count; n++, k++) {
            ox_view_edit(job->counts, k, Count)->value = ((const Step *)window.values)[n].value + 1;
        }
    }
}

// For dependencies: what they do does not matter.

OX_JOB(HoldToRead, { OX_READ_ONLY ox_view view; }) {
    (void)job;
}

OX_JOB(HoldToWrite, { ox_view view; }) {
    (void)job;
}

OX_JOB(LookToRead, { OX_READ_ONLY ox_lookup lookup; }) {
    (void)job;
}

OX_JOB(LookToWrite, { ox_lookup lookup; }) {
    (void)job;
}

OX_ENTITY_JOB(AddFirst, (OX_WRITE(Count, count)), { OX_READ_ONLY ox_view steps; }) {
    count->value = ox_view_read(job->steps, 5, Step).value;
}

/// A world with entities in several chunks of two archetypes; Step of each is its number.
typedef struct held_world {
    collected_reports reports;
    ox_world *world;
    ox_query *query; // OX_WRITE(Count), OX_READ(Step)
    ox_entity made[HELD];
} held_world;

OXI_UNUSED static void begin_held(held_world *h, int workers) {
    memset(h, 0, sizeof *h);
    start_workers_of_test(workers);
    collect_reports(&h->reports);
    h->world = ox_world_create(NULL);
    h->query = ox_query_create(h->world, OX_WRITE(Count), OX_READ(Step));
    ox_archetype wide = ox_archetype_of(h->world, Count, Step, Wide);
    ox_entities_create(h->world, wide, h->made, 30);
    ox_entities_create(h->world, ox_archetype_of(h->world, Count, Step), h->made + 30, HELD - 30);
    for (int k = 0; k < HELD; k++) {
        ox_set(h->world, h->made[k], Step, {(uint32_t)k});
    }
}

OXI_UNUSED static void end_held(held_world *h) {
    EXPECT_EQ(h->reports.count, 0);
    EXPECT(ox_world_validate(h->world));
    end_jobs_test(h->world);
    EXPECT_EQ(h->reports.count, 0);
}

OXI_UNUSED static void expect_counted(held_world *h) {
    for (int k = 0; k < HELD; k++) {
        EXPECT_EQ(ox_get(h->world, h->made[k], Count)->value, k + 1);
    }
}

/// The job was refused, with this report.
#define EXPECT_NO_JOB(reports, job, id)                                                            \
    do {                                                                                           \
        uint64_t refused_value = (job).value;                                                      \
        EXPECT_REPORT(reports, id);                                                                \
        EXPECT_EQ(refused_value, 0);                                                               \
    } while (0)
