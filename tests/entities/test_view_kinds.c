// SPDX-License-Identifier: MIT
//
// Views of shared values and of buffers, on main, in jobs and in structs of views.

#include "query_test.h"

OX_COMPONENT(Seat, { int number; });
OX_SHARED(Crew, {
    int number;
    float pay;
});
OX_BUFFER(Stop, 2, { int at; });
OX_TAG(Idle);

enum { CREWS = 3, RIDERS = 21 };

typedef struct riders {
    ox_world *world;
    ox_query *query; // OX_READ(Seat), OX_READ(Crew), OX_WRITE(Stop)
    ox_entity made[RIDERS];
} riders;

// Riders of three crews in turn; rider k has k % 4 stops, the first at k.
static riders make_riders(void) {
    riders self = {.world = ox_world_create(NULL)};
    self.query = ox_query_create(self.world, OX_READ(Seat), OX_READ(Crew), OX_WRITE(Stop));
    for (int k = 0; k < RIDERS; k++) {
        self.made[k] =
            ox_entity_create(self.world, OX_VALUE(Seat, {k}), OX_VALUE(Crew, {k % CREWS, 2.5f}));
        ox_buffer stops = ox_add_buffer(self.world, self.made[k], Stop);
        for (int n = 0; n < k % 4; n++) {
            ox_buffer_push(stops, Stop, {k + n});
        }
    }
    return self;
}

TEST(view_kinds, a_view_of_shared_values_has_the_one_of_each_entity) {
    riders self = make_riders();
    ox_view seats = ox_query_view(self.query, Seat), crews = ox_query_view(self.query, Crew);
    ox_set(self.world, self.made[4], Crew, {0, 7.0f}); // ends both

    seats = ox_query_view(self.query, Seat);
    crews = ox_query_view(self.query, Crew);
    EXPECT_EQ(crews.count, RIDERS);
    for (int k = 0; k < RIDERS; k++) {
        int number = ox_view_read(seats, k, Seat).number;
        EXPECT_EQ(ox_view_read(crews, k, Crew).number, number == 4 ? 0 : number % CREWS);
        EXPECT_EQ(ox_view_read(crews, k, Crew).pay, number == 4 ? 7.0f : 2.5f);
    }
    ox_world_destroy(self.world);
}

TEST(view_kinds, a_view_of_buffers_reads_and_changes_them) {
    riders self = make_riders();
    ox_view seats = ox_query_view(self.query, Seat), paths = ox_query_view(self.query, Stop);
    for (int k = 0; k < paths.count; k++) {
        int number = ox_view_read(seats, k, Seat).number;
        EXPECT_EQ(ox_buffer_count(ox_view_get(paths, k, Stop)), number % 4);

        ox_buffer_push(ox_view_edit(paths, k, Stop), Stop, {number * 100});
    }

    for (int k = 0; k < RIDERS; k++) {
        ox_buffer stops = ox_get(self.world, self.made[k], Stop);
        EXPECT_EQ(ox_buffer_count(stops), k % 4 + 1);
        EXPECT_EQ(ox_buffer_get(stops, k % 4, Stop)->at, k * 100);
    }
    EXPECT(ox_world_validate(self.world));
    ox_world_destroy(self.world);
}

TEST(view_kinds, only_a_buffer_that_is_asked_for_to_change_counts_as_changed) {
    riders self = make_riders();
    ox_view paths = ox_query_view(self.query, Stop);
    ox_query *changed = ox_query_create(self.world, OX_READ(Stop));
    uint32_t before = ox_world_get_version(self.world);
    ox_world_advance_version(self.world);
    ox_query_filter_changed(changed, Stop, before);

    ox_view_get(paths, 3, Stop);
    EXPECT_EQ(ox_query_count(changed), 0);
    ox_view_edit(paths, 3, Stop);
    EXPECT(ox_query_count(changed) > 0);
    ox_world_destroy(self.world);
}

OX_PARALLEL_JOB(Travel, {
    OX_READ_ONLY ox_view seats;
    OX_READ_ONLY ox_view crews;
    ox_view paths;
}) {
    int at = ox_view_read(job->seats, i, Seat).number * ox_view_read(job->crews, i, Crew).number;
    ox_buffer_push(ox_view_edit(job->paths, i, Stop), Stop, {at});
}

TEST(view_kinds, parallel_jobs_hold_views_of_every_kind) {
    for (int workers = 0; workers <= 2; workers += 2) {
        ox_jobs_start(&(ox_jobs_def){.worker_count = workers > 0 ? workers : OX_NO_WORKERS});
        riders self = make_riders();
        ox_complete(
            ox_schedule_for(Travel, RIDERS, 4, OX_NO_JOB,
                            {ox_query_view(self.query, Seat), ox_query_view(self.query, Crew),
                             ox_query_view(self.query, Stop)}));

        for (int k = 0; k < RIDERS; k++) {
            ox_buffer stops = ox_get(self.world, self.made[k], Stop);
            EXPECT_EQ(ox_buffer_get(stops, ox_buffer_count(stops) - 1, Stop)->at, k * (k % CREWS));
        }
        ox_world_destroy(self.world);
        ox_jobs_stop();
    }
}

OX_VIEWS(Riders, (OX_READ(Seat, seat), OX_READ(Crew, crew), OX_WRITE(Stop, path), OX_NONE(Idle)));

TEST(view_kinds, a_struct_of_views_has_every_kind) {
    riders self = make_riders();
    ox_add_tag(self.world, self.made[0], Idle);
    Riders views = {0};

    EXPECT(ox_views_fill(self.world, &views, Riders));

    EXPECT_EQ(views.count, RIDERS - 1);
    for (int k = 0; k < views.count; k++) {
        int number = ox_view_read(views.seat, k, Seat).number;
        EXPECT_EQ(ox_view_read(views.crew, k, Crew).number, number % CREWS);
        EXPECT_EQ(ox_buffer_count(ox_view_edit(views.path, k, Stop)), number % 4);
    }
    ox_world_destroy(self.world);
}

TEST(view_kinds, a_call_for_another_kind_is_reported) {
    collected_reports reports = {0};
    riders self = make_riders();
    ox_view seats = ox_query_view(self.query, Seat), crews = ox_query_view(self.query, Crew),
            paths = ox_query_view(self.query, Stop);
    collect_reports(&reports);

    EXPECT_EQ(*(const int *)ox_view_get_at(paths, 0, OX_HERE), 0);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_HAS(reports.text, "ox_view_get_buffer_at");
    *(int *)ox_view_edit_at(paths, 0, OX_HERE) = 1;
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    *(int *)ox_view_edit_at(crews, 0, OX_HERE) = 1;
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_HAS(reports.text, "ox_set");
    EXPECT(!ox_buffer_is_created(ox_view_get_buffer_at(seats, 0, false, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_buffer_is_created(ox_view_get_buffer_at(crews, 0, true, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    ox_view entities = ox_query_view_entities(self.query);
    EXPECT(!ox_buffer_is_created(ox_view_get_buffer_at(entities, 0, false, OX_HERE)));
    EXPECT_HAS(reports.text, "the entities");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(ox_view_get_span(crews, 0, 1).values == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(ox_view_get_span(paths, 0, 1).values == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    ox_world_destroy(self.world);
}

TEST(view_kinds, a_buffer_that_the_query_only_reads_cannot_be_changed) {
    collected_reports reports = {0};
    riders self = make_riders();
    ox_view paths = ox_query_view(ox_query_create(self.world, OX_READ(Stop)), Stop);
    collect_reports(&reports);

    EXPECT(!ox_buffer_is_created(ox_view_edit(paths, 5, Stop)));

    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(ox_buffer_is_created(ox_view_get(paths, 5, Stop)));
    EXPECT(!ox_buffer_is_created(ox_view_get(paths, RIDERS, Stop)));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    ox_world_destroy(self.world);
}

TEST(view_kinds, a_handle_of_a_buffer_ends_with_the_next_change) {
    collected_reports reports = {0};
    riders self = make_riders();
    ox_buffer stops = ox_view_edit(ox_query_view(self.query, Stop), 0, Stop);
    ox_entity_create(self.world);
    collect_reports(&reports);

    EXPECT(!ox_buffer_push(stops, Stop, {1}) || ox_get_safety_level() == 0);

    EXPECT(reports.count == 1 || ox_get_safety_level() == 0);
    ox_world_destroy(self.world);
}
