// SPDX-License-Identifier: MIT
//
// A page: text in lines of at most 100 columns. What does not fit goes on in the next line.

#pragma once

#include "base/text.h"

enum { OXI_PAGE_WIDTH = 100 };

typedef struct oxi_page {
    oxi_text *text;
    int column; ///< characters in this line
    int indent; ///< where a line that goes on begins
} oxi_page;

/// Begins a line at a column, where what does not fit goes on.
void oxi_page_begin(oxi_page *page, int column);

/// Adds what printf would print, word by word.
void oxi_page_put(oxi_page *page, const char *format, ...) OXI_PRINTF(2, 3);

/// Goes to a column, or one further when it is past that. What does not fit goes on there.
void oxi_page_go_to(oxi_page *page, int column);

/// Ends a line.
void oxi_page_end(oxi_page *page);

/// A line that is a heading, with an empty one before it.
void oxi_page_head(oxi_page *page, const char *heading);

/// A time in microseconds with one digit behind the point, right-aligned to so many characters.
typedef struct oxi_time_text {
    char text[32];
} oxi_time_text;
oxi_time_text oxi_time_write(uint64_t ns, int width);

/// How many characters a text has.
int oxi_text_width(const char *text);
