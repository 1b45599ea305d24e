// SPDX-License-Identifier: MIT
//
// Huffman codes. The two rarest symbols become one, until a single one is left: how often a symbol
// took part is the length of its pattern. Patterns that came out too long are cut, and others grow
// for it, so that there is room for all.

#include "huffman.h"

#include <stdlib.h>
#include <string.h>

typedef struct node {
    uint32_t count;
    int symbol;
    int parent;
} node;

static int compare_nodes(const void *a, const void *b) {
    const node *x = a, *y = b;
    if (x->count != y->count) {
        return x->count < y->count ? -1 : 1;
    }
    return x->symbol - y->symbol;
}

// Nodes are sorted; those that are made are, too: the rarest is the first of one or the other.
static int take_rarest(const node *nodes, int *leaf, int leaf_count, int *made, int node_count) {
    if (*leaf < leaf_count && (*made >= node_count || nodes[*leaf].count <= nodes[*made].count)) {
        return (*leaf)++;
    }
    return (*made)++;
}

static void join_nodes(node *nodes, int leaf_count) {
    int leaf = 0, made = leaf_count;
    for (int next = leaf_count; next < leaf_count * 2 - 1; next++) {
        int a = take_rarest(nodes, &leaf, leaf_count, &made, next);
        int b = take_rarest(nodes, &leaf, leaf_count, &made, next);
        nodes[next] = (node){nodes[a].count + nodes[b].count, -1, -1};
        nodes[a].parent = nodes[b].parent = next;
    }
}

// How many patterns there are of each length. A pattern of n bits takes 1 / 2^n of the room.
static void limit_lengths(int *of_length, int longest) {
    uint32_t room = (uint32_t)1 << longest, taken = 0;
    for (int k = 1; k <= longest; k++) {
        taken += (uint32_t)of_length[k] << (longest - k);
    }
    while (taken > room) { // one of the longest goes beside a shorter one, which grows by a bit
        int shorter = longest - 1;
        while (of_length[shorter] == 0) {
            shorter--;
        }
        of_length[shorter]--;
        of_length[shorter + 1] += 2;
        of_length[longest]--;
        taken--;
    }
}

static void count_lengths(const node *nodes, int leaf_count, int *of_length, int longest) {
    for (int k = 0; k < leaf_count; k++) {
        int length = 0;
        for (int at = k; nodes[at].parent >= 0; at = nodes[at].parent) {
            length++;
        }
        length = length == 0 ? 1 : length; // a symbol that is alone
        of_length[length < longest ? length : longest]++;
    }
    limit_lengths(of_length, longest);
}

static uint16_t reverse_bits(uint32_t value, int count) {
    uint32_t reversed = 0;
    for (int k = 0; k < count; k++) {
        reversed = reversed << 1 | (value >> k & 1);
    }
    return (uint16_t)reversed;
}

static void number_codes(huffman *code, const int *of_length, int count, int longest) {
    uint32_t next[17] = {0};
    for (int k = 1; k <= longest; k++) {
        next[k + 1] = (next[k] + (uint32_t)of_length[k]) << 1;
    }
    for (int k = 0; k < count; k++) {
        if (code->lengths[k] > 0) {
            code->codes[k] = reverse_bits(next[code->lengths[k]]++, code->lengths[k]);
        }
    }
}

void huffman_make(huffman *code, const uint32_t *counts, int count, int longest) {
    node nodes[HUFFMAN_MOST * 2];
    int leaf_count = 0, of_length[17] = {0};
    memset(code, 0, sizeof *code);
    for (int k = 0; k < count; k++) {
        if (counts[k] > 0) {
            nodes[leaf_count++] = (node){counts[k], k, -1};
        }
    }
    if (leaf_count == 0) {
        return;
    }
    qsort(nodes, (size_t)leaf_count, sizeof nodes[0], compare_nodes);
    join_nodes(nodes, leaf_count);
    count_lengths(nodes, leaf_count, of_length, longest);

    int rarest = 0;
    for (int length = longest; length > 0; length--) {
        for (int k = 0; k < of_length[length]; k++) {
            code->lengths[nodes[rarest++].symbol] = (uint8_t)length;
        }
    }
    number_codes(code, of_length, count, longest);
}
