// SPDX-License-Identifier: MIT
//
// Components: the types of data that entities carry. Declaring one makes an ordinary C struct and
// a descriptor; the first use gives it an id, one for each name in the process.
//
//     OX_COMPONENT(Position, { float x, y, z; });
//     OX_COMPONENT(Follows, { ox_entity leader; float distance; });
//     OX_TAG(Frozen);
//     OX_ENABLEABLE(Stunned, { float seconds; });       // can be disabled without a move
//     OX_SHARED(Team, { int id; });                     // one value for all entities of a chunk
//     OX_BUFFER(Waypoint, 8, { float x, y; });          // an array that grows, 8 of them inline
//     OX_CLEANUP(Registered, { int slot; });            // stays when its entity is destroyed
//
// The kind of a component is declared here, once: terms and calls name the component alone. Its
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

/// True when two handles are the same: of one world, they stand for the same entity.
static inline bool ox_entity_equals(ox_entity a, ox_entity b) {
    return a.index == b.index && a.version == b.version;
}

/// True for the null entity, {0}. What was destroyed is not null: ask ox_entity_exists.
static inline bool ox_entity_is_null(ox_entity entity) {
    return entity.version == 0;
}

enum {
    OX_MAX_COMPONENTS = 4096,      ///< component types in a process; ids are 1 to this
    OX_MAX_COMPONENT_SIZE = 16000, ///< bytes of a component: it has to fit into a chunk of 16 KiB
    OX_MAX_COMPONENT_ALIGN = 64,   ///< alignment of a component: that of the columns of a chunk
};

/// What a component is.
typedef enum ox_component_kind {
    OX_COMPONENT_KIND_DATA = 0, ///< a struct for each entity
    OX_COMPONENT_KIND_TAG,      ///< there or not there: no value
    OX_COMPONENT_KIND_SHARED, ///< a struct for all entities of a chunk; equal ones are stored once
    OX_COMPONENT_KIND_BUFFER, ///< an array of structs for each entity, of any length
} ox_component_kind;

/// What goes with a kind.
enum {
    OX_COMPONENT_ENABLEABLE = 1, ///< each entity can switch it off and on; not for shared ones
    OX_COMPONENT_CLEANUP = 2,    ///< stays when its entity is destroyed, until it is removed
};

enum {
    OX_INLINE_DEFAULT = 0, ///< elements of a buffer in the chunk: as many as fit in 128 bytes
    OX_INLINE_NONE = -1,   ///< none: all lie outside
};

/// A component as it is declared: one static descriptor in each file that sees the declaration.
typedef struct ox_component {
    ox_type type; ///< name, text, place, size and alignment; a tag has size 0
    ox_component_kind kind;
    uint32_t flags;            ///< OX_COMPONENT_ENABLEABLE, OX_COMPONENT_CLEANUP
    int32_t inline_capacity;   ///< of a buffer: elements in the chunk, or OX_INLINE_; else 0
    uint32_t oxi_id;           ///< the id, once it is known; read and written atomically
    struct ox_component *next; ///< for the registry's use
} ox_component;

/// Some bytes of a value.
typedef struct ox_byte_span {
    uint32_t offset;
    uint32_t size;
} ox_byte_span;

/// What is known of a component. It never changes and lives as long as the process.
typedef struct ox_component_info {
    const char *name;
    uint32_t id;
    ox_component_kind kind;
    uint32_t flags;
    uint32_t inline_capacity; ///< of a buffer: elements that lie in the chunk
    uint32_t size;            ///< of a value, of a buffer of one element; 0 for a tag
    uint32_t align;           ///< 1 for a tag
    ox_site site;             ///< where it is declared

    /// Its fields. None for a tag, and for a struct that was declared elsewhere.
    ox_layout layout;

    /// Where its ox_entity fields lie, ascending, those in arrays and in nested structs too. What
    /// stands in a type that was announced without its fields is not seen.
    const uint32_t *entity_offsets;
    uint32_t entity_count;

    /// The bytes that make up the value, ascending: all but padding, pointers and containers.
    const ox_byte_span *values;
    uint32_t value_count;

    /// The bytes of OX_UNOWNED pointers, ascending.
    const ox_byte_span *unowned;
    uint32_t unowned_count;

    /// The bytes of other pointers and of containers, ascending: of a shared component.
    const ox_byte_span *owned;
    uint32_t owned_count;

    /// Some bytes belong to no field. False when the fields are not known.
    bool has_padding;
} ox_component_info;

/// Declares the struct type T, with the body in braces that follows, and makes it a component.
/// Fields are numbers, bools, enums, ox_entity, fixed arrays and known structs; a pointer carries
/// OX_UNOWNED, and a container stays outside.
#define OX_COMPONENT(T, ...)                                                                       \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_DATA, 0, 0, #__VA_ARGS__, __VA_ARGS__)

/// Makes T a component without a value. T stays an incomplete type: giving it a value does not
/// compile.
#define OX_TAG(T) OXI_TAG(T, 0)

/// A component that each entity can disable and enable: OX_COMPONENT with a bit. Enabling and
/// disabling moves nothing; queries match only entities where it is enabled.
#define OX_ENABLEABLE(T, ...)                                                                      \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_DATA, OX_COMPONENT_ENABLEABLE, 0, #__VA_ARGS__, __VA_ARGS__)

/// A tag that can be disabled and enabled.
#define OX_ENABLEABLE_TAG(T) OXI_TAG(T, OX_COMPONENT_ENABLEABLE)

/// A component of which entities with equal values share one. Entities of one chunk have the same
/// value, so setting it moves an entity. Pointers and containers may stand in it.
#define OX_SHARED(T, ...)                                                                          \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_SHARED, 0, 0, #__VA_ARGS__, __VA_ARGS__)

/// An array of structs T for each entity. Up to `inline_elements` lie in the chunk; a longer array
/// lies outside as a whole. OX_INLINE_DEFAULT is what fits in 128 bytes.
#define OX_BUFFER(T, inline_elements, ...)                                                         \
    OXI_STATIC_ASSERT(!OXI_IS_BRACE(#inline_elements),                                             \
                      "how many " #T " lie in the chunk comes first: OX_BUFFER(" #T                \
                      ", OX_INLINE_DEFAULT, { fields })");                                         \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_BUFFER, 0, inline_elements, #__VA_ARGS__, __VA_ARGS__)

/// A component that stays when its entity is destroyed: the entity goes when the last such one is
/// removed. It is not copied to instances.
#define OX_CLEANUP(T, ...)                                                                         \
    OXI_COMPONENT(T, OX_COMPONENT_KIND_DATA, OX_COMPONENT_CLEANUP, 0, #__VA_ARGS__, __VA_ARGS__)

/// The same without a value.
#define OX_CLEANUP_TAG(T) OXI_TAG(T, OX_COMPONENT_CLEANUP)

/// Any kind, by the name of its constant, with any flags: OX_COMPONENT_OF_KIND(Trail,
/// OX_COMPONENT_KIND_BUFFER, OX_COMPONENT_CLEANUP, 4, { float x, y; }).
#define OX_COMPONENT_OF_KIND(T, kind, flags, inline_elements, ...)                                 \
    OXI_COMPONENT(T, kind, flags, inline_elements, #__VA_ARGS__, __VA_ARGS__)

/// Makes a component of a struct that another header declares. Its fields are known when that
/// header announces it with OX_STRUCT; else it is compared, hashed and printed as bytes.
#define OX_EXTERN_COMPONENT(T)                                                                     \
    OXI_SEEN(T, OX_COMPONENT_KIND_DATA)                                                            \
    OXI_DESCRIBE_COMPONENT(T, NULL, NULL, sizeof(T), OXI_ALIGNOF(T), OX_COMPONENT_KIND_DATA, 0, 0)

/// The descriptor of component T in this file.
#define ox_component_of(T) (&oxi_no_component_named_##T)

/// The id of component T, 1 to OX_MAX_COMPONENTS, or 0 after a report. One load after the first
/// time.
#define ox_component_id_of(T) (oxi_component_id(ox_component_of(T), OX_HERE))

/// The id of a component, which is registered at the first call. What a component may not be is a
/// report; so is another component of the same name, with both places.
/// @return 0 after a report.
OX_API uint32_t ox_component_id_of_at(ox_component *component, ox_site site);

/// A component that is defined at run time, as a script does. Zero every field you do not set.
typedef struct ox_component_def {
    uint32_t _guard_begin;

    /// A C identifier of up to 127 characters. Copied.
    const char *name;

    /// The body of the struct in braces, as in OX_COMPONENT. Copied. NULL for a tag, and for a
    /// value whose fields are not known.
    const char *text;

    /// Bytes of a value. 0 means what the text makes.
    size_t size;

    /// Alignment of a value. 0 means what the text makes.
    size_t align;

    ox_component_kind kind;
    uint32_t flags;

    /// Of a buffer: elements that lie in the chunk. 0 means as many as fit in 128 bytes.
    int32_t inline_capacity;

    uint32_t _guard_end;
} ox_component_def;

/// Registers a component from its description. One of the same name and body may exist already:
/// then they are the same.
/// @return its id, or 0 after a report.
OX_API uint32_t ox_component_register_at(const ox_component_def *def, ox_site site);
#define ox_component_register(...) ox_component_register_at(__VA_ARGS__, OX_HERE)

/// What a shared component does with its values. Each may be NULL. The world calls these in the
/// middle of a change: a call that uses the world is refused with a report. Other worlds may be
/// used, but for the two of a move or copy that is under way.
typedef struct ox_shared_def {
    /// The hash of a value: equal values must have equal ones. NULL: that of its bytes without
    /// pointers; beside an `equal` of yours, one for all, which is slow with many values.
    uint64_t (*hash)(const void *value);

    /// True when two values count as one. NULL: when their bytes agree, padding aside; pointers by
    /// address.
    bool (*equal)(const void *a, const void *b);

    /// Called when a value is stored that no entity had: makes the stored copy, bytes so far, own
    /// its contents. False when out of memory. NULL: the world takes over what the value owns.
    bool (*copy)(void *stored);

    /// Called once for each stored value, when the last entity and filter let go of it, or the
    /// world is destroyed: frees what it owns.
    void (*drop)(void *stored);
} ox_shared_def;

/// Says what a shared component does with its values, before the first is stored; copied. Once for
/// each component, unless it is the same again. The value of all zeros is the default: it is never
/// stored, copied or dropped.
/// @return false after a report: not a shared component, or it has others already.
OX_API bool ox_shared_define_at(uint32_t id, const ox_shared_def *calls, ox_site site);
#define ox_shared_define(id, ...) ox_shared_define_at(id, __VA_ARGS__, OX_HERE)

/// The id of the component of this name, or 0. Sees every one that was declared, used or not.
OX_API uint32_t ox_component_find(const char *name);

/// How many components there are, declared or registered: the ids are 1 to this.
OX_API uint32_t ox_component_count(void);

/// What is known of a component, without a lock. NULL for 0 and for an id that was not given out.
OX_API const ox_component_info *ox_component_get_info(uint32_t id);

// Inline code and macros.
#include "oxbow/detail/components.h"
