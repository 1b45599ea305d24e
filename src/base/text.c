// SPDX-License-Identifier: MIT
//
// Building texts.
//
// Growing allocates, copies and frees; its one place is grow_text, so a text has one place that can
// fail, and its callers look at `failed` once.
//
// Invariant: data is NULL and capacity 0, or length < capacity and data[length] is 0. While failed
// is set, length does not grow.

#include "base/text.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/number.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_FIRST_CAPACITY = 64 };

oxi_text oxi_text_over(char *buffer, size_t size) {
    OXI_ASSERT(size > 0);
    buffer[0] = 0;
    return (oxi_text){.data = buffer, .capacity = size, .is_fixed = true};
}

void oxi_text_copy(char *buffer, size_t size, const char *from) {
    OXI_ASSERT(size > 0);
    const char *source = from != NULL ? from : "";
    size_t length = strlen(source);
    if (length >= size) {
        length = oxi_utf8_cut(source, size - 1);
    }
    memmove(buffer, source, length);
    buffer[length] = 0;
}

void oxi_text_print(char *buffer, size_t size, const char *format, ...) {
    oxi_text text = oxi_text_over(buffer, size);
    va_list arguments;
    va_start(arguments, format);
    oxi_text_append_arguments(&text, format, arguments);
    va_end(arguments);
}

void oxi_text_free(oxi_text *text) {
    if (!text->is_fixed) {
        oxi_heap_free(text->data, text->capacity, 1);
    }
    *text = (oxi_text){0};
}

void oxi_text_clear(oxi_text *text) {
    text->length = 0;
    text->failed = false;
    if (text->data != NULL) {
        text->data[0] = 0;
    }
}

const char *oxi_text_get(const oxi_text *text) {
    return text->data != NULL ? text->data : "";
}

// Makes room for `size` bytes more, and the 0.
static bool grow_text(oxi_text *text, size_t size) {
    if (size > SIZE_MAX / 4 - text->length) {
        return false;
    }
    size_t needed = text->length + size + 1;
    size_t capacity = text->capacity * 2 > needed ? text->capacity * 2 : needed;
    capacity = capacity > TEXT_FIRST_CAPACITY ? capacity : TEXT_FIRST_CAPACITY;
    char *data = oxi_heap_alloc(capacity, 1);
    if (data == NULL) {
        return false;
    }

    memcpy(data, oxi_text_get(text), text->length + 1);
    oxi_heap_free(text->data, text->capacity, 1);
    text->data = data;
    text->capacity = capacity;
    return true;
}

// How many of `size` bytes there is room for after growing. When it is not all of them, the text
// has failed.
static size_t make_text_room(oxi_text *text, size_t size) {
    if (text->failed || size == 0) {
        return 0;
    }
    size_t room = text->capacity > 0 ? text->capacity - 1 - text->length : 0;
    if (text->data != NULL && size <= room) {
        return size;
    }
    if (!text->is_fixed && grow_text(text, size)) {
        return size;
    }
    text->failed = true;
    return text->is_fixed ? room : 0;
}

// The length after a cut: a character that was cut through goes as a whole.
static void end_text(oxi_text *text, size_t length) {
    text->length = text->failed ? oxi_utf8_cut(text->data, length) : length;
    text->data[text->length] = 0;
}

void oxi_text_append_sized(oxi_text *text, const char *piece, size_t size) {
    size_t room = make_text_room(text, size);
    if (room == 0) {
        return;
    }
    memcpy(text->data + text->length, piece, room);
    end_text(text, text->length + room);
}

void oxi_text_append(oxi_text *text, const char *piece) {
    oxi_text_append_sized(text, piece, strlen(piece));
}

void oxi_text_append_char(oxi_text *text, char piece) {
    oxi_text_append_sized(text, &piece, 1);
}

void oxi_text_append_format(oxi_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    oxi_text_append_arguments(text, format, arguments);
    va_end(arguments);
}

// Prints once to learn the length, into the room there is, and again only if that was too little.
void oxi_text_append_arguments(oxi_text *text, const char *format, va_list arguments) {
    if (text->failed) {
        return;
    }
    va_list again;
    va_copy(again, arguments);
    size_t before = text->capacity - text->length;
    char *end = text->data != NULL ? text->data + text->length : NULL;
    int printed = vsnprintf(end, before, format, arguments);
    size_t size = printed > 0 ? (size_t)printed : 0;
    size_t room = make_text_room(text, size);
    if (room == size && size >= before && size > 0) {
        vsnprintf(text->data + text->length, size + 1, format, again);
    }
    va_end(again);

    text->failed |= printed < 0;
    if (text->data != NULL) {
        end_text(text, text->length + room);
    }
}

void oxi_text_append_int(oxi_text *text, int64_t value) {
    char digits[OXI_NUMBER_SIZE];
    oxi_text_append_sized(text, digits, oxi_number_write_int(value, digits));
}

void oxi_text_append_uint(oxi_text *text, uint64_t value) {
    char digits[OXI_NUMBER_SIZE];
    oxi_text_append_sized(text, digits, oxi_number_write_uint(value, digits));
}

void oxi_text_append_double(oxi_text *text, double value) {
    char digits[OXI_NUMBER_SIZE];
    oxi_text_append_sized(text, digits, oxi_number_write_double(value, digits));
}

void oxi_text_append_float(oxi_text *text, float value) {
    char digits[OXI_NUMBER_SIZE];
    oxi_text_append_sized(text, digits, oxi_number_write_float(value, digits));
}
