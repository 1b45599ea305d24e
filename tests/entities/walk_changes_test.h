// SPDX-License-Identifier: MIT
//
// Structural changes inside of a loop over chunks: a world of guns, which the loop goes over, and
// of others; and what must happen when one of them changes at any step.

#pragma once

#include "entities/kinds_test.h"

#include "oxbow/entities.h"
#include "oxbow/queries.h"

enum { GUNS = 60, ROCKS = 40, CRATES = 12 };

typedef struct arena {
    collected_reports reports;
    ox_world *world;
    ox_query *query;          // OX_WRITE(Health)
    ox_entity guns[GUNS];     // Health, Large; from 40 on with Team 1 or 2
    ox_entity rocks[ROCKS];   // Position, Large
    ox_entity crates[CRATES]; // Position, Team 1 or 2
    ox_entity bag;            // Position, Note
    ox_entity guest;          // Position, Registered
    ox_entity pair[2];        // a group of Position
    ox_entity turret[2];      // a group: Position, and Health, Velocity
    ox_entity gun_prefab, rock_prefab;
} arena;

static void link_group(ox_world *world, const ox_entity *members, int count) {
    ox_buffer linked = ox_add_buffer(world, members[0], ox_linked);
    for (int k = 0; k < count; k++) {
        ox_buffer_push(linked, ox_linked, {members[k]});
    }
}

static void make_arena_with(arena *a, ox_removal removal) {
    memset(a, 0, sizeof *a);
    a->world = ox_world_create(&(ox_world_def){
        .name = "sea", .removal = removal, .on_report = {collect_report, &a->reports}});
    ox_world *world = a->world;
    for (int k = 0; k < GUNS; k++) {
        a->guns[k] = ox_entity_create_in(world, ox_archetype_of(world, Health, Large));
        if (k >= 40) {
            ox_add(world, a->guns[k], Team, {1 + k % 2});
        }
        ox_set(world, a->guns[k], Health, {k});
    }
    ox_entities_create(world, ox_archetype_of(world, Position, Large), a->rocks, ROCKS);
    for (int k = 0; k < CRATES; k++) {
        a->crates[k] = ox_entity_create_in(world, ox_archetype_of(world, Position, Team));
        ox_set(world, a->crates[k], Team, {1 + k % 2});
    }
    a->bag = ox_entity_create_in(world, ox_archetype_of(world, Position, Note));
    a->guest = ox_entity_create_in(world, ox_archetype_of(world, Position, Registered));
    for (int k = 0; k < 2; k++) {
        a->pair[k] = ox_entity_create_in(world, ox_archetype_of(world, Position));
        a->turret[k] = k == 0
                           ? ox_entity_create_in(world, ox_archetype_of(world, Position))
                           : ox_entity_create_in(world, ox_archetype_of(world, Health, Velocity));
    }
    link_group(world, a->pair, 2);
    link_group(world, a->turret, 2);
    a->gun_prefab = ox_entity_create_in(world, ox_archetype_of(world, Health, ox_prefab));
    a->rock_prefab = ox_entity_create_in(world, ox_archetype_of(world, Position, ox_prefab));
    for (int k = 1; k < ROCKS; k += 2) {
        ox_entity_destroy(world, a->rocks[k]); // there is something to defragment
    }
    a->query = ox_query_create(world, OX_WRITE(Health), OX_OPTIONAL(Team));
}

OXI_UNUSED static void make_arena(arena *a) {
    make_arena_with(a, OX_REMOVAL_ORDERED);
}

static void end_arena(arena *a) {
    end_world(a->world, &a->reports);
}

/// A change of an arena, and its name.
typedef struct walk_change {
    const char *name;
    void (*make)(arena *a);
} walk_change;

// From here on all calls name this place: the header is included last.
OXI_UNUSED static ox_site place_of_change = "change.c:5";
#undef OX_HERE
#define OX_HERE place_of_change

// What a loop found.
typedef struct walk_found {
    int steps;
    int count;
    ox_entity entities[GUNS + 4];
} walk_found;

static void note_step(walk_found *found, const ox_chunk *chunk) {
    EXPECT(found->count + chunk->count <= GUNS + 4);
    memcpy(found->entities + found->count, chunk->entities,
           (size_t)chunk->count * sizeof(ox_entity));
    found->count += chunk->count;
    found->steps++;
}

static walk_found walk_all(ox_query *query) {
    walk_found found = {0};
    OX_EACH_CHUNK(query, chunk) {
        note_step(&found, &chunk);
    }
    return found;
}

// The columns of a step are what they were.
static void expect_current(arena *a, const ox_chunk *chunk, const Health *health) {
    EXPECT_EQ((const void *)ox_chunk_get(*chunk, Health), (const void *)health);
    EXPECT_EQ((const void *)ox_chunk_edit(*chunk, Health), (const void *)health);
    EXPECT(ox_chunk_has_id(chunk, ox_component_id_of(Health)));
    ox_chunk_get(*chunk, Team);
    for (int k = 0; k < chunk->count; k++) {
        EXPECT_EQ((const void *)ox_get(a->world, chunk->entities[k], Health),
                  (const void *)&health[k]);
    }
}

static void expect_quiet_with(const walk_change *change, ox_removal removal) {
    for (int at = 0, steps = 1; at < steps; at++) {
        arena a;
        make_arena_with(&a, removal);
        walk_found wanted = walk_all(a.query), found = {0};
        steps = wanted.steps;

        for (ox_chunk chunk = ox_query_chunks(a.query); ox_chunk_next(&chunk);) {
            const Health *health = ox_chunk_get(chunk, Health);
            if (found.steps == at) {
                change->make(&a);
                expect_current(&a, &chunk, health);
            }
            note_step(&found, &chunk);
        }

        if (a.reports.count != 0 || found.count != wanted.count) {
            test_fail(__FILE__, __LINE__, "%s at step %d: %d of %d entities, %s", change->name, at,
                      found.count, wanted.count, a.reports.text);
        }
        EXPECT_EQ(memcmp(&found, &wanted, sizeof found), 0);
        end_arena(&a);
    }
}

/// A loop over guns goes on after a change at any step, and finds what it would have found.
OXI_UNUSED static void expect_quiet(const walk_change *change) {
    expect_quiet_with(change, OX_REMOVAL_ORDERED);
    expect_quiet_with(change, OX_REMOVAL_SWAP);
}

static void expect_loud_with(const walk_change *change, ox_removal removal) {
    for (int at = 0, steps = 1; at < steps; at++) {
        arena a;
        make_arena_with(&a, removal);
        steps = walk_all(a.query).steps;
        ox_chunk chunk = ox_query_chunks_at(a.query, "loop.c:2");
        for (int k = 0; k <= at; k++) {
            EXPECT(ox_chunk_next(&chunk));
        }

        change->make(&a);
        ox_entity_create_at(a.world, NULL, 0, "quiet.c:9");

        if (a.reports.count != 0 || ox_chunk_get(chunk, Health)->points != 0) {
            test_fail(__FILE__, __LINE__, "%s at step %d", change->name, at);
        }
        EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
        ox_chunk_get(chunk, Team);
        EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
        EXPECT(!ox_chunk_has_id(&chunk, ox_component_id_of(Health)));
        EXPECT(!ox_chunk_next(&chunk));
        EXPECT_HAS(a.reports.text, OX_SAFETY > 0
                                       ? "loop.c:2 goes on after the change at change.c:5"
                                       : "loop.c:2 goes on after the change at quiet.c:9");
        EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
        EXPECT(!ox_chunk_next(&chunk));
        end_arena(&a);
    }
}

/// A loop over guns ends with a report after a change at any step, whatever else changes then.
OXI_UNUSED static void expect_loud(const walk_change *change) {
    expect_loud_with(change, OX_REMOVAL_ORDERED);
    expect_loud_with(change, OX_REMOVAL_SWAP);
}
