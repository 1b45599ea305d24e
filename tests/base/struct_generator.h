// SPDX-License-Identifier: MIT
//
// Random struct texts whose layout is known: laid out here by naive rules of its own, byte by byte.

#pragma once

#include "base/random.h"
#include "oxbow/struct.h"

enum {
    MODEL_FIELDS = 24,   // of one struct
    MODEL_STRUCTS = 256, // of one case
    MODEL_TEXT = 1 << 16,
    MODEL_TYPES = 2,      // registered ones, G0 and G1, that later structs use
    MODEL_CONSTANTS = 65, // K0 is 0, K1 is 1
};

/// A field as the generator wrote it.
typedef struct model_field {
    char name[16]; // "" for an anonymous struct
    size_t offset; // in its own struct
    size_t size;
    size_t align;
    uint32_t count;
    uint32_t marks;
    int inside; // index of its struct, or -1
    ox_field_kind kind;
    ox_scalar scalar;
    bool is_array;
} model_field;

typedef struct model_struct {
    model_field fields[MODEL_FIELDS];
    int field_count;
    size_t size;
    size_t align;
} model_struct;

/// One case: a struct, those it uses, and both of its texts.
typedef struct model {
    oxi_random random;
    model_struct structs[MODEL_STRUCTS];
    int struct_count;
    int types[MODEL_TYPES]; // structs of the registered types, -1 when there is none yet
    int type_count;
    int name_count;
    char raw[MODEL_TEXT]; // with marks, and macros for lengths when there is an expanded text
    char expanded[MODEL_TEXT];
    size_t raw_length;
    size_t expanded_length;
    size_t expanded_end; // where its last '}' is
    bool has_expanded;
} model;

/// Announces the constants that texts use, once for each model. `elsewhere`: with other values in
/// other scopes, too.
void model_announce_constants(const model *m, bool elsewhere);

/// Writes a struct with its texts and returns its index. `has_expanded`: macros stand in its raw
/// text, and marks only there.
int model_write_struct(model *m, bool has_expanded);

/// The type of the struct that was written last.
ox_type model_type(const model *m, const char *name, int index);
