// SPDX-License-Identifier: MIT
//
// Lines of text that are no wider than a terminal.

#include "systems/explain_page.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_PIECE = 2048 };

// Bytes that go on with a character of UTF-8 do not count.
static int count_characters(const char *text, size_t size) {
    int count = 0;
    for (size_t k = 0; k < size; k++) {
        count += ((unsigned char)text[k] & 0xC0) != 0x80;
    }
    return count;
}

int oxi_text_width(const char *text) {
    return count_characters(text, strlen(text));
}

static void pad_to(oxi_page *page, int column) {
    while (page->column < column) {
        oxi_text_append_char(page->text, ' ');
        page->column++;
    }
}

void oxi_page_begin(oxi_page *page, int column) {
    page->indent = column;
    pad_to(page, column);
}

void oxi_page_go_to(oxi_page *page, int column) {
    int least = page->column + (page->column > 0);
    pad_to(page, column > least ? column : least);
    page->indent = column;
}

void oxi_page_end(oxi_page *page) {
    oxi_text_append_char(page->text, '\n');
    page->column = 0;
}

void oxi_page_head(oxi_page *page, const char *heading) {
    oxi_text_append_format(page->text, "\n%s\n", heading);
    page->column = 0;
}

// A word with the spaces before it, which are left out where a line goes on.
static void put_word(oxi_page *page, const char *word, size_t size, size_t spaces) {
    int width = count_characters(word, size);
    bool fits = page->column + (int)spaces + width <= OXI_PAGE_WIDTH;
    if (!fits && page->column > page->indent) {
        oxi_page_end(page);
        pad_to(page, page->indent);
        spaces = 0;
    }
    pad_to(page, page->column + (int)spaces);
    oxi_text_append_sized(page->text, word, size);
    page->column += width;
}

// Names come from users: what they put between the lines of a terminal is not carried out.
static void show_controls(char *text) {
    for (; *text != 0; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7f) {
            *text = '?';
        }
    }
}

void oxi_page_put(oxi_page *page, const char *format, ...) {
    char buffer[LONGEST_PIECE];
    oxi_text piece = oxi_text_over(buffer, sizeof buffer);
    va_list arguments;
    va_start(arguments, format);
    oxi_text_append_arguments(&piece, format, arguments);
    va_end(arguments);
    show_controls(buffer);
    const char *at = oxi_text_get(&piece);
    while (*at != 0) {
        size_t spaces = strspn(at, " ");
        size_t size = strcspn(at + spaces, " ");
        put_word(page, at + spaces, size, spaces);
        at += spaces + size;
    }
}

oxi_time_text oxi_time_write(uint64_t ns, int width) {
    oxi_time_text time;
    char digits[24];
    uint64_t tenths = ns / 100 + (ns % 100 >= 50);
    snprintf(digits, sizeof digits, "%llu.%llu", (unsigned long long)(tenths / 10),
             (unsigned long long)(tenths % 10));
    snprintf(time.text, sizeof time.text, "%*s us", width, digits);
    return time;
}
