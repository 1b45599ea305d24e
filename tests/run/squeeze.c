// SPDX-License-Identifier: MIT
//
// The compression of `make run` for run.py to look at: squeeze < bytes > zlib stream, or squeeze
// WIDTH HEIGHT FILE < pixels for a picture. Ends with 1 when something could not be done.

#include "deflate.h"
#include "png.h"

#include <stdio.h>
#include <stdlib.h>

static void read_all(bytes *to) {
    static uint8_t part[65536];
    size_t count;
    while ((count = fread(part, 1, sizeof part, stdin)) > 0) {
        bytes_add(to, part, count);
    }
}

static int write_squeezed(const bytes *from) {
    bytes to = {0};
    deflate_add(&to, from->data, from->count);
    bool is_written = !to.failed && fwrite(to.data, 1, to.count, stdout) == to.count;
    bytes_free(&to);
    return is_written ? 0 : 1;
}

int main(int argument_count, char **arguments) {
    bytes from = {0};
    read_all(&from);
    int result = 1;
    if (argument_count == 1) {
        result = write_squeezed(&from);
    } else if (argument_count == 4) {
        int width = atoi(arguments[1]), height = atoi(arguments[2]);
        result = png_write(arguments[3], from.data, width, height) ? 0 : 1;
    }
    bytes_free(&from);
    return result;
}
