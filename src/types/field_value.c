// SPDX-License-Identifier: MIT
//
// Values of fields: read as the kind that the field is, written with a check that nothing is lost.
//
// Elements are copied as bytes: a value may come from a file or a socket, so it need not be
// aligned, and a bool in it need not be one.

#include "types/field_value.h"

#include "types/shape.h"

#include <string.h>

// The smallest number that a conversion to float rounds to infinity.
#define FLOAT_OVERFLOW 0x1.ffffffp127

static const char why_not_number[] = "a number is needed";
static const char why_out_of_range[] = "it is out of range";
static const char why_not_whole[] = "it is not a whole number";
static const char why_not_exact[] = "it cannot be held exactly";

// Reading.

static int64_t load_integer(const void *from, size_t size) {
    int8_t small = 0;
    int16_t half = 0;
    int32_t word = 0;
    int64_t whole = 0;
    switch (size) {
    case 1:
        memcpy(&small, from, size);
        return small;
    case 2:
        memcpy(&half, from, size);
        return half;
    case 4:
        memcpy(&word, from, size);
        return word;
    default:
        memcpy(&whole, from, sizeof whole);
        return whole;
    }
}

// The largest unsigned number of that size.
static uint64_t unsigned_limit(size_t size) {
    return size >= sizeof(uint64_t) ? UINT64_MAX : ((uint64_t)1 << (size * 8)) - 1;
}

static double load_real(const ox_field *field, const void *from) {
    float small = 0;
    double number = 0;
    long double large = 0;
    if (field->size == sizeof small) {
        memcpy(&small, from, sizeof small);
        return (double)small;
    }
    if (field->size == sizeof number) {
        memcpy(&number, from, sizeof number);
        return number;
    }
    memcpy(&large, from, sizeof large);
    return (double)large;
}

static bool load_bool(const void *from, size_t size) {
    const char *bytes = from;
    for (size_t k = 0; k < size; k++) {
        if (bytes[k] != 0) {
            return true;
        }
    }
    return false;
}

ox_field_value oxi_field_load(const ox_field *field, const void *from) {
    ox_field_value out = {0};
    switch (field->scalar) {
    case OX_SCALAR_SIGNED:
        out.kind = OX_FIELD_VALUE_SIGNED;
        out.integer = load_integer(from, field->size);
        return out;
    case OX_SCALAR_UNSIGNED:
        out.kind = OX_FIELD_VALUE_UNSIGNED;
        out.number = (uint64_t)load_integer(from, field->size) & unsigned_limit(field->size);
        return out;
    case OX_SCALAR_FLOAT:
        out.kind = OX_FIELD_VALUE_FLOATING;
        out.real = load_real(field, from);
        return out;
    case OX_SCALAR_BOOL:
        out.kind = OX_FIELD_VALUE_BOOL;
        out.boolean = load_bool(from, field->size);
        return out;
    case OX_SCALAR_NONE:
        break;
    }
    if (oxi_field_is_entity(field)) {
        out.kind = OX_FIELD_VALUE_ENTITY;
        memcpy(&out.entity, from, sizeof out.entity);
        return out;
    }
    out.kind = OX_FIELD_VALUE_BYTES;
    out.bytes = from;
    out.size = field->size;
    return out;
}

// Writing.

// The low bytes of a word.
static void store_word(void *to, uint64_t word, size_t size) {
    uint8_t small = (uint8_t)word;
    uint16_t half = (uint16_t)word;
    uint32_t full = (uint32_t)word;
    const void *from = size == 1   ? (const void *)&small
                       : size == 2 ? (const void *)&half
                       : size == 4 ? (const void *)&full
                                   : (const void *)&word;
    if (to != NULL) {
        memcpy(to, from, size);
    }
}

// A whole number as sign and word. Returns why it is none, or NULL.
static const char *whole_of(const ox_field_value *in, bool *is_negative, uint64_t *word) {
    *is_negative = false;
    switch (in->kind) {
    case OX_FIELD_VALUE_SIGNED:
        *is_negative = in->integer < 0;
        *word = (uint64_t)in->integer;
        return NULL;
    case OX_FIELD_VALUE_UNSIGNED:
        *word = in->number;
        return NULL;
    case OX_FIELD_VALUE_FLOATING:
        break;
    default:
        return why_not_number;
    }
    if (in->real != in->real) {
        return why_not_whole;
    }
    if (in->real < -0x1p63 || in->real >= 0x1p64) {
        return why_out_of_range;
    }
    *is_negative = in->real < 0;
    *word = *is_negative ? (uint64_t)(int64_t)in->real : (uint64_t)in->real;
    double back = *is_negative ? (double)(int64_t)*word : (double)*word;
    return back == in->real ? NULL : why_not_whole;
}

static const char *store_integer(const ox_field *field, void *to, const ox_field_value *in) {
    bool is_negative;
    uint64_t word;
    const char *why = whole_of(in, &is_negative, &word);
    if (why != NULL) {
        return why;
    }
    bool is_signed = field->scalar == OX_SCALAR_SIGNED;
    uint64_t most = is_signed ? unsigned_limit(field->size) >> 1 : unsigned_limit(field->size);
    bool fits = is_negative ? is_signed && ~word <= most : word <= most;
    if (!fits) {
        return why_out_of_range;
    }
    store_word(to, word, field->size);
    return NULL;
}

static void store_real(const ox_field *field, void *to, long double real) {
    if (to == NULL) {
        return;
    }
    if (field->size == sizeof(float)) {
        float small = (float)real;
        memcpy(to, &small, sizeof small);
        return;
    }
    if (field->size == sizeof(double)) {
        double number = (double)real;
        memcpy(to, &number, sizeof number);
        return;
    }
    memcpy(to, &real, oxi_field_value_size(field));
}

// The digits that a field of this type holds.
static int mantissa_bits(const ox_field *field) {
    return field->size == sizeof(float)    ? FLT_MANT_DIG
           : field->size == sizeof(double) ? DBL_MANT_DIG
                                           : LDBL_MANT_DIG;
}

// True when no digit of the number lies beyond those that the field has.
static bool is_exact_in(const ox_field *field, uint64_t magnitude) {
    int bits = mantissa_bits(field);
    while (magnitude > 0 && (magnitude & 1) == 0) {
        magnitude >>= 1;
    }
    return bits >= 64 || magnitude >> bits == 0;
}

static const char *store_floating(const ox_field *field, void *to, const ox_field_value *in) {
    if (in->kind == OX_FIELD_VALUE_FLOATING) {
        bool is_finite = in->real >= -DBL_MAX && in->real <= DBL_MAX;
        bool is_large = in->real <= -FLOAT_OVERFLOW || in->real >= FLOAT_OVERFLOW;
        if (is_finite && is_large && field->size == sizeof(float)) {
            return why_out_of_range;
        }
        store_real(field, to, (long double)in->real);
        return NULL;
    }
    bool is_negative;
    uint64_t word;
    const char *why = whole_of(in, &is_negative, &word);
    if (why != NULL) {
        return why;
    }
    if (!is_exact_in(field, is_negative ? 0 - word : word)) {
        return why_not_exact;
    }
    store_real(field, to, is_negative ? (long double)(int64_t)word : (long double)word);
    return NULL;
}

static const char *store_bool(const ox_field *field, void *to, const ox_field_value *in) {
    if (in->kind != OX_FIELD_VALUE_BOOL) {
        return "a bool is needed";
    }
    store_word(to, in->boolean, field->size);
    return NULL;
}

static const char *store_entity(void *to, const ox_field_value *in) {
    if (in->kind != OX_FIELD_VALUE_ENTITY) {
        return "an entity is needed";
    }
    if (to != NULL) {
        memcpy(to, &in->entity, sizeof in->entity);
    }
    return NULL;
}

static const char *store_bytes(void *to, size_t size, const ox_field_value *in) {
    if (in->kind != OX_FIELD_VALUE_BYTES || in->bytes == NULL) {
        return "bytes are needed";
    }
    if (in->size != size) {
        return "it has another size";
    }
    if (to != NULL) {
        memmove(to, in->bytes, size);
    }
    return NULL;
}

const char *oxi_field_store(const ox_field *field, void *to, const ox_field_value *in) {
    switch (field->scalar) {
    case OX_SCALAR_SIGNED:
    case OX_SCALAR_UNSIGNED:
        return store_integer(field, to, in);
    case OX_SCALAR_FLOAT:
        return store_floating(field, to, in);
    case OX_SCALAR_BOOL:
        return store_bool(field, to, in);
    case OX_SCALAR_NONE:
        break;
    }
    return oxi_field_is_entity(field) ? store_entity(to, in) : store_bytes(to, field->size, in);
}
