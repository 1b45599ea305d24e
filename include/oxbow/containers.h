// SPDX-License-Identifier: MIT
//
// All containers, and what works on any of them: loops, naming and disposing.
//
//     OX_LIST(Hits, Hit);
//
//     Hits hits = ox_list_create(Hits, 16, OX_PERSISTENT);
//     ox_container_set_name(hits, "hits");             // what reports call it
//     OX_EACH(hits, hit) { use(hit->target); }        // hit is a const Hit *
//     OX_EACH_EDIT(hits, hit) { hit->force *= 2; }    // hit is a Hit *
//     ox_dispose(&hits);                               // now
//     ox_dispose_after(&hits, job);                    // or when a job is done
//
// A container has a type of its own, which OX_ARRAY, OX_SLICE, OX_LIST, OX_QUEUE, OX_MAP and
// OX_MULTIMAP declare: no call repeats the type of the elements. ox_list and its like are untyped:
// they are for plain calls, and for types known at run time only.
//
// Threads: any thread may loop over a container that no thread changes. Naming and disposing may be
// done on any thread; disposing after a job is main's.

#pragma once

#include "oxbow/array.h"
#include "oxbow/list.h"
#include "oxbow/map.h"

/// An untyped handle with the type of its elements, for one call: ox_list_push(OX_AS(list, int),
/// 5), ox_map_set(OX_AS(map, uint64_t, int), id, 30). Parallel writers have types, too.
#define OX_AS(handle, ...) OXI_PASTE(OXI_AS_, OXI_COUNT(__VA_ARGS__))(handle, __VA_ARGS__)

/// A loop over all elements of an array, slice, list or queue, or over all pairs of a map or
/// multimap. `name` is a const pointer to the element; for pairs it is a struct with pointers:
/// OX_EACH(ages, it) { print(*it.key, *it.value); }. Adding or removing elements in the loop is
/// wrong: a walk over pairs then ends with a report. A report ends the loop.
#define OX_EACH(container, name) OXI_LOOP(container, name, oxi_each, false)

/// A loop over an array, slice, list or map that may change elements and values: `name`, or
/// `name.value`, is not const. ox_map_walk_remove(it.walk) removes the current key.
#define OX_EACH_EDIT(container, name) OXI_LOOP(container, name, oxi_each_edit, true)

/// A loop over the values of one key of a multimap: OX_EACH_OF(cells, 17, it) { use(*it.value); }.
/// ox_multimap_walk_remove(cells, it.walk) removes the current pair.
#define OX_EACH_OF(map, key_sought, name)                                                          \
    OXI_LOOP_WITH(ox_multimap_walk, oxi_multimap_seek(map, key_sought), OXI_MEMBER(map, oxi_each), \
                  oxi_multimap_each_of_next, name)

/// Gives a container its debug name, of up to 31 bytes: ox_container_set_name(hits, "hits").
#define ox_container_set_name(container, text)                                                     \
    ox_access_set_name(OXI_ANY_UNTYPED(container).access, text)

/// Frees a container of any kind: ox_dispose(&hits). Every copy of its handle is stale from here
/// on.
#define ox_dispose(container) ((void)OXI_DISPOSE(container, OX_NO_JOB, OX_HERE))

/// Frees a container of any kind in a job after `after`, which covers all jobs that use it. The
/// handle is stale at once. Main only. With OX_NO_JOB it is ox_dispose. @return the job that frees
/// it; OX_NO_JOB when it is free, or after a report.
#define ox_dispose_after(container, after) OXI_DISPOSE(container, after, OX_HERE)

#include "oxbow/detail/containers.h"
