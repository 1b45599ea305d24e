// SPDX-License-Identifier: MIT
//
// Recording a frame: what ran, what was scheduled, what waited for what.

#pragma once

#include "systems/systems.h"

void oxi_recorder_begin_frame(oxi_systems *all);
void oxi_recorder_end_frame(oxi_systems *all);
void oxi_recorder_begin_system(oxi_system *system);
void oxi_recorder_end_system(oxi_system *system);

/// Frees the recorder of a world, if it has one.
void oxi_recorder_destroy(oxi_systems *all);
