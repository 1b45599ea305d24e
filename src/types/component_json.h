// SPDX-License-Identifier: MIT
//
// What writing and reading a component as JSON agree on.

#pragma once

#include "base/text.h"
#include "oxbow/components.h"

/// A number that is not finite, and the text that stands for it.
typedef struct oxi_special_number {
    const char *text;
    double number;
} oxi_special_number;

enum { OXI_SPECIAL_NUMBERS = 4 };
extern const oxi_special_number oxi_special_numbers[OXI_SPECIAL_NUMBERS];

/// What stands before the digits of bytes.
#define OXI_HEX_MARK "hex:"

/// True for an array of plain char, which may be a text.
bool oxi_field_is_text(const ox_field *field);

/// Adds a value of a component, or an element of a buffer, to a text as JSON. NULL for a tag.
void oxi_component_write(const ox_component_info *info, const void *value, oxi_text *text);
