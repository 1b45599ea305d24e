// SPDX-License-Identifier: MIT
//
// Streams: records behind each other in one block, and an inbox for what jobs write.
//
// A record is the ox_element of a value and the value's bytes, counted up to 4. Values are copied
// out when they are read, so records need no alignment but that of their ox_element, and what a job
// wrote is taken over by copying whole spans.
//
// Invariant: data to data + size is a chain of `count` whole records; `version` moves with every
// change, pending ones included when they are settled.

#include "oxbow/list.h"

#include "containers/handle.h"
#include "containers/inbox.h"

enum { RECORD_ALIGN = 4, FIRST_STREAM_BYTES = 256, STREAM_BLOCK_ALIGN = 64, KNOWN_TYPES = 16 };

typedef struct stream_body {
    oxi_stream_state state;
    oxi_inbox inbox;
} stream_body;

static oxi_inbox *inbox_of_stream(oxi_stream_state *state) {
    return &((stream_body *)state)->inbox;
}

static size_t size_of_record(ox_element element) {
    size_t size = oxi_element_size(element);
    return sizeof element + ((size + RECORD_ALIGN - 1) & ~(size_t)(RECORD_ALIGN - 1));
}

static ox_element element_of_record(const char *record) {
    ox_element element;
    memcpy(&element, record, sizeof element);
    return element;
}

static uint64_t count_records(const char *at, const char *end) {
    uint64_t count = 0;
    while (at < end) {
        at += size_of_record(element_of_record(at));
        count++;
    }
    OXI_ASSERT(at == end);
    return count;
}

static void free_stream_data(oxi_stream_state *state, ox_site site) {
    ox_memory_free_at(state->allocator, state->data, state->capacity, STREAM_BLOCK_ALIGN, site);
}

// Makes room for `extra` bytes more.
static bool grow_stream(oxi_stream_state *state, size_t extra, ox_site site) {
    if (extra <= state->capacity - state->size) {
        return true;
    }
    size_t capacity = state->capacity > 0 ? state->capacity * 2 : FIRST_STREAM_BYTES;
    capacity = capacity > state->size + extra ? capacity : state->size + extra;
    char *data = ox_memory_alloc_at(state->allocator, capacity, STREAM_BLOCK_ALIGN, site);
    if (data == NULL) {
        return false;
    }
    if (state->size > 0) {
        memcpy(data, state->data, state->size);
    }
    free_stream_data(state, site);
    state->data = data;
    state->capacity = capacity;
    return true;
}

static bool take_inbox_into_stream(void *container, const oxi_spans *spans, size_t bytes,
                                   ox_site site) {
    oxi_stream_state *state = container;
    if (!grow_stream(state, bytes, site)) {
        return false;
    }
    for (size_t k = 0; k < spans->count; k++) {
        char *to = state->data + state->size;
        memcpy(to, spans->items[k].items, spans->items[k].size);
        state->size += spans->items[k].size;
        state->count += count_records(to, to + spans->items[k].size);
    }
    state->version++;
    return true;
}

static bool settle_stream(oxi_stream_state *state, ox_site site) {
    return oxi_inbox_settle(inbox_of_stream(state), take_inbox_into_stream, state, site);
}

static void free_stream(void *memory, ox_site site) {
    oxi_stream_state *state = memory;
    oxi_inbox_free(inbox_of_stream(state), site);
    free_stream_data(state, site);
    ox_memory_free_at(state->allocator, state, sizeof(stream_body), _Alignof(stream_body), site);
}

ox_stream ox_stream_create_at(ox_allocator allocator, ox_site site) {
    stream_body *body =
        ox_memory_alloc_at(allocator, sizeof(stream_body), _Alignof(stream_body), site);
    if (body == NULL) {
        return (ox_stream){0};
    }
    body->state = (oxi_stream_state){.allocator = allocator};
    oxi_inbox_init(&body->inbox, &body->state.pending, RECORD_ALIGN, allocator);
    ox_stream stream = {.state = &body->state};
    ox_access_def def = {.kind = "stream", .allocator = allocator, .is_whole = true};
    if (!oxi_access_make(&stream.access, &def, body, site)) {
        free_stream(stream.state, site);
        return (ox_stream){0};
    }
    return stream;
}

ox_job ox_stream_dispose_at(ox_stream *stream, ox_job after, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(stream, "ox_dispose", site) ||
        !oxi_dispose_require(stream->access, stream->state, "stream", after, site)) {
        return OX_NO_JOB;
    }
    oxi_release release = {free_stream, stream->state, stream->state->allocator};
    ox_job job = OX_NO_JOB;
    if (oxi_dispose(stream->access, &release, after, &job, site)) {
        stream->state = NULL;
    }
    return job;
}

static bool may_read_stream(ox_stream stream, ox_site site) {
    return OXI_ASK(stream.access, ox_access_may_read_at(stream.access, site)) &&
           (stream.state != NULL || oxi_unassigned("stream", site));
}

int64_t ox_stream_count_at(ox_stream stream, ox_site site) {
    if (!may_read_stream(stream, site) || !settle_stream(stream.state, site)) {
        return 0;
    }
    return (int64_t)stream.state->count;
}

bool ox_stream_is_empty_at(ox_stream stream, ox_site site) {
    if (!may_read_stream(stream, site)) {
        return true;
    }
    // What is pending is at least one value, so nothing has to be settled to know.
    return !oxi_inbox_is_pending(inbox_of_stream(stream.state)) && stream.state->size == 0;
}

void ox_stream_clear_at(ox_stream stream, ox_site site) {
    if (!OXI_ASK(stream.access, ox_access_may_resize_at(stream.access, site)) ||
        (stream.state == NULL && !oxi_unassigned("stream", site))) {
        return;
    }
    oxi_stream_state *state = stream.state;
    oxi_inbox_clear(inbox_of_stream(state));
    state->size = 0;
    state->count = 0;
    state->version++;
}

ox_stream_writer ox_stream_writer_of_at(ox_stream stream, ox_site site) {
    if (!oxi_writer_require_container(stream.access, stream.state, "stream", site)) {
        return (ox_stream_writer){0};
    }
    ox_stream_writer writer = {stream.state, stream.access};
    writer.access.flags |= OX_ACCESS_WRITE_ONLY;
    return writer;
}

#if OX_SAFETY >= 1

// Looking a type up by its name is slow, so each thread remembers a few that were found good, by
// the address of the name: that is a literal, one for each place that writes.
static bool require_stream_element(ox_element_info info, ox_site site) {
    static _Thread_local ox_element_info known[KNOWN_TYPES];
    ox_element_info *place = &known[((uintptr_t)info.name >> 2) % KNOWN_TYPES];
    if (info.name != NULL && place->name == info.name && place->element == info.element) {
        return true;
    }
    if (!oxi_element_require(info, "stream", site)) {
        return false;
    }
    *place = info;
    return true;
}

#else

static bool require_stream_element(ox_element_info info, ox_site site) {
    size_t size = oxi_element_size(info.element);
    return (size > 0 && size <= OX_MAX_ELEMENT_SIZE) || oxi_element_require(info, "stream", site);
}

#endif

// Outside of jobs main writes to the stream itself, behind what jobs wrote.
static char *add_record_on_main(oxi_stream_state *state, ox_access access, size_t size,
                                ox_site site) {
    if (oxi_writer_get_caller() == OXI_WRITER_STRANGER) {
        oxi_writer_refuse_stranger(access, "stream writer", site);
        return NULL;
    }
    if (!settle_stream(state, site) || !grow_stream(state, size, site)) {
        return NULL;
    }
    char *record = state->data + state->size;
    state->size += size;
    state->count++;
    state->version++;
    return record;
}

void *oxi_stream_add_at(oxi_stream_state *state, ox_access access, ox_element_info info,
                        ox_site site) {
    if (!OXI_ASK(access, ox_access_may_write_at(access, site)) ||
        (state == NULL && !oxi_unassigned("stream writer", site)) ||
        !require_stream_element(info, site)) {
        return NULL;
    }
    size_t size = size_of_record(info.element);
    char *record = oxi_this_run.order != 0 ? oxi_inbox_add(inbox_of_stream(state), size, site)
                                           : add_record_on_main(state, access, size, site);
    if (record == NULL) {
        return NULL;
    }
    memset(record + size - RECORD_ALIGN, 0, RECORD_ALIGN); // no byte is left undefined
    memcpy(record, &info.element, sizeof info.element);
    return record + sizeof info.element;
}

// Settling is a reader's right: several may come at once.
OX_JOB(SettleStream, {
    OX_READ_ONLY ox_stream stream;
    OX_NO_SAFETY const char *site;
}) {
    settle_stream(job->stream.state, job->site);
}

ox_job ox_stream_merge_after_at(ox_stream stream, ox_job after, ox_site site) {
    if (stream.state == NULL) {
        oxi_handle_missing(stream.access, "stream", site);
        return OX_NO_JOB;
    }
    SettleStream data = {stream, site};
    return ox_schedule_at(ox_job_type_of(SettleStream), after, &data, site);
}

ox_stream_reader ox_stream_reader_of_at(ox_stream stream, ox_site site) {
    if (!may_read_stream(stream, site) || !settle_stream(stream.state, site)) {
        return (ox_stream_reader){0};
    }
    const oxi_stream_state *state = stream.state;
    return (ox_stream_reader){.at = state->data,
                              .end = state->data + state->size,
                              .state = state,
                              .access = stream.access,
                              .version = state->version};
}

static bool has_stream_changed(const ox_stream_reader *reader) {
    oxi_inbox *inbox = inbox_of_stream((oxi_stream_state *)reader->state);
    return oxi_inbox_is_pending(inbox) || reader->state->version != reader->version;
}

static bool report_changed_stream(const ox_stream_reader *reader, ox_site site) {
    ox_access_info info = oxi_container_info(reader->access, "stream");
    return OXI_REPORT(NULL, OX_REPORT_CHANGED_WHILE_READ, site, OXI_NAME("kind", info.kind),
                      OXI_NAME("container", info.name), OXI_SITE("created", info.created));
}

static bool report_stream_end(const ox_stream_reader *reader, ox_site site) {
    ox_access_info info = oxi_container_info(reader->access, "stream");
    return OXI_REPORT(NULL, OX_REPORT_STREAM_END, site, OXI_NAME("container", info.name),
                      OXI_SITE("created", info.created), OXI_NUMBER("count", reader->state->count));
}

// True when there is a next value, in a stream that is as it was when reading began.
static bool has_next_value(const ox_stream_reader *reader, ox_site site) {
    if (!OXI_ASK(reader->access, ox_access_may_read_at(reader->access, site))) {
        return false;
    }
    if (reader->state == NULL) {
        return oxi_unassigned("stream reader", site);
    }
    if (has_stream_changed(reader)) {
        return report_changed_stream(reader, site);
    }
    return reader->at < reader->end || report_stream_end(reader, site);
}

static bool is_next_of(const ox_stream_reader *reader, ox_element element, ox_site site) {
    ox_element stored = element_of_record(reader->at);
    return oxi_element_fits(stored, element) ||
           oxi_element_mismatch(stored, element, reader->access, "stream", site);
}

bool oxi_stream_may_peek_at(const ox_stream_reader *reader, ox_element element, ox_site site) {
    return has_next_value(reader, site) && is_next_of(reader, element, site);
}

bool oxi_stream_may_next_at(ox_stream_reader *reader, ox_element element, ox_site site) {
    if (!has_next_value(reader, site)) {
        reader->at = reader->end;
        return false;
    }
    if (!is_next_of(reader, element, site)) {
        reader->at += size_of_record(element_of_record(reader->at));
        return false;
    }
    return true;
}

bool ox_stream_reader_skip_at(ox_stream_reader *reader, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(reader, "ox_stream_reader_skip", site)) {
        return false;
    }
    if (!has_next_value(reader, site)) {
        reader->at = reader->end;
        return false;
    }
    reader->at += size_of_record(element_of_record(reader->at));
    return true;
}
