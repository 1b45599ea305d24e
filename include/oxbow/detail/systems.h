// SPDX-License-Identifier: MIT
//
// Private: how systems are declared.

#pragma once

#include "oxbow/systems.h"

// How systems are declared.

#define OXI_JOB_OF(Job)                                                                            \
    (OXI_HOLDS(OXI_IS_JOB(Job, OXI_JOB_OVER_ENTITIES),                                             \
               "OX_JOBS is for jobs of OX_ENTITY_JOB or OX_CHUNK_JOB; " #Job                       \
               " is another kind of job") -                                                        \
     1) +                                                                                          \
        &oxi_entity_job_##Job,
#define OXI_SYSTEM_DEF(Name, main, jobs, group, barrier, ...)                                      \
    OXI_DEF_BEGIN __extension__ OXI_UNUSED static ox_system_def ox_system_##Name = {               \
        .name = #Name,                                                                             \
        .site = OX_HERE,                                                                           \
        .is_group = group,                                                                         \
        .is_barrier = barrier,                                                                     \
        .update = main,                                                                            \
        .update_jobs = jobs,                                                                       \
        __VA_ARGS__};                                                                              \
    OXI_DEF_END                                                                                    \
    OXI_AT_START(oxi_register_##Name) {                                                            \
        ox_system_register(&ox_system_##Name);                                                     \
    }

// Standard C++17 has no designated initialisers, and compilers warn about omitted fields.
#if defined(__cplusplus) && defined(__GNUC__)
#define OXI_DEF_BEGIN                                                                              \
    _Pragma("GCC diagnostic push")                                                                 \
        _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")
#define OXI_DEF_END _Pragma("GCC diagnostic pop")
#else
#define OXI_DEF_BEGIN
#define OXI_DEF_END
#endif

#define OXI_SYSTEM(Name, ...)                                                                      \
    static void Name##_update(ox_system *system);                                                  \
    OXI_SYSTEM_DEF(Name, Name##_update, NULL, false, false, __VA_ARGS__)                           \
    static void Name##_update(OXI_UNUSED ox_system *system)

#define OXI_JOB_SYSTEM(Name, ...)                                                                  \
    static ox_job Name##_update(ox_system *system, ox_job after);                                  \
    OXI_SYSTEM_DEF(Name, NULL, Name##_update, false, false, __VA_ARGS__)                           \
    static ox_job Name##_update(OXI_UNUSED ox_system *system, OXI_UNUSED ox_job after)

#define OXI_GROUP(Name, ...)                                                                       \
    OXI_SYSTEM_DEF(Name, NULL, NULL, true, false, __VA_ARGS__)                                     \
    OXI_STATIC_ASSERT(sizeof(#Name) > 1, "a group has a name")

#define OXI_BARRIER(Name, ...)                                                                     \
    OXI_SYSTEM_DEF(Name, NULL, NULL, false, true, __VA_ARGS__)                                     \
    OXI_STATIC_ASSERT(sizeof(#Name) > 1, "a barrier has a name")
