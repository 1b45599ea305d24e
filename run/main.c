// SPDX-License-Identifier: MIT
//
// What `make run` runs: a scene, for a while, with what it cost and what it looked like.

#include "stage.h"
#include "window.h"

#include <inttypes.h>
#include <stdio.h>

static int run_scene(const options *asked) {
    stage run;
    if (!stage_begin(&run, asked)) {
        return 1;
    }
    while (stage_progress(&run) < 1) {
        stage_step(&run);
        progress_show(&run);
    }
    progress_end(&run);
    bool is_written = stage_write(&run);
    if (!asked->quiet) {
        summary_print(&run);
    }
    if (asked->hash) {
        printf("hash %016" PRIx64 "\n", ox_world_hash(run.world));
    }
    stage_end(&run);
    return is_written ? 0 : 1;
}

int main(int argument_count, char **arguments) {
    options asked;
    char message[512];
    if (!options_read(&asked, argument_count, arguments, message, sizeof message)) {
        fprintf(stderr, "oxbow: %s\n", message);
        return 2;
    }
    if (asked.help) {
        options_print_help();
        return 0;
    }
    return asked.window ? window_run(&asked) : run_scene(&asked);
}
