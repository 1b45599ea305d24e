// SPDX-License-Identifier: MIT
//
// The command line. Each option is a row of a table: its name, what its value may be, and where it
// goes. Help and messages are made from the rows, so they say what is there.

#include "options.h"

#include "window.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_SCENE,
    OPTION_INT,
    OPTION_SECONDS,
    OPTION_SEED,
} option_kind;

typedef struct option_row {
    const char *name;
    option_kind kind;
    size_t offset;
    int least, most; // of numbers
    const char *what;
} option_row;

static const option_row rows[] = {
    {"--scene", OPTION_SCENE, offsetof(options, scene), 0, 0, "what to run: boids"},
    {"--entities", OPTION_INT, offsetof(options, entities), 1, 20000000,
     "how many; as many as the scene says"},
    {"--workers", OPTION_INT, offsetof(options, workers), 0, OX_MAX_WORKERS,
     "threads beside main; one for each core that is left"},
    {"--seconds", OPTION_SECONDS, offsetof(options, seconds), 0, 86400, "how long: 10"},
    {"--frames", OPTION_INT, offsetof(options, frames), 1, 1000000000,
     "or how many frames: the same world for any number of workers"},
    {"--seed", OPTION_SEED, offsetof(options, seed), 0, 0, "of all that is random: 1"},
    {"--window", OPTION_FLAG, offsetof(options, window), 0, 0,
     "shows it in a window until you close it: keys below"},
    {"--quiet", OPTION_FLAG, offsetof(options, quiet), 0, 0, "prints nothing, and writes no files"},
    {"--hash", OPTION_FLAG, offsetof(options, hash), 0, 0,
     "prints the hash of the world as the last line"},
    {"--help", OPTION_FLAG, offsetof(options, help), 0, 0, "prints this"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

// What the value of an option may be, as a text.
static void describe_value(const option_row *row, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    switch (row->kind) {
    case OPTION_SCENE:
        for (int k = 0; k < SCENE_COUNT && used < size; k++) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? "|" : "",
                                     scenes[k]->name);
        }
        break;
    case OPTION_INT:
        snprintf(text, size, "%d..%d", row->least, row->most);
        break;
    case OPTION_SECONDS:
        snprintf(text, size, "0.1..%d", row->most);
        break;
    case OPTION_SEED:
        snprintf(text, size, "0..%llu", (unsigned long long)UINT64_MAX);
        break;
    case OPTION_FLAG:
        break;
    }
}

static const option_row *find_row(const char *name) {
    for (int k = 0; k < ROW_COUNT; k++) {
        if (strcmp(rows[k].name, name) == 0) {
            return &rows[k];
        }
    }
    return NULL;
}

static bool read_int(const option_row *row, const char *text, int *to) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    *to = (int)value;
    return isdigit((unsigned char)text[0]) && *end == 0 && errno == 0 && value >= row->least &&
           value <= row->most;
}

static bool read_seed(const char *text, uint64_t *to) {
    char *end;
    errno = 0;
    *to = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == 0 && errno == 0;
}

static bool read_seconds(const option_row *row, const char *text, double *to) {
    char *end;
    *to = strtod(text, &end);
    return strspn(text, "0123456789.") == strlen(text) && *end == 0 && *to >= 0.1 &&
           *to <= row->most;
}

static bool read_value(options *to, const option_row *row, const char *text) {
    void *field = (char *)to + row->offset;
    switch (row->kind) {
    case OPTION_SCENE:
        to->scene = scene_find(text);
        return to->scene != NULL;
    case OPTION_INT:
        return read_int(row, text, field);
    case OPTION_SECONDS:
        return read_seconds(row, text, field);
    case OPTION_SEED:
        return read_seed(text, field);
    case OPTION_FLAG:
        break;
    }
    return false;
}

// A word of the command line as it can stand in a message: short, and on one line. It is cut
// between characters of UTF-8.
static const char *quote(const char *text, char *quoted, size_t size) {
    size_t length = strlen(text);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    snprintf(quoted, size, "%.*s", (int)length, text);
    for (char *at = quoted; *at != 0; at++) {
        *at = iscntrl((unsigned char)*at) ? '?' : *at;
    }
    return quoted;
}

static void name_options(char *text, size_t size) {
    size_t used = 0;
    for (int k = 0; k < ROW_COUNT && used < size; k++) {
        used += (size_t)snprintf(text + used, size - used, " %s", rows[k].name);
    }
}

static bool read_option(options *to, int *at, int count, char **arguments, char *message,
                        size_t size) {
    const option_row *row = find_row(arguments[*at]);
    char allowed[256], quoted[64];
    if (row == NULL) {
        name_options(allowed, sizeof allowed);
        snprintf(message, size, "'%s' is no option; there are%s",
                 quote(arguments[*at], quoted, sizeof quoted), allowed);
        return false;
    }
    if (row->kind == OPTION_FLAG) {
        *(bool *)((char *)to + row->offset) = true;
        return true;
    }
    describe_value(row, allowed, sizeof allowed);
    if (*at + 1 == count) {
        snprintf(message, size, "%s needs a value: %s", row->name, allowed);
        return false;
    }
    const char *value = arguments[++*at];
    if (!read_value(to, row, value)) {
        snprintf(message, size, "%s cannot be '%s'; allowed: %s", row->name,
                 quote(value, quoted, sizeof quoted), allowed);
        return false;
    }
    return true;
}

bool options_read(options *to, int argument_count, char **arguments, char *message, size_t size) {
    *to = (options){.scene = scenes[0], .workers = -1, .seed = 1};
    for (int at = 1; at < argument_count; at++) {
        if (!read_option(to, &at, argument_count, arguments, message, size)) {
            return false;
        }
    }
    if (to->frames > 0 && to->seconds > 0) {
        snprintf(message, size, "--seconds and --frames: one of them says how long it runs");
        return false;
    }
    if (to->frames == 0 && to->seconds <= 0 && !to->window) {
        to->seconds = 10;
    }
    return true;
}

void options_print_help(void) {
    printf("make run [ARGS=\"--scene cubes --seconds 5\"]\n\n");
    for (int k = 0; k < ROW_COUNT; k++) {
        char allowed[256];
        describe_value(&rows[k], allowed, sizeof allowed);
        bool is_scene = rows[k].kind == OPTION_SCENE;
        printf("  %-11s %-23s %s\n", rows[k].name, is_scene ? "one of those below" : allowed,
               rows[k].what);
    }
    printf("\nAn option that is given twice counts as it was given last. Scenes, and how many\n"
           "entities they are asked for if nothing is said:\n\n");
    for (int k = 0; k < SCENE_COUNT; k++) {
        printf("  %-11s %8d  %s\n", scenes[k]->name, scenes[k]->entities, scenes[k]->what);
    }
    printf("\nKeys of the window:\n\n%s", window_keys);
}
