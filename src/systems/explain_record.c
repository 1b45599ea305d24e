// SPDX-License-Identifier: MIT
//
// Recording frames: nobody records yet.

#include "systems/explain_record.h"

void oxi_recorder_begin_frame(oxi_systems *all) {
    (void)all;
}

void oxi_recorder_end_frame(oxi_systems *all) {
    (void)all;
}

void oxi_recorder_begin_system(oxi_system *system) {
    (void)system;
}

void oxi_recorder_end_system(oxi_system *system) {
    (void)system;
}

void oxi_recorder_destroy(oxi_systems *all) {
    (void)all;
}
