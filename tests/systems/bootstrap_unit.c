// SPDX-License-Identifier: MIT
//
// Systems of another C file.

#include "oxbow/systems.h"

#include "bootstrap_test.h"

OX_SYSTEM(UnitMain, .in = "UnitGroup", .after = {"CppJobs"}) {
    note_update(system);
}

OX_GROUP(UnitGroup, .before = {"Twin"});

OX_SYSTEM(Twin, .after = {"UnitMain"}) {
    note_update(system);
}
