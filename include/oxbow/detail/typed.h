// SPDX-License-Identifier: MIT
//
// Private: how handles carry the type of their elements. OX_LIST(Hits, Hit) and related macros
// declare a union of the untyped handle and of pointers that are never used. It has the size of the
// handle and is passed by value; macros get the types from the pointers, by __typeof__ in C and by
// decltype in C++.
//
//     oxi_item_type_use_OX_AS, oxi_key
//                               the types of elements and keys
//     oxi_each, oxi_each_edit   the type of the variable of a loop
//     oxi_writer, oxi_slice, oxi_array, oxi_keys, oxi_values
//                               the types of handles that calls make from this one
//
// Untyped handles also have the last ones: what is made from them is untyped. They do not have the
// first, whose name in a compile error says what to do.

#pragma once

#include "oxbow/detail/element.h"

/// The members of an untyped handle that correspond to those of a typed one. They take no memory,
/// and need no union, which compilers would keep out of registers.
#define OXI_UNTYPED_MEMBERS(Self) OXI_UNTYPED_MEMBER(struct Self *, untyped)
#ifdef __cplusplus
#define OXI_UNTYPED_MEMBER(T, name) static T *name
#else
#define OXI_UNTYPED_MEMBER(T, name) __extension__ T name[0]
#endif

/// Elements and keys of a typed container, for the functions of loops.
typedef struct oxi_type_pair {
    ox_element item;
    uint32_t item_align;
    ox_element key;
    uint32_t key_align;
} oxi_type_pair;

static inline oxi_type_pair oxi_type_pair_of(ox_element item, size_t item_align, ox_element key,
                                             size_t key_align) {
    oxi_type_pair types = {item, (uint32_t)item_align, key, (uint32_t)key_align};
    return types;
}

#define OXI_TYPE_PAIR(handle)                                                                      \
    oxi_type_pair_of(ox_element_of(OXI_ITEM(handle)), OXI_ALIGNOF(OXI_ITEM(handle)),               \
                     ox_element_of(OXI_KEY(handle)), OXI_ALIGNOF(OXI_KEY(handle)))

// OXI_ITEM and OXI_KEY are the types of a handle, OXI_ITEM_IN and OXI_KEY_IN those of a type of
// handles, OXI_ITEM_INFO the argument of creating calls. OXI_UNTYPED(ox_list, handle) is the
// untyped handle of either. OXI_TYPED makes a typed handle of a new untyped one. OXI_RESULT does so
// with the type that `handle` names in a member.

// clang-format off
#ifdef __cplusplus

template <class T> struct oxi_pointee_of;
template <class T> struct oxi_pointee_of<T *> { typedef T type; };
template <class T> using oxi_pointee = typename oxi_pointee_of<T>::type;
template <class T> struct oxi_bare_of { typedef T type; };
template <class T> struct oxi_bare_of<const T> { typedef T type; };
template <class T> struct oxi_bare_of<T &> : oxi_bare_of<T> {};
template <class T> using oxi_bare = typename oxi_bare_of<T>::type;

template <class Typed>
inline auto oxi_untyped(const Typed &handle, int) -> const decltype(handle.untyped) & {
    return handle.untyped;
}
template <class To> inline To oxi_retyped(const decltype(To::untyped) &from, int) {
    To to;
    to.untyped = from;
    return to;
}
template <class To> inline To oxi_retyped(const To &from, long) {
    return from;
}

#define OXI_MEMBER(handle, member) oxi_pointee<decltype((handle).member)>
#define OXI_ITEM(handle)           OXI_MEMBER(handle, oxi_item_type_use_OX_AS)
#define OXI_KEY(handle)            OXI_MEMBER(handle, oxi_key)
#define OXI_ITEM_IN(Type)          oxi_pointee<decltype(Type::oxi_item_type_use_OX_AS)>
#define OXI_KEY_IN(Type)           oxi_pointee<decltype(Type::oxi_key)>
#define OXI_ITEM_NAME(Type)        Type::oxi_item_name()
#define OXI_KEY_NAME(Type)         Type::oxi_key_name()
#define OXI_TYPED_NAMES(Name, T, K)
#define OXI_NAMES_INSIDE(T, K)                                                                     \
    static const char *oxi_item_name() { return #T; }                                              \
    static const char *oxi_key_name() { return #K; }
#define OXI_UNTYPED(Untyped, handle) (oxi_untyped(handle, 0))
#define OXI_TYPED(Type, ...)         (oxi_retyped<Type>(__VA_ARGS__, 0))
#define OXI_RESULT(handle, member, Untyped, ...)                                                   \
    (oxi_retyped<OXI_MEMBER(handle, member)>(__VA_ARGS__, 0))
#define OXI_SAME_TYPE(handle, Untyped, ...)                                                        \
    (oxi_retyped<oxi_bare<decltype(handle)>>(__VA_ARGS__, 0))
#define OXI_UNTYPED_OVERLOAD(Untyped)                                                              \
    inline const Untyped &oxi_untyped(const Untyped &handle, int) { return handle; }

#else

#define OXI_MEMBER(handle, member) __typeof__(*(handle).member)
#define OXI_ITEM(handle)           OXI_MEMBER(handle, oxi_item_type_use_OX_AS)
#define OXI_KEY(handle)            OXI_MEMBER(handle, oxi_key)
#define OXI_ITEM_IN(Type)          __typeof__(*((Type *)0)->oxi_item_type_use_OX_AS)
#define OXI_KEY_IN(Type)           __typeof__(*((Type *)0)->oxi_key)
#define OXI_ITEM_NAME(Type)        oxi_no_container_named_##Type
#define OXI_KEY_NAME(Type)         oxi_no_map_named_##Type
#define OXI_TYPED_NAMES(Name, T, K)                                                                \
    OXI_UNUSED static const char oxi_no_container_named_##Name[] = #T;                             \
    OXI_UNUSED static const char oxi_no_map_named_##Name[] = #K;
#define OXI_NAMES_INSIDE(T, K)
#define OXI_UNTYPED(Untyped, handle)                                                               \
    _Generic((handle), Untyped: (handle), default: (handle).untyped)
#define OXI_TYPED(Type, ...)         ((Type){__VA_ARGS__})
#define OXI_RESULT(handle, member, Untyped, ...)                                                   \
    (((union { Untyped oxi_from; OXI_MEMBER(handle, member) oxi_to; }){__VA_ARGS__}).oxi_to)
#define OXI_SAME_TYPE(handle, Untyped, ...)                                                        \
    (((union { Untyped oxi_from; __typeof__(handle) oxi_to; }){__VA_ARGS__}).oxi_to)
#define OXI_UNTYPED_OVERLOAD(Untyped) OXI_STATIC_ASSERT(sizeof(Untyped) > 0, #Untyped)

#endif

#define OXI_INFO_OF(name, T) oxi_element_info(name, ox_element_of(T), (uint32_t)OXI_ALIGNOF(T))
#define OXI_ITEM_INFO(Type) OXI_INFO_OF(OXI_ITEM_NAME(Type), OXI_ITEM_IN(Type))
#define OXI_KEY_INFO(Type)  OXI_INFO_OF(OXI_KEY_NAME(Type), OXI_KEY_IN(Type))

/// Declares a type of handles of elements, with the types of what calls make from them.
#define OXI_ITEMS_TYPE(Name, Untyped, T, ...)                                                      \
    OXI_TYPED_NAMES(Name, T, char)                                                                 \
    typedef union Name {                                                                           \
        Untyped untyped;                                                                           \
        T *oxi_item_type_use_OX_AS;                                                                \
        char *oxi_key;                                                                             \
        T const **oxi_each;                                                                        \
        T **oxi_each_edit;                                                                         \
        __VA_ARGS__                                                                                \
        OXI_NAMES_INSIDE(T, char)                                                                  \
    } Name;                                                                                        \
    OX_CONTAINER(Name, untyped.access)

/// Declares a type of handles of keys and values. The variable of a loop has pointers to both, and
/// to the walk.
#define OXI_PAIRS_TYPE(Name, Untyped, Walk, K, V, ...)                                             \
    OXI_TYPED_NAMES(Name, V, K)                                                                    \
    typedef union Name {                                                                           \
        Untyped untyped;                                                                           \
        V *oxi_item_type_use_OX_AS;                                                                \
        K *oxi_key;                                                                                \
        struct { K const *key; V const *value; Walk *walk; } *oxi_each;                            \
        struct { K const *key; V *value; Walk *walk; } *oxi_each_edit;                             \
        __VA_ARGS__                                                                                \
        OXI_NAMES_INSIDE(V, K)                                                                     \
    } Name;                                                                                        \
    OX_CONTAINER(Name, untyped.access)
// clang-format on

// Untyped handles with the type for one call: OX_AS of containers.h.
// clang-format off
#ifdef __cplusplus
template <class Untyped, class T> union oxi_items_as {
    Untyped untyped;
    T *oxi_item_type_use_OX_AS;
    char *oxi_key;
    T const **oxi_each;
    T **oxi_each_edit;
};
template <class Untyped, class K, class V, class Walk> union oxi_pairs_as {
    struct pair { K const *key; V const *value; Walk *walk; };
    struct pair_edit { K const *key; V *value; Walk *walk; };
    Untyped untyped;
    V *oxi_item_type_use_OX_AS;
    K *oxi_key;
    pair *oxi_each;
    pair_edit *oxi_each_edit;
    struct ox_array *oxi_keys;
    struct ox_array *oxi_values;
};
#endif
// clang-format on
