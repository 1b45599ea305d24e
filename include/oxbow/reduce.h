// SPDX-License-Identifier: MIT
//
// Reducing: one value from all elements of an array, here and now or as jobs.
//
//     double total = ox_array_sum(float, masses);
//     float least = ox_array_min(float, masses);
//     ox_job summed = ox_array_sum_after(float, masses, total_array, moved);
//
//     ox_reduce(&(ox_reduce_def){                          // anything else
//         .input = bodies, .output = bounds, .identity = &empty_box,
//         .fold = add_bodies, .join = add_box});
//
// The elements are taken in blocks whose bounds do not depend on the workers, and the blocks are
// joined in their order: so sums of floating numbers are the same, bit by bit, for any number of
// workers, in jobs and here and now.
//
// To reduce a list, pass ox_list_as_array(list). The calls here may come from any thread that may
// use the arrays, jobs included; those that schedule jobs are main's.

#pragma once

#include "oxbow/array.h"

/// Takes `count` elements into `sum`, in their order. Runs on the thread of a job.
typedef void ox_fold_fn(void *sum, const void *items, int count, void *context);

/// Takes `other`, the sum of elements that come behind, into `sum`.
typedef void ox_join_fn(void *sum, const void *other, void *context);

/// What to reduce, and how. Zero every field you do not set.
typedef struct ox_reduce_def {
    uint32_t _guard_begin;

    /// The elements; only read.
    ox_array input;

    /// Its first element becomes the result. What it was before does not matter. Its elements may
    /// be of another type than those of `input`.
    ox_array output;

    /// What a sum is before anything was taken in, of the type of the output: the result of an
    /// empty array. Copied. NULL means all bytes 0.
    const void *identity;

    /// Both are called by several threads at once, each for a sum of its own.
    ox_fold_fn *fold;
    ox_join_fn *join;

    /// Elements of a block. 0 means 1024.
    int block;

    /// Handed to both functions. Kept by pointer: it must live until the last job is done.
    void *context;

    uint32_t _guard_end;
} ox_reduce_def;

/// Reduces here and now. Takes OX_TEMP_JOB memory for two sums meanwhile.
/// @return false after a report, with the output unchanged.
OX_API bool ox_reduce_at(const ox_reduce_def *def, ox_site site);
#define ox_reduce(...) ox_reduce_at(__VA_ARGS__, OX_HERE)

/// Schedules it after `after`: a parallel job reads the input, and a single job joins the sums of
/// its blocks and writes the output. `def` is copied.
/// @return the last job, or OX_NO_JOB after a report, with nothing scheduled.
OX_API ox_job ox_reduce_after_at(const ox_reduce_def *def, ox_job after, ox_site site);
#define ox_reduce_after(def, after) ox_reduce_after_at(def, after, OX_HERE)

/// The sum of an array of numbers or bools: ox_array_sum(float, masses). As a double for floating
/// types, an int64_t for signed and a uint64_t for unsigned ones and bool; whole numbers wrap
/// around. 0 after a report.
#define ox_array_sum(T, array) (OXI_SUM_OF(T)(array, ox_element_of(T), OX_HERE))

/// Its plain form for floating numbers.
OX_API double oxi_array_sum_floating_at(ox_array array, ox_element element, ox_site site);
/// Its plain form for signed numbers.
OX_API int64_t oxi_array_sum_signed_at(ox_array array, ox_element element, ox_site site);
/// Its plain form for unsigned numbers and bool.
OX_API uint64_t oxi_array_sum_unsigned_at(ox_array array, ox_element element, ox_site site);

/// Schedules the summing of `array` after `after`. `output` is an array of one double, int64_t or
/// uint64_t, as above. @return the last job, or OX_NO_JOB after a report.
OX_API ox_job ox_array_sum_after_at(ox_array array, ox_element element, ox_array output,
                                    ox_job after, ox_site site);
#define ox_array_sum_after(T, array, output, after)                                                \
    ox_array_sum_after_at(array, ox_element_of(T), output, after, OX_HERE)

/// The smallest and the largest number of an array, in the order of ox_sort: what is not a number
/// is larger than all numbers. An empty array is a report, and gives 0.
#define ox_array_min(T, array) (*(const T *)ox_array_min_at(array, ox_element_of(T), OX_HERE))
#define ox_array_max(T, array) (*(const T *)ox_array_max_at(array, ox_element_of(T), OX_HERE))

/// The address of the smallest number; of equal ones, the first.
OX_API const void *ox_array_min_at(ox_array array, ox_element element, ox_site site);
/// The address of the largest number; of equal ones, the first.
OX_API const void *ox_array_max_at(ox_array array, ox_element element, ox_site site);

// How a sum finds its type.

#ifdef __cplusplus
template <int kind> struct oxi_sum_of {
    static int64_t of(ox_array array, ox_element element, ox_site site) {
        return oxi_array_sum_signed_at(array, element, site);
    }
};
template <> struct oxi_sum_of<2> {
    static uint64_t of(ox_array array, ox_element element, ox_site site) {
        return oxi_array_sum_unsigned_at(array, element, site);
    }
};
template <> struct oxi_sum_of<3> {
    static double of(ox_array array, ox_element element, ox_site site) {
        return oxi_array_sum_floating_at(array, element, site);
    }
};
template <> struct oxi_sum_of<4> : oxi_sum_of<2> {};
#define OXI_SUM_OF(T) oxi_sum_of<OXI_ELEMENT_KIND(T)>::of
#else
// clang-format off
#define OXI_SUM_OF(T) _Generic(*(T *)0,                                                            \
    unsigned char: oxi_array_sum_unsigned_at, unsigned short: oxi_array_sum_unsigned_at,           \
    unsigned int: oxi_array_sum_unsigned_at, unsigned long: oxi_array_sum_unsigned_at,             \
    unsigned long long: oxi_array_sum_unsigned_at, bool: oxi_array_sum_unsigned_at,                \
    float: oxi_array_sum_floating_at, double: oxi_array_sum_floating_at,                           \
    long double: oxi_array_sum_floating_at, default: oxi_array_sum_signed_at)
// clang-format on
#endif
