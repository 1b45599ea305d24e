// SPDX-License-Identifier: MIT
//
// Sorting: plain memory, arrays and lists, here and now or as jobs.
//
//     int by_distance(const void *a, const void *b, void *context);   // < 0: a comes first
//
//     ox_array_sort(Enemy, enemies, by_distance, NULL);
//     ox_array_sort(float, depths, NULL, NULL);                       // natural order
//     ox_job sorted = ox_array_sort_after(Enemy, enemies, by_distance, NULL, moved);
//
// Natural order, a comparison of NULL, is for numbers and bool: from the smallest to the largest,
// false before true; -0 before 0, and what is not a number (NaN) last of all. It takes no calls,
// and less time. Everything else needs a comparison. One that contradicts itself leaves the
// elements in some order, each still there once.
//
// The stable forms keep the order of elements that compare equal. All of them give the same result
// on every machine, and for any number of workers; so do the others, but for the order of equal
// elements, which may change with a version of Oxbow.
//
// The calls here need the container for themselves, and may come from any thread that has it, jobs
// included; those that schedule jobs are main's.

#pragma once

#include "oxbow/list.h"

/// Compares two elements: below 0 when `a` comes first, above 0 when `b` does, 0 when either may.
/// Runs on the thread that sorts: several at once in a parallel sort.
typedef int ox_compare_fn(const void *a, const void *b, void *context);

/// Sorts elements in plain memory: ox_sort(numbers, 100, int, NULL, NULL). Equal elements may
/// change places. Never slower than n log n.
/// @return false after a report, with nothing changed.
OX_API bool ox_sort_at(void *data, int64_t count, ox_element element, ox_compare_fn *compare,
                       void *context, ox_site site);
#define ox_sort(data, count, T, compare, context)                                                  \
    ox_sort_at(OXI_POINTER(T, data), (int64_t)(count), ox_element_of(T), compare, context, OX_HERE)

/// The same, and equal elements keep their order. Takes OX_TEMP_JOB memory for half of the
/// elements meanwhile, and none in natural order.
/// @return false after a report, with nothing changed: out of memory too.
OX_API bool ox_sort_stable_at(void *data, int64_t count, ox_element element, ox_compare_fn *compare,
                              void *context, ox_site site);
#define ox_sort_stable(data, count, T, compare, context)                                           \
    ox_sort_stable_at(OXI_POINTER(T, data), (int64_t)(count), ox_element_of(T), compare, context,  \
                      OX_HERE)

/// Sorts an array: ox_array_sort(float, depths, NULL, NULL). Equal elements may change places.
/// @return false after a report, with nothing changed.
OX_API bool ox_array_sort_at(ox_array array, ox_element element, ox_compare_fn *compare,
                             void *context, ox_site site);
#define ox_array_sort(T, array, compare, context)                                                  \
    ox_array_sort_at(array, ox_element_of(T), compare, context, OX_HERE)

/// The same, and equal elements keep their order. See ox_sort_stable.
/// @return false after a report, with nothing changed: out of memory too.
OX_API bool ox_array_sort_stable_at(ox_array array, ox_element element, ox_compare_fn *compare,
                                    void *context, ox_site site);
#define ox_array_sort_stable(T, array, compare, context)                                           \
    ox_array_sort_stable_at(array, ox_element_of(T), compare, context, OX_HERE)

/// Sorts a list. Its length does not change, so its views and pointers into it stay.
/// @return false after a report, with nothing changed.
OX_API bool ox_list_sort_at(ox_list list, ox_element element, ox_compare_fn *compare, void *context,
                            ox_site site);
#define ox_list_sort(T, list, compare, context)                                                    \
    ox_list_sort_at(list, ox_element_of(T), compare, context, OX_HERE)

/// The same, and equal elements keep their order. See ox_sort_stable.
OX_API bool ox_list_sort_stable_at(ox_list list, ox_element element, ox_compare_fn *compare,
                                   void *context, ox_site site);
#define ox_list_sort_stable(T, list, compare, context)                                             \
    ox_list_sort_stable_at(list, ox_element_of(T), compare, context, OX_HERE)

// Sorting in jobs. Up to 64 blocks, whose bounds depend on the length alone, are sorted side by
// side and then merged in rounds, each by all workers. Stable, and the same for any number of
// workers. The jobs hold the container: whoever uses it comes after, or completes them first. They
// take OX_TEMP_JOB memory for as many elements again, which the last of them frees. `context` must
// live as long, and the comparison must bear being called by several threads at once.

/// Schedules the sorting of an array after `after`. A short one is sorted by a single job.
/// @return the last job, or OX_NO_JOB after a report, with nothing scheduled: out of memory too.
OX_API ox_job ox_array_sort_after_at(ox_array array, ox_element element, ox_compare_fn *compare,
                                     void *context, ox_job after, ox_site site);
#define ox_array_sort_after(T, array, compare, context, after)                                     \
    ox_array_sort_after_at(array, ox_element_of(T), compare, context, after, OX_HERE)

/// The same for a list, of the length that it has when `after` is done. What can be seen only then,
/// another element type or memory that is refused, is reported by the job; the list then stays as
/// it was. Ends views of the list: to keep them, sort ox_list_as_array(list).
OX_API ox_job ox_list_sort_after_at(ox_list list, ox_element element, ox_compare_fn *compare,
                                    void *context, ox_job after, ox_site site);
#define ox_list_sort_after(T, list, compare, context, after)                                       \
    ox_list_sort_after_at(list, ox_element_of(T), compare, context, after, OX_HERE)
