// SPDX-License-Identifier: MIT
//
// Writing the last frame, in whatever form is asked for. The whole text is made first: its length
// is what the call returns, however little of it fits.

#include "systems/explain_record.h"

typedef void explain_writer_fn(oxi_text *text, const ox_frame *frame, const char *world);

static size_t copy_cut_text(const oxi_text *text, char *buffer, size_t capacity) {
    if (capacity > 0) {
        oxi_text cut = oxi_text_over(buffer, capacity);
        oxi_text_append_sized(&cut, oxi_text_get(text), text->length);
    }
    return text->length;
}

size_t ox_world_explain_frame_at(ox_world *world, ox_explain_format format, char *buffer,
                                 size_t capacity, ox_site site) {
    static explain_writer_fn *const writers[] = {
        [OX_EXPLAIN_TEXT] = oxi_explain_write_text,
        [OX_EXPLAIN_JSON] = oxi_explain_write_json,
        [OX_EXPLAIN_GRAPH] = oxi_explain_write_graph,
    };
    if (capacity > 0 && !OXI_REQUIRE_ARGUMENT(buffer, "ox_world_explain_frame", site)) {
        return 0;
    }
    if (capacity > 0) {
        buffer[0] = 0;
    }
    if (!OXI_REQUIRE_ENUM(format, OX_EXPLAIN_GRAPH, ox_explain_format, NULL,
                          "ox_world_explain_frame", site)) {
        return 0;
    }
    const ox_frame *frame = oxi_recorder_fill(world, "ox_world_explain_frame", site);
    if (frame == NULL) {
        return 0;
    }
    oxi_text text = {0};
    writers[format](&text, frame, world->name);
    size_t length = 0;
    if (text.failed) {
        oxi_world_report(world, OXI_NO_MEMORY, site);
    } else {
        length = copy_cut_text(&text, buffer, capacity);
    }
    oxi_text_free(&text);
    return length;
}
