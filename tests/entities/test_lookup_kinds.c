// SPDX-License-Identifier: MIT
//
// Lookups of switches and of buffers, on main and in jobs.

#include "entity_jobs_test.h"

#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"

enum { MADE = 3000, WORKERS = 3 };

OX_ENABLEABLE(Lamp, { uint32_t number; });
OX_ENABLEABLE_TAG(Door);
OX_BUFFER(Note, 2, { uint32_t value; });
OX_COMPONENT(Neighbour, { ox_entity who; });

typedef struct street {
    collected_reports reports;
    ox_world *world;
    ox_system *scope;
    ox_entity made[MADE];
} street;

static void begin_street(street *s) {
    memset(s, 0, sizeof *s);
    start_workers_of_test(WORKERS);
    collect_reports(&s->reports);
    s->world = ox_world_create(NULL);
    s->scope = ox_world_get_root(s->world);
    for (int k = 0; k < MADE; k++) {
        s->made[k] = ox_entity_create(s->world, OX_VALUE(Lamp, {(uint32_t)k}), OX_VALUE_TAG(Door),
                                      OX_VALUE_TAG(Note), OX_VALUE(Neighbour, {{0}}));
    }
    for (int k = 0; k < MADE; k++) {
        ox_set(s->world, s->made[k], Neighbour, {s->made[(k + 777) % MADE]});
    }
}

static void end_street(street *s, int reports) {
    EXPECT_EQ(s->reports.count, reports);
    EXPECT(ox_world_validate(s->world));
    end_jobs_test(s->world);
}

// On main.

TEST(lookup_kinds, switch_components_and_stamp_them) {
    static street s;
    begin_street(&s);
    ox_lookup lamps = ox_lookup_create(s.world, Lamp), doors = ox_lookup_create(s.world, Door);
    ox_query *changed = ox_query_create(s.world, OX_READ(Lamp));
    uint32_t before = ox_world_get_version(s.world);
    ox_world_advance_version(s.world);
    ox_query_filter_changed(changed, Lamp, before);
    EXPECT_EQ(ox_query_count(changed), 0);

    for (int k = 0; k < MADE; k += 2) {
        EXPECT(ox_lookup_set_enabled(&lamps, s.made[k], false));
    }
    EXPECT(ox_lookup_set_enabled(&doors, s.made[7], false));

    EXPECT_EQ(ox_query_count(changed), MADE / 2);
    EXPECT(!ox_is_enabled(s.world, s.made[2], Lamp) && ox_is_enabled(s.world, s.made[3], Lamp));
    EXPECT(!ox_lookup_is_enabled(&doors, s.made[7]) && ox_lookup_is_enabled(&doors, s.made[8]));
    EXPECT(ox_lookup_set_enabled(&lamps, s.made[2], true));
    EXPECT(ox_lookup_is_enabled(&lamps, s.made[2]));
    end_street(&s, 0);
}

TEST(lookup_kinds, see_what_came_and_went_since) {
    static street s;
    begin_street(&s);
    ox_lookup lamps = ox_lookup_create(s.world, Lamp);
    ox_lookup_set_enabled(&lamps, s.made[5], false);

    ox_entity_destroy(s.world, s.made[0]);
    ox_remove(s.world, s.made[1], Note);
    ox_lookup_set_enabled(&lamps, s.made[6], false);

    for (int k = 1; k < 10; k++) {
        EXPECT_EQ(ox_is_enabled(s.world, s.made[k], Lamp), k != 5 && k != 6);
    }
    EXPECT(!ox_lookup_is_enabled(&lamps, s.made[0]));
    end_street(&s, 0);
}

TEST(lookup_kinds, refuse_what_is_not_there) {
    static street s;
    begin_street(&s);
    ox_lookup lamps = ox_lookup_create(s.world, Lamp), notes = ox_lookup_create(s.world, Note);
    ox_lookup neighbours = ox_lookup_create(s.world, Neighbour);
    ox_entity bare = ox_entity_create(s.world);
    ox_entity_destroy(s.world, s.made[0]);

    EXPECT(!ox_lookup_set_enabled(&lamps, s.made[0], false));
    EXPECT_REPORT(&s.reports, OX_REPORT_STALE_ENTITY);
    EXPECT(!ox_lookup_set_enabled(&lamps, bare, false));
    EXPECT_REPORT(&s.reports, OX_REPORT_NO_COMPONENT);
    EXPECT(!ox_lookup_set_enabled(&neighbours, s.made[1], false));
    EXPECT_REPORT(&s.reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_buffer_is_created(ox_lookup_get(&lamps, s.made[1], Note)));
    EXPECT_REPORT(&s.reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_buffer_is_created(ox_lookup_edit(&notes, bare, Note)));
    EXPECT_REPORT(&s.reports, OX_REPORT_NO_COMPONENT);
    EXPECT(!ox_buffer_is_created(ox_lookup_get_buffer_at(NULL, bare, false, OX_HERE)));
    EXPECT_REPORT(&s.reports, OX_REPORT_NULL_ARGUMENT);
    end_street(&s, 0);
}

// In jobs. Entities that share a word of switches are switched by several workers.

OX_ENTITY_JOB(SwitchNeighbour, (OX_READ(Neighbour, neighbour)),
              { OX_UNRESTRICTED ox_lookup lamps; }) {
    if (neighbour->who.index % 3 != 0) {
        ox_lookup_set_enabled(&job->lamps, neighbour->who, false);
    }
}

OX_ENTITY_JOB(AskNeighbour, (OX_READ(Neighbour, neighbour), OX_WRITE(Note, note)),
              { OX_READ_ONLY ox_lookup lamps; }) {
    uint32_t is_on = ox_lookup_is_enabled(&job->lamps, neighbour->who);
    ox_buffer_push(note, Note, {is_on});
}

TEST(lookup_kinds, switch_and_ask_in_jobs) {
    static street s;
    begin_street(&s);
    ox_lookup lamps = ox_lookup_create(s.world, Lamp);

    ox_schedule_entities(SwitchNeighbour, s.scope, OX_AUTO, {lamps});
    ox_schedule_entities(AskNeighbour, s.scope, OX_AUTO, {lamps});

    for (int k = 0; k < MADE; k++) {
        uint32_t who = ox_get(s.world, s.made[k], Neighbour)->who.index;
        EXPECT_EQ(ox_is_enabled(s.world, s.made[k], Lamp), s.made[k].index % 3 == 0);
        ox_buffer note = ox_get(s.world, s.made[k], Note);
        EXPECT_EQ(ox_buffer_get(note, 0, Note)->value, who % 3 == 0);
    }
    end_street(&s, 0);
}

OX_ENTITY_JOB(WriteNote, (OX_ENTITY(self), OX_READ(Neighbour, neighbour)),
              { OX_UNRESTRICTED ox_lookup notes; }) {
    ox_buffer note = ox_lookup_edit(&job->notes, neighbour->who, Note);
    for (uint32_t k = 0; k < 5; k++) {
        ox_buffer_push(note, Note, {self.index + k});
    }
}

OX_ENTITY_JOB(ReadNote, (OX_WRITE(Lamp, lamp), OX_READ(Neighbour, neighbour)),
              { OX_READ_ONLY ox_lookup notes; }) {
    ox_buffer note = ox_lookup_get(&job->notes, neighbour->who, Note);
    lamp->number = ox_buffer_get(note, 4, Note)->value;
}

TEST(lookup_kinds, read_and_write_buffers_of_others_in_jobs) {
    static street s;
    begin_street(&s);
    ox_lookup notes = ox_lookup_create(s.world, Note);

    ox_schedule_entities(WriteNote, s.scope, OX_AUTO, {notes});
    ox_schedule_entities(ReadNote, s.scope, OX_AUTO, {notes});

    for (int k = 0; k < MADE; k++) {
        EXPECT_EQ(ox_get(s.world, s.made[k], Lamp)->number, s.made[k].index + 4);
        EXPECT_EQ(ox_buffer_count(ox_lookup_get(&notes, s.made[k], Note)), 5);
    }
    end_street(&s, 0);
}

OX_ENTITY_JOB(LookForNothing, (OX_READ(Lamp, lamp)), { OX_READ_ONLY ox_lookup notes; }) {
    if (lamp->number == 0) {
        const ox_entity nobody = {0, 0};
        ox_lookup_get(&job->notes, nobody, Note);
        ox_lookup_is_enabled(&job->notes, nobody);
    }
}

TEST(lookup_kinds, tell_of_entities_that_do_not_exist_in_jobs) {
    static street s;
    begin_street(&s);
    ox_lookup notes = ox_lookup_create(s.world, Note);

    ox_complete(ox_schedule_entities(LookForNothing, s.scope, OX_AUTO, {notes}));

    EXPECT_REPORT(&s.reports, OX_REPORT_STALE_ENTITY);
    end_street(&s, 0);
}
