// SPDX-License-Identifier: MIT
//
// Sorting in jobs: blocks side by side, then rounds of merges.
//
// The elements are cut into 4, 16 or 64 blocks of one length, the last ones shorter: how many
// depends on the length alone. After round r, groups of 2^(r+1) blocks are sorted. A round merges
// all pairs of groups at once, and each block of its result is written by one index of a parallel
// job; a single job finds out beforehand how far into both groups each block begins, so that every
// element is taken once even when the comparison contradicts itself. Rounds go to spare memory
// and back, and their number is even: the last one ends where the elements were.
//
// Invariant: splits[k], the elements that the blocks of one merge before k take from the left
// group, never falls, and never rises by more than a block, from one block of the merge to the
// next.

#include "containers/order.h"
#include "containers/sort_items.h"

enum { MOST_SORT_BLOCKS = 64, MOST_SORT_ROUNDS = 6, LEAST_SORT_BLOCK = 1024 };

// Keys are sorted faster than merged: fewer, larger blocks.
enum { MOST_KEY_BLOCKS = 16 };

// What the jobs of one sort share. The last of them frees it.
typedef struct sort_work {
    oxi_sort_items items;
    ox_site site;
    bool is_cancelled; // not all jobs could be scheduled: the others do nothing
    char *spare;       // as many elements, or NULL
    uint32_t rounds;   // 0: the last job sorts everything by itself
    size_t block;      // elements of a block
    uint32_t splits[MOST_SORT_BLOCKS];
} sort_work;

// The container that is sorted, an array or a list, as the safety system sees it.
typedef struct sort_target {
    ox_access access;
} sort_target;

OX_CONTAINER(sort_target, access);

// Chooses the blocks and takes memory. @return false after a report.
static bool plan_sort(sort_work *work) {
    const oxi_sort_items *items = &work->items;
    size_t most = items->order.compare == NULL ? MOST_KEY_BLOCKS : MOST_SORT_BLOCKS;
    size_t blocks = 1;
    while (blocks < most && items->count >= blocks * 4 * LEAST_SORT_BLOCK) {
        blocks *= 4;
        work->rounds += 2;
    }
    work->block = (items->count + blocks - 1) / blocks;
    size_t size = items->order.size;
    if (items->count < 2) {
        return true;
    }
    work->spare =
        ox_memory_alloc_array_at(OX_TEMP_JOB, items->count, size, oxi_align_for(size), work->site);
    return work->spare != NULL;
}

static void free_sort_work(sort_work *work) {
    size_t size = work->items.order.size;
    ox_memory_free_at(OX_TEMP_JOB, work->spare, work->items.count * size, oxi_align_for(size),
                      work->site);
    ox_memory_free_at(OX_TEMP_JOB, work, sizeof *work, _Alignof(sort_work), work->site);
}

static size_t first_of_block(const sort_work *work, size_t block) {
    size_t first = block * work->block;
    return first < work->items.count ? first : work->items.count;
}

// Sorts elements that are numbers still; with `keeps_keys` they are keys afterwards.
static void sort_part(const sort_work *work, size_t first, size_t count, bool keeps_keys) {
    const oxi_sort_items *items = &work->items;
    size_t size = items->order.size;
    char *data = items->data + first * size, *spare = work->spare + first * size;
    if (items->order.compare != NULL) {
        oxi_sort_merge(data, count, spare, &items->order);
        return;
    }
    oxi_keys_make(data, count, items->element);
    oxi_keys_sort(data, count, size, spare);
    if (!keeps_keys) {
        oxi_keys_undo(data, count, items->element);
    }
}

// The two groups that round `round` merges around a block, and the first block of them.
static oxi_merge_pair pair_of_block(const sort_work *work, size_t block, uint32_t round,
                                    size_t *first_block) {
    size_t size = work->items.order.size, group = (size_t)1 << round;
    const char *from = round % 2 == 0 ? work->items.data : work->spare;
    *first_block = block / (group * 2) * (group * 2);
    size_t left = first_of_block(work, *first_block);
    size_t right = first_of_block(work, *first_block + group);
    size_t end = first_of_block(work, *first_block + group * 2);
    return (oxi_merge_pair){from + left * size, right - left, from + right * size, end - right};
}

// How many elements of its merge come before a block.
static size_t taken_before(const sort_work *work, size_t block, size_t first_block) {
    return first_of_block(work, block) - first_of_block(work, first_block);
}

static void split_block(sort_work *work, size_t block, uint32_t round) {
    size_t first_block;
    oxi_merge_pair pair = pair_of_block(work, block, round, &first_block);
    if (block == first_block) {
        work->splits[block] = 0;
        return;
    }
    size_t taken = taken_before(work, block, first_block);
    size_t least = work->splits[block - 1];
    size_t most = least + taken - taken_before(work, block - 1, first_block);
    size_t split = oxi_merge_split(&pair, taken, &work->items.order);
    split = split < least ? least : split;
    work->splits[block] = (uint32_t)(split > most ? most : split);
}

// The part of a merge that makes one block.
static oxi_merge_pair part_of_block(const sort_work *work, size_t block, uint32_t round) {
    size_t size = work->items.order.size, first_block;
    oxi_merge_pair pair = pair_of_block(work, block, round, &first_block);
    bool is_last = block + 1 == first_block + ((size_t)2 << round);
    size_t left = work->splits[block];
    size_t left_end = is_last ? pair.left_count : work->splits[block + 1];
    size_t right = taken_before(work, block, first_block) - left;
    size_t right_end = taken_before(work, block + 1, first_block) - left_end;
    return (oxi_merge_pair){pair.left + left * size, left_end - left, pair.right + right * size,
                            right_end - right};
}

static bool has_round(const sort_work *work, uint32_t round) {
    return !work->is_cancelled && round < work->rounds;
}

OX_JOB(SortList, {
    ox_list list;
    OX_NO_SAFETY sort_work *work;
}) {
    sort_work *work = job->work;
    if (work->is_cancelled) {
        return;
    }
    if (!oxi_sort_read_list(&work->items, job->list, work->site) || !plan_sort(work)) {
        work->items.count = 0;
        work->rounds = 0;
    }
}

OX_PARALLEL_JOB(SortBlocks, {
    OX_UNRESTRICTED sort_target items;
    OX_NO_SAFETY sort_work *work;
}) {
    const sort_work *work = job->work;
    if (has_round(work, 0)) {
        size_t first = first_of_block(work, (size_t)i);
        sort_part(work, first, first_of_block(work, (size_t)i + 1) - first, true);
    }
}

OX_JOB(SortSplit, {
    sort_target items;
    OX_NO_SAFETY sort_work *work;
    uint32_t round;
}) {
    for (size_t k = 0; has_round(job->work, job->round) && k < (size_t)1 << job->work->rounds;
         k++) {
        split_block(job->work, k, job->round);
    }
}

OX_PARALLEL_JOB(SortMerge, {
    OX_UNRESTRICTED sort_target items;
    OX_NO_SAFETY sort_work *work;
    uint32_t round;
}) {
    const sort_work *work = job->work;
    size_t block = (size_t)i;
    if (!has_round(work, job->round) || block >= (size_t)1 << work->rounds) {
        return;
    }
    oxi_merge_pair part = part_of_block(work, block, job->round);
    char *to = job->round % 2 == 0 ? work->spare : work->items.data;
    to += first_of_block(work, block) * work->items.order.size;
    oxi_merge(part, to, &work->items.order);
    if (work->items.order.compare == NULL && job->round + 1 == work->rounds) {
        oxi_keys_undo(to, part.left_count + part.right_count, work->items.element);
    }
}

OX_JOB(SortEnd, {
    sort_target items;
    OX_NO_SAFETY sort_work *work;
}) {
    sort_work *work = job->work;
    if (work->is_cancelled) {
        return;
    }
    if (work->rounds == 0 && work->items.count > 1) {
        sort_part(work, 0, work->items.count, false);
    }
    free_sort_work(work);
}

// Jobs that are scheduled one after the other.
typedef struct sort_chain {
    sort_work *work;
    sort_target target;
    ox_job last;
    bool is_begun;
} sort_chain;

static bool add_to_chain(sort_chain *chain, ox_job job) {
    if (job.value == 0) {
        return false;
    }
    chain->last = job;
    chain->is_begun = true;
    return true;
}

static bool add_round(sort_chain *chain, uint32_t round, int blocks) {
    ox_site site = chain->work->site;
    SortSplit split = {chain->target, chain->work, round};
    SortMerge merge = {chain->target, chain->work, round};
    return add_to_chain(chain,
                        ox_schedule_at(ox_job_type_of(SortSplit), chain->last, &split, site)) &&
           add_to_chain(chain, ox_schedule_for_at(ox_job_type_of(SortMerge), blocks, 1, chain->last,
                                                  &merge, site));
}

static bool add_rounds(sort_chain *chain, uint32_t rounds) {
    ox_site site = chain->work->site;
    int blocks = 1 << rounds;
    SortBlocks sort = {chain->target, chain->work};
    if (rounds > 0 && !add_to_chain(chain, ox_schedule_for_at(ox_job_type_of(SortBlocks), blocks, 1,
                                                              chain->last, &sort, site))) {
        return false;
    }
    for (uint32_t round = 0; round < rounds; round++) {
        if (!add_round(chain, round, blocks)) {
            return false;
        }
    }
    SortEnd end = {chain->target, chain->work};
    return add_to_chain(chain, ox_schedule_at(ox_job_type_of(SortEnd), chain->last, &end, site));
}

// What was scheduled already has not begun: nothing shows jobs to workers before this. It runs
// empty, and then nobody knows of the work any more.
static ox_job cancel_chain(sort_chain *chain) {
    chain->work->is_cancelled = true;
    if (chain->is_begun) {
        ox_complete_at(&chain->last, 1, chain->work->site);
    }
    free_sort_work(chain->work);
    return OX_NO_JOB;
}

static sort_work *create_sort_work(const oxi_sort_items *items, ox_site site) {
    sort_work *work = ox_memory_alloc_at(OX_TEMP_JOB, sizeof *work, _Alignof(sort_work), site);
    if (work != NULL) {
        *work = (sort_work){.items = *items, .site = site};
    }
    return work;
}

ox_job ox_array_sort_after_at(ox_array array, ox_element element, ox_compare_fn *compare,
                              void *context, ox_job after, ox_site site) {
    oxi_sort_items items = {array.data, (size_t)array.count, element, {0}};
    if (array.data == NULL && array.access.token == 0) {
        oxi_unassigned("array", site);
        return OX_NO_JOB;
    }
    if (!oxi_element_fits(array.element, element)) {
        oxi_element_mismatch(array.element, element, array.access, "array", site);
        return OX_NO_JOB;
    }
    sort_work *work = NULL;
    if (!oxi_sort_require(&items, compare, context, site) ||
        (work = create_sort_work(&items, site)) == NULL) {
        return OX_NO_JOB;
    }
    sort_chain chain = {.work = work, .target = {array.access}, .last = after};
    return plan_sort(work) && add_rounds(&chain, work->rounds) ? chain.last : cancel_chain(&chain);
}

ox_job ox_list_sort_after_at(ox_list list, ox_element element, ox_compare_fn *compare,
                             void *context, ox_job after, ox_site site) {
    oxi_sort_items items = {.element = element};
    if (list.state == NULL && list.access.token == 0) {
        oxi_unassigned("list", site);
        return OX_NO_JOB;
    }
    sort_work *work = NULL;
    if (!oxi_sort_require(&items, compare, context, site) ||
        (work = create_sort_work(&items, site)) == NULL) {
        return OX_NO_JOB;
    }
    sort_chain chain = {.work = work, .target = {list.access}, .last = after};
    SortList begin = {list, work};
    bool is_added =
        add_to_chain(&chain, ox_schedule_at(ox_job_type_of(SortList), after, &begin, site)) &&
        add_rounds(&chain, MOST_SORT_ROUNDS);
    return is_added ? chain.last : cancel_chain(&chain);
}
