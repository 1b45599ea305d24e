// SPDX-License-Identifier: MIT
//
// Structs that Oxbow can read. OX_STRUCT declares an ordinary C struct and keeps its body as text.
// Oxbow computes the layout from that text, field by field, and compares it with what the compiler
// says. So the fields of a type are known, and nothing is declared twice.
//
//     OX_STRUCT(Spring, { float rest, stiffness; int ends[2]; });
//
//     ox_layout layout;
//     if (ox_layout_create(ox_type_of(Spring), &layout)) {
//         int32_t ends = ox_layout_find(&layout, "ends");
//         print_field(layout.fields[ends].name, layout.fields[ends].offset);
//         ox_layout_dispose(&layout);
//     }
//
// Declarations are registered before main and allocate nothing.
//
// Threads: call everything here from any thread.

#pragma once

#include "oxbow/base.h"

/// Marks in front of a field. Other modules define what they mean.
typedef enum ox_field_mark {
    OX_MARK_READ_ONLY = 1,    ///< OX_READ_ONLY
    OX_MARK_UNRESTRICTED = 2, ///< OX_UNRESTRICTED
    OX_MARK_NO_SAFETY = 4,    ///< OX_NO_SAFETY
    OX_MARK_UNOWNED = 8,      ///< OX_UNOWNED
} ox_field_mark;

// Marks. The compiler ignores them; the scanner finds them in the text of the struct. So write them
// there, and not inside a macro of yours.
#define OX_READ_ONLY    ///< the job only reads this container
#define OX_UNRESTRICTED ///< a parallel job may touch any index of this container
#define OX_NO_SAFETY    ///< the safety system ignores this field
#define OX_UNOWNED      ///< an intended pointer: never followed, hashed or saved

/// The kind of a field.
typedef enum ox_field_kind {
    OX_FIELD_SCALAR = 0, ///< a number, a character or a bool
    OX_FIELD_ENUM,       ///< an enum, of the size of int
    OX_FIELD_POINTER,    ///< a pointer to data or to a function
    OX_FIELD_STRUCT,     ///< a struct whose own fields follow
    OX_FIELD_OPAQUE,     ///< a type declared without its fields
} ox_field_kind;

/// How a scalar is stored.
typedef enum ox_scalar {
    OX_SCALAR_NONE = 0,
    OX_SCALAR_SIGNED,
    OX_SCALAR_UNSIGNED,
    OX_SCALAR_FLOAT,
    OX_SCALAR_BOOL,
} ox_scalar;

/// A type by name: one static descriptor per file that sees the declaration. The table of types
/// merges descriptors with the same name and body.
typedef struct ox_type {
    const char *name;
    const char *text;     ///< the body as written, with braces; NULL if declared elsewhere
    const char *expanded; ///< the body with macros expanded; NULL if it is the same as `text`
    ox_site site;
    size_t size;
    size_t align;
    uint32_t header_version; ///< OX_VERSION of the file that declares it
    ox_scalar scalar;        ///< of a scalar with another name, else OX_SCALAR_NONE
    const char *role;        ///< what the declaring module calls the type ("container"), or NULL
    size_t role_offset;      ///< private to that module: the offset of its part in the type
    const void *scope;       ///< the constants that the text may name; NULL: all of the program
    struct ox_type *next;    ///< for the table's use
} ox_type;

/// An integer constant by name, for struct texts: one static descriptor per file that sees the
/// declaration. A name may have another value in another file.
typedef struct ox_constant {
    const char *name;
    ox_site site;
    int64_t value;           ///< within 32 bits
    uint32_t header_version; ///< OX_VERSION of the file that declares it
    /// Types of this scope may use it, and types without a scope. NULL: only the latter.
    const void *scope;
    struct ox_constant *next; ///< for the table's use
} ox_constant;

/// A field of a layout. The fields of a nested struct follow its field once, with their offsets in
/// its first element.
typedef struct ox_field {
    const char *name;      ///< "" for an anonymous struct
    const char *type_name; ///< as written, without qualifiers: "float", "struct", "ox_float3"
    const ox_type *type;   ///< the type of a struct or opaque field, else NULL
    size_t offset;         ///< from the start of the outermost struct
    size_t size;           ///< of one element
    uint32_t count;        ///< of elements: 1 unless the field is an array
    uint32_t marks;        ///< ox_field_mark values, including those of enclosing fields
    int32_t parent;        ///< index of the enclosing field, -1 if there is none
    uint32_t field_count;  ///< OX_FIELD_STRUCT: the number of following fields that are inside it
    ox_field_kind kind;
    ox_scalar scalar;
    bool is_array; ///< written with brackets, even with one element
} ox_field;

/// The fields of a type, in the order of its text. Its creator disposes it.
typedef struct ox_layout {
    const ox_field *fields;
    uint32_t field_count;
    size_t size;
    size_t align;
    size_t block_size; ///< private to ox_layout_dispose
} ox_layout;

/// Adds a type to the table. Text and names are copied. Reports both source locations if the table
/// has another body, size or alignment under the same name.
/// @return the table's own descriptor, valid as long as the process, or NULL after a report.
OX_API const ox_type *ox_type_register_at(const ox_type *type, ox_site site);
#define ox_type_register(type) ox_type_register_at(type, OX_HERE)

/// Returns the type of this name, or NULL. The types of C, the vectors and ox_random are always
/// known: "unsigned int", "uint8_t", "ox_float3".
OX_API const ox_type *ox_type_find(const char *name);

/// Adds a constant to the table. Its texts are copied. Adding one twice has no effect. If a name
/// has two values and a struct uses it, both source locations are reported.
/// @return false after a report: the description is wrong, or out of memory.
OX_API bool ox_constant_register_at(const ox_constant *constant, ox_site site);
#define ox_constant_register(constant) ox_constant_register_at(constant, OX_HERE)

/// Returns the number of declared or registered types in the table. Those that are always known do
/// not count.
OX_API uint32_t ox_type_count(void);

/// Reads the text of `type` and fills `layout`. Never guesses: reports the field that it cannot
/// read, and the fix.
/// @return false after a report, with `layout` zeroed.
OX_API bool ox_layout_create_at(const ox_type *type, ox_layout *layout, ox_site site);
#define ox_layout_create(type, layout) ox_layout_create_at(type, layout, OX_HERE)

/// Frees a layout and zeroes it. NULL and a zeroed layout are ignored.
OX_API void ox_layout_dispose(ox_layout *layout);

/// Returns the index of the field at `path`, such as "ends" or "from.x", or -1.
OX_API int32_t ox_layout_find(const ox_layout *layout, const char *path);

/// Declares the struct type T with the body in braces that follows, and its descriptor.
#define OX_STRUCT(T, ...) OXI_STRUCT(T, #__VA_ARGS__, __VA_ARGS__)

/// Declares the descriptor of a type that is declared elsewhere: a struct, an enum or a number. The
/// scanner then knows its size, but not its fields.
#define OX_EXTERN_STRUCT(T) OXI_TYPE(T, NULL, NULL)

/// Declares that the structs of this file may use an enum constant, or any other named integer
/// constant, as the length of an array, also in expressions (`SLOTS + 1`). Write it at file scope,
/// before or after the structs; best beside the enum, which may be in a header. Macros do not need
/// it.
///
///     enum { SLOTS = 4 };
///     OX_CONSTANT(SLOTS);
///     OX_STRUCT(Bag, { int items[SLOTS]; });
#define OX_CONSTANT(NAME) OXI_CONSTANT(#NAME, NAME, oxi_constant_##NAME, oxi_link_constant_##NAME)

/// The descriptor that OX_CONSTANT declared for NAME in this file.
#define ox_constant_of(NAME) (&oxi_constant_##NAME)

/// The body of a struct without fields; C requires at least one.
#define OX_NO_FIELDS                                                                               \
    { char oxi_no_fields; }

/// The descriptor that OX_STRUCT declared for T in this file.
#define ox_type_of(T) (&oxi_type_##T)

#include "oxbow/detail/struct.h"
