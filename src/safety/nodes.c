// SPDX-License-Identifier: MIT
//
// The table of nodes.
//
// It lies in reserved addresses and never moves, so a thread with a token reads its node without a
// lock; taking and ending nodes happens under one.

#include "safety/nodes.h"

#include "base/platform.h"
#include "base/region.h"
#include "base/text.h"

#include <string.h>

#if OX_SAFETY >= 1

enum { MOST_NODES = 1 << 22, LEAST_NODES = 1 << 12, KEPT_NODES = 256 };

static struct {
    oxi_mutex lock;
    oxi_region region;
    oxi_node *nodes;
    oxi_atomic_u32 count; // nodes that were ever used, and node 0
    uint32_t alive;
    uint32_t free_count;
    uint32_t first_free;
    uint32_t last_free;
} node_table = {.lock = OXI_MUTEX_INIT};

static bool create_node_table(void) {
    if (node_table.nodes != NULL) {
        return true;
    }
    if (!oxi_region_create(&node_table.region, MOST_NODES * sizeof(oxi_node),
                           LEAST_NODES * sizeof(oxi_node))) {
        return false;
    }
    node_table.nodes = (oxi_node *)node_table.region.base;
    oxi_store_release(&node_table.count, 1);
    return true;
}

// A node that never served, or 0.
static uint32_t take_new_node(void) {
    uint32_t token = oxi_load_relaxed(&node_table.count);
    size_t end = ((size_t)token + 1) * sizeof(oxi_node);
    if (end > node_table.region.reserved || !oxi_region_grow(&node_table.region, end)) {
        return 0;
    }
    oxi_store_release(&node_table.count, token + 1);
    return token;
}

static uint32_t take_used_node(void) {
    uint32_t token = node_table.first_free;
    node_table.first_free = node_table.nodes[token].next_free;
    if (node_table.first_free == 0) {
        node_table.last_free = 0;
    }
    node_table.free_count--;
    return token;
}

static uint32_t take_token(void) {
    if (!create_node_table()) {
        return 0;
    }
    // Some dead nodes are kept back: reports about their containers know where those died.
    uint32_t token = node_table.free_count < KEPT_NODES ? take_new_node() : 0;
    if (token == 0 && node_table.first_free != 0) {
        token = take_used_node();
    }
    node_table.alive += token != 0;
    return token;
}

static void fill_node(oxi_node *node, const ox_access_def *def, uint32_t owner, ox_site site) {
    node->owner = owner;
    node->created = site;
    node->kind = def->kind != NULL ? def->kind : "container";
    node->allocator = def->allocator != 0 ? def->allocator : OX_PERSISTENT;
    node->is_whole = def->is_whole;
    oxi_text_copy(node->name, sizeof node->name, def->name);
    oxi_store_relaxed(&node->field, NULL);
    oxi_store_relaxed(&node->ended, NULL);
    oxi_store_relaxed(&node->held, OXI_HELD_NOT);
    oxi_add_relaxed(&node->version, 1);
}

uint32_t oxi_node_take(const ox_access_def *def, uint32_t owner, ox_site site) {
    oxi_mutex_lock(&node_table.lock);
    uint32_t token = take_token();
    if (token != 0) {
        fill_node(&node_table.nodes[token], def, owner, site);
    }
    oxi_mutex_unlock(&node_table.lock);
    return token;
}

void oxi_node_end(uint32_t token, ox_site site) {
    oxi_mutex_lock(&node_table.lock);
    oxi_node *node = &node_table.nodes[token];
    oxi_store_relaxed(&node->ended, (void *)(uintptr_t)site);
    oxi_add_relaxed(&node->version, 1);
    oxi_add_relaxed(&node->view_version, 1);
    node_table.alive--;
    oxi_mutex_unlock(&node_table.lock);
}

void oxi_node_release(uint32_t token) {
    oxi_mutex_lock(&node_table.lock);
    oxi_node *node = &node_table.nodes[token];
    oxi_add_relaxed(&node->size_version, 1);
    node->next_free = 0;
    if (node_table.last_free != 0) {
        node_table.nodes[node_table.last_free].next_free = token;
    } else {
        node_table.first_free = token;
    }
    node_table.last_free = token;
    node_table.free_count++;
    oxi_mutex_unlock(&node_table.lock);
}

oxi_node *oxi_node_find(uint32_t token) {
    bool exists = token != 0 && token < oxi_load_acquire(&node_table.count);
    return exists ? &node_table.nodes[token] : NULL;
}

const char *oxi_node_name(oxi_node *node) {
    const char *field = oxi_load_relaxed(&node->field);
    return node->name[0] != 0 || field == NULL ? node->name : field;
}

uint32_t oxi_node_count(void) {
    oxi_mutex_lock(&node_table.lock);
    uint32_t count = node_table.alive;
    oxi_mutex_unlock(&node_table.lock);
    return count;
}

void oxi_nodes_reset(void) {
    oxi_mutex_lock(&node_table.lock);
    oxi_region_destroy(&node_table.region);
    node_table.nodes = NULL;
    oxi_store_relaxed(&node_table.count, 0);
    node_table.alive = node_table.free_count = 0;
    node_table.first_free = node_table.last_free = 0;
    oxi_mutex_unlock(&node_table.lock);
}

#endif
