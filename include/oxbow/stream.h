// SPDX-License-Identifier: MIT
//
// Streams: values of any types, written one after another and read back in the same order.
//
//     ox_stream events = ox_stream_create(OX_TEMP_JOB);
//     ox_stream_writer writer = ox_stream_writer_of(events);        // on main, and in parallel
//     jobs ox_stream_write(writer, int, 3); ox_stream_write(writer, Hit, {.force = 2});
//
//     ox_stream_reader reader = ox_stream_reader_of(events);
//     while (ox_stream_reader_has_next(&reader)) {
//         int kind = ox_stream_reader_next(&reader, int);
//         Hit hit = ox_stream_reader_next(&reader, Hit);
//     }
//     ox_stream_dispose(&events);
//
// Copies of a handle share the values. Jobs write in parallel; what they wrote is read in the order
// of scheduling, and within a job in the order of its indices, whoever ran them. What main writes
// comes behind what jobs wrote before. Any number of threads may read a stream that nobody writes,
// each with a reader of its own.

#pragma once

#include "oxbow/element.h"

#include <string.h>

/// What all copies of a handle share. Not for use outside: its fields are here to be fast.
typedef struct oxi_stream_state {
    char *data;       ///< for each value its ox_element, and its bytes counted up to 4
    size_t size;      ///< in bytes
    size_t capacity;  ///< in bytes
    uint64_t count;   ///< of values
    uint32_t version; ///< moves with each change
    uint32_t pending; ///< not 0: jobs wrote, and it is not in `data` yet
    ox_allocator allocator;
} oxi_stream_state;

/// Values of any types in the order of writing. Copy it freely: all copies are the same stream. {0}
/// is no stream.
typedef struct ox_stream {
    oxi_stream_state *state;
    ox_access access;
} ox_stream;

/// Writes to a stream, from parallel jobs or from main.
typedef struct ox_stream_writer {
    oxi_stream_state *state;
    ox_access access;
} ox_stream_writer;

/// A place in a stream, which moves on with each value that is read. It belongs to one thread, and
/// ends when the stream changes. {0} is the end of nothing.
typedef struct ox_stream_reader {
    const char *at;
    const char *end;
    const oxi_stream_state *state;
    ox_access access;
    uint32_t version; ///< of the stream when reading began
    uint32_t reserved;
} ox_stream_reader;

/// Makes an empty stream. @return {0} after a report.
OX_API ox_stream ox_stream_create_at(ox_allocator allocator, ox_site site);
#define ox_stream_create(allocator) ox_stream_create_at(allocator, OX_HERE)

/// Frees the memory. Every copy of the handle is dead from here on.
OX_API void ox_stream_dispose_at(ox_stream *stream, ox_site site);
#define ox_stream_dispose(stream) ox_stream_dispose_at(stream, OX_HERE)

/// Frees the memory in a job after `after`, which covers all jobs that use it. The handle is dead
/// at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
OX_API ox_job ox_stream_dispose_after_at(ox_stream *stream, ox_job after, ox_site site);
#define ox_stream_dispose_after(stream, after) ox_stream_dispose_after_at(stream, after, OX_HERE)

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
static inline bool ox_stream_is_created(ox_stream stream) {
    return stream.state != NULL;
}

/// How many values there are, those included that jobs wrote. 0 after a report.
OX_API int64_t ox_stream_count_at(ox_stream stream, ox_site site);
#define ox_stream_count(stream) ox_stream_count_at(stream, OX_HERE)

/// True when there is no value, and after a report.
OX_API bool ox_stream_is_empty_at(ox_stream stream, ox_site site);
#define ox_stream_is_empty(stream) ox_stream_is_empty_at(stream, OX_HERE)

/// Removes all values and keeps the memory.
OX_API void ox_stream_clear_at(ox_stream stream, ox_site site);
#define ox_stream_clear(stream) ox_stream_clear_at(stream, OX_HERE)

/// A writer for main and for parallel jobs; it may be copied into any number of them. Main only.
/// @return {0} after a report.
OX_API ox_stream_writer ox_stream_writer_of_at(ox_stream stream, ox_site site);
#define ox_stream_writer_of(stream) ox_stream_writer_of_at(stream, OX_HERE)

/// Room for one more value, in a job or on main: it counts as written, and the caller fills it at
/// once. It is not aligned. @return NULL after a report.
OX_API void *oxi_stream_add_at(oxi_stream_state *state, ox_access access, ox_element_info info,
                               ox_site site);

/// Writes a copy of `value`.
static inline bool ox_stream_write_at(ox_stream_writer writer, ox_element_info info,
                                      const void *value, ox_site site) {
    void *place = oxi_stream_add_at(writer.state, writer.access, info, site);
    if (place == NULL) {
        return false;
    }
    memcpy(place, value, info.element & OXI_ELEMENT_SIZE_MASK);
    return true;
}

/// Writes a value, which comes last and may stand in braces: ox_stream_write(writer, int, 3).
/// @return false after a report: out of memory, and nothing was written.
#define ox_stream_write(writer, T, ...)                                                            \
    ox_stream_write_at(writer, ox_element_info_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Schedules a job after `after` that takes over what jobs wrote, so that the next use need not.
/// Main only. @return that job, or OX_NO_JOB after a report.
OX_API ox_job ox_stream_merge_after_at(ox_stream stream, ox_job after, ox_site site);
#define ox_stream_merge_after(stream, after) ox_stream_merge_after_at(stream, after, OX_HERE)

/// A reader at the first value. @return {0} after a report.
OX_API ox_stream_reader ox_stream_reader_of_at(ox_stream stream, ox_site site);
#define ox_stream_reader_of(stream) ox_stream_reader_of_at(stream, OX_HERE)

/// True when there is a value to read. Asks nothing.
static inline bool ox_stream_reader_has_next(const ox_stream_reader *reader) {
    return reader->at != reader->end;
}

/// True when the next value may be read as this type; else reports: the end, another type, or a
/// stream that was changed since the reader was made.
OX_API bool oxi_stream_may_peek_at(const ox_stream_reader *reader, ox_element element,
                                   ox_site site);

/// The same before going on. After a report the reader is behind the value of another type, or at
/// the end, so that a loop ends whatever was wrong.
OX_API bool oxi_stream_may_next_at(ox_stream_reader *reader, ox_element element, ox_site site);

/// Copies the next value to `value` and stays before it. Zeros after a report.
/// @return `value`.
static inline void *ox_stream_reader_peek_at(const ox_stream_reader *reader, ox_element element,
                                             void *value, ox_site site) {
    size_t size = element & OXI_ELEMENT_SIZE_MASK;
    if ((OX_SAFETY >= 1 || reader->at == reader->end) &&
        !oxi_stream_may_peek_at(reader, element, site)) {
        return memset(value, 0, size);
    }
    return memcpy(value, reader->at + sizeof element, size);
}

/// Copies the next value to `value` and goes on behind it. Zeros after a report.
/// @return `value`.
static inline void *ox_stream_reader_next_at(ox_stream_reader *reader, ox_element element,
                                             void *value, ox_site site) {
    size_t size = element & OXI_ELEMENT_SIZE_MASK;
    if ((OX_SAFETY >= 1 || reader->at == reader->end) &&
        !oxi_stream_may_next_at(reader, element, site)) {
        return memset(value, 0, size);
    }
    memcpy(value, reader->at + sizeof element, size);
    reader->at += sizeof element + ((size + 3) & ~(size_t)3);
    return value;
}

/// The next value, of the type it was written as: ox_stream_reader_next(&reader, int).
#define ox_stream_reader_next(reader, T) OXI_STREAM_VALUE(T, ox_stream_reader_next_at, reader)

/// The same without going on.
#define ox_stream_reader_peek(reader, T) OXI_STREAM_VALUE(T, ox_stream_reader_peek_at, reader)

/// Goes on behind the next value, of whatever type. @return false after a report.
OX_API bool ox_stream_reader_skip_at(ox_stream_reader *reader, ox_site site);
#define ox_stream_reader_skip(reader) ox_stream_reader_skip_at(reader, OX_HERE)

// How it is made: a value that the function fills.

#ifdef __cplusplus
template <class T, class F>
inline T oxi_stream_value(F function, ox_stream_reader *reader, ox_site site) {
    T value = T();
    function(reader, ox_element_of(T), &value, site);
    return value;
}
#define OXI_STREAM_VALUE(T, function, reader) (oxi_stream_value<T>(function, reader, OX_HERE))
#else
#define OXI_STREAM_VALUE(T, function, reader)                                                      \
    (*(T *)function(reader, ox_element_of(T), (T[1]){0}, OX_HERE))
#endif
