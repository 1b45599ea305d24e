// SPDX-License-Identifier: MIT
//
// Reads any bytes as JSON. What is accepted is written back and read again, and must be the same.

#include "json_copy.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_json: %s\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    oxi_json first, second;
    oxi_json_error error;
    if (!oxi_json_read(&first, (const char *)data, size, &error)) {
        require(error.code != OXI_JSON_ERROR_NONE, "a refusal has a code");
        require(error.offset <= size, "a refusal is inside of the text");
        require(first.nodes.items == NULL && first.strings.items == NULL, "a refusal owns nothing");
        return 0;
    }

    oxi_text text = {0};
    oxi_json_writer writer = oxi_json_write_to(&text);
    json_copy(&writer, oxi_json_root(&first));
    require(oxi_json_is_whole(&writer), "what was read can be written");
    require(oxi_json_read(&second, text.data, text.length, &error), "what was written can be read");
    require(json_equal(&first, &second), "what was written is what was read");
    oxi_json_free(&first);
    oxi_json_free(&second);
    oxi_text_free(&text);
    return 0;
}
