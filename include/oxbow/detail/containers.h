// SPDX-License-Identifier: MIT
//
// Private: how macros find the function for a container of any kind, by _Generic in C and by
// overloads in C++.

#pragma once

#include "oxbow/containers.h"

// The loop is inside another one that runs once and holds its variables, so that `break` and
// `continue` work as usual.
#define OXI_LOOP_WITH(Cursor, begin, Variable, next, name)                                         \
    for (Cursor oxi_cursor_##name = begin, *oxi_once_##name = &oxi_cursor_##name;                  \
         oxi_once_##name != NULL; oxi_once_##name = NULL)                                          \
        for (Variable name = OXI_ZEROED; next(&oxi_cursor_##name, (void *)&name, OX_HERE);)

// clang-format off
#ifdef __cplusplus

#define OXI_ZEROED {}
#define OXI_AS_1(handle, T)    (oxi_as<T>(handle))
#define OXI_AS_2(handle, K, V) (oxi_as<K, V>(handle))
#define OXI_ANY_UNTYPED(container) (oxi_untyped(container, 0))
#define OXI_DISPOSE(container, after, site)                                                        \
    oxi_dispose(oxi_untyped_pointer(container, 0), after, site)
#define OXI_LOOP(container, name, variable, edits)                                                 \
    OXI_LOOP_WITH(auto, oxi_each((container).untyped, OXI_TYPE_PAIR(container), edits, OX_HERE),   \
                  OXI_MEMBER(container, variable), oxi_each_next, name)

template <class T, class Untyped> inline oxi_items_as<Untyped, T> oxi_as(const Untyped &handle) {
    oxi_items_as<Untyped, T> typed;
    typed.untyped = handle;
    return typed;
}
template <class Untyped> struct oxi_walk_of { typedef ox_multimap_walk type; };
template <> struct oxi_walk_of<ox_map> { typedef ox_map_walk type; };
template <class K, class V, class Untyped>
inline oxi_pairs_as<Untyped, K, V, typename oxi_walk_of<Untyped>::type>
oxi_as(const Untyped &handle) {
    oxi_pairs_as<Untyped, K, V, typename oxi_walk_of<Untyped>::type> typed;
    typed.untyped = handle;
    return typed;
}

OXI_UNTYPED_OVERLOAD(ox_bits)
OXI_UNTYPED_OVERLOAD(ox_stream)
template <class Typed>
inline auto oxi_untyped_pointer(Typed *handle, int) -> decltype(&handle->untyped) {
    return &handle->untyped;
}

#define OXI_DISPOSE_OVERLOADS(T)                                                                   \
    inline T *oxi_untyped_pointer(T *handle, int) { return handle; }                               \
    inline ox_job oxi_dispose(T *container, ox_job after, ox_site site) {                          \
        return T##_dispose_at(container, after, site);                                             \
    }
OXI_DISPOSE_OVERLOADS(ox_array)
OXI_DISPOSE_OVERLOADS(ox_bits)
OXI_DISPOSE_OVERLOADS(ox_list)
OXI_DISPOSE_OVERLOADS(ox_map)
OXI_DISPOSE_OVERLOADS(ox_multimap)
OXI_DISPOSE_OVERLOADS(ox_queue)
OXI_DISPOSE_OVERLOADS(ox_stream)
#undef OXI_DISPOSE_OVERLOADS

#define OXI_EACH_OVERLOADS(kind, Cursor, next)                                                     \
    inline Cursor oxi_each(ox_##kind handle, oxi_type_pair types, bool edits, ox_site site) {      \
        return oxi_##kind##_each(handle, types, edits, site);                                      \
    }
OXI_EACH_OVERLOADS(array, oxi_items, )
OXI_EACH_OVERLOADS(slice, oxi_items, )
OXI_EACH_OVERLOADS(list, oxi_items, )
OXI_EACH_OVERLOADS(queue, oxi_queue_items, )
OXI_EACH_OVERLOADS(map, ox_map_walk, )
OXI_EACH_OVERLOADS(multimap, ox_multimap_walk, )
#undef OXI_EACH_OVERLOADS
#define OXI_NEXT_OVERLOAD(Cursor, next)                                                            \
    inline bool oxi_each_next(Cursor *cursor, void *variable, ox_site site) {                      \
        return next(cursor, variable, site);                                                       \
    }
OXI_NEXT_OVERLOAD(oxi_items, oxi_items_next)
OXI_NEXT_OVERLOAD(oxi_queue_items, oxi_queue_items_next)
OXI_NEXT_OVERLOAD(ox_map_walk, oxi_map_each_next)
OXI_NEXT_OVERLOAD(ox_multimap_walk, oxi_multimap_each_next)
#undef OXI_NEXT_OVERLOAD

#else

#define OXI_ZEROED {0}

#define OXI_AS_1(handle, T)                                                                        \
    ((union {                                                                                      \
        __typeof__(handle) untyped;                                                                \
        T *oxi_item_type_use_OX_AS;                                                                \
        char *oxi_key;                                                                             \
        T const **oxi_each;                                                                        \
        T **oxi_each_edit;                                                                         \
    }){handle})

#define OXI_AS_2(handle, K, V)                                                                     \
    ((union {                                                                                      \
        __typeof__(handle) untyped;                                                                \
        V *oxi_item_type_use_OX_AS;                                                                \
        K *oxi_key;                                                                                \
        struct { K const *key; V const *value; OXI_WALK_OF(handle) *walk; } *oxi_each;             \
        struct { K const *key; V *value; OXI_WALK_OF(handle) *walk; } *oxi_each_edit;              \
        ox_array *oxi_keys, *oxi_values;                                                           \
    }){handle})
#define OXI_WALK_OF(handle)                                                                        \
    __typeof__(_Generic((handle), ox_map: *(ox_map_walk *)0, default: *(ox_multimap_walk *)0))

// The functions of a kind: for a handle itself, and for the member `untyped` of a typed one.
#define OXI_BY_KIND(handle, last, array, bits, list, map, multimap, queue, stream)                 \
    _Generic((handle), ox_array: array, ox_bits: bits, ox_list: list, ox_map: map,                 \
        ox_multimap: multimap, ox_queue: queue, ox_stream: stream, default: last)
#define OXI_CALL_OF_KIND(handle, last, call)                                                       \
    OXI_BY_KIND(handle, last, ox_array_##call, ox_bits_##call, ox_list_##call, ox_map_##call,      \
                ox_multimap_##call, ox_queue_##call, ox_stream_##call)
#define OXI_DISPOSE(container, after, site)                                                        \
    OXI_CALL_OF_KIND(*(container), OXI_CALL_OF_KIND((container)->untyped, 0, dispose_at),          \
                     dispose_at)((void *)(container), after, site)
#define OXI_ANY_UNTYPED(container)                                                                 \
    OXI_BY_KIND(container, (container).untyped, (container), (container), (container),             \
                (container), (container), (container), (container))

#define OXI_LOOP(container, name, variable, edits)                                                 \
    OXI_LOOP_WITH(OXI_CURSOR_OF(container),                                                        \
                  OXI_BEGIN_OF_KIND(container)((container).untyped, OXI_TYPE_PAIR(container),      \
                                               edits, OX_HERE),                                    \
                  OXI_MEMBER(container, variable), OXI_NEXT_OF_KIND(container), name)
#define OXI_CURSOR_OF(container)                                                                   \
    __typeof__(_Generic((container).untyped, ox_map: *(ox_map_walk *)0,                            \
        ox_multimap: *(ox_multimap_walk *)0, ox_queue: *(oxi_queue_items *)0,                      \
        default: *(oxi_items *)0))
#define OXI_BEGIN_OF_KIND(container)                                                               \
    _Generic((container).untyped, ox_array: oxi_array_each, ox_slice: oxi_slice_each,              \
        ox_queue: oxi_queue_each, ox_map: oxi_map_each, ox_multimap: oxi_multimap_each,            \
        default: oxi_list_each)
#define OXI_NEXT_OF_KIND(container)                                                                \
    _Generic((container).untyped, ox_map: oxi_map_each_next,                                       \
        ox_multimap: oxi_multimap_each_next, ox_queue: oxi_queue_items_next,                       \
        default: oxi_items_next)

#endif
// clang-format on
