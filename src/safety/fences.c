// SPDX-License-Identifier: MIT
//
// Fences, their edges and uses, each in a pool that is indexed from 1 and has a free list.
//
// Invariants: an edge names its predecessor by place and serial number, and counts as synced when
// the serial has gone from there. A predecessor has a smaller serial than what waits for it, so a
// search for a fence never looks behind older ones. A node lists its last writer and the readers
// since, the writer first: what came before is covered by them, and ends with them.

#include "safety/fences.h"

#include "base/list.h"
#include "safety/job_table.h"

#if OX_SAFETY >= 1

typedef struct job_fence {
    uint64_t serial; // 0: free
    ox_job job;
    oxi_fence_info info;
    uint32_t first_edge;
    uint32_t first_use;
    uint32_t next;    // free list, or the stack of a walk
    uint64_t visited; // number of the walk that met it last
    uint64_t wanted;  // number of the walk that looks for it
} job_fence;

typedef struct fence_edge {
    uint64_t serial;
    uint32_t fence;
    uint32_t next;
} fence_edge;

static struct {
    OXI_LIST(job_fence) fences;
    OXI_LIST(fence_edge) edges;
    OXI_LIST(oxi_use) uses;
    uint32_t free_fence;
    uint32_t free_edge;
    uint32_t free_use;
    size_t free_fences;
    size_t free_edges;
    size_t free_uses;
    oxi_job_table index;
    uint64_t last_serial;
    uint64_t last_walk;
    uint32_t count;
} fences;

static job_fence *fence_at(uint32_t index) {
    return &fences.fences.items[index];
}

static oxi_use *use_at(uint32_t index) {
    return &fences.uses.items[index];
}

// Pools. Index 0 is nobody's.

bool oxi_fence_reserve(size_t after_count, size_t use_count) {
    size_t edges = after_count > fences.free_edges ? after_count - fences.free_edges : 0;
    size_t uses = use_count > fences.free_uses ? use_count - fences.free_uses : 0;
    return oxi_list_reserve(&fences.fences, fences.fences.count + 2) &&
           oxi_list_reserve(&fences.edges, fences.edges.count + edges + 1) &&
           oxi_list_reserve(&fences.uses, fences.uses.count + uses + 1) &&
           oxi_job_table_reserve(&fences.index, 1);
}

static uint32_t take_fence(void) {
    uint32_t index = fences.free_fence;
    if (index != 0) {
        fences.free_fence = fence_at(index)->next;
        fences.free_fences--;
        return index;
    }
    fences.fences.count += fences.fences.count == 0;
    return (uint32_t)fences.fences.count++;
}

static uint32_t take_edge(void) {
    uint32_t index = fences.free_edge;
    if (index != 0) {
        fences.free_edge = fences.edges.items[index].next;
        fences.free_edges--;
        return index;
    }
    fences.edges.count += fences.edges.count == 0;
    return (uint32_t)fences.edges.count++;
}

static uint32_t take_use(void) {
    uint32_t index = fences.free_use;
    if (index != 0) {
        fences.free_use = use_at(index)->next_of_fence;
        fences.free_uses--;
        return index;
    }
    fences.uses.count += fences.uses.count == 0;
    return (uint32_t)fences.uses.count++;
}

static void give_edge(uint32_t index) {
    fences.edges.items[index] = (fence_edge){.next = fences.free_edge};
    fences.free_edge = index;
    fences.free_edges++;
}

static void give_use(uint32_t index) {
    *use_at(index) = (oxi_use){.next_of_fence = fences.free_use};
    fences.free_use = index;
    fences.free_uses++;
}

// Uses.

static void update_held(oxi_node *node) {
    oxi_held held = OXI_HELD_NOT;
    if (node->first_use != 0) {
        held = use_at(node->first_use)->writes ? OXI_HELD_WRITTEN : OXI_HELD_READ;
    }
    oxi_store_relaxed(&node->held, (uint32_t)held);
}

static void unlink_use(oxi_node *node, uint32_t index) {
    oxi_use *use = use_at(index);
    if (use->prev_of_node != 0) {
        use_at(use->prev_of_node)->next_of_node = use->next_of_node;
    } else {
        node->first_use = use->next_of_node;
    }
    if (use->next_of_node != 0) {
        use_at(use->next_of_node)->prev_of_node = use->prev_of_node;
    }
    use->node = use->next_of_node = use->prev_of_node = 0;
}

static void unlink_all_uses(oxi_node *node) {
    while (node->first_use != 0) {
        unlink_use(node, node->first_use);
    }
}

static void drop_reader(oxi_node *node, uint32_t token, const job_fence *reader) {
    for (uint32_t k = reader->first_use; k != 0; k = use_at(k)->next_of_fence) {
        if (use_at(k)->node == token && !use_at(k)->writes) {
            unlink_use(node, k);
        }
    }
}

// Readers that a new reader waits for directly are covered by it: a chain of readers stays one. It
// looks from the reader's side, since a container may have very many readers.
static void drop_direct_readers(oxi_node *node, uint32_t token, const job_fence *reader) {
    for (uint32_t e = reader->first_edge; e != 0; e = fences.edges.items[e].next) {
        drop_reader(node, token, fence_at(fences.edges.items[e].fence));
    }
}

void oxi_fence_use(uint32_t index, uint32_t token, const oxi_use *use) {
    oxi_node *node = oxi_node_find(token);
    job_fence *holder = fence_at(index);
    if (use->writes) {
        unlink_all_uses(node);
    } else {
        drop_direct_readers(node, token, holder);
    }
    uint32_t added = take_use();
    oxi_use *copy = use_at(added);
    *copy = *use;
    copy->fence = index;
    copy->node = token;
    copy->next_of_fence = holder->first_use;
    holder->first_use = added;
    // The last writer stays first in the list: asking for it is one look.
    uint32_t first = node->first_use;
    bool after_writer = first != 0 && use_at(first)->writes;
    copy->prev_of_node = after_writer ? first : 0;
    copy->next_of_node = after_writer ? use_at(first)->next_of_node : first;
    if (copy->next_of_node != 0) {
        use_at(copy->next_of_node)->prev_of_node = added;
    }
    if (after_writer) {
        use_at(first)->next_of_node = added;
    } else {
        node->first_use = added;
    }
    update_held(node);
}

// Adding.

uint32_t oxi_fence_add(ox_job job, oxi_fence_info info, const ox_job *after, int count,
                       bool has_uses) {
    uint32_t first_edge = 0;
    for (int k = 0; k < count; k++) {
        uint32_t before = oxi_job_table_find(&fences.index, after[k]);
        if (before != 0) {
            uint32_t edge = take_edge();
            fences.edges.items[edge] = (fence_edge){fence_at(before)->serial, before, first_edge};
            first_edge = edge;
        }
    }
    if (first_edge == 0 && !has_uses) {
        return 0;
    }
    uint32_t index = take_fence();
    *fence_at(index) = (job_fence){
        .serial = ++fences.last_serial, .job = job, .info = info, .first_edge = first_edge};
    oxi_job_table_add(&fences.index, job, index);
    fences.count++;
    return index;
}

// Covering.

static bool uses_node(const job_fence *holder, uint32_t node) {
    for (uint32_t k = holder->first_use; k != 0; k = use_at(k)->next_of_fence) {
        if (use_at(k)->node == node) {
            return true;
        }
    }
    return false;
}

// A search for fences that a job waits for: all in one walk, however many they are.
typedef struct cover_search {
    uint64_t walk;    // fences that are wanted carry this number
    uint64_t oldest;  // serial of the oldest of them
    uint32_t missing; // how many were not met
    uint32_t writer;  // the fence among them that writes the node, 0 when it is met
    uint32_t node;
} cover_search;

static void want_fence(cover_search *search, const oxi_use *use) {
    job_fence *wanted = fence_at(use->fence);
    wanted->wanted = search->walk;
    search->oldest = wanted->serial < search->oldest ? wanted->serial : search->oldest;
    search->missing++;
    search->writer = use->writes ? use->fence : search->writer;
    search->node = use->node;
}

static void meet_fence(cover_search *search, job_fence *met) {
    // Who holds the container waits for its last writer: then so does what comes after it.
    if (search->writer != 0 && uses_node(met, search->node)) {
        fence_at(search->writer)->wanted = 0;
        search->writer = 0;
        search->missing--;
    }
    if (met->wanted == search->walk) {
        met->wanted = 0;
        search->missing--;
    }
}

// Goes from a fence to what it waits for, until nothing is missing.
static void walk_back(cover_search *search, uint32_t stack) {
    fence_at(stack)->next = 0;
    while (stack != 0 && search->missing > 0) {
        job_fence *at = fence_at(stack);
        meet_fence(search, at);
        stack = at->next;
        for (uint32_t e = at->first_edge; e != 0; e = fences.edges.items[e].next) {
            const fence_edge *edge = &fences.edges.items[e];
            job_fence *before = fence_at(edge->fence);
            bool is_alive = before->serial == edge->serial;
            if (is_alive && edge->serial >= search->oldest && before->visited != search->walk) {
                before->visited = search->walk;
                before->next = stack;
                stack = edge->fence;
            }
        }
    }
}

const oxi_use *oxi_fence_find_conflict(const oxi_node *node, bool writes, ox_job after) {
    uint32_t first = node->first_use;
    if (first == 0 || (!writes && !use_at(first)->writes)) {
        return NULL; // the writer is first: only readers follow
    }
    uint32_t direct = oxi_job_table_find(&fences.index, after);
    if (direct == 0) {
        return use_at(first);
    }
    cover_search search = {.walk = ++fences.last_walk, .oldest = UINT64_MAX};
    for (uint32_t k = first; k != 0; k = writes ? use_at(k)->next_of_node : 0) {
        want_fence(&search, use_at(k));
    }
    walk_back(&search, direct);
    for (uint32_t k = first; k != 0 && search.missing > 0; k = use_at(k)->next_of_node) {
        if (fence_at(use_at(k)->fence)->wanted == search.walk) {
            return use_at(k);
        }
    }
    return NULL;
}

bool oxi_fence_covers(ox_job handle, ox_job job) {
    uint32_t wanted = oxi_job_table_find(&fences.index, job);
    uint32_t direct = oxi_job_table_find(&fences.index, handle);
    if (wanted == 0 || wanted == direct) {
        return true;
    }
    if (direct == 0) {
        return false;
    }
    cover_search search = {
        .walk = ++fences.last_walk, .oldest = fence_at(wanted)->serial, .missing = 1};
    fence_at(wanted)->wanted = search.walk;
    walk_back(&search, direct);
    return search.missing == 0;
}

// Syncing.

static void remove_fence(uint32_t index) {
    job_fence *gone = fence_at(index);
    for (uint32_t k = gone->first_use; k != 0;) {
        uint32_t next = use_at(k)->next_of_fence;
        uint32_t token = use_at(k)->node;
        oxi_node *node = oxi_node_find(token);
        if (node != NULL) {
            unlink_use(node, k);
            update_held(node);
        }
        if (node != NULL && node->first_use == 0 && oxi_node_is_ended(node)) {
            oxi_node_release(token);
        }
        give_use(k);
        k = next;
    }
    oxi_job_table_remove(&fences.index, gone->job);
    *gone = (job_fence){.next = fences.free_fence};
    fences.free_fence = index;
    fences.free_fences++;
    fences.count--;
}

void oxi_fence_sync(ox_job job) {
    uint32_t stack = oxi_job_table_find(&fences.index, job);
    uint64_t walk = ++fences.last_walk;
    if (stack != 0) {
        fence_at(stack)->next = 0;
    }
    while (stack != 0) {
        uint32_t index = stack;
        stack = fence_at(index)->next;
        for (uint32_t e = fence_at(index)->first_edge; e != 0;) {
            fence_edge edge = fences.edges.items[e];
            job_fence *before = fence_at(edge.fence);
            if (before->serial == edge.serial && before->visited != walk) {
                before->visited = walk;
                before->next = stack;
                stack = edge.fence;
            }
            give_edge(e);
            e = edge.next;
        }
        remove_fence(index);
    }
}

// What a fence waits for and was not synced. `count` is how many.
static uint32_t find_unsynced(const job_fence *waiting, int *count) {
    uint32_t found = 0;
    *count = 0;
    for (uint32_t e = waiting->first_edge; e != 0; e = fences.edges.items[e].next) {
        const fence_edge *edge = &fences.edges.items[e];
        if (fence_at(edge->fence)->serial == edge->serial) {
            found = edge->fence;
            *count += 1;
        }
    }
    return found;
}

bool oxi_fence_is_synced(ox_job job) {
    uint32_t at = oxi_job_table_find(&fences.index, job);
    // Combinations of combinations stand in a chain; a wider tree counts as not synced.
    for (int count = 1; at != 0 && count > 0;) {
        if (fence_at(at)->first_use != 0) {
            return false;
        }
        at = find_unsynced(fence_at(at), &count);
        if (count > 1) {
            return false;
        }
    }
    oxi_fence_sync(job);
    return true;
}

void oxi_fence_sync_all(void) {
    for (uint32_t k = 1; k < fences.fences.count; k++) {
        if (fence_at(k)->serial != 0) {
            oxi_fence_sync(fence_at(k)->job);
        }
    }
}

// Looking.

uint32_t oxi_fence_of_job(ox_job job) {
    return oxi_job_table_find(&fences.index, job);
}

ox_job oxi_fence_get_job(uint32_t index) {
    return fence_at(index)->job;
}

oxi_fence_info oxi_fence_get_info(uint32_t index) {
    return fence_at(index)->info;
}

uint32_t oxi_fence_count(void) {
    return fences.count;
}

uint32_t oxi_fence_count_readers(const oxi_node *node, uint32_t *writer) {
    uint32_t readers = 0;
    *writer = 0;
    for (uint32_t k = node->first_use; k != 0; k = use_at(k)->next_of_node) {
        readers += !use_at(k)->writes;
        *writer = use_at(k)->writes ? use_at(k)->fence : *writer;
    }
    return readers;
}

void oxi_fences_reset(void) {
    oxi_fence_sync_all();
    oxi_list_free(&fences.fences);
    oxi_list_free(&fences.edges);
    oxi_list_free(&fences.uses);
    oxi_job_table_free(&fences.index);
    fences.free_fence = fences.free_edge = fences.free_use = 0;
    fences.free_fences = fences.free_edges = fences.free_uses = 0;
}

#endif
