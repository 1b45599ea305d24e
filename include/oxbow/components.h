// SPDX-License-Identifier: MIT
//
// Components: the types of data that entities have. A declaration makes an ordinary C struct and a
// descriptor. The first use registers the descriptor: each name has one id in the process.
//
//     OX_COMPONENT(Position, { float x, y, z; });
//     OX_COMPONENT(Follows, { ox_entity leader; float distance; });
//     OX_TAG(Frozen);
//     OX_ENABLEABLE(Stunned, { float seconds; });       // can be disabled without a move
//     OX_SHARED(Team, { int id; });                     // one value for all entities of a chunk
//     OX_BUFFER(Waypoint, 8, { float x, y; });          // an array that grows, 8 of them inline
//     OX_CLEANUP(Registered, { int slot; });            // stays when its entity is destroyed
//
// The kind of a component is declared here, once: terms and calls only name the component. Its
// fields are known from its text: see oxbow/fields.h. Declare components in headers, or in any
// file: the same name with the same body is the same component, in C and in C++.
//
// Threads: call everything here from any thread.

#pragma once

#include "oxbow/struct.h"

/// A handle to one entity of one world. Pass it by value, store it freely, compare both fields, as
/// ox_entity_equals does. {0} is the null entity: a live version is never 0.
typedef struct ox_entity {
    uint32_t index;
    uint32_t version;
} ox_entity;

/// Returns true if two handles are equal: if they are of one world, they are the same entity.
static inline bool ox_entity_equals(ox_entity a, ox_entity b) {
    return a.index == b.index && a.version == b.version;
}

/// Returns true for the null entity, {0}. The handle of a destroyed entity is not null: call
/// ox_entity_exists.
static inline bool ox_entity_is_null(ox_entity entity) {
    return entity.version == 0;
}

enum {
    OX_MAX_COMPONENTS = 4096,      ///< component types of a process; ids are 1 to this
    OX_MAX_COMPONENT_SIZE = 16000, ///< bytes of a component: it must fit in a chunk of 16 KiB
    OX_MAX_COMPONENT_ALIGN =
        64, ///< alignment of a component, which is that of the columns of a chunk
};

/// The kind of a component.
typedef enum ox_component_kind {
    OX_COMPONENT_KIND_DATA = 0, ///< a struct per entity
    OX_COMPONENT_KIND_TAG,      ///< present or absent, without a value
    OX_COMPONENT_KIND_SHARED,   ///< a struct for all entities of a chunk; equal values are stored
                                ///< once
    OX_COMPONENT_KIND_BUFFER,   ///< an array of structs per entity, of any length
} ox_component_kind;

/// Flags of a component.
enum {
    OX_COMPONENT_ENABLEABLE = 1, ///< each entity can disable and enable it; not for shared ones
    OX_COMPONENT_CLEANUP = 2,    ///< survives the destruction of its entity, until it is removed
};

enum {
    OX_INLINE_DEFAULT = 0, ///< inline elements of a buffer: as many as fit in 128 bytes
    OX_INLINE_NONE = -1,   ///< no inline elements
};

/// A declared component: one static descriptor per file that sees the declaration.
typedef struct ox_component {
    ox_type type; ///< name, text, source location, size and alignment; a tag has size 0
    ox_component_kind kind;
    uint32_t flags; ///< OX_COMPONENT_ENABLEABLE, OX_COMPONENT_CLEANUP
    int32_t
        inline_capacity; ///< of a buffer: inline elements, or OX_INLINE_DEFAULT or _NONE; else 0
    uint32_t oxi_id;     ///< the id, when it is known; read and written atomically
    struct ox_component *next; ///< private to the registry
} ox_component;

/// A range of bytes of a value.
typedef struct ox_byte_span {
    uint32_t offset;
    uint32_t size;
} ox_byte_span;

/// Information about a component. It never changes and is valid as long as the process.
typedef struct ox_component_info {
    const char *name;
    uint32_t id;
    ox_component_kind kind;
    uint32_t flags;
    uint32_t inline_capacity; ///< of a buffer: elements that fit in the chunk
    uint32_t size;            ///< of a value, or of an element of a buffer; 0 for a tag
    uint32_t align;           ///< 1 for a tag
    ox_site site;             ///< where it is declared

    /// Its fields. None for a tag, and for a struct declared elsewhere.
    ox_layout layout;

    /// The offsets of its ox_entity fields, ascending, including those in arrays and nested
    /// structs. Types declared without their fields are not searched.
    const uint32_t *entity_offsets;
    uint32_t entity_count;

    /// The bytes of the value, ascending: all except padding, pointers and containers.
    const ox_byte_span *values;
    uint32_t value_count;

    /// The bytes of OX_UNOWNED pointers, ascending.
    const ox_byte_span *unowned;
    uint32_t unowned_count;

    /// Of a shared component: the bytes of other pointers and of containers, ascending.
    const ox_byte_span *owned;
    uint32_t owned_count;

    /// Some bytes are in no field. False if the fields are not known.
    bool has_padding;
} ox_component_info;

/// Declares the struct type T with the body in braces that follows, and makes it a component.
/// Fields are numbers, bools, enums, ox_entity, fixed arrays and known structs. Write OX_UNOWNED
/// before a pointer; containers are refused.
#define OX_COMPONENT(T, ...)                                                                       \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_DATA, 0, 0, #__VA_ARGS__, __VA_ARGS__)

/// Declares T as a component without a value. T is an incomplete type, so giving it a value does
/// not compile.
#define OX_TAG(T) OXI_TAG(T, 0)

/// Declares a component that each entity can disable and enable: OX_COMPONENT with a bit. Enabling
/// and disabling moves no data. Queries match only entities where it is enabled.
#define OX_ENABLEABLE(T, ...)                                                                      \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_DATA, OX_COMPONENT_ENABLEABLE, 0, #__VA_ARGS__, __VA_ARGS__)

/// Declares a tag that can be disabled and enabled.
#define OX_ENABLEABLE_TAG(T) OXI_TAG(T, OX_COMPONENT_ENABLEABLE)

/// Declares a component whose equal values are stored once. Entities of a chunk have the same
/// value, so setting it moves the entity. It may have pointers and containers.
#define OX_SHARED(T, ...)                                                                          \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_SHARED, 0, 0, #__VA_ARGS__, __VA_ARGS__)

/// Declares an array of structs T per entity. Up to `inline_elements` are stored in the chunk; a
/// longer array is stored outside as a whole. OX_INLINE_DEFAULT is as many as fit in 128 bytes.
#define OX_BUFFER(T, inline_elements, ...)                                                         \
    OXI_STATIC_ASSERT(!OXI_IS_BRACE(#inline_elements),                                             \
                      "how many " #T " lie in the chunk comes first: OX_BUFFER(" #T                \
                      ", OX_INLINE_DEFAULT, { fields })");                                         \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_BUFFER, 0, inline_elements, #__VA_ARGS__, __VA_ARGS__)

/// Declares a component that survives the destruction of its entity: the entity ends when the last
/// such component is removed. Instances do not get it.
#define OX_CLEANUP(T, ...)                                                                         \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_DATA, OX_COMPONENT_CLEANUP, 0, #__VA_ARGS__, __VA_ARGS__)

/// The same without a value.
#define OX_CLEANUP_TAG(T) OXI_TAG(T, OX_COMPONENT_CLEANUP)

/// Declares a component of any kind, by the name of its constant, with any flags:
/// OX_COMPONENT_OF_KIND(Trail, OX_COMPONENT_KIND_BUFFER, OX_COMPONENT_CLEANUP, 4, { float x, y; }).
#define OX_COMPONENT_OF_KIND(T, kind, flags, inline_elements, ...)                                 \
    OXI_COMPONENT(T, kind, flags, inline_elements, #__VA_ARGS__, __VA_ARGS__)

/// Makes a component of a struct that is declared elsewhere. Its fields are known if it is declared
/// with OX_STRUCT; else it is compared, hashed and printed as bytes.
#define OX_EXTERN_COMPONENT(T)                                                                     \
    OXI_SEEN(T, OX_COMPONENT_KIND_DATA)                                                            \
    OXI_DESCRIBE_COMPONENT(T, NULL, NULL, sizeof(T), OXI_ALIGNOF(T), OX_COMPONENT_KIND_DATA, 0, 0)

/// The descriptor of component T in this file.
#define ox_component_of(T) (&oxi_no_component_named_##T)

/// Returns the id of component T, 1 to OX_MAX_COMPONENTS, or 0 after a report. Costs one load after
/// the first call.
#define ox_component_id_of(T) (oxi_component_id(ox_component_of(T), OX_HERE))

/// Returns the id of a component, and registers it at the first call. Reports what is wrong with a
/// component, and another component of the same name with both source locations.
/// @return 0 after a report.
OX_API uint32_t ox_component_id_of_at(ox_component *component, ox_site site);

/// Describes a component that is defined at run time, such as by a script. Zero every field you do
/// not set.
typedef struct ox_component_def {
    uint32_t _guard_begin;

    /// A C identifier of up to 127 characters. Copied.
    const char *name;

    /// The body of the struct in braces, as in OX_COMPONENT. Copied. NULL for a tag, and for a
    /// value with unknown fields.
    const char *text;

    /// Bytes of a value. 0 means the size by the text.
    size_t size;

    /// Alignment of a value. 0 means the alignment by the text.
    size_t align;

    ox_component_kind kind;
    uint32_t flags;

    /// Of a buffer: elements that fit in the chunk. 0 means as many as fit in 128 bytes.
    int32_t inline_capacity;

    uint32_t _guard_end;
} ox_component_def;

/// Registers a component from its description. If one of the same name and body exists, returns its
/// id.
/// @return its id, or 0 after a report.
OX_API uint32_t ox_component_register_at(const ox_component_def *def, ox_site site);
#define ox_component_register(...) ox_component_register_at(__VA_ARGS__, OX_HERE)

/// Functions for the values of a shared component. Each may be NULL. The world calls them in the
/// middle of a change: calls that use the world are refused with a report. They may use other
/// worlds, except both worlds of a running move or copy.
typedef struct ox_shared_def {
    /// Returns the hash of a value; equal values must have equal hashes. NULL: the hash of its
    /// bytes without pointers. With an `equal` function and no hash, all values have the same hash,
    /// which is slow if there are many.
    uint64_t (*hash)(const void *value);

    /// Returns true if two values are equal. NULL: compares their bytes except padding, and
    /// pointers by address.
    bool (*equal)(const void *a, const void *b);

    /// Called when a new value is stored as a copy of its bytes: makes the copy own its contents.
    /// Returns false if out of memory. NULL: the world takes ownership of the contents.
    bool (*copy)(void *stored);

    /// Called once for each stored value, when no entity or filter uses it any more, or the world
    /// is destroyed: frees what it owns.
    void (*drop)(void *stored);
} ox_shared_def;

/// Sets the functions for the values of a shared component, before the first value is stored.
/// `calls` is copied. Call it once per component, or again with the same functions. The value of
/// all zeros is the default: it is never stored, copied or dropped.
/// @return false after a report: not a shared component, or it has other functions.
OX_API bool ox_shared_define_at(uint32_t id, const ox_shared_def *calls, ox_site site);
#define ox_shared_define(id, ...) ox_shared_define_at(id, __VA_ARGS__, OX_HERE)

/// Returns the id of the component of this name, or 0. Finds all declared components, used or not.
OX_API uint32_t ox_component_find(const char *name);

/// Returns the number of components, declared or registered: the ids are 1 to this.
OX_API uint32_t ox_component_count(void);

/// Returns information about a component, without a lock. NULL for 0 and for unknown ids.
OX_API const ox_component_info *ox_component_get_info(uint32_t id);

// Inline code and macros.
#include "oxbow/detail/components.h"
