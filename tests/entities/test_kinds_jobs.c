// SPDX-License-Identifier: MIT
//
// Kinds of components in jobs over entities and chunks: shared values, buffers, switches, and every
// term that says which rows a job sees.

#include "entities/kinds_test.h"

#include "entities/query.h"
#include "jobs/jobs_test.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"

static collected_reports reports;

// Entities with Health k; Team k % 4 - 1, or none; Stunned and Lit, some of them off; Notes.
enum { MANY = 3000, ROWS = 2048 };

static bool stunned_on(int k) {
    return k % 3 != 0;
}

static bool lit_on(int k) {
    return k / 100 % 2 == 0;
}

static void fill_world(ox_world *world, ox_entity *list) {
    for (int32_t k = 0; k < MANY; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Health, {k}), OX_VALUE(Stunned, {k}),
                                   OX_VALUE_TAG(Lit));
        ox_set_enabled(world, list[k], Stunned, stunned_on(k));
        ox_set_enabled(world, list[k], Lit, lit_on(k));
        if (k % 4 != 0) {
            ox_add(world, list[k], Team, {k % 4 - 1});
        }
        if (k % 5 != 0) {
            ox_add_buffer(world, list[k], Note);
        }
        if (k % 7 == 0) {
            ox_add(world, list[k], Velocity, {1, 2});
        }
    }
}

static ox_world *begin(ox_entity *list) {
    start_workers_of_test(2);
    ox_world *world = make_world(&reports);
    fill_world(world, list);
    return world;
}

static void end(ox_world *world) {
    end_world(world, &reports);
    ox_jobs_stop();
}

// What a job added to Health of each entity.
static void expect_added(ox_world *world, const ox_entity *list, int32_t (*added)(int k)) {
    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(ox_get(world, list[k], Health)->points, k + added(k));
    }
}

// Shared values.

OX_ENTITY_JOB(AddTeam, (OX_READ(Team, team), OX_WRITE(Health, health)), { int32_t times; }) {
    health->points += (team->id + 1) * job->times;
}

OX_CHUNK_JOB(AddTeamChunk, (OX_WRITE(Health, health), OX_READ(Team, team)), { int32_t times; }) {
    for (int k = 0; k < count; k++) {
        health[k].points += (team->id + 1) * job->times;
    }
}

static int32_t added_team(int k) {
    return k % 4 * 11;
}

TEST(kinds_jobs, a_shared_value_is_that_of_the_chunk) {
    static ox_entity list[MANY];
    ox_world *world = begin(list);
    ox_schedule_entities(AddTeam, ox_world_get_root(world), OX_AUTO, {1});
    ox_schedule_entities(AddTeamChunk, ox_world_get_root(world), OX_AUTO, {10});
    expect_added(world, list, added_team);
    end(world);
}

static int32_t added_team_two(int k) {
    return k % 4 == 3 ? 30 : 0;
}

TEST(kinds_jobs, a_query_with_a_filter_gives_a_job_the_chunks_of_one_value) {
    static ox_entity list[MANY];
    ox_world *world = begin(list);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_WRITE(Health));
    ox_query *lacking = ox_query_create(world, OX_WITH(Team), OX_WRITE(Health));
    EXPECT(ox_query_filter_shared(query, Team, {2}));

    ox_schedule_query(AddTeam, query, OX_AUTO, {10});

    expect_added(world, list, added_team_two);
    EXPECT_EQ(ox_schedule_query(AddTeam, lacking, OX_AUTO, {10}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    end(world);
}

TEST(kinds_jobs, setting_a_shared_value_waits_for_jobs) {
    static ox_entity list[MANY];
    ox_world *world = begin(list);
    ox_job job = ox_schedule_entities(AddTeam, ox_world_get_root(world), OX_AUTO, {1});
    EXPECT(ox_set(world, list[1], Team, {500}));
    EXPECT(ox_job_is_complete(job));
    EXPECT_EQ(ox_get(world, list[1], Health)->points, 2);
    end(world);
}

// Buffers.

OX_ENTITY_JOB(Play, (OX_WRITE(Note, notes), OX_READ(Health, health)), { int32_t times; }) {
    for (int k = 0; k < health->points % 6; k++) {
        ox_buffer_push(notes, Note, {health->points * job->times});
    }
}

OX_CHUNK_JOB(PlayChunk, (OX_READ(Health, health), OX_WRITE(Note, notes)), { int32_t pitch; }) {
    for (int k = 0; k < count; k++) {
        if (health[k].points % 2 == 0) {
            ox_buffer_push(ox_buffers_get(notes, k), Note, {job->pitch});
        }
    }
}

OX_ENTITY_JOB(Hear, (OX_WRITE(Health, health), OX_READ(Note, notes)), { int unused; }) {
    for (int k = 0; k < ox_buffer_count(notes); k++) {
        health->points += ox_buffer_get(notes, k, Note)->pitch;
    }
}

OX_CHUNK_JOB(HearChunk, (OX_READ(Note, notes), OX_WRITE(Health, health)), { int unused; }) {
    for (int k = 0; k < count; k++) {
        health[k].points += ox_buffer_count(ox_buffers_get(notes, k));
    }
}

static int32_t added_notes(int k) {
    int notes = k % 6 + (k % 2 == 0);
    return k % 5 != 0 ? k % 6 * k + (k % 2 == 0 ? 7 : 0) + notes : 0;
}

TEST(kinds_jobs, buffers_grow_and_are_read) {
    static ox_entity list[MANY];
    ox_world *world = begin(list);
    ox_schedule_entities(Play, ox_world_get_root(world), OX_AUTO, {1});
    ox_schedule_entities(PlayChunk, ox_world_get_root(world), OX_AUTO, {7});
    ox_schedule_entities(Hear, ox_world_get_root(world), OX_AUTO, {0});
    ox_schedule_entities(HearChunk, ox_world_get_root(world), OX_AUTO, {0});
    expect_added(world, list, added_notes);
    end(world);
}

OX_ENTITY_JOB(WriteWhatIsRead, (OX_READ(Note, notes)), { int unused; }) {
    EXPECT(!ox_buffer_push(notes, Note, {1}));
}

TEST_CHECKED(kinds_jobs, a_buffer_that_is_read_is_not_written) {
    start_workers_of_test(0);
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Note));
    ox_complete(ox_schedule_entities(WriteWhatIsRead, ox_world_get_root(world), OX_AUTO, {0}));
    EXPECT_REPORT(&reports, OX_REPORT_BUFFER_READ_ONLY);
    EXPECT(ox_buffer_is_empty(ox_get(world, entity, Note)));
    end(world);
}

// Which rows.

OX_ENTITY_JOB(OfOn, (OX_READ(Stunned, stunned), OX_WRITE(Health, health)), { int unused; }) {
    health->points += 1 + (stunned->turns != health->points);
}
OX_ENTITY_JOB(OfOff, (OX_DISABLED(Stunned), OX_READ(Stunned, stunned), OX_WRITE(Health, health)),
              { int unused; }) {
    health->points += 2 + stunned->turns * 0;
}
OX_ENTITY_JOB(OfPresent, (OX_WRITE(Health, health), OX_PRESENT(Stunned, Lit)), { int unused; }) {
    health->points += 4;
}
OX_ENTITY_JOB(OfAbsent, (OX_WRITE(Health, health), OX_ABSENT(Team, Velocity)), { int unused; }) {
    health->points += 8;
}
OX_ENTITY_JOB(OfNone, (OX_WRITE(Health, health), OX_NONE(Lit, Team)), { int unused; }) {
    health->points += 16;
}
OX_ENTITY_JOB(OfAny, (OX_WRITE(Health, health), OX_ANY(Lit, Velocity)), { int unused; }) {
    health->points += 32;
}
OX_CHUNK_JOB(OfBoth, (OX_WITH(Stunned, Lit), OX_WRITE(Health, health), OX_ENTITY(selves)),
             { int unused; }) {
    for (int k = 0; k < count; k++) {
        health[k].points += selves[k].version != 0 ? 64 : 0;
    }
}

static int32_t added_by_terms(int k) {
    int32_t added = stunned_on(k) ? 1 : 2;
    added += 4;
    added += k % 4 == 0 && k % 7 != 0 ? 8 : 0;
    added += !lit_on(k) && k % 4 == 0 ? 16 : 0;
    added += lit_on(k) || k % 7 == 0 ? 32 : 0;
    return added + (stunned_on(k) && lit_on(k) ? 64 : 0);
}

TEST(kinds_jobs, every_term_chooses_its_rows) {
    static ox_entity list[MANY];
    ox_world *world = begin(list);
    ox_system *scope = ox_world_get_root(world);
    ox_schedule_entities(OfOn, scope, OX_AUTO, {0});
    ox_schedule_entities(OfOff, scope, OX_AUTO, {0});
    ox_schedule_entities(OfPresent, scope, OX_AUTO, {0});
    ox_schedule_entities(OfAbsent, scope, OX_AUTO, {0});
    ox_schedule_entities(OfNone, scope, OX_AUTO, {0});
    ox_schedule_entities(OfAny, scope, OX_AUTO, {0});
    ox_schedule_entities(OfBoth, scope, OX_AUTO, {0});
    expect_added(world, list, added_by_terms);
    end(world);
}

OX_ENTITY_JOB(OfIncluded, (OX_WRITE(Health, health), OX_INCLUDE(ox_prefab, ox_disabled)),
              { int unused; }) {
    health->points += 1;
}
OX_ENTITY_JOB(OfPlain, (OX_WRITE(Health, health)), { int unused; }) {
    health->points += 10;
}
OX_ENTITY_JOB(OfResidue, (OX_WRITE(Registered, registered), OX_WITH(ox_destroyed)),
              { int unused; }) {
    registered->slot += 100;
}

TEST(kinds_jobs, prefabs_what_is_off_and_what_is_left_are_seen_by_those_who_name_them) {
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    ox_entity list[3] = {ox_entity_create_in(world, ox_archetype_of(world, Health)),
                         ox_entity_create_in(world, ox_archetype_of(world, Health, ox_prefab)),
                         ox_entity_create_in(world, ox_archetype_of(world, Health, ox_disabled))};
    ox_entity left = ox_entity_create(world, OX_VALUE(Registered, {1}));
    ox_entity alive = ox_entity_instantiate(world, list[0]);
    ox_add(world, alive, Registered, {2});
    ox_entity_destroy(world, left);

    ox_schedule_entities(OfIncluded, ox_world_get_root(world), OX_AUTO, {0});
    ox_schedule_entities(OfPlain, ox_world_get_root(world), OX_AUTO, {0});
    ox_schedule_entities(OfResidue, ox_world_get_root(world), OX_AUTO, {0});

    EXPECT_EQ(ox_get(world, list[0], Health)->points, 11);
    EXPECT_EQ(ox_get(world, list[1], Health)->points, 1);
    EXPECT_EQ(ox_get(world, list[2], Health)->points, 1);
    EXPECT_EQ(ox_get(world, left, Registered)->slot, 101);
    EXPECT_EQ(ox_get(world, alive, Registered)->slot, 2);
    end(world);
}

OX_ENTITY_JOB(WithOptional,
              (OX_WRITE(Health, health), OX_OPTIONAL(Stunned, stunned),
               OX_OPTIONAL(Velocity, velocity), OX_WITH(Lit)),
              { int unused; }) {
    health->points += (stunned != NULL ? 1000 : 0) + (velocity != NULL ? (int32_t)velocity->y : 0);
}

static int32_t added_optional(int k) {
    return lit_on(k) ? 1000 + (k % 7 == 0 ? 2 : 0) : 0;
}

TEST(kinds_jobs, optional_components_are_there_or_not_whether_they_are_on_or_off) {
    static ox_entity list[MANY];
    ox_world *world = begin(list);
    ox_schedule_entities(WithOptional, ox_world_get_root(world), OX_AUTO, {0});
    expect_added(world, list, added_optional);
    end(world);
}

// Switches.

OX_ENTITY_JOB(TurnOver, (OX_ENABLED(Lit, lit)), { OX_NO_SAFETY oxi_atomic_u32 *seen; }) {
    atomic_fetch_add(job->seen, 1);
    ox_switch_set_on(lit, !ox_switch_is_on(lit));
}

OX_CHUNK_JOB(TurnOverChunk, (OX_ENABLED(Lit, lit)), { OX_NO_SAFETY oxi_atomic_u32 *seen; }) {
    for (int k = 0; k < count; k++) {
        ox_switch one = ox_switches_get(lit, k);
        ox_switch_set_on(one, !ox_switch_is_on(one));
    }
    atomic_fetch_add(job->seen, (uint32_t)count);
}

TEST(kinds_jobs, all_rows_of_a_full_chunk_are_switched) {
    static ox_entity list[ROWS];
    start_workers_of_test(2);
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Lit), list, ROWS);
    for (int k = 0; k < ROWS; k += 2) {
        ox_set_enabled(world, list[k], Lit, false);
    }
    oxi_atomic_u32 seen = 0;
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 0) {
            ox_schedule_entities(TurnOver, ox_world_get_root(world), OX_AUTO, {&seen});
        } else {
            ox_schedule_entities(TurnOverChunk, ox_world_get_root(world), OX_AUTO, {&seen});
        }
        for (int k = 0; k < ROWS; k++) {
            EXPECT_EQ(ox_is_enabled(world, list[k], Lit), (k + turn) % 2 == 0);
        }
    }
    EXPECT_EQ(atomic_load(&seen), 2 * ROWS);
    end(world);
}

OX_ENTITY_JOB(SwitchSelf, (OX_WRITE(Stunned, stunned), OX_ENABLED(Stunned, is_stunned)),
              { int32_t add; }) {
    stunned->turns += job->add;
    ox_switch_set_on(is_stunned, false);
}

OX_CHUNK_JOB(SwitchSelfChunk, (OX_ENABLED(Stunned, switches), OX_WRITE(Stunned, stunned)),
             { int32_t add; }) {
    for (int k = 0; k < count; k++) {
        stunned[k].turns += job->add;
        ox_switch_set_on(ox_switches_get(switches, k), false);
    }
}

TEST(kinds_jobs, a_body_that_switches_its_row_sees_the_chunk_as_it_was) {
    for (int as_chunks = 0; as_chunks < 2; as_chunks++) {
        static ox_entity list[MANY];
        ox_world *world = begin(list);
        if (as_chunks) {
            ox_schedule_entities(SwitchSelfChunk, ox_world_get_root(world), OX_AUTO, {10000});
        } else {
            ox_schedule_entities(SwitchSelf, ox_world_get_root(world), OX_AUTO, {10000});
        }
        for (int k = 0; k < MANY; k++) {
            EXPECT(!ox_is_enabled(world, list[k], Stunned));
            EXPECT_EQ(ox_get(world, list[k], Stunned)->turns, stunned_on(k) ? k + 10000 : k);
        }
        end(world);
    }
}

TEST(kinds_jobs, switching_counts_as_a_change_when_the_job_is_scheduled) {
    static ox_entity list[MANY];
    ox_world *world = begin(list);
    ox_query *query = ox_query_create(world, OX_PRESENT(Lit));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_query_filter_changed(query, Lit, before);
    EXPECT_EQ(ox_query_count(query), 0);
    oxi_atomic_u32 seen = 0;
    ox_schedule_entities(TurnOver, ox_world_get_root(world), OX_AUTO, {&seen});
    EXPECT_EQ(ox_query_count(query), MANY);
    end(world);
}

OX_ENTITY_JOB(NamesItTwice, (OX_ENABLED(Lit, lit), OX_WITH(Lit)), { int unused; }) {
}

TEST(kinds_jobs, a_switch_stands_beside_a_term_for_the_value_alone) {
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Lit));
    EXPECT_EQ(ox_schedule_entities(NamesItTwice, ox_world_get_root(world), OX_AUTO, {0}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    end(world);
}

TEST(kinds_jobs, a_job_keeps_its_query_whatever_kinds_its_terms_name) {
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Team, Note, Health));
    ox_schedule_entities(AddTeam, ox_world_get_root(world), OX_AUTO, {1});
    const ox_query *of_team = world->first_query;
    ox_schedule_entities(Play, ox_world_get_root(world), OX_AUTO, {1});
    const ox_query *of_notes = world->first_query;

    ox_schedule_entities(AddTeam, ox_world_get_root(world), OX_AUTO, {1});
    ox_schedule_entities(Play, ox_world_get_root(world), OX_AUTO, {1});

    EXPECT(world->first_query == of_notes && of_notes->next == of_team && of_team->next == NULL);
    end(world);
}
