// SPDX-License-Identifier: MIT
//
// Systems of a C++ file.

#include "oxbow/systems.h"

#include "bootstrap_test.h"

OX_VIEWS(SeenViews, (OX_READ(Seen, seen)));

struct CppState {
    SeenViews views;
    ox_lookup lookup;
    ox_system *unit;
};

OX_ENTITY_JOB(CountSeen, (OX_WRITE(Seen, seen)), { uint32_t add; }) {
    seen->count += job->add;
}

OX_JOB_SYSTEM(CppJobs, .in = "UnitGroup", .jobs = OX_JOBS(CountSeen)) {
    note_update(system);
    return ox_schedule_entities(CountSeen, system, after, {1});
}

static bool create_cpp(ox_system *system) {
    return ox_system_state(system, CppState)->unit != nullptr;
}

OX_SYSTEM(CppMain, .after = {"Twin"},
          .inject = {OX_INJECT_VIEWS(CppState, views, SeenViews),
                     OX_INJECT_LOOKUP(CppState, lookup, OX_READ(Seen)),
                     OX_INJECT_SYSTEM(CppState, unit, "UnitMain")},
          .require = OX_REQUIRE(OX_WITH(Seen)), .create = create_cpp, .state = sizeof(CppState)) {
    CppState *state = ox_system_state(system, CppState);
    if (state->views.count == 1) {
        note_update(state->unit);
    }
}

OX_SYSTEM(Twin) {
    note_update(system);
}

// Commands: by a job for a barrier of this file, and on main.

OX_BARRIER(CppBarrier, .in = "UnitGroup");
OX_BARRIER(CppEnd, .in = "UnitGroup", .place = OX_PHASE_END);

OX_ENTITY_JOB(MarkSeen, (OX_READ(Seen, seen), OX_NONE(Marked), OX_ENTITY(self)),
              { ox_commands commands; }) {
    ox_commands_add(job->commands, self, Marked, {seen->count});
    ox_entity made = ox_commands_create_entity(job->commands, OX_VALUE(Marked, {1}));
    ox_commands_destroy_entity(job->commands, made);
}

OX_JOB_SYSTEM(CppRecords, .in = "UnitGroup", .jobs = OX_JOBS(MarkSeen), .barriers = {"CppBarrier"},
              .require = OX_REQUIRE(OX_WITH(Seen))) {
    return ox_schedule_entities(MarkSeen, system, after, {ox_system_commands(system)});
}

OX_SYSTEM(CppRecordsOnMain, .after = {"UnitGroup"}, .require = OX_REQUIRE(OX_WITH(Marked))) {
    ox_query *marked = ox_system_query(system, OX_WITH(Marked), OX_NONE(Unmarked));
    ox_commands_query_add(ox_system_commands(system), marked, Unmarked);
}
