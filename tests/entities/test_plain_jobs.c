// SPDX-License-Identifier: MIT
//
// Views and lookups in jobs that are not over entities: what they read and write, and what is noted
// of them. What main may do meanwhile is in test_unregistered_jobs.c.

#include "plain_jobs_test.h"

#include "entities/query.h"
#include "entities/scope.h"
#include "safety/access.h"

static const int worker_counts[] = {0, 1, 4};
static ox_site noted_site;
static const oxi_reach *noted_reach, *unwatched_reach;

static ox_array list_made(const held_world *h) {
    ox_array who = ox_array_create_untyped(ox_entity, HELD, OX_PERSISTENT);
    for (int k = 0; k < HELD; k++) {
        ox_array_set(OX_AS(who, ox_entity), k, h->made[k]);
    }
    return who;
}

TEST(plain_jobs, look_up_components_of_any_entity) {
    held_world h;
    for (int n = 0; n < 6; n++) {
        begin_held(&h, worker_counts[n % 3]);
        ox_array who = list_made(&h);
        ox_lookup steps = ox_lookup_create(h.world, Step);
        ox_lookup counts = ox_lookup_create(h.world, Count);

        ox_job job = n < 3 ? ox_schedule(LookAll, OX_NO_JOB, {who, steps, counts})
                           : ox_schedule_for(LookEach, HELD, 16, OX_NO_JOB, {who, steps, counts});
        ox_complete(job);

        expect_counted(&h);
        ox_dispose(&who);
        end_held(&h);
    }
}

// What a job gets in place of the fields that it was scheduled with.

OX_JOB(NoteFields, {
    OX_READ_ONLY ox_view steps;
    OX_READ_ONLY ox_lookup counts;
    OX_NO_SAFETY ox_lookup unwatched;
}) {
    noted_site = job->steps.oxi_site;
    noted_reach = job->counts.oxi_reach;
    unwatched_reach = job->unwatched.oxi_reach;
}

TEST(plain_jobs, have_lookups_that_find_what_jobs_may_find_and_views_as_they_are) {
    held_world h;
    begin_held(&h, 0);
    ox_view steps = ox_query_view_at(h.query, ox_component_id_of(Step), "game.c:50");
    ox_lookup counts = ox_lookup_create(h.world, Count);
    const oxi_reach *in_jobs = &h.world->reach[OXI_REACH_IN_JOBS];
    EXPECT(counts.oxi_reach != in_jobs && counts.oxi_reach != NULL);

    ox_complete(ox_schedule(NoteFields, OX_NO_JOB, {steps, counts, counts}));

    EXPECT_STR(noted_site, "game.c:50");
    EXPECT(noted_reach == in_jobs);
    EXPECT(unwatched_reach == NULL); // it may run while entities come and go
    end_held(&h);
}

typedef ox_job schedule_views_fn(ox_view steps, ox_view counts);

static ox_job schedule_all(ox_view steps, ox_view counts) {
    return ox_schedule(ViewAll, OX_NO_JOB, {steps, counts});
}

static ox_job schedule_each(ox_view steps, ox_view counts) {
    return ox_schedule_for(ViewEach, counts.count, 7, OX_NO_JOB, {steps, counts});
}

static ox_job schedule_range(ox_view steps, ox_view counts) {
    return ox_schedule_for(ViewRange, counts.count, 7, OX_NO_JOB, {steps, counts});
}

static ox_job schedule_background(ox_view steps, ox_view counts) {
    return ox_schedule_background(ViewAll, OX_NO_JOB, {steps, counts});
}

static ox_job run_at_once(ox_view steps, ox_view counts) {
    ox_run_for(ViewEach, counts.count, 7, {steps, counts});
    return OX_NO_JOB;
}

TEST(plain_jobs, read_and_write_views_by_index) {
    schedule_views_fn *const ways[] = {schedule_all, schedule_each, schedule_range,
                                       schedule_background, run_at_once};
    held_world h;
    for (int n = 0; n < 15; n++) {
        begin_held(&h, worker_counts[n % 3]);
        ox_view steps = ox_query_view(h.query, Step), counts = ox_query_view(h.query, Count);

        ox_complete(ways[n / 3](steps, counts));

        expect_counted(&h);
        end_held(&h);
    }
}

OX_JOB(SameEntities, {
    OX_READ_ONLY ox_view entities;
    OX_READ_ONLY ox_view steps;
    OX_READ_ONLY ox_lookup looked;
    ox_array equal;
}) {
    for (int k = 0; k < job->entities.count; k++) {
        ox_entity entity = ox_view_read_entity(job->entities, k);
        *ox_array_edit(OX_AS(job->equal, int), 0) +=
            ox_lookup_get(&job->looked, entity, Step)->value ==
            ox_view_read(job->steps, k, Step).value;
    }
}

TEST(plain_jobs, see_the_same_through_views_and_lookups) {
    held_world h;
    begin_held(&h, 1);
    ox_entity_destroy(h.world, h.made[40]); // a hole, which is closed
    ox_array equal = ox_array_create_untyped(int, 1, OX_PERSISTENT);

    ox_complete(ox_schedule(SameEntities, OX_NO_JOB,
                            {ox_query_view_entities(h.query), ox_query_view(h.query, Step),
                             ox_lookup_create(h.world, Step), equal}));

    EXPECT_EQ(ox_array_read(OX_AS(equal, int), 0), HELD - 1);
    ox_dispose(&equal);
    end_held(&h);
}

TEST(plain_jobs, with_a_lookup_close_holes_that_come_before_them) {
    held_world h;
    begin_held(&h, 1);
    ox_lookup steps = ox_lookup_create(h.world, Step);
    ox_entity_destroy(h.world, h.made[40]);
    EXPECT(h.world->store.dirty_count > 0);

    ox_job job = ox_schedule(LookToRead, OX_NO_JOB, {steps});

    EXPECT_EQ(h.world->store.dirty_count, 0);
    ox_complete(job);
    end_held(&h);
}

TEST(plain_jobs, run_while_main_reads_what_they_read) {
    held_world h;
    begin_held(&h, 3);
    ox_view steps = ox_query_view(h.query, Step), counts = ox_query_view(h.query, Count);
    ox_lookup looked = ox_lookup_create(h.world, Step);

    ox_job views = ox_schedule_for(ViewEach, HELD, 3, OX_NO_JOB, {steps, counts});
    ox_job lookups = ox_schedule(LookToRead, OX_NO_JOB, {looked});
    ox_jobs_kick();
    ox_archetype_of(h.world, Extra, Red); // queries look at it
    for (int k = HELD; k-- > 0;) {
        EXPECT_EQ(ox_view_read(steps, k, Step).value, k);
        EXPECT_EQ(ox_lookup_get(&looked, h.made[k], Step)->value, k);
        EXPECT_EQ(ox_query_view(h.query, Step).count, HELD);
    }

    ox_complete(views, lookups);
    expect_counted(&h);
    end_held(&h);
}

// Unwatched.

OX_JOB(LookUnwatched, {
    OX_NO_SAFETY ox_lookup steps;
    ox_entity who;
    OX_NO_SAFETY uint32_t *found;
}) {
    *job->found = ox_lookup_get(&job->steps, job->who, Step)->value;
}

TEST(plain_jobs, with_what_is_not_watched_are_nobodys) {
    held_world h;
    begin_held(&h, 1);
    uint32_t found = 0;
    ox_lookup steps = ox_lookup_create(h.world, Step);

    ox_job job = ox_schedule(LookUnwatched, OX_NO_JOB, {steps, h.made[77], &found});
    ox_set(h.world, h.made[0], Step, {1});
    ox_complete(job);

    EXPECT_EQ(found, 77);
    end_held(&h);
}

// Versions.

static int64_t count_changed(held_world *h, uint32_t since) {
    ox_query *changed = ox_query_create(h->world, OX_READ(Count));
    ox_query_filter_changed(changed, Count, since);
    int64_t count = ox_query_count(changed);
    ox_query_destroy(changed);
    return count;
}

TEST(plain_jobs, that_write_a_view_change_its_chunks_when_they_are_scheduled) {
    held_world h;
    begin_held(&h, 0);
    ox_query *wide = ox_query_create(h.world, OX_WRITE(Count), OX_WITH(Wide));
    ox_view counts = ox_query_view(wide, Count);
    uint32_t before = ox_world_get_version(h.world);
    ox_world_advance_version(h.world);

    ox_job job = ox_schedule(HoldToWrite, OX_NO_JOB, {counts});
    ox_world_advance_version(h.world);
    ox_complete(job);

    EXPECT_EQ(count_changed(&h, before), 30);
    EXPECT_EQ(count_changed(&h, before + 1), 0);
    end_held(&h);
}

TEST(plain_jobs, with_views_are_noted_where_no_lookup_was_ever_made) {
    held_world h;
    begin_held(&h, 0);
    oxi_jobs_set_plain_watch(NULL); // as in a program that just began
    ox_view counts = ox_query_view(h.query, Count);
    uint32_t before = ox_world_get_version(h.world);
    ox_world_advance_version(h.world);

    ox_job job = ox_schedule(HoldToWrite, OX_NO_JOB, {counts});

    EXPECT_EQ(count_changed(&h, before), HELD);
    EXPECT_EQ(h.query->view_jobs.count, 1);
    ox_complete(job);
    end_held(&h);
}

TEST(plain_jobs, that_write_by_lookup_change_each_chunk_with_the_component) {
    held_world h;
    begin_held(&h, 0);
    ox_lookup counts = ox_lookup_create(h.world, Count);
    uint32_t before = ox_world_get_version(h.world);
    ox_world_advance_version(h.world);

    ox_complete(ox_schedule(LookToWrite, OX_NO_JOB, {counts}));

    EXPECT_EQ(count_changed(&h, before), HELD);
    end_held(&h);
}

TEST(plain_jobs, that_run_at_once_change_what_they_write) {
    held_world h;
    begin_held(&h, 0);
    ox_view counts = ox_query_view(h.query, Count);
    uint32_t before = ox_world_get_version(h.world);
    ox_world_advance_version(h.world);

    ox_run(HoldToWrite, {counts});

    EXPECT_EQ(count_changed(&h, before), HELD);
    ox_edit(h.world, h.made[0], Count)->value = 1; // nothing is left outstanding
    end_held(&h);
}

TEST(plain_jobs, that_read_or_are_refused_change_nothing) {
    held_world h;
    begin_held(&h, 0);
    uint32_t before = ox_world_get_version(h.world);
    ox_world_advance_version(h.world);

    ox_complete(ox_schedule(HoldToRead, OX_NO_JOB, {ox_query_view(h.query, Count)}));
    ox_complete(ox_schedule(LookToRead, OX_NO_JOB, {ox_lookup_create(h.world, Count)}));
    EXPECT_EQ(ox_schedule_for(ViewEach, 0, 7, OX_NO_JOB,
                              {ox_query_view(h.query, Step), ox_query_view(h.query, Count)})
                  .value,
              0);

    EXPECT_EQ(count_changed(&h, before), 0);
    end_held(&h);
}

// Windows.

TEST(plain_jobs, are_completed_before_their_views_become_others) {
    held_world h;
    begin_held(&h, 0);
    ox_view steps = ox_query_view(h.query, Step);
    ox_job job = ox_schedule(HoldToRead, OX_NO_JOB, {steps});
    ox_world_record_syncs(h.world, true);
    EXPECT_EQ(ox_query_view(h.query, Count).count, HELD); // of the same windows
    EXPECT(!ox_job_is_complete(job));

    ox_query_filter_changed(h.query, Count, ox_world_get_version(h.world));
    ox_view none = ox_query_view_at(h.query, ox_component_id_of(Count), "game.c:77");

    EXPECT_EQ(none.count, 0);
    EXPECT(ox_job_is_complete(job));
    ox_sync sync;
    EXPECT_EQ(ox_world_get_syncs(h.world, &sync, 1), 1);
    EXPECT_STR(sync.site, "game.c:77");
    EXPECT_STR(sync.jobs[0], "HoldToRead");
    end_held(&h);
}

TEST(plain_jobs, are_completed_before_a_query_of_their_views_goes) {
    held_world h;
    begin_held(&h, 0);
    ox_job job = ox_schedule(ViewAll, OX_NO_JOB,
                             {ox_query_view(h.query, Step), ox_query_view(h.query, Count)});

    ox_query_destroy(h.query);

    EXPECT(ox_job_is_complete(job));
    expect_counted(&h);
    end_held(&h);
}

TEST(plain_jobs, are_remembered_by_a_query_until_they_are_complete) {
    held_world h;
    begin_held(&h, 0);
    ox_view steps = ox_query_view(h.query, Step);

    for (int k = 0; k < 500; k++) {
        ox_complete(ox_schedule(HoldToRead, OX_NO_JOB, {steps}));
    }

    EXPECT(h.query->view_jobs.capacity < 100);
    end_held(&h);
}

TEST(plain_jobs, that_are_complete_leave_their_room_at_a_query_to_others) {
    held_world h;
    begin_held(&h, 0);
    ox_view steps = ox_query_view(h.query, Step);
    ox_job jobs[100];
    int count = 0;
    do {
        jobs[count++] = ox_schedule(HoldToRead, OX_NO_JOB, {steps});
    } while (h.query->view_jobs.count < h.query->view_jobs.capacity && count < 100);
    size_t capacity = h.query->view_jobs.capacity;
    ox_complete_at(jobs, count, OX_HERE);

    ox_complete(ox_schedule(HoldToRead, OX_NO_JOB, {steps}));

    EXPECT_EQ(h.query->view_jobs.capacity, capacity);
    end_held(&h);
}

TEST(plain_jobs, over_entities_hold_views_too) {
    held_world h;
    for (int n = 0; n < 3; n++) {
        begin_held(&h, worker_counts[n]);
        ox_view steps = ox_query_view(h.query, Step);

        ox_job write = ox_schedule_entities(WriteStep, ox_world_get_root(h.world), OX_AUTO, {7});
        ox_job job = ox_schedule_entities(AddFirst, ox_world_get_root(h.world), OX_AUTO, {steps});
        ox_query_destroy(h.query);

        EXPECT(ox_job_is_complete(job) && ox_job_is_complete(write));
        EXPECT_EQ(ox_get(h.world, h.made[9], Count)->value, 3 * 5 + 7);
        end_held(&h);
    }
}

// Systems.

static oxi_scope begin_system(held_world *h) {
    return (oxi_scope){
        .base = {h->world, "Mover"}, .owner = h, .is_updating = true, .last_version = 1};
}

TEST(plain_jobs, of_a_system_are_kept_and_what_they_use_is_declared) {
    held_world h;
    begin_held(&h, 1);
    oxi_scope system = begin_system(&h);
    h.world->updating = &system;

    ox_job job = ox_schedule(ViewAll, OX_NO_JOB,
                             {ox_query_view(h.query, Step), ox_query_view(h.query, Count)});
    oxi_fences_note_handle(h.world, system.uses.items, (uint32_t)system.uses.count, OXI_DECLARED,
                           job, true);
    h.world->updating = NULL;

    EXPECT_EQ(system.jobs.count, 1);
    EXPECT_EQ(system.jobs.items[0].job.value, job.value);
    EXPECT_STR(system.jobs.items[0].name, "ViewAll");
    EXPECT(system.jobs.items[0].is_plain && system.plain_count == 1);
    EXPECT_EQ(system.uses.count, 2);
    EXPECT_EQ(system.learned, ox_component_id_of(Step));
    expect_counted(&h); // waits for the handle
    ox_entity_create(h.world);
    oxi_scope_free(&system);
    end_held(&h);
}

TEST(plain_jobs, of_a_system_wait_for_what_it_did_not_declare) {
    held_world h;
    begin_held(&h, 0);
    oxi_scope system = begin_system(&h);
    ox_job before = ox_schedule_entities(WriteStep, ox_world_get_root(h.world), OX_AUTO, {7});
    h.world->updating = &system;

    ox_job job = ox_schedule(HoldToRead, OX_NO_JOB, {ox_query_view(h.query, Step)});

    EXPECT(ox_job_is_complete(before));
    EXPECT(job.value != 0);
    h.world->updating = NULL;
    oxi_scope_complete(&system, OX_HERE);
    oxi_scope_free(&system);
    end_held(&h);
}

typedef struct watched_schedule {
    int calls;
    const char *scope, *type;
    ox_job job, after;
    int count;
} watched_schedule;

static void watch_schedule(void *context, const ox_system *scope, ox_job job,
                           const ox_job_type *type, int count, ox_job after, ox_site site) {
    watched_schedule *watched = context;
    (void)site;
    *watched =
        (watched_schedule){watched->calls + 1, scope->name, type->type.name, job, after, count};
}

TEST(plain_jobs, are_shown_to_who_looks_on_once_for_each_world) {
    held_world h;
    begin_held(&h, 0);
    watched_schedule watched = {0};
    oxi_world_watch watch = {.scheduled = watch_schedule, .context = &watched};
    ox_view steps = ox_query_view(h.query, Step), counts = ox_query_view(h.query, Count);
    ox_job before = ox_schedule(HoldToRead, OX_NO_JOB, {steps});
    h.world->watch = &watch;

    ox_job job = ox_schedule_for(ViewEach, counts.count, 7, before, {steps, counts});
    h.world->watch = NULL;

    EXPECT_EQ(watched.calls, 1);
    EXPECT_STR(watched.scope, "world");
    EXPECT_STR(watched.type, "ViewEach");
    EXPECT_EQ(watched.job.value, job.value);
    EXPECT_EQ(watched.after.value, before.value);
    EXPECT_EQ(watched.count, HELD);
    ox_complete(job);
    end_held(&h);
}

// Two worlds.

OX_JOB(CopyCounts, {
    OX_READ_ONLY ox_view from;
    ox_view to;
}) {
    for (int k = 0; k < job->to.count; k++) {
        ox_view_set(job->to, k, Count, {ox_view_read(job->from, k, Step).value + 1});
    }
}

TEST(plain_jobs, go_from_one_world_to_another) {
    held_world h;
    ox_entity entity;
    begin_held(&h, 1);
    ox_world *other = make_small_world(&entity);
    ox_query *counts = ox_query_create(other, OX_WRITE(Count));

    ox_complete(ox_schedule(CopyCounts, OX_NO_JOB,
                            {ox_query_view(h.query, Step), ox_query_view(counts, Count)}));

    EXPECT_EQ(ox_get(other, entity, Count)->value, 1);
    ox_world_destroy(other);
    end_held(&h);
}

// Coverage of handles.

TEST_CHECKED(plain_jobs, are_covered_by_handles_that_come_after_them) {
    held_world h;
    begin_held(&h, 0);
    ox_view steps = ox_query_view(h.query, Step);
    ox_job first = ox_schedule(HoldToRead, OX_NO_JOB, {steps});
    ox_job second = ox_schedule(HoldToRead, OX_NO_JOB, {steps});
    ox_job after = ox_schedule(HoldToRead, first, {steps});
    ox_job both = ox_combine(after, second);

    EXPECT(oxi_job_is_covered(first, first));
    EXPECT(oxi_job_is_covered(first, after));
    EXPECT(oxi_job_is_covered(first, both) && oxi_job_is_covered(second, both));
    EXPECT(!oxi_job_is_covered(second, after) && !oxi_job_is_covered(after, first));
    EXPECT(!oxi_job_is_covered(first, OX_NO_JOB));
    ox_complete(after);
    EXPECT(oxi_job_is_covered(first, OX_NO_JOB) && !oxi_job_is_covered(second, OX_NO_JOB));
    ox_complete(both);
    end_held(&h);
}
