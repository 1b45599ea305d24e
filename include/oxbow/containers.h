// SPDX-License-Identifier: MIT
//
// All containers, and what works on any of them: loops, names and disposing.
//
//     OX_LIST(Hits, Hit);
//
//     Hits hits = ox_list_create(Hits, 16, OX_PERSISTENT);
//     ox_container_set_name(hits, "hits");             // its name in reports
//     OX_EACH(hits, hit) { use(hit->target); }        // hit is a const Hit *
//     OX_EACH_EDIT(hits, hit) { hit->force *= 2; }    // hit is a Hit *
//     ox_dispose(&hits);                               // now
//     ox_dispose_after(&hits, job);                    // or after a job
//
// OX_ARRAY, OX_SLICE, OX_LIST, OX_QUEUE, OX_MAP and OX_MULTIMAP each declare a type of container,
// so no call repeats the type of the elements. ox_list and the other types without a declaration
// are untyped: use them for plain calls, and for types that are known at run time only.
//
// Threads: any thread may loop over a container while no thread changes it. Name and dispose
// containers on any thread; dispose them after a job on main.

#pragma once

#include "oxbow/array.h"
#include "oxbow/list.h"
#include "oxbow/map.h"

/// Gives an untyped handle the type of its elements, for one call: ox_list_push(OX_AS(list, int),
/// 5), ox_map_set(OX_AS(map, uint64_t, int), id, 30). It also takes parallel writers.
#define OX_AS(handle, ...) OXI_PASTE(OXI_AS_, OXI_COUNT(__VA_ARGS__))(handle, __VA_ARGS__)

/// Loops over all elements of an array, slice, list or queue, or over all pairs of a map or
/// multimap. `name` is a const pointer to the element; for pairs it is a struct with pointers:
/// OX_EACH(ages, it) { print(*it.key, *it.value); }. Do not add or remove elements in the loop: a
/// walk over pairs reports it. A report ends the loop. The buffers of entities have no element
/// type: loop over ox_buffer_get_data.
#define OX_EACH(container, name) OXI_LOOP(container, name, oxi_each, false)

/// Loops over an array, slice, list or map, and may change elements and values: `name`, or
/// `name.value`, is not const. ox_map_walk_remove(it.walk) removes the current key.
#define OX_EACH_EDIT(container, name) OXI_LOOP(container, name, oxi_each_edit, true)

/// Loops over the values of one key of a multimap: OX_EACH_OF(cells, 17, it) { use(*it.value); }.
/// ox_multimap_walk_remove(cells, it.walk) removes the current pair.
#define OX_EACH_OF(map, key_sought, name)                                                          \
    OXI_LOOP_WITH(ox_multimap_walk, oxi_multimap_seek(map, key_sought), OXI_MEMBER(map, oxi_each), \
                  oxi_multimap_each_of_next, name)

/// Sets the debug name of a container, of up to 31 bytes: ox_container_set_name(hits, "hits").
#define ox_container_set_name(container, text)                                                     \
    ox_access_set_name(OXI_ANY_UNTYPED(container).access, text)

/// Frees a container of any kind: ox_dispose(&hits). All copies of its handle are stale from then
/// on.
#define ox_dispose(container) ((void)OXI_DISPOSE(container, OX_NO_JOB, OX_HERE))

/// Frees a container of any kind in a job after `after`, which must cover all jobs that use it. All
/// copies of the handle are stale at once. Main only. With OX_NO_JOB it is ox_dispose. @return the
/// job that frees it; OX_NO_JOB if it was freed at once, or after a report.
#define ox_dispose_after(container, after) OXI_DISPOSE(container, after, OX_HERE)

#include "oxbow/detail/containers.h"
