// SPDX-License-Identifier: MIT
//
// The job system in all orders, within bounds: each scenario is a test.

#include "model/scenario.h"
#include "model/scenarios.h"

#define TEST_SCENARIO(name)                                                                        \
    TEST(model, name) {                                                                            \
        expect_success(&scenario_##name);                                                          \
    }
SCENARIOS(TEST_SCENARIO)
