// SPDX-License-Identifier: MIT
//
// Random systems with random accesses, run for some frames.

#pragma once

#include "entities/entity_jobs_test.h"

#include "entities/scope.h"
#include "oxbow/systems.h"

#include <stdio.h>

enum { NUMBERS = 6, MOST_SYSTEMS = 10, MOST_JOBS = 3, FRAMES = 3, ENTITIES = 40, NAME = 16 };

/// What the update of a system does.
typedef enum random_kind {
    ON_MAIN,             ///< walks on main
    ON_MAIN_AND_CHANGES, ///< the same, and changes the structure of the world
    WITH_HANDLES,
    WITH_AUTO,
    WITH_BOTH,  ///< handles first, then OX_AUTO
    WITH_PLAIN, ///< handles, of jobs that are not over entities and hold lookups
    WITH_CHAIN, ///< each after the one before, some of them plain jobs that access nothing
    RANDOM_KINDS,
} random_kind;

/// The struct of every job.
typedef struct mix_data {
    uint32_t salt;
    uint32_t term_count;
    ox_term_kind kinds[NUMBERS];
} mix_data;

enum { LOOKED_UP = 8 };

/// The struct of every job that is not over entities.
typedef struct plain_data {
    uint32_t salt;
    ox_lookup read, written;
    ox_entity who[LOOKED_UP];
} plain_data;

/// One job of a system, or what a system on main walks over.
typedef struct random_job {
    char name[NAME];
    ox_term terms[NUMBERS + 1];
    ox_entity_job_type type;
    mix_data data;
    bool is_plain;
    bool is_bare; ///< plain, and without accesses: it only stands between others
    plain_data plain;
    ox_query *query; ///< for walks on main
    bool is_auto;
} random_job;

typedef struct random_system {
    char name[NAME];
    random_kind kind;
    random_job jobs[MOST_JOBS];
    uint32_t job_count;
    bool is_fan;      ///< jobs with handles come after the input, not after each other
    ox_term extra[2]; ///< declared, and used by no job
    ox_system *system;
} random_system;

typedef struct random_world {
    uint64_t seed;
    bool is_serial; ///< main does at once what jobs would do
    long dwell_us;  ///< how long a job sleeps in between, so that others run meanwhile
    oxi_random random;
    ox_world *world;
    uint32_t ids[NUMBERS];
    random_system systems[MOST_SYSTEMS];
    uint32_t system_count;
    uint32_t plain_count; ///< jobs that were scheduled and are not over entities
    /// Called in the update of a job system, with its input; may be NULL.
    void (*on_input)(struct random_world *run, random_system *one, ox_job after);
    /// Called with the handle that it returns.
    void (*on_return)(struct random_world *run, random_system *one, ox_job returned);
} random_world;

/// The world that runs.
extern random_world random_run;

/// No job without accesses. Those are settled when they are done, not when main completed them, so
/// when nobody waits for them any more is a matter of chance.
extern bool random_without_bare;

/// Makes the world of a seed and its systems. `workers` must run already.
void random_begin(uint64_t seed, bool is_serial);

/// Runs its frames.
void random_frames(void);

/// Completes everything, destroys the world and returns its hash.
uint64_t random_end(void);

/// The job of a name, which is compared as a pointer; NULL when it is none of the world's.
const random_job *random_find_job(const char *name);

/// True when one writes what the other accesses.
bool random_jobs_conflict(const random_job *a, const random_job *b);

/// What a system declared.
static inline const oxi_scope *random_scope_of(const random_system *one) {
    return (const oxi_scope *)(const void *)one->system;
}
