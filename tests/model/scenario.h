// SPDX-License-Identifier: MIT
//
// Running scenarios as tests.

#pragma once

#include "model/model.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// No execution fails. Prints how many there were; after a failure its schedule and its steps.
/// OX_MODEL_REPLAY="name schedule" runs that one execution instead.
static inline void expect_success(const model_scenario *scenario) {
    const char *replay = getenv("OX_MODEL_REPLAY");
    size_t length = strlen(scenario->name);
    if (replay != NULL && strncmp(replay, scenario->name, length) == 0 && replay[length] == ' ') {
        EXPECT(!model_replay(scenario, replay + length + 1));
        return;
    }
    model_result result = model_search(scenario, (model_limits){0});
    if (result.failed) {
        fprintf(stderr, "%s\nOX_MODEL_REPLAY=\"%s %s\"\n", result.text, scenario->name,
                result.schedule);
        model_replay(scenario, result.schedule);
    } else {
        printf("%-28s %d preemptions %9llu executions %6.2f s\n", scenario->name,
               scenario->preemptions, (unsigned long long)result.executions, result.seconds);
    }
    EXPECT(!result.failed);
}

/// Some execution fails, with this in what it says.
static inline void expect_failure(const model_scenario *scenario, const char *part) {
    model_result result = model_search(scenario, (model_limits){0});
    EXPECT(result.failed);
    EXPECT_HAS(result.text, part);
}
