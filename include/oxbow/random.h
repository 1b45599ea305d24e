// SPDX-License-Identifier: MIT
//
// Random numbers that are the same on every machine, with every compiler and any number of workers.
//
//     ox_random random = ox_random_create(seed, 0);
//     int die = ox_random_int(&random, 1, 6);
//
//     OX_ENTITY_JOB(Wander, (OX_ENTITY(self), OX_WRITE(Velocity, velocity)), { uint64_t frame; })
//     {
//         ox_random random = ox_random_of(WANDER_SEED, self, job->frame);
//         velocity->x += ox_random_float_range(&random, -1, 1);
//     }
//
// The generator is Philox 4x32-10: each number is computed from the seed, the stream and its
// position in the stream alone. So every entity has its own numbers in each frame, and no job
// depends on the draws of another one. Give each use its own seed or stream: two systems that draw
// for the same seed, entity and frame get the same numbers.
//
// The numbers are bit-equal whatever the flags of your program, -ffast-math aside: floats are
// computed with operations that do not change when a compiler fuses a product and a sum. Do not use
// them for cryptography.
//
// Threads: call everything here from any thread. Only one thread at a time may use an ox_random.
// The pointer to it must not be NULL.

#pragma once

#include "oxbow/components.h"
#include "oxbow/vector.h"

/// A position in a stream of random numbers. A copy repeats the numbers that follow. It has no
/// padding and may be a field of a component or of a job. {0} is the beginning of stream 0 of seed
/// 0. Only read its fields.
typedef struct ox_random {
    uint64_t seed;
    uint64_t stream;
    uint64_t position;   ///< of the next number
    uint32_t numbers[4]; ///< its block of four, unless it is the first one of the block
} ox_random;

/// Returns the beginning of a stream. A seed has 2^64 streams of 2^63 numbers, which do not overlap
/// with each other, nor with those of ox_random_of. All seeds and streams are equally good.
static inline ox_random ox_random_create(uint64_t seed, uint64_t stream);

/// Returns the numbers of an entity in a frame, where `frame` is a count or a time that the caller
/// chooses. There are 2^24 numbers, then those of the next frame begin. Frames repeat after 2^39 of
/// them. A new entity with the index of a destroyed one has other numbers.
static inline ox_random ox_random_of(uint64_t seed, ox_entity entity, uint64_t frame);

/// Returns the next 32 random bits.
static inline uint32_t ox_random_next(ox_random *random);

/// Returns 64 random bits: two numbers, of which the first is the lower half.
static inline uint64_t ox_random_next64(ox_random *random);

/// Returns an integer from `low` to `high`, both included. Each is equally likely: a draw that
/// would favour some of them is discarded and repeated. After 64 draws, which is less likely than
/// 2^-64, the last one counts. If `high` is below `low`, draws once and returns `low`, after a
/// report in the checked library.
static inline int32_t ox_random_int_at(ox_random *random, int32_t low, int32_t high, ox_site site);
#define ox_random_int(random, low, high) ox_random_int_at(random, low, high, OX_HERE)

/// Returns an index from 0 to `count` - 1, as ox_random_int does. `count` is from 1 to 2^31 - 1;
/// otherwise draws once and returns 0, after a report in the checked library.
static inline int32_t ox_random_index_at(ox_random *random, int64_t count, ox_site site);
#define ox_random_index(random, count) ox_random_index_at(random, (int64_t)(count), OX_HERE)

/// Returns a number from 0 up to, but not including, 1: a multiple of 2^-24, each equally likely.
/// Draws once.
static inline float ox_random_float(ox_random *random);

/// Returns a number from `low` up to, but not including, `high`, in 2^24 even steps that are
/// rounded to floats. Draws once. If the two are equal, returns `low`. If `high` is below `low`, or
/// one of them is not finite, returns `low`, after a report in the checked library.
static inline float ox_random_float_range_at(ox_random *random, float low, float high,
                                             ox_site site);
#define ox_random_float_range(random, low, high)                                                   \
    ox_random_float_range_at(random, low, high, OX_HERE)

/// Returns true with a probability of `chance`, to the next multiple of 2^-24 above it. Never from
/// 0 down and for a NaN, always from 1 up. Draws once.
static inline bool ox_random_bool(ox_random *random, float chance);

/// Returns a vector of length 1 in the plane. All directions are equally likely. Draws twice for a
/// point in a square, and again while it lies outside the circle: 2.5 times on average, 64 at most.
static inline ox_float2 ox_random_direction2(ox_random *random);

/// Returns a vector of length 1 in space. All directions are equally likely. Draws as often as
/// ox_random_direction2.
static inline ox_float3 ox_random_direction3(ox_random *random);

/// Shuffles `count` contiguous elements of `size` bytes at `values`. All orders are equally likely.
/// `count` is from 0 to 2^31 - 1; `values` may be NULL if it is 0. Other arguments are reported and
/// have no effect.
OX_API void ox_random_shuffle_at(ox_random *random, void *values, int64_t count, size_t size,
                                 ox_site site);
#define ox_random_shuffle(random, values, count)                                                   \
    ox_random_shuffle_at(random, values, (int64_t)(count), sizeof *(values), OX_HERE)

#include "oxbow/detail/random.h"
