// SPDX-License-Identifier: MIT
//
// Nodes: what the safety system knows of each container. A token is the index of a node.
//
// Invariant: `version` is odd while the container lives; ending it moves the versions, so every
// handle of before is dead, also when the node serves another container. Jobs that hold it use it
// to their own end, whatever main does meanwhile: a node is released when no job holds it any more.
// Nodes are used again in the order they were released, so that a report about a dead handle
// usually still knows where it died.

#pragma once

#include "base/atomics.h"
#include "oxbow/safety.h"

enum { OXI_TEMP_TOKEN = -1, OXI_NODE_NAME = 32 };

/// What outstanding jobs do with a container.
typedef enum oxi_held {
    OXI_HELD_NOT = 0,
    OXI_HELD_READ,
    OXI_HELD_WRITTEN,
} oxi_held;

typedef struct oxi_node {
    oxi_atomic_u32 version;
    oxi_atomic_u32 view_version; ///< of views made outside of jobs
    oxi_atomic_u32 size_version; ///< of views made in jobs: what main schedules does not end them
    oxi_atomic_u32 held;         ///< oxi_held; main writes it, every thread asks
    uint32_t owner;              ///< number of the job that created it, 0 for none
    oxi_atomic_ptr field;        ///< name of the job's field that held it last, or NULL
    oxi_atomic_ptr ended;        ///< where it was ended, as an ox_site
    ox_site created;
    const char *kind;
    char name[OXI_NODE_NAME]; ///< "" when none was given
    ox_allocator allocator;
    bool is_whole; ///< a parallel job cannot divide it by index
    uint32_t next_free;

    // Main's own.
    uint32_t first_use;  ///< of fences that hold it
    uint32_t seen;       ///< number of the schedule that met it last
    bool seen_writes;    ///< that job writes it
    const char *seen_as; ///< under this name
} oxi_node;

#if OX_SAFETY >= 1

/// A node for a new container. @return its token, 0 when out of memory.
uint32_t oxi_node_take(const ox_access_def *def, uint32_t owner, ox_site site);

/// Ends a container: all handles are dead, but for copies of jobs that hold it.
void oxi_node_end(uint32_t token, ox_site site);

/// No job holds a container that was ended: its node will serve another.
void oxi_node_release(uint32_t token);

static inline bool oxi_node_is_ended(const oxi_node *node) {
    return (oxi_load_relaxed(&node->version) & 1) == 0;
}

/// The node of a token, or NULL when it was never given out.
oxi_node *oxi_node_find(uint32_t token);

/// The debug name: given, or a job's field, or "".
const char *oxi_node_name(oxi_node *node);

/// Nodes of containers that live.
uint32_t oxi_node_count(void);

/// For tests: gives all memory back. No container may live.
void oxi_nodes_reset(void);

#endif
