// SPDX-License-Identifier: MIT
//
// Prints the hash of each scene beside the golden one, for several numbers of workers, and ends
// with 1 when they differ; or writes the golden ones anew:
//
//     scene_hashes [--write FILE]

#include "scene_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int compare_all(void) {
    static const int workers[] = {0, 1, 2, 4, 16};
    int wrong = 0;
    for (int k = 0; k < golden_scene_count; k++) {
        const golden_scene *golden = &golden_scenes[k];
        for (size_t n = 0; n < sizeof workers / sizeof *workers; n++) {
            uint64_t hash = scene_run(scene_find(golden->name), golden, workers[n]);
            wrong += hash != golden->hash;
            printf("%-12s workers %-2d %016" PRIx64 " %s\n", golden->name, workers[n], hash,
                   hash == golden->hash ? "ok" : "DIFFERS");
        }
    }
    return wrong > 0;
}

// Everything up to the first row stays; scenes without a row get one.
static int write_all(const char *path) {
    char head[4096] = {0};
    FILE *file = fopen(path, "r");
    size_t length = file != NULL ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file == NULL || fclose(file) != 0 || length == 0 || (file = fopen(path, "w")) == NULL) {
        fprintf(stderr, "cannot write %s\n", path);
        return 1;
    }
    char *rows = strstr(head, "GOLDEN(");
    fwrite(head, 1, rows != NULL ? (size_t)(rows - head) : length, file);
    for (int k = 0; k < SCENE_COUNT; k++) {
        golden_scene fresh = {scenes[k]->name, 1000, 200, 7, 0};
        const golden_scene *golden = golden_find(scenes[k]->name);
        fresh = golden != NULL ? *golden : fresh;
        fprintf(file, "GOLDEN(\"%s\", %d, %d, %" PRIu64 ", 0x%016" PRIx64 ")\n", fresh.name,
                fresh.entities, fresh.frames, fresh.seed, scene_run(scenes[k], &fresh, 0));
    }
    return fclose(file) != 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        return write_all(argv[2]);
    }
    return compare_all();
}
