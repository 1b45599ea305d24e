// SPDX-License-Identifier: MIT
//
// Structs that Oxbow can read. OX_STRUCT declares an ordinary C struct and keeps its body as text;
// from that text Oxbow lays the struct out again, field by field, and must come to what the
// compiler says. So the fields of a type are known with nothing declared twice.
//
//     OX_STRUCT(Spring, { float rest, stiffness; int ends[2]; });
//
// Declaring runs before main and allocates nothing. All functions may be called from any thread.

#pragma once

#include "oxbow/base.h"

/// What a mark in front of a field says about it. Higher modules give them their meaning.
typedef enum ox_field_mark {
    OX_MARK_READ_ONLY = 1,    ///< OX_READ_ONLY
    OX_MARK_UNRESTRICTED = 2, ///< OX_UNRESTRICTED
    OX_MARK_NO_SAFETY = 4,    ///< OX_NO_SAFETY
    OX_MARK_UNOWNED = 8,      ///< OX_UNOWNED
} ox_field_mark;

// Marks. They mean nothing to the compiler: the scanner finds them in the text of the struct, so
// they stand there and not inside a macro of yours.
#define OX_READ_ONLY    ///< a container that the job only reads
#define OX_UNRESTRICTED ///< a parallel job may touch any index of this container
#define OX_NO_SAFETY    ///< the safety system does not look at this field
#define OX_UNOWNED      ///< a pointer on purpose: never followed, never hashed, never saved

/// What a field is made of.
typedef enum ox_field_kind {
    OX_FIELD_SCALAR = 0, ///< a number, a character or a bool
    OX_FIELD_ENUM,       ///< an enum, of the size of int
    OX_FIELD_POINTER,    ///< a pointer to data or to a function
    OX_FIELD_STRUCT,     ///< a struct whose own fields follow
    OX_FIELD_OPAQUE,     ///< a type that was announced without its fields
} ox_field_kind;

/// How a scalar is stored.
typedef enum ox_scalar {
    OX_SCALAR_NONE = 0,
    OX_SCALAR_SIGNED,
    OX_SCALAR_UNSIGNED,
    OX_SCALAR_FLOAT,
    OX_SCALAR_BOOL,
} ox_scalar;

/// A type by name: one static descriptor in each file that sees the declaration. The table of types
/// joins those with the same name and the same body.
typedef struct ox_type {
    const char *name;
    const char *text;     ///< the body as written, braces included; NULL when declared elsewhere
    const char *expanded; ///< the body with its macros expanded; NULL means the same as `text`
    ox_site site;
    size_t size;
    size_t align;
    uint32_t header_version; ///< OX_VERSION of the file that declares it
    ox_scalar scalar;        ///< for a scalar by another name, else OX_SCALAR_NONE
    const char *role;     ///< what a module that announces types calls them ("container"), or NULL
    size_t role_offset;   ///< for that module's use: where in the type its own part lies
    const void *scope;    ///< whose constants the text may name; NULL: those of the whole program
    struct ox_type *next; ///< for the table's use
} ox_type;

/// An integer constant by name, which struct texts may use: one static descriptor in each file that
/// sees the announcement. A name may have another value in another file.
typedef struct ox_constant {
    const char *name;
    ox_site site;
    int64_t value;           ///< within 32 bits
    uint32_t header_version; ///< OX_VERSION of the file that announces it
    /// Types of this scope may use it, and types without a scope. NULL: the latter alone.
    const void *scope;
    struct ox_constant *next; ///< for the table's use
} ox_constant;

/// One field of a layout. Fields of nested structs follow the field that holds them, once, with the
/// offsets they have in its first element.
typedef struct ox_field {
    const char *name;      ///< "" for an anonymous struct
    const char *type_name; ///< as written, without qualifiers: "float", "struct", "ox_float3"
    const ox_type *type;   ///< the announced type of a struct or opaque field, else NULL
    size_t offset;         ///< from the start of the outermost struct
    size_t size;           ///< of one element
    uint32_t count;        ///< of elements: 1 unless the field is an array
    uint32_t marks;        ///< ox_field_mark values, inherited from the fields around it
    int32_t parent;        ///< index of the field that holds this one, -1 at the top
    uint32_t field_count;  ///< OX_FIELD_STRUCT: how many fields after this one are inside it
    ox_field_kind kind;
    ox_scalar scalar;
    bool is_array; ///< written with brackets, even with one element
} ox_field;

/// The fields of a type in the order of its text. Belongs to who scanned it.
typedef struct ox_layout {
    const ox_field *fields;
    uint32_t field_count;
    size_t size;
    size_t align;
    size_t block_size; ///< for ox_layout_dispose's use
} ox_layout;

/// Puts a type into the table now. Text and names are copied. The same name with another body, size
/// or alignment is a report with both places.
/// @return the table's own descriptor, which lives as long as the process, or NULL after a report.
OX_API const ox_type *ox_type_register_at(const ox_type *type, ox_site site);
#define ox_type_register(type) ox_type_register_at(type, OX_HERE)

/// The type of this name, or NULL. C's own types, the vectors and ox_random are always known:
/// "unsigned int", "uint8_t", "ox_float3".
OX_API const ox_type *ox_type_find(const char *name);

/// Puts a constant into the table now. Its texts are copied. Announcing one twice has no effect.
/// Two values of one name are a report with both places when a struct uses the name.
/// @return false after a report: the description is wrong, or memory is out.
OX_API bool ox_constant_register_at(const ox_constant *constant, ox_site site);
#define ox_constant_register(constant) ox_constant_register_at(constant, OX_HERE)

/// How many types the table holds that were declared or registered; those always known do not
/// count.
OX_API uint32_t ox_type_count(void);

/// Reads the text of `type` and fills `layout`. What cannot be read is a report that names the
/// field and the fix, never a guess.
/// @return false after a report, with `layout` zeroed.
OX_API bool ox_layout_create_at(const ox_type *type, ox_layout *layout, ox_site site);
#define ox_layout_create(type, layout) ox_layout_create_at(type, layout, OX_HERE)

/// Frees a layout and zeroes it. NULL and a zeroed layout are ignored.
OX_API void ox_layout_dispose(ox_layout *layout);

/// The index of the field at `path`, such as "ends" or "from.x", or -1.
OX_API int32_t ox_layout_find(const ox_layout *layout, const char *path);

/// Declares the struct type T, with the body in braces that follows, and announces it.
#define OX_STRUCT(T, ...) OXI_STRUCT(T, #__VA_ARGS__, __VA_ARGS__)

/// Announces a type that is declared elsewhere, a struct, enum or number alike. Its size is known
/// to the scanner, its fields are not.
#define OX_EXTERN_STRUCT(T) OXI_TYPE(T, NULL, NULL)

/// Announces an enum constant, or any other integer constant with a name, so that the structs of
/// this file may use it as the length of an array, also in expressions (`SLOTS + 1`). It stands at
/// file scope, in any order with the structs; beside the enum is best, which may be in a header.
/// Macros need no announcement.
///
///     enum { SLOTS = 4 };
///     OX_CONSTANT(SLOTS);
///     OX_STRUCT(Bag, { int items[SLOTS]; });
#define OX_CONSTANT(NAME) OXI_CONSTANT(#NAME, NAME, oxi_constant_##NAME, oxi_link_constant_##NAME)

/// The descriptor that OX_CONSTANT made for NAME in this file.
#define ox_constant_of(NAME) (&oxi_constant_##NAME)

/// The body of a struct without fields: C wants at least one.
#define OX_NO_FIELDS                                                                               \
    { char oxi_no_fields; }

/// The descriptor that OX_STRUCT made for T in this file.
#define ox_type_of(T) (&oxi_type_##T)

#include "oxbow/detail/struct.h"
