// SPDX-License-Identifier: MIT
//
// Reads any bytes as the command line of `make run`: lines are its words, and the first byte is the
// size of the message. What is accepted is what a plain reading of the words says; what is refused
// has a message of one line, which is whole UTF-8 where the words are.
//
// units: run/options.c run/window_none.c scenes/*.c
// flags: -Irun -Iscenes

#include "options.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_WORDS = 32, MESSAGE_SIZE = 512 };

static void require(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_options: %s\n", what);
        abort();
    }
}

// A plain reading: each option by itself.

// A whole number up to `most`. @return false when it is none.
static bool read_whole(const char *text, uint64_t least, uint64_t most, uint64_t *number) {
    *number = 0;
    for (const char *at = text; *at != 0; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*at < '0' || *at > '9' || *number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        *number = *number * 10 + digit;
    }
    return text[0] != 0 && *number >= least && *number <= most;
}

static bool read_into(int *to, const char *text, uint64_t least, uint64_t most) {
    uint64_t number;
    bool is_read = read_whole(text, least, most, &number);
    *to = (int)number;
    return is_read;
}

static bool read_duration(double *to, const char *text) {
    const char *point = strchr(text, '.');
    if (text[strspn(text, "0123456789.")] != 0 || (point != NULL && strchr(point + 1, '.'))) {
        return false;
    }
    *to = strtod(text, NULL);
    return *to >= 0.1 && *to <= 86400;
}

// One option with a value. @return false when it is none, or the value cannot be.
static bool read_pair(options *to, const char *name, const char *value) {
    if (strcmp(name, "--scene") == 0) {
        to->scene = scene_find(value);
        return to->scene != NULL;
    }
    if (strcmp(name, "--seed") == 0) {
        return read_whole(value, 0, UINT64_MAX, &to->seed);
    }
    if (strcmp(name, "--seconds") == 0) {
        return read_duration(&to->seconds, value);
    }
    if (strcmp(name, "--entities") == 0) {
        return read_into(&to->entities, value, 1, 20000000);
    }
    if (strcmp(name, "--workers") == 0) {
        return read_into(&to->workers, value, 0, OX_MAX_WORKERS);
    }
    return strcmp(name, "--frames") == 0 && read_into(&to->frames, value, 1, 1000000000);
}

static bool *find_flag(options *to, const char *name) {
    if (strcmp(name, "--window") == 0) {
        return &to->window;
    }
    if (strcmp(name, "--quiet") == 0) {
        return &to->quiet;
    }
    if (strcmp(name, "--hash") == 0) {
        return &to->hash;
    }
    return strcmp(name, "--help") == 0 ? &to->help : NULL;
}

static bool read_plainly(options *to, int count, char **words) {
    *to = (options){.scene = scenes[0], .workers = -1, .seed = 1};
    for (int k = 1; k < count; k++) {
        bool *flag = find_flag(to, words[k]);
        if (flag != NULL) {
            *flag = true;
        } else if (k + 1 == count || !read_pair(to, words[k], words[k + 1])) {
            return false;
        } else {
            k++;
        }
    }
    if (to->frames > 0 && to->seconds > 0) {
        return false;
    }
    if (to->frames == 0 && to->seconds <= 0 && !to->window) {
        to->seconds = 10;
    }
    return true;
}

static bool is_same(const options *a, const options *b) {
    return a->scene == b->scene && a->entities == b->entities && a->workers == b->workers &&
           a->seconds == b->seconds && a->frames == b->frames && a->seed == b->seed &&
           a->window == b->window && a->quiet == b->quiet && a->hash == b->hash &&
           a->help == b->help;
}

// Messages.

static bool is_utf8(const char *text, size_t length) {
    uint32_t code;
    size_t at = 0;
    while (at < length) {
        size_t step = oxi_utf8_decode(text + at, length - at, &code);
        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

static void require_message(const char *message, size_t size, bool words_are_utf8) {
    const char *end = memchr(message, 0, size);
    require(end != NULL && end > message, "a refusal has a message that ends");
    size_t length = (size_t)(end - message);
    for (const char *at = message; *at != 0; at++) {
        require((unsigned char)*at >= 32 && *at != 127, "a message is one line");
    }
    // A small buffer cuts anywhere.
    bool is_whole = size == MESSAGE_SIZE;
    require(!is_whole || !words_are_utf8 || is_utf8(message, length), "a message is whole UTF-8");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    char *text = malloc(size), *words[MOST_WORDS + 1] = {NULL};
    size_t message_size = (data[0] & 1) != 0 ? MESSAGE_SIZE : 2 + data[0];
    char *message = malloc(message_size);
    require(text != NULL && message != NULL, "there is memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    bool words_are_utf8 = is_utf8(text, strlen(text));
    int count = 0;
    words[count++] = "oxbow_run";
    for (char *at = text; at != NULL && count < MOST_WORDS;) {
        words[count++] = at;
        at = strchr(at, '\n');
        if (at != NULL) {
            *at++ = 0;
        }
    }
    options read, plain;
    memset(message, 1, message_size);
    bool is_read = options_read(&read, count, words, message, message_size);
    require(is_read == read_plainly(&plain, count, words), "what is allowed is accepted");
    if (is_read) {
        require(is_same(&read, &plain), "and read as it is written");
    } else {
        require_message(message, message_size, words_are_utf8);
    }
    free(text);
    free(message);
    return 0;
}
